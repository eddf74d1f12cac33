"""A network has one rating, under whichever name it has played."""

import shutil

import pytest

import sparring
from sparring.games import find_game
from sparring.lab.store import Store
from sparring.web.library import rate_players

GOLF = find_game("golf")


def test_the_same_network_under_two_names_has_one_rating(tmp_path):
    copy = tmp_path / "copied.safetensors"
    shutil.copy(GOLF.policies.champions["pupil"], copy)
    for player in ("pupil", str(copy)):
        sparring.match("golf", player, "greedier", pairs=5, runs=tmp_path / "runs")
    sparring.tournament("golf", str(copy), "random", "greedier", pairs=5, runs=tmp_path / "runs")
    found = rate_players(Store(tmp_path / "runs"), GOLF)
    assert found["players"] == ["greedier", "pupil", "random"]


def test_of_the_trials_of_a_run_only_the_champion_is_rated(tmp_path):
    sparring.train("golf", runs=tmp_path, name="first", trials=2, hidden=2, epochs=2)
    for trial in ("000", "001"):
        sparring.match("golf", tmp_path / f"first/champions/{trial}.safetensors", "greedier", pairs=5, runs=tmp_path)
    assert rate_players(Store(tmp_path), GOLF, tmp_path)["players"] == ["first", "greedier", "random"]


@pytest.mark.parametrize("nets", [None, [1], {"pupil": 3}, {3: "x"}])
def test_hashes_that_no_match_wrote_are_ignored(tmp_path, nets):
    sparring.match("golf", "pupil", "greedier", pairs=5, runs=tmp_path)
    store = Store(tmp_path)
    (result,) = store.read_results("match")
    store.record_results("match", [result | {"nets": nets}])
    assert rate_players(store, GOLF)["players"] == ["greedier", "pupil"]
