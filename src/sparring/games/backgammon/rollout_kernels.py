"""The stages of rollouts on a GPU (rollout_gpu.py): a thread per game, roll or candidate. Imported only where a GPU is used."""

import numba
import numpy as np

from sparring.games.backgammon.cube_play import possible
from sparring.games.backgammon.encodings import MOST, OFF_ROLL, board_inputs, put, says_who_rolls
from sparring.games.backgammon.outcomes import NOTHING, UNKNOWN, add, flipped, known, value_of, won
from sparring.games.backgammon.plays import OFF, PLACES, borne_off, make_play, plays, unmake_play
from sparring.games.backgammon.replies import WORST, Task
from sparring.games.backgammon.rollout_games import Setting, roll_of
from sparring.games.backgammon.search import decided
from sparring.games.backgammon.search_tables import at_home, ending
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.gpu import cuda, gpu_kernel
from sparring.kernel.stages import write_row
from sparring.kernel.subwarp import unwrap_simulator

NOBODY = -1  # has the turn of a game that is over

# A game in progress, or one with a roll.
Rolled = np.dtype(
    [
        ("board", np.int8, (2, PLACES)),
        ("turn", np.int64),
        ("dice", np.int64, (2,)),
        ("played", np.int64),  # turns
        ("number", np.int64),  # of the game among all
    ],
    align=True,
)

Terms = np.dtype(
    [(name, np.uint64 if name == "seed" else np.int64) for name in (*Setting._fields, "rolls")], align=True
)
RECORD = numba.from_dtype(Rolled)
TURN = -(-Rolled["board"].itemsize // 8)  # the place of that field among the integers of a record


@kernel
def plays_of_roll(s, out):
    """The plays of a game's roll; none of a game that is over."""
    if s.turn < 0:
        return np.int64(0)
    return plays(s.board, s.turn, s.dice[0], s.dice[1], out)


@inline_kernel
def dice_of(s, terms):
    """The roll of a game's turn."""
    return roll_of(terms.seed, terms.begin + s.number % terms.games, s.played)


@kernel
def lay(i, s, terms):
    """Give a copy of a game the roll of this number."""
    larger, smaller = dice_of(s, terms) if s.turn >= 0 else (1, 1)
    if terms.rolls > 1:
        number, larger = i % terms.rolls, 1
        while number >= larger:
            number -= larger
            larger += 1
        smaller = number + 1
    s.dice[0], s.dice[1] = larger, smaller


@kernel
def write_inputs(s, move, encoding, row, index, value):
    """The network's inputs after a play."""
    make_play(s.board, s.turn, move, s.dice[0], s.dice[1])
    count = board_inputs(s.board, s.turn, encoding, index, 0, value)
    if says_who_rolls(encoding):
        count = put(index, 0, value, count, OFF_ROLL, 1.0)
    write_row(row, index, value, count)


@kernel
def end_of(board, seat, task):
    """The exact outcomes of a side that has played, where they are known; otherwise a negative chance to win."""
    player = task.player
    if board[seat, OFF] > 0 and borne_off(board, seat):
        return won(board, seat, player, task.single)
    if player.tables > 0 and at_home(board, seat) and at_home(board, 1 - seat):
        found = ending(board, 1 - seat, task.weights, player.tables)
        if found[0] >= 0.0:
            return known(flipped(found), player, task.single)
    return UNKNOWN


@kernel
def best_play(s, first, count, moves, outputs, task):
    """The play of a roll that the network values most, and its outcomes."""
    best, top, found = np.int64(0), WORST, NOTHING
    for c in range(first, first + count):
        move = np.int64(moves[c])
        hits = make_play(s.board, s.turn, move, s.dice[0], s.dice[1])
        outcomes = end_of(s.board, s.turn, task)
        if outcomes[0] < 0.0:
            out = outputs[c]
            outcomes = possible(s.board, s.turn, (out[0], out[1], out[2], out[3], out[4]))
        unmake_play(s.board, s.turn, move, s.dice[0], s.dice[1], hits)
        value = value_of(outcomes, True, task.single)
        if value > top or c == first:
            best, top, found = move, value, outcomes
    return best, found


@kernel
def turn_of(i, terms, dice, moves, outcomes):
    """The play of a game's roll, its outcomes for the side that plays, and how much better they are than the mean."""
    if terms.rolls == 1:
        row = outcomes[i]
        return np.int64(moves[i]), (row[0], row[1], row[2], row[3], row[4]), NOTHING
    move, found, mean, k = np.int64(0), UNKNOWN, NOTHING, i * terms.rolls
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            row = outcomes[k]
            here = row[0], row[1], row[2], row[3], row[4]
            mean = add(mean, (1.0 if larger == smaller else 2.0) / 36.0, here)
            if larger == dice[0] and smaller == dice[1]:
                move, found = np.int64(moves[k]), here
            k += 1
    return move, found, add(found, -1.0, mean)


@inline_kernel
def write(out, outcomes):
    for k in range(5):
        out[k] = outcomes[k]


@kernel
def go_on(i, s, terms, task, moves, outcomes, results, lucks):
    """Play a game's turn, as `play_out` does; whether the game goes on."""
    seat, dice = s.turn, dice_of(s, terms)
    move, found, gained = turn_of(i, terms, dice, moves, outcomes)
    make_play(s.board, seat, move, dice[0], dice[1])
    if seat != terms.seat:
        found, gained = flipped(found), (-gained[0], gained[3], gained[4], gained[1], gained[2])
    luck = lucks[s.number]
    for k in range(5):
        luck[k] += gained[k]
    exact, s.played = decided(s.board, seat, task), s.played + 1
    s.turn = 1 - seat
    if exact[0] >= 0.0:
        found = exact if seat == terms.seat else flipped(exact)
    elif s.played < terms.turns:
        return True
    write(results[s.number], found)
    s.turn = NOBODY
    return False


@kernel
def is_over(s, terms, task, results):
    """Whether a game is over before its first roll, as `play_out` finds it; then its outcomes are written."""
    exact = decided(s.board, 1 - terms.seat, task)
    if exact[0] >= 0.0:
        write(results[s.number], flipped(exact))
        s.turn = NOBODY
        return True
    return False


@gpu_kernel
def begin_games(games, terms, players, weights, results, going, active):
    i = cuda.grid(1)
    if i >= active:
        return
    ours = unwrap_simulator(games)
    task = Task(unwrap_simulator(players)[0], unwrap_simulator(weights), 0, 0, 0)
    if is_over(ours[i], unwrap_simulator(terms)[0], task, results):
        cuda.atomic.sub(going, 0, 1)


@gpu_kernel
def lay_rolls(games, terms, rolled, last):
    i = cuda.grid(1)
    if i >= last:
        return
    shared_terms, ours = unwrap_simulator(terms)[0], unwrap_simulator(rolled)
    ours[i] = unwrap_simulator(games)[i // shared_terms.rolls]
    lay(i, ours[i], shared_terms)


@gpu_kernel
def encode(rolled, players, game, move, rows, last):
    c = cuda.grid(1)
    if c >= last:
        return
    mine = unwrap_simulator(cuda.local.array(1, RECORD))
    index = unwrap_simulator(cuda.local.array(MOST, numba.int32))
    value = unwrap_simulator(cuda.local.array(MOST, numba.float32))
    mine[0] = unwrap_simulator(rolled)[game[c]]
    player = unwrap_simulator(players)[0]
    write_inputs(mine[0], np.int64(move[c]), player.encoding, unwrap_simulator(rows)[c], index, value)


@gpu_kernel
def choose(rolled, players, weights, found, outputs, best, outcomes, last):
    i = cuda.grid(1)
    if i >= last:
        return
    first, counts, moves = found
    mine = unwrap_simulator(cuda.local.array(1, RECORD))
    mine[0] = unwrap_simulator(rolled)[i]
    task = Task(unwrap_simulator(players)[0], unwrap_simulator(weights), 0, 0, 0)
    chosen, known_outcomes = best_play(
        mine[0], np.int64(first[i]), np.int64(counts[i]), unwrap_simulator(moves), unwrap_simulator(outputs), task
    )
    best[i] = chosen
    for k in range(5):
        outcomes[i, k] = known_outcomes[k]


@gpu_kernel
def play(games, terms, players, weights, chosen, results, lucks, going, active):
    i = cuda.grid(1)
    if i >= active:
        return
    ours = unwrap_simulator(games)
    if ours[i].turn < 0:
        return
    task = Task(unwrap_simulator(players)[0], unwrap_simulator(weights), 0, 0, 0)
    best, outcomes = unwrap_simulator(chosen[0]), unwrap_simulator(chosen[1])
    kept = unwrap_simulator(results), unwrap_simulator(lucks)
    if not go_on(i, ours[i], unwrap_simulator(terms)[0], task, best, outcomes, kept[0], kept[1]):
        cuda.atomic.sub(going, 0, 1)
