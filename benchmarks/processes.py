"""Measurements in separate processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def answer(module: str, *words: str, **environment: str) -> Any:
    """The JSON that `python -m benchmarks.MODULE WORDS` prints."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *words]
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(result.stdout)


def commit() -> str:
    """The measured commit, and whether files differ from it."""
    try:
        name, changed = (
            subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
            for words in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "--", "src", "benchmarks/*.py"])
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name} with changes" if changed else name
