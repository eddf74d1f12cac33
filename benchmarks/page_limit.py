"""Render the section of RESULTS.md about the arithmetic limit."""

from benchmarks.page_text import number, rows_where, section, table
from benchmarks.parts import OTHERS

LIMIT, PART, WIDEST = ".limit.", "part.", ".widest_vectors"
PEAKS = {
    "peak.fused.operations_per_second.widest_vectors": "fused multiply-adds, widest vectors",
    "peak.fused.operations_per_second": "fused multiply-adds, vectors as compiled",
    "peak.separate.operations_per_second.widest_vectors": "multiply and add rounded separately, widest vectors",
    "peak.separate.operations_per_second": "multiply and add rounded separately, vectors as compiled (what kernels use)",
    "peak.matrix_product.operations_per_second": "product of 1024 x 1024 matrices by NumPy's library",
}


def limit_section(figures: dict[str, float]) -> str:
    games = list(dict.fromkeys(name.partition(LIMIT)[0] for name in figures if LIMIT in name))
    if not games:
        return ""
    note = (
        "One core. Operations are sums, products and quotients in single precision, counted in an interpreted run of the games "
        "that are then timed compiled; a sigmoid has 20 operations. Limits are streams of multiply-adds in the first-level cache. "
        "[docs/benchmarks.md](../docs/benchmarks.md#where-the-time-goes) explains the difference."
    )
    apart = [game for game in games if len(rows_where(figures, f"{game}{LIMIT}{PART}")) > len(OTHERS)]
    parts = [
        peaks(figures),
        rows_of_sigmoids(figures),
        reached(figures, games),
        *(taken_apart(figures, game) for game in apart),
    ]
    return section("The arithmetic limit", "\n".join(parts), note)


def billions(value: float | None) -> str:
    return number(None if value is None else value / 1e9)


def peaks(figures: dict[str, float]) -> str:
    rows = [[about, billions(figures[name])] for name, about in PEAKS.items() if name in figures]
    return table(["limit of one core", "billion operations per second"], rows)


def rows_of_sigmoids(figures: dict[str, float]) -> str:
    found = rows_where(figures, "peak.sigmoids_per_second.row_")
    usual = [(length, value) for length, value in found if not length.endswith(WIDEST)]
    widest = [value for length, value in found if length.endswith(WIDEST)]
    rows = [["vectors as compiled", *(number(value / 1e6) for _, value in usual)],
            ["widest vectors", *(number(value / 1e6) for value in widest)]]  # fmt: skip
    header = ["million sigmoids per second, nothing else, in rows of", *(length for length, _ in usual)]
    return table(header, rows) if found else ""


def reached(figures: dict[str, float], games: list[str]) -> str:
    most = max(figures.get(name, 0.0) for name in PEAKS)
    alike = figures.get("peak.separate.operations_per_second", 0.0)
    rows = []
    for game in games:
        found = dict(rows_where(figures, f"{game}{LIMIT}"))
        speed, rules = found["operations_per_second"], found[f"{PART}{OTHERS[0]}"]
        counts = [number(found[kind]) for kind in ("sums", "products", "sigmoids", "operations")]
        times = [number(1e6 * found["seconds"]), number(1e6 * rules)]
        rows.append([game, *counts, *times, billions(speed), number(most / speed), number(alike / speed)])
    header = ["a game of", "sums", "products", "sigmoids", "operations", "µs", "of which rules",
              "billion operations per second", "times below the limit", "times below separate rounding"]  # fmt: skip
    return table(header, rows)


def taken_apart(figures: dict[str, float], game: str) -> str:
    """A table of the time that each part of a game takes."""
    found = dict(rows_where(figures, f"{game}{LIMIT}"))
    parts = rows_where(found, PART)
    whole = sum(value for _, value in parts)
    rows = [[name, number(1e6 * value), f"{value / whole:.0%}"] for name, value in parts]
    for what, name in (
        ("sigmoids_alone_seconds", "all its sigmoids"),
        ("multiply_adds_alone_seconds", "all its multiply-adds"),
    ):
        rows.append([f"*for comparison: {name} alone, in rows of the same length*", number(1e6 * found[what]),
                     f"{found[what] / whole:.0%}"])  # fmt: skip
    return table([f"{game}: where the time goes", "µs per game", "share"], rows)
