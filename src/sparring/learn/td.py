"""TD(lambda): a net learns to value positions by playing itself, for any game that says what a net sees.

Sutton, "Learning to predict by the methods of temporal differences" (1988); Tesauro, "Practical issues in temporal difference
learning" (1992) and TD-Gammon. After every turn the value before it moves towards the value after it, and at the end towards
the outcome; eligibility traces hand each correction back to earlier turns, less by lambda for each.

With `together` = 1 every correction is made at once, as Tesauro did; with more, that many games are played by the same
weights and their corrections averaged, which keeps many cores busy with one net. With `duel` = 3 two nets learn from each
other, and after three pairs of games the winner is copied to both, as in Kotnik and Kalita, "The significance of temporal-
difference learning in self-play training" (2003). Kernels are in kernel/temporal.py.
"""

from dataclasses import dataclass

import numpy as np

from sparring.arena.players import fill_builtin, fill_net
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.launch import Player
from sparring.kernel.random import derive
from sparring.kernel.temporal import TDJob
from sparring.learn.checkpoints import Numbers
from sparring.learn.curves import Curves
from sparring.learn.snapshots import Snapshots
from sparring.learn.training import Training, check_builtin, check_encoding, check_policy, make_matchups, trial_seeds
from sparring.nets.dense import Net, gaussian, size
from sparring.options import option

SCHEDULES = ("linear", "exponential")


@dataclass(frozen=True)
class TD:
    """The options of TD(lambda)."""

    encoding: str = option("", "what the net sees; empty for the game's first")
    outputs: str = option("", "what the net tells, and so what it is rewarded for; empty for the game's first")
    hidden: int = option(40, "hidden units", 1, 4096)
    games: int = option(200_000, "games of self-play", 1, 1_000_000_000)
    rate: float = option(0.1, "learning rate at the start", 0, 1000)
    rate_end: float = option(0.1, "learning rate at the end", 0, 1000)
    trace: float = option(0.7, "lambda at the start", 0, 1)
    trace_end: float = option(0.7, "lambda at the end", 0, 1)
    schedule: str = option("linear", "how rate and lambda go from start to end", choices=SCHEDULES)
    discount: float = option(1.0, "what the next value counts", 0, 1)
    explore: float = option(0.0, "share of moves made at random at the start", 0, 1)
    explore_end: float = option(-1.0, "the same at the end; -1 for as at the start", -1, 1)
    noise: float = option(0.0, "deviation of noise on the weights that choose, new in every game", 0, 1000)
    finals: bool = option(False, "value the state after the last turn too, and let it learn the outcome")
    policy: str = option("net", "how the net chooses: net, or another of the game's policies for nets")
    against: tuple[str, ...] = option(
        (), "built-in players to learn from games with, deal by deal; none to play itself"
    )
    duel: int = option(
        0, "pairs of games after which the winner of two nets is copied to both; 0: one net alone", 0, 10_000
    )
    duel_by: str = option("wins", "what decides a duel", choices=("wins", "score"))
    together: int = option(1, "games whose corrections are averaged; 1 learns at once from every turn", 1, 100_000)
    average: float = option(0.0, "the champion is the mean of the weights over this last share of training", 0, 1)
    start: float = option(0.1, "standard deviation of the first weights", 0, 1000)
    step_games: int = option(1000, "games between two looks at the clock and at Ctrl-C", 1, 10_000_000)
    benchmark: str = option("random", "whom the net meets during training, for the curves alone")
    benchmark_pairs: int = option(100, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    training_pairs: int = option(
        0, "pairs of games with itself, or with the other of a duel, for each point", 0, 1_000_000
    )
    curve_every: int = option(10, "steps between two points of the curves", 1, 1_000_000)
    snapshots: int = option(0, "equal parts of the training after which the nets are kept", 0, 10_000)


class TDTraining(Training):
    """Many trials of TD(lambda) at once. Row t of `nets` is trial t's net; in duels row trials + t is its opponent."""

    unit = "game"
    layout = {"nets": "sides", "averaged": "shared"}
    options: TD

    def __init__(
        self, game: Game, options: TD, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.encoding = options.encoding or game.encoding_names[0]
        self.head = list(game.learning.heads).index(options.outputs) if options.outputs else 0
        self.flip = np.array(list(game.learning.heads.values())[self.head], np.int64)
        self.shape = (game.policies.encodings[self.encoding], options.hidden, self.flip.shape[1])
        self.steps = -(-options.games // options.step_games)
        self.trial_seeds = trial_seeds(seed, trials, first)
        count = size(self.shape)
        starts = [gaussian(count, s, "start") for s in self.trial_seeds]
        if options.duel:
            starts += [gaussian(count, s, "start", "opponent") for s in self.trial_seeds]
        self.nets = np.float32(options.start) * np.array(starts)
        self.mean, self.averaged = np.zeros((trials, count)), 0
        others = (options.benchmark, *options.against)
        self.table = np.zeros(len(self.nets) + len(others), Player)
        fill_net(self.table[: len(self.nets)], game, self._net(0), np.arange(len(self.nets)) * count)
        for row, name in zip(self.table[len(self.nets) :], others, strict=True):
            fill_builtin(row, game, name)
        self.measured = Curves(game, trials, -(-self.steps // options.curve_every))
        self.history = Snapshots(trials, options.snapshots, count, self.steps)

    @classmethod
    def check(cls, game: Game, options: TD) -> None:
        if game.learning.inputs is None or game.learning.outcome is None:
            raise UserError(f"learner.name: {game.name} does not say what a net sees, so td cannot learn it")
        check_encoding(game, options.encoding)
        if options.outputs and options.outputs not in game.learning.heads:
            raise UserError(f"learner.outputs = {options.outputs!r}: {game.name} has {', '.join(game.learning.heads)}")
        check_builtin(game, "benchmark", options.benchmark)
        check_policy(game, options.policy)
        if options.together > 1 and (options.duel or options.against or options.noise):
            raise UserError(f"learner.together = {options.together}: must be 1 with duel, against or noise")
        check_builtin(game, "against", *options.against)
        if (options.duel or options.against) and (2 not in game.rules.seats or (options.duel and options.against)):
            raise UserError("learner.duel, learner.against: are for two seats, and one excludes the other")
        games = 2 * options.duel or (2 if options.against else 1)
        for name in ("games", "step_games"):
            if getattr(options, name) % games:
                raise UserError(f"learner.{name} = {getattr(options, name)}: must be a multiple of {games} games")
        if -1 < options.explore_end < 0:
            raise UserError(f"learner.explore_end = {options.explore_end}: must be from 0 to 1, or -1")
        if options.step_games % options.together:
            raise UserError(
                f"learner.step_games = {options.step_games}: must be a multiple of together = {options.together}"
            )

    def advance(self) -> int:
        games = min(self.options.step_games, self.options.games - self.step * self.options.step_games)
        first = self.step * self.options.step_games
        if self.options.together == 1:
            self._on_line(first, games)
        else:
            for deal in range(first, first + games, self.options.together):
                self._averaged(deal, min(self.options.together, first + games - deal))
        self.step += 1
        nets = self.nets[: self.trials]
        self.history.see(self.step, nets)
        if self.step > self.steps * (1 - self.options.average):
            self.averaged += 1
            self.mean += (nets - self.mean) / self.averaged
        played = games * self.trials
        if self.step % self.options.curve_every == 0 or self.step == self.steps:
            played += self._measure()
        return played

    def _lessons(self, count: int, deal: int, games: int) -> np.ndarray:
        """Lessons for every trial, `count` each: of `games` games, from this deal on."""
        told, progress = self.options, self.step / max(1, self.steps - 1)
        jobs = np.zeros((self.trials, count), TDJob)
        jobs["seed"] = np.array([derive(s, "games") for s in self.trial_seeds], np.uint64)[:, None]
        jobs["deal"] = deal + games * np.arange(count)
        jobs["games"], jobs["seats"], jobs["input_major"] = (
            games,
            self.game.rules.seats[0],
            self.game.policies.input_major,
        )
        jobs["player"] = self._sides()[:, None]
        jobs["sides"] = 2 if told.duel or told.against else 1
        jobs["taught"], jobs["rivals"] = 2 if told.duel else 1, max(1, len(told.against))
        jobs["duel"], jobs["by_score"] = told.duel, told.duel_by == "score"
        jobs["lower_is_better"], jobs["head"], jobs["finals"] = self.game.rules.lower_is_better, self.head, told.finals
        jobs["rate"] = between(told.rate, told.rate_end, progress, told.schedule)
        jobs["trace"] = between(told.trace, told.trace_end, progress, told.schedule)
        end = told.explore if told.explore_end < 0 else told.explore_end
        jobs["explore"] = between(told.explore, end, progress, told.schedule)
        jobs["discount"], jobs["noise"] = told.discount, told.noise
        jobs["perfect_information"] = (
            self.game.rules.perfect_information and self.game.rules.seats[0] == 2 and not (told.duel or told.against)
        )
        return jobs

    def _sides(self) -> np.ndarray:
        """The rows of each trial's players: one twice, or the two of a duel, or a net and the first of those it learns against."""
        first = np.arange(self.trials)
        second = first + self.trials if self.options.duel else first
        if self.options.against:
            second = np.full(self.trials, len(self.nets) + 1)
        return np.stack([first, second], axis=1)

    def _on_line(self, deal: int, games: int) -> None:
        jobs = self._lessons(1, deal // 2 if self.options.duel or self.options.against else deal, games)
        jobs["target"] = (np.minimum(self._sides(), len(self.nets) - 1) * self.nets.shape[1])[:, None]
        weights = self.nets.reshape(-1)
        self.game.td_runner.run(jobs.ravel(), self.table, weights, weights, self.flip, self.threads)

    def _averaged(self, deal: int, games: int) -> None:
        jobs = self._lessons(games, deal, 1)
        places = np.arange(self.trials * games).reshape(self.trials, games) * self.nets.shape[1]
        jobs["target"] = places[:, :, None]
        changes = np.zeros((self.trials, games, self.nets.shape[1]), np.float32)
        self.game.td_runner.run(
            jobs.ravel(), self.table, self.nets.reshape(-1), changes.reshape(-1), self.flip, self.threads
        )
        self.nets += changes.mean(axis=1)

    # Curves.

    def _measure(self) -> int:
        """The present nets against the benchmark, and against themselves or their rivals: a point of the curves."""
        point = -(-self.step // self.options.curve_every) - 1
        played = 0
        for setting, opponents, pairs in (
            ("benchmark", [len(self.nets)] * self.trials, self.options.benchmark_pairs),
            ("training", self._sides()[:, 1].tolist(), self.options.training_pairs),
        ):
            if pairs:
                jobs = make_matchups(self.trial_seeds, opponents, pairs, setting, self.step)
                tallies, _ = self.game.launcher.play(jobs, self.table, self.nets.reshape(-1), self.threads)
                self.measured.add(setting, point, tallies)
                played += len(jobs)
        return played

    def settings(self) -> dict[str, str]:
        told = {"benchmark": self.options.benchmark}
        return told | ({"training": "its training opponent"} if self.options.training_pairs else {})

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        every = self.options.curve_every
        full = self.step // every if self.step < self.steps else -(-self.steps // every)
        games = np.minimum((np.arange(full) + 1) * every * self.options.step_games, self.options.games)
        return games, self.measured.first(full)

    def headline(self) -> str:
        games, points = self.curves()
        won = points.get("benchmark.player.won")
        return f"won {won[:, -1].mean():.1%}" if won is not None and len(games) else ""

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            "nets": self.nets,
            "mean": self.mean,
            "averaged": np.array([self.averaged]),
            **self.measured.arrays(),
            **self.history.arrays(),
        }

    def expected(self, step: int) -> dict[str, Numbers]:
        found, told = super().expected(step), self.options
        pairs = {"benchmark": told.benchmark_pairs, "training": told.training_pairs}
        met = [setting for setting in pairs if pairs[setting] and self.measured_by(step)]
        return found | {"averaged": found["averaged"].within(0, step)} | self.measured.expected(met)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step, self.nets, self.mean = step, arrays["nets"].copy(), arrays["mean"].copy()
        self.averaged = int(arrays["averaged"][0])
        self.measured.restore(arrays)
        self.history.restore(arrays)

    def diverged(self) -> bool:
        return not np.isfinite(self.nets).all()

    def champions(self) -> list[Net]:
        return [self._net(trial) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return [
            self._net(trial, self.nets[self.trials + trial]) for trial in range(self.trials if self.options.duel else 0)
        ]

    def snapshots(self, trial: int) -> list[Net]:
        """A trial's net after each of the equal parts of its training."""
        return [
            self._net(trial, weights, mark)
            for weights, mark in zip(self.history.weights[trial], self.history.marks, strict=True)
        ]

    def _company(self) -> str:
        if self.options.against:
            return f"against {', '.join(self.options.against)}"
        return "of duels with another" if self.options.duel else "of self-play"

    def _net(self, trial: int, weights: np.ndarray | None = None, step: int | None = None) -> Net:
        if weights is None:
            weights = self.mean[trial].astype(np.float32) if self.averaged else self.nets[trial]
        games = (self.step if step is None else step) * self.options.step_games
        ancestry = (
            f"weights N(0, {self.options.start:g}), trial {trial}",
            f"{min(games, self.options.games)} games {self._company()}",
        )
        return Net(
            self.game.family,
            self.game.rules.version,
            self.encoding,
            self.shape,
            weights.copy(),
            "td",
            self.seed,
            ancestry,
            policy=self.options.policy,
            input_major=self.game.policies.input_major,
        )


def between(start: float, end: float, progress: float, schedule: str) -> float:
    """A value on its way from start to end."""
    if schedule == "exponential" and start > 0 and end > 0:
        return float(start * (end / start) ** progress)
    return start + (end - start) * progress
