"""A hand of gin rummy played in plain Python, to check notation and to show replays.

It implements the rules independently of the kernels; only melds come from a kernel (melds.py).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sparring.errors import UserError
from sparring.games.deck import CARDS
from sparring.games.gin.cards import card_name
from sparring.games.gin.melds import deadwood, lay_off, melds_of
from sparring.games.gin.rules import KNOCKING, LONGEST_HAND, PASS, PASSES, STOCK, WALL

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

    @property
    def undercut(self) -> bool:
        """Whether the opponent of the knocker won."""
        return self.winner not in (NOBODY, self.knocker)


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


@dataclass
class Table:
    """The cards on the table. A turn that the rules forbid is a UserError."""

    rules: Any
    hands: list[int]
    upcard: int  # or -1 while someone holds it
    turn: int
    turns_before: int = 0  # of earlier hands
    pile: int = 0  # the discards, the upcard among them
    turns: int = 0
    passes: int = 0
    knocker: int = NOBODY
    over: bool = False
    stock: int = field(init=False)

    @classmethod
    def of(cls, hand: Hand, rules: Any, turns_before: int = 0) -> "Table":
        """The table before the first turn of a hand."""
        return cls(rules, list(hand.dealt), hand.upcard, hand.starter, turns_before, pile=1 << hand.upcard)

    def __post_init__(self) -> None:
        self.stock = (1 << CARDS) - 1 & ~(self.hands[0] | self.hands[1] | self.pile)

    def result(self) -> Result:
        """The result of the hand."""
        return result_of((self.hands[0], self.hands[1]), self.knocker, self.rules)

    def play(self, turn: Turn) -> None:
        """Play a turn of the seat to move."""
        if self.over:
            raise UserError("the hand is over already")
        if turn.source == PASS:
            self._leave()
        else:
            self._draw(turn.source, turn.drawn)
            self._throw(turn)
        self.turn = 1 - self.turn

    def _leave(self) -> None:
        if not self.rules["offered"] or self.turns or self.passes == PASSES:
            raise UserError("only the first upcard can be left, by each seat once, and only under rules=full")
        self.passes += 1

    def _draw(self, source: int, card: int) -> None:
        if source == STOCK:
            if self.rules["offered"] and not self.turns and self.passes < PASSES:
                raise UserError("the first upcard is taken or left before anyone draws from the stock")
            if not self.stock >> card & 1:
                raise UserError(f"{card_name(card)} is not in the stock")
            self.stock &= ~(1 << card)
        else:
            if self.passes == PASSES and not self.turns:
                raise UserError("both have left the upcard: the card comes from the stock")
            if card != self.upcard:
                raise UserError(f"the upcard is {card_name(self.upcard)}, not {card_name(card)}")
            self.pile &= ~(1 << card)
        self.hands[self.turn] |= 1 << card

    def _throw(self, turn: Turn) -> None:
        card, name = turn.thrown, card_name(turn.thrown)
        if not self.hands[self.turn] >> card & 1:
            raise UserError(f"{name} is not in the hand of seat {self.turn}")
        if turn.source != STOCK and card == turn.drawn:
            raise UserError(f"{name} was just taken: an upcard may not be thrown straight back")
        self.hands[self.turn] &= ~(1 << card)
        self.pile |= 1 << card
        self.upcard = card
        self.turns += 1
        self._knock(turn.knocks)
        self._end_turn()

    def _knock(self, knocks: bool) -> None:
        left = int(deadwood(self.hands[self.turn]))
        if knocks and left > KNOCKING:
            raise UserError(f"cannot knock with {left}; {KNOCKING} is the most")
        if not knocks and left <= KNOCKING and not self.rules["free"]:
            raise UserError(f"{left} is left, which is a knock under these rules: the turn ends with '!'")
        if knocks:
            self.knocker = self.turn

    def _end_turn(self) -> None:
        left = self.stock.bit_count()
        spent = self.turns_before + self.turns >= self.rules["limit"]
        dead = not self.rules["remade"] and (left <= WALL or self.turns >= LONGEST_HAND)
        if self.knocker != NOBODY or spent or dead:
            self.over = True
        elif left == 0:
            self.stock = self.pile & ~(1 << self.upcard)
            self.pile = 1 << self.upcard
