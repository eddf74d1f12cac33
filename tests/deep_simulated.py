"""Run by test_deep_td.py in a process of its own, where Numba simulates a GPU: the stages of many games against the rules."""

import json

import numpy as np

from amounts import amount
from sparring.games import find_game
from sparring.games.game import apply_move, legal_moves
from sparring.kernel.gpu import cuda
from sparring.kernel.gpu_stages import NARROW, WIDE, stages_on_gpu
from sparring.kernel.records import records
from sparring.kernel.stages import NOBODY, Candidates, Games, Samples
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining

GAMES = amount(96, 256)
ROOM = 60 * GAMES


def check() -> dict[str, int]:
    """Differences, by name; and what there was to compare."""
    game = find_game("backgammon")
    options = DeepTDOptions(
        layers="3-2", games=GAMES, minibatch=32, minibatch_end=32, outputs="outcomes", turns=200, step_turns=90
    )
    training = DeepTDTraining(game, options, 5, 1)
    training.advance()
    td = training.learning[0]
    inputs, outputs = td.shape[0], td.shape[-1]
    before = Games(*(array.copy() for array in td.games))
    games = Games(*map(cuda.to_device, td.games))
    expand, encode, play = stages_on_gpu(td.stages, game.rules.state, game.rules.branching, inputs)
    arrays = [np.zeros(shape, kind) for shape, kind in (
        (1, np.int64), (GAMES, np.int32), (GAMES, np.int32), (ROOM, np.int32), (ROOM, np.int32), (ROOM, np.int8),
        ((ROOM, outputs), np.float32), ((ROOM, inputs), np.float32), ((ROOM, outputs), np.float32),
    )]  # fmt: skip
    arrays[-1][:] = np.random.default_rng(1).random((ROOM, outputs))
    found = Candidates(*map(cuda.to_device, arrays))
    kept = [np.zeros(shape, np.float32) for shape in ((GAMES, inputs), (GAMES, outputs), GAMES)]
    samples, terms, flip = Samples(*map(cuda.to_device, kept)), cuda.to_device(td.terms), cuda.to_device(td.flip)
    expand[-(-GAMES // NARROW), NARROW](games.states, GAMES, *found[:5])
    count = int(found.cursor.copy_to_host()[0])
    encode[-(-count // WIDE), WIDE](games.states, count, tuple(found), terms)
    play[-(-GAMES // NARROW), NARROW](tuple(games), GAMES, tuple(found), tuple(samples), terms, flip)
    return compare(
        training, before, *(type(each)(*(a.copy_to_host() for a in each)) for each in (games, found, samples))
    )


def compare(
    training: DeepTDTraining, before: Games, games: Games, found: Candidates, samples: Samples
) -> dict[str, int]:
    """Each stage by the rules, one game after another."""
    game, learning, td = training.game, training.game.learning, training.learning[0]
    wrong = dict.fromkeys(("moves", "rows", "ends", "states", "movers", "sample rows", "targets"), 0)
    seen = dict.fromkeys(("candidates", "ended", "began"), 0)
    inputs, outputs = td.shape[0], td.shape[-1]

    def row(state: np.ndarray, seat: int) -> np.ndarray:
        index, value, out = np.zeros(inputs, np.int64), np.zeros(inputs, np.float32), np.zeros(inputs, np.float32)
        n = learning.inputs(records(state)[0], seat, 0, index, value)
        out[index[:n]] = value[:n]
        return out

    def final(state: np.ndarray, seat: int) -> np.ndarray:
        out = np.zeros(outputs, np.float32)
        learning.outcome(records(state)[0], seat, 1, out)
        return out

    for i in range(GAMES):
        state, mover = before.states[i : i + 1], int(before.movers[i])
        seat, here = int(state["turn"][0]), slice(found.first[i], found.first[i] + found.count[i])
        moves, values = legal_moves(game, state), []
        wrong["moves"] += moves != tuple(found.move[here].tolist()) or (found.game[here] != i).any()
        for c, move in enumerate(moves, here.start):
            after = state.copy()
            apply_move(game.rules, after, move)
            wrong["ends"] += bool(found.over[c]) != bool(after["over"][0])
            if after["over"][0]:
                wrong["ends"] += (found.exact[c] != final(after, seat)).any()
            else:
                wrong["rows"] += (found.rows[c] != row(after, seat)).any()
            values.append(learning.equity(1, found.exact[c] if after["over"][0] else found.outputs[c]))
        best = int(np.argmax(values))
        after = state.copy()
        apply_move(game.rules, after, moves[best])
        over = bool(after["over"][0])
        wrong["movers"] += games.movers[i] != (NOBODY if over else seat)
        if mover != NOBODY:
            mirrored = found.outputs[here.start + best][td.flip[0]]
            expected = final(after, mover) if over else np.where(td.flip[1], 1 - mirrored, mirrored)
            wrong["targets"] += (np.abs(samples.targets[i] - expected) > 1e-6).any()
            wrong["sample rows"] += (samples.rows[i] != row(state, mover)).any()
        wrong["targets"] += bool(samples.weights[i]) != (mover != NOBODY)
        if not over:
            wrong["states"] += repr(after[0]) != repr(games.states[i])
        else:
            wrong["states"] += games.states[i]["over"] != 0 or games.deals[i] != before.deals[i] + GAMES
        for name, more in (("candidates", len(moves)), ("ended", over), ("began", mover == NOBODY)):
            seen[name] += more
    return {name: int(number) for name, number in (wrong | seen).items()}


if __name__ == "__main__":
    with np.errstate(over="ignore"):
        print(json.dumps(check()))
