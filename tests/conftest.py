"""For all tests: Ctrl-C means what it means in a terminal, even where the tests were started in the background."""

import signal

import pytest

from sparring import games

signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def forget_named_games():
    """Games that one test names are unknown to the next."""
    before = dict(games._named)
    yield
    games._named.clear()
    games._named.update(before)
