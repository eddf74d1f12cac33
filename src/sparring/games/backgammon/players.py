"""Backgammon policies: random, the study's simple player, pubeval, and three policy variants for networks."""

from sparring.games.backgammon import nets
from sparring.games.backgammon.by_checker import (
    BY_CHECKER,
    LOOK_AHEAD,
    NET,
    PUBEVAL,
    RANDOM,
    RANDOM_BY_CHECKER,
    SIMPLE,
    SIMPLE_NO_HIT,
    SIMPLE_PUBLISHED,
    by_checker,
)
from sparring.games.backgammon.cube_play import (
    add_owner,
    by_formula,
    learned_action,
    net_action,
    plain_action,
    value_of_play,
)
from sparring.games.backgammon.encodings import CUBE
from sparring.games.backgammon.plays import MOST_PLAYS, borne_off, make_play, plays, unmake_play
from sparring.games.backgammon.pubeval import pubeval_play
from sparring.games.backgammon.rules import PLAYING, moves
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import LINEAR
from sparring.kernel.random import chance
from sparring.kernel.subwarp import subwarp_best, subwarp_rank, subwarp_size

POLICIES = {  # numbered as in by_checker.py
    "random": "chooses uniformly among the positions that the roll can reach",
    "simple": "the study's rules, one checker at a time: bear off, hit, reduce blots, add no blot, move nearest home",
    "pubeval": "Tesauro's linear benchmark",
    "simple-no-hit": "simple without the rule to hit",
    "simple-published": "the study's simple player by its figures: a step that leaves fewer blots, else a random one",
    "random-by-checker": "the study's random player: chooses uniformly among the steps of one checker at a time",
    "net+by-checker": "a network that evaluates the position after each checker's step, as in the study",
    "net+1ply": "a network with one ply of lookahead: the opponent's best reply to each of its 21 rolls",
    "net": "a trained network that evaluates every play; name a net file or a run",
}
REPLIES = MOST_PLAYS  # in the integers: a second list of plays, with inputs after it
INT_SCRATCH = REPLIES + nets.INT_SCRATCH
WORST = -1e9


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat to move."""
    policy = player.policy
    if s.phase != PLAYING:
        return action(s, player, weights, scratch, int_scratch)
    if policy in (SIMPLE, SIMPLE_NO_HIT, SIMPLE_PUBLISHED, RANDOM_BY_CHECKER, BY_CHECKER):
        return by_checker(s, player, weights, scratch, int_scratch)
    count = moves(s, int_scratch)
    if count == 1:
        return int_scratch[0]
    if policy == NET:
        return net_play(s, player, weights, int_scratch, count, scratch)
    if policy == PUBEVAL:
        return pubeval_play(s.board, s.turn, s.dice[0], s.dice[1], int_scratch, count)
    if policy == LOOK_AHEAD:
        return look_ahead(s, player, weights, int_scratch, count, scratch)
    return int_scratch[chance(s, count)]


@kernel
def action(s, player, weights, scratch, int_scratch):
    """What a player does with the cube or a resignation."""
    if player.policy == RANDOM:
        return int_scratch[chance(s, moves(s, int_scratch))]
    if player.policy >= BY_CHECKER and player.kind != LINEAR:
        if player.encoding == CUBE:
            return learned_action(s, player, weights, scratch, int_scratch)
        return net_action(s, player, weights, scratch, int_scratch)
    return plain_action(s)


@kernel
def net_play(s, player, weights, offered, count, scratch):
    """The play of the highest value."""
    best, top, single, staked = count, WORST, s.rules.single, by_formula(s, player)
    nets.prepare_plays(s.board, s.turn, player, weights, scratch, offered)
    if player.encoding == CUBE:
        add_owner(s, s.turn, player, weights, scratch, nets.SUMS)
    for i in range(subwarp_rank(), count, subwarp_size()):
        if staked:
            value = value_of_play(s, offered[i], player, weights, scratch, offered)
        else:
            value = nets.play_value(
                s.board, s.turn, offered[i], s.dice[0], s.dice[1], player, weights, scratch, offered, single
            )
        if value > top:
            best, top = i, value
    best = subwarp_best(top, best)[1]
    return offered[best if best < count else 0]  # all values may be NaN


@kernel
def look_ahead(s, player, weights, offered, count, scratch):
    """The play after which the opponent's best replies, averaged over its 21 rolls, have the lowest value."""
    board, seat = s.board, s.turn
    best, top = offered[0], WORST
    for i in range(count):
        hits = make_play(board, seat, offered[i], s.dice[0], s.dice[1])
        if borne_off(board, seat):
            value = nets.win_value(board, seat, s.rules.single)
        else:
            value = -expected_reply(board, 1 - seat, player, weights, scratch, offered[REPLIES:], s.rules.single)
        unmake_play(board, seat, offered[i], s.dice[0], s.dice[1], hits)
        if value > top:
            best, top = offered[i], value
    return best


@kernel
def expected_reply(board, seat, player, weights, scratch, int_scratch, single):
    """The expected value of the best play, for the side to roll."""
    nets.prepare_plays(board, seat, player, weights, scratch, int_scratch)
    total = 0.0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            count = plays(board, seat, larger, smaller, int_scratch)
            top = WORST
            for i in range(count):
                value = nets.play_value(
                    board, seat, int_scratch[i], larger, smaller, player, weights, scratch, int_scratch, single
                )
                top = max(top, value)
            total += top if larger == smaller else 2.0 * top
    return total / 36.0
