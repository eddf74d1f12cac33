"""Hearts tables to test at: hands put up by hand, cards in words, what is hidden, and the plain game beside the compiled one."""

from functools import lru_cache

import numpy as np

import hearts_reference as plain
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts import rules
from sparring.games.hearts.cards import cards_of, hand_of
from sparring.games.hearts.plain_rules import receiver
from sparring.kernel.records import records

NUMBERS = {name: number for number, name in enumerate(plain.DECK)}
COUNTS = ("taken", "moons", "queens", "clean", "tricks")
TOLD = ("tried", "made", "defended")  # by players of themselves, never by the rules
DIRECTIONS = {"left": rules.LEFT, "right": rules.RIGHT, "across": rules.ACROSS, None: rules.NONE}


def cards(bits):
    """The names of the cards in a number that stands for them."""
    return named(int(bits))


@lru_cache(maxsize=256)
def named(bits):
    return frozenset(name for name, number in NUMBERS.items() if bits >> number & 1)


def suited(suit, ranks=plain.RANKS):
    """Cards of one suit in words, to which others can be added: suited("c", "234") is "2c 3c 4c "."""
    return "".join(f"{rank}{suit} " for rank in ranks)


def start(*hands):
    """The rule that deals these hands; of four, the last may be missing: it gets what is left."""
    words = [hand.split() for hand in hands]
    if len(words) == 3:
        words.append([card for card in plain.DECK if card not in sum(words, [])])
    return "start=" + "/".join(map("".join, words))


def random_start(luck):
    """A deal of long suits: each hand has one, but for some cards that were exchanged."""
    deck = [rank + suit for suit in luck.sample(plain.SUITS, 4) for rank in plain.RANKS]
    for _ in range(luck.choice((1, 3, 10, 30))):
        one, other = luck.sample(range(52), 2)
        deck[one], deck[other] = deck[other], deck[one]
    return start(*(" ".join(deck[13 * seat : 13 * seat + 13]) for seat in range(4)))


def passing_to(s, seat: int) -> int:
    """Who passes to a seat in this round."""
    return next(giver for giver in range(4) if receiver(giver, int(s["direction"])) == seat)


def rearrange(s, seat: int, random: np.random.Generator) -> None:
    """Shuffle what a seat cannot know: others' cards but for those it has passed, what they pass, think and were dealt."""
    others, passing = [n for n in range(4) if n != seat], s["direction"] != rules.NONE
    known = np.zeros(4, np.int64)
    if s["phase"] == rules.PLAY and passing:
        to = receiver(seat, int(s["direction"]))
        known[to] = s["passed"][seat] & s["hand"][to]
    counts = [len(cards_of(s["hand"][n] & ~known[n])) for n in others]
    cards = random.permutation([one for n in others for one in cards_of(s["hand"][n] & ~known[n])]).tolist()
    for n, count in zip(others, counts, strict=True):
        s["hand"][n] = known[n] | hand_of(cards[:count])
        cards = cards[count:]
    random.shuffle(s["deck"])
    for n in others:
        s["plan"][n], s["wish"][n] = random.integers(3), hand_of(random.permutation(52)[:3].tolist())
        s["dealt"][n] = hand_of(random.permutation(52)[:13].tolist())
        chosen = len(cards_of(s["passed"][n]))
        if s["phase"] == rules.PASS:
            s["passed"][n] = hand_of(random.permutation(cards_of(s["hand"][n]))[:chosen].tolist())
        elif passing and n != passing_to(s, seat):
            s["passed"][n] = hand_of(random.permutation(52)[:chosen].tolist())


class Table:
    """A game under way, played by hand."""

    def __init__(self, name="hearts", seed=1, deal=0, luck=0):
        self.game = find_game(name)
        self.state = start_game(self.game, seed, deal, luck, 4)

    def __getitem__(self, field):
        return self.state[0][field]

    @property
    def turn(self):
        return int(self["turn"])

    @property
    def over(self):
        return bool(self["over"])

    def tally(self, field):
        found = self["tally"][field]
        return found.tolist() if found.shape else int(found)

    def hand(self, seat):
        return cards(self["hand"][seat])

    def hands(self, field="hand"):
        return [cards(held) for held in self[field]]

    def trick(self):
        """Each seat's card of this trick, or None."""
        return [None if card < 0 else plain.DECK[card] for card in self["trick"].tolist()]

    def legal(self):
        moves = legal_moves(self.game, self.state)
        assert len(set(moves)) == len(moves)
        return {plain.DECK[move] for move in moves}

    def play(self, words):
        """Cards one after another, each of who is to move."""
        for card in words.split():
            play_move(self.game, self.state, NUMBERS[card])

    def apply(self, card):
        """A card that is known to be legal."""
        with np.errstate(over="ignore"):
            rules.apply(records(self.state)[0], NUMBERS[card])

    def play_on(self, choose=min, until=1):
        """Cards as `choose` takes them of the legal ones, by number, until so many rounds are played or the game is over."""
        while not self.over and self.tally("rounds") < until:
            self.apply(choose(self.legal(), key=NUMBERS.get))


class Both(Table):
    """The compiled game and the plain one, played side by side."""

    def __init__(self, name, agreed, seed=1, deal=0, luck=0):
        super().__init__(name, seed, deal, luck)
        self.plain = plain.Hearts(agreed, self.deal)

    def deal(self):
        """The compiled game's own chance, read off its state."""
        hands = self.hands("dealt")
        assert sorted(sum(map(list, hands), [])) == sorted(plain.DECK)
        assert [len(hand) for hand in hands] == [13] * 4
        return hands

    def apply(self, card):
        super().apply(card)
        self.plain.play(card)

    def compare(self):
        """Whose turn it is, what may be played, scores, and everything on the table."""
        game, players = self.plain, self.plain.players
        assert self.over == game.over
        assert self.tally("score") == [player.score for player in players]
        assert self.tally("rounds") == game.rounds
        if game.over:
            assert self.legal() == set()
            return
        assert self.turn == game.turn
        assert self.legal() == set(game.legal())
        self.compare_passing()
        self.compare_trick()

    def compare_passing(self):
        game, players = self.plain, self.plain.players
        assert (self["phase"] == rules.PASS) == game.passing
        assert self["direction"] == DIRECTIONS[game.direction]
        assert self.hands() == [set(player.hand) for player in players]
        assert self.hands("dealt") == [set(player.dealt) for player in players]
        assert self.hands("passed") == [set(player.passed) for player in players]

    def compare_trick(self):
        game, players = self.plain, self.plain.players
        assert self["number"] == game.tricks_played and bool(self["broken"]) == game.broken
        assert self.hands("won") == [set(player.taken) for player in players]
        assert cards(self["played"]) == {card for player in players for card in player.taken}
        on_table = dict(game.trick)
        assert self.trick() == [on_table.get(seat) for seat in range(4)]
        assert game.passing or self["leader"] == (game.trick[0][0] if game.trick else game.turn)
        for seat, player in enumerate(players):
            assert {suit for n, suit in enumerate(plain.SUITS) if int(self["voids"][seat]) >> n & 1} == player.lacks

    def compare_tallies(self, tally=None):
        game, tally = self.plain, self["tally"] if tally is None else tally
        assert tally["score"].tolist() == [player.score for player in game.players]
        for name in COUNTS:
            assert tally[name].tolist() == [player.counts[name] for player in game.players], name
        assert tally["rounds"] == game.rounds
