"""Search in backgammon: decisions a second on one core, and what filters and the small network gain and lose.

python -m benchmarks.backgammon_search --positions 300 --seed 5
"""

import argparse
import time
from typing import Any

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.arena.players import Chooser, find_player, find_players, pack_players
from sparring.games import find_game
from sparring.games.backgammon.nply import Candidate, Searcher
from sparring.games.game import apply_move, legal_moves, start_game

GAME = find_game("backgammon")
Place = tuple[np.ndarray, int, tuple[int, int]]


def speed(name: str, games: int, seed: int) -> float:
    """Decisions a second of processor time, forced ones included, in games of a player against itself."""
    table, weights = pack_players(GAME, find_players(GAME, [name, name]))
    GAME.launcher.play(paired_jobs(seed, np.array([0, 1]), 1)[:1], table, weights, 1)
    jobs, began = paired_jobs(seed, np.array([0, 1]), games)[::2].copy(), time.process_time()
    tallies, _ = GAME.launcher.play(jobs, table, weights, 1)
    return float(tallies["turns"].sum() / (time.process_time() - began))


def places(count: int, seed: int) -> list[Place]:
    """Positions with a choice, from games of the champion against itself."""
    chooser, found = Chooser(GAME, find_player(GAME, "champion")), []
    for deal in range(count):
        state, turn = start_game(GAME, seed, deal, deal, 2), 0
        while not state[0]["over"] and len(found) < count:
            if len(legal_moves(GAME, state)) > 1 and turn % 3 == deal % 3:
                s: Any = state[0]
                found.append((s["board"].copy(), int(s["turn"]), tuple(s["dice"].tolist())))
            apply_move(GAME.rules, state, chooser.choose(state))
            turn += 1
    return found


def timed(searcher: Searcher, asked: list[Place]) -> tuple[list[list[Candidate]], float]:
    """The answers, and milliseconds of processor time each."""
    searcher.plays(*asked[0])
    began = time.process_time()
    found = [searcher.plays(*place) for place in asked]
    return found, 1000 * (time.process_time() - began) / len(asked)


def report(title: str, judge: Searcher, player: Searcher, asked: list[Place]) -> None:
    """What a faster search gains and loses by the values of a slower one."""
    slow, whole = timed(judge, asked)
    fast, part = timed(player, asked)
    values = [{one.move: one.equity for one in plays if one.plies == judge.plies} for plays in slow]
    lost = [max(each.values()) - each[plays[0].move] for each, plays in zip(values, fast, strict=True)]
    print(
        f"{title}: {whole:.1f} to {part:.1f} ms a decision, mean loss {np.mean(lost):.6f}, "
        f"{np.mean(np.array(lost) > 1e-6):.1%} differ"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    for name, games in (("champion", 400), ("deep", 100)):
        for variant, share in (("", 1), ("+1ply", 4), ("+2ply", 20)):
            print(f"{name}{variant}: {speed(name + variant, games // share, given.seed):,.0f} decisions a second")
    net, asked = find_player(GAME, "deep").net, places(given.positions, given.seed)
    report("small network, 1-ply", Searcher(net, 1, pruned=False), Searcher(net, 1), asked)
    report("filters, 1-ply", Searcher(net, 1, filtered=False), Searcher(net, 1), asked)
    report("filters, 2-ply", Searcher(net, 2, filtered=False), Searcher(net, 2), asked[: given.positions // 6])


if __name__ == "__main__":
    main()
