"""Finals among as few players as the study's: the best of five coevolved players and of three by NEAT, drawn from ours."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import Interval
from sparring.studies.golf.final_measures import HANDS, NETS
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import players

FINALS, RESAMPLED = 400, 200  # finals, and how often our trials are drawn again for the interval
Finalists = dict[str, np.ndarray]  # by input: the trial in each final, (samples, finals)


def wins_within(found: Measured, name: str) -> np.ndarray:
    """The internal tournament by trial: games that the row won from the column."""
    ranked = [int(player["name"].rpartition("/")[2]) for player in found.internal[name]["players"]]
    table = np.full((found.trials, found.trials), 0.5)
    if ranked:
        table[np.ix_(ranked, ranked)] = np.array(found.internal[name]["table"], float)
    np.fill_diagonal(table, 0.5)
    return table


def finalists(found: Measured, samples: np.ndarray, rng: np.random.Generator) -> Finalists:
    """Finals of every sample of our trials: by input the winner among as many players as the study has."""
    chosen, every = {}, np.arange(len(samples))[:, None]
    for name in NETS:
        order = rng.random((len(samples), FINALS, found.trials)).argsort(axis=2)[:, :, : len(players(name))]
        group = samples[every[:, :, None], order]
        won = wins_within(found, name)[group[:, :, :, None], group[:, :, None, :]].mean(axis=3)
        chosen[name] = np.take_along_axis(group, won.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
    return chosen


def mean_final(found: Measured, value: Callable[[Finalists], np.ndarray]) -> Interval:
    """The mean of a value over finals, with the interval within which 95% of means lie if our trials are drawn again."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(found.trials, size=(RESAMPLED, found.trials))
    means = value(finalists(found, drawn, rng)).mean(axis=1)
    mean = value(finalists(found, np.tile(np.arange(found.trials), (20, 1)), rng)).mean()
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(mean), float(min(low, mean)), float(max(high, mean)))


def result(found: Measured, chosen: Finalists, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
    """By final: the share of games that a wins from b, and its mean score."""
    first, second = (a, b) if (a, b) in found.crossed else (b, a)
    results, place = found.crossed[first, second][chosen[first], chosen[second]], (first, second).index(a)
    return results[..., place], results[..., 2 + place]


def won(found: Measured, *pairs: tuple[str, str]) -> list[Interval]:
    """The games that the first of each pair wins against the second."""
    return [mean_final(found, lambda chosen, a=a, b=b: result(found, chosen, a, b)[0]) for a, b in pairs]  # type: ignore[misc]


def hand_scores_least(found: Measured) -> Interval:
    """The least mean score of the other inputs' players minus the greatest of the hand players."""

    def gap(chosen: Finalists) -> np.ndarray:
        random = {name: found.against_random[name][chosen[name], 0] for name in NETS}
        means = {
            a: np.mean([random[a], *(result(found, chosen, a, b)[1] for b in NETS if b != a)], axis=0) for a in NETS
        }
        others = np.min([means[name] for name in NETS if name not in HANDS], axis=0)
        return np.asarray(others - np.max([means[name] for name in HANDS], axis=0))

    return mean_final(found, gap)
