"""The word that says where games are played: in files, on the command line and in Python; it decides nothing else."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import sparring
import sparring.arena.backends as backends
from sparring.arena.backends import BACKENDS, find_backend, use_backend
from sparring.arena.cluster import Cluster
from sparring.cli import main
from sparring.errors import UserError
from sparring.kernel.backend import CAPABILITIES, CPU, IN_USE, Backend, Cpu, Games, backend_for
from sparring.kernel.cuda import Cuda, why_not
from sparring.kernel.launch import Launcher
from sparring.lab.experiment import Experiment, build_experiment, read_experiment
from sparring.lab.run import create_run, open_run, train

without_gpu = pytest.mark.skipif(not why_not(), reason="there is a GPU here")
TABLE = {
    "game": "golf",
    "name": "x",
    "learner": {"epochs": 3, "hidden": 1, "curve_every": 2, "benchmark_pairs": 1},
    "evaluation": {"pairs": 2, "selection_pairs": 2},
}


class Counter(Backend):
    """A backend that plays here and counts the games."""

    name, games, closed = "counter", 0, False
    capabilities = frozenset({"play"})

    def play(self, launcher: Launcher, games: Games) -> tuple[np.ndarray, np.ndarray]:
        self.games += len(games.jobs)
        return CPU.play(launcher, games)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> dict[str, Counter]:
    """Counting backends in the place of cuda and ray."""
    counters = {"cuda": Counter(), "ray": Counter()}
    monkeypatch.setattr(backends, "find_backend", lambda word: counters.get(word, CPU))
    return counters


# In a file.


def test_an_experiment_is_played_on_this_machine_s_cores_unless_it_says_otherwise() -> None:
    assert build_experiment(TABLE).backend == "cpu"
    assert build_experiment(TABLE | {"backend": "auto"}).backend == "auto"


def test_the_word_is_written_out_and_read_back_and_is_no_part_of_what_decides_the_training(tmp_path: Path) -> None:
    found = {word: build_experiment(TABLE | {"backend": word}) for word in BACKENDS}
    assert len({experiment.training_toml() for experiment in found.values()}) == 1
    for word, experiment in found.items():
        path = tmp_path / f"{word}.toml"
        path.write_text(experiment.toml())
        assert tomllib.loads(experiment.toml())["backend"] == word
        assert read_experiment(path) == experiment


@pytest.mark.parametrize("word", ["gpu", "", "CPU", 1])
def test_a_file_with_another_word_is_refused(word: object, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f"game = 'golf'\nbackend = {word!r}\n")
    with pytest.raises(UserError, match=r"^bad.toml: backend = .*: must be (one of cpu, cuda, ray, auto|a text)$"):
        read_experiment(path)


def test_a_run_from_before_there_was_the_word_goes_on(tmp_path: Path) -> None:
    run = create_run(build_experiment(TABLE), tmp_path)
    path = run.folder / "experiment.toml"
    path.write_text(path.read_text().replace('backend = "cpu"\n', ""))
    train(open_run(run.folder))
    assert open_run(run.folder).finished


# Which is used.


def trained(runs: Path, experiment: Experiment) -> Path:
    run = create_run(experiment, runs)
    train(run)
    return run.folder


def test_training_and_evaluation_are_played_where_the_experiment_says(tmp_path, counters: dict[str, Counter]) -> None:
    here = trained(tmp_path / "here", build_experiment(TABLE))
    assert counters["ray"].games == 0
    there = trained(tmp_path / "there", build_experiment(TABLE | {"backend": "ray"}))
    assert counters["ray"].games == 3 * (10 + 2) + 4 + 4 and counters["ray"].closed
    assert IN_USE.get() is CPU
    for path in sorted(here.rglob("*")):
        if path.is_file() and path.name != "experiment.toml":
            assert path.read_bytes() == (there / path.relative_to(here)).read_bytes()


def test_a_backend_in_use_comes_before_the_experiment_s(tmp_path: Path, counters: dict[str, Counter]) -> None:
    with use_backend("cuda"):
        trained(tmp_path, build_experiment(TABLE | {"backend": "ray"}))
    assert counters["cuda"].games and not counters["ray"].games


def test_resume_takes_another_for_this_time_and_leaves_the_file(tmp_path: Path, counters: dict[str, Counter]) -> None:
    run = create_run(build_experiment(TABLE | {"backend": "cuda"}), tmp_path)
    before = (run.folder / "experiment.toml").read_bytes()
    assert main(["resume", str(run.folder), "--backend", "ray"]) == 0
    assert counters["ray"].games and not counters["cuda"].games
    assert (run.folder / "experiment.toml").read_bytes() == before


def test_train_writes_the_word_of_the_command_line_into_the_run(tmp_path: Path, counters: dict[str, Counter]) -> None:
    words = ["--epochs", "2", "--hidden", "1", "--name", "x", "--runs", str(tmp_path), "--backend", "cuda"]
    assert main(["train", "golf", *words]) == 0
    assert counters["cuda"].games and open_run(tmp_path / "x").experiment.backend == "cuda"


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_matches_and_tournaments_are_played_there(command: str, tmp_path: Path, counters: dict[str, Counter]) -> None:
    words = ["golf", "random", "greedier", "--pairs", "3", "--backend", "ray", "--runs", str(tmp_path)]
    assert main([command, *words]) == 0
    assert counters["ray"].games == 6 and counters["ray"].closed


def test_the_python_api_has_the_same_word(tmp_path: Path, counters: dict[str, Counter]) -> None:
    sparring.match("golf", "random", "greedier", pairs=2, backend="cuda")
    sparring.tournament("golf", "random", "greedier", pairs=2, backend="cuda")
    assert counters["cuda"].games == 8
    run = sparring.train("golf", runs=tmp_path, epochs=1, hidden=1, backend="ray")
    assert isinstance(run, sparring.Run) and counters["ray"].games
    with use_backend("ray"):
        before = counters["ray"].games
        sparring.match("golf", "random", "greedier", pairs=2)
        assert counters["ray"].games == before + 4, "none named is the one in use"


# What a backend can do.


@pytest.mark.parametrize("kind", [Cpu, Cuda, Cluster])
def test_a_backend_declares_exactly_what_it_implements(kind: type[Backend]) -> None:
    assert kind.capabilities == {name for name in CAPABILITIES if getattr(kind, name) is not getattr(Backend, name)}


def test_work_that_a_backend_cannot_do_runs_on_the_cores_and_one_line_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    token = IN_USE.set(counter := Counter())
    try:
        assert backend_for("play", "a match") is counter and capsys.readouterr().err == ""
        assert [backend_for("learn", "TD(lambda)") for _ in range(3)] == [CPU] * 3
    finally:
        IN_USE.reset(token)
    assert capsys.readouterr().err == "backend = 'counter': TD(lambda) runs on this machine's cores\n"


def test_a_learner_whose_backend_only_plays_learns_the_same_on_the_cores(
    tmp_path: Path, counters: dict[str, Counter], capsys: pytest.CaptureFixture[str]
) -> None:
    learner = {"name": "td", "games": 4, "step_games": 2, "hidden": 2, "benchmark_pairs": 2}
    here = trained(tmp_path / "here", build_experiment(TABLE | {"learner": learner}))
    there = trained(tmp_path / "there", build_experiment(TABLE | {"learner": learner, "backend": "cuda"}))
    assert capsys.readouterr().err.count("TD(lambda) runs on this machine's cores") == 1
    assert counters["cuda"].games > 0
    for path in here.rglob("*.safetensors"):
        assert path.read_bytes() == (there / path.relative_to(here)).read_bytes()


# What is wrong, in one line.


@contextmanager
def nothing_new_in(folder: Path) -> Iterator[None]:
    before = sorted(folder.rglob("*"))
    yield
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("words", ["train golf", "resume {run}", "match golf random greedier",
                                   "tournament golf random greedier", "reproduce golf"])  # fmt: skip
def test_every_command_refuses_another_word(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = create_run(build_experiment(TABLE), tmp_path / "runs")
    place = [] if words.startswith("resume") else ["--runs", str(tmp_path / "runs")]
    with nothing_new_in(tmp_path):
        assert main([*words.format(run=run.folder).split(), "--backend", "gpu", *place]) == 2
    told = capsys.readouterr().err
    assert told.endswith("backend = 'gpu': must be one of cpu, cuda, ray, auto\n") and told.count("\n") == 1


@without_gpu
def test_a_machine_without_a_gpu_says_so_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "golf", "random", "greedier", "--backend", "cuda", "--runs", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told == f"sparring: backend = 'cuda': {why_not()}\n" and told.count("\n") == 1


@without_gpu
def test_auto_falls_back_on_the_cores_of_a_machine_without_a_gpu() -> None:
    assert find_backend("auto") is CPU
    told = [
        sparring.match("golf", "random", "greedier", pairs=2, backend=word).json() | {"seconds": 0}
        for word in ("cpu", "auto")
    ]
    assert told[0] == told[1]
