"""Networks and their files: what is saved is what is loaded, and every bad file is refused in one line that names it."""

import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save

from sparring.errors import Failure, UserError
from sparring.games import find_game
from sparring.nets.dense import Net, flat, gaussian, size
from sparring.nets.files import check_net, load_net, replace_file, save_net

GOLF = find_game("golf")
SHAPE = (90, 3, 1)
NET = Net(
    "golf",
    GOLF.rules.version,
    "hand",
    SHAPE,
    gaussian(size(SHAPE), 1, "test"),
    "coevolution",
    7,
    ("seed 7", "epoch 40"),
)
PARTS = NET.tensors()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "player.safetensors"


def refused(file: Path, *words: str, game: Any = GOLF) -> str:
    """The one line in which a file is refused; it names the file and has these words."""
    with pytest.raises(UserError) as error:
        load_net(file, game)
    line = str(error.value)
    assert line.startswith(f"{file}: ")
    assert "\n" not in line
    for word in words:
        assert word in line
    return line


def write(file: Path, description: Any = None, drop: str = "", **tensors: np.ndarray) -> None:
    """A safetensors file of the test's net, with another description or other tensors."""
    parts = {name: np.ascontiguousarray(t) for name, t in PARTS.items() if name != drop}
    parts |= {name.replace("_", "."): np.ascontiguousarray(t) for name, t in tensors.items()}
    told = NET.description() if description is None else description
    file.write_bytes(save(parts, metadata={"sparring": told if isinstance(told, str) else json.dumps(told)}))


# Networks


def by_hand(net: Net, inputs: list[float]) -> float:
    """The network's value, number by number in the order that the module describes."""
    w, n, h = net.weights.tolist(), net.inputs, net.hidden
    total = w[h * n + 2 * h]
    for unit in range(h):
        x = w[h * n + unit] + math.fsum(w[unit * n + i] * inputs[i] for i in range(n))
        total += w[h * n + h + unit] / (1 + math.exp(-x))
    return 1 / (1 + math.exp(-total))


@pytest.mark.parametrize(("inputs", "hidden"), [(1, 1), (4, 1), (1, 5), (90, 27)])
def test_the_value_of_a_net_is_that_of_its_formula(inputs: int, hidden: int) -> None:
    net = Net("golf", 1, "hand", (inputs, hidden, 1), gaussian(size((inputs, hidden, 1)), 2, inputs))
    rng = np.random.default_rng(1)
    for x in (np.zeros(inputs), np.ones(inputs), rng.normal(size=inputs), rng.integers(2, size=inputs)):
        assert net.value(x) == pytest.approx(by_hand(net, x.tolist()), rel=1e-6)


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_value_of_a_net_of_huge_weights_saturates(sign: int) -> None:
    net = Net("golf", 1, "hand", (2, 1, 1), np.array([-1000, -1000, 0, 0, sign * 1000], np.float32))
    assert net.value(np.ones(2)) == (1.0 if sign > 0 else pytest.approx(0, abs=1e-300))


def test_a_net_has_a_row_of_weights_and_two_biases_worth_for_each_unit() -> None:
    assert [size((1, 1, 1)), size((90, 27, 1)), size((2, 3, 1))] == [4, 90 * 27 + 27 + 27 + 1, 13]
    hidden, bias, output, last = replace(NET, shape=(2, 3, 1), weights=np.arange(13)).tensors().values()
    assert hidden.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert (bias.tolist(), output.tolist(), last.tolist()) == ([6, 7, 8], [[9, 10, 11]], [12])


def test_a_net_of_several_outputs_has_a_row_of_weights_for_each() -> None:
    parts = replace(NET, shape=(2, 3, 2), weights=np.arange(17)).tensors()
    assert parts["output.weight"].tolist() == [[9, 10, 11], [12, 13, 14]]
    assert parts["output.bias"].tolist() == [15, 16]
    net = replace(NET, shape=(4, 3, 2), weights=gaussian(size((4, 3, 2)), 3))
    x, weights = np.array([1, 0, 0.5, -1]), net.weights
    alone = [replace(net, shape=(4, 3, 1), weights=np.concatenate([weights[:15], row, bias])) for row, bias in
             ((weights[15:18], weights[21:22]), (weights[18:21], weights[22:]))]  # fmt: skip
    assert net.values(x).tolist() == pytest.approx([one.value(x) for one in alone])


def test_weights_that_lie_by_inputs_are_the_same_net() -> None:
    by_units = replace(NET, shape=(2, 3, 1), weights=np.arange(13.0))
    by_inputs = replace(by_units, weights=flat(by_units.tensors(), input_major=True), input_major=True)
    assert by_inputs.weights.tolist() == [0, 2, 4, 1, 3, 5, *range(6, 13)]
    assert {n: t.tolist() for n, t in by_inputs.tensors().items()} == {
        n: t.tolist() for n, t in by_units.tensors().items()
    }
    assert by_inputs.value(np.array([0.1, 0.2])) == by_units.value(np.array([0.1, 0.2]))


def test_a_linear_net_is_a_product_of_matrices_and_the_sum_of_what_comes_out() -> None:
    net = replace(NET, shape=(3, 2, 1, 2), kind="linear", weights=np.arange(1.0, 11.0))
    first, second, third = ([[1, 2, 3], [4, 5, 6]], [[7, 8]], [[9], [10]])
    assert [part.tolist() for part in net.tensors().values()] == [first, second, third]
    assert size((3, 2, 1, 2), "linear") == 10
    assert net.value(np.array([1, 0, 2])) == (9 + 10) * (7 * (1 + 6) + 8 * (4 + 12))


def test_first_weights_follow_from_the_seed_and_the_words_alone() -> None:
    assert gaussian(9, 1, "a").tolist() == gaussian(9, 1, "a").tolist()
    others = [gaussian(9, 1, "a"), gaussian(9, 2, "a"), gaussian(9, 1, "b"), gaussian(9, 1, "a", 0)]
    assert len({other.tobytes() for other in others}) == 4
    assert gaussian(9, 1, "a").dtype == np.float32


# Saving and loading


@pytest.mark.parametrize("encoding", list(GOLF.policies.encodings))
def test_a_net_is_loaded_exactly_as_it_was_saved(file: Path, encoding: str) -> None:
    inputs = GOLF.policies.encodings[encoding]
    shape = (inputs, 3, 1)
    net = replace(NET, encoding=encoding, shape=shape, weights=gaussian(size(shape), 5, "other"))
    save_net(file, net)
    for loaded in (load_net(file), load_net(file, GOLF)):
        assert loaded.weights.tobytes() == net.weights.tobytes()
        assert loaded.weights.dtype == np.float32
        assert loaded.description() == net.description()
        assert isinstance(loaded.ancestry, tuple)


def test_the_same_net_makes_the_same_bytes_in_every_process(file: Path) -> None:
    save_net(file, NET)
    first = file.read_bytes()
    save_net(file, load_net(file))
    assert file.read_bytes() == first
    script = (
        "import sys; from pathlib import Path; from sparring.nets.files import load_net, save_net;"
        "save_net(Path(sys.argv[2]), load_net(Path(sys.argv[1])))"
    )
    again = file.with_name("again.safetensors")
    subprocess.run([sys.executable, "-c", script, str(file), str(again)], check=True)
    assert again.read_bytes() == first


def test_a_file_with_a_flipped_bit_is_refused_in_one_line_or_means_the_same(file: Path) -> None:
    save_net(file, NET)
    whole, refused = file.read_bytes(), 0
    length = int.from_bytes(whole[:8], "little") + 8
    for place in [*range(length), *range(length, len(whole), 7)]:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        try:
            loaded = load_net(file)
            assert (loaded.description(), loaded.weights.tobytes()) == (NET.description(), NET.weights.tobytes()), place
        except UserError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 0.8 * len(range(length)) + len(range(length, len(whole), 7))


def test_a_file_without_a_checksum_is_loaded(file: Path) -> None:
    """As versions before 0.10 wrote them."""
    write(file)
    assert load_net(file).weights.tobytes() == NET.weights.tobytes()


def test_the_file_says_what_the_net_is_and_where_it_comes_from(file: Path) -> None:
    save_net(file, NET)
    with safe_open(file, framework="np") as opened:
        told = json.loads(opened.metadata()["sparring"])
        assert {name: opened.get_slice(name).get_shape() for name in opened.keys()} == {  # noqa: SIM118
            "hidden.weight": [3, 90],
            "hidden.bias": [3],
            "output.weight": [1, 3],
            "output.bias": [1],
        }
    assert len(told.pop("checksum")) == 64
    assert told == {
        "game": "golf",
        "rules": GOLF.rules.version,
        "encoding": "hand",
        "shape": [90, 3, 1],
        "kind": "sigmoid",
        "policy": "net",
        "learner": "coevolution",
        "seed": 7,
        "ancestry": ["seed 7", "epoch 40"],
    }


def test_saving_makes_the_folders_it_needs_and_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    save_net(tmp_path / "a" / "b" / "net.safetensors", NET)
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["net.safetensors"]


# Files that are not ours


def test_a_missing_file_is_named(file: Path) -> None:
    assert refused(file) == f"{file}: no such file"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path)


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"\0" * 100, b"\xff" * 100, b'{"game": "golf"}', np.random.default_rng(1).bytes(5000)],
    ids=["empty", "one byte", "zeros", "ones", "json", "random"],
)
def test_what_is_no_safetensors_file_is_refused(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    refused(file, "not a safetensors file, or truncated", "copy it again")


def test_a_file_cut_short_anywhere_is_refused(file: Path) -> None:
    save_net(file, NET)
    data = file.read_bytes()
    for length in [*range(0, 700, 13), *range(700, len(data), 97), len(data) - 1]:
        file.write_bytes(data[:length])
        refused(file, "truncated")


def test_a_file_with_something_after_its_end_is_refused(file: Path) -> None:
    save_net(file, NET)
    file.write_bytes(file.read_bytes() + b"more")
    refused(file, "not a safetensors file")


class Bomb:
    """Runs when unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, int]]:
        return os.mkdir, (str(self.marker), 0o700)


def test_a_pickle_is_refused_and_not_run(file: Path, tmp_path: Path) -> None:
    marker = tmp_path / "exploded"
    file.write_bytes(pickle.dumps(Bomb(marker)))
    refused(file, "not a safetensors file")
    assert not marker.exists()
    pickle.loads(file.read_bytes())
    assert marker.exists()  # the bomb was live


def test_a_net_that_names_a_module_as_its_game_does_not_import_it(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "imported"
    (tmp_path / "trap").mkdir()
    (tmp_path / "trap" / "__init__.py").write_text(f"open({str(marker)!r}, 'w').close()\n")
    (tmp_path / "trap" / "game.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    write(file, NET.description() | {"game": "trap.game"})
    with pytest.raises(UserError):
        load_net(file)
    assert not marker.exists()


# Descriptions that are wrong


@pytest.mark.parametrize("metadata", [None, {}, {"format": "pt"}])
def test_a_file_of_another_program_is_refused(file: Path, metadata: dict[str, str] | None) -> None:
    file.write_bytes(save({name: np.ascontiguousarray(t) for name, t in PARTS.items()}, metadata=metadata))
    refused(file, "a safetensors file, but not one of Sparring's")


@pytest.mark.parametrize("description", ["", "not json", "{", '{"game": "golf",}', "[" * 100_000])
def test_a_description_that_is_no_json_is_refused(file: Path, description: str) -> None:
    write(file, description)
    refused(file, "not one of Sparring's")


@pytest.mark.parametrize("description", ["[]", "null", "3", '"golf"', "{}", "true"])
def test_a_description_that_is_no_list_of_names_and_values_is_refused(file: Path, description: str) -> None:
    write(file, description)
    refused(file, "not a net")


@pytest.mark.parametrize("key", list(NET.description()))
def test_a_description_that_lacks_a_key_is_refused_with_its_name(file: Path, key: str) -> None:
    write(file, {name: value for name, value in NET.description().items() if name != key})
    refused(file, f"{key}")


WRONG = [
    ("rules", None),
    ("rules", "1"),
    ("rules", True),
    ("rules", [1]),
    ("encoding", None),
    ("encoding", ["hand"]),
    ("encoding", {}),
    ("shape", None),
    ("shape", 90),
    ("shape", []),
    ("shape", [90, 3]),
    ("shape", [90, 3, 1, 1]),
    ("shape", [90, 3, 2]),
    ("shape", [90, "3", 1]),
    ("shape", [90, [3], 1]),
    ("shape", [90, None, 1]),
    ("shape", [90.0, 3.0, 1]),
    ("shape", ["90", "3", "1"]),
    ("shape", "abc"),
    ("shape", [90, 0, 1]),
    ("shape", [90, -3, 1]),
    ("kind", None),
    ("kind", 1),
    ("kind", "deep"),
    ("kind", "linear"),
    ("policy", None),
    ("policy", ["net"]),
    ("policy", "random"),
    ("policy", "net+2ply"),
    ("learner", None),
    ("learner", 5),
    ("learner", ["coevolution"]),
    ("seed", None),
    ("seed", "7"),
    ("seed", 7.5),
    ("ancestry", None),
    ("ancestry", 3),
    ("ancestry", "seed 7"),
    ("ancestry", [1, 2]),
    ("ancestry", {}),
]


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_description_with_a_value_of_the_wrong_kind_is_refused(file: Path, key: str, value: Any) -> None:
    write(file, NET.description() | {key: value})
    refused(file)
    refused(file, game=None)


@pytest.mark.parametrize("name", ["chess", "", "no.such", ".golf", "./golf", 5, None, ["golf"], {}])
def test_a_net_for_a_game_that_is_not_here_is_refused(file: Path, name: Any) -> None:
    write(file, NET.description() | {"game": name})
    refused(file)
    refused(file, game=None)


# Tensors that are wrong


@pytest.mark.parametrize("name", PARTS)
def test_a_missing_tensor_is_named(file: Path, name: str) -> None:
    write(file, drop=name)
    refused(file, name)


@pytest.mark.parametrize(
    "tensors",
    [
        {"hidden_weight": PARTS["hidden.weight"].T},
        {"hidden_weight": PARTS["hidden.weight"].ravel()},
        {"hidden_weight": PARTS["hidden.weight"][:2]},
        {"hidden_weight": PARTS["hidden.weight"][:, :89]},
        {"hidden_bias": np.zeros(4, np.float32)},
        {"hidden_bias": np.zeros(4, np.float32), "output_weight": np.zeros((1, 2), np.float32)},
        {"output_weight": np.zeros(3, np.float32)},
        {"output_bias": np.zeros(0, np.float32)},
        {"output_bias": np.zeros(2, np.float32)},
    ],
    ids=["transposed", "flat", "a row short", "a column short", "long", "shifted", "flat output", "none", "two"],
)
def test_a_tensor_of_the_wrong_shape_is_refused(file: Path, tensors: dict[str, np.ndarray]) -> None:
    write(file, **tensors)
    refused(file)


@pytest.mark.parametrize("kind", [np.float64, np.float16, np.int64, np.int8, np.bool_])
def test_a_tensor_of_the_wrong_type_is_refused(file: Path, kind: type) -> None:
    write(file, hidden_weight=PARTS["hidden.weight"].astype(kind))
    refused(file)


def test_a_tensor_of_a_type_that_numpy_lacks_is_refused(file: Path) -> None:
    header: dict[str, Any] = {"__metadata__": {"sparring": json.dumps(NET.description())}}
    end = 0
    for name, part in PARTS.items():
        header[name] = {"dtype": "BF16", "shape": part.shape, "data_offsets": [end, end := end + 2 * part.size]}
    text = json.dumps(header).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text + bytes(end))
    refused(file)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", PARTS)
def test_a_weight_that_is_no_number_is_refused(file: Path, name: str, value: float) -> None:
    part = PARTS[name].copy()
    part.flat[-1] = value
    write(file, **{name.replace(".", "_"): part})
    refused(file, "a weight is not a number")


# Nets that do not fit the game


def test_a_net_of_another_game_says_both_games(file: Path) -> None:
    save_net(file, NET)
    refused(file, "a net for golf, not for chess", game=replace(GOLF, name="chess"))


def test_a_net_of_other_rules_says_both_versions(file: Path) -> None:
    save_net(file, replace(NET, rules=GOLF.rules.version + 1))
    refused(
        file,
        f"rules version {GOLF.rules.version + 1} of golf",
        f"this is version {GOLF.rules.version}",
        "train it again",
    )


def test_an_unknown_encoding_is_named_with_those_that_exist(file: Path) -> None:
    save_net(file, replace(NET, encoding="everything"))
    refused(file, "unknown encoding 'everything'", "golf has hand, state, state-hand")


def test_a_wrong_number_of_inputs_is_said_with_the_right_one(file: Path) -> None:
    save_net(file, replace(NET, shape=(91, 3, 1), weights=gaussian(size((91, 3, 1)), 1)))
    refused(file, "91 inputs, but 'hand' of golf has 90")


def test_a_net_with_too_few_weights_is_refused_before_it_plays() -> None:
    with pytest.raises(UserError, match="276 weights do not fit the shape 90-3-1"):
        check_net(replace(NET, weights=NET.weights[:-1]), GOLF, Path("net"))


# Writing that fails


def full_disk(*_: Any) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("call", ["fsync", "write"])
def test_a_full_disk_leaves_what_was_there_and_says_so(file: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    file.write_bytes(b"before")
    if call == "fsync":
        monkeypatch.setattr(os, "fsync", full_disk)
        with pytest.raises(Failure) as error:
            replace_file(file, b"after")
        message = str(error.value)
    else:
        script = (
            "import resource, sys; from pathlib import Path; from sparring.errors import Failure;"
            "from sparring.nets.files import replace_file; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
            "try: replace_file(Path(sys.argv[1]), b'x' * 5000)\n"
            "except Failure as error: print(error)"
        )
        done = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True)
        message = done.stdout.strip()
    assert message.startswith(f"{file}: cannot be written (")
    assert "intact" in message
    assert "free some space" in message
    assert "\n" not in message
    assert file.read_bytes() == b"before"
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("where", ["under a file", "a folder", "a long name"])
def test_a_place_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "full").mkdir(parents=True)
    path = {
        "under a file": tmp_path / "file" / "net",
        "a folder": tmp_path / "folder",
        "a long name": tmp_path / ("n" * 300),
    }[where]
    with pytest.raises(UserError) as error:
        replace_file(path, b"after")
    assert str(error.value).startswith(f"{path}: cannot be written (")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


def test_a_stroke_that_succeeds_replaces_everything(file: Path) -> None:
    replace_file(file, b"a long content")
    replace_file(file, b"short")
    assert file.read_bytes() == b"short"
