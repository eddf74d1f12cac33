"""Backgammon: state, dice, the doubling cube and the score, for money or in a match.

A move is a play of the dice (see plays.py) or an action: to roll, to double, to answer a double or a resignation. Whoever decides
next has the turn, so after a double that is the other seat. Without the cube, without resignations, every move is a play.

- The seat on roll may double before it rolls if the cube is in the middle or its own. The other seat takes, and then owns the cube,
  or drops and loses its value. With beavers, for money, it may take and double again at once; the first seat takes that or drops.
- Jacoby rule, for money: gammons count 1 while nobody has doubled.
- Crawford rule: nobody doubles in the first game after a side needs one point. A cube that a side can gain nothing from is dead.
- A seat may resign a single game, a gammon or a backgammon before it rolls; if that is refused, the game goes on.
"""

import numpy as np

from sparring.games.backgammon.plays import BAR, CODES, OFF, PLACES, borne_off, make_play, plays, points_won
from sparring.kernel.compiler import inline_kernel, kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.random import below, key, step

VERSION = 1  # raise it when play changes
MOVE_LIMIT = 4000  # then the game is a draw, and the leader wins a match; two random players need about 100 plays
LONG_MATCH, MAX_MOVES = 25, 10_000  # matches to more points have more moves: to 64 points about 3,700
LARGEST = 4096  # cube
DICE, FIXED, FIXED_ONCE = range(3)  # who begins: the higher die, always seat 0, or seat 0 in the first game
PLAYING, BEFORE_ROLL, DOUBLED, BEAVERED, RESIGNED = range(5)  # phases: what is to be decided
ROLL, DOUBLE, TAKE, DROP, BEAVER, ACCEPT, REFUSE, RESIGN = range(
    CODES, CODES + 8
)  # RESIGN + 1, 2 and 3 resign so many points
ACTIONS = RESIGN + 4  # all moves are numbered below this
NOBODY = -1  # owns a cube in the middle
TO_COME, NOW, OVER = range(3)  # the Crawford game

# Set before the game starts; play does not change them.
Rules = np.dtype(
    [
        ("board", np.int8, (2, PLACES)),
        ("later", np.int8, (2, PLACES)),  # the board of a match's later games
        ("first", np.int64),
        ("single", np.int64),
        ("dice", np.int64, (2,)),
        ("doubling", np.int64),  # whether there is a cube
        ("length", np.int64),  # of the match; 0 for money
        ("jacoby", np.int64),
        ("beavers", np.int64),
        ("resign", np.int64),
        ("cube", np.int64),  # at the start, with its owner, the points of both seats and the Crawford game
        ("owner", np.int64),
        ("points", np.int64, (2,)),
        ("crawford", np.int64),
    ],
    align=True,
)

Tally = np.dtype(
    [
        (
            "score",
            np.int32,
            (SEATS,),
        ),  # for money, points won, negative for the loser; in a match, the points of each seat
        ("turns", np.int32),  # plays
        ("gammons", np.int32, (SEATS,)),  # won
        ("backgammons", np.int32, (SEATS,)),  # won
        ("left", np.int32, (SEATS,)),  # the loser's checkers at the end
        ("pips", np.int32, (SEATS,)),  # the loser's pip count at the end
        ("games", np.int32),
        ("cube", np.int32),  # the sum of its values at the end of games; 0 without a cube
        ("doubles", np.int32, (SEATS,)),
        ("drops", np.int32, (SEATS,)),
    ],
    align=True,
)

State = np.dtype(
    [
        ("rules", Rules),
        ("stream", np.uint64),
        ("luck", np.uint64, (SEATS,)),
        # Always int64, because kernels are compiled once per integer type.
        ("turn", np.int64),
        ("over", np.int64),
        ("dice", np.int64, (2,)),  # the larger first; zeros before the roll
        ("board", np.int8, (2, PLACES)),  # each seat's checkers, from its own side
        ("made", np.int64),  # moves
        ("phase", np.int64),
        ("cube", np.int64),
        ("owner", np.int64),
        ("points", np.int64, (2,)),  # in the match
        ("crawford", np.int64),
        ("offered", np.int64),  # points of a resignation; refused ones of this turn are not offered again
        ("tally", Tally),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Start a game or a match. (seed, deal) determines the dice, (seed, luck, seat) each player's random choices."""
    s.stream = key(key(seed, 0), deal)
    s.over = s.made = s.tally.turns = s.tally.games = s.tally.cube = 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        s.tally.score[seat] = s.tally.gammons[seat] = s.tally.backgammons[seat] = 0
        s.tally.left[seat] = s.tally.pips[seat] = s.tally.doubles[seat] = s.tally.drops[seat] = 0
    for seat in range(2):
        s.points[seat] = s.tally.score[seat] = s.rules.points[seat]
    s.crawford = s.rules.crawford
    begin(s, max(1, s.rules.cube), s.rules.owner if s.rules.cube > 1 else NOBODY)


@kernel
def begin(s, cube, owner):
    """Begin a game of a match, or the only one."""
    s.cube, s.owner, s.offered, s.phase = cube, owner, 0, PLAYING
    first = s.tally.games == 0
    opening_roll(s, s.rules.first == FIXED or (s.rules.first == FIXED_ONCE and first), first)
    for place in range(PLACES):
        s.board[s.turn, place] = s.rules.board[0, place] if first else s.rules.later[0, place]
        s.board[1 - s.turn, place] = s.rules.board[1, place] if first else s.rules.later[1, place]


@kernel
def opening_roll(s, fixed, first):
    """Each seat rolls one die until they differ, and the higher plays both; or seat 0 begins, and may double in a position."""
    s.turn = 0
    if fixed:
        if s.rules.first == FIXED_ONCE and s.rules.dice[0] == 0:
            before_roll(s)
        else:
            roll(s)
        if first and s.rules.dice[0] > 0:
            s.dice[0], s.dice[1] = s.rules.dice[0], s.rules.dice[1]
        return
    mine, theirs = die(s), die(s)
    while mine == theirs:
        mine, theirs = die(s), die(s)
    s.turn = 1 if theirs > mine else 0
    s.dice[0], s.dice[1] = max(mine, theirs), min(mine, theirs)


@kernel
def die(s):
    s.stream = step(s.stream)
    return below(s.stream, 6) + 1


@kernel
def roll(s):
    one, two = die(s), die(s)
    s.dice[0], s.dice[1] = max(one, two), min(one, two)
    s.phase = PLAYING


@kernel
def before_roll(s):
    """Let the seat on roll double or resign, or roll at once if it can do neither."""
    s.offered = 0
    if s.rules.resign or can_double(s, s.turn):
        s.phase, s.dice[0], s.dice[1] = BEFORE_ROLL, 0, 0
    else:
        roll(s)


@inline_kernel
def can_double(s, seat):
    """Whether a seat may turn the cube, which is no use to a side that wins the match with it as it is."""
    if s.rules.doubling == 0 or s.crawford == NOW or s.cube >= LARGEST or s.owner == 1 - seat:
        return False
    return s.rules.length == 0 or s.points[seat] + s.cube < s.rules.length


@kernel
def moves(s, out):
    """Write the distinct plays of the roll, or the actions, and return their number; a pass counts as one."""
    if s.phase != PLAYING:
        return actions(s, out)
    return plays(s.board, s.turn, s.dice[0], s.dice[1], out)


@kernel
def actions(s, out):
    if s.phase == RESIGNED:
        out[0], out[1] = ACCEPT, REFUSE
        return np.int64(2)
    if s.phase != BEFORE_ROLL:
        out[0], out[1], out[2] = TAKE, DROP, BEAVER
        may_beaver = s.rules.beavers and s.rules.length == 0 and 4 * s.cube <= LARGEST
        return np.int64(3 if s.phase == DOUBLED and may_beaver else 2)
    out[0], out[1] = ROLL, DOUBLE
    count = np.int64(2 if can_double(s, s.turn) else 1)
    if s.rules.resign:
        for points in range(s.offered + 1, 2 if s.rules.single else 4):
            out[count] = RESIGN + points
            count += 1
    return count


@inline_kernel
def spent(s):
    """Whether the last move that a game or a match may have is made."""
    return s.made == (MAX_MOVES if s.rules.length > LONG_MATCH else MOVE_LIMIT)


@kernel
def apply(s, move):
    """Play a legal move; then the other seat decides or rolls, or the game ends."""
    s.made += 1
    if s.phase != PLAYING:
        act(s, move)
        if s.over == 0 and spent(s):
            s.over = 1
        return
    seat = s.turn
    make_play(s.board, seat, move, s.dice[0], s.dice[1])
    s.tally.turns += 1
    if s.board[seat, OFF] > 0 and borne_off(s.board, seat):
        finish(s, seat, points_won(s.board, seat))
    elif spent(s):
        s.over = 1
    else:
        s.turn = 1 - seat
        before_roll(s)


@kernel
def act(s, move):
    """Carry out an action."""
    seat, other = s.turn, 1 - s.turn
    if move == ROLL:
        roll(s)
    elif move == DOUBLE:
        s.tally.doubles[seat] += 1
        s.turn, s.phase = other, DOUBLED
    elif move == BEAVER:
        s.tally.doubles[seat] += 1
        s.turn, s.phase = other, BEAVERED
    elif move == TAKE:
        take(s, seat)
    elif move == DROP:
        s.tally.drops[seat] += 1
        settle(s, other, s.cube if s.phase == DOUBLED else 2 * s.cube)
    elif move == ACCEPT:
        resigned(s, seat, s.offered)
    elif move == REFUSE:
        s.turn, s.phase = other, BEFORE_ROLL
    else:
        s.offered = move - RESIGN
        s.turn, s.phase = other, RESIGNED


@inline_kernel
def take(s, seat):
    """The taker of a double owns the cube, and the doubler rolls; a beaver that is taken leaves the cube with the beaver's seat."""
    if s.phase == DOUBLED:
        s.cube, s.owner, s.turn = 2 * s.cube, seat, 1 - seat
    else:
        s.cube, s.owner = 4 * s.cube, 1 - seat
    roll(s)


@inline_kernel
def resigned(s, winner, points):
    """A resignation counts as the game that it gives up."""
    s.tally.gammons[winner] += points == 2
    s.tally.backgammons[winner] += points == 3
    settle(s, winner, counted(s, points) * s.cube)


@inline_kernel
def counted(s, points):
    """The points of a win before the cube multiplies them."""
    undoubled = s.rules.jacoby and s.rules.length == 0 and s.owner == NOBODY
    return 1 if s.rules.single or undoubled else points


@kernel
def finish(s, winner, points):
    """A seat has borne off all its checkers and wins 1, 2 or 3 points."""
    loser = 1 - winner
    s.tally.gammons[winner] += points == 2
    s.tally.backgammons[winner] += points == 3
    for place in range(1, BAR + 1):
        s.tally.left[loser] += s.board[loser, place]
        s.tally.pips[loser] += place * s.board[loser, place]
    settle(s, winner, counted(s, points) * s.cube)


@kernel
def settle(s, winner, won):
    """Count the points of a game, and begin the next one of the match."""
    loser, length = 1 - winner, s.rules.length
    s.tally.games += 1
    s.tally.cube += s.cube if s.rules.doubling else 0
    if length == 0:
        s.tally.score[winner], s.tally.score[loser], s.over = won, -won, 1
        return
    s.points[winner] = min(s.points[winner] + won, length)
    s.tally.score[winner] = s.points[winner]
    if s.points[winner] == length or spent(s):
        s.over = 1
        return
    if s.crawford == NOW:
        s.crawford = OVER
    elif s.crawford == TO_COME and s.points[winner] == length - 1:
        s.crawford = NOW
    begin(s, 1, NOBODY)
