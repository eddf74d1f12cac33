"""The published figures, read from published.toml."""

from typing import NamedTuple

import numpy as np

from sparring.studies import read_data


class Method(NamedTuple):
    """A row of Table 1 or 2."""

    name: str
    evaluations: int
    other: int  # generations; in Table 2 starting states solved, of 625
    networks: int


class Ablation(NamedTuple):
    """A row of Table 3."""

    evaluations: int  # on average, of the runs that succeed
    failures: float
    many: bool = False


DATA = read_data("xor", "published")
RUNS, SOLVED, GENERATIONS, WORST, HIDDEN, CONNECTIONS, EVALUATIONS = DATA["xor"].values()
LONGEST, GENERALISING = DATA["longest"], DATA["generalising"]
SEEN, HIDDEN_POLES = (tuple(Method(*row) for row in DATA["methods"][kind]) for kind in ("seen", "hidden"))
ABLATIONS = {name: Ablation(*row) for name, row in DATA["ablations"].items()}


def sample(mean: float, deviation: float, runs: int) -> np.ndarray:
    """Numbers with a published mean and standard deviation, for a comparison of means."""
    numbers = np.resize([-1.0, 1.0], runs)
    return np.asarray(mean + deviation * (numbers - numbers.mean()) / numbers.std(ddof=1))


def failed(ablation: Ablation) -> np.ndarray:
    """The published runs of an ablation, 1 for each that failed."""
    runs = DATA["many_runs"] if ablation.many else DATA["ablation_runs"]
    return np.asarray(np.arange(runs) < round(ablation.failures * runs), float)
