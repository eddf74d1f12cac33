"""Checkpoints that somebody altered and gave a fitting digest: refused in one line, or trained to the end; nothing else happens."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from amounts import amount
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import Experiment, build_experiment
from sparring.lab.run import create_run, digest, open_run, train
from sparring.learn import LEARNERS, Training, find_learner
from sparring.learn.checkpoints import Damaged
from sparring.learn.neat.soundness import graph_fault
from sparring.nets.files import write_tensors
from sparring.nets.genome import Genome, Link, Node, check
from test_distributed import FEW

Arrays = dict[str, np.ndarray]
HALF, TRIALS, MUTATIONS = 2, 2, 25
HUGE = {"<f8": 1e38, "<f4": 1e38, "<i8": 2**62, "<i4": 2**31 - 1}
MORE = {
    "evolution-strategies": (
        "golf", {"generations": 4, "population": 4, "pairs": 1, "hidden": 1, "curve_every": 2, "benchmark_pairs": 1},
    ),
    "evolution-strategies simply": ("golf", {"method": "simple", "generations": 4, "population": 4, "pairs": 1, "hidden": 1}),
    "deep-td of seats": (
        "gin", {"games": 4, "turns": 8, "step_turns": 2, "layers": "2-3", "minibatch": 2, "minibatch_end": 4},
    ),
    "neat that ends": (
        "golf",
        {"generations": 4, "pop_size": 6, "games": 1, "fitness_threshold": -1e9, "no_fitness_termination": False},
    ),
    "neat of any size": (
        "golf",
        {"generations": 4, "pop_size": 9, "games": 1, "exact_size": False, "node_add_prob": 1.0, "compatibility_threshold": 1.5},
    ),
}  # fmt: skip
TINY = FEW | MORE
if amount(True, False):
    del TINY["deep-td of seats"]  # compiles for long


def experiment(name: str) -> Experiment:
    game, options = TINY[name]
    table = {key: list(value) if isinstance(value, tuple) else value for key, value in options.items()}
    evaluation = {"pairs": 2, "selection_pairs": 1} | ({"seating": "rotated"} if game == "hearts" else {})
    learner = {"name": name.split()[0], **table}
    return build_experiment({"game": game, "name": "x", "trials": TRIALS, "learner": learner, "evaluation": evaluation})


def fresh(name: str) -> Training:
    told = experiment(name)
    return find_learner(told.learner)[1](find_game(told.game), told.options, told.seed, told.trials, 1)


@cache
def halfway(name: str) -> Arrays:
    """The arrays of a training stopped in the middle."""
    training = fresh(name)
    while training.step < HALF:
        training.advance()
    return {key: array.copy() for key, array in training.arrays().items()}


def copied(arrays: Arrays) -> Arrays:
    return {key: array.copy() for key, array in arrays.items()}


def crafted(folder: Path, name: str, arrays: Arrays, step: object = HALF) -> Path:
    """A run's folder with a checkpoint that its digest fits."""
    run = create_run(experiment(name), folder)
    told = {"step": step, "experiment": run.experiment.training_toml(), "digest": digest(arrays, step)}
    write_tensors(run.checkpoint, arrays, told)
    return run.folder


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> None:
    path = folder / "checkpoint.safetensors"
    before = path.read_bytes()
    assert main(["resume", str(folder)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"sparring: {path}: damaged (") and told.count("\n") == 1
    assert told.endswith("); restore it, or delete it to start again\n")
    assert all(word in told for word in words)
    assert path.read_bytes() == before


def test_every_learner_is_here() -> None:
    assert {name.split()[0] for name in TINY} == set(LEARNERS)


# What was not altered.


@pytest.mark.parametrize("name", TINY)
def test_what_a_training_writes_at_any_step_is_accepted(name: str) -> None:
    training = fresh(name)
    while True:
        other = fresh(name)
        other.resume(training.step, copied(training.arrays()))
        assert {k: a.tobytes() for k, a in other.arrays().items()} == {
            k: a.tobytes() for k, a in training.arrays().items()
        }
        if training.step == training.steps:
            break
        training.advance()


@pytest.mark.parametrize("name", TINY)
def test_a_checkpoint_that_was_not_altered_ends_with_the_bytes_of_a_run_left_alone(name: str, tmp_path: Path) -> None:
    alone = create_run(experiment(name), tmp_path / "alone")
    train(alone, 1)
    folder = crafted(tmp_path / "stopped", name, halfway(name))
    train(open_run(folder), 1)
    for path in alone.folder.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (folder / path.relative_to(alone.folder)).read_bytes(), path.name


# What was.


def alterations(array: np.ndarray) -> dict[str, np.ndarray]:
    """An array of another type or shape, or with a number that it cannot have."""
    found = {
        "another type": array.astype(np.float32 if array.dtype == np.float64 else np.float64),
        "another axis": array[None],
        "longer": np.concatenate([array, array[:1]]) if len(array) else np.ones((1, *array.shape[1:]), array.dtype),
        "nothing": np.zeros(0, array.dtype),
    }
    if array.size and array.dtype.str in HUGE:
        numbers = [HUGE[array.dtype.str], -HUGE[array.dtype.str]]
        for number in numbers + ([np.nan, np.inf] if array.dtype.kind == "f" else []):
            found[f"a {number}"] = array.copy()
            found[f"a {number}"].flat[array.size // 2] = number
    return found


def lawful(key: str, what: str, array: np.ndarray) -> bool:
    """What an array may have after all: a game's counts in single precision, and numbers that are missing where they may be."""
    gaps = key.endswith(("exam.player.accuracy", "population/fitness"))
    unseen = key.endswith("best_fitness") and what == "a -1e+38"
    return (gaps and what == "a nan" and np.isnan(array).any()) or unseen


@pytest.mark.parametrize("name", TINY)
def test_an_array_of_another_type_or_shape_or_with_impossible_numbers_is_refused(name: str) -> None:
    training, whole = fresh(name), halfway(name)
    before = copied(training.arrays())
    for key, array in whole.items():
        if key.startswith("1/") or "/1/" in key:  # like those of the first
            continue
        for what, altered in alterations(array).items():
            if not lawful(key, what, array):
                with pytest.raises(Damaged):
                    training.resume(HALF, whole | {key: altered})
                    pytest.fail(f"{key}: {what}")
        if key.endswith("median.fitness"):  # older checkpoints have none
            continue
        with pytest.raises(Damaged, match="is missing|of shape"):
            training.resume(HALF, {other: whole[other] for other in whole if other != key})
    for extra in ("x", "curve/x", "recorded/x", "0/0/hall/9/nodes.key", "7/x", "a\nb" * 99):
        with pytest.raises(Damaged, match="is not expected") as error:
            training.resume(HALF, whole | {extra: np.zeros(3)})
        assert "\n" not in str(error.value) and len(str(error.value)) < 200
    assert training.step == 0
    assert all(array.tobytes() == before[key].tobytes() for key, array in training.arrays().items())


@pytest.mark.parametrize("step", [-1, 5, 10**30, 2.0, True, "2", None, [2], float("nan")], ids=str)
@pytest.mark.parametrize("name", ["coevolution", "neat"])
def test_a_step_that_no_training_has_is_refused(name: str, step: object, tmp_path: Path, capsys) -> None:
    refused(crafted(tmp_path, name, halfway(name), step), capsys, "step is", "from 0 to 4")


@pytest.mark.parametrize("name", TINY)
def test_resume_refuses_in_one_line_and_leaves_the_file_alone(name: str, tmp_path: Path, capsys) -> None:
    whole = halfway(name)
    key = max(whole, key=lambda key: (whole[key].dtype.kind == "f", whole[key].size))
    refused(crafted(tmp_path / "nan", name, whole | {key: np.full_like(whole[key], np.inf)}), capsys, key)
    refused(crafted(tmp_path / "less", name, {k: a for k, a in whole.items() if k != key}), capsys, key, "missing")
    refused(crafted(tmp_path / "more", name, whole | {"\n\x1b[31m": np.zeros(1)}), capsys, "not expected")


def test_an_experiment_that_is_no_text_is_refused(tmp_path: Path, capsys) -> None:
    arrays = halfway("coevolution")
    folder = crafted(tmp_path, "coevolution", arrays)
    told = {"step": HALF, "experiment": ["x"], "digest": digest(arrays, HALF)}
    write_tensors(folder / "checkpoint.safetensors", arrays, told)
    assert main(["resume", str(folder)]) == 2
    assert "experiment.toml was changed after" in capsys.readouterr().err


# Counters.

COUNTERS = [
    ("coevolution", "changes", 2 * HALF + 1),
    ("hill-climbing", "accepted", HALF + 1),
    ("hill-climbing", "level", 1),
    ("hill-climbing", "nets", 1e7),
    ("curriculum", "thresholds", 1.5),
    ("curriculum", "precision/play", -1.0),
    ("evolution-strategies simply", "search/velocity", 1e9),
    ("td", "averaged", HALF + 1),
    ("td-batch", "0/begun", 2),
    ("td-batch", "1/deals", 4 * 6 + 1),
    ("td-batch", "0/square", -1.0),
    ("deep-td", "0/movers", 2),
    ("deep-td", "1/movers", -2),
    ("deep-td", "1/deals", 4 * 6 + 1),
    ("deep-td", "0/updates", 4 * 4 + 1),
    ("deep-td", "0/square", -1.0),
    ("deep-td of seats", "0/movers", 4),
    ("deep-td of seats", "0/parts", -1),
    ("deep-td of seats", "0/rows", np.inf),
    ("expert-iteration", "0/counts", 3),
    ("expert-iteration", "1/updates", 2 * HALF + 1),
    ("expert-iteration", "0/square", -1.0),
    ("neat", "solved", 0),
    ("neat that ends", "solved", HALF),
]


@pytest.mark.parametrize(("name", "key", "number"), [counter for counter in COUNTERS if counter[0] in TINY])
def test_a_number_just_out_of_its_range_is_refused(name: str, key: str, number: float) -> None:
    altered = halfway(name)[key].copy()
    altered.flat[0] = number
    with pytest.raises(Damaged, match=key):
        fresh(name).resume(HALF, halfway(name) | {key: altered})


def test_means_of_gradients_that_their_squares_do_not_allow_are_refused() -> None:
    batch, lessons = copied(halfway("td-batch")), copied(halfway("curriculum"))
    batch["0/mean"][0], batch["0/square"][0] = 1.0, 1e-6
    lessons["moments"][:, 0, 0] = 1.0, 1e-6
    for name, arrays in (("td-batch", batch), ("curriculum", lessons)):
        with pytest.raises(Damaged, match="larger than its mean square allows"):
            fresh(name).resume(HALF, arrays)


def test_a_precision_that_nothing_can_be_drawn_from_is_refused() -> None:
    arrays = copied(halfway("curriculum"))
    arrays["precision/play"][0, :2, :2] = [[1.0, 200.0], [200.0, 1.0]]
    with pytest.raises(Damaged, match="no sum of squares"):
        fresh("curriculum").resume(HALF, arrays)


# Games in the middle.

STATES = {
    "a third seat": ("turn", 2),
    "no seat": ("turn", -1),
    "over": ("over", 1),
    "a seven": ("dice", (7, 1)),
    "no dice": ("dice", (0, 0)),
    "the smaller die first": ("dice", (1, 2)),
    "nothing on the board": ("board", 0),
    "too much on the board": ("board", 15),
    "less than nothing": ("board", [[16, -1, *[0] * 24], [15, *[0] * 25]]),
    "both on one point": ("board", [[14, 1, *[0] * 24], [14, *[0] * 23, 1, 0]]),
    "a score": ("tally", ("score", 3)),
    "the last turn": ("tally", ("turns", 4000)),
    "fewer turns than none": ("tally", ("turns", -1)),
    "another start": ("rules", ("board", 1)),
    "another scoring": ("rules", ("single", 1)),
}


@pytest.mark.parametrize("state", STATES)
def test_a_state_that_no_game_can_come_to_is_refused(state: str) -> None:
    arrays, (field, value) = copied(halfway("td-batch")), STATES[state]
    states = arrays["1/states"].view(find_game("backgammon").rules.state)
    going = int(np.flatnonzero(arrays["1/begun"])[0])
    if field in ("tally", "rules"):
        states[field][value[0]][going] = value[1]
    else:
        states[field][going] = value
    with pytest.raises(Damaged, match="'1/states' has a game"):
        fresh("td-batch").resume(HALF, arrays)


# Genomes and species.


POPULATIONS: dict[str, tuple[str, object, Callable[[Arrays], object]]] = {
    "another generation": ("counters", 0, lambda mine: 3),
    "an id used before": ("counters", 1, lambda mine: mine["ids"].max()),
    "a species' id used before": ("counters", 2, lambda mine: mine["species.ids"].max()),
    "an innovation used before": ("counters", 3, lambda mine: 1),
    "a node used before": ("counters", 4, lambda mine: 0),
    "innovations that overflow": ("counters", 3, lambda mine: 2**31 - 1),
    "ids twice": ("ids", 1, lambda mine: mine["ids"][0]),
    "a parent that nobody was": ("parents", (0, 0), lambda mine: mine["counters"][1]),
    "a species that is not there": ("places", 0, lambda mine: len(mine["species.ids"])),
    "a species of nobody": ("places", slice(None), lambda mine: 0),
    "a species created later": ("species.created", 0, lambda mine: 3),
    "a fitness before its games": ("fitness", 0, lambda mine: 1.0),
    "another genome's nodes": ("genomes.node_count", [-2, -1], lambda mine: mine["genomes.node_count"][-2:] + [1, -1]),
    "more nodes than there are": ("genomes.node_count", 0, lambda mine: 10**12),
    "fewer than no links": ("genomes.link_count", 0, lambda mine: -1),
    "nodes out of order": ("genomes.node.key", [-2, -1], lambda mine: mine["genomes.node.key"][[-1, -2]]),
    "a link to nowhere": ("genomes.link.target", -1, lambda mine: mine["counters"][4] - 1),
    "links out of order": ("genomes.link.source", 0, lambda mine: 0),
    "an input that is not there": ("genomes.link.source", 0, lambda mine: -1000),
    "an activation that is not there": ("genomes.node.activation", 0, lambda mine: 18),
    "a weight beyond all weights": ("representatives.link.weight", 0, lambda mine: 2e6),
}


@pytest.mark.parametrize("change", POPULATIONS)
def test_a_population_that_cannot_be_is_refused(change: str) -> None:
    arrays, (name, place, value) = copied(halfway("neat of any size")), POPULATIONS[change]
    mine = {key.removeprefix("0/0/population/"): array for key, array in arrays.items() if key.startswith("0/0/pop")}
    assert len(mine["species.ids"]) > 1
    mine[name][place] = value(mine)
    with pytest.raises(Damaged, match="0/0/population"):
        fresh("neat of any size").resume(HALF, arrays)


def test_genomes_are_refused_just_where_no_net_can_be_made_of_them() -> None:
    """Random graphs of few nodes, beside the check of net files, which goes through one genome at a time."""
    rng, verdicts = np.random.default_rng(1), []
    for _ in range(400):
        counts = rng.integers(1, 5, 3)
        genomes = []
        for count in counts:
            nodes = np.zeros(count, Node)
            nodes["key"] = sorted(rng.choice(6, count, replace=False)) if rng.random() < 0.1 else range(count)
            pairs = {(int(rng.integers(-2, count)), int(rng.integers(0, count))) for _ in range(rng.integers(0, 4))}
            links = np.zeros(len(pairs), Link)
            links["source"], links["target"] = np.array([*sorted(pairs)], int).reshape(-1, 2).T
            genomes.append(Genome(2, 1, nodes, links))
        nodes, links = (np.concatenate([getattr(g, table) for g in genomes]) for table in ("nodes", "links"))
        lengths = counts, np.array([len(genome.links) for genome in genomes])
        fault = graph_fault(nodes["key"], links["source"], links["target"], lengths, 1)
        verdicts.append(any(_faulty(genome) for genome in genomes))
        assert bool(fault) == verdicts[-1], fault
    assert 50 < sum(verdicts) < 350


def _faulty(genome: Genome) -> bool:
    try:
        check(genome, "x")
    except UserError:
        return True
    return False


# Anything at all.


def mutated(arrays: Arrays, rng: np.random.Generator) -> Arrays:
    """Arrays with some numbers changed to others of the same type."""
    arrays = copied(arrays)
    names = [name for name in arrays if arrays[name].size]
    array = arrays[names[rng.integers(len(names))]]
    wrong = {
        "f": [0.0, 1.0, -1.0, 1e-30, 1e3, -1e5, 1e12, -1e29, 1e38, np.nan, np.inf],
        "i": [0, 1, -1, 2, 3, 7, 30, 2**31 - 1, -(2**31)],
        "u": list(range(256)),
    }[array.dtype.kind]
    pool = np.array(wrong).astype(array.dtype)  # small integers wrap around
    for place in rng.integers(array.size, size=rng.integers(1, 4)):
        array.flat[place] = rng.choice(pool)
    if rng.random() < 0.2:
        array[:] = rng.choice(pool)
    return arrays


@pytest.mark.parametrize("name", TINY)
def test_whatever_is_changed_the_training_goes_on_to_its_end_or_is_refused(name: str) -> None:
    rng = np.random.default_rng(7)
    ends = {"refused": 0, "finished": 0}
    for _ in range(MUTATIONS):
        training = fresh(name)
        try:
            training.resume(HALF + int(rng.integers(-1, 2) * (rng.random() < 0.1)), mutated(halfway(name), rng))
            while training.step < training.steps and not training.diverged():
                training.advance()
            training.champions(), training.curves(), training.headline()
            ends["finished"] += 1
        except (Damaged, UserError):
            ends["refused"] += 1
    assert min(ends.values()) > 0, ends
