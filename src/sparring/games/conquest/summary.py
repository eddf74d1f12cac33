"""Sixteen features of a board of any size.

Counts are fractions of the map's tiles, so that a network trained on one map can play on others. Distances are those before the
move: one move hardly changes them, and a new search for every candidate would double the cost.
"""

import numpy as np

from sparring.games.conquest.rules import FULL, PLACES, TILES
from sparring.kernel.compiler import kernel

NAMES = (
    "own tiles",
    "enemy tiles",
    "own troops",
    "enemy troops",
    "spare troops beside nature",
    "troops beside the enemy",
    "own tiles that can be taken",
    "enemy tiles that can be taken",
    "largest stack",
    "troops towards the enemy",
    "spare troops towards nature",
    "nature beside the enemy",
    "nature beside own tiles",
    "own tiles beside the enemy",
    "more tiles than the enemy",
    "the same, fading in the time it takes to fill the map",
)
INPUTS = len(NAMES)
PER_TILE = np.float32(4.0)  # troops that count as one tile


@kernel
def survey(s, seat, scratch, at, int_scratch, first):
    """Write 1 / distance of each tile to the enemy, then to nature, into `scratch` from `at` on."""
    sign = 1 - 2 * seat
    search(s, sign, -1, scratch, at, int_scratch, first)
    search(s, sign, 0, scratch, at + TILES, int_scratch, first)


@kernel
def search(s, sign, wanted, scratch, at, int_scratch, first):
    """Breadth-first search: write 1 / steps to the nearest tile of the owner (-1 enemy, 0 nature), 0 if there is none."""
    tiles = s.rules.tiles
    waiting = np.int64(0)
    for tile in range(tiles):
        troops = sign * s.board[tile]
        found = troops < 0 if wanted < 0 else troops == 0
        scratch[at + tile] = 0.0
        int_scratch[first + TILES + tile] = 0 if found else -1  # steps
        if found:
            int_scratch[first + waiting] = tile
            waiting += 1
    done = np.int64(0)
    while done < waiting:
        tile = int_scratch[first + done]
        done += 1
        steps = int_scratch[first + TILES + tile] + 1
        for place in range(PLACES):
            near = s.rules.near[tile, place]
            if near >= 0 and int_scratch[first + TILES + near] < 0:
                int_scratch[first + TILES + near] = steps
                scratch[at + near] = np.float32(1.0) / np.float32(steps)
                int_scratch[first + waiting] = near
                waiting += 1


@kernel
def summary(s, seat, scratch, at, out):
    """Write the features of the board after a `survey`, from `scratch[out]` on."""
    sign, tiles = 1 - 2 * seat, s.rules.tiles
    for k in range(INPUTS):
        scratch[out + k] = 0.0
    for tile in range(tiles):
        troops = sign * s.board[tile]
        nature = enemy = False
        most_own = most_enemy = np.int64(0)
        for place in range(PLACES):
            near = s.rules.near[tile, place]
            if near >= 0:
                there = sign * s.board[near]
                nature |= there == 0
                enemy |= there < 0
                most_own = max(most_own, there)
                most_enemy = max(most_enemy, -there)
        if troops > 0:
            scratch[out] += 1.0
            scratch[out + 2] += troops / PER_TILE
            if nature:
                scratch[out + 4] += (troops - 1) / PER_TILE
            if enemy:
                scratch[out + 5] += troops / PER_TILE
                scratch[out + 6] += most_enemy > troops
                scratch[out + 13] += 1.0
            scratch[out + 8] = max(scratch[out + 8], np.float32(troops))
            scratch[out + 9] += np.float32(troops) * scratch[at + tile] / PER_TILE
            scratch[out + 10] += np.float32(troops - 1) * scratch[at + TILES + tile] / PER_TILE
        elif troops < 0:
            scratch[out + 1] += 1.0
            scratch[out + 3] -= troops / PER_TILE
            scratch[out + 7] += most_own > -troops
        else:
            scratch[out + 11] += enemy
            scratch[out + 12] += most_own > 0
    more = scratch[out] > scratch[out + 1]
    for k in range(INPUTS):
        scratch[out + k] /= np.float32(FULL if k == 8 else tiles)
    if more:
        scratch[out + 14] = 1.0
        scratch[out + 15] = max(np.float32(0.0), np.float32(1.0) - np.float32(s.tally.rounds) / np.float32(2 * tiles))
