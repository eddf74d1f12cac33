"""Deep nets: kernels compute what the plain formulas do; files; matches; what no net may be."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from deep import deep_net, deep_weights
from sparring.arena.match import match
from sparring.arena.players import fill_net, find_player
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.kernel.deep import deep_outputs, deep_rows
from sparring.kernel.dense import first_layer
from sparring.kernel.launch import LAYERS, Player, scratch_floats
from sparring.kernel.network import net_value
from sparring.kernel.records import records
from sparring.learn.hill_climbing import read_layers
from sparring.nets.dense import Net, flat, size, tensor_shapes
from sparring.nets.evaluators import net_evaluator
from sparring.nets.files import load_net, read_tensors, save_net

GAMES = ["backgammon", "golf", "gin", "conquest", "hearts"]
BACKGAMMON = find_game("backgammon")
SHAPES = st.builds(
    lambda inputs, hidden, outputs: (inputs, *hidden, outputs),
    st.integers(1, 30),
    st.lists(st.integers(1, 40), min_size=1, max_size=LAYERS - 1),
    st.sampled_from([1, 5]),
)


def reference(net: Net, inputs: np.ndarray) -> np.ndarray:
    """The sums of the outputs, from the tensors of the net's file."""
    tensors, values = net.tensors(), inputs.astype(float)
    for n in range(1, len(net.shape)):
        sums = tensors[f"layer{n}.weight"].astype(float) @ values + tensors[f"layer{n}.bias"]
        values = np.maximum(sums, 0)
    return sums


class Kernels:
    """A net in the table of players, and scratch memory full of rubbish."""

    def __init__(self, net: Net, offset: int, sums: int) -> None:
        self.net, self.table = net, np.zeros(1, Player)
        fill_net(self.table, BACKGAMMON, replace(net, encoding="raw"), offset)
        self.player = records(self.table)[0]
        self.weights = np.concatenate([np.full(offset, np.nan, np.float32), net.weights])
        self.scratch = np.full(scratch_floats(lambda hidden: sums, self.table), np.nan, np.float32)

    def first_layer(self, inputs: np.ndarray, at: int) -> None:
        index = np.flatnonzero(inputs)
        first_layer(self.player, self.weights, index, 0, len(index), inputs[index], 0, self.scratch, at)


def made(shape: tuple[int, ...], seed: int) -> Net:
    return Net("backgammon", 1, "", shape, deep_weights(shape, seed), kind="deep")


@settings(max_examples=60, deadline=None)
@given(SHAPES, st.integers(0, 2**32), st.integers(0, 9), st.booleans())
def test_kernels_compute_what_the_formulas_do(shape: tuple[int, ...], seed: int, offset: int, squashed: bool) -> None:
    net, luck = made(shape, seed), np.random.default_rng(seed)
    own = Kernels(net, offset, offset + shape[1] + shape[-1])
    inputs = (luck.normal(size=shape[0]) * luck.integers(0, 2, shape[0])).astype(np.float32)
    own.first_layer(inputs, offset)
    before = own.scratch[: offset + shape[1]].copy()
    deep_outputs(own.player, own.weights, own.scratch, offset, squashed)
    found, wanted = own.scratch[offset + shape[1] :][: shape[-1]], reference(net, inputs)
    assert found == pytest.approx(expit(wanted) if squashed else wanted, rel=1e-4, abs=1e-4)
    assert np.array_equal(
        own.scratch[: offset + shape[1]], before, equal_nan=True
    )  # the sums, and what lies before them
    index = np.flatnonzero(inputs)
    value = net_value(own.player, own.weights, index, inputs[index], len(index), own.scratch[offset:])
    assert value == pytest.approx(expit(wanted[0]), rel=1e-4, abs=1e-4)
    evaluator = net_evaluator(net)
    assert evaluator.sums(inputs[None].astype(float)) == pytest.approx(wanted[:1])
    assert net.values(inputs) == pytest.approx(expit(wanted))


@settings(max_examples=30, deadline=None)
@given(SHAPES, st.integers(0, 2**32), st.integers(1, 9), st.integers(0, 3))
def test_candidates_side_by_side_have_the_values_of_each_alone(
    shape: tuple[int, ...], seed: int, count: int, more: int
) -> None:
    net, width = made(shape, seed), count + more
    own = Kernels(net, 0, shape[1] * width + 1 + shape[1])
    alone = shape[1] * width
    rows = np.random.default_rng(seed).integers(0, 2, (count, shape[0])).astype(np.float32)
    for k, inputs in enumerate(rows):
        own.first_layer(inputs, alone)
        own.scratch[k:alone:width] = own.scratch[alone : alone + shape[1]]
    at = deep_rows(own.player, own.weights, own.scratch, 0, width, count)
    wanted = [reference(net, inputs)[0] for inputs in rows]
    assert own.scratch[at : at + count] == pytest.approx(wanted, rel=1e-4, abs=1e-4)


def test_units_that_are_never_active_leave_the_biases() -> None:
    net = made((4, 6, 5, 3, 5), 1)
    tensors = {name: tensor.copy() for name, tensor in net.tensors().items()}
    tensors["layer1.bias"][:] = -100
    net = replace(net, weights=flat(tensors, False, "deep"))
    own = Kernels(net, 0, 6 + 5)
    own.first_layer(np.ones(4, np.float32), 0)
    deep_outputs(own.player, own.weights, own.scratch, 0, False)
    assert own.scratch[6:11] == pytest.approx(reference(net, np.ones(4)), abs=1e-6)


@pytest.mark.parametrize("depth", range(1, LAYERS))
def test_weights_lie_layer_by_layer_with_a_row_for_each_input(depth: int) -> None:
    shape = (3, *range(4, 4 + depth), 5)
    net, first = made(shape, depth), 0
    for n, (before, units) in enumerate(zip(shape, shape[1:], strict=False), 1):
        rows = net.weights[first : first + before * units].reshape(before, units)
        assert np.array_equal(net.tensors()[f"layer{n}.weight"], rows.T)
        assert np.array_equal(net.tensors()[f"layer{n}.bias"], net.weights[first + before * units :][:units])
        first += (before + 1) * units
    assert first == len(net.weights) == size(shape, "deep")
    assert flat(net.tensors(), False, "deep").tobytes() == net.weights.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_a_deep_net_is_loaded_exactly_as_it_was_saved(tmp_path: Path, name: str) -> None:
    game = find_game(name)
    policy = "net+value" if "net+value" in game.policy_names else "net"
    net = replace(deep_net(game, game.encoding_names[0], (5, 4), 1, policy=policy), learner="deep-td", seed=3)
    save_net(tmp_path / "net.safetensors", net)
    again = load_net(tmp_path / "net.safetensors", game)
    assert again.weights.tobytes() == net.weights.tobytes()
    assert replace(again, weights=net.weights) == net
    tensors, _ = read_tensors(tmp_path / "net.safetensors")
    assert {name: tensor.shape for name, tensor in tensors.items()} == tensor_shapes(net.shape, "deep")
    assert list(tensor_shapes((3, 4, 5, 1), "deep"))[:3] == ["layer1.weight", "layer1.bias", "layer2.weight"]


@pytest.mark.parametrize(("name", "hidden"), [("backgammon", (8, 7, 6, 5, 4, 3, 2)), ("golf", (9,)), ("gin", (5, 4))])
def test_a_match_of_a_deep_net_is_the_same_with_any_number_of_threads(name: str, hidden: tuple[int, ...]) -> None:
    game = find_game(name)
    kept: tuple[list[Played], list[Played]] = ([], [])
    net, other = deep_net(game, game.encoding_names[0], hidden, 2), deep_net(game, game.encoding_names[-1], (3, 20), 3)
    for threads, games in zip((1, 2), kept, strict=True):
        match(game, net, other, pairs=3, seed=4, threads=threads, keep=games.extend)
    assert [game.moves for game in kept[0]] == [game.moves for game in kept[1]]


WRONG = [
    ((198, 1), "not a shape of a deep net"),
    ((198, *[2] * LAYERS, 1), "not a shape of a deep net"),
    ((198, 0, 1), "not a shape of a deep net"),
    ((198, 4, 4097, 1), "4097 units; deep nets have up to 4096 in each layer"),
    ((198, 4096, 4096, 4096, 4096, 4096, 1), "a net of more than 67108864 weights"),
    ((198, 4, 3, 2), r"2 outputs; nets of backgammon have 1 \(value\), 5 \(outcomes\)"),
    ((197, 4, 3, 1), "197 inputs, but 'tesauro' of backgammon has 198"),
    ((198, 4, 3, 1), "0 weights do not fit the shape 198-4-3-1"),
]


@pytest.mark.parametrize(("shape", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_is_no_deep_net_is_no_player(shape: tuple[int, ...], words: str) -> None:
    version, weights = BACKGAMMON.rules.version, np.empty(0, np.float32)
    net = Net("backgammon", version, "tesauro", shape, weights, kind="deep")
    with pytest.raises(UserError, match=words):
        find_player(BACKGAMMON, net)


def test_a_linear_net_still_has_up_to_four_layers() -> None:
    assert read_layers("1-2-3-4") == (1, 2, 3, 4)
    with pytest.raises(UserError, match="up to 4 numbers"):
        read_layers("1-1-1-1-1")
