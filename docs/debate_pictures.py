"""Draws the debate's learning curves into docs/pictures, from a finished re-run: `python docs/debate_pictures.py RUNS`."""

import sys
from pathlib import Path

from sparring.cli import show
from sparring.studies.debate import BUDGETS, STUDY
from sparring.studies.debate.report_pages import write_pictures

PICTURES = Path(__file__).parent / "pictures"


def main(runs: Path, budget: str = "paper", seed: int = 1) -> None:
    """Draw the re-run of a budget; what it has not measured yet is measured now."""
    cache = STUDY.runs(seed, runs / f"debate-{budget}-seed{seed}", 1, show, BUDGETS[budget])
    for path in write_pictures(STUDY.measure(cache, BUDGETS[budget].trials), PICTURES):
        print(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
