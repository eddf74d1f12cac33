"""Random moves, drawn by counting moves per tile instead of listing them, and the study's red in three variants."""

from sparring.games.conquest.numpy_draws import draw
from sparring.games.conquest.rules import CODES, DRAWS, FULL, IDLE, PLACES, most_sent
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, key, step

ANY, ATTACKS, PRODUCTIONS = range(3)
LEFT, RIGHT = 2, 3  # places


@kernel
def random_move(s, int_scratch):
    """A uniformly random legal move other than IDLE, if there is one."""
    s.luck[s.turn] = step(s.luck[s.turn])
    return pick(s, s.luck[s.turn], ANY, int_scratch)


@kernel
def deterministic_red(s, int_scratch):
    """The study's fourth opponent. The deal and the state determine its move."""
    return pick(s, key(key(s.stream, s.hash), s.turn), red_kind(s, int_scratch), int_scratch)


@kernel
def fresh_red(s, int_scratch):
    """The same, with random numbers of its own in every game."""
    s.luck[s.turn] = step(s.luck[s.turn])
    return pick(s, s.luck[s.turn], red_kind(s, int_scratch), int_scratch)


@kernel
def author_red(s, int_scratch):
    """The same as its author wrote it: a stream that starts anew in every game chooses from a list of moves."""
    kind = red_kind(s, int_scratch)
    total = count_all(s, kind, int_scratch)
    return author_numbered(s, kind, draw(s.luck, DRAWS, total)) if total > 0 else IDLE


@kernel
def red_kind(s, int_scratch):
    """The kind of moves that red chooses from: attacks if it has fewer tiles, else productions if it has few troops."""
    mine, theirs, tally = s.turn, 1 - s.turn, s.tally
    if tally.tiles[theirs] > tally.tiles[mine] and count_all(s, ATTACKS, int_scratch) > 0:
        return ATTACKS
    few = tally.troops[mine] < FULL or tally.troops[mine] < tally.troops[theirs]
    return PRODUCTIONS if few and count_all(s, PRODUCTIONS, int_scratch) > 0 else ANY


@kernel
def count_all(s, kind, int_scratch):
    """The number of moves of a kind; `int_scratch` gets a cumulative count per tile."""
    sign, total = 1 - 2 * s.turn, 0
    for tile in range(s.rules.tiles):
        here = sign * s.board[tile]
        if here > 0:
            total += count_moves(s, sign, tile, here, kind)
        int_scratch[tile] = total
    return total


@kernel
def pick(s, stream, kind, int_scratch):
    """A uniformly random move of a kind, or IDLE."""
    total = count_all(s, kind, int_scratch)
    if total == 0:
        return IDLE
    number, tile = below(stream, total), 0
    while int_scratch[tile] <= number:
        tile += 1
    return numbered_move(s, 1 - 2 * s.turn, tile, kind, number - (int_scratch[tile - 1] if tile > 0 else 0))


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


@inline_kernel
def listed_place(s, tile, turn):
    """The neighbour that the author lists in this turn: by number, but right last in the top row from the third tile on."""
    if turn > LEFT and s.rules.row[tile] == 0 and s.rules.column[tile] >= 2:
        return turn + 1 if turn < PLACES - 1 else RIGHT
    return turn


@kernel
def author_numbered(s, kind, number):
    """The move with this number in the author's list: productions, then each tile's attacks and its transports."""
    sign = 1 - 2 * s.turn
    for tile in range(s.rules.tiles if kind != ATTACKS else 0):
        if 0 < sign * s.board[tile] < FULL:
            if number == 0:
                return tile * CODES
            number -= 1
    for tile in range(s.rules.tiles):
        here = sign * s.board[tile]
        for k in range((PLACES if kind == ATTACKS else 2 * PLACES) if here > 0 else 0):
            place = listed_place(s, tile, k % PLACES)
            near = s.rules.near[tile, place]
            if near >= 0 and (sign * s.board[near] > 0) == (k >= PLACES):
                count = most_sent(here, sign * s.board[near])
                if number < count:
                    return tile * CODES + 1 + place * FULL + number
                number -= count
    return IDLE
