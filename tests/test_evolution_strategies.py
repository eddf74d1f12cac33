"""Evolution strategies: both methods find optima, whose deals are played and what counts, stopping, and that it really learns."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import build_experiment
from sparring.learn.es_methods import Cma, Simple, centred_ranks
from sparring.learn.evolution_strategies import EvolutionStrategies, EvolutionStrategiesTraining
from sparring.nets.dense import gaussian

GOLF, BACKGAMMON = find_game("golf"), find_game("backgammon")
HYPER = find_game("backgammon:start=hypergammon")  # three checkers each: short games
SMALL = {"hidden": 3, "generations": 6, "population": 6, "pairs": 2, "benchmark_pairs": 0}
METHODS = ("cma", "simple")


def training(game=HYPER, trials=1, seed=1, threads=None, **options):
    small = SMALL | ({"encoding": "shares"} if game.family == "backgammon" else {})
    return EvolutionStrategiesTraining(game, EvolutionStrategies(**small | options), seed, trials, threads)


def finished(*args, **options):
    run = training(*args, **options)
    while run.step < run.steps:
        run.advance()
    return run


# The methods alone.


def searched(method, value, generations):
    """The mean after a search for the greatest value of its candidates."""
    for _ in range(generations):
        method.tell(np.array([value(candidate) for candidate in method.ask()]))
    return method.mean


def simple(count=10, population=20, deviation=0.1, seed=1, rate=0.1, momentum=0.9, decay=0.0):
    given = {"population": population, "deviation": deviation, "rate": rate, "momentum": momentum, "decay": decay}
    return Simple(np.zeros(count), seed, EvolutionStrategies(**given))


def cma(population, seed=1):
    return Cma(np.zeros(10), seed, EvolutionStrategies(population=population, deviation=0.3))


TARGET = np.linspace(-1, 1, 10)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_finds_the_top_of_a_hill(name, seed):
    method = cma(10, seed) if name == "cma" else simple(seed=seed)
    found = searched(method, lambda x: -((x - TARGET) ** 2).sum(), 200)
    assert np.abs(found - TARGET).max() < (1e-4 if name == "cma" else 0.1)


def test_cma_finds_the_top_of_a_ridge_that_lies_aslant_by_learning_its_direction():
    """The hill is ten thousand times as steep across the ridge as along it; one deviation for all weights creeps there."""
    slant = np.linalg.qr(np.array([gaussian(10, 1, k) for k in range(10)]).astype(float))[0]
    steep = np.logspace(0, 4, 10)

    def value(x):
        return -(steep * (slant @ (x - TARGET)) ** 2).sum()

    assert np.abs(searched(cma(12), value, 500) - TARGET).max() < 1e-3
    assert np.abs(searched(simple(), value, 500) - TARGET).max() > 0.1


def test_ranks_go_from_minus_a_half_to_a_half_and_equals_share_theirs():
    np.testing.assert_allclose(centred_ranks(np.array([7.0, -1.0, 900.0])), [0, -0.5, 0.5])
    np.testing.assert_allclose(centred_ranks(np.array([5.0, 1.0, 5.0, 5.0, 9.0])), [0, -0.5, 0, 0, 0.5])
    np.testing.assert_array_equal(centred_ranks(np.zeros(6)), np.zeros(6))


def test_half_of_the_simple_candidates_are_the_mirror_image_of_the_others_with_noise_as_stated_and_always_new():
    method = simple(count=2000, population=20, deviation=0.2)
    method.mean += 3
    first = method.ask() - method.mean
    np.testing.assert_allclose(first[:10], -first[10:], atol=1e-12)
    assert abs(first.std() - 0.2) < 0.005
    method.tell(np.zeros(20))
    noise = np.concatenate([first[:10], method.ask()[:10] - method.mean])
    assert np.abs(np.corrcoef(noise) - np.eye(20)).max() < 0.15


def test_the_simple_mean_moves_by_rate_momentum_and_decay_as_the_formula_has_it():
    method = simple(count=4, population=4, deviation=0.5, rate=0.2, momentum=0.7, decay=0.1)
    method.mean = before = np.array([1.0, -2.0, 0.5, 0.0])
    velocity = np.zeros(4)
    for fitness, ranks in (([3, 1, 2, 9], [1 / 6, -0.5, -1 / 6, 0.5]), ([8, 4, 0, 6], [0.5, -1 / 6, -0.5, 1 / 6])):
        noise = (method.ask() - before) / 0.5
        gradient = sum(rank * each for rank, each in zip(ranks, noise, strict=True)) / (4 * 0.5)
        velocity = 0.7 * velocity + 0.3 * gradient
        before = 0.9 * before + 0.2 * velocity
        method.tell(np.array(fitness, float))
        np.testing.assert_allclose(method.mean, before, atol=1e-7)


def test_candidates_that_are_all_as_good_do_not_move_the_simple_mean():
    method = simple()
    method.ask()
    method.tell(np.full(20, 5.0))
    assert not method.mean.any()


# Whom candidates meet, on which deals, and what counts.


class Told:
    """A launcher that plays nothing: each seat scores what is told of its net's weights, or 0 if it is a built-in player."""

    def __init__(self, game, value):
        self.game, self.value, self.jobs, self.weights = game, value, [], []

    def play(self, jobs, table, weights, threads=None):
        nets = weights.reshape(-1, table["offset"][1])
        told = np.zeros(len(table))
        told[: len(nets)] = [self.value(net) for net in nets]
        tallies = np.zeros(len(jobs), self.game.rules.tally)
        tallies["score"][:, :2] = told[jobs["player"][:, :2]]
        self.jobs.append(jobs.copy())
        self.weights.append(nets.copy())
        return tallies, None


def told(game, value, *args, **options):
    game = replace(game)
    game.__dict__["launcher"] = Told(game, value)
    return training(game, *args, **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", [GOLF, BACKGAMMON], ids=["low wins", "high wins"])
def test_the_mean_moves_to_where_its_games_are_won(game, method):
    """Scores are told by the squared distance of the weights from 1: in golf the fewer the better."""
    sign = 1 if game.rules.lower_is_better else -1
    options = {"hidden": 1, "generations": 200, "population": 20, "rate": 0.2, "method": method}
    run = told(game, lambda net: sign * 100 * ((net - 1) ** 2).sum(), opponents=("random",), **options)
    far = ((run.nets[0] - 1) ** 2).mean()
    while run.step < run.steps:
        run.advance()
    assert ((run.champions()[0].weights - 1) ** 2).mean() < 0.1 * far


@pytest.mark.parametrize(
    ("game", "by", "expected"),
    [
        (BACKGAMMON, "score", [1, -2, 0, 3, 0, -1]),
        (GOLF, "score", [-1, 2, 0, -3, 0, 1]),
        (BACKGAMMON, "wins", [1, 0, 0, 1, 0, 0]),
        (GOLF, "wins", [0, 1, 0, 0, 0, 1]),
    ],
    ids=lambda value: getattr(value, "family", None),
)
def test_fitness_is_the_lead_in_score_or_the_share_of_games_won_and_draws_are_no_wins(game, by, expected):
    run = told(game, lambda net: 0, by=by, opponents=("random",))
    scores = iter([0, 1, -2, 0, 3, 0, -1] * 2)  # the mean's, then the candidates'
    run.game.launcher.value = lambda net: next(scores)
    seen = []
    run.methods[0].tell = seen.append
    run.advance()
    np.testing.assert_allclose(seen[0], expected)


def test_fitness_is_the_mean_over_all_opponents():
    run = told(BACKGAMMON, lambda net: 0, opponents=("mean", "random", "random"))
    scores = iter([6, 9, 0, 0, 0, 0, 0])
    run.game.launcher.value = lambda net: next(scores)
    seen = []
    run.methods[0].tell = seen.append
    run.advance()
    np.testing.assert_allclose(seen[0], [(3 + 9 + 9) / 3, *[-6 / 3] * 5])


def met(count, **options):
    run = told(BACKGAMMON, lambda net: 0, trials=2, opponents=("mean", "random", "pubeval"), **options)
    for _ in range(count):
        assert run.advance() == 2 * 6 * 3 * 4
    return run, run.game.launcher.jobs


def test_every_candidate_meets_every_opponent_in_both_seats_on_the_same_deals_with_the_same_luck():
    run, (jobs,) = met(1)
    fixed = {run.others["random"], run.others["pubeval"]}
    for trial in range(2):
        games = []
        for row in range(2 + 6 * trial, 8 + 6 * trial):
            mine = jobs[(jobs["player"][:, :2] == row).any(axis=1)]
            others = mine["player"][:, :2].sum(axis=1) - row
            assert set(others.tolist()) == {trial} | fixed
            games.append(sorted(zip(others, *(mine[key] for key in ("seed", "deal", "luck")), strict=True)))
            assert Counter(mine["player"][:, 0] == row) == {True: 6, False: 6}
            assert set(Counter(mine[["seed", "deal"]].tolist()).values()) == {2}
        assert all(each == games[0] for each in games)


def test_no_deal_and_no_luck_is_met_again_in_another_generation_trial_or_with_another_opponent():
    _, generations = met(3)
    deals, luck = Counter(), Counter()
    for jobs in generations:
        deals.update({*jobs[["seed", "deal"]].tolist()})
        luck.update({*jobs[["seed", "luck"]].tolist()})
    assert len(deals) == 3 * 2 * 3 * 2 and len(luck) == 2 * len(deals)
    assert set(deals.values()) == set(luck.values()) == {1}


@pytest.mark.parametrize("method", METHODS)
def test_the_opponent_named_mean_and_the_champion_are_the_mean_of_the_search(method):
    run = told(BACKGAMMON, lambda net: net.sum(), method=method)
    for _ in range(3):
        mean = run.methods[0].mean.astype(np.float32)
        run.advance()
        nets = run.game.launcher.weights[-1]
        np.testing.assert_array_equal(nets[0], mean)
        assert (nets[1:] != mean).mean() > 0.99
        np.testing.assert_array_equal(run.champions()[0].weights, run.methods[0].mean.astype(np.float32))
    assert run.auxiliary_nets() == []


def test_first_weights_have_the_stated_deviation_and_candidates_theirs_around_them():
    run = told(GOLF, lambda net: 0, hidden=8, start=0.5, deviation=0.2)
    assert abs(run.nets[0].std() - 0.5) < 0.05
    run.advance()
    nets = run.game.launcher.weights[0]
    assert abs((nets[1:] - nets[0]).std() - 0.2) < 0.01


# Curves.


@pytest.mark.parametrize("method", METHODS)
def test_a_point_of_the_curves_tells_of_the_candidates_of_its_generation_and_of_the_mean_after_it(method):
    run = training(method=method, curve_every=4, benchmark_pairs=3, deviation=0.2, trials=2)
    fitness, judge = [], run._fitness
    run._fitness = lambda tallies: fitness.append(judge(tallies)) or fitness[-1]
    games = []
    while run.step < run.steps:
        games.append(run.advance())
    assert games == [2 * 24] * 3 + [2 * 24 + 2 * 6] + [2 * 24] + [2 * 24 + 2 * 6]
    generations, curves = run.curves()
    assert generations.tolist() == [4, 6]
    np.testing.assert_array_equal(curves["candidates.mean.fitness"].T, [fitness[i].mean(axis=1) for i in (3, 5)])
    np.testing.assert_array_equal(curves["candidates.best.fitness"].T, [fitness[i].max(axis=1) for i in (3, 5)])
    assert np.abs(curves["candidates.deviation"] - 0.2).max() < 0.05
    assert curves["benchmark.player.won"].shape == (2, 2)
    assert run.headline() == f"won {curves['benchmark.player.won'][:, -1].mean():.1%}"
    assert {name for _, lines in run.panels() for name in lines.values()} <= set(curves)


# The same whatever happens.


def same(one, other):
    assert one.arrays().keys() == other.arrays().keys()
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])
    for net, again in zip(one.champions(), other.champions(), strict=True):
        np.testing.assert_array_equal(net.weights, again.weights)


CURVES = {"benchmark_pairs": 2, "curve_every": 4, "opponents": ("mean", "random")}


@pytest.mark.parametrize("method", METHODS)
def test_one_thread_and_two_find_the_same(method):
    one, two = (finished(trials=3, threads=threads, method=method, **CURVES) for threads in (1, 2))
    same(one, two)


@pytest.mark.parametrize("method", METHODS)
def test_a_trial_depends_on_the_seed_and_its_number_not_on_how_many_there_are(method):
    few, many = finished(trials=2, method=method), finished(trials=3, method=method)
    np.testing.assert_array_equal(few.nets[:2], many.nets[:2])
    assert not np.array_equal(few.nets[0], few.nets[1])
    assert not np.array_equal(few.nets[:2], finished(trials=2, seed=2, method=method).nets[:2])


@pytest.mark.parametrize("stop", [0, 3, 6])
@pytest.mark.parametrize("method", METHODS)
def test_a_restored_training_goes_on_as_if_never_stopped(method, stop):
    whole, first, second = (training(trials=2, method=method, **CURVES) for _ in range(3))
    while whole.step < whole.steps:
        whole.advance()
    for _ in range(stop):
        first.advance()
    second.restore(first.step, {name: array.copy() for name, array in first.arrays().items()})
    same(first, second)
    while second.step < second.steps:
        second.advance()
    same(whole, second)


def test_a_search_that_does_not_come_out_again_as_it_was_is_refused():
    first, second = training(), training()
    for _ in range(3):
        first.advance()
    arrays = {name: array.copy() for name, array in first.arrays().items()}
    arrays["search/fitness"] *= -1
    second.restore(3, arrays)
    with pytest.raises(UserError, match="do not repeat the generations before the stop") as error:
        second.advance()
    assert "\n" not in str(error.value)


# It learns.


@pytest.mark.parametrize("method", METHODS)
def test_a_short_search_learns_golf_from_nothing_but_its_own_mean(method):
    """20 generations of 20 candidates and six games each; random wins half of its games and scores about 280."""
    run = training(
        GOLF, trials=2, method=method, encoding="hand", hidden=2, generations=20, population=20, pairs=3, deviation=0.2
    )
    before = run.champions()
    while run.step < run.steps:
        run.advance()
    for first, last in zip(before, run.champions(), strict=True):
        untrained, trained = (match(GOLF, net, "random", pairs=50, seed=9).players[0].score for net in (first, last))
        assert trained.high < 180 < untrained.low
        assert match(GOLF, last, first, pairs=50, seed=9).players[0].win_rate.low > 0.8


def test_nets_have_as_many_outputs_as_their_policy_reads():
    conquest = find_game("conquest")
    assert training(conquest, policy="net").champions()[0].shape == (36, 3, 4)
    value = training(conquest, policy="net+value").champions()[0]
    assert value.shape == (36, 3, 1) and value.policy == "net+value"


# What is refused.


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"encoding": "raw"}, "learner.encoding = 'raw': golf has hand, state, state-hand"),
        ({"policy": "random"}, "learner.policy = 'random': must be one of net"),
        ({"method": "cmaes"}, "learner.method = 'cmaes': must be one of cma, simple"),
        ({"by": "luck"}, "learner.by = 'luck': must be one of score, wins"),
        ({"opponents": []}, "learner.opponents = []: must name someone to meet, such as mean or random"),
        ({"opponents": ["mean", "greedy"]}, "learner.opponents: must be a built-in player: unknown player 'greedy'"),
        ({"opponents": "mean"}, "learner.opponents = 'mean': must be a list of texts"),
        ({"benchmark": "mean"}, "learner.benchmark: must be a built-in player: unknown player 'mean'"),
        ({"population": 7, "method": "simple"}, "learner.population = 7: must be even for method = 'simple'"),
        ({"population": 3}, "learner.population = 3: must be from 4 to"),
        ({"population": 471}, "learner.population = 471: must be at most 470 for cma with 461 weights"),
        ({"hidden": 22}, "learner.method = 'cma': is for up to 2000 weights, and this net has 2025; take fewer"),
        ({"hidden": 22}, "or method = 'simple'"),
        ({"start": 0, "method": "simple"}, "learner.start = 0: must be more than 0 for method = 'simple'"),
        ({"deviation": 0}, "learner.deviation = 0.0: must be from 1e-06 to 1000"),
        ({"momentum": 1.0}, "learner.momentum = 1.0: must be from 0 to 0.999"),
        ({"pairs": 0}, "learner.pairs = 0: must be from 1 to"),
        ({"generations": 0}, "learner.generations = 0: must be from 1 to"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_bad_option_gets_one_line_that_says_what_would_be_right(options, words):
    with pytest.raises(UserError) as error:
        build_experiment({"game": "golf", "learner": {"name": "evolution-strategies", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)


def test_what_is_too_much_for_cma_is_not_for_the_simple_method():
    for options in ({"population": 472}, {"hidden": 22}):
        build_experiment({"game": "golf", "learner": {"name": "evolution-strategies", "method": "simple", **options}})


def test_around_weights_of_0_a_net_and_its_mirror_image_choose_alike():
    """Why the simple method is refused there: in every game the two score the same."""
    net = training(GOLF, start=0.3).champions()[0]
    turned, other = (replace(net, weights=weights) for weights in (-net.weights, net.weights[::-1].copy()))
    scores = [match(GOLF, each, "greedier", pairs=20, seed=3).players[0].score.value for each in (net, turned, other)]
    assert scores[0] == scores[1] != scores[2]
