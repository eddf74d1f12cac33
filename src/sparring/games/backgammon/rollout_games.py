"""The games of a rollout: both sides play by the network's own choice, and luck is measured at every roll.

Luck is what the network makes of a roll: the outcomes of its best play minus their mean over all rolls. Its expectation is 0, so an
outcome minus all luck has the same mean as the outcome and varies much less. Games differ in their dice alone, and candidates have
the same dice: the first roll and the second are stratified, so that every 36 games have each first roll once, and every 1,296
games each pair of rolls.
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.games.backgammon.outcomes import NOTHING, UNKNOWN, add, flipped
from sparring.games.backgammon.plays import PLACES, make_play
from sparring.games.backgammon.replies import best_reply, prepare
from sparring.games.backgammon.search import decided
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, key

SIDES = 36  # rolls of two dice that are told apart
STRIDE = 17  # coprime to 36: mixes the second rolls of consecutive games
FIRST_ROLL, SECOND_ROLL, LATER = range(3)  # purposes of random numbers
LONGEST = 4000  # turns of a game: the outcomes of one that lasts longer are the network's


@inline_kernel
def roll_of(seed, game, turn):
    """The dice of a game's turn, the larger first."""
    if turn == 0:
        number = (game + below(key(seed, FIRST_ROLL), SIDES)) % SIDES
    elif turn == 1:
        number = (STRIDE * (game // SIDES) + below(key(key(seed, SECOND_ROLL), game % SIDES), SIDES)) % SIDES
    else:
        number = below(key(key(key(seed, LATER), game), turn), SIDES)
    one, two = number // 6 + 1, number % 6 + 1
    return max(one, two), min(one, two)


@inline_kernel
def play_turn(board, seat, dice, lucky, task):
    """The network's play of a roll, its outcomes for the side that plays, and how much better they are than the mean if `lucky`."""
    home = prepare(board, seat, task)
    if not lucky:
        move, found = best_reply(board, seat, dice, home, task)
        return move, found, NOTHING
    move, found, mean = np.int64(0), UNKNOWN, NOTHING
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            best, outcomes = best_reply(board, seat, (larger, smaller), home, task)
            mean = add(mean, (1.0 if larger == smaller else 2.0) / 36.0, outcomes)
            if larger == dice[0] and smaller == dice[1]:
                move, found = best, outcomes
    return move, found, add(found, -1.0, mean)


class Setting(NamedTuple):
    """What all games of a launch share."""

    seat: Any  # on roll at first, whose outcomes are written
    begin: Any  # the number of the first game
    games: Any  # of each board
    seed: Any
    turns: Any  # after which the network's value ends a game
    lucky: Any  # whether luck is measured


@kernel
def play_out(board, game, setting, task):
    """Play one game from a position; the outcomes and the luck of the side on roll."""
    exact, luck, mover = decided(board, 1 - setting.seat, task), NOTHING, setting.seat
    if exact[0] >= 0.0:
        return flipped(exact), luck
    found = UNKNOWN
    for turn in range(setting.turns):
        dice = roll_of(setting.seed, game, turn)
        move, found, gained = play_turn(board, mover, dice, setting.lucky, task)
        make_play(board, mover, move, dice[0], dice[1])
        if mover != setting.seat:
            found, gained = flipped(found), (-gained[0], gained[3], gained[4], gained[1], gained[2])
        luck = add(luck, 1.0, gained)
        exact = decided(board, mover, task)
        if exact[0] >= 0.0:
            return exact if mover == setting.seat else flipped(exact), luck
        mover = 1 - mover
    return found, luck


@kernel
def roll_out(first, last, boards, board, setting, task, results, lucks):
    """Play games `first` to `last` of all boards, one after the other, and write outcomes and luck."""
    for i in range(first, last):
        which, game = i // setting.games, i % setting.games
        for side in range(2):
            for place in range(PLACES):
                board[side, place] = boards[which, side, place]
        found, luck = play_out(board, setting.begin + game, setting, task)
        for k in range(5):
            results[which, game, k], lucks[which, game, k] = found[k], luck[k]
