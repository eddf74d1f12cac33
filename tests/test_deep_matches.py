"""Deep networks on a GPU: matches and rollouts as on cores, what runs where, and what may fail, in one line."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deep import deep_net
from evolved import dense_net
from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.cli import main
from sparring.errors import Failure
from sparring.games import find_game
from sparring.kernel import cuda, cuda_matches
from sparring.kernel.backend import CPU, IN_USE, Games
from sparring.kernel.cuda import Cuda, gpu_work, out_of_memory
from sparring.kernel.launch import Launcher
from sparring.kernel.match_stages import shares_of
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining

SCRIPT = Path(__file__).with_name("matches_simulated.py")
SIMULATED = {"SPARRING_INTERPRET": "1", "NUMBA_ENABLE_CUDASIM": "1"}
FULL = "the GPU failed: CUDA out of memory. Tried to allocate 2.00 GiB"
with_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
GAME = find_game("backgammon:start=hypergammon")


def run(backend: str, *words: str) -> dict[str, Any]:
    env = {**os.environ, **(SIMULATED if backend == "cuda" else {})}
    done = subprocess.run([sys.executable, SCRIPT, backend, *words], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@with_torch
@pytest.mark.parametrize("scoring", ["points", "single"])
def test_a_simulated_gpu_plays_the_matches_of_deep_networks_that_cores_play(scoring: str) -> None:
    """With 17 games at once there are two groups, and most jobs follow another."""
    here, there = run("cpu", scoring, "17"), run("cuda", scoring, "17")
    assert here["moves"] == there["moves"] and all(here["moves"])
    assert here["tallies"] == there["tallies"] == there["alone"]


@with_torch
def test_games_of_a_network_that_searches_do_not_keep_those_of_others_from_a_gpu() -> None:
    assert run("cpu", "beside-search", "17") == run("cuda", "beside-search", "17")


@with_torch
def test_a_simulated_gpu_rolls_out_what_cores_roll_out() -> None:
    here, there = run("cpu", "rollout", "17")["rollout"], run("cuda", "rollout", "17")["rollout"]
    for cores, gpu in zip(here, there, strict=True):
        np.testing.assert_allclose(gpu, cores, atol=1e-6)
    assert np.any(here[1]) and not np.any(here[3])


@with_torch
def test_a_network_whose_numbers_half_precision_cannot_hold_is_valued_in_single_precision() -> None:
    assert run("cuda", "overflow", "17")["overflow"] == [True] * 2 + [True, True, False, True, True]


def packed(*players: object, game: Any = GAME) -> tuple[np.ndarray, np.ndarray]:
    return pack_players(game, find_players(game, players))


def everyone(game: Any = GAME) -> list[Any]:
    """A deep network, the same with a search, a small network and a player without one."""
    deep = deep_net(game, "tesauro", (3,), 1)
    return [deep, deep_net(game, "tesauro", (3,), 1, policy="net+1ply"), dense_net(game, "tesauro", 3, 1), "random"]


def jobs_of(*rows: tuple[int, int], pairs: int = 1) -> np.ndarray:
    return np.concatenate([paired_jobs(1, np.array(row), pairs, "given") for row in rows])


def test_stages_play_jobs_with_a_deep_network_and_cores_those_that_stages_cannot() -> None:
    table, _ = packed(*everyone())
    jobs = jobs_of((0, 0), (0, 3), (2, 0), (2, 3), (0, 1), (1, 2))
    shares = shares_of(GAME.launcher.staged, jobs, table)
    assert shares.staged.tolist() == [True, True, True, False, False, False]
    assert shares.threads.tolist() == [False, False, False, True, False, False]
    assert shares.cores.tolist() == [False, False, False, False, True, True]


@pytest.mark.parametrize(
    ("rules", "staged"),
    [("", True), ("scoring=single", True), ("start=hypergammon,first=fixed", True), ("cube=on", False), ("match=3", False),
     ("jacoby=on", False), ("resign=on", False)],
)  # fmt: skip
def test_stages_are_for_rules_under_which_every_decision_is_a_play(rules: str, staged: bool) -> None:
    game = find_game(f"backgammon:{rules}" if rules else "backgammon")
    assert (game.launcher.staged is not None) == staged
    assert find_game("golf").launcher.staged is None


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Cuda:
    """A GPU that is only pretended."""
    monkeypatch.setattr(cuda, "why_not", lambda: "")
    return Cuda()


def work(pairs: int, *players: object, game: Any = GAME, keep_moves: bool = True) -> Games:
    table, weights = packed(*players, game=game)
    return Games(paired_jobs(1, np.arange(2), pairs), table, weights, 1, keep_moves)


def same(found: tuple[np.ndarray, np.ndarray], games: Games, launcher: Launcher) -> bool:
    tallies, moves = launcher.play_here(*games)
    return bool((tallies == found[0]).all() and (moves == found[1]).all())


def test_without_pytorch_cores_play_and_one_line_says_so(
    backend: Cuda, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cuda_matches, "FEW", 0)
    monkeypatch.setitem(sys.modules, "torch", None)
    games = work(2, everyone()[0], "random")
    assert same(backend.play(GAME.launcher, games), games, GAME.launcher)
    said = capsys.readouterr().err
    assert said.startswith("backend = 'cuda': deep networks play on this machine's cores: PyTorch does not work here (")
    assert said.count("\n") == 1 and "install sparring[deep]" in said


def test_games_with_a_cube_are_played_on_cores_and_one_line_says_so(
    backend: Cuda, capsys: pytest.CaptureFixture[str]
) -> None:
    game = find_game("backgammon:start=hypergammon,cube=on")
    games = work(2, deep_net(game, "tesauro", (3,), 1), "random", game=game)
    for _ in range(2):
        assert same(backend.play(game.launcher, games), games, game.launcher)
    assert capsys.readouterr().err == "backend = 'cuda': deep networks play this game on this machine's cores\n"


def test_few_games_are_played_on_cores(backend: Cuda, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_matches, "_stages", None)
    monkeypatch.setattr(cuda_matches, "FEW", 9)
    games = work(4, everyone()[0], "random")
    assert same(backend.play(GAME.launcher, games), games, GAME.launcher)


@pytest.mark.parametrize("threads", [1, 64])
def test_the_number_of_threads_does_not_say_who_plays(
    backend: Cuda, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(cuda_matches, "_stages", full := Full(cuda_matches.AT_ONCE))
    monkeypatch.setattr(cuda_matches, "FEW", 8)
    monkeypatch.setattr(Cuda, "has_torch", lambda self: True)
    backend.play(GAME.launcher, work(4, everyone()[0], "random")._replace(threads=threads))
    assert full.sizes == [8]


class Full:
    """Stages on a GPU with room for few games: of more, some are finished when it is full."""

    def __init__(self, room: int, says: str = FULL) -> None:
        self.room, self.says, self.at_once, self.sizes = room, says, [], []

    def __call__(self, launcher: Launcher, games: Games, at_once: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        self.at_once.append(at_once)
        self.sizes.append(len(games.jobs))
        if self.says != FULL:
            raise Failure(self.says)
        done = np.arange(len(games.jobs)) % 3 == 0 if at_once > self.room else np.ones(len(games.jobs), bool)
        tallies, moves = launcher.play_here(*games)
        tallies[~done], moves[~done] = 0, -1
        return done, tallies, moves


def test_a_full_memory_keeps_what_is_finished_and_plays_the_rest_with_half_as_many_abreast(
    backend: Cuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_matches, "_stages", full := Full(300))
    monkeypatch.setattr(cuda_matches, "AT_ONCE", 1000)
    games = work(20, everyone()[0], "random")
    assert same(cuda_matches.play_staged(backend, GAME.launcher, games), games, GAME.launcher)
    assert full.at_once == [1000, 500, 250] and full.sizes == [40, 26, 17]


@pytest.mark.parametrize(("says", "calls"), [(FULL, 4), ("the GPU failed: the driver disappeared", 1)])
def test_a_memory_that_is_always_full_or_a_driver_that_disappears_is_one_line(
    backend: Cuda, monkeypatch: pytest.MonkeyPatch, says: str, calls: int
) -> None:
    monkeypatch.setattr(cuda_matches, "_stages", full := Full(0, says))
    monkeypatch.setattr(cuda_matches, "AT_ONCE", 1000)
    with pytest.raises(Failure, match="the GPU") as error:
        cuda_matches.play_staged(backend, GAME.launcher, work(40, everyone()[0], "random"))
    assert len(full.sizes) == calls and "\n" not in str(error.value)


class FullRollout:
    """A rollout on a GPU with room for few games."""

    total, staged = 1000, True

    def __init__(self, room: int) -> None:
        self.room, self.parts, self.freed = room, [], 0
        self.results = self.luck = self

    def on_gpu(self) -> "FullRollout":
        return self

    def run(self, first: int, last: int) -> None:
        self.parts.append((first, last))
        if last - first > self.room:
            raise Failure(FULL)

    def free(self) -> None:
        self.freed += 1

    def cpu(self) -> "FullRollout":
        return self

    def numpy(self) -> np.ndarray:
        return np.zeros((self.total, 5))

    def shaped(self, rows: np.ndarray) -> np.ndarray:
        return rows


def test_a_rollout_that_does_not_fit_is_cut_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_matches, "ROLLED_OUT", 600)
    cuda_matches.roll_out_staged(rollout := FullRollout(300))
    assert rollout.parts == [(0, 600), (0, 300), (300, 600), (600, 900), (900, 1000)] and rollout.freed == 1
    with pytest.raises(Failure, match="out of memory"):
        cuda_matches.roll_out_staged(FullRollout(0))


def test_a_rollout_of_a_small_network_runs_on_cores_and_one_line_says_so(
    backend: Cuda, capsys: pytest.CaptureFixture[str]
) -> None:
    import sparring

    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    expected = sparring.rollout(position, "champion", games=36, truncate=2).json()
    token = IN_USE.set(backend)
    try:
        assert sparring.rollout(position, "champion", games=36, truncate=2).json() == expected
    finally:
        IN_USE.reset(token)
    assert (
        capsys.readouterr().err
        == "backend = 'cuda': rollouts of networks that are not deep run on this machine's cores\n"
    )


def test_many_games_of_a_rollout_are_played_at_once_only_in_stages(
    backend: Cuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (CPU.batches(True), backend.batches(False)) == (1, 1)
    monkeypatch.setattr(Cuda, "has_torch", lambda self: True)
    assert backend.batches(True) > 1
    monkeypatch.setattr(Cuda, "has_torch", lambda self: False)
    assert backend.batches(True) == 1


def test_a_rollout_takes_the_word_that_says_where_games_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    assert main(["rollout", position, "--backend", "gpu"]) == 2
    assert capsys.readouterr().err.endswith("backend = 'gpu': must be one of cpu, cuda, ray, auto\n")
    if cuda.why_not():
        assert main(["rollout", position, "--backend", "cuda"]) == 2
        assert capsys.readouterr().err.startswith("sparring: backend = 'cuda': ")


@pytest.mark.parametrize(
    "words",
    ["CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`\nmore", "CUDA error: out of memory"],
)
def test_what_cudas_libraries_say_becomes_one_line(words: str) -> None:
    with pytest.raises(Failure) as error, gpu_work():
        raise RuntimeError(words)
    assert out_of_memory(error.value) and "\n" not in str(error.value)
    with pytest.raises(RuntimeError, match="another"), gpu_work():
        raise RuntimeError("another")


def test_a_full_memory_within_a_step_of_deep_td_loses_no_more_than_the_step(
    backend: Cuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = DeepTDOptions(layers="4", games=4, turns=8, minibatch=2, minibatch_end=2, step_turns=4)
    training = DeepTDTraining(GAME, options, 1, 1, 1)
    learning = training.learning[0]
    before = {name: array.copy() for name, array in learning.kept.items()}

    class Engine:
        def learn(self, turns: list[Any]) -> np.ndarray:
            raise RuntimeError("CUDA error: out of memory")

    engine, module = Engine(), type(sys)("sparring.kernel.deep_torch")
    setattr(module, "DeepOnGpu", None)  # noqa: B010
    monkeypatch.setitem(sys.modules, "sparring.kernel.deep_torch", module)
    learning.engine = engine
    token = IN_USE.set(backend)
    try:
        with pytest.raises(Failure, match="out of memory; what was saved is kept"):
            training.advance()
    finally:
        IN_USE.reset(token)
    assert learning.engine is None
    for name, array in learning.kept.items():
        assert (array == before[name]).all(), name
