"""A person's game at the terminal, typed by a script: every word is answered, and the result is recorded."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from altered import altered
from sparring.arena.players import default_opponent
from sparring.arena.session import result_text
from sparring.arena.statistics import rate_interval
from sparring.cli import main
from sparring.games import find_game
from sparring.games.backgammon.positions import Position, xgid
from sparring.games.card_names import card_text
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts.cards import card_name, cards_of
from sparring.lab.log import read_log
from sparring.lab.person_record import own_records
from sparring.lab.store import Store

BACKGAMMON = find_game("backgammon")


def play(folder: Path, typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sparring", "play", *words, "--runs", str(folder / "runs")]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


@pytest.fixture
def at_table(tmp_path, monkeypatch, capsys):
    """Play with what is typed, in this process; returns all that is printed."""

    def play_here(typed: str, *words: object, status: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert main(["play", *map(str, words), "--runs", str(tmp_path)]) == status
        return capsys.readouterr().out

    return play_here


def test_a_whole_game_by_numbers_is_played_logged_and_recorded(tmp_path):
    log = tmp_path / "mine.log"
    done = play(tmp_path, "1\n" * 2000, "backgammon", "--against", "simple", "--seed", "3", "--log", str(log))
    assert done.returncode == 0, done.stderr
    (result,) = Store(tmp_path / "runs").read_results("play")
    assert log.stat().st_mode & 0o077 == 0
    assert result["players"] == ["you", "simple"]
    assert sum(result["scores"]) == 0
    assert result["text"] == read_log(log).games[0]
    best = max(result["scores"])
    word = "You win" if result["scores"][0] > 0 else "Simple wins"
    assert f"{word}, {best} to {-best}" in done.stdout


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("24/20", "no 4 was rolled"),
        ("24/22", "both"),
        ("20/18", "no checker"),
        ("pass", "can be played"),
        ("99", "there are"),
        ("6/off", "home"),
        ("nonsense", "nonsense"),
    ],
)
def test_what_is_no_move_is_refused_with_the_reason_and_asked_again(at_table, typed, reason):
    out = at_table(f"{typed}\nquit\n", "backgammon", "--against", "simple", "--seed", 4, status=130)  # rolls 52
    assert reason in out
    assert out.count("your move with 52>") == 2


def test_stopping_records_nothing(tmp_path):
    done = play(tmp_path, "1\n", "backgammon", "--against", "simple", "--seed", "4")
    assert done.returncode == 130
    assert "go on with: sparring play --resume" in done.stderr
    assert Store(tmp_path / "runs").read_results("play") == []


def test_a_forced_pass_is_announced(at_table):
    """A checker on the bar against a closed board: there is nothing to type until the other side has moved."""
    mine, theirs = [0] * 26, [0] * 26
    mine[25], mine[6] = 1, 14
    for point in range(1, 7):
        theirs[point] = 2
    theirs[13] = 3
    closed = xgid(Position(tuple(mine), tuple(theirs), (6, 5)))
    out = at_table("quit\n", f"backgammon:start={closed}", "--against", "simple", "--seed", 1, status=130)
    assert "You roll 65 and have no choice: pass" in out
    assert "Simple rolls" in out


def test_every_game_can_be_played_by_numbers(tmp_path):
    done = play(tmp_path, "1\n" * 3000, "golf", "--seed", "2", "--second")
    assert done.returncode == 0, done.stderr
    (result,) = Store(tmp_path / "runs").read_results("play")
    assert result["game"] == "golf" and result["players"][1] == "you"


def test_the_opponent_left_out_is_the_champion():
    assert default_opponent(BACKGAMMON) == "champion"
    assert default_opponent(altered(find_game("golf"), champions={})) == "greedier"


# Several others at the table.

ROUND = "hearts:rounds=1"
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
NUMBERS = "1\n" * 100


@pytest.mark.parametrize("seat", [0, 2])
def test_a_person_sits_among_three_of_a_player_in_any_seat(tmp_path, at_table, seat):
    log = tmp_path / "mine.log"
    out = at_table(NUMBERS, ROUND, "--seed", 3, "--seat", seat, "--log", log, "--against", "rule-based")
    (result,) = Store(tmp_path).read_results("play")
    names = ["rule-based", "rule-based #2", "rule-based #3"]
    names.insert(seat, "you")
    assert (result["players"], result["seat"], result["against"]) == (names, seat, ["rule-based"] * 3)
    assert "> you   0 + 0 points" in out
    assert sum(result["scores"]) == 26 and result["tally"]["taken"] == result["scores"]
    read = read_log(log)
    assert read.games == [result["text"]] and read.names(0) == names and read.played(0).deal == 0
    score = result["text"].splitlines()[-1]
    assert score == "score " + " ".join(map(str, result["scores"]))


def test_the_others_can_be_named_one_by_one_and_several_play_golf_too(tmp_path, at_table):
    at_table(NUMBERS, ROUND, "--seed", 3, "--seat", 1, "--against", "random,rule-based,random")
    at_table("1\n" * 500, "golf", "--seed", 3, "--seat", 2, "--against", "random,greedier")
    hearts, golf = Store(tmp_path).read_results("play")
    assert hearts["players"] == ["random", "you", "rule-based", "random #2"]
    assert hearts["against"] == ["random", "rule-based", "random"]
    assert golf["players"] == ["random", "greedier", "you"] and len(golf["scores"]) == 3


def test_what_others_pass_is_not_told(at_table):
    out = at_table("quit\n", ROUND, "--seed", 3, "--seat", 3, "--against", "rule-based", status=130)
    passed = [f"Rule-based{mark} passes three cards to the left" for mark in ("", " #2", " #3")]
    assert [line for line in out.splitlines() if "passes" in line] == passed
    assert not CARD.findall(out.split("your move>")[0].split("\n\n", 1)[0])


def test_of_hidden_moves_nothing_is_heard_but_that_they_were_made():
    game = find_game("hearts:rounds=2")
    state, random = start_game(game, 1, 0, 0, 4), np.random.default_rng(1)
    while not state[0]["over"]:
        move = int(random.choice(legal_moves(game, state)))
        turn, passing = int(state[0]["turn"]), game.view.state_json(state[0])["phase"] == "pass"
        for seat in range(4):
            heard = game.view.sentence(state[0], move, seat, "ann")
            assert (card_text(card_name(move)) in heard) == (not passing or seat == turn)
            assert not (passing and seat != turn and set(heard) & set("♣♦♥♠"))
        play_move(game, state, move)


def test_a_game_in_which_nothing_is_hidden_is_heard_as_it_is_played():
    state = start_game(BACKGAMMON, 1, 0, 0, 2)
    move = legal_moves(BACKGAMMON, state)[0]
    roll, play = BACKGAMMON.view.roll(state[0]), BACKGAMMON.view.move_text(state[0], move)
    assert BACKGAMMON.view.sentence(state[0], move, 1, "ann") == f"Ann rolls {roll} and plays {play}"
    assert BACKGAMMON.view.sentence(state[0], move, 0, "you") == f"You roll {roll} and play {play}"


def test_tricks_and_rounds_are_announced(at_table, tmp_path):
    out = at_table(NUMBERS * 2, "hearts:rounds=2", "--seed", 3, "--seat", 2, "--against", "rule-based")
    (result,) = Store(tmp_path).read_results("play")
    assert len(re.findall(r"(You take|Rule-based( #[23])? takes) the trick", out)) == 26
    assert sum(map(int, re.findall(r"takes? the trick with (\d+) points?\n", out))) == 52
    assert "\nRound 1: rule-based " in out and "\nRound 2: rule-based " in out
    you = f"you {result['scores'][2]}, rule-based #3"
    assert re.search(rf"^So far: .*{re.escape(you)}", out, re.MULTILINE)
    assert re.search(rf"(wins?|drawn): .*{re.escape(you)}", out)


def test_cards_are_typed_as_words_and_the_only_one_is_played_unasked(at_table):
    game = find_game(ROUND)
    hand = cards_of(start_game(game, 3, 0, 0, 4)[0]["hand"][2])
    missing = next(card for card in range(52) if card not in hand)
    typed = "".join(f"{card_name(card)}\n" for card in [missing, *hand[:3]]) + "board\nlist\nquit\n"
    out = at_table(typed, ROUND, "--seed", 3, "--seat", 2, "--against", "rule-based", status=130)
    given = " ".join(map(card_name, hand[:3]))
    assert f"{card_name(missing)} is not in your hand" in out and f"you {given}\n" in out
    suits = "/".join("".join(rank + suit for rank in "23456789TJQKA") for suit in "cdhs")
    out = at_table("quit\n", f"{ROUND},passing=off,start={suits}", "--seed", 3, "--against", "rule-based", status=130)
    assert "You have no choice: lead 2♣\n" in out


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([9, 4, 8, 5], "you win: a 9, you 4, b 8, c 5"),
        ([9, 8, 4, 5], "b wins: a 9, you 8, b 4, c 5"),
        ([9, 4, 8, 4], "you and c share first place: a 9, you 4, b 8, c 4"),
    ],
)
def test_the_fewest_points_alone_win(scores, words):
    assert result_text(find_game("hearts"), ["a", "you", "b", "c"], scores, viewer=1) == words


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ["hearts", "--against", "random,random"],
            "hearts is for 4 players, not 3; one player can be named for all other seats",
        ),
        (["golf", "--against", "random,random,random,random"], "golf is for 2 or 3 or 4 players, not 5"),
        (["hearts", "--against", "random,randon,random"], "unknown player 'randon'"),
        (["hearts", "--seat", "4"], "--seat 4: must be from 0 to 3"),
        (["golf", "--seat", "2"], "--seat 2: must be from 0 to 1"),
    ],
)
def test_tables_that_cannot_be_are_refused(tmp_path, capsys, words, reason):
    assert main(["play", *words, "--runs", str(tmp_path)]) == 2
    assert reason in capsys.readouterr().err


# A person's own record.


def record(tmp_path, capsys, *words: str) -> list[dict]:
    assert main(["record", *words, "--json", "--runs", str(tmp_path)]) == 0
    return json.loads(capsys.readouterr().out)["records"]


def test_every_finished_game_is_part_of_the_record(tmp_path, capsys, at_table):
    for seed in (3, 4, 5):
        at_table(NUMBERS, ROUND, "--seed", seed, "--seat", seed - 2, "--against", "rule-based")
    at_table(NUMBERS, ROUND, "--seed", 3, "--against", "random,random,rule-based")
    at_table("1\n" * 500, "golf", "--seed", 3)
    at_table("1\nquit\n", "golf", "--seed", 3, status=130)
    golf, often, once = record(tmp_path, capsys)
    played = [result for result in Store(tmp_path).read_results("play") if result["against"] == ["rule-based"] * 3]
    mine = np.array([result["scores"][result["seat"]] for result in played])
    won = [score == min(result["scores"]) for score, result in zip(mine, played, strict=True)]
    assert (golf["game"], golf["against"], golf["games"]) == ("golf", ["champion"], 1)
    assert (often["game"], often["rules"], often["games"]) == (ROUND, 1, 3) and often["against"] == ["rule-based"] * 3
    assert once["against"] == ["random", "random", "rule-based"]
    assert often["score"][0] == pytest.approx(mine.mean()) and often["wins"] == sum(won)
    assert often["win_rate"] == rate_interval(np.array(won, float)).json()
    assert often["others_score"][0] == pytest.approx((26 - mine.mean()) / 3)
    assert often["measures"]["points_per_round"] == often["score"]
    assert "moons" in often["measures"] and not {"moons_tried", "moons_made", "defended"} & set(often["measures"])
    assert record(tmp_path, capsys, "hearts") == [often, once]
    assert record(tmp_path, capsys, ROUND) == [often, once] and record(tmp_path, capsys, "hearts:rounds=2") == []


def test_the_record_is_shown_as_tables(tmp_path, capsys, at_table):
    for seed in (3, 4):
        at_table(NUMBERS, ROUND, "--seed", seed, "--against", "rule-based")
    assert main(["record", "--runs", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "hearts:rounds=1: your games" in out and "against 3 rule-based" in out
    for row in ("games won", "the others' score", "points per round", "moons"):
        assert re.search(rf"{row} .*\(.* to .*\)", out)


def test_without_games_the_record_says_how_to_play_one(tmp_path, capsys):
    assert main(["record", "hearts", "--runs", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("play one: sparring play hearts\n")


def test_games_recorded_before_there_were_tallies_count_too(tmp_path, at_table):
    at_table("1\n" * 500, "golf", "--seed", 3, "--second")
    store = Store(tmp_path)
    (result,) = store.read_results("play")
    (before,) = own_records(store)
    for name in ("seat", "against", "tally"):
        del result[name]
    store.record_results("play", [result, result | {"rules": 0}])
    older, after = own_records(store)
    assert (older.rules, older.games, older.measures) == (0, 1, {})
    assert after.games == 2 and after.against == ("champion",)
    assert {name: each.value for name, each in after.measures.items()} == {
        name: each.value for name, each in before.measures.items()
    }


def test_games_of_modules_that_a_store_names_are_not_imported(tmp_path):
    store = Store(tmp_path)
    store.record_results("play", [{"game": "no.such.module", "rules": 1, "players": ["you", "x"], "scores": [1, 2]}])
    assert own_records(store) == [] and own_records(store, find_game("golf")) == []
