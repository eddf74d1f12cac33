"""The hearts study's claims, judged by our intervals."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from sparring.arena.statistics import Interval
from sparring.studies.hearts import published
from sparring.studies.hearts.measured import Measured
from sparring.studies.hearts.published import EVEN, FAST, GAMES
from sparring.studies.hearts.rates import Counts
from sparring.studies.hearts.report_tables import percent
from sparring.studies.hearts.settings import BASE, EXPLORATIONS, IMMEDIATE, TERMINAL, opponents
from sparring.studies.verdicts import (
    OPEN,
    Claim,
    Judged,
    Test,
    above,
    below,
    difference,
    judge,
    near,
    scaled,
    together,
    verdict,
)

LITTLE = 0.02  # of the games: no change
LEVEL = 0.05  # of the games, around 25%: an equal level
MUCH = 0.5  # of the games: much better than 25%
NEAR = 0.05  # of an accuracy
NEAR_POINTS = 0.5  # of the lead "around 2 points"
NEAR_LESS = 0.1  # of the share of moons that defence prevents
NEAR_MOONS = 0.02  # of the rounds with a moon
END = float("inf")
ROUNDS = 8  # of a game to 100 points, at least
DEFENCE_UNITS = {"won": (100, "of 100 games"), "against": (1000, "in 1,000 rounds"), "score": (1, "points per round")}


def long_enough(found: Measured) -> bool:
    """Whether stages were as long as the study's."""
    return found.budget.whole


TrainingClaim = partial(Claim, conclusive=long_enough)


def known(change: Interval | None, text: Callable[[Interval], str]) -> str:
    return "no points there" if change is None else text(change)


def of_100(change: Interval | None) -> str:
    """A difference of shares per hundred games."""
    return known(change, lambda interval: f"{scaled(interval, 100).text(1)} of 100 games")


def judge_changes(found: Measured, changes: Sequence[Interval | None], test: Test) -> str:
    """The verdict on changes between parts of a curve; open if a part has no points."""
    if not long_enough(found):
        return OPEN
    return together(*(OPEN if change is None else test(change) for change in changes))


# Learning.


def fast_until(found: Measured) -> Judged:
    setting, *_ = opponents(found.budget)
    every = found.budget.every
    parts = (0, every), (FAST - 2 * every, FAST), (GAMES["play"] - 2 * every, GAMES["play"])
    name = f"{setting}.player.won"
    first, then = (found.gained("play", name, before, after) for before, after in pairwise(parts))
    judged = OPEN
    if first is not None and then is not None and long_enough(found):
        more = Interval(first.value - then.value, first.low - then.high, first.high - then.low)
        judged = together(verdict(first, above=0.0), verdict(more, above=0.0))
    return (
        f"Play learns fast until {FAST:,} games, then slowly: it gains more before than after",
        "Figures 5.1, 5.2",
        f"won more: {of_100(first)}, then {of_100(then)}",
        judged,
    )


def done_after(found: Measured, stage: str, claim: str) -> Judged:
    """The claim that a stage gains nothing after the study's games; open if it was not trained further."""
    setting, *_ = opponents(found.budget)
    games = GAMES[stage]
    change = found.gained(stage, f"{setting}.player.won", (games / 2, games), (games, END))
    return (
        f"{claim} after {games:,} games: a change of less than {LITTLE:.0%} of the games",
        published.FIGURES[stage].words[0],
        f"won more: {of_100(change)}",
        judge_changes(found, [change], near(0.0, LITTLE)),
    )


def thirds(found: Measured, stage: str, name: str, rounds: int = 1) -> list[Interval | None]:
    """A stage's last third minus its first, against each opponent."""
    third = found.budget.games[stage] / 3
    return [
        found.gained(stage, f"{setting}.player.{name}", (0, third), (2 * third, END), rounds)
        for setting in opponents(found.budget)
    ]


def unchanged(found: Measured, stage: str, claim: str) -> Judged:
    """The claim that a stage does not change the games won, against either opponent."""
    changes = thirds(found, stage, "won")
    return (
        f"{claim}: a change of less than {LITTLE:.0%} of the games, last third minus first",
        published.FIGURES[stage].words[0],
        f"won more: {' and '.join(map(of_100, changes))}",
        judge_changes(found, changes, near(0.0, LITTLE)),
    )


def more_moons(found: Measured) -> Judged:
    rises = thirds(found, "moon-pass", "moons", ROUNDS)
    return (
        "Moon pass learns to shoot more moons",
        "Figures 5.9, 5.10",
        f"last third minus first: {' and '.join(known(rise, lambda interval: percent(interval, 2)) for rise in rises)}",
        judge_changes(found, rises, above(0.0)),
    )


def right(stage: str, decision: str) -> Claim:
    """The claim that a decision is right as often as published."""
    theirs = published.ACCURACY[stage]
    return TrainingClaim(
        f"{decision} is right in about {theirs:.0%} (within {NEAR:.0%}), with as many hands of yes as of no",
        f"{theirs:.0%}",
        lambda found: found.decisions()[stage].right,
        near(theirs, NEAR),
        "{:.1%}",
    )


# Agents.


def wins(found: Measured, agent: str, claim: str, bound: float, monte_carlo: bool, theirs: str) -> Judged:
    """The claim that an agent wins more than this share of its games against one of its opponents."""
    opponent = list(found.agents[agent])[monte_carlo]
    return judge(
        f"{claim} than {opponent}: more than {bound:.0%} of the games",
        theirs,
        found.agents[agent][opponent].share(),
        above(bound),
        "{:.1%}",
        conclusive=long_enough(found),
    )


def tuning_gains(found: Measured) -> list[Interval]:
    """How many more games the tuned agent wins than before."""
    return [counts.over(found.agents["pass"][name], "won", "games") for name, counts in found.agents["tune"].items()]


def moon_rounds(found: Measured) -> Interval:
    """The share of rounds with a moon, of four agents without defence."""
    off = found.defence["off"].sums
    return Counts({"moons": off["moons"] + off["against"], "rounds": off["rounds"]}).share("moons", "rounds")


# Defence.


def defence(claim: str, theirs: str, one: str, other: str, top: str, bottom: str) -> Claim:
    """The claim that one way to defend has less of something than another on the same deals."""
    scale, unit = DEFENCE_UNITS[top]

    def change(found: Measured) -> Interval:
        return scaled(found.defence[one].over(found.defence[other], top, bottom), scale)

    return TrainingClaim(claim, theirs, change, below(0.0), f"{{:.2f}} {unit}")


# Short trainings.


def chosen_is_best(found: Measured, claim: str, theirs: str, others: Sequence[str]) -> Judged:
    """The claim that the study's choice wins more than each alternative; they share the 5%."""
    base = found.variants[BASE].by_trial("won", "games")
    more = [difference(base, found.variants[name].by_trial("won", "games"), len(others)) for name in others]
    ours = "; ".join(f"{name}: {of_100(change)}" for name, change in zip(others, more, strict=True))
    return (
        f"{claim}, in trainings of {found.budget.compared:,} games",
        theirs,
        f"won more than {ours}",
        together(*map(above(0.0), more)),
    )


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    fast_until,
    partial(done_after, stage="play", claim="Play learns no more"),
    partial(
        wins, agent="play", claim="Play is slightly better", bound=EVEN, monte_carlo=True, theirs="slightly better"
    ),
    partial(wins, agent="play", claim="and much better", bound=MUCH, monte_carlo=False, theirs="way better"),
    partial(done_after, stage="pass", claim="Pass learns no more"),
    TrainingClaim(
        f"Pass with fixed play is equal to rule-based and Monte Carlo: {EVEN:.0%} of the games, within {LEVEL:.0%}",
        "Figures 5.3, 5.4",
        lambda found: [counts.share() for counts in found.agents["pass"].values()],
        near(EVEN, LEVEL),
        "{:.1%}",
    ),
    TrainingClaim(
        "Play and pass trained together win more than before, against both",
        "Figures 5.5, 5.6",
        tuning_gains,
        above(0.0),
        "{:.1p} of 100 games",
    ),
    partial(done_after, stage="tune", claim="Together they hardly improve"),
    TrainingClaim(
        f"Then both opponents are beaten by around {published.LEAD:.0f} points per round (within {NEAR_POINTS})",
        "around 2 points",
        lambda found: [counts.lead() for counts in found.agents["tune"].values()],
        near(published.LEAD, NEAR_POINTS),
        "{:.2f}",
    ),
    right("moon-decision-4", "The final moon decision"),
    partial(
        wins,
        agent="moon-play",
        claim="With moon play it does far better",
        bound=MUCH,
        monte_carlo=False,
        theirs="rule-based does very poorly",
    ),
    partial(wins, agent="moon-play", claim="and better", bound=EVEN, monte_carlo=True, theirs="still beats it"),
    more_moons,
    partial(unchanged, stage="moon-pass", claim="but does not win more"),
    partial(unchanged, stage="moon-tune", claim="Moon play and pass trained together do not win more"),
    TrainingClaim(
        "More than half of the attempts at the moon succeed against Monte Carlo",
        f"over {published.ATTEMPTS:.0%}",
        lambda found: list(found.agents["moon"].values())[-1].share("made", "tried"),
        above(published.ATTEMPTS),
        "{:.1%}",
    ),
    TrainingClaim(
        f"About {published.HANDS}% of the rounds have a moon (within {NEAR_MOONS:.0%}), with four agents without defence",
        f"{published.HANDS}%",
        moon_rounds,
        near(published.HANDS / 100, NEAR_MOONS),
        "{:.1%}",
    ),
    right("defence-decision", "The decision to defend"),
    defence("Defence lets fewer moons of others through", "61 instead of 111", "on", "off", "against", "rounds"),
    TrainingClaim(
        f"by about {published.FEWER:.0%} (within {NEAR_LESS:.0%})",
        f"61 instead of 111: {published.FEWER:.0%}",
        lambda found: found.defence["on"].less(found.defence["off"], "against"),
        near(published.FEWER, NEAR_LESS),
        "{:.0%}",
    ),
    defence("and wins less", "22.5% instead of 24.8%", "on", "off", "won", "games"),
    defence("with fewer points per round", "7.38 instead of 7.48", "on", "off", "score", "rounds"),
    defence(
        "Constant defence lets through still fewer", "people: 2% instead of 5.90%", "always", "on", "against", "rounds"
    ),
    defence("and wins still less", "people win 40% instead of 32%", "always", "on", "won", "games"),
    partial(
        chosen_is_best,
        claim="A terminal reward of 0 from 10 points on is the best",
        theirs="surpassed the others",
        others=TERMINAL,
    ),
    partial(
        chosen_is_best,
        claim="An immediate reward of 0 from 4 points on is the best",
        theirs="the most successful",
        others=IMMEDIATE,
    ),
    partial(
        chosen_is_best,
        claim="Thompson sampling is better than epsilon-greedy and than none",
        theirs="used; not compared",
        others=EXPLORATIONS,
    ),
)
