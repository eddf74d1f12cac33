"""A game outside the package: the example made to be copied conforms, plays, trains, logs and loads like our own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sparring
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import name_game
from sparring.games.game import play_move, start_game
from sparring.testing import CHECKS, for_all_deals

NAME = "examples.higher_card"


@pytest.fixture(autouse=True)
def from_the_root(monkeypatch):
    """Outside games are found from the present folder."""
    monkeypatch.chdir(Path(__file__).parent.parent)


@pytest.mark.parametrize("name", [NAME, "examples/kuhn.py"])
@pytest.mark.parametrize("check", CHECKS)
def test_the_examples_conform(name, check):
    for_all_deals(name_game(name), check, 4)


@pytest.mark.parametrize(("moves", "scores"), [((0, 0), 1), ((0, 1, 0), -1), ((0, 1, 1), 2), ((1, 0), 1), ((1, 1), 2)])
def test_kuhn_poker_pays_the_higher_card_or_whoever_did_not_fold(moves, scores):
    game = name_game("examples/kuhn.py")
    state = next(s for s in (start_game(game, 1, deal, 0, 2) for deal in range(9)) if s[0]["deck"][0] > s[0]["deck"][1])
    for move in moves:
        play_move(game, state, move)
    assert state[0]["over"] and state[0]["tally"]["score"][:2].tolist() == [scores, -scores]


def test_a_move_is_typed_in_its_words_where_a_game_has_no_notation_of_its_own():
    game = name_game("examples/kuhn.py")
    state = start_game(game, 1, 0, 0, 2)
    assert game.view.read_move(state[0], "bet") == 1
    with pytest.raises(UserError, match="its words: check, bet"):
        game.view.read_move(state[0], "raise")


def test_a_game_that_lacks_something_says_what():
    game = name_game("examples/kuhn.py")
    with pytest.raises(UserError, match=r"Rules.state: lacks the field luck"):
        replace(game.rules, state=np.dtype([(name, np.int8) for name in ("turn", "over", "tally")]))
    with pytest.raises(UserError, match=r"Policies.names has no policy 'net'"):
        replace(game.policies, names={"random": "tosses a coin"})


def test_changing_low_cards_can_be_learned(tmp_path):
    """Keeping at random makes 6 on average; changing whatever is below the mean makes about 7.6."""
    run = sparring.train(
        NAME, runs=tmp_path, name="x", trials=4, epochs=1000, pairs=25, threshold=0.5, start=1.0, mutation=0.3
    )
    told = run.evaluation()
    champion = told["trials"][told["champion"]]["matches"][0]["players"][0]
    assert champion["score"][1] > 7


def test_its_nets_and_logs_are_read_by_naming_it(tmp_path, capsys):
    sparring.train(NAME, runs=tmp_path, name="x", epochs=2)
    net = tmp_path / "x" / "champion.safetensors"
    assert sparring.load(net, game=NAME).game == "higher_card"
    with pytest.raises(UserError, match="which is not one of the games"):
        sparring.load(net)
    log = tmp_path / "x.log"
    assert (
        main(["match", NAME, str(tmp_path / "x"), "random", "--pairs", "2", "--log", str(log), "--runs", str(tmp_path)])
        == 0
    )
    assert main(["replay", str(log), "--of", NAME]) == 0
    assert main(["replay", str(log), "--of", NAME, "--statistics"]) == 0
    assert main(["replay", str(log)]) == 2
    assert "--of" in capsys.readouterr().err


def test_a_module_that_is_not_there_is_named():
    with pytest.raises(UserError, match="No module named"):
        name_game("examples.lower_card")
