"""The mathematics of the doubling cube, from the five outcomes of a position to doubles, takes and passes.

Rick Janowski, "Take-Points in Money Games" (1993): with a dead cube the game is played to its end at the present stake; with a live
cube chances change in small steps, so both sides double exactly when the other is indifferent. The value of a real cube lies
between: efficiency times live plus the rest dead. For matches the same holds for match-winning chances, with take points
computed from the last useful cube back.

Values are points for money and match-winning chances in a match. `Equity` figures are normalized: winning or losing the cube's
present value counts 1 or -1.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np

from sparring.errors import UserError

LONGEST = 25  # points that a side may need: the size of the match equity table
CONTACT, BEAROFF = (
    0.68,
    0.6,
)  # cube efficiencies; that of a race lies between 0.6 (40 pips or fewer) and 0.7 (120 or more)
MOVER, OTHER = 0, 1


@cache
def match_equities() -> np.ndarray:
    """The match equity table: a row per points needed, then the row of games after the Crawford game."""
    lines = (files("sparring.games.backgammon") / "match-equity.csv").read_text().splitlines()
    return np.loadtxt(lines, delimiter=",")


def race_efficiency(pips: int) -> float:
    """The cube efficiency of a race by the pips of the side on roll."""
    return float(np.interp(pips, (40, 120), (0.6, 0.7)))


@dataclass(frozen=True)
class Stakes:
    """Cube, score and rules. Sides are MOVER and OTHER."""

    cube: int = 1
    owner: int | None = None  # None: in the middle
    away: tuple[int, int] | None = None  # the points that each side needs; None for money
    crawford: bool = False
    jacoby: bool = False  # for money: gammons count only once the cube is turned
    beavers: bool = False

    def __post_init__(self) -> None:
        if self.away and not all(1 <= points <= LONGEST for points in self.away):
            raise UserError(f"score: {self.away[0]} and {self.away[1]} points needed; each must be from 1 to {LONGEST}")

    def worth(self, side: int, points: int) -> float:
        """The value for a side of winning points, or of losing them if negative."""
        if self.away is None:
            return float(points)
        mine, theirs = self.away if side == MOVER else self.away[::-1]
        mine, theirs = mine - max(points, 0), theirs - max(-points, 0)
        if mine <= 0 or theirs <= 0:
            return float(mine <= 0)
        equities = match_equities()
        if 1 in self.away:  # the Crawford game is this one or is over
            return float(equities[-1, mine - 1] if theirs == 1 else 1 - equities[-1, theirs - 1])
        return float(equities[mine - 1, theirs - 1])

    def useful(self, side: int, cube: int) -> bool:
        """Whether a side that wins with this cube could still use more points."""
        return self.away is None or cube < self.away[side]

    def may_double(self, side: int) -> bool:
        """Whether a side may turn the cube and could gain by it."""
        return not self.crawford and self.owner in (None, side) and self.useful(side, self.cube)


@dataclass(frozen=True)
class Outcomes:
    """Probabilities of the side on roll: win, gammon or better won, backgammon won, gammon or worse lost, backgammon lost."""

    win: float
    gammon: float = 0.0
    backgammon: float = 0.0
    gammon_lost: float = 0.0
    backgammon_lost: float = 0.0

    def equity(self) -> float:
        """Cubeless, for money."""
        return 2 * self.win - 1 + self.gammon + self.backgammon - self.gammon_lost - self.backgammon_lost

    def shares(self, side: int) -> tuple[float, float]:
        """Gammons and backgammons as shares of a side's wins."""
        wins = (self.win, self.gammon, self.backgammon)
        if side == OTHER:
            wins = (1 - self.win, self.gammon_lost, self.backgammon_lost)
        share = min(wins[1] / wins[0], 1.0) if wins[0] > 0 else 0.0
        return share, min(wins[2] / wins[0], share) if wins[0] > 0 else 0.0


@dataclass(frozen=True)
class CubeModel:
    """The value of a position by Janowski's interpolation. Chances to win may vary; shares of gammons are those of `outcomes`."""

    stakes: Stakes
    outcomes: Outcomes
    efficiency: float = CONTACT

    def won(self, side: int, cube: int, gammons: bool = True) -> float:
        """The mean value for a side of a game that it wins."""
        worth = [self.stakes.worth(side, points * cube) for points in (1, 2, 3)]
        gammon, backgammon = self.outcomes.shares(side) if gammons else (0.0, 0.0)
        return (1 - gammon) * worth[0] + (gammon - backgammon) * worth[1] + backgammon * worth[2]

    def lost(self, side: int, cube: int, gammons: bool = True) -> float:
        """The mean value for a side of a game that it loses."""
        whole = 0.0 if self.stakes.away is None else 1.0  # what both sides' values add up to
        return whole - self.won(1 - side, cube, gammons)

    def take_point(self, side: int, cube: int, live: bool = True) -> float:
        """The chance to win from which a side may take a double of this cube."""
        taken, stakes = 2 * cube, self.stakes
        passed, lost = stakes.worth(side, -cube), self.lost(side, taken)
        if stakes.away is None:
            return (passed - lost) / (self.won(side, taken) - lost + (cube if live else 0))
        if stakes.useful(side, taken) and live and stakes.useful(1 - side, taken):
            cash = 1 - self.take_point(1 - side, taken)
            return cash * (passed - lost) / (stakes.worth(side, taken) - lost)
        return (passed - lost) / (self.won(side, self.settled(side, taken)) - lost)

    def settled(self, side: int, cube: int) -> int:
        """The cube's value once a side that owns it has redoubled where that is free: its loss loses the match in any case."""
        free = self.stakes.useful(side, cube) and not self.stakes.useful(1 - side, cube)
        return 2 * cube if free else cube

    def value(self, win: float, cube: int, owner: int | None) -> float:
        """The mover's value of a cube that is not turned now, with this chance to win."""
        stakes = self.stakes
        if owner == OTHER and self.settled(OTHER, cube) > cube:
            cube, owner = 2 * cube, MOVER
        gammons = not (stakes.jacoby and stakes.away is None and owner is None)
        lost, won = self.lost(MOVER, cube, gammons), self.won(MOVER, cube, gammons)
        chances, values = [0.0, 1.0], [lost, won]
        now = replace(stakes, cube=cube, owner=owner)
        if now.may_double(OTHER):
            chances.insert(1, self.take_point(MOVER, cube))
            values.insert(1, stakes.worth(MOVER, -cube))
        if now.may_double(MOVER):
            chances.insert(-1, 1 - self.take_point(OTHER, cube))
            values.insert(-1, stakes.worth(MOVER, cube))
        live = float(np.interp(win, np.maximum.accumulate(np.clip(chances, 0, 1)), values))
        return self.efficiency * live + (1 - self.efficiency) * (win * won + (1 - win) * lost)

    def equity(self, value: float) -> float:
        """A value as normalized equity."""
        low, high = (self.stakes.worth(MOVER, sign * self.stakes.cube) for sign in (-1, 1))
        return 2 * (value - low) / (high - low) - 1

    def no_double(self, win: float) -> float:
        """The equity of not doubling."""
        return self.equity(self.value(win, self.stakes.cube, self.stakes.owner))

    def double_take(self, win: float) -> float:
        """The equity of a double that is taken."""
        return self.equity(self.value(win, 2 * self.stakes.cube, OTHER))

    def cash_point(self) -> float:
        """The chance to win from which a double should be passed; 1 if never."""
        return crossing(lambda win: self.double_take(win) - 1, 0.0, 1.0)

    def double_point(self) -> float:
        """The chance to win from which a double gains; 1 if none does."""
        return crossing(lambda win: min(self.double_take(win), 1.0) - self.no_double(win), 0.0, self.cash_point())


def crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Where an increasing function becomes positive, by bisection; `high` if nowhere."""
    if function(high) < 0:
        return 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) >= 0 else (middle, high)
    return high
