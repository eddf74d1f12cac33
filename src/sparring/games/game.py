"""What every game provides: the one shape that arena, learners, logs and pages know."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from sparring.errors import UserError
from sparring.kernel.launch import Launcher, batch
from sparring.kernel.records import records

MOVES = 1 << 15  # moves are 16-bit numbers from 0: no state can offer more


class View(Protocol):
    """A game for people: text, JSON and notation."""

    def text(self, s: Any, seat: int | None = None) -> str:
        """The state as a diagram; with a seat, only what that seat may see."""

    def move_text(self, s: Any, move: int) -> str:
        """What a move does in this state, in a few words."""

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, only what that seat may see."""

    def game_text(self, game: "Played") -> str:
        """A whole game in the game's notation."""

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        """Seats and moves of a game back from its notation; a UserError names `place` where the text is wrong."""

    def game_tally(self, text: str, place: str) -> np.ndarray:
        """What the rules count, computed from the notation alone: a tally of one."""

    def replay(self, text: str, place: str, names: list[str], known: "Played | None" = None) -> Iterator[str]:
        """A game in notation, turn by turn; what the notation leaves out is filled in where the deal is known."""

    def frames(self, text: str, place: str, names: list[str], known: "Played | None" = None) -> list[tuple[str, str]]:
        """A part of the game worth showing on a page (in golf its first round), turn by turn, as text and SVG."""


@dataclass(frozen=True)
class Played:
    """One game as it was played: with the rules, its luck and its moves say everything else."""

    seed: int
    deal: int
    luck: int
    seats: int
    moves: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """A game: its rules as kernels, its players and inputs by name, and its counts as measures."""

    name: str
    summary: str
    rules: int  # the rules' version, bumped when play changes
    seats: tuple[int, ...]  # how many can play
    low_wins: bool
    state: np.dtype
    tally: np.dtype  # what is counted; its field "score" has one number per seat
    start: Callable[..., Any]
    moves: Callable[..., Any]
    apply: Callable[..., Any]
    choose: Callable[..., Any]
    about: Mapping[str, str]  # built-in players, in the order of their numbers, and what they do; the last is "net"
    encodings: Mapping[str, int]  # a net's inputs by name, with their number
    max_moves: int
    floats: Callable[[int], int]  # working room a policy needs, by hidden units
    integers: int
    measures: Callable[[np.ndarray], dict[str, np.ndarray]]  # name -> a number per game and seat
    shares: frozenset[str]  # the measures that are shares, to be shown as percentages
    profiles: Callable[[np.ndarray], dict[str, np.ndarray]]  # name -> several numbers per game and seat
    labels: Mapping[str, tuple[str, ...]]  # what a profile's numbers stand for
    view: View

    @cached_property
    def launcher(self) -> Launcher:
        run = batch(self.start, self.choose, self.apply)
        return Launcher(self.name, run, self.state, self.tally, self.max_moves, self.floats, self.integers)

    @property
    def policies(self) -> tuple[str, ...]:
        return tuple(self.about)

    @property
    def encoding_names(self) -> tuple[str, ...]:
        return tuple(self.encodings)


def start_game(game: Game, seed: int, deal: int, luck: int, seats: int) -> np.ndarray:
    """A game about to begin: an array of the one state, which `play_move` changes in place."""
    state = np.zeros(1, game.state)
    with np.errstate(over="ignore"):
        game.start(records(state)[0], np.uint64(seed), deal, luck, seats)
    return state


def legal_moves(game: Game, state: np.ndarray) -> tuple[int, ...]:
    """The moves that the rules offer in this state; none when the game is over."""
    if state[0]["over"]:
        return ()
    out = np.empty(MOVES, np.int16)
    count = game.moves(records(state)[0], out)
    return tuple(out[:count].tolist())


def play_move(game: Game, state: np.ndarray, move: int) -> None:
    """Play a move that a person or a program asks for. Kernels trust their caller: this is the way in that checks."""
    legal = legal_moves(game, state)
    if move not in legal:
        offered = f"legal: {', '.join(map(str, legal))}" if legal else "the game is over"
        raise UserError(f"illegal move {move}; {offered}")
    with np.errstate(over="ignore"):
        game.apply(records(state)[0], move)
