"""Players: a built-in policy, a net, a run's champion, a program or a Python function; and the table of them for kernels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sparring.errors import UserError, cut
from sparring.games import Game, unknown
from sparring.games.game import External
from sparring.kernel.launch import Player, scratch_floats
from sparring.kernel.records import records
from sparring.nets.dense import KINDS, Net
from sparring.nets.files import SUFFIX, check_net, check_outputs, load_net
from sparring.search import METHODS, searching
from sparring.search.budget import Budget, read_budget

CHAMPION = "champion" + SUFFIX
EXTERNAL = "external"  # the policy of programs
MOST_STRENGTH = 1_000_000


@dataclass(frozen=True)
class Contestant:
    """Someone who can sit in a seat: a policy by name; for a net, the net; for a program, how to start it."""

    name: str
    policy: str
    net: Net | None = None
    external: Callable[[], External] | None = None
    strength: int = 0  # how much its policy searches
    budget: Budget | None = None  # of a search around its policy


class Choosing(Protocol):
    """A player written in Python: `choose` gets a `sparring.State` and returns a move."""

    def choose(self, state: Any) -> int | str: ...


Entrant = str | Path | Net | Contestant | Choosing | Callable[[Any], int | str]


def find_player(game: Game, player: Entrant) -> Contestant:
    """A contestant from a name, a net, the path of a net file, a run's folder, a function or an object with `choose`."""
    if isinstance(player, Contestant):
        return player
    if isinstance(player, Net):
        check_net(player, game, Path("net"))
        return _of_net("net", player)
    if not isinstance(player, (str, Path)):
        from sparring.arena.bots import bot  # which needs this module

        return bot(game, player)
    name = str(player)
    return _named(game, name) or _variant(game, name) or _searching(game, name) or _in_file(game, name)


def _named(game: Game, name: str) -> Contestant | None:
    """A player that comes with the game; `name@N` searches N."""
    policies = game.policies
    if name in game.builtin:
        return Contestant(name, name, strength=policies.strengths.get(name, 0))
    policy, at, number = name.partition("@")
    if at and policy in policies.strengths:
        if len(number) > len(str(MOST_STRENGTH)) or not (number.isdecimal() and 1 <= int(number) <= MOST_STRENGTH):
            raise UserError(f"player {name!r}: {policy}@N takes a whole number from 1 to {MOST_STRENGTH}")
        return Contestant(name, policy, strength=int(number))
    if name in policies.champions:
        return _of_net(name, load_net(policies.champions[name], game))
    if name in policies.external:
        return Contestant(name, EXTERNAL, external=policies.external[name])
    return None


def _variant(game: Game, name: str) -> Contestant | None:
    """A net with another policy than its own: `NET+VARIANT`."""
    base, plus, variant = name.rpartition("+")
    if not plus or f"net+{variant}" not in game.policy_names:
        return None
    contestant = find_player(game, base)
    if contestant.net is None:
        raise UserError(f"player {name!r}: {base} is no net, so it cannot play +{variant}")
    check_outputs(replace(contestant.net, policy=f"net+{variant}").description(), game, f"player {name!r}")
    return replace(contestant, name=f"{contestant.name}+{variant}", policy=f"net+{variant}")


def _searching(game: Game, name: str) -> Contestant | None:
    """A player that searches: `PLAYER+search@800` makes 800 playouts by its own policy, `PLAYER+search@2s` takes two seconds."""
    base, budget = read_budget(game, name)
    if budget is None:
        return None
    return with_search(game, find_player(game, base), budget)


def with_search(game: Game, contestant: Contestant, budget: Budget) -> Contestant:
    """The player, searching."""
    if contestant.external or contestant.budget:
        raise UserError(f"player {contestant.name!r}: cannot search: name a policy or a net before +{budget.method}")
    assert game.search is not None
    knows = contestant.net is not None and contestant.net.encoding in game.search.valued
    if budget.cut and not (game.search.balance or knows):
        raise UserError(
            f"player {contestant.name!r}: cannot cut playouts off (/{budget.cut}): nothing values what they lead to"
        )
    found = replace(contestant, name=f"{contestant.name}+{budget}", budget=budget)
    if budget.seconds:
        from sparring.arena.timed import TimedSearch  # which needs this module

        return replace(found, policy=EXTERNAL, external=lambda: TimedSearch(game, found))
    return found


def searched(game: Game, contestants: Sequence[Contestant]) -> Game:
    """The game, with search if any of these players searches."""
    return searching(game) if any(contestant.budget for contestant in contestants) else game


def _in_file(game: Game, name: str) -> Contestant:
    """The net of a file, or the champion of a run's folder."""
    error = unknown("player", name, [*game.builtin, *game.policies.champions, *game.policies.external])
    path = Path(name)
    try:
        folder, file = bool(name) and path.is_dir(), path.is_file()
    except (OSError, ValueError):  # not the name of a file
        raise error from None
    if folder:
        if not (path / CHAMPION).exists():
            raise UserError(f"{path}: no {CHAMPION} in this folder; finish the run with: sparring resume {path}")
        return _of_net(path.name, load_net(path / CHAMPION, game))
    if file or path.suffix == SUFFIX:
        return _of_net(path.stem, load_net(path, game))
    if name == "net":
        raise UserError("player 'net': name a net file or a run's folder")
    raise UserError(f"{error} (or name a net file or a run's folder)")


def _of_net(name: str, net: Net) -> Contestant:
    return Contestant(name, net.policy, net)


def find_players(game: Game, players: Sequence[Entrant]) -> list[Contestant]:
    """Several contestants; a number is added to a name that occurs twice."""
    found = [find_player(game, player) for player in players]
    taken, given = {contestant.name for contestant in found}, set()
    for i, contestant in enumerate(found):
        name, numbers = contestant.name, count(2)
        while name in given or (name != contestant.name and name in taken):
            name = f"{contestant.name} #{next(numbers)}"
        given.add(name)
        found[i] = replace(contestant, name=name)
    return found


def net_hashes(contestants: Sequence[Contestant]) -> dict[str, str]:
    """A hash of each network with its policy, by the player's name: it is the same under every name of a network."""
    found = {}
    for contestant in contestants:
        if contestant.net is not None:
            parts = contestant.net.parts.values() if contestant.net.parts else [contestant.net]
            weights = b"".join(part.weights.tobytes() for part in parts)
            how = f"{contestant.policy}{contestant.budget or ''}"
            found[contestant.name] = sha256(how.encode() + weights).hexdigest()[:16]
    return found


def fill_seats(game: Game, players: Sequence[Entrant], people: int = 0) -> list[Entrant]:
    """A player for every seat that people leave free. One opponent, or the second of two players, takes all remaining seats."""
    seats, filled = game.rules.seats, list(players)
    if people + len(filled) not in seats and len(filled) == (1 if people else 2):
        filled += filled[-1:] * (min(seats) - people - len(filled))
    if people + len(filled) not in seats:
        who = "one player can be named for all other seats" if people else "of two, the second takes all other seats"
        advice = f"; {who}" if people or 2 not in seats else ""
        sizes = " or ".join(map(str, seats))
        raise UserError(f"{game.name} is for {sizes} players, not {people + len(filled)}{advice}")
    return filled


def champion_texts(game: Game) -> dict[str, str]:
    """The networks that come with a game, with a description of each."""
    nets = {name: load_net(path, game) for name, path in game.policies.champions.items()}
    return {
        name: f"a network of {net.units} hidden units that comes with the package: {', '.join(net.ancestry)}"
        for name, net in nets.items()
    }


def default_opponent(game: Game) -> str:
    """The champion that comes with the game, or else its second built-in player."""
    return next(iter(game.policies.champions), game.builtin[min(1, len(game.builtin) - 1)])


def check_game(game: object) -> Game:
    """A game that is given as an object."""
    if not isinstance(game, Game):
        raise UserError(f"game {cut(game)}: must be the name of a game; sparring games lists them")
    return game


def is_whole(value: object, low: int, high: int) -> bool:
    """Whether a value is a whole number in a range; true and false are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and low <= int(value) <= high


class _Numbers:
    """Arrays one after the other, of which each occurs once."""

    def __init__(self) -> None:
        self.parts: list[np.ndarray] = []
        self.places: dict[object, int] = {}
        self.size = 0

    def place(self, key: object, array: np.ndarray) -> int:
        """Where an array begins."""
        if key not in self.places:
            self.places[key] = self.size
            self.parts.append(array)
            self.size += len(array)
        return self.places[key]


def pack_players(game: Game, contestants: list[Contestant]) -> tuple[np.ndarray, np.ndarray]:
    """The table of players and the one array of weights they share; a net that occurs twice is stored once."""
    table, numbers = np.zeros(len(contestants), Player), _Numbers()
    for row, contestant in zip(table, contestants, strict=True):
        if contestant.net is not None:
            weights = contestant.net.weights.astype(np.float32)
            fill_net(row, game, contestant.net, numbers.place(weights.tobytes(), weights))
            tables = game.policies.tables.get(contestant.policy)
            if tables and len(tables()):
                row["tables"] = numbers.place(tables, tables())
        if contestant.external:
            raise UserError(f"player {contestant.name!r}: a program, which plays only matches and tournaments")
        fill_builtin(row, game, contestant.policy)
        row["strength"] = contestant.strength or row["strength"]
        if contestant.budget:
            if not game.policies.searches:
                raise UserError(
                    f"player {contestant.name!r}: searches, which it does only in matches, tournaments and play"
                )
            row["playouts"], row["method"] = contestant.budget.playouts, METHODS[contestant.budget.method]
            row["cut"] = contestant.budget.cut
            row["playout"] = game.policy_names.index(contestant.budget.playout or contestant.policy)
    return table, np.concatenate(numbers.parts) if numbers.parts else np.zeros(1, np.float32)


class Chooser:
    """A built-in player or a net, asked for one move at a time through the same kernel that the launcher calls."""

    def __init__(self, game: Game, contestant: Contestant) -> None:
        self.game = game = searched(game, [contestant])
        self.player, self.weights = pack_players(game, [contestant])
        self.float_scratch = np.zeros(scratch_floats(game.policies.float_scratch, self.player), np.float32)
        self.int_scratch = np.zeros(game.policies.int_scratch, np.int64)

    def forget(self) -> None:
        """Clear the scratch memory, and with it what the player cached."""
        self.float_scratch[:], self.int_scratch[:] = 0, 0

    def choose(self, state: np.ndarray) -> int:
        """The move of the seat whose turn it is. The move is not made; only that seat's luck and policy state may change."""
        s, player = records(state)[0], records(self.player)[0]
        with np.errstate(over="ignore"):
            return int(self.game.policies.choose(s, player, self.weights, self.float_scratch, self.int_scratch))


def fill_builtin(row: "np.ndarray | np.void", game: Game, name: str) -> None:
    """Write a policy, and how much it searches by default, into a row of the table."""
    row["policy"], row["strength"] = game.policy_names.index(name), game.policies.strengths.get(name, 0)


def fill_net(rows: "np.ndarray | np.void", game: Game, net: Net, offset: "int | np.ndarray") -> None:
    """Write nets of this shape into rows of the table, with the offsets of their weights."""
    layers = net.shape[1:]
    rows["policy"] = game.policy_names.index(net.policy)
    rows["encoding"] = game.encoding_names.index(net.encoding)
    rows["kind"] = KINDS.index(net.kind)
    rows["inputs"], rows["hidden"], rows["outputs"] = net.inputs, layers[0], layers[-1]
    rows["depth"] = len(layers)
    rows["layers"] = 0
    rows["layers"][..., : len(layers)] = layers
    rows["offset"] = offset
