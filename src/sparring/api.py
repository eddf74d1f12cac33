"""The Python API: the command line's words as functions."""

from pathlib import Path
from typing import Any

from sparring.arena.match import Match, match
from sparring.arena.tournament import Tournament, tournament
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.lab.run import Run, create_run, open_run
from sparring.lab.run import train as train_run
from sparring.nets.dense import Net
from sparring.nets.files import load_net
from sparring.position import State, state
from sparring.report import notebook

__all__ = ["Match", "Net", "Run", "State", "Tournament", "load", "match", "state", "tournament", "train"]

notebook.attach()


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
    **options: Any,
) -> Run:
    """Train an experiment file, or a game with options of the learner; returns the finished run.

    `train("golf", trials=4, epochs=200)` trains four players; `train("experiments/golf-hand.toml")` runs a file, and
    `name`, `seed`, `trials` and `evaluation` take the place of the file's.
    """
    given = {"name": name, "seed": seed, "trials": trials, "evaluation": evaluation}
    top = {key: value for key, value in given.items() if value is not None}
    if str(experiment).endswith(".toml"):
        if options:
            raise UserError(f"{next(iter(options))}: an experiment file holds the learner's options; write it there")
        plan = read_experiment(Path(experiment), top)
    else:
        plan = build_experiment({"game": str(experiment), **top, "learner": {"name": learner, **options}})
    run = create_run(plan, Path(runs))
    train_run(run, threads)
    return run


def load(path: str | Path, game: str = "") -> "Net | Run":
    """A net from its file, or a run from its folder. Loading runs no code; name a game that is not Sparring's own."""
    path = Path(path)
    return open_run(path) if path.is_dir() else load_net(path, find_game(game) if game else None)
