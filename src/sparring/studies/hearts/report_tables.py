"""The hearts study's tables, published results beside ours; tables.toml has their titles, columns and captions."""

import numpy as np

from sparring.arena.statistics import Interval
from sparring.lab.person_record import Record
from sparring.studies import Table, columns, read_data
from sparring.studies.hearts import settings
from sparring.studies.hearts.measured import Curve, Measured
from sparring.studies.hearts.rates import Counts
from sparring.studies.hearts.settings import FIGURES, LAST, PUBLISHED, RULE_BASED, UCT
from sparring.studies.study import Sections

TABLES = read_data("hearts", "tables")
CURVES_SECTION, AGENTS_SECTION, REPLAY_SECTION = "Learning", "Agents", "A round of the whole agent"
WORDS = {  # published, against rule-based and against Monte Carlo players
    "play": ("way better", "slightly better"),
    "pass": ("an equal level", "an equal level"),
    "tune": ("around 2 points better", "around 2 points better"),
    "moon-play": ("very poor opponents", "beaten"),
}


def all_tables(found: Measured) -> Sections:
    """The tables by section."""
    theirs = [[f"defence {word}, published", f"{won:.1%}", f"{score:.2f}", str(moons), "", "", ""]
              for word, (won, score, moons) in PUBLISHED["defence"].items()]  # fmt: skip
    cost = [[name, "" if seconds is None else f"{seconds:,.0f}"] for name, seconds in found.seconds.items()]
    rows = {
        "curves": curve_rows(found), "decisions": decision_rows(found), "agents": agent_rows(found), "sweep": sweep_rows(found),
        "defence": theirs, "variants": variant_rows(found), "cost": cost,
    }  # fmt: skip
    made = {name: made_table(found, name, rows.get(name, [])) for name in TABLES if name != "people"}
    simulations = [f"monte-carlo@{n}" for n in settings.SIMULATIONS]
    made["sweep"].header.extend([*simulations, "simulations at which 25% are won"])
    return {
        CURVES_SECTION: [made["curves"], made["decisions"]],
        AGENTS_SECTION: [made[name] for name in ("agents", "built-in", "moons", "rare", "sweep")],
        "Defence": [made["defence"], made["alert"], made["views"]],
        "Rewards, returns and exploration": [made[name] for name in ("variants", "readings", "wholes")],
        "People": [people(found.people), made["person"], made["recorded"]],
        "The champion": [made["champion"]],
        "Cost": [made["cost"]],
        REPLAY_SECTION: [],
    }


def made_table(found: Measured, name: str, rows: list[list[str]]) -> Table:
    """A table by its name in tables.toml: these rows, then those of its matches."""
    spec = TABLES[name]
    matches = [row_of(title, found.matches[match], *spec["parts"]) for title, match in spec.get("rows", ())]
    several = f"means over {found.trials} trainings with 95% intervals over them"
    one = "one training: 95% intervals are over deals and say nothing about other trainings"
    caption = spec["caption"].format(
        budget=found.budget, over=several if found.trials > 1 else one, whole=sum(found.budget.whole.values()),
        short=f"{found.budget.compared_trials} trainings of {found.budget.compared:,} games",
        special=f"{found.budget.special_trials} trainings of {found.budget.compared:,} games per stage",
        recorded=f"{found.budget.recorded_trials} trainings of {found.budget.compared:,} games per stage",
    )  # fmt: skip
    return Table(spec["title"], columns(spec["columns"]), rows + matches, caption)


def percent(interval: Interval, digits: int = 1) -> str:
    """A share with its interval; "none" if it is unknown."""
    return interval.text(digits, percent=True) if np.isfinite(interval.value) else "none"


PARTS = {
    "lead": lambda counts: counts.lead().text(),
    "moons": lambda counts: percent(counts.share("moons", "rounds"), 2),
    "against": lambda counts: percent(counts.share("against", "rounds"), 2),
    "tried": lambda counts: percent(counts.share("tried", "rounds"), 2),
    "made": lambda counts: percent(counts.share("made", "tried")),
    "against-games": lambda counts: counts.mean("against", "games", 1000).text(0),
    "against-1000": lambda counts: counts.mean("against", "rounds", 1000).text(1),
    "defended": lambda counts: counts.mean("defended", "rounds").text(),
    "rounds": lambda counts: counts.mean("rounds", "games").text(1),
}


def row_of(title: str, counts: Counts, *parts: str) -> list[str]:
    """A row of a match: its title, the games won, points per round, and what else is named."""
    return [title, percent(counts.share()), counts.mean().text(), *(PARTS[part](counts) for part in parts)]


def curve_rows(found: Measured) -> list[list[str]]:
    rows = []
    for stage, (numbers, title, *words) in FIGURES.items():
        for number, said, opponent in zip(numbers, words, settings.curve_opponents(stage), strict=True):
            won, score, moons = stage_curves(found, stage, opponent)
            count, means = len(won.games), won.values.mean(axis=0)
            rows.append(
                [f"{number} {title}", opponent, said, f"{won.games[-1]:,}"]
                + [f"{means[at]:.1%}" for at in (0, (count - 1) // 2, count - 1)]
                + [f"{value:.2f}" for value in (*score.values.mean(axis=0)[[0, -1]], moons.values[:, -1].mean())]
            )
    return rows


def stage_curves(found: Measured, stage: str, opponent: str) -> tuple[Curve, Curve, Curve]:
    """Games won, points per round, moons in a thousand rounds."""
    moons = "against" if stage == LAST else "moons"
    won, score = found.curve(stage, opponent), found.curve(stage, opponent, "score", "rounds")
    return won, score, found.curve(stage, opponent, moons, "rounds", 1000)


def decision_rows(found: Measured) -> list[list[str]]:
    stages, theirs = found.training.curriculum.stages, PUBLISHED["accuracy"]
    rows = [[stages[stage].title, f"{theirs[stage]:.0%}" if stage in theirs else "", percent(found.right(stage))]
            for stage in found.training.plan if stages[stage].decides]  # fmt: skip
    for name in ("all-hands", "defender", "shooter"):
        stage = next(iter(found.exams[name]))
        rows.append(
            [f"{stages[stage].title}, short: {settings.SPECIALS[name].title}", "", percent(found.right(stage, name))]
        )
    return rows


def agent_rows(found: Measured) -> list[list[str]]:
    rows = []
    for agent, (title, _, _) in settings.AGENTS.items():
        words = WORDS.get(agent, ("", ""))
        for said, opponent in zip((*words, words[1]), (RULE_BASED, UCT, settings.RULED), strict=True):
            row = row_of(title, found.matches[f"{agent} {opponent}"], "lead", "moons")
            rows.append([row[0], opponent, said, *row[1:]])
    return rows


def sweep_rows(found: Measured) -> list[list[str]]:
    rows = []
    for agent in settings.SWEPT:
        cells = [percent(counts.share()) for counts in found.swept(agent).values()]
        rows.append([settings.AGENTS[agent][0], *cells, crossing_text(found, agent)])
    return rows


def crossing_text(found: Measured, agent: str) -> str:
    least, *_, most = settings.SIMULATIONS

    def text(value: float) -> str:
        if value == 0:
            return f"fewer than {least:,}"
        return f"{value:,.0f}" if np.isfinite(value) else f"more than {most:,}"

    crossing = found.crossing(agent)
    value, low, high = text(crossing.value), text(crossing.low), text(crossing.high)
    return value if value == low == high else f"{value} ({low} to {high})"


def variant_rows(found: Measured) -> list[list[str]]:
    base, rows = found.matches[f"short {settings.BASE}"], []
    for name, (title, _) in settings.VARIANTS.items():
        counts = found.matches[f"short {name}"]
        more = [counts.over(base, "won", "games", 100).text(1), counts.over(base, "score", "rounds").text()]
        rows.append([*row_of(title, counts), *(["", ""] if name == settings.BASE else more)])
    return rows


def people(records: list[Record]) -> Table:
    """The study's games of people, and a person's own games."""
    rows = []
    for number, (title, won, points, theirs, taken, moons) in PUBLISHED["people"].items():
        rows.append(
            [
                f"{number}: {title}",
                "2,000",
                f"{won:.0%}, {points}".rstrip(", "),
                f"{theirs:.0%}, {taken}".rstrip(", "),
                moons,
            ]
        )
    rows += [own_row(record) for record in records] or [["your own", "none yet", "", "", ""]]
    return Table(TABLES["people"]["title"], columns(TABLES["people"]["columns"]), rows, TABLES["people"]["caption"])


def own_row(record: Record) -> list[str]:
    """A person's games against some opponents; games under older rules have wins only."""
    against, measures = " and ".join(dict.fromkeys(record.against)), record.measures
    points = f", {measures['points_per_round'].text()}" if measures else ""
    moons = f"{percent(measures['moons'])} of rounds" if measures else ""
    return [
        f"your own, {record.game}, against {against}",
        str(record.games),
        percent(record.win_rate, 0) + points,
        "",
        moons,
    ]
