"""Conquest by the facts of its author's program, written plainly: what the author's reading is compared with.

Nothing is shared with the compiled rules. Lists of moves are in the program's order, which decides ties and random choices.
"""

import numpy as np

import conquest_reference as plain
from conquest_reference import BLUE, MOST_TROOPS, OTHER, RED

# The 100 outcomes by place, from 1: changes of own tiles, own troops, enemy tiles, enemy troops.
OUTCOMES = [(-1, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0)]
OUTCOMES += [(-1, -a, 0, -a) for a in range(1, 20)] + [(0, -a, 0, -a) for a in range(1, 20)]
OUTCOMES += [(0, -a, -1, -a) for a in range(1, 20)] + [(-1, -a, -1, -a) for a in range(1, 21)]
OUTCOMES += [(1, -d, -1, -d) for d in range(1, 20)]


class AuthorGame(plain.Game):
    """A game under way, on a map of 6 by 6 tiles."""

    def __init__(self, *arguments):
        self.started = False
        super().__init__(*arguments)
        self.started = True
        self.places = {BLUE: 0, RED: 0}
        self.random = np.random.default_rng(2)
        for tile in ((0, 2), (0, 3), (0, 4)):  # the program's own list: left, below, below, right
            self.beside[tile] = [(0, tile[1] - 1), (1, tile[1] - 1), (1, tile[1]), (0, tile[1] + 1)]

    def note(self):
        """Count the board after a move, whoever moves next; the start does not count."""
        board = frozenset(self.board.items())
        self.states[board] += self.started
        return self.states[board] > 3

    def is_transport_move_valid(self, source, target, troops):
        apart = [abs(a - b) for a, b in zip(source, target, strict=True)]
        return (
            max(apart) == 1
            and self.owner(source) == self.owner(target) == self.player
            and 1 <= troops <= self.troops(source)
            and self.troops(target) + troops <= MOST_TROOPS
        )

    def listed(self):
        """The list of moves between neighbours: productions, then each tile's attacks and its transports."""
        tiles = self.owned(self.player)
        found = [("production", tile) for tile in tiles if self.is_production_move_valid(tile)]
        for tile in tiles:
            for kind, valid in (("attack", self.is_attack_move_valid), ("transport", self.is_transport_move_valid)):
                for target in self.beside[tile]:
                    amounts = range(1, self.troops(tile) + 1)
                    found += [(kind, tile, target, troops) for troops in amounts if valid(tile, target, troops)]
        return found

    def next_moves(self):
        """All legal moves, with transports across corners."""
        corners = [
            ("transport", source, target, troops)
            for source in self.owned(self.player)
            for target in self.owned(self.player)
            if target not in self.beside[source]
            for troops in range(1, MOST_TROOPS + 1)
            if self.is_transport_move_valid(source, target, troops)
        ]
        return self.listed() + corners

    def outcome(self, move, before, after):
        changes = tuple(now - then for then, now in zip(before, after, strict=True))
        self.places[self.player] += OUTCOMES.index(changes) + 1
        return changes

    def end(self):
        """Test the end after each half of a round; the last round has no second half. An idle red leaves no board behind."""
        blue, red = (len(self.owned(player)) for player in (BLUE, RED))
        done = blue == len(self.tiles) if self.goal == "all" else not (blue and red)
        if done:
            self.over, self.winner = True, BLUE if blue else RED if red else None
        elif not self.idled and self.note():
            self.over = self.stale = True
        elif self.rounds == self.limit:
            self.over = True

    def make(self, move):
        self.idled = move[0] == "idle"
        super().make(move)


def part(number, parts):
    """Which of so many equal parts of [0, 1] holds a number; their bounds are sums of steps, the upper part has the bound."""
    found, bound, count = 0, 0.0, 0
    while bound <= 1.0:
        if bound <= number <= bound + 1 / parts:
            found = count
        bound += 1 / parts
        count += 1
    return found


def decode(game, outputs):
    """The move of four outputs, and whether it was guided."""
    tile = divmod(part(outputs[1], 35), 6)
    if outputs[0] <= 0.5:
        if game.is_production_move_valid(tile):
            return ("production", tile), False
        return guide(game, tile, tile, 1), True
    target, troops = divmod(part(outputs[2], 35), 6), 1 + part(outputs[3], MOST_TROOPS)
    if game.is_attack_move_valid(tile, target, troops):
        return ("attack", tile, target, troops), False
    if game.is_transport_move_valid(tile, target, troops):
        return ("transport", tile, target, troops), False
    return guide(game, tile, target, troops), True


def guide(game, source, target, troops):
    """The first listed move that is nearest in the numbers of its tiles and in troops."""
    asked = np.array([6 * source[0] + source[1], 6 * target[0] + target[1], troops])

    def distance(move):
        _, origin, goal, sent = (*move, move[1], 1)[:4] if move[0] == "production" else move
        return float(np.linalg.norm(asked - [6 * origin[0] + origin[1], 6 * goal[0] + goal[1], sent]))

    return min(game.listed(), key=distance, default=("idle",))


def red_move(game):
    """The move of case 4's red."""
    me, enemy, moves = game.player, OTHER[game.player], game.listed()
    attacks, productions = ([move for move in moves if move[0] == kind] for kind in ("attack", "production"))
    if len(game.owned(me)) < len(game.owned(enemy)) and attacks:
        moves = attacks
    elif (game.army(me) < MOST_TROOPS or game.army(me) < game.army(enemy)) and productions:
        moves = productions
    return moves[game.random.choice(np.arange(len(moves)))]
