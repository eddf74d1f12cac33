"""The board as text, drawn as GNU Backgammon draws it: 43 columns, and beside it who plays and how far they are."""

from sparring.games.backgammon.rules import BAR, OFF

SIGNS = "XO"  # of seats 0 and 1
ROWS = 5  # checkers drawn on a point; where more lie there, the innermost is their number
NAME_WIDTH = 22  # the whole diagram is then at most 80 columns wide

Board = list[list[int]]  # each seat's 26 places, from its own side


def pips(side: list[int]) -> int:
    """How far a side's checkers are from being off."""
    return sum(place * count for place, count in enumerate(side))


def pips_text(side: list[int]) -> str:
    """The same in words."""
    return f"{pips(side)} pip{'s' * (pips(side) != 1)}"


def board_text(board: Board, names: list[str], near: int, numbers: int, said: str, mark: int = -1) -> str:
    """The board with one seat's home below on the right, its points numbered as one of the seats counts them.

    `said` stands in the middle, and the seat `mark` is marked.
    """
    upper, lower = range(13, 25), range(12, 0, -1)
    far = 1 - near
    rows = [_edge(upper, near == numbers)]
    rows += [_row(board, near, upper, far, height) for height in range(ROWS)]
    rows.append("|" + " " * 18 + "|BAR|" + " " * 18 + "|")
    rows += [_row(board, near, lower, near, height) for height in reversed(range(ROWS))]
    rows.append(_edge(lower, near == numbers))
    beside = {0: _seat(names, far, mark), 1: _count(board, far), ROWS + 1: f"  {said}"}
    beside |= {2 * ROWS + 1: _count(board, near), 2 * ROWS + 2: _seat(names, near, mark)}
    return "\n".join(f"{row}  {beside.get(number, '')}".rstrip() for number, row in enumerate(rows))


def short(name: str, limit: int = NAME_WIDTH) -> str:
    """A name that fits."""
    return name if len(name) <= limit else name[: limit - 3] + "..."


def _seat(names: list[str], seat: int, mark: int) -> str:
    return f"{'>' if seat == mark else ' '} {SIGNS[seat]}: {short(names[seat])}"


def _count(board: Board, seat: int) -> str:
    return f"  {pips_text(board[seat])}, {board[seat][OFF]} off"


def _edge(points: range, own: bool) -> str:
    cells = [f"{point if own else BAR - point:->2}-" for point in points]
    return f"+{''.join(cells[:6])}-----{''.join(cells[6:])}+"


def _row(board: Board, near: int, points: range, bar_of: int, height: int) -> str:
    """One row of six points, a bar and six points, `height` checkers away from the edge."""
    cells = [_cell(*_on(board, near, point), height) for point in points]
    return f"|{''.join(cells[:6])}|{_cell(board[bar_of][BAR], bar_of, height)}|{''.join(cells[6:])}|"


def _on(board: Board, near: int, point: int) -> tuple[int, int]:
    """How many checkers lie on a point that the near seat numbers, and whose."""
    theirs = board[1 - near][BAR - point]
    return (theirs, 1 - near) if theirs else (board[near][point], near)


def _cell(count: int, seat: int, height: int) -> str:
    if height == ROWS - 1 and count > ROWS:
        return f"{count:2d} "
    return f" {SIGNS[seat]} " if count > height else "   "
