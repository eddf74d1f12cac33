"""Gin rummy networks on the encodings `table` and `match`: what they see, and that they choose the move that they value most."""

import numpy as np
import pytest

from deep import deep_net
from evolved import dense_net, evolved_twin
from gin_reference import least_deadwood, melds_with
from sparring.arena.explain import explain
from sparring.arena.players import Chooser, Contestant
from sparring.games import find_game
from sparring.games.deck import CARDS
from sparring.games.explain import dense
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.gin import encodings, table_encoding
from sparring.games.gin.cards import cards_of
from sparring.games.gin.rules import FIRST, KNOCK, STOCK, THROW, UPCARD
from sparring.games.gin.view import TABLE_FEATURES
from sparring.kernel.records import records
from sparring.learn.td import TD, TDTraining
from sparring.nets.evaluators import net_evaluator

FULL, STUDY, SCORED = "gin:rules=full,length=hand", "gin", "gin:rules=full,length=hand,score=70-20"
RANDOM_SCORE = "gin:rules=full,length=hand,score=random"
GAME = find_game(FULL)
FEATURE = {name: table_encoding.FEATURES_AT + k for k, name in enumerate(TABLE_FEATURES)}


def row(state, seat, encoding=encodings.TABLE):
    return dense(encodings.inputs, records(state)[0], seat, encoding, encodings.INPUTS[encoding])


def states(name, seed, most=40):
    """States of a game of random moves, which throw what leaves little deadwood."""
    game, luck = find_game(name), np.random.default_rng(seed)
    state = start_game(game, seed, seed, seed, 2)
    for _ in range(most):
        if state[0]["over"]:
            return
        yield state
        legal = legal_moves(game, state)
        hand = set(cards_of(int(state[0]["hand"][state[0]["turn"]])))
        playing_on = [move for move in legal if move < KNOCK] or legal
        least = min(playing_on, key=lambda move: least_deadwood(hand - {move}))
        move = int(luck.choice(legal)) if state[0]["phase"] != THROW or luck.random() < 0.3 else least
        play_move(game, state, move)


def after(name, state, *moves):
    copied = state.copy()
    for move in moves:
        play_move(find_game(name), copied, move)
    return copied


def values_by_rules(name, net, state):
    """What the network says after each move, by the rules themselves; of the upcard, after the best throw."""
    seat, evaluator, encoding = int(state[0]["turn"]), net_evaluator(net), encodings.NAMES.index(net.encoding)

    def value(*moves):
        return float(evaluator.sums(row(after(name, state, *moves), seat, encoding)[None])[0])

    game, found = find_game(name), {}
    for move in legal_moves(game, state):
        if state[0]["phase"] == THROW or move != UPCARD:
            found[move] = value(move)
        else:
            throws = legal_moves(game, after(name, state, move))
            found[move] = max(
                value(move, throw) for throw in throws if not is_idle_gin(after(name, state, move), throw)
            )
    return {move: value for move, value in found.items() if not is_idle_gin(state, move)}


def is_idle_gin(state, move):
    """Whether a throw leaves no deadwood and does not knock, which these networks never do."""
    s = state[0]
    if s["phase"] != THROW or move >= KNOCK or not s["rules"]["free"]:
        return False
    return least_deadwood(set(cards_of(int(s["hand"][s["turn"]]))) - {move}) == 0


@pytest.mark.parametrize("kind", ["sigmoid", "graph", "deep"])
@pytest.mark.parametrize(("name", "encoding"), [(FULL, "table"), (STUDY, "table"), (SCORED, "match")])
def test_the_move_is_the_one_whose_result_the_network_values_most(name, encoding, kind):
    net = dense_net(GAME, encoding, 7, 1)
    net = {"sigmoid": net, "graph": evolved_twin(net), "deep": deep_net(GAME, encoding, (6, 5), 1)}[kind]
    chooser, phases = Chooser(find_game(name), Contestant("net", "net", net)), set()
    for seed in range(3):
        for state in states(name, seed, 24):
            values = values_by_rules(name, net, state)
            move = chooser.choose(state.copy())
            assert values[move] == pytest.approx(max(values.values()), abs=1e-4)
            phases.add((int(state[0]["phase"]), move == UPCARD if state[0]["phase"] != THROW else move >= KNOCK))
    assert len(phases) >= (3 if name == STUDY else 4)  # the study knocks without being asked


@pytest.mark.parametrize(("name", "encoding"), [(FULL, "table"), (SCORED, "match")])
def test_an_explanation_has_the_same_values(name, encoding):
    net = dense_net(GAME, encoding, 7, 2)
    evaluator = net_evaluator(net)
    for state in states(name, 5, 30):
        told = explain(find_game(name), Contestant("net", "net", net), state)
        expected = values_by_rules(name, net, state)
        found = {one.move: one.value for one in told.candidates if one.value is not None}
        assert found == pytest.approx(
            {m: float(evaluator.squashed(np.array(v))) for m, v in expected.items()}, abs=1e-4
        )


def test_cards_are_where_the_seat_has_seen_them():
    seen = set()
    for seed in range(4):
        for state in states(FULL, seed):
            s, seat = state[0], 1 - int(state[0]["turn"])
            if s["hand_turns"] == 0:
                continue
            places = row(state, seat)[: table_encoding.FEATURES_AT].reshape(6, CARDS)
            cards = [set(np.flatnonzero(place).tolist()) for place in places]
            loose, melded, theirs, thrown, refused, offered = cards
            hand, pile = set(cards_of(int(s["hand"][seat]))), set(cards_of(int(s["pile"])))
            assert loose | melded == hand and not loose & melded
            assert len(loose) == 0 or least_deadwood(hand) == least_deadwood(loose)
            assert theirs == set(cards_of(int(s["known"][1 - seat])))
            assert thrown | refused | offered == pile
            assert thrown <= set(cards_of(int(s["thrown"][1 - seat])))
            assert offered == ({int(s["upcard"])} if s["phase"] != THROW else set())
            seen |= {name for name, found in zip(["theirs", "thrown", "refused"], cards[2:5], strict=True) if found}
    assert seen == {"theirs", "thrown", "refused"}


def test_what_the_opponent_could_do_with_a_throw_is_in_the_inputs():
    checked = 0
    for seed in range(6):
        for state in states(FULL, seed):
            s, seat = state[0], 1 - int(state[0]["turn"])
            if s["phase"] in (FIRST, THROW):
                continue
            known, upcard = set(cards_of(int(s["known"][1 - seat]))), int(s["upcard"])
            inputs = row(state, seat)
            assert inputs[FEATURE["offer makes a meld"]] == melds_with(upcard, known)
            assert inputs[FEATURE["known cards"]] == pytest.approx(0.2 * len(known))
            checked += len(known) > 1
    assert checked > 5


def test_the_value_of_the_stock_does_not_depend_on_the_card_drawn():
    for state in states(FULL, 3):
        if STOCK in legal_moves(GAME, state) and state[0]["phase"] != THROW:
            seat = int(state[0]["turn"])
            other = state.copy()
            stock = other[0]["stock"]
            size = int(other[0]["stock_size"])
            stock[[0, size - 1]] = stock[[size - 1, 0]]
            rows = [row(after(FULL, one, STOCK), seat) for one in (state, other)]
            assert (rows[0] == rows[1]).all() and rows[0][FEATURE["draws from the stock"]] == 1


@pytest.mark.parametrize(("name", "encoding", "head"), [(FULL, "table", "lead"), (RANDOM_SCORE, "match", "match")])
def test_a_short_training_beats_random_play(name, encoding, head):
    options = TD(
        encoding=encoding, outputs=head, finals=True, hidden=8, games=1500, step_games=500, rate=1.0, trace=0.5,
        explore=0.05, against=("simple",), benchmark="random", benchmark_pairs=50, curve_every=3,
    )  # fmt: skip
    training = TDTraining(find_game(name), options, 1, 1)
    while training.step < training.steps:
        training.advance()
    assert training.curves()[1]["benchmark.player.won"][0, -1] > 0.85
