"""Recorded hands of gin rummy, played by the rules' kernels with the cards of the record, and their results."""

from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError
from sparring.games.game import Game, apply_move, start_game
from sparring.games.gin import rules
from sparring.games.gin.cards import card_name
from sparring.games.gin.melds import deadwood, lay_off, melds_of
from sparring.games.gin.rules import DRAW, FIRST, KNOCK, KNOCKING, PASS, PASSES, STOCK, THROW

NOBODY = -1


class Turn(NamedTuple):
    """A card drawn and a card thrown; or PASS without cards, which leaves the first upcard."""

    source: int
    drawn: int = -1
    thrown: int = -1
    knocks: bool = False


LEFT = Turn(PASS)


class Hand(NamedTuple):
    """A hand as it was dealt and played."""

    starter: int
    dealt: tuple[int, int]  # the cards of each seat
    upcard: int
    turns: tuple[Turn, ...]

    def draws_itself(self, number: int) -> bool:
        """Whether the draw of a turn was automatic, after both seats had left the first upcard."""
        return number == PASSES and self.turns[:PASSES] == (LEFT,) * PASSES


class Result(NamedTuple):
    """The result of a hand."""

    knocker: int  # or NOBODY, as for the winner
    deadwood: tuple[int, int]  # after laying off
    laid_off: int  # cards
    winner: int
    points: int


def result_of(hands: tuple[int, int], knocker: int, rules: Any) -> Result:
    """The result of two final hands."""
    left, laid = [int(deadwood(hand)) for hand in hands], 0
    if knocker == NOBODY:
        return Result(NOBODY, (left[0], left[1]), 0, NOBODY, 0)
    mine, other = left[knocker], 1 - knocker
    if rules["laying_off"] and mine:
        laid, left[other] = map(int, lay_off(melds_of(hands[knocker]), hands[other]))
    ahead = left[other] - mine
    if not mine:
        winner, points = knocker, ahead + int(rules["gin"])
    elif ahead < 0 or (rules["ties"] and ahead == 0):
        winner, points = other, int(rules["undercut"]) - ahead
    else:
        winner, points = knocker, ahead
    return Result(knocker, (left[0], left[1]), laid, winner if points else NOBODY, points)


def dealt_state(game: Game, hand: Hand, turns_before: int) -> np.ndarray:
    """A game of this hand alone, before its first turn."""
    state = start_game(game, 0, 0, 0, 2)
    s: Any = state[0]
    s["starter"] = s["turn"] = hand.starter
    s["hand"], s["upcard"], s["pile"] = hand.dealt, hand.upcard, 1 << hand.upcard
    lying = hand.dealt[0] | hand.dealt[1] | 1 << hand.upcard
    stock = [card for card in range(rules.CARDS) if not lying >> card & 1]
    s["stock"][: len(stock)] = stock
    s["rules"]["target"], s["tally"]["turns"] = 0, turns_before
    return state


def play_turn(state: np.ndarray, turn: Turn) -> None:
    """Play a turn of the seat to move; a UserError says why the rules forbid it."""
    s: Any = state[0]
    if s["over"]:
        raise UserError("the hand is over already")
    if turn.source != PASS:
        _draw(state, turn.source, turn.drawn)
        _throw(state, turn)
        return
    if s["phase"] != FIRST:
        raise UserError("only the first upcard can be left, by each seat once, and only under rules=full")
    apply_move(rules, state, PASS)
    if s["phase"] == THROW:  # the draw that follows is part of the next turn
        s["hand"][s["turn"]] &= ~(1 << int(s["drawn"]))
        s["stock_size"] += 1
        s["phase"], s["drawn"] = DRAW, -1


def _draw(state: np.ndarray, source: int, card: int) -> None:
    """Draw this card; the one that the kernel draws from the stock changes places with it."""
    s: Any = state[0]
    if source != STOCK:
        if s["passes"] == PASSES and not s["hand_turns"]:
            raise UserError("both have left the upcard: the card comes from the stock")
        if card != s["upcard"]:
            raise UserError(f"the upcard is {card_name(s['upcard'])}, not {card_name(card)}")
        apply_move(rules, state, source)
        return
    if s["phase"] == FIRST:
        raise UserError("the first upcard is taken or left before anyone draws from the stock")
    found = np.flatnonzero(s["stock"][: s["stock_size"]] == card)
    if not len(found):
        raise UserError(f"{card_name(card)} is not in the stock")
    top = int(s["stock_size"]) - 1
    s["stock"][[found[0], top]] = s["stock"][[top, found[0]]]
    apply_move(rules, state, source)


def _throw(state: np.ndarray, turn: Turn) -> None:
    s: Any = state[0]
    card, name, hand = turn.thrown, card_name(turn.thrown), int(s["hand"][s["turn"]])
    if not hand >> card & 1:
        raise UserError(f"{name} is not in the hand of seat {s['turn']}")
    if turn.source != STOCK and card == turn.drawn:
        raise UserError(f"{name} was just taken: an upcard may not be thrown straight back")
    left, free = int(deadwood(hand & ~(1 << card))), s["rules"]["free"]
    if turn.knocks and left > KNOCKING:
        raise UserError(f"cannot knock with {left}; {KNOCKING} is the most")
    if not turn.knocks and left <= KNOCKING and not free:
        raise UserError(f"{left} is left, which is a knock under these rules: the turn ends with '!'")
    apply_move(rules, state, card + KNOCK if turn.knocks and free else card)
