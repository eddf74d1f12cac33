"""Run all benchmarks: python -m benchmarks [PART ...] [--seconds 3] [--out FOLDER]."""

import argparse
import datetime
import json
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.genetics import compared_figures
from benchmarks.limit import limit_figures
from benchmarks.memory import memory_figures
from benchmarks.page import page
from benchmarks.processes import commit
from benchmarks.scaling import scaling_figures
from benchmarks.speeds import speed_figures
from benchmarks.starting import start_figures
from benchmarks.training import training_figures
from sparring.lab.bench import machine

HERE = Path(__file__).parent
PACKAGES = ("sparring", "numba", "llvmlite", "numpy", "open_spiel", "rlcard", "pgx", "jax", "neat-python")
PARTS: dict[str, Callable[[float], dict[str, float]]] = {
    "genetics": lambda seconds: compared_figures(),
    "training": lambda seconds: training_figures(),
    "start": lambda seconds: start_figures(),
    "memory": lambda seconds: memory_figures(),
    "scaling": scaling_figures,
    "limit": lambda seconds: limit_figures(),
}
ALL = ["speeds", *PARTS]


def measure(parts: list[str], seconds: float) -> dict[str, Any]:
    """Measure these parts; the result names the machine, versions and commit."""
    began = time.monotonic()
    found: dict[str, Any] = {
        "machine": machine(), "versions": versions(), "commit": commit(), "date": datetime.date.today().isoformat(),
        "seconds": 0.0, "nets": {}, "figures": {},
    }  # fmt: skip
    for part in parts:
        print(f"{time.monotonic() - began:4.0f} s: {part}", file=sys.stderr, flush=True)
        if part == "speeds":
            figures, found["nets"] = speed_figures(seconds)
        else:
            figures = PARTS[part](seconds)
        found["figures"] |= {name: float(f"{value:.4g}") for name, value in figures.items()}
    found["seconds"] = round(time.monotonic() - began)
    return found


def versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition(":")[0])
    parser.add_argument("parts", nargs="*", help=f"default: all of {', '.join(ALL)}")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds per speed")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for RESULTS.md and results.json")
    options = parser.parse_args(arguments)
    for part in options.parts:
        if part not in ALL:
            parser.error(f"unknown part {part!r}: known: {', '.join(ALL)}")
    if not 0.1 <= options.seconds <= 3600:
        parser.error(f"--seconds {options.seconds}: must be from 0.1 to 3600")
    found = measure(options.parts or ALL, options.seconds)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "results.json").write_text(json.dumps(found, indent=1) + "\n")
    (options.out / "RESULTS.md").write_text(page(found))
    print(options.out / "RESULTS.md")


if __name__ == "__main__":
    main()
