"""What the command line prints: tables and progress bars. Bars go to standard error, so that output can be piped."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from sparring.arena.match import Match
from sparring.arena.play import Progress as Report
from sparring.arena.players import CHAMPION
from sparring.arena.statistics import Interval, score_digits
from sparring.arena.tournament import Tournament
from sparring.errors import plain
from sparring.games import find_game
from sparring.lab.comparison import WON, Comparison
from sparring.lab.exploit import Exploit
from sparring.lab.ladders import Standing
from sparring.lab.person_record import Record
from sparring.lab.run import Report as TrainingReport
from sparring.lab.run import Run
from sparring.lab.sweep import Sweep
from sparring.learn import Training
from sparring.nets.files import SUFFIX
from sparring.report.drawings import ANIMATION
from sparring.report.results import comparison_sheets, match_sheets, tournament_sheets

NAME = 40  # characters of a short name
PIPED = 160  # columns where there is no terminal to ask: tables of studies are wide
out = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED)
err = Console(stderr=True, highlight=False, markup=False)


class GamesPerSecond(ProgressColumn):
    """How fast games are being played."""

    def render(self, task: Task) -> Text:
        games, elapsed = task.fields.get("games", task.completed), task.elapsed or 0
        unit = task.fields.get("unit", "games")
        return Text(f"{games / elapsed:,.0f} {unit}/s" if elapsed > 0.2 and unit == "games" else "", style="cyan")


def _bar() -> Progress:
    """The task, its progress, speed and remaining time, in one line of 80 characters."""
    return Progress(
        TextColumn(
            "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", max_width=32)
        ),
        BarColumn(bar_width=None, table_column=Column(ratio=1, min_width=5)),
        MofNCompleteColumn(table_column=Column(no_wrap=True)),
        GamesPerSecond(table_column=Column(no_wrap=True)),
        TimeRemainingColumn(compact=True, table_column=Column(no_wrap=True)),
        TextColumn("{task.fields[headline]}", markup=False, table_column=Column(no_wrap=True)),
        console=err,
        disable=not err.is_terminal,
    )


class Bar:
    """A bar that appears with its first report; the bar before it, if there is one, is then done."""

    shown: "Bar | None" = None

    def __init__(self, what: str, **fields: Any) -> None:
        self.bar = _bar()
        self.task = self.bar.add_task(what, start=False, total=None, headline="", **fields)

    def update(self, **values: Any) -> None:
        if Bar.shown is not self:
            if Bar.shown is not None:
                Bar.shown.bar.stop()
            Bar.shown = self
            self.bar.start()
            self.bar.start_task(self.task)
        self.bar.update(self.task, **values)

    def done(self) -> None:
        self.bar.stop()
        if Bar.shown is self:
            Bar.shown = None


@contextmanager
def games_bar(what: str, unit: str = "games") -> Iterator[Report]:
    """A bar over games (or whatever is counted)."""
    bar = Bar(what, unit=unit)
    try:
        yield lambda done, total: bar.update(completed=done, total=total)
    finally:
        bar.done()


@contextmanager
def training_bar(what: str) -> Iterator[TrainingReport]:
    """A bar over a training's steps, with its speed and its current results."""
    bar = Bar(what, games=0)
    played = 0

    def report(training: Training, games: int) -> None:
        nonlocal played
        played += games
        bar.update(completed=training.step, total=training.steps, games=played, headline=training.headline())

    try:
        yield report
    finally:
        bar.done()


def table(title: str, header: list[str], rows: list[list[str]], caption: str = "") -> None:
    """A table: text left-aligned, numbers right-aligned; short names in the first column are never broken."""
    shown = Table()
    for i, (name, cells) in enumerate(zip(header, zip(*rows, strict=True), strict=True)):
        numeric = all(cell[:1] in "-0123456789" for cell in cells)
        names = i == 0 and not numeric and max(map(len, cells)) <= NAME
        shown.add_column(plain(name), justify="right" if numeric else "left", overflow="fold", no_wrap=names)
    for row in rows:
        shown.add_row(*map(plain, row))
    if title:
        out.print(plain(title), style="bold")
    out.print(shown)
    if caption:
        out.print(plain(caption), style="dim")


def line(text: str) -> None:
    """Print a text as it is, but for control characters."""
    print(plain(text))


def results(found: Match | Tournament | Comparison, as_json: bool = False, fitness: str = "") -> None:
    """A match, a tournament or a comparison as tables, or as JSON."""
    if as_json:
        print(json.dumps(found.json()), flush=True)
        return
    if isinstance(found, Match):
        sheets = match_sheets(found, fitness)
    else:
        sheets = tournament_sheets(found) if isinstance(found, Tournament) else comparison_sheets(found)
    for sheet in sheets:
        table(*sheet)
    sys.stdout.flush()


def record_table(records: list[Record]) -> None:
    """A person's record in one game: a column for each opponent."""
    game = find_game(records[0].game)
    rows = [
        ["games", *(str(r.games) for r in records)],
        ["games won", *(r.win_rate.text(1, percent=True) for r in records)],
        ["drawn", *(str(r.draws) for r in records)],
        ["score", *(r.score.text(2) for r in records)],
        ["the others' score", *(r.others.text(2) for r in records)],
    ]
    for name in records[0].measures:
        share = name in game.rules.shares
        rows.append([name.replace("_", " "), *(r.measures[name].text(1 if share else 2, share) for r in records)])
    older = f", rules version {records[0].rules}" * (records[0].rules != game.rules.version)
    heads = [_table_of(r.against) for r in records]
    table(f"{game.name}{older}: your games", ["", *heads], rows, "95% intervals; a game is one observation")


def _table_of(against: tuple[str, ...]) -> str:
    """The opponents: `against a, b`, `against 3 random`."""
    if len(against) > 1 and len(set(against)) == 1:
        return f"against {len(against)} {against[0]}"
    return f"against {', '.join(against)}"


def run_table(run: Run) -> None:
    """A finished run: its champions against each opponent, and where the best is."""
    evaluation = run.experiment.evaluation
    rows = [
        [f"{row['trial']:03d}", *(_result_text(m["players"][0]) for m in row["matches"])]
        for row in run.evaluation()["trials"]
    ]
    header = ["trial", *(f"against {name}" for name in evaluation.opponents)]
    caption = f"score and games won over {evaluation.pairs} deals in every seating, used for nothing else"
    table(f"champions of {run.folder}", header, rows, caption)
    line(f"champion: {run.folder / CHAMPION}")


def exploit_table(found: Exploit, as_json: bool = False) -> None:
    """What a best response gains against a player."""
    if as_json:
        print(json.dumps(found.json()), flush=True)
        return
    experiment = found.run.experiment
    digits = max(2, score_digits(found.gain.value))
    row = [found.win_rate.text(1, percent=True), found.gain.text(digits)]
    shown = "gains" if found.gain.low > 0 else "gains nothing that these games show"
    caption = (
        f"The response {shown}. {experiment.evaluation.pairs} deals in every seating, used for nothing else; 95% intervals. "
        "A lower bound: another response may gain more."
    )
    title = f"{experiment.game}: best response to {found.player} by {experiment.learner}, {found.games:,} games"
    table(title, ["games that it wins", "points per game that it gains"], [row], caption)
    line(f"response: {found.run.folder / CHAMPION}")


def sweep_table(found: Sweep, as_json: bool = False) -> None:
    """The settings of a sweep, the best first, and where the experiment with the best is."""
    if as_json:
        print(json.dumps(found.json()), flush=True)
        return
    plan, percent = found.plan, found.plan.options.by == WON
    rows = [
        [str(each.number), *(str(each.setting[key]) for key in plan.axes), str(each.rounds), f"{each.games:,}",
         "diverged" if each.diverged else each.score.text(1 if percent else 2, percent)]
        for each in found.tried
    ]  # fmt: skip
    header = ["setting", *plan.axes, "rounds", "games", plan.options.by]
    caption = (
        f"Setting 0 is the experiment's own. {plan.options.trials} trials; games of all of them; 95% intervals over trials. "
        "The best was chosen by its score, which therefore flatters it: train it to know its strength."
    )
    table(f"{plan.name}: {plan.base.game}, {plan.base.learner}", header, rows, caption)
    line(f"best: {found.best}")


def ladder_table(found: Standing, as_json: bool = False) -> None:
    """The ratings of a ladder."""
    result = found.json()
    if as_json:
        print(json.dumps(result), flush=True)
        return
    leads = [Interval.from_json(each["lead"]).text(0) for each in result["players"][:-1]]
    rows = [
        [each["name"], f"{each['rating'][0]:.0f}", lead]
        for each, lead in zip(result["players"], [*leads, ""], strict=True)
    ]
    known = f"All leads are known to {result['within']:g}, or far." if found.reached else "The same command goes on."
    caption = f"Bradley-Terry ratings with mean 0; 95% intervals. {known}"
    table(f"{result['game']}: ladder", ["player", "rating", "ahead of the next"], rows, caption)
    line(f"ladder: {found.path}")


def _result_text(player: dict[str, Any]) -> str:
    score = player["score"][0]
    return f"{score:.{score_digits(score)}f}, {player['win_rate'][0]:.1%}"


def bench_table(found: dict[str, Any]) -> None:
    """Speeds, with the machine and the versions of packages."""
    rows = [[name, f"{value:,.1f}" if value >= 1 else f"{value:.2g}"] for name, value in found["figures"].items()]
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    table(found["machine"], ["figure", "value"], rows, versions)


def drawings(what: Path, game: int, written: list[Path]) -> None:
    """The files that were written: a network, or the pictures of a game and its animation."""
    if what.is_dir() or what.suffix == SUFFIX:
        line(f"network: {written[0]}")
        return
    films = [path for path in written if path.stem == ANIMATION or path.suffix == ".gif"]
    if len(films) < len(written):
        line(f"{len(written) - len(films)} pictures of {what.name}, game {game}: {written[0].parent}")
    for path in films:
        line(f"animation: {path}")
