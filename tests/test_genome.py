"""Genomes as networks: the same values as neat-python's, kernels as the plain formula, bad genomes refused in one line."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sparring.errors import UserError
from sparring.kernel.compiler import INTERPRETED
from sparring.kernel.network import ACTIVATIONS
from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population
from sparring.nets.genome import (
    AGGREGATIONS,
    Genome,
    Genomes,
    Link,
    Node,
    all_values,
    check,
    express_all,
    express_one,
    network_size,
)

GENERATIONS = 5 if INTERPRETED else 40
VARIED = NeatOptions(
    pop_size=20 if INTERPRETED else 60,
    activation_default="random",
    activation_options=ACTIVATIONS,
    activation_mutate_rate=0.2,
    aggregation_default="random",
    aggregation_options=AGGREGATIONS,
    aggregation_mutate_rate=0.2,
    response_init_stdev=0.3,
    response_mutate_rate=0.5,
    response_mutate_power=0.1,
    response_min_value=-2.0,
    response_max_value=2.0,
    weight_init_stdev=0.3,
    weight_mutate_power=0.1,
    weight_max_value=1.0,
    weight_min_value=-1.0,
    bias_init_stdev=0.3,
    bias_max_value=1.0,
    bias_min_value=-1.0,
    initial_connection="partial_direct 0.6",
    num_hidden=2,
    node_add_prob=0.5,
    conn_add_prob=0.6,
    node_delete_prob=0.2,
    conn_delete_prob=0.2,
    compatibility_threshold=6.0,
)


def evolved(
    options: NeatOptions = VARIED, inputs: int = 4, outputs: int = 2, generations: int = GENERATIONS
) -> Population:
    """A population after some generations of fitness that means nothing."""
    population = Population(options, inputs, outputs, 5)
    dice = np.random.default_rng(5)
    for _ in range(generations):
        population.fitness = dice.normal(size=population.size)
        population.reproduce()
    return population


@pytest.fixture(scope="module")
def population() -> Population:
    return evolved()


def genome_of(inputs: int, outputs: int, nodes: list[tuple[Any, ...]], links: list[tuple[Any, ...]]) -> Genome:
    return Genome(inputs, outputs, np.array(nodes, Node), np.array(links, Link))


# A hidden node of each input, an output of both.
SMALL = genome_of(
    2,
    1,
    [(0, 0.5, 1.0, 0, 0), (5, -0.25, 1.0, 1, 0), (7, 0.125, 2.0, 9, 1)],
    [(-2, 7, 1, 1, 0.5), (-1, 5, 2, 1, -1.5), (-1, 7, 3, 1, 0.25), (5, 0, 4, 1, 0.75), (7, 0, 5, 1, -0.5)],
)


# Networks


def test_values_by_hand() -> None:
    x, y = 0.8, -0.6
    five = np.tanh(2.5 * (-0.25 - 1.5 * x))
    seven = 0.125 + 2.0 * (0.5 * y + 0.25 * x) / 2
    expected = 1 / (1 + np.exp(-5 * (0.5 + 0.75 * five - 0.5 * seven)))
    assert SMALL.values(np.array([x, y])) == pytest.approx([expected], abs=1e-7)


def test_networks_of_every_activation_agree_with_neat_python(population: Population) -> None:
    neat = pytest.importorskip("neat")
    from neat_oracle import back, config

    settings = config(VARIED, 4, 2)
    dice, seen = np.random.default_rng(1), set()
    for row in range(population.size):
        genome = population.genome(row)
        seen |= set(genome.nodes["activation"].tolist())
        network = neat.nn.FeedForwardNetwork.create(back(genome), settings)
        for inputs in dice.normal(size=(4, 4)):
            expected = np.array(network.activate(inputs.tolist()))
            assert genome.values(inputs) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert INTERPRETED or len(seen) == len(ACTIVATIONS)


def test_kernels_give_the_values_of_the_plain_formula(population: Population) -> None:
    """Single precision: where an activation such as log or inv is steep, rounding shows."""
    cases = np.random.default_rng(2).normal(size=(8, 4))
    ours = all_values(population.genomes, 4, 2, cases)
    plain = np.array([[population.genome(g).values(case) for case in cases] for g in range(population.size)])
    near = np.isclose(ours, plain, rtol=1e-3, atol=1e-3)
    assert near.mean() > 0.98, near.mean()


def test_smooth_networks_agree_closely() -> None:
    options = replace(VARIED, activation_options=("sigmoid", "tanh", "sin", "clamped", "hat"))
    population = evolved(options)
    cases = np.random.default_rng(2).normal(size=(8, 4))
    plain = np.array([[population.genome(g).values(case) for case in cases] for g in range(population.size)])
    assert all_values(population.genomes, 4, 2, cases) == pytest.approx(plain, abs=2e-4)


def test_units_are_what_outputs_need_in_an_order_in_which_they_can_be_computed(population: Population) -> None:
    _, units, _ = express_all(population.genomes, 4, 2, True)
    for g in range(population.size):
        genome = population.genome(g)
        links = [(int(x["source"]), int(x["target"])) for x in genome.links if x["enabled"]]
        needed = {0, 1}
        while more := {a for a, b in links if b in needed and a >= 0} - needed:
            needed |= more
        assert units[g] == len(needed)
        weights, count = express_one(genome, False)
        among = weights[4 * count + count : 4 * count + count + count**2].reshape(count, count)
        assert count == len(needed) and (np.triu(among) == 0).all()
        assert len(weights) == network_size(4, 2, count)


def test_columns_are_rows_turned_round(population: Population) -> None:
    for g in range(5):
        rows, units = express_one(population.genome(g), False)
        columns, _ = express_one(population.genome(g), True)
        first = 4 * units
        assert (columns[:first].reshape(4, units) == rows[:first].reshape(units, 4).T).all()
        assert (rows[first:] == columns[first:]).all()


def test_the_layout_of_a_small_network() -> None:
    weights, units = express_one(SMALL, False)
    # Units in order: node 5, node 7 (its response of 2 and the mean of two make a factor of 1), output 0.
    assert units == 3
    assert weights.tolist() == [
        *(-1.5, 0.0), *(0.25, 0.5), *(0.0, 0.0),
        *(-0.25, 0.125, 0.5),
        *(0, 0, 0), *(0, 0, 0), *(0.75, -0.5, 0),
        *(1, 9, 0),
        2,
    ]  # fmt: skip


def test_disabled_connections_and_what_only_they_need_are_left_out() -> None:
    links = SMALL.links.copy()
    links["enabled"][3] = 0  # 5 -> 0
    weights, units = express_one(replace(SMALL, links=links), False)
    assert units == 2 and weights[-1] == 1
    assert replace(SMALL, links=links).enabled == 4 and SMALL.hidden == 2


def test_a_hidden_node_that_nothing_leads_into_is_a_constant() -> None:
    constant = genome_of(1, 1, [(0, 0.0, 1.0, 9, 0), (1, 0.5, 1.0, 9, 0)], [(1, 0, 1, 1, 3.0)])
    assert constant.values(np.zeros(1)) == pytest.approx([1.5])
    assert all_values(many(constant), 1, 1, np.zeros((1, 1)))[0, 0, 0] == 1.5


def many(genome: Genome) -> Genomes:
    return Genomes(genome.nodes[None], genome.links[None], np.array([len(genome.nodes)]), np.array([len(genome.links)]))


def test_a_genome_without_connections_gives_its_biases() -> None:
    bare = genome_of(3, 2, [(0, 0.25, 1.0, 9, 1), (1, -2.0, 1.0, 9, 0)], [])
    assert all_values(many(bare), 3, 2, np.ones((1, 3)))[0, 0].tolist() == [0.25, -2.0]


def test_threads_change_nothing() -> None:
    population = evolved(NeatOptions(pop_size=20 if INTERPRETED else 400), 40, 4, 2)
    for one, two in zip(*(express_all(population.genomes, 40, 4, True, t) for t in (1, 2)), strict=True):
        assert (one == two).all()


# Bad genomes


def test_evolved_genomes_pass(population: Population) -> None:
    check(SMALL, "small")
    for g in range(population.size):
        check(population.genome(g), "net")


def link(place: int, **values: float) -> Callable[[np.ndarray, np.ndarray], None]:
    def change(nodes: np.ndarray, links: np.ndarray) -> None:
        for name, value in values.items():
            links[name][place] = value

    return change


def node(place: int, **values: float) -> Callable[[np.ndarray, np.ndarray], None]:
    def change(nodes: np.ndarray, links: np.ndarray) -> None:
        for name, value in values.items():
            nodes[name][place] = value

    return change


BAD = {
    "connection 5 -> 9: there is no node 9": link(3, target=9),
    "connection 3 -> 0: there is no node 3": link(3, source=3),
    "connection -3 -> 7: there is no input -3; inputs are -1 to -2": link(0, source=-3),
    "connection 5 -> -1: an input has no incoming connections": link(3, target=-1),
    "connection -1 -> 5 is listed twice": link(2, target=5),
    "output 0: there is no such node": node(0, key=1),
    "node 5 is listed twice": node(2, key=5),
    "nodes are not sorted by key": node(1, key=9),
    "connections are not sorted by source and target": link(1, source=-2, target=5),
    "connections 5 -> 7 -> 5 form a cycle": lambda nodes, links: (link(3, target=7)(nodes, links), link(4, target=5)(nodes, links)),
    "connections 7 -> 7 form a cycle": link(4, target=7),
    "connection 5 -> 0: its weight is not a number": link(3, weight=np.nan),
    "node 7: its bias is not a number": node(2, bias=np.inf),
    "node 7: its response is not a number": node(2, response=np.nan),
    "node 5: unknown activation 18; must be from 0 to 17": node(1, activation=18),
    "node 5: unknown activation -1; must be from 0 to 17": node(1, activation=-1),
    "node 7: unknown aggregation 2; must be from 0 to 1": node(2, aggregation=2),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_a_bad_genome_gets_one_line(message: str) -> None:
    nodes, links = SMALL.nodes.copy(), SMALL.links.copy()
    BAD[message](nodes, links)
    with pytest.raises(UserError) as error:
        check(replace(SMALL, nodes=nodes, links=links), "net.safetensors")
    assert str(error.value) == f"net.safetensors: {message}"
