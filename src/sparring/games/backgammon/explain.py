"""Explains a play by a network or pubeval: the values of all plays."""

from collections.abc import Iterator, Sequence

import numpy as np

from sparring.games.backgammon.cube_play import action_value, chances_on_roll, learned_value, on_roll, value_of_play
from sparring.games.backgammon.encodings import INPUTS, MOST, NAMES, OFF_ROLL, board_inputs, says_who_rolls
from sparring.games.backgammon.nets import WON, prepare_plays
from sparring.games.backgammon.players import REPLIES, expected_reply
from sparring.games.backgammon.plays import PLACES, borne_off, can_leave, can_play, make_play, move_checker, points_won
from sparring.games.backgammon.pubeval import OUTRIGHT, is_race, pubeval_value
from sparring.games.backgammon.rules import DOUBLE, DROP, PLAYING, ROLL, TAKE
from sparring.games.backgammon.stakes_view import has_stakes
from sparring.games.explain import AFTER, NOW, Decision, Evaluator, MoveValues, NetEvaluator

POINTS = "expected points after the play"
AHEAD = "expected points after the opponent's best reply to each of its 21 rolls"
STEPS = (
    "the network's value of the position after the last checker's step; it moves one checker at a time, so only plays that "
    "begin like the chosen one have a value"
)
STAKED = "expected points with the cube, by Janowski's formulas"
LEARNED, LEARNED_NOTE = "cube", "expected points with the cube, as the network has learned it"
CHANCES = "chances to win the match, by Janowski's formulas and the match equity table"
SUM = "the network's output for the position after the play; a win counts its points divided by three"
PUBEVAL = "pubeval's value of the position after the play; a winning play counts one more than the best other play"

Step = tuple[int, int]  # a starting point and pips


def explain(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of plays; None for a player that compares nothing."""
    if evaluator.policy == "pubeval" and decision.state["phase"] == PLAYING:
        return MoveValues(pubeval_values(decision), PUBEVAL)
    if "" not in evaluator.networks:
        return None
    network = evaluator.networks[""]
    learned = network.encoding == LEARNED and decision.state["phase"] == PLAYING
    if has_stakes(decision.state) and network.kind != "linear" and not learned:
        return staked_values(network, decision)
    board = _Board(decision, evaluator.networks[""])
    values, note = board.by_policy(evaluator.policy)
    return MoveValues(values, note, "", board.rows([board.after(decision.move)], decision.seat)[0], AFTER)


def staked_values(network: NetEvaluator, decision: Decision) -> MoveValues:
    """The values of plays or actions with the cube and the score."""
    s, (player, weights, scratch, int_scratch) = decision.s, decision.handed
    note = CHANCES if s["rules"]["length"] else STAKED
    if s["phase"] != PLAYING:
        seat = int(on_roll(s))
        if network.encoding == LEARNED:
            known = [move for move in decision.legal if move in (ROLL, DOUBLE, TAKE, DROP)]
            task = (player, weights, scratch, int_scratch)
            values = {move: float(s["cube"] * WON * learned_value(s, move, *task)) for move in known}
            return MoveValues(values, LEARNED_NOTE, "", input_rows([s["board"]], seat, network.encoding)[0], NOW)
        chances = chances_on_roll(s["board"], seat, player, weights, scratch, int_scratch)
        values = {move: float(action_value(s, move, chances)) for move in decision.legal}
        return MoveValues(values, note, "", input_rows([s["board"]], 1 - seat, network.encoding)[0], NOW)
    prepare_plays(s["board"], decision.seat, player, weights, scratch, int_scratch)
    values = {move: float(value_of_play(s, move, player, weights, scratch, int_scratch)) for move in decision.legal}
    after = s["board"].copy()
    make_play(after, decision.seat, decision.move, *s["dice"].tolist())
    return MoveValues(values, note, "", input_rows([after], decision.seat, network.encoding)[0], AFTER)


def pubeval_values(decision: Decision) -> dict[int, float]:
    """Pubeval's values; those of winning plays are reduced to one above the others."""
    s = decision.state
    race = is_race(s["board"])
    found = {}
    for move in decision.legal:
        after = s["board"].copy()
        make_play(after, decision.seat, move, *s["dice"].tolist())
        found[move] = float(pubeval_value(after, decision.seat, race))
    most = max([value for value in found.values() if value < OUTRIGHT], default=0.0)
    return {move: min(value, most + 1) for move, value in found.items()}


def input_rows(boards: Sequence[np.ndarray], seat: int, encoding: str) -> np.ndarray:
    """A network's inputs for boards after this seat's play."""
    number = NAMES.index(encoding)
    index, value = np.zeros(MOST, np.int64), np.zeros(MOST, np.float32)
    rows = np.zeros((len(boards), INPUTS[number]))
    for row, board in zip(rows, boards, strict=True):
        count = board_inputs(board, seat, number, index, 0, value)
        row[index[:count]] = value[:count]
    if says_who_rolls(number):
        rows[:, OFF_ROLL] = 1
    return rows


class _Board:
    """A position and a roll that a network plays."""

    def __init__(self, decision: Decision, network: NetEvaluator) -> None:
        s = decision.state
        self.decision, self.network, self.seat = decision, network, decision.seat
        self.board, self.dice, self.single = s["board"], s["dice"].tolist(), bool(s["rules"]["single"])

    def by_policy(self, policy: str) -> tuple[dict[int, float], str]:
        """The values of plays, in points where the network has sigmoids, and their meaning."""
        unit = 1.0 if self.single or self.network.kind == "linear" else WON
        if policy == "net+by-checker":
            return self.by_checker(), STEPS
        if policy == "net+1ply":
            return {move: unit * self.ahead(self.after(move)) for move in self.decision.legal}, AHEAD
        boards = [self.after(move) for move in self.decision.legal]
        values = unit * self.values(boards, self.seat)
        note = SUM if self.network.kind == "linear" else POINTS
        return dict(zip(self.decision.legal, values.tolist(), strict=True)), note

    def after(self, move: int) -> np.ndarray:
        """The board after a play."""
        board: np.ndarray = self.board.copy()
        make_play(board, self.seat, move, *self.dice)
        return board

    def rows(self, boards: list[np.ndarray], seat: int) -> np.ndarray:
        """The network's inputs for boards after this seat's play."""
        return input_rows(boards, seat, self.network.encoding)

    def net_values(self, boards: list[np.ndarray], seat: int) -> np.ndarray:
        """The network's values of boards for the seat that has just played."""
        outputs = self.network.values(self.rows(boards, seat))
        if self.network.kind == "linear":
            return np.asarray(outputs[:, 0])
        if outputs.shape[1] == 1:
            return np.asarray(2 * outputs[:, 0] - 1)
        won, gammon, backgammon, lost, lost_all = outputs.T
        return np.asarray((2 * won - 1 + gammon + backgammon - lost - lost_all) / WON)

    def values(self, boards: list[np.ndarray], seat: int) -> np.ndarray:
        """The same, but the exact value where the game is won."""
        values = self.net_values(boards, seat)
        for number, board in enumerate(boards):
            if borne_off(board, seat):
                values[number] = 1.0 if self.single else points_won(board, seat) / WON
        return values

    def ahead(self, board: np.ndarray) -> float:
        """The value of a board after the opponent's best reply to each roll."""
        if borne_off(board, self.seat):
            return float(self.values([board], self.seat)[0])
        player, weights, scratch, int_scratch = self.decision.handed
        replies, single = int_scratch[REPLIES:], int(self.single)
        return -float(expected_reply(board, 1 - self.seat, player, weights, scratch, replies, single))

    def by_checker(self) -> dict[int, float]:
        """The values of the last step, by the plays that it completes. The first of equal steps is made."""
        larger, smaller = self.dice
        board, completed, left = self.board.copy(), {}, [larger] * 4 if larger == smaller else [larger, smaller]
        while left:
            now = left[:1] if larger == smaller else left
            ways = ([*self.steps(board, pips)] for pips in (now, now[:1], now[1:]))
            steps = next(filter(None, ways), [])
            if not steps:
                break
            boards = [self.stepped(board, step) for step in steps]
            values = self.net_values(boards, self.seat)
            completed = {after.tobytes(): float(value) for after, value in zip(boards, values, strict=True)}
            best = int(np.argmax(values))
            board = boards[best]
            left.remove(steps[best][1])
        found = {move: completed.get(self.after(move).tobytes()) for move in self.decision.legal}
        return {move: value for move, value in found.items() if value is not None}

    def steps(self, board: np.ndarray, pips: list[int]) -> Iterator[Step]:
        """The steps by these pips; with two dice, those after which the other can be played."""
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
