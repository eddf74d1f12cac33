"""The plays of a roll against OpenSpiel's, in positions of its own random games of backgammon and hypergammon."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from amounts import amount
from sparring.games.backgammon import plays as board_plays
from sparring.kernel.compiler import INTERPRETED
from test_backgammon_rules import Table

pyspiel = pytest.importorskip("pyspiel")
observation = pytest.importorskip("open_spiel.python.observation")

FEWER = 100 if INTERPRETED else 1  # interpreted rules are a thousand times slower
TIMES = amount(2, 10)
VARIANTS = {"backgammon(scoring_type=full_scoring)": 3000, "backgammon(hyper_backgammon=True)": 2000}  # positions
LEAST = {"bar": 500, "bear-off": 200, "one die": 80, "pass": 50, "doubles": 500, "doubles in part": 20}


class Watched:
    """Random games of OpenSpiel's; positions are read off the inputs it has for nets: four for each point of player 0, then
    of player 1, then bar, off and turn of both, and the dice."""

    def __init__(self, variant):
        self.game = pyspiel.load_game(variant)
        self.observer = observation.make_observation(self.game)

    def inputs(self, state):
        self.observer.set_from(state, 0)
        return self.observer.tensor

    def rolled(self, luck):
        """States with a roll to be played. Ended games are checked for their score on the way."""
        while True:
            state = self.game.new_initial_state()
            while not state.is_terminal():
                rolled, actions = state.is_chance_node(), state.legal_actions()
                state.apply_action(actions[luck.integers(len(actions))])
                if rolled:
                    yield state
            if "full_scoring" in str(self.game):
                check_score(boards(self.inputs(state)[None])[0], state.returns())

    def ends(self, state):
        """Inputs of every position after the roll, as bytes. Doubles are played as two turns of two steps each."""
        halves, ends = {}, set()
        for action in state.legal_actions():
            child = state.child(action)
            inputs = self.inputs(child).tobytes()
            if child.current_player() == state.current_player():
                halves[inputs] = child
            else:
                ends.add(inputs)
        for half in halves.values():
            ends.update(self.inputs(half.child(action)).tobytes() for action in half.legal_actions())
        return ends


def boards(inputs):
    """Rows of inputs as our boards. Player 0 moves up the points, player 1 down."""
    points = inputs[:, :192].reshape(-1, 2, 24, 4)
    counts = points @ np.array([1, 2, 3, 1]) + 3 * (points[..., 3] > 0)
    ours = np.zeros((len(inputs), 2, board_plays.PLACES), np.int8)
    ours[:, 0, 1:25], ours[:, 1, 1:25] = counts[:, 0, ::-1], counts[:, 1]
    ours[:, :, board_plays.BAR], ours[:, :, board_plays.OFF] = inputs[:, [192, 195]], inputs[:, [193, 196]]
    return ours


def check_score(board, returns):
    if any(returns):  # none if the game was too long for OpenSpiel
        winner = int(returns[1] > 0)
        assert board_plays.points_won(board, winner) == returns[winner]


def kinds(board, seat, after, steps, doubles):
    """What a roll is an example of; `steps` of it can be played."""
    if board[seat, board_plays.BAR]:
        yield "bar"
    if (after[:, seat, board_plays.OFF] > board[seat, board_plays.OFF]).any():
        yield "bear-off"
    if steps == 0:
        yield "pass"
    if doubles:
        yield "doubles in part" if 0 < steps < 4 else "doubles"
    elif steps == 1:
        yield "one die"


def compare(watched, state, table):
    """One roll's plays, ours and OpenSpiel's; returns what the roll is an example of."""
    inputs, seat = watched.inputs(state), state.current_player()
    board, (smaller, larger) = boards(inputs[None])[0], sorted(inputs[198:].astype(int).tolist())
    table.lay(board, seat, (larger, smaller))
    moves, after = table.reached()
    theirs = boards(np.frombuffer(b"".join(watched.ends(state)), np.float32).reshape(-1, inputs.size))
    assert {end.tobytes() for end in after} == {end.tobytes() for end in theirs}, (table.sides(), seat, larger, smaller)
    assert len({end.tobytes() for end in after}) == len(moves), (table.sides(), seat, larger, smaller)
    steps = np.count_nonzero(board_plays.play_steps(moves[0], larger, smaller)[0])
    return kinds(board, seat, after, steps, larger == smaller)


def test_plays_are_openspiels():
    table, seen = Table(), Counter()
    for variant, number in VARIANTS.items():
        watched = Watched(variant)
        for state in islice(watched.rolled(np.random.default_rng(1)), TIMES * number // FEWER):
            seen.update(compare(watched, state, table))
    assert INTERPRETED or all(seen[kind] >= TIMES * least for kind, least in LEAST.items()), seen
