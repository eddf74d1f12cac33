"""What the study says of its fifth case, what it leaves to be found, and whether our intervals support it."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies.conquest import published
from sparring.studies.conquest.cases import CURES, STUDY
from sparring.studies.conquest.collusion import HIGH, SIDES, index_interval
from sparring.studies.conquest.draws import could_be_ours
from sparring.studies.conquest.measured import Measured, Rivals
from sparring.studies.verdicts import OPEN, Judged, difference, together, verdict

PASSED = 0.75  # of the greatest fitness: a spike that falls below it has passed


def at_length(found: Measured, told: str) -> str:
    """A verdict on what training leads to, open where training was shorter than the study's."""
    return told if found.budget.rivals_whole else OPEN


def drawn(words: str, told: tuple[float, float], peak: bool) -> Callable[[Measured], Judged]:
    """A claim that the study's fitness of blue and red could be one of ours."""

    def claim(found: Measured) -> Judged:
        study = found.rivals[STUDY]
        when = study.spikes.generation - 1 if peak else np.full(len(study.blue), -1)
        ours = [curve[np.arange(len(curve)), when] for curve in (study.blue, study.red)]
        verdicts = [could_be_ours(trials, value) for trials, value in zip(ours, told, strict=True)]
        return (
            f"Best blue and red of case 5, {words}, could be ours",
            f"{told[0]:.0f} and {told[1]:.0f}",
            " and ".join(f"{trials.min():.0f} to {trials.max():.0f}" for trials in ours),
            at_length(found, together(*verdicts)),
        )

    return claim


def spikes_occur(found: Measured) -> Judged:
    seen = found.rivals[STUDY].spikes.high > 0
    share = rate_interval(seen.astype(float))
    return (
        f"It is certain that cooperation is tried: in most trainings best blue and red reach {HIGH:.0f} together",
        f"{sum(published.SPIKE):.0f} in its one training",
        f"in {int(seen.sum())} of {len(seen)}, {share.text(0, percent=True)}",
        at_length(found, verdict(share, above=0.5)),
    )


def both_gain(found: Measured) -> Judged:
    index = found.rivals[STUDY].peak_index
    words = (
        "Networks bred together cooperate: both have more of each other than of strangers (index, greatest generation)"
    )
    if not np.isfinite(index).all():
        return words, "seen in one game", "one trial: no strangers", OPEN
    told = index_interval(index)
    return words, "seen in one game", told.text(2), at_length(found, verdict(told, above=0.0))


def nobody_wins(found: Measured) -> Judged:
    open_ = rate_interval(1 - found.rivals[STUDY].last.mean("decided"))
    return (
        "The games that pay best are not decided (last generation)",
        "nobody won",
        f"{open_.text(0, percent=True)} undecided",
        at_length(found, verdict(open_, above=0.5)),
    )


def spike_passes(found: Measured) -> Judged:
    study = found.rivals[STUDY]
    when = study.spikes.generation
    told = [joint[g] / joint[g - 1] for joint, g in zip(study.joint, when, strict=True) if g < len(joint)]
    if not told:
        return "Fitness drops right after the spike", "dropped", "every trial is greatest at its end", OPEN
    left = mean_interval(np.array(told))
    return (
        f"Fitness drops right after the spike: to less than {100 * PASSED:.0f}%",
        "dropped; 51% ten generations later",
        f"to {left.text(0, percent=True)}",
        at_length(found, verdict(left, below=PASSED)),
    )


def attacks_feed(found: Measured) -> Judged:
    study = found.rivals[STUDY]
    gaps = []
    for kind in ("attack", "transport"):
        peak = study.at_peak(kind) / np.maximum(study.at_peak("rounds"), 1)
        last = study.last.of_best(kind) / np.maximum(study.last.of_best("rounds"), 1)
        gaps.append(mean_interval((peak - last).mean(axis=1)))
    return (
        "At the spike there are more attacks and fewer transports than at the end",
        "by 16% and -50% of moves",
        " and ".join(gap.text(0, percent=True) for gap in gaps),
        at_length(found, together(verdict(gaps[0], above=0.0), verdict(gaps[1], below=0.0))),
    )


def better_moves(found: Measured) -> Judged:
    gain = mean_interval(_gain(found.rivals[STUDY]))
    return (
        "The two populations drive each other to better moves: the last best win more against random than the first",
        "expected",
        f"by {Interval(100 * gain.value, 100 * gain.low, 100 * gain.high).text(1)} points",
        at_length(found, verdict(gain, above=0.0)),
    )


def _gain(rivals: Rivals, opponent: str = "random") -> np.ndarray:
    """What each trial's best have gained against a fixed player since the first generation, mean of both sides."""
    first, last = (_won(rivals, opponent, mark) for mark in ("first", "last"))
    return np.asarray(last - first)


def _won(rivals: Rivals, opponent: str, mark: str = "last") -> np.ndarray:
    """Games won in each trial, mean of both sides."""
    return np.asarray(np.mean([rivals.strength[mark][side][opponent] for side in SIDES], axis=0))


# Cures.


def feeding_ends(fitness: str) -> Callable[[Measured], Judged]:
    """A claim that networks who strive for something else do not feed each other."""

    def claim(found: Measured) -> Judged:
        words = f"Striving for {fitness} ends it: both have no more of each other than of strangers (index, last generation)"
        if fitness not in found.rivals:
            return words, "", "not a fitness of this version", OPEN
        index = found.rivals[fitness].last.index
        if not np.isfinite(index).all():
            return words, "", "one trial: no strangers", OPEN
        told = index_interval(index)
        return words, "", told.text(2), at_length(found, verdict(told, below=0.0))

    return claim


def fights(fitness: str) -> Callable[[Measured], Judged]:
    """A claim that they fight instead: more games are decided, and they are stronger."""

    def claim(found: Measured) -> Judged:
        words = f"Striving for {fitness} they fight instead: most games decided, and more won against random"
        if fitness not in found.rivals:
            return words, "", "not a fitness of this version", OPEN
        study, ours = found.rivals[STUDY], found.rivals[fitness]
        decided = rate_interval(ours.last.mean("decided"))
        gap = difference(_won(ours, "random"), _won(study, "random"))
        points = Interval(100 * gap.value, 100 * gap.low, 100 * gap.high)
        return (
            words,
            "",
            f"{decided.text(0, percent=True)} decided; {points.text(0)} points more won",
            at_length(found, together(verdict(decided, above=0.5), verdict(gap, above=0.0))),
        )

    return claim


RIVAL_CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    drawn("in the last generation", published.END, peak=False),
    drawn("at their greatest", published.SPIKE, peak=True),
    spikes_occur,
    both_gain,
    nobody_wins,
    spike_passes,
    attacks_feed,
    better_moves,
    *(claim(fitness) for fitness in CURES for claim in (feeding_ends, fights)),
)
