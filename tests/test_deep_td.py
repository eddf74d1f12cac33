"""TD(0) for deep networks: gradient, Adam, schedule, revival of dead units, independence of threads and stops, the GPU's stages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deep import deep_weights
from sparring.arena.players import find_player
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import play_move, start_game
from sparring.kernel.corrections import Corrections
from sparring.kernel.deep_gradient import blocks_for, correct, gradient, measure, scratch_for, turn_matrices
from sparring.kernel.launch import Player
from sparring.kernel.records import call_kernel
from sparring.kernel.stages import Samples
from sparring.lab.experiment import build_experiment
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining
from sparring.learn.deep_weights import grow, grows_into, he_weights, layers_of, revive
from sparring.nets.files import save_net

GAME = find_game("backgammon")
SMALL = {"layers": "4-3", "games": 8, "turns": 40, "minibatch": 4, "minibatch_end": 4, "step_turns": 10}


def training(trials: int = 1, threads: int | None = 1, **options: object) -> DeepTDTraining:
    return DeepTDTraining(GAME, DeepTDOptions(**{**SMALL, **options}), 1, trials, threads)  # type: ignore[arg-type]


def run_to_end(learner: DeepTDTraining) -> DeepTDTraining:
    while learner.step < learner.steps:
        learner.advance()
    return learner


def hidden_and_sums(
    weights: np.ndarray, shape: tuple[int, ...], rows: np.ndarray
) -> tuple[list[np.ndarray], np.ndarray]:
    """By the textbook: the hidden layers and the sums of the outputs."""
    *hidden, (matrix, biases) = layers_of(weights, shape)
    units = [rows]
    for m, b in hidden:
        units.append(np.maximum(units[-1] @ m + b, 0))
    return units[1:], units[-1] @ matrix + biases


def mean_loss(weights: np.ndarray, shape: tuple[int, ...], samples: Samples) -> float:
    """Cross-entropy, in double precision; samples that do not count are 0."""
    values = 1 / (1 + np.exp(-hidden_and_sums(weights, shape, samples.rows.astype(float))[1]))
    losses = -(samples.targets * np.log(values) + (1 - samples.targets) * np.log(1 - values))
    return float((losses * samples.weights[:, None]).sum() / len(losses))


@pytest.mark.parametrize("size", [7, 70])
def test_the_gradient_is_that_of_the_mean_loss(size: int) -> None:
    shape, rng = (9, 7, 6, 5, 2), np.random.default_rng(size)
    weights, player = deep_weights(shape, 1), np.zeros(1, Player)
    player["inputs"], player["depth"], player["layers"][0, :4] = 9, 4, shape[1:]
    player["hidden"], player["outputs"] = 7, 2
    rows = rng.normal(size=(size, 9)) * (rng.random((size, 9)) < 0.5)
    counted = (rng.random(size) < 0.8).astype(np.float32)
    samples = Samples(rows.astype(np.float32), rng.random((size, 2)).astype(np.float32), counted)
    turned, blocks = np.zeros_like(weights), blocks_for(size, shape)
    call_kernel(turn_matrices, player, weights, turned)
    scratch = scratch_for(shape)
    call_kernel(gradient, 0, len(blocks), 0, size, samples, player, weights, turned, blocks, scratch)
    found, exact = blocks.sum(0), weights.astype(float)
    for k in range(len(weights)):
        nudge = np.zeros(len(weights))
        nudge[k] = 1e-6
        slope = (mean_loss(exact + nudge, shape, samples) - mean_loss(exact - nudge, shape, samples)) / 2e-6
        assert found[k] == pytest.approx(slope, rel=1e-3, abs=1e-6), k
    assert len(blocks) == (2 if size == 70 else 1) and np.count_nonzero(found) > 50
    active = np.concatenate([(layer > 0)[counted > 0].sum(0) for layer in hidden_and_sums(weights, shape, rows)[0]])
    measured = np.zeros(20)
    call_kernel(measure, size, samples, player, weights, measured, scratch)
    *found, loss, count = measured
    assert (
        found == active.tolist()
        and count == counted.sum()
        and loss / size == pytest.approx(mean_loss(exact, shape, samples) / 2, rel=1e-5)
    )


def test_a_correction_is_adam_and_the_average_follows() -> None:
    rng, learner = np.random.default_rng(1), training(average=0.01)
    kept = {name: np.zeros(5, np.float32) for name in ("weights", "average", "mean", "square")}
    weights, average, first, second = (np.zeros(5) for _ in range(4))
    rates, shares = learner.learning[0].schedule([learner.turn(0)._replace(games=4 * 200, rate=0.1)])
    for count in range(1, 201):
        change = rng.normal(size=(3, 5)).astype(np.float32)
        step = change.sum(0)
        correct(change, *kept.values(), rates[count - 1], shares[count - 1])
        first, second = 0.9 * first + 0.1 * step, 0.999 * second + 0.001 * step**2
        weights -= 0.1 * (first / (1 - 0.9**count)) / (np.sqrt(second / (1 - 0.999**count)) + 1e-8)
        average += max(0.01, 1 / count) * (weights - average)
    np.testing.assert_allclose(kept["weights"], weights, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(kept["average"], average, rtol=1e-3, atol=1e-4)


def test_every_game_is_lawful_and_a_new_one_follows_the_old() -> None:
    """The states that the games go through are those of the net playing the same deals alone."""
    from sparring.arena.players import Chooser, find_player

    learner = training(turns=10, rate=0.0, rate_first=0.0, rate_end=0.0)
    chooser, td = Chooser(GAME, find_player(GAME, learner.champions()[0])), learner.learning[0]
    learner.advance()
    for game in range(8):
        alone = start_game(GAME, int(td.terms[0]["seed"]), game, game, 2)
        for _ in range(10):
            play_move(GAME, alone, chooser.choose(alone))
        assert repr(alone[0]) == repr(td.kept["states"][game])
    longer = run_to_end(training(turns=300)).learning[0].kept["deals"]
    assert (longer % 8 == np.arange(8)).all() and (longer >= 8).any()


def test_results_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.kernel.corrections.SMALL", 0)
    options = {"games": 256, "minibatch": 128, "minibatch_end": 128, "layers": "8-8-4", "revive": 10}
    one, two = run_to_end(training(**options)), run_to_end(training(threads=2, **options))
    for name, array in one.arrays().items():
        assert array.tobytes() == two.arrays()[name].tobytes(), name


def test_a_short_training_learns() -> None:
    options = {"layers": "32-16", "games": 256, "turns": 1000, "minibatch": 32, "minibatch_end": 32, "rate": 2e-3}
    learner = run_to_end(training(threads=None, average=1e-3, curve_every=50, benchmark_pairs=200, **options))
    places, curves = learner.curves()
    assert places.tolist() == [500, 1000] and curves["benchmark.player.won"][0, -1] > 0.9
    assert curves["network.loss"][0, -1] < 0.65


# The schedule.


def test_games_minibatches_and_rate_follow_the_schedule() -> None:
    learner = training(
        games=64, games_first=16, turns=101, minibatch=4, minibatch_end=16, minibatch_until=0.4, warm_up=0.2,
        rate_first=1e-4, rate=1e-3, rate_end=1e-5, step_turns=1,
    )  # fmt: skip
    turns = [learner.turn(number) for number in range(101)]
    assert [turns[n].minibatch for n in (0, 19, 20, 39, 40, 100)] == [4, 4, 8, 8, 16, 16]
    assert [turns[n].games for n in (0, 10, 20, 100)] == [16, 40, 64, 64]
    assert all(turn.games % turn.minibatch == 0 for turn in turns)
    rates = [turn.rate for turn in turns]
    assert rates[0] == 1e-4 and rates[20] == pytest.approx(1e-3) and rates[100] == pytest.approx(1e-5)
    assert rates[60] == pytest.approx((1e-3 + 1e-5) / 2) and rates[10] == pytest.approx(5.5e-4)


# Dead units.


def test_revived_units_change_no_output() -> None:
    shape, rng = (20, 16, 12, 8, 3), np.random.default_rng(2)
    kept = {name: deep_weights(shape, 1 if name == "weights" else 2) for name in ("weights", "average", "mean")}
    kept["square"] = kept["mean"] ** 2
    for name in ("weights", "average"):
        for _, biases in layers_of(kept[name], shape)[:-1]:
            biases[::3] = -1e3
    rows = rng.random((400, 20)).astype(np.float32)
    dead = [(layer == 0).all(0) for layer in hidden_and_sums(kept["weights"], shape, rows)[0]]
    dead = [units & (np.arange(len(units)) % 3 == 0) for units in dead]
    before = [hidden_and_sums(kept[name], shape, rows)[1] for name in ("weights", "average")]
    revive(dead, shape, kept, deep_weights(shape, 3))
    for name, outputs in zip(("weights", "average"), before, strict=True):
        np.testing.assert_array_equal(hidden_and_sums(kept[name], shape, rows)[1], outputs)
    after = [(layer == 0).all(0) for layer in hidden_and_sums(kept["weights"], shape, rows)[0]]
    assert all(now.sum() < was.sum() for now, was in zip(after, dead, strict=True))
    matrix, biases = layers_of(kept["mean"], shape)[1]
    assert (matrix[:, dead[1]] == 0).all() and (biases[dead[1]] == 0).all() and (matrix[dead[0]] == 0).all()
    assert (layers_of(kept["square"], shape)[1][0][:, dead[1]] > 0).all()


def test_units_are_revived_every_few_turns_but_not_in_the_last_fifth() -> None:
    def changes(learner: DeepTDTraining) -> list[int]:
        """The turns after which weights changed though the rate is 0."""
        found, weights = [], learner.learning[0].kept["weights"]
        while learner.step < learner.steps:
            layers_of(weights, learner.shape)[1][1][0] = -1e3
            before = weights.copy()
            learner.advance()
            if (weights != before).any():
                found.append(learner.step * learner.stride)
        return found

    still = {"rate": 0.0, "rate_first": 0.0, "rate_end": 0.0, "turns": 100}
    assert changes(training(revive=20, **still)) == [20, 40, 60, 80]
    assert changes(training(**still)) == []


def test_a_correction_without_samples_only_takes_a_share_of_the_weights_off() -> None:
    learning = training().learning[0]
    weights = learning.kept["weights"].copy()
    rows, targets, none = (np.zeros(shape, np.float32) for shape in ((4, learning.shape[0]), (4, 1), 4))
    corrections = Corrections(
        learning.player, learning.kept, learning.shape, Samples(rows, targets, none), True, 1, weight_decay=20.0
    )
    corrections.correct(0, 4, np.float32(0.01), np.float32(1.0))
    np.testing.assert_allclose(learning.kept["weights"], 0.8 * weights, rtol=1e-6)


# A simulated GPU.


def simulated(script: str) -> Any:
    """What a script of this folder prints where numba simulates a GPU."""
    command = [sys.executable, "-W", "ignore", Path(__file__).with_name(script)]
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_the_stages_of_a_simulated_gpu_are_the_rules() -> None:
    found = simulated("deep_simulated.py")
    assert found.pop("candidates") > 1000 and found.pop("ended") > 0 and found.pop("began") > 0
    assert not any(found.values()), found


def test_expand_lists_the_moves_of_the_rules_in_every_game() -> None:
    found = simulated("expand_simulated.py")
    assert {"backgammon", "conquest", "gin", "golf", "hearts"} <= found.keys()
    for name, (positions, wrong, moves) in found.items():
        assert wrong == 0 and moves > positions >= 200, name


def test_a_training_continues_on_a_simulated_gpu() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-W", "ignore", __file__], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def continued() -> None:
    """Half of a training on cores, the rest on both: the same games, and weights that differ by rounding."""
    from sparring.arena.backends import use_backend

    options = {"turns": 12, "step_turns": 2, "revive": 4, "weight_decay": 0.5}
    here, there = training(**options), training(**options)
    for _ in range(3):
        here.advance()
    there.resume(3, {name: array.copy() for name, array in here.arrays().items()})
    run_to_end(here)
    with use_backend("cuda"), np.errstate(over="ignore"):
        run_to_end(there)
    mine, other = here.arrays(), there.arrays()
    assert mine.keys() == other.keys()
    for name in ("0/deals", "0/movers", "0/states", "0/updates"):
        assert mine[name].tobytes() == other[name].tobytes(), name
    for name in ("0/weights", "0/average", "0/mean"):
        np.testing.assert_allclose(other[name], mine[name], rtol=1e-3, atol=2e-5, err_msg=name)


# Errors.


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("backgammon", {"outputs": "tricks"}, "learner.outputs = 'tricks': backgammon has value, outcomes"),
        ("backgammon", {"encoding": "hand"}, "learner.encoding = 'hand': backgammon has"),
        ("backgammon", {"layers": "128-x"}, "learner.layers = '128-x': must be up to 7 numbers from 1 to 4096"),
        ("backgammon", {"layers": "5000"}, "learner.layers = '5000': must be up to 7 numbers"),
        ("backgammon", {"layers": ""}, "learner.layers = '': must be up to 7 numbers"),
        ("backgammon", {"minibatch_end": 300}, "learner.minibatch_end = 300: must be minibatch = 256, or its double"),
        ("backgammon", {"minibatch_end": 128}, "learner.minibatch_end = 128: must be minibatch = 256, or its double"),
        ("backgammon", {"games": 1000}, "learner.games = 1000: must be a multiple of minibatch_end = 256"),
        ("backgammon", {"games_first": 2048}, "learner.games_first = 2048: must be at most games = 1024"),
        ("backgammon", {"revive": 150}, "learner.revive = 150: must be a multiple of step_turns = 100"),
        ("backgammon", {"weight_decay": 80.0, "rate": 0.01}, "learner.weight_decay = 80.0: must be at most 50"),
        ("backgammon", {"warm_up": 1.5}, "learner.warm_up = 1.5: must be from 0 to 1"),
        ("backgammon", {"benchmark": "nobody"}, "learner.benchmark: must be a built-in player"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(game: str, options: dict, words: str) -> None:
    with pytest.raises(UserError) as error:
        build_experiment({"game": game, "learner": {"name": "deep-td", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)


def test_games_of_deep_networks_run_on_cores_where_pytorch_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sparring.arena.match import match
    from sparring.kernel import cuda_matches
    from sparring.kernel.backend import IN_USE, Backend
    from sparring.kernel.cuda import Cuda

    monkeypatch.setattr(cuda_matches, "FEW", 0)  # even a few games would be played on the GPU
    monkeypatch.setitem(sys.modules, "torch", None)
    net, gpu = training().champions()[0], Cuda.__new__(Cuda)
    Backend.__init__(gpu)
    here, token = match(GAME, net, "random", pairs=3), IN_USE.set(gpu)
    try:
        there = match(GAME, net, "random", pairs=3)
    finally:
        IN_USE.reset(token)
    assert [player.wins for player in there.players] == [player.wins for player in here.players]
    assert "deep networks play on this machine's cores: PyTorch does not work here" in capsys.readouterr().err


class NoMemory(Exception):
    """Stands for PyTorch's error."""


def test_a_gpu_without_memory_or_pytorch_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import ModuleType

    from sparring.errors import Failure
    from sparring.kernel import cuda

    learner = training()
    gpu = cuda.Cuda.__new__(cuda.Cuda)
    monkeypatch.setitem(sys.modules, "sparring.kernel.deep_torch", None)
    with pytest.raises(UserError) as error:
        gpu.learn_deep(learner.learning[0], [learner.turn(0)], 1)
    assert "needs PyTorch" in str(error.value) and "sparring[deep]" in str(error.value)
    torch = ModuleType("torch")
    torch.OutOfMemoryError = NoMemory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(cuda, "_driver_errors", lambda: ())
    with pytest.raises(Failure) as failure, cuda.gpu_work():
        raise NoMemory("CUDA out of memory. Tried to allocate 20 GiB.\nAnd a long explanation.")
    assert str(failure.value).startswith("the GPU failed: CUDA out of memory. Tried to allocate 20 GiB.;")
    assert "\n" not in str(failure.value) and "what was saved is kept" in str(failure.value)


if __name__ == "__main__":
    continued()


@pytest.mark.parametrize("wanted", [(9, 7, 6, 2), (9, 12, 6, 2), (9, 7, 6, 6, 2), (9, 8, 10, 6, 9, 2)])
def test_a_grown_network_says_what_the_smaller_one_said(wanted: tuple[int, ...]) -> None:
    shape, rows = (9, 7, 6, 2), np.random.default_rng(1).random((50, 9), np.float32)
    small = deep_weights(shape, 1)
    grown = grow(small, shape, he_weights(wanted, 9, 1), wanted)
    assert grows_into(shape, wanted)
    assert np.allclose(hidden_and_sums(grown, wanted, rows)[1], hidden_and_sums(small, shape, rows)[1], atol=1e-5)
    hidden = hidden_and_sums(grown, wanted, rows)[0]
    assert all(
        (layer[:, units:] > 0).any() for layer, units in zip(hidden, (7, 6), strict=False) if layer.shape[1] > units
    )


@pytest.mark.parametrize("wanted", [(9, 6, 6, 2), (9, 7, 2), (9, 7, 6, 5, 2), (8, 7, 6, 2), (9, 7, 6, 1)])
def test_a_network_does_not_grow_into_a_smaller_one(wanted: tuple[int, ...]) -> None:
    assert not grows_into((9, 7, 6, 2), wanted)


def saved_net(folder: Path, **options: object) -> str:
    learner = run_to_end(training(**options))
    path = folder / "net.safetensors"
    save_net(path, learner.net(learner.nets[0]))
    return str(path)


def test_training_starts_from_a_smaller_network(tmp_path: Path) -> None:
    name = saved_net(tmp_path)
    small, grown = find_player(GAME, name), training(initial=name, layers="6-3-5")
    assert small.net
    rows = np.random.default_rng(1).random((20, small.net.shape[0]), np.float32)
    values = [
        hidden_and_sums(w, s, rows)[1] for w, s in ((grown.nets[0], grown.shape), (small.net.weights, small.net.shape))
    ]
    assert np.allclose(*values, atol=1e-5)
    run_to_end(grown)
    assert grown.ancestry(0)[0] == f"weights of {name}"


def test_a_taught_network_comes_nearer_to_its_teacher(tmp_path: Path) -> None:
    name = saved_net(tmp_path, layers="16", turns=200)
    teacher, learner = find_player(GAME, name).net, training(teacher=name, turns=400, rate=0.01, average=0.1)
    assert teacher
    rows = (np.random.default_rng(1).random((200, teacher.shape[0])) < 0.1).astype(np.float32)
    wanted = hidden_and_sums(teacher.weights, teacher.shape, rows)[1]

    def error() -> float:
        return float(((hidden_and_sums(learner.nets[0], learner.shape, rows)[1] - wanted) ** 2).mean())

    before = error()
    run_to_end(learner)
    assert error() < before / 2 and learner.ancestry(0)[1].endswith(f"taught by {name}")


@pytest.mark.parametrize("option", ["initial", "teacher"])
@pytest.mark.parametrize("name, says", [("champion", "is sigmoid"), ("random", "is no network"), ("deep", "outputs")])
def test_a_network_of_another_form_is_refused(option: str, name: str, says: str) -> None:
    with pytest.raises(UserError, match=f"learner.{option} = '{name}': .*{says}"):
        training(outputs="value", **{option: name})


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    name = saved_net(tmp_path)
    with pytest.raises(UserError, match="layers must have at least 4-3 units"):
        training(initial=name, layers="3-3")
