"""Rollouts of deep networks on a GPU: thousands of games abreast, in stages. Imported only where a GPU is used.

For every game, the plays of all 21 rolls (without luck: of its own roll) are listed, encoded and valued in matrix products. The
network's best play of each roll says what the roll is worth. Unlike on cores, no small network selects plays beforehand.
"""

from typing import Any

import numpy as np
import torch

from sparring.games.backgammon import rollout_kernels as kernels
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.plays import MOST_PLAYS
from sparring.games.backgammon.rollout_games import Setting
from sparring.games.backgammon.search import ROLLS
from sparring.kernel.deep_matches import DEVICE, Buffers, Network, records_of, release, zeros
from sparring.kernel.deep_torch import shared
from sparring.kernel.gpu import cuda
from sparring.kernel.gpu_stages import NARROW, WIDE, stages_on_gpu
from sparring.kernel.stages import Stages

ROOM = 24  # candidates per roll that there is room for at first


class GpuRollout:
    """The games of all boards: number N is game N % `setting.games` of board N // `setting.games`."""

    def __init__(self, searcher: Searcher, boards: np.ndarray, setting: Setting) -> None:
        self.boards, self.setting, self.rolls = boards, setting, ROLLS if setting.lucky else 1
        self.network = Network(searcher.table[0], searcher.weights)
        self.players, self.weights = cuda.to_device(searcher.table), cuda.to_device(searcher.weights)
        self.terms = cuda.to_device(np.array([(*setting, self.rolls)], kernels.Terms))
        made = Stages(None, kernels.plays_of_roll, None, None, None)
        self.expand = stages_on_gpu(made, kernels.Rolled, MOST_PLAYS, 1)[0]
        count = len(boards) * setting.games
        self.results, self.luck = (zeros(count, 5, of=torch.float64) for _ in range(2))
        self.outcomes = tuple(map(shared, (self.results, self.luck)))
        self.numbers = zeros(2, of=torch.int64)  # games in progress, candidates
        self.going, self.cursor = shared(self.numbers[:1]), shared(self.numbers[1:])
        self.buffers, self.most = Buffers([self.network]), 0

    def run(self, first: int, last: int) -> None:
        """Play the games from `first` to `last` - 1."""
        begun = np.zeros(last - first, kernels.Rolled)
        begun["number"] = np.arange(first, last)
        begun["board"], begun["turn"] = self.boards[begun["number"] // self.setting.games], self.setting.seat
        self.luck[first:last] = 0
        self.numbers[0] = last - first
        self.take(torch.from_numpy(begun.view(np.uint8).reshape(last - first, -1)).to(DEVICE))
        blocks = -(-self.active // NARROW)
        shares = self.players, self.weights, self.outcomes[0], self.going, self.active
        kernels.begin_games[blocks, NARROW](self.games, self.terms, *shares)
        while self.turn():
            pass

    def take(self, games: torch.Tensor) -> None:
        """These games, as rows of bytes, are those in progress."""
        self.bytes, self.active, rolls = games, len(games), len(games) * self.rolls
        self.games = records_of(games, kernels.Rolled)
        self.rolled = records_of(zeros(rolls, kernels.Rolled.itemsize, of=torch.uint8), kernels.Rolled)
        self.first, self.counts, best = (shared(zeros(rolls)) for _ in range(3))
        self.best: Any = (best, shared(zeros(rolls, 5, of=torch.float64)))
        self.make_room(ROOM * rolls)

    def make_room(self, most: int) -> None:
        """Room for this many candidates."""
        if most > self.most:
            self.listed: Any = (shared(zeros(most)), shared(zeros(most)))
            self.buffers.make_room(most)
            self.most = most

    def free(self) -> None:
        """Give memory back that fewer games do not need."""
        self.bytes, self.most = zeros(0), 0
        self.games = self.rolled = self.first = self.counts = self.best = self.listed = None
        self.buffers = Buffers([self.network])
        release()

    def list_plays(self) -> int:
        """The plays of all rolls of all games; how many there are."""
        rolls = self.active * self.rolls
        kernels.lay_rolls[-(-rolls // WIDE), WIDE](self.games, self.terms, self.rolled, rolls)
        self.numbers[1:].zero_()
        self.expand[-(-rolls // NARROW), NARROW](self.rolled, rolls, self.cursor, self.first, self.counts, *self.listed)
        self.left, count = self.numbers.tolist()
        if count > self.most:
            self.make_room(count + count // 4)
            return self.list_plays()
        return int(count)

    def turn(self) -> bool:
        """A turn of each game; whether any goes on."""
        count, rolls = self.list_plays(), self.active * self.rolls
        if not self.left:
            return False
        rows, outputs = self.buffers.rows[:count], self.buffers.outputs[:count]
        rows.zero_()
        kernels.encode[-(-count // WIDE), WIDE](self.rolled, self.players, *self.listed, self.buffers.wrapped[2], count)
        self.network.value(rows, outputs)
        found = self.first, self.counts, self.listed[1]
        shares = self.players, self.weights
        kernels.choose[-(-rolls // NARROW), NARROW](
            self.rolled, *shares, found, self.buffers.wrapped[3], *self.best, rolls
        )
        ends = self.best, *self.outcomes, self.going, self.active
        kernels.play[-(-self.active // NARROW), NARROW](self.games, self.terms, *shares, *ends)
        if 2 * self.left <= self.active > NARROW:
            turns = self.bytes.view(torch.int64)[:, kernels.TURN]
            self.take(self.bytes[torch.nonzero(turns >= 0).view(-1)].contiguous())
        return self.active > 0
