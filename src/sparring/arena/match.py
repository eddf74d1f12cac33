"""Matches: the same deals in every seating, and the players' results with intervals."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.luck import Adjusted
from sparring.arena.play import SEATINGS, Keep, Progress, by_contestant, paired_jobs, play
from sparring.arena.players import Contestant, Entrant, check_game, fill_seats, find_players, is_whole, net_hashes
from sparring.arena.sequential import LIMIT, Sequential, Until, Verdict, read_until
from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.errors import UserError, cut
from sparring.games import Game, find_game

PAIRS = 1000
MOST_PAIRS = 10_000_000
MOST_THREADS = 1024


@dataclass(frozen=True)
class Standing:
    """One player's side of a match."""

    name: str
    wins: int
    win_rate: Interval
    score: Interval
    measures: dict[str, Interval]
    fitness: dict[str, Interval]
    profiles: dict[str, np.ndarray]


@dataclass(frozen=True)
class Contest:
    """What a match and a tournament have in common: what was played, on which deals, how much."""

    game: str
    rules: int
    seed: int
    pairs: int
    games: int
    draws: int
    seconds: float

    def head(self) -> dict[str, Any]:
        """These facts, as every result's JSON begins."""
        facts = {f.name: getattr(self, f.name) for f in fields(Contest)}
        return facts | {"seconds": round(self.seconds, 3)}


@dataclass(frozen=True)
class Match(Contest):
    """A match: `pairs` deals, each played in every seating."""

    players: tuple[Standing, ...]
    difference: Interval  # first player's score minus the second's; where seats are moved round, minus the others' mean
    seating: str = "every"
    sequential: Verdict | None = None
    adjusted: Adjusted | None = None
    nets: Mapping[str, str] = field(default_factory=dict)  # hashes of networks, by the players' names
    certain: bool = False  # neither deals nor players leave anything to chance, so that every deal would be the same

    def json(self) -> dict[str, Any]:
        """The match in the shape that every game shares."""
        parts = {"sequential": self.sequential, "adjusted": self.adjusted}
        more = {name: part.json() for name, part in parts.items() if part}
        return (
            self.head()
            | more
            | {
                "certain": self.certain,
                "nets": dict(self.nets),
                "score_difference": self.difference.json(),
                "players": [
                    {
                        "name": p.name,
                        "wins": p.wins,
                        "win_rate": p.win_rate.json(),
                        "score": p.score.json(),
                        "measures": {name: interval.json() for name, interval in p.measures.items()},
                        "fitness": {name: interval.json() for name, interval in p.fitness.items()},
                        "profiles": {name: np.round(values, 6).tolist() for name, values in p.profiles.items()},
                    }
                    for p in self.players
                ],
            }
        )


def match(
    game: str | Game,
    *players: Entrant,
    pairs: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    keep: Keep | None = None,
    journal: Path | None = None,
    seating: str = "every",
    until: str | Until | None = None,
) -> Match:
    """Play `pairs` deals between players, each deal in every seating, or as `seating` says; see `sparring.match`.

    With `until`, the match ends when its verdict is reached, and after `pairs` deals at the latest.

    Where nothing is left to chance a single deal is played: more would repeat it, and make intervals narrow that mean nothing.
    `journal` is a folder for the finished games of a match with programs: a stopped match resumes from it.
    """
    the_game = find_game(game) if isinstance(game, str) else check_game(game)
    contestants, seating = seat_players(the_game, players, seating)
    pairs = match_pairs(pairs, until)
    check_size(pairs, seed)
    certain = all_certain(the_game, contestants)
    pairs = 1 if certain else pairs
    began = time.perf_counter()
    sequential = (
        Sequential(read_until(until), len(contestants), seating, the_game.rules.lower_is_better) if until else None
    )
    jobs = paired_jobs(seed, np.arange(len(contestants)), pairs, seating)
    tallies = play(the_game, jobs, contestants, threads, progress, keep, journal, sequential)
    pairs, names = len(tallies) * pairs // len(jobs), [c.name for c in contestants]
    result = judge(the_game, names, tallies, seed, pairs, time.perf_counter() - began, seating, certain)
    result = replace(result, nets=net_hashes(contestants))
    return replace(result, sequential=sequential.verdict()) if sequential else result


def match_pairs(pairs: int | None, until: str | Until | None) -> int:
    """The deals of a match whose number is not given."""
    if pairs is not None:
        return pairs
    return LIMIT if until else PAIRS


def all_certain(game: Game, contestants: Sequence[Contestant]) -> bool:
    """Whether neither the deals nor any of these players leave anything to chance."""
    known = game.policies.certain
    return game.rules.certain(game.rules.chosen) and all(
        not (c.external or c.budget) and c.policy in known for c in contestants
    )


def seat_players(game: Game, players: Sequence[Entrant], seating: str = "every") -> tuple[list[Contestant], str]:
    """The contestants of a match, one for each seat, and their seating: two players at a larger table rotate."""
    if seating not in SEATINGS:
        raise UserError(f"seating = {cut(seating)}: must be one of {', '.join(SEATINGS)}")
    filled = fill_seats(game, players)
    seating = "rotated" if len(filled) > len(players) and seating == "every" else seating
    return find_players(game, filled), seating


def check_threads(threads: int | None) -> None:
    """Refuse a number of threads that is out of range."""
    if threads is not None and not is_whole(threads, 0, MOST_THREADS):
        raise UserError(f"threads = {cut(threads)}: must be from 0 to {MOST_THREADS}; 0 is all cores")


def check_size(pairs: int, seed: int) -> None:
    """Refuse a number of pairs or a seed that is out of range."""
    if not is_whole(pairs, 1, MOST_PAIRS):
        raise UserError(f"pairs = {cut(pairs)}: must be from 1 to {MOST_PAIRS}")
    check_seed(seed)


def check_seed(seed: int) -> None:
    """Refuse what is no seed."""
    if not is_whole(seed, 0, 2**64 - 1):
        raise UserError(f"seed = {cut(seed)}: must be from 0 to 2^64 - 1")


def judge(
    game: Game,
    names: list[str],
    tallies: np.ndarray,
    seed: int,
    pairs: int,
    seconds: float = 0.0,
    seating: str = "every",
    certain: bool = False,
) -> Match:
    """The match that the tallies of paired jobs make."""

    def by_player(values: np.ndarray) -> np.ndarray:
        return by_contestant(values, len(names), seating)

    # What is certain has no interval; the mean of a single deal has none.
    rate, share = (mean_interval, mean_interval) if certain else (rate_interval, share_interval)
    scores = by_player(tallies["score"]).astype(float)
    won, drawn = winners(scores, game.rules.lower_is_better)
    measures = {name: by_player(values) for name, values in game.rules.measures(tallies).items()}
    fitness = {name: by_player(function(tallies)) for name, function in game.learning.fitness.items()}
    profiles = {name: by_player(values) for name, values in game.rules.profiles(tallies).items()}
    standings = tuple(
        Standing(
            name=name,
            wins=int(won[:, :, i].sum()),
            win_rate=rate(won[:, :, i].mean(axis=1)),
            score=mean_interval(scores[:, :, i].mean(axis=1)),
            measures={
                m: (share if m in game.rules.shares else mean_interval)(values[:, :, i].mean(axis=1))
                for m, values in measures.items()
            },
            fitness={m: mean_interval(values[:, :, i].mean(axis=1)) for m, values in fitness.items()},
            profiles={m: values[:, :, i].mean(axis=(0, 1)) for m, values in profiles.items()},
        )
        for i, name in enumerate(names)
    )
    others = scores[:, :, 1:].mean(axis=2) if seating == "rotated" else scores[:, :, 1]
    difference = mean_interval((scores[:, :, 0] - others).mean(axis=1))
    played = (game.name, game.rules.version, seed, pairs, len(tallies), int(drawn.sum()), seconds)
    return Match(*played, standings, difference, seating, certain=certain)


def winners(scores: np.ndarray, lower_is_better: bool) -> tuple[np.ndarray, np.ndarray]:
    """Who won each game, and which games were drawn: the best score alone wins."""
    best = scores.min(axis=-1, keepdims=True) if lower_is_better else scores.max(axis=-1, keepdims=True)
    at_best = scores == best
    drawn = at_best.sum(axis=-1) > 1
    return at_best & ~drawn[..., None], drawn
