"""Pubeval: Gerald Tesauro's public-domain linear benchmark, with 122 weights for races and 122 for contact positions.

Five inputs for each of the player's points, from 24 down: an opposing blot, an own blot, two or more own checkers, exactly
three, half the number above three; then half the opponent's checkers on the bar and the player's share of checkers borne off.
The position before the play decides between race and contact.
"""

import csv
from importlib.resources import files

import numpy as np

from sparring.games.backgammon.plays import BAR, OFF, PLACES, borne_off, make_play, unmake_play
from sparring.kernel.compiler import kernel


def _weights(kind: str) -> np.ndarray:
    rows = csv.DictReader((files("sparring.games.backgammon") / "pubeval.csv").read_text().splitlines())
    return np.array([float(row[kind]) for row in rows])


RACE, CONTACT = _weights("race"), _weights("contact")
OUTRIGHT = 1e9  # a play that bears off the last checker


@kernel
def back_checker(board, seat):
    for place in range(BAR, 0, -1):
        if board[seat, place] > 0:
            return place
    return 0


@kernel
def is_race(board):
    """Whether all checkers have passed those of the other side."""
    return back_checker(board, 0) + back_checker(board, 1) < PLACES - 1


@kernel
def pubeval_value(board, seat, race):
    if board[seat, OFF] > 0 and borne_off(board, seat):
        return OUTRIGHT
    weights = RACE if race else CONTACT
    value = weights[120] * board[1 - seat, BAR] / 2.0 + weights[121] * board[seat, OFF] / 15.0
    for place in range(1, BAR):
        first = 5 * (BAR - place) - 5
        mine = board[seat, place]
        if mine == 0:
            if board[1 - seat, BAR - place] == 1:
                value += weights[first]
        elif mine == 1:
            value += weights[first + 1]
        else:
            value += weights[first + 2]
            if mine == 3:
                value += weights[first + 3]
            elif mine > 3:
                value += weights[first + 4] * (mine - 3) / 2.0
    return value


@kernel
def pubeval_play(board, seat, larger, smaller, moves, count):
    """The play of the highest value."""
    race = is_race(board)
    best, top = moves[0], -OUTRIGHT
    for i in range(count):
        hits = make_play(board, seat, moves[i], larger, smaller)
        value = pubeval_value(board, seat, race)
        unmake_play(board, seat, moves[i], larger, smaller, hits)
        if value > top:
            best, top = moves[i], value
    return best
