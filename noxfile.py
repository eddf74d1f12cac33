#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""Tasks in environments of their own: `nox -l` lists them, `nox` runs lint and tests. `make test` needs no nox."""

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"

PROJECT = nox.project.load_toml("pyproject.toml")
GROUPS = {name: nox.project.dependency_groups(PROJECT, name) for name in ("dev", "test", "docs")}


@nox.session(default=True)
def lint(session: nox.Session) -> None:
    """Style, types and the direction of imports."""
    session.install("-e.", *GROUPS["dev"])
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")


@nox.session(default=True, python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """The tests; paths and options after `--` go to pytest."""
    session.install("-e.[pettingzoo,cluster]", *GROUPS["test"])
    session.run("pytest", *(session.posargs or ["-m", "not long and not gpu"]))


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """The pages of docs/ as a site."""
    session.install("-e.", *GROUPS["docs"])
    session.run("mkdocs", "build", "--strict", "--quiet")


@nox.session(default=False)
def hooks(session: nox.Session) -> None:
    """All hooks of pre-commit on all files."""
    session.install("pre-commit>=4.0")
    session.run("pre-commit", "run", "--all-files", "--show-diff-on-failure")


if __name__ == "__main__":
    nox.main()
