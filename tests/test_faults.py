"""A sample of `make test-faults`: mutated inputs of every kind that is not mutated elsewhere in the tests."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from amounts import amount
from fault_inputs import FAILED, counted, end_of
from fault_kinds import KINDS, OPEN
from sparring.lab.run import create_run, train
from sparring.web.runners import Runners
from test_runs import TINY, experiment, files

ELSEWHERE = ("nets", "checkpoints")  # test_crafted_nets.py, test_crafted_checkpoints.py


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ELSEWHERE])
def test_mutated_inputs_are_refused_in_one_line_or_accepted(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Runners, "start", lambda self, name: None)
    spoil = KINDS[kind](tmp_path)
    with OPEN:
        ends = {number: end_of(spoil, kind, number) for number in range(amount(25, 2000))}
    assert {number: end for number, end in ends.items() if end.startswith(FAILED)} == {}


def counts(inputs: int, **more: Any) -> dict[str, Any]:
    return {"inputs": inputs, "ends": {"refused": inputs}, "commits": ["a"]} | more


def test_of_each_kind_the_counts_of_most_inputs_are_taken(tmp_path: Path) -> None:
    stored, kept = tmp_path / "stored.json", tmp_path / "kept.json"
    kinds = {"logs": counts(1), "nets": counts(5), "rows": counts(0)}
    stored.write_text(json.dumps({"machine": "x, 2 cores, shared with other work", "result": {"kinds": kinds}}))
    kept.write_text(json.dumps({"logs": counts(3, machines=["y"]), "nets": counts(4, machines=["y"])}))
    for paths in ([stored, kept], [kept, stored]):
        found = counted(paths)
        assert {kind: (each["inputs"], each["machines"]) for kind, each in found.items()} == {
            "logs": (3, ["y"]), "nets": (5, ["x, 2 cores"]),
        }  # fmt: skip


def test_counts_with_failures_are_taken_before_those_of_more_inputs(tmp_path: Path) -> None:
    few, more, most = (tmp_path / f"{name}.json" for name in ("few", "more", "most"))
    few.write_text(json.dumps({"logs": counts(3, traceback=1, failures=["traceback"])}))
    more.write_text(json.dumps({"logs": counts(4, hang=1, failures=["hang"])}))
    most.write_text(json.dumps({"logs": counts(900)}))
    assert counted([few, most])["logs"]["inputs"] == counted([most, few])["logs"]["inputs"] == 3
    assert counted([most, more, few])["logs"]["failures"] == ["hang"]


def test_counts_without_bounds_checks_do_not_count(tmp_path: Path) -> None:
    checked, unchecked = tmp_path / "checked.json", tmp_path / "unchecked.json"
    checked.write_text(json.dumps({"logs": counts(3)}))
    unchecked.write_text(json.dumps({"logs": counts(4, unchecked=True)}))
    assert counted([checked, unchecked])["logs"]["inputs"] == 3
    assert counted([checked, unchecked], unchecked=True)["logs"]["inputs"] == 4


def tried(kept: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command that tries mutated inputs, without time to try any."""
    start = [sys.executable, str(Path(__file__).parent / "fault_inputs.py"), "--kinds", "logs", "--inputs", "500"]
    return subprocess.run(
        [*start, "--minutes", "0", "--kept", str(kept), *words], capture_output=True, text=True, check=False
    )


def test_failures_stay_counted_where_there_is_no_time_to_try_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    failed = counts(500, traceback=1, core_seconds=1.0, failures=["traceback: x"])
    failed["ends"] = {"refused": 499, "traceback": 1}
    kept.write_text(json.dumps({"logs": failed}))
    done = tried(kept, "--json")
    assert json.loads(done.stdout)["traceback"] == 1 and done.returncode == 0
    assert json.loads(kept.read_text())["logs"]["failures"] == ["traceback: x"]
    assert tried(kept).returncode == 1


def test_where_no_input_was_tried_nothing_is_counted(tmp_path: Path) -> None:
    done = tried(tmp_path / "none.json", "--json")
    assert done.returncode == 1 and done.stderr.strip().endswith("no input was tried, and none was counted before")


def test_the_lock_of_a_process_that_was_killed_at_the_very_end_is_removed(tmp_path: Path) -> None:
    run = create_run(experiment(**TINY), tmp_path)
    train(run)
    before = files(run.folder)
    (run.folder / "lock").write_text("process 1 on x")
    train(run)
    assert files(run.folder) == before
