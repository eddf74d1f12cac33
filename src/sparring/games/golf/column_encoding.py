"""The encoding `columns`: what a seat knows after its turn. It is the same however columns, and the cards of a column, are ordered.

A column is one of 120 kinds: two of the fifteen that a place can show, in any order. A face-down card that the turn gave up counts
as unseen: the player did not know it when it chose, and a network values what a player can compare.
"""

import numpy as np

from sparring.games.golf.encodings import DOWN, KINDS, NEXT, NEXT_DOWN, TOP, UNSEEN
from sparring.games.golf.odds import of_kind, seen_at, unseen_kinds
from sparring.games.golf.rules import COLUMNS, KIND, VALUES, face_down
from sparring.kernel.compiler import inline_kernel, kernel

ONE = np.float32(1.0)


@inline_kernel
def column_kind(a, b):
    """The number of a column that shows two kinds."""
    low, high = min(a, b), max(a, b)
    return high * (high + 1) // 2 + low


@inline_kernel
def share_of_kind(kind):
    """What one unseen card of a kind adds to the input of its kind, which is 1 when all are unseen."""
    return ONE / np.float32(of_kind(kind))


@kernel
def fewest_down(s, seat):
    """The face-down cards of the opponent who has fewest."""
    fewest = 1 << 10
    for other in range(s.seats):
        if other != seat:
            fewest = min(fewest, face_down(s, other))
    return fewest


@kernel
def write_columns(s, seat, first, index, value, count):
    """Write the columns of a seat's hand: an input is how many columns are of its kind. Returns the new count."""
    begin = count
    for column in range(COLUMNS):
        number = first + column_kind(seen_at(s, seat, column), seen_at(s, seat, column + COLUMNS))
        k = begin
        while k < count and index[k] != number:
            k += 1
        if k == count:
            index[k], value[k] = number, np.float32(0.0)
            count += 1
        value[k] += ONE
    return count


@kernel
def write_table(s, seat, counts, index, value, count):
    """Write the inputs that no exchange changes: the next seat's hand, unseen cards, and who is near the end."""
    count = write_columns(s, (seat + 1) % s.seats, NEXT, index, value, count)
    for kind in range(VALUES):
        if counts[kind] > 0:
            index[count], value[count] = UNSEEN + kind, counts[kind] * share_of_kind(kind)
            count += 1
    index[count], value[count] = NEXT_DOWN + fewest_down(s, seat), ONE
    return count + 1


@kernel
def column_inputs(s, seat, index, value):
    """Write what a seat sees after its turn, by number and value; returns how many. The end of `index` is scratch."""
    counts = index[index.size - VALUES :]
    unseen_kinds(s, seat, s.revealed, counts)
    count = write_table(s, seat, counts, index, value, 0)
    count = write_columns(s, seat, 0, index, value, count)
    index[count], value[count] = DOWN + face_down(s, seat), ONE
    top = KINDS - 1 if s.revealed else KIND[s.discard[s.discard_size - 1]]
    index[count + 1], value[count + 1] = TOP + top, ONE
    return count + 2
