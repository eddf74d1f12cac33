"""The common part of all learners, so that a learner's file holds only its idea: options, `advance`, and what is special."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.arena.players import fill_builtin, fill_net
from sparring.games import Game
from sparring.kernel.launch import Player
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Numbers, Saved
from sparring.learn.curves import Curves
from sparring.learn.training import Training
from sparring.nets.dense import Net, gaussian, size

Matchup = tuple[
    int | list[int], int, tuple[str, ...]
]  # opponents by row of the table, pairs of games, seed words of the deals


def make_matchups(trial_seeds: list[int], opponent: int | list[int], pairs: int, *purpose: int | str) -> np.ndarray:
    """Games of every trial's network, row t of the table, with one opponent or one each; every trial has separate deals."""
    rows = [opponent] * len(trial_seeds) if isinstance(opponent, int) else opponent
    return np.concatenate(
        [paired_jobs(derive(s, *purpose), np.array([t, rows[t]]), pairs) for t, s in enumerate(trial_seeds)]
    )


class NetTraining(Training):
    """Trials of networks of one shape. The first `trials` rows of `nets` are the trials' own networks."""

    learner: ClassVar[str]  # the name in experiment and network files
    kind: str = "sigmoid"
    shape: tuple[int, ...]
    nets: np.ndarray
    table: np.ndarray  # of players: all rows of `nets`, then built-in players

    def __init__(
        self, game: Game, options: Any, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.trial_seeds = [derive(seed, "trial", first + trial) for trial in range(trials)]
        self.encoding = getattr(options, "encoding", "") or game.encoding_names[0]
        self.inputs = game.policies.encodings[self.encoding]
        self.every = getattr(options, "curve_every", 1)
        self.length, self.stride = self.duration()
        self.steps = -(-self.length // self.stride)
        self.measured = Curves(game, trials, -(-self.steps // self.every))
        self.recorded: dict[str, np.ndarray] = {}  # further curves
        self.begin()
        parts = getattr(options, "snapshots", 0)
        self.marks = [-(-self.steps * (part + 1) // parts) for part in range(parts)]
        self.past = np.zeros(
            (trials, parts, self.nets.shape[1] if parts else 0), np.float32
        )  # nets after each of these steps

    @abstractmethod
    def duration(self) -> tuple[int, int]:
        """The length of the training in its unit, and the units of one step."""

    @abstractmethod
    def begin(self) -> None:
        """Create the networks and everything else that changes during the training."""

    def first_weights(self, *words: str) -> np.ndarray:
        """Initial weights of every trial: Gaussian numbers that depend on the trial and on some words."""
        count = size(self.shape, self.kind)
        starts = [gaussian(count, seed, "start", *words) for seed in self.trial_seeds]
        return np.asarray(np.float32(self.options.start) * np.array(starts))

    def make_table(self, *builtin: str) -> np.ndarray:
        """The table of players: all rows of `nets`, then built-in players."""
        count = len(self.nets)
        table = np.zeros(count + len(builtin), Player)
        fill_net(table[:count], self.game, self.net(self.nets[0]), np.arange(count) * self.nets.shape[1])
        for row, name in zip(table[count:], builtin, strict=True):
            fill_builtin(row, self.game, name)
        return table

    def play(self, jobs: np.ndarray) -> np.ndarray:
        """The tallies of some games of players in the table."""
        return self.game.launcher.play(jobs, self.table, self.nets.reshape(-1), self.threads)[0]

    # Curves.

    def matchups(self) -> dict[str, Matchup]:
        """The games for each point of the curves, by the first word of their names."""
        return {"benchmark": (len(self.nets), self.options.benchmark_pairs, ("benchmark",))}

    def settings(self) -> dict[str, str]:
        return {"benchmark": self.options.benchmark}

    def measured_by(self, step: int) -> list[str]:
        """The settings that have a point of the curves after `step` steps."""
        due = step >= self.every or step == self.steps
        return [setting for setting, (_, pairs, _) in self.matchups().items() if pairs and due]

    @property
    def point(self) -> int:
        """The point of the curves to which the step just taken belongs."""
        return -(-self.step // self.every) - 1

    @property
    def point_due(self) -> bool:
        """Whether the step just taken completes a point of the curves."""
        return self.step % self.every == 0 or self.step == self.steps

    def measure(self) -> int:
        """Play the games of a point of the curves if one is due; returns their number."""
        played = 0
        for setting, (opponents, pairs, words) in self.matchups().items() if self.point_due else ():
            if pairs:
                jobs = make_matchups(self.trial_seeds, opponents, pairs, *words, self.step)
                self.measured.add(setting, self.point, self.play(jobs))
                played += len(jobs)
        return played

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        full = self.step // self.every if self.step < self.steps else self.measured.points
        places = np.minimum((np.arange(full) + 1) * self.every * self.stride, self.length)
        recorded = {name: values[:, :full] for name, values in self.recorded.items()}
        return places, recorded | self.measured.first(full)

    def headline(self) -> str:
        points, curves = self.curves()
        won = curves.get(f"{next(iter(self.settings()), '')}.player.won")
        return f"won {won[:, -1].mean():.1%}" if won is not None and len(points) else ""

    # Snapshots: the networks after equal parts of the training, which show whether more training helped.

    def take_snapshot(self) -> None:
        """Keep the networks if a part of the training ends with the step just taken."""
        for part, mark in enumerate(self.marks):
            if mark == self.step:
                self.past[:, part] = self.nets[: self.trials]

    def snapshots(self, trial: int) -> list[Net]:
        """A trial's network after each part of the training."""
        return [self.net(self.past[trial, part], *self.ancestry(trial, mark)) for part, mark in enumerate(self.marks)]

    # Checkpoints.

    def saved(self, step: int) -> dict[str, Saved]:
        """The arrays of fixed shape that a checkpoint holds, with the ranges of their numbers after `step` steps."""
        return {"nets": Saved(self.nets)} | ({"snapshots": Saved(self.past)} if self.marks else {})

    def arrays(self) -> dict[str, np.ndarray]:
        own = {name: saved.array for name, saved in self.saved(self.step).items()}
        return own | self.measured.arrays()

    def expected(self, step: int) -> dict[str, Numbers]:
        found = {name: Numbers.like(*saved) for name, saved in self.saved(step).items()}
        return found | self.measured.expected(self.measured_by(step))

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step = step
        for name, saved in self.saved(step).items():
            saved.array[...] = arrays[name]
        self.measured.restore(arrays)

    # Results.

    def diverged(self) -> bool:
        return not np.isfinite(self.nets).all()

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        """How a trial's network came about, for its file; `step` for a network of an earlier step."""
        return ()

    def champions(self) -> list[Net]:
        return [self.net(self.nets[trial], *self.ancestry(trial)) for trial in range(self.trials)]

    def net(self, weights: np.ndarray, *ancestry: str) -> Net:
        """Some weights as a network of this training."""
        game = self.game
        return Net(
            game.family,
            game.rules.version,
            self.encoding,
            self.shape,
            weights.copy(),
            self.learner,
            self.seed,
            ancestry,
            self.kind,
            getattr(self.options, "policy", "net"),
            game.policies.input_major and self.kind == "sigmoid",
        )
