"""Runs: a folder with the resolved experiment, checkpoints and champions.

    experiment.toml         every option written out
    checkpoint.safetensors  everything needed to resume the training
    champions/000.safetensors ...  each trial's champion; companions/ has the auxiliary nets
    champion.safetensors    the run's champion, selected on separate deals
    evaluation.json         the champion's trial, and every champion against each opponent, again on separate deals

Nothing in these files depends on the clock: a run killed at any moment and resumed ends with the same bytes.
"""

import hashlib
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.arena.backends import use_backend
from sparring.arena.external import UNFINISHED
from sparring.arena.match import Match, match
from sparring.arena.play import Progress
from sparring.arena.players import CHAMPION, Contestant
from sparring.errors import Stopped, UserError, cut_text
from sparring.games import Game, find_game
from sparring.kernel.backend import CPU, IN_USE
from sparring.kernel.random import derive
from sparring.lab.experiment import Experiment, read_experiment, same_training
from sparring.lab.locks import held
from sparring.lab.store import Store
from sparring.learn import Training, find_learner
from sparring.learn.checkpoints import Damaged
from sparring.learn.distributed import step_function
from sparring.learn.training import CHAMPIONS
from sparring.nets.dense import Net
from sparring.nets.files import SUFFIX, checksum, load_net, read_tensors, replace_file, save_net, write_tensors
from sparring.reading import read_bytes

CHECKPOINT_SECONDS = 10.0
PROGRAM = import_module("sparring").__version__
LOCK = "lock"  # a file that is there while a process trains the run
MOST_EVALUATION = 1 << 30  # bytes of it
EVALUATION = "evaluation.json"  # written last, so a run that has it is finished
STOP_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
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
        """The run's name in the results store, shared only by runs of the same training."""
        return f"{self.folder.name}-{hashlib.sha256(self.experiment.training_toml().encode()).hexdigest()[:8]}"

    @property
    def finished(self) -> bool:
        try:
            return bool(self.evaluation())
        except UserError:
            return False

    def champions(self) -> list[Contestant]:
        """Every trial's champion, named by its trial."""
        return self._saved(CHAMPIONS)

    def auxiliary_nets(self) -> list[Contestant]:
        """The auxiliary net of each trial."""
        return self._saved("companions", "companion ")

    def _saved(self, kind: str, word: str = "") -> list[Contestant]:
        paths = [self._net_path(kind, trial) for trial in range(self.experiment.trials)]
        return [self._contestant(f"{word}{path.stem}", load_net(path, self.game)) for path in paths]

    def _contestant(self, name: str, net: Net) -> Contestant:
        return Contestant(f"{self.folder.name}/{name}", net.policy, net)

    def evaluation(self) -> dict[str, Any]:
        """`champion`: the trial of the run's champion; `trials`: every trial's matches."""
        try:
            evaluation = json.loads(read_bytes(self.folder / EVALUATION, MOST_EVALUATION))
            trials = [len(row["matches"]) for row in evaluation["trials"]]
            complete = trials == [len(self.experiment.evaluation.opponents)] * self.experiment.trials
            complete &= evaluation.pop("checksum", None) in (None, checksum({}, evaluation))
        except (UserError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            complete = False
        if not complete or evaluation.get("champion") not in range(len(trials)):
            raise UserError(
                f"{self.folder}: not evaluated yet, or damaged; finish it with: sparring resume {self.folder}"
            )
        return evaluation  # type: ignore[no-any-return]

    def training(self, threads: int | None = None) -> Training:
        """The training at its last checkpoint, or at its start."""
        options, training_class = self.experiment.options, find_learner(self.experiment.learner)[1]
        training = training_class(self.game, options, self.experiment.seed, self.experiment.trials, threads)
        if self.checkpoint.exists():
            arrays, metadata = read_tensors(self.checkpoint)
            if not isinstance(metadata, dict) or metadata.get("digest") != digest(arrays, metadata.get("step")):
                raise self._damaged("its digest does not match")
            if metadata.get("rules", self.game.rules.version) != self.game.rules.version:
                raise UserError(f"{self.checkpoint}: {self._other_rules(metadata)}")
            if not same_training(metadata.get("experiment"), self.experiment):
                raise UserError(f"{self.folder}: experiment.toml was changed after {self.checkpoint}; restore it")
            try:
                training.resume(metadata.get("step"), arrays)
            except Damaged as fault:
                raise self._damaged(fault) from None
        return training

    def curves(self) -> "Curves":
        """The learning curves as the last checkpoint has them."""
        found = Curves(*self.training().curves())
        if not len(found.steps):
            fault = "too little has been trained for a curve"
            raise UserError(f"{self.folder}: {fault}; continue with: sparring resume {self.folder}")
        return found

    def _other_rules(self, metadata: dict[str, Any]) -> str:
        rules, program = (cut_text(str(metadata.get(name))) for name in ("rules", "program"))
        old = f"trained under rules version {rules} of {self.game.family} by sparring {program}"
        return f"{old}; this is version {self.game.rules.version}: finish it with that program, or train it again"

    def _damaged(self, fault: Damaged | str) -> UserError:
        return UserError(f"{self.checkpoint}: damaged ({fault}); restore it, or delete it to start again")

    def save(self, training: Training) -> None:
        """Write the checkpoint."""
        arrays = training.arrays()
        metadata = {"rules": self.game.rules.version, "program": PROGRAM, "step": training.step}
        metadata |= {"experiment": self.experiment.training_toml(), "digest": digest(arrays, training.step)}
        write_tensors(self.checkpoint, arrays, metadata)

    def _net_path(self, kind: str, trial: int) -> Path:
        return self.folder / kind / f"{trial:03d}{SUFFIX}"


class Curves(NamedTuple):
    """Learning curves: the steps, and by name an array of one row per trial and one column per step.

    A profile, such as the cards of final hands, has a third axis.
    """

    steps: np.ndarray
    values: dict[str, np.ndarray]

    def frame(self) -> Any:
        """A pandas data frame: one row per trial and step, one column per curve."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise UserError("pandas is not installed; use the arrays, or: pip install pandas") from None
        trials = len(next(iter(self.values.values())))
        columns = {"trial": np.repeat(np.arange(trials), len(self.steps)), "step": np.tile(self.steps, trials)}
        for name, values in self.values.items():
            parts = (
                {name: values} if values.ndim == 2 else {f"{name}.{i}": values[..., i] for i in range(values.shape[2])}
            )
            columns |= {part: array.reshape(-1) for part, array in parts.items()}
        return DataFrame(columns)


def digest(arrays: dict[str, np.ndarray], step: Any) -> str:
    """A hash of arrays and step that reveals a damaged checkpoint."""
    found = hashlib.sha256(repr(step).encode())
    for name in sorted(arrays):
        found.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode() + arrays[name].tobytes())
    return found.hexdigest()


def create_run(experiment: Experiment, runs: Path) -> Run:
    """Create the run's folder; an existing one is never overwritten."""
    folder = runs / experiment.name
    if (folder / "experiment.toml").exists() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"{folder}: exists already; resume it (sparring resume {folder}) or choose another name")
    run = Run(folder, experiment)
    Store(runs)  # an unusable store is reported before the folder is created
    replace_file(folder / "experiment.toml", experiment.toml().encode())
    return run


def open_run(folder: Path, backend: str = "") -> Run:
    """Open the run in a folder; `backend` replaces the experiment's."""
    if folder.name in ("", ".."):  # "." and ".." have names too
        folder = folder.resolve()
    if not (folder / "experiment.toml").exists():
        raise UserError(f"{folder}: not a run (it has no experiment.toml)")
    changes = {"backend": backend} if backend else {}
    return Run(folder, read_experiment(folder / "experiment.toml", changes))


def train(run: Run, threads: int | None = None, report: Report | None = None, progress: Progress | None = None) -> None:
    """Train from the last checkpoint to the end, then select and evaluate the champions; a finished run is left alone.

    Only one process at a time trains a run.

    Games are played on the experiment's backend, unless one is in use already. `report` is called after every training
    step, `progress` after every match of the evaluation. Ctrl-C, SIGTERM and SIGHUP stop a training after its step.
    """
    if run.finished:
        with suppress(OSError):  # of a process that was killed after it had written everything
            (run.folder / LOCK).unlink()
        return
    store = Store(run.folder.parent)
    with held(run.folder / LOCK, str(run.folder)):
        training = run.training(threads)
        try:
            with (
                _stop_handler(signal.default_int_handler),
                nullcontext() if IN_USE.get() is not CPU else use_backend(run.experiment.backend),
            ):
                _save(run, training, store)
                _advance(run, training, store, report)
                _save(run, training, store)
                _finish(run, training, store, threads, progress or (lambda done, total: None))
        except KeyboardInterrupt:
            raise Stopped(f"stopped; the last checkpoint is saved; resume with: sparring resume {run.folder}") from None


def _advance(run: Run, training: Training, store: Store, report: Report | None) -> None:
    received: list[int] = []

    def request_stop(number: int, frame: object) -> None:
        if received:  # a second signal does not wait for the step
            raise KeyboardInterrupt
        received.append(number)

    with _stop_handler(request_stop):
        saved, good, advance = time.monotonic(), training.step, step_function(training)
        while training.step < training.steps:
            games = advance()
            at = f"step {training.step} of {training.steps}"
            if training.diverged():
                kept = f"the checkpoint of step {good} is kept; start again with smaller steps"
                raise UserError(f"{run.folder}: diverged at {at}: a weight is not a number any more; {kept}")
            if report:
                report(training, games)
            if received:
                _save(run, training, store)
                raise Stopped(f"stopped at {at}; all progress is saved; resume with: sparring resume {run.folder}")
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                _save(run, training, store)
                saved, good = time.monotonic(), training.step


@contextmanager
def _stop_handler(handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Handle the signals that stop a process, in the main thread. SIGTERM or SIGHUP stays ignored if it is (nohup)."""
    previous: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in STOP_SIGNALS:
            if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                previous[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in previous.items():
            signal.signal(number, old or signal.SIG_DFL)


def _save(run: Run, training: Training, store: Store) -> None:
    run.save(training)
    store.record_run(run.key, run.game.name, run.experiment.toml(), training.step, False)
    store.record_metrics(run.key, *training.curves())


def _finish(run: Run, training: Training, store: Store, threads: int | None, progress: Progress) -> None:
    champions = training.champions()
    for kind, nets in ((CHAMPIONS, champions), ("companions", training.auxiliary_nets())):
        for trial, net in enumerate(nets):
            save_net(run._net_path(kind, trial), net)
    matches = ChampionMatches(run, threads, progress)
    selected = matches.select(champions)
    save_net(run.folder / CHAMPION, champions[selected])
    evaluation: dict[str, Any] = {"champion": selected, "trials": matches.evaluate(champions)}
    store.record_results("match", [result for row in evaluation["trials"] for result in row["matches"]], run.key)
    store.record_run(run.key, run.game.name, run.experiment.toml(), training.step, True)
    evaluation["checksum"] = checksum({}, evaluation)
    replace_file(run.folder / EVALUATION, (json.dumps(evaluation, indent=1) + "\n").encode())


class ChampionMatches:
    """Selects and evaluates a run's champions, each on deals used for nothing else."""

    def __init__(self, run: Run, threads: int | None, progress: Progress) -> None:
        self.run, self.threads, self.progress, self.options = run, threads, progress, run.experiment.evaluation
        pairs = self.options.selection_pairs + self.options.pairs * len(self.options.opponents)
        orders = 1 if self.options.seating == "given" else min(run.game.rules.seats)
        self.played, self.games = 0, orders * pairs * run.experiment.trials

    def match(self, player: Net | Contestant, opponent: str, pairs: int, purpose: str) -> Match:
        seed, journal = derive(self.run.experiment.seed, purpose), self.run.folder / UNFINISHED
        options: dict[str, Any] = {"seating": self.options.seating, "threads": self.threads, "journal": journal}
        result = match(self.run.game, player, opponent, pairs=pairs, seed=seed, **options)
        self.played += result.games
        self.progress(self.played, self.games)
        return result

    def select(self, champions: list[Net]) -> int:
        """The trial whose champion does best on the selection deals."""
        first, pairs, by = self.options.opponents[0], self.options.selection_pairs, self.options.by
        standings = [self.match(net, first, pairs, "select").players[0] for net in champions]
        if by != "score":
            return int(np.argmax([standing.fitness[by].value for standing in standings]))
        scores = [standing.score.value for standing in standings]
        return int(np.argmin(scores) if self.run.game.rules.lower_is_better else np.argmax(scores))

    def evaluate(self, champions: list[Net]) -> list[dict[str, Any]]:
        """Every champion against every opponent, without times, so that files do not depend on the clock."""
        rows = []
        for trial, net in enumerate(champions):
            player = self.run._contestant(f"{trial:03d}", net)
            matches = [self.match(player, name, self.options.pairs, "report").json() for name in self.options.opponents]
            rows.append({"trial": trial, "matches": [{k: v for k, v in m.items() if k != "seconds"} for m in matches]})
        return rows
