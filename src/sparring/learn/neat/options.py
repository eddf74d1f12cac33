"""NEAT's options, under neat-python's names, and which of them contradict each other.

Defaults are neat-python's usual ones, but a run does not end at a fitness.
"""

from dataclasses import dataclass
from typing import Any

from sparring.errors import UserError
from sparring.kernel.network import ACTIVATIONS
from sparring.nets.genome import AGGREGATIONS, MOST_HIDDEN
from sparring.options import nearest, option

CONNECTIONS = (
    "unconnected", "fs_neat", "fs_neat_nohidden", "fs_neat_hidden", "full", "full_nodirect", "full_direct", "partial",
    "partial_nodirect", "partial_direct",
)  # fmt: skip
INIT_TYPES = ("gaussian", "normal", "uniform")
LARGEST = 1e6  # of weights and the like
REFUSED = ("product", "max", "min", "maxabs", "median")  # aggregations of neat-python
CROSSOVERS = ("innovations", "ends")
SUMS_ALONE = "must be sum or mean: a first layer is kept as sums, so that games add only what a move changes"


@dataclass(frozen=True)
class NeatOptions:
    """The options of NEAT's genetics."""

    fitness_criterion: str = option(
        "max", "fitness of a generation that is compared with the threshold", choices=("max", "min", "mean")
    )
    fitness_threshold: float = option(100.0, "a run ends when the criterion reaches this", -1e300, 1e300)
    no_fitness_termination: bool = option(True, "continue at any fitness")
    pop_size: int = option(100, "genomes in a generation", 2, 1_000_000)
    reset_on_extinction: bool = option(True, "start again when the last species has died out; otherwise stop")

    num_hidden: int = option(0, "hidden nodes of the initial genomes", 0, MOST_HIDDEN)
    initial_connection: str = option("full", "connections of the initial genomes")
    feed_forward: bool = option(True, "networks without cycles; otherwise recurrent ones, for tasks that are not games")
    single_structural_mutation: bool = option(False, "at most one structural mutation per child")
    structural_mutation_surer: str = option(
        "default", "an impossible structural mutation is replaced by another", choices=("default", "true", "false")
    )
    conn_add_prob: float = option(0.3, "probability that a child gets a new connection", 0, 1)
    conn_delete_prob: float = option(0.3, "probability that a child loses a connection", 0, 1)
    node_add_prob: float = option(0.3, "probability that a connection of a child is split by a new node", 0, 1)
    node_delete_prob: float = option(0.3, "probability that a child loses a hidden node", 0, 1)
    compatibility_disjoint_coefficient: float = option(1.0, "distance for a gene that only one genome has", 0, LARGEST)
    compatibility_weight_coefficient: float = option(
        1.0, "distance for a difference of 1 in matching genes", 0, LARGEST
    )

    activation_default: str = option("sigmoid", "activation of new nodes, or random", choices=(*ACTIVATIONS, "random"))
    activation_options: tuple[str, ...] = option(("sigmoid",), "activations that nodes may have")
    activation_mutate_rate: float = option(0.0, "probability that a node redraws its activation", 0, 1)
    aggregation_default: str = option("sum", "aggregation of new nodes, or random", choices=(*AGGREGATIONS, "random"))
    aggregation_options: tuple[str, ...] = option(("sum",), "aggregations that nodes may have: sum, mean")
    aggregation_mutate_rate: float = option(0.0, "probability that a node redraws its aggregation", 0, 1)

    bias_init_mean: float = option(0.0, "mean of initial biases", -LARGEST, LARGEST)
    bias_init_stdev: float = option(1.0, "standard deviation of initial biases", 0, LARGEST)
    bias_init_type: str = option("gaussian", "distribution of initial biases", choices=INIT_TYPES)
    bias_replace_rate: float = option(0.1, "probability that a bias is redrawn", 0, 1)
    bias_mutate_rate: float = option(0.9, "probability that noise is added to a bias", 0, 1)
    bias_mutate_power: float = option(0.5, "standard deviation of that noise", 0, LARGEST)
    bias_max_value: float = option(30.0, "largest bias", -LARGEST, LARGEST)
    bias_min_value: float = option(-30.0, "smallest bias", -LARGEST, LARGEST)

    response_init_mean: float = option(1.0, "mean of initial responses", -LARGEST, LARGEST)
    response_init_stdev: float = option(0.0, "standard deviation of initial responses", 0, LARGEST)
    response_init_type: str = option("gaussian", "distribution of initial responses", choices=INIT_TYPES)
    response_replace_rate: float = option(0.0, "probability that a response is redrawn", 0, 1)
    response_mutate_rate: float = option(0.0, "probability that noise is added to a response", 0, 1)
    response_mutate_power: float = option(0.0, "standard deviation of that noise", 0, LARGEST)
    response_max_value: float = option(1.0, "largest response", -LARGEST, LARGEST)
    response_min_value: float = option(1.0, "smallest response", -LARGEST, LARGEST)

    weight_init_mean: float = option(0.0, "mean of initial weights", -LARGEST, LARGEST)
    weight_init_stdev: float = option(1.0, "standard deviation of initial weights", 0, LARGEST)
    weight_init_type: str = option("gaussian", "distribution of initial weights", choices=INIT_TYPES)
    weight_replace_rate: float = option(0.1, "probability that a weight is redrawn", 0, 1)
    weight_mutate_rate: float = option(0.9, "probability that noise is added to a weight", 0, 1)
    weight_mutate_power: float = option(0.5, "standard deviation of that noise", 0, LARGEST)
    weight_max_value: float = option(30.0, "largest weight", -LARGEST, LARGEST)
    weight_min_value: float = option(-30.0, "smallest weight", -LARGEST, LARGEST)

    enabled_default: str = option("true", "whether new connections are enabled", choices=("true", "false", "random"))
    enabled_mutate_rate: float = option(0.1, "probability that a connection's enabled flag is redrawn", 0, 1)
    enabled_rate_to_true_add: float = option(0.0, "added to that probability if a connection is disabled", -1, 1)
    enabled_rate_to_false_add: float = option(0.0, "added to that probability if a connection is enabled", -1, 1)

    compatibility_threshold: float = option(3.0, "genomes nearer than this belong to one species", 0, LARGEST)
    species_fitness_func: str = option(
        "mean", "a species' fitness as a function of its genomes'", choices=("mean", "max", "min", "median", "median2")
    )
    max_stagnation: int = option(15, "generations without improvement after which a species dies out", 1, 10_000_000)
    species_elitism: int = option(0, "number of best species that never die out by stagnation", 0, 1_000_000)
    elitism: int = option(1, "number of best genomes of a species that survive unchanged", 0, 1_000_000)
    survival_threshold: float = option(0.2, "share of a species that may be parents", 0, 1)
    min_species_size: int = option(2, "minimum size of a species in the next generation", 1, 1_000_000)

    exact_size: bool = option(True, "every generation has exactly pop_size genomes; otherwise about as many")
    mating: float = option(1.0, "share of children with two parents", 0, 1)
    parent_selection: str = option(
        "even", "parents are drawn evenly or in proportion to their fitness", choices=("even", "fitness")
    )
    crossover: str = option(
        "innovations", "genes are matched by innovation, or by ends as in neat-python before 1.0", choices=CROSSOVERS
    )
    speciation: bool = option(True, "divide genomes into species; otherwise all genomes are one species")
    recur_only_prob: float = option(
        0.0,
        "share of new connections that must close a cycle, as in Stanley's program; 0: any may, as in neat-python",
        0,
        1,
    )


def check_neat(options: NeatOptions, place: str = "learner.") -> None:
    """Refuse options that contradict each other."""
    for _, fault in contradictions(options):
        raise UserError(f"{place}{fault}")


def connection(options: NeatOptions) -> tuple[str, float]:
    """How first genomes are connected, and which share of the connections they get."""
    kind, _, share = options.initial_connection.partition(" ")
    return kind, float(share) if share else 1.0


def contradictions(options: NeatOptions) -> list[tuple[str, str]]:
    """Options that do not go together, each as its name and what is wrong with it."""
    found = []

    def refuse(name: str, why: str) -> None:
        value = getattr(options, name)
        found.append((name, f"{name} = {' '.join(value) if isinstance(value, tuple) else value}: {why}"))

    if options.feed_forward and options.recur_only_prob:
        refuse("recur_only_prob", "must be 0 with feed_forward = true")
    _check_connection(options, refuse)
    for name, known in (("activation", ACTIVATIONS), ("aggregation", AGGREGATIONS)):
        _check_choice(options, name, known, refuse)
    for name in ("bias", "response", "weight"):
        least = getattr(options, f"{name}_min_value")
        if getattr(options, f"{name}_max_value") < least:
            refuse(f"{name}_max_value", f"must be no less than {name}_min_value = {least:g}")
    for name in ("elitism", "min_species_size"):
        if getattr(options, name) > options.pop_size:
            refuse(name, f"must be no more than pop_size = {options.pop_size}")
    return found


def _check_connection(options: NeatOptions, refuse: Any) -> None:
    kind, _, share = options.initial_connection.partition(" ")
    if kind not in CONNECTIONS:
        refuse("initial_connection", f"must be one of {', '.join(CONNECTIONS)}")
    elif kind.startswith("partial"):
        try:
            within = 0 <= float(share) <= 1
        except ValueError:
            within = False
        if not within:
            refuse("initial_connection", f"must be {kind} and a share from 0 to 1, such as {kind} 0.5")
    elif share:
        refuse("initial_connection", f"must be {kind} alone: only partial ones have a share")


def _check_choice(options: NeatOptions, name: str, known: tuple[str, ...], refuse: Any) -> None:
    offered, default = getattr(options, f"{name}_options"), getattr(options, f"{name}_default")
    key = f"{name}_options"
    for word in offered:
        if name == "aggregation" and word in REFUSED:
            refuse(key, SUMS_ALONE)
        elif word not in known:
            refuse(key, f"unknown {name} {word}; {nearest(word, list(known))}")
        elif offered.count(word) > 1:
            refuse(key, f"{word} is there twice")
    if not offered:
        refuse(key, f"must name an {name}")
    elif default != "random" and default not in offered:
        refuse(f"{name}_default", f"must be one of {key} = {' '.join(offered)}")
