"""The conformance suite can fail: games broken on purpose, each caught by the check that should catch it.

A broken kernel is a plain Python function around golf's own, which the checks that go move by move call as it stands;
where the launcher is broken, a false one is put in its place, so that nothing is compiled anew.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from altered import altered
from sparring.errors import UserError
from sparring.games import Game, find_game, name_game
from sparring.games.game import play_move, start_game
from sparring.games.golf.view import GolfView
from sparring.testing import (
    CHECKS,
    check_deals_ignore_players,
    check_golden,
    check_nothing_leaks,
    for_all_deals,
    playthrough,
)
from test_conformance import golf_dealt, golf_rearrange

GOLF = find_game("golf")
THROW = 6


def swap_two_cards(s: Any) -> None:
    s["hand"][0, :2] = s["hand"][0, 1::-1].copy()


def start_by_luck(s: Any, seed: Any, deal: int, luck: int, seats: int) -> None:
    GOLF.rules.start(s, seed, deal, luck, seats)
    if luck % 2:
        swap_two_cards(s)


CALLS = count()


def start_by_chance(s: Any, seed: Any, deal: int, luck: int, seats: int) -> None:
    GOLF.rules.start(s, seed, deal + next(CALLS), luck, seats)


def start_without_deal(s: Any, seed: Any, deal: int, luck: int, seats: int) -> None:
    GOLF.rules.start(s, seed, 0, luck, seats)


def start_without_seed(s: Any, seed: Any, deal: int, luck: int, seats: int) -> None:
    GOLF.rules.start(s, np.uint64(7), deal, luck, seats)


def choose_what_is_not_offered(s: Any, *rest: Any) -> int:
    return THROW if s["phase"] == 0 and s["turn_count"] == 5 else GOLF.policies.choose(s, *rest)


def choose_and_mark(s: Any, *rest: Any) -> int:
    s["starter"] = s["turn"]
    return GOLF.policies.choose(s, *rest)


def choose_by_memory(s: Any, player: Any, weights: np.ndarray, room: np.ndarray, integers: np.ndarray) -> int:
    if s["phase"] != 0:
        return GOLF.policies.choose(s, player, weights, room, integers)
    integers[-1] += 1
    return int(integers[-1] % 2)


def choose_by_peeking(s: Any, *rest: Any) -> int:
    return int(s["stock"][s["stock_size"] - 1]) % 2 if s["phase"] == 0 else GOLF.policies.choose(s, *rest)


def moves_twice(s: Any, out: np.ndarray) -> int:
    n = GOLF.rules.moves(s, out)
    out[n] = out[0]
    return n + 1


def apply_without_throwing(s: Any, move: int) -> None:
    if s["phase"] == 0 or move != THROW:
        GOLF.rules.apply(s, move)


def apply_by_luck(s: Any, move: int) -> None:
    GOLF.rules.apply(s, move)
    s["tally"]["score"][0] += int(s["luck"][0] % 2)


def apply_by_players(s: Any, move: int) -> None:
    GOLF.rules.apply(s, move)
    if golf_dealt(s) and s["tally"]["turns"] % 2:
        swap_two_cards(s)


class ForgetfulView(GolfView):
    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        seats, moves = super().read_moves(text, place)
        return seats, moves[:-1]


class MiscountingView(GolfView):
    def game_tally(self, text: str, place: str) -> np.ndarray:
        tally = super().game_tally(text, place)
        tally["turns"] += 1
        return tally


class TellingView(GolfView):
    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        return super().state_json(s, seat) | {"next": int(s["stock"][s["stock_size"] - 1])}


class SpilledView(GolfView):
    """A view whose tables come out otherwise."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        return super().table(s, seat, names).replace(self.old, self.new)


class PeepingView(GolfView):
    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        return super().table(s, None, names)


class ClumsyView(GolfView):
    """A view in which places are touched in other ways."""

    def __init__(self, ways: Callable[[int], list[tuple[str, ...]]]) -> None:
        self.ways = ways

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        return super().input_sequences(s, move) if s["phase"] == 0 else self.ways(move)


class FalseLauncher:
    """Golf's launcher, with something added to the number of turns it counts."""

    def __init__(self, falsify: Any) -> None:
        self.falsify = falsify

    def play(self, jobs: np.ndarray, *rest: Any, **options: Any) -> tuple[np.ndarray, np.ndarray]:
        tallies, moves = GOLF.launcher.play(jobs, *rest, **options)
        tallies["turns"] += self.falsify(jobs, options)
        return tallies, moves


def falsely_launched(falsify: Any) -> Game:
    game = replace(GOLF)
    vars(game)["launcher"] = FalseLauncher(falsify)
    return game


def endless_measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    return {"rate": np.full(tallies["score"].shape, np.nan)}


def shapeless_measures(tallies: np.ndarray) -> dict[str, np.ndarray]:
    return {"rate": tallies["turns"]}


BROKEN = [
    ("deals are pure", altered(GOLF, start=start_by_luck), "depends on luck.*hand"),
    ("deals are pure", altered(GOLF, start=start_by_chance), "the same deal again differs"),
    ("deals differ", altered(GOLF, start=start_without_deal), "the deal's number is not used"),
    ("deals differ", altered(GOLF, start=start_without_seed), "the seed is not used"),
    ("games end", altered(GOLF, max_moves=100), "not over after max_moves = 100"),
    (
        "choices are offered",
        altered(GOLF, choose=choose_what_is_not_offered),
        r"move 10: greedier chose 6.*offer \(0, 1\)",
    ),
    ("choosing changes luck alone", altered(GOLF, choose=choose_and_mark), "by choosing, .* changed {'starter'}"),
    ("choosing changes luck alone", altered(GOLF, choose=choose_by_memory), "without what it remembered"),
    ("choices are offered", altered(GOLF, moves=moves_twice), "offered twice"),
    ("moves are exact", altered(GOLF, apply=apply_without_throwing), "move 6 changes nothing"),
    ("rules need no luck", altered(GOLF, apply=apply_by_luck), "end differently in {'tally'}"),
    ("the launcher agrees", falsely_launched(lambda jobs, options: 1), "tally differs in {'turns'}"),
    ("seats decide", falsely_launched(lambda jobs, options: jobs["player"][:, 0]), "order of rows.*turns"),
    ("seats decide", falsely_launched(lambda jobs, options: np.arange(len(jobs))), "exchanging random with itself"),
    (
        "work is order-free",
        falsely_launched(lambda jobs, options: options["threads"]),
        "second thread changed {'turns'}",
    ),
    ("work is order-free", falsely_launched(lambda jobs, options: np.arange(len(jobs))), "the order of jobs"),
    ("records survive", altered(GOLF, view=ForgetfulView), "the notation's moves differ from move"),
    ("records survive", altered(GOLF, view=MiscountingView), "computed from the notation differs in {'turns'}"),
    ("tables can be clicked", altered(GOLF, view=SpilledView("</svg>", "")), "not well-formed SVG"),
    ("tables can be clicked", altered(GOLF, view=SpilledView("2000/svg", "1999/xhtml")), "not SVG but"),
    ("tables can be clicked", altered(GOLF, view=SpilledView("aria-label", "title")), "has no aria-label"),
    ("tables can be clicked", altered(GOLF, view=ClumsyView(lambda move: [])), "move 0 cannot be made by clicks"),
    ("tables can be clicked", altered(GOLF, view=ClumsyView(lambda move: [()])), "move 0 cannot be made by clicks"),
    ("tables can be clicked", altered(GOLF, view=ClumsyView(lambda move: [("x",)])), "0 and 1 are made by the same"),
    ("tables can be clicked", altered(GOLF, view=ClumsyView(lambda move: [("x",) * (move + 1)])), "begin with those"),
    ("tables can be clicked", altered(GOLF, view=ClumsyView(lambda move: [(f" {move}",)])), "nor fit for a button"),
    ("measures fit", altered(GOLF, measures=endless_measures), "measure rate is not finite"),
    ("measures fit", altered(GOLF, measures=shapeless_measures), "measure rate has shape"),
    ("measures fit", altered(GOLF, labels={"cards": ("A", "2")}), "profile cards has shape"),
]


@pytest.mark.parametrize(
    ("check", "game", "message"), BROKEN, ids=[f"{check}-{message}" for check, _, message in BROKEN]
)
def test_a_broken_game_is_caught(check: str, game: Game, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        CHECKS[check](game, 1, 2)


def test_every_check_is_shown_to_fail() -> None:
    assert {check for check, _, _ in BROKEN} | {"interpreted play agrees"} == set(CHECKS)


MODULE = """
from dataclasses import replace
from sparring.games.golf import GAME as GOLF
from sparring.kernel.compiler import INTERPRETED

def start(s, seed, deal, luck, seats):
    GOLF.rules.start(s, seed, deal + 1, luck, seats)

GAME = replace(GOLF, name="broken", rules=replace(GOLF.rules, start=start if INTERPRETED else GOLF.rules.start))
"""


def test_a_game_that_plays_otherwise_when_interpreted_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "broken_games"
    folder.mkdir()
    (folder / "golf.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        with pytest.raises(AssertionError, match="interpreted and compiled play differ: random at move"):
            CHECKS["interpreted play agrees"](name_game("broken_games.golf"), 1, 2)
    finally:
        sys.modules.pop("broken_games.golf", None)


def test_a_game_that_no_module_defines_cannot_be_compared_with_another_process() -> None:
    with pytest.raises(UserError, match=r"no imported package.module defines it as GAME"):
        CHECKS["interpreted play agrees"](replace(GOLF), 1, 2)


def test_deals_that_depend_on_players_are_caught() -> None:
    with pytest.raises(AssertionError, match=r"what is dealt at [1-8] depends on the players"):
        check_deals_ignore_players(altered(GOLF, apply=apply_by_players), 1, 2, golf_dealt)


def test_a_view_that_tells_and_a_player_that_peeks_are_caught() -> None:
    with pytest.raises(AssertionError, match="state_json shows seat 0 what it cannot see: next"):
        check_nothing_leaks(altered(GOLF, view=TellingView), 1, 2, golf_rearrange)
    with pytest.raises(AssertionError, match="the table shows seat 0 what it cannot see, at "):
        check_nothing_leaks(altered(GOLF, view=PeepingView), 1, 2, golf_rearrange)
    with pytest.raises(AssertionError, match="after hidden information was shuffled"):
        check_nothing_leaks(altered(GOLF, choose=choose_by_peeking), 1, 2, golf_rearrange)


def test_checks_that_are_told_nothing_say_so() -> None:
    with pytest.raises(AssertionError, match="nothing was compared"):
        check_deals_ignore_players(GOLF, 1, 2, lambda s: None)
    with pytest.raises(AssertionError, match="nothing was compared"):
        check_nothing_leaks(GOLF, 1, 2, lambda s, seat, random: None)


def test_a_failure_names_the_seed_and_the_deal_and_the_draws_are_the_same_every_time() -> None:
    drawn: list[tuple[int, int]] = []

    def fails_late(game: Game, seed: int, deal: int) -> None:
        drawn.append((seed, deal))
        if len(drawn) % 5 == 0:  # an assert of ours would be explained by pytest
            raise AssertionError(f"{game.name}: wrong")

    messages = []
    for _ in range(2):
        with pytest.raises(AssertionError, match=r"^golf: wrong \(seed \d+, deal \d+\)$") as failure:
            for_all_deals(GOLF, fails_late)
        messages.append(str(failure.value))
    assert messages[0] == messages[1] == "golf: wrong (seed {}, deal {})".format(*drawn[-1])
    assert len(set(drawn)) == 5 and drawn[:5] == drawn[5:]


def test_the_command_checks_a_single_file_without_hypothesis() -> None:
    file = Path(__file__).parents[1] / "examples" / "higher_card.py"
    arguments = f"sys.argv = ['testing', {str(file)!r}, '--examples', '1']"
    run = "runpy.run_module('sparring.testing', run_name='__main__')"
    code = f"import runpy, sys; sys.modules['hypothesis'] = None; {arguments}; {run}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} ... ok" for name in CHECKS]


def test_a_changed_playthrough_says_where_and_how_to_write_it_anew(tmp_path: Path) -> None:
    path = tmp_path / "golf.txt"
    with pytest.raises(AssertionError, match=r"no such file; write it: python -m sparring.testing golf --golden"):
        check_golden(GOLF, path)
    path.write_text(playthrough(GOLF).replace("move 1: ", "move one: ", 1), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"golf.txt:\d+: play changed: was 'move one.*raise the rules' version"):
        check_golden(GOLF, path)
    path.write_text(playthrough(GOLF) + "more\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="lines became"):
        check_golden(GOLF, path)


def test_an_illegal_move_is_refused_in_words() -> None:
    state = start_game(GOLF, 1, 2, 3, 2)
    with pytest.raises(UserError, match=r"^illegal move 9; legal: 0, 1$"):
        play_move(GOLF, state, 9)
    state["over"] = 1
    with pytest.raises(UserError, match=r"^illegal move 0; the game is over$"):
        play_move(GOLF, state, 0)
