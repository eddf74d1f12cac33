"""The stages of matches (kernel/match_stages.py) on a GPU: a thread per game or candidate. Imported only where a GPU is used.

The rows of inputs are sorted by network: `place` is where the rows of a game's candidates begin among those of its network.
"""

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.gpu import cuda, gpu_kernel
from sparring.kernel.launch import Launcher, forget
from sparring.kernel.match_stages import MatchStages
from sparring.kernel.stages import WORST, write_row
from sparring.kernel.subwarp import unwrap_simulator


class Task(NamedTuple):
    """What all games share."""

    jobs: Any
    players: Any
    weights: Any
    template: Any
    networks: Any  # per player: the number of its network, or -1
    heads: Any  # per network
    encodings: Any


class GamesInPlay(NamedTuple):
    """Games in progress, a row each."""

    states: Any
    job: Any  # or -1 where no job is left
    made: Any  # moves
    network: Any  # of the seat to move
    first: Any  # candidate
    count: Any  # of candidates
    place: Any


class Found(NamedTuple):
    """Candidates, in the order in which they were listed; and rows, sorted by network."""

    game: Any
    move: Any
    ends: Any  # per network: where its rows end
    sizes: Any  # and how many it has
    over: Any  # per row: whether the move ends the game,
    exact: Any  # and its value then
    rows: Any
    outputs: Any


class Kept(NamedTuple):
    """Results, a row per job."""

    next: Any  # one number: the next job
    going: Any  # one number: games in progress
    tallies: Any
    done: Any
    moves: Any


@cuda.jit(device=True)
def unwrapped_task(task):
    """A task as kernels read it."""
    jobs, players, weights = unwrap_simulator(task[0]), unwrap_simulator(task[1]), unwrap_simulator(task[2])
    numbers = unwrap_simulator(task[4]), unwrap_simulator(task[5]), unwrap_simulator(task[6])
    return Task(jobs, players, weights, unwrap_simulator(task[3]), numbers[0], numbers[1], numbers[2])


@cuda.jit(device=True)
def unwrapped_games(games):
    """Games as kernels read them."""
    lists = unwrap_simulator(games[1]), unwrap_simulator(games[2]), unwrap_simulator(games[3])
    more = unwrap_simulator(games[4]), unwrap_simulator(games[5]), unwrap_simulator(games[6])
    return GamesInPlay(unwrap_simulator(games[0]), lists[0], lists[1], lists[2], more[0], more[1], more[2])


@cuda.jit(device=True)
def unwrapped_found(found):
    """Candidates as kernels read them."""
    lists = unwrap_simulator(found[0]), unwrap_simulator(found[1]), unwrap_simulator(found[2])
    more = unwrap_simulator(found[3]), unwrap_simulator(found[4]), unwrap_simulator(found[5])
    rows, outputs = unwrap_simulator(found[6]), unwrap_simulator(found[7])
    return Found(lists[0], lists[1], lists[2], more[0], more[1], more[2], rows, outputs)


@kernel
def row_of(i, games, found):
    """Where the rows of a game's candidates begin."""
    network = games.network[i]
    return found.ends[network] - found.sizes[network] + games.place[i]


@kernel
def no_others(s, player, weights):
    """For matches in which every player is a network of the stages."""
    return 0


@cache
def others_of(choose: Any, float_scratch: int, int_scratch: int) -> Any:
    """The moves of all other players: by the game's own policy, or as much of it as they use."""

    @kernel
    def others(s, player, weights):
        scratch = unwrap_simulator(cuda.local.array(float_scratch, numba.float32))
        numbers = unwrap_simulator(cuda.local.array(int_scratch, numba.int64))
        forget(numbers)
        return choose(s, player, weights, scratch, numbers)

    return others


@gpu_kernel
def place_rows(games, sizes, active):
    """Give each game its place among the rows of its network."""
    i = cuda.grid(1)
    if i >= active or games[3][i] < 0:
        return
    games[6][i] = cuda.atomic.add(sizes, games[3][i], games[5][i])


@cache
def encoder(stages: MatchStages, apply: Any, state_type: np.dtype, inputs: int) -> Any:
    """The stage encode: the inputs of the network that is to move after each candidate, or the value of the end."""
    state, put, outcome, equity, first = numba.from_dtype(state_type), *stages[1:4], stages.heads[0]

    @kernel
    def after(c, i, s, task, games, found, index, value, out):
        row, network, seat = row_of(i, games, found) + c - games.first[i], games.network[i], s.turn
        apply(s, np.int64(found.move[c]))
        found.over[row] = s.over != 0
        if s.over != 0:
            outcome(s, seat, 0, out)
            found.exact[row] = equity(0, out)
        else:
            write_row(found.rows[row], index, value, put(s, seat, task.encodings[network], index, value))

    @gpu_kernel
    def encode(task, games, found, last):
        c = cuda.grid(1)
        if c >= last:
            return
        shared, in_play, ours = unwrapped_task(task), unwrapped_games(games), unwrapped_found(found)
        i = ours.game[c]
        if in_play.network[i] < 0:
            return
        mine = unwrap_simulator(cuda.local.array(1, state))
        index = unwrap_simulator(cuda.local.array(inputs, numba.int32))
        value = unwrap_simulator(cuda.local.array(inputs, numba.float32))
        out = unwrap_simulator(cuda.local.array(first, numba.float32))
        mine[0] = in_play.states[i]
        after(c, i, mine[0], shared, in_play, ours, index, value, out)

    return encode


@cache
def best_kernel(equity: Any) -> Any:
    """The best candidate of a game."""

    @kernel
    def best_of(i, task, games, found):
        row, head, first = row_of(i, games, found), task.heads[games.network[i]], games.first[i]
        best, top = first, WORST
        for k in range(games.count[i]):
            if found.over[row + k]:
                value = np.float64(found.exact[row + k])
            else:
                value = np.float64(equity(head, found.outputs[row + k]))
            if value > top:
                best, top = first + k, value
        return best

    return best_of


@cache
def going_on(start: Any, apply: Any, others: Any) -> Any:
    """All moves of players that are no networks, and the next job where a game ends."""

    @kernel
    def go_on(i, s, task, games, kept):
        """Play until a network of the stages is to move, or no job is left."""
        j, n = games.job[i], games.made[i]
        while True:
            if s.over != 0:
                kept.tallies[j] = s.tally
                kept.done[j] = 1
                j, n = cuda.atomic.add(kept.next, 0, 1), 0
                if j >= task.jobs.shape[0]:
                    cuda.atomic.sub(kept.going, 0, 1)
                    j, games.network[i] = -1, -1
                    break
                job = task.jobs[j]
                start(s, job.seed, job.deal, job.luck, job.seats)
            who = task.jobs[j].player[s.turn]
            if task.networks[who] >= 0:
                games.network[i] = task.networks[who]
                break
            move = others(s, task.players[who], task.weights)
            if kept.moves.shape[0] > 0:
                kept.moves[j, n] = move
            n += 1
            apply(s, move)
        games.job[i], games.made[i] = j, n

    return go_on


@cache
def player_of_games(launcher: Launcher, stages: MatchStages, others: Any) -> Any:
    """The stage play: the best candidate of each game; then all moves of players that are no networks, and the next job.

    `others` are the moves of those players.
    """
    (start, _, apply), state = launcher.kernels, numba.from_dtype(launcher.template.dtype)
    best_of, go_on = best_kernel(stages.equity), going_on(start, apply, others)

    @gpu_kernel
    def play(task, games, found, kept, active, begun):
        i = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
        if i >= active or games[1][i] < 0:
            return
        shared, in_play = unwrapped_task(task), unwrapped_games(games)
        left = Kept(kept[0], kept[1], unwrap_simulator(kept[2]), kept[3], kept[4])
        mine = unwrap_simulator(cuda.local.array(1, state))
        j = in_play.job[i]
        if begun:
            mine[0] = in_play.states[i]
            ours = unwrapped_found(found)
            move = np.int64(ours.move[best_of(i, shared, in_play, ours)])
            if left.moves.shape[0] > 0:
                left.moves[j, in_play.made[i]] = move
            in_play.made[i] += 1
            apply(mine[0], move)
        else:
            mine[0] = shared.template[0]
            job = shared.jobs[j]
            start(mine[0], job.seed, job.deal, job.luck, job.seats)
        go_on(i, mine[0], shared, in_play, left)
        in_play.states[i] = mine[0]

    return play
