"""Which moves of a game were guided: no record says, so those who played are asked again."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.conquest.game_record import apply
from sparring.games.conquest.rules import GUIDED
from sparring.games.game import Game, start_game
from sparring.games.view import Played


def guided_moves(game: Game, played: Played, choosers: Sequence[Callable[[np.ndarray], int]]) -> list[bool]:
    """Of each move whether it was guided; each seat's chooser is asked for its move in every state (see arena's Chooser)."""
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    s: Any = state[0]
    found = []
    for number, move in enumerate(played.moves):
        seat = int(s["turn"])
        before = int(s["luck"][GUIDED + seat])
        if choosers[seat](state) != move:
            raise UserError(f"move {number + 1} of the game is not what its player chooses: another player made it")
        found.append(int(s["luck"][GUIDED + seat]) > before)
        apply(state, move)
    return found
