"""Net files: safetensors with the net's description inside. Loading one runs no code."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sparring.errors import UserError, cut, cut_text, unwritable
from sparring.games import GAMES, Game, find_game
from sparring.kernel.launch import LAYERS
from sparring.nets.dense import KINDS, WIDEST, Net, flat, size, team_head, tensor_shapes
from sparring.nets.genome import MOST_HIDDEN, MOST_WEIGHTS, Genome

SUFFIX = ".safetensors"
MOST_BYTES = 8 * MOST_WEIGHTS  # of a net file
DESCRIBED = {
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
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise unwritable(path, error, "what was saved before is untouched: make room, then resume") from None


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power failure, where the system can open folders."""
    if hasattr(os, "O_DIRECTORY"):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], Any]:
    """Read a safetensors file of ours: its tensors and its description, which may be any JSON."""
    try:
        with safe_open(path, framework="np") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            metadata = file.metadata() or {}
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (SafetensorError, OSError, TypeError, AttributeError, ValueError) as error:  # the last: what NumPy lacks
        why = cut_text(str(error))
        raise UserError(f"{path}: not a safetensors file, or cut short ({why}); train or copy it again") from None
    try:
        description = json.loads(metadata["sparring"])
    except (KeyError, ValueError, RecursionError):
        raise UserError(f"{path}: a safetensors file, but not one of Sparring's (no description inside)") from None
    return tensors, description


def save_net(path: Path, net: Net) -> None:
    """Write a net with its description."""
    write_tensors(path, net.tensors(), net.description())


def load_net(path: Path, game: Game | None = None) -> Net:
    """Read a net, and check that it plays this game (or the one it names) under the present rules.

    The whole description is checked before anything is built by it, and every number that is no weight before kernels see it.
    """
    _check_bytes(path)
    tensors, description = read_tensors(path)
    check_description(description, path)
    if game is None and description["game"] not in GAMES:
        name = cut(description["game"])
        raise UserError(f"{path}: a net for {name}, which is none of the games here: {', '.join(GAMES)}")
    the_game = game or find_game(description["game"])
    check_fit(description, the_game, path)
    build = {"graph": _evolved, "team": _team}.get(description["kind"], _dense)
    net = build(tensors, description, the_game, path)
    check_net(net, the_game, path)
    return net


def _check_bytes(path: Path) -> None:
    with suppress(OSError):  # whoever reads it says what is wrong
        if path.stat().st_size > MOST_BYTES:
            raise UserError(f"{path}: not a net: a file of more than {MOST_BYTES >> 20} MiB")


def _evolved(tensors: dict[str, np.ndarray], description: dict[str, Any], game: Game, path: Path) -> Net:
    inputs, units, outputs = description["shape"]
    genome = Genome.of_tensors(tensors, inputs, outputs, str(path))
    facts = {name: description[name] for name in ("game", "rules", "encoding", "policy", "learner", "seed")}
    ancestry = tuple(description["ancestry"])
    net = Net.evolved(genome=genome, input_major=game.policies.input_major, place=str(path), ancestry=ancestry, **facts)
    if net.hidden != units:
        raise UserError(f"{path}: its outputs need {net.hidden} units, but its shape says {units}")
    return net


def _team(tensors: dict[str, np.ndarray], description: dict[str, Any], game: Game, path: Path) -> Net:
    parts = _parts(description, game, path)
    try:
        team_head(tuple(game.policies.roles), {role: tuple(part["shape"]) for role, part in parts.items()})
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    nets = {}
    for role, part in parts.items():
        own = {name.partition("/")[2]: tensor for name, tensor in tensors.items() if name.partition("/")[0] == role}
        nets[role] = _dense(own, part, game, path)
    facts = {name: description[name] for name in ("game", "rules", "encoding", "policy", "learner", "seed")}
    thresholds, ancestry = description["thresholds"], tuple(description["ancestry"])
    net = Net.team(tuple(game.policies.roles), nets, thresholds, ancestry=ancestry, **facts)
    if list(net.shape) != description["shape"]:
        largest = "-".join(map(str, net.shape))
        raise UserError(f"{path}: its shape is {description['shape']}, but the largest of its nets is {largest}")
    return net


def _parts(description: dict[str, Any], game: Game, path: Path) -> dict[str, dict[str, Any]]:
    """The descriptions of a team's nets by role, each checked as if it were alone."""
    parts, thresholds = description.get("parts"), description.get("thresholds")
    if type(parts) is not dict or type(thresholds) is not dict or not parts:
        raise UserError(f"{path}: not a team of nets: it does not say whose nets it has")
    for role in (*parts, *thresholds):
        if role not in game.policies.roles:
            known = ", ".join(game.policies.roles) or "no roles"
            raise UserError(f"{path}: a net for {cut(role)}; a team of {game.family} has {known}")
    for role, value in thresholds.items():
        if type(value) not in (int, float) or not 0 <= value <= 1:
            fault = f"the threshold of {role} is {cut(value)}; must be from 0 to 1"
            raise UserError(f"{path}: not a team of nets: {fault}")
    found = {}
    for role, facts in parts.items():
        part = description | (facts if type(facts) is dict else {}) | {"kind": "sigmoid", "policy": "net"}
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
    weights = flat({name: tensors[name] for name in shapes}, input_major)
    facts = {name: description[name] for name in ("game", "rules", "encoding", "policy", "learner", "seed")}
    ancestry = tuple(description["ancestry"])
    return Net(shape=shape, weights=weights, kind=kind, input_major=input_major, ancestry=ancestry, **facts)


def check_description(description: Any, path: Path) -> None:
    """Refuse a description that lacks something or has it in the wrong kind."""
    if type(description) is not dict:
        raise UserError(f"{path}: not a net: its description is no object of names and values")
    for name, kind in DESCRIBED.items():
        value = description.get(name)
        if type(value) is not kind:
            raise UserError(f"{path}: not a net: {name} is {cut(value)}; must be {kind.__name__}")
    kind, shape = description["kind"], description["shape"]
    if kind not in KINDS:
        raise UserError(f"{path}: not a net: kind is {cut(kind)}; must be one of {', '.join(KINDS)}")
    words = "[inputs, units, ...]" if kind == "linear" else "[inputs, hidden, outputs]"
    if not _is_shape(shape, kind) or any(type(n) is not int for n in shape):
        raise UserError(f"{path}: not a net: shape is {cut(shape)}; must be {words}")
    for name, texts in (("learner", [description["learner"]]), ("ancestry", description["ancestry"])):
        for text in texts:
            if type(text) is not str or not text.isprintable():
                fault = f"{name} has {cut(text)}; must be printable text"
                raise UserError(f"{path}: not a net: {fault}")


def _is_shape(shape: Any, kind: str) -> bool:
    """Whether a shape has as many layers as nets of this kind."""
    return 2 <= len(shape) <= LAYERS + 1 if kind == "linear" else len(shape) == 3


def check_fit(description: dict[str, Any], game: Game, path: Path) -> None:
    """Refuse a net of another game, rules, input, kind, size or policy, by its description alone."""
    encoding, kind, policy = description["encoding"], description["kind"], description["policy"]
    if description["game"] != game.family:
        raise UserError(f"{path}: a net for {cut_text(description['game'])}, not for {game.family}")
    if description["rules"] != game.rules.version:
        trained = f"trained under rules version {cut(description['rules'])} of {game.family}"
        raise UserError(f"{path}: {trained}; this is version {game.rules.version}: train it again")
    if encoding not in game.policies.encodings:
        raise UserError(
            f"{path}: unknown encoding {cut(encoding)}; {game.family} has {', '.join(game.policies.encodings)}"
        )
    if kind not in game.policies.kinds:
        raise UserError(
            f"{path}: a {cut_text(kind)} net; {game.family} is played by {' and '.join(game.policies.kinds)} nets"
        )
    if policy not in game.policy_names or policy.partition("+")[0] != "net":
        nets = ", ".join(name for name in game.policy_names if name not in game.builtin)
        raise UserError(f"{path}: unknown policy {cut(policy)}; nets of {game.family} have {nets}")
    _check_shape(description, game, path)


def _check_shape(description: dict[str, Any], game: Game, path: Path) -> None:
    shape, kind, encoding = description["shape"], description["kind"], description["encoding"]
    if not _is_shape(shape, kind) or min(shape) < 1:
        raise UserError(f"{path}: {cut(shape)} is no shape of a {kind} net")
    inputs, wanted = shape[0], game.policies.encodings[encoding]
    if inputs != wanted:
        raise UserError(f"{path}: {cut(inputs)} inputs, but {encoding!r} of {game.family} has {wanted}")
    check_outputs(description, game, str(path))
    if kind == "linear" and max(shape[1:]) > WIDEST:
        raise UserError(f"{path}: a layer of {cut(max(shape[1:]))} units; linear nets have up to {WIDEST} in each")
    most = MOST_HIDDEN + (shape[2] if kind == "graph" else 0)  # units of a graph are hidden ones and outputs
    if shape[1] > most:
        raise UserError(f"{path}: {cut(shape[1])} units; {kind} nets have up to {most}")
    if size(tuple(shape), kind) > MOST_WEIGHTS:
        raise UserError(f"{path}: a net of more than {MOST_WEIGHTS} weights")


def check_outputs(description: dict[str, Any], game: Game, place: str) -> None:
    """Refuse a net with too few or too many outputs for its policy."""
    policy, outputs = description["policy"], description["shape"][-1]
    counts = {name: len(flip[0]) for name, flip in game.learning.heads.items()}
    if policy in game.policies.decodings:
        counts = {policy: game.policies.decodings[policy]}
    if description["kind"] != "linear" and outputs not in counts.values():
        known = ", ".join(f"{count} ({name})" for name, count in counts.items())
        raise UserError(f"{place}: {cut(outputs)} outputs; nets of {game.family} have {known}")


def check_net(net: Net, game: Game, path: Path) -> None:
    """Refuse a net that does not fit the game, and weights that do not fit the net."""
    check_fit(net.description(), game, path)
    if net.kind == "team":
        _check_team(net, game, path)
    elif len(net.weights) != size(net.shape, net.kind):
        raise UserError(f"{path}: {len(net.weights)} weights do not fit the shape {'-'.join(map(str, net.shape))}")
    if not np.isfinite(net.weights).all():
        raise UserError(f"{path}: a weight is not a number")


def _check_team(net: Net, game: Game, path: Path) -> None:
    """Refuse a team whose head says that its nets lie elsewhere."""
    roles = tuple(game.policies.roles)
    for role, part in net.parts.items():
        if part.kind != "sigmoid" or role not in roles or part.encoding != game.policies.roles[role]:
            raise UserError(f"{path}: {cut_text(role)} is no net of a team of {game.family}")
        check_net(part, game, path)
    head = team_head(roles, {role: part.shape for role, part in net.parts.items()})
    found = net.weights[: head.size].reshape(-1, head.shape[1]) if len(net.weights) >= head.size else head[:0]
    wanted = head.size + sum(len(part.weights) for part in net.parts.values())
    largest = max((part.hidden for part in net.parts.values()), default=0)
    if len(net.weights) != wanted or not np.array_equal(found[:, :-1], head[:, :-1]) or net.hidden != largest:
        raise UserError(f"{path}: {len(net.weights)} weights do not fit the nets of a team")
