"""The conquest study's claims, judged by our intervals."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies.conquest import published
from sparring.studies.conquest.bands import SIDES
from sparring.studies.conquest.cases import DECODING, ENCODING, STUDY
from sparring.studies.conquest.collusion import index_interval
from sparring.studies.conquest.draws import median_interval
from sparring.studies.conquest.measured import Measured, Trained
from sparring.studies.conquest.published import CASES, MEASURES
from sparring.studies.verdicts import (
    Claim,
    Judged,
    above,
    below,
    contains,
    difference,
    expected,
    judge,
    near,
)

STATIC, MOVING = (1, 2, 3), 4
TrainingClaim = partial(Claim, conclusive=lambda found: found.budget.whole)
Intervals = Interval | Sequence[Interval]


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


def best_gap(trained: Mapping[str, Trained], study: Trained, comparisons: int) -> Interval:
    """By how much the best of several settings exceeds the study's."""
    gaps = [difference(each.judged, study.judged, comparisons) for each in trained.values() if each is not study]
    return max(gaps, key=lambda gap: gap.low if np.isfinite(gap.low) else -1e9)


def other_codes(found: Measured) -> list[Interval]:
    """How much better the best encoding or decoding is than the study's, in each case that is compared."""
    kinds = [found.settings(case, "codes") for case in found.budget.compared]
    return [best_gap(each, each[f"{ENCODING} and {DECODING}"], len(each) - 1) for each in kinds]


def other_fitness(found: Measured, case: int) -> Interval:
    """How much better the best other fitness function is than the study's, by the study's fitness."""
    trained, study = found.settings(case, "fitness"), found.of(case).fitness
    gaps = [difference(each.fitness, study, len(trained)) for each in trained.values()]
    return max(gaps, key=lambda gap: gap.value)


def in_band(found: Measured, case: int, side: str, names: Sequence[str], place: str) -> Judged:
    """The claim that the author's curves lie in the range of ours as often as one of ours in that of the others."""
    bands = {name: found.bands[case][side, name] for name in names if (side, name) in found.bands[case]}
    counts = [f"{name} {int(band.inside.sum())} of {len(band.inside)}" for name, band in bands.items()]
    return judge(
        f"The curves of case {case}, {side}, lie among ours: {', '.join(bands)}",
        f"{'; '.join(counts)} generations in our range",
        [band.share for band in bands.values()],
        [contains(float(band.inside.mean())) for band in bands.values()],
        "ours in the range of our others: {:.0%}",
        found.budget.whole and found.trials > 2,
        place,
    )


# Case 5.


def peak_fitness(found: Measured) -> list[Interval]:
    study = found.rivals[STUDY]
    return [expected(curve[np.arange(len(curve)), study.spikes.generation - 1]) for curve in (study.blue, study.red)]


def left_after_spike(found: Measured) -> Interval:
    """Joint fitness in the generation after the greatest, as a share of it."""
    study = found.rivals[STUDY]
    pairs = zip(study.joint, study.spikes.generation, strict=True)
    left = np.array([joint[g] / joint[g - 1] for joint, g in pairs if g < len(joint)])
    return expected(left) if len(left) else Interval(np.nan, -np.inf, np.inf)


def attacks_at_spike(found: Measured) -> list[Interval]:
    """The share of attacks and of transports at the spike minus that at the end."""
    study, gaps = found.rivals[STUDY], []
    for kind in ("attack", "transport"):
        peak = study.at_peak(kind) / np.maximum(study.at_peak("rounds"), 1)
        last = study.last.of_best(kind) / np.maximum(study.last.of_best("rounds"), 1)
        gaps.append(expected((peak - last).mean(axis=1)))
    return gaps


def known(index: np.ndarray, interval: Callable[[np.ndarray], Interval]) -> Interval:
    """An interval of collusion indices; unknown for a single trial, which has no strangers to play."""
    return interval(index) if np.isfinite(index).all() else Interval(np.nan, -np.inf, np.inf)


def rise(found: Measured) -> list[Interval]:
    """The rise of the populations' mean payoff from the first generation to the last."""
    curves = [found.rivals[STUDY].curves[f"{side}.mean.fitness"] for side in SIDES.values()]
    return [mean_interval(curve[:, -1] - curve[:, 0]) for curve in curves]


def spike_gaps() -> list[float]:
    """The published differences of `attacks_at_spike`."""
    shares = [
        [count[kind] / played for count, played in zip(moves, rounds, strict=True)]
        for moves, rounds in (
            (published.SPIKE_MOVES, (published.ROUNDS,) * 2),
            (published.END_MOVES, published.END_ROUNDS),
        )
        for kind in (1, 2)
    ]
    return [float(np.mean(shares[k]) - np.mean(shares[k + 2])) for k in range(2)]


JOINT = published.curves()[5, "blue"]["best"] + published.curves()[5, "red"]["best"]
LEFT = float(JOINT[published.SPIKE_GENERATION + 1] / JOINT[published.SPIKE_GENERATION])
POPULATION = [name for name in MEASURES if name != "best"]

CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    Claim(
        "Guided, every output of a network becomes a move: none is idle", "said", idle_moves, below(0.5),
        "{:.0f} idle moves", place="chapter 5",
    ),
    *(
        TrainingClaim(
            f"Most moves of the best network of case {case} are guided",
            f"{CASES[case].guided} of {CASES[case].rounds[0]:,}",
            partial(guided_share, case=case), above(0.5), "{:.1%}", place=CASES[case].place,
        )
        for case in (1, 4)
    ),
    *(
        TrainingClaim(
            f"The best network of case {number} reaches this fitness",
            f"{case.exact:.2f}", partial(best_fitness, case=number), contains(case.exact),
            "{:.1f} for one training", place=case.place,
            reading="the text's reading", other=partial(best_fitness, case=number, kind="text"),
        )
        for number, case in CASES.items()
    ),
    TrainingClaim(
        "Half of the trainings of case 4 reach 60 to 66", "65.1 in one",
        lambda found: median_interval(found.of(4).fitness), near(63.0, 3.0), "median {:.1f}", place="section 6.4",
    ),
    *(
        partial(in_band, case=case, side=side, names=names, place=place)
        for case, side, place in (
            (1, "blue", "Figure 6.2"), (2, "blue", "Figure 6.6"), (3, "blue", "Figure 6.11"), (4, "blue", "Figure 6.16"),
            (5, "blue", "Figure 6.19"), (5, "red", "Figure 6.19"),
        )
        for names in (["best"], POPULATION)
    ),
    TrainingClaim(
        "The best network wins in each of the first four cases", "once each",
        lambda found: [rate_interval(found.of(case).games["won"][:, 0]) for case in CASES], above(0.5),
        "{:.0%} of trials", place="chapter 6",
    ),
    TrainingClaim(
        "Networks are most efficient where red is static: cases 1 to 3 end above case 4", "79.7, 93.8, 93.8 against 65.1",
        lambda found: [difference(found.of(case).fitness, found.of(MOVING).fitness, len(STATIC)) for case in STATIC],
        above(0.0), "by {:.1f}", place="chapter 7",
    ),
    TrainingClaim(
        "Blue is more than able to defeat red: it wins most games when red draws other random numbers", "one game, won",
        lambda found: rate_interval(found.of(4).unseen["won"]), above(0.5), "{:.1%}", place="section 6.4",
    ),
    TrainingClaim(
        "Other encodings or decodings may do better: cases 2 and 4, on other deals", "suggested",
        other_codes, above(0.0), "by {:.1f}", place="chapter 7",
    ),
    *(
        TrainingClaim(
            f"Another fitness function may give better networks: case {case}", "suggested",
            partial(other_fitness, case=case), above(0.0), "the best by {:.1f}", place="chapter 7",
        )
        for case in CASES
    ),
    TrainingClaim(
        "Best blue and red in the last generation of case 5", "231 and 191",
        lambda found: [expected(curve[:, -1]) for curve in (found.rivals[STUDY].blue, found.rivals[STUDY].red)],
        [contains(value) for value in published.END], "{:.0f} for one training", place="section 6.5",
    ),
    TrainingClaim(
        "Best blue and red at their spike", "414 and 412", peak_fitness,
        [contains(value) for value in published.SPIKE], "{:.0f} for one training", place="section 6.5",
    ),
    TrainingClaim(
        "Two populations drive each other to better moves: the mean payoff of both rises", "6 to 44 and 6 to 42",
        rise, above(0.0), "by {:.1f}", place="section 6.5",
    ),
    TrainingClaim(
        "Networks bred together cooperate: both earn more from each other than from strangers (index at the spike)",
        "seen in one game", lambda found: known(found.rivals[STUDY].peak_index, index_interval), above(0.0), "{:.2f}",
        place="section 6.5",
    ),
    TrainingClaim(
        "What pays is eventually exploited: both sides cooperate in most trainings (index above 0.5)", "in its one training",
        lambda found: known(found.rivals[STUDY].peak_index, lambda index: rate_interval((index > 0.5) * 1.0)), above(0.5),
        "{:.0%}", place="section 6.5",
    ),
    TrainingClaim(
        "The games that pay best are not decided (last generation)", "nobody won",
        lambda found: rate_interval(1 - found.rivals[STUDY].last.mean("decided")), above(0.5), "{:.0%} undecided",
        place="Figure 6.21",
    ),
    TrainingClaim(
        "Joint fitness drops right after the spike", f"to {LEFT:.0%}", left_after_spike, contains(LEFT),
        "to {:.0%} in one training", place="section 6.5",
    ),
    TrainingClaim(
        "At the spike there are more attacks and fewer transports than at the end",
        "by {:.0%} and {:.0%} of moves".format(*spike_gaps()), attacks_at_spike, [contains(gap) for gap in spike_gaps()],
        "{:.0%} in one training", place="section 6.5",
    ),
)  # fmt: skip
