"""The measurements of the conquest study: the data of its tables, claims and figures."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sparring.lab.run import Run
from sparring.studies.conquest.bands import Band, bands
from sparring.studies.conquest.cases import CURES, STUDY, Budget, Variant, variants
from sparring.studies.conquest.collusion import Arrays, Matchup, Spikes, spikes
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
    def curves(self) -> tuple[np.ndarray, Arrays]:
        return neat_of(self.run).curves()

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
    blue: np.ndarray  # best fitness, (trials, generations)
    red: np.ndarray
    matchups: list[Matchup]  # by generation
    strength: dict[str, dict[str, Arrays]]  # games won, by generation, side and opponent
    exchanged: Arrays  # last generation: kills, and tiles that changed hands
    curves: Arrays  # as recorded
    sizes: np.ndarray  # hidden nodes and connections of the last best, (trials, sides, 2)

    @property
    def last(self) -> Matchup:
        return self.matchups[-1]

    @cached_property
    def joint(self) -> np.ndarray:
        """The sum of best blue and best red."""
        return np.asarray(self.blue + self.red)

    @cached_property
    def spikes(self) -> Spikes:
        return spikes(self.joint)

    def at_peak(self, name: str) -> np.ndarray:
        """A measure of each trial's best in the generation of their greatest joint fitness, (trials, sides)."""
        return np.array([self.matchups[g - 1].of_best(name)[t] for t, g in enumerate(self.spikes.generation)])

    @cached_property
    def peak_index(self) -> np.ndarray:
        """The collusion index in that generation."""
        return np.array([self.matchups[g - 1].index[t] for t, g in enumerate(self.spikes.generation)])


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
        recorded = {case: self.of(case).curves[1] for case in CASES} | {5: self.rivals[STUDY].curves}
        return {case: bands(case, curves) for case, curves in recorded.items()}


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached."""
    own, budget = shared.within(f"{trials}-trials"), shared.budget
    found = {(each.case, each.kind, each.setting): trained(own, each) for each in variants(budget, trials)}
    rivals = {STUDY: coevolved(own, own.rivals(STUDY, trials))}
    rivals |= {name: coevolved(own, own.rivals(name, min(trials, budget.others))) for name in CURES}
    return Measured(budget, trials, own.seed, own.folder, found, rivals)


def trained(runs: StudyRuns, variant: Variant) -> Trained:
    """The results of a training."""
    run = runs.trained(variant.name, variant.trials, variant.table)
    unseen = runs.unseen(run, runs.budget.deals) if variant.case == 4 and variant.kind != "fitness" else {}
    return Trained(variant, run, runs.best_games(run, variant.case), unseen, core_seconds(run))


def coevolved(runs: StudyRuns, run: Run) -> Rivals:
    """The results of two populations."""
    _, curves = neat_of(run).curves()
    sides = ("population", "rivals")
    blue, red = (curves[f"{side}.best.fitness"] for side in sides)
    sizes = [[curves[f"{side}.best.{name}"][:, -1] for name in ("hidden_nodes", "enabled")] for side in sides]
    games = runs.matchups(run), runs.strength(run), runs.exchanged(run)
    return Rivals(run, blue, red, *games, curves, np.array(sizes).transpose(2, 0, 1))
