"""The score of a match in gin rummy: what networks on `match` see of it, what they learn, and what it is worth to search."""

import numpy as np
import pytest

from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.explain import dense
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.gin import encodings
from sparring.games.gin.match_score import NEAR, match_points, winning_chance
from sparring.games.gin.table_encoding import TABLE_INPUTS
from sparring.kernel.records import records

HAND = "gin:rules=full,length=hand"


def started(name, deal=0):
    return start_game(find_game(name), 1, deal, deal, 2)


def score_inputs(state, seat):
    """The inputs behind those of `table`: of the seat, and of its opponent."""
    row = dense(encodings.inputs, records(state)[0], seat, encodings.MATCH, encodings.INPUTS[encodings.MATCH])
    return row[TABLE_INPUTS:].reshape(2, -1)


def match_target(state, seat):
    out = np.zeros(1)
    encodings.outcome(records(state)[0], seat, encodings.WHOLE_MATCH, out)
    return float(out[0])


def finished(name, seed):
    """A game of random moves that knocks whenever it can, and the score before its last hand."""
    game, luck = find_game(name), np.random.default_rng(seed)
    state, before = start_game(game, seed, seed, seed, 2), [0, 0]
    while not state[0]["over"]:
        before = state[0]["before"].tolist()
        moves = legal_moves(game, state)
        play_move(game, state, max(moves) if state[0]["phase"] == 2 else int(luck.choice(moves)))
    return state, before


def test_the_inputs_show_the_points_that_each_seat_needs_its_own_first():
    state = started(f"{HAND},score=70-45")
    for seat, needs in ((0, (30, 55)), (1, (55, 30))):
        for inputs, need in zip(score_inputs(state, seat), needs, strict=True):
            assert inputs[0] == pytest.approx(need / 100)
            assert inputs[1:].tolist() == [need <= near for near in NEAR]


def test_in_a_match_the_inputs_show_the_score_before_the_hand_also_at_its_end():
    for seed in range(5):
        state, before = finished("gin:rules=full,target=60", seed)
        assert max(state[0]["tally"]["score"]) >= 60 > max(before)
        for seat in range(2):
            shown = score_inputs(state, seat)[:, 0]
            assert shown == pytest.approx([(60 - before[seat]) / 100, (60 - before[1 - seat]) / 100])


def test_random_scores_follow_from_the_deal_and_are_no_points_of_the_hand():
    name = f"{HAND},score=random"
    scores = [tuple(started(name, deal)[0]["before"].tolist()) for deal in range(60)]
    assert scores == [tuple(started(name, deal)[0]["before"].tolist()) for deal in range(60)]
    points = [one for score in scores for one in score]
    assert len(set(points)) > 30 and max(points) < 100 and 15 < points.count(0) < 60
    assert started(name, 2)[0]["tally"]["score"].tolist() == [0, 0, 0, 0]


def test_the_chances_of_both_seats_add_to_one_and_grow_with_the_points():
    chances = [[float(winning_chance(mine, theirs)) for theirs in range(101)] for mine in range(1, 101)]
    for mine in range(1, 101):
        assert chances[mine - 1][0] == 0 and float(winning_chance(0, mine)) == 1
        assert chances[mine - 1][1:] == sorted(chances[mine - 1][1:])
        for theirs in (1, 40, 100):
            assert chances[mine - 1][theirs] + chances[theirs - 1][mine] == pytest.approx(1)


def test_the_target_of_a_hand_is_the_chance_to_win_the_match_after_it():
    for seed in range(5):
        state, _ = finished(f"{HAND},score=80-30", seed)
        mine, theirs = (int(points) for points in state[0]["tally"]["score"][:2])
        expected = float(winning_chance(max(20 - mine, 0), max(70 - theirs, 0)))
        assert match_target(state, 0) == pytest.approx(expected) == pytest.approx(1 - match_target(state, 1))


def test_search_counts_chances_in_a_match_and_points_in_a_single_hand():
    for name, seat_gains in (
        ("gin:rules=full,target=60", lambda mine, theirs: 100 if mine > theirs else -100),
        (HAND, np.subtract),
    ):
        end, _ = finished(name, 1)
        begun = start_game(find_game(name), 1, 1, 1, 2)
        points = [int(score) for score in end[0]["tally"]["score"][:2]]
        for seat in range(2):
            gained = match_points(records(end)[0], records(begun)[0], seat)
            assert gained == pytest.approx(seat_gains(points[seat], points[1 - seat]))


@pytest.mark.parametrize("score", ["100-0", "5", "a-b", "-3-4", "5-6-7"])
def test_a_score_that_no_unfinished_match_has_is_refused(score):
    with pytest.raises(UserError, match=f"score={score}: must be random, or two numbers from 0 to 99"):
        find_game(f"{HAND},score={score}")


def test_a_match_starts_without_points():
    with pytest.raises(UserError, match="score=5-6: is for single hands; add length=hand"):
        find_game("gin:rules=full,score=5-6")
