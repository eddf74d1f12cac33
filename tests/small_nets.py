"""A small valid net of every kind, for tests that spoil their files."""

from pathlib import Path

import numpy as np

from deep import deep_net
from evolved import dense_net
from sparring.games import Game, find_game
from sparring.kernel.network import ACTIVATIONS
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import save_net
from sparring.nets.genome import Genome, Link, Node

BACKGAMMON = find_game("backgammon:start=hypergammon")
GOLF = find_game("golf")
HEARTS = find_game("hearts:rounds=2")


def linear_net() -> Net:
    """Two layers over a board."""
    shape = (BACKGAMMON.policies.encodings["shares"], 3, 2)
    return Net(
        "backgammon", BACKGAMMON.rules.version, "shares", shape, gaussian(size(shape, "linear"), 1), kind="linear"
    )


def graph_net(outputs: int = 1) -> Net:
    """A chain of hidden nodes with every activation, fed by inputs on the way; connections past it are disabled."""
    inputs, hidden = BACKGAMMON.policies.encodings["raw"], len(ACTIVATIONS)
    nodes = np.zeros(outputs + hidden, Node)
    nodes["key"], nodes["response"] = np.arange(outputs + hidden), 1.0
    nodes["activation"][outputs:], nodes["aggregation"][::2] = np.arange(hidden), 1
    links = [(outputs + k, outputs + k - 1, 0.3) for k in range(1, hidden)]
    links += [(outputs, k, -0.7) for k in range(outputs)] + [(-1 - k, outputs + k, 0.5) for k in range(hidden)]
    links += [(-1 - k, k, 0.1) for k in range(outputs)]
    table = np.array([(a, b, n, w != 0.1, w) for n, (a, b, w) in enumerate(sorted(links))], Link)
    genome = Genome(inputs, outputs, nodes, table)
    return Net.evolved(
        "backgammon", BACKGAMMON.rules.version, "raw", genome, BACKGAMMON.policies.input_major, learner="neat"
    )


def team_net() -> Net:
    """Nets for four of the roles, one of which decides."""
    roles = ("play", "pass", "moon-decision", "moon-play")
    parts = {role: dense_net(HEARTS, HEARTS.policies.roles[role], 2 + n, n) for n, role in enumerate(roles)}
    return Net.team(tuple(HEARTS.policies.roles), parts, {"moon-decision": 0.5}, learner="curriculum")


def small_nets() -> dict[str, tuple[Game, Net]]:
    """A net of every kind, and of those that several numbers of outputs suit one of each."""
    return {
        "sigmoid": (BACKGAMMON, dense_net(BACKGAMMON, "raw", 3, 1)),
        "five": (BACKGAMMON, dense_net(BACKGAMMON, "tesauro", 3, 1, outputs=5)),
        "linear": (BACKGAMMON, linear_net()),
        "graph": (BACKGAMMON, graph_net()),
        "graph of five": (BACKGAMMON, graph_net(5)),
        "team": (HEARTS, team_net()),
        "deep": (BACKGAMMON, deep_net(BACKGAMMON, "raw", (5, 4, 3), 1)),
        "deep five": (BACKGAMMON, deep_net(BACKGAMMON, "tesauro", (3, 6), 1, outputs=5)),
        "deep hand": (GOLF, deep_net(GOLF, "hand", (3, 2), 1)),
        "one": (HEARTS, dense_net(HEARTS, "play", 3, 1)),
    }


def small_files(folder: Path) -> dict[str, tuple[Game, Path]]:
    """Their files."""
    found = {}
    for name, (game, net) in small_nets().items():
        found[name] = game, folder / f"{name}.safetensors"
        save_net(found[name][1], net)
    return found
