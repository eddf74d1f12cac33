"""Golf cards and hands as text, and as the names of card faces."""

from typing import Any

from sparring.games import card_svg
from sparring.games.golf.rules import COLUMNS, JOKER

VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "♣♥♠♦"
FACE_RANKS, FACE_SUITS = "A23456789TJQK", "chsd"  # names of faces, in the order of the rules
HIDDEN = "--"
PLACE_WORDS = ("top left", "top middle", "top right", "bottom left", "bottom middle", "bottom right")


def card_name(card: int) -> str:
    """A card as people write it; a face-down card is --."""
    if card < 0:
        return HIDDEN
    return f"{VALUES[card % 13]}{SUITS[card // 13]}" if card < JOKER else "Jo"


def card_words(card: int) -> str:
    """A card in a sentence: `8♦`, `a joker`."""
    return "a joker" if card >= JOKER else card_name(card)


def replaced(thrown: str, place: int, drawn: str) -> str:
    """What a card that goes into the hand does: `{replace} 8♦ (top left) with 2♠`."""
    return f"{{replace}} {thrown} ({PLACE_WORDS[place]}) with {drawn}"


def face_name(card: int) -> str:
    """The name of a card's face: `7h`, and `*j` for a joker."""
    return FACE_RANKS[card % 13] + FACE_SUITS[card // 13] if card < JOKER else "*" + card_svg.JOKER


def shown_hands(s: Any) -> list[list[int]]:
    """Every seat's cards, -1 where face down: golf hides the same cards from everyone."""
    return [
        [int(card) if up else -1 for card, up in zip(hand, ups, strict=True)]
        for hand, ups in zip(s["hand"][: int(s["seats"])], s["up"], strict=False)
    ]


def grid(hands: list[list[int]], names: list[str], mark: int) -> str:
    """Hands side by side, two rows of three cards each; the seat `mark` is marked."""
    width = max(16, *(len(name) + 4 for name in names))
    rows = ["".join(f"{'>' if seat == mark else ' '} {name}".ljust(width) for seat, name in enumerate(names))]
    for first in (0, COLUMNS):
        cells = (" ".join(card_name(card).ljust(3) for card in hand[first : first + COLUMNS]) for hand in hands)
        rows.append("".join("  " + cell.ljust(width - 2) for cell in cells))
    return "\n".join(row.rstrip() for row in rows)
