"""The tables of the debate: who wins, strength, comparisons, settings and cost."""

import numpy as np

from sparring.studies import Table, make_table
from sparring.studies.debate.measured import KINDS, Field, Measured, best_of
from sparring.studies.debate.settings import (
    BUDGETS_SHOWN,
    GAMES,
    HIDDEN,
    LEARNERS,
    UNSWEPT,
    chosen_entry,
    learner_options,
)
from sparring.studies.formats import share_text
from sparring.studies.study import Sections

WINNERS = "Who wins"
SHAPE_TITLES = {HIDDEN: "hidden layer"}
ABSENT = "–"  # a learner whose first generation took longer than the budget
WORDS = {8: "an eighth", 4: "a quarter", 2: "a half", 1: "the whole"}


def title(learner: str) -> str:
    """A learner's name for people."""
    return LEARNERS[learner].title


def shape_title(shape: str) -> str:
    return SHAPE_TITLES.get(shape, shape)


def section(game: str) -> str:
    """The section of a game."""
    return game.capitalize()


def all_tables(found: Measured) -> Sections:
    """Every table except the claims, by section."""
    sections = {WINNERS: [*(winners_table(found, game) for game in GAMES), applies_table()]}
    for game in GAMES:
        sections |= game_tables(found, game)
    return sections


def game_tables(found: Measured, game: str) -> Sections:
    """The tables of one game."""
    tables = []
    for field in found.of(game):
        tables += [
            *(strength_table(found, field, kind) for kind in KINDS),
            cost_table(found, field),
            settings_table(field),
        ]
        for kind in KINDS:
            tables += [improvement_table(field, kind), robin_table(found, field, kind)]
    return {section(game): tables}


def part_tables(found: Measured, game: str) -> Sections:
    """What `--only GAME` measures again."""
    return {WINNERS: [winners_table(found, game)]} | game_tables(found, game)


def winners_table(found: Measured, game: str) -> Table:
    """The strongest learner at every budget."""
    rows = [
        [shape_title(field.shape), kind, *(winners_text(field, kind, part) for part in BUDGETS_SHOWN)]
        for field in found.of(game)
        for kind in KINDS
    ]
    more = [WORDS[part] for part in BUDGETS_SHOWN]
    return make_table("debate", "winners", rows, more, game=game, trials=found.trials)


def winners_text(field: Field, kind: str, part: int) -> str:
    """`TD(lambda)`, or `TD(lambda), or NEAT` where the trials do not decide."""
    names, alone = best_of(field, kind, part)
    if alone or not names:
        return title(names[0]) if alone else ABSENT
    if len(names) == len(field.entered(kind, part)):
        return f"inconclusive ({title(names[0])} first)"
    return f"{title(names[0])}, or {', '.join(map(title, names[1:]))}"


def applies_table() -> Table:
    """Which learner applies to which game, and why not."""
    hearts = {"td": "only as part of the curriculum"}
    rows = [
        [learner.title, *(learner.excluded.get(game, "yes") for game in GAMES), hearts.get(name, "no")]
        for name, learner in LEARNERS.items()
    ]
    return make_table("debate", "applies", rows, [*GAMES, "hearts"])


def strength_table(found: Measured, field: Field, kind: str) -> Table:
    """The share against the panel at all budgets of a kind."""
    shown = [{name: share_text(share) for name, share in field.entered(kind, part).items()} for part in BUDGETS_SHOWN]
    rows = [[title(name), *(each.get(name, ABSENT) for each in shown)] for name in field.tracks]
    more = [f"{WORDS[part]} of the {kind}" for part in BUDGETS_SHOWN]
    facts = {"panel": ", ".join(GAMES[field.game].panel), "trials": found.trials, "pairs": found.budget.pairs}
    facts |= {"games": field.games, "seconds": field.seconds}
    return make_table("debate", "strength", rows, more, kind=kind, **named(field), **facts)


def named(field: Field) -> dict[str, str]:
    """How a field is called in a title."""
    return {"game": field.game, "shape": shape_title(field.shape)}


def improvement_table(field: Field, kind: str) -> Table:
    """The matrix of probabilities of improvement."""
    compared, names = field.comparisons[kind, 1], list(field.tracks)

    def cell(row: str, column: str) -> str:
        if row == column or (row, column) not in compared:
            return "" if row == column else ABSENT
        found = compared[row, column]
        return f"{found.probability.text(2)}{' *' if found.shown else ''}"

    rows = [[title(row), *(cell(row, column) for column in names)] for row in names]
    return make_table("debate", "improvement", rows, map(title, names), kind=kind, **named(field))


def robin_table(found: Measured, field: Field, kind: str) -> Table:
    """The matrix of games between learners."""
    names = list(field.tracks)
    rows = []
    for row in names:
        met = {column: field.met(row, column, kind) for column in names if column != row}
        cells = [share_text(met[name]) if name in met else "" for name in names]
        rows.append([title(row), *cells, share_text(np.mean(list(met.values()), axis=0))])
    more = [*map(title, names), "all"]
    return make_table("debate", "robin", rows, more, kind=kind, pairs=found.budget.pairs, **named(field))


def settings_table(field: Field) -> Table:
    """The options of every learner, and the sweep that chose them."""
    rows = []
    for name in field.tracks:
        for part in LEARNERS[name].parts:
            options = learner_options(field.game, field.shape, part)
            text = ", ".join(f"{key} {value}" for key, value in options.items() if not key.endswith("_end"))
            swept = chosen_entry(field.game, field.shape, part).get("sweep", UNSWEPT)
            rows.append([title(name) if name == part else f"{title(name)}: {title(part)}", text, swept])
    return make_table("debate", "settings", rows, **named(field))


def cost_table(found: Measured, field: Field) -> Table:
    """What every training cost."""
    rows = []
    for name, track in field.tracks.items():
        games, seconds = track.games[-1], track.seconds[-1]
        speed = f"{games / seconds:,.0f}" if seconds else ""
        rows.append([title(name), f"{games:,.0f}", f"{seconds:.3g}", speed, f"{seconds * found.trials / 60:.2f}"])
    minutes = sum(track.seconds[-1] for track in field.tracks.values()) * found.trials / 60
    return make_table("debate", "cost", rows, minutes=minutes, **named(field))
