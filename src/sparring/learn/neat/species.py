"""Species: genomes that are near each other, by their distance to a representative.

A species' new representative is the genome nearest to the old one. Every genome then joins the nearest representative
within the threshold, or founds a species.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparring.kernel.records import records
from sparring.learn.neat.distance import distances, lay_out
from sparring.learn.neat.options import NeatOptions
from sparring.nets.genome import Genomes, spread

DENSE = 3  # genomes are compared in a table if it has at most this many times their connections
AS_FAST = 20  # comparing a gene is this many times faster than mutating it
AT_ONCE = 64  # representatives whose distances to all genomes are in memory at once


@dataclass
class Species:
    """The species of a generation, by id."""

    ids: np.ndarray
    created: np.ndarray  # the first generation they are in
    last_improved: np.ndarray  # the last generation in which their fitness was higher than ever
    best_fitness: np.ndarray  # the highest fitness they had
    representatives: Genomes
    next_id: int = 1

    @classmethod
    def none(cls, next_id: int = 1) -> "Species":
        """No species yet."""
        whole = np.zeros(0, np.int64)
        return cls(whole, whole, whole, np.zeros(0), Genomes.empty(0, 1, 1), next_id)

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, chosen: np.ndarray) -> "Species":
        """Some of the species, by place, in the order of their ids."""
        rows = np.sort(chosen)
        ids, created, improved = self.ids[rows], self.created[rows], self.last_improved[rows]
        return Species(ids, created, improved, self.best_fitness[rows], self.representatives.take(rows), self.next_id)


class Columns(NamedTuple):
    """Genomes laid out for comparison, as kernels read them."""

    nodes: np.ndarray
    node_count: np.ndarray
    link_count: np.ndarray
    direct: np.ndarray  # weights of a row from inputs to outputs, then their states
    ends: np.ndarray  # of the other connections, source and target in one number
    numbers: np.ndarray  # their weights, then their states
    other_count: np.ndarray

    @classmethod
    def of(cls, genomes: Genomes, width: int, outputs: int, threads: int | None) -> "Columns":
        """Genomes laid out with `width` columns, a multiple of four; 0 for no table."""
        rows, links = genomes.links.shape
        ends, numbers = np.empty((rows, links), np.int64), np.empty((rows, 2, links))
        tables = np.zeros((rows, 2, width)), ends, numbers, np.empty(rows, np.int64)
        direct = outputs if width else 0  # no connection is direct where there is no table
        genomes.each(threads, lambda first, last: lay_out(genomes.parts(), first, last, direct, tables))
        return cls(records(genomes.nodes), genomes.node_count, genomes.link_count, *tables)

    @property
    def width(self) -> int:
        """The number of values to compare in a row."""
        return int(self.direct.shape[2] + self.ends.shape[1])


def table_width(genomes: Genomes, inputs: int, outputs: int) -> int:
    """The number of columns of a table of these genomes."""
    direct = inputs * outputs
    return -(-direct // 4) * 4 if direct <= DENSE * genomes.link_count.mean() else 0


@dataclass(frozen=True)
class Speciation:
    """Divides generations into species."""

    options: NeatOptions
    settings: np.ndarray
    inputs: int
    outputs: int
    threads: int | None

    def divide(self, old: Species, genomes: Genomes, generation: int) -> tuple[Species, np.ndarray]:
        """The species of a new generation, and the place of every genome's species."""
        if self.options.speciation:
            width = table_width(genomes, self.inputs, self.outputs)
            columns, before = (
                Columns.of(some, width, self.outputs, self.threads) for some in (genomes, old.representatives)
            )
            rows = self._representatives(before, columns)
            places = self._members(rows, columns)
        else:
            rows, places = [0], np.zeros(len(genomes), np.int64)
        kept, new = min(len(old), len(rows)), max(0, len(rows) - len(old))
        fresh = np.full(new, generation)
        species = Species(
            np.concatenate([old.ids[:kept], old.next_id + np.arange(new)]),
            np.concatenate([old.created[:kept], fresh]),
            np.concatenate([old.last_improved[:kept], fresh]),
            np.concatenate([old.best_fitness[:kept], np.full(new, -np.inf)]),
            genomes.take(np.array(rows)),
            old.next_id + new,
        )
        return species, places

    def distances(self, some: Columns, rows: Sequence[int], columns: Columns, least: int = 0) -> np.ndarray:
        """The distances of some genomes, by row, to all others from row `least` on."""
        count = len(columns.nodes)
        out = np.full((len(rows), count), np.inf)
        chosen = np.array(rows, np.int64)

        def work(first: int, last: int) -> None:
            scratch = np.empty(columns.direct.shape[2])
            distances(tuple(some), chosen, tuple(columns), first, last, self.settings, scratch, out)

        spread((count, columns.width), self.threads, work, least, len(rows) / AS_FAST)
        return out

    def _representatives(self, before: Columns, columns: Columns) -> list[int]:
        """Every species' new representative: the genome nearest to the old one that no earlier species took."""
        rows: list[int] = []
        count = min(len(before.nodes), len(columns.nodes))
        for first in range(0, count, AT_ONCE):
            for away in self.distances(before, range(first, min(first + AT_ONCE, count)), columns):
                away[rows] = np.inf
                rows.append(int(away.argmin()))
        return rows

    def _members(self, rows: list[int], columns: Columns) -> np.ndarray:
        """The place of every genome's species; founders of new species are appended to `rows`."""
        count = len(columns.nodes)
        places, nearest = np.full(count, -1), np.full(count, self.options.compatibility_threshold)
        for first in range(0, len(rows), AT_ONCE):
            some = self.distances(columns, rows[first : first + AT_ONCE], columns)
            best = some.argmin(axis=0)
            away = some[best, np.arange(count)]
            nearer = away < nearest
            places[nearer], nearest[nearer] = first + best[nearer], away[nearer]
        places[rows], nearest[rows] = np.arange(len(rows)), -1.0
        row = 0
        while (places[row:] < 0).any():
            row += int((places[row:] < 0).argmax())
            away = self.distances(columns, [row], columns, row)[0]
            nearer = away < nearest
            places[nearer], nearest[nearer] = len(rows), away[nearer]
            places[row], nearest[row] = len(rows), -1.0
            rows.append(row)
        return places
