"""Cards and hands as text, for games with 52 cards: `Qs` is the queen of spades, `Td` the ten of diamonds."""

from collections.abc import Iterable
from dataclasses import dataclass

from sparring.errors import UserError
from sparring.games.deck import CARDS, RANKS, SUIT, SUITS

SUIT_NAMES = "cdhs"


def cards_of(hand: int) -> list[int]:
    """The cards of a hand, from clubs to spades and from the lowest rank to the highest."""
    whole = int(hand)
    return [card for card in range(CARDS) if whole >> card & 1]


def hand_of(cards: Iterable[int]) -> int:
    """Cards as the number that stands for them."""
    return sum(1 << card for card in set(cards))


@dataclass(frozen=True)
class CardNames:
    """The names of cards in one game."""

    ranks: str  # from the lowest to the highest
    examples: str  # for the error where a card is none

    def card_name(self, card: int) -> str:
        return self.ranks[card % RANKS] + SUIT_NAMES[card // RANKS]

    def read_card(self, text: str, place: str) -> int:
        """A card from its name; `place` begins the error where it is none."""
        if len(text) != 2 or text[0].upper() not in self.ranks or text[1].lower() not in SUIT_NAMES:
            raise UserError(f"{place}: {text!r} is no card; cards are like {self.examples}")
        return SUIT_NAMES.index(text[1].lower()) * RANKS + self.ranks.index(text[0].upper())

    def read_cards(self, text: str, place: str) -> list[int]:
        """Cards written one after another, each at most once."""
        cards = [self.read_card(text[i : i + 2], place) for i in range(0, len(text), 2)]
        twice = next((card for card in cards if cards.count(card) > 1), None)
        if twice is not None:
            raise UserError(f"{place}: {self.card_name(twice)} is there twice")
        return cards

    def hand_text(self, hand: int) -> str:
        return "".join(map(self.card_name, cards_of(hand)))

    def names_of(self, cards: Iterable[int]) -> str:
        """Cards one after another: `5c 6c 7c`."""
        return " ".join(map(self.card_name, cards))

    def by_suit(self, cards: int) -> str:
        """Many cards in little room: `6789Tc QKh`."""
        suits = [cards >> suit * RANKS & SUIT for suit in range(SUITS)]
        ranks = ["".join(name for rank, name in enumerate(self.ranks) if suit >> rank & 1) for suit in suits]
        return " ".join(found + name for found, name in zip(ranks, SUIT_NAMES, strict=True) if found)
