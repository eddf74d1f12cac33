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
from sparring.games.game import legal_moves, play_move, start_game
from sparring.lab.log import LogWriter
from sparring.lab.person_record import KIND, YOU, finished
from sparring.lab.store import Store

FEW = 8  # so many moves are listed unasked
HELP = "type a move, or its number in the list; `list` shows all moves, `board` the board, `quit` stops"


@dataclass
class Session:
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
        return self.game.view.news(before[0], self.state[0], self.labels)

    def heard(self, move: int) -> str:
        """What the seat to move does, as far as it may be heard; empty for nothing."""
        said = self.words(move) if self.seat is None else self.game.view.heard(self.state[0], move, self.seat)
        return f"{self.labels[self.turn]}{_roll(self)}: {said}" if said else ""

    def board(self) -> str:
        """The table as the person sees it; where all see the same, one who watches sits in the first seat."""
        seat = 0 if self.seat is None and self.game.rules.perfect_information else self.seat
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
    session = Session(game, start_game(game, seed, 0, 0, seats), seat, names)
    where = f"; you are seat {seat}" if seats > 2 else ""
    told = ", ".join(name for name in names if name != YOU)
    session.say(f"{game.name} against {told}, seed {seed}{where}. To move, {HELP}. There is no taking back.")
    with ExitStack() as stack:
        choosers = stack.enter_context(seated(game, others))
        while not session.state[0]["over"]:
            turn = session.turn
            if turn == seat:
                move = ask(session)
            else:
                move = choosers[turn - (turn > seat)](session.state)
                heard = session.heard(move)
                if heard:
                    session.say("\n" * (seats == 2) + heard)
            news = session.play(move)
            if news:
                session.say(news)
    finish(session, seed, [contestant.name for contestant in opponents], store, writer)


def find_opponents(game: Game, against: str) -> list[Contestant]:
    """Who takes the other seats: each is named, `a,b,c`, or one stands for all."""
    words = against.split(",")
    if len(words) == 1:
        words *= min(game.rules.seats) - 1
    opponents = [find_player(game, word) for word in words]
    if len(opponents) + 1 not in game.rules.seats:
        others = " or ".join(str(seats - 1) for seats in game.rules.seats)
        raise UserError(f"--against {against}: {game.name} is for you and {others} others; name one for all, or each")
    return opponents


def default_opponent(game: Game) -> str:
    """The champion that comes with the game, or else its second built-in player."""
    return next(iter(game.policies.champions), game.builtin[min(1, len(game.builtin) - 1)])


def _roll(session: Session) -> str:
    """What was rolled, where the game has dice: ` rolls 31`."""
    roll = session.game.view.roll(session.state[0])
    return f" rolls {roll}" if roll else ""


def ask(session: Session) -> int:
    """The person's move: asked again until it is a legal one. The only move is made for them, and said."""
    legal = legal_moves(session.game, session.state)
    roll = _roll(session)
    session.say(f"\n{session.board()}\n")
    if len(legal) == 1:
        session.say(
            f"you{roll.replace('rolls', 'roll')}{' and' * bool(roll)} have no choice: {session.words(legal[0])}"
        )
        return legal[0]
    if len(legal) <= FEW:
        _list(session, legal)
    while True:
        try:
            said = input(f"your move{roll.replace(' rolls', ' with')}> ").strip()
        except EOFError:
            raise Stopped("stopped; a game that is not finished is not recorded") from None
        try:
            if said.lower() in ("quit", "exit"):
                raise Stopped("stopped; a game that is not finished is not recorded")
            if said.lower() in ("list", "?", "help", "board"):
                _answer(session, legal, said.lower())
            elif said:
                return read_move(session, legal, said)
        except UserError as error:
            session.say(str(error))


def _answer(session: Session, legal: tuple[int, ...], said: str) -> None:
    if said == "list":
        _list(session, legal)
    else:
        session.say(session.board() if said == "board" else HELP)


def _list(session: Session, legal: tuple[int, ...]) -> None:
    for number, move in enumerate(legal, 1):
        session.say(f"{number:4}  {session.words(move)}")


def read_move(session: Session, legal: tuple[int, ...], said: str) -> int:
    """A move by its number in the list, or in the game's notation."""
    if said.isdecimal():
        if not 1 <= int(said) <= len(legal):
            raise UserError(f"{said}: there are {len(legal)} moves; `list` shows them")
        return legal[int(said) - 1]
    return session.game.view.read_move(session.state[0], said)


def finish(session: Session, seed: int, against: list[str], store: Store, writer: LogWriter | None) -> None:
    """Say who won, and record it."""
    tally, seats = session.state[0]["tally"], len(session.names)
    session.say(f"\n{session.board()}\n\n{result_words(session, tally['score'][:seats])}")
    played = Played(seed, 0, 0, seats, tuple(session.moves))
    seat = session.names.index(YOU)
    store.record_results(KIND, [finished(session.game, played, tally, session.names, seat, against)])
    if writer:
        writer.keep([played])
    show.out.print(f"recorded in {store.name}", style="dim")


def result_words(session: Session, scores: np.ndarray) -> str:
    """`you win: 3 to 0`; of more than two, or of others, `you win: seat 0 (you) 31, seat 1 (random) 104, ...`."""
    won, drawn = winners(scores, session.game.rules.lower_is_better)
    labels, you = session.labels, session.seat
    mine = you is not None and won[you]
    word = "drawn" if drawn else "you win" if mine else f"{labels[int(np.argmax(won))]} wins"
    if len(labels) == 2 and you is not None:
        return f"{word}: {scores[you]} to {scores[1 - you]}"
    return f"{word}: {', '.join(f'{label} {score}' for label, score in zip(labels, scores, strict=True))}"
