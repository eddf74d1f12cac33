"""The card table as text: four seats around it, the trick in the middle, hands sorted by suit as far as they may be seen."""

from collections.abc import Sequence

from sparring.games.hearts.cards import by_suit, card_name, cards_of, names_of
from sparring.games.hearts.table_svg import DIRECTIONS
from sparring.kernel.launch import SEATS

NAME_WIDTH = 16
NO_CARD = ".."
SIDE, MIDDLE = 26, 16  # the least width of the seat to the left, so that tables look alike; the width of the trick


def hand_words(hand: int) -> str:
    """A hand that may be seen: `27c KAd 3h QKs`."""
    return by_suit(int(hand)) or "no cards"


def hidden_words(count: int, known: int) -> str:
    """A hand that may not be seen, but for the cards that the viewer has passed to it."""
    return f"{count} card{'s' * (count != 1)}" + (f" with {names_of(cards_of(known))}" if known else "")


def short(name: str, limit: int = NAME_WIDTH) -> str:
    """A name that fits."""
    return name if len(name) <= limit else name[: limit - 3] + "..."


def points_words(score: int, points: int) -> str:
    """A seat's points before this round, and in it: `12 + 4 points`."""
    return f"{score} {'-' if points < 0 else '+'} {abs(points)} points"


def passes_words(direction: int, names: Sequence[str], passed: Sequence[Sequence[int]]) -> str:
    """What seats pass, as far as it may be seen: `passed left: seat 0 2c 3c 4c, seat 3 Qs Ks As`."""
    said = [f"{short(name)} {names_of(cards)}" for name, cards in zip(names, passed, strict=True) if cards]
    return f"passed {DIRECTIONS[direction]}: {', '.join(said)}" if said else ""


def table_text(
    head: str, titles: Sequence[str], hands: Sequence[str], trick: Sequence[int], mark: int, bottom: int = 0
) -> str:
    """A line about the table, then the table: the seat `bottom` below, the next to its left, and so on; `mark` is marked."""
    near, left, far, right = [(bottom + n) % SEATS for n in range(SEATS)]
    named = [f"{'>' if seat == mark else ' '} {title}" for seat, title in enumerate(titles)]
    lower = [f"  {hand}" for hand in hands]
    card = [card_name(card) if card >= 0 else NO_CARD for card in trick]
    width = max(SIDE, len(named[left]), len(lower[left]))
    inset = " " * (width + 2)
    rows = [
        inset + named[far],
        inset + lower[far],
        inset + f"{card[far]:^{MIDDLE}}",
        f"{named[left]:{width}}  {f'{card[left]}      {card[right]}':^{MIDDLE}}  {named[right]}",
        f"{lower[left]:{width}}  {card[near]:^{MIDDLE}}  {lower[right]}",
        inset + named[near],
        inset + lower[near],
    ]
    return "\n".join(row.rstrip() for row in [head, *rows])
