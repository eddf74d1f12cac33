"""The study's claims about its fifth case, and what it leaves open, judged by our intervals."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.studies.conquest import published
from sparring.studies.conquest.cases import CURES, STUDY
from sparring.studies.conquest.collusion import HIGH, SIDES, index_interval
from sparring.studies.conquest.draws import could_be_ours
from sparring.studies.conquest.measured import Measured, Rivals
from sparring.studies.verdicts import (
    OPEN,
    Claim,
    Judged,
    Test,
    above,
    below,
    difference,
    judge,
    texts,
    together,
    undecided,
)

PASSED = 0.75  # of the greatest fitness: below it a spike has passed
UNKNOWN_FITNESS = "not a fitness of this version"


def long_enough(found: Measured) -> bool:
    """Whether training was as long as the study's."""
    return found.budget.rivals_whole


TrainingClaim = partial(Claim, conclusive=long_enough)


def drawn(found: Measured, when: str, theirs: Sequence[float], peak: bool) -> Judged:
    """The claim that the study's fitness of blue and red could be one of ours."""
    study = found.rivals[STUDY]
    generation = study.spikes.generation - 1 if peak else np.full(len(study.blue), -1)
    ours = [curve[np.arange(len(curve)), generation] for curve in (study.blue, study.red)]
    verdicts = [could_be_ours(trials, value) for trials, value in zip(ours, theirs, strict=True)]
    return (
        f"Best blue and red of case 5, {when}, could be ours",
        f"{theirs[0]:.0f} and {theirs[1]:.0f}",
        " and ".join(f"{trials.min():.0f} to {trials.max():.0f}" for trials in ours),
        together(*verdicts) if long_enough(found) else OPEN,
    )


def spikes_occur(found: Measured) -> Judged:
    seen = found.rivals[STUDY].spikes.high > 0
    return judge(
        f"Cooperation certainly occurs: in most trainings best blue and red reach {HIGH:.0f} together",
        f"{sum(published.SPIKE):.0f} in its one training",
        rate_interval(seen.astype(float)),
        above(0.5),
        f"in {int(seen.sum())} of {len(seen)}, {{:.0%}}",
        conclusive=long_enough(found),
    )


def index_claim(found: Measured, claim: str, theirs: str, index: np.ndarray, test: Test) -> Judged:
    """A claim about the collusion index, which needs the best of other trials."""
    if not np.isfinite(index).all():
        return undecided(claim, theirs, "one trial: no strangers")
    return judge(claim, theirs, index_interval(index), test, "{:.2f}", conclusive=long_enough(found))


def both_gain(found: Measured) -> Judged:
    claim = (
        "Networks bred together cooperate: both score more with each other than with strangers (index, peak generation)"
    )
    return index_claim(found, claim, "seen in one game", found.rivals[STUDY].peak_index, above(0.0))


def spike_passes(found: Measured) -> Judged:
    study = found.rivals[STUDY]
    when = study.spikes.generation
    left = [joint[g] / joint[g - 1] for joint, g in zip(study.joint, when, strict=True) if g < len(joint)]
    if not left:
        return undecided("Fitness drops right after the spike", "dropped", "every trial is greatest at its end")
    return judge(
        f"Fitness drops right after the spike: to less than {100 * PASSED:.0f}%",
        "dropped; 51% ten generations later",
        mean_interval(np.array(left)),
        below(PASSED),
        "to {:.0%}",
        conclusive=long_enough(found),
    )


def attacks_feed(found: Measured) -> Judged:
    study, gaps = found.rivals[STUDY], []
    for kind in ("attack", "transport"):
        peak = study.at_peak(kind) / np.maximum(study.at_peak("rounds"), 1)
        last = study.last.of_best(kind) / np.maximum(study.last.of_best("rounds"), 1)
        gaps.append(mean_interval((peak - last).mean(axis=1)))
    return (
        "At the spike there are more attacks and fewer transports than at the end",
        "by 16% and -50% of moves",
        texts(gaps, ".0%"),
        together(above(0.0)(gaps[0]), below(0.0)(gaps[1])) if long_enough(found) else OPEN,
    )


def won_against_random(rivals: Rivals, mark: str = "last") -> np.ndarray:
    """The share of games won against random in each trial, mean of both sides."""
    return np.asarray(np.mean([rivals.strength[mark][side]["random"] for side in SIDES], axis=0))


# Cures.


def feeding_ends(found: Measured, fitness: str) -> Judged:
    """The claim that networks with another fitness do not feed each other."""
    claim = (
        f"Fitness {fitness} ends it: both score no more with each other than with strangers (index, last generation)"
    )
    if fitness not in found.rivals:
        return undecided(claim, "", UNKNOWN_FITNESS)
    return index_claim(found, claim, "", found.rivals[fitness].last.index, below(0.0))


def fights(found: Measured, fitness: str) -> Judged:
    """The claim that they fight instead: more games are decided, and they are stronger."""
    claim = f"With fitness {fitness} they fight instead: most games decided, and more won against random"
    if fitness not in found.rivals:
        return undecided(claim, "", UNKNOWN_FITNESS)
    study, ours = found.rivals[STUDY], found.rivals[fitness]
    decided = rate_interval(ours.last.mean("decided"))
    gap = difference(won_against_random(ours), won_against_random(study))
    return (
        claim,
        "",
        f"{decided.text(0, percent=True)} decided; {texts([gap], '.0p')} points more won",
        together(above(0.5)(decided), above(0.0)(gap)) if long_enough(found) else OPEN,
    )


RIVAL_CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    partial(drawn, when="in the last generation", theirs=published.END, peak=False),
    partial(drawn, when="at their peak", theirs=published.SPIKE, peak=True),
    spikes_occur,
    both_gain,
    TrainingClaim(
        "The games that pay best are not decided (last generation)",
        "nobody won",
        lambda found: rate_interval(1 - found.rivals[STUDY].last.mean("decided")),
        above(0.5),
        "{:.0%} undecided",
    ),
    spike_passes,
    attacks_feed,
    TrainingClaim(
        "The two populations drive each other to better moves: the last best win more against random than the first",
        "expected",
        lambda found: mean_interval(
            won_against_random(found.rivals[STUDY]) - won_against_random(found.rivals[STUDY], "first")
        ),
        above(0.0),
        "by {:.1p} points",
    ),
    *(partial(claim, fitness=fitness) for fitness in CURES for claim in (feeding_ends, fights)),
)
