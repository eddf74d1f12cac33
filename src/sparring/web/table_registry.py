"""The hall: all tables, kept on disk, with the sockets through which they are followed. Players move here by themselves."""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sparring.errors import Failure, UserError
from sparring.games import Game
from sparring.lab.person_record import KIND, finished
from sparring.lab.store import Store
from sparring.web.executor import Work
from sparring.web.guard import PLAIN_ID
from sparring.web.naming import default_opponent, player_named
from sparring.web.refusals import Refusal, log, not_found
from sparring.web.sockets import Line
from sparring.web.tables import PLAY, WATCH, Seat, Table, named_for_record, read_table

MOST_TABLES = 5000
MOST_OPEN = 100  # games that one person has not finished
LARGEST_SEED = 2**53  # beyond it a browser's numbers are not exact; nobody tries so many
PATIENCE = 2.0  # seconds that an answer waits for players' moves
LISTED = 50  # tables of a person in a list


class TableRegistry:
    """Tables by their ids."""

    def __init__(self, runs: Path, store: Store, work: Work) -> None:
        self.runs, self.store, self.work = runs, store, work
        self.folder = runs / "tables"
        self.tables: dict[str, Table] = {}
        self.lines: dict[str, set[Line]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.recording = asyncio.Lock()

    def load(self) -> None:
        """Find every table again. A file that cannot be read is left alone."""
        for path in self.folder.glob("*.json"):
            try:
                self.tables[path.stem] = read_table(path)
            except (
                Refusal,
                UserError,
                ValueError,
                KeyError,
                TypeError,
                AttributeError,
                OSError,
                RecursionError,
            ) as error:
                log.warning("%s: no table that can be played on: %s", path.name, error)

    async def resume(self) -> None:
        """Record what was finished when the server was stopped before it could."""
        for table in [table for table in self.tables.values() if table.was_over and not table.recorded]:
            await self.wake(table)

    # Tables.

    def find(self, id: str) -> Table:
        """The table of an id; ids that nobody was given are not found."""
        if not PLAIN_ID.fullmatch(id) or id not in self.tables:
            raise not_found("table")
        return self.tables[id]

    async def create(
        self, game: Game, seats: list[Seat], seed: int | None, owner: str, kind: str = PLAY, pace: float = 2.0
    ) -> Table:
        """A new table, which begins as soon as its game is compiled."""
        mine = sum(table.owner == owner and not table.over for table in self.tables.values())
        if mine >= MOST_OPEN:
            raise Refusal(429, f"you have {mine} games to finish; go on with one of those first")
        await self._make_room()
        seed = secrets.randbelow(LARGEST_SEED) if seed is None else seed
        table = Table(secrets.token_urlsafe(18), game, seed, seats, owner, kind, pace)
        await self.work.quick(table.save, self.folder)
        self.tables[table.id] = table
        await self.wake(table)
        return table

    async def _make_room(self) -> None:
        if len(self.tables) < MOST_TABLES:
            return
        done = [table for table in self.tables.values() if table.over and not self.lines.get(table.id)]
        if not done:
            raise Refusal(503, f"{MOST_TABLES} games are being played here; try again later")
        oldest = min(done, key=lambda table: table.changed)
        del self.tables[oldest.id]
        await self.work.quick((self.folder / f"{oldest.id}.json").unlink)

    async def wake(self, table: Table) -> None:
        """Deal a table's cards, if its game is ready; else as soon as it is. Players whose turn it is then move."""
        if table.state is not None:
            self._go_on(table)
        elif self.work.ready(table.game.family):
            await self._begin(table)
        elif table.id not in self.tasks:
            self._spawn(table, self._begin_later(table))

    async def _begin_later(self, table: Table) -> None:
        await asyncio.wait({self.work.prepare(table.game.family)})
        self.tasks.pop(table.id, None)
        await self._begin(table)
        await self.publish(table)

    async def _begin(self, table: Table) -> None:
        async with table.order:
            if table.state is None:
                await self.work.quick(table.begin)
        if table.over:
            await self._finish(table)
        self._go_on(table)

    # Players' moves.

    def _go_on(self, table: Table) -> None:
        if table.player_to_move() and table.id not in self.tasks:
            self._spawn(table, self._settle(table))

    def _spawn(self, table: Table, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks[table.id] = task

        def done(ended: "asyncio.Task[None]") -> None:
            if self.tasks.get(table.id) is ended:
                del self.tasks[table.id]
            if not ended.cancelled() and ended.exception():
                log.error("table %s: stopped", table.id[:6], exc_info=ended.exception())

        task.add_done_callback(done)

    async def _settle(self, table: Table) -> None:
        """Let players move until a person is to move, or the game is over; one that is watched waits for watchers."""
        while table.player_to_move():
            if table.kind == WATCH:
                if not self.lines.get(table.id) or not table.pace:
                    break
                await asyncio.sleep(1 / table.pace)
            await self._one_move(table)
        async with table.order:
            await self.work.quick(table.save, self.folder)
        if table.over:
            await self._finish(table)

    async def _one_move(self, table: Table) -> None:
        async with table.order:
            version, state = table.version, None if table.state is None else table.state.copy()
        if state is None or not table.player_to_move():
            return
        move = await self.work.players(table.choose, state, self.runs)
        async with table.order:
            if move is not None and table.version == version:
                await self._change(table, lambda: table.player_plays(state, move))
            elif move is None:
                await self._change(table, lambda: None)

    async def settled(self, table: Table) -> None:
        """Wait for the players' moves, or for a finished game to be recorded, but not for long."""
        self._go_on(table)
        if table.over and not table.recorded and table.id not in self.tasks:
            self._spawn(table, self._finish(table))
        task = self.tasks.get(table.id)
        if task and table.kind == PLAY:
            await asyncio.wait({task}, timeout=PATIENCE)

    async def _finish(self, table: Table) -> None:
        """Record a finished game once, for whoever began it."""
        seat = table.seat_of(table.owner)
        if table.recorded or table.kind != PLAY or seat is None:
            return
        async with self.recording:
            if not table.recorded:
                try:
                    await self.work.slow(self._record, table, seat)
                except (UserError, Failure) as error:
                    log.error("table %s: not recorded: %s", table.id[:6], error)

    def _record(self, table: Table, seat: int) -> None:
        """A server that was stopped between the two finds the game by its table's id."""
        assert table.state is not None
        if not any(result.get("table") == table.id for result in self.store.read_results(KIND)):
            names, against = named_for_record(table, seat, self.runs)
            told = finished(table.game, table.played(), table.state[0]["tally"], names, seat, against)
            self.store.record_results(KIND, [told | {"table": table.id}])
        table.recorded = True
        table.save(self.folder, lasting=True)

    # People.

    async def told(self, table: Table, person: str) -> dict[str, Any]:
        """The table as a person sees it now."""
        await self.wake(table)
        async with table.order:
            return await self.work.quick(table.told, person)

    @contextmanager
    def followed(self, table: Table, line: Line) -> Iterator[None]:
        """While someone follows a table, they are sent what changes."""
        lines = self.lines.setdefault(table.id, set())
        lines.add(line)
        try:
            yield
        finally:
            lines.discard(line)
            if not lines:
                self.lines.pop(table.id, None)

    async def tell(self, table: Table, line: Line) -> None:
        """Send one who has come how the table stands."""
        async with table.order:
            line.put((await self.work.quick(_texts, table, {line.person}))[line.person])

    async def change(self, table: Table, change: Callable[[], None]) -> None:
        """Something that a person does to a table: written to disk before anybody is told of it."""

        def do() -> None:
            change()
            table.save(self.folder)

        async with table.order:
            await self._change(table, do)

    async def publish(self, table: Table) -> None:
        async with table.order:
            await self._change(table, lambda: None)

    async def _change(self, table: Table, change: Callable[[], None]) -> None:
        """Change a table, and send everyone who follows it what they may see. The caller holds its order."""
        lines = list(self.lines.get(table.id, ()))

        def do() -> dict[str, str]:
            change()
            return _texts(table, {line.person for line in lines})

        texts = await self.work.quick(do)
        for line in lines:
            line.put(texts[line.person])

    def join(self, table: Table, person: str) -> int | None:
        """Sit down in the next free seat; None where there is none left."""
        seat = table.seat_of(person)
        if seat is None:
            seat = next((n for n in table.people if table.seats[n].person == ""), None)
            if seat is not None:
                table.seats[seat] = Seat(person)
                table.touch()
        return seat

    async def again(self, table: Table, person: str, exchange: bool) -> Table:
        """The same deal once more, everyone a seat further on or where they were; the same table for all who ask."""
        if table.seat_of(person) is None:
            raise Refusal(403, "you do not sit at this table")
        if not table.over:
            raise Refusal(409, "the same deal is played again once this game is over: it would show what is hidden now")
        key = "exchanged" if exchange else "same"
        follower = self.tables.get(table.again.get(key, ""))
        if follower is None or (follower.over and len(table.people) == 1):
            seats = [replace(seat) for seat in table.seats]
            seats = seats[-1:] + seats[:-1] if exchange else seats
            follower = await self.create(table.game, seats, table.seed, person)
            table.again[key] = follower.id
            await self.change(table, lambda: None)
        return follower

    async def of_person(self, person: str) -> list[dict[str, Any]]:
        """A person's tables, those changed last first."""
        mine = [t for t in self.tables.values() if t.seat_of(person) is not None or t.owner == person]
        mine = sorted(mine, key=lambda table: -table.changed)[:LISTED]
        for table in mine:
            if table.state is None and self.work.ready(table.game.family):
                await self._begin(table)
        return [table.summary(person) for table in mine]

    def close(self) -> None:
        for task in self.tasks.values():
            task.cancel()


def _texts(table: Table, people: set[str]) -> dict[str, str]:
    """The table as JSON for each of these people; those who see the same share it."""
    found: dict[Any, str] = {}
    return {person: _text(table, person, found) for person in people}


def _text(table: Table, person: str, found: dict[Any, str]) -> str:
    key = (table.viewer_of(person), table.seat_of(person))
    if key not in found:
        found[key] = json.dumps(table.told(person))
    return found[key]


def seat_everyone(game: Game, opponents: list[str], seat: int, people: int, person: str, runs: Path) -> list[Seat]:
    """Who sits where: people in the seats after the first person's, players in the others; one name stands for all."""
    words = opponents or ([default_opponent(game)] if people not in game.rules.seats else [])
    if len(words) == 1 and people + 1 not in game.rules.seats:
        words = words * max(1, min(game.rules.seats) - people)
    seats = people + len(words)
    if seats not in game.rules.seats:
        wanted = " or ".join(map(str, game.rules.seats))
        raise Refusal(422, f"{game.name} is for {wanted}; these are {people} and {len(words)} players")
    if seat >= seats:
        raise Refusal(422, f"seat: must be from 0 to {seats - 1}")
    persons = [(seat + n) % seats for n in range(people)]
    for word in words:
        player_named(game, word, runs)
    names = iter(words)
    return [Seat(person if n == seat else "") if n in persons else Seat(None, next(names)) for n in range(seats)]
