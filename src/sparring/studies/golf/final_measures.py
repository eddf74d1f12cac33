"""What the golf study's claims about the final tournament measure: sections 7.4 and 7.5."""

from collections.abc import Sequence

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import Interval
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, NEAT

HANDS = (INPUTS[0], NEAT[0])  # by both algorithms
NETS = (*INPUTS, *NEAT)


def standing(found: Measured, a: str, b: str) -> Standing:
    """Player a in its match against b, which has more games than the tournament."""
    if "greedier" in (a, b):
        return found.greedier[b if a == "greedier" else a].players[0 if a == "greedier" else 1]
    return found.matchups[a, b].players[0] if (a, b) in found.matchups else found.matchups[b, a].players[1]


def score(found: Measured, a: str, b: str) -> Interval:
    """The mean score of a against b."""
    return standing(found, a, b).score


def gap(a: Interval, b: Interval) -> Interval:
    """The difference of two scores as if they were independent: shared deals make them closer, so this is cautious."""
    value = a.value - b.value
    return Interval(
        value, value - np.hypot(a.value - a.low, b.high - b.value), value + np.hypot(a.high - a.value, b.value - b.low)
    )


def mean(intervals: Sequence[Interval]) -> Interval:
    """The mean of scores as if their errors were the same: cautious again."""
    value, low, high = np.mean([(i.value, i.low, i.high) for i in intervals], axis=0)
    return Interval(float(value), float(low), float(high))


def wins(found: Measured, *pairs: tuple[str, str]) -> list[Interval]:
    """The games that the first of each pair wins against the second."""
    return [standing(found, a, b).win_rate for a, b in pairs]


def hand_scores_least(found: Measured) -> Interval:
    """The least score of the other inputs' players in the final minus the greatest of the hand players."""
    scores = {player.name: player.score for player in found.final.players}
    hand = max((scores[name] for name in HANDS), key=lambda s: s.value)
    return gap(min((scores[name] for name in NETS if name not in HANDS), key=lambda s: s.value), hand)


def own_kind(found: Measured) -> list[Interval]:
    """The winners of the internal tournaments: their scores in the final minus those there; none for a single trial."""
    finals = {player.name: player.score for player in found.final.players}
    return [
        gap(finals[name], Interval.from_json(winner["score"]))
        for name in NEAT[:2]
        for winner in found.internal[name]["players"][:1]
    ]


def each_other(found: Measured) -> list[Interval]:
    """Compared with the opponent for which the difference is least."""
    gaps = []
    for a, b in (NEAT[:2], NEAT[1::-1]):
        others = [score(found, a, name) for name in (*NETS, "random") if name not in (a, b)]
        gaps.append(gap(min(others, key=lambda s: s.value), score(found, a, b)))
    return gaps


def state_disturbs(found: Measured, *pairs: tuple[str, str]) -> list[Interval]:
    """Scores against the coevolved state player minus scores of the same two networks against each other."""
    return [gap(score(found, a, "state"), score(found, a, b)) for a, b in pairs]


def state_disturbs_all(found: Measured) -> list[Interval]:
    """Every player's score against the coevolved state player minus its mean over all its other opponents."""
    everyone, rises = (*NETS, "random", "greedier"), []
    for name in (*NETS, "greedier"):
        if name != "state":
            others = [score(found, name, other) for other in everyone if other not in (name, "state")]
            rises.append(gap(score(found, name, "state"), mean(others)))
    return rises
