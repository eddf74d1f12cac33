"""The learned cube beside Janowski's formulas: `python -m benchmarks.backgammon_learned_cube LEARNED OUTCOMES`.

LEARNED is a network that has learned the cube by self-play (encoding `cube`), OUTCOMES one with five outputs that doubles and takes
by Janowski's formulas. In each match one network moves all checkers, or each player its own; the players differ in which network
decides the cube. Both seatings of a deal have the same dice, so with the same checker play games differ only from the first
different cube decision on. Money play; prints JSON. Players that disagree redouble to cubes of hundreds, rarely, and such games
decide means: `clipped` counts at most 16 points a game.
"""

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.arena.match import judge
from sparring.arena.play import by_contestant, paired_jobs
from sparring.arena.players import Contestant, find_player, net_hashes, pack_players
from sparring.arena.statistics import mean_interval
from sparring.games import find_game
from sparring.games.backgammon.players import choose
from sparring.games.backgammon.rules import PLAYING, apply, start
from sparring.kernel.compiler import kernel
from sparring.kernel.records import call_kernel

GAME = find_game("backgammon:cube=on")
MOST = 16  # points of a game that `clipped` counts


@kernel
def play_games(jobs, players, weights, states, float_scratch, int_scratch, tallies):
    """Play every job. Each player has two rows of the table: who moves its checkers, and who decides its cube."""
    s = states[0]
    for i in range(jobs.shape[0]):
        job = jobs[i]
        start(s, job.seed, job.deal, job.luck, job.seats)
        while s.over == 0:
            row = 2 * job.player[s.turn] + (0 if s.phase == PLAYING else 1)
            apply(s, choose(s, players[row], weights, float_scratch, int_scratch))
        tallies[i] = s.tally


def matched(rows: Sequence[Contestant], names: Sequence[str], pairs: int, seed: int) -> dict[str, Any]:
    """A match of two players, each given by who moves its checkers and who decides its cube."""
    table, weights = pack_players(GAME, list(rows))
    jobs = paired_jobs(seed, np.arange(2), pairs)
    tallies, began = np.zeros(len(jobs), GAME.rules.tally), time.perf_counter()
    call_kernel(play_games, jobs, table, weights, *GAME.launcher.scratch(table), tallies)
    result = judge(GAME, list(names), tallies, seed, pairs, time.perf_counter() - began).json()
    kept = ("name", "win_rate", "score", "measures")
    players = [{key: player[key] for key in kept} for player in result["players"]]
    scores = by_contestant(tallies["score"].astype(float), 2)[:, :, 0]
    clipped = mean_interval(np.clip(scores, -MOST, MOST).mean(axis=1))
    more = {"clipped": clipped.json(), "most_points": float(np.abs(scores).max())}
    return {"pairs": pairs, "score_difference": result["score_difference"], "players": players} | more


def main(words: Sequence[str] | None = None) -> None:
    """Play the matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("learned", help="a network that has learned the cube: a file or a run")
    parser.add_argument("outcomes", help="a network with five outputs")
    parser.add_argument("--strong", default="deep", help="a stronger network with five outputs")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument(
        "--strong-pairs", type=int, default=4_000, help="pairs in which the stronger network takes part"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    learned, outcomes, strong = (find_player(GAME, name) for name in (given.learned, given.outcomes, given.strong))
    champion = find_player(GAME, "champion")
    matches = {  # the first player: checkers and cube; then the second
        "each_its_checkers": [learned, learned, outcomes, outcomes],
        "checkers_by_outcomes": [outcomes, learned, outcomes, outcomes],
        "checkers_by_learned": [learned, learned, learned, outcomes],
        "learned_champion": [learned, learned, champion, champion],
        "outcomes_champion": [outcomes, outcomes, champion, champion],
        "checkers_by_strong": [strong, learned, strong, outcomes],
        "cube_by_strong": [strong, learned, strong, strong],
    }
    found: dict[str, Any] = {"nets": net_hashes([learned, outcomes, champion, strong])}
    for name, rows in matches.items():
        pairs = given.strong_pairs if strong in rows else given.pairs
        found[name] = matched(rows, ("first", "second"), pairs, given.seed)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
