"""Drawings as files: a net as a graph, or a game of a log as pictures."""

from html import escape
from itertools import count
from pathlib import Path

from sparring.arena.players import CHAMPION
from sparring.errors import UserError, writing
from sparring.games import Game, find_game, name_game, unknown
from sparring.lab.log import Log, read_log
from sparring.lab.run import open_run
from sparring.nets.files import SUFFIX, load_net
from sparring.reading import MOST_LOG, read_bytes
from sparring.report.network import net_canvas, net_labels

FORMATS = ("svg", "png")
ADVICE = "make room, then draw again"
ANIMATION = "game"  # the stem of its file, as `View.pictures` says


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

    `number` is the game of a log, from 1. `form` is svg or png. `whole` also draws what is disabled in a net, and `role`
    chooses a net of a team. `game` names the game where it is not one of Sparring's own.
    """
    what, out = Path(what), Path(out) if out else None
    form = form or (out.suffix[1:] if out and out.suffix[1:] in FORMATS else FORMATS[0])
    if form not in FORMATS:
        raise unknown("format", form, list(FORMATS))
    the_game = name_game(game) if game else None
    if what.is_dir() or what.suffix == SUFFIX:
        if number:
            raise UserError(f"--game {number}: {what} is a net, not a log of games")
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
    """Write a game of a log as numbered pictures, and an animation where the game has one, into a folder of their own."""
    view, names, played = log.game.view, log.names(i), log.played(i)
    if form != "svg" and not (view.draws_games and played is not None):
        why = "line 1, which says the deal, is missing" if view.draws_games else f"{log.game.name} has svg only"
        raise UserError(f"{log.place(i)}: cannot be drawn as {form}: {why}")
    folder = _new(out, log.path.with_name(f"{log.path.stem}-game-{i + 1}"))
    with writing(folder, ADVICE):
        folder.mkdir(parents=True, exist_ok=True)
        if view.draws_games and played:
            return view.pictures(played, names, folder, form)
        return write_frames(view.frames(log.games[i], log.place(i), names, played), folder)


def write_frames(frames: list[tuple[str, str]], folder: Path) -> list[Path]:
    """Write a game's frames as numbered files, each with the move as its title."""
    paths = [folder / f"{number:0{len(str(len(frames)))}d}.svg" for number in range(1, len(frames) + 1)]
    for path, (said, svg) in zip(paths, frames, strict=True):
        head = svg.index(">", svg.index("<svg")) + 1
        path.write_text(f"{svg[:head]}<title>{escape(said)}</title>{svg[head:]}\n", encoding="utf-8")
    return paths


def _new(wanted: Path | None, usual: Path) -> Path:
    """The place to write to: the wanted one, if nothing is there yet, or else the usual one, numbered if needed."""
    if wanted is None:
        numbered = (usual.with_stem(f"{usual.stem}-{number}") for number in count(2))
        return usual if not usual.exists() else next(path for path in numbered if not path.exists())
    if wanted.exists() and not (wanted.is_dir() and not any(wanted.iterdir())):
        raise UserError(f"{wanted}: exists already; choose another place")
    return wanted
