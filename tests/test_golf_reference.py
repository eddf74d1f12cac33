"""The compiled game of golf against the plain one: rules, inputs and the choices of every player, move by move."""

import numpy as np
import pytest

import golf_reference as plain
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Contestant, find_players, pack_players
from sparring.games import find_game
from sparring.games.golf import encodings, network_inputs, rules
from sparring.kernel import launch
from sparring.kernel.records import records
from sparring.nets.dense import Net, gaussian, size
from sparring.testing.cast import random_net

GAME = find_game("golf")
HIDDEN = 27
SLACK = 1e-4  # single precision and an approximate sigmoid may settle values this close either way
RARE = 0.01


class Recorded:
    """The compiled game's own chance, read off its state."""

    def __init__(self, state):
        self.state = state

    def deal(self, seats):
        s = self.state
        hands, up = s["hand"][:seats].tolist(), s["up"][:seats].astype(bool).tolist()
        stock, discards = s["stock"][: s["stock_size"]].tolist(), s["discard"][: s["discard_size"]].tolist()
        assert sorted([card for cards in (*hands, stock, discards) for card in cards]) == list(range(54))
        assert [sum(row) for row in up] == [2] * seats
        assert len(discards) == 1
        return hands, up, stock, discards

    def shuffle(self, cards):
        stock = self.state["stock"][: self.state["stock_size"]].tolist()
        assert sorted(stock) == sorted(cards)
        return stock


class Both:
    """The compiled game and the plain one, played side by side."""

    def __init__(self, seed, deal, luck, seats):
        self.states = records(np.zeros(1, rules.State))
        with np.errstate(over="ignore"):
            rules.start(self.states[0], np.uint64(seed), deal, luck, seats)
        self.game = plain.Golf(seats, Recorded(self.states[0]))

    def play(self, move):
        with np.errstate(over="ignore"):
            rules.apply(self.states[0], move)
        self.game.play(move)
        self.compare()

    def compare(self):
        s, game = self.states[0], self.game
        assert bool(s["over"]) == game.over
        if not game.over:
            assert s["turn"] == game.turn
            assert s["drawn"] == (-1 if game.drawn is None else game.drawn)
            assert s["hand"][: game.seats].tolist() == game.hands
            assert s["up"][: game.seats].tolist() == game.face_up
            assert s["stock"][: s["stock_size"]].tolist() == game.stock
            assert s["discard"][: s["discard_size"]].tolist() == game.discards

    def legal(self):
        room = np.zeros(7, np.int64)
        return room[: rules.moves(self.states[0], room)].tolist()

    def dense(self, seat, encoding):
        """The compiled inputs of a state, switched on in a vector of zeros."""
        where, active = np.zeros(54, np.int64), np.zeros(60, np.int64)
        encodings.locate(self.states[0], seat, where)
        number = encodings.NAMES.index(encoding)
        count = encodings.active_inputs(self.states[0], seat, number, where, active)
        vector = np.zeros(encodings.INPUTS[number])
        vector[active[:count]] += 1
        assert len(set(active[:count].tolist())) == count
        return vector


def assert_same_tally(tally, game):
    seats = game.seats
    assert tally["score"][:seats].tolist() == game.score
    assert tally["matches"][:seats].tolist() == game.matches
    assert tally["ended"][:seats].tolist() == game.ended
    assert tally["cards"][:seats].tolist() == game.kinds
    assert tally["turns"] == game.turns
    assert tally["stalemates"] == game.stopped


def recorded_games(contestants, deals, seed=1):
    """Games played by the launcher: each with its tally and who sat where."""
    jobs = paired_jobs(seed, np.arange(len(contestants)), deals)
    kept = []
    tallies = play(GAME, jobs, contestants, keep=kept.extend)
    return list(zip(kept, tallies, jobs["player"], strict=True))


def follow(recorded, plain_players, every=1):
    """Replay a recorded game; returns how many decisions were checked, and how many were near-ties settled otherwise."""
    played, tally, seating = recorded
    both = Both(played.seed, played.deal, played.luck, played.seats)
    checked = ties = 0
    for number, move in enumerate(played.moves):
        if number % every == 0:
            expected, allowed = plain_players[seating[both.game.turn]].move(both.game)
            assert move in allowed
            checked += 1
            ties += expected is not None and move != expected
        both.play(move)
    assert both.game.over
    assert_same_tally(tally, both.game)
    return checked, ties


def net(encoding, scale, seed):
    """A contestant with random weights, and its plain twin."""
    inputs = GAME.policies.encodings[encoding]
    shape = (inputs, HIDDEN, 1)
    weights = (scale * gaussian(size(shape), seed, encoding)).astype(np.float32)
    contestant = Contestant(f"{encoding} {seed}", "net", Net("golf", GAME.rules.version, encoding, shape, weights))
    network = plain.Network(weights, inputs, HIDDEN)
    twin = plain.ColumnPlayer(network, SLACK) if encoding == "columns" else plain.NetPlayer(network, encoding, SLACK)
    return contestant, twin


PLAIN = {
    "random": plain.Random(),
    "sensible": plain.Sensible(),
    "greedier": plain.Greedier(plain.points),
    "greedier-published": plain.Greedier(plain.raw_value),
}


@pytest.mark.parametrize(
    "names",
    [
        ["random", "random"],
        ["greedier", "random"],
        ["greedier-published", "greedier"],
        ["greedier", "greedier-published", "random"],
        ["sensible", "random", "greedier"],
        ["random", "greedier", "greedier-published", "random"],
    ],
)
def test_recorded_games_follow_the_plain_rules(names):
    contestants = find_players(GAME, names)
    for recorded in recorded_games(contestants, deals=16 // len(names) // (len(names) - 1)):
        follow(recorded, [PLAIN[name] for name in names], every=5 if "sensible" in names else 1)


@pytest.mark.parametrize("scale", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("encoding", ["hand", "state", "state-hand", "columns"])
def test_nets_choose_what_the_plain_policy_chooses(encoding, scale):
    contestants, players = zip(*(net(encoding, scale, seed) for seed in (1, 2)), strict=True)
    every = {"hand": 7, "columns": 11}.get(encoding, 5)  # odd, so that draws and places are both checked
    counts = [follow(recorded, players, every) for recorded in recorded_games(contestants, deals=1)]
    checked, ties = np.sum(counts, axis=0)
    assert checked > 50
    assert ties <= RARE * checked


def test_what_is_remembered_of_a_hand_is_no_other_net_s_and_no_other_weights():
    """One working room for all: nets that see the hand, one that sees the table and overwrites it, and weights that change."""
    nets = [random_net(GAME, name, seed) for name, seed in (("hand", 1), ("hand", 2), ("state", 3))]
    table, weights = pack_players(GAME, [Contestant(str(k), "net", net) for k, net in enumerate(nets)])
    floats, integers = GAME.policies.float_scratch(nets[0].shape[1]), GAME.policies.int_scratch
    kept = np.zeros(floats, np.float32), np.zeros(integers, np.int64)
    states, players, told = records(np.zeros(1, rules.State)), records(table), 0
    with np.errstate(over="ignore"):
        for deal in range(12):
            rules.start(states[0], np.uint64(5), deal, deal, 2)
            while not states[0]["over"]:
                player = players[(deal + states[0]["turn"]) % 3]
                move = GAME.policies.choose(states[0], player, weights, *kept)
                fooled = kept[0] * np.float32(-1.0), kept[1].copy()
                told += GAME.policies.choose(states[0], player, weights, *fooled) != move
                fresh = np.zeros(floats, np.float32), np.zeros(integers, np.int64)
                assert move == GAME.policies.choose(states[0], player, weights, *fresh)
                rules.apply(states[0], move)
                if states[0]["turn_count"] % 5 == 4 and states[0]["phase"] == rules.DRAW:
                    weights[:] = weights[::-1].copy()
                    launch.forget(kept[1])
    assert told > 100, "a false memory changes no move: nothing is remembered"


@pytest.mark.parametrize("seats", [3, 4])
def test_nets_of_every_encoding_play_one_another_at_larger_tables(seats):
    entrants = [net("columns", 0.3, 1), net("state", 0.3, 2), net("state-hand", 0.3, 3), net("hand", 0.3, 4)]
    contestants, players = map(list, zip(*entrants[:seats], strict=True))
    counts = [follow(recorded, players, every=31) for recorded in recorded_games(contestants, deals=1)[:6]]
    checked, ties = np.sum(counts, axis=0)
    assert checked > 50
    assert ties <= RARE * checked


def uncovering(both, luck):
    return luck.choice(both.legal())


def stalling(both, luck):
    """Throws nearly every card: the stock is remade, turns repeat."""
    if luck.random() < 0.02:
        return luck.choice(both.legal())
    return both.legal()[-1] if both.game.drawn is not None else plain.FROM_STOCK


def juggling(both, luck):
    """Exchanges face-up cards and hardly ever uncovers one: rounds go on until they are stopped."""
    if both.game.drawn is None or luck.random() < 0.004:
        return luck.choice(both.legal())
    up = both.game.face_up[both.game.turn]
    return luck.choice([place for place in range(6) if up[place]])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("habit", [uncovering, stalling, juggling])
def test_any_legal_moves_lead_to_the_same_game(habit, seats):
    luck = np.random.default_rng(seats)
    for deal in range(2):
        both = Both(2, deal, deal, seats)
        while not both.game.over:
            assert both.legal() == both.game.legal()
            both.play(habit(both, luck))
        assert_same_tally(both.states[0]["tally"], both.game)


@pytest.mark.parametrize("encoding", ["hand", "state", "state-hand"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_inputs_are_the_dense_ones(encoding, seats):
    luck = np.random.default_rng(seats)
    both = Both(3, 0, 0, seats)
    seen = 0
    while not both.game.over and seen < 1000:
        vector = both.dense(both.game.turn, encoding)
        assert vector.tolist() == both.game.knowledge(both.game.turn).dense(encoding).tolist()
        both.play((stalling if seen % 200 < 100 else uncovering)(both, luck))
        seen += 1


def test_columns_show_a_network_what_its_player_knew_when_it_chose():
    """After each turn the compiled inputs are those of the plain player, who has not seen the face-down card it gave up."""
    luck = np.random.default_rng(5)
    for seats in (2, 3):
        both, checked = Both(3, 1, 1, seats), 0
        twin = plain.ColumnPlayer(None, 0.0)
        while checked < 150:
            game, move = both.game, uncovering(both, luck)
            placing, seat, round_number = game.drawn is not None, game.turn, game.round
            if not placing:
                both.play(move)
                continue
            view, card = game.knowledge(seat), game.drawn
            thrown = plain.Knowledge(view.hand, view.others, view.discarded, view.unknown)
            after, top = (thrown, card) if move == plain.THROWN else (view.exchanged(card, move), view.hand[move])
            expected = twin.dense(game, after, top)
            both.play(move)
            if game.round == round_number and game.stock:
                index, value = np.zeros(279, np.int64), np.zeros(279, np.float32)
                count = network_inputs.inputs(both.states[0], seat, encodings.COLUMN, index, value)
                dense = np.zeros(279)
                np.add.at(dense, index[:count], value[:count])
                np.testing.assert_allclose(dense, expected)
                checked += 1


def test_the_plain_net_is_the_nets_own_formula():
    contestant, player = net("hand", 1.0, 5)
    view = Both(1, 0, 0, 2).game.knowledge(0)
    inputs = view.dense("hand")
    assert contestant.net.value(inputs) == pytest.approx(player.network.values(inputs), abs=1e-6)
