"""A game in progress, on which the terminal, the tables of the web page, matches with programs and tests all play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sparring.arena.match import winners
from sparring.arena.players import Chooser, Contestant
from sparring.errors import Failure, UserError
from sparring.games import Game, Played
from sparring.games.game import legal_moves, play_move, start_game

NOBODY = -1  # the viewer of those without a seat, who see no hidden card; also the turn when the game is over
Viewer = int | None  # a seat, NOBODY, or None for open cards


@dataclass(frozen=True)
class RoundEnd:
    """A round of a game that is over."""

    number: int  # of moves made by then
    state: np.ndarray  # as people see the end, with open cards: an array of one
    points: list[float]  # of each seat in this round


class Mover(Protocol):
    """Whoever chooses the moves of a seat: a player of ours, a program, a Python function."""

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat to move. The move is not made; only that seat's luck and policy state may change."""


class Session:
    """One game from its deal on: who sits where, the moves so far, and who made them."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seed: int,
        deal: int = 0,
        luck: int = 0,
        movers: Mapping[int, Mover] | None = None,
    ) -> None:
        self.game, self.names, self.movers = game, list(names), dict(movers or {})
        self.dealt = seed, deal, luck, len(names)
        self.restart()

    def restart(self, moves: Iterable[int] = ()) -> None:
        """Deal again and play these moves."""
        self.state = start_game(self.game, *self.dealt)
        self.before = self.state  # the state before the last move
        self.moves: list[int] = []
        self.turns: list[int] = []  # who made each move
        self.reversible: list[bool] = []  # whether each move can be taken back
        self.rounds: list[RoundEnd] = []
        self.play_moves(moves)

    @property
    def over(self) -> bool:
        return bool(self.state[0]["over"])

    @property
    def turn(self) -> int:
        """The seat to move; NOBODY when the game is over."""
        return NOBODY if self.over else int(self.state[0]["turn"])

    @property
    def scores(self) -> list[float]:
        """The score of each seat so far."""
        scores: list[float] = self.state[0]["tally"]["score"][: len(self.names)].tolist()
        return scores

    @property
    def legal(self) -> tuple[int, ...]:
        return legal_moves(self.game, self.state)

    @property
    def played(self) -> Played:
        """The game so far as a log stores it."""
        return Played(*self.dealt, tuple(self.moves))

    # Playing.

    def choose(self) -> int:
        """The move that the player to move chooses; a Failure names a player whose move is illegal."""
        move = self.movers[self.turn].choose(self.state)
        if move not in self.legal:
            raise Failure(f"{self.names[self.turn]}: chose {move}, which is no legal move")
        return move

    def play(self, move: int, chosen_in: np.ndarray | None = None) -> None:
        """Play a legal move. `chosen_in` is a copy of the state in which a player chose it and changed its private fields."""
        if chosen_in is not None:
            self.set_private({name: chosen_in[0][name] for name in self._private_fields()})
        before, turn = self.state.copy(), self.turn
        play_move(self.game, self.state, move)
        self.before = before
        self.moves.append(move)
        self.turns.append(turn)
        self.reversible.append(self.game.view.reversible(before[0], move))
        self._end_round(before, move)

    def _end_round(self, before: np.ndarray, move: int) -> None:
        """Keep the end of a round if the last move brought it."""
        view, after = self.game.view, self.state[0]
        if view.rounds(before[0]) < view.rounds(after):
            end = np.array([view.round_end(before[0], move, after)], self.state.dtype)
            scores, seats = (s["tally"]["score"] for s in (after, before[0])), len(self.names)
            now, then = (score[:seats].tolist() for score in scores)
            self.rounds.append(RoundEnd(len(self.moves), end, [a - b for a, b in zip(now, then, strict=True)]))

    def play_moves(self, moves: Iterable[int]) -> "Session":
        """Play these moves."""
        for move in moves:
            self.play(move)
        return self

    def play_out(self) -> "Session":
        """Let the players play to the end."""
        while not self.over:
            self.play(self.choose())
        return self

    def state_before(self, number: int) -> np.ndarray:
        """The state in which a move was made, by its number from 0."""
        state = start_game(self.game, *self.dealt)
        for move in self.moves[:number]:
            play_move(self.game, state, move)
        return state

    # What moves do not determine: what players write into a state while they choose.

    def private(self) -> dict[str, Any]:
        """Each seat's luck and the state of its policy, as JSON stores them."""
        return {name: self.state[0][name].tolist() for name in self._private_fields()}

    def set_private(self, values: Mapping[str, Any]) -> None:
        """Back from `private`."""
        for name, value in values.items():
            self.state[0][name] = value

    def restore_private(self, values: Any) -> None:
        """The same from a file, whose values are checked."""
        try:
            like = {name: self.state[0][name] for name in self._private_fields()}
            self.set_private(
                {name: np.array(value, like[name].dtype).reshape(like[name].shape) for name, value in values.items()}
            )
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
            raise UserError("what the players of this game remember is damaged") from None

    def _private_fields(self) -> list[str]:
        return ["luck", *sorted(self.game.policies.policy_state)]

    # What a viewer sees and hears. `names` are the players as that viewer calls them.

    @property
    def shown(self) -> Any:
        """The state to show: at the end of the game, that of its last round."""
        return self.rounds[-1].state[0] if self.over and self.rounds else self.state[0]

    def replay(self, moves: Iterable[int]) -> Iterator[tuple[str, Any]]:
        """Play these moves: what was said of each, and the state to show; where a round ends, its end with open cards."""
        yield "", self.state[0]
        for move in moves:
            said = self.heard(move, None)
            self.play(move)
            ended = self.rounds and self.rounds[-1].number == len(self.moves)
            shown = self.rounds[-1].state[0] if ended else self.state[0]
            yield "; ".join(filter(None, [said, *self.news().split("\n")])), shown

    def board(self, viewer: Viewer, names: Sequence[str] = (), state: Any = None) -> str:
        """The table as text; where all seats see the same, open cards are those of the first seat."""
        seat = 0 if viewer is None and self.game.rules.perfect_information else viewer
        return self.game.view.text(self.shown if state is None else state, seat, names or self.names)

    def scorecard(self) -> list[tuple[str, list[float]]]:
        """The points of every round so far, the bonuses and the total, by name; empty in a game of one round."""
        view = self.game.view
        rows = [(f"{view.round_word} {n}", end.points) for n, end in enumerate(self.rounds, 1)]
        if self.over:
            rows += view.bonuses(self.state[0])
        if len(rows) < 2 and self.over:
            return []
        total = [sum(column) for column in zip(*(points for _, points in rows), strict=True)]
        return [*rows, ("total", total)] if rows else []

    def move_text(self, move: int) -> str:
        return self.game.view.move_text(self.state[0], move)

    @property
    def roll(self) -> str:
        """The dice of the seat to move; empty in a game without dice."""
        return self.game.view.roll(self.state[0])

    def heard(self, move: int, viewer: Viewer, names: Sequence[str] = ()) -> str:
        """What a viewer hears of a move, as a sentence, before it is played; empty for nothing."""
        return self.game.view.sentence(self.state[0], move, viewer, (names or self.names)[self.turn])

    def news(self, names: Sequence[str] = ()) -> str:
        """What the last move brought about that everyone sees, such as who takes a trick; empty for nothing."""
        return self.game.view.news(self.before[0], self.state[0], names or self.names)

    def result(self, viewer: Viewer = None, names: Sequence[str] = ()) -> str:
        """The end of the game in words, as a viewer reads it."""
        return result_text(self.game, names or self.names, self.scores, viewer)


def result_text(game: Game, names: Sequence[str], scores: Sequence[float], viewer: Viewer = None) -> str:
    """`you win, 3 to 0` for one of two, the winner's score first; otherwise `b wins: a 31, b 104, ...`."""
    won, drawn = winners(np.asarray(scores), game.rules.lower_is_better)
    best = int(np.argmax(won))
    first_places = [seat for seat, score in enumerate(scores) if score == _best(game, scores)]
    word = "you win" if best == viewer else f"{names[best]} wins"
    if drawn:
        shared = len(first_places) < len(names)
        word = f"{' and '.join(names[seat] for seat in first_places)} share first place" if shared else "drawn"
    if len(names) == 2 and viewer in (0, 1):
        first = viewer if drawn else best
        return f"{word}, {scores[first]} to {scores[1 - first]}"
    return f"{word}: {', '.join(f'{name} {score}' for name, score in zip(names, scores, strict=True))}"


def _best(game: Game, scores: Sequence[float]) -> float:
    return min(scores) if game.rules.lower_is_better else max(scores)


@contextmanager
def seated(game: Game, contestants: Sequence[Contestant]) -> Iterator[list[Mover]]:
    """Contestants ready to choose. Programs are started once and always closed."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(closing(contestant.external())) if contestant.external else Chooser(game, contestant)
            for contestant in contestants
        ]
