"""Why a golf net chose: the hands that a card could make, as the study's fixed policy values them."""

import numpy as np

from sparring.games.explain import AFTER, NOW, Decision, Evaluator, MoveValues, NetEvaluator, dense, shown
from sparring.games.golf.encodings import (
    DISCARDED,
    HAND,
    INPUTS,
    NAMES,
    UNKNOWN,
    hand_input,
    inputs,
    locate,
    place_input,
    sees_table,
    table_input,
)
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, KIND, PLACES, STOCK, THROW

PLACING = "what the network makes of the hand after the move, from 0 to 1"
DRAWING = (
    "what the network makes, from 0 to 1, of the best hand with the upcard; and, for the stock, of the middle one of those that "
    "the unknown cards would make, or of the hand as it is if that is better"
)


def think(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of both piles, or of all places."""
    if "" not in evaluator.networks:
        return None
    table = _Table(decision, evaluator.networks[""])
    return table.draw(decision.move) if decision.told["phase"] == DRAW else table.place(decision.move)


class _Table:
    """What a net sees of the state, and of every exchange."""

    def __init__(self, decision: Decision, network: NetEvaluator) -> None:
        self.s, self.told, self.network, self.seat = decision.s, decision.told, network, decision.seat
        self.encoding = NAMES.index(network.encoding)
        self.where = np.zeros(CARDS, np.int64)
        locate(self.s, self.seat, self.where)
        self.row = dense(inputs, self.s, self.seat, self.encoding, INPUTS[self.encoding])
        self.emptied = np.array([self._emptied(place) for place in range(PLACES)])

    def _emptied(self, place: int) -> np.ndarray:
        """The inputs once the card at a place has gone to the discard pile."""
        row = self.row.copy()
        leaves = hand_input(self.s, self.seat, self.encoding, place)
        if leaves >= 0:
            row[leaves] -= 1
        if sees_table(self.encoding) and self.told["up"][self.seat, place]:
            row[table_input(int(self.told["hand"][self.seat, place]), DISCARDED)] += 1
        return row

    def exchanged(self, card: int) -> np.ndarray:
        """The inputs once a card has come to each place."""
        rows, location = self.emptied.copy(), int(self.where[card])
        for place in range(PLACES):
            rows[place, place_input(self.encoding, place, card)] += 1
        if sees_table(self.encoding) and location >= 0:
            rows[:, table_input(card, location)] -= 1
        return rows

    def values(self, cards: list[int], present: float) -> np.ndarray:
        """What each card is worth at each place; one that changes nothing is worth what the hand is worth at present."""
        rows = np.concatenate([self.exchanged(card) for card in cards])
        found = self.network.sums(rows).reshape(len(cards), PLACES)
        if self.encoding == HAND:
            hand, up = self.told["hand"][self.seat], self.told["up"][self.seat]
            for number, card in enumerate(cards):
                for place in range(PLACES):
                    if up[place] and KIND[hand[place]] == KIND[card]:
                        found[number, place] = present
        return found

    def draw(self, move: int) -> MoveValues:
        """The upcard is taken if it improves the hand and beats at least half of the unknown cards, one by one."""
        present = float(self.network.sums(self.row[None])[0])
        upcard = int(self.told["discard"][self.told["discard_size"] - 1])
        unknown = np.flatnonzero(self.where == UNKNOWN).tolist()
        taken, *drawn = self.values([upcard, *unknown], present)
        half = sorted(float(best.max()) for best in drawn)[(len(drawn) - 1) // 2]
        values, note = shown(self.network, {DISCARD: float(taken.max()), STOCK: max(present, half)}, DRAWING)
        if move == STOCK:
            return MoveValues(values, note, "", self.row, NOW)
        return MoveValues(values, note, "", self.exchanged(upcard)[np.argmax(taken)], AFTER)

    def place(self, move: int) -> MoveValues:
        """The best exchange; a card from the stock that improves nothing is thrown."""
        drawn, thrown = int(self.told["drawn"]), self.row.copy()
        if self.told["source"] == STOCK and sees_table(self.encoding):
            thrown[table_input(drawn, DISCARDED)] += 1
        present = float(self.network.sums(thrown[None])[0])
        sums = dict(enumerate(self.values([drawn], present)[0].tolist()))
        if self.told["source"] == STOCK:
            sums[THROW] = present
        values, note = shown(self.network, sums, PLACING)
        row = thrown if move == THROW else self.exchanged(drawn)[move]
        return MoveValues(values, note, "", row, AFTER)
