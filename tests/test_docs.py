"""The pages of docs/: their order, every option and number by name, links that lead somewhere, a site and a tutorial that work."""

import dataclasses
import doctest
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import sparring
import tiny_game
from sparring.games import GAMES, find_game
from sparring.learn import LEARNERS
from sparring.learn.supervised import Fit, Supervised
from sparring.studies import STUDIES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = {path.name: path.read_text() for path in sorted(DOCS.glob("*.md"))}
BIN = Path(sys.executable).parent

FIRST = ["How to play", "Rules", "Specs", "Playing", "Notation", "Players", "Networks"]
OPTIONS = ["Options"]
LAST = ["Sources", "Version history"]


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(text: str, level: int = 2) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", without_code(text), re.MULTILINE)


def section(text: str, heading: str) -> str:
    """What stands under a heading of the second level."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return next(part for part in parts if part.startswith(f"{heading}\n"))


# Games.


@pytest.mark.parametrize("name", GAMES)
def test_a_game_s_page_has_the_headings_of_all_games_pages_in_their_order(name: str) -> None:
    assert headings(PAGES[f"{name}.md"]) == FIRST + (OPTIONS if find_game(name).rules.options else []) + LAST


@pytest.mark.parametrize("name", GAMES)
def test_a_game_s_page_names_its_rules_version_and_every_rule_that_can_be_chosen(name: str) -> None:
    game, page = find_game(name), PAGES[f"{name}.md"]
    assert f"| rules version | {game.rules.version} |" in section(page, "Specs")
    assert re.findall(r"^(\d+)\. ", section(page, "Version history"), re.MULTILINE)[-1] == str(game.rules.version)
    for field in dataclasses.fields(game.rules.options) if game.rules.options else ():
        assert f"`{field.name}`" in section(page, "Options"), field.name


# Learners.


def page_of(learner: str) -> str:
    """The name of a learner's page."""
    return f"{learner}.md"


def shown(value: object) -> str:
    """A default as a page has it."""
    if isinstance(value, tuple):
        return " ".join(map(shown, value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize("name", [*LEARNERS, "supervised"])
def test_a_learner_s_page_has_every_option_with_its_default_and_nothing_else(name: str) -> None:
    options, page = LEARNERS[name][0] if name in LEARNERS else Supervised, PAGES[page_of(name)]
    tables = "".join(re.findall(r"^\| option \| default \| meaning \|\n(?:\|.*\n)+", page, re.MULTILINE))
    told = {key: value.strip() for key, value in re.findall(r"^\| `(\w+)` \|([^|]*)\| [^|]+\|$", tables, re.MULTILINE)}
    assert told == {field.name: shown(field.default) for field in dataclasses.fields(options)}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_s_page_has_every_choice_of_an_option(name: str) -> None:
    page = PAGES[page_of(name)]
    for field in dataclasses.fields(LEARNERS[name][0]):
        rows = " ".join(re.findall(rf"^\| `{field.name}` \|.*$", page, re.MULTILINE))
        for choice in field.metadata["choices"]:
            assert f"`{choice}" in page or re.search(rf"\b{re.escape(choice)}\b", rows), (field.name, choice)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_s_page_begins_with_its_paper(name: str) -> None:
    introduction = re.split(r"^## ", PAGES[page_of(name)], flags=re.MULTILINE)[0]
    assert re.search(r"“[^”]+”[^“]*\b(19|20)\d\d\b", introduction)


SHORT = {
    "coevolution": ("golf", {"epochs": 1, "curve_every": 1, "hidden": 2, "benchmark_pairs": 1}),
    "hill-climbing": ("golf", {"challenges": 1, "curve_every": 1, "hidden": 2, "benchmark_pairs": 1}),
    "td": ("golf", {"games": 2, "step_games": 2, "curve_every": 1, "hidden": 2, "benchmark_pairs": 1, "training_pairs": 1}),
    "td-batch": ("backgammon", {"games": 4, "turns": 4, "step_turns": 2, "curve_every": 1, "hidden": 2, "benchmark_pairs": 1}),
    "deep-td": (
        "backgammon",
        {"games": 4, "turns": 4, "step_turns": 2, "curve_every": 1, "layers": "3-2", "minibatch": 2, "minibatch_end": 2,
         "benchmark_pairs": 1},
    ),
    "expert-iteration": (
        tiny_game.GAME.name,
        {"games": 2, "step_games": 2, "curve_every": 1, "layers": "2", "share": 1.0, "worlds": 1, "corrections": 1, "minibatch": 1,
         "benchmark_pairs": 1},
    ),
    "neat": ("golf", {"generations": 1, "pop_size": 4, "games": 1, "benchmark_pairs": 1, "opponents": ("rivals",)}),
    "evolution-strategies": ("golf", {"generations": 1, "population": 4, "pairs": 1, "curve_every": 1, "benchmark_pairs": 1}),
    "curriculum": (
        "hearts",
        {"stages": ("play", "pass", "moon-decision-1"), "games": (200,), "step_games": 200, "hidden": 4, "curve_every": 1,
         "exam_games": 200, "benchmarks": ("rule-based",), "benchmark_games": 4},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_s_page_names_every_curve_that_it_logs_and_no_other(name: str) -> None:
    game_name, few = SHORT[name]
    game, (options, training) = find_game(game_name), LEARNERS[name]
    short = training(game, options(**few), 1, 1)
    while short.step < short.steps:
        short.advance()
    curves = {curve.replace("rivals.", "population.") for curve in short.curves()[1]}
    measures = {"score", "won", "fitness", *game.rules.measures(np.zeros(1, game.rules.tally)), *game.rules.labels}
    patterns = {
        word: word.replace(".", r"\.")
        .replace("PLAYER", "[a-z0-9-]+")
        .replace("LAYER", r"layer\d")
        .replace("MEASURE", f"({'|'.join(measures)})")
        for word in re.findall(r"`(\w+(?:\.\w+)+)`", section(PAGES[page_of(name)], "Numbers it logs"))
    }
    for curve in curves:
        assert any(re.fullmatch(pattern, curve) for pattern in patterns.values()), curve
    for word, pattern in patterns.items():
        assert any(re.fullmatch(pattern, curve) for curve in curves), word


def test_the_supervised_page_names_every_number_and_its_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGES["supervised.md"]
    told = re.findall(r"^\| `(\w+)` \|", section(page, "Numbers it logs"), re.MULTILINE)
    assert told == [field.name for field in dataclasses.fields(Fit)]
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(code[0].replace("5_000", "500"), {})
    assert len(capsys.readouterr().out.splitlines()) == 6


# Links and the menu.


def anchor(heading: str) -> str:
    """A heading's name in links: here we write none that GitHub and the site would spell differently."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(text: str) -> list[tuple[str, str]]:
    """Where a page's links lead, and to which heading."""
    found = re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", without_code(text))
    return [(path, name) for path, _, name in (link.partition("#") for link in found) if "://" not in path]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_heading_and_not_out_of_the_site(page: str) -> None:
    for path, name in links(PAGES[page]):
        target = (DOCS / (path or page)).resolve()
        assert target.is_file(), path
        assert DOCS in target.parents, f"{path}: the site has only what lies in docs"
        if name:
            told = target.read_text()
            assert name in {anchor(heading) for level in (1, 2, 3) for heading in headings(told, level)}, (path, name)


def test_every_link_of_the_contributor_s_page_leads_somewhere() -> None:
    found = links((ROOT / "CONTRIBUTING.md").read_text())
    assert len(found) >= 3
    for path, _ in found:
        assert (ROOT / path).is_file(), path


def test_the_menu_has_every_page_once_and_every_game_learner_and_study() -> None:
    menu = re.findall(r"^ +- [^:]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(menu) == sorted(PAGES)
    needed = [*GAMES, "supervised", "debate", *(f"{study}-study" for study in STUDIES if study != "debate")]
    assert {f"{name}.md" for name in needed} | {page_of(learner) for learner in LEARNERS} <= set(menu)


def test_the_api_reference_has_all_that_the_package_offers() -> None:
    told = re.findall(r"^::: sparring\.(\w+)$", PAGES["api.md"], re.MULTILINE)
    assert sorted(told) == sorted(sparring.__all__)


# The site.


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it: a warning fails it."""
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


def test_the_site_has_a_page_for_each_page(site: Path) -> None:
    assert {path.stem for path in site.glob("*.html")} >= {name.removesuffix(".md") for name in PAGES}


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.glob("*.html"):
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=[\"']?([^\"' >]+)", page.read_text())
        assert loaded and not [address for address in loaded if "//" in address], page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", sheet.read_text()), sheet.name


@pytest.mark.parametrize("name", sparring.__all__)
def test_the_api_reference_tells_of_each_name(site: Path, name: str) -> None:
    page = (site / "api.html").read_text()
    entry = re.search(rf'id="sparring\.{name}"(.*?)(?:<h3|</html>)', page, re.DOTALL)
    assert entry, name
    assert re.search(r"<p>\w", entry[1]), "a docstring"


def test_examples_in_docstrings_are_shown_as_code(site: Path) -> None:
    page = (site / "api.html").read_text()
    assert "<blockquote>" not in page and "&gt;&gt;&gt; " in page


# The tutorial.

PATIENCE = 600  # seconds of one core, whatever else it does: the tutorial's ten minutes


class Reader:
    """Somebody who types what the tutorial says, and answers 1 to every question."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.heard = folder, ""
        (folder / "experiments").symlink_to(ROOT / "experiments")
        self.environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
        for name in ("SPARRING_DB", "COLUMNS"):  # whoever runs the tests may have chosen where results go, and a width
            self.environment.pop(name, None)

    def type(self, block: str) -> None:
        self.heard = ""
        for line in block.splitlines():
            if line == "sparring serve":
                self.serve()
            else:
                self.run(line)

    def run(self, line: str) -> None:
        done = subprocess.run(
            shlex.split(line), cwd=self.folder, env=self.environment, input="1\n" * 5000, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        self.heard += done.stdout + done.stderr

    def serve(self) -> None:
        """The server says where it is, answers there, and ends on Ctrl-C. No browser is opened here, on a port that is free."""
        words = ["sparring", "serve", "--no-open", "--port", "0"]
        with subprocess.Popen(
            words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stdout
                address = re.search(r"http://\S+", server.stdout.readline())
                assert address, "the server says where it is"
                browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
                with browser.open(address[0], timeout=300) as reply:
                    assert reply.status == 200
                server.send_signal(signal.SIGINT)
                server.wait(300)
            finally:
                server.kill()

    def see(self, block: str) -> None:
        """What the tutorial shows is what was printed, whatever the numbers."""
        heard = masked(self.heard)
        for line in block.splitlines():
            assert masked(line) in heard, line

    def python(self, block: str) -> None:
        example = doctest.DocTestParser().get_doctest(block, {}, "tutorial.md", "tutorial.md", 0)
        assert example.examples and doctest.DocTestRunner().run(example).failed == 0


def seconds_of_commands() -> float:
    """What all commands so far have cost, on all cores together."""
    spent = os.times()
    return spent.children_user + spent.children_system


def masked(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"-?\d+(?:[.,]\d+)*", "N", text))


@pytest.mark.long
def test_the_tutorial_works_as_it_is_written_in_under_ten_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reader, began = Reader(tmp_path), seconds_of_commands()
    read = {"sh": reader.type, "text": reader.see, "python": reader.python}
    _, after_install = PAGES["tutorial.md"].split("\n## Who plays\n")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", after_install, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 12
    for kind, block in blocks:
        read[kind](block)
    assert seconds_of_commands() - began < PATIENCE
    assert (tmp_path / "runs/report.html").exists() and (tmp_path / "runs/golf-td/champion.svg").exists()
