"""The tables of the study's first four cases, published figures beside ours, and of our own settings."""

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.studies import Table, columns
from sparring.studies.conquest.cases import settings_words
from sparring.studies.conquest.draws import count_below, median_interval, place_text, quantiles, spread_text
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import CASES, GENOMES, KINDS, POPULATION, REQUIRED
from sparring.studies.formats import percent, rate_text, share_text
from sparring.studies.study import Sections
from sparring.studies.verdicts import verdict

CASES_SECTION, UNSEEN_SECTION = "Cases 1 to 4", "Case 4 on other deals"
BETTER_SECTION, COMPARED_SECTION = "Our own settings", "Encodings and decodings"
RANK_WORDS = ("best", "second", "third")
QUANTILES = "least | lower quartile | median | upper quartile | greatest | ours below it | the published one lies"


def case_tables(found: Measured) -> Sections:
    """The tables by section."""
    compared = [(number, False) for number in found.budget.compared]
    if 4 in found.budget.compared:
        compared.insert(compared.index((4, False)) + 1, (4, True))
    return {
        CASES_SECTION: [fitness_table(found), rounds_table(found), moves_table(found), size_table(found)],
        UNSEEN_SECTION: [unseen_table(found)],
        BETTER_SECTION: [better_table(found)],
        COMPARED_SECTION: [compared_table(found, number, unseen) for number, unseen in compared],
    }


def median_text(trials: np.ndarray) -> str:
    return median_interval(trials).text(1)


def fitness_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        fitness, generations = found.cases[number].fitness, found.budget.generations(number)
        ours = quantiles(fitness)
        rows.append(
            [case.title, f"{generations} of {case.generations}", f"{case.printed} ({case.exact:.2f})"]
            + [f"{ours.low:.1f}", f"{ours.lower:.1f}", median_text(fitness), f"{ours.upper:.1f}", f"{ours.high:.1f}"]
            + [f"{count_below(fitness, case.exact)} of {len(fitness)}", place_text(fitness, case.exact)]
        )
    return Table(
        "Fitness of the best network",
        columns(f"case | generations | published | {QUANTILES}"),
        rows,
        f"{found.trials} trials with the study's settings. Published: as printed, and by the study's formulas. Medians with 95% "
        "intervals by order statistics.",
    )


def rounds_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        games = found.games[number]
        for rank, words in enumerate(RANK_WORDS):
            won = games["won"][:, rank] > 0
            tiles = case.tiles[rank] if case.tiles else {1: 36}.get(number)
            ours = [spread_text(np.where(won, games[name][:, rank], np.nan)) for name in ("rounds", "tiles")]
            trials = int(np.isfinite(games["won"][:, rank]).sum())
            rows.append(
                [case.title, words, f"{case.rounds[rank]:,}", ours[0], f"{int(won.sum())} of {trials}"]
                + [str(tiles or ""), ours[1]]
            )
    return Table(
        "Rounds until blue wins",
        columns("case | network | published | ours | won | tiles then, published | ours"),
        rows,
        "Median and range over the trials that blue won. Second and third: the last generation's next best of other fitness.",
    )


def moves_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        games, total = {name: values[:, 0] for name, values in found.games[number].items()}, case.rounds[0]
        for kind, count in zip((*KINDS, "guided"), (*case.moves, case.guided), strict=True):
            theirs = ["", ""] if count is None else [f"{count:,} of {total:,}", percent(count / total)]
            shares = games[kind] / np.maximum(games["moves"], 1)
            rows.append([case.title, kind, *theirs, spread_text(games[kind]), share_text(shares)])
    return Table(
        "Moves of the best network",
        columns("case | moves | published | share | ours | share"),
        rows,
        "Counts: median and range over trials. Shares of all its moves: mean over trials with its 95% interval.",
    )


def size_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        hidden, enabled, every = (
            spread_text(found.games[number][name][:, 0]) for name in ("hidden", "enabled", "connections")
        )
        born = f"about {GENOMES[number] // POPULATION + 1}" if number in GENOMES else ""
        reached = found.cases[number].curves[1]["population.best.fitness"].argmax(axis=1) + 1.0
        rows.append(
            [case.title, str(case.hidden), hidden, str(case.connections), enabled, every, born, spread_text(reached)]
        )
    return Table(
        "Size of the best network, and its generation",
        columns("case | hidden nodes, published | ours | connections, published | ours, enabled | ours, all")
        + columns("its generation, by its id | ours"),
        rows,
        "Median and range over trials. Figures print the best network's id in two cases; a generation has about "
        f"{POPULATION} new ones.",
    )


def unseen_table(found: Measured) -> Table:
    trained = found.cases[4]
    unseen = trained.unseen["fitness"]
    kinds = (
        ("the deal of training", f"{CASES[4].printed}", trained.fitness, rate_text(found.games[4]["won"][:, 0])),
        ("other deals", "", unseen, rate_text(trained.unseen["won"])),
        ("lost", "", trained.fitness - unseen, ""),
    )
    rows = [
        [words, theirs, mean_interval(fitness).text(1), median_text(fitness), won]
        for words, theirs, fitness, won in kinds
    ]
    return Table(
        "Champions of case 4 against a red that answers differently",
        columns("| published | mean fitness | median fitness | won"),
        rows,
        f"{found.trials} champions as blue, each on {found.budget.deals} deals used for nothing else. A deal decides how red "
        "answers each state; the study trained and judged on one.",
    )


def better_table(found: Measured) -> Table:
    rows, verdicts = [], []
    for number, case in CASES.items():
        ours, study = found.better[number], found.cases[number]
        interval, seconds = median_interval(ours.judged), ours.seconds
        times = ["", ""] if seconds is None else [f"{seconds:,.1f}", f"{seconds * len(ours.judged) / 120:,.1f}"]
        verdicts.append(verdict(interval, above=REQUIRED[number]))
        rows.append(
            [case.title + (", other deals" if number == 4 else ""), settings_words(vars(ours.run.experiment.options))]
            + [f"{case.printed}", median_text(study.judged), f"{REQUIRED[number]:g}", interval.text(1)]
            + [f"{ours.judged.min():.1f} to {ours.judged.max():.1f}", *times, verdicts[-1]]
        )
    return Table(
        "Better settings",
        columns("case | settings | published | median, study's settings | required | median, these settings | range")
        + columns("seconds per trial | minutes in all | verdict"),
        rows,
        f"{found.trials} trials. Seconds on one core; minutes on two cores for all trials. Supported: the whole 95% interval of "
        "the median lies above the required value.",
        verdicts,
    )


def compared_table(found: Measured, case: int, unseen: bool) -> Table:
    rows, budget = [], found.budget
    for encoding in found.encodings:
        trained = [found.compared[case, encoding, policy] for policy in found.decodings]
        rows.append([encoding, *(median_text(each.judged if unseen else each.fitness) for each in trained)])
    return Table(
        f"{CASES[case].title.capitalize()}{', on other deals' if unseen else ''}: median fitness by encoding and decoding",
        ["encoding", *found.decodings],
        rows,
        f"{budget.compared_trials} trials of {budget.compared_generations} generations of {budget.compared_population} each; 95% "
        "intervals by order statistics, from six trials on. shares and net are the study's.",
    )
