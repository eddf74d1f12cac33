"""Stored ladders: `results/ladder-GAME.json` has the ratings and all meetings, and how they were measured."""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from sparring.arena.ladder import Ladder, Meeting, points_of_deal, read_meeting, shipped
from sparring.arena.players import find_players, net_hashes
from sparring.errors import UserError
from sparring.games import Game
from sparring.games.game import with_rules
from sparring.lab.bench import machine
from sparring.lab.locks import held
from sparring.nets.files import replace_file
from sparring.reading import read_text

OTHER = {
    "seed": "another seed", "nets": "other networks", "game": "other rules", "rules": "another version of the rules",
    "names": "other players",
}  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """A stored ladder."""

    path: Path
    reached: bool  # whether all ratings are known as well as was asked
    stored: dict[str, Any]

    def json(self) -> dict[str, Any]:
        """The part that was measured."""
        found: dict[str, Any] = self.stored["result"]
        return found


def file_name(game: Game) -> str:
    """The file of a game's ladder."""
    words = "".join(letter if letter.isalnum() else "-" for letter in game.name)
    return f"ladder-{words}.json"


def resumed(path: Path, facts: dict[str, Any], most: float) -> list[Meeting]:
    """The meetings of a stored ladder with `most` points in a deal; one of other players, rules or seed is refused."""
    if not path.exists():
        return []
    try:
        stored = json.loads(read_text(path, "a stored ladder"))
        before = {"seed": stored["seed"], "nets": stored["nets"]} | {
            k: stored["result"][k] for k in ("game", "rules", "names")
        }
        meetings = [read_meeting(each, most) for each in stored["result"]["meetings"]]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError):
        raise UserError(f"{path}: not a stored ladder; move it away to begin anew") from None
    for what, value in facts.items():
        if before[what] != value:
            raise UserError(f"{path}: was played with {OTHER[what]}; move it away to begin anew")
    return meetings


def ladder(
    game: Game,
    *extra: str,
    within: float,
    minutes: float,
    seed: int,
    threads: int | None,
    folder: Path,
    command: str,
    commit: str,
) -> Standing:
    """Play a game's ladder, or go on with it; see `sparring.ladder`."""
    people = game.presentation.people
    game = with_rules(game, people) if people and not game.rules.chosen else game
    players = find_players(game, list(dict.fromkeys([*shipped(game), *extra])))
    nets, names = net_hashes(players), [player.name for player in players]
    facts = {"seed": seed, "nets": nets, "game": game.name, "rules": game.rules.version, "names": names}
    path = folder / file_name(game)
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; name one with --results")

    def stored(now: Ladder, reached: bool) -> dict[str, Any]:
        ratings = now.ratings()
        players = [{"name": names[k], "rating": ratings[k].json(1), "lead": lead.json(1)} for k, lead in now.leads()]
        meetings = [meeting for meeting in now.meetings.values() if meeting.deals]
        spent = sum(meeting.seconds for meeting in meetings)
        result = {
            "game": game.name, "rules": game.rules.version, "within": within, "reached": reached, "names": names,
            "players": players,
            "meetings": [meeting.json() for meeting in meetings],
        }  # fmt: skip
        return {
            "command": command, "seed": seed, "commit": commit, "date": date.today().isoformat(),
            "machine": f"{machine()}, shared with other work", "nets": nets, "core_seconds": round(spent, 1), "result": result,
        }  # fmt: skip

    def keep(now: Ladder, reached: bool = False) -> None:
        replace_file(path, (json.dumps(stored(now, reached), indent=1) + "\n").encode())

    with held(path.with_suffix(".lock"), str(path)):
        begun = Ladder(game, players, seed, resumed(path, facts, points_of_deal(game)))
        reached = begun.climb(within, minutes, threads, keep)
        keep(begun, reached)
    return Standing(path, reached, stored(begun, reached))
