"""The results store: runs, their metrics, matches and tournaments, in SQLite or any database that SQLAlchemy supports.

`SPARRING_DB` is the database's SQLAlchemy URL; the default is results.sqlite in the folder of runs. Several machines may
write to one database at once, even for the same run, because they then write the same rows.

A store that fails while it is open stops nothing: what it does not take is kept in files, and written at the next start.
"""

import json
import os
import secrets
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from sparring.errors import Failure, UserError, remark, unwritable
from sparring.lab.experiment import PENDING, STORE
from sparring.lab.locks import locked
from sparring.nets.files import replace_file
from sparring.reading import read_bytes

PAUSES = (0.5, 2.0, 5.0, 10.0)  # seconds before each further attempt to write
BUSY_SECONDS = 20.0  # how long one attempt waits for a locked SQLite database
MOST_PENDING = 1 << 30  # bytes of a file that waits for the store
REST_SECONDS = 60.0  # how long a store that failed is left alone

metadata = sa.MetaData()
runs = sa.Table(
    "runs",
    metadata,
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("game", sa.Text),
    sa.Column("experiment", sa.Text),
    sa.Column("started", sa.String(40)),
    sa.Column("step", sa.Integer),
    sa.Column("finished", sa.Boolean),
)
metrics = sa.Table(
    "metrics",
    metadata,
    sa.Column("run", sa.String(200), primary_key=True),
    sa.Column("trial", sa.Integer, primary_key=True),
    sa.Column("step", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(100), primary_key=True),
    sa.Column("value", sa.Float),
)
results = sa.Table(
    "results",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(20)),
    sa.Column("game", sa.Text),
    sa.Column("run", sa.String(200)),
    sa.Column("played", sa.String(40)),
    sa.Column("result", sa.Text),
)


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


class Store:
    """An open results store. One that is opened for `reading` may be read-only, locked, or not there."""

    def __init__(self, folder: Path, reading: bool = False) -> None:
        configured = os.environ.get("SPARRING_DB", "")
        self.pending, self.failing, self.failed = folder / PENDING, False, -REST_SECONDS
        self.handing_in = False  # what cannot be written at once is left for the next start
        try:
            url = sa.make_url(configured) if configured else sa.URL.create("sqlite", database=str(folder / STORE))
            self.name = url.render_as_string(hide_password=True)
            self.sqlite = url.get_backend_name() == "sqlite"
            patience = {"timeout": BUSY_SECONDS} if self.sqlite and "timeout" not in url.query else {}
            # Connections lost between two checkpoints are replaced.
            self.engine = sa.create_engine(url, pool_pre_ping=True, connect_args=patience)
            weakref.finalize(self, self.engine.dispose)
            if not configured and not reading:
                folder.mkdir(parents=True, exist_ok=True)
                with suppress(OSError):  # opening it reports why
                    (folder / STORE).touch(0o600)
            self.missing = reading and not configured and not (folder / STORE).exists()
        except OSError as error:
            raise unwritable(folder, error, "free some space, then try again") from None
        except ImportError as error:
            remedy = "for PostgreSQL, pip install 'sparring[cluster]' and write postgresql+psycopg://"
            raise UserError(f"SPARRING_DB: the driver {error.name} is not installed; {remedy}") from None
        except (sa.exc.ArgumentError, ValueError) as error:
            raise UserError(f"SPARRING_DB: not a database URL that works here ({type(error).__name__})") from None
        if not self.missing:
            with suppress(UserError, Failure) if reading else nullcontext():
                self._prepare()

    def _prepare(self) -> None:
        """Create the tables, take the write lock once, and write what was kept."""
        # PostgreSQL refuses one of two processes that create a table at once; the other has then created all of them.
        with (
            self._short_errors(),
            suppress(sa.exc.IntegrityError, sa.exc.ProgrammingError),
            self.engine.begin() as first,
        ):
            _create_tables(first)
        with self._open() as connection:
            _create_tables(connection)
            # Taking the write lock now reveals a locked or read-only store before hours of work, not after.
            connection.execute(runs.delete().where(runs.c.name == ""))
        self._hand_in()

    @contextmanager
    def _short_errors(self) -> Iterator[None]:
        """Report database errors in one line."""
        try:
            yield
        except (sa.exc.SQLAlchemyError, ValueError) as error:
            reason = getattr(error, "orig", error)
            remedy = (
                "close what else uses it, make it writable" if self.sqlite else "check that it runs and is writable"
            )
            kind = Failure if "full" in str(reason) else UserError
            raise kind(f"results store {self.name}: {reason}; {remedy}, or set SPARRING_DB") from None

    @contextmanager
    def _open(self) -> Iterator[sa.Connection]:
        with self._short_errors(), self.engine.begin() as connection:
            yield connection

    def _write(self, work: Callable[[sa.Connection], None], repeatable: bool = True) -> None:
        """Run a transaction, and run it again if another writer was first or, if it is repeatable, the connection broke."""
        with self._short_errors():
            for pause in (*(() if self.handing_in else PAUSES), None):
                try:
                    with self.engine.begin() as connection:
                        work(connection)
                    return
                except sa.exc.DBAPIError as error:
                    if pause is None or not self._transient(error, repeatable):
                        raise
                    time.sleep(pause)

    def _transient(self, error: sa.exc.DBAPIError, repeatable: bool) -> bool:
        """Whether another attempt may succeed, without writing anything twice."""
        if self.sqlite and "locked" in str(error.orig):
            return True
        lost = error.connection_invalidated or isinstance(error, sa.exc.OperationalError)
        return repeatable and (isinstance(error, sa.exc.IntegrityError) or (lost and not self.sqlite))

    # What a failing store does not take.

    def _keep(self, file: str, what: str, /, **given: Any) -> None:
        """Write to the store; if it fails, keep what was given in this file."""
        path = self.pending / f"{file}.json"
        try:
            if self.failing and time.monotonic() - self.failed < REST_SECONDS:
                raise UserError("the store failed a moment ago")
            WRITES[what](self, **given)
            self.failing = False
            path.unlink(missing_ok=True)
        except (UserError, Failure, KeyboardInterrupt) as error:
            content = {"write": what, "given": given | ({"again": True} if what == "results" else {})}
            replace_file(path, json.dumps(content, default=np.ndarray.tolist).encode())
            if isinstance(error, KeyboardInterrupt):
                raise
            if not self.failing:
                remark(f"{error}; nothing is lost: it is kept in {self.pending} and recorded at the next start")
                self.failed = time.monotonic()
            self.failing = True

    def _hand_in(self) -> None:
        """Write what was kept. A file that cannot be written is left alone."""
        try:
            lock = (self.pending / "lock").open("w")
        except OSError:  # there is nothing to write, or it is somebody else's
            return
        self.handing_in = True
        with lock:
            for path in sorted(self.pending.glob("*.json")) if locked(lock) else ():
                try:
                    content = json.loads(read_bytes(path, MOST_PENDING))
                    WRITES[content["write"]](self, **content["given"])
                    path.unlink()
                except (UserError, Failure, OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
                        RecursionError) as error:  # fmt: skip
                    remark(f"{path}: not recorded ({type(error).__name__}: {error})")
        self.handing_in = False

    def record_run(self, name: str, game: str, experiment: str, step: int, finished: bool) -> None:
        """Record a run's state; a run that starts again under an old name replaces the old one."""
        self._keep(f"{name}.run", "run", name=name, game=game, experiment=experiment, step=step, finished=finished)

    def _write_run(self, name: str, game: str, experiment: str, step: int, finished: bool) -> None:
        row = {"game": game, "experiment": experiment, "step": step, "finished": finished}

        def work(connection: sa.Connection) -> None:
            started = _lock_run(connection, name)
            row["started"] = started if step and started else now()
            if started is None:
                connection.execute(runs.insert().values(name=name, **row))
            else:
                connection.execute(runs.update().where(runs.c.name == name).values(**row))
            if step == 0:
                connection.execute(metrics.delete().where(metrics.c.run == name))

        self._write(work)

    def record_metrics(self, run: str, steps: np.ndarray, curves: dict[str, np.ndarray]) -> None:
        """Add the points of a run's curves that are not recorded yet. Labelled curves stay in the checkpoint."""
        plain = {name: values for name, values in curves.items() if values.ndim == 2}
        self._keep(f"{run}.metrics", "metrics", run=run, steps=steps, curves=plain)

    def _write_metrics(self, run: str, steps: Iterable[int], curves: dict[str, Iterable[Iterable[float]]]) -> None:
        def work(connection: sa.Connection) -> None:
            _lock_run(connection, run)
            last = connection.execute(sa.select(sa.func.max(metrics.c.step)).where(metrics.c.run == run)).scalar() or 0
            rows = [
                {"run": run, "trial": trial, "step": int(step), "name": name, "value": float(value)}
                for name, values in curves.items()
                for trial, row in enumerate(values)
                for step, value in zip(steps, row, strict=True)
                if step > last
            ]
            if rows:
                connection.execute(metrics.insert(), rows)

        self._write(work)

    def record_results(self, kind: str, found: list[dict[str, Any]], run: str = "") -> None:
        """Record matches or tournaments as JSON; those of a run replace what it recorded before."""
        rows = [
            {"kind": kind, "game": result["game"], "run": run, "played": now(), "result": json.dumps(result)}
            for result in found
        ]
        self._keep(f"{run or secrets.token_hex(8)}.{kind}", "results", kind=kind, rows=rows, run=run)

    def _write_results(self, kind: str, rows: list[dict[str, Any]], run: str, again: bool = False) -> None:
        """Write results; `again` if an earlier attempt failed, perhaps only after it had written them."""
        rows = [{column.name: row[column.name] for column in results.columns if column.name != "id"} for row in rows]

        def work(connection: sa.Connection) -> None:
            if run:
                _lock_run(connection, run)
                connection.execute(results.delete().where(results.c.run == run, results.c.kind == kind))
            elif again and connection.execute(_identical(rows[0])).first():
                return
            if rows:
                connection.execute(results.insert(), rows)

        self._write(work, repeatable=bool(run))

    def read_results(self, kind: str, run: str | None = None) -> list[dict[str, Any]]:
        """Matches, tournaments or games, oldest first. Rows that are no JSON object with a game are ignored."""
        if self.missing:
            return []
        query = sa.select(results.c.result).where(results.c.kind == kind).order_by(results.c.id)
        if run is not None:
            query = query.where(results.c.run == run)
        with self._open() as connection:
            found = [_read_row(row) for row in connection.execute(query).scalars()]
        return [result for result in found if type(result.get("game")) is str]


def _read_row(row: Any) -> dict[str, Any]:
    """A result as it was recorded; empty if it is none."""
    try:
        result = json.loads(row)
    except (ValueError, TypeError, RecursionError):
        return {}
    return result if type(result) is dict else {}


def _create_tables(connection: sa.Connection) -> None:
    for table in metadata.sorted_tables:
        connection.execute(sa.schema.CreateTable(table, if_not_exists=True))


def _identical(row: dict[str, Any]) -> sa.Select[Any]:
    """The results that are this one, word for word and at the same second."""
    return sa.select(results.c.id).where(*(results.c[name] == row[name] for name in ("kind", "played", "result")))


def _lock_run(connection: sa.Connection, run: str) -> str | None:
    """When a run was started. Other writers of the same run wait until this transaction ends."""
    query = sa.select(runs.c.started).where(runs.c.name == run).with_for_update()
    return connection.execute(query).scalar()


WRITES: dict[str, Callable[..., None]] = {
    "run": Store._write_run,
    "metrics": Store._write_metrics,
    "results": Store._write_results,
}
