"""Net files: safetensors with the net's description inside. Loading one runs no code."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sparring.errors import UserError, unwritable
from sparring.games import GAMES, Game, find_game
from sparring.kernel.launch import LAYERS
from sparring.kernel.network import HEAD
from sparring.nets.dense import KINDS, WIDEST, Net, flat, size, tensor_shapes
from sparring.nets.genome import Genome
from sparring.nets.genome import check as check_genome

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
        with suppress(OSError):
            part.unlink()
        raise unwritable(path, error, "what was saved before is untouched: make room, then resume") from None


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    """Read a safetensors file of ours: its tensors and its description, which may be any JSON."""
    try:
        with safe_open(path, framework="np") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            metadata = file.metadata() or {}
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (SafetensorError, OSError, TypeError, AttributeError) as error:  # the last two: a type that NumPy lacks
        raise UserError(f"{path}: not a safetensors file, or cut short ({error}); train or copy it again") from None
    try:
        description = json.loads(metadata["sparring"])
    except (KeyError, ValueError, RecursionError):
        raise UserError(f"{path}: a safetensors file, but not one of Sparring's (no description inside)") from None
    return tensors, description


def save_net(path: Path, net: Net) -> None:
    """Write a net with its description."""
    write_tensors(path, net.tensors(), net.description())


def load_net(path: Path, game: Game | None = None) -> Net:
    """Read a net, and check that it plays this game (or the one it names) under the present rules."""
    tensors, told = read_tensors(path)
    check_description(told, path)
    if game is None and told["game"] not in GAMES:
        raise UserError(f"{path}: a net for {told['game']!r}, which is none of the games here: {', '.join(GAMES)}")
    the_game = game or find_game(told["game"])
    read = {"graph": _evolved, "team": _team}.get(told["kind"], _dense)
    net = read(tensors, told, the_game, path)
    check_net(net, the_game, path)
    return net


def _evolved(tensors: dict[str, np.ndarray], told: dict[str, Any], game: Game, path: Path) -> Net:
    inputs, units, outputs = told["shape"]
    genome = Genome.of_tensors(tensors, inputs, outputs, str(path))
    check_genome(genome, str(path))
    provenance = {"learner": told["learner"], "seed": told["seed"], "ancestry": tuple(told["ancestry"])}
    net = Net.evolved(
        told["game"], told["rules"], told["encoding"], genome, game.columns, policy=told["policy"], **provenance
    )
    if net.hidden != units:
        raise UserError(f"{path}: its outputs need {net.hidden} units, but its shape says {units}")
    return net


def _team(tensors: dict[str, np.ndarray], told: dict[str, Any], game: Game, path: Path) -> Net:
    parts, thresholds = told.get("parts"), told.get("thresholds")
    if type(parts) is not dict or type(thresholds) is not dict or not parts:
        raise UserError(f"{path}: not a team of nets: it does not say whose nets it has")
    for role, value in thresholds.items():
        if type(value) not in (int, float) or not 0 <= value <= 1:
            raise UserError(f"{path}: not a team of nets: the threshold of {role} is {value!r}; must be from 0 to 1")
    nets = {}
    for role, facts in parts.items():
        if role not in game.roles:
            raise UserError(
                f"{path}: a net for {role!r}; a team of {game.family} has {', '.join(game.roles) or 'no roles'}"
            )
        part = told | (facts if type(facts) is dict else {}) | {"kind": "sigmoid", "policy": "net"}
        check_description(part, path)
        if part["encoding"] != game.roles[role]:
            raise UserError(f"{path}: {role} sees {part['encoding']!r}; must see {game.roles[role]!r}")
        own = {name.partition("/")[2]: tensor for name, tensor in tensors.items() if name.partition("/")[0] == role}
        nets[role] = _dense(own, part, game, path)
        check_net(nets[role], game, path)
    facts = {name: told[name] for name in ("game", "rules", "encoding", "policy", "learner", "seed")}
    return Net.team(tuple(game.roles), nets, thresholds, ancestry=tuple(told["ancestry"]), **facts)


def _dense(tensors: dict[str, np.ndarray], told: dict[str, Any], game: Game, path: Path) -> Net:
    shapes = tensor_shapes(tuple(told["shape"]), told["kind"])
    for name, shape in shapes.items():
        tensor = tensors.get(name)
        if tensor is None or tensor.shape != shape or tensor.dtype != np.float32:
            found = "missing" if tensor is None else f"{tensor.dtype} of shape {list(tensor.shape)}"
            raise UserError(f"{path}: not a net: {name} is {found}; must be float32 of shape {list(shape)}")
    columns = game.columns and told["kind"] == "sigmoid"
    return Net(
        told["game"],
        told["rules"],
        told["encoding"],
        tuple(told["shape"]),
        flat({name: tensors[name] for name in shapes}, columns),
        told["learner"],
        told["seed"],
        tuple(told["ancestry"]),
        told["kind"],
        told["policy"],
        columns,
    )


TOLD = {
    "game": str,
    "rules": int,
    "encoding": str,
    "shape": list,
    "kind": str,
    "policy": str,
    "learner": str,
    "seed": int,
    "ancestry": list,
}


def check_description(told: Any, path: Path) -> None:
    """Refuse a description that lacks something or has it in the wrong kind."""
    if type(told) is not dict:
        raise UserError(f"{path}: not a net: its description is no object of names and values")
    for name, kind in TOLD.items():
        if type(told.get(name)) is not kind:
            raise UserError(f"{path}: not a net: {name} is {told.get(name)!r}; must be {kind.__name__}")
    if told["kind"] not in KINDS:
        raise UserError(f"{path}: not a net: kind is {told['kind']!r}; must be one of {', '.join(KINDS)}")
    shape, words = told["shape"], "[inputs, units, ...]" if told["kind"] == "linear" else "[inputs, hidden, outputs]"
    fits = len(shape) == 3 if told["kind"] != "linear" else 2 <= len(shape) <= LAYERS + 1
    if not fits or any(type(n) is not int or n < 1 for n in shape):
        raise UserError(f"{path}: not a net: shape is {shape!r}; must be {words}")
    if any(type(word) is not str for word in told["ancestry"]):
        raise UserError(f"{path}: not a net: ancestry is {told['ancestry']!r}; must be a list of words")


def head_size(game: Game) -> int:
    """The numbers that a team begins with."""
    return HEAD * len(game.roles)


def check_net(net: Net, game: Game, path: Path) -> None:
    """Refuse a net of another game, rules, input or size."""
    if net.game != game.family:
        raise UserError(f"{path}: a net for {net.game}, not for {game.family}")
    if net.rules != game.rules:
        raise UserError(
            f"{path}: trained under rules version {net.rules} of {game.family}; this is version {game.rules}: train it again"
        )
    if net.encoding not in game.encodings:
        raise UserError(f"{path}: unknown encoding {net.encoding!r}; {game.family} has {', '.join(game.encodings)}")
    if net.inputs != game.encodings[net.encoding]:
        raise UserError(
            f"{path}: {net.inputs} inputs, but {net.encoding!r} of {game.family} has {game.encodings[net.encoding]}"
        )
    if net.kind not in game.kinds:
        raise UserError(f"{path}: a {net.kind} net; {game.family} is played by {' and '.join(game.kinds)} nets")
    if net.kind == "linear" and max(net.shape[1:]) > WIDEST:
        raise UserError(f"{path}: a layer of {max(net.shape[1:])} units; linear nets have up to {WIDEST} in each")
    check_outputs(net, game, str(path))
    if net.policy not in game.policies or net.policy.partition("+")[0] != "net":
        nets = ", ".join(name for name in game.policies if name not in game.builtin)
        raise UserError(f"{path}: unknown policy {net.policy!r}; nets of {game.family} have {nets}")
    wanted = head_size(game) + sum(len(part.weights) for part in net.parts.values()) if net.parts else None
    if min(net.shape) < 1 or len(net.weights) != (wanted or size(net.shape, net.kind)):
        raise UserError(f"{path}: {len(net.weights)} weights do not fit the shape {'-'.join(map(str, net.shape))}")
    if not np.isfinite(net.weights).all():
        raise UserError(f"{path}: a weight is not a number")


def check_outputs(net: Net, game: Game, place: str) -> None:
    """Refuse a net that tells too few or too many numbers for its policy."""
    counts = {name: len(mirror[0]) for name, mirror in game.outputs.items()}
    if net.policy in game.decodings:
        counts = {net.policy: game.decodings[net.policy]}
    if net.kind != "linear" and net.shape[-1] not in counts.values():
        known = ", ".join(f"{count} ({name})" for name, count in counts.items())
        raise UserError(f"{place}: {net.shape[-1]} outputs; nets of {game.family} have {known}")
