"""Which jobs a GPU plays how: a thread or a subwarp per game, in stages, or on cores; and what happens when its memory is full."""

from typing import TYPE_CHECKING, Any

import numpy as np

from sparring.errors import Failure
from sparring.kernel.backend import Games
from sparring.kernel.compiler import announced
from sparring.kernel.launch import DEEP, Launcher
from sparring.kernel.match_stages import shares_of
from sparring.kernel.subwarp import SIMULATED

if TYPE_CHECKING:
    from sparring.kernel.cuda import Cuda

Results = tuple[np.ndarray, np.ndarray]
AT_ONCE = 1 << 16  # games that are played at once
ROLLED_OUT = 1 << 13  # games of a rollout that are played at once, with 21 rolls each
LEAST = 64  # to which a full memory may reduce them
# Fewer games of deep networks take less time on cores than on a GPU, whose stages wait for the longest game. The number does not
# depend on the cores, because results do: cores value in single precision, stages in half precision.
FEW = 0 if SIMULATED else 1000
MOST_MOVES = 1 << 30  # bytes of moves of one batch


def no_results(launcher: Launcher, jobs: int, keep_moves: bool) -> Results:
    """Room for tallies and moves."""
    moves = np.full((jobs, launcher.max_moves + 1 if keep_moves else 0), -1, np.int16)
    return np.zeros(jobs, launcher.tally), moves


def batch_size(launcher: Launcher, keep_moves: bool, most: int) -> int:
    """Jobs of one batch, of which the moves have room."""
    return max(1, min(most, MOST_MOVES // (2 * launcher.max_moves + 2))) if keep_moves else most


def play_shares(backend: "Cuda", launcher: Launcher, games: Games) -> Results:
    """See `Launcher.play`."""
    tallies, moves = _shares(backend, launcher, games)
    return tallies, moves if games.keep_moves else np.empty((0, 0), np.int16)


def _shares(backend: "Cuda", launcher: Launcher, games: Games) -> Results:
    if not (games.players["kind"] == DEEP).any():
        return backend.play_threads(launcher, games)
    shares = shares_of(launcher.staged, games.jobs, games.players)
    if shares.cores.any():
        which = "with a search or another policy variant play" if launcher.staged else "play this game"
        backend.remark_once(f"deep networks {which} on this machine's cores")
    if shares.staged.any() and (shares.staged.sum() < FEW or not backend.has_torch()):
        shares.cores[shares.staged], shares.staged[:] = True, False
    others = games.players.copy()
    others[others["kind"] == DEEP] = 0
    tallies, moves = no_results(launcher, len(games.jobs), games.keep_moves)
    for mask, part, play in (
        (shares.threads, games._replace(players=others), backend.play_threads),
        (shares.staged, games, lambda *work: play_staged(backend, *work)),
        (shares.cores, games, lambda launcher, work: launcher.play_here(*work)),
    ):
        if mask.all():  # without a second table of moves
            return play(launcher, part)
        if mask.any():
            found = play(launcher, part._replace(jobs=games.jobs[mask]))
            tallies[mask] = found[0]
            if games.keep_moves:
                moves[mask] = found[1]
    return tallies, moves


def play_staged(backend: "Cuda", launcher: Launcher, games: Games) -> Results:
    """Jobs in stages. When the GPU's memory is full, half as many games are played at once; finished ones are kept."""
    from sparring.kernel.cuda import MOST_JOBS, out_of_memory

    tallies, moves = no_results(launcher, len(games.jobs), games.keep_moves)
    size, at_once, left = batch_size(launcher, games.keep_moves, MOST_JOBS), AT_ONCE, np.arange(len(games.jobs))
    while len(left):
        part = left[:size]
        try:
            done, found, kept = _stages(launcher, games._replace(jobs=games.jobs[part]), at_once)
        except Failure as error:
            if not out_of_memory(error) or at_once <= LEAST:
                raise
            done, found, kept = np.zeros(len(part), bool), tallies[part], moves[part]
        if not done.all():
            at_once //= 2
            if at_once < LEAST:
                raise Failure("the GPU's memory is full: play on cores with --backend cpu")
        tallies[part[done]] = found[done]
        if games.keep_moves:
            moves[part[done]] = kept[done]
        left = np.concatenate([part[~done], left[size:]])
    return tallies, moves


def _stages(launcher: Launcher, games: Games, at_once: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which jobs are done, their tallies and moves; not all are where the memory has become full."""
    from sparring.kernel.cuda import gpu_work, out_of_memory, work_of
    from sparring.kernel.deep_matches import DeepMatch, release

    if at_once < AT_ONCE:
        release()
    jobs, players, weights, _, keep_moves = games
    others = players.copy()
    others[players["kind"] == DEEP] = 0
    with gpu_work():
        match = DeepMatch(launcher, jobs, players, weights, keep_moves)
        match.compile(launcher.chooser(others), work_of(launcher, others))
        try:
            with gpu_work(), announced(f"{launcher.name}-stages{'-others' if match.others else ''}-cuda"):
                groups = match.begin(at_once)
            with gpu_work():
                while groups:
                    groups = [group for group in groups if group.turn()]
        except Failure as error:
            if not out_of_memory(error):
                raise
        return match.results()


def roll_out_staged(work: Any) -> Results:
    """Games of a rollout in stages. When the GPU's memory is full, half as many games are played at once."""
    from sparring.kernel.cuda import gpu_work, out_of_memory

    at_once, first = ROLLED_OUT, 0
    with gpu_work():
        rollout = work.on_gpu()
    while first < work.total:
        last = min(first + at_once, work.total)
        try:
            with gpu_work(), announced("rollout-stages-cuda"):
                rollout.run(first, last)
        except Failure as error:
            if not out_of_memory(error) or at_once <= LEAST:
                raise
            at_once //= 2
            with gpu_work():
                rollout.free()
            continue
        first = last
    return work.shaped(rollout.results.cpu().numpy()), work.shaped(rollout.luck.cpu().numpy())
