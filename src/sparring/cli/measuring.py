"""Commands that measure: comparisons of runs, and best responses to a player."""

from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from typer import Argument, Option

import sparring
from sparring.cli import options as shared


@dataclass(frozen=True)
class Judged:
    """When a match ends, and what is shown of it beside scores."""

    until: Annotated[str | None, Option(help="stop when decided: elo0=0,elo1=10, perhaps alpha=0.05,beta=0.05")] = None
    adjust: Annotated[str | None, Option(help="also without luck, as this network judges it: its name or file")] = None
    fitness: Annotated[str, Option(help="also show this fitness of the game")] = ""


@dataclass(frozen=True)
class Response:
    """How a best response is trained and measured."""

    games: Annotated[int, Option(help="games of training in each trial", min=1000)] = 1_000_000
    learner: Annotated[str, Option(help="td or evolution-strategies")] = "td"
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
    """Train a best response to a fixed player and report how much it gains: what the player loses at least."""
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
    """Compare the trials of runs: interquartile means, who is better and how surely, performance profiles."""
    from sparring.cli import show

    show.results(sparring.compare(*(run.split(",") for run in runs), by=by, game=of), as_json)
