"""The claims of the backgammon study and of the debate it joins: the measures that `claims.toml` names."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies.backgammon import published
from sparring.studies.backgammon.measured import CLIMBING, Measured, td_title
from sparring.studies.backgammon.published import NETWORKS, published_curve
from sparring.studies.backgammon.study_runs import PUBLISHED, RANDOM, SIMPLE, ZERO, short
from sparring.studies.verdicts import difference, expected, read_claims

MAIN = "2-1-2"
TD_SIZES = [td_title(hidden) for hidden in published.TESAURO]
Measure = Callable[[Measured], Interval | Sequence[Interval]]


def games(won: int, of: int = published.GAMES) -> np.ndarray:
    """So many published games as zeros and ones."""
    return np.repeat([1.0, 0.0], [won, of - won])


def last(opponent: str) -> np.ndarray:
    """The last 20 points of the published curve of 2-1-2."""
    return published_curve(MAIN, opponent == RANDOM)[-published.LAST :]


def beside(ours: np.ndarray, theirs: np.ndarray) -> Interval:
    """Our mean, with the interval that would hold the published one 95 times in 100 if nothing differed."""
    gap, at = difference(ours, theirs), float(theirs.mean())
    return Interval(at + gap.value, at + gap.low, at + gap.high)


def won(found: Measured, name: str, opponent: str = RANDOM) -> np.ndarray:
    """Each champion's share of games won."""
    return found.strengths[name][opponent].won


# Measures.


def against_random(found: Measured, player: str) -> Interval:
    """A player that follows against random beside Figure 29, whose simple player is Black and follows."""
    return beside(found.baselines[player, RANDOM]["follows"], games(published.SIMPLE_WON))


def random_as_published(found: Measured, *seats: str) -> Interval:
    both = found.baselines[RANDOM, RANDOM]
    return beside(np.mean([both[seat] for seat in seats], axis=0), games(published.RANDOM_WON))


def left(found: Measured, player: str, printed: list[tuple[str, int, int]]) -> Interval:
    return beside(found.baselines[player, RANDOM]["left"], published.left_behind(printed)[:, 0])


def progress(found: Measured, opponent: str) -> Interval:
    """How much more often champions win than the network of zeros that they started from."""
    return mean_interval(won(found, MAIN, opponent) - found.printed[ZERO][opponent].mean())


def end(found: Measured, opponent: str, name: str = MAIN) -> Interval:
    return expected(found.curve_end(name, opponent))


def mean(found: Measured, name: str, opponent: str = RANDOM) -> Interval:
    return expected(found.curve(name, opponent).mean(axis=1))


def later_rise(found: Measured) -> Interval:
    """The last fifth of each trial's curve against random minus its second fifth."""
    curve = found.curve(MAIN, RANDOM)
    fifth = max(1, curve.shape[1] // 5)
    return mean_interval(curve[:, -fifth:].mean(axis=1) - curve[:, fifth : 2 * fifth].mean(axis=1))


def early_rise(found: Measured) -> Interval:
    """The gain over the first quarter of the curve against random minus half of the whole gain."""
    curve, start = found.curve(MAIN, RANDOM), found.printed[ZERO][RANDOM].mean()
    quarter, fifth = max(1, curve.shape[1] // 4), max(1, curve.shape[1] // 5)
    early, whole = curve[:, :quarter].mean(axis=1) - start, curve[:, -fifth:].mean(axis=1) - start
    return mean_interval(early - 0.5 * whole)


def bend(found: Measured, name: str = MAIN) -> list[Interval]:
    fits = np.array(found.fits(name)[1:])
    return [mean_interval(fits[:, 1]), mean_interval(fits[:, 0])]


def largest_gap(found: Measured) -> Interval:
    """The largest difference between the three networks of five neurons; three comparisons share the 5%."""
    pairs = [(won(found, a), won(found, b)) for a, b in combinations(NETWORKS[:3], 2)]
    ordered = [(a, b) if a.mean() > b.mean() else (b, a) for a, b in pairs]
    return max((difference(a, b, comparisons=3) for a, b in ordered), key=lambda gap: gap.value)


def head_start(found: Measured, name: str) -> Interval:
    """How much better a training is than that from zero over the first half of its curve against random."""
    points = max(1, len(found.cycles) // 2)
    ours, zero = (found.curve(each, RANDOM)[:, :points].mean(axis=1) for each in (name, MAIN))
    return difference(ours, zero)


def like_champions(found: Measured) -> list[Interval]:
    """Prediction intervals of one more champion of ours minus the share of Figure 36's network, by opponent."""
    ours = [(expected(won(found, MAIN, each)), share.mean()) for each, share in found.printed["Figure 36"].items()]
    return [Interval(*(float(point - share) for point in (one.value, one.low, one.high))) for one, share in ours]


def circles(found: Measured) -> Interval:
    """Intransitivity between a trial's champions of several ages, in squared points.

    The mean over all threes of the squared sum of a's lead over b, b's over c and c's over a. Two halves of the games are
    multiplied instead of squaring one, so that chance adds nothing on average.
    """
    lead = 100 * (found.ages - 0.5)
    threes = combinations(range(lead.shape[-1]), 3)
    sums = [lead[:, :, a, b] + lead[:, :, b, c] + lead[:, :, c, a] for a, b, c in threes]
    return mean_interval(np.prod(sums, axis=2).mean(axis=0))


def climbing(found: Measured) -> Interval:
    """The share against pubeval of one more climb after Pollack and Blair's generations."""
    climb = found.climb
    return expected(climb.pubeval[climb.generations.index(min(published.GENERATIONS, climb.generations[-1]))])


def over_frozen(found: Measured) -> list[Interval]:
    climb = found.climb
    return [share_interval(rates[-1]) for mark, rates in climb.frozen.items() if mark < climb.generations[-1]]


def debate(found: Measured, *titles: str) -> list[np.ndarray]:
    """Shares against pubeval by method."""
    return [found.methods[title].strength.won for title in titles]


MEASURES: dict[str, Measure] = {
    "random begins": lambda found: rate_interval(found.baselines[RANDOM, RANDOM]["begins"]),
    "random as published": lambda found: random_as_published(found, "begins"),
    "random as published, seats exchanged": lambda found: random_as_published(found, "begins", "follows"),
    PUBLISHED: partial(against_random, player=PUBLISHED),
    SIMPLE: partial(against_random, player=SIMPLE),
    "left by random": partial(left, player=RANDOM, printed=published.RANDOM_GAMES),
    "left by simple": partial(left, player=PUBLISHED, printed=published.SIMPLE_GAMES),
    "zeros": lambda found: [
        beside(found.printed[ZERO][RANDOM], games(published.AGAINST_RANDOM[MAIN][0], 100)),
        beside(found.printed[ZERO][PUBLISHED], games(published.AGAINST_SIMPLE[0], 100)),
    ],
    "progress against random": partial(progress, opponent=RANDOM),
    "progress against simple": partial(progress, opponent=PUBLISHED),
    "end against random": partial(end, opponent=RANDOM),
    "end against random, short": partial(end, opponent=RANDOM, name=short(MAIN)),
    "end against simple": partial(end, opponent=PUBLISHED),
    "end against simple, short": partial(end, opponent=PUBLISHED, name=short(MAIN)),
    **{f"mean of {name}": partial(mean, name=name) for name in NETWORKS},
    **{f"mean of {name}, short": partial(mean, name=short(name)) for name in NETWORKS},
    "mean against simple": partial(mean, name=MAIN, opponent=PUBLISHED),
    "mean against simple, short": partial(mean, name=short(MAIN), opponent=PUBLISHED),
    "size of the weights": lambda found: expected(found.sizes(MAIN)),
    "size of the weights, short": lambda found: expected(found.sizes(short(MAIN))),
    "later rise": later_rise,
    "early rise": early_rise,
    "bend": bend,
    "bend, short": partial(bend, name=short(MAIN)),
    "champions": lambda found: [share_interval(won(found, MAIN, opponent)) for opponent in (RANDOM, PUBLISHED)],
    "best": lambda found: [difference(won(found, MAIN), won(found, other)) for other in NETWORKS[1:]],
    "4-2-4": lambda found: difference(won(found, "4-2-4"), won(found, MAIN)),
    "largest gap": largest_gap,
    "imitated": lambda found: difference(*(found.begin_curve(name).mean(axis=1) for name in ("2-1-2-imitated", MAIN))),
    "small board": partial(head_start, name="2-1-2-small"),
    "Figure 36 against simple": lambda found: beside(found.printed["Figure 36"][PUBLISHED], last(PUBLISHED)),
    "Figure 36 against random": lambda found: difference(found.printed["Figure 36"][RANDOM], last(RANDOM)),
    "Figure 36 against random, last cycle": lambda found: difference(
        found.printed["Figure 36"][RANDOM], games(72, 100)
    ),
    "like our champions": like_champions,
    "circles": circles,
    "climbing": climbing,
    "climbing against itself": over_frozen,
    "climbing against TD": lambda found: difference(*debate(found, CLIMBING, td_title(20))),
    "climbing champions": lambda found: share_interval(*debate(found, CLIMBING)),
    "TD": lambda found: list(map(share_interval, debate(found, *TD_SIZES))),
    "TD by units": lambda found: [difference(b, a) for a, b in pairwise(debate(found, *TD_SIZES))],
}
SHARE = "{:.1%}"
GROUPS: dict[str, dict[str, Any]] = {  # the number of observations, and whether a budget is as long as what is claimed
    "": {"ours": SHARE, "conclusive": lambda found: bool(found.cycles[-1] >= published.FITTED_CYCLES)},
    "players": {"ours": SHARE, "trials": lambda found: found.budget.games},
    "climbing": {
        "ours": SHARE,
        "trials": lambda found: found.budget.climbs,
        "conclusive": lambda found: found.budget.generations >= published.GENERATIONS,
    },
    "starts": {"ours": SHARE, "trials": lambda found: min(found.trials, found.budget.starts)},
    "begins": {"ours": SHARE, "trials": lambda found: found.budget.begins},
    "td": {"ours": SHARE, "trials": lambda found: found.budget.lessons},
}
CLAIMS = read_claims("backgammon", MEASURES, GROUPS)
