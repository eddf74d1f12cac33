"""Rollouts: a position or the plays of a roll, played to the end many times by a network, with standard errors."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon.cube import CubeModel, Outcomes
from sparring.games.backgammon.cube_advice import EXACT, CubeAdvice, advise, efficiency
from sparring.games.backgammon.notation import play_text
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.plays import make_play
from sparring.games.backgammon.positions import Position, read_xgid, xgid_fields
from sparring.games.backgammon.rollout_games import LONGEST, Setting, roll_out
from sparring.games.backgammon.rules import State
from sparring.kernel.backend import Backend, backend_for
from sparring.kernel.launch import DEEP, chunk_size, share_out, threads_available
from sparring.kernel.records import call_kernel

BATCH = 144  # games of each play between two looks at the results
CLEAR = 3.0  # standard errors of a difference from which a play is clearly worse
NORMAL = 1.96  # standard errors on each side of a 95% interval
WEIGHTS = np.array([2.0, 1.0, 1.0, -1.0, -1.0])  # of the outcomes in the equity, which is their sum minus 1


@dataclass(frozen=True)
class Plan:
    """How a rollout is played."""

    games: int = 1296
    truncate: int = 0  # turns after which the network's value ends a game; 0 for never
    seed: int = 1
    threads: int | None = None
    lucky: bool = True  # whether luck is subtracted


@dataclass(frozen=True)
class Line:
    """One play, or the position itself, in a rollout: the mean of its games for the side on roll."""

    play: str  # empty for the position before the roll
    equity: float  # cubeless, in points
    error: float  # the standard error of the equity
    outcomes: Outcomes
    games: int

    def json(self) -> dict[str, Any]:
        """All figures, with a 95% interval."""
        low, high = self.equity - NORMAL * self.error, self.equity + NORMAL * self.error
        found = {"equity": self.equity, "standard_error": self.error, "interval": [low, high], "games": self.games}
        out = self.outcomes
        chances = [out.win, out.gammon, out.backgammon, out.gammon_lost, out.backgammon_lost]
        return ({"play": self.play} if self.play else {}) | found | {"outcomes": chances}

    def text(self) -> str:
        """One line."""
        out = self.outcomes
        won, lost = (out.win, out.gammon, out.backgammon), (1 - out.win, out.gammon_lost, out.backgammon_lost)
        chances = "; ".join(
            f"{word} {100 * a:.1f} {100 * b:.1f} {100 * c:.1f}" for word, (a, b, c) in (("wins", won), ("loses", lost))
        )
        return f"{self.equity:+.4f} ± {NORMAL * self.error:.4f}  {chances}  {self.games} games"


@dataclass(frozen=True)
class Rollout:
    """The result: lines, the best first; for a position before the roll one line and advice on the cube."""

    position: str
    player: str
    plan: Plan
    lines: tuple[Line, ...]
    clear: bool  # whether the best play is clearly better than every other
    advice: CubeAdvice | None = None

    def json(self) -> dict[str, Any]:
        """All figures."""
        plan = {"games": self.plan.games, "truncate": self.plan.truncate, "seed": self.plan.seed}
        found = {"position": self.position, "player": self.player} | plan
        if self.advice:
            return found | self.lines[0].json() | {"cube": self.advice.json()}
        return found | {"plays": [line.json() for line in self.lines], "clear": self.clear}

    def text(self) -> str:
        """For a terminal."""
        end = f"{self.plan.truncate} turns" if self.plan.truncate else "the end"
        title = f"rollout by {self.player} to {end}, cubeless, with 95% intervals (wins, gammons, backgammons in %)"
        if self.advice:
            return "\n".join([title, self.lines[0].text(), "", self.advice.text()])
        width = max(len(line.play) for line in self.lines)
        lines = [f"{n}. {line.play:{width}}  {line.text()}" for n, line in enumerate(self.lines, 1)]
        verdict = "the first is clearly best" if self.clear else "not clear: the first plays are close"
        return "\n".join([title, *lines, verdict if len(lines) > 1 else "the only play worth a rollout"])


def roll_out_position(
    text: str, network: Any, name: str, games: int, truncate: int = 0, seed: int = 1, threads: int | None = None
) -> Rollout:
    """Roll out the position of an XGID: the plays of its dice, or its value and the cube before the roll."""
    plan = Plan(games, truncate, seed, threads)
    fields = xgid_fields(text, f"XGID {text!r}")
    if fields[4] == "D":
        fields[4] = "00"
    position = read_xgid(":".join(fields))
    searcher = Searcher(network, 1)
    if not searcher.five:
        raise UserError(f"player {name!r}: a rollout needs a network with five outputs (win, gammons, backgammons)")
    if position.dice is None:
        return _of_position(text, position, network, name, plan, searcher)
    return _of_plays(text, position, name, plan, searcher)


def _board(position: Position) -> np.ndarray:
    return np.array([position.mover, position.other], np.int8)


def _of_position(text: str, position: Position, network: Any, name: str, plan: Plan, searcher: Searcher) -> Rollout:
    """A position before the roll, with advice on the cube."""
    advice = advise(text, network, name)
    games = Games(searcher, [_board(position)], 0, plan)
    games.play(plan.games)
    line = games.line(0, "")
    found, source = line.outcomes, (f"{name}, {line.games} games rolled out", advice.source[1])
    model = CubeModel(advice.stakes, found, efficiency(_board(position)))
    if advice.source[0] != EXACT:
        double, take = model.no_double(found.win), model.double_take(found.win)
        advice = replace(advice, outcomes=found, model=model, source=source, no_double=double, double_take=take)
    return Rollout(text, name, plan, (line,), True, advice)


def _of_plays(text: str, position: Position, name: str, plan: Plan, searcher: Searcher) -> Rollout:
    """The plays of a roll that a search of one ply finds close to the best."""
    board, dice = _board(position), position.dice or (0, 0)
    found = [one for one in searcher.plays(board, 0, dice) if one.plies == 1]
    moves = [one.move for one in found[: searcher.passed(found, 1)]]
    boards = [board.copy() for _ in moves]
    for after, move in zip(boards, moves, strict=True):
        make_play(after, 0, move, *dice)
    games, left = Games(searcher, boards, 1, plan), list(range(len(moves)))
    while len(left) > 1 and games.played[left[0]] < plan.games:
        games.play(min(games.batch, plan.games - games.played[left[0]]), left)
        best = max(left, key=games.equity)
        left = [one for one in left if one == best or not games.is_clear(best, one)]
    if len(moves) == 1:
        games.play(min(BATCH, plan.games), left)
    state: Any = np.zeros(1, State)[0]
    state["board"], state["dice"] = board, dice
    lines = [games.line(n, play_text(state, move)) for n, move in enumerate(moves)]
    order = sorted(lines, key=lambda line: -line.equity)
    return Rollout(text, name, plan, tuple(order), len(left) == 1)


class Games:
    """The games of several boards with this seat on roll. Outcomes are those of seat 0."""

    def __init__(self, searcher: Searcher, boards: list[np.ndarray], seat: int, plan: Plan) -> None:
        self.searcher, self.boards, self.seat, self.plan = searcher, np.array(boards), seat, plan
        shape = len(boards), plan.games, 5
        self.results, self.luck = np.zeros(shape), np.zeros(shape)
        self.played = [0] * len(boards)

    @property
    def backend(self) -> Backend:
        """Who plays."""
        return backend_for("roll_out", "a rollout")

    @property
    def batch(self) -> int:
        """Games of each board between two looks at the results."""
        return BATCH * self.backend.batches(is_deep(self.searcher))

    def play(self, count: int, which: list[int] | None = None) -> None:
        """Play this many more games of some boards, which have the same number of games; of all if none are named."""
        which = list(range(len(self.boards))) if which is None else which
        begin, plan = self.played[which[0]], self.plan
        setting = Setting(self.seat, begin, count, np.uint64(plan.seed), plan.truncate or LONGEST, int(plan.lucky))
        work = RolloutWork(self.searcher, self.boards[which], setting, plan.threads)
        results, luck = self.backend.roll_out(work)
        self.results[which, begin : begin + count] = results
        self.luck[which, begin : begin + count] = luck
        for one in which:
            self.played[one] += count

    def outcomes(self, which: int) -> np.ndarray:
        """The outcomes of each game of a board for seat 0, without luck."""
        count = self.played[which]
        found = self.results[which, :count] - self.luck[which, :count]
        if self.seat == 0:
            return found
        return np.column_stack([1 - found[:, 0], found[:, 3:], found[:, 1:3]])

    def equities(self, which: int) -> np.ndarray:
        """The equity of each game."""
        return np.asarray(self.outcomes(which) @ WEIGHTS - 1)

    def equity(self, which: int) -> float:
        return float(self.equities(which).mean())

    def is_clear(self, best: int, other: int) -> bool:
        """Whether a board is clearly worse than the best, by the games that have the same dice."""
        gaps = self.equities(best) - self.equities(other)
        return bool(gaps.mean() > CLEAR * _error(gaps))

    def line(self, which: int, play: str) -> Line:
        """The figures of a board."""
        equities = self.equities(which)
        means = np.clip(self.outcomes(which).mean(axis=0), 0, 1)
        return Line(play, float(equities.mean()), _error(equities), Outcomes(*means.tolist()), len(equities))


@dataclass(frozen=True)
class RolloutWork:
    """Games to play, for a backend. Results and luck are five numbers per board and game."""

    searcher: Searcher
    boards: np.ndarray
    setting: Setting
    threads: int | None

    @property
    def staged(self) -> bool:
        """Whether a GPU can play them in stages: the network is deep."""
        return is_deep(self.searcher)

    @property
    def total(self) -> int:
        return len(self.boards) * int(self.setting.games)

    def shaped(self, results: np.ndarray) -> np.ndarray:
        """Rows of all games, by board."""
        return results.reshape(len(self.boards), -1, 5)

    def play_here(self) -> tuple[np.ndarray, np.ndarray]:
        """On this machine's cores."""
        results, luck = (np.zeros((len(self.boards), self.setting.games, 5)) for _ in range(2))
        threads = self.threads or threads_available()

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            task, board = self.searcher.task(0), np.zeros_like(self.boards[0])
            for first, last in chunks:
                call_kernel(roll_out, first, last, self.boards, board, self.setting, task, results, luck)

        share_out(self.total, chunk_size(self.total, threads), min(threads, self.total), work)
        return results, luck

    def on_gpu(self) -> Any:
        """The games on a GPU: an object that plays some of them, and has all results."""
        from sparring.games.backgammon.rollout_gpu import GpuRollout

        return GpuRollout(self.searcher, self.boards, self.setting)


def is_deep(searcher: Searcher) -> bool:
    """Whether a searcher's network is deep."""
    return bool(searcher.table["kind"][0] == DEEP)


def _error(values: np.ndarray) -> float:
    """The standard error of a mean."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))
