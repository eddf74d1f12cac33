"""Examples of deals and of the points that followed, to which benchmarks/luck_values.py fits the values of hands."""

from sparring.games.deck import CARDS, lowest_card
from sparring.games.hearts.luck import DIRECTION, INPUTS
from sparring.games.hearts.rules import SEATS, apply, start
from sparring.kernel.compiler import kernel


@kernel
def examples(jobs, moves, states, values, targets):
    """Replay games; writes what the function sees of each seat's place in a deal, and its points. Returns how many."""
    s, count = states[0], 0
    for i in range(jobs.size):
        job, n, round_number = jobs[i], 0, -1
        start(s, job.seed, job.deal, job.luck, job.seats)
        while moves[i, n] >= 0 and count + SEATS <= targets.size:
            if s.round != round_number:
                round_number = s.round
                for seat in range(SEATS):
                    write_place(s, seat, values[count + seat])
                    targets[count + seat] = -s.tally.score[seat]
                count += SEATS
            apply(s, moves[i, n])
            n += 1
            if s.round != round_number:
                end_round(s, targets, count - SEATS)
    return count


@kernel
def end_round(s, targets, first):
    """Complete the targets of a round: each seat's points minus the mean."""
    mean = 0.0
    for seat in range(SEATS):
        targets[first + seat] += s.tally.score[seat]
        mean += targets[first + seat] / SEATS
    for seat in range(SEATS):
        targets[first + seat] -= mean


@kernel
def write_place(s, seat, values):
    """The inputs of `place_value` as zeros and ones."""
    for k in range(INPUTS):
        values[k] = 0
    values[DIRECTION + s.direction] = 1
    for k in range(SEATS):
        rest = s.dealt[(seat + k) % SEATS]
        while rest:
            values[k * CARDS + lowest_card(rest)] = 1
            rest &= rest - 1
