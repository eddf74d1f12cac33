"""Coevolution: what each rule does, that trials are independent, and that a short training really learns."""

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.arena.statistics import mean_interval
from sparring.errors import UserError
from sparring.games import find_game
from sparring.kernel.backend import IN_USE, Backend, Evolution
from sparring.kernel.launch import Launcher
from sparring.learn.coevolution import CHANGES, Coevolution, CoevolutionTraining, _by_margin, _by_wins

GOLF = find_game("golf")


def training(trials: int = 1, seed: int = 1, threads: int | None = None, **options: object) -> CoevolutionTraining:
    return CoevolutionTraining(GOLF, Coevolution(**options), seed, trials, threads)  # type: ignore[arg-type]


def finished(*args: object, **options: object) -> CoevolutionTraining:
    run = training(*args, **options)  # type: ignore[arg-type]
    while run.step < run.steps:
        run.advance()
    return run


@pytest.mark.parametrize(
    ("lead", "expected"),
    [
        (0.0, (1, "mutated")),
        (15.0, (1, "mutated")),
        (-15.0, (1, "mutated")),
        (15.1, (1, "moved")),
        (-15.1, (0, "moved")),
        (30.0, (1, "moved")),
        (30.1, (1, "replaced")),
        (-30.1, (0, "replaced")),
    ],
)
def test_the_final_rule_changes_the_worse_by_how_much_worse_it_is(lead, expected):
    assert _by_margin(lead, 15.0) == expected


@pytest.mark.parametrize(
    ("rule", "player", "opponent", "games", "expected"),
    [
        ("original", 2, 2, 4, (0, "moved")),
        ("original", 3, 1, 4, (0, "")),
        ("original", 2, 1, 4, (0, "moved")),
        ("five-of-six", 4, 2, 6, (0, "moved")),
        ("five-of-six", 5, 1, 6, (0, "")),
        ("symmetric", 6, 4, 10, (1, "")),
        ("symmetric", 7, 3, 10, (1, "moved")),
        ("symmetric", 8, 2, 10, (1, "moved")),
        ("symmetric", 9, 1, 10, (1, "replaced")),
        ("symmetric", 3, 7, 10, (0, "moved")),
        ("symmetric", 0, 10, 10, (0, "replaced")),
    ],
)
def test_the_rules_by_wins(rule, player, opponent, games, expected):
    assert _by_wins(rule, player, opponent, games) == expected


@pytest.mark.parametrize(
    ("points", "by", "moves"),
    [
        ([(0, 9), (0, 9), (0, 9), (9, 0)], "wins", True),
        ([(0, 9), (0, 9), (9, 0), (9, 0)], "wins", False),
        ([(0, 9), (0, 9), (5, 5), (5, 5)], "wins", False),  # a draw is nobody's
        ([(0, 9), (0, 9), (0, 9), (99, 0)], "wins", True),
        ([(0, 9), (0, 9), (0, 9), (99, 0)], "score", False),
        ([(0, 90), (0, 0), (10, 0), (10, 0)], "score", True),
        ([(0, 0), (0, 0), (0, 0), (0, 0)], "score", False),  # nobody has won a point
    ],
)
def test_a_challenger_moves_the_player_if_it_wins_three_of_four_games_or_three_quarters_of_the_points(
    points, by, moves
):
    run = CoevolutionTraining(find_game("gin"), Coevolution(rule="challenger", by=by, hidden=3), 1, 1)
    player, opponent = run.nets.copy()
    run._update(np.array([points], float))
    share = 0.05 if moves else 0.0
    np.testing.assert_allclose(run.nets[0], player + share * (opponent - player), atol=1e-6)
    assert (
        abs((run.nets[1] - opponent).std() - 0.1) < 0.02
    )  # the challenger is mutated whatever happens, and never set back


def test_an_opponent_that_is_reset_is_a_mutated_copy_of_the_player_as_it_has_become():
    options = Coevolution(rule="challenger", opponent="reset", start=3.0, hidden=3)
    run = CoevolutionTraining(find_game("gin"), options, 1, 1)
    run._update(np.array([[(0, 9), (0, 9), (0, 9), (9, 0)]], float))
    noise = run.nets[1] - run.nets[0]
    assert abs(noise.std() - 0.1) < 0.02
    assert run.changes.tolist() == [[1, 1, 0]]


def test_what_a_challenger_must_win_can_change_on_the_way():
    run = training(rule="challenger", wins="3/4, 5/6@2", epochs=4, benchmark_pairs=0)
    assert [run.advance() for _ in range(4)] == [4, 4, 6, 6]
    with pytest.raises(UserError, match="learner.wins = '3': '3' is not like 3/4"):
        training(rule="challenger", wins="3")


def test_snapshots_are_the_players_after_equal_parts_of_the_training():
    run, seen = training(trials=2, epochs=6, snapshots=3, benchmark_pairs=0), {}
    while run.step < run.steps:
        run.advance()
        seen[run.step] = run.nets[:2].copy()
    for trial in range(2):
        np.testing.assert_array_equal(
            [net.weights for net in run.snapshots(trial)], [seen[n][trial] for n in (2, 4, 6)]
        )


@pytest.mark.parametrize(
    ("rule", "games"), [("challenger", 4), ("original", 4), ("five-of-six", 6), ("symmetric", 10), ("score", 10)]
)
def test_each_rule_plays_its_number_of_games_and_ten_more_against_random(rule, games):
    assert training(trials=3, rule=rule).advance() == 3 * (games + 10)


def test_a_move_goes_five_percent_of_the_way():
    run = training()
    player, opponent = run.nets.copy()
    run._change(0, 0, "moved")
    np.testing.assert_allclose(run.nets[0], 0.95 * player + 0.05 * opponent, atol=1e-7)
    np.testing.assert_array_equal(run.nets[1], opponent)


def test_a_mutation_adds_noise_of_the_stated_deviation_to_every_weight():
    run = training()
    opponent = run.nets[1].copy()
    run._change(0, 1, "mutated")
    noise = run.nets[1] - opponent
    assert (noise != 0).mean() > 0.999
    assert abs(noise.std() - 0.1) < 0.005
    assert abs(noise.mean()) < 0.008


def test_a_replacement_is_a_mutated_copy_of_the_better():
    run = training()
    player = run.nets[0].copy()
    run._change(0, 1, "replaced")
    assert abs((run.nets[1] - player).std() - 0.1) < 0.005
    np.testing.assert_array_equal(run.nets[0], player)


def test_under_the_original_rule_the_opponent_is_mutated_every_epoch():
    run = finished(trials=2, rule="original", epochs=6)
    assert (run.changes[:, CHANGES.index("mutated")] == 6).all()


def test_under_the_symmetric_rule_nobody_is_mutated_on_its_own():
    run = finished(trials=2, rule="symmetric", epochs=10)
    assert (run.changes[:, CHANGES.index("mutated")] == 0).all()


def test_under_the_final_rule_every_epoch_changes_exactly_one_net():
    assert (finished(trials=2, epochs=10).changes.sum(axis=1) == 10).all()


def test_start_weights_have_the_stated_deviation():
    assert abs(training(trials=4, start=0.3).nets.std() - 0.3) < 0.005


def test_a_trial_depends_on_the_seed_and_its_number_not_on_how_many_there_are():
    few, many = finished(trials=2, epochs=5), finished(trials=4, epochs=5)
    np.testing.assert_array_equal(few.nets[:2], many.nets[:2])
    np.testing.assert_array_equal(few.nets[2:], many.nets[4:6])
    assert not np.array_equal(few.nets[0], few.nets[1])


def test_another_seed_gives_another_player():
    assert not np.array_equal(finished(epochs=2, seed=1).nets, finished(epochs=2, seed=2).nets)


def test_one_thread_and_two_give_the_same_nets_and_curves():
    one, two = finished(trials=2, epochs=6, threads=1), finished(trials=2, epochs=6, threads=2)
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, two.arrays()[name])


def test_a_restored_training_goes_on_as_if_never_stopped():
    whole = finished(trials=2, epochs=13)
    first = training(trials=2, epochs=13)
    for _ in range(7):
        first.advance()
    second = training(trials=2, epochs=13)
    second.restore(first.step, {name: array.copy() for name, array in first.arrays().items()})
    while second.step < second.steps:
        second.advance()
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(array, second.arrays()[name])


def test_curves_average_their_epochs_and_the_last_point_may_be_shorter():
    run = finished(epochs=13, curve_every=5)
    epochs, curves = run.curves()
    assert epochs.tolist() == [5, 10, 13]
    assert 200 < curves["benchmark.opponent.score"][0, -1] < 340
    ended = curves["benchmark.player.rounds_ended"] + curves["benchmark.opponent.rounds_ended"]
    np.testing.assert_allclose(ended + curves["benchmark.player.stalemates"], 1)
    np.testing.assert_allclose(curves["training.player.cards"].sum(axis=-1), 1)


def test_a_short_training_really_learns():
    """Every champion is judged on fresh deals beside the net it started from."""
    run = training(trials=10, epochs=80)
    before = [match(GOLF, net, "random", pairs=100, seed=99).players[0].score.value for net in run.champions()]
    while run.step < run.steps:
        run.advance()
    after = [match(GOLF, net, "random", pairs=100, seed=99).players[0].score.value for net in run.champions()]
    gain = mean_interval(np.array(before) - np.array(after))
    assert gain.low > 20, gain


@pytest.mark.parametrize(
    ("options", "message"),
    [({"encoding": "hands"}, "learner.encoding = 'hands'"), ({"benchmark": "randm"}, "did you mean 'random'")],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(UserError, match=message):
        training(**options)


class Stub(Backend):
    """A GPU that plays nothing, but is asked for epochs."""

    name, capabilities = "stub", frozenset({"evolve"})

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[int, int]] = []

    def evolve(self, launcher: Launcher, work: Evolution) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append((work.first, work.epochs))
        trials = len(work.nets) // 2
        tallies = np.zeros((trials, work.epochs, 2 * sum(work.pairs)), launcher.tally)
        return tallies, np.zeros((trials, 3), np.int64)


def test_epochs_at_once_stop_at_points_of_curves_at_snapshots_and_where_a_pause_is_due() -> None:
    options = Coevolution(epochs=25, curve_every=10, snapshots=2, benchmark_pairs=0)
    training, stub = CoevolutionTraining(find_game("golf"), options, 1, 2), Stub()
    token = IN_USE.set(stub)
    try:
        training.pause = 4
        assert training.advance() == 2 * 4 * 10
        training.pause = 0
        while training.step < training.steps:
            training.advance()
    finally:
        IN_USE.reset(token)
    assert stub.asked == [(0, 4), (4, 6), (10, 3), (13, 7), (20, 5)]
    assert training.curves()[0].tolist() == [10, 20, 25]
