"""Single hands under the full rules against OpenSpiel's gin rummy: what may be played, deadwood, laying off and points.

Both are dealt the same cards and play the same moves; a knocker's arrangement, what the other lays off and its melds are ours,
declared there. OpenSpiel differs in five ways, and no other is found: an upcard may be thrown back; as much deadwood as the
knocker's is a draw and no undercut; a hand is a draw with the fiftieth upcard taken; who is to draw when two cards of the
stock are left may still knock with the upcard (nobody does here); and of eleven cards it looks only at the arrangement that is
best before a card is thrown, so that it misses a knock now and then.
"""

import random
from collections import Counter

import pytest

from gin_table import Table, melds_in
from sparring.games.gin import rules
from sparring.games.gin.cards import cards_of
from sparring.games.gin.melds import deadwood, lay_off, melds_of
from sparring.kernel.compiler import INTERPRETED

pyspiel = pytest.importorskip("pyspiel")
theirs = pyspiel.gin_rummy

FEWER = 200 if INTERPRETED else 1  # interpreted rules are a thousand times slower
SEARCHED = 10  # of so many knocks one has its laying off searched in full
ACTIONS = {
    rules.UPCARD: theirs.DRAW_UPCARD_ACTION,
    rules.STOCK: theirs.DRAW_STOCK_ACTION,
    rules.PASS: theirs.PASS_ACTION,
}
RULES = theirs.GinRummyUtils(13, 4, 10)


class Pair:
    """One hand, ours and OpenSpiel's."""

    def __init__(self, untouched, deal):
        self.ours, self.theirs = Table("gin:rules=full,length=hand", deal=deal), untouched.clone()
        for cards in (self.ours.hand(0), self.ours.hand(1), [int(self.ours["upcard"])]):
            for card in cards:
                self.theirs.apply_action(card)

    def draw(self, legal, move):
        """A move of who is to draw; what comes from the stock is what comes from ours."""
        assert sorted(map(ACTIONS.get, legal)) == self.theirs.legal_actions()
        self.ours.apply(move)
        self.kept = {int(self.ours["drawn"])} if move == rules.UPCARD else set()
        self.theirs.apply_action(ACTIONS[move])
        if self.theirs.is_terminal():
            return
        if self.theirs.legal_actions() == [theirs.DRAW_STOCK_ACTION]:  # both have left the first upcard
            self.theirs.apply_action(theirs.DRAW_STOCK_ACTION)
        if self.theirs.is_chance_node():
            self.theirs.apply_action(int(self.ours["drawn"]))

    def check_throws(self, legal):
        """Whether OpenSpiel misses a knock; all else that may be thrown is the same, but for an upcard thrown back."""
        held, offered = self.theirs.hands()[self.ours.turn], self.theirs.legal_actions()
        knocks = {move - rules.KNOCK for move in legal if move >= rules.KNOCK}
        assert set(held) == self.ours.hand(self.ours.turn) == set(offered) - {theirs.KNOCK_ACTION}
        assert {move for move in legal if move < rules.KNOCK} == set(held) - self.kept
        if not knocks and theirs.KNOCK_ACTION not in offered:
            return False
        assert knocks == set(RULES.legal_discards(held, rules.KNOCKING)) - self.kept
        return theirs.KNOCK_ACTION not in offered

    def throw(self, move):
        seat = self.ours.turn
        self.ours.apply(move)
        self.theirs.apply_action(move)
        assert self.theirs.deadwood()[seat] == deadwood(self.ours["hand"][seat])
        assert self.theirs.stock_size() == self.ours["stock_size"]
        if self.theirs.current_phase() == theirs.Phase.WALL:
            self.theirs.apply_action(theirs.PASS_ACTION)
            assert self.ours["over"] and self.ours["knocker"] == -1

    def knock(self, move):
        """Knock in both and declare what we would; returns how many cards are laid off."""
        seat = self.ours.turn
        self.ours.apply(move)
        held = self.ours["hand"].tolist()
        self.theirs.apply_action(theirs.KNOCK_ACTION)
        self.theirs.apply_action(move - rules.KNOCK)
        self.declare(held[seat])
        assert self.theirs.deadwood()[seat] == deadwood(held[seat])
        laid = set()
        if self.theirs.deadwood()[seat] > 0:
            laid = set(cards_of(lay_off(melds_of(held[seat]), held[1 - seat])[0]))
        self.before_laying_off = self.theirs.clone()
        while waiting := laid - set(self.theirs.layoffs()):
            self.theirs.apply_action((waiting & set(self.theirs.legal_actions())).pop())
        if not self.theirs.finished_layoffs():
            self.theirs.apply_action(theirs.PASS_ACTION)
        self.declare(sum(1 << card for card in self.theirs.hands()[1 - seat]))
        return len(laid)

    def declare(self, held):
        """Lay down the melds of a hand, and say that these are all."""
        for meld in melds_in(held):
            self.theirs.apply_action(theirs.MELD_ACTION_BASE + RULES.meld_to_int(sorted(meld)))
        self.theirs.apply_action(theirs.PASS_ACTION)

    def least_reachable(self):
        """The least deadwood that laying off and melding can leave, by OpenSpiel's own legal actions, all tried."""
        seat, known = self.before_laying_off.current_player(), {}

        def least(state):
            if state.is_terminal():
                return state.deadwood()[seat]
            key = frozenset(state.hands()[seat]), state.finished_layoffs()
            if key not in known:
                known[key] = min(least(state.child(action)) for action in state.legal_actions())
            return known[key]

        return least(self.before_laying_off)

    def winnings(self):
        """Points won less points lost, by our score."""
        first, second = self.ours.tally("score")
        return [first - second, second - first]


def semi_random(ours, legal, luck):
    """Any move; but what leaves little deadwood is often thrown, and half of all knocks are made."""
    knocks = [move for move in legal if move >= rules.KNOCK]
    if knocks and luck.random() < 0.5:
        return luck.choice(knocks)
    legal = [move for move in legal if move < rules.KNOCK]
    if ours["phase"] != rules.THROW or luck.random() < 0.3:
        return luck.choice(legal)
    held = int(ours["hand"][ours.turn])
    return min(legal, key=lambda card: deadwood(held & ~(1 << card)))


def play_hand(pair, luck, seen):
    """A hand to its end in both; counts what it is an example of."""
    while not pair.theirs.is_terminal():
        legal = pair.ours.legal()
        move = semi_random(pair.ours, legal, luck)
        if pair.ours["phase"] != rules.THROW:
            pair.draw(legal, move)
            continue
        missed = pair.check_throws(legal)
        if move < rules.KNOCK:
            pair.throw(move)
        elif missed:
            seen["knock missed by OpenSpiel"] += 1
            return
        else:
            check_knock(pair, pair.ours.turn, move, seen)
    seen["too many upcards for OpenSpiel" if not pair.ours["over"] else "hand"] += 1
    if pair.ours["over"] and pair.ours["knocker"] < 0:
        assert pair.theirs.returns() == pair.winnings() == [0, 0]
        seen["nobody knocked"] += 1


def check_knock(pair, seat, move, seen):
    """A knock and all that follows: deadwood of both, the winner and points."""
    laid = pair.knock(move)
    mine, other = (pair.ours.tally("deadwood")[who] for who in (seat, 1 - seat))
    assert pair.theirs.is_terminal()
    assert [pair.theirs.deadwood()[who] for who in (seat, 1 - seat)] == [mine, other]
    seen["knock"] += 1
    seen[f"laid off {min(laid, 4)}"] += 1
    seen["gin"] += mine == 0
    if seen["knock"] % SEARCHED == 0:
        assert pair.least_reachable() == other
        seen["searched"] += 1
    if mine == other > 0:
        assert pair.theirs.returns() == [0, 0] and pair.winnings()[seat] == -25
        seen["as much deadwood"] += 1
    else:
        assert pair.theirs.returns() == pair.winnings()
        seen["undercut"] += other < mine


def compare(number, seed):
    untouched, luck, seen = pyspiel.load_game("gin_rummy").new_initial_state(), random.Random(seed), Counter()
    for deal in range(number):
        play_hand(Pair(untouched, deal), luck, seen)
    return seen


def test_hands_are_openspiels():
    seen = compare(800 // FEWER, 1)
    assert INTERPRETED or (seen["hand"] > 760 and min(seen["knock"], seen["laid off 1"], seen["searched"]) > 40), seen


@pytest.mark.long
def test_20_000_hands_are_openspiels():
    seen = compare(20_000, 2)
    assert (
        seen["hand"] > 19_000 and min(seen["undercut"], seen["gin"], seen["laid off 3"], seen["as much deadwood"]) > 20
    ), seen
