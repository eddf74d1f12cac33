"""Checks states of unfinished games that are read from files."""

import numpy as np

from sparring.games.backgammon.rules import BAR, TURN_LIMIT


def check_state(states: np.ndarray, template: np.ndarray) -> str:
    """What is wrong with one of these states, in a few words; empty if nothing is."""
    board, dice, tally = states["board"], states["dice"], states["tally"]
    checkers = np.sort(template[0]["rules"]["board"].sum(axis=1))
    shared = (board[:, 0, 1:BAR] > 0) & (board[:, 1, BAR - 1 : 0 : -1] > 0)
    counted = [field for field in tally.dtype.names or () if field != "turns"]
    faults = {
        "a wrong number of checkers": (board < 0).any() or (np.sort(board.sum(axis=2)) != checkers).any(),
        "both sides on one point": shared.any(),
        "dice that cannot be rolled": ((dice < 1) | (dice > 6)).any() or (dice[:, 0] < dice[:, 1]).any(),
        "more turns than a game can have": ((tally["turns"] < 0) | (tally["turns"] >= TURN_LIMIT)).any(),
        "a score before its end": any((tally[field] != 0).any() for field in counted),
    }
    return next((fault for fault, found in faults.items() if found), "")
