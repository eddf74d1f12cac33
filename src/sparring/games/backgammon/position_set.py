"""Positions with the value of every play, by which a player is rated in seconds.

A set is a safetensors file: boards (the mover's side first), dice, the kind of each position, and the equities of all legal plays
in the order of the rules, by two judges. `benchmarks/backgammon_positions.py` makes it from games that no network has learned from:
by a search of the network `deep`, two plies deep, and by its rollouts where the best plays of the search are close.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from sparring.errors import UserError, cut
from sparring.games.backgammon import rules
from sparring.games.backgammon.plays import CHECKERS, MOST_PLAYS, PLACES, plays
from sparring.games.backgammon.rules import NOBODY

KINDS = ("opening", "contact", "holding game", "back game", "race", "bear-off")
JUDGES = ("2-ply", "rollout")
SHIPPED = Path(__file__).with_name("positions-3.safetensors")
UNIT = 1e-4  # points: equities are stored as whole numbers of these
NONE = -(2**15)  # stands for the equity of a play that is not rolled out


@dataclass(frozen=True)
class PositionSet:
    """Positions to decide. `first[i]` is where the equities of position i begin."""

    boards: np.ndarray
    dice: np.ndarray
    kinds: np.ndarray
    first: np.ndarray
    equities: np.ndarray

    def __len__(self) -> int:
        return len(self.boards)

    @cached_property
    def kind_names(self) -> np.ndarray:
        """The kind of each position in words."""
        return np.asarray(np.array(KINDS)[self.kinds])

    def state(self, number: int) -> np.ndarray:
        """A position as a state in which seat 0 has to play."""
        state = np.zeros(1, rules.State)
        s: Any = state[0]
        s["board"] = s["rules"]["board"] = s["rules"]["later"] = self.boards[number]
        s["dice"], s["cube"], s["owner"] = self.dice[number], 1, NOBODY
        s["luck"] = number + 1
        return state

    def losses(self, number: int) -> dict[int, float]:
        """What each legal play loses, in points, compared with the best."""
        legal = legal_plays(self.boards[number], self.dice[number])
        values = self.equities[self.first[number] : self.first[number + 1]] * UNIT
        return dict(zip(legal, (values.max() - values).tolist(), strict=True))


def legal_plays(board: np.ndarray, dice: Sequence[int]) -> list[int]:
    """The legal plays of seat 0."""
    out = np.empty(MOST_PLAYS, np.int64)
    return [int(move) for move in out[: plays(board.copy(), 0, int(dice[0]), int(dice[1]), out)]]


def by_rollouts(first: np.ndarray, equities: np.ndarray, rollouts: np.ndarray) -> np.ndarray:
    """The equities of rollouts. A play that was not rolled out stays as far behind the best play of the search as it was."""
    found = np.where(rollouts == NONE, equities, rollouts).astype(np.int64)
    for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        best = begin + int(equities[begin:end].argmax())
        if rollouts[best] != NONE:
            others = rollouts[begin:end] == NONE
            found[begin:end][others] += int(rollouts[best]) - int(equities[best])
    return found


def read_set(judge: str = "", path: Path = SHIPPED) -> PositionSet:
    """Read a set with the equities of a judge, at first `2-ply`; a UserError says what is wrong with it."""
    if judge and judge not in JUDGES:
        raise UserError(f"judge {cut(judge)}: must be {' or '.join(JUDGES)}")
    try:
        found = load_file(path)
    except (OSError, SafetensorError) as error:
        raise UserError(f"{path}: not a set of positions: {str(error)[:80]}") from None
    names = ("boards", "dice", "kinds", "counts", "equities", "rollouts")
    if sorted(found) != sorted(names):
        raise UserError(f"{path}: not a set of positions, which has {', '.join(names)}")
    boards, dice, kinds, counts, equities, rollouts = (found[name] for name in names)
    count = len(boards)
    wrong = {
        "boards": boards.shape[1:] != (2, PLACES) or (boards < 0).any() or (boards.sum(axis=2) > CHECKERS).any(),
        "dice": dice.shape != (count, 2) or ((dice < 1) | (dice > 6)).any() or (dice[:, 0] < dice[:, 1]).any(),
        "kinds": kinds.shape != (count,) or ((kinds < 0) | (kinds >= len(KINDS))).any(),
        "rollouts": rollouts.shape != equities.shape,
        "counts": counts.shape != (count,) or (counts < 1).any() or counts.sum(dtype=np.int64) != len(equities),
    }
    fault = next((name for name, is_wrong in wrong.items() if is_wrong), "")
    if fault:
        raise UserError(f"{path}: its {fault} are not those of a set of positions")
    first = np.cumsum([0, *counts.tolist()])
    values = by_rollouts(first, equities, rollouts) if judge == "rollout" else equities
    return PositionSet(boards, dice, kinds, first, values)
