"""The commands, each a thin layer over the Python API."""

from pathlib import Path
from typing import Annotated

import typer

from sparring import __version__

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="print one JSON object and nothing else")]
Seed = Annotated[int, typer.Option(help="the seed everything follows from", min=0, max=2**64 - 1)]
Threads = Annotated[int, typer.Option(help="cores to use; 0 for all; results do not depend on it", min=0)]
BACKEND = "where games are played: cpu, cuda, ray, or auto for the GPU if there is one"
Backend = Annotated[str, typer.Option(help=BACKEND)]
OwnBackend = Annotated[str, typer.Option(help=f"{BACKEND}; the experiment's own if left out")]
Of = Annotated[
    str, typer.Option(help="the game, if it is not one of Sparring's own: a module or a .py file that defines GAME")
]
Runs = Annotated[Path, typer.Option(help="the folder of runs and results")]
RUNS = Path("runs")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sparring {__version__}")
        raise typer.Exit


def _name(game: str) -> None:
    """Import the game outside the package that `--of` names, so that files that mention it can be read."""
    from sparring.games import name_game

    if game:
        name_game(game)


def _allow(game: str) -> None:
    """The same, in processes started by this one too."""
    import os

    from sparring.games import ALLOWED

    _name(game)
    os.environ[ALLOWED] = ",".join(filter(None, [os.environ.get(ALLOWED, ""), game]))


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Sparring: teach networks to play games by self-play, and say who is better and how sure."""


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
def players(game: str) -> None:
    """List a game's players: built in, networks that come with it, programs of others."""
    from sparring.cli.show import table
    from sparring.games import name_game
    from sparring.nets.files import load_net

    the_game = name_game(game)
    rows = [[name, the_game.policies.names[name]] for name in the_game.policy_names]
    for name, path in the_game.policies.champions.items():
        net = load_net(path, the_game)
        rows.append(
            [name, f"a network of {net.hidden} hidden units that comes with the package: {', '.join(net.ancestry)}"]
        )
    rows += [[name, "a program of its own, where it is installed"] for name in the_game.policies.external]
    table(f"players of {game}", ["player", ""], rows)


def _learner_options(words: list[str]) -> dict[str, str]:
    """`--key value` and `--key=value` pairs that are options of the learner."""
    from sparring.errors import UserError

    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key, has_value, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not (has_value or rest):
            raise UserError(f"{word!r}: learner options are written --key value; see sparring train --help")
        found[key.replace("-", "_")] = value if has_value else rest.pop(0)
    return found


def _train_help() -> str:
    from sparring.learn import LEARNERS
    from sparring.options import help_text

    parts = [
        f"Options of the learner {name}, with their defaults:\n\n\b\n{help_text(options)}"
        for name, (options, _) in LEARNERS.items()
    ]
    return "\n\n".join(parts)


@app.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True}, epilog=_train_help())
def train(
    context: typer.Context,
    target: Annotated[str, typer.Argument(help="an experiment file (.toml) or a game")],
    learner: Annotated[str, typer.Option(help="the learner, where a game is named")] = "coevolution",
    trials: Annotated[int | None, typer.Option(help="independent trials", min=1)] = None,
    seed: Annotated[int | None, typer.Option(help="the seed everything follows from", min=0, max=2**63 - 1)] = None,
    name: Annotated[str | None, typer.Option(help="the run's name")] = None,
    runs: Runs = RUNS,
    threads: Threads = 0,
    backend: OwnBackend = "",
    of: Of = "",
) -> None:
    """Train: an experiment file, or a game with options of the learner (listed below)."""
    from sparring.cli.work import experiment_from_words, train_run
    from sparring.errors import UserError
    from sparring.lab.experiment import read_experiment
    from sparring.lab.run import create_run

    _name(of)
    words = _learner_options(context.args)
    given = {"trials": trials, "seed": seed, "name": name, "backend": backend or None}
    top = {key: value for key, value in given.items() if value is not None}
    if target.endswith(".toml"):
        if words:
            raise UserError(f"--{next(iter(words))}: an experiment file holds the learner's options; write it there")
        experiment = read_experiment(Path(target), top)
    else:
        experiment = experiment_from_words(target, learner, words, top)
    train_run(create_run(experiment, runs), threads or None)


@app.command()
def resume(
    run: Annotated[Path, typer.Argument(help="a run's folder")],
    threads: Threads = 0,
    backend: OwnBackend = "",
    of: Of = "",
) -> None:
    """Resume a stopped run."""
    from sparring.cli.work import train_run
    from sparring.lab.run import open_run

    _name(of)
    train_run(open_run(run, backend), threads or None)


@app.command()
def match(
    game: str,
    players: Annotated[list[str], typer.Argument(help="built-in players, net files or runs")],
    pairs: Annotated[int, typer.Option(help="deals, each played in every seating", min=1)] = 1000,
    seed: Seed = 1,
    as_json: Json = False,
    log: Annotated[Path | None, typer.Option(help="write every game to this log")] = None,
    as_named: Annotated[
        bool, typer.Option("--as-named", help="only with the players seated as they are named")
    ] = False,
    fitness: Annotated[str, typer.Option(help="also show this fitness of the game's, such as golf's lower-score")] = "",
    runs: Runs = RUNS,
    threads: Threads = 0,
    backend: Backend = "cpu",
) -> None:
    """Play a match: the same deals in every seating, with 95% intervals."""
    from sparring.cli.work import play_match

    play_match(game, players, pairs, seed, as_json, log, as_named, fitness, runs, threads or None, backend)


@app.command()
def tournament(
    game: str,
    players: Annotated[list[str], typer.Argument(help="two players or more")],
    pairs: Annotated[int, typer.Option(help="pairs of games for each two players", min=1)] = 50,
    seed: Seed = 1,
    as_json: Json = False,
    runs: Runs = RUNS,
    threads: Threads = 0,
    backend: Backend = "cpu",
) -> None:
    """Play every pair of players; print ranking, ratings and tables."""
    from sparring.cli.work import play_tournament

    play_tournament(game, players, pairs, seed, as_json, runs, threads or None, backend)


@app.command()
def play(
    game: str,
    against: Annotated[
        str,
        typer.Option(
            help="a player, a net file or a run, for all other seats, or one for each: a,b,c; the champion if left out"
        ),
    ] = "",
    seed: Annotated[
        int | None, typer.Option(help="the seed of dice or cards; a new one if left out", min=0, max=2**64 - 1)
    ] = None,
    seat: Annotated[int, typer.Option(help="your seat, from 0", min=0)] = 0,
    second: Annotated[bool, typer.Option("--second", help="sit in the second seat: --seat 1")] = False,
    log: Annotated[Path | None, typer.Option(help="write the game to this log")] = None,
    runs: Runs = RUNS,
) -> None:
    """Play a game against one player or several, in this terminal; it is then part of your record."""
    from secrets import randbelow

    from sparring.cli.play import play_game
    from sparring.errors import UserError

    if second and seat > 1:
        raise UserError(f"--second, --seat {seat}: name one seat")
    play_game(game, against, randbelow(10**9) if seed is None else seed, 1 if second else seat, log, runs)


@app.command()
def watch(
    game: str,
    players: Annotated[
        list[str], typer.Argument(help="who sits in each seat; of two at a larger table, the second has the rest")
    ],
    seed: Annotated[
        int | None, typer.Option(help="the seed of dice or cards; a new one if left out", min=0, max=2**64 - 1)
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(help="seconds between moves; if left out, 1 in a terminal and 0 elsewhere", min=0, max=60),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="wait for Enter before every move")] = False,
    log: Annotated[Path | None, typer.Option(help="write the game to this log")] = None,
) -> None:
    """Watch players play a game in this terminal, move by move."""
    from secrets import randbelow

    from sparring.cli.watch import watch_game

    watch_game(game, players, randbelow(10**9) if seed is None else seed, pace, step, log)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="where to listen; anything but this machine itself asks for a token")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="the port to listen at; 0 for any that is free", min=0, max=65535)] = 8421,
    no_open: Annotated[bool, typer.Option("--no-open", help="do not open a browser")] = False,
    of: Annotated[
        list[str], typer.Option(help="a game that is not Sparring's own: a module or a .py file; may be repeated")
    ] = [],  # noqa: B006
    runs: Runs = RUNS,
) -> None:
    """Open the page in a browser: play, watch, follow trainings, read reports."""
    from sparring.cli.serve import serve_page

    for name in of:
        _allow(name)
    serve_page(runs, host, port, not no_open)


@app.command()
def record(
    game: Annotated[str, typer.Argument(help="the game, with its rules or under all of them; all if left out")] = "",
    as_json: Json = False,
    runs: Runs = RUNS,
) -> None:
    """Show your own record: the games you have finished, against each player, with 95% intervals."""
    from sparring.cli.work import show_record

    show_record(game, as_json, runs)


@app.command()
def replay(
    log: Path,
    of: Of = "",
    game: Annotated[int, typer.Option(help="which game of the log, from 1", min=1)] = 1,
    round_number: Annotated[int, typer.Option("--round", help="only this round, from 1; 0 for all", min=0)] = 0,
    statistics: Annotated[bool, typer.Option("--statistics", help="what the whole log says about its players")] = False,
) -> None:
    """Show a game of a log turn by turn, or the statistics of the whole log."""
    from sparring.cli.work import show_replay, show_statistics

    if statistics:
        show_statistics(log, of)
    else:
        show_replay(log, of, game, round_number)


@app.command()
def draw(
    what: Annotated[Path, typer.Argument(help="a net file, a run's folder, or a log of games")],
    of: Of = "",
    out: Annotated[
        Path | None, typer.Option(help="the file to write, or a game's folder; default: beside what is drawn")
    ] = None,
    game: Annotated[int | None, typer.Option(help="which game of a log, from 1; the first if left out", min=1)] = None,
    form: Annotated[str, typer.Option("--format", help="svg or png (of games only where they offer it)")] = "",
    whole: Annotated[
        bool, typer.Option("--whole", help="of a net also what is disabled, dotted, or leads to no output")
    ] = False,
    role: Annotated[str, typer.Option(help="of a team of nets: whose to draw")] = "",
) -> None:
    """Draw a net as a graph, or a game of a log as numbered pictures."""
    from sparring.cli.draw import draw as draw_it

    draw_it(what, of, out, game, form, whole, role)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(help="runs' folders")],
    out: Annotated[
        Path | None, typer.Option(help="the file to write; default report.html in the run, or beside several")
    ] = None,
    of: Of = "",
) -> None:
    """Write an HTML report of runs: learning curves, results, a replayed round."""
    from sparring.lab.run import open_run
    from sparring.report.runs import write_report

    _name(of)
    path = out or (runs[0] if len(runs) == 1 else runs[0].parent) / "report.html"
    write_report([open_run(folder) for folder in runs], path)
    print(f"report: {path}")


@app.command()
def reproduce(
    study: Annotated[str, typer.Argument(help="the study, by its game")],
    trials: Annotated[int, typer.Option(help="trials per input; 0 for the budget's own number", min=0)] = 0,
    budget: Annotated[str, typer.Option(help="quick, paper, deep, or another that the study has")] = "quick",
    seed: Seed = 1,
    runs: Runs = RUNS,
    threads: Threads = 0,
    backend: Backend = "cpu",
) -> None:
    """Re-run a published study and print its tables with ours beside."""
    from sparring.cli.work import reproduce_study

    reproduce_study(study, trials, budget, seed, runs, threads or None, backend)


@app.command()
def bench(
    game: Annotated[str, typer.Argument(help="the game, or neat for the genetics; all of them if left out")] = "",
    as_json: Json = False,
    seconds: Annotated[float, typer.Option(help="time for each figure", min=0.1)] = 3.0,
) -> None:
    """Measure speeds on this machine."""
    from sparring.cli.work import show_bench

    show_bench(game, as_json, seconds)


@app.command()
def demo(
    runs: Runs = RUNS,
    game: Annotated[str, typer.Option(help="the game; the first if left out")] = "",
    trials: Annotated[int, typer.Option(help="players trained side by side; the best plays", min=1)] = 5,
    epochs: Annotated[int, typer.Option(help="epochs of training", min=1)] = 1000,
) -> None:
    """Train a player for about a minute, play it against others, write a report."""
    from sparring.cli.work import run_demo

    run_demo(game, runs, trials, epochs)
