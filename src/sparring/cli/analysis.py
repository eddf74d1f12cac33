"""Prints and writes the analysis of games."""

import json
from pathlib import Path

from sparring.cli.show import line, table
from sparring.errors import UserError
from sparring.games.analysis import Analysis
from sparring.nets.files import replace_file
from sparring.report.analysis import mistake_text, summary_table, write_analysis

MOST_MISTAKES = 10  # that are printed for each game


def write(analysis: Analysis, file: Path, html: Path | None, out: Path | None) -> None:
    """Write the page, and the games with comments."""
    if html:
        write_analysis(analysis, html, file.name)
    if not out:
        return
    if out.suffix not in analysis.annotated:
        known = ", ".join(analysis.annotated) or "no format for this game"
        raise UserError(f"--out {out}: games with comments are written as {known}")
    replace_file(out, analysis.annotated[out.suffix].encode())


def show(analysis: Analysis, as_json: bool) -> None:
    """Print the games, then the totals."""
    if as_json:
        print(json.dumps(analysis.json()))
        return
    for game in analysis.games:
        line(f"{game.title}: {game.outcome}")
        for decision in game.mistakes()[:MOST_MISTAKES]:
            line(f"  {decision.number + 1}. {mistake_text(game, decision)}")
    first = analysis.games[0]
    games = len(analysis.games)
    caption = f"{games} {'game' if games == 1 else 'games'}, judged by {first.judge}: {first.note}"
    table("", *summary_table(analysis.totals, first), caption)
