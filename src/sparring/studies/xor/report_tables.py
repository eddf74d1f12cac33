"""The paper's figures beside ours."""

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.studies import Table, columns
from sparring.studies.verdicts import difference
from sparring.studies.xor import published
from sparring.studies.xor.measured import NEAT_PYTHON, OURS, STOCK_GENERATIONS, Measured, Runs


def all_tables(found: Measured) -> list[Table]:
    """Every table except the claims."""
    return [experiment_table(found), ablation_table(found), stock_table(found)]


def experiment_table(found: Measured) -> Table:
    runs = found.full
    solved = runs.solved
    rows = [
        ["solved runs", f"{published.SOLVED} of {published.RUNS}", f"{solved.sum()} of {len(runs)}"],
        ["generations", f"{published.GENERATIONS:.0f}", of_solved(runs, runs.generations)],
        ["most generations", str(published.WORST), str(runs.generations[solved].max(initial=0))],
        ["hidden nodes of the solution", f"{published.HIDDEN:.2f}", of_solved(runs, runs.hidden)],
        ["enabled connections of the solution", f"{published.CONNECTIONS:.2f}", of_solved(runs, runs.connections)],
        ["networks evaluated", f"{published.EVALUATIONS:,}", of_solved(runs, runs.generations * 150 + 150, 0)],
        ["species at the end", "", mean_interval(runs.species).text(1)],
        ["seconds on one core", "", mean_interval(runs.seconds).text(2)],
    ]
    return Table(
        "Section 4.1: exclusive or",
        columns("| published | ours"),
        rows,
        f"{len(runs)} runs with a population of 150 and up to {found.budget.generations} generations; means over solved runs "
        f"with 95% intervals; seed {found.seed}. Solved: all four outputs lie on the right side of 0.5.",
    )


def of_solved(runs: Runs, values: np.ndarray, digits: int = 2) -> str:
    """The mean over solved runs."""
    return mean_interval(values[runs.solved]).text(digits) if runs.solved.any() else "none solved"


def ablation_table(found: Measured) -> Table:
    rows = []
    for name, runs in found.variants.items():
        theirs = published.ABLATIONS.get(name)
        rows.append(
            [name, *((f"{theirs[0]:,}", f"{theirs[1]:.0%}") if theirs else ("", ""))]
            + [rate_interval(1.0 - runs.solved).text(1, True), of_solved(runs, runs.generations, 1)]
            + [more_than_full(found, runs).text(1) if runs is not found.full else ""]
            + [of_solved(runs, runs.hidden, 1), of_solved(runs, runs.connections, 1)]
        )
    return Table(
        "Section 4.4: ablations",
        columns("| published evaluations (two poles) | failures | our failures | generations | more than full")
        + columns("hidden nodes | connections"),
        rows,
        f"{found.trials} runs of each. The published runs balance two poles, ours solve exclusive or. Generations, nodes and "
        "connections are means over solved runs; in the comparison with full NEAT a failed run counts "
        f"{found.budget.generations} generations.",
    )


def more_than_full(found: Measured, runs: Runs, comparisons: int = 1) -> Interval:
    """How many more generations a variant takes than full NEAT; a failed run counts all its generations."""
    return difference(runs.generations.astype(float), found.full.generations.astype(float), comparisons)


def stock_table(found: Measured) -> Table:
    rows = []
    for program in (OURS, NEAT_PYTHON):
        if program not in found.stock:
            rows.append([program, "not installed", "", "", "", "", ""])
            continue
        runs = found.stock[program]
        rows.append(
            [program, f"{runs.solved.sum()} of {len(runs)}", of_solved(runs, runs.generations, 1)]
            + [mean_interval(runs.generations).text(1), of_solved(runs, runs.hidden, 1)]
            + [of_solved(runs, runs.connections, 1)]
            + [f"{1000 * runs.seconds.sum() / max(1, runs.generations.sum()):.2f}"]
        )
    return Table(
        "neat-python's own example for exclusive or",
        columns(
            "program | solved | generations, solved runs | all runs | hidden nodes | connections | ms per generation"
        ),
        rows,
        f"The same configuration, up to {STOCK_GENERATIONS} generations of 150 genomes. Solved: a fitness of 3.9, which demands "
        "more than the right side of 0.5. Milliseconds on one core, evaluation included.",
    )
