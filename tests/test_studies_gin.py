"""The gin rummy study: its settings, intervals over trials of two sides, tests of final hands, verdicts, a tiny re-run."""

import shutil
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import chisquare

from sparring.errors import UserError
from sparring.games import find_game
from sparring.kernel.compiler import INTERPRETED
from sparring.lab.experiment import build_experiment
from sparring.lab.run import open_run
from sparring.studies import find_study
from sparring.studies.gin import BUDGETS, claims, published, reproduce
from sparring.studies.gin.claims import CLAIMS, ordered_alike
from sparring.studies.gin.clusters import lead_of, mean_of, mean_variance, rotated, share_of
from sparring.studies.gin.hands import HandCounts, random_hands
from sparring.studies.gin.matchups import Matchups, RoundRobin, play_matchups, round_robin
from sparring.studies.gin.measured import Player, Regimes, Variant, time_shares
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.settings import METHODS, PLAYERS, VARIANTS, Budget, experiment
from sparring.studies.gin.study_runs import random_net, trained_games
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED
from test_studies import Quiet, claim_name, find_claim

SLOW = pytest.mark.skipif(INTERPRETED, reason="thousands of turns of networks")

# How it is done again.


@pytest.mark.parametrize("name", PLAYERS)
def test_the_studys_players_train_its_games_in_whole_epochs(name):
    budget, setting = BUDGETS["study"], PLAYERS[name]
    options = build_experiment(experiment(setting, budget)).options
    if setting.kind == TD:
        games = options.games
        assert games % 6 == 0 and options.step_games % 6 == 0 and options.duel == 3
    else:
        games = 4 * options.epochs
        if setting.later:
            before = options.epochs - int(options.wins.partition("@")[2])
            games += 2 * before
            assert abs(games - 12 * before) < 12, "half of the games before five of six are wanted"
        assert (options.rule, options.mutation) == ("challenger", 0.1)
    assert abs(games - budget.games_of(setting.kind)) < 6
    assert (options.encoding, options.hidden) == ("cards", 26)


@pytest.mark.parametrize("kind", KINDS)
def test_all_of_them_together_train_what_the_study_did(kind):
    players = sum(setting.kind == kind for setting in PLAYERS.values())
    total = players * BUDGETS["study"].games_of(kind)
    assert published.GAMES[kind] <= total < published.GAMES[kind] + 6 * players


@pytest.mark.parametrize("budget", [name for name in BUDGETS if name != "study"])
@pytest.mark.parametrize("name", [*METHODS, *VARIANTS])
def test_a_variant_differs_from_its_method_in_what_it_says(name, budget):
    setting = (METHODS | VARIANTS)[name]
    ours = build_experiment(experiment(setting, BUDGETS[budget]))
    base = build_experiment(experiment(METHODS[setting.kind.lower()], BUDGETS[budget]))
    if ours.learner == base.learner:
        different = {key for key, value in vars(ours.options).items() if value != getattr(base.options, key)}
        assert different == set(setting.changes)


def test_the_regimes_of_the_studys_players_are_about_five_thousand_games():
    for kind in KINDS:
        assert 4500 < BUDGETS["study"].games_of(kind) / BUDGETS["study"].parts(kind) < 5500


# Statistics.


def test_everybody_meets_as_many_of_the_other_side():
    who = rotated(4, 3)
    assert len(set(who)) == 12
    assert [sum(pair[side] == t for pair in who) for side in range(2) for t in range(4)] == [3] * 8
    assert rotated(2, 3) == [(0, 0), (0, 1), (1, 1), (1, 0)]


@pytest.mark.parametrize("rotations", [1, 3])
def test_the_mean_of_cells_covers_the_truth_though_trials_of_both_sides_stand_in_several(rotations):
    rng, held, trials = np.random.default_rng(1), 0, 12
    for _ in range(1000):
        first, second = rng.normal(0, 1, trials), rng.normal(0, 1, trials)
        cells = np.array([first[i] + second[j] for i, j in rotated(trials, rotations)]).reshape(trials, -1)
        told = mean_of(cells + rng.normal(0, 0.5, cells.shape))
        held += told.low <= 0 <= told.high
    assert 0.92 <= held / 1000 <= 0.98


def test_one_rotation_is_as_good_as_independent_trials():
    cells = np.random.default_rng(2).normal(0, 1, (9, 1))
    assert mean_variance(cells) == pytest.approx(cells.var(ddof=1) / 9)


def test_trials_that_agree_are_no_more_certain_than_their_number():
    always = share_of(np.ones((20, 3)))
    assert always.high == 1 and 0.7 < always.low < 0.9
    lead = lead_of(np.ones((20, 1)), np.zeros((20, 1)))
    assert lead.value == 1 and 0.4 < lead.low < 0.8
    drawn = lead_of(np.zeros((20, 1)), np.zeros((20, 1)))
    assert drawn.value == 0 and drawn.low < -0.3
    assert lead_of(np.full((1, 1), 0.9), np.full((1, 1), 0.1)).low == -1
    narrow, wide = (lead_of(np.linspace(0.4, 0.6, 9)[:, None], np.full((9, 1), 0.2), n) for n in (1, 3))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_studys_test_is_the_chi_squared_test_of_counts():
    counts = np.random.default_rng(3).multivariate_hypergeometric([13] * 4, 10, 50)
    told = HandCounts.of(counts)
    assert told.by_cards() == pytest.approx(chisquare(counts.sum(axis=0)).pvalue)
    assert HandCounts.from_json(told.json()).by_hands() == told.by_hands()
    assert told.shares.sum() == pytest.approx(1)


def test_hands_of_random_cards_pass_the_studys_test_too_often_and_the_other_as_often_as_they_should():
    told = random_hands(80, 1)
    assert 0.005 < told["suits"] < 0.045 and 0.005 < told["ranks"] < 0.045
    rng = np.random.default_rng(4)
    uneven = [
        HandCounts.of(each).by_hands() < 0.05 for each in rng.multivariate_hypergeometric([13] * 4, 10, (1000, 80))
    ]
    assert 0.03 < np.mean(uneven) < 0.07


def test_who_collects_runs_of_any_suit_misleads_the_studys_test_and_not_the_other():
    rng = np.random.default_rng(5)
    counts = np.full((2000, 80, 4), 1)
    for _ in range(2):
        suit = rng.integers(0, 4, (2000, 80))
        counts += 3 * (suit[..., None] == np.arange(4))
    cards, whole = (
        [getattr(HandCounts.of(each), test)() < 0.05 for each in counts] for test in ("by_cards", "by_hands")
    )
    assert np.mean(cards) > 0.15 and 0.035 < np.mean(whole) < 0.065


def test_who_hoards_a_suit_is_found_out_by_both():
    counts = np.random.default_rng(6).multivariate_hypergeometric([25, 9, 9, 9], 10, 60)
    told = HandCounts.of(counts)
    assert told.by_cards() < 1e-6 and told.by_hands() < 1e-6 and told.shares.argmax() == 0
    assert HandCounts.of(counts[:3]).by_hands() == 1.0, "three hands tell nothing"


def test_time_goes_with_the_turns_played():
    player = Player("EVO 1", EVO, None, [], np.array([100, 200, 300, 400]), np.array([300.0, 100.0, 50.0, 50.0]))
    assert time_shares([player], 4) == pytest.approx([0.6, 0.8, 0.9, 1.0])
    assert time_shares([player], 2) == pytest.approx([0.8, 1.0])


def test_rankings_that_agree_agree_in_all_couples():
    assert ordered_alike(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])).tolist() == [1, 1, 1]
    assert ordered_alike(np.array([1.0, 2.0, 3.0]), np.array([20.0, 10.0, 30.0])).tolist() == [0.5, 0.5, 1]


# Games.


@SLOW
def test_a_tournament_counts_every_game_for_both_and_survives_its_file():
    game = find_game("gin:limit=100")
    nets = [random_net(game, seed) for seed in range(3)]
    pairing = [(0, 1), (0, 2), (1, 2)]
    tallies = play_matchups(game, nets, pairing, 2, 1, 1)
    told = round_robin(game, ["a", "b", "c"], [EVO, TD, RANDUMB], pairing, 2, tallies)
    again = RoundRobin.from_json(told.json())
    for name in RoundRobin.TABLES:
        np.testing.assert_array_equal(getattr(told, name), getattr(again, name))
        assert np.isnan(np.diag(getattr(again, name))).all()
    assert told.games_each == 8 and len(tallies) == 12
    assert np.nansum(told.won) * 4 + told.draws == 12
    assert np.nansum(told.turns) / 6 == pytest.approx(tallies["turns"].mean())
    for player, counted in enumerate(told.suits):
        assert counted.hands == 8 and counted.sums.sum() == 80, player
    assert sum(counted.sums for counted in told.ranks).tolist() == tallies["ranks"][:, :2].sum(axis=(0, 1)).tolist()
    assert np.isnan(told.mean("turns", EVO, EVO)).all()


# Verdicts.


def spread(mean: float, width: float, count: int) -> np.ndarray:
    return mean + np.linspace(-width, width, count) if count > 1 else np.full(1, mean)


def counted(shares: np.ndarray, hands: int = 40) -> HandCounts:
    """Hands with these shares of cards, which differ from each other; where shares are even, exactly so over all hands."""
    drawn, labels = np.random.default_rng(7).multinomial(10, shares, hands), len(shares)
    turns = range(labels) if np.ptp(shares) < 1e-9 else [0]
    return HandCounts.of(np.concatenate([np.roll(drawn, turn, axis=1) for turn in turns]))


def tournament(trials: int, won=(0.7, 0.4), random=0.0, longer=50.0, sets=(0.65, 0.05, 0.33), hoard=0.6, low=0.5):
    """Players of both kinds, who differ a little, and RANDUMB, who wins as little from everybody."""
    kinds = np.array([EVO] * trials + [TD] * trials + [RANDUMB])
    differ = np.concatenate([spread(0, 0.02, trials), spread(0, 0.02, trials), [0.0]])[:, None] * np.ones(len(kinds))
    of = {name: dict(zip((EVO, TD, RANDUMB), told, strict=True)) for name, told in (("won", (*won, 0)), ("sets", sets))}
    shares, wins = (np.array([of[name][kind] for kind in kinds])[:, None] + differ for name in ("sets", "won"))
    wins[-1], wins[:-1, -1] = random, 1 - 2 * random
    shares = np.clip(shares + spread(0, 0.1, len(kinds))[None, :] * (kinds == RANDUMB)[:, None], 0, 1)
    turns = 200 + longer * (kinds[:, None] == kinds) + 100 * differ
    tables = {"won": wins, "score": 20 * wins, "turns": turns, "sets": shares, "runs": 1 - shares}
    for values in tables.values():
        np.fill_diagonal(values, np.nan)
    suits = {EVO: np.full(4, 0.25), TD: np.array([hoard, *[(1 - hoard) / 3] * 3]), RANDUMB: np.full(4, 0.25)}
    ranks = {kind: np.full(13, 1 / 13) for kind in (TD, RANDUMB)} | {EVO: np.repeat([low / 5, (1 - low) / 8], [5, 8])}
    return RoundRobin(
        [f"{kind} {i}" for i, kind in enumerate(kinds)], kinds.tolist(), 5, **tables,
        suits=[counted(suits[kind]) for kind in kinds], ranks=[counted(ranks[kind]) for kind in kinds],
    )  # fmt: skip


def met(lead: float, trials: int) -> Matchups:
    won = np.clip(spread(0.4 + lead / 2, 0.05, trials), 0, 1)
    return Matchups(won, 0.8 - won, 10 * won, 8 - 10 * won, np.full(trials, 100.0))


def regimes(trials: int, worse: int) -> Regimes:
    bad = SimpleNamespace(high=-0.1)
    good = SimpleNamespace(high=0.1)
    return Regimes(1000, np.zeros((trials, 3, 3)), np.zeros(trials, int), [bad] * worse + [good] * (trials - worse))


def found(trials: int = 20, whole: bool = True, **changes):
    """What a re-run might have measured."""
    turns = changes.pop("turns", (900.0, 300.0))
    limit, worse, lead = changes.pop("limit", 0.5), changes.pop("worse", 8), changes.pop("lead", 0.3)
    names = changes.pop("variants", tuple(VARIANTS))
    curve = np.stack([spread(value, 30.0, trials) for value in (turns[0], turns[1], turns[1] + 20)], axis=1)
    duel = SimpleNamespace(matchups=met(lead, trials).rotations(trials))
    told = SimpleNamespace(
        budget=SimpleNamespace(whole=whole),
        trials=trials,
        random={"limit": spread(limit, min(limit, 0.2), 40)},
        turns=dict.fromkeys(KINDS, curve),
        regimes=dict.fromkeys(KINDS, regimes(trials, min(worse, trials))),
        equal_games=duel,
        equal_time=duel,
        variants={
            name: Variant(VARIANTS[name].title, VARIANTS[name].kind, {}, met(lead, trials), met(lead, trials))
            for name in names
        },
        tournament=changes.pop("tournament", None) or tournament(trials, **changes.pop("players", {})),
    )
    return SimpleNamespace(**(vars(told) | changes))


def players(**told):
    return found(players=told)


UNEVEN = [claim for claim in CLAIMS if getattr(claim, "func", None) is claims.uneven]
QUESTIONS = [claim for claim in CLAIMS if getattr(claim, "func", None) in (claims.evolution_wins, claims.helps)]
SHORT, FEW = found(whole=False), found(trials=2)
SAID = {  # a claim, and what would make it supported, not supported and open
    find_claim(CLAIMS, "Games of random networks"): (
        found(),
        found(limit=0.0),
        found(random={"limit": np.array([0.0, 0.2])}),
    ),
    find_claim(CLAIMS, "Turns per game fall during training, EVO"): (found(), found(turns=(300.0, 900.0)), SHORT),
    find_claim(CLAIMS, "and never drop below 200, TD"): (
        found(),
        found(turns=(900.0, 60.0)),
        found(turns=(900.0, 200.0)),
    ),
    claims.evolved_do_better: (found(), players(won=(0.4, 0.7)), players(won=(0.5, 0.5))),
    claims.randumb_loses: (found(), players(random=0.2), SHORT),
    find_claim(CLAIMS, "Wins and scores rank"): (found(), None, found(tournament=tournament(2))),
    find_claim(CLAIMS, "Similarly trained players prolong their games: EVO"): (
        found(),
        players(longer=-50.0),
        players(longer=0.0),
    ),
    partial(claims.over_trains, kind=TD): (found(), None, found(worse=1)),
    find_claim(CLAIMS, "Evolved players have about twice"): (found(), players(sets=(0.3, 0.05, 0.33)), SHORT),
    find_claim(CLAIMS, "RANDUMB has twice"): (found(), players(sets=(0.65, 0.05, 0.7)), None),
    find_claim(CLAIMS, "TD players have almost only"): (
        found(),
        players(sets=(0.65, 0.4, 0.33)),
        players(sets=(0.65, 0.1, 0.33)),
    ),
    UNEVEN[0]: (found(), None, FEW),
    UNEVEN[1]: (found(), players(low=5 / 13), FEW),
    find_claim(CLAIMS, "for lower ranks"): (found(), players(low=0.2), SHORT),
    UNEVEN[2]: (found(), players(hoard=0.25), FEW),
    find_claim(CLAIMS, "TD players hoard"): (found(), players(hoard=0.3), SHORT),
    QUESTIONS[0]: (found(), found(lead=-0.3), found(lead=0.0)),
    QUESTIONS[1]: (found(), found(lead=-0.3), found(equal_time=None)),
    QUESTIONS[2]: (found(), found(lead=-0.3), found(variants=())),
    QUESTIONS[3]: (found(), found(lead=-0.3), FEW),
    QUESTIONS[4]: (found(), found(lead=-0.3), found(lead=0.0)),
}


@pytest.mark.parametrize("claim", SAID, ids=claim_name)
def test_a_claim_stands_falls_or_stays_open_with_what_was_measured(claim):
    for case, verdict in zip(SAID[claim], (SUPPORTED, NOT_SUPPORTED, OPEN), strict=True):
        if case is not None:
            assert claim(case)[3] == verdict, claim(case)


def test_exploration_fails_only_if_no_kind_of_it_helps():
    tried = found(lead=-0.3)
    tried.variants["td-noise"] = replace(tried.variants["td-noise"], own=met(0.0, 20))
    assert QUESTIONS[2](tried)[3] == OPEN
    tried.variants["td-noise"] = replace(tried.variants["td-noise"], own=met(0.3, 20))
    assert QUESTIONS[2](tried)[3] == SUPPORTED


# A tiny re-run.

TRIED = ("td-explore-20", "evo-places", "evo-reset", "strategies")
TINY = Budget(100, 2, 1, 1, trials=2, games=192, versions=2, variants=TRIED)
TINY_PLAYERS = Budget(100, 2, 1, 1, evo_games=48, td_games=48)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setitem(BUDGETS, "study", TINY_PLAYERS)
    monkeypatch.setattr("sparring.studies.gin.study_runs.RANDOM_NETS", 2)
    monkeypatch.setattr("sparring.studies.gin.report_pages.REPLAYED", 2)
    monkeypatch.setitem(VARIANTS["strategies"].changes, "population", 4)


def test_unknown_budgets_and_trials_of_the_studys_own_players_are_refused(tmp_path):
    assert find_study("gin") is reproduce
    with pytest.raises(UserError, match="must be one of quick, study, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet())
    with pytest.raises(UserError, match="--trials 3: the study's seven players"):
        reproduce("study", 3, 1, tmp_path, None, Quiet())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@SLOW
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, tiny):
    first = reproduce("quick", 0, 1, tmp_path, 1, Quiet())
    assert len(first.tables[-1].rows) == len(CLAIMS)
    titles = " ".join(table.title for table in first.tables)
    for words in (
        "Turns per game",
        "Cost of training",
        "by kind",
        "Figure 4",
        "Figure 5",
        "Sets and sequences",
        "Figure 6",
    ):
        assert words in titles, words
    for words in ("Evolution against TD", "Every method and variant", "The study's suggestions"):
        assert words in titles, words
    page = first.report.read_text()
    for words in ("As Figure 2", "As Figure 5", "Lead over the study&#x27;s method", "EVO 1 against TD 1"):
        assert words in page, words

    folder = first.report.parent
    shutil.rmtree(folder / "td-explore-20")
    for kept in ("tournament", "td-explore-20-against-td", "evo-last"):
        (folder / f"{kept}.json").unlink()
    again = reproduce("quick", 0, 1, tmp_path, 1, Quiet())
    timed = ("Cost of training", "Evolution against TD")
    assert [t.rows for t in again.tables if t.title not in timed] == [
        t.rows for t in first.tables if t.title not in timed
    ]
    games = {name: trained_games(open_run(folder / name)) for name in ("evo", "td", *TRIED)}
    assert games == dict.fromkeys(("evo", "td", *TRIED), 192)


@SLOW
def test_the_studys_own_players_are_the_same_whether_they_train_together_or_one_after_another(tmp_path, tiny):
    first = reproduce("study", 0, 1, tmp_path / "one", 1, Quiet())
    titles = [table.title for table in first.tables]
    assert "Figure 3: the tournament" in titles and "Evolution against TD" not in titles
    assert len(first.tables[titles.index("Figure 3: the tournament")].rows) == len(PLAYERS) + 1
    assert "RANDUMB" in first.report.read_text()

    folder = tmp_path / "two" / "gin-study-seed1" / "players"
    shutil.copytree(first.report.parent, folder)
    for name in ("evo-10", "td-0.1-0.2"):
        shutil.rmtree(folder / name)
    for kept in folder.glob("*.json"):
        kept.unlink()
    again = reproduce("study", 0, 1, tmp_path / "two", 2, Quiet())
    for before, after in zip(first.tables, again.tables, strict=True):
        assert before.title == "Cost of training" or before.rows == after.rows, before.title
