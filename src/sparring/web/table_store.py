"""Tables in memory and on disk. Memory is bounded: of tables that nobody has asked for lately only the moves are kept, then only
the file.
"""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from sparring.errors import Failure, UserError
from sparring.web.guard import PLAIN_ID
from sparring.web.refusals import Refusal, log, not_found
from sparring.web.sockets import Line
from sparring.web.table_files import read_table
from sparring.web.tables import PLAY, WATCH, Table

MOST_LIVE = 100  # games in memory that nobody follows
MOST_TABLES = 2000  # tables in memory
MOST_STORED = 20_000  # further tables on disk
LONGEST = 90 * 24 * 3600  # seconds that a table is kept on disk after its last change
UNREADABLE = (Refusal, UserError, ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError)


class TableStore:
    """Tables by their ids."""

    def __init__(self, folder: Path, here: Path | None) -> None:
        self.folder, self.here = folder, here
        self.tables: dict[str, Table] = {}
        self.away: dict[str, None] = {}  # tables that are only on disk, the oldest first
        self.lines: dict[str, set[Line]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def load(self) -> None:
        """Restore the newest tables. A file that cannot be read is left alone."""
        ages = sorted((path.stat().st_mtime, path) for path in self.folder.glob("*.json"))
        for changed, path in ages:
            if time.time() - changed > LONGEST:
                path.unlink(missing_ok=True)
            else:
                self.away[path.stem] = None
        for id in list(self.away)[-MOST_TABLES:]:
            self._restore(id)

    def _restore(self, id: str) -> Table | None:
        """Read a table that is only on disk."""
        del self.away[id]
        try:
            return self.tables.setdefault(id, read_table(self.folder / f"{id}.json"))
        except UNREADABLE as error:
            log.warning("%s.json: no table that can be played on: %s", id, error)
            return None

    def _look_again(self) -> None:
        """Read the tables that a terminal has written since."""
        for path in self.folder.glob("*.json") if self.here else ():
            known = self.tables.get(path.stem)
            new = known is None and path.stem not in self.away
            with suppress(FileNotFoundError):  # deleted just now
                if new or (known and self._idle(known) and path.stat().st_mtime_ns != known.written):
                    self.tables.pop(path.stem, None)
                    self.away[path.stem] = None
                    self._restore(path.stem)

    def find(self, id: str) -> Table:
        """The table of an id."""
        table = self.tables.get(id) if PLAIN_ID.fullmatch(id) else None
        if table is None and id in self.away:
            table = self._restore(id)
            self._tidy()
        if table is None:
            raise not_found("table")
        table.used = time.monotonic()
        return table

    def _tidy(self) -> None:
        """Release games, tables and files beyond what is kept: the longest unused first."""
        idle = sorted(filter(self._idle, self.tables.values()), key=lambda table: table.used)
        live = [table for table in idle if table.session]
        for table in live[: max(0, len(live) - MOST_LIVE)]:
            table.put_away()
        for _ in range(len(self.tables) - MOST_TABLES):
            if idle:
                self._put_away(self._most_expendable(idle))
        while len(self.away) > MOST_STORED:
            self._forget(next(iter(self.away)))

    def _idle(self, table: Table) -> bool:
        """Whether nobody follows a table and nothing happens at it."""
        return not (table.id in self.tasks or self.lines.get(table.id) or table.order.locked())

    def _most_expendable(self, idle: list[Table]) -> Table:
        """A watched game, else a table of the address that has most; the longest unused."""
        crowd = Counter(table.address for table in idle).most_common(1)[0][0]
        watched = (n for n, table in enumerate(idle) if table.kind == WATCH)
        return idle.pop(next(watched, next(n for n, table in enumerate(idle) if table.address == crowd)))

    def _put_away(self, table: Table) -> None:
        """Keep a table only on disk; not even there if no person has moved."""
        with suppress(UserError, Failure):  # a full disk: it stays in memory
            if table.begun and table.kind == PLAY:
                table.save(self.folder)
                self.away[table.id] = None
            else:
                self._forget(table.id)
            self.tables.pop(table.id, None)

    def _forget(self, id: str) -> None:
        """Delete a table."""
        self.away.pop(id, None)
        self.tables.pop(id, None)
        (self.folder / f"{id}.json").unlink(missing_ok=True)
