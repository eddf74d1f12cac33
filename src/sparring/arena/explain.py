"""Why a player chose its move: every candidate with its value, what its net saw, and the net's activations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sparring.arena.players import Chooser, Contestant
from sparring.errors import UserError
from sparring.games import Game, Played
from sparring.games.explain import Decision, Evaluator, MoveValues
from sparring.games.game import legal_moves, play_move, start_game
from sparring.kernel.records import records
from sparring.nets.dense import Net
from sparring.nets.evaluators import activations, net_evaluator

NO_VALUES = "this player compares no numbers that could be shown"
OUTSIDE = "a program of others, which tells its move alone"


class Candidate(NamedTuple):
    """A legal move, its value to the player (None if it was not weighed), and whether it was chosen."""

    move: int
    value: float | None
    chosen: bool


@dataclass(frozen=True)
class Explanation:
    """What a player thought before a move. The more a value is, the better; `note` says what it means."""

    player: str
    seat: int
    candidates: tuple[Candidate, ...]  # the best first, then those that were not weighed
    note: str
    net: Net | None = None  # that decided; of a team, the one whose role it was
    role: str = ""  # in a team
    inputs: tuple[tuple[str, float], ...] = ()  # all that the net saw, each with its name
    seen: str = ""  # when: now, or after the move
    activations: Mapping[int, float] = field(default_factory=dict)  # the net's nodes by their keys: see `activations`

    @property
    def encoding(self) -> str:
        """What kind of inputs the net sees; empty without a net."""
        return self.net.encoding if self.net else ""

    @property
    def scale(self) -> tuple[float, float]:
        """From where to where bars go: the least and the most value, or a little around the only one."""
        values = [candidate.value for candidate in self.candidates if candidate.value is not None]
        low, high = min(values, default=0.0), max(values, default=0.0)
        return (low, high) if high > low else (low - 0.5, high + 0.5)


class Mistake(NamedTuple):
    """A move that was made, by its number from 0: how much less it is worth than the best, and that."""

    number: int
    lost: float
    best: int


def think(game: Game, contestant: Contestant, state: np.ndarray) -> Explanation:
    """What a player thinks in a state, an array of one, if it is to move there. The state stays as it is."""
    return Explainer(game, contestant).think(state)


def mistakes(game: Game, played: Played, evaluator: Contestant) -> list[Mistake]:
    """The moves of a game that were worse than the evaluator's best, by how much, the largest first.

    Left out are moves without a choice, and those that the evaluator has no value for.
    """
    thinker = Explainer(game, evaluator)
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    found = []
    for number, made in enumerate(played.moves):
        legal = legal_moves(game, state)
        thought = thinker.thought(state, legal)[1] if len(legal) > 1 else None
        if thought and made in thought.values:
            best = max(thought.values, key=lambda move: thought.values[move])
            lost = thought.values[best] - thought.values[made]
            if lost > 0:
                found.append(Mistake(number, lost, best))
        play_move(game, state, made)
    return sorted(found, key=lambda mistake: -mistake.lost)


class Explainer:
    """A player that can be asked about many states, one at a time."""

    def __init__(self, game: Game, contestant: Contestant) -> None:
        self.game, self.contestant = game, contestant
        self.chooser = None if contestant.external else Chooser(game, contestant)
        net = contestant.net
        parts = dict(net.parts) or {"": net} if net else {}
        self.nets: dict[str, Net] = parts
        self.evaluator = Evaluator(contestant.policy, {role: net_evaluator(part) for role, part in parts.items()})

    def thought(self, state: np.ndarray, legal: tuple[int, ...]) -> tuple[int | None, MoveValues | None]:
        """The move that it chooses, and what the game tells of why."""
        if self.chooser is None:
            return None, None
        after, chooser = state.copy(), self.chooser
        move = chooser.choose(after)
        handed = (records(chooser.player)[0], chooser.weights, chooser.float_scratch, chooser.int_scratch)
        decision = Decision(state, after, legal, move, handed)
        return move, self.game.presentation.explain(
            self.evaluator, decision
        ) if self.game.presentation.explain else None

    def think(self, state: np.ndarray) -> Explanation:
        """The move that it chooses, and why."""
        legal = legal_moves(self.game, state)
        if not legal:
            raise UserError("the game is over: there is no move to think of")
        chosen, thought = self.thought(state, legal)
        values = thought.values if thought else {}
        candidates = [Candidate(move, values.get(move), move == chosen) for move in legal]
        candidates.sort(key=lambda one: (-np.inf if one.value is None else one.value, one.chosen), reverse=True)
        told = (self.contestant.name, int(state[0]["turn"]), tuple(candidates))
        if thought is None:
            return Explanation(*told, OUTSIDE if self.contestant.external else NO_VALUES)
        if thought.role is None or thought.inputs is None:
            return Explanation(*told, thought.note)
        net, row = self.nets[thought.role], thought.inputs
        inputs = tuple(zip(self._labels(net), row.tolist(), strict=True))
        return Explanation(*told, thought.note, net, thought.role, inputs, thought.seen, activations(net, row))

    def _labels(self, net: Net) -> list[str]:
        view = self.game.view
        labels = view.net_labels(net.encoding, net.policy, net.shape[-1])[0]
        return list(labels) if len(labels) == net.inputs else [str(number) for number in range(1, net.inputs + 1)]
