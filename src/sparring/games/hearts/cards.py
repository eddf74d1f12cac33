"""Cards, hands and deals of hearts as text: `Qs` is the queen of spades, `Td` the ten of diamonds."""

from sparring.games import card_names
from sparring.games.hearts.rules import HAND
from sparring.kernel.launch import SEATS

NAMES = card_names.CardNames("23456789TJQKA", "Qs, 7h, Td, 2c")
cards_of, hand_of = card_names.cards_of, card_names.hand_of
card_name, hand_text, names_of, by_suit = NAMES.card_name, NAMES.hand_text, NAMES.names_of, NAMES.by_suit
read_card, read_cards, list_cards, list_hand = NAMES.read_card, NAMES.read_cards, NAMES.list_cards, NAMES.list_hand


def read_deal(text: str, place: str) -> list[int]:
    """The four hands of `HAND/HAND/HAND/HAND`."""
    hands = NAMES.read_groups(text, place, [("a hand", HAND)] * SEATS, "four hands, as 2c3c.../...")
    return [hand_of(hand) for hand in hands]
