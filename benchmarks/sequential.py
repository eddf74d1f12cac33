"""What sequential matches save: games until the verdict between real players, beside a match of fixed size; prints JSON.

Every two players meet under twenty seeds with `elo0=0,elo1=10` and error rates of 5%. The match of fixed size with the same
error rates is computed from the variance of 2,000 other deals.
"""

import json
import math
from typing import Any

import numpy as np
from scipy.special import ndtri

from sparring.arena.match import match, seat_players
from sparring.arena.play import paired_jobs, play
from sparring.arena.sequential import Sequential, Until, expected
from sparring.arena.statistics import mean_interval
from sparring.games import find_game

UNTIL = Until(0, 10)
SEEDS = range(1, 21)
OTHER = 1000  # the seed of the deals that show the variance
PLAYERS = [
    ("backgammon", "champion", "pubeval"),
    ("backgammon", "champion", "champion-40"),
    ("gin:rules=full", "champion", "simple"),
    ("hearts", "champion", "rule-based"),
    ("golf", "greedier", "greedier"),
]


def fixed_games(name: str, first: str, second: str) -> int:
    """The games of a match of fixed size, by the variance of other deals."""
    game = find_game(name)
    contestants, seating = seat_players(game, [first, second])
    test = Sequential(UNTIL, len(contestants), seating, game.rules.lower_is_better)
    test.enough(play(game, paired_jobs(OTHER, np.arange(len(contestants)), 2000, seating), contestants))
    results, shares = np.linspace(0, 1, len(test.counts)), test.counts / test.counts.sum()
    variance = float(shares @ (results - shares @ results) ** 2)
    errors = float(ndtri(UNTIL.alpha) + ndtri(UNTIL.beta))
    return test.games * math.ceil(variance * (errors / (expected(UNTIL.elo1) - expected(UNTIL.elo0))) ** 2)


def main() -> None:
    """Measure all players."""
    rows: list[dict[str, Any]] = []
    for game, first, second in PLAYERS:
        found = [match(game, first, second, seed=seed, until=UNTIL).sequential for seed in SEEDS]
        games = mean_interval(np.array([each.games for each in found if each], float))
        fixed = fixed_games(game, first, second)
        verdicts = [each.accepted for each in found if each]
        rows.append(
            {
                "game": game,
                "players": [first, second],
                "verdicts": {word: verdicts.count(word) for word in sorted(set(verdicts))},
                "games": games.json(1),
                "fixed_games": fixed,
                "share": [round(x / fixed, 4) for x in (games.value, games.low, games.high)],
            }
        )
    print(json.dumps({"until": "elo0=0,elo1=10", "seeds": len(SEEDS), "rows": rows}))


if __name__ == "__main__":
    main()
