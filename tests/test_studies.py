"""The golf study: its published figures agree with each other, verdicts follow from intervals, a tiny re-run works."""

from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena.statistics import Interval
from sparring.errors import UserError
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.learn.supervised import Supervised
from sparring.studies import find_study
from sparring.studies.golf import BUDGETS, claims, final_claims, measured, neat, neat_claims, published, reproduce
from sparring.studies.golf.claims import CLAIMS
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED, difference, together, verdict


class Quiet:
    """Watches without showing."""

    @contextmanager
    def training_bar(self, what):
        yield lambda training, games: None

    @contextmanager
    def games_bar(self, what, unit="games"):
        yield lambda done, total: None


def claim_name(claim) -> str:
    """The text of a claim, or the name of its function."""
    return getattr(claim, "text", None) or getattr(claim, "func", claim).__name__


def find_claim(claims, text: str):
    """The claim whose text begins so."""
    (found,) = [claim for claim in claims if getattr(claim, "text", "").startswith(text)]
    return found


@pytest.mark.parametrize(
    ("rows", "average"),
    [
        (published.AGAINST_RANDOM["hand"], (140.72, 0.9999, 4.99, 22.68, 0.4443)),
        (published.AGAINST_RANDOM["state-hand"], (189.85, 0.9874, 1.74, 18.53, 0.6783)),
        (published.AGAINST_RANDOM["state"], (224.05, 0.9182, 1.71, 15.20, 0.8337)),
        (published.AGAINST_RANDOM["neat-hand"], (130.51, 0.9999, 5.18, 26.47, 0.1575)),
        (published.AGAINST_RANDOM["neat-state-hand"], (164.68, 0.9988, 2.27, 28.04, 0.0647)),
        (published.AGAINST_RANDOM["neat-state"], (217.79, 0.9393, 1.82, 19.17, 0.5848)),
        (published.AGAINST_TRAINING["hand"], (152.49, 0.6539, 4.77, 29.09, 0.3984)),
        (published.AGAINST_TRAINING["state-hand"], (203.16, 0.6995, 1.73, 17.57, 0.5127)),
        (published.AGAINST_TRAINING["state"], (233.00, 0.6075, 1.64, 13.74, 0.5133)),
    ],
)
def test_the_published_players_average_to_the_published_averages(rows, average):
    np.testing.assert_allclose(np.mean(rows, axis=0), average, atol=0.0101)


@pytest.mark.parametrize("name", published.SUPERVISED)
def test_the_published_networks_average_to_table_4(name):
    ours, theirs = np.mean(published.SUPERVISED_TRIALS[name], axis=0), published.SUPERVISED[name]
    np.testing.assert_allclose(ours[1:], theirs[1:], atol=0.001)
    assert ours[0] == pytest.approx({"numerical": 209.867, "one-hot-value": 671.369}.get(name, theirs[0]), abs=0.01)


def test_the_published_epochs_average_to_the_published_difference():
    assert np.mean(published.THRESHOLD) == pytest.approx(5.91)
    assert (min(published.THRESHOLD), max(published.THRESHOLD)) == (0.4, 11.5)


def test_published_games_of_the_final_leave_room_for_draws_and_no_more():
    wins = published.FINAL_WINS
    for i in range(7):
        for j in range(i):
            assert 0.9 <= wins[i][j] + wins[j][i] <= 1.0


def test_the_published_final_averages_to_the_published_ranking():
    for name, wins, scores in zip(published.FINAL_ROWS, published.FINAL_WINS, published.FINAL_SCORES, strict=True):
        won, score = (np.mean([x for x in row if x is not None]) for row in (wins, scores))
        np.testing.assert_allclose((won, score), published.FINAL_RANKING[name], atol=0.0051)
    np.testing.assert_allclose(
        np.mean(list(published.GREEDIER.values()), axis=0), published.GREEDIER_AVERAGE, atol=0.0051
    )


def test_the_published_disturbance_counts_random_and_greedier():
    rises = {}
    column = published.FINAL_ROWS.index("state")
    rows = {
        name: row for name, row in zip(published.FINAL_ROWS, published.FINAL_SCORES, strict=True) if name != "state"
    }
    rows["greedier"] = tuple(score for _, score in published.GREEDIER.values())
    for name, row in rows.items():
        rises[name] = row[column] / np.mean([score for score in row if score is not None]) - 1
    assert np.mean(list(rises.values())) == pytest.approx(published.STATE_DISTURBS, abs=0.0005)
    assert np.mean([rise for name, rise in rises.items() if name != "random"]) == pytest.approx(0.204, abs=0.0005)


@pytest.mark.parametrize("name", published.INTERNAL)
def test_internal_tournaments_name_the_published_players_and_their_games_leave_room_for_draws(name):
    players, won, _ = zip(*published.INTERNAL[name], strict=True)
    assert sorted(players) == list(range(1, len(published.AGAINST_RANDOM[name]) + 1))
    assert list(won) == sorted(won, reverse=True)
    assert 0.48 <= np.mean(won) <= 0.5


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
        "neat_hand": (130, 0.999, 6.0, 26, 0.15),
        "neat_state_hand": (165, 0.98, 2.5, 29, 0.05),
        "neat_state": (218, 0.9, 1.8, 19, 0.6),
    }
    about = np.linspace(-spread, spread, trials)[:, None] if trials > 1 else np.zeros((1, 1))
    arrays = {name.replace("_", "-"): np.array(mean) * (1 + about) for name, mean in (usual | means).items()}
    random = SimpleNamespace(score=Interval(279, 278, 280), measures={"turns_per_round": Interval(20, 19, 21)})
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
    neat_claims.state_hand_matches: (
        found(0.05),
        found(0.05, neat_state=(218, 0.9, 3, 19, 0.6)),
        found(0.5, neat_state=(218, 0.9, 2.5, 19, 0.6)),
    ),
    neat_claims.greedy: (
        found(0.05),
        found(0.05, neat_hand=(130, 1, 6, 15, 0.15)),
        found(0.05, neat_hand=(130, 1, 6, 26, 0.5)),
    ),
    neat_claims.greedier_still: (found(0.01), found(0.01, neat_hand=(130, 1, 6, 40, 0.15)), found(0.9)),
    neat_claims.state_ends: (
        found(0.05),
        found(0.05, neat_state=(218, 0.9, 1.8, 40, 0.6)),
        found(0.05, neat_state=(218, 0.9, 1.8, 26, 0.6)),
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
    rising = claims.ordering("score", "Scores rise", True)
    assert rising(found(0.05))[3] == SUPPORTED
    assert rising(found(0.05, state=(150, 0.9, 2, 15, 0.8)))[3] == NOT_SUPPORTED
    assert rising(found(0.05, state=(191, 0.9, 2, 15, 0.8)))[3] == OPEN


def test_the_same_is_claimed_of_neat_by_its_own_players():
    worse = found(0.05, neat_state=(300, 0.3, 8, 19, 0.6))
    for claim in (claims.learned, claims.wins_most, claims.hand_matches):
        assert claim(worse)[3] == SUPPORTED
        assert claim(worse, names=published.NEAT)[3] == NOT_SUPPORTED
        assert claim(worse, names=published.NEAT)[0].startswith("NEAT: ")
    assert claims.hand_score(found(0.01, neat_hand=(120, 1, 6, 26, 0.15)), "neat-hand")[3] == SUPPORTED


def test_neat_is_set_beside_coevolution_input_by_input():
    def judged(measured):
        return neat_claims.neat_against_coevolution(measured, "score", "score fewer points", more=False)

    assert judged(found(0.01))[1] == "-10.20, -25.17, -6.26"
    assert judged(found(0.01))[3] == SUPPORTED
    assert judged(found(0.01, neat_state=(230, 0.9, 1.8, 19, 0.6)))[3] == NOT_SUPPORTED
    assert judged(found(0.3))[3] == OPEN


def trained(changed: dict[str, tuple[float, ...]] | None = None, trials: int = 20, generations: int = 50):
    """What NEAT might have measured during training: curves from a first value over that of half-time to a last one."""
    usual = {
        "population.mean.fitness": (260, 380, 410),
        "population.mean.matches_per_game": (1.5, 3, 4),
        "population.best.matches_per_game": (1.6, 4, 5),
        "population.worst.matches_per_game": (1.4, 2, 3),
        "population.species": (1, 1, 1),
        "population.best.hidden_nodes": (0, 1, 2),
        "benchmark.player.score": (240, 160, 140),
        "benchmark.opponent.score": (280, 280, 280),
        "benchmark.player.rounds_ended": (0.6, 0.3, 0.2),
    }
    flat = {
        "population.mean.matches_per_game": (1.5, 1.6, 1.7),
        "population.best.matches_per_game": (1.5, 1.7, 1.8),
        "population.worst.matches_per_game": (1.4, 1.6, 1.6),
    }
    state = {"benchmark.player.score": (240, 230, 225)}
    about = np.linspace(-0.02, 0.02, trials)[:, None] if trials > 1 else np.zeros((1, 1))
    found = {}
    for name, special in zip(published.NEAT, ({}, flat, flat | state), strict=True):
        steps = np.arange(generations)
        places = (0, generations // 2, generations - 1)
        values = {key: np.interp(steps, places, ends) for key, ends in (usual | special | (changed or {})).items()}
        found[name] = (
            steps + 1,
            {key: line * (1 + about * (key != "population.species")) for key, line in values.items()},
        )
    return SimpleNamespace(curves=found)


LEARNED = {  # a claim about training, and curves of which it is not true
    neat_claims.populations_learn: {"population.mean.fitness": (400, 380, 370)},
    neat_claims.earlier_is_faster: {"population.mean.fitness": (260, 270, 400)},
    neat_claims.state_learns_least: {"benchmark.player.score": (240, 230, 225)},
    neat_claims.ahead_at_first: {"benchmark.opponent.score": (200, 200, 200)},
    neat_claims.only_hand_learns_matches: {"population.mean.matches_per_game": (1.5, 4, 5)},
    neat_claims.best_match_more: {"population.best.matches_per_game": (1, 1, 1)},
    neat_claims.others_match_alike: {"population.best.matches_per_game": (1, 4, 8)},
    neat_claims.greed_is_learned: {"benchmark.player.rounds_ended": (0.2, 0.4, 0.6)},
    neat_claims.still_falling: {"population.mean.fitness": (260, 410, 380)},
    neat_claims.one_species: {"population.species": (1, 2, 3)},
    neat_claims.few_hidden_nodes: {"population.best.hidden_nodes": (0, 20, 60)},
}


@pytest.mark.parametrize("claim", LEARNED, ids=lambda claim: claim.__name__)
def test_a_claim_about_training_stands_or_falls_with_the_curves(claim):
    assert claim(trained())[3] == SUPPORTED, claim(trained())
    against = trained(LEARNED[claim])
    assert claim(against)[3] != SUPPORTED, claim(against)
    assert claim(trained(trials=1))[3] == OPEN


def played(scores: dict[str, float], disturbed: float = 1.2):
    """What the final might have been: everyone scores as given, more against the coevolved state player; less wins."""

    def side(name, other, times=1.0):
        score = scores[name] * (disturbed if other == "state" and name != "random" else 1.0) * times
        better = Interval(0.9, 0.85, 0.95) if scores[name] < scores[other] else Interval(0.1, 0.05, 0.15)
        return SimpleNamespace(name=name, score=Interval(score, score - 1, score + 1), win_rate=better)

    def met(a, b):
        times = 0.5 if {a, b} == {"neat-hand", "neat-state-hand"} else 1.0
        return SimpleNamespace(players=(side(a, b, times), side(b, a, times)))

    names = published.FINAL_ROWS
    inside = {
        name: {"players": [{"score": [0.7 * scores[name], 0.6 * scores[name], 0.8 * scores[name]]}]} for name in names
    }
    return SimpleNamespace(
        matchups={(a, b): met(a, b) for a, b in combinations(names, 2)},
        greedier={name: met("greedier", name) for name in names},
        final=SimpleNamespace(players=[side(name, "greedier") for name in names]),
        internal=inside,
    )


PUBLISHED = {name: score for name, (_, score) in published.FINAL_RANKING.items()} | {"greedier": 150.0}
NEAT_AHEAD = PUBLISHED | {"neat-state-hand": 120.0, "neat-state": 125.0}


@pytest.mark.parametrize(
    ("claim", "otherwise"),
    [
        (final_claims.hand_scores_least, played(NEAT_AHEAD)),
        (final_claims.each_other, played(PUBLISHED | {"neat-hand": 400.0}, disturbed=0.1)),
        (final_claims.state_disturbs, played(PUBLISHED, disturbed=0.8)),
        (final_claims.state_disturbs_all, played(PUBLISHED, disturbed=0.8)),
        (final_claims.beats_greedier, played(PUBLISHED | {"greedier": 20.0})),
        (final_claims.loses_to_greedier, played(PUBLISHED | {"greedier": 200.0})),
        (final_claims.FINAL_CLAIMS[1], played(NEAT_AHEAD)),
    ],
)
def test_a_claim_about_the_final_stands_or_falls_with_the_matchups(claim, otherwise):
    assert claim(played(PUBLISHED))[3] == SUPPORTED, claim(played(PUBLISHED))
    assert claim(otherwise)[3] == NOT_SUPPORTED, claim(otherwise)


def test_one_trial_has_no_opponents_of_its_own_kind():
    final = played(PUBLISHED)
    assert final_claims.own_kind(final)[3] == SUPPORTED
    final.internal = {name: {"players": []} for name in published.NEAT}
    assert final_claims.own_kind(final)[2:4] == ("one trial: no opponents of its own kind", OPEN)


@pytest.mark.parametrize("encoding", published.INPUTS)
def test_the_experiments_with_neat_are_what_the_study_says(encoding):
    file = read_experiment(Path(__file__).parent.parent / "experiments" / f"golf-neat-{encoding}.toml")
    table = {"game": "golf", "trials": 20, "learner": neat.learner(encoding, 50)}
    assert file.options == build_experiment(table).options
    assert file.trials >= 20


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
    tiny = measured.Budget(2, 12, 3, 2, 12, 6, 2, 20, Supervised(networks=2, examples=300, iterations=2))
    monkeypatch.setitem(BUDGETS, "quick", tiny)
    monkeypatch.setitem(neat.PUBLISHED, "pop_size", 8)
    first = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    titles = " ".join(table.title for table in first.tables)
    for number in range(4, 32):
        assert f"Table {number}:" in titles, number
    judged = first.tables[-1]
    assert len(judged.rows) == len(CLAIMS)
    assert set(judged.verdicts) <= {SUPPORTED, OPEN, NOT_SUPPORTED}
    page = first.report.read_text()
    assert all(f"As Figure {number}:" in page for number in range(5, 18))
    again = reproduce("quick", 0, 1, tmp_path, None, Quiet())
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]
