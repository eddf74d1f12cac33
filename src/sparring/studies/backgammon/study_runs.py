"""The runs of the backgammon study: trainings by coevolution, hill-climbing and TD, and matches of their champions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sparring.arena.match import match, winners
from sparring.arena.play import by_contestant, paired_jobs, play
from sparring.arena.players import Entrant, find_players
from sparring.games import find_game
from sparring.kernel.random import derive
from sparring.lab.run import Run
from sparring.learn.hill_climbing import HillClimbingTraining
from sparring.nets.dense import Net
from sparring.studies.backgammon.published import APPENDIX_C, CYCLE, FIGURE_36, FROZEN, NETWORKS
from sparring.studies.study_cache import StudyCache, finished_training

STUDY = "backgammon:first=fixed,scoring=single"  # the study's conditions
FULL, PUBEVAL = "backgammon", "pubeval"  # the debate's conditions and opponent
SMALL = "start=hypergammon"  # three checkers, as the study's map for beginners
RANDOM, SIMPLE, NO_HIT, PUBLISHED = "random-by-checker", "simple", "simple-no-hit", "simple-published"
OPPONENTS = {RANDOM: "random", PUBLISHED: "simple-published", SIMPLE: "simple as described"}
BASELINES = (("random", "random"), (RANDOM, RANDOM), (PUBLISHED, RANDOM), (NO_HIT, RANDOM), (SIMPLE, RANDOM))
MIRRORED, UNMIRRORED = "shares-mirrored", "shares"
EVEN = 0.577  # the standard deviation of weights drawn uniformly from -1 to 1, the study's other start
WINS = "3/4,5/6@10000,7/8@70000"  # what a challenger must win, as in Pollack and Blair
GRID = 10  # generations at which a climb is evaluated, besides those of Figure 8
AGES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)  # parts of a training after which its champions meet each other


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    trials: int  # per network
    mirrored: int  # per mirrored network
    starts: int  # per other start
    challenges: int
    cycle: int  # challenges between two points of the curves
    games: int  # of two players that do not learn, with each of them beginning
    pairs: int  # of games after training, per champion and opponent
    climbs: int  # trials of each hill-climbing
    generations: int
    generations_point: int  # generations between two points of its curves
    lessons: int  # trials of TD, per size of net
    td_games: int
    td_point: int  # thousands of games between two points of its curves
    debate_pairs: int  # per champion of the debate
    begins: int  # trials of a tenth of a training
    imitations: int = 1000


BUDGETS = {
    "quick": Budget(3, 3, 3, 300, 10, 10_000, 250, 2, 2_000, 200, 2, 20_000, 4, 250, 3, imitations=300),
    "paper": Budget(30, 8, 8, 10_000, CYCLE, 10_000, 250, 10, 100_000, 1000, 5, 150_000, 10, 10_000, 40),
    "deep": Budget(100, 30, 30, 10_000, CYCLE, 100_000, 2500, 10, 200_000, 1000, 5, 1_000_000, 25, 10_000, 100),
}


@dataclass(frozen=True)
class Variant:
    """A coevolution: the study's four networks with its inputs, and whatever it leaves open or to further work."""

    title: str
    layers: str
    encoding: str = UNMIRRORED
    start: float = 0.0
    imitate: str = ""
    small: float = 0.0  # part of the training that is played on the small board
    shorter: int = 1  # by which the cycles have fewer challenges than a hundred

    def trials(self, most: int, budget: Budget) -> int:
        """The trials of this variant; `most` are those of the study's own trainings."""
        if self.start or self.imitate or self.small:
            return min(most, budget.starts)
        return min(most, budget.mirrored) if self.encoding == MIRRORED else most


mirrored, short = "{}-mirrored".format, "{}-short".format  # names of a network's variants


VARIANTS = {
    **{network: Variant(network, network) for network in NETWORKS},
    **{short(network): Variant(f"{network}, cycles of 10 challenges", network, shorter=10) for network in NETWORKS},
    **{mirrored(network): Variant(f"{network}, mirrored", network, MIRRORED) for network in NETWORKS},
    "2-1-2-random": Variant("2-1-2, random start", "2-1-2", start=EVEN),
    "2-1-2-imitated": Variant("2-1-2, start imitated from simple", "2-1-2", imitate=SIMPLE),
    "2-1-2-small": Variant("2-1-2, the first half on a small board", "2-1-2", small=0.5),
}
BEGINS = ("2-1-2", "2-1-2-imitated")  # of which the first tenth is trained more often
AGAINST_PUBEVAL = ("2-1-2", mirrored("2-1-2"))  # also play pubeval during training

# The printed networks: weights, encoding, and whether the points are reversed. The study says neither whether points are
# mirrored for the second player nor in which direction they are numbered for the first, so we play every reading.
ZERO = "all weights 0"
PRINTED = {
    ZERO: ((0.0,) * len(FIGURE_36), UNMIRRORED, False),
    "Figure 36": (FIGURE_36, UNMIRRORED, False),
    "Figure 36, from the other side": (FIGURE_36, UNMIRRORED, True),
    "Figure 36, mirrored": (FIGURE_36, MIRRORED, False),
    "Figure 36, mirrored, from the other side": (FIGURE_36, MIRRORED, True),
    "Appendix C": (APPENDIX_C, UNMIRRORED, False),
}
UNITS = (24, 2, 1, 2)


def printed_net(name: str, rules: int) -> Net:
    """A network printed in the study."""
    values, encoding, reverse = PRINTED[name]
    weights = np.array(values, np.float32)
    if reverse:
        first = weights[:48].reshape(2, 24)[:, ::-1]
        weights = np.concatenate([first.ravel(), weights[48:]])
    return Net(FULL, rules, encoding, UNITS, weights, kind="linear", policy="net+by-checker")


@dataclass(frozen=True)
class Strength:
    """Champions against one opponent: each trial's share of games won, and points per game."""

    won: np.ndarray
    score: np.ndarray


@dataclass(frozen=True)
class Climb:
    """Hill-climbers at some generations: shares of games as (generations, trials)."""

    generations: list[int]
    pubeval: np.ndarray
    frozen: dict[int, np.ndarray]  # by the frozen generation


class StudyRuns(StudyCache[Budget]):
    """The study's trainings and matches."""

    # Players that do not learn.

    def games_between(self, first: Entrant, second: str, name: str) -> dict[str, np.ndarray]:
        """Games in which the first player begins and as many on the same dice in which the second begins.

        Arrays by game: whether the first player won when it `begins` and when it `follows`; and, where it follows, the
        loser's checkers (`left`) and their distance from home (`value`).
        """

        def make() -> dict[str, Any]:
            game = find_game(STUDY)
            jobs = paired_jobs(derive(self.seed, "report", name, second), np.arange(2), self.budget.games)
            with self.watch.games_bar(f"{name}, {second}") as progress:
                tallies = play(game, jobs, find_players(game, [first, second]), self.threads, progress)
            won = winners(by_contestant(tallies["score"], 2).astype(float), game.rules.lower_is_better)[0][:, :, 0]
            left, value = (tallies[key][1::2].sum(axis=1).tolist() for key in ("left", "pips"))
            begins, follows = won.T.astype(int).tolist()
            return {"begins": begins, "follows": follows, "left": left, "value": value}

        return self.cached_arrays(f"games-{name}-{second}".replace(" ", "-").replace(",", ""), make)

    # Trainings.

    def coevolved(self, name: str, trials: int) -> Run:
        """The study's coevolution: one weight changes by 0.05, a hundred games with dice of their own, the winner stays.

        The study says 0.02 to 0.05, but prints only multiples of 0.05.
        """
        return self.trained(name, trials, self._coevolution(name, self.budget.challenges // VARIANTS[name].shorter))

    def begun(self, name: str) -> Run:
        """The first tenth of a coevolution."""
        challenges = max(self.budget.cycle, self.budget.challenges // 10)
        return self.trained(f"{name}-begin", self.budget.begins, self._coevolution(name, challenges))

    def _coevolution(self, name: str, challenges: int) -> dict[str, Any]:
        variant, budget = VARIANTS[name], self.budget
        learner = {
            "name": "hill-climbing", "encoding": variant.encoding, "layers": variant.layers, "policy": "net+by-checker",
            "challenges": challenges, "wins": f"{CYCLE // 2 + 1}/{CYCLE}", "deals": "own", "change": "one",
            "deviation": 0.05, "least": 0.05, "move": 1.0, "start": variant.start, "imitate": variant.imitate,
            "imitations": budget.imitations,
            "easier": SMALL if variant.small else "", "easier_until": round(variant.small * challenges),
            "benchmarks": [*OPPONENTS, *([PUBEVAL] if name in AGAINST_PUBEVAL else [])],
            "benchmark_pairs": CYCLE // 2, "curve_every": max(1, budget.cycle // variant.shorter),
        }  # fmt: skip
        return self._experiment(STUDY, learner, RANDOM)

    def climbed(self) -> Run:
        """Hill-climbing as in Pollack and Blair: noise on all weights, the same dice for both, 5% towards a winner."""
        learner = {
            "name": "hill-climbing", "encoding": "tesauro", "hidden": 20, "challenges": self.budget.generations,
            "wins": WINS, "change": "all", "deviation": 0.05, "move": 0.05,
            "benchmarks": [PUBEVAL], "benchmark_pairs": min(100, self.budget.debate_pairs),
            "curve_every": self.budget.generations_point,
        }  # fmt: skip
        return self.trained("climbing", self.budget.climbs, self._experiment(FULL, learner, PUBEVAL))

    def td(self, hidden: int) -> Run:
        """A network trained by temporal differences, as in experiments/backgammon-td-40.toml."""
        learner = {
            "name": "td", "encoding": "tesauro", "outputs": "outcomes", "hidden": hidden,
            "games": self.budget.td_games, "rate": 0.1, "rate_end": 0.01, "trace": 0.0, "trace_end": 0.0,
            "average": 0.2, "benchmark": PUBEVAL, "benchmark_pairs": min(100, self.budget.debate_pairs),
            "curve_every": self.budget.td_point,
        }  # fmt: skip
        return self.trained(f"td-{hidden}", self.budget.lessons, self._experiment(FULL, learner, PUBEVAL))

    def _experiment(self, game: str, learner: dict[str, Any], opponent: str) -> dict[str, Any]:
        """An experiment with the least evaluation: `strength` evaluates all champions."""
        evaluation = {"opponents": [opponent], "pairs": 10, "selection_pairs": 10}
        return {"game": game, "learner": learner, "evaluation": evaluation}

    # Matches.

    def strength(self, run: Run, opponent: str, game: str, pairs: int) -> Strength:
        """Every champion against an opponent, each on deals of its own, so that trials are independent throughout."""

        def make() -> list[tuple[float, float]]:
            champions = run.champions()
            with self.watch.games_bar(f"{run.folder.name}, {opponent}") as progress:
                found = []
                for trial, champion in enumerate(champions):
                    found.append(self._match(game, champion, opponent, pairs, run.folder.name, opponent, trial))
                    progress(len(found) * 2 * pairs, len(champions) * 2 * pairs)
            return found

        won, score = np.array(self.cached(f"{run.folder.name}-against-{opponent}", make)).T
        return Strength(won, score)

    def climb(self, run: Run) -> Climb:
        """Hill-climbers at some generations against pubeval and against their frozen generations, as Figures 7 and 8."""
        marks = [mark for mark in FROZEN if mark <= self.budget.generations]
        generations = evaluated_generations(self.budget.generations_point, self.budget.generations, marks)

        def make() -> dict[str | int, list[list[float]]]:
            training, name = finished_training(run, HillClimbingTraining), run.folder.name
            found: dict[str | int, list[list[float]]] = {"pubeval": [], **{mark: [] for mark in marks}}
            with self.watch.games_bar(f"{name}: generations", "generations") as progress:
                for done, generation in enumerate(generations, 1):
                    for mark, shares in found.items():
                        shares.append([])
                        for trial in range(run.experiment.trials):
                            other = training.snapshot(trial, mark) if isinstance(mark, int) else PUBEVAL
                            net, purpose = training.snapshot(trial, generation), (name, mark, generation, trial)
                            shares[-1].append(self._match(FULL, net, other, self.budget.pairs, *purpose)[0])
                    progress(done, len(generations))
            return found

        stored = {key: np.array(won) for key, won in self.cached(f"{run.folder.name}-generations", make).items()}
        return Climb(generations, stored["pubeval"], {mark: stored[str(mark)] for mark in marks})

    def round_robin(self, run: Run) -> np.ndarray:
        """A trial's champions of several ages against each other: shares of games won by the row, (trials, halves, ages, ages).

        The two halves have different deals.
        """
        ages = [max(1, round(age * run.experiment.options.challenges)) for age in AGES]

        def make() -> list[Any]:
            training, name = finished_training(run, HillClimbingTraining), run.folder.name
            won = np.full((run.experiment.trials, 2, len(ages), len(ages)), 0.5)
            with self.watch.games_bar(f"{name}: generations against each other", "trials") as progress:
                for trial, shares in enumerate(won):
                    nets = [training.snapshot(trial, age) for age in ages]
                    for a, b in combinations(range(len(ages)), 2):
                        for half in range(2):
                            purpose = ("ages", name, trial, a, b, half)
                            share = self._match(STUDY, nets[a], nets[b], self.budget.pairs, *purpose)[0]
                            shares[half, a, b], shares[half, b, a] = share, 1 - share
                    progress(trial + 1, len(won))
            return list(won.tolist())

        return np.array(self.cached(f"{run.folder.name}-ages", make))

    def _match(
        self, game: str, first: Entrant, second: Entrant, pairs: int, *purpose: int | str
    ) -> tuple[float, float]:
        """The first player's share of games and points per game, on deals for this purpose alone."""
        seed = derive(self.seed, "report", *purpose)
        found = match(game, first, second, pairs=pairs, seed=seed, threads=self.threads).players[0]
        return found.win_rate.value, found.score.value


def evaluated_generations(every: int, last: int, marks: Sequence[int]) -> list[int]:
    """Generations from the first point of the curves to the last, evenly on a log scale, and the marks."""
    grid = np.geomspace(every, last, GRID) / every
    return sorted({*(int(point) * every for point in np.round(grid)), *marks})
