"""Double pole balancing: a cart on a track with two poles, which a recurrent network must keep upright.

Wieland, "Evolving neural network controllers for unstable systems" (1991), with the numbers of Stanley and Miikkulainen (2002)
and, where the paper has none, of their program: the scale of the inputs, a bias input of 0.5, and no friction between cart and
track. The network sets a force every 0.02 seconds, which are two steps of Runge and Kutta. A state is the place and the speed of
the cart, the angle and the rate of the long pole, and the angle and the rate of the short one.
"""

import math
from typing import NamedTuple

import numpy as np

from sparring.kernel.compiler import inline_kernel, kernel
from sparring.nets.genome import Genomes, express_all
from sparring.nets.graph import output_unit, step_network

SECONDS = 0.01  # of a step of Runge and Kutta
GRAVITY, CART, FORCE, HINGE = 9.8, 1.0, 10.0, 2e-6  # m/s², kg, the largest force in N, the friction of a hinge
HALF_LENGTHS, MASSES = (0.5, 0.05), (0.1, 0.01)  # of the poles, in m and kg
TRACK, TILT = 2.4, math.radians(36)  # farthest from the middle, in m, and from upright
START = np.array([0.0, 0.0, math.radians(4.5), 0.0, 0.0, 0.0])
LONG, SHORT = 100_000, 1000  # time steps of a solution, and of other tests
DAMPED = 100  # last steps whose movements Gruau's fitness counts
SCALES = np.array([4.8, 2.0, 0.52, 2.0, 0.52, 2.0])  # by which inputs are divided
BIAS = 0.5
WITH, WITHOUT = np.arange(6), np.array([0, 2, 4])  # what the network sees of a state, with and without velocities
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # of each range, for the starting states of the generalisation test
RANGES = (2.16, 1.35, math.radians(3.6), math.radians(8.6))


class Balanced(NamedTuple):
    """The time steps that each genome balanced the poles, and how much the long pole and the cart moved in the last ones."""

    steps: np.ndarray
    movement: np.ndarray

    def gruau(self) -> np.ndarray:
        """Gruau's fitness: balancing for long, and without oscillations in the end."""
        damped = np.where(self.steps > DAMPED, 0.75 / np.maximum(self.movement, 1e-300), 0.0)
        return np.asarray(0.1 * self.steps / SHORT + 0.9 * damped)


def starting_states() -> np.ndarray:
    """The 625 starting states of the generalisation test."""
    shares = np.stack(np.meshgrid(*[SHARES] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    return np.hstack([(2 * shares - 1) * RANGES, np.zeros((len(shares), 2))])


def balance(genomes: Genomes, seen: np.ndarray, most: int, starts: np.ndarray = START) -> Balanced:
    """Let every genome balance the poles for `most` time steps from one state or, a single genome, from each of several."""
    starts = np.atleast_2d(starts)
    networks = express_all(genomes, len(seen) + 1, 1, False, 1)
    count = max(len(genomes), len(starts))
    found = Balanced(np.zeros(count, np.int64), np.zeros(count))
    memory = np.empty(2 * int(networks[1].max()), np.float32), np.empty(len(seen) + 1, np.float32)
    run_poles(networks, starts, seen, most, memory, (np.empty(6), np.empty((4, 6)), np.empty(DAMPED)), found)
    return found


@kernel
def run_poles(networks, starts, seen, most, memory, physics, found):
    """Fill `found`; where there are fewer genomes or starts, the last repeats.

    `memory` has a network's units and its inputs; `physics` the state, the rates of change, and movements of the last steps.
    """
    weights, units, offsets = networks
    scratch, inputs = memory
    state, rates, moved = physics
    steps, movement = found
    for n in range(steps.shape[0]):
        g, start = min(n, units.shape[0] - 1), min(n, starts.shape[0] - 1)
        for i in range(6):
            state[i] = starts[start, i]
        for u in range(units[g]):
            scratch[u] = 0.0
        inputs[seen.shape[0]] = BIAS
        output = output_unit(weights, units[g], offsets[g], inputs.shape[0], 0)
        while steps[n] < most:
            for i in range(seen.shape[0]):
                inputs[i] = state[seen[i]] / SCALES[seen[i]]
            step_network(weights, units[g], offsets[g], inputs.shape[0], True, inputs, scratch)
            force = 2.0 * FORCE * (np.float64(scratch[output]) - 0.5)
            push(state, force, rates)
            push(state, force, rates)
            if not (abs(state[0]) <= TRACK and abs(state[2]) <= TILT and abs(state[4]) <= TILT):
                break
            moved[steps[n] % DAMPED] = abs(state[0]) + abs(state[1]) + abs(state[2]) + abs(state[3])
            steps[n] += 1
        for i in range(min(steps[n], DAMPED)):
            movement[n] += moved[i]


@kernel
def push(state, force, rates):
    """One step of Runge and Kutta under a constant force; `rates` has a row for each of the four stages."""
    for stage in range(4):
        part = 0.0 if stage == 0 else SECONDS if stage == 3 else 0.5 * SECONDS
        for i in range(6):  # the state at this stage, overwritten by its rates of change
            rates[stage, i] = state[i] + (part * rates[stage - 1, i] if stage > 0 else 0.0)
        change(force, rates, stage)
    for i in range(6):
        state[i] += SECONDS / 6.0 * (rates[0, i] + 2.0 * (rates[1, i] + rates[2, i]) + rates[3, i])


@kernel
def change(force, rates, stage):
    """Replace a state by its rates of change: Wieland's equations."""
    speed, rate, short_rate = rates[stage, 1], rates[stage, 3], rates[stage, 5]
    cosine, turn, mass, pull = pole(rates[stage, 2], rate, MASSES[0], HALF_LENGTHS[0])
    short_cosine, short_turn, short_mass, short_pull = pole(rates[stage, 4], short_rate, MASSES[1], HALF_LENGTHS[1])
    acceleration = (force + pull + short_pull) / (CART + mass + short_mass)
    rates[stage, 0], rates[stage, 2], rates[stage, 4] = speed, rate, short_rate
    rates[stage, 1] = acceleration
    rates[stage, 3] = -0.75 / HALF_LENGTHS[0] * (acceleration * cosine + turn)
    rates[stage, 5] = -0.75 / HALF_LENGTHS[1] * (acceleration * short_cosine + short_turn)


@inline_kernel
def pole(angle, rate, mass, half):
    """The cosine of a pole's angle, friction and gravity at its hinge, and its effective mass and force on the cart."""
    sine, cosine = math.sin(angle), math.cos(angle)
    turn = HINGE * rate / (mass * half) - GRAVITY * sine
    return (
        cosine,
        turn,
        mass * (1.0 - 0.75 * cosine * cosine),
        mass * (half * rate * rate * sine + 0.75 * cosine * turn),
    )
