"""Why a gin rummy network chose its move: the values of the hands it could have made, under its policy variant."""

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.explain import AFTER, NOW, Decision, Evaluator, MoveValues, NetEvaluator, dense, shown
from sparring.games.gin import encodings
from sparring.games.gin.cards import cards_of
from sparring.games.gin.explain_table import table_values
from sparring.games.gin.melds import deadwood
from sparring.games.gin.nets import PATIENCE
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD

# Policy variants with each refinement.
MEAN = {"net+mean", "net+mean-eleven", "net+patient"}
ELEVEN = {"net+eleven", "net+mean-eleven", "net+patient"}
PATIENT = {"net+patient"}
VALUE = "what the network expects to win, from 0 to 1,"
THROWING = f"{VALUE} with the hand after the move"
WAITING = f"{THROWING}; playing on has a bonus of {PATIENCE:.2f}"
DRAWING = f"{VALUE} with the best hand that the upcard makes; leaving it has the"
AS_MIDDLE = f"{DRAWING} median value of the best hands that the unknown cards make"
AS_MEAN = f"{DRAWING} mean value of the best hands that the unknown cards make"

Row = tuple[int, int, bool, dict[int, int]]  # a hand, the cards unseen, whether it knocks, and the new places of cards


def move_values(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of taking and of leaving the upcard, or of every throw that is considered."""
    if "" not in evaluator.networks:
        return None
    if evaluator.networks[""].encoding in encodings.NAMES[encodings.TABLE :]:
        return table_values(evaluator.networks[""], decision)
    hand = _Hand(decision, evaluator.networks[""], evaluator.policy)
    return hand.throw() if decision.state["phase"] == THROW else hand.draw()


class _Hand:
    """The inputs of a network for a hand, and for the hands that it can become."""

    def __init__(self, decision: Decision, network: NetEvaluator, policy: str) -> None:
        s = decision.state
        self.decision, self.network, self.policy = decision, network, policy
        self.encoding = encodings.NAMES.index(network.encoding)
        self.hand = int(s["hand"][decision.seat])
        self.unseen = encodings.ALL & ~(self.hand | int(s["known"][1 - decision.seat]) | int(s["pile"]))
        self.row = dense(encodings.inputs, decision.s, decision.seat, self.encoding, encodings.INPUTS[self.encoding])

    def rows(self, wanted: list[Row]) -> np.ndarray:
        """The inputs of hands."""
        rows = np.repeat(self.row[None], len(wanted), axis=0)
        for row, (hand, unseen, knocks, moved) in zip(rows, wanted, strict=True):
            for card, place in moved.items():
                if self.encoding == encodings.ONE_NUMBER:
                    row[card] = encodings.VALUES[place]
                else:
                    row[card : 4 * CARDS : CARDS] = 0
                    row[place * CARDS + card] = 1
            if self.encoding == encodings.MELDS:
                row[encodings.FEATURES_AT :] = encodings.hand_features(hand, unseen, knocks)
        return rows

    def sums(self, wanted: list[Row]) -> np.ndarray:
        return self.network.sums(self.rows(wanted))

    # To throw.

    def thrown(self, card: int, knocks: bool) -> Row:
        return self.hand & ~(1 << card), self.unseen, knocks, {card: encodings.DISCARDED}

    def throw(self) -> MoveValues:
        """Every throw that can knock does; a patient network compares that with playing on."""
        s = self.decision.state
        cards = sorted({move % CARDS for move in self.decision.legal})
        if not (s["source"] == UPCARD or self.policy in ELEVEN):
            cards.remove(int(s["drawn"]))
        left = {card: int(deadwood(self.hand & ~(1 << card))) for card in cards}
        knocking = {card: bool(s["rules"]["free"]) and left[card] <= KNOCKING for card in cards}
        sums = dict(zip(cards, self.sums([self.thrown(card, True) for card in cards]).tolist(), strict=True))
        best = max(sums, key=lambda card: sums[card])
        move = self.decision.move
        row = self.rows([self.thrown(move % CARDS, move >= KNOCK or not s["rules"]["free"])])[0]
        named = {card + KNOCK if knocking[card] else card: value for card, value in sums.items()}
        if self.policy in PATIENT and knocking[best] and left[best] > 0:
            return MoveValues(self.waited(named, left), WAITING, "", row, AFTER)
        values, note = shown(self.network, named, THROWING)
        return MoveValues(values, note, "", row, AFTER)

    def waited(self, knocks: dict[int, float], left: dict[int, int]) -> dict[int, float]:
        """The values of knocking, and of every throw without a knock; gin always knocks."""
        values = {move: float(self.network.squashed(np.array(value))) for move, value in knocks.items()}
        later = self.network.squashed(self.sums([self.thrown(card, False) for card in left]))
        for (card, points), value in zip(left.items(), (later + PATIENCE).tolist(), strict=True):
            move = card + KNOCK if points == 0 else card
            values[move] = value
        return values

    # To draw.

    def exchanged(self, card: int, thrown: int, unseen: int) -> Row:
        hand = self.hand & ~(1 << thrown) | 1 << card
        return hand, unseen, True, {card: encodings.MINE, thrown: encodings.DISCARDED}

    def draw(self) -> MoveValues:
        """The upcard is taken if its best hand is better than that of most unknown cards, or than their mean."""
        s, stays = self.decision.state, PASS if self.decision.state["phase"] == FIRST else STOCK
        upcard, cards = int(s["upcard"]), cards_of(self.hand)
        taking = [self.exchanged(upcard, card, self.unseen) for card in cards]
        taken = self.sums(taking)
        drawn = self.drawn(cards)
        inputs_seen = (
            (self.rows([taking[int(np.argmax(taken))]])[0], AFTER) if self.decision.move == UPCARD else (self.row, NOW)
        )
        if self.policy in MEAN:
            mean = float(self.network.squashed(drawn).mean())
            values = {UPCARD: float(self.network.squashed(taken.max())), stays: mean}
            return MoveValues(values, AS_MEAN, "", *inputs_seen)
        half = sorted(drawn.tolist())[len(drawn) // 2]
        values, note = shown(self.network, {UPCARD: float(taken.max()), stays: half}, AS_MIDDLE)
        return MoveValues(values, note, "", *inputs_seen)

    def drawn(self, cards: list[int]) -> np.ndarray:
        """The sum of the best hand that each unknown card makes."""
        wanted: list[Row] = []
        unknown = cards_of(self.unseen)
        for card in unknown:
            unseen = self.unseen & ~(1 << card)
            if self.policy in ELEVEN:
                wanted.append((self.hand, unseen, True, {card: encodings.DISCARDED}))
            wanted += [self.exchanged(card, thrown, unseen) for thrown in cards]
        return np.asarray(self.sums(wanted).reshape(len(unknown), -1).max(axis=1))
