"""Hill-climbing: a champion is challenged by a changed copy of itself, for any game.

Two of its kinds are published. Pollack and Blair, "Co-evolution in the successful learning of backgammon strategy" (1998): all
weights start at 0, a challenger has Gaussian noise added to each, plays the champion with the same dice for both sides, and if
it wins enough of the games the champion moves 5% towards it; how many is enough grows with time. "Co-evolutionary Backgammon
Player" (2017): one weight is changed, a hundred games are played, and the better of the two is kept.
"""

from dataclasses import dataclass

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant, paired_jobs
from sparring.arena.players import fill_builtin, fill_net
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.launch import LAYERS, Player
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Numbers
from sparring.learn.curves import Curves
from sparring.learn.imitation import imitate
from sparring.learn.training import (
    Training,
    check_builtin,
    check_encoding,
    check_policy,
    make_matchups,
    read_wins,
    trial_seeds,
)
from sparring.nets.dense import FARTHEST, WIDEST, Net, gaussian, size
from sparring.options import option

CHANGES = ("all", "one")
DEALS = ("paired", "own")
WINDOW = 1000  # challenges over which the share of winners is taken


@dataclass(frozen=True)
class HillClimbing:
    """The options of hill-climbing."""

    encoding: str = option("", "what the net sees; empty for the game's first")
    hidden: int = option(20, "hidden units of a sigmoid net", 1, 4096)
    layers: str = option("", "units of each layer of a linear net, as 2-1-2; empty for a sigmoid net")
    policy: str = option("net", "how the net chooses: net, or another of the game's policies for nets")
    challenges: int = option(10_000, "challenges", 1, 100_000_000)
    wins: str = option(
        "3/4", "games a challenger must win, and of how many; later: 3/4, 5/6@10000 from that challenge on"
    )
    raise_at: float = option(
        0.0,
        "go on to the next of `wins` when more than this share of 1,000 challenges was won; 0: at their numbers",
        0,
        1,
    )
    deals: str = option(
        "paired",
        "each deal in both seatings, or a deal of its own for every game, so that equals differ by luck",
        choices=DEALS,
    )
    change: str = option("all", "a challenger's change: noise on all weights, or a step of one", choices=CHANGES)
    deviation: float = option(0.05, "standard deviation of the noise, or the longest step", 0, 1000)
    least: float = option(0.0, "the shortest step of one weight", 0, 1000)
    move: float = option(0.05, "how far the champion moves towards a challenger who wins; 1 replaces it", 0, 1)
    start: float = option(0.0, "standard deviation of the first weights", 0, 1000)
    imitate: str = option("", "a built-in player to imitate before the first challenge; empty for none")
    imitations: int = option(1000, "changes tried while imitating", 1, 10_000_000)
    benchmarks: tuple[str, ...] = option(("random",), "whom the champion meets for the curves alone")
    benchmark_pairs: int = option(50, "pairs of games with each for every point of the curves", 0, 1_000_000)
    curve_every: int = option(100, "challenges between two points of the curves", 1, 100_000_000)


def read_layers(text: str) -> tuple[int, ...]:
    """`2-1-2` as numbers."""
    words = text.split("-")
    if len(words) > LAYERS or any(not word.isdecimal() or not 1 <= int(word) <= WIDEST for word in words):
        raise UserError(f"learner.layers = {text!r}: must be up to {LAYERS} numbers from 1 to {WIDEST}, as 2-1-2")
    return tuple(map(int, words))


class HillClimbingTraining(Training):
    """Many trials of hill-climbing at once. Row t of `nets` is trial t's champion, row trials + t its challenger."""

    unit = "challenge"
    layout = {"nets": "sides"}
    options: HillClimbing

    def __init__(
        self, game: Game, options: HillClimbing, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.encoding = options.encoding or game.encoding_names[0]
        self.kind = "linear" if options.layers else "sigmoid"
        units = read_layers(options.layers) if options.layers else (options.hidden, 1)
        self.shape = (game.policies.encodings[self.encoding], *units)
        self.steps, self.wins = options.challenges, read_wins(options.wins, timed=not options.raise_at)
        self.trial_seeds = trial_seeds(seed, trials, first)
        count = size(self.shape, self.kind)
        starts = np.array([gaussian(count, s, "start") for s in self.trial_seeds])
        self.nets = np.float32(options.start) * np.concatenate([starts, starts])
        self.accepted = np.zeros(trials, np.int64)
        self.level = np.zeros(trials, np.int64)  # which of `wins` each trial is at, and what it had won when it last
        self.counted = np.zeros(trials, np.int64)  # looked
        self.table = np.zeros(2 * trials + len(options.benchmarks), Player)
        fill_net(self.table[: 2 * trials], game, self._net(0), np.arange(2 * trials) * count)
        for row, name in zip(self.table[2 * trials :], options.benchmarks, strict=True):
            fill_builtin(row, game, name)
        points = -(-self.steps // options.curve_every)
        self.measured = Curves(game, trials, points)
        self.history = np.zeros((trials, points, count), np.float32)  # the champions at every point
        self.jobs: dict[tuple[int, int], np.ndarray] = {}

    @classmethod
    def check(cls, game: Game, options: HillClimbing) -> None:
        if 2 not in game.rules.seats:
            raise UserError(f"learner.name: climbing is for two seats, and {game.name} has {game.rules.seats}")
        check_encoding(game, options.encoding)
        check_builtin(game, "benchmarks", *options.benchmarks)
        check_builtin(game, "imitate", *((options.imitate,) if options.imitate else ()))
        check_policy(game, options.policy)
        if options.least > options.deviation:
            raise UserError(f"learner.least = {options.least}: must not be more than deviation = {options.deviation}")
        if options.layers:
            read_layers(options.layers)
            if "linear" not in game.policies.kinds:
                raise UserError(f"learner.layers = {options.layers!r}: {game.name} is not played by linear nets")
        read_wins(options.wins, timed=not options.raise_at)

    def advance(self) -> int:
        if self.step == 0 and self.options.imitate:
            self._imitate()
        rules = [self.wins[level] for level in self._levels()]
        for trial in range(self.trials):
            self.nets[self.trials + trial] = self.nets[trial] + self._change(trial, self.step)
        jobs = np.concatenate([self._jobs(trial, games // 2) for trial, (_, _, games) in enumerate(rules)])
        tallies, _ = self.game.launcher.play(jobs, self.table, self.nets.reshape(-1), self.threads)
        won = winners(by_contestant(tallies["score"], 2).astype(float), self.game.rules.lower_is_better)[0][
            ..., 1
        ].ravel()
        parts = np.split(won, np.cumsum([games for _, _, games in rules])[:-1])
        for trial, ((_, wins, _), part) in enumerate(zip(rules, parts, strict=True)):
            if part.sum() >= wins:
                self._accept(trial)
        self.step += 1
        return len(jobs) + self._measure()

    def _levels(self) -> list[int]:
        """Which of `wins` holds for each trial."""
        if not self.options.raise_at:
            return [max(i for i, rule in enumerate(self.wins) if rule[0] <= self.step)] * self.trials
        if self.step and self.step % WINDOW == 0:
            often = self.accepted - self.counted > self.options.raise_at * WINDOW
            self.level = np.minimum(self.level + often, len(self.wins) - 1)
            self.counted = self.accepted.copy()
        return self.level.tolist()

    def _accept(self, trial: int) -> None:
        """Move the champion towards its challenger."""
        champion, challenger = self.nets[trial], self.nets[self.trials + trial]
        step = np.float32(self.options.move) * (challenger - champion)
        self.nets[trial] = challenger if self.options.move == 1 else champion + step
        self.accepted[trial] += 1

    def _jobs(self, trial: int, pairs: int) -> np.ndarray:
        """This challenge's games of a trial. Deals are counted by challenge, so that no two have the same."""
        if (trial, pairs) not in self.jobs:
            contestants = np.array([trial, self.trials + trial])
            self.jobs[trial, pairs] = paired_jobs(derive(self.trial_seeds[trial], "games"), contestants, pairs)
        most = max(games for _, _, games in self.wins)
        jobs = self.jobs[trial, pairs].copy()
        jobs["luck"] += self.step * most
        jobs["deal"] = jobs["luck"] if self.options.deals == "own" else jobs["deal"] + self.step * most // 2
        return jobs

    def _change(self, trial: int, number: int, purpose: str = "challenge") -> np.ndarray:
        """A challenger's difference from its champion."""
        seed, count = self.trial_seeds[trial], self.nets.shape[1]
        if self.options.change == "all":
            return np.float32(self.options.deviation) * gaussian(count, seed, purpose, number)
        draw = derive(seed, purpose, number)
        change = np.zeros(count, np.float32)
        length = self.options.least + (self.options.deviation - self.options.least) * (draw >> 40) / 2**24
        change[(draw & 0xFFFFFFFF) % count] = length if draw >> 32 & 1 else -length
        return change

    def _imitate(self) -> None:
        for trial, seed in enumerate(self.trial_seeds):
            changes = (self._change(trial, n, "imitation") for n in range(self.options.imitations))
            self.nets[trial] = imitate(
                self.game, self._net(trial), self.options.imitate, changes, derive(seed, "examples")
            )

    # Curves.

    def _measure(self) -> int:
        """Where a point of the curves is due, let the champions meet the benchmarks."""
        every, pairs = self.options.curve_every, self.options.benchmark_pairs
        if self.step % every and self.step < self.steps:
            return 0
        point = -(-self.step // every) - 1
        self.history[:, point] = self.nets[: self.trials]
        for i, name in enumerate(self.options.benchmarks if pairs else ()):
            jobs = make_matchups(self.trial_seeds, 2 * self.trials + i, pairs, "benchmark", name, self.step)
            tallies, _ = self.game.launcher.play(jobs, self.table, self.nets.reshape(-1), self.threads)
            self.measured.add(name, point, tallies)
        return 2 * pairs * self.trials * len(self.options.benchmarks)

    def settings(self) -> dict[str, str]:
        return {name: name for name in self.options.benchmarks}

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        every = self.options.curve_every
        full = self.step // every if self.step < self.steps else -(-self.steps // every)
        return np.minimum((np.arange(full) + 1) * every, self.steps), self.measured.first(full)

    def headline(self) -> str:
        points, curves = self.curves()
        won = curves.get(f"{self.options.benchmarks[0]}.player.won") if self.options.benchmarks else None
        return f"won {won[:, -1].mean():.1%}" if won is not None and len(points) else ""

    def snapshot(self, trial: int, challenge: int) -> Net:
        """A trial's champion as it was at the last point of the curves up to a challenge."""
        point = max(0, challenge // self.options.curve_every - 1)
        return self._net(trial, self.history[trial, point].copy(), challenge)

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            "nets": self.nets,
            "accepted": self.accepted,
            "level": self.level,
            "counted": self.counted,
            "history": self.history,
            **self.measured.arrays(),
        }

    def expected(self, step: int) -> dict[str, Numbers]:
        found, told = super().expected(step), self.options
        far = FARTHEST * (told.start + (step + told.imitations) * told.deviation)
        found |= {name: found[name].within(-far, far) for name in ("nets", "history")}
        found |= {name: found[name].within(0, step) for name in ("accepted", "counted")}
        found["level"] = found["level"].within(0, len(self.wins) - 1)
        return found | self.measured.expected(
            told.benchmarks if told.benchmark_pairs and self.measured_by(step) else ()
        )

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step, self.nets, self.accepted = step, arrays["nets"].copy(), arrays["accepted"].copy()
        self.level, self.counted = arrays["level"].copy(), arrays["counted"].copy()
        self.history = arrays["history"].copy()
        self.measured.restore(arrays)

    def diverged(self) -> bool:
        return not np.isfinite(self.nets).all()

    def champions(self) -> list[Net]:
        return [self._net(trial) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return []

    def _net(self, trial: int, weights: np.ndarray | None = None, challenges: int | None = None) -> Net:
        told = self.options
        ancestry = (
            f"weights N(0, {told.start:g}), trial {trial}" + (f", imitating {told.imitate}" if told.imitate else ""),
            f"{self.step if challenges is None else challenges} challenges, {self.accepted[trial]} of {self.step} won",
        )
        return Net(
            self.game.family,
            self.game.rules.version,
            self.encoding,
            self.shape,
            self.nets[trial].copy() if weights is None else weights,
            "climbing",
            self.seed,
            ancestry,
            self.kind,
            told.policy,
            self.game.policies.input_major and self.kind == "sigmoid",
        )
