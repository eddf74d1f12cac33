"""The report on runs: learning curves with bands over trials, the champions' results and network, a replayed game."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import match
from sparring.arena.players import CHAMPION
from sparring.arena.statistics import Interval, mean_interval, score_digits, share_interval
from sparring.errors import UserError
from sparring.games import Played
from sparring.kernel.random import derive
from sparring.lab.comparison import compare
from sparring.lab.run import Run
from sparring.learn import Training
from sparring.nets.files import load_net
from sparring.report import plots
from sparring.report.network import connections, draw_net, net_labels
from sparring.report.page import Page
from sparring.report.results import comparison_sheets


def write_report(runs: list[Run], path: Path) -> None:
    """Write one HTML file on these runs."""
    page = Page("Training report", f"{runs[0].game.name}: {runs[0].game.summary}")
    if len(runs) > 1 and len({run.game.name for run in runs}) == 1:
        page.heading("The runs together")
        add_curves_together(page, runs)
        add_differences(page, runs)
        add_comparison(page, runs)
    for run in runs:
        page.heading(run.folder.name)
        add_results(page, run)
        add_curves(page, run)
        page.heading("The champion's network")
        add_network(page, run)
        page.heading("A game of the champion")
        add_replay(page, run)
        page.code("The experiment with all its options", run.experiment.toml())
    page.footer(footer(*(run.experiment.seed for run in runs)))
    page.write(path)


def add_curves_together(page: Page, runs: list[Run]) -> None:
    """Draw games won and scores of all runs in one figure, a panel for each opponent."""
    drawn = [(run, run.training(), run.curves()) for run in runs]
    units = dict.fromkeys(training.unit for _, training, _ in drawn)
    for measure in ("won", "score"):
        panels: dict[str, dict[str, tuple[np.ndarray, np.ndarray]]] = {}
        for run, training, (steps, curves) in drawn:
            for setting, other in training.settings().items():
                if (found := curves.get(f"{setting}.player.{measure}")) is not None:
                    panels.setdefault(other, {})[run.folder.name] = (steps, found)
        if panels:
            words = "games won" if measure == "won" else measure
            items = [(f"against {other}", " or ".join(units), lines) for other, lines in panels.items()]
            caption = f"{words.capitalize()} during training: mean over trials, with the mean's 95% band."
            page.tracks(words.capitalize(), items, words, caption, shares=measure == "won")


def add_differences(page: Page, runs: list[Run]) -> None:
    """List the settings that differ between runs."""
    tables = [_settings(tomllib.loads(run.experiment.toml())) for run in runs]
    names = [name for name in dict.fromkeys(key for table in tables for key in table) if name != "name"]
    rows = [[name, *(str(table.get(name, "")) for table in tables)] for name in names]
    rows = [row for row in rows if len(set(row[1:])) > 1]
    if rows:
        page.table(["setting", *(run.folder.name for run in runs)], rows, "Settings that differ.")


def _settings(table: dict[str, Any], start: str = "") -> dict[str, Any]:
    """The settings of a file by name: `learner.epochs`."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        found |= _settings(value, f"{start}{key}.") if isinstance(value, dict) else {f"{start}{key}": value}
    return found


def add_comparison(page: Page, runs: list[Run]) -> None:
    """Compare the trials of several runs of one game, if they met a common opponent."""
    try:
        found = compare(*runs)
    except UserError as reason:
        page.text(f"The runs are not compared: {reason}.")
        return
    page.heading("Comparison")
    for sheet in comparison_sheets(found):
        page.text(sheet.title[:1].upper() + sheet.title[1:] + ".")
        page.table(sheet.header, sheet.rows, sheet.caption)
    lines = {m.name: (np.concatenate(m.scores)[:, None] > found.thresholds).astype(float) for m in found.methods}
    caption = "The share of trials that win more than a share of their games, with its 95% band over trials."
    page.panels(
        "Performance profile", [("", found.thresholds, lines)], "share of trials", caption, "share of games won"
    )


def footer(*seeds: int) -> str:
    """Seeds and versions, for the footer of a page."""
    from importlib.metadata import version

    versions = [f"{name} {version(name)}" for name in ("sparring", "numba", "numpy")]
    return f"Seed {', '.join(map(str, seeds))}. {', '.join(versions)}"


def add_results(page: Page, run: Run) -> None:
    """Describe the run's champion; list every champion against each opponent, and the mean over trials."""
    results = run.evaluation()
    rows, chosen = results["trials"], results["champion"]
    evaluation = run.experiment.evaluation
    opponents, by = evaluation.opponents, evaluation.by
    won = [Interval.from_json(m["players"][0]["win_rate"]).text(1, percent=True) for m in rows[chosen]["matches"]]
    page.text(
        f"The champion is trial {chosen:03d}'s, chosen on separate deals. It wins "
        + " and ".join(f"{rate} of its games against {name}" for rate, name in zip(won, opponents, strict=True))
        + "."
    )
    names = [f"trial {i:03d}{', champion' if i == chosen else ''}" for i in range(len(rows))]
    cells = [[c for m in row["matches"] for c in _cells(m["players"][0], by)] for row in rows]
    body = [[name, *each] for name, each in zip(names, cells, strict=True)]
    if len(rows) > 1:
        body.append(["mean over trials", *(cell for i in range(len(opponents)) for cell in _mean_cells(rows, i, by))])
    header = ["player", *(f"{what} against {name}" for name in opponents for what in (by, "games won"))]
    games = "deals in every seating" if evaluation.seating == "every" else "games in the first seat"
    caption = f"{evaluation.pairs} {games} each, on deals used for nothing else; 95% intervals."
    page.table(header, body, caption)


def _result(player: dict[str, Any], by: str) -> list[float | None]:
    return player["score"] if by == "score" else player["fitness"][by]  # type: ignore[no-any-return]


def _cells(player: dict[str, Any], by: str) -> list[str]:
    score = Interval.from_json(_result(player, by))
    return [score.text(score_digits(score.value)), Interval.from_json(player["win_rate"]).text(1, percent=True)]


def _mean_cells(rows: list[dict[str, Any]], opponent: int, by: str) -> list[str]:
    players = [row["matches"][opponent]["players"][0] for row in rows]
    score = mean_interval(np.array([_result(p, by)[0] for p in players]))
    won = share_interval(np.array([p["win_rate"][0] for p in players]))
    return [score.text(score_digits(score.value)), won.text(1, percent=True)]


def add_curves(page: Page, run: Run) -> None:
    """Add score, wins and every measure during training, against every opponent of the learner."""
    training, (steps, curves) = run.training(), run.curves()
    add_panels(page, run, training, steps, curves)
    for measure in ("score", "won", *run.game.rules.measures(np.zeros(1, run.game.rules.tally))):
        add_measure(page, run, training, steps, curves, measure)
    last, whom = list(training.settings().items())[-1] if training.settings() else ("", "")
    for name, labels in run.game.rules.labels.items():
        profile = curves.get(f"{last}.player.{name}")
        if profile is not None:
            page.figure(
                plots.stacked(name.capitalize(), steps, [("player", profile.mean(axis=0))], labels),
                f"Shares of {name} against {whom} during training, mean over trials.",
            )


def add_panels(page: Page, run: Run, training: Training, steps: np.ndarray, curves: dict[str, np.ndarray]) -> None:
    """Add the learner's own curves."""
    unit = training.unit
    for measure, lines in training.panels():
        words, found = measure.replace("_", " "), {label: curves[name] for label, name in lines.items()}
        items = [("during training", steps, found)]
        page.panels(words.capitalize(), items, words, f"{words.capitalize()} in each {unit}: {averaged(run)}.", unit)


def add_measure(
    page: Page, run: Run, training: Training, steps: np.ndarray, curves: dict[str, np.ndarray], measure: str
) -> None:
    """Add one measure against every opponent of the learner, if it was measured."""
    items = []
    for setting, other in training.settings().items():
        names = {"player": f"{setting}.player.{measure}", other: f"{setting}.opponent.{measure}"}
        found = {label: curves[name] for label, name in names.items() if name in curves}
        if found:
            items.append((f"against {other}", steps, found))
    if items:
        words = "games won" if measure == "won" else measure.replace("_", " ")
        caption = f"{words.capitalize()} during training: {averaged(run)}."
        page.panels(words.capitalize(), items, words, caption, training.unit)


def add_network(page: Page, run: Run) -> None:
    """Add the run's champion as a graph."""
    net = load_net(run.folder / CHAMPION, run.game)
    for role, part in net.parts.items() if net.parts else [("", net)]:
        labels = net_labels(part, run.game)
        whose = f"The champion's network for {role}" if role else "The champion's network"
        caption = f"{whose}: a line's width is the size of its weight, its colour the sign."
        page.figure(draw_net(part, labels), caption, connections(part, labels))


def averaged(run: Run) -> str:
    """What a line of a run's curves shows."""
    trials = run.experiment.trials
    return "one trial" if trials == 1 else f"mean over {trials} trials, with the mean's 95% band"


def add_replay(page: Page, run: Run) -> None:
    """Add one game of the run's champion against the last opponent of its evaluation, turn by turn."""
    opponent = run.experiment.evaluation.opponents[-1]
    played: list[Played] = []
    match(run.game, str(run.folder), opponent, pairs=1, seed=derive(run.experiment.seed, "replay"), keep=played.extend)
    game, view = played[0], run.game.view
    frames = view.frames(view.game_text(game), "replay", ["champion", *[opponent] * (game.seats - 1)], game)
    page.frames(f"The champion against {opponent}", frames)
