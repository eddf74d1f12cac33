"""Players watched in the terminal: every game from its first move to its last, in colours where there are any."""

import io
import re
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import characters, sampled_from, text
from rich.console import Console

from sparring.arena.match import match
from sparring.arena.session import result_text
from sparring.cli import main, show, watch
from sparring.cli.paint import SEATS, Painter
from sparring.games import GAMES, find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.lab.log import read_log

SHORT = {"gin": "gin:limit=40", "hearts": "hearts:rounds=1", "conquest": "conquest:rounds=6", "golf": "golf"}
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@pytest.fixture
def watched(capsys):
    """Watch a game; returns all that is printed."""

    def watch_here(*words: object, status: int = 0) -> str:
        assert main(["watch", *map(str, words)]) == status
        return capsys.readouterr().out

    return watch_here


@pytest.fixture
def terminal(monkeypatch):
    """A terminal to print to, with colours or as it is told."""

    def open_one(**told: object) -> io.StringIO:
        written = io.StringIO()
        console = Console(file=written, force_terminal=True, width=100, highlight=False, markup=False, **told)
        monkeypatch.setattr(show, "out", console)
        return written

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return open_one


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_shown_move_by_move_and_logged(tmp_path, watched, name):
    game, log = find_game(SHORT.get(name, name)), tmp_path / "seen.log"
    seats = game.rules.seats[0]
    players = [game.builtin[n % len(game.builtin)] for n in range(seats)]
    out = watched(game.name, *players, "--seed", 3, "--log", log)
    read = read_log(log, game)
    _, moves = game.view.read_moves(read.games[0], "log")
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", out, re.MULTILINE)]
    assert numbers == list(range(1, len(moves) + 1))
    state, names = start_game(game, 3, 0, 0, seats), read.names(0)
    for move in moves:
        assert game.view.sentence(state[0], move, None, names[int(state[0]["turn"])]) in out
        play_move(game, state, move)
    assert (
        re.search(r"^(Drawn|.* wins|.* share first place): ", out, re.MULTILINE) and f"seed {read.header.seed}" in out
    )
    assert out.endswith(f"logged in {log}\n") and not ESCAPE.search(out)


def test_it_is_the_game_that_a_match_plays(watched):
    """The same players, seats and seed: the first game of a match as they are named."""
    kept = []
    match("golf", "greedier", "random", pairs=1, seed=7, keep=kept.extend, seating="given")
    out = watched("golf", "greedier", "random", "--seed", 7)
    assert len(re.findall(r"^\d+\. ", out, re.MULTILINE)) == len(kept[0].moves)
    assert watched("golf", "greedier", "random", "--seed", 7) == out


def test_of_two_at_a_larger_table_the_second_has_the_rest(watched):
    out = watched("hearts:rounds=1", "rule-based", "random", "--seed", 3)
    assert "rule-based against random against random #2 against random #3" in out
    assert "Random #3 passes" in out and len(re.findall("takes the trick", out)) == 13
    assert len(re.findall(r"\b[2-9TJQKA]+[cdhs]\b", out.split("1. ")[0])) >= 12, "all hands are open"


def test_several_play_golf(watched):
    out = watched("golf", "greedier", "random", "greedier", "--seed", 3)
    assert "greedier #2" in out and re.search(r"wins: greedier -?\d+, random -?\d+, greedier #2", out)


def test_enter_steps_and_q_stops(watched, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n\nq\n"))
    out = watched("golf", "random", "random", "--seed", 3, "--step", status=130)
    assert out.count("Enter: the next move") == 4
    assert re.findall(r"^(?:Enter.*> )?(\d+)\. ", out, re.MULTILINE) == ["1", "2", "3"]


def test_without_more_to_read_stepping_stops(watched, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "1. " not in watched("golf", "random", "random", "--seed", 3, "--step", status=130)


def test_stopping_logs_no_game(tmp_path, watched, monkeypatch):
    log = tmp_path / "seen.log"
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nq\n"))
    watched("golf", "random", "random", "--seed", 3, "--step", "--log", log, status=130)
    assert log.read_text().count("\n") == 1  # what it is, and no game


def test_moves_are_made_at_the_pace_that_is_asked_for(watched, monkeypatch):
    waited = []
    monkeypatch.setattr(watch.time, "sleep", waited.append)
    out = watched("conquest:rounds=2", "random", "random", "--pace", 0.25)
    assert waited == [0.25] * out.count(". Random") and len(waited) == 4
    waited.clear()
    watched("conquest:rounds=2", "random", "random")
    assert set(waited) == {0.0}, "nobody waits for a pipe"


def test_in_a_terminal_the_board_stays_in_its_place_and_waits_a_second(terminal, monkeypatch):
    written, waited = terminal(color_system="standard"), []
    monkeypatch.setattr(watch.time, "sleep", waited.append)
    assert main(["watch", "hearts:rounds=1", "random", "random", "--seed", "3"]) == 0
    screens = written.getvalue().split("\x1b[2J")[1:]
    assert len(screens) == 65 and set(waited) == {watch.PACE}
    plain = [ESCAPE.sub("", screen) for screen in screens]
    assert all(screen.startswith("hearts:rounds=1: ") for screen in plain)
    assert "12. " in plain[12] and "8. " in plain[12] and "\n6. " not in plain[12]


# Colours.


def spans(painter: Painter, words: str) -> dict[str, str]:
    """What is painted, and how."""
    painted = painter.paint(words)
    assert painted.plain == words
    return {words[span.start : span.end]: str(span.style) for span in painted.spans}


def test_red_suits_are_red_and_black_ones_are_not():
    found = spans(Painter(find_game("gin"), ["a", "b"]), "[5c 6d 7h] 78JQKd Ts 10♥ A♠ 2♦ add 13/7 Th")
    assert found == dict.fromkeys(("6d", "7h", "78JQKd", "10♥", "2♦", "Th"), "red")


def test_seats_and_players_have_their_colours():
    painter = Painter(find_game("hearts"), ["you", "random", "random #2", "x+1ply"])
    found = spans(painter, "You take it, seat 1.\nRandom #2 plays, your move, x+1ply; > seat 3\n> random")
    assert found == {
        "You": SEATS[0],
        "seat 1": SEATS[1],
        "Random #2": SEATS[2],
        "x+1ply": SEATS[3],
        "seat 3": SEATS[3],
        ">": "bold",
        "random": SEATS[1],
    }


def test_games_with_colours_of_their_own_have_those():
    conquest = Painter(find_game("conquest"), ["greedy", "idle"])
    assert spans(conquest, "| b1 | r12 | . | greedy idle blue red") == {
        "b1": "bright_blue",
        "blue": "bright_blue",
        "greedy": "bright_blue",
        "r12": "bright_red",
        "red": "bright_red",
        "idle": "bright_red",
    }
    checkers = Painter(find_game("backgammon:start=hypergammon"), ["a", "b"])
    assert spans(checkers, "| X  O |BAR|  OFF XO") == {"X": "bright_cyan", "O": "bright_yellow"}


PRINTABLE = characters(exclude_categories=["C"])  # a terminal is not told to do things by a name: those are left out


@settings(max_examples=60, deadline=None)
@given(words=text(PRINTABLE, max_size=60), name=text(PRINTABLE, min_size=1, max_size=12), game=sampled_from([*GAMES]))
def test_painting_never_changes_what_is_said(words, name, game):
    assert Painter(find_game(game), [name, "x"]).paint(f"{words} {name}").plain == f"{words} {name}"


def test_a_name_cannot_tell_the_terminal_what_to_do():
    assert "\r" not in Painter(find_game("golf"), ["a\rb", "x"]).paint("a\rb wins").plain


@pytest.mark.parametrize("name", GAMES)
def test_boards_are_the_same_text_with_and_without_colours(terminal, name):
    game = find_game(name)
    painter, random = Painter(game, [f"player {n}" for n in range(game.rules.seats[0])]), np.random.default_rng(1)
    state = start_game(game, 1, 0, 0, game.rules.seats[0])
    for _ in range(20):
        play_move(game, state, int(random.choice(legal_moves(game, state))))
    board = game.view.text(state[0])
    written = terminal(color_system="standard")
    painter.say(board)
    assert ESCAPE.search(written.getvalue()) and ESCAPE.sub("", written.getvalue()) == board + "\n"
    plain = terminal(color_system=None)
    painter.say(board)
    assert plain.getvalue() == board + "\n"


def test_a_terminal_that_wants_no_colours_gets_none(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    written = terminal(color_system="standard")
    Painter(find_game("gin"), ["a", "b"]).say("6d seat 1")
    assert written.getvalue() == "6d seat 1\n"


def test_a_person_s_board_is_painted_too(terminal, monkeypatch, tmp_path):
    written = terminal(color_system="standard")
    monkeypatch.setattr(sys, "stdin", io.StringIO("list\nquit\n"))
    assert main(["play", "hearts", "--against", "random", "--seed", "3", "--runs", str(tmp_path)]) == 130
    assert re.search(r"\x1b\[31m[2-9TJQKA]+h\x1b", written.getvalue()), "hearts are red"
    assert "\x1b[96myou" in written.getvalue()


# What is said at the end, and bad input.


@pytest.mark.parametrize(
    ("scores", "words"),
    [([9, 4], "b wins: a 9, b 4"), ([3, 4], "a wins: a 3, b 4"), ([4, 4], "drawn: a 4, b 4")],
)
def test_who_watches_hears_every_score_by_name(scores, words):
    assert result_text(find_game("golf"), ["a", "b"], scores) == words


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["golf", "greedier"], "golf is for 2 or 3 or 4 players, not 1"),
        (["hearts", "random", "random", "random"], "hearts is for 4 players, not 3"),
        (["golf", "greedier", "randon"], "unknown player 'randon': did you mean 'random'?"),
        (["glof", "random", "random"], "unknown game 'glof'"),
        (["golf", "random", "random", "--pace", "-1"], "--pace"),
        (["golf", "random", "random", "--pace", "2", "--step"], "--step, --pace 2: "),
        (["golf"], "'players'"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_line(capsys, words, reason):
    assert main(["watch", *words]) == 2
    told = capsys.readouterr()
    assert reason in told.err and told.err.count("\n") == 1 and not told.out


def test_a_log_that_is_there_already_is_not_overwritten(tmp_path, capsys):
    log = tmp_path / "seen.log"
    log.write_text("mine\n")
    assert main(["watch", "golf", "random", "random", "--log", str(log)]) == 2
    assert "exists already" in capsys.readouterr().err and log.read_text() == "mine\n"
