"""The page in a real browser: games played by clicks and by keys, replays, hints, runs, and what every page must keep to.

`python tests/pictures.py` takes the pictures in docs/pictures.
"""

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sparring.games import GAMES, find_game
from web_server import Served

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

PATIENCE = 1200  # seconds for a game on a machine that has much else to do
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FOUND = next(filter(None, map(shutil.which, BROWSERS)), None)
BROWSER = {
    "executable_path": FOUND,
    "args": ["--no-sandbox"] if os.geteuid() == 0 else [],
    "timeout": 1000 * PATIENCE,
}  # its sandbox is not for root
pytestmark = pytest.mark.skipif(FOUND is None, reason="there is no Chromium here")

MATCH = Path(__file__).parent / "matches/gnubg.mat"
STATIC = Path(__file__).parent.parent / "src/sparring/web/static"
HEAVIEST = 300_000  # bytes of the whole page
SHORT = {"hearts": "rounds=1", "gin": "limit=60", "backgammon": "start=hypergammon", "conquest": "rounds=6"}
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TABS = ("", "watch", "runs", "players", "games", "reports")

# Waits for the person's turn, or the end; then says where to click, for one of all that can be clicked: a live part where nothing
# lies above it, or a button below the table.
TURN = """async (chance) => {
  const felt = document.querySelector(".felt");
  const end = performance.now() + 20000;
  while (felt.dataset.state === "waiting" && performance.now() < end) await new Promise((done) => setTimeout(done, 4));
  const told = { state: felt.dataset.state, number: Number(felt.dataset.number) };
  const ready = felt.querySelector("[data-confirm]:not(:disabled)"); // a move that is complete is made
  const parts = ready ? [ready] : [...felt.querySelectorAll(".board .live:not(.touched), .hands button:not(.plain, :disabled)")];
  if (told.state !== "yours" || !parts.length) return told;
  const chosen = parts[Math.floor(chance * parts.length)];
  chosen.scrollIntoView({ block: "nearest" });
  const box = chosen.getBoundingClientRect();
  for (const across of [0.5, 0.12, 0.88]) for (const down of [0.5, 0.15, 0.85]) {
    const [x, y] = [box.x + across * box.width, box.y + down * box.height];
    if (chosen.contains(document.elementFromPoint(x, y))) return { ...told, name: chosen.dataset.part, x, y };
  }
  return told;
}"""


BOTTOM = "(at) => document.querySelector(at).getBoundingClientRect().bottom"

# What is asked for under a path comes late.
SLOWLY = """(path) => {
    const [quick, wait] = [window.fetch, () => new Promise((go) => setTimeout(go, 700))];
    window.fetch = (url, ...rest) => String(url).includes(path) ? wait().then(() => quick(url, ...rest)) : quick(url, ...rest);
}"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served") / "runs"


@pytest.fixture(scope="module")
def address(runs: Path) -> Iterator[str]:
    """A server of our own, with a folder of its own: its address with the token."""
    server = Served(runs)
    yield f"{server.address}/?token={server.token}"
    server.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(**BROWSER)
        yield browser
        browser.close()


class Tab:
    """A page of a browser of its own, which hears every error and every request. The address contains the token."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.address, self.errors, self.requests = address.partition("/?")[0], [], []
        usual = {"viewport": DESKTOP, "reduced_motion": "reduce", "color_scheme": "light"}
        self.context = browser.new_context(**usual | options)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.context.request.get(address)  # from now on it has the cookie
        self.page = self.context.new_page()
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.errors.append(said.text))
        self.page.on("response", lambda response: response.status >= 400 and self.errors.append(self.refusal(response)))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    @staticmethod
    def refusal(response: Any) -> str:
        return f"Failed to load resource: {response.request.method} {response.url}: {response.status}"

    def go(self, to: str = "") -> None:
        self.page.goto(f"{self.address}/#/{to}")
        self.page.wait_for_selector("h1", state="attached")

    def begin(self, game: str, rules: str = "", **asked: Any) -> None:
        """Sit down by what the page itself sends."""
        self.go()
        script = "(asked) => import('/static/begin.js').then((begin) => begin.begin(asked))"
        self.page.evaluate(script, {"game": game, "rules": rules, "seed": 11, **asked})
        self.page.wait_for_selector(".felt[data-state=yours], .felt[data-state=over]")

    def play(self, dice: random.Random, moves: int = 10_000) -> int:
        """Click on anything live until the game is over, or so many moves are made; returns how many clicks it took."""
        clicks, end = 0, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told = self.turn(dice.random())
            if told["state"] == "over" or told["number"] >= moves:
                return clicks
            if told["state"] == "paused":
                self.page.click("[data-next]")
            elif "x" in told:
                self.page.mouse.click(told["x"], told["y"])
                clicks += 1
        raise AssertionError(f"no end after {clicks} clicks: {told}")

    def play_round(self, dice: random.Random) -> None:
        """Click until a round ends."""
        while self.turn(dice.random())["state"] != "paused":
            self.play(dice, moves=self.turn()["number"] + 1)

    def turn(self, chance: float = 0.0) -> dict[str, Any]:
        """What can be done once it is the person's turn."""
        told: dict[str, Any] = self.page.evaluate(TURN, chance)
        return told


@pytest.fixture
def tab(browser: Any, address: str) -> Iterator[Tab]:
    """A browser; nothing in it may go wrong, and nothing may come from elsewhere."""
    tab = Tab(browser, address)
    yield tab
    tab.context.close()
    assert tab.errors == []
    assert [
        url
        for url in tab.requests
        if not url.startswith((tab.address, tab.address.replace("http", "ws"), "data:", "blob:"))
    ] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_by_clicks_against_the_usual_opponent(tab: Tab, name: str) -> None:
    tab.begin(name, SHORT.get(name, ""))
    clicks = tab.play(random.Random(5))
    tab.page.wait_for_selector(".result")
    assert clicks > 5
    assert tab.page.inner_text(".result h2")
    champion = next(iter(find_game(name).policies.champions), None)
    assert champion is None or champion in tab.page.inner_text(".turn").lower()
    table = tab.page.url.rpartition("/")[2]
    tab.page.click("text=Same deal, seats swapped")
    tab.page.wait_for_url(lambda url: "/play/" in url and table not in url)
    tab.page.wait_for_selector(".felt")
    seats = tab.page.evaluate("id => fetch(`/api/tables/${id}`).then((a) => a.json())", tab.page.url.rpartition("/")[2])
    assert seats["seat"] == 1


def test_a_newcomer_on_a_phone_learns_plays_and_looks_back(browser: Any, address: str) -> None:
    """Rules, a hint on the board, the end of a round, resigning, and the analysis of the game."""
    tab = Tab(browser, address, viewport=PHONE, color_scheme="dark", has_touch=True)
    tab.page.on("dialog", lambda dialog: dialog.accept())
    tab.go()
    tab.page.click(".games [data-guide=golf]")
    tab.page.wait_for_selector("dialog.guide li >> nth=4")
    tab.page.click("dialog >> text=Close")
    tab.page.click("[data-game=golf]")
    tab.page.wait_for_selector(".felt[data-state=yours]")
    tab.page.click("[data-hint]")
    tab.page.wait_for_selector(".board .hinted")
    tab.play_round(random.Random(5))
    assert tab.page.locator(".result .scorecard tbody tr").count() == 2
    tab.page.click("[data-next]")
    tab.page.click("text=Resign")
    tab.page.click("text=Replay and analyse")
    tab.page.wait_for_selector(".stepper")
    assert tab.page.evaluate(BOTTOM, ".stepper") <= PHONE["height"]
    tab.page.click("[data-analyse]")
    tab.page.wait_for_selector("[aria-label=Analysis] .summary")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert tab.errors == []
    tab.context.close()


def test_a_game_goes_on_after_the_server_was_killed(browser: Any, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Served(tmp_path / "runs", "--port", str(port))
    tab = Tab(browser, f"{server.address}/?token={server.token}")
    tab.begin("golf")
    tab.play(random.Random(1), moves=6)
    before = tab.turn()["number"]
    server.kill_and_start_again()
    tab.page.reload()
    tab.page.wait_for_selector(".felt[data-state=yours]")
    assert tab.turn()["number"] == before
    tab.play(random.Random(1), moves=before + 2)
    tab.context.close()
    server.end()


def test_a_half_made_move_that_is_drawn_too_late_is_no_error(tab: Tab) -> None:
    tab.begin("backgammon")
    tab.page.evaluate(SLOWLY, "/partial")
    tab.play(random.Random(5), moves=4)
    tab.page.wait_for_timeout(1000)
    assert any("/partial" in url for url in tab.requests)
    assert tab.page.locator(".toast").count() == 0


def test_a_game_is_left_and_found_again(tab: Tab) -> None:
    tab.begin("golf")
    tab.play(random.Random(1), moves=6)
    before = tab.turn()["number"]
    tab.page.reload()
    tab.page.wait_for_selector(".felt[data-state=yours]")
    assert tab.turn()["number"] == before
    tab.go()
    tab.page.click("text=Continue")
    tab.page.wait_for_selector(".felt[data-state=yours]")
    assert tab.turn()["number"] == before


def test_the_picture_of_a_position_is_saved(tab: Tab) -> None:
    tab.begin("golf")
    with tab.page.expect_download() as download:
        tab.page.click("[data-save]")
    assert download.value.suggested_filename == "golf-0.svg"
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("<svg")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.bring_to_front()
    tab.page.click("[data-copy]")
    tab.page.wait_for_selector("[data-copy]:has-text('Copied')")
    size = """async () => {
      const [item] = await navigator.clipboard.read();
      const { width, height } = await createImageBitmap(await item.getType("image/png"));
      return [width, height];
    }"""
    width, height = tab.page.evaluate(size)
    assert width == 1200 and height > 300


# Counts what travels and what sounds.
COUNTED = """
  window.counted = { travelled: 0, sounded: 0 };
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    window.counted.travelled += added.filter((node) => node.classList?.contains("travelling")).length;
  }).observe(document, { childList: true, subtree: true });
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.counted.sounded += 1; return create.call(this); };
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pieces_travel_unless_motion_is_reduced_and_sound_only_if_asked(
    browser: Any, address: str, motion: str
) -> None:
    tab = Tab(browser, address, reduced_motion=motion)
    tab.page.add_init_script(COUNTED)
    tab.begin("backgammon")
    tab.play(random.Random(3), moves=tab.turn()["number"] + 2)
    counted = tab.page.evaluate("window.counted")
    assert (counted["travelled"] > 0) == (motion == "no-preference") and counted["sounded"] == 0
    tab.page.check("text=Sound")
    tab.page.wait_for_function("window.counted.sounded > 0")
    tab.page.wait_for_selector(".travelling", state="detached")
    assert tab.page.locator(".board .away").count() == 0 and tab.errors == []
    tab.context.close()


def test_a_card_is_dragged_to_where_it_goes(tab: Tab) -> None:
    """A press and a release on the same part are a touch; a drag from a live part to elsewhere is one too."""
    tab.begin("hearts", "rounds=1,passing=off")
    told = tab.turn()
    tab.page.mouse.move(told["x"], told["y"])
    tab.page.mouse.down()
    tab.page.mouse.move(told["x"] + 40, told["y"] - 60, steps=4)
    assert tab.page.query_selector(".ghost")
    tab.page.mouse.up()
    tab.page.wait_for_function(f"() => Number(document.querySelector('.felt').dataset.number) > {told['number']}")
    assert tab.page.query_selector(".ghost") is None


@pytest.mark.parametrize("name", GAMES)
def test_every_card_and_every_table_says_how_to_play(tab: Tab, name: str) -> None:
    tab.go()
    tab.page.click(f".games [data-guide={name}]")
    tab.page.wait_for_selector("dialog.guide :is(svg, img)")
    assert tab.page.locator("dialog.guide li").count() == 5
    assert tab.page.evaluate("document.querySelector('dialog').scrollTop") == 0
    assert tab.page.locator("dialog.guide tr").count() >= 2
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_selector("dialog", state="detached")
    tab.begin(name, SHORT.get(name, ""))
    assert tab.page.inner_text(".coach").endswith(".")
    tab.page.click("[data-guide]")
    tab.page.wait_for_selector("dialog.guide svg")


@pytest.mark.parametrize("name", GAMES)
def test_a_board_uses_the_width_of_a_desktop_window_and_needs_no_scrolling(tab: Tab, name: str) -> None:
    tab.begin(name)
    check_width(tab)


def check_width(tab: Tab) -> None:
    """The board takes most of the page's column, beside the list of moves, and ends within the window."""
    size = "(at) => { const box = document.querySelector(at).getBoundingClientRect(); return [box.width, box.bottom]; }"
    (column, _), (board, _) = (
        tab.page.evaluate(size, each) for each in ("main > *", ".board svg > :is(rect, g, path)")
    )
    assert column > 0.9 * DESKTOP["width"]
    assert board >= 0.6 * column
    assert tab.page.evaluate(size, ".board svg")[1] <= DESKTOP["height"]


@pytest.mark.parametrize("name", ["conquest", "hearts"])
def test_a_replayed_board_uses_the_width_of_a_desktop_window(tab: Tab, name: str) -> None:
    tab.page.on("dialog", lambda dialog: dialog.accept())
    tab.begin(name, SHORT[name])
    tab.page.click("text=Resign")
    tab.page.click("text=Replay and analyse")
    tab.page.wait_for_selector(".stepper")
    check_width(tab)
    assert tab.page.evaluate(BOTTOM, ".stepper") <= DESKTOP["height"]


def test_a_table_says_the_level_of_its_opponent(tab: Tab) -> None:
    tab.begin("backgammon", opponents=["pubeval"])
    assert tab.page.inner_text(".turn").endswith("you · pubeval (Regular)")
    tab.begin("gin", "rules=full")
    tab.go("games")
    assert "Gin against champion" in tab.page.inner_text(".list")  # the usual rules need no words


def test_a_round_ends_with_open_cards_a_scorecard_and_a_button(tab: Tab) -> None:
    tab.begin("golf")
    tab.play_round(random.Random(5))
    assert tab.page.locator(".board [data-part^=place]").count() == 6
    assert not tab.page.locator(".board [aria-label*='face down']").count()
    assert tab.page.inner_text(".result h2") == "End of round 1"
    assert tab.page.locator(".result .scorecard tbody tr").count() == 2
    tab.page.reload()  # a pause outlives a reload
    tab.page.click("[data-next]")
    tab.page.wait_for_selector(".felt[data-state=yours]")
    tab.page.reload()
    tab.page.wait_for_selector(".felt[data-state=yours]")


def test_three_cards_are_chosen_and_confirmed_before_they_are_passed(tab: Tab) -> None:
    tab.begin("hearts")
    cards = tab.page.locator(".board .live")
    for card in range(3):
        assert tab.page.is_disabled("[data-confirm]")
        cards.nth(card).click()
    cards.nth(2).click()
    assert tab.page.is_disabled("[data-confirm]")
    cards.nth(5).click()
    tab.page.click("[data-confirm]")
    tab.page.wait_for_function("() => Number(document.querySelector('.felt').dataset.number) >= 12")
    said = tab.page.inner_text(".log").splitlines()
    assert sum(line.startswith("You pass ") for line in said) == 3
    assert sum("passes three cards to the left" in line for line in said) == 3


def test_a_play_is_built_undone_step_by_step_and_confirmed_unless_that_is_switched_off(tab: Tab) -> None:
    tab.begin("backgammon")
    begun = tab.turn()["number"]
    while not tab.page.locator("[data-confirm]").count():
        tab.page.locator(".board .live").first.click()
    assert tab.page.evaluate(BOTTOM, "[data-confirm]") <= DESKTOP["height"]
    tab.page.click("[data-undo]")
    tab.page.wait_for_selector("[data-confirm]", state="detached")
    assert tab.page.locator(".board .live").count() and tab.turn()["number"] == begun
    while not tab.page.locator("[data-confirm]").count():
        tab.page.locator(".board .live").first.click()
    tab.page.click("[data-confirm]")
    tab.page.wait_for_function(f"() => Number(document.querySelector('.felt').dataset.number) > {begun}")
    tab.page.uncheck("text=Confirm each play")
    tab.page.wait_for_selector(".felt[data-state=yours]")
    begun = tab.turn()["number"]
    while tab.turn()["number"] == begun:
        if tab.page.get_attribute(".felt", "data-state") == "yours" and tab.page.locator(".board .live").count():
            tab.page.locator(".board .live").first.click()
        assert not tab.page.locator("[data-confirm]").count()


def test_a_game_is_resigned_listed_and_deleted(tab: Tab) -> None:
    tab.page.on("dialog", lambda dialog: dialog.accept())
    tab.begin("golf")
    table = tab.page.url.rpartition("/")[2]
    tab.play(random.Random(1), moves=4)
    tab.page.click("text=Resign")
    tab.page.wait_for_selector(".felt[data-state=over]")
    assert tab.page.inner_text(".result h2") == "You resign"
    tab.go("games")
    entry = tab.page.locator(f"[data-table='{table}']")
    assert "You resign" in entry.inner_text() and "0.0%" in tab.page.inner_text("[aria-label='Against each player']")
    entry.get_by_text("Delete").click()
    entry.wait_for(state="detached")


def test_a_game_of_the_terminal_is_gone_on_with_on_the_page(tab: Tab, runs: Path) -> None:
    words = ("play", "golf", "--against", "greedier", "--seed", "3", "--runs", str(runs))
    command = [sys.executable, "-m", "sparring", *words]
    done = subprocess.run(command, input="2\n1\nquit\n", text=True, capture_output=True, check=False)
    assert done.returncode == 130 and "--resume" in done.stderr
    tab.go("games")
    tab.page.click(".item:has-text('terminal') >> text=Continue")
    tab.page.wait_for_selector(".felt[data-state=yours]")
    assert tab.turn()["number"] >= 2


def test_what_was_touched_is_let_go_by_escape(tab: Tab) -> None:
    tab.begin("backgammon", "start=hypergammon")
    told = tab.turn()
    tab.page.mouse.click(told["x"], told["y"])
    tab.page.wait_for_selector(".board .touched")
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_selector(".board .touched", state="detached")
    assert tab.turn()["number"] == told["number"]


def test_a_hint_marks_the_best_move_says_what_it_is_worth_and_can_be_explained_and_played(tab: Tab) -> None:
    tab.begin("backgammon")
    tab.page.click("[data-hint]")
    tab.page.wait_for_selector(".board .hinted")
    assert " would " in tab.page.inner_text(".felt")
    tab.page.click("[data-explain] summary")
    tab.page.click("text=Compare all moves")
    tab.page.wait_for_selector("[data-explain] .bar.chosen")
    shares = tab.page.eval_on_selector_all(
        "[data-explain] .rail i", "all => all.map((bar) => parseFloat(bar.style.width))"
    )
    assert len(shares) > 1 and shares == sorted(shares, reverse=True) and shares[0] == 100
    number = tab.turn()["number"]
    tab.page.click("[data-explain] .bar >> nth=1")
    tab.page.wait_for_function(f"() => Number(document.querySelector('.felt').dataset.number) > {number}")
    assert "worse than the hint" in tab.page.inner_text(".felt")


def test_why_shows_what_was_seen_and_the_network(tab: Tab) -> None:
    tab.begin("backgammon")
    tab.page.click("text=Why? What a player sees")
    tab.page.click(".sheet >> text=Show >> nth=-1")
    tab.page.wait_for_selector(".thinking .network svg")
    assert len(tab.page.query_selector_all(".thinking tbody tr")) > 5


def test_a_replay_is_stepped_and_linked(tab: Tab) -> None:
    tab.begin("backgammon", "start=hypergammon")
    tab.play(random.Random(2))
    tab.page.click("text=Replay and analyse")
    tab.page.wait_for_selector(".stepper")
    check_width(tab)
    assert tab.page.evaluate(BOTTOM, ".stepper") <= DESKTOP["height"]
    assert tab.page.inner_text(".head").lower().count("win") == 1
    frames = tab.page.evaluate("() => Number(document.querySelector('.stepper input').max)")
    assert frames > 5
    first = tab.page.inner_html(".board")
    for key, move in (("ArrowRight", 1), ("ArrowRight", 2)):
        tab.page.keyboard.press(key)
        tab.page.wait_for_function(f"() => location.hash.endsWith('move={move}')")
    assert tab.page.inner_html(".board") != first
    for key, move in (("ArrowLeft", 1), ("End", frames)):
        tab.page.keyboard.press(key)
        tab.page.wait_for_function(f"() => location.hash.endsWith('move={move}')")
    tab.page.click("[aria-label='First move']")
    tab.page.click("[aria-label=Forward]")
    linked = tab.page.url
    assert f"move={frames}" not in linked
    tab.page.click("text=Why? What the player saw")
    tab.page.wait_for_selector(".thinking .bar.chosen")
    said = tab.page.inner_text(".turn strong")
    tab.page.goto("about:blank")
    tab.page.goto(linked)
    tab.page.wait_for_selector(".stepper")
    assert tab.page.inner_text(".turn strong") == said


def test_a_finished_game_is_analysed_and_played_again_from_a_mistake(tab: Tab) -> None:
    tab.begin("gin", "limit=60")
    tab.play(random.Random(2))
    tab.page.click("text=Replay and analyse")
    tab.page.click("[data-analyse]")
    tab.page.wait_for_selector("[aria-label=Analysis] .summary")
    assert tab.page.locator("[aria-label=Analysis] .summary tbody tr").count() == 2
    assert tab.page.locator("[aria-label=Analysis] .chart polyline").count() == 2
    tab.page.locator("[data-mistake] >> text=Show").first.click()
    number = int(tab.page.url.rpartition("move=")[2])
    tab.page.locator("[data-mistake] >> text=Play it again").first.click()
    tab.page.wait_for_selector(".felt[data-state=yours]")
    assert tab.turn()["number"] == number


def test_a_match_of_another_program_is_imported_analysed_and_played_on(tab: Tab) -> None:
    import_match(tab)
    assert tab.page.locator("[aria-label=Analysis] .chart polyline").count() == 2
    assert tab.page.locator("[aria-label=Analysis] .summary tbody tr").count() == 2
    mistake = tab.page.locator("[data-mistake]").first
    assert re.search(r"(Gnubg|Root) rolls [1-6]{2} and plays .* (doubtful|blunder), −0\.", mistake.inner_text())
    mistake.get_by_text("Best moves").click()
    assert mistake.locator("tbody tr").count() == 5
    mistake.get_by_text("Show").click()
    tab.page.wait_for_function("() => document.querySelector('.board').getBoundingClientRect().top >= 0")
    tab.page.locator("[data-mistake] >> text=Play it again").first.click()
    tab.page.wait_for_selector(".felt[data-state=yours]")
    tab.go("watch")
    entry = tab.page.locator("li.item", has_text="gnubg.mat")
    tab.page.on("dialog", lambda dialog: dialog.accept())
    entry.get_by_text("Delete").click()
    entry.wait_for(state="detached")
    tab.page.set_input_files("[data-import]", {"name": "bad.mat", "mimeType": "text/plain", "buffer": b"nothing"})
    tab.page.click("text=Import and analyse")
    tab.page.wait_for_selector(".toast:has-text('bad.mat')")
    tab.errors = [said for said in tab.errors if "Failed to load resource" not in said]


def test_a_match_is_watched_as_it_goes_on(tab: Tab) -> None:
    tab.go("watch")
    tab.page.click("button:has-text('Watch')")
    tab.page.wait_for_selector(".felt[data-number]")
    tab.page.select_option("label:has-text('Pace') select", "20")
    tab.page.wait_for_function("() => Number(document.querySelector('.felt').dataset.number) > 4")
    tab.go()
    tab.page.wait_for_selector(".games")
    assert tab.page.locator("text=Continue").count() == 0  # it is no game of one's own


def open_form(tab: Tab) -> None:
    """The form that starts a run; it is folded where there are runs already."""
    tab.go("runs")
    tab.page.wait_for_selector("#start")
    if not tab.page.is_visible("label:has-text('Name') input"):
        tab.page.click("#start summary")


def test_a_run_is_started_and_seen_to_learn(tab: Tab) -> None:
    """On a slow line, too, where the learners of another game come after the next fields could be filled in."""
    open_form(tab)
    tab.page.evaluate(SLOWLY, "/api/learners")
    tab.page.select_option("label:has-text('Game') select", "golf")
    tab.page.fill("label:has-text('Name') input", "browsed")
    tab.page.fill("label:has-text('Trials') input", "1")
    epochs = "label:has-text('epochs') input"
    if not tab.page.is_visible(epochs):
        tab.page.click("text=More options")
    tab.page.fill(epochs, "100")
    tab.page.wait_for_timeout(1000)
    tab.page.click("button:has-text('Start')")
    tab.page.wait_for_url("**/#/runs/browsed")
    tab.page.wait_for_selector("[data-curve] .mean")
    tab.page.wait_for_selector(".badge:has-text('finished')")
    learned = tab.page.evaluate("fetch('/api/runs/browsed').then((answer) => answer.json())")
    assert learned["step"] == learned["steps"] == 100
    scores = learned["curves"]["benchmark.player.score"]["mean"]
    assert scores[-1] < scores[0] - 10, scores  # fewer points are better
    drawn = tab.page.eval_on_selector_all("[data-curve] .mean", "all => all.map((line) => line.getAttribute('d'))")
    assert drawn and all(path.count("L") >= 1 for path in drawn)
    made = {"game": "golf", "learner": "coevolution", "name": "other", "options": {"epochs": 20, "curve_every": 10}}
    tab.page.evaluate("async (body) => (await import('/static/server.js')).call('/api/runs', body)", made)
    tab.go("runs/other")
    tab.page.wait_for_selector(".badge:has-text('finished')")
    tab.page.select_option("[data-compare]", "browsed")
    tab.page.wait_for_selector("[data-curve] .mean >> nth=1")
    assert tab.page.locator("[data-curve]").first.locator(".mean").count() == 2
    assert "learner.epochs" in tab.page.inner_text("[data-differing]")
    tab.page.select_option("[data-compare]", "browsed")
    tab.page.wait_for_selector("[data-differing]", state="detached")


def test_a_table_is_opened_by_keys_alone_under_the_rules_that_people_play_by(tab: Tab) -> None:
    tab.go()
    tab.page.wait_for_selector("[data-game=gin]")
    for _ in range(40):
        if tab.page.evaluate("document.activeElement.dataset.game") == "gin":
            break
        tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector(".felt[data-state=yours]")
    assert "rules=full" in tab.page.inner_text("h1")


@pytest.mark.parametrize("name", ["hearts", "backgammon"])
def test_a_game_is_played_to_its_end_by_keys_alone(tab: Tab, name: str) -> None:
    """Tab and arrows lead to what can be chosen; Enter and the space bar choose it, confirm it, and go on after a round."""
    tab.begin(name, SHORT[name])
    dice, end = random.Random(3), time.monotonic() + PATIENCE
    looked = """() => {
      const [felt, at] = [document.querySelector(".felt"), document.activeElement];
      const ready = felt.querySelector("[data-confirm]:not(:disabled), [data-next]");
      const there = ready ? at === ready : at.matches(".live:not(.touched), .hands button:not(.plain, :disabled)");
      return [felt.dataset.state, there, Boolean(ready)];
    }"""
    state = ""
    while state != "over" and time.monotonic() < end:
        state, there, ready = tab.page.evaluate(looked)
        if state == "waiting":
            tab.page.wait_for_timeout(5)
        elif there:
            tab.page.keyboard.press(dice.choice(["Enter", " "] if ready else ["Enter", " ", "ArrowRight", "ArrowDown"]))
        else:
            tab.page.keyboard.press("Tab")
    assert tab.page.inner_text(".result h2")


def test_input_sequences_determine_what_may_be_clicked_next(tab: Tab) -> None:
    tab.go()
    script = """async () => {
      const { nextParts, possibleMoves } = await import("/static/sequences.js");
      const legal = [
        { move: 1, touches: [["a", "b"], ["c", "b"]] },
        { move: 2, touches: [["a", "c", "d"]] },
        { move: 3, touches: [["e"]] },
      ];
      const moves = (touched) => possibleMoves(legal, touched).map(({ move }) => move);
      const after = (touched) => [Object.fromEntries(nextParts(legal, touched)), moves(touched)];
      return [after([]), after(["a"]), after(["a", "c"]), after(["z"])];
    }"""
    assert tab.page.evaluate(script) == [
        [{"a": None, "c": None, "e": 3}, [1, 2, 3]],
        [{"b": 1, "c": None}, [1, 2]],
        [{"d": 2}, [2]],
        [{}, []],
    ]


def test_ticks_are_round_and_inside(tab: Tab) -> None:
    tab.go()
    script = "import('/static/chart.js').then(({ ticks }) => [ticks(0, 10, 5), ticks(0.13, 0.98, 4), ticks(3, 3, 5)])"
    assert tab.page.evaluate(script) == [[0, 2, 4, 6, 8, 10], [0.5], [3]]


@pytest.mark.parametrize(
    "wrong", ["play/nobody-was-given-this", "replay/../../etc/passwd", "runs/none", "reports/none", "nowhere/at/all"]
)
def test_an_address_that_leads_nowhere_is_answered_in_a_sentence(browser: Any, address: str, wrong: str) -> None:
    tab = Tab(browser, address)
    tab.page.goto(f"{tab.address}/#/{wrong}")
    tab.page.wait_for_selector(".empty")
    said = tab.page.inner_text(".empty p")
    assert len(said) > 10 and "undefined" not in said and "\n" not in said
    tab.page.click("text=Back to the games")
    tab.page.wait_for_selector(".games")
    tab.context.close()


def test_a_refusal_is_said_and_the_page_goes_on(tab: Tab) -> None:
    open_form(tab)
    tab.page.fill("label:has-text('Name') input", "refused")
    tab.page.fill("label:has-text('Seed') input", "no number")
    tab.page.click("button:has-text('Start')")
    tab.page.wait_for_selector(".toast")
    assert "seed" in tab.page.inner_text(".toast").lower()
    assert tab.page.is_enabled("button:has-text('Start')")
    tab.errors = [said for said in tab.errors if "Failed to load resource" not in said]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_and_names_its_controls(browser: Any, address: str, size: dict[str, int], scheme: str) -> None:
    tab = Tab(browser, address, viewport=size, color_scheme=scheme)
    for name in TABS:
        tab.go(name)
        tab.page.wait_for_selector(".loading", state="detached")
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        assert unnamed(tab) == [], name
    for game in GAMES:
        tab.begin(game)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= size["width"], game
        assert unnamed(tab) == [], game
    assert tab.errors == []
    tab.context.close()


def unnamed(tab: Tab) -> list[str]:
    """Controls that a screen reader could not name."""
    tree = tab.context.new_cdp_session(tab.page).send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "link", "textbox", "combobox", "slider", "spinbutton", "checkbox", "searchbox"}
    controls = [node for node in tree if not node["ignored"] and node.get("role", {}).get("value") in roles]
    assert len(controls) > 6
    return [str(node) for node in controls if not node.get("name", {}).get("value", "").strip()]


def test_an_accessibility_check_finds_nothing_serious_on_any_page(browser: Any, address: str, runs: Path) -> None:
    """Light and dark: the tabs, every table with its hint, the rules, the ends of a round and of a game, the analysis of a game and
    of a file, a watched game, a run, a comparison, a report.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    (runs / "report.html").write_text("<title>A report</title><p>Nothing.")
    make_run(runs, "seen")
    make_run(runs, "compared")
    for scheme in ("light", "dark"):
        tab = Tab(browser, address, color_scheme=scheme)
        tab.page.on("dialog", lambda dialog: dialog.accept())
        for page in (*TABS, "runs/seen", "runs/seen?with=compared", "reports/report.html"):
            tab.go(page)
            tab.page.wait_for_selector(".loading", state="detached")
            for fold in tab.page.locator("main details > summary").all():
                fold.click()
            assert serious(axe, tab) == [], page
        tab.begin("golf")
        tab.play_round(random.Random(5))
        assert serious(axe, tab) == [], "end of a round"
        tab.page.click("[data-next]")
        tab.page.click("text=Resign")
        tab.page.wait_for_selector(".result")
        assert serious(axe, tab) == [], "result"
        tab.page.click("text=Replay and analyse")
        tab.page.click("[data-analyse]")
        tab.page.wait_for_selector("[aria-label=Analysis] .summary")
        assert serious(axe, tab) == [], "analysis"
        import_match(tab)
        for fold in tab.page.locator("main details > summary").all():
            fold.click()
        assert serious(axe, tab) == [], "imported file"
        for name in GAMES:
            tab.begin(name)
            tab.page.click("[data-hint]")
            tab.page.wait_for_selector(".hinted")
            tab.page.click("[data-explain] summary")
            tab.page.click("text=Compare all moves")
            tab.page.wait_for_selector("[data-explain] .bar")
            assert serious(axe, tab) == [], name
        tab.page.click("[data-guide]")
        tab.page.wait_for_selector("dialog.guide svg")
        assert serious(axe, tab) == [], "rules"
        tab.go("watch")
        tab.page.click("button:has-text('Watch')")
        tab.page.wait_for_selector(".felt[data-number]")
        assert serious(axe, tab) == [], "watching"
        tab.context.close()


def import_match(tab: Tab) -> None:
    """Bring a match of another program, and wait until its first game is judged."""
    tab.go("watch")
    tab.page.set_input_files("[data-import]", MATCH)
    tab.page.click("text=Import and analyse")
    tab.page.wait_for_selector("[aria-label=Analysis] .summary")


def make_run(runs: Path, name: str) -> None:
    """A small run, finished."""
    words = (
        "train",
        "golf",
        "--name",
        name,
        "--hidden",
        "2",
        "--epochs",
        "4",
        "--curve-every",
        "2",
        "--runs",
        str(runs),
    )
    subprocess.run([sys.executable, "-m", "sparring", *words], check=True, capture_output=True)


def serious(axe: Any, tab: Tab) -> list[str]:
    """What the check finds that keeps somebody from using a page."""
    found = axe.run(tab.page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found if each["impact"] in ("serious", "critical")]


def test_the_theme_is_chosen_and_kept(tab: Tab) -> None:
    tab.go()
    colour = "getComputedStyle(document.body).backgroundColor"
    light = tab.page.evaluate(colour)
    tab.page.click("#theme")
    dark = tab.page.evaluate(colour)
    assert dark != light
    tab.page.reload()
    tab.page.wait_for_selector(".games")
    assert tab.page.evaluate(colour) == dark


def test_the_whole_page_is_light(tab: Tab) -> None:
    """What a first visit fetches, and every file that any page could fetch."""
    sizes: list[int] = []
    tab.page.on("response", lambda answer: sizes.append(len(answer.body())))
    tab.go()
    tab.page.wait_for_load_state("networkidle")
    assert len(sizes) > 10 and sum(sizes) < HEAVIEST
    assert sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file()) < HEAVIEST


def test_scripts_and_styles_come_from_this_server_alone(tab: Tab) -> None:
    """The server's policy lets in no script and no style but its files, and the page needs no more."""
    answer = tab.page.goto(tab.address)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'self';") and "unsafe" not in policy
    tab.begin("golf")
    assert tab.page.is_visible(".board .live")
    for path in [*STATIC.glob("*.js"), *STATIC.glob("*.css"), STATIC / "index.html"]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text, path.name
