"""Comparisons of trials: the paper's formulas written out again, the corrections, and what the commands say of runs."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import sparring
from amounts import amount
from sparring.arena.trials import (
    bootstrap,
    holm,
    interquartile_mean,
    p_value,
    performance_profile,
    probability_of_improvement,
)
from sparring.errors import UserError

RNG = np.random.default_rng(1)
ONE = [RNG.normal(0.6, 0.1, 10), RNG.normal(0.4, 0.2, 14).round(1)]  # rounded: with ties
OTHER = [RNG.normal(0.5, 0.1, 12), RNG.normal(0.4, 0.2, 9).round(1)]


# The formulas of Agarwal et al. (2021), section 4, with loops.


def middle_half(scores: list[np.ndarray]) -> float:
    """The 25% trimmed mean of all trials."""
    return float(stats.trim_mean(np.concatenate(scores), 0.25))


def improvement(first: list[np.ndarray], second: list[np.ndarray]) -> float:
    """P(X > Y), averaged over tasks; S(x, y) is 1, 1/2 or 0."""
    of_tasks = []
    for xs, ys in zip(first, second, strict=True):
        of_tasks.append(sum(1.0 if x > y else 0.5 if x == y else 0.0 for x in xs for y in ys) / (len(xs) * len(ys)))
    return sum(of_tasks) / len(of_tasks)


def profile(scores: list[np.ndarray], threshold: float) -> float:
    """The share of trials of a task above the threshold, averaged over tasks."""
    return float(np.mean([sum(x > threshold for x in xs) / len(xs) for xs in scores]))


def interval(statistic, groups: list[list[np.ndarray]]) -> tuple[float, float]:
    """The percentile bootstrap: trials are drawn again, with replacement, within each task."""
    rng, found = np.random.default_rng(7), []
    for _ in range(amount(2000, 20_000)):
        found.append(statistic(*[[rng.choice(xs, len(xs)) for xs in group] for group in groups]))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def test_the_interquartile_mean_is_the_paper_s() -> None:
    assert float(interquartile_mean(ONE)) == pytest.approx(middle_half(ONE))


def test_the_probability_of_improvement_is_the_paper_s_and_mann_and_whitney_s() -> None:
    assert float(probability_of_improvement(ONE, OTHER)) == pytest.approx(improvement(ONE, OTHER))
    u = stats.mannwhitneyu(ONE[1], OTHER[1]).statistic
    assert float(probability_of_improvement(ONE[1:], OTHER[1:])) == pytest.approx(u / (14 * 9))


def test_the_performance_profile_is_the_paper_s() -> None:
    thresholds = np.linspace(0, 1, 11)
    assert performance_profile(ONE, thresholds).tolist() == pytest.approx([profile(ONE, x) for x in thresholds])


@pytest.mark.parametrize(
    ("ours", "again", "groups"),
    [(interquartile_mean, middle_half, [ONE]), (probability_of_improvement, improvement, [ONE, OTHER])],
)
def test_intervals_are_those_of_a_bootstrap_with_loops(ours, again, groups: list[list[np.ndarray]]) -> None:
    found, (low, high) = bootstrap(ours, *groups), interval(again, groups)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.1 * (high - low))


def test_an_interval_of_the_interquartile_mean_covers_it() -> None:
    rng, times = np.random.default_rng(3), amount(200, 2000)
    found = [bootstrap(interquartile_mean, [rng.normal(size=30)]) for _ in range(times)]
    assert np.mean([each.low <= 0 <= each.high for each in found]) > stats.binom.ppf(0.001, times, 0.93) / times


# Tests of several comparisons.


def test_p_values_are_mann_and_whitney_s() -> None:
    for first, second in ((ONE[0], OTHER[0]), (ONE[1], OTHER[1]), (ONE[0][:5], OTHER[0][:4])):
        known = stats.mannwhitneyu(first, second, method="auto").pvalue
        assert p_value([first], [second]) == pytest.approx(known, abs=0.02)


def test_trials_without_a_difference_are_called_different_no_more_than_5_times_in_100() -> None:
    rng, times = np.random.default_rng(5), amount(200, 2000)
    found = [p_value([rng.normal(size=8)], [rng.normal(size=8)]) for _ in range(times)]
    assert np.mean(np.array(found) < 0.05) <= stats.binom.ppf(0.999, times, 0.05) / times


def test_holm_s_correction() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


# Runs.


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two trainings of eight trials, one of them hardly trained."""
    folder = tmp_path_factory.mktemp("runs")
    evaluation = {"pairs": 20, "selection_pairs": 2, "opponents": ["random"]}
    for name, epochs in (("long", 40), ("short", 1), ("again", 1)):
        seed = 2 if name == "again" else 1
        sparring.train("golf", runs=folder, name=name, trials=8, epochs=epochs, seed=seed, evaluation=evaluation)
    return folder


def test_runs_are_compared_by_their_trials(runs: Path) -> None:
    found = sparring.compare(runs / "long", runs / "short")
    own = [
        row["matches"][0]["players"][0]["win_rate"][0] for row in sparring.load(runs / "long").evaluation()["trials"]
    ]
    assert found.methods[0].middle.value == pytest.approx(middle_half([np.array(own)]))
    assert found.methods[0].scores[0].tolist() == own
    assert found.pairs[0].better == "long"
    assert found.pairs[0].probability.low > 0.5


def test_runs_that_trials_do_not_tell_apart_are_inconclusive(runs: Path) -> None:
    found = sparring.compare(runs / "short", runs / "again", runs / "long")
    assert [pair.better for pair in found.pairs] == ["inconclusive", "long", "long"]


def test_in_golf_less_score_is_better(runs: Path) -> None:
    pair = sparring.compare(runs / "short", runs / "long", by="score").pairs[0]
    assert (pair.better, pair.probability.value < 0.5) == ("long", True)


def test_the_command_and_the_report_compare(runs: Path) -> None:
    command = [sys.executable, "-m", "sparring", "compare", runs / "long", runs / "short"]
    shown = subprocess.check_output(command, text=True)
    assert "probability of improvement" in shown
    assert "performance profile" in shown
    assert (
        json.loads(json.dumps(sparring.compare(runs / "long", runs / "short").json()))["pairs"][0]["verdict"] == "long"
    )
    assert (
        "Performance profile" in sparring.write_report([runs / "long", runs / "short"], runs / "both.html").read_text()
    )


@pytest.mark.parametrize(
    ("names", "options", "words"),
    [
        (["long"], {}, "two runs or more"),
        (["long", "short"], {"by": "points"}, "must be one of won, score"),
        (["long", ["short", "short"]], {}, "name runs in the same order"),
        ([["long", "short"], ["short", "long"]], {"by": "score"}, "no common scale"),
        (["long", "none"], {}, "none"),
    ],
)
def test_a_wrong_comparison_is_refused_in_one_line(runs: Path, names: list, options: dict, words: str) -> None:
    groups = [[runs / one for one in name] if isinstance(name, list) else runs / name for name in names]
    with pytest.raises(UserError, match=words):
        sparring.compare(*groups, **options)


def test_curves_are_written_as_csv(runs: Path) -> None:
    run = sparring.load(runs / "long")
    rows = list(csv.DictReader(Path(sparring.write_curves(run)).read_text().splitlines()))
    steps, values = run.curves()
    assert len(rows) == 8 * len(steps)
    last = rows[-1]
    assert (int(last["trial"]), int(last["step"])) == (7, steps[-1])
    assert float(last["benchmark.player.score"]) == values["benchmark.player.score"][7, -1]
    assert float(last["benchmark.player.cards.1"]) == values["benchmark.player.cards"][7, -1, 1]


@pytest.mark.parametrize(
    ("form", "module", "package"),
    [
        ("parquet", "pyarrow.parquet", "pyarrow"),
        ("tensorboard", "tensorboard.compat.proto.event_pb2", "tensorboard"),
        ("mlflow", "mlflow", "mlflow"),
    ],
)
def test_curves_for_other_programs_need_them(
    runs: Path, form: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError, match=f"^{package} is not installed; use --curves csv, or: pip install {package}$"):
        sparring.write_curves(runs / "long", form)


def test_an_unknown_form_of_curves_is_refused_in_one_line(runs: Path) -> None:
    with pytest.raises(UserError, match="unknown form of curves 'xlsx'"):
        sparring.write_curves(runs / "long", "xlsx")


def test_curves_as_parquet_are_those_as_csv(runs: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(sparring.write_curves(runs / "long", "parquet"))
    rows = list(csv.DictReader(Path(sparring.write_curves(runs / "long")).read_text().splitlines()))
    assert table.column_names == list(rows[0])
    assert [{name: float(value) for name, value in row.items()} for row in rows] == table.to_pylist()


def test_mlflow_keeps_the_curves(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setattr("mlflow.tracking._tracking_service.utils._tracking_uri", (tmp_path / "mlflow").as_uri())
    steps, values = sparring.load(runs / "long").curves()
    for _ in range(2):  # the second call replaces what the first one wrote
        sparring.write_curves(runs / "long", "mlflow")
        client = mlflow.MlflowClient()
        found = client.search_runs([client.get_experiment_by_name("long").experiment_id])
        assert len(found) == 8
    last = next(each for each in found if each.info.run_name == "long, trial 7")
    points = client.get_metric_history(last.info.run_id, "benchmark.player.score")
    assert [point.step for point in points] == steps.tolist()
    assert [point.value for point in points] == pytest.approx(values["benchmark.player.score"][7].tolist())


def test_tensorboard_reads_the_curves(runs: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    found = accumulator.EventAccumulator(str(sparring.write_curves(runs / "long", "tensorboard") / "007"))
    found.Reload()
    steps, values = sparring.load(runs / "long").curves()
    points = found.Scalars("benchmark.player.score")
    assert [point.step for point in points] == steps.tolist()
    assert [point.value for point in points] == pytest.approx(values["benchmark.player.score"][7].tolist())
