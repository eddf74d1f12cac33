"""The hearts table as a picture: an SVG for pages. All hands lie open; seat 0 sits below, seat 1 to its left, and so on."""

from collections.abc import Callable, Sequence

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.deck import RANKS, SUITS
from sparring.games.hearts.cards import card_name, cards_of, names_of
from sparring.games.hearts.diagram import hand_words, points_words
from sparring.games.hearts.notation import way_words
from sparring.games.hearts.replay import Scene
from sparring.games.hearts.table_svg import NOBODY
from sparring.kernel.launch import SEATS

SCALE = 0.72  # of cards in hands
SMALL_WIDTH, SMALL_HEIGHT = round(CARD_WIDTH * SCALE), round(CARD_HEIGHT * SCALE)
STEP, SUIT_GAP, ROW_GAP = SMALL_WIDTH + 3, 8, 6
PAD, NAME_HEIGHT, FOOT_HEIGHT, MARGIN = 10, 28, 20, 14
LONG_WIDTH, SIDE_WIDTH = 13 * STEP + 3 * SUIT_GAP + 2 * PAD, 7 * STEP + SUIT_GAP + 2 * PAD
ROWS = (
    (range(SUITS),),
    (range(2), range(2, SUITS)),
)  # the suits of each row of cards, in long panels and in those at the sides
TRICK_GAP, TRICK_WIDTH = 10, 3 * CARD_WIDTH + 4 * 10
WIDTH = 2 * SIDE_WIDTH + TRICK_WIDTH + 4 * MARGIN


def _height(rows: int) -> int:
    return 2 * PAD + NAME_HEIGHT + rows * (SMALL_HEIGHT + ROW_GAP) + FOOT_HEIGHT


LONG_HEIGHT, SIDE_HEIGHT = _height(1), _height(2)
HEIGHT = 2 * LONG_HEIGHT + SIDE_HEIGHT + 4 * MARGIN
SIDE_UPPER, LONG_LEFT = LONG_HEIGHT + 2 * MARGIN, (WIDTH - LONG_WIDTH) // 2
# Each seat's panel, from seat 0 below: left, upper, whether it is at a side.
PANELS = (
    (LONG_LEFT, HEIGHT - MARGIN - LONG_HEIGHT, False),
    (MARGIN, SIDE_UPPER, True),
    (LONG_LEFT, MARGIN, False),
    (WIDTH - MARGIN - SIDE_WIDTH, SIDE_UPPER, True),
)


def table_svg(scene: Scene, names: list[str]) -> str:
    """The table after a card or a pass; the cards that it was about have a gold edge."""
    seats = "".join(_seat(scene, seat, names[seat]) for seat in range(SEATS))
    return card_svg.svg(WIDTH, HEIGHT, _described(scene, names), seats + _trick(scene))


def _described(scene: Scene, names: list[str]) -> str:
    """The table for those who hear it."""
    seats = [
        f"{name}, {points_words(*points)}: {hand_words(hand)}"
        for name, hand, *points in zip(names, scene.hands, scene.score, scene.points, strict=True)
    ]
    lying = [f"{name} {card_name(card)}" for name, card in zip(names, scene.trick, strict=True) if card >= 0]
    turn = [f"{names[scene.seat]} to move"] if scene.seat != NOBODY else []
    return "; ".join([*seats, *([f"trick: {', '.join(lying)}"] if lying else []), *turn])


def _seat(scene: Scene, seat: int, name: str) -> str:
    """A seat's name, its points, its cards by suit, and what it has passed."""
    left, upper, at_side = PANELS[seat]
    width, height = (SIDE_WIDTH, SIDE_HEIGHT) if at_side else (LONG_WIDTH, LONG_HEIGHT)
    marked = seat == scene.seat
    drawn = [card_svg.name_label(name, PAD, PAD + 14, marked, 14 if at_side else 44)]
    drawn.append(card_svg.words(points_words(scene.score[seat], scene.points[seat]), width - PAD, PAD + 14, "end", 15))
    for number, suits in enumerate(ROWS[at_side]):
        row = [card for card in cards_of(scene.hands[seat]) if card // RANKS in suits]
        drawn.append(
            _row(row, PAD, PAD + NAME_HEIGHT + number * (SMALL_HEIGHT + ROW_GAP), width - 2 * PAD, scene.fresh)
        )
    if scene.passed and scene.passed[seat]:
        said = f"passed {way_words(scene.direction)}: {names_of(scene.passed[seat])}"
        drawn.append(card_svg.words(said, PAD, height - PAD - 2, "start", 13))
    return card_svg.panel(left, upper, width, height, marked, "".join(drawn))


def _row(cards: Sequence[int], left: int, upper: int, width: int, fresh: int) -> str:
    """Cards in a row, with a gap between suits; many lie closer."""
    gaps = [
        sum(a // RANKS != b // RANKS for a, b in zip(cards[:n], cards[1 : n + 1], strict=True))
        for n in range(len(cards))
    ]
    scratch = width - SMALL_WIDTH - SUIT_GAP * (gaps[-1] if gaps else 0)
    step = min(STEP, scratch / max(len(cards) - 1, 1))
    return "".join(
        card_svg.scaled(left + n * step + SUIT_GAP * gaps[n], upper, SCALE, _card(card, fresh, card_svg.small))
        for n, card in enumerate(cards)
    )


def _card(card: int, fresh: int, face: Callable[[str], str] = card_svg.named) -> str:
    return card_svg.card(0, 0, face(card_name(card)), bool(fresh >> card & 1))


def _trick(scene: Scene) -> str:
    """The trick in the middle, each card on its seat's side."""
    middle, upper = (WIDTH - CARD_WIDTH) // 2, SIDE_UPPER + (SIDE_HEIGHT - CARD_HEIGHT) // 2
    aside, away = CARD_WIDTH + TRICK_GAP, (CARD_HEIGHT + TRICK_GAP) // 2
    places = ((0, away), (-aside, 0), (0, -away), (aside, 0))
    return "".join(
        f'<g transform="translate({middle + across} {upper + down})">'
        f"{_card(card, scene.fresh) if card >= 0 else card_svg.outline(0)}</g>"
        for card, (across, down) in zip(scene.trick, places, strict=True)
    )
