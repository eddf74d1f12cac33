"""The study's tables, what it tells beside ours: learning curves, decisions, agents, defence, what it compared, people, cost."""

from dataclasses import replace

import numpy as np

from sparring.arena.statistics import Interval
from sparring.lab.person_record import Record
from sparring.studies import Table
from sparring.studies.hearts import published
from sparring.studies.hearts.measured import AGENTS, SWEPT, Curve, Measured
from sparring.studies.hearts.published import FIGURES
from sparring.studies.hearts.rates import Met
from sparring.studies.hearts.settings import (
    BASE,
    READINGS,
    RULE_BASED,
    VARIANTS,
    monte_carlo,
    opponents,
)
from sparring.studies.hearts.study_runs import LAST

CURVES_SECTION, AGENTS_SECTION, DEFENCE_SECTION = "Learning", "Agents", "Defence"
COMPARED_SECTION, PEOPLE_SECTION, COST_SECTION = "Rewards and exploration", "People", "Cost"
THOUSAND = 1000
ITSELF = "itself undefended"


def all_tables(found: Measured) -> dict[str, list[Table]]:
    """By the section that they stand in."""
    return {
        CURVES_SECTION: [curves_table(found), decisions_table(found)],
        AGENTS_SECTION: [agents_table(found), moon_table(found), sweep_table(found)],
        DEFENCE_SECTION: [defence_table(found)],
        COMPARED_SECTION: [variants_table(found), readings_table(found)],
        PEOPLE_SECTION: [people_table(found)],
        COST_SECTION: [cost_table(found)],
    }


def percent(interval: Interval, digits: int = 1) -> str:
    """A share; nothing where there is none."""
    return interval.text(digits, percent=True) if np.isfinite(interval.value) else "none"


def points(number: float) -> str:
    return f"{number:.2f}"


def over(found: Measured) -> str:
    """What intervals are over."""
    if found.trials > 1:
        return f"means over {found.trials} trainings with 95% intervals over them"
    return "one training: 95% intervals are over deals and say nothing of other trainings"


# Learning.


def curves_table(found: Measured) -> Table:
    rows = []
    for stage, figure in FIGURES.items():
        whom = [ITSELF] if stage == LAST else list(opponents(found.budget).values())
        for number, words, opponent in zip(figure.numbers, figure.words, whom, strict=True):
            won, score, moons = stage_curves(found, stage, opponent)
            cells = [f"{won.values.mean(axis=0)[at]:.1%}" for at in marks(won)]
            rows.append([f"{number} {figure.title}", opponent, words, f"{won.games[-1]:,}", *cells])
            rows[-1] += [points(value) for value in score.values.mean(axis=0)[[0, -1]]]
            rows[-1].append(points(moons.values[:, -1].mean()))
    return Table(
        "Figures 5.1 to 5.13: learning curves",
        ["figure, stage", "against three", "published", "games", "won at first", "at half", "at the end"]
        + ["points a round at first", "at the end", "moons in 1,000 rounds"],
        rows,
        f"Each point is {found.budget.point:,} games to 100 points under the rules of its stage, {found.budget.every:,} games of "
        f"training after the one before; means over {found.trials} training{'s' * (found.trials > 1)}, bands in the report. Games "
        "of training have four rounds. Even: 25% and 6.5 points a round where moons do not count; games with several best scores "
        "are nobody's. Moons: the player's, in Figure 5.13 the opponents'.",
    )


def stage_curves(found: Measured, stage: str, opponent: str) -> tuple[Curve, Curve, Curve]:
    """Games won, points a round, moons in a thousand rounds."""
    if stage == LAST:
        return (
            found.defending("won", "games"),
            found.defending("score", "rounds"),
            found.defending("against", "rounds", THOUSAND),
        )
    setting = opponent.replace("@", "-")
    won, score, moons = (
        found.curve(stage, f"{setting}.player.{name}") for name in ("won", "points_per_round", "moons")
    )
    return won, score, Curve(moons.games, THOUSAND * moons.values)


def marks(curve: Curve) -> tuple[int, int, int]:
    """The places of a curve's first, middle and last point."""
    count = len(curve.games)
    return 0, (count - 1) // 2, count - 1


def decisions_table(found: Measured) -> Table:
    rows = []
    for stage, told in found.decisions().items():
        said = f"{published.ACCURACY[stage]:.0%}" if stage in published.ACCURACY else ""
        yes = "" if told.yes is None else percent(told.yes, 2)
        majority = "" if told.yes is None else f"{max(told.yes.value, 1 - told.yes.value):.1%}"
        rows.append([found.training.curriculum.stages[stage].title, said, percent(told.right), "50%", yes, majority])
    return Table(
        "Decisions: how often they are right",
        [
            "decision",
            "published",
            "ours, of as many yes as no",
            "who always says one",
            "yes among all",
            "who always says no, of all",
        ],
        rows,
        "Of games that nothing was learned from, at the end of the stage. The study tells accuracies of data in which half of the "
        "rounds have a moon, so that one hand in eight is a yes: of those, who always says no is right in 87.5%.",
    )


# Agents.


def agents_table(found: Measured) -> Table:
    said = {
        ("play", 0): "way better", ("play", 1): "slightly better", ("pass", 0): "an equal level", ("pass", 1): "an equal level",
        ("tune", 0): "around 2 points better", ("tune", 1): "around 2 points better",
        ("moon-play", 0): "very poor opponents", ("moon-play", 1): "beaten",
    }  # fmt: skip
    rows = []
    for agent, (title, _, _) in AGENTS.items():
        for place, (opponent, met) in enumerate(found.agents[agent].items()):
            rows.append([title, opponent, said.get((agent, place), ""), percent(met.share()), met.mean().text()])
            rows[-1] += [met.lead().text(), percent(met.share("moons", "rounds"), 2)]
    return Table(
        "Agents against three rule-based and three Monte Carlo players",
        [
            "agent",
            "against three",
            "published",
            "won",
            "points a round",
            "points the others have more",
            "moons, of rounds",
        ],
        rows,
        f"{found.budget.deals:,} deals that training does not see, each in four seatings, to 100 points; {over(found)}. The study "
        "does not tell how many simulations its Monte Carlo player has.",
    )


def moon_table(found: Measured) -> Table:
    rows = []
    for opponent, met in found.agents["moon"].items():
        said = "over 50%; people: 30%" if opponent != RULE_BASED else ""
        rows.append([opponent, said, percent(met.share("tried", "rounds"), 2), percent(met.share("made", "tried"))])
        rows[-1].append(f"{int(met.sums['tried'].sum()):,}")
    return Table(
        "Moons: attempts that succeed",
        ["against three", "published", "rounds with an attempt", "attempts that succeed", "attempts"],
        rows,
        f"The agent with the moon and without defence; {over(found)}.",
    )


def sweep_table(found: Measured) -> Table:
    numbers = [monte_carlo(n) for n in found.budget.simulations]
    rows = []
    for agent in SWEPT:
        cells = [percent(met.share()) for met in found.swept[agent].values()]
        rows.append([AGENTS[agent][0], *cells, crossing_text(found, agent)])
    return Table(
        "Games won against three Monte Carlo players, by their simulations a card",
        ["agent", *numbers, "simulations at which 25% are won"],
        rows,
        f"{found.budget.deals:,} deals, the same for all; between numbers of simulations a straight line on their log scale, its "
        f"range from 95 of 100 samples of the same {'trainings' if found.trials > 1 else 'deals'}.",
    )


def crossing_text(found: Measured, agent: str) -> str:
    least, most = found.budget.simulations[0], found.budget.simulations[-1]

    def text(value: float) -> str:
        if value == 0:
            return f"fewer than {least:,}"
        return f"{value:,.0f}" if np.isfinite(value) else f"more than {most:,}"

    told = found.crossing(agent)
    words = [text(value) for value in (told.value, told.low, told.high)]
    return words[0] if words[0] == words[1] == words[2] else f"{words[0]} ({words[1]} to {words[2]})"


# Defence.


def defence_table(found: Measured) -> Table:
    titles = {"on": "defence on", "off": "defence off", "always": "always on until two have points"}
    rows = []
    for word, (won, score, moons) in published.DEFENCE.items():
        rows.append([f"{titles[word]}, published", f"{won:.1%}", points(score), str(moons), "", "", ""])
    for word, met in found.defence.items():
        rows.append([titles[word], percent(met.share()), met.mean().text()])
        rows[-1] += [met.mean("against", "games", THOUSAND).text(0), met.mean("against", "rounds", THOUSAND).text(1)]
        rows[-1] += [met.mean("defended", "rounds").text(), met.mean("rounds", "games").text(1)]
    off = found.defence["off"]
    for word in ("on", "always"):
        rows.append([f"{titles[word]}, less off", *_less(found.defence[word], off), "", ""])
    return Table(
        "Table 5.3: one agent against three of itself that do not defend",
        [
            "",
            "won",
            "points a round",
            "opponents' moons in 1,000 games",
            "in 1,000 rounds",
            "defending cards a round",
            "rounds a game",
        ],
        rows,
        f"{found.budget.defence_deals:,} deals, the same for all, in four seatings; games to 100 points. The study's figures fit "
        f"about two rounds a game, so neither 50 nor 100 points: compare moons by rounds. Differences are of pairs; {over(found)}.",
    )


def _less(met: Met, other: Met) -> list[str]:
    won = met.over(other, "won", "games", 100).text(1)
    moons = [met.over(other, "against", below, THOUSAND).text(1) for below in ("games", "rounds")]
    return [won, met.over(other, "score", "rounds").text(), *moons]


# Rewards, exploration, readings.


def variants_table(found: Measured) -> Table:
    base, rows = found.variants[BASE], []
    for name, (title, _) in VARIANTS.items():
        met = found.variants[name]
        rows.append([title, percent(met.share()), met.mean().text()])
        rows[-1] += ["", ""] if name == BASE else [
            met.over(base, "won", "games", 100).text(1),
            met.over(base, "score", "rounds").text(),
        ]  # fmt: skip
    return Table(
        "Tables 4.1 and 4.2 and exploration: short trainings of play",
        ["", "won", "points a round", "won more than the first, of 100", "points more than the first"],
        rows,
        f"{_short(found)} without passing and moons, then against three rule-based players over "
        f"{found.budget.compared_deals:,} deals. The study: the first is the best of its table; figures are not told.",
    )


def readings_table(found: Measured) -> Table:
    rows = [
        [
            title,
            percent(met.share("tried", "rounds")),
            percent(met.share("made", "tried")),
            percent(met.share("moons", "rounds"), 2),
        ]
        for title, met in ((READINGS[name], found.readings[name]) for name in READINGS)
    ]
    return Table(
        "Equation 43's two readings: short trainings of moon play",
        ["immediate reward of moon play", "rounds with an attempt", "attempts that succeed", "moons, of rounds"],
        rows,
        f"{_short(found)} each of play, pass, the first decision and moon play, then against three rule-based players without "
        "passing, trying wherever the decision says at least 0.5.",
    )


def _short(found: Measured) -> str:
    return f"{found.budget.compared_trials} trainings of {found.budget.compared:,} games"


# People.


def people_table(found: Measured) -> Table:
    beside = "with +plain, +undefended or +always behind it for those of the other tables"
    table = people(found.people)
    return replace(table, caption=f"{table.caption} The agents of this study are {found.run.folder}, {beside}.")


def people(records: list[Record]) -> Table:
    """The study's games of people, and one's own beside them."""
    rows = []
    for number, (title, human, agents, moons) in published.PEOPLE.items():
        told = [f"{side[0]:.0%}" if side[1] is None else f"{side[0]:.0%}, {side[1]:.2f}" for side in (human, agents)]
        rows.append([f"{number}: {title}", "2,000", *told, moons])
    rows += [own_row(record) for record in records]
    if not records:
        rows.append(["your own", "none yet", "", "", ""])
    return Table(
        "Tables 5.1, 5.2 and 5.4: one person against three agents",
        ["agents", "games", "person: won, points a round", "agents: won, points a round", "person's moons"],
        rows,
        "Published, and games that you have finished yourself: play more with `sparring play hearts`; they are read from the "
        "results store of the runs' folder.",
    )


def own_row(record: Record) -> list[str]:
    """One's own games against some opponents; of games under older rules only wins are known."""
    against, told = " and ".join(dict.fromkeys(record.against)), record.measures
    points = f", {told['points_per_round'].text()}" if told else ""
    moons = f"{percent(told['moons'])} of rounds" if told else ""
    title = f"your own, {record.game}, against {against}"
    return [title, str(record.games), percent(record.win_rate, 0) + points, "", moons]


# Cost.


def cost_table(found: Measured) -> Table:
    rows = []
    for stage, games in found.budget.games.items():
        seconds = found.seconds[stage]
        told = ["", ""] if seconds is None else [f"{seconds:,.1f}", f"{games / max(seconds, 1e-9):,.0f}"]
        rows.append([found.training.curriculum.stages[stage].title, f"{games:,}", *told])
    known = [each for each in found.seconds.values() if each is not None]
    rows.append(["all", f"{sum(found.budget.games.values()):,}", f"{sum(known):,.1f}", ""])
    return Table(
        "What each stage took",
        ["stage", "games", "core seconds of a training", "games a second"],
        rows,
        "Seconds of one core, without the games that the curves are measured by.",
    )
