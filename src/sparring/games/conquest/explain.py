"""Explains a network's move: the distance of each move from the outputs, or the values of the boards after the moves."""

import numpy as np

from sparring.games.conquest.encodings import (
    MOVES,
    NAMES,
    SHARES,
    SUMMARY,
    SURVEY,
    board_inputs,
    summary_inputs,
    turned,
)
from sparring.games.conquest.move_features import move_inputs
from sparring.games.conquest.move_nets import interval
from sparring.games.conquest.notation import Sent, at, held, sent
from sparring.games.conquest.rules import FULL, IDLE
from sparring.games.conquest.value_nets import ends_badly, sensible
from sparring.games.explain import AFTER, MOST_INPUTS, NOW, Decision, Evaluator, MoveValues, NetEvaluator, shown
from sparring.games.view import plural
from sparring.kernel.records import records

NEAR = "negative distance from the network's output, which is {}; 0 is that move, -1 is a tile or a troop away"
AUTHOR = "net+author"
BOARD = "the network's value of the board after the move, from 0 to 1"
BLUES = "the network's value of the board after the move for blue, from 0 to 1, with its sign reversed"


def explain(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of moves; None for a player that compares nothing."""
    if "" not in evaluator.networks:
        return None
    network = evaluator.networks[""]
    if evaluator.policy == "net+value":
        return board_values(network, decision)
    return distances(network, decision, evaluator.policy)


def distances(network: NetEvaluator, decision: Decision, policy: str) -> MoveValues:
    """The negative distance of every move from the outputs, in rows, columns and troops."""
    s = decision.state
    row = _Inputs(decision.before, network).row()
    aim = decoded(s, network, network.values(row[None])[0].astype(np.float32), policy)
    made = {move: found for move in decision.legal if (found := sent(s, move)) and (move < IDLE or found == aim)}
    apart = number_distance if policy == AUTHOR else distance
    values = {move: -apart(s, found, aim) for move, found in made.items()}
    return MoveValues(values, NEAR.format(words(s, aim)), "", row, NOW)


def decoded(s: np.void, network: NetEvaluator, outputs: np.ndarray, policy: str) -> Sent:
    """The move that the outputs encode: a production if it is wanted and possible, else source, target and troops."""
    rules = s["rules"]
    tiles, rows, columns = int(rules["tiles"]), int(rules["rows"]), int(rules["columns"])
    produce, *places, troops = outputs
    if policy == "net+coordinates":
        down, right, there_down, there_right = places
        source = interval(down, rows) * columns + interval(right, columns)
        target = interval(there_down, rows) * columns + interval(there_right, columns)
    else:
        source, target = (interval(place, tiles - (policy == AUTHOR)) for place in places)
    if policy == AUTHOR and produce <= 0.5:
        target, troops = source, np.float32(0)
    if turned(NAMES.index(network.encoding), int(s["turn"])):
        source, target = tiles - 1 - source, tiles - 1 - target
    if produce <= 0.5 and 0 < held(s, source) < FULL:
        return Sent(source, source, 1)
    return Sent(source, target, 1 + interval(troops, FULL))


def distance(s: np.void, one: Sent, two: Sent) -> float:
    """The distance between two moves; a production goes to its own tile with one troop."""
    rules = s["rules"]
    ends = [(one.source, two.source), (one.target, two.target)]
    steps = [int(rules[line][a]) - int(rules[line][b]) for a, b in ends for line in ("row", "column")]
    return float(np.hypot.reduce([*steps, one.troops - two.troops]))


def number_distance(s: np.void, one: Sent, two: Sent) -> float:
    """The same by the tiles' numbers, as the author computes it."""
    return float(np.hypot.reduce([float(a - b) for a, b in zip(one, two, strict=True)]))


def words(s: np.void, aim: Sent) -> str:
    if aim.source == aim.target and aim.troops == 1:
        return f"to produce on {at(s, aim.source)}"
    return f"to send {plural(aim.troops, 'troop')} from {at(s, aim.source)} to {at(s, aim.target)}"


def board_values(network: NetEvaluator, decision: Decision) -> MoveValues:
    """The values of the moves that are tried; with `shares`, whose values are blue's, red wants the lowest."""
    inputs = _Inputs(decision.before, network)
    tried = [move for move in decision.legal if inputs.tries(move)]
    row = inputs.row(decision.move)
    if not tried:
        return MoveValues({}, BOARD, "", row, AFTER)
    sums = network.sums(np.array([inputs.row(move) for move in tried]))
    values, note = shown(network, dict(zip(tried, sums.tolist(), strict=True)), BOARD)
    if inputs.encoding == SHARES and decision.seat == 1:
        values, note = {move: -value for move, value in values.items()}, note.replace(BOARD, BLUES)
    return MoveValues(values, note, "", row, AFTER)


class _Inputs:
    """A network's inputs for a board and for the boards after moves. Distances of tiles are computed once."""

    def __init__(self, state: np.ndarray, network: NetEvaluator) -> None:
        self.state = state.copy()
        self.s, self.board = records(self.state)[0], self.state[0]["board"]
        self.seat = int(self.state[0]["turn"])
        self.encoding = NAMES.index(network.encoding)
        self.index, self.value = np.zeros(MOST_INPUTS, np.int64), np.zeros(MOST_INPUTS, np.float32)
        self.inputs = network.inputs
        self.count = board_inputs(self.s, self.seat, self.encoding, self.index, 0, self.value)

    def row(self, move: int = IDLE) -> np.ndarray:
        """The inputs after a move."""
        done, before = sent(self.state[0], move), self.board.copy()
        if self.encoding == MOVES:
            return self._move_row(done)
        if done:
            troops = (1 - 2 * self.seat) * done.troops
            self.board[done.target] += troops
            self.board[done.source] -= troops * (done.source != done.target)
        if self.encoding == SUMMARY:
            count = summary_inputs(self.s, self.seat, self.index, 0, self.value)
        else:
            count = board_inputs(self.s, self.seat, self.encoding, self.index, 0, self.value)
        self.board[:] = before
        row = np.zeros(self.inputs)
        row[self.index[:count]] = self.value[:count]
        return row

    def _move_row(self, done: Sent | None) -> np.ndarray:
        """The inputs of a move itself; none for idling, which is not compared."""
        if done is None:
            return np.zeros(self.inputs)
        move_inputs(self.s, self.seat, done.source, done.target, done.troops, self.index, SURVEY, self.value)
        return self.value[: self.inputs].astype(float)

    def tries(self, move: int) -> bool:
        """Whether the player evaluates a move."""
        done = sent(self.state[0], move)
        if done is None or move > IDLE:
            return False
        here, there = held(self.state[0], done.source), held(self.state[0], done.target)
        if done.source != done.target and not sensible(done.troops, here, there):
            return False
        with np.errstate(over="ignore"):
            return not ends_badly(self.s, move)
