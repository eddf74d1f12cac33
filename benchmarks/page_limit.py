"""The part of RESULTS.md on the arithmetic limit."""

from benchmarks.page_text import number, rows_where, section, table
from benchmarks.parts import OTHERS

LIMIT, PART, WIDEST = ".limit.", "part.", ".widest_vectors"
PEAKS = {
    "peak.fused.operations_per_second.widest_vectors": "multiply-adds as one operation, widest vectors",
    "peak.fused.operations_per_second": "multiply-adds as one operation, vectors as compiled",
    "peak.separate.operations_per_second.widest_vectors": "multiplied, rounded, added, rounded, widest vectors",
    "peak.separate.operations_per_second": "multiplied, rounded, added, rounded, vectors as compiled: what kernels are made of",
    "peak.matrix_product.operations_per_second": "a product of 1024 x 1024 matrices, by NumPy's library",
}


def limit_section(figures: dict[str, float]) -> str:
    games = list(dict.fromkeys(name.partition(LIMIT)[0] for name in figures if LIMIT in name))
    if not games:
        return ""
    note = (
        "One core. Operations are sums, products and quotients of single precision, counted in an interpreted run of the very "
        "games that are then timed compiled; a sigmoid has 20 of them. Limits are streams of nothing but multiply-adds in the "
        "nearest memory. [docs/benchmarks.md](../docs/benchmarks.md#where-the-rest-goes) says where the rest goes."
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
    return table(["the limit of a core", "thousand million operations a second"], rows)


def rows_of_sigmoids(figures: dict[str, float]) -> str:
    found = rows_where(figures, "peak.sigmoids_per_second.row_")
    usual = [(length, value) for length, value in found if not length.endswith(WIDEST)]
    widest = [value for length, value in found if length.endswith(WIDEST)]
    rows = [["vectors as compiled", *(number(value / 1e6) for _, value in usual)],
            ["widest vectors", *(number(value / 1e6) for value in widest)]]  # fmt: skip
    header = ["million sigmoids a second, nothing else, in rows of", *(length for length, _ in usual)]
    return table(header, rows) if found else ""


def reached(figures: dict[str, float], games: list[str]) -> str:
    most = max(figures.get(name, 0.0) for name in PEAKS)
    alike = figures.get("peak.separate.operations_per_second", 0.0)
    rows = []
    for game in games:
        told = dict(rows_where(figures, f"{game}{LIMIT}"))
        speed, rules = told["operations_per_second"], told[f"{PART}{OTHERS[0]}"]
        counts = [number(told[kind]) for kind in ("sums", "products", "sigmoids", "operations")]
        times = [number(1e6 * told["seconds"]), number(1e6 * rules)]
        rows.append([game, *counts, *times, billions(speed), number(most / speed), number(alike / speed)])
    header = ["a game of", "sums", "products", "sigmoids", "operations", "µs", "of them the rules",
              "thousand million operations a second", "times below the limit", "times below separate operations"]  # fmt: skip
    return table(header, rows)


def taken_apart(figures: dict[str, float], game: str) -> str:
    """Where a game's time goes."""
    told = dict(rows_where(figures, f"{game}{LIMIT}"))
    parts = rows_where(told, PART)
    whole = sum(value for _, value in parts)
    rows = [[name, number(1e6 * value), f"{value / whole:.0%}"] for name, value in parts]
    for what, name in (
        ("sigmoids_alone_seconds", "all its sigmoids"),
        ("multiply_adds_alone_seconds", "all its multiply-adds"),
    ):
        rows.append([f"*for comparison: {name}, in rows as long and with nothing around them*", number(1e6 * told[what]),
                     f"{told[what] / whole:.0%}"])  # fmt: skip
    return table([f"{game}: where the time goes", "µs a game", "share"], rows)
