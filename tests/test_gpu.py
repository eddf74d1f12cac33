"""On a real GPU (`make test-gpu`): the same deals, the same games up to rounding, and learners that learn. Skipped without one."""

import numpy as np
import pytest

import sparring
from sparring.arena.backends import use_backend
from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.games import GAMES, find_game
from sparring.games.benchmark import benchmark_of
from sparring.games.game import with_rules
from sparring.kernel import cuda_matches
from sparring.kernel.cuda import why_not
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.learn.td_batch import TDBatch, TDBatchTraining
from sparring.testing.cast import cast

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(why_not()), reason=f"no GPU: {why_not()}")]


def games_of(name: str, pairs: int) -> tuple:
    """Everyone who can play a game, met by the next in the list.

    Weights are small: large ones saturate every unit, and then rounding alone decides (in most of gin's games).
    """
    game = find_game(name)
    quick = benchmark_of(game).quick
    game = with_rules(game, quick) if quick else game
    everyone = [
        one
        for one in cast(game, 1, spread=0.1)
        if "1ply" not in one.policy and one.policy not in game.policies.strengths
    ]
    table, weights = pack_players(game, everyone)
    seats = game.rules.seats[0]
    rows = [np.resize(np.roll(np.arange(len(everyone)), -k), seats) for k in range(len(everyone))]
    jobs = np.concatenate([paired_jobs(1, row, pairs, "given") for row in rows])
    return game, everyone, jobs, table, weights


@pytest.mark.parametrize("name", GAMES)
def test_cores_and_gpu_play_the_same_games(name: str) -> None:
    game, everyone, jobs, table, weights = games_of(name, 20)
    here, moves_here = game.launcher.play(jobs, table, weights, keep_moves=True)
    with use_backend("cuda"):
        there, moves_there = game.launcher.play(jobs, table, weights, keep_moves=True)
    same = (moves_here == moves_there).all(axis=1)
    nets = np.array([one.net is not None for one in everyone])[jobs["player"][:, : game.rules.seats[0]]].any(axis=1)
    assert same[~nets].all(), "players without a net play the same games, byte for byte"
    assert (here[~nets] == there[~nets]).all()
    assert same[nets].mean() > 0.95, f"{1 - same[nets].mean():.1%} of games with nets differ"
    assert (here[same] == there[same]).all()
    # Where a net's rounding decided otherwise, the game goes on lawfully from there, on the same deal.
    first = [int(np.argmax(a != b)) for a, b in zip(moves_here[~same], moves_there[~same], strict=True)]
    assert all(0 <= place < moves_here.shape[1] for place in first)


def test_coevolution_on_a_gpu_is_the_cores_as_long_as_rounding_decides_nothing() -> None:
    game, told = find_game("golf"), Coevolution(epochs=3, curve_every=3, benchmark_pairs=2)
    here, there = CoevolutionTraining(game, told, 5, 20), CoevolutionTraining(game, told, 5, 20)
    while here.step < 3:
        here.advance()
    with use_backend("cuda"):
        while there.step < 3:
            there.advance()
    close = np.isclose(here.nets, there.nets, rtol=1e-4, atol=1e-5).all(axis=1)
    assert close.mean() > 0.9
    np.testing.assert_allclose(
        here.curves()[1]["training.player.score"], there.curves()[1]["training.player.score"], atol=8
    )


def test_td_side_by_side_learns_on_a_gpu_what_it_learns_on_cores() -> None:
    game = find_game("backgammon")
    told = TDBatch(games=256, turns=60, hidden=16, step_turns=20, curve_every=3, benchmark_pairs=0)
    here, there = TDBatchTraining(game, told, 5, 1), TDBatchTraining(game, told, 5, 1)
    here.advance()
    with use_backend("cuda"):
        there.advance()
    assert np.isclose(here.nets, there.nets, rtol=1e-2, atol=1e-2).mean() > 0.9
    with use_backend("cuda"):
        long = TDBatchTraining(game, TDBatch(games=1024, turns=1200, hidden=40, benchmark_pairs=200), 1, 1)
        while long.step < long.steps:
            long.advance()
    assert long.curves()[1]["benchmark.player.won"][0, -1] > 0.9


@pytest.mark.parametrize("opponent", ["deep", "pubeval"])
def test_deep_networks_choose_in_stages_what_they_choose_on_cores(
    opponent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(cuda_matches, "FEW", 0)
    game = find_game("backgammon:scoring=single")
    table, weights = pack_players(game, find_players(game, ["deep-single", opponent]))
    jobs = paired_jobs(1, np.arange(2), 200)
    here, moves_here = game.launcher.play(jobs, table, weights, keep_moves=True)
    with use_backend("cuda"):
        there, moves_there = game.launcher.play(jobs, table, weights, keep_moves=True)
    same = (moves_here == moves_there).all(axis=1)
    chosen = sum(int(np.argmax(row < 0)) for row in moves_here)
    assert (~same).sum() < 0.01 * chosen, "half precision changes fewer than 1% of the choices"
    assert same.mean() > 0.5 and (here[same] == there[same]).all()


def test_a_rollout_on_a_gpu_agrees_with_one_on_cores() -> None:
    pytest.importorskip("torch")
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    here, there = (sparring.rollout(position, games=360, truncate=7, backend=word).json() for word in ("cpu", "cuda"))
    assert abs(here["equity"] - there["equity"]) < 3 * np.hypot(here["standard_error"], there["standard_error"])
