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
    "policy": "net+saturating",  # neat-python's sigmoid in double precision: outputs of large sums are equal
    "deals": "generation",  # a generation plays the same deals; the study does not say whether the next plays others
    "champion": "ever",  # as neat-python returns it
}
READINGS: dict[str, tuple[str, dict[str, Any]]] = {  # other readings of what the study leaves open
    "sums": ("outputs compared as sums, which never saturate", {"policy": "net"}),
    "last": ("champion of the last generation", {"champion": "last"}),
    "run-deals": ("the same ten deals in all generations", {"deals": "run"}),
    "proportional": (
        "parents in proportion to fitness, as the text says",
        {"survival_threshold": 1.0, "parent_selection": "fitness"},
    ),
    "all-parents": ("everyone may be a parent", {"survival_threshold": 1.0}),
    "few-games": ("five games per evaluation", {"games": 5}),
    "many-games": ("twenty games per evaluation", {"games": 20}),
    "narrow": ("initial weights and biases N(0, 0.1)", {"weight_init_stdev": 0.1, "bias_init_stdev": 0.1}),
    "wide": ("initial weights N(0, 3)", {"weight_init_stdev": 3.0}),
    "unconnected": ("networks start unconnected", {"initial_connection": "unconnected"}),
    "half": ("networks start with half of the connections", {"initial_connection": "partial_direct 0.5"}),
    "mean-score": ("fitness by the mean of both scores", {"fitness": "score"}),
}
FURTHER: dict[str, tuple[str, dict[str, Any]]] = {  # section 9: varied opponents, and a larger population
    "member": ("against another member", {"opponents": ["member"], "fitness": "score", "games": 5}),
    "fame": ("against the hall of fame", {"opponents": ["hall-of-fame"], "fitness": "score", "games": 5}),
    "greedier": ("against greedier", {"opponents": ["greedier-published"], "fitness": "score", "games": 5}),
    "varied": (
        "against itself, a member, the hall of fame and greedier",
        {"opponents": ["self", "member", "hall-of-fame", "greedier-published"], "fitness": "score", "games": 3},
    ),
    "large": ("population of 150", {"pop_size": 150}),
    "long": ("200 generations", {"generations": 200}),
}


def learner(encoding: str, generations: int, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """The learner section of an experiment."""
    table = {"name": "neat", "encoding": encoding, "generations": generations}
    return table | PUBLISHED | EXAMPLE | OPEN | (changes or {})
