"""More kinds of input that `fault_inputs.py` spoils: what sweeps, ladders and studies keep, and files brought to the page."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sparring
from mutations import spoil_bytes, spoil_json, spoil_text
from sparring.arena.ladder import Ladder, points_of_deal
from sparring.arena.players import find_players
from sparring.games import find_game
from sparring.lab.ladders import resumed
from sparring.lab.log import LogWriter
from sparring.lab.sweep_plan import read_sweep
from sparring.nets.files import SUFFIX, read_tensors, write_tensors
from sparring.studies.debate.trainings import Stage
from sparring.studies.study_cache import Stopwatch
from sparring.web.imports import _keep, _plain, own_imports
from sparring.web.kept import kept_in

Spoiler = Callable[[random.Random], Any]
HERE = Path(__file__).parent
BASE = """game = "golf"
[learner]
hidden = 1
epochs = 8
benchmark_pairs = 0
[evaluation]
opponents = ["random"]
"""
SWEEP = """experiment = "base.toml"
settings = 3
keep = 2
games = 40
trials = 2
pairs = 1
by = "won"
seed = 1
[options]
hidden = [1, 2, 3]
move = { from = 0.01, to = 1.0, scale = "log" }
threshold = { as = "move" }
"""


def sweeps(folder: Path) -> Spoiler:
    """Sweep files, and the experiment files that they name."""
    (folder / "base.toml").write_text(BASE)

    def spoil(dice: random.Random) -> None:
        inner = dice.random() < 0.2
        (folder / "base.toml").write_text(spoil_text(dice, BASE) if inner else BASE, errors="replace")
        data = (SWEEP if inner else spoil_text(dice, SWEEP)).encode("utf-8", "surrogatepass")
        (folder / "x.toml").write_bytes(spoil_bytes(dice, data) if dice.random() < 0.1 else data)
        plan = read_sweep(folder / "x.toml")
        plan.json(), plan.rounds

    return spoil


def settings(folder: Path) -> Spoiler:
    """Folders of sweeps that were stopped; some trainings in them are forged, with a fitting checksum."""
    (folder / "base.toml").write_text(BASE)
    (folder / "x.toml").write_text(SWEEP)
    sparring.sweep(folder / "x.toml", runs=folder / "kept", threads=1)
    for path in (folder / "kept" / "x").glob("*-round-2.json"):
        path.unlink()
    place = folder / "runs" / "x"

    def spoil(dice: random.Random) -> None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder / "kept" / "x", place)
        path = dice.choice(sorted(place.iterdir()))
        if path.suffix == ".json" and dice.random() < 0.7:
            path.write_text(json.dumps(spoil_json(dice, json.loads(path.read_bytes()))), errors="replace")
        elif path.suffix == SUFFIX and dice.random() < 0.7:
            arrays, facts = read_tensors(path)
            write_tensors(path, arrays, spoil_json(dice, facts))
        else:
            path.write_bytes(spoil_bytes(dice, path.read_bytes()))
        sparring.sweep(folder / "x.toml", runs=folder / "runs", threads=1).json()

    return spoil


def ladders(folder: Path) -> Spoiler:
    """Stored ladders."""
    game = find_game("golf")
    players = find_players(game, ["random", "greedier", "sensible"])
    names = [player.name for player in players]
    ladder = Ladder(game, players, 1)
    for pair in list(ladder.meetings):
        ladder.play(pair, 2, 1)
    facts = {"seed": 1, "nets": {}, "game": "golf", "rules": game.rules.version, "names": names}
    meetings = [meeting.json() for meeting in ladder.meetings.values()]
    stored = {"seed": 1, "nets": {}, "result": {"game": "golf", "rules": game.rules.version, "names": names}}
    stored["result"]["meetings"] = meetings  # type: ignore[index]
    path = folder / "ladder-golf.json"

    def spoil(dice: random.Random) -> None:
        table: Any = stored
        if dice.random() < 0.7:
            table = json.loads(json.dumps(stored))
            table["result"]["meetings"] = spoil_json(dice, meetings)
        text = json.dumps(table if table is not stored else spoil_json(dice, stored))
        path.write_text(spoil_text(dice, text) if dice.random() < 0.1 else text, errors="replace")
        again = Ladder(game, players, 1, resumed(path, facts, points_of_deal(game)))
        again.ratings(), again.leads(), again.next_batch(15.0)

    return spoil


def studies(folder: Path) -> Spoiler:
    """What studies write down of their trainings."""
    points = {"steps": [[4, 8.0, 0.5], [8, 16.0, 1.0]], "marks": [[8, 16.0, 1.0]]}
    stage = Stage("x", folder, {}, 1, (16,))

    def spoil(dice: random.Random) -> None:
        for path, content in ((stage.log, points), (folder / "x-seconds.json", {"steps": 3, "seconds": 0.5})):
            text = json.dumps(spoil_json(dice, content))
            path.write_text(spoil_text(dice, text) if dice.random() < 0.3 else text, errors="replace")
        if dice.random() < 0.5:
            stage.points()
        else:
            Stopwatch(folder / "x").total(5)

    return spoil


def imports(folder: Path) -> Spoiler:
    """Files that people bring to the page."""
    match = (HERE / "matches" / "gnubg.mat").read_bytes().split(b" Game 3")[0]
    found = [(match, "a.mat"), ((HERE / "matches" / "positions.xgid").read_bytes(), "a.txt")]
    for name in ("golf", "gin:length=hand", "hearts:rounds=1"):
        game, played, path = find_game(name), list[Any](), folder / "x.log"
        sparring.match(game, game.builtin[0], game.builtin[0], pairs=1, keep=played.extend)
        path.unlink(missing_ok=True)
        LogWriter(path, game, 1, [f"p{n}" for n in range(played[0].seats)]).keep(played[:1])
        found.append((path.read_bytes(), "a.log"))

    def spoil(dice: random.Random) -> None:
        data, name = dice.choice(found)
        name = _plain(spoil_text(dice, name)[:500] if dice.random() < 0.2 else name)
        text = spoil_text(dice, data.decode()).encode("utf-8", "surrogatepass")
        made = _keep(folder / "imports", "p" * 32, name, spoil_bytes(dice, text) if dice.random() < 0.1 else text)
        (entry, *_) = own_imports(folder / "imports", "p" * 32)
        kept = kept_in(folder / "imports" / f"{'p' * 32}-{entry['imported']}" / entry["file"], 0)
        kept.replay(False), kept.rules_before(dice.randrange(20))
        assert made["games"] >= 1
        shutil.rmtree(folder / "imports")

    return spoil
