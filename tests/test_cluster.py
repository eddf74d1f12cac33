"""A cluster: whatever its workers, and whichever of them die, results are those of one machine, byte for byte."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sparring
from sparring.arena.backends import use_backend
from sparring.arena.cluster import Cluster, game_of_worker
from sparring.arena.machines import import_ray, shares
from sparring.cli import main
from sparring.errors import Stopped, UserError
from sparring.kernel.backend import CPU, IN_USE
from sparring.kernel.compiler import CACHE
from sparring.lab.experiment import build_experiment
from sparring.lab.run import Run, create_run, open_run, train

SIMULATED = {"SPARRING_INTERPRET": "1", "NUMBA_ENABLE_CUDASIM": "1"}
EVALUATION = {"opponents": ["random", "greedier"], "pairs": 6, "selection_pairs": 4}
COMPILING = re.compile(r"\(work pid=\d+\) compiling golf for this machine, once .*")


# What machines can give.


@pytest.mark.parametrize(("machines", "workers", "cores", "gpus"), [
    ([{"CPU": 2.0}], 1, 2, 0),
    ([{"CPU": 16.0}, {"CPU": 64.0}, {"CPU": 40.0}], 1 + 4 + 2, 16, 0),
    ([{"CPU": 64.0}, {"CPU": 16.0, "GPU": 2.0}, {"CPU": 32.0, "GPU": 1.0}], 3, 8, 1),
    ([{"CPU": 2.0, "GPU": 8.0}], 8, 1, 1),
])  # fmt: skip
def test_a_worker_has_the_cores_of_the_smallest_machine_or_a_gpu(
    machines: list[dict[str, float]], workers: int, cores: int, gpus: int
) -> None:
    assert shares(machines) == (workers, cores, gpus)


def test_a_cluster_without_cores_is_refused() -> None:
    with pytest.raises(UserError, match="no machine of the cluster has a free core"):
        shares([])


# A cluster of two small machines.


class Machines:
    """Two machines of one core each, and a head that plays nothing; all of them here."""

    def __init__(self) -> None:
        import_ray()  # with our settings of Ray
        from ray.cluster_utils import Cluster

        soon = {
            "health_check_period_ms": 1000,
            "health_check_failure_threshold": 3,
        }  # after which a machine is taken as lost
        self.cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": soon}
        )
        self.nodes = [self.cluster.add_node(num_cpus=1, wait=False) for _ in range(2)]
        self.cluster.wait_for_nodes(600)

    def busy(self) -> list[tuple[int, Any]]:
        """The processes that are at work, and their machines."""
        keepers = {process.process.pid: node for node in self.nodes for process in node.all_processes["raylet"]}
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent in keepers and (folder / "cmdline").read_bytes().startswith(b"ray::work"):
                    found.append((int(folder.name), keepers[parent]))
            except OSError:  # it has ended meanwhile
                continue
        return found

    @contextmanager
    def visited(self, *acts: Callable[[int, Any], None]) -> Iterator[None]:
        """While the block goes on, do each act to a process at work and its machine, a second apart; all must come to it."""
        ended, left = threading.Event(), list(acts)

        def visit() -> None:
            while left and not ended.wait(0.02):
                if busy := self.busy():
                    left.pop(0)(*busy[0])
                    ended.wait(1)

        visitor = threading.Thread(target=visit)
        visitor.start()
        try:
            yield
        finally:
            ended.set()
            visitor.join()
        assert not left

    def kill(self, pid: int, node: Any) -> None:
        os.kill(pid, signal.SIGKILL)

    def lose(self, pid: int, node: Any) -> None:
        self.nodes.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    """The cluster, which this process has joined."""
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patched:
        machines = Machines()
        patched.setattr("sparring.arena.cluster.PATIENCE", 600.0)
        patched.setenv("RAY_ADDRESS", machines.cluster.address)
        ray.init(machines.cluster.address, logging_level="ERROR", log_to_driver=False)
        yield machines
        ray.shutdown()
        machines.cluster.shutdown()


def without_seconds(result: "sparring.Match | sparring.Tournament") -> dict:
    return {key: value for key, value in result.json().items() if key != "seconds"}


def test_a_match_is_the_same_with_every_move(machines: Machines) -> None:
    kept: dict[str, list] = {"cpu": [], "ray": []}
    told = [
        without_seconds(
            sparring.match("golf", "champion", "greedier", pairs=20, seed=5, backend=word, keep=kept[word].extend)
        )
        for word in kept
    ]
    assert told[0] == told[1]
    assert len(kept["cpu"]) == 40 and kept["cpu"] == kept["ray"]


def test_workers_get_as_much_of_a_busy_machine_as_who_asks_them(machines: Machines) -> None:
    with use_backend("ray"):
        backend = IN_USE.get()
        assert isinstance(backend, Cluster) and backend.map(os.nice, [(0,)]) == [os.nice(0)]


def test_a_tournament_is_the_same_under_rules_that_were_chosen(machines: Machines) -> None:
    players = ["random", "simple", "pubeval"]
    here, there = (
        without_seconds(sparring.tournament("backgammon:scoring=single", *players, pairs=15, backend=word))
        for word in ("cpu", "ray")
    )
    assert here == there


def plan(learner: str, trials: int, backend: str, **options: object):
    return build_experiment(
        {
            "game": "golf",
            "name": learner,
            "trials": trials,
            "backend": backend,
            "learner": {"name": learner, **options},
            "evaluation": EVALUATION,
        }
    )


def files(folder: Path) -> dict[str, bytes]:
    """All that a run leaves but the word where it was played."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    del found["experiment.toml"]
    return found


def trained(folder: Path, *what, **options) -> Run:
    run = create_run(plan(*what, **options), folder)
    train(run)
    return run


@pytest.mark.long
@pytest.mark.parametrize(("learner", "trials", "options"), [
    ("neat", 1, {"generations": 3, "pop_size": 12, "games": 2}),
    ("neat", 4, {"generations": 3, "pop_size": 6, "games": 1}),
    ("coevolution", 1, {"epochs": 5, "hidden": 3, "curve_every": 2}),
    ("td", 2, {"games": 40, "step_games": 10, "hidden": 3, "curve_every": 2, "benchmark_pairs": 2}),
])  # fmt: skip
def test_a_run_is_the_same(learner: str, trials: int, options: dict, machines: Machines, tmp_path: Path) -> None:
    here = trained(tmp_path / "here", learner, trials, "cpu", **options)
    there = trained(tmp_path / "there", learner, trials, "ray", **options)
    assert IN_USE.get() is CPU
    assert files(here.folder) == files(there.folder)


LONG = {"epochs": 150, "hidden": 10, "curve_every": 10}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of several trials on this machine."""
    return trained(tmp_path_factory.mktemp("alone"), "coevolution", 5, "cpu", **LONG)


def test_a_run_whose_workers_are_killed_is_the_same(machines: Machines, alone: Run, tmp_path: Path) -> None:
    run = create_run(plan("coevolution", 5, "ray", **LONG), tmp_path)
    with machines.visited(machines.kill, machines.kill):
        train(run)
    assert files(run.folder) == files(alone.folder)


def test_a_run_moves_from_one_backend_to_another_by_one_word(machines: Machines, alone: Run, tmp_path: Path) -> None:
    """Stopped by Ctrl-C, the word is changed in its file, and it goes on there."""
    run = create_run(plan("coevolution", 5, "cpu", **LONG), tmp_path)
    path, steps = run.folder / "experiment.toml", [0]

    def stop(training, games: int) -> None:
        if training.step >= steps[-1] + 10:
            os.kill(os.getpid(), signal.SIGINT)

    for now, then in (("cpu", "ray"), ("ray", "cpu")):
        with pytest.raises(Stopped, match="stopped at step .* all progress is saved"):
            train(open_run(run.folder), report=stop)
        steps.append(open_run(run.folder).training().step)
        path.write_text(path.read_text().replace(f'backend = "{now}"', f'backend = "{then}"'))
    assert steps == sorted(set(steps)) and steps[-1] < LONG["epochs"]
    train(open_run(run.folder))
    assert files(run.folder) == files(alone.folder)
    assert path.read_bytes() == (alone.folder / "experiment.toml").read_bytes()


SMALL = {"epochs": 6, "hidden": 3, "pairs": 1, "benchmark_pairs": 0, "curve_every": 2}
ON = """
import os, signal, sys
from pathlib import Path
from sparring.errors import Stopped
from sparring.kernel.backend import CPU, IN_USE
from sparring.lab.run import open_run, train
def stop(training, games):
    if training.step >= int(sys.argv[2]):
        print("on", IN_USE.get().name)
        os.kill(os.getpid(), signal.SIGINT)
try:
    train(open_run(Path(sys.argv[1])), report=stop)
except Stopped:
    print("stopped")
"""


@pytest.mark.long
def test_a_run_moves_from_cores_to_a_gpu_to_a_cluster_by_one_word(machines: Machines, tmp_path: Path) -> None:
    """The GPU is Numba's simulated one, in a process of its own."""
    here = trained(tmp_path / "here", "coevolution", 2, "cpu", **SMALL)
    run = create_run(plan("coevolution", 2, "cpu", **SMALL), tmp_path / "moved")
    path = run.folder / "experiment.toml"
    for now, then, until, env in (("cpu", "cuda", 2, {}), ("cuda", "ray", 4, SIMULATED)):
        words = [sys.executable, "-c", ON, run.folder, str(until)]
        done = subprocess.run(words, env={**os.environ, **env}, capture_output=True, text=True)
        assert done.stdout == f"on {'cuda' if env else 'cpu'}\nstopped\n", done.stderr[-2000:]
        assert open_run(run.folder).training().step == until
        path.write_text(path.read_text().replace(f'backend = "{now}"', f'backend = "{then}"'))
    assert open_run(run.folder).experiment.backend == "ray"
    train(open_run(run.folder))
    for one, other in zip(open_run(run.folder).training().champions(), here.training().champions(), strict=True):
        np.testing.assert_allclose(one.weights, other.weights, rtol=2e-4, atol=2e-5)


def test_what_a_worker_finds_wrong_is_told_in_its_words(machines: Machines) -> None:
    with use_backend("ray"):
        cluster = IN_USE.get()
        assert isinstance(cluster, Cluster) and (cluster.workers, cluster.cores, cluster.gpus) == (2, 1, 0)
        with pytest.raises(UserError, match="^unknown game 'gulf': did you mean 'golf'"):
            cluster.map(game_of_worker, [("golf",), ("gulf",)])


@pytest.mark.long
def test_a_gpu_is_used_where_ray_has_one_and_if_it_does_not_work_the_cores_beside_it(machines: Machines) -> None:
    node = machines.cluster.add_node(num_cpus=2, num_gpus=1)
    try:
        with use_backend("ray"):
            cluster = IN_USE.get()
            assert isinstance(cluster, Cluster) and (cluster.workers, cluster.cores, cluster.gpus) == (1, 2, 1)
            there = sparring.match("golf", "random", "greedier", pairs=20)
    finally:
        machines.cluster.remove_node(node)
    assert without_seconds(there) == without_seconds(sparring.match("golf", "random", "greedier", pairs=20))


# One line for what is wrong.


def copy_of_package(folder: Path, file: str, was: str, now: str) -> Path:
    """The package with one thing changed."""
    source = Path(sparring.__file__).parent
    shutil.copytree(source, folder / "sparring", ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    path = folder / "sparring" / file
    path.write_text(path.read_text().replace(was, now))
    assert path.read_text() != (source / file).read_text()
    return folder


@pytest.mark.long
@pytest.mark.parametrize(("file", "was", "now", "told"), [
    ("__init__.py", sparring.__version__, "0.0.1", f"has sparring 0.0.1, and this machine {sparring.__version__}"),
    ("learn/td.py", "rate", "rhythm", f"has other sources of sparring {sparring.__version__} than this machine"),
])  # fmt: skip
def test_a_machine_with_another_version_is_refused_before_any_game(
    file: str, was: str, now: str, told: str, machines: Machines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = copy_of_package(tmp_path / "other", file, was, now)
    node = machines.cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(other)})
    try:
        words = ["match", "golf", "random", "greedier", "--backend", "ray", "--runs", str(tmp_path / "runs")]
        assert main(words) == 2
    finally:
        machines.cluster.remove_node(node)
    error = capsys.readouterr().err
    assert (
        error.startswith("sparring: backend = 'ray': worker ")
        and f" {told}; install the same on every machine" in error
    )
    assert len(error.splitlines()) == 1


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An address where somebody listens who is no cluster; this process has joined none."""
    monkeypatch.setattr(pytest.importorskip("ray"), "is_initialized", lambda: False)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(600)

        def answer() -> None:
            with suppress(OSError):
                line, _ = listener.accept()
                line.recv(100)
                line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                line.close()

        threading.Thread(target=answer, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def test_an_address_without_a_cluster_is_told_in_one_line(nowhere: str, tmp_path: Path) -> None:
    """In a process of its own: Ray ends the process whose cluster does not answer in time."""
    words = ["match", "golf", "random", "greedier", "--backend", "ray", "--runs", str(tmp_path)]
    for address, reason in ((nowhere, "another program listens there"), ("127.0.0.1:9", "refused")):
        done = subprocess.run(
            [sys.executable, "-m", "sparring", *words],
            env=os.environ | {"RAY_ADDRESS": address}, cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 2, done.stderr
        (error,) = done.stderr.splitlines()
        assert (
            error.startswith(f"sparring: backend = 'ray': no cluster at RAY_ADDRESS = {address} ") and reason in error
        )


def test_without_ray_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["match", "golf", "random", "greedier", "--backend", "ray", "--runs", str(tmp_path)]) == 2
    told = "sparring: backend = 'ray': Ray is not installed; run: pip install 'sparring[cluster]'\n"
    assert capsys.readouterr().err == told


def test_ray_is_imported_only_where_it_is_used(tmp_path: Path) -> None:
    code = (
        "import sys, sparring; sparring.match('golf', 'random', 'random', pairs=2); import sparring.cli.commands; "
        "assert 'ray' not in sys.modules and 'psycopg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


# The last of the two machines' tests, for then there is one.


@pytest.mark.long
def test_a_machine_lost_in_the_middle_of_a_match_changes_nothing(machines: Machines) -> None:
    """Its processes end with it, at once."""
    here = sparring.match("golf", "champion", "greedier", pairs=2000, seed=6)
    with machines.visited(machines.lose):
        there = sparring.match("golf", "champion", "greedier", pairs=2000, seed=6, backend="ray")
    assert without_seconds(here) == without_seconds(there)
    assert len(machines.nodes) == 1
    with use_backend("ray"):
        cluster = IN_USE.get()
        assert isinstance(cluster, Cluster) and cluster.workers == 1


# The command line on a cluster of its own.


@pytest.mark.long
def test_a_cluster_of_one_s_own_is_started_stopped_by_ctrl_c_and_gone_on_with(alone: Run, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    run = create_run(plan("coevolution", 5, "cpu", **LONG), tmp_path)
    environment = {key: value for key, value in os.environ.items() if key != "RAY_ADDRESS"}
    kept = tmp_path / "cache"
    unmarked = shutil.ignore_patterns("*.ready", "*.tmp.*", "bounds-checked")
    shutil.copytree(CACHE.parent, kept, ignore=unmarked)  # so that the worker says that it compiles
    environment["SPARRING_CACHE"] = str(kept)
    words = [sys.executable, "-m", "sparring", "resume", str(run.folder), "--backend", "ray", "--threads", "1"]
    process = subprocess.Popen(
        words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stderr
        told: list[str] = []
        while not any(COMPILING.fullmatch(line) for line in told):  # Ray brings it late
            told.append(process.stderr.readline().rstrip("\n"))
            assert process.poll() is None, told
        while not run.checkpoint.exists():
            assert process.poll() is None, told
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everyone hears it
        told += process.communicate(timeout=600)[1].splitlines()
    finally:
        process.kill()
    assert process.returncode == 130
    assert told[0] == "no RAY_ADDRESS: a cluster is started on this machine alone"
    assert told[-1].startswith("sparring: stopped at step ") and "all progress is saved" in told[-1]
    assert 0 < run.training().step < LONG["epochs"]
    train(run)
    assert files(run.folder) == files(alone.folder)
