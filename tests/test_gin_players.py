"""Gin rummy's players: what the heuristics do, that search and learning help, and whom names stand for."""

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.arena.players import Chooser, find_player, pack_players
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import play_move, start_game
from sparring.games.gin.cards import hand_of, read_card, read_cards
from sparring.games.gin.encodings import hand_features, unseen
from sparring.games.gin.heuristics import danger
from sparring.games.gin.melds import completing
from sparring.games.gin.rules import KNOCK, PASS, UPCARD
from sparring.kernel.records import call_kernel, records
from sparring.learn.td import TD, TDTraining
from sparring.nets.dense import gaussian

HAND = "gin:rules=full,length=hand"
OTHER = "AcTc3d7d4hJhQh6s8sJs"


def card(name):
    return read_card(name, "test")


def asked(player, hand, upcard, *moves, game=HAND):
    """What a player does with a hand and an upcard, after some moves of its own."""
    table = find_game(f"{game},start={hand}/{OTHER}/{upcard}")
    state = start_game(table, 1, 0, 0, 2)
    for move in moves:
        play_move(table, state, move)
    return Chooser(table, find_player(table, player)).choose(state)


@pytest.mark.parametrize(
    ("upcard", "move"),
    [("7c", UPCARD), ("3c", UPCARD), ("2c", UPCARD), ("9d", PASS), ("Qd", PASS), ("Kh", UPCARD)],
)
def test_simple_takes_the_upcard_only_if_it_melds(upcard, move):
    """A fourth club at either end, a fourth deuce, a third king; not a second nine."""
    assert asked("simple", "4c5c6c2d2h2s9sTsKcKs", upcard) == move


def test_simple_throws_the_highest_deadwood_and_knocks_at_once():
    assert asked("simple", "4c5c6c2d2h2s8d9hTsKd", "7c", UPCARD) == card("Kd")
    assert asked("simple", "4c5c6c2d2h2sAd3hAsKd", "7c", UPCARD) == card("Kd") + KNOCK


def test_careful_keeps_from_the_other_what_it_seems_to_collect():
    """A jack is more dangerous to throw once the other has taken the jack of diamonds openly; a three is not."""
    table = find_game(f"{HAND},start=4c5c6c8d2hTsKd9h3sJc/{OTHER}/Jd")
    found = []
    for taken in (PASS, UPCARD):
        state = start_game(table, 1, 0, 0, 2)
        play_move(table, state, PASS)
        play_move(table, state, taken)
        state["turn"] = 0
        s = records(state)[0]
        found.append([float(danger(s, card(name), unseen(s, 0))) for name in ("Jc", "3s")])
    (before, three), (after, still) = found
    assert after > before + 0.5 and still <= three


def test_stronger_players_win_more_points_on_the_same_deals():
    game = find_game(HAND)
    careful = match(game, "careful", "simple", pairs=500, seed=3).difference
    searching = match(game, "monte-carlo@50", "simple", pairs=200, seed=3).difference
    assert careful.low > 0 and searching.low > 0
    assert match(game, "simple", "random", pairs=100, seed=3).players[0].win_rate.low > 0.9


def test_a_player_that_searches_is_named_with_how_much():
    game = find_game(HAND)
    assert find_player(game, "monte-carlo").strength == game.policies.strengths["monte-carlo"]
    assert find_player(game, "monte-carlo@7").strength == 7
    for name in ("monte-carlo@0", "monte-carlo@", "monte-carlo@x", "monte-carlo@9999999"):
        with pytest.raises(UserError, match=r"monte-carlo@N takes a whole number from 1"):
            find_player(game, name)
    with pytest.raises(UserError, match="unknown player"):
        find_player(game, "simple@7")


def test_randumb_is_a_net_of_random_weights_as_all_trainings_begin_with():
    net = find_player(find_game("gin"), "randumb").net
    np.testing.assert_array_equal(net.weights, np.float32(0.58) * gaussian(1405, 1, "randumb"))
    assert net.shape == (52, 26, 1) and net.policy == "net"


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("5c6c", "4c7c"),
        ("5c7c", "6c"),
        ("AcKc", ""),
        ("QcKc", "Jc"),
        ("Ac2c", "3c"),
        ("KcAdQc", "Jc"),
        ("7c7d", "7h7s"),
        ("4c5c6c", "3c4c5c6c7c"),
    ],
)
def test_the_cards_that_complete_a_meld(hand, wanted):
    found = int(completing(hand_of(read_cards(hand, "test"))))
    own = hand_of(read_cards(hand, "test"))
    assert found & ~own == hand_of(read_cards(wanted, "test")) & ~own


def test_what_a_hand_is_worth_as_a_net_sees_it():
    """Deadwood 8d 9h Ts Kd; unknown 3c and 7c extend the run, Th makes a meld with nothing; 2c the fourth deuce."""
    hand = hand_of(read_cards("4c5c6c2d2h2s8d9hTsKd", "test"))
    unknown = hand_of(read_cards("3c7c2cThQh", "test"))
    np.testing.assert_allclose(hand_features(hand, unknown, True), [0.04 * 37, 0, 0, 0.3, 0, 1], atol=1e-6)
    gin = hand_of(read_cards("4c5c6c7c2d2h2s9d9h9s", "test"))
    np.testing.assert_allclose(hand_features(gin, 0, True), [0, 1, 1, 0, 0, 0], atol=1e-6)
    np.testing.assert_allclose(hand_features(gin, 0, False), [0, 0, 1, 0, 0, 0], atol=1e-6)


def test_a_short_training_by_temporal_differences_learns_to_win_hands():
    game = find_game(HAND)
    options = TD(encoding="melds", outputs="lead", policy="net+mean-eleven", finals=True, hidden=8, games=4000, step_games=500,
                 rate=1.0, rate_end=0.3, trace=0.5, trace_end=0.5, benchmark_pairs=0)  # fmt: skip
    run = TDTraining(game, options, 1, 1)
    before = match(game, run.champions()[0], "simple", pairs=300).difference
    while run.step < run.steps:
        run.advance()
    after = match(game, run.champions()[0], "simple", pairs=300).difference
    assert before.high < -20 and after.low > -10


@pytest.mark.parametrize("name", ["champion", "champion-table", "champion-melds"])
@pytest.mark.parametrize("rules", ["rules=full,length=hand", "length=hand"])
def test_a_playout_that_ends_after_the_opponents_turn_is_valued_by_the_seats_own_hand(name, rules):
    """Only the hand of the seat to move differs, which the opponent does not see: the better one is worth more."""

    def value(hand, seat):
        table = find_game(f"gin:{rules},start={hand}/{OTHER}/9d")
        state = start_game(table, 1, 0, 0, 2)
        players, weights = pack_players(table, [find_player(table, name)])
        _, floats, ints = table.launcher.scratch(players)
        s = records(state)[0]
        assert state[0]["turn"] == 0
        return call_kernel(table.search.value, s, seat, records(players)[0], weights, floats, ints)

    good, bad = "2c2d2h5c6c7cKcKdKs3h", "2c4d6h9cThKdQs5s7hJd"
    assert value(good, 0) > value(bad, 0) + 10
    assert value(good, 1) == value(bad, 1)
