"""The tables of case 5: two populations that feed each other, how that is measured, and what ends it."""

import numpy as np

from sparring.studies import Table
from sparring.studies.conquest.cases import STUDY
from sparring.studies.conquest.collusion import SIDES, index_interval
from sparring.studies.conquest.draws import quantile_cells, spread_text
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import KINDS, RIVALS
from sparring.studies.conquest.study_runs import FIXED_PLAYERS
from sparring.studies.conquest.tables import case_tables, conquest_table
from sparring.studies.formats import mean_text, rate_text, share_text
from sparring.studies.study import Sections

RIVALS_SECTION, CURE_SECTION = "Case 5: two populations", "Collusion, and what ends it"


def all_tables(found: Measured) -> Sections:
    """The tables of all cases by section."""
    return {
        **case_tables(found),
        RIVALS_SECTION: [best_table(found), network_table(found)],
        CURE_SECTION: [collusion_table(found), play_table(found)],
    }


def best_table(found: Measured) -> Table:
    study, rows = found.rivals[STUDY], []
    peak = np.take_along_axis(study.best, study.peaks[None, :, None], axis=2)[:, :, 0]
    for mark, theirs, ours in (
        ("last generation", RIVALS["end"], study.best[:, :, -1]),
        ("spike", RIVALS["spike"], peak),
    ):
        sides = [*zip(SIDES, theirs, ours, strict=True), ("together", sum(theirs), ours.sum(axis=0))]
        rows += [[mark, side, f"{value:,.0f}", *quantile_cells(fitness, value, 0)] for side, value, fitness in sides]
    rows.append(
        ["spike", "its generation", str(RIVALS["spike_generation"]), "", "", spread_text(study.peaks + 1.0), *[""] * 3]
    )
    heights, left = study.after_spike
    if len(left) > 2:
        line = np.polyval(np.polyfit(heights, left, 1), sum(RIVALS["spike"]))
        words = f"correlation {np.corrcoef(heights, left)[0, 1]:.2f}"
        rows.append(["spike", "left of both after it", "49%", "", "", spread_text(100 * left) + "%", *[""] * 3])
        rows.append(["spike", "left at the published height", "49%", "", "", f"{line:.0%} by a line", "", "", words])
    return conquest_table("rivals-best", rows, found=found, generations=found.budget.generations(5))


def network_table(found: Measured) -> Table:
    study, rows = found.rivals[STUDY], []
    for mark, moves, measure in (
        ("spike", RIVALS["spike_moves"], study.at_peak),
        ("last generation", RIVALS["end_moves"], study.last.of_best),
    ):
        for side, name in enumerate(SIDES):
            for kind in KINDS:
                ours, rounds = measure(kind)[:, side], np.maximum(measure("rounds")[:, side], 1)
                theirs = [f"{moves[kind][side]:,}", f"{100 * moves[kind][side] / moves['rounds'][side]:.0f}%"]
                rows.append([mark, name, kind, *theirs, spread_text(ours), share_text(ours / rounds)])
    for side, population in enumerate(("population", "rivals")):
        for words, curve in (("hidden", "hidden_nodes"), ("connections", "enabled")):
            size = spread_text(study.curves[f"{population}.best.{curve}"][:, -1])
            rows.append(["last generation", SIDES[side], words, str(RIVALS[words][side]), "", size, ""])
    return conquest_table("rivals-networks", rows)


def trials_words(found: Measured) -> str:
    return f"{found.trials} trials of {STUDY}, {min(found.trials, found.budget.others)} of the others"


def collusion_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        last = rivals.last
        indices = [index_interval(index) for index in (rivals.matchups[0].index, rivals.peak_index, last.index)]
        known = np.isfinite(indices[2].value)
        ends = ("yes" if indices[2].high < 0 else "no" if indices[2].low > 0 else "undecided") if known else ""
        rows.append(
            [fitness, *(index.text(2) if known else "no strangers" for index in indices), ends]
            + [mean_text(last.mean("mutual", own), 1) for own in (True, False)]
        )
    return conquest_table("collusion", rows, trials=trials_words(found))


def play_table(found: Measured) -> Table:
    rows = []
    for fitness, rivals in found.rivals.items():
        last = rivals.last
        rounds = last.mean("rounds")
        won = [f"{100 * rivals.strength[side][name].mean():.0f}%" for name in FIXED_PLAYERS for side in SIDES]
        rows.append(
            [fitness, rate_text(last.mean("decided"), 0), mean_text(rounds, 0)]
            + [mean_text(2 * last.mean("kills") / rounds, 3), rate_text(last.mean("attack") / rounds, 0)]
            + [" / ".join(won[n : n + 2]) for n in range(0, len(won), 2)]
        )
    more, most = [f"wins against {name}" for name in FIXED_PLAYERS], RIVALS["rounds"]
    return conquest_table("play", rows, more, found=found, trials=trials_words(found), rounds=most)
