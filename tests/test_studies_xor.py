"""Exclusive or by NEAT: the settings solve it, verdicts follow from intervals, a tiny re-run goes on where it stopped."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sparring.errors import UserError
from sparring.kernel.compiler import INTERPRETED
from sparring.learn.neat.options import check_neat
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED
from sparring.studies.xor import BUDGETS, measured, published, reproduce
from sparring.studies.xor.claims import CLAIMS
from sparring.studies.xor.measured import (
    NEAT_PYTHON,
    OURS,
    Budget,
    Measured,
    Runs,
    plain,
    sides,
    solve,
    squares,
    stock_file,
    with_bias,
)
from sparring.studies.xor.report_tables import all_tables
from sparring.studies.xor.settings import PAPER, STOCK, VARIANTS
from test_studies import Quiet

pytestmark = pytest.mark.skipif(INTERPRETED, reason="hundreds of generations")


def runs_of(generations: list[int], most: int = 200, hidden: int = 2, connections: int = 7) -> Runs:
    """Runs that took so many generations; those at the limit failed."""
    count, taken = len(generations), np.array(generations)
    return Runs(taken, taken < most, *(np.full(count, n) for n in (hidden, connections, 10)), np.full(count, 0.1))


def found_with(**kinds: Runs) -> Measured:
    full = runs_of([30, 32, 34] * 40)
    variants = {name: kinds.get(name.replace(" ", "_").replace(",", ""), full) for name in VARIANTS} | {
        "full": kinds.get("full", full)
    }
    return Measured(BUDGETS["quick"], len(full), 1, Path(), variants, {OURS: full})


@pytest.mark.parametrize("name", VARIANTS)
def test_no_settings_contradict_each_other(name: str) -> None:
    check_neat(VARIANTS[name])


def test_the_settings_solve_it_every_time() -> None:
    told = [solve(PAPER, 500, seed, with_bias, sides) for seed in range(1000, 1030)]
    assert all(run["solved"] for run in told)
    assert 20 < np.mean([run["generations"] for run in told]) < 55
    assert all(run["hidden"] >= 1 and run["connections"] >= 5 for run in told), "exclusive or takes a hidden node"


def test_a_run_follows_from_its_seed_and_stops_at_its_limit() -> None:
    first, second = (solve(PAPER, 3, 5, with_bias, sides) for _ in range(2))
    assert first["generations"] <= 3
    assert {k: v for k, v in first.items() if k != "seconds"} == {k: v for k, v in second.items() if k != "seconds"}


def test_answers_are_judged_as_the_paper_and_neat_python_do() -> None:
    outputs = np.array([[0.4, 0.6, 0.6, 0.4], [0.0, 1.0, 1.0, 0.0], [0.6, 0.6, 0.6, 0.4], [1.0, 0.0, 0.0, 1.0]])
    fitness, solved = sides(outputs)
    assert fitness == pytest.approx([2.4**2, 16.0, 2.2**2, 0.0]) and solved.tolist() == [True, True, False, False]
    fitness, solved = squares(outputs)
    assert fitness == pytest.approx([3.36, 4.0, 3.16, 0.0]) and solved.tolist() == [False, True, False, False]
    assert plain().shape == (4, 2) and with_bias()[:, 0].tolist() == [1.0] * 4


def test_neat_pythons_example_is_read_back_as_it_is(tmp_path: Path) -> None:
    from sparring.learn.neat.config import NeatOptions, read_config

    (tmp_path / "neat.ini").write_text(stock_file())
    told = read_config(tmp_path / "neat.ini")
    assert (told.inputs, told.outputs, told.notes) == (2, 1, [])
    assert replace(NeatOptions(**told.options), no_fitness_termination=True) == STOCK


def test_verdicts_follow_from_intervals() -> None:
    slow, fast, mixed = runs_of([90, 95, 100] * 40), runs_of([5, 6, 7] * 40), runs_of([10, 32, 54] * 40)
    found = found_with(no_growth=slow, random_starts=fast, no_mating=mixed)
    verdicts = [claim(found)[3] for claim in CLAIMS]
    assert verdicts == [SUPPORTED, SUPPORTED, SUPPORTED, SUPPORTED, SUPPORTED, NOT_SUPPORTED, OPEN, OPEN]
    failing = found_with(full=runs_of([200] * 60 + [150] * 60, hidden=9, connections=30))
    assert [claim(failing)[3] for claim in CLAIMS][:4] == [NOT_SUPPORTED] * 4
    none = found_with(full=runs_of([200] * 120))
    assert [claim(none)[3] for claim in CLAIMS][:4] == [NOT_SUPPORTED, OPEN, OPEN, OPEN]
    assert "none solved" in str(all_tables(none)[0].rows)


def test_a_tiny_re_run_is_kept_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUDGETS, "quick", Budget(3, 30, 2, 1))
    monkeypatch.setattr(measured, "STOCK_GENERATIONS", 3)
    found = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert found.report.exists() and "Exclusive or by NEAT" in found.report.read_text()
    assert [table.title for table in found.tables][-1] == "The study's claims"
    kept = found.report.parent / "full-000-3.json"
    rows = json.loads(kept.read_text())
    assert len(rows) == 3
    rows[0]["generations"] = 12345
    kept.write_text(json.dumps(rows))
    again = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert "12345" in str(again.tables[0].rows) or not rows[0]["solved"]


def test_without_neat_python_its_row_says_so() -> None:
    rows = all_tables(found_with())[2].rows
    assert rows[0][0] == OURS and rows[1][:2] == [NEAT_PYTHON, "not installed"]


def test_neat_python_runs_its_example_and_leaves_pythons_random_numbers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("neat")
    import random

    monkeypatch.setattr(measured, "STOCK_GENERATIONS", 2)
    random.seed(4)
    before = random.getstate()
    told = measured.solve_with_neat_python(1)
    assert told["generations"] == 2 and not told["solved"] and told["connections"] >= 1
    assert random.getstate() == before


def test_published_figures() -> None:
    assert published.SOLVED == published.RUNS == 100
    assert pytest.approx(published.GENERATIONS, abs=0.5) == published.EVALUATIONS / 150


def test_an_unknown_budget_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="quick, paper, deep"):
        reproduce("huge", 0, 1, tmp_path, None, Quiet())
