"""Hill-climbing: who is accepted and what then changes, whose dice are played, and that it really climbs; imitation."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from sparring.arena.match import match
from sparring.arena.players import find_player, pack_players
from sparring.errors import UserError
from sparring.games import find_game
from sparring.kernel.random import derive
from sparring.lab.experiment import build_experiment
from sparring.lab.run import create_run, open_run, train
from sparring.learn.hill_climbing import WINDOW, HillClimbing, HillClimbingTraining, read_layers
from sparring.learn.imitation import agreement, examples, imitate
from sparring.learn.option_checks import read_wins

GAME = find_game("backgammon")
STUDY = {
    "encoding": "shares-mirrored",
    "layers": "2-1-2",
    "policy": "net+by-checker",
    "change": "one",
    "deviation": 0.05,
    "least": 0.05,
    "wins": "51/100",
    "deals": "own",
    "move": 1.0,
    "benchmark_pairs": 0,
}
SMALL = {"encoding": "raw", "hidden": 3, "challenges": 12, "benchmark_pairs": 0}


def training(trials=1, seed=1, threads=None, game=GAME, **options):
    return HillClimbingTraining(game, HillClimbing(**SMALL | options), seed, trials, threads)


def finished(*args, **options):
    run = training(*args, **options)
    while run.step < run.steps:
        run.advance()
    return run


class Told:
    """A launcher that plays nothing: each trial's challenger wins as many of its games as it is told, and draws the rest."""

    def __init__(self, wins, trials=1):
        self.wins, self.trials, self.jobs = wins, trials, []

    def play(self, jobs, table, weights, threads=None):
        self.jobs.append(jobs.copy())
        tallies = np.zeros(len(jobs), GAME.rules.tally)
        for trial in range(self.trials):
            challenger = jobs["player"][:, :2] == self.trials + trial
            for game in np.flatnonzero(challenger.any(axis=1))[: self.wins[trial]]:
                seat = int(np.argmax(challenger[game]))
                tallies["score"][game, [seat, 1 - seat]] = 1, -1
        return tallies, None


def told(*wins, **options):
    """A training whose challengers win as told, whatever they play."""
    game = replace(GAME)
    game.__dict__["launcher"] = Told(list(wins), len(wins))
    return training(trials=len(wins), game=game, start=0.3, **options)


# Who is accepted.


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("3/4", [(0, 3, 4)]),
        ("51/100", [(0, 51, 100)]),
        ("3/4,5/6@10000,7/8@70000", [(0, 3, 4), (10000, 5, 6), (70000, 7, 8)]),
        (" 3/4 , 5/6 @ 10 ", [(0, 3, 4), (10, 5, 6)]),
    ],
)
def test_wins_say_how_many_of_how_many_and_from_which_challenge_on(text, rules):
    assert read_wins(text) == rules


@pytest.mark.parametrize(("wins", "accepted"), [(0, 0), (2, 0), (3, 1), (4, 1)])
def test_a_challenger_is_accepted_who_wins_as_many_games_as_it_must_and_draws_are_no_wins(wins, accepted):
    run = told(wins, wins="3/4")
    champion = run.nets[0].copy()
    assert run.advance() == 4
    assert run.accepted.tolist() == [accepted]
    assert np.array_equal(run.nets[0], champion) == (not accepted)


def test_each_trial_is_judged_by_its_own_games():
    run = told(4, 0, 3, wins="3/4")
    before = run.nets.copy()
    run.advance()
    assert run.accepted.tolist() == [1, 0, 1]
    assert [np.array_equal(run.nets[t], before[t]) for t in range(3)] == [False, True, False]


def test_more_wins_of_more_games_are_asked_for_from_the_challenges_named():
    run = told(5, wins="3/4,6/8@2,5/6@5")
    games, accepted = [], []
    for _ in range(7):
        games.append(run.advance())
        accepted.append(int(run.accepted[0]))
    assert games == [4, 4, 8, 8, 8, 6, 6]
    assert np.diff([0, *accepted]).tolist() == [1, 1, 0, 0, 0, 1, 1]


def test_the_bar_is_raised_for_a_trial_whose_challengers_win_often_and_for_no_other():
    run = told(4, 0, wins="3/4,5/6", raise_at=0.15, challenges=3 * WINDOW)
    for _ in range(WINDOW):
        assert run.advance() == 8
    assert run.accepted.tolist() == [WINDOW, 0]
    for _ in range(WINDOW + 1):
        assert run.advance() == 6 + 4
    assert run.accepted.tolist() == [WINDOW, 0]  # four wins are no longer enough


def test_the_bar_stays_where_it_is_if_just_the_share_named_is_won():
    run = told(0, wins="3/4,5/6", raise_at=0.15, challenges=3 * WINDOW)
    for challenge in range(2 * WINDOW + 1):
        run.game.launcher.wins[0] = 4 if challenge % WINDOW < 150 + (challenge >= WINDOW) else 0
        assert run.advance() == (6 if challenge == 2 * WINDOW else 4)


# What changes.


def test_a_challenger_that_replaces_the_champion_is_the_champion_bit_for_bit():
    run = told(4, move=1.0)
    expected = run.nets[0] + run._change(0, 0)
    run.advance()
    np.testing.assert_array_equal(run.nets[0], expected)
    assert np.abs(run._change(0, 0)).max() > 0


def test_the_champion_moves_five_percent_of_the_way():
    run = told(4, move=0.05)
    champion, change = run.nets[0].copy(), run._change(0, 0)
    run.advance()
    np.testing.assert_allclose(run.nets[0] - champion, 0.05 * change, atol=1e-7)


def test_noise_on_all_weights_has_the_stated_deviation_and_is_new_for_every_challenge():
    run = training(hidden=40, deviation=0.2)
    noise = np.array([run._change(0, n) for n in range(20)])
    assert (noise != 0).mean() > 0.999
    assert abs(noise.std() - 0.2) < 0.005 and abs(noise.mean()) < 0.005
    assert abs(np.corrcoef(noise[0], noise[1])[0, 1]) < 0.15


def test_a_step_of_one_weight_is_of_any_weight_any_length_allowed_and_either_way():
    run = training(change="one", deviation=0.05, least=0.02, layers="2-1-2", encoding="shares")
    count = run.nets.shape[1]
    steps = np.array([run._change(0, n) for n in range(100 * count)])
    assert ((steps != 0).sum(axis=1) == 1).all()
    which, lengths = np.argmax(steps != 0, axis=1), steps.sum(axis=1)
    assert chisquare(np.bincount(which, minlength=count)).pvalue > 1e-4
    assert chisquare([(lengths > 0).sum(), (lengths < 0).sum()]).pvalue > 1e-4
    assert np.abs(lengths).min() >= np.float32(0.02) and np.abs(lengths).max() <= np.float32(0.05)
    assert kstest((np.abs(lengths) - 0.02) / 0.03, "uniform").pvalue > 1e-4
    assert abs(np.corrcoef(which, lengths)[0, 1]) < 0.05


def test_a_step_has_one_length_where_the_shortest_is_the_longest():
    run = training(**STUDY | {"challenges": 9})
    assert {float(abs(run._change(0, n)).max()) for n in range(50)} == {float(np.float32(0.05))}


# Whose dice.


def challenges(count, **options):
    run = told(0, 0, wins="3/4,4/6@3", **options)
    for _ in range(count):
        run.advance()
    return run.game.launcher.jobs


def test_each_deal_is_played_twice_with_seats_exchanged_and_never_again():
    seen = Counter()
    for jobs in challenges(6):
        for trial in range(2):
            mine = jobs[(jobs["player"][:, :2] % 2 == trial).all(axis=1)]
            first, second = mine[::2], mine[1::2]
            np.testing.assert_array_equal(first["deal"], second["deal"])
            np.testing.assert_array_equal(first["player"][:, :2], second["player"][:, 1::-1])
            assert set(map(tuple, mine["player"][:, :2].tolist())) == {(trial, 2 + trial), (2 + trial, trial)}
            seen.update(mine[["seed", "deal"]].tolist())
    assert set(seen.values()) == {2}
    assert len(seen) == 2 * (3 * 2 + 3 * 3)


def test_with_deals_of_their_own_no_two_games_have_the_same_dice_but_seats_are_exchanged_as_often():
    jobs = np.concatenate(challenges(6, deals="own"))
    assert len(set(jobs[["seed", "deal"]].tolist())) == len(jobs)
    assert (jobs["player"][:, 0] < 2).mean() == 0.5


@pytest.mark.parametrize("deals", ["paired", "own"])
def test_no_two_games_have_the_same_luck(deals):
    jobs = np.concatenate(challenges(6, deals=deals))
    assert len(set(jobs[["seed", "luck"]].tolist())) == len(jobs)


def test_over_the_same_deals_nets_that_choose_alike_win_half_each_so_layers_of_zeros_stay_zeros():
    run = finished(**STUDY | {"deals": "paired", "challenges": 5})
    assert run.accepted.tolist() == [0] and not run.nets[0].any()
    assert finished(**STUDY | {"challenges": 10}).nets[0].any()


# The same whatever happens.


def same(one, other):
    assert one.arrays().keys() == other.arrays().keys()
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])


CURVES = {"benchmarks": ("random", "simple"), "benchmark_pairs": 2, "curve_every": 5, "wins": "3/4,4/6@6"}


def test_one_thread_and_two_climb_the_same():
    same(finished(trials=2, threads=1, **CURVES), finished(trials=2, threads=2, **CURVES))


def test_a_trial_depends_on_the_seed_and_its_number_not_on_how_many_there_are():
    few, many = finished(trials=2, start=0.1), finished(trials=3, start=0.1)
    np.testing.assert_array_equal(few.nets[:2], many.nets[:2])
    assert not np.array_equal(few.nets[0], few.nets[1])
    assert not np.array_equal(few.nets, finished(trials=2, start=0.1, seed=2).nets)


def test_a_restored_training_goes_on_as_if_never_stopped():
    whole, first, second = (training(trials=2, **CURVES) for _ in range(3))
    while whole.step < whole.steps:
        whole.advance()
    for _ in range(7):
        first.advance()
    second.restore(first.step, {name: array.copy() for name, array in first.arrays().items()})
    while second.step < second.steps:
        second.advance()
    same(whole, second)
    challenges, curves = whole.curves()
    assert challenges.tolist() == [5, 10, 12]
    assert {name.split(".")[0] for name in curves} == {"random", "simple"}
    np.testing.assert_array_equal(whole.snapshot(1, 5).weights, whole.history[1, 0])
    np.testing.assert_array_equal(whole.champions()[1].weights, whole.history[1, -1])


def test_a_run_is_judged_in_the_manner_its_nets_choose(tmp_path):
    table = {"game": "backgammon", "name": "x", "learner": {"name": "hill-climbing", **STUDY, "challenges": 30}}
    run = create_run(build_experiment(table | {"evaluation": {"pairs": 20, "selection_pairs": 1}}), tmp_path)
    train(run)
    champion = open_run(run.folder).champions()[0]
    assert champion.policy == champion.net.policy == "net+by-checker"
    again = match(GAME, champion, "random", pairs=20, seed=derive(1, "report")).players[0]
    otherwise = match(GAME, replace(champion, policy="net"), "random", pairs=20, seed=derive(1, "report")).players[0]
    found = run.evaluation()["trials"][0]["matches"][0]["players"][0]
    assert (found["wins"], found["score"]) == (again.wins, again.score.json())
    assert (again.wins, again.score.value) != (otherwise.wins, otherwise.score.value)


# It climbs.


def test_the_studys_setting_climbs_from_zeros_within_200_challenges():
    """Zeros always move the checker nearest home, and win half their games against random."""
    run = training(trials=3, **STUDY | {"challenges": 200})
    assert match(GAME, run.champions()[0], "random", pairs=100, seed=9).players[0].win_rate.high < 0.62
    while run.step < run.steps:
        run.advance()
    won = [match(GAME, net, "random", pairs=100, seed=9).players[0].win_rate for net in run.champions()]
    assert np.mean([rate.value for rate in won]) > 0.65
    assert min(rate.low for rate in won) > 0.5


# Imitation.


def agreeing(net, seed):
    """How often a net chooses as simple did, over examples of that seed."""
    states, wanted = examples(GAME, "simple", seed)
    return agreement(GAME, states, wanted, *pack_players(GAME, [find_player(GAME, net)])) / len(states)


def test_imitation_makes_a_net_choose_more_often_what_simple_chooses_also_where_it_was_not_taught():
    run = training(**STUDY | {"start": 0.1})
    net, changes = run.champions()[0], (run._change(0, n, "imitation") for n in range(1000))
    taught = replace(net, weights=imitate(GAME, net, "simple", changes, 1))
    assert agreeing(taught, 1) > agreeing(net, 1) + 0.1
    assert agreeing(taught, 2) > agreeing(net, 2) + 0.05


def test_examples_are_choices_of_the_player_and_are_really_choices():
    states, wanted = examples(GAME, "simple", 3)
    table, weights = pack_players(GAME, [find_player(GAME, "simple")])
    assert agreement(GAME, states, wanted, table, weights) == len(states)
    other, _ = pack_players(GAME, [find_player(GAME, "random")])
    assert agreement(GAME, states, wanted, other, weights) < 0.3 * len(states)


def test_a_change_after_which_a_net_agrees_less_is_not_kept():
    run = training(**STUDY | {"start": 0.1})
    reached, net = [], run.champions()[0]
    for count in (0, 30, 60):
        weights = imitate(GAME, net, "simple", (run._change(0, n, "x") for n in range(count)), 1)
        reached.append(agreeing(replace(net, weights=weights), 1))
    assert reached == sorted(reached) and reached[0] < reached[-1]


def test_climbing_begins_with_what_was_imitated():
    run = training(**STUDY | {"start": 0.1, "imitate": "simple", "imitations": 40, "wins": "4/4", "deals": "paired"})
    net, changes = run.champions()[0], [run._change(0, n, "imitation") for n in range(40)]
    expected = imitate(GAME, net, "simple", changes, derive(run.trial_seeds[0], "examples"))
    while not run.accepted[0]:
        np.testing.assert_array_equal(run.nets[0], expected if run.step else net.weights)
        run.advance()
    assert not np.array_equal(expected, net.weights)
    np.testing.assert_allclose(run.nets[0], expected + run._change(0, run.step - 1))


# What is refused.


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"wins": "3"}, "learner.wins = '3': '3' is not like 3/4 or 5/6@10000"),
        ({"wins": "3/4@soon"}, "'3/4@soon' is not like 3/4 or 5/6@10000"),
        ({"wins": "-3/4"}, "'-3/4' is not like"),
        ({"wins": ""}, "'' is not like"),
        ({"wins": "3/5"}, "games must be even and at least the wins"),
        ({"wins": "5/4"}, "games must be even and at least the wins"),
        ({"wins": "0/4"}, "games must be even and at least the wins"),
        ({"wins": "3/4@10"}, "the first must hold from the start"),
        ({"wins": "3/4,5/6@20,7/8@10"}, "later ones from later on"),
        ({"wins": "3/4,5/6"}, "say from which challenge on each holds"),
        ({"wins": 3}, "learner.wins = 3: must be a text"),
        ({"layers": "2-x"}, "learner.layers = '2-x': must be up to 4 numbers from 1 to 16"),
        ({"layers": "2-0-2"}, "must be up to 4 numbers from 1 to 16"),
        ({"layers": "17"}, "must be up to 4 numbers from 1 to 16"),
        ({"layers": "1-1-1-1-1"}, "must be up to 4 numbers from 1 to 16"),
        ({"encoding": "hand"}, "learner.encoding = 'hand': backgammon has tesauro"),
        (
            {"policy": "random"},
            "learner.policy = 'random': must be one of net+by-checker, net+1ply, net+2ply, net+3ply, net",
        ),
        ({"least": 0.1, "deviation": 0.05}, "learner.least = 0.1: must not be more than deviation = 0.05"),
        ({"imitate": "simpel"}, "must be a built-in player: unknown player 'simpel': did you mean 'simple'?"),
        ({"benchmarks": ["nobody"]}, "learner.benchmarks: must be a built-in player: unknown player 'nobody'"),
        ({"benchmarks": "random"}, "learner.benchmarks = 'random': must be a list of texts"),
        ({"move": 1.5}, "learner.move = 1.5: must be from 0 to 1"),
        ({"change": "two"}, "learner.change = 'two': must be one of all, one"),
        ({"deals": "loaded"}, "learner.deals = 'loaded': must be one of paired, own"),
        ({"raise_at": 15}, "learner.raise_at = 15.0: must be from 0 to 1"),
        ({"challenges": 0}, "learner.challenges = 0: must be from 1 to"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_bad_option_gets_one_line_that_says_what_would_be_right(options, words):
    with pytest.raises(UserError) as error:
        build_experiment({"game": "backgammon", "learner": {"name": "hill-climbing", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)


def test_golf_is_not_climbed_by_linear_nets():
    with pytest.raises(UserError, match="learner.layers = '2-1': golf is not played by linear networks"):
        build_experiment({"game": "golf", "learner": {"name": "hill-climbing", "layers": "2-1"}})


def test_layers_are_the_units_of_each():
    assert read_layers("2-1-2") == (2, 1, 2) and read_layers("16") == (16,)
    assert training(layers="4-2-4", encoding="shares").champions()[0].shape == (24, 4, 2, 4)
