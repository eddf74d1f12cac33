"""Why a player chose: the best value is the move it makes, by what its seat may see; mistakes; nets drawn at work."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altered import altered
from amounts import amount
from deep import deep_net
from evolved import dense_net, evolved_twin
from sparring.arena.explain import Explainer, Mistake, explain, mistakes
from sparring.arena.players import Chooser, Contestant, find_player
from sparring.errors import UserError
from sparring.games import Game, Played, find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.evaluators import activations, net_evaluator
from sparring.nets.genome import Genome, Link, Node
from sparring.report.network import draw_net, net_labels
from sparring.report.wiring import PULLING, WORKING, wiring_at_work
from sparring.testing.cast import HIDDEN, cast, differing, random_net
from test_conformance import REARRANGE

SVG = "{http://www.w3.org/2000/svg}"
CLOSE = 1e-5  # kernels reckon in single precision
# Under the rules as people play them too; few rounds, so that passing comes up.
TABLES = ["golf", "backgammon", "backgammon:scoring=single", "conquest", "gin", "gin:rules=full", "hearts:rounds=4"]
MOVES = amount(12, 40)  # of a game that are looked at


def linear_net(game: Game, encoding: str, seed: int) -> Net:
    shape = (game.policies.encodings[encoding], 3, 2)
    weights = gaussian(size(shape, "linear"), seed, "thinking")
    return Net(game.family, game.rules.version, encoding, shape, weights, kind="linear")


def everyone(game: Game, seed: int) -> list[Contestant]:
    """All who can play, the shipped champions in every manner of theirs, and nets of every kind and encoding."""
    found = cast(game, seed)
    for champion in (find_player(game, name) for name in game.policies.champions):
        told = {
            policy: game.policies.decodings.get(policy) for policy in game.policy_names if policy not in game.builtin
        }
        fitting = [policy for policy, count in told.items() if count in (None, champion.net.shape[-1])]
        found += [find_player(game, f"{champion.name}{policy.removeprefix('net')}") for policy in fitting]
    for policy in (policy for policy in game.policy_names if policy not in {*game.builtin, *game.policies.searching}):
        for encoding in game.policies.encodings:
            net = random_net(game, encoding, seed, policy)
            found.append(Contestant(f"{policy}:{encoding}", policy, net))
            if "graph" in game.policies.kinds:
                found.append(Contestant(f"{policy}:{encoding} evolved", policy, evolved_twin(net)))
            if "deep" in game.policies.kinds:
                deep = deep_net(game, encoding, (6, 5, 4), seed, net.shape[-1], policy)
                found.append(Contestant(f"{policy}:{encoding} deep", policy, deep))
            if "linear" in game.policies.kinds:
                found.append(Contestant(f"{policy}:{encoding} linear", policy, linear_net(game, encoding, seed)))
    if "outcomes" in game.learning.heads:
        found.append(Contestant("five", "net", dense_net(game, game.encoding_names[0], HIDDEN, seed, 5)))
        found.append(Contestant("deep five", "net", deep_net(game, game.encoding_names[0], (5, 3), seed, 5)))
    return found


def states(game: Game, contestant: Contestant, seed: int, most: int = MOVES):  # type: ignore[no-untyped-def]
    """States of a game that this player and chance play, from all its parts: moves between are made at random."""
    luck, chooser = np.random.default_rng(seed), Chooser(game, contestant)
    state = start_game(game, seed, seed, seed, game.rules.seats[0])
    for _ in range(most):
        for _ in range(int(luck.integers(0, 3))):
            if not state[0]["over"]:
                play_move(game, state, int(luck.choice(legal_moves(game, state))))
        if state[0]["over"]:
            return
        yield state
        play_move(game, state, chooser.choose(state))


@pytest.mark.parametrize("name", TABLES)
def test_the_best_value_is_the_move_that_the_player_makes(name: str) -> None:
    game = find_game(name)
    weighed = set()
    for number, contestant in enumerate(everyone(game, 1)):
        thinker, chooser = Explainer(game, contestant), Chooser(game, contestant)
        for state in states(game, contestant, number, 3 if "ply" in contestant.policy else MOVES):
            told = thinker.explain(state)
            move = chooser.choose(state.copy())
            assert sorted(one.move for one in told.candidates) == sorted(legal_moves(game, state))
            assert [one.move for one in told.candidates if one.chosen] == [move], contestant.name
            values = {one.move: one.value for one in told.candidates if one.value is not None}
            if values and len(told.candidates) > 1:
                weighed.add(contestant.name)
                assert max(values.values()) - values[move] <= CLOSE, (contestant.name, told)
    nets = {contestant.name for contestant in everyone(game, 1) if contestant.net}
    silent = {"net:hand", *(f"net+{manner}:hand" for manner in ("plain", "undefended", "always"))}
    assert {name.removesuffix(" deep") for name in nets - weighed} <= silent
    assert ("pubeval" in weighed) == (game.family == "backgammon")


@pytest.mark.parametrize("name", REARRANGE)
def test_thinking_uses_only_what_the_seat_may_see(name: str) -> None:
    game, luck, changes = find_game(name), np.random.default_rng(1), 0
    for contestant in everyone(game, 2):
        thinker = Explainer(game, contestant)
        for state in states(game, contestant, 3, 12):
            other = state.copy()
            REARRANGE[name](other[0], int(state[0]["turn"]), luck)
            changes += len(differing(state, other))
            assert thinker.explain(state) == thinker.explain(other), contestant.name
    assert changes


DIRECT = [  # games and policies in which the value of the chosen move is what the net tells of what it saw
    ("golf", "net", lambda outputs: outputs[0]),
    ("hearts:rounds=4", "net", lambda outputs: outputs[0]),
    ("gin", "net+mean", lambda outputs: outputs[0]),
    ("backgammon", "net", lambda outputs: 3 * (2 * outputs[0] - 1)),
    ("conquest", "net+value", lambda outputs: outputs[0]),
]


@pytest.mark.parametrize(("name", "policy", "value"), DIRECT)
@pytest.mark.parametrize("kind", ["sigmoid", "graph", "deep"])
def test_a_value_is_what_the_net_tells_of_the_inputs_shown(name, policy, value, kind) -> None:
    game, seen = find_game(name), 0
    if kind not in game.policies.kinds:
        return
    for encoding in game.policies.encodings:
        net = random_net(game, encoding, 5, policy)
        if kind != "sigmoid":
            net = evolved_twin(net) if kind == "graph" else deep_net(game, encoding, (6, 5), 5, net.shape[-1], policy)
        contestant = Contestant("net", policy, net)
        thinker = Explainer(game, contestant)
        for state in states(game, contestant, 4):
            told = thinker.explain(state)
            if told.net is None or told.seen == "now" or "shown as sums" in told.note:
                continue
            row, after = np.array([amount for _, amount in told.inputs]), state.copy()
            move, chosen = next((one.move, one.value) for one in told.candidates if one.chosen)
            play_move(game, after, move)
            if after[0]["over"]:  # a won game has its points as value
                continue
            mirrored = -1 if encoding == "shares" and told.seat == 1 and game.family == "conquest" else 1
            assert chosen == pytest.approx(mirrored * value(told.net.values(row)), abs=1e-9)
            assert told.activations[0] == pytest.approx(told.net.value(row), abs=1e-9)
            assert [told.activations[-1 - n] for n in range(len(row))] == row.tolist()
            seen += 1
    assert seen > 10


def test_a_golf_hand_that_middling_cards_would_spoil_is_what_the_stock_is_worth() -> None:
    """A net that likes low cards, and cards face down best: it soon has what neither the upcard nor most others improve."""
    game = find_game("golf")
    net = replace(random_net(game, "hand", 1), weights=np.zeros(size((90, HIDDEN, 1)), np.float32))
    tensors = net.tensors()  # which are views
    tensors["hidden.weight"][0] = np.tile([*(-0.1 - 0.01 * np.arange(14)), 0], 6)
    tensors["output.weight"][0, 0] = 4
    player, hits = find_player(game, net), 0
    for state in states(game, player, 2, 40):
        told = explain(game, player, state)
        if told.seen == "now":
            (stock, chosen), (upcard, _) = ((one.value, one.chosen) for one in told.candidates)
            assert chosen and stock >= upcard
            hits += stock == pytest.approx(told.activations[0], abs=1e-12)
    assert hits > 3


def test_what_is_told_beside_the_values() -> None:
    game = find_game("backgammon")
    state = start_game(game, 1, 0, 0, 2)
    before = state.copy()
    told = explain(game, find_player(game, "champion"), state)
    assert not differing(state, before)
    assert (told.player, told.seat, told.encoding, told.role) == ("champion", int(state[0]["turn"]), "tesauro", "")
    assert len(told.inputs) == 198 and ("not on roll", 1.0) in told.inputs and told.seen == "after the move"
    assert told.candidates[0].chosen and "points" in told.note
    values = [one.value for one in told.candidates]
    assert values == sorted(values, reverse=True) and told.scale == (values[-1], values[0])
    assert len(told.activations) == 198 + 80 + 5


def test_a_team_tells_whose_net_decided() -> None:
    game = find_game("hearts")
    champion = find_player(game, "champion")
    roles = set()
    for seed in range(3):
        for state in states(game, champion, seed, 60):
            told = explain(game, champion, state)
            assert champion.net is not None and told.net is champion.net.parts[told.role]
            roles.add(told.role)
            passing = state[0]["phase"] == 0
            assert told.role.endswith("pass") == passing == ("best pass" in told.note)
    assert {"pass", "play"} < roles


def test_three_cards_are_passed_by_the_best_three_with_each() -> None:
    game = find_game("hearts")
    champion, state = find_player(game, "champion"), start_game(game, 7, 0, 0, 4)
    chosen = []
    for _ in range(3):
        told = explain(game, champion, state)
        best = [one.move for one in told.candidates if one.value == told.candidates[0].value]
        assert len(best) == 3 - len(chosen)
        chosen.append(next(one.move for one in told.candidates if one.chosen))
        assert chosen[-1] in best
        play_move(game, state, chosen[-1])


def test_players_that_compare_nothing_tell_only_their_choice() -> None:
    for name, player in (("golf", "greedier"), ("hearts", "rule-based"), ("gin", "simple"), ("conquest", "random")):
        game = find_game(name)
        told = explain(game, find_player(game, player), start_game(game, 1, 0, 0, game.rules.seats[0]))
        assert {one.value for one in told.candidates} == {None} and sum(one.chosen for one in told.candidates) == 1
        assert (told.net, told.inputs, told.activations, told.scale) == (None, (), {}, (-0.5, 0.5))


def test_a_program_of_others_is_not_started_to_be_asked() -> None:
    def fail():  # type: ignore[no-untyped-def]
        raise AssertionError("started")

    game = find_game("backgammon")
    told = explain(game, Contestant("gnubg", "external", external=fail), start_game(game, 1, 0, 0, 2))
    assert not any(one.chosen or one.value is not None for one in told.candidates) and "program" in told.note


def test_a_game_that_is_over_leaves_nothing_to_think_of() -> None:
    game = find_game("golf")
    state = start_game(game, 1, 0, 0, 2)
    state[0]["over"] = 1
    with pytest.raises(UserError, match="the game is over"):
        explain(game, find_player(game, "random"), state)


def test_a_game_without_thinking_tells_the_choice_alone() -> None:
    game = altered(find_game("golf"), explain=None)
    net = random_net(game, "hand", 1)
    told = explain(game, find_player(game, net), start_game(game, 1, 0, 0, 2))
    assert {one.value for one in told.candidates} == {None} and sum(one.chosen for one in told.candidates) == 1


def test_sums_are_shown_where_outputs_no_longer_differ() -> None:
    game = find_game("golf")
    net = random_net(game, "hand", 1)
    loud = replace(net, weights=net.weights.copy())
    loud.weights[-1] = 60  # the output's bias
    for state in states(game, find_player(game, net), 1, 6):
        quiet, shouted = explain(game, find_player(game, net), state), explain(game, find_player(game, loud), state)
        assert "sum" not in quiet.note and all(0 < one.value < 1 for one in quiet.candidates)
        if len({one.value for one in quiet.candidates}) > 1:
            assert "shown as sums" in shouted.note
            assert [one.move for one in shouted.candidates] == [one.move for one in quiet.candidates]


# Mistakes.


def game_of(game: Game, players: list[Contestant], seed: int, most: int = 1000) -> Played:
    state, moves = start_game(game, seed, 0, 0, len(players)), []
    choosers = [Chooser(game, player) for player in players]
    while not state[0]["over"] and len(moves) < most:
        moves.append(choosers[state[0]["turn"]].choose(state))
        play_move(game, state, moves[-1])
    return Played(seed, 0, 0, len(players), tuple(moves))


def test_a_player_finds_no_mistake_of_its_own() -> None:
    for name in ("backgammon", "gin:rules=full", "hearts:rounds=2"):
        game = find_game(name)
        champion = find_player(game, "champion")
        played = game_of(game, [champion] * game.rules.seats[0], 1)
        assert max([mistake.lost for mistake in mistakes(game, played, champion)], default=0) <= CLOSE


def test_mistakes_are_what_the_evaluator_would_have_gained() -> None:
    game = find_game("backgammon")
    champion = find_player(game, "champion")
    played = game_of(game, [find_player(game, "random")] * 2, 1, 60)
    found = mistakes(game, played, champion)
    assert [mistake.lost for mistake in found] == sorted((mistake.lost for mistake in found), reverse=True)
    state, by_number = start_game(game, 1, 0, 0, 2), {mistake.number: mistake for mistake in found}
    for number, move in enumerate(played.moves):
        values = {one.move: one.value for one in explain(game, champion, state).candidates}
        best = max(values, key=lambda one: values[one])
        if len(values) > 1 and values[best] > values[move]:
            assert by_number.pop(number) == Mistake(number, values[best] - values[move], best)
        play_move(game, state, move)
    assert not by_number and len(found) > 20


def test_an_evaluator_without_values_finds_nothing_and_an_illegal_move_is_refused() -> None:
    game = find_game("backgammon")
    played = game_of(game, [find_player(game, "random")] * 2, 1, 10)
    assert mistakes(game, played, find_player(game, "simple")) == []
    with pytest.raises(UserError, match="illegal move"):
        mistakes(game, replace(played, moves=(9999,)), find_player(game, "champion"))


# Nets that are asked.


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["sigmoid", "linear", "graph"]), st.integers(1, 5), st.integers(1, 3))
def test_many_rows_at_once_have_the_values_that_each_has(seed: int, kind: str, hidden: int, outputs: int) -> None:
    luck = np.random.default_rng(seed)
    shape = (7, hidden, outputs)
    weights = gaussian(size(shape, "linear" if kind == "linear" else "sigmoid"), seed, "asked")
    net = Net("golf", 1, "hand", shape, weights, kind="linear" if kind == "linear" else "sigmoid")
    net = evolved_twin(net) if kind == "graph" else net
    rows = luck.normal(size=(4, 7)) * (luck.random(7) < 0.7)
    network = net_evaluator(net)
    for row, told, total in zip(rows, network.values(rows), network.sums(rows), strict=True):
        assert told == pytest.approx(net.values(row), abs=1e-9)
        assert network.squashed(total) == pytest.approx(net.value(row), abs=1e-9)


def grown(activation: int = 0) -> Net:
    """Node 3 takes the mean of two inputs and feeds the output, which also sees input 2; the rest is disabled or leads nowhere."""
    nodes = np.zeros(3, Node)
    nodes["key"], nodes["response"], nodes["bias"] = [0, 3, 4], [1, 2, 1], [0.1, -0.2, 0]
    nodes["activation"], nodes["aggregation"] = [0, activation, 0], [0, 1, 0]
    links = np.zeros(6, Link)
    ends = [(-4, 0, 0.5, 0), (-3, 0, 1.0, 1), (-2, 0, -1.5, 1), (-2, 3, 0.8, 1), (-1, 3, 0.4, 1), (3, 0, 2.0, 1)]
    for link, end in zip(links, ends, strict=True):
        link["source"], link["target"], link["weight"], link["enabled"] = end
    return Net.evolved("a game", 1, "", Genome(4, 1, nodes, links), False)


@pytest.mark.parametrize("activation", range(18))
def test_nodes_of_evolved_nets_have_their_formula_s_values(activation: int) -> None:
    net, row = grown(activation), np.array([0.3, -0.7, 0.0, 1.0])
    found = activations(net, row)
    assert found.keys() == {-1, -2, -3, -4, 0, 3}
    assert found[0] == pytest.approx(net.value(row), abs=1e-9)
    if activation == 9:  # identity
        assert found[3] == pytest.approx(-0.2 + 2 * (0.4 * 0.3 - 0.8 * 0.7) / 2)


def test_a_team_is_asked_and_drawn_part_by_part() -> None:
    game = find_game("hearts")
    team = find_player(game, "champion").net
    assert team is not None
    with pytest.raises(UserError, match="evaluate its parts"):
        activations(team, np.zeros(260))
    with pytest.raises(UserError, match="one by one"):
        draw_net(team)


# Nets at work.


def titles(svg: str) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(svg).iter(f"{SVG}title")]


def words(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_an_evolved_net_at_work_shows_what_each_connection_carries() -> None:
    net = grown()
    values = activations(net, np.array([0.5, 1.0, 0.0, 1.0]))
    svg = draw_net(net, (["a", "b", "c", "d"], ["out"]), values=values)
    lines = [title for title in titles(svg) if " to " in title]
    assert sorted(lines) == [
        f"3 to out: 2 times {values[3]:.4g} = {2 * values[3]:.4g}",
        "a to 3: 0.4 times 0.5 = 0.2",
        "b to 3: 0.8 times 1 = 0.8",
        "b to out: -1.5 times 1 = -1.5",
    ]
    assert {"a = 0.5", "b"} <= set(words(svg)) and not {"c", "d"} & set(words(svg))
    assert f"{values[0]:.2f}" in words(svg) and any(f"now {values[3]:.4g}" in title for title in titles(svg))


@pytest.mark.parametrize("name", ["backgammon", "gin", "hearts"])
def test_champions_at_work_are_small_drawings_of_what_pulls_most(name: str) -> None:
    game = find_game(name)
    champion = find_player(game, "champion")
    for state in states(game, champion, 2, 10):
        told = explain(game, champion, state)
        if told.net is None:
            continue
        svg = draw_net(told.net, net_labels(told.net, game), values=told.activations)
        assert len(svg.encode()) < 80_000
        shown = wiring_at_work(told.net, told.activations)
        assert len(shown.layers[0]) <= PULLING and len(shown.layers[1]) == WORKING
        assert all(told.activations[key] for key in shown.layers[0])
        assert f"{WORKING} hidden nodes of {told.net.hidden} that pull most" in " ".join(words(svg))
        assert "<rect" in svg and svg == draw_net(told.net, net_labels(told.net, game), values=told.activations)


def test_the_inputs_and_hidden_nodes_that_pull_most_are_the_ones_drawn() -> None:
    shape = (60, 30, 1)
    net = Net("golf", 1, "hand", shape, np.full(size(shape), 0.001, np.float32))
    tensors = net.tensors()  # which are views
    tensors["output.weight"][0, 5:15] = 2
    tensors["hidden.weight"][:, 20:30] = 3
    row = np.ones(60)
    row[25] = 0
    shown = wiring_at_work(net, activations(net, row))
    assert {key - 1 for key in shown.layers[1]} > set(range(5, 15))
    assert {-1 - key for key in shown.layers[0]} >= set(range(20, 30)) - {25}
    assert -26 not in shown.layers[0]
    assert (np.abs(shown.carried) > 0).all()


def test_nodes_are_coloured_by_how_active_they_are() -> None:
    net = Net("golf", 1, "hand", (2, 2, 1), np.array([9, 0, 0, -9, 0, 0, 1, 1, 0], np.float32))
    svg = draw_net(net, values=activations(net, np.array([1.0, 1.0])))
    fills = {
        (rect.findtext(f"{SVG}title") or "").partition(":")[0]: rect.get("fill")
        for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect")
    }
    assert fills["node 1"] == "#0072b2" or fills["node 1"] == fills["input 1"]
    assert fills["node 2"] not in (fills["node 1"], fills["output 0"])
