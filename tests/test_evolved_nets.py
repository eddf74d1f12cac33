"""Evolved nets in the games' kernels: they play as the same function written as a dense net does; files; bad genomes."""

from pathlib import Path

import numpy as np
import pytest

from evolved import dense_net, evolved_twin
from sparring.arena.match import match
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.nets.files import load_net, read_tensors, save_net, write_tensors

PLAYED = [
    ("golf", "hand", "net", 1, 4),
    ("golf", "state", "net", 1, 4),
    ("golf", "state-hand", "net", 1, 4),
    ("backgammon", "tesauro", "net", 1, 8),
    ("backgammon", "tesauro", "net", 5, 8),
]


@pytest.mark.parametrize(("name", "encoding", "policy", "outputs", "pairs"), PLAYED)
def test_twins_play_alike(name: str, encoding: str, policy: str, outputs: int, pairs: int) -> None:
    """Nearly every game is the same, move by move: rounding decides a close choice now and then."""
    game = find_game(name)
    dense = dense_net(game, encoding, 7, 3, outputs, policy)
    games: list[list[Played]] = [[], []]
    for net, kept in zip((dense, evolved_twin(dense)), games, strict=True):
        match(game, net, "random", pairs=pairs, seed=5, keep=kept.extend)
    same = [a.moves == b.moves for a, b in zip(*games, strict=True)]
    assert np.mean(same) >= 0.7
    assert len({game.moves for game in games[0]}) > 1


def test_values_agree() -> None:
    game = find_game("golf")
    net = dense_net(game, "hand", 5, 1)
    twin = evolved_twin(net)
    for seed in range(20):
        inputs = np.random.default_rng(seed).integers(0, 2, net.inputs).astype(float)
        assert twin.value(inputs) == pytest.approx(net.value(inputs), abs=2e-6)


def test_files_keep_the_genome(tmp_path: Path) -> None:
    game = find_game("backgammon")
    twin = evolved_twin(dense_net(game, "tesauro", 3, 2))
    save_net(tmp_path / "twin.safetensors", twin)
    read = load_net(tmp_path / "twin.safetensors")
    assert read.kind == "graph" and read.shape == twin.shape and (read.weights == twin.weights).all()
    assert read.genome is not None and (read.genome.links == as_genome_links(twin)).all()


def as_genome_links(net) -> np.ndarray:  # type: ignore[no-untyped-def]
    return net.genome.links


def spoilt(tmp_path: Path, change) -> Path:  # type: ignore[no-untyped-def]
    """A net file whose genome was changed by hand."""
    path = tmp_path / "spoilt.safetensors"
    save_net(path, evolved_twin(dense_net(find_game("golf"), "hand", 2, 2)))
    tensors, told = read_tensors(path)
    change(tensors, told)
    write_tensors(path, tensors, told)
    return path


def set_link(number: int, **fields: float):  # type: ignore[no-untyped-def]
    def change(tensors, told) -> None:  # type: ignore[no-untyped-def]
        for name, value in fields.items():
            tensors[f"links.{name}"][number] = value

    return change


def remove_node(tensors, told) -> None:  # type: ignore[no-untyped-def]
    for name in list(tensors):
        if name.startswith("nodes."):
            tensors[name] = tensors[name][:-1].copy()


def add_back_link(tensors, told) -> None:  # type: ignore[no-untyped-def]
    """1 -> 0 and 2 -> 0 are there; 0 -> 1 closes a circle."""
    extra = {"source": 0, "target": 1, "innovation": 999, "enabled": 1, "weight": 1.0}
    place = int(np.searchsorted(tensors["links.source"], 0))
    for name, value in extra.items():
        tensors[f"links.{name}"] = np.insert(tensors[f"links.{name}"], place, value)


BAD = [
    (add_back_link, "connections 0 -> 1 -> 0 form a cycle"),
    (remove_node, "there is no node 2"),
    (set_link(0, weight=np.nan), "its weight is not a number"),
    (set_link(0, source=-91), "there is no input -91; inputs are -1 to -90"),
    (set_link(0, target=-1), "an input has no incoming connections"),
    (lambda tensors, told: tensors.pop("links.weight"), "links.weight is missing"),
    (lambda tensors, told: told.update(shape=[90, 9, 1]), "its outputs need 3 units, but its shape says 9"),
]


@pytest.mark.parametrize(("change", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_genome_files(tmp_path: Path, change, message: str) -> None:  # type: ignore[no-untyped-def]
    path = spoilt(tmp_path, change)
    with pytest.raises(UserError) as caught:
        load_net(path, find_game("golf"))
    assert message in str(caught.value) and "\n" not in str(caught.value)
