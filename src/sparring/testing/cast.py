"""The cast of a game's tests: every player and random networks, asked for one move at a time or run by the launcher."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sparring.arena.players import Chooser, Contestant
from sparring.arena.session import Session
from sparring.games import Game
from sparring.kernel.launch import Job
from sparring.nets.dense import Net, gaussian, size

HIDDEN = 4  # hidden units of random networks: few, because interpreted networks are slow
SEARCH = 2  # the search budget of players


def random_net(game: Game, encoding: str, seed: int, policy: str = "net", spread: float = 1.0) -> Net:
    """A network with normal weights of this standard deviation, determined by the seed."""
    policies, rules = game.policies, game.rules.version
    shape = (policies.encodings[encoding], HIDDEN, policies.decodings.get(policy, 1))
    weights = np.float32(spread) * gaussian(size(shape), seed, "testing", encoding)
    return Net(game.family, rules, encoding, shape, weights, policy=policy, input_major=policies.input_major)


def random_team(game: Game, seed: int, policy: str, spread: float = 1.0) -> Net:
    """A team of random networks, one for each role, with thresholds of 0.5."""
    roles = game.policies.roles
    parts = {
        role: random_net(game, encoding, (seed + number) % 2**64, spread=spread)
        for number, (role, encoding) in enumerate(roles.items())
    }
    return Net.team(tuple(roles), parts, dict.fromkeys(roles, 0.5), policy=policy)


def cast(game: Game, seed: int, spread: float = 1.0) -> list[Contestant]:
    """All built-in players, a random network for each encoding, and one for each other policy variant that is fast enough.

    In a game with roles, also a random team for each policy of networks. `spread` is the standard deviation of weights.
    """
    searching = game.policies.strengths
    players = [Contestant(name, name, strength=SEARCH if name in searching else 0) for name in game.builtin]
    policies = [name for name in game.policy_names if name not in {*game.builtin, *game.policies.searching}]
    pairs = [("net", name) for name in game.policies.encodings]
    pairs += [(policy, game.encoding_names[0]) for policy in policies if policy != "net"]
    nets = {f"{policy}:{name}": random_net(game, name, seed, policy, spread) for policy, name in pairs}
    if game.policies.roles:
        nets |= {f"{policy}:team": random_team(game, seed, policy, spread) for policy in policies}
    return players + [Contestant(name, net.policy, net) for name, net in nets.items()]


def rotations(game: Game, seed: int) -> Iterator[list[Contestant]]:
    """Tables for every number of seats, such that every player of the cast sits once in every seat."""
    everyone = cast(game, seed)
    for seats in game.rules.seats:
        for first in range(len(everyone)):
            yield [everyone[(first + seat) % len(everyone)] for seat in range(seats)]


def one_job(seed: int, deal: int, luck: int, rows: list[int]) -> np.ndarray:
    """The job of one game; `rows` are the rows of the players' table in seat order."""
    job = np.zeros(1, Job)
    job["seed"], job["deal"], job["luck"], job["seats"] = seed, deal, luck, len(rows)
    job["player"][0, : len(rows)] = rows
    return job


def sit_down(game: Game, contestants: list[Contestant], seed: int, deal: int, luck: int) -> Session:
    """A session of these contestants, about to begin."""
    movers = {seat: Chooser(game, contestant) for seat, contestant in enumerate(contestants)}
    return Session(game, [contestant.name for contestant in contestants], seed, deal, luck, movers)


def walk(session: Session) -> Iterator[tuple[tuple[int, ...], int]]:
    """Play a game to its end: before each move, the legal moves and the one chosen."""
    game = session.game
    for number in range(game.rules.max_moves):
        if session.over:
            return
        legal, move = session.legal, session.movers[session.turn].choose(session.state)
        name = session.names[session.turn]
        assert move in legal, f"{game.name}: move {number}: {name} chose {move}, but the rules offer {legal}"
        yield legal, move
        session.play(move)
    names = ", ".join(session.names)
    assert session.over, f"{game.name}: {names}: not over after max_moves = {game.rules.max_moves}"


def choose_afresh(session: Session, state: np.ndarray) -> int:
    """The move of the seat to move in a state by a player that remembers nothing; the state stays as it is."""
    mover = session.movers[int(state[0]["turn"])]
    assert isinstance(mover, Chooser)
    mover.forget()
    return mover.choose(state.copy())


def parting(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Where two texts or lists first differ."""
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def differing(a: np.ndarray, b: np.ndarray) -> set[str]:
    """The fields in which two records (or arrays of records) differ, ignoring padding."""
    return {name for name in a.dtype.names or () if not _alike(a[name], b[name])}


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    return not differing(a, b) if a.dtype.names else a.tobytes() == b.tobytes()
