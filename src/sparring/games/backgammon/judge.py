"""Values of plays and of cube actions for given stakes, many positions at a time.

An equity is normalized to the cube (in a match: the equivalent for money, EMG). A play is valued by the position after it, in which
the other side is on roll and does what is best for it: doubles or plays on. Without a cube, equities are cubeless.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon.bearoff import Race
from sparring.games.backgammon.cube import BEAROFF, CONTACT, MOVER, OTHER, CubeModel, Outcomes, Stakes, race_efficiency
from sparring.games.backgammon.cube_advice import CHUNK, ROLLS, CubeAdvice, advise_position
from sparring.games.backgammon.explain import input_rows
from sparring.games.backgammon.notation import Dice
from sparring.games.backgammon.positions import Position
from sparring.games.backgammon.rules import BAR, HOME, MOST_PLAYS, OFF, PLACES, make_play, plays, points_won
from sparring.games.explain import NetEvaluator

OUTPUTS = 5
PLACE_NUMBERS = np.arange(PLACES)


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


class Judge:
    """A network with five outputs that judges positions."""

    def __init__(self, network: NetEvaluator, name: str) -> None:
        self.network, self.name = network, name

    def rolls(
        self, board: np.ndarray, seat: int, rolls: Sequence[Dice], stakes: Stakes | None, single: bool
    ) -> list[RollValues]:
        """The plays of several rolls."""
        moves, ends, out = [], [], np.empty(MOST_PLAYS, np.int16)
        for larger, smaller in rolls:
            count = plays(board.copy(), seat, larger, smaller, out)
            moves.append([int(move) for move in out[:count]])
            for move in moves[-1]:
                end = board.copy()
                make_play(end, seat, move, larger, smaller)
                ends.append(end)
        outcomes = self.after_plays(ends, seat)
        equities = play_equities(np.array(ends), seat, outcomes, stakes, single)
        found, at = [], 0
        for each in moves:
            found.append(RollValues(each, equities[at : at + len(each)], outcomes[at : at + len(each)]))
            at += len(each)
        return found

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
        outputs = self.network.values(input_rows(boards, seat, self.network.encoding))
        if outputs.shape[1] != OUTPUTS:
            raise UserError(
                f"player {self.name!r}: the judge needs a network with five outputs (win, gammons, backgammons), "
                f"not {outputs.shape[1]}"
            )
        return np.array(outputs)

    def expected(self, rolls: Sequence[RollValues], opening: bool) -> float:
        """The mean of the best plays of all rolls; of an opening, those without doublets."""
        weights = np.array([0 if opening and a == b else 1 if a == b else 2 for a, b in ROLLS])
        return float(np.dot(weights, [roll.best for roll in rolls]) / weights.sum())

    def cube(self, board: np.ndarray, seat: int, stakes: Stakes) -> CubeAdvice:
        """The equities of the cube actions of the seat on roll."""
        mover, other = (tuple(board[side].tolist()) for side in (seat, 1 - seat))
        return advise_position(Position(mover, other), stakes, self.network, self.name)


def flipped(outcomes: np.ndarray) -> np.ndarray:
    """Outcomes as the other side sees them."""
    win, gammon, backgammon, gammon_lost, backgammon_lost = outcomes.T
    return np.array([1 - win, gammon_lost, backgammon_lost, gammon, backgammon]).T


def play_equities(
    boards: np.ndarray, seat: int, outcomes: np.ndarray, stakes: Stakes | None, single: bool
) -> np.ndarray:
    """The equities of boards for the seat that has just played."""
    win, gammon, backgammon, gammon_lost, backgammon_lost = outcomes.T
    if stakes is None:
        gammons = 0.0 if single else gammon + backgammon - gammon_lost - backgammon_lost
        return np.asarray(2 * win - 1 + gammons)
    theirs = mirrored(stakes)
    other = Outcomes(*flipped(outcomes).T)
    model = CubeModel(theirs, other, efficiencies(boards, 1 - seat))  # type: ignore[arg-type]
    values = np.asarray(model.no_double(other.win))
    if theirs.may_double(MOVER):
        values = np.maximum(values, np.minimum(model.double_take(other.win), 1.0))
    for number in np.flatnonzero(boards[:, seat, 1:].sum(axis=1) == 0):
        single_only = stakes.jacoby and stakes.away is None and stakes.cube == 1
        points = stakes.cube * (1 if single_only else int(points_won(boards[number], seat)))
        values[number] = -CubeModel(stakes, Outcomes(1.0)).equity(stakes.worth(MOVER, points))
    return -values


def efficiencies(boards: np.ndarray, seat: int) -> np.ndarray:
    """The cube efficiency of each board with this seat on roll: see `cube_advice.efficiency`."""
    highest = np.where(boards[:, :, 1:] > 0, PLACE_NUMBERS[1:], 0).max(axis=2)
    race = highest.sum(axis=1) < BAR
    pips = boards[:, seat].astype(int) @ PLACE_NUMBERS
    found = np.where(race, np.interp(pips, (40, 120), (race_efficiency(40), race_efficiency(120))), CONTACT)
    return np.where(highest.max(axis=1) <= HOME, BEAROFF, found)
