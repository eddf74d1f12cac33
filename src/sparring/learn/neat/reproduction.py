"""Reproduction: the number of children of each species, and their possible parents."""

import math
from dataclasses import dataclass

import numpy as np

from sparring.learn.neat.options import NeatOptions


@dataclass(frozen=True)
class Plan:
    """The plan of the next generation: the elites, and the pool of each child's parents."""

    elites: np.ndarray  # rows, in the order of their ids
    ranked: np.ndarray  # rows of all parents, species by species
    pool_first: np.ndarray  # for every child, the start of its pool in `ranked`
    pool_count: np.ndarray  # and its size


def shared_fitness(fitness: np.ndarray, members: list[np.ndarray]) -> list[float]:
    """Every species' mean fitness, scaled so that the worst genome has 0 and the best 1."""
    all_of_them = np.concatenate([fitness[rows] for rows in members])
    low, high = float(all_of_them.min()), float(all_of_them.max())
    return [(float(fitness[rows].sum() / len(rows)) - low) / max(1.0, high - low) for rows in members]


def spawn_counts(shared: list[float], sizes: list[int], pop_size: int, least: int) -> list[int]:
    """The next size of every species: halfway from its size to its share of the fitness, then scaled to the total."""
    total = sum(shared)
    counts = []
    for share, size in zip(shared, sizes, strict=True):
        wish = max(least, share / total * pop_size) if total > 0 else least
        way = (wish - size) * 0.5
        counts.append(size + (round(way) or (way > 0) - (way < 0)))
    scale = pop_size / sum(counts)
    return [max(least, round(count * scale)) for count in counts]


def exact_counts(counts: list[int], pop_size: int, least: int) -> list[int]:
    """The counts adjusted to the total: one more for each in turn from the smallest, or one less from the largest."""
    counts = list(counts)
    missing = pop_size - sum(counts)
    order = sorted(range(len(counts)), key=lambda place: counts[place], reverse=missing < 0)
    while missing:
        for place in order:
            if missing > 0:
                counts[place] += 1
                missing -= 1
            elif missing < 0 and counts[place] > least:
                counts[place] -= 1
                missing += 1
    return counts


def least_size(options: NeatOptions) -> int:
    """The fewest genomes that a species has in the next generation."""
    return max(options.min_species_size, options.elitism)


def fitting(species: list[int], options: NeatOptions) -> list[int]:
    """The species, least fit first, that fit into an exact size."""
    if not options.exact_size:
        return species
    return species[max(0, len(species) - options.pop_size // least_size(options)) :]


def planned(members: list[np.ndarray], fitness: np.ndarray, ids: np.ndarray, options: NeatOptions) -> Plan:
    """The next generation of the surviving species, least fit first."""
    least, sizes = least_size(options), [len(rows) for rows in members]
    counts = spawn_counts(shared_fitness(fitness, members), sizes, options.pop_size, least)
    if options.exact_size:
        counts = exact_counts(counts, options.pop_size, least)
    elites, pools, children = [], [], []
    for ranked, count in zip(rankings(members, fitness, ids), counts, strict=True):
        elites.append(ranked[: options.elitism])
        pool = ranked[: max(2, math.ceil(options.survival_threshold * len(ranked)))]
        pools.append(by_fitness(pool, fitness[pool]) if options.parent_selection == "fitness" else pool)
        children.append(max(0, count - len(elites[-1])))
    parents = np.array([len(pool) for pool in pools])
    kept = np.concatenate(elites)
    starts, sizes_of_pools = (np.repeat(each, children) for each in (np.cumsum(parents) - parents, parents))
    return Plan(kept[np.argsort(ids[kept])], np.concatenate(pools), starts, sizes_of_pools)


def by_fitness(rows: np.ndarray, fitness: np.ndarray) -> np.ndarray:
    """Each row as often as its share of the fitness says, in thousandths, and at least once; negative fitness is shifted to 0."""
    shares = fitness - min(0.0, float(fitness.min()))
    return np.repeat(rows, np.maximum(1, np.rint(1000 * shares / max(shares.sum(), 1e-300)).astype(np.int64)))


def rankings(members: list[np.ndarray], fitness: np.ndarray, ids: np.ndarray) -> list[np.ndarray]:
    """Every species' members, fittest first; among equals, youngest first. One sort serves all species."""
    sizes, rows = [len(each) for each in members], np.concatenate(members)
    group = np.repeat(np.arange(len(members)), sizes)
    rising = rows[np.lexsort((ids[rows], fitness[rows], group))]
    return [each[::-1] for each in np.split(rising, np.cumsum(sizes)[:-1])]
