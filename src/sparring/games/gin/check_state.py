"""Checks states of unfinished games that are read from files."""

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.gin.rules import FIRST, HAND, PASSES, THROW, UPCARD

BITS = np.arange(CARDS)


def held(cards: np.ndarray) -> np.ndarray:
    """Sets of cards as a 0 or 1 for each card; more for a set that has others."""
    return np.where((cards >> CARDS != 0)[..., None], CARDS, cards[..., None] >> BITS & 1)


def check_state(states: np.ndarray, template: np.ndarray) -> str:
    """What is wrong with one of these states, in a few words; empty if nothing is."""
    phase, size, upcard, drawn = (states[name] for name in ("phase", "stock_size", "upcard", "drawn"))
    throwing, mover, offered = phase == THROW, np.arange(2) == states["turn"][:, None], states["rules"]["offered"] != 0
    hand, known, pile = held(states["hand"]), held(states["known"]), held(states["pile"])
    stock = np.where(size[:, None] > BITS, states["stock"], -1)
    open_card = ~throwing | (states["source"] != UPCARD)
    faults = {
        "cards missing or twice": (hand.sum(axis=1) + pile + (stock[..., None] == BITS).sum(axis=1) != 1).any(),
        "a wrong phase": ((phase < FIRST) | (phase > THROW) | (states["source"] >> 1 != 0)).any(),
        "a wrong number of cards in hand": (hand.sum(axis=2) != HAND + (mover & throwing[:, None])).any(),
        "a card that was seen and is not held": (known > hand).any(),
        "a card thrown that is not there": (states["thrown"] >> CARDS != 0).any(),
        "a wrong upcard": (upcard != np.where(open_card, np.clip(upcard, 0, CARDS - 1), -1)).any()
        or (open_card & (pile[np.arange(len(pile)), upcard % CARDS] != 1)).any(),
        "a card drawn at the wrong time": (drawn != np.where(throwing, np.clip(drawn, 0, CARDS - 1), -1)).any()
        or (throwing & (hand[np.arange(len(hand)), states["turn"], drawn % CARDS] != 1)).any(),
        "an empty stock": ((size < ~throwing) | (size > CARDS)).any(),
        "an offer that is over": (
            (phase == FIRST) & ~(offered & (states["passes"] >= 0) & (states["passes"] < PASSES))
        ).any(),
        "more turns than a game can have": (
            (states["tally"]["turns"] < 0) | (states["tally"]["turns"] >= states["rules"]["limit"])
        ).any(),
    }
    return next((fault for fault, found in faults.items() if found), "")
