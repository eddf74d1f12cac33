"""A round of hearts played in plain Python, independently of the kernels, to check notation and to show replays."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sparring.errors import UserError
from sparring.games.card_names import plural
from sparring.games.deck import RANKS, SUIT
from sparring.games.hearts import rules as codes
from sparring.games.hearts.cards import card_name, hand_of
from sparring.games.hearts.rules import ALL_HEARTS, HEARTS, NONE, PASSED, POINT_CARDS, TWO_OF_CLUBS
from sparring.kernel.launch import SEATS

NOBODY = -1
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
DIRECTIONS = ("left", "right", "across", "none")  # in the order of the rules
STEPS = (1, 3, 2)  # seats to the receiver, for each direction


class Round(NamedTuple):
    """A round as it was dealt and played."""

    dealt: tuple[int, ...]  # the cards of each seat
    passed: tuple[tuple[int, ...], ...]  # each seat's cards in the order chosen; empty without passing
    played: tuple[int, ...]  # all cards in the order of play

    @property
    def moves(self) -> tuple[int, ...]:
        return (*(card for cards in self.passed for card in cards), *self.played)


class Result(NamedTuple):
    """The result of a round."""

    shooter: int  # of the moon, or NOBODY
    points: tuple[int, ...]  # of each seat


def direction_of(number: int, rules: Any) -> int:
    """The passing direction in a round, counted from 0."""
    return number % len(DIRECTIONS) if rules["passing"] else NONE


def receiver(seat: int, direction: int) -> int:
    """The seat that receives a seat's cards."""
    return (seat + STEPS[direction]) % SEATS


def penalty(cards: int) -> int:
    """The points of cards taken, without the jack of diamonds."""
    whole = int(cards)
    return (whole & ALL_HEARTS).bit_count() + codes.QUEEN_POINTS * (whole >> codes.QUEEN & 1)


def points_taken(cards: int, rules: Any) -> int:
    """The points of cards taken, with the jack of diamonds if it counts."""
    return penalty(cards) + (codes.JACK_POINTS if rules["jack"] and int(cards) >> codes.JACK & 1 else 0)


def result_of(won: list[int], rules: Any) -> Result:
    """The result of the cards that each seat has taken."""
    shooter = next((seat for seat, cards in enumerate(won) if cards & POINT_CARDS == POINT_CARDS), NOBODY)
    points = [points_taken(cards, rules) for cards in won]
    if shooter != NOBODY and rules["moon"] == codes.ADD:
        points = [
            each + (-codes.ALL_POINTS if seat == shooter else codes.ALL_POINTS) for seat, each in enumerate(points)
        ]
    elif shooter != NOBODY and rules["moon"] == codes.SUBTRACT:
        points[shooter] -= 2 * codes.ALL_POINTS
    return Result(shooter, tuple(points))


def is_over(rounds: int, score: list[int], rules: Any) -> bool:
    """Whether the game is over after this many rounds."""
    enough = rounds >= rules["rounds"] if rules["rounds"] else rounds > 0 and max(score) >= rules["target"]
    return bool(enough or rounds >= codes.LONGEST)


def refusal(hand: int, card: int, lead: int, number: int, broken: bool) -> str:
    """Why a card of a hand may not be played in trick `number` (from 0) after `lead` (or -1); empty if it may."""
    suit = card // RANKS
    if lead < 0:
        if number == 0 and card != TWO_OF_CLUBS:
            return f"the first lead is {card_name(TWO_OF_CLUBS)}"
        if suit == HEARTS and not broken and hand & ~ALL_HEARTS:
            return "hearts cannot be led before they are broken"
        return ""
    led = lead // RANKS
    if suit != led and hand >> led * RANKS & SUIT:
        return f"{SUIT_WORDS[led]} are led and must be followed"
    if number == 0 and POINT_CARDS >> card & 1 and hand & ~POINT_CARDS:
        return "no points may be played in the first trick"
    return ""


@dataclass
class Table:
    """The cards on the table. A pass or a card that the rules forbid is a UserError."""

    rules: Any
    hands: list[int]
    direction: int
    turn: int = NOBODY  # while cards are passed, and once the round is over
    leader: int = NOBODY
    number: int = 0  # of the trick
    broken: bool = False
    trick: list[int] = field(default_factory=lambda: [-1] * SEATS)  # each seat's card, or -1
    won: list[int] = field(default_factory=lambda: [0] * SEATS)  # the cards of the tricks each has taken
    tricks: list[int] = field(default_factory=lambda: [0] * SEATS)  # how many each has taken

    @classmethod
    def of(cls, dealt: tuple[int, ...], number: int, rules: Any) -> "Table":
        """The table at the beginning of a round, counted from 0."""
        table = cls(rules, list(dealt), direction_of(number, rules))
        if table.direction == NONE:
            table.begin()
        return table

    @property
    def over(self) -> bool:
        return self.number == codes.TRICKS

    def result(self) -> Result:
        """The result of the round."""
        return result_of(self.won, self.rules)

    def begin(self) -> None:
        """The holder of the two of clubs leads."""
        self.turn = self.leader = next(seat for seat, hand in enumerate(self.hands) if hand >> TWO_OF_CLUBS & 1)

    def exchange(self, passed: tuple[tuple[int, ...], ...]) -> None:
        """Pass three cards of each seat."""
        for seat, cards in enumerate(passed):
            if len(cards) != PASSED:
                raise UserError(f"seat {seat} passes {plural(len(cards), 'card')}; each seat passes {PASSED}")
            missing = next((card for card in cards if not self.hands[seat] >> card & 1), None)
            if missing is not None:
                raise UserError(f"seat {seat} cannot pass {card_name(missing)}: it is not in its hand")
        for seat, cards in enumerate(passed):
            self.hands[seat] &= ~hand_of(cards)
        for seat, cards in enumerate(passed):
            self.hands[receiver(seat, self.direction)] |= hand_of(cards)
        self.begin()

    def play(self, card: int) -> int:
        """Play a card of the seat to move; returns the seat that takes the trick, or NOBODY."""
        if self.over:
            raise UserError("the round is over already")
        seat, lead = self.turn, self.trick[self.leader]
        if not self.hands[seat] >> card & 1:
            raise UserError(f"seat {seat} cannot play {card_name(card)}: it is not in its hand")
        why = refusal(self.hands[seat], card, lead, self.number, self.broken)
        if why:
            raise UserError(f"seat {seat} cannot play {card_name(card)}: {why}")
        self.hands[seat] &= ~(1 << card)
        self.trick[seat] = card
        self.broken |= card // RANKS == HEARTS
        self.turn = (seat + 1) % SEATS
        return self._end_trick() if self.turn == self.leader else NOBODY

    def _end_trick(self) -> int:
        led = self.trick[self.leader] // RANKS
        winner = max(range(SEATS), key=lambda seat: (self.trick[seat] // RANKS == led, self.trick[seat]))
        self.won[winner] |= hand_of(self.trick)
        self.tricks[winner] += 1
        self.trick = [-1] * SEATS
        self.number += 1
        self.leader = winner
        self.turn = NOBODY if self.over else winner
        return winner
