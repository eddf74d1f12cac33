"""A board as a seat sees it, as sets of places, and the steps of one checker on it.

Each seat numbers the points from its own side: it moves from 24 to 1, its bar is 25 and it bears off to 0, so no rule depends
on colour. A seat's point p is the opponent's point 25 - p. A set is a whole number with a bit for each of its places, so that one
operation tests or changes all of them.
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.bits import bit_length
from sparring.kernel.compiler import inline_kernel, kernel

OFF, BAR, PLACES, HOME, CHECKERS = 0, 25, 26, 6, 15
ON_BAR, OUTSIDE, POINTS = 1 << BAR, 1 << (HOME + 1), (1 << BAR) - 2


class Places(NamedTuple):
    """Where checkers are before a roll is played, as sets of places."""

    own: Any  # with an own checker
    several: Any  # with two or more
    met: Any  # points with an opposing checker
    free: Any  # points that two opposing checkers do not close


@kernel
def places_of(board, seat):
    """A board as sets."""
    own = several = met = closed = np.int64(0)
    for place in range(1, PLACES):
        mine, theirs = board[seat, place], board[1 - seat, BAR - place]
        own |= np.int64(mine > 0) << place
        several |= np.int64(mine > 1) << place
        met |= np.int64(theirs > 0) << place
        closed |= np.int64(theirs > 1) << place
    return Places(own, several, met & POINTS, POINTS & ~closed)


@inline_kernel
def highest(places):
    """The highest place of a set that is not empty."""
    return bit_length(places) - 1


@inline_kernel
def leaving(own, free, pips):
    """The places from which a checker can move by this many pips."""
    onto = own & (free << pips)
    if own >= ON_BAR:
        return onto & ON_BAR
    if own < OUTSIDE:  # all are home: the die's own point bears off, or the highest below it
        if own >= 1 << pips:
            onto |= own & (1 << pips)
        else:
            onto |= (1 << highest(own | 1)) & ~1
    return onto


@inline_kernel
def after_step(own, several, point, pips):
    """Where own checkers are after a step."""
    here = 1 << point
    return (own & ~here) | (several & here) | ((here >> pips) & ~1)


@inline_kernel
def up_to(place):
    """The set of this place and all below it."""
    return (2 << place) - 1


@inline_kernel
def has(bits, place):
    """Whether a set has a place."""
    return (bits >> place) & 1 == 1


class Counts(NamedTuple):
    """Own checkers for up to four steps, as the sets of places with so many or more."""

    one: Any
    two: Any
    three: Any
    four: Any


@kernel
def counts_of(board, seat, own, several):
    """How many own checkers are where."""
    three = four = np.int64(0)
    for place in range(1, PLACES):
        three |= np.int64(board[seat, place] > 2) << place
        four |= np.int64(board[seat, place] > 3) << place
    return Counts(own, several, three, four)


@inline_kernel
def counts_after(counts, point, pips):
    """The counts after a step. Only the first four steps are counted right, which is all that a roll has."""
    here = 1 << point
    there, rest = (here >> pips) & ~1, ~here
    one = (counts.one & rest) | (counts.two & here)
    two = (counts.two & rest) | (counts.three & here)
    three = (counts.three & rest) | (counts.four & here)
    four = counts.four & rest
    return Counts(one | there, two | (one & there), three | (two & there), four | (three & there))
