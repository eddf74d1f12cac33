"""The results store: runs, their metrics, matches and tournaments, in SQLite or any database SQLAlchemy reaches.

`SPARRING_DB` names the database by its SQLAlchemy URL; the default is results.sqlite in the runs' folder. Several machines may
write to one database at once, even of the same run: they then write the same.
"""

import json
import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from sparring.errors import Failure, UserError, unwritable
from sparring.lab.experiment import STORE

PAUSES = (0.5, 2.0, 5.0, 10.0)  # seconds before a write is tried again

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
    """An open results store."""

    def __init__(self, folder: Path) -> None:
        wish = os.environ.get("SPARRING_DB", "")
        try:
            url = sa.make_url(wish) if wish else sa.URL.create("sqlite", database=str(folder / STORE))
            self.name = url.render_as_string(hide_password=True)
            self.engine = sa.create_engine(url, pool_pre_ping=True)  # a line cut between two checkpoints is mended
            weakref.finalize(self, self.engine.dispose)
            if not wish:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(folder, error, "make room, then try again") from None
        except ImportError as error:
            remedy = "for PostgreSQL, pip install 'sparring[cluster]' and write postgresql+psycopg://"
            raise UserError(f"SPARRING_DB: the driver {error.name} is not installed; {remedy}") from None
        except (sa.exc.ArgumentError, ValueError) as error:
            raise UserError(f"SPARRING_DB: not a database URL that works here ({type(error).__name__})") from None
        with self._told(), suppress(sa.exc.IntegrityError, sa.exc.ProgrammingError):  # another may be making them too
            metadata.create_all(self.engine)
        with self._open() as connection:
            metadata.create_all(connection)
            # Taking the write lock now finds a store that is locked or read-only before hours of work, not after.
            connection.execute(runs.delete().where(runs.c.name == ""))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the database in one line."""
        try:
            yield
        except (sa.exc.DBAPIError, ValueError) as error:
            said = getattr(error, "orig", error)
            remedy = (
                "close what else uses it, make it writable" if self._embedded else "see that it runs and lets you write"
            )
            raise (Failure if "full" in str(said) else UserError)(
                f"results store {self.name}: {said}; {remedy}, or set SPARRING_DB"
            ) from None

    @property
    def _embedded(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def _open(self) -> Iterator[sa.Connection]:
        with self._told(), self.engine.begin() as connection:
            yield connection

    def _write(self, work: Callable[[sa.Connection], None]) -> None:
        """Do in one transaction what may be done twice: again where another writer was first or the line was cut."""
        with self._told():
            for pause in (*PAUSES, None):
                try:
                    with self.engine.begin() as connection:
                        work(connection)
                    return
                except sa.exc.DBAPIError as error:
                    if pause is None or not self._passing(error):
                        raise
                    time.sleep(pause)

    def _passing(self, error: sa.exc.DBAPIError) -> bool:
        """Whether it may be over soon."""
        cut = error.connection_invalidated or isinstance(error, sa.exc.OperationalError)
        return isinstance(error, sa.exc.IntegrityError) or (cut and not self._embedded)

    def record_run(self, name: str, game: str, experiment: str, step: int, finished: bool) -> None:
        """A run's state; a run that starts anew under an old name replaces the old one."""
        told = {"game": game, "experiment": experiment, "step": step, "finished": finished}

        def work(connection: sa.Connection) -> None:
            old = _locked(connection, name)
            told["started"] = old if step and old else now()
            if old is None:
                connection.execute(runs.insert().values(name=name, **told))
            else:
                connection.execute(runs.update().where(runs.c.name == name).values(**told))
            if step == 0:
                connection.execute(metrics.delete().where(metrics.c.run == name))

        self._write(work)

    def record_metrics(self, run: str, steps: np.ndarray, curves: dict[str, np.ndarray]) -> None:
        """The points of a run's curves that are not there yet. Labelled curves stay in the checkpoint."""

        def work(connection: sa.Connection) -> None:
            _locked(connection, run)
            last = connection.execute(sa.select(sa.func.max(metrics.c.step)).where(metrics.c.run == run)).scalar() or 0
            fresh = [i for i, step in enumerate(steps) if step > last]
            rows = [
                {"run": run, "trial": trial, "step": int(steps[i]), "name": name, "value": float(values[trial, i])}
                for name, values in curves.items()
                if values.ndim == 2
                for trial in range(len(values))
                for i in fresh
            ]
            if rows:
                connection.execute(metrics.insert(), rows)

        self._write(work)

    def record_results(self, kind: str, found: list[dict[str, Any]], run: str = "") -> None:
        """Matches or tournaments as their JSON; a run's replace what it had recorded before."""
        rows = [
            {"kind": kind, "game": result["game"], "run": run, "played": now(), "result": json.dumps(result)}
            for result in found
        ]

        def work(connection: sa.Connection) -> None:
            if run:
                _locked(connection, run)
                connection.execute(results.delete().where(results.c.run == run, results.c.kind == kind))
            if rows:
                connection.execute(results.insert(), rows)

        if run:
            self._write(work)
        else:  # done twice, it would be there twice
            with self._open() as connection:
                work(connection)

    def read_metrics(self, run: str, name: str) -> list[tuple[int, int, float]]:
        """A run's metric as (trial, step, value)."""
        with self._open() as connection:
            query = sa.select(metrics.c.trial, metrics.c.step, metrics.c.value).where(
                metrics.c.run == run, metrics.c.name == name
            )
            return [tuple(row) for row in connection.execute(query.order_by(metrics.c.trial, metrics.c.step))]  # type: ignore[misc]

    def read_results(self, kind: str, run: str | None = None) -> list[dict[str, Any]]:
        """Matches or tournaments, oldest first."""
        with self._open() as connection:
            query = sa.select(results.c.result).where(results.c.kind == kind).order_by(results.c.id)
            if run is not None:
                query = query.where(results.c.run == run)
            return [json.loads(row) for row in connection.execute(query).scalars()]


def _locked(connection: sa.Connection, run: str) -> str | None:
    """When a run was started; other writers of the same run wait until this transaction ends."""
    query = sa.select(runs.c.started).where(runs.c.name == run).with_for_update()
    return connection.execute(query).scalar()
