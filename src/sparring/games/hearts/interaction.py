"""The hearts table to play on: an SVG with cards to click.

The seat that looks is at the bottom, the next to its left, and so on; without a seat, seat 0 is there and all hands lie open.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.card_table import MARGIN, PAD, WIDE, Viewpoint, heading, points_text
from sparring.games.deck import RANKS
from sparring.games.hearts import diagram
from sparring.games.hearts.cards import card_name, cards_of
from sparring.games.hearts.plain_rules import receiver, result_of
from sparring.games.hearts.rules import CLUBS, DIAMONDS, HAND, HEARTS, PASS, PLAY, SPADES
from sparring.kernel.launch import SEATS

SMALL, TINY = 0.5, 0.42  # the sizes of other seats' cards, and of the last trick's; one's own cards have size 1
SUIT_ORDER = (CLUBS, DIAMONDS, SPADES, HEARTS)  # alternating colours
SUIT_GAP, ROW_GAP, RAISED = 6, 12, 9
TOP, HEAD, SIDE_HEAD, STRIP = 28, 28, 44, 40
SIDE_WIDTH = 118
LONG_HEIGHT, HALF = round(HEAD + CARD_HEIGHT * SMALL + PAD), 7  # half of a hand, rounded up
SIDE_ROW = round(CARD_HEIGHT * SMALL) + 3
ACROSS, AWAY = 42, 40  # from the middle of a trick to its cards


class Look(Viewpoint):
    """What someone sees of a state."""

    @property
    def passing(self) -> bool:
        return bool(self.s["phase"] == PASS and not self.s["over"])

    def chosen(self, whose: int) -> int:
        """The cards that a seat has chosen to pass, while all choose."""
        return int(self.s["passed"][whose]) if self.passing and self.sees(whose) else 0

    def fresh(self, whose: int) -> int:
        """Cards with a gold edge: those chosen to pass, and in the first trick those received."""
        if self.passing:
            return self.chosen(whose)
        begun = self.s["over"] or self.s["number"]
        return diagram.received(self.s, whose) if self.sees(whose) and not begun else 0

    def name(self, seat: int, limit: int = 14) -> str:
        return super().name(seat, limit)


def table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The table as a seat sees it; other hands show only the cards that it has passed to them."""
    return _drawn(Look(s, seat, names))


def wide_table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The same for a wide window, with one's own cards in one row."""
    return _drawn(Look(s, seat, names, WIDE))


def _drawn(look: Look) -> str:
    s = look.s
    near, left, far, right = [(look.below + n) % SEATS for n in range(SEATS)]
    middle = TOP + LONG_HEIGHT + MARGIN
    high = SIDE_HEAD + (4 if look.sees(left) else 3) * SIDE_ROW + PAD
    strip, width = middle + high, look.width - 2 * MARGIN
    own = strip + STRIP
    drawn = [
        heading(_standing_words(s), "" if s["over"] else _turn_words(look), look.width),
        look.panel(far, TOP, LONG_HEIGHT, 24, f"{_points_words(look, far)} points", _in_a_row(look, far)),
        _side_seat(look, left, MARGIN, middle, high),
        _side_seat(look, right, MARGIN + width - SIDE_WIDTH, middle, high),
        _middle(look, look.width / 2, middle + high / 2),
        _strip(look, strip),
        look.panel(near, own, _own_height(look), 24, f"{_points_words(look, near)} points", _own_cards(look, near)),
    ]
    return look.svg(own + _own_height(look) + MARGIN, _described(look), drawn)


def _own_height(look: Look) -> int:
    """The height of one's own cards: one row or two."""
    return HEAD + (1 if look.wide else 2) * (CARD_HEIGHT + ROW_GAP) + PAD


def input_sequences(s: Any, move: int) -> list[tuple[str, ...]]:
    """A card to pass, or to play."""
    return [(card_name(move),)]


# Words.


def _standing_words(s: Any) -> str:
    """The state of the game: `round 1, trick 3, hearts broken`."""
    rules, number = s["rules"], f"round {diagram.round_number(s)}"
    if s["turn"] < 0 and not s["over"]:
        return f"end of {number}"
    if s["phase"] == PLAY and not s["over"]:
        return f"{number}, trick {diagram.trick_number(s)}{', hearts broken' if s['broken'] else ''}"
    long = f"{number} of {rules['rounds']}" if rules["rounds"] else f"{number}, to {rules['target']} points"
    return f"over after {number}" if s["over"] else long


def _points_words(look: Look, seat: int) -> str:
    """A seat's points before this round, and in it: `12 + 4`."""
    score, points = diagram.points_so_far(look.s)[seat]
    return f"{score}" if look.s["over"] else f"{score} {'-' if points < 0 else '+'} {abs(points)}"


def _described(look: Look) -> str:
    s = look.s
    seats = [f"{name}: {_points_words(look, seat)} points" for seat, name in enumerate(look.names)]
    trick = _in_order(s["trick"], s["leader"])
    cards = ", ".join(f"{look.names[seat]} {card_svg.spoken(card_name(card))}" for seat, card in trick)
    said = f"trick: {cards}" if trick else ""
    return "; ".join(filter(None, ["hearts", _standing_words(s), *seats, said, _turn_words(look), _strip_words(look)]))


def _turn_words(look: Look) -> str:
    if look.between:
        return "the cards that count"
    if look.turn < 0:
        return _winners_words(look)
    return f"{look.name(look.turn, 12)} to {'pass' if look.passing else 'play'}"


def _winners_words(look: Look) -> str:
    """The winner, with the fewest points."""
    scores = look.s["tally"]["score"].tolist()
    best = [look.name(seat) for seat in range(SEATS) if scores[seat] == min(scores)]
    return f"won by {best[0]}" if len(best) == 1 else "drawn"


def _strip_words(look: Look) -> str:
    """The winner of the last trick; while cards are passed and at the end, the result of the last round."""
    s = look.s
    if look.passing or s["over"] or not s["number"]:
        if not s["round"]:
            return ""
        result = result_of(s["last_won"].tolist(), s["rules"])
        return f"last round: {points_text([look.name(seat, 9) for seat in range(SEATS)], result.points)}"
    return f"{look.name(int(s['last_winner']))} took the last trick{diagram.last_trick_points(s)}"


# Seats.


def _side_seat(look: Look, seat: int, left: int, upper: int, height: int) -> str:
    """A seat at a side: its cards by suit, or backs in two rows and below them the cards passed to it."""
    marked, drawn = seat == look.turn, []
    for number, row in enumerate(_side_rows(look, seat)):
        at = SIDE_HEAD + number * SIDE_ROW
        for x, card in zip(_lefts([row], SIDE_WIDTH), row, strict=True):
            drawn.append(card_svg.scaled(x, at, SMALL, _card(look, seat, card)))
    name = card_svg.name_label(look.names[seat], PAD, 19, marked, 10 if marked else 12, 13)
    points = card_svg.words(f"{_points_words(look, seat)} points", PAD, 37)
    return card_svg.panel(left, upper, SIDE_WIDTH, height, marked, name + points + "".join(drawn))


def _side_rows(look: Look, seat: int) -> list[list[int]]:
    if look.sees(seat):
        return _by_suit(int(look.s["hand"][seat]))
    backs, known = _hidden(look, seat)
    half = (len(backs) + 1) // 2
    return [backs[:half], backs[half:], known]


def _hidden(look: Look, seat: int) -> tuple[list[int], list[int]]:
    """A hand that may not be seen: backs, and the cards that the viewer has passed to it."""
    known = cards_of(diagram.known_cards(look.s, look.seat, seat))
    return [-1] * (int(look.s["hand"][seat]).bit_count() - len(known)), known


def _in_a_row(look: Look, seat: int) -> str:
    """A hand in one row of small cards."""
    groups = _by_suit(int(look.s["hand"][seat])) if look.sees(seat) else list(_hidden(look, seat))
    cards = [card for group in groups for card in group]
    lefts = _lefts(groups, look.width - 2 * MARGIN)
    return "".join(
        card_svg.scaled(left, HEAD, SMALL, _card(look, seat, card)) for left, card in zip(lefts, cards, strict=True)
    )


def _lefts(groups: list[list[int]], width: int, scale: float = SMALL) -> list[float]:
    rows = card_svg.spread([len(group) for group in groups], PAD, width - 2 * PAD, CARD_WIDTH * scale, SUIT_GAP)
    return [left for row in rows for left in row]


def _own_cards(look: Look, seat: int) -> str:
    """A hand in two rows of large cards, or one on a wide table, which its owner can click; cards chosen to pass are raised."""
    if not look.sees(seat):
        return _in_a_row(look, seat)
    rows = card_svg.in_rows(_by_suit(int(look.s["hand"][seat])), HAND if look.wide else HALF)
    upper, drawn = HEAD + RAISED + (0 if look.wide else 2 - len(rows)) * (CARD_HEIGHT + ROW_GAP) / 2, []
    for row in rows:
        cards = [card for group in row for card in group]
        for left, card in zip(_lefts(row, look.width - 2 * MARGIN, 1), cards, strict=True):
            raised = RAISED * (look.chosen(seat) >> card & 1)
            drawn.append(card_svg.scaled(left, upper - raised, 1, _own_card(look, seat, card)))
        upper += CARD_HEIGHT + ROW_GAP
    return "".join(drawn)


def _own_card(look: Look, seat: int, card: int) -> str:
    name = card_name(card)
    drawn = _card(look, seat, card, card_svg.named)
    if seat != look.seat:
        return drawn
    said = ", to be passed" if look.chosen(seat) >> card & 1 else ""
    return card_svg.part(name, card_svg.spoken(name) + said, drawn)


def _card(look: Look, seat: int, card: int, face: Callable[[str], str] = card_svg.small) -> str:
    if card < 0:
        return card_svg.back(0, 0)
    return card_svg.card(0, 0, face(card_name(card)), bool(look.fresh(seat) >> card & 1))


def _by_suit(hand: int) -> list[list[int]]:
    return [[card for card in cards_of(hand) if card // RANKS == suit] for suit in SUIT_ORDER]


# The middle.


def _in_order(trick: Any, leader: int) -> list[tuple[int, int]]:
    """The seats and cards of a trick in the order of play."""
    seats = [(int(leader) + n) % SEATS for n in range(SEATS)]
    return [(seat, int(trick[seat])) for seat in seats if trick[seat] >= 0]


def _middle(look: Look, across: float, down: float) -> str:
    """The trick; before a lead, the last trick, faint; while passing, the receiver; at the end, the winner."""
    s = look.s
    if s["over"]:
        return _lines(["the game is over", _winners_words(look)], across, down)
    if look.passing:
        to = receiver(look.below, int(s["direction"]))
        return _lines(
            ["pass three cards", f"{diagram.way_words(int(s['direction']))}:", look.name(to, 16)], across, down
        )
    lying = _in_order(s["trick"], s["leader"])
    if lying:
        return _trick(look, lying, across, down)
    if not s["number"]:
        return _lines([f"{look.name(look.turn, 12)} to lead", "the 2 of clubs"], across, down)
    last = _trick(look, _in_order(s["last_trick"], s["last_leader"]), across, down)
    return f'<g opacity=".45">{last}</g>'


def _lines(lines: Sequence[str], across: float, down: float) -> str:
    first = down - 9 * (len(lines) - 1) + 5
    return "".join(card_svg.words(line, across, first + 18 * n, "middle") for n, line in enumerate(lines))


def _trick(look: Look, lying: list[tuple[int, int]], across: float, down: float) -> str:
    """Each card on the side of its seat; the last card played has a gold edge."""
    places = ((0, AWAY), (-ACROSS, 0), (0, -AWAY), (ACROSS, 0))
    drawn = []
    for seat, card in lying:
        x, y = places[(seat - look.below) % SEATS]
        face = card_svg.card(0, 0, card_svg.named(card_name(card)), (seat, card) == lying[-1])
        drawn.append(card_svg.scaled(across + x - CARD_WIDTH / 2, down + y - CARD_HEIGHT / 2, 1, face))
    return "".join(drawn)


def _strip(look: Look, upper: int) -> str:
    """Below the trick: the last trick, small, after a card is led to the next, and its points."""
    s, said = look.s, _strip_words(look)
    if look.passing or s["over"] or not s["number"]:
        return card_svg.words(said, look.width / 2, upper + 24, "middle", 12)
    cards = _in_order(s["last_trick"], s["last_leader"]) if (s["trick"] >= 0).any() else []
    left = MARGIN + 4
    step = CARD_WIDTH * TINY + 3
    faces = [card_svg.card(0, 0, card_svg.small(card_name(card))) for _, card in cards]
    drawn = [card_svg.scaled(left + n * step, upper + 5, TINY, face) for n, face in enumerate(faces)]
    left += round(len(cards) * step) + 6 * bool(cards)
    return "".join(drawn) + card_svg.words(said, left, upper + 24)
