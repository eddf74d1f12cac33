"""`sparring play`: a person's game in the terminal, in words that every game shares."""

from pathlib import Path
from secrets import randbelow
from textwrap import fill

from sparring.arena.players import Entrant, default_opponent, fill_seats, find_player, find_players
from sparring.arena.session import Session, seated
from sparring.cli import show
from sparring.cli.paint import Painter
from sparring.errors import Stopped, UserError
from sparring.games import Game, name_game
from sparring.games.game import with_rules
from sparring.lab.log import LogWriter
from sparring.lab.person_record import KIND, YOU, finished
from sparring.lab.store import Store

WIDEST = 100  # columns of a paragraph
FEW = 8  # up to so many moves are listed unasked
HELP = [
    "Type a move, or its number in the list.",
    "`list` shows all moves, `board` the board, `?` the rules, `quit` stops.",
]
STOPPED = "stopped; a game that is not finished is not recorded"


def play(
    game: str,
    against: Entrant = "",
    *,
    seed: int | None = None,
    seat: int = 0,
    log: Path | None = None,
    runs: str | Path = "runs",
) -> None:
    """Play a game in the terminal; its result is printed and recorded.

    `against` is a player for all other seats, or the names of several: `a,b,c`; by default the champion. `seed` is a new
    one unless it is given.
    """
    the_game, seed = for_people(name_game(game), game), randbelow(10**9) if seed is None else seed
    named = (against or default_opponent(the_game)).split(",") if isinstance(against, str) else [against]
    opponents = [find_player(the_game, player) for player in fill_seats(the_game, named, people=1)]
    if not 0 <= seat <= len(opponents):
        raise UserError(f"--seat {seat}: must be from 0 to {len(opponents)}")
    store, others = Store(Path(runs)), find_players(the_game, opponents)
    names = [contestant.name for contestant in others]
    title = f"{the_game.name} against {', '.join(names)}, seed {seed}"
    names.insert(seat, YOU)
    writer = LogWriter(log, the_game, seed, names, "given") if log else None
    the_game.launcher.prepare()
    with seated(the_game, others) as movers:
        free = [n for n in range(len(names)) if n != seat]
        session = Session(the_game, names, seed, movers=dict(zip(free, movers, strict=True)))
        table = Table(session, seat)
        table.say("\n".join([f"{title}.", *HELP]))
        while not session.over:
            table.turn()
    table.say(f"\n{session.board(seat)}\n\n{capital(session.result(seat))}")
    tally, faced = session.state[0]["tally"], [contestant.name for contestant in opponents]
    store.record_results(KIND, [finished(the_game, session.played, tally, names, seat, faced)])
    if writer:
        writer.keep([session.played])
    if not store.failing:
        show.out.print(f"recorded in {store.name}", style="dim")


def for_people(game: Game, name: str) -> Game:
    """The game under the rules by which people play, unless its name has rules."""
    people = game.presentation.people
    return with_rules(game, people) if people and ":" not in name else game


def scorecard_text(session: Session) -> str:
    """The points of every round, a column for each player."""
    rows = [("", [str(name) for name in session.names])]
    rows += [(title, [f"{points:g}" for points in each]) for title, each in session.scorecard()]
    widths = [max(len(row[1][n]) for row in rows) for n in range(len(session.names))]
    left = max(len(title) for title, _ in rows)
    lines = (
        f"{title:{left}}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths, strict=True))
        for title, cells in rows
    )
    return "\n".join(lines)


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


class Table:
    """A session as a person sees it from a seat, and the questions that the terminal asks."""

    def __init__(self, session: Session, seat: int) -> None:
        self.session, self.seat = session, seat
        self.say = Painter(session.game, session.names).say

    def turn(self) -> None:
        """Ask the person or the player to move, and print what happens."""
        session = self.session
        if session.turn == self.seat:
            move = self.ask()
        else:
            move = session.choose()
            heard = session.heard(move, self.seat)
            if heard:
                self.say("\n" * (len(session.names) == 2) + heard)
        session.play(move)
        if session.news():
            self.say(session.news())
        if session.rounds and session.rounds[-1].number == len(session.moves) and not session.over:
            self.end_round()

    def end_round(self) -> None:
        """Show the open cards and the scorecard, and wait for the person."""
        session = self.session
        self.say(f"\n{session.board(self.seat, state=session.rounds[-1].state[0])}\n\n{scorecard_text(session)}")
        try:
            input(f"Enter: the next {session.game.view.round_word}> ")
        except EOFError:
            raise Stopped(STOPPED) from None

    def ask(self) -> int:
        """The person's move, asked for until it is a legal one. The only legal move is played unasked."""
        session, legal = self.session, self.session.legal
        self.say(f"\n{session.board(self.seat)}\n")
        if len(legal) == 1:
            rolled = f" roll {session.roll} and" if session.roll else ""
            self.say(f"You{rolled} have no choice: {session.move_text(legal[0])}")
            return legal[0]
        self.say(session.game.view.expected(session.state[0], self.seat))
        if len(legal) <= FEW:
            self.list_moves()
        prompt = f"your move with {session.roll}> " if session.roll else "your move> "
        while True:
            try:
                answer = input(prompt).strip()
            except EOFError:
                raise Stopped(STOPPED) from None
            try:
                move = self.read(answer)
            except UserError as error:
                self.say(str(error))
                continue
            if move is not None:
                return move

    def read(self, answer: str) -> int | None:
        """A move by its number in the list or in the game's notation; a question is answered, and gives no move."""
        session, legal = self.session, self.session.legal
        word = answer.lower()
        if word in ("quit", "exit"):
            raise Stopped(STOPPED)
        if word == "list":
            self.list_moves()
        elif word == "board":
            self.say(session.board(self.seat))
        elif word in ("?", "help"):
            self.explain()
        elif answer.isdecimal():
            if not 1 <= int(answer) <= len(legal):
                raise UserError(f"{answer}: there are {len(legal)} moves; `list` shows them")
            return legal[int(answer) - 1]
        elif answer:
            return session.game.view.read_move(session.state[0], answer)
        return None

    def explain(self) -> None:
        """The rules in a few sentences, and what can be typed."""
        guide, width = self.session.game.presentation.guide, min(show.out.width, WIDEST)
        for line in [*(guide.lines() if guide else []), *HELP]:
            self.say(fill(line, width))

    def list_moves(self) -> None:
        for number, move in enumerate(self.session.legal, 1):
            self.say(f"{number:4}  {self.session.move_text(move)}")
