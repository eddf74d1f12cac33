"""Why a team of hearts networks chose its move: the values of all cards, or of all passes, by the network that decided."""

from itertools import combinations
from typing import Any

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.explain import AFTER, Decision, Evaluator, MoveValues, NetEvaluator, dense, shown
from sparring.games.hearts.cards import cards_of
from sparring.games.hearts.encodings import BY_ME, INPUTS, MINE, PASS_VIEW, PLACES, PLAY_VIEW, inputs
from sparring.games.hearts.nets import ROLES
from sparring.games.hearts.rules import HOPED, MOON, PASS, PASSED, POINT_CARDS
from sparring.kernel.launch import SEATS

POINTS = "the points that the network expects in the round, from 1 (none) to 0 (many)"
NOTES = {
    "play": f"{POINTS}, after this card",
    "pass": f"{POINTS}, for the best pass with this card",
    "moon-play": "the network's estimate of the chance to shoot the moon, after this card",
    "moon-pass": "the network's estimate of the chance to shoot the moon, for the best pass with this card",
    "defence-play": "the network's estimate of stopping another's moon with few points, after this card",
}


def move_values(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of the legal cards; None if the rule-based player replaces a missing network."""
    role = role_of(evaluator, decision.state, decision.after[0])
    name = role if role in evaluator.networks else ""
    if not has_role(evaluator, role):
        return None
    evaluate = pass_sums if decision.state["phase"] == PASS else card_sums
    sums, row = evaluate(evaluator.networks[name], decision)
    values, note = shown(evaluator.networks[name], sums, NOTES[role])
    return MoveValues(values, note, name, row, AFTER)


def has_role(evaluator: Evaluator, role: str) -> bool:
    """Whether there is a network for a role: a team's, or a single network with that role's encoding."""
    return role in evaluator.networks or (
        "" in evaluator.networks and evaluator.networks[""].encoding == ROLES[role] == role
    )


def role_of(evaluator: Evaluator, before: Any, after: Any) -> str:
    """The role that decided; the player's plan is in the state after choosing."""
    seat = int(before["turn"])
    plan = after["plan"][seat]
    if before["phase"] == PASS:
        return "moon-pass" if plan in (MOON, HOPED) and has_role(evaluator, "moon-pass") else "pass"
    if plan == MOON and not any(before["won"][other] & POINT_CARDS for other in range(SEATS) if other != seat):
        return "moon-play"
    return "defence-play" if after["tally"]["defended"][seat] > before["tally"]["defended"][seat] else "play"


def card_sums(network: NetEvaluator, decision: Decision) -> tuple[dict[int, float], np.ndarray]:
    """The output sum of each legal card, and the inputs after the card chosen."""
    row = dense(inputs, decision.s, decision.seat, PLAY_VIEW, INPUTS[PLAY_VIEW])
    rows = np.repeat(row[None], len(decision.legal), axis=0)
    for number, card in enumerate(decision.legal):
        rows[number, PLACES * card + MINE], rows[number, PLACES * card + BY_ME] = 0, 1
    sums = network.sums(rows).tolist()
    return dict(zip(decision.legal, sums, strict=True)), rows[decision.legal.index(decision.move)]


def pass_sums(network: NetEvaluator, decision: Decision) -> tuple[dict[int, float], np.ndarray]:
    """The output sum of the best pass with each legal card, and the inputs of the best pass."""
    dealt = cards_of(int(decision.state["dealt"][decision.seat]))
    threes = list(combinations(dealt, PASSED))
    rows = np.zeros((len(threes), INPUTS[PASS_VIEW]))
    rows[:, dealt] = 1
    for row, three in zip(rows, threes, strict=True):
        row[[CARDS + card for card in three]] = 1
    sums = network.sums(rows)
    return {card: float(sums[rows[:, CARDS + card] == 1].max()) for card in decision.legal}, rows[np.argmax(sums)]
