"""Programs of others at the table: a stand-in for GNU Backgammon that speaks its protocol, what it does wrong, and going on."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from benchmarks.others import EXTERNAL, gnubg_self_play

import sparring
from sparring.arena.external import Journal, journal_in
from sparring.arena.play import paired_jobs
from sparring.arena.players import Chooser, Contestant, find_player, find_players, pack_players
from sparring.cli import main
from sparring.errors import Failure, Stopped, UserError
from sparring.games import find_game
from sparring.games.backgammon.gnubg import ELSEWHERE, Gnubg, board_line
from sparring.games.game import start_game
from sparring.lab.log import read_log

BACKGAMMON, GOLF = find_game("backgammon"), find_game("golf")
REAL = shutil.which("gnubg", path=os.pathsep.join((os.environ.get("PATH", ""), ELSEWHERE)))
PAIRS, LATE = 3, 90  # LATE answers come after some games of the match, and before its end
LIMIT, PATIENCE = 4.0, 300.0  # seconds that a program which hangs is waited for, and any other

# Plays the first of all positions that a roll leads to, and after so many answers does something else.
STAND_IN = """\
#!{python}
import os, re, socket, sys, time

sys.path.insert(0, {tests!r})
from backgammon_reference import WHITE, Position, plays, steps

options, (commands,) = sys.argv[1:-1], sys.argv[-1:]
assert options == ["-t", "-q", "-r", "-c"] and "DISPLAY" not in os.environ and sys.stdin.read() == ""
said = open(commands).read()
assert os.environ["HOME"] == os.path.dirname(commands) and "plies 0" in said and "cubeful off" in said
what, _, after = os.environ.get("STAND_IN", "").partition(" ")
with open(os.path.join(os.path.dirname(__file__), "pids"), "a") as pids:
    print(os.getpid(), file=pids)
if what == "deaf":
    time.sleep(600)


def step_text(before, now, pips):
    start = next(place for place in range(25) if (now.points + now.bar)[place] < (before.points + before.bar)[place])
    return f"{{start + 1}}/{{max(start + 1 - pips, 0) or 'off'}}{{'*' * (now.bar[1] > before.bar[1])}} "


def answer(board):
    fields = [int(word) for word in board.split(":")[3:]]
    points, dice, (my_off, their_off) = fields[3:29], fields[30:32], fields[41:43]
    position = Position(tuple(points[1:25]), (points[25], -points[0]), (my_off, their_off))
    end, reached = min(plays(position, WHITE, *dice)), {{(position, tuple(dice) * (1 + (dice[0] == dice[1]))): ""}}
    while all(now != end for now, _ in reached):
        reached = {{
            (now, left[:place] + left[place + 1 :]): text + step_text(before, now, pips)
            for (before, left), text in reached.items()
            for place, pips in enumerate(left)
            for now in steps(before, WHITE, pips)
        }}
    return next(text for (now, _), text in reached.items() if now == end)


server = socket.create_server(("127.0.0.1", int(re.search("external localhost:([0-9]+)", said)[1])))
caller, _ = server.accept()
for number, line in enumerate(caller.makefile("r")):
    late = what and number >= int(after)
    if late and what == "dies":
        sys.exit(3)
    if late and what == "hangs":
        time.sleep(600)
    if late and what == "leaves":
        caller.shutdown(socket.SHUT_RDWR)
        time.sleep(600)
    odd = {{"nonsense": "Error: ?!", "illegal": "24/1", "endless": "8/5 " * 100}}.get(what) if late else None
    if line.startswith("evaluation"):
        odd = odd or "0.6 0.2 0.1 0.1 0.0 0.4"
    caller.sendall((odd or answer(line)).encode() + b"\\n")
"""


def begun() -> Gnubg:
    """The stand-in, which may take long to start where much else runs."""
    program = Gnubg(limit=PATIENCE)
    program.limit = LIMIT if os.environ.get("STAND_IN", "").startswith("hangs") else PATIENCE
    return program


@contextmanager
def installed(folder: Path, patched: pytest.MonkeyPatch) -> Iterator[Path]:
    """The stand-in as the program; at the end none of those started may be left, nor a folder of theirs."""
    path, scratch = folder / "stand-in", folder / "scratch"
    path.write_text(STAND_IN.format(python=sys.executable, tests=str(Path(__file__).parent)))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    scratch.mkdir()
    patched.setenv("SPARRING_GNUBG", str(path))
    patched.setenv("TMPDIR", str(scratch))
    patched.setattr("tempfile.tempdir", None)
    patched.setitem(BACKGAMMON.policies.external, "gnubg", begun)
    patched.chdir(folder)
    yield path
    pids = (folder / "pids").read_text().split() if (folder / "pids").exists() else []
    assert eventually(lambda: not any(map(alive, pids))), "a program was left behind"
    assert eventually(lambda: not list(scratch.iterdir())), "a folder was left behind"


@pytest.fixture
def stand_in(tmp_path, monkeypatch) -> Iterator[Path]:
    with installed(tmp_path, monkeypatch) as path:
        yield path


def eventually(fact, seconds=120.0) -> bool:
    deadline = time.monotonic() + seconds
    while not fact() and time.monotonic() < deadline:
        time.sleep(0.02)
    return fact()


def alive(pid: str) -> bool:
    """Whether a process runs: one that has ended but was an orphan may wait for its funeral."""
    try:
        os.kill(int(pid), 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:
        return not Path("/proc/self").exists()


MATCH = ["match", "backgammon", "gnubg", "random", "--pairs", str(PAIRS), "--json"]


def told(capsys, *words: str) -> dict:
    """What a command says as JSON, but for how long it took."""
    assert main([*words]) == 0
    return json.loads(capsys.readouterr().out) | {"seconds": 0}


def failed(capsys, *words: str, status: int = 1) -> str:
    """The one line of a command that fails."""
    assert main([*words]) == status
    streams = capsys.readouterr()
    assert streams.out == "" and streams.err.startswith("sparring: ") and streams.err.count("\n") == 1
    return streams.err


def kept_games(runs: Path = Path("runs")) -> int:
    return sum(path.read_text().count("\n") for path in runs.glob("unfinished/*.jsonl"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict:
    """The match in which nothing goes wrong."""
    with pytest.MonkeyPatch.context() as patched, installed(tmp_path_factory.mktemp("undisturbed"), patched):
        return untimed(sparring.match(BACKGAMMON, "gnubg", "random", pairs=PAIRS))


def untimed(result: sparring.Match | sparring.Tournament) -> dict:
    return result.json() | {"seconds": 0}


# Whole matches.


def test_a_match_is_played_whole_and_leaves_no_journal(capsys, stand_in, undisturbed):
    found = told(capsys, *MATCH)
    assert found == undisturbed and found["games"] == 2 * PAIRS
    assert [player["name"] for player in found["players"]] == ["gnubg", "random"]
    assert len((stand_in.parent / "pids").read_text().split()) == 1, "one program a match is enough"
    assert not Path("runs/unfinished").exists()


def test_a_match_with_a_program_can_be_logged_and_read_again(capsys, stand_in, undisturbed):
    told(capsys, *MATCH, "--log", "x.log")
    log = read_log(Path("x.log"))
    turns = undisturbed["players"][0]["measures"]["turns_per_game"][0]
    assert len(log.games) == 2 * PAIRS and log.tallies()["turns"].mean() == pytest.approx(turns)


def test_a_program_can_play_in_a_tournament_and_against_itself(capsys, stand_in):
    found = told(capsys, "tournament", "backgammon", "gnubg", "pubeval", "gnubg", "--pairs", "1", "--json")
    assert {player["name"] for player in found["players"]} == {"gnubg", "pubeval", "gnubg #2"} and found["games"] == 6


def test_an_evaluation_is_for_the_side_on_roll(stand_in):
    state = start_game(BACKGAMMON, 1, 0, 0, 2)
    with closing(begun()) as program:
        assert program.evaluate(state) == 0.4
        state[0]["rules"]["single"] = 1
        assert program.evaluate(state) == pytest.approx(0.2)  # 60% of games won, and nothing for gammons


def test_the_board_is_told_from_the_side_of_the_seat_to_move():
    s = start_game(BACKGAMMON, 1, 0, 0, 2)[0]
    s["board"] = 0
    s["turn"], s["board"][1, [25, 6, 0]], s["board"][0, [25, 24, 3, 0]] = 1, (2, 12, 1), (1, 3, 10, 1)
    points = "-1:-3:0:0:0:0:12:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-10:0:0:2"
    assert board_line(s, (6, 5)) == f"board:me:op:0:0:0:{points}:1:6:5:0:0:1:1:1:0:1:-1:0:25:1:1:2:1:0:0:0:1"


def test_rivals_are_measured_in_games_a_second(stand_in, monkeypatch):
    assert EXTERNAL["backgammon"]["gnubg.backgammon.games_per_second.one_core"](0.01) > 0
    monkeypatch.setenv("SPARRING_GNUBG", "none")
    assert gnubg_self_play(0.01) is None


# What goes wrong.

WRONG = {
    "dies": "gnubg: exited (status 3)",
    "leaves": "gnubg: closed the connection",
    "hangs": f"gnubg: did not answer within {LIMIT:g} s",
    "nonsense": "gnubg: answered 'Error: ?!', which is not a legal play: 'error:' is not understood",
    "illegal": "gnubg: answered '24/1', which is not a legal play",
    "endless": "gnubg: answered '8/5 8/5",
}


@pytest.mark.parametrize("what", WRONG)
def test_what_the_program_does_wrong_costs_one_line_and_no_game(capsys, stand_in, monkeypatch, undisturbed, what):
    monkeypatch.setenv("STAND_IN", f"{what} {LATE}")
    line = failed(capsys, *MATCH)
    kept = kept_games()
    assert WRONG[what] in line and 0 < kept < 2 * PAIRS
    assert line.endswith(f"; {kept} of {2 * PAIRS} games are kept; resume with the same command\n")
    monkeypatch.delenv("STAND_IN")
    assert told(capsys, *MATCH) == undisturbed
    assert not Path("runs/unfinished").exists()


def test_a_failure_before_the_first_game_is_over_leaves_nothing(capsys, stand_in, monkeypatch):
    monkeypatch.setenv("STAND_IN", "dies 0")
    assert failed(capsys, *MATCH) == "sparring: gnubg: exited (status 3)\n"
    assert not Path("runs/unfinished").exists()


def test_a_program_that_never_listens_is_given_up(stand_in, monkeypatch):
    monkeypatch.setenv("STAND_IN", "deaf")
    with pytest.raises(Failure, match="gnubg: did not listen within 0.5 s of its start"):
        Gnubg(limit=0.5)


def test_a_program_that_is_none_is_said_to_have_ended(tmp_path, stand_in):
    stand_in.write_text("#!/bin/sh\nexit 7\n")
    with pytest.raises(Failure, match="exited .status 7"):
        begun()


def test_an_evaluation_that_is_none_is_quoted(stand_in, monkeypatch):
    monkeypatch.setenv("STAND_IN", "nonsense 0")
    with closing(begun()) as program, pytest.raises(Failure, match="answered 'Error: .!', which is not an evaluation"):
        program.evaluate(start_game(BACKGAMMON, 1, 0, 0, 2))


def test_a_program_that_is_not_installed_is_asked_for(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPARRING_GNUBG", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sparring.games.backgammon.gnubg.ELSEWHERE", str(tmp_path))
    assert failed(capsys, *MATCH, status=2) == "sparring: gnubg: not installed; on Debian: apt install gnubg\n"
    monkeypatch.setenv("SPARRING_GNUBG", "/none")
    assert failed(capsys, *MATCH, status=2) == "sparring: SPARRING_GNUBG = /none: not an executable program\n"
    assert not Path("runs/unfinished").exists()


def test_fewer_checkers_than_it_knows_are_refused(capsys, stand_in):
    line = failed(capsys, "match", "backgammon:start=hypergammon", "gnubg", "random", status=2)
    assert line == "sparring: gnubg: plays with 15 checkers per side, not with 3 and 3\n"


def test_a_program_cannot_be_asked_for_a_million_moves(stand_in):
    with pytest.raises(UserError, match="'gnubg': a program, which plays only matches and tournaments"):
        pack_players(BACKGAMMON, [find_player(BACKGAMMON, "gnubg")])


def test_the_name_of_a_program_is_among_those_that_a_misspelt_one_may_mean():
    with pytest.raises(UserError, match="unknown player 'gnubgg': did you mean 'gnubg'"):
        find_player(BACKGAMMON, "gnubgg")


# Stopped, and gone on with.


def started(*words: str, **how) -> subprocess.Popen:
    code = "import sys; from sparring.cli import main; sys.exit(main())"
    return subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, **how)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_match_that_is_stopped_goes_on_where_it_was(capsys, stand_in, undisturbed, number):
    """The stand-in hangs, so that there is all the time to stop it."""
    process = started(*MATCH, "--log", "x.log", env=os.environ | {"STAND_IN": f"hangs {LATE}"})
    assert eventually(lambda: kept_games() > 0, 300)
    process.send_signal(number)
    _, line = process.communicate(timeout=300)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    if number == signal.SIGINT:
        words = f"{kept_games()} of {2 * PAIRS} games are kept; resume with the same command"
        assert line.splitlines()[-1] == f"sparring: stopped; {words}"
    assert told(capsys, *MATCH, "--log", "x.log") == undisturbed
    assert len(read_log(Path("x.log")).games) == 2 * PAIRS


def test_a_game_that_is_being_written_when_a_match_is_stopped_is_kept(tmp_path, monkeypatch):
    jobs, players = paired_jobs(1, np.arange(2), 1), find_players(GOLF, ["random"] * 2)
    with pytest.raises(Stopped, match="1 of 2 games are kept"), journal_in(tmp_path, GOLF, jobs, players) as journal:
        append = journal._append

        def interrupted(text):
            append(text)
            raise KeyboardInterrupt

        monkeypatch.setattr(journal, "_append", interrupted)
        journal.add(0, [1, 2])
    with suppress(Failure), journal_in(tmp_path, GOLF, jobs, players) as journal:
        assert journal.kept == {0: [1, 2]}
        raise Failure("stopped again")


class Inside:
    """A program inside this process, always the same one: plays as our own player does, `limit` moves and no more."""

    def __init__(self, game=GOLF, player="random", limit=10**9, end=Failure("it stopped")):
        self.own, self.limit, self.end = Chooser(game, Contestant(player, player)), limit, end
        self.asked, self.log = 0, []

    @property
    def contestant(self) -> Contestant:
        return Contestant("program", "external", external=self.start)

    def start(self) -> "Inside":
        self.log.append("started")
        return self

    def close(self) -> None:
        self.log.append("ended")

    def choose(self, state) -> int:
        self.asked += 1
        if self.asked > self.limit:
            raise self.end
        return self.own.choose(state)


def plain(result: sparring.Match) -> list:
    """A match's standings, whatever the players are called."""
    return [player | {"name": ""} for player in result.json()["players"]]


@pytest.mark.parametrize("game", [BACKGAMMON, GOLF], ids=lambda game: game.name)
def test_a_program_that_plays_as_our_own_player_gets_its_result(game):
    program = Inside(game)
    result = sparring.match(game, program.contestant, "random", pairs=5)
    assert plain(result) == plain(sparring.match(game, "random", "random", pairs=5))
    assert program.log == ["started", "ended"]


def test_more_seats_and_progress_are_the_same_with_a_program():
    players, heard = [Inside(player="greedier").contestant, "random", "greedier"], []
    result = sparring.match(GOLF, *players, pairs=1, progress=lambda done, total: heard.append((done, total)))
    assert plain(result) == plain(sparring.match(GOLF, "greedier", *players[1:], pairs=1))
    assert heard == [(done, 6) for done in range(1, 7)]


KEPT = "of 10 games are kept; resume with the same command"
HALF = 1000  # moves of a player in some of ten games of golf


def test_a_match_says_what_it_keeps_and_promises_nothing_without_a_journal(tmp_path):
    for end, kind in ((Failure("it stopped"), Failure), (KeyboardInterrupt(), Stopped)):
        program = Inside(limit=HALF, end=end)
        with pytest.raises(kind, match=KEPT):
            sparring.match(GOLF, program.contestant, "random", pairs=5, journal=tmp_path / kind.__name__)
        program.asked = 0
        with pytest.raises(type(end)) as caught:
            sparring.match(GOLF, program.contestant, "random", pairs=5)
        assert str(caught.value) == str(end) and program.log == ["started", "ended"] * 2


def test_a_tournament_goes_on_where_it_was(tmp_path):
    program = Inside()
    players = [program.contestant, "random", "greedier"]
    whole = untimed(sparring.tournament(GOLF, *players, pairs=2))
    needed, program.limit = program.asked, 0
    for _ in range(2):
        program.limit = program.asked + needed // 3
        with pytest.raises(Failure, match="of 12 games are kept"):
            sparring.tournament(GOLF, *players, pairs=2, journal=tmp_path / "kept")
    program.limit = 10**9
    assert untimed(sparring.tournament(GOLF, *players, pairs=2, journal=tmp_path / "kept")) == whole
    assert not (tmp_path / "kept").exists()


@pytest.fixture
def journal(tmp_path) -> Path:
    """The journal of a match of ten games that was stopped after some."""
    with pytest.raises(Failure, match=KEPT):
        sparring.match(GOLF, Inside(limit=HALF).contestant, "random", pairs=5, journal=tmp_path / "kept")
    (path,) = (tmp_path / "kept").iterdir()
    return path


DAMAGE = [
    b"",
    b"\n",
    b'\n{"game": 9, "moves": [1, 2',
    b'\n{"game": 9, "moves": [0, 0, 0]}',
    b'\n{"game": 9, "moves": [1e999]}',
    b'\n{"game": 9, "moves": 7}',
    b'\n{"game": 77, "moves": []}',
    b'\n{"game": "x", "moves": []}',
    b"\n[1]",
    b"\n\xff\x00",
    b"\n" + b"[" * 100_000,
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: repr(damage[:20]))
def test_damage_after_the_last_game_costs_nothing(journal, damage):
    with journal.open("ab") as file:
        file.write(damage)
    result = sparring.match(GOLF, Inside().contestant, "random", pairs=5, journal=journal.parent)
    assert plain(result) == plain(sparring.match(GOLF, "random", "random", pairs=5))
    assert not journal.exists()


def test_a_journal_cut_anywhere_loses_one_game_at_most(journal):
    whole = journal.read_bytes()
    games = Journal(journal).kept
    for cut in range(0, len(whole), 97):
        journal.write_bytes(whole[:cut])
        known = Journal(journal).kept
        assert len(known) == whole[:cut].count(b"}") and known.items() <= games.items()
        Journal(journal).add(99, [1])
        assert Journal(journal).kept == known | {99: [1]}


def test_games_that_are_kept_are_not_played_again(journal):
    afresh, again = Inside(), Inside()
    sparring.match(GOLF, afresh.contestant, "random", pairs=5)
    sparring.match(GOLF, again.contestant, "random", pairs=5, journal=journal.parent)
    longest = afresh.asked / 4  # of the game in hand, which is lost
    assert HALF - longest < afresh.asked - again.asked <= HALF


@pytest.mark.parametrize("change", [{"pairs": 6}, {"seed": 2}, {"opponent": "greedier"}])
def test_another_match_has_a_journal_of_its_own(journal, change):
    words = {"pairs": 5, "seed": 1, "opponent": "random"} | change
    with pytest.raises(Failure):
        sparring.match(GOLF, Inside(limit=HALF).contestant, words.pop("opponent"), **words, journal=journal.parent)
    assert len(list(journal.parent.iterdir())) == 2


def test_a_journal_that_cannot_be_written_is_said_before_the_first_game(tmp_path):
    (tmp_path / "file").touch()
    program = Inside()
    with pytest.raises(UserError, match="file/x.*: cannot be written"):
        sparring.match(GOLF, program.contestant, "random", pairs=1, journal=tmp_path / "file" / "x")
    assert program.log == []


def test_an_illegal_move_of_any_program_is_its_failure():
    program = Inside()
    program.choose = lambda state: 999
    with pytest.raises(Failure, match="program: chose 999, which is no legal move"):
        sparring.match(GOLF, program.contestant, "random", pairs=1)


# The program itself, where it is installed.


@pytest.mark.skipif(REAL is None, reason="gnubg is not installed")
def test_the_real_program_plays_legal_moves_and_beats_pubeval(monkeypatch):
    monkeypatch.delenv("SPARRING_GNUBG", raising=False)
    result = sparring.match(BACKGAMMON, "gnubg", "pubeval", pairs=10)
    assert result.games == 20 and result.players[0].score.value > -0.2


@pytest.mark.skipif(REAL is None, reason="gnubg is not installed")
def test_the_real_program_knows_the_opening(monkeypatch):
    monkeypatch.delenv("SPARRING_GNUBG", raising=False)
    state = start_game(BACKGAMMON, 1, 0, 0, 2)
    state[0]["dice"] = 3, 1
    with closing(begun()) as program:
        assert BACKGAMMON.view.move_text(state[0], program.choose(state)) == "8/5 6/5"
        assert program.evaluate(state) == pytest.approx(0.067, abs=0.001)


def test_a_journal_that_is_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "x.jsonl")
    with pytest.raises(UserError, match="not a regular file"):
        Journal(tmp_path / "x.jsonl")
