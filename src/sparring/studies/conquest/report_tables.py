"""The tables of the study's first four cases, published figures beside ours; and of settings of our own."""

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies import Table
from sparring.studies.conquest.cases import settings_words
from sparring.studies.conquest.draws import below, median_interval, place_words, quantiles, spread_words
from sparring.studies.conquest.measured import Measured, Told
from sparring.studies.conquest.published import CASES, GENOMES, KINDS, POPULATION, REQUIRED, Case
from sparring.studies.verdicts import verdict

CASES_SECTION, UNSEEN_SECTION = "Cases 1 to 4", "Case 4 on other deals"
BETTER_SECTION, COMPARED_SECTION = "Settings of our own", "Encodings and decodings"
RANK_WORDS = ("best", "second", "third")


def case_tables(found: Measured) -> dict[str, list[Table]]:
    """By the section that they stand in."""
    return {
        CASES_SECTION: [fitness_table(found), rounds_table(found), moves_table(found), size_table(found)],
        UNSEEN_SECTION: [unseen_table(found)],
        BETTER_SECTION: [better_table(found)],
        COMPARED_SECTION: compared_tables(found),
    }


def share_words(interval: Interval) -> str:
    return interval.text(1, percent=True)


def fitness_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        fitness, generations = found.cases[number].fitness, found.budget.generations(number)
        told = quantiles(fitness)
        rows.append(
            [case.title, f"{generations} of {case.generations}", f"{case.printed} ({case.exact:.2f})"]
            + [f"{told.low:.1f}", f"{told.lower:.1f}", median_interval(fitness).text(1), f"{told.upper:.1f}"]
            + [f"{told.high:.1f}", f"{below(fitness, case.exact)} of {len(fitness)}", place_words(fitness, case.exact)]
        )
    return Table(
        "Fitness of the best network",
        ["case", "generations", "published", "least", "lower quartile", "median", "upper quartile", "greatest"]
        + ["ours below it", "the published one lies"],
        rows,
        f"{found.trials} trials, the study's settings. Published: as printed, and what the study's formulas give. Medians with "
        "95% intervals by order statistics.",
    )


def rounds_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        games = found.games[number]
        for rank, words in enumerate(RANK_WORDS):
            won = games["won"][:, rank] > 0
            rounds = np.where(won, games["rounds"][:, rank], np.nan)
            tiles = case.tiles[rank] if case.tiles else {1: 36}.get(number)
            rows.append(
                [case.title, words, f"{case.rounds[rank]:,}", spread_words(rounds)]
                + [f"{int(won.sum())} of {int(np.isfinite(games['won'][:, rank]).sum())}"]
                + [str(tiles or ""), spread_words(np.where(won, games["tiles"][:, rank], np.nan))]
            )
    return Table(
        "Rounds until blue has won",
        ["case", "network", "published", "ours", "won", "tiles then, published", "ours"],
        rows,
        "Median and range over the trials in which it won. Second and third: the last generation's next best of other fitness.",
    )


def moves_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        games = {name: values[:, 0] for name, values in found.games[number].items()}
        for kind, count in zip(KINDS, case.moves, strict=True):
            rows.append(_counted(case, kind, count, games))
        rows.append(_counted(case, "guided", case.guided, games))
    return Table(
        "Moves of the best network",
        ["case", "moves", "published", "share", "ours", "share"],
        rows,
        "Counts: median and range over trials. Shares of all its moves: mean over trials with its 95% interval.",
    )


def _counted(case: Case, kind: str, count: int | None, games: Told) -> list[str]:
    """A kind of move, published and ours."""
    total, shares = case.rounds[0], games[kind] / np.maximum(games["moves"], 1)
    told = ["", ""] if count is None else [f"{count:,} of {total:,}", f"{100 * count / total:.1f}%"]
    return [case.title, kind, *told, spread_words(games[kind]), share_words(share_interval(shares))]


def size_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        games = {name: values[:, 0] for name, values in found.games[number].items()}
        born = f"about {GENOMES[number] // POPULATION + 1}" if number in GENOMES else ""
        rows.append(
            [case.title, str(case.hidden), spread_words(games["hidden"]), str(case.connections)]
            + [spread_words(games["enabled"]), spread_words(games["connections"]), born, _reached(found, number)]
        )
    return Table(
        "Sizes of the best network, and when it came",
        ["case", "hidden nodes, published", "ours", "connections, published", "ours, enabled", "ours, all"]
        + ["its generation, by its id", "ours"],
        rows,
        "Median and range over trials. The figures print the best network's id in two cases; a generation has about "
        f"{POPULATION} new ones.",
    )


def _reached(found: Measured, case: int) -> str:
    """The generation in which the best fitness was first reached."""
    best = found.cases[case].curves[1]["population.best.fitness"]
    return spread_words(best.argmax(axis=1) + 1.0)


def unseen_table(found: Measured) -> Table:
    case, trained, games = CASES[4], found.cases[4], found.games[4]
    rows = [
        ["the deal of training", f"{case.printed}", mean_interval(trained.fitness).text(1)]
        + [median_interval(trained.fitness).text(1), share_words(rate_interval(games["won"][:, 0]))],
        ["other deals", "", mean_interval(trained.unseen["fitness"]).text(1)]
        + [median_interval(trained.unseen["fitness"]).text(1), share_words(rate_interval(trained.unseen["won"]))],
        ["lost", "", mean_interval(trained.fitness - trained.unseen["fitness"]).text(1)]
        + [median_interval(trained.fitness - trained.unseen["fitness"]).text(1), ""],
    ]
    return Table(
        "Champions of case 4 against a red that answers otherwise",
        ["", "published", "mean fitness", "median fitness", "won"],
        rows,
        f"{found.trials} champions as blue, each on {found.budget.deals} deals that served nothing else. A deal decides how red "
        "answers each state; the study trained and judged on one.",
    )


def better_table(found: Measured) -> Table:
    rows, verdicts = [], []
    for number, case in CASES.items():
        ours, study = found.better[number], found.cases[number]
        interval = median_interval(ours.judged)
        learner = vars(ours.run.experiment.options)
        seconds = ours.seconds
        time = "" if seconds is None else f"{seconds:,.1f}"
        whole = "" if seconds is None else f"{seconds * len(ours.judged) / 120:,.1f}"
        verdicts.append(verdict(interval, above=REQUIRED[number]))
        rows.append(
            [case.title + (", other deals" if number == 4 else ""), settings_words(learner), f"{case.printed}"]
            + [median_interval(study.judged).text(1), f"{REQUIRED[number]:g}", interval.text(1)]
            + [f"{ours.judged.min():.1f} to {ours.judged.max():.1f}", time, whole, verdicts[-1]]
        )
    return Table(
        "Better settings",
        ["case", "settings", "published", "median, study's settings", "wanted", "median, these settings", "range"]
        + ["seconds a trial", "minutes in all", "verdict"],
        rows,
        f"{found.trials} trials. Seconds of one core; minutes on two cores for all trials. Supported: the median's whole 95% "
        "interval is above what is wanted.",
        verdicts,
    )


def compared_tables(found: Measured) -> list[Table]:
    tables = []
    for number in found.budget.compared:
        tables.append(compared_table(found, number, False))
        if number == 4:
            tables.append(compared_table(found, number, True))
    return tables


def compared_table(found: Measured, case: int, unseen: bool) -> Table:
    rows, told = [], found.budget
    for encoding in found.encodings:
        cells = []
        for policy in found.decodings:
            trained = found.compared[case, encoding, policy]
            cells.append(median_interval(trained.judged if unseen else trained.fitness).text(1))
        rows.append([encoding, *cells])
    return Table(
        f"C{CASES[case].title[1:]}{', on other deals' if unseen else ''}: median fitness by encoding and decoding",
        ["encoding", *found.decodings],
        rows,
        f"{told.compared_trials} trials of {told.compared_generations} generations of {told.compared_population} each; 95% "
        "intervals by order statistics, where there are six trials. shares and net are the study's.",
    )
