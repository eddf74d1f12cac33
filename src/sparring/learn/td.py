"""TD(lambda): a network learns to value positions from games that it plays itself.

Sutton, "Learning to predict by the methods of temporal differences" (1988); Tesauro, "Practical issues in temporal
difference learning" (1992), and TD-Gammon. After every turn the value before it moves towards the value after it, and
at the end towards the outcome; eligibility traces pass each correction back to earlier turns, reduced by lambda for
each.

With `together` = 1 every correction is applied at once, as Tesauro did. With more, that many games are played with the
same weights and their corrections are averaged, which uses many cores for one network. With `duel` = 3 two networks
learn from each other, and after three pairs of games the winner is copied to both, as in Kotnik and Kalita, "The
significance of temporal-difference learning in self-play training" (2003). The kernels are in kernel/temporal.py.
"""

from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.random import derive
from sparring.kernel.temporal import TDJob
from sparring.learn.checkpoints import Saved
from sparring.learn.option_checks import check_builtin, check_head, check_network, check_rival
from sparring.learn.training import Matchup, Training
from sparring.nets.dense import Net
from sparring.options import option

SCHEDULES = ("linear", "exponential")
ITSELF = "itself"  # among the players of `against`: the network as it is now
STEPS = 32  # at least, of a training of a given number of games


@dataclass(frozen=True)
class TD:
    """The options of TD(lambda)."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    outputs: str = option("", "the network's head: what it predicts and is rewarded for; empty for the game's first")
    hidden: int = option(40, "hidden units", 1, 4096)
    games: int = option(200_000, "games of training", 1, 1_000_000_000)
    rate: float = option(0.1, "learning rate at the first game", 0, 1000)
    rate_end: float = option(0.1, "learning rate at the last game", 0, 1000)
    trace: float = option(0.7, "lambda at the first game", 0, 1)
    trace_end: float = option(0.7, "lambda at the last game", 0, 1)
    schedule: str = option("linear", "how rate and lambda change from first to last game", choices=SCHEDULES)
    discount: float = option(1.0, "weight of the next value; the outcome is not discounted", 0, 1)
    explore: float = option(0.0, "share of random moves at the first game", 0, 1)
    explore_end: float = option(-1.0, "share of random moves at the last game; -1 for the same as at the first", -1, 1)
    noise: float = option(0.0, "standard deviation of each game's noise on the weights that choose moves", 0, 1000)
    finals: bool = option(False, "also value the state after a game's last turn")
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    against: tuple[str, ...] = option(
        (), "learn from games with these built-in players or itself, by turns; empty for self-play"
    )
    rival: str = option("", "learn from games with this player too: a name, a net file or a run", reads_file=True)
    duel: int = option(
        0, "pairs of games after which the winner of two networks is copied; 0 for one network", 0, 10_000
    )
    duel_by: str = option("wins", "what decides a duel: games won or points", choices=("wins", "score"))
    together: int = option(1, "games whose corrections are averaged; 1 applies every correction at once", 1, 100_000)
    average: float = option(0.0, "the champion is the mean of the weights over this last share of the training", 0, 1)
    initial: str = option(
        "", "start from this network: a name, a file, a run, or RUN/champions; empty: random", reads_file=True
    )
    start: float = option(0.1, "standard deviation of the initial weights", 0, 1000)
    step_games: int = option(1000, "games per step; the run saves and checks for Ctrl-C between steps", 1, 10_000_000)
    benchmark: str = option("random", "player that the network meets during training, for the curves only")
    benchmark_pairs: int = option(100, "pairs of games with the benchmark for each point of the curves", 0, 1_000_000)
    training_pairs: int = option(0, "pairs of games with itself, or with the other of a duel, per point", 0, 1_000_000)
    curve_every: int = option(10, "steps between two points of the curves", 1, 1_000_000)
    snapshots: int = option(0, "number of equal parts of the training after which the networks are saved", 0, 10_000)


class TDTraining(Training):
    """Row t of `nets` is trial t's network; in duels, row trials + t is its opponent."""

    learner = "td"
    unit = "game"
    layout = {"nets": "sides", "averaged": "shared"}
    options: TD

    @classmethod
    def check(cls, game: Game, options: TD) -> None:
        check_head(game, cls.learner, options.outputs)
        check_network(game, options)
        check_builtin(game, "benchmark", options.benchmark)
        check_builtin(game, "against", *(name for name in options.against if name != ITSELF))
        check_rival(game, options.rival)
        others = rivals(options)
        if options.together > 1 and (options.duel or others or options.noise):
            raise UserError(f"learner.together = {options.together}: must be 1 with duel, against, rival or noise")
        if (options.duel or others) and (2 not in game.rules.seats or (options.duel and others)):
            raise UserError(
                "learner.duel, learner.against, learner.rival: are for two seats, and duel excludes the others"
            )
        games = 2 * options.duel or (2 if others else 1)
        for name in ("games", "step_games"):
            if getattr(options, name) % games:
                raise UserError(f"learner.{name} = {getattr(options, name)}: must be a multiple of {games} games")
        if -1 < options.explore_end < 0:
            raise UserError(f"learner.explore_end = {options.explore_end}: must be from 0 to 1, or -1")
        if options.step_games % options.together:
            fault = f"learner.step_games = {options.step_games}"
            raise UserError(f"{fault}: must be a multiple of together = {options.together}")

    @classmethod
    def lasting(cls, options: TD, games: int) -> TD:
        unit = lcm(2 * options.duel or (2 if rivals(options) else 1), options.together)
        whole, step = (max(1, count // unit) * unit for count in (games, min(options.step_games, games // STEPS)))
        return replace(options, games=whole, step_games=step)

    def duration(self) -> tuple[int, int]:
        return self.options.games, self.options.step_games

    def begin(self) -> None:
        self.head, self.flip = head_of(self.game, self.options.outputs)
        self.shape = (self.inputs, self.options.hidden, self.flip.shape[1])
        self.nets = self.first_weights()
        if self.options.duel:
            self.nets = np.concatenate([self.nets, self.first_weights("opponent")])
        self.mean, self.averaged = np.zeros((self.trials, self.nets.shape[1])), np.zeros(1, np.int64)
        self.rivals = rivals(self.options)
        self.table = self._seat_rivals()

    def _seat_rivals(self) -> np.ndarray:
        """The table of players: the networks, the benchmark, and the rivals of each trial; `itself` is the trial's own network."""
        named = [self.options.benchmark if name == ITSELF else name for name in self.rivals]
        table = self.make_table(self.options.benchmark, *named * self.trials)
        for trial in range(self.trials):
            for k in (k for k, name in enumerate(self.rivals) if name == ITSELF):
                table[len(self.nets) + 1 + trial * len(named) + k] = table[trial]
        return table

    def advance(self) -> int:
        first = self.step * self.stride
        games = min(self.stride, self.length - first)
        if self.options.together == 1:
            self._learn_online(first, games)
        else:
            for deal in range(first, first + games, self.options.together):
                self._learn_together(deal, min(self.options.together, first + games - deal))
        self.step += 1
        self.take_snapshot()
        if self.step > self.steps * (1 - self.options.average):
            self.averaged += 1
            self.mean += (self.nets[: self.trials] - self.mean) / self.averaged
        return games * self.trials + self.measure()

    def _td_jobs(self, count: int, deal: int, games: int) -> np.ndarray:
        """`count` jobs for every trial, each of `games` games, from this deal on."""
        options, rules, progress = self.options, self.game.rules, self.step / max(1, self.steps - 1)
        alone = not (options.duel or self.rivals)
        jobs = np.zeros((self.trials, count), TDJob)
        jobs["seed"] = np.array([derive(s, "games") for s in self.trial_seeds], np.uint64)[:, None]
        jobs["deal"] = deal + games * np.arange(count)
        jobs["games"], jobs["seats"], jobs["input_major"] = games, rules.seats[0], self.game.policies.input_major
        jobs["player"] = self._sides()[:, None]
        jobs["sides"] = 1 if alone else 2
        jobs["taught"], jobs["rivals"] = 2 if options.duel else 1, max(1, len(self.rivals))
        jobs["duel"], jobs["by_score"] = options.duel, options.duel_by == "score"
        jobs["lower_is_better"], jobs["head"], jobs["finals"] = rules.lower_is_better, self.head, options.finals
        for name in ("rate", "trace", "explore"):
            first, last = getattr(options, name), getattr(options, f"{name}_end")
            jobs[name] = between(first, first if last < 0 else last, progress, options.schedule)
        jobs["discount"], jobs["noise"] = options.discount, options.noise
        jobs["perfect_information"] = rules.perfect_information and rules.seats[0] == 2 and alone
        return jobs

    def _sides(self) -> np.ndarray:
        """The rows of each trial's players: its network twice, both of a duel, or its network and the first of its rivals."""
        first = np.arange(self.trials)
        second = first + self.trials if self.options.duel else first
        if self.rivals:
            second = len(self.nets) + 1 + len(self.rivals) * first
        return np.stack([first, second], axis=1)

    def _learn_online(self, deal: int, games: int) -> None:
        jobs = self._td_jobs(1, deal // 2 if self.options.duel or self.rivals else deal, games)
        jobs["target"] = (np.minimum(self._sides(), len(self.nets) - 1) * self.nets.shape[1])[:, None]
        self._run(jobs, self.nets)

    def _learn_together(self, deal: int, games: int) -> None:
        jobs = self._td_jobs(games, deal, 1)
        places = np.arange(self.trials * games).reshape(self.trials, games) * self.nets.shape[1]
        jobs["target"] = places[:, :, None]
        changes = np.zeros((self.trials, games, self.nets.shape[1]), np.float32)
        self._run(jobs, changes)
        self.nets += changes.mean(axis=1)

    def _run(self, jobs: np.ndarray, target: np.ndarray) -> None:
        self.game.td_runner.run(jobs.ravel(), self.table, self.weights, target.reshape(-1), self.flip, self.threads)

    # Curves, checkpoints, results.

    def matchups(self) -> dict[str, Matchup]:
        opponents = self._sides()[:, 1].tolist()
        return super().matchups() | {"training": (opponents, self.options.training_pairs, ("training",))}

    def settings(self) -> dict[str, str]:
        return super().settings() | ({"training": "its training opponent"} if self.options.training_pairs else {})

    def saved(self, step: int) -> dict[str, Saved]:
        return super().saved(step) | {"mean": Saved(self.mean), "averaged": Saved(self.averaged, 0, step)}

    def champions(self) -> list[Net]:
        nets = self.mean.astype(np.float32) if self.averaged else self.nets
        return [self.net(nets[trial], *self.ancestry(trial)) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return [self.net(weights, *self.ancestry(t)) for t, weights in enumerate(self.nets[self.trials :])]

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        company = "of duels with another" if self.options.duel else "of self-play"
        if self.rivals:
            company = f"against {', '.join(self.rivals)}"
        games = min((self.step if step is None else step) * self.stride, self.length)
        start = (
            f"weights of {self.options.initial}" if self.options.initial else f"weights N(0, {self.options.start:g})"
        )
        return f"{start}, trial {trial}", f"{games} games {company}"


def rivals(options: TD) -> tuple[str, ...]:
    """The players that the network learns from, where it does not play itself."""
    return (*options.against, *filter(None, [options.rival]))


def head_of(game: Game, name: str) -> tuple[int, np.ndarray]:
    """The number of a head, the first if the name is empty, and how its outputs look from the other seat."""
    head = list(game.learning.heads).index(name) if name else 0
    return head, np.array(list(game.learning.heads.values())[head], np.int64)


def between(start: float, end: float, progress: float, schedule: str) -> float:
    """A value between start and end."""
    if schedule == "exponential" and start > 0 and end > 0:
        return float(start * (end / start) ** progress)
    return start + (end - start) * progress
