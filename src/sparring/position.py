"""A state of a game to look at and to play on, in Python: the way in for those who want no match, only a table."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games import Game, name_game
from sparring.games.game import legal_moves, play_move, start_game


@dataclass(frozen=True, eq=False, repr=False)
class State:
    """A game as it stands, which never changes: to play a move makes a new one.

    Examples:
        >>> import sparring
        >>> golf = sparring.state("golf", seed=1)
        >>> golf.moves()
        {0: 'draw from the stock', 1: 'take the upcard'}
        >>> golf.play(1).turn, golf.over
        (0, False)
    """

    game: Game
    record: np.ndarray  # one state, as the rules keep it
    seats: int
    played: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(self.record[0]["turn"])

    @property
    def over(self) -> bool:
        return bool(self.record[0]["over"])

    @property
    def scores(self) -> list[int]:
        """The points of each seat so far."""
        return [int(score) for score in self.record[0]["tally"]["score"][: self.seats]]

    def moves(self) -> dict[int, str]:
        """The legal moves by their numbers, and what each does."""
        return {move: self.game.view.move_text(self.record[0], move) for move in legal_moves(self.game, self.record)}

    def play(self, move: int | str) -> "State":
        """The state after a move, by its number or as it is typed at the table (`13/7 8/7`)."""
        after = self.record.copy()
        number = self._read(move) if isinstance(move, str) else int(move)
        play_move(self.game, after, number)
        return replace(self, record=after, played=(*self.played, number))

    def _read(self, text: str) -> int:
        return self.game.view.read_move(self.record[0], text)

    @property
    def text(self) -> str:
        """The table as a diagram, nothing hidden."""
        return self.game.view.text(self.record[0])

    def seen(self, seat: int) -> str:
        """The same, but only what a seat may see."""
        return self.game.view.text(self.record[0], self._seat(seat))

    def json(self, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, only what that seat may see."""
        return self.game.view.state_json(self.record[0], None if seat is None else self._seat(seat))

    def svg(self, seat: int | None = None) -> str:
        """The table as a picture; with a seat, from its side and only what it may see."""
        names = [f"seat {n}" for n in range(self.seats)]
        return self.game.view.table(self.record[0], None if seat is None else self._seat(seat), names)

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise UserError(f"seat {seat}: must be from 0 to {self.seats - 1}")
        return seat

    def __repr__(self) -> str:
        return f"<{self.game.name} after {len(self.played)} moves>\n{self.text}"

    def _repr_svg_(self) -> str:
        return self.svg()


def state(game: str | Game, *, seed: int = 1, moves: Iterable[int | str] = (), seats: int = 0) -> State:
    """A game as it begins, or after some moves, for as many seats as it has at least or as are asked for.

    `state("backgammon", seed=3, moves=["13/7 8/7"])` deals what a match with this seed deals first.
    """
    the_game = name_game(game) if isinstance(game, str) else game
    if (seats or the_game.rules.seats[0]) not in the_game.rules.seats:
        raise UserError(f"{the_game.name} is for {' or '.join(map(str, the_game.rules.seats))} players, not {seats}")
    if not 0 <= seed < 2**64:
        raise UserError(f"seed = {seed}: must be from 0 to 2^64 - 1")
    found = State(
        the_game, start_game(the_game, seed, 0, 0, seats or the_game.rules.seats[0]), seats or the_game.rules.seats[0]
    )
    for number, move in enumerate(moves, 1):
        try:
            found = found.play(move)
        except UserError as error:
            raise UserError(f"move {number}: {error}") from None
    return found
