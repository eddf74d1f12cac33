"""The analysis of finished games of any kind: losses, standings, luck, summaries, files."""

import json

import numpy as np
import pytest

import sparring
from sparring.arena.analysis import adjusted, analyse_played
from sparring.arena.calibration import calibrate, lead
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import find_player
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game

GAMES = ["golf", "hearts:rounds=2", "conquest"]


def game_of(name, first, seed=5):
    """A game in which the first player meets the champion."""
    game, games = find_game(name), []
    seats = game.rules.seats[0]
    players = [find_player(game, player) for player in [first, *["champion"] * (seats - 1)]]
    play(game, paired_jobs(seed, np.arange(seats), 1, "given"), players, keep=games.extend)
    return game, games[0], [first, *[f"champion {seat}" for seat in range(1, seats)]]


@pytest.mark.parametrize("name", GAMES)
def test_the_judge_makes_no_mistakes_and_random_moves_do(name):
    analysis = analyse_played(*game_of(name, "random"))
    assert analysis.players[0].loss > 0
    assert analysis.players[0].decisions > 0
    assert all(player.loss < 1e-4 * analysis.players[0].loss for player in analysis.players[1:])


@pytest.mark.parametrize("name", GAMES)
def test_every_move_is_a_decision_and_only_choices_are_counted(name):
    game, played, names = game_of(name, "random")
    analysis = analyse_played(game, played, names)
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    assert len(analysis.decisions) == len(played.moves)
    for decision, made in zip(analysis.decisions, played.moves, strict=True):
        legal = legal_moves(game, state)
        assert decision.seat == state[0]["turn"]
        assert len(legal) > 1 or (decision.loss == 0 and not decision.counted)
        if decision.counted:
            chosen = next(choice for choice in decision.choices if choice.move == made)
            assert decision.loss == pytest.approx(decision.choices[0].value - chosen.value)
        play_move(game, state, made)


def test_points_of_hearts_are_those_of_a_round():
    # A network that says 1 - p/26 for p points says that its lead is 4/3 of the distance from the mean of 6.5 points.
    game = find_game("hearts:rounds=2")
    lines = calibrate(game, find_player(game, "champion"), 4).lines
    (playing,) = (line for note, line in lines.items() if note.endswith("after this card"))
    assert playing.slope == pytest.approx(26 * 4 / 3, rel=0.15)


def test_the_standing_in_hearts_counts_the_points_taken_in_the_round():
    # In the last tricks hardly anything is left to win, so what a seat can expect is what it has.
    analysis = analyse_played(*game_of("hearts:rounds=1", "random", seed=8))
    last = {decision.seat: decision.standing for decision in analysis.decisions if decision.standing is not None}
    results = [player.result for player in analysis.players]
    assert max(results) - min(results) > 10
    assert len(last) >= 3
    for seat, standing in last.items():
        assert standing == pytest.approx(results[seat], abs=3)


def test_the_lead_is_negative_for_the_seat_with_the_most_strokes():
    game, played, names = game_of("golf", "random")
    analysis = analyse_played(game, played, names)
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    for move in played.moves:
        play_move(game, state, move)
    scores = state[0]["tally"]["score"][:2]
    assert analysis.players[0].result == lead(game, state, 0, 2) == scores[1] - scores[0] < 0


def test_luck_is_taken_from_its_owner_and_given_back_to_the_others():
    assert adjusted([2.0, -2.0], [1.5, 0.5], 0) == 1.0
    assert adjusted([2.0, -2.0], [1.5, 0.5], 1) == -1.0
    assert adjusted([2.0, -2.0], [1.5, None], 0) is None


def test_mistakes_are_in_order_and_have_positions():
    analysis = analyse_played(*game_of("golf", "random"))
    losses = [mistake.loss for mistake in analysis.mistakes()]
    assert losses == sorted(losses, reverse=True)
    assert min(losses) > analysis.thresholds[0]
    assert all(mistake.position and mistake.picture.startswith("<svg") for mistake in analysis.mistakes())


def test_a_player_without_values_cannot_judge():
    with pytest.raises(UserError, match="random"):
        analyse_played(*game_of("golf", "random"), "random")


def test_a_log_is_analysed_printed_and_written(tmp_path, capsys):
    log, page = tmp_path / "golf.log", tmp_path / "golf.html"
    sparring.match("golf", "champion", "random", pairs=1, keep=log)
    found = sparring.analyse(log)
    assert [total.name for total in found.totals] == ["champion", "random"]
    assert found.totals[1].decisions == sum(game.players[game.names.index("random")].decisions for game in found.games)
    assert main(["analyse", str(log), "--game", "2", "--html", str(page), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert len(written["games"]) == 1
    assert written["games"][0]["decisions"][0].keys() >= {"made", "loss", "choices", "luck", "standing"}
    assert "blunder" in page.read_text()


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        (["--game", "9"], "has 2 games"),
        (["--player", "greedier"], "no values"),
        (["--level", "1"], "only one level"),
        (["--out", "x.mat"], "no format"),
    ],
)
def test_wrong_options_are_refused_in_one_line(tmp_path, capsys, words, fragment):
    log = tmp_path / "golf.log"
    sparring.match("golf", "champion", "random", pairs=1, keep=log)
    assert main(["analyse", str(log), *words]) == 2
    assert fragment in capsys.readouterr().err


def test_a_game_without_its_deal_is_refused(tmp_path, capsys):
    log = tmp_path / "golf.log"
    sparring.match("golf", "champion", "random", pairs=1, keep=log)
    log.write_text(log.read_text().partition("\n")[2].lstrip())
    assert main(["analyse", str(log)]) == 2
    assert "line 1" in capsys.readouterr().err
