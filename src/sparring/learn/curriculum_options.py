"""The options of a curriculum, and the words in them that name a game's roles and rewards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sparring.errors import UserError
from sparring.games import Game, unknown
from sparring.games.team import TeamCurriculum
from sparring.learn.td import SCHEDULES
from sparring.options import option, parse_option, read_options

MOST_HIDDEN = 4096
EXPLORATIONS = ("thompson", "epsilon", "none")


@dataclass(frozen=True)
class Curriculum:
    """The options of a curriculum."""

    stages: tuple[str, ...] = option((), "the stages, in order; none for all that the game has")
    games: tuple[int, ...] = option((100_000,), "games of each stage, or one number for all")
    before: str = option("", "a team's file to begin with, for stages that need what it has learned", reads_file=True)
    hidden: int = option(64, "hidden units of each net", 1, MOST_HIDDEN)
    widths: str = option("", "hidden units of some roles, where they have others, as play=256")
    rate: float = option(0.003, "learning rate at the start of a stage", 0, 1000)
    rate_end: float = option(0.0001, "learning rate at its end", 0, 1000)
    batch: int = option(256, "examples of each step of Adam", 1, 1_000_000)
    schedule: str = option("exponential", "how the rate goes from start to end", choices=SCHEDULES)
    decision_batch: int = option(32, "the same for decisions, which have few examples", 1, 1_000_000)
    decision_passes: int = option(5, "how often a decision goes through each step's examples", 1, 1000)
    hints: float = option(0.5, "how much immediate rewards pull, beside the round's", 0, 1000)
    level: float = option(
        1.0, "how much the error pulls that all alternatives of a choice share, where search gives several", 0, 1
    )
    rewards: str = option("", "the game's rewards where they are not the usual ones, as terminal=13,immediate=0")
    thresholds: str = option("", "above which decisions say yes, where not the usual ones, as moon-decision=0.9")
    shares: str = option("", "the share of its examples to say yes to instead, as moon-decision=0.04")
    explore: str = option("thompson", "how moves to learn from are varied", choices=EXPLORATIONS)
    epsilon: float = option(0.05, "share of moves at random, for epsilon", 0, 1)
    spread: float = option(1.0, "how far nets are drawn from the mean, for thompson", 0, 1000)
    rivals: tuple[str, ...] = option(
        (),
        "built-in players who take the seats of plain players but one in some games, in turn; none for self-play alone",
    )
    rival_share: float = option(0.5, "the share of those games, where there are rivals", 0, 1)
    start: float = option(0.1, "standard deviation of the first weights", 0, 1000)
    step_games: int = option(1000, "games between two looks at the clock and at Ctrl-C", 4, 100_000)
    benchmarks: tuple[str, ...] = option(
        ("rule-based",), "players, three of each of whom the team meets during training, for the curves alone"
    )
    benchmark_games: int = option(200, "games with each for every point of the curves", 0, 1_000_000)
    curve_every: int = option(20, "steps between two points of the curves", 1, 1_000_000)
    exam_games: int = option(4000, "games whose balanced examples tell how often a decision is right", 4, 1_000_000)


def curriculum_of(game: Game) -> TeamCurriculum:
    if game.learning.curriculum is None:
        raise UserError(f"learner.name: {game.name} has no roles to learn, so curriculum cannot learn it")
    return game.learning.curriculum


def read_numbers(text: str, key: str, roles: dict[str, float]) -> dict[str, float]:
    """`moon-decision=0.9,...` as numbers from 0 to 1 by role."""
    found = {}
    for word in filter(None, text.replace(" ", "").split(",")):
        role, _, value = word.partition("=")
        if role not in roles:
            raise UserError(f"learner.{key} = {text!r}: {role!r} decides nothing; decisions are {', '.join(roles)}")
        try:
            found[role] = float(value)
        except ValueError:
            found[role] = -1.0
        if not 0 <= found[role] <= 1:
            raise UserError(f"learner.{key} = {text!r}: {word!r} is not like {role}=0.9")
    return found


def read_widths(text: str, roles: Iterable[str]) -> dict[str, int]:
    """`play=256,...` as hidden units by role."""
    found = {}
    for word in filter(None, text.replace(" ", "").split(",")):
        role, _, value = word.partition("=")
        if role not in roles:
            raise UserError(f"learner.widths = {text!r}: {unknown('role', role, list(roles))}")
        if not value.isdecimal() or not 1 <= int(value) <= MOST_HIDDEN:
            raise UserError(f"learner.widths = {text!r}: {word!r} is not like {role}=256, at most {MOST_HIDDEN}")
        found[role] = int(value)
    return found


def read_rewards(curriculum: TeamCurriculum, text: str) -> Any:
    """The rewards, with changes written key=value."""
    given = {}
    for word in filter(None, text.replace(" ", "").split(",")):
        key, equals, value = word.partition("=")
        if not equals:
            raise UserError(f"learner.rewards = {text!r}: rewards are written key=value, and {word!r} is not")
        given[key] = parse_option(curriculum.rewards, key, value, "learner.rewards: ")
    return read_options(curriculum.rewards, given, "learner.rewards: ")


def planned(game: Game, options: Curriculum) -> dict[str, int]:
    """The stages and the steps of each."""
    names = options.stages or tuple(curriculum_of(game).stages)
    games = options.games * len(names) if len(options.games) == 1 else options.games
    return {name: -(-count // options.step_games) for name, count in zip(names, games, strict=True)}
