"""Sweeps: the settings of a learner that play best, by successive halving.

All settings train for a short time, the better ones go on, and so in rounds until a few have had a full training. Jamieson and
Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization" (2016).

    plan.json               what is tried; a folder belongs to one plan
    000.safetensors ...     the training of each setting where its last round ended
    000-round-1.json ...    its results in every round
    sweep.json              all settings, the best first
    best.toml               the experiment with the best setting

The result follows from the plan alone, however many processes take part and wherever they were stopped.
"""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import Standing, match
from sparring.arena.play import Progress
from sparring.arena.players import Contestant
from sparring.arena.statistics import Interval, mean_interval
from sparring.errors import Stopped, UserError
from sparring.games import find_game, name_game, name_of
from sparring.kernel.backend import CPU, IN_USE
from sparring.kernel.launch import threads_available
from sparring.kernel.random import derive
from sparring.lab.comparison import WON
from sparring.lab.experiment import Experiment
from sparring.lab.locks import held
from sparring.lab.side_by_side import check_parent, side_by_side
from sparring.lab.sweep_plan import Plan, Setting
from sparring.learn import Training, find_learner
from sparring.learn.checkpoints import Damaged
from sparring.nets.files import SUFFIX, part_of, read_tensors, replace_file, write_tensors
from sparring.reading import read_bytes

MOST_FILE = 1 << 26  # bytes of a JSON file of a sweep
Arrays = dict[str, np.ndarray]
Bars = Callable[[str], Any]  # a context that shows the progress of what is named


@dataclass(frozen=True)
class State:
    """A setting's training where a round ended."""

    step: int = 0
    games: int = 0  # of all trials so far
    diverged: bool = False


@dataclass(frozen=True)
class Round:
    """How far every setting is trained, and how it is judged then."""

    place: int
    games: float  # of all trials; 0: by the share
    share: float  # of a full training's steps
    by: str
    pairs: int

    def over(self, training: Training, games: int) -> bool:
        """Whether a training that has played so many games is at the end of the round."""
        return games >= self.games if self.games else training.step >= self.share * training.steps


@dataclass(frozen=True)
class Tried:
    """A setting and what it reached in its last round."""

    number: int
    setting: Setting
    rounds: int
    games: int  # of all trials
    score: Interval  # over trials
    diverged: bool


@dataclass(frozen=True)
class Sweep:
    """A finished sweep: its settings, the best first."""

    plan: Plan
    folder: Path
    tried: tuple[Tried, ...]

    @property
    def best(self) -> Path:
        """The experiment file with the best setting."""
        return self.folder / "best.toml"

    def json(self) -> dict[str, Any]:
        """The sweep as sweep.json has it and `sparring sweep --json` prints it."""
        options, base = self.plan.options, self.plan.base
        facts: dict[str, Any] = {"sweep": self.plan.name, "game": base.game, "learner": base.learner, "by": options.by}
        facts |= {"opponents": list(base.evaluation.opponents), "seed": options.seed, "trials": options.trials}
        rounds = [{"settings": size, "share": round(share, 6)} for size, share in self.plan.rounds]
        settings = [
            {"number": each.number, "options": each.setting, "rounds": each.rounds, "games": each.games,
             "score": each.score.json(), "diverged": each.diverged}
            for each in self.tried
        ]  # fmt: skip
        played = {"pairs": options.pairs, "games": sum(each.games for each in self.tried), "rounds": rounds}
        return facts | played | {"best": self.tried[0].setting, "settings": settings}


def run_sweep(plan: Plan, runs: Path, threads: int | None, bars: Bars) -> Sweep:
    """Run a sweep to its end, or what is left of it."""
    folder = runs / plan.name
    text = json.dumps(plan.json(), indent=1) + "\n"
    path = folder / "plan.json"
    if path.exists() and read_bytes(path, MOST_FILE) != text.encode():
        raise UserError(f"{folder}: was begun with other settings; delete it, or give the sweep file another name")
    begun = folder.is_dir() and not {each.name for each in folder.iterdir()} - {
        part_of(path).name
    }  # killed in its first write
    if folder.exists() and not path.exists() and not begun:
        raise UserError(f"{folder}: exists already, and is no sweep; give the sweep file another name")
    replace_file(path, text.encode())
    with held(folder / "lock", str(folder)):
        try:
            found = Rounds(plan, folder, threads, bars).play()
        except KeyboardInterrupt:
            raise Stopped("stopped; what is finished is kept, and the same command goes on from there") from None
        replace_file(folder / "sweep.json", (json.dumps(found.json(), indent=1) + "\n").encode())
        replace_file(found.best, plan.chosen(found.tried[0].number).toml().encode())
    return found


class Rounds:
    """The rounds of a sweep."""

    def __init__(self, plan: Plan, folder: Path, threads: int | None, bars: Bars) -> None:
        game = find_game(plan.base.game)
        self.plan, self.folder, self.bars, self.named = plan, folder, bars, name_of(game)
        self.workers = threads or threads_available()
        self.sign = -1 if plan.options.by == "score" and game.rules.lower_is_better else 1

    def play(self) -> Sweep:
        """All rounds; the best of the last round is the result."""
        left, tried = list(range(len(self.plan.settings))), dict[int, Tried]()
        for place, (size, _) in enumerate(self.plan.rounds):
            left = left[:size]
            with self.bars(f"round {place + 1} of {len(self.plan.rounds)}") as progress:
                results = self._round(place, left, progress)
            for number, result in results.items():
                tried[number] = self._tried(number, place, result)
            left = sorted(left, key=lambda number: self._rank(tried[number]))
            left = [number for number in left if not tried[number].diverged]
            if not left:
                raise UserError(
                    f"{self.plan.name}: every setting diverged: no weight stayed a number; try smaller steps"
                )
        return Sweep(self.plan, self.folder, tuple(sorted(tried.values(), key=self._rank)))

    def _rank(self, tried: Tried) -> tuple[Any, ...]:
        """Settings that came further are better, then those with a better score, then the first."""
        return (tried.diverged, -tried.rounds, -self.sign * tried.score.value, tried.number)

    def _tried(self, number: int, place: int, result: dict[str, Any]) -> Tried:
        scores = np.array(result["scores"], float)
        score = mean_interval(scores) if len(scores) else Interval(0.0, -np.inf, np.inf)
        return Tried(number, self.plan.settings[number], place + 1, result["games"], score, result["diverged"])

    def _round(self, place: int, left: list[int], progress: Progress) -> dict[int, dict[str, Any]]:
        """The results of a round, by setting: stored ones, and the others as they come."""
        paths = {number: self.folder / f"{number:03d}-round-{place + 1}.json" for number in left}
        todo = [number for number in left if not paths[number].exists()]
        progress(len(left) - len(todo), len(left))
        for done, (number, (state, arrays, scores)) in enumerate(self._calls(place, todo), 1):
            facts = {"round": place + 1, "step": state.step, "games": state.games, "diverged": state.diverged}
            if not state.diverged:
                write_tensors(self._checkpoint(number), arrays, facts)
            result = facts | {"scores": [round(score, 9) for score in scores]}
            replace_file(paths[number], (json.dumps(result) + "\n").encode())
            progress(len(left) - len(todo) + done, len(left))
        return {number: self._stored(path, place) for number, path in paths.items()}

    def _stored(self, path: Path, place: int) -> dict[str, Any]:
        """A setting's result in a round; one that no sweep writes is refused."""
        with self._undamaged(path):
            result = json.loads(read_bytes(path, MOST_FILE))
            _check_facts(result, place)
            scores = np.array(result["scores"])
            most = 0 if result["diverged"] else self.plan.options.trials
            if scores.shape != (most,) or scores.dtype.kind not in "if" or not np.isfinite(scores).all():
                raise ValueError(f"not {most} scores")
        return result  # type: ignore[no-any-return]

    @contextmanager
    def _undamaged(self, path: Path) -> Iterator[None]:
        """In this block, a file that no sweep writes is refused in one line."""
        try:
            yield
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
            raise UserError(f"{path}: damaged, or not of this sweep; delete {self.folder} to start again") from None

    def _calls(self, place: int, todo: list[int]) -> Iterator[tuple[int, Any]]:
        """What `train_setting` returns for some settings: on a cluster, in processes, or here."""
        calls = [self._arguments(number, place) for number in todo]
        if "map" in IN_USE.get().capabilities:
            yield from zip(todo, IN_USE.get().map(train_setting, calls), strict=True)
            return
        alone = min(len(calls), 1) if self.workers > 1 else len(calls)  # the first compiles for all others
        for number, call in zip(todo[:alone], calls[:alone], strict=True):
            yield number, train_setting(*call)
        if calls[alone:]:
            workers = min(self.workers, len(calls) - alone)
            for n, result in side_by_side(train_alone, [(os.getpid(), *call) for call in calls[alone:]], workers):
                yield todo[alone + n], result

    def _arguments(self, number: int, place: int) -> tuple[Any, ...]:
        state, arrays, path = State(), dict[str, np.ndarray](), self._checkpoint(number)
        if place and path.exists():
            arrays, facts = read_tensors(path)
            with self._undamaged(path):
                _check_facts(facts, facts["round"] - 1)
            state = State(facts["step"], facts["games"])
        elif place:
            raise UserError(f"{path}: is missing; delete {self.folder} to start again")
        options, share = self.plan.options, self.plan.rounds[place][1]
        judged = Round(place, share * options.games * options.trials, share, options.by, options.pairs)
        return self.named, self.plan.experiment(number), state, arrays, judged

    def _checkpoint(self, number: int) -> Path:
        return self.folder / f"{number:03d}{SUFFIX}"


def _check_facts(facts: dict[str, Any], place: int) -> None:
    """Raise an error where a file does not say how far a setting is trained after a round."""
    kinds = {"round": int, "step": int, "games": int, "diverged": bool}
    if any(type(facts[name]) is not kind for name, kind in kinds.items()):
        raise ValueError("a value of another type")
    if facts["round"] != place + 1 or facts["step"] < 0 or not 0 <= facts["games"] < 1 << 63:
        raise ValueError("a number out of its range")


# In a process, or on a worker of a cluster.


def train_alone(
    parent: int, named: str, experiment: Experiment, state: State, arrays: Arrays, judged: Round
) -> tuple[State, Arrays, list[float]]:
    """`train_setting` in a process of its own, which ends with its parent or by Ctrl-C."""
    with _interruptible():
        return train_setting(named, experiment, state, arrays, judged, lambda: check_parent(parent))


@contextmanager
def _interruptible() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def train_setting(
    named: str,
    experiment: Experiment,
    state: State,
    arrays: Arrays,
    judged: Round,
    check: Callable[[], None] = lambda: None,
) -> tuple[State, Arrays, list[float]]:
    """Train a setting to the end of a round and play its opponents: where it stands, its arrays, and every trial's score.

    `named` is the game as the user named it; `check` is called after every step, and may stop it.
    """
    token = IN_USE.set(CPU)
    try:
        name_game(named)
        kind, game = find_learner(experiment.learner)[1], find_game(experiment.game)
        training = kind(game, experiment.options, experiment.seed, experiment.trials, 1)
        if arrays:
            _resume(training, state.step, arrays)
        games = state.games
        while training.step < training.steps and not judged.over(training, games):
            games += training.advance()
            check()
            if training.diverged():
                return State(training.step, games, True), {}, []
        return State(training.step, games), training.arrays(), scores(training, experiment, judged)
    finally:
        IN_USE.reset(token)


def _resume(training: Training, step: int, arrays: Arrays) -> None:
    try:
        training.resume(step, {name: array.copy() for name, array in arrays.items()})
    except Damaged as fault:
        raise UserError(
            f"a setting's training is damaged ({fault}); delete the sweep's folder to start again"
        ) from None


def scores(training: Training, experiment: Experiment, judged: Round) -> list[float]:
    """Every trial's score: its champion's mean over the opponents, on deals of this round alone."""
    found, opponents = [], experiment.evaluation.opponents
    options: dict[str, Any] = {"pairs": judged.pairs, "threads": 1, "seating": experiment.evaluation.seating}
    options["seed"] = derive(experiment.seed, "round", judged.place)
    for net in training.champions():
        player = Contestant("champion", net.policy, net)
        met = [match(training.game, player, opponent, **options).players[0] for opponent in opponents]
        found.append(float(np.mean([_value(each, judged.by) for each in met])))
    return found


def _value(player: Standing, by: str) -> float:
    return (player.win_rate if by == WON else player.score if by == "score" else player.fitness[by]).value
