"""The analysis of games as an HTML page."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sparring.games.analysis import Analysis, Choice, GameAnalysis, JudgedDecision, PlayerSummary
from sparring.report.page import Page

MOST_MISTAKES = 20  # of a game that are shown with their positions
SHOWN = 5  # moves of a mistake
DASH = "\u2013"


def write_analysis(analysis: Analysis, path: Path, title: str) -> None:
    """Write one HTML file on the analysed games."""
    analysis_page(analysis, title).write(path)


def analysis_page(analysis: Analysis, title: str) -> Page:
    """The page: totals, then each game with its curve, its mistakes and all its decisions."""
    first = analysis.games[0]
    page = Page(f"Analysis of {title}", f"{first.game}, judged by {first.judge}: {first.note}")
    if len(analysis.games) > 1:
        page.contents()
        page.heading("All games")
        page.table(*summary_table(analysis.totals, first), caption=f"{len(analysis.games)} games")
    for game in analysis.games:
        add_game(page, game)
    return page


def add_game(page: Page, game: GameAnalysis) -> None:
    """Add a game."""
    page.heading(game.title or game.game)
    page.text(game.outcome)
    doubtful, blunder = game.thresholds
    caption = f"A loss above {doubtful:.3g} is doubtful, above {blunder:.3g} a blunder ({game.unit})."
    page.table(*summary_table(game.players, game), caption=caption)
    if game.standing_unit:
        lines = {game.names[seat]: _line(game.curve(seat)) for seat in range(len(game.names)) if game.curve(seat)}
        if lines:
            page.tracks("", [("", "decision", lines)], game.standing_unit, "The expected result at each decision")
    for decision in game.mistakes()[:MOST_MISTAKES]:
        add_mistake(page, game, decision)
    if game.decisions:
        page.code("All decisions", "\n".join(decision_line(game, decision) for decision in game.decisions))


def _line(curve: Sequence[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    places, values = zip(*curve, strict=True)
    return np.array(places, float), np.array([values])


def add_mistake(page: Page, game: GameAnalysis, decision: JudgedDecision) -> None:
    """Add the position of a mistake and the better moves."""
    page.figure(decision.picture, f"{decision.number + 1}. {mistake_text(game, decision)}")
    rows = [[choice.words, f"{choice.value:.3f}", f"{choice.loss:.3f}", choice.detail] for choice in best(decision)]
    page.table(["move", f"value ({game.unit})", "loss", ""], rows)


def best(decision: JudgedDecision) -> list[Choice]:
    """The best choices, and the one that was made."""
    shown = list(decision.choices[:SHOWN])
    made = [choice for choice in decision.choices[SHOWN:] if choice.words == decision.made]
    return [*shown, *made]


def mistake_text(game: GameAnalysis, decision: JudgedDecision) -> str:
    """A mistake in a sentence."""
    after = f" ({decision.situation})" if decision.situation else ""
    better = f"; better: {decision.best.words}" if decision.best else ""
    return (
        f"{game.names[decision.seat]}{after}: {decision.made} loses {decision.loss or 0:.3f}, {decision.grade}{better}"
    )


def decision_line(game: GameAnalysis, decision: JudgedDecision) -> str:
    """A decision in a line of text."""
    parts = [f"{decision.number + 1:4d}. {game.names[decision.seat]}"]
    parts += [decision.situation] if decision.situation else []
    parts.append(decision.made)
    if decision.counted:
        parts.append(f"loss {decision.loss or 0:.3f}{' ' + decision.grade if decision.grade else ''}")
    if decision.luck is not None:
        parts.append(f"luck {decision.luck:+.3f}")
    return "  ".join(parts)


def summary_table(players: Sequence[PlayerSummary], game: GameAnalysis) -> tuple[list[str], list[list[str]]]:
    """Header and rows: a column per player."""
    rows = [
        ["decisions", *(str(player.decisions) for player in players)],
        [f"loss ({game.unit})", *(f"{player.loss:.3f}" for player in players)],
        ["mean loss", *(f"{player.mean_loss:.4f}" for player in players)],
        ["doubtful moves", *(str(player.doubtful) for player in players)],
        ["blunders", *(str(player.blunders) for player in players)],
        ["luck", *(_signed(player.luck) for player in players)],
        [f"result ({game.standing_unit or 'points'})", *(_signed(player.result) for player in players)],
        ["luck-adjusted result", *(_signed(player.adjusted) for player in players)],
    ]
    names = list(players[0].figures)
    rows += [[name, *(f"{player.figures[name]:.4g}" for player in players)] for name in names]
    return ["", *(player.name for player in players)], rows


def _signed(value: float | None) -> str:
    return DASH if value is None else f"{value:+.3f}"
