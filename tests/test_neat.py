"""NEAT as a learner: whom genomes meet, what is recorded, when it ends, options and files, and that it really learns."""

from pathlib import Path

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import build_experiment, read_experiment
from sparring.learn.neat.population import Extinct
from sparring.learn.neat.task import Neat, fitness_of
from sparring.learn.neat.training import NeatTraining

GOLF, HYPER = find_game("golf"), find_game("backgammon:start=hypergammon")
SMALL = {
    "pop_size": 10,
    "generations": 4,
    "games": 1,
    "fitness": "lead",
    "opponents": ("member",),
    "benchmark_pairs": 1,
}


def training(game=HYPER, trials=1, seed=1, threads=None, **options):
    return NeatTraining(game, Neat(**SMALL | options), seed, trials, threads)


def finished(*args, **options):
    run = training(*args, **options)
    while run.step < run.steps:
        run.advance()
    return run


def seated(run, monkeypatch):
    """The jobs of a generation, as the launcher gets them: the training's, then the benchmark's."""
    batches = []
    play = type(run.game.launcher).play

    def spy(self, jobs, *rest, **more):
        batches.append(jobs.copy())
        return play(self, jobs, *rest, **more)

    monkeypatch.setattr(type(run.game.launcher), "play", spy)
    run.advance()
    monkeypatch.undo()
    return batches


# Whom a genome meets.


def test_self_play_is_one_game_a_deal_with_the_genome_in_both_seats(monkeypatch):
    jobs = seated(training(opponents=("self",), games=3), monkeypatch)[0]
    assert len(jobs) == 30
    assert (jobs["player"][:, 0] == jobs["player"][:, 1]).all()
    assert jobs["deal"].reshape(10, 3).tolist() == [[0, 1, 2]] * 10  # every genome plays the same deals


def test_deals_are_new_in_every_generation_or_the_same_in_all(monkeypatch):
    for deals, first in (("generation", 3), ("run", 0)):
        run = training(opponents=("random",), games=3, deals=deals)
        run.advance()
        assert seated(run, monkeypatch)[0]["deal"].min() == first


def test_a_member_is_never_met_by_itself_and_seats_are_exchanged(monkeypatch):
    jobs = seated(training(games=2), monkeypatch)[0]
    assert len(jobs) == 10 * 2 * 2
    assert (jobs["player"][:, 0] != jobs["player"][:, 1]).all()
    assert jobs["player"][:20, 0].tolist() == jobs["player"][20:, 1].tolist()


@pytest.mark.parametrize(("seating", "seat"), [("first", 0), ("second", 1)])
def test_a_genome_sits_on_one_side_if_asked(seating, seat, monkeypatch):
    jobs, benchmark = seated(training(opponents=("random",), seating=seating), monkeypatch)
    assert jobs["player"][:, seat].tolist() == list(range(10))
    assert len({*jobs["player"][:, 1 - seat].tolist()}) == 1
    assert len(benchmark) == 1 and benchmark["player"][0, seat] in range(10)


def test_other_species_are_met_where_there_are_any(monkeypatch):
    run = training(pop_size=30, opponents=("other-species",), compatibility_threshold=1.2)
    species = run.populations[0][0].species
    assert len(set(species.tolist())) > 1
    jobs = seated(run, monkeypatch)[0]
    assert (species[jobs["player"][:30, 0]] != species[jobs["player"][:30, 1]]).all()


def test_last_best_is_the_generation_before_and_a_member_at_first(monkeypatch):
    run = training(opponents=("last-best",), seating="first")
    assert seated(run, monkeypatch)[0]["player"][:, 1].max() < 10
    best = run.halls[0][0][-1]
    jobs = seated(run, monkeypatch)[0]
    assert set(jobs["player"][:, 1].tolist()) == {11}  # after ten genomes and the benchmark
    assert best.nodes.tolist() == run.halls[0][0][-2].nodes.tolist()


def test_the_hall_of_fame_keeps_the_last_ones_and_all_are_met(monkeypatch):
    run = training(pop_size=40, opponents=("hall-of-fame",), generations=6, hall=3, seating="first")
    for _ in range(4):
        run.advance()
    assert len(run.halls[0][0]) == 3
    assert set(seated(run, monkeypatch)[0]["player"][:, 1].tolist()) == {41, 42, 43}


def test_two_populations_meet_member_by_member_and_the_surplus_meets_someone(monkeypatch):
    run = training(opponents=("rivals",), exact_size=False, pop_size=12, generations=7, compatibility_threshold=1.0)
    sizes = set()
    for _ in range(6):
        blue, red = (population.size for population in run.populations[0])
        jobs = seated(run, monkeypatch)[0]
        assert len(jobs) == max(blue, red)
        assert set(jobs["player"][:, 0].tolist()) == set(range(blue))
        assert set(jobs["player"][:, 1].tolist()) == set(range(blue, blue + red))
        sizes.add(blue - red)
    assert any(sizes), "populations of different size are what the surplus is for"


def test_two_populations_have_fitness_of_their_own():
    run = training(opponents=("rivals",), fitness="won", games=4)
    run.advance()
    told = run.curves()[1]
    assert told["population.mean.fitness"][0, 0] + told["rivals.mean.fitness"][0, 0] == pytest.approx(1)
    assert len(run.champions()) == len(run.auxiliary_nets()) == 1


@pytest.mark.parametrize("matching", ["order", "random"])
def test_populations_are_matched_in_order_or_at_random(matching, monkeypatch):
    jobs = seated(training(opponents=("rivals",), matching=matching), monkeypatch)[0]
    in_order = jobs["player"][:, 1].tolist() == list(range(10, 20))
    assert in_order == (matching == "order")


# What is recorded and handed over.


def test_every_generation_records_what_was_reached():
    run = finished(trials=2)
    steps, curves = run.curves()
    assert steps.tolist() == [1, 2, 3, 4]
    for measure in ("fitness", "score", "turns_per_game"):
        lines = [curves[f"population.{word}.{measure}"] for word in ("lowest", "mean", "highest")]
        assert (lines[0] <= lines[1]).all() and (lines[1] <= lines[2]).all()
    assert (curves["population.best.fitness"] == curves["population.highest.fitness"]).all()
    assert (curves["population.worst.fitness"] == curves["population.lowest.fitness"]).all()
    assert (curves["population.species"] >= 1).all() and (curves["population.mean.connections"] > 0).all()
    assert curves["benchmark.player.won"].shape == (2, 4)
    assert {name for _, lines in run.panels() for name in lines.values()} <= set(curves)


def test_the_best_ever_or_the_last_best_is_handed_over():
    ever, last = (finished(generations=8, champion=champion) for champion in ("ever", "last"))
    fitness = ever.curves()[1]["population.best.fitness"][0]
    assert ever.best[0][0].fitness == fitness.max() and last.best[0][0].fitness == fitness[-1]
    assert ever.best[0][0].generation == int(fitness.argmax())
    assert "fitness" in ever.champions()[0].ancestry[1]


def test_a_trial_ends_when_it_is_good_enough_and_others_go_on():
    bars = [
        finished(trials=3, fitness="won", no_fitness_termination=False, fitness_threshold=bar) for bar in (0.0, 2.0)
    ]
    assert bars[0].solved.tolist() == [0, 0, 0] and bars[1].solved.tolist() == [-1, -1, -1]
    fitness = bars[0].curves()[1]["population.best.fitness"]
    assert (fitness == fitness[:, :1]).all()


def test_a_population_that_dies_out_begins_anew_or_ends_with_one_line():
    stagnant = {"fitness": "won", "opponents": ("self",), "max_stagnation": 1, "generations": 6}
    anew = finished(**stagnant)
    assert anew.populations[0][0].ids.min() > 10
    with pytest.raises(Extinct, match="all species have died out") as caught:
        finished(reset_on_extinction=False, **stagnant)
    assert "\n" not in str(caught.value)


def test_threads_and_other_trials_change_nothing():
    few, many = finished(trials=1, threads=1), finished(trials=3, threads=2)
    for name, values in few.curves()[1].items():
        np.testing.assert_array_equal(values, many.curves()[1][name][:1])
    assert few.champions()[0].weights.tolist() == many.champions()[0].weights.tolist()


def test_fitness_is_more_for_fewer_points_where_the_fewest_win():
    tallies = np.zeros(2, GOLF.rules.tally)
    tallies["score"][:, :2] = [[100, 150], [120, 120]]
    assert fitness_of(GOLF, "score", tallies)[:, 0].tolist() == [-100, -120]
    assert fitness_of(GOLF, "lead", tallies)[0].tolist() == [50, -50]
    assert fitness_of(GOLF, "won", tallies)[:, 0].tolist() == [1, 0.5]
    assert fitness_of(GOLF, "lower-score", tallies)[:, 0].tolist() == [440, 420]


# It learns.


def test_a_short_training_learns_golf_by_playing_itself():
    """Eight generations of twenty; random scores 280."""
    run = finished(GOLF, trials=2, pop_size=20, generations=8, games=6, opponents=("self",), fitness="lower-score")
    for net in run.champions():
        assert match(GOLF, net, "random", pairs=40, seed=9).players[0].score.high < 200


# Options.

BAD = [
    ({"opponents": ()}, "learner.opponents = []: must name someone to meet"),
    ({"opponents": ("rivals", "random")}, "name rivals and nobody else"),
    ({"opponents": ("randm",)}, "did you mean 'random'?"),
    ({"fitness": "tiles"}, "learner.fitness = 'tiles': must be one of score, lead, won"),
    ({"policy": "random"}, "learner.policy = 'random'"),
    ({"encoding": "hand"}, "learner.encoding = 'hand'"),
    ({"num_inputs": 36}, "learner.num_inputs = 36: must be 198"),
    ({"num_outputs": 4}, "learner.num_outputs = 4: must be 1"),
    ({"bias_min_value": 2.0, "bias_max_value": 1.0}, "bias_min_value"),
    ({"elitism": 20}, "elitism"),
]


@pytest.mark.parametrize(("options", "words"), BAD, ids=[words for _, words in BAD])
def test_a_bad_option_gets_one_line_that_says_what_would_be_right(options, words):
    with pytest.raises(UserError) as caught:
        training(**{"encoding": "tesauro"} | options)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_configuration_file_gives_the_options_and_keys_beside_it_come_first(tmp_path: Path, capsys):
    (tmp_path / "neat.cfg").write_text(
        "[NEAT]\npop_size = 17\n[DefaultGenome]\nnum_inputs = 90\ncon_delete_prob = 0.25\n"
    )
    file = tmp_path / "x.toml"
    file.write_text('game = "golf"\n[learner]\nname = "neat"\nconfig = "neat.cfg"\nconn_add_prob = 0.125\n')
    options = read_experiment(file).options
    assert (options.pop_size, options.conn_delete_prob, options.conn_add_prob) == (17, 0.25, 0.125)
    assert options.config == ""  # all of it is written out, so the file is needed no more
    assert "conn_delete_prob" in capsys.readouterr().err


def test_a_wrong_configuration_file_is_named(tmp_path: Path):
    table = {"game": "golf", "learner": {"name": "neat", "config": "none.cfg"}}
    with pytest.raises(UserError, match=r"none\.cfg: no such file"):
        build_experiment(table, folder=tmp_path)
