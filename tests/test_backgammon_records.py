"""Backgammon games and match files as text, read back and refused; and the board as people see it."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon_tables import ONE_LINE, STANDARD, XGID, begun, random_game, random_moves, refusal, side, table
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon import rules
from sparring.games.backgammon.game_record import read_record, record_of
from sparring.games.backgammon.mat import read_mat, write_mat
from sparring.games.backgammon.notation import read_play
from sparring.games.backgammon.picture import board_svg
from sparring.games.backgammon.positions import STARTS, Position, read_position
from sparring.games.backgammon.view import BackgammonView
from sparring.games.view import FRAMES

VIEW = find_game("backgammon").view

# Games.


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("single", [0, 1])
def test_a_game_comes_back_from_its_text_with_its_moves_and_tally(start, single):
    for deal in range(3):
        state = begun(start, deal, single)
        moves = tuple(move for _, move in random_moves(state, deal))
        text = record_of(VIEW.game, begun(start, deal, single), moves).text()
        assert text.isascii() and "\n\n" not in text
        assert VIEW.read_moves(text, "game") == (2, moves)
        assert VIEW.game_tally(text, "game").tobytes() == state["tally"].tobytes()
        assert read_record(text, "game").text() == text


def test_the_first_and_the_last_line_say_the_start_the_scoring_and_the_result():
    lines = random_game("hypergammon", 2, 1).split("\n")
    assert lines[0] == "start hypergammon single"
    assert re.fullmatch(r"[01] [1-6]{2}: .+", lines[1])
    assert re.fullmatch(r"[01] wins 1(, gammon|, backgammon)?", lines[-1])


def test_a_start_without_a_name_is_its_position_id_and_what_is_off_if_not_all_play():
    for mover, other, first in [
        (side("1"), side("2"), "start AgAABAAAAAAAAA"),
        (side("1", off=0), side("2", off=3), "start AgAABAAAAAAAAA off 0 3"),
    ]:
        text = f"{first}\n0 65: 1/off\n0 wins 1"
        record = read_record(text, "game")
        assert (record.start, record.terms.single) == (Position(mover, other), False)
        assert record.text() == text


GAME = "start beginner-5\n0 31: 8/5 6/5\n1 61: 13/7 8/7"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game, line 1: a game begins with a line such as 'start standard', not ''"),
        ("start nowhere-to-be-seen", "game, line 1: position 'nowhere-to-be-seen': neither"),
        ("start standard", "game, line 2: a turn is needed, such as '0 31: 8/5 6/5'"),
        ("start standard off 1 0\n0 31: 8/5 6/5", "game, line 1: 1 checkers off and 15 on the board; a side has 15"),
        (
            f"start XGID={XGID.replace(':00:', ':52:')}\n0 31: 8/5 6/5\n",
            "game, line 2: the start says that 52 was rolled",
        ),
        (GAME, "game: the game is incomplete: its turns do not lead to an end"),
        (GAME + "\n1 61: 8/7 8/2\n", "game, line 4: it is the turn of seat 0"),
        (GAME + "\n0 71: 8/7 8/2\n", "game, line 4: '0 71: 8/7 8/2' is not a turn, such as '0 31: 8/5 6/5'"),
        (GAME + "\n0 61: 13/10\n", "game, line 4: 13/10: no 3 was rolled: the dice are 6 and 1"),
        (
            "start AgAABAAAAAAAAA\n0 65: 1/off\n0 wins 3",
            "the last line is '0 wins 3', but the game ends with '0 wins 1'",
        ),
        ("start AgAABAAAAAAAAA\n0 65: 1/off\n0 65: 1/off\n", "game, line 3: the game is over already"),
    ],
)
def test_a_game_that_is_wrong_is_refused_with_its_line(text, message):
    assert message in refusal(read_record, text, "game")


def test_a_game_of_the_longest_length_is_drawn():
    """Both sides closed out on the bar: no start that can be read, but the rules must end it, and its text say so."""
    state = np.zeros(1, rules.State)
    state["rules"]["board"] = state["board"] = side("1:2 2:2 3:2 4:2 5:2 6:2 bar:3")
    state["dice"] = (2, 1)
    text = record_of(VIEW.game, state, (board_plays.PASS,) * rules.MOVE_LIMIT).text()
    assert text.endswith(": pass\ndrawn")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.integers(0, 400))
def test_no_text_ends_in_anything_but_one_line(noise, place):
    """A good text with something foreign in it is read or refused, never anything else."""
    game, s = "start standard\n0 31: 8/5 6/5\n1 61: 13/7 8/7", table(STANDARD, STANDARD, (3, 1))
    damaged = game[: place % len(game)] + noise + game[place % len(game) :]
    for call, args in [
        (read_record, (damaged, "game")),
        (read_mat, (GNU_MATCH[:place] + noise + GNU_MATCH[place:], "match")),
        (read_position, (noise,)),
        (read_position, (XGID[: place % 46] + noise + XGID[place % 46 :],)),
        (read_play, (s, f"8/5 {noise} 6/5")),
    ]:
        try:
            call(*args)
        except UserError as error:
            assert ONE_LINE.fullmatch(str(error))


# Match files.
GNU_MATCH = """ 3 point match

 Game 1
 gnubg : 0                      root : 0
  1)                             21: 13/11 24/23
  2) 52: 13/8 24/22              63: 8/5 11/5
  3) 53: 8/3 6/3                 62: 13/7 7/5
  4) 42: 8/4 6/4                 41: 13/9 9/8
  5) 31: 22/21 24/21             21: 5/3 6/5
  6) 43: 13/10 10/6              65: 23/18 24/18
  7) 52: 6/1 3/1                 33: 18/15 18/15 13/10 13/10
  8) 51: 6/5 8/3                 52: 3/1 6/1
  9) 65: 13/7 7/2                32: 5/3 6/3
 10) 63: 5/2 8/2                 62: 8/2 3/1
 11) 51: 2/1 21/16               42: 8/4* 4/2
 12) 66:                         22: 15/13 13/11 11/9* 3/1
 13) 54: 25/21                   66: 15/9 10/4* 10/4 8/2
 14) 31: 25/22                   43: 9/5 9/6
 15) 53: 25/22 13/8              52: 5/0 2/0
 16) 31: 8/5 13/12               32: 6/4 4/1
 17) 43: 12/9 9/5                63: 5/2 6/0
 18) 33: 22/19* 19/16 16/13 13/10 32:
 19) 63: 22/16 16/13             65:
 20) 22: 13/11 11/9 9/7 7/5      41:
 21) 21: 10/8 8/7                43:
 22) 32: 7/4 5/3                 42:
 23) 63: 6/3 6/0                 33:
 24) 53: 5/0 5/2                 63: 25/19 19/16
 25) 65: 4/0 4/0                 32: 16/14 14/11
 26) 52: 4/0 2/0                 43: 11/8 8/4
 27) 43: 3/0 3/0                 44: 5/1 4/0 4/0 4/0
 28) 42: 3/0 2/0                 33: 2/0 2/0 2/0 1/0
 29) 51: 1/0 3/0                 31: 1/0 1/0
 30) 55: 2/0 1/0 1/0
      Wins 1 point
"""


def test_a_match_played_and_written_by_gnu_backgammon_is_read():
    (game,), names = read_mat(GNU_MATCH, "match")
    assert names == [["gnubg", "root"]]
    lines = game.split("\n")
    assert lines[:3] == ["start standard", "1 21: 24/23 13/11", "0 52: 24/22 13/8"]
    assert lines[21:25] == ["1 42: 8/4*/2", "0 66: pass", "1 22: 15/9* 3/1", "0 54: bar/21"]
    assert lines[-1] == "0 wins 1"


def test_games_come_back_from_a_match_file():
    for start in ("standard", "hypergammon"):
        for single in (0, 1):
            games = [random_game(start, deal, single) for deal in range(4)]
            names = [["ann", "bob"]] * 4
            assert read_mat(write_mat(games, names), "match") == (games, names)


def test_a_player_keeps_its_column_and_its_score_when_seats_are_exchanged():
    games, names = [random_game(deal=0), random_game(deal=0)], [["ann", "bob"], ["bob", "ann"]]
    text = write_mat(games, names)
    (first, second), read = read_mat(text, "match")
    assert read == [["ann", "bob"], ["ann", "bob"]]
    assert first == games[0]
    exchanged = str.maketrans("01", "10")
    assert [line[:1].translate(exchanged) + line[1:] for line in second.split("\n")[1:]] == games[1].split("\n")[1:]
    winner, points = int(games[0].split("\n")[-1][0]), int(games[0].split("\n")[-1].split()[2].rstrip(","))
    scores = [points if column == winner else 0 for column in (0, 1)]
    assert re.search(rf" Game 2\n ann : {scores[0]} +bob : {scores[1]}\n", text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "  2) 52: 13/8 24/22",
            "  2)  Doubles => 2",
            "match, line 6: doubles: games with a doubling cube are not supported",
        ),
        ("13/8 24/22", "13/8 24/21", "match, line 6: 24/21: no 3 was rolled: the dice are 5 and 2"),
        ("Wins 1 point", "Wins 3 points", "match, line 3: wins 3 points, but the game ends with '0 wins 1'"),
        (" 30) 55: 2/0 1/0 1/0", "", "match, line 3: the game is unfinished; resigned and unfinished games"),
        (" gnubg : 0                      root : 0", "", "match, line 3: the game has no names, such as A : 0"),
        ("Wins", "\nnobody knows", "match, line 36: 'nobody knows 1 point' is neither names, nor turns, nor a result"),
        (" 3 point match", '; [Variation "Nackgammon"]', "match, line 1: unknown variation 'Nackgammon'"),
        (" Game 1", "", "match, line 4: 'gnubg : 0                      root : 0' is not understood"),
    ],
)
def test_a_match_file_that_cannot_be_read_is_refused_with_its_line(old, new, message):
    assert old in GNU_MATCH
    assert message in refusal(read_mat, GNU_MATCH.replace(old, new), "match")


def test_what_a_match_file_cannot_say_is_refused():
    assert "contains no games" in refusal(read_mat, "", "match")
    assert "a .mat file holds games of one kind, from standard or hypergammon" in refusal(
        write_mat, [random_game("beginner-5")], [["ann", "bob"]]
    )


# The board for people.


def test_the_board_is_drawn_from_either_side_within_80_columns():
    text = VIEW.text(table("24:2 6:11 bar:2", STANDARD, (3, 1)))
    assert text.split("\n")[0].startswith("+13-14-15-16-17-18------19-20-21-22-23-24-+")
    assert "|11 " in text and "X to play 31" in text and "> X: seat 0" in text
    assert VIEW.text(table("24:2 6", STANDARD, (3, 1)), 1).split("\n")[-1].endswith("O: seat 1")
    for part in VIEW.replay(random_game(), "game", ["a name that is much too long to be shown in full", "b"]):
        assert max(map(len, part.split("\n")[1:])) <= 80


def test_json_has_all_that_is_needed_to_draw():
    told = json.loads(json.dumps(VIEW.state_json(table(STANDARD, "2:2 bar", (3, 1)))))
    assert told["board"] == [list(side(STANDARD)), list(side("2:2 bar"))]
    assert (told["dice"], told["turn"], told["over"]) == ([3, 1], 0, False)
    assert (told["off"], told["pips"]) == ([0, 12], [167, 29])
    assert read_position(told["xgid"]).dice == (3, 1)
    assert read_position(told["position"]).other == side("2:2 bar")


def test_a_replay_tells_each_turn_and_who_won():
    game = random_game("hypergammon", 1)
    parts = list(VIEW.replay(game, "game", ["ann", "bob"]))
    assert parts[0].startswith("hypergammon: ")
    assert len(parts) == len(game.split("\n")) - 1
    assert re.match(r"turn 1: (ann|bob) rolls [1-6]{2} and (plays|cannot move)", parts[1])
    assert re.search(r"; (ann|bob) wins [123] points?(, a gammon|, a backgammon)?\n", parts[-1])


def test_frames_are_pictures_with_every_checker_and_both_names():
    frames = VIEW.frames(random_game(), "game", ["<ann>", "bob"])
    assert 2 < len(frames) <= FRAMES
    assert all(picture.startswith("<svg") and "&lt;ann&gt;" in picture for _, picture in frames)
    board = [list(side(STANDARD)), list(side("6:9 5:6"))]
    picture = board_svg(board, ["ann", "bob"], 0, (6, 5), (6,))
    assert picture.count('r="17"') + picture.count('r="16"') == 15 + 10
    assert re.search(r">9</text>.*>6</text>", picture)


def test_a_view_of_other_rules_writes_games_by_them():
    from sparring.games import Played
    from sparring.games.backgammon import GAME as usual
    from sparring.games.game import with_rules

    single = with_rules(usual, "scoring=single")
    state = begun(single=1)
    moves = tuple(move for _, move in random_moves(state, 3))
    assert BackgammonView(single).game_text(Played(1, 0, 0, 2, moves)).startswith("start standard single\n")
    assert VIEW.game_text(Played(1, 0, 0, 2, moves)).startswith("start standard\n")
