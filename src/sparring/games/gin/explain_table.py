"""Why a gin rummy network on the encoding `table` or `match` chose its move: the values of all moves that it compared."""

import numpy as np

from sparring.games.explain import AFTER, Decision, MoveValues, NetEvaluator, shown
from sparring.games.gin.cards import cards_of
from sparring.games.gin.match_score import MATCH_INPUTS, MOST_ACTIVE, add_score
from sparring.games.gin.melds import deadwood
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD
from sparring.games.gin.table_encoding import DREW, KNOCKED, PASSED, THREW, write_table

VALUE = "what the network expects to win, from 0 to 1,"
THROWING = f"{VALUE} after the move"
DRAWING = f"{VALUE} after the best throw with the upcard, and before a card of the stock is seen"


def table_values(network: NetEvaluator, decision: Decision) -> MoveValues:
    """The values of all throws, or of taking and of leaving the upcard."""
    s, hand = decision.state, int(decision.state["hand"][decision.seat])
    if s["phase"] == THROW:
        kept = int(s["drawn"]) if s["source"] == UPCARD else -1
        rows = _throws(network, decision, hand, int(s["pile"]), kept)
        values, note = shown(network, _sums(network, rows), THROWING)
        return MoveValues(values, note, "", rows[decision.move], AFTER)
    upcard, stays = int(s["upcard"]), PASS if s["phase"] == FIRST else STOCK
    taking = _throws(network, decision, hand | 1 << upcard, int(s["pile"]) & ~(1 << upcard), upcard)
    taken = _sums(network, taking)
    best = max(taken, key=lambda move: taken[move])
    offered = upcard if s["phase"] == FIRST and s["passes"] == 0 else -1
    left = _row(network, decision, hand, int(s["pile"]), offered, PASSED if s["phase"] == FIRST else DREW)
    sums = {UPCARD: taken[best], stays: _sums(network, {stays: left})[stays]}
    values, note = shown(network, sums, DRAWING)
    return MoveValues(values, note, "", taking[best] if decision.move == UPCARD else left, AFTER)


def _sums(network: NetEvaluator, rows: dict[int, np.ndarray]) -> dict[int, float]:
    return dict(zip(rows, network.sums(np.array(list(rows.values()))).tolist(), strict=True))


def _throws(network: NetEvaluator, decision: Decision, hand: int, pile: int, kept: int) -> dict[int, np.ndarray]:
    """What the network sees after each throw, with a knock and without; gin always knocks."""
    found, free = {}, bool(decision.state["rules"]["free"])
    for card in cards_of(hand):
        after, gone, left = hand & ~(1 << card), pile | 1 << card, int(deadwood(hand & ~(1 << card)))
        if card == kept:
            continue
        if left <= KNOCKING:
            found[card + KNOCK if free else card] = _row(network, decision, after, gone, -1, KNOCKED)
        if left > KNOCKING or (free and left > 0):
            found[card] = _row(network, decision, after, gone, card, THREW)
    return found


def _row(network: NetEvaluator, decision: Decision, hand: int, pile: int, upcard: int, stage: int) -> np.ndarray:
    """The inputs after a move; those of `match` begin with those of `table`."""
    s, other = decision.state, 1 - decision.seat
    drawn, turned = stage in (DREW, PASSED) and upcard < 0, stage in (THREW, KNOCKED)
    known, thrown = s["known"][other], s["thrown"][other]
    index, value = np.zeros(MOST_ACTIVE, np.int64), np.zeros(MOST_ACTIVE, np.float32)
    seen = np.int64(hand), known, thrown, np.int64(pile)
    count = write_table(*seen, upcard, stage, s["stock_size"] - drawn, s["hand_turns"] + turned, index, value)
    count = add_score(decision.s, decision.seat, index, value, count)
    row = np.zeros(MATCH_INPUTS)
    row[index[:count]] = value[:count]
    return row[: network.inputs]
