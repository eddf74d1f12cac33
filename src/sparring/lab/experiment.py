"""Experiment files: TOML in, checked options out.

game = "GAME"
seed = 1
trials = 30
backend = "cpu"

[learner]
name = "coevolution"
hidden = 16

[evaluation]
opponents = ["random"]
"""

import dataclasses
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.arena.backends import BACKENDS
from sparring.arena.play import SEATINGS
from sparring.arena.players import find_players
from sparring.errors import UserError, cut, errors_at
from sparring.games import find_game
from sparring.learn import ALIASES, find_learner
from sparring.options import option, read_options
from sparring.reading import read_text

PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
STORE = "results.sqlite"  # in the folder of runs
PENDING = "unrecorded"  # folder, beside the runs, of what a failing store did not take
OWN = (
    "tables",
    "processes",
    "imports",
    PENDING,
)  # folders in it that are no runs; the page deletes what is old in them


@dataclass(frozen=True)
class Evaluation:
    """How champions are selected and evaluated: on different deals, neither of them used in training."""

    opponents: tuple[str, ...] = option(("random",), "players that champions are evaluated against")
    pairs: int = option(250, "pairs of games against each opponent", 1, 1_000_000)
    selection_pairs: int = option(
        250, "pairs of games against the first opponent that select the run's champion", 1, 1_000_000
    )
    seating: str = option(
        "every", "play each deal in every seating, or only with the champion in the first seat", choices=SEATINGS
    )
    by: str = option("score", "measure that selects champions: score, or one of the game's fitness measures")


@dataclass(frozen=True)
class Top:
    """The keys at the top of an experiment file."""

    game: str = option("", "the game")
    name: str = option("", "the run's name; empty: made from game, learner and seed")
    seed: int = option(1, "the seed of all random numbers", 0, 2**63 - 1)
    trials: int = option(1, "independent trials", 1, 100_000)
    backend: str = option("cpu", "where games are played: CPU cores, GPU, cluster, or the GPU if there is one",
                          choices=BACKENDS)  # fmt: skip


@dataclass(frozen=True)
class Experiment:
    """One run: everything that determines its outcome, and where its games are played."""

    game: str
    name: str
    seed: int
    trials: int
    learner: str
    options: Any
    evaluation: Evaluation
    backend: str = "cpu"

    def toml(self) -> str:
        """The experiment with every option written out."""
        lines = [f"backend = {_toml(self.backend)}", self.training_toml(), "[evaluation]", *_table(self.evaluation)]
        return "\n".join(lines) + "\n"

    def training_toml(self) -> str:
        """What determines the training: everything except the evaluation and the backend."""
        lines = [f"{key} = {_toml(getattr(self, key))}" for key in ("game", "name", "seed", "trials")]
        lines += ["", "[learner]", f"name = {_toml(self.learner)}"] + _table(self.options)
        return "\n".join(lines) + "\n"


def _table(options: Any) -> list[str]:
    return [f"{f.name} = {_toml(getattr(options, f.name))}" for f in dataclasses.fields(options)]


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower() if isinstance(value, bool) else repr(value)


def same_training(text: Any, experiment: Experiment) -> bool:
    """Whether an experiment's `training_toml`, perhaps of an older version, describes the same training.

    Options that it does not have take their defaults, and learners may have an older name.
    """
    try:
        table = tomllib.loads(text)
        learner = table.pop("learner")
        name = learner.pop("name")
        options: Any = read_options(find_learner(name)[0], learner, "")
    except (TypeError, ValueError, KeyError, AttributeError, UserError):
        return False
    same_learner = ALIASES.get(name, name) == ALIASES.get(experiment.learner, experiment.learner)
    top = {key: getattr(experiment, key) for key in ("game", "name", "seed", "trials")}
    return same_learner and options == experiment.options and table == top


def read_experiment(path: Path, changes: dict[str, Any] | None = None) -> Experiment:
    """Read an experiment file; `changes` replace top-level keys."""
    try:
        table = tomllib.loads(read_text(path, "a TOML file"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not a TOML file: {error}") from None
    return build_experiment(table | (changes or {}), f"{path.name}: ", path.parent)


def build_experiment(table: dict[str, Any], place: str = "", folder: Path = Path()) -> Experiment:
    """Build an experiment from a file's tables; `place` begins every error, `folder` resolves file names."""
    table = dict(table)
    learner, evaluation = (_subtable(table, key, place) for key in ("learner", "evaluation"))
    top = read_options(Top, table, place)
    if not top.game:
        raise UserError(f'{place}game: is missing; add game = "NAME" (sparring games lists the names)')
    name = learner.pop("name", "coevolution")
    if not isinstance(name, str):
        raise UserError(f"{place}learner.name = {cut(name)}: must be a text")
    with errors_at(place):
        game = find_game(top.game)
        options_class, training_class = find_learner(name)
        if hasattr(options_class, "expanded"):
            learner = options_class.expanded(learner, game, folder)
        options: Any = read_options(options_class, learner, "learner.")
        training_class.check(game, options)
        judged = read_options(Evaluation, evaluation, "evaluation.")
        measures = ["score", *game.learning.fitness]
        if judged.by not in measures:
            raise UserError(f"evaluation.by = {judged.by!r}: must be one of {', '.join(measures)}")
        if not judged.opponents:
            raise UserError('evaluation.opponents = []: must name at least one player, such as "random"')
        with errors_at("evaluation.opponents: "):
            find_players(game, list(judged.opponents))
    run_name = top.name or re.sub("[:=,]", "-", f"{game.name}-{name}-seed{top.seed}")
    check_name(run_name, f"{place}name = {run_name!r}: ")
    return Experiment(top.game, run_name, top.seed, top.trials, name, options, judged, top.backend)


def check_name(name: str, place: str) -> None:
    """Refuse the name of a run or a sweep that is no plain file name, or is that of something else in the folder of runs."""
    if not PLAIN_NAME.fullmatch(name):
        raise UserError(f"{place}must be a plain file name of letters, digits, '.', '_' and '-'")
    if name in (STORE, *OWN):
        raise UserError(f"{place}is the name of something else in the folder of runs; choose another")


def _subtable(table: dict[str, Any], key: str, place: str) -> dict[str, Any]:
    value = table.pop(key, {})
    if not isinstance(value, dict):
        raise UserError(f"{place}{key} = {cut(value)}: must be a table, [{key}]")
    return dict(value)
