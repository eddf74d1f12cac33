"""Players seated as they are named: matches, logs and evaluations of games whose sides are not alike."""

import json
from pathlib import Path

import pytest

from sparring.arena.match import match
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import build_experiment
from sparring.lab.log import LogWriter, read_log
from sparring.lab.run import create_run, train
from sparring.learn.neat.task import Neat
from sparring.options import parse_option

EASY = "conquest:map=easy,rounds=200"


def test_as_named_the_first_player_always_sits_first() -> None:
    named, every = (match(EASY, "greedy", "idle", pairs=3, seating=seating) for seating in ("given", "every"))
    assert (named.games, every.games) == (3, 6)
    assert named.players[0].win_rate.value == 1.0
    assert every.players[0].measures["production"].value < named.players[0].measures["production"].value
    assert named.players[0].fitness["elimination"].value > 90
    assert named.json()["players"][0]["fitness"]["elimination"][0] > 90


def test_an_unknown_seating_is_refused() -> None:
    with pytest.raises(UserError, match="seating = 'first': must be one of every, given"):
        match(EASY, "greedy", "idle", pairs=1, seating="first")


def test_a_log_of_named_seats_tells_who_sat_where(tmp_path: Path) -> None:
    game, path = find_game(EASY), tmp_path / "games.log"
    writer = LogWriter(path, game, 1, ["greedy", "idle"], "given")
    match(game, "greedy", "idle", pairs=2, seating="given", keep=writer.keep)
    log = read_log(path)
    assert log.game.name == game.name  # the rules stand in the first line
    assert [log.names(number) for number in range(2)] == [["greedy", "idle"]] * 2
    assert [log.played(number).deal for number in range(2)] == [0, 1]


def test_a_log_with_an_unknown_seating_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.log"
    LogWriter(path, find_game(EASY), 1, ["greedy", "idle"], "given")
    path.write_text(path.read_text().replace('"given"', '"round"') + "\nx\n")
    with pytest.raises(UserError, match="line 1: seating = 'round': must be one of every, given"):
        read_log(path)


def test_the_command_line_shows_a_fitness_and_refuses_an_unknown_one(tmp_path: Path, capsys) -> None:
    words = ["match", EASY, "greedy", "idle", "--pairs", "1", "--as-named", "--runs", str(tmp_path)]
    assert main([*words, "--fitness", "elimination"]) == 0
    shown = capsys.readouterr().out
    assert "fitness: elimination" in shown and "as the players are named" in shown and "inf" not in shown
    assert main([*words, "--fitness", "eliminaton"]) == 2
    assert "unknown fitness 'eliminaton': did you mean 'elimination'?" in capsys.readouterr().err


def test_champions_are_chosen_by_a_fitness_in_the_seat_they_were_bred_for(tmp_path: Path) -> None:
    table = {
        "game": EASY,
        "name": "x",
        "trials": 2,
        "learner": {"name": "neat", "pop_size": 10, "generations": 2, "games": 1, "seating": "first",
                    "fitness": "elimination", "opponents": ["idle"], "benchmark": "idle", "benchmark_pairs": 0},
        "evaluation": {"opponents": ["idle"], "pairs": 1, "selection_pairs": 1, "seating": "given", "by": "elimination"},
    }  # fmt: skip
    run = create_run(build_experiment(table), tmp_path)
    train(run)
    told = json.loads((run.folder / "evaluation.json").read_text())
    reached = [row["matches"][0]["players"][0]["fitness"]["elimination"][0] for row in told["trials"]]
    assert told["champion"] == reached.index(max(reached))
    assert [row["matches"][0]["games"] for row in told["trials"]] == [1, 1]
    table["evaluation"]["by"] = "tiles"
    with pytest.raises(UserError, match="evaluation.by = 'tiles': must be one of score, expansion"):
        build_experiment(table)


def test_lists_and_switches_are_read_from_the_command_line() -> None:
    assert parse_option(Neat, "opponents", "random, self", "--") == ["random", "self"]
    assert parse_option(Neat, "exact_size", "false", "--") is False
    with pytest.raises(UserError, match="exact_size = 'no': must be true or false"):
        parse_option(Neat, "exact_size", "no", "--")
