"""Targets of deep TD on a GPU other than the value one turn later: exact ones, those of a teacher, and lambda-returns."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import torch

from sparring.kernel.deep_td import DeepTD, Turn, layers_of_player
from sparring.kernel.gpu import cuda
from sparring.kernel.gpu_stages import NARROW, ROW_THREADS, chances_on_gpu, ring_on_gpu
from sparring.kernel.torch_net import NAMES, TorchNet

if TYPE_CHECKING:
    from sparring.kernel.deep_torch import DeepOnGpu


def teacher_net(td: DeepTD, device: str) -> TorchNet | None:
    """The teacher's network, ready to value rows."""
    if td.teacher is None:
        return None
    table, weights = td.teacher
    shape = layers_of_player(table)
    net = TorchNet(shape, 1, device)
    net.load(dict.fromkeys(NAMES, weights[: sum((before + 1) * units for before, units in pairwise(shape))]))
    net.refresh()
    return net


class Targets:
    """What replaces the targets of a turn, as the options say."""

    def __init__(self, engine: "DeepOnGpu") -> None:
        td, self.engine = engine.td, engine
        self.teacher = teacher_net(td, engine.device)
        self.ring = tuple(map(cuda.to_device, td.ring)) if td.ring else ()
        self.remember = ring_on_gpu(td.stages, engine.outputs) if td.ring else None
        self.drawn: Any = None  # made with the first exact turn

    def _begin_exact(self) -> None:
        td, count = self.engine.td, len(self.engine.net.rows)
        self.draw, self.add = chances_on_gpu(td.stages, td.launcher.template.dtype, self.engine.outputs)
        self.drawn = cuda.to_device(td.kept["states"])
        self.shares, self.means = (
            torch.zeros(shape, dtype=torch.float64, device=self.engine.device)
            for shape in (count, (count, self.engine.outputs))
        )

    def before(self, turn: Turn) -> None:
        """Before the moves of a turn are valued: exact targets from the moves of every chance outcome."""
        if not turn.exact:
            return
        if self.drawn is None:
            self._begin_exact()
        engine, games = self.engine, self.engine.games
        blocks, shares, means = -(-turn.games // NARROW), engine.shared(self.shares), engine.shared(self.means)
        self.means.zero_()
        engine.games = games._replace(states=self.drawn)
        for number in range(engine.td.stages.chances):
            self.draw[blocks, NARROW](games.states, turn.games, number, self.drawn, shares)
            engine.list_moves(turn.games)
            engine.value_moves(turn.games)
            task = tuple(engine.buffers), self.drawn, shares, engine.terms, engine.flip, means
            self.add[blocks, NARROW](tuple(games), turn.games, *task)
        engine.games = games
        engine.list_moves(turn.games)

    def after(self, turn: Turn) -> None:
        """After the samples of a turn are written: their targets, and the samples that leave the ring instead of them."""
        net, count = self.engine.net, turn.games
        if turn.exact:
            net.targets[:count].copy_(self.means[:count])
        if self.teacher:
            self.teacher.value(net.rows[:count].to(net.half), net.targets[:count])
        if self.remember:
            task = self.engine.terms, self.engine.flip
            self.remember[count, ROW_THREADS](tuple(self.engine.games), tuple(self.engine.samples), self.ring, *task)

    def store(self) -> None:
        """Copy the ring back."""
        for ours, kept in zip(self.ring, self.engine.td.ring or (), strict=True):
            ours.copy_to_host(kept)
