"""The gin rummy table as a picture: an SVG for pages. Both hands lie open, in melds and deadwood."""

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.gin.cards import card_name, cards_of
from sparring.games.gin.diagram import Arranged, hand_words
from sparring.games.gin.replay import Scene
from sparring.games.gin.rules import HAND

GAP, GROUP_GAP, PAD, NAME_HEIGHT, MARGIN = 5, 20, 12, 28, 14
GROUPS = 4  # of a hand at most: three melds and the deadwood
SEAT_WIDTH = HAND * (CARD_WIDTH + GAP) + (GROUPS - 1) * GROUP_GAP + 2 * PAD
SEAT_HEIGHT = NAME_HEIGHT + CARD_HEIGHT + 2 * PAD + 4
PILES_HEIGHT = CARD_HEIGHT + 28
WIDTH, HEIGHT = SEAT_WIDTH + 2 * MARGIN, 2 * SEAT_HEIGHT + PILES_HEIGHT + 4 * MARGIN
PILES_GAP = 26


def table_svg(scene: Scene, names: list[str]) -> str:
    """The table after a turn: seat 1 above, seat 0 below, the piles between them; the card just drawn has a gold edge."""
    uppers = (HEIGHT - MARGIN - SEAT_HEIGHT, MARGIN)
    seats = "".join(
        _seat(hand, name, upper, seat == scene.seat, scene.drawn)
        for seat, (hand, name, upper) in enumerate(zip(scene.hands, names, uppers, strict=True))
    )
    return card_svg.svg(WIDTH, HEIGHT, _described(scene, names), seats + _piles(scene))


def _described(scene: Scene, names: list[str]) -> str:
    """The table for those who hear it."""
    hands = [f"{name}: {hand_words(hand)}" for name, hand in zip(names, scene.hands, strict=True)]
    turn = [f"{names[scene.seat]} to move"] if scene.seat >= 0 else []
    return "; ".join([*hands, f"upcard {card_name(scene.upcard)}", f"{scene.stock} cards in the stock", *turn])


def _seat(hand: Arranged, name: str, upper: int, marked: bool, drawn: int) -> str:
    """A seat's name, what its hand counts, and its cards in groups."""
    counted = f"deadwood {hand.deadwood}" if hand.deadwood else "gin: no deadwood"
    right = card_svg.words(counted, SEAT_WIDTH - PAD, PAD + 15, "end", 15)
    label = card_svg.name_label(name, PAD, PAD + 15, marked, 48)
    return card_svg.panel(MARGIN, upper, SEAT_WIDTH, SEAT_HEIGHT, marked, label + right + _groups(hand, drawn))


def _groups(hand: Arranged, drawn: int) -> str:
    """Each meld on a light ground, then the deadwood, then what was laid off."""
    parts, left, upper = [], PAD + 4, PAD + NAME_HEIGHT + 2
    for meld in hand.melds:
        parts += [_ground(left, upper, len(meld), 'fill="#fff" fill-opacity=".22"'), _row(meld, left, upper, drawn)]
        left += _width(len(meld)) + GROUP_GAP
    parts.append(_row(hand.rest, left, upper, drawn))
    left += _width(len(hand.rest)) + GROUP_GAP if hand.rest else 0
    if hand.laid_off:
        edge = 'fill="none" stroke="#fff" stroke-opacity=".6" stroke-dasharray="5 4"'
        parts += [_ground(left, upper, len(hand.laid_off), edge), _row(hand.laid_off, left, upper, drawn)]
    return "".join(parts)


def _width(cards: int) -> int:
    return cards * (CARD_WIDTH + GAP) - GAP


def _ground(left: int, upper: int, cards: int, look: str) -> str:
    size = f'width="{_width(cards) + 12}" height="{CARD_HEIGHT + 12}"'
    return f'<rect x="{left - 6}" y="{upper - 6}" {size} rx="9" {look}/>'


def _row(cards: list[int], left: int, upper: int, drawn: int) -> str:
    return "".join(
        card_svg.card(left + n * (CARD_WIDTH + GAP), upper, card_svg.named(card_name(card)), card == drawn)
        for n, card in enumerate(cards)
    )


def _piles(scene: Scene) -> str:
    """The stock and the upcard in the middle, with how many cards each pile has."""
    step = CARD_WIDTH + PILES_GAP
    left, upper = (WIDTH - step - CARD_WIDTH) // 2, SEAT_HEIGHT + 2 * MARGIN + 6
    depth = (0, 2, 4) if scene.stock > 2 else (0,)
    stock = "".join(card_svg.back(-lift, -lift) for lift in depth) if scene.stock else card_svg.outline(0)
    top = card_svg.card(step, 0, card_svg.named(card_name(scene.upcard)), scene.upcard == scene.drawn)
    labels = card_svg.label(f"stock {scene.stock}", 0) + card_svg.label(f"discards {len(cards_of(scene.pile))}", step)
    return f'<g transform="translate({left} {upper})">{stock}{top}{labels}</g>'
