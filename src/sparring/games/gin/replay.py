"""Recorded games of gin rummy shown turn by turn, as text and as SVG; both hands lie open."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.card_table import points_text
from sparring.games.gin.cards import card_name, cards_of
from sparring.games.gin.diagram import Arranged, arranged_hand, hand_words, piles_words, table_text
from sparring.games.gin.game_record import SEATS, GinRecord, ended, result_text
from sparring.games.gin.hands import Turn, play_turn
from sparring.games.gin.rules import HAND, PASS, STOCK

GAP, GROUP_GAP, PAD, NAME_HEIGHT, MARGIN = 5, 20, 12, 28, 14
GROUPS = 4  # of a hand at most: three melds and the deadwood
SEAT_WIDTH = HAND * (CARD_WIDTH + GAP) + (GROUPS - 1) * GROUP_GAP + 2 * PAD
SEAT_HEIGHT = NAME_HEIGHT + CARD_HEIGHT + 2 * PAD + 4
PILES_HEIGHT = CARD_HEIGHT + 28
WIDTH, HEIGHT = SEAT_WIDTH + 2 * MARGIN, 2 * SEAT_HEIGHT + PILES_HEIGHT + 4 * MARGIN
PILES_GAP = 26


class Scene(NamedTuple):
    """The table after a turn, and what happened in it."""

    said: str
    hands: list[Arranged]
    seat: int  # to move; -1 once the hand is over
    stock: int
    upcard: int
    pile: int
    drawn: int = -1  # in this turn

    def text(self, names: Sequence[str]) -> str:
        hands = [hand_words(hand) for hand in self.hands]
        return f"{self.said}\n{table_text(piles_words(self.stock, self.upcard, self.pile), names, hands, self.seat)}"

    def svg(self, names: Sequence[str]) -> str:
        """Seat 1 above, seat 0 below, the piles between them; the card just drawn has a gold edge."""
        uppers = (HEIGHT - MARGIN - SEAT_HEIGHT, MARGIN)
        seats = "".join(
            _seat(hand, name, upper, seat == self.seat, self.drawn)
            for seat, (hand, name, upper) in enumerate(zip(self.hands, names, uppers, strict=True))
        )
        return card_svg.svg(WIDTH, HEIGHT, _described(self, names), seats + _piles(self))


def scenes(record: GinRecord, names: list[str], first: bool) -> Iterator[Scene]:
    """The hands of a game, or the first; in a match, each with the score after it."""
    score = [0, 0]
    for number, result in enumerate(record.results[:1] if first else record.results):
        score[result.winner] += result.points
        for scene in hand_scenes(record, number, names):
            if scene.seat < 0 and record.rules["target"]:
                scene = scene._replace(said=f"{scene.said}; so far {points_text(names, score)}")
            yield scene


def hand_scenes(record: GinRecord, number: int, names: list[str]) -> Iterator[Scene]:
    """One hand as it begins, and after each turn; the last scene has the result."""
    hand, state = record.deals[number], record.begun(number)
    title = f"hand {number + 1}, " if record.rules["target"] else ""
    yield _scene(state[0], f"{title}upcard {card_name(hand.upcard)}: {names[hand.starter]} begins")
    for n, turn in enumerate(hand.turns, 1):
        said = f"{title}turn {n}: {names[int(state[0]['turn'])]} {turn_words(turn, hand.upcard)}"
        play_turn(state, turn)
        said += f"; {result_text(ended(state), names)}" if state[0]["over"] else ""
        yield _scene(state[0], said, turn.drawn)


def _scene(s: Any, said: str, drawn: int = -1) -> Scene:
    hands = [arranged_hand(s, seat) for seat in range(SEATS)]
    seat = -1 if s["over"] else int(s["turn"])
    return Scene(said, hands, seat, int(s["stock_size"]), int(s["upcard"]), int(s["pile"]), drawn)


def turn_words(turn: Turn, upcard: int) -> str:
    """A turn in words: `draws 7h and throws Kd`."""
    if turn.source == PASS:
        return f"leaves the upcard {card_name(upcard)}"
    drawn = f"{'draws' if turn.source == STOCK else 'takes the upcard'} {card_name(turn.drawn)}"
    return f"{drawn} and throws {'it' if turn.thrown == turn.drawn else card_name(turn.thrown)}"


# Drawing.


def _described(scene: Scene, names: Sequence[str]) -> str:
    """The table for screen readers."""
    hands = [f"{name}: {hand_words(hand)}" for name, hand in zip(names, scene.hands, strict=True)]
    turn = [f"{names[scene.seat]} to move"] if scene.seat >= 0 else []
    return "; ".join([*hands, f"upcard {card_name(scene.upcard)}", f"{scene.stock} cards in the stock", *turn])


def _seat(hand: Arranged, name: str, upper: int, marked: bool, drawn: int) -> str:
    """A seat's name, deadwood and cards."""
    counted = f"deadwood {hand.deadwood}" if hand.deadwood else "gin: no deadwood"
    right = card_svg.words(counted, SEAT_WIDTH - PAD, PAD + 15, "end", 15)
    label = card_svg.name_label(name, PAD, PAD + 15, marked, 48)
    return card_svg.panel(MARGIN, upper, SEAT_WIDTH, SEAT_HEIGHT, marked, label + right + _groups(hand, drawn))


def _groups(hand: Arranged, drawn: int) -> str:
    """Each meld on a light background, then the deadwood, then the cards laid off."""
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
    """The stock and the upcard in the middle, with the number of cards in each pile."""
    step = CARD_WIDTH + PILES_GAP
    left, upper = (WIDTH - step - CARD_WIDTH) // 2, SEAT_HEIGHT + 2 * MARGIN + 6
    stock = card_svg.stock(scene.stock)
    top = card_svg.card(step, 0, card_svg.named(card_name(scene.upcard)), scene.upcard == scene.drawn)
    labels = card_svg.label(f"stock {scene.stock}", 0) + card_svg.label(f"discards {len(cards_of(scene.pile))}", step)
    return f'<g transform="translate({left} {upper})">{stock}{top}{labels}</g>'
