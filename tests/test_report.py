"""Reports: one HTML file that needs nothing else, figures that say what the numbers say, replays turn by turn."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from sparring.arena.statistics import mean_interval
from sparring.games.golf.notation import Round
from sparring.games.golf.replay import Scene, scenes
from sparring.report import plots
from sparring.report.page import Page

VOID = {"meta", "input", "br", "hr", "img", "link"}
EPOCHS = np.arange(0, 50, 10)
TRIALS = np.random.default_rng(1).normal(10, 2, (8, len(EPOCHS)))
NAMES = ["Ann", "Bob & <Co>"]
ROUND = Round(
    seats=2,
    starter=0,
    start=((-1, -1, -1, -1, 3, 4), (-1, -1, -1, -1, 20, 21)),
    upcard=9,
    turns=((0, 30, 0, 5), (1, 5, 1, 7), (0, 40, 6, 40)),
    ender=0,
    face_down=(0, 3),
    final=((30, 0, 1, 2, 3, 4), (16, 5, 18, 19, 20, 21)),
)


class Reader(HTMLParser):
    """Checks that tags are balanced, and collects elements, ids and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def having(self, name: str, value: str) -> list[dict[str, str | None]]:
        return [attributes for _, attributes in self.seen if attributes.get(name) == value]


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def page() -> Page:
    """A page with one of everything, and with text that would break it if it were not escaped."""
    page = Page("Nets & <b>cards</b>", 'A "subtitle" </style>')
    page.heading("Scores < 100")
    page.text("First </p> paragraph.\n\nSecond.")
    page.note("<script>alert(1)</script>")
    page.table(
        ["claim", "measured", "verdict"],
        [
            ["a<b", "139.10 (136.20 to 142.00)", "reproduced"],
            ["b", "\u2013", "undecided"],
            ["c", "-0.40%", "not reproduced"],
        ],
        "Claims & verdicts",
        ["reproduced", "undecided", "not reproduced"],
    )
    lines = {"player": TRIALS, "one <trial>": TRIALS[:1]}
    page.figure(
        plots.panels("Score & more", [("", EPOCHS, lines)], "score"), 'Mean "score"', plots.numbers(EPOCHS, lines)
    )
    page.figure(
        plots.dots("Scores", [("net", 1.0, 0.5, 1.5)], {"net": 2.0}, "score"),
        "Dots",
        [["player", "score"], ["net", 1.0]],
    )
    page.frames("A round", [(scene.said, scene.svg(NAMES)) for scene in scenes(ROUND, "round 1", NAMES)])
    page.footer("seed 1 & versions")
    return page


def test_a_page_is_one_file_that_fetches_nothing(page: Page, tmp_path: Path) -> None:
    page.write(tmp_path / "report" / "page.html")
    html = (tmp_path / "report" / "page.html").read_text(encoding="utf-8")
    assert [path.name for path in (tmp_path / "report").iterdir()] == ["page.html"]
    assert not re.search(r"https?://|@import|\ssrc=", html)
    assert all(target.startswith("#") for target in re.findall(r'href="([^"]*)"', html))


def test_a_page_is_well_formed(page: Page) -> None:
    reader = read(page.html())
    assert page.html().startswith("<!DOCTYPE html>")
    assert ("html", {"lang": "en"}) in reader.seen
    ids = [attributes["id"] for _, attributes in reader.seen if "id" in attributes]
    assert len(ids) == len(set(ids)) > 0
    targets = re.findall(r'url\(#([^)]*)\)|href="#([^"]*)"', page.html())
    assert {one or other for one, other in targets} <= set(ids)


def test_text_is_escaped(page: Page) -> None:
    reader = read(page.html())
    told = "".join(reader.words)
    assert [tag for tag, _ in reader.seen].count("script") == 1
    for text in (
        "Nets & <b>cards</b>",
        "First </p> paragraph.",
        "<script>alert(1)</script>",
        "a<b",
        "one <trial>",
        "seed 1 &",
    ):
        assert text in told
    assert "b" not in [tag for tag, _ in reader.seen]


def test_numbers_are_right_aligned_and_verdicts_stand_out(page: Page) -> None:
    reader = read(page.html())
    assert len(reader.having("class", "number")) == 4
    for verdict in ("reproduced", "undecided", "not-reproduced"):
        assert len(reader.having("class", verdict)) == 1
    with pytest.raises(ValueError, match="must be one of reproduced"):
        Page("x").table(["a"], [["b"]], verdicts=["perhaps"])


def test_figures_are_embedded_with_their_numbers(page: Page) -> None:
    reader = read(page.html())
    told = "".join(reader.words)
    assert len(reader.having("class", "plot")) == 2
    assert {attributes["aria-label"] for tag, attributes in reader.seen if tag == "svg"} >= {'Mean "score"', "Dots"}
    assert "epoch,player mean,player low,player high,one <trial> mean" in told
    assert "player,score\nnet,1\n" in told
    assert plots.INK not in page.html().partition("</style>")[2]


def test_the_same_page_is_the_same_bytes() -> None:
    def made() -> str:
        page = Page("x")
        page.figure(plots.panels("x", [("", EPOCHS, {"a": TRIALS})], "y"), "x")
        return page.html()

    assert made() == made()


def test_a_replay_shows_its_first_frame_without_scripts(page: Page) -> None:
    reader = read(page.html())
    frames = reader.having("class", "frame")
    assert len(frames) == len(ROUND.turns) + 2
    assert ["hidden" in frame for frame in frames] == [False] + [True] * (len(frames) - 1)
    buttons = [attributes for tag, attributes in reader.seen if tag == "button"]
    assert [button["data-go"] for button in buttons] == ["first", "previous", "next", "last"]
    assert all(button["aria-label"] for button in buttons)


def test_the_band_is_the_interval_of_every_point() -> None:
    mean, low, high = plots.band(TRIALS)
    for point in range(len(EPOCHS)):
        expected = mean_interval(TRIALS[:, point])
        assert (mean[point], low[point], high[point]) == pytest.approx((expected.value, expected.low, expected.high))


def test_curves_draw_the_band_and_a_few_trials() -> None:
    def drawn(trials: np.ndarray) -> tuple[int, int]:
        axes = plots.panels("x", [("", EPOCHS, {"a": trials})], "y").axes[0]
        return len(axes.collections), len(axes.lines)

    many = np.repeat(TRIALS, 2, axis=0)
    assert (drawn(TRIALS), drawn(TRIALS[:1]), drawn(many)) == ((1, 9), (0, 1), (1, 1))


def test_the_band_drawn_covers_the_interval() -> None:
    axes = plots.panels("x", [("", EPOCHS, {"a": TRIALS})], "y").axes[0]
    _, low, high = plots.band(TRIALS)
    assert axes.collections[0].get_datalim(axes.transData).intervaly == pytest.approx((low.min(), high.max()))


def test_panels_share_the_y_axis_and_one_legend() -> None:
    items = [
        (name, EPOCHS, {"player": TRIALS + shift, "opponent": TRIALS})
        for name, shift in (("a", 0), ("b", 20), ("c", 40))
    ]
    figure = plots.panels("x", items, "score")
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["player", "opponent"]


def test_stacked_shares_sum_to_one_in_distinct_colours() -> None:
    labels = [f"kind {kind}" for kind in range(14)]
    figure = plots.stacked("x", EPOCHS, [("a", np.ones((len(EPOCHS), 14))), ("b", np.ones((len(EPOCHS), 14)))], labels)
    layers = figure.axes[0].collections
    assert len({str(layer.get_facecolor()) for layer in layers}) == 14
    assert np.asarray(layers[-1].get_paths()[0].vertices)[:, 1].max() == pytest.approx(1)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == labels[::-1]


def test_a_golf_round_has_a_frame_per_turn_and_one_at_each_end() -> None:
    shown = list(scenes(ROUND, "round 1", NAMES))
    frames = [(scene.said, scene.svg(NAMES)) for scene in shown]
    assert len(frames) == len(ROUND.turns) + 2
    assert [text for text, _ in frames] == [scene.text(NAMES).splitlines()[0] for scene in shown]
    for _, svg in frames:
        read(svg)
    assert [svg.count('href="#card-back"') - 3 for _, svg in frames] == [8, 7, 6, 6, 0]


def test_the_table_marks_who_moves_and_what_was_drawn() -> None:
    hands = [[0, 1, 2, 3, 4, -1], [5, 6, 7, 8, 52, -1]]

    def drawn(seat: int, top: int, card: int = -1) -> str:
        return Scene("", hands, seat, top, card).svg(NAMES)

    assert drawn(-1, 9).count("▸") == 0
    assert drawn(1, -1).count("▸ Bob &amp; &lt;Co&gt;") == 1
    assert 'stroke-dasharray="5 4"' in drawn(1, -1)
    in_hand, held = drawn(-1, 9, 0), drawn(-1, 9, 20)
    assert in_hand.count('stroke-width="4"') == held.count('stroke-width="4"') == 1
    assert held.count("<g transform") == in_hand.count("<g transform") + 1
