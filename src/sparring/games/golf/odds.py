"""The odds of face-down cards, and the player `sensible`, who lives by them.

Expected points of a column are whole numbers, so that equal exchanges compare as equal: they are multiplied by the number of
ordered pairs of unseen cards.
"""

from sparring.games.golf.encodings import FACE_DOWN
from sparring.games.golf.rules import COLUMNS, DISCARD, DRAW, JOKER, KIND, PLACES, POINTS, STOCK, THROW, VALUES
from sparring.kernel.compiler import inline_kernel, kernel

INT_SCRATCH = VALUES + COLUMNS  # how many of each kind are unseen, and the points of each column


@inline_kernel
def of_kind(kind):
    """The cards of a kind in the deck."""
    return 4 if kind < KIND[JOKER] else 2


@kernel
def unseen_kinds(s, seat, hidden_top, counts):
    """Count the cards of each kind that a seat cannot see; returns their sum. `hidden_top`: the top discard counts as unseen."""
    for kind in range(VALUES):
        counts[kind] = of_kind(kind)
    for i in range(s.discard_size - hidden_top):
        counts[KIND[s.discard[i]]] -= 1
    for other in range(s.seats):
        for place in range(PLACES):
            if s.up[other, place]:
                counts[KIND[s.hand[other, place]]] -= 1
    if s.drawn >= 0 and (s.turn == seat or s.source == DISCARD):
        counts[KIND[s.drawn]] -= 1
    unseen = 0
    for kind in range(VALUES):
        unseen += counts[kind]
    return unseen


@inline_kernel
def seen_at(s, seat, place):
    """The kind at a place, or FACE_DOWN."""
    return KIND[s.hand[seat, place]] if s.up[seat, place] else FACE_DOWN


@inline_kernel
def partner(place):
    """The other place of the column."""
    return (place + COLUMNS) % PLACES


@inline_kernel
def pairs_of(unseen):
    """What expected points are multiplied by. With a single unseen card no column has a face-down one."""
    return unseen * max(1, unseen - 1)


@kernel
def known_points(a, b):
    return 0 if a == b else POINTS[a] + POINTS[b]


@kernel
def column_points(a, b, counts, unseen):
    """The expected points of a column of two kinds, of which either may be FACE_DOWN, times `pairs_of(unseen)`."""
    if a == FACE_DOWN:
        a, b = b, a
    total = 0
    if b != FACE_DOWN:
        return known_points(a, b) * pairs_of(unseen)
    if a != FACE_DOWN:
        for kind in range(VALUES):
            total += counts[kind] * known_points(a, kind)
        return total * (unseen - 1)
    for first in range(VALUES):
        for second in range(VALUES):
            total += counts[first] * counts[second] * known_points(first, second)
    return total


@kernel
def best_exchange(s, kind, counts, unseen, columns):
    """The most expected points that a card of this kind saves, and the first place where it does."""
    top, best = -(1 << 40), 0
    for place in range(PLACES):
        after = column_points(kind, seen_at(s, s.turn, partner(place)), counts, unseen)
        if columns[place % COLUMNS] - after > top:
            top, best = columns[place % COLUMNS] - after, place
    return top, best


@kernel
def sensible_move(s, int_scratch):
    """The move that saves most points this turn, expected over the unseen cards. In a player's last turn nothing is better."""
    counts, columns = int_scratch[:VALUES], int_scratch[VALUES:]
    unseen = unseen_kinds(s, s.turn, 0, counts)
    for column in range(COLUMNS):
        one, other = seen_at(s, s.turn, column), seen_at(s, s.turn, column + COLUMNS)
        columns[column] = column_points(one, other, counts, unseen)
    if s.phase != DRAW:
        saved, place = best_exchange(s, KIND[s.drawn], counts, unseen, columns)
        return THROW if s.source == STOCK and saved <= 0 else place
    drawn = 0
    for kind in range(VALUES):
        if counts[kind] > 0:
            drawn += counts[kind] * max(0, best_exchange(s, kind, counts, unseen, columns)[0])
    upcard = best_exchange(s, KIND[s.discard[s.discard_size - 1]], counts, unseen, columns)[0]
    return DISCARD if upcard * unseen > drawn else STOCK
