"""The claims of the backgammon study and of the debate it joins, judged by our intervals."""

from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, share_interval
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
    above,
    below,
    difference,
    expected,
    judge,
    near,
    one_of,
    texts,
    together,
)

POINT = 0.01  # no difference: one game in a hundred
NEARLY = 0.05  # "about 40%"
Claim = Callable[[Measured], Judged]


def won(found: Measured, name: str, opponent: str = RANDOM) -> np.ndarray:
    """Each champion's share of games won."""
    return found.strengths[name][opponent].won


def as_long(found: Measured) -> bool:
    """Whether training was at least as long as the study's: the shape of a whole curve depends on it."""
    return bool(found.cycles[-1] >= published.FITTED_CYCLES)


def shares(*intervals: Interval) -> str:
    return texts(intervals, ".1%")


# Players that do not learn.


def who_begins(found: Measured) -> Judged:
    return judge(
        "The player who begins wins more often (two random players)",
        percent(published.RANDOM_WON / published.GAMES),
        found.baselines[RANDOM, RANDOM]["begins"],
        above(0.5),
        "{:.2%}",
    )


def as_published(found: Measured, words: str, pair: tuple[str, str], count: int) -> Judged:
    """The claim that two players score as published, within the uncertainty of 10,000 games."""
    theirs = of_games(count)
    test = near(theirs.value, theirs.half_width)
    return judge(words, theirs.text(2, percent=True), found.baselines[pair]["begins"], test, "{:.1%}")


def simple_is_better(found: Measured) -> Judged:
    ours = [found.baselines[player, RANDOM]["begins"] for player in (SIMPLE, NO_HIT)]
    return judge(
        "Simple wins most games against random, with hitting and without", "67.02%", ours, above(0.5), "{:.1%}"
    )


# Coevolution.


def progress(found: Measured, name: str, theirs: str, opponent: str) -> Judged:
    """The claim that champions beat an opponent more often than the network of zeros that they started from."""
    start = found.printed["all weights 0"][opponent].value
    gain = mean_interval(won(found, "2-1-2", opponent) - start)
    ours = f"from {percent(start, 1)} by {{:.1p}} points"
    return judge(f"Coevolution makes progress against {name}", theirs, gain, above(0.0), ours)


def goes_on(found: Measured) -> Judged:
    """Compare the last fifth of each trial's curve with its second fifth."""
    curve, theirs = found.curve("2-1-2", RANDOM), np.array(published.AGAINST_RANDOM["2-1-2"])
    fifth = max(1, curve.shape[1] // 5)
    return judge(
        "Progress continues: the last fifth of the curve against random lies above the second fifth",
        f"by {(theirs[-20:].mean() - theirs[20:40].mean()):.1f} points",
        mean_interval(curve[:, -fifth:].mean(axis=1) - curve[:, fifth : 2 * fifth].mean(axis=1)),
        above(0.0),
        "by {:.1p} points",
    )


def fast_at_first(found: Measured) -> Judged:
    """Whether the gain in the middle of the first quarter is more than half of the total gain."""
    curve, start = found.curve("2-1-2", RANDOM), found.printed["all weights 0"][RANDOM].value
    quarter, fifth = max(1, curve.shape[1] // 4), max(1, curve.shape[1] // 5)
    early, whole = curve[:, :quarter].mean(axis=1) - start, curve[:, -fifth:].mean(axis=1) - start
    return judge(
        "The curve rises fast and then reaches a plateau: more than half of the gain comes in the first quarter",
        "Figure 30",
        mean_interval(early - 0.5 * whole),
        above(0.0),
        f"{100 * early.mean():.1f} of {100 * whole.mean():.1f}; more than half by {{:.1p}} points",
    )


def bends(found: Measured) -> Judged:
    fits = np.array(found.fits("2-1-2")[1:])
    a, b = mean_interval(fits[:, 0]), mean_interval(fits[:, 1])
    return (
        "The fitted curve of 2-1-2 rises and flattens (b above 0, a below)",
        "a = -0.0027, b = 0.3483",
        f"a = {a.text(4)}, b = {b.text(4)}",
        together(below(0.0)(a), above(0.0)(b)) if as_long(found) else OPEN,
    )


def curve_mean(found: Measured, opponent: str, theirs: float) -> Judged:
    """The claim that the mean of the one published curve could be one of our trials'."""
    means = found.curve("2-1-2", opponent).mean(axis=1)
    return (
        f"Over training, 2-1-2 wins {theirs:.2f}% against {opponent}",
        f"{theirs:.2f}% (one trial)",
        f"{shares(share_interval(means))}; for a single trial {shares(expected(means))}",
        one_of(means, theirs / 100) if as_long(found) else OPEN,
    )


def beats_all(found: Measured) -> Judged:
    return judge(
        "The trained network easily beats the other players: random, simple, simple without hitting",
        "69.2% and 55.9% over the last 20 cycles",
        [share_interval(won(found, "2-1-2", opponent)) for opponent in OPPONENTS],
        above(0.5),
        "{:.1%}",
    )


def best_network(found: Measured) -> Judged:
    return judge(
        "2-1-2 is the best of the four networks (against random)",
        "66.98% against 57.95%, 59.21%, 58.09% (means of the curves)",
        [difference(won(found, "2-1-2"), won(found, other)) for other in NETWORKS[1:]],
        above(0.0),
        "better by {:.1p} points",
    )


def more_neurons(found: Measured) -> Judged:
    return judge(
        "More neurons do not help: 4-2-4 is at most a point better than 2-1-2 (against random)",
        "58.09% against 66.98%",
        difference(won(found, "4-2-4"), won(found, "2-1-2")),
        below(POINT),
        "better by {:.1p} points",
    )


def place_matters(found: Measured) -> Judged:
    """Three comparisons share the 5%. Networks within two points of each other count as equal."""
    pairs = list(combinations(NETWORKS[:3], 2))
    gaps = [difference(won(found, a), won(found, b), comparisons=3) for a, b in pairs]
    differ = any(gap.low > 0 or gap.high < 0 for gap in gaps)
    alike = all(about(gap, 0.0, 2 * POINT) == SUPPORTED for gap in gaps)
    return (
        "The arrangement of five neurons matters: some of 2-1-2, 1-2-2 and 3-2 differ (against random)",
        "66.98%, 57.95%, 59.21%",
        "; ".join(f"{a} minus {b} {texts([gap], '.1p')} points" for (a, b), gap in zip(pairs, gaps, strict=True)),
        SUPPORTED if differ else NOT_SUPPORTED if alike else OPEN,
    )


def imitation_helps(found: Measured) -> Judged:
    imitated, zero = (found.curve(name, RANDOM).mean(axis=1) for name in ("2-1-2-imitated", "2-1-2"))
    return judge(
        "Initial weights learned from simple make training more efficient (mean of the curve against random)",
        "further work: “may”",
        difference(imitated, zero),
        above(0.0),
        "better by {:.1p} points",
    )


def printed(found: Measured, opponent: str, curve: tuple[int, ...]) -> Judged:
    """The claim that the printed network plays as well as the curve ends, within the uncertainty of its last 2,000 games."""
    theirs = share_interval(np.array(curve[-published.LAST :]) / 100)
    return judge(
        f"The network of Figure 36 wins as many games against {opponent} as the curve's last 20 cycles",
        shares(theirs),
        found.printed["Figure 36"][opponent],
        near(theirs.value, theirs.half_width),
        "{:.1%}",
    )


def as_printed(found: Measured) -> Judged:
    """Both play against our opponents."""
    theirs = [found.printed["Figure 36"][opponent] for opponent in OPPONENTS]
    ours = [won(found, "2-1-2", opponent) for opponent in OPPONENTS]
    return (
        "The network of Figure 36 could be one of our 2-1-2 champions: against random, simple, simple without hitting",
        f"{shares(*theirs)}, played here",
        "for a single trial " + shares(*map(expected, ours)),
        together(*(one_of(trials, share.value) for trials, share in zip(ours, theirs, strict=True))),
    )


# The debate.


def climbing_reaches(found: Measured, words: str, title: str) -> Judged:
    """A claim about one generation, open if the budget ends before it."""
    climb = found.climbs[title]
    last = climb.generations.index(min(published.GENERATIONS, climb.generations[-1]))
    return judge(
        f"{words} wins about 40% against pubeval (within 5 points) after {published.GENERATIONS:,} generations",
        "about 40%",
        share_interval(climb.pubeval[last]),
        near(published.CLIMBING_WON, NEARLY),
        f"{{:.1%}} after {climb.generations[last]:,}",
        conclusive=climb.generations[last] >= published.GENERATIONS,
    )


def climbing_rises(found: Measured) -> Judged:
    climb = found.climbs[CLIMBING]
    last = climb.generations[-1]
    earlier = {mark: share_interval(rates[-1]) for mark, rates in climb.frozen.items() if mark < last}
    return (
        "Hill-climbing keeps improving: the last generation beats the frozen ones before it",
        "Figure 8",
        ", ".join(f"generation {mark:,}: {shares(rate)}" for mark, rate in earlier.items()),
        together(*map(above(0.5), earlier.values())) if earlier else OPEN,
    )


def climbing_is_enough(found: Measured) -> Judged:
    """The same inputs, hidden units and opponent; the better of the two climbs."""
    climbs = [found.methods[title].strength.won for title in found.climbs]
    return judge(
        "Hill-climbing is enough, temporal differences are not needed: at most a point behind TD, 20 hidden units each",
        "said; about 40% against 57.1%",
        difference(max(climbs, key=np.mean), found.methods[td_title(20)].strength.won),
        above(-POINT),
        "ahead by {:.1p} points",
    )


def climbing_loses(found: Measured) -> Judged:
    ours = [share_interval(found.methods[title].strength.won) for title in found.climbs]
    return judge("Tesauro: hill-climbing does not beat pubeval", "about 40%", ours, below(0.5), "{:.1%}")


def td_beats_pubeval(found: Measured) -> Judged:
    return judge(
        "Tesauro: TD beats pubeval with 10, 20 and 40 hidden units",
        "52.7%, 57.1%, 61.1%",
        [share_interval(found.methods[td_title(hidden)].strength.won) for hidden in published.TESAURO],
        above(0.5),
        "{:.1%}",
    )


def td_grows(found: Measured) -> Judged:
    sizes = [found.methods[td_title(hidden)].strength.won for hidden in published.TESAURO]
    return judge(
        "Tesauro: more hidden units improve TD, from 10 to 20 and from 20 to 40",
        "by 4.4 and 4.0 points",
        [difference(b, a) for a, b in pairwise(sizes)],
        above(0.0),
        "by {:.1p} points",
    )


CLAIMS: tuple[Claim, ...] = (
    who_begins,
    partial(as_published, words="Two random players win 50.58%", pair=(RANDOM, RANDOM), count=published.RANDOM_WON),
    simple_is_better,
    *(
        partial(
            as_published, words=f"{words} wins 67.02% against random", pair=(name, RANDOM), count=published.SIMPLE_WON
        )
        for name, words in ((SIMPLE, "Simple"), (NO_HIT, "Simple without hitting"))
    ),
    partial(progress, name="random", theirs="from 49% to 69.2%", opponent=RANDOM),
    partial(progress, name="simple", theirs="from 32% to 55.9%", opponent=SIMPLE),
    partial(progress, name="simple without hitting", theirs="from 32% to 55.9%", opponent=NO_HIT),
    goes_on,
    fast_at_first,
    bends,
    partial(curve_mean, opponent=RANDOM, theirs=published.MEAN_RANDOM),
    partial(curve_mean, opponent=SIMPLE, theirs=published.MEAN_SIMPLE),
    partial(curve_mean, opponent=NO_HIT, theirs=published.MEAN_SIMPLE),
    beats_all,
    best_network,
    more_neurons,
    place_matters,
    imitation_helps,
    partial(printed, opponent=RANDOM, curve=published.AGAINST_RANDOM["2-1-2"]),
    partial(printed, opponent=SIMPLE, curve=published.AGAINST_SIMPLE),
    partial(printed, opponent=NO_HIT, curve=published.AGAINST_SIMPLE),
    as_printed,
    partial(climbing_reaches, words="Hill-climbing as published", title=CLIMBING),
    partial(climbing_reaches, words="Stricter hill-climbing", title=STRICT),
    climbing_rises,
    climbing_is_enough,
    climbing_loses,
    td_beats_pubeval,
    td_grows,
)
