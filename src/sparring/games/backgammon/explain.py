"""Why a backgammon net, or pubeval, chose: the values of all plays, or what the other side can make of them."""

from collections.abc import Iterator

import numpy as np

from sparring.games.backgammon.encodings import INPUTS, MOST, NAMES, OFF_ROLL, TESAURO, board_inputs
from sparring.games.backgammon.nets import WON
from sparring.games.backgammon.players import SECOND, expected_reply
from sparring.games.backgammon.pubeval import OUTRIGHT, is_race, pubeval_value
from sparring.games.backgammon.rules import PLACES, borne_off, can_leave, can_play, make_play, move_checker, points_won
from sparring.games.explain import AFTER, Decision, Evaluator, MoveValues, NetEvaluator

POINTS = "the points that the network expects to win, from the position after the play"
AHEAD = "the points that the network expects to win, by the other side's best reply to each of its 21 rolls"
STEPS = (
    "what the network makes of the position after the last checker's step; it moves checker by checker, so only plays that begin "
    "as the chosen one does are weighed"
)
SUM = "the network's sum for the position after the play; a win counts as much as it brings, over three"
PUBEVAL = "pubeval's sum for the position after the play; a play that wins counts one more than all others"

Step = tuple[int, int]  # a point left, and pips


def think(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of plays."""
    if evaluator.policy == "pubeval":
        return MoveValues(pubeval_values(decision), PUBEVAL)
    if "" not in evaluator.networks:
        return None
    board = _Board(decision, evaluator.networks[""])
    values, note = board.by_policy(evaluator.policy)
    return MoveValues(values, note, "", board.rows([board.after(decision.move)], decision.seat)[0], AFTER)


def pubeval_values(decision: Decision) -> dict[int, float]:
    """Pubeval's sums, those of plays that win outright drawn near."""
    board = decision.state["board"]
    race = is_race(board)
    found = {}
    for move in decision.legal:
        after = board.copy()
        make_play(after, decision.seat, move, *decision.state["dice"].tolist())
        found[move] = float(pubeval_value(after, decision.seat, race))
    most = max([value for value in found.values() if value < OUTRIGHT], default=0.0)
    return {move: min(value, most + 1) for move, value in found.items()}


class _Board:
    """A position that a net plays a roll in."""

    def __init__(self, decision: Decision, network: NetEvaluator) -> None:
        s = decision.state
        self.decision, self.network, self.seat = decision, network, decision.seat
        self.board, self.dice, self.single = s["board"], s["dice"].tolist(), bool(s["rules"]["single"])
        self.encoding = NAMES.index(network.encoding)

    def by_policy(self, policy: str) -> tuple[dict[int, float], str]:
        """Values of plays, and what they mean. Sigmoids' are shares of a backgammon, which counts three points."""
        unit = 1.0 if self.single or self.network.kind == "linear" else WON
        if policy == "net+by-checker":
            return self.by_checker(), STEPS
        if policy == "net+1ply":
            return {move: unit * self.ahead(self.after(move)) for move in self.decision.legal}, AHEAD
        boards = [self.after(move) for move in self.decision.legal]
        values = unit * self.worth(boards, self.seat)
        note = SUM if self.network.kind == "linear" else POINTS
        return dict(zip(self.decision.legal, values.tolist(), strict=True)), note

    def after(self, move: int) -> np.ndarray:
        """The board after a play."""
        board: np.ndarray = self.board.copy()
        make_play(board, self.seat, move, *self.dice)
        return board

    def rows(self, boards: list[np.ndarray], seat: int) -> np.ndarray:
        """What the net sees of boards, each after this seat's play."""
        index, value = np.zeros(MOST, np.int64), np.zeros(MOST, np.float32)
        rows = np.zeros((len(boards), INPUTS[self.encoding]))
        for row, board in zip(rows, boards, strict=True):
            count = board_inputs(board, seat, self.encoding, index, 0, value)
            row[index[:count]] = value[:count]
        if self.encoding == TESAURO:
            rows[:, OFF_ROLL] = 1
        return rows

    def seen(self, boards: list[np.ndarray], seat: int) -> np.ndarray:
        """The net's values of boards for this seat, which has just played: from -1 to 1, a share of a backgammon."""
        told = self.network.values(self.rows(boards, seat))
        if self.network.kind == "linear":
            return np.asarray(told[:, 0])
        if told.shape[1] == 1:
            return np.asarray(2 * told[:, 0] - 1)
        won, gammon, backgammon, lost, lost_all = told.T
        return np.asarray((2 * won - 1 + gammon + backgammon - lost - lost_all) / WON)

    def worth(self, boards: list[np.ndarray], seat: int) -> np.ndarray:
        """The same, but a win is worth what it wins."""
        values = self.seen(boards, seat)
        for number, board in enumerate(boards):
            if borne_off(board, seat):
                values[number] = 1.0 if self.single else points_won(board, seat) / WON
        return values

    def ahead(self, board: np.ndarray) -> float:
        """What a board is worth if the other side then makes its best play of each roll."""
        if borne_off(board, self.seat):
            return float(self.worth([board], self.seat)[0])
        player, weights, scratch, int_scratch = self.decision.handed
        return -float(
            expected_reply(board, 1 - self.seat, player, weights, scratch, int_scratch[SECOND:], int(self.single))
        )

    # Checker by checker.

    def by_checker(self) -> dict[int, float]:
        """The values of the last step, by the plays that it completes. Of equal steps the first is made."""
        larger, smaller = self.dice
        board, completed, left = self.board.copy(), {}, [larger] * 4 if larger == smaller else [larger, smaller]
        while left:
            now = left[:1] if larger == smaller else left
            ways = ([*self.steps(board, pips)] for pips in (now, now[:1], now[1:]))
            steps = next(filter(None, ways), [])
            if not steps:
                break
            boards = [self.stepped(board, step) for step in steps]
            values = self.seen(boards, self.seat)
            completed = {after.tobytes(): float(value) for after, value in zip(boards, values, strict=True)}
            best = int(np.argmax(values))
            board = boards[best]
            left.remove(steps[best][1])
        found = {move: completed.get(self.after(move).tobytes()) for move in self.decision.legal}
        return {move: value for move, value in found.items() if value is not None}

    def steps(self, board: np.ndarray, pips: list[int]) -> Iterator[Step]:
        """The steps by these pips; of two numbers, those after which the other can be played."""
        for number, now in enumerate(pips):
            for point in range(1, PLACES):
                if can_leave(board, self.seat, point, now):
                    after = self.stepped(board, (point, now))
                    if len(pips) == 1 or can_play(after, self.seat, pips[1 - number]):
                        yield point, now

    def stepped(self, board: np.ndarray, step: Step) -> np.ndarray:
        after = board.copy()
        move_checker(after, self.seat, *step)
        return after
