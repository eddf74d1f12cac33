"""Two checks that need a function of the game: what it deals, and what it hides."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from sparring.games import Game
from sparring.testing.cast import choose_afresh, differing, parting, rotations, sit_down, walk

Dealt = Callable[[Any], tuple[Hashable, Hashable] | None]
Rearrange = Callable[[Any, int, np.random.Generator], None]
SOME = 25  # one state in so many is examined


def check_deals_ignore_players(game: Game, seed: int, deal: int, dealt: Dealt) -> None:
    """What is dealt during a game does not depend on the players.

    `dealt(s)` returns (which, what) for a state in which something was just dealt or rolled, such as (3, the cards of round 3),
    and None for any other state. Deals that two games have in common must be equal.
    """
    for seats in game.rules.seats:
        known: dict[Hashable, Hashable] = {}
        for contestants in (table for table in rotations(game, seed) if len(table) == seats):
            session = sit_down(game, contestants, seed, deal, deal)
            for _ in walk(session):
                which, what = dealt(session.state[0]) or (None, None)
                assert known.setdefault(which, what) == what, (
                    f"{game.name}: what is dealt at {which} depends on the players"
                )
        found = len(known.keys() - {None})
        assert found > 1, f"{game.name}: dealt() reported {found} deals: nothing was compared"


def check_nothing_leaks(game: Game, seed: int, deal: int, rearrange: Rearrange) -> None:
    """The view shows, and players use, only what a seat may see.

    `rearrange(s, seat, random)` shuffles in place what `seat` cannot know. The state must then look the same to that seat, and
    if the seat is to move, it must choose the same move.
    """
    random, changes = np.random.default_rng(seed), 0
    for contestants in rotations(game, seed):
        session = sit_down(game, contestants, seed, deal, deal)
        for number, _ in enumerate(walk(session)):
            state = session.state
            for seat in range(len(contestants)) if number % SOME == 0 else ():
                other = state.copy()
                rearrange(other[0], seat, random)
                changes += len(differing(state, other))
                _check_looks_alike(game, state, other, seat, session.names)
                if seat == state[0]["turn"]:
                    here, there = choose_afresh(session, state), choose_afresh(session, other)
                    problem = f"chose {here}, but {there} after hidden information was shuffled"
                    assert here == there, f"{game.name}: move {number}: {session.names[seat]} {problem}"
    assert changes, f"{game.name}: rearrange() never changed a state: nothing was compared"


def _check_looks_alike(game: Game, state: np.ndarray, other: np.ndarray, seat: int, names: list[str]) -> None:
    shown, changed = game.view.state_json(state[0], seat), game.view.state_json(other[0], seat)
    wrong = [key for key in shown if shown[key] != changed[key]]
    assert not wrong, f"{game.name}: state_json shows seat {seat} what it cannot see: {', '.join(wrong)}"
    same = game.view.text(state[0], seat) == game.view.text(other[0], seat)
    assert same, f"{game.name}: text shows seat {seat} what it cannot see:\n{game.view.text(state[0], seat)}"
    if game.view.interactive:
        here, there = game.view.table(state[0], seat, names), game.view.table(other[0], seat, names)
        if here != there:
            at = parting(here, there)
            leak = f"at {at}: {here[max(at - 30, 0) : at + 30]!r}"
            raise AssertionError(f"{game.name}: the table shows seat {seat} what it cannot see, {leak}")
