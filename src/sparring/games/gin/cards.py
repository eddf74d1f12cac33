"""Cards, hands and positions of gin rummy as text: `As` is the ace of spades, `Td` the ten of diamonds."""

from sparring.errors import UserError
from sparring.games import card_names
from sparring.games.gin.rules import HAND

RANK_NAMES = "A23456789TJQK"
NAMES = card_names.CardNames(RANK_NAMES, "As, 7h, Td, Kc")
cards_of, hand_of = card_names.cards_of, card_names.hand_of
card_name, hand_text, names_of, by_suit = NAMES.card_name, NAMES.hand_text, NAMES.names_of, NAMES.by_suit
read_card, read_cards = NAMES.read_card, NAMES.read_cards


def read_position(text: str, place: str) -> tuple[int, int, int]:
    """Both hands and the upcard of `HAND/HAND/UPCARD`."""
    parts = text.split("/")
    if len(parts) != 3:
        raise UserError(f"{place}: must be the two hands and the upcard, as As2s3s.../Kh.../5d")
    for words, wanted, what in ((parts[0], HAND, "a hand"), (parts[1], HAND, "a hand"), (parts[2], 1, "an upcard")):
        count = len(read_cards(words, place))
        if count != wanted:
            raise UserError(f"{place}: {words!r} has {count} card{'s' * (count != 1)}; {what} has {wanted}")
    whole = read_cards("".join(parts), place)
    return hand_of(whole[:HAND]), hand_of(whole[HAND : 2 * HAND]), whole[-1]
