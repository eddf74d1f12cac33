"""Measures the levels of a game: `python benchmarks/levels.py GAME [--games N] [--minutes M] [--threads T] [--again]`.

Every level plays N games against the next, and against the one after that as many as fit into M minutes of a core, under the rules
by which people play; in games for four, one of each against three of the other in turn. Meetings that levels.json has already are
kept, unless `--again` is given. Levels that are not ranked play, in the order of levels.toml, if `--all` is given. Ratings are
Bradley-Terry ratings with mean 0; their 95% intervals come from shares drawn from the intervals of the meetings. The time of a
decision is the median over one game of the player against itself, on one core. The result is written to levels.json in the game's
folder.
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
from sparring.arena.players import Chooser, Contestant, find_player, net_hashes
from sparring.arena.ratings import RESAMPLES, rate
from sparring.arena.statistics import Interval, rate_interval
from sparring.arena.tournament import meeting_points
from sparring.errors import UserError
from sparring.games import Game, find_game
from sparring.games.game import apply_move, start_game, with_rules
from sparring.games.levels import MEASURED, NAMES
from sparring.studies.study import source_commit

DECISIONS = 300  # that are timed, at most
SEED = 1
Z = 1.96  # standard deviations of a 95% interval
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


def meet(game: Game, players: list[Contestant], games: int, minutes: float | None, threads: int) -> dict[str, Any]:
    """The share of points that the second of two players wins, over so many games or fewer, if minutes are given."""
    seats = min(game.rules.seats)
    each = len(seatings(2)) if seats == 2 else 2 * seats  # games of a deal
    deals = -(-games // each)
    meeting_points(game, players, 1, SEED + 1, threads)  # compiles what is not compiled yet
    if minutes is not None:
        began = time.process_time()
        meeting_points(game, players, TRIED, SEED + 1, threads)
        deals = min(deals, max(FEWEST, int(60 * minutes * TRIED / (time.process_time() - began))))
    points = meeting_points(game, players, deals, SEED, threads)
    share = rate_interval(points[:, 1] / points.sum(axis=1))
    return {"players": [player.name for player in players], "games": deals * each, "share": share.json(4)}


def known_meetings(path: Path, game: Game, nets: dict[str, str]) -> dict[tuple[str, str], dict[str, Any]]:
    """The meetings that were measured before under the same rules and with the same networks."""
    stored = json.loads(path.read_text()) if path.exists() else {}
    if (stored.get("game"), stored.get("rules")) != (game.name, game.rules.version):
        return {}
    changed = {name for name, code in stored.get("nets", {}).items() if nets.get(name, code) != code}
    pairs = {(first, second): meeting for meeting in stored["meetings"] for first, second in [meeting["players"]]}
    return {pair: meeting for pair, meeting in pairs.items() if changed.isdisjoint(pair)}


def measure(family: str, games: int, minutes: float, threads: int, again: bool, every: bool) -> dict[str, Any]:
    """Ratings and times of the ranked levels, or of all, whose players are here."""
    game = find_game(family)
    game = with_rules(game, game.presentation.people) if game.presentation.people else game
    named = tomllib.loads((FOLDER / family / NAMES).read_text())["level"]
    wished = [level["player"] for level in named if every or level.get("ranked", True)]
    players = [find_player(game, name) for name in wished if installed(game, name)]
    nets = net_hashes(players)
    known = {} if again else known_meetings(FOLDER / family / MEASURED, game, nets)
    met: dict[tuple[int, int], dict[str, Any]] = {}
    count = len(players)
    for i, j in ((first, second) for first in range(count) for second in range(first + 1, min(first + 3, count))):
        pair, wanted = [players[i], players[j]], games if j == i + 1 else 1
        found = known.get((pair[0].name, pair[1].name))
        if found is None or found["games"] < wanted:
            found = meet(game, pair, games, None if j == i + 1 else minutes, threads)
            print(found, flush=True)
        met[i, j] = found
    ratings = rated(met, count)
    facts = {
        "game": game.name, "rules": game.rules.version, "seed": SEED, "commit": source_commit(), "nets": nets,
    }  # fmt: skip
    timed = {
        each.name: {} if each.external else {"seconds": round(decision_seconds(game, each), 6)} for each in players
    }
    found_players = {
        each.name: {"rating": rating.json(1), **timed[each.name]} for each, rating in zip(players, ratings, strict=True)
    }
    offered, now = {level["player"] for level in named}, {tuple(meeting["players"]) for meeting in met.values()}
    rest = [meeting for pair, meeting in known.items() if pair not in now and offered.issuperset(pair)]
    return facts | {"players": found_players, "meetings": [*met.values(), *rest]}


def rated(met: dict[tuple[int, int], dict[str, Any]], count: int) -> list[Interval]:
    """The ratings of players by their meetings."""
    rng = np.random.default_rng(SEED)

    def wins(drawn: bool) -> np.ndarray:
        table = np.zeros((count, count))
        for (i, j), meeting in met.items():
            value, low, high = meeting["share"]
            share = min(max(rng.normal(value, (high - low) / (2 * Z)), 0.0), 1.0) if drawn else value
            table[i, j], table[j, i] = meeting["games"] * (1 - share), meeting["games"] * share
        return table

    return rate(wins(False), lambda: wins(True), rng, RESAMPLES)


def main() -> None:
    """Measure one game and store the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=2000, help="of neighbours")
    parser.add_argument("--minutes", type=float, default=1, help="of a core that a meeting of others may take, about")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="measure meetings anew that are stored")
    parser.add_argument("--all", action="store_true", help="measure levels that are not ranked, too")
    options = parser.parse_args()
    found = measure(options.game, options.games, options.minutes, options.threads, options.again, options.all)
    path = FOLDER / options.game / MEASURED
    path.write_text(json.dumps(found, indent=1) + "\n")
    for name, each in found["players"].items():
        print(name, each)
    for meeting in found["meetings"]:
        print(*meeting["players"], meeting["games"], meeting["share"])


if __name__ == "__main__":
    main()
