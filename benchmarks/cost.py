"""Core hours per million games, the table in docs/cluster.md: python -m benchmarks.cost [--seconds 3].

It measures processor time on one core, so that other work on the machine hardly matters.
"""

import argparse
import time

from sparring.arena.players import Contestant, find_players, pack_players
from sparring.games import GAMES, Game, find_game
from sparring.games.benchmark import benchmark_of
from sparring.lab.bench import BATCH, EPOCHS, benchmark_jobs, machine, nets_after

MILLION, HOUR = 1_000_000, 3600


def games_per_core_second(game: Game, contestants: list[Contestant], seconds: float) -> float:
    """Games per second of processor time, measured for at least `seconds`."""
    table, weights = pack_players(game, contestants)
    jobs = benchmark_jobs(game, BATCH)
    game.launcher.play(jobs, table, weights, 1)
    began, games = time.process_time(), 0
    while time.process_time() - began < seconds:
        game.launcher.play(jobs, table, weights, 1)
        games += len(jobs)
    return games / (time.process_time() - began)


def players(game: Game) -> dict[str, list[Contestant]]:
    """The measured players: nets as in `sparring bench`, and random players."""
    champion = benchmark_of(game).champion
    nets = find_players(game, [champion] * 2) if champion else nets_after(game, EPOCHS)
    return {"nets": nets, "random": find_players(game, ["random"] * 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    print(
        f"{machine()}\n\n| game | players | games per core second | core hours per million games |\n|---|---|---|---|"
    )
    for name in GAMES:
        game = find_game(name)
        for who, contestants in players(game).items():
            speed = games_per_core_second(game, contestants, seconds)
            net = contestants[0].net
            size = f" {'-'.join(map(str, net.shape))}" if net else ""
            print(f"| {name} | {who}{size} | {speed:,.0f} | {MILLION / speed / HOUR:.3g} |", flush=True)


if __name__ == "__main__":
    main()
