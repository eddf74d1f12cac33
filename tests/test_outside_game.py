"""A game outside the package: the example made to be copied conforms, plays, trains, logs and loads like our own."""

from pathlib import Path

import pytest

import sparring
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import name_game
from sparring.testing import CHECKS, for_all_deals

NAME = "examples.higher_card"


@pytest.fixture(autouse=True)
def from_the_root(monkeypatch):
    """Outside games are found from the present folder."""
    monkeypatch.chdir(Path(__file__).parent.parent)


@pytest.mark.parametrize("check", CHECKS)
def test_the_example_conforms(check):
    for_all_deals(name_game(NAME), check, 4)


def test_changing_low_cards_can_be_learned(tmp_path):
    """Keeping at random makes 6 on average; changing whatever is below the mean makes about 7.6."""
    run = sparring.train(NAME, runs=tmp_path, name="x", trials=4, epochs=1000, pairs=25, threshold=0.5, start=1.0, mutation=0.3)
    told = run.evaluation()
    champion = told["trials"][told["champion"]]["matches"][0]["players"][0]
    assert champion["score"][1] > 7


def test_its_nets_and_logs_are_read_by_naming_it(tmp_path, capsys):
    sparring.train(NAME, runs=tmp_path, name="x", epochs=2)
    net = tmp_path / "x" / "champion.safetensors"
    assert sparring.load(net, game=NAME).game == "higher_card"
    with pytest.raises(UserError, match="which is none of the games here"):
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
