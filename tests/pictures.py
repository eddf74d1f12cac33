"""Takes the pictures of every page in docs/pictures: `python tests/pictures.py [NAME ...]`.

A server of its own gets some runs, ratings, a report and games to show. Each page is pictured in a light desktop window and on a
dark phone. Look at every picture before you commit it.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image

from sparring.games import GAMES
from test_browser import BROWSER, DESKTOP, PHONE, Tab, import_match, playwright
from web_server import Served

PICTURES = Path(__file__).parent.parent / "docs/pictures"
LOOKS = {
    "desktop-light": {"viewport": DESKTOP, "color_scheme": "light"},
    "phone-dark": {"viewport": PHONE, "color_scheme": "dark", "has_touch": True},
}
TO_ANALYSIS = "document.querySelector('[aria-label=Analysis]').scrollIntoView()"
COLOURS = 128  # of a picture: drawings need no more
TRAIN = ("train", "golf", "--learner", "coevolution", "--hidden", "4", "--curve-every", "10", "--trials", "2")
READY = (
    ("tournament", "golf", "random", "greedier", "pupil", "sensible", "champion", "--pairs", "100"),
    (*TRAIN, "--name", "first", "--epochs", "60"),
    (*TRAIN, "--name", "wide", "--epochs", "60", "--mutation", "0.2"),
    ("report", "runs/first", "runs/wide"),
    ("match", "golf", "champion", "sensible", "--pairs", "2", "--log", "runs/games.log"),
)

Shown = Callable[[Tab], None]


def opened(page: str) -> Shown:
    """A page by its address."""

    def show(tab: Tab) -> None:
        tab.go(page)
        tab.page.wait_for_selector(".loading", state="detached")

    return show


def seated(game: str, moves: int) -> Shown:
    """A table after a few moves."""

    def show(tab: Tab) -> None:
        tab.begin(game, "rules=full" if game == "gin" else "")
        tab.play(random.Random(7), moves=tab.turn()["number"] + moves)
        tab.turn()

    return show


def guide(tab: Tab) -> None:
    """The rules at a table."""
    tab.begin("gin", "rules=full")
    tab.page.click("[data-guide]")
    tab.page.wait_for_selector("dialog.guide svg")


def hint(tab: Tab) -> None:
    """A hint with the comparison of all moves."""
    tab.begin("backgammon")
    tab.page.click("[data-hint]")
    tab.page.wait_for_selector(".board .hinted")
    tab.page.wait_for_selector(".coach:has-text('points expected')")
    tab.page.click("[data-explain] summary")
    tab.page.click("text=Compare all moves")
    tab.page.wait_for_selector("[data-explain] >> text=Expected points")


def round_end(tab: Tab) -> None:
    tab.begin("golf")
    tab.play_round(random.Random(5))


def result(tab: Tab) -> None:
    """The end of a game."""
    tab.begin("gin", "rules=full,target=10")
    tab.play(random.Random(4))
    tab.page.wait_for_selector(".result")


def replay(tab: Tab) -> None:
    tab.begin("hearts", "rounds=1")
    tab.play(random.Random(2))
    tab.page.click("text=Replay and analyse")
    tab.page.wait_for_selector(".stepper")
    for _ in range(30):
        tab.page.keyboard.press("ArrowRight")


def analysis(tab: Tab) -> None:
    """The analysis of a finished game."""
    replay(tab)
    tab.page.click("[data-analyse]")
    tab.page.wait_for_selector("[aria-label=Analysis] .summary")
    tab.page.evaluate(TO_ANALYSIS)


def imported(tab: Tab) -> None:
    """A match of another program."""
    import_match(tab)
    tab.page.evaluate(TO_ANALYSIS)


def report(tab: Tab) -> None:
    """A report in its frame."""
    tab.go("reports/report.html")
    tab.page.frame_locator("iframe").locator("svg").first.wait_for()
    tab.page.wait_for_timeout(1500)  # a frame is painted later than it is there


def live(tab: Tab) -> None:
    """A match between players."""
    tab.go("watch")
    tab.page.click("button:has-text('Watch')")
    tab.page.wait_for_selector(".felt[data-number]")
    tab.page.select_option("label:has-text('Pace') select", "20")
    tab.page.wait_for_function("() => Number(document.querySelector('.felt').dataset.number) > 8")


SHOWN: dict[str, Shown] = {
    **{f"play-{game}": seated(game, moves) for game, moves in zip(GAMES, (9, 6, 16, 8, 5), strict=True)},
    "guide": guide,
    "round-end": round_end,
    "result": result,
    "replay": replay,
    "analysis": analysis,
    "import": imported,
    "watch-live": live,
    "home": opened(""),
    "watch": opened("watch"),
    "runs": opened("runs"),
    "run": opened("runs/first"),
    "compare": opened("runs/first?with=wide"),
    "players": opened("players?game=golf"),
    "games": opened("games"),
    "reports": opened("reports"),
    "report": report,
    "hint": hint,  # last, because the server takes a while to find out what it is worth
}


def keep(tab: Tab, name: str) -> None:
    """Keep what the window shows, in few colours."""
    if name.partition("-")[0] not in ("analysis", "import"):
        tab.page.evaluate("scrollTo(0, 0)")
    shot = Image.open(BytesIO(tab.page.screenshot())).convert("RGB")
    shot.quantize(COLOURS).save(PICTURES / f"{name}.png", optimize=True)
    print(name, (PICTURES / f"{name}.png").stat().st_size, flush=True)


def main(names: list[str]) -> None:
    """Take the pictures of these pages, or of all."""
    with tempfile.TemporaryDirectory() as folder, playwright.sync_playwright() as driver:
        for words in READY:
            command = [sys.executable, "-m", "sparring", *words]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        server = Served(Path(folder) / "runs")
        browser = driver.chromium.launch(**BROWSER)
        try:
            for look, options in LOOKS.items():
                tab = Tab(browser, f"{server.address}/?token={server.token}", **options)
                tab.page.on("dialog", lambda dialog: dialog.accept())
                for name in names or SHOWN:
                    SHOWN[name](tab)
                    keep(tab, f"{name}-{look}")
        finally:
            browser.close()
            server.end()


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    main(sys.argv[1:])
