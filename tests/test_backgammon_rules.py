"""Backgammon's rules as statements, each checked on the compiled game; and its plays against the plain rules'.

The nine rules are those of the study, "Co-evolutionary Backgammon Player" (2017), section 2.1.2.
"""

from collections import Counter
from itertools import count, islice, pairwise, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

import backgammon_reference as plain
from amounts import amount
from backgammon_reference import BLACK, ROLLS, START, WHITE
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon import rules
from sparring.kernel.compiler import INTERPRETED, kernel
from sparring.kernel.random import key
from sparring.kernel.records import records

PERFT = Path(__file__).parent / "golden" / "backgammon-perft.txt"
HYPER = "24 23 22"
DEADLOCK = "bar 6:2 5:2 4:2 3:2 2:2 1:2"  # for both sides: nobody can ever enter
COLOURS = (WHITE, BLACK)  # of seats 0 and 1
POSITIONS = 30 if INTERPRETED else amount(150, 400)  # of each kind; interpreted rules are a thousand times slower
room = np.empty(board_plays.MOST_PLAYS, np.int16)
room_boards = np.empty((board_plays.MOST_PLAYS, 2, board_plays.PLACES), np.int8)


def side(text):
    """A side's checkers by place."""
    counts = np.zeros(board_plays.PLACES, np.int8)
    for place, number in plain.read_side(text).items():
        counts[place] = number
    return counts


def text(counts):
    return plain.write_side(dict(enumerate(counts.tolist())))


@kernel
def play_each(states, moves, boards):
    """Play each legal move of the first state in the second; returns how many there are."""
    count = rules.moves(states[0], moves)
    for i in range(count):
        states[1] = states[0]
        rules.apply(states[1], int(moves[i]))
        for seat in range(2):
            for place in range(board_plays.PLACES):
                boards[i, seat, place] = states[1].board[seat, place]
    return count


class Table:
    """A game under way, played by hand. `mover` is the side that begins: seat 0 unless dice decide."""

    def __init__(self, mover=START, other=START, dice=(0, 0), first=rules.FIXED, single=0, seed=1, deal=0, luck=0):
        self.states = records(np.zeros(2, rules.State))  # the second is room to try plays in
        given = self["rules"]
        given["board"][0], given["board"][1] = side(mover), side(other)
        given["dice"], given["first"], given["single"] = dice, first, single
        with np.errstate(over="ignore"):
            rules.start(self.state, np.uint64(seed), deal, luck, 2)

    @property
    def state(self):
        return self.states[0]

    def __getitem__(self, name):
        return self.state[name]

    def dice(self):
        return tuple(self["dice"].tolist())

    def sides(self):
        return text(self["board"][0]), text(self["board"][1])

    def score(self):
        return self["tally"]["score"][:2].tolist()

    def legal(self):
        return room[: rules.moves(self.state, room)].tolist()

    def play(self, move):
        with np.errstate(over="ignore"):
            rules.apply(self.state, move)

    def play_any(self, luck):
        self.play(int(luck.choice(self.legal())))

    def lay(self, board, seat, dice):
        """Put up a position to be played from."""
        self["board"][:], self["dice"][:] = board, dice
        self.state["turn"] = seat

    def reached(self):
        """Every play of the roll, and the board it leads to."""
        with np.errstate(over="ignore"):
            count = play_each(self.states, room, room_boards)
        return room[:count].tolist(), room_boards[:count]


def after(mover, other, larger, smaller):
    """How the mover can stand after a roll."""
    return {text(board[0]) for board in Table(mover, other, (larger, smaller)).reached()[1]}


def opening_throws(seed, deal):
    """Dice thrown singly, seat 0's and seat 1's, until they differ."""
    states = records(np.zeros(1, rules.State))
    with np.errstate(over="ignore"):
        states[0]["stream"] = key(key(np.uint64(seed), 0), deal)
        throws = [(rules.die(states[0]), rules.die(states[0]))]
        while throws[-1][0] == throws[-1][1]:
            throws.append((rules.die(states[0]), rules.die(states[0])))
    return throws


def test_rule_1_the_higher_die_begins_and_plays_both_and_equal_dice_are_thrown_again():
    again = 0
    for deal in range(300):
        table, throws = Table(first=rules.DICE, deal=deal), opening_throws(1, deal)
        mine, theirs = throws[-1]
        assert table["turn"] == (theirs > mine)
        assert table.dice() == (max(mine, theirs), min(mine, theirs))
        again += len(throws) > 1
    assert 30 <= again <= 70  # one in six


def test_rule_1_both_seats_begin_as_often_and_the_fifteen_unequal_rolls_come_as_often():
    tables = [Table(first=rules.DICE, deal=deal) for deal in range(3000)]
    assert chisquare(np.bincount([table["turn"] for table in tables], minlength=2)).pvalue > 0.01
    rolls = Counter(table.dice() for table in tables)
    assert len(rolls) == 15
    assert chisquare(list(rolls.values())).pvalue > 0.01


def test_rule_1_the_side_that_begins_has_the_first_board_whichever_its_seat():
    tables = [Table(HYPER, "20:3", first=rules.DICE, deal=deal) for deal in range(20)]
    assert {int(table["turn"]) for table in tables} == {0, 1}
    for table in tables:
        assert table.sides() == ((HYPER, "20:3") if table["turn"] == 0 else ("20:3", HYPER))


def test_rule_1_replaced_by_a_fixed_first_seat_which_begins_with_any_roll():
    tables = [Table(deal=deal) for deal in range(600)]
    assert {int(table["turn"]) for table in tables} == {0}
    assert {table.dice() for table in tables} == set(ROLLS)


@pytest.mark.parametrize("first", [rules.DICE, rules.FIXED])
def test_rule_1_after_the_opening_both_throw_two_dice_in_turn_until_the_game_ends(first):
    table, luck = Table(first=first, deal=3), np.random.default_rng(1)
    turns, rolls = [], []
    while not table["over"]:
        turns.append(int(table["turn"]))
        rolls.append(table.dice())
        table.play_any(luck)
    assert all(one != other for one, other in pairwise(turns))
    assert table["tally"]["turns"] == len(turns)
    assert set(rolls) <= set(ROLLS)


def test_rule_2_two_or_more_of_the_other_side_close_a_point():
    assert after("8", "20:2", 3, 1) == {"4"}
    assert after("8", "20:2 18:2", 3, 1) == {"8"}
    assert after("8", "18:15", 1, 1) == {"8"}


def test_rule_2_a_single_one_of_the_other_side_does_not_close_a_point_and_own_checkers_never_do():
    assert after("8", "20 6", 2, 1) == {"5"}
    assert "7:6 5:8" in after("8 7:6 5:7", "6", 2, 1)


def test_rule_3_two_numbers_move_two_checkers_or_one_of_them_twice():
    assert after("13 8", "1", 2, 1) == {"11 7", "12 6", "10 8", "13 5"}


def test_rule_3_one_checker_moved_twice_needs_an_open_point_on_its_way():
    assert after("13", "14:2", 2, 1) == {"10"}
    assert after("13", "13:2", 2, 1) == {"10"}
    assert after("13", "14:2 13:2", 2, 1) == {"13"}


def test_rule_3_either_order_of_the_numbers_may_be_played_and_hits_on_the_way_tell_them_apart():
    boards = Table("13", "14 13", (2, 1)).reached()[1]
    assert {(text(board[0]), text(board[1])) for board in boards} == {("10", "bar 13"), ("10", "bar 14")}


def test_rule_3_of_plays_that_reach_the_same_position_one_is_offered():
    assert len(Table(START, START, (6, 5)).legal()) == 7  # 13/7/2, 13/8/2 and 13/8 8/2 are one
    assert len(Table("13:2", "1", (2, 1)).legal()) == 2  # 13/12 13/11 and 13/10, in either order
    assert len(Table("2 1", "1", (6, 5)).legal()) == 1


def test_rule_4_doubles_are_four_moves_of_that_number():
    assert after("20", "1", 3, 3) == {"8"}
    assert after("23 18", "1", 3, 3) == {"23 6", "20 9", "17 12", "15 14", "18 11"}
    assert "10:4 6" in after("13:4 6", "1", 3, 3)


def test_rule_5_who_can_play_nothing_gives_the_turn_up():
    table = Table("13", "18:2 17:2 16:2 15:2 14:2 13:2", (4, 2))
    assert table.legal() == [board_plays.PASS]
    table.play(board_plays.PASS)
    assert table["turn"] == 1
    assert table.sides() == ("13", "18:2 17:2 16:2 15:2 14:2 13:2")


def test_rule_5_as_many_numbers_as_can_be_played_must_be_both_if_any_way_allows_it():
    assert after("16 10", "20:2", 6, 5) == {"11 4"}  # 16/10 would leave no 5


def test_rule_5_both_numbers_must_be_played_even_if_only_the_smaller_can_be_first():
    assert after("8", "23:2", 6, 1) == {"1"}


def test_rule_5_the_larger_number_must_be_played_if_either_can_but_not_both():
    assert after("16", "20:2", 6, 5) == {"10"}
    assert after("8 2", "24:2", 6, 1) == {"2:2"}


def test_rule_5_the_smaller_number_must_be_played_if_the_larger_cannot():
    assert after("16", "20:2 15:2", 6, 5) == {"11"}


@pytest.mark.parametrize(("closed", "end"), [("14:2", "14"), ("17:2", "11"), ("20:2", "8"), ("23:2", "5"), ("1", "2")])
def test_rule_5_of_doubles_as_many_as_can_be_played_must_be(closed, end):
    assert after("14", closed, 3, 3) == {end}


def test_rule_6_a_checker_on_the_bar_is_moved_first():
    assert after("bar 13 8", "10", 2, 1) == {"22 13 8", "23 12 8", "23 13 7", "24 11 8", "24 13 6"}
    assert after("bar:2 13", "10", 2, 1) == {"24 23 13"}
    assert after("bar:3 13", "10", 2, 2) == {"23:2 21 13", "23:3 11"}


def test_rule_6_who_cannot_enter_abandons_the_turn():
    table = Table("bar 13", "2:2 1:2", (2, 1))
    assert table.legal() == [board_plays.PASS]
    table.play(board_plays.PASS)
    assert table["turn"] == 1


def test_rule_6_nobody_else_moves_until_all_have_entered():
    assert after("bar:2 13", "1:2", 2, 1) == {"bar 23 13"}
    assert after("bar 13", "1:2", 2, 1) == {"23 12", "22 13"}


def test_rule_7_nobody_is_borne_off_while_one_is_outside_the_inner_board():
    assert after("13 3", "1", 3, 2) == {"8 3", "10 1"}
    assert after("7:2 3", "1", 3, 2) == {"5 4 3", "7 4 1", "7 3 2"}
    assert after("bar 3", "10", 3, 2) == {"20 3", "22 1"}


def test_rule_7_the_last_may_come_home_with_one_number_and_another_go_off_with_the_other():
    assert after("7 3", "1", 3, 1) == {"6 off", "3:2", "4 2"}


def test_rule_7_an_exact_number_bears_off_and_so_does_a_higher_one_from_the_last_point():
    assert after("6 3", "1", 6, 3) == {"off:2", "3 off"}
    assert after("4 2", "1", 6, 5) == {"off:2"}
    assert after("4:2 2:3", "1", 5, 5) == {"2 off:4"}


def test_rule_7_a_higher_number_bears_nobody_off_before_those_further_back():
    assert after("6 3", "24:2 23:2", 5, 4) == {"6 3"}
    assert after("6 3", "24:2", 5, 4) == {"2 off"}


def test_rule_8_a_hit_checker_is_put_on_the_bar_and_has_to_move_first_in_its_owners_turn():
    table = Table("8", "20 6:2", (2, 1))
    table.play(table.legal()[0])
    assert table.sides() == ("5", "bar 6:2")
    for roll in ROLLS:
        table.lay(table["board"], 1, roll)
        assert all(board[1][board_plays.BAR] == 0 for board in table.reached()[1])


def test_rule_8_a_play_may_hit_several():
    boards = Table("8 6", "21 20 6", (3, 2)).reached()[1]
    assert ("5 4", "bar:2 6") in {(text(board[0]), text(board[1])) for board in boards}


def test_rule_9_who_has_all_fifteen_home_wins_and_the_game_ends():
    table = Table("2 1 off:13", "6 off:14", (6, 5))
    table.play(table.legal()[0])
    assert table["over"] == 1
    assert table.score() == [1, -1]
    assert table.sides() == ("off:15", "6 off:14")


def test_rule_9_with_one_left_the_game_goes_on():
    table = Table("6 4 off:13", "6 off:14", (6, 1))
    table.play(table.legal()[0])
    assert table.sides()[0] in ("3 off:14", "4 off:14")
    assert (table["over"], table["turn"], table.score()) == (0, 1, [0, 0])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ("6 off:14", 1),
        ("24:2 6:12 off", 1),
        ("bar 6:13 off", 1),
        ("6:15", 2),
        ("18:15", 2),
        ("19 6:14", 3),
        ("24:2 6:13", 3),
        ("bar 6:14", 3),
    ],
)
def test_a_gammon_counts_two_a_backgammon_three_and_one_each_if_single(seat, loser, points):
    for single in (0, 1):
        tables = (Table("2 off:14", loser, first=rules.DICE, single=single, deal=deal) for deal in range(99))
        table = next(table for table in tables if table["turn"] == seat)
        table.play(table.legal()[0])
        tally, mine = table["tally"], 1 if single else points
        assert table.score() == ([mine, -mine] if seat == 0 else [-mine, mine])
        assert [tally["gammons"][seat], tally["backgammons"][seat]] == [points == 2, points == 3]
        assert [tally["gammons"][1 - seat], tally["backgammons"][1 - seat]] == [0, 0]
        counts = plain.read_side(loser)
        assert tally["left"].tolist()[1 - seat] == 15 - counts.get(0, 0)
        assert tally["pips"].tolist()[1 - seat] == sum(place * number for place, number in counts.items())
        assert [tally["left"][seat], tally["pips"][seat]] == [0, 0]


@pytest.mark.parametrize("first", [rules.DICE, rules.FIXED])
def test_dice_are_the_same_in_a_deal_whatever_is_played(first):
    def rolls(deal, luck, start):
        table, choices = Table(start, start, first=first, deal=deal, luck=luck), np.random.default_rng(luck)
        while not table["over"] and table["tally"]["turns"] < 200:
            yield int(table["turn"]), table.dice()
            table.play_any(choices)

    for deal in range(10):
        expected = list(rolls(deal, 0, DEADLOCK))
        for luck, start in product(range(2), (START, HYPER, "7:5 5:5 3:5")):
            played = list(rolls(deal, luck, start))
            assert played == expected[: len(played)]
    assert expected != list(rolls(0, 0, DEADLOCK))


def test_a_given_first_roll_changes_no_later_one():
    given, free = Table(DEADLOCK, DEADLOCK, dice=(6, 5)), Table(DEADLOCK, DEADLOCK)
    assert given.dice() == (6, 5)
    for _ in range(20):
        given.play(board_plays.PASS)
        free.play(board_plays.PASS)
        assert given.dice() == free.dice()


def test_a_game_of_the_longest_length_is_a_draw_and_its_dice_are_fair():
    table, rolls = Table(DEADLOCK, DEADLOCK), []
    while not table["over"]:
        rolls.append(table.dice())
        table.play(board_plays.PASS)
    assert table["tally"]["turns"] == len(rolls) == rules.MOVE_LIMIT
    assert table.score() == [0, 0]
    expected = [len(rolls) * (1 if larger == smaller else 2) / 36 for larger, smaller in ROLLS]
    assert chisquare([rolls.count(roll) for roll in ROLLS], expected).pvalue > 0.01
    followers = np.zeros((6, 6))
    for one, other in pairwise(rolls):
        followers[one[0] - 1, other[0] - 1] += 1
    assert chi2_contingency(followers).pvalue > 0.01


def test_a_game_won_in_the_last_turn_is_won():
    table = Table("2 off:14", "6:15", (6, 5))
    table["tally"]["turns"] = rules.MOVE_LIMIT - 1
    table.play(table.legal()[0])
    assert table.score() == [2, -2]


# The compiled plays against the plain ones.


def positions(boards):
    """Boards as the plain rules have them, seat 0 White."""
    white, black = boards[:, 0], boards[:, 1]
    assert not ((white[:, 1:25] > 0) & (black[:, 24:0:-1] > 0)).any()
    points = (white[:, 1:25] - black[:, 24:0:-1]).tolist()
    bars, offs = boards[:, :, board_plays.BAR].tolist(), boards[:, :, board_plays.OFF].tolist()
    return [plain.Position(*map(tuple, parts)) for parts in zip(points, bars, offs, strict=True)]


def board_of(position):
    board = np.zeros((2, board_plays.PLACES), np.int8)
    board[0, 1:25], board[1, 24:0:-1] = np.maximum(position.points, 0), np.maximum(np.negative(position.points), 0)
    board[:, board_plays.BAR], board[:, board_plays.OFF] = position.bar, position.off
    return board


def random_play(luck, start):
    """Positions of games between random players, and who is to move."""
    for deal in count():
        table = Table(start, start, first=rules.DICE, deal=deal)
        while not table["over"]:
            yield positions(table["board"][None])[0], COLOURS[table["turn"]]
            table.play_any(luck)


KINDS = {
    "standard game": lambda luck: random_play(luck, START),
    "hypergammon": lambda luck: random_play(luck, HYPER),
    "anywhere": lambda luck: plain.made_up(luck, (24, 24), (0, 0)),
    "many on the bar": lambda luck: plain.made_up(luck, (24, 24), (5, 5)),
    "bear-off": lambda luck: plain.made_up(luck, (6, 6), (0, 0)),
    "bear-off with contact": lambda luck: plain.made_up(luck, (6, 24), (0, 3)),
    "nearly home": lambda luck: plain.made_up(luck, (8, 10), (0, 0)),
}


def follow_steps(position, colour, move, roll):
    """Where the steps that a code stands for lead, each a step of the plain rules; and how many they are."""
    points, second, others = board_plays.play_steps(move, *roll)
    taken = [(point, second if number == 1 else others) for number, point in enumerate(points) if point]
    for point, pips in taken:
        start = point - 1 if colour == WHITE else 24 - point
        after = plain.moved(position, colour, start, start - colour * pips)
        assert after in plain.steps(position, colour, pips)
        position = after
    return position, len(taken)


@pytest.mark.parametrize("kind", KINDS)
def test_plays_are_the_plain_ones_for_all_rolls(kind):
    luck, table, steps = np.random.default_rng(1), Table(), Counter()
    for position, colour in islice(KINDS[kind](luck), POSITIONS):
        for roll in ROLLS:
            table.lay(board_of(position), COLOURS.index(colour), roll)
            moves, boards = table.reached()
            reached = positions(boards)
            assert set(reached) == plain.plays(position, colour, *roll), (table.sides(), colour, roll)
            assert len(set(reached)) == len(reached), (table.sides(), colour, roll)
            chosen = luck.integers(len(moves))
            end, number = follow_steps(position, colour, moves[chosen], roll)
            assert end == reached[chosen]
            steps[roll[0] == roll[1], number] += 1
    few = {(False, 1), (True, 1), (True, 2), (True, 3)}  # where not all numbers can be played
    assert INTERPRETED or few <= steps.keys()


def test_a_play_taken_back_leaves_everything_as_it_was():
    luck = np.random.default_rng(2)
    for position, colour in islice(KINDS["many on the bar"](luck), 50):
        board, seat, roll = board_of(position), COLOURS.index(colour), ROLLS[luck.integers(21)]
        for move in room[: board_plays.plays(board, seat, *roll, room)].tolist():
            hits = board_plays.make_play(board, seat, move, *roll)
            board_plays.unmake_play(board, seat, move, *roll, hits)
            assert (board == board_of(position)).all()


@pytest.mark.parametrize("start", [START, HYPER, "bar:4 24:4 6:4", "7:5 5:5 3:5"])
def test_whole_games_follow_the_plain_rules(start):
    luck = np.random.default_rng(3)
    for deal in range(2 if INTERPRETED else 20):
        table = Table(start, start, first=rules.DICE, deal=deal)
        while not table["over"]:
            seat, roll, before = int(table["turn"]), table.dice(), positions(table["board"][None])[0]
            table.play_any(luck)
            now = positions(table["board"][None])[0]
            assert now in plain.plays(before, COLOURS[seat], *roll)
            assert bool(table["over"]) == plain.finished(now, COLOURS[seat])
        assert table["tally"]["score"][seat] == plain.points_won(now, COLOURS[seat])


def compiled_plays(position, colour, larger, smaller):
    table = Table()
    table.lay(board_of(position), COLOURS.index(colour), (larger, smaller))
    return positions(table.reached()[1])


def compiled_count(position, colour, larger, smaller):
    return board_plays.plays(board_of(position), COLOURS.index(colour), larger, smaller, room)


@pytest.mark.skipif(INTERPRETED, reason="a million plays")
def test_the_table_of_plays_is_unchanged():
    assert plain.perft_text(compiled_plays, compiled_count) == PERFT.read_text()


@pytest.mark.parametrize("name", plain.PERFT)
def test_the_table_has_the_plain_rules_plays(name):
    assert plain.perft_rows(name, plain.count_plays) in PERFT.read_text()
