"""Ladders: the players that come with a game, rated against each other until it is known how far each is ahead of the next.

A batch of games goes to the two players whose games tell most, for their time, about the differences that are still uncertain.
Ratings are Bradley-Terry ratings with mean 0. Their intervals come from the variance of points from deal to deal (a sandwich
estimate: White, "Maximum Likelihood Estimation of Misspecified Models", 1982): the games of a deal may depend on each other.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from sparring.arena.match import all_certain
from sparring.arena.players import Contestant
from sparring.arena.ratings import PRIOR, SCALE, strengths
from sparring.arena.statistics import Interval
from sparring.arena.tournament import meeting_points
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.random import derive

FIRST, MOST = 2, 2000  # deals of a meeting's first batch, and of the largest
BATCH = 5.0  # seconds of a core that a batch takes, about
FORGET = 2  # deals that the guess of a meeting's variance counts as much as
APART = 400.0  # points, odds of ten to one: a difference that is surely larger need not be known better
Z = 1.96


@dataclass
class Meeting:
    """What two players have won from each other."""

    players: tuple[str, str]
    counts: dict[float, int] = field(default_factory=dict)  # how often the first won so many points on a deal
    seconds: float = 0.0  # of a core
    batches: int = 0

    @property
    def deals(self) -> int:
        return sum(self.counts.values())

    def json(self) -> dict[str, Any]:
        """As it is stored."""
        counts = {f"{points:g}": count for points, count in sorted(self.counts.items())}
        return {
            "players": list(self.players), "deals": self.deals, "points": counts,
            "core_seconds": round(self.seconds, 3), "batches": self.batches,
        }  # fmt: skip


def read_meeting(stored: dict[str, Any], most: float) -> Meeting:
    """A meeting that was stored; ValueError where it has numbers that no meeting with `most` points in a deal has."""
    counts = {float(points): count for points, count in stored["points"].items()}
    seconds, batches = float(stored["core_seconds"]), stored["batches"]
    whole = all(type(count) is int and 0 <= count < 1 << 53 for count in (*counts.values(), batches))
    if not (whole and 0 <= seconds < math.inf and all(0 <= points <= most for points in counts)):
        raise ValueError("a number out of its range")
    return Meeting((str(stored["players"][0]), str(stored["players"][1])), counts, seconds, batches)


def points_of_deal(game: Game) -> float:
    """The points of a deal, which two players share."""
    return float(min(game.rules.seats))


def shipped(game: Game) -> list[str]:
    """The players that come with a game: built-in ones, champions and levels, but no external programs."""
    levels = [level.player for level in game.presentation.levels]
    names = dict.fromkeys([*game.builtin, *game.policies.champions, *levels])
    return [name for name in names if name not in game.policies.external]


class Ladder:
    """The players of a ladder and their meetings so far."""

    def __init__(self, game: Game, players: Sequence[Contestant], seed: int, meetings: Sequence[Meeting] = ()) -> None:
        if len(players) < 2:
            raise UserError("a ladder needs two players or more")
        self.game, self.players, self.seed = game, list(players), seed
        known = {meeting.players: meeting for meeting in meetings}
        pairs = list(combinations(range(len(players)), 2))
        names = [(players[i].name, players[j].name) for i, j in pairs]
        self.meetings = {pair: known.get(both) or Meeting(both) for pair, both in zip(pairs, names, strict=True)}

    @property
    def per_deal(self) -> float:
        return points_of_deal(self.game)

    def played_out(self, pair: tuple[int, int]) -> bool:
        """Whether further deals would repeat the same games."""
        certain = all_certain(self.game, [self.players[k] for k in pair])
        return certain and self.meetings[pair].deals > 0

    def play(self, pair: tuple[int, int], deals: int, threads: int | None = None) -> None:
        """Play a batch of deals between two players."""
        meeting, both = self.meetings[pair], [self.players[k] for k in pair]
        deals = 1 if all_certain(self.game, both) else deals
        seed = derive(self.seed, "ladder", *meeting.players, meeting.batches) >> 1
        began = time.process_time()
        points = meeting_points(self.game, both, deals, seed, threads)[:, 0]
        meeting.seconds += time.process_time() - began
        meeting.batches += 1
        for value in points.round(6).tolist():
            meeting.counts[value] = meeting.counts.get(value, 0) + 1

    def ratings(self) -> list[Interval]:
        """The ratings of the players, in their order."""
        value, spread = self._estimate()
        half = Z * np.sqrt(np.diag(spread))
        return [Interval(float(v), float(v - h), float(v + h)) for v, h in zip(value, half, strict=True)]

    def leads(self) -> list[tuple[int, Interval]]:
        """The players in order of their ratings, each with its lead over the next; that of the last is 0."""
        value, spread = self._estimate()
        order = sorted(range(len(value)), key=lambda k: -value[k])
        found = []
        for i, j in zip(order, order[1:], strict=False):
            half = Z * math.sqrt(spread[i, i] + spread[j, j] - 2 * spread[i, j])
            lead = float(value[i] - value[j])
            found.append((i, Interval(lead, lead - half, lead + half)))
        return [*found, (order[-1], Interval(0.0, 0.0, 0.0))]

    def uncertain(self, within: float) -> list[tuple[int, int]]:
        """Neighbours whose difference is not known to `within`, and may be small."""
        leads = self.leads()
        both = [(i, j, lead) for (i, lead), (j, _) in zip(leads, leads[1:], strict=False)]
        return [(i, j) for i, j, lead in both if lead.high - lead.value > within and lead.low < APART]

    def next_batch(self, within: float) -> tuple[tuple[int, int], int] | None:
        """The meeting that tells most for its time, and its deals; None where all differences are known."""
        for pair, meeting in self.meetings.items():
            if not meeting.deals:
                return pair, FIRST
        value, spread = self._estimate()
        wanted = self.uncertain(within)
        best, most = None, 0.0
        for (i, j), meeting in self.meetings.items():
            if self.played_out((i, j)):
                continue
            seconds = max(meeting.seconds / meeting.deals, 1e-6)
            deals = max(1, min(MOST, int(BATCH / seconds)))
            mean = self.per_deal / (1 + math.exp((value[j] - value[i]) / SCALE))
            slope = mean * (1 - mean / self.per_deal) / SCALE  # of a deal's points by the difference in rating
            # At most what independent games tell: one-sided results vary little, which says nothing about their slope.
            tells = deals * min(slope**2 / self._variance(meeting, mean), slope / SCALE)
            shift = spread[:, i] - spread[:, j]
            gain = (
                sum((shift[k] - shift[n]) ** 2 for k, n in wanted)
                * tells
                / (1 + (shift[i] - shift[j]) * tells)
                / (deals * seconds)
            )
            if gain > most:
                best, most = ((i, j), deals), gain
        return best

    def _variance(self, meeting: Meeting, mean: float) -> float:
        """The variance of a deal's points, near that of independent games where few deals are known."""
        guess = max(mean * (1 - mean / self.per_deal), 1e-3)
        found = sum(count * (points - mean) ** 2 for points, count in meeting.counts.items())
        return (found + FORGET * guess) / (meeting.deals + FORGET)

    def _estimate(self) -> tuple[np.ndarray, np.ndarray]:
        """The ratings, and the covariance of their errors."""
        count = len(self.players)
        wins = PRIOR * (1 - np.eye(count))
        for (i, j), meeting in self.meetings.items():
            won = sum(points * times for points, times in meeting.counts.items())
            wins[i, j] += won
            wins[j, i] += self.per_deal * meeting.deals - won
        value = strengths(wins)
        chance = 1 / (1 + np.exp((value[None, :] - value[:, None]) / SCALE))
        weight = (wins + wins.T) * chance * chance.T / SCALE
        bread = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
        filling = np.zeros((count, count))
        for (i, j), meeting in self.meetings.items():
            mean = self.per_deal * chance[i, j]
            one = np.zeros(count)
            one[i], one[j] = 1.0, -1.0
            prior = PRIOR * (chance[i, j] ** 2 + chance[j, i] ** 2)  # as if the wins that are granted were random
            filling += (meeting.deals * self._variance(meeting, mean) + prior) * np.outer(one, one)
        return value, bread @ filling @ bread

    def climb(self, within: float, minutes: float, threads: int | None, keep: Callable[["Ladder"], None]) -> bool:
        """Play until all differences are known to `within`, or for so many core minutes; returns whether they are known."""
        began = time.process_time()
        while (batch := self.next_batch(within)) is not None:
            if time.process_time() - began > 60 * minutes:
                return False
            self.play(*batch, threads)
            keep(self)
        return not self.uncertain(within)
