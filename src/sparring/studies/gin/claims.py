"""The gin rummy study's claims, questions and suggestions, judged by our intervals."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.games.deck import RANKS
from sparring.studies.formats import percent
from sparring.studies.gin import published
from sparring.studies.gin.clusters import lead_of
from sparring.studies.gin.hands import LOW, SIGNIFICANT, HandCounts
from sparring.studies.gin.matchups import Matchups
from sparring.studies.gin.measured import Measured, last_tenth
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.settings import EXPLORING, SUGGESTED, VARIANTS
from sparring.studies.verdicts import Claim, Judged, Test, above, below, difference, judge, near, undecided

UNCOMMON = 0.1  # a larger share is not uncommon
ALWAYS = 0.9  # of games: as much as forty opponents can show
NEAR = 0.1  # of a share: "about"
NEARLY_ALL = 0.9
SAME_RANKING = 0.9  # of pairs of players
HOARDED = 0.5  # of all cards, of one suit
CHANCE = 0.05  # of trainings that may look worse at their end by chance
MISSING = "not at this budget"
LOW_SHARE = LOW / RANKS


def long_enough(found: Measured) -> bool:
    """Whether training was at least as long as one of the study's regimes."""
    return found.budget.whole


TrainingClaim = partial(Claim, conclusive=long_enough)

# Training.


def shorter_games(kind: str) -> list[Claim]:
    """The claims that games get shorter during training, but not short."""
    return [
        TrainingClaim(
            f"Turns per game fall during training, {kind}",
            "Figure 2",
            lambda found: mean_interval(found.turns[kind][:, 0] - last_tenth(found.turns[kind])),
            above(0.0),
            "by {:.0f}",
        ),
        TrainingClaim(
            f"and never drop below {published.LEAST_TURNS}, {kind}",
            f"above {published.LEAST_TURNS}",
            lambda found: mean_interval(found.turns[kind].min(axis=1)),
            above(published.LEAST_TURNS),
            "least {:.0f}",
        ),
    ]


# The tournament.


def evolved_do_better(found: Measured) -> Judged:
    won = {kind: found.tournament.mean("won", kind) for kind in KINDS}
    return judge(
        "In the tournament the evolved players do much better than the TD players",
        "on the whole",
        difference(won[EVO], won[TD]),
        above(0.0),
        f"{percent(won[EVO].mean())} and {percent(won[TD].mean())} won, {{:.1p}} points more",
        conclusive=long_enough(found),
    )


def randumb_loses(found: Measured) -> Judged:
    tournament = found.tournament
    place = tournament.of(RANDUMB)[0]
    return judge(
        f"RANDUMB loses every time (more than {ALWAYS:.0%} of its games)",
        "every game",
        rate_interval(np.delete(tournament.won[:, place], place)),
        above(ALWAYS),
        f"{{:.1%}} lost, {percent(float(tournament.mean('won', RANDUMB)[0]))} won",
        conclusive=long_enough(found),
    )


def ordered_alike(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """For each player, the share of others for which both measures agree who is better."""
    signs = [np.sign(values[:, None] - values[None, :]) for values in (first, second)]
    return np.asarray(((signs[0] == signs[1]).sum(axis=1) - 1) / (len(first) - 1))


def longer_among(found: Measured, kind: str, other: str) -> Interval:
    """How much longer games within a kind are than games with the other."""
    return mean_interval(found.tournament.mean("turns", kind, kind) - found.tournament.mean("turns", kind, other))


def over_trains(found: Measured, kind: str) -> Judged:
    worse = found.regimes[kind].worse
    return judge(
        f"Over-training is an issue, {kind}: more than {CHANCE:.0%} of trainings end worse than they were before",
        published.OVERTRAINED[kind],
        rate_interval(worse),
        above(CHANCE),
        f"{int(worse.sum())} of {len(worse)}, {{:.0%}}",
        conclusive=long_enough(found),
    )


# Final hands.


def randumb_sets(found: Measured) -> Interval:
    """The share of sets among RANDUMB's melds, with an interval over its opponents."""
    place = found.tournament.of(RANDUMB)[0]
    sets, runs = found.tournament.sets[place], found.tournament.runs[place]
    known = sets + runs > 0  # not on the diagonal
    return rate_interval(sets[known] / (sets + runs)[known]) if known.any() else Interval(0.5, 0.0, 1.0)


def uneven(found: Measured, claim: str, theirs: str, kind: str, counts: str, test: Test) -> Judged:
    """A claim about the share of players whose suits or ranks are uneven, by whole hands; and by the study's test."""
    counted: list[HandCounts] = getattr(found.tournament, counts)
    own = [counted[i] for i in found.tournament.of(kind)]
    cards = sum(each.by_cards() < SIGNIFICANT for each in own)
    hands = np.array([each.by_hands() < SIGNIFICANT for each in own], float)
    ours = f"{int(hands.sum())} of {len(own)} uneven, {{:.0%}} (cards one by one: {cards})"
    conclusive = long_enough(found)
    return judge(claim, theirs, rate_interval(hands), test, ours, conclusive=conclusive)


def low_ranks(found: Measured) -> Interval:
    """The share of low ranks in the hands of evolved players."""
    ranks = [found.tournament.ranks[i].shares for i in found.tournament.of(EVO)]
    return share_interval(np.array([shares[:LOW].sum() for shares in ranks]))


def largest_suit(found: Measured) -> Interval:
    """The share of the largest suit in the hands of TD players."""
    return share_interval(np.array([found.tournament.suits[i].shares.max() for i in found.tournament.of(TD)]))


# Questions: does evolution beat TD, and do the study's suggestions help?


def lead(matchups: Matchups, comparisons: int = 1) -> Interval:
    """The first player's lead, trial by trial or by trial and rotation."""
    won, lost = (share.reshape(len(share), -1) for share in (matchups.won, matchups.lost))
    return lead_of(won, lost, comparisons)


def evolution_wins(found: Measured, equal: str) -> Judged:
    """The claim that evolution beats TD at equal games or equal time."""
    duel = getattr(found, f"equal_{equal}")
    claim = f"Evolution beats TD at equal {equal}: it wins more games than it loses"
    if duel is None:
        return undecided(claim, "outperforms", MISSING)
    found_lead = lead(duel.matchups)
    return judge(claim, "outperforms", found_lead, above(0.0), "lead of {:.0p} in 100", long_enough(found))


def leads(found: Measured, names: Sequence[str], other: bool) -> dict[str, Interval]:
    """The leads of variants over their own method or the other; they share the 5%."""
    tried = [found.variants[name] for name in names if name in found.variants]
    matchups = {variant.title: variant.other if other else variant.own for variant in tried}
    return {title: lead(each, len(matchups)) for title, each in matchups.items() if each is not None}


def helps(found: Measured, names: Sequence[str], claim: str, theirs: str = "supposed", other: bool = False) -> Judged:
    """The claim that one of these variants wins more games than it loses: not supported only if none does."""
    found_leads = leads(found, names, other)
    if not found_leads:
        return undecided(claim, theirs, MISSING)
    title, best = max(found_leads.items(), key=lambda item: (item[1].low, item[1].value))
    widest = Interval(best.value, best.low, max(each.high for each in found_leads.values()))
    which = f"{title}: " if len(names) > 1 else ""
    test: Test = lambda _: above(0.0)(widest)  # noqa: E731
    return judge(claim, theirs, best, test, f"{which}lead of {{:.0p}} in 100", long_enough(found))


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    Claim(
        f"Games of random networks often do not end: more than {UNCOMMON:.0%} reach the limit of turns",
        f"{published.RANDOM_TURNS:,} turns and more",
        lambda found: rate_interval(found.random["limit"]),
        above(UNCOMMON),
        f"{{:.0%}} reach {published.LIMIT:,}",
    ),
    *(claim for kind in KINDS for claim in shorter_games(kind)),
    evolved_do_better,
    randumb_loses,
    Claim(
        f"Wins and scores rank the players alike: in more than {SAME_RANKING:.0%} of all pairs",
        "the same ranking",
        lambda found: rate_interval(ordered_alike(found.tournament.mean("won"), found.tournament.mean("score"))),
        above(SAME_RANKING),
        "{:.1%}",
    ),
    *(
        TrainingClaim(
            f"Similarly trained players prolong their games: {kind} against {kind}, compared with {kind} against {other}",
            "Figure 4",
            partial(longer_among, kind=kind, other=other),
            above(0.0),
            "{:.0f} turns longer",
        )
        for kind, other in (KINDS, KINDS[::-1])
    ),
    *(partial(over_trains, kind=kind) for kind in KINDS),
    TrainingClaim(
        f"Evolved players have about twice as many sets as sequences: two of three melds are sets (within {NEAR:.0%})",
        published.SETS_WORDS[EVO],
        lambda found: share_interval(found.tournament.set_shares(EVO)),
        near(published.SET_SHARES[EVO], NEAR),
        "{:.0%}",
    ),
    Claim(
        f"RANDUMB has twice as many sequences as sets: one of three melds is a set (within {NEAR:.0%})",
        published.SETS_WORDS[RANDUMB],
        randumb_sets,
        near(published.SET_SHARES[RANDUMB], NEAR),
        "{:.0%}",
    ),
    TrainingClaim(
        f"TD players have almost only sequences: more than {NEARLY_ALL:.0%} of their melds",
        published.SETS_WORDS[TD],
        lambda found: share_interval(1 - found.tournament.set_shares(TD)),
        above(NEARLY_ALL),
        "{:.0%}",
    ),
    partial(
        uneven,
        claim="Evolved players have no suit preference: fewer than half of them",
        theirs=published.SUIT_WORDS[EVO],
        kind=EVO,
        counts="suits",
        test=below(0.5),
    ),
    partial(
        uneven,
        claim="Evolved players have a rank preference: more than half of them",
        theirs="a preference",
        kind=EVO,
        counts="ranks",
        test=above(0.5),
    ),
    TrainingClaim(
        f"for lower ranks: ace to five are more than {percent(LOW_SHARE)} of their cards",
        "favour lower ones",
        low_ranks,
        above(LOW_SHARE),
        "{:.1%}",
    ),
    partial(
        uneven,
        claim="TD players have a suit preference: more than half of them",
        theirs=published.SUIT_WORDS[TD],
        kind=TD,
        counts="suits",
        test=above(0.5),
    ),
    TrainingClaim(
        f"TD players hoard one suit: more than {HOARDED:.0%} of their cards",
        "they simply collect a single suit",
        largest_suit,
        above(HOARDED),
        "{:.1%}",
    ),
    partial(evolution_wins, equal="games"),
    partial(evolution_wins, equal="time"),
    partial(helps, names=EXPLORING, claim="Exploration improves TD: one kind of it beats TD without"),
    partial(helps, names=EXPLORING, claim="Exploration rescues TD: with one kind of it TD beats evolution", other=True),
    partial(helps, names=["td-mean"], claim="Means beat medians, TD: drawing by the mean beats drawing by the median"),
    partial(helps, names=["evo-mean"], claim="the same, EVO"),
    partial(helps, names=["td-places"], claim="Four inputs per card help TD"),
    partial(helps, names=["evo-places"], claim="Four inputs per card help evolution"),
    partial(
        helps,
        names=["evo-reset"],
        claim="Challengers bred anew, as in Pollack and Blair, beat EVO as the study describes it",
        theirs="its model",
    ),
    *(
        partial(
            helps,
            names=[name],
            claim=f"{VARIANTS[name].title}: better than the study's {VARIANTS[name].kind}",
            theirs="suggested",
        )
        for name in SUGGESTED
    ),
)
