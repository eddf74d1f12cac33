"""What a search of hearts compares and what it plays for: cards that differ, without and with the moon, and the chance to win."""

import math

import numpy as np

from sparring.games.deck import bit, lowest_card
from sparring.games.hearts.monte import are_equivalent
from sparring.games.hearts.nets import others_points
from sparring.games.hearts.rules import ADD, ALL_POINTS, JACK, MOON, NORMAL, OFF, PLAY, QUEEN, legal_cards
from sparring.games.hearts.tricks import DECK, SEATS
from sparring.kernel.compiler import kernel

PLANS = 2  # without and with the moon
# The chance to win is softmax(-score / (SPREAD * sqrt(points to the end + BEYOND))), fitted to 700 games of four champions.
SPREAD, BEYOND = 1.93, 9.4
PER_ROUND = 10.0  # points by which a round brings the end nearer
GAME_POINTS = 108.0  # a won game, in points of the first round
SOON = 0.01  # the spread of a game that is over: the fewest points win, and equals share
STOPPED, STOPPED_POINTS = 0.5, 20  # the share of planned moons that count as stopped, and the seat's points then


@kernel
def candidates(s, out):
    """Write the cards that the seat to move may play, one of each group of equivalent ones; returns how many.

    Cards to pass are not compared: the policy of playouts, which completes the three, passes worse than networks do.
    """
    live = DECK & ~(s.played | s.hand[s.turn]) | bit(QUEEN)
    if s.rules.jack:
        live |= bit(JACK)
    rest, count, last = legal_cards(s) if s.phase == PLAY else np.int64(0), 0, np.int64(-1)
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        if not are_equivalent(last, card, live):
            out[count] = card
            count += 1
        last = card
    return count


@kernel
def intend(s, seat, plan):
    """Write whether a seat plans to shoot the moon; returns whether it may. A plan that others have stopped stays."""
    possible = s.rules.moon != OFF and others_points(s, seat) == 0
    if possible:
        s.plan[seat] = MOON if plan else NORMAL
    return possible or plan == 0


@kernel
def planned(s, seat):
    """Whether a seat is shooting the moon."""
    return np.int64(s.plan[seat] == MOON and others_points(s, seat) == 0)


@kernel
def worth(s, before, seat):
    """A seat's chance to win the game after a round, in points of the first round.

    Moons that it planned count as stopped in part, because playouts defend worse than strong players do.
    """
    if s.tally.made[seat] == before.tally.made[seat]:
        return GAME_POINTS * chance(s, seat, 0, 0)
    mine, theirs = (0, -ALL_POINTS) if s.rules.moon == ADD else (ALL_POINTS, 0)
    stopped = chance(s, seat, mine + STOPPED_POINTS, theirs + (ALL_POINTS - STOPPED_POINTS) // (SEATS - 1))
    return GAME_POINTS * ((1.0 - STOPPED) * chance(s, seat, 0, 0) + STOPPED * stopped)


@kernel
def chance(s, seat, mine, theirs):
    """A seat's chance to win with its score and those of the others, to which points are added."""
    score = s.tally.score
    least = most = score[seat] + mine
    for other in range(SEATS):
        if other != seat:
            most, least = max(most, score[other] + theirs), min(least, score[other] + theirs)
    over = s.over != 0 if s.rules.rounds else most >= s.rules.target
    left = PER_ROUND * (s.rules.rounds - s.round) if s.rules.rounds else float(s.rules.target - most)
    spread, total = SOON if over else SPREAD * math.sqrt(left + BEYOND), 0.0
    for other in range(SEATS):
        total += math.exp((least - score[other] - (mine if other == seat else theirs)) / spread)
    return math.exp((least - score[seat] - mine) / spread) / total
