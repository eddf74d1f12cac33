"""The gin rummy study's tables, published results beside ours: training, tournament, over-training, final hands."""

import numpy as np

from sparring.arena.statistics import mean_interval
from sparring.games.gin import GAME
from sparring.studies import Table, columns
from sparring.studies.formats import mean_text, percent, rate_text, share_text
from sparring.studies.gin.comparison_tables import comparison_tables, gin_table, lead_text
from sparring.studies.gin.hands import LOW, SIGNIFICANT, HandCounts, random_hands
from sparring.studies.gin.matchups import RoundRobin
from sparring.studies.gin.measured import Measured, last_tenth
from sparring.studies.gin.published import EVERYONE, HANDS, TOURNAMENT, TRAINING
from sparring.studies.study import Sections
from sparring.studies.verdicts import texts

TRAINING_SECTION, TOURNAMENT_SECTION = "Training", "The tournament"
REGIMES_SECTION, HANDS_SECTION, REPLAY_SECTION = "Over-training", "Final hands", "A hand of EVO against TD"
RANKS = GAME.rules.labels["ranks"]


def all_tables(found: Measured) -> Sections:
    """The tables by section."""
    seven = found.seven or found
    return {
        TRAINING_SECTION: [training_table(found), cost_table(found)],
        TOURNAMENT_SECTION: [kinds_table(found), turns_table(found), *([] if seven.part.trials > 1 else seven_tables(seven))],
        REGIMES_SECTION: [regimes_table(found)],
        HANDS_SECTION: [melds_table(found), preference_table(found)],
        **comparison_tables(found),
        REPLAY_SECTION: [],
    }  # fmt: skip


# Training.


def training_table(found: Measured) -> Table:
    curves = found.turns if not found.of_players else {each.title: each.turns[None, :] for each in found.players}
    if found.seven:
        curves = curves | {each.title: each.turns[None, :] for each in found.seven.players}
    rows = []
    for title, turns in curves.items():
        below = (turns < TRAINING["least_turns"]).mean(axis=1)
        cells = [mean_text(each) for each in (turns[:, 0], turns.min(axis=1), last_tenth(turns))]
        rows.append([title, "never below 200", *cells, percent(float(below.mean()))])
    rows.append(["random networks", "often 10,000 and more", mean_text(found.random["turns"]), *[""] * 3])
    seven = f", those of the study's own players after {found.seven.part.limit:,}" if found.seven else ""
    return gin_table("training", rows, found=found, seven=seven, limited=rate_text(found.random["limit"], 0))


def cost_table(found: Measured) -> Table:
    rows, total = [], 0.0
    for part, kind in dict.fromkeys((each.part, each.kind) for each in found.costs):
        costs = [each for each in found.costs if (each.part, each.kind) == (part, kind)]
        games = sum(each.trials * each.games for each in costs)
        seconds = sum(each.trials * (each.seconds or 0) for each in costs)
        total += seconds
        cells = f"{len(costs)} | {games:,} | {seconds / 60:,.1f} | {1000 * seconds / games:,.1f}"
        rows.append([f"{part}, {kind}", *columns(cells)])
    theirs = TRAINING["weeks"] * 7 * 24 * 60 * TRAINING["machines"] * TRAINING["processors"]
    return gin_table("cost", rows, total=total / 60, theirs=theirs)


# The tournament.


def games_text(tournament: RoundRobin) -> str:
    players = len(tournament.kinds)
    return (
        f"{2 * tournament.pairs} games between every two of {players} players, {players * tournament.games_each // 2:,} in all, "
        f"{tournament.draws:,} drawn (the study: {TOURNAMENT['drawn']} drawn, with eight or nine players)"
    )


def kinds_table(found: Measured) -> Table:
    tournament, rows = found.tournament, []
    for kind in EVERYONE:
        won, drawn, score, turns = (tournament.mean(name, kind) for name in ("won", "drawn", "score", "turns"))
        rows.append(
            [kind, str(len(won)), TOURNAMENT["words"][kind], *map(rate_text, (won, 1 - won - drawn, drawn))]
            + [percent(won.max()), percent(won.min()), mean_text(score, 1), mean_text(turns)]
        )
    return gin_table("kinds", rows, games=games_text(tournament))


def seven_tables(found: Measured) -> list[Table]:
    """The tournament of the study's own players."""
    tournament = found.tournament
    won, score, drawn, turns = (tournament.mean(name) for name in ("won", "score", "drawn", "turns"))
    by_score, rows = np.argsort(np.argsort(-score)) + 1, []
    for place, i in enumerate(np.lexsort((-score, -won)), 1):
        shares = [percent(each) for each in (won[i], 1 - won[i] - drawn[i], drawn[i])]
        rows.append(
            [tournament.titles[i], f"{place}", f"{by_score[i]}", *shares, f"{score[i]:.1f}", f"{turns[i]:,.0f}"]
        )
    crossed = {
        "above: games won by": (tournament.won, "{:.0%}"),
        "below: points per game of": (tournament.score, "{:.1f}"),
    }
    best_won = percent(TOURNAMENT["best_won"])
    return [gin_table("seven", rows, found=found, games=games_text(tournament), best_won=best_won)] + [
        Table(f"Figure 3, {words} the row", ["", *tournament.titles], crossed_rows(tournament.titles, values, form))
        for words, (values, form) in crossed.items()
    ]


def crossed_rows(titles: list[str], values: np.ndarray, form: str) -> list[list[str]]:
    """The row against the column."""
    cells = [["" if i == j else form.format(value) for j, value in enumerate(row)] for i, row in enumerate(values)]
    return [[title, *row] for title, row in zip(titles, cells, strict=True)]


def turns_table(found: Measured) -> Table:
    rows = [
        [kind, *(mean_text(found.tournament.mean("turns", kind, other)) for other in EVERYONE)] for kind in EVERYONE
    ]
    return gin_table("turns", rows, [f"against {kind}" for kind in EVERYONE])


# Over-training.


def regimes_table(found: Measured) -> Table:
    rows, most = [], max(regimes.leads.shape[1] for regimes in found.regimes.values())
    for kind, regimes in found.regimes.items():
        strength = regimes.leads.sum(axis=2) / (regimes.leads.shape[1] - 1)
        cells = [f"{100 * value:+.0f}" for value in strength.mean(axis=0)]
        earlier = texts([mean_interval(regimes.leads[:, -1, :-1].mean(axis=1))], ".0p")
        cells += [*[""] * (most - len(cells)), earlier, lead_text(regimes.last)]
        rows.append([kind, TOURNAMENT["overtrained"][kind], f"{regimes.games:,}", *cells])
    more = [*(f"after {n + 1}" for n in range(most)), "last over earlier", "last over best"]
    return gin_table("regimes", rows, more, found=found)


# Final hands.


def melds_table(found: Measured) -> Table:
    rows = []
    for kind, tournament in found.hands.items():
        shares = tournament.set_shares(kind)
        melds = [mean_text(tournament.mean(name, kind), 2) for name in ("sets", "runs")]
        cells = [share_text(shares), percent(shares.min()), percent(shares.max())]
        rows.append([kind, HANDS["melds"].get(kind, ""), *melds, *cells])
    return gin_table("melds", rows, found=found)


def preference_table(found: Measured) -> Table:
    rows = []
    for kind, tournament in found.hands.items():
        suits, ranks = ([counts[i] for i in tournament.of(kind)] for counts in (tournament.suits, tournament.ranks))
        largest = np.array([each.shares.max() for each in suits])
        low = np.array([each.shares[:LOW].sum() for each in ranks])
        rows.append(
            [kind, HANDS["suits"].get(kind, ""), *_uneven(suits), share_text(largest)]
            + [HANDS["ranks"].get(kind, ""), *_uneven(ranks), share_text(low)]
        )
    shares = random_hands(found.tournament.games_each, found.seed)
    random = {name: percent(share) for name, share in shares.items()}
    rows.append(["random cards", "", random["suits"], "", "25.0%", "", random["ranks"], "", percent(LOW / len(RANKS))])
    return gin_table("preferences", rows, found=found, significant=SIGNIFICANT)


def _uneven(counts: list[HandCounts]) -> list[str]:
    """How many players are uneven, by each test."""
    tests = ([each.by_cards() for each in counts], [each.by_hands() for each in counts])
    return [f"{sum(p < SIGNIFICANT for p in tested)} of {len(tested)}" for tested in tests]
