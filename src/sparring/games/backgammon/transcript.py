"""A game as a sequence of decisions, whatever file it comes from, replayed with the rules of checkers, cube and score.

`Replay` gets what a file says, event by event. It refuses what the rules do not allow, and keeps the position, the cube and the
stakes of every decision. Analysis needs nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon.cube import Stakes
from sparring.games.backgammon.cube_value import LARGEST, MOVER, OTHER
from sparring.games.backgammon.notation import Dice, read_play
from sparring.games.backgammon.plays import borne_off, make_play, points_won
from sparring.games.backgammon.positions import STARTS, Position
from sparring.games.backgammon.rules import PLAYING

PLAY, DOUBLE, TAKE, PASS, BEAVER = "play", "double", "take", "pass", "beaver"
KINDS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def rolled(board: np.ndarray, seat: int, dice: Dice) -> Any:
    """A roll to be played, as far as notation needs a state."""
    return {"board": board, "turn": seat, "dice": dice, "over": 0, "phase": PLAYING}


@dataclass(frozen=True)
class Action:
    """A decision that was made, and what it was made on."""

    kind: str
    seat: int
    board: np.ndarray  # each seat's checkers, from its own side
    stakes: Stakes | None  # as the seat sees them; None where there is no cube
    dice: Dice | None = None  # of a play
    move: int = 0  # of a play
    opening: bool = False  # the first roll of a game: each side rolled one die, and nobody could double
    known: bool = True  # whether the file says what was done, or only gives the position
    at: int = 0  # the moves before it, in a log of ours


@dataclass(frozen=True)
class GameTerms:
    """What a game is played for."""

    length: int = 0  # of the match; 0 for money
    scores: tuple[int, int] = (0, 0)  # before the game, by seat
    crawford: bool = False  # this is the Crawford game
    jacoby: bool = False
    beavers: bool = False
    cubeless: bool = False
    single: bool = False  # every win counts 1

    def check(self, place: str) -> None:
        """Refuse a score that cannot be."""
        if self.length < 0:
            raise UserError(f"{place}: a match to {self.length}; must be positive, or 0 for money")
        if self.length and not all(0 <= score < self.length for score in self.scores):
            mine, theirs = self.scores
            raise UserError(
                f"{place}: the score is {mine} to {theirs} in a match to {self.length}; each must be below {self.length}"
            )

    def stakes(self, seat: int, cube: int, owner: int | None) -> Stakes | None:
        """The stakes as a seat sees them."""
        if self.cubeless:
            return None
        holder = None if owner is None else MOVER if owner == seat else OTHER
        if self.length == 0:
            return Stakes(cube, holder, jacoby=self.jacoby, beavers=self.beavers)
        away = self.length - self.scores[seat], self.length - self.scores[1 - seat]
        return Stakes(cube, holder, away, self.crawford)


@dataclass(frozen=True)
class Transcript:
    """A game with all its decisions."""

    title: str
    names: tuple[str, ...]
    terms: GameTerms
    actions: tuple[Action, ...]
    winner: int | None = None  # None if the game is unfinished
    points: int = 0  # that the winner gets
    ending: str = ""  # how: "", "resigned" or "passed"
    whole: bool = False  # whether this is a match from its start to its end, not one of its games


@dataclass
class Replay:
    """A game in progress."""

    title: str
    names: Sequence[str]
    terms: GameTerms
    start: Position = STARTS["standard"]
    cube: int = 1
    owner: int | None = None
    board: np.ndarray = field(init=False)
    actions: list[Action] = field(default_factory=list)
    turn: int | None = None  # who must roll or double; None before the opening roll
    offered: int | None = None  # who has doubled, until it is taken
    answering: int | None = None  # who must answer
    stake: int = 1  # the cube, if that is taken
    winner: int | None = None
    points: int = 0
    ending: str = ""

    def __post_init__(self) -> None:
        self.board = np.array([self.start.mover, self.start.other], np.int8)

    # Events. `place` says where the file has them.

    def roll(self, seat: int, dice: Dice, play: str | int, place: str) -> None:
        """A seat rolls and plays: a play in notation, or a move of the rules."""
        if self.offered == seat and self.stake > 2 * self.cube:
            self._settle()  # files leave out that a beaver is taken
        self._its_turn(seat, place)
        larger, smaller = max(dice), min(dice)
        opening = self.turn is None
        if opening and larger == smaller:
            raise UserError(f"{place}: a game cannot begin with the doublet {larger}{smaller}")
        move = read_play(rolled(self.board, seat, (larger, smaller)), play) if isinstance(play, str) else play
        self._add(PLAY, seat, (larger, smaller), move, opening)
        make_play(self.board, seat, move, larger, smaller)
        self.turn = 1 - seat
        if borne_off(self.board, seat):
            self._win(seat, self.worth(int(points_won(self.board, seat))), "")

    def double(self, seat: int, cube: int | None, place: str) -> None:
        """A seat doubles; `cube` is the new value, if the file says it."""
        self._its_turn(seat, place)
        if self.turn is None:
            raise UserError(f"{place}: a double before the first roll")
        if self.terms.cubeless:
            raise UserError(f"{place}: a double in a game without a cube")
        if self.terms.crawford:
            raise UserError(f"{place}: a double in the Crawford game")
        if self.owner == 1 - seat:
            raise UserError(f"{place}: {self.names[seat]} doubles, but {self.names[1 - seat]} owns the cube")
        self._check_cube(cube, 2 * self.cube, place)
        if self.cube >= (self.terms.length or LARGEST):
            raise UserError(f"{place}: a cube of {2 * self.cube}: a cube of {self.cube} already decides the match")
        self._add(DOUBLE, seat)
        self.offered, self.answering, self.stake = seat, 1 - seat, 2 * self.cube

    def take(self, seat: int, place: str) -> None:
        """A seat takes what the other offered. The cube goes to the side that did not double first."""
        self._must_answer(seat, place)
        self._add(TAKE, seat)
        self._settle()

    def beaver(self, seat: int, cube: int | None, place: str) -> None:
        """A seat turns the cube once more instead of taking, for money: a beaver, or the answer to one."""
        self._must_answer(seat, place)
        if self.terms.length:
            raise UserError(f"{place}: a beaver in a match; beavers are for money")
        self._check_cube(cube, 2 * self.stake, place)
        self._add(BEAVER, seat)
        self.stake, self.answering = 2 * self.stake, 1 - seat

    def drop(self, seat: int, place: str) -> None:
        """A seat passes what the other offered and loses the value before it."""
        self._must_answer(seat, place)
        self._add(PASS, seat)
        self._win(1 - seat, self.stake // 2, "passed")

    def wins(self, seat: int | None, points: int, place: str) -> None:
        """The file says who wins (None: it does not say) and how many points: the end of play, or a resignation."""
        if self.winner is None:
            self._resign(seat, points, place)
        if seat not in (None, self.winner):
            raise UserError(f"{place}: {self.names[seat or 0]} wins, but the game was won by {self._winner()}")
        jacoby = (
            self.cube == 1 and self.terms.length == 0 and points == 1
        )  # a gammon may count 1; files do not always say
        if points != self.points and not jacoby:
            raise UserError(f"{place}: wins {points}, but the game is worth {self.points}")
        self.points = points

    def transcript(self) -> Transcript:
        """The game so far."""
        return Transcript(
            self.title, tuple(self.names), self.terms, tuple(self.actions), self.winner, self.points, self.ending
        )

    def worth(self, kind: int) -> int:
        """The points of a game that is won single, as a gammon or as a backgammon."""
        only_single = self.terms.single or (self.terms.jacoby and self.terms.length == 0 and self.cube == 1)
        return self.cube * (1 if only_single else kind)

    # Checks.

    def _winner(self) -> str:
        return self.names[self.winner or 0]

    def _resign(self, seat: int | None, points: int, place: str) -> None:
        if seat is None:
            raise UserError(f"{place}: wins {points}, but nobody has borne off all checkers and no side is named")
        if points % self.cube or points // self.cube not in KINDS:
            raise UserError(
                f"{place}: wins {points}, but with a cube of {self.cube} a game counts 1, 2 or 3 times that"
            )
        self._win(seat, points, "resigned")

    def _win(self, seat: int, points: int, ending: str) -> None:
        self.winner, self.points, self.ending, self.offered, self.answering = seat, points, ending, None, None

    def _settle(self) -> None:
        """The offered cube is taken."""
        self.owner = None if self.offered is None else 1 - self.offered
        self.cube, self.offered, self.answering = self.stake, None, None

    def _add(self, kind: str, seat: int, dice: Dice | None = None, move: int = 0, opening: bool = False) -> None:
        stakes = self.terms.stakes(seat, self.cube, self.owner)
        self.actions.append(Action(kind, seat, self.board.copy(), stakes, dice, move, opening, at=len(self.actions)))

    def _check_cube(self, said: int | None, right: int, place: str) -> None:
        if said is not None and said != right:
            raise UserError(f"{place}: the cube becomes {said}; must be {right}")
        if right > LARGEST:
            raise UserError(f"{place}: a cube of {right}; the largest is {LARGEST}")

    def _its_turn(self, seat: int, place: str) -> None:
        if self.winner is not None:
            raise UserError(f"{place}: the game is over already, won by {self._winner()}")
        if self.answering is not None:
            raise UserError(f"{place}: {self.names[self.answering]} must take or pass the double first")
        if self.turn == 1 - seat:
            raise UserError(f"{place}: it is the turn of {self.names[1 - seat]}")

    def _must_answer(self, seat: int, place: str) -> None:
        if self.winner is not None or self.answering != seat:
            raise UserError(f"{place}: {self.names[seat]} answers a double that was not offered")


@dataclass
class MatchScore:
    """The score of a match or a session from game to game."""

    length: int
    scores: tuple[int, int] = (0, 0)
    crawford_rule: bool = True
    crawford_played: bool = False
    games: int = 0

    def begin(self, said: tuple[int, int] | None, place: str, crawford: bool | None = None) -> GameTerms:
        """The terms of the next game. The first game's score is taken from the file, later ones must agree with it.

        `crawford` is what the file says of this game; None where it says nothing.
        """
        if self.games == 0 and said:
            self.scores = said
        if self.length and max(self.scores) >= self.length:
            raise UserError(
                f"{place}: the match to {self.length} is over already: {self.scores[0]} to {self.scores[1]}"
            )
        if said and said != self.scores:
            raise UserError(
                f"{place}: the score is given as {said[0]} to {said[1]}, but the games before lead to "
                f"{self.scores[0]} to {self.scores[1]}"
            )
        self.games += 1
        due = self.length > 1 and self.crawford_rule and self.length - 1 in self.scores and not self.crawford_played
        now = due if crawford is None else crawford
        if now and (self.length < 2 or self.length - 1 not in self.scores or self.crawford_played):
            raise UserError(f"{place}: not a Crawford game: it is the first in which a side needs one point")
        self.crawford_played |= due
        return GameTerms(self.length, self.scores, now)

    def end(self, game: Transcript) -> None:
        """Add the points of a finished game."""
        if game.winner is not None:
            scores = list(self.scores)
            scores[game.winner] += game.points
            self.scores = scores[0], scores[1]
