"""The tables of the study's first four cases, published figures beside ours, and of their variants."""

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.studies import Table, columns
from sparring.studies.conquest.cases import DECODING, ENCODING, FITNESS, settings_words
from sparring.studies.conquest.draws import count_below, median_text, place_text, quantiles, spread_text
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import CASES, KINDS, MEASURES, REQUIRED
from sparring.studies.formats import percent, rate_text, share_text
from sparring.studies.study import Sections
from sparring.studies.verdicts import difference

CASES_SECTION, BANDS_SECTION, UNSEEN_SECTION = "Cases 1 to 4", "The author's curves", "Case 4 on other deals"
FITNESS_SECTION, BETTER_SECTION, CODES_SECTION = (
    "Other fitness functions",
    "Our own settings",
    "Encodings and decodings",
)
QUANTILES = "least | lower quartile | median | upper quartile | greatest | ours below it | the published one lies"


def case_tables(found: Measured) -> Sections:
    """The tables by section."""
    return {
        CASES_SECTION: [best_table(found), rounds_table(found), moves_table(found), size_table(found)],
        BANDS_SECTION: [bands_table(found)],
        UNSEEN_SECTION: [unseen_table(found)],
        FITNESS_SECTION: [fitness_table(found)],
        BETTER_SECTION: [better_table(found)],
        CODES_SECTION: [codes_table(found, case) for case in found.budget.compared],
    }


def best_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        fitness, generations = found.of(number).fitness, found.budget.generations(number)
        ours = quantiles(fitness)
        rows.append(
            [case.title, f"{generations} of {case.generations}", f"{case.printed} ({case.exact:.2f})"]
            + [f"{ours.low:.1f}", f"{ours.lower:.1f}", median_text(fitness), f"{ours.upper:.1f}", f"{ours.high:.1f}"]
            + [f"{count_below(fitness, case.exact)} of {len(fitness)}", place_text(fitness, case.exact)]
            + [median_text(found.of(number, "text").fitness)]
        )
    return Table(
        "Fitness of the best network",
        columns(f"case | generations | published | {QUANTILES} | median, the text's reading"),
        rows,
        f"{found.trials} trials in the author's reading and {len(found.of(1, 'text').fitness)} in the text's. Published: as "
        "printed, and by the study's formulas. Medians with 95% intervals by order statistics.",
    )


def rounds_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        games = found.of(number).games
        for rank, words in enumerate(("best", "second", "third")):
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
        games = {name: values[:, 0] for name, values in found.of(number).games.items()}
        for kind, count in zip((*KINDS, "guided"), (*case.moves, case.guided), strict=True):
            total = case.rounds[0]
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
        trained = found.of(number)
        sizes = [spread_text(trained.games[name][:, 0]) for name in ("hidden", "enabled", "connections")]
        reached = spread_text(trained.curves[1]["population.best.fitness"].argmax(axis=1) + 1.0)
        rows.append([case.title, str(case.hidden), sizes[0], str(case.connections), *sizes[1:], reached])
    return Table(
        "Size of the best network, and its generation",
        columns(
            "case | hidden nodes, published | ours | connections, published | ours, enabled | ours, all | generation"
        ),
        rows,
        "Median and range over trials.",
    )


def bands_table(found: Measured) -> Table:
    rows = []
    for case, by_measure in found.bands.items():
        for side in dict.fromkeys(side for side, _ in by_measure):
            row = [f"case {case}, {side}"]
            for name in MEASURES:
                band = by_measure.get((side, name))
                inside = [] if band is None else band.inside
                share = "" if band is None else f" ({percent(band.share.value, 0)}, from {percent(band.share.low, 0)})"
                row.append(f"{int(np.sum(inside))} of {len(inside)}{share}" if band else "not recorded")
            rows.append(row)
    return Table(
        "Generations in which the author's curve lies in the range of our trials",
        ["", *MEASURES],
        rows,
        f"{found.trials} trials. Best, mean and median fitness of the population, its share of guided moves and of games won. In "
        "brackets: the share of generations in which one of our trials lies in the range of the others, on the mean and at least.",
    )


def unseen_table(found: Measured) -> Table:
    rows = []
    for kind, words in (
        ("study", "the author's reading"),
        ("text", "the text's reading"),
        ("better", "our own settings"),
    ):
        trained = found.of(4, kind)
        won = trained.games["won"][:, 0]
        for what, fitness, rate in (
            ("as in training", trained.fitness, won),
            ("other deals", trained.judged, trained.unseen["won"]),
        ):
            rows.append([words, what, mean_interval(fitness).text(1), median_text(fitness), rate_text(rate)])
    return Table(
        "Champions of case 4 against a red that answers differently",
        columns("| games | mean fitness | median fitness | won"),
        rows,
        f"Champions as blue, each on {found.budget.deals} games used for nothing else, in which red draws new random numbers. The "
        "study trained and judged on one game.",
    )


def fitness_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        study = found.of(number)
        for name, trained in {FITNESS[number]: study, **found.settings(number, "fitness")}.items():
            gap = "" if trained is study else difference(trained.fitness, study.fitness).text(1)
            rows.append(
                [case.title, name, str(len(trained.fitness)), median_text(trained.fitness), gap]
                + [rate_interval(trained.games["won"][:, 0]).text(0, percent=True)]
                + [spread_text(trained.games["rounds"][:, 0])]
            )
    return Table(
        "Best networks by the fitness of their training",
        columns("case | trained by | trials | the study's fitness, median | difference of means | won | rounds"),
        rows,
        "The best network of every training, judged by the study's fitness in the same game. Differences from the study's own "
        "fitness with 95% intervals; rounds: median and range.",
    )


def better_table(found: Measured) -> Table:
    rows = []
    for number, case in CASES.items():
        ours, study = found.of(number, "better"), found.of(number)
        rows.append(
            [case.title + (", other deals" if number == 4 else ""), settings_words(vars(ours.run.experiment.options))]
            + [f"{case.printed}", median_text(study.judged), f"{REQUIRED[number]:g}", median_text(ours.judged)]
            + [
                f"{ours.judged.min():.1f} to {ours.judged.max():.1f}",
                "" if ours.seconds is None else f"{ours.seconds:,.1f}",
            ]
        )
    return Table(
        "Better settings",
        columns(
            "case | settings | published | median, study's settings | aim | median, these settings | range | seconds"
        ),
        rows,
        f"{len(found.of(1, 'better').judged)} trials. Seconds of one core per trial.",
    )


def codes_table(found: Measured, case: int) -> Table:
    budget, trained = found.budget, found.settings(case, "codes")
    study = trained[f"{ENCODING} and {DECODING}"]
    rows = []
    for name, each in trained.items():
        gap = "" if each is study else difference(each.judged, study.judged, len(trained) - 1).text(1)
        rows.append([name, median_text(each.fitness), median_text(each.judged), gap])
    return Table(
        f"{CASES[case].title.capitalize()}: median fitness by encoding and decoding",
        columns(
            "encoding and decoding | in training | on other deals | difference of means from the study's, on other deals"
        ),
        rows,
        f"{len(study.fitness)} trials of {budget.compared_generations} generations of {budget.compared_population} each; the first "
        f"is the study's. 95% intervals; those of differences for all {len(trained) - 1} together. In case 2 all deals are alike.",
    )
