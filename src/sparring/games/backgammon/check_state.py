"""Checks states of unfinished games that are read from files."""

import numpy as np

from sparring.games.backgammon.plays import BAR
from sparring.games.backgammon.rules import (
    BEFORE_ROLL,
    LARGEST,
    LONG_MATCH,
    MAX_MOVES,
    MOVE_LIMIT,
    NOBODY,
    OVER,
    PLAYING,
    RESIGNED,
)

IN_MATCHES = ("score", "gammons", "backgammons", "left", "pips", "games", "cube", "doubles", "drops")


def check_state(states: np.ndarray, template: np.ndarray) -> str:
    """What is wrong with one of these states, in a few words; empty if nothing is."""
    board, dice, tally = states["board"], states["dice"], states["tally"]
    rules = template[0]["rules"]
    sides = np.sort(board.sum(axis=2))
    dealt = [np.sort(rules[start].sum(axis=1)) for start in ("board", "later")]
    shared = (board[:, 0, 1:BAR] > 0) & (board[:, 1, BAR - 1 : 0 : -1] > 0)
    rolled = states["phase"] == PLAYING
    wrong_dice = ((dice < 1) | (dice > 6)).any(axis=1) | (dice[:, 0] < dice[:, 1])
    made, turns = states["made"], tally["turns"]
    limit = MAX_MOVES if rules["length"] > LONG_MATCH else MOVE_LIMIT
    faults = {
        "a wrong number of checkers": (board < 0).any()
        or not np.any([(sides == start).all(axis=1) for start in dealt], axis=0).all(),
        "both sides on one point": shared.any(),
        "dice that cannot be rolled": (wrong_dice & rolled).any() or (dice[~rolled] != 0).any(),
        "more turns than a game can have": ((turns < 0) | (turns > made) | (made >= limit)).any(),
        "a cube that cannot be": _wrong_cube(states, bool(rules["doubling"])).any(),
        "a decision that its rules do not have": _wrong_phase(states, rules).any(),
        "a score before its end": _wrong_score(states, int(rules["length"])),
    }
    return next((fault for fault, found in faults.items() if found), "")


def _wrong_cube(states: np.ndarray, doubling: bool) -> np.ndarray:
    cube, owner = states["cube"], states["owner"]
    most = LARGEST if doubling else 1
    known = np.isin(cube, 2 ** np.arange(LARGEST.bit_length())) & (cube <= most)
    return np.asarray(~known | ~np.isin(owner, (NOBODY, 0, 1)) | ((cube == 1) != (owner == NOBODY)))


def _wrong_phase(states: np.ndarray, rules: np.void) -> np.ndarray:
    phase, offered = states["phase"], states["offered"]
    last = RESIGNED if rules["resign"] else RESIGNED - 1 if rules["doubling"] else PLAYING
    wrong = (phase < PLAYING) | (phase > last) | (offered < 0) | (offered > 3) | ((phase == RESIGNED) & (offered == 0))
    return np.asarray(wrong | ((phase > BEFORE_ROLL) & (phase < RESIGNED) & (not rules["doubling"])))


def _wrong_score(states: np.ndarray, length: int) -> bool:
    """Whether something is counted that only the end of a game, or of a match's games, can bring."""
    tally, points, crawford = states["tally"], states["points"], states["crawford"]
    if length == 0:
        early = [field for field in IN_MATCHES if field not in ("doubles", "drops")]
        return any((tally[field] != 0).any() for field in early) or (points != 0).any() or (crawford != 0).any()
    outside = (points < 0) | (points >= length) | (tally["score"][:, :2] != points)
    negative = any((tally[field] < 0).any() for field in IN_MATCHES)
    return bool(outside.any() or negative or ((crawford < 0) | (crawford > OVER)).any())
