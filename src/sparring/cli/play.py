"""`sparring play`: a person's game in the terminal, in words that every game shares. It is kept after every move."""

import secrets
from contextlib import ExitStack
from pathlib import Path
from textwrap import fill

from sparring.arena.players import Contestant, Entrant, default_opponent, fill_seats, find_player, find_players
from sparring.arena.session import Session, seated
from sparring.cli import show
from sparring.cli.paint import Painter
from sparring.errors import Stopped, UserError
from sparring.games import Game, name_game
from sparring.games.game import with_rules
from sparring.lab.log import LogWriter
from sparring.lab.person_record import KIND, YOU, finished
from sparring.lab.store import Store
from sparring.web.refusals import Refusal
from sparring.web.table_files import read_table
from sparring.web.tables import PLAY, TERMINAL, Seat, Table

WIDEST = 100  # columns of a paragraph
FEW = 8  # up to so many moves are listed unasked
HELP = [
    "Type a move, or its number in the list.",
    "`list` shows all moves, `board` the board, `?` the rules; `undo`, `resign`, `quit`.",
]
KEPT = "stopped; go on with: sparring play --resume"
UNREADABLE = (Refusal, UserError, ValueError, KeyError, TypeError, AttributeError, OSError)


def play(
    game: str = "",
    against: Entrant = "",
    *,
    seed: int | None = None,
    seat: int = 0,
    log: Path | None = None,
    runs: str | Path = "runs",
    resume: bool = False,
) -> None:
    """Play a game in the terminal; its result is printed and recorded.

    `against` is a player for all other seats, or the names of several: `a,b,c`; by default the champion. `seed` is a new
    one unless it is given. With `resume`, go on with the last unfinished game, of the terminal or of the page.
    """
    folder = Path(runs) / "tables"
    table, others = last_unfinished(folder, game) if resume else new_table(game, against, seed, seat)
    Sitting(table, others, folder, Store(Path(runs)), log).play()


def new_table(game: str, against: Entrant, seed: int | None, seat: int) -> tuple[Table, list[Contestant]]:
    """A table with the person in a seat, and the players in the others."""
    the_game, seed = for_people(name_game(game), game), secrets.randbelow(10**9) if seed is None else seed
    named = (against or default_opponent(the_game)).split(",") if isinstance(against, str) else [against]
    words = fill_seats(the_game, named, people=1)
    others = [find_player(the_game, player) for player in words]
    if not 0 <= seat <= len(others):
        raise UserError(f"--seat {seat}: must be from 0 to {len(others)}")
    seats = [
        Seat(None, str(word) if isinstance(word, str | Path) else contestant.name)
        for word, contestant in zip(words, others, strict=True)
    ]
    seats.insert(seat, Seat(TERMINAL))
    return Table(secrets.token_urlsafe(18), the_game, seed, seats, TERMINAL), others


def for_people(game: Game, name: str) -> Game:
    """The game under the rules by which people play, unless its name has rules."""
    people = game.presentation.people
    return with_rules(game, people) if people and ":" not in name else game


def last_unfinished(folder: Path, game: str) -> tuple[Table, list[Contestant]]:
    """The unfinished game of one person that was changed last; of this game, if one is named."""
    for path in sorted(folder.glob("*.json"), key=lambda path: -path.stat().st_mtime):
        try:
            table = read_table(path)
        except UNREADABLE:
            continue
        fits = game in ("", table.game.family, table.game.name)
        if table.kind == PLAY and not table.over and len(table.people) == 1 and fits:
            return table, [find_player(table.game, seat.player) for seat in table.seats if seat.person is None]
    raise UserError(f"--resume: there is no unfinished game{f' of {game}' if game else ''} in {folder.parent}")


def scorecard_text(session: Session) -> str:
    """The points of every round, a column for each player."""
    rows = [("", list(session.names))]
    rows += [(title, [f"{points:g}" for points in each]) for title, each in session.scorecard()]
    widths = [max(len(cells[n]) for _, cells in rows) for n in range(len(session.names))]
    left = max(len(title) for title, _ in rows)
    lines = ["  ".join(f"{cell:>{wide}}" for cell, wide in zip(cells, widths, strict=True)) for _, cells in rows]
    return "\n".join(f"{title:{left}}  {line}" for (title, _), line in zip(rows, lines, strict=True))


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


class Sitting:
    """A table as a person sees it from a seat, and the questions that the terminal asks."""

    def __init__(self, table: Table, faced: list[Contestant], folder: Path, store: Store, log: Path | None) -> None:
        self.table, self.faced, self.folder, self.store = table, faced, folder, store
        self.game, (self.seat,) = table.game, table.people
        self.person = str(table.seats[self.seat].person)
        self.others = find_players(self.game, faced)
        self.names = [contestant.name for contestant in self.others]
        self.title = f"{self.game.name} against {', '.join(self.names)}, seed {table.seed}"
        self.names.insert(self.seat, YOU)
        self.log = LogWriter(log, self.game, table.seed, self.names, "given") if log else None
        self.say = Painter(self.game, self.names).say

    @property
    def session(self) -> Session:
        return self.table.ready()

    def play(self) -> None:
        """Play the game to its end, or until the person stops."""
        self.game.launcher.prepare()
        with ExitStack() as stack:
            movers = stack.enter_context(seated(self.game, self.others))
            free = [n for n in range(len(self.names)) if n != self.seat]
            self.movers = dict(zip(free, movers, strict=True))
            self.begin()
            self.say("\n".join([f"{self.title}.", *HELP]))
            while not self.table.over:
                self.turn()
        self.finish()

    def begin(self) -> None:
        """Deal, or restore the game."""
        if self.table.session is None:
            self.table.begin()
        self.session.names, self.session.movers = self.names, dict(self.movers)

    def finish(self) -> None:
        """Print and record the result."""
        session, table = self.session, self.table
        if table.resigned < 0:
            self.say(f"\n{session.board(self.seat)}\n")
            if session.scorecard():
                self.say(f"{scorecard_text(session)}\n")
        self.say(capital(session.result(self.seat)) if table.resigned < 0 else "You resign.")
        faced = [contestant.name for contestant in self.faced]
        result = finished(self.game, session.played, session.state[0]["tally"], self.names, self.seat, faced)
        result |= {"table": table.id} | ({"resigned": True} if table.resigned >= 0 else {})
        self.store.record_results(KIND, [result])
        table.recorded = True
        table.save(self.folder, lasting=True)
        if self.log and table.resigned < 0:
            self.log.keep([session.played])
        if not self.store.failing:
            show.out.print(f"recorded in {self.store.name}", style="dim")

    def turn(self) -> None:
        """Ask the person or the player to move, and print what happens."""
        session = self.session
        if session.turn == self.seat:
            move = self.ask()
            if move is None:
                return
        else:
            move = session.choose()
            heard = session.heard(move, self.seat)
            if heard:
                self.say("\n" * (len(session.names) == 2) + heard)
        session.play(move)
        self.table.save(self.folder)
        if session.news():
            self.say(session.news())
        if session.rounds and session.rounds[-1].number == len(session.moves) and not session.over:
            self.end_round()

    def end_round(self) -> None:
        """Show the open cards and the scorecard, and wait for the person."""
        session = self.session
        self.say(f"\n{session.board(self.seat, state=session.rounds[-1].state[0])}\n\n{scorecard_text(session)}")
        self.input(f"Enter: the next {self.game.view.round_word}> ")

    def input(self, prompt: str) -> str:
        """What the person types."""
        try:
            return input(prompt).strip()
        except EOFError:
            raise Stopped(KEPT) from None

    def ask(self) -> int | None:
        """The person's move, asked for until it is a legal one; None if the game is another now. The only legal move is played."""
        session, legal = self.session, self.session.legal
        self.say(f"\n{session.board(self.seat)}\n")
        if len(legal) == 1:
            rolled = f" roll {session.roll} and" if session.roll else ""
            self.say(f"You{rolled} have no choice: {session.move_text(legal[0])}")
            return legal[0]
        self.say(self.game.view.expected(session.state[0], self.seat))
        if len(legal) <= FEW:
            self.list_moves()
        prompt = f"your move with {session.roll}> " if session.roll else "your move> "
        while True:
            answer = self.input(prompt)
            try:
                move = self.read(answer)
            except (UserError, Refusal) as error:
                self.say(fill(str(error), show.out.width))
                continue
            if move is not None or answer.lower() in ("undo", "resign"):
                return move

    def read(self, answer: str) -> int | None:
        """A move by its number in the list or in the game's notation; a question is answered, and gives no move."""
        session, legal = self.session, self.session.legal
        word = answer.lower()
        if word in ("quit", "exit"):
            raise Stopped(KEPT)
        if word == "list":
            self.list_moves()
        elif word == "board":
            self.say(session.board(self.seat))
        elif word in ("?", "help"):
            self.explain()
        elif word == "undo":
            self.table.take_back(self.person)
            self.begin()
            self.table.save(self.folder)
        elif word == "resign":
            self.table.resign(self.person)
        elif answer.isdecimal():
            if not 1 <= int(answer) <= len(legal):
                raise UserError(f"{answer}: there are {len(legal)} moves; `list` shows them")
            return legal[int(answer) - 1]
        elif answer:
            return self.game.view.read_move(session.state[0], answer)
        return None

    def explain(self) -> None:
        """The rules in a few sentences, and what can be typed."""
        guide, width = self.game.presentation.guide, min(show.out.width, WIDEST)
        for line in [*(guide.lines() if guide else []), *HELP]:
            self.say(fill(line, width))

    def list_moves(self) -> None:
        for number, move in enumerate(self.session.legal, 1):
            self.say(f"{number:4}  {self.session.move_text(move)}")
