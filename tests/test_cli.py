"""The command line: what each command prints, and one line with status 2 for whatever is wrong."""

import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import sparring
from sparring.cli import demo, main
from sparring.games import find_game
from sparring.lab import bench
from sparring.learn import LEARNERS
from sparring.nets.files import read_tensors, write_tensors

SMALL = ["--hidden", "2", "--epochs", "3", "--curve-every", "1"]


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> Path:
    """A folder with a finished run `runs/x`, a log `x.log`, and a net `net.safetensors`."""
    folder = tmp_path_factory.mktemp("here")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        assert main(["train", "golf", "--name", "x", "--trials", "2", *SMALL]) == 0
        assert main(["match", "golf", "random", "greedier", "--pairs", "1", "--log", "x.log"]) == 0
        Path("net.safetensors").write_bytes(Path("runs/x/champion.safetensors").read_bytes())
        Path("text.safetensors").write_text("not a net")
        Path("cut.safetensors").write_bytes(Path("net.safetensors").read_bytes()[:-8])
        Path("empty").mkdir()
        Path("unfinished").mkdir()
        Path("unfinished/experiment.toml").write_bytes(Path("runs/x/experiment.toml").read_bytes())
    return folder


@pytest.fixture(autouse=True)
def inside(here, monkeypatch) -> None:
    monkeypatch.chdir(here)


def said(capsys, *words: object) -> str:
    """What a command that succeeds prints."""
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def told(capsys, *words: object) -> dict:
    """The one JSON object that a command prints, strictly read: no NaN, nothing before or after."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    out = said(capsys, *words, "--json")
    assert out.count("\n") == 1
    return json.loads(out, parse_constant=refuse)


def refused(capsys, *words: object) -> str:
    """The one line of a command that is refused."""
    assert main([str(word) for word in words]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("sparring: ") and streams.err.count("\n") == 1
    return streams.err


# What is printed.


def test_games_are_listed_with_seats_and_encodings(capsys):
    out = said(capsys, "games")
    assert "golf" in out and "2 or 3 or 4" in out and "state-hand" in out


def test_players_are_listed_with_what_they_do(capsys):
    out = said(capsys, "players", "golf")
    assert all(name in out for name in find_game("golf").policy_names)


def interval(values: list) -> bool:
    return len(values) == 3 and values[1] <= values[0] <= values[2]


def test_a_match_as_json_has_the_shape_of_the_design(capsys):
    found = told(capsys, "match", "golf", "greedier", "random", "--pairs", 20, "--seed", 3)
    assert (found["game"], found["rules"], found["seed"], found["pairs"], found["games"]) == ("golf", 1, 3, 20, 40)
    assert [player["name"] for player in found["players"]] == ["greedier", "random"]
    assert sum(player["wins"] for player in found["players"]) + found["draws"] == 40
    for player in found["players"]:
        assert set(player["measures"]) == {"matches_per_game", "turns_per_round", "rounds_ended", "stalemates"}
        assert all(map(interval, [player["win_rate"], player["score"], *player["measures"].values()]))
    assert found["players"][0]["score"][0] < found["players"][1]["score"][0]


def test_a_match_of_one_pair_is_json_too(capsys):
    found = told(capsys, "match", "golf", "random", "random", "--pairs", 1)
    assert found["players"][0]["score"][1:] == [None, None]


def test_a_match_is_the_same_on_one_thread_and_two(capsys):
    one, two = (told(capsys, "match", "golf", "random", "greedier", "--pairs", 10, "--threads", n) for n in (1, 2))
    assert one | {"seconds": 0} == two | {"seconds": 0}


def test_a_match_as_a_table_says_how_many_games_and_which_seed(capsys):
    out = " ".join(said(capsys, "match", "golf", "random", "greedier", "--pairs", 5, "--seed", 9).split())
    assert "10 games in 5 deals" in out and "seed 9" in out and "turns per round" in out


@pytest.mark.parametrize("net", ["runs/x", "net.safetensors", "runs/x/champions/001.safetensors"])
def test_nets_and_runs_play_by_their_path(capsys, net):
    assert told(capsys, "match", "golf", net, "random", "--pairs", 2)["players"][0]["name"] == Path(net).stem


@pytest.mark.parametrize("seats, games", [(3, 6), (4, 24)])
def test_more_players_meet_in_every_seating(capsys, seats, games):
    assert told(capsys, "match", "golf", *["random"] * seats, "--pairs", 1)["games"] == games


def test_a_tournament_as_json_has_the_shape_of_the_design(capsys):
    found = told(capsys, "tournament", "golf", "random", "greedier", "runs/x", "--pairs", 4)
    assert len(found["players"]) == len(found["table"]) == 3 and found["games"] == 3 * 8
    assert found["players"][0]["name"] == "greedier"
    assert all(set(player) == {"name", "rating", "win_rate", "score"} for player in found["players"])
    assert all(interval(player["rating"]) for player in found["players"])
    assert [found["table"][i][i] for i in range(3)] == [None] * 3


def test_a_tournament_prints_ranking_and_tables(capsys):
    out = said(capsys, "tournament", "golf", "random", "greedier", "--pairs", 2)
    assert "ranking" in out and "games won by the row" in out and "mean score of the row" in out


def test_in_a_tournament_at_a_larger_table_each_plays_alone_against_the_other(capsys):
    words = ["tournament", "hearts:rounds=1", "rule-based", "random", "random", "--pairs", 5]
    found = told(capsys, *words)
    assert found["games"] == 3 * 2 * 4 * 5 and found["players"][0]["name"] == "rule-based"
    rule, random, other = range(3)
    assert found["table"][rule][random] == found["table"][rule][other] > 0.4
    assert found["table"][random][rule] < 0.25 and found["score_table"][rule][random] < 6.5
    assert all(interval(player["rating"]) for player in found["players"])
    out = " ".join(said(capsys, *words).split())
    assert "120 games, 5 deals for each two players; each plays alone against 3 of the other in every seat" in out
    assert "games won by the row against 3 of the column" in out


def test_a_training_says_where_the_champion_is(capsys, here):
    out = said(capsys, "train", "golf", "--name", "y", "--seed", 4, *SMALL)
    assert out.splitlines()[-1] == "champion: runs/y/champion.safetensors"
    assert sparring.load(here / "runs/y").experiment.seed == 4


def test_names_that_look_like_markup_are_printed_as_they_are(capsys, here):
    shutil.copy(here / "runs/x/champion.safetensors", here / "a[red]b.safetensors")
    assert "a[red]b" in said(capsys, "match", "golf", "a[red]b.safetensors", "random", "--pairs", 1)


def test_a_report_is_one_html_file(capsys, here):
    assert said(capsys, "report", "runs/x", "--out", "report.html") == "report: report.html\n"
    assert said(capsys, "report", "runs/x", "runs/x", "--out", "two.html") == "report: two.html\n"
    assert (
        ">The runs together</h2>" in Path("two.html").read_text() and "The runs" not in Path("report.html").read_text()
    )
    assert "<html" in (here / "report.html").read_text()


def test_a_replay_begins_with_the_first_round_and_ends_with_the_score(capsys):
    out = said(capsys, "replay", "x.log", "--game", 2)
    assert out.startswith("round 1: ") and out.splitlines()[-1].startswith("final score: ")


def test_the_demo_trains_plays_and_reports(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "PAIRS", 5)
    out = said(capsys, "demo", "--epochs", 2, "--runs", tmp_path)
    assert "against random" in out and "against greedier" in out
    assert Path(out.splitlines()[-1].removeprefix("report: ")).exists()


def test_a_bench_as_json_names_game_what_and_where(capsys, monkeypatch):
    monkeypatch.setattr(bench, "EPOCHS", 1)
    monkeypatch.setattr(bench, "BATCH", 4)
    monkeypatch.setattr(bench, "interpreted_speed", lambda game: 1.0)
    monkeypatch.setattr(bench, "start_seconds", lambda game: 1.0)
    found = told(capsys, "bench", "golf", "--seconds", 0.1)
    assert set(found) == {"machine", "versions", "figures"}
    assert found["figures"]["golf.net_games_per_second.one_core"] > 10
    assert found["figures"]["golf.net_games_per_second.all_cores"] > 10
    assert found["figures"]["golf.random_games_per_second.one_core"] > 10


@pytest.mark.parametrize("words", [["--help"], ["train", "--help"], ["match", "--help"]], ids=str)
def test_help_is_printed(capsys, words):
    assert said(capsys, *words).startswith("Usage: ")


def test_the_list_of_commands_cuts_no_sentence(capsys):
    lines = said(capsys, "--help").partition("Commands:")[2].strip().splitlines()
    assert len(lines) > 20
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


def test_the_help_lists_the_learners_and_the_options_of_one(capsys):
    out = said(capsys, "train", "--help")
    assert f"Learners: {', '.join(LEARNERS)}." in out
    assert "--curve-every 10: epochs averaged in one point of the curves" in out and "--rate-end" not in out
    for words in (["--help", "--learner", "td"], ["golf", "--learner=td", "--help"]):
        out = said(capsys, "train", *words)
        assert "  --rate-end 0.1: " in out and "--mutation" not in out
    assert "unknown learner 'tdd'" in refused(capsys, "train", "--help", "--learner", "tdd")


@pytest.mark.parametrize(
    "words, expected",
    [("sparring to", "tournament"), ("sparring match gol", "golf"), ("sparring train golf --learner td-", "td-batch")],
)
def test_the_shell_completes_commands_games_and_learners(words, expected):
    count = len(words.split()) - 1
    asked = {"_SPARRING_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    code = "import sys; sys.argv[0] = 'sparring'; from sparring.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True)
    assert done.stdout.split() == [expected], done.stderr


def test_completion_can_be_installed(capsys, tmp_path):
    asked = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1", "HOME": str(tmp_path)}
    code = "import sys; sys.argv[0] = 'sparring'; from sparring.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "--install-completion", "bash"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True)
    assert done.returncode == 0 and "_SPARRING_COMPLETE" in (tmp_path / ".bash_completions/sparring.sh").read_text()


# What is wrong.

MATCH = ["match", "golf", "random"]
REFUSED = [
    (["frob"], "No such command 'frob'"),
    (["games", "--frob"], "No such option: --frob"),
    (["match"], "Missing argument"),
    (["match", "golf"], "Missing argument"),
    (["players", "golff"], "unknown game 'golff': did you mean 'golf'?"),
    (["match", "..", "random", "random"], "game '..'"),
    (["match", "chess", "random", "random"], "unknown game 'chess': known: golf"),
    ([*MATCH], "golf is for 2 or 3 or 4 players, not 1"),
    ([*MATCH, *["random"] * 4], "golf is for 2 or 3 or 4 players, not 5"),
    ([*MATCH, "randon"], "unknown player 'randon': did you mean 'random'?"),
    ([*MATCH, "net"], "player 'net': name a net file or a run's folder"),
    ([*MATCH, ""], "unknown player ''"),
    ([*MATCH, "x" * 300], "unknown player"),
    ([*MATCH, "none.safetensors"], "none.safetensors: no such file"),
    ([*MATCH, "text.safetensors"], "text.safetensors: not a safetensors file"),
    ([*MATCH, "cut.safetensors"], "cut.safetensors: not a safetensors file, or truncated"),
    ([*MATCH, "x.log"], "x.log: not a safetensors file"),
    ([*MATCH, "empty"], "empty: no champion.safetensors"),
    ([*MATCH, "unfinished"], "sparring resume unfinished"),
    ([*MATCH, "random", "--pairs", "0"], "--pairs"),
    ([*MATCH, "random", "--pairs", "many"], "--pairs"),
    ([*MATCH, "random", "--pairs", str(10**12)], "pairs"),
    ([*MATCH, "random", "--pairs", str(10**30)], "pairs"),
    ([*MATCH, "random", "--seed", "-1"], "--seed"),
    ([*MATCH, "random", "--seed", str(2**64)], "--seed"),
    ([*MATCH, "random", "--threads", "-1"], "--threads"),
    ([*MATCH, "random", "--pairs", "1", "--log", "x.log"], "x.log: exists already"),
    ([*MATCH, "random", "--pairs", "1", "--log", "/dev/null/x.log"], "/dev/null/x.log"),
    ([*MATCH, "random", "--pairs", "1", "--runs", "/dev/null/x"], "/dev/null/x: cannot be written"),
    (["tournament", "golf", "random"], "a tournament needs two players or more"),
    (["tournament", "golf", "random", "randon"], "unknown player 'randon'"),
    (["tournament", "golf", "random", "random", "--pairs", "0"], "--pairs"),
    (["tournament", "golf", "random", "random", "--pairs", str(10**12)], "pairs"),
    (["play", "golf", "--against", "randon"], "unknown player 'randon'"),
    (["play", "golf", "--seat", "-1"], "--seat"),
    (["play", "golf", "--seed", str(2**64)], "--seed"),
    (["play", "golf", "--log", "x.log"], "x.log: exists already"),
    (["record", "golff"], "unknown game 'golff': did you mean 'golf'?"),
    (["train"], "Missing argument"),
    (["train", "none.toml"], "none.toml: no such file"),
    (["train", "golff"], "unknown game 'golff'"),
    (["train", ".."], "game '..'"),
    (["train", "golf", "--learner", "net"], "unknown learner 'net': did you mean 'neat'?"),
    (["train", "golf", "--epoch", "3"], "--epoch: unknown option; did you mean epochs?"),
    (["train", "golf", "--epochs"], "--epochs"),
    (["train", "golf", "--epochs", "many"], "--epochs = 'many': must be a whole number"),
    (["train", "golf", "--epochs", "0"], "learner.epochs = 0: must be"),
    (["train", "golf", "--mutation", "nan"], "learner.mutation = nan: must be"),
    (["train", "golf", "--encoding", "hands"], "golf has hand, state, state-hand"),
    (["train", "golf", "--benchmark", "randon"], "unknown player 'randon'"),
    (["train", "golf", "--benchmark", "net.safetensors"], "learner.benchmark"),
    (["train", "golf", "--trials", "0"], "--trials"),
    (["train", "golf", "--trials", "100001"], "trials = 100001: must be from 1 to 100000"),
    (["train", "golf", "--name", "../x"], "name = '../x': must be a plain file name"),
    (["train", "golf", "--name", "a\udcff", *SMALL], "must be a plain file name"),
    (["train", "golf", "--name", "x", *SMALL], "runs/x: exists already; resume it (sparring resume runs/x)"),
    (["train", "golf", "junk"], "'junk': learner options are written --key value"),
    (["train", "golf", *SMALL, "--runs", "/dev/null/x"], "/dev/null/x"),
    (["train", "golf", *SMALL, "--runs", "x.log"], "x.log"),
    (["resume", "none"], "none: not a run"),
    (["resume", "empty"], "empty: not a run"),
    (["resume", "x.log"], "x.log: not a run"),
    (["replay", "none.log"], "none.log: no such file"),
    (["replay", "empty"], "empty: cannot be read"),
    (["replay", "net.safetensors"], "net.safetensors: not a game log"),
    (["replay", "x.log", "--game", "0"], "--game"),
    (["replay", "x.log", "--game", "3"], "x.log: has 2 games; --game 3 is too large"),
    (["replay", "x.log", "--round", "99"], "x.log: game 1 has no round 99"),
    (["report", "none"], "none: not a run"),
    (["report", "unfinished"], "finish it with: sparring resume unfinished"),
    (["report", "runs/x", "--out", "/dev/null/x.html"], "/dev/null/x.html"),
    (["report", "runs/x", "--out", "empty"], "empty"),
    (["reproduce", "chess"], "unknown study 'chess': known: golf"),
    (["reproduce", "golf", "--budget", "huge"], "--budget huge: must be one of quick, paper, deep"),
    (["reproduce", "golf", "--runs", "/dev/null/x"], "/dev/null/x"),
    (["bench", "chess"], "unknown game 'chess'"),
    (["bench", "--seconds", "0"], "--seconds"),
    (["bench", "--seconds", "nan"], "--seconds"),
    (["demo", "--game", "chess"], "unknown game 'chess'"),
    (["demo", "--runs", "/dev/null/x"], "/dev/null/x"),
]


@pytest.mark.parametrize("words, fragment", REFUSED, ids=[" ".join(words)[:60] for words, _ in REFUSED])
def test_what_is_wrong_is_said_in_one_line(capsys, words, fragment):
    assert fragment in refused(capsys, *words)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_errors_leave_standard_output_empty_for_programs_too(capsys, command):
    refused(capsys, command, "golf", "random", "nobody", "--json")


# Nets that are not what they say.


def other_net(here: Path, **said_instead: object) -> None:
    tensors, description = read_tensors(here / "net.safetensors")
    write_tensors(here / "other.safetensors", tensors, description | said_instead)


@pytest.mark.parametrize(
    "key, value, fragment",
    [
        ("game", "hearts", "a net for hearts, not for golf"),
        ("rules", 2, "trained under rules version 2 of golf; this is version 1: train it again"),
        ("encoding", "hands", "unknown encoding 'hands'; golf has hand, state, state-hand"),
        ("encoding", "state", "90 inputs, but 'state' of golf has 486"),
        ("encoding", ["hand"], "not a net"),
        ("shape", [90, 3, 1], "must be float32 of shape [3, 90]"),
        ("shape", [90, 2, 7], "7 outputs; nets of golf have 1 (value)"),
        ("shape", [90, 2.0, 1], "shape"),
        ("shape", [90, "2", 1], "shape"),
        ("shape", [90, 2], "not a net"),
        ("shape", 5, "not a net"),
        ("ancestry", 5, "not a net"),
    ],
)
def test_a_net_of_another_kind_is_refused(capsys, here, key, value, fragment):
    other_net(here, **{key: value})
    line = refused(capsys, *MATCH, "other.safetensors")
    assert "other.safetensors: " in line and fragment in line


TENSORS = {
    "a weight that is no number": {"output.bias": np.array([np.nan], np.float32)},
    "a weight beyond single precision": {"output.bias": np.array([1e300])},
    "layers of other sizes": {"hidden.bias": np.zeros(1, np.float32), "output.weight": np.zeros((1, 3), np.float32)},
}


@pytest.mark.parametrize("what", TENSORS)
def test_a_net_with_wrong_weights_is_refused(capsys, here, what):
    tensors, description = read_tensors(here / "net.safetensors")
    write_tensors(here / "other.safetensors", tensors | TENSORS[what], description)
    assert "other.safetensors: " in refused(capsys, *MATCH, "other.safetensors")


@pytest.mark.parametrize("description", ["", "[]", "3", "{}", "[" * 100_000], ids=lambda text: text[:3])
def test_a_net_that_describes_itself_wrongly_is_refused(capsys, here, description):
    tensors, _ = read_tensors(here / "net.safetensors")
    save_file(tensors, here / "other.safetensors", {"sparring": description})
    assert "other.safetensors: " in refused(capsys, *MATCH, "other.safetensors")


def test_somebody_elses_safetensors_file_is_refused(capsys, here):
    save_file({"x": np.zeros(3)}, here / "other.safetensors")
    assert "not one of Sparring's" in refused(capsys, *MATCH, "other.safetensors")


@pytest.mark.parametrize("kind", ["BF16", "F8_E5M2"])
def test_numbers_of_a_kind_numpy_does_not_know_are_refused(capsys, here, kind):
    size = 2 if kind == "BF16" else 1
    head = {"x": {"dtype": kind, "shape": [1], "data_offsets": [0, size]}, "__metadata__": {"sparring": "{}"}}
    text = json.dumps(head).encode()
    (here / "other.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(size))
    assert "other.safetensors: " in refused(capsys, *MATCH, "other.safetensors")


def test_loading_a_net_runs_no_code(here, tmp_path, monkeypatch):
    (tmp_path / "intruder.py").write_text("raise SystemExit('code was run')")
    monkeypatch.syspath_prepend(tmp_path)
    other_net(here, game="intruder.game")
    with pytest.raises(sparring.errors.UserError):
        sparring.load(here / "other.safetensors")


def test_a_net_cut_anywhere_is_refused(capsys, here):
    whole = (here / "net.safetensors").read_bytes()
    for cut in range(0, len(whole), 37):
        (here / "other.safetensors").write_bytes(whole[:cut])
        assert "other.safetensors: not a safetensors file" in refused(capsys, *MATCH, "other.safetensors")


# Pipes, encodings, Ctrl-C.


def run(*words: str, **how) -> subprocess.CompletedProcess:
    code = "import sys; from sparring.cli import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, **how)


def test_a_reader_who_stops_listening_is_no_error_to_speak_of():
    reader, writer = os.pipe()
    os.close(reader)
    done = run("replay", "x.log", stdout=writer)
    os.close(writer)
    assert done.stderr == ""


def test_a_terminal_that_knows_no_suits_gets_something_in_their_place():
    done = run(
        "replay", "x.log", "--round", "1", stdout=subprocess.PIPE, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("round 1: ")


def test_output_that_cannot_be_written_is_said(capsys, monkeypatch):
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Full())
        assert main(["replay", "x.log"]) == 1
    assert "No space left on device" in capsys.readouterr().err


def test_ctrl_c_during_a_match_says_so(capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("sparring.arena.match.play", interrupted)
    assert main([*MATCH, "random"]) in (1, 130)
    assert capsys.readouterr().err.splitlines()[-1].startswith("sparring: stopped")


def test_ctrl_c_stops_a_match_at_once():
    """Not after all of its 400,000 games."""
    sparring.match("golf", "random", "random", pairs=1)
    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        sparring.match("golf", "random", "random", pairs=200_000, threads=2)
    assert time.process_time() - began < 3
