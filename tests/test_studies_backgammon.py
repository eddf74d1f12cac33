"""The backgammon study: its published figures against each other, verdicts that follow from intervals, a tiny re-run."""

import json
import time
import tomllib
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.errors import Stopped, UserError
from sparring.games import find_game
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.nets.files import read_tensors
from sparring.studies import find_study, read_data, study_cache
from sparring.studies.backgammon import BUDGETS, claims, published, report_pages, report_tables, reproduce, study_runs
from sparring.studies.backgammon.claims import CLAIMS, MEASURES
from sparring.studies.backgammon.measured import CLIMBING, FIRST_LAYER
from sparring.studies.backgammon.published import NETWORKS, fit, published_curve, published_fit
from sparring.studies.backgammon.study_runs import (
    BASELINES,
    OPPONENTS,
    PUBLISHED,
    RANDOM,
    SIMPLE,
    STUDY,
    ZERO,
    Budget,
    Climb,
    Strength,
    short,
)
from sparring.studies.study_cache import Stopwatch, games_played
from sparring.studies.verdicts import (
    NOT_REPRODUCED,
    OTHER_READING,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    difference,
    expected,
)
from test_studies import Quiet

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
    assert left.shape == (20, 2)
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


def test_a_small_board_is_left_for_the_full_one_and_curves_are_of_the_full_one():
    options = HillClimbing(
        encoding="shares", layers="2-1-2", policy="net+by-checker", challenges=6, wins="6/10", deals="own", change="one",
        least=0.05, move=1.0, benchmark_pairs=20, curve_every=1, easier=study_runs.SMALL, easier_until=3,
    )  # fmt: skip
    training, played = HillClimbingTraining(find_game(STUDY), options, 1, 1), []
    launch = training.play
    training.play = lambda jobs, game=None: played.append((game or training.game).name) or launch(jobs, game)
    while training.step < training.steps:
        training.advance()
    challenges = [name for name, curve in zip(played, np.arange(len(played)) % 2, strict=True) if not curve]
    assert ["hypergammon" in name for name in challenges] == [True] * 3 + [False] * 3
    assert set(played[1::2]) == {STUDY}
    assert training.curves()[1]["random.player.turns_per_game"].min() > 40, "three checkers each are gone in 25 turns"


def test_games_are_counted_by_what_each_challenge_asks_for():
    wins = [(0, 3, 4), (10, 5, 6), (70, 7, 8)]
    assert games_played(wins, 100, np.array([5, 10, 11, 70, 100])).tolist() == [20, 40, 46, 400, 640]
    assert games_played(wins[:2], 8, np.array([8])).tolist() == [32]


def test_a_climb_is_looked_at_from_its_first_point_to_its_last_and_at_the_marks():
    generations = study_runs.evaluated_generations(1000, 100_000, published.FROZEN)
    assert generations[0] == 1000 and generations[-1] == 100_000 and 10_000 in generations
    assert all(generation % 1000 == 0 for generation in generations)


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


def test_one_more_trial_lies_where_it_is_expected_95_times_in_100():
    rng = np.random.default_rng(1)
    held = []
    for _ in range(2000):
        *trials, more = rng.normal(3, 2, 7)
        interval = expected(np.array(trials))
        held.append(interval.low <= more <= interval.high)
    assert 0.935 <= np.mean(held) <= 0.965


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


def bits(share: float, count: int = 1000) -> np.ndarray:
    return np.repeat([1.0, 0.0], [round(share * count), count - round(share * count)])


ENDS = {"2-1-2": 0.70, "1-2-2": 0.62, "3-2": 0.62, "4-2-4": 0.62, "2-1-2-imitated": 0.75, "2-1-2-small": 0.75}


def found(trials: int = 20, width: float = 0.03, cycles: int = 100, **changes):
    """What a re-run might have measured: shares of games, trials spread evenly about their means; `changes` by key."""
    names = [*ENDS, *map(short, NETWORKS)]
    share = {name: ENDS[name.removesuffix("-short")] for name in names} | {
        "lower": 0.56, "zero": 0.45, "sizes": 0.45, "sizes-short": 0.13, "slowness": 20.0, "circle": 0.05,
        "begins": 0.523, "follows": 0.48, PUBLISHED: 0.67, SIMPLE: 0.98, "left": 10.2, "printed": 0.72, "frozen": 0.8,
        CLIMBING: 0.4, "TD, 10 hidden": 0.55, "TD, 20 hidden": 0.6, "TD, 40 hidden": 0.65,
    } | changes  # fmt: skip
    x = np.arange(1.0, cycles + 1)
    rise = 1 - np.exp(-x / share["slowness"])

    def curve(name, opponent):
        end = share[name] if opponent == RANDOM else share["lower"]
        return share["zero"] + (end - share["zero"]) * rise + spread(0.0, width, trials)[:, None]

    def strength(mean):
        return Strength(spread(mean, width, trials), np.zeros(trials))

    circle = np.full((trials, 2, 3, 3), 0.5)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        circle[:, :, a, b], circle[:, :, b, a] = 0.5 + share["circle"], 0.5 - share["circle"]
    circle[:, 0] += spread(0.0, width / 10, trials)[:, None, None]
    frozen = {1000: np.array([spread(0.5, 0, trials), spread(share["frozen"], width, trials)])}
    climb = Climb([1000, 100_000], np.array([spread(share[CLIMBING], width, trials)] * 2), frozen)
    left = np.resize([share["left"] - 3, share["left"] + 3], 1000)
    shares = {PUBLISHED: share[PUBLISHED], SIMPLE: share[SIMPLE]}
    return SimpleNamespace(
        trials=trials, cycles=x, curve=curve, climb=climb, ages=circle,
        begin_curve=lambda name: curve(name, RANDOM)[:, : max(1, cycles // 10)],
        budget=SimpleNamespace(
            games=1000, climbs=trials, lessons=trials, starts=trials, begins=trials, generations=changes.get("generations", 100_000)
        ),
        curve_end=lambda name, opponent: curve(name, opponent)[:, -max(1, cycles // 5) :].mean(axis=1),
        sizes=lambda name: spread(share["sizes-short" if name.endswith("short") else "sizes"], width / 10, trials),
        fits=lambda name: [fit(x, each) for each in 100 * np.concatenate([[curve(name, RANDOM).mean(0)], curve(name, RANDOM)])],
        strengths={name: {o: strength(share[name] if o == RANDOM else share["lower"]) for o in OPPONENTS} for name in names},
        printed={ZERO: {RANDOM: bits(0.49), PUBLISHED: bits(0.32), SIMPLE: bits(0.05)}}
        | {"Figure 36": {RANDOM: bits(share["printed"]), PUBLISHED: bits(share["lower"]), SIMPLE: bits(share["lower"])}},
        baselines={
            pair: {"begins": bits(share["begins"]), "follows": bits(shares.get(pair[0], share["follows"])), "left": left}
            for pair in BASELINES
        },
        methods={
            title: SimpleNamespace(strength=strength(share[title])) for title in (CLIMBING, *claims.TD_SIZES)
        },
    )  # fmt: skip


WIDE = {"width": 0.6}
CASES = {  # by measure: what makes its first claim reproduced, not reproduced and undecided
    "random begins": (found(begins=0.6), found(begins=0.4), found(begins=0.5)),
    "simple-published": (found(), found(**{PUBLISHED: 0.5}), None),
    "left by simple": (found(), found(left=14), None),
    "progress against random": (found(), found(**{"2-1-2": 0.3}), found(trials=3, **WIDE)),
    "end against random": (found(), found(**{"2-1-2": 0.9, "2-1-2-short": 0.9}), found(cycles=50)),
    "mean of 2-1-2": (found(slowness=2), found(**{"2-1-2": 0.95, "2-1-2-short": 0.95}), found(cycles=50)),
    "mean against simple": (found(lower=0.46), found(lower=0.8), found(trials=1)),
    "later rise": (found(), found(slowness=0.1), found(trials=1)),
    "early rise": (found(slowness=5), found(slowness=500), None),
    "bend": (found(), found(slowness=-200.0), found(trials=1)),
    "champions": (found(), found(lower=0.2), found(**WIDE)),
    "best": (found(), found(**{"3-2": 0.69}), found(**WIDE)),
    "4-2-4": (found(), found(**{"4-2-4": 0.9}), found(**{"4-2-4": 0.7} | WIDE)),
    "largest gap": (found(), found(**{"3-2": 0.7, "1-2-2": 0.7}), found(**{"3-2": 0.7} | WIDE)),
    "imitated": (found(**{"2-1-2-imitated": 0.9}), found(**{"2-1-2-imitated": 0.3}), found(**WIDE)),
    "small board": (found(), found(**{"2-1-2-small": 0.3}), found(**WIDE)),
    "Figure 36 against simple": (found(), found(lower=0.8), None),
    "like our champions": (found(), found(printed=0.95), found(trials=1)),
    "circles": (found(), None, found(circle=0.0)),
    "climbing": (found(), found(**{CLIMBING: 0.8}), found(generations=2000)),
    "climbing against itself": (found(), found(frozen=0.3), found(frozen=0.5)),
    "climbing against TD": (found(**{CLIMBING: 0.65}), found(), found(**{CLIMBING: 0.6} | WIDE)),
    "climbing champions": (found(), found(**{CLIMBING: 0.7}), found(**WIDE)),
    "TD": (found(), found(**{"TD, 10 hidden": 0.3}), found(**WIDE)),
    "TD by units": (found(), found(**{"TD, 40 hidden": 0.5}), found(**WIDE)),
}


def claim_of(measure: str):
    return next(claim for claim in CLAIMS if claim.measure is MEASURES[measure])


@pytest.mark.parametrize("measure", CASES)
def test_a_claim_stands_falls_or_stays_undecided_with_what_was_measured(measure):
    for case, verdict in zip(CASES[measure], (REPRODUCED, NOT_REPRODUCED, UNDECIDED), strict=True):
        if case is not None:
            judged = claim_of(measure)(case)
            assert judged.verdict == verdict, judged
            assert judged.cause or verdict != NOT_REPRODUCED, judged


def test_another_reading_counts_where_the_first_fails():
    assert claim_of("size of the weights")(found()).verdict == OTHER_READING
    assert claim_of("simple")(found()).verdict == OTHER_READING
    assert claim_of("random as published")(found(begins=0.56, follows=0.45)).verdict == OTHER_READING
    assert claim_of("Figure 36 against random")(found(printed=0.78)).verdict == OTHER_READING
    assert claim_of("size of the weights")(found(**{"sizes-short": 0.4})).verdict == NOT_REPRODUCED


def test_one_trial_or_a_short_training_decides_nothing_about_learning():
    for case in (found(trials=1), found(cycles=10, generations=100)):
        for claim in CLAIMS:
            if "td" not in str(claim.published) and claim.conclusive(case) is False:
                assert claim(case).verdict == UNDECIDED, claim.text
    about_trials = [claim for claim in CLAIMS if claim.trials(found(trials=7)) == 7]
    assert len(about_trials) > 20
    assert {claim(found(trials=1)).verdict for claim in about_trials} == {UNDECIDED}


def test_claims_are_judged_by_the_figures_that_are_published():
    table = tomllib.loads((Path(claims.__file__).with_name("claims.toml")).read_text())["claim"]
    value = {each["measure"]: each["contains"] for each in table if "contains" in each}
    assert value["simple-published"] == published.SIMPLE_WON / published.GAMES
    assert value["random as published"] == published.RANDOM_WON / published.GAMES
    assert value["end against random"] == pytest.approx(published_curve("2-1-2", True)[-20:].mean())
    assert value["end against simple"] == pytest.approx(published_curve("2-1-2", False)[-20:].mean())
    assert value["mean against simple"] == pytest.approx(published.MEAN_SIMPLE / 100)
    for network in NETWORKS:
        assert value[f"mean of {network}"] == pytest.approx(published_curve(network, True).mean(), abs=1e-4)
    weights = np.array(published.FIGURE_36[:FIRST_LAYER])
    assert value["size of the weights"] == pytest.approx(np.sqrt((weights**2).mean()), abs=1e-4)
    assert published.AGAINST_RANDOM["2-1-2"][-1] == 72
    assert value["left by random"] == published.left_behind(published.RANDOM_GAMES)[:, 0].mean()
    assert value["left by simple"] == published.left_behind(published.SIMPLE_GAMES)[:, 0].mean()


def test_circles_are_no_chance():
    """Shares of games with noise, but no circles: the measure is 0 on average. A circle of five points gives 15 squared."""
    rng = np.random.default_rng(1)
    level = np.array([0.0, 0.02, 0.05, 0.06, 0.03, 0.1])
    shares = 0.5 + level[:, None] - level + rng.normal(0, 0.03, (400, 2, 6, 6))
    shares = 0.5 + (shares - shares.transpose(0, 1, 3, 2)) / 2
    none = claims.circles(SimpleNamespace(ages=shares))
    assert none.low < 0 < none.high and none.half_width < 2
    assert claims.circles(found(circle=0.05, width=0.0)).value == pytest.approx(15**2)


# A tiny re-run.

TINY = Budget(2, 2, 2, 40, 10, 20, 4, 2, 12, 2, 2, 2000, 1, 4, 2, imitations=2)


def test_unknown_budgets_are_refused(tmp_path):
    assert find_study("backgammon") is reproduce
    with pytest.raises(UserError, match="must be one of quick, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet(), None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setattr(study_runs, "FROZEN", (4, 8))
    first = reproduce("quick", 0, 1, tmp_path, None, Quiet(), tmp_path / "results")
    assert len(first.tables[-1].rows) == len(CLAIMS)
    assert set(first.tables[-1].verdicts) <= set(VERDICTS)
    titles = [table.title for table in first.tables]
    for text in read_data("backgammon", "tables").values():
        assert any(title.startswith(text["title"].partition("{")[0]) for title in titles), text["title"]
    for each in json.loads((tmp_path / "results" / "backgammon.json").read_text())["claims"]:
        named = each["cause"].partition("table “")[2].partition("”")[0]
        assert any(title.startswith(named) for title in titles), each
    page = first.report.read_text()
    for words in (
        "As Figures 30 to 34",
        "As Appendix C",
        "As Figures 7 and 8",
        "by games of self-play",
    ):
        assert words in page, words

    again = reproduce("quick", 0, 1, tmp_path, None, Quiet(), None)
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]


def test_a_part_measured_again_replaces_its_claims_and_tables(tmp_path, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    claims_toml, path = read_data("backgammon", "claims")["claim"], tmp_path / "backgammon.json"
    with pytest.raises(UserError, match="adds to a stored result"):
        reproduce("quick", 0, 1, tmp_path, None, Quiet(), tmp_path, "begins")
    old = [{"claim": row["text"], "verdict": UNDECIDED} for row in claims_toml]
    path.write_text(json.dumps({"budget": "quick", "claims": old, "tables": [{"title": "another"}]}))
    with pytest.raises(UserError, match="can be measured alone: begins, td"):
        reproduce("quick", 0, 1, tmp_path, None, Quiet(), tmp_path, "luck")
    reproduce("quick", 0, 1, tmp_path, None, Quiet(), tmp_path, "begins")
    new = json.loads(path.read_text())
    changed = [row for row, claim in zip(claims_toml, new["claims"], strict=True) if "ours" in claim]
    assert [row["group"] for row in changed] == ["begins"]
    assert new["tables"][0] == {"title": "another"} and new["tables"][1]["rows"][1][1] == "2"
    assert sum(new["counts"][word] for word in VERDICTS) == new["counts"]["claims"] == len(claims_toml)
    assert list(new["parts"]) == ["begins"]


def take_jobs(folder: Path, name: str) -> None:
    def job(number: int) -> None:
        if not (folder / f"{number}.done").exists():
            with (folder / "log").open("a") as log:
                log.write(f"{name} {number}\n")
            time.sleep(0.2)
            (folder / f"{number}.done").touch()

    cache = study_cache.StudyCache(1, folder, None, Quiet(), None)
    cache.share([lambda number=number: job(number) for number in range(6)])


def test_processes_divide_jobs_and_none_ends_before_all_are_done(tmp_path):
    workers = [get_context("fork").Process(target=take_jobs, args=(tmp_path, name)) for name in "ab"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(600)
        assert worker.exitcode == 0
    done = (tmp_path / "log").read_text().split("\n")[:-1]
    assert sorted(int(line.split()[1]) for line in done) == list(range(6))
    assert len(list(tmp_path.glob("*.done"))) == 6


class Impatient(Quiet):
    """Presses Ctrl-C, as it were, in the middle of a training."""

    def __init__(self):
        self.steps = 0

    def hear(self, training, games):
        self.steps += 1
        if self.steps == 3:
            raise KeyboardInterrupt

    def training_bar(self, what):
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
    assert whole.strength(run, RANDOM, STUDY, 4).won.tolist() == cut.strength(resumed, RANDOM, STUDY, 4).won.tolist()
    assert study_cache.core_seconds(resumed) > 0


def test_the_published_side_of_the_tables_needs_no_run():
    rows = {(row[0], row[1]): row for row in report_tables.check_table().rows}
    assert rows["2-1-2", "random"][5] == "agrees"
    assert rows["1-2-2", "random"][5] == "does not agree"
