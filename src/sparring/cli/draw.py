"""`sparring draw`: a net as a graph, or a game of a log as pictures."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from itertools import count
from pathlib import Path

from sparring.arena.players import CHAMPION
from sparring.errors import UserError, unwritable
from sparring.games import Game, find_game, name_game, unknown
from sparring.lab.log import Log, read_log
from sparring.lab.run import open_run
from sparring.nets.files import SUFFIX, load_net
from sparring.report.network import net_canvas, net_labels

FORMATS = ("svg", "png")
ANIMATION = "game"  # the stem of its file, as `View.pictures` says


def draw(what: Path, of: str, out: Path | None, number: int | None, form: str, whole: bool, role: str = "") -> None:
    """Draw what there is at a path: a run's folder, a net file or a log of games."""
    if not form:
        form = out.suffix[1:] if out and out.suffix[1:] in FORMATS else FORMATS[0]
    if form not in FORMATS:
        raise unknown("format", form, list(FORMATS))
    game = name_game(of) if of else None
    if what.is_dir() or what.suffix == SUFFIX:
        if number:
            raise UserError(f"--game {number}: {what} is a net, not a log of games")
        draw_network(what, game, out, form, whole, role)
    else:
        if what.is_file() and not what.read_bytes().isascii():
            raise UserError(f"{what}: neither a net ({SUFFIX}) nor a run's folder nor a log of games")
        log = read_log(what, game)
        if whole or role:
            raise UserError(f"--{'whole' if whole else 'role'}: {what} is a log of games, not a net")
        draw_game(log, log.index(number or 1), out, form)


def draw_network(what: Path, game: Game | None, out: Path | None, form: str, whole: bool, role: str = "") -> None:
    """Write a net, or a run's champion, as a graph; of a team one role's."""
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
    canvas = net_canvas(net, net_labels(net, game or find_game(net.game)), whole)
    if out and out.suffix != f".{form}":
        raise UserError(f"{out}: must end in .{form}")
    target = _new(out, path.with_suffix(f".{form}"))
    with _writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if form == "png":
            canvas.write_png(target)
        else:
            target.write_text(canvas.svg(), encoding="utf-8")
    print(f"network: {target}")


def draw_game(log: Log, i: int, out: Path | None, form: str) -> None:
    """Write a game of a log as numbered pictures into a folder of their own."""
    view, names, played = log.game.view, log.names(i), log.played(i)
    own = view.draws_games and played is not None
    if form != "svg" and not own:
        why = "line 1, which says the deal, is missing" if view.draws_games else f"{log.game.name} has svg only"
        raise UserError(f"{log.place(i)}: cannot be drawn as {form}: {why}")
    folder = _new(out, log.path.with_name(f"{log.path.stem}-game-{i + 1}"))
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if view.draws_games and played:
            written = view.pictures(played, names, folder, form)
        else:
            written = write_frames(view.frames(log.games[i], log.place(i), names, played), folder)
    films = [path for path in written if path.stem == ANIMATION]
    print(f"{len(written) - len(films)} pictures of {log.place(i)}: {folder}")
    for path in films:
        print(f"animation: {path}")


def write_frames(frames: list[tuple[str, str]], folder: Path) -> list[Path]:
    """Write a game's frames as numbered files, each with what was done as its title."""
    paths = [folder / f"{number:0{len(str(len(frames)))}d}.svg" for number in range(1, len(frames) + 1)]
    for path, (said, svg) in zip(paths, frames, strict=True):
        head = svg.index(">", svg.index("<svg")) + 1
        path.write_text(f"{svg[:head]}<title>{escape(said)}</title>{svg[head:]}\n", encoding="utf-8")
    return paths


def _new(wanted: Path | None, usual: Path) -> Path:
    """A place to write to: the wanted one, if nothing is there yet, or else the usual one, numbered if need be."""
    if wanted is None:
        numbered = (usual.with_stem(f"{usual.stem}-{number}") for number in count(2))
        return usual if not usual.exists() else next(path for path in numbered if not path.exists())
    if wanted.exists() and not (wanted.is_dir() and not any(wanted.iterdir())):
        raise UserError(f"{wanted}: exists already; choose another place")
    return wanted


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise unwritable(path, error, "make room, then draw again") from None
