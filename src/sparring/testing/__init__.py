"""The conformance suite: properties that every game must have, built-in or your own.

In a shell, with the file or module that defines your GAME (or the name of a built-in game):

    python -m sparring.testing my_game.py

In your tests, all at once or check by check:

    from sparring.testing import CHECKS, check_golden, conforms, for_all_deals

    def test_my_game_conforms():
        conforms(GAME)

    @pytest.mark.parametrize("name", CHECKS)
    def test_my_game(name):
        for_all_deals(GAME, name)

A check is a function of a game, a seed and a deal that raises AssertionError. A failure names the seed and the deal, so that it
can be run again: `CHECKS["games end"](GAME, seed=7, deal=3)`. Two more checks need a function of your game that says what it
deals or hides: `check_deals_ignore_players` and `check_nothing_leaks`.
"""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from sparring.games import Game
from sparring.testing import checks
from sparring.testing.golden import check_golden, playthrough
from sparring.testing.hidden_information import check_deals_ignore_players, check_nothing_leaks
from sparring.testing.interpreted import check_interpreted_agrees

__all__ = ["CHECKS", "Check", "check_deals_ignore_players", "check_golden", "check_nothing_leaks", "conforms", "for_all_deals",
           "playthrough"]  # fmt: skip

Check = Callable[[Game, int, int], None]  # of a game, a seed and a deal

# In the order to run them: later checks rely on earlier ones.
CHECKS: dict[str, Check] = {
    "deals are pure": checks.check_deals_are_pure,
    "deals differ": checks.check_deals_differ,
    "games end": checks.check_games_end,
    "choices are offered": checks.check_choices_are_offered,
    "choosing changes luck alone": checks.check_choosing_changes_luck_alone,
    "moves are exact": checks.check_moves_are_exact,
    "rules need no luck": checks.check_rules_need_no_luck,
    "the launcher agrees": checks.check_launcher_agrees,
    "seats decide": checks.check_seats_decide,
    "work is order-free": checks.check_work_is_order_free,
    "records survive": checks.check_records_survive,
    "measures fit": checks.check_measures_fit,
    "tables can be clicked": checks.check_tables_can_be_clicked,
    "interpreted play agrees": check_interpreted_agrees,
}
SLOW = {"interpreted play agrees": 2}  # the most examples of a check that takes seconds for each
SEEDS, DEALS = 2**64, 2**40


def conforms(game: Game, examples: int = 25) -> None:
    """Run every check in order, each on `examples` seeds and deals; the first failure is raised."""
    for name in CHECKS:
        for_all_deals(game, name, examples)


def for_all_deals(game: Game, check: str | Check, examples: int = 25) -> None:
    """Run one check, by name or as a function, on `examples` seeds and deals, the same ones every time."""
    function = CHECKS[check] if isinstance(check, str) else check
    most = min(examples, SLOW.get(check, examples)) if isinstance(check, str) else examples
    for seed, deal in islice(_draws(), most):
        try:
            function(game, seed, deal)
        except AssertionError as failure:
            raise AssertionError(f"{failure} (seed {seed}, deal {deal})") from failure


def _draws() -> Iterator[tuple[int, int]]:
    """Seeds and deals: the smallest, the largest, then random ones."""
    yield 0, 0
    yield SEEDS - 1, DEALS
    random = np.random.default_rng(1)
    while True:
        yield int(random.integers(SEEDS, dtype=np.uint64)), int(random.integers(DEALS))
