"""Stagnation: species that no longer improve die out, least fit first."""

from collections.abc import Callable

import numpy as np

from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.species import Species

FUNCTIONS: dict[str, Callable[[np.ndarray], float]] = {
    "mean": lambda values: float(values.sum() / len(values)),
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
    "median": lambda values: float(np.sort(values)[len(values) // 2]),  # the upper of two in the middle
    "median2": lambda values: float(np.median(values)),
}


def survivors(
    species: Species, members: list[np.ndarray], fitness: np.ndarray, generation: int, options: NeatOptions
) -> list[int]:
    """The surviving species by place, least fit first; updates the record of their fitness."""
    function = FUNCTIONS[options.species_fitness_func]
    now = np.array([function(fitness[rows]) for rows in members])
    better = now > species.best_fitness
    species.last_improved = np.where(better, generation, species.last_improved)
    species.best_fitness = np.maximum(species.best_fitness, now)
    order = np.argsort(now, kind="stable")
    if not options.speciation:
        return [int(place) for place in order]
    left, kept = len(order), []
    for rank, place in enumerate(order):
        old = generation - species.last_improved[place] >= options.max_stagnation
        spared = left <= options.species_elitism or len(order) - rank <= options.species_elitism
        if old and not spared:
            left -= 1
        else:
            kept.append(int(place))
    return kept
