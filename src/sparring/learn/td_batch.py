"""TD(0) with many games side by side, for games whose two seats see the same: a turn of each, then one correction by all.

`td` learns from one game after another, each correction at once, as Tesauro did. Here thousands of games are played by the same
weights, and after each turn of all of them the mean gradient moves the weights by Adam's rule (Kingma and Ba 2014). A GPU can be
busy with it, and it needs several times fewer games. Kernels are in kernel/abreast.py.
"""

from dataclasses import dataclass

import numpy as np

from sparring.arena.players import fill_builtin, fill_net
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.batched_td import BatchedTD, Terms, batched_td
from sparring.kernel.launch import Player
from sparring.kernel.random import derive
from sparring.learn.checkpoints import MOST, Numbers, check_adam, check_states
from sparring.learn.curves import Curves
from sparring.learn.td import between
from sparring.learn.training import Training, check_builtin, check_encoding, make_matchups, trial_seeds
from sparring.nets.dense import Net, gaussian, size
from sparring.options import option


@dataclass(frozen=True)
class TDBatch:
    """The options of TD(0) side by side."""

    encoding: str = option("", "what the net sees; empty for the game's first")
    outputs: str = option("", "what the net tells, and so what it is rewarded for; empty for the game's first")
    hidden: int = option(80, "hidden units", 1, 4096)
    games: int = option(1024, "games side by side", 1, 1_000_000)
    turns: int = option(20_000, "turns of every game, each followed by a correction", 1, 100_000_000)
    rate: float = option(0.02, "Adam's step at the start", 0, 1000)
    rate_end: float = option(0.0003, "Adam's step at the end", 0, 1000)
    start: float = option(0.1, "standard deviation of the first weights", 0, 1000)
    step_turns: int = option(100, "turns between two looks at the clock and at Ctrl-C", 1, 1_000_000)
    benchmark: str = option("random", "whom the net meets during training, for the curves alone")
    benchmark_pairs: int = option(100, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    curve_every: int = option(10, "steps between two points of the curves", 1, 1_000_000)


class TDBatchTraining(Training):
    """Trials one after the other, each with games of its own."""

    unit = "turn"
    options: TDBatch

    def __init__(
        self, game: Game, options: TDBatch, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.encoding = options.encoding or game.encoding_names[0]
        head = list(game.learning.heads).index(options.outputs) if options.outputs else 0
        flip = np.array(list(game.learning.heads.values())[head], np.int64)
        self.shape = (game.policies.encodings[self.encoding], options.hidden, flip.shape[1])
        self.steps = -(-options.turns // options.step_turns)
        self.trial_seeds = trial_seeds(seed, trials, first)
        kernels = batched_td(
            game.rules.start, game.policies.choose, game.rules.apply, game.learning.inputs, game.learning.outcome
        )
        self.schools = []
        for trial_seed in self.trial_seeds:
            weights = np.float32(options.start) * gaussian(size(self.shape), trial_seed, "start")
            player, terms = np.zeros(1, Player), np.zeros(1, Terms)
            fill_net(player, game, self._net(weights, 0), 0)
            terms["seed"], terms["seats"], terms["head"] = derive(trial_seed, "games"), 2, head
            self.schools.append(BatchedTD(game.launcher, kernels, player, flip, terms, weights, options.games))
        self.measured = Curves(game, trials, -(-self.steps // options.curve_every))

    @classmethod
    def check(cls, game: Game, options: TDBatch) -> None:
        if (
            game.learning.inputs is None
            or game.learning.outcome is None
            or not (game.rules.perfect_information and game.policies.input_major and 2 in game.rules.seats)
        ):
            raise UserError(f"learner.name: td-batch is for two seats who see the same, which {game.name} does not say")
        check_encoding(game, options.encoding)
        if options.outputs and options.outputs not in game.learning.heads:
            raise UserError(f"learner.outputs = {options.outputs!r}: {game.name} has {', '.join(game.learning.heads)}")
        check_builtin(game, "benchmark", options.benchmark)

    def advance(self) -> int:
        first = self.step * self.options.step_turns
        last = min(first + self.options.step_turns, self.options.turns)
        told, whole = self.options, max(1, self.options.turns - 1)
        rates = [between(told.rate, told.rate_end, turn / whole, "exponential") for turn in range(first, last)]
        before = sum(int(school.kept["deals"].sum()) for school in self.schools)
        for school in self.schools:
            school.learn(rates, self.threads)
        played = (sum(int(school.kept["deals"].sum()) for school in self.schools) - before) // self.options.games
        self.step += 1
        if self.step % told.curve_every == 0 or self.step == self.steps:
            played += self._measure()
        return played

    # Curves.

    def _measure(self) -> int:
        """The present nets against the benchmark: a point of the curves."""
        if not self.options.benchmark_pairs:
            return 0
        nets = self._nets()
        table = np.zeros(self.trials + 1, Player)
        fill_net(table[:-1], self.game, self._net(nets[0], self.step), np.arange(self.trials) * nets.shape[1])
        fill_builtin(table[-1], self.game, self.options.benchmark)
        jobs = make_matchups(self.trial_seeds, self.trials, self.options.benchmark_pairs, "benchmark", self.step)
        tallies, _ = self.game.launcher.play(jobs, table, nets.reshape(-1), self.threads)
        self.measured.add("benchmark", -(-self.step // self.options.curve_every) - 1, tallies)
        return len(jobs)

    def settings(self) -> dict[str, str]:
        return {"benchmark": self.options.benchmark}

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        every = self.options.curve_every
        full = self.step // every if self.step < self.steps else -(-self.steps // every)
        turns = np.minimum((np.arange(full) + 1) * every * self.options.step_turns, self.options.turns)
        return turns, self.measured.first(full)

    def headline(self) -> str:
        turns, points = self.curves()
        won = points.get("benchmark.player.won")
        return f"won {won[:, -1].mean():.1%}" if won is not None and len(turns) else ""

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        found = dict(self.measured.arrays())
        for trial, school in enumerate(self.schools):
            for name, array in school.kept.items():
                found[f"{trial}/{name}"] = array.view(np.uint8) if array.dtype.names else array
        return found

    def expected(self, step: int) -> dict[str, Numbers]:
        found, told = super().expected(step), self.options
        last = told.games * (1 + min(step * told.step_turns, told.turns))
        for trial in range(self.trials):
            for name, most in (("begun", 1), ("deals", last), ("square", MOST)):
                found[f"{trial}/{name}"] = found[f"{trial}/{name}"].within(0, most)
        measured = told.benchmark_pairs and self.measured_by(step)
        return found | self.measured.expected(["benchmark"] if measured else [])

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().check_arrays(step, arrays)
        for trial, school in enumerate(self.schools):
            mean, square, begun, states = (arrays[f"{trial}/{name}"] for name in ("mean", "square", "begun", "states"))
            check_adam(f"{trial}/mean", mean, square)
            check_states(f"{trial}/states", self.game, states.view(school.kept["states"].dtype), begun == 1)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step = step
        for trial, school in enumerate(self.schools):
            school.count = min(step * self.options.step_turns, self.options.turns)
            for name, array in school.kept.items():
                array[:] = arrays[f"{trial}/{name}"].view(array.dtype)
        self.measured.restore(arrays)

    def diverged(self) -> bool:
        return not np.isfinite(self._nets()).all()

    def champions(self) -> list[Net]:
        return [self._net(weights, self.step) for weights in self._nets()]

    def auxiliary_nets(self) -> list[Net]:
        return []

    def _nets(self) -> np.ndarray:
        return np.array([school.kept["weights"] for school in self.schools])

    def _net(self, weights: np.ndarray, step: int) -> Net:
        turns = min(step * self.options.step_turns, self.options.turns)
        ancestry = (
            f"weights N(0, {self.options.start:g})",
            f"{turns} turns of {self.options.games} games of self-play side by side",
        )
        return Net(self.game.family, self.game.rules.version, self.encoding, self.shape, weights.copy(), "td-batch", self.seed, ancestry,
                   input_major=self.game.policies.input_major)  # fmt: skip
