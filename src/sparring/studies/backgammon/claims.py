"""The backgammon study's claims, and those of the debate it joins, and whether our intervals support them."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, share_interval
from sparring.studies import Table
from sparring.studies.backgammon import published
from sparring.studies.backgammon.measured import CLIMBING, STRICT, Measured, td_title
from sparring.studies.backgammon.published import NETWORKS
from sparring.studies.backgammon.report_tables import of_games, percent
from sparring.studies.backgammon.study_runs import NO_HIT, OPPONENTS, RANDOM, SIMPLE
from sparring.studies.verdicts import (
    NOT_SUPPORTED,
    OPEN,
    SUPPORTED,
    Judged,
    about,
    difference,
    expected,
    judged_table,
    one_of,
    together,
    verdict,
)

POINT = 0.01  # what we call no difference: one game in a hundred
NEARLY = 0.05  # "about 40%"


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    told = found.budget
    return judged_table(
        [claim(found) for claim in CLAIMS],
        f"{found.trials} trials of {told.challenges} challenges, {told.climbs} of {told.generations} generations, "
        f"{told.lessons} of {told.td_games} games of TD; networks with the study's inputs, points not mirrored",
    )


def won(found: Measured, name: str, opponent: str = RANDOM) -> np.ndarray:
    return found.strengths[name][opponent].won


def as_long(found: Measured) -> bool:
    """Whether training was no shorter than the study's: what a whole curve looks like depends on its length."""
    return bool(found.cycles[-1] >= published.FITTED_CYCLES)


def shares(*intervals: Interval) -> str:
    return ", ".join(interval.text(1, percent=True) for interval in intervals)


def points(*gaps: Interval) -> str:
    """Differences of shares, in hundredths."""
    return ", ".join(Interval(100 * gap.value, 100 * gap.low, 100 * gap.high).text(1) for gap in gaps) + " points"


# Players who do not learn.


def who_begins(found: Measured) -> Judged:
    ours = found.baselines[RANDOM, RANDOM]["begins"]
    return (
        "Who begins wins more often (two random players)",
        percent(published.RANDOM_WON / published.GAMES),
        ours.text(2, percent=True),
        verdict(ours, above=0.5),
    )


def as_published(words: str, pair: tuple[str, str], count: int) -> Callable[[Measured], Judged]:
    """A claim that two players come out as published, within what 10,000 games can say."""

    def claim(found: Measured) -> Judged:
        told, ours = of_games(count), found.baselines[pair]["begins"]
        return words, told.text(2, percent=True), shares(ours), about(ours, told.value, told.half_width)

    return claim


def simple_is_better(found: Measured) -> Judged:
    ours = [found.baselines[player, RANDOM]["begins"] for player in (SIMPLE, NO_HIT)]
    return (
        "Simple wins most games against random, with hitting and without",
        "67.02%",
        shares(*ours),
        together(*(verdict(interval, above=0.5) for interval in ours)),
    )


# Coevolution.


def progress(words: str, told: str, opponent: str) -> Callable[[Measured], Judged]:
    """A claim that champions beat an opponent more often than the network of zeros that they began as."""

    def claim(found: Measured) -> Judged:
        start = found.printed["all weights 0"][opponent].value
        gain = mean_interval(won(found, "2-1-2", opponent) - start)
        return words, told, f"from {percent(start, 1)} by {points(gain)}", verdict(gain, above=0.0)

    return claim


def goes_on(found: Measured) -> Judged:
    """The last fifth of each trial's curve against its second fifth."""
    curve = found.curve("2-1-2", RANDOM)
    fifth = max(1, curve.shape[1] // 5)
    rise = mean_interval(curve[:, -fifth:].mean(axis=1) - curve[:, fifth : 2 * fifth].mean(axis=1))
    told = np.array(published.AGAINST_RANDOM["2-1-2"])
    return (
        "Progress goes on: the last fifth of the curve against random lies above the second fifth",
        f"by {(told[-20:].mean() - told[20:40].mean()):.1f} points",
        "by " + points(rise),
        verdict(rise, above=0.0),
    )


def fast_at_first(found: Measured) -> Judged:
    """Whether the gain in the middle of the first quarter is more than half of the whole."""
    curve, start = found.curve("2-1-2", RANDOM), found.printed["all weights 0"][RANDOM].value
    quarter, fifth = max(1, curve.shape[1] // 4), max(1, curve.shape[1] // 5)
    early, whole = curve[:, :quarter].mean(axis=1) - start, curve[:, -fifth:].mean(axis=1) - start
    ours = mean_interval(early - 0.5 * whole)
    return (
        "It rises fast at first and reaches a plateau: more than half of the gain comes in the first quarter",
        "by its Figure 30",
        f"{100 * early.mean():.1f} of {100 * whole.mean():.1f}; more than half by {points(ours)}",
        verdict(ours, above=0.0),
    )


def bends(found: Measured) -> Judged:
    fits = np.array(found.fits("2-1-2")[1:])
    a, b = mean_interval(fits[:, 0]), mean_interval(fits[:, 1])
    return (
        "The fitted curve of 2-1-2 rises and flattens (b above 0, a below)",
        "a = -0.0027, b = 0.3483",
        f"a = {a.text(4)}, b = {b.text(4)}",
        together(verdict(a, below=0.0), verdict(b, above=0.0)) if as_long(found) else OPEN,
    )


def curve_mean(opponent: str, told: float) -> Callable[[Measured], Judged]:
    """A claim about the mean of the one published curve: could it be one of our trials'?"""

    def claim(found: Measured) -> Judged:
        means = found.curve("2-1-2", opponent).mean(axis=1)
        return (
            f"Over training, 2-1-2 wins {told:.2f}% against {opponent}",
            f"{told:.2f}% (one trial)",
            f"{shares(share_interval(means))}; for a single trial {shares(expected(means))}",
            one_of(means, told / 100) if as_long(found) else OPEN,
        )

    return claim


def beats_all(found: Measured) -> Judged:
    ours = [share_interval(won(found, "2-1-2", opponent)) for opponent in OPPONENTS]
    return (
        "The trained network can beat the other players easily: random, simple, simple without hitting",
        "69.2% and 55.9% over the last 20 cycles",
        shares(*ours),
        together(*(verdict(interval, above=0.5) for interval in ours)),
    )


def best_network(found: Measured) -> Judged:
    gaps = [difference(won(found, "2-1-2"), won(found, other)) for other in NETWORKS[1:]]
    return (
        "2-1-2 is the best of the four networks (against random)",
        "66.98% against 57.95%, 59.21%, 58.09% (means of the curves)",
        "better by " + points(*gaps),
        together(*(verdict(gap, above=0.0) for gap in gaps)),
    )


def more_neurons(found: Measured) -> Judged:
    gap = difference(won(found, "4-2-4"), won(found, "2-1-2"))
    return (
        "More neurons do not help: 4-2-4 is at most a point better than 2-1-2 (against random)",
        "58.09% against 66.98%",
        "better by " + points(gap),
        verdict(gap, below=POINT),
    )


def place_matters(found: Measured) -> Judged:
    """Three comparisons share the 5%. Networks within two points of each other we call equal."""
    fives = NETWORKS[:3]
    gaps = {(a, b): difference(won(found, a), won(found, b), comparisons=3) for a, b in combinations(fives, 2)}
    differ = any(gap.low > 0 or gap.high < 0 for gap in gaps.values())
    alike = all(about(gap, 0.0, 2 * POINT) == SUPPORTED for gap in gaps.values())
    return (
        "Where five neurons are placed matters: some of 2-1-2, 1-2-2 and 3-2 differ (against random)",
        "66.98%, 57.95%, 59.21%",
        "; ".join(f"{a} less {b} {points(gap)}" for (a, b), gap in gaps.items()),
        SUPPORTED if differ else NOT_SUPPORTED if alike else OPEN,
    )


def imitation_helps(found: Measured) -> Judged:
    gap = difference(found.curve("2-1-2-imitated", RANDOM).mean(axis=1), found.curve("2-1-2", RANDOM).mean(axis=1))
    return (
        "First weights learned from simple make training more efficient (mean of the curve against random)",
        "further work: “may”",
        "better by " + points(gap),
        verdict(gap, above=0.0),
    )


def printed(opponent: str, curve: tuple[int, ...]) -> Callable[[Measured], Judged]:
    """A claim that the printed network plays as well as the curve ends, within what its last 2,000 games can say."""

    def claim(found: Measured) -> Judged:
        told = share_interval(np.array(curve[-published.LAST :]) / 100)
        ours = found.printed["Figure 36"][opponent]
        return (
            f"The network of Figure 36 wins as many games against {opponent} as the curve's last 20 cycles",
            shares(told),
            shares(ours),
            about(ours, told.value, told.half_width),
        )

    return claim


def as_printed(found: Measured) -> Judged:
    """The same yardsticks for both: our opponents."""
    told = {opponent: found.printed["Figure 36"][opponent] for opponent in OPPONENTS}
    ours = {opponent: won(found, "2-1-2", opponent) for opponent in OPPONENTS}
    return (
        "The network of Figure 36 could be one of our 2-1-2 champions: against random, simple, simple without hitting",
        f"{shares(*told.values())}, played here",
        "for a single trial " + shares(*map(expected, ours.values())),
        together(*(one_of(ours[opponent], told[opponent].value) for opponent in OPPONENTS)),
    )


# The debate.


def climbing_reaches(words: str, title: str) -> Callable[[Measured], Judged]:
    """A claim about a generation, open where the budget ends before it."""

    def claim(found: Measured) -> Judged:
        climb = found.climbs[title]
        last = climb.generations.index(min(published.GENERATIONS, climb.generations[-1]))
        ours, enough = share_interval(climb.pubeval[last]), climb.generations[last] >= published.GENERATIONS
        return (
            f"{words} wins about 40% against pubeval (within 5 points) after {published.GENERATIONS:,} generations",
            "about 40%",
            f"{shares(ours)} after {climb.generations[last]:,}",
            about(ours, published.CLIMBING_WON, NEARLY) if enough else OPEN,
        )

    return claim


def climbing_rises(found: Measured) -> Judged:
    climb = found.climbs[CLIMBING]
    last = climb.generations[-1]
    earlier = {mark: share_interval(rates[-1]) for mark, rates in climb.frozen.items() if mark < last}
    return (
        "Hill-climbing keeps improving: the last generation beats the frozen ones before it",
        "by its Figure 8",
        ", ".join(f"generation {mark:,}: {shares(rate)}" for mark, rate in earlier.items()),
        together(*(verdict(rate, above=0.5) for rate in earlier.values())) if earlier else OPEN,
    )


def climbing_is_enough(found: Measured) -> Judged:
    """The same inputs, hidden units and yardstick, and the better of the two climbs."""
    climbs = [found.methods[title].strength.won for title in found.climbs]
    gap = difference(max(climbs, key=np.mean), found.methods[td_title(20)].strength.won)
    return (
        "Hill-climbing is enough, temporal differences are not needed: at most a point behind TD, 20 hidden units each",
        "said; about 40% against 57.1%",
        "ahead by " + points(gap),
        verdict(gap, above=-POINT),
    )


def climbing_loses(found: Measured) -> Judged:
    ours = [share_interval(found.methods[title].strength.won) for title in found.climbs]
    return (
        "Tesauro: hill-climbing does not beat pubeval",
        "about 40%",
        shares(*ours),
        together(*(verdict(interval, below=0.5) for interval in ours)),
    )


def td_beats_pubeval(found: Measured) -> Judged:
    ours = [share_interval(found.methods[td_title(hidden)].strength.won) for hidden in published.TESAURO]
    return (
        "Tesauro: TD beats pubeval with 10, 20 and 40 hidden units",
        "52.7%, 57.1%, 61.1%",
        shares(*ours),
        together(*(verdict(interval, above=0.5) for interval in ours)),
    )


def td_grows(found: Measured) -> Judged:
    sizes = [found.methods[td_title(hidden)].strength.won for hidden in published.TESAURO]
    steps = [difference(b, a) for a, b in zip(sizes, sizes[1:], strict=False)]
    return (
        "Tesauro: TD gains by hidden units, from 10 to 20 and from 20 to 40",
        "by 4.4 and 4.0 points",
        "by " + points(*steps),
        together(*(verdict(step, above=0.0) for step in steps)),
    )


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    who_begins,
    as_published("Two random players win 50.58%", (RANDOM, RANDOM), published.RANDOM_WON),
    simple_is_better,
    as_published("Simple wins 67.02% against random", (SIMPLE, RANDOM), published.SIMPLE_WON),
    as_published("Simple that never hits wins 67.02% against random", (NO_HIT, RANDOM), published.SIMPLE_WON),
    progress("Coevolution makes progress against random", "from 49% to 69.2%", RANDOM),
    progress("Coevolution makes progress against simple", "from 32% to 55.9%", SIMPLE),
    progress("Coevolution makes progress against simple that never hits", "from 32% to 55.9%", NO_HIT),
    goes_on,
    fast_at_first,
    bends,
    curve_mean(RANDOM, published.MEAN_RANDOM),
    curve_mean(SIMPLE, published.MEAN_SIMPLE),
    curve_mean(NO_HIT, published.MEAN_SIMPLE),
    beats_all,
    best_network,
    more_neurons,
    place_matters,
    imitation_helps,
    printed(RANDOM, published.AGAINST_RANDOM["2-1-2"]),
    printed(SIMPLE, published.AGAINST_SIMPLE),
    printed(NO_HIT, published.AGAINST_SIMPLE),
    as_printed,
    climbing_reaches("Hill-climbing as published", CLIMBING),
    climbing_reaches("Stricter hill-climbing", STRICT),
    climbing_rises,
    climbing_is_enough,
    climbing_loses,
    td_beats_pubeval,
    td_grows,
)
