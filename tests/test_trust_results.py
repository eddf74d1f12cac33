"""Files of sweeps, ladders and studies that somebody altered, and names that would take their place: refused in one line."""

import json
import os
from pathlib import Path

import pytest

import sparring
from sparring.arena.ladder import Meeting, read_meeting
from sparring.errors import UserError
from sparring.lab.experiment import OWN, build_experiment, read_experiment
from sparring.lab.locks import held
from sparring.lab.sweep import Sweep
from sparring.lab.sweep_plan import read_sweep
from sparring.nets.files import read_tensors, write_tensors
from sparring.studies.debate.trainings import Stage
from sparring.studies.study_cache import Stopwatch, StudyCache

EXPERIMENT = """
game = "golf"
[learner]
hidden = 1
epochs = 8
benchmark_pairs = 0
[evaluation]
opponents = ["random"]
"""
SWEEP = """
experiment = "base.toml"
settings = 3
trials = 2
pairs = 1
[options]
hidden = [1, 2, 3]
"""
ROUND = {"round": 1, "step": 1, "games": 10, "diverged": False, "scores": [0.5, 0.5]}
BAD_ROUNDS = [
    "x", "null", "[]", "{}", "[" * 100_000, "\xff",
    *(json.dumps(ROUND | more) for more in (
        {"round": 2}, {"round": True}, {"step": -1}, {"step": 1.0}, {"games": "x"}, {"games": -1}, {"games": 10**30},
        {"diverged": 0}, {"diverged": True}, {"scores": []}, {"scores": [0.5]}, {"scores": [0.5, None]}, {"scores": "ab"},
        {"scores": [0.5, float("nan")]}, {"scores": [0.5, "0.5"]}, {"scores": [[0.5], [0.5]]}, {"scores": [True, False]},
    )),
]  # fmt: skip


def swept(folder: Path) -> Sweep:
    return sparring.sweep(folder / "tuned.toml", runs=folder / "runs", threads=1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished sweep."""
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "base.toml").write_text(EXPERIMENT)
    (folder / "tuned.toml").write_text(SWEEP)
    swept(folder)
    return folder


@pytest.mark.parametrize("content", BAD_ROUNDS, ids=range(len(BAD_ROUNDS)))
def test_a_round_that_no_sweep_writes_is_refused(finished: Path, content: str) -> None:
    path = finished / "runs" / "tuned" / "001-round-1.json"
    before = path.read_bytes()
    path.write_text(content, "latin-1")
    with pytest.raises(UserError, match="001-round-1.json: damaged, or not of this sweep; delete"):
        swept(finished)
    path.write_bytes(before)


@pytest.mark.parametrize(
    "facts", [None, [], {}, ROUND | {"step": "1"}, ROUND | {"games": -1}, ROUND | {"round": "1"}, ROUND | {"step": 9}]
)
def test_a_setting_s_training_that_no_sweep_writes_is_refused(finished: Path, facts: object) -> None:
    folder = finished / "runs" / "tuned"
    path, second = sorted(folder.glob("*-round-2.json"))[:2]
    setting = folder / f"{path.name[:3]}.safetensors"
    before = {each: each.read_bytes() for each in (path, second, setting)}
    path.unlink()
    write_tensors(setting, read_tensors(setting)[0], facts)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="damaged"):
        swept(finished)
    for each, content in before.items():
        each.write_bytes(content)
    swept(finished)


@pytest.mark.parametrize("name", ["plan.json", "001-round-1.json"])
def test_a_pipe_in_the_folder_of_a_sweep_is_refused_at_once(finished: Path, name: str) -> None:
    path = finished / "runs" / "tuned" / name
    before = path.read_bytes()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UserError, match="not a regular file"):
        swept(finished)
    path.unlink()
    path.write_bytes(before)


@pytest.mark.parametrize("name", [*OWN, "results.sqlite"])
def test_no_run_and_no_sweep_takes_the_place_of_something_else_in_the_folder_of_runs(finished: Path, name: str) -> None:
    with pytest.raises(UserError, match="something else in the folder of runs"):
        build_experiment({"game": "golf", "name": name})
    (finished / f"{name}.toml").write_text(SWEEP)
    with pytest.raises(UserError, match="something else in the folder of runs"):
        read_sweep(finished / f"{name}.toml")


MEETING = {"players": ["a", "b"], "points": {"0": 3, "2": 4}, "core_seconds": 0.5, "batches": 1}


def test_a_meeting_is_read_as_it_was_stored() -> None:
    assert read_meeting(MEETING, 2.0) == Meeting(("a", "b"), {0.0: 3, 2.0: 4}, 0.5, 1)


@pytest.mark.parametrize(
    "more",
    [
        {"points": {"3": 1}}, {"points": {"-1": 1}}, {"points": {"nan": 1}}, {"points": {"1": -1}}, {"points": {"1": 10**30}},
        {"points": {"1": 0.5}}, {"points": {"1": "1"}}, {"points": []}, {"batches": -1}, {"batches": "1"}, {"core_seconds": -1},
        {"core_seconds": float("nan")}, {"core_seconds": 10**400}, {"core_seconds": float("inf")}, {"players": ["a"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_stored_ladder_with_impossible_numbers_is_refused(
    more: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparring.lab.ladders.shipped", lambda game: ["random", "greedier"])
    play = {"within": 1000.0, "minutes": 0.0, "threads": 1, "results": tmp_path}
    path = sparring.ladder("golf", **play).path
    stored = json.loads(path.read_text())
    stored["result"]["meetings"] = [MEETING | {"players": ["random", "greedier"]} | more]
    path.write_text(json.dumps(stored))
    with pytest.raises(UserError, match="not a stored ladder"):
        sparring.ladder("golf", **play)


def test_only_one_process_at_a_time_plays_a_ladder(tmp_path: Path) -> None:
    with (
        held(tmp_path / "ladder-golf.lock", "x"),
        pytest.raises(UserError, match="ladder-golf.json: in use by process"),
    ):
        sparring.ladder("golf", within=1000, minutes=0, threads=1, results=tmp_path)


BAD_POINTS = [
    "x", "[]", "null", "{}", '{"steps": [], "marks": 1}', '{"steps": [[1]], "marks": []}', '{"steps": [["1", 1, 1]], "marks": []}',
    '{"steps": [[0, 1, 1]], "marks": []}', '{"steps": [[1, NaN, 1]], "marks": []}', '{"steps": [], "marks": [[1, 1, -1]]}',
]  # fmt: skip


@pytest.mark.parametrize("content", BAD_POINTS)
def test_points_of_a_training_that_no_study_writes_are_refused(content: str, tmp_path: Path) -> None:
    stage = Stage("x", tmp_path, {}, 1, ())
    stage.log.write_text(content)
    with pytest.raises(UserError, match="x-points.json: damaged, or not of this study"):
        stage.points()


@pytest.mark.parametrize("content", ["x", "[1]", '{"steps": "x"}', '{"seconds": []}'])
def test_measured_seconds_that_no_study_writes_are_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "x-seconds.json").write_text(content)
    with pytest.raises(UserError, match="x-seconds.json: damaged, or not of this study"):
        Stopwatch(tmp_path / "x")


def test_a_damaged_or_endless_cache_of_a_study_is_refused(tmp_path: Path) -> None:
    cache = StudyCache(1, tmp_path, 1, None, None)  # type: ignore[arg-type]
    (tmp_path / "x.json").write_text("[1, 2")
    with pytest.raises(UserError, match="x.json: damaged, or not of this study"):
        cache.cached("x", list)
    os.mkfifo(tmp_path / "y.json")
    with pytest.raises(UserError, match="not a regular file"):
        cache.cached("y", list)


HUGE = "0x" + "f" * 5000  # which Python does not write as decimal digits
LONG = "9" * 400  # which is too large for a float


@pytest.mark.parametrize("number", [HUGE, LONG])
@pytest.mark.parametrize(
    "line", ["seed = {}", "learner = {}", "[learner]\nname = {}", "[learner]\nmutation = {}", "[learner]\nhidden = {}",
             "[learner]\nrule = {}", "[evaluation]\nopponents = [{}]", "unknown = {}"],
)  # fmt: skip
def test_a_number_without_end_in_an_experiment_is_refused(line: str, number: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('game = "golf"\n' + line.format(number) + "\n")
    with pytest.raises(UserError, match="x.toml: "):
        read_experiment(tmp_path / "x.toml")


@pytest.mark.parametrize("number", [HUGE, LONG])
@pytest.mark.parametrize(
    "axis", ["{}", "[{}]", "[[{}]]", "{{ from = {}, to = 1 }}", "{{ from = 0.1, to = {} }}", "{{ as = {} }}"]
)
def test_a_number_without_end_in_a_sweep_is_refused(axis: str, number: str, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(EXPERIMENT)
    for option in ("hidden", "mutation", "rule"):
        (tmp_path / "x.toml").write_text(f'experiment = "base.toml"\n[options]\n{option} = {axis.format(number)}\n')
        with pytest.raises(UserError, match="x.toml: "):
            read_sweep(tmp_path / "x.toml")
