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
