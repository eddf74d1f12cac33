"""What a seat cannot know in backgammon: the dice to come."""

from sparring.games.backgammon.cube_play import on_roll
from sparring.games.backgammon.nets import WON, net_value
from sparring.games.backgammon.rules import PLAYING
from sparring.kernel.compiler import kernel
from sparring.kernel.random import key


@kernel
def game_number(s):
    return s.tally.games


@kernel
def determinize(s, seat, stream, int_scratch):
    s.stream = key(stream, seat)


@kernel
def seen(s, seat):
    """The dice."""
    return key(s.dice[0], s.dice[1])


@kernel
def expected_points(s, seat, player, weights, scratch, int_scratch):
    """The points that a seat will win with the cube where it is, by the network's value of the board for whoever is not on roll."""
    played = 1 - (s.turn if s.phase == PLAYING else on_roll(s))
    points = (
        s.cube * (1.0 if s.rules.single else WON) * net_value(s.board, played, player, weights, scratch, int_scratch)
    )
    return points if played == seat else -points
