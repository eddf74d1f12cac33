"""Hearts states as text: four seats around the trick, with their hands as far as they may be seen."""

from collections.abc import Sequence
from typing import Any

from sparring.games.card_table import sees
from sparring.games.hearts.cards import by_suit, card_name, cards_of, hand_of, names_of
from sparring.games.hearts.plain_rules import DIRECTIONS, points_taken, receiver
from sparring.games.hearts.rules import ACROSS, NONE, PLAY, TRICKS
from sparring.games.view import plural, shorten
from sparring.kernel.launch import SEATS

Words = Sequence[str]
NAME_WIDTH = 16
NO_CARD = ".."
SIDE, MIDDLE = 26, 16  # the least width of the seat to the left, and the width of the trick


def hand_words(hand: int) -> str:
    """A hand that may be seen: `27c KAd 3h QKs`."""
    return by_suit(int(hand)) or "no cards"


def hidden_words(count: int, known: int) -> str:
    """A hand that may not be seen, except for the cards that the viewer has passed to it."""
    return plural(count, "card") + (f" with {names_of(cards_of(known))}" if known else "")


def points_words(score: int, points: int) -> str:
    """A seat's points before this round, and in it: `12 + 4 points`."""
    return f"{score} {'-' if points < 0 else '+'} {abs(points)} points"


def way_words(direction: int) -> str:
    """A passing direction: `to the left`, `across`."""
    return DIRECTIONS[direction] if direction == ACROSS else f"to the {DIRECTIONS[direction]}"


def passes_words(direction: int, names: Sequence[str], passed: Sequence[Sequence[int]]) -> str:
    """The passes that may be seen: `passed left: seat 0 2c 3c 4c, seat 3 Qs Ks As`."""
    both = zip(names, passed, strict=True)
    said = [f"{shorten(name, NAME_WIDTH)} {names_of(cards)}" for name, cards in both if cards]
    return f"passed {DIRECTIONS[direction]}: {', '.join(said)}" if said else ""


def table_text(head: str, titles: Words, hands: Words, trick: Sequence[int], mark: int, bottom: int = 0) -> str:
    """A heading and the table: the seat `bottom` below, the next to its left, and so on; the seat `mark` is marked."""
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


# Facts about a state.


def sees_passed(s: Any, seat: int | None, giver: int) -> bool:
    """Whether a seat may see the cards that another passes."""
    return sees(s, seat, giver) or receives(s, seat, giver)


def receives(s: Any, seat: int | None, giver: int) -> bool:
    """Whether a seat has received another's cards in this round."""
    return s["phase"] == PLAY and s["direction"] != NONE and receiver(giver, int(s["direction"])) == seat


def received(s: Any, seat: int) -> int:
    """The cards passed to a seat, after all seats have chosen."""
    return next((int(s["passed"][giver]) for giver in range(SEATS) if receives(s, seat, giver)), 0)


def known_cards(s: Any, seat: int | None, whose: int) -> int:
    """The cards of another hand that a seat knows because it has passed them."""
    if seat is None or seat < 0 or not receives(s, whose, seat):
        return 0
    return int(s["passed"][seat] & s["hand"][whose])


def round_number(s: Any) -> int:
    """The number of the round being played, or of the last one, from 1."""
    return int(s["round"]) + int(not s["over"])


def trick_number(s: Any) -> int:
    """The number of the trick being played, or of the last one, from 1."""
    return min(int(s["number"]) + 1, TRICKS)


def last_trick_points(s: Any) -> str:
    """The points of the last trick: ` with 5 points`, or nothing."""
    points = points_taken(hand_of(s["last_trick"].tolist()), s["rules"])
    return f" with {plural(points, 'point')}" if points else ""


def points_so_far(s: Any) -> list[tuple[int, int]]:
    """Each seat's score before this round, and its points in this round; at the end of a game all points are in the score."""
    scores, won = s["tally"]["score"].tolist(), s["won"].tolist()
    points = [0 if s["over"] else points_taken(cards, s["rules"]) for cards in won]
    return list(zip(scores, points, strict=True))
