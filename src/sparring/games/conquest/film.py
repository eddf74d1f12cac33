"""A whole game as pictures: a numbered file for each move, and an animation.

    start.svg  round-1-player-1.svg  round-1-player-2.svg  ...  end.svg  game.svg

Player 1 is blue and 2 red. The animation is `game.svg`, which moves by itself in a browser, or `game.gif` where the pictures
are PNGs.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError, unwritable
from sparring.games.conquest.game_record import apply, winner
from sparring.games.conquest.notation import Sent, move_words, sent
from sparring.games.conquest.picture import Layout, Painter, Shape, map_svg, over_map, svg_of, tile_shapes
from sparring.games.conquest.rules import FULL
from sparring.games.game import Game, start_game
from sparring.games.view import Played

FORMATS = ("svg", "png")
COLOURS = 64  # of an animation in PNGs' stead
SECONDS, PAUSE = 0.8, 4  # each picture of an animation is seen so long, the last so many times as long


class Frame(NamedTuple):
    """A picture to be: what it is called, its words, the state, and what was done."""

    name: str
    title: str
    subtitle: str
    state: np.ndarray  # changes in place
    done: Sent | None


def draw_game(
    game: Game,
    played: Played,
    folder: Path,
    names: Sequence[str] = ("blue", "red"),
    format: str = "svg",
    fitness: str = "",
    guided: Sequence[bool] = (),
) -> list[Path]:
    """Write a game as numbered pictures and as an animation into a folder; returns what was written, the animation last.

    `fitness` names what the subtitle tells of each seat so far; `guided` says of each move whether it was, and marks it `*`.
    """
    if format not in FORMATS:
        raise UserError(f"format = {format!r}: must be one of {', '.join(FORMATS)}")
    frames = game_frames(game, played, list(names), fitness, guided)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return list(_write_svg(frames, folder) if format == "svg" else _write_png(frames, folder))
    except OSError as error:
        raise unwritable(folder, error, "make room, then draw it again") from None


def game_frames(
    game: Game, played: Played, names: list[str], fitness: str = "", guided: Sequence[bool] = ()
) -> Iterator[Frame]:
    """The start, the state after each move, and the end."""
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    s: Any = state[0]
    yield Frame("start", "Game Overview", _subtitle(game, s, names, fitness), state, None)
    done = None
    for number, move in enumerate(played.moves):
        seat, done = int(s["turn"]), sent(s, move)
        title = "*" * bool(guided and guided[number]) + move_words(s, move).replace("->", "\N{RIGHTWARDS ARROW}")
        apply(state, move)
        name = f"round-{s['tally']['rounds']}-player-{seat + 1}"
        yield Frame(name, title, _subtitle(game, s, names, fitness), state, done)
    yield Frame("end", ending(s), _subtitle(game, s, names, fitness), state, None)


def ending(s: Any) -> str:
    """The title of a game that is over."""
    won = winner(s)
    return f"{'Nobody' if won is None else ('Blue', 'Red')[won]} won the game!"


def _subtitle(game: Game, s: Any, names: list[str], fitness: str) -> str:
    words = [" / ".join(names), f"Round: {s['tally']['rounds']}"]
    if fitness:
        told = game.learning.fitness[fitness](np.array([s["tally"]], game.rules.tally))[0]
        words.append("Fitness: " + " / ".join(f"{value:.3f}" for value in told[: len(names)]))
    return " \N{MIDDLE DOT} ".join(words)


# SVG.


def _write_svg(frames: Iterator[Frame], folder: Path) -> Iterator[Path]:
    film = Film()
    for frame in frames:
        path = folder / f"{frame.name}.svg"
        path.write_text(map_svg(frame.state[0], frame.title, frame.subtitle, frame.done), encoding="utf-8")
        film.add(frame)
        yield path
    path = folder / "game.svg"
    path.write_text(film.svg(), encoding="utf-8")
    yield path


class Film:
    """An SVG that moves: every tile is drawn once for each look it has, and seen while it looks so."""

    def __init__(self) -> None:
        self.count = 0
        self.layout = Layout(1, 1)
        self.looks: list[tuple[str, int]] = []  # each tile's present drawing, and since which frame
        self.tiles: list[tuple[str, int, int]] = []  # a drawing, its first frame and the one after its last
        self.over: list[tuple[str, int, int]] = []  # the same of what lies over the tiles

    def add(self, frame: Frame) -> None:
        """Take up the next frame."""
        s: Any = frame.state[0]
        drawings = [_drawn(tile_shapes(s, tile)) for tile in range(int(s["rules"]["tiles"]))]
        if self.count == 0:
            self.layout, self.looks = Layout.of(s), [(drawing, 0) for drawing in drawings]
        for tile, drawing in enumerate(drawings):
            if drawing != self.looks[tile][0]:
                self.tiles.append((*self.looks[tile], self.count))
                self.looks[tile] = (drawing, self.count)
        drawing = _drawn(over_map(s, frame.title, frame.subtitle, frame.done))
        self.over.append((drawing, self.count, self.count + 1))
        self.count += 1

    def svg(self) -> str:
        """The film so far."""
        lasting = [(*look, self.count) for look in self.looks]
        parts = [self._seen(*part) for part in [*self.tiles, *lasting, *self.over]]
        return svg_of(self.layout, "".join(parts), f"a game of {self.count - 2} moves")

    def _seen(self, drawing: str, first: int, last: int) -> str:
        """A drawing that is seen from one frame to before another, again and again."""
        if first == 0 and last == self.count:
            return drawing
        length = self.count - 1 + PAUSE
        start, end = first / length, 1.0 if last == self.count else last / length
        values = [("hidden", 0.0)] * (first > 0) + [("visible", start)] + [("hidden", end)] * (end < 1)
        times, seen = ";".join(f"{time:.6g}" for _, time in values), ";".join(value for value, _ in values)
        shown = "" if first == 0 else ' visibility="hidden"'
        return (
            f'<g{shown}>{drawing}<animate attributeName="visibility" dur="{length * SECONDS:g}s" repeatCount="indefinite" '
            f'calcMode="discrete" values="{seen}" keyTimes="{times}"/></g>'
        )


def _drawn(shapes: list[Shape]) -> str:
    return "".join(shape.svg() for shape in shapes)


# PNG.


def _write_png(frames: Iterator[Frame], folder: Path) -> Iterator[Path]:
    """Only tiles that have changed are painted anew."""
    shown: list[Any] = []
    board: list[int] = []
    for frame in frames:
        s: Any = frame.state[0]
        if not board:
            painter = Painter(Layout.of(s))
            tiles, board = painter.paper(), [FULL + 1] * int(s["rules"]["tiles"])
        changed = [tile for tile, troops in enumerate(board) if troops != s["board"][tile]]
        if changed:
            tiles = painter.paint(tiles, [shape for tile in changed for shape in tile_shapes(s, tile)])
        board = s["board"][: len(board)].tolist()
        picture = painter.paint(tiles, over_map(s, frame.title, frame.subtitle, frame.done)).convert("RGB")
        picture.save(folder / f"{frame.name}.png")
        shown.append(picture.quantize(COLOURS))
        yield folder / f"{frame.name}.png"
    lasting = [1000 * SECONDS] * (len(shown) - 1) + [1000 * SECONDS * PAUSE]
    shown[0].save(folder / "game.gif", save_all=True, append_images=shown[1:], duration=lasting, loop=0)
    yield folder / "game.gif"
