"""The results store: created and locked by several processes in SQLite; a real PostgreSQL server with several writers."""

import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from sparring.cli import main
from sparring.errors import UserError
from sparring.lab import store as store_module
from sparring.lab.experiment import build_experiment
from sparring.lab.run import create_run, train
from sparring.lab.store import Store, metrics, results, runs

PLACES = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/bin"), Path("/usr/local/bin")]
NUMBERS = count()
STEPS = np.array([10, 20, 30])
CURVES = {"score": np.arange(6.0).reshape(2, 3), "won": np.full((2, 3), 0.5)}


# Creates the stores whose folders are read from standard input.
CREATING = """
import sys
from pathlib import Path
from sparring.lab.store import Store
print("ready", flush=True)
for line in sys.stdin:
    Store(Path(line.strip()))
    print("created", flush=True)
"""


def test_two_processes_create_the_same_store_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARRING_DB", raising=False)
    command, pipe = [sys.executable, "-c", CREATING], subprocess.PIPE
    processes = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(2)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
    for number in range(30):
        for process in processes:
            process.stdin.write(f"{tmp_path / str(number)}\n")
            process.stdin.flush()
        assert [process.stdout.readline() for process in processes] == ["created\n"] * 2
    for process in processes:
        assert process.communicate()[1] == ""


def test_a_new_store_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARRING_DB", raising=False)
    path = tmp_path / "results.sqlite"
    Store(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    Store(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("write", ["a match", "a run's matches", "a run's state"])
def test_a_locked_sqlite_store_is_tried_again_and_written_once(
    write: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock outlasts the first attempt and is released before the second."""
    monkeypatch.delenv("SPARRING_DB", raising=False)
    monkeypatch.setattr(store_module, "BUSY_SECONDS", 0.01)
    store, other = Store(tmp_path), sqlite3.connect(tmp_path / "results.sqlite", isolation_level=None)
    other.execute("begin exclusive")
    pauses: list[float] = []

    def release(seconds: float) -> None:
        pauses.append(seconds)
        other.execute("rollback")

    monkeypatch.setattr(store_module.time, "sleep", release)
    if write == "a run's state":
        store.record_run("x", "golf", "experiment", 1, False)
    else:
        store.record_results("match", [{"game": "golf"}], "x" if write == "a run's matches" else "")
    other.close()
    assert len(pauses) == 1
    told = rows(store.engine)
    assert len(told["runs"]) + len(told["results"]) == 1


class Server:
    """A PostgreSQL server of our own in a temporary folder."""

    def __init__(self, programs: Path) -> None:
        self.programs, self.folder = programs, Path(tempfile.mkdtemp(prefix="sparring-postgresql-"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.prefix: list[str] = []
        if os.getuid() == 0:  # PostgreSQL does not run as root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.prefix = [shutil.which("runuser") or "/usr/sbin/runuser", "-u", "postgres", "--"]
        self.run("initdb", "--auth=trust", "--username=sparring", "--no-sync")
        self.start()

    def run(self, program: str, *words: str) -> None:
        command = [*self.prefix, str(self.programs / program), "-D", str(self.folder / "data"), *words]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.run("pg_ctl", "-w", "-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-w", "-m", "immediate", "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://sparring@127.0.0.1:{self.port}/{database}"


def programs() -> Path:
    """Where PostgreSQL is; installed from Debian where that is possible, else these tests are skipped."""
    found = [place for place in PLACES if (place / "initdb").exists()]
    if not found and os.getuid() == 0 and shutil.which("apt-get"):
        words = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "postgresql"]
        subprocess.run(["apt-get", "update", "-qq"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = [*Path("/usr/lib/postgresql").glob("*/bin")]
    if not found:
        pytest.skip("no PostgreSQL here, and none could be installed")
    return found[0]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    pytest.importorskip("psycopg")
    server = Server(programs())
    yield server
    server.stop()
    shutil.rmtree(server.folder)


@pytest.fixture
def database(server: Server, monkeypatch: pytest.MonkeyPatch) -> sa.Engine:
    """A database of the test's own, which is the results store."""
    name = f"test_{next(NUMBERS)}"
    with sa.create_engine(server.url(), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool).connect() as connection:
        connection.execute(sa.text(f"create database {name}"))
    monkeypatch.setenv("SPARRING_DB", server.url(name))
    return sa.create_engine(server.url(name), poolclass=sa.NullPool)


def rows(engine: sa.Engine) -> dict[str, list[tuple]]:
    """All that a store says, but for the clock and the numbers of results."""
    told = {
        "runs": [runs.c.name, runs.c.game, runs.c.experiment, runs.c.step, runs.c.finished],
        "metrics": [metrics.c.run, metrics.c.trial, metrics.c.step, metrics.c.name, metrics.c.value],
        "results": [results.c.kind, results.c.game, results.c.run, results.c.result],
    }
    with engine.connect() as connection:
        return {name: sorted(map(tuple, connection.execute(sa.select(*columns)))) for name, columns in told.items()}


def test_a_run_is_recorded_as_in_sqlite(database: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {
        "game": "golf",
        "name": "x",
        "trials": 2,
        "learner": {"epochs": 6, "hidden": 2, "curve_every": 2},
        "evaluation": {"pairs": 3, "selection_pairs": 2},
    }
    train(create_run(build_experiment(table), tmp_path / "shared"))
    assert not (tmp_path / "shared/results.sqlite").exists()
    monkeypatch.delenv("SPARRING_DB")
    train(create_run(build_experiment(table), tmp_path / "own"))
    here = rows(sa.create_engine(f"sqlite:///{tmp_path / 'own/results.sqlite'}", poolclass=sa.NullPool))
    assert rows(database) == here
    assert [len(here[name]) for name in ("runs", "results")] == [1, 2] and len(here["metrics"]) > 20


def test_a_match_is_recorded_and_one_s_own_games_are_read(
    database: sa.Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "golf", "random", "greedier", "--pairs", "2", "--runs", str(tmp_path)]) == 0
    assert main(["record", "--runs", str(tmp_path)]) == 0
    assert [row[:2] for row in rows(database)["results"]] == [("match", "golf")]
    assert "no finished games of yours" in capsys.readouterr().out


def test_several_writers_at_once_lose_nothing_and_write_nothing_twice(database: sa.Engine, tmp_path: Path) -> None:
    """Each makes the tables if there are none, and writes a run of its own, a match, and a run that all of them have."""
    writers, ready = 8, threading.Barrier(8)

    def write(number: int) -> None:
        ready.wait()
        store = Store(tmp_path)
        for step in (0, 10, 20, 30):
            for run in (f"own-{number}", "same"):
                store.record_run(run, "golf", "experiment", step, step == 30)
                store.record_metrics(run, STEPS[step >= STEPS], {n: c[:, : step // 10] for n, c in CURVES.items()})
        store.record_results("match", [{"game": "golf", "writer": number}])
        store.record_results("match", [{"game": "golf"}] * 3, "same")

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, range(writers)))
    told = rows(database)
    assert [row[0] for row in told["runs"]] == [*(f"own-{number}" for number in range(writers)), "same"]
    assert {row[3:] for row in told["runs"]} == {(30, True)}
    assert len(told["metrics"]) == 12 * (writers + 1)
    assert len(told["results"]) == writers + 3
    score = [row[1:3] + row[4:] for row in told["metrics"] if row[0] == "same" and row[3] == "score"]
    assert sorted(score) == [
        (trial, step, CURVES["score"][trial, i]) for trial in range(2) for i, step in enumerate(STEPS)
    ]


def test_a_server_that_is_away_for_a_while_costs_time_and_nothing_else(
    server: Server, database: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PAUSES", (0.5,) * 600)
    store = Store(tmp_path)
    store.record_run("x", "golf", "experiment", 0, False)
    server.stop()
    back = threading.Timer(1.0, server.start)
    back.start()
    try:
        store.record_metrics("x", STEPS, CURVES)
    finally:
        back.join()
    server.stop()
    server.start()
    store.record_results("match", [{"game": "golf"}])  # whose line was cut
    told = rows(database)
    assert len(told["metrics"]) == 12 and len(told["results"]) == 1


def test_a_server_that_is_not_there_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setenv("SPARRING_DB", "postgresql+psycopg://me:secret@127.0.0.1:9/x")
    assert main(["match", "golf", "random", "greedier", "--runs", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("sparring: results store postgresql+psycopg://me:***@127.0.0.1:9/x: ")
    assert "check that it runs and is writable, or set SPARRING_DB" in told
    assert told.count("\n") == 1 and "secret" not in told


def test_a_missing_driver_is_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setenv("SPARRING_DB", "postgresql+psycopg://host/x")
    with pytest.raises(UserError, match=r"^SPARRING_DB: the driver psycopg is not installed; .*'sparring\[cluster\]'"):
        Store(tmp_path)
