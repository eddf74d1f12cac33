"""Speeds to be measured beside ours: random players of OpenSpiel's hearts, in its own loop and driven from Python."""

from collections.abc import Mapping

from sparring.games.rivals import Rival, openspiel, openspiel_from_python

RIVALS: Mapping[str, Rival] = {
    "openspiel.hearts.random_rounds_per_second.one_core": openspiel("hearts"),
    "openspiel.hearts.random_rounds_from_python_per_second.one_core": openspiel_from_python("hearts"),
}
