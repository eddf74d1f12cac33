"""TD(lambda) for deep networks: thousands of games in lockstep, and minibatches of every move's positions.

Tesauro, "Practical issues in temporal difference learning" (1992), with the networks of today: several layers of ReLU units,
cross-entropy, and Adam (Kingma and Ba 2014). After each move of all games the network learns once from each: the position that the
last mover left should have the value of the position now reached, or of the outcome. Where the seats see different things, what a
seat saw after its turn should have the value of what it sees after its next (kernel/seat_turns.py). With lambda above 0 a sample
waits some turns for its lambda-return (kernel/traces.py). A target can be the mean over all chance outcomes before the next move.
The moving average of the weights is the champion. On a GPU all games' positions are valued together (kernel/stages.py), by PyTorch.
"""

import math
from dataclasses import dataclass

import numpy as np

from sparring.arena.players import Contestant, find_player, pack_players
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.deep_td import Decays, DeepTD, Turn
from sparring.kernel.launch import LAYERS, SEATS
from sparring.kernel.random import derive
from sparring.kernel.seat_turns import one_part, seat_stages
from sparring.kernel.stages import NOBODY, Stages, Terms, no_chance, one_unit, stages
from sparring.kernel.temporal import only_after_turns
from sparring.kernel.traces import last_mover, tracing, waiting_seats, whose_turn, whose_value
from sparring.learn.checkpoints import COUNT, MOST, Saved, check_adam, check_states
from sparring.learn.deep_weights import grow, grows_into, he_weights, revive
from sparring.learn.option_checks import check_builtin, check_head, check_network, check_rival
from sparring.learn.td import head_of
from sparring.learn.training import Panel, Training
from sparring.nets.dense import Net
from sparring.options import option

WIDEST = 4096
REVIVING = 0.8  # share of the training after which no unit is revived
ROUNDING = (
    1e-6  # by which an output, and so a target, may lie outside of 0 to 1: kernels compute a sigmoid by a quotient
)


@dataclass(frozen=True)
class DeepTDOptions:
    """The options of TD(lambda) for deep networks."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    outputs: str = option("", "the network's head: what it predicts and is rewarded for; empty for the game's first")
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    layers: str = option("128-128", "units of each hidden layer")
    initial: str = option(
        "",
        "start from this deep network, with new units and layers where it is smaller; empty: random",
        reads_file=True,
    )
    teacher: str = option(
        "", "learn what this deep network says of each position, instead of its own later values", reads_file=True
    )
    trace: float = option(0.0, "lambda: weight of what later turns say in a target; 0 for the next turn alone", 0, 1)
    exact: float = option(
        1.0, "share of the training after which targets are means over all chance outcomes; 1 for never", 0, 1
    )
    games: int = option(1024, "games in parallel", 1, 1_000_000)
    games_first: int = option(0, "games in parallel at the first turn; 0 for all", 0, 1_000_000)
    turns: int = option(20_000, "moves of every game, each followed by learning", 1, 100_000_000)
    minibatch: int = option(256, "games per correction at first; they double a few times", 1, 100_000)
    minibatch_end: int = option(256, "games per correction at last", 1, 100_000)
    minibatch_until: float = option(0.5, "share of the training, in equal parts, with smaller minibatches", 0, 1)
    rate: float = option(1e-3, "Adam's learning rate after the warm-up", 0, 1)
    rate_first: float = option(2e-4, "Adam's learning rate at the first turn: a high one leaves dead units", 0, 1)
    rate_end: float = option(2e-5, "Adam's learning rate at the last turn; it falls as a cosine", 0, 1)
    warm_up: float = option(0.05, "share of the training in which games and learning rate grow linearly", 0, 1)
    weight_decay: float = option(
        0.0, "share of the weights that a correction takes off, times the learning rate", 0, 100
    )
    average: float = option(1e-4, "share of the weights that each correction adds to their moving average", 0, 1)
    against: tuple[str, ...] = option((), "play every other game with one of these built-in players; empty for none")
    rival: str = option("", "play every other game with this player too: a name, a net file or a run", reads_file=True)
    explore: float = option(0.0, "share of random moves at the first turn; it falls linearly to 0", 0, 1)
    revive: int = option(
        0, "turns between two revivals of dead units, except in the last fifth; 0 for never", 0, 100_000_000
    )
    active: int = option(40, "about how many inputs are not 0: the scale of the initial weights", 1, 100_000)
    step_turns: int = option(100, "turns per step; the run saves and checks for Ctrl-C between steps", 1, 1_000_000)
    benchmark: str = option("random", "player that the network meets during training, for the curves only")
    benchmark_pairs: int = option(0, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    curve_every: int = option(10, "steps between two points of the curves", 1, 1_000_000)


def read_layers(text: str) -> tuple[int, ...]:
    """`512-256` as numbers."""
    words = text.split("-")
    if len(words) >= LAYERS or any(not (w.isdecimal() and len(w) < 5 and 1 <= int(w) <= WIDEST) for w in words):
        must = f"must be up to {LAYERS - 1} numbers from 1 to {WIDEST}, as 128-128"
        raise UserError(f"learner.layers = {text!r}: {must}")
    return tuple(map(int, words))


def alike(game: Game) -> bool:
    """Whether there are two seats that see the same."""
    return game.rules.perfect_information and game.rules.seats[0] == 2


def check_targets(game: Game, options: DeepTDOptions) -> None:
    """Refuse targets that a game cannot have, or that a teacher replaces."""
    if options.exact < 1 and not (alike(game) and game.rules.chance):
        must = f"is for two seats with perfect information that list what chance can bring, which {game.name} does not"
        raise UserError(f"learner.exact = {options.exact}: {must}")
    for name, default in (("trace", 0), ("exact", 1)):
        if options.teacher and getattr(options, name) != default:
            must = f"must be {default} with a teacher, whose values are the targets"
            raise UserError(f"learner.{name} = {getattr(options, name)}: {must}")


def stages_of(game: Game) -> Stages:
    """A game's stages: of perfect information for two seats, or those that keep what each seat sees."""
    rules, learns = game.rules, game.learning
    kernels = rules.start, rules.moves, game.policies.choose, rules.apply, learns.inputs, learns.outcome
    if alike(game):
        unit = learns.unit or one_unit
        made = stages(*kernels, learns.equity, unit, rules.chance or no_chance, rules.chances)
        return made._replace(tracing=tracing(last_mover, whose_turn, unit, True))
    made = seat_stages(*kernels, learns.part or one_part, learns.valued or only_after_turns)
    return made._replace(tracing=tracing(waiting_seats, whose_value, one_unit, False))


class DeepTDTraining(Training):
    """Trials one after another, each with its own games. Row t of `nets` is the moving average of trial t's weights."""

    learner = "deep-td"
    unit = "turn"
    kind = "deep"
    options: DeepTDOptions

    @classmethod
    def check(cls, game: Game, options: DeepTDOptions) -> None:
        check_head(game, cls.learner, options.outputs)
        if "deep" not in game.policies.kinds:
            raise UserError(
                f"learner.name: {cls.learner} needs policies for deep networks, which {game.name} does not have"
            )
        check_network(game, options)
        check_builtin(game, "benchmark", options.benchmark)
        check_builtin(game, "against", *options.against)
        check_rival(game, options.rival)
        for name in ("explore", "against", "rival"):
            if getattr(options, name) and alike(game):
                value = getattr(options, name)
                raise UserError(f"learner.{name} = {value}: is for games whose seats see different things")
        check_targets(game, options)
        read_layers(options.layers)
        first, last = options.minibatch, options.minibatch_end
        if last < first or last % first or (last // first).bit_count() != 1:
            raise UserError(f"learner.minibatch_end = {last}: must be minibatch = {first}, or its double, and so on")
        for name in ("games", "games_first"):
            if getattr(options, name) % last:
                raise UserError(
                    f"learner.{name} = {getattr(options, name)}: must be a multiple of minibatch_end = {last}"
                )
        if options.revive % options.step_turns:
            must = f"must be a multiple of step_turns = {options.step_turns}"
            raise UserError(f"learner.revive = {options.revive}: {must}")
        fastest = max(options.rate, options.rate_first, options.rate_end)
        if options.weight_decay * fastest > 0.5:
            must = f"must be at most {0.5 / fastest:g}: a correction takes off this share times the learning rate"
            raise UserError(f"learner.weight_decay = {options.weight_decay}: {must}")
        if options.games_first > options.games:
            raise UserError(f"learner.games_first = {options.games_first}: must be at most games = {options.games}")

    def duration(self) -> tuple[int, int]:
        return self.options.turns, self.options.step_turns

    def begin(self) -> None:
        head, flip = head_of(self.game, self.options.outputs)
        self.shape = (self.inputs, *read_layers(self.options.layers), flip.shape[1])
        self.nets = self.first_weights("start")
        teacher = self._teacher(self.options.teacher) if self.options.teacher else None
        self.rivals = (*self.options.against, *filter(None, [self.options.rival]))
        self.table = self.make_table(self.options.benchmark, *self.rivals)
        made, seats = stages_of(self.game), self.game.rules.seats[0]
        rivals, others = len(self.rivals), self.weights[self.nets.size :]
        player = self.table[[0, *range(len(self.table) - rivals, len(self.table))]]
        # A trial's games have its own network and the others.
        player["offset"][1:] -= self.nets.size - self.nets.shape[1]
        branching = self.game.rules.branching if alike(self.game) and self.game.learning.equity else 0
        self.alike = alike(self.game)
        self.learning = []
        for seed, average in zip(self.trial_seeds, self.nets, strict=True):
            terms = np.zeros(1, Terms)
            terms["seed"], terms["seats"], terms["head"] = derive(seed, "games"), seats, head
            terms["encoding"], terms["games"], terms["rivals"] = player["encoding"][0], self.options.games, rivals
            terms["trace"] = self.options.trace
            learning = self.game.launcher, made, terms, player, flip, average, others
            decays = Decays(self.options.average, self.options.weight_decay)
            self.learning.append(DeepTD(*learning, decays, branching, teacher))
        layers = range(1, len(self.shape) - 1)
        names = ["loss", *(f"active.layer{n}" for n in layers), *(f"dead.layer{n}" for n in layers)]
        self.recorded = {f"network.{name}": np.zeros((self.trials, self.measured.points)) for name in names}

    def first_weights(self, *words: str) -> np.ndarray:
        fresh = [he_weights(self.shape, self.options.active, seed, *words) for seed in self.trial_seeds]
        if not self.options.initial:
            return np.array(fresh)
        nets = [self._deep_net("initial", name) for name in self._initial_names(self.options.initial)]
        return np.array([grow(net.weights, net.shape, new, self.shape) for net, new in zip(nets, fresh, strict=True)])

    def _deep_net(self, option: str, name: str) -> Net:
        """The network that an option names: one that grows into what is trained, or has the same inputs and outputs."""
        found = find_player(self.game, name).net
        wanted = f"a deep network on {self.encoding} with {self.shape[-1]} outputs"
        if found is None or (found.kind, found.encoding, found.shape[-1]) != ("deep", self.encoding, self.shape[-1]):
            seen = f"{found.kind}, {'-'.join(map(str, found.shape))} on {found.encoding}" if found else "no network"
            raise UserError(f"learner.{option} = {name!r}: is {seen}; this training needs {wanted}")
        if option == "initial" and not grows_into(found.shape, self.shape):
            must = f"layers must have at least {'-'.join(map(str, found.shape[1:-1]))} units"
            raise UserError(f"learner.layers = {self.options.layers!r}: {name} does not fit into it; {must}")
        return found

    def _teacher(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Another network as kernels take it."""
        return pack_players(self.game, [Contestant(name, "net", self._deep_net("teacher", name))])

    def turn(self, number: int) -> Turn:
        """The games, minibatch and learning rate of a turn."""
        options, progress = self.options, number / max(1, self.length - 1)
        doublings = (options.minibatch_end // options.minibatch).bit_length() - 1
        grown = progress / options.minibatch_until if options.minibatch_until else 1.0
        minibatch = options.minibatch << min(int(grown * doublings), doublings)
        warm = min(1.0, progress / options.warm_up) if options.warm_up else 1.0
        first = options.games_first or options.games
        games = int(first + (options.games - first) * warm) // minibatch * minibatch
        fall = max(0.0, progress - options.warm_up) / max(1e-9, 1 - options.warm_up)
        rate = options.rate_end + (options.rate - options.rate_end) * (1 + math.cos(math.pi * fall)) / 2
        if warm < 1:
            rate = options.rate_first + (options.rate - options.rate_first) * warm
        exact = options.exact < 1 and progress >= options.exact
        return Turn(games, minibatch, rate, options.explore * (1 - progress), exact)

    def advance(self) -> int:
        last = min((self.step + 1) * self.stride, self.length)
        turns = [self.turn(number) for number in range(self.step * self.stride, last)]
        before = self._deals()
        for trial, learning in enumerate(self.learning):
            *layers, (loss, samples) = np.split(learning.learn(turns, self.threads), np.cumsum(self.shape[1:-1]))
            means = np.array([loss, *(layer.mean() for layer in layers)]) / max(1, samples)
            found = [*means, *((layer == 0).mean() for layer in layers)]
            for curve, value in zip(self.recorded.values(), found, strict=True):
                curve[trial, self.step // self.every] = value
            if self.options.revive and last % self.options.revive == 0 and last <= REVIVING * self.length:
                fresh = he_weights(self.shape, self.options.active, self.trial_seeds[trial], "revive", last)
                revive([layer == 0 for layer in layers], self.shape, learning.kept, fresh)
                learning.changed()
        self.step += 1
        return (self._deals() - before) // self.options.games + self.measure()

    def _deals(self) -> int:
        return sum(int(learning.kept["deals"].sum()) for learning in self.learning)

    # Curves, checkpoints, results.

    def panels(self) -> list[Panel]:
        layers = range(1, len(self.shape) - 1)
        shares = [(word, {f"layer {n}": f"network.{word}.layer{n}" for n in layers}) for word in ("active", "dead")]
        return [("loss", {"network": "network.loss"}), *shares]

    def saved(self, step: int) -> dict[str, Saved]:
        turns = min(step * self.stride, self.length)
        most = {
            "deals": self.options.games * (1 + turns),
            "square": MOST,
            "updates": turns * self.options.games,
            "movers": 1 if self.alike else (1 << self.game.rules.seats[0]) - 1,
            "ring.targets": 1 + ROUNDING,
            "ring.seats": SEATS << SEATS,
            "ring.ends": 1,
            "ring.places": turns,
        }
        least = {
            "movers": NOBODY if self.alike else 0,
            "points": -COUNT,
            "ring.targets": -ROUNDING,
            "ring.seats": NOBODY,
            "ring.units": 1e-9,
        }
        found = {f"recorded/{name}": Saved(values) for name, values in self.recorded.items()}
        for trial, learning in enumerate(self.learning):
            for name, array in learning.kept.items():
                limits = least.get(name, 0 if name in most else None), most.get(name)
                found[f"{trial}/{name}"] = Saved(array.view(np.uint8) if array.dtype.names else array, *limits)
        return found

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().check_arrays(step, arrays)
        for trial, learning in enumerate(self.learning):
            mean, square, states = (arrays[f"{trial}/{name}"] for name in ("mean", "square", "states"))
            check_adam(f"{trial}/mean", mean, square, 1e-28)
            states = states.view(learning.kept["states"].dtype)
            going = (states["over"] == 0) | (arrays[f"{trial}/movers"] == 0) | self.alike
            check_states(f"{trial}/states", self.game, states, going)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().restore(step, arrays)
        for learning in self.learning:
            learning.engine = None

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        turns = min(self.step * self.stride, self.length)
        half = f", every other with {', '.join(self.rivals)}" if self.rivals else ""
        taught = f", taught by {self.options.teacher}" if self.options.teacher else ""
        taught += f", lambda {self.options.trace:g}" if self.options.trace else ""
        taught += f", means over all chance outcomes from {self.options.exact:.0%} on" if self.options.exact < 1 else ""
        played = f"{turns} turns of {self.options.games} games of self-play in lockstep{half}{taught}"
        start = f"weights of {self.options.initial}" if self.options.initial else "weights as of He et al. (2015)"
        return start, played
