"""The published figures: Stanley and Miikkulainen (2002), sections 4.1 to 4.4. An evaluation is one network evaluated.

The figures of the tables are certain. The numbers of runs, the standard deviations and the limit of the ablations are quoted from
the captions and the text around the tables.
"""

from typing import NamedTuple

import numpy as np

# Section 4.1: exclusive or.
RUNS = SOLVED = 100
GENERATIONS = 32.0
WORST = 90
HIDDEN = 2.35
CONNECTIONS = 7.48  # enabled ones
EVALUATIONS, EVALUATIONS_SD = 4755, 2553  # on average


class Method(NamedTuple):
    """A row of Table 1 or 2."""

    name: str
    evaluations: int
    other: int  # generations; in Table 2 starting states solved, of 625
    networks: int


SEEN_SD, SEEN_RUNS, HIDDEN_SD, HIDDEN_RUNS = 2704, 120, 21790, 20  # of NEAT; other methods over 50 and 20 runs
# Table 1: two poles with velocities.
SEEN = (
    Method("evolutionary programming", 307_200, 150, 2048),
    Method("conventional neuroevolution", 80_000, 800, 100),
    Method("SANE", 12_600, 63, 200),
    Method("ESP", 3800, 19, 200),
    Method("NEAT", 3600, 24, 150),
)
# Table 2: two poles without velocities.
HIDDEN_POLES = (
    Method("cellular encoding", 840_000, 300, 16_384), Method("ESP", 169_466, 289, 1000), Method("NEAT", 33_184, 286, 1000)
)  # fmt: skip
GENERALISING = 200  # starting states that a solution must solve


class Ablation(NamedTuple):
    """A row of Table 3: mean evaluations of the runs that succeed, share of failures, and whether there are 120 runs or 20."""

    evaluations: int
    failures: float
    many: bool = False


ABLATIONS = {
    "no growth": Ablation(30_239, 0.80),
    "no speciation": Ablation(25_600, 0.25),
    "random starts": Ablation(23_033, 0.05),
    "no mating": Ablation(5557, 0.0, many=True),
    "full": Ablation(3600, 0.0, many=True),
}
ABLATION_RUNS, LONGEST = 20, 1000  # runs, and generations after which one has failed


def sample(mean: float, deviation: float, runs: int) -> np.ndarray:
    """Numbers with a published mean and standard deviation, for a comparison of means."""
    numbers = np.resize([-1.0, 1.0], runs)
    return mean + deviation * (numbers - numbers.mean()) / numbers.std(ddof=1)


def failed(ablation: Ablation) -> np.ndarray:
    """The published runs of an ablation, 1 for each that failed."""
    runs = SEEN_RUNS if ablation.many else ABLATION_RUNS
    return (np.arange(runs) < round(ablation.failures * runs)).astype(float)
