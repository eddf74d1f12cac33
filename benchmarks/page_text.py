"""Markdown helpers for RESULTS.md."""


def number(value: float | None) -> str:
    """Format a value with at least three significant digits."""
    if value is None:
        return "—"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(header: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def section(title: str, body: str, note: str = "") -> str:
    """Return a section, or an empty string if nothing was measured."""
    if not body:
        return ""
    return f"## {title}\n\n{note}\n\n{body}" if note else f"## {title}\n\n{body}"


def rows_where(figures: dict[str, float], start: str) -> list[tuple[str, float]]:
    """Return the figures whose names begin with `start`, by the rest of their names."""
    return [(name.removeprefix(start), value) for name, value in figures.items() if name.startswith(start)]
