"""What the backgammon study measured, measured again: everything its tables, claims and figures are made of."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sparring.arena.statistics import Interval
from sparring.lab.run import Run
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.learn.option_checks import read_wins
from sparring.studies import Watch
from sparring.studies.backgammon.fits import Fit, fit
from sparring.studies.backgammon.published import CYCLE
from sparring.studies.backgammon.study_runs import (
    AGAINST_PUBEVAL,
    BASELINES,
    FULL,
    OPPONENTS,
    PRINTED,
    PUBEVAL,
    RANDOM,
    STUDY,
    VARIANTS,
    Budget,
    Climb,
    Strength,
    Work,
)
from sparring.studies.study_cache import core_seconds

HIDDEN = (10, 20, 40, 80)  # of Tesauro's table, and one more
COEVOLUTION, MIRRORED_COEVOLUTION = "coevolution, 2-1-2", "coevolution, 2-1-2 mirrored"
CLIMBING, STRICT = "hill-climbing, 20 hidden", "strict hill-climbing, 20 hidden"
CLIMB_TITLES = {"climbing": CLIMBING, "climbing-strict": STRICT}


def td_title(hidden: int) -> str:
    return f"TD, {hidden} hidden"


@dataclass(frozen=True)
class Method:
    """One side of the debate: what it cost, where it ended, and how it came there."""

    title: str
    run: Run
    strength: Strength  # against pubeval, by all rules
    seconds: float | None  # of one core, a trial
    games: np.ndarray  # that a trial had played at each point of its curve
    won: np.ndarray  # the curve: share of games against pubeval, (trials, points)

    @property
    def played(self) -> int:
        return int(self.games[-1])

    @property
    def time(self) -> np.ndarray:
        """The seconds at each point, as if every game took the same."""
        assert self.seconds is not None
        return self.seconds * self.games / self.played


@dataclass(frozen=True)
class Measured:
    """Everything the tables, claims and figures are made of."""

    budget: Budget
    trials: int
    seed: int
    folder: Path
    baselines: dict[tuple[str, str], dict[str, Interval]]
    printed: dict[str, dict[str, Interval]]  # by name and opponent
    runs: dict[str, Run]  # by variant
    strengths: dict[str, dict[str, Strength]]  # by variant and opponent
    climbs: dict[str, Climb]  # by title
    methods: dict[str, Method]  # by title

    @cached_property
    def trainings(self) -> dict[str, HillClimbingTraining]:
        found = {}
        for name, run in self.runs.items():
            training = run.training()
            assert isinstance(training, HillClimbingTraining)
            found[name] = training
        return found

    @cached_property
    def cycles(self) -> np.ndarray:
        """The points of every variant's curves, in the study's cycles of a hundred challenges."""
        points: np.ndarray = self.trainings["2-1-2"].curves()[0] / CYCLE
        return points

    def curve(self, name: str, opponent: str) -> np.ndarray:
        """Share of games won against an opponent during training, (trials, points)."""
        return self.trainings[name].curves()[1][f"{opponent}.player.won"]

    def curve_end(self, name: str, opponent: str) -> np.ndarray:
        """Each trial's share over the last fifth of its curve."""
        curve = self.curve(name, opponent)
        ends: np.ndarray = curve[:, -max(1, curve.shape[1] // 5) :].mean(axis=1)
        return ends

    def fits(self, network: str) -> list[Fit]:
        """Table 12's fit of every trial's curve against random, and first of their mean: percentages over the hundredths of
        training, which are cycles where it is as long as the study's."""
        x, curves = 100 * self.cycles / self.cycles[-1], 100 * self.curve(network, RANDOM)
        return [fit(x, curve) for curve in (curves.mean(axis=0), *curves)]


def measure(budget: Budget, trials: int, seed: int, folder: Path, threads: int | None, watch: Watch) -> Measured:
    """Do whatever has not been done yet. What does not depend on the number of trials is shared between numbers of them."""
    shared = Work(seed, folder, threads, watch, budget)
    own = Work(seed, folder / f"{trials}-trials", threads, watch, budget)
    baselines = {pair: shared.baseline(*pair) for pair in BASELINES}
    printed = {name: shared.printed(name) for name in PRINTED}
    runs = {
        name: own.coevolved(name, min(trials, budget.start_trials) if variant.other_start else trials)
        for name, variant in VARIANTS.items()
    }
    strengths = {
        name: {opponent: own.judged(run, opponent, STUDY) for opponent in OPPONENTS} for name, run in runs.items()
    }
    climbed = {title: shared.climbed(name) for name, title in CLIMB_TITLES.items()}
    methods = [
        coevolution(own, title, runs[name])
        for title, name in zip((COEVOLUTION, MIRRORED_COEVOLUTION), AGAINST_PUBEVAL, strict=True)
    ]
    methods += [hill_climbing(shared, title, run) for title, run in climbed.items()]
    methods += [td(shared, hidden) for hidden in HIDDEN]
    return Measured(
        budget, trials, seed, own.folder, baselines, printed, runs, strengths,
        {title: shared.climb(run) for title, run in climbed.items()}, {method.title: method for method in methods},
    )  # fmt: skip


def coevolution(work: Work, title: str, run: Run) -> Method:
    challenges, curves = run.training().curves()
    games, won = challenges * CYCLE, curves[f"{PUBEVAL}.player.won"]
    return Method(title, run, work.judged(run, PUBEVAL, FULL), core_seconds(run), games, won)


def hill_climbing(work: Work, title: str, run: Run) -> Method:
    generations, curves = run.training().curves()
    games, won = games_of(run.experiment.options, generations), curves[f"{PUBEVAL}.player.won"]
    return Method(title, run, work.judged(run, PUBEVAL, FULL), core_seconds(run), games, won)


def td(work: Work, hidden: int) -> Method:
    run = work.taught(hidden)
    games, curves = run.training().curves()
    won = curves["benchmark.player.won"]
    return Method(td_title(hidden), run, work.judged(run, PUBEVAL, FULL), core_seconds(run), games, won)


def games_of(options: HillClimbing, challenges: np.ndarray) -> np.ndarray:
    """The games of so many challenges, whose number changes with time."""
    rules = read_wins(options.wins)
    ends = [since for since, _, _ in rules[1:]] + [options.challenges]
    found: np.ndarray = np.sum(
        [
            games * np.clip(challenges - since, 0, max(0, end - since))
            for (since, _, games), end in zip(rules, ends, strict=True)
        ],
        axis=0,
    )
    return found
