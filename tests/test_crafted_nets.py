"""Net files made to do harm: each is refused in one short line before anything is built by it; spoilt ones play or are refused."""

import dataclasses
import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from amounts import amount
from evolved import dense_net
from small_nets import BACKGAMMON, HEARTS, graph_net, linear_net, small_nets, team_net
from sparring.arena.players import find_player
from sparring.errors import UserError, cut, cut_text
from sparring.games import Game, find_game
from sparring.kernel.compiler import CACHE
from sparring.learn import LEARNERS
from sparring.nets import dense, files
from sparring.nets.dense import MOST_PLACES, Net
from sparring.nets.files import MOST_BYTES, load_net, read_tensors, save_net, write_tensors
from sparring.nets.genome import MOST_HIDDEN, MOST_LINKS, Genome, Link, Node
from sparring.web.library import _players

Tensors, Description = dict[str, np.ndarray], dict[str, Any]
Change = Callable[[Tensors, Description], Any]
NETS = small_nets()
HERE = Path(__file__).parent


def crafted(path: Path, kind: str, change: Change) -> Path:
    """The file of a small net with something changed."""
    save_net(path, NETS[kind][1])
    tensors, description = read_tensors(path)
    tensors = {name: tensor.copy() for name, tensor in tensors.items()}
    change(tensors, description)
    write_tensors(path, tensors, description)
    return path


def refusal(path: Path, game: Game | None) -> str:
    """The one short line in which a file is refused, without the file's name."""
    with pytest.raises(UserError) as error:
        load_net(path, game)
    line = str(error.value)
    assert line.startswith(f"{path}: ")
    assert line.isprintable()
    assert len(line) < len(str(path)) + 300
    return line.removeprefix(f"{path}: ")


def shape(*sizes: Any) -> Change:
    return lambda tensors, description: description.update(shape=list(sizes))


def described(**values: Any) -> Change:
    return lambda tensors, description: description.update(values)


def part(role: str, **values: Any) -> Change:
    return lambda tensors, description: description["parts"][role].update(values)


def gene(name: str, place: int, value: float) -> Change:
    def change(tensors: Tensors, description: Description) -> None:
        tensors[name][place] = value

    return change


def retyped(name: str, kind: type) -> Change:
    def change(tensors: Tensors, description: Description) -> None:
        tensors[name] = tensors[name].astype(kind)

    return change


def wrapped_to_nothing(tensors: Tensors, description: Description) -> None:
    """16 units of 2^60 inputs are 2^64 weights, which 64 bits count as none; the connection leads far outside them."""
    wide = Genome(2**60, 1, np.zeros(16, Node), np.zeros(16, Link))
    wide.nodes["key"] = np.arange(16)
    wide.links["source"], wide.links["target"], wide.links["enabled"] = [-(2**31), *range(1, 16)], 0, 1
    tensors.clear()
    tensors.update(wide.tensors())
    description["shape"] = [2**60, 16, 1]


def grown(table: str, count: int) -> Change:
    """So many nodes, or connections."""

    def change(tensors: Tensors, description: Description) -> None:
        for name in [name for name in tensors if name.startswith(table)]:
            tensors[name] = np.resize(tensors[name], count)

    return change


def circle(tensors: Tensors, description: Description) -> None:
    """The chain of hidden nodes closed: every node's connection leads to the node before, and the first's to the last."""
    last = int(np.flatnonzero(tensors["links.source"] == 1)[0])
    tensors["links.target"][last] = tensors["nodes.key"][-1]


FAR = 2**31 - 1
HEADERS: list[tuple[str, Change, str]] = [
    ("graph", wrapped_to_nothing, "1152921504606846976 inputs, but 'raw' of backgammon has 28"),
    ("graph", shape(28, 19, 2**60), "1152921504606846976 outputs; nets of backgammon have 1 (value), 5 (outcomes)"),
    ("graph", shape(28, 2**60, 1), "1152921504606846976 units; graph nets have up to 4097"),
    ("graph", shape(28, 10**70, 1), "units; graph nets have up to 4097"),
    ("graph", shape(27, 19, 1), "27 inputs, but 'raw' of backgammon has 28"),
    ("graph", shape(-28, 19, 1), "is not a shape of a graph net"),
    ("graph", shape(28, 19), "must be [inputs, hidden, outputs]"),
    ("graph", shape(28, 19.0, 1), "must be [inputs, hidden, outputs]"),
    ("graph", described(rules=10**40), "trained under rules version 1000"),
    ("graph", described(encoding="tesauro"), "28 inputs, but 'tesauro' of backgammon has 198"),
    ("graph", described(encoding="no\nsuch"), r"unknown encoding 'no\nsuch'"),
    ("graph", described(policy="random"), "unknown policy 'random'"),
    ("graph", described(policy="net+" + "x" * 200_000), "unknown policy 'net+xxx"),
    ("graph", described(kind="team"), "a team net; backgammon has sigmoid, linear, graph and deep nets"),
    ("graph", described(kind="x" * 200_000), "kind is 'xxx"),
    ("graph", described(game="golf\x1b[2J"), r"a net for golf\x1b[2J, not for backgammon"),
    ("graph", described(game="x" * 200_000), "a net for xxx"),
    ("graph", described(learner="a\nb"), r"learner has 'a\nb'; must be printable text"),
    ("graph", described(learner="\ud800"), r"learner has '\ud800'; must be printable text"),
    ("graph", described(ancestry=["seed 1", "\0"]), r"ancestry has '\x00'; must be printable text"),
    ("sigmoid", shape(28, 4097, 1), "4097 units; sigmoid nets have up to 4096"),
    ("sigmoid", shape(28, 2**63, 1), "9223372036854775808 units; sigmoid nets have up to 4096"),
    ("sigmoid", shape(2**60, 16, 1), "1152921504606846976 inputs, but 'raw' of backgammon has 28"),
    ("sigmoid", shape(28, 3, 2), "2 outputs; nets of backgammon have 1 (value), 5 (outcomes)"),
    ("sigmoid", shape(28, 3, True), "must be [inputs, hidden, outputs]"),
    ("linear", shape(24, 17, 2), "a layer of 17 units; linear nets have up to 16 in each"),
    ("linear", shape(24, 3, 2**62), "a layer of 4611686018427387904 units; linear nets have up to 16 in each"),
    ("linear", shape(24, 1, 1, 1, 1, 1), "shape is [24, 1, 1, 1, 1, 1]; must be [inputs, units, ...]"),
    ("linear", shape(24), "shape is [24]; must be [inputs, units, ...]"),
    ("linear", shape(*[24] * 100_000), "shape is [24, 24, 24, 24, 24, 24, ...]; must be [inputs, units, ...]"),
    ("linear", shape(25, 3, 2), "25 inputs, but 'shares' of backgammon has 24"),
    ("deep", shape(28, 5), "shape is [28, 5]; must be [inputs, units, ...]"),
    ("deep", shape(28, *[2] * 7, 1, 1), "must be [inputs, units, ...]"),
    ("deep", shape(28, 5, 0, 1), "[28, 5, 0, 1] is not a shape of a deep net"),
    ("deep", shape(28, 5, -(2**63), 1), "is not a shape of a deep net"),
    ("deep", shape(28, 5, 4.0, 1), "must be [inputs, units, ...]"),
    ("deep", shape(28, 5, 2**60, 3, 1), "1152921504606846976 units; deep nets have up to 4096 in each layer"),
    ("deep", shape(28, 4097, 4, 3, 1), "4097 units; deep nets have up to 4096 in each layer"),
    ("deep", shape(28, *[4096] * 6, 1), "a net of more than 67108864 weights"),
    ("deep", shape(2**60, 5, 4, 3, 1), "1152921504606846976 inputs, but 'raw' of backgammon has 28"),
    ("deep", shape(28, 5, 4, 3), "3 outputs; nets of backgammon have 1 (value), 5 (outcomes)"),
    ("deep five", shape(198, 3, 6, 5, 5, 10**70), "outputs; nets of backgammon have 1 (value), 5 (outcomes)"),
    ("team", described(parts={}), "the roles of its nets are missing"),
    ("team", described(parts=[]), "the roles of its nets are missing"),
    ("team", described(thresholds=None), "the roles of its nets are missing"),
    ("team", described(thresholds={"moon-decision": float("nan")}), "the threshold of moon-decision is nan; must be from 0 to 1"),
    ("team", described(thresholds={"moon-decision": 10**300}), "must be from 0 to 1"),
    ("team", described(thresholds={"a\nb": 0.5}), r"a net for 'a\nb'; a team of hearts has play, pass"),
    ("team", lambda t, d: d["parts"].update(cook=d["parts"]["play"]), "a net for 'cook'; a team of hearts has play, pass"),
    ("team", part("play", shape=[260, 2**60, 1]), "1152921504606846976 units; sigmoid nets have up to 4096"),
    ("team", part("play", shape=[2**60, 2, 1]), "1152921504606846976 inputs, but 'play' of hearts has 260"),
    ("team", part("play", shape=[260, 2, 2]), "2 outputs; nets of hearts have 1 (value)"),
    ("team", part("play", encoding="pass", shape=[104, 2, 1]), "play sees 'pass'; must see 'play'"),
    ("team", part("play", encoding="y" * 100_000), "play sees 'yyy"),
    ("team", part("play", rules=2), "trained under rules version 2 of hearts"),
    ("team", shape(2**60, 5, 1), "1152921504606846976 inputs, but 'play' of hearts has 260"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "change", "words"), HEADERS, ids=[f"{kind}: {words}" for kind, _, words in HEADERS])
def test_a_crafted_description_is_refused_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, change: Change, words: str
) -> None:
    path = crafted(tmp_path / "net.safetensors", kind, change)

    def built(*_: Any, **__: Any) -> None:
        raise AssertionError("built before the description was checked")

    for place, name in ((files, "flat"), (dense, "express_one"), (Genome, "of_tensors")):
        monkeypatch.setattr(place, name, built)
    line = refusal(path, NETS[kind][0])
    assert words in line


GENES: list[tuple[str, Change, str]] = [
    ("graph", gene("links.source", 0, -29), "there is no input -29; inputs are -1 to -28"),
    ("graph", gene("links.source", 0, -FAR - 1), f"there is no input {-FAR - 1}; inputs are -1 to -28"),
    ("graph", gene("links.source", -1, FAR), f"there is no node {FAR}"),
    ("graph", gene("links.target", 0, FAR), f"there is no node {FAR}"),
    ("graph", gene("links.target", 0, -1), "an input has no incoming connections"),
    ("graph", gene("links.source", 0, -2), "connections are not sorted by source and target"),
    ("graph", gene("links.enabled", 0, 2), "enabled is 2; must be 0 or 1"),
    ("graph", gene("links.enabled", 0, -1), "enabled is -1; must be 0 or 1"),
    ("graph", gene("links.innovation", 0, -5), "innovation is -5; must be 0 or more"),
    ("graph", gene("links.weight", 3, np.nan), "its weight is not a number"),
    ("graph", gene("links.weight", 3, np.inf), "its weight is not a number"),
    ("graph", gene("nodes.key", 0, -1), "output 0: there is no such node"),
    ("graph", gene("nodes.key", -1, -FAR), "nodes are not sorted by key"),
    ("graph", gene("nodes.key", -1, FAR), "there is no node 18"),
    ("graph", gene("nodes.key", 3, 2), "node 2 is listed twice"),
    ("graph", gene("nodes.bias", 0, np.nan), "node 0: its bias is not a number"),
    ("graph", gene("nodes.response", 0, -np.inf), "node 0: its response is not a number"),
    ("graph", gene("nodes.activation", 4, FAR), f"unknown activation {FAR}; must be from 0 to 17"),
    ("graph", gene("nodes.aggregation", 4, -1), "unknown aggregation -1; must be from 0 to 1"),
    ("graph", circle, "form a cycle"),
    ("graph", grown("nodes", MOST_HIDDEN + 2), "4097 hidden nodes; must be at most 4096"),
    ("graph", grown("links", MOST_LINKS + 1), "1048577 connections; must be at most 1048576"),
    ("graph", grown("nodes", 0), "output 0: there is no such node"),
    ("graph", grown("links.source", 3), "must be a list of int32"),
    ("graph", retyped("links.source", np.int64), "links.source is int64"),
    ("graph", retyped("nodes.bias", np.float64), "nodes.bias is float64"),
    ("graph", retyped("links.enabled", np.bool_), "links.enabled is bool"),
    ("graph", shape(28, 20, 1), "its outputs need 19 units, but its shape says 20"),
    ("sigmoid", gene("hidden.bias", 0, np.nan), "a weight is not a number"),
    ("sigmoid", retyped("hidden.weight", np.float64), "hidden.weight is float64"),
    ("linear", gene("layer1.weight", 0, np.inf), "a weight is not a number"),
    ("linear", retyped("layer2.weight", np.int32), "layer2.weight is int32"),
    ("linear", shape(24, 3, 2, 1), "layer3.weight is missing"),
    ("deep", gene("layer1.bias", 0, np.nan), "a weight is not a number"),
    ("deep", lambda t, d: t["layer2.weight"].fill(np.inf), "a weight is not a number"),
    ("deep", retyped("layer4.bias", np.float64), "layer4.bias is float64"),
    ("deep", lambda t, d: t.pop("layer3.bias"), "layer3.bias is missing"),
    ("deep", lambda t, d: t.update({"layer2.weight": t["layer2.weight"].T.copy()}), "layer2.weight is float32 of shape [5, 4]"),
    ("deep", shape(28, 5, 4, 3, 1, 1), "layer5.weight is missing"),
    ("deep", described(kind="sigmoid", shape=[28, 5, 1]), "hidden.weight is missing"),
    ("team", gene("pass/hidden.bias", 0, np.nan), "a weight is not a number"),
    ("team", retyped("pass/hidden.bias", np.int32), "hidden.bias is int32"),
    ("team", part("play", shape=[260, 4096, 1]), "hidden.weight is float32 of shape [2, 260]"),
    ("team", shape(260, 4, 1), "its shape is [260, 4, 1], but its largest net is 260-5-1"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "change", "words"), GENES, ids=[f"{kind}: {words}" for kind, _, words in GENES])
def test_a_crafted_tensor_is_refused(tmp_path: Path, kind: str, change: Change, words: str) -> None:
    assert words in refusal(crafted(tmp_path / "net.safetensors", kind, change), NETS[kind][0])


def test_weights_that_overflow_only_when_a_network_is_written_are_refused(tmp_path: Path) -> None:
    def change(tensors: Tensors, description: Description) -> None:
        tensors["links.weight"][:], tensors["nodes.response"][:] = 1e30, 1e30

    assert refusal(crafted(tmp_path / "net.safetensors", "graph", change), BACKGAMMON) == "a weight is not a number"


def test_a_tensor_of_more_dimensions_than_numpy_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    header: dict[str, Any] = {"__metadata__": {"sparring": "{}"}}
    header["deep"] = {"dtype": "F32", "shape": [1] * 100, "data_offsets": [0, 4]}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(4))
    refusal(path, BACKGAMMON)


def test_a_file_too_large_for_a_net_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert refusal(path, BACKGAMMON) == "not a net: a file of more than 512 MiB"


def test_a_team_is_refused_whose_places_float32_cannot_count(tmp_path: Path) -> None:
    """The games here have too few inputs for that; another may have more."""
    policies = replace(HEARTS.policies, encodings=dict.fromkeys(HEARTS.policies.encodings, 4096))
    wide = replace(HEARTS, policies=policies)
    part = {"shape": [4096, 1024, 1]}
    parts = {role: part | {"encoding": encoding} for role, encoding in HEARTS.policies.roles.items()}
    path = crafted(tmp_path / "net.safetensors", "team", described(parts=parts, shape=part["shape"]))
    assert refusal(path, wide) == f"a team of more than {MOST_PLACES} weights; its nets must have fewer units"


@pytest.mark.parametrize("kind", NETS)
def test_the_nets_that_are_spoilt_here_are_valid(tmp_path: Path, kind: str) -> None:
    game, net = NETS[kind]
    path = crafted(tmp_path / "net.safetensors", kind, lambda tensors, description: None)
    assert load_net(path, game).weights.tobytes() == net.weights.tobytes()


@pytest.mark.parametrize("name", ["golf", "backgammon", "conquest", "gin", "hearts"])
def test_the_champions_that_come_with_a_game_load(name: str) -> None:
    game = find_game(name)
    assert all(load_net(path, game).game == name for path in game.policies.champions.values())


def test_no_learner_makes_nets_too_large_to_load() -> None:
    for options, _ in LEARNERS.values():
        for field in dataclasses.fields(options):
            if field.name in ("hidden", "num_hidden"):
                assert field.metadata["high"] == MOST_HIDDEN


# Other doors


def test_a_genome_that_stands_for_no_network_makes_no_net() -> None:
    genome = graph_net().genome
    assert genome is not None
    links = genome.links.copy()
    links["source"][0] = -1_000_000
    for wrong, words in (
        (replace(genome, links=links), "genome: connection -1000000 -> "),
        (replace(genome, inputs=2**60), "genome: 1152921504606846976 inputs; must be from 1"),
        (replace(genome, inputs=2**25), "genome: 33554432 inputs and 19 nodes make more than"),
    ):
        with pytest.raises(UserError, match=words):
            Net.evolved("backgammon", BACKGAMMON.rules.version, "raw", wrong, True)


HAND_MADE: list[tuple[Game, Net, str]] = [
    (BACKGAMMON, replace(linear_net(), shape=(24, 1, 1, 1, 1, 1)), "not a shape of a linear net"),
    (BACKGAMMON, replace(graph_net(), shape=(28, 18, 1)), "weights do not fit the shape 28-18-1"),
    (HEARTS, replace(team_net(), parts={}), "do not fit the nets of a team"),
    (HEARTS, replace(team_net(), weights=team_net().weights + 1), "do not fit the nets of a team"),
    (HEARTS, replace(team_net(), shape=(260, 4, 1)), "do not fit the nets of a team"),
    (HEARTS, replace(team_net(), parts={"pass": team_net().parts["play"]}), "pass is not a net of a team of hearts"),
]


@pytest.mark.parametrize(("game", "net", "words"), HAND_MADE, ids=range(len(HAND_MADE)))
def test_a_net_made_by_hand_that_kernels_cannot_read_is_no_player(game: Game, net: Net, words: str) -> None:
    with pytest.raises(UserError, match=words):
        find_player(game, net)


def test_the_server_lists_players_without_a_crafted_champion(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.mkdir()
    crafted(bad / "champion.safetensors", "graph", wrapped_to_nothing)
    save_net(good / "champion.safetensors", replace(dense_net(BACKGAMMON, "raw", 3, 1), learner="x" * 1000))
    listed = [player for player in _players("backgammon", tmp_path) if player["name"].startswith("runs/")]
    assert [player["name"] for player in listed] == ["runs/good"]
    assert len(listed[0]["about"]) < 200


def test_errors_show_the_beginning_and_the_end_of_what_is_long() -> None:
    assert cut("short") == "'short'" and cut_text("a\nb") == r"a\nb" and cut([1, 2]) == "[1, 2]"
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    for value in (
        "a" * 200_000,
        "\ud800" * 1000,
        10**1000,
        list(range(10**6)),
        ["b" * 1000] * 9,
        {"c" * 99: "d" * 99},
        deep,
    ):
        assert len(cut(value)) <= 80 and cut(value).isprintable()


# Files spoilt at random


def test_files_spoilt_at_random_are_refused_or_play_legal_moves(tmp_path: Path) -> None:
    """In a process of its own, whose kernels check bounds: they are compiled without optimising, into a cache of their own."""
    own = {
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_OPT": "0",
        "SPARRING_CACHE": str(CACHE.parent / "bounds-checked"),
        "PYTHONWARNINGS": "ignore",
    }
    own |= {"SPARRING_INTERPRET": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    folder, count = tmp_path / "nets", amount(50, 500)
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, str(HERE / "net_fuzzer.py"), str(folder), str(count)],
        env=os.environ | own, capture_output=True, text=True, timeout=10_000, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{sorted(path.name for path in folder.iterdir())} {done.stderr[-2000:]}"
    counts = json.loads(done.stdout)
    assert counts["refused"] > 2 * count and counts["played"] > amount(1, 2) * count
