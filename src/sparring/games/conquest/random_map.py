"""Random maps: 6 to 10 rows and columns, and the same tiles and troops for both sides, three steps apart where there is room.

The map follows from the seed and the deal, so that both players of a pair begin from both sides of it.
"""

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.random import below, step
from sparring.kernel.records import lookup

SMALLEST, LARGEST = 6, 10  # rows, and columns
MOST_TILES, MOST_TROOPS = 8, 20  # of a side at the start, and of a tile
APART, TRIES = 3, 16  # steps between the sides; after so many tries one step less is enough
DOWN = lookup([-1, -1, 0, 0, 1, 1])
RIGHT = lookup([-1, 0, -1, 1, -1, 0, 0, 1, -1, 1, 0, 1])  # in even rows, in odd rows


@inline_kernel
def steps_between(s, one, two):
    """The distance between two tiles, by cube coordinates."""
    row_one, row_two = np.int64(s.rules.row[one]), np.int64(s.rules.row[two])
    across = s.rules.column[one] - (row_one - (row_one & 1)) // 2 - s.rules.column[two] + (row_two - (row_two & 1)) // 2
    down = row_one - row_two
    return max(abs(across), abs(down), abs(across + down))


@kernel
def lay_map(s, stream):
    """Write a random map into the rules of a state."""
    rules = s.rules
    stream = step(stream)
    rules.rows = SMALLEST + below(stream, LARGEST - SMALLEST + 1)
    stream = step(stream)
    rules.columns = SMALLEST + below(stream, LARGEST - SMALLEST + 1)
    rules.tiles = rules.rows * rules.columns
    for tile in range(rules.tiles):
        rules.board[tile] = 0
        rules.row[tile], rules.column[tile] = tile // rules.columns, tile % rules.columns
        for place in range(6):
            rules.near[tile, place] = neighbour(rules, tile, place)
    stream = step(stream)
    most = 1 + below(stream, MOST_TROOPS)
    stream = step(stream)
    count = 1 + below(stream, MOST_TILES)
    stream = step(stream)
    for _ in range(1 + below(stream, count)):  # so that few tiles are more frequent than many
        stream = step(stream)
        troops = 1 + below(stream, most)
        stream = settle(s, stream, troops)
        stream = settle(s, stream, -troops)


@inline_kernel
def neighbour(rules, tile, place):
    """The tile at one of the six places around a tile; -1 beyond the edge."""
    row, column = tile // rules.columns, tile % rules.columns
    down, right = row + DOWN[place], column + RIGHT[6 * (row % 2) + place]
    if down < 0 or down >= rules.rows or right < 0 or right >= rules.columns:
        return -1
    return down * rules.columns + right


@kernel
def settle(s, stream, troops):
    """Put troops on a random tile that is free and, if one is found soon, far from the other side."""
    tile, tries = np.int64(-1), 0
    while tile < 0:
        stream = step(stream)
        tile = below(stream, s.rules.tiles)
        if s.rules.board[tile] != 0 or nearest_enemy(s, tile, troops) < APART - tries // TRIES:
            tile = np.int64(-1)
        tries += 1
    s.rules.board[tile] = troops
    return stream


@kernel
def nearest_enemy(s, tile, troops):
    """The steps from a tile to the nearest with troops of the other sign; many if there are none."""
    least = np.int64(LARGEST * LARGEST)
    for other in range(s.rules.tiles):
        if s.rules.board[other] * troops < 0:
            least = min(least, steps_between(s, tile, other))
    return least
