"""The measurements of the conquest study: the data of its tables, claims and figures."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sparring.lab.run import Run
from sparring.studies.conquest.bands import Band, bands
from sparring.studies.conquest.cases import CURES, STUDY, Budget, Variant, variants
from sparring.studies.conquest.collusion import Arrays, Matchup
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.study_runs import StudyRuns, neat_of
from sparring.studies.study import Measurement
from sparring.studies.study_cache import core_seconds


@dataclass(frozen=True)
class Trained:
    """A training of one of the first four cases, one element per trial."""

    variant: Variant
    run: Run
    games: Arrays  # of the best networks, by the study's fitness; (trials, ranks)
    unseen: Arrays  # case 4: fitness and games won against a red that answers differently
    seconds: float | None  # on one core, per trial

    @cached_property
    def curves(self) -> Arrays:
        return neat_of(self.run).curves()[1]

    @property
    def fitness(self) -> np.ndarray:
        """The study's fitness of the best network in the game of its training."""
        return self.games["fitness"][:, 0]

    @property
    def judged(self) -> np.ndarray:
        """The same, in case 4 against a red that answers differently; in the other cases every game is the same."""
        return self.unseen.get("fitness", self.fitness)


@dataclass(frozen=True)
class Rivals:
    """Case 5 with one kind of fitness."""

    run: Run
    curves: Arrays  # as recorded
    matchups: list[Matchup]  # by generation
    strength: dict[str, Arrays]  # the last generation's best: games won by opponent, (trials) by side

    @property
    def best(self) -> np.ndarray:
        """The best fitness, (sides, trials, generations)."""
        return np.array([self.curves[f"{side}.best.fitness"] for side in ("population", "rivals")])

    @property
    def last(self) -> Matchup:
        return self.matchups[-1]

    @property
    def joint(self) -> np.ndarray:
        """The sum of best blue and best red."""
        return np.asarray(self.best.sum(axis=0))

    @property
    def peaks(self) -> np.ndarray:
        """The generation of each trial's spike, its greatest joint fitness, from 0."""
        return np.asarray(self.joint.argmax(axis=1))

    @property
    def after_spike(self) -> tuple[np.ndarray, np.ndarray]:
        """The joint fitness at each spike that has a generation after it, and the share of it that is left then."""
        pairs = [
            (joint[g], joint[g + 1]) for joint, g in zip(self.joint, self.peaks, strict=True) if g + 1 < len(joint)
        ]
        heights, after = np.array(pairs).reshape(-1, 2).T
        return heights, after / heights

    def at_peak(self, name: str) -> np.ndarray:
        """A measure of each trial's best at its spike, (trials, sides)."""
        return np.array([self.matchups[g].of_best(name)[t] for t, g in enumerate(self.peaks)])

    @property
    def peak_index(self) -> np.ndarray:
        """The collusion index at the spike."""
        return np.array([self.matchups[g].index[t] for t, g in enumerate(self.peaks)])


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    trained: dict[tuple[int, str, str], Trained]  # by case, kind and setting
    rivals: dict[str, Rivals]  # by fitness

    def of(self, case: int, kind: str = "study") -> Trained:
        """The training of a case in a kind without settings."""
        return self.trained[case, kind, ""]

    def settings(self, case: int, kind: str) -> dict[str, Trained]:
        """The trainings of a kind by what differs."""
        return {name: each for (number, what, name), each in self.trained.items() if (number, what) == (case, kind)}

    @cached_property
    def bands(self) -> dict[int, dict[tuple[str, str], Band]]:
        """The author's curves among ours, by case."""
        recorded = {case: self.of(case).curves for case in CASES} | {5: self.rivals[STUDY].curves}
        return {case: bands(case, curves) for case, curves in recorded.items()}


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached."""
    own, budget = shared.within(f"{trials}-trials"), shared.budget
    found = {(each.case, each.kind, each.setting): trained(own, each) for each in variants(budget, trials)}
    others = {STUDY: trials} | dict.fromkeys(CURES, min(trials, budget.others))
    rivals = {fitness: coevolved(own, own.rivals(fitness, count)) for fitness, count in others.items()}
    return Measured(budget, trials, own.seed, own.folder, found, rivals)


def trained(runs: StudyRuns, variant: Variant) -> Trained:
    """The results of a training."""
    run = runs.trained(variant.name, variant.trials, variant.table)
    unseen = runs.unseen(run, runs.budget.deals) if variant.case == 4 and variant.kind != "fitness" else {}
    return Trained(variant, run, runs.best_games(run, variant.case), unseen, core_seconds(run))


def coevolved(runs: StudyRuns, run: Run) -> Rivals:
    """The results of two populations."""
    return Rivals(run, neat_of(run).curves()[1], runs.matchups(run), runs.strength(run))
