"""Evolution strategies: a distribution of weights moves towards the candidates that play well.

Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies" (2001), for networks of up to
two thousand weights; Salimans, Ho, Chen, Sidor and Sutskever, "Evolution strategies as a scalable alternative to
reinforcement learning" (2017), for larger ones. Both methods are in es_methods.py.

All candidates of a generation meet the same opponents on the same deals, so that they differ by skill and not by luck.
The champion is the mean of the distribution: the best candidate of a generation is usually the luckiest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant, paired_jobs
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.launch import share_out, threads_available
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Numbers, Saved
from sparring.learn.es_methods import Cma, Method, Simple
from sparring.learn.option_checks import check_builtin, check_network, check_rival, outputs_of
from sparring.learn.training import Panel, Training
from sparring.nets.dense import size
from sparring.options import option

METHODS = ("cma", "simple")
BY = ("score", "wins")
MEAN = "mean"  # the opponent that is the distribution's current mean
MOST_WEIGHTS = 2000  # of cma: time grows with the cube of the weights
MOST_NUMBERS = 10**8  # of cma: candidates times the square of the weights, which it holds twice at a time
RECORDED = ("mean.fitness", "best.fitness", "deviation")  # of a generation's candidates, for the curves


@dataclass(frozen=True)
class EvolutionStrategies:
    """The options of evolution strategies."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    hidden: int = option(5, "hidden units", 1, 4096)
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    method: str = option("cma", "CMA-ES for up to 2,000 weights, or a simple strategy for more", choices=METHODS)
    generations: int = option(200, "number of generations", 1, 10_000_000)
    population: int = option(32, "candidates per generation; an even number for method simple", 4, 100_000)
    pairs: int = option(5, "pairs of games of each candidate with each opponent", 1, 100_000)
    opponents: tuple[str, ...] = option((MEAN,), "opponents of every candidate: built-in players, or mean: their mean")
    rival: str = option("", "meet this player too: a name, a net file or a run", reads_file=True)
    by: str = option("score", "fitness: the lead in points per game, or the share of games won", choices=BY)
    deviation: float = option(0.3, "standard deviation of the candidates' weights; cma adapts it", 1e-6, 1000)
    rate: float = option(0.3, "method simple: learning rate of the mean", 0, 1000)
    momentum: float = option(0.9, "method simple: share of the last step that carries over", 0, 0.999)
    decay: float = option(0.0, "method simple: share of the mean's weights lost per generation", 0, 1)
    initial: str = option(
        "", "start from this network: a name, a file, a run, or RUN/champions; empty: random", reads_file=True
    )
    start: float = option(0.1, "standard deviation of the initial weights; more than 0 for method simple", 0, 1000)
    benchmark: str = option("random", "player that the mean meets for the curves only")
    benchmark_pairs: int = option(50, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    curve_every: int = option(10, "generations between two points of the curves", 1, 10_000_000)


def check_cma(weights: int, population: int) -> None:
    """Refuse what would take CMA-ES too long or too much memory."""
    if weights > MOST_WEIGHTS:
        fault = f"learner.method = 'cma': is for up to {MOST_WEIGHTS} weights, and this net has {weights}"
        raise UserError(f"{fault}; take fewer hidden units, or method = 'simple'")
    most = MOST_NUMBERS // weights**2
    if population > most:
        fault = f"learner.population = {population}: must be at most {most} for cma with {weights} weights"
        raise UserError(f"{fault}; or take method = 'simple'")


def check_simple(options: EvolutionStrategies) -> None:
    """Refuse candidates without a mirror image, and an initial mean around which mirror images play alike.

    If all weights change their sign, a hidden unit returns 1 minus its value and is weighed the other way round: an output's sum
    changes by a constant. Around weights of 0 each candidate therefore always ties with its mirror image.
    """
    if options.population % 2:
        raise UserError(f"learner.population = {options.population}: must be even for method = 'simple'")
    if not options.start:
        raise UserError("learner.start = 0: must be more than 0 for method = 'simple', which cannot leave weights of 0")


def shape_of(game: Game, options: EvolutionStrategies) -> tuple[int, int, int]:
    """Inputs, hidden units and outputs of the networks."""
    inputs = game.policies.encodings[options.encoding or game.encoding_names[0]]
    return inputs, options.hidden, outputs_of(game, options.policy)


class EvolutionStrategiesTraining(Training):
    """Row t of `nets` is trial t's mean; its candidates are the rows from `trials + t * population` on."""

    learner = "evolution-strategies"
    unit = "generation"
    crowded = True
    options: EvolutionStrategies

    @classmethod
    def check(cls, game: Game, options: EvolutionStrategies) -> None:
        if 2 not in game.rules.seats or "sigmoid" not in game.policies.kinds:
            raise UserError(f"learner.name: {cls.learner} is for two seats and sigmoid networks, not for {game.name}")
        check_network(game, options)
        if not options.opponents and not options.rival:
            raise UserError("learner.opponents = []: must name someone to meet, such as mean or random")
        check_builtin(game, "opponents", *(name for name in options.opponents if name != MEAN))
        check_builtin(game, "benchmark", options.benchmark)
        check_rival(game, options.rival)
        if options.method == "cma":
            check_cma(size(shape_of(game, options)), options.population)
        else:
            check_simple(options)

    @classmethod
    def lasting(cls, options: EvolutionStrategies, games: int) -> EvolutionStrategies:
        opponents = len(options.opponents) + bool(options.rival)
        return replace(options, generations=max(1, games // (2 * options.population * options.pairs * opponents)))

    def duration(self) -> tuple[int, int]:
        return self.options.generations, 1

    def begin(self) -> None:
        self.shape = shape_of(self.game, self.options)
        starts = self.first_weights()
        method = Cma if self.options.method == "cma" else Simple
        self.methods: list[Method] = [
            method(start, seed, self.options) for start, seed in zip(starts, self.trial_seeds, strict=True)
        ]
        self.nets = np.zeros((self.trials * (1 + self.options.population), starts.shape[1]), np.float32)
        self._show_means()
        self.opponents = (*self.options.opponents, *filter(None, [self.options.rival]))
        names = dict.fromkeys([self.options.benchmark, *self.opponents])
        names.pop(MEAN, None)
        self.others = {name: len(self.nets) + i for i, name in enumerate(names)}  # rows of the table
        self.table = self.make_table(*names)
        population = range(self.options.population)
        self.jobs = np.concatenate([self._games(t, k) for t in range(self.trials) for k in population])
        shape = self.trials, self.measured.points
        self.recorded = {f"candidates.{name}": np.zeros(shape) for name in RECORDED}

    def _games(self, trial: int, candidate: int) -> np.ndarray:
        """A candidate's games in the first generation, on the same deals for all; later generations only shift the deals."""
        row, seed = self._candidates(trial).start + candidate, self.trial_seeds[trial]
        opponents = [trial if name == MEAN else self.others[name] for name in self.opponents]
        return np.concatenate([
            paired_jobs(derive(seed, "games", i), np.array([row, opponent]), self.options.pairs)
            for i, opponent in enumerate(opponents)
        ])  # fmt: skip

    def _candidates(self, trial: int) -> slice:
        """The rows of a trial's candidates."""
        first = self.trials + trial * self.options.population
        return slice(first, first + self.options.population)

    # A generation.

    def advance(self) -> int:
        self._search(self._ask)
        jobs = self.jobs.copy()
        jobs["deal"] += self.step * self.options.pairs
        jobs["luck"] += self.step * 2 * self.options.pairs
        fitness = self._fitness(self.play(jobs))
        self._record(fitness)
        self._search(lambda trial: self.methods[trial].tell(fitness[trial]))
        self._show_means()
        self.step += 1
        return len(jobs) + self.measure()

    def _search(self, work: Callable[[int], None]) -> None:
        """Let every trial's method work, trials in parallel, each on one thread: several threads would add in another order."""
        from threadpoolctl import threadpool_limits

        def each(chunks: Iterator[tuple[int, int]]) -> None:
            for trial, _ in chunks:
                work(trial)

        with threadpool_limits(1):
            share_out(self.trials, 1, min(self.threads or threads_available(), self.trials), each)

    def _ask(self, trial: int) -> None:
        self.nets[self._candidates(trial)] = self.methods[trial].ask()

    def _show_means(self) -> None:
        self.nets[: self.trials] = [method.mean for method in self.methods]

    def _fitness(self, tallies: np.ndarray) -> np.ndarray:
        """The fitness of each candidate, (trials, candidates), over its games with all opponents."""
        scores = by_contestant(tallies["score"], 2).astype(float).reshape(self.trials, self.options.population, -1, 2)
        if self.options.by == "wins":
            return np.asarray(winners(scores, self.game.rules.lower_is_better)[0][..., 0].mean(axis=2))
        return np.asarray((scores[..., 0] - scores[..., 1]).mean(axis=2) * self.sign)

    def _record(self, fitness: np.ndarray) -> None:
        """Record this generation's candidates; the last generation of a point of the curves remains."""
        for trial in range(self.trials):
            steps = self.nets[self._candidates(trial)].astype(float) - self.nets[trial]
            found = (fitness[trial].mean(), fitness[trial].max(), np.sqrt((steps**2).mean()))
            for curve, value in zip(self.recorded.values(), found, strict=True):
                curve[trial, self.step // self.every] = value

    # Curves, checkpoints, results.

    def panels(self) -> list[Panel]:
        fitness = {word: f"candidates.{word}.fitness" for word in ("best", "mean")}
        return [("fitness", fitness), ("deviation", {"candidates": "candidates.deviation"})]

    def saved(self, step: int) -> dict[str, Saved]:
        return {f"recorded/{name}": Saved(values) for name, values in self.recorded.items()}

    def arrays(self) -> dict[str, np.ndarray]:
        searches = [method.arrays() for method in self.methods]
        found = {f"search/{name}": np.array([each[name] for each in searches]) for name in searches[0]}
        return found | super().arrays()

    def expected(self, step: int) -> dict[str, Numbers]:
        found = super().expected(step)
        for name, numbers in self.methods[0].expected(step).items():
            found[f"search/{name}"] = replace(numbers, shape=(self.trials, *numbers.shape))
        return found

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().restore(step, arrays)
        for trial, method in enumerate(self.methods):
            method.restore(step, {name: arrays[f"search/{name}"][trial] for name in method.arrays()})
        self._show_means()

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        options = self.options
        start = f"weights of {options.initial}" if options.initial else f"weights N(0, {options.start:g})"
        search = f"{options.method} with {options.population} candidates"
        return f"{start}, trial {trial}", f"the mean of {search} after {self.step} generations"
