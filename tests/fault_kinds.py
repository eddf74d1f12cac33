"""The kinds of input that `fault_inputs.py` spoils. Each gets a folder and, for every input, dice; it raises what is refused."""

import json
import logging
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

import sparring
from fault_results import imports, ladders, settings, studies, sweeps
from mutations import ODD, spoil_bytes, spoil_json, spoil_text
from sparring.arena.players import find_player
from sparring.games import find_game, known_games
from sparring.games.game import Game
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.lab.log import LogWriter, read_log
from sparring.lab.person_record import finished, own_records
from sparring.lab.run import create_run, digest, open_run, train
from sparring.lab.store import Store
from sparring.nets.files import read_tensors, write_tensors

HERE = Path(__file__).parent
OPEN = ExitStack()  # servers, which may be closed
Spoiler = Callable[[random.Random], Any]
GAMES = ("golf", "backgammon:start=hypergammon", "conquest:map=easy,rounds=4", "gin:length=hand", "hearts:rounds=1")
TINY = {"hidden": 2, "epochs": 4, "curve_every": 2, "benchmark_pairs": 1}
IDS = [
    "4HPwATDgc/ABMA",
    "sGfwATDgc/ABMA",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
    "beginner-5",
    "hypergammon",
]


def first_rows(game: str, folder: Path) -> dict[str, list[Any]]:
    """A match, a tournament and a person's game as the store keeps them."""
    played: list[Any] = []
    result = sparring.match(game, "random", "random", pairs=1, keep=played.extend)
    the_game = find_game(game)
    tally = the_game.view.game_tally(the_game.view.game_text(played[0]), "x")
    names = ["you", *["random"] * (played[0].seats - 1)]
    own = finished(the_game, played[0], tally[0], names, 0, names[1:])
    both = sparring.tournament(game, the_game.builtin[0], the_game.builtin[1], pairs=1)
    return {"match": [result.json()], "tournament": [both.json()], "play": [own]}


def experiments(folder: Path) -> Spoiler:
    files = [*HERE.parent.glob("experiments/*.toml"), *(HERE / "compatibility" / "experiments").glob("*.toml")]
    texts, path = [file.read_text() for file in sorted(files)], folder / "x.toml"

    def spoil(dice: random.Random) -> None:
        text = spoil_text(dice, dice.choice(texts))
        data = text.encode("utf-8", "surrogatepass")
        path.write_bytes(spoil_bytes(dice, data) if dice.random() < 0.1 else data)
        read_experiment(path).toml()

    return spoil


def configs(folder: Path) -> Spoiler:
    from sparring.learn.neat.config import NeatOptions, config_text, read_config

    texts = [config_text(NeatOptions(), 6, 1)] + [
        p.read_text() for p in HERE.glob("bad/neat/[d-z]*.ini") if p.stem != "latin-1"
    ]
    path = folder / "x.ini"

    def spoil(dice: random.Random) -> None:
        path.write_bytes(spoil_text(dice, texts[0 if dice.random() < 0.7 else dice.randrange(len(texts))]).encode())
        read_config(path)

    return spoil


def games_played(game: Game) -> list[Any]:
    played: list[Any] = []
    sparring.match(game, game.builtin[0], game.builtin[0], pairs=1, keep=played.extend)
    return played


def logs(folder: Path) -> Spoiler:
    found: list[tuple[str, str]] = []
    for game in map(find_game, GAMES):
        played = games_played(game)
        for suffix in (".log", *game.view.formats):
            path = folder / f"{game.family}{suffix}"
            seats = played[0].seats
            LogWriter(path, game, 1, [f"p{n}" for n in range(seats)]).keep(played)
            found.append((path.read_text(), suffix))

    def spoil(dice: random.Random) -> None:
        text, suffix = dice.choice(found)
        text = text.partition("\n")[2] if dice.random() < 0.3 else text  # the notation alone
        path = folder / f"spoilt{suffix}"
        data = spoil_text(dice, text).encode("utf-8", "surrogatepass")
        path.write_bytes(spoil_bytes(dice, data) if dice.random() < 0.1 else data)
        log = read_log(path)
        played = log.played(0)
        names = log.names(0)
        for _ in log.game.view.replay(log.games[0], log.place(0), names, played):
            pass
        log.game.view.frames(log.games[0], log.place(0), names, played)
        log.tallies()

    return spoil


class Constant:
    """A network that finds all positions alike: fast, for files rather than judgements."""

    kind, encoding, inputs, outputs = "constant", "tesauro", 198, 5

    def values(self, inputs: np.ndarray) -> np.ndarray:
        return np.tile([0.5, 0.1, 0.01, 0.1, 0.01], (len(inputs), 1))


def matches(folder: Path) -> Spoiler:
    """Files of other programs: .mat and .sgf of GNU Backgammon, texts of games and of XGIDs; read, some of them judged."""
    from sparring.games.analysis import AnalysisOptions

    analyst = find_game("backgammon").presentation.analyst
    assert analyst is not None
    mat, sgf, xgids = ((HERE / "matches" / name).read_text() for name in ("gnubg.mat", "gnubg.sgf", "positions.xgid"))
    found = [(mat, "a.mat"), (sgf, "a.sgf"), (mat, "a.txt"), (xgids, "a.txt"), (xgids, "a.xgid")]
    short = [(part(text, 2), name) for text, name in found if text != xgids]
    how = AnalysisOptions(Constant(), "constant", "0")  # type: ignore[arg-type]

    def spoil(dice: random.Random) -> None:
        text, name = dice.choice([*found, *short])
        games = list(analyst.read(spoil_text(dice, text), name))
        if dice.random() < 0.05:
            analyst.analyse(games[:1], how)

    return spoil


def part(text: str, games: int) -> str:
    """The first games of a file."""
    pieces = text.split("(;") if text.startswith("(;") else text.split(" Game ")
    return ("(;" if text.startswith("(;") else " Game ").join(pieces[: games + 1])


def maps(folder: Path) -> Spoiler:
    from sparring.games.conquest.maps import FOLDER

    texts, path = [file.read_text() for file in sorted(FOLDER.glob("*.map"))], folder / "x.map"

    def spoil(dice: random.Random) -> None:
        data = spoil_text(dice, dice.choice(texts)).encode("utf-8", "surrogatepass")
        path.write_bytes(spoil_bytes(dice, data) if dice.random() < 0.1 else data)
        game = find_game(f"conquest:map={path},goal={dice.choice(['all', 'eliminate'])},rounds=2")
        state = sparring.state(game)
        while not state.over:
            state = state.play(dice.choice(sorted(state.moves())))

    return spoil


def positions(folder: Path) -> Spoiler:
    def play(start: str, dice: random.Random) -> None:
        state = sparring.state(find_game(f"backgammon:start={start}"))
        state.text, state.json(), state.svg()
        state.play(dice.choice(sorted(state.moves())))

    play(IDS[-1], random.Random(1))  # compiles
    return lambda dice: play(spoil_text(dice, dice.choice(IDS)), dice)


def moves(folder: Path) -> Spoiler:
    begun = [sparring.state(name, seed=seed) for name in GAMES for seed in range(1, 4)]

    def spoil(dice: random.Random) -> None:
        state = dice.choice(begun)
        for _ in range(dice.randrange(20)):
            if not state.over:
                state = state.play(dice.choice(sorted(state.moves())))
        legal = state.moves()
        if dice.random() < 0.2:
            state.play(dice.choice(ODD))
        else:
            state.play(spoil_text(dice, dice.choice([*legal.values(), "13/7 8/7"])))

    return spoil


def names(folder: Path) -> Spoiler:
    games = [*GAMES, "gin:rules=full,target=1", "hearts:rounds=2,jack=on,passing=off", *known_games()]
    players = ["random", "greedier", "champion", "random+1ply", "uct@10", "net", "x.safetensors", "runs/x", "gnubg",
               "champion+search@8/2", "random+flat@9:random", "greedier+ismcts@.5s"]  # fmt: skip

    def spoil(dice: random.Random) -> None:
        name = dice.choice(games)
        if dice.random() < 0.5:
            find_game(spoil_text(dice, name)).template.copy()
        else:
            find_player(find_game(name), spoil_text(dice, dice.choice(players)))

    return spoil


def nets(folder: Path) -> Spoiler:
    from net_fuzzer import play, spoilt_file
    from small_nets import small_files

    found = {
        name: (game, *read_tensors(file)) for name, (game, file) in small_files(folder).items() if name != "deep hand"
    }
    path = folder / "spoilt.safetensors"
    for game, file in small_files(folder).values():
        play(game, file)  # compiles
    game, tensors, description = found["deep"]
    write_tensors(path, tensors, description | {"policy": "net+1ply"})
    play(game, path)  # computes the tables of endings, which take seconds without optimising

    def spoil(dice: random.Random) -> str:
        game, tensors, description = found[dice.choice(sorted(found))]
        path.write_bytes(spoilt_file(dice, tensors, description))
        return play(game, path)

    return spoil


def checkpoints(folder: Path) -> Spoiler:
    from test_crafted_checkpoints import HALF, TINY, experiment, halfway, mutated

    runs = {}
    for number, name in enumerate(TINY):
        runs[name] = create_run(experiment(name), folder / str(number))
        halfway(name)

    def spoil(dice: random.Random) -> str:
        name = dice.choice(sorted(runs))
        run, arrays = runs[name], mutated(halfway(name), np.random.default_rng(dice.randrange(2**60)))
        described: Any = {"step": HALF, "experiment": run.experiment.training_toml(), "digest": digest(arrays, HALF)}
        if dice.random() < 0.3:
            described = spoil_json(dice, described | {"rules": run.game.rules.version, "program": "x"})
        write_tensors(run.checkpoint, arrays, described)
        if dice.random() < 0.1:
            run.checkpoint.write_bytes(spoil_bytes(dice, run.checkpoint.read_bytes()))
        training = run.training(1)
        while training.step < training.steps and not training.diverged():
            training.advance()
        training.champions(), training.curves(), training.headline()
        return "trained"

    return spoil


def tiny_run(folder: Path) -> Any:
    table = {
        "game": "golf",
        "name": "x",
        "trials": 2,
        "learner": TINY,
        "evaluation": {"pairs": 1, "selection_pairs": 1},
    }
    run = create_run(build_experiment(table), folder)
    train(run)
    return run


def runs(folder: Path) -> Spoiler:
    from sparring.web.runners import Runners
    from sparring.web.training import _run_json, _runs_json

    kept, place = tiny_run(folder / "kept").folder, folder / "runs" / "x"
    store, runners = Store(folder / "runs"), Runners(folder / "runs")

    def spoil(dice: random.Random) -> None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(kept, place)
        path = dice.choice(sorted(file for file in place.rglob("*") if file.is_file()))
        data = path.read_bytes()
        if path.suffix == ".json" and dice.random() < 0.7:
            evaluation = json.loads(data)
            evaluation.pop("checksum")
            path.write_text(json.dumps(spoil_json(dice, evaluation)))
        elif path.suffix in (".json", ".toml"):
            path.write_bytes(spoil_text(dice, data.decode()).encode())
        else:
            path.write_bytes(spoil_bytes(dice, data))
        _runs_json(folder / "runs", store, runners)
        run = open_run(place)
        if run.finished:
            run.evaluation()
        _run_json(folder / "runs", "x", store, runners)
        find_player(run.game, place)
        run.champions(), run.curves()

    return spoil


def rows(folder: Path) -> Spoiler:
    from sparring.web.library import _record as page_record
    from sparring.web.library import rate_players
    from sparring.web.training import curves_json

    store = Store(folder)
    found = {game: first_rows(game, folder) for game in GAMES[:2]}

    def spoil(dice: random.Random) -> None:
        game = dice.choice(sorted(found))
        with sqlite3.connect(folder / "results.sqlite") as base:
            base.execute("delete from results")
            base.execute("delete from metrics")
            for kind, results in found[game].items():
                for result in [*results, spoil_json(dice, results[0]), spoil_json(dice, results[0])]:
                    text: Any = json.dumps(result)
                    text = spoil_text(dice, text).encode("utf-8", "replace").decode() if dice.random() < 0.1 else text
                    row = (kind, game, "", "now", dice.choice([1, b"\xff", None]) if dice.random() < 0.05 else text)
                    base.execute("insert into results (kind, game, run, played, result) values (?, ?, ?, ?, ?)", row)
            for step in range(3):
                odd: list[Any] = [0, 1, -1, 10**12, "x", 0.5, None, b"\xff", float("inf")]
                row = (
                    "x",
                    dice.choice(odd),
                    dice.choice([step, *odd]),
                    dice.choice(["a", "", "\x1b"]),
                    dice.choice(odd),
                )
                base.execute(
                    "insert or ignore into metrics (run, trial, step, name, value) values (?, ?, ?, ?, ?)", row
                )
        own_records(store), page_record(store)
        rate_players(store, find_game(game.partition(":")[0]))
        curves_json(store, "x", 2)

    return spoil


def unrecorded(folder: Path) -> Spoiler:
    """What a failing store did not take."""
    results = first_rows("golf", folder)["match"]
    row = {"kind": "match", "game": "golf", "run": "", "played": "now", "result": json.dumps(results[0])}
    run = {"name": "x", "game": "golf", "experiment": "x", "step": 1, "finished": True}
    files = [
        {"write": "results", "given": {"kind": "match", "rows": [row], "run": "", "again": True}},
        {"write": "run", "given": run},
        {"write": "metrics", "given": {"run": "x", "steps": [1, 2], "curves": {"a": [[0.5, 1.0]]}}},
    ]

    def spoil(dice: random.Random) -> None:
        shutil.rmtree(folder / "runs", ignore_errors=True)
        place = folder / "runs" / "unrecorded"
        place.mkdir(parents=True)
        text = json.dumps(spoil_json(dice, dice.choice(files)))
        (place / "x.json").write_text(spoil_text(dice, text) if dice.random() < 0.1 else text, errors="replace")
        own_records(Store(folder / "runs"))

    return spoil


class Errors(logging.Handler):
    """Keeps what the server logs as an error of its own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def answered(answer: Any, errors: Errors) -> str:
    """Check an answer of the server."""
    assert answer.status_code < 500, f"{answer.status_code}: {answer.text[:200]}"
    assert not errors.lines, errors.lines.pop()
    if answer.status_code >= 400:
        line = answer.json()["error"]
        assert line.isprintable() and len(line) <= 500, line
    return "refused" if answer.status_code >= 400 else "accepted"


def page(folder: Path) -> tuple[Any, Errors, dict[str, Any]]:
    """The server in this process, asked by somebody at a table; trainings are not really started."""
    from fastapi.testclient import TestClient

    from sparring.web.runners import Runners
    from sparring.web.server import create_app
    from web_server import PLACE, move, sit

    Runners.start = lambda self, name: None  # type: ignore[method-assign]
    errors, log = Errors(), logging.getLogger("sparring.web")
    log.addHandler(errors)
    log.propagate = False
    OPEN.callback(setattr, log, "propagate", True)
    OPEN.callback(log.removeHandler, errors)
    client = OPEN.enter_context(TestClient(create_app(folder, warm=False), base_url=f"http://{PLACE}"))
    return client, errors, move(client, sit(client, seed=1)).json()


def requests(folder: Path) -> Spoiler:
    run = tiny_run(folder)
    played = games_played(find_game("golf"))
    LogWriter(folder / "x.log", find_game("golf"), 1, ["random", "random"]).keep(played)
    client, errors, table = page(folder)
    at = f"/api/tables/{table['id']}"
    gets = [
        "/api/games", "/api/players?game=golf", "/api/ratings?game=golf", "/api/record", "/api/reports", "/reports/x.html",
        "/api/tables", at, f"{at}/hint", f"{at}/partial?touched=1", f"{at}/thinking?player=random&number=1", "/api/logs",
        "/api/logs/x.log?game=0", "/api/logs/x.log/mistakes?game=0&evaluator=greedier", "/api/logs/x.log/thinking?number=3",
        "/api/learners?game=golf", "/api/runs", f"/api/runs/{run.folder.name}", "/", "/static/app.js",
    ]  # fmt: skip
    posts = [
        ("/api/tables", {"game": "golf", "rules": "", "opponents": ["random"], "seat": 0, "seed": 3, "people": 1}),
        ("/api/tables", {"game": "backgammon", "rules": "start=hypergammon,scoring=wins", "opponents": ["random"]}),
        ("/api/watch", {"game": "golf", "players": ["random", "greedier"], "seed": 3, "pace": 0}),
        (f"{at}/move", {"move": 0, "number": table["number"]}), (f"{at}/undo", {}), (f"{at}/join", {}), (f"{at}/pace", {"pace": 1}),
        (f"{at}/again", {"exchange": True}), ("/api/runs/x/stop", {}), ("/api/runs/x/resume", {}),
        ("/api/runs", {"game": "golf", "name": "y", "trials": 1, "seed": 1, "options": {"epochs": 3, "benchmark": "random"}}),
        ("/api/runs", {"game": "golf", "learner": "neat", "name": "z", "options": {"generations": "2", "opponents": "self"}}),
    ]  # fmt: skip

    for path in (
        *gets,
        "/api/logs/x.log/mistakes?game=0",
        "/api/logs/x.log/thinking",
        f"{at}/thinking",
        f"{at}/hint?player=champion",
    ):
        client.get(path)  # compiles what they need, also where a parameter is lost

    def spoil(dice: random.Random) -> str:
        headers = {}
        if dice.random() < 0.1:
            words = spoil_text(
                dice, dice.choice(["127.0.0.1:8421", "sparring=x", "gzip", "http://127.0.0.1:8421", "12"])
            )
            plain = "".join(sign for sign in words if " " <= sign <= "~")
            headers = {
                dice.choice(["host", "cookie", "origin", "authorization", "content-length", "sec-fetch-site"]): plain
            }
        if dice.random() < 0.4:
            path = spoil_text(dice, dice.choice(gets)).replace("#", "")
            return answered(client.get(f"/{_sendable(path)}", headers=headers), errors)
        path, body = dice.choice(posts)
        if dice.random() < 0.1:
            path = f"/{_sendable(spoil_text(dice, path))}"
        text = json.dumps(spoil_json(dice, body))
        text = spoil_text(dice, text) if dice.random() < 0.2 else text
        content = text.encode("utf-8", "surrogatepass")
        return answered(
            client.post(path, content=content, headers={"content-type": "application/json"} | headers), errors
        )

    return spoil


def _sendable(path: str) -> str:
    """A path that an HTTP library sends."""
    from urllib.parse import quote

    return quote(path.lstrip("/")[:3000].encode("utf-8", "replace"), safe="/?&=%.:+")


def tables(folder: Path) -> Spoiler:
    """Files of tables."""
    from web_server import move, my_turn, sit

    client, errors, golf = page(folder)
    registry = client.app.state.registry
    hearts = move(client, my_turn(client, sit(client, "hearts", ["random", "champion", "random"], seed=1))).json()
    files = [folder / "tables" / f"{table['id']}.json" for table in (golf, hearts)]
    contents = [json.loads(file.read_text()) for file in files]

    def spoil(dice: random.Random) -> str:
        id = f"{dice.randrange(10**23):024d}"
        text = json.dumps(spoil_json(dice, dice.choice(contents)))
        text = spoil_text(dice, text) if dice.random() < 0.1 else text
        (folder / "tables" / f"{id}.json").write_text(text, errors="replace")
        registry.away[id] = None
        try:
            found = answered(client.get(f"/api/tables/{id}"), errors)
            answered(client.get("/api/tables"), errors)
            answered(client.post(f"/api/tables/{id}/move", json={"move": 0, "number": 0}), errors)
        finally:
            registry._forget(id)
            errors.lines.clear()
        return found

    return spoil


KINDS: dict[str, Callable[[Path], Spoiler]] = {
    function.__name__: function
    for function in (
        experiments, configs, logs, matches, maps, positions, moves, names, nets, checkpoints, runs, rows, unrecorded,
        sweeps, settings, ladders, studies, imports, tables, requests,
    )
}  # fmt: skip
COSTLY = (  # kinds that take long
    "logs", "matches", "moves", "nets", "checkpoints", "runs", "rows", "unrecorded", "tables", "settings", "imports",
)  # fmt: skip
