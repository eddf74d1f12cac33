"""Advice on the cube: what a network and the tables of endings make of a position, and the right action in words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import cube_value
from sparring.games.backgammon.bearoff import CENTRED, OWNED, UNAVAILABLE, Race
from sparring.games.backgammon.cube import CubeModel, Outcomes, Stakes
from sparring.games.backgammon.cube_position import read_cube_position
from sparring.games.backgammon.cube_value import BEAROFF, MATCH_EQUITIES, MOVER, OTHER, read_table
from sparring.games.backgammon.explain import input_rows
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.plays import MOST_PLAYS, OFF, borne_off, make_play, plays, points_won
from sparring.games.backgammon.positions import Position
from sparring.games.explain import NetEvaluator

ROLLS = [(larger, smaller) for larger in range(1, 7) for smaller in range(1, larger + 1)]
EXACT, TABLE = "exact, from the table of two sides", "from the table of one side: {:.2f} and {:.2f} rolls on average"
COLUMN = {None: CENTRED, MOVER: OWNED, OTHER: UNAVAILABLE}
CHUNK = 4096  # boards that a network evaluates at a time
ALIKE = 1e-4  # equities so close give no efficiency
MODEL = "by Janowski's formulas, cube efficiency {:.2f}"


@dataclass(frozen=True)
class CubeAdvice:
    """The equities of the three actions, normalized to the present cube, and what follows from them."""

    stakes: Stakes
    outcomes: Outcomes
    model: CubeModel
    no_double: float
    double_take: float
    source: tuple[str, str]  # where the outcomes and the equities come from
    market_losers: float | None = None  # the share of exchanges of rolls after which a double would be passed

    @property
    def may_double(self) -> bool:
        return self.stakes.may_double(MOVER)

    @property
    def action(self) -> str:
        """The right action of both sides, in a few words."""
        again = "re" if self.stakes.owner == MOVER else ""
        if not self.may_double:
            return "no double: " + self._obstacle()
        if self.double_take < 1:
            answer = "beaver" if self.stakes.beavers and self.double_take < 0 else "take"
            return f"{again}double, {answer}" if self.double_take > self.no_double else f"no {again}double, {answer}"
        return f"{again}double, pass" if self.no_double <= 1 else f"too good to {again}double, pass"

    def _obstacle(self) -> str:
        if self.stakes.crawford:
            return "this is the Crawford game"
        return (
            "the other side owns the cube" if self.stakes.owner == OTHER else "the cube is dead, a win wins the match"
        )

    def json(self) -> dict[str, Any]:
        """All figures."""
        out, model, cube = self.outcomes, self.model, self.stakes.cube
        found: dict[str, Any] = {
            "stakes": {key: value for key, value in asdict(self.stakes).items() if key != "table"},
            "outcomes": [out.win, out.gammon, out.backgammon, out.gammon_lost, out.backgammon_lost],
            "outcomes_by": self.source[0],
            "cubeless_equity": out.equity(),
            "equities_by": self.source[1],
            "no_double": self.no_double,
            "action": self.action,
        }
        if not self.may_double:
            return found
        dead, live, cash = model.take_point(OTHER, cube, False), model.take_point(OTHER, cube), model.cash_point()
        return found | {
            "double_take": self.double_take,
            "double_pass": 1.0,
            "take_point": {"dead": dead, "live": live, "here": 1 - cash},
            "double_point": model.double_point(),
            "cash_point": cash,
            "market_losers": self.market_losers,
        }

    def text(self) -> str:
        """The advice in lines."""
        out = self.outcomes
        lines = [
            f"wins {out.win:.1%}, gammons {out.gammon:.1%}, backgammons {out.backgammon:.1%}; "
            f"loses {1 - out.win:.1%}, gammons {out.gammon_lost:.1%}, backgammons {out.backgammon_lost:.1%} ({self.source[0]})",
            f"cubeless equity {out.equity():+.4f}",
            f"equities {self.source[1]}:",
        ]
        choices = {"no double": self.no_double}
        if self.may_double:
            choices |= {"double, take": self.double_take, "double, pass": 1.0}
        lines += [f"  {name:12} {value:+.4f}" for name, value in choices.items()]
        return "\n".join(
            [*lines, *(self._points() if self.may_double else []), f"right: {self.action}", *self._reasons()]
        )

    def _points(self) -> list[str]:
        """Take points and double points, in chances to win."""
        model, cube = self.model, self.stakes.cube
        dead, live = (model.take_point(OTHER, cube, alive) for alive in (False, True))
        double = f"doubles from {model.double_point():.1%}, cashes from {model.cash_point():.1%}"
        return [f"take point {1 - model.cash_point():.1%} (dead cube {dead:.1%}, live cube {live:.1%}); {double}"]

    def _reasons(self) -> list[str]:
        """What the action rests on, in words."""
        if not self.may_double:
            return []
        if self.double_take >= 1:
            why = (
                "playing on for a gammon is worth more than the point"
                if self.no_double > 1
                else "the point is worth most"
            )
            return [f"the other side loses {self.double_take - 1:.4f} by a take; {why}"]
        lost, gain = self.market_losers or 0.0, self.double_take - self.no_double
        market = "market losers" if lost else "no market loser, so waiting costs nothing"
        return [
            f"a double {'gains' if gain > 0 else 'loses'} {abs(gain):.4f}; a pass would lose {1 - self.double_take:.4f}",
            f"after {lost:.0%} of the exchanges of rolls a double would be passed: {market}",
        ]


def advise(text: str, network: NetEvaluator, name: str, plies: int = 0, table: Path | None = None) -> CubeAdvice:
    """Advice on the cube in the position of an XGID, by a network with five outputs that looks some plies ahead.

    `table` is another match equity table.
    """
    position, stakes = read_cube_position(text, read_table(table) if table else MATCH_EQUITIES)
    advice = advise_position(position, stakes, network, name, plies)
    if not advice.may_double or advice.double_take >= 1:
        return advice
    boards, weights = exchanges(_board(position), network)
    found = evaluate(boards, network)
    lost = [_passed(board, outcomes, stakes) for board, outcomes in zip(boards, found, strict=True)]
    share = float(np.dot(lost, weights))
    return replace(advice, market_losers=share)


def advise_position(position: Position, stakes: Stakes, network: NetEvaluator, name: str, plies: int = 0) -> CubeAdvice:
    """The same without the look at the next exchange of rolls."""
    board, race = _board(position), Race(position.mover, position.other)
    if plies and not race.known:
        outcomes, name = Searcher(network, plies).position(board, MOVER), f"{name}, {plies}-ply"
    else:
        (outcomes,) = evaluate([board], network)
    model = CubeModel(stakes, outcomes, efficiency(board))
    if not race.short:
        values = model.no_double(outcomes.win), model.double_take(outcomes.win)
        source = TABLE.format(*race.mean_rolls()) if race.known else name, MODEL.format(model.efficiency)
        return CubeAdvice(stakes, outcomes, model, *values, source)
    now, then = (replace(model, efficiency=exact_efficiency(race, outcomes, owner)) for owner in (stakes.owner, OTHER))
    if stakes.away is None:
        values, source = (race.equities()[COLUMN[stakes.owner]], 2 * race.equities()[UNAVAILABLE]), (EXACT, EXACT)
    else:
        values = now.no_double(outcomes.win), then.double_take(outcomes.win)
        source = EXACT, MODEL.format(then.efficiency)
    return CubeAdvice(stakes, outcomes, then, *values, source)


def exact_efficiency(race: Race, outcomes: Outcomes, owner: int | None) -> float:
    """The cube efficiency that gives a short ending its exact value for money: used at a score."""
    dead, live = (CubeModel(Stakes(), outcomes, x).value(outcomes.win, 1, owner) for x in (0.0, 1.0))
    if abs(live - dead) < ALIKE:
        return BEAROFF
    return float(np.clip((race.equities()[COLUMN[owner]] - dead) / (live - dead), 0, 1))


def _board(position: Position) -> np.ndarray:
    return np.array([position.mover, position.other], np.int8)


def efficiency(board: np.ndarray) -> float:
    """The cube efficiency by the kind of position."""
    return float(cube_value.efficiency(board, MOVER))


def evaluate(boards: Sequence[np.ndarray], network: NetEvaluator) -> list[Outcomes]:
    """The outcomes for seat 0, on roll: from the table where both sides bear off, else from the network."""
    outputs = network.values(input_rows(boards, 1, network.encoding))
    if outputs.shape[1] != 5:
        raise UserError(
            f"the cube needs a network with five outputs (win, gammons, backgammons), not {outputs.shape[1]}"
        )
    return [_outcomes(board, row) for board, row in zip(boards, outputs.tolist(), strict=True)]


def _outcomes(board: np.ndarray, output: list[float]) -> Outcomes:
    """Outcomes from the network's outputs for the other side, without gammons that cannot be."""
    race = Race(*map(tuple, board.tolist()))
    if race.known:
        return Outcomes(*race.outcomes())
    lost, gammon_lost, backgammon_lost, gammon, backgammon = output
    if board[0, OFF]:
        gammon_lost = 0.0
    if board[1, OFF]:
        gammon = 0.0
    gammon, gammon_lost = min(gammon, 1 - lost), min(gammon_lost, lost)
    return Outcomes(1 - lost, gammon, min(backgammon, gammon), gammon_lost, min(backgammon_lost, gammon_lost))


def exchanges(board: np.ndarray, network: NetEvaluator) -> tuple[list[np.ndarray], np.ndarray]:
    """The positions after a roll of each side, played by the network, with their probabilities."""
    first = best_plays([board], 0, network)
    second = best_plays(first, 1, network)
    weights = np.array([1 if larger == smaller else 2 for larger, smaller in ROLLS]) / 36
    return second, np.outer(weights, weights).ravel()


def best_plays(boards: Sequence[np.ndarray], seat: int, network: NetEvaluator) -> list[np.ndarray]:
    """The boards after each of the 21 rolls, played by the network; a finished game stays as it is."""
    moves, groups = np.empty(MOST_PLAYS, np.int16), []
    for board in boards:
        for larger, smaller in ROLLS:
            over = borne_off(board, 1 - seat)
            ends = [board.copy() for _ in range(1 if over else plays(board.copy(), seat, larger, smaller, moves))]
            for end, move in zip(ends, [] if over else moves.tolist(), strict=False):
                make_play(end, seat, move, larger, smaller)
            groups.append(ends)
    values = play_values([end for ends in groups for end in ends], seat, network)
    firsts = np.cumsum([0, *map(len, groups)])
    return [ends[int(np.argmax(values[at : at + len(ends)]))] for ends, at in zip(groups, firsts[:-1], strict=True)]


def play_values(ends: Sequence[np.ndarray], seat: int, network: NetEvaluator) -> np.ndarray:
    """The cubeless equities of boards for the seat that has just played."""
    parts = [input_rows(ends[at : at + CHUNK], seat, network.encoding) for at in range(0, len(ends), CHUNK)]
    won, gammon, backgammon, lost, lost_all = np.concatenate([network.values(part) for part in parts]).T
    values = 2 * won - 1 + gammon + backgammon - lost - lost_all
    for number, board in enumerate(ends):
        if borne_off(board, seat):
            values[number] = points_won(board, seat)
    return np.asarray(values)


def _passed(board: np.ndarray, outcomes: Outcomes, stakes: Stakes) -> bool:
    """Whether a double would now be passed, or the game is won."""
    if borne_off(board, 1) or borne_off(board, 0):
        return bool(borne_off(board, 0))
    return CubeModel(stakes, outcomes, efficiency(board)).double_take(outcomes.win) >= 1
