"""Backgammon positions and plays as text, read back and refused.

What is marked so was written or read by GNU Backgammon 1.07 itself.
"""

from itertools import permutations

import pytest

from backgammon_tables import STANDARD, XGID, begun, random_moves, refusal, side, table
from sparring.games import find_game
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon.notation import Roll, play_text, read_play
from sparring.games.backgammon.positions import STARTS, Position, position_id, read_position, xgid

# Positions.

GNU_IDS = [  # by GNU Backgammon
    ("4HPwATDgc/ABMA", STANDARD, STANDARD),
    ("A+CD8wEA+OB8YA", "12:5 17:3 19:5 bar:2", "1:2 12:5 17:3 19:5"),
    ("CDMGAUNIAUAAAA", "4 8 10 11 24", "4 8:2 10:2 13:2 18 bar:2"),
    ("EhAAgwgAhQEAAA", "2 5 17 18 22:2", "2 4 11 22:2"),
    ("AgAAKK20BAIAAA", "2 3 5 6:2 7 8 10 11:2 12 14 20", "2"),
    ("AACgAgAAKgAAAA", "24 23 22", "24 23 22"),
]
GNU_XGIDS = [  # the Position ID and the dice that GNU Backgammon reads in them
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA", None),
    ("XGID=-AA-AAAb-------BaA-a----a-:0:0:1:00:0:0:0:0:10", "QQQwQKkAJgAAAA", None),
    ("XGID=-A----A-aAb-------Baaa-aa-:0:0:-1:00:0:0:0:0:10", "QQQwQKkAJgAAAA", None),
    ("XGID=-a-------A-aa----aa-a---a-:0:0:1:66:0:0:0:0:10", "IQUFIAABAAAAAA", (6, 6)),
    ("XGID=-A---A-AA----AA-a-------A-:0:0:-1:66:0:0:0:0:10", "IQUFIAABAAAAAA", (6, 6)),
]


@pytest.mark.parametrize(("text", "mover", "other"), GNU_IDS)
def test_a_position_id_is_what_gnu_backgammon_writes(text, mover, other):
    assert read_position(text) == Position(side(mover), side(other))
    assert position_id(Position(side(mover), side(other))) == text


@pytest.mark.parametrize(("text", "identity", "dice"), GNU_XGIDS)
def test_an_xgid_says_what_gnu_backgammon_reads_in_it(text, identity, dice):
    read = read_position(text)
    assert position_id(read) == identity
    assert read.dice == dice
    assert read_position(text.removeprefix("XGID=")) == read_position(xgid(read)) == read


def test_an_xgid_puts_the_larger_die_first():
    assert read_position("-b----E-C---eE---c-e----B-:0:0:1:13:0:0:0:0:10").dice == (3, 1)


def test_positions_of_random_games_come_back_from_both_notations():
    for deal, start in enumerate(STARTS):
        for s, _ in random_moves(begun(start, deal), deal):
            mover, other = (tuple(side) for side in s["board"][[s["turn"], 1 - s["turn"]]].tolist())
            position = Position(side(" ".join(_words(mover))), side(" ".join(_words(other))), tuple(s["dice"].tolist()))
            assert read_position(xgid(position)) == position
            assert read_position(position_id(position)) == Position(position.mover, position.other)


def _words(places):
    return [
        f"{'bar' if place == board_plays.BAR else place}:{count}"
        for place, count in enumerate(places)
        if place and count
    ]


def test_a_start_is_named_and_nothing_is_off_in_it():
    assert read_position("standard") == Position(side(STANDARD), side(STANDARD))
    assert read_position("study-table-1").mover == side("24:2 13:5 8:5 6:3")
    assert read_position("hypergammon").mover == side("24 23 22", off=0)
    assert read_position("beginner-5").mover == side("24 13:2 8 6", off=0)
    assert read_position(" Beginner-10 ").mover == side("24:2 13:3 8:2 6:3", off=0)


CLOSED = Position(side("1:2 2:2 3:2 4:2 5:2 6:2 bar:3"), side("1:2 2:2 3:2 4:2 5:2 6:2 bar:3"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("standart", "unknown position 'standart': did you mean 'standard'?"),
        ("", "position '': neither a start (standard, hyper"),
        ("4HPwATDgc/ABM", "a Position ID (14 characters)"),
        ("4HPwATDgc!ABMA", "'!' is not one of the characters of a Position ID"),
        ("4HPwATDgc/ABMB", "the last character must be A, Q, g or w"),
        ("AACgAgAAKgAAAQ", "bits that must be zero are set after the last point"),
        ("/////////////w", "more than 30 checkers"),
        (position_id(Position(side("6:3 8:13", off=0), side("1"))), "16 checkers of one side; a side has 15"),
        (position_id(Position(side("6:3"), side("19:3"))), "both sides have checkers on one point, the mover's 6"),
        (position_id(Position(side("6:3"), side(""))), "one side has no checkers: the game is over"),
        (position_id(Position(side(""), side("6:3"))), "one side has no checkers: the game is over"),
        (position_id(CLOSED), "both sides are on the bar against six made points: neither can ever move"),
        ("4HPwATDgc/ABMA:cIkKAAA", "12 characters"),
        (XGID.replace("E-C", "E-CA"), "the board has 27 places; 26 are needed"),
        (XGID.replace("E-C", "E?C"), "'?' on the board"),
        (XGID.replace("-b", "B-", 1), "the first place is the bar of the small letters"),
        (XGID.replace("E-C", "E-D"), "16 checkers of one side"),
        (XGID.replace(":1:00", ":0:00"), "the turn is 0; must be 1 (capitals on roll) or -1"),
        (XGID.replace(":1:00", ":x:00"), "field 4 is 'x'; a whole number is needed"),
        (XGID.replace(":00:", ":70:"), "the dice are '70'; two numbers from 1 to 6 are needed"),
        (XGID.replace(":00:", ":D:"), "a double is offered: the doubling cube is not supported"),
        ("XGID=4HPwATDgc/ABMA", "1 fields; 10, separated by"),
        (XGID + ":1", "11 fields; 10, separated by"),
    ],
)
def test_an_impossible_position_is_refused_with_its_reason(text, message):
    assert message in refusal(read_position, text)


# Plays.

GNU_PLAYS = [  # as GNU Backgammon writes them
    ("ew2gTATvC8CBQA", (6, 6), "bar/19 13/7*/1 13/7"),
    ("fQyESkGfAIm2AQ", (4, 4), "19/11 18/14*(2)"),
    ("dxYCAPgBAAAAAA", (3, 3), "1/off(4)"),
    ("jxpAADFrAQASAA", (3, 2), "bar/22 23/21*"),
    ("szykCwCVvoAwYA", (2, 2), "bar/23(2) 7/3"),
    ("IYiDQzAaYgwAAA", (6, 4), "13/3*"),
    ("OwUSENhvAAAAAA", (6, 1), "3/2 3/off"),
    ("4HPwATDgc/ABMA", (6, 4), "24/14"),
]


@pytest.mark.parametrize(("identity", "dice", "text"), GNU_PLAYS)
def test_a_play_is_written_as_gnu_backgammon_writes_it(identity, dice, text):
    position = read_position(identity)
    s = table("1", "1", dice)
    s["board"] = (position.mover, position.other)
    assert play_text(s, read_play(s, text)) == text


@pytest.mark.parametrize("start", STARTS)
def test_every_play_of_a_roll_has_its_own_text_and_comes_back_from_it(start):
    for deal in range(4):
        for number, (s, _) in enumerate(random_moves(begun(start, deal), deal)):
            legal = Roll.of(s).legal()
            texts = [play_text(s, move) for move in legal]
            assert len(set(texts)) == len(legal)
            assert all("\n" not in text and text.isascii() for text in texts)
            chosen = range(number % 7, len(legal), 7)
            assert [read_play(s, texts[n]) for n in chosen] == [legal[n] for n in chosen]


def test_any_usual_spelling_is_the_same_play():
    spellings = {
        ("13/5", "13/11/5", "13/7/5", "13/7 7/5", "7/5 13/7", "13/11 11/5", " 13 / 5 ", "13-5"): (STANDARD, (6, 2)),
        ("bar/22 13/8", "25/22 13/8", "BAR/22, 13/8", "13/8 bar/22"): ("bar 13:2", (5, 3)),
        ("6/off 2/off", "6/0 2/0", "6/OFF 2/Off", "2/off 6/off"): ("6 2", (6, 2)),
        ("8/5(2) 6/3(2)", "8/5 8/5 6/3 6/3", "6/3 ( 2 ) 8/5 (2)"): (STANDARD, (3, 3)),
    }
    for texts, (mover, dice) in spellings.items():
        s = table(mover, STANDARD, dice)
        assert len({read_play(s, text) for text in texts}) == 1, texts


def test_a_checker_that_may_hit_on_its_way_hits_only_where_a_star_says_so():
    one, both = table("24 1:2", "6 1", (6, 5)), table("24 1:2", "7 6 1", (6, 5))
    assert read_play(one, "24/13") == read_play(one, "24/18/13") != read_play(one, "24/19*/13")
    assert read_play(one, "24/19/13") == read_play(one, "24/19*/13")
    assert play_text(one, read_play(one, "24/19/13")) == "24/19*/13"
    assert read_play(both, "24/18/13") != read_play(both, "24/19/13")
    assert refusal(read_play, both, "24/13") == (
        "24/13: ambiguous: it can hit on 18 or 19; name the stop, as in 24/18*/13"
    )


def test_a_pass_is_said_in_many_ways_and_only_when_nothing_can_be_played():
    closed = table("bar 6", "1:2 2:2 3:2 4:2 5:2 6:2", (4, 3))
    for text in ("pass", "(no play)", "No Move", "cannot move", " PASS "):
        assert read_play(closed, text) == board_plays.PASS
    assert play_text(closed, board_plays.PASS) == "pass"
    message = refusal(read_play, closed, "bar/21 6/3")
    assert message == "nothing can be played: the dice are 4 and 3; the only play is pass"
    message = refusal(read_play, table("6", "1", (4, 3)), "pass")
    assert message == "you must play, such as 6/off: pass only when nothing can be played"


@pytest.mark.parametrize(
    ("mover", "other", "dice", "text", "message"),
    [
        (STANDARD, STANDARD, (6, 1), "13/9", "13/9: no 4 was rolled: the dice are 6 and 1"),
        (STANDARD, STANDARD, (6, 1), "13/7 13/7", "13/7: the 6 is used already: the dice are 6 and 1"),
        (STANDARD, STANDARD, (3, 1), "8/5 6/5 6/5", "6/5: no die is left for it: the dice are 3 and 1"),
        (STANDARD, STANDARD, (5, 1), "24/19 8/7", "24/19: the other side has made point 19"),
        (STANDARD, STANDARD, (6, 5), "13/2 24/13", "24/13: no die is left for it: the dice are 6 and 5"),
        ("24 15", "7:2 6:2", (6, 5), "24/13", "24/13: the other side has made point 19 and point 18"),
        ("24 15", "12:2 6:2", (6, 5), "24/13", "24/13: the other side has made point 13"),
        (STANDARD, STANDARD, (6, 1), "20/14 8/7", "20/14: no checker of yours is on point 20"),
        (STANDARD, STANDARD, (6, 1), "bar/24 8/2", "bar/24: no checker of yours is on the bar"),
        ("bar 13", STANDARD, (6, 1), "13/7 13/12", "13/7: a checker on the bar must enter first"),
        ("bar 13", STANDARD, (6, 1), "13/7 bar/19", "bar/19: the other side has made point 19"),
        ("6 5 13", "1", (6, 5), "6/off 5/off", "all checkers must be home before bearing off, and one is on point 13"),
        ("5 3", "1", (6, 1), "3/off", "3/off: a 6 bears off from the highest point only, and a checker is on point 5"),
        ("6 5", "1", (4, 1), "6/off", "6/off: no 6 or more was rolled"),
        (STANDARD, STANDARD, (3, 1), "8/5", "8/5: both dice must be played: the dice are 3 and 1, such as"),
        ("12", "24:2", (6, 5), "12/7", "only one die can be played, and it must be the larger, the 6"),
        (
            STANDARD,
            STANDARD,
            (3, 3),
            "8/5(2)",
            "8/5(2): plays two of the four 3s, but four must be played, such as",
        ),
        (STANDARD, STANDARD, (3, 1), "8/5* 6/5", "8/5* 6/5: no hit on 5; leave out the *"),
        (
            STANDARD,
            STANDARD,
            (3, 1),
            "5/8 5/6",
            "5/8 goes backward: checkers move from the bar and 24 down to 1 and off",
        ),
        (STANDARD, STANDARD, (3, 1), "26/23", "there is no point 26: points are 1 to 24, bar and off"),
        (STANDARD, STANDARD, (3, 1), "best", "'best' is not understood: a play is written like 13/7 8/7*"),
        (STANDARD, STANDARD, (3, 1), "", "a play is written like 13/7 8/7*, bar/22, 6/off(2) or pass"),
        (STANDARD, STANDARD, (3, 3), "8/5(4) 6/3", "5 checkers moved: a play is written like"),
    ],
)
def test_a_play_against_the_rules_is_refused_with_its_reason(mover, other, dice, text, message):
    assert message in refusal(read_play, table(mover, other, dice), text)


def test_nothing_is_played_once_the_game_is_over():
    s = table("1", "1", (3, 1))
    s["over"] = 1
    assert refusal(find_game("backgammon").view.read_move, s, "1/off") == "the game is over"


def test_orders_of_steps_do_not_matter():
    s = table(STANDARD, STANDARD, (2, 2))
    texts = {" ".join(order) for order in permutations(["13/11", "13/11", "6/4", "6/4"])}
    assert len({read_play(s, text) for text in texts}) == 1
