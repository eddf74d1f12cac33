"""Speeds of other programs: random players of OpenSpiel and pgx, and GNU Backgammon against itself."""

from collections.abc import Mapping
from contextlib import closing

from sparring.errors import UserError
from sparring.games.backgammon.gnubg import Gnubg, find_program
from sparring.games.backgammon.pgx_speed import pgx_random
from sparring.games.benchmark import Benchmark
from sparring.games.external_speeds import Speed, openspiel, openspiel_from_python, per_second
from sparring.games.game import play_move, start_game

OPENSPIEL = "backgammon(scoring_type=full_scoring)"
openspiel_random = openspiel(OPENSPIEL)


def gnubg_self_play(seconds: float) -> float | None:
    """Games per second of GNU Backgammon at 0-ply in both seats, with our rules and dice; None if it is not installed."""
    from sparring.games.backgammon import GAME

    try:
        find_program()
    except UserError:
        return None

    def play(number: int) -> None:
        state = start_game(GAME, 1, number, number, 2)
        while not state[0]["over"]:
            play_move(GAME, state, gnubg.choose(state))

    with closing(Gnubg()) as gnubg:
        return per_second(seconds, play)


EXTERNAL: Mapping[str, Speed] = {
    "openspiel.backgammon.random_games_per_second.one_core": openspiel_random,
    "openspiel.backgammon.random_games_from_python_per_second.one_core": openspiel_from_python(OPENSPIEL),
    "pgx.backgammon.random_games_per_second.one_core": pgx_random,
    "gnubg.backgammon.games_per_second.one_core": gnubg_self_play,
}

BENCHMARK = Benchmark(quick="start=hypergammon", champion="champion-40", external=EXTERNAL)
