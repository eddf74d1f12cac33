"""The golf table to play on: an SVG with parts to click. The seat that looks is at the bottom, the others are above it."""

from collections.abc import Sequence
from typing import Any

from sparring.games import card_svg
from sparring.games.card_svg import CARD_HEIGHT, CARD_WIDTH
from sparring.games.card_table import MARGIN, PAD, WIDE, WIDTH, Viewpoint, heading
from sparring.games.golf.diagram import PLACE_WORDS, card_words, face_name
from sparring.games.golf.notation import last_turn
from sparring.games.golf.rules import COLUMNS, DISCARD, DRAW, KIND, PLACE, PLACES, POINTS, ROUNDS, STOCK, THROW

GAP, HEAD = 6, 28
OWN, PILE = 1.2, 1.15  # the sizes of cards
SMALL = 0.62  # cards of this size have no room for pips
OTHERS = {1: 0.9, 2: 0.9, 3: SMALL}  # other seats' cards, by the number of other seats
TOP, PILES_HEIGHT = 28, 138
ROOMY = 240  # a panel that is wider has room for long words
SIDE, WIDE_SIDE, WIDE_OWN, WIDE_STEP = 216, 256, 1.45, 82  # of a wide table
WIDE_OTHERS = {1: 1.15, 2: 0.7, 3: SMALL}
PILE_STEP = 96  # from the stock to the card that is held, and on to the discard pile


class Look(Viewpoint):
    """What someone sees of a state."""

    @property
    def seats(self) -> int:
        return int(self.s["seats"])

    def is_up(self, seat: int, place: int) -> bool:
        """Whether a card lies face up: at the end all do."""
        return bool(self.s["over"] or self.s["up"][seat, place])

    @property
    def holds(self) -> bool:
        """Whether the seat to move holds a card."""
        return self.turn >= 0 and bool(self.s["phase"] == PLACE)

    @property
    def held(self) -> int:
        """The card held, or -1: only its holder sees a card from the stock."""
        hidden = self.seat not in (None, self.turn) and not self.between and self.s["source"] == STOCK
        return -1 if hidden or not self.holds else int(self.s["drawn"])

    @property
    def top(self) -> int:
        """The top card of the discard pile, or -1."""
        return int(self.s["discard"][self.s["discard_size"] - 1]) if self.s["discard_size"] else -1

    @property
    def fresh(self) -> int:
        """The card that the last turn put in a hand, or -1."""
        turn = last_turn(self.s)
        return turn[1] if turn and turn[2] < PLACES else -1


def table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The table as a seat sees it; without a seat, face-down cards show what they are."""
    look = Look(s, seat, names)
    scale = OTHERS[look.seats - 1]
    others = [(look.below + n) % look.seats for n in range(1, look.seats)]
    width = (WIDTH - MARGIN * (len(others) + 1)) // len(others)
    drawn, upper = [heading(_round_words(s), _turn_words(look))], TOP
    for n, other in enumerate(others):
        drawn.append(_seat(look, other, MARGIN + n * (width + MARGIN), upper, width, scale))
    upper += _height(scale) + MARGIN
    drawn.append(_piles(look, upper))
    upper += PILES_HEIGHT
    drawn.append(_seat(look, look.below, MARGIN, upper, WIDTH - 2 * MARGIN, OWN))
    return look.svg(upper + _height(OWN) + MARGIN, _described(look), drawn)


def _described(look: Look) -> str:
    seats = [f"{look.names[seat]}: {_points_words(look, seat)}" for seat in range(look.seats)]
    return "; ".join(["golf", _round_words(look.s), *seats, _turn_words(look), _last_words(look)]).strip("; ")


def wide_table(s: Any, seat: int | None, names: Sequence[str]) -> str:
    """The same for a wide window: the others at the left, the piles in the middle, one's own cards at the right."""
    look = Look(s, seat, names, WIDE)
    others = [(look.below + n) % look.seats for n in range(1, look.seats)]
    scale = WIDE_OTHERS[len(others)]
    down = _height(scale) + MARGIN
    high = max(down * len(others) - MARGIN, _height(WIDE_OWN))
    drawn = [heading(_round_words(s), _turn_words(look), WIDE)]
    for n, other in enumerate(others):
        drawn.append(_seat(look, other, MARGIN, TOP + n * down, SIDE, scale))
    left = WIDE - MARGIN - WIDE_SIDE
    drawn.append(_piles(look, TOP + (high - PILES_HEIGHT) // 2, (MARGIN + SIDE + left) / 2, WIDE_STEP))
    drawn.append(_seat(look, look.below, left, TOP, WIDE_SIDE, WIDE_OWN))
    return look.svg(TOP + high + MARGIN, _described(look), drawn)


def input_sequences(s: Any, move: int) -> list[tuple[str, ...]]:
    """A pile to draw from; then a place for the card, or the discard pile to throw it away."""
    if s["phase"] == DRAW:
        return [({STOCK: "stock", DISCARD: "discard"}[move],)]
    return [("discard" if move == THROW else f"place {move + 1}",)]


def showing(look: Look, seat: int) -> int:
    """The points of the cards that lie face up; two equal cards in a column count nothing."""
    points = 0
    for column in range(COLUMNS):
        places = [place for place in (column, column + COLUMNS) if look.is_up(seat, place)]
        kinds = [int(KIND[look.s["hand"][seat, place]]) for place in places]
        if len(kinds) == len(set(kinds)):
            points += sum(int(POINTS[kind]) for kind in kinds)
    return points


def _round_words(s: Any) -> str:
    if s["turn"] < 0 and not s["over"]:
        return f"end of round {s['round_number'] + 1} of {ROUNDS}"
    return f"over after {ROUNDS} rounds" if s["over"] else f"round {s['round_number'] + 1} of {ROUNDS}"


def _points_words(look: Look, seat: int, long: bool = True) -> str:
    """Points before this round and of the cards that lie face up: `32 points, 6 showing`, or `32 + 6`."""
    score, shown = int(look.s["tally"]["score"][seat]), showing(look, seat)
    if look.s["over"]:
        return f"{score} points" if long else f"{score}"
    return f"{score} points, {shown} showing" if long else f"{score} + {shown}"


def _turn_words(look: Look) -> str:
    if look.between:
        return "the round is over"
    if look.turn < 0:
        scores = look.s["tally"]["score"][: look.seats].tolist()
        best = [name for name, score in zip(look.names, scores, strict=True) if score == min(scores)]
        return f"won by {best[0]}" if len(best) == 1 else f"drawn between {' and '.join(best)}"
    return f"{look.name(look.turn)} {'to place it' if look.holds else 'to draw'}"


def _last_words(look: Look) -> str:
    """The last turn, all of which lies open."""
    turn = last_turn(look.s)
    if not turn or look.between:
        return ""
    source, drawn, place, thrown = turn
    name = look.name((look.s["turn"] - 1) % look.seats)
    taken = f"{name} {'drew' if source == STOCK else 'took'} {card_words(drawn)}"
    return (
        f"{taken}, discarded it"
        if place == THROW
        else f"{taken}, discarded {card_words(thrown)} ({PLACE_WORDS[place]})"
    )


def _head(scale: float) -> int:
    """The height of a seat's name and points: one line, or two where there is little room."""
    return HEAD if scale > SMALL else HEAD + 16


def _height(scale: float) -> int:
    return round(_head(scale) + 2 * CARD_HEIGHT * scale + GAP + PAD)


def _seat(look: Look, seat: int, left: int, upper: int, width: int, scale: float) -> str:
    """A seat's name, its points and its six cards."""
    across, down = CARD_WIDTH * scale + GAP, CARD_HEIGHT * scale + GAP
    edge = (width - across * COLUMNS + GAP) / 2
    cards = []
    for place in range(PLACES):
        left_of, top_of = edge + place % COLUMNS * across, _head(scale) + place // COLUMNS * down
        cards.append(card_svg.scaled(left_of, top_of, scale, _place(look, seat, place, scale)))
    marked, wide = seat == look.turn, width > ROOMY
    name = card_svg.name_label(look.names[seat], PAD, 19, marked, 20 if wide else 12 if scale > SMALL else 8)
    if scale <= SMALL:
        points = card_svg.words(_points_words(look, seat, wide), PAD, 37)
    else:
        points = card_svg.words(_points_words(look, seat, wide), width - PAD, 19, "end")
    return card_svg.panel(left, upper, width, _height(scale), marked, name + points + "".join(cards))


def _place(look: Look, seat: int, place: int, scale: float) -> str:
    """A card in a hand; its owner can click it."""
    card = int(look.s["hand"][seat, place])
    up, face = look.is_up(seat, place), card_svg.named if scale > SMALL else card_svg.small
    if up:
        drawn, said = card_svg.card(0, 0, face(face_name(card)), card == look.fresh), card_svg.spoken(face_name(card))
    else:
        drawn, said = card_svg.back(0, 0), "face down"
        if look.seat is None:
            drawn += card_svg.peeped(face_name(card))
    return card_svg.part(f"place {place + 1}", f"{PLACE_WORDS[place]}: {said}", drawn) if seat == look.seat else drawn


def _piles(look: Look, upper: int, middle: float = WIDTH / 2, step: int = PILE_STEP) -> str:
    """The stock, the card that is held and the discard pile; below them the last turn."""
    left, top = middle - step - CARD_WIDTH * PILE / 2, look.top
    left_of = [left + n * step for n in range(3)]
    count = int(look.s["stock_size"])
    stock = card_svg.stock(max(count, 1))
    turn = last_turn(look.s)
    fresh = turn is not None and turn[2] == THROW and not look.holds
    pile = card_svg.card(0, 0, card_svg.named(face_name(top)), fresh) if top >= 0 else card_svg.outline(0)
    lies = card_svg.spoken(face_name(top)) if top >= 0 else "empty"
    piles = [
        look.part("stock", f"stock: {count} cards", stock + card_svg.label(f"stock {count}", 0)),
        _held(look),
        look.part("discard", f"discard pile: {lies}", pile + card_svg.label("discard", 0)),
    ]
    drawn = "".join(card_svg.scaled(at, upper + 4, PILE, pile) for at, pile in zip(left_of, piles, strict=True) if pile)
    said, below = _last_words(look), upper + PILES_HEIGHT - 13
    lines = said.replace(", ", ",\n").split("\n") if look.wide else [said]
    return drawn + "".join(card_svg.words(line, middle, below + 16 * n, "middle") for n, line in enumerate(lines))


def _held(look: Look) -> str:
    if not look.holds:
        return ""
    shown = card_svg.card(0, 0, card_svg.named(face_name(look.held)), True) if look.held >= 0 else card_svg.back(0, 0)
    return shown + card_svg.label("drawn", 0)
