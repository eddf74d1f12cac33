"""Runs: killed, stopped, resumed, on one thread or two, a run ends with the same bytes; what is broken is refused."""

import dataclasses
import errno
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import sparring
import sparring.lab.run as lab
import sparring.lab.store as lab_store
from amounts import amount
from sparring.cli import main
from sparring.errors import Failure, UserError
from sparring.lab.experiment import Evaluation, Experiment, build_experiment, same_training
from sparring.lab.run import Run, create_run, open_run, train
from sparring.lab.store import Store
from sparring.learn import LEARNERS
from sparring.nets.files import read_tensors, write_tensors

LEARNER = {"hidden": 3, "epochs": 60, "curve_every": 7, "benchmark_pairs": 2}
EVALUATION = {"opponents": ["random", "greedier"], "pairs": 6, "selection_pairs": 4}
WORDS = ["--hidden", "3", "--epochs", "60", "--curve-every", "7", "--benchmark-pairs", "2", "--trials", "2"]
# The command line in a process of its own, saving as often as it can.
SAVING = (
    "import sys, sparring.lab.run as r; r.CHECKPOINT_SECONDS = 0.0; from sparring.cli import main; sys.exit(main())"
)
# The same, receiving a signal after it has saved step 3.
STOPPING = """
import os, signal, sys
import sparring.lab.run as r
number = int(sys.argv.pop(1))
signal.signal(number, signal.default_int_handler)  # not ignored, however the tests were started
r.CHECKPOINT_SECONDS = 0.0
save = r._save
def _save(run, training, store):
    save(run, training, store)
    if training.step == 3:
        os.kill(os.getpid(), number)
r._save = _save
from sparring.cli import main
sys.exit(main())
"""
# The same, with a disk that is full from the third checkpoint on.
FULL = """
import resource, signal, sys
import sparring.lab.run as r
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
r.CHECKPOINT_SECONDS = 0.0
saved, write = [], r.write_tensors
def write_tensors(*what):
    saved.append(what)
    if len(saved) == 3:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    write(*what)
r.write_tensors = write_tensors
from sparring.cli import main
sys.exit(main())
"""


def experiment(name: str = "x", trials: int = 2, **learner):
    return build_experiment(
        {"game": "golf", "name": name, "trials": trials, "learner": LEARNER | learner, "evaluation": EVALUATION}
    )


def finished(runs: Path, **what) -> Run:
    run = create_run(experiment(**what), runs)
    train(run)
    return run


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(runs: Path) -> dict[str, list]:
    """All that the results store says, but for the clock."""
    with sqlite3.connect(runs / "results.sqlite") as store:
        return {
            "runs": store.execute("select name, game, experiment, step, finished from runs").fetchall(),
            "metrics": sorted(store.execute("select * from metrics").fetchall()),
            "results": store.execute("select kind, game, run, result from results order by id").fetchall(),
        }


def start(code: str, *words: object) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> Run:
    """A run that was left alone."""
    return finished(tmp_path_factory.mktemp("alone"))


# The same bytes.


def test_a_run_killed_at_any_moment_and_resumed_ends_with_the_same_bytes_and_the_same_results(alone, tmp_path):
    moments = random.Random(1)
    run = create_run(experiment(), tmp_path)
    steps = [-1]
    for _ in range(amount(3, 9)):
        wanted = steps[-1] + moments.randint(1, 12)
        process = start(SAVING, "resume", run.folder)
        while process.poll() is None and saved_step(run) < wanted:
            time.sleep(0.001)
        process.kill()
        errors = process.communicate()[1]
        assert process.returncode in (0, -signal.SIGKILL), errors
        steps.append(saved_step(run))
    assert steps == sorted(steps) and steps[-1] > 0
    train(open_run(run.folder))
    assert files(run.folder) == files(alone.folder)
    assert rows(tmp_path) == rows(alone.folder.parent)


def saved_step(run: Run) -> int:
    """The step of a run's checkpoint; -1 without one."""
    return read_tensors(run.checkpoint)[1]["step"] if run.checkpoint.exists() else -1


class Killed(BaseException):
    """Stands for SIGKILL between two instructions."""


TINY = {"epochs": 5, "hidden": 1, "curve_every": 2}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Run:
    return finished(tmp_path_factory.mktemp("tiny"), **TINY)


@pytest.mark.parametrize("write", range(1, 26))
def test_a_run_killed_before_any_of_its_files_is_in_place_ends_with_the_same_bytes(write, tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "CHECKPOINT_SECONDS", 0.0)
    run = create_run(experiment(**TINY), tmp_path)
    calls, sync = [], os.fsync

    def fsync(number: int) -> None:
        calls.append(number)
        if len(calls) == write:
            raise Killed
        sync(number)

    monkeypatch.setattr(os, "fsync", fsync)
    try:
        train(run)
    except Killed:
        train(open_run(run.folder))
    assert len(calls) > write
    assert files(run.folder) == files(tiny.folder)
    assert rows(tmp_path) == rows(tiny.folder.parent)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_saves_and_says_how_to_resume_and_the_run_ends_with_the_same_bytes(number, alone, tmp_path):
    run = create_run(experiment(), tmp_path)
    process = start(STOPPING, int(number), "resume", run.folder)
    told = process.communicate()[1]
    assert process.returncode in (1, 130)
    assert "Traceback" not in told
    assert told.splitlines()[-1].startswith("sparring: stopped at step 4 of 60; all progress is saved; ")
    assert f"sparring resume {run.folder}" in told
    assert main(["resume", str(run.folder)]) == 0
    assert files(run.folder) == files(alone.folder)


def test_one_thread_and_two_threads_give_the_same_run(alone, tmp_path):
    for threads in (1, 2):
        run = create_run(experiment(), tmp_path / str(threads))
        train(run, threads)
        assert files(run.folder) == files(alone.folder)


def test_the_same_seed_gives_the_same_run_on_another_day(alone, tmp_path):
    """Another process, another clock, another place, other hashes."""
    run = create_run(experiment(), tmp_path)
    later = "import time; now = time.time(); time.time = lambda: now + 1e7; "
    subprocess.run(
        [sys.executable, "-c", later + SAVING, "resume", str(run.folder)],
        env=os.environ | {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "LC_ALL": "C", "SPARRING_THREADS": "1"},
        check=True,
        capture_output=True,
        cwd=tmp_path,
    )
    assert files(run.folder) == files(alone.folder)


def test_another_seed_gives_another_champion(tmp_path):
    small = {"epochs": 2, "hidden": 1}
    one, two = (
        create_run(build_experiment({"game": "golf", "name": f"{seed}", "seed": seed, "learner": small}), tmp_path)
        for seed in (1, 2)
    )
    assert not np.array_equal(one.training().champions()[0].weights, two.training().champions()[0].weights)


def test_a_trial_does_not_depend_on_how_many_there_are(alone, tmp_path):
    more = finished(tmp_path, trials=3)
    for path in ("champions/000", "champions/001", "companions/000", "companions/001"):
        assert (more.folder / f"{path}.safetensors").read_bytes() == (alone.folder / f"{path}.safetensors").read_bytes()
    assert more.evaluation()["trials"][:2] == alone.evaluation()["trials"]


def test_resuming_a_finished_run_changes_nothing(tmp_path, capsys):
    run = finished(tmp_path, epochs=2, hidden=1)
    before, results = files(run.folder), rows(tmp_path)
    assert main(["resume", str(run.folder)]) == 0
    assert (files(run.folder), rows(tmp_path)) == (before, results)


def test_resuming_from_inside_the_folder_is_the_same_run(small, tmp_path, monkeypatch, capsys):
    run = create_run(experiment(epochs=3, hidden=2, curve_every=1), tmp_path)
    monkeypatch.chdir(run.folder)
    assert main(["resume", "."]) == 0
    assert files(run.folder) == files(small.folder)
    assert rows(tmp_path) == rows(small.folder.parent)


def test_the_store_holds_every_point_once_and_every_match(alone):
    told = rows(alone.folder.parent)
    points = [tuple(row[:4]) for row in told["metrics"]]
    assert len(points) == len(set(points))
    assert {step for _, _, step, _ in points} == {7, 14, 21, 28, 35, 42, 49, 56, 60}
    assert len(told["results"]) == 2 * len(EVALUATION["opponents"])
    assert told["runs"][0][3:] == (60, 1)


# Two processes.

# Trains a run; when its first step is taken, says so, and goes on when it is told to.
HOLDING = """
import sys
from pathlib import Path
from sparring.lab.run import open_run, train
def report(training, games):
    if training.step == 1:
        print("begun", flush=True)
        sys.stdin.readline()
train(open_run(Path(sys.argv[1])), report=report)
"""


def test_a_run_that_another_process_trains_is_refused_in_one_line_which_names_it(small, tmp_path, capsys):
    run = create_run(experiment(epochs=3, hidden=2, curve_every=1), tmp_path)
    pipe = subprocess.PIPE
    for end in ("killed", "finished"):
        with subprocess.Popen([sys.executable, "-c", HOLDING, run.folder], stdin=pipe, stdout=pipe, text=True) as other:
            assert other.stdout.readline() == "begun\n"
            assert f"{run.folder}: in use by process {other.pid} on " in refused(run, capsys)
            other.kill() if end == "killed" else other.communicate("\n")
    assert files(run.folder) == files(small.folder)


# A disk that is full.


def test_a_disk_that_fills_during_a_checkpoint_keeps_the_checkpoint_before(alone, tmp_path):
    run = create_run(experiment(), tmp_path)
    process = start(FULL, "resume", run.folder)
    told = process.communicate(timeout=600)[1]
    assert process.returncode == 1 and "Traceback" not in told
    last = told.splitlines()[-1]
    assert last.startswith(f"sparring: {run.checkpoint}: cannot be written") and "resume" in last
    assert set(files(run.folder)) == {"experiment.toml", "checkpoint.safetensors"}
    assert read_tensors(run.checkpoint)[1]["step"] == 1
    train(open_run(run.folder))
    assert files(run.folder) == files(alone.folder)


def test_a_disk_that_was_full_at_the_start_can_be_tried_again(tmp_path, monkeypatch):
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(Failure, match="No space left on device"):
            create_run(experiment(), tmp_path)
    assert open_run(create_run(experiment(), tmp_path).folder).experiment == experiment()


# What was damaged or changed.


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Run:
    return finished(tmp_path_factory.mktemp("small"), epochs=3, hidden=2, curve_every=1)


@pytest.fixture
def copied(small, tmp_path) -> Run:
    """A copy of a small finished run, to be damaged."""
    for name, data in files(small.folder).items():
        path = tmp_path / "x" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return open_run(tmp_path / "x")


@pytest.fixture
def broken(copied) -> Run:
    """One that was killed before its evaluation."""
    (copied.folder / "evaluation.json").unlink()
    return copied


def refused(run: Run, capsys, *words: str) -> str:
    """What `resume` says when it refuses a run; nothing in the folder may change by it."""
    before = files(run.folder)
    assert main([*(words or ["resume"]), str(run.folder)]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("sparring: ") and told.err.count("\n") == 1 and told.out == ""
    assert files(run.folder) == before
    return told.err


@pytest.mark.parametrize("command", ["resume", "report"])
@pytest.mark.parametrize("data", [b"", b"x" * 100, None, -10], ids=["empty", "garbage", "half", "cut"])
def test_a_damaged_checkpoint_is_refused(copied, data, command, capsys):
    whole = copied.checkpoint.read_bytes()
    cut = {None: len(whole) // 2, -10: -10}
    copied.checkpoint.write_bytes(data if isinstance(data, bytes) else whole[: cut[data]])
    if command == "resume":
        (copied.folder / "evaluation.json").unlink()
    assert str(copied.checkpoint) in refused(copied, capsys, command)


SHAPES = {
    "nothing said": (lambda arrays: arrays, {}),
    "a list said": (lambda arrays: arrays, []),
    "a step that is no number": (lambda arrays: arrays, {"step": "one"}),
    "a step before the first": (lambda arrays: arrays, {"step": -1}),
    "a step beyond the last": (lambda arrays: arrays, {"step": 99}),
    "no nets": (lambda arrays: {k: v for k, v in arrays.items() if k != "nets"}, None),
    "no changes": (lambda arrays: {k: v for k, v in arrays.items() if k != "changes"}, None),
    "fewer nets": (lambda arrays: arrays | {"nets": arrays["nets"][:1]}, None),
    "smaller nets": (lambda arrays: arrays | {"nets": arrays["nets"][:, :5]}, None),
    "nets of another type": (lambda arrays: arrays | {"nets": arrays["nets"].astype(np.float64)}, None),
    "nets that are no numbers": (lambda arrays: arrays | {"nets": arrays["nets"] * np.float32("nan")}, None),
    "fewer changes": (lambda arrays: arrays | {"changes": arrays["changes"][:1]}, None),
    "shorter curves": (lambda arrays: {k: v[:, :1] if "curve" in k else v for k, v in arrays.items()}, None),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_checkpoint_of_another_shape_is_refused(broken, shape, capsys):
    change, says = SHAPES[shape]
    arrays, told = read_tensors(broken.checkpoint)
    write_tensors(broken.checkpoint, change(arrays), told if says is None else says)
    assert str(broken.checkpoint) in refused(broken, capsys)


@pytest.mark.parametrize(
    "was, now",
    [
        ("seed = 1", "seed = 2"),
        ("trials = 2", "trials = 1"),
        ("trials = 2", "trials = 5"),
        ("hidden = 2", "hidden = 4"),
        ("epochs = 3", "epochs = 30"),
        ("epochs = 3", "epochs = 1"),
        ('encoding = ""', 'encoding = "state"'),
        ('rule = "score"', 'rule = "original"'),
    ],
)
def test_an_experiment_edited_after_the_run_began_is_refused(broken, was, now, capsys):
    path = broken.folder / "experiment.toml"
    assert was in path.read_text()
    path.write_text(path.read_text().replace(was, now))
    refused(broken, capsys)


def test_a_checkpoint_says_which_rules_and_which_program_and_other_rules_are_refused(broken, capsys):
    arrays, told = read_tensors(broken.checkpoint)
    assert told["rules"] == broken.game.rules.version and told["program"] == sparring.__version__
    for rules in (broken.game.rules.version + 1, "\n" * 9999, None, []):
        write_tensors(broken.checkpoint, arrays, told | {"rules": rules})
        said = refused(broken, capsys)
        assert f"under rules version {str(rules)[:1].strip()}" in said and "train it again" in said and len(said) < 600


def test_a_checkpoint_without_rules_and_newer_options_resumes_to_the_same_end(small, broken):
    """As a version wrote it that knew neither."""
    arrays, told = read_tensors(broken.checkpoint)
    toml, newer = broken.folder / "experiment.toml", ("decay = ", "snapshots = ", "restart = ")
    left = [line for line in told["experiment"].splitlines() if not line.startswith(newer)]
    gone = len(told["experiment"].splitlines()) - len(left)
    toml.write_text("\n".join(line for line in toml.read_text().splitlines() if not line.startswith(newer)))
    write_tensors(broken.checkpoint, arrays, {k: told[k] for k in ("step", "digest")} | {"experiment": "\n".join(left)})
    train(open_run(broken.folder))
    assert gone
    same = set(files(small.folder)) - {"experiment.toml"}
    assert {name: files(small.folder)[name] for name in same} == {name: files(broken.folder)[name] for name in same}


@pytest.mark.parametrize("learner", LEARNERS)
def test_options_that_an_older_experiment_lacks_take_their_defaults(learner):
    whole = Experiment("golf", "x", 1, 1, learner, LEARNERS[learner][0](), Evaluation())
    lines = whole.training_toml().splitlines()
    first = lines.index("[learner]") + 2
    assert len(lines) - first == len(dataclasses.fields(LEARNERS[learner][0]))
    for gone in range(first, len(lines)):
        assert same_training("\n".join([*lines[:gone], *lines[gone + 1 :]]), whole), lines[gone]


def test_an_option_of_a_newer_version_is_one_line(broken, capsys):
    path = broken.folder / "experiment.toml"
    path.write_text(path.read_text().replace("hidden = ", "of_tomorrow = 1\nhidden = "))
    assert "learner.of_tomorrow: unknown key" in refused(broken, capsys)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"trials": [{}]}', '{"champion": 0, "trials": 3}'])
def test_a_damaged_evaluation_is_refused_and_mended_by_resuming(copied, text, capsys):
    path = copied.folder / "evaluation.json"
    whole = path.read_bytes()
    path.write_text(text)
    assert "sparring resume" in refused(copied, capsys, "report")
    assert main(["resume", str(copied.folder)]) == 0
    assert path.read_bytes() == whole


def test_a_flipped_digit_of_an_evaluation_is_noticed_and_one_without_a_checksum_is_read(copied, capsys):
    path = copied.folder / "evaluation.json"
    whole = path.read_text()
    told = json.loads(whole)
    assert copied.evaluation() == {key: told[key] for key in ("champion", "trials")}
    path.write_text(whole.replace('"wins": ', '"wins": 1', 1))
    assert "damaged" in refused(copied, capsys, "report")
    del told["checksum"]
    path.write_text(json.dumps(told))
    assert copied.evaluation() == told


def test_a_run_of_the_same_name_is_never_overwritten(small):
    before = files(small.folder)
    with pytest.raises(UserError, match=f"exists already.*sparring resume {small.folder}"):
        create_run(experiment(), small.folder.parent)
    assert files(small.folder) == before


def test_a_folder_that_is_not_a_run_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "none", Path("/dev/null")):
        with pytest.raises(UserError, match="not a run"):
            open_run(folder)


def test_runs_cannot_be_kept_under_a_file(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=str(tmp_path / "file")):
        create_run(experiment(), tmp_path / "file")


def test_a_run_is_reported_however_few_pairs_evaluated_it(tmp_path, capsys):
    table = {"game": "golf", "name": "x", "learner": {"epochs": 1, "hidden": 1}, "evaluation": {"pairs": 1}}
    run = create_run(build_experiment(table), tmp_path)
    train(run)
    assert main(["report", str(run.folder)]) == 0


# Ctrl-C at other moments.


@pytest.mark.parametrize("moment", ["write_tensors", "match"], ids=["the first checkpoint", "the evaluation"])
def test_ctrl_c_outside_the_training_says_how_to_resume_too(moment, small, tmp_path, monkeypatch, capsys):
    run = create_run(experiment(epochs=3, hidden=2, curve_every=1), tmp_path)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(lab, moment, interrupted)
        assert main(["resume", str(run.folder)]) in (1, 130)
    assert f"sparring resume {run.folder}" in capsys.readouterr().err
    train(run)
    assert files(run.folder) == files(small.folder)


def test_ctrl_c_while_a_study_is_trained_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    def stopped(*_, **__):
        raise lab.Stopped("stopped at step 1 of 2; all progress is saved; resume with: sparring resume x")

    monkeypatch.setattr("sparring.studies.study_cache.train", stopped)
    assert main(["reproduce", "golf", "--runs", str(tmp_path)]) in (1, 130)
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("sparring: stopped") and "resume with the same command" in told


# The results store.


@pytest.mark.parametrize("kind", ["locked", "text", "folder", "read-only"])
def test_a_store_that_cannot_be_written_is_found_before_anything_is_done(kind, tmp_path, monkeypatch, capsys):
    path = tmp_path / "results.sqlite"
    monkeypatch.setattr("sparring.lab.store.BUSY_SECONDS", 0.1)
    other = None
    if kind == "text":
        path.write_text("not a database, whatever its name says. " * 20)
    elif kind == "folder":
        path.mkdir()
    else:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("create table t(x)")
        if kind == "locked":
            other.execute("begin exclusive")
        else:
            monkeypatch.setenv("SPARRING_DB", f"sqlite:///file:{path}?mode=ro&uri=true")
    status = main(["train", "golf", *WORDS, "--name", "x", "--runs", str(tmp_path)])
    told = capsys.readouterr()
    assert status == 2 and told.out == ""
    assert told.err.startswith("sparring: results store ") and told.err.count("\n") == 1
    assert str(path) in told.err and "SPARRING_DB" in told.err
    assert not (tmp_path / "x").exists()
    if other:
        other.close()


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "nosuch://x",
        "mysql://x",
        "postgresql://h:port/x",
        "sqlite:////no/such/folder/x",
        "sqlite:///x?timeout=x",
    ],
)
def test_a_store_that_cannot_be_reached_is_refused(url, tmp_path, monkeypatch):
    monkeypatch.setenv("SPARRING_DB", url)
    with pytest.raises(UserError, match="SPARRING_DB"):
        Store(tmp_path)


def test_a_password_of_the_store_is_never_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARRING_DB", "mysql://me:secret@host/x")
    with pytest.raises(UserError) as told:
        Store(tmp_path)
    assert "secret" not in str(told.value)


def test_a_folder_may_have_any_name(tmp_path):
    folder = tmp_path / "what?x=1#%20é"
    Store(folder).record_results("match", [{"game": "golf"}])
    assert Store(folder).read_results("match") == [{"game": "golf"}]
    assert [path.name for path in folder.iterdir()] == ["results.sqlite"]


def locked_store(folder: Path, monkeypatch) -> sqlite3.Connection:
    """A store that nobody can write to until this connection is closed; nobody waits for it."""
    monkeypatch.setattr("sparring.lab.store.PAUSES", ())
    other = sqlite3.connect(folder / "results.sqlite", isolation_level=None)
    other.execute("begin exclusive")
    return other


@pytest.mark.parametrize("trouble", ["locked", "gone"])
def test_a_store_that_fails_during_training_stops_nothing_and_loses_nothing(
    trouble, small, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("sparring.lab.store.BUSY_SECONDS", 0.01)
    monkeypatch.setattr(lab, "CHECKPOINT_SECONDS", 0.0)
    run, began = create_run(experiment(epochs=3, hidden=2, curve_every=1), tmp_path), []

    def report(training, games):
        if not began and trouble == "locked":
            began.append(locked_store(tmp_path, monkeypatch))
        elif not began:
            began.append((tmp_path / "results.sqlite").unlink())

    train(run, report=report)
    assert files(run.folder) == files(small.folder)
    if trouble == "locked":
        told = capsys.readouterr().err
        assert told.count("\n") == 1 and "database is locked" in told and str(tmp_path / "unrecorded") in told
        began[0].close()
    else:
        capsys.readouterr()
    Store(tmp_path)
    assert rows(tmp_path) == rows(small.folder.parent)
    assert not list(tmp_path.glob("unrecorded/*.json")) and capsys.readouterr().err == ""


def test_a_match_is_printed_before_it_is_recorded_and_handed_in_later(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sparring.lab.store.BUSY_SECONDS", 0.01)
    Store(tmp_path)
    others, write = [], Store._write_results

    def printed_first(*given, **more):
        others.append(capsys.readouterr().out)
        write(*given, **more)

    monkeypatch.setitem(lab_store.WRITES, "results", printed_first)
    play = sparring.match

    def then_locked(*given, **more):
        found = play(*given, **more)
        others.append(locked_store(tmp_path, monkeypatch))
        return found

    monkeypatch.setattr(sparring, "match", then_locked)
    words = ["match", "golf", "random", "greedier", "--pairs", "2", "--json", "--runs", str(tmp_path)]
    assert main(words) == 0
    other, printed = others
    assert json.loads(printed)["game"] == "golf"
    assert "nothing is lost" in capsys.readouterr().err
    other.close()
    monkeypatch.undo()
    for _ in range(2):
        assert Store(tmp_path).read_results("match") == [json.loads(printed)]


def test_a_result_that_was_written_before_the_store_failed_is_not_written_twice(tmp_path, monkeypatch):
    write = Store._write_results

    def late(*given, **more):
        write(*given, **more)
        raise UserError("the line was cut")

    with monkeypatch.context() as patched:
        patched.setitem(lab_store.WRITES, "results", late)
        Store(tmp_path).record_results("match", [{"game": "golf"}])
    assert len(list(tmp_path.glob("unrecorded/*.json"))) == 1
    assert Store(tmp_path).read_results("match") == [{"game": "golf"}]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"write": "run", "given": {}}', '{"write": "x", "given": {}}', '{"write": "results", "given": 1}',
     '{"write": "results", "given": {"kind": "match", "rows": [{}], "run": ""}}',
     '{"write": "results", "given": {"kind": "match", "rows": [{"kind": {}}], "run": ""}}',
     '{"write": "metrics", "given": {"run": "x", "steps": ["a"], "curves": {"x": [[1, 2]]}}}'],
)  # fmt: skip
def test_a_kept_file_that_is_none_of_ours_is_left_alone(text, tmp_path, capsys):
    (tmp_path / "unrecorded").mkdir()
    (tmp_path / "unrecorded/x.json").write_text(text)
    Store(tmp_path)
    assert "not recorded" in capsys.readouterr().err
    assert (tmp_path / "unrecorded/x.json").read_text() == text
