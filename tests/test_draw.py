"""Drawings: a net as a graph that shows every connection once, a game as numbered pictures, one line for what is wrong."""

from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageChops

from sparring.cli import main
from sparring.games import GAMES, Played, find_game
from sparring.games.game import start_game
from sparring.games.golf.view import GolfView
from sparring.lab.log import read_log
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.evaluators import activations
from sparring.nets.files import save_net
from sparring.nets.genome import Genome, Link, Node
from sparring.report.drawings import game_frames, write_animation, write_frames
from sparring.report.network import NEGATIVE, POSITIVE, connections, draw_net, net_canvas, net_labels
from sparring.report.plots import INK
from sparring.report.raster import paint
from sparring.report.wiring import DEEP, DENSE, MOST, WORKING, as_genome, depths, wiring, wiring_at_work

SVG = "{http://www.w3.org/2000/svg}"
TANH = 1
# Node 5 is a plain hidden node, 7 comes after it, 9 has no way in but a disabled one, and 12 leads nowhere.
LINKS = (
    (-3, 0, 0.5, 0),
    (-2, 0, -1.5, 1),
    (-2, 5, -4.5, 1),
    (-2, 12, 1.0, 1),
    (-1, 0, 2.0, 1),
    (-1, 5, 3.0, 1),
    (-1, 9, 0.4, 0),
    (5, 7, 1.0, 1),
    (7, 0, 5.0, 1),
    (9, 0, 1.0, 1),
)


def genome(inputs: int, outputs: int, links: tuple, hidden: tuple[int, ...] = ()) -> Genome:
    nodes = np.zeros(outputs + len(hidden), Node)
    nodes["key"], nodes["response"], nodes["bias"] = [*range(outputs), *hidden], 1, 0.25
    table = np.zeros(len(links), Link)
    for row, (source, target, weight, enabled) in zip(table, sorted(links), strict=True):
        row["source"], row["target"], row["weight"], row["enabled"] = source, target, weight, enabled
    return Genome(inputs, outputs, nodes, table)


def evolved(**told: object) -> Net:
    found = genome(3, 1, LINKS, (5, 7, 9, 12))
    found.nodes["activation"][found.nodes["key"] == 7] = TANH
    return Net.evolved("a game", 1, "an encoding", found, False, learner="neat", **told)


def dense(*shape: int, kind: str = "sigmoid") -> Net:
    return Net("golf", 1, "hand", shape, gaussian(size(shape, kind), 1, "draw"), "coevolution", kind=kind)


def lines(svg: str) -> list[ElementTree.Element]:
    """The connections of a drawing: the lines of which something is told."""
    return [path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]


def told(svg: str) -> list[str]:
    return [line.findtext(f"{SVG}title") or "" for line in lines(svg)]


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


# Evolved nets.


def test_every_enabled_connection_that_leads_to_an_output_is_drawn_once():
    assert sorted(told(draw_net(evolved()))) == [
        "1 to 0: 2",
        "1 to 5: 3",
        "2 to 0: -1.5",
        "2 to 5: -4.5",
        "5 to 7: 1",
        "7 to 0: 5",
        "9 to 0: 1",
    ]


def test_the_whole_net_has_disabled_connections_dotted_and_dead_ends():
    found = {
        line.findtext(f"{SVG}title"): line.get("stroke-dasharray") for line in lines(draw_net(evolved(), whole=True))
    }
    assert len(found) == len(LINKS)
    assert "2 to 12: 1" in found
    assert {title for title, dots in found.items() if dots} == {"3 to 0: 0.5, disabled", "1 to 9: 0.4, disabled"}


def test_what_is_left_out_is_said():
    said = " ".join(texts(draw_net(evolved())))
    for words in (
        "2 disabled connections",
        "1 connection leading to no output",
        "1 hidden node leading",
        "1 input without",
    ):
        assert words in said
    assert "Left out" not in " ".join(texts(draw_net(evolved(), whole=True)))


def test_lines_are_wider_for_larger_weights_and_coloured_by_sign():
    by_told = {line.findtext(f"{SVG}title"): line for line in lines(draw_net(evolved()))}
    widths = [
        float(by_told[name].get("stroke-width")) for name in ("5 to 7: 1", "1 to 0: 2", "2 to 5: -4.5", "7 to 0: 5")
    ]
    assert widths == sorted(widths) and len(set(widths)) == 4
    assert by_told["1 to 0: 2"].get("stroke") == POSITIVE
    assert by_told["2 to 0: -1.5"].get("stroke") == NEGATIVE


def test_layers_are_longest_ways_and_lines_lead_to_the_right():
    assert wiring(evolved()).layers == [[-1, -2], [5, 9], [7], [0]]
    for line in net_canvas(evolved()).items:
        if getattr(line, "tooltip", "") and hasattr(line, "start"):
            assert line.start[0] < line.end[0]


def test_nodes_are_named_with_their_activation_and_tell_their_bias():
    svg = draw_net(evolved(), (["here", "<there>", "nowhere"], ["worth & value"]))
    assert {"here", "<there>", "worth & value", "5", "7 tanh", "9"} <= set(texts(svg))
    assert "nowhere" not in texts(svg)
    assert "node 7: bias 0.25, response 1, tanh of the sum" in svg
    assert "here to worth &amp; value: 2" in svg


def test_the_head_says_game_learner_encoding_nodes_and_connections():
    title, subtitle = texts(draw_net(evolved(policy="net+1ply")))[:2]
    assert title == "a game: a network by neat"
    assert subtitle == (
        "encoding an encoding, policy net+1ply, 3 inputs, 4 hidden nodes, 1 output, 8 connections and 2 disabled"
    )


def test_hidden_nodes_stay_inside_and_apart():
    hidden = tuple(range(2, 22))
    links = tuple((-1, key, 1.0, 1) for key in hidden) + tuple((key, 0, 1.0, 1) for key in hidden)
    canvas = net_canvas(Net.evolved("a game", 1, "", genome(1, 2, links, hidden), False))
    heights = sorted(item.y for item in canvas.items if getattr(item, "tooltip", "").startswith("node "))
    assert len(heights) == len(hidden)
    assert heights[0] > 0 and heights[-1] < canvas.height
    assert min(np.diff(heights)) > 10


def test_an_output_that_feeds_others_and_a_net_without_connections_are_drawn_too():
    fed = genome(2, 2, ((-1, 0, 1.0, 1), (0, 4, 2.0, 1), (4, 1, 3.0, 1)), (4,))
    assert len(lines(draw_net(Net.evolved("a game", 1, "", fed, False)))) == 3
    assert lines(draw_net(Net.evolved("a game", 1, "", genome(2, 1, ()), False))) == []


def test_a_cycle_does_not_hang_the_drawing():
    round_and_round = genome(1, 1, ((-1, 1, 1.0, 1), (1, 2, 1.0, 1), (2, 1, 1.0, 1), (2, 0, 1.0, 1)), (1, 2))
    assert depths(round_and_round, round_and_round.links).max() < 10


@pytest.mark.parametrize("inputs", [36, 90, 486])
def test_many_inputs_are_all_there_and_fit_on_a_page(inputs):
    links = tuple((-n, 0, float(n), 1) for n in range(1, inputs + 1))
    svg = draw_net(Net.evolved("a game", 1, "", genome(inputs, 1, links), False))
    assert {str(n) for n in range(1, inputs + 1)} <= set(texts(svg))
    assert len(lines(svg)) == inputs
    _, _, width, height = map(float, ElementTree.fromstring(svg).get("viewBox").split())
    assert width < 1300 and height < 1100


def test_of_very_many_connections_the_heaviest_are_drawn():
    links = tuple((-n, out, float(n), 1) for n in range(1, 301) for out in range(3))
    shown = wiring(Net.evolved("a game", 1, "", genome(300, 3, links), False))
    assert len(shown.links) == MOST
    assert shown.links["weight"].min() >= 300 - MOST / 3 - 1
    assert shown.left_out[0] == f"{900 - MOST} connections (the lightest)"


# Dense nets.


def test_a_small_dense_net_is_drawn_whole():
    assert len(lines(draw_net(dense(4, 3, 2)))) == 4 * 3 + 3 * 2


def test_of_a_large_dense_net_the_heaviest_into_each_layer_are_drawn():
    net = dense(198, 40, 5)
    shown = wiring(net)
    into_outputs = shown.links["target"] < 5
    assert into_outputs.sum() == (~into_outputs).sum() == DENSE
    hidden = np.sort(np.abs(net.tensors()["hidden.weight"]).ravel())[-DENSE:]
    assert np.allclose(np.sort(np.abs(shown.links["weight"][~into_outputs])), hidden)
    assert "7,800 connections (the lightest into each layer)" in " ".join(texts(draw_net(net)))


def test_of_a_wide_deep_net_the_strongest_units_of_each_layer_are_drawn():
    net = dense(198, 300, 40, 5, kind="deep")
    net.tensors()["layer3.weight"][:, 7] = net.tensors()["layer2.weight"][7, 123] = 100  # views of the weights
    shown = wiring(net)
    assert [len(layer) for layer in shown.layers[1:]] == [DEEP, DEEP, 5]
    assert 5 + 123 in shown.layers[1] and 5 + 300 + 7 in shown.layers[2]
    words = " ".join(texts(draw_net(net)))
    assert "340 hidden nodes, 5 outputs, 71,600 connections" in words
    assert f"71,{600 - 3 * DENSE} connections (the lightest into each layer), {340 - 2 * DEEP} hidden nodes" in words


@pytest.mark.parametrize("bias", [0.0, -1e6])
def test_a_deep_net_at_work_shows_the_active_units_of_every_layer(bias):
    net = dense(198, 300, 40, 5, kind="deep")
    net.tensors()["layer2.bias"][:] = bias
    values = activations(net, np.ones(198))
    layers = wiring_at_work(net, values).layers
    assert [len(layer) for layer in layers[1:]] == ([WORKING, WORKING, 5] if bias == 0 else [WORKING, 5])
    assert all(values[key] > 0 for layer in layers[1:] for key in layer)
    assert draw_net(net, values=values)


@pytest.mark.parametrize(
    "shape, kind",
    [((6, 4, 2), "sigmoid"), ((5, 3, 2, 4), "linear"), ((5, 2), "linear"), ((5, 4, 3, 2), "deep"), ((4, 2, 1), "deep")],
)
def test_a_dense_net_s_connections_are_its_weights(shape, kind):
    net = dense(*shape, kind=kind)
    found = as_genome(net)
    assert len(found.nodes) == sum(shape[1:])
    weights = np.concatenate([tensor.ravel() for tensor in net.tensors().values() if tensor.ndim == 2])
    assert (found.links["weight"] == weights).all()
    layers = wiring(net).layers
    assert [len(layer) for layer in layers] == list(shape)
    rank = {key: number for number, layer in enumerate(layers) for key in layer}
    assert all(rank[target] - rank[source] == 1 for source, target in found.links[["source", "target"]].tolist())


def test_a_linear_net_says_that_its_last_layer_is_added_up():
    assert "added up" in " ".join(texts(draw_net(dense(5, 2, 2, kind="linear"))))


def test_the_numbers_of_a_drawing_are_its_connections():
    header, *rows = connections(evolved(), (["a", "b", "c"], ["out"]))
    assert header == ["from", "to", "weight"]
    assert ["a", "out", 2.0] in rows and len(rows) == 7


@pytest.mark.parametrize("name", GAMES)
def test_games_name_every_input_and_output(name):
    game = find_game(name)
    kinds = (
        {("net", len(mirror[0])) for mirror in game.learning.heads.values()}
        if "net" not in game.policies.decodings
        else set()
    )
    for encoding, inputs in game.policies.encodings.items():
        for policy, outputs in {*kinds, *game.policies.decodings.items()}:
            net = Net(
                game.name, game.rules.version, encoding, (inputs, 1, outputs), np.empty(0, np.float32), policy=policy
            )
            assert net_labels(net, game), (encoding, policy)


def test_a_drawing_is_in_ink_and_the_same_every_time():
    svg = draw_net(evolved())
    assert INK in svg and svg == draw_net(evolved())


# The command.


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> Path:
    """A folder with a net, a run, an unfinished run, a log and a few things that are neither."""
    folder = tmp_path_factory.mktemp("draw")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        assert main(["train", "golf", "--name", "x", "--hidden", "2", "--epochs", "2", "--curve-every", "1"]) == 0
        assert main(["match", "golf", "random", "greedier", "--pairs", "1", "--log", "x.log"]) == 0
        Path("unfinished").mkdir()
        Path("unfinished/experiment.toml").write_bytes(Path("runs/x/experiment.toml").read_bytes())
        Path("bytes.bin").write_bytes(bytes(range(256)))
        Path("words.txt").write_text("no game\n")
        Path("bare.log").write_text(Path("x.log").read_text().partition("\n")[2])
        Path("full").mkdir()
        Path("full/file").write_text("")
        save_net(Path("net.safetensors"), dense(90, 3, 1))
    return folder


@pytest.fixture(autouse=True)
def inside(request, monkeypatch) -> None:
    if "here" in request.fixturenames or "capsys" in request.fixturenames:
        monkeypatch.chdir(request.getfixturevalue("here"))


def said(capsys, *words: str) -> str:
    assert main(["draw", *words]) == 0
    return capsys.readouterr().out


def test_a_net_is_drawn_beside_its_file_and_never_over_another_drawing(capsys):
    assert said(capsys, "net.safetensors") == "network: net.svg\n"
    first = Path("net.svg").read_text()
    assert "place 1: A" in texts(first)
    assert said(capsys, "net.safetensors") == "network: net-2.svg\n"
    assert Path("net-2.svg").read_text() == Path("net.svg").read_text() == first


def test_a_run_s_champion_is_drawn_in_its_folder_or_where_one_says(capsys):
    assert said(capsys, "runs/x") == "network: runs/x/champion.svg\n"
    assert said(capsys, "runs/x", "--out", "new/place.svg") == "network: new/place.svg\n"
    assert Path("new/place.svg").read_text() == Path("runs/x/champion.svg").read_text()


@pytest.mark.parametrize("words", [["--format", "png", "--out", "a.png"], ["--out", "b.png", "--whole"]])
def test_a_net_as_png(capsys, words):
    path = Path(said(capsys, "net.safetensors", *words).split()[1])
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_report_has_the_champion_s_network_in_the_page_s_ink(here):
    assert main(["report", "runs/x"]) == 0
    page = Path("runs/x/report.html").read_text()
    assert ">The champion&#x27;s network</h2>" in page
    figure = page[page.index("golf: a network by coevolution") :].partition("</figure>")[0]
    assert INK not in figure and "currentColor" in figure and "from,to,weight" in figure


def test_a_game_is_drawn_as_numbered_pictures_with_what_was_done(capsys):
    out = said(capsys, "x.log", "--game", "2")
    assert out.endswith(" pictures of x.log, game 2: x-game-2\n")
    paths = sorted(Path("x-game-2").iterdir())
    assert len(paths) == int(out.split()[0])
    assert [path.name for path in paths] == [f"{n:02d}.svg" for n in range(1, len(paths) + 1)]
    titles = [ElementTree.parse(path).getroot().findtext(f"{SVG}title") for path in paths]
    assert titles[0].startswith("round 1: ") and titles[1].startswith("round 1, turn 1: ")


def test_a_game_is_drawn_as_an_animation(capsys):
    """One picture for each move, the first for the deal and the last for the result."""
    assert said(capsys, "bare.log", "--format", "gif") == "animation: bare-game-1.gif\n"
    log = read_log(Path("x.log"))
    shown = list(islice(game_frames(log, 0), 4))
    assert shown[0][0] == "random, greedier" and shown[1][0].startswith("Random ")
    with Image.open(write_animation(shown, Path("short.gif"))) as film:
        assert film.n_frames == 4 and film.width == 480
        assert film.info["loop"] == 0


def test_pictures_of_a_game_are_drawn_as_png(capsys):
    log = read_log(Path("x.log"))
    (path,) = write_frames(list(islice(game_frames(log, 0), 1)), Path(), "png")
    with Image.open(path) as painted:
        assert painted.width == 480


@pytest.mark.parametrize("name", GAMES)
def test_the_table_of_every_game_is_painted(name):
    """The corners have the table's colour, text and cards or pieces are there, and nothing is left white."""
    game = find_game(name)
    state = start_game(game, 1, 0, 0, game.rules.seats[0])
    names = [f"player {seat}" for seat in range(game.rules.seats[0])]
    painted = paint(game.view.table(state[0], 0, names), 300)
    colours = sorted(painted.getcolors(100_000), reverse=True)
    assert colours[0][1] != (255, 255, 255) and len(colours) > 50
    blank = game.view.table(state[0], 0, [""] * len(names))
    assert ImageChops.difference(painted, paint(blank, 300)).getbbox()  # the names


def test_curves_of_svg_are_read():
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{}</svg>'
    for shape in (
        '<path d="M5 5h10v10h-10z"/>',
        '<path d="m5 5 10 0 0 10L5 15Z"/>',
        '<g transform="translate(5 5) scale(2)"><rect width="5" height="5"/></g>',
        '<defs><rect id="a" width="10" height="10"/></defs><use href="#a" x="5" y="5"/>',
        '<rect x="5" y="5" width="10" height="10" rx="1" transform="rotate(90 10 10)"/>',
    ):
        painted = paint(box.format(shape), 20)
        assert [painted.getpixel(at) for at in ((10, 10), (7, 12), (2, 2), (18, 10))] == [(0,) * 3] * 2 + [
            (255,) * 3
        ] * 2
    round_one = paint(box.format('<circle cx="10" cy="10" r="8" fill="#f00" fill-opacity=".5"/>'), 20)
    assert round_one.getpixel((10, 10)) == (255, 127, 127) and round_one.getpixel((3, 3)) == (255,) * 3


def test_a_game_goes_into_a_folder_of_its_own(capsys):
    Path("empty").mkdir(exist_ok=True)
    assert said(capsys, "x.log", "--out", "empty").endswith("game 1: empty\n")
    assert said(capsys, "bare.log").endswith("game 1: bare-game-1\n")
    assert said(capsys, "bare.log").endswith("game 1: bare-game-1-2\n")


def pictures(view, played: Played, names: list[str], folder: Path, format: str) -> list[Path]:
    paths = [folder / f"1.{format}", folder / "game.gif"]
    for path in paths:
        path.write_text(f"{view.game.name} {played.seats} {names}")
    return paths


def test_a_game_that_draws_itself_does_so(capsys, monkeypatch):
    monkeypatch.setattr(GolfView, "pictures", pictures)
    monkeypatch.setattr(GolfView, "draws_games", True)
    out = said(capsys, "x.log", "--format", "png", "--out", "own")
    assert out == "1 pictures of x.log, game 1: own\nanimation: own/game.gif\n"
    assert Path("own/1.png").read_text() == "golf 2 ['random', 'greedier']"


def test_a_game_that_draws_itself_needs_the_deal(capsys, monkeypatch):
    monkeypatch.setattr(GolfView, "pictures", pictures)
    monkeypatch.setattr(GolfView, "draws_games", True)
    assert "line 1, which says the deal, is missing" in refused(capsys, "bare.log", "--format", "png")
    assert " pictures of bare.log" in said(capsys, "bare.log", "--out", "bare")


def refused(capsys, *words: str) -> str:
    assert main(["draw", *words]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("sparring: ") and streams.err.count("\n") == 1
    return streams.err


REFUSED = [
    (["none"], "none: no such file"),
    (["none.safetensors"], "none.safetensors: no such file"),
    (["full"], "full: not a run"),
    (["unfinished"], "finish the run with: sparring resume unfinished"),
    (["runs/x/checkpoint.safetensors"], "not a net"),
    (["bytes.bin"], "bytes.bin: neither a net (.safetensors) nor a run's folder nor a log of games"),
    (["words.txt"], "words.txt: not in the notation of"),
    (["x.log", "--game", "3"], "x.log: has 2 games; --game 3 is too large"),
    (["x.log", "--game", "0"], "--game"),
    (["x.log", "--format", "gif", "--out", "x.png"], "x.png: must end in .gif"),
    (["x.log", "--format", "pngg"], "unknown format 'pngg': did you mean 'png'?"),
    (["x.log", "--whole"], "--whole: x.log is a log of games, not a net"),
    (["x.log", "--out", "full"], "full: exists already; choose another place"),
    (["x.log", "--out", "/dev/null/x"], "/dev/null/x: cannot be written"),
    (["x.log", "--of", "chess"], "unknown game 'chess'"),
    (["net.safetensors", "--game", "1"], "--game 1: net.safetensors is a net, not a log of games"),
    (["net.safetensors", "--out", "net.gif"], "--format gif: net.safetensors is a net, which does not move"),
    (["net.safetensors", "--out", "net.pdf"], "net.pdf: must end in .svg"),
    (["net.safetensors", "--out", "net.svg", "--format", "png"], "net.svg: must end in .png"),
    (["net.safetensors", "--out", "bytes.bin"], "bytes.bin: must end in .svg"),
    (["net.safetensors", "--out", "/dev/null/x.svg"], "/dev/null/x.svg: cannot be written"),
    (["net.safetensors", "--of", "backgammon"], "a net for golf, not for backgammon"),
]


@pytest.mark.parametrize("words, fragment", REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_what_is_wrong_is_said_in_one_line(capsys, words, fragment):
    assert fragment in refused(capsys, *words)


def test_an_existing_drawing_is_not_overwritten(capsys):
    Path("kept.svg").write_text("mine")
    assert "kept.svg: exists already; choose another place" in refused(capsys, "net.safetensors", "--out", "kept.svg")
    assert Path("kept.svg").read_text() == "mine"
