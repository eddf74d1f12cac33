"""The golf study's claims about the final tournament: sections 7.4 and 7.5."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import Interval
from sparring.studies.golf import published
from sparring.studies.golf.by_input import Claim, titled
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, NEAT
from sparring.studies.verdicts import Judged, above, below, judge, undecided

HANDS, STATE_HANDS, STATES = zip(INPUTS, NEAT, strict=True)  # by both algorithms
NETS = (*INPUTS, *NEAT)


def standing(found: Measured, a: str, b: str) -> Standing:
    """Player a in its match against b, which has more games than the tournament."""
    if "greedier" in (a, b):
        return found.greedier[b if a == "greedier" else a].players[0 if a == "greedier" else 1]
    return found.matchups[a, b].players[0] if (a, b) in found.matchups else found.matchups[b, a].players[1]


def score(found: Measured, a: str, b: str) -> Interval:
    """The mean score of a against b."""
    return standing(found, a, b).score


def _gap(a: Interval, b: Interval) -> Interval:
    """The difference of two scores as if they were independent: shared deals make them closer, so this is cautious."""
    value = a.value - b.value
    return Interval(
        value, value - np.hypot(a.value - a.low, b.high - b.value), value + np.hypot(a.high - a.value, b.value - b.low)
    )


def _mean(intervals: Sequence[Interval]) -> Interval:
    """The mean of scores as if their errors were the same: cautious again."""
    value, low, high = np.mean([(i.value, i.low, i.high) for i in intervals], axis=0)
    return Interval(float(value), float(low), float(high))


def table_8(a: str, b: str) -> str:
    """The published share of games that a wins against b."""
    won = published.FINAL_WINS[published.FINAL_ROWS.index(a)][published.FINAL_ROWS.index(b)]
    assert won is not None
    return f"{100 * won:.0f}%"


def beats(claim: str, *pairs: tuple[str, str]) -> Claim:
    """The claim that the first of each pair wins most games against the second."""
    return partial(_beats, claim=claim, pairs=pairs)


def _beats(found: Measured, claim: str, pairs: Sequence[tuple[str, str]]) -> Judged:
    theirs = ", ".join(table_8(a, b) for a, b in pairs)
    return judge(claim, theirs, [standing(found, a, b).win_rate for a, b in pairs], above(0.5), "{:.1%}")


def across(better: Sequence[str], worse: Sequence[str]) -> list[tuple[str, str]]:
    """Each of the better with each of the worse."""
    return [(a, b) for a in better for b in worse]


def hand_scores_least(found: Measured) -> Judged:
    scores = {player.name: player.score for player in found.final.players}
    hand = max((scores[name] for name in HANDS), key=lambda s: s.value)
    other = min((scores[name] for name in NETS if name not in HANDS), key=lambda s: s.value)
    return judge(
        "In the final both hand players score fewer points than every other",
        "by 20 or more: 131.67 and 135.91 against 155.70",
        _gap(other, hand),
        above(0.0),
        "by {:.1f}",
    )


def own_kind(found: Measured) -> Judged:
    """The winners of the internal tournaments, there and in the final; a single trial has no such tournament."""
    finals = {player.name: player.score for player in found.final.players}
    less = [
        _gap(finals[name], Interval.from_json(winner["score"]))
        for name in NEAT[:2]
        for winner in found.internal[name]["players"][:1]
    ]
    claim = (
        "NEAT's best hand player and its best state and hand player score less against their own kind than in the final"
    )
    theirs = "100.92 against 131.67, 84.77 against 155.70"
    if not less:
        return undecided(claim, theirs, "one trial: no opponents of its own kind")
    return judge(claim, theirs, less, above(0.0), "less by {:.1f}")


def each_other(found: Measured) -> Judged:
    """Compared with the opponent for which the difference is least."""
    gaps = []
    for a, b in (NEAT[:2], NEAT[1::-1]):
        others = [score(found, a, name) for name in (*NETS, "random") if name not in (a, b)]
        gaps.append(_gap(min(others, key=lambda s: s.value), score(found, a, b)))
    return judge(
        "NEAT's hand player and its state and hand player score less against each other than against anybody else",
        "67.57 and 85.98; at least 125.00 and 153.07 elsewhere",
        gaps,
        above(0.0),
        "less by {:.1f}",
    )


def state_disturbs(found: Measured) -> Judged:
    """Scores against the coevolved state player compared with scores of the same two networks against each other."""
    pairs = (("hand", "state-hand"), ("state-hand", "hand"))
    return judge(
        "The other coevolved networks score more against the coevolved state player than against each other",
        "174.50 and 195.91 against 140.53 and 187.43",
        [_gap(score(found, a, "state"), score(found, a, b)) for a, b in pairs],
        above(0.0),
        "more by {:.1f}",
    )


def state_disturbs_all(found: Measured) -> Judged:
    """Every player's score against the coevolved state player compared with its mean over all its other opponents."""
    rises, shares = [], []
    everyone = (*NETS, "random", "greedier")
    for name in (*NETS, "greedier"):
        if name != "state":
            others = [score(found, name, other) for other in everyone if other not in (name, "state")]
            against = score(found, name, "state")
            rises.append(_gap(against, _mean(others)))
            shares.append(against.value / np.mean([against.value, *(s.value for s in others)]) - 1)
    return judge(
        "Everyone but random scores more against the coevolved state player than against others",
        f"{100 * published.STATE_DISTURBS:.1f}% more than on average, with random; 20.4% without",
        rises,
        above(0.0),
        f"{100 * np.mean(shares):.1f}% more than on average; more than against others by {{:.1f}}",
    )


def against_greedier(found: Measured, claim: str, names: Sequence[str], wins: bool) -> Judged:
    """A claim that networks win or lose most games against greedier."""
    theirs = ", ".join(f"{100 * published.AGAINST_GREEDIER[name][0]:.0f}%" for name in names)
    theirs += " of 100 games" if wins else ""
    rates = [found.greedier[name].players[1].win_rate for name in names]
    return judge(titled(names, claim), theirs, rates, above(0.5) if wins else below(0.5), "{:.1%}")


beats_greedier, loses_to_greedier, neat_beats_greedier, neat_loses_to_greedier = (
    partial(against_greedier, claim=claim, names=names, wins=wins)
    for inputs in (INPUTS, NEAT)
    for claim, names, wins in (
        ("The best hand player wins most games against greedier", inputs[:1], True),
        ("The best players of the other inputs lose to greedier", inputs[1:], False),
    )
)

FINAL_CLAIMS: tuple[Claim, ...] = (
    beats(
        "Final round robin: coevolved hand beats state and hand, which beats state, which beats random",
        ("hand", "state-hand"),
        ("state-hand", "state"),
        ("state", "random"),
    ),
    beats(
        "Final: the hand players of both algorithms beat every player of the other inputs",
        *across(HANDS, (*STATE_HANDS, *STATES)),
    ),
    beats("Final: the state and hand players of both beat the state players of both", *across(STATE_HANDS, STATES)),
    beats("Final: every trained player beats random", *across(NETS, ("random",))),
    hand_scores_least,
    beats(
        "Coevolution beats NEAT on the hand and on the state; NEAT beats coevolution on state and hand",
        ("hand", "neat-hand"),
        ("state", "neat-state"),
        ("neat-state-hand", "state-hand"),
    ),
    own_kind,
    each_other,
    beats_greedier,
    loses_to_greedier,
    neat_beats_greedier,
    neat_loses_to_greedier,
    state_disturbs,
    state_disturbs_all,
)
