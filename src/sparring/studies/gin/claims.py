"""How the gin rummy study's claims, which are in claims.toml, are measured."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.studies.gin.hands import LOW, SIGNIFICANT, HandCounts
from sparring.studies.gin.measured import UNTRAINED, Measured, last_tenth
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD, TOURNAMENT
from sparring.studies.gin.settings import EXPLORING
from sparring.studies.verdicts import UNKNOWN, difference, expected, read_claims


def lead(leads: np.ndarray) -> Interval:
    """The mean over trials of games won minus games lost, from -1 to 1."""
    share = rate_interval((1 + leads) / 2)
    return Interval(*(2 * end - 1 for end in (share.value, share.low, share.high)))


def timed(found: Measured) -> dict[str, np.ndarray]:
    """Milliseconds per game by kind, of trainings with one limit."""
    part = "research" if found.research else "players"
    known = [
        (each.kind, 1000 * each.seconds / each.games) for each in found.costs if each.seconds and each.part == part
    ]
    return {kind: np.array([time for each, time in known if each == kind]) for kind in KINDS}


def time_per_game(found: Measured) -> Interval:
    """How much more time a game of TD takes than one of evolution, over trainings."""
    times = timed(found)
    return difference(times[TD], times[EVO]) if min(map(len, times.values())) else UNKNOWN


def best_of_three(found: Measured) -> Interval:
    """What the best of as many evolved players as the study's wins, in one more such group."""
    shares, size = found.tournament.mean("won", EVO), TOURNAMENT["evolved"]
    groups = shares[: len(shares) // size * size].reshape(-1, size)
    return expected(groups.max(axis=1)) if len(groups) else UNKNOWN


def randumb_lost(found: Measured) -> Interval:
    place = found.tournament.of(RANDUMB)[0]
    return rate_interval(np.delete(found.tournament.won[:, place], place))


def ordered_alike(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """For each player, the share of others for which both measures agree who is better."""
    signs = [np.sign(values[:, None] - values[None, :]) for values in (first, second)]
    return np.asarray(((signs[0] == signs[1]).sum(axis=1) - 1) / (len(first) - 1))


def longer_among(found: Measured, kind: str, other: str) -> Interval:
    """How much longer games within a kind are than games with the other."""
    return mean_interval(found.tournament.mean("turns", kind, kind) - found.tournament.mean("turns", kind, other))


def of_hands(found: Measured, kind: str, counts: str, value: Callable[[HandCounts], float]) -> np.ndarray:
    """A value of the final hands of each player of a kind."""
    counted: list[HandCounts] = getattr(found.tournament, counts)
    return np.array([value(counted[player]) for player in found.tournament.of(kind)], float)


def exploration_leads(found: Measured) -> np.ndarray:
    """The lead of TD that explores over TD that does not, in the mean of all kinds; empty if nothing was trained."""
    tried = [variant.own.lead for name in EXPLORING if (variant := found.research.get(name)) and variant.own]
    return np.asarray(np.mean(tried, axis=0)) if tried else np.zeros(0)


def later_lead(found: Measured, kind: str) -> Interval:
    """The lead of players' last version over the one in the middle of their training."""
    leads = found.regimes[kind].leads
    return lead(leads[:, -1, leads.shape[1] // 2])


MEASURES: dict[str, Callable[..., Interval | list[Interval]]] = {
    "random limit": lambda found: rate_interval(found.random["limit"]),
    "turns fall": lambda found, kind: mean_interval(found.turns[kind][:, 0] - last_tenth(found.turns[kind])),
    "least turns": lambda found, kind: mean_interval(found.turns[kind].min(axis=1)),
    "time per game": time_per_game,
    "evolved ahead": lambda found: difference(*(found.tournament.mean("won", kind) for kind in KINDS)),
    "best of three": best_of_three,
    "randumb lost": randumb_lost,
    "ranked alike": lambda found: rate_interval(ordered_alike(*map(found.tournament.mean, ("won", "score")))),
    "longer among": longer_among,
    "later lead": later_lead,
    "last lead": lambda found, kind: lead(found.regimes[kind].last.lead),
    "sets": lambda found, kind: share_interval(found.tournament.set_shares(kind)),
    "random sets": lambda found: expected(found.untrained.set_shares(UNTRAINED)),
    "uneven": lambda found, kind, counts: rate_interval(of_hands(found, kind, counts, lambda each: each.by_hands() < SIGNIFICANT)),
    "low ranks": lambda found, kind: share_interval(of_hands(found, kind, "ranks", lambda each: each.shares[:LOW].sum())),
    "largest suit": lambda found, kind: share_interval(of_hands(found, kind, "suits", lambda each: each.shares.max())),
    "evolution leads": lambda found, equal: [lead(found.duels[equal].matchups.lead)] if equal in found.duels else [],
    "exploration leads": lambda found: [lead(leads)] if len(leads := exploration_leads(found)) else [],
}  # fmt: skip


COUNTS: dict[str, Callable[[Measured], int]] = {  # what intervals are over
    "": lambda found: found.trials,
    "players": lambda found: len(found.tournament.titles) - 1,
    "trainings": lambda found: sum(map(len, timed(found).values())),
    "exploration": lambda found: len(exploration_leads(found)),
}
GROUPS: dict[str, dict[str, Any]] = {  # claims about training need one as long as one of the study's regimes
    "pairs": {"trials": lambda found: len(found.random["limit"])},
    **{name: {"trials": count, "conclusive": lambda found: found.part.whole} for name, count in COUNTS.items()},
}
CLAIMS = read_claims("gin", MEASURES, GROUPS)
