"""What files, names, options and stored rows of others cannot do: wait, fill memory, show other files, reach the terminal, fail."""

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sparring
from small_nets import BACKGAMMON, small_nets
from sparring.cli import main, show
from sparring.errors import MOST_LINE, OneLine, UserError, plain
from sparring.games import find_game
from sparring.kernel import compiler
from sparring.lab.log import LogWriter, read_log
from sparring.lab.person_record import finished, own_records
from sparring.lab.run import create_run, open_run
from sparring.lab.store import Store
from sparring.nets.files import load_net, replace_file, save_net
from sparring.reading import read_bytes, read_text
from sparring.web.library import rate_players
from sparring.web.naming import inside
from sparring.web.refusals import Refusal
from sparring.web.server import listen
from sparring.web.training import curves_json
from test_runs import experiment
from web_server import application

ESCAPE = "\x1b[2J"
HEADER = {"game": "golf", "rules": find_game("golf").rules.version, "seed": 1, "players": ["a", "b"]}


@pytest.fixture
def impatient():
    """Ends the test where reading waits for ever."""
    previous = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it waits"))
    signal.alarm(600)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


def one_line(capsys: pytest.CaptureFixture[str], *words: object, status: int = 2) -> str:
    """The one line of an error, without control characters and not too long."""
    assert main([str(word) for word in words]) == status
    (line,) = capsys.readouterr().err.splitlines()
    assert line.isprintable() and len(line) <= MOST_LINE + 20
    return line


# Files that are none, or have no end.


def odd_files(folder: Path, name: str) -> list[Path]:
    """A pipe that nobody writes to, a device without end, a folder, and a file that is too large but takes no place."""
    found = [folder / f"{kind}-{name}" for kind in ("pipe", "zero", "folder", "large")]
    os.mkfifo(found[0])
    found[1].symlink_to("/dev/zero")
    found[2].mkdir()
    with found[3].open("wb") as file:
        file.truncate(1 << 42)
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x.toml", ["train", "{}"]),
        ("x.log", ["replay", "{}"]),
        ("x.log", ["draw", "{}"]),
        ("x.safetensors", ["match", "golf", "random", "{}", "--runs", "runs"]),
        ("x.safetensors", ["draw", "{}"]),
        ("x.map", ["watch", "conquest:map={}", "idle", "idle"]),
        ("x.ini", ["train", "golf", "--learner", "neat", "--config", "{}"]),
        ("x.log", ["train", "hearts", "--learner", "curriculum", "--records", "{}"]),
        ("x.safetensors", ["train", "hearts", "--learner", "curriculum", "--before", "{}"]),
    ],
)
def test_what_is_not_a_regular_file_of_some_size_is_refused_at_once(
    name, words, tmp_path, capsys, monkeypatch, impatient
):
    monkeypatch.chdir(tmp_path)
    for path in odd_files(tmp_path, name):
        line = one_line(capsys, *(word.format(path.name) for word in words))
        assert path.name in line


def test_files_of_a_run_that_are_pipes_are_refused_at_once(tmp_path, capsys, impatient):
    run = create_run(experiment(), tmp_path)
    os.mkfifo(run.checkpoint)
    assert "not a regular file" in one_line(capsys, "resume", run.folder)
    os.mkfifo(run.folder / "evaluation.json")
    assert not open_run(run.folder).finished
    (run.folder / "experiment.toml").unlink()
    os.mkfifo(run.folder / "experiment.toml")
    assert "not a regular file" in one_line(capsys, "report", run.folder)


def test_a_file_is_read_up_to_its_limit_and_other_line_ends_are_read(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"a\r\nb\rc\n")
    assert read_text(path, "a text") == "a\nb\nc\n" and read_bytes(path, 7) == path.read_bytes()
    with pytest.raises(UserError, match="larger than 0 KiB"):
        read_bytes(path, 6)
    path.write_bytes(b"\xff")
    with pytest.raises(UserError, match="x: not a text: not UTF-8 text"):
        read_text(path, "a text")
    for name in ("none", "nul\0nul", "x/y", "\ud800"):
        with pytest.raises(UserError, match="no such file"):
            read_bytes(tmp_path / name)
        with pytest.raises(UserError, match="no such file"):
            load_net(tmp_path / f"{name}.safetensors")


def test_a_map_shows_nothing_of_other_files(tmp_path):
    (tmp_path / "secret").write_text("root:x:0:0\n")
    with pytest.raises(UserError, match=r"nor a file that ends in \.map") as caught:
        find_game(f"conquest:map={tmp_path / 'secret'}")
    assert "root:x" not in str(caught.value)


def test_a_folder_or_a_pipe_is_no_report_of_the_page(tmp_path):
    (tmp_path / "folder.html").mkdir()
    os.mkfifo(tmp_path / "pipe.html")
    for name in ("folder.html", "pipe.html"):
        with pytest.raises(Refusal):
            inside(tmp_path, name, "report", ".html")


def test_options_on_the_page_do_not_tell_which_files_exist(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said: list[set[str]] = [set(), set(), set()]
    (tmp_path / "there.map").write_text("b1 r1\n")
    (tmp_path / "there").write_text("x")
    with application(tmp_path / "runs") as client:
        for name in ("there", "none"):
            for place in (name, str(tmp_path / name), f"./{name}", f"{name}.map", str(tmp_path / f"{name}.map")):
                for number, (path, body) in enumerate([
                    ("/api/runs", {"game": "golf", "name": "x", "options": {"benchmark": place}}),
                    ("/api/runs", {"game": "golf", "name": "x", "learner": "neat", "options": {"config": place}}),
                    ("/api/tables", {"game": "conquest", "rules": f"map={place}"}),
                ]):  # fmt: skip
                    answer = client.post(path, json=body)
                    assert answer.status_code == 422
                    said[number].add(answer.json()["error"].replace("there", "NAME").replace("none", "NAME"))
    assert [len(lines) for lines in said] == [5, 1, 5]


# What reaches the terminal.


def test_control_characters_do_not_reach_the_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    odd = Path(f"{ESCAPE}.safetensors")
    assert r"\x1b[2J" in one_line(capsys, "replay", f"{ESCAPE}.log")
    save_net(odd, small_nets()["sigmoid"][1])
    sparring.watch(BACKGAMMON.name, str(odd), "random", seed=1)
    assert main(["match", BACKGAMMON.name, str(odd), "random", "--pairs", "1"]) == 0
    show.table(ESCAPE, [ESCAPE], [[ESCAPE]], ESCAPE)
    shown = capsys.readouterr()
    assert r"\x1b[2J" in shown.out and "\x1b" not in shown.out + shown.err
    assert plain("♣ a\nb\t\x9b") == "♣ a\nb\\t\\x9b"


@pytest.mark.parametrize("names", [[ESCAPE, "b"], ["a", "\u202e"]])
def test_a_log_with_unprintable_names_or_text_is_refused(tmp_path, names):
    path = tmp_path / "x.log"
    path.write_text("# sparring log " + json.dumps(HEADER | {"players": names}) + "\n\nx\n")
    with pytest.raises(UserError, match="must be a list of printable names"):
        read_log(path)
    path.write_text(f"round 1{ESCAPE}\n")
    with pytest.raises(UserError, match="control characters"):
        read_log(path)


LONG = "x" * 200_000


@pytest.mark.parametrize(
    "words",
    [
        ["match", LONG, "random", "random"],
        ["match", f"golf:{LONG}", "random", "random"],
        ["match", f"backgammon:start={LONG}", "random", "random"],
        ["match", "golf", LONG, "random"],
        ["match", "golf", "random", "random", "--pairs", LONG],
        ["match", "golf", "random", "random", f"--{LONG}", "1"],
        ["train", "golf", f"--{LONG}", "1"],
        ["train", "golf", "--hidden", LONG],
        ["train", "golf", "--name", LONG],
        ["train", "golf", "--learner", LONG],
        ["replay", LONG],
        ["reproduce", LONG],
        [LONG],
    ],
    ids=lambda words: " ".join(word[:12] for word in words),
)
def test_an_error_is_one_line_of_a_thousand_characters_at_most(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one_line(capsys, *words)


def test_a_long_message_keeps_its_beginning_and_its_end():
    line = str(OneLine(f"begin {LONG} end"))
    assert len(line) <= MOST_LINE and line.startswith("begin x") and line.endswith("x end") and " ... " in line
    assert str(UserError("a\nb\x07")) == "a b\\x07"


# Options out of range.


def test_a_host_name_that_is_too_long_is_refused():
    for host in ("x" * 300, "x" * 70 + ".com", "nul\0nul", "a..b"):
        with pytest.raises(UserError, match="cannot listen there"):
            listen(host, 0)


@pytest.mark.parametrize("threads", [-1, 10**9, 1.5, True, "2"])
def test_threads_out_of_range_are_refused(threads, tmp_path, monkeypatch):
    monkeypatch.setenv("SPARRING_THREADS", "9" * 5000)
    for call in (
        lambda: sparring.match("golf", "random", "random", pairs=1, threads=threads),
        lambda: sparring.tournament("golf", "random", "greedier", pairs=1, threads=threads),
        lambda: sparring.train("golf", runs=tmp_path / "runs", epochs=1, threads=threads),
        lambda: sparring.reproduce("golf", runs=tmp_path / "runs", threads=threads),
    ):
        with pytest.raises(UserError, match="threads = .*: must be from 0 to 1024"):
            call()


# The results store.


def own_game() -> dict:
    """A finished game of a person, as the store keeps it."""
    game, played = find_game("golf"), []
    sparring.match(game, "random", "random", pairs=1, keep=played.extend)
    tally = game.view.game_tally(game.view.game_text(played[0]), "x")[0]
    return finished(game, played[0], tally, ["you", "random"], 0, ["random"])


def insert(folder: Path, kind: str, *results: object) -> None:
    with sqlite3.connect(folder / "results.sqlite") as base:
        for result in results:
            text = json.dumps(result) if isinstance(result, (dict, list)) else result
            base.execute("insert into results (kind, game, run, result) values (?, 'golf', '', ?)", (kind, text))


def test_foreign_rows_in_the_store_are_ignored(tmp_path, capsys):
    game, store, own = find_game("golf"), Store(tmp_path), own_game()
    match = sparring.match(game, "greedier", "random", pairs=2).json()
    both = sparring.tournament(game, "greedier", "random", pairs=2).json()
    insert(tmp_path, "play", own)
    insert(tmp_path, "match", match)
    insert(tmp_path, "tournament", both)
    known, rated = own_records(store), rate_players(store, game)
    for kind, result in (("play", own), ("match", match), ("tournament", both)):
        insert(tmp_path, kind, "", "{", "3", 7, None, b"\xff", [], {}, {"game": 3}, {"game": "golf"}, "[" * 100_000)
        keys = ("players", "rules", "scores", "seat", "against", "tally", "pairs", "games", "draws", "table")
        for key in (key for key in keys if key in result):
            insert(tmp_path, kind, *(result | {key: odd} for odd in (None, "x", 0.5, [[]], {"x": "y"}, [1, 2, 3])))
        for key in (key for key in ("players", "rules", "scores", "pairs", "games", "table") if key in result):
            insert(tmp_path, kind, {name: value for name, value in result.items() if name != key})
    assert [one.games for one in own_records(store)] == [one.games for one in known] == [1]
    assert rate_players(store, game)["players"] == rated["players"]
    assert main(["record", "--runs", str(tmp_path)]) == 0
    assert "your games" in capsys.readouterr().out


def test_foreign_metrics_are_ignored(tmp_path):
    store = Store(tmp_path)
    store.record_metrics("x", np.array([1, 2]), {"a": np.ones((2, 2))})
    before = curves_json(store, "x", 2)
    with sqlite3.connect(tmp_path / "results.sqlite") as base:
        rows = [(10**12, 1, "a", 1.0), (-1, 1, "a", 1.0), ("x", 1, "a", 1.0), (0, "x", "a", 1.0), (5, 1, "a", "x")]
        rows += [(5, 2, b"\xff", 1.0), (6, 1, "a", None)]
        base.executemany("insert into metrics (run, trial, step, name, value) values ('x', ?, ?, ?, ?)", rows)
    assert curves_json(store, "x", 2) == before


def test_a_record_is_read_from_a_store_that_cannot_be_written(tmp_path, capsys, monkeypatch):
    Store(tmp_path)
    insert(tmp_path, "play", own_game())
    path = tmp_path / "results.sqlite"
    before = path.read_bytes()
    monkeypatch.setenv("SPARRING_DB", f"sqlite:///file:{path}?mode=ro&uri=true")
    with pytest.raises(UserError, match="readonly"):
        Store(tmp_path)
    assert [one.games for one in sparring.record(runs=tmp_path)] == [1]
    assert main(["record", "--runs", str(tmp_path)]) == 0 and path.read_bytes() == before


def test_a_record_of_a_folder_without_a_store_creates_none(tmp_path, capsys):
    assert main(["record", "--runs", str(tmp_path / "none")]) == 0
    assert "no finished games of yours" in capsys.readouterr().out and not (tmp_path / "none").exists()


# The disk, and the cache of compiled code.


def test_a_rename_is_followed_by_a_sync_of_its_folder(tmp_path, monkeypatch):
    calls, sync, rename = [], os.fsync, Path.replace
    kinds = {True: "folder", False: "file"}
    monkeypatch.setattr(os, "fsync", lambda n: (calls.append(kinds[stat.S_ISDIR(os.fstat(n).st_mode)]), sync(n)))
    monkeypatch.setattr(Path, "replace", lambda old, new: (calls.append("rename"), rename(old, new)))
    replace_file(tmp_path / "x", b"x")
    assert calls == ["file", "rename", "folder"]


@pytest.mark.parametrize("which", ["base", "inner"])
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_cache_of_compiled_code_that_others_can_write_to_is_refused(which, mode, tmp_path, monkeypatch):
    base = tmp_path / "cache"
    monkeypatch.setenv("SPARRING_CACHE", str(base))
    folder = compiler.cache_folder()
    assert folder.parent == base and stat.S_IMODE(base.stat().st_mode) == stat.S_IMODE(folder.stat().st_mode) == 0o700
    spoilt = base if which == "base" else folder
    spoilt.chmod(mode)
    with pytest.raises(UserError, match=f"others can write to this folder of compiled code.*: chmod go-w {spoilt}"):
        compiler.cache_folder()
    spoilt.chmod(0o755)
    assert compiler.cache_folder() == folder


def test_a_cache_of_somebody_else_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(UserError, match="set SPARRING_CACHE to a folder of your own"):
        compiler.cache_folder()


def test_a_refused_cache_is_one_line_of_the_command(tmp_path):
    tmp_path.chmod(0o777)
    done = subprocess.run(
        [sys.executable, "-m", "sparring", "match", "golf", "random", "random"],
        env=os.environ | {"SPARRING_CACHE": str(tmp_path)}, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "chmod go-w" in done.stderr


def test_logs_of_players_with_any_name_are_written_and_read(tmp_path):
    played: list = []
    sparring.match(BACKGAMMON, "random", "random", pairs=1, keep=played.extend)
    for suffix in (".log", *BACKGAMMON.view.formats):
        path = tmp_path / f"x{suffix}"
        LogWriter(path, BACKGAMMON, 1, ["é", "b ♣"]).keep(played)
        assert len(read_log(path, BACKGAMMON).games) == 2
