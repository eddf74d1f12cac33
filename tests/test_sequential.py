"""Sequential matches: fishtest's published ratios, the promised error rates, and the same games whatever plays them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import sparring
from amounts import amount
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import find_players
from sparring.arena.sequential import DEALS, Sequential, Until, expected, likeliest, log_likelihood_ratio, read_until
from sparring.errors import UserError
from sparring.games import find_game

# Results of Stockfish's fishtest as its pull requests 3209, 3098, 2971, 2493, 3331 and 2598 quote them: pairs of games with
# 0 to 4 half points, the two differences in Elo, and the log-likelihood ratio.
PUBLISHED = [
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    ((53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97),
    ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    ((424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),
    ((1284, 17437, 55536, 18085, 1292), 0.0, 2.0, 2.94),
    ((115, 2196, 11328, 2317, 136), -0.25, 1.25, 2.94),
    ((444, 5546, 17841, 5604, 428), -1.5, 0.5, 2.63),
]


@pytest.mark.parametrize(("pairs", "elo0", "elo1", "ratio"), PUBLISHED)
def test_the_ratio_is_what_fishtest_published(pairs: tuple[int, ...], elo0: float, elo1: float, ratio: float) -> None:
    assert round(log_likelihood_ratio(np.array(pairs), elo0, elo1), 2) == ratio


def test_the_bounds_are_what_fishtest_published() -> None:
    assert [round(bound, 2) for bound in Until(0, 2).bounds] == [-2.94, 2.94]


def test_the_likeliest_distribution_has_the_mean_and_no_neighbour_is_likelier() -> None:
    shares, results = np.array([0.1, 0.2, 0.4, 0.2, 0.1]), np.linspace(0, 1, 5)
    found = likeliest(shares, results, 0.6)
    assert found.sum() == pytest.approx(1)
    assert found @ results == pytest.approx(0.6)
    for step in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [1, -1, -1, 1, 0]):  # which change neither sum nor mean
        for sign in (-1e-3, 1e-3):
            assert shares @ np.log(found + sign * np.array(step)) < shares @ np.log(found)


def tallies_of(rng: np.random.Generator, win_rate: float, deals: int, luck: float) -> np.ndarray:
    """Pairs in which a part of the deals goes to the same seat both times, as in games of chance."""
    tallies = np.zeros(2 * deals, [("score", float, 2)])
    lucky = rng.random(deals) < luck
    first = rng.random((deals, 2)) < win_rate
    first[lucky, 1] = ~first[lucky, 0]
    first[lucky & (rng.random(deals) < 2 * win_rate - 1)] = True
    tallies["score"][0::2] = np.where(first[:, :1], [1, 0], [0, 1])
    tallies["score"][1::2] = np.where(first[:, 1:], [0, 1], [1, 0])  # seats exchanged
    return tallies


def simulated(until: Until, elo: float, luck: float, matches: int) -> list[str]:
    """The verdicts of simulated matches in which the first player is `elo` points stronger."""
    rng, verdicts = np.random.default_rng(1), []
    for _ in range(matches):
        test = Sequential(until, 2, "every", lower_is_better=False)
        while not test.enough(tallies_of(rng, expected(elo), DEALS, luck)):
            pass
        verdicts.append(test.verdict().accepted)
    return verdicts


@pytest.mark.parametrize("luck", [0.0, 0.7])
@pytest.mark.parametrize("wrong", ["elo0", "elo1"])
def test_wrong_verdicts_are_no_more_frequent_than_promised(wrong: str, luck: float) -> None:
    matches = amount(1000, 10_000)
    until = Until(0, 60, alpha=0.05, beta=0.1)
    truth, promised = (until.elo0, until.alpha) if wrong == "elo1" else (until.elo1, until.beta)
    errors = simulated(until, truth, luck, matches).count(wrong)
    assert errors <= binom.ppf(0.999, matches, promised)


def test_the_simulated_players_differ_as_stated() -> None:
    scores = tallies_of(np.random.default_rng(1), expected(60), 200_000, 0.7)["score"]
    mean = (scores[0::2, 0] + scores[1::2, 1]).mean() / 2
    assert mean == pytest.approx(expected(60), abs=0.002)


def test_a_sequential_match_is_the_beginning_of_the_whole_match() -> None:
    result = sparring.match("golf", "greedier", "random", seed=3, until="elo0=0,elo1=20")
    assert result.sequential is not None
    assert result.games == result.sequential.games == 2 * result.pairs
    assert result.pairs % DEALS == 0
    whole = sparring.match("golf", "greedier", "random", seed=3, pairs=result.pairs)
    assert result.json()["players"] == whole.json()["players"]
    alone = sparring.match("golf", "greedier", "random", seed=3, until="elo0=0,elo1=20", threads=1)
    assert alone.sequential == result.sequential


def test_a_match_that_reaches_its_limit_is_inconclusive_and_one_of_equals_accepts_elo0() -> None:
    short = sparring.match("golf", "random", "random", pairs=40, until="elo0=0,elo1=1")
    assert short.sequential is not None
    assert (short.sequential.accepted, short.games) == ("inconclusive", 80)
    equal = sparring.match("golf", "random", "random", until="elo0=0,elo1=100")
    assert equal.sequential is not None
    assert equal.sequential.accepted == "elo0"


def test_one_player_against_three_others_is_tested_by_whom_it_is_ahead_of() -> None:
    test = Sequential(Until(0, 50), 4, "rotated", lower_is_better=True)
    tallies = np.zeros(test.every, [("score", float, 4)])
    for game in range(test.every):
        tallies["score"][game] = 10
        tallies["score"][game, game % 4] = 5  # the player that rotates
    assert test.enough(tallies)
    assert test.verdict().accepted == "elo1"
    assert test.counts[-1] == DEALS
    assert len(test.counts) == 4 * 3 * 2 + 1


def test_a_match_with_a_function_stops_at_the_same_game() -> None:
    def first(state: sparring.State) -> int:
        return min(state.moves())

    result = sparring.match("golf", first, "greedier", until="elo0=-100,elo1=0", pairs=64)
    assert result.sequential is not None
    assert (result.sequential.accepted, result.games) == ("elo0", 2 * DEALS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("elo0=0", "needs both"), ("elo0=5,elo1=5", "must be less than elo1"), ("elo0=0,elo1=x", "write elo0=NUMBER"),
        ("elo0=0,elo1=10,gamma=1", "write elo0=NUMBER"), ("elo0=0,elo1=10,alpha=0.7", "alpha"), ("elo0=0,elo1=nan", "write"),
        ("elo0=0,elo1=5000", "from -1000 to 1000"),
    ],
)  # fmt: skip
def test_a_wrong_condition_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        read_until(text)


def test_the_command_prints_verdict_games_bounds_and_ratio(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sparring", "match", "golf", "greedier", "random", "--until", "elo0=0,elo1=100"]
    shown = subprocess.run([*command, "--runs", tmp_path], capture_output=True, text=True, check=True).stdout
    assert "elo1 = 100 accepted" in shown
    assert "-2.94 to 2.94" in shown
    found = sparring.match("golf", "greedier", "random", until="elo0=0,elo1=100").json()["sequential"]
    assert found["verdict"] == "elo1"
    assert found["llr"] > found["bounds"][1]
    assert found["games"] == 2 * DEALS < found["fixed_games"]


def test_play_returns_only_what_was_played() -> None:
    game = find_game("golf")
    test = Sequential(Until(0, 100), 2, "every", lower_is_better=True)
    jobs = paired_jobs(1, np.arange(2), 1000)
    tallies = play(game, jobs, find_players(game, ["greedier", "random"]), stopping=test)
    assert len(tallies) == test.counts.sum() * 2 < len(jobs)
