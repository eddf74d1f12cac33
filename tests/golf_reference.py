"""Golf once more, written from its rules alone in plain lists and sets: what the compiled game is compared with.

Nothing here is fast, and nothing is shared with the compiled rules but the numbering of cards, places, moves and
inputs. Chance is handed in from outside (`chance.deal`, `chance.shuffle`), so a game recorded elsewhere can be
followed step by step.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np

DECK = 54
COLUMNS = ((0, 3), (1, 4), (2, 5))
ROUNDS, REPETITIONS, LONGEST_ROUND = 9, 5, 500
FROM_STOCK, FROM_DISCARDS = 0, 1  # moves of the draw phase
THROWN = 6  # the seventh move of the place phase; the others are places of the hand
ROUNDING = 1e-12  # equal inputs must compare equal, however a matrix product rounds its rows
SIZES = {"hand": 90, "state": 486, "state-hand": 252, "columns": 279}
PAIRS = [(low, high) for high in range(15) for low in range(high + 1)]  # what a column can show; 14 is face down


def kind(card):
    """Ace to king are 0 to 12 in each of four suits, the two jokers 13."""
    return 13 if card >= 52 else card % 13


def points(card):
    """What a card scores unless it is matched."""
    if kind(card) == 13:
        return -2
    if kind(card) == 12:
        return 0
    return min(kind(card) + 1, 10)


def raw_value(card):
    """Ace 1 to king 13, joker -1: the number a card is stored by."""
    return -1 if kind(card) == 13 else kind(card) + 1


def matched_columns(hand):
    """How many columns hold two cards of one kind."""
    return sum(kind(hand[upper]) == kind(hand[lower]) for upper, lower in COLUMNS)


def hand_score(hand):
    """Points of a finished hand: a matched column scores nothing, even two jokers."""
    unmatched = [pair for pair in COLUMNS if kind(hand[pair[0]]) != kind(hand[pair[1]])]
    return sum(points(hand[place]) for pair in unmatched for place in pair)


class Golf:
    """A game of nine rounds. The top of the stock and of the discard pile is the end of its list."""

    def __init__(self, seats, chance):
        self.seats, self.chance = seats, chance
        self.round, self.over = 0, False
        self.score = [0] * seats
        self.matches = [0] * seats
        self.ended = [0] * seats
        self.kinds = [[0] * 14 for _ in range(seats)]
        self.turns, self.stopped = 0, 0
        self.begin_round()

    def begin_round(self):
        self.hands, self.face_up, self.stock, self.discards = self.chance.deal(self.seats)
        self.turn = self.round % self.seats
        self.drawn, self.source = None, None
        self.seen = Counter()
        self.round_turns = 0
        self.first_finished = None

    def legal(self):
        if self.drawn is None:
            return [FROM_STOCK, FROM_DISCARDS]
        return list(range(6)) + ([THROWN] if self.source == FROM_STOCK else [])

    def play(self, move):
        assert move in self.legal()
        if self.drawn is None:
            self.draw(move)
        else:
            self.put(move)

    def draw(self, source):
        self.source = source
        self.drawn = (self.stock if source == FROM_STOCK else self.discards).pop()

    def put(self, place):
        given_up = self.drawn
        if place != THROWN:
            hand = self.hands[self.turn]
            given_up, hand[place] = hand[place], self.drawn
            self.face_up[self.turn][place] = True
        self.discards.append(given_up)
        self.seen[self.source, self.drawn, place, given_up] += 1
        repeated = self.seen[self.source, self.drawn, place, given_up] == REPETITIONS
        self.drawn = None
        self.end_turn(repeated)

    def end_turn(self, repeated):
        self.round_turns += 1
        if self.first_finished is None and all(self.face_up[self.turn]):
            self.first_finished = self.turn
        self.turn = (self.turn + 1) % self.seats
        if all(self.face_up[self.turn]):
            self.end_round()
        elif self.first_finished is None and (repeated or self.round_turns == LONGEST_ROUND):
            self.stopped += 1
            self.end_round()
        elif not self.stock:
            self.remake_stock()

    def remake_stock(self):
        self.stock = self.chance.shuffle(self.discards[:-1])
        self.discards = self.discards[-1:]

    def end_round(self):
        self.turns += self.round_turns
        if self.first_finished is not None:
            self.ended[self.first_finished] += 1
        for seat, hand in enumerate(self.hands):
            self.score[seat] += hand_score(hand)
            self.matches[seat] += matched_columns(hand)
            for card in hand:
                self.kinds[seat][kind(card)] += 1
        self.round += 1
        self.over = self.round == ROUNDS
        if not self.over:
            self.begin_round()

    def knowledge(self, seat):
        """What this seat knows. The card being placed is nowhere."""
        hand = [card if up else None for card, up in zip(self.hands[seat], self.face_up[seat], strict=True)]
        others = {
            card
            for other in range(self.seats)
            if other != seat
            for card, up in zip(self.hands[other], self.face_up[other], strict=True)
            if up
        }
        discarded = set(self.discards)
        mine = {card for card in hand if card is not None}
        unknown = set(range(DECK)) - others - discarded - mine - {self.drawn}
        return Knowledge(hand, others, discarded, unknown)


class Knowledge:
    """Where the cards are, to one player: its hand (None is face down), the others' face-up cards, discards, the rest."""

    def __init__(self, hand, others, discarded, unknown):
        self.hand, self.others, self.discarded, self.unknown = hand, others, discarded, unknown
        self.columns = {}

    def exchanged(self, card, place):
        """After laying `card` at `place`; a face-down card given up stays unknown, since nobody has seen it yet."""
        hand = list(self.hand)
        given_up, hand[place] = hand[place], card
        discarded = self.discarded - {card}
        if given_up is not None:
            discarded = discarded | {given_up}
        return Knowledge(hand, self.others, discarded, self.unknown - {card})

    def thrown(self, card):
        return Knowledge(self.hand, self.others, self.discarded | {card}, self.unknown)

    def dense(self, encoding):
        """The whole vector of a net's inputs."""
        inputs = np.zeros(SIZES[encoding])
        for switch in {"hand": self.hand_inputs, "state": self.state_inputs, "state-hand": self.both_inputs}[
            encoding
        ]():
            inputs[switch] = 1
        return inputs

    def hand_inputs(self):
        """Fifteen inputs a place: fourteen kinds and face down."""
        return [15 * place + (14 if card is None else kind(card)) for place, card in enumerate(self.hand)]

    def table_inputs(self):
        """Three inputs a card: in another's hand, discarded, unknown."""
        return [
            DECK * location + card
            for location, cards in enumerate((self.others, self.discarded, self.unknown))
            for card in cards
        ]

    def state_inputs(self):
        """Nine inputs a card: the table's three and the six places."""
        return self.table_inputs() + [
            DECK * (3 + place) + card for place, card in enumerate(self.hand) if card is not None
        ]

    def both_inputs(self):
        return self.table_inputs() + [3 * DECK + switch for switch in self.hand_inputs()]


class Network:
    """One hidden layer of sigmoid units and a sigmoid output, in double precision."""

    def __init__(self, weights, inputs, hidden):
        weights = np.asarray(weights, float)
        parts = np.split(weights, np.cumsum([inputs * hidden, hidden, hidden]))
        self.hidden, self.bias = parts[0].reshape(hidden, inputs), parts[1]
        self.output, self.last = parts[2], parts[3][0]

    def values(self, rows):
        return sigmoid(self.levels(rows))

    def levels(self, rows):
        """Values before the output's sigmoid: the same order, told apart even where the sigmoid is flat."""
        return sigmoid(rows @ self.hidden.T + self.bias) @ self.output + self.last


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class NetPlayer:
    """The study's fixed policy over a net's values. `slack` is how close two values must be to pass for a tie."""

    def __init__(self, network, encoding, slack):
        self.network, self.encoding, self.slack = network, encoding, slack

    def levels(self, views):
        return self.network.levels(np.array([view.dense(self.encoding) for view in views]))

    def exchanges(self, view, cards):
        """The value of every exchange: a row of six places for each card."""
        views = [view.exchanged(card, place) for card in cards for place in range(6)]
        return self.levels(views).reshape(len(cards), 6)

    def move(self, game):
        """The policy's move, and every move it might make if near-ties fell the other way."""
        view = game.knowledge(game.turn)
        if game.drawn is None:
            return self.draw(view, game.discards[-1])
        return self.place(view, game.drawn, game.source)

    def draw(self, view, upcard):
        unknown = self.exchanges(view, sorted(view.unknown)).max(axis=1)
        best = self.exchanges(view, [upcard]).max()
        present = self.levels([view])[0]

        def takes(margin):
            return 2 * np.sum(best > unknown + margin) >= len(unknown) and best > present + margin

        verdicts = [FROM_DISCARDS if takes(margin) else FROM_STOCK for margin in (ROUNDING, -self.slack, self.slack)]
        return verdicts[0], set(verdicts)

    def place(self, view, card, source):
        values = list(self.exchanges(view, [card])[0])
        place = int(np.argmax(values))
        if source == FROM_STOCK:
            values.append(self.levels([view.thrown(card)])[0])
            if values[THROWN] >= values[place] - ROUNDING:
                place = THROWN
        return place, {move for move, value in enumerate(values) if value >= max(values) - self.slack}


def shown(card):
    """What a place shows: a kind, or 14 for a face-down card."""
    return 14 if card is None else kind(card)


class ColumnPlayer:
    """A net that decides everything by what the player knows after its turn; `slack` as in NetPlayer."""

    def __init__(self, network, slack):
        self.network, self.slack, self.odds = network, slack, Sensible()

    def move(self, game):
        """The best move, and every move whose value is as good but for rounding."""
        if game.first_finished is not None:
            return self.odds.move(game)
        view = game.knowledge(game.turn)
        if game.drawn is not None:
            levels = self.levels(game, view, game.drawn, game.source == FROM_STOCK)
            moves = {move for move, level in enumerate(levels) if level >= max(levels) - self.slack}
            same = np.sum(levels > max(levels) - 1e-9) > 1  # exchanges in columns that show the same
            return None if same else int(np.argmax(levels)), moves
        taken = sigmoid(max(self.levels(game, view, game.discards[-1], False)))
        drawn = np.mean([sigmoid(max(self.levels(game, view, card, True))) for card in sorted(view.unknown)])
        if abs(taken - drawn) < self.slack:
            return None, {FROM_STOCK, FROM_DISCARDS}
        return None, {FROM_DISCARDS if taken > drawn else FROM_STOCK}

    def levels(self, game, view, card, may_throw):
        """The value of every exchange, and of throwing the card."""
        after = [(view.exchanged(card, place), view.hand[place]) for place in range(6)]
        if may_throw:
            known = view.thrown(card)
            after.append((Knowledge(known.hand, known.others, known.discarded, known.unknown - {card}), card))
        return self.network.levels(np.array([self.dense(game, view, top) for view, top in after]))

    def dense(self, game, view, top):
        """120 inputs for own columns, 120 for the next seat's, 15 for the upcard, 14 for kinds unseen, 5 and 5 for cards down."""
        others = [
            [card if up else None for card, up in zip(game.hands[seat], game.face_up[seat], strict=True)]
            for seat in [(game.turn + step) % game.seats for step in range(1, game.seats)]
        ]
        inputs = np.zeros(SIZES["columns"])
        for first, hand in ((0, view.hand), (120, others[0])):
            for upper, lower in COLUMNS:
                inputs[first + PAIRS.index(tuple(sorted((shown(hand[upper]), shown(hand[lower])))))] += 1
        inputs[240 + shown(top)] = 1
        for card in view.unknown:
            inputs[255 + kind(card)] += 1 / (2 if kind(card) == 13 else 4)
        inputs[269 + view.hand.count(None)] = 1
        inputs[274 + min(hand.count(None) for hand in others)] = 1
        return inputs


class Sensible:
    """Saves the most points this turn, by the odds of the unseen cards."""

    def move(self, game):
        view = game.knowledge(game.turn)
        if game.drawn is None:
            stock = sum(max(0, *self.saved(view, card)) for card in view.unknown)
            taken = max(self.saved(view, game.discards[-1]))
            return None, {FROM_DISCARDS if taken * len(view.unknown) > stock else FROM_STOCK}
        saved = self.saved(view, game.drawn)
        if game.source == FROM_STOCK and max(saved) <= 0:
            return None, {THROWN}
        return None, {saved.index(max(saved))}

    def saved(self, view, card):
        """What an exchange with each place is expected to save."""
        found = []
        for place in range(6):
            other = view.hand[(place + 3) % 6]
            found.append(self.column(view, view.hand[place], other) - self.column(view, card, other))
        return found

    def column(self, view, *cards):
        """Expected points of a column; None is face down. Kept for each view, because all pairs of unseen cards are tried."""
        key = tuple(map(shown, cards))
        if key not in view.columns:
            known = [card for card in cards if card is not None]
            hands = [(*known, *more) for more in permutations(view.unknown, 2 - len(known))]
            view.columns[key] = Fraction(sum(self.pair(*hand) for hand in hands), len(hands))
        return view.columns[key]

    def pair(self, one, other):
        return 0 if kind(one) == kind(other) else points(one) + points(other)


class Random:
    """Any legal move."""

    def move(self, game):
        return None, set(game.legal())


class Greedier:
    """Takes an upcard of up to six, lays it over the first higher face-up card, or else anywhere face down.

    `worth` is what the draw looks at: a card's points, or its raw value, by which a king is too high to take.
    """

    def __init__(self, worth):
        self.worth = worth

    def move(self, game):
        if game.drawn is None:
            return None, {FROM_STOCK if self.worth(game.discards[-1]) > 6 else FROM_DISCARDS}
        hand, up = game.hands[game.turn], game.face_up[game.turn]
        higher = [place for place in range(6) if up[place] and points(hand[place]) > points(game.drawn)]
        if higher:
            return None, {higher[0]}
        return None, {move for move in game.legal() if move == THROWN or not up[move]}
