"""Gin rummy for people: states as text and JSON, games in notation, replays turn by turn."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from sparring.errors import UserError
from sparring.games import card_svg
from sparring.games.card_names import card_text
from sparring.games.card_table import points_text, sees
from sparring.games.deck import CARDS
from sparring.games.game import legal_moves
from sparring.games.gin import diagram, encodings, interaction, replay
from sparring.games.gin.cards import card_name, cards_of, list_cards, list_hand, read_card
from sparring.games.gin.game_record import SEATS, read_record, record_of, result_text
from sparring.games.gin.match_score import NEAR
from sparring.games.gin.rules import BOX, DRAW, FIRST, KNOCK, KNOCKING, PASS, STOCK, THROW, UPCARD
from sparring.games.record_view import RecordView
from sparring.games.view import seat_names

# Moves as people type them.
DRAWS = {
    STOCK: ("stock", "s", "draw", "d"),
    UPCARD: ("up", "u", "upcard", "take", "t"),
    PASS: ("pass", "p", "leave", "l"),
}
KNOCKS = ("knock", "k", "gin", "g", "!")
TO_DRAW = {FIRST: "up takes the upcard, pass leaves it", DRAW: "stock or up"}
PHASES = {FIRST: "first upcard", DRAW: "draw", THROW: "throw"}
PLACES = ("mine", "theirs", "discarded", "unknown")  # in the order of encodings.place_of
FEATURES = ("deadwood", "has knocked", "gin", "outs", "outs of deadwood", "highest deadwood")
TABLE_PLACES = (
    "deadwood",
    "melded",
    "theirs",
    "thrown by them",
    "refused",
    "offered",
)  # in the order of table_encoding
TABLE_FEATURES = (
    *("draws from the stock", "left the first upcard", "has knocked", "deadwood of the knock", "knock with gin"),
    *("deadwood", "can knock", "gin", "outs", "outs of deadwood", "highest deadwood", "deadwood without it"),
    *("cards of deadwood", "deadwood that fits known cards", "stock", "turns", "early", "known cards"),
    *("offer makes a meld", "near known cards", "near unseen cards", "near their throws", "near refused cards"),
)
SCORE_FEATURES = [
    f"{whose} {name}"
    for whose in ("own", "their")
    for name in ("points to win", *(f"at most {n} to win" for n in NEAR))
]


class GinView(RecordView):
    """The view of gin rummy."""

    tables: ClassVar = interaction
    record_of, read_record, scenes = staticmethod(record_of), staticmethod(read_record), staticmethod(replay.scenes)

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The table; with a seat, the opponent's hand shows only the cards taken openly, until the game is over."""
        hands = [_words(s, n, sees(s, seat, n)) for n in range(SEATS)]
        names = seat_names(names, SEATS)
        return diagram.table_text(_heading(s, seat, names), names, hands, -1 if s["over"] else int(s["turn"]))

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """The result of a hand and, in a match, the score after it."""
        last = diagram.last_result(s)
        if before["hand_number"] == s["hand_number"] or last is None:
            return ""
        result, score = diagram.result_words(last, names), s["tally"]["score"][:SEATS]
        if not s["rules"]["target"]:
            return result
        return f"Hand {s['hand_number']}: {result}\nSo far: {points_text(names, score)}"

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, the opponent's cards are -- except for those taken openly."""
        shown = [diagram.arranged_hand(s, n) if sees(s, seat, n) else None for n in range(SEATS)]
        return {
            "game": "gin",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "phase": PHASES[int(s["phase"])],
            "turns": int(s["tally"]["turns"]),
            "hand": diagram.hand_number(s),
            "target": int(s["rules"]["target"]),
            "stock": int(s["stock_size"]),
            "upcard": card_name(s["upcard"]) if s["upcard"] >= 0 else "",
            "discards": list_cards(s["pile"]),
            "drawn": _drawn(s, seat),
            "hands": [
                list_hand(int(s["hand"][n]), hand is not None, int(s["known"][n])) for n, hand in enumerate(shown)
            ],
            "known": [list_cards(s["known"][n]) for n in range(SEATS)],
            "melds": [hand and [list(map(card_name, meld)) for meld in hand.melds] for hand in shown],
            "deadwood": [hand and hand.deadwood for hand in shown],
            "knocker": int(s["knocker"]),
            "scores": s["tally"]["score"][:SEATS].tolist(),
            "account": s["tally"]["account"][:SEATS].tolist(),
        }

    def move_text(self, s: Any, move: int) -> str:
        return self.command(s, move)

    def deed(self, s: Any, move: int, viewer: int | None) -> str:
        """`take 8♥ from the discard pile`, `discard K♦ and knock with 8`."""
        if s["phase"] != THROW:
            upcard = card_text(card_name(s["upcard"])) if s["upcard"] >= 0 else ""
            words = {STOCK: "{draw} from the stock", PASS: f"{{leave}} {upcard}"}
            return words.get(move) or f"{{take}} {upcard} from the discard pile"
        left = diagram.left_without(s, move % CARDS)
        knocks = move >= KNOCK if s["rules"]["free"] else left <= KNOCKING
        knock = f" and {f'{{knock}} with {left}' if left else '{go} gin'}" if knocks else ""
        return f"{{discard}} {card_text(card_name(move % CARDS))}{knock}"

    def expected(self, s: Any, seat: int) -> str:
        if s["phase"] == THROW:
            left = diagram.after_best_throw(s, seat)
            knocks = "; you can knock" if s["rules"]["free"] and left <= KNOCKING else ""
            return f"Choose a card to discard{knocks}."
        upcard = f"the {card_svg.spoken(card_name(s['upcard']))}"
        return f"Take {upcard}, or leave it." if s["phase"] == FIRST else f"Choose a pile: the stock or {upcard}."

    def reversible(self, s: Any, move: int) -> bool:
        return bool(s["phase"] != THROW and move == UPCARD)

    round_word = "hand"

    def rounds(self, s: Any) -> int:
        return int(s["hand_number"])

    def round_end(self, before: Any, move: int, s: Any) -> Any:
        """Both hands as they were held, with melds and cards laid off."""
        if s["over"]:
            return s
        end = before.copy()
        for name in ("last_hand", "knocker", "hand_number", "tally"):
            end[name] = s[name]
        end["hand"], end["turn"], end["drawn"] = s["last_hand"], -1, -1
        if before["phase"] == THROW:
            end["upcard"] = move % CARDS
            end["pile"] |= 1 << move % CARDS
        return end

    def bonuses(self, s: Any) -> list[tuple[str, list[float]]]:
        """Of a match: 25 points for every hand won, and the bonus for the match."""
        if not s["rules"]["target"]:
            return []
        tally = s["tally"]
        boxes = [float(BOX * tally["won"][seat]) for seat in range(SEATS)]
        rest = [float(tally["account"][n] - tally["score"][n]) - boxes[n] for n in range(SEATS)]
        return [("boxes", boxes), ("match", rest)] if any(tally["account"] != tally["score"]) else []

    def read_move(self, s: Any, text: str) -> int:
        """A move as people type it: `stock`, `up`, `pass`, `Kd`, `Kd knock`; a UserError says why it is not legal."""
        words, offered = text.lower().replace("10", "t").split(), legal_moves(self.game, np.array([s]))
        if s["phase"] == THROW:
            return _read_throw(s, words, text, offered)
        move = next((move for move, names in DRAWS.items() if words and words[0] in names and len(words) == 1), None)
        if move is None:
            raise UserError(f"{text}: draw a card first: {TO_DRAW[int(s['phase'])]}")
        if move not in offered:
            why = "only the first upcard can be left" if move == PASS else "the first upcard is offered"
            raise UserError(f"{text}: {why}: {TO_DRAW[int(s['phase'])]}")
        return move

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """Each card with its place."""
        cards = [card_name(card) for card in range(CARDS)]
        if encoding in encodings.NAMES[encodings.TABLE :]:
            places = [f"{card} {place}" for place in TABLE_PLACES for card in cards]
            score = SCORE_FEATURES if encoding == encodings.NAMES[encodings.MATCH] else []
            return [*places, *TABLE_FEATURES, *score], ["value"] * outputs
        if encoding != encodings.NAMES[encodings.ONE_NUMBER]:
            cards = [f"{card} {place}" for place in PLACES for card in cards]
        features = list(FEATURES) if encoding == encodings.NAMES[encodings.MELDS] else []
        return cards + features, ["value"] * outputs


def _read_throw(s: Any, words: list[str], text: str, offered: tuple[int, ...]) -> int:
    """A card to throw, and whether to knock."""
    cards = [word for word in words if word not in KNOCKS]
    if len(cards) != 1 or len(words) > 2:
        raise UserError(f"{text}: type the card to throw, such as Kd, or Kd knock")
    card, knocks = read_card(cards[0], text), len(words) == 2
    name, left = card_name(card), diagram.left_without(s, card)
    if card not in cards_of(s["hand"][s["turn"]]):
        raise UserError(f"{text}: {name} is not in your hand")
    if card not in offered:
        raise UserError(f"{text}: you have just taken {name}: an upcard may not be thrown straight back")
    if knocks and left > KNOCKING:
        raise UserError(f"{text}: {left} would be left; {KNOCKING} is the most to knock with")
    return card + (KNOCK if knocks and s["rules"]["free"] else 0)


def _words(s: Any, seat: int, seen: bool) -> str:
    """A hand; if it has eleven cards, with the deadwood after the best throw."""
    if not seen:
        return diagram.hidden_words(int(s["hand"][seat]).bit_count(), int(s["known"][seat]))
    words, left = diagram.hand_words(diagram.arranged_hand(s, seat)), diagram.after_best_throw(s, seat)
    return words if left < 0 else f"{words}, {left} after the best throw"


def _heading(s: Any, seat: int | None, names: Sequence[str]) -> str:
    parts = []
    if s["rules"]["target"]:
        score = s["tally"]["score"]
        parts.append(f"hand {diagram.hand_number(s)}   score {score[0]} to {score[1]} of {s['rules']['target']}")
    result = diagram.last_result(s)
    if result:
        parts.append(("" if s["over"] or s["turn"] < 0 else "last hand: ") + result_text(result, names))
    if s["phase"] == THROW and s["turn"] >= 0:
        parts.append(f"drawn {_drawn(s, seat) or 'from the stock'}")
    return "   ".join([*parts, diagram.piles_words(int(s["stock_size"]), int(s["upcard"]), int(s["pile"]))])


def _drawn(s: Any, seat: int | None) -> str:
    """The card drawn in this turn, if the seat may see it."""
    hidden = not sees(s, seat, int(s["turn"])) and s["source"] == STOCK
    return "" if s["drawn"] < 0 or hidden else card_name(s["drawn"])
