"""Game logs: what was played is what is read back; what was not played is refused in one line."""

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparring.arena.match import judge, match
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import find_players
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.log import MARK, LogWriter, read_log

GOLF = find_game("golf")
SEED = 5
PLAYERS = {2: ["random", "greedier"], 3: ["random", "greedier", "greedier-published"], 4: ["random"] * 3 + ["greedier"]}
PAIRS = {2: 4, 3: 2, 4: 1}
FUZZ = settings(max_examples=200, derandomize=True, database=None, deadline=None)


def written(path: Path, seats: int) -> np.ndarray:
    """Play a match into a log; returns what was counted while playing."""
    contestants = find_players(GOLF, PLAYERS[seats])
    writer = LogWriter(path, GOLF, SEED, [c.name for c in contestants])
    return play(GOLF, paired_jobs(SEED, np.arange(seats), PAIRS[seats]), contestants, keep=writer.keep)


@pytest.fixture(scope="module", params=PLAYERS)
def seats(request) -> int:
    return request.param


@pytest.fixture(scope="module")
def played(seats, tmp_path_factory):
    """A log and the tallies of its games as they were played."""
    path = tmp_path_factory.mktemp("logs") / f"{seats}.log"
    tallies = written(path, seats)
    return read_log(path), tallies


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> str:
    """A log of two games."""
    path = tmp_path_factory.mktemp("text") / "x.log"
    main(["match", "golf", "random", "greedier", "--pairs", "1", "--seed", str(SEED), "--log", str(path)])
    return path.read_text()


@pytest.fixture(scope="module", autouse=True)
def runs_elsewhere(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path_factory.mktemp("here"))
        yield


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "x.log"


def shown(path: Path) -> list[list[str]]:
    """Every game of a log, turn by turn."""
    log = read_log(path)
    return [
        list(log.game.view.replay(text, log.place(i), log.names(i), log.played(i))) for i, text in enumerate(log.games)
    ]


def turns(frames: list[str]) -> list[str]:
    """The first line of every turn, without who took it."""
    heads = [frame.split("\n")[0] for frame in frames]
    return [re.search("(draws|takes) .*", head)[0] for head in heads if ", turn " in head]


# What was played is read back.


@pytest.mark.parametrize("field", GOLF.rules.tally.names)
def test_statistics_from_a_log_equal_those_counted_while_playing(played, field):
    log, tallies = played
    assert tallies[field].any() or field == "stalemates"
    np.testing.assert_array_equal(log.tallies()[field], tallies[field])


def test_a_match_judged_from_its_log_is_the_match(played, seats):
    log, _ = played
    direct = match("golf", *PLAYERS[seats], pairs=PAIRS[seats], seed=SEED).json()
    judged = judge(GOLF, log.header.players, log.tallies(), SEED, PAIRS[seats]).json()
    assert judged | {"seconds": 0} == direct | {"seconds": 0}


def test_the_log_knows_who_sat_where(played, seats):
    log, tallies = played
    assert len({tuple(log.names(i)) for i in range(len(log.games))}) > 1
    assert all(sorted(log.names(i)) == sorted(log.header.players) for i in range(len(log.games)))
    if seats == 2:
        greedier = [tallies["score"][i][log.names(i).index("greedier")] for i in range(len(log.games))]
        assert np.mean(greedier) < tallies["score"][:, :2].mean() - 30


def test_a_replay_shows_every_turn_and_the_final_score(played, seats):
    log, tallies = played
    for i, frames in enumerate(shown(log.path)):
        assert len(turns(frames)) == tallies["turns"][i]
        totals = [int(part.split()[-1]) for part in frames[-1].removeprefix("so far: ").split(", ")]
        assert totals == tallies["score"][i][:seats].tolist()


def test_games_without_a_first_line_are_replayed_but_for_the_first_upcard(text, path):
    path.write_text(text)
    whole = shown(path)
    path.write_text(text.partition("\n")[2])
    bare = shown(path)
    assert [turns(frames) for frames in bare] == [turns(frames) for frames in whole]
    assert "upcard not recorded" in bare[0][0] and "upcard not recorded" not in whole[0][0]


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["windows", "old mac"])
def test_other_line_ends_change_nothing(text, path, end):
    path.write_text(text)
    before = shown(path)
    path.write_bytes(text.replace("\n", end).encode())
    assert shown(path) == before


# What was not played is refused.


def test_a_log_cut_at_any_byte_is_refused_or_has_fewer_games(text, path):
    between = text.index("\n\n", text.index("\n\n") + 2)
    for cut in range(len(text)):
        path.write_text(text[:cut])
        if cut == len(text) - 1 or between <= cut <= between + 2:
            assert len(read_log(path).tallies()) == (2 if cut == len(text) - 1 else 1)
        else:
            with pytest.raises(UserError, match=r"x\.log"):
                read_log(path).tallies()


def test_a_cut_log_still_shows_the_games_before_the_cut(text, path, capsys):
    path.write_text(text[:-100])
    assert main(["replay", str(path), "--game", "1"]) == 0
    assert main(["replay", str(path), "--game", "2"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("sparring: x.log, game 2") and told.count("\n") == 1


def first_line_changed(text: str, change) -> str:
    """The log with the first round of its first game changed."""
    head, first, rest = text.split("\n", 2)
    line, rest = rest.split("\n", 1)
    return "\n".join([head, first, change(line), rest])


WRONG = {
    "an impossible card in the deal": lambda line: line.replace("#", "w", 1),
    "an impossible card in a turn": lambda line: line.replace("<" + line.split("<")[1][:2], "<+~", 1),
    "a card in two hands": lambda line: line[:-16] + line[-4 - 12] * 12 + line[-4:],
    "a card drawn twice": lambda line: line.replace("<", "<" + line.split("<")[1][:4], 1),
    "a wrong score": lambda line: line[:-2] + f"{(int(line[-2:]) + 1) % 100:02d}",
    "five seats": lambda line: "5" + line[1:],
    "a seat that nobody has": lambda line: line[0] + "2" + line[2:],
    "a place that no hand has": lambda line: line.replace("<" + line.split("<")[1][:4], "<+A7A", 1),
    "cards that stay face down": lambda line: line.replace(">0", ">1", 1),
    "a turn too few": lambda line: line.split(">")[0][:-4] + ">" + line.split(">")[1],
    "no turns": lambda line: line.split("<")[0] + "<>" + line.split(">")[1],
    "no marks": lambda line: line.replace("<", "").replace(">", ""),
    "nothing": lambda line: "x",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_round_that_was_never_played_is_refused(text, path, wrong):
    path.write_text(first_line_changed(text, WRONG[wrong]))
    assert path.read_text() != text
    with pytest.raises(UserError, match=r"x\.log, game 1, round 1"):
        shown(path)


@pytest.mark.parametrize("data", [b"", b"\n\n\n", b"\x89PNG\r\n\x1a\n\x00", "♣".encode(), b"hello"], ids=repr)
def test_a_file_that_is_no_log_is_refused(path, data):
    path.write_bytes(data)
    with pytest.raises(UserError, match=r"x\.log"):
        shown(path)


def with_header(text: str, header: object) -> str:
    return MARK + (header if isinstance(header, str) else json.dumps(header)) + "\n" + text.partition("\n")[2]


HEADER = {"game": "golf", "rules": 1, "seed": SEED, "players": ["random", "greedier"]}
WRONG_VALUES = {
    "game": ["chess", 3, [], None, "..", "os.path"],
    "rules": [2, "1", None, 1.5],
    "seed": ["a", -1, 2**64, 1.5, None, [], True],
    "players": [[], ["a"], ["a", "b", "c"], "ab", 5, [1, 2], None, {"a": 1, "b": 2}],
}


@pytest.mark.parametrize("key, value", [(k, v) for k, values in WRONG_VALUES.items() for v in values], ids=str)
def test_a_first_line_with_a_wrong_value_is_refused(text, path, key, value):
    path.write_text(with_header(text, HEADER | {key: value}))
    with pytest.raises(UserError, match=r"x\.log"):
        shown(path)


@pytest.mark.parametrize("header", ["", "golf", "[]", "3", "{", "[" * 100_000, "9" * 5000], ids=lambda h: h[:5])
def test_a_first_line_that_is_not_one_is_refused(text, path, header):
    path.write_text(with_header(text, header))
    with pytest.raises(UserError, match=r"x\.log"):
        shown(path)


@pytest.mark.parametrize("key", HEADER)
def test_a_first_line_that_says_too_little_is_refused(text, path, key):
    path.write_text(with_header(text, {k: v for k, v in HEADER.items() if k != key}))
    with pytest.raises(UserError, match=r"x\.log"):
        shown(path)


def test_reading_a_log_runs_no_code(text, path, tmp_path, monkeypatch):
    (tmp_path / "intruder.py").write_text("raise SystemExit('code was run')")
    monkeypatch.syspath_prepend(tmp_path)
    path.write_text(with_header(text, HEADER | {"game": "intruder.game"}))
    with pytest.raises(UserError):
        read_log(path)


def test_a_replay_never_shows_a_game_that_is_not_in_the_log(text, path):
    """Another seed in the first line, or a game taken out, must not deal other cards to the moves of the log."""
    path.write_text(text)
    whole = [turns(frames) for frames in shown(path)]
    first, second = text.partition("\n")[2].strip("\n").split("\n\n")
    for changed, expected in (
        (with_header(text, HEADER | {"seed": SEED + 1}), whole),
        (with_header(f"\n\n{second}\n", HEADER), whole[1:]),
        (with_header(f"\n\n{second}\n\n{first}\n", HEADER), whole[::-1]),
    ):
        path.write_text(changed)
        try:
            assert [turns(frames) for frames in shown(path)] == expected
        except UserError as error:
            assert "x.log" in str(error)


CHARACTERS = st.sampled_from('0123456789+-<>#ABCXYZabuvw~ \n{}[]",:')


@FUZZ
@given(
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 5), st.text(CHARACTERS, max_size=5)),
        min_size=1,
        max_size=3,
    )
)
def test_a_garbled_log_is_refused_or_read_as_a_game_that_can_be_played(text, tmp_path_factory, changes):
    for where, gone, put in changes:
        at = int(where * len(text))
        text = text[:at] + put + text[at + gone :]
    path = tmp_path_factory.mktemp("garbled") / "x.log"
    path.write_text(text)
    try:
        log = read_log(path)
        frames = shown(path)
    except UserError as error:
        assert "x.log" in str(error)
        return
    for i, game in enumerate(log.games):
        assert len(turns(frames[i])) == log.tallies()["turns"][i]
        known = log.played(i)
        assert known is None or log.game.view.game_text(known) == game


@FUZZ
@given(st.lists(st.integers(0, 53), min_size=2, max_size=2, unique=True), st.integers(0, 1))
def test_two_cards_exchanged_are_refused_unless_the_luck_is_unknown(text, tmp_path_factory, pair, game):
    """With the first line gone any deal may have been; with it there is one deal, and it is not this one."""
    a, b = (chr(ord("A") + card) for card in pair)
    head, _, body = text.partition("\n")
    games = body.strip("\n").split("\n\n")
    games[game] = games[game].translate(str.maketrans({a: b, b: a}))
    path = tmp_path_factory.mktemp("exchanged") / "x.log"
    path.write_text("\n\n".join([head, *games]) + "\n")
    try:
        log = read_log(path)
        [log.played(i) for i in range(len(games))]
        log.tallies()
    except UserError:
        return
    assert [log.game.view.game_text(log.played(i)) for i in range(len(games))] == games


# Writing.


def test_a_log_is_never_overwritten(text, path):
    path.write_text("mine")
    with pytest.raises(UserError, match="exists already"):
        LogWriter(path, GOLF, 1, ["random", "random"])
    assert path.read_text() == "mine"


# A process that logs four games at a time to a disk with room for about seven.
FULL = """
import resource, signal, sys
from sparring.cli import main
from sparring.kernel.backend import CPU
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (7500, 7500))
CPU.slice = 4
sys.exit(main())
"""


def test_a_disk_that_fills_leaves_the_games_before_and_no_half_ones(path):
    tallies = written(path, 2)
    assert path.stat().st_size > 7500
    path.unlink()
    words = ["match", "golf", *PLAYERS[2], "--pairs", "4", "--seed", str(SEED), "--log", str(path)]
    done = subprocess.run(
        [sys.executable, "-c", FULL, *words],
        env=os.environ | {"SPARRING_DB": "sqlite://"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(f"sparring: {path}: cannot be written")
    kept = read_log(path).tallies()
    assert len(kept) >= 4
    np.testing.assert_array_equal(kept, tallies[: len(kept)])


@pytest.mark.parametrize("players", [["random"], ["random"] * 5, ["random", "nobody"]], ids=len)
def test_a_match_that_cannot_be_played_leaves_no_log(players, path):
    assert main(["match", "golf", *players, "--pairs", "1", "--log", str(path)]) == 2
    assert not path.exists()


def test_a_log_that_cannot_be_created_is_refused(capsys):
    assert main(["match", "golf", "random", "random", "--pairs", "1", "--log", "/dev/null/x.log"]) == 2
    assert "/dev/null/x.log" in capsys.readouterr().err


@pytest.mark.parametrize("game, round_number", list(product([1, 2], [1, 9])))
def test_one_round_of_one_game_is_shown(text, path, capsys, game, round_number):
    path.write_text(text)
    assert main(["replay", str(path), "--game", str(game), "--round", str(round_number)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"round {round_number}: ")
    assert {line.split(":")[0].split(",")[0] for line in told.split("\n") if line.startswith("round")} >= {
        f"round {round_number}"
    }
    assert f"round {round_number % 9 + 1}:" not in told
