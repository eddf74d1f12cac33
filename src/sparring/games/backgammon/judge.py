"""Values of plays and of cube actions for given stakes, many positions at a time.

An equity is normalized to the cube (in a match: the equivalent for money, EMG). A play is valued by the position after it, in which
the other side is on roll and does what is best for it: doubles or plays on. Without a cube, equities are cubeless.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import cube_value
from sparring.games.backgammon.bearoff import Race
from sparring.games.backgammon.cube import CubeModel, Outcomes, Stakes
from sparring.games.backgammon.cube_advice import CHUNK, MODEL, ROLLS, CubeAdvice, advise_position
from sparring.games.backgammon.cube_value import MIDDLE, MOVER, OTHER, best_values
from sparring.games.backgammon.explain import input_rows
from sparring.games.backgammon.notation import Dice
from sparring.games.backgammon.nply import KINDS, Searcher, StaticRolls, StaticValues
from sparring.games.backgammon.plays import HOME, MOST_PLAYS, OFF, make_play, plays, points_won
from sparring.games.backgammon.positions import Position
from sparring.games.backgammon.search_tables import search_tables
from sparring.games.explain import NetEvaluator
from sparring.kernel.records import call_kernel

OUTPUTS = 5


@dataclass(frozen=True)
class RollValues:
    """The plays of a roll, as the side that plays values them."""

    moves: list[int]
    equities: np.ndarray
    outcomes: np.ndarray  # a row per play: win, gammon, backgammon won; gammon, backgammon lost

    @property
    def best(self) -> float:
        return float(self.equities.max())


def mirrored(stakes: Stakes) -> Stakes:
    """The stakes as the other side sees them."""
    owner = None if stakes.owner is None else OTHER if stakes.owner == MOVER else MOVER
    return replace(stakes, owner=owner, away=stakes.away and (stakes.away[1], stakes.away[0]))


def unit(stakes: Stakes | None) -> float:
    """What 1 of normalized equity is: points for money, match-winning chance in a match."""
    if stakes is None or stakes.away is None:
        return float(stakes.cube if stakes else 1)
    return (stakes.worth(MOVER, stakes.cube) - stakes.worth(MOVER, -stakes.cube)) / 2


def expectation(stakes: Stakes | None, equity: float) -> float:
    """Normalized equity as points, or as match-winning chance in a match."""
    if stakes is None or stakes.away is None:
        return equity * unit(stakes)
    return stakes.worth(MOVER, -stakes.cube) + (equity + 1) * unit(stakes)


def before_game(stakes: Stakes) -> float:
    """What a side can expect before the opening roll: 0 points, or its match-winning chance."""
    if stakes.away and stakes.crawford and 1 in stakes.away:  # `worth` would count the Crawford game as over
        return float(stakes.table[stakes.away[0] - 1, stakes.away[1] - 1])
    return stakes.worth(MOVER, 0)


class Judge:
    """A network with five outputs that judges positions, by a search some plies deep."""

    def __init__(self, network: NetEvaluator, name: str, plies: int = 0) -> None:
        if network.outputs != OUTPUTS:
            raise UserError(
                f"player {name!r}: the judge needs a network with five outputs (win, gammons, backgammons), "
                f"not {network.outputs}"
            )
        self.network, self.name = network, name
        self.searcher = Searcher(network, plies) if plies else None
        compiled = network.kind in KINDS and len(search_tables())  # interpreted kernels, which are slow, have no tables
        self.static = StaticRolls(network) if compiled else None

    def rolls(
        self, board: np.ndarray, seat: int, rolls: Sequence[Dice], stakes: Stakes | None, single: bool
    ) -> list[RollValues]:
        """The plays of several rolls."""
        static = self.static(board, seat, rolls) if self.static else self.by_formula(board, seat, rolls)
        equities = play_equities(static.ends, seat, static.outcomes, stakes, single)
        found, at = [], 0
        for moves in static.moves:
            last = at + len(moves)
            found.append(RollValues(moves, equities[at:last], static.outcomes[at:last]))
            at = last
        return found

    def by_formula(self, board: np.ndarray, seat: int, rolls: Sequence[Dice]) -> StaticValues:
        """The same as `StaticRolls` in plain NumPy, for networks of other kinds and interpreted kernels."""
        moves, ends, out = [], [], np.empty(MOST_PLAYS, np.int16)
        for larger, smaller in rolls:
            count = plays(board.copy(), seat, larger, smaller, out)
            moves.append([int(move) for move in out[:count]])
            for move in moves[-1]:
                end = board.copy()
                make_play(end, seat, move, larger, smaller)
                ends.append(end)
        return StaticValues(moves, np.array(ends), self.after_plays(ends, seat))

    def searched(
        self, board: np.ndarray, seat: int, dice: Dice, stakes: Stakes | None, single: bool, made: int
    ) -> RollValues | None:
        """The plays of a roll that pass the filters of the search, and the one that was made; None without a search."""
        if self.searcher is None:
            return None
        found = self.searcher.plays(board, seat, dice, single, [made])
        found = [one for one in found if one.plies == max(each.plies for each in found)]
        moves, ends = [one.move for one in found], []
        for move in moves:
            ends.append(board.copy())
            make_play(ends[-1], seat, move, *dice)
        rows = np.array([_row(one.outcomes or Outcomes(0.5)) for one in found])
        return RollValues(moves, play_equities(np.array(ends), seat, rows, stakes, single), rows)

    def after_plays(self, ends: Sequence[np.ndarray], seat: int) -> np.ndarray:
        """The outcomes of boards for the seat that has just played, without gammons that cannot be."""
        parts = [self._outputs(ends[at : at + CHUNK], seat) for at in range(0, len(ends), CHUNK)]
        found, boards = np.concatenate(parts), np.array(ends)
        found[:, 3] *= boards[:, seat, OFF] == 0
        found[:, 1] *= boards[:, 1 - seat, OFF] == 0
        for won, whole in ((found[:, 0:1], found[:, 1:3]), (1 - found[:, 0:1], found[:, 3:5])):
            np.minimum(whole, won, out=whole)
            np.minimum(whole[:, 1], whole[:, 0], out=whole[:, 1])
        for number in np.flatnonzero(boards[:, :, HOME + 1 :].sum(axis=(1, 2)) == 0):
            if boards[number, :, 1:].any(axis=1).all():
                found[number] = flipped(
                    np.array(Race(*map(tuple, boards[number, [1 - seat, seat]].tolist())).outcomes())
                )
        for number in np.flatnonzero(boards[:, seat, 1:].sum(axis=1) == 0):
            points = points_won(boards[number], seat)
            found[number] = 1, points > 1, points > 2, 0, 0
        return found

    def _outputs(self, boards: Sequence[np.ndarray], seat: int) -> np.ndarray:
        return np.array(self.network.values(input_rows(boards, seat, self.network.encoding)))

    def expected(self, rolls: Sequence[RollValues], opening: bool) -> float:
        """The mean of the best plays of all rolls; of an opening, those without doublets."""
        weights = np.array([0 if opening and a == b else 1 if a == b else 2 for a, b in ROLLS])
        return float(np.dot(weights, [roll.best for roll in rolls]) / weights.sum())

    def cube(self, board: np.ndarray, seat: int, stakes: Stakes) -> CubeAdvice:
        """The equities of the cube actions of the seat on roll."""
        mover, other = (tuple(board[side].tolist()) for side in (seat, 1 - seat))
        if self.searcher is None or Race(mover, other).known:
            return advise_position(Position(mover, other), stakes, self.network, self.name)
        outcomes = self.searcher.position(board, seat)
        model = CubeModel(stakes, outcomes, float(cube_value.efficiency(np.array(board, np.int8), seat)))
        values = model.no_double(outcomes.win), model.double_take(outcomes.win)
        return CubeAdvice(stakes, outcomes, model, *values, (self.name, MODEL.format(model.efficiency)))


def _row(outcomes: Outcomes) -> tuple[float, ...]:
    return outcomes.win, outcomes.gammon, outcomes.backgammon, outcomes.gammon_lost, outcomes.backgammon_lost


def flipped(outcomes: np.ndarray) -> np.ndarray:
    """Outcomes as the other side sees them."""
    win, gammon, backgammon, gammon_lost, backgammon_lost = outcomes.T
    return np.array([1 - win, gammon_lost, backgammon_lost, gammon, backgammon]).T


def play_equities(
    boards: np.ndarray, seat: int, outcomes: np.ndarray, stakes: Stakes | None, single: bool
) -> np.ndarray:
    """The equities of boards for the seat that has just played."""
    if stakes is None:
        win, gammon, backgammon, gammon_lost, backgammon_lost = outcomes.T
        gammons = 0.0 if single else gammon + backgammon - gammon_lost - backgammon_lost
        return np.asarray(2 * win - 1 + gammons)
    theirs, values = mirrored(stakes), np.zeros(len(boards))
    owner = MIDDLE if theirs.owner is None else theirs.owner
    call_kernel(best_values, boards, seat, outcomes, theirs.cube, owner, theirs.rules, values)
    low, high = (theirs.worth(MOVER, sign * theirs.cube) for sign in (-1, 1))
    equities = 1 - 2 * (values - low) / (high - low)
    for number in np.flatnonzero(boards[:, seat, 1:].sum(axis=1) == 0):
        single_only = stakes.jacoby and stakes.away is None and stakes.cube == 1
        points = stakes.cube * (1 if single_only else int(points_won(boards[number], seat)))
        equities[number] = CubeModel(stakes, Outcomes(1.0)).equity(stakes.worth(MOVER, points))
    return np.asarray(equities)
