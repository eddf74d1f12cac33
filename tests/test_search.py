"""Search: worlds fit what the seat has seen, choices depend on nothing else, and names say how much a player searches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sparring.arena.players import find_player, pack_players
from sparring.errors import UserError
from sparring.games import GAMES, find_game
from sparring.search.budget import Budget, read_budget

HERE = Path(__file__).parent


def interpreted(file: str, *words: str) -> None:
    subprocess.run([sys.executable, HERE / file, *words], env=os.environ | {"SPARRING_INTERPRET": "1"}, check=True)


CHECKED = ("golf", "golf-4", "gin", "gin-study", "hearts", "conquest", "backgammon")


def test_every_game_is_checked():
    assert {name.partition("-")[0] for name in CHECKED} == {name for name in GAMES if find_game(name).search}


@pytest.mark.parametrize("game", CHECKED)
def test_a_world_is_what_the_seat_sees_and_nothing_else_of_the_state(game):
    interpreted("search_worlds.py", "worlds", game)


@pytest.mark.parametrize("game", CHECKED)
def test_what_the_seat_cannot_know_changes_no_choice(game):
    interpreted("search_worlds.py", "fair", game)


@pytest.mark.parametrize("game", ["forks", "coins", "kuhn"])
def test_tree_search_finds_the_best_move_of_a_small_game(game):
    interpreted("search_optimum.py", game)


DIGEST = """
import json
from sparring.arena.players import Chooser, find_player
from sparring.games import find_game
from sparring.games.game import play_move, start_game
game = find_game("golf")
players = [Chooser(game, find_player(game, name)) for name in ("sensible+flat@30", "sensible+ismcts@20:greedier")]
state, played = start_game(game, 1, 2, 0, 2), []
while state[0]["round_number"] < 1:
    played.append(players[state[0]["turn"]].choose(state))
    play_move(game, state, played[-1])
print(json.dumps(played))
"""


def test_interpreted_search_chooses_as_the_compiled_one():
    found = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", DIGEST],
                env=os.environ | {"SPARRING_INTERPRET": word},
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )
        for word in ("0", "1")
    ]
    assert found[0] == found[1] and len(found[0]) > 20


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("sensible+flat@800", Budget("flat", 800)),
        ("sensible+ismcts@2s", Budget("ismcts", seconds=2.0)),
        ("sensible+ismcts@.5s:random", Budget("ismcts", seconds=0.5, playout="random")),
        ("champion+flat@800/6", Budget("flat", 800, cut=6)),
        ("champion+ismcts@2s:random/6", Budget("ismcts", seconds=2.0, playout="random", cut=6)),
        ("sensible+search@10", Budget(find_game("golf").search.method, 10)),
    ],
)
def test_a_name_says_how_much_a_player_searches(name, budget):
    assert read_budget(find_game("golf"), name) == (name.partition("+")[0], budget)
    found = find_player(find_game("golf"), name)
    assert found.budget == budget and find_player(find_game("golf"), found.name).budget == budget


@pytest.mark.parametrize(
    "name",
    [
        "sensible+search", "sensible+search@", "sensible+search@0", "sensible+search@-1", "sensible+search@9999999",
        "sensible+search@0s", "sensible+search@1e3s", "sensible+search@9999s", "sensible+search@٣",
        "sensible+search@5:nobody", "sensible+search@5:net", "sensible+flat@5+flat@5", "nobody+search@5",
        "champion+search@5/", "champion+search@5/0", "champion+search@5/1001", "champion+search@5/x", "sensible+search@5/6",
        "pupil+search@5/6",
    ],
)  # fmt: skip
def test_a_name_that_says_it_badly_is_refused(name):
    with pytest.raises(UserError) as error:
        find_player(find_game("golf"), name)
    assert "\n" not in str(error.value)


def test_learners_refuse_opponents_that_search():
    game = find_game("golf")
    with pytest.raises(UserError, match="searches"):
        pack_players(game, [find_player(game, "sensible+search@5")])


def test_a_player_with_search_is_another_player():
    game = find_game("golf")
    from sparring.arena.players import net_hashes

    assert (
        len(
            set(net_hashes([find_player(game, n) for n in ("champion", "champion+flat@5", "champion+flat@6")]).values())
        )
        == 3
    )
