"""Drawings as files: a net as a graph, or a game of a log as pictures or as an animation."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sparring.arena.players import CHAMPION
from sparring.arena.session import Session
from sparring.errors import UserError, writing
from sparring.games import Game, find_game, name_game, unknown
from sparring.lab.log import Log, read_log
from sparring.lab.run import open_run
from sparring.nets.files import SUFFIX, load_net
from sparring.reading import MOST_LOG, read_bytes
from sparring.report.network import net_canvas, net_labels
from sparring.report.raster import paint

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("svg", "png", "gif")
ADVICE = "make room, then draw again"
ANIMATION = "game"  # the stem of its file, as `View.pictures` says
WIDTH, CAPTION = 480, 30  # pixels of a game's picture, and of the line below it in an animation
LETTERS = 62  # of that line
COLOURS = 96  # of an animation
SECONDS, PAUSE = 0.8, 4  # the time of a picture, and how many times as long the last one is shown


def draw(
    what: str | Path,
    *,
    game: str = "",
    out: str | Path | None = None,
    number: int | None = None,
    form: str = "",
    whole: bool = False,
    role: str = "",
) -> list[Path]:
    """Draw a net file, a run's champion, or a game of a log; returns the files written.

    `number` is the game of a log, from 1. `form` is svg, png or, for a game as one animation, gif. `whole` also draws what is
    disabled in a net, and `role` chooses a net of a team. `game` names the game where it is not one of Sparring's own.
    """
    what, out = Path(what), Path(out) if out else None
    form = form or (out.suffix[1:] if out and out.suffix[1:] in FORMATS else FORMATS[0])
    if form not in FORMATS:
        raise unknown("format", form, list(FORMATS))
    the_game = name_game(game) if game else None
    if what.is_dir() or what.suffix == SUFFIX:
        if number:
            raise UserError(f"--game {number}: {what} is a net, not a log of games")
        if form == "gif":
            raise UserError(f"--format gif: {what} is a net, which does not move: svg or png")
        return [draw_network(what, the_game, out, form, whole, role)]
    if what.is_file() and not read_bytes(what, MOST_LOG).isascii():
        raise UserError(f"{what}: neither a net ({SUFFIX}) nor a run's folder nor a log of games")
    log = read_log(what, the_game)
    if whole or role:
        raise UserError(f"--{'whole' if whole else 'role'}: {what} is a log of games, not a net")
    return draw_game(log, log.index(number or 1), out, form)


def draw_network(what: Path, game: Game | None, out: Path | None, form: str, whole: bool, role: str) -> Path:
    """Write a net, or a run's champion, as a graph; of a team, the net of one role."""
    path = what
    if what.is_dir():
        run = open_run(what)
        path, game = run.folder / CHAMPION, run.game
        if not path.exists():
            raise UserError(f"{what}: no {CHAMPION} in this folder; finish the run with: sparring resume {what}")
    net = load_net(path, game)
    if role and not net.parts:
        raise UserError(f"--role {role}: {path} is one net, not a team")
    if net.parts and role not in net.parts:
        raise UserError(f"{path}: a team of nets; say whose to draw: --role {' or '.join(net.parts)}")
    net = net.parts.get(role, net)
    labels = None if net.kind == "recurrent" else net_labels(net, game or find_game(net.game))
    canvas = net_canvas(net, labels, whole)
    if out and out.suffix != f".{form}":
        raise UserError(f"{out}: must end in .{form}")
    target = _new(out, path.with_suffix(f".{form}"))
    with writing(target, ADVICE):
        target.parent.mkdir(parents=True, exist_ok=True)
        if form == "png":
            canvas.write_png(target)
        else:
            target.write_text(canvas.svg(), encoding="utf-8")
    return target


def draw_game(log: Log, i: int, out: Path | None, form: str) -> list[Path]:
    """Write a game of a log as an animation, or as numbered pictures in a folder of their own."""
    view, names, played = log.game.view, log.names(i), log.played(i)
    if form == "gif":
        target = _new(out, log.path.with_name(f"{log.path.stem}-game-{i + 1}.gif"))
        if target.suffix != ".gif":
            raise UserError(f"{target}: must end in .gif")
        with writing(target, ADVICE):
            target.parent.mkdir(parents=True, exist_ok=True)
            return [write_animation(game_frames(log, i), target)]
    if form == "png" and view.draws_games and played is None:
        raise UserError(f"{log.place(i)}: cannot be drawn as png: line 1, which says the deal, is missing")
    folder = _new(out, log.path.with_name(f"{log.path.stem}-game-{i + 1}"))
    with writing(folder, ADVICE):
        folder.mkdir(parents=True, exist_ok=True)
        if view.draws_games and played:
            return view.pictures(played, names, folder, form)
        return write_frames(view.frames(log.games[i], log.place(i), names, played), folder, form)


def game_frames(log: Log, i: int) -> Iterator[tuple[str, str]]:
    """A whole game, move by move, as what was said and a picture; where the deal is not known, what the notation shows."""
    names, played, view = log.names(i), log.played(i), log.game.view
    if played is None:
        yield from view.frames(log.games[i], log.place(i), names)
        return
    session = Session(log.game, names, played.seed, played.deal, played.luck)
    for said, shown in session.replay(played.moves):
        yield said or ", ".join(names), view.table(shown, None, names)
    yield session.result(), view.table(session.shown, None, names)


def write_frames(frames: list[tuple[str, str]], folder: Path, form: str = "svg") -> list[Path]:
    """Write a game's frames as numbered files, each with the move as its title."""
    paths = [folder / f"{number:0{len(str(len(frames)))}d}.{form}" for number in range(1, len(frames) + 1)]
    for path, (said, svg) in zip(paths, frames, strict=True):
        if form == "png":
            paint(svg, WIDTH).save(path)
            continue
        head = svg.index(">", svg.index("<svg")) + 1
        path.write_text(f"{svg[:head]}<title>{escape(said)}</title>{svg[head:]}\n", encoding="utf-8")
    return paths


def write_animation(frames: Iterable[tuple[str, str]], path: Path) -> Path:
    """Write frames as a GIF, each with the move in a line below it."""
    from PIL import Image

    painted = [_captioned(said, svg) for said, svg in frames]
    samples = [painted[0], painted[len(painted) // 2], painted[-1]]
    strip = Image.new("RGB", (WIDTH, sum(each.height for each in samples)))
    for place, each in enumerate(samples):
        strip.paste(each, (0, place * each.height))
    colours = strip.quantize(COLOURS)  # one set of colours, so that only what changes is written
    shown = [each.quantize(palette=colours, dither=Image.Dither.NONE) for each in painted]
    lasting = [1000 * SECONDS] * (len(shown) - 1) + [1000 * SECONDS * PAUSE]
    shown[0].save(path, save_all=True, append_images=shown[1:], duration=lasting, loop=0)
    return path


def _captioned(said: str, svg: str) -> "Image":
    from PIL import Image

    words = said if len(said) <= LETTERS else f"{said[: LETTERS - 1]}…"
    line = f'<text x="12" y="20" font-size="14">{escape(words[:1].upper() + words[1:])}</text>'
    board = paint(svg, WIDTH)
    whole = Image.new("RGB", (board.width, board.height + CAPTION))
    whole.paste(board)
    box = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {CAPTION}">{line}</svg>'
    whole.paste(paint(box, WIDTH), (0, board.height))
    return whole


def _new(wanted: Path | None, usual: Path) -> Path:
    """The place to write to: the wanted one, if nothing is there yet, or else the usual one, numbered if needed."""
    if wanted is None:
        numbered = (usual.with_stem(f"{usual.stem}-{number}") for number in count(2))
        return usual if not usual.exists() else next(path for path in numbered if not path.exists())
    if wanted.exists() and not (wanted.is_dir() and not any(wanted.iterdir())):
        raise UserError(f"{wanted}: exists already; choose another place")
    return wanted
