"""The gin rummy table to play on by hand: an SVG whose parts can be touched. The seat that looks sits below."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.deck import CARDS
from sparring.games.gin.cards import by_suit, card_name, cards_of
from sparring.games.gin.diagram import Arranged
from sparring.games.gin.game_record import SEATS
from sparring.games.gin.melds import least_deadwood
from sparring.games.gin.notation import left_without
from sparring.games.gin.rules import DRAW, FIRST, HAND, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD
from sparring.games.gin.view import arranged_hand, hand_number, last_result, result_words, sees

WIDTH, MARGIN, PAD, HEAD = 400, 8, 8, 30
SMALL, PILE = 0.62, 1.15  # the sizes of the other's cards, and of those in the middle; own ones are of size 1
GROUP_GAP, ROW_GAP = 10, 10
TOP = 28
OTHER_HEIGHT = round(HEAD + CARD_HEIGHT * SMALL + PAD + 4)
PILES_HEIGHT = 186
OWN_HEIGHT = HEAD + 2 * CARD_HEIGHT + ROW_GAP + PAD + 4
HEIGHT = TOP + OTHER_HEIGHT + PILES_HEIGHT + OWN_HEIGHT + MARGIN
PILE_STEP = 96  # from the stock to the upcard
PART = {STOCK: "stock", UPCARD: "upcard", PASS: "leave it"}


class Look(NamedTuple):
    """Whose eyes look at the table, and what they see of it."""

    s: Any
    seat: int | None
    names: Sequence[str]

    @property
    def sits(self) -> bool:
        """Whether it is a seat that looks, and not someone who watches: -1 sees what everyone sees, None all cards."""
        return self.seat is not None and self.seat >= 0

    @property
    def below(self) -> int:
        return max(self.seat or 0, 0)

    @property
    def turn(self) -> int:
        """The seat to move, or -1."""
        return -1 if self.s["over"] else int(self.s["turn"])

    def sees(self, whose: int) -> bool:
        return sees(self.s, self.seat, whose)

    @property
    def fresh(self) -> int:
        """The card just drawn, or -1 where there is none or it is not seen."""
        hidden = self.turn < 0 or (self.s["source"] == STOCK and not self.sees(self.turn))
        return -1 if hidden else int(self.s["drawn"])

    def name(self, seat: int, limit: int = 16) -> str:
        return card_svg.short(self.names[seat], limit)


def table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The table as a seat sees it: of the other's hand the cards that were taken openly, until the game is over."""
    look = Look(s, seat, names)
    drawn = [
        _heading(look),
        _seat(look, 1 - look.below, TOP, OTHER_HEIGHT, _other_cards(look, 1 - look.below)),
        _piles(look, TOP + OTHER_HEIGHT),
        _seat(look, look.below, HEIGHT - MARGIN - OWN_HEIGHT, OWN_HEIGHT, _own_cards(look, look.below)),
    ]
    return card_svg.svg(WIDTH, HEIGHT, _described(look), "".join(drawn), "group" if look.sits else "img")


def input_sequences(s: Any, move: int) -> list[tuple[str, ...]]:
    """A pile, or the first upcard left; then a card, and whether to knock where that is a choice."""
    if s["phase"] != THROW:
        return [(PART[move],)]
    card = move % CARDS
    left = left_without(s, card)
    if not s["rules"]["free"] or left > KNOCKING:
        return [(card_name(card),)]
    knock = f"knock with {left}" if left else "go gin"
    return [(card_name(card), knock if move >= KNOCK else "play on")]


def _described(look: Look) -> str:
    s = look.s
    seats = [f"{name}: {_hand_words(look, seat)}" for seat, name in enumerate(look.names)]
    upcard = f"upcard {card_svg.spoken(card_name(s['upcard']))}" if s["upcard"] >= 0 else ""
    told = ["gin rummy", _score_words(look), *seats, upcard, f"{s['stock_size']} cards in the stock", _turn_words(look)]
    return "; ".join(filter(None, [*told, *_news(look)]))


def _hand_words(look: Look, seat: int) -> str:
    """What a hand counts, as far as the one who looks may see it."""
    hand = int(look.s["hand"][seat])
    if not look.sees(seat):
        return f"{hand.bit_count()} cards"
    if hand.bit_count() == HAND:
        counted = arranged_hand(look.s, seat).deadwood
        return f"deadwood {counted}" if counted else "gin: no deadwood"
    kept = int(look.s["drawn"]) if look.s["source"] == UPCARD else -1
    return f"the best throw leaves {least_deadwood(hand, kept)}"


def _score_words(look: Look) -> str:
    target, score = int(look.s["rules"]["target"]), look.s["tally"]["score"]
    both = " to ".join(str(score[seat]) for seat in (look.below, 1 - look.below))
    return f"hand {hand_number(look.s)}: {both} of {target}" if target else "one hand"


def _turn_words(look: Look) -> str:
    if look.turn < 0:
        return "the game is over"
    what = {FIRST: "to take or leave it", DRAW: "to draw", THROW: "to throw"}
    return f"{look.name(look.turn, 12)} {what[int(look.s['phase'])]}"


def _news(look: Look) -> list[str]:
    """What was done last, or what the hand before came to; and the discards."""
    s, result = look.s, last_result(look.s)
    if s["over"]:
        return [*_split(result_words(result, _short_names(look))), _match_words(look)] if result else []
    if result and _untouched(s):
        return ["last hand:", *_split(result_words(result, _short_names(look)))]
    upcard = 1 << int(s["upcard"]) if s["upcard"] >= 0 else 0
    discards = int(s["pile"]) & ~upcard
    return [_done_words(look), f"below it: {_in_line(discards)}" if discards else ""]


def _in_line(cards: int) -> str:
    """Many cards in little room: `9TQ♠`."""
    return "".join(card_svg.SUIT_GLYPHS.get(char, char) for char in by_suit(cards))


def _split(text: str) -> list[str]:
    """A result in two lines."""
    done, laid, rest = text.partition(" after laying off ")
    if laid:
        return [done, f"laid off {rest}"]
    done, _, won = text.partition(": ")
    return [f"{done}:", won]


def _short_names(look: Look) -> list[str]:
    return [look.name(seat) for seat in range(SEATS)]


def _match_words(look: Look) -> str:
    """What a match came to, bonuses and boxes counted."""
    if not look.s["rules"]["target"]:
        return ""
    tally = look.s["tally"]
    winner = int(tally["score"][1] > tally["score"][0])
    accounts = " to ".join(str(tally["account"][seat]) for seat in (winner, 1 - winner))
    drawn = tally["score"][0] == tally["score"][1]
    return f"{'the match is drawn' if drawn else f'{look.name(winner)} won the match'}: {accounts}"


def _untouched(s: Any) -> bool:
    """Whether nobody has done anything in this hand yet."""
    return bool(s["hand_turns"] == 0 and s["passes"] == 0 and s["phase"] != THROW)


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


def _heading(look: Look) -> str:
    right = card_svg.words(_turn_words(look), WIDTH - MARGIN - 4, 19, "end")
    return card_svg.words(_score_words(look), MARGIN + 4, 19) + right


def _seat(look: Look, seat: int, upper: int, height: int, cards: str) -> str:
    """A seat's name, what its hand counts, and its cards."""
    marked, width = seat == look.turn, WIDTH - 2 * MARGIN
    name = card_svg.name_label(look.names[seat], PAD, 20, marked, 18)
    return card_svg.panel(
        MARGIN,
        upper,
        width,
        height,
        marked,
        name + card_svg.words(_hand_words(look, seat), width - PAD, 20, "end") + cards,
    )


def _groups(hand: Arranged) -> list[list[int]]:
    return [*hand.melds, hand.rest, hand.laid_off]


def _other_cards(look: Look, seat: int) -> str:
    """A hand in one row of small cards: open in melds and deadwood, or backs and what was taken openly."""
    if look.sees(seat):
        return _row(look, _groups(arranged_hand(look.s, seat)), len(arranged_hand(look.s, seat).melds), HEAD, SMALL)
    known = cards_of(look.s["known"][seat])
    hidden = int(look.s["hand"][seat]).bit_count() - len(known)
    return _row(look, [[-1] * hidden, known], 0, HEAD, SMALL)


def _own_cards(look: Look, seat: int) -> str:
    """A hand in two rows of large cards, each of which can be touched by its owner."""
    if not look.sees(seat):
        return _other_cards(look, seat)
    hand = arranged_hand(look.s, seat)
    rows = card_svg.in_rows(_groups(hand))
    melded = {card for meld in hand.melds for card in meld}
    drawn, upper = [], HEAD + (2 - len(rows)) * (CARD_HEIGHT + ROW_GAP) // 2
    for row in rows:
        melds = sum(group[0] in melded for group in row)
        drawn.append(_row(look, row, melds, upper, 1, seat == look.seat))
        upper += CARD_HEIGHT + ROW_GAP
    return "".join(drawn)


def _row(look: Look, groups: list[list[int]], melds: int, upper: float, scale: float, touched: bool = False) -> str:
    """Groups of cards, the first of them melds on a light ground."""
    width = CARD_WIDTH * scale
    lefts = card_svg.spread(
        [len(group) for group in groups], PAD + 4, WIDTH - 2 * MARGIN - 2 * PAD - 8, width, GROUP_GAP
    )
    grounds = [_ground(left, upper, scale) for left in lefts[:melds] if left]
    cards = [
        card_svg.scaled(at, upper, scale, _card(look, card, scale, touched))
        for left, group in zip(lefts, groups, strict=True)
        for at, card in zip(left, group, strict=True)
    ]
    return "".join(grounds + cards)


def _ground(lefts: list[float], upper: float, scale: float) -> str:
    width, height = lefts[-1] - lefts[0] + CARD_WIDTH * scale + 6, CARD_HEIGHT * scale + 6
    at = f'x="{lefts[0] - 3:.1f}" y="{upper - 3:g}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {at} rx="{9 * scale:g}" fill="{card_svg.GOLD}" fill-opacity=".4"/>'


def _card(look: Look, card: int, scale: float, touched: bool) -> str:
    if card < 0:
        return card_svg.back(0, 0)
    name = card_name(card)
    drawn = card_svg.card(0, 0, card_svg.named(name) if scale > SMALL else card_svg.small(name), card == look.fresh)
    said = card_svg.spoken(name) + (", just drawn" if card == look.fresh else "")
    return card_svg.part(name, said, drawn) if touched else drawn


def _piles(look: Look, upper: int) -> str:
    """The stock and the upcard, and below them what was done last."""
    s, left = look.s, (WIDTH - PILE_STEP - CARD_WIDTH * PILE) / 2
    count, pile, top = int(s["stock_size"]), int(s["pile"]).bit_count(), int(s["upcard"])
    backs = "".join(card_svg.back(-lift, -lift) for lift in ((0, 2, 4) if count > 2 else (0,)))
    stock = (backs if count else card_svg.outline(0)) + card_svg.label(f"stock {count}", 0)
    shown = card_svg.card(0, 0, card_svg.named(card_name(top))) if top >= 0 else card_svg.outline(0)
    upcard = shown + card_svg.label(f"discards {pile}", 0)
    lies = card_svg.spoken(card_name(top)) if top >= 0 else "empty"
    drawn = [
        card_svg.scaled(left, upper + 14, PILE, _touchable(look, "stock", f"stock: {count} cards", stock)),
        card_svg.scaled(
            left + PILE_STEP, upper + 14, PILE, _touchable(look, "upcard", f"discard pile: {lies}", upcard)
        ),
    ]
    lines = [line for line in _news(look) if line]
    at = upper + PILES_HEIGHT - 14 - 17 * (len(lines) - 1)
    drawn += [card_svg.words(line, WIDTH / 2, at + 17 * n, "middle") for n, line in enumerate(lines)]
    return "".join(drawn)


def _touchable(look: Look, name: str, said: str, drawn: str) -> str:
    return card_svg.part(name, said, drawn) if look.sits else drawn
