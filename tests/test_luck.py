"""Luck-adjusted results: what a roll is worth, no bias, less variance, and the same for programs and logs."""

import numpy as np
import pytest

import sparring
from amounts import amount
from sparring.arena.luck import LuckMeter
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.games.backgammon.nets import WON, play_value, prepare_plays
from sparring.games.game import apply_move, legal_moves, start_game
from sparring.kernel.launch import scratch_floats
from sparring.kernel.records import records

BACKGAMMON = find_game("backgammon")


def rolls(state: np.ndarray, meter: LuckMeter) -> dict[tuple[int, int], float]:
    """The value of every roll for the seat to play: the best of the plays that the rules offer, by the network."""
    table, weights = meter.judge
    floats = np.zeros(scratch_floats(BACKGAMMON.policies.float_scratch, table), np.float32)
    ints = np.zeros(BACKGAMMON.policies.int_scratch, np.int64)
    board, seat, judge, found = state["board"][0].copy(), int(state["turn"][0]), records(table)[0], {}
    prepare_plays(board, seat, judge, weights, floats, ints)
    for dice in [(a, b) for a in range(1, 7) for b in range(1, a + 1)]:
        rolled = state.copy()
        rolled["dice"] = dice
        found[dice] = max(
            play_value(board, seat, move, *dice, judge, weights, floats, ints, 0)
            for move in legal_moves(BACKGAMMON, rolled)
        )
    return found


@pytest.mark.long
def test_a_game_s_luck_is_the_sum_of_its_rolls_and_their_means() -> None:
    games: list[Played] = []
    sparring.match("backgammon", "pubeval", "random", pairs=1, seed=4, keep=games.extend)
    meter = LuckMeter(BACKGAMMON, "champion-40")
    meter.keep(games[:1])
    state = start_game(BACKGAMMON, games[0].seed, games[0].deal, games[0].luck, 2)
    total = 0.0
    for turn, move in enumerate(games[0].moves):
        values, dice = rolls(state, meter), tuple(state["dice"][0].tolist())
        mean = sum(value * (1 if a == b else 2) for (a, b), value in values.items()) / 36 if turn else 0.0
        total += WON * (values[dice] - mean) * (1 if state[0]["turn"] == 0 else -1)
        apply_move(BACKGAMMON.rules, state, move)
    assert meter.lucks[0][0, 0] == pytest.approx(total, abs=1e-4)
    assert meter.lucks[0][0, 1] == -meter.lucks[0][0, 0]
    assert (meter.scores[0][0] == state[0]["tally"]["score"]).all()


@pytest.mark.parametrize(
    ("game", "first", "second", "judge", "ratio"),
    [("backgammon", "pubeval", "pubeval", "champion-40", 3.0), ("golf", "greedier", "greedier", "pupil", 1.0)],
)
def test_the_mean_of_luck_is_nought_and_adjusted_results_vary_less(
    game: str, first: str, second: str, judge: str, ratio: float
) -> None:
    # Not in pairs, in which a player without luck of its own would meet itself twice on the same dice.
    result = sparring.match(game, first, second, pairs=amount(300, 20_000), seed=11, adjust=judge, seating="given")
    assert result.adjusted is not None
    luck, kept = result.adjusted.luck, result.adjusted.difference
    assert abs(luck.value) < 2 * luck.half_width  # four standard errors
    assert abs(kept.value - result.difference.value) < 2 * luck.half_width * abs(result.adjusted.coefficient)
    assert result.adjusted.ratio > ratio
    assert kept.half_width < result.difference.half_width


def test_adjusting_changes_nothing_else_and_is_printed() -> None:
    plain = sparring.match("backgammon", "pubeval", "random", pairs=3, seed=1)
    found = sparring.match("backgammon", "pubeval", "random", pairs=3, seed=1, adjust="champion-40")
    assert found.json()["players"] == plain.json()["players"]
    assert found.json()["adjusted"]["judge"] == "champion-40"


def test_a_judge_must_be_a_network_and_the_game_must_know_luck() -> None:
    with pytest.raises(UserError, match="pubeval is no network"):
        sparring.match("backgammon", "random", "random", pairs=1, adjust="pubeval")
    with pytest.raises(UserError, match="luck cannot be judged"):
        sparring.match("conquest", "random", "random", pairs=1, adjust="champion")
    with pytest.raises(UserError, match="cannot be judged under these rules"):
        sparring.match("backgammon:match=3", "random", "random", pairs=1, adjust="champion-40")
