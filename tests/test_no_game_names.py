"""Only games/ and studies/ name a game or a policy of one game; elsewhere neither strings nor identifiers do.

Exempt are the examples of a docstring (`>>>` lines, their continuations and their output), because an example needs a game.
Comments are not read. Files with names today are listed here; the list only shrinks.
"""

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.games import GAMES, find_game

SOURCES = Path(__file__).parents[1] / "src" / "sparring"
# Names of policies and roles that are also ordinary words. A policy variant (`net+WORD`) is found whatever the word.
GENERIC = {"always", "careful", "coordinates", "expert", "greedy", "idle", "mean", "net", "pass", "patient", "plain", "play",
           "random", "red", "simple", "value"}  # fmt: skip
LISTED = {
    "api.py",
    "cli/commands.py",
    "cli/show.py",
    "learn/curriculum.py",
    "learn/curriculum_options.py",
    "learn/curriculum_seating.py",
    "learn/hill_climbing.py",
    "learn/neat/options.py",
    "learn/neat/task.py",
    "position.py",
    "web/tables.py",
}

WORD = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def names_of_games() -> set[str]:
    """Every game's name, and its policies, policy variants and roles of teams."""
    policies = [find_game(game).policies for game in GAMES]
    names = {part for every in policies for name in (*every.names, *every.roles) for part in name.split("+")}
    return set(GAMES) | (names | {"moon"}) - GENERIC


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The string constants of a module, docstrings without their examples."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented)
                  if node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = doctest.DocTestParser().parse(node.value) if id(node) in docstrings else [node.value]
            yield node.lineno, " ".join(part for part in parts if isinstance(part, str))


def identifiers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names that a module defines, uses or imports."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            if isinstance(text := getattr(node, field, None), str):
                yield getattr(node, "lineno", 0), text


def found(source: str, names: set[str]) -> list[tuple[int, str]]:
    """The lines of a module that name a game or a policy of one, with the name."""
    tree = ast.parse(source)
    words = {(line, word.lower()) for line, text in texts(tree) for word in WORD.findall(text)}
    words |= {
        (line, f"net+{variant}") for line, text in texts(tree) for variant in re.findall(r"\bnet\+([\w-]+)", text)
    }
    words |= {(line, part.lower()) for line, name in identifiers(tree) for part in PARTS.findall(name)}
    return sorted((line, word) for line, word in words if word in names or word.startswith("net+"))


FILES = {
    path.relative_to(SOURCES).as_posix(): path
    for path in sorted(SOURCES.rglob("*.py"))
    if path.relative_to(SOURCES).parts[0] not in ("games", "studies")
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_outside_games_and_studies_names_no_game(name: str) -> None:
    offences = found(FILES[name].read_text(encoding="utf-8"), names_of_games())
    if name in LISTED:
        assert offences, f"{name} names no game any more: remove it from LISTED"
    else:
        assert not offences, "\n".join(f"{name}:{line}: {word}" for line, word in offences)


def test_every_listed_file_exists() -> None:
    assert set(FILES) >= LISTED


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('print("a game of Golf")', ["golf"]),
        ("from sparring.games.gin import cards", ["gin"]),
        ("def golf_parts(hearts_table): ...", ["golf", "hearts"]),
        ("class GinView: ...", ["gin"]),
        ('policy = "net+plain"', ["net+plain"]),
        ('f"{x} against pubeval"', ["pubeval"]),
        ('"""Begin with original hearts.\n\n>>> play("golf")\n1\n\nAnd gin."""', ["gin", "hearts"]),
        ('"""Begin.\n\n>>> play("golf")\n\'golf\'\n"""', []),
        ('begin, ginger = "random", "net"', []),
    ],
)
def test_names_are_found_in_strings_and_identifiers(source: str, words: list[str]) -> None:
    assert sorted(word for _, word in found(source, names_of_games())) == words
