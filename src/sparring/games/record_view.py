"""Games whose notation is a record that describes them completely: a line with the rules or the start, then all that was played."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games import find_game
from sparring.games.game import Game, start_game, with_rules
from sparring.games.view import FRAMES, Played, View


def game_written(game: Game, name: str, like: str) -> Game:
    """The game that a record's first line names: a game, or a game and its rules."""
    family, has_rules, words = name.partition(":")
    if family != game.family:
        raise UserError(f"a game begins with a line such as {game.family!r} or {like!r}, not {name[:40]!r}")
    return with_rules(game, words) if has_rules else game


@dataclass(frozen=True)
class DealsRecord:
    """A game of several deals. Subclasses define `moves`, `text` and `tally`."""

    game: Game
    deals: tuple[Any, ...]

    @property
    def rules(self) -> Any:
        """The rules as kernels read them."""
        return self.game.template[0]["rules"]


class StatesRecord(ABC):
    """A game whose record says all that chance brought. Subclasses define `moves` and `text`, too."""

    @abstractmethod
    def states(self) -> Iterator[np.ndarray]:
        """The state before each move and at the end: an array of one state that changes in place."""

    def end(self) -> np.ndarray:
        """The final state."""
        *_, last = self.states()
        return last

    def tally(self) -> np.ndarray:
        """What the rules count."""
        return self.end()["tally"].copy()


def read_game(text: str, place: str, family: str, example: str) -> tuple[Game, list[str]]:
    """The game that the first line of a record names, and the other lines; `example` is a first line with rules."""
    first, *lines = [line.strip() for line in text.split("\n")]
    with errors_at(f"{place}, line 1: "):
        return game_written(find_game(family), first, example), lines


class RecordView(View):
    """A view that reads and writes records. Scenes of a replay have `said`, `text(names)` and `svg(names)`."""

    interactive = True

    record_of: Any  # record_of(game, state, moves): the record of moves from a state, which is then the final state
    read_record: Any  # read_record(text, place): a record from its text; a UserError names the place where it is wrong
    scenes: Any  # scenes(record, names, first): the replay; only of the first deal if `first`

    def game_text(self, played: Played) -> str:
        state = start_game(self.game, played.seed, played.deal, played.luck, played.seats)
        return str(self.record_of(self.game, state, played.moves).text())

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        return self.game.rules.seats[0], self.read_record(text, place).moves

    def game_tally(self, text: str, place: str) -> np.ndarray:
        return np.asarray(self.read_record(text, place).tally())

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        for scene in self.scenes(self.read_record(text, place), names, False):
            yield scene.text(names)

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """The first deal."""
        scenes = islice(self.scenes(self.read_record(text, place), names, True), FRAMES)
        return [(scene.said, scene.svg(names)) for scene in scenes]
