"""The luck of the cards: a network's value of what came, minus its mean over all cards that could have come, in points.

No player knows a card that another does not, so a card that comes is any of the unseen ones with equal probability. Three events
are judged: a card drawn from the stock, a face-down card that an exchange turns up, and the face-down cards at the end of a round.
Deals are not: every seating has the same ones, so their luck cancels. Nor is what follows once a stock may have been made of
discards, which are no longer unseen.
"""

from sparring.games.golf.column_policies import (
    LISTS,
    card_seen,
    card_value,
    different_places,
    exchange_value,
    state_sums,
    stock_value,
)
from sparring.games.golf.encodings import COLUMN, FACE_DOWN, GOOD, ROUND_60
from sparring.games.golf.odds import best_exchange, column_points, known_points, pairs_of, seen_at, unseen_kinds
from sparring.games.golf.rules import CARDS, COLUMNS, DRAW, KIND, PLACES, STOCK, THROW, VALUES
from sparring.kernel.compiler import kernel
from sparring.kernel.maths import sigmoid

POINTS_OF_VALUE = 2.0 * GOOD[ROUND_60]
UNKNOWN = float("nan")


@kernel
def luck(s, move, player, weights, scratch, int_scratch, out, row):
    """Add the luck of a turn that ends with this move. Networks that do not see columns are no judges."""
    if player.encoding != COLUMN:
        out[row, s.turn] = UNKNOWN
    if s.phase == DRAW or s.turn_count >= CARDS - PLACES * s.seats - 1:
        return
    counts, last = int_scratch[:VALUES], s.ender >= 0
    unseen = unseen_kinds(s, s.turn, 0, counts)
    if s.source == STOCK:
        counts[KIND[s.drawn]] += 1
        if last:
            add_luck(s, s.turn, last_draw(s, counts, unseen + 1, int_scratch[VALUES:]), out, row)
        else:
            add_luck(s, s.turn, draw_luck(s, player, weights, counts, unseen + 1, scratch, int_scratch), out, row)
        counts[KIND[s.drawn]] -= 1
    if last and (s.turn + 1) % s.seats == s.ender and unseen > 1:
        end_luck(s, move, counts, unseen, out, row)
    elif not last and move != THROW and not s.up[s.turn, move]:
        add_luck(s, s.turn, turned_luck(s, move, player, weights, counts, unseen, scratch, int_scratch), out, row)


@kernel
def add_luck(s, seat, points, out, row):
    """What a seat gains the others lose, in equal parts."""
    for other in range(s.seats):
        out[row, other] += points if other == seat else -points / (s.seats - 1)


@kernel
def draw_luck(s, player, weights, counts, unseen, scratch, int_scratch):
    """The value of the card drawn, minus that of the stock; the card still counts as unseen."""
    places = int_scratch[VALUES:LISTS]
    state_sums(s, player, weights, scratch, counts, int_scratch[LISTS:])
    count = different_places(s, places)
    drawn = card_value(s, player, weights, KIND[s.drawn], places, count, scratch)
    return POINTS_OF_VALUE * (drawn - stock_value(s, player, weights, counts, unseen, places, count, scratch))


@kernel
def turned_luck(s, place, player, weights, counts, unseen, scratch, int_scratch):
    """The value of an exchange with the face-down card that it turns up, minus the mean over the unseen cards."""
    state_sums(s, player, weights, scratch, counts, int_scratch[LISTS:])
    turned, mean = KIND[s.hand[s.turn, place]], 0.0
    found = 0.0
    for kind in range(VALUES):
        if counts[kind] > 0:
            card_seen(player, weights, kind, scratch)
            value = sigmoid(exchange_value(s, player, weights, KIND[s.drawn], place, kind, scratch))
            mean += counts[kind] * value / unseen
            if kind == turned:
                found = value
    return POINTS_OF_VALUE * (found - mean)


@kernel
def last_draw(s, counts, unseen, columns):
    """In a last turn: the points that the card drawn saves, minus their mean over the unseen cards."""
    for column in range(COLUMNS):
        one, other = seen_at(s, s.turn, column), seen_at(s, s.turn, column + COLUMNS)
        columns[column] = column_points(one, other, counts, unseen)
    mean = 0.0
    for kind in range(VALUES):
        mean += counts[kind] * max(0, best_exchange(s, kind, counts, unseen, columns)[0]) / unseen
    drawn = max(0, best_exchange(s, KIND[s.drawn], counts, unseen, columns)[0])
    return (drawn - mean) / pairs_of(unseen)


@kernel
def end_luck(s, move, counts, unseen, out, row):
    """At the end of a round: the expected points of hands with face-down cards, minus those that they have."""
    for seat in range(s.seats):
        fewer = 0.0
        for column in range(COLUMNS):
            a, b = shown(s, seat, column, move), shown(s, seat, column + COLUMNS, move)
            if a == FACE_DOWN or b == FACE_DOWN:
                one = KIND[s.hand[seat, column]] if a == FACE_DOWN else a
                other = KIND[s.hand[seat, column + COLUMNS]] if b == FACE_DOWN else b
                fewer += column_points(a, b, counts, unseen) / pairs_of(unseen) - known_points(one, other)
        add_luck(s, seat, fewer, out, row)


@kernel
def shown(s, seat, place, move):
    """The kind at a place after the move, or FACE_DOWN."""
    return KIND[s.drawn] if seat == s.turn and place == move else seen_at(s, seat, place)
