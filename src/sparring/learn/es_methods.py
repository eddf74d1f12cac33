"""Methods of evolution strategies: each keeps a distribution of weights, samples candidates and learns from their fitness.

`ask` returns a generation's candidates, one row of weights each; `tell` moves the mean by their fitness (higher is better).
Both take the learner's options.

- `Cma`: Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies" (2001); Hansen, "The
  CMA evolution strategy: a tutorial" (2016). It learns which weights should change together, with the library `cmaes`.
- `Simple`: Salimans, Ho, Chen, Sidor and Sutskever, "Evolution strategies as a scalable alternative to reinforcement
  learning" (2017). Noise of one standard deviation, in mirrored pairs; only the ranking of the candidates counts.
"""

from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Numbers
from sparring.nets.dense import FARTHEST, gaussian


class Cma:
    """CMA-ES. The library's state is private, so a search resumes by replaying the fitness of every generation."""

    def __init__(self, first: np.ndarray, seed: int, options: Any) -> None:
        from cmaes import CMA

        self.population, self.mean = options.population, first.astype(float)
        own = {"population_size": options.population, "seed": derive(seed, "cma") % 2**32}
        self.search = CMA(self.mean, options.deviation, **own)
        self.past: list[np.ndarray] = []  # the fitness of every generation so far
        self.candidates = np.empty((0, len(first)))

    def ask(self) -> np.ndarray:
        if self.search.generation < len(self.past):
            self._catch_up()
        self.candidates = np.array([self.search.ask() for _ in range(self.population)])
        return self.candidates

    def tell(self, fitness: np.ndarray) -> None:
        self.past.append(fitness)
        self._learn(fitness)
        self.mean = self.search.mean.copy()

    def _learn(self, fitness: np.ndarray) -> None:
        """Pass the fitness to the library, which minimises."""
        self.search.tell(list(zip(self.candidates, (-fitness).tolist(), strict=True)))

    def _catch_up(self) -> None:
        """Replay the generations before the stop; only when candidates are needed, because a report on a run needs none."""
        for fitness in self.past[self.search.generation :]:
            self.candidates = np.array([self.search.ask() for _ in range(self.population)])
            self._learn(fitness)
        if not np.allclose(self.search.mean, self.mean):
            fault = "this machine's numerical libraries do not repeat the generations before the stop"
            raise UserError(f"learner.method = 'cma': {fault}; resume the run where it began, or begin anew")

    def arrays(self) -> dict[str, np.ndarray]:
        return {"mean": self.mean, "fitness": np.array(self.past).reshape(-1, self.population)}

    def expected(self, generation: int) -> dict[str, Numbers]:
        return {"mean": Numbers.like(self.mean), "fitness": Numbers.reals(generation, self.population)}

    def restore(self, generation: int, arrays: dict[str, np.ndarray]) -> None:
        self.mean, self.past = arrays["mean"].copy(), list(arrays["fitness"].copy())


class Simple:
    """The strategy of Salimans et al. Its noise follows from the seed, so a checkpoint holds only the mean and its velocity."""

    def __init__(self, first: np.ndarray, seed: int, options: Any) -> None:
        self.population, self.deviation, self.seed = options.population, options.deviation, seed
        self.rate, self.momentum, self.decay = options.rate, options.momentum, options.decay
        self.mean, self.velocity, self.generation = first.astype(float), np.zeros(len(first)), 0
        self.noise = np.empty((0, len(first)))  # added in one half of the candidates, subtracted in the other

    def ask(self) -> np.ndarray:
        count, pairs = len(self.mean), range(self.population // 2)
        self.noise = np.array([gaussian(count, self.seed, "noise", self.generation, k) for k in pairs])
        steps = self.deviation * self.noise
        return np.concatenate([self.mean + steps, self.mean - steps])

    def tell(self, fitness: np.ndarray) -> None:
        ranks = centred_ranks(fitness)
        better = ranks[: self.population // 2] - ranks[self.population // 2 :]  # than the mirrored candidate
        gradient = (better[:, None] * self.noise).sum(axis=0) / (self.population * self.deviation)
        self.velocity = self.momentum * self.velocity + (1 - self.momentum) * gradient
        self.mean = (1 - self.decay) * self.mean + self.rate * self.velocity
        self.generation += 1

    def arrays(self) -> dict[str, np.ndarray]:
        return {"mean": self.mean, "velocity": self.velocity}

    def expected(self, generation: int) -> dict[str, Numbers]:
        steepest = FARTHEST / self.deviation  # gradient: half the candidates' noise, each as if it were the best
        velocity = Numbers.like(self.velocity).within(-steepest, steepest)
        return {"mean": Numbers.like(self.mean), "velocity": velocity}

    def restore(self, generation: int, arrays: dict[str, np.ndarray]) -> None:
        self.generation, self.mean, self.velocity = generation, arrays["mean"].copy(), arrays["velocity"].copy()


Method = Cma | Simple


def centred_ranks(fitness: np.ndarray) -> np.ndarray:
    """Ranks from -0.5 for the worst to 0.5 for the best; equal candidates share a rank, so that their order does not matter."""
    _, place, count = np.unique(fitness, return_inverse=True, return_counts=True)
    ranks = np.cumsum(count) - (count + 1) / 2
    return np.asarray(ranks[place] / (len(fitness) - 1) - 0.5)
