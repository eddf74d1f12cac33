"""How fast others play, to be measured beside us: OpenSpiel's random players, and GNU Backgammon against itself."""

from collections.abc import Callable, Mapping
from contextlib import closing

from sparring.errors import UserError
from sparring.games.backgammon.gnubg import Gnubg, find_program
from sparring.games.game import play_move, start_game
from sparring.games.rivals import per_second


def openspiel_random(seconds: float) -> float | None:
    """Games a second of two random players, in OpenSpiel's own C++ loop over bots; None where it is not installed.

    Its rollouts inside a search are as fast, and stepping through a game from Python a third slower.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]
    return per_second(seconds, lambda number: pyspiel.evaluate_bots(game.new_initial_state(), bots, number))


def gnubg_itself(seconds: float) -> float | None:
    """Games a second of GNU Backgammon at 0-ply in both seats, by our rules and dice; None where it is not installed."""
    from sparring.games.backgammon import GAME  # which has this in it

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


RIVALS: Mapping[str, Callable[[float], float | None]] = {
    "openspiel.backgammon.random_games_per_second.one_core": openspiel_random,
    "gnubg.backgammon.games_per_second.one_core": gnubg_itself,
}
