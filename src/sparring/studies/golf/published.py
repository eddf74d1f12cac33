"""The published figures of the golf study, read from published.toml."""

import numpy as np

from sparring.studies import read_data

DATA = read_data("golf", "published")
INPUTS = tuple(DATA["inputs"])  # in the order of the study's tables
MEASURES = tuple(DATA["measures"])
SHARES = ("won", "rounds_ended")  # measures that are shares
NEAT = tuple(f"neat-{name}" for name in INPUTS)
FINAL_ROWS = (*INPUTS, *NEAT, "random")
TITLES = {"hand": "one hot hand", "state-hand": "one hot state and hand", "state": "one hot state"}
TITLES |= {f"neat-{name}": f"NEAT, {title}" for name, title in TITLES.items()}


def players(name: str, opponent: str = "random") -> np.ndarray:
    """The five measures of every published player of an input, (players, 5)."""
    return np.array(DATA[f"against_{opponent}"][name])
