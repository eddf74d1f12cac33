"""Commands that measure: comparisons of runs, best responses to a player, and sweeps over settings."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

import sparring
from sparring.cli import options as shared


@dataclass(frozen=True)
class Judged:
    """When a match ends, and what is shown of it beside scores."""

    until: Annotated[str | None, Option(help="stop when decided: elo0=0,elo1=10, perhaps alpha=0.05,beta=0.05")] = None
    adjust: Annotated[
        str | None, Option(help="also without luck, by the values of a network, or of a judge of the game")
    ] = None
    fitness: Annotated[str, Option(help="also show this fitness of the game")] = ""


@dataclass(frozen=True)
class Response:
    """How a best response is trained and measured."""

    games: Annotated[int, Option(help="games of training in each trial", min=1000)] = 1_000_000
    learner: Annotated[str, Option(help="td, deep-td or evolution-strategies")] = "td"
    trials: Annotated[int, Option(help="independent trials, of which the best on other deals is reported", min=1)] = 1
    pairs: Annotated[int, Option(help="deals of the report, each played in every seating", min=1)] = 5000
    seed: shared.Seed = 1


class ResponseCommand(shared.TrainCommand):
    """`exploit --help` lists the options of its learner."""

    learner = Response.learner


@shared.grouped
def exploit(
    context: typer.Context,
    game: shared.GameName,
    player: Annotated[str, Argument(help="the player to respond to: a name, a net file or a run")],
    training: Response,
    runs: shared.Runs = shared.RUNS,
    threads: shared.Threads = 0,
    as_json: shared.Json = False,
) -> None:
    """Train a best response to a fixed player. What it gains is what the player loses at least."""
    from sparring.cli import show

    options = asdict(training) | shared.learner_options(context.args, training.learner)
    found = sparring.exploit(game, player, runs=runs, threads=threads or None, watch=show, **options)
    show.exploit_table(found, as_json)


def compare(
    runs: Annotated[list[str], Argument(help="finished runs; a method on several games: RUN,RUN")],
    by: Annotated[str, Option(help="what to compare: won, or on one game score or a fitness")] = "won",
    as_json: shared.Json = False,
    of: shared.Of = "",
) -> None:
    """Compare the trials of runs. Prints interquartile means, who is better and how surely, performance profiles."""
    from sparring.cli import show

    show.results(sparring.compare(*(run.split(",") for run in runs), by=by, game=of), as_json)


@shared.grouped
def sweep(
    file: Annotated[Path, Argument(help="a sweep file (.toml)")],
    where: shared.Where,
    as_json: shared.Json = False,
    of: shared.Of = "",
) -> None:
    """Find a learner's best settings by successive halving. The same command goes on with a stopped sweep."""
    from sparring.cli import show

    show.sweep_table(sparring.sweep(file, game=of, watch=show, **where.options), as_json)


def ladder(
    game: shared.GameName,
    players: Annotated[list[str] | None, Argument(help="further players, such as champion+search@800")] = None,
    within: Annotated[
        float,
        Option(help="how well leads over the next player have to be known: half of a 95% interval", min=1, max=1000),
    ] = 15,
    minutes: Annotated[float, Option(help="core minutes to play; the same command goes on", min=0)] = 30,
    seed: shared.Seed = 1,
    results: Annotated[Path, Option(help="the folder that keeps it, as ladder-GAME.json")] = Path("results"),
    threads: shared.Threads = 0,
    as_json: shared.Json = False,
) -> None:
    """Rate all players and levels of a game against each other. The ratings are stored."""
    from sparring.cli import show

    words: dict[str, Any] = {
        "within": within,
        "minutes": minutes,
        "seed": seed,
        "threads": threads or None,
        "results": results,
    }
    show.ladder_table(sparring.ladder(game, *(players or []), **words), as_json)
