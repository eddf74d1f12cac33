"""What chance could have brought before a decision, by the kernel `Rules.chance`."""

import numpy as np

from sparring.games.game import Rules
from sparring.kernel.records import call_kernel, records


def chance_outcomes(rules: Rules, state: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """What chance could have brought just before the decision in a state, as probabilities and states.

    Empty where nothing was left to chance, and for games that do not list it.
    """
    found: list[tuple[float, np.ndarray]] = []
    if rules.chance is None:
        return found
    for number in range(rules.chances):
        other = state.copy()
        if probability := call_kernel(rules.chance, records(other)[0], number):
            found.append((probability, other))
    return found if len(found) > 1 else []
