"""Backgammon policies: random, the study's simple player, pubeval, and policy variants for networks."""

from functools import cache
from typing import Any

import numpy as np

from sparring.games.backgammon import nets, search
from sparring.games.backgammon.by_checker import (
    BY_CHECKER,
    ONE_PLY,
    PUBEVAL,
    RANDOM,
    RANDOM_BY_CHECKER,
    SIMPLE,
    SIMPLE_NO_HIT,
    SIMPLE_PUBLISHED,
    THREE_PLY,
    by_checker,
)
from sparring.games.backgammon.cube_play import (
    add_owner,
    best_action,
    by_formula,
    chances_on_roll,
    learned_action,
    on_roll,
    plain_action,
    possible,
    value_of_play,
)
from sparring.games.backgammon.encodings import CUBE
from sparring.games.backgammon.plays import MOST_PLAYS, NONE, some_plays
from sparring.games.backgammon.pubeval import pubeval_play
from sparring.games.backgammon.replies import Task
from sparring.games.backgammon.rules import PLAYING, moves
from sparring.games.backgammon.search import expected, forget_positions, scoring_for, search_plays
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
    "net+1ply": "a network that searches one ply: the opponent's best reply to each of its 21 rolls",
    "net+2ply": "a network that searches two plies: then its own best play of each roll",
    "net+3ply": "a network that searches three plies",
    "net": "a trained network that evaluates every play; name a net file or a run",
}
SEARCH = MOST_PLAYS  # in the integers: what a search needs, after the list of plays
INT_SCRATCH = SEARCH + search.INT_SCRATCH
WORST = -1e9


@kernel
def any_play(s, out):
    """A random play: plays are counted, and only that one is written. One call for both halves the code that a GPU runs."""
    wanted = NONE
    while True:
        count = some_plays(s.board, s.turn, s.dice[0], s.dice[1], wanted, out)
        if wanted != NONE:
            return out[0]
        wanted = chance(s, count) if count > 1 else 0


@cache
def actor(searches: bool) -> Any:
    """The kernel `action` for some players: whether some search."""

    @kernel
    def action(s, player, weights, scratch, int_scratch):
        """What a player does with the cube or a resignation."""
        if player.policy == RANDOM:
            return int_scratch[chance(s, moves(s, int_scratch))]
        if player.policy < BY_CHECKER or player.kind == LINEAR:
            return plain_action(s)
        if player.encoding == CUBE:
            return learned_action(s, player, weights, scratch, int_scratch)
        if searches:
            return best_action(s, known_chances(s, player, weights, scratch, int_scratch[SEARCH:]), int_scratch)
        chances = chances_on_roll(s.board, on_roll(s), player, weights, scratch, int_scratch[SEARCH:])
        return best_action(s, chances, int_scratch)

    return action


@kernel
def known_chances(s, player, weights, scratch, ints):
    """The chances of the side on roll, as a network sees them."""
    if ONE_PLY <= player.policy <= THREE_PLY:
        forget_positions(ints)
        task = Task(player, weights, scratch, ints, scoring_for(s, player))
        return possible(s.board, on_roll(s), expected(s.board, on_roll(s), 1 + player.policy - ONE_PLY, task))
    return chances_on_roll(s.board, on_roll(s), player, weights, scratch, ints)


@kernel
def searched_play(s, player, weights, scratch, int_scratch, count):
    """The best play that a search finds."""
    task = Task(player, weights, scratch, int_scratch[SEARCH:], scoring_for(s, player))
    search_plays(s, int_scratch, count, 1 + player.policy - ONE_PLY, task)
    return int_scratch[0]


@kernel
def net_play(s, player, weights, offered, count, scratch):
    """The play of the highest value, where there are no stakes."""
    nets.prepare_plays(s.board, s.turn, player, weights, scratch, offered)
    return prepared_play(s, player, weights, offered, count, scratch)


@kernel
def prepared_play(s, player, weights, offered, count, scratch):
    """The play of the highest value, after `nets.prepare_plays`."""
    best, top, single = count, WORST, s.rules.single
    for i in range(subwarp_rank(), count, subwarp_size()):
        value = nets.play_value(
            s.board, s.turn, offered[i], s.dice[0], s.dice[1], player, weights, scratch, offered, single
        )
        if value > top:
            best, top = i, value
    best = subwarp_best(top, best)[1]
    return offered[best if best < count else 0]  # all values may be NaN


@kernel
def staked_play(s, player, weights, offered, count, scratch):
    """The play of the highest value, where there may be stakes."""
    best, top = count, WORST
    nets.prepare_plays(s.board, s.turn, player, weights, scratch, offered)
    if player.encoding == CUBE:
        add_owner(s, s.turn, player, weights, scratch, nets.SUMS)
    if not by_formula(s, player):
        return prepared_play(s, player, weights, offered, count, scratch)
    for i in range(subwarp_rank(), count, subwarp_size()):
        value = value_of_play(s, offered[i], player, weights, scratch, offered)
        if value > top:
            best, top = i, value
    best = subwarp_best(top, best)[1]
    return offered[best if best < count else 0]


@cache
def chooser(compares: bool, by_steps: bool, searches: bool, stakes: bool) -> Any:
    """The kernel `choose` for some players, which may be random.

    It says whether some compare all plays, some move one checker at a time, some search, and whether there is a cube, a match or
    a resignation.
    """
    value_play, action = staked_play if stakes else net_play, actor(searches)

    @kernel
    def choose(s, player, weights, scratch, int_scratch):
        """The move of the seat to move."""
        policy = player.policy
        if stakes:
            if s.phase != PLAYING:
                return action(s, player, weights, scratch, int_scratch)
        if by_steps:
            if policy in (SIMPLE, SIMPLE_NO_HIT, SIMPLE_PUBLISHED, RANDOM_BY_CHECKER, BY_CHECKER):
                return by_checker(s, player, weights, scratch, int_scratch)
        if compares:
            if policy != RANDOM:
                count = moves(s, int_scratch)
                if count == 1:
                    return int_scratch[0]
                if policy == PUBEVAL:
                    return pubeval_play(s.board, s.turn, s.dice[0], s.dice[1], int_scratch, count)
                if searches:
                    if ONE_PLY <= policy <= THREE_PLY:
                        return searched_play(s, player, weights, scratch, int_scratch, count)
                return value_play(s, player, weights, int_scratch, count, scratch)
        return any_play(s, int_scratch)

    return choose


choose = chooser(compares=True, by_steps=True, searches=True, stakes=True)


def choose_for(players: np.ndarray, state: np.void) -> Any:
    """The kernel `choose` for the policies of these players under a state's rules, without what they cannot use."""
    policies, rules = players["policy"], state["rules"]
    compares = (policies == PUBEVAL) | (policies >= ONE_PLY)
    by_steps = (policies > RANDOM) & (policies <= BY_CHECKER) & (policies != PUBEVAL)
    searches = (policies >= ONE_PLY) & (policies <= THREE_PLY)
    stakes = rules["doubling"] or rules["length"] or rules["resign"]
    return chooser(bool(compares.any()), bool(by_steps.any()), bool(searches.any()), bool(stakes))
