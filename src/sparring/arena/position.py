"""A state of a game to look at and to play on in Python, without a match."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparring.arena.explain import explain
from sparring.arena.match import check_seed
from sparring.arena.players import Chooser, Entrant, check_game, find_player, is_whole
from sparring.errors import UserError, cut, errors_at
from sparring.games import Game, name_game
from sparring.games.game import MOVES, legal_moves, play_move, start_game


@dataclass(frozen=True, eq=False, repr=False)
class State:
    """A game as it stands. It never changes: playing a move makes a new state.

    Examples:
        >>> import sparring
        >>> golf = sparring.state("golf", seed=1)
        >>> golf.moves()
        {0: 'draw from the stock', 1: 'take 3♠ from the discard pile'}
        >>> golf.play(1).turn, golf.over
        (0, False)
        >>> golf.play(golf.best("champion")).turn
        0
    """

    game: Game
    _record: np.ndarray  # one state, as the rules keep it
    seats: int
    played: tuple[int, ...] = ()
    viewer: int | None = None  # the seat that looks at it; None sees everything

    @property
    def record(self) -> np.ndarray:
        """The NumPy record that the rules keep, with everything that is hidden."""
        if self.viewer is not None:
            raise UserError("record: shows what is hidden from a seat; a player uses text, json() and moves()")
        return self._record

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(self._record[0]["turn"])

    @property
    def over(self) -> bool:
        return bool(self._record[0]["over"])

    @property
    def scores(self) -> list[int]:
        """The points of each seat so far."""
        return [int(score) for score in self._record[0]["tally"]["score"][: self.seats]]

    def moves(self) -> dict[int, str]:
        """The legal moves by their numbers, and what each does."""
        return {move: self.game.view.move_text(self._record[0], move) for move in legal_moves(self.game, self._record)}

    def play(self, move: int | str) -> "State":
        """The state after a move, by its number or in the game's notation (`13/7 8/7`)."""
        if self.viewer is not None:
            raise UserError("play: shows what is hidden from a seat; a player returns its move")
        after, number = self._record.copy(), self.read_move(move)
        play_move(self.game, after, number)
        return replace(self, _record=after, played=(*self.played, number))

    def read_move(self, move: int | str) -> int:
        """The number of a move, which may be written in the game's notation."""
        if isinstance(move, str):
            return self.game.view.read_move(self._record[0], move)
        if not is_whole(move, 0, MOVES):
            raise UserError(f"move {cut(move)}: must be the number of a legal move, or a move in the game's notation")
        return int(move)

    def best(self, player: Entrant) -> int:
        """The move that a player chooses here."""
        if self.over:
            raise UserError("the game is over: there is no move to choose")
        contestant = find_player(self.game, player)
        if contestant.external:
            with closing(contestant.external()) as program:
                return program.choose(self._record.copy())
        return Chooser(self.game, contestant).choose(self._record.copy())

    def values(self, player: Entrant) -> dict[int, float]:
        """A player's value of each move that it compares, best first; empty for a player that compares no numbers."""
        found = explain(self.game, find_player(self.game, player), self._record).candidates
        return {candidate.move: candidate.value for candidate in found if candidate.value is not None}

    @property
    def text(self) -> str:
        """The table as a diagram: with nothing hidden, or as the viewer sees it."""
        return self.game.view.text(self._record[0], self.viewer)

    def seen(self, seat: int) -> str:
        """The table as a seat sees it."""
        return self.game.view.text(self._record[0], self._seat(seat))

    def json(self, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, only what that seat sees."""
        return self.game.view.state_json(self._record[0], self._seat(seat))

    def svg(self, seat: int | None = None) -> str:
        """The table as a picture; with a seat, only what that seat sees."""
        names = [f"seat {n}" for n in range(self.seats)]
        return self.game.view.table(self._record[0], self._seat(seat), names)

    def _seat(self, seat: int | None) -> int | None:
        """Whose eyes to look with; a viewer has only its own."""
        if seat is None or seat == self.viewer:
            return self.viewer
        if not is_whole(seat, 0, self.seats - 1):
            raise UserError(f"seat {cut(seat)}: must be from 0 to {self.seats - 1}")
        if self.viewer is not None:
            raise UserError(f"seat {seat}: hidden from seat {self.viewer}")
        return int(seat)

    def __repr__(self) -> str:
        return f"<{self.game.name} after {len(self.played)} moves>\n{self.text}"


def state(game: str | Game, *, seed: int = 1, moves: Iterable[int | str] = (), seats: int = 0) -> State:
    """A game as it begins, or after some moves, with the smallest number of seats unless `seats` says otherwise.

    The deal is that of a match's first game with this seed.
    """
    the_game = name_game(game) if isinstance(game, str) else check_game(game)
    seats = seats or the_game.rules.seats[0]
    if seats not in the_game.rules.seats:
        sizes = " or ".join(map(str, the_game.rules.seats))
        raise UserError(f"{the_game.name} is for {sizes} players, not {cut(seats)}")
    check_seed(seed)
    found = State(the_game, start_game(the_game, seed, 0, 0, seats), seats)
    for number, move in enumerate(moves, 1):
        with errors_at(f"move {number}: "):
            found = found.play(move)
    return found
