"""For all tests: Ctrl-C means what it means in a terminal, even where the tests were started in the background; patience."""

import signal

import pytest
from hypothesis import HealthCheck, settings

from sparring import games

signal.signal(signal.SIGINT, signal.default_int_handler)

# No example is too slow where much else runs.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def forget_named_games():
    """Games that one test names are unknown to the next."""
    before = dict(games._named)
    yield
    games._named.clear()
    games._named.update(before)
