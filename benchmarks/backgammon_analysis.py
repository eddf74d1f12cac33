"""Files of GNU Backgammon, read and analysed: `python -m benchmarks.backgammon_analysis replay`.

`replay` lets GNU Backgammon play matches and money sessions with the cube, and reads its .mat and .sgf files. Legality, score and
cube are checked while each is replayed, and both must give the same decisions on the same boards with the same stakes.

`correlation` lets it play matches with random errors of several sizes and analyse them, and compares the error rates of each player
in each game with ours: mean loss per decision that counts, in thousandths of normalized equity. It plays without beavers, which it
does not count as errors.

Both keep their files in a folder and resume there.

`timing` measures the analysis of a game of 100 plays or more at 0 and 2 plies: the whole command `sparring analyse`, once
compiled code is there.

All print JSON.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.stats import pearsonr, spearmanr

import sparring
from benchmarks.gnubg_matches import Setup, play_all, play_match
from sparring.errors import UserError
from sparring.games.backgammon.mat_import import import_mat
from sparring.games.backgammon.sgf_import import import_sgf
from sparring.games.backgammon.transcript import TAKE, Action, Transcript

OVERALL = re.compile(r"Overall statistics.*?Error rate \S+ \([^)]*\)\s+(-?[0-9.]+) .*?\)\s+(-?[0-9.]+) ", re.DOTALL)
LUCK = re.compile(r"Luck total EMG \([^)]*\)\s+([-+][0-9.]+) .*?\)\s+([-+][0-9.]+) ")
KEEPING = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}  # bytecode is kept, as in any installation
NOISES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)


def facts(game: Transcript) -> tuple[Any, ...]:
    """All that two files of the same game must agree on. A .mat file leaves out that a beaver is taken."""
    actions = [action for action in game.actions if action.kind != TAKE]
    ends = game.terms.length, game.terms.scores, game.terms.crawford, game.winner, game.points
    return *ends, [_facts(action) for action in actions]


def _facts(action: Action) -> tuple[Any, ...]:
    stakes = action.stakes
    cube = (stakes.cube, stakes.owner, stakes.away, stakes.crawford) if stakes else ()
    return action.kind, action.seat, action.dice, action.move, action.board.tobytes(), cube


def replay(folder: Path, matches: int) -> dict[str, Any]:
    """Read every match from both files; counts."""
    games = decisions = doubled = money = resigned = different = refused = 0
    for name in play_all(matches, folder):
        try:
            mat = import_mat((folder / f"{name}.mat").read_text(), f"{name}.mat")
            sgf = import_sgf((folder / f"{name}.sgf").read_text(), f"{name}.sgf")
        except UserError as error:
            refused += 1
            print(error, file=sys.stderr)
            continue
        different += abs(len(mat) - len(sgf))
        for one, other in zip(mat, sgf, strict=False):
            games += 1
            decisions += len(one.actions)
            doubled += sum(action.kind == "double" for action in one.actions)
            money += one.terms.length == 0
            resigned += one.ending == "resigned"
            different += facts(one) != facts(other)
    return {"matches": matches, "games": games, "for_money": money, "resigned": resigned, "decisions": decisions,
            "doubles": doubled, "files_refused": refused, "games_that_differ": different}  # fmt: skip


def analysed(folder: Path, number: int, plies: int) -> list[list[float]]:
    """For each player in each game of a match: our error rate and theirs, our luck and theirs, our decisions."""
    name, found = f"analysed-{plies}-{number:03d}", []
    kept = folder / f"{name}.json"
    if kept.exists():
        return list(json.loads(kept.read_text()))
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"{name}.mat").exists():
        noise = NOISES[number % len(NOISES)], NOISES[(number // len(NOISES) + 2 * number + 1) % len(NOISES)]
        play_match(Setup((3, 5, 0)[number % 3], 1000 + number, noise, games=3, beavers=False), folder, name, plies)
    for at, game in enumerate(sparring.analyse(folder / f"{name}.mat").games, 1):
        text = (folder / f"{name}{f'_{at:03d}' if at > 1 else ''}.txt").read_text()
        rates, lucks = OVERALL.search(text), LUCK.search(text)
        if rates is None or lucks is None:
            raise ValueError(f"{name}, game {at}: no statistics")
        for seat, player in enumerate(game.players):
            theirs, luck = -float(rates[seat + 1]), float(lucks[seat + 1])
            found.append([1000 * player.mean_loss, theirs, player.luck or 0.0, luck, player.decisions])
    kept.write_text(json.dumps(found))
    return found


def correlation(folder: Path, plies: int, most: int) -> dict[str, Any]:
    """The correlations over player-games with 95% intervals, and means."""
    each = (row for number in count() for row in analysed(folder, number, plies))
    rows = np.array(list(islice(each, 2 * most)))
    ours, theirs, luck, their_luck, decisions = rows.T
    found: dict[str, Any] = {"games": len(rows) // 2, "player_games": len(rows), "decisions": int(decisions.sum())}
    for name, one, other in (("error_rate", ours, theirs), ("luck", luck, their_luck)):
        fit = pearsonr(one, other)
        found[name] = {
            "correlation": [float(fit.statistic), *map(float, fit.confidence_interval())],
            "of_ranks": float(spearmanr(one, other).statistic),
            "mean": float(one.mean()),
            "their_mean": float(other.mean()),
        }
    first = pearsonr(ours[:20], theirs[:20])  # the first ten games
    found["first_ten_games"] = [float(first.statistic), *map(float, first.confidence_interval())]
    return found


def timing(plays: int = 100) -> dict[str, Any]:
    """Seconds of `sparring analyse` for the first game of at least so many plays, by level; core seconds count all threads."""
    with TemporaryDirectory() as folder:
        for seed in range(1, 1000):
            log = Path(folder) / f"{seed}.log"
            sparring.match("backgammon:cube=on", "pubeval", "pubeval", pairs=1, seed=seed, keep=log, seating="given")
            if len(log.read_text().splitlines()) >= plays + 4:  # a line for each play, and for the title and the ends
                break
        found: dict[str, Any] = {"seed": seed}
        for level in ("0", "2"):
            for _ in range(2):  # the first compiles
                began, used = time.perf_counter(), children_seconds()
                words = [sys.executable, "-m", "sparring", "analyse", str(log), "--level", level, "--json"]
                printed = subprocess.run(words, env=KEEPING, check=True, stdout=subprocess.PIPE, text=True).stdout
                seconds, cores = time.perf_counter() - began, children_seconds() - used
            (game,) = json.loads(printed)["games"]
            found[f"level_{level}"] = {
                "seconds": round(seconds, 2),
                "core_seconds": round(cores, 2),
                "decisions": sum(player["decisions"] for player in game["players"]),
            }
        found["plays"] = sum(each["kind"] == "play" for each in game["decisions"])
    return found


def children_seconds() -> float:
    """The processor seconds of all finished subprocesses."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(words: Sequence[str] | None = None) -> None:
    """Run one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("replay", "correlation", "timing"))
    parser.add_argument("--matches", type=int, default=560)
    parser.add_argument("--games", type=int, default=50, help="games of the correlation")
    parser.add_argument("--plies", type=int, default=0, help="of GNU Backgammon's analysis")
    parser.add_argument("--folder", type=Path, default=Path("runs/gnubg-matches"))
    given = parser.parse_args(words)
    folder = given.folder.resolve()  # GNU Backgammon runs elsewhere
    if given.what == "replay":
        found = replay(folder, given.matches)
    elif given.what == "timing":
        found = timing()
    else:
        found = correlation(folder, given.plies, given.games)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
