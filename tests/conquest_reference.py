"""Conquest once more, written from the study's text alone: what the compiled rules are compared with.

Nothing here is fast, and nothing is shared with the compiled rules. A board is a dictionary from (row, column) to (owner,
troops), with an owner for every tile that is not nature's. A move is ("idle",), ("production", tile),
("attack", source, target, troops) or ("transport", source, target, troops).
"""

from collections import Counter
from math import isclose, sqrt

BLUE, RED = "blue", "red"
OTHER = {BLUE: RED, RED: BLUE}
MOST_TROOPS = 20


def centre(tile):
    """Where a tile lies on paper: rows of hexagons of width 1, every second one moved to the right by a half."""
    row, column = tile
    return column + (0.5 if row % 2 == 1 else 0.0), row * sqrt(3) / 2


def neighbouring(one, two):
    """Two hexagons that share an edge are one width apart."""
    (x, y), (u, v) = centre(one), centre(two)
    return isclose((x - u) ** 2 + (y - v) ** 2, 1.0)


class Game:
    """A game under way."""

    def __init__(self, rows, columns, board, limit=500, goal="eliminate"):
        self.tiles = [(row, column) for row in range(rows) for column in range(columns)]
        self.beside = {tile: [other for other in self.tiles if neighbouring(tile, other)] for tile in self.tiles}
        self.board, self.limit, self.goal = dict(board), limit, goal
        self.player, self.rounds, self.over, self.winner, self.stale = BLUE, 0, False, None, False
        self.outcomes = {BLUE: [], RED: []}
        self.states = Counter()
        self.note()

    def owner(self, tile):
        return self.board.get(tile, (None, 0))[0]

    def troops(self, tile):
        return self.board.get(tile, (None, 0))[1]

    def owned(self, player):
        return [tile for tile in self.tiles if self.owner(tile) == player]

    def army(self, player):
        return sum(self.troops(tile) for tile in self.owned(player))

    def note(self):
        """Count the state; one repeated more than three times is stale."""
        state = frozenset(self.board.items()), self.player
        self.states[state] += 1
        return self.states[state] > 3

    # Which moves are valid: chapter 2.

    def is_production_move_valid(self, tile):
        return self.owner(tile) == self.player and self.troops(tile) < MOST_TROOPS

    def is_attack_move_valid(self, source, target, troops):
        return (
            self.owner(source) == self.player
            and self.owner(target) != self.player
            and target in self.beside[source]
            and 1 <= troops <= self.troops(source)
        )

    def is_transport_move_valid(self, source, target, troops):
        return (
            self.owner(source) == self.player
            and self.owner(target) == self.player
            and target in self.beside[source]
            and 1 <= troops <= self.troops(source)
            and self.troops(target) + troops <= MOST_TROOPS
        )

    def next_moves(self):
        """All valid moves but idling, by source, target and troops; a production has itself as target and one troop."""
        found = []
        for source in self.owned(self.player):
            for target in sorted([source, *self.beside[source]]):
                if target == source:
                    found += [("production", source)] if self.is_production_move_valid(source) else []
                    continue
                for troops in range(1, self.troops(source) + 1):
                    if self.is_attack_move_valid(source, target, troops):
                        found.append(("attack", source, target, troops))
                    if self.is_transport_move_valid(source, target, troops):
                        found.append(("transport", source, target, troops))
        return found

    # What they do.

    def set(self, tile, owner, troops):
        if troops == 0:
            self.board.pop(tile, None)
        else:
            self.board[tile] = (owner, troops)

    def make(self, move):
        """Make a move, and end the game if that ends it."""
        player = self.player
        before = self.counts(player)
        if player == BLUE:
            self.rounds += 1
        if move[0] == "production":
            self.set(move[1], player, self.troops(move[1]) + 1)
        elif move[0] == "transport":
            _, source, target, troops = move
            self.set(source, player, self.troops(source) - troops)
            self.set(target, player, self.troops(target) + troops)
        elif move[0] == "attack":
            self.attack(*move[1:])
        self.outcomes[player].append(self.outcome(move, before, self.counts(player)))
        self.player = OTHER[player]
        self.end()

    def attack(self, source, target, attackers):
        player, defender, defenders = self.player, self.owner(target), self.troops(target)
        self.set(source, player, self.troops(source) - attackers)
        if attackers > defenders:
            self.set(target, player, attackers - defenders)
        elif attackers < defenders:
            self.set(target, defender, defenders - attackers)
        else:
            self.set(target, None, 0)

    def counts(self, player):
        return [count for who in (player, OTHER[player]) for count in (len(self.owned(who)), self.army(who))]

    def outcome(self, move, before, after):
        """The vector of chapter 6.5: what changed, but that a conquest is a tile gained though its origin is abandoned."""
        tiles, troops, enemy_tiles, enemy_troops = (now - then for then, now in zip(before, after, strict=True))
        if move[0] == "attack" and self.owner(move[2]) == self.player:
            tiles = 1
        return tiles, troops, enemy_tiles, enemy_troops

    def end(self):
        blue, red = (len(self.owned(player)) for player in (BLUE, RED))
        won = blue == len(self.tiles) if self.goal == "all" else red == 0 and blue > 0
        if won or blue == 0:
            self.over, self.winner = True, BLUE if won else RED if red else None
        elif self.note():
            self.over = self.stale = True
        elif self.rounds == self.limit and self.player == BLUE:
            self.over = True


# Players.


def guided(game, source, target, troops):
    """The valid move with the smallest Euclidean distance in source tile, target tile and troops; the first of equals."""

    def distance(move):
        there = (move[1], move[1], 1) if move[0] == "production" else move[1:]
        asked = (*source, *target, troops)
        return sum((a - b) ** 2 for a, b in zip((*there[0], *there[1], there[2]), asked, strict=True))

    return min(game.next_moves(), key=distance, default=("idle",))  # min keeps the first


def red_pool(game):
    """What the deterministic red of chapter 6.4 selects from, for whoever is to move."""
    me, enemy = game.player, OTHER[game.player]
    moves = game.next_moves()
    attacks = [move for move in moves if move[0] == "attack"]
    productions = [move for move in moves if move[0] == "production"]
    if len(game.owned(enemy)) > len(game.owned(me)) and attacks:
        return attacks
    if (game.army(me) < 20 or game.army(me) < game.army(enemy)) and productions:
        return productions
    return moves or [("idle",)]


# The 100 outcomes, from the worst to the best.

OUTCOMES = [(-1, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0)]
OUTCOMES += [(-1, -a, 0, -a) for a in range(1, 20)]
OUTCOMES += [(0, -a, 0, -a) for a in range(1, 20)]
OUTCOMES += [(-1, -a, -1, -a) for a in range(1, 21)]
OUTCOMES += [(0, -a, -1, -a) for a in range(1, 20)]
OUTCOMES += [(1, -d, -1, -d) for d in range(1, 20)]
