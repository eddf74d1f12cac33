"""The registry of games. A new game is one folder and one line here."""

import difflib
import sys
from importlib import import_module

from sparring.errors import UserError
from sparring.games.game import Game, Played, View, with_rules

GAMES = {
    "golf": "sparring.games.golf",
    "backgammon": "sparring.games.backgammon",
    "conquest": "sparring.games.conquest",
    "gin": "sparring.games.gin",
    "hearts": "sparring.games.hearts",
}

__all__ = ["GAMES", "Game", "Played", "View", "find_game", "unknown"]


def unknown(what: str, name: str, known: list[str]) -> UserError:
    """The error for a name that does not exist, with the nearest one that does."""
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
    return UserError(f"unknown {what} {name!r}: {hint}")


def find_game(name: str) -> Game:
    """The game of this name; `package.module` finds one outside Sparring that defines GAME; `name:key=value` sets rules."""
    family, has_rules, words = name.partition(":")
    return with_rules(_find_family(family), words) if has_rules else _find_family(family)


def _find_family(name: str) -> Game:
    if name in GAMES:
        return import_module(GAMES[name]).GAME  # type: ignore[no-any-return]
    if "." in name:
        if "" not in sys.path:
            sys.path.append("")  # a game in the present folder is found, as `python -m` would find it
        try:
            return import_module(name).GAME  # type: ignore[no-any-return]
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise UserError(f"game {name!r}: {error}; a module that defines GAME is needed") from None
    raise UserError(f"{unknown('game', name, list(GAMES))} (or name a module that defines GAME, as package.module)")
