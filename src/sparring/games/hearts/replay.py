"""Recorded games of hearts shown card by card, as text and as SVG; all hands lie open.

Seat 0 is below, seat 1 to its left, and so on.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.card_table import points_text
from sparring.games.deck import RANKS, SUITS
from sparring.games.hearts.cards import card_name, cards_of, hand_of, names_of
from sparring.games.hearts.diagram import NAME_WIDTH, hand_words, passes_words, points_words, table_text, way_words
from sparring.games.hearts.game_record import HeartsRecord, result_text
from sparring.games.hearts.plain_rules import NOBODY, Table, points_taken, receiver
from sparring.games.hearts.rules import NONE
from sparring.games.view import plural, shorten
from sparring.kernel.launch import SEATS

SCALE = 0.72  # of cards in hands
SMALL_WIDTH, SMALL_HEIGHT = round(CARD_WIDTH * SCALE), round(CARD_HEIGHT * SCALE)
STEP, SUIT_GAP, ROW_GAP = SMALL_WIDTH + 3, 8, 6
PAD, NAME_HEIGHT, FOOT_HEIGHT, MARGIN = 10, 28, 20, 14
LONG_WIDTH, SIDE_WIDTH = 13 * STEP + 3 * SUIT_GAP + 2 * PAD, 7 * STEP + SUIT_GAP + 2 * PAD
ROWS = (range(SUITS),), (range(2), range(2, SUITS))  # the suits of each row of cards: in long panels, at the sides
TRICK_GAP, TRICK_WIDTH = 10, 3 * CARD_WIDTH + 4 * 10
WIDTH = 2 * SIDE_WIDTH + TRICK_WIDTH + 4 * MARGIN


def _height(rows: int) -> int:
    return 2 * PAD + NAME_HEIGHT + rows * (SMALL_HEIGHT + ROW_GAP) + FOOT_HEIGHT


LONG_HEIGHT, SIDE_HEIGHT = _height(1), _height(2)
HEIGHT = 2 * LONG_HEIGHT + SIDE_HEIGHT + 4 * MARGIN
SIDE_UPPER, LONG_LEFT = LONG_HEIGHT + 2 * MARGIN, (WIDTH - LONG_WIDTH) // 2
# Each seat's panel: left, upper, whether it is at a side.
PANELS = (
    (LONG_LEFT, HEIGHT - MARGIN - LONG_HEIGHT, False),
    (MARGIN, SIDE_UPPER, True),
    (LONG_LEFT, MARGIN, False),
    (WIDTH - MARGIN - SIDE_WIDTH, SIDE_UPPER, True),
)


Cards = tuple[int, ...]  # or points: one number for each card or seat


class Scene(NamedTuple):
    """The table after a card or a pass, and what happened."""

    said: str
    hands: Cards
    trick: Cards  # each seat's card, or -1; a complete trick is still shown
    seat: int  # to move, or NOBODY
    points: Cards  # of each seat in this round so far
    score: Cards  # before it
    direction: int
    passed: tuple[Cards, ...]  # by each seat so far
    fresh: int  # the cards just passed, received or played

    def text(self, names: Sequence[str]) -> str:
        titles = [
            f"{shorten(name, NAME_WIDTH)}   {points_words(score, points)}"
            for name, score, points in zip(names, self.score, self.points, strict=True)
        ]
        hands = [hand_words(hand) for hand in self.hands]
        passed = passes_words(self.direction, names, self.passed) if self.passed and self.direction != NONE else ""
        return "\n".join(filter(None, [table_text(self.said, titles, hands, self.trick, self.seat), passed]))

    def svg(self, names: Sequence[str]) -> str:
        """The cards just passed, received or played have a gold edge."""
        seats = "".join(_seat(self, seat, names[seat]) for seat in range(SEATS))
        return card_svg.svg(WIDTH, HEIGHT, _described(self, names), seats + _trick(self))


def scenes(record: HeartsRecord, names: list[str], first: bool) -> Iterator[Scene]:
    """The rounds of a game, or the first."""
    for number in range(1 if first else len(record.deals)):
        yield from round_scenes(record, number, names)


def round_scenes(record: HeartsRecord, number: int, names: list[str]) -> Iterator[Scene]:
    """One round as it is dealt, after each pass and after each card; the last scene has the result and the score."""
    played, title = record.deals[number], f"round {number + 1}"
    table = Table.of(played.dealt, number, record.rules)
    points = [end.result().points for end in record.ends[: number + 1]]
    score = tuple(sum(each) for each in zip([0] * SEATS, *points[:-1], strict=True))

    def scene(said: str, passed: tuple[Cards, ...], fresh: int = 0) -> Scene:
        taken = tuple(points_taken(cards, table.rules) for cards in table.won)
        hands, trick = tuple(table.hands), tuple(table.trick)
        return Scene(title + said, hands, trick, table.turn, taken, score, table.direction, passed, fresh)

    if played.passed:
        yield scene(f": three cards are passed {way_words(table.direction)}", ())
        for seat, cards in enumerate(played.passed):
            shown = tuple(given if giver <= seat else () for giver, given in enumerate(played.passed))
            to = names[receiver(seat, table.direction)]
            yield scene(f": {names[seat]} passes {names_of(cards)} to {to}", shown, hand_of(cards))
        table.exchange(played.passed)
    passing = "the" if played.passed else "no"
    got = sum(hand_of(cards) for cards in played.passed)
    yield scene(f": {passing} cards are passed; {names[table.turn]} begins with 2c", played.passed, got)
    for card in played.played:
        seat, trick = table.turn, list(table.trick)
        trick[seat] = card
        does = "leads" if seat == table.leader else "plays"
        said = f", trick {table.number + 1}: {names[seat]} {does} {card_name(card)}"
        taker = table.play(card)
        if taker != NOBODY:
            won = points_taken(hand_of(trick), table.rules)
            said += f"; {names[taker]} takes the trick" + (f" and {plural(won, 'point')}" if won else "")
        if table.over:
            after = [a + b for a, b in zip(score, points[-1], strict=True)]
            said += f"; {result_text(record.ends[number].result(), names)}"
            said += f"; so far {points_text(names, after)}" if number else ""
        yield scene(said, played.passed, 1 << card)._replace(trick=tuple(trick))


# Drawing.


def _described(scene: Scene, names: Sequence[str]) -> str:
    """The table for screen readers."""
    seats = [
        f"{name}, {points_words(*points)}: {hand_words(hand)}"
        for name, hand, *points in zip(names, scene.hands, scene.score, scene.points, strict=True)
    ]
    lying = [f"{name} {card_name(card)}" for name, card in zip(names, scene.trick, strict=True) if card >= 0]
    turn = [f"{names[scene.seat]} to move"] if scene.seat != NOBODY else []
    return "; ".join([*seats, *([f"trick: {', '.join(lying)}"] if lying else []), *turn])


def _seat(scene: Scene, seat: int, name: str) -> str:
    """A seat's name, points, cards by suit, and the cards it has passed."""
    left, upper, at_side = PANELS[seat]
    width, height = (SIDE_WIDTH, SIDE_HEIGHT) if at_side else (LONG_WIDTH, LONG_HEIGHT)
    marked = seat == scene.seat
    drawn = [card_svg.name_label(name, PAD, PAD + 14, marked, 14 if at_side else 44)]
    drawn.append(card_svg.words(points_words(scene.score[seat], scene.points[seat]), width - PAD, PAD + 14, "end", 15))
    for number, suits in enumerate(ROWS[at_side]):
        row = [card for card in cards_of(scene.hands[seat]) if card // RANKS in suits]
        down = PAD + NAME_HEIGHT + number * (SMALL_HEIGHT + ROW_GAP)
        drawn.append(_row(row, PAD, down, width - 2 * PAD, scene.fresh))
    if scene.passed and scene.passed[seat]:
        said = f"passed {way_words(scene.direction)}: {names_of(scene.passed[seat])}"
        drawn.append(card_svg.words(said, PAD, height - PAD - 2, "start", 13))
    return card_svg.panel(left, upper, width, height, marked, "".join(drawn))


def _row(cards: Sequence[int], left: int, upper: int, width: int, fresh: int) -> str:
    """Cards in a row, with a gap between suits; many cards overlap."""
    suits = [card // RANKS for card in cards]
    gaps = [len(set(suits[: n + 1])) - 1 for n in range(len(cards))]
    space = width - SMALL_WIDTH - SUIT_GAP * (gaps[-1] if gaps else 0)
    step = min(STEP, space / max(len(cards) - 1, 1))
    return "".join(
        card_svg.scaled(left + n * step + SUIT_GAP * gaps[n], upper, SCALE, _card(card, fresh, card_svg.small))
        for n, card in enumerate(cards)
    )


def _card(card: int, fresh: int, face: Callable[[str], str] = card_svg.named) -> str:
    return card_svg.card(0, 0, face(card_name(card)), bool(fresh >> card & 1))


def _trick(scene: Scene) -> str:
    """The trick in the middle, each card on the side of its seat."""
    middle, upper = (WIDTH - CARD_WIDTH) // 2, SIDE_UPPER + (SIDE_HEIGHT - CARD_HEIGHT) // 2
    aside, away = CARD_WIDTH + TRICK_GAP, (CARD_HEIGHT + TRICK_GAP) // 2
    places = ((0, away), (-aside, 0), (0, -away), (aside, 0))
    return "".join(
        f'<g transform="translate({middle + across} {upper + down})">'
        f"{_card(card, scene.fresh) if card >= 0 else card_svg.outline(0)}</g>"
        for card, (across, down) in zip(scene.trick, places, strict=True)
    )
