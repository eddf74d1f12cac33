"""What every learner provides: a training of many independent trials that can stop and go on at any step."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.errors import UserError
from sparring.games import Game, unknown
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Damaged, Numbers, check_numbers
from sparring.nets.dense import Net

LONGEST_WORD = 30
Panel = tuple[str, dict[str, str]]  # a figure of what was counted: its measure, and the curve of each line


def check_encoding(game: Game, encoding: str) -> None:
    """Refuse inputs that the game does not have; none named is its first."""
    if encoding and encoding not in game.policies.encodings:
        raise UserError(f"learner.encoding = {encoding!r}: {game.name} has {', '.join(game.policies.encodings)}")


def outputs_of(game: Game, policy: str) -> int:
    """How many outputs a policy reads; a value is one."""
    return game.policies.decodings.get(policy, 1)


def check_builtin(game: Game, key: str, *players: str) -> None:
    """Refuse players that are not built in: kernels cannot meet others."""
    for player in players:
        if player not in game.builtin:
            error = unknown("player", player, list(game.builtin))
            raise UserError(f"learner.{key}: must be a built-in player: {error}")


def check_policy(game: Game, policy: str) -> None:
    """Refuse what is no way for nets to choose."""
    policies = [name for name in game.policy_names if name not in game.builtin]
    if policy not in policies:
        raise UserError(f"learner.policy = {policy!r}: must be one of {', '.join(policies)}")


def make_matchups(trial_seeds: list[int], opponent: int | list[int], pairs: int, *purpose: int | str) -> np.ndarray:
    """The games of every trial's net, which is row t of the table, with one opponent or its own: on deals of their own."""
    rows = [opponent] * len(trial_seeds) if isinstance(opponent, int) else opponent
    return np.concatenate(
        [paired_jobs(derive(s, *purpose), np.array([t, rows[t]]), pairs) for t, s in enumerate(trial_seeds)]
    )


def trial_seeds(seed: int, trials: int, first: int) -> list[int]:
    """What each trial's luck follows from: the seed and the trial's own number."""
    return [derive(seed, "trial", first + t) for t in range(trials)]


def read_wins(text: str, timed: bool = True) -> list[tuple[int, int, int]]:
    """`3/4,5/6@10000` as (from which challenge, wins, games); `timed` if each must say when it begins."""
    found = []
    for word in text.replace(" ", "").split(","):
        share, _, since = word.partition("@")
        wins, _, games = share.partition("/")
        if len(word) > LONGEST_WORD or not (wins.isdecimal() and games.isdecimal() and (since or "0").isdecimal()):
            raise UserError(f"learner.wins = {text!r}: {word!r} is not like 3/4 or 5/6@10000")
        found.append((int(since or 0), int(wins), int(games)))
    if any(games % 2 or not 0 < wins <= games or games > 100_000 for _, wins, games in found):
        raise UserError(
            f"learner.wins = {text!r}: games must be even and at least the wins (every deal is played twice)"
        )
    if found[0][0] or found != sorted(found):
        raise UserError(f"learner.wins = {text!r}: the first must hold from the start, and later ones from later on")
    if timed and len({since for since, _, _ in found}) < len(found):
        raise UserError(f"learner.wins = {text!r}: say from which challenge on each holds, as 5/6@10000")
    return found


class Training(ABC):
    """Trials side by side. All that a training has done so far is in `arrays()`; nothing else survives a stop."""

    unit: str = "epoch"  # what curves are counted in
    crowded: bool = False  # whether one trial's step is so many games that a cluster shares out those
    # How arrays lie, of which a cluster takes apart those of some trials. A name that begins with a number and a slash is that
    # trial's own; all others have a row for each trial but for these: "sides", rows of all players and then of all opponents;
    # "second", trials are the second axis; "shared", all trials have it together.
    layout: ClassVar[Mapping[str, str]] = {}
    step: int = 0
    steps: int
    pause: int = 0  # a step that `advance` must not go beyond, where one may take several; 0 for none
    game: Game
    options: Any
    seed: int
    trials: int
    threads: int | None

    @abstractmethod
    def __init__(
        self, game: Game, options: Any, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        """Start so many trials, from the first on. A trial depends on the seed and its own number, not on how many there are."""

    @classmethod
    @abstractmethod
    def check(cls, game: Game, options: Any) -> None:
        """Refuse options that do not fit the game."""

    @abstractmethod
    def advance(self) -> int:
        """Take one step in every trial, or several where that pays; returns the number of games played."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Everything a stopped training needs to go on."""

    @abstractmethod
    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Go on from what `arrays` gave after `step` steps."""

    def resume(self, step: Any, arrays: dict[str, np.ndarray]) -> None:
        """`restore` from a checkpoint that anybody may have written; Damaged where this training did not write such a one.

        The training is one that has just been made.
        """
        if type(step) is not int or not 0 <= step <= self.steps:
            raise Damaged(f"step is {repr(step)[:20]}, not a whole number from 0 to {self.steps}")
        self.check_arrays(step, arrays)
        self.restore(step, arrays)

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        """Refuse, as Damaged, arrays that this training does not have after so many steps."""
        check_numbers(arrays, self.expected(step))

    def expected(self, step: int) -> dict[str, Numbers]:
        """What `arrays` are after so many steps: as those of a new training, but for what a learner adds or narrows."""
        return {name: Numbers.like(array) for name, array in self.arrays().items()}

    def measured_by(self, step: int) -> bool:
        """Whether the curves have a point by then, where one is due every `curve_every` steps and at the end."""
        return bool(step >= self.options.curve_every or step == self.steps)

    @abstractmethod
    def champions(self) -> list[Net]:
        """What each trial hands over."""

    @abstractmethod
    def auxiliary_nets(self) -> list[Net]:
        """What is kept beside each champion, such as its training opponent; may be empty."""

    @abstractmethod
    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The steps at which learning was measured so far, and each measure as (trials, points[, labels])."""

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Whom the trials meet during training: the first word of their curves' names, and who that is."""

    def diverged(self) -> bool:
        """Whether a weight is no longer a number."""
        return False

    def panels(self) -> list[Panel]:
        """Figures of what the learner tells beside those meetings."""
        return []

    @abstractmethod
    def headline(self) -> str:
        """The present state of learning in a few words, for the progress bar."""
