"""Playing cards as SVG. A picture contains everything it needs."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

CARD_WIDTH, CARD_HEIGHT = 52, 72
FELT, GOLD, IVORY, BLACK, RED, PURPLE = "#2c5f4a", "#ffcf4d", "#fffdf7", "#1d2126", "#c0202c", "#8a4fb0"

JOKER = "j"  # the suit of jokers
COLOURS = {"c": BLACK, "d": RED, "h": RED, "s": BLACK, JOKER: PURPLE}
STAR = "M10 1 12.6 7.3 19.3 7.8 14.2 12.2 15.8 18.8 10 15.2 4.2 18.8 5.8 12.2 .7 7.8 7.4 7.3Z"
SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SUIT_GLYPHS = {"c": "♣\ufe0e", "d": "♦\ufe0e", "h": "♥\ufe0e", "s": "♠\ufe0e"}  # as text, not as emoji
RANK_WORDS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}

# Pips of a number card: position across (-1, 0, 1) and down (0 to 1); those of the lower half are upside down.
ENDS, CORNERS, SIDES = ((0, 0), (0, 1)), ((-1, 0), (1, 0), (-1, 1), (1, 1)), ((-1, 0.5), (1, 0.5))
THIRDS = tuple((across, down / 3) for down in range(4) for across in (-1, 1))
PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    "2": ENDS,
    "3": (*ENDS, (0, 0.5)),
    "4": CORNERS,
    "5": (*CORNERS, (0, 0.5)),
    "6": (*CORNERS, *SIDES),
    "7": (*CORNERS, *SIDES, (0, 0.25)),
    "8": (*CORNERS, *SIDES, (0, 0.25), (0, 0.75)),
    "9": (*THIRDS, (0, 0.5)),
    "T": (*THIRDS, (0, 1 / 6), (0, 5 / 6)),
}
PIP = 9  # the size of pips
# Headdresses of court cards, above the letter and, upside down, below it.
CROWN = "M17.5 21 16 12.5 21 16 26 10.5 31 16 36 12.5 34.5 21Z"
CAP = "M18.5 21C16.5 15.5 20 12 26.5 13.5 32 10 36.5 11.5 35.5 14.5 32.5 14 32 16.5 33.5 21Z"
HEADS = {"K": CROWN, "Q": CROWN, "J": CAP}
MIDDLE = 'text-anchor="middle"'
TURN = 'transform="rotate(180 26 36)"'  # the other end of a card


def read_svg(module: str, name: str) -> str:
    """The content of an SVG file beside a module, without its line breaks."""
    return "".join(Path(module).with_name(name).read_text(encoding="utf-8").splitlines())


# Shapes that are used many times: a card's paper, its back, and the suits in three sizes, as paths: fonts differ, and some show
# suits as emoji.
DEFINITIONS = read_svg(__file__, "cards.svg")


def svg(width: int, height: int, label: str, drawn: str, role: str = "img") -> str:
    """A table covered with felt; `label` is for screen readers. The role is `group` if parts of the table have labels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="{role}" '
        f'aria-label="{safe(label)}" font-family="system-ui, sans-serif">{DEFINITIONS}'
        f'<rect width="{width}" height="{height}" rx="16" fill="{FELT}"/>{drawn}</svg>'
    )


def safe(text: str) -> str:
    """Untrusted text, escaped for an SVG."""
    return escape("".join(char for char in text if char.isprintable()))


def back(left: float, upper: float) -> str:
    """A face-down card."""
    return f'<use href="#card-back" x="{left:g}" y="{upper:g}"/>'


def stock(count: int) -> str:
    """A pile of face-down cards, or its outline."""
    lifts = (0, 2, 4) if count > 2 else (0,)
    return "".join(back(-lift, -lift) for lift in lifts) if count else outline(0)


def card(left: float, upper: float, face: str, fresh: bool = False) -> str:
    """A face-up card; one just drawn (`fresh`) has a gold edge."""
    paper = '<use href="#card-paper"/>'
    if fresh:
        size = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
        paper = f'<rect {size} rx="6" fill="{IVORY}" stroke="{GOLD}" stroke-width="4"/>'
    return f'<g transform="translate({left:g} {upper:g})">{paper}{face}</g>'


def named(name: str) -> str:
    """The face of a card such as `Td`: value and suit in two corners, pips or a court between them."""
    rank, sign = name[0], name[1]
    if sign == JOKER:
        star = f'<path transform="translate(8 14) scale(1.8)" d="{STAR}" fill="{PURPLE}"/>'
        return f'{star}<text x="26" y="63" font-size="11" font-weight="700" {MIDDLE} fill="{PURPLE}">JOKER</text>'
    return _corner(rank, sign) + _corner(rank, sign, TURN) + _middle(rank, sign)


def _corner(rank: str, sign: str, turned: str = "") -> str:
    narrow = 'textLength="12.5" lengthAdjust="spacingAndGlyphs"' if rank == "T" else MIDDLE
    look = f'font-size="15" font-weight="700" fill="{COLOURS[sign]}" {narrow} {turned}'
    index = f'<text x="{1.5 if rank == "T" else 7.5}" y="14.5" {look}>{rank.replace("T", "10")}</text>'
    return f'{index}<use href="#corner-{sign}" x="3.2" y="17" {turned}/>'


def _middle(rank: str, sign: str) -> str:
    if rank == "A":
        return f'<use href="#card-{sign}" transform="translate(13 23) scale(1.3)"/>'
    if rank in PIPS:
        return "".join(_pip(sign, across, down) for across, down in PIPS[rank])
    colour = COLOURS[sign]
    heads = "".join(f'<path d="{HEADS[rank]}" fill="{GOLD}" stroke="{colour}" {turned}/>' for turned in ("", TURN))
    look = f'font-family="Georgia, serif" font-size="25" font-weight="700" {MIDDLE} fill="{colour}"'
    return f'<use href="#card-court"/>{heads}<text x="26" y="44.5" {look}>{rank}</text>'


def _pip(sign: str, across: int, down: float) -> str:
    kind = "turned" if down > 0.5 else "pip"
    left, upper = 26 - PIP / 2 + across * 7.2, 36 - PIP / 2 + (down - 0.5) * 48
    return f'<use href="#{kind}-{sign}" x="{left:g}" y="{round(upper, 1):g}"/>'


def small(name: str) -> str:
    """The face of a small card: a large value above a large suit."""
    rank, sign = name[0], name[1]
    if sign == JOKER:
        return f'<path transform="translate(6 16) scale(2)" d="{STAR}" fill="{PURPLE}"/>'
    look = f'font-size="33" font-weight="700" fill="{COLOURS[sign]}"' + (' letter-spacing="-3"' if rank == "T" else "")
    text = f'<text x="{3 if rank == "T" else 5}" y="31" {look}>{rank.replace("T", "10")}</text>'
    return text + f'<use href="#card-{sign}" transform="translate(14 36) scale(1.6)"/>'


def peeped(name: str) -> str:
    """A slip of paper that names a face-down card, for those who may see it."""
    slip = f'<rect x="11" y="23" width="30" height="26" rx="4" fill="{IVORY}" fill-opacity=".85"/>'
    rank, sign = name[0], name[1]
    if sign == JOKER:
        return f'{slip}<use href="#card-{sign}" x="16" y="26"/>'
    look = f'font-size="17" font-weight="700" {MIDDLE} fill="{COLOURS[sign]}"'
    text = f'<text x="19.5" y="42" {look}>{rank.replace("T", "10")}</text>'
    return f'{slip}{text}<use href="#pip-{sign}" x="30" y="31.5"/>'


def spoken(name: str) -> str:
    """A card for screen readers: `queen of spades`."""
    rank, sign = name[0], name[1]
    return "joker" if sign == JOKER else f"{RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[sign]}"


def glyphs(names: str) -> str:
    """Cards in a line of text: `Td 9c` as 10♦ 9♣."""
    return "".join(SUIT_GLYPHS.get(char, char) for char in names).replace("T", "10")


def outline(left: float) -> str:
    """An empty place for a card."""
    return (
        f'<rect x="{left:g}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" fill="#fff" fill-opacity="0" stroke="#fff" '
        'stroke-opacity=".6" stroke-width="1.5" stroke-dasharray="5 4"/>'
    )


def label(text: str, left: int) -> str:
    """Text below a pile."""
    return words(text, left + CARD_WIDTH // 2, CARD_HEIGHT + 18, "middle", opacity=0.85)


def words(text: str, left: float, upper: float, anchor: str = "start", size: int = 13, opacity: float = 0.9) -> str:
    """Text on the felt."""
    look = f'font-size="{size}" text-anchor="{anchor}" fill="#fff" fill-opacity="{opacity:g}"'
    return f'<text x="{left:g}" y="{upper:g}" {look}>{safe(text)}</text>'


def panel(left: int, upper: int, width: int, height: int, marked: bool, drawn: str) -> str:
    """A seat's place at the table, highlighted if it is the seat's turn."""
    edge = 'fill="#000" fill-opacity=".14"'
    if marked:
        edge = f'fill="#fff" fill-opacity=".07" stroke="{GOLD}" stroke-width="3"'
    panel = f'<rect width="{width}" height="{height}" rx="12" {edge}/>'
    return f'<g transform="translate({left} {upper})">{panel}{drawn}</g>'


def short(name: str, limit: int) -> str:
    """A name cut to `limit` characters."""
    return name if len(name) <= limit else name[: limit - 1] + "…"


def name_label(name: str, left: int, upper: int, marked: bool, limit: int = 16, size: int = 16) -> str:
    """A seat's name, highlighted if it is the seat's turn."""
    look = f'font-size="{size}" font-weight="600" fill="{GOLD if marked else "#fff"}"'
    return f'<text x="{left}" y="{upper}" {look}>{"▸ " if marked else ""}{safe(short(name, limit))}</text>'


def part(name: str, label: str, drawn: str) -> str:
    """A part of the table that can be clicked; `label` is for screen readers."""
    return f'<g data-part="{safe(name)}" aria-label="{safe(label)}">{drawn}</g>'


def scaled(left: float, upper: float, scale: float, drawn: str) -> str:
    """A drawing moved and scaled."""
    return f'<g transform="translate({round(left, 1):g} {round(upper, 1):g}) scale({scale:g})">{drawn}</g>'


def spread(groups: Sequence[int], left: float, width: float, card_width: float, gap: float) -> list[list[float]]:
    """The left edges of a row of cards, group by group, centred in `width`; many cards overlap."""
    count, gaps = sum(groups), gap * (sum(map(bool, groups)) - 1)
    step = min(card_width + 4, (width - card_width - gaps) / max(count - 1, 1))
    at = left + (width - (step * (count - 1) + card_width + gaps)) / 2
    rows = []
    for group in groups:
        rows.append([at + step * n for n in range(group)])
        at += step * group + gap * bool(group)
    return rows


def in_rows(groups: Sequence[Sequence[int]], most: int = 7) -> list[list[list[int]]]:
    """Groups of cards in one row, or in two of at most `most` cards, split between groups if possible."""
    count = sum(map(len, groups))
    if count <= most:
        return [[list(group) for group in groups if group]]
    edges = [sum(map(len, groups[:n])) for n in range(1, len(groups))]
    fitting = [edge for edge in edges if edge <= most and count - edge <= most]
    cut = min(fitting, key=lambda edge: abs(2 * edge - count)) if fitting else (count + 1) // 2
    upper, lower, before = [], [], 0
    for group in groups:
        place = max(cut - before, 0)
        upper.append(list(group[:place]))
        lower.append(list(group[place:]))
        before += len(group)
    return [[group for group in row if group] for row in (upper, lower)]
