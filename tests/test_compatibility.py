"""Files of version 0.7.1 keep their meaning: its runs resume to the same end, its nets and players make the same moves.

Version 0.7.1 made the data in compatibility/ (see compatibility/make.py). The tests use files and the command line, so that they do
not depend on names inside the code.

Arrays are compared byte by byte. This was checked with LLVM limited to SSE2 (golf, backgammon), with glibc and NumPy without AVX
and FMA, and with other OpenBLAS kernels: Numba without fastmath neither reorders sums nor fuses a multiplication with an addition,
and differences in libm disappear in single precision. Two learners use BLAS and LAPACK, where the order of summation depends on
the processor:

- Curricula (matrix products, Cholesky) are compared as numbers, within `CLOSE`.
- CMA-ES draws other candidates when LAPACK returns other eigenvectors, so that the whole run differs. Its runs are compared only
  where the CMA-ES library alone repeats a search of the machine that made the data; elsewhere they are skipped.
"""

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from amounts import amount
from compatibility.digests import CHECKPOINT, HERE, command, digest, library_search, match_facts, run_arrays, run_facts
from sparring.cli import main
from sparring.lab.experiment import read_experiment

EXPECTED = json.loads((HERE / "expected.json").read_text())
NUMBERS = load_file(HERE / "expected.safetensors")  # arrays that are compared as numbers
CLOSE = {"rtol": 1e-5, "atol": 1e-7}
DIGITS = 2e-6  # results are rounded to six digits
RENAMED = {"climbing": "hill-climbing", "strategies": "evolution-strategies"}
LEARNERS = {"coevolution", "climbing", "curriculum", "neat", "strategies", "td", "td-batch"}
OTHER_STATES = {"td-batch"}  # runs whose checkpoints have states that have changed
# Players that are others now: golf's and conquest's champions, and a network that looks one ply ahead, which filters plays and
# knows endings.
REPLACED = ("golf champion", "champion greedy --pairs 2 --seed 5", "+1ply")
NEW_NAMES = {
    "gin": {"champion": "champion-melds"},
    "hearts": {"champion": "champion-wary"},
}  # of players that are the same
EXPERIMENTS = sorted(path.name for path in (HERE / "experiments").glob("*.toml"))


def is_same(key: str, wanted: str, array: np.ndarray) -> bool:
    """Whether an array equals the expected one, byte by byte or as numbers."""
    if key not in NUMBERS:
        return digest(array) == wanted
    close = NUMBERS[key].shape == array.shape and NUMBERS[key].dtype == array.dtype
    return close and np.allclose(NUMBERS[key], array, equal_nan=True, **CLOSE)


def missing_arrays(run: str, folder: Path) -> list[str]:
    """The expected arrays that a run lacks. Tensors of nets are found by name; arrays of a checkpoint may have new names.

    States of backgammon have had more fields since 0.12.
    """
    found = run_arrays(folder)
    saved = [array for key, array in found.items() if key.startswith(CHECKPOINT)]
    return [
        key
        for key, wanted in EXPECTED["runs"][run]["arrays"].items()
        if not (run in OTHER_STATES and key.endswith("/states"))
        and not any(
            is_same(f"{run}:{key}", wanted, array)
            for array in (saved if key.startswith(CHECKPOINT) else [found[key]] if key in found else [])
        )
    ]


def differences(wanted: Any, found: Any, place: str = "") -> list[str]:
    """Where JSON differs from the expected; new keys and new names of learners are allowed."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return [d for key in wanted for d in differences(wanted[key], found.get(key), f"{place}/{key}")]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [d for i, each in enumerate(wanted) for d in differences(each, found[i], f"{place}/{i}")]
    if isinstance(wanted, float) and isinstance(found, float | int):
        same = bool(np.isclose(wanted, found, rtol=CLOSE["rtol"], atol=DIGITS))
    else:
        same = wanted == found or (place.endswith("/learner") and RENAMED.get(wanted) == found)
    return [] if same else [f"{place}: {found!r} instead of {wanted!r}"]


def check_run(run: str, folder: Path) -> None:
    wanted = {key: value for key, value in EXPECTED["runs"][run].items() if key != "arrays"}
    assert differences(wanted, run_facts(folder)) == []
    assert missing_arrays(run, folder) == []


@pytest.fixture
def run(request: pytest.FixtureRequest) -> str:
    """A run that can be compared on this machine."""
    if request.param == "strategies-cma" and not np.allclose(library_search(), NUMBERS["library search"], **CLOSE):
        pytest.skip("LAPACK returns other eigenvectors here than on the machine that made the data")
    return str(request.param)


RUNS = [run for run in EXPECTED["runs"] if amount(run != "curriculum-search", True)]  # that one compiles for long


@pytest.mark.parametrize("run", [run for run in RUNS if run not in OTHER_STATES], indirect=True)
def test_a_run_that_0_7_1_stopped_half_way_resumes_to_the_same_end(run: str, tmp_path: Path) -> None:
    shutil.copytree(HERE / "halfway" / run, tmp_path / run)
    command("resume", tmp_path / run)
    check_run(run, tmp_path / run)


@pytest.mark.parametrize("run", sorted(OTHER_STATES))
def test_a_run_whose_states_have_changed_is_refused_in_one_line(run: str, tmp_path: Path, capsys: Any) -> None:
    shutil.copytree(HERE / "halfway" / run, tmp_path / run)
    assert main(["resume", str(tmp_path / run)]) == 2
    said = capsys.readouterr().err.strip()
    assert "states" in said and "\n" not in said


@pytest.mark.parametrize("run", RUNS, indirect=True)
def test_an_experiment_of_0_7_1_trains_the_same_nets(run: str, tmp_path: Path) -> None:
    command("train", HERE / "plans" / f"{run}.toml", "--runs", tmp_path)
    check_run(run, tmp_path / run)


def named_now(words: list[str]) -> list[str]:
    """The words of a match with the names that its players have now."""
    names = NEW_NAMES.get(words[0].partition(":")[0], {})
    return [re.sub(r"^[^+]*", lambda found: names.get(found[0], found[0]), word) for word in words]


MATCHES = [case for case in EXPECTED["matches"] if not any(word in " ".join(case["words"]) for word in REPLACED)]


@pytest.mark.parametrize("case", MATCHES, ids=lambda case: " ".join(case["words"]))
def test_players_make_the_moves_that_they_made_in_0_7_1(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    found = match_facts(named_now(case["words"]))
    assert differences(case["players"], found["players"]) == []
    assert found["games"] == case["games"]


def test_the_runs_are_of_every_learner_under_its_old_name() -> None:
    plans = [tomllib.loads((HERE / "halfway" / run / "experiment.toml").read_text()) for run in EXPECTED["runs"]]
    assert {plan["learner"]["name"] for plan in plans} == LEARNERS


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_an_experiment_of_0_7_1_leaves_out_has_the_same_defaults(name: str) -> None:
    assert read_experiment(HERE / "experiments" / name) == read_experiment(HERE / "resolved" / name)
