"""Hearts for people: what a seat is shown, moves in words and as typed, what a net's inputs are called."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

from hearts_table import passing_to, rearrange
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts import encodings, rules
from sparring.games.hearts.cards import card_name, cards_of, hand_of, read_card
from sparring.games.hearts.plain_rules import refusal
from sparring.kernel.records import records

DEAL = "6c7cTcJc2d2h4h8hAh2s5s7s8s/2c8cAc3d4d5dJd6h7h3sTsQsAs/3c4c5c9cQc7dKdThQhKh4sJsKs/Kc6d8d9dTdQdAd3h5h9hJh6s9s"
PASSES = ("Ah", "Jc", "Tc", "Qs", "As", "Ac", "Ks", "Kd", "Kh", "Kc", "Ad", "Jh")
FIRST = ("2c", "Ac", "Ks", "Kc")
SUITS = "/".join("".join(rank + suit for rank in "23456789TJQKA") for suit in "cdhs")
VARIANTS = (
    "hearts:rounds=3",
    "hearts:rounds=4,jack=on,moon=subtract",
    "hearts:rounds=1,passing=off",
    "hearts:target=20",
)
CARD = re.compile(r"\b[2-9TJQKA]+[cdhs]\b")


def card(name: str) -> int:
    return read_card(name, "test")


def after(*names: str, more: str = "rounds=2") -> tuple:
    game = find_game(f"hearts:{more},start={DEAL}")
    state = start_game(game, 1, 0, 0, 4)
    for name in names:
        play_move(game, state, card(name))
    return game, state


def random_state(game, seed: int, moves: int) -> np.ndarray:
    """The state after some random moves; the game is not over."""
    random, state = np.random.default_rng(seed), start_game(game, seed, 0, 0, 4)
    for _ in range(moves):
        before = state.copy()
        play_move(game, state, int(random.choice(legal_moves(game, state))))
        if state[0]["over"]:
            return before
    return state


def named_cards(text: str) -> set[int]:
    """All cards that a text names, as `Qs` or as `27Kc`."""
    return {card(rank + word[-1]) for word in CARD.findall(text) for rank in word[:-1]}


# What is hidden.


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=sampled_from(VARIANTS), seed=integers(0, 2**32), moves=integers(0, 190))
def test_a_seat_is_shown_the_same_whatever_is_hidden_from_it(name, seed, moves):
    game = find_game(name)
    state = random_state(game, seed, moves)
    for seat in range(4):
        other = state.copy()
        rearrange(other[0], seat, np.random.default_rng(seed))
        assert game.view.state_json(state[0], seat) == game.view.state_json(other[0], seat)
        assert game.view.text(state[0], seat) == game.view.text(other[0], seat)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=sampled_from(VARIANTS), seed=integers(0, 2**32), moves=integers(0, 190))
def test_no_card_is_named_that_a_seat_has_not_seen(name, seed, moves):
    game = find_game(name)
    s = random_state(game, seed, moves)[0]
    lying = hand_of(cards_of(s["played"]) + [one for one in s["trick"].tolist() if one >= 0])
    for seat in range(4):
        seen = int(s["hand"][seat] | s["passed"][seat] | lying)
        if s["phase"] == rules.PLAY and s["direction"] != rules.NONE:
            seen |= int(s["passed"][passing_to(s, seat)])
        told = game.view.state_json(s, seat)
        for words in (game.view.text(s, seat), json.dumps(told)):
            assert named_cards(words) <= set(cards_of(seen))
        assert [len(hand) for hand in told["hands"]] == [len(cards_of(hand)) for hand in s["hand"]]
        assert told["hands"][seat] == [card_name(one) for one in cards_of(s["hand"][seat])]


def test_while_cards_are_passed_others_choices_are_hidden():
    game, state = after(*PASSES[:5])
    assert game.view.state_json(state[0], 0)["passed"] == [["Tc", "Jc", "Ah"], None, None, None]
    assert game.view.state_json(state[0], 1)["passed"] == [None, ["Qs", "As"], None, None]
    assert "passed left: seat 1 Qs As" in game.view.text(state[0], 1)
    assert "passed" not in game.view.text(state[0], 2)
    assert game.view.state_json(state[0], 1)["hands"][0] == ["--"] * 13


def test_a_passer_remembers_what_it_gave_and_a_receiver_knows_who_gave():
    game, state = after(*PASSES)
    told = game.view.state_json(state[0], 0)
    assert told["passed"] == [["Tc", "Jc", "Ah"], None, None, ["Kc", "Ad", "Jh"]]
    assert told["hands"][1] == ["Tc", "Jc", "Ah"] + ["--"] * 10
    assert told["hands"][2] == told["hands"][3] == ["--"] * 13
    shown = game.view.text(state[0], 0)
    assert "13 cards with Tc Jc Ah" in shown
    assert shown.endswith("passed left: seat 0 Tc Jc Ah, seat 3 Kc Ad Jh")


def test_a_card_that_was_passed_is_no_longer_known_once_played():
    game, state = after(*PASSES, *FIRST)
    told = game.view.state_json(state[0], 1)
    assert told["hands"][2] == ["Qs", "As"] + ["--"] * 10, "Ac was played"
    assert told["passed"][1] == ["Ac", "Qs", "As"]


def test_when_the_game_is_over_everything_lies_open():
    game = find_game("hearts:rounds=1")
    state = random_state(game, 1, 63)
    play_move(game, state, legal_moves(game, state)[0])
    assert game.view.text(state[0], 0) == game.view.text(state[0])
    assert game.view.text(state[0]).startswith("over after round 1 of 1\n")
    assert game.view.state_json(state[0], 2) == game.view.state_json(state[0])
    score = state[0]["tally"]["score"].tolist()
    assert game.view.state_json(state[0])["scores"] == score and f"seat 0   {score[0]} + 0 points" in game.view.text(
        state[0]
    )


# What is shown.


def test_the_seat_that_looks_sits_below_and_the_next_to_its_left():
    game, state = after(*PASSES, *FIRST, "3c", "Kh")
    assert game.view.text(state[0], 3) == (
        "round 1 of 2, trick 2   hearts are broken\n"
        "                              seat 1   0 + 0 points\n"
        "                              12 cards\n"
        "                                   ..\n"
        "> seat 0   0 + 0 points        ..      3c       seat 2   0 + 0 points\n"
        "  12 cards with Ad Jh              Kh           11 cards\n"
        "                              seat 3   0 + 0 points\n"
        "                              689TQKd 359h 69s\n"
        "passed left: seat 2 Kd Kh Ks, seat 3 Kc Ad Jh"
    )


def test_the_heading_says_where_the_game_stands():
    game, state = after(more="target=50")
    assert game.view.text(state[0]).startswith("round 1, passing left   to 50 points\n")
    game, state = after(*PASSES, more="target=50")
    assert game.view.text(state[0]).startswith("round 1, trick 1   hearts are not broken   to 50 points\n")


def test_points_of_the_round_stand_beside_the_score():
    game, state = after(*PASSES, *FIRST, "3c", "Kh", "6c", "Jc", more="rounds=2,jack=on")
    told = game.view.state_json(state[0])
    assert told["points"] == [0, 1, 0, 0] and told["scores"] == [0] * 4
    assert told["won"][1] == ["3c", "6c", "Jc", "Kh"] and told["voids"] == [[], [], [], ["c"]]
    assert "> seat 1   0 + 1 points" in game.view.text(state[0])


def test_a_jack_that_takes_points_off_is_shown_at_once():
    game = find_game(f"hearts:rounds=1,passing=off,jack=on,start={SUITS}")
    state = start_game(game, 1, 0, 0, 4)
    for name in ("2c", "Jd", "2h", "2s"):
        play_move(game, state, card(name))
    assert game.view.state_json(state[0])["points"][0] == 1 - 10
    assert "seat 0   0 - 9 points" in game.view.text(state[0])


def test_state_json_is_json_and_says_how_the_round_goes():
    game, state = after(*PASSES, *FIRST, "3c")
    told = json.loads(json.dumps(game.view.state_json(state[0], 1)))
    assert (told["phase"], told["round"], told["number"], told["direction"]) == ("play", 1, 2, "left")
    assert (told["leader"], told["turn"], told["trick"]) == (2, 3, ["", "", "3c", ""])
    assert game.view.state_json(after()[1][0])["leader"] == -1, "nobody leads while cards are passed"


# Moves.


def test_moves_are_told_in_words():
    game, state = after()
    assert game.view.move_text(state[0], card("Ah")) == "pass A♥ to the left"
    game, state = after(*PASSES)
    assert game.view.move_text(state[0], card("2c")) == "lead 2♣"
    play_move(game, state, card("2c"))
    assert game.view.move_text(state[0], card("Ac")) == "play A♣"
    state[0]["phase"], state[0]["direction"] = rules.PASS, rules.ACROSS
    assert game.view.move_text(state[0], card("Ac")) == "pass A♣ across"


@pytest.mark.parametrize(
    ("played", "typed", "name"),
    [((), "ah", "Ah"), ((), "10C", "Tc"), (PASSES, "2c", "2c"), ((*PASSES, *FIRST), " 9c ", "9c")],
)
def test_what_is_typed_is_read(played, typed, name):
    game, state = after(*played)
    assert game.view.read_move(state[0], typed) == card(name)


@pytest.mark.parametrize(
    ("played", "typed", "reason"),
    [
        ((), "Kc", "Kc: Kc is not in your hand"),
        ((), "hello", "hello: 'hello' is not a card"),
        ((), "Ah Jc Tc", "Ah Jc Tc: type one card, such as Qs"),
        (("Ah",), "Ah", "Ah: you already pass Ah"),
        (PASSES, "3d", "3d: the first lead is 2c"),
        ((*PASSES, "2c"), "Th", "Th: clubs are led and must be followed"),
        ((*PASSES, "2c", "Ac"), "Kh", "Kh: no points may be played in the first trick"),
        ((*PASSES, *FIRST), "Th", "Th: hearts cannot be led before they are broken"),
    ],
)
def test_what_is_no_move_is_refused_with_the_reason(played, typed, reason):
    game, state = after(*played)
    with pytest.raises(UserError, match=reason) as error:
        game.view.read_move(state[0], typed)
    assert "\n" not in str(error.value)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=sampled_from(VARIANTS), seed=integers(0, 2**32), moves=integers(0, 190))
def test_what_is_refused_is_just_what_the_rules_do_not_offer(name, seed, moves):
    game = find_game(name)
    state = random_state(game, seed, moves)
    s = state[0]
    hand, lead = int(s["hand"][s["turn"]]), int(s["trick"][s["leader"]])
    if s["phase"] == rules.PLAY:
        allowed = [one for one in cards_of(hand) if not refusal(hand, one, lead, int(s["number"]), bool(s["broken"]))]
        assert tuple(allowed) == legal_moves(game, state)
    assert [game.view.read_move(s, card_name(one)) for one in legal_moves(game, state)] == list(
        legal_moves(game, state)
    )


# Inputs.


@pytest.mark.parametrize("encoding", encodings.NAMES)
def test_every_input_has_a_label_that_says_where_a_card_is(encoding):
    game, state = after(*PASSES, *FIRST, "3c", "Kh", "6c")
    labels, outputs = game.view.net_labels(encoding, "net", 1)
    number = encodings.NAMES.index(encoding)
    assert len(labels) == len(set(labels)) == encodings.INPUTS[number] and outputs == ["value"]
    index, value = np.zeros(len(labels), np.int64), np.zeros(len(labels), np.float32)
    count = encodings.inputs(records(state)[0], 0, number, index, value)
    seen = {labels[i] for i in index[:count]}
    if encoding == "play":
        assert {"7c mine", "8c another's", "6c played by me", "Kh played by another", "2c gone"} <= seen
        assert labels[:5] == ["2c mine", "2c another's", "2c played by me", "2c played by another", "2c gone"]
    else:
        assert ("6c dealt" if encoding == "pass" else "6c") in seen
        assert ("Ah passed" in seen) == (encoding == "pass")
