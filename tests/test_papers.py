"""The golf study: its published figures agree with each other, verdicts follow from intervals, a tiny re-run works."""

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena.statistics import Interval
from sparring.errors import UserError
from sparring.learn.supervised import Supervised
from sparring.papers import find_study
from sparring.papers.golf import BUDGETS, claims, measured, published, reproduce
from sparring.papers.golf.claims import CLAIMS
from sparring.papers.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED, difference, together, verdict


class Quiet:
    """Watches without showing."""

    @contextmanager
    def training_bar(self, what):
        yield lambda training, games: None

    @contextmanager
    def games_bar(self, what, unit="games"):
        yield lambda done, total: None


@pytest.mark.parametrize(
    ("rows", "average"),
    [
        (published.AGAINST_RANDOM["hand"], (140.72, 0.9999, 4.99, 22.68, 0.4443)),
        (published.AGAINST_RANDOM["state-hand"], (189.85, 0.9874, 1.74, 18.53, 0.6783)),
        (published.AGAINST_RANDOM["state"], (224.05, 0.9182, 1.71, 15.20, 0.8337)),
        (published.AGAINST_TRAINING["hand"], (152.49, 0.6539, 4.77, 29.09, 0.3984)),
        (published.AGAINST_TRAINING["state-hand"], (203.16, 0.6995, 1.73, 17.57, 0.5127)),
        (published.AGAINST_TRAINING["state"], (233.00, 0.6075, 1.64, 13.74, 0.5133)),
    ],
)
def test_the_published_players_average_to_the_published_averages(rows, average):
    np.testing.assert_allclose(np.mean(rows, axis=0), average, atol=0.0101)


@pytest.mark.parametrize("name", published.SUPERVISED)
def test_the_published_networks_average_to_table_4(name):
    ours, told = np.mean(published.SUPERVISED_TRIALS[name], axis=0), published.SUPERVISED[name]
    np.testing.assert_allclose(ours[1:], told[1:], atol=0.001)
    assert ours[0] == pytest.approx({"numerical": 209.867, "one-hot-value": 671.369}.get(name, told[0]), abs=0.01)


def test_the_published_epochs_average_to_the_published_difference():
    assert np.mean(published.THRESHOLD) == pytest.approx(5.91)
    assert (min(published.THRESHOLD), max(published.THRESHOLD)) == (0.4, 11.5)


def test_published_games_of_the_final_leave_room_for_draws_and_no_more():
    wins = published.FINAL_WINS
    for i in range(4):
        for j in range(i):
            assert 0.9 <= wins[i][j] + wins[j][i] <= 1.0


def test_a_verdict_needs_the_whole_interval():
    assert verdict(Interval(2, 1, 3), above=0.5) == SUPPORTED
    assert verdict(Interval(2, 1, 3), above=2.5) == OPEN
    assert verdict(Interval(2, 1, 3), above=3.5) == NOT_SUPPORTED
    assert verdict(Interval(2, 1, 3), below=3.5) == SUPPORTED
    assert verdict(Interval(2, 1, 3), below=0.5) == NOT_SUPPORTED


def test_one_failing_part_fells_a_claim_and_one_open_part_leaves_it_open():
    assert together(SUPPORTED, OPEN, NOT_SUPPORTED) == NOT_SUPPORTED
    assert together(SUPPORTED, OPEN) == OPEN
    assert together(SUPPORTED, SUPPORTED) == SUPPORTED


def test_the_difference_of_two_means_covers_the_truth_95_times_in_100():
    rng = np.random.default_rng(1)
    held = [(d := difference(rng.normal(1, 1, 8), rng.normal(0, 3, 5))).low <= 1 <= d.high for _ in range(2000)]
    assert 0.935 <= np.mean(held) <= 0.965


def found(spread: float, trials: int = 20, **means: tuple[float, ...]):
    """What a re-run might have measured: five measures per input, trials spread evenly about their means."""
    usual = {
        "hand": (140, 0.999, 5.0, 22, 0.4),
        "state_hand": (190, 0.98, 1.7, 18, 0.7),
        "state": (224, 0.9, 1.7, 15, 0.8),
    }
    about = np.linspace(-spread, spread, trials)[:, None] if trials > 1 else np.zeros((1, 1))
    arrays = {name.replace("_", "-"): np.array(mean) * (1 + about) for name, mean in (usual | means).items()}
    random = SimpleNamespace(score=Interval(279, 278, 280))
    return SimpleNamespace(
        against_random=arrays,
        against_training={name: rows * 1.1 for name, rows in arrays.items()},
        random=SimpleNamespace(players=[random]),
    )


SAID = {  # a claim, and what would make it supported, not supported and open
    claims.learned: (found(0.05), found(0.05, state=(300, 0.5, 1, 15, 0.5)), found(0.9)),
    claims.wins_most: (
        found(0.05),
        found(0.01, state=(250, 0.3, 1, 15, 0.5)),
        found(0.01, state=(250, 0.5, 1, 15, 0.5)),
    ),
    claims.easier_opponent: (found(0.05), None, found(0.05, trials=1)),
    claims.hand_score: (found(0.01, hand=(120, 1, 5, 22, 0.4)), found(0.01, hand=(200, 1, 5, 22, 0.4)), found(0.5)),
    claims.hand_wins: (found(0.001), found(0.01, hand=(140, 0.9, 5, 22, 0.4)), found(0.5)),
    claims.hand_matches: (
        found(0.05),
        found(0.05, hand=(140, 1, 2, 22, 0.4)),
        found(0.05, hand=(140, 1, 2.7, 22, 0.4)),
    ),
    claims.other_matches: (
        found(0.05),
        found(0.05, state=(224, 0.9, 3, 15, 0.8)),
        found(0.5, state=(224, 0.9, 2, 15, 0.8)),
    ),
}


@pytest.mark.parametrize("claim", SAID, ids=lambda claim: claim.__name__)
def test_a_claim_stands_falls_or_stays_open_with_what_was_measured(claim):
    for case, expected in zip(SAID[claim], (SUPPORTED, NOT_SUPPORTED, OPEN), strict=True):
        if case is not None:
            assert claim(case)[3] == expected, claim(case)


@pytest.mark.parametrize("claim", SAID, ids=lambda claim: claim.__name__)
def test_one_trial_supports_nothing(claim):
    assert claim(found(0.05, trials=1))[3] == OPEN


def test_an_order_of_inputs_is_supported_only_if_every_step_is():
    rising = claims.ordering("score", "", "", True)
    assert rising(found(0.05))[3] == SUPPORTED
    assert rising(found(0.05, state=(150, 0.9, 2, 15, 0.8)))[3] == NOT_SUPPORTED
    assert rising(found(0.05, state=(191, 0.9, 2, 15, 0.8)))[3] == OPEN


def test_the_threshold_is_judged_by_how_often_equal_players_exceed_it():
    never, often = np.linspace(0, 14, 1000), np.linspace(0, 30, 1000)
    assert claims.threshold(SimpleNamespace(threshold=never))[3] == SUPPORTED
    assert claims.threshold(SimpleNamespace(threshold=often))[3] == NOT_SUPPORTED
    assert claims.threshold_mean(SimpleNamespace(threshold=np.linspace(0, 12, 1000)))[3] == SUPPORTED
    assert claims.threshold_mean(SimpleNamespace(threshold=often))[3] == NOT_SUPPORTED


def test_unknown_studies_and_budgets_are_refused(tmp_path):
    with pytest.raises(UserError, match="unknown study 'gulf': did you mean 'golf'"):
        find_study("gulf")
    with pytest.raises(UserError, match="must be one of quick, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet())
    assert list(tmp_path.iterdir()) == []


def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    tiny = measured.Budget(2, 12, 2, 12, 6, 2, 20, Supervised(networks=2, examples=300, iterations=2))
    monkeypatch.setitem(BUDGETS, "quick", tiny)
    first = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    titles = " ".join(table.title for table in first.tables)
    for number in (4, 5, 6, 8, 9, 10, 11, 12, *range(13, 23), 26, 27, 28):
        assert f"Table {number}:" in titles, number
    judged = first.tables[-1]
    assert len(judged.rows) == len(CLAIMS)
    assert set(judged.verdicts) <= {SUPPORTED, OPEN, NOT_SUPPORTED}
    page = first.report.read_text()
    assert all(f"As Figure {number}:" in page for number in range(5, 12))
    again = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]
