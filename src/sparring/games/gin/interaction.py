"""The gin rummy table to play on: an SVG with parts to click. The seat that looks is at the bottom."""

from collections.abc import Sequence
from typing import Any

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.card_table import MARGIN, PAD, WIDE, Viewpoint, heading
from sparring.games.deck import CARDS
from sparring.games.gin import diagram
from sparring.games.gin.cards import by_suit, card_name, cards_of
from sparring.games.gin.game_record import SEATS
from sparring.games.gin.rules import DRAW, FIRST, HAND, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD

HEAD = 30
SMALL, PILE = 0.62, 1.15  # the sizes of the opponent's cards and of the piles; one's own cards have size 1
GROUP_GAP, ROW_GAP, HALF = 10, 10, 7  # cards in a row, where a hand has two
TOP = 28
OTHER_HEIGHT = round(HEAD + CARD_HEIGHT * SMALL + PAD + 4)
PILES_HEIGHT, WIDE_PILES = 186, 128
PILE_STEP = 96  # from the stock to the upcard
PART = {STOCK: "stock", UPCARD: "upcard", PASS: "leave it"}


class Look(Viewpoint):
    """What someone sees of a state."""

    @property
    def fresh(self) -> int:
        """The card just drawn, or -1 if there is none or it is not seen."""
        hidden = self.turn < 0 or (self.s["source"] == STOCK and not self.sees(self.turn))
        return -1 if hidden else int(self.s["drawn"])


def table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The table as a seat sees it: only the cards taken openly of the opponent's hand, until the game is over."""
    return _drawn(Look(s, seat, names))


def wide_table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The same for a wide window, with one's own cards in one row and the last move beside the piles."""
    return _drawn(Look(s, seat, names, WIDE))


def _drawn(look: Look) -> str:
    near, far = look.below, 1 - look.below
    piles, rows = (WIDE_PILES, 1) if look.wide else (PILES_HEIGHT, 2)
    own, high = TOP + OTHER_HEIGHT + piles, HEAD + rows * (CARD_HEIGHT + ROW_GAP) + PAD
    drawn = [
        heading(_score_words(look), _turn_words(look), look.width),
        look.panel(far, TOP, OTHER_HEIGHT, 18, _hand_words(look, far), _other_cards(look, far)),
        _piles(look, TOP + OTHER_HEIGHT),
        look.panel(near, own, high, 18, _hand_words(look, near), _own_cards(look, near)),
    ]
    return look.svg(own + high + MARGIN, _described(look), drawn)


def input_sequences(s: Any, move: int) -> list[tuple[str, ...]]:
    """A pile, or a button to leave the first upcard; then a card and, if it is a choice, a button to knock or not."""
    if s["phase"] != THROW:
        return [(PART[move],)]
    card = move % CARDS
    left = diagram.left_without(s, card)
    if not s["rules"]["free"] or left > KNOCKING:
        return [(card_name(card),)]
    knock = f"knock with {left}" if left else "go gin"
    return [(card_name(card), knock if move >= KNOCK else "play on")]


def _described(look: Look) -> str:
    s = look.s
    seats = [f"{name}: {_hand_words(look, seat)}" for seat, name in enumerate(look.names)]
    upcard = f"upcard {card_svg.spoken(card_name(s['upcard']))}" if s["upcard"] >= 0 else ""
    parts = [
        "gin rummy",
        _score_words(look),
        *seats,
        upcard,
        f"{s['stock_size']} cards in the stock",
        _turn_words(look),
    ]
    return "; ".join(filter(None, [*parts, *_news(look)]))


def _hand_words(look: Look, seat: int) -> str:
    """The deadwood of a hand, if it is seen."""
    if not look.sees(seat):
        return f"{int(look.s['hand'][seat]).bit_count()} cards"
    left = diagram.after_best_throw(look.s, seat)
    if left >= 0:
        return f"the best throw leaves {left}"
    deadwood = diagram.arranged_hand(look.s, seat).deadwood
    return f"deadwood {deadwood}" if deadwood else "gin: no deadwood"


def _score_words(look: Look) -> str:
    target, score = int(look.s["rules"]["target"]), look.s["tally"]["score"]
    both = " to ".join(str(score[seat]) for seat in (look.below, 1 - look.below))
    return f"hand {diagram.hand_number(look.s)}: {both} of {target}" if target else "one hand"


def _turn_words(look: Look) -> str:
    if look.turn < 0:
        return "the hand is over" if look.between else "the game is over"
    what = {FIRST: "to take or leave it", DRAW: "to draw", THROW: "to throw"}
    return f"{look.name(look.turn, 12)} {what[int(look.s['phase'])]}"


def _news(look: Look) -> list[str]:
    """The last move and the discards; at the beginning of a hand, the result of the hand before."""
    s, result = look.s, diagram.last_result(look.s)
    last = _split(diagram.result_words(result, [look.name(seat) for seat in range(SEATS)])) if result else []
    if s["over"] or look.between:
        return [*last, "" if look.between else _match_words(look)] if last else []
    if last and s["hand_turns"] == 0 and s["passes"] == 0 and s["phase"] != THROW:  # before the first move of a hand
        return ["last hand:", *last]
    upcard = 1 << int(s["upcard"]) if s["upcard"] >= 0 else 0
    discards = "".join(card_svg.SUIT_GLYPHS.get(char, char) for char in by_suit(int(s["pile"]) & ~upcard))
    return [_done_words(look), f"below it: {discards}" if discards else ""]


def _split(text: str) -> list[str]:
    """A result split into two lines."""
    done, laid, rest = text.partition(" after laying off ")
    if laid:
        return [done, f"laid off {rest}"]
    done, _, won = text.partition(": ")
    return [f"{done}:", won]


def _match_words(look: Look) -> str:
    """The result of a match, with bonuses."""
    if not look.s["rules"]["target"]:
        return ""
    tally = look.s["tally"]
    winner = int(tally["score"][1] > tally["score"][0])
    accounts = " to ".join(str(tally["account"][seat]) for seat in (winner, 1 - winner))
    drawn = tally["score"][0] == tally["score"][1]
    return f"{'the match is drawn' if drawn else f'{look.name(winner)} won the match'}: {accounts}"


def _done_words(look: Look) -> str:
    s, phase = look.s, int(look.s["phase"])
    other = look.name(1 - look.turn)
    if phase == FIRST:
        return f"{other} left the upcard" if s["passes"] else ""
    if phase == THROW:
        card = f" {card_svg.glyphs(card_name(look.fresh))}" if look.fresh >= 0 else ""
        source = "took the upcard" if s["source"] == UPCARD else "drew"
        return f"{look.name(look.turn)} {source}{card or ' from the stock'}"
    if not s["hand_turns"]:
        return ""
    source = "took the upcard" if s["source"] == UPCARD else "drew from the stock"
    return f"{other} {source}, threw {card_svg.glyphs(card_name(s['upcard']))}"


def _groups(hand: diagram.Arranged) -> list[list[int]]:
    return [*hand.melds, hand.rest, hand.laid_off]


def _other_cards(look: Look, seat: int) -> str:
    """A hand in one row of small cards: melds and deadwood, or backs and the cards taken openly."""
    if look.sees(seat):
        hand = diagram.arranged_hand(look.s, seat)
        return _row(look, _groups(hand), len(hand.melds), HEAD, SMALL)
    known = cards_of(look.s["known"][seat])
    hidden = int(look.s["hand"][seat]).bit_count() - len(known)
    return _row(look, [[-1] * hidden, known], 0, HEAD, SMALL)


def _own_cards(look: Look, seat: int) -> str:
    """A hand in two rows of large cards, or one on a wide table, which its owner can click."""
    if not look.sees(seat):
        return _other_cards(look, seat)
    hand = diagram.arranged_hand(look.s, seat)
    rows = card_svg.in_rows(_groups(hand), HAND + 1 if look.wide else HALF)
    melded = {card for meld in hand.melds for card in meld}
    drawn, upper = [], HEAD + (0 if look.wide else 2 - len(rows)) * (CARD_HEIGHT + ROW_GAP) // 2
    for row in rows:
        melds = sum(group[0] in melded for group in row)
        drawn.append(_row(look, row, melds, upper, 1, seat == look.seat))
        upper += CARD_HEIGHT + ROW_GAP
    return "".join(drawn)


def _row(look: Look, groups: list[list[int]], melds: int, upper: float, scale: float, clickable: bool = False) -> str:
    """Groups of cards; the first `melds` of them have a light background."""
    width = CARD_WIDTH * scale
    lefts = card_svg.spread(list(map(len, groups)), PAD + 4, look.width - 2 * MARGIN - 2 * PAD - 8, width, GROUP_GAP)
    grounds = [_ground(left, upper, scale) for left in lefts[:melds] if left]
    cards = [
        card_svg.scaled(at, upper, scale, _card(look, card, scale, clickable))
        for left, group in zip(lefts, groups, strict=True)
        for at, card in zip(left, group, strict=True)
    ]
    return "".join(grounds + cards)


def _ground(lefts: list[float], upper: float, scale: float) -> str:
    width, height = lefts[-1] - lefts[0] + CARD_WIDTH * scale + 6, CARD_HEIGHT * scale + 6
    at = f'x="{lefts[0] - 3:.1f}" y="{upper - 3:g}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {at} rx="{9 * scale:g}" fill="{card_svg.GOLD}" fill-opacity=".4"/>'


def _card(look: Look, card: int, scale: float, clickable: bool) -> str:
    if card < 0:
        return card_svg.back(0, 0)
    name = card_name(card)
    drawn = card_svg.card(0, 0, card_svg.named(name) if scale > SMALL else card_svg.small(name), card == look.fresh)
    said = card_svg.spoken(name) + (", just drawn" if card == look.fresh else "")
    return card_svg.part(name, said, drawn) if clickable else drawn


def _piles(look: Look, upper: int) -> str:
    """The stock and the upcard, and below them the last move."""
    s, left = look.s, (look.width - PILE_STEP - CARD_WIDTH * PILE) / 2
    count, pile, top = int(s["stock_size"]), int(s["pile"]).bit_count(), int(s["upcard"])
    stock = card_svg.stock(count) + card_svg.label(f"stock {count}", 0)
    shown = card_svg.card(0, 0, card_svg.named(card_name(top))) if top >= 0 else card_svg.outline(0)
    upcard = shown + card_svg.label(f"discards {pile}", 0)
    lies = card_svg.spoken(card_name(top)) if top >= 0 else "empty"
    drawn = [
        card_svg.scaled(left, upper + 14, PILE, look.part("stock", f"stock: {count} cards", stock)),
        card_svg.scaled(left + PILE_STEP, upper + 14, PILE, look.part("upcard", f"discard pile: {lies}", upcard)),
    ]
    lines = [line for line in _news(look) if line]
    if look.wide:
        drawn += [card_svg.words(line, MARGIN + PAD, upper + 40 + 17 * n, size=12) for n, line in enumerate(lines)]
        return "".join(drawn)
    at = upper + PILES_HEIGHT - 14 - 17 * (len(lines) - 1)
    drawn += [card_svg.words(line, look.width / 2, at + 17 * n, "middle") for n, line in enumerate(lines)]
    return "".join(drawn)
