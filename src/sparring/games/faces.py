"""Playing cards as SVG, for the card games' pictures: drawn here, nothing fetched from elsewhere."""

from html import escape

CARD_WIDTH, CARD_HEIGHT = 52, 72
FELT, GOLD, IVORY, BLACK, RED, BACK = "#2c5f4a", "#ffcf4d", "#fffdf7", "#1d2126", "#c0202c", "#3d5a92"

# Suits in a square of 20 by 20: fonts differ too much, and some show them as emoji.
CLUB = "M10 1a4.3 4.3 0 0 1 3.4 7A4.3 4.3 0 1 1 11 13.6Q11 17.5 13.5 19h-7Q9 17.5 9 13.6A4.3 4.3 0 1 1 6.6 8 4.3 4.3 0 0 1 10 1Z"
HEART = "M10 18.5C3 12.5 1 9.5 1 6.3A4.7 4.7 0 0 1 10 4.3 4.7 4.7 0 0 1 19 6.3C19 9.5 17 12.5 10 18.5Z"
SPADE = (
    "M10 1C16.5 6.5 18.5 9 18.5 11.6A4.2 4.2 0 0 1 11 13.7Q11.2 17.5 13.5 19h-7Q8.8 17.5 9 13.7A4.2 4.2 0 0 1 1.5 11.6"
    "C1.5 9 3.5 6.5 10 1Z"
)
DIAMOND = "M10 1 17 10 10 19 3 10Z"
SIGNS = {"c": (CLUB, BLACK), "d": (DIAMOND, RED), "h": (HEART, RED), "s": (SPADE, BLACK)}
# The back of a card is drawn once and used many times: a plaid, two broad strokes of dashes across each other.
BACK_DRAWN = (
    f'<defs><g id="back"><rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="{BACK}" '
    f'stroke="{BLACK}" stroke-opacity=".45"/>'
    '<rect x="4" y="4" width="44" height="64" rx="3" fill="none" stroke="#fff" stroke-opacity=".7"/>'
    '<g stroke="#fff" stroke-opacity=".28"><path d="M26 7v58" stroke-width="38" stroke-dasharray="2 5"/>'
    '<path d="M7 36h38" stroke-width="58" stroke-dasharray="3 4"/></g></g></defs>'
)


def svg(width: int, height: int, said: str, drawn: str) -> str:
    """A picture of a table covered with felt, on which cards can lie; `said` is for those who hear it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(said)}" font-family="system-ui, sans-serif">{BACK_DRAWN}'
        f'<rect width="{width}" height="{height}" rx="16" fill="{FELT}"/>{drawn}</svg>'
    )


def back(left: int, upper: int) -> str:
    """A card that lies face down."""
    return f'<use href="#back" x="{left}" y="{upper}"/>'


def card(left: int, upper: int, face: str, fresh: bool = False) -> str:
    """A card with what is on its face; one just drawn (`fresh`) has a gold edge."""
    edge = f'stroke="{GOLD}" stroke-width="4"' if fresh else f'stroke="{BLACK}" stroke-opacity=".45"'
    return (
        f'<g transform="translate({left} {upper})"><rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" '
        f'fill="{IVORY}" {edge}/>{face}</g>'
    )


def face(value: str, sign: str, colour: str) -> str:
    """The value in the corner and the suit below it, large."""
    return corner(value, colour) + suit(sign, colour)


def named(name: str) -> str:
    """The face of the card that is written so: `Td`."""
    return face(name[0].replace("T", "10"), *SIGNS[name[1]])


def corner(text: str, colour: str, size: int = 24) -> str:
    """The upper left corner of a face."""
    return f'<text x="6" y="24" font-size="{size}" font-weight="600" fill="{colour}">{text}</text>'


def suit(path: str, colour: str) -> str:
    """The lower half of a face."""
    return f'<path transform="translate(13 33) scale(1.5)" d="{path}" fill="{colour}"/>'


def outline(left: int) -> str:
    """Where a card could lie."""
    return (
        f'<rect x="{left}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="none" stroke="#fff" '
        'stroke-opacity=".6" stroke-width="1.5" stroke-dasharray="5 4"/>'
    )


def label(text: str, left: int) -> str:
    """Words below a pile."""
    return (
        f'<text x="{left + CARD_WIDTH // 2}" y="{CARD_HEIGHT + 18}" font-size="13" text-anchor="middle" '
        f'fill="#fff" fill-opacity=".85">{text}</text>'
    )


def panel(left: int, upper: int, width: int, height: int, marked: bool, drawn: str) -> str:
    """A seat's place at the table, highlighted if it is its turn."""
    edge = (
        f'fill="#fff" fill-opacity=".07" stroke="{GOLD}" stroke-width="3"'
        if marked
        else 'fill="#000" fill-opacity=".14"'
    )
    return (
        f'<g transform="translate({left} {upper})"><rect width="{width}" height="{height}" rx="12" {edge}/>{drawn}</g>'
    )


def name_label(name: str, left: int, upper: int, marked: bool, limit: int = 16) -> str:
    """A seat's name, highlighted if it is its turn."""
    short = name if len(name) <= limit else name[: limit - 1] + "…"
    opened = f'<text x="{left}" y="{upper}" font-size="16" font-weight="600" fill="{GOLD if marked else "#fff"}">'
    return f"{opened}{'▸ ' if marked else ''}{escape(short)}</text>"
