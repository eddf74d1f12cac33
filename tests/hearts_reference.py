"""Hearts once more, written from its rules in words: what the compiled game is compared with.

Nothing here is fast, and nothing is shared with the compiled rules: cards are their names, as Qs for the queen of spades, and
hands, tricks and what was taken are lists of them. The deal is handed in from outside, so that a game recorded elsewhere can
be followed card by card.
"""

from collections import Counter
from dataclasses import dataclass

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
PASSES = ["left", "right", "across", None]  # in the first round, the second, the third and the fourth; then again
STEPS = {"left": 1, "right": -1, "across": 2}  # the next to play sits on the left
LONGEST = 50  # rounds


@dataclass
class Rules:
    """What is agreed before a game."""

    passing: bool = True
    moon: str = "add"
    jack: bool = False
    target: int = 100
    rounds: int | None = None  # instead of the target


def suit(card):
    return card[1]


def rank(card):
    return RANKS.index(card[0])


def is_heart(card):
    return suit(card) == "h"


def points(card):
    """A heart counts one, the queen of spades thirteen, and nothing else counts."""
    if card == "Qs":
        return 13
    return 1 if is_heart(card) else 0


class Player:
    """One of the four: what it holds, passes and has taken in this round, and what is counted over all rounds."""

    def __init__(self):
        self.score = 0
        self.counts = Counter()

    def begin_round(self, hand):
        self.hand, self.dealt = list(hand), list(hand)
        self.passed, self.taken = [], []
        self.lacks = set()  # suits that it could not follow

    def points_taken(self):
        return sum(points(card) for card in self.taken)


class Hearts:
    """A game of rounds. `deal` returns the four hands of a new round."""

    def __init__(self, rules, deal):
        self.rules, self.deal = rules, deal
        self.players = [Player() for _ in range(4)]
        self.rounds, self.over = 0, False
        self.begin_round()

    def begin_round(self):
        for player, hand in zip(self.players, self.deal(), strict=True):
            player.begin_round(hand)
        self.direction = PASSES[self.rounds % 4] if self.rules.passing else None
        self.trick, self.tricks_played, self.broken = [], 0, False
        self.passing = self.direction is not None
        self.turn = 0 if self.passing else self.opener()

    def opener(self):
        """The seat that holds the two of clubs."""
        return next(seat for seat, player in enumerate(self.players) if "2c" in player.hand)

    def legal(self):
        player = self.players[self.turn]
        if self.passing:
            return [card for card in player.hand if card not in player.passed]
        return self.may_follow(player.hand) if self.trick else self.may_lead(player.hand)

    def may_lead(self, hand):
        """The two of clubs leads the first trick; a heart leads when hearts are broken, or by who has nothing else."""
        if self.tricks_played == 0:
            return ["2c"]
        if self.broken or all(map(is_heart, hand)):
            return list(hand)
        return [card for card in hand if not is_heart(card)]

    def may_follow(self, hand):
        """Suit is followed; who cannot plays anything, but in the first trick no points, unless there is nothing else."""
        led = suit(self.trick[0][1])
        if any(suit(card) == led for card in hand):
            return [card for card in hand if suit(card) == led]
        if self.tricks_played == 0 and not all(points(card) > 0 for card in hand):
            return [card for card in hand if points(card) == 0]
        return list(hand)

    def play(self, card):
        assert card in self.legal()
        if self.passing:
            self.choose_to_pass(card)
        else:
            self.put_down(card)

    def choose_to_pass(self, card):
        """Three cards are chosen by each in turn; nobody sees what is passed before all have chosen."""
        self.players[self.turn].passed.append(card)
        if len(self.players[self.turn].passed) == 3:
            self.turn += 1
        if self.turn == 4:
            self.exchange()
            self.passing = False
            self.turn = self.opener()

    def exchange(self):
        for player in self.players:
            player.hand = [card for card in player.hand if card not in player.passed]
        for seat, player in enumerate(self.players):
            self.players[(seat + STEPS[self.direction]) % 4].hand += player.passed

    def put_down(self, card):
        player = self.players[self.turn]
        player.hand.remove(card)
        self.trick.append((self.turn, card))
        led = suit(self.trick[0][1])
        if suit(card) != led:
            player.lacks.add(led)
        if is_heart(card):
            self.broken = True
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            self.end_trick()

    def end_trick(self):
        """The highest card of the suit led takes it, and who takes it leads."""
        led = suit(self.trick[0][1])
        _, winner = max((rank(card), seat) for seat, card in self.trick if suit(card) == led)
        self.players[winner].taken += [card for _, card in self.trick]
        self.players[winner].counts["tricks"] += 1
        self.trick = []
        self.tricks_played += 1
        self.turn = winner
        if self.tricks_played == 13:
            self.end_round()

    def end_round(self):
        self.rounds += 1
        for player, won in zip(self.players, self.round_scores(), strict=True):
            player.score += won
            player.counts["taken"] += player.points_taken()
            player.counts["moons"] += player.points_taken() == 26
            player.counts["queens"] += "Qs" in player.taken
            player.counts["clean"] += player.points_taken() == 0
        self.over = self.is_over()
        if not self.over:
            self.begin_round()

    def round_scores(self):
        """What the round adds to each score: points, or what a moon is worth; the jack of diamonds apart from that."""
        taken = [player.points_taken() for player in self.players]
        if 26 in taken and self.rules.moon == "add":
            taken = [0 if number == 26 else 26 for number in taken]
        if 26 in taken and self.rules.moon == "subtract":
            taken = [-number for number in taken]
        jacks = [10 if self.rules.jack and "Jd" in player.taken else 0 for player in self.players]
        return [number - jack for number, jack in zip(taken, jacks, strict=True)]

    def is_over(self):
        if self.rules.rounds is not None:
            return self.rounds == self.rules.rounds
        return self.rounds == LONGEST or max(player.score for player in self.players) >= self.rules.target
