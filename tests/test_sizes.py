"""Files of at most 400 lines, functions of at most 60. What is larger today is listed here; the list only shrinks."""

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "sparring"
LONGEST_FILE, LONGEST_FUNCTION = 400, 60
LONG_FILES = {"games/backgammon/rules.py", "games/gin/nets.py", "web/tables.py"}
LONG_FUNCTIONS: set[str] = set()


@pytest.fixture(scope="module")
def texts():
    return {path.relative_to(SOURCES).as_posix(): path.read_text() for path in sorted(SOURCES.rglob("*.py"))}


def functions(text):
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def length(function):
    return function.end_lineno - function.lineno + 1


def test_no_file_is_too_long(texts):
    assert {name for name, text in texts.items() if len(text.splitlines()) > LONGEST_FILE} == LONG_FILES


def test_no_function_is_too_long(texts):
    found = {
        f"{name}: {function.name}"
        for name, text in texts.items()
        for function in functions(text)
        if length(function) > LONGEST_FUNCTION
    }
    assert found == LONG_FUNCTIONS


@pytest.mark.parametrize(("lines", "found"), [(60, False), (61, True)])
def test_a_functions_length_counts_its_first_and_its_last_line(lines, found):
    text = "@decorated\nasync def long():\n" + "    pass\n" * (lines - 1)
    assert [length(function) > LONGEST_FUNCTION for function in functions(text)] == [found]


def test_ruff_excuses_no_file_that_needs_no_excuse():
    pytest.importorskip("ruff")
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--config",
        "lint.per-file-ignores = {}",
        "--output-format",
        "json",
    ]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    found = {(Path(one["filename"]).relative_to(ROOT).as_posix(), one["code"]) for one in json.loads(answer.stdout)}
    excused = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]["per-file-ignores"]
    assert {(name, code) for name, codes in excused.items() for code in codes} == found
