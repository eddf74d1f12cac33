"""Hill-climbing: a champion is challenged by a changed copy of itself, and moves towards a challenger that wins.

Pollack and Blair, "Co-evolution in the successful learning of backgammon strategy" (1998): all weights start at 0; a
challenger has Gaussian noise added to each weight and plays the champion with the same dice for both sides; if it wins
enough of the games, the champion moves 5% towards it; the required number of wins grows with time. "Co-evolutionary
Backgammon Player" (2017): one weight is changed, a hundred games are played, and the better of the two is kept.
"""

from dataclasses import dataclass, replace

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant, paired_jobs
from sparring.errors import UserError
from sparring.games import Game
from sparring.games.game import with_rules
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Saved
from sparring.learn.imitation import imitate
from sparring.learn.option_checks import check_builtin, check_network, check_two_seats, contests, read_wins
from sparring.learn.training import Matchup, Training
from sparring.nets.dense import FARTHEST, LINEAR_LAYERS, WIDEST, Net, gaussian
from sparring.options import option

CHANGES = ("all", "one")
DEALS = ("paired", "own")
WINDOW = 1000  # challenges over which the share of successful ones is taken


@dataclass(frozen=True)
class HillClimbing:
    """The options of hill-climbing."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    hidden: int = option(20, "hidden units of a sigmoid network", 1, 4096)
    layers: str = option("", "units of each layer of a linear network, such as 2-1-2; empty for a sigmoid network")
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    challenges: int = option(10_000, "number of challenges", 1, 100_000_000)
    wins: str = option("3/4", "games that a challenger must win, and of how many; from a challenge on: 3/4, 5/6@10000")
    raise_at: float = option(
        0.0,
        "share of 1,000 challenges won above which the next entry of `wins` applies; 0 to go by their numbers",
        0,
        1,
    )
    deals: str = option("paired", "each deal in both seatings, or a separate deal for every game", choices=DEALS)
    change: str = option("all", "a challenger's change: noise on all weights, or a step of one weight", choices=CHANGES)
    deviation: float = option(0.05, "standard deviation of the noise, or the longest step", 0, 1000)
    least: float = option(0.0, "the shortest step of one weight", 0, 1000)
    move: float = option(0.05, "how far the champion moves towards a winning challenger; 1 replaces it", 0, 1)
    start: float = option(0.0, "standard deviation of the initial weights", 0, 1000)
    imitate: str = option("", "a built-in player to imitate before the first challenge; empty for none")
    imitations: int = option(1000, "changes tried while imitating", 1, 10_000_000)
    easier: str = option("", "options of the game in the first challenges, such as a smaller board; empty for none")
    easier_until: int = option(0, "challenges that are played with the options `easier`", 0, 100_000_000)
    benchmarks: tuple[str, ...] = option(("random",), "players that the champion meets for the curves only")
    benchmark_pairs: int = option(50, "pairs of games with each benchmark for every point of the curves", 0, 1_000_000)
    curve_every: int = option(100, "challenges between two points of the curves", 1, 100_000_000)


def read_layers(text: str) -> tuple[int, ...]:
    """`2-1-2` as numbers."""
    words = text.split("-")
    if len(words) > LINEAR_LAYERS or any(not word.isdecimal() or not 1 <= int(word) <= WIDEST for word in words):
        raise UserError(
            f"learner.layers = {text!r}: must be up to {LINEAR_LAYERS} numbers from 1 to {WIDEST}, as 2-1-2"
        )
    return tuple(map(int, words))


def easier_game(game: Game, options: HillClimbing) -> Game:
    """The game of the first challenges."""
    return with_rules(game, options.easier) if options.easier else game


class HillClimbingTraining(Training):
    """Row t of `nets` is trial t's champion, row trials + t its challenger."""

    learner = "hill-climbing"
    unit = "challenge"
    layout = {"nets": "sides"}
    options: HillClimbing

    @classmethod
    def check(cls, game: Game, options: HillClimbing) -> None:
        check_two_seats(game, cls.learner)
        check_network(game, options)
        check_builtin(game, "benchmarks", *options.benchmarks)
        check_builtin(game, "imitate", *filter(None, (options.imitate,)))
        if options.least > options.deviation:
            raise UserError(f"learner.least = {options.least}: must not be more than deviation = {options.deviation}")
        if options.layers:
            read_layers(options.layers)
            if "linear" not in game.policies.kinds:
                raise UserError(f"learner.layers = {options.layers!r}: {game.name} is not played by linear networks")
        read_wins(options.wins, timed=not options.raise_at)
        easier_game(game, options)

    @classmethod
    def lasting(cls, options: HillClimbing, games: int) -> HillClimbing:
        wins = read_wins(options.wins, timed=not options.raise_at)
        return replace(options, challenges=contests(wins[:1] if options.raise_at else wins, games))

    def duration(self) -> tuple[int, int]:
        return self.options.challenges, 1

    def begin(self) -> None:
        options = self.options
        self.kind = "linear" if options.layers else "sigmoid"
        self.shape = (self.inputs, *(read_layers(options.layers) if options.layers else (options.hidden, 1)))
        starts = self.first_weights()
        self.nets = np.concatenate([starts, starts])
        self.table = self.make_table(*options.benchmarks)
        self.wins = read_wins(options.wins, timed=not options.raise_at)
        self.accepted = np.zeros(self.trials, np.int64)
        self.level = np.zeros(self.trials, np.int64)  # the current entry of `wins`
        self.counted = np.zeros(self.trials, np.int64)  # `accepted` when the level was last reviewed
        self.history = np.zeros((self.trials, self.measured.points, self.nets.shape[1]), np.float32)  # of champions
        self.jobs: dict[tuple[int, int], np.ndarray] = {}
        self.easier = easier_game(self.game, options)

    def advance(self) -> int:
        if self.step == 0 and self.options.imitate:
            self._imitate()
        rules = [self.wins[level] for level in self._levels()]
        for trial in range(self.trials):
            self.nets[self.trials + trial] = self.nets[trial] + self._change(trial, self.step)
        jobs = np.concatenate([self._jobs(trial, games // 2) for trial, (_, _, games) in enumerate(rules)])
        tallies = self.play(jobs, self.easier if self.step < self.options.easier_until else self.game)
        scores = by_contestant(tallies["score"], 2).astype(float)
        won = winners(scores, self.game.rules.lower_is_better)[0][..., 1].ravel()
        parts = np.split(won, np.cumsum([games for _, _, games in rules])[:-1])
        for trial, ((_, wins, _), part) in enumerate(zip(rules, parts, strict=True)):
            if part.sum() >= wins:  # the champion moves towards its challenger
                champion, challenger = self.nets[trial], self.nets[self.trials + trial]
                step = np.float32(self.options.move) * (challenger - champion)
                self.nets[trial] = challenger if self.options.move == 1 else champion + step
                self.accepted[trial] += 1
        self.step += 1
        if self.point_due:
            self.history[:, self.point] = self.nets[: self.trials]
        return len(jobs) + self.measure()

    def _levels(self) -> list[int]:
        """The entry of `wins` that applies to each trial."""
        if not self.options.raise_at:
            return [max(i for i, rule in enumerate(self.wins) if rule[0] <= self.step)] * self.trials
        if self.step and self.step % WINDOW == 0:
            often = self.accepted - self.counted > self.options.raise_at * WINDOW
            self.level = np.minimum(self.level + often, len(self.wins) - 1)
            self.counted = self.accepted.copy()
        return self.level.tolist()

    def _jobs(self, trial: int, pairs: int) -> np.ndarray:
        """This challenge's games of a trial. Deals are numbered by challenge, so that no two challenges share one."""
        if (trial, pairs) not in self.jobs:
            contestants = np.array([trial, self.trials + trial])
            self.jobs[trial, pairs] = paired_jobs(derive(self.trial_seeds[trial], "games"), contestants, pairs)
        most = max(games for _, _, games in self.wins)
        jobs = self.jobs[trial, pairs].copy()
        jobs["luck"] += self.step * most
        jobs["deal"] = jobs["luck"] if self.options.deals == "own" else jobs["deal"] + self.step * most // 2
        return jobs

    def _change(self, trial: int, number: int, purpose: str = "challenge") -> np.ndarray:
        """A challenger's difference from its champion."""
        seed, count = self.trial_seeds[trial], self.nets.shape[1]
        if self.options.change == "all":
            return np.float32(self.options.deviation) * gaussian(count, seed, purpose, number)
        draw = derive(seed, purpose, number)
        change = np.zeros(count, np.float32)
        length = self.options.least + (self.options.deviation - self.options.least) * (draw >> 40) / 2**24
        change[(draw & 0xFFFFFFFF) % count] = length if draw >> 32 & 1 else -length
        return change

    def _imitate(self) -> None:
        for trial, seed in enumerate(self.trial_seeds):
            changes = (self._change(trial, n, "imitation") for n in range(self.options.imitations))
            net = self.net(self.nets[trial])
            self.nets[trial] = imitate(self.game, net, self.options.imitate, changes, derive(seed, "examples"))

    # Curves, checkpoints, results.

    def settings(self) -> dict[str, str]:
        return {name: name for name in self.options.benchmarks}

    def matchups(self) -> dict[str, Matchup]:
        pairs, first = self.options.benchmark_pairs, len(self.nets)
        return {name: (first + i, pairs, ("benchmark", name)) for i, name in enumerate(self.options.benchmarks)}

    def saved(self, step: int) -> dict[str, Saved]:
        options = self.options
        far = FARTHEST * (options.start + (step + options.imitations) * options.deviation)
        return {
            "nets": Saved(self.nets, -far, far),
            "history": Saved(self.history, -far, far),
            "accepted": Saved(self.accepted, 0, step),
            "counted": Saved(self.counted, 0, step),
            "level": Saved(self.level, 0, len(self.wins) - 1),
        }

    def snapshot(self, trial: int, challenge: int) -> Net:
        """A trial's champion at the last point of the curves up to a challenge."""
        point = max(0, challenge // self.every - 1)
        return self.net(self.history[trial, point], *self.ancestry(trial, challenge))

    def ancestry(self, trial: int, step: int | None = None) -> tuple[str, ...]:
        imitated = f", imitating {self.options.imitate}" if self.options.imitate else ""
        done = f"{self.step if step is None else step} challenges, {self.accepted[trial]} of {self.step} won"
        return f"weights N(0, {self.options.start:g}), trial {trial}{imitated}", done
