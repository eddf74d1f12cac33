"""Measures the levels of a game: `python benchmarks/levels.py GAME [--pairs N]`.

The players of the game's levels play a tournament under the rules by which people play; ratings are Bradley-Terry ratings with mean
0. The time of a decision is the median over the decisions of one game of the player against itself, on one core. The result is
written to levels.json in the game's folder, with the command's numbers.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import sparring
from sparring.arena.players import Chooser, Contestant, find_player
from sparring.errors import UserError
from sparring.games import Game, find_game
from sparring.games.game import apply_move, start_game, with_rules
from sparring.games.levels import MEASURED
from sparring.studies.study import source_commit

DECISIONS = 300  # that are timed, at most
SEED = 1


def decision_seconds(game: Game, player: Contestant) -> float:
    """The median time that a player needs for a decision."""
    chooser, state = Chooser(game, player), start_game(game, SEED, 0, 0, game.rules.seats[0])
    taken = []
    while not state[0]["over"] and len(taken) < DECISIONS:
        began = time.perf_counter()
        move = chooser.choose(state)
        taken.append(time.perf_counter() - began)
        apply_move(game.rules, state, move)
    return float(np.median(taken))


def installed(game: Game, name: str) -> bool:
    """Whether a player can be measured here: programs may be missing."""
    player = find_player(game, name)
    try:
        if player.external:
            player.external().close()
    except UserError:
        return False
    return True


def measure(family: str, pairs: int) -> dict[str, Any]:
    """Ratings and times of all levels."""
    game = find_game(family)
    game = with_rules(game, game.presentation.people) if game.presentation.people else game
    names = [level.player for level in game.presentation.levels if installed(game, level.player)]
    found = sparring.tournament(game, *names, pairs=pairs, seed=SEED, runs=None)
    ratings = {player.name: player.rating.json(1) for player in found.players}
    players = {}
    for name in names:
        player = find_player(game, name)
        timed = {} if player.external else {"seconds": round(decision_seconds(game, player), 6)}
        players[name] = {"rating": ratings[name], **timed}
    facts = {"game": game.name, "rules": game.rules.version, "pairs": pairs, "seed": SEED, "commit": source_commit()}
    return facts | {"players": players}


def main() -> None:
    """Measure one game and store the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--pairs", type=int, default=1000)
    options = parser.parse_args()
    found = measure(options.game, options.pairs)
    path = Path(sparring.__file__).parent / "games" / options.game / MEASURED
    path.write_text(json.dumps(found, indent=1) + "\n")
    for name, each in found["players"].items():
        print(name, each)


if __name__ == "__main__":
    main()
