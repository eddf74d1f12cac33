"""Draw docs/pictures/architecture.svg from the import graph: one row per package, a dot for every package that it imports.

Run `python docs/draw_architecture.py`; `tests/test_architecture.py` fails when the picture is out of date.
"""

import ast
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "sparring"
PICTURE = Path(__file__).parent / "pictures" / "architecture.svg"
PURPOSES = {
    "cli": "the command line, a thin layer over the API",
    "web": "the page: tables, replays, runs, reports",
    "api": "the Python API",
    "advice": "its part that advises and judges: cube, rollouts, analysis, ratings",
    "game_logs": "replays of logs, and the matches that they make",
    "studies": "published studies: their figures as data, ours beside them",
    "report": "plots, tables, HTML",
    "lab": "experiments, runs, checkpoints, logs, results store",
    "learn": "learners; none knows a particular game",
    "arena": "matches, tournaments, statistics, ratings, backends",
    "search": "flat Monte Carlo and tree search, for every game",
    "nets": "networks and their files",
    "games": "one folder per game: rules, policies, learning, view",
    "kernel": "compiled world: decorator, random numbers, networks, launchers",
}
ROW, NAME, TEXT, CELL, TOP, LEFT = 34, 90, 430, 34, 64, 12


def layers() -> list[str]:
    """The packages from top to bottom, as the import contract orders them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    listed = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [name.removeprefix("sparring.") for row in listed for name in row.split(" | ")]


def imports(package: str) -> set[str]:
    """The packages whose modules a package imports."""
    found = set()
    for path in [SOURCES / f"{package}.py", *(SOURCES / package).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())) if path.exists() else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sparring."):
                found.add((node.module or "").split(".")[1])
    return found - {package}


def drawing() -> str:
    """The picture as SVG."""
    packages = layers()
    width, height = LEFT + NAME + TEXT + CELL * len(packages) + 12, TOP + ROW * len(packages) + 12
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']
    first = LEFT + NAME + TEXT
    for column, name in enumerate(packages):
        x = first + CELL * column + CELL / 2
        parts.append(f'<text transform="translate({x + 4} {TOP - 8}) rotate(-50)" font-size="13">{name}</text>')
    for row, name in enumerate(packages):
        y, used = TOP + ROW * row, imports(name)
        fill = "#eef3f8" if row % 2 == 0 else "#f8fafc"
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{width - 2 * LEFT}" height="{ROW}" fill="{fill}"/>')
        parts.append(f'<text x="{LEFT + 8}" y="{y + 22}" font-weight="bold">{name}</text>')
        parts.append(f'<text x="{LEFT + NAME}" y="{y + 22}" font-size="13" fill="#444">{escape(PURPOSES[name])}</text>')
        for column, other in enumerate(packages):
            x = first + CELL * column + CELL / 2
            if other == name:
                parts.append(f'<rect x="{x - 7}" y="{y + 10}" width="14" height="14" rx="3" fill="#9db4c8"/>')
            elif other in used:
                parts.append(f'<circle cx="{x}" cy="{y + 17}" r="6" fill="#1d5d90"/>')
    title = "Packages from top to bottom; a dot marks each package that a row imports. All dots lie below the diagonal."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15" '
        f'role="img" aria-label="{title}"><title>{title}</title>{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    PICTURE.write_text(drawing())
