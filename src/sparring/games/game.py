"""What every game provides, in four parts: its rules, the policies that play it, what learners need, and how people see it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sparring.errors import UserError
from sparring.games.analysis import Analyst
from sparring.games.explain import Explain, NetEvaluator
from sparring.games.guide import Guide
from sparring.games.levels import Level
from sparring.games.observation import Observation
from sparring.games.staged import match_stages
from sparring.games.team import TeamCurriculum
from sparring.games.view import View
from sparring.kernel.launch import Launcher, batch
from sparring.kernel.luck import LuckRunner, luck_batch
from sparring.kernel.records import records
from sparring.kernel.td_runner import TDRunner
from sparring.kernel.temporal import only_after_turns, temporal
from sparring.options import parse_option, read_options

STATE_FIELDS, TALLY_FIELDS = ("turn", "over", "luck", "tally"), ("score",)  # that every game has
MOVES = 1 << 15  # moves are 16-bit numbers from 0: no state can offer more

# How a network's outputs look from the other seat of a game of perfect information: output k is there output flip[0][k], and 1
# minus it where flip[1][k] is 1.
Flip = tuple[tuple[int, ...], tuple[int, ...]]
VALUE: Flip = ((0,), (1,))

Measures = Callable[[np.ndarray], dict[str, np.ndarray]]  # tallies to numbers per game and seat, by name


def _no_measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    return {}


@dataclass(frozen=True)
class Rules:
    """The game itself: records, kernels, and what is counted."""

    state: np.dtype  # a game in progress, with the fields turn, over, luck and tally
    tally: np.dtype  # what is counted; its field "score" has one number per seat
    start: Callable[..., Any]  # start(s, seed, deal, luck, seats)
    moves: Callable[..., Any]  # moves(s, out): writes the legal moves, returns how many
    apply: Callable[..., Any]  # apply(s, move)
    max_moves: int  # no game has more
    seats: tuple[int, ...] = (2,)  # how many can play
    version: int = 1  # raise it when play changes
    branching: int = 0  # no position has more legal moves; 0 where it is not known
    lower_is_better: bool = False  # whether the fewest points win
    perfect_information: bool = False  # whether all seats see the same: one seat's value is the other's, flipped
    measures: Measures = _no_measures  # name to one number per game and seat
    shares: frozenset[str] = frozenset()  # measures that are shown as percentages
    profiles: Measures = _no_measures  # name to several numbers per game and seat
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what a profile's numbers stand for
    self_reported: frozenset[str] = frozenset()  # tally fields that players report: moves do not determine them
    options: type | None = None  # rules that can be chosen: a dataclass of options,
    prepare: Callable[[Any, np.ndarray], None] | None = None  # which this writes into a state before it starts
    # chance(s, k): put the k-th outcome of the chance event just before the decision in `s` into it; returns its probability, 0 for
    # an outcome that cannot come. Where nothing was left to chance, outcome 0 changes nothing and has probability 1.
    chance: Callable[..., Any] | None = None
    chances: int = 0  # how many outcomes that numbers
    chosen: Any = None  # the options that were chosen; None for the defaults
    certain: Callable[[Any], bool] = lambda chosen: False  # whether the deal changes nothing under the chosen options

    @classmethod
    def of(cls, module: Any, **more: Any) -> "Rules":
        """The rules that a module defines by State, Tally, start, moves, apply, MAX_MOVES and VERSION."""
        kernels = module.start, module.moves, module.apply
        return cls(module.State, module.Tally, *kernels, module.MAX_MOVES, version=module.VERSION, **more)

    def __post_init__(self) -> None:
        for record, dtype, wanted in (("state", self.state, STATE_FIELDS), ("tally", self.tally, TALLY_FIELDS)):
            missing = [name for name in wanted if name not in (dtype.names or ())]
            if missing:
                raise UserError(f"Rules.{record}: lacks the field {' and '.join(missing)}")


class External(Protocol):
    """A program that plays: asked for one move at a time, and closed when the match is over."""

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat whose turn it is; a Failure says in one line why there is none."""

    def close(self) -> None:
        """End the program."""


@dataclass(frozen=True)
class Policies:
    """Who plays: the kernel that chooses moves, players by name, and the networks that it can read."""

    choose: Callable[..., Any]  # choose(s, player, weights, float_scratch, int_scratch): a move
    names: Mapping[str, str]  # policies in the order of their numbers, each with its description; a network's is "net"
    encodings: Mapping[str, int] = field(default_factory=dict)  # a network's inputs by name, with their number
    # choose_for(players, state): `choose` for these players (`kernel.launch.Player`) and a state's rules, which compiles sooner
    choose_for: Callable[[np.ndarray, np.void], Any] | None = None
    float_scratch: Callable[[int], int] = lambda hidden: 1  # scratch memory that `choose` needs, by hidden units
    int_scratch: int = 1
    policy_state: frozenset[str] = frozenset()  # state fields in which players keep a plan: choosing writes them
    kinds: tuple[str, ...] = ("sigmoid",)  # of networks that can play
    roles: Mapping[str, str] = field(default_factory=dict)  # of a team of networks, in order, with the encoding of each
    decodings: Mapping[str, int] = field(default_factory=dict)  # outputs, for policies whose network outputs a move
    sized: Callable[[Any], Mapping[str, int]] | None = None  # the encodings, where they depend on chosen options
    input_major: bool = True  # whether the first layer's weights of one input lie together; otherwise those of one unit
    certain: frozenset[str] = frozenset()  # policies whose moves follow from the state without its deal and luck
    strengths: Mapping[str, int] = field(default_factory=dict)  # default search budgets: `name@N` searches N
    champions: Mapping[str, Path] = field(default_factory=dict)  # networks that come with the game
    external: Mapping[str, Callable[[], External]] = field(default_factory=dict)  # programs that play
    installed: Callable[[], bool] = lambda: True  # whether those programs are installed here
    # Numbers besides a network's own that a policy reads: they follow the weights, from `Player.tables` on.
    tables: Mapping[str, Callable[[], np.ndarray]] = field(default_factory=dict)
    searches: bool = False  # whether `choose` searches as `sparring.search` does, for players with playouts
    searching: frozenset[str] = frozenset()  # policies that take too long for whole games in the conformance suite
    subwarp: tuple[int, int] = (1, 1)  # GPU threads per game: with many games, and where one game should end soon
    staged: Callable[[Any], bool] | None = None  # whether, under these options, `net` takes the move of best `equity`

    def __post_init__(self) -> None:
        if self.encodings and "net" not in self.names:
            raise UserError("Policies.encodings: are for networks, and Policies.names has no policy 'net'")


@dataclass(frozen=True)
class Learning:
    """What learners need."""

    inputs: Callable[..., Any] | None = None  # inputs(s, seat, encoding, index, value): what a seat's network sees
    outcome: Callable[..., Any] | None = None  # outcome(s, seat, head, out): the target at the end of a game
    heads: Mapping[str, Flip] = field(default_factory=lambda: {"value": VALUE})  # what a network may predict
    # equity(head, outputs): the value by which moves are compared. For games where `apply` reveals nothing that a player could
    # not know before the move, so that learners may compare the positions after it.
    equity: Callable[..., Any] | None = None
    # part(s): the number of the part of the game (its round) that a state belongs to, for games whose parts begin anew and whose
    # scores are sums over parts, so that a network may value a part alone.
    part: Callable[..., Any] | None = None
    # unit(s, head): what a head measures a state in, where that changes in play, as with a doubling cube.
    unit: Callable[..., Any] | None = None
    # luck(s, move, judge, weights, float_scratch, int_scratch, out, row): before a move in `s`, add to out[row, seat] what chance
    # events just before and after it are worth to each seat: their value by the judge minus its mean. It changes nothing in `s`.
    luck: Callable[..., Any] | None = None
    # Judges that come with the game, by name: files of values for `luck`, where it does not read networks.
    judges: Mapping[str, Path] = field(default_factory=dict)
    # Per game and seat, higher is better.
    fitness: Mapping[str, Callable[[np.ndarray], np.ndarray]] = field(default_factory=dict)
    curriculum: TeamCurriculum | None = None
    observation: Observation | None = None  # for learners that choose moves themselves: see `sparring.zoo`
    # valued(s, seat, encoding): whether networks value what a seat sees within its turn, and not only after it; for encodings that
    # hide what the seat has just learned by chance. Without it, they value what a seat sees after its turn.
    valued: Callable[..., Any] | None = None
    # check_state(states, template): what is impossible in states of a checkpoint, in a few words, or "". Without it only the
    # seat to move and the rules are checked.
    check_state: Callable[[np.ndarray, np.ndarray], str] | None = None


@dataclass(frozen=True)
class Search:
    """What search needs beside the rules: see `sparring.search`."""

    # determinize(s, seat, stream, int_scratch): put what the seat cannot know into a random state that fits all that it has seen:
    # hidden cards, the order of the stock, dice to come, what other players plan. It depends on what the seat knows and on the
    # stream alone.
    determinize: Callable[..., Any]
    method: str = "flat"  # that is stronger for the same time, by benchmarks/search.py
    part: Callable[..., Any] | None = (
        None  # part(s): the number of the round; playouts end with the round they begin in
    )
    horizon: int = 0  # moves after which a playout is cut off; 0 for none
    # balance(s, seat, player, weights, float_scratch, int_scratch): the points by which a seat is ahead there
    balance: Callable[..., Any] | None = None
    # value(s, seat, player, weights, float_scratch, int_scratch): the points that a seat will yet gain on the others in this round,
    # as the player's network expects where a turn has just ended
    value: Callable[..., Any] | None = None
    valued: frozenset[str] = frozenset()  # the encodings of networks that know that
    # seen(s, seat): a stream (uint64) made of all that the seat to move sees and that its own moves do not determine: cards drawn,
    # dice, what others did. States that differ in nothing else are one position of a tree.
    seen: Callable[..., Any] | None = None
    # candidates(s, out): like `moves`, those worth comparing, for a game with very many or with some that are the same
    candidates: Callable[..., Any] | None = None
    # worth(s, before, seat): what a seat has gained since the state `before` where a playout has ended, in points, as in its chance
    # to win a match; None for the points gained minus the mean of the others'
    worth: Callable[..., Any] | None = None
    # Plans that a seat may follow in playouts; each is tried with every move. intend(s, seat, plan) writes a plan into the state
    # and says whether it is possible; planned(s, seat) is the one that the state has.
    plans: int = 1
    intend: Callable[..., Any] | None = None
    planned: Callable[..., Any] | None = None


class Answer(Protocol):
    """What a command says about a position."""

    def text(self) -> str:
        """In lines for a terminal."""

    def json(self) -> dict[str, Any]:
        """In figures."""


@dataclass(frozen=True)
class Cube:
    """A doubling cube: the network that advises where none is named, and the advice on a position that is given as text."""

    adviser: str
    # advise(position, network, the network's name, plies to look ahead, a file with match equities)
    advise: Callable[[str, NetEvaluator, str, int, Path | None], Answer]


@dataclass(frozen=True)
class Rollouts:
    """Rollouts of positions: the network that plays where none is named, and how."""

    player: str
    # roll_out(position, network, the network's name, games, truncate, seed, threads)
    roll_out: Callable[[str, NetEvaluator, str, int, int, int, int | None], Answer]


class ValuedPositions(Protocol):
    """Positions with the value of every move."""

    @property
    def kind_names(self) -> np.ndarray:
        """The kind of each."""

    def __len__(self) -> int:
        """How many there are."""

    def state(self, number: int) -> np.ndarray:
        """A position as a state."""

    def losses(self, number: int) -> Mapping[int, float]:
        """What each legal move loses compared with the best."""


@dataclass(frozen=True)
class Presentation:
    """How people see the game."""

    view: Callable[["Game"], View] = View  # a class of views, which is bound to the game
    explain: Explain | None = None  # what a player compared before a move
    guide: Guide | None = None  # how it is played, for newcomers
    levels: tuple[Level, ...] = ()  # opponents for people, the weakest first
    cube: Cube | None = None  # for a game that is played with one
    rollouts: Rollouts | None = None  # for a game whose positions can be rolled out
    positions: Callable[[str], ValuedPositions] | None = None  # by which players are rated; of a judge, or of the first
    analyst: Analyst | None = None  # for a game that analyses its games itself, and those of other programs
    people: str = ""  # the rules by which people play unless they choose others: `key=value,key=value`
    undo: bool = False  # whether a person may take back a move: nothing is hidden, and no luck falls after it


@dataclass(frozen=True)
class Game:
    """A game under certain rules."""

    name: str
    summary: str
    rules: Rules
    policies: Policies
    learning: Learning = Learning()
    presentation: Presentation = Presentation()
    search: Search | None = None  # for a game whose players can search
    variants: dict[str, "Game"] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def view(self) -> View:
        """The view, bound to this game."""
        return self.presentation.view(self)

    @cached_property
    def launcher(self) -> Launcher:
        """Plays batches of this game."""
        rules, policies = self.rules, self.policies
        kernels = (rules.start, policies.choose, rules.apply)
        scratch = (rules.max_moves, policies.float_scratch, policies.int_scratch)
        games = (batch(*kernels), self.template, rules.tally)
        staged = match_stages(rules, policies, self.learning)
        return Launcher(
            self.family, self.name, *games, *scratch, kernels, policies.subwarp, staged, policies.choose_for
        )

    @cached_property
    def template(self) -> np.ndarray:
        """A state before it starts: empty but for the rules that were chosen."""
        state = np.zeros(1, self.rules.state)
        if self.rules.prepare and self.rules.options:
            self.rules.prepare(self.rules.chosen or self.rules.options(), state)
        return state

    @cached_property
    def td_runner(self) -> TDRunner:
        """Plays games that a network learns from by temporal differences."""
        rules, policies, learning = self.rules, self.policies, self.learning
        if learning.inputs is None or learning.outcome is None:
            raise UserError(f"{self.family}: has no inputs or no outcome for networks, so td cannot learn it")
        learn: Callable[..., None] = temporal(
            rules.start, rules.moves, policies.choose, rules.apply, learning.inputs, learning.outcome,
            learning.valued or only_after_turns,
        )  # fmt: skip
        return TDRunner(self.launcher, learn)

    @cached_property
    def luck_runner(self) -> LuckRunner | None:
        """Replays games and adds up luck, where the game can judge it."""
        luck = self.learning.luck
        return LuckRunner(self.launcher, luck_batch(self.rules.start, self.rules.apply, luck)) if luck else None

    @property
    def family(self) -> str:
        """The game's name without rules: `backgammon` of `backgammon:scoring=single`."""
        return self.name.partition(":")[0]

    @property
    def policy_names(self) -> tuple[str, ...]:
        return tuple(self.policies.names)

    @property
    def builtin(self) -> tuple[str, ...]:
        """The players that need no network."""
        return tuple(name for name in self.policies.names if name.partition("+")[0] != "net")

    @property
    def encoding_names(self) -> tuple[str, ...]:
        return tuple(self.policies.encodings)


def start_game(game: Game, seed: int, deal: int, luck: int, seats: int) -> np.ndarray:
    """A game about to begin: an array of one state, which `play_move` changes in place."""
    state = game.template.copy()
    with np.errstate(over="ignore"):
        game.rules.start(records(state)[0], np.uint64(seed), deal, luck, seats)
    return state


def legal_moves(game: Game, state: np.ndarray) -> tuple[int, ...]:
    """The moves that the rules offer in this state; none when the game is over."""
    if state[0]["over"]:
        return ()
    out = np.empty(MOVES, np.int16)
    count = game.rules.moves(records(state)[0], out)
    return tuple(out[:count].tolist())


def play_move(game: Game, state: np.ndarray, move: int) -> None:
    """Play a move that a person or a program asks for, if it is legal. Kernels themselves trust their caller."""
    legal = legal_moves(game, state)
    if move not in legal:
        offered = f"legal: {', '.join(map(str, legal))}" if legal else "the game is over"
        raise UserError(f"illegal move {move}; {offered}")
    apply_move(game.rules, state, move)


def apply_move(rules: Any, state: np.ndarray, move: int) -> None:
    """Play a legal move by the kernel `apply` of some rules."""
    with np.errstate(over="ignore"):
        rules.apply(records(state)[0], move)


def with_rules(game: Game, words: str) -> Game:
    """The game under rules chosen as `key=value,key=value`, named by those that differ from the defaults.

    The same rules give the same game object, so that its kernels are compiled once.
    """
    options = game.rules.options
    if options is None:
        raise UserError(f"{game.name}:{words}: {game.name} has no rules to choose")
    given: dict[str, Any] = asdict(game.rules.chosen) if game.rules.chosen else {}
    for word in words.split(","):
        key, has_value, value = word.partition("=")
        if not has_value:
            raise UserError(f"{game.name}:{words}: rules are written key=value, and {word!r} is not")
        given[key] = parse_option(options, key, value, f"{game.name}:")
    chosen: Any = read_options(options, given, f"{game.name}:")
    default = asdict(options())
    differing = {key: value for key, value in asdict(chosen).items() if value != default[key]}
    if not differing and not game.rules.chosen:
        return game
    words = ",".join(f"{key}={value}" for key, value in differing.items())
    name = f"{game.family}:{words}" if differing else game.family
    if name not in game.variants or _reads_file(options, differing):  # a file may have changed
        game.variants[name] = _variant(game, name, chosen)
    return game.variants[name]


def _variant(game: Game, name: str, chosen: Any) -> Game:
    sized = game.policies.sized
    policies = replace(game.policies, encodings=sized(chosen)) if sized else game.policies
    variant = replace(game, name=name, rules=replace(game.rules, chosen=chosen), policies=policies)
    object.__setattr__(variant, "variants", game.variants)
    assert len(variant.template)  # wrong rules are refused here, where they are named
    return variant


def _reads_file(options: type, given: Mapping[str, Any]) -> bool:
    named = [given[f.name] for f in fields(options) if f.metadata["reads_file"] and f.name in given]
    return any(Path(str(name)).is_file() for name in named)
