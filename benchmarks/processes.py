"""Measurements in separate processes."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ARCHIVED = Path(__file__).parent / "archived_commit.txt"  # git writes the commit into an archive of the sources


def answer(module: str, *words: str, **environment: str) -> Any:
    """The JSON that `python -m benchmarks.MODULE WORDS` prints."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *words]
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(result.stdout)


def at_least(least: float, kind: type[float] = float) -> Callable[[str], float]:
    """An option's type: a number from `least`."""

    def number(text: str) -> float:
        if not (value := kind(text)) >= least:
            raise argparse.ArgumentTypeError(f"{text}: must be at least {least:g}")
        return value

    return number


def commit() -> str:
    """The measured commit, and whether files differ from it."""
    try:
        name, changed = (
            subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
            for words in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "--", "src", "benchmarks/*.py"])
        )
    except (OSError, subprocess.CalledProcessError):
        name = ARCHIVED.read_text().strip()
        return "unknown" if name.startswith("$") else name
    return f"{name} with changes" if changed else name
