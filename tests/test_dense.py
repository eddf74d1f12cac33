"""The dense network: its kernels against the plain formula, and the games' specialised copies against its kernels."""

import math
from typing import Any

import numpy as np
import pytest

from sparring.games.backgammon.nets import five_outputs
from sparring.games.gin import nets as gin
from sparring.games.golf import hand_policies as golf
from sparring.games.golf.encodings import KINDS
from sparring.games.golf.rules import PLACES, VALUES
from sparring.games.hearts.nets import output_sum as hearts_output_sum
from sparring.kernel.dense import (
    DOUBLE,
    SINGLE,
    Dense,
    adam,
    add_hidden_gradient,
    add_hidden_slopes,
    add_output_gradient,
    add_rows,
    corrected_rate,
    corrected_rate_in_kernel,
    first_layer_of_ones,
    forward,
    hidden_slopes,
    net_size,
    one_output,
    output_bias,
    output_row,
    output_sum,
    slope,
)
from sparring.kernel.launch import Player
from sparring.kernel.network import net_value, outputs
from sparring.kernel.records import records
from sparring.nets.dense import size
from sparring.nets.evaluators import reference_sums

RANDOM = np.random.default_rng(5)
INPUTS, HIDDEN, OUTPUTS = 9, 6, 3
INDEX, VALUE = np.array([0, 2, 7]), np.array([1.0, -0.5, 2.0], np.float32)


def made(inputs: int = INPUTS, hidden: int = HIDDEN, outputs: int = OUTPUTS, offset: int = 4) -> tuple[Any, np.ndarray]:
    """A player and weights, of which its own begin at `offset`."""
    player = np.zeros(1, Player)
    for name, number in (("offset", offset), ("inputs", inputs), ("hidden", hidden), ("outputs", outputs)):
        player[name] = number
    weights = RANDOM.normal(0, 0.5, offset + size((inputs, hidden, outputs))).astype(np.float32)
    return records(player)[0], weights


def run(player: Any, weights: np.ndarray, input_major: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Hidden units and outputs for INDEX and VALUE, by the library."""
    hidden, out = np.zeros(player["hidden"], np.float32), np.zeros(player["outputs"], np.float32)
    forward(player, weights, input_major, INDEX, VALUE, len(INDEX), hidden, out)
    return hidden, out


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("input_major", [True, False])
def test_the_forward_pass_is_the_plain_formula(input_major: bool) -> None:
    player, weights = made()
    own = weights[4:].astype(float)
    first = own[: INPUTS * HIDDEN]
    rest = own[INPUTS * HIDDEN :]
    tensors = {
        "hidden.weight": first.reshape(INPUTS, HIDDEN).T if input_major else first.reshape(HIDDEN, INPUTS),
        "hidden.bias": rest[:HIDDEN],
        "output.weight": rest[HIDDEN:-OUTPUTS].reshape(OUTPUTS, HIDDEN),
        "output.bias": rest[-OUTPUTS:],
    }
    dense = np.zeros((1, INPUTS))
    dense[0, INDEX] = VALUE
    hidden, sums = reference_sums(tensors, dense)
    found, out = run(player, weights, input_major)
    np.testing.assert_allclose(found, hidden[0], atol=1e-6)
    np.testing.assert_allclose(out, sigmoid(sums[0]), atol=1e-6)


def test_all_ways_to_a_value_agree_to_the_last_digit() -> None:
    player, weights = made(outputs=1)
    hidden, out = run(player, weights)
    sums = np.zeros(HIDDEN + 1, np.float32)
    assert net_value(player, weights, INDEX, VALUE, len(INDEX), sums) == out[0]
    ones = np.ones(len(INDEX), np.float32)
    forward(player, weights, True, INDEX, ones, len(INDEX), hidden, out)
    net = Dense(4, INPUTS, HIDDEN, 1)
    first_layer_of_ones(net, weights, INDEX, len(INDEX), sums, 0)
    before = sums.copy()
    assert one_output(net, weights, sums, 0) == out[0]
    outputs(player, weights, before, 0, True)
    assert before[HIDDEN] == out[0]


def test_the_gradient_is_how_an_output_changes_with_each_weight() -> None:
    player, weights = made()
    hidden, out = run(player, weights)
    assert net_size(player) == len(weights) - 4
    for k in range(OUTPUTS):
        found, slopes = np.zeros(net_size(player), np.float32), np.zeros(HIDDEN, np.float32)
        add_hidden_slopes(player, weights, k, slope(out[k]), hidden, slopes)
        add_output_gradient(found, 0, player, slope(out[k]), k, hidden)
        add_hidden_gradient(found, 0, player, True, INDEX, VALUE, len(INDEX), slopes)
        for at in range(len(found)):
            nudged = [weights.copy(), weights.copy()]
            nudged[0][4 + at] -= 0.01
            nudged[1][4 + at] += 0.01
            change = (run(player, nudged[1])[1][k] - run(player, nudged[0])[1][k]) / 0.02
            assert found[at] == pytest.approx(change, abs=2e-4), (k, at)


def test_slopes_of_all_outputs_are_the_sum_of_those_of_each() -> None:
    player, weights = made()
    hidden, _ = run(player, weights)
    factors = np.array([0.5, -1.0, 2.0], np.float32)
    together, added = np.zeros(HIDDEN, np.float32), np.zeros(HIDDEN, np.float32)
    hidden_slopes(player, weights, factors, hidden, together)
    for k in range(OUTPUTS):
        add_hidden_slopes(player, weights, k, factors[k], hidden, added)
    np.testing.assert_allclose(together, added, rtol=1e-5)


@pytest.mark.parametrize(("precision", "kind"), [(SINGLE, np.float32), (DOUBLE, np.float64)])
def test_adam_is_the_rule_of_its_paper(precision: Any, kind: type) -> None:
    mean, square, weight = np.zeros(1, kind), np.zeros(1, kind), 1.0
    m = v = 0.0
    expected = 1.0
    for steps, change in enumerate([0.5, -0.25, 1.0], 1):
        weight = adam(kind(weight), kind(change), mean, square, 0, kind(corrected_rate(0.1, steps)), precision)
        m, v = 0.9 * m + 0.1 * change, 0.999 * v + 0.001 * change**2
        expected += 0.1 * (m / (1 - 0.9**steps)) / (math.sqrt(v / (1 - 0.999**steps)))
        assert weight == pytest.approx(expected, rel=1e-4)
        assert corrected_rate_in_kernel(0.1, steps) == pytest.approx(corrected_rate(0.1, steps), rel=1e-12)


def test_running_means_too_small_to_matter_become_0_in_single_precision_alone() -> None:
    for precision, kind, kept in ((SINGLE, np.float32, False), (DOUBLE, np.float64, True)):
        mean, square = np.full(1, 1e-21, kind), np.full(1, 1e-21, kind)
        adam(kind(1), kind(0), mean, square, 0, kind(0.1), precision)
        assert (mean[0] > 0, square[0] > 0) == (kept, kept)


# Specialised copies.


def test_backgammon_s_five_outputs_are_the_library_s() -> None:
    player, weights = made(198, 12, 5)
    hidden = RANDOM.random(12).astype(np.float32)
    won, gammon, backgammon, lost, lost_all = (
        sigmoid(float(output_sum(player, weights, k, hidden, 0))) for k in range(5)
    )
    value = (2 * won - 1 + gammon + backgammon - lost - lost_all) / 3
    found = five_outputs(weights, output_row(player, 0), hidden, 0, 12)
    assert found == pytest.approx(value, abs=1e-6)


def test_hearts_output_is_the_library_s() -> None:
    player, weights = made(52, 11, 1)
    scratch = RANDOM.normal(0, 1, 22).astype(np.float32)
    sums = scratch[:11].copy()
    found = hearts_output_sum(weights, output_row(player, 0), scratch, 0, 11, 11)
    assert (scratch[:11] == sums).all(), "the sums are kept"
    assert sigmoid(float(found)) == pytest.approx(one_output(player, weights, sums, 0), abs=1e-6)


def test_gin_s_candidates_are_the_library_s() -> None:
    units, count = 7, 33
    player, weights = made(208, units, 1)
    scratch = RANDOM.normal(0, 1, gin.float_scratch(units)).astype(np.float32)
    rows = gin.unknown_rows(player)
    sums = (
        scratch[gin.SUMS : gin.SUMS + units, None]
        + scratch[rows : rows + units * gin.WIDTH].reshape(units, -1)[:, :count]
    )
    values = np.full(count, weights[output_bias(player, 0)])
    add_rows(weights, output_row(player, 0), units, count, sums.flatten(), 0, values, 0)
    gin.row_values(player, weights, scratch, rows, gin.WIDTH, gin.SUMS, 1, count)
    np.testing.assert_allclose(scratch[gin.VALUES : gin.VALUES + count], values, atol=1e-6)
    alone = [one_output(player, weights, np.ascontiguousarray(column), 0) for column in sums.T]
    np.testing.assert_allclose(sigmoid(values.astype(float)), alone, atol=1e-6)


def test_golf_s_cached_hands_are_the_library_s() -> None:
    units, hand = 5, [3, 0, KINDS - 1, 7, 7, 12]
    player, weights = made(PLACES * KINDS, units, 1, offset=0)
    inputs = np.arange(PLACES) * KINDS + hand
    scratch, cached = np.zeros(golf.float_scratch(units), np.float32), np.zeros(golf.CACHED, np.float32)
    places = golf.compute_values(player, weights, scratch[golf.FLOAT_SCRATCH :], cached, inputs)
    hidden, out, ones = np.zeros(units, np.float32), np.zeros(1, np.float32), np.ones(PLACES, np.float32)

    def value(place: int, kind: int) -> float:
        index = inputs.copy()
        index[place] = place * KINDS + kind
        forward(player, weights, False, index, ones, PLACES, hidden, out)
        return float(out[0])

    assert sigmoid(float(cached[VALUES])) == pytest.approx(value(0, hand[0]), abs=1e-6)
    for kind in range(VALUES):
        found = [value(place, kind) for place in range(PLACES)]
        assert sigmoid(float(cached[kind])) == pytest.approx(max(found), abs=1e-6)
        best = places >> golf.BITS * kind & golf.PLACE_BITS
        assert found[best] == pytest.approx(max(found), abs=1e-6)


def test_golf_s_cached_hands_on_a_gpu_are_those_of_a_core() -> None:
    player, weights = made(PLACES * KINDS, 5, 1, offset=4)
    for _ in range(20):
        inputs = np.arange(PLACES) * KINDS + RANDOM.integers(0, KINDS, PLACES)
        size = golf.float_scratch(5)
        here, there, cached = np.zeros(size, np.float32), np.zeros(size, np.float32), np.zeros(golf.CACHED, np.float32)
        places = golf.compute_values(player, weights, here, cached, inputs)
        assert golf.compute_in_subwarp(player, weights, there, 0, inputs) == places
        np.testing.assert_allclose(there[: golf.CACHED], cached, atol=1e-6)
