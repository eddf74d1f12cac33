"""Advice and judgement: the cube, rollouts, analysis of games, and ratings by positions. Part of the Python API."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from sparring.arena.backends import use_backend
from sparring.arena.match import check_threads
from sparring.arena.play import Progress
from sparring.arena.players import Entrant, check_game, find_player, is_whole
from sparring.arena.position_rating import PositionRating, rate_by_positions
from sparring.errors import UserError, cut
from sparring.games import GAMES, Game, find_game, name_game
from sparring.games.analysis import Analysis
from sparring.games.game import Answer
from sparring.lab.analysis import analyse_file
from sparring.nets.evaluators import net_evaluator

Place = str | Path
MOST_ROLLOUTS = 1_000_000  # games or turns


def _with(game: str, part: Callable[[Game], Any], lacking: str) -> tuple[Game, Any]:
    """A part of the named game, or of the first game that has it."""
    named = name_game(game) if game else next(each for each in map(find_game, GAMES) if part(each))
    the_game = check_game(named)
    if part(the_game) is None:
        raise UserError(f"{the_game.name}: {lacking}")
    return the_game, part(the_game)


def cube(position: str, player: str = "", *, plies: int = 2, game: str = "", table: Place | None = None) -> Answer:
    """Advice on the doubling cube in a position, by a network; of the game that has a cube, where none is named.

    The network looks `plies` ahead, from 0 to 3. `table` is a file with other match equities than the game's own.

    Examples:
        >>> cube("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10").json()["action"]
        'no double, take'
    """
    the_game, rules = _with(game, lambda each: each.presentation.cube, "is played without a doubling cube")
    contestant = find_player(the_game, player or rules.adviser)
    if contestant.net is None:
        raise UserError(f"player {contestant.name!r}: advice on the cube needs a network")
    found: Answer = rules.advise(
        position, net_evaluator(contestant.net), contestant.name, plies, Path(table) if table else None
    )
    return found


def rollout(
    position: str,
    player: str = "",
    *,
    games: int = 1296,
    truncate: int = 0,
    seed: int = 1,
    threads: int | None = None,
    backend: str | None = None,
    game: str = "",
) -> Answer:
    """Play a position many times by a network: its plays if the dice are rolled, else its value; with standard errors.

    `truncate` ends each game after so many turns with the network's value. Results do not depend on `threads`. `backend` says where
    games are played: `cpu`, `cuda`, or `auto` for the GPU if there is one; None for the one in use.

    Examples:
        >>> rollout("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "champion", games=36).json()["plays"][0]["play"]
        '8/5 6/5'
    """
    check_threads(threads)
    for name, value, low in (("games", games, 2), ("truncate", truncate, 0)):
        if not is_whole(value, low, MOST_ROLLOUTS):
            raise UserError(f"{name} = {value!r}: must be a whole number from {low} to {MOST_ROLLOUTS}")
    the_game, rules = _with(game, lambda each: each.presentation.rollouts, "has no rollouts")
    contestant = find_player(the_game, player or rules.player)
    if contestant.net is None:
        raise UserError(f"player {contestant.name!r}: a rollout needs a network")
    network = net_evaluator(contestant.net)
    with use_backend(backend) if backend else nullcontext():
        found: Answer = rules.roll_out(position, network, contestant.name, games, truncate, seed, threads)
    return found


def analyse(
    file: Place,
    *,
    number: int = 0,
    player: Entrant = "",
    level: str = "",
    game: str = "",
    progress: Progress | None = None,
) -> Analysis:
    """Judge every decision of the games of a file, or of one game by its number from 1.

    The file is a log, or another program's file that the game can read. `player` is the judge: the player whose values are taken
    for right; by default the game's own choice. `level` says how deep the judge looks, where the game has several levels.
    """
    if not is_whole(number, 0, 2**31):
        raise UserError(f"number = {cut(number)}: must be the number of a game, from 1, or 0 for all")
    if not isinstance(file, (str, Path)):
        raise UserError(f"file = {cut(file)}: must be a path")
    return analyse_file(Path(file), name_game(game) if game else None, number, player, level, progress)


def rate(
    player: Entrant, *, positions: int = 0, judge: str = "", game: str = "", progress: Progress | None = None
) -> PositionRating:
    """Rate a player by its decisions in positions whose plays are all valued: by what it loses per decision.

    `positions` is how many of them, spread over the whole set; 0 for all. `judge` chooses whose values count, of several.
    """
    if not is_whole(positions, 0, 2**31):
        raise UserError(f"positions = {cut(positions)}: must be a whole number, or 0 for all")
    the_game, read = _with(game, lambda each: each.presentation.positions, "has no set of positions")
    return rate_by_positions(the_game, find_player(the_game, player), read(judge), positions, progress)
