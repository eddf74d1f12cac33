"""The GPU's kernels on a simulated GPU, where CI has none: they play and learn as the cores do. `make test-gpu` has a real one."""

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from amounts import amount
from sparring.arena.backends import find_backend, use_backend
from sparring.arena.match import match
from sparring.arena.players import find_players, pack_players
from sparring.errors import Failure, UserError
from sparring.games import find_game
from sparring.kernel import cuda
from sparring.kernel.backend import CPU, Evolution, Games
from sparring.kernel.cuda import Cuda, gpu_work, out_of_memory, why_not, work_of
from sparring.kernel.launch import DEEP, Launcher, Player
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from subwarp_simulated import dense_networks, jobs_of

SCRIPT = Path(__file__).with_name("cuda_simulated.py")
SUBWARP = Path(__file__).with_name("subwarp_simulated.py")
SIMULATED = {"SPARRING_INTERPRET": "1", "NUMBA_ENABLE_CUDASIM": "1"}
GAMES = ["golf", "backgammon", "conquest:map=duel,rounds=3", "gin:rules=full,target=1", "hearts:rounds=1"]
DEEP_TD = {
    "games": 4,
    "turns": 8,
    "layers": "4-3",
    "minibatch": 2,
    "minibatch_end": 2,
    "step_turns": 4,
    "curve_every": 1,
    "revive": 4,
}
TORCH = find_spec("torch") is not None
LEARNING = [
    ("golf", "coevolution", {"epochs": 2, "hidden": 3, "pairs": 1, "benchmark_pairs": 1, "curve_every": 2}),
    ("backgammon", "td-batch", {"games": 3, "turns": amount(4, 8), "hidden": 4, "step_turns": 2, "benchmark_pairs": 0}),
    pytest.param(
        "backgammon", "deep-td", DEEP_TD, marks=pytest.mark.skipif(not TORCH, reason="PyTorch is not installed")
    ),
]


def run(backend: str, *words: str, simulated: bool) -> dict[str, list]:
    env = {**os.environ, **(SIMULATED if simulated else {})}
    done = subprocess.run([sys.executable, SCRIPT, backend, *words], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", GAMES)
def test_a_simulated_gpu_plays_the_games_that_cores_play(name: str) -> None:
    here, there = run("cpu", "play", name, simulated=False), run("cuda", "play", name, simulated=True)
    assert here["moves"] == there["moves"] and all(here["moves"])
    assert here["tallies"] == there["tallies"]


@pytest.mark.parametrize(
    ("name", "size", "most"), [("gin:rules=full,length=hand", 4, 60), ("gin:rules=study", 8, 30), ("golf", 4, 24)]
)
def test_the_threads_of_a_subwarp_choose_together_what_a_core_chooses(name: str, size: int, most: int) -> None:
    words, env = (str(size), name, "1", str(most)), {**os.environ, **SIMULATED}
    done = subprocess.run([sys.executable, SUBWARP, *words], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    game = find_game(name)
    everyone = dense_networks(game)
    table, weights = pack_players(game, everyone)
    _, moves = game.launcher.play(jobs_of(len(everyone), 1), table, weights, keep_moves=True)
    here = [row[row >= 0][:most].tolist() for row in moves]
    assert json.loads(done.stdout) == [here] * size and all(here)


@pytest.mark.parametrize(("name", "learner", "options"), LEARNING, ids=["coevolution", "td-batch", "deep-td"])
def test_a_simulated_gpu_learns_what_cores_learn(name: str, learner: str, options: dict) -> None:
    words = ("learn", name, learner, json.dumps(options))
    here, there = run("cpu", *words, simulated=False), run("cuda", *words, simulated=True)
    assert here.keys() == there.keys() and len(here["nets"]) == 2
    for key, values in here.items():
        np.testing.assert_allclose(there[key], values, rtol=2e-4, atol=2e-5, err_msg=key)


@pytest.mark.skipif(not why_not(), reason="there is a GPU")
def test_a_machine_without_a_gpu_says_so_and_falls_back_only_if_asked_to() -> None:
    with pytest.raises(UserError) as error:
        find_backend("cuda")
    assert str(error.value).startswith("backend = 'cuda': ") and "\n" not in str(error.value)
    assert find_backend("auto") is CPU
    with use_backend("auto"):
        assert match("golf", "greedier", "random", pairs=2).games == 4


def test_a_net_too_large_for_a_gpu_is_refused_in_one_line() -> None:
    launcher, table = find_game("golf").launcher, np.zeros(2, Player)
    table["hidden"] = 27, 3
    assert work_of(launcher, table) == (find_game("golf").policies.float_scratch(32), launcher.int_scratch)
    table["hidden"] = 27, 4096
    with pytest.raises(UserError, match="a net of 4096 hidden units needs .* use --backend cpu"):
        work_of(launcher, table)
    table["kind"], table["hidden"] = (0, DEEP), 3
    with pytest.raises(UserError, match="deep nets play on cores: use --backend cpu"):
        work_of(launcher, table)


@pytest.mark.parametrize(("names", "threads"), [(("random", "pubeval"), 1), (("random", "champion-40"), 8)])
def test_threads_share_a_game_where_a_network_values_candidates(names: tuple[str, str], threads: int) -> None:
    game = find_game("backgammon")
    table, _ = pack_players(game, find_players(game, names))
    assert cuda.threads_per_game(game.launcher, table) == threads


@pytest.mark.parametrize(
    ("game", "names", "parts"),
    [
        ("backgammon", ("random", "random"), (False, False, False, False)),
        ("backgammon", ("random", "pubeval"), (True, False, False, False)),
        ("backgammon", ("champion-40", "simple"), (True, True, False, False)),
        ("backgammon", ("champion-40+1ply", "random"), (True, False, True, False)),
        ("backgammon:cube=on", ("champion-40", "champion-40"), (True, False, False, True)),
        ("backgammon:match=3", ("random-by-checker", "random"), (False, True, False, True)),
        ("backgammon:resign=on", ("random", "random"), (False, False, False, True)),
        ("gin", ("random", "random"), (False, False, False, False)),
        ("gin", ("careful", "monte-carlo@2"), (True, True, False, False)),
        ("gin", ("champion", "random"), (False, False, False, True)),
    ],
)
def test_a_gpu_compiles_what_the_players_of_a_batch_use(game: str, names: tuple[str, str], parts: tuple) -> None:
    found = find_game(game)
    table, _ = pack_players(found, find_players(found, names))
    chooser = import_module(f"sparring.games.{found.family}.players").chooser
    assert found.launcher.chooser(table) is chooser(*parts)
    assert found.launcher.chooser(np.zeros(1, Player)) is not found.policies.choose


def test_a_game_without_a_choice_for_players_compiles_everything() -> None:
    launcher = find_game("golf").launcher
    assert launcher.chooser(np.zeros(1, Player)) is find_game("golf").policies.choose


class Full:
    """A GPU with room for few games at once."""

    def __init__(self, room: int, says: str) -> None:
        self.room, self.says, self.sizes = room, says, []

    def launch(self, launcher: Launcher, games: Games, tallies: np.ndarray, moves: np.ndarray) -> None:
        self.sizes.append(len(games.jobs))
        if len(games.jobs) > self.room:
            raise Failure(self.says)
        found, kept = launcher.play(*games)
        tallies[:] = found
        if games.keep_moves:
            moves[:] = kept


def pretended(monkeypatch: pytest.MonkeyPatch, full: Full) -> Cuda:
    monkeypatch.setattr(cuda, "why_not", lambda: "")
    backend = Cuda()
    monkeypatch.setattr(backend, "_launch", full.launch)
    return backend


def test_a_batch_that_does_not_fit_is_cut_and_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "BLOCK", 2)
    full = Full(30, "the GPU failed: CUDA_ERROR_OUT_OF_MEMORY: no room")
    training = CoevolutionTraining(find_game("golf"), Coevolution(epochs=1), 1, 5)
    jobs = training._jobs("training")
    games = Games(jobs, training.table, training.nets.reshape(-1), None, True)
    tallies, moves = pretended(monkeypatch, full).play(training.game.launcher, games)
    expected, kept = training.game.launcher.play(*games)
    assert (tallies == expected).all() and (moves == kept).all()
    assert len(jobs) == 50 and full.sizes == [50, 25, 25]


def test_trials_that_do_not_fit_are_cut_and_come_back_in_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def evolve(launcher: Launcher, work: Evolution, subwarp: int) -> tuple[np.ndarray, np.ndarray]:
        seeds, nets = work.seeds, work.nets
        sizes.append(len(seeds))
        if len(seeds) > 3:
            raise Failure("the GPU failed: CUDA_ERROR_OUT_OF_MEMORY: no room")
        nets += np.concatenate([seeds, seeds + 100])
        return np.repeat(seeds, work.epochs, axis=1), seeds * 2

    backend = pretended(monkeypatch, Full(0, ""))
    monkeypatch.setattr(backend, "_evolve", evolve)
    seeds, nets = np.arange(7)[:, None], np.zeros((14, 1), np.int64)
    launcher, terms = find_game("golf").launcher, (15.0, 0.05, 0.1, -1.0)
    tallies, changes = backend.evolve(launcher, Evolution(seeds, nets, np.zeros(3), 0, 2, (5, 0), terms))
    assert sizes == [7, 3, 3, 1]
    assert nets[:, 0].tolist() == [*range(7), *range(100, 107)]
    assert tallies.tolist() == [[k, k] for k in range(7)] and changes[:, 0].tolist() == [2 * k for k in range(7)]


def test_a_driver_that_disappears_is_one_line_and_no_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Full(0, "the GPU failed: CUDA_ERROR_DEVICE_UNAVAILABLE; what was saved is kept")
    training = CoevolutionTraining(find_game("golf"), Coevolution(epochs=1), 1, 1)
    with pytest.raises(Failure, match="CUDA_ERROR_DEVICE_UNAVAILABLE"):
        games = Games(training._jobs("training"), training.table, training.nets.reshape(-1), None, False)
        pretended(monkeypatch, full).play(training.game.launcher, games)
    assert full.sizes == [10]


def test_what_the_driver_says_becomes_one_line() -> None:
    from numba.cuda.cudadrv.error import CudaSupportError

    with pytest.raises(Failure) as error, gpu_work():
        raise CudaSupportError("CUDA_ERROR_OUT_OF_MEMORY: there is\nno room")
    assert str(error.value).startswith("the GPU failed: CUDA_ERROR_OUT_OF_MEMORY: there is; what was saved is kept")
    assert out_of_memory(error.value)
    with pytest.raises(ZeroDivisionError), gpu_work():
        1 / 0  # noqa: B018
