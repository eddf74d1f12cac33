"""A whole game as pictures: a numbered file for each move, and an animation.

    start.svg  round-1-player-1.svg  round-1-player-2.svg  ...  end.svg  game.svg

Player 1 is blue and player 2 red. The animation is `game.svg`, or `game.gif` if the pictures are PNGs.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import UserError, writing
from sparring.games.conquest.game_record import winner
from sparring.games.conquest.notation import Sent, move_words, sent
from sparring.games.conquest.picture import Layout, Painter, Shape, map_svg, over_map, svg_of, tile_shapes
from sparring.games.conquest.rules import FULL, GUIDED
from sparring.games.game import Game, apply_move, start_game
from sparring.games.view import Played

FORMATS = ("svg", "png")
COLOURS = 64  # of a GIF
SECONDS, PAUSE = 0.8, 4  # the time of a frame, and how many times as long the last one is shown


class Frame(NamedTuple):
    """The content of a picture."""

    name: str  # of the file
    title: str
    subtitle: str
    state: np.ndarray  # changes in place
    done: Sent | None  # the move that led here


def draw_game(
    game: Game,
    played: Played,
    folder: Path,
    names: Sequence[str] = ("blue", "red"),
    format: str = "svg",
    fitness: str = "",
    guided: Sequence[bool] = (),
) -> list[Path]:
    """Write a game as numbered pictures and an animation; returns the files, the animation last.

    `fitness` names a fitness function whose values the subtitle shows. Moves that are `guided` are marked `*`.
    """
    if format not in FORMATS:
        raise UserError(f"format = {format!r}: must be one of {', '.join(FORMATS)}")
    frames = game_frames(game, played, list(names), fitness, guided)
    with writing(folder, "free some space, then draw it again"):
        folder.mkdir(parents=True, exist_ok=True)
        return list(_write_svg(frames, folder) if format == "svg" else _write_png(frames, folder))


def guided_moves(game: Game, played: Played, choosers: Sequence[Callable[[np.ndarray], int]]) -> list[bool]:
    """Whether each move was guided. Records do not say, so each seat's chooser is asked again in every state."""
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    s: Any = state[0]
    found = []
    for number, move in enumerate(played.moves, 1):
        seat = int(s["turn"])
        before = int(s["luck"][GUIDED + seat])
        if choosers[seat](state) != move:
            raise UserError(f"move {number}: its player chooses another move; a different player made it")
        found.append(int(s["luck"][GUIDED + seat]) > before)
        apply_move(game.rules, state, move)
    return found


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
        apply_move(game.rules, state, move)
        name = f"round-{s['tally']['rounds']}-player-{seat + 1}"
        yield Frame(name, title, _subtitle(game, s, names, fitness), state, done)
    yield Frame("end", ending(s), _subtitle(game, s, names, fitness), state, None)


def ending(s: Any) -> str:
    """The title of a finished game."""
    won = winner(s)
    return f"{'Nobody' if won is None else ('Blue', 'Red')[won]} won the game!"


def _subtitle(game: Game, s: Any, names: list[str], fitness: str) -> str:
    words = [" / ".join(names), f"Round: {s['tally']['rounds']}"]
    if fitness:
        values = game.learning.fitness[fitness](np.array([s["tally"]], game.rules.tally))[0]
        words.append("Fitness: " + " / ".join(f"{value:.3f}" for value in values[: len(names)]))
    return " \N{MIDDLE DOT} ".join(words)


def _write_svg(frames: Iterator[Frame], folder: Path) -> Iterator[Path]:
    animation = Animation()
    for frame in frames:
        path = folder / f"{frame.name}.svg"
        path.write_text(map_svg(frame.state[0], frame.title, frame.subtitle, frame.done), encoding="utf-8")
        animation.add(frame)
        yield path
    path = folder / "game.svg"
    path.write_text(animation.svg(), encoding="utf-8")
    yield path


class Animation:
    """An animated SVG: a tile is drawn once for each of its appearances, which is visible for some of the frames."""

    def __init__(self) -> None:
        self.count = 0
        self.layout = Layout(1, 1)
        self.looks: list[tuple[str, int]] = []  # each tile's current drawing and its first frame
        self.tiles: list[tuple[str, int, int]] = []  # earlier drawings, first frames and ends
        self.over: list[tuple[str, int, int]] = []  # the same for the layer over the tiles

    def add(self, frame: Frame) -> None:
        """Add the next frame."""
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
        """The animation so far."""
        lasting = [(*look, self.count) for look in self.looks]
        parts = [self._seen(*part) for part in [*self.tiles, *lasting, *self.over]]
        return svg_of(self.layout, "".join(parts), f"a game of {self.count - 2} moves")

    def _seen(self, drawing: str, first: int, last: int) -> str:
        """A drawing that is visible from one frame until before another, in a loop."""
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


def _write_png(frames: Iterator[Frame], folder: Path) -> Iterator[Path]:
    """Write PNGs and a GIF. Only tiles that have changed are painted again."""
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
