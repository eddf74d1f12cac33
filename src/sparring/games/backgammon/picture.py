"""The board as SVG.

Seat 0 has the light checkers; the near seat's home is at the lower right. On an interactive table the points, the bar and the
tray of the near seat can be clicked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sparring.games.backgammon.diagram import Board, pips
from sparring.games.backgammon.interaction import PARTS
from sparring.games.backgammon.notation import Dice, without
from sparring.games.backgammon.plays import BAR, HOME, OFF
from sparring.games.card_svg import read_svg, safe
from sparring.games.view import plural, shorten

RADIUS, POINT = 18, 50  # of a checker; the width of a point: the board is wide, as windows are
STACK, MIDDLE = 5, 56  # checkers drawn on a point; the gap between the upper and the lower points
EDGE, NAME, BAR_WIDTH, TRAY = 26, 36, 52, 58
HALF = 6 * POINT
DEPTH = STACK * 2 * RADIUS + 8  # of a point
TOP, BOTTOM = NAME + EDGE, NAME + EDGE + 2 * DEPTH + MIDDLE
LEFT, BAR_LEFT = 8, 8 + HALF
RIGHT, TRAY_LEFT = BAR_LEFT + BAR_WIDTH, BAR_LEFT + BAR_WIDTH + HALF + 8
WIDTH, HEIGHT = TRAY_LEFT + TRAY + 8, BOTTOM + EDGE + NAME
CENTRE = (TOP + BOTTOM) // 2

DARK_WOOD, SAND, RUST = "#523319", "#dcc79c", "#a9552f"
GOLD, IVORY, BLACK, PALE = "#ffcf4d", "#fffaf0", "#23262c", "#f3e6cf"
COLOURS = ((IVORY, "#8d8674", BLACK), (BLACK, "#8b919c", IVORY))  # of a seat's checkers: face, edge, number
LIGHT_DARK = ("light", "dark")
MIDDLE_BOLD = ' text-anchor="middle" font-weight="700"'
GROUND = read_svg(__file__, "board.svg")  # wood, felt, bar, trays and the 24 points
PIPS = {  # positions of a die's pips, in thirds from its centre
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class Look:
    """The board from one seat's side, and a turn on it."""

    board: Board
    names: Sequence[str]
    near: int  # the seat whose home is at the lower right
    counts: int  # the seat that numbers the points
    turn: int  # the seat that plays
    dice: tuple[int, ...] = ()
    left: tuple[int, ...] = ()  # dice not yet played
    fresh: tuple[int, ...] = ()  # the seat's points whose checkers have a gold edge
    over: str = ""  # the result of a finished game
    asked: str = ""  # what is to be decided instead of a play
    cube: tuple[int, int] | None = None  # its value and owner
    offer: int = 0  # the value of a cube that is offered
    points: tuple[int, int] | None = None  # in a match

    def point(self, seat: int, place: int) -> int:
        """A seat's point as the near seat numbers it."""
        return place if seat == self.near else BAR - place


def board_svg(
    board: Board,
    names: list[str],
    seat: int,
    dice: Dice | None = None,
    fresh: tuple[int, ...] = (),
    cube: tuple[int, int] | None = None,
) -> str:
    """The board from seat 0's side with the turn of `seat`: its dice, and a gold edge on checkers that have just moved."""
    look = Look(board, names, 0, seat, seat, dice or (), dice or (), fresh, cube=cube)
    places = [(owner, place) for owner in (0, 1) for place in range(BAR + 1)]
    drawn = [_number(look, point) for point in range(1, BAR)] + ["".join(_place(look, *place)) for place in places]
    turn = f"{names[seat]} rolled {dice[0]} and {dice[1]}" if dice else f"{names[seat]} begins"
    return _svg(look, "img", turn, "".join(drawn))


def table_svg(look: Look) -> str:
    """The board as an interactive table for the near seat."""
    mover = look.names[look.turn]
    turn = look.over or f"{mover} {look.asked or 'to play ' + ' and '.join(map(str, look.left or look.dice))}"
    parts = [_part(look, place) for place in range(BAR, -1, -1)]
    others = ["".join(_place(look, 1 - look.near, place)) for place in (BAR, OFF)]
    said, middle = (
        f"{shorten(mover, 16)} {look.asked or 'to play'}",
        _half(look.turn != look.near),
    )  # in the half without dice
    beside = _text(middle, CENTRE + 7, said, _fitting(said, HALF - 8, 19), PALE)
    return _svg(look, "group", turn, "".join([*parts, *others, _banner(look.over) if look.over else beside]))


def _svg(look: Look, role: str, turn: str, drawn: str) -> str:
    names = "".join(_name(look, seat) for seat in (0, 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}" '
        f'aria-label="{safe(_described(look, turn))}" font-family="system-ui, sans-serif">'
        f"{GROUND}{drawn}{names}{_dice(look)}{_cube(look)}</svg>"
    )


def _described(look: Look, turn: str) -> str:
    """The board in words, for screen readers."""
    sides = []
    for name, side in zip(look.names, look.board, strict=True):
        where = [f"{count} on {point}" for point, count in enumerate(side[1:BAR], 1) if count]
        where += [f"{count} {place}" for place, count in (("on the bar", side[BAR]), ("off", side[OFF])) if count]
        sides.append(f"{name}: {', '.join(where)}")
    return "; ".join([*sides, turn])


def _box(left: int, upper: int, width: int, height: int, colour: str, round_by: int = 0) -> str:
    rounded = f' rx="{round_by}"' if round_by else ""
    return f'<rect x="{left}" y="{upper}" width="{width}" height="{height}"{rounded} fill="{colour}"/>'


def _middle(point: int) -> int:
    """The x coordinate of a point of the near seat: 13 to 24 are above, 12 to 1 below."""
    column = point - 13 if point > 12 else 12 - point
    return (LEFT if column < HOME else RIGHT) + column % HOME * POINT + POINT // 2


def _number(look: Look, point: int) -> str:
    upper = TOP - 7 if point > 12 else BOTTOM + 20
    return _text(_middle(point), upper, str(look.point(look.counts, point)), 18, PALE)


def _text(x: int, y: int, text: str, size: int, colour: str, more: str = ' text-anchor="middle"') -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{more}>{safe(text)}</text>'


def _part(look: Look, place: int) -> str:
    """A clickable place of the near seat, with its checkers."""
    lying = [(look.near, place)] if place in (BAR, OFF) else [(look.near, place), (1 - look.near, BAR - place)]
    owner, there = next((there for there in lying if look.board[there[0]][there[1]]), lying[0])
    count = look.board[owner][there]
    said = f"{PARTS[place]}: {plural(count, f'{LIGHT_DARK[owner]} checker') if count else 'empty'}"
    *below, top = _place(look, owner, there) or [""]
    grip = f'<g data-grip="">{top}</g>' if owner == look.near and place != OFF and top else top
    return f'<g data-part="{PARTS[place]}" aria-label="{said}">{_bare(look, place)}{"".join(below)}{grip}</g>'


def _bare(look: Look, place: int) -> str:
    """A place without checkers; the whole column of a point can be clicked."""
    if place == OFF:
        return _box(TRAY_LEFT, BOTTOM - DEPTH, TRAY, DEPTH, DARK_WOOD, 6)
    if place == BAR:
        return _box(BAR_LEFT, CENTRE, BAR_WIDTH, BOTTOM - CENTRE, DARK_WOOD)
    left = _middle(place) - POINT // 2
    upper, base, tip = (
        (TOP - EDGE, TOP, TOP + DEPTH - 6) if place > 12 else (BOTTOM - DEPTH, BOTTOM, BOTTOM - DEPTH + 6)
    )
    triangle = f"M{left + 1} {base}h{POINT - 2}L{_middle(place)} {tip}Z"
    column = _box(left, upper, POINT, DEPTH + EDGE, "transparent")
    return f'{column}<path d="{triangle}" fill="{SAND if place % 2 else RUST}"/>{_number(look, place)}'


def _place(look: Look, owner: int, place: int) -> list[str]:
    """A seat's checkers on one of its places; those that have just moved are on top."""
    count = look.board[owner][place]
    if place == OFF:
        return list(_off(count, owner, owner == look.near))
    landed = look.fresh.count(place) if owner == look.turn else 0
    return _stack(count, owner, look.point(owner, place), place == BAR, owner == look.near, landed) if count else []


def _stack(count: int, owner: int, point: int, on_bar: bool, near: bool, landed: int) -> list[str]:
    """The checkers of one place from the edge inward, on the bar from the middle outward; at most five, then a number."""
    if on_bar:
        x, down = BAR_LEFT + BAR_WIDTH // 2, 1 if near else -1
        edge = CENTRE + down * (MIDDLE // 2 - 6)
    else:
        x, down = _middle(point), 1 if point > 12 else -1
        edge = TOP + 2 if point > 12 else BOTTOM - 2
    ys = [edge + down * (RADIUS + 2 * RADIUS * n) for n in range(min(count, STACK))]
    circles = [_checker(x, y, owner, n >= len(ys) - landed) for n, y in enumerate(ys)]
    if count > STACK:
        circles[-1] += _text(x, ys[-1] + 7, str(count), 20, COLOURS[owner][2], MIDDLE_BOLD)
    return circles


def _checker(x: int, y: int, owner: int, fresh: bool) -> str:
    face, edge, _ = COLOURS[owner]
    stroke = f'stroke="{GOLD}" stroke-width="4"' if fresh else f'stroke="{edge}" stroke-width="2"'
    return f'<circle cx="{x}" cy="{y}" r="{RADIUS - (2 if fresh else 1)}" fill="{face}" {stroke}/>'


def _off(count: int, owner: int, near: bool) -> Iterator[str]:
    """Checkers borne off, drawn edge-on in the tray."""
    face, edge, _ = COLOURS[owner]
    for n in range(count):
        upper = BOTTOM - 15 - 12 * n if near else TOP + 4 + 12 * n
        yield (
            f'<rect x="{TRAY_LEFT + 5}" y="{upper}" width="{TRAY - 10}" height="11" rx="2" fill="{face}" stroke="{edge}"/>'
        )
    if count:
        yield _text(TRAY_LEFT + TRAY // 2, BOTTOM + 20 if near else TOP - 7, f"{count} off", 16, PALE)


def _name(look: Look, seat: int) -> str:
    """A seat's name and pip count, above or below the board."""
    y = HEIGHT - 12 if seat == look.near else 26
    face, edge, _ = COLOURS[seat]
    marked = seat == look.turn and not look.over
    sign = f'<circle cx="{LEFT + 11}" cy="{y - 7}" r="9" fill="{face}" stroke="{edge}" stroke-width="2"/>'
    colour, weight = (GOLD, 700) if marked else ("#fff", 600)
    called = ("▸ " if marked else "") + shorten(look.names[seat], 36)
    called += f" ({look.points[seat]})" if look.points else ""
    name = _text(LEFT + 30, y, called, 20, colour, f' font-weight="{weight}"')
    return sign + name + _text(WIDTH - 12, y, plural(pips(look.board[seat]), "pip"), 18, PALE, ' text-anchor="end"')


def _dice(look: Look) -> str:
    """The dice in the mover's colour, on the right half for the near seat; dice already played are faint."""
    left, size, gap = look.left, 36, 46
    first = _half(look.turn == look.near) - gap * (len(look.dice) - 1) // 2
    drawn = ""
    for n, number in enumerate(look.dice):
        played = number not in left
        left = left if played else without(left, number)
        drawn += _die(number, first + gap * n, size, look.turn, played)
    return drawn


def _cube(look: Look) -> str:
    """The cube on the bar: in the middle, or on its owner's side; 64 stands for a cube that nobody has turned."""
    if look.cube is None:
        return ""
    value, owner = look.cube
    x, size = BAR_LEFT + BAR_WIDTH // 2, 32
    y = CENTRE if owner < 0 else BOTTOM - size // 2 - 2 if owner == look.near else TOP + size // 2 + 2
    if look.offer:
        value, x, y = look.offer, _half(look.turn == look.near), CENTRE
    words = str(value if value > 1 else 64)
    box = _box(x - size // 2, y - size // 2, size, size, IVORY, 6)
    return f'<g aria-label="cube {value}">{box}{_text(x, y + 6, words, _fitting(words, size - 2, 17), BLACK, MIDDLE_BOLD)}</g>'


def _half(right: bool) -> int:
    return (RIGHT if right else LEFT) + HALF // 2


def _die(number: int, x: int, size: int, seat: int, played: bool) -> str:
    face, edge, dot = COLOURS[seat]
    dots = "".join(f'<circle cx="{x + 10 * a}" cy="{CENTRE + 10 * b}" r="3.6"/>' for a, b in PIPS[number])
    square = f'x="{x - size // 2}" y="{CENTRE - size // 2}" width="{size}" height="{size}" rx="7"'
    faint = ' opacity=".35"' if played else ""
    return f'<g fill="{dot}"{faint}><rect {square} fill="{face}" stroke="{edge}" stroke-width="1.5"/>{dots}</g>'


def _banner(words: str) -> str:
    """Words across the middle of the board."""
    left, width = LEFT + 10, RIGHT + HALF - LEFT - 20
    size = _fitting(words, width - 20, 21)
    edge, box = _box(left, CENTRE - 20, width, 40, GOLD, 10), _box(left + 2, CENTRE - 18, width - 4, 36, BLACK, 8)
    return edge + box + _text(left + width // 2, CENTRE + 7, words, size, GOLD, MIDDLE_BOLD)


def _fitting(words: str, width: int, size: int) -> int:
    """The largest font size, up to `size`, at which the words fit the width."""
    return min(size, int(width / (0.64 * len(words))))
