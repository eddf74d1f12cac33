"""The golf study's tables, published figures beside ours."""

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import mean_interval, share_interval
from sparring.studies import Table, columns
from sparring.studies.golf.claims import PLAYER_TABLES, SUPERVISED_TABLES, TRAINING_TABLES, supervised
from sparring.studies.golf.intervals import beside_published, sampled
from sparring.studies.golf.measured import Measured, matches_of, measures_of
from sparring.studies.golf.published import DATA, FINAL_ROWS, INPUTS, MEASURES, NEAT, SHARES, TITLES, players
from sparring.studies.golf.report_causes import cause_tables
from sparring.studies.golf.report_pages import FIGURES
from sparring.studies.golf.settings import FURTHER, READINGS
from sparring.studies.verdicts import difference

WORDS = ("mean score", "games won", "matches per game", "turns per round", "rounds ended")
PERCENT = tuple(measure in SHARES for measure in MEASURES)
FINALISTS = {name: f"coevolved {name}" for name in INPUTS} | {f"neat-{name}": f"NEAT {name}" for name in INPUTS}
FINALISTS |= {"random": "random"}  # in the order of FINAL_ROWS
INTERNAL_TABLES = dict(zip((*INPUTS, *NEAT), range(26, 32), strict=True))
FIT_KEYS = {"training seconds": "seconds", "mean absolute error": "mean_absolute_error", "r²": "r2"}
SHOWN_RANKS = 5
QUARTILES = {0.0: "lowest score", 0.25: "first quartile", 0.5: "median", 0.75: "third quartile", 1.0: "highest score"}


def all_tables(found: Measured) -> dict[str, list[Table]]:
    """The tables by section of the report, in the study's order."""
    players_of = [
        by_player(found, name, numbers[name], opponent)
        for name in (*INPUTS, *NEAT)
        for opponent, numbers in (("training", TRAINING_TABLES), ("random", PLAYER_TABLES))
        if name in numbers
    ]
    return {
        **{section: [] for section in FIGURES},
        "Tables": [
            supervised_table(found),
            random_table(found),
            against_random_table(found, INPUTS, "Table 6: coevolved players against random"),
            against_random_table(found, NEAT, "Table 7: NEAT's players against random"),
            *final_tables(found),
            *greedier_tables(found),
            *(supervised_trials(found, name, number) for name, number in SUPERVISED_TABLES.items()),
            threshold_table(found),
            early_table(found),
            *cause_tables(found),
            *players_of,
            *(internal_table(found, name, number) for name, number in INTERNAL_TABLES.items()),
        ],
        "NEAT under other readings": [readings_table(found)],
        "Further work": [further_table(found)],
    }


def value(x: float, percent: bool, digits: int = 2) -> str:
    return "" if np.isnan(x) else f"{100 * x:.{digits}f}%" if percent else f"{x:.{digits}f}"


def measures(row: np.ndarray) -> list[str]:
    """The five measures as text."""
    return [value(x, percent) for x, percent in zip(row, PERCENT, strict=True)]


def averages(trials: np.ndarray) -> list[str]:
    """The means of the five measures over trials, with intervals."""
    means = [share_interval if percent else mean_interval for percent in PERCENT]
    return [mean(trials[:, m]).text(2, PERCENT[m]) for m, mean in enumerate(means)]


def supervised_table(found: Measured) -> Table:
    rows = []
    for name, theirs in DATA["supervised"].items():
        for figure, (words, key) in zip(theirs, FIT_KEYS.items(), strict=True):
            mean = share_interval if key == "r2" else mean_interval
            ours = [mean(supervised(found, name, key, half)).text(3) for half in (False, True)]
            rows.append([name, words, f"{figure:.3f}", *ours])
    config = found.budget.supervised
    caption = (
        f"{config.networks} networks each with {config.hidden} hidden units, trained on {config.examples} hands in at most "
        f"{config.iterations} passes and tested on as many others; seconds are scikit-learn's for one pass, times the passes."
    )
    return Table(
        "Table 4: learning to score hands",
        columns("representation | | published | ours | half as many units as inputs"),
        rows,
        caption,
    )


def supervised_trials(found: Measured, name: str, number: int) -> Table:
    """Appendix A, per network. The study's headings are permuted; here they fit the columns."""
    ours = zip(*(supervised(found, name, key) for key in FIT_KEYS.values()), strict=True)
    rows = [
        [str(trial), *(f"{x:.3f}" for x in theirs), *(f"{x:.3f}" for x in own)]
        for trial, (theirs, own) in enumerate(zip_longest(DATA["supervised_trials"][name], ours, fillvalue=()), 1)
    ]
    header = columns("network | published seconds | error | r² | our seconds | error | r²")
    return Table(
        f"Table {number}: supervised, {name}, by network", header, [row + [""] * (7 - len(row)) for row in rows]
    )


def random_table(found: Measured) -> Table:
    rows = []
    for i, (theirs, player) in enumerate(zip(DATA["random"], found.random.players, strict=True), 1):
        ours = [player.score, player.win_rate, *(player.measures[name] for name in MEASURES[2:])]
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
        theirs, ours = players(name).mean(axis=0), found.against_random[name]
        ends = zip(measures(ours.min(axis=0)), measures(ours.max(axis=0)), strict=True)
        ranges = [f"{low} to {high}" for low, high in ends]
        cells = zip(WORDS, measures(theirs), averages(ours), ranges, strict=True)
        rows += [[TITLES[name], *each] for each in cells]
    return Table(title, columns("input | | published | ours | our trials"), rows, _trials(found, names[0]))


def _trials(found: Measured, name: str) -> str:
    budget, theirs = found.budget, len(players(name))
    steps = f"{budget.generations} generations" if name in NEAT else f"{budget.epochs} epochs"
    return (
        f"{found.trials} trials of {steps} (the study: {theirs}), {budget.pairs} pairs of games per champion; 95% intervals of "
        f"the mean over trials; seed {found.seed}."
    )


def by_player(found: Measured, name: str, number: int, opponent: str) -> Table:
    """The published players one by one; ours one by one, or the quartiles of the scores if there are many."""
    theirs, ours = players(name, opponent), getattr(found, f"against_{opponent}")[name]
    order = np.argsort(ours[:, 0])
    names = [f"trial {i:03d}" for i in order]
    if len(order) > SHOWN_RANKS:
        order = order[[round(share * (len(order) - 1)) for share in QUARTILES]]
        names = [f"trial {i:03d}, {rank}" for i, rank in zip(order, QUARTILES.values(), strict=True)]
    rows = [[f"published {i}", *measures(row)] for i, row in enumerate(theirs, 1)]
    rows.append(["published, average", *measures(theirs.mean(axis=0))])
    rows += [[label, *measures(ours[i])] for label, i in zip(names, order, strict=True)]
    rows.append(["ours, average", *averages(ours)])
    apart = beside_published(found, name, opponent)
    rows.append(["ours minus published", *(gap.text(2, percent) for gap, percent in zip(apart, PERCENT, strict=True))])
    title = f"Table {number}: {TITLES[name]} players against {'random' if opponent == 'random' else 'their training opponents'}"
    caption = f"{_trials(found, name)} The last row by Welch, for five comparisons."
    return Table(title, ["player", *WORDS], rows, caption)


def final_tables(found: Measured) -> list[Table]:
    """Tables 8 to 10."""
    wins = ("Table 8: final round robin, games won by the row", "final_wins", found.final.win_table, True, 0)
    scores = ("Table 9: final round robin, mean score of the row", "final_scores", found.final.score_table, False, 1)
    return [crossed_table(found, *wins), crossed_table(found, *scores), ranking_table(found)]


def crossed_table(found: Measured, title: str, key: str, ours: np.ndarray, percent: bool, digits: int) -> Table:
    """The row against the column."""
    order = [next(i for i, p in enumerate(found.final.players) if p.name == name) for name in FINAL_ROWS]
    rows = []
    for i, name in enumerate(FINAL_ROWS):
        pairs = zip(DATA[key][name], ours[order[i], order], strict=True)
        cells = [f"{value(a, percent, digits)} / {value(b, percent, digits)}" for a, b in pairs]
        rows.append([FINALISTS[name], *cells[:i], "", *cells[i + 1 :]])
    caption = "The best champion of each algorithm and input, chosen in its internal tournament on other deals; "
    caption += f"{found.final.pairs} pairs for each two."
    return Table(f"{title}, published / ours", ["", *FINALISTS.values()], rows, caption)


def ranking_table(found: Measured) -> Table:
    """Table 10."""
    rows = []
    for player in found.final.players:
        won, score = DATA["final_ranking"][player.name]
        theirs = [value(won, True), player.win_rate.text(1, percent=True), value(score, False), player.score.text(1)]
        rows.append([FINALISTS[player.name], *theirs])
    header = columns("player | games won, published | ours | mean score, published | ours")
    return Table("Table 10: ranking of the final round robin", header, rows, "Ordered by our games won.")


def greedier_tables(found: Measured) -> list[Table]:
    rows, others = [], []
    for name in FINAL_ROWS:
        greedier, player = found.greedier[name].players
        rows.append([FINALISTS[name], *_pair(DATA["greedier"][name], greedier)])
        others.append([FINALISTS[name], *_pair(DATA["against_greedier"][name], player)])
    standings = [match.players[0] for match in found.greedier.values()]
    won, score = np.mean([(player.win_rate.value, player.score.value) for player in standings], axis=0)
    theirs = DATA["greedier_average"]
    rows.append(["average", value(theirs[0], True), value(won, True, 1), value(theirs[1], False), value(score, False)])
    header = columns("games won, published | ours | mean score, published | ours")
    caption = f"{found.budget.match_pairs} pairs each; greedier-published, the reading whose score against random fits the study's."
    return [
        Table("Table 11: the greedier random player against each", ["opponent", *header], rows, caption),
        Table("Table 12: each against the greedier random player", ["player", *header], others, caption),
    ]


def _pair(theirs: Sequence[float], ours: Standing) -> list[str]:
    return [value(theirs[0], True, 0), ours.win_rate.text(1, True), value(theirs[1], False), ours.score.text(2)]


def threshold_table(found: Measured) -> Table:
    """Appendix A, Table 16."""
    theirs, ours = np.array(DATA["threshold"]), found.threshold
    mean, least, most = (sampled(ours, 10, statistic) for statistic in (np.mean, np.min, np.max))
    beyond = [value(float(np.mean(epochs > 15)), True, 1) for epochs in (theirs, ours)]
    rows = [
        ["mean of the epochs", f"{theirs.mean():.2f}", mean_interval(ours).text(2)],
        ["mean of ten epochs, 95% of the time", "", f"{mean.low:.2f} to {mean.high:.2f}"],
        ["least and most of ten epochs", f"{theirs.min()} to {theirs.max()}", f"{least.value:.1f} to {most.value:.1f}"],
        ["epochs beyond 15 points", *beyond],
    ]
    title = "Table 16: difference in score per game between two random players, per epoch of ten games"
    return Table(title, columns("| published | ours"), rows, f"{len(ours)} epochs; tens are drawn from them at random.")


def early_table(found: Measured) -> Table:
    """Section 6.1: the abandoned rules. Published: no improvement."""
    rows = []
    for (rule, name, start), run in found.early.items():
        curve = run.training().curves()[1]["benchmark.player.score"]
        tenth = max(1, curve.shape[1] // 10)
        scores = [curve[:, 0], curve[:, -tenth:].mean(axis=1), measures_of(matches_of(run))[:, 0]]
        ours = [mean_interval(each).text(1) for each in (*scores, found.untrained[name, start])]
        rows.append([rule, TITLES[name], f"N(0, {start:g})", "no improvement", *ours, f"{scores[2].min():.1f}"])
    header = columns(
        "rule | input | initial weights | published | first score against random | last tenth | champions | untrained | best"
    )
    caption = f"{found.budget.early_epochs} epochs, means over {len(scores[0])} trials; random itself scores "
    caption += f"{found.random.players[0].score.value:.1f}."
    return Table("Section 6.1: the abandoned rules", header, rows, caption)


def internal_table(found: Measured, name: str, number: int) -> Table:
    """Tables 26 to 31."""
    ours = [(p["name"], p["win_rate"][0], p["score"][0]) for p in found.internal[name]["players"]]
    rows = []
    for rank, ranked in enumerate(zip_longest(DATA["internal"][name], ours[:SHOWN_RANKS]), 1):
        cells = [[str(p[0]), value(p[1], True), f"{p[2]:.2f}"] if p else ["", "", ""] for p in ranked]
        rows.append([str(rank), *cells[0], *cells[1]])
    header = columns("rank | published player | games won | mean score | our player | games won | mean score")
    caption = f"Our {len(ours)} players, at most five shown; {found.budget.internal_pairs} pairs for each two."
    return Table(f"Table {number}: internal round robin, {TITLES[name]}", header, rows, caption)


def distance(ours: dict[str, np.ndarray]) -> str:
    """How far NEAT's players are from the published ones, over measures and inputs, in half widths of Welch's interval."""
    apart = [
        abs(gap.value) / max(gap.half_width, 1e-9)
        for name, rows in ours.items()
        for gap in (difference(rows[:, m], players(name)[:, m]) for m in range(len(MEASURES)))
    ]
    return f"{np.mean(apart):.2f}"


def readings_table(found: Measured) -> Table:
    """The gap between NEAT here and in the study, by reading."""
    named = {"as re-run": {name: found.against_random[name] for name in NEAT}}
    named |= {READINGS[name]["title"]: ours for name, ours in found.under.items()}
    means = [players(name).mean(axis=0) for name in NEAT]
    rows = [["published", *(f"{mean[0]:.1f}" for mean in means), *(f"{mean[4]:.0%}" for mean in means), ""]]
    for title, ours in named.items():
        scores = [mean_interval(ours[name][:, 0]).text(1) if name in ours else "" for name in NEAT]
        ended = [f"{ours[name][:, 4].mean():.0%}" if name in ours else "" for name in NEAT]
        rows.append([title, *scores, *ended, distance(ours)])
    trials = min((len(rows) for ours in found.under.values() for rows in ours.values()), default=0)
    header = ["reading", *(f"{name}: {words}" for words in ("score", "rounds ended") for name in INPUTS), "distance"]
    caption = (
        f"Against random. Each reading changes one point of the re-run; {trials} trials each. The distance is the mean over inputs "
        "and the five measures of |ours - published| in half widths of Welch's 95% interval: below 1 fits."
    )
    return Table("NEAT under other readings of the study", header, rows, caption)


def further_table(found: Measured) -> Table:
    """Section 9: varied opponents and larger populations of NEAT, other learners; all on the hand."""
    runs = {f"{name}, 15,000 games": found.runs[key] for name, key in (("coevolution", "hand"), ("NEAT", "neat-hand"))}
    rows = []
    for title, run in (runs | {FURTHER[name]["title"]: run for name, run in found.further.items()}).items():
        random, greedier = (measures_of(matches_of(run, opponent)) for opponent in (0, 1))
        cells = [mean_interval(random[:, 0]).text(1), f"{random[:, 0].min():.1f}", f"{random[:, 4].mean():.0%}"]
        cells += [mean_interval(greedier[:, 0]).text(1), share_interval(greedier[:, 1]).text(1, True)]
        rows.append([title, str(len(random)), *cells])
    header = columns(
        "learner | trials | score against random | best | rounds ended | score against greedier | won against it"
    )
    return Table("Further work: other opponents, larger populations and other learners, on the hand", header, rows)
