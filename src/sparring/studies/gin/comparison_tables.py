"""The tables of the study's questions: evolution against TD, why evolution fails, and the further research."""

from collections.abc import Mapping
from functools import partial
from itertools import combinations

import numpy as np

from sparring.arena.statistics import Interval, mean_interval
from sparring.studies import Table, columns, make_table
from sparring.studies.formats import mean_text, rate_text
from sparring.studies.gin.claims import CLAIMS, lead
from sparring.studies.gin.matchups import Matchups
from sparring.studies.gin.measured import Duel, Measured, Variant
from sparring.studies.gin.published import EVO, TD, TOURNAMENT, TRAINING
from sparring.studies.gin.settings import FACTORS, GROUPS
from sparring.studies.study import Sections
from sparring.studies.verdicts import judge_all, texts

DUEL_SECTION, FACTORIAL_SECTION = "Evolution and temporal differences", "Why evolution fails here"
RESEARCH_SECTION, SEVEN_SECTION = "The study's further research", "The study's own seven players"
gin_table = partial(make_table, "gin", training=TRAINING, tournament=TOURNAMENT)


def comparison_tables(found: Measured) -> Sections:
    """The tables by section; none if only the study's own players were trained."""
    sections = {
        DUEL_SECTION: [duel_table(found)] if found.duels else [],
        FACTORIAL_SECTION: [effects_table(found), cells_table(found)] if found.factorial else [],
        RESEARCH_SECTION: [research_table(found)] if found.research else [],
        SEVEN_SECTION: [seven_table(found.seven)] if found.seven else [],
    }
    return {section: tables for section, tables in sections.items() if tables}


def duel_table(found: Measured) -> Table:
    return gin_table("duels", [duel_row(words, duel) for words, duel in found.duels.items()], found=found)


def duel_row(words: str, duel: Duel) -> list[str]:
    met = duel.matchups
    return (
        [words, *(f"{duel.games[kind]:,}" for kind in (EVO, TD)), *(f"{duel.seconds[kind]:,.1f}" for kind in (EVO, TD))]
        + [rate_text(each) for each in (met.won, met.lost, 1 - met.won - met.lost)]
        + [lead_text(met), *(mean_text(each, 1) for each in (met.score, met.conceded)), mean_text(met.turns)]
    )


def lead_text(matchups: Matchups | None) -> str:
    """A lead per hundred games; empty without games."""
    return "" if matchups is None else texts([lead(matchups.lead)], ".0p")


# The factorial.


def contrasts(cells: Mapping[str, np.ndarray]) -> dict[tuple[int, ...], Interval]:
    """The main effects of the factors and their interactions by two: the mean of the other level minus that of the text's.

    A cell is named by its levels and has one value per trial. All cells share the random numbers of a trial, so that every
    trial gives one value of each effect.
    """
    signs = np.array([[1 if level == "1" else -1 for level in name] for name in cells])
    values, factors = np.array(list(cells.values())), range(signs.shape[1])
    chosen = [*((factor,) for factor in factors), *combinations(factors, 2)]
    return {each: mean_interval(signs[:, each].prod(axis=1) @ values / (len(values) / 2)) for each in chosen}


def effects(found: Measured) -> dict[str, dict[tuple[int, ...], Interval]]:
    """The effects on each measure: on learning, on strength against TD, on the share of epochs in which the player moves."""
    cells = found.factorial.items()
    return {
        "lead over its first network": contrasts({name: 100 * cell.first.lead for name, cell in cells}),
        "lead over TD": contrasts({name: 100 * cell.other.lead for name, cell in cells if cell.other}),
        "moves per 100 epochs": contrasts({name: 100 * cell.moves for name, cell in cells if cell.moves is not None}),
    }


def effects_table(found: Measured) -> Table:
    by_measure, part = effects(found), found.budget.factorial
    assert part is not None
    rows = [["all as the text", "", "", *cell_texts(found.factorial["0" * len(FACTORS)]), ""]]
    for chosen in next(iter(by_measure.values())):
        factors = [FACTORS[i] for i in chosen]
        words = [" and ".join(factor["title"] for factor in factors), "", "together, beyond both"]
        if len(factors) == 1:
            words[1:] = factors[0]["text"], factors[0]["other"]
        found_effects = [each[chosen] for each in by_measure.values()]
        rows.append([*words, *(each.text(0) for each in found_effects), finding(found_effects[0])])
    return gin_table("effects", rows, [*by_measure, "learning"], part=part, cells=len(found.factorial))


def cell_texts(cell: Variant) -> list[str]:
    assert cell.moves is not None
    return [lead_text(cell.first), lead_text(cell.other), mean_text(100 * cell.moves)]


def cells_table(found: Measured) -> Table:
    rows = [[cell.setting.title, *cell_texts(cell), mean_text(cell.first.turns)] for cell in found.factorial.values()]
    return gin_table("cells", rows)


# Further research, and the study's own players.


def finding(shown: Interval) -> str:
    """What an interval of a difference shows."""
    return "better" if shown.low > 0 else "worse" if shown.high < 0 else "no difference shown"


def research_table(found: Measured) -> Table:
    part, rows = found.budget.research, []
    assert part is not None
    for group, settings in GROUPS.items():
        for variant in (found.research[name] for name in settings):
            leads = [lead_text(each) for each in (variant.first, variant.own, variant.other)]
            rows.append([group, variant.setting.title, *leads, mean_text(variant.first.turns)])
            rows[-1].append(finding(lead(variant.own.lead)) if variant.own else "")
    return gin_table("research", rows, found=found, part=part)


def seven_table(seven: Measured) -> Table:
    judged = [each for each in judge_all(CLAIMS, seven) if np.isfinite(each.ours.value)]  # others need other trainings
    return Table(
        "The claims by the study's own seven players",
        columns("claim | place | published | ours | verdict"),
        [[each.claim, each.place, each.published, each.text, each.verdict] for each in judged],
        f"Three evolved and four TD players of {seven.part.games[0]:,} and {seven.part.games[1]:,} games, at most "
        f"{seven.part.limit:,} turns per game, and RANDUMB. Intervals over players.",
        [each.verdict for each in judged],
    )
