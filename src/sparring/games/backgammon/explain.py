"""Explains a play by a network or pubeval: the values of all plays."""

from collections.abc import Iterator, Sequence

import numpy as np

from sparring.games.backgammon.cube_play import action_value, learned_value, on_roll, value_of_play
from sparring.games.backgammon.encodings import INPUTS, MOST, NAMES, OFF_ROLL, board_inputs, says_who_rolls
from sparring.games.backgammon.nets import WON, prepare_plays
from sparring.games.backgammon.players import SEARCH, known_chances
from sparring.games.backgammon.plays import PLACES, borne_off, can_leave, can_play, make_play, move_checker, points_won
from sparring.games.backgammon.pubeval import OUTRIGHT, is_race, pubeval_value
from sparring.games.backgammon.replies import Task
from sparring.games.backgammon.rules import DOUBLE, DROP, PLAYING, ROLL, TAKE
from sparring.games.backgammon.search import rank_at, scoring_for, search_plays
from sparring.games.backgammon.stakes_view import has_stakes
from sparring.games.explain import AFTER, NOW, Decision, Evaluator, MoveValues, NetEvaluator
from sparring.kernel.records import call_kernel, records

POINTS = "expected points after the play"
AHEAD = "expected points by a search; plays that a shallower search found much worse have no value"
PLIES = {"net+1ply": 1, "net+2ply": 2, "net+3ply": 3}
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
        return staked_values(evaluator, decision)
    board = _Board(decision, evaluator.networks[""])
    values, note = board.by_policy(evaluator.policy)
    return MoveValues(values, note, "", board.rows([board.after(decision.move)], decision.seat)[0], AFTER)


def staked_values(evaluator: Evaluator, decision: Decision) -> MoveValues:
    """The values of plays or actions with the cube and the score."""
    s, (player, weights, scratch, ints) = decision.s, decision.handed
    note, encoding = CHANCES if s["rules"]["length"] else STAKED, evaluator.networks[""].encoding
    if s["phase"] != PLAYING:
        seat = int(on_roll(s))
        if encoding == LEARNED:
            known = [move for move in decision.legal if move in (ROLL, DOUBLE, TAKE, DROP)]
            task = (player, weights, scratch, ints)
            values = {move: float(s["cube"] * WON * learned_value(s, move, *task)) for move in known}
            return MoveValues(values, LEARNED_NOTE, "", input_rows([s["board"]], seat, encoding)[0], NOW)
        chances = call_kernel(
            known_chances, records(decision.before.copy())[0], player, weights, scratch, ints[SEARCH:]
        )
        values = {move: float(action_value(s, move, chances)) for move in decision.legal}
        return MoveValues(values, note, "", input_rows([s["board"]], 1 - seat, encoding)[0], NOW)
    if evaluator.policy in PLIES:
        values = searched(decision, PLIES[evaluator.policy])
    else:
        prepare_plays(s["board"], decision.seat, player, weights, scratch, ints)
        values = {move: float(value_of_play(s, move, player, weights, scratch, ints)) for move in decision.legal}
    after = s["board"].copy()
    make_play(after, decision.seat, decision.move, *s["dice"].tolist())
    return MoveValues(values, note, "", input_rows([after], decision.seat, encoding)[0], AFTER)


def searched(decision: Decision, plies: int) -> dict[int, float]:
    """The values of the plays that a search valued to its end."""
    player, weights, scratch, ints = decision.handed
    s, offered = records(decision.before.copy())[0], np.array(decision.legal)
    task = Task(player, weights, scratch, ints[SEARCH:], scoring_for(s, player))
    kept, first = call_kernel(search_plays, s, offered, len(offered), plies, task), rank_at(player)
    return dict(zip(offered.tolist(), scratch[first : first + kept].tolist(), strict=False))


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
        if policy in PLIES:
            return {move: unit * value for move, value in searched(self.decision, PLIES[policy]).items()}, AHEAD
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
