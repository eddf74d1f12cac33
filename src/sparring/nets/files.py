"""Net files: safetensors with a description of the network in the metadata. Loading one runs no code."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sparring.errors import UserError, cut, cut_text, errors_at, unwritable
from sparring.games import GAMES, Game, find_game
from sparring.kernel.launch import LAYERS
from sparring.nets.dense import KINDS, LINEAR_LAYERS, WIDEST, Net, flat, size, team_head, tensor_shapes
from sparring.nets.genome import MOST_HIDDEN, MOST_WEIGHTS, Genome
from sparring.reading import check_file

SUFFIX = ".safetensors"
MOST_BYTES = 8 * MOST_WEIGHTS  # of a net file
TEXTS, NUMBERS, LISTS = ("game", "encoding", "kind", "policy", "learner"), ("rules", "seed"), ("shape", "ancestry")
LAYERED = {"linear": (1, LINEAR_LAYERS), "deep": (2, LAYERS)}  # how many layers there may be, least and most
DESCRIBED = dict.fromkeys(TEXTS, str) | dict.fromkeys(NUMBERS, int) | dict.fromkeys(LISTS, list)


def write_tensors(path: Path, tensors: dict[str, np.ndarray], description: dict[str, Any]) -> None:
    """Write a safetensors file atomically, with a checksum in its description."""
    if type(description) is dict:
        description = description | {"checksum": checksum(tensors, description)}
    metadata = {"sparring": json.dumps(description, sort_keys=True)}
    replace_file(path, save({name: np.ascontiguousarray(t) for name, t in tensors.items()}, metadata))


def checksum(tensors: dict[str, np.ndarray], description: dict[str, Any]) -> str:
    """A hash of everything that a file holds, which reveals damage but not forgery."""
    found = hashlib.sha256(json.dumps(description, sort_keys=True).encode())
    for name in sorted(tensors):
        found.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode() + tensors[name].tobytes())
    return found.hexdigest()


def part_of(path: Path) -> Path:
    """The file that becomes another once it is written; a process that is killed may leave it."""
    return path.with_name(path.name + ".part")


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file's content atomically: if writing fails, the old file remains."""
    part = part_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise unwritable(path, error, "the last saved file is intact: free some space, then resume") from None


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power failure, where the system can open folders."""
    if hasattr(os, "O_DIRECTORY"):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    """The tensors and the description (any JSON) of a safetensors file of Sparring."""
    check_file(path)
    try:
        with safe_open(path, framework="np") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            metadata = file.metadata() or {}
    except (SafetensorError, OSError, TypeError, AttributeError, ValueError) as error:  # also types that NumPy lacks
        why = cut_text(str(error))
        raise UserError(f"{path}: not a safetensors file, or truncated ({why}); train or copy it again") from None
    try:
        description = json.loads(metadata["sparring"])
    except (KeyError, ValueError, RecursionError):
        raise UserError(f"{path}: a safetensors file, but not one of Sparring's (it has no description)") from None
    if type(description) is dict and "checksum" in description:  # files of version 0.9 and before have none
        if description.pop("checksum") != checksum(tensors, description):
            raise UserError(f"{path}: damaged: its checksum does not match; train or copy it again")
    return tensors, description


def save_net(path: Path, net: Net) -> None:
    """Write a network with its description."""
    write_tensors(path, net.tensors(), net.description())


def load_net(path: Path, game: Game | None = None) -> Net:
    """Read a network and check that it plays this game, or the game it names, under the current rules.

    The description is checked before the network is built, and every index in the data before kernels use it. A recurrent
    network plays no game, and is read only where no game is given.
    """
    with suppress(OSError, ValueError):  # reading the file reports it
        if path.stat().st_size > MOST_BYTES:
            raise UserError(f"{path}: not a net: a file of more than {MOST_BYTES >> 20} MiB")
    tensors, description = read_tensors(path)
    check_description(description, path)
    if description["kind"] == "recurrent":
        if game:
            raise UserError(f"{path}: a recurrent net, which remembers; policies of {game.family} have no memory")
        return _evolved(tensors, description, False, path)
    if game is None and description["game"] not in GAMES:
        name = cut(description["game"])
        raise UserError(f"{path}: a net for {name}, which is not one of the games: {', '.join(GAMES)}")
    the_game = game or find_game(description["game"])
    check_fit(description, the_game, path)
    if description["kind"] == "graph":
        net = _evolved(tensors, description, the_game.policies.input_major, path)
    else:
        net = (_team if description["kind"] == "team" else _dense)(tensors, description, the_game, path)
    check_net(net, the_game, path)
    return net


def _metadata(description: dict[str, Any]) -> dict[str, Any]:
    """The fields of a Net that its description holds as they are."""
    names = ("game", "rules", "encoding", "policy", "learner", "seed")
    return {name: description[name] for name in names} | {"ancestry": tuple(description["ancestry"])}


def _evolved(tensors: dict[str, np.ndarray], description: dict[str, Any], input_major: bool, path: Path) -> Net:
    inputs, units, outputs = description["shape"]
    genome = Genome.of_tensors(tensors, inputs, outputs, str(path))
    genome = replace(genome, recurrent=description["kind"] == "recurrent")
    net = Net.evolved(genome=genome, input_major=input_major, place=str(path), **_metadata(description))
    if net.hidden != units:
        raise UserError(f"{path}: its outputs need {net.hidden} units, but its shape says {units}")
    return net


def _team(tensors: dict[str, np.ndarray], description: dict[str, Any], game: Game, path: Path) -> Net:
    parts = _parts(description, game, path)
    with errors_at(f"{path}: "):
        team_head(tuple(game.policies.roles), {role: tuple(part["shape"]) for role, part in parts.items()})
    nets = {}
    for role, part in parts.items():
        own = {name.partition("/")[2]: tensor for name, tensor in tensors.items() if name.partition("/")[0] == role}
        nets[role] = _dense(own, part, game, path)
    net = Net.team(tuple(game.policies.roles), nets, description["thresholds"], **_metadata(description))
    if list(net.shape) != description["shape"]:
        largest = "-".join(map(str, net.shape))
        raise UserError(f"{path}: its shape is {description['shape']}, but its largest net is {largest}")
    return net


def _parts(description: dict[str, Any], game: Game, path: Path) -> dict[str, dict[str, Any]]:
    """The descriptions of a team's networks by role, each checked like that of a single network."""
    parts, thresholds = description.get("parts"), description.get("thresholds")
    if type(parts) is not dict or type(thresholds) is not dict or not parts:
        raise UserError(f"{path}: not a team: the roles of its nets are missing")
    for role in (*parts, *thresholds):
        if role not in game.policies.roles:
            known = ", ".join(game.policies.roles) or "no roles"
            raise UserError(f"{path}: a net for {cut(role)}; a team of {game.family} has {known}")
    for role, value in thresholds.items():
        if type(value) not in (int, float) or not 0 <= value <= 1:
            raise UserError(f"{path}: not a team: the threshold of {role} is {cut(value)}; must be from 0 to 1")
    found = {}
    for role, own in parts.items():
        part = description | (own if type(own) is dict else {}) | {"kind": "sigmoid", "policy": "net"}
        check_description(part, path)
        if part["encoding"] != game.policies.roles[role]:
            raise UserError(f"{path}: {role} sees {cut(part['encoding'])}; must see {game.policies.roles[role]!r}")
        check_fit(part, game, path)
        found[role] = part
    return found


def _dense(tensors: dict[str, np.ndarray], description: dict[str, Any], game: Game, path: Path) -> Net:
    shape, kind = tuple(description["shape"]), description["kind"]
    shapes = tensor_shapes(shape, kind)
    for name, wanted in shapes.items():
        tensor = tensors.get(name)
        if tensor is None or tensor.shape != wanted or tensor.dtype != np.float32:
            found = "missing" if tensor is None else f"{tensor.dtype} of shape {cut(list(tensor.shape))}"
            raise UserError(f"{path}: not a net: {name} is {found}; must be float32 of shape {list(wanted)}")
    input_major = game.policies.input_major and kind == "sigmoid"
    weights = flat({name: tensors[name] for name in shapes}, input_major, kind)
    return Net(shape=shape, weights=weights, kind=kind, input_major=input_major, **_metadata(description))


def check_description(description: Any, path: Path) -> None:
    """Refuse a description with a missing or wrong value."""
    for fault in _description_faults(description):
        raise UserError(f"{path}: not a net: {fault}")


def _description_faults(description: Any) -> Iterator[str]:
    if type(description) is not dict:
        yield "its description is not an object"
    for name, wanted in DESCRIBED.items():
        value = description.get(name)
        if type(value) is not wanted:
            yield f"{name} is {cut(value)}; must be {wanted.__name__}"
    kind, shape = description["kind"], description["shape"]
    if kind not in KINDS:
        yield f"kind is {cut(kind)}; must be one of {', '.join(KINDS)}"
    if not _is_shape(shape, kind) or any(type(n) is not int for n in shape):
        words = "[inputs, units, ...]" if kind in LAYERED else "[inputs, hidden, outputs]"
        yield f"shape is {cut(shape)}; must be {words}"
    for name, texts in (("learner", [description["learner"]]), ("ancestry", description["ancestry"])):
        for text in texts:
            if type(text) is not str or not text.isprintable():
                yield f"{name} has {cut(text)}; must be printable text"


def _is_shape(shape: Any, kind: str) -> bool:
    """Whether a shape has the number of layers of this kind."""
    least, most = LAYERED.get(kind, (2, 2))
    return least <= len(shape) - 1 <= most


def check_fit(description: dict[str, Any], game: Game, path: Path) -> None:
    """Refuse a network of another game, rules version, encoding, kind, size or policy, by its description alone."""
    encoding, kind, policy = description["encoding"], description["kind"], description["policy"]
    if description["game"] != game.family:
        raise UserError(f"{path}: a net for {cut_text(description['game'])}, not for {game.family}")
    if description["rules"] != game.rules.version:
        trained = f"trained under rules version {cut(description['rules'])} of {game.family}"
        raise UserError(f"{path}: {trained}; this is version {game.rules.version}: train it again")
    if encoding not in game.policies.encodings:
        known = ", ".join(game.policies.encodings)
        raise UserError(f"{path}: unknown encoding {cut(encoding)}; {game.family} has {known}")
    if kind not in game.policies.kinds:
        *others, last = game.policies.kinds
        known = f"{', '.join(others)} and {last}" if others else last
        raise UserError(f"{path}: a {cut_text(kind)} net; {game.family} has {known} nets")
    if policy not in game.policy_names or policy.partition("+")[0] != "net":
        known = ", ".join(name for name in game.policy_names if name not in game.builtin)
        raise UserError(f"{path}: unknown policy {cut(policy)}; nets of {game.family} have {known}")
    _check_shape(description, game, path)


def _check_shape(description: dict[str, Any], game: Game, path: Path) -> None:
    shape, kind, encoding = description["shape"], description["kind"], description["encoding"]
    if not _is_shape(shape, kind) or min(shape) < 1:
        raise UserError(f"{path}: {cut(shape)} is not a shape of a {kind} net")
    inputs, wanted = shape[0], game.policies.encodings[encoding]
    if inputs != wanted:
        raise UserError(f"{path}: {cut(inputs)} inputs, but {encoding!r} of {game.family} has {wanted}")
    check_outputs(description, game, str(path))
    if kind == "linear" and max(shape[1:]) > WIDEST:
        raise UserError(f"{path}: a layer of {cut(max(shape[1:]))} units; linear nets have up to {WIDEST} in each")
    most = MOST_HIDDEN + (shape[2] if kind == "graph" else 0)  # a graph's units include its outputs
    if max(shape[1:]) > most:
        where = " in each layer" if kind == "deep" else ""
        raise UserError(f"{path}: {cut(max(shape[1:]))} units; {kind} nets have up to {most}{where}")
    if size(tuple(shape), kind) > MOST_WEIGHTS:
        raise UserError(f"{path}: a net of more than {MOST_WEIGHTS} weights")


def check_outputs(description: dict[str, Any], game: Game, place: str) -> None:
    """Refuse a network with the wrong number of outputs for its policy."""
    policy, outputs = description["policy"], description["shape"][-1]
    counts = {name: len(flip[0]) for name, flip in game.learning.heads.items()}
    if policy in game.policies.decodings:
        counts = {policy: game.policies.decodings[policy]}
    if description["kind"] != "linear" and outputs not in counts.values():
        known = ", ".join(f"{count} ({name})" for name, count in counts.items())
        raise UserError(f"{place}: {cut(outputs)} outputs; nets of {game.family} have {known}")


def check_net(net: Net, game: Game, path: Path) -> None:
    """Refuse a network that does not fit the game, or weights that do not fit the network."""
    check_fit(net.description(), game, path)
    if net.kind == "team":
        _check_team(net, game, path)
    elif len(net.weights) != size(net.shape, net.kind):
        raise UserError(f"{path}: {len(net.weights)} weights do not fit the shape {'-'.join(map(str, net.shape))}")
    if not np.isfinite(net.weights).all():
        raise UserError(f"{path}: a weight is not a number")


def _check_team(net: Net, game: Game, path: Path) -> None:
    """Refuse a team whose head has wrong offsets."""
    roles = tuple(game.policies.roles)
    for role, part in net.parts.items():
        if part.kind != "sigmoid" or role not in roles or part.encoding != game.policies.roles[role]:
            raise UserError(f"{path}: {cut_text(role)} is not a net of a team of {game.family}")
        check_net(part, game, path)
    head = team_head(roles, {role: part.shape for role, part in net.parts.items()})
    found = net.weights[: head.size].reshape(-1, head.shape[1]) if len(net.weights) >= head.size else head[:0]
    wanted = head.size + sum(len(part.weights) for part in net.parts.values())
    largest = max((part.hidden for part in net.parts.values()), default=0)
    if len(net.weights) != wanted or not np.array_equal(found[:, :-1], head[:, :-1]) or net.hidden != largest:
        raise UserError(f"{path}: {len(net.weights)} weights do not fit the nets of a team")
