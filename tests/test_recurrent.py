"""Recurrent networks: their values over time are neat-python's, cycles need a file that says so, and games refuse them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sparring.errors import UserError
from sparring.games import find_game
from sparring.kernel.compiler import INTERPRETED
from sparring.learn.neat.beginning import possible_links
from sparring.learn.neat.options import NeatOptions
from sparring.learn.neat.population import Population
from sparring.learn.neat.task import Neat, check_task
from sparring.nets.dense import Net
from sparring.nets.evaluators import GraphEvaluator
from sparring.nets.files import load_net, read_tensors, save_net, write_tensors
from sparring.nets.genome import Genome, all_values, check
from sparring.report.drawings import draw

LOOSE = NeatOptions(pop_size=30, feed_forward=False, aggregation_options=("sum", "mean"), aggregation_default="random")
PAPER = replace(LOOSE, recur_only_prob=0.3)


def evolved(options: NeatOptions, generations: int = 12, seed: int = 1) -> Population:
    population = Population(options, 3, 2, seed, threads=1)
    dice = np.random.default_rng(seed)
    for _ in range(generations):
        population.fitness = dice.normal(size=population.size)
        population.reproduce()
    return population


def has_cycle(genome: Genome) -> bool:
    try:
        check(replace(genome, recurrent=False), "net")
    except UserError as error:
        assert "form a cycle" in str(error)
        return True
    return False


@pytest.mark.parametrize("options", [LOOSE, PAPER])
def test_values_over_time_are_neat_pythons(options: NeatOptions) -> None:
    neat = pytest.importorskip("neat")
    from neat_oracle import Evolution, converted

    theirs = Evolution(replace(options, recur_only_prob=0.0), 3, 2, 5)
    theirs.advance(3 if INTERPRETED else 10)
    ours = converted(theirs.genomes, recurrent=True)
    steps = np.random.default_rng(2).normal(size=(12, 3))
    compiled = all_values(ours, 3, 2, steps, 1)
    loops = 0
    for row, genome in enumerate(theirs.genomes):
        network = neat.nn.RecurrentNetwork.create(genome, theirs.config)
        wanted = np.array([network.activate(step) for step in steps.tolist()])
        one = ours.genome(row, 3, 2)
        assert GraphEvaluator(one).values(steps) == pytest.approx(wanted, abs=1e-12)
        assert compiled[row] == pytest.approx(wanted, abs=2e-4)
        loops += has_cycle(one)
    assert loops > len(ours) // 2


def test_initial_genomes_have_neat_pythons_self_connections_or_none() -> None:
    with_hidden = replace(LOOSE, num_hidden=2)
    loops = [tuple(pair) for pair in possible_links(with_hidden, 3, 2).tolist() if pair[0] == pair[1]]
    assert loops == [(0, 0), (1, 1), (2, 2), (3, 3)]
    for options in (replace(with_hidden, recur_only_prob=0.2), replace(with_hidden, feed_forward=True)):
        assert len(possible_links(options, 3, 2)) == len(possible_links(with_hidden, 3, 2)) - 4


def test_only_the_wanted_share_of_new_connections_closes_cycles() -> None:
    growing = NeatOptions(pop_size=200, feed_forward=False, node_add_prob=0.2, conn_add_prob=0.5, conn_delete_prob=0.0)
    never, often = (
        evolved(replace(growing, recur_only_prob=share, node_delete_prob=0.0), 6, 3) for share in (1e-9, 0.5)
    )
    assert not any(has_cycle(never.genome(row)) for row in range(never.size))
    assert sum(has_cycle(often.genome(row)) for row in range(often.size)) > often.size // 2
    sources = {int(link["source"]) for row in range(often.size) for link in often.genome(row).links}
    assert sources & {0, 1}, "outputs lead back"


def test_a_population_is_restored_with_its_cycles() -> None:
    population = evolved(PAPER)
    other = Population(PAPER, 3, 2, 1, threads=1)
    other.restore(population.arrays())
    assert other.genomes.recurrent and other.genome(0).recurrent
    steps = np.ones((5, 3))
    assert (all_values(other.genomes, 3, 2, steps, 1) == all_values(population.genomes, 3, 2, steps, 1)).all()


def cyclic(population: Population) -> Genome:
    return next(genome for genome in map(population.genome, range(population.size)) if has_cycle(genome))


def test_files_keep_cycles_only_if_they_say_recurrent(tmp_path: Path) -> None:
    path, genome = tmp_path / "poles.safetensors", cyclic(evolved(PAPER))
    net = Net.evolved("poles", 1, "", genome, False)
    save_net(path, net)
    read = load_net(path)
    assert read.kind == "recurrent" and read.genome is not None and read.genome.recurrent
    assert (read.weights == net.weights).all() and (read.value(np.ones(3)) == net.value(np.ones(3)))
    with pytest.raises(UserError, match="a recurrent net, which remembers; policies of golf have no memory"):
        load_net(path, find_game("golf"))
    assert [out.name for out in draw(path)] == ["poles.svg"] and "connection" in (tmp_path / "poles.svg").read_text()
    tensors, description = read_tensors(path)
    write_tensors(path, tensors, description | {"kind": "graph", "game": "golf", "encoding": "hand"})
    with pytest.raises(UserError):
        load_net(path)
    with pytest.raises(UserError, match="form a cycle"):
        Net.evolved("poles", 1, "", replace(genome, recurrent=False), False)


def test_games_refuse_recurrent_networks() -> None:
    with pytest.raises(UserError, match="learner.feed_forward = False: must be true: a recurrent network remembers"):
        check_task(find_game("golf"), Neat(feed_forward=False))
