"""Run the conformance suite on a game, or print its golden playthrough."""

import argparse
import sys
from pathlib import Path

from sparring.errors import UserError
from sparring.games import GAMES, name_game
from sparring.testing import CHECKS, for_all_deals, playthrough
from sparring.testing.interpreted import play_file


def main() -> None:
    """Exit status 0 if the game conforms, 1 if a check fails, 2 if it could not be run."""
    parser = argparse.ArgumentParser(prog="python -m sparring.testing", description=__doc__)
    known = ", ".join(GAMES)
    parser.add_argument("game", help=f"{known}, or a package.module or .py file that defines GAME")
    parser.add_argument("--examples", type=int, default=25, help="seeds and deals for each check (default 25)")
    parser.add_argument("--golden", action="store_true", help="print the playthrough for check_golden")
    files = ("JOBS", "GAMES")
    parser.add_argument("--play", nargs=2, type=Path, metavar=files, help="play a file of jobs (used by a check)")
    options = parser.parse_args()
    try:
        if options.play:
            play_file(options.game, *options.play)
            return
        game = name_game(options.game)
        if options.golden:
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            print(playthrough(game), end="")
            return
        for name in CHECKS:
            print(f"{name} ... ", end="", flush=True)
            for_all_deals(game, name, options.examples)
            print("ok")
    except AssertionError as failure:
        sys.exit(f"failed: {failure}")
    except UserError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
