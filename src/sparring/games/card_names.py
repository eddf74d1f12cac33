"""Cards and hands as text, for a deck of 52: `Qs` is the queen of spades, `Td` the ten of diamonds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sparring.errors import UserError
from sparring.games.deck import CARDS, RANKS, SUIT, SUITS
from sparring.games.view import plural

SUIT_NAMES, HIDDEN = "cdhs", "--"
GLYPHS = dict(zip(SUIT_NAMES, "♣♦♥♠", strict=True))


def card_text(name: str) -> str:
    """A card in a sentence: `Td` as 10♦."""
    return name.replace("T", "10")[:-1] + GLYPHS[name[-1]]


def cards_of(hand: int) -> list[int]:
    """The cards of a set, from clubs to spades and from the lowest rank to the highest."""
    whole = int(hand)
    return [card for card in range(CARDS) if whole >> card & 1]


def hand_of(cards: Iterable[int]) -> int:
    """Cards as a set."""
    return sum(1 << card for card in set(cards))


@dataclass(frozen=True)
class CardNames:
    """How one game names cards."""

    ranks: str  # from the lowest to the highest
    examples: str  # of cards, for error messages

    def card_name(self, card: int) -> str:
        return self.ranks[card % RANKS] + SUIT_NAMES[card // RANKS]

    def read_card(self, text: str, place: str) -> int:
        """A card from its name; error messages begin with `place`."""
        if len(text) != 2 or text[0].upper() not in self.ranks or text[1].lower() not in SUIT_NAMES:
            raise UserError(f"{place}: {text!r} is not a card; cards are like {self.examples}")
        return SUIT_NAMES.index(text[1].lower()) * RANKS + self.ranks.index(text[0].upper())

    def read_cards(self, text: str, place: str) -> list[int]:
        """Cards written without spaces, each at most once."""
        cards = [self.read_card(text[i : i + 2], place) for i in range(0, len(text), 2)]
        twice = next((card for card in cards if cards.count(card) > 1), None)
        if twice is not None:
            raise UserError(f"{place}: {self.card_name(twice)} is there twice")
        return cards

    def read_groups(self, text: str, place: str, groups: Sequence[tuple[str, int]], like: str) -> list[list[int]]:
        """Groups of cards separated by slashes, each with its name and size; no card is in two of them."""
        parts = text.split("/")
        if len(parts) != len(groups):
            raise UserError(f"{place}: must be {like}")
        for part, (name, size) in zip(parts, groups, strict=True):
            count = len(self.read_cards(part, place))
            if count != size:
                raise UserError(f"{place}: {part!r} has {plural(count, 'card')}; {name} has {size}")
        self.read_cards("".join(parts), place)
        return [self.read_cards(part, place) for part in parts]

    def hand_text(self, hand: int) -> str:
        return "".join(map(self.card_name, cards_of(hand)))

    def list_cards(self, cards: int) -> list[str]:
        """The names of a set of cards."""
        return list(map(self.card_name, cards_of(cards)))

    def list_hand(self, hand: int, seen: bool, known: int) -> list[str]:
        """The names of a hand's cards; -- for those of a hand that is not seen, except for known ones."""
        return self.list_cards(hand) if seen else self.list_cards(known) + [HIDDEN] * (hand & ~known).bit_count()

    def names_of(self, cards: Iterable[int]) -> str:
        """Cards separated by spaces: `5c 6c 7c`."""
        return " ".join(map(self.card_name, cards))

    def by_suit(self, cards: int) -> str:
        """Cards in short form: `6789Tc QKh`."""
        suits = [cards >> suit * RANKS & SUIT for suit in range(SUITS)]
        ranks = ["".join(name for rank, name in enumerate(self.ranks) if suit >> rank & 1) for suit in suits]
        return " ".join(found + name for found, name in zip(ranks, SUIT_NAMES, strict=True) if found)
