"""Golden playthroughs: games printed state by state and compared with a file, so that every change of play is noticed."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from sparring.arena.players import Contestant
from sparring.games import GAMES, Game
from sparring.testing.cast import cast, sit_down, walk
from sparring.testing.interpreted import module_of

STATES = 400  # printed of a whole game
NET_STATES = 10  # printed of each game of networks


def playthrough(game: Game, seed: int = 1) -> str:
    """The text of a playthrough.

    It has a whole game of built-in players at the smallest table, its first 400 states with legal moves and the move chosen,
    its notation and tally, and ten states of a game of random networks of each encoding at the largest table.
    """
    everyone = cast(game, seed)
    builtin = [contestant for contestant in everyone if contestant.net is None]
    seated = [builtin[(1 - seat) % len(builtin)] for seat in range(game.rules.seats[0])]
    parts = [f"{game.name}, rules {game.rules.version}", "", *_whole_game(game, seated, seed)]
    for contestant in everyone[len(builtin) :]:
        seated = [contestant] * game.rules.seats[-1]
        session = sit_down(game, seated, seed, 0, 0)
        parts.append(f"{_title(seated, seed)}, the first {NET_STATES} moves")
        for number, (legal, move) in enumerate(islice(walk(session), NET_STATES)):
            parts.append(_state(game, session.state, number, legal, move))
    return "\n".join(line.rstrip() for part in parts for line in part.split("\n")) + "\n"


def _whole_game(game: Game, seated: list[Contestant], seed: int) -> Iterator[str]:
    session = sit_down(game, seated, seed, 0, 0)
    yield _title(seated, seed)
    for number, (legal, move) in enumerate(walk(session)):
        if number < STATES:
            yield _state(game, session.state, number, legal, move)
    s, count = session.state[0], len(session.moves)
    yield f"over after {count} moves, {min(count, STATES)} of them shown\n{game.view.text(s)}\n"
    yield "notation\n" + game.view.game_text(session.played) + "\n"
    yield "tally"
    yield from (f"{name} {s['tally'][name].tolist()}" for name in game.rules.tally.names or ())
    yield ""


def _title(seated: list[Contestant], seed: int) -> str:
    return f"{' against '.join(contestant.name for contestant in seated)}, seed {seed}, deal 0, luck 0"


def _state(game: Game, state: np.ndarray, number: int, legal: tuple[int, ...], move: int) -> str:
    """A state, its legal moves and the move chosen."""
    offered, words = " ".join(map(str, legal)), game.view.move_text(state[0], move)
    return f"{game.view.text(state[0])}\nlegal {offered}\nmove {number}: {move} {words}\n"


def check_golden(game: Game, path: Path, seed: int = 1) -> None:
    """The playthrough equals the file's; otherwise the message says how to write the file again."""
    name = game.name if game.name in GAMES else module_of(game)
    remedy = f"if intended, raise the rules' version and run: python -m sparring.testing {name} --golden > {path}"
    assert path.exists(), f"{path}: no such file; write it: python -m sparring.testing {name} --golden > {path}"
    kept, now = path.read_text(encoding="utf-8").splitlines(), playthrough(game, seed).splitlines()
    for number, (old, new) in enumerate(zip(kept, now, strict=False), 1):
        assert old == new, f"{path}:{number}: play changed: was {old!r}, is {new!r}; {remedy}"
    assert len(kept) == len(now), f"{path}: {len(kept)} lines became {len(now)}; {remedy}"
