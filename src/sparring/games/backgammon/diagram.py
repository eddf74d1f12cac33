"""The board as text in the style of GNU Backgammon, with names and pip counts beside it."""

from sparring.games.backgammon.plays import BAR, OFF
from sparring.games.view import plural, shorten

SIGNS = "XO"  # of seats 0 and 1
ROWS = 5  # checkers drawn on a point; a number replaces the innermost if there are more
NAME_WIDTH = 22  # keeps the diagram within 80 columns

Board = list[list[int]]  # each seat's 26 places, from its own side


def pips(side: list[int]) -> int:
    """A side's pip count."""
    return sum(place * count for place, count in enumerate(side))


def board_text(board: Board, names: list[str], near: int, numbers: int, said: str, mark: int = -1) -> str:
    """The board with the home of `near` at the lower right and the points numbered by the seat `numbers`.

    `said` stands in the middle; the seat `mark` is marked.
    """
    upper, lower = range(13, 25), range(12, 0, -1)
    far = 1 - near
    rows = [_edge(upper, near == numbers)]
    rows += [_row(board, near, upper, far, height) for height in range(ROWS)]
    rows.append("|" + " " * 18 + "|BAR|" + " " * 18 + "|")
    rows += [_row(board, near, lower, near, height) for height in reversed(range(ROWS))]
    rows.append(_edge(lower, near == numbers))
    beside = {ROWS + 1: f"  {said}"}
    for seat, name_row, count_row in ((far, 0, 1), (near, 2 * ROWS + 2, 2 * ROWS + 1)):
        beside[name_row] = f"{'>' if seat == mark else ' '} {SIGNS[seat]}: {shorten(names[seat], NAME_WIDTH)}"
        beside[count_row] = f"  {plural(pips(board[seat]), 'pip')}, {board[seat][OFF]} off"
    return "\n".join(f"{row}  {beside.get(number, '')}".rstrip() for number, row in enumerate(rows))


def _edge(points: range, own: bool) -> str:
    cells = [f"{point if own else BAR - point:->2}-" for point in points]
    return f"+{''.join(cells[:6])}-----{''.join(cells[6:])}+"


def _row(board: Board, near: int, points: range, bar_of: int, height: int) -> str:
    """Six points, the bar and six points, `height` checkers away from the edge."""
    cells = [_cell(*_on(board, near, point), height) for point in points]
    return f"|{''.join(cells[:6])}|{_cell(board[bar_of][BAR], bar_of, height)}|{''.join(cells[6:])}|"


def _on(board: Board, near: int, point: int) -> tuple[int, int]:
    """The number of checkers on a point of the near seat, and their owner."""
    theirs = board[1 - near][BAR - point]
    return (theirs, 1 - near) if theirs else (board[near][point], near)


def _cell(count: int, seat: int, height: int) -> str:
    if height == ROWS - 1 and count > ROWS:
        return f"{count:2d} "
    return f" {SIGNS[seat]} " if count > height else "   "
