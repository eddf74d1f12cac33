"""Players written in Python: any function of a state, or any object with `choose(state)`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.arena.players import Contestant
from sparring.arena.position import State
from sparring.errors import Failure, UserError, cut
from sparring.games import Game
from sparring.games.game import legal_moves

BOT = "python"  # the policy of such players


def bot(game: Game, player: Any) -> Contestant:
    """The contestant for a function or an object; its name is `player.name`, or that of the function or class."""
    if isinstance(player, type) or not (callable(player) or callable(getattr(player, "choose", None))):
        kinds = "a player's name, a path, a net, a function of a state, or an object with choose(state)"
        raise UserError(f"player {cut(player)}: must be {kinds}")
    own = getattr(player, "name", None) or getattr(player, "__name__", None) or type(player).__name__
    name = str(own).strip("<>")
    function = player.choose if callable(getattr(player, "choose", None)) else player
    return Contestant(name, BOT, external=lambda: Bot(game, name, function))


class Bot:
    """Asks a Python function for moves, and checks them."""

    def __init__(self, game: Game, name: str, function: Callable[[State], Any]) -> None:
        self.game, self.name, self.function = game, name, function

    def choose(self, state: np.ndarray) -> int:
        """The function's move in a state that shows only what the seat to move sees."""
        seats = int(state[0]["seats"]) if "seats" in (state.dtype.names or ()) else min(self.game.rules.seats)
        seen = State(self.game, state.copy(), seats, viewer=int(state[0]["turn"]))
        try:
            answer = self.function(seen)
        except Exception as error:
            raise Failure(f"{self.name}: {type(error).__name__}: {error}") from error
        try:
            move = seen.read_move(answer)
        except UserError as error:
            raise Failure(f"{self.name}: {error}") from None
        if move not in legal_moves(self.game, state):
            raise Failure(f"{self.name}: chose {cut(answer)}, which is no legal move")
        return move

    def close(self) -> None:
        """Nothing to end."""
