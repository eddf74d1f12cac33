"""A golf round shown turn by turn, as text and as SVG."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.card_table import points_text
from sparring.games.golf.diagram import card_name, card_words, face_name, grid, replaced
from sparring.games.golf.notation import Round
from sparring.games.golf.rules import COLUMNS, PLACES, STOCK
from sparring.games.view import conjugated

GAP, PAD, NAME_HEIGHT, MARGIN = 8, 12, 26, 14
SEAT_WIDTH = COLUMNS * CARD_WIDTH + (COLUMNS - 1) * GAP + 2 * PAD
SEAT_HEIGHT = NAME_HEIGHT + 2 * CARD_HEIGHT + GAP + 2 * PAD
PILES_WIDTH = 2 * CARD_WIDTH + GAP
WIDTH = 2 * SEAT_WIDTH + PILES_WIDTH + 4 * MARGIN


class Scene(NamedTuple):
    """The table after a turn, and what happened in it."""

    said: str
    hands: list[list[int]]  # -1 where face down
    seat: int  # to move; -1 once the round is over
    top: int  # of the discard pile; -1 where not recorded
    drawn: int  # in this turn; -1 before the first and at the end

    def text(self, names: list[str]) -> str:
        return f"{self.said}\n{grid(self.hands, names, self.seat)}"

    def svg(self, names: list[str]) -> str:
        """Each seat's six cards, the stock and the discard pile; the seat to move is highlighted.

        The card drawn has a gold edge where it lies; until it is placed it is above the piles.
        """
        height = (len(self.hands) + 1) // 2 * (SEAT_HEIGHT + MARGIN) + MARGIN
        seats = "".join(_seat(self, seat, name) for seat, name in enumerate(names))
        return card_svg.svg(WIDTH, height, _described(self, names), seats + _piles(self, height))


def scenes(r: Round, title: str, names: list[str]) -> Iterator[Scene]:
    """The round as it begins, after each turn, and with all cards turned up."""
    shown = [list(hand) for hand in r.start]
    top, seat = r.upcard, r.starter
    said = f"{title}: {names[seat]} begins; upcard {card_name(top) if top >= 0 else 'not recorded'}"
    yield Scene(said, [list(hand) for hand in shown], seat, top, -1)
    for number, (source, drawn, place, thrown) in enumerate(r.turns, 1):
        took = f"{{{'draw' if source == STOCK else 'take'}}} {card_words(drawn)}"
        if place < PLACES:
            shown[seat][place] = drawn
            did = replaced(card_words(thrown), place, "it")
        else:
            did = "{discard} it"
        said = f"{title}, turn {number}: {conjugated(f'{took} and {did}', names[seat])}"
        top, seat = thrown, (seat + 1) % r.seats
        yield Scene(said, [list(hand) for hand in shown], seat, top, drawn)
    ending = "stopped: the same turn came again and again" if r.stalemate else f"ended by {names[r.ender]}"
    said = f"{title} {ending}; all cards are turned up: {points_text(names, r.scores)}"
    yield Scene(said, [list(hand) for hand in r.final], -1, top, -1)


def _described(scene: Scene, names: list[str]) -> str:
    cards = [
        f"{name}: " + ", ".join(card_name(card) if card >= 0 else "face down" for card in hand)
        for name, hand in zip(names, scene.hands, strict=True)
    ]
    turn = [f"{names[scene.seat]} to move"] if scene.seat >= 0 else []
    return "; ".join([*cards, f"discard pile: {card_name(scene.top) if scene.top >= 0 else 'unknown'}", *turn])


def _seat(scene: Scene, seat: int, name: str) -> str:
    """A seat's name and cards; seats are two to a row, left and right of the piles."""
    left = MARGIN + (seat % 2) * (SEAT_WIDTH + PILES_WIDTH + 2 * MARGIN)
    upper = MARGIN + (seat // 2) * (SEAT_HEIGHT + MARGIN)
    marked = seat == scene.seat
    drawn = card_svg.name_label(name, PAD, PAD + 13, marked)
    for place, card in enumerate(scene.hands[seat]):
        row, column = divmod(place, COLUMNS)
        at = PAD + column * (CARD_WIDTH + GAP), PAD + NAME_HEIGHT + row * (CARD_HEIGHT + GAP)
        drawn += _card(card, *at, card == scene.drawn)
    return card_svg.panel(left, upper, SEAT_WIDTH, SEAT_HEIGHT, marked, drawn)


def _piles(scene: Scene, height: int) -> str:
    """The stock and the discard pile in the middle, and above them a card that is held."""
    left, upper = (WIDTH - PILES_WIDTH) // 2, (height - CARD_HEIGHT) // 2
    right, drawn = CARD_WIDTH + GAP, scene.drawn
    top = _card(scene.top, right, 0, scene.top == drawn) if scene.top >= 0 else card_svg.outline(right)
    held = drawn >= 0 and drawn != scene.top and not any(drawn in hand for hand in scene.hands)
    above = _card(drawn, right // 2, 10 - CARD_HEIGHT, fresh=True) if held else ""
    labels = card_svg.label("stock", 0) + card_svg.label("discard", right)
    return f'<g transform="translate({left} {upper})">{card_svg.stock(3)}{top}{labels}{above}</g>'


def _card(card: int, left: int, upper: int, fresh: bool = False) -> str:
    if card < 0:
        return card_svg.back(left, upper)
    return card_svg.card(left, upper, card_svg.named(face_name(card)), fresh)
