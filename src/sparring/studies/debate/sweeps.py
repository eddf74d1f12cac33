"""The sweeps that choose the debate's settings: every learner has as many settings and games, on seeds of their own.

python -m sparring.studies.debate.sweeps write FOLDER     # an experiment and a sweep file for each learner
for file in FOLDER/*.sweep.toml; do sparring sweep $file --runs RUNS; done
python -m sparring.studies.debate.sweeps collect RUNS     # writes chosen.toml beside this file
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sparring.errors import UserError
from sparring.lab.experiment import build_experiment
from sparring.learn import find_learner
from sparring.nets.files import replace_file
from sparring.studies.debate.settings import (
    BUDGETS,
    DATA,
    GAMES,
    LEARNERS,
    all_fields,
    experiment,
    learners_of,
)
from sparring.studies.study_cache import read_json

SETTINGS, TRIALS, PAIRS, SEED = 8, 3, 10, 20_260
SHARE = 4  # a sweep's full training has this part of the games of `paper`
CHOSEN = Path(__file__).parent / "chosen.toml"
HEAD = """# The settings that sweeps chose: game, form of network, learner, options, and the sweep: its name, seed, settings, games.
# `python -m sparring.studies.debate.sweeps collect RUNS` writes this file. Where a learner has no entry no sweep has been run yet,
# and settings.toml applies.
"""


def all_sweeps() -> Iterator[tuple[str, str, str]]:
    """Every game, form of network and learner with settings of its own; hybrids have those of their parts."""
    for game, shape in all_fields():
        for name in learners_of(game):
            if not LEARNERS[name].stages:
                yield game, shape, name


def sweep_name(game: str, shape: str, learner: str) -> str:
    """The name of a sweep, and of its file before `.toml`."""
    return f"{game}-{shape}-{learner}.sweep"


def write_sweeps(folder: Path) -> list[Path]:
    """Write an experiment and a sweep file for each learner; returns the sweep files."""
    written = []
    for game, shape, learner in all_sweeps():
        setting, games = GAMES[game], BUDGETS["paper"].games[game] // SHARE
        table = experiment(setting, shape, learner, games)
        table |= {"name": f"{game}-{shape}-{learner}", "seed": SEED, "trials": TRIALS}
        table["evaluation"] = {"opponents": list(setting.panel), "pairs": PAIRS}
        base = build_experiment(table)
        replace_file(folder / f"{base.name}.toml", base.toml().encode())
        path = folder / f"{sweep_name(game, shape, learner)}.toml"
        replace_file(path, sweep_text(base.name, learner, games).encode())
        written.append(path)
    return written


def sweep_text(base: str, learner: str, games: int) -> str:
    """A sweep file."""
    counted = "lasting" in vars(find_learner(learner)[1])  # otherwise the experiment has the length
    lines = [f'experiment = "{base}.toml"', f"settings = {SETTINGS}", f"games = {games if counted else 0}"]
    lines += [f"trials = {TRIALS}", f"pairs = {PAIRS}", f"seed = {SEED}", "", "[options]"]
    return "\n".join([*lines, *(f"{key} = {toml(axis)}" for key, axis in DATA["search"][learner].items())]) + "\n"


def toml(value: Any) -> str:
    """A value, a list or a range as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


def collect(runs: Path, path: Path = CHOSEN) -> int:
    """Write down what finished sweeps chose; returns how many there are."""
    rows = []
    for game, shape, learner in all_sweeps():
        name = sweep_name(game, shape, learner)
        stored = runs / name / "sweep.json"
        if not stored.exists():
            continue
        found = read_json(stored)
        text = f"{name}, seed {found['seed']}, {len(found['settings'])} settings, {found['games']:,} games"
        facts = {"game": game, "shape": shape, "learner": learner, "options": found["best"], "sweep": text}
        rows.append("\n[[chosen]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in facts.items()))
    replace_file(path, (HEAD + "".join(rows)).encode())
    return len(rows)


def main(words: list[str]) -> None:
    """Write the sweep files, or collect what they found."""
    if len(words) != 2 or words[0] not in ("write", "collect"):
        raise UserError("python -m sparring.studies.debate.sweeps write FOLDER, or collect RUNS")
    if words[0] == "write":
        print(f"{len(write_sweeps(Path(words[1])))} sweep files: {words[1]}")
    else:
        print(f"{collect(Path(words[1]))} sweeps: {CHOSEN}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UserError as error:
        sys.exit(f"sparring: {error}")
