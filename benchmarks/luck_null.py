"""Null matches: a player meets itself, and luck-adjusted results must show no difference: `python -m benchmarks.luck_null GAME`.

Each deal is played once: in pairs a player without luck of its own would play the same game twice. One of the players counts as the
first; it sits in each seat in turn, deal by deal, so that no seat's advantage counts. The difference is its score minus the others'
mean. A null match is cut into parts, each with a seed of its own. After every part, sums over all deals are written to
results/luck-null-GAME.json, so that the same command goes on with a stopped match, and further with more `--games`; the file names
every commit that played a part. Another seed, player or judge is refused, because it would replace what is stored; `--again` begins
anew. The coefficient is fitted to the deals of the other half, as in `sparring match --adjust`. Results do
not depend on the number of threads.
"""

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.processes import ROOT, at_least, commit
from sparring.arena.luck import LuckMeter
from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, net_hashes, pack_players
from sparring.arena.statistics import Interval, student
from sparring.games import name_game
from sparring.kernel.random import derive
from sparring.lab.bench import machine
from sparring.nets.files import replace_file

PART = 4000  # deals; the sums of a part are added at once, so that a stopped match ends with the same bytes
JUDGES = ROOT / "benchmarks" / "judges"


class Null(NamedTuple):
    """A player that meets itself, and who judges the luck."""

    game: str
    player: str
    judge: str


NULLS = {
    "backgammon": Null("backgammon", "pubeval", str(JUDGES / "backgammon.safetensors")),
    "golf": Null("golf", "sensible", str(JUDGES / "golf.safetensors")),
    "gin": Null("gin:rules=full,length=hand", "simple", "hands"),
    "hearts": Null("hearts", "rule-based", "hands"),
}


class Sums:
    """Of pairs of differences and their luck: how many, and the sums of both, of their squares and of their products."""

    def __init__(self, values: Sequence[float] = (0.0,) * 6) -> None:
        self.values = np.array(values, float)

    def add(self, plain: np.ndarray, luck: np.ndarray) -> None:
        """Count some deals."""
        self.values += [len(plain), plain.sum(), luck.sum(), plain @ plain, luck @ luck, plain @ luck]

    def moments(self) -> tuple[float, np.ndarray, np.ndarray]:
        """How many, the means of differences and of luck, and their covariances (of a population)."""
        n, x, y, xx, yy, xy = self.values.tolist()
        means = np.array([x, y]) / n
        return n, means, np.array([[xx, xy], [xy, yy]]) / n - np.outer(means, means)


def lead(values: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """A seat's value minus the others' mean, game by game."""
    mine = values[np.arange(len(values)), seats]
    ahead: np.ndarray = mine - (values.sum(axis=1) - mine) / (values.shape[1] - 1)
    return ahead


def slope(sums: Sums) -> float:
    """How much differences rise with luck."""
    covariances = sums.moments()[2]
    return float(covariances[0, 1] / covariances[1, 1]) if covariances[1, 1] > 0 else 0.0


def interval(mean: float, variance: float, n: float) -> Interval:
    """A mean's 95% interval, of a population variance."""
    half = student(n - 1) * math.sqrt(variance / (n - 1))
    return Interval(mean, mean - half, mean + half)


def adjusted(halves: Sequence[Sums]) -> dict[str, Any]:
    """The result of a null match so far, plain and adjusted."""
    whole = Sums(halves[0].values + halves[1].values)
    n, means, covariances = whole.moments()
    parts = []  # of the adjusted differences of each half: how many, their mean, their variance
    coefficients = slope(halves[1]), slope(halves[0])
    for half, b in zip(halves, coefficients, strict=True):
        k, (x, y), c = half.moments()
        parts.append((k, x - b * y, c[0, 0] - 2 * b * c[0, 1] + b * b * c[1, 1]))
    mean = sum(k * m for k, m, _ in parts) / n
    variance = sum(k * (v + (m - mean) ** 2) for k, m, v in parts) / n
    return {
        "games": int(n),
        "score_difference": interval(means[0], covariances[0, 0], n).json(),
        "adjusted": {
            "score_difference": interval(mean, variance, n).json(),
            "luck": interval(means[1], covariances[1, 1], n).json(),
            "coefficient": round(float(np.mean(coefficients)), 6),
            "variance_ratio": round(covariances[0, 0] / variance, 4),
        },
    }


class Match:
    """A null match: who plays, by whom it is judged, and what is known so far."""

    def __init__(self, name: str, seed: int, path: Path, threads: int | None, again: bool = False) -> None:
        self.null, self.seed, self.path, self.threads = NULLS[name], seed, path, threads
        self.game = name_game(self.null.game)
        self.meter = LuckMeter(self.game, self.null.judge, threads=threads)
        self.seats = min(self.game.rules.seats)
        self.contestants = find_players(self.game, [self.null.player] * self.seats)
        self.players = pack_players(self.game, self.contestants)
        self.halves, self.seconds, self.core_seconds = [Sums(), Sums()], 0.0, 0.0
        self.commit, self.commits = commit(), list[str]()  # the present one, and all that played a part
        if path.exists() and not again:
            self.go_on(json.loads(path.read_text()))

    def go_on(self, found: dict[str, Any]) -> None:
        """Count from where a stored match was; refused if it was another match."""
        result = found["result"]
        stored = found["seed"], result["game"], result["player"], result["nets"]
        if stored != (self.seed, self.null.game, self.null.player, self.nets()):
            kept = f"{result['games']:,} games with seed {found['seed']}"
            sys.exit(f"{self.path}: {kept} and another seed, player or judge are stored; --again replaces them")
        self.halves = [Sums(values) for values in result["sums"]]
        self.seconds, self.core_seconds = found["seconds"], found["core_seconds"]
        self.commits = found.get("commits", [found["commit"]])

    @property
    def games(self) -> int:
        """The games so far."""
        return int(sum(half.values[0] for half in self.halves))

    def nets(self) -> dict[str, str]:
        """Hashes of what plays and judges."""
        return net_hashes(self.contestants) | {"judge": hashlib.sha256(self.meter.judge[1].tobytes()).hexdigest()[:16]}

    def play_part(self) -> None:
        """Play the next part, judge its luck and add up."""
        seed = derive(self.seed, "null", self.games // PART)
        jobs = paired_jobs(seed, np.arange(self.seats), PART, "given")
        began, spent = time.perf_counter(), time.process_time()
        moves = self.game.launcher.play_here(jobs, *self.players, self.threads, True)[1]
        length = 64
        while length < moves.shape[1] and (moves[:, length - 1] >= 0).any():
            length *= 2
        scores, lucks = self.meter.judged(jobs, np.ascontiguousarray(moves[:, :length]))
        deals = np.arange(PART)
        plain, luck = (lead(values[:, : self.seats], deals % self.seats) for values in (scores, lucks))
        for k, half in enumerate(self.halves):
            chosen = deals // self.seats % 2 == k
            half.add(plain[chosen], luck[chosen])
        self.commits += {self.commit} - {*self.commits}
        self.seconds += time.perf_counter() - began
        self.core_seconds += time.process_time() - spent

    def write(self, command: str) -> None:
        """Store what is known so far."""
        result: dict[str, Any] = {
            "game": self.null.game,
            "player": self.null.player,
            "judge": Path(self.null.judge).stem,
        }
        result |= {"nets": self.nets(), **adjusted(self.halves), "sums": [half.values.tolist() for half in self.halves]}
        found = {
            "command": command,
            "seed": self.seed,
            "commit": ", ".join(self.commits),
            "commits": self.commits,
            "date": date.today().isoformat(),
            "machine": machine(),
            "nets": {},  # of champions; the judge's is in the result
            "seconds": round(self.seconds, 1),
            "core_seconds": round(self.core_seconds, 1),
            "result": result,
        }
        replace_file(self.path, (json.dumps(found, indent=1) + "\n").encode())


def main(words: Sequence[str] | None = None) -> None:
    """Play a null match, or go on with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=NULLS)
    parser.add_argument("--games", type=at_least(1, int), default=1_000_000, help="rounded up to whole parts")
    parser.add_argument("--seed", type=int, default=2028)
    parser.add_argument("--threads", type=at_least(1, int), default=None)
    parser.add_argument("--again", action="store_true", help="begin anew, whatever is stored")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="the folder that keeps it")
    given = parser.parse_args(words)
    path = given.results / f"luck-null-{given.game}.json"
    match = Match(given.game, given.seed, path, given.threads, given.again)
    command = f"python -m benchmarks.luck_null {given.game} --games {given.games} --seed {given.seed}"
    while match.games < given.games:
        match.play_part()
        match.write(command)
    print(json.dumps(adjusted(match.halves)))


if __name__ == "__main__":
    main()
