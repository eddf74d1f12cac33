"""The conformance suite: what every game must satisfy, ours and yours.

In a shell, with the module that defines your GAME (or the name of a game of ours):

    python -m sparring.testing my_package.my_game

In your tests, all at once or check by check:

    from sparring.testing import CHECKS, check_golden, conforms, for_all_deals

    def test_my_game_conforms():
        conforms(GAME)

    @pytest.mark.parametrize("name", CHECKS)
    def test_my_game(name):
        for_all_deals(GAME, name)

Every check is a plain function of a game, a seed and a deal that raises AssertionError with what is wrong, so that one
failure can be run again by itself: `CHECKS["games end"](GAME, seed=7, deal=3)`. Only `conforms` and `for_all_deals`
need Hypothesis, which draws the seeds and deals (`pip install sparring[testing]`).

Two more checks need to be told what your game deals and hides: `check_deals_ignore_players` and `check_nothing_leaks`.
"""

from collections.abc import Callable

from sparring.errors import UserError
from sparring.games import Game
from sparring.testing.checks import (
    check_choices_are_offered,
    check_choosing_changes_luck_alone,
    check_deals_are_pure,
    check_deals_differ,
    check_games_end,
    check_launcher_agrees,
    check_measures_fit,
    check_moves_are_exact,
    check_records_survive,
    check_rules_need_no_luck,
    check_seats_decide,
    check_tables_can_be_touched,
    check_work_is_order_free,
)
from sparring.testing.golden import check_golden, playthrough
from sparring.testing.interpreted import check_interpreted_agrees
from sparring.testing.secrets import check_deals_ignore_players, check_nothing_leaks

__all__ = [
    "CHECKS",
    "Check",
    "check_deals_ignore_players",
    "check_golden",
    "check_nothing_leaks",
    "conforms",
    "for_all_deals",
    "playthrough",
]

Check = Callable[[Game, int, int], None]  # of a game, a seed and a deal

# In the order in which to run them: later checks trust what earlier ones have shown.
CHECKS: dict[str, Check] = {
    "deals are pure": check_deals_are_pure,
    "deals differ": check_deals_differ,
    "games end": check_games_end,
    "choices are offered": check_choices_are_offered,
    "choosing changes luck alone": check_choosing_changes_luck_alone,
    "moves are exact": check_moves_are_exact,
    "rules need no luck": check_rules_need_no_luck,
    "the launcher agrees": check_launcher_agrees,
    "seats decide": check_seats_decide,
    "work is order-free": check_work_is_order_free,
    "records survive": check_records_survive,
    "measures fit": check_measures_fit,
    "tables can be touched": check_tables_can_be_touched,
    "interpreted play agrees": check_interpreted_agrees,
}
SLOW = {"interpreted play agrees": 2}  # the most examples of a check that takes seconds for each


def conforms(game: Game, examples: int = 25) -> None:
    """Run every check in order, each on `examples` seeds and deals drawn by Hypothesis; the first failure is raised."""
    for name in CHECKS:
        for_all_deals(game, name, examples)


def for_all_deals(game: Game, check: str | Check, examples: int = 25) -> None:
    """Run one check, by name or as a function, on `examples` seeds and deals: the same ones every time."""
    try:
        from hypothesis import HealthCheck, Phase, given, settings
        from hypothesis.strategies import integers
    except ImportError:
        raise UserError("hypothesis, which draws seeds and deals, is missing: install sparring[testing]") from None
    function = CHECKS[check] if isinstance(check, str) else check
    most = min(examples, SLOW.get(check, examples)) if isinstance(check, str) else examples

    # A smaller seed is no simpler, so nothing is shrunk.
    @settings(
        max_examples=most,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(seed=integers(0, 2**64 - 1), deal=integers(0, 2**40))
    def holds(seed: int, deal: int) -> None:
        function(game, seed, deal)

    holds()
