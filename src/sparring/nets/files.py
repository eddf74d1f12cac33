"""Net files: safetensors with the net's description inside. Loading one runs no code."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sparring.errors import Failure, UserError
from sparring.games import Game, find_game
from sparring.nets.dense import Net, layers, size

TENSORS = ("hidden.weight", "hidden.bias", "output.weight", "output.bias")
SUFFIX = ".safetensors"


def write_tensors(path: Path, tensors: dict[str, np.ndarray], description: dict[str, Any]) -> None:
    """Write a safetensors file whole or not at all: a full disk or a kill leaves the file that was there."""
    data = save(
        {name: np.ascontiguousarray(t) for name, t in tensors.items()},
        metadata={"sparring": json.dumps(description, sort_keys=True)},
    )
    replace_file(path, data)


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file's content at one stroke."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Failure(
            f"{path}: cannot be written ({error.strerror}); what was saved before is untouched: make room, then resume"
        ) from None


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read a safetensors file of ours: its tensors and its description."""
    try:
        with safe_open(path, framework="np") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            metadata = file.metadata() or {}
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (SafetensorError, OSError) as error:
        raise UserError(f"{path}: not a safetensors file, or cut short ({error}); train or copy it again") from None
    try:
        description = json.loads(metadata["sparring"])
    except (KeyError, ValueError):
        raise UserError(f"{path}: a safetensors file, but not one of Sparring's (no description inside)") from None
    return tensors, description


def save_net(path: Path, net: Net) -> None:
    """Write a net with its description."""
    parts = layers(net.weights, net.inputs, net.hidden)
    write_tensors(path, dict(zip(TENSORS, parts, strict=True)), net.description())


def load_net(path: Path, game: Game | None = None) -> Net:
    """Read a net, and check that it plays this game (or the one it names) under the present rules."""
    tensors, told = read_tensors(path)
    try:
        inputs, hidden, _ = told["shape"]
        net = Net(
            told["game"],
            told["rules"],
            told["encoding"],
            inputs,
            hidden,
            np.concatenate([tensors[name].ravel() for name in TENSORS]).astype(np.float32),
            told["learner"],
            told["seed"],
            tuple(told["ancestry"]),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise UserError(f"{path}: not a net ({type(error).__name__}: {error})") from None
    check_net(net, game or find_game(net.game), path)
    return net


def check_net(net: Net, game: Game, path: Path) -> None:
    """Refuse a net of another game, rules, input or size."""
    if net.game != game.name:
        raise UserError(f"{path}: a net for {net.game}, not for {game.name}")
    if net.rules != game.rules:
        raise UserError(
            f"{path}: trained under rules version {net.rules} of {game.name}; this is version {game.rules}: train it again"
        )
    if net.encoding not in game.encodings:
        raise UserError(f"{path}: unknown encoding {net.encoding!r}; {game.name} has {', '.join(game.encodings)}")
    if net.inputs != game.encodings[net.encoding]:
        raise UserError(
            f"{path}: {net.inputs} inputs, but {net.encoding!r} of {game.name} has {game.encodings[net.encoding]}"
        )
    if net.hidden < 1 or len(net.weights) != size(net.inputs, net.hidden):
        raise UserError(f"{path}: {len(net.weights)} weights do not fit the shape {net.inputs}-{net.hidden}-1")
    if not np.isfinite(net.weights).all():
        raise UserError(f"{path}: a weight is not a number")
