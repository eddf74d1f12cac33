"""Gin rummy for people: what a seat is shown, moves in words and as typed, what a net's inputs are called."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sparring.arena.players import Contestant
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.gin import encodings, rules
from sparring.games.gin.cards import read_card
from sparring.kernel.records import records
from sparring.lab.log import read_log
from sparring.lab.store import Store
from sparring.testing import check_deals_ignore_players, check_nothing_leaks, for_all_deals
from sparring.testing.cast import sit_down
from test_conformance import gin_dealt, gin_rearrange

VARIANTS = (
    "gin:rules=full,target=30,limit=300",
    "gin:rules=full,length=hand",
    "gin:rules=full,length=hand,undercut=0,limit=40",
    "gin:length=match,laying_off=yes,gin=20,limit=120",
)
CHECKS = ("choices are offered", "moves are exact", "rules need no luck", "records survive", "measures fit")
EXAMPLES = 2


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", VARIANTS)
def test_other_rules_conform(name, check):
    for_all_deals(find_game(name), check, EXAMPLES)


@pytest.mark.parametrize("name", VARIANTS)
def test_nobody_sees_or_uses_what_is_hidden_under_other_rules(name):
    for_all_deals(find_game(name), lambda *deal: check_nothing_leaks(*deal, gin_rearrange), EXAMPLES)


def test_the_hands_of_a_match_do_not_depend_on_the_players():
    game = find_game("gin:rules=full,limit=400")
    for_all_deals(game, lambda *deal: check_deals_ignore_players(*deal, gin_dealt), EXAMPLES)


# States.

# Seat 0 has two melds and 8 + 9 + 10 + 10 left, seat 1 nothing.
MINE, THEIRS, UPCARD = "4c5c6c2d2h2s8d9hTsKd", "AcTc3d7d4hJhQh6s8sJs", "Ks"
OPEN = f"start={MINE}/{THEIRS}/{UPCARD}"


def opening(more: str = "rules=full,length=hand") -> tuple:
    game = find_game(f"gin:{more},{OPEN}")
    return game, start_game(game, 1, 0, 0, 2)


def after(*moves: int, more: str = "rules=full,length=hand") -> tuple:
    game, state = opening(more)
    for move in moves:
        play_move(game, state, move)
    return game, state


def card(name: str) -> int:
    return read_card(name, "test")


def test_a_seat_sees_its_own_hand_arranged_in_melds_and_deadwood():
    game, state = opening()
    shown = game.view.text(state[0], 0)
    assert "> seat 0   [4c 5c 6c] [2d 2h 2s] 8d 9h Ts Kd   deadwood 37" in shown
    assert "seat 1   10 cards" in shown
    assert "stock 31   upcard Ks   discards 1: Ks" in shown
    told = game.view.state_json(state[0], 0)
    assert told["melds"] == [[["4c", "5c", "6c"], ["2d", "2h", "2s"]], None]
    assert told["deadwood"] == [37, None]
    assert told["hands"][1] == ["--"] * 10


def test_a_card_taken_openly_is_known_to_be_there():
    game, state = after(rules.UPCARD)
    assert "11 cards, among them Ks" in game.view.text(state[0], 1)
    assert game.view.state_json(state[0], 1)["hands"][0] == ["Ks"] + ["--"] * 10
    assert "drawn Ks   stock 31   upcard -   discards none" in game.view.text(state[0], 1)


def test_a_card_from_the_stock_is_shown_to_who_drew_it_alone():
    game, state = after(rules.PASS, rules.PASS)
    drawn = game.view.state_json(state[0], 0)["drawn"]
    assert f"drawn {drawn}" in game.view.text(state[0], 0)
    assert "drawn from the stock" in game.view.text(state[0], 1)
    assert game.view.state_json(state[0], 1)["drawn"] == ""


def test_with_eleven_cards_the_best_throw_is_told():
    game, state = after(rules.UPCARD)
    assert "deadwood 47, 37 after the best throw" in game.view.text(state[0], 0)


def test_when_the_game_is_over_both_hands_lie_open():
    game, state = after(rules.UPCARD, card("9h"), more="rules=study,limit=1")
    assert game.view.text(state[0], 0) == game.view.text(state[0])
    assert "nobody knocks: drawn" in game.view.text(state[0], 0)
    assert "--" not in json.dumps(game.view.state_json(state[0], 0))


def test_a_match_says_how_it_stands():
    game = find_game("gin:rules=full")
    session = sit_down(game, [Contestant("simple", "simple")] * 2, 3, 0, 0)
    state = session.state
    assert game.view.text(state[0]).startswith("hand 1   score 0 to 0 of 100   stock 31")
    while state[0]["hand_number"] == 0:
        session.play(session.choose())
    score = state[0]["tally"]["score"]
    assert (
        f"hand 2   score {score[0]} to {score[1]} of 100   last hand: seat {state[0]['knocker']} knocks with"
        in game.view.text(state[0])
    )


# Moves.


def test_moves_are_told_in_words():
    game, state = opening()
    assert [game.view.move_text(state[0], move) for move in legal_moves(game, state)] == [
        "take K♠ from the discard pile",
        "leave K♠",
    ]
    game, state = opening("rules=study")
    assert game.view.move_text(state[0], rules.STOCK) == "draw from the stock"


KNOCKING = "start=4c5c6c2d2h2sAd3h9sTs/AcTc3d7d4hJhQh6s8sKc/Js"
GIN = "start=4c5c6c7c2d2h2sAd9sTs/AcTc3d7d4hJhQh6s8sKc/Js"


@pytest.mark.parametrize("more", ["rules=full,length=hand", "rules=study"])
def test_a_knock_is_told_with_what_is_left_and_gin_by_its_name(more):
    game = find_game(f"gin:{more},{KNOCKING}")
    state = start_game(game, 1, 0, 0, 2)
    play_move(game, state, rules.UPCARD)  # Js, beside 9s and Ts
    words = [game.view.move_text(state[0], move) for move in legal_moves(game, state)]
    assert "discard 3♥ and knock with 1" in words
    assert ("discard 3♥" in words) == more.startswith("rules=full")
    game = find_game(f"gin:{more},{GIN}")
    state = start_game(game, 1, 0, 0, 2)
    play_move(game, state, rules.UPCARD)
    words = [game.view.move_text(state[0], move) for move in legal_moves(game, state)]
    assert "discard A♦ and go gin" in words


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("up", [rules.UPCARD]),
        ("U", [rules.UPCARD]),
        ("take", [rules.UPCARD]),
        ("pass", [rules.PASS]),
        ("p", [rules.PASS]),
        ("kd", [rules.UPCARD, card("Kd")]),
        ("10s", [rules.UPCARD, card("Ts")]),
    ],
)
def test_what_is_typed_is_read(typed, moves):
    game, state = after(*moves[:-1])
    assert game.view.read_move(state[0], typed) == moves[-1]


@pytest.mark.parametrize("typed", ["3h knock", "knock 3h", "3H !", "k 3h", "3h gin"])
def test_a_knock_is_read_in_any_order(typed):
    game = find_game(f"gin:rules=full,length=hand,{KNOCKING}")
    state = start_game(game, 1, 0, 0, 2)
    play_move(game, state, rules.UPCARD)
    assert game.view.read_move(state[0], typed) == card("3h") + rules.KNOCK


def test_under_the_study_s_rules_a_knock_may_be_said_but_needs_not():
    game = find_game(f"gin:{KNOCKING}")
    state = start_game(game, 1, 0, 0, 2)
    play_move(game, state, game.view.read_move(state[0], "up"))
    assert game.view.read_move(state[0], "3h knock") == game.view.read_move(state[0], "3h") == card("3h")


@pytest.mark.parametrize(
    ("moves", "typed", "reason"),
    [
        ([], "stock", "the first upcard is offered"),
        ([], "Kd", "draw a card first"),
        ([], "hello", "draw a card first"),
        ([rules.UPCARD], "up", "'up' is not a card"),
        ([rules.UPCARD], "Ks", "you have just taken Ks"),
        ([rules.UPCARD], "Ah", "Ah is not in your hand"),
        ([rules.UPCARD], "Kd knock", "37 would be left; 10 is the most to knock with"),
        ([rules.UPCARD], "knock", "type the card to throw"),
        ([rules.UPCARD], "Kd 9h", "type the card to throw"),
        ([rules.UPCARD, card("Kd")], "pass", "only the first upcard can be left"),
    ],
)
def test_what_is_no_move_is_refused_with_the_reason(moves, typed, reason):
    game, state = after(*moves)
    with pytest.raises(UserError, match=reason) as error:
        game.view.read_move(state[0], typed)
    assert "\n" not in str(error.value)


# Inputs.


@pytest.mark.parametrize("encoding", encodings.NAMES)
def test_every_input_has_a_label_that_says_where_a_card_is(encoding):
    game, state = after(rules.UPCARD, card("9h"))
    labels, outputs = game.view.net_labels(encoding, "net", 1)
    assert len(labels) == len(set(labels)) == game.policies.encodings[encoding] and outputs == ["value"]
    index, value = (
        np.zeros(game.policies.encodings[encoding], np.int64),
        np.zeros(game.policies.encodings[encoding], np.float32),
    )
    count = encodings.inputs(records(state)[0], 1, encodings.NAMES.index(encoding), index, value)
    seen = {labels[i]: float(value[n]) for n, i in enumerate(index[:count])}
    if encoding == "cards":
        assert (seen["Ac"], seen["Ks"], seen["9h"]) == (2, -2, -1) and "2h" not in seen
    elif encoding in ("table", "match"):
        assert (encoding == "match") == ("their points to win" in seen)
        assert seen.get("Ac deadwood", seen.get("Ac melded")) == seen["Ks theirs"] == 1 and "2h theirs" not in seen
    else:
        assert seen["Ac mine"] == seen["Ks theirs"] == seen["9h discarded"] == seen["2h unknown"] == 1


# At the terminal.


def sparring(folder: Path, typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sparring", *words, "--runs", str(folder / "runs")]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


def test_a_hand_can_be_played_at_the_terminal_and_is_logged(tmp_path):
    log = tmp_path / "mine.log"
    words = ("play", "gin:rules=full,length=hand", "--against", "simple", "--seed", "3", "--log", str(log))
    done = sparring(tmp_path, "1\n" * 200, *words)
    assert done.returncode == 0, done.stderr
    (result,) = Store(tmp_path / "runs").read_results("play")
    assert result["players"] == ["you", "simple"] and result["text"] == read_log(log).games[0]
    *before, end = done.stdout.split("stock ")[1:]
    assert all("seat 1   1" in board for board in before if "seat 1" in board), "its hand is shown"
    assert end.count("deadwood") == 2


def test_at_the_terminal_words_are_moves(tmp_path):
    typed = "stock\nup\nKs\nKd knock\n9h\nquit\n"
    done = sparring(tmp_path, typed, "play", f"gin:rules=full,length=hand,{OPEN}", "--against", "simple", "--seed", "1")
    for words in ("the first upcard is offered", "you have just taken Ks", "37 would be left", "Simple discards Q♥"):
        assert words in done.stdout
    assert done.returncode == 130
