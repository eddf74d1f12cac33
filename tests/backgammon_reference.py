"""Backgammon once more, written from its rules alone on one signed board: what the compiled rules are compared with.

Nothing here is fast, and nothing is shared with the compiled rules but the way a side's checkers are written: `24:2 bar off:3`
is two checkers on the side's 24-point, one on the bar and three borne off. Run as a program, this writes the table of
plays: `python tests/backgammon_reference.py > tests/golden/backgammon-perft.txt`.
"""

from typing import NamedTuple

import numpy as np

WHITE, BLACK = 1, -1  # also the sign of a colour's checkers on the board
ENTRANCE = {WHITE: 24, BLACK: -1}  # where a checker on the bar stands: one step before the board
EXIT = {WHITE: -1, BLACK: 24}  # one step behind the board
OUTSIDE = {WHITE: range(6, 24), BLACK: range(18)}  # all but the colour's home
BACK_POINTS = {WHITE: range(18, 24), BLACK: range(6)}  # the other colour's home
NAMES = {25: "bar", 0: "off"}
ROLLS = [(larger, smaller) for larger in range(1, 7) for smaller in range(1, larger + 1)]


class Position(NamedTuple):
    """Where the checkers are. White moves down the 24 points, Black up; `bar` and `off` count White's, then Black's."""

    points: tuple
    bar: tuple
    off: tuple

    def has(self, colour, places):
        return any(self.points[place] * colour > 0 for place in places)


def of(colour, white_and_black):
    return white_and_black[colour == BLACK]


def more(colour, white_and_black, number):
    """A pair of counts with `number` added to one."""
    white, black = white_and_black
    return (white + number, black) if colour == WHITE else (white, black + number)


def may_bear_off(position, colour, start, end):
    """From home only, when everybody is there; with a number higher than needed only if nobody is further back."""
    if of(colour, position.bar) or position.has(colour, OUTSIDE[colour]):
        return False
    further_back = range(start + 1, 24) if colour == WHITE else range(start)
    return end == EXIT[colour] or not position.has(colour, further_back)


def moved(position, colour, start, end):
    """After a checker has gone from start to end, hitting what stands there alone."""
    points, bar, off = list(position.points), position.bar, position.off
    if start == ENTRANCE[colour]:
        bar = more(colour, bar, -1)
    else:
        points[start] -= colour
    if not 0 <= end < 24:
        return Position(tuple(points), bar, more(colour, off, 1))
    if points[end] == -colour:
        points[end] = 0
        bar = more(-colour, bar, 1)
    points[end] += colour
    return Position(tuple(points), bar, off)


def steps(position, colour, pips):
    """Every position that one checker's step leads to; a checker on the bar goes before all others."""
    starts = [place for place in range(24) if position.points[place] * colour > 0]
    if of(colour, position.bar):
        starts = [ENTRANCE[colour]]
    for start in starts:
        end = start - colour * pips
        if 0 <= end < 24:
            if position.points[end] * colour >= -1:
                yield moved(position, colour, start, end)
        elif may_bear_off(position, colour, start, end):
            yield moved(position, colour, start, end)


def plays(position, colour, one, two):
    """Every position after a roll: all orders of all steps, as many numbers as possible, the larger if only one.

    Sequences that have come to the same position with the same numbers left go on as one.
    """
    reached, further = set(), {(position, (one, two) if one != two else (one,) * 4)}
    while further:
        reached = further
        further = {
            (after, numbers[:place] + numbers[place + 1 :])
            for before, numbers in reached
            for place, pips in enumerate(numbers)
            for after in steps(before, colour, pips)
        }
    lefts = {numbers for _, numbers in reached}
    if lefts == {(one,), (two,)}:
        lefts = {(min(one, two),)}
    return {after for after, numbers in reached if numbers in lefts}


def finished(position, colour):
    """Whether a colour has borne off all it has."""
    return not of(colour, position.bar) and not position.has(colour, range(24))


def points_won(position, winner):
    """1, or 2 if the loser has borne off nobody, or 3 if one of them is also still on the bar or in the winner's home."""
    loser = -winner
    if of(loser, position.off):
        return 1
    return 3 if of(loser, position.bar) or position.has(loser, BACK_POINTS[loser]) else 2


def read_side(text):
    """How many checkers a side has on each of its points, from `24:2 bar off:3`: bar is 25 and off is 0."""
    words = [word.partition(":") for word in text.split()]
    numbers = {name: place for place, name in NAMES.items()}
    return {numbers[place] if place in numbers else int(place): int(number or 1) for place, _, number in words}


def write_side(counts):
    """The same back, from the bar to those borne off."""
    places = sorted((place for place in counts if counts[place]), reverse=True)
    return " ".join(
        NAMES.get(place, str(place)) + (f":{counts[place]}" if counts[place] > 1 else "") for place in places
    )


def read_position(white, black):
    """A position from the checkers of both sides, each counted from its own side."""
    ours, theirs = read_side(white), read_side(black)
    assert not any(25 - point in theirs for point in ours if 0 < point < 25), "two colours on one point"
    points = tuple(ours.get(point, 0) - theirs.get(25 - point, 0) for point in range(1, 25))
    return Position(points, (ours.get(25, 0), theirs.get(25, 0)), (ours.get(0, 0), theirs.get(0, 0)))


def made_up(luck, reach, bars):
    """Positions with any number of checkers on any points up to White's and Black's reach, some on the bar, some off; and
    who is to move."""
    while True:
        whites = luck.random(24) < 0.5  # the points that White may hold; Black has the others
        points, bar = np.zeros(24, int), [0, 0]
        for side, colour in enumerate((WHITE, BLACK)):
            own = whites if colour == WHITE else ~whites[::-1]
            places = [*np.flatnonzero(own[: reach[side]]), *[24] * bars[side]]
            for place in luck.choice(places, luck.integers(1, 16)) if places else []:
                if place == 24:
                    bar[side] += 1
                else:
                    points[place if colour == WHITE else 23 - place] += colour
        position = Position(tuple(points.tolist()), tuple(bar), tuple(luck.integers(3, size=2).tolist()))
        if not finished(position, WHITE) and not finished(position, BLACK):
            yield position, (WHITE, BLACK)[luck.integers(2)]


START = "24:2 13:5 8:3 6:5"
PERFT_TITLE = """\
How many different plays White has: a row for each larger die, a column for each smaller one; no play at all counts as one.
"Two plays" is the sum, over the 21 rolls and all their plays, of Black's plays of its 21 rolls, while the game goes on.
"""
PERFT = {  # name: White, who is to move, and Black
    "standard start": (START, START),
    "hypergammon start": ("24 23 22", "24 23 22"),
    "reply to 3-1": (START, "24:2 13:5 8:2 6:4 5:2"),
    "back game": ("24:3 22:2 20:2 13:2 8:2 6:2 4:2", "13 10:2 9:2 8:2 7:2 6:2 4:2 2:2"),
    "both on the bar": ("bar 13:4 8:3 6:4 5:2 2", "bar 24 13:4 8:3 6:3 5:2 3"),
    "closed board": ("bar 13:2 8:4 6:5 5:3", "6:3 5:3 4:2 3:2 2:2 1:3"),
    "bear-off": ("6:2 5:3 4:2 3:3 2 1:2 off:2", "6 5:2 3:4 2:3 1 off:4"),
    "bear-off with contact": ("6:3 5:2 4:2 2:3 off:5", "bar 22 12:2 6:4 5:4 4:3"),
    "one number only": ("16:2 15 2:5 1:7", "21:2 17:2 15:2 14:2 13:2 11:2 6:3"),
    "long race": ("15:2 14:3 13:3 9:2 8:2 7:3", "9:5 8:3 7:3 6:2 3:2"),
}


def perft_text(plays, count):
    """The table of plays of all positions of PERFT, by the given way to list a roll's plays and to count them."""
    return PERFT_TITLE + "".join(perft_rows(name, count) + perft_sum(name, plays, count) for name in PERFT)


def perft_rows(name, count):
    """A position and how many plays each roll has."""
    position = read_position(*PERFT[name])
    rolls = [[(larger, smaller) for smaller in range(1, larger + 1)] for larger in range(1, 7)]
    rows = ["".join(f"{count(position, WHITE, *roll):6}" for roll in row) for row in rolls]
    return "\n".join(["", name, f"White {PERFT[name][0]}", f"Black {PERFT[name][1]}", *rows, ""])


def perft_sum(name, plays, count):
    """Over all rolls and plays the number of the other side's plays."""
    ends = [end for roll in ROLLS for end in plays(read_position(*PERFT[name]), WHITE, *roll)]
    replies = sum(count(end, BLACK, *roll) for end in ends if not finished(end, WHITE) for roll in ROLLS)
    return f"two plays {replies}\n"


def count_plays(position, colour, one, two):
    return len(plays(position, colour, one, two))


if __name__ == "__main__":
    print(perft_text(plays, count_plays), end="")
