"""The Python API. The command line and the web page are layers over these functions."""

import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from sparring.advice import analyse, cube, rate, rollout
from sparring.arena.backends import use_backend
from sparring.arena.external import UNFINISHED
from sparring.arena.luck import LuckMeter
from sparring.arena.match import Match, check_size, check_threads, match_pairs, seat_players
from sparring.arena.match import match as play_match
from sparring.arena.play import Keep, Progress
from sparring.arena.players import Entrant, check_game
from sparring.arena.position import State, state
from sparring.arena.sequential import Until, read_until
from sparring.arena.tournament import Tournament
from sparring.arena.tournament import tournament as play_tournament
from sparring.errors import Stopped, UserError
from sparring.game_logs import log_statistics, replay
from sparring.games import GAMES, Game, name_game
from sparring.games.analysis import Analysis
from sparring.lab.comparison import compare
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.lab.exploit import Exploit, exploited, response_run
from sparring.lab.ladders import Standing
from sparring.lab.ladders import ladder as play_ladder
from sparring.lab.log import LogWriter
from sparring.lab.person_record import Record, own_records
from sparring.lab.run import Run, create_run, open_run
from sparring.lab.run import train as train_run
from sparring.lab.store import Store
from sparring.lab.sweep import Sweep, run_sweep
from sparring.lab.sweep_plan import read_sweep
from sparring.nets.dense import Net
from sparring.nets.files import load_net
from sparring.reading import as_path
from sparring.report import notebook
from sparring.report.drawings import draw
from sparring.report.tracking import write_curves

if TYPE_CHECKING:
    from sparring.studies import Reproduction, Watch

__all__ = [
    "Analysis", "Match", "Net", "Run", "State", "Tournament", "analyse", "bench", "compare", "cube", "draw", "exploit",
    "ladder", "load", "log_statistics", "match", "rate", "record", "replay", "reproduce", "resume", "rollout", "state",
    "sweep", "tournament", "train", "write_curves", "write_report",
]  # fmt: skip

Place = str | Path

notebook.attach()


def _game(game: str | Game) -> Game:
    return name_game(game) if isinstance(game, str) else check_game(game)


def _on(backend: str | None) -> AbstractContextManager[None]:
    """Play on a backend; None for the one in use, which is usually this machine's cores."""
    return use_backend(backend) if backend else nullcontext()


# Playing.


class Where(TypedDict, total=False):
    """Where games are played and kept: the options that matches and tournaments share."""

    threads: int | None
    progress: Progress | None
    journal: Path | None
    backend: str | None
    runs: Place | None


def _where(
    threads: int | None = None,
    progress: Progress | None = None,
    journal: Path | None = None,
    backend: str | None = None,
    runs: Place | None = None,
) -> tuple[Store | None, AbstractContextManager[None], dict[str, Any]]:
    """The results store, the backend to enter, and the other options, as the arena takes them."""
    check_threads(threads)
    store = Store(as_path(runs, "runs")) if runs else None
    journal = journal or (Path(runs) / UNFINISHED if runs else None)
    return store, _on(backend), {"threads": threads, "progress": progress, "journal": journal}


def match(
    game: str | Game,
    *players: Entrant,
    pairs: int | None = None,
    seed: int = 1,
    keep: Keep | Place | None = None,
    seating: str = "every",
    until: str | Until | None = None,
    adjust: Entrant | None = None,
    **where: Unpack[Where],
) -> Match:
    """Play `pairs` deals between two players (or three or four), each deal in every seating, or only in the given one.

    Without `pairs`, 1,000 deals are played. `until="elo0=0,elo1=10"` plays until the first player is shown to be 10 points
    stronger than the others, or not stronger (see docs/numbers.md), but at most `pairs` deals, or 100,000.

    A player is a name, the path of a net file or of a run's folder, a `Net`, a Python function that takes a `State` and
    returns a move, or an object with such a method `choose`. A function sees only what the seat to move may see.

    In a game for more, the second of two players takes all other seats, and the players rotate round the table, as with
    `seating="rotated"`.

    `keep` is a log file to write, or a function that gets the games. `adjust` is a network, or the name of a judge that comes
    with the game, by whose values the result is also given without the luck of dice or cards.

    Options of `Where`: `threads`, the cores to use; `progress`, a function that gets the games done and their total; `backend`,
    where games are played: `cpu`, `cuda`, `ray`, or `auto` for the GPU if there is one; `runs`, a folder whose results store
    records the match, and where a stopped match with programs resumes; `journal`, another folder for the latter.

    Examples:
        >>> match("golf", "greedier", "random", pairs=200).players[0].win_rate.value > 0.9
        True
        >>> match("golf", lambda state: min(state.moves()), "random", pairs=2).players[0].name
        'lambda'
        >>> match("golf", "greedier", "random", until="elo0=0,elo1=100").sequential.accepted
        'elo1'
    """
    the_game, (store, backend, options) = _game(game), _where(**where)
    until, pairs = read_until(until) if until is not None else None, match_pairs(pairs, until)
    check_size(pairs, seed)
    contestants, seating = seat_players(the_game, players, seating)
    if isinstance(keep, (str, Path)):
        keep = LogWriter(Path(keep), the_game, seed, [c.name for c in contestants], seating).keep
    meter = LuckMeter(the_game, adjust, keep, options["threads"]) if adjust is not None else None
    with backend:
        options |= {
            "pairs": pairs,
            "seed": seed,
            "keep": meter.keep if meter else keep,
            "seating": seating,
            "until": until,
        }
        result = play_match(the_game, *contestants, **options)
    if meter:
        result = replace(result, adjusted=meter.adjusted(len(contestants), seating))
    if store:
        store.record_results("match", [result.json()])
    return result


def tournament(
    game: str | Game, *players: Entrant, pairs: int = 50, seed: int = 1, **where: Unpack[Where]
) -> Tournament:
    """Play every pair of players over `pairs` deals with seats exchanged.

    In a game that is not for two, each of a pair plays alone against several of the other and rotates round the table.

    Players and the options of `Where` are as in a match.

    Examples:
        >>> [p.name for p in tournament("golf", "random", "greedier", pairs=20).players]
        ['greedier', 'random']
    """
    the_game, (store, backend, options) = _game(game), _where(**where)
    with backend:
        result = play_tournament(the_game, *players, pairs=pairs, seed=seed, **options)
    if store:
        store.record_results("tournament", [result.json()])
    return result


def record(game: str = "", *, runs: Place = "runs") -> list[Record]:
    """Your own record: the games that you finished against each player; of one game, or of all."""
    return own_records(Store(as_path(runs, "runs"), reading=True), name_game(game) if game else None)


# Training.


def train(
    experiment: Place,
    *,
    runs: Place = "runs",
    name: str | None = None,
    seed: int | None = None,
    trials: int | None = None,
    learner: str = "coevolution",
    evaluation: dict[str, Any] | None = None,
    threads: int | None = None,
    backend: str | None = None,
    watch: "Watch | None" = None,
    **options: Any,
) -> Run:
    """Train an experiment file, or a game with options of the learner; returns the finished run.

    `train(GAME, trials=4, epochs=200)` trains four players; `train("FILE.toml")` runs a file, whose
    `name`, `seed`, `trials`, `backend` and `evaluation` can be replaced here. `watch` shows progress.
    """
    given = {"name": name, "seed": seed, "trials": trials, "backend": backend, "evaluation": evaluation}
    top = {key: value for key, value in given.items() if value is not None}
    if str(as_path(experiment, "experiment")).endswith(".toml"):
        if options:
            raise UserError(f"{next(iter(options))}: an experiment file holds the learner's options; write it there")
        plan = read_experiment(Path(experiment), top)
    else:
        name_game(str(experiment))
        plan = build_experiment({"game": str(experiment), **top, "learner": {"name": learner, **options}})
    return _finish(create_run(plan, as_path(runs, "runs")), threads, watch)


def resume(
    run: Place | Run,
    *,
    threads: int | None = None,
    backend: str = "",
    game: str = "",
    watch: "Watch | None" = None,
) -> Run:
    """Train a stopped run to its end; a finished one is left as it is. Name a game that is not Sparring's own."""
    if game:
        name_game(game)
    return _finish(run if isinstance(run, Run) else open_run(as_path(run, "run"), backend), threads, watch)


def _finish(run: Run, threads: int | None, watch: "Watch | None") -> Run:
    check_threads(threads)
    trials = run.experiment.trials
    what = f"{run.folder.name}, {trials} {'trial' if trials == 1 else 'trials'}"
    watch = watch or Silent()
    with watch.training_bar(what) as report, watch.games_bar("choosing and evaluating") as progress:
        train_run(run, threads, report, progress)
    return run


class Silent:
    """Shows no progress."""

    def training_bar(self, what: str) -> AbstractContextManager[Any]:
        return nullcontext(lambda training, games: None)

    def games_bar(self, what: str, unit: str = "games") -> AbstractContextManager[Any]:
        return nullcontext(lambda done, total: None)


def load(path: Place, game: str = "") -> Net | Run:
    """A net from its file, or a run from its folder. Loading runs no code; name a game that is not Sparring's own."""
    place, named = as_path(path, "path"), name_game(game) if game else None
    return open_run(place) if place.is_dir() else load_net(place, named)


def exploit(
    game: str | Game,
    player: str,
    *,
    games: int,
    learner: str = "td",
    seed: int = 1,
    trials: int = 1,
    pairs: int = 5000,
    runs: Place = "runs",
    threads: int | None = None,
    watch: "Watch | None" = None,
    **options: Any,
) -> Exploit:
    """Train a best response to a fixed player over `games` games; returns what it gains on `pairs` deals used for nothing else.

    `learner` is `td`, `deep-td` or `evolution-strategies`; further options are the learner's. Training starts from the player's own
    network, if the learner can train one of its form. The training is a run in the folder `runs`: a stopped one resumes.
    """
    top = {"seed": seed, "trials": trials, "pairs": pairs}
    run = response_run(_game(game), player, games, learner, options, top, as_path(runs, "runs"))
    return exploited(_finish(run, threads, watch), player, games)


def sweep(
    file: Place,
    *,
    runs: Place = "runs",
    threads: int | None = None,
    backend: str | None = None,
    game: str = "",
    watch: "Watch | None" = None,
) -> Sweep:
    """Try the settings of a sweep file by successive halving; returns them, the best first. A stopped sweep goes on.

    `threads` settings are trained at a time, or all workers of the backend `ray` take part. The folder RUNS/NAME has the table as
    sweep.json and the experiment with the best setting as best.toml. Name a game that is not Sparring's own.
    """
    check_threads(threads)
    if game:
        name_game(game)
    plan, shown = read_sweep(as_path(file, "file")), watch or Silent()
    with _on(backend):
        return run_sweep(plan, as_path(runs, "runs"), threads, lambda what: shown.games_bar(what, "settings"))


def ladder(
    game: str | Game,
    *players: str,
    within: float = 15.0,
    minutes: float = 30.0,
    seed: int = 1,
    threads: int | None = None,
    results: Place = "results",
) -> Standing:
    """Rate the players that come with a game, and others, until their leads are known to `within`, or for so many core minutes.

    Ratings and meetings are stored in the folder `results`, batch by batch. The same call goes on with them.
    """
    from sparring.studies.study import source_commit

    the_game = _game(game)
    if not (1 <= within <= 1000 and minutes >= 0):
        raise UserError(f"ladder: within = {within:g}, minutes = {minutes:g}: must be from 1 to 1000, and 0 or more")
    check_size(1, seed)
    command = shlex.join(
        ["sparring", "ladder", the_game.name, *players, "--within", f"{within:g}", "--seed", str(seed)]
    )
    facts: dict[str, Any] = {"folder": as_path(results, "results"), "command": command, "commit": source_commit()}
    return play_ladder(the_game, *players, within=within, minutes=minutes, seed=seed, threads=threads, **facts)


def write_report(runs: Sequence[Place], out: Place | None = None, game: str = "") -> Path:
    """Write an HTML report of runs; returns its path: by default report.html in the run, or beside several."""
    from sparring.report.runs import write_report as write

    if game:
        name_game(game)
    folders = [as_path(run, "runs") for run in runs]
    path = Path(out) if out else (folders[0] if len(folders) == 1 else folders[0].parent) / "report.html"
    write([open_run(folder) for folder in folders], path)
    return path


# Studies and speed.


def reproduce(
    study: str,
    *,
    budget: str = "quick",
    trials: int = 0,
    seed: int = 1,
    runs: Place = "runs",
    threads: int | None = None,
    backend: str | None = None,
    results: Place | None = None,
    only: str = "",
    watch: "Watch | None" = None,
) -> "Reproduction":
    """Run a published study again; returns its tables with ours beside them, and the path of the report.

    `results` is a folder in which STUDY.json is stored too: claims, verdicts and tables. `only` measures one part of the study
    again and replaces its claims and tables there.
    """
    from sparring.studies import find_study

    run = find_study(study)
    check_threads(threads)
    try:
        with _on(backend):
            kept = as_path(results, "results") if results else None
            return run(budget, trials, seed, as_path(runs, "runs"), threads, watch or Silent(), kept, only)
    except (Stopped, KeyboardInterrupt):
        raise Stopped("stopped; finished parts are kept; resume with the same command") from None


def bench(game: str = "", seconds: float = 3.0) -> dict[str, Any]:
    """Speeds on this machine, of one game, of `neat`, or of everything; `seconds` is the time for each figure."""
    from sparring.lab.bench import bench as measure

    return measure([game] if game else [*GAMES, "neat"], seconds)
