"""Conquest on random maps: what a network sees of a move, the hunter, and matches that leave nothing to chance."""

from math import inf

import numpy as np
import pytest

from conquest_table import Table, map_of, random_board
from sparring.arena.match import match
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Chooser, Contestant, find_players
from sparring.arena.tournament import tournament
from sparring.games import find_game
from sparring.games.conquest import encodings, move_features, rules
from sparring.games.conquest.maps import Map, find_map
from sparring.games.conquest.notation import sent
from sparring.games.game import start_game
from sparring.nets.dense import Net, gaussian, size

GAME, RANDOM = find_game("conquest"), find_game("conquest:map=random")
FULL = 20


def steps(one, two):
    """Hexagons between two tiles (row, column), by counting: a step down or up may move half a column."""
    down = abs(one[0] - two[0])
    here, there = 2 * one[1] + one[0] % 2, 2 * two[1] + two[0] % 2
    return down + max(0, abs(here - there) - down) // 2


def needed(here, there, apart):
    return apart + max(there + apart - here, 0)


class Plain:
    """A board from a seat's side in plain words: own troops positive."""

    def __init__(self, table, seat):
        sign, width = 1 - 2 * seat, table.map.columns
        tiles = table["board"][: table.map.tiles].tolist()
        self.troops = {divmod(tile, width): sign * troops for tile, troops in enumerate(tiles)}

    def beside(self, tile):
        return [self.troops[other] for other in self.troops if steps(tile, other) == 1]

    def own(self):
        return {tile: troops for tile, troops in self.troops.items() if troops > 0}

    def enemy(self):
        return {tile: -troops for tile, troops in self.troops.items() if troops < 0}

    def strongest(self, tile):
        return max([0, *(-troops for troops in self.beside(tile))])

    def nearest(self, tile):
        return min(steps(tile, other) for other in self.enemy())

    def next(self, tile, here):
        return min([2 * FULL, *(needed(here, there, steps(tile, other)) for other, there in self.enemy().items())])


def features(table, seat, move, greedy):
    """The inputs of a move, from the words of move_features.NAMES."""
    before, after, done = Plain(table, seat), Plain(table, seat), sent(table.state[0], move)
    source, target = (divmod(tile, table.map.columns) for tile in done[:2])
    here, there = before.troops[source], before.troops[target]
    after.troops[target] += done.troops
    if source != target:
        after.troops[source] -= done.troops
    left, gets, own, enemy = after.troops[source], after.troops[target], before.own(), before.enemy()
    if there < 0 and gets < 0:  # the enemy's tile counts as it was where the attack fails
        after.troops[target] = there
    pairs = [(one, two, steps(a, b)) for a, one in own.items() for b, two in enemy.items()]
    next_before, next_after = before.next(source, here), after.next(target, gets) if gets > 0 else 2 * FULL
    told = [
        source == target, there < 0, there == 0, there > 0 and source != target, move == greedy,
        here / FULL, left / FULL, gets / FULL, min(done.troops, max(-there, 0)) / FULL, there < 0 < gets, left == 0,
        before.strongest(source) > here, after.strongest(source) > left > 0, after.strongest(target) > gets > 0,
        after.strongest(source) / FULL, after.strongest(target) / FULL,
        sum(0 < -troops < gets for troops in after.beside(target)) / 6,
        before.nearest(source) - before.nearest(target), 1 / (1 + before.nearest(target)),
        next_after / 10, (next_before - next_after) / 10,
        sum(own.values()) / (sum(own.values()) + sum(enemy.values())), len(own) / (len(own) + len(enemy)),
        1 / len(own), 1 / len(enemy),
        min([FULL, *(needed(one, two, apart) for one, two, apart in pairs)]) / 10,
        min([FULL, *(needed(two, one, apart) for one, two, apart in pairs)]) / 10,
        sum(before.strongest(tile) > troops for tile, troops in own.items()) / len(own),
    ]  # fmt: skip
    return np.array(told, float)


def boards(count, seed):
    """Tables with random boards, of two shapes, with either side to move."""
    luck = np.random.default_rng(seed)
    for number in range(count):
        table = Table(Map(6, 6, find_map("duel").board) if number % 2 else Map(4, 9, find_map("duel").board))
        table.lay(random_board(luck), number // 2 % 2)
        yield table, int(table["turn"])


def test_a_move_is_told_by_what_it_does_and_what_is_around_it():
    greedy = Chooser(GAME, Contestant("greedy", "greedy")).choose
    for table, seat in boards(8, 3):
        index, value = np.zeros(encodings.MOST, np.int64), np.zeros(encodings.MOST, np.float32)
        best = greedy(table.state)
        assert encodings.inputs(table.s, seat, encodings.MOVES, index, value) == 0
        for move in table.legal()[:-1:3]:
            source, target, troops = sent(table.state[0], move)[:3]
            move_features.move_inputs(table.s, seat, source, target, troops, index, encodings.SURVEY, value)
            told = dict(zip(move_features.NAMES, value[: move_features.INPUTS], strict=True))
            expected = dict(zip(move_features.NAMES, features(table, seat, move, best), strict=True))
            assert told == pytest.approx(expected, abs=1e-5), table.words(move)


def net_of_moves(seed):
    shape = (move_features.INPUTS, 4, 1)
    weights = gaussian(size(shape), seed, "moves")
    return Net("conquest", rules.VERSION, "moves", shape, weights, policy="net+value", input_major=True)


def test_a_network_makes_the_move_that_it_values_most():
    net, tested = net_of_moves(2), 0
    choose, greedy = (Chooser(GAME, Contestant(*of)).choose for of in (("net", "net+value", net), ("greedy", "greedy")))
    for table, seat in boards(10, 4):
        chosen, best = choose(table.state), greedy(table.state)
        values = [net.value(features(table, seat, move, best)) for move in table.legal()[:-1]]
        mine = net.value(features(table, seat, chosen, best))
        tested += sum(value > mine + 1e-5 for value in values) == 0
    assert tested >= 3  # it tries only some numbers of troops, so that others may be worth more


def test_a_network_of_moves_takes_the_last_tile_of_the_enemy():
    table = Table(map_of("b3 r2 . . .", " b5 . . . .", ". . . . ."))
    for seed in range(10):
        choose = Chooser(GAME, Contestant("net", "net+value", net_of_moves(seed))).choose
        table.play(choose(table.state))
        assert table.tally("score") == [1, 0]
        table = Table(map_of("b3 r2 . . .", " b5 . . . .", ". . . . ."))


# Random maps.


def test_random_maps_are_fair_and_differ():
    seen = set()
    for deal in range(60):
        setup = start_game(RANDOM, 1, deal, 7, 2)[0]["rules"]
        rows, columns, tiles = (int(setup[name]) for name in ("rows", "columns", "tiles"))
        board = tuple(setup["board"][:tiles].tolist())
        assert 6 <= rows <= 10 and 6 <= columns <= 10 and tiles == rows * columns
        blue, red = ({divmod(n, columns): t for n, t in enumerate(board) if sign * t > 0} for sign in (1, -1))
        assert sorted(blue.values()) == sorted(-troops for troops in red.values())
        assert 1 <= len(blue) <= 8 and max(blue.values()) <= 20
        assert len(blue) > 2 or min(steps(one, two) for one in blue for two in red) >= 3
        expected = np.zeros(1, rules.State)
        Map(rows, columns, board).write(expected[0]["rules"])
        for name in ("row", "column", "near"):
            assert (setup[name][:tiles] == expected[0]["rules"][name][:tiles]).all()
        seen.add((rows, columns, board))
        assert (start_game(RANDOM, 1, deal, 8, 2)[0]["rules"] == setup).all()
    assert len(seen) == 60 and len({(rows, columns) for rows, columns, _ in seen}) > 15


def test_a_game_on_a_random_map_is_read_back_from_its_record():
    kept = []
    match(RANDOM, "greedy", "random", pairs=2, keep=kept.extend)
    for played in kept:
        text = RANDOM.view.game_text(played)
        assert text.startswith("map ") and "/" in text.split("\n")[0]
        assert RANDOM.view.read_games(text) if hasattr(RANDOM.view, "read_games") else True


# The hunter.


def test_the_hunter_beats_the_greedy_player_and_finishes_idle_off():
    assert match(RANDOM, "hunter", "idle", pairs=4, seed=3).players[0].wins == 8
    found = match(RANDOM, "hunter@20", "greedy", pairs=10, seed=3)
    assert found.players[0].wins > 2 * found.players[1].wins + 4


# Matches without chance.


def test_a_match_that_leaves_nothing_to_chance_is_played_once_and_has_no_interval():
    found = match("conquest", "greedy", "idle", pairs=1000)
    assert (found.games, found.pairs, found.certain) == (2, 1, True)
    assert found.players[0].win_rate.low == -inf and found.json()["players"][0]["win_rate"] == [1.0, None, None]
    for game, opponent in (("conquest", "red"), ("conquest", "random"), ("conquest:map=random", "idle")):
        found = match(game, "greedy", opponent, pairs=3)
        assert (found.games, found.certain) == (6, False)
    assert tournament("conquest", "greedy", "idle", "hunter", pairs=50).games == 6
    assert not match("golf", "greedier", "sensible", pairs=3).certain


def test_players_without_chance_play_the_same_game_on_every_deal():
    chancy = set(GAME.builtin) - GAME.policies.certain
    assert chancy == {"random", "red", "red-fresh"}
    for name in GAME.builtin:
        games, kept = find_players(GAME, [name, "greedy"]), []
        play(GAME, paired_jobs(1, np.arange(2), 2, "given"), games, keep=kept.extend)
        assert (kept[0].moves != kept[1].moves) == (name in chancy), name
