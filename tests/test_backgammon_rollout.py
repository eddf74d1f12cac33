"""Rollouts: unbiased, exact where endings are, the same for any number of threads, and what is refused."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

import sparring
from amounts import amount
from backgammon_bearoff import equities
from backgammon_tables import side
from sparring.arena.players import find_player
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.backgammon.bearoff import Race
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.positions import Position, xgid
from sparring.games.backgammon.rollout import Games, Plan, _error
from sparring.games.backgammon.rollout_games import SIDES, roll_of
from sparring.kernel.compiler import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="tables of endings take hours in plain Python")
GAME = find_game("backgammon")
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:0:10"
CONTACT = (side("24 13:4 8:4 6:4 5:2"), side("24:2 13:5 8:2 6:4 5:2"))


@cache
def played(sides, games, **settings):
    """The games of a position with seat 0 on roll."""
    searcher = Searcher(find_player(GAME, "champion").net, 1)
    found = Games(searcher, [np.array(sides, np.int8)], 0, Plan(games, **settings))
    found.play(games)
    return found


def test_every_36_games_have_each_first_roll_and_1296_each_pair():
    rolls = [[roll_of(np.uint64(5), game, turn) for turn in (0, 1)] for game in range(SIDES * SIDES)]
    doubles = {(n, n) for n in range(1, 7)}
    for first in range(0, len(rolls), SIDES):
        counts = Counter(one for one, _ in rolls[first : first + SIDES])
        assert all(count == (1 if roll in doubles else 2) for roll, count in counts.items()) and len(counts) == 21
    pairs = Counter(map(tuple, rolls))
    assert len(pairs) == 21 * 21
    assert all(count == (1 if a in doubles else 2) * (1 if b in doubles else 2) for (a, b), count in pairs.items())


def test_the_mean_of_a_bear_off_is_the_exact_value():
    """Seven checkers each: the games end where the table of two sides begins."""
    exact = equities((2, 5, 0, 0, 0, 0), (3, 4, 0, 0, 0, 0))[0]
    for lucky in (True, False):
        line = played((side("1:2 2:5"), side("1:3 2:4")), amount(1296, 12960), lucky=lucky).line(0, "")
        assert abs(line.equity - exact) < 4 * line.error + 1e-6  # tables have single precision
        assert line.error < (0.002 if lucky else 0.04)


def test_a_short_ending_has_its_exact_value_and_no_error():
    sides = side("6:2 1"), side("4 3")
    line = played(sides, 36).line(0, "")
    assert line.error == 0
    assert line.equity == pytest.approx(2 * Race(*sides).outcomes()[0] - 1, abs=1e-6)


def test_subtracting_luck_changes_the_variance_and_not_the_mean():
    games = played(CONTACT, amount(360, 7200), truncate=0)
    plain, adjusted = games.results[0], (games.results - games.luck)[0]
    gaps = games.luck[0]
    for k in range(5):
        assert abs(gaps[:, k].mean()) <= 4 * _error(gaps[:, k]) + 1e-12
    ratio = plain[:, 0].var() / adjusted[:, 0].var()
    print(f"\nvariance without luck subtracted over that with: {ratio:.1f}")
    assert ratio > 3


def test_a_truncated_rollout_agrees_with_a_whole_one():
    whole, short = (played(CONTACT, amount(360, 7200), truncate=turns).line(0, "") for turns in (0, 7))
    assert abs(whole.equity - short.equity) < 4 * np.hypot(whole.error, short.error) + 0.05
    assert short.error < whole.error


@pytest.mark.parametrize("dice", ["00", "62"])
def test_the_number_of_threads_changes_nothing(dice):
    one, two = (sparring.rollout(START.format(dice), "champion", games=72, threads=n, truncate=5) for n in (1, 3))
    assert one.json() == two.json()
    assert one.json() != sparring.rollout(START.format(dice), "champion", games=72, truncate=5, seed=2).json()


def test_a_clearly_better_play_ends_a_rollout_early():
    found = sparring.rollout(START.format("31"), "champion", games=100000, truncate=5).json()
    assert found["plays"][0]["play"] == "8/5 6/5" and found["clear"]
    assert max(play["games"] for play in found["plays"]) < 5000


def test_plays_are_ranked_with_intervals_and_a_position_has_advice_on_the_cube():
    found = sparring.rollout(START.format("21"), "champion", games=72, truncate=5)
    equities = [play["equity"] for play in found.json()["plays"]]
    assert equities == sorted(equities, reverse=True) and len(equities) > 1
    for play in found.json()["plays"]:
        assert play["interval"][0] < play["equity"] < play["interval"][1]
    assert len(found.text().splitlines()) == len(equities) + 2
    position = sparring.rollout(START.format("00"), "champion", games=72, truncate=5)
    assert position.json()["cube"]["action"] == "no double, take"
    assert position.json()["cube"]["outcomes"] == position.json()["outcomes"]


def test_exact_advice_on_the_cube_stays_exact():
    text = xgid(Position(side("6 5"), side("1:2")))
    assert sparring.rollout(text, games=36).json()["cube"] == sparring.cube(text).json()


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("", "fields"),
        ("XGID=nothing", "1 fields; 10"),
        (START.format("71"), "the dice are '71'"),
        ("XGID=-b----P-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "checkers of one side"),
        ("XGID=--------------------------:0:0:1:31:0:0:0:0:10", "the game is over"),
    ],
)
def test_a_broken_position_is_refused_in_one_line(position, words):
    with pytest.raises(UserError) as error:
        sparring.rollout(position, "champion", games=36)
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"games": 1}, "games = 1: must be a whole number from 2"),
        ({"games": 2.5}, "games = 2.5"),
        ({"truncate": -1}, "truncate = -1"),
        ({"threads": -1}, "threads"),
        ({"player": "pubeval"}, "a rollout needs a network"),
        ({"player": "deep-single"}, "a rollout needs a network with five outputs"),
        ({"game": "golf"}, "golf: has no rollouts"),
    ],
)
def test_a_rollout_that_cannot_be_is_refused_in_one_line(settings, words):
    with pytest.raises(UserError) as error:
        sparring.rollout(START.format("31"), **settings)
    assert words in str(error.value) and "\n" not in str(error.value)
