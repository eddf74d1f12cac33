"""The hearts study: its settings, intervals of ratios, crossings, one's own games, verdicts, a tiny re-run."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena.match import match, winners
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import find_player
from sparring.arena.statistics import Interval
from sparring.errors import UserError
from sparring.games import find_game
from sparring.kernel.compiler import INTERPRETED
from sparring.lab.experiment import build_experiment
from sparring.lab.person_record import finished
from sparring.lab.store import Store
from sparring.studies import find_study
from sparring.studies.hearts import reproduce
from sparring.studies.hearts.claims import CLAIMS
from sparring.studies.hearts.measured import Measured, own_games
from sparring.studies.hearts.rates import Counts, crossing, crossing_interval, linear
from sparring.studies.hearts.report_tables import TABLES, people
from sparring.studies.hearts.settings import (
    BUDGETS,
    GAMES,
    MATCHES,
    POINTS,
    SPECIALS,
    VARIANTS,
    WHOLES,
    Budget,
    agent_table,
    shortened,
    special_table,
    variant_table,
    whole_table,
)
from sparring.studies.verdicts import NOT_REPRODUCED, OTHER_READING, REPRODUCED, UNDECIDED
from test_studies import Quiet

SLOW = pytest.mark.skipif(INTERPRETED, reason="hundreds of rounds of networks")

# How it is done again.


@pytest.mark.parametrize("name", BUDGETS)
def test_every_stage_ends_with_an_exam(name):
    budget = BUDGETS[name]
    options = build_experiment(agent_table(budget) | {"name": "x"}).options
    assert options.curve_every * options.step_games == budget.every
    assert all(games % budget.every == 0 for games in options.games)
    assert dict(zip(options.stages, options.games, strict=True)) == dict(budget.games)
    assert budget.compared_trials > 1 and budget.complete == (name != "quick")


def test_the_study_budget_plays_the_studys_games():
    budget = BUDGETS["study"]
    assert {stage: budget.games[stage] for stage in GAMES} == GAMES
    assert (budget.point, 4 * budget.deals, budget.trials) == (1000, 1000, 1)
    for name in ("study", "paper"):  # Table 5.3: 1,000 games; Tables 5.1, 5.2 and 5.4: 2,000
        assert 4 * BUDGETS[name].defence_deals * BUDGETS[name].trials >= 2000


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_from_the_base_in_what_it_says(name):
    ours, base = (
        build_experiment(variant_table(each, BUDGETS["paper"]) | {"name": "x"}).options for each in (name, "base")
    )
    different = {key: value for key, value in vars(ours).items() if value != getattr(base, key)}
    assert different == VARIANTS[name][1]


def test_special_trainings_differ_in_what_they_say():
    made = {name: special_table(name, BUDGETS["quick"], Path("team"), Path("log"))["learner"] for name in SPECIALS}
    assert [made[name]["rewards"] for name in ("moon-5", "moon-10", "moon-share")] == [
        "moon_full=5",
        "moon_full=10",
        "moon=share",
    ]
    assert made["shooter"] == made["defender"] | {"rewards": "view=shooter"}
    assert [name for name in made if "records" in made[name]] == ["recorded-defence", "recorded-moon"]


def test_one_network_plays_as_many_games_as_seven():
    one, play, seven = (whole_table(name, BUDGETS["paper"])["learner"] for name in WHOLES)
    assert one["stages"] == play["stages"] == ["whole"] and one["games"] == [sum(seven["games"])]
    assert play["games"] == [seven["games"][seven["stages"].index("play")]]


def test_every_table_of_matches_names_matches_that_are_played():
    for table in TABLES.values():
        named = [match for _, match in table.get("rows", ())]
        assert set(named) <= set(MATCHES) and len(set(named)) == len(named)
    fields = {match.deals for match in MATCHES.values()}
    assert fields == {"deals", "defence_deals", "compared_deals", "swept_deals"}


# Intervals.


def met(**sums) -> Counts:
    return Counts({name: np.atleast_2d(values) for name, values in sums.items()})


def test_a_ratios_linear_values_have_the_ratio_as_their_mean():
    rng = np.random.default_rng(1)
    top, bottom = rng.integers(0, 5, (2, 50)), rng.integers(1, 9, (2, 50))
    np.testing.assert_allclose(linear(top, bottom).mean(axis=1), top.sum(axis=1) / bottom.sum(axis=1))


def test_the_interval_of_a_ratio_covers_the_truth():
    rng, held = np.random.default_rng(2), 0
    for _ in range(500):
        rounds = rng.integers(5, 12, 60)
        tried = rng.binomial(rounds, 0.2)
        told = met(made=rng.binomial(tried, 0.4), tried=tried).share("made", "tried")
        held += told.low <= 0.4 <= told.high
    assert 0.92 <= held / 500 <= 0.98


def test_what_was_never_tried_is_unknown_and_what_was_tried_twice_is_uncertain():
    assert np.isnan(met(made=[0, 0, 0], tried=[0, 0, 0]).share("made", "tried").value)
    twice = met(made=[1, 0, 1, 0], tried=[1, 0, 1, 0]).share("made", "tried")
    assert twice.value == 1 and twice.low < 0.1
    assert np.isnan(met(against=[0, 0]).less(met(against=[0, 0]), "against").value)


def test_several_trials_are_the_observations_and_one_that_tried_nothing_is_left_out():
    told = met(made=[[1, 1], [0, 0], [2, 1]], tried=[[2, 2], [0, 0], [2, 2]])
    assert told.observed("made", "tried").tolist() == [0.5, 0.75]
    assert met(score=[[1, 3], [4, 4]], rounds=[[1, 1], [1, 1]]).mean().value == 3


def test_differences_are_of_the_same_deals():
    rng = np.random.default_rng(3)
    hard = rng.normal(70, 20, 100)
    a, b = (met(score=hard + 10 + rng.normal(0, 1, 100), rounds=np.full(100, 10)) for _ in range(2))
    assert a.over(b, "score", "rounds").half_width < a.mean().half_width / 5
    assert met(against=[5, 6]).less(met(against=[10, 12]), "against").value == pytest.approx(0.5)


def test_a_crossing_lies_between_the_numbers_around_it_on_their_log_scale():
    assert crossing((10, 100), np.array([0.35, 0.15])) == pytest.approx(np.sqrt(1000))
    assert crossing((10, 100), np.array([0.25, 0.15])) == pytest.approx(10)
    assert crossing((10, 100), np.array([0.2, 0.1])) == 0 and crossing((10, 100), np.array([0.4, 0.3])) == np.inf
    wins = {10: met(won=[2] * 30 + [1] * 10, games=[4] * 40), 100: met(won=[0] * 30 + [2] * 10, games=[4] * 40)}
    told = crossing_interval(wins, 1)
    assert 10 < told.low < told.value < told.high < 100


def test_one_against_three_is_counted_for_the_one():
    game = find_game("hearts:rounds=2")
    players = [find_player(game, name) for name in ("rule-based", "random")]
    tallies = play(game, paired_jobs(1, np.array([0, 1, 1, 1]), 3, "rotated"), players, 1)
    told = Counts.of([tallies, tallies])
    assert all(values.shape == (2, 3) for values in told.sums.values())
    scores = tallies["score"].reshape(3, 4, 4)
    seats = [0, 1, 2, 3]  # where the one sits in each seating
    assert told.sums["score"][0].tolist() == scores[:, range(4), seats].sum(axis=1).tolist()
    assert (told.sums["score"] + told.sums["theirs"]).sum() == 2 * scores.sum()
    assert told.sums["rounds"].tolist() == [[8] * 3] * 2
    won = winners(tallies["score"].astype(float), True)[0].reshape(3, 4, 4)
    assert told.sums["won"][1].tolist() == won[:, range(4), seats].sum(axis=1).tolist()


# One's own games.


def test_games_that_people_finished_stand_beside_the_published_ones(tmp_path):
    assert own_games(tmp_path) == []
    assert list(tmp_path.iterdir()) == [], "looking makes no store"
    game, kept = find_game("hearts"), []
    match(game, "rule-based", "random", pairs=1, keep=kept.extend)
    tally = game.view.game_tally(game.view.game_text(kept[0]), "here")[0]
    names = ["you", "agent", "agent #2", "agent #3"]
    Store(tmp_path).record_results("play", [finished(game, kept[0], tally, names, 0, ["agent"] * 3)])
    table = people(own_games(tmp_path))
    assert table.rows[-1][:2] == ["your own, hearts, against agent", "1"]
    assert f"{tally['score'][0] / tally['rounds']:.2f}" in table.rows[-1][2]
    none = people([])
    assert none.rows[-1][1] == "none yet" and none.rows[:-1] == table.rows[:-1]


# Verdicts.


def deals(mean: float, spread: float, count: int = 400) -> np.ndarray:
    """Deals whose mean is this."""
    return mean + spread * np.resize([-1.0, 1.0], count)[None]


def counts(won=0.7, lead=2.0, made=0.6, moons=0.6, against=1.6, points=None, trials=1) -> Counts:
    """A match of four games of ten rounds per deal; several trials differ a little."""
    rounds = np.full((1, 400), 40.0)
    score = deals(40 * (6.5 - 0.75 * lead) if points is None else 40 * points, 1.0)
    sums = {"games": rounds / 10, "rounds": rounds, "won": deals(4 * won, 0.1), "score": score, "theirs": 26 * rounds - score,
            "tried": np.full((1, 400), 2.0), "made": deals(2 * made, 0.01), "moons": deals(moons, 0.01),
            "against": deals(against, 0.01)}  # fmt: skip
    spread = 1 + np.linspace(-0.001, 0.001, trials)[:, None] * (trials > 1)
    return Counts({name: values * (spread if name in ("won", "moons") else spread**0) for name, values in sums.items()})


BEST = {  # matches of a re-run in which every claim holds
    "built-in uct": counts(0.3), "built-in monte-carlo@26": counts(0.3), "pass monte-carlo@26": counts(0.26),
    "play rule-based": counts(0.7), "play uct": counts(0.7),
    "pass rule-based": counts(0.26, 1.0), "pass uct": counts(0.26, 1.0), "tune rule-based": counts(0.5, 2.1),
    "tune uct": counts(0.5, 2.1),
    "moon-play rule-based": counts(), "moon-play uct": counts(), "moon uct": counts(),
    "defence on": counts(0.22, points=7.3, against=0.9), "defence off": counts(0.25, points=7.5, moons=0.4),
    "defence always": counts(0.15, points=9, against=0.4),
    "person 5.1": counts(0.24), "person 5.2": counts(0.3, moons=2.6), "person 5.4": counts(0.32, moons=2.3),
    "person text": counts(0.4, moons=0.8), "moon-5 moons": counts(moons=2, trials=4), "moon-share moons": counts(moons=1, trials=4),
    "seven rule-based": counts(0.3, trials=4), "one rule-based": counts(0.2, trials=4),
    "one-play rule-based": counts(0.2, trials=4),
    "recorded on": counts(moons=1, trials=4), "recorded before": counts(moons=2, trials=4),
}  # fmt: skip
BEST["defence on 0.96 0.1"] = BEST["defence on"]
BEST |= {f"{name} 0.994": BEST[name] for name in ("moon uct", "defence on", "defence off", "person 5.2")}
CURVE = {
    "play": (0.1, 0.5, 0.52),
    "pass": (0.3,) * 3,
    "tune": (0.4,) * 3,
    "moon-pass": (0.5,) * 3,
    "moon-tune": (0.5,) * 3,
}


class Found:
    """What a re-run might have measured: curves through three values, at none, at 3/8 of the study's games and on."""

    gained, gained_more, _part = Measured.gained, Measured.gained_more, Measured._part

    def __init__(self, whole=True, curves=None, longer=1.5, moons=0.8, right=None, base=0.3, **matches):
        self.trials = 4
        self.budget = SimpleNamespace(complete=whole, compared_trials=8, special_trials=4, recorded_trials=4, whole_trials=4,
                                      games={"moon-pass": 60_000, "moon-tune": 60_000})  # fmt: skip
        self.curves = {}
        for stage, values in (CURVE | (curves or {})).items():
            games = GAMES.get(stage, 60_000)
            places = np.arange(10_000, games * (longer if stage in GAMES else 1) + 1, 10_000)
            won = np.interp(places, [0, 3 / 8 * games, games], values)
            points = {int(place): counts(each, moons=0.8 + moons * place / games, trials=4)
                      for place, each in zip(places, won, strict=True)}  # fmt: skip
            self.curves[stage, "rule-based"] = points
        self.matches = BEST | {name.replace("__", "-").replace("_", " "): each for name, each in matches.items()}
        self.exams = {"moon-decision-4": 0.76, "defence-decision": 0.85, "moon-decision-all": 0.74} | (right or {})
        self.matches |= {f"short {name}": counts(base if name == "base" else 0.2, trials=8) for name in VARIANTS}

    def right(self, stage, special=""):
        value = self.exams[stage + special] if stage + special in self.exams else self.exams[stage]
        return Interval(value, value - 0.01, value + 0.01)


SHORT = Found(whole=False)
BY_NAME = {claim(Found())[0]: claim for claim in CLAIMS}
R, N, U, O = REPRODUCED, NOT_REPRODUCED, UNDECIDED, OTHER_READING  # noqa: E741
SAID = {  # the beginning of a claim, and measurements with their verdicts; all claims but one hold in Found()
    "The search player": {N: Found(**{"built-in_uct": counts(0.1), "built-in_monte__carlo@26": counts(0.1)}),
                          O: Found(**{"built-in_uct": counts(0.1)})},
    "Play learns fast": {N: Found(curves={"play": (0.1, 0.2, 0.6)}), U: SHORT},
    "Play learns no more": {N: Found(curves={"play": (0.1, 0.2, 0.6)}), U: Found(longer=1)},
    "Play is slightly better": {N: Found(play_uct=counts(0.1)), U: Found(play_uct=counts(0.25))},
    "Play is much better": {N: Found(play_rule__based=counts(0.3), play_uct=counts(0.3)),
                            O: Found(play_rule__based=counts(0.3))},
    "Pass learns no more": {N: Found(curves={"pass": (0.1, 0.2, 0.6)}), U: Found(longer=1)},
    "Pass with fixed play": {N: Found(pass_rule__based=counts(0.6)), O: Found(pass_uct=counts(0.6)), U: SHORT},
    "Play and pass trained together": {N: Found(tune_uct=counts(0.5, 0.5)), U: SHORT},
    "Together they hardly": {N: Found(curves={"tune": (0.1, 0.2, 0.6)}), U: Found(longer=1)},
    "Then both opponents are beaten": {N: Found(tune_uct=counts(0.5, 4)), U: SHORT},
    "The final moon decision": {N: Found(right={"moon-decision-4": 0.6, "moon-decision-all": 0.6}),
                                O: Found(right={"moon-decision-4": 0.92}), U: Found(right={"moon-decision-4": 0.7})},
    "With moon play it does": {N: Found(moon__play_rule__based=counts(0.3), moon__play_uct=counts(0.3)), U: SHORT},
    "With moon play it is": {N: Found(moon__play_uct=counts(0.1)), U: SHORT},
    "Moon pass learns": {N: Found(moons=-0.6), U: SHORT},
    "but does not win": {N: Found(curves={"moon-pass": (0.3, 0.5, 0.6)}), U: SHORT},
    "Moon play and pass": {N: Found(curves={"moon-tune": (0.3, 0.5, 0.6)}), U: SHORT},
    "More than half": {N: Found(**{"moon_uct": counts(made=0.3), "moon_uct_0.994": counts(made=0.3)}),
                       O: Found(moon_uct=counts(made=0.3)), U: Found(moon_uct=counts(made=0.5))},
    "About 4%": {N: Found(**{"defence_off": counts(moons=4), "defence_off_0.994": counts(moons=4)}),
                 O: Found(defence_off=counts(moons=4)), U: SHORT},
    "The decision to defend": {N: Found(right={"defence-decision": 0.7}), U: Found(right={"defence-decision": 0.8}),
                               O: Found(right={"defence-decision": 0.7, "defence-decisionshooter": 0.85})},
    "Defence lets fewer moons": {N: Found(defence_on=counts(0.2, against=2)), U: SHORT},
    "by about 45%": {N: Found(**{"defence_on": counts(0.2, against=1.5), "defence_on_0.994": counts(0.2, against=1.5)}),
                     O: Found(defence_on=counts(0.2, against=1.5)), U: SHORT},
    "and wins less": {N: Found(**{"defence_on": counts(0.3, against=1), "defence_on_0.96_0.1": counts(0.3, against=1)}),
                      O: Found(defence_on=counts(0.3, against=1)), U: SHORT},
    "Without and with defence": {N: Found(**{"defence_on": counts(points=9), "defence_on_0.994": counts(points=9)}),
                                 O: Found(defence_on=counts(points=9)), U: SHORT},
    "with fewer points": {N: Found(defence_on=counts(0.3, points=8)), U: SHORT},
    "Constant defence": {N: Found(defence_always=counts(0.1, against=1.5)), U: SHORT},
    "and wins still less": {N: Found(defence_always=counts(0.4)), U: SHORT},
    "Without moons": {U: Found()},
    "People win more": {N: Found(**{"person_5.1": counts(0.5)}), O: Found(**{"person_5.2": counts(0.1)}), U: SHORT},
    "Defence lets fewer of": {N: Found(**{"person_5.4": counts(moons=3)}), U: SHORT},
    "constant defence": {N: Found(person_text=counts(moons=3)), U: SHORT},
    "but people then": {N: Found(person_text=counts(0.1)), U: SHORT},
    "A terminal": {N: Found(base=0.2), U: Found(base=0.23)},
    "An immediate": {N: Found(base=0.2), U: Found(base=0.23)},
    "The same reward": {N: Found(base=0.2), U: Found(base=0.23)},
    "Moon play rewarded": {N: Found(moon__share_moons=counts(moons=3, trials=4)), U: SHORT},
    "Seven networks": {N: Found(seven_rule__based=counts(0.1, trials=4)),
                       O: Found(one_rule__based=counts(0.5, trials=4)), U: SHORT},
    "Defence that learns": {N: Found(recorded_on=counts(moons=3, trials=4)), U: SHORT},
}  # fmt: skip


@pytest.mark.parametrize("words", SAID)
def test_a_claim_stands_falls_or_stays_open_with_what_was_measured(words):
    (claim,) = [claim for said, claim in BY_NAME.items() if said.startswith(words)]
    for verdict, case in ({} if words == "Without moons" else {R: Found()} | SAID[words]).items():
        assert claim(case).verdict == verdict, (verdict, claim(case))


def test_every_claim_is_tested_and_has_a_place():
    assert len(SAID) == len(CLAIMS) == len(BY_NAME)
    assert all(claim(Found()).place for claim in CLAIMS)


def test_parts_of_a_curve_are_compared_on_the_same_deals():
    found = Found()
    change = found.gained("play", "rule-based", (0, 10_000), (700_000, 720_000))
    assert change.low > 0.3 and change.half_width < 0.01
    assert np.isnan(found.gained("play", "rule-based", (0, 10_000), (5e6, 6e6)).value), "no points there"
    begin, middle, last = (0, 10_000), (290_000, 310_000), (700_000, 720_000)
    more = found.gained_more("play", "rule-based", begin, middle, last)
    first, then = (found.gained("play", "rule-based", *pair).value for pair in ((begin, middle), (middle, last)))
    assert more.value == pytest.approx(first - then) and more.half_width < 0.01


def test_a_stage_ends_with_a_point_of_its_curve():
    for budget in BUDGETS.values():
        for stage, count in POINTS.items():
            points = budget.points(stage)
            assert points[-1] == budget.games[stage] and len(points) == count
            assert all(point % budget.step == 0 for point in points)


# A tiny re-run.

TINY = Budget(1, shortened(800, 400), 200, 200, 8, 1, 2, 200, 2, 4, 2, shortened(400, 200), 2, 10, 1, 400)


def test_unknown_budgets_are_refused(tmp_path):
    assert find_study("hearts") is reproduce
    with pytest.raises(UserError, match="must be one of quick, study, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet(), None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@SLOW
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    first = reproduce("quick", 0, 1, tmp_path, 1, Quiet(), None)
    assert len(first.tables[-1].rows) == len(CLAIMS)
    titles = {table.title for table in first.tables}
    assert {table["title"] for table in TABLES.values()} <= titles
    page = first.report.read_text()
    for words in (
        "5.1 and 5.2: play",
        "5.13: defence-play",
        "simulations per card",
        "The whole agent in the first seat",
    ):
        assert words in page, words

    folder = first.report.parent
    shutil.rmtree(folder / "agent")
    shutil.rmtree(folder / "short-epsilon")
    for kept in (
        folder / "curve-defence-play-itself-undefended-400",
        folder / "defence-on",
        folder / "play-rule-based",
        folder / "short-epsilon",
    ):
        kept.with_name(f"{kept.name}.json").unlink()
    again = reproduce("quick", 0, 1, tmp_path, 1, Quiet(), None)
    timed = TABLES["cost"]["title"]
    assert [t.rows for t in again.tables if t.title != timed] == [t.rows for t in first.tables if t.title != timed]

    (folder / "stages" / "pass-000.safetensors").unlink()
    (folder / "pass-uct.json").unlink()
    with pytest.raises(UserError, match="pass-000.safetensors: missing"):
        reproduce("quick", 0, 1, tmp_path, 1, Quiet(), None)
