"""How fast others play, to be measured beside us: random players of OpenSpiel's and of RLCard's gin rummy, hand by hand."""

from collections.abc import Callable, Mapping

from sparring.games.rivals import per_second


def openspiel_random(seconds: float) -> float | None:
    """Hands a second of two random players, in OpenSpiel's own C++ loop over bots; None where it is not installed.

    Every hand begins with a copy of one untouched start: to make a start anew takes longer than to play the hand.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    start = pyspiel.load_game("gin_rummy").new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]
    return per_second(seconds, lambda number: pyspiel.evaluate_bots(start.clone(), bots, number))


def rlcard_random(seconds: float) -> float | None:
    """Hands a second of two random players in RLCard's environment; None where it is not installed."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    environment = rlcard.make("gin-rummy", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])
    return per_second(seconds, lambda _: environment.run(is_training=False))


RIVALS: Mapping[str, Callable[[float], float | None]] = {
    "openspiel.gin.random_hands_per_second.one_core": openspiel_random,
    "rlcard.gin.random_hands_per_second.one_core": rlcard_random,
}
