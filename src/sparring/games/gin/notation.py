"""Gin rummy moves in words, and as people type them: `stock`, `up`, `pass`, `Kd`, `Kd knock`."""

from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.deck import CARDS
from sparring.games.gin import rules
from sparring.games.gin.cards import card_name, cards_of, read_card
from sparring.games.gin.melds import deadwood
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD
from sparring.kernel.records import records

DRAWS = {
    STOCK: ("stock", "s", "draw", "d"),
    UPCARD: ("up", "u", "upcard", "take", "t"),
    PASS: ("pass", "p", "leave", "l"),
}
KNOCKS = ("knock", "k", "gin", "g", "!")
TO_DRAW = {FIRST: "up takes the upcard, pass leaves it", rules.DRAW: "stock or up"}


def move_words(s: Any, move: int) -> str:
    """A move in words: `throws Kd and knocks with 8`."""
    if s["phase"] != THROW:
        words = {STOCK: "draws from the stock", PASS: "leaves the upcard"}
        return words.get(move) or f"takes the upcard {card_name(s['upcard'])}"
    card = move % CARDS
    left = left_without(s, card)
    knocks = move >= KNOCK if s["rules"]["free"] else left <= KNOCKING
    return f"throws {card_name(card)}" + (f" and {knock_words(left)}" if knocks else "")


def knock_words(left: int) -> str:
    """A knock in words."""
    return f"knocks with {left}" if left else "goes gin"


def left_without(s: Any, card: int) -> int:
    """The deadwood of the seat to move without a card."""
    return int(deadwood(int(s["hand"][s["turn"]]) & ~(1 << card)))


def read_words(s: Any, text: str) -> int:
    """The legal move that a text names; a UserError says why there is none."""
    words = text.lower().replace("10", "t").split()
    if s["phase"] == THROW:
        return _read_throw(s, words, text)
    move = next((move for move, names in DRAWS.items() if words and words[0] in names and len(words) == 1), None)
    if move is None:
        raise UserError(f"{text}: draw a card first: {TO_DRAW[int(s['phase'])]}")
    if move not in _offered(s):
        why = "only the first upcard can be left" if move == PASS else "the first upcard is offered"
        raise UserError(f"{text}: {why}: {TO_DRAW[int(s['phase'])]}")
    return move


def _offered(s: Any) -> list[int]:
    out = np.empty(2 * CARDS, np.int16)
    count = rules.moves(records(np.array([s], rules.State))[0], out)
    return out[:count].tolist()  # type: ignore[no-any-return]


def _read_throw(s: Any, words: list[str], text: str) -> int:
    """A card to throw, and whether to knock."""
    cards = [word for word in words if word not in KNOCKS]
    if len(cards) != 1 or len(words) > 2:
        raise UserError(f"{text}: type the card to throw, such as Kd, or Kd knock")
    card, knocks = read_card(cards[0], text), len(words) == 2
    name, left = card_name(card), left_without(s, card)
    if card not in cards_of(s["hand"][s["turn"]]):
        raise UserError(f"{text}: {name} is not in your hand")
    if card not in _offered(s):
        raise UserError(f"{text}: you have just taken {name}: an upcard may not be thrown straight back")
    if knocks and left > KNOCKING:
        raise UserError(f"{text}: {left} would be left; {KNOCKING} is the most to knock with")
    return card + (KNOCK if knocks and s["rules"]["free"] else 0)
