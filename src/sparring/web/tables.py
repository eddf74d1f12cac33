"""A table: a session of play that people and players share, what each of them may see of it, and its file.

    {"version": 1, "game": "NAME:rules", "rules": 1, "kind": "play", "seed": 7, "moves": [17, ...],
     "seats": [{"person": "5f.."}, {"player": "champion"}, ...], "owner": "5f..", ...}

Seed and moves determine the game; what players keep in a state for themselves (luck, policy state) is stored beside them.
"""

import asyncio
import json
import re
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.players import Chooser, default_opponent
from sparring.arena.session import NOBODY, Session, Viewer, result_text
from sparring.errors import UserError, writing
from sparring.games import Game
from sparring.games.view import conjugated
from sparring.lab.person_record import YOU
from sparring.nets.files import replace_file
from sparring.web.naming import player_named
from sparring.web.refusals import LONGEST, Refusal, log

VERSION = 1
HEARD = 60  # the last lines that people read
PLAY, WATCH = "play", "watch"  # kinds of tables
TERMINAL = "terminal"  # the person of a game that was begun in a terminal
SEARCH = re.compile(r"(\+(?:search|flat|ismcts))@\S+")  # how much a player searches is left out at the table


@dataclass
class Seat:
    """Who sits in a seat: a person, by the hash of their id and empty while the seat is free, or a player by name."""

    person: str | None = None
    player: str = ""


@dataclass
class Stored:
    """The game of a table as its file has it."""

    moves: list[int] = field(default_factory=list)
    private: dict[str, Any] = field(default_factory=dict)
    over: bool = False
    turn: int = NOBODY
    scores: list[float] | None = None  # None in a table that was read from its file


@dataclass
class Table:
    """A session with its seats. Whoever reads or changes it holds its `order`."""

    id: str
    game: Game
    seed: int
    seats: list[Seat]
    owner: str
    kind: str = PLAY
    pace: float = 2.0  # moves a second, of a game that is watched
    recorded: bool = False
    resigned: int = NOBODY  # the seat that gave up
    again: dict[str, str] = field(default_factory=dict)  # tables with the same deal, by "same" or "exchanged"
    changed: float = field(default_factory=time.time)
    stored: Stored = field(default_factory=Stored)
    trouble: str = ""  # why a player cannot move
    session: Session | None = None  # None until the game is compiled
    heard: dict[Viewer, list[str]] = field(default_factory=dict)
    shown: dict[tuple[Viewer, str], dict[str, Any]] = field(default_factory=dict)
    version: int = 0  # counts changes
    begun: bool = False  # whether a person has moved
    address: str = ""  # whence the table was made
    used: float = 0.0  # when somebody last asked for it
    written: int = 0  # when its file was last written here, or read
    order: asyncio.Lock = field(default_factory=asyncio.Lock)
    saving: threading.Lock = field(default_factory=threading.Lock)  # a result is recorded outside the order

    @property
    def over(self) -> bool:
        return self.resigned != NOBODY or (self.session.over if self.session else self.stored.over)

    @property
    def turn(self) -> int:
        return self.session.turn if self.session and not self.over else NOBODY

    @property
    def moves(self) -> list[int]:
        return self.session.moves if self.session else self.stored.moves

    @property
    def number(self) -> int:
        return len(self.moves)

    @property
    def people(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if seat.person is not None]

    def seat_of(self, person: str) -> int | None:
        """The seat of a person, if they sit here."""
        return next((n for n, seat in enumerate(self.seats) if person and seat.person == person), None)

    def viewer_of(self, person: str) -> Viewer:
        """What a person may see: their seat's view, everything, or only what is public."""
        seat = self.seat_of(person)
        if seat is not None:
            return seat
        return None if self.over or self.kind == WATCH or self.game.rules.perfect_information else NOBODY

    def player_to_move(self) -> bool:
        return self.turn != NOBODY and self.seats[self.turn].person is None and not self.trouble

    def ready(self) -> Session:
        """The session; refused while the game is being compiled."""
        if self.session is None:
            raise Refusal(409, self.note(None))
        return self.session

    # Playing.

    def begin(self, moves: list[int] | None = None) -> None:
        """Deal, and play these moves; without them, restore the stored game."""
        changed, private = self.changed, self.stored.private if moves is None else {}
        moves = self.stored.moves if moves is None else moves
        self.dismiss()
        self.session = Session(self.game, [""] * len(self.seats), self.seed)
        self.heard = {viewer: [] for viewer in (None, NOBODY, *self.people)}
        try:
            for number, move in enumerate(moves):
                if move not in self.session.legal:
                    raise UserError(f"move {number + 1} of this game, {move}, is not legal")
                self.play(move, aloud=number >= len(moves) - HEARD)
            self.session.restore_private(private)
        except UserError:  # of a damaged file; half a game is none
            self.session = None
            raise
        self.changed = changed
        self.touch()

    @property
    def has_program(self) -> bool:
        """Whether an external program plays here."""
        return any(seat.player in self.game.policies.external for seat in self.seats)

    def dismiss(self) -> None:
        """Close the external programs that play here; they are started again when they are to move."""
        movers = self.session.movers if self.session and self.has_program else {}
        for seat in [seat for seat in movers if self.seats[seat].player in self.game.policies.external]:
            mover: Any = movers.pop(seat)
            mover.close()

    def put_away(self) -> None:
        """Keep only what the file has; the game is dealt again when somebody asks for it."""
        self.dismiss()
        if self.session:
            facts = self.moves, self.session.private(), self.over, self.turn, self.session.scores
            self.stored, self.session, self.heard, self.shown = Stored(*facts), None, {}, {}

    def touch(self) -> None:
        """Forget what was shown: the table has changed."""
        self.version, self.shown = self.version + 1, {}

    def play(self, move: int, chosen_in: np.ndarray | None = None, aloud: bool = True) -> None:
        """Play a legal move of the seat to move, and write lines for those who may read about it."""
        session = self.ready()
        names = {viewer: self.names(viewer) for viewer in self.heard} if aloud else {}
        said = {viewer: session.heard(move, viewer, names[viewer]) for viewer in names}
        session.play(move, chosen_in)
        self.changed = time.time()
        self.touch()
        for viewer, lines in self.heard.items():
            if aloud:
                lines += filter(None, [said[viewer], *session.news(names[viewer]).split("\n")])
                del lines[:-HEARD]

    def person_moves(self, person: str, moves: list[int], number: int) -> None:
        """A person's move, or several that are chosen together; refused unless it is their turn and they are legal."""
        seat = self._seat_in_play(person)
        session = self.ready()
        if number != self.number:
            raise Refusal(409, f"the game has gone on: {self.number} moves are made, not {number}")
        if seat != self.turn:
            raise Refusal(409, f"it is not your turn, but that of {self.names(seat)[self.turn]}")
        together, illegal = self.game.view.together(session.state[0]), set(moves) - set(session.legal)
        if illegal:
            raise Refusal(422, f"{min(illegal)} is no legal move now")
        if not 1 <= len(moves) == len(set(moves)) <= together:
            raise Refusal(422, f"moves: at most {together} different moves are made together now")
        self.begun = True
        for move in moves:
            self.play(move)

    def resign(self, person: str) -> None:
        """Give up: the game is over."""
        self.resigned, self.begun = self._seat_in_play(person), True
        self.changed = time.time()
        self.touch()

    def hand_over(self, person: str) -> None:
        """A player takes a person's seat."""
        seat = self._seat_in_play(person)
        self.seats[seat] = Seat(None, default_opponent(self.game))
        self.heard.pop(seat, None)
        self.touch()

    def _seat_in_play(self, person: str) -> int:
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(403, "you do not sit at this table")
        if self.over:
            raise Refusal(409, "the game is over")
        return seat

    def choose(self, state: np.ndarray, runs: Path) -> int | None:
        """The move of the player to move in a copy of the state, which it may change; None if it cannot move."""
        seat = int(state[0]["turn"])
        name, session = self.seats[seat].player, self.ready()
        try:
            if seat not in session.movers:
                player = player_named(self.game, name, runs)
                session.movers[seat] = player.external() if player.external else Chooser(self.game, player)
            return session.movers[seat].choose(state)
        except (Refusal, UserError) as error:
            self.trouble = f"{name} cannot move: {error}"[:LONGEST]
        except Exception as error:
            self.trouble = f"{name} cannot move: {type(error).__name__}"
            log.error("table %s: %s", self.id[:6], self.trouble, exc_info=error)
        self.touch()
        return None

    def take_back(self, person: str) -> None:
        """Undo a person's own last move and the players' answers to it."""
        seat, session = self._seat_in_play(person), self.ready()
        if seat not in session.turns:
            raise Refusal(409, "you have made no move to take back")
        last = len(session.turns) - 1 - session.turns[::-1].index(seat)
        if any(self.seats[turn].person is not None for turn in session.turns[last + 1 :]):
            raise Refusal(409, "another person has moved since")
        if not all(session.reversible[last:]):
            raise Refusal(409, "this move cannot be taken back: it has shown what was hidden, or what luck brings")
        self.trouble = ""
        self.begin(session.moves[:last])
        self.changed = time.time()

    def can_take_back(self, viewer: Viewer) -> bool:
        """Whether a viewer may take back their last move."""
        session = self.session
        if session is None or self.over or viewer is None or viewer not in session.turns:
            return False
        last = len(session.turns) - 1 - session.turns[::-1].index(viewer)
        return all(session.reversible[last:]) and not any(n in self.people for n in session.turns[last + 1 :])

    # Showing.

    def names(self, viewer: Viewer) -> list[str]:
        """Who sits where, as a viewer calls them."""
        others = [n for n in self.people if n != viewer]
        numbered = {n: f"person {i + 1}" if len(others) > 1 else "person" for i, n in enumerate(others)}
        return [self._name(n, seat, viewer, numbered) for n, seat in enumerate(self.seats)]

    def _name(self, n: int, seat: Seat, viewer: Viewer, numbered: dict[int, str]) -> str:
        if seat.person is None:
            twins = [m for m, other in enumerate(self.seats) if other.player == seat.player]
            shown = SEARCH.sub(r"\1", seat.player.removeprefix("runs/"))
            return shown + (f" #{twins.index(n) + 1}" if n != twins[0] else "")
        return YOU if n == viewer else numbered[n] if seat.person else "a free seat"

    def note(self, viewer: Viewer) -> str:
        """Why nothing can be done yet; empty if there is no reason."""
        if self.session is None:
            return f"{self.game.family} is being compiled for this machine, once; this takes about a minute"
        if self.trouble:
            return self.trouble
        if not self.over and any(seat.person == "" for seat in self.seats):
            return "waiting for another person: send them the link"
        return ""

    def shown_to(self, person: str) -> dict[str, Any]:
        """The table as a person sees it."""
        viewer = self.viewer_of(person)
        key = (viewer, self.note(viewer))
        if key not in self.shown:
            self.shown[key] = self._shown_to(viewer)
        return self.shown[key] | {"seat": self.seat_of(person)}

    def _shown_to(self, viewer: Viewer) -> dict[str, Any]:
        names, session, view = self.names(viewer), self.session, self.game.view
        return {
            "id": self.id,
            "game": self.game.name,
            **self._facts("kind", "pace"),
            "names": names,
            **self._facts("people", "turn", "over", "number"),
            "svg": view.table(session.shown, viewer, names) if session else "",
            "wide": view.wide_table(session.shown, viewer, names) if session else "",
            "text": session.board(viewer, names) if session else "",
            "expected": view.expected(session.state[0], viewer) if session and viewer == self.turn >= 0 else "",
            "together": view.together(session.state[0]) if session and not self.over else 1,
            "scorecard": session.scorecard() if session else [],
            "round_end": self._round_end(viewer),
            "legal": self._legal(viewer),
            "said": list(self.heard.get(viewer, [])),
            "result": self.result(viewer),
            "scores": session.scores if session else [0] * len(self.seats),
            "taking_back": self.can_take_back(viewer),
            "seed": self.seed if self.over else None,
            "link": f"/#/play/{self.id}",
            "note": self.note(viewer),
        }

    def _round_end(self, viewer: Viewer) -> dict[str, Any] | None:
        """The end of the last round with open cards, until the viewer has moved again; None at the end of the game."""
        session = self.session
        if session is None or self.over or not session.rounds or viewer is None:
            return None
        end, names = session.rounds[-1], self.names(viewer)
        if viewer in session.turns[end.number :]:
            return None
        view, state = self.game.view, end.state[0]
        drawn = {"svg": view.table(state, viewer, names), "wide": view.wide_table(state, viewer, names)}
        return {"number": end.number, **drawn}

    def _facts(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names}

    def _legal(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The moves of a person whose turn it is; nobody else gets any."""
        session, view = self.session, self.game.view
        if session is None or viewer is None or viewer != self.turn or self.seats[viewer].person is None:
            return []
        s, legal = session.state[0], session.legal
        ways = [list(map(list, view.input_sequences(s, move))) if view.interactive else [] for move in legal]
        rows = zip(legal, ways, strict=True)
        return [{"move": move, "words": session.move_text(move), "touches": touches} for move, touches in rows]

    def result(self, viewer: Viewer) -> str | None:
        """The end of the game in words; None before it."""
        if self.resigned != NOBODY:
            return conjugated("{resign}", self.names(viewer)[self.resigned])
        scores = self.session.scores if self.session else self.stored.scores
        return result_text(self.game, self.names(viewer), scores, viewer) if self.over and scores else None

    def summary(self, person: str) -> dict[str, Any]:
        """The table as an entry of a list."""
        seat, turn = self.seat_of(person), self.turn if self.session else self.stored.turn
        seat = self.seat_of(TERMINAL) if seat is None else seat
        return {
            "id": self.id,
            "game": self.game.name,
            **self._facts("kind", "over"),
            "names": self.names(seat),
            "turn": turn,
            "yours": seat is not None and seat == turn,
            **self._facts("changed", "number"),
            "terminal": self.owner == TERMINAL,
            "result": self.result(seat),
        }

    # On disk.

    def save(self, folder: Path, lasting: bool = False) -> None:
        """Write the table whole or not at all. A power cut may lose what is not lasting."""
        with self.saving:
            content = {
                "version": VERSION,
                "game": self.game.name,
                "rules": self.game.rules.version,
                **self._facts("kind", "pace", "seed", "moves"),
                "seats": [{"player": s.player} if s.person is None else {"person": s.person} for s in self.seats],
                **self._facts("owner", "recorded", "resigned", "again", "changed", "over"),
                "kept": self.session.private() if self.session else self.stored.private,
            }
            path = folder / f"{self.id}.json"
            (replace_file if lasting else replace_quickly)(path, json.dumps(content).encode())
            self.written = path.stat().st_mtime_ns


def replace_quickly(path: Path, data: bytes) -> None:
    """Replace a file's content at once, without waiting for the disk."""
    part = path.with_name(path.name + ".part")
    with writing(path, "make room, then try again"):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)


def texts_for(table: Table, people: set[str]) -> dict[str, str]:
    """The table as JSON for each of these people, written once for those who see the same."""
    views = {person: (table.viewer_of(person), table.seat_of(person)) for person in people}
    texts = {view: json.dumps(table.shown_to(one)) for view, one in {v: p for p, v in views.items()}.items()}
    return {person: texts[view] for person, view in views.items()}
