"""Measures by input, ours and published, and claims about the inputs one by one or in order."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from sparring.arena.statistics import Interval, share_interval
from sparring.studies.golf import published
from sparring.studies.golf.measured import Measured, first_matches
from sparring.studies.golf.published import INPUTS, MEASURES
from sparring.studies.verdicts import Judged, above, below, difference, judge, texts, together

SHARES = ("won", "rounds_ended")
Claim = Callable[[Measured], Judged]


def column(found: Measured, name: str, measure: str) -> np.ndarray:
    """One of the five measures against random, of every champion."""
    return np.asarray(found.against_random[name][:, MEASURES.index(measure)])


def gap(found: Measured, a: str, b: str, measure: str) -> Interval:
    """A measure of players a minus that of players b."""
    return difference(column(found, a, measure), column(found, b, measure))


def final_cards(found: Measured, name: str) -> np.ndarray:
    """How often each card is in a final hand against random, of every champion: (trials, cards)."""
    return np.array([match["players"][0]["profiles"]["cards"] for match in first_matches(found.runs[name])])


def average(name: str, measure: str = "score") -> float:
    """The published mean over an input's players."""
    return float(np.mean(published.AGAINST_RANDOM[name], axis=0)[MEASURES.index(measure)])


def averages(names: Sequence[str], measure: str = "score") -> str:
    """The published means of several inputs."""
    means = [average(name, measure) for name in names]
    return ", ".join(f"{100 * mean:.2f}%" if measure in SHARES else f"{mean:.2f}" for mean in means)


def at_most(found: Interval, claim: str, theirs: float) -> Judged:
    """The claim that a score is at most the published one; says whether the interval contains that."""
    contained = ", contains it" if found.low <= theirs <= found.high else ""
    return judge(claim, f"{theirs:.2f}", found, below(theirs), f"{{:.2f}}{contained}")


def titled(names: Sequence[str], claim: str) -> str:
    """A claim, with the algorithm before it if that is NEAT."""
    return f"NEAT: {claim[0].lower()}{claim[1:]}" if names[0].startswith("neat-") else claim


def ordering(measure: str, claim: str, rising: bool, names: Sequence[str] = INPUTS) -> Claim:
    """The claim that a measure rises (or falls) from hand over state and hand to state."""
    return partial(_ordered, measure=measure, claim=claim, rising=rising, names=names)


def _ordered(found: Measured, measure: str, claim: str, rising: bool, names: Sequence[str]) -> Judged:
    steps = [gap(found, b, a, measure) for a, b in pairwise(names)]
    test, ours = (
        above(0.0) if rising else below(0.0),
        "differences {:.2%}" if measure in SHARES else "differences {:.2f}",
    )
    return judge(titled(names, claim), averages(names, measure), steps, test, ours)


def cards_claim(
    found: Measured, names: Sequence[str], low: str, lows: tuple[int, ...], high: str, highs: tuple[int, ...]
) -> Judged:
    """The claim that final hands against random have more of some cards and fewer of others than random's."""
    usual = found.random.players[0].profiles["cards"]
    ours: list[str] = []
    verdicts: list[str] = []
    for words, cards, side in (("low cards", list(lows), above), ("high cards", list(highs), below)):
        random = float(usual[cards].sum())
        shares = [share_interval(final_cards(found, name)[:, cards].sum(axis=1)) for name in names]
        ours.append(f"{words} (random {100 * random:.0f}%) {texts(shares, '.0%')}")
        verdicts += map(side(random), shares)
    return (
        titled(names, f"All inputs favour {low} and avoid {high}"),
        f"Figure {9 if names == INPUTS else 16}",
        "; ".join(ours),
        together(*verdicts),
    )
