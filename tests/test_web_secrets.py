"""Nobody is sent a card that they may not see: not another's seat, and not a watcher."""

import re

import numpy as np
import pytest

from sparring.games import GAMES, find_game
from sparring.testing.cast import differing
from sparring.web.tables import NOBODY, Seat, Table
from test_conformance import REARRANGE

PEOPLE = [letter * 32 for letter in "abcd"]
EVE = "e" * 32
CARD = re.compile(r"\b(10|[2-9TJQKA])[cdhs♣♥♠♦]")


def at_table(name, seed):
    game = find_game(name)
    made = Table("x" * 24, game, seed, [Seat(PEOPLE[n]) for n in range(min(game.rules.seats))], PEOPLE[0])
    made.begin()
    return made


def states(table, seed, moves=150):
    """The table after each of some moves chosen at random."""
    random = np.random.default_rng(seed)
    for _ in range(moves):
        if table.over:
            return
        yield
        table.play(int(random.choice(table.session.legal)))


def shown_with(table, state, person):
    """What a person is sent if this were the state."""
    was, table.session.state = table.session.state, state
    table.touch()
    shown = table.shown_to(person)
    table.session.state = was
    table.touch()
    return shown


@pytest.mark.parametrize("name", REARRANGE)
def test_a_message_to_a_seat_or_a_watcher_is_the_same_whatever_is_hidden(name):
    table, random, changes, looked = at_table(name, 11), np.random.default_rng(5), 0, 0
    seats = range(len(table.seats))
    for number, _ in enumerate(states(table, 7)):
        if number % 4:
            continue
        for seat in seats:
            other = table.session.state.copy()
            REARRANGE[name](other[0], seat, random)
            changes += bool(differing(other, table.session.state))
            assert shown_with(table, other, PEOPLE[seat]) == table.shown_to(PEOPLE[seat]), f"seat {seat}, move {number}"
        for (
            first
        ) in seats:  # what all seats see in turn stays, everything else is shuffled: so must it look to a watcher
            other = table.session.state.copy()
            for seat in (*seats[first:], *seats[:first]):
                REARRANGE[name](other[0], seat, random)
            looked += 1
            assert shown_with(table, other, EVE) == table.shown_to(EVE), f"a watcher, move {number}"
    assert changes > 20
    assert looked > 20


def test_what_others_pass_is_not_heard():
    table, heard = at_table("hearts", 3), []
    for _ in states(table, 1, 12):
        heard += [line for viewer in (NOBODY, 0) for line in table.heard[viewer] if not line.startswith("You ")]
    assert heard
    passing = [line for line in heard if "pass" in line]
    assert passing
    assert not [line for line in passing if CARD.search(line)]


@pytest.mark.parametrize("name", GAMES)
def test_a_watcher_is_shown_no_more_than_every_seat(name):
    """Whatever a watcher's view names, each seat's own view names too: told to anyone at the table, it is nothing new."""
    table = at_table(name, 2)
    for _ in states(table, 3, 60):
        for person in [EVE, *PEOPLE[: len(table.seats)]]:
            assert (table.shown_to(person)["legal"] != []) == (person == PEOPLE[table.turn])
        if table.game.rules.perfect_information:
            continue
        s = table.session.state[0]
        watched = set(CARD.findall(table.game.view.text(s, NOBODY)))
        for seat in range(len(table.seats)):
            assert watched <= set(CARD.findall(table.game.view.text(s, seat)))


def test_the_seed_is_told_only_when_the_game_is_over():
    table = at_table("golf", 98765432123)
    for _ in states(table, 1, 10):
        for person in (PEOPLE[0], EVE):
            assert "98765432123" not in str(table.shown_to(person))
