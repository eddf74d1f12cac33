"""Measures by input, ours and published, and claims that take the inputs one by one or in order."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, share_interval
from sparring.studies.golf import published
from sparring.studies.golf.measured import Measured, first_matches
from sparring.studies.golf.published import INPUTS, MEASURES
from sparring.studies.verdicts import Judged, difference, together, verdict

SHARES = ("won", "rounds_ended")
Claim = Callable[[Measured], Judged]


def column(found: Measured, name: str, measure: str) -> np.ndarray:
    """One of the five measures against random, of every champion."""
    values: np.ndarray = found.against_random[name][:, MEASURES.index(measure)]
    return values


def gap(found: Measured, a: str, b: str, measure: str) -> Interval:
    """By how much players a have more of a measure than players b."""
    return difference(column(found, a, measure), column(found, b, measure))


def final_cards(found: Measured, name: str) -> np.ndarray:
    """How often each card is in a final hand against random, of every champion: (trials, cards)."""
    return np.array([match["players"][0]["profiles"]["cards"] for match in first_matches(found.runs[name])])


def average(name: str, measure: str = "score") -> float:
    """The published mean over an input's players."""
    return float(np.mean(published.AGAINST_RANDOM[name], axis=0)[MEASURES.index(measure)])


def told(names: Sequence[str], measure: str = "score") -> str:
    """The published means of several inputs."""
    percent = measure in SHARES
    means = [average(name, measure) for name in names]
    return ", ".join(f"{100 * mean:.2f}%" if percent else f"{mean:.2f}" for mean in means)


def reached(ours: Interval, published_value: float) -> str:
    """Our interval, and whether the published value lies in it."""
    return ours.text(2) + (", reaches it" if ours.low <= published_value <= ours.high else "")


def titled(names: Sequence[str], words: str) -> str:
    """A claim's words, with the algorithm before them where it is NEAT."""
    return f"NEAT: {words[0].lower()}{words[1:]}" if names[0].startswith("neat-") else words


def ordering(measure: str, words: str, rising: bool, names: Sequence[str] = INPUTS) -> Claim:
    """A claim that a measure rises (or falls) from hand over state and hand to state."""
    return partial(_ordered, measure=measure, words=words, rising=rising, names=names)


def _ordered(found: Measured, measure: str, words: str, rising: bool, names: Sequence[str]) -> Judged:
    steps = [gap(found, b, a, measure) for a, b in zip(names, names[1:], strict=False)]
    verdicts = [verdict(step, above=0.0) if rising else verdict(step, below=0.0) for step in steps]
    return (
        titled(names, words),
        told(names, measure),
        " and ".join("difference " + step.text(2, measure in SHARES) for step in steps),
        together(*verdicts),
    )


def cards_claim(
    found: Measured, names: Sequence[str], low: str, lows: tuple[int, ...], high: str, highs: tuple[int, ...]
) -> Judged:
    """A claim that final hands against random have more of some cards and fewer of others than random's."""
    usual = found.random.players[0].profiles["cards"]
    said, verdicts = [], []
    for words, kinds in (("low cards", lows), ("high cards", highs)):
        random = float(usual[list(kinds)].sum())
        shares = [share_interval(final_cards(found, name)[:, list(kinds)].sum(axis=1)) for name in names]
        said.append(f"{words} (random {100 * random:.0f}%) " + ", ".join(s.text(0, percent=True) for s in shares))
        verdicts += [verdict(s, above=random) if kinds == lows else verdict(s, below=random) for s in shares]
    return (
        titled(names, f"All inputs favour {low} and avoid {high}"),
        f"by its Figure {9 if names == INPUTS else 16}",
        "; ".join(said),
        together(*verdicts),
    )
