"""Hints: the best move in a person's place, how good it is and how much worse the others are, in points where that is known."""

from typing import Any

import numpy as np

from sparring.arena.analysis import BLUNDER_SHARE
from sparring.arena.calibration import Scale, calibrate, in_points
from sparring.arena.explain import Explainer
from sparring.arena.players import Contestant, default_opponent, find_player
from sparring.games import Game
from sparring.games.game import legal_moves

QUICK = 0.5  # seconds within which an adviser answers


def adviser(game: Game) -> str:
    """The strongest network that values all moves and answers at once; one that searches leaves most moves without a value."""
    quick = [level for level in game.presentation.levels if level.rating and (level.seconds or QUICK) < QUICK]
    networks = [level.player for level in quick if find_player(game, level.player).net and "+" not in level.player]
    return networks[-1] if networks else default_opponent(game)


def can_judge(game: Game, contestant: Contestant) -> bool:
    """Whether a player has values whose meaning can be found out quickly: a network that does not search."""
    return contestant.net is not None and "+" not in contestant.name and game.presentation.explain is not None


class Adviser:
    """Gives hints. What its values are in points is found out once for a game and a player."""

    def __init__(self) -> None:
        self.scales: dict[tuple[str, str, int], Scale] = {}

    def learn_scale(self, game: Game, contestant: Contestant, seats: int) -> None:
        """Find out what the player's values are in points; this takes seconds."""
        self.scales[game.name, contestant.name, seats] = calibrate(game, contestant, seats)

    def hint(self, game: Game, contestant: Contestant, state: np.ndarray, seats: int) -> dict[str, Any]:
        """The moves from best to worst, each with what it loses, and how good the best is."""
        legal = legal_moves(game, state)
        chosen, decision = Explainer(game, contestant).decide(state, legal)
        scale = self.scales.get((game.name, contestant.name, seats))
        values = dict(decision.values) if decision else {}
        points = in_points(decision, scale, game.view.points_left(state[0])) if decision and scale else None
        values = points or values
        best = max(values.values(), default=None)
        if best is not None and chosen in values and values[chosen] < best:
            chosen = max(values, key=lambda move: values[move])
        candidates = [_candidate(game, state, move, values.get(move), best, move == chosen) for move in legal]
        candidates.sort(key=lambda one: (one["loss"] is None, one["loss"], one["move"] != chosen))
        return {
            "player": contestant.name,
            "unit": "points" if points else "",
            "best": chosen,
            "value": best if points else None,
            "blunder": BLUNDER_SHARE * scale.spread if points and scale else None,
            "candidates": candidates,
            "note": decision.note if decision else "",
        }


def _candidate(
    game: Game, state: np.ndarray, move: int, value: float | None, best: float | None, chosen: bool
) -> dict[str, Any]:
    loss, words = None if value is None or best is None else best - value, game.view.move_text(state[0], move)
    return {"move": move, "words": words, "value": value, "loss": loss, "chosen": chosen}
