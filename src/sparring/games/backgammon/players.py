"""Backgammon players: random, the study's simple player, pubeval, and nets under three policies."""

from sparring.games.backgammon import nets
from sparring.games.backgammon.checkers import (
    BY_CHECKER,
    LOOK_AHEAD,
    NET,
    PUBEVAL,
    RANDOM_BY_CHECKER,
    SIMPLE,
    SIMPLE_NO_HIT,
    by_checker,
    chance,
)
from sparring.games.backgammon.pubeval import pubeval_play
from sparring.games.backgammon.rules import MOST_PLAYS, borne_off, make_play, moves, plays, unmake_play
from sparring.kernel.compiler import kernel
from sparring.kernel.subwarp import subwarp_best, subwarp_rank, subwarp_size

ABOUT = {  # in the order of the policies' numbers in checkers.py
    "random": "every position that the roll can reach is equally likely",
    "simple": "the study's rules, checker by checker: bear off, hit, fewer blots, no new blots, nearest home",
    "pubeval": "Tesauro's linear benchmark",
    "simple-no-hit": "simple without the rule to hit: the nearest to the study's figures",
    "random-by-checker": "the study's random player: every step of a checker is equally likely",
    "net+by-checker": "a network that values the position after each checker's step, as the study's does",
    "net+1ply": "a network that looks one ply further: the other side's best reply to each of its 21 rolls",
    "net": "a trained network that values every play: name a net file or a run",
}
SECOND = MOST_PLAYS  # where a second list of plays, or a net's inputs, lie in the working room
INT_SCRATCH = 2 * MOST_PLAYS + nets.INT_SCRATCH
WORST = -1e9


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The play of the seat whose turn it is; `room` and `integers` are working room."""
    policy = player.policy
    if policy in (SIMPLE, SIMPLE_NO_HIT, RANDOM_BY_CHECKER, BY_CHECKER):
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


# Nets over whole plays.


@kernel
def net_play(s, player, weights, offered, count, scratch):
    best, top = count, WORST
    nets.prepare_plays(s.board, s.turn, player, weights, scratch, offered, SECOND)
    for i in range(subwarp_rank(), count, subwarp_size()):
        value = nets.play_value(
            s.board, s.turn, offered[i], s.dice[0], s.dice[1], player, weights, scratch, offered, SECOND, s.rules.single
        )
        if value > top:
            best, top = i, value
    best = subwarp_best(top, best)[1]
    return offered[best if best < count else 0]  # no value may be above the worst: values can be no numbers


@kernel
def look_ahead(s, player, weights, offered, count, scratch):
    """The play after which the other side's best replies are worth the least to it, over its 21 rolls."""
    board, seat = s.board, s.turn
    best, top = offered[0], WORST
    for i in range(count):
        hits = make_play(board, seat, offered[i], s.dice[0], s.dice[1])
        if borne_off(board, seat):
            value = nets.worth_of_winning(board, seat, s.rules.single)
        else:
            value = -expected_reply(board, 1 - seat, player, weights, scratch, offered[SECOND:], s.rules.single)
        unmake_play(board, seat, offered[i], s.dice[0], s.dice[1], hits)
        if value > top:
            best, top = offered[i], value
    return best


@kernel
def expected_reply(board, seat, player, weights, scratch, int_scratch, single):
    """What a side to roll can expect from its best plays."""
    nets.prepare_plays(board, seat, player, weights, scratch, int_scratch, SECOND)
    total = 0.0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            count = plays(board, seat, larger, smaller, int_scratch)
            top = WORST
            for i in range(count):
                value = nets.play_value(
                    board, seat, int_scratch[i], larger, smaller, player, weights, scratch, int_scratch, SECOND, single
                )
                top = max(top, value)
            total += top if larger == smaller else 2.0 * top
    return total / 36.0
