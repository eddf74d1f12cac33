"""The compiled world: random numbers, the sigmoid, the folder of compiled code, and launchers on several threads."""

import ast
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.special import chdtrc

from sparring.arena.play import paired_jobs
from sparring.arena.players import find_players, pack_players
from sparring.games import find_game
from sparring.kernel import compiler
from sparring.kernel.launch import Job, Launcher, Player, share_out, threads_available
from sparring.kernel.maths import sigmoid, sigmoids
from sparring.kernel.random import GOLDEN, below, derive, key, mixed, normals, shuffle, step, uniform

GOLF = find_game("golf")
ROWS = 20_000
DERIVED = 13351811159324672510  # derive(1, "deals", 3): runs of old depend on it


@pytest.fixture(autouse=True)
def streams_wrap_round() -> Iterator[None]:
    """Interpreted, NumPy would warn of what compiled code does silently."""
    with np.errstate(over="ignore"):
        yield


def stream(seed: int, count: int) -> np.ndarray:
    """The first numbers of a stream, not yet mixed."""
    return np.uint64(seed) + GOLDEN * np.arange(1, count + 1, dtype=np.uint64)


def is_even(counts: np.ndarray) -> bool:
    """Whether counts fit equal chances: chi-squared, wrong once in 100,000."""
    expected = counts.sum() / len(counts)
    return bool(chdtrc(len(counts) - 1, ((counts - expected) ** 2 / expected).sum()) > 1e-5)


# Random numbers


def test_the_generator_is_splitmix64() -> None:
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    found, now = [], np.uint64(1234567)
    for _ in published:
        now = np.uint64(step(now))
        found.append(int(mixed(now)))
    assert found == published


@pytest.mark.parametrize("n", [2, 7, 54])
def test_below_gives_every_number_equally_often_and_no_other(n: int) -> None:
    counts = Counter(below(s, n) for s in stream(n, 200_000))
    assert sorted(counts) == list(range(n))
    assert is_even(np.array(list(counts.values())))


@pytest.mark.parametrize("n", [1, 3, 1000, 2**31, 2**32])
def test_below_stays_in_range(n: int) -> None:
    draws = [below(s, n) for s in stream(3, 5_000)]
    assert min(draws) >= 0
    assert max(draws) < n
    assert max(draws) >= n // 2  # and does not keep to a corner of it


def test_uniform_numbers_lie_between_0_and_1_and_are_never_either() -> None:
    values = np.array([uniform(s) for s in stream(4, ROWS)])
    assert 0 < values.min() < 0.001
    assert 0.999 < values.max() < 1
    assert is_even(np.histogram(values, 50, (0, 1))[0])


@pytest.mark.parametrize("neighbour", ["seed", "number"])
def test_streams_of_neighbours_are_uncorrelated(neighbour: str) -> None:
    near = (1, 0) if neighbour == "seed" else (0, 1)
    for base in (0, 1, 2**63):
        here = np.uint64(key(np.uint64(base), 5))
        there = np.uint64(key(np.uint64(base + near[0]), 5 + near[1]))
        pairs = np.array([(uniform(here + s), uniform(there + s)) for s in stream(0, ROWS)])
        assert abs(np.corrcoef(pairs.T)[0, 1]) < 4.5 / math.sqrt(ROWS)


def test_keys_of_neighbours_differ_in_half_their_bits() -> None:
    for flipped in (lambda i: key(np.uint64(i), 7), lambda i: key(np.uint64(7), i)):
        changes = [(int(flipped(i)) ^ int(flipped(i + 1))).bit_count() for i in range(5_000)]
        assert abs(np.mean(changes) - 32) < 4.5 * 4 / math.sqrt(5_000)


def test_no_two_keys_of_small_seeds_and_numbers_are_equal() -> None:
    keys = {int(key(np.uint64(seed), number)) for seed in range(150) for number in range(150)}
    assert len(keys) == 150 * 150


def test_normal_numbers_have_mean_0_variance_1_and_kurtosis_3() -> None:
    values = np.empty(200_000)
    normals(np.uint64(11), values)
    n = len(values)
    assert abs(values.mean()) < 4.5 / math.sqrt(n)
    assert abs((values**2).mean() - 1) < 4.5 * math.sqrt(2 / n)
    assert abs((values**3).mean()) < 4.5 * math.sqrt(15 / n)
    assert abs((values**4).mean() - 3) < 4.5 * math.sqrt(96 / n)
    assert abs(np.corrcoef(values[::2], values[1::2])[0, 1]) < 4.5 / math.sqrt(n / 2)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 7, 8])
def test_normal_numbers_fill_any_length_and_nothing_beyond_it(length: int) -> None:
    longest, values = np.empty(9), np.full(9, -99.0)
    normals(np.uint64(5), longest)
    normals(np.uint64(5), values[:length])
    assert values[:length].tolist() == longest[:length].tolist()
    assert (values[length:] == -99).all()


def test_a_shuffle_of_four_items_gives_all_24_orders_equally_often() -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(48_000):
        items = np.arange(4, dtype=np.int8)
        shuffle(np.uint64(key(np.uint64(2), number)), items, 4)
        counts[tuple(items.tolist())] += 1
    assert set(counts) == set(permutations(range(4)))
    assert is_even(np.array(list(counts.values())))


def test_a_shuffle_leaves_what_lies_beyond_its_count() -> None:
    items = np.arange(10, dtype=np.int8)
    shuffle(np.uint64(1), items, 6)
    assert sorted(items[:6].tolist()) == list(range(6))
    assert items[:6].tolist() != list(range(6))
    assert items[6:].tolist() == [6, 7, 8, 9]


def test_a_shuffle_moves_its_stream_on_once_for_each_item_but_the_first() -> None:
    after = shuffle(np.uint64(9), np.arange(6, dtype=np.int8), 6)
    assert int(after) == int(stream(9, 5)[-1])


def test_a_derived_seed_depends_on_every_word_and_on_their_order() -> None:
    words = [
        (),
        ("deals",),
        ("luck",),
        ("deals", 1),
        ("deals", 2),
        (1, "deals"),
        ("deals", "1"),
        ("deals1",),
        ("deals", 1, 1),
        ("luck", "deals"),
        ("deals", "luck"),
        ("deals", -1),
    ]
    seeds = [derive(seed, *w) for seed in (1, 2) for w in words]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_derived_seed_is_the_same_in_every_process_and_version() -> None:
    assert derive(1, "deals", 3) == DERIVED


# The sigmoid


def test_the_sigmoid_errs_by_less_than_4e_7_and_falls_nowhere_but_by_rounding() -> None:
    x = np.linspace(-40, 40, 400_001).astype(np.float32)
    values = x.copy()
    sigmoids(values, len(values))
    truth = 1 / (1 + np.exp(-x.astype(np.float64)))
    assert np.abs(values - truth).max() < 4e-7
    assert (np.maximum.accumulate(values) - values).max() < 5e-7
    steep = np.abs(x) < 4
    assert (np.diff(values[steep][::20]) > 0).all()


@pytest.mark.parametrize("x", [-30.0, -3.0, -1e-6, 0.0, 0.5, 2.0, 30.0])
def test_the_sigmoid_of_one_value_is_that_of_the_many(x: float) -> None:
    many = np.array([x, 99.0], np.float32)
    sigmoids(many, 1)
    assert many.tolist() == [np.float32(sigmoid(np.float32(x))), 99.0]


def test_the_sigmoid_saturates() -> None:
    assert abs(sigmoid(np.float32(1e9)) - 1) < 4e-7
    assert abs(sigmoid(np.float32(-1e9))) < 4e-7
    assert sigmoid(np.float32(1e9)) == sigmoid(np.float32(17.0)) == sigmoid(np.float32(3e38))
    assert sigmoid(np.float32(0)) == 0.5


# The folder of compiled code


def test_compiled_code_is_kept_where_asked_under_the_hash_of_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path / "here"))
    assert compiler.cache_folder() == tmp_path / "here" / compiler.sources_hash()
    assert compiler.cache_folder().is_dir()
    monkeypatch.delenv("SPARRING_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert compiler.cache_folder() == tmp_path / "there" / "sparring" / compiler.sources_hash()


def forget_sources() -> None:
    """Read the sources again: a process reads them once."""
    for function in (compiler.source_texts, compiler.imported_files, compiler.module_hash):
        function.cache_clear()


def hash_of_all(package: Path) -> str:
    forget_sources()
    return compiler.sources_hash(package)


def test_any_change_in_what_is_compiled_gives_another_hash(tmp_path: Path) -> None:
    chess = tmp_path / "games" / "chess"
    (chess / "endings").mkdir(parents=True)
    kernels = "from sparring.kernel.compiler import kernel\nfrom sparring.games.chess.{} import *\n"
    writings = [
        ("rules.py", kernels.format("board")),
        ("rules.py", kernels.format("board") + "a = 1\n"),
        (
            "board.py",
            "from sparring.games.chess.endings.pawns import (\n    FILES,\n)\n",
        ),  # the rules take names from it
        ("endings/pawns.py", "FILES = 8\n"),  # and it from this one
        ("endings/pawns.py", "FILES = 9\n"),
        ("values.csv", "9,5,3\n"),
        ("values.csv", "9,5,4\n"),
    ]
    hashes = [hash_of_all(tmp_path)]
    for name, text in writings:
        (chess / name).write_text(text)
        hashes.append(hash_of_all(tmp_path))
    (chess / "rules.py").rename(chess / "play.py")
    hashes.append(hash_of_all(tmp_path))
    assert len(set(hashes)) == len(hashes)
    (chess / "notes.txt").write_text("not compiled")
    (chess / "notation.py").write_text("from sparring.games.chess.board import FILES\n")  # takes names and gives none
    assert hash_of_all(tmp_path) == hashes[-1]


def test_a_change_in_one_module_compiles_those_again_that_take_names_from_it_and_no_others(tmp_path: Path) -> None:
    games = tmp_path / "games"
    (games / "go").mkdir(parents=True)
    texts = {
        "go/__init__.py": "KOMI = 7\n",
        "go/board.py": "SIZE = 19\n",
        "go/rules.py": "def lazily():\n    from sparring.games.go import (\n        board,\n        KOMI,\n    )\n",
        "go/policies.py": "from sparring.games.go.rules import lazily\n",
        "checkers.py": "ROWS = 8\n",
    }
    for name, text in texts.items():
        (games / name).write_text(text)

    def changed(*names: str) -> set[str]:
        def hashes() -> dict[str, str]:
            forget_sources()
            return {name: compiler.module_hash(games / name, tmp_path) for name in texts}

        before = hashes()
        for name in names:
            (games / name).write_text(texts[name] + "# changed\n")
        after = hashes()
        return {name for name in texts if after[name] != before[name]}

    above = {"go/rules.py", "go/policies.py"}
    assert changed() == set()
    assert changed("go/board.py") == {"go/board.py", *above}
    assert changed("go/__init__.py") == {"go/__init__.py", *above}
    assert changed("go/policies.py") == {"go/policies.py"}
    assert changed("checkers.py") == {"checkers.py"}


def test_the_imports_of_every_kernel_are_found() -> None:
    """By Python's own parser, for every file of the package that can hold kernels."""
    package, texts = compiler.PACKAGE, compiler.source_texts(compiler.PACKAGE)
    for path, text in texts.items():
        found = compiler.imported_files(path, package)
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            assert not (isinstance(node, ast.Import) and any(name.startswith("sparring") for name in names)), path
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sparring."):
                place = package.joinpath(*str(node.module).split(".")[1:])
                wanted = {place.with_suffix(".py"), place / "__init__.py", *(place / f"{name}.py" for name in names)}
                assert wanted & texts.keys() <= found, f"{path}: {node.module}"


def test_a_cache_folder_that_cannot_be_written_is_replaced_by_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARRING_CACHE", "/dev/null/x")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = compiler.cache_folder()
    assert folder.parent.parent == tmp_path
    (folder / "written").touch()


def python(script: str, **environment: str) -> tuple[str, str, float]:
    """What another process prints on its two outputs, and its seconds."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SPARRING_")}
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script], env=clean | environment, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - began
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr, seconds


def test_kernels_run_even_where_the_cache_folder_cannot_be_written(tmp_path: Path) -> None:
    script = "from sparring.kernel.random import derive; print(derive(1, 'deals', 3))"
    out, err, _ = python(script, SPARRING_CACHE="/dev/null/x", TMPDIR=str(tmp_path))
    assert (out, err) == (f"{DERIVED}\n", "")


RULES = """
from sparring.kernel.compiler import kernel
from tinygame.points import points

@kernel
def start(s, seed, deal, luck, seats):
    s.over = s.turn = 0

@kernel
def choose(s, player, weights, floats, integers):
    return 0

@kernel
def apply(s, move):
    s.tally.score[0] = points()
    s.over = 1
"""
POINTS = """
from sparring.kernel.compiler import kernel

@kernel
def points():
    return {points}
"""
PLAY = """
import numpy as np
from sparring.kernel.launch import Job, Launcher, Player, batch
from tinygame.rules import apply, choose, start
tally = np.dtype([("score", np.int32, (4,))], align=True)
state = np.dtype([("over", np.int8), ("turn", np.int8), ("tally", tally)], align=True)
launcher = Launcher("tinygame", "tinygame", batch(start, choose, apply), np.zeros(1, state), tally, 5, lambda hidden: 1, 1)
print(launcher.play(np.zeros(1, Job), np.zeros(1, Player), np.zeros(1, np.float32))[0]["score"][0, 0])
"""


def play_tiny(folder: Path, points: int) -> tuple[str, str, float]:
    """Play a tiny game outside the package, whose one game is worth so many points."""
    game = folder / "tinygame"
    game.mkdir(exist_ok=True)
    (game / "__init__.py").touch()
    (game / "rules.py").write_text(RULES)
    (game / "points.py").write_text(POINTS.format(points=points))
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return python(PLAY, SPARRING_CACHE=str(folder / "cache"), PYTHONPATH=path)


def test_compiling_is_announced_in_one_line_the_first_time_and_never_again(tmp_path: Path) -> None:
    first_out, first_err, first_seconds = play_tiny(tmp_path, 1)
    again_out, again_err, _ = play_tiny(tmp_path, 1)
    told = re.fullmatch(r"compiling tinygame for this machine, once \.\.\. done in (\d+\.\d) s\n", first_err)
    assert told, first_err
    assert 0 < float(told[1]) <= first_seconds
    assert again_err == ""
    assert first_out == again_out == "1\n"


def test_a_change_in_a_game_outside_the_package_is_noticed(tmp_path: Path) -> None:
    assert [int(play_tiny(tmp_path, points)[0]) for points in (1, 22)] == [1, 22]


# Launchers


def table_of_random_players() -> tuple[np.ndarray, np.ndarray]:
    return pack_players(GOLF, find_players(GOLF, ["random", "greedier"]))


def test_one_two_and_three_threads_play_the_same_games() -> None:
    jobs = paired_jobs(5, np.arange(2), 20)
    table, weights = table_of_random_players()
    played = [GOLF.launcher.play(jobs, table, weights, threads, keep_moves=True) for threads in (1, 2, 3)]
    assert len({tallies.tobytes() for tallies, _ in played}) == 1
    assert len({moves.tobytes() for _, moves in played}) == 1
    assert (played[0][0]["turns"] > 0).all()


def test_a_game_does_not_depend_on_the_games_around_it() -> None:
    jobs = paired_jobs(5, np.arange(2), 10)
    table, weights = table_of_random_players()
    together, _ = GOLF.launcher.play(jobs, table, weights)
    backwards, _ = GOLF.launcher.play(jobs[::-1].copy(), table, weights)
    alone, _ = GOLF.launcher.play(jobs[7:8], table, weights)
    assert together.tobytes() == backwards[::-1].tobytes()
    assert alone.tobytes() == together[7:8].tobytes()


def test_keeping_moves_changes_no_tally_and_ends_every_row() -> None:
    jobs = paired_jobs(6, np.arange(2), 5)
    table, weights = table_of_random_players()
    plain, none = GOLF.launcher.play(jobs, table, weights)
    kept, moves = GOLF.launcher.play(jobs, table, weights, keep_moves=True)
    assert plain.tobytes() == kept.tobytes()
    assert none.size == 0
    lengths = (moves >= 0).sum(axis=1)
    assert lengths.tolist() == (2 * kept["turns"]).tolist()
    assert all((row[:n] >= 0).all() and (row[n:] == -1).all() for row, n in zip(moves, lengths, strict=True))


@pytest.mark.parametrize("threads", [None, 1, 4])
def test_no_jobs_give_no_tallies(threads: int | None) -> None:
    tallies, moves = GOLF.launcher.play(np.zeros(0, Job), *table_of_random_players(), threads, keep_moves=True)
    assert len(tallies) == len(moves) == 0
    assert tallies.dtype == GOLF.rules.tally


def launcher_of(run: object) -> Launcher:
    """A launcher of a plain function, which needs no compiling."""
    record = np.dtype([("score", np.int64)])
    launcher = Launcher("plain", "plain", run, np.zeros(1, record), record, 1, lambda hidden: 1, 1)  # type: ignore[arg-type]
    launcher.ready = True
    return launcher


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_job_is_played_once_however_many_there_are(threads: int) -> None:
    def run(jobs, first, last, players, weights, states, floats, integers, tallies, moves) -> None:  # type: ignore[no-untyped-def]
        tallies["score"][first:last] += 1

    launcher = launcher_of(run)
    for jobs in (1, 2, 3, 15, 16, 17, 31, 100, 333):
        tallies, _ = launcher.play(np.zeros(jobs, Job), np.zeros(1, Player), np.zeros(1, np.float32), threads)
        assert tallies["score"].tolist() == [1] * jobs


def test_the_threads_asked_for_by_the_environment_work_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    meeting, met = threading.Barrier(3, timeout=300), set()

    def run(*_: object) -> None:
        if threading.get_ident() not in met:
            met.add(threading.get_ident())
            meeting.wait()

    monkeypatch.setenv("SPARRING_THREADS", "3")
    launcher_of(run).play(np.zeros(90, Job), np.zeros(1, Player), np.zeros(1, np.float32))
    assert len(met) == 3


def test_threads_are_kept_and_launches_of_all_sizes_share_them() -> None:
    """All threads of a launch meet; those of a small one after a large one have been there before."""

    def workers(threads: int) -> set[int]:
        meeting, met = threading.Barrier(threads, timeout=300), set()

        def work(chunks: Iterator[tuple[int, int]]) -> None:
            met.add(threading.get_ident())
            meeting.wait()
            assert all(first < last for first, last in chunks)

        share_out(10, 1, threads, work)
        assert len(met) == threads and threading.get_ident() in met
        return met

    def alive() -> set[int]:
        return {thread.ident or 0 for thread in threading.enumerate()}

    before = alive()
    for threads in range(2, 9):
        workers(threads)
    kept = alive()
    assert len(kept - before) <= 14  # a thread that has just finished may not be idle yet
    assert any(workers(3) <= kept or time.sleep(0.1) for _ in range(100))


def test_a_thread_that_fails_stops_the_others_and_its_error_is_raised() -> None:
    failed, taken = threading.Event(), []

    def work(chunks: Iterator[tuple[int, int]]) -> None:
        if threading.current_thread() is not threading.main_thread():
            failed.set()
            raise ValueError("a helper's error")
        for first, _ in chunks:
            taken.append(first)
            assert failed.wait(300)
            time.sleep(0.001)

    with pytest.raises(ValueError, match="a helper's error"):
        share_out(1_000_000, 1, 2, work)
    assert len(taken) < 1_000_000


def test_chunks_grow_to_the_time_that_they_should_take_and_shrink_towards_the_end() -> None:
    taken: list[int] = []

    def work(chunks: Iterator[tuple[int, int]]) -> None:
        for first, last in chunks:
            assert first == sum(taken)
            taken.append(last - first)

    share_out(10_000, 4, 1, work, seconds=3600.0)
    assert taken[:2] == [4, 9_996 // 2] and taken[-1] == 1 and sum(taken) == 10_000
    taken.clear()
    share_out(100, 7, 1, work, seconds=1e-12)
    assert taken == [7] + [1] * 93
    taken.clear()
    share_out(100, 30, 1, work)
    assert taken == [30, 30, 30, 10]


def test_a_thread_at_work_can_share_out_in_turn() -> None:
    done: list[int] = []

    def inner(chunks: Iterator[tuple[int, int]]) -> None:
        done.extend(first for first, _ in chunks)

    def work(chunks: Iterator[tuple[int, int]]) -> None:
        for _ in chunks:
            share_out(5, 1, 3, inner)

    share_out(6, 1, 3, work)
    assert sorted(done) == sorted(6 * [0, 1, 2, 3, 4])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_fork_has_threads_of_its_own() -> None:
    code = (
        "import os, threading; from sparring.kernel.launch import share_out\n"
        "def work(chunks):\n    meeting.wait()\n    list(chunks)\n"
        "meeting = threading.Barrier(3, timeout=300); share_out(9, 1, 3, work)\n"
        "child = os.fork()\n"
        "meeting = threading.Barrier(3, timeout=300); share_out(9, 1, 3, work)\n"
        "child or os._exit(0)\n"
        "raise SystemExit(os.waitpid(child, 0)[1])\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


@pytest.mark.parametrize("wish", ["", "0", "-2", "many", "1.5"])
def test_a_number_of_threads_that_is_none_means_every_core(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_THREADS", wish)
    assert threads_available() == len(os.sched_getaffinity(0))


def test_the_environment_sets_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_THREADS", "7")
    assert threads_available() == 7
