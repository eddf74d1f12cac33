"""Deep TD on a GPU: the games' stages by numba-cuda and the network by PyTorch, one after the other in the same stream.

Only the number of candidates is copied back during a turn. The moves of the next turn are listed before the network learns, so that
the GPU does not wait.
"""

from typing import Any

import numpy as np
import torch

from sparring.kernel.deep_targets import Targets
from sparring.kernel.deep_td import WATCHED, DeepTD, Turn
from sparring.kernel.gpu import cuda
from sparring.kernel.gpu_stages import NARROW, WIDE, stages_on_gpu
from sparring.kernel.stages import Candidates, Games, Samples
from sparring.kernel.subwarp import SIMULATED
from sparring.kernel.torch_net import TorchNet

ROOM = 40  # candidates per game that there is room for at first


def shared(tensor: torch.Tensor) -> Any:
    """A tensor as numba-cuda sees it, without a copy."""
    if SIMULATED:
        from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

        return FakeCUDAArray(tensor.numpy())
    return cuda.as_cuda_array(tensor)


class DeepOnGpu:
    """The games and the network of a `DeepTD` on the GPU."""

    def __init__(self, td: DeepTD) -> None:
        self.td, self.device = td, "cpu" if SIMULATED else "cuda"
        count, inputs, outputs = int(td.terms["games"][0]), td.shape[0], td.shape[-1]
        self.expand, self.encode, self.play = stages_on_gpu(td.stages, td.launcher.template.dtype, td.branching, inputs)
        self.net = TorchNet(td.shape, count, self.device, td.decays.weights)
        self.net.load(td.kept)
        self.games = Games(*map(cuda.to_device, td.games))
        self.terms, self.flip = cuda.to_device(td.terms), cuda.to_device(td.flip)
        self.samples = Samples(*map(shared, (self.net.rows, self.net.targets, self.net.counted)))
        self.cursor = torch.zeros(1, dtype=torch.int64, device=self.device)
        self.found = torch.zeros(1, dtype=torch.int64, pin_memory=self.device == "cuda")
        self.ready = torch.cuda.Event() if self.device == "cuda" else None
        self.outputs, self.shared = outputs, shared
        self.make_room(ROOM * count)
        self.targets = Targets(self)

    def make_room(self, most: int) -> None:
        """Buffers for this many candidates."""
        games, of = len(self.net.rows), {"device": self.device}
        self.rows = torch.zeros(most, self.net.shape[0], dtype=self.net.half, **of)
        self.values, self.exact = (torch.zeros(most, self.outputs, **of) for _ in range(2))
        lists = [torch.zeros(n, dtype=torch.int32, **of) for n in (games, games, most, most)]
        self.over = torch.zeros(most, dtype=torch.int8, **of)
        self.buffers = Candidates(*map(shared, (self.cursor, *lists, self.over, self.exact, self.rows, self.values)))

    def list_moves(self, games: int) -> None:
        """Expand; `candidates` waits for it."""
        self.cursor.zero_()
        self.expand[-(-games // NARROW), NARROW](self.games.states, games, *self.buffers[:5])
        self.found.copy_(self.cursor, non_blocking=True)
        if self.ready:
            self.ready.record()

    def candidates(self, games: int) -> int:
        """The number of candidates that expand has found; where they had no room, it is made."""
        if self.ready:
            self.ready.synchronize()
        count = int(self.found[0])
        if count <= len(self.rows):
            return count
        self.make_room(count + count // 4)
        self.list_moves(games)
        return self.candidates(games)

    def value_moves(self, games: int) -> None:
        """Encode and value the candidates that expand has listed."""
        count = self.candidates(games)
        self.rows[:count].zero_()
        self.encode[-(-count // WIDE), WIDE](self.games.states, count, tuple(self.buffers), self.terms)
        self.net.value(self.rows[:count], self.values[:count])

    def turn(self, turn: Turn, after: Turn | None, rates: torch.Tensor, shares: torch.Tensor) -> None:
        """Play a move of every game and learn; `after` is the next turn."""
        self.net.rows.zero_()
        self.net.refresh()
        self.targets.before(turn)
        self.value_moves(turn.games)
        blocks = -(-turn.games // NARROW)
        games, buffers, samples = tuple(self.games), tuple(self.buffers), tuple(self.samples)
        self.play[blocks, NARROW](games, turn.games, buffers, samples, self.terms, self.flip)
        self.targets.after(turn)
        if after:
            self.list_moves(after.games)
        self.net.learn(turn.minibatch, rates, shares)

    def learn(self, turns: list[Turn]) -> np.ndarray:
        """See `DeepTD.learn`."""
        rates, shares = (torch.from_numpy(each).to(self.device) for each in self.td.schedule(turns))
        measured = torch.zeros(sum(self.net.shape[1:-1]) + 2, device=self.device)
        self.list_moves(turns[0].games)
        first = 0
        for left, (turn, after) in enumerate(zip(turns, [*turns[1:], None], strict=True), -len(turns)):
            last = first + turn.games // turn.minibatch
            self.turn(turn, after, rates[first:last], shares[first:last])
            first = last
            if left >= -WATCHED:
                self.net.measure(turn.games, measured)
        self.net.store(self.td.kept)
        self.targets.store()
        for ours, kept in zip(self.games, self.td.games, strict=True):
            ours.copy_to_host(kept)
        return np.asarray(measured.double().cpu().numpy())
