"""The paper's parameters in the words of neat-python, and those of neat-python's own example."""

from dataclasses import replace

from sparring.learn.neat.options import NeatOptions

# As the paper has them: the population, the weights' part of the distance and its threshold, how often weights are perturbed
# (0.8 x 0.9) and replaced (0.8 x 0.1), new nodes, stagnation, the two best species that never die out so, a quarter of the
# children without mating, and a bias that is an input. Perturbations are uniform there; their spread is not told.
#
# Otherwise: a distance here is divided by the number of genes, which it is not there in genomes as small as these, so genes
# that only one genome has count fourfold; connections are added with 0.6, not 0.05, and adding one that is disabled enables it;
# species have at least five genomes, so that each has a champion, and the best three of ten may be parents.
PAPER = NeatOptions(
    pop_size=150,
    initial_connection="full",
    compatibility_disjoint_coefficient=4.0,
    compatibility_weight_coefficient=0.4,
    compatibility_threshold=3.0,
    weight_mutate_rate=0.72,
    weight_replace_rate=0.08,
    weight_mutate_power=1.5,
    node_add_prob=0.03,
    node_delete_prob=0.0,
    conn_add_prob=0.6,
    conn_delete_prob=0.0,
    structural_mutation_surer="true",
    enabled_mutate_rate=0.0,
    bias_init_stdev=0.0,
    bias_mutate_rate=0.0,
    bias_replace_rate=0.0,
    species_fitness_func="max",
    max_stagnation=15,
    species_elitism=2,
    elitism=1,
    min_species_size=5,
    survival_threshold=0.3,
    mating=0.75,
)

FIXED = replace(PAPER, initial_connection="full_direct", node_add_prob=0.0, conn_add_prob=0.0)

# The paper's ablations. Without growth there are ten hidden nodes, all connected; random starts have up to as many.
VARIANTS = {
    "full": PAPER,
    "no growth": replace(FIXED, num_hidden=10),
    "no growth, two hidden nodes": replace(FIXED, num_hidden=2),
    "random starts": replace(PAPER, num_hidden=10, initial_connection="partial_direct 0.3"),
    "no speciation": replace(PAPER, num_hidden=10, initial_connection="partial_direct 0.3", speciation=False),
    "no speciation, minimal starts": replace(PAPER, speciation=False),
    "no mating": replace(PAPER, mating=0.0),
}

# neat-python's example for exclusive or (examples/xor/config-feedforward).
STOCK = NeatOptions(
    pop_size=150,
    fitness_threshold=3.9,
    reset_on_extinction=False,
    bias_mutate_rate=0.7,
    compatibility_weight_coefficient=0.5,
    conn_add_prob=0.5,
    conn_delete_prob=0.5,
    enabled_mutate_rate=0.01,
    node_add_prob=0.2,
    node_delete_prob=0.2,
    response_min_value=-30.0,
    response_max_value=30.0,
    weight_mutate_rate=0.8,
    species_fitness_func="max",
    max_stagnation=20,
    species_elitism=2,
    elitism=2,
)
