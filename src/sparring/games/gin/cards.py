"""Cards, hands and positions of gin rummy as text: `As` is the ace of spades, `Td` the ten of diamonds."""

from collections.abc import Iterable

from sparring.errors import UserError
from sparring.games.gin.melds import CARDS, RANKS
from sparring.games.gin.rules import HAND

RANK_NAMES, SUIT_NAMES = "A23456789TJQK", "cdhs"


def card_name(card: int) -> str:
    return RANK_NAMES[card % RANKS] + SUIT_NAMES[card // RANKS]


def read_card(text: str, place: str) -> int:
    """A card from its name; `place` begins the error where it is none."""
    if len(text) != 2 or text[0].upper() not in RANK_NAMES or text[1].lower() not in SUIT_NAMES:
        raise UserError(f"{place}: {text!r} is no card; cards are like As, 7h, Td, Kc")
    return SUIT_NAMES.index(text[1].lower()) * RANKS + RANK_NAMES.index(text[0].upper())


def cards_of(hand: int) -> list[int]:
    """The cards of a hand, from clubs to spades and from ace to king."""
    whole = int(hand)
    return [card for card in range(CARDS) if whole >> card & 1]


def hand_of(cards: Iterable[int]) -> int:
    """Cards as the number that stands for them."""
    return sum(1 << card for card in set(cards))


def hand_text(hand: int) -> str:
    return "".join(map(card_name, cards_of(hand)))


def read_cards(text: str, place: str) -> list[int]:
    """Cards written one after another, each at most once."""
    cards = [read_card(text[i : i + 2], place) for i in range(0, len(text), 2)]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise UserError(f"{place}: {card_name(twice)} is there twice")
    return cards


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
