"""How networks play for stakes: plays and actions by the value of the cube and the score (see cube.py).

A network with five outputs gives the chances of single games, gammons and backgammons; one with a single output only how often it
wins. Players that know no chances roll, take every double and refuse every resignation.
"""

import numpy as np

from sparring.games.backgammon import nets
from sparring.games.backgammon.cube_value import (
    MATCH_EQUITIES,
    MIDDLE,
    MOVER,
    OTHER,
    CubeRules,
    best_value,
    cube_value,
    efficiency,
    shares_of,
    worth,
)
from sparring.games.backgammon.encodings import CUBE, OFF_ROLL, OFFERED, ON_ROLL, OWN_CUBE, THEIR_CUBE, by_steps
from sparring.games.backgammon.nets import SUMS
from sparring.games.backgammon.plays import OFF, borne_off, make_play, points_won, unmake_play
from sparring.games.backgammon.rules import (
    ACCEPT,
    BEAVER,
    BEAVERED,
    BEFORE_ROLL,
    DOUBLE,
    DOUBLED,
    DROP,
    LARGEST,
    NOBODY,
    NOW,
    REFUSE,
    RESIGN,
    RESIGNED,
    ROLL,
    TAKE,
    actions,
    can_double,
    counted,
)
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import LINEAR
from sparring.kernel.vectors import add_scaled

WON = 4.0 * LARGEST  # more points than a game can lose


@inline_kernel
def has_stakes(s):
    """Whether plays depend on more than the points of the game."""
    return s.rules.doubling != 0 or s.rules.length != 0


@inline_kernel
def by_formula(s, player):
    """Whether a network's plays are valued by its chances, the cube and the score."""
    return has_stakes(s) and player.kind != LINEAR and player.encoding != CUBE


@inline_kernel
def rules_for(s, seat):
    """What the value of the cube depends on, as a seat sees it."""
    length, frozen = s.rules.length, 1 if s.rules.doubling == 0 or s.crawford == NOW else 0
    mine, theirs = (length - s.points[seat], length - s.points[1 - seat]) if length else (0, 0)
    return CubeRules((mine, theirs), frozen, s.rules.jacoby, MATCH_EQUITIES)


@inline_kernel
def owner_for(s, seat):
    return MIDDLE if s.owner == NOBODY else (MOVER if s.owner == seat else OTHER)


@inline_kernel
def possible(board, seat, chances):
    """Chances in double precision, without gammons that cannot be; for the seat and the board that they are of."""
    win, gammon, backgammon, lost, lost_all = chances
    win = min(max(1.0 * win, 0.0), 1.0)
    gammon = min(1.0 * gammon, win) if board[1 - seat, OFF] == 0 else 0.0
    lost = min(1.0 * lost, 1.0 - win) if board[seat, OFF] == 0 else 0.0
    return win, gammon, min(1.0 * backgammon, gammon), lost, min(1.0 * lost_all, lost)


@inline_kernel
def whole(s):
    """What the values of both seats add up to."""
    return 1.0 if s.rules.length else 0.0


@kernel
def value_after(s, seat, chances):
    """The value for a seat of the position after its play, when the other is on roll and may double."""
    other = 1 - seat
    win, gammon, backgammon, lost, lost_all = possible(s.board, seat, chances)
    shares = shares_of(1.0 - win, lost, lost_all, gammon, backgammon)
    sharp = efficiency(s.board, other)
    return whole(s) - best_value(1.0 - win, s.cube, owner_for(s, other), sharp, rules_for(s, other), shares)


@kernel
def value_of_play(s, move, player, weights, scratch, int_scratch):
    """The value of a play for the seat to move, after `nets.prepare_plays`."""
    board, seat, larger, smaller = s.board, s.turn, s.dice[0], s.dice[1]
    at = SUMS + player.hidden
    if by_steps(player.encoding):
        hits = nets.make_play_with_sums(board, seat, move, larger, smaller, player, weights, scratch, SUMS, at)
    else:
        hits = make_play(board, seat, move, larger, smaller)
        nets.board_sums(board, seat, player, weights, scratch, at, int_scratch)
    if board[seat, OFF] > 0 and borne_off(board, seat):
        value = worth(MOVER, counted(s, points_won(board, seat)) * s.cube, rules_for(s, seat))
    else:
        value = value_after(s, seat, nets.chances_of(player, weights, scratch, at))
    unmake_play(board, seat, move, larger, smaller, hits)
    return value


@kernel
def chances_on_roll(board, seat, player, weights, scratch, int_scratch):
    """The chances of the side on roll: those of the other, which has just played, turned round."""
    at = SUMS + player.hidden
    nets.board_sums(board, 1 - seat, player, weights, scratch, at, int_scratch)
    won, gammon, backgammon, lost, lost_all = nets.chances_of(player, weights, scratch, at)
    return possible(board, seat, (1.0 - won, 1.0 * lost, 1.0 * lost_all, 1.0 * gammon, 1.0 * backgammon))


@kernel
def best_action(s, chances, int_scratch):
    """The action of a seat that knows the chances of the side on roll: the best, or the first of equals."""
    count = actions(s, int_scratch)
    best, top = int_scratch[0], -WON
    for k in range(count):
        value = action_value(s, int_scratch[k], chances)
        if value > top:
            best, top = int_scratch[k], value
    return best


@inline_kernel
def on_roll(s):
    """The seat that has to roll, or would have."""
    return s.turn if s.phase in (BEFORE_ROLL, BEAVERED) else 1 - s.turn


@kernel
def action_value(s, move, chances):
    """The value of an action for the seat to move, by the chances of the side on roll."""
    win, shares = chances[0], shares_of(chances[0], chances[1], chances[2], chances[3], chances[4])
    seat = on_roll(s)
    rules, owner, sharp = rules_for(s, seat), owner_for(s, seat), efficiency(s.board, seat)
    if move == ROLL:
        value = cube_value(win, s.cube, owner, sharp, rules, shares)
    elif move == REFUSE:
        value = best_value(win, s.cube, owner, sharp, rules, shares)
    elif move == BEAVER or s.phase == BEAVERED:
        taken, dropped = cube_value(win, 4 * s.cube, OTHER, sharp, rules, shares), worth(MOVER, -2 * s.cube, rules)
        value = max(taken, dropped) if move == BEAVER else (taken if move == TAKE else dropped)
    elif move == ACCEPT or move > RESIGN:
        points = s.offered if move == ACCEPT else move - RESIGN
        value = worth(MOVER, -counted(s, points) * s.cube, rules)
    else:
        taken, cash = cube_value(win, 2 * s.cube, OTHER, sharp, rules, shares), worth(MOVER, s.cube, rules)
        value = min(taken, cash) if move == DOUBLE else (taken if move == TAKE else cash)
    return value if s.turn == seat else whole(s) - value


@inline_kernel
def plain_action(s):
    """The action of a player that knows no chances."""
    return ROLL if s.phase == BEFORE_ROLL else (REFUSE if s.phase == RESIGNED else TAKE)


# Networks that have learned what the cube is worth (encoding `cube`): values are shares of a backgammon with the present cube.


@inline_kernel
def add_input(number, sign, player, weights, scratch, at):
    add_scaled(scratch, at, weights, player.offset + number * player.hidden, np.float32(sign), player.hidden)


@inline_kernel
def add_owner(s, seat, player, weights, scratch, at):
    """Add the inputs that tell who owns the cube to the sums of the first layer."""
    if s.owner != NOBODY:
        add_input(OWN_CUBE if s.owner == seat else THEIR_CUBE, 1.0, player, weights, scratch, at)


@kernel
def learned_value(s, move, player, weights, scratch, int_scratch):
    """The value of an action for the seat to move."""
    if move == DROP:
        return -1.0 / nets.WON
    seat, at = s.turn, SUMS + player.hidden
    nets.board_sums(s.board, seat, player, weights, scratch, at, int_scratch)
    if move == TAKE:
        add_input(OWN_CUBE, 1.0, player, weights, scratch, at)
        return 2.0 * nets.last_layer(player, weights, scratch, at)
    add_owner(s, seat, player, weights, scratch, at)
    if move == DOUBLE:
        add_input(OFFERED, 1.0, player, weights, scratch, at)
    else:
        add_input(OFF_ROLL, -1.0, player, weights, scratch, at)
        add_input(ON_ROLL, 1.0, player, weights, scratch, at)
    return 1.0 * nets.last_layer(player, weights, scratch, at)


@kernel
def learned_action(s, player, weights, scratch, int_scratch):
    """The action of a network that has learned the cube; of beavers and resignations it knows nothing."""
    if s.phase == DOUBLED:
        takes = learned_value(s, TAKE, player, weights, scratch, int_scratch) >= -1.0 / nets.WON
        return TAKE if takes else DROP
    if s.phase != BEFORE_ROLL or not can_double(s, s.turn):
        return plain_action(s)
    rolled = learned_value(s, ROLL, player, weights, scratch, int_scratch)
    return DOUBLE if learned_value(s, DOUBLE, player, weights, scratch, int_scratch) > rolled else ROLL
