"""Encodings for gin rummy networks: the place of each card, as far as a seat knows it.

- `cards`: the study's, one number per card: 2 in hand, -2 in the opponent's hand (if seen), -1 discarded, 0 unknown.
- `places`: the four binary inputs per card that the study proposes: in hand, in the opponent's hand, discarded, unknown.
- `melds`: `places` and six features of the hand: its deadwood, whether it has knocked, whether it is gin; the number of unknown
  cards that would complete a meld, the number of those that would do so with deadwood only, and the highest deadwood card.
- `table`: all that can be seen, with the opponent's throws and refusals: see table_encoding.py.
- `match`: `table` and the score of the match: see match_score.py.

In the first three a card that moves from one place to another changes few inputs, so a policy adds only the change.
"""

import numpy as np

from sparring.games.deck import CARDS, bit, count_cards
from sparring.games.gin.match_score import MATCH_INPUTS, add_score, match_chance
from sparring.games.gin.melds import best_sets, completing, highest_points, loose_cards
from sparring.games.gin.rules import KNOCKING, STOCK, THROW
from sparring.games.gin.table_encoding import TABLE_INPUTS, table_inputs
from sparring.kernel.compiler import inline_kernel, kernel

ONE_NUMBER, PLACES, MELDS, TABLE, MATCH = range(5)
NAMES = ("cards", "places", "melds", "table", "match")
MINE, THEIRS, DISCARDED, UNKNOWN = range(4)  # where a card can be
FEATURES_AT, FEATURES = 4 * CARDS, 6  # the inputs after the places
INPUTS = (CARDS, 4 * CARDS, FEATURES_AT + FEATURES, TABLE_INPUTS, MATCH_INPUTS)
SCALES = (np.float32(0.04), np.float32(0.1))  # for deadwood, and for cards and points
VALUES = (np.float32(2.0), np.float32(-2.0), np.float32(-1.0), np.float32(0.0))  # of places in `cards`
ONE = np.float32(1.0)
ALL = (1 << CARDS) - 1

SCORE, WIN, LEAD, WHOLE_MATCH = range(4)
# Heads: points won (the study's), whether won, points won minus points lost, the chance to win the match.
OUTCOMES = ("score", "win", "lead", "match")
SCALE = 100.0  # points that count as 1, as in the study


@inline_kernel
def place_of(s, seat, card):
    """The place of a card, as far as a seat knows it."""
    one = bit(card)
    if s.hand[seat] & one:
        return MINE
    if s.known[1 - seat] & one:
        return THEIRS
    return DISCARDED if s.pile & one else UNKNOWN


@inline_kernel
def place_value(place):
    """The input of a card in `cards`."""
    if place == MINE:
        return VALUES[MINE]
    if place == THEIRS:
        return VALUES[THEIRS]
    return VALUES[DISCARDED] if place == DISCARDED else VALUES[UNKNOWN]


@kernel
def inputs(s, seat, encoding, index, value):
    """Write the inputs that are not 0, by number and value; returns how many."""
    if encoding in (TABLE, MATCH):
        count = table_inputs(s, seat, index, value)
        return add_score(s, seat, index, value, count) if encoding == MATCH else count
    count = 0
    for card in range(CARDS):
        place = place_of(s, seat, card)
        if encoding == ONE_NUMBER:
            if place != UNKNOWN:
                index[count], value[count] = card, place_value(place)
                count += 1
        else:
            index[count], value[count] = place * CARDS + card, ONE
            count += 1
    if encoding == MELDS:
        features = hand_features(s.hand[seat], unseen(s, seat), s.over != 0 and s.knocker == seat)
        for k in range(FEATURES):
            index[count], value[count] = FEATURES_AT + k, features[k]
            count += 1
    return count


@kernel
def valued(s, seat, encoding):
    """Whether a network values what a seat sees within its turn: on `table` and `match`, when it draws from the stock."""
    return encoding in (TABLE, MATCH) and s.phase == THROW and s.source == STOCK


@inline_kernel
def unseen(s, seat):
    """The cards that a seat has not seen: in the stock, or in the opponent's hand."""
    return ALL & ~(s.hand[seat] | s.known[1 - seat] | s.pile)


@kernel
def hand_features(hand, unknown, knocks):
    """The inputs after the places; `knocks`: whether the hand knocks if it can."""
    sets, left = best_sets(hand)
    loose = loose_cards(hand, sets)
    unknown &= ~hand
    return (
        SCALES[0] * np.float32(left),
        np.float32(knocks and left <= KNOCKING),
        np.float32(left == 0),
        SCALES[1] * np.float32(count_cards(completing(hand) & unknown)),
        SCALES[1] * np.float32(count_cards(completing(loose) & unknown)),
        SCALES[1] * np.float32(highest_points(loose)),
    )


@inline_kernel
def change(player, weights, card, before, after, h):
    """The change of the sum of unit h when a card moves from one place to another."""
    units = player.hidden
    if player.encoding == ONE_NUMBER:
        return (place_value(after) - place_value(before)) * weights[player.offset + card * units + h]
    gone = weights[player.offset + (before * CARDS + card) * units + h]
    return weights[player.offset + (after * CARDS + card) * units + h] - gone


@kernel
def outcome(s, seat, head, out):
    """The target at the end of a hand, for a head of OUTCOMES."""
    mine, theirs = s.tally.score[seat], s.tally.score[1 - seat]
    if head == SCORE:
        out[0] = min(mine / SCALE, 1.0)
    elif head == WIN:
        out[0] = 1.0 if mine > theirs else 0.0
    elif head == WHOLE_MATCH:
        out[0] = match_chance(s, seat, 0, 0)
    else:
        out[0] = min(max(0.5 + (mine - theirs) / (2.0 * SCALE), 0.0), 1.0)
