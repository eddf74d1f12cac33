"""Players by name: a built-in policy, a net file, or a run's champion; and the table of them that kernels read."""

from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np

from sparring.errors import UserError
from sparring.games import Game, unknown
from sparring.kernel.launch import Player
from sparring.nets.dense import Net
from sparring.nets.files import SUFFIX, check_net, load_net

CHAMPION = "champion" + SUFFIX


@dataclass(frozen=True)
class Contestant:
    """Someone who can sit in a seat: a policy by name and, for nets, the net."""

    name: str
    policy: str
    net: Net | None = None


def find_player(game: Game, player: "str | Path | Net | Contestant") -> Contestant:
    """A contestant from a policy's name, a net, the path of a net file, or a run's folder."""
    if isinstance(player, Contestant):
        return player
    if isinstance(player, Net):
        check_net(player, game, Path("net"))
        return Contestant("net", "net", player)
    builtin = [name for name in game.policies if name != "net"]
    if str(player) in builtin:
        return Contestant(str(player), str(player))
    error = unknown("player", str(player), builtin)
    try:
        path = Path(player)
        folder, file = bool(str(player)) and path.is_dir(), path.is_file()
    except (OSError, ValueError):  # no name of a file
        raise error from None
    if folder:
        if not (path / CHAMPION).exists():
            raise UserError(f"{path}: no {CHAMPION} in this folder; finish the run with: sparring resume {path}")
        return Contestant(path.name, "net", load_net(path / CHAMPION, game))
    if file or path.suffix == SUFFIX:
        return Contestant(path.stem, "net", load_net(path, game))
    if player == "net":
        raise UserError("player 'net': name a net file or a run's folder")
    raise UserError(f"{error} (or name a net file or a run's folder)")


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


def bank(game: Game, contestants: list[Contestant]) -> tuple[np.ndarray, np.ndarray]:
    """The table of players and the one array of weights they share."""
    nets = [c.net for c in contestants if c.net is not None]
    weights = np.concatenate([net.weights for net in nets]).astype(np.float32) if nets else np.zeros(1, np.float32)
    table = np.zeros(len(contestants), Player)
    offset = 0
    for row, contestant in zip(table, contestants, strict=True):
        row["policy"] = game.policies.index(contestant.policy)
        if contestant.net is not None:
            fill_net(row, game, contestant.net.encoding, contestant.net.hidden, offset)
            offset += len(contestant.net.weights)
    return table, weights


def fill_net(rows: "np.ndarray | np.void", game: Game, encoding: str, hidden: int, offset: "int | np.ndarray") -> None:
    """Write where nets lie into rows of the table."""
    rows["policy"] = game.policies.index("net")
    rows["encoding"] = game.encoding_names.index(encoding)
    rows["inputs"] = game.encodings[encoding]
    rows["hidden"] = hidden
    rows["offset"] = offset
