"""Why a gin rummy net chose: the hands that a card could make, as the study's fixed policy and its refinements value them."""

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.explain import AFTER, NOW, Decision, Evaluator, MoveValues, NetEvaluator, dense, shown
from sparring.games.gin.cards import cards_of
from sparring.games.gin.encodings import (
    ALL,
    DISCARDED,
    INPUTS,
    MELDS,
    MINE,
    NAMES,
    ONE_NUMBER,
    VALUES,
    WORTH,
    inputs,
    worth,
)
from sparring.games.gin.melds import deadwood
from sparring.games.gin.nets import PATIENCE
from sparring.games.gin.rules import FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD

MEAN, ELEVEN, PATIENT = (
    {"net+mean", "net+mean-eleven", "net+patient"},
    {"net+eleven", "net+mean-eleven", "net+patient"},
    {"net+patient"},
)
HOPES = "what the network hopes to win, from 0 to 1,"
THROWING = f"{HOPES} with the hand after the move"
WAITING = f"{THROWING}; to playing on {PATIENCE:.2f} is added, for patience"
DRAWING = f"{HOPES} with the best hand that the upcard makes; not to take it counts as"
AS_MIDDLE = f"{DRAWING} the middle one of those that the unknown cards would make"
AS_MEAN = f"{DRAWING} the mean of those that the unknown cards would make"

Row = tuple[
    int, int, bool, dict[int, int]
]  # a hand, the cards unseen then, whether it would knock, and which cards lie elsewhere


def think(evaluator: Evaluator, decision: Decision) -> MoveValues | None:
    """The values of taking the upcard and of leaving it, or of every throw that is weighed."""
    if "" not in evaluator.networks:
        return None
    hand = _Hand(decision, evaluator.networks[""], evaluator.policy)
    return hand.throw() if decision.told["phase"] == THROW else hand.draw()


class _Hand:
    """What a net sees of a hand, and of the hands that it could become."""

    def __init__(self, decision: Decision, network: NetEvaluator, policy: str) -> None:
        s = decision.told
        self.decision, self.network, self.policy = decision, network, policy
        self.encoding = NAMES.index(network.encoding)
        self.hand = int(s["hand"][decision.seat])
        self.unseen = ALL & ~(self.hand | int(s["known"][1 - decision.seat]) | int(s["pile"]))
        self.row = dense(inputs, decision.s, decision.seat, self.encoding, INPUTS[self.encoding])

    def rows(self, wanted: list[Row]) -> np.ndarray:
        """The inputs of hands."""
        rows = np.repeat(self.row[None], len(wanted), axis=0)
        for row, (hand, unseen, knocks, moved) in zip(rows, wanted, strict=True):
            for card, place in moved.items():
                if self.encoding == ONE_NUMBER:
                    row[card] = VALUES[place]
                else:
                    row[card : 4 * CARDS : CARDS] = 0
                    row[place * CARDS + card] = 1
            if self.encoding == MELDS:
                row[WORTH:] = worth(hand, unseen, knocks)
        return rows

    def sums(self, wanted: list[Row]) -> np.ndarray:
        return self.network.sums(self.rows(wanted))

    # To throw.

    def thrown(self, card: int, knocks: bool) -> Row:
        return self.hand & ~(1 << card), self.unseen, knocks, {card: DISCARDED}

    def throw(self) -> MoveValues:
        """Of cards that can knock, each is thrown with a knock; a patient net weighs that against playing on."""
        s = self.decision.told
        cards = sorted({move % CARDS for move in self.decision.legal})
        if not (s["source"] == UPCARD or self.policy in ELEVEN):
            cards.remove(int(s["drawn"]))
        left = {card: int(deadwood(self.hand & ~(1 << card))) for card in cards}
        knocking = {card: bool(s["rules"]["free"]) and left[card] <= KNOCKING for card in cards}
        sums = dict(zip(cards, self.sums([self.thrown(card, True) for card in cards]).tolist(), strict=True))
        best = max(sums, key=lambda card: sums[card])
        row = self.rows(
            [self.thrown(self.decision.move % CARDS, self.decision.move >= KNOCK or not s["rules"]["free"])]
        )[0]
        named = {card + KNOCK if knocking[card] else card: value for card, value in sums.items()}
        if self.policy in PATIENT and knocking[best] and left[best] > 0:
            return MoveValues(self.waited(named, left), WAITING, "", row, AFTER)
        values, note = shown(self.network, named, THROWING)
        return MoveValues(values, note, "", row, AFTER)

    def waited(self, knocks: dict[int, float], left: dict[int, int]) -> dict[int, float]:
        """The values of knocking, and of every throw without it; gin knocks even so."""
        values = {move: float(self.network.squashed(np.array(value))) for move, value in knocks.items()}
        later = self.network.squashed(self.sums([self.thrown(card, False) for card in left]))
        for (card, points), value in zip(left.items(), (later + PATIENCE).tolist(), strict=True):
            move = card + KNOCK if points == 0 else card
            values[move] = value
        return values

    # To draw.

    def draw(self) -> MoveValues:
        """The upcard is taken if the best hand that it makes is better than what most unknown cards make, or than their mean."""
        s, stays = self.decision.told, PASS if self.decision.told["phase"] == FIRST else STOCK
        upcard, cards = int(s["upcard"]), cards_of(self.hand)
        hand = self.hand | 1 << upcard
        taking: list[Row] = [
            (hand & ~(1 << card), self.unseen, True, {upcard: MINE, card: DISCARDED}) for card in cards
        ]
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
            one = 1 << card
            if self.policy in ELEVEN:
                wanted.append((self.hand, self.unseen & ~one, True, {card: DISCARDED}))
            wanted += [
                (self.hand & ~(1 << thrown) | one, self.unseen & ~one, True, {card: MINE, thrown: DISCARDED})
                for thrown in cards
            ]
        return np.asarray(self.sums(wanted).reshape(len(unknown), -1).max(axis=1))
