"""Supervised regression: whether a network can learn a target at all, and from which representation of its inputs.

The supervised experiment of "Playing a Game of Cards using Neuroevolution" (2019, section 6.1.3, Table 4): several
networks learn the same examples in each representation and are tested on other examples. The study names scikit-learn's
MLPRegressor and none of its settings; those here are scikit-learn's defaults.

The arithmetic is scikit-learn's, and so are the initial weights and the order of the examples. But only what an example differs by
from a common base is added, which for one-hot inputs takes a twentieth of the time.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.dense import SINGLE, adam, corrected_rate_in_kernel
from sparring.kernel.random import derive
from sparring.kernel.vectors import add_scaled, copy

Representation = Callable[[np.ndarray], np.ndarray]  # examples to a network's inputs
Draw = Callable[[int, int], tuple[np.ndarray, np.ndarray]]  # a number and a seed to examples and their targets
DECAY, ZERO, ONE = np.float32(1e-4), np.float32(0.0), np.float32(1.0)  # decay: scikit-learn's alpha


@dataclass(frozen=True)
class Supervised:
    """The number of networks and examples, and the settings of the regressor."""

    networks: int = 10
    examples: int = 100_000  # of training; as many others for the test
    seed: int = 0
    hidden: int = 100  # units
    batch: int = 200
    learning_rate: float = 0.001
    iterations: int = 200  # most passes over the examples
    tolerance: float = 1e-4  # training ends when the loss falls by less than this
    patience: int = 10  # for this number of passes


@dataclass(frozen=True)
class Fit:
    """The result of one network on unseen examples."""

    representation: str
    trial: int
    seconds: float  # that scikit-learn would take: its time for one pass, times the passes
    iterations: int
    mean_absolute_error: float
    r2: float


class Examples(NamedTuple):
    """Inputs as differences from a base that all examples share, and the targets."""

    base: np.ndarray
    number: np.ndarray  # (examples, differences): of inputs
    value: np.ndarray  # and what they differ by
    targets: np.ndarray

    @classmethod
    def of(cls, inputs: np.ndarray, targets: np.ndarray) -> "Examples":
        """Any base will do; this one makes few differences."""
        base = ((inputs > 0.5).mean(axis=0) > 0.5).astype(np.float32)
        more = inputs - base
        rows, columns = np.nonzero(more)
        counts = np.bincount(rows, minlength=len(inputs))
        place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        number, value = (np.zeros((len(inputs), counts.max()), kind) for kind in (np.int64, np.float32))
        number[rows, place], value[rows, place] = columns, more[rows, columns]
        return cls(base, number, value, targets.astype(np.float32))


class Network(NamedTuple):
    """All weights in one array (first layer input by input, its bias, second layer, its bias), and what Adam needs."""

    weights: np.ndarray
    gradient: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    scratch: np.ndarray  # three rows of hidden units: sums of the base, an example's units, sums of slopes

    @classmethod
    def initial(cls, inputs: int, hidden: int, dice: np.random.RandomState) -> "Network":
        """Weights and biases as scikit-learn draws them."""
        drawn = []
        for before, units in ((inputs, hidden), (hidden, 1)):
            bound = np.sqrt(6.0 / (before + units))
            drawn += [dice.uniform(-bound, bound, before * units), dice.uniform(-bound, bound, units)]
        weights = np.concatenate(drawn).astype(np.float32)
        gradient, mean, square = (np.zeros_like(weights) for _ in range(3))
        return cls(weights, gradient, mean, square, np.zeros((3, hidden), np.float32))


def regress(
    config: Supervised,
    representations: Mapping[str, Representation],
    draw: Draw,
    progress: Callable[[Fit], None] | None = None,
    workers: int = 1,
) -> list[Fit]:
    """Train `config.networks` networks in each representation; `progress` is called with each result.

    Results depend only on the seed, not on the number of threads; the seconds vary.
    """
    fits = []
    (hands, targets), (unseen, truth) = (draw(config.examples, derive(config.seed, word)) for word in ("train", "test"))
    for name, represent in representations.items():
        inputs = represent(hands)
        jobs = (config, name, Examples.of(inputs, targets), Examples.of(represent(unseen), truth))
        seconds = timed_pass(config, inputs, targets)
        with ThreadPoolExecutor(workers) as pool:
            for fit in pool.map(lambda trial, jobs=jobs: train_one(trial, *jobs), range(config.networks)):
                fits.append(replace(fit, seconds=fit.iterations * seconds))
                if progress is not None:
                    progress(fits[-1])
    return fits


def train_one(trial: int, config: Supervised, name: str, examples: Examples, test: Examples) -> Fit:
    """Train and test one network."""
    dice = np.random.RandomState(derive(config.seed, name, trial) % 2**32)
    network = Network.initial(len(examples.base), config.hidden, dice)
    passes = len(list(losses(config, network, examples, dice)))
    answers = np.zeros(len(test.targets))
    predict(test, network, answers)
    r2 = 1 - float(((answers - test.targets) ** 2).mean() / test.targets.var(dtype=float))
    return Fit(name, trial, 0.0, passes, float(np.abs(answers - test.targets).mean()), r2)


def losses(config: Supervised, network: Network, examples: Examples, dice: np.random.RandomState) -> Iterator[float]:
    """Train until the loss stops falling, as scikit-learn does; yields the loss of every pass."""
    order, steps, best, waited = np.arange(len(examples.targets)), 0, np.inf, 0
    for _ in range(config.iterations):
        chosen = np.arange(len(order))
        dice.shuffle(chosen)
        order = order[chosen]
        loss = train_pass(examples, network, order, config.batch, steps, config.learning_rate)
        yield loss
        steps += -(-len(order) // config.batch)
        waited = waited + 1 if loss > best - config.tolerance else 0
        best = min(best, loss)
        if waited > config.patience:
            return


def timed_pass(config: Supervised, inputs: np.ndarray, targets: np.ndarray) -> float:
    """The seconds that scikit-learn takes for one pass on one core."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor
    from threadpoolctl import threadpool_limits

    net = MLPRegressor(hidden_layer_sizes=(config.hidden,), batch_size=config.batch, max_iter=1, random_state=0)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # one pass is meant
        started = time.perf_counter()
        net.fit(inputs, targets.astype(np.float32))
        return time.perf_counter() - started


@kernel
def train_pass(examples, network, order, batch, steps, rate):
    """One pass over the examples in this order; returns the mean loss."""
    loss = 0.0
    for first in range(0, order.shape[0], batch):
        last = min(first + batch, order.shape[0])
        network.gradient[:] = ZERO
        set_base(examples, network)
        squares = 0.0
        for k in range(first, last):
            squares += add_example(examples, network, order[k])
        add_base(examples, network)
        steps += 1
        decay = descend(network, examples.base.size, np.float32(last - first), corrected_rate_in_kernel(-rate, steps))
        loss += 0.5 * (squares + DECAY * decay)
    return loss / order.shape[0]


@kernel
def set_base(examples, network):
    """Write the sums of the base, and clear those of the slopes."""
    units = network.scratch.shape[1]
    copy(network.scratch[0], 0, network.weights, examples.base.size * units, units)
    network.scratch[2][:] = ZERO
    for i in range(examples.base.size):
        if examples.base[i] != ZERO:
            add_scaled(network.scratch[0], 0, network.weights, i * units, examples.base[i], units)


@kernel
def add_base(examples, network):
    """Add the gradient of the base and of the first layer's bias."""
    units = network.scratch.shape[1]
    for i in range(examples.base.size):
        if examples.base[i] != ZERO:
            add_scaled(network.gradient, i * units, network.scratch[2], 0, examples.base[i], units)
    add_scaled(network.gradient, examples.base.size * units, network.scratch[2], 0, ONE, units)


@kernel
def output_of(examples, network, i):
    """The output for an example; scratch has its hidden units."""
    units, hidden = network.scratch.shape[1], network.scratch[1]
    copy(hidden, 0, network.scratch[0], 0, units)
    for k in range(examples.number.shape[1]):
        if examples.value[i, k] != ZERO:
            add_scaled(hidden, 0, network.weights, examples.number[i, k] * units, examples.value[i, k], units)
    second = (examples.base.size + 1) * units
    total = network.weights[second + units]
    for h in range(units):
        hidden[h] = max(hidden[h], ZERO)
        total += network.weights[second + h] * hidden[h]
    return total


@kernel
def add_example(examples, network, i):
    """Add the gradient of an example, except for the base; returns the squared error."""
    units, hidden = network.scratch.shape[1], network.scratch[1]
    error, second = output_of(examples, network, i) - examples.targets[i], (examples.base.size + 1) * units
    network.gradient[second + units] += error
    add_scaled(network.gradient, second, hidden, 0, error, units)
    for h in range(units):
        hidden[h] = error * network.weights[second + h] if hidden[h] > ZERO else ZERO
    add_scaled(network.scratch[2], 0, hidden, 0, ONE, units)
    for k in range(examples.number.shape[1]):
        if examples.value[i, k] != ZERO:
            add_scaled(network.gradient, examples.number[i, k] * units, hidden, 0, examples.value[i, k], units)
    return np.float64(error) * error


@kernel
def descend(network, inputs, count, rate):
    """A step of Adam; weights decay, biases do not. Returns the sum of the squared weights before it."""
    units = network.scratch.shape[1]
    bias, second, end = inputs * units, (inputs + 1) * units, (inputs + 2) * units
    squares = 0.0
    for k in range(network.weights.size):
        weight = network.weights[k]
        decay = DECAY * weight if k < bias or second <= k < end else ZERO
        squares += np.float64(decay) * weight
        slope = (network.gradient[k] + decay) / count
        network.weights[k] = adam(weight, slope, network.mean, network.square, k, np.float32(rate), SINGLE)
    return squares / DECAY


@kernel
def predict(examples, network, answers):
    """Write the outputs for all examples."""
    set_base(examples, network)
    for i in range(answers.size):
        answers[i] = output_of(examples, network, i)
