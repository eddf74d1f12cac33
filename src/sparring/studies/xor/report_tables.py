"""The paper's figures beside ours."""

from sparring.arena.statistics import mean_interval, rate_interval
from sparring.studies import Table, columns
from sparring.studies.xor import measured, published
from sparring.studies.xor.measured import HIDDEN_POLES, PROGRAM, STOCK_GENERATIONS, STOCK_XOR, XOR, Measured, Runs
from sparring.studies.xor.settings import VARIANTS

START_OF_PROGRAM = {"full": PROGRAM, HIDDEN_POLES: measured.HIDDEN_PROGRAM}


def all_tables(found: Measured) -> list[Table]:
    """Every table except the claims."""
    seen, hidden = "Table 1: two poles with velocities", "Table 2: two poles without velocities"
    return [
        experiment_table(found),
        pole_table(found, "full", seen, "generations", published.SEEN),
        pole_table(found, HIDDEN_POLES, hidden, "general", published.HIDDEN_POLES),
        ablation_table(found),
        stock_table(found),
    ]


def of_solved(runs: Runs, name: str, digits: int = 0) -> str:
    """The mean over solved runs."""
    values = runs.of_solved(name)
    return mean_interval(values).text(digits) if len(values) else "none solved"


def share(runs: Runs) -> str:
    return f"{runs.solved.sum()} of {len(runs)}"


def experiment_table(found: Measured) -> Table:
    runs = found.runs[XOR]
    rows = [
        ["solved runs", f"{published.SOLVED} of {published.RUNS}", share(runs)],
        ["evaluations", f"{published.EVALUATIONS:,}", of_solved(runs, "evaluations")],
        ["generations", f"{published.GENERATIONS:.0f}", of_solved(runs, "generations", 1)],
        ["most generations", str(published.WORST), str(runs.generations[runs.solved].max(initial=0))],
        ["hidden nodes of the solution", f"{published.HIDDEN:.2f}", of_solved(runs, "hidden", 2)],
        ["enabled connections of the solution", f"{published.CONNECTIONS:.2f}", of_solved(runs, "connections", 2)],
    ]
    caption = "Means over solved runs with 95% intervals. Solved: all four outputs lie on the right side of 0.5."
    return Table("Section 4.1: exclusive or", columns("| published | ours"), rows, caption)


def pole_table(found: Measured, name: str, title: str, measure: str, methods: tuple[published.Method, ...]) -> Table:
    """Other methods as published, and NEAT's runs; `measure` is the second number of the methods."""
    rows = [
        [method.name, f"{method.evaluations:,}", str(method.other), f"{method.networks:,}", "", ""]
        for method in methods
    ]
    ours = {"NEAT, ours": name, "NEAT, ours, start of the program": START_OF_PROGRAM[name]}
    for program, kind in (ours | {"neat-python": name + measured.THEIRS}).items():
        if runs := found.runs.get(kind):
            means = of_solved(runs, "evaluations"), of_solved(runs, measure, 1)
            rows.append([program, *means, f"{methods[-1].networks:,}", of_solved(runs, "hidden", 1), share(runs)])
    second = {"general": "starting states solved of 625"}.get(measure, measure)
    header = columns(f"method | evaluations | {second} | networks | hidden nodes | solved runs")
    return Table(title, header, rows, "Means over solved runs with 95% intervals.")


def ablation_table(found: Measured) -> Table:
    rows = []
    for name in (*VARIANTS, PROGRAM):
        runs, theirs = found.runs[name], published.ABLATIONS.get(name)
        evaluations, failures = (f"{theirs.evaluations:,}", f"{theirs.failures:.0%}") if theirs else ("", "")
        rows.append(
            [name, evaluations, of_solved(runs, "evaluations"), failures]
            + [rate_interval(1.0 - runs.solved).text(1, True), str(len(runs)), of_solved(runs, "hidden", 1)]
        )
    return Table(
        "Table 3: ablations, two poles with velocities",
        columns("| published evaluations | ours | published failures | ours | our runs | hidden nodes"),
        rows,
        f"Evaluations are means over solved runs; a run has failed after {found.budget.generations:,} generations.",
    )


def stock_table(found: Measured) -> Table:
    rows = [
        [program, share(runs), of_solved(runs, "generations", 1), of_solved(runs, "hidden", 1)]
        + [of_solved(runs, "connections", 1), f"{1000 * runs.seconds.sum() / max(1, runs.generations.sum()):.2f}"]
        for program, name in (("sparring", STOCK_XOR), ("neat-python", STOCK_XOR + measured.THEIRS))
        if (runs := found.runs.get(name))
    ]
    return Table(
        "neat-python's own example for exclusive or",
        columns("program | solved | generations, solved runs | hidden nodes | connections | ms per generation"),
        rows,
        f"The same configuration, up to {STOCK_GENERATIONS} generations of 150 genomes. Solved: a fitness of 3.9, which demands "
        "more than the right side of 0.5. Milliseconds on one core; our kernels evaluate the networks of both programs.",
    )
