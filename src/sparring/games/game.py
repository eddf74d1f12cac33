"""What every game provides: the one shape that arena, learners, logs and pages know."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sparring.errors import UserError
from sparring.games.sight import Sight
from sparring.games.thinking import Think
from sparring.kernel.launch import Launcher, batch
from sparring.kernel.records import records
from sparring.kernel.teacher import Teacher
from sparring.kernel.temporal import temporal
from sparring.options import parse_option, read_options

MOVES = 1 << 15  # moves are 16-bit numbers from 0: no state can offer more


# How a net's outputs look from the other seat, for two who see the same: which output it is there, and whether 1 less it.
Mirror = tuple[tuple[int, ...], tuple[int, ...]]
VALUE: Mirror = ((0,), (1,))


class View(Protocol):
    """A game for people: text, JSON and notation."""

    def under(self, game: "Game") -> "View":
        """The same for a game under other rules; only games that have rules to choose need it."""
        return self

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


@runtime_checkable
class Pictured(Protocol):
    """A View that also draws whole games; of a game without it, `frames` are the pictures."""

    def pictures(self, game: "Game", played: "Played", names: list[str], folder: Path, format: str) -> list[Path]:
        """Write a game as numbered pictures (svg or png) and, if there is an animation, as `game.*`; returns all files."""


@runtime_checkable
class Labelled(Protocol):
    """A View that also says what a net's inputs and outputs stand for; of a game without it, drawings number them."""

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[Sequence[str], Sequence[str]]:
        """A short name for each input and each output."""


@runtime_checkable
class Spoken(Protocol):
    """A View that also says what is heard at the table; of a game without it, everyone hears every move's text."""

    def heard(self, s: Any, move: int, seat: int) -> str:
        """What a seat may hear of another's move before it is made; empty for nothing."""

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """What a move has brought about that everyone sees, such as who takes a trick; empty for nothing."""


@runtime_checkable
class Touched(Protocol):
    """A View whose table can be played on by hand; of a game without it, people choose from a list of moves."""

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The state as SVG, as a seat sees it and with it below; without a seat, everything. What can be touched is an element with
        `data-part` (its name) and `aria-label` (in words)."""

    def touches(self, s: Any, move: int) -> list[tuple[str, ...]]:
        """The ways to make a move by hand: the parts touched, in order. A part that the table does not show is offered as a button
        with its name. No way of one move is the beginning of another move's."""


@runtime_checkable
class Coloured(Protocol):
    """A View that also says which colour each seat has, and what in its texts has it; elsewhere only names have colours."""

    colours: Mapping[
        str, str
    ]  # colours in the order of the seats, as terminals name them, and a pattern of what has it


@runtime_checkable
class Stepwise(Protocol):
    """A Touched view that also shows a move that is half made."""

    def partial(self, s: Any, touched: tuple[str, ...], seat: int | None, names: Sequence[str]) -> str:
        """The table after the steps touched so far; a UserError where no move begins so."""


@dataclass(frozen=True)
class Played:
    """One game as it was played: with the rules, its luck and its moves say everything else."""

    seed: int
    deal: int
    luck: int
    seats: int
    moves: tuple[int, ...]


class External(Protocol):
    """A program of others that plays: asked for one move at a time, and ended when the match is."""

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat whose turn it is; a Failure says in one line why there is none."""

    def close(self) -> None:
        """End the program."""


@dataclass(frozen=True)
class Sitter:
    """Who sits in a seat while nets learn: the team under one of its policies, with other thresholds, or a built-in player."""

    policy: str = "net"
    thresholds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Stage:
    """A part of a curriculum: which roles of a team learn, from whose games, and which must have been learned before."""

    title: str
    learns: tuple[str, ...]  # in turn, where there are several
    needs: tuple[str, ...]  # roles
    rules: str  # of its games
    sitters: tuple[Sitter, ...]  # moved round the table
    learners: tuple[int, ...]  # which of them learn
    decides: bool = False  # whether the net decides: it learns from as many examples of yes as of no


@dataclass(frozen=True)
class Lessons:
    """What a game offers a team of nets to learn from."""

    play: Callable[..., Any]  # plays jobs and writes examples
    rewards: type  # a dataclass of options
    terms: Callable[[Any, int, float], np.ndarray]  # those, the roles that learn as bits, and exploration, for kernels
    examples: Callable[[Any], int]  # the most of a round, under those rewards
    stages: Mapping[str, Stage]
    thresholds: Mapping[str, float]  # of roles that decide: above which they say yes


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
    about: Mapping[str, str]  # policies, in the order of their numbers, and what they do; the last is "net"
    encodings: Mapping[str, int]  # a net's inputs by name, with their number
    max_moves: int
    floats: Callable[[int], int]  # working room a policy needs, by hidden units
    integers: int
    measures: Callable[[np.ndarray], dict[str, np.ndarray]]  # name -> a number per game and seat
    shares: frozenset[str]  # the measures that are shares, to be shown as percentages
    profiles: Callable[[np.ndarray], dict[str, np.ndarray]]  # name -> several numbers per game and seat
    labels: Mapping[str, tuple[str, ...]]  # what a profile's numbers stand for
    view: View
    sight: Sight | None = None  # what a learner of moves needs: see `sparring.zoo`
    # What a learner of values needs: the inputs a seat's net sees, and what it should have said at the end: outcome(s, seat,
    # which of `outputs` the net tells, where to write it).
    inputs: Callable[..., Any] | None = None
    outcome: Callable[..., Any] | None = None
    outputs: Mapping[str, Mirror] = field(default_factory=lambda: {"value": VALUE})  # what a net may tell
    told: frozenset[str] = frozenset()  # fields of the tally that players tell of themselves: moves do not decide them
    thoughts: frozenset[str] = (
        frozenset()
    )  # fields of the state where players keep what they mean to do: choosing writes them
    # For learners that keep games in a checkpoint, which may have been altered: given states of games that go on and one before it
    # starts, in a few words what no game can come to, or "". Without it only whose turn it is and the rules are checked.
    check_state: Callable[[np.ndarray, np.ndarray], str] | None = None
    shared: bool = False  # whether all seats see the same, so that one seat's value is the other's mirrored
    kinds: tuple[str, ...] = ("sigmoid",)  # of nets that can play
    roles: Mapping[str, str] = field(default_factory=dict)  # of a team of nets, in their order, and what each sees
    # What evolution can strive for, by name: a number per game and seat, the more the better.
    fitness: Mapping[str, Callable[[np.ndarray], np.ndarray]] = field(default_factory=dict)
    decodings: Mapping[str, int] = field(
        default_factory=dict
    )  # outputs of nets that tell a move, not a value, by policy
    lessons: Lessons | None = None
    thinking: Think | None = None  # what players compare before a move: see `sparring.games.thinking`
    # How many lanes of a GPU play a game: where there are games enough, and where one has to be over soon (`kernel.lanes`).
    lanes: tuple[int, int] = (1, 1)
    columns: bool = False  # whether the weights of each input, not those of each unit, lie together
    # Rules that can be chosen: a dataclass of options, and how they are written into a state before it starts.
    options: type | None = None
    prepare: Callable[[Any, np.ndarray], None] | None = None
    sized: Callable[[Any], Mapping[str, int]] | None = None  # the encodings under chosen rules, where those decide them
    chosen: Any = None
    taking_back: bool = False  # whether a person may take back a move: nothing is hidden, and no luck falls after it
    short: str = ""  # rules under which a game is soon over, for checks that are slow
    strengths: Mapping[str, int] = field(
        default_factory=dict
    )  # how much players search by default: `name@N` searches N
    champions: Mapping[str, Path] = field(default_factory=dict)  # nets that come with the game, by name
    fresh: str = ""  # rules under which untrained nets are soon done, where they play for ages
    benched: str = ""  # the champion whose speed benchmarks measure; empty for nets trained a little
    bench_rules: tuple[str, ...] = ()  # rules under which benchmarks measure too
    external: Mapping[str, Callable[[], "External"]] = field(default_factory=dict)  # programs that play, by name
    rivals: Mapping[str, Callable[[float], float | None]] = field(
        default_factory=dict
    )  # others' speeds, for benchmarks

    @cached_property
    def launcher(self) -> Launcher:
        kernels = (self.start, self.choose, self.apply)
        room = (self.max_moves, self.floats, self.integers)
        return Launcher(self.family, self.name, batch(*kernels), self.template, self.tally, *room, kernels, self.lanes)

    @cached_property
    def template(self) -> np.ndarray:
        """A state before it starts: empty but for the rules that were chosen."""
        state = np.zeros(1, self.state)
        if self.prepare:
            self.prepare(self.chosen or self.options(), state)  # type: ignore[misc]
        return state

    @cached_property
    def teacher(self) -> Teacher:
        """What learns by temporal differences while it plays."""
        if self.inputs is None or self.outcome is None:
            raise UserError(
                f"{self.family}: says neither what a net sees nor what it should have said, so it cannot be learned by td"
            )
        kernels = (self.start, self.moves, self.choose, self.apply, self.inputs, self.outcome)
        learn = temporal(*kernels)  # type: ignore[no-untyped-call]
        return Teacher(self.family, self.name, learn, self.template, self.floats, self.integers)

    @property
    def family(self) -> str:
        """The game whatever rules were chosen: `backgammon` of `backgammon:scoring=single`."""
        return self.name.partition(":")[0]

    @property
    def policies(self) -> tuple[str, ...]:
        return tuple(self.about)

    @property
    def builtin(self) -> tuple[str, ...]:
        """The players that need no net of the user's."""
        return tuple(name for name in self.about if name.partition("+")[0] != "net")

    @property
    def encoding_names(self) -> tuple[str, ...]:
        return tuple(self.encodings)


def start_game(game: Game, seed: int, deal: int, luck: int, seats: int) -> np.ndarray:
    """A game about to begin: an array of the one state, which `play_move` changes in place."""
    state = game.template.copy()
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


def move_heard(game: Game, state: np.ndarray, move: int, seat: int) -> str:
    """What a seat may hear of another's move before it is made; empty for nothing."""
    view = game.view
    return view.heard(state[0], move, seat) if isinstance(view, Spoken) else view.move_text(state[0], move)


def game_written(game: Game, name: str, like: str) -> Game:
    """The game that a record's first line names: a game, or that and the rules that were chosen."""
    family, has_rules, words = name.partition(":")
    if family != game.family:
        raise UserError(f"a game begins with a line such as {game.family!r} or {like!r}, not {name[:40]!r}")
    return with_rules(game, words) if has_rules else game


def with_rules(game: Game, words: str) -> Game:
    """The game under rules chosen as `key=value,key=value`; it is named by those that differ from the defaults."""
    if game.options is None:
        raise UserError(f"{game.name}:{words}: {game.name} has no rules to choose")
    given: dict[str, Any] = asdict(game.chosen) if game.chosen else {}
    for word in words.split(","):
        key, has_value, value = word.partition("=")
        if not has_value:
            raise UserError(f"{game.name}:{words}: rules are written key=value, and {word!r} is not")
        given[key] = parse_option(game.options, key, value, f"{game.name}:")
    chosen: Any = read_options(game.options, given, f"{game.name}:")
    usual = asdict(game.options())
    differing = ",".join(f"{key}={value}" for key, value in asdict(chosen).items() if value != usual[key])
    encodings = game.sized(chosen) if game.sized else game.encodings
    name = f"{game.family}:{differing}" if differing else game.family
    variant = replace(game, name=name, chosen=chosen, encodings=encodings)
    assert len(variant.template)  # now, so that wrong rules are refused where they are named
    return replace(variant, view=variant.view.under(variant)) if differing or game.chosen else game
