"""The tables of endings against a plain recursion, and their files."""

import random

import numpy as np
import pytest

from amounts import amount
from backgammon_bearoff import OVER, ROLLS, distribution, equities, first_off, mean_rolls, positions, reached
from backgammon_tables import side
from sparring.games.backgammon import bearoff
from sparring.games.backgammon.bearoff import CUBELESS, FIRST, Race, number, one_side, stored, two_sides
from sparring.kernel.compiler import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="tables of endings take hours in plain Python")
CLOSE = 1e-6  # tables are stored in single precision


def whole(position):
    """26 places of a home position."""
    return (15 - sum(position), *position, *[0] * 19)


def test_positions_are_numbered_in_order_from_none_to_all_on_the_six_point():
    every = sorted(positions(4), key=lambda position: position[::-1])
    assert [number(whole(position), 4) for position in every] == list(range(len(every)))
    assert number(side("6:15"), 15) == len(one_side()) - 1 == 54263


def test_the_rolls_that_a_side_needs_are_those_of_a_plain_recursion():
    for position in positions(amount(6, 8)):
        expected = np.zeros(bearoff.ROLLS)
        found = distribution(position)[: bearoff.ROLLS]
        expected[: len(found)] = found
        assert np.abs(one_side()[number(whole(position), 15), : bearoff.ROLLS] - expected).max() < CLOSE


def test_the_rolls_to_the_first_checker_off_are_those_of_a_plain_recursion():
    for text in ("1:15", "1:14 6", "2:15", "1:10 3:3 6:2") + amount((), ("3:15", "1:5 2:5 4:5", "1:9 5:3 6:3")):
        position = side(text)[1:7]
        assert (
            np.abs(one_side()[number(whole(position), 15), bearoff.ROLLS :] - first_off(position)[:FIRST]).max() < CLOSE
        )


def test_a_side_with_a_checker_off_has_saved_the_gammon():
    assert one_side()[number(side("1:14"), 15), bearoff.ROLLS] == 1


def test_every_distribution_adds_up_to_one():
    assert np.abs(one_side()[:, : bearoff.ROLLS].sum(axis=1) - 1).max() < CLOSE
    assert np.abs(one_side()[:, bearoff.ROLLS :].sum(axis=1) - 1).max() < CLOSE


# Of the 36 rolls, those that bear off two checkers: the table that every textbook prints.
TWO_CHECKERS = {
    (1, 1): 36, (2, 1): 36, (2, 2): 26, (3, 1): 34, (3, 2): 25, (3, 3): 17, (4, 1): 29, (4, 2): 23, (4, 3): 17, (4, 4): 11,
    (5, 1): 23, (5, 2): 19, (5, 3): 14, (5, 4): 10, (5, 5): 6, (6, 1): 15, (6, 2): 13, (6, 3): 10, (6, 4): 8, (6, 5): 6,
    (6, 6): 4,
}  # fmt: skip


@pytest.mark.parametrize(("points", "rolls"), TWO_CHECKERS.items())
def test_two_checkers_go_off_in_one_roll_as_often_as_published(points, rolls):
    mover, other = side("{} {}".format(*points)), side("1")
    assert one_side()[number(mover, 15), 1] == pytest.approx(rolls / 36)
    assert Race(mover, other).outcomes()[0] == pytest.approx(rolls / 36)


def test_short_endings_with_the_cube_are_those_of_a_plain_recursion():
    few = [position for position in positions(amount(2, 3)) if position != OVER]
    for mover in few:
        for other in few:
            found = two_sides()[number(whole(mover), 6), number(whole(other), 6)]
            assert np.abs(found - equities(mover, other)).max() < CLOSE


def test_decisions_by_the_table_lose_nothing_against_a_plain_recursion():
    few, chooser = [position for position in positions(amount(2, 3)) if position != OVER], random.Random(1)
    for _ in range(amount(300, 1000)):
        mover, other = chooser.choice(few), chooser.choice(few)
        ends = sorted(reached(mover, *chooser.choice(ROLLS)))
        by_table = [two_sides()[number(whole(other), 6), number(whole(end), 6), CUBELESS] for end in ends]
        exact = [equities(other, end)[0] for end in ends]
        assert exact[int(np.argmin(by_table))] - min(exact) < 1e-5


def test_the_chance_of_a_race_is_that_of_two_independent_bear_offs():
    every, chooser = [position for position in positions(6) if position != OVER], random.Random(2)
    # Seven checkers: not in the table of two sides.
    seven = [(7 - two - three, two, three, 0, 0, 0) for three in range(8) for two in range(8 - three)]
    for _ in range(amount(200, 1000)):
        mover, other = chooser.choice(seven), chooser.choice(every)
        mine, theirs = distribution(mover), distribution(other)
        race, back = Race(whole(mover), whole(other)), Race(whole(other), whole(mover))
        first = sum(chance * sum(theirs[rolls:]) for rolls, chance in enumerate(mine))
        second = sum(chance * sum(mine[rolls:]) for rolls, chance in enumerate(theirs))
        assert (race.outcomes()[0], back.outcomes()[0]) == pytest.approx((first, second), abs=CLOSE)
        assert race.mean_rolls() == pytest.approx((mean_rolls(mover), mean_rolls(other)), abs=1e-5)


def test_a_gammon_is_lost_by_a_side_that_takes_none_off_in_time():
    assert Race(side("1:2"), side("1:15")).outcomes() == pytest.approx((1, 1, 0, 0, 0))
    assert Race(side("1:4"), side("1:15")).outcomes()[1] == pytest.approx(1 / 6)  # only with doubles: then one roll
    assert Race(side("1:15"), side("1:2")).outcomes() == pytest.approx((0, 0, 0, 0, 0))
    assert Race(side("6:15"), side("1")).outcomes()[3] == pytest.approx(
        19 / 36, abs=1e-5
    )  # no checker off with one roll


def test_only_races_at_home_are_known():
    assert Race(side("6:15"), side("1")).known
    assert not Race(side("7 6:14"), side("1")).known and not Race(side("1"), side("bar")).known
    assert Race(side("6:6"), side("1:6")).short and not Race(side("6:7"), side("1")).short


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 48, None])
def test_a_damaged_file_is_made_again(tmp_path, monkeypatch, capsys, damage):
    monkeypatch.setattr(bearoff, "CACHE", tmp_path)
    table = np.arange(4.0)
    assert (stored("t", (4,), lambda: table) == table).all()
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    path.write_bytes(good[:-1] + b"!" if damage is None else damage)
    assert (stored("t", (4,), lambda: table) == table).all() and path.read_bytes() == good
    assert (stored("t", (4,), lambda: 1 / 0) == table).all()
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
