"""Hearts games as text: what is written comes back, what is wrong is refused, and games are replayed and drawn from it."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import composite, integers, sampled_from, text

from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts import rules
from sparring.games.hearts.cards import read_card
from sparring.games.hearts.plain_rules import refusal
from sparring.testing.cast import differing

PAGE = (Path(__file__).parent.parent / "docs" / "hearts.md").read_text()
ONE = find_game("hearts:rounds=1")
DEAL = "6c7cTcJc2d2h4h8hAh2s5s7s8s/2c8cAc3d4d5dJd6h7h3sTsQsAs/3c4c5c9cQc7dKdThQhKh4sJsKs/Kc6d8d9dTdQdAd3h5h9hJh6s9s"
TRICKS = (
    "1:2cAcKsKc 2:3cKh6cJc 1:Ts4s9s8s 1:3sJs6s7s 2:4c9h7cTc 1:3d7d6dAd 0:5sAhAsKd 2:5cQdJh8c 1:4dQs8d2d 3:3h2h6hQh "
    "2:9c5h8h7h 2:QcTd4hJd 2:Th9d2s5d"
)
LINES = [
    "hearts:rounds=1",
    f"round 1: {DEAL}",
    "left: AhJcTc/QsAsAc/KsKdKh/KcAdJh",
    f"{TRICKS} = 0 3 10 13",
    "score 0 3 10 13",
]
TEXT = "\n".join(LINES)
NAMES = ["ann", "bob", "cat", "dan"]
SUITS = "/".join("".join(rank + suit for rank in "23456789TJQKA") for suit in "cdhs")  # who has clubs takes every trick


def card(name: str) -> int:
    return read_card(name, "test")


def play(game, seed: int) -> tuple[Played, np.ndarray]:
    """A game of random moves, and its tally."""
    random, state, moves = np.random.default_rng(seed), start_game(game, seed, 0, 0, 4), []
    while not state[0]["over"]:
        moves.append(int(random.choice(legal_moves(game, state))))
        play_move(game, state, moves[-1])
    return Played(seed, 0, 0, 4, tuple(moves)), state["tally"]


@composite
def games(draw):
    """Hearts under any rules, soon over."""
    words = [
        draw(sampled_from(["rounds=1", "rounds=2", "rounds=5", "target=1", "target=30,rounds=0"])),
        f"passing={draw(sampled_from(['on', 'off']))}",
        f"moon={draw(sampled_from(['add', 'subtract', 'off']))}",
        f"jack={draw(sampled_from(['on', 'off']))}",
        f"start={draw(sampled_from(['dealt', 'dealt', DEAL, SUITS]))}",
    ]
    return f"hearts:{','.join(words)}"


@settings(max_examples=25, deadline=None, derandomize=True)
@given(name=games(), seed=integers(0, 2**32))
def test_a_game_under_any_rules_comes_back_with_its_tally(name, seed):
    game = find_game(name)
    played, tally = play(game, seed)
    written = game.view.game_text(played)
    assert written.isascii() and "\n\n" not in written
    assert find_game("hearts").view.read_moves(written, "x") == (4, played.moves)
    assert not differing(game.view.game_tally(written, "x"), tally)


def test_the_example_is_a_game():
    assert TEXT in PAGE
    seats, moves = find_game("hearts").view.read_moves(TEXT, "example")
    assert seats == 4 and len(moves) == 52 + 12
    assert moves[:3] == (card("Ah"), card("Jc"), card("Tc")) and moves[12:14] == (card("2c"), card("Ac"))


def test_cards_are_passed_left_right_across_and_not_at_all():
    game = find_game("hearts:rounds=5")
    written = game.view.game_text(play(game, 4)[0]).split("\n")
    assert written[0] == "hearts:rounds=5" and written[-1].startswith("score ")
    assert [line.partition(":")[0] for line in written if "/" in line] == [
        *("round 1", "left", "round 2", "right", "round 3", "across", "round 4", "round 5", "left"),
    ]


@pytest.mark.parametrize(
    ("more", "points", "score"),
    [
        ("moon=add", "0 shoots the moon: 0 26 26 26", "0 26 26 26"),
        ("moon=add,jack=on", "0 shoots the moon: -10 26 26 26", "-10 26 26 26"),
        ("moon=subtract", "0 shoots the moon: -26 0 0 0", "-26 0 0 0"),
        ("moon=subtract,jack=on", "0 shoots the moon: -36 0 0 0", "-36 0 0 0"),
        ("moon=off", "0 shoots the moon: 26 0 0 0", "26 0 0 0"),
    ],
)
def test_a_moon_is_told_and_counted_by_the_rules_on_line_1(more, points, score):
    game = find_game(f"hearts:rounds=1,passing=off,{more},start={SUITS}")
    written = game.view.game_text(play(game, 1)[0])
    assert written.endswith(f" = {points}\nscore {score}")
    tally = game.view.game_tally(written, "x")[0]
    assert tally["moons"].tolist() == [1, 0, 0, 0] and tally["taken"].tolist() == [26, 0, 0, 0]
    assert tally["tricks"].tolist() == [13, 0, 0, 0] and tally["clean"].tolist() == [0, 1, 1, 1]


BAD = {
    "another game": ("hearts:rounds=1", "whist", "line 1: a game begins with a line such as 'hearts'"),
    "unknown rules": ("rounds=1", "moon=full", "line 1: hearts:moon = 'full': must be one of"),
    "12 cards": ("6c7cTc", "6cTc", "round 1: '6cTcJc2d2h4h8hAh2s5s7s8s' has 12 cards; a hand has 13"),
    "14 cards": ("6c7cTc", "6c7c8cTc", "round 1: '6c7c8cTc.*' has 14 cards; a hand has 13"),
    "a card twice": ("6c7cTc", "6c6cTc", "round 1: 6c is there twice"),
    "a card in two hands": ("/2c8cAc3d", "/6c8cAc3d", "round 1: 6c is there twice"),
    "no card": ("6c7cTc", "6c1cTc", "round 1: '1c' is not a card; cards are like Qs, 7h, Td, 2c"),
    "half a card": ("6c7cTc", "6c7Tc", "round 1: '7T' is not a card"),
    "three hands": ("/Kc6d8d9dTdQdAd3h5h9hJh6s9s", "", "round 1: must be four hands"),
    "another round": ("round 1", "round 2", "round 1: its number is 2"),
    "no deal": (f"{LINES[1]}\n", "", "round 1: 'left: .*' should be the deal: 'round 1: HAND/HAND/HAND/HAND'"),
    "no passes": (f"{LINES[2]}\n", "", "round 1: '1:2cAc.*' should be the passes: 'left: 2c3c4c/"),
    "another way": ("left:", "right:", "round 1: cards are passed left in this round, not right"),
    "a pass too few": ("/KcAdJh", "", "round 1: 3 seats pass cards; there are 4"),
    "two cards passed": ("AhJcTc/", "AhJc/", "round 1: seat 0 passes 2 cards; each seat passes 3"),
    "four cards passed": ("AhJcTc/", "AhJcTc2d/", "round 1: seat 0 passes 4 cards; each seat passes 3"),
    "a card passed twice": ("AhJcTc/", "AhJcJc/", "round 1, seat 0: Jc is there twice"),
    "a card passed that is not held": ("/QsAsAc", "/QsAsKc", "round 1: seat 1 cannot pass Kc: it is not in its hand"),
    "no trick": (" 2:3cKh6cJc", " 2-3cKh6cJc", "round 1, trick 2: '2-3cKh6cJc' is not a trick, such as"),
    "a trick of three": ("2:3cKh6cJc", "2:3cKh6c", "round 1, trick 2: '2:3cKh6c' has 3 cards; a trick has 4"),
    "another leads": ("2:3cKh6cJc", "3:3cKh6cJc", "round 1, trick 2: seat 2 leads, not seat 3"),
    "not the two of clubs": ("1:2cAcKsKc", "1:8cAcKsKc", "trick 1: seat 1 cannot play 8c: the first lead is 2c"),
    "a card not held": ("2:3cKh6cJc", "2:Kc3h6cJc", "trick 2: seat 2 cannot play Kc: it is not in its hand"),
    "a card played twice": ("2:3cKh6cJc", "2:AcKh6cJc", "trick 2: seat 2 cannot play Ac: it is not in its hand"),
    "a revoke": ("1:Ts4s9s8s", "1:Ts5c9s8s", "trick 3: seat 2 cannot play 5c: spades are led and must be followed"),
    "hearts too early": ("2:3cKh6cJc", "2:ThKh6cJc", "trick 2: seat 2 cannot play Th: hearts cannot be led before they are broken"),
    "points too early": ("AcKsKc", "AcKhKc", "trick 1: seat 3 cannot play Kh: no points may be played in the first trick"),
    "a trick too many": ("2s5d", "2s5d 2:2c3c4c5c", "round 1, trick 14: the round is over already"),
    "a trick too few": (" 2:Th9d2s5d", "", "round 1: incomplete: it has 12 of 13 tricks"),
    "no tricks": (f"{LINES[3]}\n", "", "round 1: 'score 0 3 10 13' should be the tricks"),
    "points that do not follow": ("= 0 3 10 13", "= 0 3 11 12", "round 1: ends with '0 3 11 12', but must end with '0 3 10 13'"),
    "a score that does not follow": ("score 0", "score 1", "game 1: ends with 'score 1 3 10 13', but must end with"),
    "no score": (f"\n{LINES[4]}", "", "game 1: ends with '', but must end with 'score 0 3 10 13'"),
    "more than a score": ("score 0 3 10 13", "score 0 3 10 13\nmore", "game 1: ends with 'score 0 3 10 13 more', but"),
    "a round too many": ("\nscore", f"\nround 2: {DEAL}\nscore", "game 1, round 2: the game is over already"),
    "too few rounds": ("rounds=1", "rounds=2", "game 1: the game is incomplete"),
    "a passing that is none": ("rounds=1", "rounds=1,passing=off", "round 1: no cards are passed in this round"),
    "no round": ("\n".join(LINES[1:]), "", "round 1: incomplete: missing the deal"),
    "nothing but rules": ("\n" + "\n".join(LINES[1:]), "", "game 1: the game is incomplete"),
    "another deal than the rules": ("rounds=1", f"rounds=1,start={SUITS}", "round 1: the rules on line 1 say that other cards"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", BAD)
def test_bad_notation_is_refused_in_one_line_that_says_where_and_why(wrong):
    old, new, reason = BAD[wrong]
    assert old in TEXT
    with pytest.raises(UserError, match=reason) as error:
        ONE.view.read_moves(TEXT.replace(old, new, 1), "my.log, game 1")
    assert str(error.value).startswith("my.log, game 1") and "\n" not in str(error.value)


def test_the_page_quotes_what_is_said():
    """The lines of its table stand for the mistakes of the same name."""
    quoted = re.findall(r"`(my\.log, game 1.*?)` \|", PAGE)
    said = []
    for old, new, _ in BAD.values():
        with pytest.raises(UserError) as error:
            ONE.view.read_moves(TEXT.replace(old, new, 1), "my.log, game 1")
        said.append(str(error.value))
    assert len(quoted) == 6 and set(quoted) <= set(said)


def test_who_has_hearts_alone_may_play_them_at_any_time():
    hearts, other = sum(1 << one for one in range(card("2h"), card("Ah") + 1)), 1 << card("3s")
    for lead, number in ((card("2c"), 0), (-1, 3)):
        assert refusal(hearts, card("5h"), lead, number, False) == ""
        assert refusal(hearts | other, card("5h"), lead, number, False)
    assert refusal(hearts | other, card("5h"), -1, 3, True) == ""


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    place=integers(0, len(TEXT)),
    length=integers(0, 6),
    noise=sampled_from(["", "/", ":", " = ", "\n", "\n\n", "Ks", "2:", "left: ", "round 1: ", "score", "é"])
    | text(max_size=4),
)
def test_noise_is_read_or_refused_and_never_breaks_anything(place, length, noise):
    for view in (ONE.view, find_game("hearts").view):
        try:
            view.game_tally(TEXT[:place] + noise + TEXT[place + length :], "noise")
        except UserError as error:
            assert str(error).startswith("noise") and "\n" not in str(error)


# Replays and pictures.


def test_a_replay_shows_each_pass_and_each_card_with_all_hands():
    shown = list(ONE.view.replay(TEXT, "x", NAMES))
    assert len(shown) == 1 + 4 + 1 + 52
    assert shown[0] == (
        "round 1: three cards are passed to the left\n"
        "                              cat   0 + 0 points\n"
        "                              3459Qc 7Kd TQKh 4JKs\n"
        "                                   ..\n"
        "  bob   0 + 0 points           ..      ..       dan   0 + 0 points\n"
        "  28Ac 345Jd 67h 3TQAs             ..           Kc 689TQAd 359Jh 69s\n"
        "                              ann   0 + 0 points\n"
        "                              67TJc 2d 248Ah 2578s"
    )
    said = [scene.split("\n")[0] for scene in shown]
    assert said[1] == "round 1: ann passes Ah Jc Tc to bob"
    assert said[4] == "round 1: dan passes Kc Ad Jh to ann"
    assert said[5] == "round 1: the cards are passed; bob begins with 2c"
    assert said[6:8] == ["round 1, trick 1: bob leads 2c", "round 1, trick 1: cat plays Ac"]
    assert said[9] == "round 1, trick 1: ann plays Kc; cat takes the trick"
    assert said[13] == "round 1, trick 2: bob plays Jc; bob takes the trick and 1 point"
    assert said[-1] == "round 1, trick 13: bob plays 5d; cat takes the trick and 1 point; ann 0, bob 3, cat 10, dan 13"
    assert shown[9].split("\n")[3:6] == [
        "                                   Ac",
        "  bob   0 + 0 points           2c      Ks       dan   0 + 0 points",
        "  8TJc 345Jd 67Ah 3Ts              Kc           689TQKd 359Kh 69s",
    ]
    assert shown[-1].endswith("passed left: ann Ah Jc Tc, bob Qs As Ac, cat Ks Kd Kh, dan Kc Ad Jh")


def test_a_replay_says_how_it_stands_after_each_round_but_the_first():
    game = find_game(f"hearts:rounds=4,passing=off,moon=off,start={SUITS}")
    shown = list(game.view.replay(game.view.game_text(play(game, 1)[0]), "x", NAMES))
    ends = [scene.split("\n")[0].partition("; so far ")[2] for scene in shown if "so far" in scene]
    assert ends == [f"ann {points}, bob 0, cat 0, dan 0" for points in (52, 78, 104)]
    assert sum("ann shoots the moon: ann 26, bob 0, cat 0, dan 0" in scene for scene in shown) == 4
    assert "round 1: no cards are passed; ann begins with 2c" in shown[0]
    assert "> ann   26 + 0 points" in shown[53]


def test_a_game_that_nobody_can_lose_ends_after_fifty_rounds():
    game = find_game(f"hearts:passing=off,moon=subtract,start={SUITS}")
    played, _ = play(game, 1)
    written = game.view.game_text(played)
    assert written.endswith(f"\nscore {-26 * rules.LONGEST} 0 0 0")
    assert game.view.read_moves(written, "x")[1] == played.moves


def test_frames_are_pictures_of_the_first_round():
    frames = ONE.view.frames(TEXT, "x", ["ann <&>", *NAMES[1:]])
    assert len(frames) == 58
    for number, (said, svg) in enumerate(frames):
        drawn = ElementTree.fromstring(svg)
        groups = drawn.findall(".//{http://www.w3.org/2000/svg}g[@transform]")
        values = [group.findtext("{http://www.w3.org/2000/svg}text") for group in groups]
        lying = 52 - max(number - 5, 0) // 4 * 4 + (4 if number > 8 and (number - 5) % 4 == 0 else 0)
        assert sum(value in ("A", "J", "Q", "K", *map(str, range(2, 11))) for value in values) == lying, said
        assert "ann <&>" in "".join(drawn.itertext())
    assert "passed to the left: Ah Jc Tc" in frames[1][1] and "passed to the left: Qs As Ac" not in frames[1][1]
    assert "0 + 13 points" in frames[-1][1] and "▸" not in frames[-1][1]
    assert "trick: ann <&> Kc, bob 2c" in ElementTree.fromstring(frames[9][1]).attrib["aria-label"]


def test_many_cards_of_two_suits_stay_within_their_panel():
    game = find_game(f"hearts:rounds=1,passing=off,start={SUITS}")
    (_, svg), *_ = game.view.frames(game.view.game_text(play(game, 1)[0]), "x", NAMES)
    drawn = ElementTree.fromstring(svg)
    places = [group.attrib["transform"] for group in drawn.iter() if "scale(0.72" in group.attrib.get("transform", "")]
    assert len(places) == 52
    assert max(float(place.split("(")[1].split()[0]) for place in places) < 540


def test_a_log_is_replayed_and_drawn(tmp_path):
    log = tmp_path / "games.log"
    log.write_text(f"{TEXT}\n\n{TEXT}\n")
    for words in (("replay", str(log), "--game", "2"), ("draw", str(log), "--out", str(tmp_path / "pictures"))):
        command = [sys.executable, "-m", "sparring", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "pictures").glob("*.svg"))) == 58
