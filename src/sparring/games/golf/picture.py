"""The golf table as a picture: an SVG for pages, its cards drawn here, nothing fetched from elsewhere."""

from html import escape

from sparring.games.golf.notation import Round
from sparring.games.golf.rules import COLUMNS, JOKER, PLACES
from sparring.games.golf.view import VALUES, card_name, scenes

CARD_WIDTH, CARD_HEIGHT, GAP = 52, 72, 8
PAD, NAME_HEIGHT, MARGIN = 12, 26, 14
SEAT_WIDTH = COLUMNS * CARD_WIDTH + (COLUMNS - 1) * GAP + 2 * PAD
SEAT_HEIGHT = NAME_HEIGHT + 2 * CARD_HEIGHT + GAP + 2 * PAD
PILES_WIDTH = 2 * CARD_WIDTH + GAP
WIDTH = 2 * SEAT_WIDTH + PILES_WIDTH + 4 * MARGIN

FELT, GOLD, IVORY, BLACK, RED, BACK = "#2c5f4a", "#ffcf4d", "#fffdf7", "#1d2126", "#c0202c", "#3d5a92"
# Suits in the order of view.SUITS, in a square of 20 by 20: fonts differ too much, and some show them as emoji.
SUIT_PATHS = (
    "M10 1a4.3 4.3 0 0 1 3.4 7A4.3 4.3 0 1 1 11 13.6Q11 17.5 13.5 19h-7Q9 17.5 9 13.6A4.3 4.3 0 1 1 6.6 8 4.3 4.3 0 0 1 10 1Z",
    "M10 18.5C3 12.5 1 9.5 1 6.3A4.7 4.7 0 0 1 10 4.3 4.7 4.7 0 0 1 19 6.3C19 9.5 17 12.5 10 18.5Z",
    (
        "M10 1C16.5 6.5 18.5 9 18.5 11.6A4.2 4.2 0 0 1 11 13.7Q11.2 17.5 13.5 19h-7Q8.8 17.5 9 13.7A4.2 4.2 0 0 1 1.5 11.6"
        "C1.5 9 3.5 6.5 10 1Z"
    ),
    "M10 1 17 10 10 19 3 10Z",
)
# The back of a card is drawn once and used many times: a plaid, two broad strokes of dashes across each other.
BACK_DRAWN = (
    f'<defs><g id="back"><rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="{BACK}" '
    f'stroke="{BLACK}" stroke-opacity=".45"/>'
    '<rect x="4" y="4" width="44" height="64" rx="3" fill="none" stroke="#fff" stroke-opacity=".7"/>'
    '<g stroke="#fff" stroke-opacity=".28"><path d="M26 7v58" stroke-width="38" stroke-dasharray="2 5"/>'
    '<path d="M7 36h38" stroke-width="58" stroke-dasharray="3 4"/></g></g></defs>'
)
STAR = "M10 1 12.6 7.3 19.3 7.8 14.2 12.2 15.8 18.8 10 15.2 4.2 18.8 5.8 12.2 .7 7.8 7.4 7.3Z"


def table_svg(hands: list[list[int]], names: list[str], mark: int, upcard: int, drawn: int = -1) -> str:
    """The table: each seat's six cards, the stock and the discard pile, the seat to move (`mark`) highlighted.

    The card drawn has a gold edge where it lies, or is held above the piles while it lies nowhere. Face-down cards
    are -1, and so are an unknown upcard, no seat to move and no card drawn.
    """
    rows = (len(hands) + 1) // 2
    height = rows * (SEAT_HEIGHT + MARGIN) + MARGIN
    held = drawn >= 0 and drawn != upcard and not any(drawn in hand for hand in hands)
    seats = "".join(_seat(seat, hand, names[seat], seat == mark, drawn) for seat, hand in enumerate(hands))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(_described(hands, names, mark, upcard))}" font-family="system-ui, sans-serif">{BACK_DRAWN}'
        f'<rect width="{WIDTH}" height="{height}" rx="16" fill="{FELT}"/>{seats}{_piles(height, upcard, drawn, held)}</svg>'
    )


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
    edge = (
        f'fill="#fff" fill-opacity=".07" stroke="{GOLD}" stroke-width="3"'
        if marked
        else 'fill="#000" fill-opacity=".14"'
    )
    label = f'<text x="{PAD}" y="{PAD + 13}" font-size="16" font-weight="600" fill="{GOLD if marked else "#fff"}">'
    cards = "".join(_card(card, *_place(place), card == drawn) for place, card in enumerate(hand))
    return (
        f'<g transform="translate({left} {upper})"><rect width="{SEAT_WIDTH}" height="{SEAT_HEIGHT}" rx="12" {edge}/>'
        f"{label}{'▸ ' if marked else ''}{escape(_short(name))}</text>{cards}</g>"
    )


def _short(name: str, limit: int = 16) -> str:
    return name if len(name) <= limit else name[: limit - 1] + "…"


def _place(place: int) -> tuple[int, int]:
    row, column = divmod(place % PLACES, COLUMNS)
    return PAD + column * (CARD_WIDTH + GAP), PAD + NAME_HEIGHT + row * (CARD_HEIGHT + GAP)


def _piles(height: int, upcard: int, drawn: int, held: bool) -> str:
    """The stock and the discard pile side by side in the middle, and above them a card that is held."""
    left, upper = (WIDTH - PILES_WIDTH) // 2, (height - CARD_HEIGHT) // 2
    right = CARD_WIDTH + GAP
    stock = "".join(_card(-1, -lift, -lift) for lift in (0, 2, 4))
    top = _card(upcard, right, 0, upcard == drawn) if upcard >= 0 else _outline(right)
    above = _card(drawn, right // 2, 10 - CARD_HEIGHT, fresh=True) if held else ""
    return f'<g transform="translate({left} {upper})">{stock}{top}{_label("stock", 0)}{_label("discard", right)}{above}</g>'


def _label(text: str, left: int) -> str:
    return (
        f'<text x="{left + CARD_WIDTH // 2}" y="{CARD_HEIGHT + 18}" font-size="13" text-anchor="middle" '
        f'fill="#fff" fill-opacity=".85">{text}</text>'
    )


def _outline(left: int) -> str:
    return (
        f'<rect x="{left}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="none" stroke="#fff" '
        'stroke-opacity=".6" stroke-width="1.5" stroke-dasharray="5 4"/>'
    )


def _card(card: int, left: int, upper: int, fresh: bool = False) -> str:
    """One card; the card just drawn (`fresh`) has a gold edge."""
    if card < 0:
        return f'<use href="#back" x="{left}" y="{upper}"/>'
    edge = f'stroke="{GOLD}" stroke-width="4"' if fresh else f'stroke="{BLACK}" stroke-opacity=".45"'
    return (
        f'<g transform="translate({left} {upper})"><rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" '
        f'fill="{IVORY}" {edge}/>{_face(card)}</g>'
    )


def _face(card: int) -> str:
    """The value in the corner and the suit below it, large."""
    if card >= JOKER:
        return _corner("Joker", BLACK, 13) + _suit(STAR, "#8a4fb0")
    suit = card // 13
    colour = RED if suit % 2 else BLACK
    return _corner(VALUES[card % 13], colour, 24) + _suit(SUIT_PATHS[suit], colour)


def _corner(text: str, colour: str, size: int) -> str:
    return f'<text x="6" y="24" font-size="{size}" font-weight="600" fill="{colour}">{text}</text>'


def _suit(path: str, colour: str) -> str:
    return f'<path transform="translate(13 33) scale(1.5)" d="{path}" fill="{colour}"/>'
