"""Matches of deep networks on a GPU: numba-cuda plays (kernel/match_kernels.py) and PyTorch values, in the same stream.

Games are played in two groups. While the GPU values the positions of one group, the host learns how many positions the other has:
the GPU never waits. A game that ends is replaced by the next job.
"""

from typing import Any

import numpy as np
import torch

from sparring.kernel.deep_torch import shared
from sparring.kernel.gpu import cuda
from sparring.kernel.gpu_stages import NARROW, WIDE, stages_on_gpu
from sparring.kernel.launch import Launcher
from sparring.kernel.match_kernels import (
    Found,
    GamesInPlay,
    Kept,
    Task,
    encoder,
    no_others,
    others_of,
    place_rows,
    player_of_games,
)
from sparring.kernel.match_stages import is_staged
from sparring.kernel.stages import Stages
from sparring.kernel.subwarp import SIMULATED
from sparring.kernel.torch_net import NAMES, TorchNet, padded

GROUPS = 2
ROOM = 30  # candidates per game that there is room for at first
DEVICE = "cpu" if SIMULATED else "cuda"
OFF = 0.02  # a difference between half and single precision that says that half precision does not hold the network
CHECKED = 4096  # rows of a batch, spread over it, by which that is noticed


def records_of(tensor: torch.Tensor, kind: np.dtype) -> Any:
    """Rows of bytes as numba-cuda's array of records, without a copy."""
    if SIMULATED:
        from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

        return FakeCUDAArray(tensor.numpy().reshape(-1).view(kind))
    return cuda.as_cuda_array(tensor.view(-1)).view(kind)


def zeros(*shape: int, of: torch.dtype = torch.int32) -> torch.Tensor:
    """A tensor of the device."""
    return torch.zeros(shape, dtype=of, device=DEVICE)


def release() -> None:
    """Give back the memory that PyTorch keeps for later."""
    if DEVICE == "cuda":
        torch.cuda.empty_cache()


class Network:
    """A network of the players' table that values positions."""

    def __init__(self, player: np.void, weights: np.ndarray) -> None:
        depth = int(player["depth"])
        self.shape = int(player["inputs"]), *map(int, player["layers"][:depth])
        size = sum((before + 1) * units for before, units in zip(self.shape, self.shape[1:], strict=False))
        own = np.ascontiguousarray(weights[int(player["offset"]) : int(player["offset"]) + size])
        self.net = TorchNet(self.shape, 1, DEVICE)
        self.net.load(dict.fromkeys(NAMES, own))
        self.net.refresh()
        self.width, self.batches, self.exact = padded(self.shape[0]), 0, False

    def single(self, rows: torch.Tensor) -> torch.Tensor:
        """The outputs in single precision."""
        ours, units = self.net.parts["weights"], rows.float()
        for matrix, bias in zip(ours.matrices[:-1], ours.biases[:-1], strict=True):
            units = torch.addmm(bias, units, matrix).relu_()
        return torch.addmm(ours.biases[-1], units, ours.matrices[-1]).sigmoid_()

    def is_held(self, rows: torch.Tensor, outputs: torch.Tensor) -> bool:
        """Whether half precision holds the network's numbers, by rows spread over a batch and their outputs."""
        some = slice(None, None, -(-len(rows) // CHECKED))
        gaps = (outputs[some] - self.single(rows[some])).abs()
        return bool((gaps < OFF).all())  # not where one is no number

    def value(self, rows: torch.Tensor, outputs: torch.Tensor) -> None:
        """Write the outputs for rows of inputs: in half precision, unless that does not hold this network's numbers.

        Whether it does is looked at again after twice as many batches, because to know it the host waits for the GPU.
        """
        if not len(rows):
            return
        rows, outputs = rows[:, : self.width], outputs[:, : self.shape[-1]]
        if not self.exact:
            self.net.value(rows, outputs)
            self.batches += 1
            self.exact = self.batches.bit_count() == 1 and not self.is_held(rows, outputs)
        if self.exact:
            for first in range(0, len(rows), 1 << 16):
                part = slice(first, first + (1 << 16))
                outputs[part] = self.single(rows[part])


class Buffers:
    """The rows of inputs and outputs, which the groups use one after the other."""

    def __init__(self, networks: list[Network]) -> None:
        self.networks, self.room = networks, 0
        # As kernels take them: whether a move ends the game, its value then, rows of inputs, outputs.
        self.wrapped: tuple[Any, ...] = ()
        self.make_room(1)

    def make_room(self, most: int) -> None:
        """Room for this many rows."""
        if most <= self.room:
            return
        self.room, self.wrapped = 0, ()
        self.rows = self.outputs = zeros(0)  # frees the memory of the former
        width, outputs = (max(of) for of in zip(*((n.width, n.shape[-1]) for n in self.networks), strict=True))
        self.rows = zeros(most, width, of=self.networks[0].net.half)
        self.outputs, exact = zeros(most, outputs, of=torch.float32), zeros(most, of=torch.float32)
        self.wrapped = tuple(map(shared, (zeros(most, of=torch.int8), exact, self.rows, self.outputs)))
        self.room = most


class Group:
    """Games that are played at once."""

    def __init__(self, match: "DeepMatch", first: int, games: int) -> None:
        self.match, self.active = match, games
        self.states = zeros(games, match.launcher.template.dtype.itemsize, of=torch.uint8)
        self.job = torch.arange(first, first + games, dtype=torch.int64, device=DEVICE)
        self.made, self.network = zeros(games), zeros(games) - 1
        # The games in progress, all candidates, and those of each network; and where those of each network end.
        self.numbers, self.ends = (zeros(n + len(match.networks), of=torch.int64) for n in (2, 0))
        self.found = torch.zeros(len(self.numbers), dtype=torch.int64, pin_memory=DEVICE == "cuda")
        self.ready = torch.cuda.Event() if DEVICE == "cuda" else None
        self.numbers[0] = games
        self.cursor, self.sizes, ends = shared(self.numbers[1:2]), shared(self.numbers[2:]), shared(self.ends)
        self.sorted: tuple[Any, ...] = ends, self.sizes
        self.kept = tuple(match.kept._replace(going=shared(self.numbers[:1])))
        self.wrap_games()
        self.make_room(ROOM * games)
        self.play(begun=0)
        self.list_moves()

    def wrap_games(self) -> None:
        """The games as kernels take them."""
        records = records_of(self.states, self.match.launcher.template.dtype)
        self.lists = [zeros(self.active) for _ in range(3)]
        arrays = self.job, self.made, self.network, *self.lists
        self.games = GamesInPlay(records, *map(shared, arrays))

    def make_room(self, most: int) -> None:
        """Lists of this many candidates."""
        self.most = most
        self.listed: tuple[Any, ...] = shared(zeros(most)), shared(zeros(most))

    def play(self, begun: int) -> None:
        """Begin each game, or play its best move."""
        match, blocks = self.match, -(-self.active // NARROW)
        match.play[blocks, (1, NARROW)](match.task, tuple(self.games), self.candidates(), self.kept, self.active, begun)

    def candidates(self) -> tuple[Any, ...]:
        """What was found, as kernels take it."""
        return tuple(Found(*self.listed, *self.sorted, *self.match.buffers.wrapped))

    def list_moves(self) -> None:
        """Expand; `count` waits for it."""
        games, blocks = self.games, -(-self.active // NARROW)
        self.numbers[1:].zero_()
        self.match.expand[blocks, NARROW](
            games.states, self.active, self.cursor, games.first, games.count, *self.listed
        )
        place_rows[blocks, NARROW](tuple(games), self.sizes, self.active)
        torch.cumsum(self.numbers[2:], 0, out=self.ends)
        self.found.copy_(self.numbers, non_blocking=True)
        if self.ready:
            self.ready.record()

    def count(self) -> int:
        """The number of candidates; where they had no room, it is made."""
        if self.ready:
            self.ready.synchronize()
        count = int(self.found[1])
        if count > self.most:
            self.make_room(count + count // 4)
            self.list_moves()
            return self.count()
        return count

    def turn(self) -> bool:
        """Play a move of each game; whether any goes on."""
        match, count = self.match, self.count()
        going, ends = int(self.found[0]), np.cumsum(self.found[2:].numpy()).tolist()
        if not going:
            return False
        match.buffers.make_room(ends[-1] + ends[-1] // 4 if ends[-1] > match.buffers.room else 0)
        match.buffers.rows[: ends[-1]].zero_()
        match.encode[-(-count // WIDE), WIDE](match.task, tuple(self.games), self.candidates(), count)
        match.value(ends)
        self.play(begun=1)
        if 2 * going <= self.active > NARROW:
            self.shrink()
        if self.active:
            self.list_moves()
        return self.active > 0

    def shrink(self) -> None:
        """Keep only the games in progress."""
        left = torch.nonzero(self.job >= 0).view(-1)
        self.states, self.job, self.made, self.network = (
            each[left] for each in (self.states, self.job, self.made, self.network)
        )
        self.active = len(left)
        self.wrap_games()


class DeepMatch:
    """Jobs in which networks of the stages have a seat."""

    def __init__(
        self, launcher: Launcher, jobs: np.ndarray, players: np.ndarray, weights: np.ndarray, keep_moves: bool
    ) -> None:
        stages = launcher.staged
        assert stages is not None
        self.launcher, self.jobs, self.valued = launcher, jobs, 0
        rows, staged = np.unique(jobs["player"][:, : jobs["seats"].max()]), is_staged(stages, players)
        seated = rows[staged[rows]]
        self.others, self.networks = len(seated) < len(rows), [Network(players[row], weights) for row in seated]
        number = np.full(len(players), -1, np.int32)
        number[seated] = np.arange(len(seated))
        heads = np.array([stages.head(network.shape[-1]) for network in self.networks])
        sent = jobs, players, weights, launcher.template, number, heads, players["encoding"][seated]
        self.task = tuple(Task(*(cuda.to_device(np.ascontiguousarray(each)) for each in sent)))
        self.next, self.done = zeros(1, of=torch.int64), zeros(len(jobs), of=torch.int8)
        self.tallies = zeros(len(jobs), launcher.tally.itemsize, of=torch.uint8)
        self.moves = np.full((len(jobs), launcher.max_moves + 1) if keep_moves else (0, 1), -1, np.int16)
        self.sent_moves = cuda.to_device(self.moves)
        tallies = records_of(self.tallies, launcher.tally)
        self.kept = Kept(shared(self.next), None, tallies, shared(self.done), self.sent_moves)
        self.buffers = Buffers(self.networks)

    def compile(self, choose: Any, scratch: tuple[int, int]) -> None:
        """Make the kernels; `choose` is the policy of the other players, and `scratch` what it needs."""
        launcher, stages = self.launcher, self.launcher.staged
        assert stages is not None
        state, inputs = launcher.template.dtype, max(network.shape[0] for network in self.networks)
        self.expand = stages_on_gpu(Stages(None, stages.moves, None, None, None), state, stages.branching, 1)[0]
        self.encode = encoder(stages, launcher.kernels[2], state, inputs)
        others = others_of(choose, *scratch) if self.others else no_others
        self.play = player_of_games(launcher, stages, others)

    def begin(self, at_once: int) -> list[Group]:
        """The first move of at most so many games."""
        games = min(at_once, len(self.jobs))
        self.next.fill_(games)
        parts = np.array_split(np.arange(games), GROUPS if games >= GROUPS * NARROW else 1)
        groups = [Group(self, int(part[0]), len(part)) for part in parts]
        return [group for group in groups if group.turn()]

    def value(self, ends: list[int]) -> None:
        """The outputs of all rows, by network."""
        for network, first, last in zip(self.networks, [0, *ends[:-1]], ends, strict=True):
            network.value(self.buffers.rows[first:last], self.buffers.outputs[first:last])
        self.valued += ends[-1]

    def results(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Which jobs are done, the tallies, and the moves if they are kept."""
        tallies = self.tallies.cpu().numpy().reshape(-1).view(self.launcher.tally)
        if len(self.moves):
            self.sent_moves.copy_to_host(self.moves)
        return self.done.cpu().numpy() != 0, tallies, self.moves
