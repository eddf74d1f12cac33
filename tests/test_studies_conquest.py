"""The conquest study: its published figures, the author's curves, the collusion index, verdicts, a tiny re-run."""

from dataclasses import replace
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
from sparring.studies.conquest import BUDGETS, cases, reproduce
from sparring.studies.conquest.bands import Band, bands
from sparring.studies.conquest.cases import (
    STUDY,
    Budget,
    better_table,
    case_table,
    rivals_table,
    text_table,
    variants,
)
from sparring.studies.conquest.claims import CLAIMS, in_band
from sparring.studies.conquest.collusion import Matchup, collusion_index, play_matchup
from sparring.studies.conquest.draws import median_interval, quantile_cells, spread_text
from sparring.studies.conquest.measured import Rivals
from sparring.studies.conquest.published import CASES, KINDS, MEASURES, RIVALS, curves
from sparring.studies.conquest.study_runs import bests
from sparring.studies.verdicts import NOT_REPRODUCED, REPRODUCED, UNDECIDED, VERDICTS
from test_studies import Quiet, claim_name, find_claim

EXPERIMENTS = Path(__file__).parent.parent / "experiments"
TEXTS = {"num_inputs", "num_outputs"}  # in a file's configuration

# What the study prints, and its author's results.


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.title)
def test_the_printed_fitness_is_cut_off_and_moves_add_up_to_rounds(case):
    assert np.floor(10 * case.exact + 1e-9) / 10 == case.printed
    assert sum(case.moves) == case.rounds[0]


def test_fitness_follows_from_rounds_and_tiles():
    rounds = {case: figures.rounds[0] for case, figures in CASES.items()}
    assert CASES[1].exact == pytest.approx(50 + 50 * (1 - rounds[1] / 5000) ** 2)
    assert CASES[2].exact == pytest.approx(70 + 30 * (1 - rounds[2] / 500))
    assert CASES[3].exact == pytest.approx(70 + 30 * (1 - rounds[3] / 5000))
    assert CASES[4].exact == pytest.approx(50 * 18 / 36 + 50 * (1 - rounds[4] / 500))
    assert np.floor(10 * 50 * (22 / 36) ** 2) / 10 == 18.6
    assert pytest.approx(22.679, abs=5e-4) == 30 * (19 - 10) / 19 + 20 * 94 / 222, "19 red tiles, not 22"


def test_the_author_s_curves_end_in_the_published_figures_and_have_a_row_per_generation():
    for number, case in CASES.items():
        best = curves()[number, "blue"]["best"]
        assert best.max() == pytest.approx(case.exact, abs=5e-4) and len(best) + 1 == case.generations
    for side, name in enumerate(("blue", "red")):
        best = curves()[5, name]["best"]
        assert best[RIVALS["spike_generation"]] == best.max() == RIVALS["spike"][side]
        assert int(best[-1]) == RIVALS["end"][side] and len(best) + 1 == RIVALS["generations"]
    recorded = {case for (case, _), each in curves().items() if np.isfinite(each["guided"]).all()}
    assert recorded == {1, 4, 5}
    shares = np.concatenate([each[name] for each in curves().values() for name in ("guided", "wins")])
    assert (np.isnan(shares) | ((shares >= 0) & (shares <= 1))).all()


def test_the_author_s_moves_add_up_to_rounds_and_red_has_no_last_move():
    for moves in (RIVALS["spike_moves"], RIVALS["end_moves"]):
        for side in range(2):
            assert sum(moves[kind][side] for kind in KINDS) == moves["rounds"][side] - side
    assert all(late > 2 * early for early, late in zip(RIVALS["halfway"], RIVALS["spike"], strict=True))


# How it is done again.


def differing(file, ours) -> set[str]:
    return {name for name, value in vars(file.options).items() if value != vars(ours.options)[name]} - TEXTS


@pytest.mark.parametrize("case", CASES)
def test_the_experiments_are_what_the_study_says(case):
    file = read_experiment(EXPERIMENTS / f"conquest-case{case}.toml")
    ours = build_experiment(case_table(case, CASES[case].generations))
    assert not differing(file, ours) and file.game == ours.game and file.trials == 30


@pytest.mark.parametrize("case", CASES)
def test_our_own_settings_are_those_of_their_files(case):
    file = read_experiment(EXPERIMENTS / f"conquest-better{case}.toml")
    ours = build_experiment(better_table(case, 1000))
    assert differing(file, ours) <= {"benchmark"} and file.game == ours.game
    assert build_experiment(better_table(case, 3)).options.generations == 3


@pytest.mark.parametrize(("name", "fitness"), [("case5", STUDY), ("case5-cured", "outcome")])
def test_the_experiments_with_two_populations_are_the_same_but_for_their_benchmark(name, fitness):
    file = read_experiment(EXPERIMENTS / f"conquest-{name}.toml")
    ours = build_experiment(rivals_table(fitness, RIVALS["generations"]))
    assert differing(file, ours) <= {"benchmark", "benchmark_pairs"} and file.game == ours.game


def test_the_text_s_reading_differs_in_rules_decoder_red_and_two_parameters():
    study = case_table(4, 10)
    author, text = build_experiment(study), build_experiment(text_table(4, study))
    wanted = {"policy", "opponents", "max_stagnation", "compatibility_weight_coefficient", "benchmark_pairs"}
    assert differing(author, text) == wanted and "reading=text" in text.game
    assert "map=hard," in build_experiment(text_table(3, case_table(3, 10))).game


def test_every_case_has_three_other_fitness_functions_and_all_variants_are_sound():
    found = list(variants(BUDGETS["deep"], 60))
    assert len({each.name for each in found}) == len(found)
    for case in CASES:
        assert len([each for each in found if (each.case, each.kind) == (case, "fitness")]) >= 3
    for each in found:
        build_experiment(each.table)


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
    assert quantile_cells(np.arange(9.0), 3.0, 0) == ["0", "2", "4 (1 to 7)", "6", "8", "3 of 9"]
    assert spread_text(np.array([np.nan, 1.0, 3.0])) == "2 (1 to 3)"
    assert spread_text(np.array([np.nan])) == ""


def test_a_curve_like_ours_lies_in_our_band_and_another_does_not():
    rng = np.random.default_rng(1)
    ours = rng.normal(size=(30, 200))
    inside = Band(ours, rng.normal(size=200))
    assert 0.85 < inside.inside.mean() < 1 and inside.usual.low <= inside.apart <= 1.2 * inside.usual.high
    outside = Band(ours, np.full(200, 9.0))
    assert outside.inside.sum() == 0 and outside.apart > 5 * outside.usual.high
    parallel = np.tile(np.arange(30.0)[:, None], 200)
    assert Band(parallel, np.full(200, 15.0)).apart < 0.1 and Band(parallel, np.full(200, 60.0)).apart > 4
    assert np.isnan(Band(ours[:1], ours[0]).usual.value)
    recorded = {f"population.{name}": np.tile(np.arange(10.0), (3, 1)) for name in MEASURES.values()}
    found = bands(2, recorded)
    assert {name for _, name in found} == {"best", "mean", "median", "wins"}  # no guided moves were recorded in case 2
    assert found["blue", "best"].ours[0].tolist() == list(range(1, 10)), (
        "the author's first row is the second generation"
    )


def test_the_index_is_one_minus_the_ratio_either_way():
    own, strangers = np.array([100.0, 10.0, 5.0, 0.0]), np.array([20.0, 40.0, 5.0, 0.0])
    assert collusion_index(own, strangers).tolist() == [0.8, -0.75, 0.0, 0.0]


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

GENERATIONS = 3


def spread(mean: float, width: float, trials: int) -> np.ndarray:
    return mean + np.linspace(-width, width, trials) if trials > 1 else np.full(1, mean)


def matchup(mutual: float, strangers: float, decided: float, trials: int, attack: float) -> Matchup:
    def arrays(payoff: float) -> dict[str, np.ndarray]:
        one = np.ones((trials, 2, 2))
        payoffs = spread(payoff, 0.1 * payoff, trials)[:, None, None] * one
        counts = {"attack": 1000 * attack, "transport": 1000 * (0.9 - 3 * attack), "rounds": 1000.0, "decided": decided}
        wide = {name: spread(1.0, 0.5 * (name in KINDS), trials)[:, None, None] for name in counts}
        return {
            "mutual": payoffs,
            "payoff": payoffs,
            **{name: count * one * wide[name] for name, count in counts.items()},
        }

    return Matchup(arrays(mutual), arrays(strangers))


def rivals(trials: int, mutual: float = 100.0, decided: float = 0.1, joint: float = 826.0, left: float = 0.5) -> Rivals:
    """Three generations: a start, a spike, an end."""
    curve = spread(joint / 2, 5.0, trials)[:, None] * np.array([0.3, 1.0, 0.0])
    curve[:, 2] = spread(left * joint / 2, 60.0, trials)
    recorded = {f"{side}.best.fitness": curve for side in ("population", "rivals")}
    recorded |= {f"{side}.mean.fitness": curve / 5 - 50 * (left < 0.1) for side in ("population", "rivals")}
    met = [matchup(mutual, 20.0, decided, trials, attack) for attack in (0.2, 0.28, 0.1)]
    return Rivals(None, recorded, met, {})


def found(trials: int = 20, whole: bool = True, **changes):
    """What a re-run might have measured."""
    fitness = {case: figures.exact for case, figures in CASES.items()} | changes.get("fitness", {})
    unseen, guided, idle, won, gain = (
        changes.get(name, usual)
        for name, usual in {"unseen": 0.2, "guided": 0.6, "idle": 0.0, "won": 1.0, "gain": 9.0}.items()
    )

    def trained(case: int, better: float = 0.0):
        values = spread(fitness[case] + better, 2.0, trials)
        games = {"moves": 100.0, "guided": 100 * guided, "idle": idle, "won": won}
        made = {name: np.full((trials, 3), value) for name, value in games.items()} | {"fitness": values[:, None]}
        return SimpleNamespace(fitness=values, judged=values, games=made, unseen={"won": spread(unseen, 0.05, trials)})

    made = {(case, kind): trained(case) for case in CASES for kind in ("study", "text")}
    settings = {"other": trained(4, gain), "worse": trained(4, -20.0)}
    codes = {"study": trained(4), **settings}
    band = Band(np.tile(spread(1.0, 0.5, trials)[:, None], 10), np.full(10, changes.get("curve", 1.0)))
    return SimpleNamespace(
        budget=SimpleNamespace(whole=whole, compared=(2, 4)),
        trials=trials,
        of=lambda case, kind="study": made[case, kind],
        settings=lambda case, kind: codes if kind == "codes" else {name: trained(case, gain) for name in settings},
        bands={case: {(side, name): band for name in MEASURES for side in ("blue", "red")} for case in range(1, 6)},
        rivals={STUDY: rivals(trials, **changes.get("rivals", {}))},
    )


def short() -> SimpleNamespace:
    return found(whole=False)


SAID = {  # a claim, and what would reproduce it, not reproduce it, and leave it undecided
    "Guided, every output": (found(), found(idle=1.0), None),
    "Most moves of the best network of case 1": (found(), found(guided=0.3), short()),
    "The best network of case 1": (found(), found(fitness={1: 50.0}), short()),
    "The best network wins": (found(), found(won=0.0), found(trials=1)),
    "Networks are most efficient": (found(), found(fitness={4: 99.0}), short()),
    "Blue is more than able": (found(unseen=0.9), found(), found(unseen=0.5)),
    "Other encodings": (found(), found(gain=-9.0), found(gain=0.0)),
    "Other fitness functions": (found(), found(gain=-9.0), found(gain=0.0)),
    "Best blue and red in the last": (found(), found(rivals={"left": 0.9}), short()),
    "Best blue and red at": (found(), found(rivals={"joint": 300.0}), short()),
    "Two populations drive": (found(), found(rivals={"left": 0.05}), short()),
    "Networks bred together": (found(), found(rivals={"mutual": 5.0}), found(trials=1)),
    "What pays": (found(), found(rivals={"mutual": 5.0}), found(trials=1)),
    "The games that pay best": (found(), found(rivals={"decided": 0.9}), short()),
    "Joint fitness drops": (found(), found(rivals={"left": 0.9}), short()),
    "At the spike": (found(), None, short()),
}


@pytest.mark.parametrize("text", SAID)
def test_a_claim_is_reproduced_or_not_or_undecided_with_what_was_measured(text):
    claim = find_claim(CLAIMS, text)
    for case, verdict in zip(SAID[text], (REPRODUCED, NOT_REPRODUCED, UNDECIDED), strict=True):
        if case is not None:
            assert claim(case).verdict == verdict, claim(case)


def test_a_curve_outside_our_band_is_not_reproduced():
    for curve, verdict in ((1.0, REPRODUCED), (9.0, NOT_REPRODUCED)):
        judged = in_band(found(curve=curve), case=4, side="blue", names=["best", "guided"], place="Figure 6.16")
        assert judged.verdict == verdict and f"{10 * (curve == 1)} of 10 gen" in judged.published
    assert in_band(short(), case=4, side="blue", names=["best"], place="Figure 6.16").verdict == UNDECIDED


def test_every_claim_has_a_place_in_the_study():
    for claim in CLAIMS:
        assert claim(found()).place, claim_name(claim)


# A tiny re-run.

TINY = Budget(2, 0.02, 2, 3, 2, (4,), 2, 2, 4, 2, 2)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setitem(cases.PUBLISHED, "pop_size", 6)
    monkeypatch.setattr(cases, "better_table", case_table)


def test_unknown_budgets_are_refused(tmp_path):
    assert find_study("conquest") is reproduce
    with pytest.raises(UserError, match="must be one of quick, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet(), None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, tiny):
    first = reproduce("quick", 0, 1, tmp_path, None, Quiet(), None)
    assert len(first.tables[-1].rows) == len(CLAIMS) and set(first.tables[-1].verdicts) <= {*VERDICTS}
    titles = " ".join(table.title for table in first.tables)
    for words in ("best network", "author's curve", "fitness functions", "by encoding and decoding", "collusion index"):
        assert words in titles, words
    page = first.report.read_text()
    for words in ("as in Figures 6.2, 6.6, 6.11, 6.16 and 6.19", "As Figures 6.20 and 6.21", "Share of decided games"):
        assert words in page, words

    again = reproduce("quick", 0, 1, tmp_path, None, Quiet(), None)
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]


def test_a_single_trial_meets_no_strangers_and_is_reported_all_the_same(tmp_path, tiny, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", replace(TINY, compared=()))
    assert "no strangers" in reproduce("quick", 1, 1, tmp_path, None, Quiet(), None).report.read_text()
