"""Commands that advise and judge: the cube, rollouts, analysis of games, ratings by positions."""

import json
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

import sparring
from sparring.cli import options as shared


def cube(
    position: Annotated[str, Argument(help="the position, with cube and score, as an XGID")],
    player: Annotated[str, Option(help="the network that advises: its name, a net file or a run")] = "",
    plies: Annotated[int, Option(help="how far the network looks ahead", min=0, max=3)] = 2,
    game: Annotated[str, Option(help="the game; default: the one that is played with a cube")] = "",
    table: Annotated[Path | None, Option(help="a file with other match equities, in lines separated by commas")] = None,
    as_json: shared.Json = False,
) -> None:
    """Say whether to double, take or pass in a position. Each action has its value."""
    advice = sparring.cube(position, player, plies=plies, game=game, table=table)
    print(json.dumps(advice.json()) if as_json else advice.text())


def rollout(
    position: Annotated[str, Argument(help="the position, with or without dice, as an XGID")],
    player: Annotated[str, Option(help="the network that plays: its name, a net file or a run")] = "",
    games: Annotated[int, Option(help="the most games of each play", min=2)] = 1296,
    truncate: Annotated[int, Option(help="turns after which the network's value ends a game; 0: never", min=0)] = 0,
    seed: shared.Seed = 1,
    threads: shared.Threads = 0,
    backend: shared.Backend = "cpu",
    game: Annotated[str, Option(help="the game; default: the one whose positions can be rolled out")] = "",
    as_json: shared.Json = False,
) -> None:
    """Play a position many times. Ranks the plays of its dice, or values it before the roll, with 95% intervals."""
    settings: dict[str, Any] = {"games": games, "truncate": truncate, "seed": seed, "threads": threads or None}
    found = sparring.rollout(position, player, game=game, backend=backend, **settings)
    print(json.dumps(found.json()) if as_json else found.text())


def analyse(
    file: Annotated[Path, Argument(help="a log of games, or another program's file that the game can read")],
    game: Annotated[int, Option(help="the game of the file, from 1; default: all", min=0)] = 0,
    player: Annotated[str, Option(help="the judge: a player whose values are taken for right")] = "",
    level: Annotated[str, Option(help="how deep the judge looks, where the game has several levels")] = "",
    html: Annotated[Path | None, Option(help="write the analysis as a page to this file")] = None,
    out: Annotated[Path | None, Option(help="write the games with comments to this file, where the game can")] = None,
    as_json: shared.Json = False,
    of: shared.Of = "",
) -> None:
    """Judge every decision of finished games. Shows losses, mistakes with the better moves, luck, a summary per player."""
    from sparring.cli import analysis, show

    with show.games_bar("analysing", "decisions") as progress:
        found = sparring.analyse(file, number=game, player=player, level=level, game=of, progress=progress)
    analysis.write(found, file, html, out)
    analysis.show(found, as_json)


def rate(
    player: Annotated[str, Argument(help="a player: its name, a net file or a run")],
    positions: Annotated[int, Option(help="how many positions; 0 for all", min=0)] = 0,
    judge: Annotated[str, Option(help="whose values of the plays count, where the set has several")] = "",
    game: Annotated[str, Option(help="the game; default: the one that has a set of positions")] = "",
    as_json: shared.Json = False,
) -> None:
    """Rate a player by what it loses per decision. Its positions have values of all plays."""
    from sparring.cli import show

    with show.games_bar("deciding", "positions") as progress:
        found = sparring.rate(player, positions=positions, judge=judge, game=game, progress=progress)
    print(json.dumps(found.json()) if as_json else found.text())
