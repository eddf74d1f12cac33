"""Random moves, drawn by counting moves per tile instead of listing them."""

from sparring.games.conquest.rules import CODES, FULL, IDLE, PLACES, most_sent
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, key, step

ANY, ATTACKS, PRODUCTIONS = range(3)


@kernel
def random_move(s, int_scratch):
    """A uniformly random legal move other than IDLE, if there is one."""
    s.luck[s.turn] = step(s.luck[s.turn])
    return pick(s, s.luck[s.turn], ANY, int_scratch)


@kernel
def deterministic_red(s, int_scratch):
    """The study's fourth opponent. The deal and the state determine its move."""
    mine, theirs, tally = s.turn, 1 - s.turn, s.tally
    stream = key(key(s.stream, s.hash), s.turn)
    if tally.tiles[theirs] > tally.tiles[mine]:
        attack = pick(s, stream, ATTACKS, int_scratch)
        if attack != IDLE:
            return attack
    if tally.troops[mine] < FULL or tally.troops[mine] < tally.troops[theirs]:
        production = pick(s, stream, PRODUCTIONS, int_scratch)
        if production != IDLE:
            return production
    return pick(s, stream, ANY, int_scratch)


@kernel
def pick(s, stream, kind, int_scratch):
    """A uniformly random move of a kind, or IDLE. `int_scratch` holds a cumulative count per tile."""
    sign, total = 1 - 2 * s.turn, 0
    for tile in range(s.rules.tiles):
        here = sign * s.board[tile]
        if here > 0:
            total += count_moves(s, sign, tile, here, kind)
        int_scratch[tile] = total
    if total == 0:
        return IDLE
    number, tile = below(stream, total), 0
    while int_scratch[tile] <= number:
        tile += 1
    return numbered_move(s, sign, tile, kind, number - (int_scratch[tile - 1] if tile > 0 else 0))


@inline_kernel
def moves_between(here, there, kind):
    """The number of moves of a kind from one tile to another, the mover's troops counted positive."""
    if kind == ANY:
        return most_sent(here, there)
    return here if kind == ATTACKS and there <= 0 else 0


@inline_kernel
def count_moves(s, sign, tile, here, kind):
    """The number of moves of a kind that start from a tile of the mover."""
    count = 1 if here < FULL and kind != ATTACKS else 0
    if kind != PRODUCTIONS:
        for place in range(PLACES):
            near = s.rules.near[tile, place]
            if near >= 0:
                count += moves_between(here, sign * s.board[near], kind)
    return count


@kernel
def numbered_move(s, sign, tile, kind, number):
    """The move with this number among those of a kind that start from a tile, production first."""
    here = sign * s.board[tile]
    if here < FULL and kind != ATTACKS:
        if number == 0:
            return tile * CODES
        number -= 1
    for place in range(PLACES):
        near = s.rules.near[tile, place]
        if near >= 0:
            count = moves_between(here, sign * s.board[near], kind)
            if number < count:
                return tile * CODES + 1 + place * FULL + number
            number -= count
    return IDLE
