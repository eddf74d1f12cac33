"""Why a team of hearts nets chose: the values of all cards, or of all threes to pass, by the net whose role it was."""

from itertools import combinations
from typing import Any

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.hearts.cards import cards_of
from sparring.games.hearts.encodings import BY_ME, INPUTS, MINE, PASS_VIEW, PLACES, PLAY_VIEW, inputs
from sparring.games.hearts.nets import ROLES
from sparring.games.hearts.rules import MOON, PASS, PASSED, POINT_CARDS
from sparring.games.thinking import AFTER, Brain, Mind, Moment, Thought, dense, shown
from sparring.kernel.launch import SEATS

POINTS = "how few points the network expects of the round, 1 for none and 0 for many"
NOTES = {
    "play": f"{POINTS}, after this card",
    "pass": f"{POINTS}, by the best three with this card",
    "moon-play": "the chance to shoot the moon, as the network sees it after this card",
    "moon-pass": "the chance to shoot the moon, as the network sees it, by the best three with this card",
    "defence-play": "how well another's moon is stopped, and with how few points, as the network sees it after this card",
}


def think(mind: Mind, moment: Moment) -> Thought | None:
    """The values of the legal cards; None where the rule-based player stands in for a net that is not there."""
    role = role_of(mind, moment.told, moment.after[0])
    name = role if role in mind.brains else ""
    if not has_role(mind, role):
        return None
    weigh = weigh_passes if moment.told["phase"] == PASS else weigh_cards
    sums, row = weigh(mind.brains[name], moment)
    values, note = shown(mind.brains[name], sums, NOTES[role])
    return Thought(values, note, name, row, AFTER)


def has_role(mind: Mind, role: str) -> bool:
    """Whether there is a net for a role: a team's own, or a single net that sees what it needs."""
    return role in mind.brains or ("" in mind.brains and mind.brains[""].encoding == ROLES[role] == role)


def role_of(mind: Mind, before: Any, after: Any) -> str:
    """Whose turn it was in the flow; what was decided stands in the state as choosing left it."""
    seat = int(before["turn"])
    moon = after["plan"][seat] == MOON
    if before["phase"] == PASS:
        return "moon-pass" if moon and has_role(mind, "moon-pass") else "pass"
    if moon and not any(before["won"][other] & POINT_CARDS for other in range(SEATS) if other != seat):
        return "moon-play"
    return "defence-play" if after["tally"]["defended"][seat] > before["tally"]["defended"][seat] else "play"


def weigh_cards(brain: Brain, moment: Moment) -> tuple[dict[int, float], np.ndarray]:
    """The sum of each legal card, and what is seen after the one that was chosen."""
    row = dense(inputs, moment.s, moment.seat, PLAY_VIEW, INPUTS[PLAY_VIEW])
    rows = np.repeat(row[None], len(moment.legal), axis=0)
    for number, card in enumerate(moment.legal):
        rows[number, PLACES * card + MINE], rows[number, PLACES * card + BY_ME] = 0, 1
    sums = brain.sums(rows).tolist()
    return dict(zip(moment.legal, sums, strict=True)), rows[moment.legal.index(moment.move)]


def weigh_passes(brain: Brain, moment: Moment) -> tuple[dict[int, float], np.ndarray]:
    """The sum of the best three with each card that is still to be had, and what is seen when the best of all are passed."""
    dealt = cards_of(int(moment.told["dealt"][moment.seat]))
    threes = list(combinations(dealt, PASSED))
    rows = np.zeros((len(threes), INPUTS[PASS_VIEW]))
    rows[:, dealt] = 1
    for row, three in zip(rows, threes, strict=True):
        row[[CARDS + card for card in three]] = 1
    sums = brain.sums(rows)
    return {card: float(sums[rows[:, CARDS + card] == 1].max()) for card in moment.legal}, rows[np.argmax(sums)]
