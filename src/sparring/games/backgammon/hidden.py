"""What a seat cannot know in backgammon: the dice to come."""

from sparring.kernel.compiler import kernel
from sparring.kernel.random import key


@kernel
def game_number(s):
    return s.tally.games


@kernel
def determinize(s, seat, stream, int_scratch):
    s.stream = key(stream, seat)
