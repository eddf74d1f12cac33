"""Can a net learn this at all, and from which inputs? Scikit-learn's regressor, taught one target in several representations.

The supervised experiment of "Playing a Game of Cards using Neuroevolution" (2019, section 6.1.3, Table 4): the same
examples under each representation, several nets each, judged on other examples. The study names MLPRegressor and none
of its settings; those here are scikit-learn's own.
"""

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.kernel.random import derive

Representation = Callable[[np.ndarray], np.ndarray]  # examples to a net's inputs
Draw = Callable[[int, int], tuple[np.ndarray, np.ndarray]]  # how many, and a seed, to examples and their targets


@dataclass(frozen=True)
class Supervised:
    """How many nets learn from how many examples, and how each is taught."""

    networks: int = 10
    examples: int = 100_000  # to learn from; as many others to be judged on
    seed: int = 0
    hidden: tuple[int, ...] = (100,)  # units of each hidden layer
    batch: int = 200
    learning_rate: float = 0.001
    iterations: int = 200  # passes over the examples, at most
    tolerance: float = 1e-4  # a loss that falls by less than this ...
    patience: int = 10  # ... for so many passes ends the teaching


@dataclass(frozen=True)
class Fit:
    """How one net did on examples that it had not seen."""

    representation: str
    trial: int
    seconds: float  # of teaching
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
    """Teach `config.networks` nets in each representation; `progress` hears of each in turn.

    Results follow from the seed alone, whatever the number of processes; only the seconds do not.
    """
    from joblib import Parallel, delayed

    jobs = [(name, trial) for name in representations for trial in range(config.networks)]
    parallel = Parallel(n_jobs=workers, return_as="generator")
    fits = []
    for fit in parallel(delayed(taught)(config, name, trial, representations[name], draw) for name, trial in jobs):
        fits.append(fit)
        if progress is not None:
            progress(fit)
    return fits


def taught(config: Supervised, name: str, trial: int, represent: Representation, draw: Draw) -> Fit:
    """One net, taught and judged. It draws the examples itself: that is quicker than sending them between processes."""
    from sklearn.metrics import mean_absolute_error, r2_score
    from threadpoolctl import threadpool_limits

    lessons, targets = draw(config.examples, derive(config.seed, "train"))
    exam, truth = draw(config.examples, derive(config.seed, "test"))
    net = regressor(config, derive(config.seed, name, trial))
    with threadpool_limits(
        1
    ):  # several threads would add up in another order, and batches are too small to gain by them
        seconds = teach(net, represent(lessons), targets.astype(np.float32))
        answers = net.predict(represent(exam))
    return Fit(
        name, trial, seconds, net.n_iter_, float(mean_absolute_error(truth, answers)), float(r2_score(truth, answers))
    )


def regressor(config: Supervised, seed: int) -> Any:
    """An untaught MLPRegressor."""
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


def teach(net: Any, inputs: np.ndarray, targets: np.ndarray) -> float:
    """Fit the net; returns how many seconds that took."""
    from sklearn.exceptions import ConvergenceWarning

    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the limit on passes is part of the experiment
        net.fit(inputs, targets)
    return time.perf_counter() - started
