"""TD(0) on many games in parallel: a turn of each game, then one correction from all of them.

Tesauro, "Practical issues in temporal difference learning" (1992), in batches. `td` learns from one game after another
and applies each correction at once, as Tesauro did. Here thousands of games are played with the same weights, and after
each turn of all games Adam (Kingma and Ba 2014) moves the weights by the mean gradient. This occupies a GPU and needs
several times fewer games. Both seats must see the same state, because the value after a turn is computed for the seat
that has moved and flipped for the other. The kernels are in kernel/batched_td.py.
"""

from dataclasses import dataclass

import numpy as np

from sparring.arena.players import fill_net
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.batched_td import BatchedTD, Terms, batched_td
from sparring.kernel.launch import Player
from sparring.kernel.random import derive
from sparring.learn.checkpoints import MOST, Saved, check_adam, check_states
from sparring.learn.option_checks import check_builtin, check_head, check_network
from sparring.learn.td import between, head_of
from sparring.learn.training import Training
from sparring.options import option


@dataclass(frozen=True)
class TDBatch:
    """The options of TD(0) on games in parallel."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    outputs: str = option("", "the network's head: what it predicts and is rewarded for; empty for the game's first")
    hidden: int = option(80, "hidden units", 1, 4096)
    games: int = option(1024, "games in parallel", 1, 1_000_000)
    turns: int = option(20_000, "turns of every game, each followed by a correction", 1, 100_000_000)
    rate: float = option(0.02, "Adam's learning rate at the first turn", 0, 1000)
    rate_end: float = option(
        0.0003, "Adam's learning rate at the last turn; in between it falls exponentially", 0, 1000
    )
    start: float = option(0.1, "standard deviation of the initial weights", 0, 1000)
    step_turns: int = option(100, "turns per step; the run saves and checks for Ctrl-C between steps", 1, 1_000_000)
    benchmark: str = option("random", "player that the network meets during training, for the curves only")
    benchmark_pairs: int = option(100, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    curve_every: int = option(10, "steps between two points of the curves", 1, 1_000_000)


class TDBatchTraining(Training):
    """Trials one after another, each with its own batch of games."""

    learner = "td-batch"
    unit = "turn"
    options: TDBatch

    @classmethod
    def check(cls, game: Game, options: TDBatch) -> None:
        rules = game.rules
        if not (rules.perfect_information and game.policies.input_major and 2 in rules.seats):
            needs = "two seats, perfect information and input-major networks"
            raise UserError(f"learner.name: {cls.learner} needs {needs}, which {game.name} does not have")
        check_head(game, cls.learner, options.outputs)
        check_network(game, options)
        check_builtin(game, "benchmark", options.benchmark)

    def duration(self) -> tuple[int, int]:
        return self.options.turns, self.options.step_turns

    def begin(self) -> None:
        rules, policies, learning = self.game.rules, self.game.policies, self.game.learning
        head, flip = head_of(self.game, self.options.outputs)
        self.shape = (self.inputs, self.options.hidden, flip.shape[1])
        self.nets = self.first_weights()
        self.table = self.make_table(self.options.benchmark)
        kernels = batched_td(rules.start, policies.choose, rules.apply, learning.inputs, learning.outcome)
        self.batches = []
        for seed, weights in zip(self.trial_seeds, self.nets, strict=True):
            player, terms = np.zeros(1, Player), np.zeros(1, Terms)
            fill_net(player, self.game, self.net(weights), 0)
            terms["seed"], terms["seats"], terms["head"] = derive(seed, "games"), 2, head
            batch = BatchedTD(self.game.launcher, kernels, player, flip, terms, weights, self.options.games)
            self.batches.append(batch)

    def advance(self) -> int:
        options, whole = self.options, max(1, self.length - 1)
        turns = range(self.step * self.stride, min((self.step + 1) * self.stride, self.length))
        rates = [between(options.rate, options.rate_end, turn / whole, "exponential") for turn in turns]
        before = self._deals()
        for batch in self.batches:
            batch.learn(rates, self.threads)
        self.step += 1
        return (self._deals() - before) // options.games + self.measure()

    def _deals(self) -> int:
        return sum(int(batch.kept["deals"].sum()) for batch in self.batches)

    # Checkpoints, results.

    def saved(self, step: int) -> dict[str, Saved]:
        last = self.options.games * (1 + min(step * self.stride, self.length))
        most = {"begun": 1, "deals": last, "square": MOST}
        return {
            f"{trial}/{name}": Saved(
                array.view(np.uint8) if array.dtype.names else array, 0 if name in most else None, most.get(name)
            )
            for trial, batch in enumerate(self.batches)
            for name, array in batch.kept.items()
        }

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().check_arrays(step, arrays)
        for trial, batch in enumerate(self.batches):
            mean, square, begun, states = (arrays[f"{trial}/{name}"] for name in ("mean", "square", "begun", "states"))
            check_adam(f"{trial}/mean", mean, square)
            check_states(f"{trial}/states", self.game, states.view(batch.kept["states"].dtype), begun == 1)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().restore(step, arrays)
        for batch in self.batches:
            batch.count = min(step * self.stride, self.length)

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        turns = min(self.step * self.stride, self.length)
        played = f"{turns} turns of {self.options.games} games of self-play side by side"
        return f"weights N(0, {self.options.start:g})", played
