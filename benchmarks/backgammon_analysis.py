"""Files of GNU Backgammon, read and analysed: `python -m benchmarks.backgammon_analysis replay` and `... correlation`.

`replay` lets GNU Backgammon play matches and money sessions with the cube, and reads its .mat and .sgf files. Legality, score and
cube are checked while each is replayed, and both must give the same decisions on the same boards with the same stakes.

`correlation` lets it play matches with random errors of several sizes and analyse them, and compares the error rates of each player
in each game with ours: mean loss per decision that counts, in thousandths of normalized equity. It plays without beavers, which it
does not count as errors.

Both keep their files in a folder and resume there.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
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


def replay(folder: Path, matches: int) -> None:
    """Read every match from both files and print counts."""
    games = decisions = doubled = money = resigned = different = refused = 0
    for name in play_all(matches, folder):
        try:
            mat = import_mat((folder / f"{name}.mat").read_text(), f"{name}.mat")
            sgf = import_sgf((folder / f"{name}.sgf").read_text(), f"{name}.sgf")
        except UserError as error:
            refused += 1
            print(error)
            continue
        different += abs(len(mat) - len(sgf))
        for one, other in zip(mat, sgf, strict=False):
            games += 1
            decisions += len(one.actions)
            doubled += sum(action.kind == "double" for action in one.actions)
            money += one.terms.length == 0
            resigned += one.ending == "resigned"
            different += facts(one) != facts(other)
    print(
        f"{matches} matches and sessions, {games} games ({money} for money, {resigned} resigned), {decisions} decisions, "
        f"{doubled} doubles: {refused} files refused, {different} games that differ between .mat and .sgf"
    )


def analysed(folder: Path, matches: int, plies: int) -> Iterator[tuple[float, float, float, float, int]]:
    """For each player in each game: our error rate and theirs, our luck and theirs, our decisions."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(matches):
        name = f"analysed-{plies}-{number:03d}"
        if not (folder / f"{name}.mat").exists():
            noise = NOISES[number % len(NOISES)], NOISES[(number // len(NOISES) + 2 * number + 1) % len(NOISES)]
            play_match(Setup((3, 5, 0)[number % 3], 1000 + number, noise, games=3, beavers=False), folder, name, plies)
        games = sparring.analyse(folder / f"{name}.mat").games
        for at, game in enumerate(games, 1):
            text = (folder / f"{name}{f'_{at:03d}' if at > 1 else ''}.txt").read_text()
            rates, lucks = OVERALL.search(text), LUCK.search(text)
            if rates is None or lucks is None:
                raise ValueError(f"{name}, game {at}: no statistics")
            for seat, player in enumerate(game.players):
                theirs, luck = -float(rates[seat + 1]), float(lucks[seat + 1])
                yield 1000 * player.mean_loss, theirs, player.luck or 0.0, luck, player.decisions


def correlation(folder: Path, matches: int, plies: int, most: int) -> None:
    """Print the correlations over player-games."""
    found = np.array(list(analysed(folder, matches, plies))[: 2 * most])
    ours, theirs, luck, their_luck, decisions = found.T
    print(f"{len(found) // 2} games, {len(found)} player-games, {int(decisions.sum())} decisions that count for us")
    for name, one, other in (("error rate", ours, theirs), ("luck", luck, their_luck)):
        low, high = pearsonr(one, other).confidence_interval()
        rank = spearmanr(one, other).statistic
        print(
            f"{name}: correlation {pearsonr(one, other).statistic:.3f} ({low:.3f} to {high:.3f}), of ranks {rank:.3f}; "
            f"mean {one.mean():.2f}, GNU Backgammon's {other.mean():.2f}"
        )


def main(words: Sequence[str] | None = None) -> None:
    """Run one of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("replay", "correlation"))
    parser.add_argument("--matches", type=int, default=480)
    parser.add_argument("--games", type=int, default=50, help="games of the correlation")
    parser.add_argument("--plies", type=int, default=0, help="of GNU Backgammon's analysis")
    parser.add_argument("--folder", type=Path, default=Path("runs/gnubg-matches"))
    given = parser.parse_args(words)
    if given.what == "replay":
        replay(given.folder, given.matches)
    else:
        correlation(given.folder, min(given.matches, given.games), given.plies, given.games)


if __name__ == "__main__":
    main()
