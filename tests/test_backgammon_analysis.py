"""Matches of other programs: read, checked, judged; broken files are refused in one line."""

import json
import random
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from benchmarks.backgammon_analysis import facts
from benchmarks.gnubg_matches import Setup, play_match

import sparring
from amounts import amount
from fault_kinds import Constant
from mutations import spoil_text
from sparring.arena.players import find_player
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.analysis import AnalysisOptions
from sparring.games.backgammon.analyst import CLOSE, BackgammonAnalyst
from sparring.games.backgammon.cube import Stakes
from sparring.games.backgammon.cube_advice import ROLLS, advise_position, best_plays, play_values
from sparring.games.backgammon.cube_value import MOVER, OTHER
from sparring.games.backgammon.gnubg import ELSEWHERE
from sparring.games.backgammon.judge import Judge, expectation, mirrored, unit
from sparring.games.backgammon.plays import PLACES, make_play
from sparring.games.backgammon.positions import STARTS, Position
from sparring.nets.evaluators import net_evaluator

HERE = Path(__file__).parent / "matches"
MAT, SGF, XGIDS = (HERE / name for name in ("gnubg.mat", "gnubg.sgf", "positions.xgid"))
ANALYST = BackgammonAnalyst()
START = np.array([STARTS["standard"].mover, STARTS["standard"].other], np.int8)
HEAD = " {} point match\n\n Game 1\n A : {}                          B : {}\n"
NO_GNUBG = not shutil.which("gnubg", path=f"{ELSEWHERE}:/usr/bin:/bin")


@pytest.fixture(scope="module")
def network():
    return net_evaluator(find_player(find_game("backgammon"), "champion-40").net)


def read(text, name="a.mat"):
    return ANALYST.read(text, name)


def refused(text, name="a.mat"):
    with pytest.raises(UserError) as caught:
        read(text, name)
    return str(caught.value)


# Files.


def test_both_files_of_a_match_give_the_same_decisions():
    mat, sgf = read(MAT.read_text()), read(SGF.read_text(), "a.sgf")
    assert len(mat) == 7
    assert [facts(game) for game in mat] == [facts(game) for game in sgf]
    assert mat[-1].terms.scores == (6, 2) and mat[-1].winner == 0


DIALECTS = {
    "bar and off in words": lambda text: re.sub(r"\b25/", "bar/", re.sub(r"/0\b", "/off", text)),
    "dances in words": lambda text: re.sub(r"([1-6][1-6]:)(?= {3,}|\n)", r"\1 Cannot Move ", text),
    "passes, doubles without a value": lambda text: text.replace("Drops", "Passes").replace("Doubles => 2", "Doubles"),
    "the match in words": lambda text: text.replace("Wins 1 point\n\n", "Wins 1 point and the match\n\n"),
    "tags of eXtreme Gammon": lambda text: '; [Site "x"]\n; [Crawford "On"]\n; [Variation "Backgammon"]\n' + text,
    "Windows lines and tabs": lambda text: text.replace("  1) ", "\t1) ").replace("\n", "\r\n"),
    "repeated plays counted": lambda text: re.sub(r" (\d+/\d+) \1(?= |\n)", r" \1(2)", text),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_dialects_of_mat_files_mean_the_same(dialect):
    plain = MAT.read_text()
    changed = DIALECTS[dialect](plain)
    assert changed != plain
    assert [facts(game) for game in read(changed)] == [facts(game) for game in read(plain)]


def test_a_text_of_extreme_gammon_with_games_is_read_like_a_match_file():
    assert [facts(game) for game in read(MAT.read_text(), "a.txt")] == [facts(game) for game in read(MAT.read_text())]


def test_the_cube_goes_to_the_side_that_takes_and_beavers_turn_it_again():
    rows = "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Beavers => 4               61: 13/7 8/7\n"
    (game,) = read(HEAD.format(0, 0, 0) + rows)
    assert [action.kind for action in game.actions] == ["play", "double", "beaver", "play"]
    last = game.actions[-1].stakes
    assert (last.cube, last.owner) == (4, OTHER)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "contains no games"),
        ("hello", "not understood"),
        (" 5 point match\n Game 1\n", "no names"),
        (HEAD.format(5, 7, 0) + "  1) 31: 8/5 6/5\n", "over already"),
        (HEAD.format(5, 0, 0) + "  1) 33: 8/5(2) 6/3(2)\n", "doublet"),
        (HEAD.format(5, 0, 0) + "  1) 31: 8/5 8/5\n", "line 5"),
        (HEAD.format(5, 0, 0) + "  1) 31: ????\n", "not recorded"),
        (HEAD.format(5, 0, 0) + "  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n", "turn of B"),
        (HEAD.format(5, 0, 0) + "  1) Doubles => 2   Takes\n", "before the first roll"),
        (HEAD.format(5, 4, 0).replace("Game 1", "Game 1 Crawford") + "  1) 31: 8/5 6/5                 Doubles => 2\n", "Crawford"),
        (HEAD.format(5, 0, 0) + "  1) 31: 8/5 6/5                 Doubles => 4\n", "must be 2"),
        (HEAD.format(5, 0, 0) + "  1) 31: 8/5 6/5                 Takes\n", "not offered"),
        (HEAD.format(1, 0, 0) + "  1) 31: 8/5 6/5                 Doubles => 2\n", "decides the match"),
        (HEAD.format(5, 0, 0) + "  1) 31: 8/5 6/5                 Doubles => 2\n  2) 31: 8/5 6/5\n", "must take or pass"),
        (HEAD.format(5, 0, 0) + "  1) 31: 8/5 6/5\n      Wins 5 points\n", "counts 1, 2 or 3 times"),
        ('; [Variation "NackGammon"]\n' + HEAD.format(5, 0, 0) + "  1) 31: 8/5 6/5\n", "NackGammon"),
        (MAT.read_text().replace("gnubg : 0", "gnubg : 3", 2).replace("gnubg : 3", "gnubg : 0", 1), "games before lead"),
    ],
)  # fmt: skip
def test_what_the_rules_do_not_allow_is_refused_with_its_line(text, fragment):
    assert fragment in refused(text)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("(;GM[1])", "not backgammon"),
        ("(;GM[6]RU[Hypergammon3])", "Hypergammon3"),
        ("(;GM[6]MI[length:x])", "whole number"),
        ("(;GM[6];B[31zz])", "node 2"),
        ("(;GM[6];B[hello])", "neither a roll"),
        ("(;GM[6]RE[W+x];B[31abcd])", "node 2"),
        ("(;GM[6]CV[3])", "power of two"),
        ("(;GM[6]AE[a:y]AW[a]AB[a])", "one point"),
        ("(;GM[6]AE[a:y]AW[b])", "0 checkers"),
        ("(;GM[6]", "missing"),
        ("GM", "no games"),
    ],
)
def test_broken_sgf_files_are_refused(text, fragment):
    assert fragment in refused(text, "a.sgf")


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("nothing", "neither games nor XGIDs"),
        ("XGID=-b----E-C---eE---c-e----B-:4:1:1:52:0:0:0:7:10", "already decides it"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:9:0:0:7:10", "each must be below 7"),
        ("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:7:10", "nothing to decide"),
        ("XGID=-b----E-C---eE---c-e---:0:0:1:52:0:0:0:7:10", "places"),
    ],
)
def test_impossible_positions_are_refused(text, fragment):
    assert fragment in refused(text, "a.xgid")


@pytest.mark.parametrize("path", [MAT, SGF, XGIDS], ids=lambda path: path.suffix)
def test_spoilt_files_are_read_or_refused_in_one_line(path):
    text, ends = path.read_text(), {"read": 0, "refused": 0}
    how = AnalysisOptions(Constant(), "constant", "0")
    for number in range(amount(120, 1700)):
        spoilt = spoil_text(random.Random(number), text)
        try:
            games = ANALYST.read(spoilt, path.name)
            if number % 40 == 0:
                ANALYST.analyse(games[:1], how)
            ends["read"] += 1
        except UserError as error:
            assert "\n" not in str(error)
            ends["refused"] += 1
    assert min(ends.values()) > 0


@pytest.mark.skipif(NO_GNUBG, reason="gnubg is not installed")
@pytest.mark.parametrize("length", [0, 3])
def test_fresh_matches_of_gnubg_are_replayed_without_a_difference(length, tmp_path):
    play_match(Setup(length, 77, (0.05, 0.2), games=2), tmp_path, "fresh")
    mat, sgf = (read((tmp_path / f"fresh{suffix}").read_text(), f"a{suffix}") for suffix in (".mat", ".sgf"))
    assert mat and [facts(game) for game in mat] == [facts(game) for game in sgf]


# Judgements.


def test_equities_without_a_cube_are_those_of_the_network(network):
    judge = Judge(network, "champion-40")
    rolls = judge.rolls(START, 0, ROLLS, None, False)
    ends = best_plays([START], 0, network)
    assert [roll.best for roll in rolls] == pytest.approx(play_values(ends, 0, network).tolist(), abs=1e-5)


def test_compiled_outcomes_of_all_rolls_are_those_of_the_formulas(network):
    boards = np.zeros((3, 2, PLACES), np.int8)
    boards[0] = START
    boards[1, 0, [0, 1, 6, 13]], boards[1, 1, [1, 4, 25]] = (2, 3, 4, 6), (5, 8, 2)  # no gammon against the first side
    boards[2, 0, [0, 2]], boards[2, 1, [1, 5]] = (11, 4), (10, 5)  # both bear off: tables
    judge = Judge(network, "champion-40")
    for board in boards:
        for seat in (0, 1):
            compiled, plain = judge.static(board, seat, ROLLS), judge.by_formula(board, seat, ROLLS)
            assert compiled.moves == plain.moves
            assert np.array_equal(compiled.ends, plain.ends)
            assert compiled.outcomes == pytest.approx(plain.outcomes, abs=1e-5)


def test_the_value_of_a_play_is_minus_the_best_cube_action_of_the_other_side(network):
    judge, stakes = Judge(network, "champion-40"), Stakes(2, MOVER, (3, 4))
    (roll,) = judge.rolls(START, 1, [(3, 1)], stakes, False)
    for move, equity in list(zip(roll.moves, roll.equities, strict=True))[:5]:
        board = START.copy()
        make_play(board, 1, move, 3, 1)
        position = Position(*(tuple(side) for side in board.tolist()))
        advice = advise_position(position, mirrored(stakes), network, "")
        values = [advice.no_double] + [min(advice.double_take, 1.0)] * advice.may_double
        assert equity == pytest.approx(-max(values), abs=1e-5)


def test_equity_is_counted_in_the_cube_and_in_match_winning_chances():
    assert expectation(None, 0.5) == 0.5
    assert expectation(Stakes(4, MOVER), 0.5) == 2.0
    dead = Stakes(1, None, (1, 1))
    assert (expectation(dead, -1), expectation(dead, 0), expectation(dead, 1)) == (0, 0.5, 1)
    assert unit(dead) == 0.5


def analysed(path, tmp_path, capsys, *words):
    assert main(["analyse", str(path), "--player", "champion-40", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_performance_rating_is_500_times_the_mean_loss_of_what_counts(tmp_path, capsys):
    game = analysed(MAT, tmp_path, capsys, "--game", "2")["games"][0]
    for seat, player in enumerate(game["players"]):
        counted = [d for d in game["decisions"] if d["seat"] == seat and d["counted"]]
        assert player["decisions"] == len(counted) > 0
        mean = sum(d["loss"] for d in counted) / len(counted)
        assert player["figures"]["performance rating"] == pytest.approx(500 * mean)
    for decision in game["decisions"]:
        values = {choice["words"]: choice["value"] for choice in decision["choices"]}
        if decision["kind"] == "double" and decision["made"] == "no double":
            assert decision["loss"] > 0 or values["no double"] - values["double"] < CLOSE
        if decision["counted"]:
            assert decision["loss"] == pytest.approx(max(values.values()) - values[decision["made"]])


def test_luck_and_loss_account_for_the_result_of_a_match(tmp_path, capsys):
    found = analysed(MAT, tmp_path, capsys)
    results = [total["result"] for total in found["totals"]]
    assert results == pytest.approx([50, -50])  # per cent of match-winning chance that the winner gained
    assert sum(total["adjusted"] for total in found["totals"]) == pytest.approx(0, abs=1e-6)


def test_a_game_is_written_with_comments_that_do_not_change_it(tmp_path, capsys):
    out, page = tmp_path / "out.mat", tmp_path / "out.html"
    analysed(MAT, tmp_path, capsys, "--out", str(out), "--html", str(page))
    assert "; gnubg" in out.read_text() and "loses" in out.read_text()
    assert [facts(game) for game in read(out.read_text())] == [facts(game) for game in read(MAT.read_text())]
    assert "performance rating" in page.read_text()


def test_positions_are_judged_one_by_one(tmp_path, capsys):
    found = analysed(XGIDS, tmp_path, capsys)["games"]
    assert [game["decisions"][0]["kind"] for game in found] == ["play", "play", "double", "double"]
    assert all(game["decisions"][0]["choices"] and not game["decisions"][0]["counted"] for game in found)


@pytest.mark.parametrize("rules", ["backgammon", "backgammon:cube=on", "backgammon:match=3"])
def test_logs_of_ours_are_analysed_with_their_cube_and_score(rules, tmp_path, capsys):
    log = tmp_path / "games.log"
    sparring.match(rules, "champion-40", "random", pairs=1, seed=3, keep=log)
    found = analysed(log, tmp_path, capsys)
    champion, random_player = found["totals"]
    assert champion["mean_loss"] < random_player["mean_loss"]
    if rules == "backgammon":
        assert champion["loss"] < 1e-6  # the judge itself


def test_a_network_of_one_output_cannot_judge_the_cube(capsys):
    assert main(["analyse", str(MAT), "--player", "random"]) == 2
    assert "must be a network" in capsys.readouterr().err
    assert main(["analyse", str(MAT), "--level", "9"]) == 2
    assert "level" in capsys.readouterr().err
