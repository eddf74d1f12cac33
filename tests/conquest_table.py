"""A conquest table for tests: games put up by hand, and moves in the reference's words."""

import numpy as np

import conquest_reference as plain
from sparring.games.conquest import rules
from sparring.games.conquest.maps import Map, parse_map
from sparring.games.conquest.notation import move_words, sent
from sparring.kernel.records import records

room = np.empty(1 << 15, np.int16)
SIDES = (plain.BLUE, plain.RED)


def map_of(*rows):
    """A map from its rows as maps write them, with blue or without."""
    return parse_map(list(rows), "test", str)


def put_up(board, rows=6, columns=6):
    """A map from {(row, column): troops}, red's negative."""
    tiles = [board.get((row, column), 0) for row in range(rows) for column in range(columns)]
    return Map(rows, columns, tuple(tiles))


class Table:
    """A game under way, played by hand."""

    def __init__(self, start, limit=500, goal=rules.ELIMINATE, seed=1, deal=0, luck=0, reading=rules.TEXT):
        self.map = start
        self.state = np.zeros(1, rules.State)
        start.write(self.state[0]["rules"], reading)
        self.state[0]["rules"]["limit"], self.state[0]["rules"]["goal"] = limit, goal
        self.s = records(self.state)[0]
        with np.errstate(over="ignore"):
            rules.start(self.s, np.uint64(seed), deal, luck, 2)

    def __getitem__(self, name):
        return self.state[0][name]

    def tally(self, name):
        found = self["tally"][name]
        return found[:2].tolist() if found.shape else int(found)

    def legal(self):
        return room[: rules.moves(self.s, room)].tolist()

    def play(self, move):
        """A move as its number, or as the reference says it."""
        number = self.number(move) if isinstance(move, tuple) else move
        assert number in self.legal()
        with np.errstate(over="ignore"):
            rules.apply(self.s, number)

    def words(self, move):
        """A move's number as the reference says it."""
        told = sent(self.state[0], move)
        if told is None:
            return ("idle",)
        source, target = (divmod(tile, self.map.columns) for tile in told[:2])
        if source == target:
            return ("production", source)
        return (move_words(self.state[0], move).split()[0].lower(), source, target, told.troops)

    def number(self, words):
        return next(move for move in self.legal() if self.words(move) == words)

    def board(self):
        """{(row, column): troops} of all tiles that are held, red's negative."""
        troops = self["board"][: self.map.tiles].tolist()
        return {divmod(tile, self.map.columns): n for tile, n in enumerate(troops) if n}

    def reference(self, kind=plain.Game):
        """The same game in the reference's hands, from the start."""
        board = {divmod(tile, self.map.columns): (SIDES[n < 0], abs(n)) for tile, n in enumerate(self.map.board) if n}
        goal = "all" if self["rules"]["goal"] == rules.ALL else "eliminate"
        return kind(self.map.rows, self.map.columns, board, int(self["rules"]["limit"]), goal)

    def position(self, kind=plain.Game):
        """The position in the reference's hands."""
        game = self.reference(kind)
        game.board = {tile: (SIDES[n < 0], abs(n)) for tile, n in self.board().items()}
        game.player = SIDES[int(self["turn"])]
        return game

    def lay(self, board, turn):
        """Put up a position to choose in."""
        self.state[0]["board"][: self.map.tiles] = board
        self.state[0]["turn"] = turn
        for seat, sign in enumerate((1, -1)):
            held = [sign * int(n) for n in board if sign * n > 0]
            self["tally"]["tiles"][seat], self["tally"]["troops"][seat] = len(held), sum(held)


def random_board(luck, tiles=36, full=0.1):
    """A board with everything on it: nature, both sides, full tiles."""
    troops = luck.integers(1, 21, tiles) * luck.choice([-1, 0, 1], tiles, p=[0.3, 0.35, 0.35])
    troops[luck.random(tiles) < full] *= 20
    return np.clip(troops, -20, 20)
