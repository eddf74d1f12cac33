"""The greedy player: it pursues the conquest that needs the fewest moves.

For each pair of an own tile and an enemy tile it counts the moves needed: to walk there, leaving one troop on every tile, and to
produce the missing troops. For the best pair it attacks, else walks, else produces. Without an enemy tile it fills the map.
"""

import numpy as np

from sparring.games.conquest.random_map import steps_between
from sparring.games.conquest.rules import CODES, FULL, IDLE, PLACES, most_sent
from sparring.kernel.compiler import inline_kernel, kernel

FAR = 1 << 20


@kernel
def greedy_move(s, int_scratch):
    """The next move towards the nearest conquest, or IDLE."""
    source, target = nearest_conquest(s)
    if source < 0:
        return fill(s)
    here, there = abs(s.board[source]), abs(s.board[target])
    place = place_of(s, source, target)
    if place >= 0 and (here > there or here == FULL):
        return send_code(source, place, here - 1 if here - 1 > there else here)
    if place < 0 and here > 1:
        move = walk(s, source, target, here)
        if move != IDLE:
            return move
    return source * CODES if here < FULL else fill(s)


@inline_kernel
def send_code(source, place, troops):
    return source * CODES + 1 + place * FULL + troops - 1


@inline_kernel
def place_of(s, source, target):
    """The place of a neighbour around a tile; -1 if the tiles are not neighbours."""
    for place in range(PLACES):
        if s.rules.near[source, place] == target:
            return place
    return -1


@kernel
def nearest_conquest(s):
    """The own tile and the enemy tile between which the fewest moves are needed; -1 if there are none."""
    sign, least = 1 - 2 * s.turn, FAR
    source = target = np.int64(-1)
    for one in range(s.rules.tiles):
        here = sign * s.board[one]
        if here > 0:
            for two in range(s.rules.tiles):
                there = -sign * s.board[two]
                if there > 0:
                    steps = steps_between(s, one, two)
                    needed = steps + max(there + steps - here, 0)
                    if needed < least:
                        source, target, least = np.int64(one), np.int64(two), needed
    return source, target


@kernel
def walk(s, source, target, here):
    """Move all troops but one a step nearer to the target, unless a stronger enemy is beside that tile; else IDLE."""
    sign, steps = 1 - 2 * s.turn, steps_between(s, source, target)
    for place in range(PLACES):
        near = s.rules.near[source, place]
        if near >= 0 and steps_between(s, near, target) < steps:
            there = sign * s.board[near]
            if there >= 0:
                troops = min(here - 1, most_sent(here, there))
                if troops > 0 and (here == FULL or strongest_beside(s, -sign, near) < there + troops):
                    return send_code(source, place, troops)
    return IDLE


@inline_kernel
def strongest_beside(s, sign, tile):
    """The most troops of a side on a neighbour of a tile."""
    most = 0
    for place in range(PLACES):
        near = s.rules.near[tile, place]
        if near >= 0:
            most = max(most, sign * s.board[near])
    return most


@kernel
def fill(s):
    """Take the tile of nature with the fewest empty neighbours; else produce beside nature; else idle."""
    sign, least, move = 1 - 2 * s.turn, FAR, IDLE
    most, produced = 0, IDLE
    for tile in range(s.rules.tiles):
        here = sign * s.board[tile]
        if here > 1:
            for place in range(PLACES):
                near = s.rules.near[tile, place]
                if near >= 0 and s.board[near] == 0:
                    beside = neighbours(s, sign, near)[1]
                    if beside < least:
                        move, least = send_code(tile, place, here - 1), beside
        if 0 < here < FULL:
            beside = neighbours(s, sign, tile)[1]
            if beside > most:
                produced, most = tile * CODES, beside
    return move if move != IDLE else produced


@inline_kernel
def neighbours(s, sign, tile):
    """The numbers of neighbours that are the enemy's and nature's."""
    enemies = empty = 0
    for place in range(PLACES):
        near = s.rules.near[tile, place]
        if near >= 0:
            troops = sign * s.board[near]
            enemies += troops < 0
            empty += troops == 0
    return enemies, empty
