"""Players by name: a built-in policy, a net file, a run's champion or a program; and the table of them that kernels read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np

from sparring.errors import UserError
from sparring.games import Game, unknown
from sparring.games.game import External
from sparring.kernel.launch import Player
from sparring.kernel.records import records
from sparring.nets.dense import KINDS, Net
from sparring.nets.files import SUFFIX, check_net, check_outputs, load_net

CHAMPION = "champion" + SUFFIX
EXTERNAL = "external"  # the policy of programs of others
MOST_STRENGTH = 1_000_000


@dataclass(frozen=True)
class Contestant:
    """Someone who can sit in a seat: a policy by name and, for nets, the net; for programs of others, how to start one."""

    name: str
    policy: str
    net: Net | None = None
    external: Callable[[], External] | None = None
    strength: int = 0  # how much it searches


def find_player(game: Game, player: "str | Path | Net | Contestant") -> Contestant:
    """A contestant from a policy's name, a net, the path of a net file, or a run's folder."""
    if isinstance(player, Contestant):
        return player
    if isinstance(player, Net):
        check_net(player, game, Path("net"))
        return _of_net("net", player)
    builtin = list(game.builtin)
    if str(player) in builtin:
        return Contestant(str(player), str(player), strength=game.policies.strengths.get(str(player), 0))
    name, at, number = str(player).partition("@")
    if at and name in game.policies.strengths:
        if len(number) > len(str(MOST_STRENGTH)) or not (number.isdecimal() and 1 <= int(number) <= MOST_STRENGTH):
            raise UserError(f"player {str(player)!r}: {name}@N takes a whole number from 1 to {MOST_STRENGTH}")
        return Contestant(str(player), name, strength=int(number))
    if str(player) in game.policies.champions:
        return _of_net(str(player), load_net(game.policies.champions[str(player)], game))
    if str(player) in game.policies.external:
        return Contestant(str(player), EXTERNAL, external=game.policies.external[str(player)])
    base, plus, manner = str(player).rpartition("+")
    if plus and f"net+{manner}" in game.policy_names:
        contestant = find_player(game, base)
        if contestant.net is None:
            raise UserError(f"player {str(player)!r}: {base} is no net, so it cannot play +{manner}")
        facts = replace(contestant.net, policy=f"net+{manner}").description()
        check_outputs(facts, game, f"player {str(player)!r}")
        return replace(contestant, name=f"{contestant.name}+{manner}", policy=f"net+{manner}")
    error = unknown("player", str(player), [*builtin, *game.policies.champions, *game.policies.external])
    try:
        path = Path(player)
        folder, file = bool(str(player)) and path.is_dir(), path.is_file()
    except (OSError, ValueError):  # no name of a file
        raise error from None
    if folder:
        if not (path / CHAMPION).exists():
            raise UserError(f"{path}: no {CHAMPION} in this folder; finish the run with: sparring resume {path}")
        return _of_net(path.name, load_net(path / CHAMPION, game))
    if file or path.suffix == SUFFIX:
        return _of_net(path.stem, load_net(path, game))
    if player == "net":
        raise UserError("player 'net': name a net file or a run's folder")
    raise UserError(f"{error} (or name a net file or a run's folder)")


def _of_net(name: str, net: Net) -> Contestant:
    return Contestant(name, net.policy, net)


def find_players(game: Game, players: "list[str | Path | Net | Contestant]") -> list[Contestant]:
    """Several contestants, with a number added to names that stand twice."""
    found = [find_player(game, player) for player in players]
    taken, given = {contestant.name for contestant in found}, set()
    for i, contestant in enumerate(found):
        name, numbers = contestant.name, count(2)
        while name in given or (name != contestant.name and name in taken):
            name = f"{contestant.name} #{next(numbers)}"
        given.add(name)
        found[i] = replace(contestant, name=name)
    return found


def pack_players(game: Game, contestants: list[Contestant]) -> tuple[np.ndarray, np.ndarray]:
    """The table of players and the one array of weights they share; a net that stands twice lies there once."""
    table, parts, places, offset = np.zeros(len(contestants), Player), [], {}, 0
    for row, contestant in zip(table, contestants, strict=True):
        if contestant.net is not None:
            weights = contestant.net.weights.astype(np.float32)
            if (same := weights.tobytes()) not in places:
                places[same] = offset
                parts.append(weights)
                offset += len(weights)
            fill_net(row, game, contestant.net, places[same])
        if contestant.external:
            raise UserError(f"player {contestant.name!r}: a program of others; it plays only matches and tournaments")
        row["policy"], row["strength"] = game.policy_names.index(contestant.policy), strength_of(game, contestant)
    return table, np.concatenate(parts) if parts else np.zeros(1, np.float32)


def strength_of(game: Game, contestant: Contestant) -> int:
    """How much a contestant searches: as much as its name says, or as usual."""
    return contestant.strength or game.policies.strengths.get(contestant.policy, 0)


class Chooser:
    """A built-in player or a net, asked for one move at a time through the same kernel that the launcher calls."""

    def __init__(self, game: Game, contestant: Contestant) -> None:
        self.game = game
        self.player, self.weights = pack_players(game, [contestant])
        self.float_scratch = np.zeros(game.policies.float_scratch(int(self.player["hidden"][0])), np.float32)
        self.int_scratch = np.zeros(game.policies.int_scratch, np.int64)

    def forget(self) -> None:
        """Empty the working room, and with it what was remembered."""
        self.float_scratch[:], self.int_scratch[:] = 0, 0

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat whose turn it is. The move is not made; only that seat's luck and thoughts may move on."""
        s, player = records(state)[0], records(self.player)[0]
        with np.errstate(over="ignore"):
            return int(self.game.policies.choose(s, player, self.weights, self.float_scratch, self.int_scratch))


def fill_builtin(row: "np.ndarray | np.void", game: Game, name: str) -> None:
    """Write into a row of the table a built-in player."""
    row["policy"], row["strength"] = game.policy_names.index(name), game.policies.strengths.get(name, 0)


def fill_net(rows: "np.ndarray | np.void", game: Game, net: Net, offset: "int | np.ndarray") -> None:
    """Write into rows of the table what nets like this one are, and where they lie."""
    layers = net.shape[1:]
    rows["policy"] = game.policy_names.index(net.policy)
    rows["encoding"] = game.encoding_names.index(net.encoding)
    rows["kind"] = KINDS.index(net.kind)
    rows["inputs"], rows["hidden"], rows["outputs"] = net.inputs, layers[0], layers[-1]
    rows["depth"] = len(layers)
    rows["layers"] = 0
    rows["layers"][..., : len(layers)] = layers
    rows["offset"] = offset
