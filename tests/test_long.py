"""Studies that take minutes: `make test-long`. What the package promises, measured on this machine."""

import time
from pathlib import Path

import numpy as np
import pytest

from sparring.api import match, train
from sparring.arena.statistics import mean_interval
from sparring.lab.bench import bench
from sparring.lab.experiment import read_experiment
from sparring.lab.run import create_run
from sparring.lab.run import train as train_run

pytestmark = pytest.mark.long
EXPERIMENT = Path(__file__).parent.parent / "experiments" / "golf-hand.toml"


def test_thirty_trials_on_the_hand_reach_the_study_in_under_twenty_minutes(tmp_path):
    began = time.monotonic()
    run = create_run(read_experiment(EXPERIMENT), tmp_path)
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
