"""The analysis of games as plain data: what each decision cost, what luck gave, how the game stood.

A judge is a player whose values of moves are taken for right. `sparring.arena.analysis` computes the analysis of any game from its
log; a game that has its own judge and file formats defines `Presentation.analyst`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from sparring.games.explain import NetEvaluator

DOUBTFUL, BLUNDER = "doubtful", "blunder"
Progress = Callable[[int, int], None]  # decisions done, decisions in total


@dataclass(frozen=True)
class Choice:
    """A move that could be made, with the judge's value for the seat that decides."""

    words: str
    value: float
    loss: float  # compared with the best
    detail: str = ""  # what the value consists of, in words
    move: int | None = None  # its number in the game's rules, where it has one


@dataclass(frozen=True)
class JudgedDecision:
    """A decision of a game, as the judge sees it."""

    number: int  # from 0
    move: int  # the moves that the game's log has before it: a replay shows the position there
    seat: int
    kind: str  # "move", or a word of the game for another kind of decision
    made: str  # the move made, in words
    situation: str = ""  # what it follows, such as a roll of dice
    choices: tuple[Choice, ...] = ()  # the best first; empty where the judge has no values
    loss: float | None = None  # None where the judge has no value of the move made
    counted: bool = False  # whether it enters the means: several choices, and a value of the move made
    grade: str = ""  # "", DOUBTFUL or BLUNDER
    luck: float | None = None  # of the chance event just before it, for the seat; None where nothing is listed
    standing: float | None = None  # the seat's expected result when it decides
    position: str = ""  # a diagram; of mistakes only
    picture: str = ""  # an SVG; of mistakes only

    @property
    def best(self) -> Choice | None:
        return self.choices[0] if self.choices else None


@dataclass(frozen=True)
class PlayerSummary:
    """A player's decisions in a game, or in several."""

    name: str
    decisions: int  # that are counted
    loss: float  # the sum
    doubtful: int
    blunders: int
    luck: float | None  # the sum; None where the game lists no chance outcomes
    result: float | None  # in the unit of standings; None where it cannot be added up
    adjusted: float | None  # the result without the luck of all
    figures: Mapping[str, float] = field(default_factory=dict)  # more numbers of the game, by name

    @property
    def mean_loss(self) -> float:
        """The mean loss per counted decision."""
        return self.loss / self.decisions if self.decisions else 0.0

    def json(self) -> dict[str, Any]:
        return asdict(self) | {"figures": dict(self.figures), "mean_loss": self.mean_loss}


@dataclass(frozen=True)
class GameAnalysis:
    """A game with every decision judged."""

    game: str
    title: str  # which game of which file
    names: tuple[str, ...]  # by seat
    judge: str
    unit: str  # of values, losses and luck
    standing_unit: str  # of standings and results; empty where there are no standings
    note: str  # what the values are
    outcome: str  # the result in words
    decisions: tuple[JudgedDecision, ...]
    players: tuple[PlayerSummary, ...]  # by seat
    thresholds: tuple[float, float]  # losses above them are doubtful moves and blunders

    def mistakes(self) -> list[JudgedDecision]:
        """The doubtful moves and blunders, the largest loss first."""
        found = [decision for decision in self.decisions if decision.grade]
        return sorted(found, key=lambda decision: -(decision.loss or 0.0))

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """The seat's expected result at each of its decisions, by the decision's number."""
        return [(d.number, d.standing) for d in self.decisions if d.seat == seat and d.standing is not None]

    def json(self) -> dict[str, Any]:
        """Everything as JSON."""
        shape = {name: value for name, value in vars(self).items() if name not in ("decisions", "players")}
        return shape | {
            "decisions": [asdict(decision) for decision in self.decisions],
            "players": [player.json() for player in self.players],
        }


@dataclass(frozen=True)
class Analysis:
    """The games of a file, analysed."""

    games: tuple[GameAnalysis, ...]
    totals: tuple[PlayerSummary, ...]  # by player, over all games
    annotated: Mapping[str, str] = field(default_factory=dict)  # the file with comments, by the suffix of its format

    def json(self) -> dict[str, Any]:
        """Everything as JSON."""
        return {"games": [game.json() for game in self.games], "totals": [total.json() for total in self.totals]}


@dataclass(frozen=True)
class Frame:
    """What a replay shows of a game of another program before one of its decisions, or at its end."""

    said: str  # what was done last
    svg: str
    move: int  # as in JudgedDecision
    turn: int | None  # the seat that decides


class Analyst(Protocol):
    """A game's own analysis, of logs and of other programs' files."""

    judge: str  # the network that judges where none is named
    levels: Sequence[str]  # how deep it can look, the shallowest first
    suffixes: Sequence[str]  # of files that it reads beside logs

    def read(self, text: str, place: str) -> Sequence[Any]:
        """The games of another program's file; `place` is its name, for error messages."""

    def read_text(self, text: str, place: str, names: Sequence[str]) -> Any:
        """A game in the game's own notation."""

    def names(self, game: Any) -> Sequence[str]:
        """The players of such a game by seat."""

    def outcome(self, game: Any) -> str:
        """Its result in words."""

    def frames(self, game: Any) -> Sequence[Frame]:
        """Its replay."""

    def rules_before(self, game: Any, move: int) -> str:
        """Rules under which seat 0 has the decision at a move; empty where a game cannot begin there."""

    def analyse(self, games: Sequence[Any], how: "AnalysisOptions") -> Analysis:
        """The analysis of such games."""


@dataclass(frozen=True)
class AnalysisOptions:
    """How an analyst judges."""

    network: NetEvaluator
    name: str  # of the network
    level: str
    progress: Progress | None = None


def graded(loss: float | None, thresholds: tuple[float, float]) -> str:
    """The grade of a loss."""
    doubtful, blunder = thresholds
    return "" if loss is None or loss <= doubtful else BLUNDER if loss > blunder else DOUBTFUL


def summarise(
    name: str, decisions: Sequence[JudgedDecision], luck: float | None, result: float | None, adjusted: float | None
) -> PlayerSummary:
    """The summary of a player's decisions."""
    counted = [decision for decision in decisions if decision.counted]
    grades = [decision.grade for decision in counted]
    loss = sum(decision.loss or 0.0 for decision in counted)
    return PlayerSummary(
        name, len(counted), loss, grades.count(DOUBTFUL), grades.count(BLUNDER), luck, result, adjusted
    )


def add_up(games: Sequence[GameAnalysis]) -> tuple[PlayerSummary, ...]:
    """The totals of each player over games; a name in several seats is one player."""
    found: dict[str, list[PlayerSummary]] = {}
    for game in games:
        for player in game.players:
            found.setdefault(player.name, []).append(player)
    return tuple(_total(name, parts) for name, parts in found.items())


def _total(name: str, parts: Sequence[PlayerSummary]) -> PlayerSummary:
    def added(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    return PlayerSummary(
        name,
        sum(part.decisions for part in parts),
        sum(part.loss for part in parts),
        sum(part.doubtful for part in parts),
        sum(part.blunders for part in parts),
        added([part.luck for part in parts]),
        added([part.result for part in parts]),
        added([part.adjusted for part in parts]),
        {key: sum(part.figures[key] for part in parts) for key in parts[0].figures},
    )
