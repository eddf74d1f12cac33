"""Can a net learn this at all, and from which inputs? Scikit-learn's regressor, taught one target from several representations.

The supervised experiment of "Playing a Game of Cards using Neuroevolution" (2019, section 6.1.3, Table 4): the same
examples under each representation, several nets each, judged on other examples. The study names MLPRegressor and no
setting of it; those here are scikit-learn's own. Teaching one net at a time on one thread, results follow from the seed alone.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sparring.kernel.random import derive

Representation = Callable[[np.ndarray], np.ndarray]
Draw = Callable[[int, int], tuple[np.ndarray, np.ndarray]]  # how many and a seed, to examples and their targets


@dataclass(frozen=True)
class Supervised:
    """How much to teach, and how; all but `networks`, `examples` and `seed` go to MLPRegressor by its own names for them."""

    networks: int = 10
    examples: int = 100_000  # to learn from, and as many others to be judged on
    seed: int = 0
    hidden: tuple[int, ...] = (100,)
    batch: int = 200
    learning_rate: float = 0.001
    iterations: int = 200  # passes over the examples, at most
    tolerance: float = 1e-4  # a loss that falls by less than this ...
    patience: int = 10  # ... for so many passes ends the teaching


@dataclass(frozen=True)
class Fit:
    """One net's result on examples that it has not seen."""

    representation: str
    trial: int
    seconds: float  # of teaching
    iterations: int
    mean_absolute_error: float
    r2: float


@dataclass(frozen=True)
class Examples:
    inputs: np.ndarray
    targets: np.ndarray


def regress(config: Supervised, representations: Mapping[str, Representation], draw: Draw,
            progress: Callable[[Fit], None] | None = None) -> list[Fit]:
    """Teach `config.networks` nets under each representation and judge each; `progress` hears of every net as it is done."""
    fits = []
    for fit in taught(config, representations, draw):
        fits.append(fit)
        if progress is not None:
            progress(fit)
    return fits


def taught(config: Supervised, representations: Mapping[str, Representation], draw: Draw) -> Iterator[Fit]:
    train, train_targets = draw(config.examples, derive(config.seed, "train"))
    test, test_targets = draw(config.examples, derive(config.seed, "test"))
    for name, represent in representations.items():
        lesson = Examples(represent(train), train_targets.astype(np.float32))
        exam = Examples(represent(test), test_targets)
        for trial in range(config.networks):
            yield one_net(config, name, trial, lesson, exam)


def one_net(config: Supervised, representation: str, trial: int, lesson: Examples, exam: Examples) -> Fit:
    from sklearn.metrics import mean_absolute_error, r2_score
    from threadpoolctl import threadpool_limits

    net = regressor(config, derive(config.seed, representation, trial))
    with threadpool_limits(1):  # sums on several threads round differently, and small batches gain nothing from them
        started = time.perf_counter()
        fit_quietly(net, lesson)
        seconds = time.perf_counter() - started
        predicted = net.predict(exam.inputs)
    return Fit(representation, trial, seconds, net.n_iter_, float(mean_absolute_error(exam.targets, predicted)),
               float(r2_score(exam.targets, predicted)))
