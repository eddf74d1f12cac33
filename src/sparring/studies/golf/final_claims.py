"""The golf study's claims about the final: sections 7.4 and 7.5."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval
from sparring.studies.golf import published
from sparring.studies.golf.by_input import Claim, titled
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, NEAT
from sparring.studies.verdicts import OPEN, Judged, together, verdict

HANDS, STATE_HANDS, STATES = zip(INPUTS, NEAT, strict=True)  # by both algorithms
NETS = (*INPUTS, *NEAT)


def rate(found: Measured, a: str, b: str) -> Interval:
    """The share of games a won from b, by head-to-head matches of more games than the tournament has."""
    if (a, b) in found.meetings:
        return found.meetings[a, b].players[0].win_rate
    return found.meetings[b, a].players[1].win_rate


def score(found: Measured, a: str, b: str) -> Interval:
    """The mean score of a against b, or of either against greedier."""
    if "greedier" in (a, b):
        return found.greedier[b if a == "greedier" else a].players[0 if a == "greedier" else 1].score
    if (a, b) in found.meetings:
        return found.meetings[a, b].players[0].score
    return found.meetings[b, a].players[1].score


def _gap(a: Interval, b: Interval) -> Interval:
    """The difference of two scores as if they were independent: sharing deals makes them closer, so this is cautious."""
    value = a.value - b.value
    return Interval(
        value, value - np.hypot(a.value - a.low, b.high - b.value), value + np.hypot(a.high - a.value, b.value - b.low)
    )


def _mean(intervals: Sequence[Interval]) -> Interval:
    """The mean of scores as if they erred together: cautious again."""
    value, low, high = np.mean([(i.value, i.low, i.high) for i in intervals], axis=0)
    return Interval(float(value), float(low), float(high))


def table_8(a: str, b: str) -> str:
    """What the study has for a against b."""
    won = published.FINAL_WINS[published.FINAL_ROWS.index(a)][published.FINAL_ROWS.index(b)]
    assert won is not None
    return f"{100 * won:.0f}%"


def beats(words: str, *meetings: tuple[str, str]) -> Claim:
    """A claim that the first of each two wins most games from the second."""
    return partial(_beaten, words=words, meetings=meetings)


def _beaten(found: Measured, words: str, meetings: tuple[tuple[str, str], ...]) -> Judged:
    rates = [rate(found, a, b) for a, b in meetings]
    return (
        words,
        ", ".join(table_8(a, b) for a, b in meetings),
        ", ".join(r.text(1, percent=True) for r in rates),
        together(*(verdict(r, above=0.5) for r in rates)),
    )


def across(better: Sequence[str], worse: Sequence[str]) -> list[tuple[str, str]]:
    """Each of the better with each of the worse."""
    return [(a, b) for a in better for b in worse]


def hand_scores_least(found: Measured) -> Judged:
    scores = {player.name: player.score for player in found.final.players}
    hand = max((scores[name] for name in HANDS), key=lambda s: s.value)
    other = min((scores[name] for name in NETS if name not in HANDS), key=lambda s: s.value)
    gap = _gap(other, hand)
    return (
        "In the final both hand players score fewer points than every other",
        "by 20 or more: 131.67 and 135.91 against 155.70",
        "by " + gap.text(1),
        verdict(gap, above=0.0),
    )


def kin(found: Measured) -> Judged:
    """The winners of the internal tournaments there, and in the final; one trial has no such tournament."""
    finals = {player.name: player.score for player in found.final.players}
    inside = [found.internal[name]["players"][:1] for name in NEAT[:2]]
    less = [
        _gap(finals[name], Interval.from_json(winner["score"]))
        for name, winners in zip(NEAT, inside, strict=False)
        for winner in winners
    ]
    return (
        "NEAT's best hand player and its best state and hand player score less against their like than in the final",
        "100.92 against 131.67, 84.77 against 155.70",
        "less by " + ", ".join(x.text(1) for x in less) if less else "one trial: no like to meet",
        together(*(verdict(x, above=0.0) for x in less)) if less else OPEN,
    )


def each_other(found: Measured) -> Judged:
    """Against the opponent with whom the difference is least."""
    gaps = []
    for a, b in (NEAT[:2], NEAT[1::-1]):
        others = [score(found, a, name) for name in (*NETS, "random") if name not in (a, b)]
        gaps.append(_gap(min(others, key=lambda s: s.value), score(found, a, b)))
    return (
        "NEAT's hand player and its state and hand player score less against each other than against anybody else",
        "67.57 and 85.98; at least 125.00 and 153.07 elsewhere",
        "less by " + ", ".join(gap.text(1) for gap in gaps),
        together(*(verdict(gap, above=0.0) for gap in gaps)),
    )


def state_disturbs(found: Measured) -> Judged:
    """Scores against the coevolved state player beside scores of the same two nets against each other."""
    rises = [
        _gap(score(found, a, "state"), score(found, a, b)) for a, b in (("hand", "state-hand"), ("state-hand", "hand"))
    ]
    return (
        "The other coevolved nets score more against the coevolved state player than against each other",
        "174.50 and 195.91 against 140.53 and 187.43",
        "more by " + " and ".join(r.text(1) for r in rises),
        together(*(verdict(r, above=0.0) for r in rises)),
    )


def state_disturbs_all(found: Measured) -> Judged:
    """Every player's score against the coevolved state player beside its mean over all others that it met."""
    rises, shares = [], []
    everyone = (*NETS, "random", "greedier")
    for name in (*NETS, "greedier"):
        if name != "state":
            others = [score(found, name, other) for other in everyone if other not in (name, "state")]
            against = score(found, name, "state")
            rises.append(_gap(against, _mean(others)))
            shares.append(against.value / np.mean([against.value, *(s.value for s in others)]) - 1)
    return (
        "Everyone but random scores more against the coevolved state player than against others",
        f"{100 * published.STATE_DISTURBS:.1f}% more than on average, random among them; 20.4% without",
        f"{100 * np.mean(shares):.1f}% more than on average; more than against others by "
        + ", ".join(r.text(1) for r in rises),
        together(*(verdict(r, above=0.0) for r in rises)),
    )


def beats_greedier(found: Measured, name: str = "hand") -> Judged:
    ours = found.greedier[name].players[1].win_rate
    return (
        titled([name], "The best hand player wins most games against greedier"),
        f"{100 * published.AGAINST_GREEDIER[name][0]:.0f}% of 100 games",
        ours.text(1, percent=True),
        verdict(ours, above=0.5),
    )


def loses_to_greedier(found: Measured, names: Sequence[str] = INPUTS[1:]) -> Judged:
    rates = [found.greedier[name].players[1].win_rate for name in names]
    return (
        titled(names, "The best of the other inputs lose to greedier"),
        " and ".join(f"{100 * published.AGAINST_GREEDIER[name][0]:.0f}%" for name in names),
        " and ".join(r.text(1, percent=True) for r in rates),
        together(*(verdict(r, below=0.5) for r in rates)),
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
    kin,
    each_other,
    beats_greedier,
    loses_to_greedier,
    partial(beats_greedier, name="neat-hand"),
    partial(loses_to_greedier, names=NEAT[1:]),
    state_disturbs,
    state_disturbs_all,
)
