"""Performance ratings: `python -m benchmarks.backgammon_ratings --games 12 --seed 31`. Prints JSON.

Each player decides in the set of positions, by both of its judges, and plays against itself without a cube; there a search of `deep`,
two plies deep, judges every decision between several plays.
"""

import argparse
import json
from contextlib import closing, nullcontext
from typing import Any

import numpy as np

from sparring.arena.players import Chooser, find_player
from sparring.arena.position_rating import PERFORMANCE
from sparring.arena.statistics import mean_interval
from sparring.games import find_game
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.position_set import JUDGES, read_set
from sparring.games.game import apply_move, legal_moves, start_game

GAME = find_game("backgammon")
PLAYERS = ("pubeval", "champion", "champion+1ply", "champion+2ply", "gnubg", "deep", "deep+1ply", "deep+2ply")


def game_losses(player: Any, judge: Searcher, seed: int, deal: int) -> list[float]:
    """What the decisions of a game of a player against itself lose."""
    state, lost = start_game(GAME, seed, deal, deal, 2), []
    while not state[0]["over"]:
        s: Any = state[0]
        move = int(player.choose(state))
        if len(legal_moves(GAME, state)) > 1:
            dice = (int(s["dice"][0]), int(s["dice"][1]))
            found = judge.plays(s["board"].copy(), int(s["turn"]), dice, also=[move])
            values = {one.move: one.equity for one in found}
            lost.append(max(one.equity for one in found if one.plies == found[0].plies) - values[move])
        apply_move(GAME.rules, state, move)
    return lost


def rated(player: Any, given: argparse.Namespace) -> dict[str, Any]:
    """The ratings of a player by both judges of the set and in games against itself; intervals are over decisions."""
    sets, judge = {name: read_set(name) for name in JUDGES}, Searcher(find_player(GAME, "deep").net, 2)
    first = next(iter(sets.values()))
    numbers = np.linspace(0, len(first) - 1, given.positions).round().astype(int).tolist()
    moves = [int(player.choose(first.state(number))) for number in numbers]
    lost = {name: [each.losses(n)[move] for n, move in zip(numbers, moves, strict=True)] for name, each in sets.items()}
    lost["self_play"] = [loss for deal in range(given.games) for loss in game_losses(player, judge, given.seed, deal)]
    found: dict[str, Any] = {name: mean_interval(PERFORMANCE * np.array(each)).json() for name, each in lost.items()}
    return found | {"positions": len(moves), "self_play_decisions": len(lost["self_play"])}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--positions", type=int, default=10_000)
    words.add_argument("--games", type=int, default=12, help="of each player against itself")
    words.add_argument("--seed", type=int, default=31)
    words.add_argument("--players", default=",".join(PLAYERS))
    given, found = words.parse_args(), {}
    for name in given.players.split(","):
        contestant = find_player(GAME, name)
        with closing(contestant.external()) if contestant.external else nullcontext(Chooser(GAME, contestant)) as player:
            found[name] = rated(player, given)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
