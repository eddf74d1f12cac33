"""Options as kernels read them, and the random streams of children."""

import numpy as np

from sparring.kernel.network import ACTIVATIONS
from sparring.kernel.records import records
from sparring.learn.neat.options import NeatOptions
from sparring.nets.genome import AGGREGATIONS

RANDOM = -1  # in place of a default
PARENTS, CROSSOVER, STRUCTURE, ATTRIBUTES, START = range(5)  # purposes of a child's streams

# How a number of a gene is initialised and changes.
NUMBER = (
    "init_mean", "init_stdev", "uniform", "replace_rate", "mutate_rate", "mutate_power", "max_value", "min_value",
)  # fmt: skip
Number = np.dtype([(name, np.float64) for name in NUMBER])
# A property of a node that is one of several choices.
CHOICE = [("default", np.int64), ("mutate_rate", np.float64), ("count", np.int64)]
Choice = np.dtype([*CHOICE, ("options", np.int64, (len(ACTIVATIONS),))])
CHANCES = (
    "conn_add_prob", "conn_delete_prob", "node_add_prob", "node_delete_prob", "compatibility_disjoint_coefficient",
    "compatibility_weight_coefficient", "enabled_mutate_rate", "enabled_rate_to_true_add", "enabled_rate_to_false_add",
    "mating", "recur_only_prob",
)  # fmt: skip
Settings = np.dtype(
    [
        *((name, Number) for name in ("bias", "response", "weight")),
        *((name, Choice) for name in ("activation", "aggregation")),
        *((name, np.int64) for name in ("enabled_default", "single", "surer", "by_ends", "recurrent")),
        *((name, np.float64) for name in CHANCES),
    ],
    align=True,
)


def settings(options: NeatOptions) -> np.ndarray:
    """The options as one record."""
    found = np.zeros(1, Settings)
    for name in CHANCES:
        found[name] = getattr(options, name)
    for name in ("bias", "response", "weight"):
        for part in NUMBER:
            if part != "uniform":
                found[name][part] = getattr(options, f"{name}_{part}")
        found[name]["uniform"] = getattr(options, f"{name}_init_type") == "uniform"
    for name, known in (("activation", ACTIVATIONS), ("aggregation", AGGREGATIONS)):
        offered = [known.index(word) for word in getattr(options, f"{name}_options")]
        default = getattr(options, f"{name}_default")
        found[name]["default"] = RANDOM if default == "random" else known.index(default)
        found[name]["mutate_rate"] = getattr(options, f"{name}_mutate_rate")
        found[name]["count"] = len(offered)
        found[name]["options"][0, : len(offered)] = offered
    found["enabled_default"] = {"true": 1, "false": 0, "random": RANDOM}[options.enabled_default]
    found["single"], found["recurrent"] = options.single_structural_mutation, not options.feed_forward
    found["by_ends"] = options.crossover == "ends"
    surer = options.structural_mutation_surer
    found["surer"] = options.single_structural_mutation if surer == "default" else surer == "true"
    return records(found)
