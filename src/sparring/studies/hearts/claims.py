"""The hearts study's claims, judged by our intervals. "Monte Carlo" is `uct`, the search of the study's reference."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sparring.arena.statistics import Interval
from sparring.studies.hearts import settings
from sparring.studies.hearts.measured import Measured, Part
from sparring.studies.hearts.rates import Counts
from sparring.studies.hearts.settings import EVEN, GAMES, PUBLISHED, RULE_BASED, UCT
from sparring.studies.verdicts import Claim, Test, above, below, difference, near, undecided

LITTLE = 0.03  # of the games: no change that a point of 1,000 games would show
LEVEL = 0.05  # of the games, around 25%: an equal level
MUCH = 0.5  # of the games: much better than 25%
NEAR, NEAR_POINTS = 0.05, 0.5  # of an accuracy, of a lead
NEAR_LESS, NEAR_MOONS = 0.1, 0.02  # of the share of moons prevented, of the rounds with a moon
END = float("inf")
WEAK_RULES = "`uct`, which the study ranks above its own rule-based player, stands for the latter"
RULED_SEARCH = "the search simulates by the rules of the rule-based player: `monte-carlo@26`"
STRONG_RULES = (
    "the study's rule-based player is weaker than ours: the study ranks it below its search player; ours wins far more games than "
    "the search of the study's reference (table of built-in players), and the agent beats that search by far"
)
SMALL = (
    "in trainings that differ in this alone (table of short trainings) the difference is smaller than one point of 1,000 games, "
    "as in the study's figures, can show"
)
PERSON = "`daring` in the person's place"
Measure = Callable[[Measured], Interval | Sequence[Interval]]


def long_enough(found: Measured) -> bool:
    """Whether stages were as long as the study's."""
    return found.budget.complete


TrainingClaim = partial(Claim, conclusive=long_enough)
VariantClaim = partial(Claim, conclusive=long_enough, trials=lambda found: found.budget.compared_trials)
SpecialClaim = partial(Claim, conclusive=long_enough, trials=lambda found: found.budget.special_trials)


# What a claim is measured by.


def share(match: str, top: str = "won", bottom: str = "games") -> Measure:
    return lambda found: found.matches[match].share(top, bottom)


def over(match: str, other: str, top: str, bottom: str, scale: float = 1.0) -> Callable[[Measured], Interval]:
    """A ratio of one match minus that of another on the same deals."""
    return lambda found: found.matches[match].over(found.matches[other], top, bottom, scale)


def welch(match: str, other: str, top: str, bottom: str) -> Measure:
    """The same of trainings that are not paired."""
    return lambda found: difference(
        found.matches[match].by_trial(top, bottom), found.matches[other].by_trial(top, bottom)
    )


def gain(stage: str, before: Part, after: Part) -> Measure:
    """The games won more against rule-based players in one part of a stage than in another."""
    return lambda found: found.gained(stage, RULE_BASED, before, after)


def first_gain(found: Measured) -> list[Interval]:
    """What play gains until its fast part ends, and how much more that is than what it gains after."""
    every, fast, end = 50_000, PUBLISHED["fast"], GAMES["play"]
    parts: list[Part] = [(0, every), (fast - 2 * every, fast), (end - 2 * every, end)]
    first, then = (gain("play", *pair)(found) for pair in (parts[:2], parts[1:]))
    assert isinstance(first, Interval) and isinstance(then, Interval)
    return [first, Interval(first.value - then.value, first.low - then.high, first.high - then.low)]


def thirds(found: Measured, stage: str, ratio: tuple[str, str] = ("won", "games")) -> Interval:
    """A stage's last third minus its first, against rule-based players."""
    third = found.budget.games[stage] / 3
    return found.gained(stage, RULE_BASED, (0, third), (2 * third, END), ratio)


def moon_rounds(found: Measured) -> Interval:
    """The share of rounds with a moon, of four agents without defence."""
    off = found.matches["defence off"].sums
    return Counts({"moons": off["moons"] + off["against"], "rounds": off["rounds"]}).share("moons", "rounds")


def best_of(others: Sequence[str]) -> Measure:
    """How many more games the study's choice wins than each alternative; they share the 5%."""

    def measure(found: Measured) -> list[Interval]:
        base = found.matches[f"short {settings.BASE}"].by_trial("won", "games")
        return [
            difference(base, found.matches[f"short {name}"].by_trial("won", "games"), len(others)) for name in others
        ]

    return measure


def both(agent: str, measure: Callable[[Counts], Interval], search: str = UCT) -> Measure:
    """Against rule-based players and against a search."""
    return lambda found: [measure(found.matches[f"{agent} {opponent}"]) for opponent in (RULE_BASED, search)]


# Kinds of claims.


def wins(agent: str, words: str, bound: float, opponent: str, published: str, **more: Any) -> Claim:
    """An agent wins more than this share of its games."""
    text = f"{words} than {opponent}: more than {bound:.0%} of the games"
    return TrainingClaim(text, published, share(f"{agent} {opponent}"), above(bound), "{:.1%}", **more)


def done(stage: str, words: str, place: str) -> Claim:
    """A stage gains nothing after the study's games."""
    games = GAMES[stage]
    text = f"{words} after {games:,} games: a change of less than {LITTLE:.0%} of the games"
    measure = gain(stage, (games / 2, games), (games, END))
    return TrainingClaim(
        text, settings.FIGURES[stage][2], measure, near(0.0, LITTLE), "{:.1p} of 100 games", place=place
    )


def unchanged(stage: str, words: str, place: str, cause: str) -> Claim:
    text = f"{words}: a change of less than {LITTLE:.0%} of the games, last third minus first"
    measure = partial(thirds, stage=stage)
    return TrainingClaim(
        text, settings.FIGURES[stage][2], measure, near(0.0, LITTLE), "{:.1p} of 100 games", place=place, cause=cause
    )


def right(stage: str, words: str, place: str, **more: Any) -> Claim:
    theirs = PUBLISHED["accuracy"][stage]
    text = f"{words} is right in about {theirs:.0%} (within {NEAR:.0%}), with as many yes as no"
    return TrainingClaim(
        text, f"{theirs:.0%}", lambda found: found.right(stage), near(theirs, NEAR), "{:.1%}", place=place, **more
    )


def compared(
    words: str, published: str, pair: tuple[str, str], ratio: tuple[str, str], test: Test, **more: Any
) -> Claim:
    """One match minus another, in the unit of what is counted."""
    scale, unit = {"won": (100, "of 100 games"), "score": (1, "points per round")}.get(
        ratio[0], (1000, "in 1,000 rounds")
    )
    return TrainingClaim(words, published, over(*pair, *ratio, scale), test, f"{{:.2f}} {unit}", **more)


DEFENCE, ALWAYS = ("defence on", "defence off"), ("defence always", "defence on")
CLAIMS = (
    Claim(
        "The search player is better than the rule-based player: more than 25% of the games against three",
        "rule-based is the worst player", share(f"built-in {UCT}"), above(EVEN), "{:.1%}", place="section 4.3",
        reading=RULED_SEARCH, other=share(f"built-in {settings.RULED}"), trials=lambda found: 1,
    ),
    TrainingClaim(
        f"Play learns fast until {PUBLISHED['fast']:,} games, then slowly: it gains, and more before than after",
        "fast, then slow", first_gain, above(0.0), "won more: {:.1p} of 100 games", place="Figures 5.1, 5.2",
    ),
    done("play", "Play learns no more", "Figures 5.1, 5.2"),
    wins("play", "Play is slightly better", EVEN, UCT, "slightly better", place="Figure 5.2"),
    wins("play", "Play is much better", MUCH, RULE_BASED, "way better", place="Figure 5.1",
         reading=WEAK_RULES, other=share(f"play {UCT}"), cause=STRONG_RULES),
    done("pass", "Pass learns no more", "Figures 5.3, 5.4"),
    TrainingClaim(
        f"Pass with fixed play is equal to rule-based and Monte Carlo: {EVEN:.0%} of the games, within {LEVEL:.0%}",
        "only on an equal level", both("pass", Counts.share), near(EVEN, LEVEL), "{:.1%}", place="Figures 5.3, 5.4",
        reading=RULED_SEARCH, other=both("pass", Counts.share, settings.RULED),
        cause="the two opponents are not equal: the rule-based player plays far better than the search of the study's reference "
        "(table of built-in players), and the agent loses to the first and beats the second (table of agents)",
    ),
    TrainingClaim(
        "Play and pass trained together take fewer points per round than before, against both", "granted the ability",
        lambda found: [over(f"tune {each}", f"pass {each}", "score", "rounds")(found) for each in (RULE_BASED, UCT)], below(0.0),
        "{:.2f} points per round", place="Figures 5.5, 5.6",
    ),
    done("tune", "Together they hardly improve", "Figures 5.5, 5.6"),
    TrainingClaim(
        f"Then both opponents are beaten by around {PUBLISHED['lead']:.0f} points per round (within {NEAR_POINTS})",
        "around 2 points", both("tune", Counts.lead), near(PUBLISHED["lead"], NEAR_POINTS), "{:.2f}",
        place="Figures 5.5, 5.6", cause="the published lead lies between those over our two opponents: the strength of the "
        "study's is not stated (table of agents)",
    ),
    right("moon-decision-4", "The final moon decision", "section 5.2", cause="ours is better on the same kind of data",
          reading="the hands are those of a player that tries the moon with every hand",
          other=lambda found: found.right("moon-decision-all", "all-hands")),
    wins("moon-play", "With moon play it does far better", MUCH, RULE_BASED, "does very poorly", place="Figure 5.7",
         reading=WEAK_RULES, other=share(f"moon-play {UCT}"), cause=STRONG_RULES),
    wins("moon-play", "With moon play it is better", EVEN, UCT, "still beats it", place="Figure 5.8"),
    TrainingClaim(
        "Moon pass learns to shoot more moons", "moon success increases",
        partial(thirds, stage="moon-pass", ratio=("moons", "rounds")), above(0.0),
        "{:.2%} of the rounds, last third minus first", place="Figures 5.9, 5.10",
    ),
    unchanged("moon-pass", "but does not win more", "Figures 5.9, 5.10", ""),
    unchanged("moon-tune", "Moon play and pass trained together do not win more", "Figures 5.11, 5.12", ""),
    TrainingClaim(
        "More than half of the attempts at the moon succeed against Monte Carlo", f"over {PUBLISHED['attempts']:.0%}",
        share(f"moon {UCT}", "made", "tried"), above(PUBLISHED["attempts"]), "{:.1%}", place="section 5.2",
    ),
    TrainingClaim(
        f"About {PUBLISHED['moons']:.0%} of the rounds have a moon (within {NEAR_MOONS:.0%}), with four agents without defence",
        f"{PUBLISHED['moons']:.0%}", moon_rounds, near(PUBLISHED["moons"], NEAR_MOONS), "{:.1%}", place="section 5.2",
    ),
    right("defence-decision", "The decision to defend", "section 5.3",
          reading="it learns and is tested from the moon player's view",
          other=lambda found: found.right("defence-decision", "shooter")),
    compared("Defence lets fewer moons of others through", "61 instead of 111", DEFENCE, ("against", "rounds"), below(0.0),
             place="Table 5.3"),
    TrainingClaim(
        f"by about {PUBLISHED['fewer']:.0%} (within {NEAR_LESS:.0%})", "61 instead of 111",
        lambda found: found.matches["defence on"].less(found.matches["defence off"], "against"),
        near(PUBLISHED["fewer"], NEAR_LESS), "{:.0%}", place="Table 5.3",
    ),
    compared("and wins less", "22.5% instead of 24.8%", DEFENCE, ("won", "games"), below(0.0), place="Table 5.3"),
    compared("with fewer points per round", "7.38 instead of 7.48", DEFENCE, ("score", "rounds"), below(0.0),
             place="Table 5.3"),
    compared("Constant defence lets through still fewer", "people: 2% instead of 5.90%", ALWAYS, ("against", "rounds"), below(0.0),
             place="section 5.3"),
    compared("and wins still less", "people win 40% instead of 32%", ALWAYS, ("won", "games"), below(0.0), place="section 5.3"),
    lambda found: undecided("Without moons three agents are slightly better than one person", "24% of the games",
                            "needs people: `sparring play hearts` records games for the table of people", "Table 5.1"),
    compared(f"People win more once the moon counts ({PERSON})", "30% instead of 24%", ("person 5.2", "person 5.1"),
             ("won", "games"), above(0.0), place="Tables 5.1, 5.2"),
    compared(f"Defence lets fewer of their moons through ({PERSON})", "5.90% instead of 6.55%", ("person 5.4", "person 5.2"),
             ("moons", "rounds"), below(0.0), place="Table 5.4"),
    compared(f"constant defence still fewer ({PERSON})", "2% instead of 5.90%", ("person text", "person 5.4"), ("moons", "rounds"),
             below(0.0), place="section 5.3"),
    compared(f"but people then win more ({PERSON})", "40% instead of 32%", ("person text", "person 5.4"), ("won", "games"),
             above(0.0), place="section 5.3"),
    VariantClaim(
        f"A terminal reward of 0 from 10 points on wins more than from 13 and from 26 on, by over {LITTLE:.0%} of the games",
        "surpassed the others; the win ratio rose significantly", best_of(settings.TERMINAL), above(LITTLE),
        "{:.1p} of 100 games more", place="Table 4.2", cause=SMALL,
    ),
    VariantClaim(
        f"An immediate reward of 0 from 4 points on wins more than from 8, 13 and 16 on, by over {LITTLE:.0%} of the games",
        "the most successful", best_of(settings.IMMEDIATE), above(LITTLE), "{:.1p} of 100 games more", place="Table 4.1",
        cause=SMALL,
    ),
    VariantClaim(
        f"The same reward for all cards of a round wins more than a discounted one, by over {LITTLE:.0%} of the games",
        "more reliable", best_of(("discounted",)), above(LITTLE), "{:.1p} of 100 games more", place="section 4.3.1", cause=SMALL,
    ),
    SpecialClaim(
        "Moon play rewarded by the points it takes (equation 41) shoots fewer moons than by equation 42", "would fail",
        welch("moon-share moons", "moon-5 moons", "moons", "rounds"), below(0.0), "{:.2p} of 100 rounds", place="section 4.3.5",
    ),
    Claim(
        "Seven networks win more than one with as many games, against rule-based players", "easier and faster",
        welch(f"seven {RULE_BASED}", f"one {RULE_BASED}", "won", "games"), above(0.0), "{:.1p} of 100 games more",
        place="chapter 6", conclusive=long_enough, trials=lambda found: found.budget.whole_trials,
    ),
    SpecialClaim(
        f"Defence that learns from games of those it meets lets fewer of their moons through ({PERSON})", "further work",
        welch("recorded on", "recorded before", "moons", "rounds"), below(0.0), "{:.2p} of 100 rounds", place="chapter 6",
    ),
)  # fmt: skip
