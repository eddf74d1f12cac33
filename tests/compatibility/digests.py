"""Digests of finished runs and of matches, read only from files and from the command line."""

import hashlib
import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from cmaes import CMA
from safetensors import safe_open

from sparring.cli import main

HERE = Path(__file__).parent
NETS = ("champion.safetensors", "champions/*.safetensors", "companions/*.safetensors")
CHECKPOINT = "checkpoint.safetensors"


def command(*words: object) -> str:
    """Run a command that must succeed, and return what it prints."""
    with redirect_stdout(io.StringIO()) as printed:
        assert main([str(word) for word in words]) == 0, words
    return printed.getvalue()


def read_file(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The tensors and the description in a safetensors file."""
    with safe_open(path, framework="np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, json.loads(file.metadata()["sparring"])  # noqa: SIM118


def digest(array: np.ndarray) -> str:
    """The digest of an array: its type, shape and bytes."""
    return hashlib.sha256(f"{array.dtype} {array.shape} ".encode() + array.tobytes()).hexdigest()


def run_arrays(folder: Path) -> dict[str, np.ndarray]:
    """Every array of a finished run, as `file:name`."""
    return {
        f"{path}:{name}": array for path in run_files(folder) for name, array in read_file(folder / path)[0].items()
    }


def run_files(folder: Path) -> Iterator[str]:
    """The files of a run that hold arrays."""
    for pattern in (*NETS, CHECKPOINT):
        yield from sorted(str(path.relative_to(folder)) for path in folder.glob(pattern))


def run_facts(folder: Path) -> dict[str, Any]:
    """Everything in a finished run except its arrays."""
    nets = {path: read_file(folder / path)[1] for path in run_files(folder)}
    step = nets.pop(CHECKPOINT)["step"]
    return {"step": step, "nets": nets, "evaluation": json.loads((folder / "evaluation.json").read_text())}


def library_search() -> np.ndarray:
    """The mean after eight generations of the CMA-ES library alone; it depends on the eigenvectors that LAPACK returns."""
    search = CMA(np.zeros(61), 0.3, population_size=6, seed=7)
    for _ in range(8):
        candidates = [search.ask() for _ in range(6)]
        search.tell([(each, float(np.abs(each - 1).sum())) for each in candidates])
    return search.mean


def match_facts(words: list[str]) -> dict[str, Any]:
    """Play a match: the digest of its games in notation, and the score and measures of each player."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "games.txt"
        result = json.loads(command("match", *words, "--json", "--log", log, "--runs", Path(folder) / "runs"))
        _, games = log.read_text().split("\n", 1)  # the first line names the players, not the moves
    # Where nothing is left to chance, one deal is played; 0.7.1 played the same games for every deal.
    deals = int(words[words.index("--pairs") + 1]) if result.get("certain") else 1
    return {
        "games": hashlib.sha256((games * deals).encode()).hexdigest(),
        "players": [
            {"wins": player["wins"] * deals, "score": player["score"][0]}
            | {name: interval[0] for name, interval in player["measures"].items()}
            for player in result["players"]
        ],
    }
