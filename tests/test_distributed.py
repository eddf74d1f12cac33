"""Trials apart: whatever company a trial is trained in, and by whom, it is the same."""

import numpy as np
import pytest

import tiny_game
from sparring.games import find_game
from sparring.learn import LEARNERS
from sparring.learn.distributed import joined, part, train_part

FEW = {
    "coevolution": ("golf", {"epochs": 4, "curve_every": 2, "hidden": 2, "benchmark_pairs": 1, "snapshots": 2}),
    "hill-climbing": ("golf", {"challenges": 4, "curve_every": 2, "hidden": 2, "benchmark_pairs": 1, "start": 0.1}),
    "td": ("golf", {"games": 16, "step_games": 4, "curve_every": 2, "hidden": 2, "benchmark_pairs": 1, "average": 1.0}),
    "td of two": ("golf", {"games": 16, "step_games": 4, "duel": 1, "hidden": 2, "benchmark_pairs": 1, "snapshots": 2}),
    "td-batch": ("backgammon", {"games": 4, "turns": 8, "step_turns": 2, "curve_every": 2, "hidden": 2, "benchmark_pairs": 1}),
    "deep-td": (
        "backgammon",
        {"games": 4, "turns": 8, "step_turns": 2, "curve_every": 2, "layers": "2-3", "minibatch": 2, "minibatch_end": 4,
         "benchmark_pairs": 1, "revive": 2},
    ),
    "expert-iteration": (
        tiny_game.GAME.name,
        {"games": 16, "step_games": 4, "curve_every": 2, "layers": "2-3", "searches": 2, "share": 1.0, "worlds": 2, "moves": 2,
         "replay": 2, "corrections": 2, "minibatch": 2, "benchmark_pairs": 1},
    ),
    "neat": ("golf", {"generations": 4, "pop_size": 6, "games": 1, "benchmark_pairs": 1}),
    "neat of two": ("golf", {"generations": 4, "pop_size": 6, "games": 1, "opponents": ("rivals",), "benchmark_pairs": 1}),
    "evolution-strategies": ("golf", {"generations": 4, "population": 4, "pairs": 1, "curve_every": 2, "benchmark_pairs": 1}),
    "curriculum": (
        "hearts",
        {"stages": ("play", "pass"), "games": (40,), "step_games": 20, "hidden": 3, "curve_every": 1, "exam_games": 20,
         "benchmark_games": 4},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FEW)
def test_trials_trained_apart_are_what_they_are_together(name: str) -> None:
    game_name, few = FEW[name]
    game, (options_class, kind) = find_game(game_name), LEARNERS[name.split()[0]]
    options = options_class(**few)
    together, apart = kind(game, options, 1, 3), kind(game, options, 1, 3)
    assert together.steps == 4
    games = [together.advance() for _ in range(4)]
    apart.advance()
    shares = [np.array([0, 1]), np.array([2])]
    parts, played = [], 0
    for share in shares:
        mine = part(apart, apart.arrays(), share)
        arrays, count = train_part(kind, game.name, options, 1, 1, 3, 2, int(share[0]), len(share), mine)
        parts.append(arrays)
        played += count
    apart.restore(4, joined(apart, parts, shares))
    assert played == sum(games[1:])
    found, expected = apart.arrays(), together.arrays()
    assert list(found) == list(expected)
    for array in expected:
        assert found[array].dtype == expected[array].dtype and found[array].tobytes() == expected[array].tobytes(), (
            array
        )


def test_a_trial_that_has_reached_its_end_is_the_same_beside_one_that_has_not() -> None:
    """NEAT's solved trials stay as they were, in every curve, however long others go on."""
    options = LEARNERS["neat"][0](
        generations=5, pop_size=6, games=1, benchmark_pairs=2, fitness_threshold=-205.0, no_fitness_termination=False
    )
    several, game = LEARNERS["neat"][1](find_game("golf"), options, 1, 4), find_game("golf")
    while several.step < several.steps:
        several.advance()
    ends = several.arrays()["solved"]
    assert len(set(ends.tolist())) > 1, "some trials end sooner than others"
    for trial in range(4):
        alone = LEARNERS["neat"][1](game, options, 1, 1, None, trial)
        while alone.step < alone.steps:
            alone.advance()
        for name, values in alone.curves()[1].items():
            assert np.array_equal(values[0], several.curves()[1][name][trial]), (trial, name)
