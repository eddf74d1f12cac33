"""Files of at most 400 lines, functions of at most 60, no word that the glossary replaced, no exceptions from ruff's limits."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "sparring"
LONGEST_FILE, LONGEST_FUNCTION = 400, 60


@pytest.fixture(scope="module")
def texts():
    return {path.relative_to(SOURCES).as_posix(): path.read_text() for path in sorted(SOURCES.rglob("*.py"))}


def functions(text):
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def length(function):
    return function.end_lineno - function.lineno + 1


def test_no_file_is_too_long(texts):
    assert {name for name, text in texts.items() if len(text.splitlines()) > LONGEST_FILE} == set()


def test_no_function_is_too_long(texts):
    found = {
        f"{name}: {function.name}"
        for name, text in texts.items()
        for function in functions(text)
        if length(function) > LONGEST_FUNCTION
    }
    assert found == set()


@pytest.mark.parametrize(("lines", "found"), [(60, False), (61, True)])
def test_a_functions_length_counts_its_first_and_its_last_line(lines, found):
    text = "@decorated\nasync def long():\n" + "    pass\n" * (lines - 1)
    assert [length(function) > LONGEST_FUNCTION for function in functions(text)] == [found]


def test_ruff_excuses_no_file():
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert {"C901", "PLR0913"} <= set(lint["select"]) - set(lint["ignore"]) and "per-file-ignores" not in lint


def test_no_source_has_the_word_that_the_glossary_replaced(texts):
    assert {name for name, text in texts.items() if re.search(r"\btold\b", text)} == set()
