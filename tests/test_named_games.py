"""A game outside the package is imported because the user names it, never because a file does."""

import sys
from pathlib import Path

import pytest

import sparring
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import ALLOWED, find_game, name_game
from sparring.games.game import with_rules
from sparring.web.server import create_app
from web_server import Served, application, play_out, sit, wait_for

HIGHER_CARD = Path(__file__).parent.parent / "examples" / "higher_card.py"


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A run folder that names a module beside it, which would leave a trace if it were imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "runs" / "evil"
    folder.mkdir(parents=True)
    for package in (tmp_path / "runs", folder):
        (package / "__init__.py").write_text("")
    (folder / "payload.py").write_text(f"import pathlib; pathlib.Path({str(tmp_path / 'trace')!r}).touch()")
    (folder / "experiment.toml").write_text('game = "runs.evil.payload"\n[learner]\nname = "coevolution"\n')
    yield folder
    assert not (tmp_path / "trace").exists()
    assert "runs.evil.payload" not in sys.modules


@pytest.mark.parametrize("command", ["resume", "report", "draw", "train"])
def test_no_command_imports_what_a_run_names(evil, command, capsys):
    target = evil / "experiment.toml" if command == "train" else evil
    assert main([command, str(target)]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and "--of runs.evil.payload" in line


def test_loading_a_run_imports_nothing(evil):
    with pytest.raises(UserError, match="a file cannot have it imported"):
        sparring.load(evil)


def test_listing_runs_on_the_page_imports_nothing(evil):
    from fastapi.testclient import TestClient

    with TestClient(create_app(evil.parent, warm=False), base_url="http://127.0.0.1") as client:
        assert client.get("/api/runs").json() == []


def test_rules_do_not_hide_a_module(evil):
    with pytest.raises(UserError, match="a file cannot have it imported"):
        find_game("runs.evil.payload:a=b")


def test_a_game_is_found_in_a_file_that_the_user_names():
    game = name_game(str(HIGHER_CARD))
    assert find_game(str(HIGHER_CARD)) is game and find_game(game.name) is game


def test_a_file_without_a_game_is_refused_in_one_line(tmp_path):
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(UserError, match="a module that defines GAME is needed"):
        name_game(str(tmp_path / "empty.py"))


def test_a_game_may_not_take_the_name_of_ours(tmp_path):
    text = HIGHER_CARD.read_text().replace('name="higher_card"', 'name="golf"')
    (tmp_path / "golf.py").write_text(text)
    with pytest.raises(UserError, match="is taken by one of Sparring's own games"):
        name_game(str(tmp_path / "golf.py"))


@pytest.mark.parametrize("name", ["gin:rules=full", "backgammon:scoring=single,start=hypergammon", "hearts:rounds=2"])
def test_the_same_rules_are_the_same_game_so_that_it_is_compiled_once(name):
    game = find_game(name)
    assert find_game(name) is game and with_rules(find_game(game.family), name.partition(":")[2]) is game
    assert with_rules(game, name.partition(":")[2]) is game


def test_a_map_that_is_a_file_is_read_again(tmp_path):
    path = tmp_path / "own.map"
    path.write_text((Path(sparring.__file__).parent / "games" / "conquest" / "maps" / "easy.map").read_text())
    one, two = (find_game(f"conquest:map={path}") for _ in range(2))
    assert one is not two and (one.template["board"] == two.template["board"]).all()
    assert find_game("conquest:map=easy") is find_game("conquest:map=easy")


# On the page.


def test_a_game_that_the_user_names_is_listed_and_played_on_the_page(tmp_path, monkeypatch):
    monkeypatch.setenv(ALLOWED, str(HIGHER_CARD))
    game = name_game(str(HIGHER_CARD))
    with application(tmp_path) as browser:
        listed = {one["name"]: one for one in browser.get("/api/games").json()}
        assert listed[game.name]["seats"] == [2, 3, 4] and listed[game.name]["default_opponent"] == "random"
        over = play_out(browser, sit(browser, game.name, ["random"], seed=3))
        assert over["result"].count(" to ") == 1 and "cards: " in over["text"]
        wait_for(lambda: browser.get("/api/record").json()["records"])
        unknown = browser.post("/api/tables", json={"game": str(HIGHER_CARD.with_name("lower_card.py"))})
        assert unknown.status_code == 422 and "unknown game" in unknown.json()["error"]


def test_a_game_that_serve_names_is_trained_from_the_page(tmp_path):
    server = Served(tmp_path / "runs", "--of", str(HIGHER_CARD))
    try:
        with server.browser() as browser:
            body = {"game": "higher_card", "name": "x", "trials": 1, "options": {"epochs": 2}}
            assert browser.post("/api/runs", json=body).status_code == 200
            done = wait_for(lambda: _ended(browser.get("/api/runs/x").json()), 900)
            assert done["champion"] == "runs/x", done["headline"]
            assert "runs/x" in [player["name"] for player in browser.get("/api/players?game=higher_card").json()]
    finally:
        server.end()


def _ended(run):
    return run if not run["running"] else None
