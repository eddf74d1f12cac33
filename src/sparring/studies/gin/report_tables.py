"""The gin rummy study's tables, published results beside ours: training, tournament, over-training, final hands."""

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.games.gin import GAME
from sparring.studies import Table, columns
from sparring.studies.formats import mean_text, percent, rate_text, share_text
from sparring.studies.gin import published
from sparring.studies.gin.comparison_tables import comparison_tables
from sparring.studies.gin.hands import LOW, SIGNIFICANT, HandCounts, random_hands
from sparring.studies.gin.measured import Measured, last_tenth
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.study import Sections
from sparring.studies.verdicts import texts

TRAINING_SECTION, TOURNAMENT_SECTION = "Training", "The tournament"
REGIMES_SECTION, HANDS_SECTION, REPLAY_SECTION = "Over-training", "Final hands", "A hand of EVO against TD"
EVERYONE = (*KINDS, RANDUMB)
SUITS, RANKS = GAME.rules.labels["suits"], GAME.rules.labels["ranks"]


def all_tables(found: Measured) -> Sections:
    """The tables by section."""
    tournament = [kinds_table(found), turns_table(found)]
    if found.budget.of_players:
        games, points = f"Of {2 * found.tournament.pairs} games each.", "The loser of a hand scores nothing."
        tournament = [
            players_table(found),
            crossed_table(found, "won", "Figure 3, above: games won by the row", "{:.0%}", games),
            crossed_table(found, "score", "Figure 3, below: points per game of the row", "{:.1f}", points),
            turns_table(found),
        ]
    return {
        TRAINING_SECTION: [training_table(found), cost_table(found)],
        TOURNAMENT_SECTION: tournament,
        REGIMES_SECTION: [regimes_table(found)],
        HANDS_SECTION: [melds_table(found), preference_table(found), suits_table(found), ranks_table(found)],
        **comparison_tables(found),
        REPLAY_SECTION: [],
    }


# Training.


def training_table(found: Measured) -> Table:
    budget = found.budget
    by_title = {player.title: player.turns[None, :] for player in found.players} if budget.of_players else found.turns
    rows = []
    for title, turns in by_title.items():
        below = (turns < published.LEAST_TURNS).mean(axis=1)
        cells = [mean_text(each) for each in (turns[:, 0], turns.min(axis=1), last_tenth(turns))]
        rows.append([title, "never below 200", *cells, percent(float(below.mean()))])
    often = f"often {published.RANDOM_TURNS:,} and more"
    rows.append(["random networks", often, mean_text(found.random["turns"]), "", "", ""])
    who = f"{found.trials} trials of each method, {budget.games:,} games each"
    if budget.of_players:
        games = " and ".join(f"{budget.games_of(kind):,} games" for kind in KINDS)
        who = f"{len(found.of(EVO))} evolved and {len(found.of(TD))} TD players of {games} each"
    points = max(len(player.turns) for player in found.players)
    return Table(
        "Turns per game during training",
        columns("| published | at first | least | last tenth | points below 200"),
        rows,
        f"A turn is one player's draw and discard. Games end after {budget.limit:,} turns, those of random networks after "
        f"{published.LIMIT:,}, which {rate_text(found.random['limit'], 0)} of them reach. {who}; curves have up to {points} "
        f"points. Intervals over players. The turns of the study's EVO3 rose again after {published.ROSE_AFTER:,} games.",
    )


def cost_table(found: Measured) -> Table:
    def number(value: float | None) -> str:
        return "" if value is None else f"{value:,.1f}"

    def minutes(seconds: float | None) -> str:
        return number(None if seconds is None else seconds / 60)

    rows, total = [], 0.0
    for each in found.costs:
        seconds = None if each.seconds is None else each.seconds * each.trials
        total += seconds or 0.0
        rows.append([each.title, str(each.trials), f"{each.games:,}", number(each.seconds), minutes(seconds)])
        rows[-1].append(minutes(each.wall))
    games = sum(each.trials * each.games for each in found.costs)
    rows.append(["all", "", f"{games:,}", "", minutes(total), minutes(found.wall)])
    processors = published.MACHINES * published.PROCESSORS
    return Table(
        "Cost of training",
        columns("| trials | games per trial | core seconds per trial | core minutes, all trials | elapsed minutes"),
        rows,
        f"The study: {published.GAMES[EVO]:,} games by evolution and {published.GAMES[TD]:,} by TD in {published.WEEKS} weeks on "
        f"{published.MACHINES} machines with {published.PROCESSORS} processors, {published.WEEKS * 7 * 24 * 60 * processors:,} "
        "core minutes. Elapsed time includes compiling, stops and other work on the machine.",
    )


# The tournament.


def _games(found: Measured) -> str:
    tournament = found.tournament
    games = len(tournament.kinds) * tournament.games_each // 2
    return (
        f"{2 * tournament.pairs} games between every two of {len(tournament.kinds)} players, {games:,} in all, "
        f"{tournament.draws:,} drawn"
    )


def kinds_table(found: Measured) -> Table:
    tournament, rows = found.tournament, []
    words = {EVO: "much better; the best won 87.5%", RANDUMB: "lost every game"}
    for kind in EVERYONE:
        won, drawn, score, turns = (tournament.mean(name, kind) for name in ("won", "drawn", "score", "turns"))
        rows.append(
            [kind, str(len(won)), words.get(kind, ""), *map(rate_text, (won, 1 - won - drawn, drawn))]
            + [percent(won.max()), percent(won.min()), mean_text(score, 1), mean_text(turns)]
        )
    return Table(
        "The tournament by kind",
        columns(
            "| players | published | won | lost | drawn | best, won | worst, won | points per game | turns per game"
        ),
        rows,
        f"{_games(found)} (the study: {published.DRAWN} drawn, with eight or nine players). Intervals over players.",
    )


def players_table(found: Measured) -> Table:
    won, score, drawn, turns = (found.tournament.mean(name) for name in ("won", "score", "drawn", "turns"))
    by_score = np.argsort(np.argsort(-score)) + 1
    rows = []
    for place, i in enumerate(np.lexsort((-score, -won)), 1):
        rows.append(
            [found.tournament.titles[i], str(place), str(by_score[i]), percent(won[i]), percent(1 - won[i] - drawn[i])]
            + [percent(drawn[i]), f"{score[i]:.1f}", f"{turns[i]:,.0f}"]
        )
    return Table(
        "Figure 3: the tournament",
        columns("player | rank by wins | by score | won | lost | drawn | points per game | turns per game"),
        rows,
        f"{_games(found)}. The study: {published.BEST} won {percent(published.BEST_WON)}, RANDUMB lost every game, "
        f"{published.DRAWN} draws, and wins and scores gave the same ranking. It reports {published.GAMES_EACH} games each, which "
        "implies nine players, but names eight.",
    )


def crossed_table(found: Measured, name: str, title: str, form: str, caption: str) -> Table:
    """The row against the column."""
    tournament = found.tournament
    values = getattr(tournament, name)
    rows = [
        [player, *("" if i == j else form.format(value) for j, value in enumerate(values[i]))]
        for i, player in enumerate(tournament.titles)
    ]
    return Table(title, ["", *tournament.titles], rows, caption)


def turns_table(found: Measured) -> Table:
    rows = [
        [kind, *(mean_text(found.tournament.mean("turns", kind, other)) for other in EVERYONE)] for kind in EVERYONE
    ]
    return Table(
        "Figure 4: turns per game, by matchup",
        ["", *(f"against {kind}" for kind in EVERYONE)],
        rows,
        "The study: similarly trained players prolong their games. Means over players of the row with 95% intervals.",
    )


# Over-training.


def regimes_table(found: Measured) -> Table:
    rows, most = [], max(regimes.leads.shape[1] for regimes in found.regimes.values())
    for kind, regimes in found.regimes.items():
        strength = regimes.leads.sum(axis=2) / (regimes.leads.shape[1] - 1)
        cells = [f"{100 * value:+.0f}" for value in strength.mean(axis=0)]
        worse = regimes.worse
        rows.append(
            [kind, published.OVERTRAINED[kind], f"{regimes.games:,}", *cells, *[""] * (most - len(cells))]
            + [texts([mean_interval(regimes.over_earlier)], ".0p")]
            + [f"{int(worse.sum())} of {len(worse)}: {rate_interval(worse).text(0, percent=True)}"]
        )
    return Table(
        "Figure 5: versions of players during training",
        ["", "published", "games per regime", *(f"after {n}" for n in range(1, most + 1))]
        + ["last over earlier ones", "last worse than best"],
        rows,
        f"Versions of the same player, {found.budget.version_pairs} pairs of games between every two: games won minus games lost, "
        "per hundred, mean over players. Last worse than best: players whose last version loses to their best version over "
        f"{found.budget.pairs} pairs on other deals, with the whole 95% interval below 0.",
    )


# Final hands.


def melds_table(found: Measured) -> Table:
    tournament, rows = found.tournament, []
    for kind in EVERYONE:
        shares = tournament.set_shares(kind)
        melds = [mean_text(tournament.mean(name, kind), 2) for name in ("sets", "runs")]
        cells = [share_text(shares), percent(shares.min()), percent(shares.max())]
        rows.append([kind, published.SETS_WORDS[kind], *melds, *cells])
    return Table(
        "Sets and sequences in final hands",
        columns("| published | sets per hand | sequences per hand | sets among melds | least | most"),
        rows,
        f"Hands of the tournament, {tournament.games_each} of each player, melded for the least deadwood. Means over players with "
        "95% intervals.",
    )


def preference_table(found: Measured) -> Table:
    tournament, rows = found.tournament, []
    for kind in EVERYONE:
        suits, ranks = ([counts[i] for i in tournament.of(kind)] for counts in (tournament.suits, tournament.ranks))
        largest = np.array([each.shares.max() for each in suits])
        low = np.array([each.shares[:LOW].sum() for each in ranks])
        rows.append(
            [kind, published.SUIT_WORDS.get(kind, ""), *_uneven(suits), share_text(largest)]
            + [published.RANK_WORDS.get(kind, ""), *_uneven(ranks), share_text(low)]
        )
    random = random_hands(tournament.games_each, found.seed)
    rows.append(
        ["random cards", "", percent(random["suits"]), "", "25.0%", "", percent(random["ranks"]), ""]
        + [percent(LOW / len(RANKS))]
    )
    return Table(
        "Figure 6: chi-squared tests of even suits and ranks",
        columns("| suits, published | uneven | by hands | largest suit")
        + columns("ranks, published | uneven | by hands | ace to five"),
        rows,
        f"Each player is tested alone, because players may prefer different suits. Uneven: p below {SIGNIFICANT:g}, cards counted "
        "one by one as in the study. By hands: the same for whole hands, which runs and sets do not mislead. Random cards: the "
        f"study's test of {tournament.games_each} random hands.",
    )


def _uneven(counts: list[HandCounts]) -> list[str]:
    """How many players are uneven, by each test."""
    tests = ([each.by_cards() for each in counts], [each.by_hands() for each in counts])
    return [f"{sum(p < SIGNIFICANT for p in tested)} of {len(tested)}" for tested in tests]


def suits_table(found: Measured) -> Table:
    rows = []
    for kind in EVERYONE:
        shares = [found.tournament.suits[i].shares for i in found.tournament.of(kind)]
        favourites = [int(each.argmax()) for each in shares]
        ordered = np.array([np.sort(each)[::-1] for each in shares])
        counted = ", ".join(f"{name} {favourites.count(suit)}" for suit, name in enumerate(SUITS))
        rows.append([kind, *(percent(share) for share in ordered.mean(axis=0)), counted])
    return Table(
        "Suits of final hands",
        columns("| a player's first suit | second | third | fourth | players by first suit"),
        rows,
        "Shares of cards, each player's suits from the most to the least frequent; means over players.",
    )


def ranks_table(found: Measured) -> Table:
    ranks = found.tournament.ranks
    rows = [
        [kind, *(percent(share) for share in np.mean([ranks[i].shares for i in found.tournament.of(kind)], axis=0))]
        for kind in EVERYONE
    ]
    return Table("Ranks of final hands", ["", *RANKS], rows, f"Even: {percent(1 / len(RANKS))}.")
