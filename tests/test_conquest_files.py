"""Conquest for people and in files: maps, typed moves, records, replays and pictures; and what is wrong with bad ones."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from conquest_table import Table, map_of, put_up
from sparring.arena.play import play
from sparring.arena.players import Contestant
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.conquest import move_features, rules, summary
from sparring.games.conquest.animation import draw_game, game_frames
from sparring.games.conquest.game_record import read_record
from sparring.games.conquest.maps import NAMES, find_map
from sparring.games.conquest.notation import move_short, move_words, read_move, read_short
from sparring.games.conquest.picture import map_svg
from sparring.games.game import start_game
from sparring.kernel.launch import Job

BAD = Path(__file__).parent / "bad" / "conquest"
GAME = find_game("conquest")
SVG = "{http://www.w3.org/2000/svg}"


def one_game(words="rounds=30", players=("greedy", "random"), deal=0):
    """A game as it was played."""
    game = find_game(f"conquest:{words}") if words else GAME
    job, kept = np.zeros(1, Job), []
    job["seed"], job["deal"], job["seats"], job["player"][0, 1] = 1, deal, 2, 1
    play(game, job, [Contestant(name, name) for name in players], keep=kept.extend)
    return game, kept[0]


# Maps.


@pytest.mark.parametrize(
    "name, blue, red, troops", [("duel", 1, 1, 1), ("empty", 1, 0, 0), ("easy", 1, 6, 40), ("hard", 1, 19, 222)]
)
def test_the_maps_are_the_study_s(name, blue, red, troops):
    found = find_map(name)
    assert (found.rows, found.columns, found.holds(0), found.holds(1)) == (6, 6, blue, red)
    assert found.board[0] == 1 and -sum(n for n in found.board if n < 0) == troops


def test_the_second_case_is_laid_out_as_printed():
    red = {divmod(tile, 6): -troops for tile, troops in enumerate(find_map("easy").board) if troops < 0}
    assert red == {(3, 1): 10, (3, 3): 5, (3, 4): 5, (4, 1): 5, (4, 2): 5, (4, 4): 10}


def test_a_map_in_a_file_is_played_with_inputs_of_its_size(tmp_path):
    (tmp_path / "small.map").write_text("# two rows\nb1 . B20\n\n . r5 .  # here\n")
    game = find_game(f"conquest:map={tmp_path / 'small.map'},rounds=9")
    whole = {"summary": summary.INPUTS, "moves": move_features.INPUTS}
    assert game.policies.encodings == {"shares": 6, "own": 6, "planes": 18, "fronts": 18, **whole}
    state = start_game(game, 1, 0, 0, 2)
    assert game.view.state_json(state[0])["board"] == [[1, 0, 20], [0, -5, 0]]


def test_a_map_of_256_tiles_is_the_largest_and_can_be_played(tmp_path):
    lines = [["."] * 16 for _ in range(16)]
    lines[0][0], lines[15][15] = "b20", "r20"
    (tmp_path / "large.map").write_text("\n".join(map(" ".join, lines)))
    game, played = one_game(f"map={tmp_path / 'large.map'},rounds=20")
    assert max(played.moves) <= rules.IDLE < 2**15 and len(played.moves) == 40


WANTED = "a tile is '.', b1 to b20 or r1 to r20"
MESSAGES = {
    "tile-off-the-board": ", line 2: 4 tiles; every row has 3, as the first",
    "row-too-short": ", line 2: 2 tiles; every row has 3, as the first",
    "21-troops": f", line 3, tile 3: 'r21': 21 troops; {WANTED}",
    "no-troops": f", line 1, tile 3: 'r0': 0 troops; {WANTED}",
    "two-owners": f", line 1, tile 2: 'b2r3': two owners; {WANTED}",
    "no-blue": ": no blue tile; write one such as b1",
    "no-rows": ": no rows; a row is written like 'b1 . . r10'",
    "too-large": ": more than 256 tiles; a map has at most 256",
    "not-text": ": not a map: not UTF-8 text",
    "misspelt": f", line 1, tile 3: 'x': not understood; {WANTED}",
    "no-number": f", line 1, tile 2: 'b': not understood; {WANTED}",
}


def test_every_bad_map_has_its_message():
    assert {path.stem for path in BAD.glob("*.map")} == set(MESSAGES)


@pytest.mark.parametrize("name", MESSAGES)
def test_a_bad_map_is_refused_with_one_line_that_says_where_and_what(name):
    path = BAD / f"{name}.map"
    with pytest.raises(UserError) as caught:
        find_game(f"conquest:map={path}")
    assert str(caught.value) == f"{path}{MESSAGES[name]}"


@pytest.mark.parametrize(
    "words, message",
    [
        ("map=nowhere.map", "nowhere.map: no such file"),
        ("map=nul\0nul", "map 'nul\\x00nul': neither one of duel, empty, easy, hard, hard-author, random nor a file"),
        (
            "map=tests",
            "map 'tests': neither one of duel, empty, easy, hard, hard-author, random nor a file that ends in .map",
        ),
        ("map=empty", "conquest: map = empty: red has no tile to eliminate; play it with goal=all"),
        ("rounds=0", "conquest:rounds = 0: must be from 1 to 5000"),
        ("rounds=5001", "conquest:rounds = 5001: must be from 1 to 5000"),
        ("goal=draw", "conquest:goal = 'draw': must be one of eliminate, all"),
        ("size=7", "conquest:size: unknown option; known: map, rounds, goal"),
    ],
)
def test_rules_that_cannot_be_are_refused(words, message, monkeypatch):
    monkeypatch.chdir(Path(__file__).parent.parent)
    with pytest.raises(UserError, match=re.escape(message)):
        find_game(f"conquest:{words}")


def test_a_map_that_is_blue_s_already_is_refused(tmp_path):
    (tmp_path / "won.map").write_text("b1 b1\n")
    with pytest.raises(UserError, match="blue holds every tile: the game would be over"):
        find_game(f"conquest:map={tmp_path / 'won.map'},goal=all")


# Moves as text.


def test_moves_are_said_in_the_study_s_words():
    table = Table(put_up({(0, 1): 3, (2, 3): 19, (3, 3): -5, (4, 5): 7, (5, 4): 3}))
    moves = [("production", (0, 1)), ("attack", (2, 3), (3, 3), 19), ("transport", (4, 5), (5, 4), 7), ("idle",)]
    said = [move_words(table.state[0], table.number(move)) for move in moves]
    assert said == [
        "Production Move (0, 1)",
        "Attack Move (2, 3) -> (3, 3) with 19 troops",
        "Transport Move (4, 5) -> (5, 4) with 7 troops",
        "Idle Move",
    ]
    for move, words in zip(moves, said, strict=True):
        assert read_move(table.state[0], words) == table.number(move)


@pytest.mark.parametrize(
    "text, move",
    [
        ("p 0,1", ("production", (0, 1))),
        ("P(0, 1)", ("production", (0, 1))),
        ("0,1+", ("production", (0, 1))),
        ("produce 0 1", ("production", (0, 1))),
        ("2,3 3,3 19", ("attack", (2, 3), (3, 3), 19)),
        ("2,3 3,3", ("attack", (2, 3), (3, 3), 19)),
        ("2,3>3,3:4", ("attack", (2, 3), (3, 3), 4)),
        ("attack 2,3 -> 3,3 with 4", ("attack", (2, 3), (3, 3), 4)),
        ("2,3 to 3,3 all", ("attack", (2, 3), (3, 3), 19)),
        ("t 4,5 5,4", ("transport", (4, 5), (5, 4), 2)),
        ("idle", ("idle",)),
        ("pass", ("idle",)),
    ],
)
def test_typed_moves_are_understood(text, move):
    table = Table(put_up({(0, 1): 3, (2, 3): 19, (3, 3): -5, (4, 5): 7, (5, 4): 18}))
    assert read_move(table.state[0], text) == table.number(move)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("hello", "'hello' is not understood: a move is written like"),
        ("p 0,1; rm -rf", "'rm' is not understood"),
        ("2,3", "'2,3' is not understood"),
        ("p 2,3 3,3", "is not understood"),
        ("1 2 3 4 5 6", "is not understood"),
        ("p 6,0", "no tile 6,0: rows are 0 to 5, columns 0 to 5"),
        ("p 0,99999999999", "no tile 0,999999999: rows"),
        ("p 0,0", "0,0 is nature's: a move starts from a tile of blue"),
        ("p 3,3", "3,3 is red's: a move starts from a tile of blue"),
        ("p 5,5", "5,5 is full: it has 20 troops"),
        ("4,5 5,5", "5,5 is full: it has 20 troops"),
        ("2,3 4,3 1", "4,3 is not a neighbour of 2,3; its neighbours: 1,2, 1,3, 2,2, 2,4, 3,2, 3,3"),
        ("2,3 3,3 20", "20 troops cannot go from 2,3 to 3,3; 1 to 19 can"),
        ("2,3 3,3 0", "0 troops cannot go from 2,3 to 3,3; 1 to 19 can"),
        ("4,5 5,4 3", "3 troops cannot go from 4,5 to 5,4; 1 to 2 can"),
        ("²,3 3,3", "'²' is not understood"),
    ],
)
def test_a_typed_move_that_cannot_be_is_refused_with_the_reason(text, reason):
    table = Table(put_up({(0, 1): 3, (2, 3): 19, (3, 3): -5, (4, 5): 7, (5, 4): 18, (5, 5): 20}))
    with pytest.raises(UserError, match=re.escape(reason)):
        read_move(table.state[0], text)


def test_every_legal_move_comes_back_from_both_its_spellings():
    table = Table(put_up({(0, 1): 3, (2, 3): 19, (3, 3): -5, (4, 5): 7, (5, 4): 18, (5, 5): 20}))
    s = table.state[0]
    for move in table.legal():
        assert read_short(s, move_short(s, move)) == read_move(s, move_words(s, move)) == move


# Records.


def test_a_record_has_a_line_for_the_map_one_a_round_and_one_for_the_result():
    game, played = one_game(players=("greedy", "idle"))
    lines = game.view.game_text(played).split("\n")
    assert lines[0] == "map duel, 30 rounds" and lines[1] == "1: 0,0+ idle" and lines[-1] == "blue wins"
    assert len(lines) == 2 + -(-len(played.moves) // 2)


@pytest.mark.parametrize("words", ["rounds=30", "map=easy,rounds=8", "map=empty,goal=all,rounds=9"])
def test_a_record_gives_the_game_again(words):
    game, played = one_game(words, ("random", "random"))
    text = game.view.game_text(played)
    assert game.view.read_moves(text, "here") == (2, played.moves)
    assert read_record(text, "here").end()[0]["over"]


def test_a_map_without_a_name_stands_in_the_record_itself(tmp_path):
    (tmp_path / "own.map").write_text("b2 . r1\n . . .\n")
    game, played = one_game(f"map={tmp_path / 'own.map'},rounds=5", ("idle", "idle"))
    text = game.view.game_text(played)
    assert text.split("\n") == [
        "map b2 . r1 / . . ., 5 rounds",
        "1: idle idle",
        "2: idle idle",
        "3: idle idle",
        "stale",
    ]
    assert GAME.view.read_moves(text, "here")[1] == played.moves  # wherever the map is now


GOOD = "map b2 . r1, 5 rounds\n1: 0,0+ idle\n2: 0,0>0,1:2 idle\n3: 0,1>0,2:2\nblue wins"


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            "map b2 . r1, 5 rounds",
            "start",
            "here, line 1: a game begins with a line such as 'map duel, 500 rounds', not",
        ),
        ("5 rounds", "0 rounds", "here, line 1: 0 rounds; a game has 1 to 5000"),
        ("b2 . r1", "b2 . r21", "here, line 1, row 1, tile 3: 'r21': 21 troops"),
        ("b2 . r1", ". . r1", "here, line 1: no blue tile"),
        ("1: ", "2: ", "here, line 2: '2: 0,0+ idle' is not round 1, such as '1: 0,0+ 5,5>5,4:1'"),
        ("0,0+", "0,0*", "here, line 2: '0,0*' is not a move, such as 0,1+ or 2,3>3,3:19 or idle"),
        ("0,0+", "0,1+", "here, line 2: 0,1 is nature's: a move starts from a tile of blue"),
        ("0,0+ idle", "0,0+", "here, line 2: red's move is missing"),
        ("0,1>0,2:2", "0,1>0,2:2 idle", "here, line 4: idle: the game is over already"),
        ("\n3: 0,1>0,2:2", "", "here: the game is incomplete: its moves do not lead to an end"),
        ("blue wins", "red wins", "here: the last line is 'red wins', but the game ends with 'blue wins'"),
        ("\nblue wins", "", "here: the game is incomplete"),
    ],
)
def test_a_record_that_is_wrong_says_where(old, new, message):
    assert read_record(GOOD, "here").end()[0]["tally"]["score"][0] == 1
    with pytest.raises(UserError) as caught:
        read_record(GOOD.replace(old, new, 1), "here")
    assert str(caught.value).startswith(message)


# What people see.


def test_the_text_shows_owner_troops_and_coordinates_of_every_tile():
    text = GAME.view.text(Table(find_map("easy")).state[0])
    assert text.startswith("round 1 of 500: blue to move   blue 1 tile, 1 troop   red 6 tiles, 40 troops\n")
    assert text.count("r10") == 2 and text.count("r5") == 4 and text.count("b1") == 1 and text.count(" . ") == 29
    assert all(f" {row},{column} " in text for row in range(6) for column in range(6))


def test_a_small_map_is_drawn_in_hexagons():
    assert GAME.view.text(Table(map_of("b1 .", " . r20")).state[0]).split("\n")[1:] == [
        r"   / \     / \ ".rstrip(),
        r" /     \ /     \ ".rstrip(),
        r"|   b1  |   .   |",
        r"|  0,0  |  0,1  |",
        r" \     / \     / \ ".rstrip(),
        r"   \ /     \ /     \ ".rstrip(),
        r"    |   .   |  r20  |",
        r"    |  1,0  |  1,1  |",
        r"     \     / \     /",
        r"       \ /     \ /",
    ]


def test_a_replay_tells_every_move_and_the_end():
    game, played = one_game()
    told = list(game.view.replay(game.view.game_text(played), "here", ["greedy", "random"]))
    assert len(told) == len(played.moves) + 1
    assert told[0].startswith("greedy (blue) begins\n") and told[1].startswith(
        "round 1: Greedy (blue) produces a troop at 0,0\n"
    )
    assert told[-1].split("\n")[0].endswith("; blue wins")


def test_labels_name_every_input_and_output():
    for policy, outputs in GAME.policies.decodings.items():
        for encoding, inputs in GAME.policies.encodings.items():
            told = GAME.view.net_labels(encoding, policy, outputs)
            assert [len(names) for names in told] == [inputs, outputs] and len(set(told[0])) == inputs


# Pictures.


def test_a_picture_shows_title_troops_coordinates_and_encoded_values():
    table = Table(put_up({(0, 0): 19, (3, 1): -10}))
    root = ElementTree.fromstring(map_svg(table.state[0], "Attack & defence", "names", None))
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words[-2:] == ["Attack & defence", "names"] and len(words) == 3 * 36 + 2
    assert {"19", "10", "(0, 0)", "(3, 1)", "0.95", "-0.5"} <= set(words)
    assert words.count("0.0") == 34 and len(list(root.iter(f"{SVG}polygon"))) == 36
    assert "blue: 19 on 0,0; red: 10 on 3,1" in root.attrib["aria-label"]


def test_a_whole_game_becomes_numbered_frames_and_an_animation(tmp_path):
    game, played = one_game()
    written = draw_game(game, played, tmp_path / "film", ("one", "two"), fitness="conquest")
    names = [path.name for path in written]
    assert names[:3] == ["start.svg", "round-1-player-1.svg", "round-1-player-2.svg"]
    assert names[-2:] == ["end.svg", "game.svg"] and len(names) == len(played.moves) + 3
    titles = [list(ElementTree.parse(path).getroot().iter(f"{SVG}text"))[-2].text for path in written[:-1]]
    assert titles[:2] == ["Game Overview", "Production Move (0, 0)"] and titles[-1] == "Blue won the game!"
    subtitle = list(ElementTree.parse(written[-2]).getroot().iter(f"{SVG}text"))[-1].text
    assert re.fullmatch(r"one / two · Round: \d+ · Fitness: \d\d\.\d{3} / 0\.000", subtitle)


def test_the_animation_shows_each_look_of_a_tile_while_it_lasts(tmp_path):
    game, played = one_game("map=easy,rounds=2", ("greedy", "idle"))
    root = ElementTree.parse(draw_game(game, played, tmp_path)[-1]).getroot()
    frames = len(played.moves) + 2
    # The corner has a troop, two, and one again when the other has left for a tile beside; and words lie over each frame.
    moving = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}animate") is not None]
    assert len(moving) == 3 + 2 + frames
    for group in moving:
        told = group.find(f"{SVG}animate").attrib
        times = [float(time) for time in told["keyTimes"].split(";")]
        assert times[0] == 0 and times == sorted(times) and len(times) == len(told["values"].split(";"))
        assert told["dur"] == f"{0.8 * (frames + 3):g}s" and told["calcMode"] == "discrete"


def test_guided_moves_are_starred_as_the_study_does():
    game, played = one_game("rounds=2")
    guided = [True, False, False, True]
    titles = [frame.title for frame in game_frames(game, played, ["one", "two"], guided=guided)][1:-1]
    assert [title.startswith("*") for title in titles] == guided


def test_pictures_can_be_pngs_with_a_gif(tmp_path):
    from matplotlib.image import imread

    game, played = one_game("map=easy,rounds=1", ("greedy", "idle"))
    written = game.view.pictures(played, ["one", "two"], tmp_path, "png")
    assert [path.name for path in written] == [
        "start.png",
        "round-1-player-1.png",
        "round-1-player-2.png",
        "end.png",
        "game.gif",
    ]
    picture = imread(written[1])
    assert picture.shape == (543, 562, 3)
    blue, red, paper = picture[130, 35], picture[330, 155], picture[5, 5]  # of tiles 0,0 and 3,1 beside their words
    assert blue[2] > blue[0] + 0.2 and red[0] > red[2] + 0.2 and (paper > 0.95).all()


def test_an_unknown_format_or_a_wrong_folder_is_refused(tmp_path):
    game, played = one_game("rounds=1")
    with pytest.raises(UserError, match="format = 'bmp': must be one of svg, png"):
        draw_game(game, played, tmp_path, format="bmp")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        draw_game(game, played, tmp_path / "file")


def test_pages_get_frames_with_pictures():
    game, played = one_game()
    frames = game.view.frames(game.view.game_text(played), "here", ["one", "two"])
    assert len(frames) == len(played.moves) + 1 and all(svg.startswith("<svg") for _, svg in frames)


def test_the_names_of_maps_are_their_files():
    folder = Path(__file__).parent.parent / "src/sparring/games/conquest/maps"
    assert sorted(NAMES) == sorted(path.stem for path in folder.glob("*.map"))
