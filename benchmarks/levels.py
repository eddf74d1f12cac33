"""Measures the levels of a game: `python benchmarks/levels.py GAME [--games N] [--minutes M] [--threads T] [--skip PLAYER]`.

Every level plays N games against each of the next two, under the rules by which people play; in games for four, one of each
against three of the other in turn. Where players think so long that a meeting would take more than M minutes of a core, fewer
games are played. Ratings are Bradley-Terry ratings with mean 0, with 95% intervals over resampled deals. The time of a decision is
the median over one game of the player against itself, on one core. The result is written to levels.json in the game's folder.
"""

import argparse
import json
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import sparring
from sparring.arena.play import seatings
from sparring.arena.players import Chooser, Contestant, find_player
from sparring.arena.ratings import RESAMPLES, rate
from sparring.arena.statistics import rate_interval
from sparring.arena.tournament import meeting_points
from sparring.errors import UserError
from sparring.games import Game, find_game
from sparring.games.game import apply_move, start_game, with_rules
from sparring.games.levels import MEASURED, NAMES
from sparring.studies.study import source_commit

DECISIONS = 300  # that are timed, at most
SEED = 1
FOLDER = Path(sparring.__file__).parent / "games"
TRIED = 4  # deals that show how long games take
FEWEST = 25  # deals of a meeting


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


def meet(game: Game, players: list[Contestant], games: int, minutes: float, threads: int) -> np.ndarray:
    """The points of two players on each deal: (deals, 2)."""
    seats = min(game.rules.seats)
    each = len(seatings(2)) if seats == 2 else 2 * seats  # games of a deal
    meeting_points(game, players, 1, SEED + 1, threads)  # compiles what is not compiled yet
    began = time.process_time()
    meeting_points(game, players, TRIED, SEED + 1, threads)
    taken = (time.process_time() - began) / TRIED
    deals = min(-(-games // each), max(FEWEST, int(60 * minutes / taken)))
    return meeting_points(game, players, deals, SEED, threads)


def measure(family: str, games: int, minutes: float, threads: int, skipped: list[str]) -> dict[str, Any]:
    """Ratings and times of all levels but those that are skipped."""
    game = find_game(family)
    game = with_rules(game, game.presentation.people) if game.presentation.people else game
    named = tomllib.loads((FOLDER / family / NAMES).read_text())["level"]
    names = [level["player"] for level in named if level["player"] not in skipped]
    players = [find_player(game, name) for name in names if installed(game, name)]
    count = len(players)
    met = {(i, j): meet(game, [players[i], players[j]], games, minutes, threads)
           for i in range(count) for j in range(i + 1, min(i + 3, count))}  # fmt: skip
    rng = np.random.default_rng(SEED)

    def wins(resampled: bool) -> np.ndarray:
        table = np.zeros((count, count))
        for (i, j), points in met.items():
            chosen = points[rng.integers(len(points), size=len(points))] if resampled else points
            table[i, j], table[j, i] = chosen.sum(axis=0)
        return table

    ratings = rate(wins(False), lambda: wins(True), rng, RESAMPLES)
    facts = {"game": game.name, "rules": game.rules.version, "seed": SEED, "commit": source_commit()}
    meetings = [meeting_json(game, players[i].name, players[j].name, points) for (i, j), points in met.items()]
    timed = {
        each.name: {} if each.external else {"seconds": round(decision_seconds(game, each), 6)} for each in players
    }
    found = {
        each.name: {"rating": rating.json(1), **timed[each.name]} for each, rating in zip(players, ratings, strict=True)
    }
    return facts | {"players": found, "meetings": meetings}


def meeting_json(game: Game, weaker: str, stronger: str, points: np.ndarray) -> dict[str, Any]:
    """The share of points that the stronger level won; a draw counts half."""
    seats = min(game.rules.seats)
    share = rate_interval(points[:, 1] / points.sum(axis=1))
    return {
        "players": [weaker, stronger],
        "games": len(points) * (2 if seats == 2 else 2 * seats),
        "share": share.json(4),
    }


def main() -> None:
    """Measure one game and store the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=2000, help="of each meeting")
    parser.add_argument("--minutes", type=float, default=5, help="of a core that a meeting may take, about")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--skip", action="append", default=[], help="a level's player that is not measured")
    options = parser.parse_args()
    found = measure(options.game, options.games, options.minutes, options.threads, options.skip)
    path = FOLDER / options.game / MEASURED
    path.write_text(json.dumps(found, indent=1) + "\n")
    for name, each in found["players"].items():
        print(name, each)
    for meeting in found["meetings"]:
        print(*meeting["players"], meeting["games"], meeting["share"])


if __name__ == "__main__":
    main()
