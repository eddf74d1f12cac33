"""Counts the arithmetic of networks' games, by playing them interpreted with numbers that count operations.

`SPARRING_INTERPRET=1 python -m benchmarks.counted GAME DEALS NET NET` prints the sums, products, quotients, comparisons and
sigmoids, and the number of moves and games.
"""

import json
import operator
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.processes import answer
from sparring.arena.players import Contestant, find_players, pack_players
from sparring.games import Game, find_game
from sparring.kernel import maths
from sparring.lab.bench import benchmark_jobs
from sparring.nets.files import save_net

DONE: Counter[str] = Counter()
ARITHMETIC = {"add": "sums", "sub": "sums", "mul": "products", "truediv": "quotients"}
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
plain_sigmoid = maths.sigmoid


class Number:
    """A single-precision number that counts operations and rounds as usual."""

    __slots__ = ("value",)
    __array_ufunc__ = None  # NumPy's numbers defer to this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.value = np.float32(value)

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __neg__(self) -> "Number":
        return Number(-self.value)

    def __abs__(self) -> "Number":
        return Number(abs(self.value))


def plain(x: Any) -> Any:
    return x.value if type(x) is Number else x


def counting(what: str, how: Callable[[Any, Any], Any], result: Callable[[Any], Any]) -> Callable[[Number, Any], Any]:
    def done(self: Number, other: Any) -> Any:
        DONE[what] += 1
        return result(how(self.value, plain(other)))

    return done


def swapped(how: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda mine, other: how(other, mine)


for word, kind in ARITHMETIC.items():
    setattr(Number, f"__{word}__", counting(kind, getattr(operator, word), Number))
    setattr(Number, f"__r{word}__", counting(kind, swapped(getattr(operator, word)), Number))
for word in COMPARISONS:
    setattr(Number, f"__{word}__", counting("comparisons", getattr(operator, word), bool))


def counted_sigmoid(x: Any) -> Number:
    """Counted as one operation, for speed; `of_a_sigmoid` counts its arithmetic."""
    DONE["sigmoids"] += 1
    return Number(plain_sigmoid(plain(x)))


def of_a_sigmoid() -> int:
    """The sums, products and quotients of one sigmoid."""
    DONE.clear()
    plain_sigmoid(Number(0.5))
    return sum(DONE.pop(kind) for kind in set(ARITHMETIC.values()))


def count(game: Game, players: list[Contestant], deals: int) -> dict[str, int]:
    """Count the operations of `deals` deals; runs in the interpreted process."""
    each = of_a_sigmoid()
    for module in list(sys.modules.values()):
        if module.__name__.startswith("sparring.") and getattr(module, "sigmoid", None) is plain_sigmoid:
            module.sigmoid = counted_sigmoid  # type: ignore[attr-defined]
    table, weights = pack_players(game, players)
    launcher = game.launcher
    original: Any = launcher.scratch

    def scratch(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        state, float_scratch, int_scratch = original(table)
        return state, as_numbers(float_scratch), int_scratch

    launcher.scratch = scratch  # type: ignore[method-assign]
    DONE.clear()
    jobs = benchmark_jobs(game, deals)
    _, moves = launcher.play(jobs, table, as_numbers(weights), 1, keep_moves=True)
    return {**DONE, "of_a_sigmoid": each, "moves": int((moves >= 0).sum()), "games": len(jobs)}


def as_numbers(values: np.ndarray) -> np.ndarray:
    return np.array([Number(value) for value in values], object)


def counted(name: str, players: list[Contestant], deals: int) -> dict[str, int]:
    """Count in a new interpreted process, started from a compiled one."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{number}.safetensors") for number in range(len(players))]
        for file, player in zip(files, players, strict=True):
            assert player.net is not None
            save_net(Path(file), player.net)
        found: dict[str, int] = answer("counted", name, str(deals), *files, SPARRING_INTERPRET="1")
    return found


if __name__ == "__main__":
    game_name, number, *nets = sys.argv[1:]
    the_game = find_game(game_name)
    print(json.dumps(count(the_game, find_players(the_game, list(nets)), int(number))))
