"""The record of results: complete files, figures of pages that come from them, and no figure that does not."""

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from benchmarks import luck_null
from benchmarks import store as storing
from benchmarks.store import measured, nets, store

from sparring.arena.ladder import shipped
from sparring.arena.players import find_players, net_hashes
from sparring.games import GAMES, find_game

ROOT = Path(__file__).parent.parent
STORED = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "results").glob("*.json"))}
FIELDS = {"command", "seed", "commit", "date", "machine", "nets", "result"}
CITED = re.compile(r"<!-- ([\w/-]+) \S+ \S+ -->.*?<!-- / -->")
RENDERED = re.compile(r"<!-- results: .+? -->.*?<!-- end -->", re.DOTALL)
CODE = re.compile(r"`[^`]*`", re.DOTALL)
LINK = re.compile(r"\]\([^)]*\)")

# What the pages say in digits and is no result of ours: what studies published, settings, and what games are played to.
NO_RESULTS = [
    "10 to 30 hours", "(30 trials each)", "0-ply", "H200", "(25% is even)", "100 runs", "95%", "25% is even", "3.11",
    "Appendix A", "threshold of 15 points", "80 hidden units", "40 hidden units", "20 hidden units", "case 4", "case 5", "Case 5",
    "30 trials of a million games", "(20,000 games for TD, 10,000 for\nhill-climbing)", "Matches to 100", "(2,000 matches\neach",
    "349-60-1", "1,500,000 hands", "study of 2003", "after 5,000 games", "games to 100", "100 simulations per card",
    "10 points of rating", "all outputs are 1", "mean of 20 seeds", "rates of 5%", "of 20 stronger", "of 20 not stronger",
    "net+patient", "99% within", "99% of the tables",
]  # fmt: skip


def uncited(text: str) -> list[str]:
    """The lines of a text that have digits which neither come from a stored result nor are known to be none."""
    for pattern in (RENDERED, CITED, CODE, LINK):
        text = pattern.sub(" ", text)
    for words in NO_RESULTS:
        text = text.replace(words, " ")
    text = text.replace("champion-40", " ")
    return [line for line in text.splitlines() if re.search(r"\d", line)]


def results_of_readme() -> str:
    text = (ROOT / "README.md").read_text()
    return text[text.index("## Results") : text.index("## Read on")]


def test_no_figure_lacks_a_stored_result() -> None:
    assert uncited(results_of_readme()) == []
    assert uncited((ROOT / "docs" / "findings.md").read_text()) == []
    page = (ROOT / "docs" / "web.md").read_text()
    assert uncited(page[page.index("## Speed") : page.index("## Pictures")]) == []


def test_the_page_answers_soon_enough() -> None:
    """Below 100 ms for all levels but the strongest of each game, and below 500 ms for those."""
    result = STORED["answers"]["result"]
    assert result["others_ms"] < 100 and result["strongest_ms"] < 500
    assert {row["game"] for row in result["levels"]} == set(GAMES)


def test_a_figure_without_a_stored_result_is_noticed() -> None:
    assert uncited("| new | 65.3% (64.6 to 65.9) |") == ["| new | 65.3% (64.6 to 65.9) |"]
    assert (
        uncited(results_of_readme().replace("<!-- / -->", " and 7<!-- / -->", 1)) == []
    )  # the comparison below sees it
    assert uncited(results_of_readme() + "\nIt wins 7 games.") == ["It wins 7 games."]


def test_the_pages_are_rendered_from_the_stored_results() -> None:
    command = [sys.executable, "docs/render_results.py", "--check"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stderr == ""


@pytest.mark.parametrize("name", STORED)
def test_a_stored_result_says_how_it_was_measured(name: str) -> None:
    found = STORED[name]
    assert set(found) >= FIELDS
    assert found["command"].split()[0] in ("sparring", "python", "make")
    assert date.fromisoformat(found["date"]) <= date.today()
    for commit in found["commit"].split(", "):
        assert re.fullmatch(r"[0-9a-f]{7,12}", commit), "measured with uncommitted changes"
    assert "carried_over" in found or found["core_seconds"] > 0


@pytest.mark.parametrize("name", [name for name, found in STORED.items() if found["nets"]])
def test_the_networks_of_a_stored_result_are_those_of_the_package(name: str) -> None:
    words = STORED[name]["command"].split()
    if words[:2] == ["sparring", "ladder"]:  # it names no player and rates all that come with a game
        game = find_game(words[2])
        assert STORED[name]["nets"] == net_hashes(find_players(game, shipped(game)))
    else:
        assert STORED[name]["nets"] == nets(words)


@pytest.mark.parametrize("game", luck_null.NULLS)
def test_a_null_match_was_judged_by_the_present_judge(game: str, tmp_path: Path) -> None:
    present = luck_null.Match(game, 1, tmp_path / "none", 1)
    assert STORED[f"luck-null-{game}"]["result"]["nets"] == present.nets()


def intervals(value: object) -> list[list[float]]:
    """All intervals within a JSON value."""
    if isinstance(value, dict):
        return [one for inner in value.values() for one in intervals(inner)]
    if isinstance(value, list) and len(value) == 3 and all(isinstance(x, (int, float)) for x in value):
        return [value]
    return [one for inner in value for one in intervals(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("name", STORED)
def test_the_intervals_of_a_stored_result_contain_their_values(name: str) -> None:
    listed = {key: value for key, value in STORED[name]["result"].items() if key != "profiles"}
    for player in listed.get("players", []):
        player.pop("profiles", None)
    assert all(low <= value <= high for value, low, high in intervals(listed))


def test_storing_measures_a_command(tmp_path: Path) -> None:
    found = measured("sparring match golf greedier random --pairs 20 --seed 5", tmp_path / "runs")
    assert found["seed"] == found["result"]["seed"] == 5
    assert np.isclose(found["result"]["games"], 40)
    assert found["nets"] == {}
    assert "resumed" not in found


@pytest.mark.parametrize(
    "words", [["sparring", "ladder", "golf", "--within", "15"], ["python", "-m", "benchmarks.luck_null", "gin"]]
)
def test_commands_that_write_their_results_are_run_as_they_are(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = []
    monkeypatch.setattr(storing, "RESULTS", tmp_path)
    monkeypatch.setattr(storing.subprocess, "run", lambda command, **options: run.append(command))
    store("new", words)
    assert [command[-len(words) + 1 :] for command in run] == [words[1:]]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [["sparring match golf greedier random"], ["make", "bench-gpu"], ["python"], ["", "x"]]
)
def test_what_is_no_command_of_ours_is_refused(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "RESULTS", tmp_path)
    with pytest.raises(SystemExit, match="begins with sparring or python, and each word is an argument of its own"):
        store("new", words)
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_prints_no_json_stores_nothing_unless_it_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "RESULTS", tmp_path)
    for code in ("print('none')", "print([1])"):
        with pytest.raises(SystemExit, match="printed no JSON object, so nothing is stored"):
            store("new", ["python", "-c", code])
    assert list(tmp_path.iterdir()) == []
    store("new", ["python", "-c", "print({})"])
    assert json.loads((tmp_path / "new.json").read_text())["result"] == {}
    for command in ("sparring train golf.toml --seed 2", "sparring reproduce gin"):
        monkeypatch.setattr(subprocess, "run", lambda *words, **more: subprocess.CompletedProcess(words, 0, "done"))
        monkeypatch.setattr(storing, "commit", lambda: "abc")
        assert measured(command, tmp_path / "runs")["result"] == {}


@pytest.mark.parametrize("name", STORED)
def test_stored_commands_are_measured_again_as_they_are(name: str) -> None:
    words = STORED[name]["command"].split()
    assert words[0] == "make" or storing.is_ours(words)
