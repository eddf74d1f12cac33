"""Encodings for golf networks: the study's three for play, and the three of its supervised experiment. See also column_encoding.py.

Inputs for play are one-hot, and a move changes few of them: first the location of each card as far as the player knows it
(location * 54 + card), then the hand. `hand` has the hand only, `state` has a location for each place of the hand,
`state-hand` has three locations and the kind of card at each place.
"""

import numpy as np

from sparring.games.golf.rules import CARDS, COLUMNS, KIND, PLACES, POINTS, VALUES
from sparring.kernel.compiler import kernel

HAND, STATE, STATE_HAND, COLUMN = range(4)
NAMES = ("hand", "state", "state-hand", "columns")
KINDS = VALUES + 1  # the fourteen kinds and "face down"
FACE_DOWN = VALUES
OPPONENT, DISCARDED, UNKNOWN, MINE = 0, 1, 2, 3  # locations; MINE + place is a place of the player's own hand
VALUE, ROUND, ROUND_60 = range(3)
HEADS = ("value", "round", "round-60")  # the lead after a game, and after a round,
GOOD = (150.0, 30.0, 60.0)  # of which so many points count as 1
NOWHERE = -1  # location of the card just drawn, until it is placed
COLUMN_KINDS = KINDS * (KINDS + 1) // 2
# Where the inputs of `columns` begin: own columns at 0, those of the next seat, the upcard (the last for a card that the player
# could not know), unseen cards of each kind, own face-down cards (0 to 4), and those of the opponent who has fewest.
NEXT, TOP, UNSEEN = COLUMN_KINDS, 2 * COLUMN_KINDS, 2 * COLUMN_KINDS + KINDS
DOWN, NEXT_DOWN = UNSEEN + VALUES, UNSEEN + VALUES + PLACES - 1
INPUTS = (PLACES * KINDS, CARDS * (MINE + PLACES), CARDS * MINE + PLACES * KINDS, NEXT_DOWN + PLACES - 1)


@kernel
def locate(s, seat, where):
    """Write the location of each card, as far as `seat` knows it."""
    for card in range(CARDS):
        where[card] = UNKNOWN
    for i in range(s.discard_size):
        where[s.discard[i]] = DISCARDED
    for other in range(s.seats):
        for place in range(PLACES):
            if s.up[other, place]:
                where[s.hand[other, place]] = MINE + place if other == seat else OPPONENT
    if s.drawn >= 0 and s.turn == seat:
        where[s.drawn] = NOWHERE


@kernel
def sees_table(encoding):
    return encoding != HAND


@kernel
def table_input(card, location):
    return location * CARDS + card


@kernel
def place_input(encoding, place, card):
    """The input for `card` face up at `place` of the player's hand."""
    if encoding == STATE:
        return table_input(card, MINE + place)
    first = CARDS * MINE if encoding == STATE_HAND else 0
    return first + place * KINDS + KIND[card]


@kernel
def face_down_input(encoding, place):
    """The input for a face-down card at `place`, or -1 if the encoding has none."""
    if encoding == STATE:
        return -1
    first = CARDS * MINE if encoding == STATE_HAND else 0
    return first + place * KINDS + FACE_DOWN


@kernel
def hand_input(s, seat, encoding, place):
    """The input for what the player knows of `place`, or -1."""
    if s.up[seat, place]:
        return place_input(encoding, place, s.hand[seat, place])
    return face_down_input(encoding, place)


@kernel
def active_inputs(s, seat, encoding, where, active):
    """Write the numbers of the inputs that are 1; returns how many."""
    count = 0
    if sees_table(encoding):
        for card in range(CARDS):
            if 0 <= where[card] < MINE:
                active[count] = table_input(card, where[card])
                count += 1
    for place in range(PLACES):
        i = hand_input(s, seat, encoding, place)
        if i >= 0:
            active[count] = i
            count += 1
    return count


@kernel
def outcome(s, seat, head, out):
    """The lead over the others' mean: 0.5 for none, 1 or 0 for a lead or deficit of GOOD points."""
    others = 0
    for other in range(s.seats):
        if other != seat:
            others += s.tally.score[other]
    lead = others / (s.seats - 1) - s.tally.score[seat]
    out[0] = min(max(0.5 + lead / (2 * GOOD[head]), 0.0), 1.0)


@kernel
def part(s):
    """The round."""
    return s.round_number


def numerical(hands: np.ndarray) -> np.ndarray:
    """The value of each card, -1 for a joker: 6 inputs."""
    kinds = KIND[hands]
    return np.where(kinds == VALUES - 1, -1, kinds + 1).astype(np.float32)


def one_hot_value(hands: np.ndarray) -> np.ndarray:
    """Fourteen bits per card of the hand: 84 inputs."""
    return np.asarray(np.eye(VALUES, dtype=np.float32)[KIND[hands]].reshape(len(hands), -1))


def one_hot_deck(hands: np.ndarray) -> np.ndarray:
    """Seven bits per card of the deck, for its place in the hand or none: 378 inputs."""
    place = np.full((len(hands), CARDS), PLACES)
    np.put_along_axis(place, hands.astype(np.int64), np.arange(PLACES)[None, :], axis=1)
    return np.asarray(np.eye(PLACES + 1, dtype=np.float32)[place].reshape(len(hands), -1))


def scored_hands(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Random hands of six different cards, and their scores."""
    decks = np.tile(np.arange(CARDS, dtype=np.int8), (count, 1))
    hands = np.random.default_rng(seed).permuted(decks, axis=1)[:, :PLACES].copy()
    kinds = KIND[hands]
    upper, lower = kinds[:, :COLUMNS], kinds[:, COLUMNS:]
    scores = np.where(upper == lower, 0, POINTS[upper] + POINTS[lower]).sum(axis=1)
    return hands, scores


SUPERVISED = {"numerical": numerical, "one-hot-value": one_hot_value, "one-hot-deck": one_hot_deck}
