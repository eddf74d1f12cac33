"""The conquest study's claims, judged by our intervals."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies.conquest.bands import SIDES
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.collusion import index_interval
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import CASES, MEASURES, RIVALS, curves
from sparring.studies.verdicts import UNKNOWN, Claim, Judged, above, below, contains, difference, expected, judge

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
    gaps = [difference(each, study, count) for study, others in groups for each in others]
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
    return judge(text, f"{apart}; {inside} generations in our range", usual, tests, "{:.1f}", found.budget.whole, place)


# Case 5.


def peak_fitness(found: Measured) -> list[Interval]:
    study = found.rivals[STUDY]
    return [expected(curve[np.arange(len(curve)), study.peaks]) for curve in study.best]


def left_after_spike(found: Measured) -> Interval:
    """Joint fitness in the generation after the greatest, as a share of it."""
    study = found.rivals[STUDY]
    pairs = zip(study.joint, study.peaks, strict=True)
    left = np.array([joint[g + 1] / joint[g] for joint, g in pairs if g + 1 < len(joint)])
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


def claim(place: str, text: str, published: str, measure: Any, test: Any, ours: str, **more: Any) -> Claim:
    """A claim about trainings as long as the study's."""
    return Claim(text, published, measure, test, ours, lambda found: bool(found.budget.whole), place, **more)


# The published differences of `attacks_at_spike`.
SHARES = [
    {kind: np.mean(np.divide(m[kind], m["rounds"])) for kind in m} for m in (RIVALS["spike_moves"], RIVALS["end_moves"])
]
GAPS = [float(SHARES[0][kind] - SHARES[1][kind]) for kind in ("attack", "transport")]
JOINT = curves()[5, "blue"]["best"] + curves()[5, "red"]["best"]
LEFT = float(JOINT[RIVALS["spike_generation"] + 1] / JOINT[RIVALS["spike_generation"]])
POPULATION = [name for name in MEASURES if name != "best"]
PLACES = {1: "Figure 6.2", 2: "Figure 6.6", 3: "Figure 6.11", 4: "Figure 6.16", 5: "Figure 6.19"}
TEXT = "the text's reading"
ONE_GAME = (
    "red draws the same numbers in every game of training, and a network learns that one game: compare our own settings, trained "
    "against changing numbers, in the table of other settings"
)

CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    Claim("Guided, every output of a network becomes a move: none is idle", "said", idle_moves, below(0.5), "{:.0f} idle moves",
          place="chapter 5"),
    *(claim(case.place, f"Most moves of the best network of case {n} are guided", f"{case.guided} of {case.rounds[0]:,}",
            partial(guided_share, case=n), above(0.5), "{:.1%}") for n, case in CASES.items() if case.guided >= 0),
    *(claim(case.place, f"The best network of case {n} reaches this fitness", f"{case.exact:.2f}", partial(best_fitness, case=n),
            contains(case.exact), "{:.1f} for one training", reading=TEXT, other=partial(best_fitness, case=n, kind="text"))
      for n, case in CASES.items()),
    *(partial(in_band, case=case, side=side, names=names, place=PLACES[case]) for case, side in curves()
      for names in (["best"], POPULATION)),
    claim("chapter 6", "The best network wins in each of the first four cases", "once each",
          lambda found: [rate_interval(found.of(case).games["won"][:, 0]) for case in CASES], above(0.5), "{:.0%} of trials"),
    claim("chapter 7", "Networks are most efficient where red is static: cases 1 to 3 end above case 4",
          "79.7, 93.8, 93.8 against 65.1",
          lambda found: [difference(found.of(n).fitness, found.of(4).fitness, 3) for n in (1, 2, 3)], above(0.0), "by {:.1f}"),
    claim("section 6.4", "Blue is more than able to defeat red: it wins most games when red draws other random numbers",
          "one game, won", lambda found: rate_interval(found.of(4).unseen["won"]), above(0.5), "{:.1%}", cause=ONE_GAME),
    claim("chapter 7", "Other encodings or decodings may do better: case 2, or case 4 on other deals", "suggested", other_codes,
          above(0.0), "the best by {:.1f}"),
    claim("chapter 7", "Other fitness functions may give better networks, by the study's own fitness, in one of the cases 1 to 4",
          "suggested", other_fitness, above(0.0), "the best by {:.1f}"),
    claim("section 6.5", "Best blue and red in the last generation of case 5", "231 and 191",
          lambda found: [expected(curve[:, -1]) for curve in found.rivals[STUDY].best],
          [contains(value) for value in RIVALS["end"]], "{:.0f} for one training"),
    claim("section 6.5", "Best blue and red at their spike", "414 and 412", peak_fitness,
          [contains(value) for value in RIVALS["spike"]], "{:.0f} for one training"),
    claim("section 6.5", "Two populations drive each other to better moves: the mean payoff of both rises", "6 to 44 and 6 to 42",
          rise, above(0.0), "by {:.1f}"),
    claim("section 6.5", "Networks bred together cooperate: both earn more from each other than from strangers (collusion index)",
          "seen in one game", lambda found: index_interval(found.rivals[STUDY].peak_index), above(0.0), "{:.2f}"),
    claim("section 6.5", "What pays is eventually exploited: both sides cooperate in most trainings (index above 0.5)",
          "in its one training", cooperating, above(0.5), "{:.0%}"),
    claim("Figure 6.21", "The games that pay best are not decided (last generation)", "nobody won",
          lambda found: rate_interval(1 - found.rivals[STUDY].last.mean("decided")), above(0.5), "{:.0%} undecided"),
    claim("section 6.5", "Joint fitness drops right after the spike", f"to {LEFT:.0%}", left_after_spike, contains(LEFT),
          "to {:.0%} in one training"),
    claim("section 6.5", "At the spike there are more attacks and fewer transports than at the end",
          f"by {GAPS[0]:.0%} and {GAPS[1]:.0%} of moves", attacks_at_spike, [contains(gap) for gap in GAPS],
          "{:.0%} in one training"),
)  # fmt: skip
