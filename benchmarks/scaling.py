"""How speed scales with cores, games in one launch, and a network's hidden units.

Hidden units are compared on the same games: a small trained network is widened by units with output weight 0, so that it
chooses the same moves and only works longer.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks import cores
from benchmarks.others import per_second
from benchmarks.speeds import in_turns
from sparring.arena.players import Contestant, find_players, pack_players
from sparring.games import Game, find_game
from sparring.kernel.launch import threads_available
from sparring.kernel.random import derive
from sparring.lab.bench import EPOCHS, benchmark_jobs, nets_after, speed
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.learn.td import TD, TDTraining
from sparring.learn.training import Training
from sparring.nets.dense import Net, flat

BATCHES = (1, 4, 16, 64, 256, 1024)  # games in one launch
HIDDEN = {"golf": (10, 27, 64, 128, 256), "backgammon": (10, 20, 40, 80, 160)}
GAMES = 3000  # training games of the small backgammon net


def scaling_figures(seconds: float) -> dict[str, float]:
    return over_cores(seconds) | over_batches(seconds) | over_hidden(seconds)


def over_cores(seconds: float) -> dict[str, float]:
    """1, 2, 4 ... cores, and all of them, in launches of so many seconds."""
    return {
        f"{name}.net_games_per_second.cores_{count}": speed
        for name in ("golf", "backgammon")
        for count, speed in cores.over_cores(name, cores.NETWORKS, cores.counts(threads_available()), seconds).items()
    }


def games_per_second(game: Game, players: list[Contestant], threads: int, seconds: float) -> float:
    return speed(game, players, threads, seconds)[0]


def trained_golf() -> list[Contestant]:
    return nets_after(find_game("golf"), EPOCHS)


def over_batches(seconds: float) -> dict[str, float]:
    """Different numbers of games in one launch, on all cores: a launch has a fixed cost."""
    golf, backgammon = find_game("golf"), find_game("backgammon")
    sides = {
        "golf.random": (golf, find_players(golf, ["random"] * 2)),
        "golf.net": (golf, trained_golf()),
        "backgammon.net": (backgammon, find_players(backgammon, ["champion-40"] * 2)),
    }
    measures = {
        f"{name}_games_per_second.batch_{size}": partial(launches, game, players, size)
        for name, (game, players) in sides.items()
        for size in BATCHES
    }
    return in_turns(measures, seconds / 3, 3)


def launches(game: Game, players: list[Contestant], size: int, seconds: float) -> float:
    table, weights = pack_players(game, players)
    jobs = benchmark_jobs(game, -(-size // 2))[:size]
    return size * per_second(seconds, lambda _: game.launcher.play(jobs, table, weights))


def over_hidden(seconds: float) -> dict[str, float]:
    """One core."""
    found: dict[str, float] = {}
    for name, counts in HIDDEN.items():
        game = find_game(name)
        small = small_net(game, counts[0])
        measures = {
            f"{name}.net_games_per_second.hidden_{n}": partial(games_per_second, game, [widened(small, n)] * 2, 1)
            for n in counts
        }
        found |= in_turns(measures, seconds)
    return found


def small_net(game: Game, hidden: int) -> Net:
    """A net that plays real games after seconds of training."""
    training: Training
    if game.name == "golf":
        training = CoevolutionTraining(game, Coevolution(epochs=EPOCHS, hidden=hidden), 1, 1)
    else:
        training = TDTraining(game, TD(hidden=hidden, games=GAMES, trace=0, trace_end=0, benchmark_pairs=0), 1, 1)
    while training.step < training.steps:
        training.advance()
    return training.champions()[0]


def widened(net: Net, hidden: int) -> Contestant:
    """A net with more units that makes the same choices."""
    parts = net.tensors()
    more, rng = hidden - net.hidden, np.random.default_rng(derive(1, "units"))
    parts["hidden.weight"] = np.vstack([parts["hidden.weight"], rng.normal(size=(more, net.inputs))])
    parts["hidden.bias"] = np.append(parts["hidden.bias"], rng.normal(size=more))
    parts["output.weight"] = np.pad(parts["output.weight"], ((0, 0), (0, more)))
    weights = flat({name: part.astype(np.float32) for name, part in parts.items()}, net.input_major)
    wide = replace(net, shape=(net.inputs, hidden, net.shape[2]), weights=weights)
    return Contestant(f"{hidden} units", wide.policy, wide)
