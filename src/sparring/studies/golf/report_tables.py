"""The golf study's tables, published figures beside ours."""

from itertools import zip_longest

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import mean_interval, share_interval
from sparring.studies import Table, columns
from sparring.studies.golf import published
from sparring.studies.golf.measured import Measured, first_matches, measures_of
from sparring.studies.golf.published import FINAL_ROWS, INPUTS, NEAT, TITLES

WORDS = ("mean score", "games won", "matches per game", "turns per round", "rounds ended")
PERCENT = (False, True, False, False, True)
AGAINST_RANDOM_NUMBERS = dict(zip((*INPUTS, *NEAT), (18, 20, 22, 23, 24, 25), strict=True))
AGAINST_TRAINING_NUMBERS = dict(zip(INPUTS, (17, 19, 21), strict=True))
FINALISTS = {name: f"coevolved {name}" for name in INPUTS} | {f"neat-{name}": f"NEAT {name}" for name in INPUTS}
FINALISTS |= {"random": "random"}  # in the order of FINAL_ROWS
INTERNAL_NUMBERS = dict(zip((*INPUTS, *NEAT), range(26, 32), strict=True))
SUPERVISED_NUMBERS = dict(zip(published.SUPERVISED, (13, 14, 15), strict=True))
FIT_KEYS = {"training seconds": "seconds", "mean absolute error": "mean_absolute_error", "r²": "r2"}
SHOWN_RANKS = 5
QUARTILES = {0.0: "lowest score", 0.25: "first quartile", 0.5: "median", 0.75: "third quartile", 1.0: "highest score"}


def all_tables(found: Measured) -> list[Table]:
    """The tables in the study's order."""
    return [
        supervised_table(found),
        random_table(found),
        against_random_table(found, INPUTS, "Table 6: coevolved players against random"),
        against_random_table(found, NEAT, "Table 7: NEAT's players against random"),
        *final_tables(found),
        *greedier_tables(found),
        *(supervised_trials(found, name, number) for name, number in SUPERVISED_NUMBERS.items()),
        threshold_table(found),
        early_table(found),
        *(table(found, name) for name in INPUTS for table in (against_training_table, players_table)),
        *(players_table(found, name) for name in NEAT),
        *(internal_table(found, name) for name in (*INPUTS, *NEAT)),
    ]


def value(x: float | None, percent: bool, digits: int = 2) -> str:
    if x is None:
        return ""
    return f"{100 * x:.{digits}f}%" if percent else f"{x:.{digits}f}"


def measures(row: np.ndarray) -> list[str]:
    """The five measures as text."""
    return [value(x, percent) for x, percent in zip(row, PERCENT, strict=True)]


def averages(trials: np.ndarray) -> list[str]:
    """The means of the five measures over trials, with intervals."""
    return [
        (share_interval if percent else mean_interval)(trials[:, m]).text(2, percent)
        for m, percent in enumerate(PERCENT)
    ]


def supervised_table(found: Measured) -> Table:
    rows = []
    for name, theirs in published.SUPERVISED.items():
        fits = [fit for fit in found.supervised if fit["representation"] == name]
        for figure, (words, key) in zip(theirs, FIT_KEYS.items(), strict=True):
            ours = (share_interval if key == "r2" else mean_interval)(np.array([fit[key] for fit in fits]))
            rows.append([name, words, f"{figure:.3f}", ours.text(3)])
    config = found.budget.supervised
    return Table(
        "Table 4: learning to score hands",
        columns("representation | | published | ours"),
        rows,
        f"{config.networks} networks each with {config.hidden[0]} hidden units, trained on {config.examples} hands in at most "
        f"{config.iterations} passes and tested on as many others.",
    )


def supervised_trials(found: Measured, name: str, number: int) -> Table:
    """Appendix A, per network. The study's headings are permuted; here they fit the columns."""
    fits = [fit for fit in found.supervised if fit["representation"] == name]
    rows = []
    for trial, theirs in enumerate(published.SUPERVISED_TRIALS[name]):
        ours = [f"{fits[trial][key]:.3f}" if trial < len(fits) else "" for key in FIT_KEYS.values()]
        rows.append([str(trial + 1), *(f"{x:.3f}" for x in theirs), *ours])
    header = columns("network | published seconds | error | r² | our seconds | our error | our r²")
    return Table(f"Table {number}: supervised, {name}, by network", header, rows)


def random_table(found: Measured) -> Table:
    rows = []
    for i, (theirs, player) in enumerate(zip(published.RANDOM, found.random.players, strict=True), 1):
        ours = [player.score, player.win_rate, *(player.measures[name] for name in published.MEASURES[2:])]
        rows += [
            [f"random player {i}", WORDS[m], text, ours[m].text(2, PERCENT[m])]
            for m, text in enumerate(measures(np.array(theirs)))
        ]
    caption = f"{found.random.games} games, 95% intervals."
    return Table("Table 5: two random players", columns("player | | published | ours"), rows, caption)


def against_random_table(found: Measured, names: tuple[str, ...], title: str) -> Table:
    """The five measures of every input's players, averaged."""
    rows = []
    for name in names:
        theirs, ours = np.mean(published.AGAINST_RANDOM[name], axis=0), found.against_random[name]
        ends = zip(measures(ours.min(axis=0)), measures(ours.max(axis=0)), strict=True)
        ranges = [f"{low} to {high}" for low, high in ends]
        cells = zip(WORDS, measures(theirs), averages(ours), ranges, strict=True)
        rows += [[TITLES[name], *each] for each in cells]
    return Table(title, columns("input | | published | ours | our trials"), rows, _trials(found, names[0]))


def _trials(found: Measured, name: str) -> str:
    budget, theirs = found.budget, len(published.AGAINST_RANDOM[name])
    steps = f"{budget.generations} generations" if name in NEAT else f"{budget.epochs} epochs"
    return (
        f"{found.trials} trials of {steps} (the study: {theirs}), {budget.pairs} pairs of games per champion; 95% intervals of "
        f"the mean over trials; seed {found.seed}."
    )


def players_table(found: Measured, name: str) -> Table:
    """Tables 18, 20, 22 and 23 to 25."""
    title = f"Table {AGAINST_RANDOM_NUMBERS[name]}: {TITLES[name]} players against random"
    return by_player(found, name, found.against_random[name], published.AGAINST_RANDOM[name], title)


def against_training_table(found: Measured, name: str) -> Table:
    """Tables 17, 19 and 21."""
    title = f"Table {AGAINST_TRAINING_NUMBERS[name]}: {TITLES[name]} players against their training opponents"
    return by_player(found, name, found.against_training[name], published.AGAINST_TRAINING[name], title)


def by_player(found: Measured, name: str, ours: np.ndarray, theirs: tuple[tuple[float, ...], ...], title: str) -> Table:
    """The published players one by one; ours one by one, or the quartiles of the scores if there are many."""
    order = np.argsort(ours[:, 0])
    names = [f"trial {i:03d}" for i in order]
    if len(order) > SHOWN_RANKS:
        order = order[[round(share * (len(order) - 1)) for share in QUARTILES]]
        names = [f"trial {i:03d}, {rank}" for i, rank in zip(order, QUARTILES.values(), strict=True)]
    rows = [[f"published {i}", *measures(np.array(row))] for i, row in enumerate(theirs, 1)]
    rows.append(["published, average", *measures(np.mean(theirs, axis=0))])
    rows += [[label, *measures(ours[i])] for label, i in zip(names, order, strict=True)]
    rows.append(["ours, average", *averages(ours)])
    return Table(title, ["player", *WORDS], rows, _trials(found, name))


def final_tables(found: Measured) -> list[Table]:
    """Tables 8 to 10."""
    wins, scores = (
        ("Table 8: final round robin, games won by the row", published.FINAL_WINS, found.final.win_table),
        ("Table 9: final round robin, mean score of the row", published.FINAL_SCORES, found.final.score_table),
    )
    return [crossed_table(found, *wins, True, 0), crossed_table(found, *scores, False, 1), ranking_table(found)]


def crossed_table(
    found: Measured,
    title: str,
    theirs: tuple[tuple[float | None, ...], ...],
    ours: np.ndarray,
    percent: bool,
    digits: int,
) -> Table:
    """The row against the column."""
    order = [next(i for i, p in enumerate(found.final.players) if p.name == name) for name in FINAL_ROWS]
    rows = []
    for i, name in enumerate(FINAL_ROWS):
        pairs = zip(theirs[i], ours[order[i], order], strict=True)
        cells = [f"{value(a, percent, digits)} / {value(b, percent, digits)}" for a, b in pairs]
        rows.append([FINALISTS[name], *cells[:i], "", *cells[i + 1 :]])
    return Table(
        f"{title}, published / ours",
        ["", *FINALISTS.values()],
        rows,
        f"The best champion of each algorithm and input, chosen in its internal tournament on other deals; {found.final.pairs} "
        "pairs for each two.",
    )


def ranking_table(found: Measured) -> Table:
    """Table 10."""
    rows = []
    for player in found.final.players:
        won, score = published.FINAL_RANKING[player.name]
        rows.append(
            [FINALISTS[player.name], value(won, True), player.win_rate.text(2, True)]
            + [value(score, False), player.score.text(2), player.rating.text(0)]
        )
    header = columns("player | games won, published | ours | mean score, published | ours | our rating")
    return Table("Table 10: ranking", header, rows, f"{found.final.pairs} pairs for each two; in the order of ours.")


def greedier_tables(found: Measured) -> list[Table]:
    rows, others = [], []
    for name in FINAL_ROWS:
        greedier, player = found.greedier[name].players
        rows.append([FINALISTS[name], *_pair(published.GREEDIER[name], greedier)])
        others.append([FINALISTS[name], *_pair(published.AGAINST_GREEDIER[name], player)])
    players = [match.players[0] for match in found.greedier.values()]
    won, score = np.mean([(player.win_rate.value, player.score.value) for player in players], axis=0)
    theirs = published.GREEDIER_AVERAGE
    rows.append(["average", value(theirs[0], True), value(won, True, 1), value(theirs[1], False), value(score, False)])
    header = columns("games won, published | ours | mean score, published | ours")
    caption = (
        f"{found.budget.pairs} pairs each; greedier-published, the reading whose score against random fits the study's."
    )
    return [
        Table("Table 11: the greedier random player against each", ["opponent", *header], rows, caption),
        Table("Table 12: each against the greedier random player", ["player", *header], others, caption),
    ]


def _pair(theirs: tuple[float, float], ours: Standing) -> list[str]:
    return [value(theirs[0], True, 0), ours.win_rate.text(1, True), value(theirs[1], False), ours.score.text(2)]


def tens_of(epochs: np.ndarray) -> np.ndarray:
    """Samples of ten epochs, drawn from all that were played."""
    return np.asarray(np.random.default_rng(0).choice(epochs, (20_000, 10)))


def threshold_table(found: Measured) -> Table:
    """Appendix A, Table 16."""
    theirs, ours, tens = np.array(published.THRESHOLD), found.threshold, tens_of(found.threshold)
    low, high = np.percentile(tens.mean(axis=1), [2.5, 97.5])
    least, most = np.median(tens.min(axis=1)), np.median(tens.max(axis=1))
    beyond = [value(float(np.mean(epochs > 15)), True, 1) for epochs in (theirs, ours)]
    rows = [
        ["mean of the epochs", f"{theirs.mean():.2f}", mean_interval(ours).text(2)],
        ["mean of ten epochs, 95% of the time", "", f"{low:.2f} to {high:.2f}"],
        ["least and most of ten epochs", f"{theirs.min()} to {theirs.max()}", f"{least:.1f} to {most:.1f}"],
        ["epochs beyond 15 points", *beyond],
    ]
    return Table(
        "Table 16: difference in score per game between two random players, per epoch of ten games",
        columns("| published | ours"),
        rows,
        f"{len(ours)} epochs; tens are drawn from them at random; the least and most of ten are medians.",
    )


def early_table(found: Measured) -> Table:
    """Section 6.1: the abandoned rules. Published: no improvement."""
    rows = []
    for (rule, name), run in found.early.items():
        curve = run.training().curves()[1]["benchmark.player.score"]
        tenth = max(1, curve.shape[1] // 10)
        scores = [curve[:, 0], curve[:, -tenth:].mean(axis=1), measures_of(first_matches(run))[:, 0]]
        rows.append([rule, TITLES[name], "no improvement", *(mean_interval(x).text(1) for x in scores)])
    return Table(
        "Section 6.1: the abandoned rules",
        columns("rule | input | published | first score against random | in the last tenth | champions"),
        rows,
        f"{found.budget.early_epochs} epochs, means over {len(scores[0])} trials; random itself scores "
        f"{found.random.players[0].score.value:.1f}.",
    )


def internal_table(found: Measured, name: str) -> Table:
    """Tables 26 to 31."""
    ours = [(p["name"], p["win_rate"][0], p["score"][0]) for p in found.internal[name]["players"]]
    rows = []
    for rank, players in enumerate(zip_longest(published.INTERNAL[name], ours[:SHOWN_RANKS]), 1):
        cells = [[str(p[0]), value(p[1], True), f"{p[2]:.2f}"] if p else ["", "", ""] for p in players]
        rows.append([str(rank), *cells[0], *cells[1]])
    return Table(
        f"Table {INTERNAL_NUMBERS[name]}: internal round robin, {TITLES[name]}",
        columns("rank | published player | games won | mean score | our player | games won | mean score"),
        rows,
        f"Our {len(ours)} players{', the first five shown' if len(ours) > SHOWN_RANKS else ''}; "
        f"{found.budget.tournament_pairs} pairs for each two.",
    )
