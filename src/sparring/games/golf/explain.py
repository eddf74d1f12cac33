"""Why a golf network chose its move: the values of the hands it could have made, under the study's fixed policy.

explain_columns.py has the networks that decide everything.
"""

import numpy as np

from sparring.games.explain import AFTER, NOW, Decision, Evaluator, MoveValues, NetEvaluator, dense, shown
from sparring.games.golf import encodings, network_inputs
from sparring.games.golf.explain_columns import column_values
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, KIND, PLACES, STOCK, THROW

PLACING = "the network's value of the hand after the move, from 0 to 1"
DRAWING = (
    "the network's value, from 0 to 1, of the best hand with the upcard; for the stock, the median over the unknown cards of "
    "the best hand with each, or the value of the present hand if that is better"
)


def move_values(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of both piles, or of all places."""
    if "" not in evaluator.networks:
        return None
    if evaluator.networks[""].encoding == encodings.NAMES[encodings.COLUMN]:
        return column_values(evaluator.networks[""], decision)
    table = _Table(decision, evaluator.networks[""])
    return table.draw(decision.move) if decision.state["phase"] == DRAW else table.place(decision.move)


class _Table:
    """The inputs of a network in a state, and after every exchange."""

    def __init__(self, decision: Decision, network: NetEvaluator) -> None:
        self.s, self.state, self.network, self.seat = decision.s, decision.state, network, decision.seat
        self.encoding = encodings.NAMES.index(network.encoding)
        self.where = np.zeros(CARDS, np.int64)
        encodings.locate(self.s, self.seat, self.where)
        self.row = dense(network_inputs.inputs, self.s, self.seat, self.encoding, encodings.INPUTS[self.encoding])
        self.emptied = np.array([self._emptied(place) for place in range(PLACES)])

    def _emptied(self, place: int) -> np.ndarray:
        """The inputs after the card at a place has gone to the discard pile."""
        row = self.row.copy()
        leaves = encodings.hand_input(self.s, self.seat, self.encoding, place)
        if leaves >= 0:
            row[leaves] -= 1
        if encodings.sees_table(self.encoding) and self.state["up"][self.seat, place]:
            row[encodings.table_input(int(self.state["hand"][self.seat, place]), encodings.DISCARDED)] += 1
        return row

    def exchanged(self, card: int) -> np.ndarray:
        """The inputs after a card has come to each place."""
        rows, location = self.emptied.copy(), int(self.where[card])
        for place in range(PLACES):
            rows[place, encodings.place_input(self.encoding, place, card)] += 1
        if encodings.sees_table(self.encoding) and location >= 0:
            rows[:, encodings.table_input(card, location)] -= 1
        return rows

    def values(self, cards: list[int], present: float) -> np.ndarray:
        """The value of each card at each place; an exchange of equal cards has the value of the present hand."""
        rows = np.concatenate([self.exchanged(card) for card in cards])
        found = self.network.sums(rows).reshape(len(cards), PLACES)
        if self.encoding == encodings.HAND:
            hand, up = self.state["hand"][self.seat], self.state["up"][self.seat]
            for number, card in enumerate(cards):
                for place in range(PLACES):
                    if up[place] and KIND[hand[place]] == KIND[card]:
                        found[number, place] = present
        return found

    def draw(self, move: int) -> MoveValues:
        """The upcard is taken if it improves the hand and beats at least half of the unknown cards."""
        present = float(self.network.sums(self.row[None])[0])
        upcard = int(self.state["discard"][self.state["discard_size"] - 1])
        unknown = np.flatnonzero(self.where == encodings.UNKNOWN).tolist()
        taken, *drawn = self.values([upcard, *unknown], present)
        half = sorted(float(best.max()) for best in drawn)[(len(drawn) - 1) // 2]
        values, note = shown(self.network, {DISCARD: float(taken.max()), STOCK: max(present, half)}, DRAWING)
        if move == STOCK:
            return MoveValues(values, note, "", self.row, NOW)
        return MoveValues(values, note, "", self.exchanged(upcard)[np.argmax(taken)], AFTER)

    def place(self, move: int) -> MoveValues:
        """The best exchange; a card from the stock that improves nothing is thrown."""
        drawn, thrown = int(self.state["drawn"]), self.row.copy()
        if self.state["source"] == STOCK and encodings.sees_table(self.encoding):
            thrown[encodings.table_input(drawn, encodings.DISCARDED)] += 1
        present = float(self.network.sums(thrown[None])[0])
        sums = dict(enumerate(self.values([drawn], present)[0].tolist()))
        if self.state["source"] == STOCK:
            sums[THROW] = present
        values, note = shown(self.network, sums, PLACING)
        row = thrown if move == THROW else self.exchanged(drawn)[move]
        return MoveValues(values, note, "", row, AFTER)
