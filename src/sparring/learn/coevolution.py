"""Coevolution of a player and its training opponent, for any game.

After "Playing a Game of Cards using Neuroevolution" (2019), sections 5.5.1 and 6.1, which came to its final rule from
Kotnik and Kalita's (2003) and Pollack and Blair's (1997). Each epoch the two play pairs of games and the worse one
is changed; every rule on the study's path is an option:

- `challenger`: Kotnik and Kalita's own words: 4 games. If the opponent wins three of them the player moves 5% towards it; the
  opponent is always mutated and never set back, so that it wanders. `wins` and `by` change what it has to win.
- `original`: 4 games. A player who wins half of them or fewer moves 5% towards the opponent, who is always mutated.
- `five-of-six`: 6 games. The same, but the player has to win five of six.
- `symmetric`: 10 games. Whoever loses 7 or 8 moves towards the winner, whoever loses 9 or 10 becomes its mutated copy.
- `score`: 10 games. Whoever is worse by more than the threshold per game moves towards the better, by more than twice
  the threshold becomes its mutated copy; if neither, the opponent is mutated.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant
from sparring.arena.players import fill_builtin, fill_net
from sparring.errors import UserError
from sparring.games import Game
from sparring.kernel.backend import IN_USE, Backend
from sparring.kernel.coevolution import CHANGES, decide, move_towards, mutate
from sparring.kernel.launch import Player
from sparring.kernel.random import derive
from sparring.kernel.records import call_kernel
from sparring.learn.checkpoints import Numbers
from sparring.learn.curves import SIDES, Curves
from sparring.learn.snapshots import Snapshots
from sparring.learn.training import (
    Training,
    check_builtin,
    check_encoding,
    check_policy,
    make_matchups,
    outputs_of,
    read_wins,
    trial_seeds,
)
from sparring.nets.dense import Net, gaussian, size
from sparring.options import option

PAIRS = {"challenger": 2, "original": 2, "five-of-six": 3, "symmetric": 5, "score": 5}
WANDERING = ("challenger", "original", "five-of-six")  # rules by which the opponent is mutated every epoch
SETTINGS = ("training", "benchmark")  # games against the opponent, and against the benchmark, for the curves alone


@dataclass(frozen=True)
class Coevolution:
    """The options of coevolution."""

    encoding: str = option("", "what the net sees; empty for the game's first")
    hidden: int = option(27, "hidden units", 1, 4096)
    epochs: int = option(1500, "epochs of training", 1, 10_000_000)
    rule: str = option("score", "how the worse player is found and changed", choices=tuple(PAIRS))
    pairs: int = option(0, "pairs of games an epoch; 0 for the rule's own number", 0, 10_000)
    wins: str = option(
        "3/4", "what the opponent must win (rule challenger), and of how many games; later: 3/4, 5/6@2000"
    )
    by: str = option("wins", "whether it must win that share of the games or of the points (rule challenger)",
                     choices=("wins", "score"))  # fmt: skip
    policy: str = option("net", "how the net chooses: net, or another of the game's policies for nets")
    threshold: float = option(15.0, "points a game that make a difference (rule score)", 0, 1e6)
    move: float = option(0.05, "how far the worse moves towards the better", 0, 1)
    mutation: float = option(0.1, "standard deviation of the noise of a mutation", 0, 1000)
    start: float = option(0.1, "standard deviation of the first weights", 0, 1000)
    benchmark: str = option("random", "who else the player meets every epoch, for the curves")
    benchmark_pairs: int = option(5, "pairs of games with the benchmark an epoch", 0, 10_000)
    curve_every: int = option(10, "epochs that one point of the curves averages", 1, 1_000_000)
    snapshots: int = option(0, "equal parts of the training after which the players are kept", 0, 10_000)


class CoevolutionTraining(Training):
    """Many trials of coevolution at once. Row t of `nets` is trial t's player, row trials + t its opponent."""

    layout = {"nets": "sides"}
    options: Coevolution

    def __init__(
        self, game: Game, options: Coevolution, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        encoding = options.encoding or game.encoding_names[0]
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.encoding, self.inputs = encoding, game.policies.encodings[encoding]
        self.steps = options.epochs
        self.wins = read_wins(options.wins)
        self.trial_seeds = trial_seeds(seed, trials, first)
        self.shape = (self.inputs, options.hidden, outputs_of(game, options.policy))
        count = size(self.shape)
        starts = [gaussian(count, s, "start", side) for side in SIDES for s in self.trial_seeds]
        self.nets = np.float32(options.start) * np.array(starts, np.float32)
        self.changes = np.zeros((trials, len(CHANGES)), np.int64)
        self.table = self._table(count)
        self.jobs: dict[tuple[str, int], np.ndarray] = {}
        self.measured = Curves(game, trials, -(-self.steps // options.curve_every))
        self.history = Snapshots(trials, options.snapshots, count, self.steps)

    def _table(self, count: int) -> np.ndarray:
        rows = np.zeros(2 * self.trials + 1, Player)
        fill_net(rows[:-1], self.game, self._net(0, 0), np.arange(2 * self.trials) * count)
        fill_builtin(rows[-1], self.game, self.options.benchmark)
        return rows

    @classmethod
    def check(cls, game: Game, options: Coevolution) -> None:
        if 2 not in game.rules.seats:
            raise UserError(f"learner.name: coevolution is for two seats, and {game.name} has {game.rules.seats}")
        check_encoding(game, options.encoding)
        check_policy(game, options.policy)
        if options.rule == "challenger" and options.pairs:
            raise UserError(f"learner.pairs = {options.pairs}: rule challenger plays as many games as `wins` says")
        read_wins(options.wins)
        check_builtin(game, "benchmark", options.benchmark)

    def _needed(self) -> tuple[int, int]:
        """What a challenger must win in this epoch, and of how many games."""
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
        """This epoch's games of every trial. Deals are counted by epoch, so that no two have the same."""
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
        batch = np.concatenate(list(jobs.values()))
        tallies, _ = self.game.launcher.play(batch, self.table, self.nets.reshape(-1), self.threads)
        parts = dict(zip(SETTINGS, np.split(tallies, [len(jobs["training"])]), strict=True))
        for setting, part in parts.items():
            if len(part):
                every = self.options.curve_every
                length = min(every, self.steps - self.step // every * every)
                self.measured.add(setting, self.step // every, part, length)
        self._update(by_contestant(parts["training"]["score"], 2).reshape(self.trials, -1, 2))
        self.step += 1
        self.history.see(self.step, self.nets[: self.trials])
        return len(batch)

    @cached_property
    def _seeds(self) -> np.ndarray:
        """Each trial's seeds of the deals and of the mutations."""
        words = (*SETTINGS, "mutation")
        return np.array([[derive(seed, word) for word in words] for seed in self.trial_seeds], np.uint64)

    def _advance_on(self, backend: Backend) -> int:
        """Several epochs at once, without leaving the GPU, up to the next point of the curves or the next snapshot.

        Returns the number of games; 0 where the GPU cannot.
        """
        told, every = self.options, self.options.curve_every
        start = self.step // every * every
        length = min(every, self.steps - start)
        epochs = min(mark - self.step for mark in (start + length, self.pause, *self.history.marks) if mark > self.step)
        players = np.concatenate([self.table[:1], self.table[self.trials : self.trials + 1], self.table[-1:]])
        players["offset"] = 0, self.nets.shape[1], 0
        pairs = (self._pairs("training")[0], told.benchmark_pairs)
        terms = (told.threshold, told.move, told.mutation, -1 if self.game.rules.lower_is_better else 1)
        found = backend.evolve(self.game.launcher, self._seeds, self.nets, players, self.step, epochs, pairs, terms)
        if found is None:
            return 0
        tallies, changes = found
        for setting, part in zip(SETTINGS, np.split(tallies, [2 * pairs[0]], axis=2), strict=True):
            if part.size:
                self.measured.add(setting, start // every, part.reshape(-1), length / epochs)
        self.changes += changes
        self.step += epochs
        self.history.see(self.step, self.nets[: self.trials])
        return int(tallies.size)

    # Who is worse, and what happens to it.

    def _update(self, scores: np.ndarray) -> None:
        """Change the nets of every trial by the epoch's scores, (trials, games, sides)."""
        decide = {"score": self._decide_by_score, "challenger": self._decide_by_challenge}
        for trial, (worse, change) in enumerate(decide.get(self.options.rule, self._decide_by_wins)(scores)):
            if change:
                self._change(trial, worse, change)
            if self.options.rule in WANDERING:
                self._change(trial, 1, "mutated")

    def _decide_by_score(self, scores: np.ndarray) -> list[tuple[int, str]]:
        lead = (scores[:, :, 0] - scores[:, :, 1]).mean(axis=1) * (-1 if self.game.rules.lower_is_better else 1)
        return [_by_margin(margin, self.options.threshold) for margin in lead.tolist()]

    def _decide_by_wins(self, scores: np.ndarray) -> list[tuple[int, str]]:
        wins = winners(scores, self.game.rules.lower_is_better)[0].sum(axis=1)
        return [_by_wins(self.options.rule, row[0], row[1], scores.shape[1]) for row in wins.tolist()]

    def _decide_by_challenge(self, scores: np.ndarray) -> list[tuple[int, str]]:
        """By games that a challenger has won, draws being nobody's; or by its share of all points won."""
        wins, games = self._needed()
        won, whole = (
            winners(scores, self.game.rules.lower_is_better)[0][:, :, 1].sum(axis=1),
            np.full(len(scores), games),
        )
        if self.options.by == "score":
            ahead = (scores[:, :, 1] - scores[:, :, 0]) * (-1 if self.game.rules.lower_is_better else 1)
            won, whole = np.maximum(ahead, 0).sum(axis=1), np.abs(ahead).sum(axis=1)
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

    # Curves.

    def settings(self) -> dict[str, str]:
        return {"training": "its training opponent", "benchmark": self.options.benchmark}

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        every = self.options.curve_every
        full = self.step // every if self.step < self.steps else -(-self.steps // every)
        epochs = np.minimum((np.arange(full) + 1) * every, self.steps)
        return epochs, self.measured.first(full)

    def headline(self) -> str:
        epochs, points = self.curves()
        score = points.get("benchmark.player.score")
        if score is None or not len(epochs):
            return ""
        return f"score {score[:, -1].mean():.0f}"

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        return {"nets": self.nets, "changes": self.changes, **self.measured.arrays(), **self.history.arrays()}

    def expected(self, step: int) -> dict[str, Numbers]:
        found = super().expected(step)
        met = [setting for setting in SETTINGS if step and self._pairs(setting)[0]]
        return found | {"changes": found["changes"].within(0, 2 * step)} | self.measured.expected(met)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step, self.nets, self.changes = step, arrays["nets"].copy(), arrays["changes"].copy()
        self.measured.restore(arrays)
        self.history.restore(arrays)

    def diverged(self) -> bool:
        return not np.isfinite(self.nets).all()

    def champions(self) -> list[Net]:
        return [self._net(trial, 0) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return [self._net(trial, 1) for trial in range(self.trials)]

    def snapshots(self, trial: int) -> list[Net]:
        """A trial's player after each of the equal parts of its training."""
        found = []
        for weights, mark in zip(self.history.weights[trial], self.history.marks, strict=True):
            begun, _ = self._net(trial, 0).ancestry
            told = (begun, f"rule {self.options.rule}, {mark} of {self.steps} epochs")
            found.append(replace(self._net(trial, 0), weights=weights.copy(), ancestry=told))
        return found

    def _net(self, trial: int, side: int) -> Net:
        did = ", ".join(f"{change} {count}" for change, count in zip(CHANGES, self.changes[trial], strict=True))
        ancestry = (
            f"weights N(0, {self.options.start:g}), trial {trial}, {SIDES[side]}",
            f"rule {self.options.rule}, {self.step} epochs: {did}",
        )
        return Net(
            self.game.family,
            self.game.rules.version,
            self.encoding,
            self.shape,
            self.nets[trial + side * self.trials].copy(),
            "coevolution",
            self.seed,
            ancestry,
            policy=self.options.policy,
            input_major=self.game.policies.input_major,
        )


def _by_margin(lead: float, threshold: float) -> tuple[int, str]:
    """The final rule: who is worse (0 player, 1 opponent) and its change, given the player's lead in points a game."""
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
