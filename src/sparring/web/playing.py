"""Requests about tables: sit down, move, take back, ask for a hint, watch."""

from typing import Any

from fastapi import APIRouter, Request, WebSocket

from sparring.arena.players import default_opponent, fill_seats
from sparring.web.explanations import explain_move, player_meant
from sparring.web.hints import adviser
from sparring.web.naming import game_named, player_named
from sparring.web.refusals import Payload, Refusal, query, read_body
from sparring.web.seating import seat_everyone
from sparring.web.sockets import Line, Lines, hold
from sparring.web.table_registry import TableRegistry
from sparring.web.tables import WATCH, Seat

FASTEST = 20.0  # moves a second
MOST_SEATS = 4
MOST_TOUCHES = 16
MOST_TOGETHER = 8  # moves that are made together
LAST_SEED = 2**53 - 1

router = APIRouter()


def registry_of(request: Request | WebSocket) -> TableRegistry:
    registry: TableRegistry = request.app.state.registry
    return registry


def person_of(request: Request | WebSocket) -> str:
    return str(request.scope["person"])


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


@router.post("/api/tables")
async def create(request: Request) -> dict[str, Any]:
    """Sit down at a new table."""
    registry, person, body = registry_of(request), person_of(request), await read_body(request)
    body.only("game", "rules", "opponents", "seat", "seed", "people")
    people = body.whole("people", 1, MOST_SEATS, 1)
    seed = chosen_seed(body)
    if people > 1 and seed is not None:
        remedy = "leave it out where people play each other"
        raise Refusal(422, f"seed: whoever chooses it could look at the others' cards; {remedy}")
    game = await registry.work.slow(game_named, body.text("game"), body.text("rules", ""))
    words = body.texts("opponents", MOST_SEATS - 1)
    seat = body.whole("seat", 0, MOST_SEATS - 1, 0)
    seats = await registry.work.slow(seat_everyone, game, words, seat, people, person, registry.runs)
    table = await registry.create(game, seats, seed, person, address=address_of(request))
    await registry.prepare_hints(table)
    await registry.settled(table)
    return {"id": table.id, "seat": seat}


def chosen_seed(body: Payload) -> int | None:
    return None if body.values.get("seed") is None else body.whole("seed", 0, LAST_SEED)


@router.post("/api/watch")
async def watch(request: Request) -> dict[str, Any]:
    """A table without people, with open cards."""
    registry, body = registry_of(request), (await read_body(request)).only("game", "rules", "players", "seed", "pace")
    game = await registry.work.slow(game_named, body.text("game"), body.text("rules", ""))
    names = body.texts("players", MOST_SEATS) or [default_opponent(game)]
    seats = [Seat(None, str(name)) for name in fill_seats(game, names * 2 if len(names) == 1 else names)]
    for name in names:
        await registry.work.slow(player_named, game, name, registry.runs)
    pace = body.number("pace", 0, FASTEST, 2.0)
    who = person_of(request), WATCH, pace, address_of(request)
    table = await registry.create(game, seats, chosen_seed(body), *who)
    return {"id": table.id}


@router.get("/api/tables")
async def tables(request: Request) -> list[dict[str, Any]]:
    """A person's own tables."""
    query(request)
    return await registry_of(request).of_person(person_of(request))


@router.get("/api/tables/{id}")
async def show(request: Request, id: str) -> dict[str, Any]:
    registry = registry_of(request)
    return await registry.show(registry.find(id), person_of(request))


@router.post("/api/tables/{id}/join")
async def join(request: Request, id: str) -> dict[str, Any]:
    """Take the next free seat; watch if there is none."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    (await read_body(request)).only()
    found: list[int | None] = []
    await registry.change(table, lambda: found.append(registry.join(table, person)))
    return {"seat": found[0]}


@router.post("/api/tables/{id}/move")
async def move(request: Request, id: str) -> dict[str, Any]:
    """Make a move, or several that are chosen together; the answer shows the players' moves."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    body = (await read_body(request)).only("move", "moves", "number")
    moves = body.wholes("moves", MOST_TOGETHER) or [body.whole("move", 0, 2**15 - 1)]
    number = body.whole("number", 0, 10**6)
    await registry.wake(table)
    await registry.change(table, lambda: table.person_moves(person, moves, number))
    await registry.settled(table)
    return await registry.show(table, person)


@router.post("/api/tables/{id}/undo")
async def undo(request: Request, id: str) -> dict[str, Any]:
    """Take back one's own last move."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    (await read_body(request)).only()
    await registry.wake(table)
    await registry.change(table, lambda: table.take_back(person))
    await registry.settled(table)
    return await registry.show(table, person)


@router.post("/api/tables/{id}/resign")
async def resign(request: Request, id: str) -> dict[str, Any]:
    """Give up a game, which then counts as lost."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    (await read_body(request)).only()
    await registry.wake(table)
    await registry.resign(table, person)
    return await registry.show(table, person)


@router.post("/api/tables/{id}/leave")
async def leave(request: Request, id: str) -> dict[str, Any]:
    """Leave a table to a player, or delete it if nobody else sits there."""
    (await read_body(request)).only()
    await registry_of(request).leave(registry_of(request).find(id), person_of(request))
    return {}


@router.post("/api/tables/{id}/again")
async def again(request: Request, id: str) -> dict[str, Any]:
    """Play the same deal again."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    exchange = (await read_body(request)).only("exchange").flag("exchange", True)
    follower = await registry.again(table, person, exchange)
    await registry.settled(follower)
    return {"id": follower.id, "seat": follower.seat_of(person)}


@router.post("/api/tables/{id}/pace")
async def pace(request: Request, id: str) -> dict[str, Any]:
    """Set the speed of a watched game."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    wanted = (await read_body(request)).only("pace").number("pace", 0, FASTEST, 2.0)
    if table.kind != WATCH or table.owner != person:
        raise Refusal(403, "only the person who began to watch this game sets its speed")

    def change() -> None:
        table.pace = wanted
        table.touch()

    await registry.change(table, change)
    await registry.wake(table)
    return await registry.show(table, person)


@router.get("/api/tables/{id}/hint")
async def hint(request: Request, id: str) -> dict[str, Any]:
    """The move that a player would choose in a person's place."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    name = query(request, "player").text("player", "") or await registry.work.slow(adviser, table.game)
    await registry.wake(table)
    seat = table.seat_of(person)
    if seat is None:
        raise Refusal(403, "hints are for those who sit at this table")
    if table.turn != seat:
        raise Refusal(409, "hints are given when it is your turn")
    async with registry.at(table):
        state = table.ready().state.copy()
    contestant = await registry.work.slow(player_named, table.game, name, registry.runs)
    pending = registry.learn_scale(table.game, contestant, len(table.seats))
    found = await registry.work.slow(registry.adviser.hint, table.game, contestant, state, len(table.seats))
    return found | {"pending": pending and not found["unit"]}


@router.get("/api/tables/{id}/partial")
async def partial(request: Request, id: str) -> dict[str, Any]:
    """The table while a person's move is half made; no picture if the game has gone on."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    number = query(request, "touched", "number").whole("number", 0, 10**6, table.number)
    touched = tuple(request.query_params.getlist("touched"))
    await registry.wake(table)
    seat = table.seat_of(person)
    if not table.game.view.stepwise or len(touched) > MOST_TOUCHES:
        raise Refusal(422, "touched: this game does not show half-made moves")
    async with registry.at(table):
        if number != table.number and seat is not None:
            return {"svg": None}
        if seat is None or table.turn != seat:
            raise Refusal(409, "moves are begun when it is your turn")
        state = table.ready().state.copy()
    return {"svg": await registry.work.quick(table.game.view.partial, state[0], touched, seat, table.names(seat))}


@router.get("/api/tables/{id}/thinking")
async def thinking(request: Request, id: str) -> dict[str, Any]:
    """A player's explanation of the state before a move; until the game is over, only of the asker's own moves."""
    registry, person, table = registry_of(request), person_of(request), registry_of(request).find(id)
    body = query(request, "player", "number")
    await registry.wake(table)
    async with registry.at(table):
        number, session = body.whole("number", 0, table.number, table.number), table.ready()
        if table.over and number == table.number:
            raise Refusal(409, "the game is over: there is no move to explain")
        who = table.turn if number == table.number else session.turns[number]
        if not table.over and table.kind != WATCH and who != table.seat_of(person):  # it would show what a player holds
            raise Refusal(403, "until the game is over, only your own moves are explained")
        state = await registry.work.quick(session.state_before, number)
    name = body.text("player", "") or table.seats[int(state[0]["turn"])].player or default_opponent(table.game)
    contestant = await registry.work.slow(player_meant, table.game, name, registry.runs)
    return await registry.work.slow(explain_move, table.game, contestant, state)


@router.websocket("/ws/tables/{id}")
async def follow(socket: WebSocket, id: str) -> None:
    """The table whenever it changes."""
    registry, person = registry_of(socket), person_of(socket)
    lines: Lines = socket.app.state.lines
    table = registry.find(id)
    with lines.room(person, table.seat_of(person) is not None):
        await socket.accept()
        line = Line(socket, person)
        with registry.followed(table, line):
            await registry.wake(table)
            await registry.send(table, line)
            await hold(line)
