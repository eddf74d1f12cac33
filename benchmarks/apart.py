"""What has to be measured in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def answer(module: str, *words: str, **environment: str) -> Any:
    """What `python -m benchmarks.MODULE WORDS` prints, as JSON."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *words]
    told = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(told.stdout)


def commit() -> str:
    """What was measured, and whether its files differ from it."""
    try:
        name, changed = (
            subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
            for words in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "--", "src", "benchmarks/*.py"])
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name} with changes" if changed else name
