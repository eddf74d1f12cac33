"""The published figures: Stanley and Miikkulainen (2002), sections 4.1 and 4.4.

The ablations are of another task, balancing two poles with velocities. An evaluation is one network evaluated.
"""

RUNS = 100
SOLVED = 100
GENERATIONS = 32.0
WORST = 90
HIDDEN = 2.35
CONNECTIONS = 7.48  # enabled ones
EVALUATIONS = 4755  # on average

# Evaluations on average and share of failures.
ABLATIONS = {
    "full": (3600, 0.0),
    "no growth": (30239, 0.80),
    "random starts": (23033, 0.05),
    "no speciation": (25600, 0.25),
    "no mating": (5557, 0.0),
}
