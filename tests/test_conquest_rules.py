"""Conquest's rules as statements, each checked on the compiled game; and whole games against the plain rules'.

The study is "Applications of NEAT algorithm for automatic gameplay of agents" (2021), chapters 2 and 6.
"""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import conquest_reference as plain
from conquest_reference import OUTCOMES
from conquest_table import SIDES, Table, map_of, put_up
from sparring.games.conquest import rules
from sparring.games.conquest.maps import NAMES, find_map
from sparring.kernel.compiler import INTERPRETED

IDLE = ("idle",)
DUEL = find_map("duel")


def production(*tile):
    return ("production", tile)


def attack(source, target, troops):
    return ("attack", source, target, troops)


def transport(source, target, troops):
    return ("transport", source, target, troops)


# The map.


@pytest.mark.parametrize("rows, columns", [(6, 6), (1, 1), (1, 7), (7, 1), (5, 4), (2, 2), (16, 16)])
def test_neighbours_are_the_hexagons_that_share_an_edge(rows, columns):
    table = Table(put_up({(0, 0): 1}, rows, columns))
    game = table.reference()
    for tile in range(rows * columns):
        near = [int(n) for n in table["rules"]["near"][tile] if n >= 0]
        assert near == sorted(near)  # places are in the order of tiles
        assert [divmod(n, columns) for n in near] == game.beside[divmod(tile, columns)]


@pytest.mark.parametrize(
    "source, target",
    [((2, 3), (3, 3)), ((4, 5), (5, 4)), ((5, 4), (4, 5)), ((5, 3), (5, 2)), ((3, 2), (4, 3)), ((0, 2), (1, 2))],
)
def test_every_move_that_the_study_prints_is_between_neighbours(source, target):
    table = Table(DUEL)
    assert target[0] * 6 + target[1] in table["rules"]["near"][source[0] * 6 + source[1]]


def test_blue_begins_with_one_troop_and_red_has_one_in_the_other_corner():
    table = Table(DUEL)
    assert table["turn"] == 0 and table.board() == {(0, 0): 1, (5, 5): -1}


# Production.


def test_production_adds_a_troop_to_a_tile_of_ones_own():
    table = Table(DUEL)
    table.play(production(0, 0))
    assert table.board() == {(0, 0): 2, (5, 5): -1}
    table.play(production(5, 5))
    assert table.board() == {(0, 0): 2, (5, 5): -2}
    assert table.tally("production") == [1, 1] and table.tally("troops") == [2, 2]


def test_a_tile_with_20_troops_produces_no_more():
    table = Table(map_of("b19 . r1"))
    table.play(production(0, 0))
    table.play(IDLE)
    assert production(0, 0) not in map(table.words, table.legal())


def test_nobody_moves_from_a_tile_of_the_other_s_or_of_nature_s():
    table = Table(map_of("b2 . r2"))
    assert {table.words(move)[1] for move in table.legal()[:-1]} == {(0, 0)}


# Attack.


def test_an_attack_with_more_troops_conquers_with_the_difference_and_an_empty_origin_is_abandoned():
    table = Table(put_up({(2, 3): 19, (3, 3): -5, (5, 5): -1}))
    table.play(attack((2, 3), (3, 3), 19))
    assert table.board() == {(3, 3): 14, (5, 5): -1}  # the study's figures 2.3 and 2.4
    assert table.tally("kills") == [5, 0] and table.tally("tiles") == [1, 1]


def test_an_attack_with_fewer_leaves_the_difference():
    table = Table(map_of("b10 r8 ."))
    table.play(attack((0, 0), (0, 1), 3))
    assert table.board() == {(0, 0): 7, (0, 1): -5} and table.tally("kills") == [3, 0]


def test_an_attack_with_as_many_leaves_the_target_to_nature():
    table = Table(map_of("b10 r8 r1"))
    table.play(attack((0, 0), (0, 1), 8))
    assert table.board() == {(0, 0): 2, (0, 2): -1}


def test_with_as_many_and_all_of_them_both_tiles_become_nature_s():
    table = Table(map_of("b8 r8 . b1 r1"))
    table.play(attack((0, 0), (0, 1), 8))
    assert table.board() == {(0, 3): 1, (0, 4): -1}


def test_nature_is_taken_undefended():
    table = Table(map_of("b8 . r1"))
    table.play(attack((0, 0), (0, 1), 5))
    assert table.board() == {(0, 0): 3, (0, 1): 5, (0, 2): -1}


def test_all_troops_may_hop_onto_nature():
    table = Table(map_of("b8 . r1"))
    table.play(attack((0, 0), (0, 1), 8))
    assert table.board() == {(0, 1): 8, (0, 2): -1} and table.tally("tiles") == [1, 1]


# Transport.


def test_transport_adds_troops_up_and_may_abandon_the_origin():
    table = Table(put_up({(4, 5): 7, (5, 4): 3, (0, 0): -1}))
    table.play(transport((4, 5), (5, 4), 7))
    assert table.board() == {(5, 4): 10, (0, 0): -1}
    assert table.tally("transport") == [1, 0] and table.tally("attack") == [0, 0]


def test_transport_never_makes_more_than_20():
    table = Table(map_of("b10 b15 . r1"))
    sent = {table.words(move)[3] for move in table.legal() if table.words(move)[:3] == ("transport", (0, 0), (0, 1))}
    assert sent == {1, 2, 3, 4, 5}


def test_nothing_goes_to_a_full_tile():
    table = Table(map_of("b10 b20 . r1"))
    assert not any(table.words(move)[:3] == ("transport", (0, 0), (0, 1)) for move in table.legal())


# Idling, rounds and the end.


def test_idling_is_always_legal_and_listed_last():
    table = Table(DUEL)
    assert table.legal()[-1] == rules.IDLE
    table.play(IDLE)
    assert table.tally("idle") == [1, 0] and table["turn"] == 1


def test_a_round_is_one_move_of_each():
    table = Table(DUEL)
    rounds = []
    for _ in range(3):
        for seat in range(2):
            table.play(production(5 * seat, 5 * seat))
            rounds.append(table.tally("rounds"))
    assert rounds == [1, 1, 2, 2, 3, 3] and table.tally("moves") == [3, 3]


def test_the_game_ends_after_red_s_move_of_the_last_round():
    table = Table(DUEL, limit=2)
    for seat in (0, 1, 0):
        table.play(production(5 * seat, 5 * seat))
    assert not table["over"]
    table.play(production(5, 5))
    assert table["over"] and table.tally("score") == [0, 0] and not table.tally("stale")


def test_who_eliminates_the_other_wins_in_the_round_it_happens():
    table = Table(map_of("b5 r1"))
    table.play(attack((0, 0), (0, 1), 2))
    assert table["over"] and table.tally("score") == [1, 0] and table.tally("rounds") == 1


def test_red_wins_likewise():
    table = Table(map_of("b1 r5"))
    table.play(IDLE)
    table.play(attack((0, 1), (0, 0), 2))
    assert table["over"] and table.tally("score") == [0, 1]


def test_who_throws_its_last_tile_away_has_lost():
    table = Table(map_of("b3 r5"))
    table.play(attack((0, 0), (0, 1), 3))
    assert table["over"] and table.tally("score") == [0, 1] and table.board() == {(0, 1): -2}


def test_if_both_lose_their_last_tile_at_once_nobody_wins():
    table = Table(map_of("b5 r5"))
    table.play(attack((0, 0), (0, 1), 5))
    assert table["over"] and table.tally("score") == [0, 0] and table.board() == {}


def test_with_the_goal_all_only_the_whole_map_is_enough():
    table = Table(map_of("b3 . ."), goal=rules.ALL)
    table.play(attack((0, 0), (0, 1), 2))
    table.play(IDLE)
    assert not table["over"]
    table.play(attack((0, 1), (0, 2), 1))
    assert table["over"] and table.tally("score") == [1, 0]


def test_with_the_goal_all_a_vanished_red_ends_nothing_and_a_vanished_blue_does():
    table = Table(map_of("b3 r1 ."), goal=rules.ALL)
    table.play(attack((0, 0), (0, 1), 1))
    assert not table["over"] and table.tally("tiles") == [1, 0]
    table = Table(map_of("b1 r3 ."), goal=rules.ALL)
    table.play(attack((0, 0), (0, 1), 1))
    assert table["over"] and table.tally("score") == [0, 1]


def test_a_state_seen_for_the_fourth_time_ends_the_game():
    table = Table(map_of("b1 b1 . r1"))
    there, back = transport((0, 0), (0, 1), 1), attack((0, 1), (0, 0), 1)
    for repeat in range(3):
        for move in (there, IDLE, back, IDLE):
            assert not table["over"], repeat
            table.play(move)
    assert table["over"] and table.tally("stale") == 1 and table.tally("score") == [0, 0] and table.tally("rounds") == 6


def test_the_same_board_in_the_other_s_turn_is_another_state():
    table = Table(map_of("b1 . r1"))
    for _ in range(5):
        assert not table["over"]
        table.play(IDLE)
    assert not table["over"]
    table.play(IDLE)  # blue to move for the fourth time
    assert table["over"] and table.tally("stale") == 1


def test_the_table_of_states_forgets_nothing_as_it_grows():
    """Two troops walk: the first along a row, once for each step of the second, so that every state is new; then home."""
    table = Table(put_up({(0, 0): 1, (2, 0): 1, (15, 15): -1}, 16, 16), 5000)
    near = [(0, column) for column in range(16)]
    far = [(row, column if row % 2 == 0 else 15 - column) for row in range(2, 10) for column in range(16)]
    far = far[: 6 if INTERPRETED else 128]

    def step(*tiles):
        table.play(attack(*tiles, 1))
        table.play(IDLE)

    for pair in (near[:2], near[1::-1]) * 2:
        step(*pair)  # the first state has now been seen three times
    for number, pair in enumerate(pairwise(far), 1):
        for steps in pairwise(near if number % 2 else near[::-1]):
            step(*steps)
        step(*pair)
    for steps in pairwise(near[::-1]):
        step(*steps)
    for pair in pairwise(far[::-1]):
        assert not table["over"]
        step(*pair)
    assert table["over"] and table.tally("stale") == 1 and table["states"] == 2 * len(near) * len(far)


# Case 5: a hundred outcomes.


def ranks():
    """The payoff and the vector of every kind of move there is, from two tiles and a third side one for each."""
    found = set()
    for here in range(1, 21):
        for there in range(-20, 21):
            start = put_up({(0, 0): here, (0, 1): there, (0, 3): 1, (0, 5): -1}, 1, 6)
            first = Table(start)
            for move in first.legal():
                words = first.words(move)
                if words[0] == "idle" or words[1] == (0, 0):
                    table, game = Table(start), first.reference()
                    with np.errstate(over="ignore"):
                        rules.apply(table.s, move)
                    game.make(words)
                    found.add((table.tally("payoff")[0], game.outcomes[plain.BLUE][0]))
    return found


@pytest.mark.skipif(INTERPRETED, reason="slow")
def test_a_move_has_one_of_exactly_100_outcomes_ranked_in_hundredths():
    assert ranks() == set(enumerate(OUTCOMES)) and len(set(OUTCOMES)) == 100


def test_the_worst_outcome_is_a_tile_given_up_and_the_best_a_tile_with_19_troops_conquered():
    assert OUTCOMES[0] == (-1, 0, 0, 0) and OUTCOMES[99] == (1, -19, -1, -19)


# Whole games beside the plain rules.


def check_alike(table, game):
    board = {tile: troops if owner == plain.BLUE else -troops for tile, (owner, troops) in game.board.items()}
    assert table.board() == board and SIDES[int(table["turn"])] == game.player
    assert (bool(table["over"]), table.tally("stale")) == (game.over, game.stale)
    assert table.tally("tiles") == [len(game.owned(side)) for side in SIDES]
    assert table.tally("troops") == [game.army(side) for side in SIDES]


def play_along(table, luck, every, avoid=""):
    """A game of random moves, the rules' state beside the reference's all along; moves are listed `every` so many."""
    game, kinds = table.reference(), Counter()
    number = 0
    while not game.over:
        moves = table.legal()
        words = [table.words(move) for move in (moves if number % every == 0 else [moves[luck.integers(len(moves))]])]
        if number % every == 0:
            assert sorted(words[:-1]) == sorted(game.next_moves()) and words[-1] == IDLE
        wanted = [move for move in words if move[0] != avoid] or words
        pick = wanted[luck.integers(len(wanted))]
        kinds[pick[0]] += 1
        table.play(pick)
        game.make(pick)
        check_alike(table, game)
        number += 1
    assert table.tally("rounds") == game.rounds
    assert [side == game.winner for side in SIDES] == [score == 1 for score in table.tally("score")]
    for seat, side in enumerate(SIDES):
        assert table.tally("payoff")[seat] == sum(OUTCOMES.index(outcome) for outcome in game.outcomes[side])
        assert table.tally("kills")[seat] == -sum(outcome[3] for outcome in game.outcomes[side])
    assert {kind: sum(table.tally(kind)) for kind in kinds} == dict(kinds)
    return number


@pytest.mark.parametrize("start", [*NAMES[:4], "small", "narrow"])  # on the last map a random blue is gone at once
def test_whole_games_go_as_by_the_plain_rules(start):
    maps = {"small": map_of("b3 . r2", " . b1 .", "r4 . b2"), "narrow": map_of("b20 . . r20 r20")}
    goal = rules.ALL if start == "empty" else rules.ELIMINATE
    luck, moves = np.random.default_rng(1), 0
    for deal in range(1 if INTERPRETED else 6):
        table = Table(maps.get(start) or find_map(start), 10 if INTERPRETED else 250, goal, deal=deal)
        moves += play_along(table, luck, 5)
    assert moves > 10


@pytest.mark.skipif(INTERPRETED, reason="slow")
def test_a_game_of_many_thousand_moves_goes_as_by_the_plain_rules():
    assert play_along(Table(DUEL, 5000, rules.ALL), np.random.default_rng(3), 97) > 1000


def test_states_are_found_stale_where_the_plain_rules_find_them():
    ends = Counter()
    for deal in range(3 if INTERPRETED else 40):
        table = Table(map_of("b2 . . .", " . . . r2"), 300, deal=deal)
        play_along(table, np.random.default_rng(deal), 1, avoid="production")
        ends[table.tally("stale")] += 1
    assert INTERPRETED or (ends[0] and ends[1])
