"""The Python API as people use it: functions as players, states that answer, results that print, errors of one line."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import sparring
from sparring.arena.players import fill_seats, find_player
from sparring.arena.session import NOBODY, Session, seated
from sparring.cli import main
from sparring.errors import Failure, UserError
from sparring.games import find_game
from sparring.lab.store import Store
from sparring.testing.cast import differing
from test_conformance import REARRANGE

GOLF = find_game("golf")
NOTEBOOK = Path(__file__).parent.parent / "examples" / "first_steps.ipynb"


def first(state):
    """Plays the first legal move."""
    return min(state.moves())


class Best:
    """An object that asks another player."""

    name = "delegate"

    def choose(self, state):
        return state.best("champion")


# Players in Python.


def test_a_function_plays_a_match():
    result = sparring.match("golf", first, "random", pairs=3, seed=2)
    assert [player.name for player in result.players] == ["first", "random"] and result.games == 6


def test_an_object_with_choose_plays_as_the_player_it_asks():
    result = sparring.match("golf", Best(), "random", pairs=3, seed=2)
    same = sparring.match("golf", "champion", "random", pairs=3, seed=2)
    assert result.players[0].name == "delegate" and result.players[0].score == same.players[0].score


def test_functions_play_tournaments_and_fill_larger_tables():
    names = [player.name for player in sparring.tournament("golf", first, Best(), "random", pairs=2).players]
    assert sorted(names) == ["delegate", "first", "random"]
    result = sparring.match("hearts:rounds=1", "random", first, pairs=1)
    assert [player.name for player in result.players] == ["random", "first", "first #2", "first #3"]


def test_a_function_may_return_a_move_in_the_game_s_notation():
    def words(state):
        return next(iter(state.moves().values()))

    state = sparring.state("backgammon", seed=4)
    assert state.best(words) == next(iter(state.moves()))


def test_a_function_is_named_once_for_each_seat():
    assert [p.name for p in sparring.match("golf", first, first, pairs=1).players] == ["first", "first #2"]


@pytest.mark.parametrize("name", REARRANGE)
def test_a_function_sees_only_what_the_seat_to_move_sees(name):
    """What is hidden is shuffled, and text, JSON, picture and moves stay the same."""
    game, random = find_game(name), np.random.default_rng(3)
    seen: list[tuple] = []

    def look(state):
        seen.append((state.text, json.dumps(state.json()), state.svg(), state.moves(), state.seen(state.turn)))
        return min(state.moves())

    session = Session(game, ["a"] * min(game.rules.seats), 5)
    for _ in range(20):
        if session.over:
            break
        state = sparring.State(game, session.state.copy(), len(session.names))
        state.best(look)
        REARRANGE[name](state.record[0], state.turn, random)
        state.best(look)
        assert seen[-1] == seen[-2]
        session.play(int(random.choice(session.legal)))


def test_a_function_cannot_look_at_the_record_nor_at_other_seats_nor_ahead():
    def peek(look):
        def player(state):
            look(state)
            return 0

        return player

    looks = [lambda s: s.record, lambda s: s.json(1 - s.turn), lambda s: s.seen(1 - s.turn), lambda s: s.play(0)]
    for look in looks:
        with pytest.raises(Failure, match="hidden"):
            sparring.state("golf").best(peek(look))


def broken(state):
    return 1 // 0


@pytest.mark.parametrize(
    "player, line",
    [
        (broken, "broken: ZeroDivisionError: "),
        (lambda state: None, "lambda: move None: must be the number of a legal move"),
        (lambda state: 99, "lambda: chose 99, which is no legal move"),
        (lambda state: -1, "lambda: move -1: must be"),
        (lambda state: True, "lambda: move True: must be"),
        (lambda state: "left", "lambda: 'left': type a move's number or its words"),
        (lambda: 0, "lambda: TypeError: "),
    ],
)
def test_a_function_that_fails_is_one_line_with_its_name(player, line):
    for play in (
        lambda: sparring.match("golf", "random", player, pairs=1),
        lambda: sparring.state("golf").best(player),
    ):
        with pytest.raises(Failure) as failed:
            play()
        assert str(failed.value).startswith(line) and "\n" not in str(failed.value)


def test_the_cause_of_a_failure_is_kept_for_a_traceback():
    with pytest.raises(Failure) as failed:
        sparring.match("golf", broken, "random", pairs=1)
    assert isinstance(failed.value.__cause__, ZeroDivisionError)


def test_a_match_with_functions_keeps_no_journal(tmp_path):
    """The same name may be another function the next time."""
    turns = []

    def tires(state):
        turns.append(1)
        return min(state.moves()) if len(turns) < 1500 else None

    with pytest.raises(Failure, match="^tires: move None"):
        sparring.match("golf", tires, "random", pairs=50, journal=tmp_path)
    assert not list(tmp_path.iterdir())


def test_functions_are_watched_and_played_against(tmp_path, monkeypatch, capsys):
    sparring.watch("conquest:rounds=2", first, "random", seed=3)
    assert "first (blue) to move" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 500))
    sparring.play("conquest:rounds=3", first, seed=3, runs=tmp_path)
    assert "conquest:rounds=3 against first, seed 3" in capsys.readouterr().out
    assert Store(tmp_path).read_results("play")[0]["against"] == ["first"]


# Asking a player.


def test_a_player_says_its_best_move_and_the_values_of_all():
    state = sparring.state("backgammon", seed=4)
    values = state.values("champion")
    assert state.best("champion") == next(iter(values)) and set(values) == set(state.moves())
    assert list(values.values()) == sorted(values.values(), reverse=True)


def test_a_player_without_numbers_has_no_values():
    assert sparring.state("golf").values("random") == {} == sparring.state("golf").values(first)


def test_asking_changes_nothing():
    state = sparring.state("golf", seed=3)
    before = state.record.tobytes()
    assert [state.best("random") for _ in range(3)] == [state.best("random")] * 3
    assert state.record.tobytes() == before


def test_nobody_has_a_move_when_the_game_is_over():
    state = sparring.state("conquest:rounds=1", seed=3)
    while not state.over:
        state = state.play(state.best("random"))
    for ask in (state.best, state.values):
        with pytest.raises(UserError, match="the game is over"):
            ask("random")


# Results.


def test_a_match_prints_as_a_short_table():
    result = sparring.match("golf", "greedier", "random", pairs=20, seed=1)
    title, header, *rows, foot = str(result).splitlines()
    assert title == "golf: greedier against random, 40 games in 20 deals, 0 drawn, seed 1"
    assert header.split() == ["games", "won", "score"] and [row.split()[0] for row in rows] == ["greedier", "random"]
    assert result.players[0].score.text(2) in rows[0] and foot == "95% intervals" and repr(result) == str(result)


def test_a_tournament_prints_its_ranking():
    result = sparring.tournament("golf", "random", "greedier", pairs=5)
    lines = str(result).splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["greedier", "random"] and "rating" in lines[1]


def test_a_match_is_logged_and_recorded_where_it_says(tmp_path):
    log = tmp_path / "games.log"
    result = sparring.match("golf", first, "random", pairs=2, seed=3, keep=log, runs=tmp_path)
    again = sparring.log_statistics(log)
    assert again.players[0].score == result.players[0].score and [p.name for p in again.players] == ["first", "random"]
    assert sparring.replay(log, 2)[-1].startswith("final score: ")
    assert Store(tmp_path).read_results("match") == [result.json()]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    evaluation = {"pairs": 5, "selection_pairs": 5}
    folder = tmp_path_factory.mktemp("runs")
    return sparring.train("golf", runs=folder, name="x", trials=2, epochs=20, evaluation=evaluation)


def test_a_run_s_curves_are_arrays(run):
    steps, values = run.curves()
    assert values["benchmark.player.score"].shape == (2, len(steps)) and (np.diff(steps) > 0).all()


def test_a_run_s_curves_are_a_data_frame_where_pandas_is(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda columns: columns))
    steps, values = run.curves()
    frame = run.curves().frame()
    assert frame["trial"].tolist() == [0] * len(steps) + [1] * len(steps)
    assert frame["step"].tolist() == [*steps, *steps]
    assert frame["benchmark.player.score"].tolist() == values["benchmark.player.score"].reshape(-1).tolist()
    assert {len(column) for column in frame.values()} == {2 * len(steps)}


def test_without_pandas_the_data_frame_is_refused_in_one_line(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UserError, match="pandas is not installed"):
        run.curves().frame()


def test_a_finished_run_is_resumed_without_change(run):
    files = {path: path.read_bytes() for path in run.folder.rglob("*.safetensors")}
    assert sparring.resume(run.folder).folder == run.folder
    assert {path: path.read_bytes() for path in run.folder.rglob("*.safetensors")} == files


# One session under everything.


def test_a_session_plays_undoes_and_remembers():
    with seated(GOLF, [find_player(GOLF, "greedier"), find_player(GOLF, first)]) as movers:
        session = Session(GOLF, ["greedier", "first"], 7, movers=dict(enumerate(movers))).play_out()
    assert session.over and session.turn == NOBODY and session.legal == ()
    assert sparring.state("golf", seed=7, moves=session.moves).scores == session.scores
    moves, tally = list(session.moves), session.state[0]["tally"].tobytes()
    session.restart(moves[:10])
    assert (session.moves, len(session.turns)) == (moves[:10], 10)
    for move in moves[10:]:
        session.play(move)
    assert session.state[0]["tally"].tobytes() == tally and session.played.moves == tuple(moves)
    assert differing(session.state_before(0), sparring.state("golf", seed=7).record) == set()


@pytest.mark.parametrize(
    "game, players, people, filled",
    [
        ("golf", ["a", "b"], 0, ["a", "b"]),
        ("hearts", ["a", "b"], 0, ["a", "b", "b", "b"]),
        ("hearts", ["a"], 1, ["a", "a", "a"]),
        ("hearts", ["a"], 2, ["a", "a"]),
        ("hearts", [], 4, []),
        ("golf", ["a", "b", "c"], 1, ["a", "b", "c"]),
    ],
)
def test_one_player_takes_all_remaining_seats(game, players, people, filled):
    assert fill_seats(find_game(game), players, people) == filled


@pytest.mark.parametrize(
    "game, players, people", [("golf", ["a"], 0), ("hearts", ["a"] * 3, 0), ("golf", ["a"] * 4, 1)]
)
def test_a_table_with_too_many_or_too_few_is_refused(game, players, people):
    with pytest.raises(UserError, match=f"^{game} is for .* players, not {len(players) + people}"):
        fill_seats(find_game(game), players, people)


# Wrong calls.

WRONG = [
    (lambda: sparring.match("glof", "random", "random"), "unknown game 'glof'"),
    (lambda: sparring.match(5, "random", "random"), "game 5: must be the name of a game"),
    (lambda: sparring.match(None, "random", "random"), "game None: must be"),
    (lambda: sparring.match("golf"), "golf is for 2 or 3 or 4 players, not 0"),
    (lambda: sparring.match("golf", "random"), "golf is for 2 or 3 or 4 players, not 1"),
    (lambda: sparring.match("golf", "random", "randon"), "unknown player 'randon': did you mean 'random'?"),
    (lambda: sparring.match("golf", "random", 5), "player 5: must be a player's name"),
    (lambda: sparring.match("golf", "random", None), "player None: must be"),
    (lambda: sparring.match("golf", "random", ["random"]), "player ['random']: must be"),
    (lambda: sparring.match("golf", "random", Best), "player <class "),
    (lambda: sparring.match("golf", "random", "random", pairs=0), "pairs = 0: must be from 1"),
    (lambda: sparring.match("golf", "random", "random", pairs="many"), "pairs = 'many': must be from 1"),
    (lambda: sparring.match("golf", "random", "random", pairs=2.5), "pairs = 2.5: must be from 1"),
    (lambda: sparring.match("golf", "random", "random", seed=-1), "seed = -1: must be"),
    (lambda: sparring.match("golf", "random", "random", seed="x"), "seed = 'x': must be"),
    (lambda: sparring.match("golf", "random", "random", seating="round"), "seating = 'round': must be one of"),
    (lambda: sparring.match("golf", "random", "random", backend="gpu"), "backend"),
    (lambda: sparring.match("golf", "random", "random", runs=5), "runs = 5: must be a path"),
    (lambda: sparring.tournament("golf", "random"), "a tournament needs two players or more"),
    (lambda: sparring.tournament("golf", "random", 5), "player 5: must be"),
    (lambda: sparring.train("glof"), "unknown game 'glof'"),
    (lambda: sparring.train(5), "experiment = 5: must be a path"),
    (lambda: sparring.train("golf", learner="net"), "unknown learner 'net'"),
    (lambda: sparring.train("golf", epoch=3), "epoch"),
    (lambda: sparring.train("golf", epochs="many"), "learner.epochs = 'many': must be a whole number"),
    (lambda: sparring.train("golf", trials="two"), "trials"),
    (lambda: sparring.load("none.safetensors"), "none.safetensors: no such file"),
    (lambda: sparring.load(5), "path = 5: must be a path"),
    (lambda: sparring.resume("none"), "none: not a run"),
    (lambda: sparring.replay("none.log"), "none.log: no such file"),
    (lambda: sparring.draw("none.safetensors"), "none.safetensors: no such file"),
    (lambda: sparring.record("glof"), "unknown game 'glof'"),
    (lambda: sparring.reproduce("glof"), "unknown study 'glof'"),
    (lambda: sparring.bench("glof"), "unknown game 'glof'"),
    (lambda: sparring.write_report(["none"]), "none: not a run"),
    (lambda: sparring.state(5), "game 5: must be the name of a game"),
    (lambda: sparring.state("golf", seats="two"), "golf is for 2 or 3 or 4 players, not 'two'"),
    (lambda: sparring.state("golf", seed=None), "seed = None: must be"),
    (lambda: sparring.state("golf").play(9), "illegal move 9; legal: 0, 1"),
    (lambda: sparring.state("golf").play(None), "move None: must be"),
    (lambda: sparring.state("golf").best("randon"), "unknown player 'randon'"),
    (lambda: sparring.state("golf").values(5), "player 5: must be"),
    (lambda: sparring.state("golf").json("one"), "seat 'one': must be from 0 to 1"),
]


@pytest.mark.parametrize("call, line", WRONG, ids=[line for _, line in WRONG])
def test_every_wrong_call_is_one_line(call, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as refused:
        call()
    assert line in str(refused.value) and "\n" not in str(refused.value)


# The notebook.


def test_the_example_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    names: dict = {}
    for cell in cells:
        exec("".join(cell["source"]), names)
    assert len(cells) >= 6 and all(cell["outputs"] for cell in cells)


def test_a_function_is_no_word_of_the_command_line(tmp_path, capsys):
    assert main(["match", "golf", "first", "random", "--runs", str(tmp_path)]) == 2
    assert "unknown player 'first'" in capsys.readouterr().err
