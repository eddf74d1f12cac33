"""How much a player searches, as names say it.

`PLAYER+search@800` makes 800 playouts for each move by the game's better method, `PLAYER+flat@800` by flat Monte Carlo,
`PLAYER+ismcts@2s` searches a tree for two seconds. `PLAYER+search@800:POLICY` makes playouts by another policy of the game.
`PLAYER+search@800/6` cuts playouts off after six moves, where the player's network values what they have led to.
"""

import re
from dataclasses import dataclass, replace

from sparring.errors import UserError
from sparring.games.game import Game
from sparring.search import METHODS

MOST_PLAYOUTS, MOST_SECONDS, LONGEST_PLAYOUT = 1_000_000, 3600.0, 1000
NAMES = ("search", *METHODS)  # "search" is the method that is best for the game


@dataclass(frozen=True)
class Budget:
    """A method, and playouts or seconds for each move."""

    method: str
    playouts: int = 0
    seconds: float = 0.0
    playout: str = ""  # the policy of playouts; empty for the player's own
    cut: int = 0  # moves after which a playout is cut off; 0 for none

    def __str__(self) -> str:
        amount = str(self.playouts) if self.playouts else f"{self.seconds:g}s"
        return f"{self.method}@{amount}{':' if self.playout else ''}{self.playout}{f'/{self.cut}' if self.cut else ''}"


def read_budget(game: Game, name: str) -> tuple[str, Budget | None]:
    """The player and the search that a name asks for; the search is None where it asks for none."""
    base, _, words = name.rpartition("+")
    method, _, rest = words.partition("@")
    rest, has_cut, cut = rest.partition("/")
    amount, _, playout = rest.partition(":")
    if not base or method not in NAMES:
        return name, None
    if game.search is None:
        raise UserError(f"player {name!r}: {game.family} has no search")
    if playout and playout not in game.builtin:
        raise UserError(f"player {name!r}: playouts by {playout!r}: must be one of {', '.join(game.builtin)}")
    if has_cut and not (re.fullmatch(r"\d{1,4}", cut, re.ASCII) and 1 <= int(cut) <= LONGEST_PLAYOUT):
        raise UserError(
            f"player {name!r}: /{cut}: playouts have from 1 to {LONGEST_PLAYOUT} moves, as in +search@800/6"
        )
    found = Budget(game.search.method if method == "search" else method, playout=playout, cut=int(cut or 0))
    if re.fullmatch(r"\d{1,7}", amount, re.ASCII) and 1 <= int(amount) <= MOST_PLAYOUTS:
        return base, replace(found, playouts=int(amount))
    if re.fullmatch(r"(\d{1,4}(\.\d{1,3})?|\.\d{1,3})s", amount, re.ASCII) and 0 < float(amount[:-1]) <= MOST_SECONDS:
        return base, replace(found, seconds=float(amount[:-1]))
    raise UserError(
        f"player {name!r}: +{words}: say how much, as playouts (+search@800, at most {MOST_PLAYOUTS}) or seconds (+search@2s)"
    )
