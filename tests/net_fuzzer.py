"""Spoils net files at random: each is refused in one line, or plays a game of legal moves. Run with NUMBA_BOUNDSCHECK=1.

`python net_fuzzer.py FOLDER COUNT` prints how many files were refused and how many played; an error ends it.
"""

import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from amounts import amount
from small_nets import graph_net, small_files
from sparring.arena.players import Chooser, find_player
from sparring.errors import UserError
from sparring.games import Game
from sparring.games.game import play_move, start_game
from sparring.nets.files import read_tensors
from sparring.nets.genome import Genome, express_one

NUMBERS = [
    0,
    1,
    -1,
    2,
    5,
    16,
    17,
    4096,
    4097,
    2**24,
    2**31 - 1,
    2**32,
    2**60,
    2**63,
    -(2**63),
    10**30,
    0.5,
    float("nan"),
]
ODD = [
    None,
    True,
    [],
    {},
    "",
    "net",
    "sigmoid",
    "linear",
    "graph",
    "team",
    "deep",
    "play",
    "raw",
    "x" * 1000,
    "\n",
    "\ud800",
]
WHOLE = [-(2**31), -1000, -29, -2, -1, 0, 1, 2, 5, 17, 18, 100, 2**31 - 1]
REAL = [0.0, -0.0, 1e-40, 30.0, -30.0, 1e9, -1e10, 1e20, -1e31, 3e38, -3e38, np.inf, -np.inf, np.nan]
POLICIES = ["net", "net+1ply", "net+by-checker", "net+plain", "net+always", "net+undefended", "random"]
MOST_MOVES = 5000
LATER = amount({"deep hand", "team", "one"}, set())  # of games that compile for long


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in a description."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for path in (path,) if path] + [p for key, part in inner for p in places(part, (*path, key))]


def change_description(dice: random.Random, description: dict[str, Any]) -> None:
    *path, last = dice.choice(places(description))
    target = description
    for key in path:
        target = target[key]
    target[last] = dice.choice(NUMBERS if type(target[last]) in (int, float) or dice.random() < 0.2 else ODD)


def change_tensor(dice: random.Random, tensors: dict[str, np.ndarray]) -> None:
    names = [name for name in sorted(tensors) if tensors[name].size and tensors[name].dtype.itemsize == 4]
    if not names:
        return
    name = dice.choice(names)
    tensor = tensors[name] = tensors[name].copy()
    values: list[Any] = WHOLE if tensor.dtype.kind == "i" else REAL
    flat, how = tensor.reshape(-1), dice.randrange(9)
    if how < 4:
        for _ in range(dice.choice([1, 1, 2, 5])):
            flat[dice.randrange(flat.size)] = dice.choice(values)
    elif how == 4:
        flat.view(np.uint8)[dice.randrange(4 * flat.size)] ^= 1 << dice.randrange(8)
    elif how == 5:
        flat[:] = dice.choice(values)
    elif how == 6:
        one, two = dice.randrange(flat.size), dice.randrange(flat.size)
        flat[one], flat[two] = flat[two], flat[one]
    elif how == 7:
        tensors[name] = tensor[: dice.randrange(len(tensor))]
    else:
        tensors[name] = tensor.astype(dice.choice([np.int8, np.int64, np.float16, np.float64]))


def change_bytes(dice: random.Random, data: bytes) -> bytes:
    spoilt = bytearray(data)
    for _ in range(dice.choice([1, 1, 3])):
        spoilt[dice.randrange(min(len(spoilt), 1200))] = dice.randrange(256)
    return bytes(spoilt)


def spoilt_file(dice: random.Random, tensors: dict[str, np.ndarray], description: dict[str, Any]) -> bytes:
    """The file with one thing changed, or a few."""
    tensors, description = dict(tensors), json.loads(json.dumps(description))
    if dice.random() < 0.5:
        description["policy"] = dice.choice(POLICIES)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        if dice.random() < 0.7:
            change_tensor(dice, tensors)
        else:
            change_description(dice, description)
    metadata = {"sparring": json.dumps(description)}
    data: bytes = save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}, metadata=metadata)
    return change_bytes(dice, data) if dice.random() < 0.1 else data


def play(game: Game, path: Path) -> str:
    """Load a file and play a game with it in every seat: `refused` or `played`."""
    try:
        contestant = find_player(game, path)
    except UserError as error:
        line = str(error)
        assert line.startswith(f"{path}: ") and line.isprintable() and len(line) < len(str(path)) + 400, line
        return "refused"
    chooser, state, moves = Chooser(game, contestant), start_game(game, 1, 1, 1, game.rules.seats[0]), 0
    while not state[0]["over"]:
        play_move(game, state, chooser.choose(state))
        moves += 1
        assert moves < MOST_MOVES, "the game does not end"
    return "played"


def assert_bounds_are_checked() -> None:
    """What a kernel writes outside an array must be an error here, else nothing below shows anything."""
    genome = graph_net().genome
    assert genome is not None
    links = genome.links.copy()
    links["source"][0] = -1_000_000
    try:
        express_one(Genome(genome.inputs, genome.outputs, genome.nodes, links), False)
    except IndexError:
        return
    raise AssertionError("kernels do not check bounds: set NUMBA_BOUNDSCHECK=1 and a SPARRING_CACHE of its own")


def main(folder: Path, count: int) -> None:
    assert_bounds_are_checked()
    found: Counter[str] = Counter()
    for name, (game, file) in small_files(folder).items():
        if name in LATER:
            continue
        assert play(game, file) == "played", name
        parts = read_tensors(file)
        for number in range(count):
            path = folder / f"{name}-{number}.safetensors"
            path.write_bytes(spoilt_file(random.Random(f"{name} {number}"), *parts))
            found[play(game, path)] += 1
            path.unlink()  # what ends the process stays
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
