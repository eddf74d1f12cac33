"""How much a player searches, as names say it.

`PLAYER+search@800` makes 800 playouts for each move by the game's better method, `PLAYER+flat@800` by flat Monte Carlo,
`PLAYER+ismcts@2s` searches a tree for two seconds. `PLAYER+search@800:POLICY` makes playouts by another policy of the game.
"""

import re
from dataclasses import dataclass

from sparring.errors import UserError
from sparring.games.game import Game
from sparring.search import METHODS

MOST_PLAYOUTS, MOST_SECONDS = 1_000_000, 3600.0
NAMES = ("search", *METHODS)  # "search" is the method that is best for the game


@dataclass(frozen=True)
class Budget:
    """A method, and playouts or seconds for each move."""

    method: str
    playouts: int = 0
    seconds: float = 0.0
    playout: str = ""  # the policy of playouts; empty for the player's own

    def __str__(self) -> str:
        amount = str(self.playouts) if self.playouts else f"{self.seconds:g}s"
        return f"{self.method}@{amount}{':' if self.playout else ''}{self.playout}"


def read_budget(game: Game, name: str) -> tuple[str, Budget | None]:
    """The player and the search that a name asks for; the search is None where it asks for none."""
    base, _, words = name.rpartition("+")
    method, _, amount = words.partition("@")
    amount, _, playout = amount.partition(":")
    if not base or method not in NAMES:
        return name, None
    if game.search is None:
        raise UserError(f"player {name!r}: {game.family} has no search")
    if playout and playout not in game.builtin:
        raise UserError(f"player {name!r}: playouts by {playout!r}: must be one of {', '.join(game.builtin)}")
    method = game.search.method if method == "search" else method
    if re.fullmatch(r"\d{1,7}", amount, re.ASCII) and 1 <= int(amount) <= MOST_PLAYOUTS:
        return base, Budget(method, int(amount), playout=playout)
    if re.fullmatch(r"(\d{1,4}(\.\d{1,3})?|\.\d{1,3})s", amount, re.ASCII) and 0 < float(amount[:-1]) <= MOST_SECONDS:
        return base, Budget(method, seconds=float(amount[:-1]), playout=playout)
    raise UserError(
        f"player {name!r}: +{words}: say how much, as playouts (+search@800, at most {MOST_PLAYOUTS}) or seconds (+search@2s)"
    )
