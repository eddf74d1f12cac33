"""Comparisons of runs by the results of their trials' champions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval
from sparring.arena.trials import (
    LEVEL,
    Scores,
    bootstrap,
    holm,
    interquartile_mean,
    p_value,
    performance_profile,
    probability_of_improvement,
)
from sparring.errors import UserError
from sparring.games import name_game
from sparring.lab.run import Run, open_run

WON = "won"  # the share of games won
THRESHOLDS = 21
INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Method:
    """One run, or the runs of one method on several games."""

    name: str
    scores: Scores  # of every trial, game by game
    middle: Interval  # the interquartile mean
    profile: np.ndarray

    @property
    def trials(self) -> int:
        """The trials of all its runs."""
        return sum(map(len, self.scores))


@dataclass(frozen=True)
class Pair:
    """Two methods: how likely a trial of the first is the better one."""

    first: str
    second: str
    probability: Interval
    p: float  # after Holm's correction
    better: str  # the better method, or inconclusive


@dataclass(frozen=True)
class Comparison:
    """Methods on the same games against the same opponents."""

    by: str
    games: tuple[str, ...]
    opponents: tuple[tuple[str, ...], ...]  # of each game
    thresholds: np.ndarray
    methods: tuple[Method, ...]
    pairs: tuple[Pair, ...]

    def json(self) -> dict[str, Any]:
        """The comparison as `sparring compare --json` prints it."""
        return {
            "by": self.by,
            "games": [{"game": g, "opponents": list(o)} for g, o in zip(self.games, self.opponents, strict=True)],
            "thresholds": np.round(self.thresholds, 6).tolist(),
            "methods": [
                {
                    "name": method.name,
                    "trials": method.trials,
                    "interquartile_mean": method.middle.json(),
                    "profile": np.round(method.profile, 6).tolist(),
                }
                for method in self.methods
            ],
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "probability_of_improvement": pair.probability.json(),
                    "p": round(pair.p, 6),
                    "verdict": pair.better,
                }
                for pair in self.pairs
            ],
        }


Place = str | Path | Run


def compare(*runs: Place | Sequence[Place], by: str = WON, game: str = "") -> Comparison:
    """Compare finished runs by their trials: interquartile means, probabilities of improvement, performance profiles.

    For a method on several games, name a sequence of runs, one for each game. `by` is `won`, the share of games won, or, on one
    game, `score` or a fitness. Name a game that is not Sparring's own.
    """
    if game:
        name_game(game)
    named = [[run] if isinstance(run, Place) else list(run) for run in runs]
    return compare_methods(
        [[run if isinstance(run, Run) else open_run(Path(run)) for run in each] for each in named], by
    )


def compare_methods(groups: Sequence[Sequence[Run]], by: str = WON) -> Comparison:
    """Compare methods, each with one run of every game, by the mean of each trial over the opponents they have in common."""
    games = _games(groups)
    opponents = tuple(_opponents([group[i] for group in groups]) for i in range(len(games)))
    lower = by == "score" and groups[0][0].game.rules.lower_is_better
    _check(groups, by, games)
    names = _names(groups)
    scores = [[_trials(run, whom, by) for run, whom in zip(group, opponents, strict=True)] for group in groups]
    pooled = np.concatenate([trials for group in scores for trials in group])
    thresholds = np.linspace(pooled.min(), pooled.max(), THRESHOLDS)
    methods = tuple(
        Method(name, own, bootstrap(interquartile_mean, own), performance_profile(own, thresholds))
        for name, own in zip(names, scores, strict=True)
    )
    return Comparison(by, games, opponents, thresholds, methods, _pairs(methods, lower))


def _pairs(methods: Sequence[Method], lower_is_better: bool) -> tuple[Pair, ...]:
    both = list(combinations(methods, 2))
    corrected = holm([p_value(a.scores, b.scores) for a, b in both])
    found = []
    for (a, b), p in zip(both, corrected, strict=True):
        groups = (b.scores, a.scores) if lower_is_better else (a.scores, b.scores)
        chance = bootstrap(probability_of_improvement, *groups)
        better = INCONCLUSIVE if p >= LEVEL else a.name if chance.value > 0.5 else b.name
        found.append(Pair(a.name, b.name, chance, p, better))
    return tuple(found)


def _games(groups: Sequence[Sequence[Run]]) -> tuple[str, ...]:
    if len(groups) < 2:
        raise UserError("a comparison needs two runs or more")
    games = [tuple(run.game.name for run in group) for group in groups]
    for group, found in zip(groups, games, strict=True):
        if found != games[0]:
            wanted, names = ", ".join(games[0]), ", ".join(str(run.folder) for run in group)
            raise UserError(
                f"{names}: of {', '.join(found)}, but the first is of {wanted}; name runs in the same order"
            )
    return games[0]


def _opponents(runs: Sequence[Run]) -> tuple[str, ...]:
    """Whom the champions of all runs met."""
    listed = [run.experiment.evaluation.opponents for run in runs]
    common = tuple(name for name in listed[0] if all(name in names for names in listed))
    if not common:
        raise UserError(f"{', '.join(run.folder.name for run in runs)}: evaluated against no opponent in common")
    return common


def _check(groups: Sequence[Sequence[Run]], by: str, games: tuple[str, ...]) -> None:
    known = [WON, "score", *groups[0][0].game.learning.fitness]
    if by not in known:
        raise UserError(f"by = {by!r}: must be one of {', '.join(known)}")
    if by != WON and len(games) > 1:
        raise UserError(f"by = {by!r}: scores of several games have no common scale; compare them by {WON}")


def _names(groups: Sequence[Sequence[Run]]) -> list[str]:
    """By folder; by path where folders of the same name are compared."""
    names = [",".join(run.folder.name for run in group) for group in groups]
    paths = [",".join(str(run.folder) for run in group) for group in groups]
    return names if len(set(names)) == len(names) else paths


def _trials(run: Run, opponents: Sequence[str], by: str) -> np.ndarray:
    """Each trial's result, averaged over opponents."""
    listed = run.experiment.evaluation.opponents
    rows = [
        [row["matches"][listed.index(name)]["players"][0] for name in opponents] for row in run.evaluation()["trials"]
    ]
    return np.array([np.mean([_value(player, by) for player in players]) for players in rows])


def _value(player: dict[str, Any], by: str) -> float:
    found = player["win_rate"] if by == WON else player["score"] if by == "score" else player["fitness"][by]
    return float(found[0])
