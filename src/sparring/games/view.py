"""A game for people: text, JSON, pictures and notation. The base class gives defaults; a game overrides what it says better."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sparring.errors import UserError, errors_at

if TYPE_CHECKING:
    from sparring.games.game import Game

Writer = Callable[[list[str], list[list[str]]], str]  # games and the names of their seats to a file's text
Reader = Callable[[str, str], tuple[list[str], list[list[str]]]]  # a file's text and its name, and back
YOU = "you"  # the name of whoever reads
VERB = re.compile(r"\{(\w+)\}")
UNCHANGED, UNUSUAL = frozenset({"cannot"}), {"have": "has", "are": "is"}
LINE, COLUMN, EDGE = 17, 8.45, 12  # of text as a picture: line height, letter width, margin
FRAMES = 200  # the most pictures of one game that a page shows


@dataclass(frozen=True)
class Played:
    """One game as it was played. Together with the rules, its deal and its moves determine everything else."""

    seed: int
    deal: int
    luck: int
    seats: int
    moves: tuple[int, ...]


class View:
    """How people see a game, bound to that game and its rules. `text` is the one method that every game should define."""

    interactive: ClassVar[bool] = False  # whether `table` has parts to click, which `input_sequences` makes moves of
    tables: ClassVar[ModuleType | None] = None  # has this class's `table` and `input_sequences`, if a game has one
    stepwise: ClassVar[bool] = False  # whether `partial` shows a move that is half made
    draws_games: ClassVar[bool] = False  # whether `pictures` draws whole games; otherwise `frames` are the pictures
    # Colours in the order of the seats, as terminals name them, each with a pattern of the text that has it.
    colours: ClassVar[Mapping[str, str]] = {}
    formats: ClassVar[Mapping[str, tuple[Writer, Reader]]] = {}  # file formats beside the notation, by file suffix

    def __init__(self, game: "Game") -> None:
        self.game = game

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The state as a diagram; with a seat, only what that seat may see. Without names, seats are numbered."""
        status = "over" if s["over"] else f"{seat_names(names, len(s['tally']['score']))[s['turn']]} to move"
        scores = ", ".join(map(str, s["tally"]["score"].tolist()))
        return f"{self.game.name}: {status}; scores {scores}"

    def move_text(self, s: Any, move: int) -> str:
        """What a move does in this state, in a few words."""
        return f"move {move}"

    def read_move(self, s: Any, text: str) -> int:
        """A move from what a person types: the words of `move_text`, unless the game has its own notation."""
        from sparring.games.game import legal_moves

        words = {self.move_text(s, move): move for move in legal_moves(self.game, np.array([s]))}
        if text not in words:
            raise UserError(f"{text!r}: type a move's number or its words: {', '.join(words)}")
        return words[text]

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, only what that seat may see."""
        return {"game": self.game.name, "turn": int(s["turn"]), "over": bool(s["over"]), "text": self.text(s, seat)}

    def roll(self, s: Any) -> str:
        """The dice that the seat to move has rolled; empty in a game without dice."""
        return ""

    def deed(self, s: Any, move: int, viewer: int | None) -> str:
        """What a move does, before it is made, as a command with its verbs in braces: `{play} K♣`.

        A viewer who may not know all of it reads less: another seat, or -1 for those without one. Empty for nothing; words
        without a verb in braces follow the name and a colon.
        """
        return self.move_text(s, move)

    def command(self, s: Any, move: int) -> str:
        """What a move does, as its own seat reads it: `play K♣`."""
        return re.sub(VERB, r"\1", self.deed(s, move, int(s["turn"])))

    def sentence(self, s: Any, move: int, viewer: int | None, name: str) -> str:
        """What a move does, before it is made, as a sentence: `You play K♣`, `Champion plays K♣`; empty for nothing."""
        words = self.deed(s, move, viewer)
        return conjugated(words, name) if words else ""

    def expected(self, s: Any, seat: int) -> str:
        """What the seat to move has to do now, in a sentence."""
        return "Choose a move."

    def reversible(self, s: Any, move: int) -> bool:
        """Whether a move can be taken back: it shows nothing hidden, and no luck falls after it."""
        return self.game.presentation.undo

    def together(self, s: Any) -> int:
        """How many moves the seat to move chooses together before they are made, such as three cards to pass."""
        return 1

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """What a move has brought about that everyone sees, such as who takes a trick; empty for nothing."""
        return ""

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[Sequence[str], Sequence[str]]:
        """A short name for each input and each output of a network; empty where they are only numbered."""
        return (), ()

    # Rounds: parts of a game that are scored separately.

    round_word: ClassVar[str] = "round"

    def rounds(self, s: Any) -> int:
        """How many rounds are over."""
        return int(s["over"])

    def points_so_far(self, s: Any) -> list[float]:
        """Each seat's score, with what it has taken in a round that goes on, if that counts only at its end."""
        return [float(score) for score in s["tally"]["score"]]

    def points_left(self, s: Any) -> float:
        """The points that all seats will still share in the round, where that is known; 0 elsewhere."""
        return 0.0

    def round_end(self, before: Any, move: int, s: Any) -> Any:
        """The state to show at the end of a round, with open cards: after the last move, before cards are dealt again.

        `before` is the state before that move, and `s` that after it.
        """
        return s

    def bonuses(self, s: Any) -> list[tuple[str, list[float]]]:
        """What a finished game adds to the scores of its rounds: names, and points per seat."""
        return []

    # The table.

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The state as SVG, as a seat sees it; without a seat, everything.

        In an interactive view, what can be clicked is an element with `data-part` (its name) and `aria-label` (in words).
        """
        return str(self.tables.table(s, seat, names)) if self.tables else text_svg(self.text(s, seat))

    def wide_table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The same for a wide window: with the seats side by side where the game can."""
        draw = getattr(self.tables, "wide_table", None)
        return str(draw(s, seat, names)) if draw else self.table(s, seat, names)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        """The ways to make a move by hand: the parts clicked, in order.

        A part that the table does not show is offered as a button with its name. No way of one move is the beginning of
        another move's.
        """
        return list(self.tables.input_sequences(s, move)) if self.tables else [(self.move_text(s, move),)]

    def partial(self, s: Any, touched: tuple[str, ...], seat: int | None, names: Sequence[str]) -> str:
        """The table after the parts clicked so far; a UserError where no move begins so."""
        return self.table(s, seat, names)

    # Notation. The default lists the deal and the moves.

    def game_text(self, played: Played) -> str:
        """A whole game in the game's notation."""
        numbers = f"seed {played.seed} deal {played.deal} luck {played.luck} seats {played.seats}"
        return f"{numbers} moves {' '.join(map(str, played.moves))}"

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        """Seats and moves of a game back from its notation; a UserError names `place` where the text is wrong."""
        played = self._read(text, place)
        return played.seats, played.moves

    def game_tally(self, text: str, place: str) -> np.ndarray:
        """What the rules count, computed from the notation: a tally of one."""
        *_, (last, _) = self._states(self._read(text, place), place)
        return np.array([last[0]["tally"]])

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        """A game in notation, turn by turn; what the notation leaves out is filled in where the deal is known."""
        for state, line in self._states(known or self._read(text, place), place, names):
            yield f"{line}\n{self.text(state[0])}".strip()

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """A part of the game worth showing on a page, turn by turn, as text and SVG."""
        states = list(self._states(known or self._read(text, place), place, names))[:FRAMES]
        return [(line or "the deal", self.table(state[0], None, names)) for state, line in states]

    def pictures(self, played: Played, names: list[str], folder: Path, format: str) -> list[Path]:
        """Write a game as numbered pictures (svg or png) and, if there is an animation, as `game.*`; returns all files."""
        raise UserError(f"{self.game.name}: is drawn by frames only")

    def _read(self, text: str, place: str) -> Played:
        words = text.split()
        keys, values = words[:9:2], words[1:9:2]
        wanted = ["seed", "deal", "luck", "seats", "moves"]
        if keys != wanted or not all(word.isdecimal() and len(word) <= 20 for word in [*values, *words[9:]]):
            raise UserError(f"{place}: not like 'seed 1 deal 0 luck 0 seats 2 moves 0 1 1'")
        seed, deal, luck, seats = map(int, values)
        if seats not in self.game.rules.seats or max(deal, luck) >= 2**63 or seed >= 2**64:
            raise UserError(f"{place}: {self.game.name} is for {' or '.join(map(str, self.game.rules.seats))} seats")
        return Played(seed, deal, luck, seats, tuple(map(int, words[9:])))

    def _states(
        self, played: Played, place: str, names: Sequence[str] | None = None
    ) -> Iterator[tuple[np.ndarray, str]]:
        """Every state of a game, from the deal on, each with what was done before it."""
        from sparring.games.game import play_move, start_game

        names = names or [f"seat {seat}" for seat in range(played.seats)]
        state = start_game(self.game, played.seed, played.deal, played.luck, played.seats)
        yield state.copy(), ""
        for number, move in enumerate(played.moves, 1):
            said = self.sentence(state[0], move, None, names[int(state[0]["turn"])])
            with errors_at(f"{place}: move {number}: "):
                play_move(self.game, state, move)
            yield state.copy(), f"{number}. {said}"


def conjugated(words: str, name: str) -> str:
    """A command as a sentence about someone, who may be `you`: `{play} K♣` as `Ann plays K♣`."""
    you, name = name.lower() == YOU, name[:1].upper() + name[1:]
    if not VERB.search(words):
        return f"{name}: {words}"
    said = VERB.sub(lambda verb: verb[1] if you else third_person(verb[1]), words)
    return f"{name} {said}"


def third_person(verb: str) -> str:
    """`play` as `plays`, `pass` as `passes`, `cannot` as `cannot`."""
    if verb in UNCHANGED:
        return verb
    return UNUSUAL.get(verb) or f"{verb}{'es' if verb.endswith(('s', 'o', 'x', 'ch', 'sh')) else 's'}"


def seat_names(names: Sequence[str], count: int) -> list[str]:
    """The names of seats; without any, their numbers."""
    return list(names) or [f"seat {seat}" for seat in range(count)]


def plural(count: int, noun: str) -> str:
    """A number and its noun: `1 card`, `3 cards`."""
    return f"{count} {noun}{'s' * (abs(count) != 1)}"


def shorten(name: str, limit: int) -> str:
    """A name cut to the limit."""
    return name if len(name) <= limit else name[: limit - 3] + "..."


def text_svg(text: str) -> str:
    """A diagram of letters as a picture."""
    lines = text.splitlines() or [""]
    width, height = max(map(len, lines)) * COLUMN + 2 * EDGE, len(lines) * LINE + 2 * EDGE
    rows = "".join(
        f'<text x="{EDGE}" y="{EDGE + LINE * (n + 0.75):g}" xml:space="preserve">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        f'aria-label="{escape(lines[0], quote=True)}" font-family="monospace" font-size="14" fill="currentColor">{rows}</svg>'
    )
