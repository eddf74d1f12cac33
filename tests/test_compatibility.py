"""Version 0.7.1's files still mean the same: its runs go on to the same end, its nets and players make the same moves.

The data in compatibility/ were made by version 0.7.1 (compatibility/make.py). Everything here goes through files and the command
line, so that it holds whatever the code inside is called.

Which bytes depend on the processor was tried out: vectors of other widths, glibc and NumPy without FMA and AVX, other cores of
OpenBLAS. Our kernels do not (without fastmath Numba neither reorders sums nor fuses a product with a sum, and what libm rounds
otherwise is lost in single precision), so that runs are compared byte by byte. Two learners go through BLAS and LAPACK:

- curricula (matrix products, Cholesky) are compared as numbers, to within `CLOSE`;
- CMA-ES takes other eigenvectors where LAPACK sums in another order, and with them other candidates: nothing of such a run is the
  same. It is compared where a search by the library alone ends where it ended on the machine that made the data, else skipped.
"""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from compatibility.digests import CHECKPOINT, HERE, command, digest, library_search, match_facts, run_arrays, run_facts
from sparring.lab.experiment import read_experiment

EXPECTED = json.loads((HERE / "expected.json").read_text())
NUMBERS = load_file(HERE / "expected.safetensors")  # the arrays to compare as numbers
CLOSE = {"rtol": 1e-5, "atol": 1e-7}
DIGITS = 2e-6  # results are written with six digits
RENAMED = {"climbing": "hill-climbing", "strategies": "evolution-strategies"}
LEARNERS = {"coevolution", "climbing", "curriculum", "neat", "strategies", "td", "td-batch"}
EXPERIMENTS = sorted(path.name for path in (HERE / "experiments").glob("*.toml"))


def is_same(key: str, wanted: str, array: np.ndarray) -> bool:
    """Whether an array is the one expected under this key, to the byte or as numbers."""
    if key not in NUMBERS:
        return digest(array) == wanted
    close = NUMBERS[key].shape == array.shape and NUMBERS[key].dtype == array.dtype
    return close and np.allclose(NUMBERS[key], array, equal_nan=True, **CLOSE)


def missing_arrays(run: str, folder: Path) -> list[str]:
    """The expected arrays that a run does not have. Nets name theirs for users; a checkpoint's may have other names now."""
    found = run_arrays(folder)
    saved = [array for key, array in found.items() if key.startswith(CHECKPOINT)]
    return [
        key
        for key, wanted in EXPECTED["runs"][run]["arrays"].items()
        if not any(
            is_same(f"{run}:{key}", wanted, array)
            for array in (saved if key.startswith(CHECKPOINT) else [found[key]] if key in found else [])
        )
    ]


def differences(wanted: Any, found: Any, place: str = "") -> list[str]:
    """Where JSON differs from what is expected; keys may have been added, and learners have new names."""
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
        pytest.skip("LAPACK takes other eigenvectors here than where the data were made")
    return str(request.param)


@pytest.mark.parametrize("run", EXPECTED["runs"], indirect=True)
def test_a_run_that_0_7_1_left_half_way_goes_on_to_the_same_end(run: str, tmp_path: Path) -> None:
    shutil.copytree(HERE / "halfway" / run, tmp_path / run)
    command("resume", tmp_path / run)
    check_run(run, tmp_path / run)


@pytest.mark.parametrize("run", EXPECTED["runs"], indirect=True)
def test_an_experiment_of_0_7_1_trains_the_same_nets(run: str, tmp_path: Path) -> None:
    command("train", HERE / "plans" / f"{run}.toml", "--runs", tmp_path)
    check_run(run, tmp_path / run)


@pytest.mark.parametrize("case", EXPECTED["matches"], ids=lambda case: " ".join(case["words"]))
def test_players_make_the_moves_that_they_made_in_0_7_1(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    found = match_facts(case["words"])
    assert differences(case["players"], found["players"]) == []
    assert found["games"] == case["games"]


def test_the_runs_are_of_every_learner_under_its_old_name() -> None:
    plans = [tomllib.loads((HERE / "halfway" / run / "experiment.toml").read_text()) for run in EXPECTED["runs"]]
    assert {plan["learner"]["name"] for plan in plans} == LEARNERS


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_an_experiment_of_0_7_1_leaves_out_has_the_same_defaults(name: str) -> None:
    assert read_experiment(HERE / "experiments" / name) == read_experiment(HERE / "resolved" / name)
