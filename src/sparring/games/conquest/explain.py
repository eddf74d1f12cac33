"""Why a conquest net chose: how near each move lies to the one that it tells, or the values of the boards that moves lead to."""

import numpy as np

from sparring.games.conquest.encodings import NAMES, SHARES, SUMMARY, board_inputs, summary_inputs, turned
from sparring.games.conquest.nets import part
from sparring.games.conquest.notation import Sent, at, held, sent
from sparring.games.conquest.rules import FULL, IDLE
from sparring.games.conquest.values import ends_badly, sensible
from sparring.games.explain import AFTER, MOST_INPUTS, NOW, Decision, Evaluator, MoveValues, NetEvaluator, shown
from sparring.kernel.records import records

NEAR = "how near a move lies to what the network tells, which is {}; 0 is that itself, -1 a tile or a troop away"
BOARD = "what the network makes of the board after the move, from 0 to 1"
BLUES = "what the network makes of the board after the move for blue, from 0 to 1, here as less than nothing"


def think(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of moves."""
    if "" not in evaluator.networks:
        return None
    network = evaluator.networks[""]
    return (
        weigh_boards(network, decision)
        if evaluator.policy == "net+value"
        else weigh_told(network, decision, evaluator.policy)
    )


# Nets that tell a move.


def weigh_told(network: NetEvaluator, decision: Decision, policy: str) -> MoveValues:
    """Every move by its distance from what is told, in rows, columns and troops."""
    s = decision.state
    row = _Sheet(decision.before, network).row()
    aim = aimed(s, network, network.values(row[None])[0].astype(np.float32), policy)
    made = {move: found for move in decision.legal if (found := sent(s, move))}
    return MoveValues(
        {move: -apart(s, found, aim) for move, found in made.items()}, NEAR.format(words(s, aim)), "", row, NOW
    )


def aimed(s: np.void, network: NetEvaluator, outputs: np.ndarray, policy: str) -> Sent:
    """What the outputs tell: a production if they say so and it is possible, else source, target and troops."""
    rules = s["rules"]
    tiles, rows, columns = int(rules["tiles"]), int(rules["rows"]), int(rules["columns"])
    produce, *places, troops = outputs
    if policy == "net+coordinates":
        down, right, there_down, there_right = places
        source = part(down, rows) * columns + part(right, columns)
        target = part(there_down, rows) * columns + part(there_right, columns)
    else:
        source, target = (part(place, tiles) for place in places)
    if turned(NAMES.index(network.encoding), int(s["turn"])):
        source, target = tiles - 1 - source, tiles - 1 - target
    if produce <= 0.5 and 0 < held(s, source) < FULL:
        return Sent(source, source, 1)
    return Sent(source, target, 1 + part(troops, FULL))


def apart(s: np.void, one: Sent, two: Sent) -> float:
    """How far two moves are from each other; a production goes to its own tile with one troop."""
    rules = s["rules"]
    ends = [(one.source, two.source), (one.target, two.target)]
    steps = [int(rules[line][a]) - int(rules[line][b]) for a, b in ends for line in ("row", "column")]
    return float(np.hypot.reduce([*steps, one.troops - two.troops]))


def words(s: np.void, aim: Sent) -> str:
    troops = f"{aim.troops} troop{'s' * (aim.troops != 1)}"
    if aim.source == aim.target and aim.troops == 1:
        return f"to produce on {at(s, aim.source)}"
    return f"to send {troops} from {at(s, aim.source)} to {at(s, aim.target)}"


# Nets that value boards.


def weigh_boards(network: NetEvaluator, decision: Decision) -> MoveValues:
    """The moves that are tried, by the boards that they lead to; with `shares`, whose values are blue's, red wants the least."""
    sheet = _Sheet(decision.before, network)
    tried = [move for move in decision.legal if sheet.tries(move)]
    row = sheet.row(decision.move)
    if not tried:
        return MoveValues({}, BOARD, "", row, AFTER)
    sums = network.sums(np.array([sheet.row(move) for move in tried]))
    values, note = shown(network, dict(zip(tried, sums.tolist(), strict=True)), BOARD)
    if sheet.encoding == SHARES and decision.seat == 1:
        values, note = {move: -value for move, value in values.items()}, note.replace(BOARD, BLUES)
    return MoveValues(values, note, "", row, AFTER)


class _Sheet:
    """What a net sees of a board, and of the boards that a move leads to. How near tiles lie is surveyed once."""

    def __init__(self, state: np.ndarray, network: NetEvaluator) -> None:
        self.state = state.copy()
        self.s, self.board = records(self.state)[0], self.state[0]["board"]
        self.seat = int(self.state[0]["turn"])
        self.encoding = NAMES.index(network.encoding)
        self.index, self.value = np.zeros(MOST_INPUTS, np.int64), np.zeros(MOST_INPUTS, np.float32)
        self.inputs = network.inputs
        self.count = board_inputs(self.s, self.seat, self.encoding, self.index, 0, self.value)

    def row(self, move: int = IDLE) -> np.ndarray:
        """The inputs after a move; idling changes nothing."""
        done, before = sent(self.state[0], move), self.board.copy()
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

    def tries(self, move: int) -> bool:
        """Whether a move is weighed: not with every number of troops, and not if it ends the game without winning it."""
        done = sent(self.state[0], move)
        if done is None:
            return False
        here, there = held(self.state[0], done.source), held(self.state[0], done.target)
        if done.source != done.target and not sensible(done.troops, here, there):
            return False
        with np.errstate(over="ignore"):
            return not ends_badly(self.s, move)
