"""Double pole balancing: the physics by an independent integration, the fitness by hand, and what counts as a solution."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import solve_discrete_are

from sparring.learn.neat.double_pole import (
    LONG,
    SHORT,
    START,
    TILT,
    TRACK,
    WITH,
    WITHOUT,
    Balanced,
    balance,
    push,
    starting_states,
)
from sparring.nets.genome import Genomes

POLES = ((0.1, 0.5), (0.01, 0.05))  # mass, half length


def slopes(state: np.ndarray, force: float) -> np.ndarray:
    """The equations of motion by Lagrange: three unknown accelerations of uniform rods on a cart, solved as a linear system."""
    matrix, right = np.zeros((3, 3)), np.zeros(3)
    matrix[0, 0], right[0] = 1.0, force
    for n, (mass, half) in enumerate(POLES, 1):
        angle, rate = state[2 * n], state[2 * n + 1]
        matrix[0, 0] += mass
        matrix[0, n] = matrix[n, 0] = mass * half * math.cos(angle)
        matrix[n, n] = 4 / 3 * mass * half**2
        right[0] += mass * half * rate**2 * math.sin(angle)
        right[n] = mass * 9.8 * half * math.sin(angle) - 0.000002 * rate
    x, first, second = np.linalg.solve(matrix, right)
    return np.array([state[1], x, state[3], first, state[5], second])


def classic(state: np.ndarray, force: float) -> np.ndarray:
    """Runge and Kutta's step of 0.01 s."""
    h = 0.01
    a = slopes(state, force)
    b = slopes(state + h / 2 * a, force)
    c = slopes(state + h / 2 * b, force)
    d = slopes(state + h * c, force)
    return state + h / 6 * (a + 2 * b + 2 * c + d)


def gains() -> np.ndarray:
    """A linear controller that keeps both poles up, so that a thousand steps stay within bounds (Riccati)."""
    rest, tiny = np.zeros(6), 1e-6
    a = np.stack([(classic(tiny * unit, 0.0) - classic(rest, 0.0)) / tiny for unit in np.eye(6)], axis=1)
    b = ((classic(rest, tiny) - classic(rest, 0.0)) / tiny)[:, None]
    cost = solve_discrete_are(a, b, np.eye(6), np.eye(1))
    return np.asarray(np.linalg.solve(np.eye(1) + b.T @ cost @ b, b.T @ cost @ a)[0])


def test_a_thousand_steps_agree_with_an_independent_integration() -> None:
    control, state, rates = gains(), START.copy(), np.empty((4, 6))
    other, farthest = START.copy(), 0.0
    for step in range(1000):
        one, two = (math.sin(step / 7) + float(np.clip(-control @ each, -9, 9)) for each in (state, other))
        push(state, one, rates)
        other = classic(other, two)
        farthest = max(farthest, abs(other[2]))
        assert state == pytest.approx(other, abs=1e-9)
        assert abs(other[0]) < TRACK and abs(other[[2, 4]]).max() < TILT
    assert farthest > 0.07, "the poles moved"


def test_the_steps_are_short_enough() -> None:
    """Against an integration of much higher precision, for as long as errors do not grow by themselves."""
    state, rates = START.copy(), np.empty((4, 6))
    for _ in range(20):
        push(state, 3.0, rates)
    exact = solve_ivp(lambda _, y: slopes(y, 3.0), (0, 0.2), START, method="DOP853", rtol=1e-12, atol=1e-14)
    assert state == pytest.approx(exact.y[:, -1], rel=1e-4, abs=1e-5)


def controller(weights: list[float]) -> Genomes:
    """One genome: inputs directly to the output."""
    genomes = Genomes.empty(1, 1, len(weights), recurrent=True)
    genomes.node_count[:], genomes.link_count[:] = 1, len(weights)
    genomes.nodes[0, 0] = (0, 0.0, 1.0, 0, 0)
    for place, weight in enumerate(reversed(weights)):
        genomes.links[0, place] = (place - len(weights), 0, place + 1, 1, weight)
    return genomes


def by_hand(weights: list[float], seen: np.ndarray, most: int) -> tuple[int, list[float]]:
    """The steps that such a network balances, and the movement in each of them."""
    state, moved = START.copy(), []
    scales = np.array([4.8, 2, 0.52, 2, 0.52, 2])
    while len(moved) < most:
        total = float(np.dot(weights, [*(state / scales)[seen], 0.5]))
        force = 20 / (1 + math.exp(-5 * total)) - 10
        state = classic(classic(state, force), force)
        if abs(state[0]) > 2.4 or max(abs(state[2]), abs(state[4])) > math.radians(36):
            break
        moved.append(float(np.abs(state[:4]).sum()))
    return len(moved), moved


def linear() -> list[float]:
    """The controller above as a network's weights; its sigmoid is steepest, 25 N for each 1, where it is in balance."""
    return [*(-gains() * [4.8, 2, 0.52, 2, 0.52, 2] / 25 * 0.9).tolist(), 0.0]


@pytest.mark.parametrize(
    ("weights", "seen"),
    [([0.1, 0.2, 0.9, 0.4, 0.3, 0.1, -0.2], WITH), ([0.0, 3.0, -1.0, 0.0], WITHOUT), ([0.0] * 7, WITH)],
)
def test_networks_balance_for_as_long_as_by_hand(weights: list[float], seen: np.ndarray) -> None:
    wanted, moved = by_hand(weights, seen, 500)
    found = balance(controller(weights), seen, 500)
    assert found.steps.tolist() == [wanted] and wanted < 500
    assert found.movement == pytest.approx([sum(moved[-100:])], rel=1e-3)


def test_a_good_controller_balances_long_and_generalises() -> None:
    genomes = controller(linear())
    found = balance(genomes, WITH, SHORT)
    assert found.steps.tolist() == [SHORT]
    assert found.gruau() == pytest.approx([0.1 + 0.9 * 0.75 / found.movement[0]])
    assert balance(genomes, WITH, LONG).steps.tolist() == [LONG]
    solved = (balance(genomes, WITH, 200, starting_states()).steps == 200).sum()
    assert 200 < solved <= 625


def test_gruaus_fitness_ignores_movement_in_short_runs() -> None:
    found = Balanced(np.array([50, 100, 101, 1000]), np.array([1.0, 1.0, 7.5, 75.0]))
    assert found.gruau() == pytest.approx([0.005, 0.01, 0.0101 + 0.09, 0.1 + 0.009])


def test_the_starting_states_of_the_generalisation_test() -> None:
    states = starting_states()
    assert states.shape == (625, 6) and len(np.unique(states, axis=0)) == 625
    assert states.max(axis=0) == pytest.approx([1.944, 1.215, math.radians(3.24), math.radians(7.74), 0, 0])
    assert states == pytest.approx(-states[::-1]) and (np.abs(states).sum(axis=1) == 0).sum() == 1
