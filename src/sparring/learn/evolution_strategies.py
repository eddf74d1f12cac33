"""Evolution strategies: a distribution of weights moves towards those of its candidates that play well, for any game.

Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies" (2001), for nets of up to two thousand
weights; Salimans, Ho, Chen, Sidor and Sutskever, "Evolution strategies as a scalable alternative to reinforcement learning"
(2017), for larger ones. Both methods are in strategy_methods.py.

In every generation all candidates meet the same opponents on the same deals, so that they differ by what they do and not by
luck. The champion is the mean of the distribution: the best candidate of a generation is mostly the luckiest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant, paired_jobs
from sparring.arena.players import fill_net, find_players, pack_players
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.launch import Player, share_out, threads_available
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Numbers
from sparring.learn.curves import Curves
from sparring.learn.es_methods import Cma, Method, Simple
from sparring.learn.training import (
    Panel,
    Training,
    check_builtin,
    check_encoding,
    check_policy,
    make_matchups,
    outputs_of,
    trial_seeds,
)
from sparring.nets.dense import Net, gaussian, size
from sparring.options import option

METHODS = ("cma", "simple")
BY = ("score", "wins")
MEAN = "mean"  # the opponent that is the distribution's present mean
MOST_WEIGHTS = 2000  # of cma: time grows with the cube of the weights
MOST_NUMBERS = 10**8  # of cma: candidates times the weights' square, which it holds twice at a time
TOLD = ("mean.fitness", "best.fitness", "deviation")  # of a generation's candidates, for the curves


@dataclass(frozen=True)
class EvolutionStrategies:
    """The options of evolution strategies."""

    encoding: str = option("", "what the net sees; empty for the game's first")
    hidden: int = option(5, "hidden units", 1, 4096)
    policy: str = option("net", "how the net chooses: net, or another of the game's policies for nets")
    method: str = option(
        "cma", "CMA-ES for up to 2,000 weights, or the simple strategy for any number", choices=METHODS
    )
    generations: int = option(200, "generations", 1, 10_000_000)
    population: int = option(32, "candidates a generation; even for method simple", 4, 100_000)
    pairs: int = option(5, "pairs of games of each candidate with each opponent", 1, 100_000)
    opponents: tuple[str, ...] = option((MEAN,), "whom candidates meet: built-in players, and mean for their own mean")
    by: str = option("score", "what counts: the lead in score a game, or the share of games won", choices=BY)
    deviation: float = option(0.3, "standard deviation of the candidates' weights; cma adapts it", 1e-6, 1000)
    rate: float = option(0.3, "learning rate of the mean (method simple)", 0, 1000)
    momentum: float = option(0.9, "how much of its last step the mean goes on with (method simple)", 0, 0.999)
    decay: float = option(0.0, "share of the mean's weights lost in a generation (method simple)", 0, 1)
    start: float = option(0.1, "standard deviation of the first weights; more than 0 for method simple", 0, 1000)
    benchmark: str = option("random", "whom the mean meets during training, for the curves alone")
    benchmark_pairs: int = option(50, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    curve_every: int = option(10, "generations between two points of the curves", 1, 10_000_000)


def check_cma(weights: int, population: int) -> None:
    """Refuse what CMA-ES would take too long or too much room for."""
    if weights > MOST_WEIGHTS:
        raise UserError(
            f"learner.method = 'cma': is for up to {MOST_WEIGHTS} weights, and this net has {weights}; "
            "take fewer hidden units, or method = 'simple'"
        )
    most = MOST_NUMBERS // weights**2
    if population > most:
        raise UserError(
            f"learner.population = {population}: must be at most {most} for cma with {weights} weights; "
            "or take method = 'simple'"
        )


def check_simple(options: EvolutionStrategies) -> None:
    """Refuse candidates without a mirror image, and a first mean at which mirror images play alike.

    Where all weights change their sign, a hidden unit tells 1 less what it told and is weighed the other way round: the sum of
    an output is the same but for a constant. So around weights of 0 each candidate ties with its mirror image, for ever.
    """
    if options.population % 2:
        raise UserError(f"learner.population = {options.population}: must be even for method = 'simple'")
    if not options.start:
        raise UserError("learner.start = 0: must be more than 0 for method = 'simple', which cannot leave weights of 0")


class EvolutionStrategiesTraining(Training):
    """Many trials at once. Row t of `nets` is trial t's mean, its candidates are the rows from `trials + t * population` on."""

    unit = "generation"
    crowded = True
    options: EvolutionStrategies

    def __init__(
        self,
        game: Game,
        options: EvolutionStrategies,
        seed: int,
        trials: int,
        threads: int | None = None,
        first: int = 0,
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.encoding = options.encoding or game.encoding_names[0]
        self.shape, self.steps = shape_of(game, options), options.generations
        self.trial_seeds = trial_seeds(seed, trials, first)
        count, rows = size(self.shape), trials * (1 + options.population)
        self.methods = [self._method(options.start * gaussian(count, s, "start"), s) for s in self.trial_seeds]
        self.nets = np.zeros((rows, count), np.float32)
        self._show_means()
        self.builtin = {name: rows + i for i, name in enumerate(game.builtin)}
        self.table = self._table(rows, count)
        self.jobs = np.concatenate([self._games(t, k) for t in range(trials) for k in range(options.population)])
        points = -(-self.steps // options.curve_every)
        self.measured = Curves(game, trials, points)
        self.told = {f"candidates.{name}": np.zeros((trials, points)) for name in TOLD}

    @classmethod
    def check(cls, game: Game, options: EvolutionStrategies) -> None:
        if 2 not in game.rules.seats or "sigmoid" not in game.policies.kinds:
            raise UserError(f"learner.name: strategies are for two seats with sigmoid nets, and {game.name} is not")
        check_encoding(game, options.encoding)
        check_policy(game, options.policy)
        if not options.opponents:
            raise UserError("learner.opponents = []: must name someone to meet, such as mean or random")
        check_builtin(game, "opponents", *(name for name in options.opponents if name != MEAN))
        check_builtin(game, "benchmark", options.benchmark)
        if options.method == "cma":
            check_cma(size(shape_of(game, options)), options.population)
        else:
            check_simple(options)

    def _method(self, first: np.ndarray, seed: int) -> Method:
        told = self.options
        if told.method == "cma":
            return Cma(first, told.population, told.deviation, seed)
        return Simple(first, told.population, told.deviation, seed, told.rate, told.momentum, told.decay)

    def _table(self, rows: int, count: int) -> np.ndarray:
        """Means and candidates, then the game's own players in the order of `builtin`."""
        nets = np.zeros(rows, Player)
        fill_net(nets, self.game, self._net(0), np.arange(rows) * count)
        fixed, _ = pack_players(self.game, find_players(self.game, list(self.builtin)))
        return np.concatenate([nets, fixed])

    def _games(self, trial: int, candidate: int) -> np.ndarray:
        """A candidate's games in the first generation, on deals that are the same for all; later ones only move them on."""
        told, seed = self.options, self.trial_seeds[trial]
        row = self._candidates(trial).start + candidate
        opponents = [trial if name == MEAN else self.builtin[name] for name in told.opponents]
        return np.concatenate(
            [
                paired_jobs(derive(seed, "games", i), np.array([row, opponent]), told.pairs)
                for i, opponent in enumerate(opponents)
            ]
        )

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
        tallies, _ = self.game.launcher.play(jobs, self.table, self.nets.reshape(-1), self.threads)
        fitness = self._fitness(tallies)
        self._record(fitness)
        self._search(lambda trial: self.methods[trial].tell(fitness[trial]))
        self._show_means()
        self.step += 1
        return len(jobs) + self._measure()

    def _search(self, work: Callable[[int], None]) -> None:
        """Let every trial's method do its work: trials side by side, each on one thread, for several add in another order."""
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
        """What each candidate reached, (trials, candidates), over its games with all opponents."""
        scores = by_contestant(tallies["score"], 2).astype(float).reshape(self.trials, self.options.population, -1, 2)
        if self.options.by == "wins":
            return np.asarray(winners(scores, self.game.rules.lower_is_better)[0][..., 0].mean(axis=2))
        lead = (scores[..., 0] - scores[..., 1]).mean(axis=2)
        return np.asarray(-lead if self.game.rules.lower_is_better else lead)

    # Curves.

    def _record(self, fitness: np.ndarray) -> None:
        """What this generation's candidates are like; the last of those that share a point of the curves stays."""
        point = self.step // self.options.curve_every
        for trial in range(self.trials):
            steps = self.nets[self._candidates(trial)].astype(float) - self.nets[trial]
            found = (fitness[trial].mean(), fitness[trial].max(), np.sqrt((steps**2).mean()))
            for curve, value in zip(self.told.values(), found, strict=True):
                curve[trial, point] = value

    def _measure(self) -> int:
        """Where a point of the curves is due, let the means meet the benchmark."""
        every, pairs = self.options.curve_every, self.options.benchmark_pairs
        if not pairs or (self.step % every and self.step < self.steps):
            return 0
        opponent = self.builtin[self.options.benchmark]
        jobs = make_matchups(self.trial_seeds, opponent, pairs, "benchmark", self.step)
        tallies, _ = self.game.launcher.play(jobs, self.table, self.nets.reshape(-1), self.threads)
        self.measured.add("benchmark", -(-self.step // every) - 1, tallies)
        return len(jobs)

    def settings(self) -> dict[str, str]:
        return {"benchmark": self.options.benchmark}

    def panels(self) -> list[Panel]:
        fitness = {word: f"candidates.{word}.fitness" for word in ("best", "mean")}
        return [("fitness", fitness), ("deviation", {"candidates": "candidates.deviation"})]

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        every = self.options.curve_every
        full = self.step // every if self.step < self.steps else -(-self.steps // every)
        told = {name: values[:, :full] for name, values in self.told.items()}
        return np.minimum((np.arange(full) + 1) * every, self.steps), told | self.measured.first(full)

    def headline(self) -> str:
        points, curves = self.curves()
        won = curves.get("benchmark.player.won")
        return f"won {won[:, -1].mean():.1%}" if won is not None and len(points) else ""

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        kept = [method.arrays() for method in self.methods]
        found = {f"search/{name}": np.array([each[name] for each in kept]) for name in kept[0]}
        found |= {f"told/{name}": values for name, values in self.told.items()}
        return found | self.measured.arrays()

    def expected(self, step: int) -> dict[str, Numbers]:
        found = super().expected(step)
        for name, numbers in self.methods[0].expected(step).items():
            found[f"search/{name}"] = replace(numbers, shape=(self.trials, *numbers.shape))
        measured = self.options.benchmark_pairs and self.measured_by(step)
        return found | self.measured.expected(["benchmark"] if measured else [])

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step = step
        kept = {name.removeprefix("search/"): a for name, a in arrays.items() if name.startswith("search/")}
        for trial, method in enumerate(self.methods):
            method.restore(step, {name: values[trial] for name, values in kept.items()})
        self._show_means()
        self.told = {name: arrays[f"told/{name}"].copy() for name in self.told}
        self.measured.restore(arrays)

    def diverged(self) -> bool:
        return not np.isfinite(self.nets).all()

    def champions(self) -> list[Net]:
        return [self._net(trial) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return []

    def _net(self, trial: int) -> Net:
        told = self.options
        ancestry = (
            f"weights N(0, {told.start:g}), trial {trial}",
            f"the mean of {told.method} with {told.population} candidates after {self.step} generations",
        )
        return Net(
            self.game.family,
            self.game.rules.version,
            self.encoding,
            self.shape,
            self.nets[trial].copy(),
            "strategies",
            self.seed,
            ancestry,
            policy=told.policy,
            input_major=self.game.policies.input_major,
        )


def shape_of(game: Game, options: EvolutionStrategies) -> tuple[int, int, int]:
    """Inputs, hidden units and outputs of the nets."""
    inputs = game.policies.encodings[options.encoding or game.encoding_names[0]]
    return inputs, options.hidden, outputs_of(game, options.policy)
