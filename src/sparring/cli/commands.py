"""The commands: each reads its options, calls the Python API, and prints."""

import json
import os
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

import sparring
from sparring.cli import advice, measuring
from sparring.cli import options as shared
from sparring.errors import UserError

EXTRA = {"ignore_unknown_options": True, "allow_extra_args": True}  # the learner's options
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sparring {sparring.__version__}")
        raise typer.Exit


def _name(game: str) -> None:
    """Import the game that `--of` names, so that files that mention it can be read."""
    from sparring.games import name_game

    if game:
        name_game(game)


@app.callback()
def about(
    version: Annotated[bool, Option("--version", callback=_version, is_eager=True, help="print the version")] = False,
) -> None:
    """Sparring: train networks to play games by self-play, and compare players with confidence intervals."""


@app.command()
def games() -> None:
    """List the games."""
    from sparring.cli.show import table
    from sparring.games import GAMES, find_game

    rows = [
        [g.name, " or ".join(map(str, g.rules.seats)), str(g.rules.version), ", ".join(g.policies.encodings), g.summary]
        for g in map(find_game, GAMES)
    ]
    table("", ["game", "seats", "rules", "encodings", ""], rows)


@app.command()
def players(game: shared.GameName) -> None:
    """List a game's players. They are built in, networks that come with it, or programs."""
    from sparring.arena.players import champion_texts
    from sparring.cli.show import table
    from sparring.games import name_game

    the_game = name_game(game)
    programs = dict.fromkeys(the_game.policies.external, "a program, where it is installed")
    found = {**the_game.policies.names, **champion_texts(the_game), **programs}
    table(f"players of {game}", ["player", ""], [[name, text] for name, text in found.items()])


# Training.


@app.command(cls=shared.TrainCommand, context_settings=EXTRA)
def train(
    context: typer.Context,
    target: Annotated[str, Argument(help="an experiment file (.toml) or a game")],
    learner: shared.LearnerName = shared.LEARNER,
    trials: Annotated[int | None, Option(help="independent trials", min=1)] = None,
    seed: Annotated[int | None, Option(help="the seed of all random numbers", min=0, max=2**63 - 1)] = None,
    name: Annotated[str | None, Option(help="the run's name")] = None,
    runs: shared.Runs = shared.RUNS,
    threads: shared.Threads = 0,
    backend: shared.OwnBackend = "",
    of: shared.Of = "",
) -> None:
    """Train an experiment file, or a game. The learner's options are listed below."""
    from sparring.cli import show

    _name(of)
    options = shared.learner_options(context.args, None if target.endswith(".toml") else learner)
    given: dict[str, Any] = {"runs": runs, "name": name, "seed": seed, "trials": trials, "backend": backend or None}
    show.run_table(sparring.train(target, learner=learner, threads=threads or None, watch=show, **given, **options))


@app.command()
def resume(
    run: Annotated[Path, Argument(help="a run's folder")],
    threads: shared.Threads = 0,
    backend: shared.OwnBackend = "",
    of: shared.Of = "",
) -> None:
    """Resume a stopped run."""
    from sparring.cli import show
    from sparring.lab.run import open_run

    _name(of)
    found = open_run(run, backend)
    if found.finished:
        show.line(f"{found.folder}: already finished")
    show.run_table(sparring.resume(found, threads=threads or None, watch=show))


@app.command()
def report(
    runs: Annotated[list[Path], Argument(help="runs' folders")],
    out: Annotated[
        Path | None, Option(help="the file to write; default: report.html in the run, or beside several")
    ] = None,
    curves: Annotated[
        str, Option(help="also write the learning curves of each run: csv, parquet, tensorboard or mlflow")
    ] = "",
    of: shared.Of = "",
) -> None:
    """Write an HTML report of runs. It has learning curves, results and a replayed game."""
    from sparring.cli import show

    show.line(f"report: {sparring.write_report(runs, out, of)}")
    for run in runs if curves else []:
        show.line(f"curves: {sparring.write_curves(run, curves)}")


app.command()(measuring.compare)
app.command()(measuring.sweep)
app.command()(measuring.ladder)
app.command(cls=measuring.ResponseCommand, context_settings=EXTRA)(measuring.exploit)


# Playing.


@app.command()
@shared.grouped
def match(
    game: shared.GameName,
    players: Annotated[list[str], Argument(help="built-in players, net files or runs")],
    where: shared.Where,
    judged: measuring.Judged,
    pairs: Annotated[
        int | None,
        Option(help="deals, each played in every seating; default: 1000, or with --until at most 100000", min=1),
    ] = None,
    seed: shared.Seed = 1,
    as_json: shared.Json = False,
    log: shared.LogFile = None,
    as_named: Annotated[bool, Option("--as-named", help="play only in the seats as named")] = False,
) -> None:
    """Play a match on the same deals in every seating. Results have 95% intervals."""
    from sparring.cli import show
    from sparring.games import name_game, unknown
    from sparring.lab.store import Store

    known = list(name_game(game).learning.fitness)
    if judged.fitness and judged.fitness not in known:
        raise unknown("fitness", judged.fitness, known)
    seating, store = "given" if as_named else "every", Store(where.runs)
    with show.games_bar("playing") as progress:
        common = where.unrecorded | {"progress": progress, "until": judged.until, "adjust": judged.adjust}
        result = sparring.match(game, *players, pairs=pairs, seed=seed, keep=log, seating=seating, **common)
    show.results(result, as_json, judged.fitness)
    store.record_results("match", [result.json()])


@app.command()
@shared.grouped
def tournament(
    game: shared.GameName,
    players: Annotated[list[str], Argument(help="two players or more")],
    where: shared.Where,
    pairs: Annotated[int, Option(help="pairs of games for each two players", min=1)] = 50,
    seed: shared.Seed = 1,
    as_json: shared.Json = False,
) -> None:
    """Play every pair of players; print ranking, ratings and tables."""
    from sparring.cli import show
    from sparring.lab.store import Store

    store = Store(where.runs)
    with show.games_bar("playing") as progress:
        result = sparring.tournament(game, *players, pairs=pairs, seed=seed, progress=progress, **where.unrecorded)
    show.results(result, as_json)
    store.record_results("tournament", [result.json()])


@app.command()
def play(
    game: shared.GameName = "",
    against: Annotated[
        str,
        Option(help="a player, a net file or a run for all other seats, or one for each: a,b,c; default: champion"),
    ] = "",
    seed: shared.NewSeed = None,
    seat: Annotated[int, Option(help="your seat, from 0", min=0)] = 0,
    second: Annotated[bool, Option("--second", help="take the second seat: --seat 1")] = False,
    log: shared.LogFile = None,
    resume: Annotated[bool, Option("--resume", help="go on with your last unfinished game")] = False,
    runs: shared.Runs = shared.RUNS,
) -> None:
    """Play a game in this terminal. It is kept as you play, and a finished game becomes part of your record."""
    if second and seat > 1:
        raise UserError(f"--second, --seat {seat}: name one seat")
    if not game and not resume:
        raise UserError("name a game (sparring games lists them), or go on with one: sparring play --resume")
    before = os.umask(0o077)  # the games of people are private
    try:
        sparring.play(game, against, seed=seed, seat=1 if second else seat, log=log, runs=runs, resume=resume)
    finally:
        os.umask(before)


@app.command()
def watch(
    game: shared.GameName,
    players: Annotated[list[str], Argument(help="the player in each seat; the second of two takes all other seats")],
    seed: shared.NewSeed = None,
    pace: Annotated[
        float | None,
        Option(help="seconds between moves; default: 1 in a terminal and 0 elsewhere", min=0, max=60),
    ] = None,
    step: Annotated[bool, Option("--step", help="wait for Enter before every move")] = False,
    log: shared.LogFile = None,
) -> None:
    """Watch players play a game in this terminal, move by move."""
    sparring.watch(game, *players, seed=seed, pace=pace, step=step, log=log)


@app.command()
def serve(
    host: Annotated[
        str, Option(help="the address to listen on; others than this machine's own can be reached by others")
    ] = "127.0.0.1",
    port: Annotated[int, Option(help="the port to listen on; 0 for any that is free", min=0, max=65535)] = 8421,
    no_open: Annotated[bool, Option("--no-open", help="do not open a browser")] = False,
    no_train: Annotated[bool, Option("--no-train", help="start, stop and resume no trainings from the page")] = False,
    of: Annotated[
        list[str], Option(help="a game that is not Sparring's own: a module or a .py file; may be repeated")
    ] = [],  # noqa: B006
    runs: shared.Runs = shared.RUNS,
) -> None:
    """Open the page in a browser. Play, watch, follow trainings, read reports."""
    from sparring.cli.serve import serve_page
    from sparring.games import ALLOWED

    for name in of:
        _name(name)
        os.environ[ALLOWED] = ",".join(filter(None, [os.environ.get(ALLOWED, ""), name]))
    serve_page(runs, host, port, not no_open, not no_train)


@app.command()
def record(
    game: Annotated[str, Argument(help="the game, with its rules or under all of them; default: all games")] = "",
    as_json: shared.Json = False,
    runs: shared.Runs = shared.RUNS,
) -> None:
    """Show your own record. It counts the games you have finished, against each player, with 95% intervals."""
    from sparring.cli import show

    found = sparring.record(game, runs=runs)
    if as_json:
        print(json.dumps({"records": [one.json() for one in found]}))
        return
    if not found:
        print(f"no finished games of yours are recorded yet; play one: sparring play {game or 'GAME'}")
    for _, records in groupby(found, lambda one: (one.game, one.rules)):
        show.record_table(list(records))


for command in (advice.cube, advice.rollout, advice.rate):
    app.command()(command)


# Logs and drawings.


@app.command()
def replay(
    log: Path,
    of: shared.Of = "",
    game: Annotated[int, Option(help="the game of the log, from 1", min=1)] = 1,
    round_number: Annotated[int, Option("--round", help="only this round, from 1; 0 for all", min=0)] = 0,
    statistics: Annotated[bool, Option("--statistics", help="the results of the whole log")] = False,
) -> None:
    """Show a game of a log turn by turn, or all results."""
    from sparring.cli import show

    if statistics:
        show.results(sparring.log_statistics(log, of))
    else:
        show.line("\n\n".join(sparring.replay(log, game, round=round_number, game=of)))


app.command()(advice.analyse)


@app.command()
def draw(
    what: Annotated[Path, Argument(help="a net file, a run's folder, or a log of games")],
    of: shared.Of = "",
    out: Annotated[
        Path | None, Option(help="the file to write, or a game's folder; default: beside what is drawn")
    ] = None,
    game: Annotated[int | None, Option(help="the game of a log, from 1; default: the first", min=1)] = None,
    form: Annotated[str, Option("--format", help="svg, png, or gif: a game as one animation")] = "",
    whole: Annotated[
        bool, Option("--whole", help="draw also what is disabled in a net (dotted) or leads to no output")
    ] = False,
    role: Annotated[str, Option(help="of a team of nets: whose to draw")] = "",
) -> None:
    """Draw a net, or a game of a log. A net is a graph, a game numbered pictures or an animation."""
    from sparring.cli import show

    written = sparring.draw(what, game=of, out=out, number=game, form=form, whole=whole, role=role)
    show.drawings(what, game or 1, written)


# Studies and speed.


@app.command()
@shared.grouped
def reproduce(
    study: Annotated[str, Argument(help="the study, by its game, or all")],
    where: shared.Where,
    trials: Annotated[int, Option(help="trials per input; 0 for the budget's own number", min=0)] = 0,
    budget: Annotated[str, Option(help="quick, paper, deep, or another that the study has")] = "quick",
    seed: shared.Seed = 1,
    results: Annotated[Path | None, Option(help="also store STUDY.json, claims and tables, in this folder")] = None,
    only: Annotated[str, Option(help="measure one part again and replace its claims in the stored STUDY.json")] = "",
) -> None:
    """Run a published study again, with its tables beside ours. `all` runs all and prints one table."""
    from sparring.cli import show
    from sparring.studies import STUDIES

    chosen = list(STUDIES) if study == "all" else [study]
    chose = {"budget": budget, "trials": trials, "seed": seed, "results": results, "only": only}
    options: dict[str, Any] = {**chose, "watch": show, **where.options}
    found = [sparring.reproduce(name, **options) for name in chosen]
    if study == "all":
        rows = [[each.study, *map(str, each.counts.values()), str(each.report)] for each in found]
        show.table("Claims of the studies", ["study", *found[0].counts, "report"], rows)
        return
    for item in found[0].tables:
        show.table(item.title, item.header, item.rows, item.caption)
    show.line(f"report: {found[0].report}")


@app.command()
def bench(
    game: Annotated[str, Argument(help="the game, or neat for the genetics; default: all")] = "",
    as_json: shared.Json = False,
    seconds: Annotated[float, Option(help="time for each figure", min=0.1)] = 3.0,
) -> None:
    """Measure speeds on this machine."""
    from sparring.cli import show

    found = sparring.bench(game, seconds)
    if as_json:
        print(json.dumps(found))
    else:
        show.bench_table(found)


@app.command()
def demo(
    runs: shared.Runs = shared.RUNS,
    game: Annotated[str, Option(help="the game; default: the first")] = "",
    trials: Annotated[int, Option(help="players trained side by side; the best plays", min=1)] = 5,
    epochs: Annotated[int, Option(help="epochs of training", min=1)] = 1000,
) -> None:
    """Train a player for a minute, measure it, write a report."""
    from sparring.cli.demo import run_demo

    run_demo(game, runs, trials, epochs)
