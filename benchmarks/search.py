"""Search: strength against an opponent, time for a decision and playouts a second, as JSON.

python -m benchmarks.search GAME PLAYER~OPPONENT ... [--pairs N] [--seed S] [--threads T]

`{a,b}` stands for several players: `careful+{flat,ismcts}@{10,100}~careful` is four matches. The time of a decision is the mean
over decisions with a choice in games of the player against itself, in processor time on one core.
"""

import argparse
import json
import time
from itertools import product
from typing import Any

from sparring.api import match
from sparring.arena.players import Chooser, Contestant, find_player
from sparring.games import Game, name_game
from sparring.games.game import apply_move, legal_moves, start_game

DECISIONS = 40  # that are timed


def spelled_out(pattern: str) -> list[str]:
    """The names that a pattern stands for."""
    parts = [part.split("}") for part in pattern.split("{")]
    choices = [[parts[0][0]]] + [[word + rest for word in words.split(",")] for words, rest in parts[1:]]
    return ["".join(words) for words in product(*choices)]


def decision_seconds(game: Game, player: Contestant, seed: int) -> float:
    """The mean time of a decision with a choice."""
    chooser, state = Chooser(game, player), start_game(game, seed, 0, 0, game.rules.seats[0])
    chooser.choose(state.copy())
    count, taken, deal = 0, 0.0, 0
    while count < DECISIONS:
        if state[0]["over"]:
            deal += 1
            state = start_game(game, seed, deal, deal, game.rules.seats[0])
        choice, began = len(legal_moves(game, state)) > 1, time.process_time()
        move = chooser.choose(state)
        if choice:
            count, taken = count + 1, taken + time.process_time() - began
        apply_move(game.rules, state, move)
    return taken / count


def measured(game: Game, name: str, opponent: str, pairs: int, seed: int, threads: int) -> dict[str, Any]:
    """One match."""
    found = match(game, name, opponent, pairs=pairs, seed=seed, threads=threads)
    player, seconds = found.players[0], decision_seconds(game, find_player(game, name), seed)
    row = {
        "player": name,
        "opponent": opponent,
        "games": found.games,
        "draws": found.draws,
        "win_rate": player.win_rate.json(),
        "score_difference": found.difference.json(),
        "ms_per_decision": round(1000 * seconds, 3),
    }
    budget = find_player(game, name).budget
    return row | ({"playouts_per_second": round(budget.playouts / seconds)} if budget else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("matches", nargs="+", metavar="PLAYER~OPPONENT")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)  # of the matches; decisions are timed on one core
    given = parser.parse_args()
    game = name_game(given.game)
    pairings = [pairing.rsplit("~", 1) for pattern in given.matches for pairing in spelled_out(pattern)]
    rows = [measured(game, *pairing, given.pairs, given.seed, given.threads) for pairing in pairings]
    print(json.dumps({"game": game.name, "pairs": given.pairs, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
