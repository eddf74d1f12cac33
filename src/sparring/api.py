"""The Python API: the command line's words as functions."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from sparring.arena.backends import use_backend
from sparring.arena.match import Entrant, Match
from sparring.arena.match import match as play_match
from sparring.arena.play import Keep, Progress
from sparring.arena.tournament import Tournament
from sparring.arena.tournament import tournament as play_tournament
from sparring.errors import UserError
from sparring.games import Game, name_game
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.lab.run import Run, create_run, open_run
from sparring.lab.run import train as train_run
from sparring.nets.dense import Net
from sparring.nets.files import load_net
from sparring.position import State, state
from sparring.report import notebook

__all__ = ["Match", "Net", "Run", "State", "Tournament", "load", "match", "state", "tournament", "train"]

notebook.attach()


def _on(backend: str | None) -> AbstractContextManager[None]:
    """Play on a backend; None for the one in use, which is usually this machine's cores."""
    return use_backend(backend) if backend else nullcontext()


def match(
    game: str | Game,
    *players: Entrant,
    pairs: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    keep: Keep | None = None,
    journal: Path | None = None,
    seating: str = "every",
    backend: str | None = None,
) -> Match:
    """Play `pairs` deals between two players (or three or four), each deal in every seating, or only in the given one.

    Where a game has more seats, two players are one against so many of the other, moved round the table; that is also how
    `seating="rotated"` seats more.

    `journal` is a folder for the finished games of a match with programs of others: stopped, it goes on where it was.
    `backend` says where games are played: `cpu`, `cuda`, `ray`, or `auto` for the GPU if there is one.

    Examples:
        >>> match("golf", "greedier", "random", pairs=200).players[0].win_rate.value > 0.9
        True
    """
    with _on(backend):
        return play_match(
            name_game(game) if isinstance(game, str) else game,
            *players,
            pairs=pairs,
            seed=seed,
            threads=threads,
            progress=progress,
            keep=keep,
            journal=journal,
            seating=seating,
        )


def tournament(
    game: str | Game,
    *players: Entrant,
    pairs: int = 50,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    journal: Path | None = None,
    backend: str | None = None,
) -> Tournament:
    """Every pair of players over `pairs` deals, seats exchanged: the study's 100 games by default.

    In a game that is not for two, each of a pair plays alone against so many of the other, moved round the table.

    `journal` and `backend` are as in a match.

    Examples:
        >>> [p.name for p in tournament("golf", "random", "greedier", pairs=20).players]
        ['greedier', 'random']
    """
    with _on(backend):
        return play_tournament(
            name_game(game) if isinstance(game, str) else game,
            *players,
            pairs=pairs,
            seed=seed,
            threads=threads,
            progress=progress,
            journal=journal,
        )


def train(
    experiment: str | Path,
    *,
    runs: str | Path = "runs",
    name: str | None = None,
    seed: int | None = None,
    trials: int | None = None,
    learner: str = "coevolution",
    evaluation: dict[str, Any] | None = None,
    threads: int | None = None,
    backend: str | None = None,
    **options: Any,
) -> Run:
    """Train an experiment file, or a game with options of the learner; returns the finished run.

    `train("golf", trials=4, epochs=200)` trains four players; `train("experiments/golf-hand.toml")` runs a file, and
    `name`, `seed`, `trials`, `backend` and `evaluation` take the place of the file's.
    """
    given = {"name": name, "seed": seed, "trials": trials, "backend": backend, "evaluation": evaluation}
    top = {key: value for key, value in given.items() if value is not None}
    if str(experiment).endswith(".toml"):
        if options:
            raise UserError(f"{next(iter(options))}: an experiment file holds the learner's options; write it there")
        plan = read_experiment(Path(experiment), top)
    else:
        name_game(str(experiment))
        plan = build_experiment({"game": str(experiment), **top, "learner": {"name": learner, **options}})
    run = create_run(plan, Path(runs))
    train_run(run, threads)
    return run


def load(path: str | Path, game: str = "") -> "Net | Run":
    """A net from its file, or a run from its folder. Loading runs no code; name a game that is not Sparring's own."""
    path, named = Path(path), name_game(game) if game else None
    return open_run(path) if path.is_dir() else load_net(path, named)
