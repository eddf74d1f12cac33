"""Performance ratings: `python -m benchmarks.backgammon_ratings --games 12 --seed 31`. Prints JSON.

Each player decides in the set of positions, by both of its judges, and plays against itself without a cube; there a search of
`deep`, two plies deep, judges every decision between several plays.
"""

import argparse
import json
from contextlib import closing, nullcontext
from pathlib import Path
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


def decisions(player: Any, given: argparse.Namespace) -> dict[str, list[Any]]:
    """What a player chooses in the positions, and what it loses in games against itself."""
    positions, judge = read_set(), Searcher(find_player(GAME, "deep").net, 2)
    numbers = np.linspace(0, len(positions) - 1, given.positions).round().astype(int).tolist()
    lost = [loss for deal in range(given.games) for loss in game_losses(player, judge, given.seed, deal)]
    return {"numbers": numbers, "moves": [int(player.choose(positions.state(n))) for n in numbers], "self_play": lost}


def rated(found: dict[str, list[Any]]) -> dict[str, Any]:
    """The ratings of a player by both judges of the set and in games against itself; intervals are over decisions."""
    pairs = list(zip(found["numbers"], found["moves"], strict=True))
    lost = {name: [each.losses(n)[move] for n, move in pairs] for name, each in ((j, read_set(j)) for j in JUDGES)}
    lost["self_play"] = found["self_play"]
    rows: dict[str, Any] = {name: mean_interval(PERFORMANCE * np.array(each)).json() for name, each in lost.items()}
    return rows | {"positions": len(pairs), "self_play_decisions": len(found["self_play"])}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--positions", type=int, default=10_000)
    words.add_argument("--games", type=int, default=12, help="of each player against itself")
    words.add_argument("--seed", type=int, default=31)
    words.add_argument("--players", default=",".join(PLAYERS))
    words.add_argument("--folder", type=Path, default=Path("runs/backgammon-ratings"), help="of decisions, to resume")
    given, found = words.parse_args(), {}
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.players.split(","):
        file = given.folder / f"{name}-{given.positions}-{given.games}-{given.seed}.json"
        contestant = find_player(GAME, name)
        if not file.exists():
            with (
                closing(contestant.external())
                if contestant.external
                else nullcontext(Chooser(GAME, contestant)) as player
            ):
                file.write_text(json.dumps(decisions(player, given)))
        found[name] = rated(json.loads(file.read_text()))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
