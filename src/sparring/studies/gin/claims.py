"""What the gin rummy study says, and whether our intervals support it."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies import Table
from sparring.studies.gin import published
from sparring.studies.gin.comparison_claims import QUESTIONS
from sparring.studies.gin.hands import LOW, SIGNIFICANT, Counted
from sparring.studies.gin.measured import Measured, last_tenth
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.words import at_length, lead_text
from sparring.studies.verdicts import Judged, about, difference, judged_table, verdict

UNCOMMON = 0.1  # what is more often than that is not uncommon
ALWAYS = 0.9  # of games; as much as forty opponents can tell
NEAR = 0.1  # of a share that is told as "about"
NEARLY_ALL = 0.9
SAME_RANKING = 0.9  # of couples
HOARDED = 0.5  # of all cards, of one suit
CHANCE = 0.05  # of trainings that may look worse at their end by chance


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    budget = found.budget
    trained = (
        "the study's seven players" if budget.of_players else f"{found.trials} trials of each method, and of variants"
    )
    games = " and ".join(f"{budget.games_of(kind):,} games ({kind})" for kind in KINDS)
    return judged_table(
        [claim(found) for claim in CLAIMS], f"{trained} of {games}, {budget.limit:,} turns a game at most"
    )


# Training.


def random_nets_go_on(found: Measured) -> Judged:
    share = rate_interval(found.random["limit"])
    return (
        f"Games of random nets that do not end are not uncommon: more than {UNCOMMON:.0%} reach the limit of turns",
        f"{published.RANDOM_TURNS:,} turns and more",
        f"{share.text(0, percent=True)} reach {published.LIMIT:,}",
        verdict(share, above=UNCOMMON),
    )


def turns_fall(kind: str) -> Callable[[Measured], Judged]:
    """A claim that games get shorter during training."""

    def claim(found: Measured) -> Judged:
        turns = found.turns[kind]
        fallen = mean_interval(turns[:, 0] - last_tenth(turns))
        return (
            f"Turns a game fall during training, {kind}",
            "Figure 2",
            f"by {fallen.text(0)}",
            at_length(found, verdict(fallen, above=0.0)),
        )

    return claim


def never_below(kind: str) -> Callable[[Measured], Judged]:
    """A claim that games stay long."""

    def claim(found: Measured) -> Judged:
        least = mean_interval(found.turns[kind].min(axis=1))
        return (
            f"and never drop below {published.LEAST_TURNS}, {kind}",
            f"above {published.LEAST_TURNS}",
            f"least {least.text(0)}",
            at_length(found, verdict(least, above=published.LEAST_TURNS)),
        )

    return claim


# The tournament.


def evolved_do_better(found: Measured) -> Judged:
    won = {kind: found.tournament.mean("won", kind) for kind in KINDS}
    gap = difference(won[EVO], won[TD])
    return (
        "In the tournament the evolved players do much better than the TD players",
        "on the whole",
        f"{100 * won[EVO].mean():.1f}% and {100 * won[TD].mean():.1f}% won, {lead_text(gap, 1)} points more",
        at_length(found, verdict(gap, above=0.0)),
    )


def randumb_loses(found: Measured) -> Judged:
    told = found.tournament
    place = told.of(RANDUMB)[0]
    others = np.flatnonzero(np.arange(len(told.kinds)) != place)
    lost = rate_interval(told.won[others, place])
    return (
        f"RANDUMB loses every time (more than {ALWAYS:.0%} of its games)",
        "every game",
        f"{lost.text(1, percent=True)} lost, {100 * float(told.mean('won', RANDUMB)[0]):.1f}% won",
        at_length(found, verdict(lost, above=ALWAYS)),
    )


def same_ranking(found: Measured) -> Judged:
    alike = rate_interval(ordered_alike(found.tournament.mean("won"), found.tournament.mean("score")))
    return (
        f"Wins and scores rank the players alike: more than {SAME_RANKING:.0%} of all couples",
        "the same ranking",
        alike.text(1, percent=True),
        verdict(alike, above=SAME_RANKING),
    )


def ordered_alike(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """For each player, of how many others both measures say alike who is better."""
    signs = [np.sign(values[:, None] - values[None, :]) for values in (first, second)]
    return np.asarray(((signs[0] == signs[1]).sum(axis=1) - 1) / (len(first) - 1))


def alike_prolong(kind: str) -> Callable[[Measured], Judged]:
    """A claim that players of a kind play longer among themselves than with the other kind."""

    def claim(found: Measured) -> Judged:
        other = TD if kind == EVO else EVO
        longer = mean_interval(found.tournament.mean("turns", kind, kind) - found.tournament.mean("turns", kind, other))
        return (
            f"Similarly trained players prolong their games: {kind} among themselves, beside {kind} with {other}",
            "Figure 4",
            f"{longer.text(0)} turns longer",
            at_length(found, verdict(longer, above=0.0)),
        )

    return claim


def over_trains(kind: str) -> Callable[[Measured], Judged]:
    """A claim that some trainings end worse than they were."""

    def claim(found: Measured) -> Judged:
        worse = found.regimes[kind].worse
        share = rate_interval(worse)
        return (
            f"Over-training is an issue, {kind}: more than {CHANCE:.0%} of trainings end worse than they were",
            published.OVERTRAINED[kind],
            f"{int(worse.sum())} of {len(worse)}, {share.text(0, percent=True)}",
            at_length(found, verdict(share, above=CHANCE)),
        )

    return claim


# Final hands.


def evolved_collect_sets(found: Measured) -> Judged:
    share = share_interval(found.tournament.set_shares(EVO))
    return (
        f"Evolved players have about twice as many sets as sequences: two melds of three are sets (within {NEAR:.0%})",
        published.SETS_WORDS[EVO],
        share.text(0, percent=True),
        at_length(found, about(share, published.SET_SHARES[EVO], NEAR)),
    )


def randumb_has_sequences(found: Measured) -> Judged:
    share = melds_of_one(found)
    return (
        f"RANDUMB has twice as many sequences as sets: one meld of three is a set (within {NEAR:.0%})",
        published.SETS_WORDS[RANDUMB],
        share.text(0, percent=True),
        about(share, published.SET_SHARES[RANDUMB], NEAR),
    )


def melds_of_one(found: Measured) -> Interval:
    """Sets among RANDUMB's melds, with an interval over those it met."""
    told = found.tournament
    place = told.of(RANDUMB)[0]
    sets, runs = told.sets[place], told.runs[place]
    having = sets + runs > 0  # not so on the diagonal
    return rate_interval(sets[having] / (sets + runs)[having]) if having.any() else Interval(0.5, 0.0, 1.0)


def taught_have_sequences(found: Measured) -> Judged:
    share = share_interval(1 - found.tournament.set_shares(TD))
    return (
        f"TD players have almost all sequences: more than {NEARLY_ALL:.0%} of their melds",
        published.SETS_WORDS[TD],
        share.text(0, percent=True),
        at_length(found, verdict(share, above=NEARLY_ALL)),
    )


def _uneven(found: Measured, kind: str, suits: bool) -> tuple[str, Interval]:
    """Players of a kind who are uneven by the study's test, in words; and the share of those uneven by hands."""
    counted: list[Counted] = found.tournament.suits if suits else found.tournament.ranks
    own = [counted[i] for i in found.tournament.of(kind)]
    cards = sum(each.by_cards() < SIGNIFICANT for each in own)
    hands = np.array([each.by_hands() < SIGNIFICANT for each in own], float)
    share = rate_interval(hands)
    words = f"{int(hands.sum())} of {len(own)} uneven, {share.text(0, percent=True)} (cards one by one: {cards})"
    return words, share


def evolved_like_all_suits(found: Measured) -> Judged:
    words, share = _uneven(found, EVO, suits=True)
    return (
        "Evolved players have no suit preference: fewer than half of them",
        published.SUIT_WORDS[EVO],
        words,
        at_length(found, verdict(share, below=0.5)),
    )


def evolved_like_ranks(found: Measured) -> Judged:
    words, share = _uneven(found, EVO, suits=False)
    return (
        "Evolved players have a rank preference: more than half of them",
        "a preference",
        words,
        at_length(found, verdict(share, above=0.5)),
    )


def evolved_like_low(found: Measured) -> Judged:
    ranks = [found.tournament.ranks[i].shares for i in found.tournament.of(EVO)]
    low, even = share_interval(np.array([each[:LOW].sum() for each in ranks])), LOW / len(ranks[0])
    return (
        f"for lower ranks: ace to five are more than {100 * even:.1f}% of their cards",
        "favour lower ones",
        low.text(1, percent=True),
        at_length(found, verdict(low, above=even)),
    )


def taught_prefer_a_suit(found: Measured) -> Judged:
    words, share = _uneven(found, TD, suits=True)
    return (
        "TD players have a suit preference: more than half of them",
        published.SUIT_WORDS[TD],
        words,
        at_length(found, verdict(share, above=0.5)),
    )


def taught_hoard(found: Measured) -> Judged:
    largest = share_interval(np.array([found.tournament.suits[i].shares.max() for i in found.tournament.of(TD)]))
    return (
        f"TD players hoard one suit: more than {HOARDED:.0%} of their cards are of it",
        "they simply collect a single suit",
        largest.text(1, percent=True),
        at_length(found, verdict(largest, above=HOARDED)),
    )


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    random_nets_go_on,
    *(claim(kind) for kind in KINDS for claim in (turns_fall, never_below)),
    evolved_do_better,
    randumb_loses,
    same_ranking,
    *map(alike_prolong, KINDS),
    *map(over_trains, KINDS),
    evolved_collect_sets,
    randumb_has_sequences,
    taught_have_sequences,
    evolved_like_all_suits,
    evolved_like_ranks,
    evolved_like_low,
    taught_prefer_a_suit,
    taught_hoard,
    *QUESTIONS,
)
