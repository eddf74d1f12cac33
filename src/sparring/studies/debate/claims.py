"""How the claims of the debate, which are in claims.toml, are measured."""

from collections.abc import Callable
from typing import Any

from sparring.arena.statistics import Interval, mean_interval
from sparring.studies.debate.measured import BY_GAMES, KINDS, Measured
from sparring.studies.debate.settings import GAMES, HIDDEN, LINEAR
from sparring.studies.verdicts import difference, read_claims


def stronger(found: Measured, game: str, shape: str, first: str, second: str, kind: str) -> Interval:
    """The difference of two learners' shares against the panel."""
    field = found.fields[game, shape]
    return difference(field.strength(first, kind), field.strength(second, kind))


def ahead(found: Measured, game: str, shape: str, first: str, second: str, kind: str) -> list[Interval]:
    """The same, and by how much the first wins more than half of the games between the two."""
    met = found.fields[game, shape].met(first, second, kind)
    return [stronger(found, game, shape, first, second, kind), mean_interval(met - 0.5)]


def layer(found: Measured, game: str, learner: str) -> Interval:
    """What a hidden layer adds to a learner's share against the panel at equal games."""
    hidden, linear = (found.fields[game, shape].strength(learner, BY_GAMES) for shape in (HIDDEN, LINEAR))
    return difference(hidden, linear)


MEASURES: dict[str, Callable[..., Any]] = {
    "stronger": stronger,
    "stronger either way": lambda found, *names: [stronger(found, *names, kind) for kind in KINDS],  # type: ignore[call-arg]
    "ahead": ahead,
    "layer": layer,
    "fewer weights": lambda found, game, learner: reversed_sign(layer(found, game, learner)),
}


def reversed_sign(interval: Interval) -> Interval:
    """An interval with its sign reversed."""
    return Interval(-interval.value, -interval.high, -interval.low)


def whole(found: Measured) -> bool:
    """Whether trainings were long enough for claims to fail."""
    return found.budget.whole


GROUPS = {game: {"conclusive": whole} for game in GAMES} | {"": {}}
CLAIMS = read_claims("debate", MEASURES, GROUPS)
