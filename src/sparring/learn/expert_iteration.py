"""Expert iteration: search around a network finds better moves than the network, and the network learns them.

Anthony, Tian and Barber, "Thinking fast and slow with deep learning and tree search" (2017); Silver et al., "Mastering the game of
Go without human knowledge" (2017). The network plays games. Some of its decisions are searched by flat Monte Carlo: all moves are
played out in the same random worlds that fit what the seat knows, and the mean outcome after a move is what the network should say
of it. The network learns from the decisions of the last steps by Adam (Kingma and Ba 2015), and the moving average of its weights
plays on and makes the playouts of the next searches. The kernels are in kernel/expert.py.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from sparring.errors import UserError
from sparring.games import Game
from sparring.games.game import MOVES
from sparring.kernel.expert import AGREED, CHOICES, DECISIONS, LOSS, SearchTerms, expert
from sparring.kernel.expert_runner import ExpertRunner
from sparring.kernel.random import derive
from sparring.kernel.seat_turns import one_part
from sparring.kernel.temporal import only_after_turns
from sparring.learn.checkpoints import MOST, Damaged, Saved, check_adam, check_states
from sparring.learn.deep_td import read_layers
from sparring.learn.deep_weights import he_weights
from sparring.learn.option_checks import check_builtin, check_head, check_network
from sparring.learn.td import STEPS, between, head_of
from sparring.learn.training import Panel, Training
from sparring.nets.dense import gaussian, size
from sparring.options import option

KINDS = ("deep", "sigmoid")
WORLDS = ("known", "dealt")
START = 0.1  # standard deviation of the initial weights of sigmoid networks
FOREVER = 1 << 30  # moves


@dataclass(frozen=True)
class ExpertIteration:
    """The options of expert iteration."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    outputs: str = option("", "the network's head: what it predicts and is rewarded for; empty for the game's first")
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    kind: str = option("deep", "ReLU units in several layers, or sigmoid units in one", choices=KINDS)
    layers: str = option("64", "units of each hidden layer")
    initial: str = option(
        "", "start from this network: a name, a file, a run, or RUN/champions; empty: random", reads_file=True
    )
    games: int = option(20_000, "games of training", 1, 1_000_000_000)
    step_games: int = option(200, "games per step, all with the same network", 1, 1_000_000)
    searches: int = option(4, "decisions of a game that are searched, at most", 1, 1000)
    share: float = option(
        0.25, "share of the network's decisions that are searched, until a game has had its searches", 0, 1
    )
    worlds: int = option(16, "worlds of a search; each plays out every move", 1, 100_000)
    world: str = option(
        "known", "what a world is: states that fit what the seat knows, or the true one", choices=WORLDS
    )
    moves: int = option(32, "moves of a decision that are tried; of more, so many at random", 1, 1000)
    playout: str = option("", "built-in player that plays worlds out at first; empty for the network itself")
    playout_share: float = option(
        1.0, "share of the training with playouts by that player; then the network makes them", 0, 1
    )
    depth: int = option(0, "moves after which the network's value ends its own playouts; 0 for never", 0, 10_000)
    against: tuple[str, ...] = option((), "play every other game with one of these built-in players; empty for none")
    explore: float = option(0.1, "share of random moves at the first game", 0, 1)
    explore_end: float = option(0.0, "share of random moves at the last game", 0, 1)
    replay: int = option(10, "steps whose decisions are kept to learn from", 1, 10_000)
    corrections: int = option(100, "corrections after each step", 1, 1_000_000)
    minibatch: int = option(32, "decisions per correction", 1, 10_000)
    level: float = option(
        0.3, "weight of the error that all moves of a decision share: which is better matters more", 0, 1
    )
    rate: float = option(1e-3, "Adam's learning rate at the first step", 0, 1)
    rate_end: float = option(1e-4, "Adam's learning rate at the last step; it falls as a cosine", 0, 1)
    average: float = option(1e-3, "share of the weights that each correction adds to their moving average", 0, 1)
    active: int = option(
        40, "about how many inputs are not 0: the scale of the initial weights of deep networks", 1, 100_000
    )
    benchmark: str = option("random", "player that the network meets during training, for the curves only")
    benchmark_pairs: int = option(0, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    curve_every: int = option(10, "steps between two points of the curves", 1, 1_000_000)


class ExpertIterationTraining(Training):
    """Trials one after another. Row t of `nets` is the moving average of trial t's weights."""

    learner = "expert-iteration"
    unit = "game"
    options: ExpertIteration

    @classmethod
    def check(cls, game: Game, options: ExpertIteration) -> None:
        check_head(game, cls.learner, options.outputs)
        if game.search is None:
            raise UserError(f"learner.name: {cls.learner} needs search, which {game.name} does not have")
        check_network(game, options)
        if options.kind not in game.policies.kinds:
            raise UserError(f"learner.kind = {options.kind!r}: {game.name} has {', '.join(game.policies.kinds)}")
        check_builtin(game, "benchmark", options.benchmark)
        check_builtin(game, "against", *options.against)
        if options.playout:
            check_builtin(game, "playout", options.playout)
        if len(read_layers(options.layers)) > 1 and options.kind == "sigmoid":
            raise UserError(f"learner.layers = {options.layers!r}: sigmoid networks have one hidden layer")

    @classmethod
    def lasting(cls, options: ExpertIteration, games: int) -> ExpertIteration:
        return replace(options, games=games, step_games=max(1, min(options.step_games, games // STEPS)))

    def duration(self) -> tuple[int, int]:
        return self.options.games, self.options.step_games

    def begin(self) -> None:
        options, game = self.options, self.game
        self.kind = options.kind
        self.head, flip = head_of(game, options.outputs)
        self.shape = (self.inputs, *read_layers(options.layers), flip.shape[1])
        self.nets = self.first_weights("start")
        # The benchmark, rivals, and the player of playouts where the network does not make them itself.
        self.table = self.make_table(options.benchmark, *options.against, options.playout or options.benchmark)
        rules, learns, search = game.rules, game.learning, game.search
        assert search is not None
        kernels = expert(
            rules.start, rules.moves, game.policies.choose, rules.apply, learns.inputs, learns.outcome,
            learns.part or one_part, learns.valued or only_after_turns, search.determinize,
        )  # fmt: skip
        places = options.replay * options.step_games * options.searches, options.moves
        rivals = len(self.nets) + 1 + np.arange(len(options.against) + 1)
        self.learning = [
            ExpertRunner(
                game.launcher, kernels, self.table[[trial, *rivals]], average, places, rules.branching or MOVES
            )
            for trial, average in enumerate(self.nets)
        ]
        names = ("loss", "agreement")
        self.recorded = {f"network.{name}": np.zeros((self.trials, self.measured.points)) for name in names}

    def first_weights(self, *words: str) -> np.ndarray:
        """Those of a network, or random ones: as of He et al. (2015) for deep networks."""
        if self.options.initial:
            return np.array([self._initial(name) for name in self._initial_names(self.options.initial)])
        if self.kind == "deep":
            return np.array([he_weights(self.shape, self.options.active, seed, *words) for seed in self.trial_seeds])
        return np.array(
            [np.float32(START) * gaussian(size(self.shape, self.kind), seed, *words) for seed in self.trial_seeds]
        )

    def advance(self) -> int:
        first = self.step * self.stride
        games, before = min(self.stride, self.length - first), self.step % self.options.replay
        for trial, runner in enumerate(self.learning):
            terms = self._terms(trial, first)
            self._seat_playouts(runner)
            runner.play(games, before * self.stride * self.options.searches, self.weights, terms, self.threads)
            if games < self.stride:  # the last step is shorter
                runner.kept["counts"][(before * self.stride + games) * self.options.searches :][
                    : (self.stride - games) * self.options.searches
                ] = 0
            self._learn(trial, runner, terms)
        self.step += 1
        return games * self.trials + self.measure()

    @property
    def progress(self) -> float:
        """The share of the training that is behind."""
        return self.step / max(1, self.steps - 1)

    def _by_network(self) -> bool:
        """Whether the network makes the playouts of this step."""
        return not self.options.playout or self.step >= self.options.playout_share * self.steps

    def _terms(self, trial: int, deal: int) -> np.ndarray:
        """What the games of this step have in common."""
        options, terms = self.options, np.zeros(1, SearchTerms)
        terms["seed"], terms["deal"] = derive(self.trial_seeds[trial], "games"), deal
        terms["seats"], terms["head"] = self.game.rules.seats[0], self.head
        terms["input_major"] = self.kind == "deep" or self.game.policies.input_major
        horizon = self.game.search.horizon if self.game.search else 0
        depth = options.depth if self._by_network() and options.depth else FOREVER
        terms["depth"] = min(depth, horizon or FOREVER)
        terms["explore"] = between(options.explore, options.explore_end, self.progress, "linear")
        terms["rivals"], terms["dealt"] = len(options.against), options.world == "dealt"
        for name in ("searches", "share", "worlds", "level"):
            terms[name] = getattr(options, name)
        return terms

    def _seat_playouts(self, runner: ExpertRunner) -> None:
        """Write the player that plays worlds out into the last row."""
        runner.players[-1] = runner.players[0] if self._by_network() else self.table[-1]

    def _learn(self, trial: int, runner: ExpertRunner, terms: np.ndarray) -> None:
        """Learn from decisions of the replay, drawn at random."""
        options, known = self.options, np.flatnonzero(runner.kept["counts"])
        if len(known) == 0:
            return
        rng = np.random.default_rng(derive(self.trial_seeds[trial], "replay", self.step))
        chosen = rng.choice(known, (options.corrections, options.minibatch))
        rate = options.rate_end + (options.rate - options.rate_end) * (1 + math.cos(math.pi * self.progress)) / 2
        found = runner.learn(chosen, rate, options.average, terms, self.threads)
        point = self.step // self.every
        self.recorded["network.loss"][trial, point] = found[LOSS] / found[DECISIONS]
        self.recorded["network.agreement"][trial, point] = found[AGREED] / max(found[CHOICES], 1.0)

    # Curves, checkpoints, results.

    def panels(self) -> list[Panel]:
        return [("loss", {"network": "network.loss"}), ("agreement", {"network": "network.agreement"})]

    def saved(self, step: int) -> dict[str, Saved]:
        most = {"square": MOST, "updates": step * self.options.corrections, "counts": self.options.moves}
        found = {f"recorded/{name}": Saved(values) for name, values in self.recorded.items()}
        for trial, runner in enumerate(self.learning):
            for name, array in runner.kept.items():
                limits = (0 if name in (*most, "moves") else None), most.get(name)
                found[f"{trial}/{name}"] = Saved(array.view(np.uint8) if array.dtype.names else array, *limits)
        return found

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().check_arrays(step, arrays)
        for trial, runner in enumerate(self.learning):
            own = {name: arrays[f"{trial}/{name}"] for name in runner.kept}
            check_adam(f"{trial}/mean", own["mean"], own["square"], 1e-28)
            own["states"] = own["states"].view(runner.kept["states"].dtype)
            filled = own["states"][own["counts"] > 0]  # other places may hold anything, which nobody reads
            check_states(f"{trial}/states", self.game, filled, np.ones(len(filled), bool))
            if (place := runner.illegal(own)) >= 0:
                raise Damaged(f"'{trial}/moves' has a move that is not legal at place {place}")

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        options, games = self.options, min(self.step * self.stride, self.length)
        start = f"weights of {options.initial}" if options.initial else "random weights"
        half = f", every other with {', '.join(options.against)}" if options.against else ""
        return f"{start}, trial {trial}", f"{games} games of self-play{half}, {options.searches} searches of each"
