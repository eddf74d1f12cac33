"""Why a golf network with the encoding `columns` chose its move: the values that it compared, or the odds in its last turn."""

import numpy as np
from scipy.special import expit

from sparring.games.explain import AFTER, Decision, MoveValues, NetEvaluator, dense, shown
from sparring.games.golf import odds
from sparring.games.golf.encodings import COLUMN, INPUTS, UNKNOWN, locate
from sparring.games.golf.network_inputs import inputs
from sparring.games.golf.rules import CARDS, COLUMNS, DISCARD, DRAW, KIND, PLACE, PLACES, STOCK, THROW, VALUES, settle
from sparring.kernel.records import records

PLACING = "the network's value of what the player knows after the move, from 0 to 1"
DRAWING = (
    "the network's value, from 0 to 1, of the best place for the upcard; for the stock, the mean over the unseen cards of the best "
    "that each allows"
)
SAVING = "points that the last turn saves: expected over the unseen cards, and for the stock over the card drawn"


def column_values(network: NetEvaluator, decision: Decision) -> MoveValues:
    """The values of both piles, or of all places."""
    state = decision.state
    if state["ender"] >= 0:
        return MoveValues(_saved(decision), SAVING)
    if state["phase"] == DRAW:
        return _draw(network, decision)
    rows = _rows(decision, int(state["drawn"]), int(state["source"]))
    values, note = shown(network, dict(enumerate(network.sums(rows).tolist())), PLACING)
    return MoveValues(values, note, "", rows[decision.move], AFTER)


def _draw(network: NetEvaluator, decision: Decision) -> MoveValues:
    where, state = np.zeros(CARDS, np.int64), decision.state
    locate(decision.s, decision.seat, where)
    rows = _rows(decision, int(state["discard"][state["discard_size"] - 1]), DISCARD)
    taken = network.sums(rows)
    drawn = [network.sums(_rows(decision, card, STOCK)).max() for card in np.flatnonzero(where == UNKNOWN).tolist()]
    values = {DISCARD: float(expit(taken.max())), STOCK: float(expit(np.array(drawn)).mean())}
    if decision.move == STOCK or network.kind == "graph":  # whose last activation is not the policy's
        return MoveValues(values, DRAWING)
    return MoveValues(values, DRAWING, "", rows[taken.argmax()], AFTER)


def _rows(decision: Decision, card: int, source: int) -> np.ndarray:
    """The network's inputs after each placing of a card; throwing it away is the last, where it is allowed."""
    found = []
    for move in range(PLACES + 1 if source == STOCK else PLACES):
        after = decision.before.copy()
        if source == DISCARD and after[0]["phase"] == DRAW:
            after["discard_size"] -= 1
        after["drawn"], after["source"], after["phase"] = card, source, PLACE
        after["stock_size"] = max(1, after[0]["stock_size"])  # the policy does not foresee that a new stock is made
        with np.errstate(over="ignore"):
            settle(records(after)[0], move)
        found.append(dense(inputs, records(after)[0], decision.seat, COLUMN, INPUTS[COLUMN]))
    return np.array(found)


def _saved(decision: Decision) -> dict[int, float]:
    """The points that each move is expected to save."""
    s, seat, counts = decision.s, decision.seat, np.zeros(VALUES, np.int64)
    unseen = odds.unseen_kinds(s, seat, 0, counts)
    hand = [odds.seen_at(s, seat, place) for place in range(PLACES)]

    def places(kind: int) -> list[float]:
        columns = [(hand[place], hand[(place + COLUMNS) % PLACES]) for place in range(PLACES)]
        points = [[odds.column_points(one, other, counts, unseen) for one in (now, kind)] for now, other in columns]
        return [(now - after) / odds.pairs_of(unseen) for now, after in points]

    state = decision.state
    if state["phase"] == PLACE:
        found = dict(enumerate(places(int(KIND[state["drawn"]]))))
        return found | {THROW: 0.0} if state["source"] == STOCK else found
    upcard = int(KIND[state["discard"][state["discard_size"] - 1]])
    stock = sum(int(counts[kind]) * max(0.0, *places(kind)) for kind in range(VALUES)) / unseen
    return {DISCARD: max(places(upcard)), STOCK: stock}
