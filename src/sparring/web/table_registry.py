"""All tables with the sockets that follow them. Players make their moves here."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sparring.arena.players import Contestant, default_opponent, find_player
from sparring.arena.session import Session
from sparring.errors import Failure, UserError
from sparring.games import Game, Played
from sparring.kernel.compiler import INTERPRETED
from sparring.lab.person_record import KIND, finished
from sparring.lab.store import Store
from sparring.web.executor import Work
from sparring.web.hints import Adviser, adviser, can_judge
from sparring.web.refusals import Refusal, log
from sparring.web.seating import named_for_record
from sparring.web.sockets import Line
from sparring.web.table_store import TableStore
from sparring.web.tables import PLAY, TERMINAL, WATCH, Seat, Table, texts_for

MOST_OPEN = 100  # games that one person has not finished
MOST_WATCHED = 10  # games between players that one person has begun to watch
LARGEST_SEED = 2**53  # beyond it a browser's numbers are not exact; nobody tries so many
PATIENCE = 2.0  # seconds that an answer waits for players' moves
MOST_PROGRAMS = 4  # games against external programs at a time
LISTED = 200  # tables of a person in a list


class TableRegistry(TableStore):
    """Tables by their ids, the players who move there and the people who follow them."""

    def __init__(self, runs: Path, store: Store, work: Work, here: Path | None = None) -> None:
        super().__init__(runs / "tables", here)
        self.runs, self.store, self.work = runs, store, work
        self.recording, self.repeating, self.adviser = asyncio.Lock(), asyncio.Lock(), Adviser()
        self.learning: dict[tuple[str, str, int], asyncio.Task[None]] = {}

    async def resume(self) -> None:
        """Record games that were finished but not recorded when the server stopped."""
        for table in [table for table in self.tables.values() if table.over and not table.recorded]:
            with suppress(UserError):  # of a damaged file; whoever asks for the table gets it
                await self.wake(table)

    async def prepare_hints(self, table: Table) -> None:
        """Find out what the adviser's values mean at this table before somebody asks for a hint."""
        contestant = await self.work.slow(lambda: find_player(table.game, adviser(table.game)))
        self.learn_scale(table.game, contestant, len(table.seats))

    def learn_scale(self, game: Game, contestant: Contestant, seats: int) -> bool:
        """Find out what a player's values mean in points, once; whether that is still under way."""
        key = game.name, contestant.name, seats
        if INTERPRETED or not can_judge(game, contestant):  # interpreted it would take hours
            return False

        async def learn() -> None:
            await asyncio.wait({self.work.prepare(game.family)})
            await asyncio.wait({self.work.prepare_batches(game.family)})
            await self.work.judges(self.adviser.learn_scale, game, contestant, seats)

        if key not in self.learning:
            self.learning[key] = asyncio.create_task(learn())
        return not self.learning[key].done()

    def check_programs(self, game: Game, seats: list[Seat]) -> None:
        """Refuse a table with an external program where too many run already."""
        with_program = [t for t in self.tables.values() if t.session and not t.over and t.has_program]
        if any(seat.player in game.policies.external for seat in seats) and len(with_program) >= MOST_PROGRAMS:
            raise Refusal(429, f"{MOST_PROGRAMS} games against programs are open; finish or delete one of those first")

    async def create(
        self, game: Game, seats: list[Seat], seed: int | None, owner: str, kind: str = PLAY, pace: float = 2.0,
        address: str = "", moves: list[int] | None = None,
    ) -> Table:  # fmt: skip
        """A new table. Its game begins as soon as it is compiled; one that begins with moves counts for no record."""
        mine = [table for table in self.tables.values() if table.owner == owner and table.kind == kind]
        going = sum(not table.over for table in mine)
        if kind == PLAY and going >= MOST_OPEN:
            raise Refusal(429, f"you have {going} games to finish; finish or leave one of those first")
        if kind == WATCH and len(mine) >= MOST_WATCHED:
            await self._remove(min(mine, key=lambda table: table.used))
        self.check_programs(game, seats)
        seed = secrets.randbelow(LARGEST_SEED) if seed is None else seed
        table = Table(secrets.token_urlsafe(18), game, seed, seats, owner, kind, pace, address=address)
        table.used, table.recorded = time.monotonic(), moves is not None
        table.stored.moves = moves or []
        await self.work.quick(table.save, self.folder)
        self.tables[table.id] = table
        self._tidy()
        await self.wake(table)
        return table

    async def _remove(self, table: Table) -> None:
        """Delete a table, after its player's move if one is choosing."""
        table.trouble = "this table was removed"
        if task := self.tasks.get(table.id):
            await asyncio.wait({task}, timeout=PATIENCE)
        async with table.order:
            table.dismiss()
            self._forget(table.id)

    async def wake(self, table: Table) -> None:
        """Begin a table's game as soon as it is compiled, and let players move."""
        if table.session is not None:
            self._go_on(table)
        elif self.work.ready(table.game.family):
            await self._begin(table)
        elif table.id not in self.tasks:
            self._spawn(table, self._begin_later(table))

    async def _begin_later(self, table: Table) -> None:
        await asyncio.wait({self.work.prepare(table.game.family)})
        self.tasks.pop(table.id, None)
        await self._begin(table)
        async with self.at(table):
            await self._change(table, lambda: None)

    async def _begin(self, table: Table) -> None:
        async with self.at(table):
            pass
        if table.over:
            await self._finish(table)
        self._go_on(table)
        self._tidy()

    @asynccontextmanager
    async def at(self, table: Table) -> AsyncIterator[None]:
        """Hold a table's order, with its game in memory if it is compiled."""
        async with table.order:
            if table.session is None and self.work.ready(table.game.family):
                await self.work.quick(table.begin)
            yield

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
            if not ended.cancelled() and isinstance(ended.exception(), UserError | Refusal):
                log.warning("table %s: stopped: %s", table.id[:6], ended.exception())
            elif not ended.cancelled() and ended.exception():
                log.error("table %s: stopped", table.id[:6], exc_info=ended.exception())
            elif not ended.cancelled() and self._moving(table):  # someone came or moved while the task was ending
                self._go_on(table)

        task.add_done_callback(done)

    def _moving(self, table: Table) -> bool:
        """Whether a player is to move, and somebody watches if it is a watched game."""
        return bool(table.player_to_move()) and (table.kind != WATCH or bool(self.lines.get(table.id) and table.pace))

    async def _settle(self, table: Table) -> None:
        """Let players move until a person is to move or the game is over. A watched game waits for watchers."""
        while self._moving(table):
            if table.kind == WATCH:
                await asyncio.sleep(1 / table.pace)
            await self._one_move(table)
        async with table.order:
            await self.work.quick(table.save, self.folder)
        if table.over:
            await self._finish(table)

    async def _one_move(self, table: Table) -> None:
        async with table.order:
            version, state = table.version, table.session.state.copy() if table.session else None
        if state is None or not table.player_to_move():
            return
        move = await self.work.players(table.choose, state, self.runs)
        async with table.order:
            if move is not None and table.version == version:
                await self._change(table, lambda: table.play(move, state))
            elif move is None:
                await self._change(table, lambda: None)

    async def settled(self, table: Table) -> None:
        """Wait a short time for the players' moves, or for a finished game to be recorded."""
        self._go_on(table)
        if table.over and not table.recorded and table.id not in self.tasks:
            self._spawn(table, self._finish(table))
        task = self.tasks.get(table.id)
        if task and table.kind == PLAY:
            await asyncio.wait({task}, timeout=PATIENCE)

    async def _finish(self, table: Table) -> None:
        """Record a finished game once, for the person who began it."""
        table.dismiss()
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
        """Store the result, then mark the table. A restart between the two finds the result by the table's id."""
        if table.session is None:
            table.begin()
        session = table.ready()
        if not any(result.get("table") == table.id for result in self.store.read_results(KIND)):
            names, against = named_for_record(table, seat, self.runs)
            result = finished(table.game, session.played, session.state[0]["tally"], names, seat, against)
            result |= {"resigned": True} if table.resigned == seat else {}
            self.store.record_results(KIND, [result | {"table": table.id}])
        table.recorded = True
        table.save(self.folder, lasting=True)

    # People.

    async def show(self, table: Table, person: str) -> dict[str, Any]:
        """The table as a person sees it now."""
        await self.wake(table)
        async with self.at(table):
            return await self.work.quick(table.shown_to, person)

    @contextmanager
    def followed(self, table: Table, line: Line) -> Iterator[None]:
        """While someone follows a table, they are sent every change."""
        lines = self.lines.setdefault(table.id, set())
        lines.add(line)
        try:
            yield
        finally:
            lines.discard(line)
            if not lines:
                self.lines.pop(table.id, None)

    async def send(self, table: Table, line: Line) -> None:
        """Send a new follower the table."""
        async with self.at(table):
            line.put((await self.work.quick(texts_for, table, {line.person}))[line.person])

    async def change(self, table: Table, change: Callable[[], None]) -> None:
        """A person's change of a table, written to disk before anybody sees it."""

        def do() -> None:
            change()
            table.save(self.folder)

        async with self.at(table):
            await self._change(table, do)

    async def _change(self, table: Table, change: Callable[[], None]) -> None:
        """Change a table, and send every follower what they may see. The caller holds its order."""
        lines = list(self.lines.get(table.id, ()))

        def do() -> dict[str, str]:
            change()
            return texts_for(table, {line.person for line in lines})

        texts = await self.work.quick(do)
        for line in lines:
            line.put(texts[line.person])

    def join(self, table: Table, person: str) -> int | None:
        """Take the next free seat, or go on with a game of the terminal; None if there is none."""
        seat = table.seat_of(person)
        if seat is None and self.here and table.owner == TERMINAL:
            if (seat := table.seat_of(TERMINAL)) is not None:
                table.seats[seat], table.owner = Seat(person), person
                table.touch()
        elif seat is None:
            seat = next((n for n in table.people if table.seats[n].person == ""), None)
            if seat is not None:
                table.seats[seat] = Seat(person)
                table.touch()
        return seat

    async def leave(self, table: Table, person: str) -> None:
        """Leave for good: a player takes the seat if other people sit at the table; otherwise it is deleted."""
        seat = table.seat_of(person)
        if seat is None and not self._owns(table, person):
            raise Refusal(403, "you do not sit at this table")
        if any(table.seats[n].person for n in table.people if n != seat) and not self._owns(table, TERMINAL):
            await self.change(table, lambda: table.hand_over(person))
            self._go_on(table)
        else:
            await self._remove(table)

    def _owns(self, table: Table, person: str) -> bool:
        """Whether a table is a person's, or on loopback one of the terminal."""
        return table.owner == person or bool(self.here and table.owner == TERMINAL)

    async def resign(self, table: Table, person: str) -> None:
        """Give up: the game is over, unless other people play on; a player then takes the seat."""
        if any(n != table.seat_of(person) and table.seats[n].person for n in table.people):
            await self.leave(table, person)
        else:
            await self.change(table, lambda: table.resign(person))
            await self._finish(table)

    async def again(self, table: Table, person: str, exchange: bool) -> Table:
        """A table with the same deal, with the seats rotated or not; the same table for everyone who asks."""
        if table.seat_of(person) is None:
            raise Refusal(403, "you do not sit at this table")
        if not table.over:
            why = "it would show what is hidden now"
            raise Refusal(409, f"the same deal can be played again once this game is over: {why}")
        async with self.repeating:  # of two who ask at the same time, the second finds the table of the first
            return await self._follower(table, person, exchange)

    async def _follower(self, table: Table, person: str, exchange: bool) -> Table:
        key = "exchanged" if exchange else "same"
        follower = None
        with suppress(Refusal):  # there is none, or it was deleted
            follower = self.find(table.again.get(key, ""))
        if follower is None or (follower.over and len(table.people) == 1):
            seats = [replace(seat) for seat in table.seats]
            seats = seats[-1:] + seats[:-1] if exchange else seats
            follower = await self.create(table.game, seats, table.seed, person, address=table.address)
            table.again[key] = follower.id
            await self.change(table, lambda: None)
        return follower

    async def go_on_from(self, game: Game, played: Played, number: int, person: str) -> Table:
        """A table in the state before a move of a finished game, with the person in the seat that made it."""
        session = await self.work.slow(
            lambda: Session(game, [""] * played.seats, played.seed).play_moves(played.moves[:number])
        )
        seats = [
            Seat(person) if seat == session.turn else Seat(None, default_opponent(game)) for seat in range(played.seats)
        ]
        return await self.create(game, seats, played.seed, person, moves=list(played.moves[:number]))

    async def of_person(self, person: str) -> list[dict[str, Any]]:
        """A person's tables and, on loopback, those of the terminal, the last changed first."""
        await self.work.quick(self._look_again)
        mine = [t for t in self.tables.values() if t.seat_of(person) is not None or self._owns(t, person)]
        mine = sorted(mine, key=lambda table: -table.changed)[:LISTED]
        for table in mine:
            if table.session is None and table.stored.scores is None and self.work.ready(table.game.family):
                await self._begin(table)
        return [table.summary(person) for table in mine]

    def close(self) -> None:
        for task in [*self.tasks.values(), *self.learning.values()]:
            task.cancel()
        for table in self.tables.values():
            table.dismiss()
