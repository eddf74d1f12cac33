"""What backgammon's players see and choose, written once more from the definitions: what compiled players are compared with.

Positions are the plain rules' (backgammon_reference); nothing here is fast.
"""

import numpy as np

from backgammon_reference import BLACK, WHITE, Position, finished, of, points_won, steps

COLOURS = (WHITE, BLACK)  # of seats 0 and 1
CHECKERS = 15


def of_board(board):
    """The position of a compiled board, which has each seat's checkers from its own side."""
    ours, theirs = board.astype(int).tolist()
    points = tuple(ours[point] - theirs[25 - point] for point in range(1, 25))
    return Position(points, (ours[25], theirs[25]), (ours[0], theirs[0]))


def checkers(position, colour):
    """A side's checkers on its points 1 to 24, counted from its own side."""
    points = position.points if colour == WHITE else position.points[::-1]
    return [max(colour * count, 0) for count in points]


# A net's inputs.


def tesauro(position, colour):
    """198: for each side, from its own side, four for each point; then bars, offs and who is on roll: never who just played."""
    inputs = []
    for side in (colour, -colour):
        for count in checkers(position, side):
            inputs += [count >= 1, count >= 2, count >= 3, max(count - 3, 0) / 2]
    inputs += [of(side, position.bar) / 2 for side in (colour, -colour)]
    inputs += [of(side, position.off) / CHECKERS for side in (colour, -colour)]
    return np.array([*inputs, 0, 1], float)


def signed(position, colour):
    """Ours minus theirs on each of our points."""
    return np.subtract(checkers(position, colour), checkers(position, -colour)[::-1])


def raw(position, colour):
    """28: the points, both bars, both offs, all over 15."""
    rest = [of(side, pair) for pair in (position.bar, position.off) for side in (colour, -colour)]
    return np.array([*signed(position, colour), *rest]) / CHECKERS


def shares_mirrored(position, colour):
    """24: each point's share of all that its owner has left, on the bar too; theirs are negative."""
    ours, theirs = checkers(position, colour), checkers(position, -colour)[::-1]
    left = [max(1, sum(checkers(position, side)) + of(side, position.bar)) for side in (colour, -colour)]
    return np.array(ours) / left[0] - np.array(theirs) / left[1]


def shares(position, colour):
    """The same, but the points are White's whoever plays."""
    found = shares_mirrored(position, colour)
    return found if colour == WHITE else found[::-1]


def cube(position, colour):
    """201: Tesauro's, and nothing about the cube in a game without one."""
    return np.array([*tesauro(position, colour), 0, 0, 0])


INPUTS = {"tesauro": tesauro, "raw": raw, "shares-mirrored": shares_mirrored, "shares": shares, "cube": cube}


# A net's value of a position that a side has just played to, and what it chooses by it.


def net_value(net, position, colour):
    """From -1 to 1 as a share of a backgammon; a linear net's as it is."""
    told = net.values(INPUTS[net.encoding](position, colour))
    if net.kind == "linear":
        return float(told[0])
    if len(told) == 1:
        return 2 * float(told[0]) - 1
    win, gammon, backgammon, gammon_lost, backgammon_lost = told.tolist()
    return (2 * win - 1 + gammon + backgammon - gammon_lost - backgammon_lost) / 3


def play_value(net, position, colour):
    """The same, but what has been won is worth what it is."""
    return points_won(position, colour) / 3 if finished(position, colour) else net_value(net, position, colour)


# Checker by checker.


def candidates(position, colour, numbers):
    """Every step that begins a legal play of these numbers: the point left, the position after it, the numbers then left."""
    found = []
    for place, pips in enumerate(numbers):
        rest = numbers[:place] + numbers[place + 1 :]
        for after in steps(position, colour, pips) if pips not in numbers[:place] else ():
            found.append((left_point(position, after, colour), after, rest))
    if len(set(numbers)) == 2:
        both = [step for step in found if any(steps(step[1], colour, step[2][0]))]
        larger = [step for step in found if step[2] == (min(numbers),)]
        return both or [(point, after, ()) for point, after, _ in larger or found]
    return found


def left_point(before, after, colour):
    """The point that a step left; 25 is the bar."""
    if of(colour, after.bar) < of(colour, before.bar):
        return 25
    left = np.subtract(checkers(before, colour), checkers(after, colour))
    return 1 + int(np.flatnonzero(left == 1)[0])


def stepwise(position, colour, dice, best):
    """The positions that a player can come to who takes one step after another, each among the `best` of its candidates."""
    numbers = tuple(dice) if dice[0] != dice[1] else (dice[0],) * 4
    reached, now = set(), {(position, numbers)}
    while now:
        further = set()
        for before, left in now:
            found = candidates(before, colour, left) if left else []
            further |= {(after, rest) for _, after, rest in (best(before, found) if found else [])}
            if not found:
                reached.add(before)
        now = further
    return reached


def blots(position, colour):
    return checkers(position, colour).count(1)


def simple_rank(before, after, colour, hits=True):
    """The study's order: bear off, hit, fewer blots, no more blots, anything."""
    if of(colour, after.off) > of(colour, before.off):
        return 4
    if hits and of(-colour, after.bar) > of(-colour, before.bar):
        return 3
    more = blots(after, colour) - blots(before, colour)
    return 2 if more < 0 else int(more == 0)
