"""The golf study's tables, each with the published figures beside ours."""

from itertools import zip_longest

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import Interval, mean_interval, share_interval
from sparring.studies import Table
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
SHOWN_RANKS = 5
QUARTILES = {0.0: "lowest score", 0.25: "first quartile", 0.5: "median", 0.75: "third quartile", 1.0: "highest score"}


def all_tables(found: Measured) -> list[Table]:
    """In the study's order."""
    tables = [
        supervised_table(found),
        random_table(found),
        against_random_table(found, INPUTS, "Table 6: coevolved players against random"),
        against_random_table(found, NEAT, "Table 7: players by NEAT against random"),
        *final_tables(found),
        *greedier_tables(found),
    ]
    tables += [
        supervised_trials(found, name, number)
        for name, number in (("numerical", 13), ("one-hot-value", 14), ("one-hot-deck", 15))
    ]
    tables += [threshold_table(found), early_table(found)]
    for name in INPUTS:
        tables += [against_training_table(found, name), players_table(found, name)]
    tables += [players_table(found, name) for name in NEAT]
    return tables + [internal_table(found, name) for name in (*INPUTS, *NEAT)]


def value(x: float | None, percent: bool, digits: int = 2) -> str:
    if x is None:
        return ""
    return f"{100 * x:.{digits}f}%" if percent else f"{x:.{digits}f}"


def averaged(values: np.ndarray, measure: int) -> Interval:
    """The mean over trials of one of the five measures."""
    return share_interval(values) if PERCENT[measure] else mean_interval(values)


def supervised_table(found: Measured) -> Table:
    rows = []
    for name, told in published.SUPERVISED.items():
        fits = [fit for fit in found.supervised if fit["representation"] == name]
        for i, (words, key) in enumerate(
            (("training seconds", "seconds"), ("mean absolute error", "mean_absolute_error"), ("r²", "r2"))
        ):
            ours = (share_interval if key == "r2" else mean_interval)(np.array([fit[key] for fit in fits]))
            rows.append([name, words, f"{told[i]:.3f}", ours.text(3)])
    config = found.budget.supervised
    return Table(
        "Table 4: learning to score hands",
        ["representation", "", "published", "ours"],
        rows,
        f"{config.networks} networks each of {config.hidden[0]} hidden units, {config.examples} hands to train in at most "
        f"{config.iterations} passes and as many others to test.",
    )


def supervised_trials(found: Measured, name: str, number: int) -> Table:
    """Appendix A, per network. The study's headings are permuted; here they fit the columns."""
    fits = [fit for fit in found.supervised if fit["representation"] == name]
    rows = []
    for trial, told in enumerate(published.SUPERVISED_TRIALS[name]):
        ours = (
            [f"{fits[trial][key]:.3f}" for key in ("seconds", "mean_absolute_error", "r2")]
            if trial < len(fits)
            else ["", "", ""]
        )
        rows.append([str(trial + 1), *(f"{x:.3f}" for x in told), *ours])
    return Table(
        f"Table {number}: supervised, {name}, by network",
        ["network", "published seconds", "error", "r²", "our seconds", "our error", "our r²"],
        rows,
    )


def random_table(found: Measured) -> Table:
    rows = []
    for i, told in enumerate(published.RANDOM):
        ours = standing_measures(found.random.players[i])
        rows += [
            [f"random player {i + 1}", WORDS[m], value(told[m], PERCENT[m]), ours[m].text(2, PERCENT[m])]
            for m in range(5)
        ]
    return Table(
        "Table 5: two random players",
        ["player", "", "published", "ours"],
        rows,
        f"{found.random.games} games, 95% intervals.",
    )


def standing_measures(player: Standing) -> list[Interval]:
    return [player.score, player.win_rate, *(player.measures[name] for name in published.MEASURES[2:])]


def against_random_table(found: Measured, names: tuple[str, ...], title: str) -> Table:
    """The five measures of every input's players, averaged."""
    rows = []
    for name in names:
        told, ours = np.mean(published.AGAINST_RANDOM[name], axis=0), found.against_random[name]
        rows += [
            [
                TITLES[name],
                WORDS[m],
                value(told[m], PERCENT[m]),
                averaged(ours[:, m], m).text(2, PERCENT[m]),
                f"{value(ours[:, m].min(), PERCENT[m])} to {value(ours[:, m].max(), PERCENT[m])}",
            ]
            for m in range(5)
        ]
    return Table(title, ["input", "", "published", "ours", "our trials"], rows, _trials(found, names[0]))


def _trials(found: Measured, name: str) -> str:
    told, steps = len(published.AGAINST_RANDOM[name]), f"{found.budget.epochs} epochs"
    if name in NEAT:
        steps = f"{found.budget.generations} generations"
    return (
        f"{found.trials} trials of {steps} (the study's {told}), {found.budget.pairs} pairs of games per champion; "
        f"95% intervals of the mean over trials; seed {found.seed}."
    )


def players_table(found: Measured, name: str) -> Table:
    """Tables 18, 20, 22 and 23 to 25."""
    title = f"Table {AGAINST_RANDOM_NUMBERS[name]}: {TITLES[name]} players against random"
    return by_player(found, name, found.against_random[name], published.AGAINST_RANDOM[name], title)


def against_training_table(found: Measured, name: str) -> Table:
    """Tables 17, 19 and 21."""
    title = f"Table {AGAINST_TRAINING_NUMBERS[name]}: {TITLES[name]} players against their training opponents"
    return by_player(found, name, found.against_training[name], published.AGAINST_TRAINING[name], title)


def by_player(found: Measured, name: str, ours: np.ndarray, told: tuple[tuple[float, ...], ...], title: str) -> Table:
    """Published players one by one; ours one by one, or the scores' quartiles where they are many."""
    order = np.argsort(ours[:, 0])
    names = [f"trial {i:03d}" for i in order]
    if len(order) > SHOWN_RANKS:
        places = [round(share * (len(order) - 1)) for share in QUARTILES]
        order = order[places]
        names = [f"trial {i:03d}, {rank}" for i, rank in zip(order, QUARTILES.values(), strict=True)]
    rows = [[f"published {i + 1}", *(value(x, PERCENT[m]) for m, x in enumerate(row))] for i, row in enumerate(told)]
    rows.append(["published, average", *(value(x, PERCENT[m]) for m, x in enumerate(np.mean(told, axis=0)))])
    rows += [
        [label, *(value(x, PERCENT[m]) for m, x in enumerate(ours[i]))] for label, i in zip(names, order, strict=True)
    ]
    rows.append(["ours, average", *(averaged(ours[:, m], m).text(2, PERCENT[m]) for m in range(5))])
    return Table(title, ["player", *WORDS], rows, _trials(found, name))


def final_tables(found: Measured) -> list[Table]:
    """Tables 8 to 10."""
    order = [next(i for i, p in enumerate(found.final.players) if p.name == name) for name in FINAL_ROWS]
    tables = []
    for number, what, told, ours, percent in (
        (8, "games won by the row", published.FINAL_WINS, found.final.win_table, True),
        (9, "mean score of the row", published.FINAL_SCORES, found.final.score_table, False),
    ):
        digits = 0 if percent else 1
        rows = [
            [
                FINALISTS[name],
                *(
                    ""
                    if i == j
                    else f"{value(told[i][j], percent, digits)} / {value(ours[order[i], order[j]], percent, digits)}"
                    for j in range(len(FINAL_ROWS))
                ),
            ]
            for i, name in enumerate(FINAL_ROWS)
        ]
        tables.append(
            Table(
                f"Table {number}: final round robin, {what}, published / ours",
                ["", *FINALISTS.values()],
                rows,
                f"The best champion of each algorithm and input, chosen in its internal tournament on other deals; "
                f"{found.final.pairs} pairs for each two.",
            )
        )
    return [*tables, ranking_table(found)]


def ranking_table(found: Measured) -> Table:
    """Table 10."""
    rows = []
    for player in found.final.players:
        won, score = published.FINAL_RANKING[player.name]
        rows.append(
            [FINALISTS[player.name], value(won, True), player.win_rate.text(2, True)]
            + [value(score, False), player.score.text(2), player.rating.text(0)]
        )
    header = ["player", "games won, published", "ours", "mean score, published", "ours", "our rating"]
    return Table("Table 10: ranking", header, rows, f"{found.final.pairs} pairs for each two; in the order of ours.")


def greedier_tables(found: Measured) -> list[Table]:
    rows, others = [], []
    for name in FINAL_ROWS:
        greedier, player = found.greedier[name].players
        rows.append([FINALISTS[name], *_pair(published.GREEDIER[name], greedier)])
        others.append([FINALISTS[name], *_pair(published.AGAINST_GREEDIER[name], player)])
    rows.append(["average", *_average([match.players[0] for match in found.greedier.values()])])
    header = ["opponent", "games won, published", "ours", "mean score, published", "ours"]
    caption = (
        f"{found.budget.pairs} pairs each; greedier-published, the reading whose score against random fits the study's."
    )
    return [
        Table("Table 11: the greedier random player against each", header, rows, caption),
        Table("Table 12: each against the greedier random player", ["player", *header[1:]], others, caption),
    ]


def _pair(told: tuple[float, float], ours: Standing) -> list[str]:
    return [value(told[0], True, 0), ours.win_rate.text(1, True), value(told[1], False), ours.score.text(2)]


def _average(ours: list[Standing]) -> list[str]:
    won, score = np.mean([(player.win_rate.value, player.score.value) for player in ours], axis=0)
    told = published.GREEDIER_AVERAGE
    return [value(told[0], True), value(won, True, 1), value(told[1], False), value(score, False)]


def tens_of(epochs: np.ndarray) -> np.ndarray:
    """What ten epochs could have been: tens drawn from all that were played."""
    draws: np.ndarray = np.random.default_rng(0).choice(epochs, (20_000, 10))
    return draws


def threshold_table(found: Measured) -> Table:
    """Appendix A, Table 16."""
    told, ours, tens = np.array(published.THRESHOLD), found.threshold, tens_of(found.threshold)
    low, high = np.percentile(tens.mean(axis=1), [2.5, 97.5])
    least, most = np.median(tens.min(axis=1)), np.median(tens.max(axis=1))
    rows = [
        ["mean of the epochs", f"{told.mean():.2f}", mean_interval(ours).text(2)],
        ["mean of ten epochs, 95% of the time", "", f"{low:.2f} to {high:.2f}"],
        ["least and most of ten epochs", f"{told.min()} to {told.max()}", f"{least:.1f} to {most:.1f}"],
        [
            "epochs beyond 15 points",
            value(float(np.mean(told > 15)), True, 1),
            value(float(np.mean(ours > 15)), True, 1),
        ],
    ]
    return Table(
        "Table 16: difference in score a game between two random players, per epoch of ten games",
        ["", "published", "ours"],
        rows,
        f"{len(ours)} epochs; tens are drawn from them at random; the least and most of ten are medians.",
    )


def early_table(found: Measured) -> Table:
    """Section 6.1: the rules that were given up. Published: no improvement."""
    rows = []
    for (rule, name), run in found.early.items():
        curve = run.training().curves()[1]["benchmark.player.score"]
        tenth = max(1, curve.shape[1] // 10)
        scores = [curve[:, 0], curve[:, -tenth:].mean(axis=1), measures_of(first_matches(run))[:, 0]]
        rows.append([rule, TITLES[name], "no improvement", *(mean_interval(x).text(1) for x in scores)])
    return Table(
        "Section 6.1: the earlier rules",
        ["rule", "input", "published", "score against random at first", "in the last tenth", "champions"],
        rows,
        f"{found.budget.early_epochs} epochs, means over {len(scores[0])} trials; random itself scores "
        f"{found.random.players[0].score.value:.1f}.",
    )


def internal_table(found: Measured, name: str) -> Table:
    told, ours = published.INTERNAL[name], found.internal[name]["players"]
    rows = []
    for rank, (row, mine) in enumerate(zip_longest(told, ours[:SHOWN_RANKS]), 1):
        theirs = [str(row[0]), value(row[1], True), f"{row[2]:.2f}"] if row else ["", "", ""]
        our = [mine["name"], value(mine["win_rate"][0], True), f"{mine['score'][0]:.2f}"] if mine else ["", "", ""]
        rows.append([str(rank), *theirs, *our])
    return Table(
        f"Table {INTERNAL_NUMBERS[name]}: internal round robin, {TITLES[name]}",
        ["rank", "published player", "games won", "mean score", "our player", "games won", "mean score"],
        rows,
        f"Our {len(ours)} players{', the first five shown' if len(ours) > SHOWN_RANKS else ''}; "
        f"{found.budget.tournament_pairs} pairs for each two.",
    )
