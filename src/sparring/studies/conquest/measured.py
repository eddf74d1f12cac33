"""What the conquest study measured, measured again: everything its tables, claims and figures are made of."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sparring.games import find_game
from sparring.lab.run import Run
from sparring.studies import Watch
from sparring.studies.conquest.cases import CURES, GAMES, STUDY, Budget
from sparring.studies.conquest.collusion import Meeting, Spikes, spikes
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.study_runs import Work, neat_of
from sparring.studies.study_cache import core_seconds

Told = dict[str, np.ndarray]


@dataclass(frozen=True)
class Trained:
    """One of the first four cases under some settings: what every trial reached."""

    run: Run
    fitness: np.ndarray  # of the best network, on the deal of its training
    unseen: Told  # in case 4: fitness and games won on other deals
    seconds: float | None  # of one core, a trial

    @cached_property
    def curves(self) -> tuple[np.ndarray, Told]:
        return neat_of(self.run).curves()

    @property
    def judged(self) -> np.ndarray:
        """What counts: in case 4 the fitness on other deals; in the other cases every deal is the same game."""
        return self.unseen.get("fitness", self.fitness)


@dataclass(frozen=True)
class Rivals:
    """Case 5 under one kind of fitness."""

    run: Run
    blue: np.ndarray  # best fitness, (trials, generations)
    red: np.ndarray
    meetings: list[Meeting]  # by generation
    strength: dict[str, dict[str, Told]]  # games won, by mark, side and opponent
    exchanged: Told  # in the last generation: kills, and tiles that changed hands
    seconds: float | None  # of one core, a trial
    sizes: np.ndarray  # hidden nodes and connections of the last best, (trials, sides, 2)

    @property
    def last(self) -> Meeting:
        return self.meetings[-1]

    @cached_property
    def joint(self) -> np.ndarray:
        """Best blue and best red together."""
        return np.asarray(self.blue + self.red)

    @cached_property
    def spikes(self) -> Spikes:
        return spikes(self.joint)

    def at_peak(self, name: str) -> np.ndarray:
        """A measure of each trial's best in the generation of their greatest fitness together, (trials, sides)."""
        return np.array([self.meetings[g - 1].of_best(name)[t] for t, g in enumerate(self.spikes.generation)])

    @cached_property
    def peak_index(self) -> np.ndarray:
        """The collusion index in that generation."""
        return np.array([self.meetings[g - 1].index[t] for t, g in enumerate(self.spikes.generation)])


@dataclass(frozen=True)
class Measured:
    """Everything the tables, claims and figures are made of."""

    budget: Budget
    trials: int
    seed: int
    folder: Path
    cases: dict[int, Trained]
    games: dict[int, Told]  # the best networks' games, (trials, ranks)
    better: dict[int, Trained]
    compared: dict[tuple[int, str, str], Trained]  # by case, encoding and decoding
    rivals: dict[str, Rivals]  # by fitness

    @property
    def encodings(self) -> list[str]:
        return list(dict.fromkeys(encoding for _, encoding, _ in self.compared))

    @property
    def decodings(self) -> list[str]:
        return list(dict.fromkeys(policy for _, _, policy in self.compared))


def measure(budget: Budget, trials: int, seed: int, folder: Path, threads: int | None, watch: Watch) -> Measured:
    """Do whatever has not been done yet. What does not depend on the number of trials is shared between numbers of them."""
    shared = Work(seed, folder, threads, watch, budget)
    own = Work(seed, folder / f"{trials}-trials", threads, watch, budget)
    cases = {case: trained(own, own.case(case, trials), case) for case in CASES}
    games = {case: own.best_games(cases[case].run, case) for case in CASES}
    rivals = {fitness: coevolved(own, fitness, trials) for fitness in wanted_fitness()}
    better = {case: trained(own, own.better(case, trials), case) for case in CASES}
    compared = {
        (case, encoding, policy): trained(shared, shared.compared(case, encoding, policy), case)
        for case in budget.compared
        for encoding in find_game(GAMES[case]).policies.encodings
        for policy in find_game(GAMES[case]).policies.decodings
    }
    return Measured(budget, trials, seed, own.folder, cases, games, better, compared, rivals)


def wanted_fitness() -> list[str]:
    """The study's, and the candidates that the game has."""
    return [STUDY, *(name for name in CURES if name in find_game(GAMES[5]).learning.fitness)]


def trained(work: Work, run: Run, case: int) -> Trained:
    """What came of a training."""

    def make() -> list[float]:
        return [best[0].fitness for best in neat_of(run).best if best[0] is not None]

    fitness = np.array(work.kept(f"{run.folder.name}-fitness", make))
    unseen = work.unseen(run, work.budget.deals) if case == 4 else {}
    return Trained(run, fitness, unseen, core_seconds(run))


def coevolved(work: Work, fitness: str, trials: int) -> Rivals:
    """What came of two populations."""
    run = work.rivals(fitness, trials)
    _, curves = neat_of(run).curves()
    blue, red = (curves[f"{side}.best.fitness"] for side in ("population", "rivals"))
    return Rivals(
        run,
        blue,
        red,
        work.meetings(run),
        work.strength(run),
        work.exchanged(run),
        core_seconds(run),
        last_sizes(curves),
    )


def last_sizes(curves: Told) -> np.ndarray:
    """Hidden nodes and connections of the last generation's best blue and red, (trials, sides, 2)."""
    sizes = [
        [curves[f"{side}.best.{name}"][:, -1] for name in ("hidden_nodes", "enabled")]
        for side in ("population", "rivals")
    ]
    return np.array(sizes).transpose(2, 0, 1)
