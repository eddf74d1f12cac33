"""Studies that take minutes: `make test-long`. What the package promises, measured on this machine."""

import time
from pathlib import Path

import numpy as np
import pytest

from sparring.api import match, train
from sparring.arena.statistics import mean_interval
from sparring.lab.bench import bench
from sparring.lab.experiment import read_experiment
from sparring.lab.run import Run, create_run
from sparring.lab.run import train as train_run

pytestmark = pytest.mark.long
EXPERIMENTS = Path(__file__).parent.parent / "experiments"


def test_thirty_trials_on_the_hand_reach_the_study_in_under_twenty_minutes(tmp_path):
    began = time.monotonic()
    run = create_run(read_experiment(EXPERIMENTS / "golf-hand.toml"), tmp_path)
    train_run(run)
    seconds = time.monotonic() - began
    told = run.evaluation()
    scores = np.array([row["matches"][0]["players"][0]["score"][0] for row in told["trials"]])
    assert len(scores) >= 30
    assert mean_interval(scores).low <= 140.72
    assert scores[told["champion"]] <= 118
    result = match("golf", run.folder, "greedier-published", pairs=2000, seed=20_000)
    assert result.players[0].win_rate.low > 0.58
    assert seconds < 20 * 60


def test_one_trial_of_the_study_s_budget_takes_less_than_a_minute(tmp_path):
    began = time.monotonic()
    train("golf", runs=tmp_path, epochs=1500)
    assert time.monotonic() - began < 60


def test_speeds():
    figures = bench(["golf"], seconds=10)["figures"]
    assert figures["golf.net_games_per_second.one_core"] >= 400
    assert figures["golf.net_games_per_second.scaling"] >= 1.8
    assert figures["golf.net_games_per_second.compiled_over_interpreted"] >= 300
    assert figures["golf.start_seconds"] < 2


def test_speeds_of_backgammon():
    figures = bench(["backgammon"], seconds=10)["figures"]
    assert figures["backgammon.net_games_per_second.one_core"] >= 2000


def trained(name: str, folder: Path) -> tuple[Run, float]:
    """A run of an experiment file, and how many seconds it took."""
    began = time.perf_counter()
    run = train(EXPERIMENTS / f"{name}.toml", runs=folder)
    return run, time.perf_counter() - began


def against(run: Run, opponent: str) -> list[float]:
    """The share of games that each trial's champion won against an opponent of the evaluation."""
    column = run.experiment.evaluation.opponents.index(opponent)
    return [row["matches"][column]["players"][0]["win_rate"][0] for row in run.evaluation()["trials"]]


@pytest.mark.parametrize(("name", "won"), [("backgammon-td-40", 0.60), ("backgammon-td-80", 0.63)])
def test_temporal_differences_beat_pubeval_from_zero_knowledge_within_forty_minutes(name, won, tmp_path):
    run, seconds = trained(name, tmp_path)
    assert against(run, "pubeval")[0] >= won
    assert seconds < 40 * 60


def test_hill_climbing_wins_four_games_of_ten_against_pubeval_within_thirty_minutes(tmp_path):
    run, seconds = trained("backgammon-climbing", tmp_path)
    assert max(against(run, "pubeval")) >= 0.40
    assert seconds < 30 * 60


def test_the_backgammon_study_s_network_ends_above_85_percent_against_random_with_paired_dice(tmp_path):
    run, _ = trained("backgammon-study-2-1-2-paired", tmp_path)
    assert np.mean(against(run, "random-by-checker")) > 0.85
