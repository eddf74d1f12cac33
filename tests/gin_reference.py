"""Gin rummy once more, written from its rules alone in plain lists and sets: what the compiled game is compared with.

Nothing here is fast, and nothing is shared with the compiled rules but the numbering of cards, moves and inputs. Chance is
handed in from outside (`chance.deal`, `chance.shuffle`), and so is how a knocker arranges a hand that can be arranged in
several ways as well (`chance.arrange`); a game recorded elsewhere can then be followed move by move.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np

DECK = 52
STOCK, UPCARD, PASS = range(3)  # moves of who is to draw
KNOCKING = DECK  # added to the card thrown
PATIENCE = 0.03  # by how much a knock must be better than playing on
SIZES = {"cards": 52, "places": 208, "melds": 214}


def rank(card):
    """Ace 0 to king 12, in each of four suits."""
    return card % 13


def suit(card):
    return card // 13


POINTS = [min(rank(card) + 1, 10) for card in range(DECK)]


def total(cards):
    return sum([POINTS[card] for card in cards])


# Melds.


def is_set(cards):
    return len(cards) in (3, 4) and len({rank(card) for card in cards}) == 1


def is_run(cards):
    ranks = sorted(map(rank, cards))
    return len(cards) >= 3 and len({suit(card) for card in cards}) == 1 and ranks[-1] - ranks[0] == len(cards) - 1


def melds_in(hand):
    """Every set and every run that a hand holds, longer and shorter ones."""
    by_rank = defaultdict(list)
    for card in hand:
        by_rank[rank(card)].append(card)
    for alike in by_rank.values():
        for size in range(3, len(alike) + 1):
            yield from map(frozenset, combinations(alike, size))
    for first in hand:
        last = first + 1
        while last in hand and rank(last) > 0:
            if last - first >= 2:
                yield frozenset(range(first, last + 1))
            last += 1


def melds_with(card, hand):
    """Whether a card would go into a meld with cards of a hand."""
    near = {
        other for other in hand if rank(other) == rank(card) or (suit(other) == suit(card) and abs(other - card) <= 2)
    }
    return any(card in meld for meld in melds_in(near | {card}))


def highest(cards):
    return max([POINTS[card] for card in cards], default=0)


def least_deadwood(hand):
    """The fewest points outside melds, over all choices of melds that share no card."""
    return total(hand) - most_melded([(meld, total(meld)) for meld in melds_in(hand)])


def most_melded(melds):
    best = 0
    for number, (meld, worth) in enumerate(melds):
        rest = [other for other in melds[number + 1 :] if meld.isdisjoint(other[0])]
        best = max(best, worth + (most_melded(rest) if rest else 0))
    return best


def left_by(melds, hand):
    """The points that melds leave of a hand; None where they are no melds, share cards or are not in the hand."""
    melded = [card for meld in melds for card in meld]
    sound = all(is_set(meld) or is_run(meld) for meld in melds)
    within = len(set(melded)) == len(melded) and set(melded) <= hand
    return total(hand) - total(melded) if sound and within else None


def lay_offs(melds, hand):
    """Every group of cards that can be laid off on melds, one after another, the empty one among them."""
    found, waiting = set(), [(frozenset(), tuple(map(frozenset, melds)))]
    while waiting:
        laid, table = waiting.pop()
        if (laid, table) in found:
            continue
        found.add((laid, table))
        for card in hand - laid:
            for place, meld in enumerate(table):
                longer = meld | {card}
                if is_set(longer) if is_set(meld) else is_run(longer):
                    waiting.append((laid | {card}, (*table[:place], longer, *table[place + 1 :])))
    return {laid for laid, _ in found}


def best_lay_off(melds, hand):
    """What is left over at best, and how few cards must be laid off for that."""
    return min((least_deadwood(hand - laid), len(laid)) for laid in lay_offs(melds, hand))


# The game.


@dataclass
class Rules:
    """What is agreed before a game: as the study plays, unless said otherwise."""

    first_upcard_offered: bool = False
    knocking_by_choice: bool = False
    laying_off: bool = False
    stock_remade: bool = True
    gin: int = 0
    undercut: int = 0
    ties_undercut: bool = False
    match: int | None = None
    turns: int = 5000


def full_rules(match=None):
    return Rules(True, True, True, False, 25, 25, True, match)


class Gin:
    """A hand, or a match of hands. The top of the stock and of the discard pile is the end of its list."""

    def __init__(self, rules, chance):
        self.rules, self.chance = rules, chance
        self.over = False
        self.turns = self.drawn_hands = self.played = 0
        self.counts = defaultdict(lambda: [0, 0])
        self.suits, self.ranks = (Counter(), Counter()), (Counter(), Counter())
        self.begin_hand()

    def begin_hand(self):
        self.hands, self.stock, self.discards = self.chance.deal()
        self.taken = [set(), set()]  # openly, so that the other knows
        self.turn, self.hand_turns = self.played % 2, 0
        self.drawn, self.source = None, None
        self.offers = 2 if self.rules.first_upcard_offered else 0

    def legal(self):
        if self.drawn is None:
            return sorted([UPCARD, PASS if self.offers else STOCK])
        hand = self.hands[self.turn]
        cards = [card for card in hand if self.source == STOCK or card != self.drawn]
        knocks = [card for card in cards if least_deadwood(hand - {card}) <= 10]
        return sorted(cards) + sorted(KNOCKING + card for card in knocks if self.rules.knocking_by_choice)

    def play(self, move):
        if self.drawn is not None:
            self.throw(move % DECK, move >= KNOCKING)
        elif move == PASS:
            self.leave()
        else:
            self.draw(move)

    def leave(self):
        self.offers -= 1
        self.turn = 1 - self.turn
        if self.offers == 0:
            self.draw(STOCK)

    def draw(self, source):
        self.source, self.offers = source, 0
        self.drawn = (self.stock if source == STOCK else self.discards).pop()
        self.hands[self.turn].add(self.drawn)
        if source == UPCARD:
            self.taken[self.turn].add(self.drawn)

    def throw(self, card, knocks):
        hand = self.hands[self.turn]
        hand.remove(card)
        self.taken[self.turn].discard(card)
        self.discards.append(card)
        self.drawn = None
        self.turns += 1
        self.hand_turns += 1
        thrower, self.turn = self.turn, 1 - self.turn
        if knocks if self.rules.knocking_by_choice else least_deadwood(hand) <= 10:
            self.end_hand(*self.knocked(thrower))
        elif self.turns == self.rules.turns or (not self.rules.stock_remade and self.is_dead()):
            self.end_hand(None, 0, [least_deadwood(hand) for hand in self.hands])
        elif not self.stock:
            self.stock, self.discards = self.chance.shuffle(self.discards[:-1]), self.discards[-1:]

    def is_dead(self):
        """Whether nobody may go on: two cards of the stock are left, or upcards went back and forth for too long."""
        return len(self.stock) == 2 or self.hand_turns == 100

    def knocked(self, knocker):
        """Who wins a hand that ends with a knock, by how much, and what both have left."""
        other, melds = 1 - knocker, self.arranged(self.hands[knocker])
        left = [least_deadwood(hand) for hand in self.hands]
        self.counts["knocks"][knocker] += 1
        if left[knocker] == 0:
            self.counts["gins"][knocker] += 1
            return knocker, left[other] + self.rules.gin, left
        if self.rules.laying_off:
            left[other], laid = best_lay_off(melds, self.hands[other])
            self.counts["laid_off"][other] += laid
        difference = left[other] - left[knocker]
        if difference < 0 or (difference == 0 and self.rules.ties_undercut):
            self.counts["undercuts"][other] += 1
            return other, -difference + self.rules.undercut, left
        return knocker, difference, left

    def arranged(self, hand):
        melds = self.chance.arrange(hand)
        assert left_by(melds, hand) == least_deadwood(hand)
        return melds

    def end_hand(self, winner, won, left):
        self.played += 1
        if won:
            self.counts["score"][winner] += won
            self.counts["won"][winner] += 1
        else:
            self.drawn_hands += 1
        for seat, hand in enumerate(self.hands):
            self.counts["deadwood"][seat] += left[seat]
            melds = self.arranged(hand)
            self.counts["sets"][seat] += sum(map(is_set, melds))
            self.counts["runs"][seat] += sum(map(is_run, melds))
            self.suits[seat].update(map(suit, hand))
            self.ranks[seat].update(map(rank, hand))
        score = self.counts["score"]
        self.over = self.rules.match is None or max(score) >= self.rules.match or self.turns == self.rules.turns
        if not self.over:
            self.begin_hand()

    def account(self):
        """What the players owe each other at the end: points, and for matches a box of 25 for every hand won and 100 for the
        match, or 200 if the other has no point."""
        score, won = self.counts["score"], self.counts["won"]
        if self.rules.match is None:
            return score
        bonus = [(200 if score[1 - seat] == 0 else 100) if score[seat] >= self.rules.match else 0 for seat in range(2)]
        return [score[seat] + 25 * won[seat] + bonus[seat] for seat in range(2)]

    def knowledge(self):
        """What the seat whose turn it is knows."""
        mine, theirs, discarded = set(self.hands[self.turn]), set(self.taken[1 - self.turn]), set(self.discards)
        return Knowledge(mine, theirs, discarded, self.arranged)


# Nets.


class Knowledge:
    """Where the cards are, to one player: in hand, taken by the other, discarded; the rest is unknown.

    `arranged` chooses among arrangements of a hand that are as good.
    """

    def __init__(self, mine, theirs, discarded, arranged):
        self.mine, self.theirs, self.discarded, self.arranged = mine, theirs, discarded, arranged

    def unknown(self):
        return set(range(DECK)) - self.mine - self.theirs - self.discarded

    def exchanged(self, new, old):
        """After taking one card, from wherever, and throwing another, or the same."""
        return Knowledge((self.mine | {new}) - {old}, self.theirs, (self.discarded - {new}) | {old}, self.arranged)

    def inputs(self, encoding, knocks):
        """All inputs of a net, of a hand that knocks if it can, or does not."""
        dense = np.zeros(SIZES[encoding])
        places = (self.mine, self.theirs, self.discarded, self.unknown())
        for place, (cards, value) in enumerate(zip(places, (2, -2, -1, 0), strict=True)):
            for card in cards:
                if encoding == "cards":
                    dense[card] = value
                else:
                    dense[DECK * place + card] = 1
        if encoding == "melds":
            dense[4 * DECK :] = self.worth(knocks)
        return dense

    def worth(self, knocks):
        """Deadwood, whether it has knocked, whether it is gin; the unknown cards that would meld with the hand, and with its
        deadwood alone; the highest of the deadwood."""
        loose = self.mine.difference(*self.arranged(self.mine))
        left = total(loose)
        helpful = [sum(melds_with(card, held) for card in self.unknown()) for held in (self.mine, loose)]
        return [left / 25, knocks and left <= 10, left == 0, *(number / 10 for number in helpful), highest(loose) / 10]


class NetPlayer:
    """The study's fixed policy over a net's values. `slack` is how close two values must be to pass for a tie.

    `mean` takes an upcard that is better than the mean of the unknown cards, not than more than half of them; `eleven` may
    also throw the very card that was drawn from the stock; `patient` knocks with gin, else only if that is better than
    playing on by PATIENCE.
    Values are kept in `known`, which players with the same net can share.
    """

    def __init__(self, net, slack, mean=False, eleven=False, patient=False, known=None):
        self.net, self.slack, self.mean, self.eleven, self.patient = net, slack, mean, eleven, patient
        self.known = {} if known is None else known

    def value(self, view, knocks=True):
        key = frozenset(view.mine), frozenset(view.theirs), frozenset(view.discarded), knocks
        if key not in self.known:
            self.known[key] = self.net.value(view.inputs(self.net.encoding, knocks))
        return self.known[key]

    def moves(self, game):
        """The moves that the policy may make: one, or several that are as good."""
        view = game.knowledge()
        return self.draws(game, view) if game.drawn is None else self.throws(game, view)

    def best(self, view, new, old):
        return max(self.value(view.exchanged(new, card)) for card in old)

    def unknown_values(self, view):
        """What every unknown card is worth, if it is drawn."""
        return [
            self.best(view, card, view.mine | {card} if self.eleven else view.mine) for card in sorted(view.unknown())
        ]

    def draws(self, game, view):
        upcard = self.best(view, game.discards[-1], view.mine)
        others = self.unknown_values(view)
        if self.mean:
            margin = upcard - sum(others) / len(others)
            answers = {margin > 0, margin > self.slack, margin > -self.slack}
        else:
            beaten = [sum(upcard > other + slack for other in others) for slack in (0, self.slack, -self.slack)]
            answers = {2 * number > len(others) for number in beaten}
        return {UPCARD if takes else (PASS if game.offers else STOCK) for takes in answers}

    def throws(self, game, view):
        old = view.mine if self.eleven and game.source == STOCK else view.mine - {game.drawn}
        cards, value = self.best_throws(view, old, knocks=True)
        found = set()
        for card in cards:
            left = least_deadwood(view.mine - {card})
            if not game.rules.knocking_by_choice or left > 10:
                found.add(card)
            elif left == 0 or not self.patient:
                found.add(card + KNOCKING)
            else:
                found |= self.waits(view, old, card, value)
        return found

    def waits(self, view, old, card, value):
        """Playing on, or the knock with this card."""
        cards, without = self.best_throws(view, old, knocks=False)
        margin = value - without - PATIENCE
        on = {other if least_deadwood(view.mine - {other}) else other + KNOCKING for other in cards}
        return (on if margin < self.slack else set()) | ({card + KNOCKING} if margin > -self.slack else set())

    def best_throws(self, view, old, knocks):
        """The card that leaves the best hand, and those that are as good; with that hand's value."""
        values = {card: self.value(view.exchanged(card, card), knocks) for card in old}
        most = max(values.values())
        return [card for card, value in values.items() if value >= most - self.slack], most


class Random:
    """Any legal move."""

    def moves(self, game):
        return set(game.legal())
