"""Matches, tournaments and what they say: intervals that keep their promise, seats, ranks, ratings and names."""

import json
import math
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from altered import altered
from sparring.arena.match import judge, match, winners
from sparring.arena.play import by_contestant, paired_jobs, seatings
from sparring.arena.play import play as play_jobs
from sparring.arena.players import Contestant, find_player, find_players, pack_players
from sparring.arena.ratings import ratings, strengths
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.arena.tournament import Tournament, _rank, tournament
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.games.game import start_game
from sparring.kernel.backend import CPU
from sparring.kernel.records import records
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import save_net

GOLF = find_game("golf")
SIMULATIONS = 2000


def small_net(seed: int) -> Net:
    return Net("golf", GOLF.rules.version, "hand", (90, 3, 1), gaussian(size((90, 3, 1)), seed, "test"))


# Intervals


def shares(rng: np.random.Generator, rate: float, deals: int, kind: str) -> np.ndarray:
    """Each deal's share of two games won, where the games of a deal agree, differ or know nothing of each other."""
    if kind == "agree":
        return (rng.random(deals) < rate).astype(float)
    if kind == "differ":
        u = rng.random(deals)
        return ((u < rate).astype(float) + (u >= 1 - rate)) / 2
    chance = rng.beta(2 * rate, 2 * (1 - rate), deals) if kind == "lean" else np.full(deals, rate)
    return (rng.random((deals, 2)) < chance[:, None]).mean(axis=1)


def coverage(truth: float, intervals: list[Interval]) -> float:
    return float(np.mean([i.low - 1e-12 <= truth <= i.high + 1e-12 for i in intervals]))


@pytest.mark.parametrize("deals", [3, 20, 200])
@pytest.mark.parametrize("correlation", [-1.0, -0.5, 0.0, 0.8])
def test_an_interval_of_a_mean_covers_it_95_times_in_100(deals: int, correlation: float) -> None:
    rng = np.random.default_rng(deals)
    first, noise = rng.normal(size=(2, SIMULATIONS, deals))
    second = correlation * first + math.sqrt(1 - correlation**2) * noise
    own_luck = rng.normal(size=(SIMULATIONS, deals)) / 10  # so that even games that balance leave something
    pairs = 7 + (first + second) / 2 + own_luck
    assert abs(coverage(7, [mean_interval(row) for row in pairs]) - 0.95) < 0.02


@pytest.mark.parametrize("kind", ["agree", "lean", "independent"])
@pytest.mark.parametrize("rate", [0.3, 0.5, 0.8])
def test_an_interval_of_a_rate_covers_it_95_times_in_100(rate: float, kind: str) -> None:
    rng = np.random.default_rng(1)
    found = coverage(rate, [rate_interval(shares(rng, rate, 150, kind)) for _ in range(SIMULATIONS)])
    assert abs(found - 0.95) < 0.02


@pytest.mark.parametrize("kind", ["agree", "lean", "independent", "differ"])
@pytest.mark.parametrize("rate", [0.01, 0.04, 0.97])
def test_an_interval_of_a_rate_near_0_or_1_covers_it_about_as_often(rate: float, kind: str) -> None:
    """Few losses come in whole numbers, so that coverage jumps about 95% as Wilson's does."""
    rng = np.random.default_rng(2)
    found = coverage(rate, [rate_interval(shares(rng, rate, 200, kind)) for _ in range(SIMULATIONS)])
    assert found > 0.925


@pytest.mark.parametrize("rate", [0.5, 0.7])
def test_an_interval_covers_the_rate_of_games_that_balance_each_other(rate: float) -> None:
    rng = np.random.default_rng(3)
    found = coverage(rate, [rate_interval(shares(rng, rate, 100, "differ")) for _ in range(SIMULATIONS)])
    assert found > 0.93


def test_deals_whose_games_agree_are_worth_less_than_deals_whose_games_balance() -> None:
    rng = np.random.default_rng(4)
    width = {
        kind: np.mean([rate_interval(shares(rng, 0.7, 100, kind)).half_width for _ in range(50)])
        for kind in ("agree", "independent", "differ")
    }
    assert width["agree"] / width["independent"] == pytest.approx(math.sqrt(2), rel=0.1)
    assert width["differ"] < 0.9 * width["independent"]


def test_the_interval_of_a_rate_is_wilsons_where_each_deal_is_one_game() -> None:
    """40 of 100 by Wilson, with Student's 1.984 for 1.960 and 99 for 100 games' worth of spread."""
    interval = rate_interval(np.repeat([1.0, 0.0], [40, 60]))
    assert interval.value == 0.4
    assert (interval.low, interval.high) == pytest.approx((0.3094, 0.4980), abs=0.003)


def test_an_interval_of_a_rate_holds_its_value_and_stays_between_0_and_1() -> None:
    rng = np.random.default_rng(5)
    for _ in range(3000):
        kind = ("agree", "lean", "independent", "differ")[rng.integers(4)]
        interval = rate_interval(shares(rng, rng.uniform(0.001, 0.999), int(rng.integers(1, 40)), kind))
        assert 0 <= interval.low <= interval.value <= interval.high <= 1


@pytest.mark.parametrize("deals", [2, 10, 1000])
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_never_and_always_leave_doubt_on_the_other_side(rate: float, deals: int) -> None:
    interval = rate_interval(np.full(deals, rate))
    assert interval.value == rate
    doubt = interval.high if rate == 0 else 1 - interval.low
    assert doubt > 1 / deals


@pytest.mark.parametrize("share", [1 / 6, 1 / 3, 0.5, 2 / 3, 0.1])
def test_deals_that_all_came_out_alike_count_as_a_game_each(share: float) -> None:
    """Shares of six seatings or of several opponents are not exact in binary: their spread of 1e-17 is no evidence."""
    for deals in (5, 7, 10, 50, 1000):
        interval = rate_interval(np.full(deals, share))
        assert interval.half_width > 0.3 / math.sqrt(deals), (deals, interval)


def test_one_deal_says_nothing_about_how_sure_its_value_is() -> None:
    assert rate_interval(np.array([0.5])) == Interval(0.5, 0.0, 1.0)
    assert mean_interval(np.array([3.0])) == Interval(3.0, -math.inf, math.inf)
    assert mean_interval(np.array([3.0])).json() == [3.0, None, None]


# Seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_values_by_seat_become_values_by_contestant(seats: int) -> None:
    jobs = paired_jobs(1, np.arange(seats), 5)
    scores = np.full((len(jobs), 4), -77)
    cards = np.full((len(jobs), 4, 3), -77)
    for row, job in enumerate(jobs):
        for seat in range(seats):
            scores[row, seat] = 1000 * job["deal"] + job["player"][seat]
            cards[row, seat] = scores[row, seat] * 10 + np.arange(3)
    back = by_contestant(scores, seats)
    expected = 1000 * np.arange(5)[:, None, None] + np.arange(seats)
    assert back.shape == (5, math.factorial(seats), seats)
    assert (back == expected).all()
    assert (by_contestant(cards, seats) == expected[..., None] * 10 + np.arange(3)).all()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_deal_is_played_once_in_every_seating(seats: int) -> None:
    contestants = np.arange(seats) + 10
    jobs = paired_jobs(3, contestants, 4)
    for deal in range(4):
        rows = jobs[jobs["deal"] == deal]
        assert sorted(map(tuple, rows["player"][:, :seats].tolist())) == sorted(permutations(contestants.tolist()))
    assert set(jobs["seats"]) == {seats}
    assert len(set(jobs["luck"])) == len(jobs)


def starting_cards(game: Played) -> bytes:
    s = start_game(GOLF, game.seed, game.deal, game.luck, game.seats)[0]
    return b"".join(s[field].tobytes() for field in ("hand", "up", "stock", "discard"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seating_of_a_deal_starts_from_the_same_cards_and_no_other_deal_does(players: int) -> None:
    games: list[Played] = []
    match("golf", *["random"] * players, pairs=6, seed=8, keep=games.extend)
    orders = math.factorial(players)
    cards = [starting_cards(game) for game in games]
    assert [cards[i] for i in range(0, len(cards), orders)] == list(dict.fromkeys(cards))
    assert len(set(cards)) == 6
    assert len({game.moves for game in games}) == len(games)  # luck is each game's own


# Who won


@pytest.mark.parametrize(
    ("scores", "lower_is_better", "winner", "drawn"),
    [
        ([3, 5], True, 0, False),
        ([3, 5], False, 1, False),
        ([5, 5], True, None, True),
        ([5, 5], False, None, True),
        ([4, 2, 2], True, None, True),
        ([4, 2, 2], False, 0, False),
        ([7, 7, 7], True, None, True),
        ([7, 1, 7], True, 1, False),
        ([-3, 0, 0, 9], True, 0, False),
        ([9, 0, 0, 9], False, None, True),
    ],
)
def test_the_best_score_alone_wins(scores: list[int], lower_is_better: bool, winner: int | None, drawn: bool) -> None:
    won, draws = winners(np.array([[scores]]), lower_is_better)
    assert won[0, 0].tolist() == [seat == winner for seat in range(len(scores))]
    assert draws[0, 0] == drawn


def tallies_of(scores: list[list[int]]) -> np.ndarray:
    """Tallies by job and seat with nothing in them but scores."""
    tallies = np.zeros(len(scores), GOLF.rules.tally)
    for tally, row in zip(tallies, scores, strict=True):
        tally["score"][: len(row)] = row
    return tallies


def test_a_match_counts_wins_draws_and_scores_by_player() -> None:
    result = judge(GOLF, ["a", "b"], tallies_of([[1, 4], [6, 2], [5, 5], [9, 3]]), 1, 2)
    assert [p.wins for p in result.players] == [3, 0]
    assert (result.games, result.draws) == (4, 1)
    assert [p.win_rate.value for p in result.players] == [0.75, 0.0]
    assert [p.score.value for p in result.players] == [2.75, 6.0]
    assert result.difference.value == -3.25
    assert result.difference.half_width == pytest.approx(
        12.7062 * np.std([-3.5, -3.0], ddof=1) / math.sqrt(2), rel=1e-4
    )


def test_the_best_of_three_players_wins_from_every_seat() -> None:
    rows = [[10 * (who + 1) for who in order] for order in seatings(3).tolist()] * 4
    result = judge(GOLF, ["a", "b", "c"], tallies_of(rows), 1, 4)
    assert [p.wins for p in result.players] == [24, 0, 0]
    assert [p.score.value for p in result.players] == [10, 20, 30]
    assert result.draws == 0


# Matches


def test_a_player_that_leaves_nothing_to_luck_ties_with_itself_on_every_deal() -> None:
    net = small_net(1)
    result = match("golf", net, net, pairs=25)
    assert result.difference == Interval(0, 0, 0)
    assert result.players[0].wins == result.players[1].wins


def test_a_player_against_itself_wins_half_and_its_difference_is_0_within_the_interval() -> None:
    results = [match("golf", "random", "random", pairs=50, seed=seed) for seed in range(40)]
    assert sum(r.difference.low <= 0 <= r.difference.high for r in results) >= 34
    first, second = (sum(r.players[i].wins for r in results) for i in (0, 1))
    assert abs(first - second) < 4.5 * math.sqrt(first + second)
    assert first + second + sum(r.draws for r in results) == 40 * 100


@pytest.mark.parametrize("players", [3, 4])
def test_matches_of_three_and_four_play_every_seating(players: int) -> None:
    result = match("golf", "greedier", *["random"] * (players - 1), pairs=8)
    assert result.games == 8 * math.factorial(players)
    assert sum(p.wins for p in result.players) + result.draws == result.games
    assert result.players[0].win_rate.low > 0.5
    assert all(p.score.value > result.players[0].score.value for p in result.players[1:])


def plain(result: Any) -> dict[str, Any]:
    return {name: value for name, value in result.json().items() if name != "seconds"}


def test_a_match_does_not_depend_on_threads_or_on_being_watched() -> None:
    def play(**how: Any) -> dict[str, Any]:
        return plain(match("golf", "greedier", small_net(2), pairs=CPU.slice // 2 + 20, seed=4, **how))

    one = play(threads=1)
    assert one == play(threads=2) == play(threads=3) == play(progress=lambda done, total: None)
    assert one == play(keep=lambda games: None)
    assert one != plain(match("golf", "greedier", small_net(2), pairs=CPU.slice // 2 + 20, seed=5))


@pytest.mark.parametrize(("seconds", "slices"), [(0.0, [1, 1, 1, 1]), (3600.0, [1, 2, 1])])
def test_slices_grow_while_they_are_quick(seconds: float, slices: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    seen, game = [0], find_game("golf")
    monkeypatch.setattr("sparring.arena.play.SLICE_SECONDS", seconds)
    jobs, players = paired_jobs(3, np.arange(2), 2 * CPU.slice), find_players(game, ["random", "random"])
    found = play_jobs(game, jobs, players, progress=lambda done, _: seen.append(done))
    assert [size // CPU.slice for size in np.diff(seen)] == slices
    assert found.tobytes() == play_jobs(game, jobs, players).tobytes()


def test_progress_rises_to_the_number_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.arena.play.SLICE_SECONDS", 0.0)  # slices stay as they are, however fast the games are
    seen: list[tuple[int, int]] = []
    result = match(
        "golf", "random", "random", pairs=CPU.slice + 1, progress=lambda done, total: seen.append((done, total))
    )
    assert [total for _, total in seen] == [result.games] * len(seen)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert len(seen) == 3
    assert seen[-1][0] == result.games


def test_keep_receives_every_game_with_all_its_moves() -> None:
    games: list[Played] = []
    result = match("golf", "greedier", "random", pairs=CPU.slice // 2 + 3, seed=7, keep=games.extend)
    assert [(game.deal, game.luck) for game in games] == [(i // 2, i) for i in range(result.games)]
    scores = []
    for game in games[-6:]:
        state = start_game(GOLF, game.seed, game.deal, game.luck, game.seats)
        with np.errstate(over="ignore"):
            for move in game.moves:
                assert not state[0]["over"]
                GOLF.rules.apply(records(state)[0], move)
        assert state[0]["over"]
        scores.append(state[0]["tally"]["score"][:2].tolist())
    tail = match("golf", "greedier", "random", pairs=CPU.slice // 2, seed=7)
    played = sum(sum(s) for s in scores)
    both = [sum(p.score.value for p in r.players) * r.games for r in (result, tail)]
    assert played == pytest.approx(both[0] - both[1])


@pytest.mark.parametrize("players", [1, 5])
def test_a_match_says_how_many_can_play(players: int) -> None:
    with pytest.raises(UserError, match=f"golf is for 2 or 3 or 4 players, not {players}"):
        match("golf", *["random"] * players)


@pytest.mark.parametrize("pairs", [0, -3])
def test_a_match_needs_a_pair_of_games(pairs: int) -> None:
    with pytest.raises(UserError, match=f"pairs = {pairs}: must be from 1 to"):
        match("golf", "random", "random", pairs=pairs)


# JSON for programs

HEAD = ["game", "rules", "seed", "pairs", "games", "draws", "seconds"]


def is_interval(values: list[float | None]) -> bool:
    value, low, high = values
    return value is not None and (low is None or low <= value) and (high is None or value <= high)


@pytest.mark.parametrize("pairs", [1, 30])
def test_a_match_as_json_has_the_keys_that_programs_expect(pairs: int) -> None:
    result = match("golf", "greedier", "random", pairs=pairs).json()
    assert sorted(result) == sorted([*HEAD, "certain", "nets", "players", "score_difference"])
    for player in result["players"]:
        assert sorted(player) == sorted(["name", "wins", "win_rate", "score", "measures", "fitness", "profiles"])
        assert sorted(player["measures"]) == ["matches_per_game", "rounds_ended", "stalemates", "turns_per_round"]
        told = (player["win_rate"], player["score"], *player["measures"].values(), *player["fitness"].values())
        assert all(is_interval(x) for x in told)
    assert is_interval(result["score_difference"])
    assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.parametrize("pairs", [1, 20])
def test_a_tournament_as_json_has_the_keys_that_programs_expect(pairs: int) -> None:
    result = tournament("golf", "random", "greedier", "greedier-published", pairs=pairs).json()
    assert sorted(result) == sorted([*HEAD, "nets", "players", "table", "score_table"])
    for player in result["players"]:
        assert sorted(player) == sorted(["name", "rating", "win_rate", "score"])
        assert all(is_interval(player[x]) for x in ("rating", "win_rate", "score"))
    for table in (result["table"], result["score_table"]):
        assert [[x is None for x in row] for row in table] == np.eye(3, dtype=bool).tolist()
    assert json.loads(json.dumps(result, allow_nan=False)) == result


# Tournaments


def test_a_tournament_plays_every_pair_of_players_once_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray] = []

    def spy(game: Any, jobs: np.ndarray, *_: Any) -> np.ndarray:
        seen.append(jobs)
        return np.zeros(len(jobs), game.rules.tally)

    monkeypatch.setattr("sparring.arena.tournament.play", spy)
    result = tournament("golf", "random", "greedier", "random", "random", pairs=5, seed=9)
    (jobs,) = seen
    assert result.games == len(jobs) == 6 * 5 * 2
    met = Counter((int(job["deal"]), *job["player"][:2].tolist()) for job in jobs)
    assert met == Counter((deal, *who) for deal in range(5) for who in permutations(range(4), 2))


def ranked(meetings: dict[tuple[int, int], list[tuple[int, int]]], lower_is_better: bool = True) -> Tournament:
    """A tournament of hand-made games: for each pair of players its games' scores, two games to a deal."""
    names = "abcd"[: 1 + max(j for _, j in meetings)]
    rows = []
    for scores in meetings.values():
        rows += [[mine, yours] if k % 2 == 0 else [yours, mine] for k, (mine, yours) in enumerate(scores)]
    deals = len(next(iter(meetings.values()))) // 2
    return _rank(
        altered(GOLF, lower_is_better=lower_is_better), list(names), list(meetings), tallies_of(rows), 1, deals, 0.0
    )


def test_a_table_gives_each_player_the_share_of_games_won() -> None:
    result = ranked({(0, 1): [(1, 2), (1, 2), (2, 1), (3, 3)], (0, 2): [(9, 1)] * 4, (1, 2): [(1, 1)] * 4})
    assert [p.name for p in result.players] == ["c", "a", "b"]
    assert result.win_table.tolist() == [[0, 1, 0], [0, 0, 0.5], [0, 0.25, 0]]
    assert result.draws == 5
    assert result.score_table[0].tolist() == [0, 1, 1]
    assert result.score_table[1].tolist() == [9, 0, 1.75]
    assert [p.win_rate.value for p in result.players] == [0.5, 0.25, 0.125]
    assert [p.score.value for p in result.players] == [1, (9 + 1.75) / 2, 1.5]


def test_wins_losses_and_draws_of_each_meeting_make_up_all_its_games() -> None:
    rng = np.random.default_rng(1)
    meetings = {
        who: [tuple(row) for row in rng.integers(4, size=(40, 2)).tolist()] for who in combinations(range(4), 2)
    }
    result = ranked(meetings)
    place = ["abcd".index(p.name) for p in result.players]
    for a, b in combinations(range(4), 2):
        i, j = sorted((place[a], place[b]))
        draws = np.mean([mine == yours for mine, yours in meetings[i, j]])
        assert result.win_table[a, b] + result.win_table[b, a] + draws == pytest.approx(1)
    assert result.draws == sum(mine == yours for scores in meetings.values() for mine, yours in scores)


def test_more_wins_rank_before_a_better_score() -> None:
    close, far = [(10, 11)] * 3, [(90, 1)]
    assert [p.name for p in ranked({(0, 1): far + close}).players] == ["a", "b"]
    assert [p.name for p in ranked({(0, 1): [(b, a) for a, b in far + close]}).players] == ["b", "a"]


@pytest.mark.parametrize(("lower_is_better", "order"), [(True, "bac"), (False, "cab")])
def test_equal_wins_are_ranked_by_score(lower_is_better: bool, order: str) -> None:
    """Everyone beats one and loses to one, so that scores alone tell them apart: 11.5, 9 and 25.5 on average."""
    result = ranked({(0, 1): [(2, 3)] * 2, (0, 2): [(21, 20)] * 2, (1, 2): [(15, 31)] * 2}, lower_is_better)
    assert {p.name: p.win_rate.value for p in result.players} == {"a": 0.5, "b": 0.5, "c": 0.5}
    assert "".join(p.name for p in result.players) == order


def test_players_equal_in_wins_and_score_keep_the_order_in_which_they_came() -> None:
    result = ranked({(0, 1): [(5, 5)] * 4, (0, 2): [(5, 5)] * 4, (1, 2): [(5, 5)] * 4})
    assert [p.name for p in result.players] == ["a", "b", "c"]
    assert [p.rating.value for p in result.players] == pytest.approx([0, 0, 0], abs=1e-6)


def test_ratings_of_a_tournament_count_draws_as_halves() -> None:
    """Twelve wins and eight draws: 16 points to 4, and half a point granted to each."""
    result = ranked({(0, 1): [(1, 2)] * 12 + [(3, 3)] * 8})
    apart = result.players[0].rating.value - result.players[1].rating.value
    assert apart == pytest.approx(400 * math.log10(16.5 / 4.5), abs=0.01)


def test_the_better_players_of_a_tournament_stand_above() -> None:
    result = tournament("golf", "random", "greedier", "random", pairs=30)
    assert [p.name for p in result.players][0] == "greedier"
    assert result.players[0].rating.low > result.players[1].rating.high
    assert result.win_table[0, 1:].min() > 0.9


def test_a_tournament_does_not_depend_on_threads() -> None:
    one, two, three = (
        plain(tournament("golf", "random", "greedier", small_net(3), pairs=10, threads=threads))
        for threads in (1, 2, 3)
    )
    assert one == two == three


def test_progress_of_a_tournament_reaches_all_its_games() -> None:
    seen: list[tuple[int, int]] = []
    result = tournament(
        "golf", "random", "random", "random", pairs=100, progress=lambda done, total: seen.append((done, total))
    )
    assert result.games == 600
    assert seen == [(CPU.slice, 600), (600, 600)]


@pytest.mark.parametrize(("players", "pairs"), [(["random"], 5), (["random", "random"], 0)])
def test_a_tournament_needs_two_players_and_a_game(players: list[str], pairs: int) -> None:
    with pytest.raises(UserError, match="two players or more|pairs = 0"):
        tournament("golf", *players, pairs=pairs)


# Ratings


def test_400_points_are_odds_of_ten_to_one() -> None:
    two = strengths(np.array([[0, 1000], [100, 0]], float))
    assert two[0] - two[1] == pytest.approx(400, abs=1e-3)
    three = strengths(np.array([[0, 1000, 10_000], [100, 0, 1000], [100, 100, 0]], float))
    assert np.diff(three) == pytest.approx([-400, -400], abs=0.1)
    assert three.mean() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("once_in", [100, 10_000, 1_000_000])
def test_ratings_fit_however_one_sided_the_results(once_in: int) -> None:
    """At the best fit everyone's expected losses are those that happened."""
    wins = np.array([[0, once_in, once_in], [1, 0, once_in], [1, 1, 0]], float)
    rating = strengths(wins)
    chance = 1 / (1 + 10 ** ((rating[None, :] - rating[:, None]) / 400))
    expected = ((wins + wins.T) * (1 - chance)).sum(axis=1) - (wins + wins.T).diagonal() / 2
    assert expected == pytest.approx(wins.sum(axis=0), rel=1e-3)
    assert rating == pytest.approx([-rating[2], 0, -rating[0]], abs=0.1)


def simulated(rng: np.random.Generator, truth: np.ndarray, deals: int, agree: bool) -> np.ndarray:
    """What i won from j on each deal of two games, between players of known ratings."""
    n = len(truth)
    points = np.zeros((deals, n, n))
    for i, j in combinations(range(n), 2):
        chance = 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))
        won = 2 * (rng.random(deals) < chance) if agree else (rng.random((deals, 2)) < chance).sum(axis=1)
        points[:, i, j], points[:, j, i] = won, 2 - won
    return points


@pytest.mark.parametrize("agree", [False, True])
def test_ratings_recover_known_strengths_within_their_intervals(agree: bool) -> None:
    """Also where both games of a deal fall to the same player, which makes half as much evidence."""
    rng = np.random.default_rng(6)
    truth = np.array([250.0, 50.0, -100.0, -200.0])
    found = [ratings(simulated(rng, truth, 100, agree), seed) for seed in range(12)]
    covered = np.mean([r.low <= t <= r.high for one in found for r, t in zip(one, truth, strict=True)])
    assert covered >= 0.88
    assert np.mean([[r.value for r in one] for one in found], axis=0) == pytest.approx(truth, abs=20)
    wide = np.mean([r.half_width for one in found for r in one])
    assert 15 < wide < 50


def test_intervals_of_ratings_narrow_with_the_root_of_the_deals() -> None:
    rng = np.random.default_rng(7)
    truth = np.array([100.0, 0.0, -100.0])
    few, many = (
        np.mean([r.half_width for seed in range(5) for r in ratings(simulated(rng, truth, deals, False), seed)])
        for deals in (50, 800)
    )
    assert few / many == pytest.approx(4, rel=0.25)


def test_an_undefeated_player_has_a_finite_rating_and_a_wide_interval() -> None:
    rng = np.random.default_rng(8)
    points = simulated(rng, np.array([0.0, 50.0, -50.0]), 100, False)
    points[:, 0, 1:], points[:, 1:, 0] = 2, 0
    champion, *others = ratings(points, 1)
    assert math.isfinite(champion.value)
    assert math.isfinite(champion.high)
    assert champion.low > max(r.high for r in others)
    assert champion.high - champion.value > 200
    assert champion.value - champion.low > 100


def test_ratings_follow_from_the_results_and_the_seed() -> None:
    points = simulated(np.random.default_rng(9), np.array([30.0, -30.0]), 20, False)
    assert ratings(points, 1) == ratings(points, 1)
    assert ratings(points, 1) != ratings(points, 2)


# Players by name


def test_equal_names_are_numbered() -> None:
    found = find_players(GOLF, ["random", "greedier", "random", small_net(1), "random", small_net(2)])
    assert [c.name for c in found] == ["random", "greedier", "random #2", "net", "random #3", "net #2"]
    assert [c.policy for c in found] == ["random", "greedier", "random", "net", "random", "net"]


def test_no_two_players_share_a_name_even_if_one_is_called_as_if_numbered() -> None:
    called = [Contestant(name, "random") for name in ("x", "x #2", "x", "x")]
    names = [c.name for c in find_players(GOLF, called)]
    assert len(set(names)) == 4
    assert names[:2] == ["x", "x #2"]


@pytest.mark.parametrize(
    ("name", "hint"), [("greedy", "greedier"), ("ramdom", "random"), ("greedier-publ", "greedier-p")]
)
def test_an_unknown_player_is_told_the_nearest_name(name: str, hint: str) -> None:
    with pytest.raises(UserError) as error:
        find_player(GOLF, name)
    assert f"unknown player '{name}': did you mean '{hint}" in str(error.value)
    assert "net file or a run's folder" in str(error.value)


def test_a_player_like_no_other_is_told_all_names() -> None:
    known = ", ".join([*(name for name in GOLF.policy_names if not name.startswith("net")), *GOLF.policies.champions])
    with pytest.raises(UserError, match=f"unknown player 'zzzz': known: {known} \\("):
        find_player(GOLF, "zzzz")


def test_a_net_is_named_by_its_file_or_run() -> None:
    with pytest.raises(UserError, match="player 'net': name a net file or a run's folder"):
        find_player(GOLF, "net")


def test_a_net_file_and_a_runs_folder_are_players_of_that_name(tmp_path: Path) -> None:
    run = tmp_path / "my-run"
    save_net(run / "champion.safetensors", small_net(4))
    save_net(tmp_path / "early.safetensors", small_net(5))
    found = find_players(GOLF, [run, str(tmp_path / "early.safetensors")])
    assert [(c.name, c.policy) for c in found] == [("my-run", "net"), ("early", "net")]
    assert [c.net.weights.tolist() for c in found if c.net] == [small_net(s).weights.tolist() for s in (4, 5)]


def test_a_folder_without_a_champion_and_a_missing_net_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"{tmp_path}: no champion.safetensors in this folder.* sparring resume"):
        find_player(GOLF, tmp_path)
    with pytest.raises(UserError, match=f"{tmp_path}/lost.safetensors: no such file"):
        find_player(GOLF, str(tmp_path / "lost.safetensors"))


def test_nets_of_several_sizes_share_one_array_of_weights() -> None:
    wide = Net("golf", GOLF.rules.version, "state", (486, 5, 1), gaussian(size((486, 5, 1)), 1, "wide"))
    everyone = find_players(GOLF, [small_net(1), "random", wide])
    table, weights = pack_players(GOLF, everyone)
    assert table["policy"].tolist() == [GOLF.policy_names.index(c.policy) for c in everyone]
    assert table["offset"].tolist() == [0, 0, size((90, 3, 1))]
    assert (table["inputs"].tolist(), table["hidden"].tolist()) == ([90, 0, 486], [3, 0, 5])
    assert weights.tolist() == [*small_net(1).weights.tolist(), *wide.weights.tolist()]


def test_a_net_plays_the_same_whichever_nets_lie_beside_it() -> None:
    wide = Net("golf", GOLF.rules.version, "state", (486, 5, 1), gaussian(size((486, 5, 1)), 1, "wide"))
    jobs = paired_jobs(2, np.array([0, 1]), 3)
    alone, _ = GOLF.launcher.play(jobs, *pack_players(GOLF, find_players(GOLF, ["random", small_net(1)])))
    beside = find_players(GOLF, ["random", wide, small_net(1)])
    jobs["player"][:, :2] = np.where(jobs["player"][:, :2] == 1, 2, 0)
    assert GOLF.launcher.play(jobs, *pack_players(GOLF, beside))[0].tobytes() == alone.tobytes()
