"""Games whose notation is a record: a first line with the rules, then every deal and all that was played in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import Game, game_written, start_game
from sparring.games.view import FRAMES, Played, View


@dataclass(frozen=True)
class Record:
    """A game from its first deal to its end. Subclasses define `moves`, `text` and `tally`."""

    game: Game
    deals: tuple[Any, ...]

    @property
    def rules(self) -> Any:
        """The rules as kernels read them."""
        return self.game.template[0]["rules"]


def read_game(text: str, place: str, family: str, example: str) -> tuple[Game, list[str]]:
    """The game that the first line of a record names, and the other lines; `example` is a first line with rules."""
    first, *lines = [line.strip() for line in text.split("\n")]
    try:
        return game_written(find_game(family), first, example), lines
    except UserError as error:
        raise UserError(f"{place}, line 1: {error}") from None


class RecordView(View):
    """A view that reads and writes records. Scenes of a replay have `said`, `text(names)` and `svg(names)`."""

    interactive = True

    record_of: Any  # record_of(game, state, moves): the record of moves from a state
    read_record: Any  # read_record(text, place): a record from its text; a UserError names the place where it is wrong
    scenes: Any  # scenes(record, deals, names): the replay of some deals

    def game_text(self, played: Played) -> str:
        state = start_game(self.game, played.seed, played.deal, played.luck, played.seats)
        return str(self.record_of(self.game, state, played.moves).text())

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        return self.game.rules.seats[0], self.read_record(text, place).moves

    def game_tally(self, text: str, place: str) -> np.ndarray:
        return np.asarray(self.read_record(text, place).tally())

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        record = self.read_record(text, place)
        for scene in self.scenes(record, range(len(record.deals)), names):
            yield scene.text(names)

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """The first deal."""
        scenes = islice(self.scenes(self.read_record(text, place), [0], names), FRAMES)
        return [(scene.said, scene.svg(names)) for scene in scenes]
