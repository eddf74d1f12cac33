"""How the conquest study's claims are measured: those of claims.toml, and between them those about the author's curves."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies.conquest.bands import SIDES
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.collusion import index_interval
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import CASES, curves
from sparring.studies.conquest.published import MEASURES as RECORDED
from sparring.studies.verdicts import (
    NOT_REPRODUCED,
    UNKNOWN,
    Judged,
    contains,
    difference,
    expected,
    judge,
    read_claims,
)

BEFORE_BANDS = 7  # claims

# Cases 1 to 4.


def idle_moves(found: Measured) -> Interval:
    idle = sum(float(np.nansum(found.of(case).games["idle"])) for case in CASES)
    return Interval(idle, idle, idle)


def guided_share(found: Measured, case: int) -> Interval:
    """The share of guided moves of the best network."""
    games = found.of(case).games
    return share_interval(games["guided"][:, 0] / np.maximum(games["moves"][:, 0], 1))


def best_fitness(found: Measured, case: int, kind: str = "study") -> Interval:
    """The fitness that the best network of one more training would have."""
    return expected(found.of(case, kind).fitness)


def best_gap(groups: Sequence[tuple[np.ndarray, Sequence[np.ndarray]]]) -> Interval:
    """By how much the best of all settings exceeds the study's in its group, by intervals that hold for all together."""
    count = sum(len(others) for _, others in groups)
    gaps = [difference(each, study, comparisons=count) for study, others in groups for each in others]
    return max(gaps, key=lambda gap: (gap.low, gap.value)) if gaps else UNKNOWN


def other_codes(found: Measured) -> Interval:
    """How much better the best encoding or decoding is than the study's."""
    kinds = [[each.judged for each in found.settings(case, "codes").values()] for case in found.budget.compared]
    return best_gap([(study, others) for study, *others in kinds])


def other_fitness(found: Measured) -> Interval:
    """How much better the best other fitness function is than the study's, by the study's fitness."""
    trained = {case: found.settings(case, "fitness").values() for case in CASES}
    return best_gap([(found.of(case).fitness, [each.fitness for each in others]) for case, others in trained.items()])


def in_band(found: Measured, case: int, side: str, names: Sequence[str], place: str) -> Judged:
    """The claim that the author's curves are no farther from ours than ours from each other."""
    bands = {name: found.bands[case][side, name] for name in names if (side, name) in found.bands[case]}
    inside = ", ".join(f"{int(each.inside.sum())} of {len(each.inside)}" for each in bands.values())
    apart = ", ".join(f"{each.apart:.1f}" for each in bands.values())
    text = f"Case {case}, {side}: curves of {', '.join(bands)} are no farther from our mean than ours (in standard deviations)"
    tests, usual = [contains(each.apart) for each in bands.values()], [each.usual for each in bands.values()]
    judged = judge(
        text, f"{apart}; {inside} generations in our range", usual, tests, "{:.1f}", found.budget.whole, place
    )
    if judged.verdict != NOT_REPRODUCED:
        return judged
    curves, trials = sum(map(len, found.bands.values())), found.trials
    chance = (
        f"a curve is farther than all of our {trials} with probability 1/{trials + 1}, so {curves / (trials + 1):.1f}"
    )
    return judged._replace(cause=f"chance: {chance} of the {curves} curves are expected to be")


# Case 5.


def peak_fitness(found: Measured) -> list[Interval]:
    study = found.rivals[STUDY]
    return [expected(curve[np.arange(len(curve)), study.peaks]) for curve in study.best]


def left_after_spike(found: Measured) -> Interval:
    """Joint fitness in the generation after the greatest, as a share of it."""
    left = found.rivals[STUDY].after_spike[1]
    return expected(left) if len(left) else UNKNOWN


def attacks_at_spike(found: Measured) -> list[Interval]:
    """The share of attacks and of transports at the spike minus that at the end."""
    study, gaps = found.rivals[STUDY], []
    for kind in ("attack", "transport"):
        peak = study.at_peak(kind) / np.maximum(study.at_peak("rounds"), 1)
        last = study.last.of_best(kind) / np.maximum(study.last.of_best("rounds"), 1)
        gaps.append(expected((peak - last).mean(axis=1)))
    return gaps


def cooperating(found: Measured) -> Interval:
    """The share of trainings whose collusion index at the spike exceeds a half."""
    index = found.rivals[STUDY].peak_index
    return rate_interval((index > 0.5) * 1.0) if np.isfinite(index).all() else UNKNOWN


def rise(found: Measured) -> list[Interval]:
    """The rise of the populations' mean payoff from the first generation to the last."""
    curves = [found.rivals[STUDY].curves[f"{side}.mean.fitness"] for side in SIDES.values()]
    return [mean_interval(curve[:, -1] - curve[:, 0]) for curve in curves]


MEASURES: dict[str, Callable[..., Any]] = {
    "idle moves": idle_moves,
    "guided share": guided_share,
    "best fitness": best_fitness,
    "won": lambda found: [rate_interval(found.of(case).games["won"][:, 0]) for case in CASES],
    "above case 4": lambda found: [
        difference(found.of(case).fitness, found.of(4).fitness, comparisons=3) for case in (1, 2, 3)
    ],
    "won on other deals": lambda found: rate_interval(found.of(4).unseen["won"]),
    "other codes": other_codes,
    "other fitness": other_fitness,
    "last fitness": lambda found: [expected(curve[:, -1]) for curve in found.rivals[STUDY].best],
    "peak fitness": peak_fitness,
    "rise": rise,
    "collusion": lambda found: index_interval(found.rivals[STUDY].peak_index),
    "cooperating": cooperating,
    "undecided games": lambda found: rate_interval(1 - found.rivals[STUDY].last.mean("decided")),
    "left after spike": left_after_spike,
    "attacks at spike": attacks_at_spike,
}
GROUPS: dict[str, dict[str, Any]] = {"": {"conclusive": lambda found: bool(found.budget.whole)}, "moves": {}}
PLACES = {1: "Figure 6.2", 2: "Figure 6.6", 3: "Figure 6.11", 4: "Figure 6.16", 5: "Figure 6.19"}
NAMES = (["best"], [name for name in RECORDED if name != "best"])
BANDS: list[Callable[[Measured], Judged]] = [
    partial(in_band, case=case, side=side, names=names, place=PLACES[case])
    for case, side in curves()
    for names in NAMES
]
READ = read_claims("conquest", MEASURES, GROUPS)
CLAIMS = (*READ[:BEFORE_BANDS], *BANDS, *READ[BEFORE_BANDS:])
