"""Opponents by level: at least five in every game, measured, and in the order of their names."""

import json
import tomllib
from pathlib import Path

import pytest

import sparring
from sparring.games import GAMES, find_game
from sparring.games.levels import MEASURED, NAMES
from sparring.web.naming import list_games

FOLDER = Path(sparring.__file__).parent / "games"


MEASURED_GAMES = [name for name in GAMES if (FOLDER / name / MEASURED).exists()]
ENOUGH = 2000  # games that must decide an order


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_five_levels_from_beginner_to_strongest(name):
    named = tomllib.loads((FOLDER / name / NAMES).read_text())["level"]
    assert len(named) >= 5 and named[0]["name"] == "Beginner"
    assert len({level["player"] for level in named}) == len(named) and all(level["about"] for level in named)


@pytest.mark.parametrize("name", MEASURED_GAMES)
def test_measured_levels_are_in_order_and_each_beats_the_one_before(name):
    game = find_game(name)
    named = tomllib.loads((FOLDER / name / NAMES).read_text())["level"]
    order = [level["player"] for level in named if level.get("ranked", True)]
    measured = json.loads((FOLDER / name / MEASURED).read_text())
    assert set(order) <= set(measured["players"]) and measured["rules"] == game.rules.version and len(order) >= 5
    assert [level.player for level in game.presentation.levels if level.rating] == order
    ratings = [measured["players"][player]["rating"][0] for player in order]
    assert ratings == sorted(ratings)
    met = {tuple(meeting["players"]): meeting for meeting in measured["meetings"]}
    for pair in zip(order, order[1:], strict=False):
        assert met[pair]["games"] >= ENOUGH and met[pair]["share"][1] > 0.5, pair


def test_performance_ratings_of_levels_are_those_measured():
    stored = json.loads((Path(__file__).parent.parent / "results/backgammon-ratings.json").read_text())["result"]
    named = tomllib.loads((FOLDER / "backgammon" / NAMES).read_text())["level"]
    said = {level["player"]: level["about"].partition("performance rating ")[2] for level in named}
    assert {player: int(rating) for player, rating in said.items() if rating} == {
        player: round(stored[player]["2-ply"][0]) for player in said if player in stored
    }


def test_the_page_offers_every_level_and_shows_ratings_from_zero_on():
    for game in list_games():
        offered = {level["player"] for level in game["levels"]}
        external = find_game(game["name"]).policies.external or {}
        levels = {level.player for level in find_game(game["name"]).presentation.levels}
        assert levels - set(external) <= offered <= {player["name"] for player in game["players"]}
        rated = [level["rating"][0] for level in game["levels"] if level["rating"]]
        assert rated == sorted(rated) and rated[:1] in ([], [0])
        assert game["adviser"] in {player["name"] for player in game["players"]}
