"""Training examples from recorded games of hearts: of people, or of any players, in the game's notation.

A record does not say what a seat meant to do, so all seats count: hands for the moon decision, cards while no other seat has points
for moon play, and observations while another seat alone has hearts for both roles of the defence. Rewards are those of examples.py.
"""

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.hearts.examples import give_rewards, write_decisions, write_move
from sparring.games.hearts.game_record import read_record
from sparring.games.hearts.nets import DEFENCE_PLAYING, MOON_PASSING, MOON_PLAYING, is_suspect, others_points
from sparring.games.hearts.rules import NORMAL, PASS, PASSED, apply, deal_round, start
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS

MOVES = CARDS + PASSED * SEATS
Recorded = np.dtype(
    [
        ("number", np.int64),  # of the round, from 0
        ("passing", np.int64),
        ("hand", np.int64, (SEATS,)),  # as dealt
        ("count", np.int64),
        ("move", np.int8, (MOVES,)),
    ],
    align=True,
)


def recorded_rounds(text: str, place: str) -> np.ndarray:
    """The rounds of a game from its text."""
    record = read_record(text, place)
    found = np.zeros(len(record.deals), Recorded)
    for number, (row, played) in enumerate(zip(found, record.deals, strict=True)):
        row["number"], row["passing"], row["hand"] = number, bool(played.passed), played.dealt
        row["count"] = len(played.moves)
        row["move"][: len(played.moves)] = played.moves
    return found


@kernel
def replay_examples(rounds, states, terms, examples):
    """Replay rounds; writes what can be learned from round i to examples[i]."""
    s, term = states[0], terms[0]
    start(s, np.uint64(0), 0, 0, SEATS)
    for i in range(rounds.size):
        row, found = rounds[i], examples[i]
        s.over, s.round, s.rules.passing, s.rules.rounds = 0, row.number, row.passing, 0
        for seat in range(SEATS):
            s.rules.hand[seat] = row.hand[seat]
        deal_round(s)
        count = begun = 0
        for k in range(row.count):
            number, card = s.number, np.int64(row.move[k])
            count = write_decisions(s, term, True, True, found, count)
            s.plan[s.turn] = NORMAL
            role = role_to_learn(s, term)
            if role >= 0:
                count = write_move(s, role, card, found, count)
            apply(s, card)
            begun = give_rewards(s, term, number, row.number, found, begun, count)


@kernel
def role_to_learn(s, terms):
    """The role that learns from the card to come, or -1."""
    if s.phase == PASS:
        return MOON_PASSING if (terms.roles >> MOON_PASSING) & 1 else -1
    if (terms.roles >> MOON_PLAYING) & 1 and others_points(s, s.turn) == 0:
        return MOON_PLAYING
    return DEFENCE_PLAYING if (terms.roles >> DEFENCE_PLAYING) & 1 and is_suspect(s) else -1
