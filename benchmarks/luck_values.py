"""Fits the values of hands that judge luck: `python -m benchmarks.luck_values GAME` writes hands.safetensors in the game's folder.

Players of several kinds play deals that nothing else uses. A network of one hidden layer learns what followed from both hands (gin)
or from a seat's place in a deal (hearts) by least squares. Printed, as JSON, is the share of the variance that it explains on
further deals. The file depends on the amounts, the seed and the version of scikit-learn.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.neural_network import MLPRegressor

from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.games import gin, hearts, name_game
from sparring.games.gin import luck as gin_luck
from sparring.games.gin import luck_examples as gin_examples
from sparring.games.hearts import luck as hearts_luck
from sparring.games.hearts import luck_examples as hearts_examples
from sparring.kernel.random import derive
from sparring.kernel.records import call_kernel
from sparring.nets.files import write_tensors

SLICE, PASSES, BATCH = 500, 8, 1000  # games of a launch, passes over the examples, examples of a step
OTHER = 0.1  # the share of games that are kept to measure the fit


class Fit(NamedTuple):
    """What is fitted, to games of whom."""

    game: str
    tables: tuple[tuple[str, ...], ...]
    examples: Callable[..., int]
    inputs: int
    most: int  # examples of a game
    units: int
    unit: float  # points that count 1 while it is fitted
    kind: type  # of the inputs in memory


FITS = {
    "gin": Fit(
        "gin:rules=full,length=hand",
        (("champion", "champion"), ("champion", "simple"), ("simple", "champion"), ("simple", "simple"),
         ("careful", "careful")),
        gin_examples.examples, gin_luck.INPUTS, 110, 24, 25.0, np.float32,
    ),
    "hearts": Fit(
        "hearts:rounds=4",
        (("champion",) * 4, ("rule-based",) * 4, ("champion", "rule-based", "guarded", "daring"),
         ("champion", "champion-wary", "expert", "champion")),
        hearts_examples.examples, hearts_luck.INPUTS, 16, 32, 10.0, np.int8,
    ),
}  # fmt: skip


def played(fit: Fit, table: Sequence[str], games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The examples of some games at one table: inputs and targets."""
    game = name_game(fit.game)
    players, weights = pack_players(game, find_players(game, table))
    values: np.ndarray = np.zeros((games * fit.most, fit.inputs), fit.kind)
    targets = np.zeros(games * fit.most)
    jobs, count = paired_jobs(seed, np.arange(len(table)), games, "given"), 0
    for first in range(0, games, SLICE):
        part = jobs[first : first + SLICE]
        moves = game.launcher.play_here(part, players, weights, None, True)[1]
        state = game.template.copy()
        count += call_kernel(fit.examples, part, moves, state, values[count:], targets[count:])
    return values[:count], targets[:count] / fit.unit


def fitted(fit: Fit, values: np.ndarray, targets: np.ndarray, seed: int) -> MLPRegressor:
    """The network after some passes over the examples, each in another order."""
    net = MLPRegressor(hidden_layer_sizes=(fit.units,), alpha=1e-4, batch_size=BATCH, random_state=seed % 2**32)
    dice = np.random.default_rng(seed)
    for _ in range(PASSES):
        order = dice.permutation(len(values))
        for first in range(0, len(order), 100 * BATCH):
            some = order[first : first + 100 * BATCH]
            net.partial_fit(values[some].astype(np.float32), targets[some])
    return net


def flat(net: MLPRegressor, unit: float) -> np.ndarray:
    """The weights in the order of sparring.kernel.rectified, with outputs in points."""
    (hidden, last), (biases, bias) = net.coefs_, net.intercepts_
    return np.concatenate([hidden.ravel(), biases, unit * last.ravel(), unit * bias]).astype(np.float32)


def main(words: Sequence[str] | None = None) -> None:
    """Fit one game's values and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=FITS)
    parser.add_argument("--games", type=int, default=20_000, help="at each table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    fit, found = FITS[given.game], []
    for number, table in enumerate(fit.tables):
        found.append(played(fit, table, given.games, derive(given.seed, "luck", number)))
    kept = [round(len(targets) * (1 - OTHER)) for _, targets in found]
    net = fitted(
        fit,
        np.concatenate([values[:n] for (values, _), n in zip(found, kept, strict=True)]),
        np.concatenate([targets[:n] for (_, targets), n in zip(found, kept, strict=True)]),
        given.seed,
    )
    explained: dict[str, Any] = {
        ", ".join(table): round(float(net.score(values[n:].astype(np.float32), targets[n:])), 4)
        for table, (values, targets), n in zip(fit.tables, found, kept, strict=True)
    }
    place = {"gin": gin, "hearts": hearts}[given.game].HERE / "hands.safetensors"
    how = f"python -m benchmarks.luck_values {given.game} --games {given.games} --seed {given.seed}"
    description = {"game": fit.game, "inputs": fit.inputs, "units": fit.units, "made by": how, "explained": explained}
    write_tensors(place, {"values": flat(net, fit.unit)}, description)
    print(json.dumps(explained))


if __name__ == "__main__":
    main()
