"""What the hearts study says, and whether our intervals support it."""

from collections.abc import Callable, Sequence

from sparring.arena.statistics import Interval
from sparring.studies import Table
from sparring.studies.hearts import published
from sparring.studies.hearts.measured import Measured
from sparring.studies.hearts.published import EVEN, FAST, GAMES
from sparring.studies.hearts.rates import Met
from sparring.studies.hearts.report_tables import percent
from sparring.studies.hearts.settings import BASE, EXPLORATIONS, IMMEDIATE, TERMINAL, opponents
from sparring.studies.verdicts import OPEN, Judged, about, difference, judged_table, together, verdict

LITTLE = 0.02  # of the games: a change that is none
LEVEL = 0.05  # of the games, to either side of 25%: an equal level
WAY = 0.5  # of the games: way better than 25%
NEAR = 0.05  # of an accuracy, of a share of moons
NEAR_POINTS = 0.5  # of the lead that is told as "around 2 points"
NEAR_LESS = 0.1  # of the share of moons that defence prevents
NEAR_MOONS = 0.02  # of the rounds with a moon
END = float("inf")
ROUNDS = 8  # of a game to 100 points, at least


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    total = sum(found.budget.games.values())
    return judged_table(
        [claim(found) for claim in CLAIMS],
        f"{found.trials} training{'s' * (found.trials > 1)} of {total:,} games; where stages are shorter than the study's, what "
        "they lead to is open",
    )


def at_length(found: Measured, told: str) -> str:
    """A verdict on what training leads to, open where it was shorter than the study's."""
    return told if found.budget.whole else OPEN


def of_100(change: Interval | None) -> str:
    if change is None:
        return "no points there"
    return Interval(*(100 * end for end in (change.value, change.low, change.high))).text(1) + " of 100 games"


# Learning.


def fast_until(found: Measured) -> Judged:
    setting, *_ = opponents(found.budget)
    name, early = f"{setting}.player.won", found.budget.every
    gains = [found.gained("play", name, *parts) for parts in (((0, early), (FAST - 2 * early, FAST)),
             ((FAST - 2 * early, FAST), (GAMES["play"] - 2 * early, GAMES["play"])))]  # fmt: skip
    told = OPEN
    if gains[0] is not None and gains[1] is not None:
        more = Interval(*(a - b for a, b in zip(_ends(gains[0]), reversed_ends(gains[1]), strict=True)))
        told = together(verdict(gains[0], above=0.0), verdict(more, above=0.0))
    return (
        f"Play learns fast until {FAST:,} games, then slowly: it gains more before than after",
        "Figures 5.1, 5.2",
        f"won more: {of_100(gains[0])}, then {of_100(gains[1])}",
        at_length(found, told),
    )


def _ends(told: Interval) -> tuple[float, float, float]:
    return told.value, told.low, told.high


def reversed_ends(told: Interval) -> tuple[float, float, float]:
    """What is subtracted from each end of another interval."""
    return told.value, told.high, told.low


def done_after(stage: str, words: str) -> Callable[[Measured], Judged]:
    """A claim that a stage brings no more after the study's games; open where it was not trained further."""

    def claim(found: Measured) -> Judged:
        setting, *_ = opponents(found.budget)
        games = GAMES[stage]
        change = found.gained(stage, f"{setting}.player.won", (games / 2, games), (games, END))
        return (
            f"{words} after {games:,} games: less than {LITTLE:.0%} of the games to either side",
            published.FIGURES[stage].words[0],
            f"won more: {of_100(change)}",
            OPEN if change is None else at_length(found, about(change, 0.0, LITTLE)),
        )

    return claim


def unchanged(stage: str, words: str) -> Callable[[Measured], Judged]:
    """A claim that a stage does not change the games won, against either opponent."""

    def claim(found: Measured) -> Judged:
        changes = thirds(found, stage, "won")
        return (
            f"{words}: less than {LITTLE:.0%} of the games to either side, last third less first",
            published.FIGURES[stage].words[0],
            f"won more: {' and '.join(map(of_100, changes))}",
            at_length(found, together(*(OPEN if each is None else about(each, 0.0, LITTLE) for each in changes))),
        )

    return claim


def thirds(found: Measured, stage: str, name: str, rounds: int = 1) -> list[Interval | None]:
    """How much more there is in a stage's last third than in its first, against each opponent."""
    third = found.budget.games[stage] / 3
    return [
        found.gained(stage, f"{setting}.player.{name}", (0, third), (2 * third, END), rounds)
        for setting in opponents(found.budget)
    ]


def more_moons(found: Measured) -> Judged:
    rises = thirds(found, "moon-pass", "moons", ROUNDS)
    return (
        "Moon pass learns to shoot more moons",
        "Figures 5.9, 5.10",
        f"last third less first: {' and '.join('no points there' if each is None else percent(each, 2) for each in rises)}",
        at_length(found, together(*(OPEN if each is None else verdict(each, above=0.0) for each in rises))),
    )


def right(stage: str, what: str) -> Callable[[Measured], Judged]:
    """A claim that a decision is right as often as the study tells."""

    def claim(found: Measured) -> Judged:
        told, said = found.decisions()[stage].right, published.ACCURACY[stage]
        return (
            f"{what} is right in about {said:.0%} (to {NEAR:.0%}), of as many hands of yes as of no",
            f"{said:.0%}",
            percent(told),
            at_length(found, about(told, said, NEAR)),
        )

    return claim


# Agents.


def wins(agent: str, words: str, above: float, monte_carlo: bool, said: str) -> Callable[[Measured], Judged]:
    """A claim that an agent wins more than so many of its games against one of its opponents."""

    def claim(found: Measured) -> Judged:
        opponent = list(found.agents[agent])[monte_carlo]
        share = found.agents[agent][opponent].share()
        return (
            f"{words} than {opponent}: more than {above:.0%} of the games",
            said,
            percent(share),
            at_length(found, verdict(share, above=above)),
        )

    return claim


def pass_is_equal(found: Measured) -> Judged:
    shares = [met.share() for met in found.agents["pass"].values()]
    return (
        f"Pass with fixed play is on the level of rule-based and Monte Carlo: {EVEN:.0%} of the games, to {LEVEL:.0%}",
        "Figures 5.3, 5.4",
        " and ".join(map(percent, shares)),
        at_length(found, together(*(about(share, EVEN, LEVEL) for share in shares))),
    )


def tuning_helps(found: Measured) -> Judged:
    more = [met.over(found.agents["pass"][name], "won", "games") for name, met in found.agents["tune"].items()]
    return (
        "Play and pass trained together win more than before, against both",
        "Figures 5.5, 5.6",
        " and ".join(map(of_100, more)),
        at_length(found, together(*(verdict(each, above=0.0) for each in more))),
    )


def tuned_lead(found: Measured) -> Judged:
    leads = [met.lead() for met in found.agents["tune"].values()]
    return (
        f"Then both are beaten by around {published.LEAD:.0f} points a round (to {NEAR_POINTS})",
        "around 2 points",
        " and ".join(lead.text() for lead in leads),
        at_length(found, together(*(about(lead, published.LEAD, NEAR_POINTS) for lead in leads))),
    )


def attempts_succeed(found: Measured) -> Judged:
    *_, met = found.agents["moon"].values()
    share = met.share("made", "tried")
    return (
        "More than half of the attempts at the moon succeed against Monte Carlo",
        f"over {published.ATTEMPTS:.0%}",
        percent(share),
        at_length(found, verdict(share, above=published.ATTEMPTS)),
    )


def moons_are_rare(found: Measured) -> Judged:
    off = found.defence["off"].sums
    share = Met({"moons": off["moons"] + off["against"], "rounds": off["rounds"]}).share("moons", "rounds")
    said = published.HANDS / 100
    return (
        f"About {said:.0%} of the rounds have a moon (to {NEAR_MOONS:.0%}), of four agents without defence",
        f"{said:.0%}",
        percent(share),
        at_length(found, about(share, said, NEAR_MOONS)),
    )


# Defence.


def defence(
    words: str, said: str, one: str, other: str, top: str, bottom: str, less: bool
) -> Callable[[Measured], Judged]:
    """A claim about two ways to defend on the same deals."""

    def claim(found: Measured) -> Judged:
        change = found.defence[one].over(found.defence[other], top, bottom)
        told = verdict(change, below=0.0) if less else verdict(change, above=0.0)
        scale, what = {
            "won": (100, "of 100 games"),
            "against": (1000, "in 1,000 rounds"),
            "score": (1, "points a round"),
        }[top]
        ours = Interval(*(scale * end for end in _ends(change))).text()
        return words, said, f"{ours} {what}", at_length(found, told)

    return claim


def prevents(found: Measured) -> Judged:
    part = found.defence["on"].less(found.defence["off"], "against")
    return (
        f"by about {published.FEWER:.0%} (to {NEAR_LESS:.0%})",
        f"61 instead of 111: {published.FEWER:.0%}",
        percent(part, 0),
        at_length(found, about(part, published.FEWER, NEAR_LESS)),
    )


# Short trainings.


def chosen_is_best(words: str, said: str, others: Sequence[str]) -> Callable[[Measured], Judged]:
    """A claim that what the study chose wins more than each alternative; they share the 5%."""

    def claim(found: Measured) -> Judged:
        base = found.variants[BASE].by_trial("won", "games")
        more = {name: difference(base, found.variants[name].by_trial("won", "games"), len(others)) for name in others}
        ours = "; ".join(f"{name}: {of_100(change)}" for name, change in more.items())
        return (
            f"{words}, in trainings of {found.budget.compared:,} games",
            said,
            f"won more than {ours}",
            together(*(verdict(change, above=0.0) for change in more.values())),
        )

    return claim


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    fast_until,
    done_after("play", "Play learns no more"),
    wins("play", "Play is slightly better", EVEN, True, "slightly better"),
    wins("play", "and way better", WAY, False, "way better"),
    done_after("pass", "Pass learns no more"),
    pass_is_equal,
    tuning_helps,
    done_after("tune", "Together they hardly improve"),
    tuned_lead,
    right("moon-decision-4", "The final moon decision"),
    wins("moon-play", "With moon play it does far better", WAY, False, "rule-based does very poorly"),
    wins("moon-play", "and better", EVEN, True, "still beats it"),
    more_moons,
    unchanged("moon-pass", "but does not win more"),
    unchanged("moon-tune", "Moon play and pass trained together do not win more"),
    attempts_succeed,
    moons_are_rare,
    right("defence-decision", "The decision to defend"),
    defence("Defence lets fewer moons of others through", "61 instead of 111", "on", "off", "against", "rounds", True),
    prevents,
    defence("and wins less", "22.5% instead of 24.8%", "on", "off", "won", "games", True),
    defence("with fewer points a round", "7.38 instead of 7.48", "on", "off", "score", "rounds", True),
    defence(
        "Always defending lets through still fewer",
        "people: 2% instead of 5.90%",
        "always",
        "on",
        "against",
        "rounds",
        True,
    ),
    defence("and wins still less", "people win 40% instead of 32%", "always", "on", "won", "games", True),
    chosen_is_best("A terminal reward that is 0 from 10 points on is the best", "surpassed the others", TERMINAL),
    chosen_is_best("An immediate reward that is 0 from 4 points on is the best", "the most successful", IMMEDIATE),
    chosen_is_best("Thompson sampling is better than epsilon-greedy and than none", "used; not compared", EXPLORATIONS),
)
