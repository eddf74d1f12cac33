"""The mathematics of the cube against published figures, advice on positions, and what is refused."""

import json
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

import sparring
from amounts import amount
from backgammon_tables import refusal, side
from sparring.cli import main
from sparring.games.backgammon import GAME
from sparring.games.backgammon.bearoff import CENTRED, OWNED, UNAVAILABLE, Race
from sparring.games.backgammon.cube import CubeModel, Outcomes, Stakes
from sparring.games.backgammon.cube_advice import advise, advise_position, exact_efficiency
from sparring.games.backgammon.cube_position import read_cube_position
from sparring.games.backgammon.cube_value import MATCH_EQUITIES, MOVER, OTHER
from sparring.kernel.compiler import INTERPRETED
from sparring.nets.evaluators import net_evaluator
from sparring.nets.files import load_net

TABLES = pytest.mark.skipif(INTERPRETED, reason="tables of endings take hours in plain Python")
EVEN = Outcomes(0.5)
MANUAL = Outcomes(0.454, 0.103, 0.001, 0.106, 0.003)  # GNU Backgammon's manual, "Cubeful equities", example 1


# Match equities.


def test_the_table_is_the_published_one():
    """As printed by extremegammon.com and in Tom Keith's article on the table (bkgm.com)."""
    table = MATCH_EQUITIES
    assert table.shape == (65, 64)
    assert [round(100 * table[a - 1, b - 1], 2) for a, b in ((1, 2), (1, 3), (2, 3), (3, 6))] == [
        67.74,
        75.08,
        59.95,
        71.12,
    ]
    known = table[:25, :25]
    assert np.allclose(known + known.T, 1, atol=1e-9) and (np.diff(known) > 0).all()


def test_beyond_25_points_the_table_goes_on_as_in_gnu_backgammon():
    """Printed by GNU Backgammon 1.07 for this table."""
    found = {(31, 11): 0.0406196117, (26, 25): 0.4684718251, (64, 63): 0.4800081551, (41, 41): 0.5}
    for (mine, theirs), chance in found.items():
        assert MATCH_EQUITIES[mine - 1, theirs - 1] == pytest.approx(chance, abs=1e-7)
    pairs = MATCH_EQUITIES[:-1]
    assert np.allclose(pairs + pairs.T, 1, atol=1e-9) and (np.diff(pairs) >= 0).all()
    for away in range(26, 65):  # after the Crawford game: half the games are won, a quarter of these as gammons
        two, four = (MATCH_EQUITIES[-1, away - 1 - points] for points in (2, 4))
        assert MATCH_EQUITIES[-1, away - 1] == pytest.approx((0.75 * two + 0.25 * four) / 2)


def test_a_win_or_a_loss_leads_to_another_score():
    table, stakes = MATCH_EQUITIES, Stakes(away=(5, 3))
    assert [stakes.worth(MOVER, points) for points in (1, 4, 5, 8)] == [table[3, 2], table[0, 2], 1, 1]
    assert [stakes.worth(MOVER, points) for points in (-1, -2, -3)] == [table[4, 1], table[4, 0], 0]
    assert stakes.worth(OTHER, 1) == pytest.approx(1 - stakes.worth(MOVER, -1))


def test_after_the_crawford_game_the_other_row_of_the_table_counts():
    table = MATCH_EQUITIES
    for crawford in (True, False):
        trailing = Stakes(away=(4, 1), crawford=crawford)
        assert trailing.worth(MOVER, 1) == table[-1, 2] and trailing.worth(MOVER, -1) == 0
        assert trailing.worth(OTHER, -1) == pytest.approx(1 - table[-1, 2])


# Take points.


def test_take_points_without_gammons_are_a_quarter_dead_and_a_fifth_live():
    model = CubeModel(Stakes(), EVEN)
    assert model.take_point(OTHER, 1, live=False) == 0.25 and model.take_point(OTHER, 1) == 0.2
    assert CubeModel(Stakes(4), EVEN).take_point(OTHER, 4) == 0.2


@pytest.mark.parametrize(
    ("away", "outcomes", "dead", "live"),
    [  # what eXtreme Gammon prints, quoted in github.com/lassehjorthmadsen/backgammon
        ((3, 3), EVEN, 0.3017, 0.2265),
        ((3, 3), Outcomes(0.5, 0.13865, 0.0065, 0.12945, 0.00545), None, 0.2900),
        ((13, 11), Outcomes(0.7166, 0.2020, 0.0010, 0.0525, 0.0034), 0.3216, 0.2759),
    ],
)
def test_take_points_at_a_score_are_those_of_extreme_gammon(away, outcomes, dead, live):
    model = CubeModel(Stakes(away=away), outcomes)
    assert model.take_point(OTHER, 1) == pytest.approx(live, abs=5e-5)
    assert dead is None or model.take_point(OTHER, 1, live=False) == pytest.approx(dead, abs=5e-5)


WOOLSEY = """50 70 75 83 85 90 91;30 50 60 68 75 81 85;25 40 50 59 66 71 76;17 32 41 50 58 64 70;15 25 34 42 50 57 63
10 19 29 36 43 50 56;9 15 24 30 37 44 50;50 48.5 30 29.6 18 18 10"""  # Inside Backgammon 2.2 (1992), to 7 points


def test_the_match_example_of_the_manual_of_gnu_backgammon():
    """White leads 3-0 to 7; Black is on roll."""
    table = np.array([row.split() for row in WOOLSEY.replace("\n", ";").split(";")], float) / 100
    dead, live, model = (CubeModel(Stakes(away=(7, 4), table=table), MANUAL, x) for x in (0.0, 1.0, 0.68))
    for value, black, white in ((4, 0, 0.41), (2, 0.15, 0.385), (1, 0.245, 0.273)):
        found = model.take_point(MOVER, value), model.take_point(OTHER, value)
        assert found == pytest.approx((black, white), abs=0.0006)
    chances = [each.value(0.454, 1, None) for each in (dead, live, model)]
    assert chances == pytest.approx([0.291, 0.292, 0.2917], abs=0.0006)


# Janowski's interpolation for money.


def test_the_money_example_of_the_manual_of_gnu_backgammon():
    """The manual divides by 0.556, a misprint for 0.546, hence losses of 1.196: as many gammons lost give the same."""
    assert MANUAL.equity() == pytest.approx(-0.097, abs=0.0005)
    misprint = Outcomes(0.454, 0.103, 0.001, 0.196 * 0.546)
    dead, live, model = (CubeModel(Stakes(), misprint, x).value(0.454, 1, None) for x in (0.0, 1.0, 0.68))
    assert (live, model) == pytest.approx((-0.157, -0.138), abs=0.001)


@pytest.mark.parametrize("efficiency", [0.0, 0.5, 0.68, 0.9])
@pytest.mark.parametrize("outcomes", [EVEN, MANUAL, Outcomes(0.6, 0.3, 0.02, 0.05)])
def test_points_are_those_of_the_article(efficiency, outcomes):
    """Janowski's formulas for take point, cash point and redouble point, by mean wins W and losses L."""
    wins = (outcomes.win + outcomes.gammon + outcomes.backgammon) / outcomes.win
    losses = 1 + (outcomes.gammon_lost + outcomes.backgammon_lost) / (1 - outcomes.win)
    whole = wins + losses + 0.5 * efficiency
    model = CubeModel(Stakes(2, MOVER), outcomes, efficiency)
    assert model.cash_point() == pytest.approx((losses + 0.5 + 0.5 * efficiency) / whole)
    assert model.double_point() == pytest.approx(min((losses + efficiency) / whole, model.cash_point()))
    assert 1 - model.cash_point() == pytest.approx((wins - 0.5) / whole)


def test_double_points_without_gammons_are_a_half_dead_and_four_fifths_live():
    for owner in (None, MOVER):
        for efficiency, point in ((0.0, 0.5), (1.0, 0.8)):
            assert CubeModel(Stakes(2, owner), EVEN, efficiency).double_point() == pytest.approx(point)


def test_with_jacoby_gammons_count_only_after_a_double():
    outcomes = Outcomes(0.8, 0.5)
    plain, jacoby = (CubeModel(Stakes(jacoby=rule), outcomes) for rule in (False, True))
    assert plain.no_double(0.8) > 1 > jacoby.no_double(0.8)
    assert plain.double_take(0.8) == jacoby.double_take(0.8)


def test_the_cube_is_dead_when_a_win_wins_the_match():
    model = CubeModel(Stakes(2, MOVER, away=(2, 5)), EVEN, 1.0)
    assert not model.stakes.may_double(MOVER)
    assert model.value(0.5, 2, MOVER) == pytest.approx(0.5 + 0.5 * Stakes(away=(2, 5)).worth(MOVER, -2))


def test_a_taker_who_has_nothing_to_lose_redoubles_at_once():
    """At 2-away, 5-away a double to 2 makes every loss of the other side final: its cube is worth 4 from then on."""
    model = CubeModel(Stakes(away=(2, 5)), EVEN)
    assert model.value(0.5, 2, OTHER) == pytest.approx(0.5 + 0.5 * Stakes(away=(2, 5)).worth(MOVER, -4))
    lost, kept = Stakes(away=(2, 5)).worth(OTHER, -1), Stakes(away=(2, 5)).worth(OTHER, 4)
    assert model.take_point(OTHER, 1) == pytest.approx(lost / kept)


# GNU Backgammon 1.07, 0-ply: its outcomes, then its equities of no double and of double and take. The match equities are ours.
GNU = [
    ("aBB-BBB---B---A-db-dbB-b--:0:0:1:00:0:0:0:0:10", (0.69318, 0.1975, 0.00172, 0.04368, 0.00089), 0.75120, 0.87336),
    ("aBB-BBB---B---A-db-dbB-b--:0:0:1:00:4:6:0:17:10", (0.69318, 0.1975, 0.00172, 0.04368, 0.00089), 0.78152, 0.93021),
]


@pytest.mark.parametrize(("text", "outcomes", "no_double", "double_take"), GNU)
def test_equities_are_those_of_gnu_backgammon(text, outcomes, no_double, double_take):
    model = CubeModel(read_cube_position(text)[1], Outcomes(*outcomes))
    found = model.no_double(outcomes[0]), model.double_take(outcomes[0])
    assert found == pytest.approx((no_double, double_take), abs=3e-5)


# Positions.

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
LAST_ROLL = "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10"  # 19 rolls of 36 win


def after(text, **fields):
    """An XGID with other fields."""
    names = ["board", "cube", "owner", "turn", "dice", "mine", "theirs", "rules", "length", "most"]
    found = dict(zip(names, text.split(":"), strict=True)) | {name: str(value) for name, value in fields.items()}
    return ":".join(found.values())


def test_an_xgid_says_what_is_at_stake():
    assert read_cube_position(START)[1] == Stakes()
    assert read_cube_position(after(START, rules=3))[1] == Stakes(jacoby=True, beavers=True)
    assert read_cube_position(after(START, cube=2, owner=1))[1] == Stakes(4, MOVER)
    assert read_cube_position(after(START, cube=2, owner=1, turn=-1))[1] == Stakes(4, OTHER)
    assert read_cube_position(after(START, mine=2, theirs=4, length=7))[1] == Stakes(away=(5, 3))
    assert read_cube_position(after(START, mine=2, theirs=4, length=7, turn=-1))[1] == Stakes(away=(3, 5))
    assert read_cube_position(after(START, mine=6, theirs=4, length=7, rules=1))[1] == Stakes(
        away=(1, 3), crawford=True
    )
    assert read_cube_position(after(START, dice="D"))[1] == Stakes()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"board": "-b----P-C---eE---c-e----B-"}, "26 checkers of one side; a side has 15"),
        ({"dice": 31}, "the dice are rolled"),
        ({"dice": "B"}, "a beaver is offered"),
        ({"cube": 16, "owner": 1}, "2 to the power of 16"),
        ({"cube": -1}, "2 to the power of -1"),
        ({"cube": 1}, "a cube of 2 in the middle"),
        ({"owner": 1}, "a cube of 1 with an owner"),
        ({"owner": 2}, "the owner of the cube is 2"),
        ({"rules": 4}, "rules of money play are 4"),
        ({"cube": 4, "owner": 1, "length": 7}, "a cube of 16 in a match to 7: a cube of 8 already decides it"),
        ({"mine": 7, "length": 7}, "the score is 7 to 0 in a match to 7"),
        ({"theirs": -1, "length": 7}, "the score is 0 to -1 in a match to 7"),
        ({"length": -3}, "a match to -3"),
        ({"length": 65}, "65 and 65 points needed; each must be from 1 to 64"),
        ({"length": 7, "rules": 2}, "the Crawford field is 2"),
        ({"length": 7, "rules": 1}, "not a Crawford game"),
        ({"length": 7, "rules": 1, "mine": 6, "theirs": 6}, "not a Crawford game"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(fields, reason):
    assert reason in refusal(read_cube_position, after(START, **fields))


def test_mutated_positions_are_read_or_refused():
    chooser = np.random.default_rng(3)
    for _ in range(amount(500, 5000)):
        letters = list(START)
        for place in chooser.integers(len(letters), size=chooser.integers(1, 4)):
            letters[place] = chooser.choice(list("-:0123456789ABDaob=\n x\u00e9"))
        try:
            read_cube_position("".join(letters))
        except sparring.errors.UserError as error:
            assert str(error) and "\n" not in str(error)


# Advice.


@pytest.fixture(scope="module")
def network():
    return net_evaluator(load_net(GAME.policies.champions["deep"], GAME))


@TABLES
def test_the_last_roll_is_doubled_by_a_favourite_and_taken(network):
    advice = advise(LAST_ROLL, network, "deep")
    assert advice.outcomes.win == pytest.approx(19 / 36)
    assert (advice.no_double, advice.double_take) == pytest.approx((2 / 36, 4 / 36))
    assert advice.action == "double, take" and advice.market_losers == pytest.approx(19 / 36)
    assert 1 - advice.model.cash_point() == pytest.approx(0.25, abs=1e-4)


@TABLES
@pytest.mark.parametrize(
    ("text", "action"),
    [
        (after(LAST_ROLL, cube=1, owner=1), "redouble, take"),
        (after(LAST_ROLL, cube=1, owner=-1), "no double: the other side owns the cube"),
        (after(LAST_ROLL, board="-----AA-----------------a-"), "no double, take"),
        (after(LAST_ROLL, board="-----AA-----------------a-", rules=2), "no double, beaver"),
        (after(LAST_ROLL, board="---A-A------------------a-", rules=2), "no double, beaver"),
        (after(LAST_ROLL, board="-A-A--------------------a-"), "double, pass"),
        (after(LAST_ROLL, mine=4, theirs=1, length=5, rules=1), "no double: this is the Crawford game"),
        (after(LAST_ROLL, mine=4, theirs=1, length=5), "no double: the cube is dead, a win wins the match"),
        (
            after(LAST_ROLL, mine=1, theirs=4, length=5),
            "double, take",
        ),  # behind after the Crawford game: nothing to lose
        (
            after(LAST_ROLL, mine=3, theirs=0, length=5),
            "no double, take",
        ),  # ahead: the other side would redouble at once
        (after(START, board="cBBBBBB-C----------ddd----"), "too good to double, pass"),
    ],
)
def test_the_right_action_has_a_name(network, text, action):
    assert advise_position(*read_cube_position(text), network, "deep").action == action


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([START, "--player", "pubeval"], "player 'pubeval': advice on the cube needs a network"),
        ([START, "--player", "deep-single"], "need a network with five outputs"),
        ([START, "--game", "golf"], "golf: is played without a doubling cube"),
        (["XGID=nothing"], "1 fields; 10, separated by ':', are needed"),
    ],
)
def test_the_command_refuses_in_one_line(capsys, words, reason):
    assert main(["cube", *words]) == 2
    error = capsys.readouterr().err
    assert reason in error and error.count("\n") == 1


@TABLES
def test_the_command_prints_lines_or_json():
    with redirect_stdout(StringIO()) as out:
        assert main(["cube", LAST_ROLL]) == 0 and main(["cube", START, "--json"]) == 0
    *lines, figures = out.getvalue().splitlines()
    assert lines[3].split() == ["no", "double", "+0.0556"] and "right: double, take" in lines
    found = json.loads(figures)
    assert found["action"] == "no double, take" and found["outcomes_by"] == "deep, 2-ply"
    assert found["outcomes"][0] == pytest.approx(0.525, abs=0.01)


@TABLES
def test_an_exact_ending_has_the_efficiency_that_gives_its_value():
    race = Race(side("1:2 3:2"), side("2:3"))
    for owner, column in ((None, CENTRED), (MOVER, OWNED), (OTHER, UNAVAILABLE)):
        outcomes = Outcomes(*race.outcomes())
        efficiency = exact_efficiency(race, outcomes, owner)
        if 0 < efficiency < 1:
            model = CubeModel(Stakes(), outcomes, efficiency)
            assert model.value(outcomes.win, 1, owner) == pytest.approx(race.equities()[column], abs=1e-5)
