"""NEAT as the golf study used it: section 5.5.2, and neat-python's XOR example where the study gives no value.

Six of the study's eight probabilities and its two elites are those of `config-feedforward` in neat-python's XOR example,
so the missing values are taken from there too.
"""

from typing import Any

PUBLISHED: dict[str, Any] = {
    "pop_size": 30, "num_hidden": 0, "conn_add_prob": 0.5, "conn_delete_prob": 0.3, "node_add_prob": 0.5,
    "node_delete_prob": 0.2, "weight_mutate_rate": 0.8, "weight_replace_rate": 0.1, "bias_mutate_rate": 0.7,
    "bias_replace_rate": 0.1, "elitism": 2, "opponents": ["self"], "games": 10, "fitness": "lower-score",
    "benchmark_pairs": 5,
}  # fmt: skip
EXAMPLE: dict[str, Any] = {
    "initial_connection": "full", "activation_default": "sigmoid", "weight_init_stdev": 1.0,
    "weight_mutate_power": 0.5, "weight_max_value": 30.0, "weight_min_value": -30.0, "bias_init_stdev": 1.0,
    "bias_mutate_power": 0.5, "bias_max_value": 30.0, "bias_min_value": -30.0, "enabled_mutate_rate": 0.01,
    "compatibility_threshold": 3.0, "compatibility_disjoint_coefficient": 1.0,
    "compatibility_weight_coefficient": 0.5, "species_fitness_func": "max", "max_stagnation": 20,
    "species_elitism": 2, "survival_threshold": 0.2, "min_species_size": 2,
}  # fmt: skip
OPEN: dict[str, Any] = {
    "deals": "generation",  # a generation plays the same deals; the study does not say whether the next plays others
    "champion": "ever",  # as neat-python returns it
}


def learner(encoding: str, generations: int) -> dict[str, Any]:
    """The learner section of an experiment."""
    return {"name": "neat", "encoding": encoding, "generations": generations} | PUBLISHED | EXAMPLE | OPEN
