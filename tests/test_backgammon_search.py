"""Search: values some plies deep against a plain recursion, filters, the choice of replies, the cache and the tables of endings."""

from functools import cache

import numpy as np
import pytest

import backgammon_inputs as plain
import backgammon_search as recursion
from amounts import amount
from backgammon_inputs import COLOURS
from backgammon_tables import side
from deep import deep_net
from sparring.arena.players import Chooser, find_player
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.backgammon import plays, search
from sparring.games.backgammon.bearoff import Race
from sparring.games.backgammon.nply import Searcher
from sparring.games.game import apply_move, legal_moves, start_game
from sparring.kernel.compiler import INTERPRETED
from sparring.nets.dense import Net, gaussian, size

pytestmark = pytest.mark.skipif(INTERPRETED, reason="tables of endings take hours in plain Python")
GAME, HYPER = find_game("backgammon"), find_game("backgammon:start=hypergammon")
CLOSE = 2e-5  # single precision and an approximate sigmoid


def dense(encoding, outputs):
    shape = (GAME.policies.encodings[encoding], 7, outputs)
    weights = 0.3 * gaussian(size(shape), 3, "search", encoding)
    return Net("backgammon", GAME.rules.version, encoding, shape, weights, input_major=True)


NETS = {
    "one output": dense("raw", 1),
    "five outputs": dense("tesauro", 5),
    "shares": dense("shares", 1),
    "deep": deep_net(GAME, "tesauro", (6, 5), 2, 5),
}


@cache
def positions(start, count, every=4):
    """States of games of random moves, with more than one legal move."""
    game, luck, found = find_game(f"backgammon:start={start}"), np.random.default_rng(1), []
    for deal in range(1000):
        state, turn = start_game(game, 1, deal, deal, 2), 0
        while not state[0]["over"]:
            legal = legal_moves(game, state)
            turn += 1
            if len(legal) > 1 and turn % every == 0:
                found.append(state.copy())
                if len(found) == count:
                    return found
            apply_move(game.rules, state, int(luck.choice(legal)))
    raise AssertionError("too few positions")


def parts(state):
    """Board, seat and dice."""
    s = state[0]
    return s["board"].copy(), int(s["turn"]), tuple(s["dice"].tolist())


def reached(board, seat, move, dice):
    board = board.copy()
    plays.make_play(board, seat, move, *dice)
    return plain.of_board(board)


CASES = [(name, plies) for plies in (0, 1) for name in NETS] + [("one output", 2), ("deep", 2)]


@pytest.mark.parametrize(("name", "plies"), CASES)
def test_without_filters_every_play_has_the_value_of_a_plain_recursion(name, plies):
    net, compared = NETS[name], 0
    searcher = Searcher(net, plies, filtered=False, pruned=False)
    for state in positions("hypergammon", 40)[:: amount(20, 2) if plies == 2 else 8]:
        board, seat, dice = parts(state)
        found = searcher.plays(board, seat, dice)
        assert sorted(one.move for one in found) == sorted(legal_moves(HYPER, state))
        assert [one.equity for one in found] == sorted((one.equity for one in found), reverse=True)
        for one in found[: amount(2, 6) if plies == 2 else 6]:
            expected = recursion.after(net, reached(board, seat, one.move, dice), COLOURS[seat], plies)
            assert one.equity == pytest.approx(recursion.equity(expected), abs=CLOSE)
            assert one.plies == plies
            if len(expected) == 5:
                outcomes = one.outcomes
                assert [outcomes.win, outcomes.gammon, outcomes.backgammon] == pytest.approx(expected[:3], abs=CLOSE)
                assert [outcomes.gammon_lost, outcomes.backgammon_lost] == pytest.approx(expected[3:], abs=CLOSE)
            compared += 1
    assert compared >= 4


@pytest.mark.parametrize("plies", [0, 1])
def test_a_position_before_the_roll_has_the_value_of_a_plain_recursion(plies):
    net = NETS["five outputs"]
    for state in positions("hypergammon", 40)[::8]:
        board, seat, _ = parts(state)
        place = plain.of_board(board)
        if plies:
            expected = recursion.expected(net, place, COLOURS[seat], plies)
        else:
            expected = recursion.flipped(recursion.static(net, place, -COLOURS[seat]))
        found = Searcher(net, plies, pruned=False).position(board, seat)
        assert found.equity() == pytest.approx(recursion.equity(expected), abs=CLOSE)
        assert found.win == pytest.approx(expected[0], abs=CLOSE)


@pytest.mark.parametrize("name", ["champion", "deep"])
@pytest.mark.parametrize("plies", [1, 2, 3])
def test_a_player_that_searches_makes_the_play_that_the_analysis_values_most(name, plies):
    contestant = find_player(GAME, f"{name}+{plies}ply")
    chooser, searcher = Chooser(GAME, contestant), Searcher(contestant.net, plies)
    for state in positions("standard", amount(12, 40), every=9)[:: 1 if plies < 3 else 4]:
        best = searcher.plays(*parts(state))[0]
        chosen = chooser.choose(state)
        assert chosen == best.move


def test_filters_and_the_small_network_change_no_more_than_a_thousandth():
    """The figures are measured by `python -m benchmarks.backgammon_search`; here, on few positions, that they are small."""
    net, losses = find_player(GAME, "deep").net, []
    quick, whole = Searcher(net, 1), Searcher(net, 1, filtered=False, pruned=False)
    for state in positions("standard", 12, every=9):
        values = {one.move: one.equity for one in whole.plays(*parts(state))}
        losses.append(max(values.values()) - values[quick.plays(*parts(state))[0].move])
    assert np.mean(losses) < 1e-3


def test_what_the_cache_holds_changes_no_value():
    searcher = Searcher(find_player(GAME, "champion").net, 2)
    board, seat, dice = parts(positions("standard", 12, every=9)[5])
    moves = [one.move for one in searcher.plays(board, seat, dice)][:4]
    task = searcher.task(0)

    def valued(order, forget):
        found = {}
        for move in order:
            if forget:
                search.forget_positions(task.ints)
            found[move] = search.play_at(board, seat, move, dice, 2, task)
        return found

    afresh = valued(moves, True)
    assert afresh == valued(moves, False) == valued(moves[::-1], False) == valued(moves, True)


def test_plays_that_are_asked_for_are_searched_to_the_end():
    searcher = Searcher(find_player(GAME, "champion").net, 2)
    for state in positions("standard", 4, every=9):
        found = searcher.plays(*parts(state))
        assert len({one.move for one in found}) == len(found) == len(legal_moves(GAME, state))
        also = searcher.plays(*parts(state), also=[found[-1].move])
        assert {one.plies for one in also if one.move == found[-1].move} == {2}


# Endings.


def ending(mover, other):
    return np.array([side(mover), side(other)], np.int8)


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("texts", [("6:2 3 1:3", "5:3 2:2"), ("1:2", "1:15"), ("6:9 5:4", "6:10 4:3 1")])
def test_where_both_sides_bear_off_the_tables_say_the_outcomes(texts, plies):
    board = ending(*texts)
    race = Race(*map(tuple, board.tolist()))
    searcher = Searcher(find_player(GAME, "champion").net, plies)
    for seat, sides in ((0, board), (1, board[::-1])):
        found, expected = searcher.position(np.ascontiguousarray(sides), seat), race.outcomes()
        close = (
            1e-6 if race.short or plies == 0 else 2e-3
        )  # tables of one side are approximations: deeper is more exact
        assert (found.win, found.gammon, found.gammon_lost) == pytest.approx((*expected[:2], expected[3]), abs=close)
        assert found.backgammon == found.backgammon_lost == 0


def test_a_side_without_a_checker_off_that_has_fewer_than_fifteen_may_lose_a_gammon():
    """With three checkers each and none off, no table has the position: the network values it."""
    board = np.zeros((2, 26), np.int8)
    board[:, 1:4] = 1
    champion = find_player(GAME, "champion").net
    found = Searcher(champion, 0).position(board, 0)
    assert found.win != pytest.approx(Race(side("3 2 1"), side("3 2 1")).outcomes()[0], abs=1e-6)


@pytest.mark.parametrize("plies", [-1, 4, 1.5, "2"])
def test_a_depth_that_does_not_exist_is_refused(plies):
    with pytest.raises(UserError, match="must be from 0 to 3"):
        Searcher(NETS["deep"], plies)
