"""The base of all learners: networks, trial seeds, curves, champions and checkpoints, so that a learner's file holds its idea."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.arena.players import fill_net, find_player, pack_players
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.launch import Player
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Damaged, Numbers, Saved, check_numbers, with_present_names
from sparring.learn.curves import Curves
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import SUFFIX

CHAMPIONS = "champions"  # a run's folder with the champion of each trial
Panel = tuple[str, dict[str, str]]  # a figure of recorded numbers: its measure, and the curve of each line by label
Matchup = tuple[
    int | list[int], int, tuple[str, ...]
]  # opponents' rows of the table, pairs of games, words of the seed


def make_matchups(trial_seeds: list[int], opponent: int | list[int], pairs: int, *purpose: int | str) -> np.ndarray:
    """Games of every trial's network, row t of the table, with one opponent or one each; every trial has separate deals."""
    rows = [opponent] * len(trial_seeds) if isinstance(opponent, int) else opponent
    seeds = [derive(seed, *purpose) for seed in trial_seeds]
    return np.concatenate([paired_jobs(seed, np.array([t, rows[t]]), pairs) for t, seed in enumerate(seeds)])


class Training(ABC):
    """Independent trials side by side, trained step by step. `arrays()` holds their state; nothing else survives a stop.

    A learner defines `check`, `duration`, `begin` and `advance`, and whatever it does differently from the defaults here.
    """

    learner: ClassVar[str]  # the name in experiment and network files
    unit: str = "epoch"  # of the training's length, and of the curves' horizontal axis
    crowded: bool = False  # whether a step of one trial has enough games to occupy a cluster
    # How arrays are laid out, so that a cluster can extract the arrays of some trials. A name that begins with a number and a
    # slash belongs to that trial. Every other array has one row per trial, except: "sides", rows of all players followed by
    # rows of all opponents; "second", trials are the second axis; "shared", one array for all trials.
    layout: ClassVar[Mapping[str, str]] = {}
    step: int = 0
    pause: int = 0  # a step that `advance` must not pass where it takes several at once; 0 for none
    kind: str = "sigmoid"  # of the networks
    shape: tuple[int, ...]
    nets: np.ndarray  # weights; the first rows are the trials' own networks
    weights: np.ndarray  # of all players of the table; `nets` is its first part
    table: np.ndarray  # of players: all rows of `nets`, then others

    def __init__(
        self, game: Game, options: Any, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        """Create trials, numbered from `first`. A trial depends on the seed and its number, not on how many trials there are."""
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.first, self.trial_seeds = first, [derive(seed, "trial", first + trial) for trial in range(trials)]
        self.sign = -1 if game.rules.lower_is_better else 1  # of a lead in points
        self.encoding = getattr(options, "encoding", "") or game.encoding_names[0]
        self.inputs = game.policies.encodings[self.encoding]
        self.every = getattr(options, "curve_every", 1)
        self.length, self.stride = self.duration()
        self.steps = -(-self.length // self.stride)
        self.measured = Curves(game, trials, -(-self.steps // self.every))
        self.recorded: dict[str, np.ndarray] = {}  # further curves
        self.begin()
        parts = getattr(options, "snapshots", 0)
        self.marks = [-(-self.steps * (part + 1) // parts) for part in range(parts)]  # steps with a snapshot
        self.past = np.zeros((trials, parts, self.nets.shape[1] if parts else 0), np.float32)

    # What a learner defines.

    @classmethod
    @abstractmethod
    def check(cls, game: Game, options: Any) -> None:
        """Refuse options that do not fit the game."""

    @classmethod
    def lasting(cls, options: Any, games: int) -> Any:
        """The same options for a training of about so many games in each trial.

        For learners that count games, or something with a fixed number of games.
        """
        advice = "leave it out, and the training is as long as its options say"
        raise UserError(f"games = {games}: {cls.learner} does not count games; {advice}")

    @abstractmethod
    def duration(self) -> tuple[int, int]:
        """The length of the training in its unit, and the units of one step."""

    @abstractmethod
    def begin(self) -> None:
        """Create the networks and everything else that changes during the training."""

    @abstractmethod
    def advance(self) -> int:
        """Take one step in every trial, or several where that is faster; returns the number of games played."""

    # Networks and games.

    def first_weights(self, *words: str) -> np.ndarray:
        """Initial weights of every trial: Gaussian numbers that depend on the trial and on some words, or those of a network."""
        if initial := getattr(self.options, "initial", ""):
            return np.array([self._initial(name) for name in self._initial_names(initial)])
        count = size(self.shape, self.kind)
        starts = [gaussian(count, seed, "start", *words) for seed in self.trial_seeds]
        return np.asarray(np.float32(self.options.start) * np.array(starts))

    def _initial_names(self, name: str) -> list[str]:
        """The network that each trial starts from: its own where a run's folder of champions is named, else the same for all."""
        folder = Path(name)
        if folder.name != CHAMPIONS or not folder.is_dir():
            return [name] * self.trials
        return [str(folder / f"{self.first + trial:03d}{SUFFIX}") for trial in range(self.trials)]

    def _initial(self, name: str) -> np.ndarray:
        """The weights of the network that training starts from, which must be of the same form as what is trained."""
        found, own = find_player(self.game, name).net, self.net(np.zeros(0, np.float32))
        form = [(net.encoding, net.shape, net.kind, net.input_major) if net else None for net in (found, own)]
        if found is None or form[0] != form[1]:
            wanted = f"a {self.kind} network of {'-'.join(map(str, self.shape))} on {self.encoding}"
            seen = f"{'-'.join(map(str, found.shape))} on {found.encoding}" if found else "no network"
            raise UserError(f"learner.initial = {name!r}: is {seen}; this training needs {wanted}")
        return found.weights.astype(np.float32)

    def make_table(self, *others: str) -> np.ndarray:
        """The table of players: all rows of `nets`, then other players, whose weights follow those of `nets`."""
        count, floats = len(self.nets), self.nets.size
        table = np.zeros(count + len(others), Player)
        fill_net(table[:count], self.game, self.net(self.nets[0]), np.arange(count) * self.nets.shape[1])
        contestants = [find_player(self.game, name) for name in others]
        table[count:], weights = pack_players(self.game, contestants)
        table["offset"][count:] += floats
        known = weights if any(contestant.net for contestant in contestants) else weights[:0]
        self.weights = np.concatenate([self.nets.reshape(-1), known])
        self.nets = self.weights[:floats].reshape(self.nets.shape)
        return table

    def play(self, jobs: np.ndarray, game: Game | None = None) -> np.ndarray:
        """The tallies of some games of players in the table, by the training's rules or by others of the same game."""
        return (game or self.game).launcher.play(jobs, self.table, self.weights, self.threads)[0]

    def diverged(self) -> bool:
        """Whether a weight is no longer a finite number."""
        return not np.isfinite(self.nets).all()

    def net(self, weights: np.ndarray, *ancestry: str) -> Net:
        """Some weights as a network of this training."""
        policy, input_major = getattr(self.options, "policy", "net"), self.game.policies.input_major
        origin = self.learner, self.seed, ancestry, self.kind, policy, input_major and self.kind == "sigmoid"
        return Net(self.game.family, self.game.rules.version, self.encoding, self.shape, weights.copy(), *origin)

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        """How a trial's network came about, for its file; `step` for a network of an earlier step."""
        return ()

    def champions(self) -> list[Net]:
        """The result of each trial."""
        return [self.net(self.nets[trial], *self.ancestry(trial)) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        """A network that is saved beside each champion, such as its training opponent; may be empty."""
        return []

    def take_snapshot(self) -> None:
        """Keep the networks if one of the equal parts of the training ends with the step just taken."""
        for part, mark in enumerate(self.marks):
            if mark == self.step:
                self.past[:, part] = self.nets[: self.trials]

    def snapshots(self, trial: int) -> list[Net]:
        """A trial's network after each part of the training, which show whether more training helped."""
        return [self.net(self.past[trial, part], *self.ancestry(trial, mark)) for part, mark in enumerate(self.marks)]

    # Curves.

    def settings(self) -> dict[str, str]:
        """The opponents during training: the first word of their curves' names, and a description."""
        return {"benchmark": self.options.benchmark}

    def matchups(self) -> dict[str, Matchup]:
        """The games for each point of the curves, by the first word of their names."""
        return {"benchmark": (len(self.nets), self.options.benchmark_pairs, ("benchmark",))}

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
        """The places at which learning was measured so far, and each measure as (trials, points[, labels])."""
        full = self.step // self.every if self.step < self.steps else self.measured.points
        places = np.minimum((np.arange(full) + 1) * self.every * self.stride, self.length)
        recorded = {name: values[:, :full] for name, values in self.recorded.items()}
        return places, recorded | self.measured.first(full)

    def panels(self) -> list[Panel]:
        """Figures of what the learner records beside its games."""
        return []

    def headline(self) -> str:
        """The current state of learning in a few words, for the progress bar."""
        points, curves = self.curves()
        won = curves.get(f"{next(iter(self.settings()), '')}.player.won")
        return f"won {won[:, -1].mean():.1%}" if won is not None and len(points) else ""

    # Checkpoints.

    def saved(self, step: int) -> dict[str, Saved]:
        """The arrays of fixed shape that a checkpoint holds, with the ranges of their numbers after `step` steps."""
        return {"nets": Saved(self.nets)} | ({"snapshots": Saved(self.past)} if self.marks else {})

    def arrays(self) -> dict[str, np.ndarray]:
        """The state of the training, for a checkpoint."""
        return {name: saved.array for name, saved in self.saved(self.step).items()} | self.measured.arrays()

    def expected(self, step: int) -> dict[str, Numbers]:
        """The arrays that this training has after `step` steps."""
        own = {name: Numbers.like(*saved) for name, saved in self.saved(step).items()}
        return own | self.measured.expected(self.measured_by(step))

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Raise Damaged for arrays that this training cannot have after `step` steps."""
        check_numbers(arrays, self.expected(step))

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Return to the state that `arrays` returned after `step` steps."""
        self.step = step
        for name, saved in self.saved(step).items():
            saved.array[...] = arrays[name]
        self.measured.restore(arrays)

    def resume(self, step: Any, arrays: dict[str, np.ndarray]) -> None:
        """Call `restore` on a new training with an untrusted checkpoint; Damaged if this training cannot have written it."""
        if type(step) is not int or not 0 <= step <= self.steps:
            raise Damaged(f"step is {repr(step)[:20]}, not a whole number from 0 to {self.steps}")
        arrays = with_present_names(arrays, self.expected(step))
        self.check_arrays(step, arrays)
        self.restore(step, arrays)
