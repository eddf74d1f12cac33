"""Coevolution: a player and its training opponent play each other, and the worse one is changed.

"Playing a Game of Cards using Neuroevolution" (2019), sections 5.5.1 and 6.1. Its final rule developed from Kotnik and
Kalita's (2003) and Pollack and Blair's (1997). Every rule on that path is an option:

- `challenger`: Kotnik and Kalita's text: 4 games. If the opponent wins three of them, the player moves 5% towards it.
  The opponent is always mutated and never set back, so it drifts; with `opponent = "reset"` it is a mutated copy of the
  player, as in Pollack and Blair. `wins` and `by` change what it must win.
- `original`: 4 games. A player that wins half of them or fewer moves 5% towards the opponent, which is always mutated.
- `five-of-six`: 6 games. The same, but the player must win five of six.
- `symmetric`: 10 games. A side that loses 7 or 8 moves towards the winner; a side that loses 9 or 10 becomes its
  mutated copy.
- `score`: 10 games. A side that is worse by more than the threshold per game moves towards the other; by more than
  twice the threshold, it becomes the other's mutated copy. Otherwise the opponent is mutated.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.backend import IN_USE, Backend, Evolution
from sparring.kernel.coevolution import CHANGES, decide, move_towards, mutate
from sparring.kernel.random import derive
from sparring.kernel.records import call_kernel
from sparring.learn.checkpoints import Saved
from sparring.learn.curves import SIDES
from sparring.learn.option_checks import check_builtin, check_network, check_two_seats, contests, outputs_of, read_wins
from sparring.learn.training import Training, make_matchups
from sparring.nets.dense import Net
from sparring.options import option

PAIRS = {"challenger": 2, "original": 2, "five-of-six": 3, "symmetric": 5, "score": 5}
DRIFTING = ("challenger", "original", "five-of-six")  # rules by which the opponent is mutated every epoch
SETTINGS = ("training", "benchmark")  # games with the opponent, and with the benchmark for the curves only
BY = ("wins", "score")
OPPONENTS = {"drifts": "mutated", "reset": "replaced"}  # how a drifting rule changes the opponent after an epoch


@dataclass(frozen=True)
class Coevolution:
    """The options of coevolution."""

    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    hidden: int = option(27, "hidden units", 1, 4096)
    epochs: int = option(1500, "epochs of training", 1, 10_000_000)
    rule: str = option("score", "how the worse player is found and changed", choices=tuple(PAIRS))
    pairs: int = option(0, "pairs of games per epoch; 0 for the rule's own number", 0, 10_000)
    wins: str = option("3/4", "rule challenger: wins that the opponent needs, of how many games; later: 3/4, 5/6@2000")
    by: str = option("wins", "rule challenger: whether it needs that share of games or of points", choices=BY)
    opponent: str = option(
        "drifts",
        "rules challenger, original, five-of-six: what is mutated, the opponent or (reset) a copy of the player",
        choices=tuple(OPPONENTS),
    )
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    threshold: float = option(15.0, "rule score: difference in points per game that counts", 0, 1e6)
    move: float = option(0.05, "how far the worse network moves towards the better", 0, 1)
    mutation: float = option(0.1, "standard deviation of a mutation's noise", 0, 1000)
    start: float = option(0.1, "standard deviation of the initial weights", 0, 1000)
    benchmark: str = option("random", "another player that the player meets every epoch, for the curves only")
    benchmark_pairs: int = option(5, "pairs of games per epoch with the benchmark", 0, 10_000)
    curve_every: int = option(10, "epochs averaged in one point of the curves", 1, 1_000_000)
    snapshots: int = option(0, "number of equal parts of the training after which the players are saved", 0, 10_000)


class CoevolutionTraining(Training):
    """Row t of `nets` is trial t's player, row trials + t its opponent."""

    learner = "coevolution"
    layout = {"nets": "sides"}
    options: Coevolution

    @classmethod
    def check(cls, game: Game, options: Coevolution) -> None:
        check_two_seats(game, cls.learner)
        check_network(game, options)
        if options.rule == "challenger" and options.pairs:
            raise UserError(f"learner.pairs = {options.pairs}: rule challenger plays as many games as `wins` says")
        read_wins(options.wins)
        check_builtin(game, "benchmark", options.benchmark)

    @classmethod
    def lasting(cls, options: Coevolution, games: int) -> Coevolution:
        pairs = options.pairs or PAIRS[options.rule]
        wins = read_wins(options.wins) if options.rule == "challenger" else [(0, 1, 2 * pairs)]
        return replace(options, epochs=contests(wins, games))

    def duration(self) -> tuple[int, int]:
        return self.options.epochs, 1

    def begin(self) -> None:
        self.shape = (self.inputs, self.options.hidden, outputs_of(self.game, self.options.policy))
        self.nets = np.concatenate([self.first_weights(side) for side in SIDES])
        self.table = self.make_table(self.options.benchmark)
        self.changes = np.zeros((self.trials, len(CHANGES)), np.int64)
        self.wins = read_wins(self.options.wins)
        self.jobs: dict[tuple[str, int], np.ndarray] = {}

    def _needed(self) -> tuple[int, int]:
        """The games that a challenger must win in this epoch, and of how many."""
        _, wins, games = max(rule for rule in self.wins if rule[0] <= self.step)
        return wins, games

    def _pairs(self, setting: str) -> tuple[int, int]:
        """Pairs of games in this epoch, and the most that any epoch has."""
        if setting == "benchmark":
            return (self.options.benchmark_pairs,) * 2
        if self.options.rule == "challenger":
            return self._needed()[1] // 2, max(games for _, _, games in self.wins) // 2
        return (self.options.pairs or PAIRS[self.options.rule],) * 2

    def _jobs(self, setting: str) -> np.ndarray:
        """This epoch's games of every trial. Deals are numbered by epoch, so that no two epochs share one."""
        pairs, most = self._pairs(setting)
        if (setting, pairs) not in self.jobs:
            first, others = (self.trials, 1) if setting == "training" else (2 * self.trials, 0)
            rows = [first + others * trial for trial in range(self.trials)]
            self.jobs[setting, pairs] = make_matchups(self.trial_seeds, rows, pairs, setting)
        jobs = self.jobs[setting, pairs].copy()
        jobs["deal"] += self.step * most
        jobs["luck"] += self.step * most * 2
        return jobs

    def advance(self) -> int:
        if self.options.rule == "score" and "evolve" in IN_USE.get().capabilities:
            if games := self._advance_on(IN_USE.get()):
                return games
        jobs = {setting: self._jobs(setting) for setting in SETTINGS}
        tallies = self.play(np.concatenate(list(jobs.values())))
        parts = dict(zip(SETTINGS, np.split(tallies, [len(jobs["training"])]), strict=True))
        start, length = self._period()
        for setting, part in parts.items():
            if len(part):
                self.measured.add(setting, start // self.every, part, length)
        self._update(by_contestant(parts["training"]["score"], 2).reshape(self.trials, -1, 2))
        self.step += 1
        self.take_snapshot()
        return len(tallies)

    def _period(self) -> tuple[int, int]:
        """The first epoch of the current point of the curves, and the number of its epochs."""
        start = self.step // self.every * self.every
        return start, min(self.every, self.steps - start)

    @cached_property
    def _seeds(self) -> np.ndarray:
        """Each trial's seeds of the deals and of the mutations."""
        words = (*SETTINGS, "mutation")
        return np.array([[derive(seed, word) for word in words] for seed in self.trial_seeds], np.uint64)

    def _advance_on(self, backend: Backend) -> int:
        """Run several epochs at once on a GPU, up to the next point of the curves or the next snapshot.

        Returns the number of games; 0 if the GPU cannot run them.
        """
        options, (start, length) = self.options, self._period()
        epochs = min(mark - self.step for mark in (start + length, self.pause, *self.marks) if mark > self.step)
        players = np.concatenate([self.table[:1], self.table[self.trials : self.trials + 1], self.table[-1:]])
        players["offset"] = 0, self.nets.shape[1], 0
        pairs = (self._pairs("training")[0], options.benchmark_pairs)
        terms = (options.threshold, options.move, options.mutation, self.sign)
        work = Evolution(self._seeds, self.nets, players, self.step, epochs, pairs, terms)
        found = backend.evolve(self.game.launcher, work)
        if found is None:
            return 0
        tallies, changes = found
        for setting, part in zip(SETTINGS, np.split(tallies, [2 * pairs[0]], axis=2), strict=True):
            if part.size:
                self.measured.add(setting, start // self.every, part.reshape(-1), length / epochs)
        self.changes += changes
        self.step += epochs
        self.take_snapshot()
        return int(tallies.size)

    # Which side is worse, and how it changes.

    def _update(self, scores: np.ndarray) -> None:
        """Change the networks of every trial by the epoch's scores, (trials, games, sides)."""
        rules = {"score": self._decide_by_score, "challenger": self._decide_by_challenge}
        for trial, (worse, change) in enumerate(rules.get(self.options.rule, self._decide_by_wins)(scores)):
            if change:
                self._change(trial, worse, change)
            if self.options.rule in DRIFTING:
                self._change(trial, 1, OPPONENTS[self.options.opponent])

    def _decide_by_score(self, scores: np.ndarray) -> list[tuple[int, str]]:
        lead = (scores[:, :, 0] - scores[:, :, 1]).mean(axis=1) * self.sign
        return [_by_margin(margin, self.options.threshold) for margin in lead.tolist()]

    def _decide_by_wins(self, scores: np.ndarray) -> list[tuple[int, str]]:
        wins = winners(scores, self.game.rules.lower_is_better)[0].sum(axis=1)
        return [_by_wins(self.options.rule, row[0], row[1], scores.shape[1]) for row in wins.tolist()]

    def _decide_by_challenge(self, scores: np.ndarray) -> list[tuple[int, str]]:
        """By the games that the challenger has won, draws not counted; or by its share of all points won."""
        wins, games = self._needed()
        if self.options.by == "score":
            ahead = (scores[:, :, 1] - scores[:, :, 0]) * self.sign
            won, whole = np.maximum(ahead, 0).sum(axis=1), np.abs(ahead).sum(axis=1)
        else:
            won = winners(scores, self.game.rules.lower_is_better)[0][:, :, 1].sum(axis=1)
            whole = np.full(len(scores), games)
        enough = (whole > 0) & (won * games >= wins * whole)
        return [(0, "moved" if moves else "") for moves in enough.tolist()]

    def _change(self, trial: int, worse: int, change: str) -> None:
        """Move side `worse` towards the other, replace it by the other's mutated copy, or mutate it."""
        row, better = trial + worse * self.trials, trial + (1 - worse) * self.trials
        nets, count = self.nets.reshape(-1), self.nets.shape[1]
        if change == "moved":
            move_towards(nets, row * count, better * count, count, np.float32(self.options.move), 0, 1)
        else:
            stream = np.uint64(derive(self.trial_seeds[trial], "mutation", self.step))
            source = better if change == "replaced" else row
            call_kernel(
                mutate, nets, row * count, source * count, count, np.float32(self.options.mutation), stream, 0, 1
            )
        self.changes[trial, CHANGES.index(change)] += 1

    # Curves, checkpoints, results.

    def settings(self) -> dict[str, str]:
        return {"training": "its training opponent", "benchmark": self.options.benchmark}

    def measured_by(self, step: int) -> list[str]:
        return [setting for setting in SETTINGS if step and self._pairs(setting)[0]]

    def headline(self) -> str:
        epochs, points = self.curves()
        score = points.get("benchmark.player.score")
        return f"score {score[:, -1].mean():.0f}" if score is not None and len(epochs) else ""

    def saved(self, step: int) -> dict[str, Saved]:
        return super().saved(step) | {"changes": Saved(self.changes, 0, 2 * step)}

    def auxiliary_nets(self) -> list[Net]:
        rows = self.nets[self.trials :]
        return [self.net(rows[trial], *self.ancestry(trial, side="opponent")) for trial in range(self.trials)]

    def ancestry(self, trial: int, step: int | None = None, side: str = "player") -> tuple[str, ...]:
        counts = ", ".join(f"{change} {count}" for change, count in zip(CHANGES, self.changes[trial], strict=True))
        epochs = f"{self.step} epochs: {counts}" if step is None else f"{step} of {self.steps} epochs"
        start = f"weights N(0, {self.options.start:g}), trial {trial}"
        return (f"{start}, {side}", f"rule {self.options.rule}, {epochs}")


def _by_margin(lead: float, threshold: float) -> tuple[int, str]:
    """The final rule: the worse side (0 player, 1 opponent) and its change, by the player's lead in points per game."""
    worse, change = decide(lead, threshold)
    return worse, CHANGES[change]


def _by_wins(rule: str, player: int, opponent: int, games: int) -> tuple[int, str]:
    """The rules by wins; `""` where nothing changes."""
    if rule == "symmetric":
        worse, most = (1, player) if player > opponent else (0, opponent)
        if 10 * most >= 9 * games:
            return worse, "replaced"
        return worse, "moved" if 10 * most >= 7 * games else ""
    beaten = 2 * player <= games if rule == "original" else 6 * player < 5 * games
    return 0, "moved" if beaten else ""
