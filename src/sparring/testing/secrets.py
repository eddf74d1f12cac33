"""Two properties that need to know what a game deals and hides: each takes one small function of that game."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from sparring.arena.session import Session
from sparring.games import Game
from sparring.testing.cast import choose_afresh, differing, rotations, sit_down, walk

Dealt = Callable[[Any], tuple[Hashable, Hashable] | None]
Rearrange = Callable[[Any, int, np.random.Generator], None]
SOME = 9  # every ninth state of a game is looked at closely


def check_deals_ignore_players(game: Game, seed: int, deal: int, dealt: Dealt) -> None:
    """What is dealt in the course of a game does not depend on who plays.

    `dealt(s)` tells of a state in which something was just dealt or rolled: (which, what), such as (3, the third round's
    cards); None of any other state. Whatever two games of one deal both come to must then be the same in both.
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
        assert len(known.keys() - {None}) > 1, f"{game.name}: dealt() told of {len(known)} deals: nothing was compared"


def check_nothing_leaks(game: Game, seed: int, deal: int, rearrange: Rearrange) -> None:
    """Nobody is shown, and no player makes use of, what a seat cannot see.

    `rearrange(s, seat, random)` shuffles in place whatever `seat` cannot know of a state: to that seat all must look the
    same as before, and if it is its turn it must choose the same move.
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
                    _check_choice_stays(session, state, other, number)
    assert changes, f"{game.name}: rearrange() never changed a state: nothing was compared"


def _check_looks_alike(game: Game, state: np.ndarray, other: np.ndarray, seat: int, names: list[str]) -> None:
    shown, changed = game.view.state_json(state[0], seat), game.view.state_json(other[0], seat)
    wrong = [key for key in shown if shown[key] != changed[key]]
    assert not wrong, f"{game.name}: state_json shows seat {seat} what it cannot see: {', '.join(wrong)}"
    same = game.view.text(state[0], seat) == game.view.text(other[0], seat)
    assert same, f"{game.name}: text shows seat {seat} what it cannot see:\n{game.view.text(state[0], seat)}"
    if game.view.interactive:
        here, there = game.view.table(state[0], seat, names), game.view.table(other[0], seat, names)
        assert here == there, f"{game.name}: the table shows seat {seat} what it cannot see, {_parting(here, there)}"


def _parting(here: str, there: str) -> str:
    """Where two texts begin to differ."""
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return f"at {at}: {here[max(at - 30, 0) : at + 30]!r}"


def _check_choice_stays(session: Session, state: np.ndarray, other: np.ndarray, number: int) -> None:
    here, there = choose_afresh(session, state), choose_afresh(session, other)
    name = session.names[state[0]["turn"]]
    assert here == there, (
        f"{session.game.name}: move {number}: {name} chose {here}, but {there} once hidden things were shuffled"
    )
