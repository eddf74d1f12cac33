"""Luck-adjusted results: what a roll or a card is worth, no bias, less variance, and the same for programs and logs."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import sparring
from amounts import amount
from sparring.arena.luck import LuckMeter
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.games.backgammon.nets import WON, play_value, prepare_plays
from sparring.games.game import apply_move, legal_moves, start_game
from sparring.games.golf.column_policies import expected_lead
from sparring.games.golf.rules import COLUMNS, KIND, PLACES, POINTS, THROW
from sparring.kernel.launch import scratch_floats
from sparring.kernel.records import records

BACKGAMMON, GOLF = find_game("backgammon"), find_game("golf")


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


class Cards:
    """The luck of a golf turn, event by event, by the rules and the network's value of what they lead to."""

    def __init__(self, state: np.ndarray, meter: LuckMeter) -> None:
        self.state, self.seat, self.meter = state, int(state["turn"][0]), meter
        down = state["hand"][0, :2][state["up"][0, :2] == 0].tolist()
        self.unseen = [*state["stock"][0, : state["stock_size"][0]].tolist(), *down]

    def lead(self, state: np.ndarray, top_known: bool) -> float:
        """The points that the player of the last turn is expected to lead by."""
        table, weights = self.meter.judge
        floats = np.zeros(scratch_floats(GOLF.policies.float_scratch, table), np.float32)
        state = state.copy()
        if top_known:
            state["revealed"] = 0
        judge, ints = records(table)[0], np.zeros(GOLF.policies.int_scratch, np.int64)
        return float(expected_lead(records(state)[0], self.seat, judge, weights, floats, ints))

    def drawn(self, card: int) -> float:
        """The value of a card from the stock in its best place; another card is where this one was."""
        state = self.state.copy()
        swap(state, int(state["drawn"][0]), card)
        state["drawn"] = card
        return max(self.lead(after(state, move), False) for move in legal_moves(GOLF, state))

    def turned(self, place: int, card: int) -> float:
        """The value of an exchange that turns up a card."""
        state = self.state.copy()
        swap(state, int(state["hand"][0, self.seat, place]), card)
        return self.lead(after(state, place), True)

    def luck(self, move: int) -> float:
        """The luck of the seat in a turn that does not end the round."""
        drawn, found = int(self.state["drawn"][0]), 0.0
        if self.state["source"][0] == 0:
            found += beside(self.drawn, drawn, [*self.unseen, drawn])
        if move != THROW and not self.state["up"][0, self.seat, move]:
            card = int(self.state["hand"][0, self.seat, move])
            found += beside(lambda each: self.turned(move, each), card, self.unseen)
        return found


def swap(state: np.ndarray, one: int, other: int) -> None:
    """Exchange two cards wherever they lie unseen."""
    for cards in (state["hand"][0], state["stock"][0, : state["stock_size"][0]]):
        first, second = cards == one, cards == other
        cards[first], cards[second] = other, one


def after(state: np.ndarray, move: int) -> np.ndarray:
    state = state.copy()
    apply_move(GOLF.rules, state, move)
    return state


def beside(value: Callable[[int], float], card: int, cards: Iterable[int]) -> float:
    """The value of a card minus the mean over all; equal kinds have equal values."""
    kinds = {int(KIND[each]): each for each in cards}
    values = {kind: value(each) for kind, each in kinds.items()}
    return values[int(KIND[card])] - float(np.mean([values[int(KIND[each])] for each in cards]))


@pytest.mark.long
def test_the_luck_of_golf_s_turns_is_what_their_cards_are_worth_beside_all_unseen_ones() -> None:
    games: list[Played] = []
    sparring.match("golf", "champion", "sensible", pairs=1, seed=4, keep=games.extend)
    one, meter = games[0], LuckMeter(GOLF, "champion")
    state, total, count = start_game(GOLF, one.seed, one.deal, one.luck, 2), 0.0, 0
    while state["ender"][0] < 0:
        if state["phase"][0] == 1:
            total += Cards(state, meter).luck(one.moves[count]) * (1 if state["turn"][0] == 0 else -1)
        apply_move(GOLF.rules, state, one.moves[count])
        count += 1
    meter.keep([replace(one, moves=one.moves[:count])])
    assert count > 10
    assert meter.lucks[0][0, :2] == pytest.approx([total, -total], abs=1e-3)


def points(a: int, b: int) -> int:
    return 0 if KIND[a] == KIND[b] else int(POINTS[KIND[a]] + POINTS[KIND[b]])


def hidden_places(state: np.ndarray, move: int) -> list[bool]:
    """Which places of the seat's hand are face down after a move."""
    up = state["up"][0, state["turn"][0]]
    return [not up[place] and place != move for place in range(PLACES)]


def last_with_upcard(state: np.ndarray) -> bool:
    """Whether the seat has taken the upcard in its last turn of the round."""
    return bool(state["ender"][0] >= 0 and state["phase"][0] == 1 and state["source"][0] == 1)


def test_the_cards_that_end_a_round_of_golf_count_as_far_as_they_surprise() -> None:
    games: list[Played] = []
    sparring.match("golf", "sensible", "sensible", pairs=1, seed=1, keep=games.extend)
    one, meter = games[0], LuckMeter(GOLF, "champion")
    state, count = start_game(GOLF, one.seed, one.deal, one.luck, 2), 0
    # The first last turn with the upcard, which is no luck, and with a card that stays face down.
    while not last_with_upcard(state) or not any(hidden_places(state, one.moves[count])):
        apply_move(GOLF.rules, state, one.moves[count])
        count += 1
    seat, move = int(state["turn"][0]), one.moves[count]
    hidden, cards = hidden_places(state, move), state["hand"][0, seat].tolist()
    cards[move] = int(state["drawn"][0])
    surprise = 0.0
    for a, b in ((column, column + COLUMNS) for column in range(COLUMNS)):
        could = [
            points(one if hidden[a] else cards[a], other if hidden[b] else cards[b])
            for one, other in permutations(Cards(state, meter).unseen, 2)
        ]
        surprise += float(np.mean(could)) - points(cards[a], cards[b])
    for moves in (one.moves[:count], one.moves[: count + 1]):
        meter.keep([replace(one, moves=moves)])
    assert surprise != 0
    assert meter.lucks[1][0, seat] - meter.lucks[0][0, seat] == pytest.approx(surprise)


@pytest.mark.parametrize(
    ("game", "first", "second", "judge", "ratio"),
    [("backgammon", "pubeval", "pubeval", "champion-40", 3.0), ("golf", "sensible", "sensible", "champion", 2.0)],
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
