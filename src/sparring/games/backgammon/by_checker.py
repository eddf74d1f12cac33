"""Players that move one checker at a time, as all of the study's players do: simple, random and networks.

Every step begins a legal play, so these players follow the same rules as those that choose among whole plays.
"""

import numpy as np

from sparring.games.backgammon.encodings import MIRRORED, SHARES, checkers_left
from sparring.games.backgammon.nets import LINEAR_VECTOR, linear_vector, net_value
from sparring.games.backgammon.places import after_step, has, leaving, places_of
from sparring.games.backgammon.plays import (
    BAR,
    OFF,
    PASS,
    PLACES,
    SMALLER_FIRST,
    doubles_code,
    move_checker,
    take_back,
)
from sparring.kernel.bits import count_bits
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import LINEAR
from sparring.kernel.random import chance

RANDOM, SIMPLE, PUBEVAL, SIMPLE_NO_HIT, SIMPLE_PUBLISHED, RANDOM_BY_CHECKER, BY_CHECKER = range(7)
ONE_PLY, TWO_PLY, THREE_PLY, NET = range(7, 11)
WORST = -1e9
RANK = 100  # more than the steps of a roll


@kernel
def by_checker(s, player, weights, scratch, int_scratch):
    """A play made of steps, each the best for this player. Ties go to the larger die, then to the checker nearest home."""
    if player.policy == BY_CHECKER and player.kind == LINEAR:
        linear_vector(player, weights, scratch)
    if s.dice[0] == s.dice[1]:
        return doubles_by_checker(s, player, weights, scratch, int_scratch)
    move = both_by_checker(s, player, weights, scratch, int_scratch)
    if move == PASS:
        move = PLACES * best_step(s, player, weights, s.dice[0], 0, scratch, int_scratch)[0]
    if move == PASS:
        move = PLACES * best_step(s, player, weights, s.dice[1], 0, scratch, int_scratch)[0]
        if move > PASS:
            move += SMALLER_FIRST
    return move


@kernel
def doubles_by_checker(s, player, weights, scratch, int_scratch):
    """As many equal steps as possible, up to four."""
    pips, board, seat = s.dice[0], s.board, s.turn
    a = b = c = d = hits = 0
    for k in range(4):
        point = best_step(s, player, weights, pips, 0, scratch, int_scratch)[0]
        if point == 0:
            break
        if move_checker(board, seat, point, pips):
            hits |= 1 << k
        a, b, c, d = point, a, b, c
    steps = (a > 0) + (b > 0) + (c > 0) + (d > 0)
    points = (a, b, c, d)
    for k in range(steps):
        take_back(board, seat, points[k], pips, hits >> (steps - 1 - k) & 1 == 1)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return doubles_code(a, b, c, d) if a > 0 else PASS


@kernel
def both_by_checker(s, player, weights, scratch, int_scratch):
    """A play of two different dice, or PASS: the first step uses either die, if the other can then be played."""
    larger, smaller, board, seat = s.dice[0], s.dice[1], s.board, s.turn
    first, pips = best_step(s, player, weights, larger, smaller, scratch, int_scratch)
    if first == 0:
        return PASS
    other = smaller if pips == larger else larger
    hit = move_checker(board, seat, first, pips)
    second = best_step(s, player, weights, other, 0, scratch, int_scratch)[0]
    take_back(board, seat, first, pips, hit)
    if pips == larger:
        return larger_first(board, seat, larger, smaller, first, second)
    return smaller_first(board, seat, larger, smaller, first, second, hit)


@kernel
def larger_first(board, seat, larger, smaller, first, second):
    """The legal play equal to these two steps, the larger die first: one checker's, if that reaches the same position."""
    way = second - larger
    if first == second - smaller and way > OFF and board[1 - seat, BAR - way] == 0:
        if is_play(board, seat, second, larger, way, smaller):
            return second * PLACES + way
    return first * PLACES + second


@kernel
def smaller_first(board, seat, larger, smaller, first, second, hit):
    """The legal play equal to these two steps, the smaller die first: in the other order, if that reaches the same position."""
    way = first - larger
    if is_play(board, seat, second, larger, first, smaller):
        return larger_first(board, seat, larger, smaller, second, first)
    if second == first - smaller and way > OFF and not hit and board[1 - seat, BAR - way] == 0:
        if is_play(board, seat, first, larger, way, smaller):
            return first * PLACES + way
    if first <= smaller and second <= smaller and is_play(board, seat, first, larger, second, smaller):
        return first * PLACES + second
    return SMALLER_FIRST + first * PLACES + second


@kernel
def is_play(board, seat, first, one, second, two):
    """Whether both steps can be made, in this order."""
    places = places_of(board, seat)
    if not has(leaving(places.own, places.free, one), first):
        return False
    return has(leaving(after_step(places.own, places.several, first, one), places.free, two), second)


@kernel
def best_step(s, player, weights, pips, other, scratch, int_scratch):
    """The best step's point (0 if there is none) and pips. With `other`, either die may be used if the other can follow."""
    best, best_pips, top, seen, level = 0, pips, WORST, 0, 0
    sums, places = position_sums(s.board, s.turn, player, scratch), places_of(s.board, s.turn)
    for turn in range(1 if other == 0 else 2):
        now, rest = (pips, other) if turn == 0 else (other, pips)
        leaves = leaving(places.own, places.free, now)
        # Where checkers of two points can move by the other die, one can after any step.
        tied = other > 0 and count_bits(leaving(places.own, places.free, rest)) < 2
        for point in range(1, PLACES):
            if not has(leaves, point):
                continue
            if tied and leaving(after_step(places.own, places.several, point, now), places.free, rest) == 0:
                continue
            if player.policy in (
                RANDOM_BY_CHECKER,
                SIMPLE_PUBLISHED,
            ):  # lots are drawn among the steps of the best rank
                rank = 1 if player.policy == SIMPLE_PUBLISHED and new_blots(s.board, s.turn, point, now) < 0 else 0
                seen = 1 if rank > level else seen + (rank == level)
                level = max(level, rank)
                value = 1.0 * (RANK * rank + seen) if rank == level and chance(s, seen) == 0 else WORST
            elif player.policy == BY_CHECKER:
                if has_point_weights(player):
                    value = step_by_sums(s.board, s.turn, point, now, player, scratch, sums)
                else:
                    value = step_value(s.board, s.turn, point, now, player, weights, scratch, int_scratch)
            else:
                value = simple_rank(s.board, s.turn, point, now, player.policy == SIMPLE)
            if value > top or best == 0:  # the value may be NaN
                best, best_pips, top = point, now, value
    return best, best_pips


@inline_kernel
def simple_rank(board, seat, point, pips, hits):
    """The study's ranking: bear off, hit, reduce blots, add no blot, anything else."""
    target = point - pips
    if target <= OFF:
        return 4.0
    if hits and board[1 - seat, BAR - target] == 1:
        return 3.0
    more = new_blots(board, seat, point, pips)
    return 2.0 if more < 0 else (1.0 if more == 0 else 0.0)


@inline_kernel
def new_blots(board, seat, point, pips):
    """How many own blots a step adds; negative if it covers some."""
    target, more = point - pips, 0
    if point != BAR:
        more += (board[seat, point] == 2) - (board[seat, point] == 1)
    if target > OFF:
        more += (board[seat, target] == 0) - (board[seat, target] == 1)
    return more


@kernel
def step_value(board, seat, point, pips, player, weights, scratch, int_scratch):
    """The network's value of the position after a step."""
    hit = move_checker(board, seat, point, pips)
    value = 1.0 * net_value(board, seat, player, weights, scratch, int_scratch)
    take_back(board, seat, point, pips, hit)
    return value


@inline_kernel
def has_point_weights(player):
    """Whether the network is one weight per point, so that a step changes two sums: 30 times faster than `net_value`."""
    return player.kind == LINEAR and (player.encoding == MIRRORED or player.encoding == SHARES)


@inline_kernel
def point_weight(scratch, player, seat, place):
    """The weight of an own checker on this point."""
    flipped = player.encoding == SHARES and seat == 1
    return scratch[LINEAR_VECTOR + (24 - place if flipped else place - 1)]


@inline_kernel
def position_sums(board, seat, player, scratch):
    """The weighted sums of own and opposing checkers, and how many of them are left."""
    mine = theirs = np.float32(0.0)
    left = others = 0
    if has_point_weights(player):
        left, others = checkers_left(board, seat), checkers_left(board, 1 - seat)
        for place in range(1, BAR):
            if board[seat, place] > 0:
                mine += board[seat, place] * point_weight(scratch, player, seat, place)
            if board[1 - seat, BAR - place] > 0:
                theirs += board[1 - seat, BAR - place] * point_weight(scratch, player, seat, place)
    return mine, theirs, left, others


@inline_kernel
def step_by_sums(board, seat, point, pips, player, scratch, sums):
    mine, theirs, left, others = sums
    target = point - pips
    if point != BAR:
        mine -= point_weight(scratch, player, seat, point)
    if target > OFF:
        mine += point_weight(scratch, player, seat, target)
        if board[1 - seat, BAR - target] == 1:
            theirs -= point_weight(scratch, player, seat, target)
    else:
        left -= 1
    return 1.0 * (mine / max(1, left) - theirs / max(1, others))
