"""Backgammon tables to test at: states in which something is to be played, random games, and what a refusal says."""

import random
import re

import numpy as np
import pytest

from sparring.errors import UserError
from sparring.games.backgammon import GAME, rules
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon.game_record import record_of
from sparring.games.backgammon.notation import Roll
from sparring.games.backgammon.positions import STARTS
from sparring.games.game import apply_move
from sparring.kernel.records import records

STANDARD = "24:2 13:5 8:3 6:5"
XGID = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"  # of the standard start
ONE_LINE = re.compile(r"[^\n]+")


def side(text, off=None):
    """26 places from "24:2 13 bar:1"; what is on no point is off."""
    places = [0] * board_plays.PLACES
    for word in text.split():
        place, _, count = word.partition(":")
        places[board_plays.BAR if place == "bar" else int(place)] += int(count or 1)
    places[board_plays.OFF] = board_plays.CHECKERS - sum(places) if off is None else off
    return tuple(places)


def table(mover, other, dice):
    """A state in which seat 0 has rolled."""
    state = np.zeros(1, rules.State)
    state["board"][0] = (side(mover), side(other))
    state["dice"] = dice
    return state[0]


def begun(start="standard", deal=0, single=0):
    state = np.zeros(1, rules.State)
    state["rules"]["board"] = (STARTS[start].mover, STARTS[start].other)
    state["rules"]["single"] = single
    with np.errstate(over="ignore"):
        rules.start(records(state)[0], np.uint64(1), deal, 0, 2)
    return state


def random_moves(state, seed):
    """A game of random plays, from a state that is left at the game's end."""
    chooser = random.Random(seed)
    while not state[0]["over"]:
        move = chooser.choice(Roll.of(state[0]).legal())
        yield state[0], move
        apply_move(rules, state, move)


def random_game(start="standard", deal=0, single=0):
    moves = tuple(move for _, move in random_moves(begun(start, deal, single), deal))
    return record_of(GAME, begun(start, deal, single), moves).text()


def refusal(call, *args):
    with pytest.raises(UserError, match=ONE_LINE) as caught:
        call(*args)
    message = str(caught.value)
    assert "\n" not in message
    return message
