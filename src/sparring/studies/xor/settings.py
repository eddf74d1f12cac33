"""The paper's parameters under the names of neat-python, and the parameters of neat-python's own example."""

from dataclasses import replace

from sparring.learn.neat.options import NeatOptions

# From the paper: the population, the weight coefficient and the threshold of the distance, how often weights are perturbed
# (0.8 x 0.9) and replaced (0.8 x 0.1), new nodes, stagnation, two species that never die out, a quarter of the children
# without mating, and a bias that is an input. The paper perturbs uniformly and does not give the range.
#
# Different from the paper: neat-python divides a distance by the number of genes, which the paper does not do for genomes this
# small, so disjoint genes count fourfold; connections are added with probability 0.6 instead of 0.05, and adding a disabled
# connection enables it; a species has at least five genomes, so that each has a champion; the best 30% may be parents.
PAPER = NeatOptions(
    pop_size=150, initial_connection="full", compatibility_disjoint_coefficient=4.0,
    compatibility_weight_coefficient=0.4, compatibility_threshold=3.0, weight_mutate_rate=0.72,
    weight_replace_rate=0.08, weight_mutate_power=1.5, node_add_prob=0.03, node_delete_prob=0.0, conn_add_prob=0.6,
    conn_delete_prob=0.0, structural_mutation_surer="true", enabled_mutate_rate=0.0, bias_init_stdev=0.0,
    bias_mutate_rate=0.0, bias_replace_rate=0.0, species_fitness_func="max", max_stagnation=15, species_elitism=2,
    elitism=1, min_species_size=5, survival_threshold=0.3, mating=0.75,
)  # fmt: skip

# The paper's ablations. "No growth" has a layer of ten hidden nodes; random starts have ten, with three of ten possible
# connections, and so have populations without species, which would be all alike without them.
RANDOM = replace(PAPER, num_hidden=10, initial_connection="partial_direct 0.3")
FIXED = replace(PAPER, num_hidden=10, initial_connection="full_nodirect", node_add_prob=0.0, conn_add_prob=0.0)
RARE = replace(PAPER, weight_mutate_rate=0.1, weight_replace_rate=0.01)
VARIANTS = {
    "full": PAPER,
    "no mating": replace(PAPER, mating=0.0),
    "full, rare mutation": RARE,
    "no mating, rare mutation": replace(RARE, mating=0.0),
    "random starts": RANDOM,
    "no speciation": replace(RANDOM, speciation=False),
    "no speciation, minimal starts": replace(PAPER, speciation=False),
    "no growth": FIXED,
    "no growth, direct connections": replace(FIXED, initial_connection="full_direct"),
}

# neat-python's example for exclusive or (examples/xor/config-feedforward).
STOCK = NeatOptions(
    pop_size=150, fitness_threshold=3.9, reset_on_extinction=False, bias_mutate_rate=0.7,
    compatibility_weight_coefficient=0.5, conn_add_prob=0.5, conn_delete_prob=0.5, enabled_mutate_rate=0.01,
    node_add_prob=0.2, node_delete_prob=0.2, response_min_value=-30.0, response_max_value=30.0,
    weight_mutate_rate=0.8, species_fitness_func="max", max_stagnation=20, species_elitism=2, elitism=2,
)  # fmt: skip

# Two poles without velocities. From the paper: the population, the weight coefficient and the threshold of the distance, new
# nodes. From the authors' program: initial weights from -1 to 1, a fifth of new connections recurrent, the best 40% as parents, and
# noise of 1.8 / sqrt(3). Different: connections are added with 0.9 instead of 0.3, because we try one place and the program twenty;
# weights are perturbed with 0.3 and replaced with 0.05 each, because the program leaves many children's weights as they are.
POLES = replace(
    PAPER, pop_size=1000, feed_forward=False, recur_only_prob=0.2, compatibility_weight_coefficient=3.0,
    compatibility_threshold=4.0, conn_add_prob=0.9, weight_init_type="uniform", weight_init_stdev=0.5,
    weight_mutate_rate=0.3, weight_replace_rate=0.05, weight_mutate_power=1.04, survival_threshold=0.4,
)  # fmt: skip
