"""The registry of games. A new game is one folder and one line here."""

import difflib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from sparring.errors import UserError
from sparring.games.game import Game, with_rules
from sparring.games.view import Played, View

GAMES = {
    "golf": "sparring.games.golf",
    "backgammon": "sparring.games.backgammon",
    "conquest": "sparring.games.conquest",
    "gin": "sparring.games.gin",
    "hearts": "sparring.games.hearts",
}

__all__ = ["GAMES", "Game", "Played", "View", "find_game", "known_games", "name_game", "unknown"]

ALLOWED = "SPARRING_GAMES"  # the environment variable with games outside the package that the user allows, separated by commas
_named: dict[str, Game] = {}  # games outside the package that the user has named, by that name and by their own


def unknown(what: str, name: str, known: list[str]) -> UserError:
    """The error for a name that does not exist, with the nearest one that does."""
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
    return UserError(f"unknown {what} {name!r}: {hint}")


def known_games() -> list[str]:
    """The names of Sparring's own games, then of those that the user has named."""
    return [*GAMES, *dict.fromkeys(game.name for game in _named.values())]


def find_game(name: str) -> Game:
    """A game by its name, or by its name and rules (`gin:rules=full`).

    Finds Sparring's own games and those that the user has named (`name_game`) or allowed (SPARRING_GAMES). A name that a file
    or a request contains is looked up here, so that data never causes an import.
    """
    family, has_rules, words = name.partition(":")
    game: Game = import_module(GAMES[family]).GAME if family in GAMES else _outside_game(family)
    return with_rules(game, words) if has_rules else game


def name_game(name: str) -> Game:
    """The game that the user names: as `find_game` or, imported, a `package.module` or the path of a file that defines GAME.

    Call it only with what the user has typed.
    """
    family = name.partition(":")[0]
    if family not in GAMES and family not in _named:
        if family.endswith(".py"):
            _remember(family, _game_of(family, lambda: _load_file(Path(family))))
        elif "." in family:
            if "" not in sys.path:
                sys.path.append("")  # a game in the present folder is found, as `python -m` would find it
            _remember(family, _game_of(family, lambda: import_module(family)))
    return find_game(name)


def name_of(game: Game) -> str:
    """The name by which another process of the user's can name the game."""
    return next((name for name, known in _named.items() if known.family == game.family), game.family)


def _outside_game(name: str) -> Game:
    if "." in name and name not in _named and name in os.environ.get(ALLOWED, "").split(","):
        return name_game(name)
    if name in _named:
        return _named[name]
    if "." in name:
        raise UserError(
            f"game {name[:80]!r} is not one of Sparring's games: a file cannot have it imported; name it yourself "
            f"(--of {name[:80]}) or allow it in {ALLOWED}"
        )
    raise UserError(f"{unknown('game', name[:80], known_games())} (or name a module or a .py file that defines GAME)")


def _game_of(name: str, load: Callable[[], ModuleType]) -> Game:
    try:
        game = load().GAME
        if not isinstance(game, Game):
            raise TypeError("its GAME is not a sparring Game")
        return game
    except (ImportError, AttributeError, TypeError, ValueError, OSError, SyntaxError) as error:
        raise UserError(f"game {name!r}: {error}; a module that defines GAME is needed") from None


def _load_file(path: Path) -> ModuleType:
    name = f"sparring_game_{path.stem}"
    spec = spec_from_file_location(name, path.resolve(strict=True))
    if spec is None or spec.loader is None:
        raise ImportError("not a Python file")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _remember(name: str, game: Game) -> None:
    if game.family in GAMES:
        raise UserError(f"game {name!r}: its name {game.family!r} is taken by one of Sparring's own games")
    _named[name] = _named[game.family] = game
