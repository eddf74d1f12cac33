"""Cards, hands and positions of gin rummy as text: `As` is the ace of spades, `Td` the ten of diamonds."""

from sparring.games import card_names
from sparring.games.gin.rules import HAND

RANK_NAMES = "A23456789TJQK"
NAMES = card_names.CardNames(RANK_NAMES, "As, 7h, Td, Kc")
cards_of, hand_of = card_names.cards_of, card_names.hand_of
card_name, hand_text, names_of, by_suit = NAMES.card_name, NAMES.hand_text, NAMES.names_of, NAMES.by_suit
read_card, read_cards, list_cards, list_hand = NAMES.read_card, NAMES.read_cards, NAMES.list_cards, NAMES.list_hand
POSITION = (("a hand", HAND), ("a hand", HAND), ("an upcard", 1))


def read_position(text: str, place: str) -> tuple[int, int, int]:
    """Both hands and the upcard of `HAND/HAND/UPCARD`."""
    like = "the two hands and the upcard, as As2s3s.../Kh.../5d"
    first, second, upcard = NAMES.read_groups(text, place, POSITION, like)
    return hand_of(first), hand_of(second), upcard[0]
