"""Players seated as they are named: matches, logs and evaluations of games whose sides are not alike."""

import json
from pathlib import Path

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.arena.play import by_contestant, seatings
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab.experiment import build_experiment
from sparring.lab.log import LogWriter, read_log
from sparring.lab.run import create_run, train
from sparring.learn.neat.task import Neat
from sparring.options import parse_option

EASY = "conquest:map=easy,rounds=200"
ROUND = "hearts:rounds=1"
FOUR = ["rule-based", "random", "random #2", "random #3"]


def test_as_named_the_first_player_always_sits_first() -> None:
    named, every = (match(EASY, "greedy", "idle", pairs=3, seating=seating) for seating in ("given", "every"))
    assert (named.games, every.games) == (1, 2), "nothing is left to chance, so each different game is played once"
    assert named.players[0].win_rate.value == 1.0
    assert every.players[0].measures["production"].value < named.players[0].measures["production"].value
    assert named.players[0].fitness["elimination"].value > 90
    assert named.json()["players"][0]["fitness"]["elimination"][0] > 90


def test_an_unknown_seating_is_refused() -> None:
    with pytest.raises(UserError, match="seating = 'first': must be one of every, given"):
        match(EASY, "greedy", "idle", pairs=1, seating="first")


def test_a_log_of_named_seats_tells_who_sat_where(tmp_path: Path) -> None:
    game, path = find_game(EASY), tmp_path / "games.log"
    writer = LogWriter(path, game, 1, ["greedy", "random"], "given")
    match(game, "greedy", "random", pairs=2, seating="given", keep=writer.keep)
    log = read_log(path)
    assert log.game.name == game.name  # the rules stand in the first line
    assert [log.names(number) for number in range(2)] == [["greedy", "random"]] * 2
    assert [log.played(number).deal for number in range(2)] == [0, 1]


def test_a_log_with_an_unknown_seating_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.log"
    LogWriter(path, find_game(EASY), 1, ["greedy", "idle"], "given")
    path.write_text(path.read_text().replace('"given"', '"round"') + "\nx\n")
    with pytest.raises(UserError, match="line 1: seating = 'round': must be one of every, given"):
        read_log(path)


def test_the_command_line_shows_a_fitness_and_refuses_an_unknown_one(tmp_path: Path, capsys) -> None:
    words = ["match", EASY, "greedy", "random", "--pairs", "1", "--as-named", "--runs", str(tmp_path)]
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


# One against three of another.


def test_moved_round_the_table_everyone_keeps_their_neighbours_and_sits_once_in_every_seat() -> None:
    orders = seatings(4, "rotated")
    assert (np.sort(orders, axis=0) == np.arange(4)[:, None]).all() and len(orders) == 4
    assert all((np.diff([*order, order[0]]) % 4 == 1).all() for order in orders)
    assert by_contestant(orders[:, :], 4, "rotated").tolist() == [[[0, 1, 2, 3]] * 4]


def test_of_two_players_at_a_table_for_four_one_meets_three_of_the_other() -> None:
    result = match(ROUND, "rule-based", "random", pairs=10)
    assert (result.games, result.seating, [p.name for p in result.players]) == (40, "rotated", FOUR)
    assert sum(p.wins for p in result.players) + result.draws == 40
    assert sum(p.score.value for p in result.players) == pytest.approx(26)
    mean = sum(p.score.value for p in result.players[1:]) / 3
    assert result.difference.value == pytest.approx(result.players[0].score.value - mean)
    assert match(ROUND, *["rule-based", *["random"] * 3], pairs=10, seating="rotated").players[0] == result.players[0]


def test_as_named_at_a_table_for_four_the_first_sits_first() -> None:
    result = match(ROUND, "rule-based", "random", pairs=3, seating="given")
    assert (result.games, result.seating) == (3, "given")


def test_four_players_meet_in_every_seating() -> None:
    result = match(ROUND, "rule-based", "random", "guarded", "daring", pairs=1)
    assert (result.games, result.seating) == (24, "every")
    assert result.difference.value == pytest.approx(result.players[0].score.value - result.players[1].score.value)


def test_a_log_of_one_against_three_tells_who_sat_where(tmp_path: Path, capsys) -> None:
    path, words = (
        tmp_path / "games.log",
        ["match", ROUND, "rule-based", "random", "--pairs", "2", "--runs", str(tmp_path)],
    )
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 8 and [player["name"] for player in told["players"]] == FOUR
    assert main([*words, "--log", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "8 games in 2 deals, each with the players moved round the table" in shown
    assert "rule-based's score minus the others' mean" in shown
    log = read_log(path)
    assert log.header is not None and log.header.seating == "rotated"
    for number in range(8):
        k = number % 4
        assert log.names(number) == FOUR[4 - k :] + FOUR[: 4 - k] and log.played(number).deal == number // 4
    assert main(["replay", str(path), "--statistics"]) == 0
    rows = [
        [line for line in out.splitlines() if line.startswith(("│ score", "│ games won", "│ tricks"))]
        for out in (shown, capsys.readouterr().out)
    ]
    assert rows[0] == rows[1] and len(rows[0]) == 3
    assert main(["replay", str(path), "--game", "2", "--round", "1"]) == 0
    assert "random #3 passes" in capsys.readouterr().out


def test_as_named_one_against_three_is_logged_as_it_was_played(tmp_path: Path, capsys) -> None:
    path = tmp_path / "games.log"
    words = ["match", ROUND, "rule-based", "random", "--pairs", "2", "--as-named", "--log", str(path)]
    assert main([*words, "--runs", str(tmp_path)]) == 0
    assert "2 games in 2 deals, each as the players are named" in capsys.readouterr().out
    log = read_log(path)
    assert [log.names(number) for number in range(2)] == [FOUR] * 2 and log.played(1).deal == 1


def test_three_are_too_few_for_four_seats(tmp_path: Path, capsys) -> None:
    assert main(["match", "hearts", "random", "random", "random", "--runs", str(tmp_path)]) == 2
    assert "hearts is for 4 players, not 3; of two, the second takes all other seats" in capsys.readouterr().err
