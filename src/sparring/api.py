"""The Python API: the command line's words as functions."""

from pathlib import Path
from typing import Any

from sparring.arena.match import Match, match
from sparring.arena.tournament import Tournament, tournament
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.lab.run import Run, create_run, open_run
from sparring.lab.run import train as train_run
from sparring.nets.dense import Net
from sparring.nets.files import load_net

__all__ = ["Match", "Net", "Run", "Tournament", "load", "match", "tournament", "train"]


def train(
    experiment: str | Path,
    *,
    runs: str | Path = "runs",
    name: str = "",
    seed: int = 1,
    trials: int = 1,
    learner: str = "coevolution",
    evaluation: dict[str, Any] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Run:
    """Train an experiment file, or a game with options of the learner; returns the finished run.

    `train("golf", trials=4, epochs=200)` trains four players; `train("experiments/golf-hand.toml")` runs a file.
    """
    if str(experiment).endswith(".toml"):
        plan = read_experiment(Path(experiment))
    else:
        plan = build_experiment(
            {
                "game": str(experiment),
                "name": name,
                "seed": seed,
                "trials": trials,
                "learner": {"name": learner, **options},
                "evaluation": evaluation or {},
            }
        )
    run = create_run(plan, Path(runs))
    train_run(run, threads)
    return run


def load(path: str | Path) -> "Net | Run":
    """A net from its file, or a run from its folder. Loading runs no code."""
    path = Path(path)
    return open_run(path) if path.is_dir() else load_net(path)
