"""TD(0) side by side: its gradient, Adam's rule, independence of threads and stops, learning, and what it refuses."""

import numpy as np
import pytest

from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import play_move, start_game
from sparring.kernel.batched_td import correct
from sparring.kernel.dense import corrected_rate
from sparring.kernel.records import records
from sparring.lab.experiment import build_experiment
from sparring.learn.td_batch import TDBatch, TDBatchTraining

GAME = find_game("backgammon")


def training(trials: int = 1, threads: int | None = 1, **options: object) -> TDBatchTraining:
    return TDBatchTraining(GAME, TDBatch(**{"hidden": 3, "benchmark_pairs": 0, **options}), 1, trials, threads)  # type: ignore[arg-type]


def value(weights: np.ndarray, shape: tuple[int, int, int], state: np.ndarray, seat: int) -> float:
    """What a net tells of what a seat sees, in double precision and by the textbook."""
    index, known = np.zeros(198, np.int64), np.zeros(198, np.float32)
    count = GAME.learning.inputs(records(state)[0], seat, 0, index, known)
    dense = np.zeros(198)
    dense[index[:count]] = known[:count]
    inputs, hidden, _ = shape
    first, rest = np.split(weights, [(inputs + 1) * hidden])
    units = 1 / (1 + np.exp(-(dense @ first[:-hidden].reshape(inputs, hidden) + first[-hidden:])))
    return float(1 / (1 + np.exp(-(rest[:hidden] @ units + rest[hidden]))))


def test_a_correction_is_the_gradient_of_the_error_before_the_turn() -> None:
    """One game, two turns: the first sees nothing before it, the second moves the weights along the gradient."""
    learner = training(games=1, turns=4, step_turns=1)
    batch = learner.batches[0]
    learner.advance()
    assert (batch.kept["mean"] == 0).all(), "there was nothing to correct yet"
    weights, state = batch.kept["weights"].astype(float), batch.kept["states"].copy()
    before = 1 - int(state[0]["turn"])
    learner.advance()
    after = 1.0 - value(weights, learner.shape, batch.kept["states"], 1 - before)
    error = after - value(weights, learner.shape, state, before)
    found = batch.kept["mean"] / 0.1
    for k in [0, 5, *np.flatnonzero(found)[::7], 198 * 3, 199 * 3, len(weights) - 1]:
        nudged = weights.copy()
        nudged[k] += 1e-4
        slope = (value(nudged, learner.shape, state, before) - value(weights, learner.shape, state, before)) / 1e-4
        assert found[k] == pytest.approx(error * slope, rel=5e-3, abs=1e-7), k
    assert np.count_nonzero(found) > 20


def test_adam_is_adam() -> None:
    rng, weights = np.random.default_rng(1), np.zeros(5, np.float32)
    mean, square = np.zeros(5), np.zeros(5)
    expected, first, second = np.zeros(5), np.zeros(5), np.zeros(5)
    for count in range(1, 6):
        change = rng.normal(size=5).astype(np.float32)
        correct(weights, change, mean, square, corrected_rate(0.1, count), 4)
        step = change / 4
        first, second = 0.9 * first + 0.1 * step, 0.999 * second + 0.001 * step**2
        expected += 0.1 * (first / (1 - 0.9**count)) / (np.sqrt(second / (1 - 0.999**count)) + 1e-8)
    np.testing.assert_allclose(weights, expected, rtol=1e-4)


def test_every_game_is_lawful_and_a_new_one_follows_the_old() -> None:
    """The states that a batch goes through are those of the net playing the same deals alone."""
    learner = training(games=3, turns=40, step_turns=1, rate=0.0, rate_end=0.0)
    batch = learner.batches[0]
    from sparring.arena.players import Chooser, find_player

    chooser = Chooser(GAME, find_player(GAME, learner.champions()[0]))
    for turn in range(40):
        learner.advance()
        if turn == 9:
            for game in range(3):
                alone = start_game(GAME, int(batch.terms[0]["seed"]), game, game, 2)
                for _ in range(10):
                    play_move(GAME, alone, chooser.choose(alone))
                assert alone[0]["board"].tolist() == batch.kept["states"][game]["board"].tolist()
    assert (batch.kept["deals"] % 3 == np.arange(3)).all()


def test_results_do_not_depend_on_threads() -> None:
    one, two = training(games=40, turns=30, step_turns=10), training(games=40, turns=30, step_turns=10, threads=2)
    for _ in range(3):
        assert one.advance() == two.advance()
    for name, array in one.arrays().items():
        assert array.tobytes() == two.arrays()[name].tobytes(), name


def test_a_short_training_learns() -> None:
    learner = training(games=256, turns=1000, hidden=20, curve_every=5, benchmark_pairs=150, threads=None)
    while learner.step < learner.steps:
        learner.advance()
    won = learner.curves()[1]["benchmark.player.won"][0]
    assert learner.curves()[0].tolist() == [500, 1000]
    assert won[-1] > 0.95


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("golf", {}, "learner.name: td-batch needs two seats, perfect information and input-major networks"),
        ("backgammon", {"outputs": "tricks"}, "learner.outputs = 'tricks': backgammon has value, outcomes"),
        ("backgammon", {"encoding": "hand"}, "learner.encoding = 'hand': backgammon has"),
        ("backgammon", {"games": 0}, "learner.games = 0: must be from 1 to"),
        ("backgammon", {"benchmark": "nobody"}, "learner.benchmark: must be a built-in player"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(game: str, options: dict, words: str) -> None:
    with pytest.raises(UserError) as error:
        build_experiment({"game": game, "learner": {"name": "td-batch", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)
