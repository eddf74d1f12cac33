"""The study's tables, what it tells beside ours: training, tournament, over-training, final hands."""

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.games.gin import GAME
from sparring.studies import Table
from sparring.studies.gin import published
from sparring.studies.gin.comparison_tables import comparison_tables
from sparring.studies.gin.hands import LOW, SIGNIFICANT, Counted, random_hands
from sparring.studies.gin.measured import Measured, Regimes, last_tenth
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.words import lead_text, mean_text, percent, share_text

TRAINING_SECTION, TOURNAMENT_SECTION = "Training", "The tournament"
REGIMES_SECTION, HANDS_SECTION = "Over-training", "Final hands"
EVERYONE = (*KINDS, RANDUMB)
SUITS, RANKS = GAME.rules.labels["suits"], GAME.rules.labels["ranks"]


def all_tables(found: Measured) -> dict[str, list[Table]]:
    """By the section that they stand in."""
    tournament = [kinds_table(found), turns_table(found)]
    if found.budget.of_players:
        tournament = [players_table(found), won_table(found), score_table(found), turns_table(found)]
    return {
        TRAINING_SECTION: [training_table(found), cost_table(found)],
        TOURNAMENT_SECTION: tournament,
        REGIMES_SECTION: [regimes_table(found)],
        HANDS_SECTION: [melds_table(found), preference_table(found), suits_table(found), ranks_table(found)],
        **comparison_tables(found),
    }


# Training.


def training_table(found: Measured) -> Table:
    rows = []
    for title, turns in training_rows(found):
        below = (turns < published.LEAST_TURNS).mean(axis=1)
        rows.append(
            [
                title,
                "never below 200",
                mean_text(turns[:, 0]),
                mean_text(turns.min(axis=1)),
                mean_text(last_tenth(turns)),
            ]
            + [percent(float(below.mean()))]
        )
    random = found.random
    rows.append(["random nets", f"often {published.RANDOM_TURNS:,} and more", mean_text(random["turns"]), "", "", ""])
    at_limit = rate_interval(random["limit"]).text(0, percent=True)
    return Table(
        "Turns a game during training",
        ["", "published", "at first", "least", "last tenth", "points below 200"],
        rows,
        f"A turn is one player's draw and throw; games end after {found.budget.limit:,} turns, those of random nets after "
        f"{published.LIMIT:,}, which {at_limit} of them reach. {_who(found)}; curves have up to {_points(found)} points. Intervals "
        f"over players. The study's EVO3 rose again after {published.ROSE_AFTER:,} games.",
    )


def training_rows(found: Measured) -> list[tuple[str, np.ndarray]]:
    """By player where the study's own are trained, else by kind."""
    if found.budget.of_players:
        return [(player.title, player.turns[None, :]) for player in found.players]
    return list(found.turns.items())


def _points(found: Measured) -> int:
    return max(len(player.turns) for player in found.players)


def _who(found: Measured) -> str:
    """How much was trained."""
    games = " and ".join(f"{found.budget.games_of(kind):,} games" for kind in KINDS)
    if found.budget.of_players:
        return f"{len(found.of(EVO))} evolved and {len(found.of(TD))} taught players of {games} each"
    return f"{found.trials} trials of either method, {found.budget.games:,} games each"


def cost_table(found: Measured) -> Table:
    rows = []
    for each in found.costs:
        seconds = "" if each.seconds is None else f"{each.seconds:,.1f}"
        minutes = "" if each.seconds is None else f"{each.seconds * each.trials / 60:,.1f}"
        clock = "" if each.wall is None else f"{each.wall / 60:,.1f}"
        rows.append([each.title, str(each.trials), f"{each.games:,}", seconds, minutes, clock])
    total = sum(each.trials * each.games for each in found.costs)
    known = [each.seconds * each.trials for each in found.costs if each.seconds is not None]
    clock = "" if found.wall is None else f"{found.wall / 60:,.1f}"
    rows.append(["all", "", f"{total:,}", "", f"{sum(known) / 60:,.1f}", clock])
    return Table(
        "What training took",
        [
            "",
            "trials",
            "games of a trial",
            "core seconds of a trial",
            "core minutes, all trials",
            "minutes by the clock",
        ],
        rows,
        f"The study: {published.GAMES[EVO]:,} games by evolution and {published.GAMES[TD]:,} by TD in {published.WEEKS} weeks on "
        f"{published.MACHINES} machines of {published.PROCESSORS} processors, {core_weeks():,} core minutes. By the clock: beside "
        "whatever else the machine did, compiling and stops included.",
    )


def core_weeks() -> int:
    """Core minutes that the study had."""
    return published.WEEKS * 7 * 24 * 60 * published.MACHINES * published.PROCESSORS


# The tournament.


def _played(found: Measured) -> str:
    told = found.tournament
    games = len(told.kinds) * told.games_each // 2
    return (
        f"{2 * told.pairs} games between every two of {len(told.kinds)} players, {games:,} in all, {told.draws:,} drawn"
    )


def kinds_table(found: Measured) -> Table:
    told, rows = found.tournament, []
    words = {EVO: "much better; the best won 87.5%", RANDUMB: "lost every game"}
    for kind in EVERYONE:
        won, drawn = told.mean("won", kind), told.mean("drawn", kind)
        lost = 1 - won - drawn
        rows.append(
            [kind, str(len(won)), words.get(kind, "")]
            + [rate_interval(share).text(1, percent=True) for share in (won, lost, drawn)]
            + [percent(won.max()), percent(won.min()), mean_text(told.mean("score", kind), 1)]
            + [mean_text(told.mean("turns", kind))]
        )
    return Table(
        "The tournament by kind",
        [
            "",
            "players",
            "published",
            "won",
            "lost",
            "drawn",
            "best, won",
            "worst, won",
            "points a game",
            "turns a game",
        ],
        rows,
        f"{_played(found)} (the study: {published.DRAWN} of eight or nine players'). Intervals over players.",
    )


def players_table(found: Measured) -> Table:
    told = found.tournament
    won, score, drawn, turns = (told.mean(name) for name in ("won", "score", "drawn", "turns"))
    by_score = np.argsort(np.argsort(-score)) + 1
    rows = []
    for place, i in enumerate(np.lexsort((-score, -won)), 1):
        rows.append(
            [told.titles[i], str(place), str(by_score[i]), percent(won[i]), percent(1 - won[i] - drawn[i])]
            + [percent(drawn[i]), f"{score[i]:.1f}", f"{turns[i]:,.0f}"]
        )
    return Table(
        "Figure 3: the tournament",
        ["player", "place by wins", "by score", "won", "lost", "drawn", "points a game", "turns a game"],
        rows,
        f"{_played(found)}. The study: {published.BEST} won {percent(published.BEST_WON)}, RANDUMB lost every game, "
        f"{published.DRAWN} draws, and wins and scores gave the same ranking. It speaks of {published.GAMES_EACH} games each, "
        "which needs nine players; eight are named.",
    )


def _table_of(found: Measured, name: str, title: str, form: str, caption: str) -> Table:
    """The row against the column."""
    told = found.tournament
    values = getattr(told, name)
    rows = [
        [title, *("" if i == j else form.format(values[i, j]) for j in range(len(values)))]
        for i, title in enumerate(told.titles)
    ]
    return Table(title, ["", *told.titles], rows, caption)


def won_table(found: Measured) -> Table:
    games = 2 * found.tournament.pairs
    return _table_of(found, "won", "Figure 3, above: games won by the row", "{:.0%}", f"Of {games} games each.")


def score_table(found: Measured) -> Table:
    return _table_of(
        found, "score", "Figure 3, below: points a game of the row", "{:.1f}", "The loser of a hand has none."
    )


def turns_table(found: Measured) -> Table:
    rows = [
        [kind, *(mean_text(found.tournament.mean("turns", kind, other)) for other in EVERYONE)] for kind in EVERYONE
    ]
    return Table(
        "Figure 4: turns a game, by who met whom",
        ["", *(f"against {kind}" for kind in EVERYONE)],
        rows,
        "The study: similarly trained players prolong their games. Means over players of the row with 95% intervals.",
    )


# Over-training.


def regimes_table(found: Measured) -> Table:
    rows, most = [], max(told.leads.shape[1] for told in found.regimes.values())
    for kind, told in found.regimes.items():
        strength = told.leads.sum(axis=2) / (told.leads.shape[1] - 1)
        cells = [f"{100 * value:+.0f}" for value in strength.mean(axis=0)]
        rows.append(
            [kind, published.OVERTRAINED[kind], f"{told.games:,}", *cells, *[""] * (most - len(cells))]
            + [lead_text(mean_interval(told.over_earlier)), _worse(told)]
        )
    return Table(
        "Figure 5: players at different times of their training",
        ["", "published", "games of a regime", *(f"after {n}" for n in range(1, most + 1))]
        + ["the last over earlier ones", "last worse than best"],
        rows,
        f"Versions of the same player, {found.budget.version_pairs} pairs of games between every two: games won less games lost, "
        "of a hundred, mean over players. Last worse than best: players whose last version loses to the version that did best, "
        f"over {found.budget.pairs} pairs on other deals, with the whole 95% interval below 0.",
    )


def _worse(told: Regimes) -> str:
    share = rate_interval(told.worse)
    return f"{int(told.worse.sum())} of {len(told.worse)}: {share.text(0, percent=True)}"


# Final hands.


def melds_table(found: Measured) -> Table:
    told, rows = found.tournament, []
    for kind in EVERYONE:
        shares = told.set_shares(kind)
        rows.append(
            [
                kind,
                published.SETS_WORDS[kind],
                mean_text(told.mean("sets", kind), 2),
                mean_text(told.mean("runs", kind), 2),
            ]
            + [share_text(shares), percent(shares.min()), percent(shares.max())]
        )
    return Table(
        "Sets and sequences in final hands",
        ["", "published", "sets a hand", "sequences a hand", "sets among melds", "least", "most"],
        rows,
        f"Hands of the tournament, {told.games_each} of each player, melds as they leave the least deadwood. Means over players "
        "with 95% intervals.",
    )


def preference_table(found: Measured) -> Table:
    told, rows = found.tournament, []
    for kind in EVERYONE:
        suits, ranks = ([counted[i] for i in told.of(kind)] for counted in (told.suits, told.ranks))
        largest = np.array([each.shares.max() for each in suits])
        low = np.array([each.shares[:LOW].sum() for each in ranks])
        rows.append(
            [kind, published.SUIT_WORDS.get(kind, ""), *_uneven(suits), share_text(largest)]
            + [published.RANK_WORDS.get(kind, ""), *_uneven(ranks), share_text(low)]
        )
    random = random_hands(told.games_each, found.seed)
    rows.append(
        ["random cards", "", percent(random["suits"]), "", "25.0%", "", percent(random["ranks"]), ""]
        + [percent(LOW / len(RANKS))]
    )
    return Table(
        "Figure 6: chi-squared tests of even suits and ranks",
        [
            "",
            "suits, published",
            "uneven",
            "by hands",
            "largest suit",
            "ranks, published",
            "uneven",
            "by hands",
            "ace to five",
        ],
        rows,
        f"Each player by itself, since they may prefer different suits. Uneven: players for whom an even share has a probability "
        f"below {SIGNIFICANT:g}, cards counted one by one as in the study; by hands: the same with hands as wholes, which runs and "
        f"sets do not mislead. Random cards: what the study's test says of {told.games_each} hands of cards at random.",
    )


def _uneven(counted: list[Counted]) -> list[str]:
    """How many players are not even, by either test."""
    found = []
    for tested in ([each.by_cards() for each in counted], [each.by_hands() for each in counted]):
        found.append(f"{sum(p < SIGNIFICANT for p in tested)} of {len(tested)}")
    return found


def suits_table(found: Measured) -> Table:
    told = found.tournament
    rows = []
    for kind in EVERYONE:
        favourites = [int(told.suits[i].shares.argmax()) for i in told.of(kind)]
        ordered = np.array([np.sort(told.suits[i].shares)[::-1] for i in told.of(kind)])
        counted = ", ".join(f"{name} {favourites.count(suit)}" for suit, name in enumerate(SUITS))
        rows.append([kind, *(percent(share) for share in ordered.mean(axis=0)), counted])
    return Table(
        "Suits of final hands",
        ["", "a player's first suit", "second", "third", "fourth", "whose first suit is which"],
        rows,
        "Shares of cards, each player's suits from its most to its least frequent; means over players.",
    )


def ranks_table(found: Measured) -> Table:
    told = found.tournament
    rows = [
        [kind, *(percent(share) for share in np.mean([told.ranks[i].shares for i in told.of(kind)], axis=0))]
        for kind in EVERYONE
    ]
    return Table("Ranks of final hands", ["", *RANKS], rows, f"Even: {percent(1 / len(RANKS))}.")
