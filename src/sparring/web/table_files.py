"""Tables from their files."""

import json
from pathlib import Path
from typing import Any

from sparring.arena.players import is_whole
from sparring.arena.session import NOBODY
from sparring.errors import UserError
from sparring.games import Game
from sparring.reading import read_bytes
from sparring.web.naming import game_named
from sparring.web.tables import PLAY, VERSION, WATCH, Seat, Stored, Table


def read_table(path: Path) -> Table:
    """A table from its file, before its moves are played."""
    content = json.loads(read_bytes(path))
    game = game_named(content["game"])
    _check_content(content, game)
    if content["version"] != VERSION or content["rules"] != game.rules.version:
        raise UserError(
            f"{path.name}: played under rules version {content['rules']} of {game.name}; this is {game.rules.version}"
        )
    seats = [Seat(seat.get("person"), seat.get("player", "")) for seat in content["seats"]]
    facts = {name: content[name] for name in ("owner", "kind", "pace", "recorded", "again", "changed")}
    stored = Stored(content["moves"], content["kept"], bool(content["over"]))
    facts["resigned"] = content.get("resigned", NOBODY)  # which older files do not have
    table = Table(path.stem, game, content["seed"], seats, stored=stored, begun=bool(stored.moves), **facts)
    table.written = path.stat().st_mtime_ns
    return table


def _check_content(content: dict[str, Any], game: Game) -> None:
    """Raise ValueError for what `Table.save` does not write."""
    people = [(seat.get("person"), seat.get("player", "")) for seat in content["seats"]]
    sound = [
        len(people) in game.rules.seats,
        all(
            type(person) in (str, type(None)) and type(player) is str and player.isprintable()
            for person, player in people
        ),
        is_whole(content["seed"], 0, 2**64 - 1),
        type(content["moves"]) is list and all(type(move) is int for move in content["moves"]),
        type(content["owner"]) is str and content["kind"] in (PLAY, WATCH) and type(content["recorded"]) is bool,
        all(type(value) in (int, float) and 0 <= value < 1e12 for value in (content["pace"], content["changed"])),
        type(content["again"]) is dict and all(type(id) is str for id in content["again"].values()),
        type(content["kept"]) is dict and is_whole(content.get("resigned", NOBODY), NOBODY, len(people) - 1),
    ]
    if not all(sound):
        raise ValueError("a value that no table has")
