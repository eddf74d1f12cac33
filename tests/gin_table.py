"""Gin rummy tables to test at: hands put up by hand, moves in words, and the plain game played beside the compiled one."""

import numpy as np

import gin_reference as plain
from sparring.games import find_game
from sparring.games.game import legal_moves, start_game
from sparring.games.gin import rules
from sparring.games.gin.cards import cards_of, hand_of, read_cards
from sparring.games.gin.melds import melds_of
from sparring.kernel.records import records

WORDS = {"upcard": rules.UPCARD, "stock": rules.STOCK, "pass": rules.PASS}
COUNTS = ("score", "won", "knocks", "gins", "undercuts", "laid_off", "deadwood", "sets", "runs")


def cards(text):
    """A set of cards from "7s 8s 9s"."""
    return set(read_cards(text.replace(" ", ""), "test"))


def hand(text):
    """The same as the number that stands for them."""
    return hand_of(cards(text))


def melds(text):
    """Up to three melds from "7s 8s 9s, 2c 2d 2h", as kernels have them."""
    found = [hand(words) for words in text.split(",")]
    return tuple(np.int64(meld) for meld in (*found, 0, 0, 0)[:3])


def melds_in(bits):
    """The arrangement that the compiled game chooses, as sets of cards."""
    return [set(cards_of(meld)) for meld in melds_of(np.int64(bits)) if meld]


def start(first, second, upcard):
    """The rule that deals these hands."""
    return "start=" + "/".join(text.replace(" ", "") for text in (first, second, upcard))


class Table:
    """A game under way, played by hand."""

    def __init__(self, name="gin", seed=1, deal=0, luck=0):
        self.game = find_game(name)
        self.state = start_game(self.game, seed, deal, luck, 2)

    def __getitem__(self, field):
        return self.state[0][field]

    @property
    def turn(self):
        return int(self["turn"])

    def tally(self, field):
        found = self["tally"][field]
        return found[:2].tolist() if found.shape else int(found)

    def hand(self, seat):
        return set(cards_of(self["hand"][seat]))

    def pile(self):
        return set(cards_of(self["pile"]))

    def stock(self):
        return self["stock"][: self["stock_size"]].tolist()

    def legal(self):
        return list(legal_moves(self.game, self.state))

    def play(self, *moves):
        """Moves by number or in words: upcard, stock, pass, a card to throw, or "knock" and a card."""
        for move in moves:
            number = self.number(move) if isinstance(move, str) else move
            assert number in self.legal(), (move, self.legal())
            self.apply(number)

    def apply(self, number):
        """Play a move that is known to be legal."""
        with np.errstate(over="ignore"):
            rules.apply(records(self.state)[0], number)

    def number(self, words):
        if words in WORDS:
            return WORDS[words]
        knock, _, card = words.rpartition(" ")
        return read_cards(card, "test")[0] + (rules.KNOCK if knock else 0)

    def next_in_stock(self, text):
        """Put cards on top of the stock: the first of them is drawn first."""
        wanted = read_cards(text.replace(" ", ""), "test")
        rest = [card for card in self.stock() if card not in wanted]
        self.state[0]["stock"][: self["stock_size"]] = rest + wanted[::-1]


class Recorded:
    """The compiled game's own chance, read off its state."""

    def __init__(self, table):
        self.table = table

    def deal(self):
        table = self.table
        hands, stock, upcard = [table.hand(0), table.hand(1)], table.stock(), int(table["upcard"])
        assert sorted([*hands[0], *hands[1], *stock, upcard]) == list(range(52))
        assert len(hands[0]) == len(hands[1]) == 10
        return hands, stock, [upcard]

    def shuffle(self, discards):
        stock = self.table.stock()
        assert sorted(stock) == sorted(discards)
        return stock

    def arrange(self, hand):
        return melds_in(hand_of(hand))


class Both(Table):
    """The compiled game and the plain one, played side by side."""

    def __init__(self, name, agreed, seed=1, deal=0, luck=0):
        super().__init__(name, seed, deal, luck)
        self.plain = plain.Gin(agreed, Recorded(self))

    def play(self, *moves):
        for move in moves:
            super().play(move)
            self.plain.play(move)
            self.compare()

    def compare(self):
        game = self.plain
        assert bool(self["over"]) == game.over
        if not game.over:
            drawn = -1 if game.drawn is None else game.drawn
            assert (self["turn"], self["drawn"], self["stock_size"]) == (game.turn, drawn, len(game.stock))
            assert self["hand"].tolist() == [hand_of(hand) for hand in game.hands]
            assert self["known"].tolist() == [hand_of(taken) for taken in game.taken]
            assert self["pile"] == hand_of(game.discards)
            assert self["upcard"] == (-1 if drawn >= 0 and game.source == plain.UPCARD else game.discards[-1])

    def compare_tallies(self, tally=None):
        game, tally = self.plain, self["tally"] if tally is None else tally
        assert {name: tally[name][:2].tolist() for name in COUNTS} == {name: game.counts[name] for name in COUNTS}
        assert tally["account"][:2].tolist() == game.account()
        assert (tally["hands"], tally["drawn"], tally["turns"]) == (game.played, game.drawn_hands, game.turns)
        for seat in range(2):
            assert tally["suits"][seat].tolist() == [game.suits[seat][suit] for suit in range(4)]
            assert tally["ranks"][seat].tolist() == [game.ranks[seat][rank] for rank in range(13)]
