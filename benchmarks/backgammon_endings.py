"""The loss of bear-off decisions against an independent recursion: plain Python moves, and values of both sides in NumPy.

python -m benchmarks.backgammon_endings --checkers 8 --decisions 4000 --seed 1
"""

import argparse
from functools import cache
from itertools import product

import numpy as np

from sparring.arena.players import find_player
from sparring.games import find_game
from sparring.games.backgammon.bearoff import FEW
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.plays import CHECKERS, make_play

ROLLS = [(one, two) for one in range(1, 7) for two in range(one, 7)]
Home = tuple[int, ...]  # checkers on points 1 to 6


def positions(most: int) -> list[Home]:
    """All home positions of at most so many checkers, in an order in which every play leads to an earlier one."""
    found = [each for each in product(range(most + 1), repeat=6) if sum(each) <= most]
    return sorted(found, key=lambda home: home[::-1])


def moved(home: Home, die: int) -> set[Home]:
    """The positions after one die; none if there is no checker."""
    found, highest = set(), max((point for point in range(1, 7) if home[point - 1]), default=0)
    for point in range(1, 7):
        if home[point - 1] and (point >= die or point == highest):
            after = list(home)
            after[point - 1] -= 1
            if point > die:
                after[point - die - 1] += 1
            found.add(tuple(after))
    return found


@cache
def reached(home: Home, one: int, two: int) -> frozenset[Home]:
    """The positions after a roll."""
    found: set[Home] = set()
    for dice in ([one] * 4,) if one == two else ((one, two), (two, one)):
        ends = {home}
        for die in dice:
            ends = {after for end in ends for after in (moved(end, die) or {end})}
        found |= ends
    return frozenset(found)


def exact_values(homes: list[Home]) -> np.ndarray:
    """The cubeless equity of the side on roll, by the numbers of its position and of the other side's."""
    number, size = {home: n for n, home in enumerate(homes)}, len(homes)
    lists = [[sorted(number[end] for end in reached(home, *roll)) for roll in ROLLS] for home in homes]
    widest = max(len(ends) for rolls in lists for ends in rolls)
    ends = np.array([[each + each[:1] * (widest - len(each)) for each in rolls] for rolls in lists], np.int32)
    weights = np.array([1 if one == two else 2 for one, two in ROLLS]) / 36
    values = np.zeros((size, size))
    values[:, 0] = -1  # the other side has borne off all
    for m in range(1, size):
        for roll, weight in enumerate(weights):
            values[m, 1:m] -= weight * values[1:m, lists[m][roll]].min(axis=1)
        values[m, m] = -sum(weight * values[m, lists[m][roll]].min() for roll, weight in enumerate(weights))
        values[1:m, m] = -(values[m, ends[1:m]].min(axis=2) @ weights)
    return values


def losses(checkers: int, decisions: int, seed: int, plies: int) -> dict[str, np.ndarray]:
    """The losses of random decisions, where the table of two sides has the position and where only that of one side has it."""
    homes, luck = positions(checkers), np.random.default_rng(seed)
    values, number = exact(checkers), {home: n for n, home in enumerate(homes)}
    searcher = Searcher(find_player(find_game("backgammon"), "champion").net, plies)
    found: dict[str, list[float]] = {"two sides": [], "one side": []}
    while min(map(len, found.values())) < decisions:
        mover, other = (homes[n] for n in luck.integers(1, len(homes), 2))
        kind = "two sides" if max(sum(mover), sum(other)) <= FEW else "one side"
        roll = ROLLS[luck.integers(len(ROLLS))]
        ends = {number[end]: -values[number[other], number[end]] if any(end) else 1.0 for end in reached(mover, *roll)}
        if len(ends) > 1 and len(found[kind]) < decisions:
            found[kind].append(max(ends.values()) - ends[number[chosen(searcher, mover, other, roll)]])
    return {kind: np.array(lost) for kind, lost in found.items()}


@cache
def exact(checkers: int) -> np.ndarray:
    return exact_values(positions(checkers))


def chosen(searcher: Searcher, mover: Home, other: Home, roll: tuple[int, int]) -> Home:
    """Where the search plays to."""
    board = np.zeros((2, 26), np.int8)
    for seat, home in enumerate((mover, other)):
        board[seat, 1:7], board[seat, 0] = home, CHECKERS - sum(home)
    make_play(board, 0, searcher.plays(board, 0, roll)[0].move, max(roll), min(roll))
    return tuple(board[0, 1:7].tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkers", type=int, default=8)
    parser.add_argument("--decisions", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for plies in (0, 1, 2):
        for kind, lost in losses(given.checkers, given.decisions, given.seed, plies).items():
            wrong = (lost > 1e-6).mean()
            print(
                f"{plies}-ply, table of {kind}: {len(lost)} decisions, mean loss {lost.mean():.7f}, {wrong:.2%} wrong"
            )


if __name__ == "__main__":
    main()
