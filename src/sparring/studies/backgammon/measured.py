"""The measurements of the backgammon study: the data of its tables, claims and figures."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sparring.games import find_game
from sparring.lab.run import Run
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.learn.option_checks import read_wins
from sparring.studies.backgammon import study_runs
from sparring.studies.backgammon.published import CYCLE, LAST, Fit, fit
from sparring.studies.backgammon.study_runs import PUBEVAL, RANDOM, VARIANTS, Budget, Climb, Strength, StudyRuns
from sparring.studies.study import Measurement
from sparring.studies.study_cache import core_seconds, finished_training, games_played

HIDDEN = (10, 20, 40, 80)  # the sizes of Tesauro's table, and one more
CLIMBING = "hill-climbing, 20 hidden"
FIRST_LAYER = 48  # weights of 2-1-2


def td_title(hidden: int) -> str:
    return f"TD, {hidden} hidden"


@dataclass(frozen=True)
class Method:
    """One side of the debate: its cost, its final strength and its learning curve."""

    title: str
    run: Run
    strength: Strength  # against pubeval, all rules
    seconds: float | None  # on one core, per trial
    games: np.ndarray  # played by a trial at each point of its curve
    won: np.ndarray  # the curve: share of games won against pubeval, (trials, points)

    @property
    def played(self) -> int:
        return int(self.games[-1])

    @property
    def time(self) -> np.ndarray | None:
        """The seconds at each point, if every game takes the same time; None where they were not measured."""
        return None if self.seconds is None else self.seconds * self.games / self.played


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    baselines: dict[tuple[str, str], dict[str, np.ndarray]]  # arrays by game, see `StudyRuns.games_between`
    printed: dict[str, dict[str, np.ndarray]]  # by name and opponent: whether each game was won, seats exchanged
    runs: dict[str, Run]  # by variant
    strengths: dict[str, dict[str, Strength]]  # by variant and opponent
    ages: np.ndarray  # champions of 2-1-2 against their earlier selves, see `StudyRuns.round_robin`
    climb: Climb
    methods: dict[str, Method]  # by title

    @cached_property
    def trainings(self) -> dict[str, HillClimbingTraining]:
        return {name: finished_training(run, HillClimbingTraining) for name, run in self.runs.items()}

    @cached_property
    def cycles(self) -> np.ndarray:
        """The points of every variant's curves in cycles; a shorter training has part of the study's hundred."""
        return np.asarray(self.trainings["2-1-2"].curves()[0] / CYCLE)

    def curve(self, name: str, opponent: str) -> np.ndarray:
        """The share of games won against an opponent during training, (trials, points)."""
        return self.trainings[name].curves()[1][f"{opponent}.player.won"]

    def curve_end(self, name: str, opponent: str) -> np.ndarray:
        """Each trial's share over the last fifth of its curve, 20 points of 100 if it is as long as the study's."""
        curve = self.curve(name, opponent)
        return np.asarray(curve[:, -max(1, curve.shape[1] * LAST // 100) :].mean(axis=1))

    def sizes(self, name: str) -> np.ndarray:
        """The root mean square of each trial's weights of the first layer of 2-1-2 at the end."""
        return np.asarray(np.sqrt((self.trainings[name].history[:, -1, :FIRST_LAYER] ** 2).mean(axis=1)))

    def fits(self, network: str) -> list[Fit]:
        """The fits of Table 12 against random: of the mean curve, then of every trial's.

        Percentages over hundredths of the training, which are cycles if the training is as long as the study's.
        """
        x, curves = 100 * self.cycles / self.cycles[-1], 100 * self.curve(network, RANDOM)
        return [fit(x, curve) for curve in (curves.mean(axis=0), *curves)]


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached. Results that do not depend on the number of trials are shared."""
    own, budget, version = shared.within(f"{trials}-trials"), shared.budget, find_game(study_runs.STUDY).rules.version

    def network(name: str) -> tuple[Run, dict[str, Strength]]:
        run = own.coevolved(name, VARIANTS[name].trials(trials, budget))
        return run, {
            opponent: own.strength(run, opponent, study_runs.STUDY, budget.pairs) for opponent in study_runs.OPPONENTS
        }

    def coevolution(name: str) -> Method:
        return method(own, f"coevolution, {VARIANTS[name].title}", network(name)[0])

    def climb() -> tuple[Method, Climb]:
        run = shared.climbed()
        return method(shared, CLIMBING, run), shared.climb(run)

    def lessons(hidden: int) -> Method:
        return method(shared, td_title(hidden), shared.td(hidden), "benchmark")

    def printed(name: str, opponent: str) -> np.ndarray:
        games = shared.games_between(study_runs.printed_net(name, version), opponent, name)
        return np.asarray((games["begins"] + games["follows"]) / 2)

    # The longest trainings first. No two jobs share a training.
    own.share(
        [*(partial(lessons, hidden) for hidden in HIDDEN[::-1]), *(partial(network, name) for name in VARIANTS), climb]
    )
    networks, (climbing, generations) = {name: network(name) for name in VARIANTS}, climb()
    methods = [*map(coevolution, study_runs.AGAINST_PUBEVAL), climbing, *map(lessons, HIDDEN)]
    return Measured(
        budget, trials, shared.seed, own.folder,
        {pair: shared.games_between(*pair, pair[0]) for pair in study_runs.BASELINES},
        {name: {opponent: printed(name, opponent) for opponent in study_runs.OPPONENTS} for name in study_runs.PRINTED},
        {name: run for name, (run, _) in networks.items()}, {name: each for name, (_, each) in networks.items()},
        own.round_robin(networks["2-1-2"][0]), generations, {each.title: each for each in methods},
    )  # fmt: skip


def method(runs: StudyRuns, title: str, run: Run, setting: str = PUBEVAL) -> Method:
    """A training's champions against pubeval, and its curve; `setting` is the curve's name for pubeval."""
    (games, curves), options = run.training().curves(), run.experiment.options
    if isinstance(options, HillClimbing):
        games = games_played(read_wins(options.wins), options.challenges, games)
    strength = runs.strength(run, PUBEVAL, study_runs.FULL, runs.budget.debate_pairs)
    return Method(title, run, strength, core_seconds(run), games, curves[f"{setting}.player.won"])
