"""A person's game at the terminal, typed by a script: every word is answered, and the result is recorded."""

import subprocess
import sys
from pathlib import Path

import pytest

from sparring.cli.play import default_opponent
from sparring.games import find_game
from sparring.games.backgammon.positions import Position, xgid
from sparring.lab.log import read_log
from sparring.lab.store import Store

BACKGAMMON = find_game("backgammon")


def play(folder: Path, typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sparring", "play", *words, "--runs", str(folder / "runs")]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


def test_a_whole_game_by_numbers_is_played_logged_and_recorded(tmp_path):
    log = tmp_path / "mine.log"
    done = play(tmp_path, "1\n" * 2000, "backgammon", "--against", "simple", "--seed", "3", "--log", str(log))
    assert done.returncode == 0, done.stderr
    (result,) = Store(tmp_path / "runs").read_results("play")
    assert result["players"] == ["you", "simple"]
    assert sum(result["scores"]) == 0
    assert result["text"] == read_log(log).games[0]
    word = "you win" if result["scores"][0] > 0 else "simple wins"
    assert f"{word}: {result['scores'][0]} to {result['scores'][1]}" in done.stdout


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
def test_what_is_no_move_is_refused_with_the_reason_and_asked_again(tmp_path, typed, reason):
    done = play(tmp_path, f"{typed}\nquit\n", "backgammon", "--against", "simple", "--seed", "4")  # rolls 52
    assert reason in done.stdout
    assert done.stdout.count("your move with 52>") == 2
    assert done.returncode == 130


def test_stopping_records_nothing(tmp_path):
    done = play(tmp_path, "1\n", "backgammon", "--against", "simple", "--seed", "4")
    assert done.returncode == 130
    assert "not recorded" in done.stderr
    assert Store(tmp_path / "runs").read_results("play") == []


def test_a_forced_pass_is_announced(tmp_path):
    """A checker on the bar against a closed board: there is nothing to type until the other side has moved."""
    mine, theirs = [0] * 26, [0] * 26
    mine[25], mine[6] = 1, 14
    for point in range(1, 7):
        theirs[point] = 2
    theirs[13] = 3
    closed = xgid(Position(tuple(mine), tuple(theirs), (6, 5)))
    done = play(tmp_path, "quit\n", f"backgammon:start={closed}", "--against", "simple", "--seed", "1")
    assert "you roll 65 and have no choice: pass" in done.stdout
    assert "simple rolls" in done.stdout


def test_every_game_can_be_played_by_numbers(tmp_path):
    done = play(tmp_path, "1\n" * 3000, "golf", "--seed", "2", "--second")
    assert done.returncode == 0, done.stderr
    (result,) = Store(tmp_path / "runs").read_results("play")
    assert result["game"] == "golf" and result["players"][1] == "you"


def test_the_opponent_left_out_is_the_champion():
    assert default_opponent(BACKGAMMON) == "champion"
    assert default_opponent(find_game("golf")) == "greedier"
