"""Colours in the terminal: red suits are red, each seat has its colour. Elsewhere text stays plain."""

import re
from collections.abc import Sequence

from rich.text import Text

from sparring.cli import show
from sparring.errors import plain
from sparring.games import Game

SEATS = ("bright_cyan", "bright_yellow", "bright_green", "bright_magenta")  # where a game has no colours of its own
RED_CARDS = r"(?<![\w/])(?:(?:10|[2-9AJQK])[♥♦]|[2-9TJQKA]+[dh]\b)"  # one card, or several of a suit: QKh
TO_MOVE = r"(?m)(?:^|(?<=  ))>(?= )"


class Painter:
    """Colours the texts of one game and its players."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        colours = game.view.colours or dict.fromkeys(SEATS, "")
        self.styles = [(pattern, colour) for colour, pattern in colours.items() if pattern]
        for seat, (name, colour) in enumerate(zip(names, colours, strict=False)):
            whole = re.escape(name)
            first = rf"(?:\A|(?<=\n)|(?<=\. )){re.escape(name[:1].upper() + name[1:])}"  # begins a sentence
            self.styles.append((rf"\bseat {seat}\b|(?:(?<![\w(+#-]){whole}|{first})(?![\w+#@)-]| #)", colour))
        self.styles += [(RED_CARDS, "red"), (TO_MOVE, "bold")]

    def paint(self, text: str) -> Text:
        """The text with its colours."""
        painted = Text(plain(text))
        for pattern, style in self.styles:
            painted.highlight_regex(pattern, style)
        return painted

    def say(self, text: str) -> None:
        """Print a text. Lines are never broken, and without a terminal there are no colours."""
        show.out.print(self.paint(text), soft_wrap=True)
