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


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_measured_and_each_beats_the_one_before(name):
    game = find_game(name)
    named = [level["player"] for level in tomllib.loads((FOLDER / name / NAMES).read_text())["level"]]
    measured = json.loads((FOLDER / name / MEASURED).read_text())
    order = [player for player in named if player not in (game.policies.external or {})]
    assert len(order) >= 5 and set(order) <= set(measured["players"])
    assert measured["rules"] == game.rules.version
    ratings = [measured["players"][player]["rating"][0] for player in order]
    assert ratings == sorted(ratings)
    shares = {tuple(meeting["players"]): meeting["share"] for meeting in measured["meetings"]}
    for weaker, stronger in zip(order, order[1:], strict=False):
        assert shares[weaker, stronger][1] > 0.5, (weaker, stronger)  # the lower end of its interval


def test_the_page_offers_every_level_and_shows_ratings_from_zero_on():
    for game in list_games():
        offered = {level["player"] for level in game["levels"]}
        external = find_game(game["name"]).policies.external or {}
        levels = {level.player for level in find_game(game["name"]).presentation.levels}
        assert levels - set(external) <= offered <= {player["name"] for player in game["players"]}
        rated = [level["rating"][0] for level in game["levels"] if level["rating"]]
        assert rated == sorted(rated) and rated[0] == 0
        assert game["adviser"] in {player["name"] for player in game["players"]}
