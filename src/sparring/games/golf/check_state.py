"""Checks states of unfinished games that are read from files."""

import numpy as np

from sparring.games.golf.rules import CARDS, DRAW, LONGEST, ROUNDS, TURN_LIMIT


def check_state(states: np.ndarray, template: np.ndarray) -> str:
    """What is wrong with one of these states, in a few words; empty if nothing is."""
    seats, count, ender, turn = states["seats"][:, None], states["turn_count"], states["ender"], states["turn"]
    drawing, place = states["phase"] == DRAW, np.arange(CARDS)
    has_seat = np.arange(states["hand"].shape[1])[:, None] < seats[:, None]
    piles = [np.where(place < states[f"{pile}_size"][:, None], states[pile], -1) for pile in ("stock", "discard")]
    hands = np.where(has_seat, states["hand"], -1).reshape(len(states), -1)
    cards = np.sort(np.concatenate([*piles, hands, states["drawn"][:, None]], axis=1), axis=1)
    left = np.where(ender < 0, 1, (ender - turn) % states["seats"])  # turns until the round is over, at least
    faults = {
        "cards missing or twice": (cards[:, :-CARDS] != -1).any() or (cards[:, -CARDS:] != place).any(),
        "a wrong phase": ((states["phase"] | states["source"] | states["revealed"]) >> 1 != 0).any()
        or (states["up"] >> 1 != 0).any(),
        "a card drawn at the wrong time": ((states["drawn"] < 0) != drawing).any(),
        "an empty pile": (drawing & ((states["stock_size"] < 1) | (states["discard_size"] < 1))).any(),
        "a wrong round": ((states["round_number"] < 0) | (states["round_number"] >= ROUNDS)).any(),
        "a wrong seat that ends it": ((ender < -1) | (ender >= states["seats"]) | (ender == turn)).any(),
        "more turns than a round can have": (
            (count < 0) | (count + left > np.where(ender < 0, TURN_LIMIT, LONGEST))
        ).any(),
    }
    return next((fault for fault, found in faults.items() if found), "")
