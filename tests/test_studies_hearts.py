"""The hearts study: its settings, intervals of ratios, crossings, one's own games, verdicts, a tiny re-run."""

import shutil
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
from sparring.studies.hearts import BUDGETS, claims, published, reproduce
from sparring.studies.hearts.claims import CLAIMS
from sparring.studies.hearts.measured import Curve, Decision, Measured, own_games
from sparring.studies.hearts.rates import Counts, crossing, crossing_interval, linear
from sparring.studies.hearts.report_tables import people_table
from sparring.studies.hearts.settings import (
    READINGS,
    VARIANTS,
    Budget,
    agent_table,
    reading_table,
    scaled,
    variant_table,
)
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED
from test_studies import Quiet

SLOW = pytest.mark.skipif(INTERPRETED, reason="hundreds of rounds of networks")

# How it is done again.


@pytest.mark.parametrize("name", BUDGETS)
def test_every_stage_ends_with_a_point_of_its_curve(name):
    budget = BUDGETS[name]
    options = build_experiment(agent_table(budget)).options
    assert options.curve_every * options.step_games == budget.every
    assert all(games % budget.every == 0 for games in options.games)
    assert dict(zip(options.stages, options.games, strict=True)) == dict(budget.games)
    assert budget.compared_trials > 1 and budget.whole == (name != "quick")


def test_the_study_budget_plays_the_studys_games():
    budget = BUDGETS["study"]
    assert {stage: budget.games[stage] for stage in published.GAMES} == published.GAMES
    assert (budget.point, 4 * budget.deals, budget.trials) == (1000, 1000, 1)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_from_the_base_in_what_it_says(name):
    ours, base = (build_experiment(variant_table(each, BUDGETS["paper"])).options for each in (name, "base"))
    different = {key: value for key, value in vars(ours).items() if value != getattr(base, key)}
    assert different == VARIANTS[name][1]


def test_the_readings_differ_in_equation_43():
    rewards = [build_experiment(reading_table(name, BUDGETS["quick"])).options.rewards for name in READINGS]
    assert rewards == ["moon_full=5", "moon_full=10"]


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
    table = people_table(SimpleNamespace(people=own_games(tmp_path), run=SimpleNamespace(folder="agent")))
    assert table.rows[-1][:2] == ["your own, hearts, against agent", "1"]
    assert f"{tally['score'][0] / tally['rounds']:.2f}" in table.rows[-1][2]
    none = people_table(SimpleNamespace(people=[], run=SimpleNamespace(folder="agent")))
    assert none.rows[-1][1] == "none yet" and none.rows[:-1] == table.rows[:-1]


# Verdicts.


def deals(mean: float, spread: float, count: int = 400) -> np.ndarray:
    """Deals whose mean is this."""
    return mean + spread * np.resize([-1.0, 1.0], count)[None]


def agents(won: float, lead: float = 2.0, made: float = 0.6) -> Counts:
    games, rounds = np.full((1, 400), 4.0), np.full((1, 400), 40.0)
    score = deals(40 * (6.5 - 0.75 * lead), 20)
    tried = np.full((1, 400), 2.0)
    return Counts({"games": games, "rounds": rounds, "won": deals(4 * won, 1.0), "score": score, "theirs": 26 * rounds - score,
                "tried": tried, "made": deals(2 * made, 0.4), "moons": deals(0.6, 0.2)})  # fmt: skip


def defended(won: float, points: float, moons: float) -> Counts:
    games, rounds = np.full((1, 400), 4.0), np.full((1, 400), 40.0)
    return Counts({"games": games, "rounds": rounds, "won": deals(4 * won, 0.1), "score": deals(40 * points, 1.0),
                "against": deals(moons, 0.01), "moons": deals(0.4, 0.1)})  # fmt: skip


def trials(won: float) -> Counts:
    return Counts({"won": 4 * deals(won, 0.01, 8).T, "games": np.full((8, 1), 4.0)})


CURVE = {
    "play": (0.1, 0.5, 0.52),
    "pass": (0.3, 0.3, 0.3),
    "tune": (0.4, 0.4, 0.4),
    "moon-pass": (0.5,) * 3,
    "moon-tune": (0.5,) * 3,
}


class Found:
    """What a re-run might have measured: curves that go through three values, at none, at half of the study's games and on."""

    gained = Measured.gained

    def __init__(self, whole=True, curves=None, longer=1.5, moons=0.02, right=0.78, agent=None, defence=None, base=0.3):
        self.trials, self.longer, self.moons = 4, longer, moons
        self.curves = CURVE | (curves or {})
        self.budget = SimpleNamespace(whole=whole, every=10_000, point=1000, compared=1000, curve=100,
                                      games={"moon-pass": 60_000, "moon-tune": 60_000})  # fmt: skip
        tuned = {"pass": agents(0.26), "tune": agents(0.5, 2.1)}
        met = {name: agents(0.7) for name in ("play", "moon-play", "moon")} | tuned | (agent or {})
        self.agents = {name: {"rule-based": each, "monte-carlo@100": each} for name, each in met.items()}
        self.defence = {
            "on": defended(0.22, 7.3, 0.9),
            "off": defended(0.25, 7.5, 1.6),
            "always": defended(0.15, 9, 0.4),
        }
        self.defence |= defence or {}
        self.right = right
        self.variants = {name: trials(base if name == "base" else 0.2) for name in VARIANTS}

    def curve(self, stage, name):
        games = published.GAMES.get(stage, 60_000)
        places = np.arange(10_000, games * (self.longer if stage in published.GAMES else 1) + 1, 10_000)
        if name.endswith("moons"):
            values = 0.02 + self.moons * places / games
        else:
            values = np.interp(places, [0, 3 / 8 * games, games], self.curves[stage])
        return Curve(places, values + np.linspace(-0.001, 0.001, self.trials)[:, None] * places / games)

    def decisions(self):
        told = Decision(Interval(self.right, self.right - 0.01, self.right + 0.01))
        return dict.fromkeys(published.ACCURACY, told)


SHORT = Found(whole=False)
BY_NAME = {claim(Found())[0]: claim for claim in CLAIMS}
SAID = {  # the beginning of a claim, and what would make it supported, not supported and open
    "Play learns fast": (Found(), Found(curves={"play": (0.1, 0.2, 0.6)}), SHORT),
    "Play learns no more": (Found(curves={"play": (0.5,) * 3}), None, Found(longer=1)),
    "Play is slightly better": (Found(), Found(agent={"play": agents(0.1)}), Found(agent={"play": agents(0.25)})),
    "and much better": (Found(), Found(agent={"play": agents(0.3)}), SHORT),
    "Pass learns no more": (Found(), None, Found(longer=1)),
    "Pass with fixed play": (Found(agent={"pass": agents(0.25)}), Found(agent={"pass": agents(0.6)}), SHORT),
    "Play and pass trained together": (Found(), Found(agent={"tune": agents(0.1)}), Found(agent={"tune": agents(0.26)})),
    "Together they hardly": (Found(), None, Found(longer=1)),
    "Then both opponents are beaten": (Found(), Found(agent={"tune": agents(0.5, 4)}), Found(agent={"tune": agents(0.5, 2.5)})),
    "The final moon decision": (Found(), Found(right=0.6), Found(right=0.7)),
    "With moon play": (Found(), Found(agent={"moon-play": agents(0.4)}), SHORT),
    "and better": (Found(), Found(agent={"moon-play": agents(0.1)}), SHORT),
    "Moon pass learns": (Found(), Found(moons=-0.02), SHORT),
    "but does not win": (Found(), Found(curves={"moon-pass": (0.3, 0.5, 0.6)}), SHORT),
    "Moon play and pass": (Found(), Found(curves={"moon-tune": (0.3, 0.5, 0.6)}), SHORT),
    "More than half": (Found(), Found(agent={"moon": agents(0.5, made=0.3)}), Found(agent={"moon": agents(0.5, made=0.5)})),
    "About 4%": (Found(), Found(defence={"off": defended(0.2, 7, 6)}), SHORT),
    "The decision to defend": (Found(right=0.85), Found(right=0.7), Found(right=0.8)),
    "Defence lets fewer": (Found(), Found(defence={"on": defended(0.2, 7, 2)}), Found(defence={"on": defended(0.2, 7, 1.6)})),
    "by about 45%": (Found(), Found(defence={"on": defended(0.2, 7, 1.5)}), SHORT),
    "and wins less": (Found(), Found(defence={"on": defended(0.3, 7, 1)}), SHORT),
    "with fewer points": (Found(), Found(defence={"on": defended(0.3, 8, 1)}), SHORT),
    "Constant defence": (Found(), Found(defence={"always": defended(0.1, 7, 1.5)}), SHORT),
    "and wins still less": (Found(), Found(defence={"always": defended(0.4, 7, 0.1)}), SHORT),
    "A terminal": (Found(), Found(base=0.1), Found(base=0.2)),
    "An immediate": (Found(), Found(base=0.1), Found(base=0.2)),
    "Thompson": (Found(), Found(base=0.1), Found(base=0.2)),
}  # fmt: skip


@pytest.mark.parametrize("words", SAID)
def test_a_claim_stands_falls_or_stays_open_with_what_was_measured(words):
    (claim,) = [claim for said, claim in BY_NAME.items() if said.startswith(words)]
    for case, verdict in zip(SAID[words], (SUPPORTED, NOT_SUPPORTED, OPEN), strict=True):
        if case is not None:
            assert claim(case)[3] == verdict, claim(case)


def test_every_claim_is_tested():
    assert len(SAID) == len(CLAIMS) == len(BY_NAME)
    assert claims.LITTLE < claims.LEVEL


def test_one_training_is_as_sure_as_the_games_of_its_points():
    one = Found()
    one.trials = 1
    few, many = (one.gained("play", "rule-based.player.won", (0, 10_000), (end, end + 20_000)) for end in (0, 700_000))
    assert few.low < 0.1 < few.high or few.value > 0
    assert many.low > 0.3 and many.half_width < 0.05
    assert one.gained("play", "rule-based.player.won", (0, 10_000), (5e6, 6e6)) is None


# A tiny re-run.

TINY = Budget(1, scaled(800, 400), 200, 200, 8, (1, 2), 4, 4, 200, 2, 4, curve=1, exam=400)


def test_unknown_budgets_are_refused(tmp_path):
    assert find_study("hearts") is reproduce
    with pytest.raises(UserError, match="must be one of quick, study, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@SLOW
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    first = reproduce("quick", 0, 1, tmp_path, 1, Quiet())
    assert len(first.tables[-1].rows) == len(CLAIMS)
    titles = " ".join(table.title for table in first.tables)
    for words in (
        "Figures 5.1 to 5.13",
        "Decisions",
        "Agents",
        "attempts",
        "Monte Carlo players, by",
        "Table 5.3",
        "Tables 4.1 and 4.2",
    ):
        assert words in titles, words
    for words in ("Equation 43", "Tables 5.1, 5.2 and 5.4", "Cost of each stage"):
        assert words in titles, words
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
    shutil.rmtree(folder.parent / "play-epsilon")
    for kept in (
        folder / "defence-400",
        folder / "table-5.3-on",
        folder / "play-rule-based",
        folder.parent / "short-epsilon",
    ):
        kept.with_name(f"{kept.name}.json").unlink()
    again = reproduce("quick", 0, 1, tmp_path, 1, Quiet())
    timed = "Cost of each stage"
    assert [t.rows for t in again.tables if t.title != timed] == [t.rows for t in first.tables if t.title != timed]

    (folder / "stages" / "pass-000.safetensors").unlink()
    with pytest.raises(UserError, match="pass-000.safetensors: missing"):
        reproduce("quick", 0, 1, tmp_path, 1, Quiet())
