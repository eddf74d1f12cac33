"""The compiled gin rummy against the plain one: melds, laying off, whole games move by move, and what nets choose."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

import gin_reference as plain
from amounts import amount
from evolved import dense_net, evolved_twin
from gin_table import Both, melds_in
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Chooser, Contestant, find_players
from sparring.games import find_game
from sparring.games.gin import encodings, nets, rules
from sparring.games.gin.cards import cards_of, hand_of
from sparring.games.gin.melds import deadwood, lay_off, least_deadwood, melds_of
from sparring.kernel.compiler import INTERPRETED
from sparring.kernel.records import records
from sparring.nets.dense import flat

FEWER = 200 if INTERPRETED else 1  # interpreted rules are a thousand times slower
HANDS, PAIRS = amount(30_000, 100_000) // FEWER, amount(2000, 4000) // FEWER
SLACK = 1e-5
RARE = 0.05  # of choices: a tie is one in all manners
GAME = find_game("gin")
FIXED = [
    name for name in GAME.policies.encodings if name not in ("table", "match")
]  # encodings under the study's fixed policy
VARIANTS = {
    "gin": plain.Rules(),
    "gin:limit=50": plain.Rules(turns=50),
    "gin:laying_off=yes": plain.Rules(laying_off=True),
    "gin:rules=full,length=hand": plain.full_rules(),
    "gin:rules=full": plain.full_rules(match=100),
}
SHORT = ["gin:limit=50", "gin:rules=full,length=hand"]
PLAYED = SHORT if INTERPRETED else VARIANTS
MANNERS = {
    "net": {},
    "net+mean": {"mean": True},
    "net+eleven": {"eleven": True},
    "net+mean-eleven": {"mean": True, "eleven": True},
    "net+patient": {"mean": True, "eleven": True, "patient": True},
}


# Melds.


def clusters(luck):
    """Decks to take hands from: the whole one, and parts in which sets and runs compete for cards."""
    while True:
        low, missing = luck.randrange(10), luck.randrange(4)
        yield range(52)
        yield [card for card in range(52) if low <= card % 13 < low + 4]
        yield [card for card in range(52) if card // 13 < 2 and card % 13 < 9]
        yield [card for card in range(52) if card // 13 == 3 or card % 13 == low]
        yield [card for card in range(52) if low <= card % 13 < low + 6 and card // 13 != missing]


def random_hands(luck, number, sizes):
    """Hands from all kinds of decks, each with the cards of its deck that are left."""
    for _, deck in zip(range(number), clusters(luck), strict=False):
        chosen = luck.sample(list(deck), luck.choice(sizes))
        yield set(chosen), list(set(deck) - set(chosen))


def test_melds_are_found_as_by_trying_all():
    for hand, _ in random_hands(random.Random(1), amount(HANDS // 2, HANDS), (10, 11)):
        least, bits = plain.least_deadwood(hand), hand_of(hand)
        assert deadwood(bits) == least, sorted(hand)
        assert plain.left_by(melds_in(bits), hand) == least, sorted(hand)


def test_in_many_of_those_hands_melds_compete_for_cards():
    hands = [hand for hand, _ in random_hands(random.Random(1), 500, (10, 11))]
    assert sum(sum(map(len, plain.melds_in(hand))) > len(hand) for hand in hands) > 100


def test_the_least_deadwood_after_a_throw_is_that_of_the_best_throw():
    for hand, _ in random_hands(random.Random(2), PAIRS, (11,)):
        kept = random.Random(sum(hand)).choice([-1, *hand])
        assert least_deadwood(hand_of(hand), kept) == min(plain.least_deadwood(hand - {card}) for card in hand - {kept})


def test_laying_off_leaves_as_little_as_by_trying_all():
    luck, seen = random.Random(3), Counter()
    for knocker, rest in random_hands(luck, PAIRS, (10,)):
        other = set(luck.sample(rest, min(10, len(rest))))
        laid, left = lay_off(melds_of(hand_of(knocker)), hand_of(other))
        laid = set(cards_of(laid))
        assert laid in plain.lay_offs(melds_in(hand_of(knocker)), other), (sorted(knocker), sorted(other))
        assert plain.least_deadwood(other - laid) == left
        assert (left, len(laid)) == plain.best_lay_off(melds_in(hand_of(knocker)), other), (
            sorted(knocker),
            sorted(other),
        )
        seen[len(laid)] += 1
    assert INTERPRETED or min(seen[number] for number in range(5)) > 20, seen


# Whole games.


def follow(recorded, both, plain_players, every=1):
    """Replay a recorded game, looking at every so many legal moves and choices; returns how many, and which were ties."""
    played, tally, seating = recorded
    checked = ties = 0
    for number, move in enumerate(played.moves):
        if number % every == 0:
            assert sorted(both.legal()) == both.plain.legal()
            allowed = plain_players[seating[both.turn]].moves(both.plain)
            assert move in allowed
            checked += 1
            ties += len(allowed) > 1
        both.play(move)
    assert both.plain.over
    both.compare_tallies(tally)
    return checked, ties


def recorded_games(game, contestants, deals):
    """Games played by the launcher: each with its tally and who sat where."""
    jobs, kept = paired_jobs(1, np.arange(2), deals), []
    tallies = play(game, jobs, contestants, keep=kept.extend)
    return list(zip(kept, tallies, jobs["player"], strict=True))


def begun(name, played):
    return Both(name, VARIANTS[name], played.seed, played.deal, played.luck)


@pytest.mark.parametrize("name", PLAYED)
def test_recorded_games_follow_the_plain_rules(name):
    game = find_game(name)
    for recorded in recorded_games(game, find_players(game, ["random", "random"]), deals=2):
        follow(recorded, begun(name, recorded[0]), [plain.Random()] * 2, every=7)


@pytest.mark.parametrize("name", PLAYED)
def test_recorded_games_of_nets_follow_the_plain_policy(name):
    game = find_game(name)
    pair = [dense_net(game, "cards", 5, 1), dense_net(game, "places", 4, 2, policy="net+mean")]
    players = [plain.NetPlayer(net, SLACK, **MANNERS[net.policy]) for net in pair]
    contestants = [Contestant(net.encoding, net.policy, net) for net in pair]
    counts = [
        follow(recorded, begun(name, recorded[0]), players, every=max(31, len(recorded[0].moves) // 60))
        for recorded in recorded_games(game, contestants, deals=1)
    ]
    assert min(counts)[0] > 0


def any_move(both, luck):
    return luck.choice(both.legal())


def collecting(both, luck, knocking=0.5):
    """Throws mostly what leaves the least deadwood, and knocks at once or waits: so that hands come to every kind of end."""
    legal = both.legal()
    if both.plain.drawn is None:
        return luck.choice(legal)
    knocks = [move for move in legal if move >= rules.KNOCK]
    if knocks and luck.random() < knocking:
        return luck.choice(knocks)
    legal = [move for move in legal if move not in knocks]
    hand = both.plain.hands[both.turn]
    if luck.random() < 0.1:
        return luck.choice(legal)
    return min(legal, key=lambda card: plain.least_deadwood(hand - {card}))


def stalling(both, luck):
    """Throws what it drew, as far as it may, from a stock that is remade again and again."""
    legal = both.legal()
    return (
        both.plain.drawn if both.plain.drawn in legal else rules.STOCK if rules.STOCK in legal else luck.choice(legal)
    )


@pytest.mark.parametrize(("habit", "deals"), [(any_move, 2), (collecting, 12), (stalling, 1)])
@pytest.mark.parametrize("name", VARIANTS)
def test_any_legal_moves_lead_to_the_same_game(name, habit, deals):
    luck = random.Random(name)
    for deal in range(-(-deals // FEWER)):
        both = Both(name, VARIANTS[name], 2, deal)
        turns = 0
        while not both.plain.over and turns < 1500:
            assert habit is stalling or sorted(both.legal()) == both.plain.legal()
            both.play(habit(both, luck))
            turns += 1
        if both.plain.over:
            both.compare_tallies()


# What nets see and choose.


def seen(both, encoding):
    """All inputs of the seat whose turn it is, by the compiled game."""
    index, value = np.zeros(256, np.int64), np.zeros(256, np.float32)
    count = encodings.inputs(records(both.state)[0], both.turn, encodings.NAMES.index(encoding), index, value)
    dense = np.zeros(GAME.policies.encodings[encoding])
    assert len(set(index[:count].tolist())) == count
    dense[index[:count]] = value[:count]
    return dense


@pytest.mark.parametrize("encoding", FIXED)
def test_inputs_are_the_plain_ones(encoding):
    luck = random.Random(encoding)
    for name in ("gin", "gin:rules=full"):
        both = Both(name, VARIANTS[name])
        for number in range(300 // min(FEWER, 10)):
            assert np.allclose(seen(both, encoding), both.plain.knowledge().inputs(encoding, knocks=False))
            both.play((stalling if number % 100 > 50 else collecting)(both, luck))
            if both.plain.over:
                break


def random_states(name, luck, number, every):
    """States of games that are played this way and that; draws and throws alike."""
    while number > 0:
        both = Both(name, VARIANTS[name], 3, luck.randrange(1 << 20))
        for step in range(400):
            if both.plain.over:
                break
            if step % every == every - 1 and number > 0:
                number -= 1
                yield both
            both.play((stalling if step % 90 > 60 else collecting)(both, luck))


def check_choices(net, playing, number):
    """What a net chooses in random states, against the plain policy in every manner; how many choices were ties."""
    luck, ties = random.Random(1), 0
    for name in ("gin", "gin:rules=full"):
        choosers = {manner: Chooser(find_game(name), Contestant("net", manner, playing)) for manner in MANNERS}
        for both in random_states(name, luck, number // 2, every=9):
            known = {}
            for manner, refinements in MANNERS.items():
                allowed = plain.NetPlayer(net, SLACK, **refinements, known=known).moves(both.plain)
                assert choosers[manner].choose(both.state) in allowed, (name, manner, vars(both.plain.knowledge()))
                ties += len(allowed) > 1
    return ties


def careful(net):
    """The same net, but to it hands with little deadwood are much better: it throws and takes as players do."""
    tensors = {name: tensor.copy() for name, tensor in net.tensors().items()}
    tensors["hidden.weight"][:, encodings.FEATURES_AT] -= 2
    tensors["output.weight"] = abs(tensors["output.weight"])
    return replace(net, weights=flat(tensors, net.input_major))


def net_of(encoding):
    return careful(dense_net(GAME, "melds", 7, 1)) if encoding == "deadwood" else dense_net(GAME, encoding, 7, 1)


@pytest.mark.parametrize("manner", ["net+mean", "net+mean-eleven"])
@pytest.mark.parametrize("encoding", [*FIXED, "deadwood"])
def test_unknown_cards_are_worth_what_the_plain_policy_says(encoding, manner):
    net = net_of(encoding)
    chooser, player = Chooser(GAME, Contestant("net", manner, net)), plain.NetPlayer(net, SLACK, **MANNERS[manner])
    for both in random_states("gin", random.Random(5), 2 if INTERPRETED else 12, every=9):
        view = both.plain.knowledge()
        if both.plain.drawn is None:
            chooser.choose(both.state)
            expected = player.unknown_values(view)
            found = chooser.float_scratch[nets.BEST : nets.BEST + len(expected)]
            assert np.allclose(expit(found), expected, atol=SLACK)


@pytest.mark.parametrize("kind", ["dense", "evolved"])
@pytest.mark.parametrize("encoding", [*FIXED, "deadwood"])
def test_nets_choose_what_the_plain_policy_chooses(encoding, kind):
    net = net_of(encoding)
    number = 4 if INTERPRETED else amount(8, 24) if net.encoding == "melds" else amount(60, 200)
    ties = check_choices(net, net if kind == "dense" else evolved_twin(net), number)
    assert INTERPRETED or ties <= RARE * number * len(MANNERS)


def knocking_states(number):
    """States in which a knock is possible."""
    luck = random.Random(1)
    while number > 0:
        both = Both(SHORT[1], VARIANTS[SHORT[1]], 4, luck.randrange(1 << 20))
        while not both.plain.over:
            if max(both.legal()) >= rules.KNOCK:
                number -= 1
                yield both
            both.play(collecting(both, luck, knocking=0))


def test_a_patient_net_knocks_only_where_that_is_better():
    seen = Counter()
    several = [dense_net(GAME, "melds", 5, seed) for seed in range(6)]
    choosers = [Chooser(GAME, Contestant("net", "net+patient", net)) for net in several]
    for both in knocking_states(6 if INTERPRETED else amount(20, 60)):
        for net, chooser in zip(several, choosers, strict=True):
            allowed = plain.NetPlayer(net, SLACK, **MANNERS["net+patient"]).moves(both.plain)
            move = chooser.choose(both.state)
            assert move in allowed
            seen["knock" if move >= rules.KNOCK else "on"] += 1
    assert min(seen["knock"], seen["on"]) > 10 or INTERPRETED, seen
