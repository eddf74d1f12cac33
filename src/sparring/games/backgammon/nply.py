"""Values of plays and positions by a search some plies deep, for analysis: see `search.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import encodings, search
from sparring.games.backgammon.cube import Outcomes
from sparring.games.backgammon.nets import WON
from sparring.games.backgammon.notation import Dice
from sparring.games.backgammon.outcomes import value_of
from sparring.games.backgammon.plays import MOST_PLAYS, PLACES, plays
from sparring.games.backgammon.replies import ALL, Task, play_outcomes, prepare, value_roll
from sparring.games.backgammon.search import DEEPEST, FILTER_MARGIN, FILTER_MOST, expected, play_at
from sparring.games.backgammon.search_tables import search_tables
from sparring.kernel.launch import DEEP, SIGMOID, Player, scratch_floats
from sparring.kernel.records import call_kernel, records

KINDS = {"sigmoid": SIGMOID, "deep": DEEP}


@dataclass(frozen=True)
class Candidate:
    """A play and its value for the side that makes it."""

    move: int
    equity: float  # cubeless, in points
    outcomes: Outcomes | None  # None for a network with one output
    plies: int  # how deep it was searched


def packed_network(network: Any) -> tuple[np.ndarray, np.ndarray]:
    """A table of one player and its weights, with the tables of a search, from a network or its evaluator."""
    if network.kind not in KINDS:
        raise UserError(f"a {network.kind} network: a search for analysis needs a network of sigmoids or a deep one")
    tensors: Mapping[str, np.ndarray] = network.tensors() if callable(network.tensors) else network.tensors
    matrices, biases = (list(tensors.values())[first::2] for first in (0, 1))
    turned = [matrix.T if n == 0 or network.kind == "deep" else matrix for n, matrix in enumerate(matrices)]
    parts = [part.ravel() for layer in zip(turned, biases, strict=True) for part in layer]
    weights = np.concatenate([*parts, search_tables()]).astype(np.float32)
    row: Any = np.zeros(1, Player)
    layers = [len(bias) for bias in biases]
    row["kind"], row["encoding"] = KINDS[network.kind], encodings.NAMES.index(network.encoding)
    row["inputs"], row["hidden"], row["outputs"], row["depth"] = network.inputs, layers[0], layers[-1], len(layers)
    row["layers"][0, : len(layers)] = layers
    row["tables"] = sum(map(len, parts)) if len(search_tables()) else 0
    return row, weights


class Searcher:
    """A network that searches this many plies, 0 to 3.

    `filtered`: plays that a shallower search finds much worse are not searched to the end. `pruned`: a deep network values only the
    replies that a small one prefers.
    """

    def __init__(self, network: Any, plies: int, filtered: bool = True, pruned: bool = True) -> None:
        if plies not in range(DEEPEST + 1):
            raise UserError(f"plies = {plies}: must be from 0 to {DEEPEST}")
        self.plies, self.filtered = plies, filtered
        self.table, self.weights = packed_network(network)
        self.table["strength"] = 0 if pruned else ALL
        self.five = bool(self.table["outputs"][0] == 5)

    def plays(
        self, board: np.ndarray, seat: int, dice: tuple[int, int], single: bool = False, also: Sequence[int] = ()
    ) -> list[Candidate]:
        """All plays of a roll: those searched deepest first, and of those the best first.

        Plays of `also` are searched to the end whatever the filters say. With `single`, every win counts one point.
        """
        roll, moves = _Roll(self, board, seat, dice, single), np.empty(MOST_PLAYS, np.int64)
        offered = moves[: plays(roll.board, seat, *roll.dice, moves)].tolist()
        dropped: list[Candidate] = []
        found = roll.ranked(offered, 0)
        for stage in range(self.plies):
            kept = self.passed(found, stage) if self.filtered else len(found)
            dropped = found[kept:] + dropped
            if kept == 1 or stage == self.plies - 1:
                wanted = {one.move for one in found[:kept]} | ({*offered} & {*also})
                left = [one for one in dropped if one.move not in wanted]
                return roll.ranked([move for move in offered if move in wanted], self.plies) + left
            found = roll.ranked([one.move for one in found[:kept]], stage + 1)
        return found

    def passed(self, found: list[Candidate], stage: int) -> int:
        """How many plays, best first, pass the filter of a stage."""
        near = [one.equity >= found[0].equity - FILTER_MARGIN[stage] for one in found[: FILTER_MOST[stage]]]
        return sum(near)

    def position(self, board: np.ndarray, seat: int) -> Outcomes:
        """The outcomes for a side on roll, before the dice."""
        if not self.five:
            raise UserError("the outcomes of a position need a network with five outputs (win, gammons, backgammons)")
        return Outcomes(*call_kernel(expected, np.array(board, np.int8), seat, self.plies, self.task(0)))

    def task(self, single: int) -> Task:
        """What the kernels of a search need, with new scratch memory."""
        floats, ints = scratch_floats(search.float_scratch, self.table), np.zeros(search.INT_SCRATCH, np.int64)
        return Task(records(self.table)[0], self.weights, np.zeros(floats, np.float32), ints, single)


class StaticValues(NamedTuple):
    """The plays of each roll; then, roll after roll, the board after each play and its five outcomes."""

    moves: list[list[int]]
    ends: np.ndarray
    outcomes: np.ndarray


class StaticRolls:
    """A network of sigmoids or a deep one that values all plays of several rolls at 0 ply."""

    def __init__(self, network: Any) -> None:
        self.task = Searcher(network, 0, pruned=False).task(0)
        self.ends, self.outcomes = np.zeros((MOST_PLAYS, 2, PLACES), np.int8), np.zeros((MOST_PLAYS, 5))

    def __call__(self, board: np.ndarray, seat: int, rolls: Sequence[Dice]) -> StaticValues:
        """The plays of a side's rolls."""
        board = np.array(board, np.int8)
        home = call_kernel(prepare, board, seat, self.task)
        moves, ends, outcomes = [], [], []
        for dice in rolls:
            count = call_kernel(value_roll, board, seat, dice, home, self.task, self.ends, self.outcomes)
            moves.append(self.task.ints[:count].tolist())
            ends.append(self.ends[:count].copy())
            outcomes.append(self.outcomes[:count].copy())
        return StaticValues(moves, np.concatenate(ends), np.concatenate(outcomes))


class _Roll:
    """The plays of one roll."""

    def __init__(self, searcher: Searcher, board: np.ndarray, seat: int, dice: tuple[int, int], single: bool) -> None:
        self.board, self.seat, self.dice = np.array(board, np.int8), seat, (max(dice), min(dice))
        self.five, self.single, self.task = searcher.five, int(single), searcher.task(int(single))

    def ranked(self, moves: list[int], plies: int) -> list[Candidate]:
        """Plays searched this deep, best first."""
        if plies == 0:
            home = call_kernel(prepare, self.board, self.seat, self.task)
            found = [self.candidate(play_outcomes, move, home, 0) for move in moves]
        else:
            found = [self.candidate(play_at, move, plies, plies) for move in moves]
        return sorted(found, key=lambda one: -one.equity)

    def candidate(self, kernel: Any, move: int, setting: Any, plies: int) -> Candidate:
        """A play valued by a kernel."""
        outcomes = call_kernel(kernel, self.board, self.seat, move, self.dice, setting, self.task)
        equity = (1 if self.single else WON) * float(value_of(outcomes, self.five, self.single))
        return Candidate(move, equity, Outcomes(*outcomes) if self.five else None, plies)
