"""Luck-adjusted results: what a roll or a card is worth, no bias, less variance, and the same for programs and logs."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import luck_null

import sparring
from amounts import amount
from sparring.arena.luck import LuckMeter
from sparring.arena.statistics import mean_interval
from sparring.errors import UserError
from sparring.games import Played, find_game, name_game
from sparring.games.backgammon.nets import WON, play_value, prepare_plays
from sparring.games.game import Game, apply_move, legal_moves, start_game
from sparring.games.golf.column_policies import expected_lead
from sparring.games.golf.rules import COLUMNS, KIND, PLACES, POINTS, THROW
from sparring.kernel.launch import scratch_floats
from sparring.kernel.records import call_kernel, records

BACKGAMMON, GOLF = find_game("backgammon"), find_game("golf")
GIN, HEARTS = name_game("gin:rules=full,length=hand"), find_game("hearts")


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
    [
        ("backgammon", "pubeval", "pubeval", "champion-40", 3.0),
        ("golf", "sensible", "sensible", "champion", 2.0),
        ("gin:rules=full,length=hand", "simple", "simple", "hands", 1.5),
        ("gin:target=50,length=match", "simple", "simple", "hands", 1.2),
        ("hearts", "rule-based", "rule-based", "hands", 1.05),
    ],
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


def luck_in(game: Game, state: np.ndarray, meter: LuckMeter) -> np.ndarray:
    """The luck that the game finds in a state, by seat."""
    table, weights = meter.judge
    floats = np.zeros(scratch_floats(game.policies.float_scratch, table), np.float32)
    ints, out = np.zeros(game.policies.int_scratch, np.int64), np.zeros((1, 4))
    assert game.learning.luck is not None
    call_kernel(game.learning.luck, records(state)[0], 0, records(table)[0], weights, floats, ints, out, 0)
    found: np.ndarray = out[0]
    return found


def bits(cards: int) -> list[int]:
    return [card for card in range(52) if cards >> card & 1]


def drawn_instead(state: np.ndarray, card: int) -> np.ndarray:
    """The state if a card of the stock had been drawn instead."""
    found, s = state.copy(), state[0]
    stock, drawn = found["stock"][0, : s["stock_size"]], int(s["drawn"])
    stock[stock == card] = drawn
    found["hand"][0, s["turn"]] = int(s["hand"][s["turn"]]) & ~(1 << drawn) | 1 << card
    found["drawn"] = card
    return found


def test_the_luck_of_cards_drawn_in_gin_is_0_on_average_over_the_stock() -> None:
    games: list[Played] = []
    sparring.match(GIN, "simple", "careful", pairs=3, seed=4, keep=games.extend)
    meter, count = LuckMeter(GIN, "hands"), 0
    for one in games:
        state = start_game(GIN, one.seed, one.deal, one.luck, 2)
        for move in one.moves:
            s = state[0]
            if s["phase"] == 2 and s["source"] == 0:
                stock = s["stock"][: s["stock_size"]].tolist()
                found = [luck_in(GIN, drawn_instead(state, card), meter) for card in (*stock, int(s["drawn"]))]
                assert np.sum(found, axis=0) == pytest.approx(0, abs=1e-9)
                assert np.ptp(found, axis=0)[:2].min() > 1
                assert found[-1] == pytest.approx(luck_in(GIN, state, meter))
                count += 1
            apply_move(GIN.rules, state, move)
    assert count > 10


def test_the_luck_of_a_deal_in_gin_is_0_on_average_over_its_hands_and_upcards() -> None:
    meter = LuckMeter(GIN, "hands")
    state = start_game(GIN, 1, 2, 0, 2)
    hands, total, largest = state["hand"][0].tolist(), np.zeros(4), 0.0
    for hand, other in (hands, hands[::-1]):
        for upcard in bits((1 << 52) - 1 & ~(hand | other)):
            state["hand"][0], state["upcard"], state["pile"] = (hand, other), upcard, 1 << upcard
            luck = luck_in(GIN, state, meter)
            total, largest = total + luck, max(largest, abs(luck[0]))
    assert total == pytest.approx(0, abs=1e-9)
    assert largest > 1
    fixed = name_game("gin:start=4c5c6c2d2h2s8d9hTsKd/AcTc3d7d4hJhQh6s8sJs/Ks")
    assert (luck_in(fixed, start_game(fixed, 1, 1, 0, 2), meter) == 0).all()


def test_the_luck_of_a_deal_in_hearts_is_0_on_average_when_the_hands_go_round_the_table() -> None:
    meter = LuckMeter(HEARTS, "hands")
    for deal in range(5):
        state = start_game(HEARTS, 1, deal, 0, 4)
        found = []
        for k in range(4):
            turned = state.copy()
            turned["dealt"] = turned["hand"] = np.roll(state["dealt"][0], k)
            found.append(luck_in(HEARTS, turned, meter))
        assert np.sum(found, axis=0) == pytest.approx(0, abs=1e-9)
        assert np.sum(found, axis=1) == pytest.approx(0, abs=1e-9)
        assert np.abs(found).max() > 0.5
        for k in range(4):
            assert found[k] == pytest.approx(np.roll(found[0], k), abs=1e-9)


def test_the_luck_of_a_deal_cancels_where_it_is_played_in_all_seatings() -> None:
    for game, first, second in ((name_game("hearts:rounds=2"), "rule-based", "expert"), (GIN, "random", "random")):
        meter = LuckMeter(game, "hands")
        games: list[Played] = []
        sparring.match(game, first, second, pairs=5, seed=3, keep=games.extend)
        if game is GIN:
            games = [replace(each, moves=each.moves[:1]) for each in games]  # before any card is drawn
        meter.keep(games)
        lucks = meter.lucks[0]
        if game is GIN:
            assert lucks[0::2] == pytest.approx(lucks[1::2], abs=1e-9)
            assert np.abs(lucks).max() > 1
        else:
            found = meter.adjusted(4, "rotated")
            assert found.luck.value == pytest.approx(0, abs=1e-9)
            assert found.ratio == pytest.approx(1)
            assert np.abs(lucks).max() > 1


def test_luck_does_not_depend_on_the_number_of_threads() -> None:
    for game in (GIN, HEARTS):
        found = [
            sparring.match(game, "random", "random", pairs=20, seed=3, adjust="hands", threads=n) for n in (1, 2, 3)
        ]
        assert found[0].adjusted == found[1].adjusted == found[2].adjusted


def test_a_null_match_shows_no_difference_and_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(luck_null, "PART", 80)

    def result(folder: str, games: int, threads: int) -> Any:
        words = ["gin", "--games", str(games), "--threads", str(threads), "--results", str(tmp_path / folder)]
        luck_null.main(words)
        return json.loads((tmp_path / folder / "luck-null-gin.json").read_text())["result"]

    whole = result("whole", 480, 1)
    low, high = whole["adjusted"]["score_difference"][1:]
    assert low < 0 < high
    assert whole["games"] == 480
    assert whole["adjusted"]["variance_ratio"] > 1.5
    result("parts", 160, 1)
    assert result("parts", 480, 2) == whole
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["games"] == 480


def test_a_stored_null_match_names_every_commit_and_is_replaced_only_when_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck_null, "PART", 80)
    path = tmp_path / "luck-null-gin.json"

    def stored(commit: str, *words: str) -> Any:
        monkeypatch.setattr(luck_null, "commit", lambda: commit)
        luck_null.main(["gin", *words, "--threads", "1", "--results", str(tmp_path)])
        return json.loads(path.read_text())

    first = stored("one", "--games", "80")
    assert (first["commit"], first["commits"]) == ("one", ["one"])
    assert stored("two", "--games", "80") == first  # it is complete
    del first["commits"]  # as older files are
    path.write_text(json.dumps(first))
    assert stored("two", "--games", "160")["commits"] == ["one", "two"]
    before = path.read_bytes()
    with pytest.raises(SystemExit, match="160 games with seed 2028 and .* --again replaces them"):
        stored("three", "--games", "80", "--seed", "7")
    assert path.read_bytes() == before
    found = stored("three", "--games", "80", "--seed", "7", "--again")
    assert (found["seed"], found["commit"], found["result"]["games"]) == (7, "three", 80)


def test_sums_over_deals_say_what_the_deals_say() -> None:
    dice = np.random.default_rng(1)
    luck = dice.normal(size=400)
    plain = 2 * luck + dice.normal(size=400) + 0.1
    halves = [luck_null.Sums(), luck_null.Sums()]
    meter = LuckMeter(GIN, "hands")
    for k in (0, 1):
        halves[k].add(plain[k::2], luck[k::2])
    scores, lucks = (np.stack([values, 0 * values, 0 * values, 0 * values], axis=1) for values in (plain, luck))
    meter.scores, meter.lucks = [scores], [lucks]
    found, like = luck_null.adjusted(halves), meter.adjusted(2, "given")
    assert found["score_difference"] == pytest.approx(mean_interval(plain).json(), abs=1e-5)
    assert found["adjusted"] == {"score_difference": pytest.approx(like.difference.json(), abs=1e-5),
                                 "luck": pytest.approx(like.luck.json(), abs=1e-5),
                                 "coefficient": pytest.approx(like.coefficient, abs=1e-5),
                                 "variance_ratio": pytest.approx(like.ratio, abs=1e-3)}  # fmt: skip


def test_adjusting_changes_nothing_else_and_is_printed() -> None:
    plain = sparring.match("backgammon", "pubeval", "random", pairs=3, seed=1)
    found = sparring.match("backgammon", "pubeval", "random", pairs=3, seed=1, adjust="champion-40")
    assert found.json()["players"] == plain.json()["players"]
    assert found.json()["adjusted"]["judge"] == "champion-40"


def test_a_judge_must_be_a_network_and_the_game_must_know_luck() -> None:
    with pytest.raises(UserError, match="pubeval is no network"):
        sparring.match("backgammon", "random", "random", pairs=1, adjust="pubeval")
    with pytest.raises(UserError, match="knows no chance event after the start"):
        sparring.match("conquest:map=random", "random", "random", pairs=1, adjust="champion")
    with pytest.raises(UserError, match="luck in gin is judged by hands"):
        sparring.match("gin", "random", "random", pairs=1, adjust="champion")
    with pytest.raises(UserError, match="cannot be judged under these rules"):
        sparring.match("backgammon:match=3", "random", "random", pairs=1, adjust="champion-40")
