"""Ladders: ratings as resampling gives them, games where they tell most, and files that are resumed."""

import json

import numpy as np
import pytest

import sparring
from sparring.arena.ladder import Ladder, Meeting, shipped
from sparring.arena.players import find_players
from sparring.arena.ratings import SCALE, rate
from sparring.errors import UserError
from sparring.games import GAMES, find_game
from sparring.games.game import with_rules

GOLF = find_game("golf")
TRUE = (-120.0, -20.0, 40.0, 100.0)


def simulated(deals: int, seed: int) -> tuple[Ladder, dict[tuple[int, int], np.ndarray]]:
    """A ladder of four players of known strength, whose two games of a deal have a result in common."""
    rng, players = np.random.default_rng(seed), find_players(GOLF, ["random", "greedier", "sensible", "pupil"])
    ladder, points = Ladder(GOLF, players, 1), {}
    for (i, j), meeting in ladder.meetings.items():
        chance = 1 / (1 + np.exp((TRUE[j] - TRUE[i]) / SCALE))
        first, again = rng.random((2, deals)) < chance
        won = points[i, j] = first.astype(float) + np.where(rng.random(deals) < 0.5, first, again)
        meeting.counts, meeting.seconds = {x: int((won == x).sum()) for x in (0.0, 1.0, 2.0)}, 0.01 * deals
    return ladder, points


def test_ratings_and_intervals_are_those_of_resampled_deals():
    ladder, points = simulated(400, 3)
    rng = np.random.default_rng(1)

    def wins(resampled: bool) -> np.ndarray:
        table = np.zeros((4, 4))
        for (i, j), won in points.items():
            chosen = won[rng.integers(len(won), size=len(won))] if resampled else won
            table[i, j], table[j, i] = chosen.sum(), (2 - chosen).sum()
        return table

    for ours, theirs in zip(ladder.ratings(), rate(wins(False), lambda: wins(True), rng, 400), strict=True):
        assert ours.value == pytest.approx(theirs.value)
        assert ours.high - ours.low == pytest.approx(theirs.high - theirs.low, rel=0.2)


def test_intervals_contain_what_is_true():
    found = [[r.low < true < r.high for r, true in zip(simulated(100, seed)[0].ratings(), TRUE, strict=True)]
             for seed in range(100)]  # fmt: skip
    assert 0.91 < np.mean(found) < 0.985


def test_the_next_games_are_those_of_near_and_quick_players_whose_ratings_are_uncertain():
    ladder, _ = simulated(400, 3)
    for pair, meeting in ladder.meetings.items():
        meeting.seconds = 100.0 if 2 in pair else 1.0
        if 3 in pair:
            meeting.counts = {x: count // 20 for x, count in meeting.counts.items()}
    pair, deals = ladder.next_batch(15.0) or ((0, 0), 0)
    assert pair == (1, 3) and deals > 50
    assert ladder.next_batch(1000.0) is None


def test_a_player_who_never_lost_is_far_ahead_but_nobody_knows_how_far():
    ladder, _ = simulated(400, 3)
    for (_, j), meeting in ladder.meetings.items():
        if j == 3:
            meeting.counts = {0.0: 400}
    (best, lead), (second, _), *_ = ladder.leads()
    assert best == 3 and lead.value > 500 and lead.high - lead.value > 200
    assert lead.low > 400 and (best, second) not in ladder.uncertain(15.0)


def test_games_that_one_player_always_wins_are_not_repeated():
    ladder = Ladder(GOLF, find_players(GOLF, ["random", "greedier", "sensible"]), 1)
    for pair, deals, each in (((0, 1), 8000, 0.0001), ((0, 2), 66_000, 0.0001), ((1, 2), 2, 0.0005)):
        ladder.meetings[pair].counts, ladder.meetings[pair].seconds = {0.0: deals}, deals * each
    pair, _ = ladder.next_batch(150.0) or ((0, 0), 0)
    assert pair == (1, 2)


def test_every_meeting_has_a_first_batch():
    ladder, _ = simulated(10, 1)
    ladder.meetings[0, 2] = Meeting(("random", "sensible"))
    assert ladder.next_batch(15.0) == ((0, 2), 2)


def test_players_that_leave_nothing_to_chance_meet_once():
    game = find_game("conquest")
    ladder = Ladder(game, find_players(game, ["greedy", "idle"]), 1)
    ladder.play((0, 1), 50)
    assert ladder.meetings[0, 1].deals == 1 and ladder.next_batch(15.0) is None
    assert not ladder.climb(15.0, 1.0, 1, lambda now: None)


@pytest.mark.parametrize("family", GAMES)
def test_a_ladder_has_every_player_and_level_of_a_game(family):
    game = find_game(family)
    names = shipped(game)
    assert {*game.builtin, *game.policies.champions} <= set(names)
    assert {level.player for level in game.presentation.levels} - set(game.policies.external) <= set(names)
    if game.presentation.people:
        find_players(with_rules(game, game.presentation.people), names)


def test_a_ladder_is_stored_and_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr("sparring.lab.ladders.shipped", lambda game: ["random", "greedier"])
    first = sparring.ladder("golf", "sensible", within=500, minutes=10, seed=3, threads=1, results=tmp_path)
    assert first.reached and first.path == tmp_path / "ladder-golf.json"
    stored = json.loads(first.path.read_text())
    assert stored["command"] == "sparring ladder golf sensible --within 500 --seed 3"
    assert [each["name"] for each in stored["result"]["players"]] == ["sensible", "greedier", "random"]
    deals = sum(meeting["deals"] for meeting in stored["result"]["meetings"])
    second = sparring.ladder("golf", "sensible", within=150, minutes=10, seed=3, threads=1, results=tmp_path)
    assert second.reached and sum(meeting["deals"] for meeting in second.json()["meetings"]) > deals
    with pytest.raises(UserError, match="another seed; move it away"):
        sparring.ladder("golf", "sensible", seed=4, minutes=0, results=tmp_path)
    with pytest.raises(UserError, match="other players; move it away"):
        sparring.ladder("golf", seed=3, minutes=0, results=tmp_path)
    first.path.write_text("{}")
    with pytest.raises(UserError, match="not a stored ladder"):
        sparring.ladder("golf", "sensible", seed=3, minutes=0, results=tmp_path)


@pytest.mark.parametrize(
    "words", [{"within": 0}, {"minutes": -1}, {"within": float("nan")}, {"results": "no/such/folder"}]
)
def test_bad_words_are_refused_in_one_line(words):
    with pytest.raises(UserError) as error:
        sparring.ladder("golf", **{"minutes": 0, **words})
    assert "\n" not in str(error.value)
