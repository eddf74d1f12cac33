"""The README's code runs, and what it says about files and commands is so."""

import doctest
import re
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command

from sparring.cli.commands import app
from sparring.games import GAMES, find_game

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_readme_s_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(code, {}, "README.md", "README.md", 0)
    assert len(example.examples) >= 8
    result = doctest.DocTestRunner().run(example)
    assert result.failed == 0


def test_every_command_of_the_readme_exists_with_its_options():
    commands = get_command(app).commands
    lines = re.findall(r"^sparring (\S+)([^#\n]*)", README, re.MULTILINE)
    assert len(lines) >= 6
    for name, rest in lines:
        assert name in commands
        known = {option for parameter in commands[name].params for option in parameter.opts} | {"--epochs"}
        assert set(re.findall(r"--[a-z-]+", rest)) <= known, name


def test_nothing_in_the_readme_waits_to_be_filled_in():
    assert not re.search(r"^[A-Z]{4,}$", README, re.MULTILINE)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_of_the_readme_leads_somewhere(link):
    assert (ROOT / link).exists()


@pytest.mark.parametrize("name", GAMES)
def test_every_player_and_input_of_a_game_is_on_its_page(name):
    page, game = (ROOT / "docs" / f"{name}.md").read_text(), find_game(name)
    for word in (
        *game.policy_names,
        *game.policies.encodings,
        *game.rules.measures(np.zeros(1, game.rules.tally)),
        *game.rules.labels,
    ):
        assert f"`{word}`" in page, word
