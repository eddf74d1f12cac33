"""Examples of hands after a throw and of who won by how much, to which benchmarks/luck_values.py fits the values of hands."""

from sparring.games.deck import CARDS, bit
from sparring.games.gin.luck import ALL, write_inputs
from sparring.games.gin.rules import THROW, apply, start
from sparring.kernel.compiler import kernel


@kernel
def examples(jobs, moves, states, values, targets):
    """Replay single hands; writes what the function sees after each deal and throw, and the points won then. Returns how many."""
    s, count = states[0], 0
    for i in range(jobs.size):
        job, first, n = jobs[i], count, 0
        start(s, job.seed, job.deal, job.luck, job.seats)
        seat, thrown = 1 - s.starter, s.upcard
        while moves[i, n] >= 0 and count < targets.size:
            if n == 0 or s.phase == THROW:
                if n > 0:
                    seat, thrown = s.turn, moves[i, n] % CARDS
                hand, other = s.hand[seat] & ~bit(thrown), s.hand[1 - seat]
                stock = ALL & ~(hand | other | s.pile | bit(thrown))
                write_inputs(hand, other, thrown, stock, s.hand_turns + (n > 0), values[count])
                targets[count] = seat
                count += 1
            apply(s, moves[i, n])
            n += 1
        for k in range(first, count):
            lead = s.tally.score[0] - s.tally.score[1]
            targets[k] = -lead if targets[k] else lead
    return count
