"""The hearts study's tables, published results beside ours: curves, decisions, agents, defence, variants, people, cost."""

from dataclasses import replace

import numpy as np

from sparring.arena.statistics import Interval
from sparring.lab.person_record import Record
from sparring.studies import Table, columns
from sparring.studies.hearts import published
from sparring.studies.hearts.measured import AGENTS, SWEPT, Curve, Measured
from sparring.studies.hearts.published import FIGURES
from sparring.studies.hearts.rates import Counts
from sparring.studies.hearts.settings import BASE, READINGS, RULE_BASED, VARIANTS, monte_carlo, opponents
from sparring.studies.hearts.study_runs import LAST
from sparring.studies.study import Sections

CURVES_SECTION, AGENTS_SECTION, DEFENCE_SECTION = "Learning", "Agents", "Defence"
COMPARED_SECTION, PEOPLE_SECTION, COST_SECTION = "Rewards and exploration", "People", "Cost"
REPLAY_SECTION = "A round of the whole agent"
THOUSAND = 1000
ITSELF = "itself undefended"
WORDS = {  # published, against rule-based and against Monte Carlo players
    "play": ("way better", "slightly better"),
    "pass": ("an equal level", "an equal level"),
    "tune": ("around 2 points better", "around 2 points better"),
    "moon-play": ("very poor opponents", "beaten"),
}
DEFENCES = {"on": "defence on", "off": "defence off", "always": "always on until two have points"}


def all_tables(found: Measured) -> Sections:
    """The tables by section."""
    return {
        CURVES_SECTION: [curves_table(found), decisions_table(found)],
        AGENTS_SECTION: [agents_table(found), moon_table(found), sweep_table(found)],
        DEFENCE_SECTION: [defence_table(found)],
        COMPARED_SECTION: [variants_table(found), readings_table(found)],
        PEOPLE_SECTION: [people_table(found)],
        COST_SECTION: [cost_table(found)],
        REPLAY_SECTION: [],
    }


def percent(interval: Interval, digits: int = 1) -> str:
    """A share with its interval; "none" if it is unknown."""
    return interval.text(digits, percent=True) if np.isfinite(interval.value) else "none"


def over(found: Measured) -> str:
    """What the intervals are over."""
    if found.trials > 1:
        return f"means over {found.trials} trainings with 95% intervals over them"
    return "one training: 95% intervals are over deals and say nothing about other trainings"


# Learning.


def stage_opponents(found: Measured, stage: str) -> list[str]:
    """The opponents of a stage's curves."""
    return [ITSELF] if stage == LAST else list(opponents(found.budget).values())


def curves_table(found: Measured) -> Table:
    rows = []
    for stage, figure in FIGURES.items():
        for number, words, opponent in zip(figure.numbers, figure.words, stage_opponents(found, stage), strict=True):
            won, score, moons = stage_curves(found, stage, opponent)
            count, means = len(won.games), won.values.mean(axis=0)
            rows.append(
                [f"{number} {figure.title}", opponent, words, f"{won.games[-1]:,}"]
                + [f"{means[at]:.1%}" for at in (0, (count - 1) // 2, count - 1)]
                + [f"{value:.2f}" for value in (*score.values.mean(axis=0)[[0, -1]], moons.values[:, -1].mean())]
            )
    return Table(
        "Figures 5.1 to 5.13: learning curves",
        columns("figure, stage | against three | published | games | won at first | at half | at the end")
        + columns("points per round at first | at the end | moons in 1,000 rounds"),
        rows,
        f"Each point is {found.budget.point:,} games to 100 points under the rules of its stage, every {found.budget.every:,} "
        f"games of training; means over {found.trials} training{'s' * (found.trials > 1)}, bands in the report. Training games "
        "have four rounds. Even: 25%, and 6.5 points per round where moons do not count; nobody wins a game with several best "
        "scores. Moons: the player's, in Figure 5.13 the opponents'.",
    )


def stage_curves(found: Measured, stage: str, opponent: str) -> tuple[Curve, Curve, Curve]:
    """Games won, points per round, moons in a thousand rounds."""
    if stage == LAST:
        won, score = found.defending("won", "games"), found.defending("score", "rounds")
        return won, score, found.defending("against", "rounds", THOUSAND)
    setting = opponent.replace("@", "-")
    won, score, moons = (
        found.curve(stage, f"{setting}.player.{name}") for name in ("won", "points_per_round", "moons")
    )
    return won, score, Curve(moons.games, THOUSAND * moons.values)


def decisions_table(found: Measured) -> Table:
    rows = []
    for stage, decision in found.decisions().items():
        theirs = f"{published.ACCURACY[stage]:.0%}" if stage in published.ACCURACY else ""
        yes = decision.yes
        known = ["", ""] if yes is None else [percent(yes, 2), f"{max(yes.value, 1 - yes.value):.1%}"]
        title = found.training.curriculum.stages[stage].title
        rows.append([title, theirs, percent(decision.right), "50%", *known])
    return Table(
        "Decisions: how often they are right",
        columns("decision | published | ours, as many yes as no | always the same answer | yes among all")
        + ["always no, of all"],
        rows,
        "In games not used for training, at the end of the stage. The study's accuracies are from data in which half of the rounds "
        "have a moon, so that one hand in eight is a yes: always answering no is right in 87.5% of those.",
    )


# Agents.


def agents_table(found: Measured) -> Table:
    rows = []
    for agent, (title, _, _) in AGENTS.items():
        for words, (opponent, counts) in zip(WORDS.get(agent, ("", "")), found.agents[agent].items(), strict=True):
            rows.append(
                [title, opponent, words, percent(counts.share()), counts.mean().text()]
                + [counts.lead().text(), percent(counts.share("moons", "rounds"), 2)]
            )
    return Table(
        "Agents against three rule-based and three Monte Carlo players",
        columns("agent | against three | published | won | points per round | lead in points | moons, of rounds"),
        rows,
        f"{found.budget.deals:,} deals not used in training, each in four seatings, to 100 points; {over(found)}. The study does "
        "not give the number of simulations of its Monte Carlo player.",
    )


def moon_table(found: Measured) -> Table:
    rows = [
        [
            opponent,
            "over 50%; people: 30%" if opponent != RULE_BASED else "",
            percent(counts.share("tried", "rounds"), 2),
        ]
        + [percent(counts.share("made", "tried")), f"{int(counts.sums['tried'].sum()):,}"]
        for opponent, counts in found.agents["moon"].items()
    ]
    return Table(
        "Moons: attempts that succeed",
        columns("against three | published | rounds with an attempt | attempts that succeed | attempts"),
        rows,
        f"The agent with the moon and without defence; {over(found)}.",
    )


def sweep_table(found: Measured) -> Table:
    rows = []
    for agent in SWEPT:
        cells = [percent(counts.share()) for counts in found.swept[agent].values()]
        rows.append([AGENTS[agent][0], *cells, crossing_text(found, agent)])
    return Table(
        "Games won against three Monte Carlo players, by their simulations per card",
        ["agent", *map(monte_carlo, found.budget.simulations), "simulations at which 25% are won"],
        rows,
        f"{found.budget.deals:,} deals, the same for all; linear interpolation on the log scale of simulations; the range contains "
        f"95 of 100 samples of the same {'trainings' if found.trials > 1 else 'deals'}.",
    )


def crossing_text(found: Measured, agent: str) -> str:
    least, most = found.budget.simulations[0], found.budget.simulations[-1]

    def text(value: float) -> str:
        if value == 0:
            return f"fewer than {least:,}"
        return f"{value:,.0f}" if np.isfinite(value) else f"more than {most:,}"

    crossing = found.crossing(agent)
    value, low, high = (text(each) for each in (crossing.value, crossing.low, crossing.high))
    return value if value == low == high else f"{value} ({low} to {high})"


# Defence.


def defence_table(found: Measured) -> Table:
    rows = [
        [f"{DEFENCES[word]}, published", f"{won:.1%}", f"{score:.2f}", str(moons), "", "", ""]
        for word, (won, score, moons) in published.DEFENCE.items()
    ]
    for word, counts in found.defence.items():
        rows.append(
            [DEFENCES[word], percent(counts.share()), counts.mean().text()]
            + [counts.mean("against", "games", THOUSAND).text(0), counts.mean("against", "rounds", THOUSAND).text(1)]
            + [counts.mean("defended", "rounds").text(), counts.mean("rounds", "games").text(1)]
        )
    for word in ("on", "always"):
        rows.append([f"{DEFENCES[word]}, minus off", *_minus(found.defence[word], found.defence["off"]), "", ""])
    return Table(
        "Table 5.3: one agent against three of itself that do not defend",
        columns("| won | points per round | opponents' moons in 1,000 games | in 1,000 rounds")
        + columns("defending cards per round | rounds per game"),
        rows,
        f"{found.budget.defence_deals:,} deals, the same for all, in four seatings; games to 100 points. The study's figures imply "
        "about two rounds per game, so games to neither 50 nor 100 points: compare moons by rounds. Differences are paired; "
        f"{over(found)}.",
    )


def _minus(counts: Counts, other: Counts) -> list[str]:
    won = counts.over(other, "won", "games", 100).text(1)
    moons = [counts.over(other, "against", below, THOUSAND).text(1) for below in ("games", "rounds")]
    return [won, counts.over(other, "score", "rounds").text(), *moons]


# Rewards, exploration, readings.


def variants_table(found: Measured) -> Table:
    base, rows = found.variants[BASE], []
    for name, (title, _) in VARIANTS.items():
        counts = found.variants[name]
        more = [counts.over(base, "won", "games", 100).text(1), counts.over(base, "score", "rounds").text()]
        rows.append([title, percent(counts.share()), counts.mean().text(), *(["", ""] if name == BASE else more)])
    return Table(
        "Tables 4.1 and 4.2 and exploration: short trainings of play",
        columns("| won | points per round | won more than the first, of 100 | points more than the first"),
        rows,
        f"{_short(found)} without passing and moons, then against three rule-based players over "
        f"{found.budget.compared_deals:,} deals. The study: the first is the best of its table, without figures.",
    )


def readings_table(found: Measured) -> Table:
    rows = []
    for name, title in READINGS.items():
        tried, made, moons = (
            found.readings[name].share(*ratio)
            for ratio in (("tried", "rounds"), ("made", "tried"), ("moons", "rounds"))
        )
        rows.append([title, percent(tried), percent(made), percent(moons, 2)])
    return Table(
        "Equation 43's two readings: short trainings of moon play",
        columns("immediate reward of moon play | rounds with an attempt | attempts that succeed | moons, of rounds"),
        rows,
        f"{_short(found)} each of play, pass, the first decision and moon play, then against three rule-based players without "
        "passing, attempting whenever the decision is at least 0.5.",
    )


def _short(found: Measured) -> str:
    return f"{found.budget.compared_trials} trainings of {found.budget.compared:,} games"


# People.


def people_table(found: Measured) -> Table:
    table = people(found.people)
    agents = (
        f"The agents of this study are {found.run.folder}; append +plain, +undefended or +always for the other tables"
    )
    return replace(table, caption=f"{table.caption} {agents}.")


def people(records: list[Record]) -> Table:
    """The study's games of people, and a person's own games."""
    rows = []
    for number, (title, human, agents, moons) in published.PEOPLE.items():
        sides = [f"{won:.0%}" if points is None else f"{won:.0%}, {points:.2f}" for won, points in (human, agents)]
        rows.append([f"{number}: {title}", "2,000", *sides, moons])
    rows += [own_row(record) for record in records] or [["your own", "none yet", "", "", ""]]
    return Table(
        "Tables 5.1, 5.2 and 5.4: one person against three agents",
        columns("agents | games | person: won, points per round | agents: won, points per round | person's moons"),
        rows,
        "Published, and your own finished games: play more with `sparring play hearts`. They are read from the results store of "
        "the runs folder.",
    )


def own_row(record: Record) -> list[str]:
    """A person's games against some opponents; games under older rules have wins only."""
    against, measures = " and ".join(dict.fromkeys(record.against)), record.measures
    points = f", {measures['points_per_round'].text()}" if measures else ""
    moons = f"{percent(measures['moons'])} of rounds" if measures else ""
    title = f"your own, {record.game}, against {against}"
    return [title, str(record.games), percent(record.win_rate, 0) + points, "", moons]


# Cost.


def cost_table(found: Measured) -> Table:
    rows = []
    for stage, games in found.budget.games.items():
        seconds = found.seconds[stage]
        cells = ["", ""] if seconds is None else [f"{seconds:,.1f}", f"{games / max(seconds, 1e-9):,.0f}"]
        rows.append([found.training.curriculum.stages[stage].title, f"{games:,}", *cells])
    known = [each for each in found.seconds.values() if each is not None]
    rows.append(["all", f"{sum(found.budget.games.values()):,}", f"{sum(known):,.1f}", ""])
    return Table(
        "Cost of each stage",
        columns("stage | games | core seconds per training | games per second"),
        rows,
        "Seconds on one core, without the games of the curves.",
    )
