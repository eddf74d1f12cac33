"""Targets of deep TD: lambda-returns beside returns computed by hand, exact means over chance outcomes, and what they teach."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tiny_game
from sparring.arena.players import Chooser, find_player
from sparring.errors import UserError
from sparring.games import find_game, name_game
from sparring.games.chance import chance_outcomes
from sparring.games.game import Game, apply_move, legal_moves, start_game
from sparring.kernel.deep_cores import DeepOnCores
from sparring.kernel.deep_gradient import forward, scratch_for
from sparring.kernel.maths import sigmoid
from sparring.kernel.records import call_kernel, records
from sparring.kernel.traces import horizon
from sparring.lab.experiment import build_experiment
from sparring.learn.checkpoints import Damaged
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining

GAME = find_game("backgammon")
ENDING = name_game("backgammon:start=pAAAQAoAAAAAAA")  # a few checkers of each side, all but home
SMALL = {"layers": "4-3", "games": 8, "turns": 40, "minibatch": 4, "minibatch_end": 4, "step_turns": 10}
STILL = {"rate": 0.0, "rate_first": 0.0, "rate_end": 0.0}


def training(game: Game = GAME, **options: object) -> DeepTDTraining:
    return DeepTDTraining(game, DeepTDOptions(**{**SMALL, **options}), 1, 1, 1)  # type: ignore[arg-type]


def run_to_end(learner: DeepTDTraining) -> DeepTDTraining:
    while learner.step < learner.steps:
        learner.advance()
    return learner


class Player:
    """A training whose weights do not change, played turn by turn."""

    def __init__(self, game: Game, **options: object) -> None:
        self.td = training(game, **STILL, **options).learning[0]
        self.td.terms["exact"] = "exact" in options
        self.cores = DeepOnCores(self.td, 1)

    def turn(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows, targets and weights that would be learned."""
        self.cores.play(8)
        found = self.cores.samples
        return found.rows.copy(), found.targets.copy(), found.weights.copy()


# Lambda-returns.


def test_a_return_is_as_long_as_powers_of_lambda_matter() -> None:
    assert [horizon(trace) for trace in (0, 1e-9, 0.2, 0.5, 0.7, 0.8, 1)] == [1, 1, 3, 7, 13, 16, 16]
    assert all(trace ** horizon(trace) <= 0.01 < trace ** (horizon(trace) - 1) for trace in (0.2, 0.3, 0.5, 0.7))


@pytest.mark.parametrize("head", ["value", "outcomes"])
@pytest.mark.parametrize("trace", [0.4, 0.7, 1.0])
def test_with_perfect_information_samples_leave_with_the_return_of_both_movers_turns(head: str, trace: float) -> None:
    """The mean of the values n turns later, each as the mover of the sample sees it, with weights (1 - lambda) lambda^(n-1)."""
    plain, traced = Player(ENDING, outputs=head), Player(ENDING, outputs=head, trace=trace)
    flip, turns, horizon_turns, ends = plain.td.flip, 60, horizon(trace), []
    samples, movers, left = [], [], []
    for _ in range(turns):
        movers.append(plain.td.kept["movers"].copy())
        samples.append(plain.turn())
        ends.append(plain.td.kept["movers"] == -1)
        left.append(traced.turn())
    compared = finished = 0
    for t in range(turns - horizon_turns + 1):
        rows, targets, weights = left[t + horizon_turns - 1]
        np.testing.assert_array_equal(weights, samples[t][2])
        for i in np.flatnonzero(weights):
            seen = []
            for n in range(t, t + horizon_turns):
                value = samples[n][1][i].astype(float)
                if movers[n][i] != movers[t][i]:
                    value = np.where(flip[1], 1 - value[flip[0]], value[flip[0]])
                seen.append(value)
                if ends[n][i]:
                    finished += 1
                    break
            mix = [(1 - trace) * trace**n for n in range(len(seen) - 1)] + [trace ** (len(seen) - 1)]
            np.testing.assert_array_equal(rows[i], samples[t][0][i])
            np.testing.assert_allclose(targets[i], np.array(mix) @ np.array(seen), atol=1e-5)
            compared += 1
    assert compared > 200 and finished > 100
    assert (left[horizon_turns - 2][2] == 0).all()


@pytest.mark.parametrize("trace", [0.5, 1.0])
def test_each_seats_chain_ends_with_the_outcome(trace: float) -> None:
    """The game has two turns of each seat, then the outcome for each: a sample of the first turn and one of the second."""
    plain, traced = Player(tiny_game.GAME, trace=0.0), Player(tiny_game.GAME, trace=trace)
    delay = 2 * horizon(trace) - 1
    samples = [plain.turn() for _ in range(24)]
    left = [traced.turn() for _ in range(24 + delay)][delay:]
    for t in range(24):
        rows, targets, weights = samples[t]
        phase = t % 6  # four turns, then the outcomes
        assert (weights == (phase > 1)).all()
        np.testing.assert_array_equal(left[t][0], rows)
        np.testing.assert_array_equal(left[t][2], weights)
        if phase in (2, 3) and t + 2 < 24:
            outcomes = samples[t + 2][1]
            assert np.isin(outcomes, (0, 0.5, 1)).all()
            np.testing.assert_allclose(left[t][1], (1 - trace) * targets + trace * outcomes, atol=1e-6)
        elif phase > 3:
            np.testing.assert_array_equal(left[t][1], targets)


def test_lambda_0_gives_the_same_bytes_as_no_ring() -> None:
    """A lambda so small that returns are one turn long and equal the targets."""
    none, zero = run_to_end(training()).arrays(), run_to_end(training(trace=1e-9)).arrays()
    assert "0/ring.rows" in zero and not any("ring" in name for name in none)
    for name, array in none.items():
        assert array.tobytes() == zero[name].tobytes(), name


@pytest.mark.parametrize("game", [GAME, tiny_game.GAME], ids=["backgammon", "tiny"])
def test_a_stopped_training_with_traces_ends_with_the_same_bytes(game: Game) -> None:
    whole, first, rest = (training(game, trace=0.6) for _ in range(3))
    run_to_end(whole)
    for _ in range(2):
        first.advance()
    rest.resume(2, {name: array.copy() for name, array in first.arrays().items()})
    run_to_end(rest)
    for name, array in whole.arrays().items():
        assert array.tobytes() == rest.arrays()[name].tobytes(), name


def test_a_training_goes_on_whose_outputs_are_rounded_beyond_1() -> None:
    """The clamped sigmoid is above 1 by less than a millionth at some sums."""
    first, rest = (training(trace=0.6, **STILL) for _ in range(2))
    for learning in first.learning:
        learning.kept["weights"][-1] = np.float32(16.54)  # the bias of the output
    first.advance()
    first.advance()
    arrays = {name: array.copy() for name, array in first.arrays().items()}
    assert arrays["0/ring.targets"].min() < 0  # one minus what the other side's network says
    rest.resume(2, arrays)
    arrays["0/ring.targets"][0] = -0.1
    with pytest.raises(Damaged, match="ring.targets"):
        training(trace=0.6, **STILL).resume(2, arrays)


# Exact targets.


def test_the_probabilities_of_chance_outcomes_add_up_and_what_is_on_the_board_stays() -> None:
    rng, seen = np.random.default_rng(1), set()
    state = start_game(GAME, 1, 1, 1, 2)
    assert chance_outcomes(GAME.rules, state) == []  # the opening roll
    while not state["over"][0]:
        apply_move(GAME.rules, state, int(rng.choice(legal_moves(GAME, state))))
        found = [] if state["over"][0] else chance_outcomes(GAME.rules, state)
        assert state["over"][0] or (len(found) == 21 and sum(share for share, _ in found) == pytest.approx(1))
        for share, other in found:
            seen.add((round(36 * share), *other["dice"][0].tolist()))
            other["dice"] = state["dice"]
            assert repr(other[0]) == repr(state[0])
    assert seen == {(1 if a == b else 2, a, b) for a in range(1, 7) for b in range(1, a + 1)}


@pytest.mark.parametrize(("game", "head"), [(GAME, "outcomes"), (ENDING, "value")], ids=["start", "ending"])
def test_an_exact_target_is_the_mean_over_the_rolls_of_the_best_reply(game: Game, head: str) -> None:
    player = Player(game, outputs=head, exact=0.0)
    td, flip = player.td, player.td.flip
    net = training(game, outputs=head).net(td.kept["weights"])
    chooser, outputs, compared = Chooser(game, find_player(game, net)), td.shape[-1], 0
    for _ in range(4):
        before, movers = td.kept["states"].copy(), td.kept["movers"].copy()
        _, targets, weights = player.turn()
        for i in np.flatnonzero(weights)[:3]:
            total = np.zeros(outputs)
            for share, state in chance_outcomes(game.rules, before[i : i + 1]):
                seat = int(state["turn"][0])
                apply_move(game.rules, state, chooser.choose(state))
                if state["over"][0]:
                    value = np.zeros(outputs, np.float32)
                    game.learning.outcome(records(state)[0], int(movers[i]), td.terms[0]["head"], value)
                else:
                    value = said(td, state, seat)
                    if seat != movers[i]:
                        value = np.where(flip[1], 1 - value[flip[0]], value[flip[0]])
                total += share * value
            if total.any():
                np.testing.assert_allclose(targets[i], total, atol=1e-5)
                compared += 1
    assert compared > 5


def said(td, state: np.ndarray, seat: int) -> np.ndarray:
    """What the network says of a state."""
    size, scratch = td.shape[0], scratch_for(td.shape)
    index, value = np.zeros(size, np.int64), np.zeros(size, np.float32)
    n = GAME.learning.inputs(records(state)[0], seat, td.terms[0]["encoding"], index, value)
    scratch[index[:n]] = value[:n]
    at = call_kernel(forward, records(td.player)[0], td.kept["weights"], scratch)
    return np.array([sigmoid(scratch[at + k]) for k in range(td.shape[-1])])


def test_targets_are_exact_from_a_share_of_the_training_on() -> None:
    exact = [training(exact=0.5).turn(number).exact for number in range(40)]
    assert exact == [number >= 20 for number in range(40)]
    assert all(training(exact=0.0, turns=10).turn(number).exact for number in range(10))
    assert not any(training(turns=10).turn(number).exact for number in range(10))


# Learning.


@pytest.mark.parametrize("options", [{"trace": 0.7}, {"exact": 0.0}], ids=["trace", "exact"])
def test_a_short_training_learns(options: dict) -> None:
    game = name_game("backgammon:start=hypergammon,scoring=single")
    more = {"layers": "16", "games": 64, "turns": 500, "minibatch": 32, "minibatch_end": 32, "rate": 3e-3}
    more |= {"average": 1e-2, "step_turns": 50, "benchmark_pairs": 200, "curve_every": 1}
    curves = run_to_end(training(game, **more | options)).curves()[1]
    won, loss = curves["benchmark.player.won"][0], curves["network.loss"][0]
    assert won[-1] > 0.72 and won[-1] > won[0] + 0.1 and loss[-1] < loss[0] - 0.02


# A simulated GPU.


@pytest.mark.parametrize(
    "options", [{"trace": 0.6}, {"exact": 0.3}, {"trace": 0.5, "exact": 0.0}, {"teacher": ""}], ids=str
)
def test_a_simulated_gpu_has_the_same_targets(options: dict, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    if "teacher" in options:
        from sparring.nets.files import save_net

        path = tmp_path / "teacher.safetensors"
        save_net(path, training(ENDING, layers="6").champions()[0])
        options = {"teacher": str(path)}
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-W", "ignore", __file__, json.dumps(options)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def continued(options: dict) -> None:
    """Half of a training on cores, the rest on both: the same games, and weights and rings that differ by rounding."""
    from sparring.arena.backends import use_backend

    here, there = (training(ENDING, turns=12, step_turns=2, **options) for _ in range(2))
    for _ in range(3):
        here.advance()
    there.resume(3, {name: array.copy() for name, array in here.arrays().items()})
    run_to_end(here)
    with use_backend("cuda"), np.errstate(over="ignore"):
        run_to_end(there)
    mine, other = here.arrays(), there.arrays()
    assert mine.keys() == other.keys() and there.learning[0].engine
    for name in (
        "deals",
        "movers",
        "states",
        "updates",
        *(f"ring.{name}" for name in ("rows", "seats", "ends", "places")),
    ):
        if f"0/{name}" in mine:
            assert mine[f"0/{name}"].tobytes() == other[f"0/{name}"].tobytes(), name
    for name in ("weights", "average", "mean", "ring.targets"):
        if f"0/{name}" in mine:
            np.testing.assert_allclose(other[f"0/{name}"], mine[f"0/{name}"], rtol=1e-3, atol=2e-5, err_msg=name)


# Errors.


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        (
            "golf",
            {"exact": 0.5},
            "learner.exact = 0.5: is for two seats with perfect information that list what chance",
        ),
        ("backgammon", {"trace": 1.5}, "learner.trace = 1.5: must be from 0 to 1"),
        ("backgammon", {"trace": 0.5, "teacher": "deep"}, "learner.trace = 0.5: must be 0 with a teacher"),
        ("backgammon", {"exact": 0.5, "teacher": "deep"}, "learner.exact = 0.5: must be 1 with a teacher"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(game: str, options: dict, words: str) -> None:
    with pytest.raises(UserError) as error:
        build_experiment({"game": game, "learner": {"name": "deep-td", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)


if __name__ == "__main__":
    continued(json.loads(sys.argv[1]))
