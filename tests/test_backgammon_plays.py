"""The plays listed from sets of places: the same, in the same order, as those listed point by point."""

import numpy as np
import pytest

import backgammon_listed as listed
from amounts import amount
from sparring.games import find_game
from sparring.games.backgammon import plays, rules
from sparring.games.backgammon.players import any_play
from sparring.kernel.compiler import INTERPRETED, kernel
from sparring.kernel.random import below, key, step
from sparring.kernel.records import call_kernel, records

POSITIONS = 200 if INTERPRETED else amount(120_000, 2_000_000)  # interpreted rules are a thousand times slower
GAMES = 2 if INTERPRETED else amount(1000, 20_000)
KINDS = {  # checkers of a side, and its highest place
    "anywhere": (15, 25),
    "few": (3, 25),
    "bear-off": (15, 6),
    "nearly home": (15, 9),
    "a few at the end": (4, 7),
}
PASSES, ONE_DIE, SMALLER_FIRST, LESS_THAN_FOUR, FOUR, ON_BAR, BORNE_OFF = range(7)  # what positions have


@kernel
def lay(board, stream, most, top):
    """Checkers of both sides on at most nine places each; returns the advanced stream."""
    for seat in range(2):
        for place in range(plays.PLACES):
            board[seat, place] = 0
    for seat in range(2):
        stream = step(stream)
        places, places_from = 1 + below(stream, 9), stream
        for _ in range(most):
            stream = step(stream)
            place = below(key(places_from, below(stream, places)), top + 1)
            if place == plays.OFF or place == plays.BAR or seat == 0 or board[0, plays.BAR - place] == 0:
                board[seat, place] += 1
    return stream


@kernel
def same_plays(board, seat, larger, smaller, expected, out, seen):
    """Whether all plays are the same, and each of them alone, and the number of them."""
    count = listed.plays(board, seat, larger, smaller, expected)
    if plays.plays(board, seat, larger, smaller, out) != count:
        return False
    for i in range(count):
        if out[i] != expected[i]:
            return False
    if plays.some_plays(board, seat, larger, smaller, plays.NONE, out) != count:
        return False
    for i in range(count):
        plays.some_plays(board, seat, larger, smaller, i, out)
        if out[0] != expected[i]:
            return False
    note(board, seat, larger == smaller, expected, count, seen)
    return True


@kernel
def note(board, seat, doubles, expected, count, seen):
    last = expected[count - 1]
    seen[PASSES] += last == plays.PASS
    seen[ON_BAR] += board[seat, plays.BAR] > 0
    seen[BORNE_OFF] += board[seat, plays.OFF] > 0
    if doubles and last != plays.PASS:
        seen[FOUR if plays.doubles_points(last)[3] > 0 else LESS_THAN_FOUR] += 1
    elif last >= plays.SMALLER_FIRST:
        seen[SMALLER_FIRST] += 1
        seen[ONE_DIE] += (last - plays.SMALLER_FIRST) % plays.PLACES == 0


@kernel
def compare_made_up(stream, positions, most, top, board, expected, out, seen):
    """The first position whose plays differ, or the number of positions."""
    for i in range(positions):
        stream = step(lay(board, stream, most, top))
        one, two = below(stream, 6) + 1, below(key(stream, 1), 6) + 1
        if not same_plays(board, below(key(stream, 2), 2), max(one, two), min(one, two), expected, out, seen):
            return i
    return positions


@kernel
def compare_games(s, games, seed, expected, out, seen):
    """Games of random players; the number of rolls, negative if the plays of the last one differ."""
    rolls = 0
    for deal in range(games):
        rules.start(s, seed, deal, deal, 2)
        while s.over == 0:
            rolls += 1
            if not same_plays(s.board, s.turn, s.dice[0], s.dice[1], expected, out, seen):
                return -rolls
            rules.apply(s, any_play(s, out))
    return rolls


def rooms():
    return np.zeros(plays.MOST_PLAYS, np.int64), np.zeros(plays.MOST_PLAYS, np.int64), np.zeros(7, np.int64)


@pytest.mark.parametrize("kind", KINDS)
def test_plays_of_made_up_positions_are_those_listed_point_by_point(kind):
    board, room = np.zeros((2, plays.PLACES), np.int8), rooms()
    count = POSITIONS // len(KINDS)
    assert call_kernel(compare_made_up, np.uint64(7), count, *KINDS[kind], board, *room) == count, board.tolist()
    wanted = [PASSES, FOUR, LESS_THAN_FOUR, BORNE_OFF] + (
        [ON_BAR, ONE_DIE, SMALLER_FIRST] if kind == "anywhere" else []
    )
    assert INTERPRETED or (room[2][wanted] > 0).all(), room[2].tolist()


@pytest.mark.parametrize("start", ["standard", "hypergammon", "study-table-1"])
def test_plays_of_random_games_are_those_listed_point_by_point(start):
    state, room = find_game(f"backgammon:start={start}").template.copy(), rooms()
    rolls = call_kernel(compare_games, records(state)[0], GAMES, np.uint64(3), *room)
    assert rolls > 10 * GAMES, (state["board"].tolist(), state["dice"].tolist())


def test_codes_of_doubles_are_read_as_they_were_written():
    codes = np.arange(plays.DOUBLES, plays.CODES) if not INTERPRETED else np.arange(plays.DOUBLES, plays.CODES, 97)
    for code in codes.tolist():
        points = plays.doubles_points(code)
        assert points == listed.doubles_points(code) and plays.doubles_code(*points) == code
