"""The tables of the study's first four cases, published figures beside ours, and of their variants."""

from functools import partial

import numpy as np

from sparring.studies import Table, make_table
from sparring.studies.conquest.cases import DECODING, ENCODING
from sparring.studies.conquest.draws import median_text, quantile_cells, spread_text
from sparring.studies.conquest.measured import Measured, Trained
from sparring.studies.conquest.published import CASES, KINDS, MEASURES, Case
from sparring.studies.formats import percent, rate_text, share_text
from sparring.studies.study import Sections
from sparring.studies.verdicts import difference

CASES_SECTION, BANDS_SECTION, SETTINGS_SECTION = "Cases 1 to 4", "The author's curves", "Other settings"
conquest_table = partial(make_table, "conquest")


def case_tables(found: Measured) -> Sections:
    """The tables by section."""
    return {
        CASES_SECTION: [best_table(found), network_table(found)],
        BANDS_SECTION: [bands_table(found)],
        SETTINGS_SECTION: [settings_table(found), *(codes_table(found, case) for case in found.budget.compared)],
    }


def best_table(found: Measured) -> Table:
    rows = [
        [case.title, f"{found.budget.generations(number)} of {case.generations}", f"{case.printed} ({case.exact:.2f})"]
        + quantile_cells(found.of(number).fitness, case.exact)
        for number, case in CASES.items()
    ]
    return conquest_table("best", rows, found=found)


def network_table(found: Measured) -> Table:
    rows = [[case.title, *row] for number, case in CASES.items() for row in network_rows(case, found.of(number))]
    return conquest_table("networks", rows)


def network_rows(case: Case, trained: Trained) -> list[list[str]]:
    """What is reported of the best networks of a case."""
    games, rows = trained.games, []
    for rank, words in enumerate(("best", "second", "third")):
        won = np.where(games["won"][:, rank] > 0, 1.0, np.nan)
        for name, theirs in (("rounds", case.rounds), ("tiles", case.tiles)):
            count = f", won {int(np.nansum(won))} of {len(won)}" if name == "rounds" else ""
            if theirs:
                rows.append(
                    [f"{name}, {words}{count}", f"{theirs[rank]:,}", spread_text(won * games[name][:, rank]), "", ""]
                )
    for kind, number in zip((*KINDS, "guided"), (*case.moves, case.guided), strict=True):
        shares = share_text(games[kind][:, 0] / np.maximum(games["moves"][:, 0], 1))
        published = ["", ""] if number < 0 else [f"{number:,}", percent(number / case.rounds[0])]
        rows.append([kind, published[0], spread_text(games[kind][:, 0]), published[1], shares])
    sizes = {"hidden nodes": ("hidden", case.hidden), "connections, enabled": ("enabled", case.connections)}
    rows += [[words, str(size), spread_text(games[name][:, 0]), "", ""] for words, (name, size) in sizes.items()]
    reached = trained.curves["population.best.fitness"].argmax(axis=1) + 1.0
    return [*rows, ["its generation", "", spread_text(reached), "", ""]]


def bands_table(found: Measured) -> Table:
    rows = []
    for case, bands in found.bands.items():
        for side in dict.fromkeys(side for side, _ in bands):
            cells = dict.fromkeys(MEASURES, "not recorded")
            for name in (name for which, name in bands if which == side):
                band = bands[side, name]
                distance = f"{band.apart:.1f}, ours up to {band.usual.high:.1f}"
                cells[name] = f"{int(band.inside.sum())} of {len(band.inside)} ({distance})"
            rows.append([f"case {case}, {side}", *cells.values()])
    return conquest_table("bands", rows, MEASURES, found=found)


def settings_table(found: Measured) -> Table:
    rows = []
    for (number, kind, setting), trained in found.trained.items():
        if kind == "codes":
            continue
        case, study, won = CASES[number], found.of(number), trained.games["won"][:, 0]
        options = trained.run.experiment.options
        words = {"study": "the author's reading", "text": "the text's reading", "fitness": f"fitness {setting}"}.get(
            kind, f"ours: {options.encoding}, {options.policy}, {options.generations} generations of {options.pop_size}"
        )
        other = [median_text(trained.judged), rate_text(trained.unseen["won"])] if trained.unseen else ["", ""]
        rows.append(
            [case.title, words, str(len(won)), median_text(trained.fitness)]
            + ["" if trained is study else difference(trained.fitness, study.fitness).text(1), rate_text(won, 0)]
            + [spread_text(np.where(won > 0, trained.games["rounds"][:, 0], np.nan)), *other]
            + [f"{case.aim:g}" if kind == "better" else "", f"{trained.seconds or np.nan:.1f}"]
        )
    return conquest_table("settings", rows, found=found)


def codes_table(found: Measured, case: int) -> Table:
    trained = found.settings(case, "codes")
    study, rows = trained[f"{ENCODING} and {DECODING}"], []
    for name, each in trained.items():
        gap = "" if each is study else difference(each.judged, study.judged, comparisons=len(trained) - 1).text(1)
        rows.append([name, median_text(each.fitness), median_text(each.judged), gap])
    return conquest_table(
        "codes",
        rows,
        found=found,
        title=CASES[case].title.capitalize(),
        trials=study.variant.trials,
        others=len(trained) - 1,
    )
