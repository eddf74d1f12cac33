"""The backgammon study's pieces of work: trainings by its coevolution, hill-climbing and TD, and matches of what they made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.match import match, winners
from sparring.arena.play import by_contestant, paired_jobs, play
from sparring.arena.players import Entrant, find_players
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.games import find_game
from sparring.kernel.random import derive
from sparring.lab.run import Run
from sparring.learn.hill_climbing import HillClimbingTraining
from sparring.nets.dense import Net
from sparring.studies.backgammon.published import APPENDIX_C, CYCLE, FIGURE_36, FROZEN, GENERATIONS, NETWORKS
from sparring.studies.study_cache import Kept

STUDY = "backgammon:first=fixed,scoring=single"  # the study's conditions
FULL = "backgammon"  # the debate's
RANDOM, SIMPLE, NO_HIT, PUBEVAL = "random-by-checker", "simple", "simple-no-hit", "pubeval"
OPPONENTS = (RANDOM, SIMPLE, NO_HIT)
BASELINES = (  # who meets whom before anyone learns
    ("random", "random"),
    (RANDOM, RANDOM),
    (RANDOM, "random"),
    (SIMPLE, "random"),
    (SIMPLE, RANDOM),
    (NO_HIT, "random"),
    (NO_HIT, RANDOM),
)
MIRRORED, UNMIRRORED = "shares-mirrored", "shares"
EVEN = 0.577  # the deviation of weights drawn evenly from -1 to 1, the study's other start
CLIMBS = {  # what a challenger must win: as Pollack and Blair's, and as in experiments/backgammon-climbing.toml
    "climbing": "3/4,5/6@10000,7/8@70000",
    "climbing-strict": "3/4,5/6@25000,13/20@40000,24/40@70000",
}
GRID = 10  # generations at which a climb is looked at, beside those of Figure 8


@dataclass(frozen=True)
class Budget:
    """How much to spend."""

    trials: int  # per network
    start_trials: int  # per other start
    challenges: int
    cycle: int  # challenges between two points of the curves
    benchmark_pairs: int  # for each of them
    games: int  # of two players who do not learn, with either of them beginning
    pairs: int  # of games after training, per champion and opponent
    climbs: int  # trials of either hill-climbing
    generations: int
    generations_point: int  # generations between two points of its curves
    lessons: int  # trials of TD, per size of net
    td_games: int
    td_point: int  # thousands of games between two points of its curves
    imitations: int = 1000


BUDGETS = {
    "quick": Budget(3, 3, 300, 10, 20, 10_000, 250, 2, 2_000, 200, 2, 20_000, 4, imitations=300),
    "paper": Budget(30, 10, 10_000, CYCLE, CYCLE // 2, 10_000, 1000, 10, 100_000, 1000, 5, 300_000, 10),
    "deep": Budget(100, 30, 10_000, CYCLE, CYCLE // 2, 100_000, 2500, 10, 200_000, 1000, 5, 1_000_000, 25),
}


@dataclass(frozen=True)
class Variant:
    """A way to coevolve: the study's four networks as it describes their inputs, the same mirrored, and other starts."""

    title: str
    layers: str
    encoding: str = UNMIRRORED
    start: float = 0.0
    imitate: str = ""

    @property
    def other_start(self) -> bool:
        return bool(self.start or self.imitate)


def mirrored(network: str) -> str:
    """The name of a network whose points are mirrored for the second player."""
    return f"{network}-mirrored"


VARIANTS = {
    **{network: Variant(network, network) for network in NETWORKS},
    **{mirrored(network): Variant(f"{network}, mirrored", network, MIRRORED) for network in NETWORKS},
    "2-1-2-random": Variant("2-1-2, random start", "2-1-2", start=EVEN),
    "2-1-2-imitated": Variant("2-1-2, start imitated from simple", "2-1-2", imitate=SIMPLE),
}
AGAINST_PUBEVAL = ("2-1-2", mirrored("2-1-2"))  # who meets pubeval, too, while training

# The printed networks as they stand. Whether the study's points are mirrored for the second player it does not say, nor
# which way its board is numbered for the first: each way is played.
PRINTED = {
    "all weights 0": ((0.0,) * len(FIGURE_36), MIRRORED, False),
    "Figure 36": (FIGURE_36, UNMIRRORED, False),
    "Figure 36, from the other side": (FIGURE_36, UNMIRRORED, True),
    "Figure 36, mirrored": (FIGURE_36, MIRRORED, False),
    "Figure 36, mirrored, from the other side": (FIGURE_36, MIRRORED, True),
    "Appendix C": (APPENDIX_C, UNMIRRORED, False),
}
UNITS = (24, 2, 1, 2)


def printed_net(name: str, rules: int) -> Net:
    """A network of the study's pages."""
    told, encoding, turned = PRINTED[name]
    weights = np.array(told, np.float32)
    if turned:
        first = weights[:48].reshape(2, 24)[:, ::-1]
        weights = np.concatenate([first.ravel(), weights[48:]])
    return Net(FULL, rules, encoding, UNITS, weights, kind="linear", policy="net+by-checker")


@dataclass(frozen=True)
class Strength:
    """Champions against one opponent: each trial's share of games won, and points a game."""

    won: np.ndarray
    score: np.ndarray


@dataclass(frozen=True)
class Climb:
    """Hill-climbers at some generations, each trial's shares as (generations, trials)."""

    generations: list[int]
    pubeval: np.ndarray
    score: np.ndarray  # points a game against it
    frozen: dict[int, np.ndarray]  # by the frozen generation


@dataclass(frozen=True)
class Work(Kept):
    """The study's pieces of work."""

    budget: Budget

    # Who does not learn.

    def baseline(self, first: str, second: str) -> dict[str, Interval]:
        """Two players over games in which the first begins, and over as many on the same dice in which the other does."""

        def make() -> dict[str, Any]:
            game = find_game(STUDY)
            jobs = paired_jobs(derive(self.seed, "report", first, second), np.arange(2), self.budget.games)
            with self.watch.games_bar(f"{first}, {second}") as progress:
                tallies = play(game, jobs, find_players(game, [first, second]), self.threads, progress)
            won = winners(by_contestant(tallies["score"], 2).astype(float), game.rules.lower_is_better)[0][:, :, 0]
            begun = tallies[::2]
            return {
                "begins": rate_interval(won[:, 0].astype(float)).json(),
                "follows": rate_interval(won[:, 1].astype(float)).json(),
                "exchanged": rate_interval(won.mean(axis=1)).json(),
                "left": mean_interval(begun["left"].sum(axis=1)).json(),
                "value": mean_interval(begun["pips"].sum(axis=1)).json(),
            }

        told = self.kept(f"baseline-{first}-{second}", make)
        return {name: Interval.from_json(interval) for name, interval in told.items()}

    def printed(self, name: str) -> dict[str, Interval]:
        """A network of the study's pages: its share of games against each of the study's opponents."""

        def make() -> dict[str, Any]:
            game = find_game(STUDY)
            found = {}
            for opponent in OPPONENTS:
                with self.watch.games_bar(f"{name}, {opponent}") as progress:
                    found[opponent] = match(
                        game, printed_net(name, game.rules.version), opponent, pairs=self.budget.games // 2,
                        seed=derive(self.seed, "report", name, opponent), threads=self.threads, progress=progress,
                    ).players[0].win_rate.json()  # fmt: skip
            return found

        told = self.kept(f"printed-{name.replace(' ', '-').replace(',', '')}", make)
        return {opponent: Interval.from_json(interval) for opponent, interval in told.items()}

    # Trainings.

    def coevolved(self, name: str, trials: int) -> Run:
        """The study's coevolution: one weight changed by 0.05, a hundred games with dice of their own, the better stays.

        It says 0.02 to 0.05, but prints multiples of 0.05 alone.
        """
        variant = VARIANTS[name]
        learner = {
            "name": "climbing", "encoding": variant.encoding, "layers": variant.layers, "policy": "net+by-checker",
            "challenges": self.budget.challenges, "wins": f"{CYCLE // 2 + 1}/{CYCLE}", "deals": "own", "change": "one",
            "deviation": 0.05, "least": 0.05, "move": 1.0, "start": variant.start, "imitate": variant.imitate,
            "imitations": self.budget.imitations,
            "benchmarks": [*OPPONENTS, *([PUBEVAL] if name in AGAINST_PUBEVAL else [])],
            "benchmark_pairs": self.budget.benchmark_pairs, "curve_every": self.budget.cycle,
        }  # fmt: skip
        return self.trained(self._experiment(STUDY, name, trials, learner, RANDOM))

    def climbed(self, name: str) -> Run:
        """Hill-climbing as Pollack and Blair's: noise on all weights, the same dice for both, 5% towards a winner."""
        learner = {
            "name": "climbing", "encoding": "tesauro", "hidden": 20, "challenges": self.budget.generations,
            "wins": scaled(CLIMBS[name], self.budget.generations), "change": "all", "deviation": 0.05, "move": 0.05,
            "benchmarks": [PUBEVAL], "benchmark_pairs": min(100, self.budget.pairs),
            "curve_every": self.budget.generations_point,
        }  # fmt: skip
        return self.trained(self._experiment(FULL, name, self.budget.climbs, learner, PUBEVAL))

    def taught(self, hidden: int) -> Run:
        """A net taught by temporal differences, as in experiments/backgammon-td-40.toml."""
        learner = {
            "name": "td", "encoding": "tesauro", "outputs": "outcomes", "hidden": hidden,
            "games": self.budget.td_games, "rate": 0.1, "rate_end": 0.01, "trace": 0.0, "trace_end": 0.0,
            "average": 0.2, "benchmark": PUBEVAL, "benchmark_pairs": min(250, self.budget.pairs),
            "curve_every": self.budget.td_point,
        }  # fmt: skip
        return self.trained(self._experiment(FULL, f"td-{hidden}", self.budget.lessons, learner, PUBEVAL))

    def _experiment(self, game: str, name: str, trials: int, learner: dict[str, Any], chooser: str) -> dict[str, Any]:
        """An experiment whose own evaluation chooses its champion; the others are judged by `judged`, on deals of their own."""
        return {
            "game": game,
            "name": name,
            "seed": derive(self.seed, name) % 2**63,
            "trials": trials,
            "learner": learner,
            "evaluation": {"opponents": [chooser], "pairs": 50, "selection_pairs": self.budget.pairs},
        }

    # What they made.

    def judged(self, run: Run, opponent: str, game: str) -> Strength:
        """Every champion against an opponent, each on deals of its own: so the trials are independent throughout."""

        def make() -> list[tuple[float, float]]:
            found: list[tuple[float, float]] = []
            with self.watch.games_bar(f"{run.folder.name}, {opponent}") as progress:
                champions = run.champions()
                for trial, champion in enumerate(champions):
                    found.append(self._met(game, champion, opponent, run.folder.name, opponent, trial))
                    progress(len(found) * 2 * self.budget.pairs, len(champions) * 2 * self.budget.pairs)
            return found

        told = np.array(self.kept(f"{run.folder.name}-against-{opponent}", make))
        return Strength(told[:, 0], told[:, 1])

    def climb(self, run: Run) -> Climb:
        """Hill-climbers at some generations against pubeval and against their own frozen generations, as Figures 7 and 8."""
        marks = [mark for mark in FROZEN if mark <= self.budget.generations]
        generations = looked_at(self.budget.generations_point, self.budget.generations, marks)

        def make() -> dict[str, Any]:
            training, trials = run.training(), range(run.experiment.trials)
            assert isinstance(training, HillClimbingTraining)
            found: dict[str, Any] = {"pubeval": [], "frozen": {mark: [] for mark in marks}}
            with self.watch.games_bar(f"{run.folder.name}: generations", "generations") as progress:
                for done, generation in enumerate(generations, 1):
                    nets = [training.snapshot(trial, generation) for trial in trials]
                    found["pubeval"].append(
                        [self._met(FULL, nets[t], PUBEVAL, run.folder.name, generation, t) for t in trials]
                    )
                    for mark in marks:
                        frozen = [training.snapshot(trial, mark) for trial in trials]
                        found["frozen"][mark].append(
                            [
                                self._met(FULL, nets[t], frozen[t], run.folder.name, mark, generation, t)[0]
                                for t in trials
                            ]
                        )
                    progress(done, len(generations))
            return found

        told = self.kept(f"{run.folder.name}-generations", make)
        pubeval = np.array(told["pubeval"])
        frozen = {mark: np.array(told["frozen"][str(mark)]) for mark in marks}
        return Climb(generations, pubeval[..., 0], pubeval[..., 1], frozen)

    def _met(self, game: str, first: Entrant, second: Entrant, *purpose: int | str) -> tuple[float, float]:
        """The first's share of games and points a game, on deals that serve this purpose alone."""
        seed = derive(self.seed, "report", *purpose)
        found = match(game, first, second, pairs=self.budget.pairs, seed=seed, threads=self.threads).players[0]
        return found.win_rate.value, found.score.value


def scaled(wins: str, generations: int) -> str:
    """What a challenger must win, raised sooner where there are fewer generations than Pollack and Blair's."""
    shares = [(word.partition("@")[0], int(word.partition("@")[2] or 0)) for word in wins.split(",")]
    part = min(1.0, generations / GENERATIONS)
    return ",".join(share + (f"@{round(since * part)}" if since else "") for share, since in shares)


def looked_at(every: int, last: int, marks: Sequence[int]) -> list[int]:
    """Generations from the first point of the curves to the last, closer at first; and the marks."""
    grid = np.geomspace(every, last, GRID) / every
    return sorted({*(int(point) * every for point in np.round(grid)), *marks})
