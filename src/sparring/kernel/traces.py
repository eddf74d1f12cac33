"""TD(lambda) without old samples: each is learned once, some turns late, with its lambda-return (Sutton and Barto 2018, ch. 12).

The samples of each game's last turns lie in a ring, with their targets of one turn. A sample that leaves the ring has as target the
return of those turns: its own target where that is the outcome or where nothing follows in its chain, otherwise 1 - lambda times
its own target and lambda times the return of the next sample of its chain, as its seat sees it.

With perfect information the samples of a game are one chain, and values are flipped between movers. Otherwise those of each seat
are a chain. Games that follow each other share a ring: an outcome ends a chain.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.stages import NOBODY, rescale, write_target
from sparring.kernel.vectors import copy

LONGEST, LEAST = 16, 0.01


class Ring(NamedTuple):
    """The samples of the last turns, by game and place. A place that comes next has what is known before the turn."""

    rows: Any
    targets: Any
    seats: Any  # whose samples they are; NOBODY where there is none
    ends: Any  # whether the target is the outcome
    units: Any  # of the target
    places: Any  # per game: the number of its turns


class Tracing(NamedTuple):
    """The kernels of one game."""

    weigh: Any  # weigh(i, games, samples, ring, terms, flip, mean, following)
    remember: Any  # remember(first, last, games, samples, ring, terms, flip, mean, following), for cores


def horizon(trace: float) -> int:
    """The turns of a return: as long as powers of lambda are above 0.01, and at most 16."""
    turns = 1
    while turns < LONGEST and trace**turns > LEAST:
        turns += 1
    return turns


def new_ring(games: int, turns: int, inputs: int, outputs: int) -> Ring:
    """An empty ring."""
    return Ring(
        np.zeros((games, turns, inputs), np.float32),
        np.zeros((games, turns, outputs), np.float32),
        np.full((games, turns), NOBODY),
        np.zeros((games, turns), np.int64),
        np.ones((games, turns)),
        np.zeros(games, np.int64),
    )


@kernel
def last_mover(i, games):
    """Known before a turn with perfect information: whose the sample is."""
    return games.movers[i]


@kernel
def whose_turn(i, games, known):
    """Whose a sample is, after the turn, and whether the game has ended."""
    return known, games.movers[i] == NOBODY


@kernel
def waiting_seats(i, games):
    """Known before a turn of games whose seats see different things: who is to move and who waits for a value."""
    return games.states[i].turn + SEATS * games.movers[i]


@kernel
def whose_value(i, games, known):
    """Whose a sample is, after the turn, and whether it is the outcome: then the seat waits no more."""
    settled = known // SEATS & ~games.movers[i]
    seat = 0 if settled else known % SEATS
    while settled and settled >> seat & 1 == 0:
        seat += 1
    return seat, settled != 0


@cache
def returning(shared: bool) -> Any:
    """The kernel of a lambda-return; `shared` for one chain of all seats."""

    @kernel
    def lambda_return(i, now, leaving, ring, trace, flip, mean, following):
        """The return of the sample that leaves, from the newest sample back."""
        turns, holder, unit_of = ring.seats.shape[1], np.int64(NOBODY), 1.0
        for back in range(turns):
            k = (now - back + turns) % turns
            seat, target = ring.seats[i, k], ring.targets[i, k]
            if seat == NOBODY or (not shared and seat != ring.seats[i, leaving]):
                continue
            if holder == NOBODY or ring.ends[i, k]:
                copy(mean, 0, target, 0, len(mean))
            else:
                write_target(mean, seat == holder, flip, following)
                if unit_of != ring.units[i, k]:
                    rescale(following, unit_of / ring.units[i, k])
                for o in range(len(mean)):
                    mean[o] = (np.float32(1.0) - trace) * target[o] + trace * following[o]
            holder, unit_of = seat, ring.units[i, k]

    return lambda_return


@cache
def tracing(known: Any, whose: Any, unit: Any, shared: bool) -> Tracing:
    """The kernels made of those that tell whose a sample is, and of the unit of values; `shared` for one chain of all seats."""
    lambda_return = returning(shared)

    @kernel
    def weigh(i, games, samples, ring, terms, flip, mean, following):
        """Put game i's sample into its ring, but for the row, and replace it by the one that leaves."""
        turns = ring.seats.shape[1]
        now = ring.places[i] % turns
        leaving = (now + 1) % turns
        seat, ended = whose(i, games, ring.seats[i, now])
        ring.seats[i, now] = seat if samples.weights[i] != 0 else NOBODY
        ring.ends[i, now] = ended
        for o in range(len(mean)):
            ring.targets[i, now, o] = samples.targets[i, o] if samples.weights[i] != 0 else np.float32(0.0)
        samples.weights[i] = ring.seats[i, leaving] != NOBODY
        if ring.seats[i, leaving] != NOBODY:
            lambda_return(i, now, leaving, ring, terms[0].trace, flip, mean, following)
            copy(samples.targets[i], 0, mean, 0, len(mean))
        ring.places[i] += 1
        ring.seats[i, leaving] = known(i, games)
        ring.units[i, leaving] = unit(games.states[i], terms[0].head)

    @kernel
    def remember(first, last, games, samples, ring, terms, flip, mean, following):
        """On cores: put each game's sample into its ring, and replace it by the one that leaves."""
        turns, inputs = ring.rows.shape[1], ring.rows.shape[2]
        for i in range(first, last):
            now = ring.places[i] % turns
            copy(ring.rows[i, now], 0, samples.rows[i], 0, inputs)
            copy(samples.rows[i], 0, ring.rows[i, (now + 1) % turns], 0, inputs)
            weigh(i, games, samples, ring, terms, flip, mean, following)

    return Tracing(weigh, remember)
