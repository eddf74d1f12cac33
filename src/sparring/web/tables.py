"""A table: a game that people and players sit at, what each of them may see of it, and how it is written to disk.

    {"version": 1, "game": "hearts:rounds=1", "rules": 1, "kind": "play", "seed": 7, "moves": [17, ...],
     "seats": [{"person": "5f.."}, {"player": "champion"}, ...], "owner": "5f..", ...}

Seed and moves say everything about the game; what players keep in a state for themselves (luck, thoughts) is beside them.
"""

import asyncio
import json
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.players import Chooser, Contestant, find_players
from sparring.errors import UserError, unwritable
from sparring.games import Game, Played
from sparring.games.game import legal_moves, play_move, start_game
from sparring.lab.person_record import YOU
from sparring.nets.files import replace_file
from sparring.web.naming import game_named, player_named
from sparring.web.refusals import LONGEST, Refusal, log

VERSION = 1
NOBODY = -1  # the seat of watchers: no hidden card is shown to it
HEARD = 12  # lines that watchers hear last
RECENT = 60  # moves of a game that is found again of which people hear
PLAY, WATCH = "play", "watch"  # kinds of tables
Viewer = int | None  # a seat, NOBODY, or None for open cards


@dataclass
class Seat:
    """Who sits in a seat: a person, by the hash of their id and empty while the seat is free, or a player by name."""

    person: str | None = None
    player: str = ""


@dataclass
class Table:
    """A game in play. Whoever looks at it or changes it holds its `order`."""

    id: str
    game: Game
    seed: int
    seats: list[Seat]
    owner: str
    kind: str = PLAY
    pace: float = 2.0  # moves a second, of a game that is watched
    moves: list[int] = field(default_factory=list)
    recorded: bool = False
    again: dict[str, str] = field(default_factory=dict)  # tables with the same deal, by "same" or "exchanged"
    changed: float = field(default_factory=time.time)
    trouble: str = ""  # why a player cannot move
    kept: dict[str, Any] = field(default_factory=dict)  # what players had kept in the state when it was written
    state: np.ndarray | None = None  # None until the game is compiled
    turns: list[int] = field(default_factory=list)  # who made each move
    heard: dict[Viewer, list[str]] = field(default_factory=dict)
    choosers: dict[int, Chooser] = field(default_factory=dict)
    shown: dict[tuple[Viewer, str], dict[str, Any]] = field(default_factory=dict)
    version: int = 0  # counts changes
    was_over: bool = False  # when it was written
    order: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def over(self) -> bool:
        return self.was_over if self.state is None else bool(self.state[0]["over"])

    @property
    def turn(self) -> int:
        return NOBODY if self.state is None or self.over else int(self.state[0]["turn"])

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
        """With whose eyes a person sees the table."""
        seat = self.seat_of(person)
        if seat is not None:
            return seat
        return None if self.over or self.kind == WATCH or self.game.rules.perfect_information else NOBODY

    def player_to_move(self) -> bool:
        return self.turn != NOBODY and self.seats[self.turn].person is None and not self.trouble

    # Playing.

    def begin(self) -> None:
        """Deal, and make the moves that were made before."""
        moves, self.moves, self.turns = self.moves, [], []
        self.state = start_game(self.game, self.seed, 0, 0, len(self.seats))
        self.heard = {viewer: [] for viewer in (None, NOBODY, *self.people)}
        changed = self.changed
        for number, move in enumerate(moves):
            self.play(move, number >= len(moves) - RECENT)
        for name, value in self.kept.items():
            self.state[0][name] = value
        self.changed = changed
        self.touch()

    def touch(self) -> None:
        """Whatever was shown is out of date."""
        self.version, self.shown = self.version + 1, {}

    def play(self, move: int, aloud: bool = True) -> None:
        """Make a legal move of the seat to move, and say so to whoever may hear of it."""
        assert self.state is not None
        before, turn = self.state.copy(), self.turn
        said = {viewer: self._said(viewer, turn, move) for viewer in self.heard} if aloud else {}
        play_move(self.game, self.state, move)
        self.moves.append(move)
        self.turns.append(turn)
        self.changed = time.time()
        self.touch()
        for viewer, lines in self.heard.items():
            if viewer == turn:
                lines.clear()
            if aloud:
                lines += filter(None, [said[viewer], *self._news(viewer, before)])
            if viewer in (None, NOBODY):
                del lines[:-HEARD]

    def _said(self, viewer: Viewer, turn: int, move: int) -> str:
        assert self.state is not None
        if viewer == turn:
            return ""
        words = self.game.view.heard(self.state[0], move, turn if viewer is None else viewer)
        roll = self.game.view.roll(self.state[0])
        rolled = f" rolls {roll}" if roll else ""
        return f"{self.labels(viewer)[turn]}{rolled}: {words}" if words else ""

    def _news(self, viewer: Viewer, before: np.ndarray) -> list[str]:
        assert self.state is not None
        return list(filter(None, self.game.view.news(before[0], self.state[0], self.labels(viewer)).split("\n")))

    def person_moves(self, person: str, move: int, number: int) -> None:
        """A person's move, refused unless it is theirs to make, now, and legal."""
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(403, "you do not sit at this table")
        if self.state is None:
            raise Refusal(409, self.note(seat))
        if self.over:
            raise Refusal(409, "the game is over")
        if number != self.number:
            raise Refusal(409, f"the game has gone on: {self.number} moves are made, not {number}")
        if seat != self.turn:
            raise Refusal(409, f"it is not your turn, but that of {self.labels(seat)[self.turn]}")
        if move not in legal_moves(self.game, self.state):
            raise Refusal(422, f"{move} is no legal move now")
        self.play(move)

    def choose(self, state: np.ndarray, runs: Path) -> int | None:
        """The move of the player whose turn it is in this state, in which it may keep what it needs; None if it cannot."""
        name = self.seats[int(state[0]["turn"])].player
        try:
            return self._chooser(int(state[0]["turn"]), runs).choose(state)
        except (Refusal, UserError) as error:
            self.trouble = f"{name} cannot move: {error}"[:LONGEST]
        except Exception as error:
            self.trouble = f"{name} cannot move: {type(error).__name__}"
            log.error("table %s: %s", self.id[:6], self.trouble, exc_info=error)
        self.touch()
        return None

    def player_plays(self, state: np.ndarray, move: int) -> None:
        """Make a player's move, which it has chosen in a copy of the state."""
        assert self.state is not None
        for name in self._own_fields():
            self.state[0][name] = state[0][name]
        self.play(move)

    def _chooser(self, seat: int, runs: Path) -> Chooser:
        if seat not in self.choosers:
            self.choosers[seat] = Chooser(self.game, player_named(self.game, self.seats[seat].player, runs))
        return self.choosers[seat]

    def take_back(self, person: str) -> None:
        """Undo a person's own last move, and what was answered by players."""
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(403, "you do not sit at this table")
        if not self.game.presentation.undo:
            raise Refusal(
                409, f"{self.game.family} has no taking back: a move shows what was hidden, or what luck brings"
            )
        if self.over:
            raise Refusal(409, "the game is over")
        if seat not in self.turns:
            raise Refusal(409, "you have made no move to take back")
        last = len(self.turns) - 1 - self.turns[::-1].index(seat)
        if any(self.seats[turn].person is not None for turn in self.turns[last + 1 :]):
            raise Refusal(409, "another person has moved since")
        self.moves, self.kept, self.trouble = self.moves[:last], {}, ""
        self.begin()
        self.changed = time.time()

    def state_before(self, number: int) -> np.ndarray:
        """The state in which a move was made, by its number from 0."""
        state = start_game(self.game, self.seed, 0, 0, len(self.seats))
        for move in self.moves[:number]:
            play_move(self.game, state, move)
        return state

    def played(self) -> Played:
        return Played(self.seed, 0, 0, len(self.seats), tuple(self.moves))

    # Showing.

    def names(self, viewer: Viewer) -> list[str]:
        """Who sits where, as a viewer calls them."""
        others = [n for n in self.people if n != viewer]
        numbered = {n: f"person {i + 1}" if len(others) > 1 else "person" for i, n in enumerate(others)}
        return [self._name(n, seat, viewer, numbered) for n, seat in enumerate(self.seats)]

    def _name(self, n: int, seat: Seat, viewer: Viewer, numbered: dict[int, str]) -> str:
        if seat.person is None:
            twins = [m for m, other in enumerate(self.seats) if other.player == seat.player]
            return seat.player.removeprefix("runs/") + (f" #{twins.index(n) + 1}" if n != twins[0] else "")
        return YOU if n == viewer else numbered[n] if seat.person else "a free seat"

    def labels(self, viewer: Viewer) -> list[str]:
        """Who is who at the table: of two the names say it, of more the seats."""
        names = self.names(viewer)
        return names if len(names) == 2 else [f"seat {n} ({name})" for n, name in enumerate(names)]

    def note(self, viewer: Viewer) -> str:
        """What is worth knowing: why nothing can be done yet."""
        if self.state is None:
            return f"{self.game.family} is being compiled for this machine, once; this takes about a minute"
        if self.trouble:
            return self.trouble
        if not self.over and any(seat.person == "" for seat in self.seats):
            return "waiting for another person: send them the link"
        return ""

    def told(self, person: str) -> dict[str, Any]:
        """The table as a person sees it."""
        viewer = self.viewer_of(person)
        key = (viewer, self.note(viewer))
        if key not in self.shown:
            self.shown[key] = self._told(viewer)
        return self.shown[key] | {"seat": self.seat_of(person)}

    def _told(self, viewer: Viewer) -> dict[str, Any]:
        names = self.names(viewer)
        return {
            "id": self.id,
            "game": self.game.name,
            "kind": self.kind,
            "pace": self.pace,
            "names": names,
            "people": self.people,
            "turn": self.turn,
            "over": self.over,
            "number": self.number,
            "svg": self._svg(viewer, names),
            "text": self.game.view.text(self.state[0], viewer) if self.state is not None else "",
            "legal": self._legal(viewer),
            "said": list(self.heard.get(viewer, [])),
            "result": self.result(viewer) if self.over and self.state is not None else None,
            "scores": self._scores(),
            "taking_back": self.game.presentation.undo,
            "seed": self.seed if self.over else None,
            "link": f"/#/play/{self.id}",
            "note": self.note(viewer),
        }

    def _svg(self, viewer: Viewer, names: list[str]) -> str:
        if self.state is None:
            return ""
        return draw(self.game, self.state, viewer, names)

    def _legal(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The moves of a person whose turn it is; everyone else gets none."""
        if self.state is None or viewer is None or viewer != self.turn or self.seats[viewer].person is None:
            return []
        s, view = self.state[0], self.game.view
        touched = view.input_sequences if view.interactive else None
        return [
            {
                "move": move,
                "words": view.move_text(s, move),
                "touches": [list(way) for way in touched(s, move)] if touched else [],
            }
            for move in legal_moves(self.game, self.state)
        ]

    def _scores(self) -> list[float]:
        if self.state is None:
            return [0] * len(self.seats)
        scores: list[float] = self.state[0]["tally"]["score"][: len(self.seats)].tolist()
        return scores

    def result(self, viewer: Viewer) -> str:
        """`you win: 3 to 0`; of more than two, `seat 1 (random) wins: seat 0 (you) 31, seat 1 ...`."""
        scores = np.array(self._scores())
        won, drawn = winners(scores, self.game.rules.lower_is_better)
        labels = self.labels(viewer)
        best = int(np.argmax(won))
        word = "drawn" if drawn else "you win" if best == viewer else f"{labels[best]} wins"
        if len(labels) == 2:
            mine = viewer if viewer in (0, 1) else 0 if drawn else best
            return f"{word}: {scores[mine]} to {scores[1 - mine]}"
        return f"{word}: {', '.join(f'{label} {score}' for label, score in zip(labels, scores, strict=True))}"

    def summary(self, person: str) -> dict[str, Any]:
        """The table in a line of a list."""
        seat, over = self.seat_of(person), self.over
        return {
            "id": self.id,
            "game": self.game.name,
            "kind": self.kind,
            "over": over,
            "names": self.names(seat),
            "turn": self.turn,
            "yours": seat is not None and seat == self.turn,
            "changed": self.changed,
            "number": self.number,
            "result": self.result(seat) if over and self.state is not None else None,
        }

    # On disk.

    def save(self, folder: Path, lasting: bool = False) -> None:
        """Write the table whole or not at all. A power cut may lose what is not lasting: disks take their time."""
        told = {
            "version": VERSION,
            "game": self.game.name,
            "rules": self.game.rules.version,
            "kind": self.kind,
            "pace": self.pace,
            "seed": self.seed,
            "moves": self.moves,
            "seats": [
                {"player": seat.player} if seat.person is None else {"person": seat.person} for seat in self.seats
            ],
            "owner": self.owner,
            "recorded": self.recorded,
            "again": self.again,
            "changed": self.changed,
            "over": self.over,
            "kept": self._kept(),
        }
        (replace_file if lasting else replace_quickly)(folder / f"{self.id}.json", json.dumps(told).encode())

    def _kept(self) -> dict[str, Any]:
        if self.state is None:
            return self.kept
        return {name: self.state[0][name].tolist() for name in self._own_fields()}

    def _own_fields(self) -> list[str]:
        """What players write in a state while they choose."""
        return ["luck", *sorted(self.game.policies.policy_state)]


def replace_quickly(path: Path, data: bytes) -> None:
    """Replace a file's content at one stroke, leaving it to the system when the disk has it."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise unwritable(path, error, "make room, then try again") from None


def draw(game: Game, state: np.ndarray, viewer: Viewer, names: list[str]) -> str:
    """The state as SVG: the game's own table, or its text."""
    if game.view.interactive:
        return game.view.table(state[0], viewer, names)
    lines = game.view.text(state[0], viewer).split("\n")
    width, height = 9 * max(map(len, lines)) + 20, 20 * len(lines) + 20
    rows = "".join(f'<tspan x="10" y="{20 * n + 25}">{escape(line)}</tspan>' for n, line in enumerate(lines))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="the table">'
    return f'{head}<text font-family="monospace" font-size="15" fill="currentColor" xml:space="preserve">{rows}</text></svg>'


def read_table(path: Path) -> Table:
    """A table from its file, its moves not made yet."""
    told = json.loads(path.read_bytes())
    game = game_named(told["game"])
    if told["version"] != VERSION or told["rules"] != game.rules.version:
        raise UserError(
            f"{path.name}: played under rules version {told['rules']} of {game.name}; this is {game.rules.version}"
        )
    seats = [Seat(seat.get("person"), seat.get("player", "")) for seat in told["seats"]]
    facts = {name: told[name] for name in ("owner", "kind", "pace", "moves", "recorded", "again", "changed", "kept")}
    return Table(path.stem, game, told["seed"], seats, was_over=bool(told["over"]), **facts)


def named_for_record(table: Table, seat: int, runs: Path) -> tuple[list[str], list[str]]:
    """Who sat where, and who the others are, as a record tells of them."""
    found = [seat.player and player_named(table.game, seat.player, runs) for seat in table.seats]
    players = find_players(table.game, [contestant for contestant in found if isinstance(contestant, Contestant)])
    left = iter(contestant.name for contestant in players)
    names = [next(left) if isinstance(contestant, Contestant) else "person" for contestant in found]
    against = [c.name if isinstance(c, Contestant) else "person" for n, c in enumerate(found) if n != seat]
    names[seat] = YOU
    return names, against
