"""The mathematics of the doubling cube, from the five outcomes of a position to doubles, takes and passes.

Rick Janowski, "Take-Points in Money Games" (1993): with a dead cube the game is played to its end at the present stake; with a live
cube chances change in small steps, so both sides double exactly when the other is indifferent. The value of a real cube lies
between: efficiency times live plus the rest dead. For matches the same holds for match-winning chances, with take points
computed from the last useful cube back.

Values are points for money and match-winning chances in a match. `Equity` figures are normalized: winning or losing the cube's
present value counts 1 or -1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import cube_value
from sparring.games.backgammon.cube_value import CONTACT, MATCH_EQUITIES, MIDDLE, MOVER, OTHER, CubeRules


@dataclass(frozen=True)
class Stakes:
    """Cube, score and rules. Sides are MOVER and OTHER."""

    cube: int = 1
    owner: int | None = None  # None: in the middle
    away: tuple[int, int] | None = None  # the points that each side needs; None for money
    crawford: bool = False
    jacoby: bool = False  # for money: gammons count only once the cube is turned
    beavers: bool = False
    table: np.ndarray = field(default_factory=lambda: MATCH_EQUITIES, repr=False, compare=False)

    def __post_init__(self) -> None:
        longest = self.table.shape[1]
        if self.away and not all(1 <= points <= longest for points in self.away):
            raise UserError(f"score: {self.away[0]} and {self.away[1]} points needed; each must be from 1 to {longest}")

    @property
    def rules(self) -> CubeRules:
        """The stakes as kernels read them."""
        return CubeRules(self.away or (0, 0), int(self.crawford), int(self.jacoby), self.table)

    def worth(self, side: int, points: int) -> float:
        """The value for a side of winning points, or of losing them if negative."""
        return float(cube_value.worth(side, points, self.rules))

    def may_double(self, side: int) -> bool:
        """Whether a side may turn the cube and could gain by it."""
        return bool(cube_value.can_turn(side, self.cube, MIDDLE if self.owner is None else self.owner, self.rules))


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

    def shares(self) -> tuple[float, float, float, float]:
        """Gammons and backgammons as shares of the wins of each side."""
        chances = (self.win, self.gammon, self.backgammon, self.gammon_lost, self.backgammon_lost)
        mine, both, theirs, lost = cube_value.shares_of(*map(float, chances))
        return float(mine), float(both), float(theirs), float(lost)


@dataclass(frozen=True)
class CubeModel:
    """The value of a position by Janowski's interpolation. Chances to win may vary; shares of gammons are those of `outcomes`."""

    stakes: Stakes
    outcomes: Outcomes
    efficiency: float = CONTACT

    def take_point(self, side: int, cube: int, live: bool = True) -> float:
        """The chance to win from which a side may take a double of this cube."""
        return float(cube_value.take_point(side, cube, live, self.stakes.rules, self.outcomes.shares()))

    def value(self, win: float, cube: int, owner: int | None) -> float:
        """The mover's value of a cube that is not turned now, with this chance to win."""
        holder = MIDDLE if owner is None else owner
        shares = self.outcomes.shares()
        return float(cube_value.cube_value(float(win), cube, holder, self.efficiency, self.stakes.rules, shares))

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
