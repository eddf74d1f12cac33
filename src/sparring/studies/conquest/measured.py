"""The measurements of the conquest study: the data of its tables, claims and figures."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sparring.games import find_game
from sparring.lab.run import Run
from sparring.studies.conquest.cases import CURES, GAMES, STUDY, Budget
from sparring.studies.conquest.collusion import Arrays, Matchup, Spikes, spikes
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.study_runs import StudyRuns, neat_of
from sparring.studies.study import Measurement
from sparring.studies.study_cache import core_seconds


@dataclass(frozen=True)
class Trained:
    """One of the first four cases with some settings, one element per trial."""

    run: Run
    fitness: np.ndarray  # of the best network, on the deal of its training
    unseen: Arrays  # case 4: fitness and games won on other deals
    seconds: float | None  # on one core, per trial

    @cached_property
    def curves(self) -> tuple[np.ndarray, Arrays]:
        return neat_of(self.run).curves()

    @property
    def judged(self) -> np.ndarray:
        """The fitness that counts: in case 4 on other deals; in the other cases every deal is the same game."""
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
    seconds: float | None  # on one core, per trial
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
    cases: dict[int, Trained]
    games: dict[int, Arrays]  # the best networks' games, (trials, ranks)
    better: dict[int, Trained]
    compared: dict[tuple[int, str, str], Trained]  # by case, encoding and decoding
    rivals: dict[str, Rivals]  # by fitness

    @property
    def encodings(self) -> list[str]:
        return list(dict.fromkeys(encoding for _, encoding, _ in self.compared))

    @property
    def decodings(self) -> list[str]:
        return list(dict.fromkeys(policy for _, _, policy in self.compared))


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached. Results that do not depend on the number of trials are shared."""
    own, budget = shared.within(f"{trials}-trials"), shared.budget
    cases = {case: trained(own, own.case(case, trials), case) for case in CASES}
    games = {case: own.best_games(cases[case].run, case) for case in CASES}
    fitness = [STUDY, *(name for name in CURES if name in find_game(GAMES[5]).learning.fitness)]
    rivals = {name: coevolved(own, own.rivals(name, trials)) for name in fitness}
    better = {case: trained(own, own.better(case, trials), case) for case in CASES}
    compared = {
        (case, encoding, policy): trained(shared, shared.compared(case, encoding, policy), case)
        for case in budget.compared
        for encoding in find_game(GAMES[case]).policies.encodings
        for policy in find_game(GAMES[case]).policies.decodings
    }
    return Measured(budget, trials, own.seed, own.folder, cases, games, better, compared, rivals)


def trained(runs: StudyRuns, run: Run, case: int) -> Trained:
    """The results of a training."""

    def make() -> list[float]:
        return [best[0].fitness for best in neat_of(run).best if best[0] is not None]

    fitness = np.array(runs.cached(f"{run.folder.name}-fitness", make))
    unseen = runs.unseen(run, runs.budget.deals) if case == 4 else {}
    return Trained(run, fitness, unseen, core_seconds(run))


def coevolved(runs: StudyRuns, run: Run) -> Rivals:
    """The results of two populations."""
    _, curves = neat_of(run).curves()
    sides = ("population", "rivals")
    blue, red = (curves[f"{side}.best.fitness"] for side in sides)
    sizes = [[curves[f"{side}.best.{name}"][:, -1] for name in ("hidden_nodes", "enabled")] for side in sides]
    games = runs.matchups(run), runs.strength(run), runs.exchanged(run)
    return Rivals(run, blue, red, *games, core_seconds(run), np.array(sizes).transpose(2, 0, 1))
