"""The encoding `moves`: what a move does, and around it, in numbers that do not depend on the map's size.

A tile of `here` troops needs steps + max(there + steps - here, 0) moves to conquer one of `there`: it walks, leaving one troop
on every tile, and produces what is missing. What the whole board needs is computed once per turn (`survey_moves`).
"""

import numpy as np

from sparring.games.conquest.greedy import FAR, greedy_move, strongest_beside
from sparring.games.conquest.random_map import steps_between
from sparring.games.conquest.rules import CODES, FULL, PLACES, TILES
from sparring.kernel.compiler import inline_kernel, kernel

NAMES = (
    "production",
    "attack on the enemy",
    "nature taken",
    "transport",
    "what the greedy player would do",
    "troops at the source before",
    "troops that stay",
    "troops at the target after",
    "enemy troops killed",
    "enemy tile conquered",
    "source abandoned",
    "source can be taken before",
    "source can be taken after",
    "target can be taken after",
    "strongest enemy beside the source",
    "strongest enemy beside the target",
    "enemy tiles beside the target that can be taken next",
    "steps nearer to the enemy",
    "one by the steps from the target to the enemy",
    "moves that the target needs for its next conquest",
    "moves that this saves",
    "own share of the troops",
    "own share of the tiles",
    "one by the number of own tiles",
    "one by the number of enemy tiles",
    "moves to the next conquest",
    "the enemy's moves to its next",
    "share of own tiles that can be taken",
)
INPUTS = len(NAMES)
STEP, TROOP = np.float32(1.0 / 10), np.float32(1.0 / FULL)
GREEDY, OWN, ENEMY, OWN_TROOPS, ENEMY_TROOPS, LEAST, SOONEST, TAKEN, LISTED = range(
    9
)  # numbers of a survey, then enemy tiles
STEPS = LISTED + TILES  # then each tile's steps to the enemy


@inline_kernel
def needed(s, here, there, one, two):
    """The moves that `here` troops on a tile need to conquer another with `there`."""
    steps = steps_between(s, one, two)
    return steps + max(there + steps - here, 0)


@kernel
def survey_moves(s, seat, found, at):
    """Write what concerns the whole board into `found` from `at` on."""
    sign, tiles = 1 - 2 * seat, s.rules.tiles
    found[at + GREEDY] = greedy_move(s, found)
    for k in range(OWN, LISTED):
        found[at + k] = 0
    found[at + LEAST] = found[at + SOONEST] = FULL
    for tile in range(tiles):
        troops = sign * np.int64(s.board[tile])
        if troops > 0:
            found[at + OWN] += 1
            found[at + OWN_TROOPS] += troops
            found[at + TAKEN] += strongest_beside(s, -sign, tile) > troops
        elif troops < 0:
            found[at + LISTED + found[at + ENEMY]] = tile
            found[at + ENEMY] += 1
            found[at + ENEMY_TROOPS] -= troops
    for tile in range(tiles):
        here, nearest = sign * np.int64(s.board[tile]), np.int64(FAR)
        for k in range(found[at + ENEMY]):
            other = found[at + LISTED + k]
            there = -sign * np.int64(s.board[other])
            nearest = min(nearest, steps_between(s, tile, other))
            if here > 0:
                found[at + LEAST] = min(found[at + LEAST], needed(s, here, there, tile, other))
                found[at + SOONEST] = min(found[at + SOONEST], needed(s, there, here, other, tile))
        found[at + STEPS + tile] = nearest


@kernel
def next_conquest(s, sign, tile, here, gone, found, at):
    """The fewest moves that `here` troops on a tile need for an enemy tile, of which `gone` is no more."""
    fewest = np.int64(2 * FULL)
    for k in range(found[at + ENEMY]):
        other = found[at + LISTED + k]
        if other != gone:
            fewest = min(fewest, needed(s, here, -sign * np.int64(s.board[other]), tile, other))
    return fewest


@kernel
def strongest_but(s, sign, tile, gone):
    """The most troops of a side on a neighbour of a tile other than `gone`, and on how many others fewer than `sign` says lie."""
    most = np.int64(0)
    for place in range(PLACES):
        near = s.rules.near[tile, place]
        if near >= 0 and near != gone:
            most = max(most, sign * np.int64(s.board[near]))
    return most


@kernel
def weaker_beside(s, sign, tile, troops, gone):
    """How many enemy neighbours other than `gone` have fewer troops than this."""
    count = 0
    for place in range(PLACES):
        near = s.rules.near[tile, place]
        if near >= 0 and near != gone:
            count += 0 < -sign * s.board[near] < troops
    return count


@kernel
def move_inputs(s, seat, source, target, troops, found, at, value):
    """Write the inputs of a move that has not been made: `troops` sent, or one produced where both tiles are the same."""
    sign = 1 - 2 * seat
    here, there = sign * np.int64(s.board[source]), sign * np.int64(s.board[target])
    produced = source == target
    left = here + 1 if produced else here - troops
    after = left if produced else there + troops
    gone = target if there < 0 and after >= 0 else np.int64(-1)
    beside, beside_after = strongest_beside(s, -sign, source), strongest_but(s, -sign, source, gone)
    reach = strongest_but(s, -sign, target, gone)
    value[0], value[1], value[2], value[3] = produced, there < 0, there == 0, there > 0 and not produced
    value[4] = found[at + GREEDY] == (source * CODES if produced else code_of(s, source, target, troops))
    value[5], value[6], value[7] = here * TROOP, left * TROOP, after * TROOP
    value[8], value[9] = min(troops, max(-there, 0)) * TROOP, there < 0 < after
    value[10], value[11], value[12] = left == 0, beside > here, beside_after > left > 0
    value[13] = reach > after > 0
    value[14], value[15] = beside_after * TROOP, reach * TROOP
    value[16] = weaker_beside(s, sign, target, after, gone) / np.float32(PLACES)
    here_steps, there_steps = found[at + STEPS + source], found[at + STEPS + target]
    value[17] = here_steps - there_steps
    value[18] = np.float32(1.0) / np.float32(1 + there_steps)
    before = next_conquest(s, sign, source, here, np.int64(-1), found, at)
    needs = next_conquest(s, sign, target, after, gone, found, at) if after > 0 else np.int64(2 * FULL)
    value[19], value[20] = needs * STEP, (before - needs) * STEP
    own, enemy = np.float32(found[at + OWN]), np.float32(max(found[at + ENEMY], 1))
    value[21] = found[at + OWN_TROOPS] / np.float32(found[at + OWN_TROOPS] + found[at + ENEMY_TROOPS])
    value[22], value[23], value[24] = own / (own + enemy), np.float32(1.0) / own, np.float32(1.0) / enemy
    value[25], value[26] = found[at + LEAST] * STEP, found[at + SOONEST] * STEP
    value[27] = found[at + TAKEN] / own


@inline_kernel
def code_of(s, source, target, troops):
    """The number of a move that sends troops to a neighbour."""
    place = 0
    while s.rules.near[source, place] != target:
        place += 1
    return source * CODES + place * FULL + troops
