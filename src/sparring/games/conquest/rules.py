"""Conquest: state, moves and outcome. The game of "Applications of NEAT algorithm for automatic gameplay of agents" (2021).

Tiles are hexagons in rows, odd rows half a tile further right ("odd-r"), numbered row by row. A tile's troops are positive if
blue (seat 0) holds it, negative if red (seat 1) does, and 0 if it is nature's. Troops sent to a tile are added to its number;
this one sum covers transport, conquest, a lost attack and mutual destruction. A move is IDLE or source * 121 + k: k = 0 produces
a troop, k = 1 + place * 20 + (troops - 1) sends troops to the neighbour at that place. The six places are ordered by tile
number: two above, left, right, two below.

Two readings of the study differ in the rules `reading`: its text, and its author's program. The program also transports between
tiles that touch at a corner, whose row and column differ by one; these moves are numbered after IDLE.
"""

import numpy as np

from sparring.games.conquest.numpy_draws import start_draws
from sparring.games.conquest.random_map import lay_map
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import key, mixed

VERSION = 1  # raise it when play changes
TILES = 256  # the most of a map
FULL = 20  # the most troops of a tile
PLACES = 6  # neighbours
CODES = 1 + PLACES * FULL  # moves that start from one tile
IDLE = TILES * CODES
CORNERS = 2  # tiles that are one row and one column away and no neighbours
CORNER_TILES = (2**15 - 1 - IDLE) // (CORNERS * FULL)  # tiles from which such moves can be numbered
LONGEST = 5000  # rounds
MAX_MOVES = 2 * LONGEST
STALE = 4  # a state seen for the fourth time ends the game
ELIMINATE, ALL = range(2)  # goals
TEXT, AUTHOR = range(2)  # readings
GUIDED, DRAWS = SEATS, 2 * SEATS  # in `luck`: first of the counts of guided moves, and the stream of the author's red

# The 100 outcomes of a move, worst first, as changes of (own tiles, own troops, enemy tiles, enemy troops); a, d >= 1.
ABANDONED = 0  # (-1, 0, 0, 0): all troops transported away
UNCHANGED = 1  # (0, 0, 0, 0)
PRODUCED = 2  # (0, 1, 0, 0)
TAKEN = 3  # (1, 0, 0, 0): a tile of nature
LOST_ALL = 4  # (-1, -a, 0, -a): all troops lost to a larger number
LOST = 23  # (0, -a, 0, -a)
RUIN_ALL = 42  # (-1, -a, -1, -a): all troops lost to an equal number
RUIN = 62  # (0, -a, -1, -a)
CONQUERED = 81  # (1, -d, -1, -d)

# The author's outcomes are what really changes: a conquest that leaves its origin empty counts as RUIN. A payoff is place / 100,
# with places from 1, and these two are in the other order.
AUTHOR_RUIN, AUTHOR_RUIN_ALL = 42, 61

# A hash table of the states seen. It starts small and moves to one four times as large when half full.
SMALLEST, GROWTHS = 256, 3
SLOTS = 256 + 1024 + 4096 + 16384
COUNT = np.uint64(3)  # mask of an entry's two lowest bits, the number of times its state was seen
TURN = np.uint64(0x2545F4914F6CDD1D)  # added to the hash on red's turn
NONE, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)

# Set before the game starts; play does not change them. Where `random` is 1, the start makes the map.
Rules = np.dtype(
    [
        *((name, np.int64) for name in ("tiles", "rows", "columns", "limit", "goal", "reading", "random")),
        ("board", np.int8, (TILES,)),
        ("row", np.int16, (TILES,)),
        ("column", np.int16, (TILES,)),
        ("near", np.int16, (TILES, PLACES)),  # each tile's neighbours; -1 beyond the edge
        ("corner", np.int16, (TILES, CORNERS)),  # in the author's reading; else -1
    ],
    align=True,
)

# Held now and at the start; kinds of moves; guided moves, made in place of illegal ones that a network chose; enemy troops
# killed; the sum of the moves' outcomes.
PER_SEAT = ("tiles", "troops", "first_tiles", "first_troops", "moves", "production", "attack", "transport", "idle", "guided",
            "kills", "payoff")  # fmt: skip

Tally = np.dtype(
    [
        ("score", np.int32, (SEATS,)),  # 1 for the winner
        ("rounds", np.int32),  # begun
        ("limit", np.int32),
        ("size", np.int32),  # tiles of the map
        ("stale", np.int32),
        *((name, np.int32, (SEATS,)) for name in PER_SEAT),
    ],
    align=True,
)

State = np.dtype(
    [
        ("rules", Rules),
        ("stream", np.uint64),  # from the deal; the deterministic red uses it
        # All that choosing changes: each seat's stream, its guided moves, and the stream of the author's red.
        ("luck", np.uint64, (2 * SEATS + 3,)),
        # Always int64, because kernels are compiled once per integer type.
        ("turn", np.int64),
        ("over", np.int64),
        ("hash", np.uint64),  # of the board
        ("board", np.int8, (TILES,)),
        ("tally", Tally),
        ("states", np.int64),  # distinct ones seen
        ("growths", np.int64),
        ("table", np.uint64, (SLOTS,)),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Start a game on the map. (seed, deal) determines `stream`, (seed, luck, seat) each player's random choices."""
    if s.rules.random:
        lay_map(s, key(key(seed, 2), deal))
    s.stream = key(key(seed, 0), deal)
    s.turn = s.over = s.states = s.growths = 0
    s.hash = NONE
    clear_tally(s)
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        s.luck[GUIDED + seat] = NONE
    start_draws(s.luck, DRAWS)
    for tile in range(s.rules.tiles):
        s.board[tile] = 0
        put(s, tile, s.rules.board[tile])
    for seat in range(SEATS):
        s.tally.first_tiles[seat] = s.tally.tiles[seat]
        s.tally.first_troops[seat] = s.tally.troops[seat]
    for slot in range(SMALLEST):
        s.table[slot] = NONE
    if s.rules.reading == TEXT:
        times_seen(s)


@kernel
def clear_tally(s):
    tally = s.tally
    tally.rounds = tally.stale = 0
    tally.limit, tally.size = s.rules.limit, s.rules.tiles
    for seat in range(SEATS):
        tally.score[seat] = tally.tiles[seat] = tally.troops[seat] = tally.moves[seat] = 0
        tally.production[seat] = tally.attack[seat] = tally.transport[seat] = tally.idle[seat] = 0
        tally.guided[seat] = tally.kills[seat] = tally.payoff[seat] = 0


@inline_kernel
def hash_term(tile, troops):
    """A tile's part of the board's hash; nature's is 0."""
    return mixed(np.uint64(tile * 64 + troops + 32)) if troops != 0 else NONE


@inline_kernel
def put(s, tile, troops):
    """Set a tile's troops, blue's positive."""
    before = s.board[tile]
    s.hash += hash_term(tile, troops) - hash_term(tile, before)
    count_tile(s, before, -1)
    count_tile(s, troops, 1)
    s.board[tile] = troops


@inline_kernel
def count_tile(s, troops, change):
    """Add a tile with these troops to the tally, or remove it."""
    if troops > 0:
        s.tally.tiles[0] += change
        s.tally.troops[0] += change * troops
    elif troops < 0:
        s.tally.tiles[1] += change
        s.tally.troops[1] -= change * troops


@inline_kernel
def most_sent(here, there):
    """How many of `here` troops can go to a tile with `there`, the mover's own counted positive."""
    return min(here, FULL - there) if there > 0 else here


@kernel
def moves(s, out):
    """Write the legal moves, IDLE after all between neighbours, and return their number."""
    count = np.int64(0)  # typed: a literal would be compiled separately
    sign = 1 - 2 * s.turn
    for source in range(s.rules.tiles):
        here = sign * s.board[source]
        if here > 0:
            if here < FULL:
                out[count] = source * CODES
                count += 1
            for place in range(PLACES):
                target = s.rules.near[source, place]
                if target >= 0:
                    for troops in range(most_sent(here, sign * s.board[target])):
                        out[count] = source * CODES + 1 + place * FULL + troops
                        count += 1
    out[count] = IDLE
    return count + 1 if s.rules.reading == TEXT else corner_moves(s, out, count + 1)


@kernel
def corner_moves(s, out, count):
    """Write the transports between tiles that touch at a corner."""
    sign = 1 - 2 * s.turn
    for source in range(s.rules.tiles):
        here = sign * s.board[source]
        for place in range(CORNERS if here > 0 else 0):
            target = s.rules.corner[source, place]
            if target >= 0 and sign * s.board[target] > 0:
                for troops in range(most_sent(here, sign * s.board[target])):
                    out[count] = IDLE + 1 + (source * CORNERS + place) * FULL + troops
                    count += 1
    return count


@kernel
def apply(s, move):
    """Make a legal move, then pass the turn or end the game."""
    seat, tally = s.turn, s.tally
    tally.rounds += 1 - seat
    tally.moves[seat] += 1
    tally.guided[seat] = np.int64(s.luck[GUIDED + seat])
    if move == IDLE:
        tally.idle[seat] += 1
        outcome = UNCHANGED
    elif move < IDLE and move % CODES == 0:
        tally.production[seat] += 1
        outcome = PRODUCED
        put(s, move // CODES, s.board[move // CODES] + 1 - 2 * seat)
    elif move < IDLE:
        source, k = move // CODES, move % CODES - 1
        outcome = send(s, seat, source, s.rules.near[source, k // FULL], k % FULL + 1)
    else:
        source, k = (move - IDLE - 1) // (CORNERS * FULL), (move - IDLE - 1) % (CORNERS * FULL)
        outcome = send(s, seat, source, s.rules.corner[source, k // FULL], k % FULL + 1)
    tally.payoff[seat] += outcome + s.rules.reading
    s.turn = 1 - seat
    end_game(s, move != IDLE)


@kernel
def send(s, seat, source, target, troops):
    """Send troops to another tile and return the outcome."""
    sign = 1 - 2 * seat
    left, there = sign * s.board[source] - troops, sign * s.board[target]
    put(s, source, sign * left)
    put(s, target, sign * (there + troops))
    if there > 0:
        s.tally.transport[seat] += 1
        return UNCHANGED if left > 0 else ABANDONED
    s.tally.attack[seat] += 1
    s.tally.kills[seat] += min(troops, -there)
    if s.rules.reading == AUTHOR:
        return author_outcome(troops, -there, left)
    return attack_outcome(troops, -there, left)


@inline_kernel
def attack_outcome(attackers, defenders, left):
    if defenders == 0:
        return TAKEN
    if attackers > defenders:
        return CONQUERED + defenders - 1
    if attackers == defenders:
        return (RUIN if left > 0 else RUIN_ALL) + attackers - 1
    return (LOST if left > 0 else LOST_ALL) + attackers - 1


@inline_kernel
def author_outcome(attackers, defenders, left):
    if left == 0 and attackers > defenders:
        return AUTHOR_RUIN + defenders - 1 if defenders > 0 else UNCHANGED
    if attackers == defenders:
        return (AUTHOR_RUIN if left > 0 else AUTHOR_RUIN_ALL) + attackers - 1
    return attack_outcome(attackers, defenders, left)


@kernel
def end_game(s, moved):
    """End the game if a goal is reached, a state is repeated too often or the last round is over. `s.turn` is the next seat."""
    blue, red = s.tally.tiles[0], s.tally.tiles[1]
    won = blue > 0 and (red == 0 if s.rules.goal == ELIMINATE else blue == s.rules.tiles)
    if won or blue == 0:
        s.over = 1
        s.tally.score[0] = won
        s.tally.score[1] = blue == 0 and red > 0
    elif (moved or s.rules.reading == TEXT) and times_seen(s) == STALE:
        s.over = s.tally.stale = 1
    elif (s.turn == 0 or s.rules.reading == AUTHOR) and s.tally.rounds == s.rules.limit:
        s.over = 1


@kernel
def times_seen(s):
    """Count the state (board and turn; for the author the board alone) and return how often it has been seen."""
    if s.growths < GROWTHS and 2 * s.states >= SMALLEST << 2 * s.growths:
        grow(s)
    state = state_key(s.rules.reading, s.hash, s.turn)
    slot = find_slot(s, state)
    if s.table[slot] == NONE:
        s.table[slot] = state
        s.states += 1
    s.table[slot] += ONE
    return np.int64(s.table[slot] - state)


@inline_kernel
def state_key(reading, board, turn):
    """The hash of a state, without its two lowest bits."""
    return (board + TURN if turn and reading == TEXT else board) & ~COUNT


@kernel
def find_slot(s, state):
    """The slot of a state in the table, or the empty slot where it belongs."""
    size = SMALLEST << 2 * s.growths
    first = (size - SMALLEST) // 3
    slot = np.int64(state >> TWO) & size - 1
    while s.table[first + slot] != NONE and s.table[first + slot] & ~COUNT != state:
        slot = slot + 1 & size - 1
    return first + slot


@kernel
def grow(s):
    """Move to the next larger table."""
    size = SMALLEST << 2 * s.growths
    first = (size - SMALLEST) // 3
    s.growths += 1
    for slot in range(first + size, first + 5 * size):
        s.table[slot] = NONE
    for slot in range(first, first + size):
        entry = s.table[slot]
        if entry != NONE:
            s.table[find_slot(s, entry & ~COUNT)] = entry
