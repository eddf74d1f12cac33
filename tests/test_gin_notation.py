"""Gin rummy games as text: what is written comes back, what is wrong is refused, and games are replayed and drawn from it."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from, text

from sparring.arena.players import Contestant
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.games.gin import game_record, rules
from sparring.games.gin.cards import read_card
from sparring.testing.cast import sit_down

PAGE = (Path(__file__).parent.parent / "docs" / "gin.md").read_text()
HAND = find_game("gin:rules=full,length=hand")
LINES = [
    "gin:rules=full,length=hand",
    "Ac5c7c4d6d9d9h6s7sQs/3c8cQcQd8hJhQhKh8sKs/Js 0: p p s9c-Qs uQs-Ks! = 1 knocks with 3 against 36: 1 wins 33",
]
TEXT = "\n".join(LINES)


def card(name: str) -> int:
    return read_card(name, "test")


def play(game, deal: int, *names: str) -> Played:
    return sit_down(game, [Contestant(name, name) for name in names], 1, deal, deal).play_out().played


@pytest.mark.parametrize("place", [game_record.__doc__, PAGE])
def test_the_example_is_a_game(place):
    assert all(line in place for line in LINES)
    seats, moves = find_game("gin").view.read_moves(TEXT, "example")
    assert seats == 2
    assert moves == (rules.PASS, rules.PASS, card("Qs"), rules.UPCARD, card("Ks") + rules.KNOCK)


def test_a_game_says_its_rules_itself():
    """Any game's view reads it: a log without a first line is of plain gin."""
    match = find_game("gin:rules=full")
    played = play(match, 10, "simple", "simple")
    written = match.view.game_text(played)
    assert written.split("\n")[0] == "gin:rules=full"
    assert find_game("gin").view.read_moves(written, "x") == (2, played.moves)
    assert written.split("\n")[-1].startswith("match ")


def test_a_hand_in_which_the_stock_is_made_anew_comes_back():
    game = find_game("gin:limit=300")
    played = next(
        played for played in (play(game, deal, "random", "random") for deal in range(20)) if len(played.moves) > 200
    )
    written = game.view.game_text(played)
    assert written.count(" s") > 31
    assert game.view.read_moves(written, "x")[1] == played.moves


def test_what_is_laid_off_and_an_undercut_are_counted():
    match = find_game("gin:rules=full")
    tally = match.view.game_tally(match.view.game_text(play(match, 10, "simple", "simple")), "x")[0]
    assert tally["laid_off"].sum() == 5  # 3s, Ac and 2c, Jh and 4s
    assert tally["undercuts"].sum() == tally["gins"].sum() == 1


BAD = {
    "another game": ("gin:rules=full,length=hand", "whist", "line 1: a game begins with a line such as 'gin'"),
    "unknown rules": ("length=hand", "length=long", "line 1: gin:length = 'long': must be one of"),
    "a card twice": ("5c7c4d", "5c5c4d", "hand 1: 5c is there twice"),
    "a card in both hands": ("/3c", "/Ac", "hand 1: Ac is there twice"),
    "12 cards": ("Ac5c", "AcKd2d5c", "hand 1: 'AcKd2d5c7c4d6d9d9h6s7sQs' has 12 cards; a hand has 10"),
    "no card": ("Ac5c", "Ac1c", "hand 1: '1c' is not a card"),
    "half a card": ("Ac5c", "A5c", "hand 1: '5c7'|hand 1: 'A5' is not a card"),
    "no upcard": ("/Js 0", " 0", "hand 1: must be the two hands and the upcard"),
    "the wrong seat begins": ("Js 0", "Js 1", "hand 1: seat 0 begins"),
    "no turn": ("p p", "p q", "hand 1, turn 2: 'q' is not a turn"),
    "a card not in the stock": ("s9c", "sQd", "hand 1, turn 3: Qd is not in the stock"),
    "a stock left too early": ("p p s9c", "p s9c", "turn 2: the first upcard is taken or left before"),
    "an upcard that is none": ("uQs", "uQc", "hand 1, turn 4: the upcard is Qs, not Qc"),
    "an upcard that was left": ("p p s9c-Qs", "p p uJs-Qs", "turn 3: both have left the upcard"),
    "an upcard thrown back": ("uQs-Ks", "uQs-Qs", "turn 4: Qs was just taken"),
    "a card not in hand": ("s9c-Qs", "s9c-Ks", "hand 1, turn 3: Ks is not in the hand of seat 0"),
    "too late a pass": ("p p s9c-Qs", "p p s9c-Qs p", "turn 4: only the first upcard can be left"),
    "too much to knock": ("s9c-Qs uQs", "s9c-Qs! uQs", "hand 1, turn 3: cannot knock with 36; 10 is the most"),
    "a turn too many": ("Ks!", "Ks! sAs-As", "hand 1, turn 5: the hand is over already"),
    "no knock": ("Ks!", "Ks", "hand 1: the hand is incomplete"),
    "a cut line": (": 1 wins 33", "", "hand 1: ends with '1 knocks with 3 against 36'"),
    "a line cut in the turns": (" uQs-Ks! = 1 knocks with 3 against 36: 1 wins 33", "", "hand 1: .* is not a complete hand"),
    "a result that does not follow": ("wins 33", "wins 34", "hand 1: ends with .*34', but must end with '1 knocks .*wins 33'"),
    "a hand too many": (LINES[1], f"{LINES[1]}\n{LINES[1]}", "hand 2: the game is over already"),
    "no hand": (f"\n{LINES[1]}", "", "game 1: the game is incomplete"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", BAD)
def test_bad_notation_is_refused_in_one_line_that_says_where_and_why(wrong):
    old, new, reason = BAD[wrong]
    assert old in TEXT
    with pytest.raises(UserError, match=reason) as error:
        HAND.view.read_moves(TEXT.replace(old, new, 1), "my.log, game 1")
    assert str(error.value).startswith("my.log, game 1") and "\n" not in str(error.value)


def test_under_the_study_s_rules_a_hand_of_ten_knocks_by_itself():
    study = "gin\n" + LINES[1].replace("p p ", "")
    assert find_game("gin").view.game_tally(study, "x")["score"][0, :2].tolist() == [0, 33]
    with pytest.raises(UserError, match="turn 2: 3 is left, which is a knock under these rules"):
        find_game("gin").view.read_moves(study.replace("!", ""), "x")
    with pytest.raises(UserError, match="turn 1: only the first upcard can be left, .* under rules=full"):
        find_game("gin").view.read_moves("gin\n" + LINES[1], "x")


def test_a_match_that_is_cut_or_miscounted_is_refused():
    match = find_game("gin:rules=full")
    written = match.view.game_text(play(match, 10, "simple", "simple"))
    lines = written.split("\n")
    for cut, reason in (
        ("\n".join(lines[:3]), "the game is incomplete"),
        ("\n".join(lines[:-1]), "the last line is '', but must be 'match 110 to 26, account 285 to 51'"),
        (written.replace("account 285", "account 385"), "the last line is"),
        ("\n".join([lines[0], *lines[2:]]), "hand 1: seat 0 begins"),
    ):
        with pytest.raises(UserError, match=reason):
            match.view.read_moves(cut, "x")


def test_a_position_that_the_rules_deal_must_be_there():
    other = "start=4c5c6c2d2h2s8d9hTsKd/AcTc3d7d4hJhQh6s8sJs/Ks"
    with pytest.raises(UserError, match="hand 1: the rules on line 1 say that other cards are dealt"):
        HAND.view.read_moves(f"gin:rules=full,length=hand,{other}\n{LINES[1]}", "x")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    place=integers(0, len(TEXT)),
    length=integers(0, 6),
    noise=sampled_from(["", "!", "p", "u", "-", "=", "/", ":", "\n", "Ks", "s7h-7h ", " = ", "é"]) | text(max_size=4),
)
def test_noise_is_read_or_refused_and_never_breaks_anything(place, length, noise):
    for view in (HAND.view, find_game("gin").view):
        try:
            view.game_tally(TEXT[:place] + noise + TEXT[place + length :], "noise")
        except UserError as error:
            assert str(error).startswith("noise")


# Replays and pictures.


def test_a_replay_shows_each_turn_with_both_hands():
    first, *turns = HAND.view.replay(TEXT, "x", ["ann", "bob"])
    assert first == (
        "upcard Js: ann begins\n"
        "stock 31   upcard Js   discards 1: Js\n"
        "> ann   Ac 4d 5c 6d 6s 7c 7s 9d 9h Qs   deadwood 64\n"
        "  bob   [Jh Qh Kh] [8c 8h 8s] 3c Qc Qd Ks   deadwood 33"
    )
    assert [turn.split("\n")[0] for turn in turns] == [
        "turn 1: ann leaves the upcard Js",
        "turn 2: bob leaves the upcard Js",
        "turn 3: ann draws 9c and throws Qs",
        "turn 4: bob takes the upcard Qs and throws Ks; bob knocks with 3 against 36: bob wins 33",
    ]


def test_a_replay_of_a_match_says_how_it_stands_after_each_hand():
    match = find_game("gin:rules=full")
    shown = list(match.view.replay(match.view.game_text(play(match, 10, "simple", "simple")), "x", ["ann", "bob"]))
    ends = [turn.split("\n")[0].partition("; so far ")[2] for turn in shown if "so far" in turn]
    assert ends == ["ann 4, bob 0", "ann 4, bob 26", "ann 45, bob 26", "ann 110, bob 26"]


def test_frames_are_pictures_of_the_first_hand():
    frames = HAND.view.frames(TEXT, "x", ["ann <&>", "bob"])
    assert len(frames) == 5
    for said, svg in frames:
        drawn = ElementTree.fromstring(svg)
        groups = drawn.findall(".//{http://www.w3.org/2000/svg}g[@transform]")
        values = [group.findtext("{http://www.w3.org/2000/svg}text") for group in groups]
        assert sum(value in ("A", "J", "Q", "K", *map(str, range(2, 11))) for value in values) == 21, said
        assert "ann <&>" in "".join(drawn.itertext())
    assert "deadwood 3" in frames[-1][1] and "▸" not in frames[-1][1]


def test_laid_off_cards_lie_apart():
    played = play(HAND, 48, "simple", "simple")
    *_, (said, svg) = HAND.view.frames(HAND.view.game_text(played), "x", ["ann", "bob"])
    assert "laying off 6h" in said
    assert "laid off 6h" in ElementTree.fromstring(svg).attrib["aria-label"]


def test_a_log_is_replayed_and_drawn(tmp_path):
    log = tmp_path / "games.log"
    log.write_text(f"{TEXT}\n\n{TEXT}\n")
    for words in (("replay", str(log), "--game", "2"), ("draw", str(log), "--out", str(tmp_path / "pictures"))):
        command = [sys.executable, "-m", "sparring", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "pictures").glob("*.svg"))) == 5
