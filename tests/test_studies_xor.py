"""The study of the NEAT paper: its settings solve the tasks, verdicts follow from intervals, a tiny re-run resumes."""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from amounts import amount
from sparring.errors import UserError
from sparring.kernel.compiler import INTERPRETED
from sparring.learn.neat.config import config_text, read_config
from sparring.learn.neat.options import NeatOptions, check_neat
from sparring.learn.neat.population import Population
from sparring.studies.verdicts import NOT_REPRODUCED, REPRODUCED, UNDECIDED, judge_all
from sparring.studies.xor import BUDGETS, measured, published, reproduce
from sparring.studies.xor.claims import CLAIMS
from sparring.studies.xor.measured import (
    ANSWERS,
    EXCLUSIVE_OR,
    HIDDEN,
    HIDDEN_POLES,
    PROGRAM,
    SEEN,
    STOCK_TASK,
    STOCK_XOR,
    XOR,
    Budget,
    Measured,
    Runs,
    improved_champion,
    sides,
    solve,
    solve_with_neat_python,
    squares,
)
from sparring.studies.xor.report_tables import all_tables
from sparring.studies.xor.settings import PAPER, POLES, STOCK, VARIANTS
from test_studies import Quiet

WHOLE = BUDGETS["paper"]
LOOSE = replace(PAPER, min_species_size=2)
pytestmark = pytest.mark.skipif(INTERPRETED, reason="hundreds of generations")


def runs_of(evaluations: list[float], solved: float = 1.0, hidden: int = 2, connections: int = 7) -> Runs:
    """Runs that took so many evaluations, the first of which failed."""
    count, taken = len(evaluations), np.array(evaluations, float)
    right = np.arange(count) >= round(count * (1 - solved))
    sizes = (np.full(count, n) for n in (hidden, connections, 280, 10))
    return Runs(taken // 150, right, taken, *sizes, np.full(count, 0.1))


def found_with(
    seen: Runs | None = None, xor: Runs | None = None, hidden: Runs | None = None, budget: Budget = WHOLE, **poles: Runs
) -> Measured:
    """A measurement as published, but for these runs."""
    full = seen or runs_of(list(published.sample(3600, 2704, 100)))
    kinds = {
        name: runs_of(list(published.sample(theirs.evaluations, 2000, 20)), 1 - theirs.failures)
        for name, theirs in published.ABLATIONS.items()
    }
    kinds |= {"full": full} | {name.replace("_", " "): runs for name, runs in poles.items()}
    kinds = {name: kinds[name.partition(",")[0]] for name in (*VARIANTS, PROGRAM)}
    kinds[XOR] = kinds[STOCK_XOR] = xor or runs_of(list(published.sample(4755, 2553, 100)))
    kinds[HIDDEN_POLES] = hidden or runs_of(list(published.sample(33184, 21790, 100)))
    return Measured(budget, 100, 1, Path(), kinds)


def verdicts(found: Measured) -> dict[str, str]:
    return {each.claim: each.verdict for each in judge_all(CLAIMS, found)}


@pytest.mark.parametrize("options", [*VARIANTS.values(), STOCK, POLES])
def test_no_settings_contradict_each_other(options: NeatOptions) -> None:
    check_neat(options)


def test_the_settings_solve_exclusive_or_every_time() -> None:
    found = [solve(EXCLUSIVE_OR, PAPER, 500, seed) for seed in range(1000, 1030)]
    assert all(run["solved"] for run in found)
    assert 20 < np.mean([run["generations"] for run in found]) < 55
    assert all(run["hidden"] >= 1 and run["connections"] >= 5 for run in found), "exclusive or takes a hidden node"


def test_the_settings_balance_two_poles() -> None:
    found = [solve(SEEN, PAPER, 200, seed) for seed in range(2000, 2005)]
    assert all(run["solved"] for run in found)
    assert 500 < np.mean([run["evaluations"] for run in found]) < 10_000
    assert all(150 * run["generations"] < run["evaluations"] <= 150 * (run["generations"] + 1) for run in found)


def test_the_settings_balance_two_poles_without_velocities() -> None:
    for seed in range(1, amount(2, 9)):
        run = solve(HIDDEN, POLES, 200, seed)
        assert run["solved"] and 200 <= run["general"] <= 625 and run["evaluations"] > 1000


def test_a_run_follows_from_its_seed_and_stops_at_its_limit() -> None:
    first, second = (solve(SEEN, PAPER, 3, 5) for _ in range(2))
    assert first["generations"] <= 3
    assert {k: v for k, v in first.items() if k != "seconds"} == {k: v for k, v in second.items() if k != "seconds"}


def test_answers_are_judged_as_the_paper_and_neat_python_do() -> None:
    outputs = np.array([[0.4, 0.6, 0.6, 0.4], ANSWERS, [0.6, 0.6, 0.6, 0.4], 1 - ANSWERS])
    fitness, solved = sides(outputs)
    assert fitness == pytest.approx([2.4**2, 16.0, 2.2**2, 0.0]) and solved.tolist() == [True, True, False, False]
    fitness, solved = squares(outputs)
    assert fitness == pytest.approx([3.36, 4.0, 3.16, 0.0]) and solved.tolist() == [False, True, False, False]


def test_the_champion_of_the_best_species_that_improved_is_tested() -> None:
    population = Population(replace(PAPER, compatibility_threshold=0.3), 7, 1, 1, threads=1)
    places, species = population.places, population.records
    assert len(species) > 2
    fitness = np.linspace(1, 2, population.size)
    assert improved_champion(population, fitness) == population.size - 1, "none was judged before"
    species.best_fitness[:] = 10.0
    assert improved_champion(population, fitness) == population.size - 1, "none improved"
    other = int(np.flatnonzero(places != places[-1])[-1])
    species.best_fitness[places[other]] = 0.0
    assert improved_champion(population, fitness) == other


def test_neat_pythons_example_is_read_back_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "neat.ini").write_text(config_text(STOCK, 2, 1))
    found = read_config(tmp_path / "neat.ini")
    assert (found.inputs, found.outputs, found.notes) == (2, 1, [])
    assert NeatOptions(**found.options) == STOCK


def test_what_was_published_is_reproduced_by_itself() -> None:
    assert set(verdicts(found_with()).values()) == {REPRODUCED}


def test_verdicts_follow_from_intervals() -> None:
    slow = verdicts(found_with(seen=runs_of(list(published.sample(9000, 2000, 100)))))
    assert slow["Two poles with velocities take 3,600 evaluations on average"] == NOT_REPRODUCED
    assert slow["NEAT takes fewer evaluations than SANE"] == REPRODUCED
    assert slow["no mating: 54% more evaluations"] == NOT_REPRODUCED
    failing = verdicts(found_with(xor=runs_of([4755.0] * 50, 0.5, hidden=9, connections=30)))
    assert failing["NEAT finds a network for exclusive or in every run (in more than 95% of runs)"] == NOT_REPRODUCED
    assert failing["and 7.48 enabled connections"] == NOT_REPRODUCED
    assert (
        verdicts(found_with(no_growth=runs_of([9000.0] * 40)))["no growth: fails as often as published"]
        == NOT_REPRODUCED
    )
    short = verdicts(found_with(budget=BUDGETS["quick"], no_growth=runs_of([9000.0] * 40)))
    assert short["no growth: fails as often as published"] == UNDECIDED
    none = found_with(hidden=runs_of([200_000.0] * 20, 0.0))
    assert verdicts(none)["Two poles without velocities take 33,184 evaluations on average"] == UNDECIDED
    assert "none solved" in str(all_tables(none)[2].rows)


def test_a_tiny_re_run_is_kept_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUDGETS, "quick", Budget(3, 1, 2, 1))
    monkeypatch.setattr(measured, "STOCK_GENERATIONS", 2)
    monkeypatch.setattr(measured, "THEIR_GENERATIONS", 1)
    found = reproduce("quick", 0, 1, tmp_path, None, Quiet(), None)
    assert found.report.exists() and "NEAT on exclusive or and two poles" in found.report.read_text()
    assert [table.title for table in found.tables][-1] == "The study's claims"
    kept = found.report.parent / "exclusive-or-000-2.json"
    rows = json.loads(kept.read_text())
    assert len(rows) == 2
    rows[0] |= {"hidden": 54321, "solved": True}
    kept.write_text(json.dumps(rows))
    again = reproduce("quick", 0, 1, tmp_path, None, Quiet(), None)
    assert "54321.00" in str(again.tables[0].rows)  # the only run that solved the task


def test_without_neat_python_its_rows_are_missing() -> None:
    assert "neat-python" not in str([table.rows for table in all_tables(found_with())])
    installed = found_with()
    installed.runs[STOCK_XOR + ", neat-python"] = installed.runs[XOR]
    assert [row[0] for row in all_tables(installed)[-1].rows] == ["sparring", "neat-python"]


@pytest.mark.parametrize(
    ("task", "options"), [(STOCK_TASK, STOCK), (SEEN, LOOSE), (HIDDEN, replace(POLES, pop_size=60, min_species_size=1))]
)
def test_neat_python_runs_the_tasks_and_leaves_pythons_random_numbers_alone(
    task: measured.Task, options: NeatOptions
) -> None:
    pytest.importorskip("neat")
    random.seed(4)
    before = random.getstate()
    run = solve_with_neat_python(task, options, 2, 2)
    assert run["generations"] == 2 and not run["solved"] and run["connections"] >= 1
    assert run["evaluations"] == 3 * options.pop_size
    assert random.getstate() == before


def test_published_figures() -> None:
    assert published.SOLVED == published.RUNS == 100
    assert pytest.approx(published.GENERATIONS, abs=0.5) == published.EVALUATIONS / 150
    seen = published.SEEN[-1]
    assert seen.evaluations == seen.other * seen.networks
    numbers = published.sample(3600, 2704, 120)
    assert (numbers.mean(), numbers.std(ddof=1), len(numbers)) == pytest.approx((3600, 2704, 120))
    assert published.failed(published.ABLATIONS["no growth"]).sum() == 16


def test_an_unknown_budget_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="quick, paper, deep"):
        reproduce("huge", 0, 1, tmp_path, None, Quiet(), None)
