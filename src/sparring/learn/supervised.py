"""Supervised regression: whether a network can learn a target at all, and from which representation of its inputs.

The supervised experiment of "Playing a Game of Cards using Neuroevolution" (2019, section 6.1.3, Table 4): several
networks learn the same examples in each representation and are tested on other examples. The study names scikit-learn's
MLPRegressor and none of its settings; those here are scikit-learn's defaults.
"""

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.kernel.random import derive

Representation = Callable[[np.ndarray], np.ndarray]  # examples to a network's inputs
Draw = Callable[[int, int], tuple[np.ndarray, np.ndarray]]  # a number and a seed to examples and their targets


@dataclass(frozen=True)
class Supervised:
    """The number of networks and examples, and the settings of the regressor."""

    networks: int = 10
    examples: int = 100_000  # of training; as many others for the test
    seed: int = 0
    hidden: tuple[int, ...] = (100,)  # units of each hidden layer
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
    seconds: float  # of training
    iterations: int
    mean_absolute_error: float
    r2: float


def regress(
    config: Supervised,
    representations: Mapping[str, Representation],
    draw: Draw,
    progress: Callable[[Fit], None] | None = None,
    workers: int = 1,
) -> list[Fit]:
    """Train `config.networks` networks in each representation; `progress` is called with each result.

    Results depend only on the seed, not on the number of processes; the seconds vary.
    """
    from joblib import Parallel, delayed

    jobs = [(name, trial) for name in representations for trial in range(config.networks)]
    parallel = Parallel(n_jobs=workers, return_as="generator")
    fits = []
    for fit in parallel(delayed(train_one)(config, name, trial, representations[name], draw) for name, trial in jobs):
        fits.append(fit)
        if progress is not None:
            progress(fit)
    return fits


def train_one(config: Supervised, name: str, trial: int, represent: Representation, draw: Draw) -> Fit:
    """Train and test one network. It draws the examples itself, which is faster than sending them between processes."""
    from sklearn.metrics import mean_absolute_error, r2_score
    from threadpoolctl import threadpool_limits

    examples, targets = draw(config.examples, derive(config.seed, "train"))
    unseen, truth = draw(config.examples, derive(config.seed, "test"))
    net = regressor(config, derive(config.seed, name, trial))
    with threadpool_limits(1):  # several threads would add in another order and gain nothing on small batches
        seconds = train_net(net, represent(examples), targets.astype(np.float32))
        answers = net.predict(represent(unseen))
    errors = float(mean_absolute_error(truth, answers)), float(r2_score(truth, answers))
    return Fit(name, trial, seconds, net.n_iter_, *errors)


def regressor(config: Supervised, seed: int) -> Any:
    """An untrained MLPRegressor."""
    from sklearn.neural_network import MLPRegressor

    return MLPRegressor(
        hidden_layer_sizes=config.hidden,
        batch_size=config.batch,
        learning_rate_init=config.learning_rate,
        max_iter=config.iterations,
        tol=config.tolerance,
        n_iter_no_change=config.patience,
        random_state=seed % 2**32,
    )


def train_net(net: Any, inputs: np.ndarray, targets: np.ndarray) -> float:
    """Fit the network; returns the seconds that it took."""
    from sklearn.exceptions import ConvergenceWarning

    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the limit on passes is part of the experiment
        net.fit(inputs, targets)
    return time.perf_counter() - started
