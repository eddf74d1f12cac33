"""How the golf study's claims, which are in claims.toml, are measured."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.games.golf import WORST
from sparring.studies.golf import final_measures as final
from sparring.studies.golf import intervals as of
from sparring.studies.golf import small_finals
from sparring.studies.golf.measured import Measured, matches_of, measures_of
from sparring.studies.golf.published import DATA, INPUTS, NEAT
from sparring.studies.golf.settings import RULES, START
from sparring.studies.verdicts import difference, read_claims

PLAYER_TABLES = dict(zip((*INPUTS, *NEAT), (18, 20, 22, 23, 24, 25), strict=True))
TRAINING_TABLES = dict(zip(INPUTS, (17, 19, 21), strict=True))
SUPERVISED_TABLES = dict(zip(DATA["supervised"], (13, 14, 15), strict=True))
EPOCHS, GENERATIONS = 1500, 50  # of the study
SCORE, MATCHES, FITNESS = "benchmark.player.score", "benchmark.player.matches_per_game", "population.mean.fitness"


def together(found: Measured, *calls: list[Any]) -> list[Interval]:
    """The intervals of several measures, one after the other."""
    return [interval for name, *arguments in calls for interval in MEASURES[name](found, *arguments)]


def fewer_than_random(found: Measured, names: Sequence[str]) -> list[Interval]:
    random = found.random.players[0].score.value
    return [mean_interval(random - of.column(found, name, "score")) for name in names]


def easier_opponent(found: Measured) -> list[Interval]:
    """The same champions against both opponents: a paired difference."""
    return [mean_interval(found.against_training[name][:, 0] - of.column(found, name, "score")) for name in INPUTS]


def match_correlation(found: Measured) -> Interval:
    """The correlation of matches with scores along the curve of each trial."""
    scores, matches = (found.curves["hand"][1][key] for key in (SCORE, MATCHES))
    return mean_interval(np.array([np.corrcoef(s, m)[0, 1] for s, m in zip(scores, matches, strict=True)]))


def stalling_helps_random(found: Measured) -> Interval:
    """Over hand trials: stalemates in late training, and rounds that random ends against the champion."""
    stalled = of.late(found.curves["hand"][1]["training.player.stalemates"])
    ended = [match["players"][1]["measures"]["rounds_ended"][0] for match in matches_of(found.runs["hand"])]
    return of.correlation(stalled, np.array(ended))


def early_gains(found: Measured, rule: str, start: float = START) -> list[Interval]:
    """By how much champions score less than networks without training, as a share of random's score."""
    random = found.random.players[0].score.value
    champions = [measures_of(matches_of(found.early[rule, name, start]))[:, 0] for name in INPUTS]
    return [
        difference(found.untrained[name, start] / random, ours / random)
        for name, ours in zip(INPUTS, champions, strict=True)
    ]


def several_species(found: Measured) -> Interval:
    """The share of trials that ever have more than one species."""
    several = [(found.curves[name][1]["population.species"] > 1).any(axis=1) for name in NEAT]
    return rate_interval(np.concatenate(several).astype(float))


def fastest_fall(found: Measured) -> Interval:
    """The largest fall of any input's population from the second last tenth of training to the last."""
    falls = []
    for scores in (WORST - found.curves[name][1][FITNESS] for name in NEAT):
        tenth = max(1, scores.shape[1] // 10)
        falls.append(mean_interval(of.late(scores[:, :-tenth]) - of.late(scores)))
    return max(falls, key=lambda interval: interval.low)


def supervised(found: Measured, name: str, key: str, half: bool = False) -> np.ndarray:
    """A figure of the networks of one representation, or of those with half as many hidden units as inputs."""
    return np.array([fit[key] for fit in found.supervised if (fit["representation"], fit["half"]) == (name, half)])


def supervised_rises(found: Measured, key: str, sign: int, half: bool = False) -> list[Interval]:
    values = [sign * supervised(found, name, key, half) for name in DATA["supervised"]]
    return [difference(b, a) for a, b in pairwise(values)]


def supervised_slowdown(found: Measured, half: bool = False) -> list[Interval]:
    """How much longer each representation trains than the one before, as a share of the latter's time."""
    values = [supervised(found, name, "seconds", half) for name in DATA["supervised"]]
    return [difference(b / a.mean(), a / a.mean()) for a, b in pairwise(values)]


def supervised_beside_published(found: Measured, name: str) -> list[Interval]:
    theirs, keys = np.array(DATA["supervised_trials"][name]), {"mean_absolute_error": 1, "r2": 2}
    return [difference(supervised(found, name, key), theirs[:, m], comparisons=2) for key, m in keys.items()]


MEASURES: dict[str, Callable[..., Any]] = {
    "together": together,
    "each": of.each,
    "gaps": of.gaps,
    "rises": of.rises,
    "best of": of.best_of,
    "beside published": of.beside_published,
    "range of matches": lambda found: of.sampled(of.column(found, "hand", "matches_per_game"), 5, np.ptp),
    "final cards": of.card_gaps,
    "cards beyond random": of.cards_beyond_random,
    "curves": of.curves,
    "curve gaps": of.curve_gaps,
    "apart": of.apart,
    "fewer than random": fewer_than_random,
    "easier opponent": easier_opponent,
    "match correlation": match_correlation,
    "stalling helps random": stalling_helps_random,
    "early gains": early_gains,
    "mean of ten": lambda found, divisor: of.sampled(found.threshold / divisor, 10, np.mean),
    "epochs beyond": lambda found, points: rate_interval((found.threshold > points).astype(float)),
    "several species": several_species,
    "fastest fall": fastest_fall,
    "wins": final.wins,
    "hand scores least": final.hand_scores_least,
    "own kind": final.own_kind,
    "each other": final.each_other,
    "state disturbs": final.state_disturbs,
    "state disturbs all": final.state_disturbs_all,
    "small finals won": small_finals.won,
    "small finals, hand scores least": small_finals.hand_scores_least,
    "against greedier": lambda found, *names: [found.greedier[name].players[1].win_rate for name in names],
    "supervised rises": supervised_rises,
    "supervised slowdown": supervised_slowdown,
    "supervised beside published": supervised_beside_published,
}


def full(found: Measured) -> bool:
    """Whether trainings are as long as the study's."""
    return found.budget.epochs >= EPOCHS and found.budget.generations >= GENERATIONS


GROUPS: dict[str, dict[str, Any]] = {  # what decides, and the number of observations
    "": {"conclusive": full},
    "early": {"conclusive": full, "trials": lambda found: found.early[RULES[0], "hand", START].experiment.trials},
    "random": {"trials": lambda found: len(found.threshold)},
    "supervised": {
        "conclusive": lambda found: found.budget.supervised.iterations >= 200,
        "trials": lambda found: found.budget.supervised.networks,
    },
}
CLAIMS = read_claims("golf", MEASURES, GROUPS)
