"""The golf study's tables, each with the published figures beside ours."""

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import Interval, mean_interval, share_interval
from sparring.papers import Table
from sparring.papers.golf import published
from sparring.papers.golf.measured import Measured, first_matches, measures_of
from sparring.papers.golf.published import FINAL_ROWS, INPUTS, TITLES

WORDS = ("mean score", "games won", "matches per game", "turns per round", "rounds ended")
PERCENT = (False, True, False, False, True)
AGAINST_RANDOM_NUMBERS = {"hand": 18, "state-hand": 20, "state": 22}
AGAINST_TRAINING_NUMBERS = {"hand": 17, "state-hand": 19, "state": 21}
INTERNAL_NUMBERS = {"hand": 26, "state-hand": 27, "state": 28}
SHOWN_RANKS = 5


def all_tables(found: Measured) -> list[Table]:
    """In the study's order."""
    tables = [
        supervised_table(found),
        random_table(found),
        coevolution_table(found),
        *final_tables(found),
        *greedier_tables(found),
    ]
    tables += [
        supervised_trials(found, name, number)
        for name, number in (("numerical", 13), ("one-hot-value", 14), ("one-hot-deck", 15))
    ]
    tables += [threshold_table(found), early_table(found)]
    for name in INPUTS:
        tables.append(
            players_table(
                found.against_training[name],
                published.AGAINST_TRAINING[name],
                f"Table {AGAINST_TRAINING_NUMBERS[name]}: {TITLES[name]} players against their training opponents",
                found,
            )
        )
        tables.append(
            players_table(
                found.against_random[name],
                published.AGAINST_RANDOM[name],
                f"Table {AGAINST_RANDOM_NUMBERS[name]}: {TITLES[name]} players against random",
                found,
            )
        )
    return tables + [internal_table(found, name) for name in INPUTS]


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


def coevolution_table(found: Measured) -> Table:
    rows = []
    for name in INPUTS:
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
    return Table(
        "Table 6: coevolved players against random",
        ["input", "", "published", "ours", "our trials"],
        rows,
        _trials(found),
    )


def _trials(found: Measured) -> str:
    return (
        f"{found.trials} trials of {found.budget.epochs} epochs (the study's 5), {found.budget.pairs} pairs of games per champion; "
        f"95% intervals of the mean over trials; seed {found.seed}."
    )


def players_table(ours: np.ndarray, told: tuple[tuple[float, ...], ...], title: str, found: Measured) -> Table:
    """Published players one by one; ours one by one, or the lowest, median and highest score where they are many."""
    order = np.argsort(ours[:, 0])
    chosen = order if len(order) <= SHOWN_RANKS else order[[0, len(order) // 2, -1]]
    names = [f"trial {i:03d}" for i in chosen]
    if len(order) > SHOWN_RANKS:
        names = [
            f"{name}, {rank}" for name, rank in zip(names, ("lowest score", "median", "highest score"), strict=True)
        ]
    rows = [[f"published {i + 1}", *(value(x, PERCENT[m]) for m, x in enumerate(row))] for i, row in enumerate(told)]
    rows.append(["published, average", *(value(x, PERCENT[m]) for m, x in enumerate(np.mean(told, axis=0)))])
    rows += [
        [name, *(value(x, PERCENT[m]) for m, x in enumerate(ours[i]))] for name, i in zip(names, chosen, strict=True)
    ]
    rows.append(["ours, average", *(averaged(ours[:, m], m).text(2, PERCENT[m]) for m in range(5))])
    return Table(title, ["player", *WORDS], rows, _trials(found))


def final_tables(found: Measured) -> list[Table]:
    """Tables 8 to 10 without NEAT's players."""
    order = [next(i for i, p in enumerate(found.final.players) if p.name == name) for name in FINAL_ROWS]
    tables = []
    for number, what, told, ours, percent in (
        (8, "games won by the row", published.FINAL_WINS, found.final.win_table, True),
        (9, "mean score of the row", published.FINAL_SCORES, found.final.score_table, False),
    ):
        digits = 0 if percent else 2
        rows = [
            [
                name,
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
                ["", *FINAL_ROWS],
                rows,
                f"The best champion of each input, chosen in its internal tournament; {found.final.pairs} pairs for each two.",
            )
        )
    return [*tables, ranking_table(found)]


def ranking_table(found: Measured) -> Table:
    """Table 10, and the published means over the players that ours has too."""
    rows = []
    for player in found.final.players:
        i = FINAL_ROWS.index(player.name)
        won, score = (
            [x for x in table[i] if x is not None] for table in (published.FINAL_WINS, published.FINAL_SCORES)
        )
        told = published.FINAL_RANKING[player.name]
        rows.append(
            [player.name, value(told[0], True), value(float(np.mean(won)), True), player.win_rate.text(2, True)]
            + [value(told[1], False), value(float(np.mean(score)), False), player.score.text(2), player.rating.text(0)]
        )
    header = [
        "player",
        "games won, published",
        "over these four",
        "ours",
        "mean score, published",
        "over these four",
        "ours",
        "our rating",
    ]
    return Table("Table 10: ranking", header, rows, "Published means are over seven players, NEAT's three among them.")


def greedier_tables(found: Measured) -> list[Table]:
    rows, others = [], []
    for name in FINAL_ROWS:
        greedier, player = found.greedier[name].players
        rows.append([name, *_pair(published.GREEDIER[name], greedier)])
        others.append([name, *_pair(published.AGAINST_GREEDIER[name], player)])
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
    for rank in range(SHOWN_RANKS):
        player, won, score = told[rank]
        mine = ours[rank] if rank < len(ours) else None
        rows.append(
            [
                str(rank + 1),
                str(player),
                value(won, True),
                f"{score:.2f}",
                *(
                    [mine["name"], value(mine["win_rate"][0], True), f"{mine['score'][0]:.2f}"]
                    if mine
                    else ["", "", ""]
                ),
            ]
        )
    return Table(
        f"Table {INTERNAL_NUMBERS[name]}: internal round robin, {TITLES[name]}",
        ["rank", "published player", "games won", "mean score", "our player", "games won", "mean score"],
        rows,
        f"Our {len(ours)} players{', the first five shown' if len(ours) > SHOWN_RANKS else ''}; "
        f"{found.budget.tournament_pairs} pairs for each two.",
    )
