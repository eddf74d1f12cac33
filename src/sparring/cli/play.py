"""A game at the terminal: a person against one player or several, in words that every game shares."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from sparring.arena.external import seated
from sparring.arena.match import winners
from sparring.arena.players import Contestant, find_player, find_players
from sparring.cli import show
from sparring.cli.paint import Painter
from sparring.errors import Stopped, UserError
from sparring.games import Game, Played, name_game
from sparring.games.game import Spoken, legal_moves, move_heard, play_move, start_game
from sparring.lab.log import LogWriter
from sparring.lab.record import KIND, YOU, finished
from sparring.lab.store import Store

FEW = 8  # so many moves are listed unasked
HELP = "type a move, or its number in the list; `list` shows all moves, `board` the board, `quit` stops"


@dataclass
class Sitting:
    """A person at the table, or someone who watches: the game so far, and where everyone sits."""

    game: Game
    state: np.ndarray
    seat: int | None  # the person's; None sees all cards
    names: list[str]
    moves: list[int] = field(default_factory=list)

    @property
    def turn(self) -> int:
        return int(self.state[0]["turn"])

    @property
    def labels(self) -> list[str]:
        """Who is who at the table: of two the names say it, of more the seats, which the board has."""
        if len(self.names) == 2:
            return self.names
        return [f"seat {seat} ({name})" for seat, name in enumerate(self.names)]

    @cached_property
    def painter(self) -> Painter:
        return Painter(self.game, self.names)

    def say(self, text: str) -> None:
        """Print it, in colours where there are any."""
        self.painter.say(text)

    def words(self, move: int) -> str:
        return self.game.view.move_text(self.state[0], move)

    def play(self, move: int) -> str:
        """Make a move; returns what it has brought about that everyone sees, or nothing."""
        before = self.state.copy()
        play_move(self.game, self.state, move)
        self.moves.append(move)
        if isinstance(self.game.view, Spoken):
            return self.game.view.news(before[0], self.state[0], self.labels)
        return ""

    def heard(self, move: int) -> str:
        """What the seat to move does, as far as it may be heard; empty for nothing."""
        said = self.words(move) if self.seat is None else move_heard(self.game, self.state, move, self.seat)
        return f"{self.labels[self.turn]}{_roll(self)}: {said}" if said else ""

    def board(self) -> str:
        """The table as the person sees it; where all see the same, one who watches sits in the first seat."""
        seat = 0 if self.seat is None and self.game.shared else self.seat
        return self.game.view.text(self.state[0], seat)


def play_game(name: str, against: str, seed: int, seat: int, log: Path | None, runs: Path) -> None:
    """Play one game, say how it ended, and record it."""
    game = name_game(name)
    opponents = find_opponents(game, against or default_opponent(game))
    seats = len(opponents) + 1
    if not 0 <= seat < seats:
        raise UserError(f"--seat {seat}: must be from 0 to {seats - 1}")
    store, others = Store(runs), find_players(game, list(opponents))
    names = [contestant.name for contestant in others]
    names.insert(seat, YOU)
    writer = LogWriter(log, game, seed, names, "given") if log else None
    game.launcher.prepare()
    sitting = Sitting(game, start_game(game, seed, 0, 0, seats), seat, names)
    where = f"; you are seat {seat}" if seats > 2 else ""
    told = ", ".join(name for name in names if name != YOU)
    sitting.say(f"{game.name} against {told}, seed {seed}{where}. To move, {HELP}. There is no taking back.")
    with ExitStack() as stack:
        choosers = stack.enter_context(seated(game, others))
        while not sitting.state[0]["over"]:
            turn = sitting.turn
            if turn == seat:
                move = ask(sitting)
            else:
                move = choosers[turn - (turn > seat)](sitting.state)
                heard = sitting.heard(move)
                if heard:
                    sitting.say("\n" * (seats == 2) + heard)
            news = sitting.play(move)
            if news:
                sitting.say(news)
    finish(sitting, seed, [contestant.name for contestant in opponents], store, writer)


def find_opponents(game: Game, against: str) -> list[Contestant]:
    """Who takes the other seats: each is named, `a,b,c`, or one stands for all."""
    words = against.split(",")
    if len(words) == 1:
        words *= min(game.seats) - 1
    opponents = [find_player(game, word) for word in words]
    if len(opponents) + 1 not in game.seats:
        others = " or ".join(str(seats - 1) for seats in game.seats)
        raise UserError(f"--against {against}: {game.name} is for you and {others} others; name one for all, or each")
    return opponents


def default_opponent(game: Game) -> str:
    """The champion that comes with the game, or else its second built-in player."""
    return next(iter(game.champions), game.builtin[min(1, len(game.builtin) - 1)])


def _roll(sitting: Sitting) -> str:
    """What was rolled, where the game has dice: ` rolls 31`."""
    dice = sitting.game.view.state_json(sitting.state[0]).get("dice")
    return f" rolls {''.join(map(str, dice))}" if dice else ""


def ask(sitting: Sitting) -> int:
    """The person's move: asked again until it is a legal one. The only move is made for them, and said."""
    legal = legal_moves(sitting.game, sitting.state)
    roll = _roll(sitting)
    sitting.say(f"\n{sitting.board()}\n")
    if len(legal) == 1:
        sitting.say(
            f"you{roll.replace('rolls', 'roll')}{' and' * bool(roll)} have no choice: {sitting.words(legal[0])}"
        )
        return legal[0]
    if len(legal) <= FEW:
        _list(sitting, legal)
    while True:
        try:
            said = input(f"your move{roll.replace(' rolls', ' with')}> ").strip()
        except EOFError:
            raise Stopped("stopped; a game that is not finished is not recorded") from None
        try:
            if said.lower() in ("quit", "exit"):
                raise Stopped("stopped; a game that is not finished is not recorded")
            if said.lower() in ("list", "?", "help", "board"):
                _answer(sitting, legal, said.lower())
            elif said:
                return read_move(sitting, legal, said)
        except UserError as error:
            sitting.say(str(error))


def _answer(sitting: Sitting, legal: tuple[int, ...], said: str) -> None:
    if said == "list":
        _list(sitting, legal)
    else:
        sitting.say(sitting.board() if said == "board" else HELP)


def _list(sitting: Sitting, legal: tuple[int, ...]) -> None:
    for number, move in enumerate(legal, 1):
        sitting.say(f"{number:4}  {sitting.words(move)}")


def read_move(sitting: Sitting, legal: tuple[int, ...], said: str) -> int:
    """A move by its number in the list, or in the game's notation."""
    if said.isdecimal():
        if not 1 <= int(said) <= len(legal):
            raise UserError(f"{said}: there are {len(legal)} moves; `list` shows them")
        return legal[int(said) - 1]
    read = getattr(sitting.game.view, "read_move", None)
    if read is None:
        raise UserError(f"{said!r}: type the number of a move; `list` shows them")
    return int(read(sitting.state[0], said))


def finish(sitting: Sitting, seed: int, against: list[str], store: Store, writer: LogWriter | None) -> None:
    """Say who won, and record it."""
    tally, seats = sitting.state[0]["tally"], len(sitting.names)
    sitting.say(f"\n{sitting.board()}\n\n{result_words(sitting, tally['score'][:seats])}")
    played = Played(seed, 0, 0, seats, tuple(sitting.moves))
    seat = sitting.names.index(YOU)
    store.record_results(KIND, [finished(sitting.game, played, tally, sitting.names, seat, against)])
    if writer:
        writer.keep([played])
    show.out.print(f"recorded in {store.name}", style="dim")


def result_words(sitting: Sitting, scores: np.ndarray) -> str:
    """`you win: 3 to 0`; of more than two, or of others, `you win: seat 0 (you) 31, seat 1 (random) 104, ...`."""
    won, drawn = winners(scores, sitting.game.low_wins)
    labels, you = sitting.labels, sitting.seat
    mine = you is not None and won[you]
    word = "drawn" if drawn else "you win" if mine else f"{labels[int(np.argmax(won))]} wins"
    if len(labels) == 2 and you is not None:
        return f"{word}: {scores[you]} to {scores[1 - you]}"
    return f"{word}: {', '.join(f'{label} {score}' for label, score in zip(labels, scores, strict=True))}"
