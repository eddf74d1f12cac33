"""Everyone who can play a game, asked for one move at a time or run by the launcher."""

from collections.abc import Iterator

import numpy as np

from sparring.arena.players import Chooser, Contestant
from sparring.arena.session import Session
from sparring.games import Game
from sparring.kernel.launch import Job
from sparring.nets.dense import Net, gaussian, size

HIDDEN = 4  # hidden units of the random nets: few, because interpreted nets are slow
SEARCH = 2  # how much players search, likewise


def random_net(game: Game, encoding: str, seed: int, policy: str = "net", spread: float = 1.0) -> Net:
    """A net whose weights follow from the seed, with this standard deviation."""
    shape = (game.policies.encodings[encoding], HIDDEN, game.policies.decodings.get(policy, 1))
    weights = np.float32(spread) * gaussian(size(shape), seed, "testing", encoding)
    return Net(
        game.family, game.rules.version, encoding, shape, weights, input_major=game.policies.input_major, policy=policy
    )


def random_team(game: Game, seed: int, policy: str, spread: float = 1.0) -> Net:
    """A team of random nets, one for each role; those that decide answer yes and no about equally often."""
    parts = {
        role: random_net(game, encoding, (seed + number) % 2**64, spread=spread)
        for number, (role, encoding) in enumerate(game.policies.roles.items())
    }
    return Net.team(tuple(game.policies.roles), parts, dict.fromkeys(game.policies.roles, 0.5), policy=policy)


def cast(game: Game, seed: int, spread: float = 1.0) -> list[Contestant]:
    """Everyone who can play: each built-in player, a random net for each encoding, and one for each other policy of nets.

    In a game with roles for a team, a random team for each policy of nets too. `spread` is the standard deviation of weights.
    """
    builtin = [
        Contestant(name, name, strength=SEARCH if name in game.policies.strengths else 0) for name in game.builtin
    ]
    nets = [("net", name) for name in game.policies.encodings]
    others = [(policy, game.encoding_names[0]) for policy in game.policy_names if policy not in ("net", *game.builtin)]
    single = [
        Contestant(f"{policy}:{name}", policy, random_net(game, name, seed, policy, spread))
        for policy, name in nets + others
    ]
    variants = [policy for policy in game.policy_names if policy not in game.builtin] if game.policies.roles else []
    return (
        builtin
        + single
        + [Contestant(f"{policy}:team", policy, random_team(game, seed, policy, spread)) for policy in variants]
    )


def rotations(game: Game, seed: int) -> Iterator[list[Contestant]]:
    """Tables for every number of seats, such that everyone in the cast sits once in every seat."""
    everyone = cast(game, seed)
    for seats in game.rules.seats:
        for first in range(len(everyone)):
            yield [everyone[(first + seat) % len(everyone)] for seat in range(seats)]


def one_job(seed: int, deal: int, luck: int, rows: list[int]) -> np.ndarray:
    """The job of one game: which row of the table of players sits in each seat."""
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


def differing(a: np.ndarray, b: np.ndarray) -> set[str]:
    """The fields in which two records (or arrays of them) differ, byte for byte; the gaps between fields do not count."""
    return {name for name in a.dtype.names or () if not _alike(a[name], b[name])}


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    return not differing(a, b) if a.dtype.names else a.tobytes() == b.tobytes()
