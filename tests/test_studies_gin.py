"""The gin rummy study: its settings, the factorial's contrasts, tests of final hands, verdicts, a tiny re-run."""

import shutil
from itertools import combinations
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
from sparring.studies.gin import BUDGETS, reproduce
from sparring.studies.gin.claims import CLAIMS, ordered_alike
from sparring.studies.gin.comparison_tables import contrasts
from sparring.studies.gin.hands import HandCounts, random_hands
from sparring.studies.gin.matchups import Matchups, RoundRobin, play_matchups, round_robin
from sparring.studies.gin.measured import Player, time_shares
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD, TRAINING
from sparring.studies.gin.settings import (
    FACTORS,
    METHODS,
    PLAYERS,
    RESEARCH,
    TABLES,
    Budget,
    Part,
    experiment,
    factorial,
    game_name,
)
from sparring.studies.gin.study_runs import random_net
from sparring.studies.verdicts import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from test_studies import Quiet, find_claim

SLOW = pytest.mark.skipif(INTERPRETED, reason="thousands of turns of networks")

# How it is done again.


@pytest.mark.parametrize("name", PLAYERS)
def test_the_studys_players_train_its_games_in_whole_epochs(name):
    part, setting = BUDGETS["study"].players, PLAYERS[name]
    options = build_experiment(experiment(setting, part)).options
    if setting.kind == TD:
        games = options.games
        assert games % 6 == 0 and options.step_games % 6 == 0 and options.duel == 3
        assert (options.rate, options.trace) == (options.rate_end, options.trace_end)
    else:
        games = 4 * options.epochs
        if setting.later:
            before = options.epochs - int(options.wins.partition("@")[2])
            games += 2 * before
            assert abs(games - 12 * before) < 12, "half of the games before five of six are wanted"
        assert (options.rule, options.mutation, options.opponent) == ("challenger", 0.1, "drifts")
    assert abs(games - part.of(setting.kind)[0]) < 6
    assert (options.encoding, options.hidden, options.start) == ("cards", 26, 0.58)


@pytest.mark.parametrize("kind", KINDS)
def test_all_of_them_together_train_what_the_study_did_in_its_regimes(kind):
    players, (games, versions) = sum(each.kind == kind for each in PLAYERS.values()), BUDGETS["study"].players.of(kind)
    assert TRAINING["games"][kind] <= players * games < TRAINING["games"][kind] + 6 * players
    assert 4500 < games / versions < 5500


@pytest.mark.parametrize("name", RESEARCH)
def test_a_variant_differs_from_its_method_in_what_it_says(name):
    setting, part = RESEARCH[name], BUDGETS["paper"].research
    ours, base = (build_experiment(experiment(RESEARCH[each], part)) for each in (name, setting.base))
    options = next(group[name] for group in TABLES["research"].values() if name in group)
    changed = set(options) - {"title", "name", "rules", "bonus", "limit"}
    assert (ours.game == base.game) == (not {"rules", "bonus", "limit"} & set(options))
    if ours.learner == base.learner:
        different = {key for key, value in vars(ours.options).items() if value != getattr(base.options, key)}
        ends = {f"{key}_end" for key in ("rate", "trace") if key in changed}
        assert different == (changed | ends) - ({"rate"} if name == "td-falling" else set())


def test_the_factorial_has_every_pair_of_levels_as_often_and_begins_with_the_text():
    cells = factorial()
    levels = np.array([[int(level) for level in name] for name in cells])
    assert levels.shape == (16, len(FACTORS)) and len(set(cells)) == 16
    for i, j in combinations(range(len(FACTORS)), 2):
        assert sorted(np.bincount(2 * levels[:, i] + levels[:, j])) == [4] * 4
    assert cells["00000"].changes == METHODS["evo"].changes == {}
    alone = cells["10001"]
    assert alone.changes == {"opponent": "reset"} and alone.limit == 10_000
    games = {experiment(cell, BUDGETS["paper"].factorial)["game"] for cell in cells.values()}
    assert "gin:limit=10000,gin=25,undercut=25" in games and len(games) == 4


def test_contrasts_find_the_effects_of_factors_and_of_two_together():
    rng, cells = np.random.default_rng(1), {}
    noise = rng.normal(0, 5, 10)  # of trials, the same in every cell
    for name in factorial():
        a, b, *_, last = (1 if level == "1" else -1 for level in name)
        cells[name] = 4 * a - 3 * last + 2 * a * b + noise + rng.normal(0, 0.1, 10)
    effects = contrasts(cells)
    assert len(effects) == 15
    for chosen, effect in effects.items():
        assert effect.value == pytest.approx({(0,): 8, (4,): -6, (0, 1): 4}.get(chosen, 0), abs=0.2)
        assert effect.half_width < 0.2, "trials are blocks"


@SLOW
def test_bonuses_do_not_change_who_wins_a_hand():
    plain, paid = (find_game(game_name(300, bonus=bonus)) for bonus in (0, 25))
    nets = [random_net(plain, seed) for seed in range(8)]
    pairing = list(combinations(range(8), 2))
    without, with_bonus = (play_matchups(game, nets, pairing, 2, 1, 1) for game in (plain, paid))
    assert (without["won"] == with_bonus["won"]).all() and with_bonus["gins"].sum() > 0
    extra = 25 * np.where(with_bonus["won"] > 0, with_bonus["gins"], 0)
    np.testing.assert_array_equal(with_bonus["score"], without["score"] + extra)


# Statistics.


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


def found(trials: int = 20, whole: bool = True, **changes):
    """What a re-run might have measured."""
    turns, lead = changes.pop("turns", (900.0, 300.0)), changes.pop("lead", 0.3)
    limit, faster = changes.pop("limit", 0.5), changes.pop("faster", 0.0)
    random_sets = spread(changes.pop("random_sets", 0.33), 0.05, trials)
    curve = np.stack([spread(value, 30.0, trials) for value in (turns[0], turns[1], turns[1] + 20)], axis=1)
    duel, later = SimpleNamespace(matchups=met(lead, trials)), spread(0.3 - lead, 0.05, trials)
    measured = SimpleNamespace(
        part=SimpleNamespace(whole=whole),
        budget=SimpleNamespace(research=SimpleNamespace(trials=10)),
        trials=trials,
        untrained=SimpleNamespace(set_shares=lambda kind: random_sets),
        random={"limit": spread(limit, min(limit, 0.2), 40)},
        turns=dict.fromkeys(KINDS, curve),
        regimes=dict.fromkeys(
            KINDS, SimpleNamespace(last=met(-lead, trials), leads=later[:, None, None] * np.ones((5, 5)))
        ),
        duels={"equal games": duel, "equal time": duel},
        research={"td-noise": SimpleNamespace(own=met(lead, trials))},
        costs=[
            SimpleNamespace(kind=kind, part="research", games=100, seconds=0.1 * n + (faster if kind == EVO else 1.0))
            for kind in KINDS
            for n in range(4)
        ],
        tournament=changes.pop("tournament", None) or tournament(trials, **changes.pop("players", {})),
    )
    return SimpleNamespace(**(vars(measured) | changes))


def players(**measured):
    return found(players=measured)


SHORT, FEW, LOSES, EQUAL = found(whole=False), found(trials=2), found(lead=-0.3), found(lead=0.0)
CASES = {  # the beginning of a claim, and what would make it reproduced, not reproduced and undecided
    "Games of random networks": (found(), found(limit=0.0), found(random={"limit": np.array([0.0, 0.2])})),
    "Turns per game fall during training, EVO": (found(), found(turns=(300.0, 900.0)), SHORT),
    "Turns per game never drop below 200, TD": (found(), found(turns=(900.0, 60.0)), found(turns=(900.0, 200.0))),
    "In the tournament the evolved": (found(), players(won=(0.4, 0.7)), players(won=(0.5, 0.5))),
    "The best of three evolved": (players(won=(0.87, 0.4)), found(), FEW),
    "RANDUMB loses every time": (found(), players(random=0.2), SHORT),
    "Wins and scores rank": (found(), None, found(tournament=tournament(2))),
    "Similarly trained players prolong their games: EVO": (found(), players(longer=-50.0), players(longer=0.0)),
    "Over-training is an issue, EVO": (found(), LOSES, EQUAL),
    "Over-training is an issue, TD": (found(), LOSES, SHORT),
    "Evolved players have about twice": (found(), players(sets=(0.3, 0.05, 0.33)), SHORT),
    "RANDUMB, one random network": (found(), found(random_sets=0.7), None),
    "TD players have almost only": (found(), players(sets=(0.65, 0.4, 0.33)), players(sets=(0.65, 0.1, 0.33))),
    "Evolved players have no suit": (found(), None, FEW),
    "Evolved players have a rank": (found(), players(low=5 / 13), FEW),
    "Evolved players prefer lower": (found(), players(low=0.2), SHORT),
    "TD players have a suit": (found(), players(hoard=0.25), FEW),
    "TD players hoard": (found(), players(hoard=0.3), SHORT),
    "A game of TD takes more": (found(), found(faster=2.0), found(costs=[])),
    "Evolution beats TD at equal games": (found(), LOSES, EQUAL),
    "Evolution beats TD at equal time": (found(), LOSES, found(duels={})),
    "TD needs more exploration": (found(), LOSES, found(research={})),
}


@pytest.mark.parametrize("claim", CASES)
def test_a_claim_stands_falls_or_stays_undecided_with_what_was_measured(claim):
    for case, verdict in zip(CASES[claim], (REPRODUCED, NOT_REPRODUCED, UNDECIDED), strict=True):
        if case is not None:
            assert find_claim(CLAIMS, claim)(case).verdict == verdict, find_claim(CLAIMS, claim)(case)


def test_every_claim_has_a_place_and_a_cause_should_it_fail():
    for claim in CLAIMS:
        assert claim.place and claim.cause, claim.text


# A tiny re-run.

TINY = Budget(
    2, 1, 1, main=Part(2, (96, 96), 100, (2, 2)), players=Part(1, (48, 48), 100, (2, 2)),
    factorial=Part(2, (16, 16), 60), research=Part(2, (96, 96), 60),
)  # fmt: skip
SEVEN = Budget(2, 1, 1, players=Part(1, (48, 48), 100, (2, 2)))


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setitem(BUDGETS, "study", SEVEN)
    monkeypatch.setattr("sparring.studies.gin.study_runs.RANDOM_NETS", 2)
    monkeypatch.setattr("sparring.studies.gin.report_pages.REPLAYED", 2)
    monkeypatch.setitem(RESEARCH["evo-strategy"].changes, "population", 4)


def test_unknown_budgets_and_trials_of_the_studys_own_players_are_refused(tmp_path):
    assert find_study("gin") is reproduce
    with pytest.raises(UserError, match="must be one of quick, study, paper, deep"):
        reproduce("huge", 1, 1, tmp_path, None, Quiet(), None)
    with pytest.raises(UserError, match="--trials 3: the study's seven players"):
        reproduce("study", 3, 1, tmp_path, None, Quiet(), None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@SLOW
def test_a_tiny_re_run_prints_every_table_and_goes_on_where_it_was_stopped(tmp_path, tiny):
    first = reproduce("quick", 0, 1, tmp_path, 1, Quiet(), None)
    assert len(first.tables[-1].rows) == len(CLAIMS)
    titles = " ".join(table.title for table in first.tables)
    for words in (
        *("Turns per game", "Cost of training", "by kind", "Figure 3", "Figure 4", "Figure 5", "Sets and sequences"),
        *(
            "Figure 6",
            "Evolution against TD",
            "Effects of five readings",
            "Further research",
            "seven players",
        ),
    ):
        assert words in titles, words
    page = first.report.read_text()
    for words in ("As Figure 2", "As Figure 5", "What each cell learns", "Lead over the method", "EVO 1 against TD 1"):
        assert words in page, words

    folder = first.report.parent
    shutil.rmtree(folder / "research" / "td-explore-20")
    for kept in ("tournament", "research/td-explore-20-against-td", "evo-last"):
        (folder / f"{kept}.json").unlink()
    again = reproduce("quick", 0, 1, tmp_path, 1, Quiet(), None)
    timed = ("Cost of training", "Evolution against TD", "The study's claims", "The claims by")
    assert [t.rows for t in again.tables if not t.title.startswith(timed)] == [
        t.rows for t in first.tables if not t.title.startswith(timed)
    ]
    options = {
        name: open_run(folder / "research" / name).experiment.options
        for name in ("td-mean", "evo-large", "evo-strategy")
    }
    assert options["td-mean"].games == 4 * options["evo-large"].epochs == 16 * options["evo-strategy"].generations == 96


@pytest.mark.long
@SLOW
def test_the_studys_own_players_are_the_same_whether_they_train_together_or_one_after_another(tmp_path, tiny):
    first = reproduce("study", 0, 1, tmp_path / "one", 1, Quiet(), None)
    titles = [table.title for table in first.tables]
    own = next(n for n, title in enumerate(titles) if title.startswith("Figure 3: the tournament of"))
    assert len(first.tables[own].rows) == len(PLAYERS) + 1 and "Evolution against TD" not in titles
    assert "RANDUMB" in first.report.read_text()

    folder = tmp_path / "two" / "gin-study-seed1" / "players"
    shutil.copytree(first.report.parent, folder)
    for name in ("evo-10", "td-0.1-0.2"):
        shutil.rmtree(folder / name)
    for kept in folder.glob("*.json"):
        kept.unlink()
    again = reproduce("study", 0, 1, tmp_path / "two", 2, Quiet(), None)
    for before, after in zip(first.tables, again.tables, strict=True):
        timed = before.title in ("Cost of training", "The study's claims")
        assert timed or before.rows == after.rows, before.title
