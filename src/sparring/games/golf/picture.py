"""The golf table as a picture: an SVG for pages."""

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.golf.notation import Round
from sparring.games.golf.rules import COLUMNS, JOKER, PLACES
from sparring.games.golf.view import card_name, scenes

GAP, PAD, NAME_HEIGHT, MARGIN = 8, 12, 26, 14
SEAT_WIDTH = COLUMNS * CARD_WIDTH + (COLUMNS - 1) * GAP + 2 * PAD
SEAT_HEIGHT = NAME_HEIGHT + 2 * CARD_HEIGHT + GAP + 2 * PAD
PILES_WIDTH = 2 * CARD_WIDTH + GAP
WIDTH = 2 * SEAT_WIDTH + PILES_WIDTH + 4 * MARGIN
RANKS, SIGNS = "A23456789TJQK", "chsd"  # as faces are named, in the order of the rules


def table_svg(hands: list[list[int]], names: list[str], mark: int, upcard: int, drawn: int = -1) -> str:
    """The table: each seat's six cards, the stock and the discard pile, the seat to move (`mark`) highlighted.

    The card drawn has a gold edge where it lies, or is held above the piles while it lies nowhere. Face-down cards
    are -1, and so are an unknown upcard, no seat to move and no card drawn.
    """
    rows = (len(hands) + 1) // 2
    height = rows * (SEAT_HEIGHT + MARGIN) + MARGIN
    held = drawn >= 0 and drawn != upcard and not any(drawn in hand for hand in hands)
    seats = "".join(_seat(seat, hand, names[seat], seat == mark, drawn) for seat, hand in enumerate(hands))
    piles = _piles(height, upcard, drawn, held)
    return card_svg.svg(WIDTH, height, _described(hands, names, mark, upcard), seats + piles)


def round_frames(r: Round, title: str, names: list[str]) -> list[tuple[str, str]]:
    """A round for a replay: what was done, and the table after it."""
    return [
        (scene.said, table_svg(scene.hands, names, scene.seat, scene.top, scene.drawn))
        for scene in scenes(r, title, names)
    ]


def _described(hands: list[list[int]], names: list[str], mark: int, upcard: int) -> str:
    cards = [
        f"{name}: " + ", ".join(card_name(card) if card >= 0 else "face down" for card in hand)
        for name, hand in zip(names, hands, strict=True)
    ]
    turn = [f"{names[mark]} to move"] if mark >= 0 else []
    return "; ".join([*cards, f"discard pile: {card_name(upcard) if upcard >= 0 else 'unknown'}", *turn])


def _seat(seat: int, hand: list[int], name: str, marked: bool, drawn: int) -> str:
    """One seat's name and cards; seats go two to a row, left and right of the piles."""
    left = MARGIN + (seat % 2) * (SEAT_WIDTH + PILES_WIDTH + 2 * MARGIN)
    upper = MARGIN + (seat // 2) * (SEAT_HEIGHT + MARGIN)
    cards = "".join(_card(card, *_place(place), card == drawn) for place, card in enumerate(hand))
    label = card_svg.name_label(name, PAD, PAD + 13, marked)
    return card_svg.panel(left, upper, SEAT_WIDTH, SEAT_HEIGHT, marked, label + cards)


def _place(place: int) -> tuple[int, int]:
    row, column = divmod(place % PLACES, COLUMNS)
    return PAD + column * (CARD_WIDTH + GAP), PAD + NAME_HEIGHT + row * (CARD_HEIGHT + GAP)


def _piles(height: int, upcard: int, drawn: int, held: bool) -> str:
    """The stock and the discard pile side by side in the middle, and above them a card that is held."""
    left, upper = (WIDTH - PILES_WIDTH) // 2, (height - CARD_HEIGHT) // 2
    right = CARD_WIDTH + GAP
    stock = "".join(_card(-1, -lift, -lift) for lift in (0, 2, 4))
    top = _card(upcard, right, 0, upcard == drawn) if upcard >= 0 else card_svg.outline(right)
    above = _card(drawn, right // 2, 10 - CARD_HEIGHT, fresh=True) if held else ""
    labels = card_svg.label("stock", 0) + card_svg.label("discard", right)
    return f'<g transform="translate({left} {upper})">{stock}{top}{labels}{above}</g>'


def _card(card: int, left: int, upper: int, fresh: bool = False) -> str:
    """One card; the card just drawn (`fresh`) has a gold edge."""
    return (
        card_svg.back(left, upper) if card < 0 else card_svg.card(left, upper, card_svg.named(face_name(card)), fresh)
    )


def face_name(card: int) -> str:
    """A card as faces are named: `7h`, and jokers `*j`."""
    return RANKS[card % 13] + SIGNS[card // 13] if card < JOKER else "*" + card_svg.JOKER
