"""Why a team of hearts nets chose: the values of all cards, or of all threes to pass, by the net whose role it was."""

from itertools import combinations
from typing import Any

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.explain import AFTER, Decision, Evaluator, MoveValues, NetEvaluator, dense, shown
from sparring.games.hearts.cards import cards_of
from sparring.games.hearts.encodings import BY_ME, INPUTS, MINE, PASS_VIEW, PLACES, PLAY_VIEW, inputs
from sparring.games.hearts.nets import ROLES
from sparring.games.hearts.rules import MOON, PASS, PASSED, POINT_CARDS
from sparring.kernel.launch import SEATS

POINTS = "how few points the network expects of the round, 1 for none and 0 for many"
NOTES = {
    "play": f"{POINTS}, after this card",
    "pass": f"{POINTS}, by the best three with this card",
    "moon-play": "the chance to shoot the moon, as the network sees it after this card",
    "moon-pass": "the chance to shoot the moon, as the network sees it, by the best three with this card",
    "defence-play": "how well another's moon is stopped, and with how few points, as the network sees it after this card",
}


def think(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of the legal cards; None where the rule-based player stands in for a net that is not there."""
    role = role_of(evaluator, decision.told, decision.after[0])
    name = role if role in evaluator.networks else ""
    if not has_role(evaluator, role):
        return None
    weigh = weigh_passes if decision.told["phase"] == PASS else weigh_cards
    sums, row = weigh(evaluator.networks[name], decision)
    values, note = shown(evaluator.networks[name], sums, NOTES[role])
    return MoveValues(values, note, name, row, AFTER)


def has_role(evaluator: Evaluator, role: str) -> bool:
    """Whether there is a net for a role: a team's own, or a single net that sees what it needs."""
    return role in evaluator.networks or (
        "" in evaluator.networks and evaluator.networks[""].encoding == ROLES[role] == role
    )


def role_of(evaluator: Evaluator, before: Any, after: Any) -> str:
    """Whose turn it was in the flow; what was decided stands in the state as choosing left it."""
    seat = int(before["turn"])
    moon = after["plan"][seat] == MOON
    if before["phase"] == PASS:
        return "moon-pass" if moon and has_role(evaluator, "moon-pass") else "pass"
    if moon and not any(before["won"][other] & POINT_CARDS for other in range(SEATS) if other != seat):
        return "moon-play"
    return "defence-play" if after["tally"]["defended"][seat] > before["tally"]["defended"][seat] else "play"


def weigh_cards(network: NetEvaluator, decision: Decision) -> tuple[dict[int, float], np.ndarray]:
    """The sum of each legal card, and what is seen after the one that was chosen."""
    row = dense(inputs, decision.s, decision.seat, PLAY_VIEW, INPUTS[PLAY_VIEW])
    rows = np.repeat(row[None], len(decision.legal), axis=0)
    for number, card in enumerate(decision.legal):
        rows[number, PLACES * card + MINE], rows[number, PLACES * card + BY_ME] = 0, 1
    sums = network.sums(rows).tolist()
    return dict(zip(decision.legal, sums, strict=True)), rows[decision.legal.index(decision.move)]


def weigh_passes(network: NetEvaluator, decision: Decision) -> tuple[dict[int, float], np.ndarray]:
    """The sum of the best three with each card that is still to be had, and what is seen when the best of all are passed."""
    dealt = cards_of(int(decision.told["dealt"][decision.seat]))
    threes = list(combinations(dealt, PASSED))
    rows = np.zeros((len(threes), INPUTS[PASS_VIEW]))
    rows[:, dealt] = 1
    for row, three in zip(rows, threes, strict=True):
        row[[CARDS + card for card in three]] = 1
    sums = network.sums(rows)
    return {card: float(sums[rows[:, CARDS + card] == 1].max()) for card in decision.legal}, rows[np.argmax(sums)]
