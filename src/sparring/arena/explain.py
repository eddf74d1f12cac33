"""Explains a player's choice: every candidate move with its value, the network's inputs and its activations."""

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
from sparring.search import compared

NO_VALUES = "this player compares no values"
SEARCHED = "mean points that playouts gain over those of the player's own move"
EXTERNAL = "an external program, which reports only its move"


class Candidate(NamedTuple):
    """A legal move, its value (None if the player has none), and whether it was chosen."""

    move: int
    value: float | None
    chosen: bool


@dataclass(frozen=True)
class Explanation:
    """A player's choice in a state. Higher values are better."""

    player: str
    seat: int
    candidates: tuple[Candidate, ...]  # the best first, then those without a value
    note: str  # the meaning of a value
    net: Net | None = None  # the network that decided; in a team, that of the role
    role: str = ""  # in a team
    inputs: tuple[tuple[str, float], ...] = ()  # of the network, each with its name
    seen: str = ""  # when the network saw them: now, or after the move
    activations: Mapping[int, float] = field(default_factory=dict)  # by node: see `sparring.nets.evaluators`

    @property
    def encoding(self) -> str:
        """The network's encoding; empty without a network."""
        return self.net.encoding if self.net else ""

    @property
    def scale(self) -> tuple[float, float]:
        """The range of bars: the lowest and the highest value, or an interval around the only one."""
        values = [candidate.value for candidate in self.candidates if candidate.value is not None]
        low, high = min(values, default=0.0), max(values, default=0.0)
        return (low, high) if high > low else (low - 0.5, high + 0.5)


class Mistake(NamedTuple):
    """A move that was worse than the best."""

    number: int  # from 0
    lost: float  # the difference in value
    best: int  # the best move


def explain(game: Game, contestant: Contestant, state: np.ndarray) -> Explanation:
    """The player's choice for the seat to move in a state (an array of one), which is not changed."""
    return Explainer(game, contestant).explain(state)


def mistakes(game: Game, played: Played, evaluator: Contestant) -> list[Mistake]:
    """The moves of a game that the evaluator finds worse than its best move, the largest loss first.

    Forced moves and moves without a value are left out.
    """
    explainer = Explainer(game, evaluator)
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    found = []
    for number, made in enumerate(played.moves):
        legal = legal_moves(game, state)
        decision = explainer.decide(state, legal)[1] if len(legal) > 1 else None
        if decision and made in decision.values:
            best = max(decision.values, key=lambda move: decision.values[move])
            lost = decision.values[best] - decision.values[made]
            if lost > 0:
                found.append(Mistake(number, lost, best))
        play_move(game, state, made)
    return sorted(found, key=lambda mistake: -mistake.lost)


class Explainer:
    """Explains a player's choices in many states."""

    def __init__(self, game: Game, contestant: Contestant) -> None:
        self.game, self.contestant = game, contestant
        self.chooser = None if contestant.external else Chooser(game, contestant)
        net = contestant.net
        parts = dict(net.parts) or {"": net} if net else {}
        self.nets: dict[str, Net] = parts
        self.evaluator = Evaluator(contestant.policy, {role: net_evaluator(part) for role, part in parts.items()})

    def decide(
        self, state: np.ndarray, legal: tuple[int, ...], keep: bool = False
    ) -> tuple[int | None, MoveValues | None]:
        """The chosen move and the values of moves, each None if there are none; the state may keep what the player plans."""
        if self.chooser is None:
            return None, None
        after, chooser, values = state.copy(), self.chooser, self.game.presentation.explain
        move = chooser.choose(after)
        if self.contestant.budget:
            found = compared(self.game, chooser.int_scratch) if len(legal) > 1 else {}
            return move, MoveValues({each: mean for each, (visits, mean) in found.items() if visits}, SEARCHED)
        handed = (records(chooser.player)[0], chooser.weights, chooser.float_scratch, chooser.int_scratch)
        decision = Decision(state, after, legal, move, handed)
        explained = values(self.evaluator, decision) if values else None
        for name in self.game.policies.policy_state if keep else ():
            state[0][name] = after[0][name]
        return move, explained

    def explain(self, state: np.ndarray) -> Explanation:
        """The chosen move and its explanation."""
        legal = legal_moves(self.game, state)
        if not legal:
            raise UserError("the game is over: there is no move to explain")
        chosen, decision = self.decide(state, legal)
        values = decision.values if decision else {}
        candidates = [Candidate(move, values.get(move), move == chosen) for move in legal]
        candidates.sort(key=lambda one: (-np.inf if one.value is None else one.value, one.chosen), reverse=True)
        head = (self.contestant.name, int(state[0]["turn"]), tuple(candidates))
        if decision is None:
            return Explanation(*head, EXTERNAL if self.contestant.external else NO_VALUES)
        if decision.role is None or decision.inputs is None:
            return Explanation(*head, decision.note)
        net, row = self.nets[decision.role], decision.inputs
        inputs = tuple(zip(self._labels(net), row.tolist(), strict=True))
        return Explanation(*head, decision.note, net, decision.role, inputs, decision.seen, activations(net, row))

    def _labels(self, net: Net) -> list[str]:
        labels = self.game.view.net_labels(net.encoding, net.policy, net.shape[-1])[0]
        return list(labels) if len(labels) == net.inputs else [str(number) for number in range(1, net.inputs + 1)]
