"""The backgammon study: its published figures against each other, verdicts that follow from intervals, a tiny re-run."""

import json
import time
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena.statistics import Interval
from sparring.errors import Stopped, UserError
from sparring.games import find_game
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.nets.files import read_tensors
from sparring.studies import find_study, study_cache
from sparring.studies.backgammon import (
    BUDGETS,
    claims,
    measured,
    published,
    report_pages,
    report_tables,
    reproduce,
    study_runs,
)
from sparring.studies.backgammon.claims import CLAIMS
from sparring.studies.backgammon.fits import fit, published_fit
from sparring.studies.backgammon.measured import CLIMBING, STRICT
from sparring.studies.backgammon.study_runs import NO_HIT, OPPONENTS, RANDOM, SIMPLE, STUDY, Budget, Climb, Strength
from sparring.studies.study_cache import Stopwatch
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED, about, difference, expected, one_of
from test_studies import Quiet, claim_name

# What the study prints.


def test_the_published_curves_average_to_the_published_means():
    assert np.mean(published.AGAINST_RANDOM["2-1-2"]) == pytest.approx(published.MEAN_RANDOM)
    assert np.mean(published.AGAINST_SIMPLE) == pytest.approx(published.MEAN_SIMPLE)
    assert len(published.AGAINST_SIMPLE) == len(published.AGAINST_RANDOM["2-1-2"]) == 99


@pytest.mark.parametrize("network", ["2-1-2", "3-2", "4-2-4"])
def test_table_12_fits_the_first_99_cycles(network):
    digits = [len(f"{figure}".partition(".")[2]) for figure in published.FITS[network]]
    again = [round(value, count) for value, count in zip(published_fit(network), digits, strict=True)]
    assert again == list(published.FITS[network])


def test_one_fit_of_table_12_does_not_come_out_of_its_curve():
    for cycles in (99, 100):
        assert abs(published_fit("1-2-2", cycles).r2 - published.FITS["1-2-2"][3]) > 0.0005


def test_a_parabola_is_fitted_exactly_and_a_flat_curve_explains_nothing():
    x = np.arange(1.0, 100)
    assert fit(x, -0.002 * x**2 + 0.3 * x + 50) == pytest.approx((-0.002, 0.3, 50, 1))
    assert fit(x, np.full(99, 50.0)).r2 == 0


@pytest.mark.parametrize("games", [published.RANDOM_GAMES, published.SIMPLE_GAMES])
def test_put_right_a_stone_left_is_one_to_24_steps_from_home(games):
    left = published.left_behind(games)
    assert len(left) == 20
    assert all(count <= value <= 24 * count for count, value in left)
    assert all(value <= 18 * count for count, value in left if count < 15), "who bears off has all stones at home"


def test_printed_weights_are_52_multiples_of_a_twentieth():
    for weights in (published.FIGURE_36, published.APPENDIX_C):
        assert len(weights) == 52
        assert np.allclose(20 * np.array(weights), np.round(20 * np.array(weights)))


def test_what_a_checker_is_worth_to_the_printed_network_is_what_the_network_says():
    net = study_runs.printed_net("Figure 36", find_game(STUDY).rules.version)
    values = np.array([net.value(row) for row in np.eye(24)])
    np.testing.assert_allclose(report_pages.point_values(net.weights), values / np.abs(values).max(), atol=1e-5)


def test_the_last_layer_which_figure_and_appendix_print_differently_changes_no_choice():
    figure, appendix = np.array(published.FIGURE_36, float), np.array(published.FIGURE_36, float)
    appendix[50:] = published.APPENDIX_C[50:]
    np.testing.assert_allclose(report_pages.point_values(figure), report_pages.point_values(appendix))


def test_from_the_other_side_the_points_are_turned_round():
    here, there = (
        study_runs.printed_net(name, 1).tensors() for name in ("Figure 36", "Figure 36, from the other side")
    )
    np.testing.assert_array_equal(here["layer1.weight"][:, ::-1], there["layer1.weight"])
    np.testing.assert_array_equal(here["layer2.weight"], there["layer2.weight"])


# How it is done again.


@pytest.mark.parametrize(("deals", "leaves"), [("paired", False), ("own", True)])
def test_a_network_of_several_layers_leaves_zero_only_if_every_game_has_dice_of_its_own(deals, leaves):
    options = HillClimbing(
        encoding="shares-mirrored", layers="2-1-2", policy="net+by-checker", challenges=12, wins="6/10", deals=deals,
        change="one", least=0.05, move=1.0, benchmark_pairs=0,
    )  # fmt: skip
    training = HillClimbingTraining(find_game(STUDY), options, 1, 2)
    while training.step < training.steps:
        training.advance()
    assert bool(training.accepted.any()) == leaves == bool(training.nets[:2].any())


def test_games_are_counted_by_what_each_challenge_asks_for():
    options = HillClimbing(challenges=100, wins="3/4,5/6@10,7/8@70")
    assert measured.games_of(options, np.array([5, 10, 11, 70, 100])).tolist() == [20, 40, 46, 400, 640]
    assert measured.games_of(HillClimbing(challenges=8, wins="3/4,5/6@10"), np.array([8])).tolist() == [32]


def test_a_climb_is_looked_at_from_its_first_point_to_its_last_and_at_the_marks():
    generations = study_runs.evaluated_generations(1000, 100_000, published.FROZEN)
    assert generations[0] == 1000 and generations[-1] == 100_000 and 10_000 in generations
    assert all(generation % 1000 == 0 for generation in generations)


def test_the_bar_is_raised_sooner_where_there_are_fewer_generations():
    wins = "3/4,5/6@10000,7/8@70000"
    assert study_runs.scaled(wins, 5_000) == "3/4,5/6@500,7/8@3500"
    assert study_runs.scaled(wins, 100_000) == study_runs.scaled(wins, 900_000) == wins


def test_a_stopwatch_leaves_out_the_first_step_and_counts_seconds_for_all(tmp_path, monkeypatch):
    clock = iter(float(second) for second in range(100))
    monkeypatch.setattr(
        study_cache, "time", SimpleNamespace(process_time=lambda: next(clock), monotonic=time.monotonic)
    )
    stopwatch = Stopwatch(tmp_path / "run")
    hear = stopwatch.timing(lambda training, games: None)
    for _ in range(4):
        hear(None, 1)
    assert (stopwatch.steps, stopwatch.seconds) == (3, 3.0)
    stopwatch.write()
    again = Stopwatch(tmp_path / "run")
    hear = again.timing(lambda training, games: None)
    for _ in range(3):
        hear(None, 1)
    assert again.total(10) == pytest.approx(10.0)
    assert Stopwatch(tmp_path / "other").total(10) is None


# Verdicts.


def test_a_value_is_met_within_its_margin_by_the_whole_interval_alone():
    assert about(Interval(0.5, 0.49, 0.51), 0.5, 0.02) == SUPPORTED
    assert about(Interval(0.5, 0.47, 0.53), 0.5, 0.02) == OPEN
    assert about(Interval(0.6, 0.55, 0.65), 0.5, 0.02) == NOT_SUPPORTED
    assert about(Interval(0.5, -np.inf, np.inf), 0.5, 0.02) == OPEN


def test_one_more_trial_lies_where_it_is_expected_95_times_in_100():
    rng = np.random.default_rng(1)
    held = []
    for _ in range(2000):
        *trials, more = rng.normal(3, 2, 7)
        interval = expected(np.array(trials))
        held.append(interval.low <= more <= interval.high)
    assert 0.935 <= np.mean(held) <= 0.965
    assert one_of(np.array([0.5]), 0.5) == OPEN
    assert one_of(np.array([0.5, 0.52, 0.48]), 0.9) == NOT_SUPPORTED


def test_three_comparisons_together_are_wrong_five_times_in_100():
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(2000):
        a, b, c = (rng.normal(0, 1, 8) for _ in range(3))
        gaps = [difference(x, y, comparisons=3) for x, y in ((a, b), (a, c), (b, c))]
        wrong += any(gap.low > 0 or gap.high < 0 for gap in gaps)
    assert 0.025 <= wrong / 2000 <= 0.06


def spread(mean: float, width: float, trials: int) -> np.ndarray:
    return mean + (np.linspace(-width, width, trials) if trials > 1 else np.zeros(1))


ZERO = {RANDOM: 0.49, SIMPLE: 0.05, NO_HIT: 0.4}
PRINTED = {RANDOM: 0.8, SIMPLE: 0.55, NO_HIT: 0.55}


def found(trials: int = 20, width: float = 0.01, **changes):
    """What a re-run might have measured: shares of games, trials spread evenly about their means."""
    means = {"2-1-2": 0.8, "1-2-2": 0.6, "3-2": 0.6, "4-2-4": 0.6, "2-1-2-imitated": 0.85} | changes.pop("means", {})
    simple = changes.pop("simple", 0.55)
    methods = {
        CLIMBING: 0.4,
        STRICT: 0.4,
        "TD, 10 hidden": 0.55,
        "TD, 20 hidden": 0.6,
        "TD, 40 hidden": 0.65,
    } | changes.pop("methods", {})
    strengths = {
        name: {
            opponent: Strength(spread(mean if opponent == RANDOM else simple, width, trials), np.zeros(trials))
            for opponent in OPPONENTS
        }
        for name, mean in means.items()
    }
    rise = 0.5 + 0.3 * (1 - np.exp(-np.arange(1, 101) / changes.pop("slowness", 20)))
    curves = {name: rise + spread(0.0, width, trials)[:, None] + means[name] - 0.8 for name in means}
    percentages = [100 * curve for curve in (curves["2-1-2"].mean(axis=0), *curves["2-1-2"])]
    begins = {"random": (0.51, 0.515), SIMPLE: (0.97, 0.975), NO_HIT: (0.54, 0.545)} | changes.pop("begins", {})
    climb = Climb(
        [1000, 100_000],
        np.array([spread(0.3, width, trials), spread(0.4, width, trials)]),
        np.zeros((2, trials)),
        {1000: np.array([spread(0.5, 0, trials), spread(0.8, width, trials)])},
    )
    usual = SimpleNamespace(
        strengths=strengths,
        printed={
            name: {opponent: Interval(share, share - 0.01, share + 0.01) for opponent, share in shares.items()}
            for name, shares in (("all weights 0", ZERO), ("Figure 36", PRINTED))
        },
        baselines={
            (RANDOM if name == "random" else name, RANDOM): {"begins": Interval(sum(ends) / 2, *ends)}
            for name, ends in begins.items()
        },
        cycles=np.arange(1.0, 101),
        curve=lambda name, opponent: curves[name],
        fits=lambda network: [fit(np.arange(1.0, 101), curve) for curve in percentages],
        climbs=dict.fromkeys([CLIMBING, STRICT], climb),
        methods={
            name: SimpleNamespace(strength=Strength(spread(mean, width, trials), np.zeros(trials)))
            for name, mean in methods.items()
        },
    )
    return SimpleNamespace(**(vars(usual) | changes))


WIDE = {"width": 0.6}
SAID = {  # a claim, and what would make it supported, not supported and open
    claims.who_begins: (found(), found(begins={"random": (0.48, 0.49)}), found(begins={"random": (0.49, 0.51)})),
    claims.simple_is_better: (found(), found(begins={NO_HIT: (0.4, 0.45)}), found(begins={NO_HIT: (0.4, 0.6)})),
    claims.goes_on: (found(), None, found(**WIDE, trials=1)),
    claims.fast_at_first: (found(slowness=5), found(slowness=500), None),
    claims.bends: (found(), None, found(trials=1)),
    claims.beats_all: (found(), found(simple=0.2), found(**WIDE)),
    claims.best_network: (found(), found(means={"3-2": 0.9}), found(**WIDE)),
    claims.more_neurons: (found(), found(means={"4-2-4": 0.9}), found(means={"4-2-4": 0.8}, **WIDE)),
    claims.place_matters: (found(), found(means={"3-2": 0.8, "1-2-2": 0.8}), found(means={"3-2": 0.8}, **WIDE)),
    claims.imitation_helps: (found(), found(means={"2-1-2-imitated": 0.7}), found(**WIDE)),
    claims.as_printed: (found(), found(simple=0.2), found(trials=1)),
    partial(claims.climbing_reaches, words="", title=CLIMBING): (found(), None, found(**WIDE)),
    claims.climbing_rises: (found(), None, found(trials=2, **WIDE)),
    claims.climbing_is_enough: (
        found(methods={CLIMBING: 0.62}),
        found(),
        found(methods={CLIMBING: 0.6}, **WIDE),
    ),
    claims.climbing_loses: (found(), found(methods={CLIMBING: 0.7}), found(**WIDE)),
    claims.td_beats_pubeval: (found(), found(methods={"TD, 10 hidden": 0.3}), found(**WIDE)),
    claims.td_grows: (found(), found(methods={"TD, 40 hidden": 0.5}), found(**WIDE)),
}


@pytest.mark.parametrize("claim", SAID, ids=claim_name)
def test_a_claim_stands_falls_or_stays_open_with_what_was_measured(claim):
    for case, verdict in zip(SAID[claim], (SUPPORTED, NOT_SUPPORTED, OPEN), strict=True):
        if case is not None:
            assert claim(case)[3] == verdict, claim(case)


@pytest.mark.parametrize("claim", CLAIMS, ids=claim_name)
def test_one_trial_supports_nothing_about_learning(claim):
    judged = claim(found(trials=1))
    if not any(
        word in judged[0] for word in ("random players", "Simple", "Figure 36")
    ):  # these rest on games, not on trials
        assert judged[3] == OPEN, judged


def test_published_shares_are_judged_within_what_10_000_games_can_say():
    claim = partial(claims.as_published, words="", pair=(SIMPLE, RANDOM), count=published.SIMPLE_WON)
    assert claim(found())[3] == NOT_SUPPORTED
    assert claim(found(begins={SIMPLE: (0.668, 0.672)}))[3] == SUPPORTED
    assert claim(found(begins={SIMPLE: (0.60, 0.672)}))[3] == OPEN


def test_a_curve_shorter_than_the_studys_says_nothing_about_its_mean():
    mean = 100 * float(found().curve("2-1-2", RANDOM).mean())
    assert claims.curve_mean(found(), RANDOM, mean)[3] == SUPPORTED
    assert claims.curve_mean(found(), RANDOM, 30.0)[3] == NOT_SUPPORTED
    assert claims.curve_mean(found(cycles=np.arange(1.0, 6)), RANDOM, 30.0)[3] == OPEN


# A tiny re-run.

TINY = Budget(2, 2, 8, 2, 2, 20, 4, 2, 12, 2, 2, 2000, 1, imitations=2)


def test_unknown_budgets_are_refused(tmp_path):
    assert find_study("backgammon") is reproduce
    with pytest.raises(UserError, match="must be one of quick, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setattr(study_runs, "FROZEN", (4, 8))
    first = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert len(first.tables[-1].rows) == len(CLAIMS)
    assert set(first.tables[-1].verdicts) <= {SUPPORTED, OPEN, NOT_SUPPORTED}
    titles = " ".join(table.title for table in first.tables)
    for words in (
        "Figures 28 and 29",
        "Table 12",
        "Appendices A and B",
        "Figure 36",
        "Figures 7 and 8",
        "Figures 9 and 18",
    ):
        assert words in titles, words
    page = first.report.read_text()
    for words in (
        "As Figures 30, 32, 33 and 34",
        "As Figure 31",
        "As Appendix C",
        "As Figures 7 and 8",
        "by games of self-play",
    ):
        assert words in page, words

    again = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]


class Impatient(Quiet):
    """Presses Ctrl-C, as it were, in the middle of a training."""

    def __init__(self):
        self.steps = 0

    def hear(self, training, games):
        self.steps += 1
        if self.steps == 3:
            raise KeyboardInterrupt

    def training_bar(self, what):
        from contextlib import nullcontext

        return nullcontext(self.hear)


def test_what_was_stopped_ends_as_if_it_had_not_been_and_knows_its_seconds(tmp_path):
    whole, cut = (study_runs.StudyRuns(1, tmp_path / name, None, Quiet(), TINY) for name in ("whole", "cut"))
    run = whole.coevolved("3-2", 2)
    with pytest.raises(Stopped):
        study_runs.StudyRuns(1, tmp_path / "cut", None, Impatient(), TINY).coevolved("3-2", 2)
    stopped = json.loads((tmp_path / "cut" / "3-2-seconds.json").read_text())
    assert stopped["steps"] == 2
    resumed = cut.coevolved("3-2", 2)
    for path in sorted(run.folder.rglob("*.safetensors")):
        here, there = read_tensors(path)[0], read_tensors(resumed.folder / path.relative_to(run.folder))[0]
        assert here.keys() == there.keys() and all((here[key] == there[key]).all() for key in here)
    assert whole.strength(run, RANDOM, STUDY).won.tolist() == cut.strength(resumed, RANDOM, STUDY).won.tolist()
    assert study_cache.core_seconds(resumed) > 0


def test_the_published_side_of_the_tables_needs_no_run():
    rows = {(row[0], row[1]): row for row in report_tables.check_table().rows}
    assert rows["2-1-2", "random"][5] == "agrees"
    assert rows["1-2-2", "random"][5] == "does not agree"
