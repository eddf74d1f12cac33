"""The conquest study: its published figures against each other, the collusion index, verdicts, a tiny re-run."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena.statistics import Interval
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.learn.neat.task import Neat
from sparring.learn.neat.training import NeatTraining
from sparring.studies import find_study
from sparring.studies.conquest import BUDGETS, cases, claims, published, reproduce, rival_claims, study_runs
from sparring.studies.conquest.cases import CURES, STUDY, Budget, better_table, case_table, rivals_table
from sparring.studies.conquest.claims import CLAIMS
from sparring.studies.conquest.collusion import SIDES, Matchup, collusion_index, longest_run, play_matchup, spikes
from sparring.studies.conquest.draws import could_be_ours, median_interval, place_text, spread_text
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.study_runs import bests
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED
from test_studies import Quiet, claim_name, find_claim

EXPERIMENTS = Path(__file__).parent.parent / "experiments"

# What the study prints.


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.title)
def test_the_printed_fitness_is_cut_off_and_moves_add_up_to_rounds(case):
    assert np.floor(10 * case.exact + 1e-9) / 10 == case.printed
    assert sum(case.moves) == case.rounds[0]


def test_the_second_figures_of_cases_one_and_three_follow_from_its_formulas():
    assert np.floor(10 * 50 * (22 / 36) ** 2) / 10 == 18.6
    assert pytest.approx(22.679, abs=5e-4) == 30 * (19 - 10) / 19 + 20 * 94 / 222, "19 red tiles, not 22"


def test_in_case_five_some_moves_are_left_out_and_the_sum_grows_with_the_rounds():
    assert [published.ROUNDS - sum(moves) for moves in published.SPIKE_MOVES] == [8, 1]
    assert [published.ROUNDS - sum(moves) for moves in published.END_MOVES] == [0, 1]
    assert all(late > 2 * early for early, late in zip(published.HALFWAY, published.SPIKE, strict=True))


# How it is done again.


@pytest.mark.parametrize("case", CASES)
def test_the_experiments_are_what_the_study_says(case):
    file = read_experiment(EXPERIMENTS / f"conquest-case{case}.toml")
    ours = build_experiment(case_table(case, CASES[case].generations))
    sizes = {"num_inputs": 36, "num_outputs": 4}  # in the file's configuration
    assert vars(file.options) == vars(ours.options) | sizes
    assert file.game == ours.game and file.trials >= 20


@pytest.mark.parametrize(("name", "fitness"), [("case5", STUDY), ("case5-cured", "supremacy")])
def test_the_experiments_with_two_populations_are_the_same_but_for_their_benchmark(name, fitness):
    file = read_experiment(EXPERIMENTS / f"conquest-{name}.toml")
    ours = build_experiment(rivals_table(fitness, published.GENERATIONS))
    left_out = {"num_inputs", "num_outputs", "benchmark", "benchmark_pairs"}
    assert {k: v for k, v in vars(file.options).items() if k not in left_out} == {
        k: v for k, v in vars(ours.options).items() if k not in left_out
    }


def test_our_own_settings_are_read_from_their_files_and_the_studys_stand_in_for_a_missing_one(
    tmp_path, monkeypatch, capsys
):
    for case in CASES:
        options = build_experiment(better_table(case, 3)).options
        assert options.generations <= 3 and options.no_fitness_termination
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cases, "EXPERIMENTS", tmp_path)
    assert better_table(1, 1000) == case_table(1, 80)
    assert "conquest-better1.toml: not found" in capsys.readouterr().err


# Statistics.


def test_a_median_lies_between_trials_that_enclose_it_95_times_in_100():
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        interval = median_interval(rng.exponential(1.0, 12))
        held += interval.low <= np.log(2) <= interval.high
    assert 0.95 <= held / 1000 <= 0.99
    assert not np.isfinite(median_interval(np.arange(5.0)).low)
    assert median_interval(np.arange(6.0)) == Interval(2.5, 0.0, 5.0)


def test_a_draw_is_placed_among_the_trials():
    trials = np.arange(20.0)
    words = [place_text(trials, draw) for draw in (-1, 1, 10, 19, 20)]
    assert words == ["below all", "in the lower quarter", "between the quartiles", "in the upper quarter", "above all"]
    assert could_be_ours(trials, 19.0) == SUPPORTED
    assert could_be_ours(trials, 100.0) == NOT_SUPPORTED
    assert could_be_ours(trials, 20.0) == OPEN
    assert could_be_ours(trials[:5], 2.0) == OPEN
    assert spread_text(np.array([np.nan, 1.0, 3.0])) == "2 (1 to 3)"
    assert spread_text(np.array([np.nan])) == ""


def test_the_index_is_one_minus_the_ratio_either_way():
    own, strangers = np.array([100.0, 10.0, 5.0, 0.0]), np.array([20.0, 40.0, 5.0, 0.0])
    assert collusion_index(own, strangers).tolist() == [0.8, -0.75, 0.0, 0.0]


def test_spikes_are_counted_by_height_and_by_what_was_before():
    joint = np.array([[100, 100, 100, 100, 250, 250, 100, 700], [300, 300, 300, 300, 310, 320, 330, 340]], float)
    found = spikes(joint)
    assert found.height.tolist() == [700, 340] and found.generation.tolist() == [8, 8]
    assert found.high.tolist() == [1, 0]
    assert found.doubled.tolist() == [2, 0]
    assert longest_run(np.array([True, True, False, True])) == 2


def rivals_training(trials: int = 2) -> NeatTraining:
    options = Neat(
        encoding="shares", policy="net", pop_size=8, generations=3, fitness=STUDY, opponents=("rivals",), games=1,
        hall=3, benchmark_pairs=0, exact_size=False,
    )  # fmt: skip
    training = NeatTraining(find_game("conquest:rounds=200"), options, 1, trials)
    while training.step < training.steps:
        training.advance()
    return training


def test_the_games_that_made_the_best_the_best_are_played_again():
    training = rivals_training()
    curves = training.curves()[1]
    for generation in range(3):
        met = play_matchup(training.game, bests(training, generation), 5, None)
        for side, name in enumerate(("population", "rivals")):
            np.testing.assert_allclose(met.of_best("payoff")[:, side], curves[f"{name}.best.fitness"][:, generation])
        assert Matchup.from_json(met.json()).index == pytest.approx(met.index, abs=0.02)
        assert (met.own["mutual"] <= met.own["payoff"]).all()


def test_a_single_trial_has_no_strangers():
    met = play_matchup(find_game("conquest:rounds=200"), bests(rivals_training(1), -1), 5, None)
    assert np.isnan(met.index).all() and np.isfinite(met.mean("mutual")).all()


def test_partners_survive_a_stop():
    training = rivals_training()
    again = NeatTraining(training.game, training.options, 1, 2)
    again.restore(training.step, training.arrays())
    for before, after in zip(training.partners[1], again.partners[1], strict=True):
        assert [genome.links.tolist() for genome in before] == [genome.links.tolist() for genome in after]


# Verdicts.


def spread(mean: float, width: float, trials: int) -> np.ndarray:
    return mean + np.linspace(-width, width, trials) if trials > 1 else np.full(1, mean)


def matchup(mutual: float, strangers: float, decided: float, trials: int, attack: float = 0.3) -> Matchup:
    def arrays(payoff: float) -> dict[str, np.ndarray]:
        one = np.ones((trials, 2, 2))
        payoffs = spread(payoff, 0.1 * payoff, trials)[:, None, None] * one
        counts = {"attack": 1000 * attack, "transport": 1000 * (0.8 - attack), "rounds": 1000.0, "decided": decided}
        return {"mutual": payoffs, "payoff": payoffs, **{name: count * one for name, count in counts.items()}}

    return Matchup(arrays(mutual), arrays(strangers))


def rivals(mutual: float, decided: float, won: float, trials: int, joint: float = 700.0, strangers: float = 20.0):
    """Three generations: a start, a spike, an end."""
    height = spread(joint / 2, 5.0, trials)[:, None]
    curve = height * np.array([0.3, 1.0, 0.5])
    made = SimpleNamespace(
        blue=curve,
        red=curve,
        joint=2 * curve,
        spikes=spikes(2 * curve),
        matchups=[matchup(mutual, strangers, decided, trials, attack) for attack in (0.2, 0.4, 0.1)],
        strength={
            mark: {side: {"random": spread(share, 0.02, trials)} for side in SIDES}
            for mark, share in (("first", 0.4), ("last", won))
        },
    )
    made.last = made.matchups[-1]
    made.peak_index = made.matchups[1].index
    made.at_peak = made.matchups[1].of_best
    return made


def found(trials: int = 20, part: float = 1.0, **changes):
    """What a re-run might have measured."""
    fitness = {1: 80.0, 2: 93.0, 3: 93.0, 4: 65.0} | changes.pop("fitness", {})
    unseen = changes.pop("unseen", (20.0, 0.2))
    guided, idle, won = changes.pop("guided", 0.6), changes.pop("idle", 0.0), changes.pop("won", 1.0)
    mutual, decided, strength = changes.pop("mutual", 100.0), changes.pop("decided", 0.1), changes.pop("strength", 0.6)
    joint, other = changes.pop("joint", 700.0), changes.pop("other", 80.0)
    cured = changes.pop("cured", (1.0, 0.9, 0.9))
    games = {
        name: np.full((trials, 3), value)
        for name, value in (("moves", 100.0), ("guided", 100 * guided), ("idle", idle), ("won", won))
    }
    trained = {
        case: SimpleNamespace(
            fitness=spread(value, 2.0, trials),
            unseen={"fitness": spread(unseen[0], 2.0, trials), "won": spread(unseen[1], 0.05, trials)},
        )
        for case, value in fitness.items()
    }
    compared = {
        (case, encoding, "net"): SimpleNamespace(judged=spread(value, 2.0, trials))
        for case in CASES
        for encoding, value in (("shares", 60.0), ("fronts", other))
    }
    usual = SimpleNamespace(
        budget=SimpleNamespace(whole=part >= 1, rivals_whole=part >= 1),
        trials=trials,
        cases=trained,
        games=dict.fromkeys(CASES, games),
        compared=compared,
        rivals={STUDY: rivals(mutual, decided, strength, trials, joint)}
        | {name: rivals(*cured, trials) for name in CURES},
    )
    return SimpleNamespace(**(vars(usual) | changes))


SAID = {  # a claim, and what would make it supported, not supported and open
    claims.always_valid: (found(), found(idle=1.0), None),
    claims.mostly_guided(1): (found(), found(guided=0.3), None),
    partial(claims.drawn, number=1): (found(), found(fitness={1: 50.0}), found(part=0.5)),
    find_claim(CLAIMS, "The best network wins"): (found(), found(won=0.0), found(won=1.0, trials=1)),
    find_claim(CLAIMS, "Networks are most efficient"): (found(), found(fitness={4: 99.0}), found(part=0.5)),
    find_claim(CLAIMS, "Blue easily defeats"): (found(unseen=(60.0, 0.9)), found(), found(unseen=(60.0, 0.5))),
    find_claim(CLAIMS, "Case 4's fitness is not"): (found(unseen=(64.0, 0.9)), found(), found(unseen=(60.0, 0.9))),
    partial(claims.other_code, number=2): (found(), found(other=40.0), found(compared={})),
    rival_claims.spikes_occur: (found(), found(joint=400.0), found(part=0.5)),
    rival_claims.both_gain: (found(), found(mutual=5.0), None),
    find_claim(CLAIMS, "The games that pay best"): (found(), found(decided=0.9), None),
    rival_claims.spike_passes: (found(), None, found(part=0.5)),
    rival_claims.attacks_feed: (found(), None, found(part=0.5)),
    find_claim(CLAIMS, "The two populations drive"): (found(), found(strength=0.1), found(trials=1)),
    partial(rival_claims.feeding_ends, fitness="outcome"): (found(), found(cured=(90.0, 0.9, 0.9)), found(trials=1)),
    partial(rival_claims.fights, fitness="outcome"): (
        found(),
        found(cured=(1.0, 0.2, 0.9)),
        found(cured=(1.0, 0.9, 0.9), trials=1),
    ),
}


@pytest.mark.parametrize("claim", SAID, ids=claim_name)
def test_a_claim_stands_falls_or_stays_open_with_what_was_measured(claim):
    for case, verdict in zip(SAID[claim], (SUPPORTED, NOT_SUPPORTED, OPEN), strict=True):
        if case is not None:
            assert claim(case)[3] == verdict, claim(case)


def test_a_fitness_that_the_game_lacks_is_open():
    study = found(rivals={STUDY: rivals(100.0, 0.1, 0.6, 20)})
    assert rival_claims.feeding_ends(study, "outcome")[3] == rival_claims.fights(study, "outcome")[3] == OPEN


# A tiny re-run.

TINY = Budget(2, 0.02, 3, 2, (4,), 2, 2, 4, 3, 2, 2)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setitem(cases.PUBLISHED, "pop_size", 6)
    monkeypatch.setattr(study_runs, "better_table", case_table)


def test_unknown_budgets_are_refused(tmp_path):
    assert find_study("conquest") is reproduce
    with pytest.raises(UserError, match="must be one of quick, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, tiny):
    first = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert len(first.tables[-1].rows) == len(CLAIMS)
    assert set(first.tables[-1].verdicts) <= {SUPPORTED, OPEN, NOT_SUPPORTED}
    titles = " ".join(table.title for table in first.tables)
    for words in ("best network", "Better settings", "by encoding and decoding", "Spikes", "collusion index"):
        assert words in titles, words
    page = first.report.read_text()
    for words in ("As Figures 6.2, 6.6, 6.11 and 6.16", "As Figure 6.19", "As Figures 6.20 and 6.21", "Games decided"):
        assert words in page, words

    again = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]


def test_a_single_trial_meets_no_strangers_and_is_reported_all_the_same(tmp_path, tiny, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", replace(TINY, compared=()))
    assert "no strangers" in reproduce("quick", 1, 1, tmp_path, None, Quiet()).report.read_text()
