"""Runs: a folder with the resolved experiment, checkpoints and champions; stopped and resumed without a trace.

    experiment.toml         every option written out
    checkpoint.safetensors  everything the training needs to go on
    champions/000.safetensors ...  each trial's champion; companions/ what is kept beside it
    champion.safetensors    the run's champion, chosen on deals of its own
    evaluation.json         which trial's it is, and every champion against each opponent, on yet other deals

Nothing in these files depends on the clock: a run killed at any moment and resumed ends with the same bytes.
"""

import hashlib
import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.backends import use_backend
from sparring.arena.external import UNFINISHED
from sparring.arena.match import Match, match
from sparring.arena.play import Progress
from sparring.arena.players import CHAMPION, Contestant
from sparring.errors import Stopped, UserError
from sparring.games import Game, find_game
from sparring.kernel.backend import CPU, IN_USE
from sparring.kernel.random import derive
from sparring.lab.experiment import Experiment, read_experiment
from sparring.lab.store import Store
from sparring.learn import Training, find_learner
from sparring.learn.checkpoints import Damaged
from sparring.learn.distributed import step_function
from sparring.nets.dense import Net
from sparring.nets.files import SUFFIX, load_net, read_tensors, replace_file, save_net, write_tensors

CHECKPOINT_SECONDS = 10.0
EVALUATION = "evaluation.json"  # written last: a run that has it is finished
Report = Callable[[Training, int], None]  # the training and the games played since the last report


class Run:
    """A run's folder."""

    def __init__(self, folder: Path, experiment: Experiment) -> None:
        self.folder, self.experiment = folder, experiment
        self.game: Game = find_game(experiment.game)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {self.experiment.game}, {self.experiment.trials} trials)"

    @property
    def checkpoint(self) -> Path:
        return self.folder / ("checkpoint" + SUFFIX)

    @property
    def key(self) -> str:
        """The run's name in the results store: two runs share one only if they are the same training."""
        return f"{self.folder.name}-{hashlib.sha256(self.experiment.training_toml().encode()).hexdigest()[:8]}"

    @property
    def finished(self) -> bool:
        try:
            return bool(self.evaluation())
        except UserError:
            return False

    def champion_paths(self) -> list[Path]:
        return [self._net_path("champions", trial) for trial in range(self.experiment.trials)]

    def champions(self) -> list[Contestant]:
        """Every trial's champion, named by its trial."""
        return [self._contestant(path.stem, load_net(path, self.game)) for path in self.champion_paths()]

    def auxiliary_nets(self) -> list[Contestant]:
        """What is kept beside each champion."""
        paths = [self._net_path("companions", trial) for trial in range(self.experiment.trials)]
        return [self._contestant(f"companion {path.stem}", load_net(path, self.game)) for path in paths]

    def _contestant(self, name: str, net: Net) -> Contestant:
        return Contestant(f"{self.folder.name}/{name}", net.policy, net)

    def evaluation(self) -> dict[str, Any]:
        """`champion`: the trial whose champion the run hands over; `trials`: every trial's matches."""
        try:
            told = json.loads((self.folder / EVALUATION).read_text())
            trials = [len(row["matches"]) for row in told["trials"]]
            whole = trials == [len(self.experiment.evaluation.opponents)] * self.experiment.trials
        except (OSError, ValueError, TypeError, KeyError):
            whole = False
        if not whole or told.get("champion") not in range(len(trials)):
            raise UserError(f"{self.folder}: not evaluated yet; finish it with: sparring resume {self.folder}")
        return told  # type: ignore[no-any-return]

    def training(self, threads: int | None = None) -> Training:
        """The training as the checkpoint left it, or at its start."""
        options, training_class = self.experiment.options, find_learner(self.experiment.learner)[1]
        training = training_class(self.game, options, self.experiment.seed, self.experiment.trials, threads)
        if self.checkpoint.exists():
            arrays, told = read_tensors(self.checkpoint)
            if not isinstance(told, dict) or told.get("digest") != digest(arrays, told.get("step")):
                raise self._damaged("its digest does not fit")
            if told.get("experiment") != self.experiment.training_toml():
                raise UserError(
                    f"{self.folder}: experiment.toml is not what {self.checkpoint} was trained with; put it back"
                )
            try:
                training.resume(told.get("step"), arrays)
            except Damaged as fault:
                raise self._damaged(fault) from None
        return training

    def _damaged(self, fault: Damaged | str) -> UserError:
        return UserError(f"{self.checkpoint}: damaged ({fault}); restore it, or delete it to begin anew")

    def save(self, training: Training) -> None:
        """Write the checkpoint."""
        arrays = training.arrays()
        told = {
            "step": training.step,
            "experiment": self.experiment.training_toml(),
            "digest": digest(arrays, training.step),
        }
        write_tensors(self.checkpoint, arrays, told)

    def _net_path(self, kind: str, trial: int) -> Path:
        return self.folder / kind / f"{trial:03d}{SUFFIX}"


def digest(arrays: dict[str, np.ndarray], step: Any) -> str:
    """A name for exactly these arrays at this step: a checkpoint that lost or changed a bit is found out."""
    summed = hashlib.sha256(repr(step).encode())
    for name in sorted(arrays):
        summed.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode() + arrays[name].tobytes())
    return summed.hexdigest()


def create_run(experiment: Experiment, runs: Path) -> Run:
    """A new folder for the run; an existing one is never overwritten."""
    folder = runs / experiment.name
    if (folder / "experiment.toml").exists() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"{folder}: exists already; go on with it (sparring resume {folder}) or choose another name")
    run = Run(folder, experiment)
    Store(runs)  # a store that cannot be used stops the run now, before there is a folder
    replace_file(folder / "experiment.toml", experiment.toml().encode())
    return run


def open_run(folder: Path, backend: str = "") -> Run:
    """The run in a folder; `backend` takes the place of its own."""
    if folder.name in ("", ".."):  # the folder we are in, or above: it has a name all the same
        folder = folder.resolve()
    if not (folder / "experiment.toml").exists():
        raise UserError(f"{folder}: not a run (no experiment.toml in it)")
    changes = {"backend": backend} if backend else {}
    return Run(folder, read_experiment(folder / "experiment.toml", changes))


def train(run: Run, threads: int | None = None, report: Report | None = None, progress: Progress | None = None) -> None:
    """Train from the last checkpoint to the end, then choose and evaluate the champions; a finished run is left alone.

    Games are played where the experiment says, unless a backend is in use already. `report` hears of every step of the
    training, `progress` of the games of the evaluation.
    """
    if run.finished:
        return
    store = Store(run.folder.parent)
    training = run.training(threads)
    try:
        with nullcontext() if IN_USE.get() is not CPU else use_backend(run.experiment.backend):
            _save(run, training, store)
            _advance(run, training, store, report)
            _save(run, training, store)
            _hand_over(run, training, store, threads, progress or (lambda done, total: None))
    except KeyboardInterrupt:
        raise Stopped(f"stopped; the last checkpoint is kept; go on with: sparring resume {run.folder}") from None


def _advance(run: Run, training: Training, store: Store, report: Report | None) -> None:
    with _stop_requested() as stop:
        saved, good, advance = time.monotonic(), training.step, step_function(training)
        while training.step < training.steps:
            games = advance()
            if training.diverged():
                raise UserError(
                    f"{run.folder}: diverged at step {training.step} of {training.steps}: a weight is no number any more; the "
                    f"checkpoint of step {good} is kept; begin anew with smaller steps"
                )
            if report:
                report(training, games)
            if stop():
                _save(run, training, store)
                at = f"stopped at step {training.step} of {training.steps}, all saved"
                raise Stopped(f"{at}; go on with: sparring resume {run.folder}")
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                _save(run, training, store)
                saved, good = time.monotonic(), training.step


@contextmanager
def _stop_requested() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: the step in hand is finished first. A second Ctrl-C stops at once."""
    pressed: list[int] = []

    def press(number: int, frame: object) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        before = signal.signal(signal.SIGINT, press)
    except ValueError:  # not the main thread: nobody presses Ctrl-C there
        yield lambda: False
        return
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


def _save(run: Run, training: Training, store: Store) -> None:
    run.save(training)
    store.record_run(run.key, run.game.name, run.experiment.toml(), training.step, False)
    store.record_metrics(run.key, *training.curves())


def _hand_over(run: Run, training: Training, store: Store, threads: int | None, progress: Progress) -> None:
    champions = training.champions()
    for kind, nets in (("champions", champions), ("companions", training.auxiliary_nets())):
        for trial, net in enumerate(nets):
            save_net(run._net_path(kind, trial), net)
    judge = Judge(run, threads, progress)
    chosen = judge.choose(champions)
    save_net(run.folder / CHAMPION, champions[chosen])
    evaluation: dict[str, Any] = {"champion": chosen, "trials": judge.evaluate(champions)}
    store.record_results("match", [result for row in evaluation["trials"] for result in row["matches"]], run.key)
    store.record_run(run.key, run.game.name, run.experiment.toml(), training.step, True)
    replace_file(run.folder / EVALUATION, (json.dumps(evaluation, indent=1) + "\n").encode())


class Judge:
    """Chooses and evaluates a run's champions, on deals that serve one purpose each."""

    def __init__(self, run: Run, threads: int | None, progress: Progress) -> None:
        self.run, self.threads, self.progress, self.told = run, threads, progress, run.experiment.evaluation
        pairs = self.told.selection_pairs + self.told.pairs * len(self.told.opponents)
        orders = 1 if self.told.seating == "given" else min(run.game.rules.seats)
        self.played, self.games = 0, orders * pairs * run.experiment.trials

    def match(self, player: Net | Contestant, opponent: str, pairs: int, purpose: str) -> Match:
        seed = derive(self.run.experiment.seed, purpose)
        journal = self.run.folder / UNFINISHED
        result = match(
            self.run.game,
            player,
            opponent,
            pairs=pairs,
            seed=seed,
            threads=self.threads,
            journal=journal,
            seating=self.told.seating,
        )
        self.played += result.games
        self.progress(self.played, self.games)
        return result

    def choose(self, champions: list[Net]) -> int:
        """The trial whose champion does best on the selection deals."""
        first, pairs = self.told.opponents[0], self.told.selection_pairs
        standings = [self.match(net, first, pairs, "select").players[0] for net in champions]
        if self.told.by != "score":
            return int(np.argmax([standing.fitness[self.told.by].value for standing in standings]))
        scores = [standing.score.value for standing in standings]
        return int(np.argmin(scores) if self.run.game.rules.lower_is_better else np.argmax(scores))

    def evaluate(self, champions: list[Net]) -> list[dict[str, Any]]:
        """Every champion against every opponent; how long it took is left out, so that files do not depend on it."""
        rows = []
        for trial, net in enumerate(champions):
            player = self.run._contestant(f"{trial:03d}", net)
            matches = [
                self.match(player, opponent, self.told.pairs, "report").json() for opponent in self.told.opponents
            ]
            rows.append({"trial": trial, "matches": [{k: v for k, v in m.items() if k != "seconds"} for m in matches]})
        return rows
