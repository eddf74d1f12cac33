"""The backgammon board as a picture: an SVG for pages, drawn here, nothing fetched from elsewhere.

Seat 0 has the light checkers and its home below on the right; seat 1 moves the other way. The points are numbered as the
seat counts them whose turn is shown.
"""

from collections.abc import Iterator
from html import escape

from sparring.games.backgammon.diagram import Board, pips_text, short
from sparring.games.backgammon.notation import Dice
from sparring.games.backgammon.rules import BAR, HOME, OFF

RADIUS, POINT = 18, 42  # of a checker; the width of a point
STACK, MIDDLE = 5, 56  # checkers drawn on a point; the room between the upper and the lower points
EDGE, NAME, BAR_WIDTH, TRAY = 26, 34, 48, 50
HALF = 6 * POINT
DEPTH = STACK * 2 * RADIUS + 8  # of a point
TOP, BOTTOM = NAME + EDGE, NAME + EDGE + 2 * DEPTH + MIDDLE
LEFT, BAR_LEFT = 14, 14 + HALF
RIGHT, TRAY_LEFT = BAR_LEFT + BAR_WIDTH, BAR_LEFT + BAR_WIDTH + HALF + 12
WIDTH, HEIGHT = TRAY_LEFT + TRAY + 14, BOTTOM + EDGE + NAME

WOOD, DARK_WOOD, FELT, SAND, RUST = "#6b4527", "#523319", "#2c5f4a", "#dcc79c", "#a9552f"
GOLD, IVORY, BLACK = "#ffcf4d", "#fffaf0", "#23262c"
COLOURS = ((IVORY, "#8d8674", BLACK), (BLACK, "#8b919c", IVORY))  # of a seat's checkers: face, edge, number on it
PIPS = {  # where a die's pips are, in thirds from its middle
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def board_svg(board: Board, names: list[str], seat: int, dice: Dice | None = None, fresh: tuple[int, ...] = ()) -> str:
    """The board, with the turn of `seat` on it: its dice, and a gold edge on its checkers that have just landed."""
    parts = [
        _ground(),
        *_numbers(seat),
        *_checkers(board, seat, fresh),
        *_off(board),
        *(_name(board, names, n, n == seat) for n in (0, 1)),
        _dice(dice, seat) if dice else "",
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(_described(board, names, seat, dice))}" font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def _described(board: Board, names: list[str], seat: int, dice: Dice | None) -> str:
    """The board for those who hear it."""
    sides = []
    for name, side in zip(names, board, strict=True):
        where = [f"{count} on {point}" for point, count in enumerate(side[1:BAR], 1) if count]
        where += [f"{count} {place}" for place, count in (("on the bar", side[BAR]), ("off", side[OFF])) if count]
        sides.append(f"{name}: {', '.join(where)}")
    return "; ".join([*sides, f"{names[seat]} rolled {dice[0]} and {dice[1]}" if dice else f"{names[seat]} begins"])


def _ground() -> str:
    """Wood, felt, bar, trays and the 24 points."""
    height = BOTTOM - TOP
    felt = "".join(_box(left, TOP, HALF, height, FELT) for left in (LEFT, RIGHT))
    trays = "".join(_box(TRAY_LEFT, upper, TRAY, DEPTH, DARK_WOOD, 6) for upper in (TOP, BOTTOM - DEPTH))
    sand = "".join(_triangle(point) for point in range(1, BAR) if point % 2)
    rust = "".join(_triangle(point) for point in range(1, BAR) if point % 2 == 0)
    return (
        f"{_box(0, 0, WIDTH, HEIGHT, WOOD, 14)}{_box(BAR_LEFT, TOP, BAR_WIDTH, height, DARK_WOOD)}{felt}{trays}"
        f'<path d="{sand}" fill="{SAND}"/><path d="{rust}" fill="{RUST}"/>'
    )


def _box(left: int, upper: int, width: int, height: int, colour: str, round_by: int = 0) -> str:
    rounded = f' rx="{round_by}"' if round_by else ""
    return f'<rect x="{left}" y="{upper}" width="{width}" height="{height}"{rounded} fill="{colour}"/>'


def _middle(point: int) -> int:
    """Where a point of seat 0 is, from the left: 13 to 24 above, 12 to 1 below."""
    column = point - 13 if point > 12 else 12 - point
    return (LEFT if column < HOME else RIGHT) + column % HOME * POINT + POINT // 2


def _triangle(point: int) -> str:
    base, tip = (TOP, TOP + DEPTH - 6) if point > 12 else (BOTTOM, BOTTOM - DEPTH + 6)
    return f"M{_middle(point) - POINT // 2 + 1} {base}h{POINT - 2}L{_middle(point)} {tip}Z"


def _numbers(seat: int) -> Iterator[str]:
    for point in range(1, BAR):
        upper = TOP - 8 if point > 12 else BOTTOM + 18
        yield _text(_middle(point), upper, str(point if seat == 0 else BAR - point), 13, "#f3e6cf")


def _text(x: int, y: int, text: str, size: int, colour: str, more: str = ' text-anchor="middle"') -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{more}>{escape(text)}</text>'


def _checkers(board: Board, seat: int, fresh: tuple[int, ...]) -> Iterator[str]:
    """All checkers on points and on the bar; those that landed last lie on top."""
    for owner in (0, 1):
        for place in range(1, BAR + 1):
            landed = fresh.count(place) if owner == seat else 0
            if board[owner][place]:
                yield _stack(board[owner][place], owner, place, landed)


def _stack(count: int, owner: int, place: int, landed: int) -> str:
    """The checkers of one place from the edge inward, on the bar from its middle outward; at most five, then a number."""
    point = place if owner == 0 else BAR - place
    if place == BAR:
        x, down = BAR_LEFT + BAR_WIDTH // 2, 1 if owner == 0 else -1
        edge = (TOP + BOTTOM) // 2 + down * (MIDDLE // 2 - 2 * RADIUS + 10)
    else:
        x, down = _middle(point), 1 if point > 12 else -1
        edge = TOP + 2 if point > 12 else BOTTOM - 2
    shown = min(count, STACK)
    ys = [edge + down * (RADIUS + 2 * RADIUS * n) for n in range(shown)]
    circles = "".join(_checker(x, y, owner, n >= shown - landed) for n, y in enumerate(ys))
    number = _text(x, ys[-1] + 6, str(count), 17, COLOURS[owner][2], ' text-anchor="middle" font-weight="700"')
    return circles + (number if count > STACK else "")


def _checker(x: int, y: int, owner: int, fresh: bool) -> str:
    face, edge, _ = COLOURS[owner]
    stroke = f'stroke="{GOLD}" stroke-width="4"' if fresh else f'stroke="{edge}" stroke-width="2"'
    return f'<circle cx="{x}" cy="{y}" r="{RADIUS - (2 if fresh else 1)}" fill="{face}" {stroke}/>'


def _off(board: Board) -> Iterator[str]:
    """Checkers borne off, seen from their side, in the tray at their home."""
    for owner, side in enumerate(board):
        face, edge, _ = COLOURS[owner]
        base, down = (BOTTOM - 4, -1) if owner == 0 else (TOP + 4, 1)
        for n in range(side[OFF]):
            upper = base + down * 12 * n - (11 if down < 0 else 0)
            yield (
                f'<rect x="{TRAY_LEFT + 5}" y="{upper}" width="{TRAY - 10}" height="11" rx="2" fill="{face}" stroke="{edge}"/>'
            )
        if side[OFF]:
            upper = BOTTOM + 18 if owner == 0 else TOP - 8
            yield _text(TRAY_LEFT + TRAY // 2, upper, f"{side[OFF]} off", 13, "#f3e6cf")


def _name(board: Board, names: list[str], seat: int, marked: bool) -> str:
    """A seat's name and pip count, above or below its side of the board."""
    y = HEIGHT - 12 if seat == 0 else 26
    face, edge, _ = COLOURS[seat]
    sign = f'<circle cx="{LEFT + 9}" cy="{y - 6}" r="8" fill="{face}" stroke="{edge}" stroke-width="2"/>'
    colour, weight = (GOLD, 700) if marked else ("#fff", 600)
    name = _text(
        LEFT + 26, y, ("▸ " if marked else "") + short(names[seat], 40), 17, colour, f' font-weight="{weight}"'
    )
    return sign + name + _text(WIDTH - 14, y, pips_text(board[seat]), 15, "#f3e6cf", ' text-anchor="end"')


def _dice(dice: Dice, seat: int) -> str:
    """The dice in the middle of one half, on the right for seat 0 and on the left for seat 1, in its colour."""
    face, edge, dot = COLOURS[seat]
    x, y, size = (RIGHT if seat == 0 else LEFT) + HALF // 2, (TOP + BOTTOM) // 2, 36
    drawn = ""
    for number, middle in zip(dice, (x - 23, x + 23), strict=True):
        dots = "".join(f'<circle cx="{middle + 10 * a}" cy="{y + 10 * b}" r="3.6"/>' for a, b in PIPS[number])
        square = f'x="{middle - size // 2}" y="{y - size // 2}" width="{size}" height="{size}" rx="7"'
        drawn += f'<rect {square} fill="{face}" stroke="{edge}" stroke-width="1.5"/><g fill="{dot}">{dots}</g>'
    return drawn
