"""Gin rummy for people: states as text and JSON, games in notation, replays turn by turn."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from sparring.games.deck import CARDS
from sparring.games.game import start_game
from sparring.games.gin import encodings
from sparring.games.gin.cards import card_name, cards_of, names_of
from sparring.games.gin.diagram import Arranged, arranged, hand_words, hidden_words, piles_words, table_text
from sparring.games.gin.game_record import SEATS, read_record, record_of, result_text, tally_of, write_record
from sparring.games.gin.melds import least_deadwood
from sparring.games.gin.notation import move_words, read_words
from sparring.games.gin.replay import hand_scenes, scenes
from sparring.games.gin.rules import DRAW, FIRST, HAND, STOCK, THROW, UPCARD
from sparring.games.gin.table_svg import NOBODY, Result, result_of
from sparring.games.view import Played, View

HIDDEN = "--"
NAMES = [f"seat {seat}" for seat in range(SEATS)]
PHASES = {FIRST: "first upcard", DRAW: "draw", THROW: "throw"}
PLACES = ("mine", "theirs", "discarded", "unknown")  # in the order of encodings.place_of
WORTH = ("deadwood", "has knocked", "gin", "outs", "outs of deadwood", "highest deadwood")
FRAMES = 200  # a page shows this many tables of a hand at most


class GinView(View):
    """The View of gin rummy."""

    interactive = True

    def text(self, s: Any, seat: int | None = None) -> str:
        """The table; with a seat, the other's hand shows only the cards that were taken openly, until the game is over."""
        hands = [_words(s, n, sees(s, seat, n)) for n in range(SEATS)]
        return table_text(_heading(s, seat), NAMES, hands, -1 if s["over"] else int(s["turn"]))

    def move_text(self, s: Any, move: int) -> str:
        return move_words(s, move)

    def heard(self, s: Any, move: int, seat: int) -> str:
        """What everyone hears of a move: cards from the stock are not named."""
        return move_words(s, move)

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """What a hand came to, and how a match stands after it."""
        result = last_result(s)
        if before["hand_number"] == s["hand_number"] or result is None:
            return ""
        told, score = result_words(result, names), s["tally"]["score"]
        if not s["rules"]["target"]:
            return told
        return f"hand {s['hand_number']}: {told}\nso far: {names[0]} {score[0]}, {names[1]} {score[1]}"

    def read_move(self, s: Any, text: str) -> int:
        """The legal move that a text means in this state; a UserError says why it is none."""
        return read_words(s, text)

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, the other's cards are -- but for those that were taken openly."""
        shown = [arranged_hand(s, n) if sees(s, seat, n) else None for n in range(SEATS)]
        return {
            "game": "gin",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "phase": PHASES[int(s["phase"])],
            "turns": int(s["tally"]["turns"]),
            "hand": hand_number(s),
            "target": int(s["rules"]["target"]),
            "stock": int(s["stock_size"]),
            "upcard": card_name(s["upcard"]) if s["upcard"] >= 0 else "",
            "discards": _names(cards_of(s["pile"])),
            "drawn": _drawn(s, seat),
            "hands": [_hand(s, n, hand is not None) for n, hand in enumerate(shown)],
            "known": [_names(cards_of(s["known"][n])) for n in range(SEATS)],
            "melds": [hand and [_names(meld) for meld in hand.melds] for hand in shown],
            "deadwood": [hand and hand.deadwood for hand in shown],
            "knocker": int(s["knocker"]),
            "scores": s["tally"]["score"][:SEATS].tolist(),
            "account": s["tally"]["account"][:SEATS].tolist(),
        }

    def game_text(self, played: Played) -> str:
        rules = self.game
        state = start_game(rules, played.seed, played.deal, played.luck, played.seats)
        return write_record(record_of(rules, state, played.moves))

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        return SEATS, read_record(text, place).moves

    def game_tally(self, text: str, place: str) -> np.ndarray:
        return tally_of(read_record(text, place))

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        for scene in scenes(read_record(text, place), names):
            hands = [hand_words(hand) for hand in scene.hands]
            yield f"{scene.said}\n{table_text(piles_words(scene.stock, scene.upcard, scene.pile), names, hands, scene.seat)}"

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """The first hand, turn by turn."""
        from sparring.games.gin.picture import table_svg

        shown = islice(hand_scenes(read_record(text, place), 0, names), FRAMES)
        return [(scene.said, table_svg(scene, names)) for scene in shown]

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The table as a seat sees it; without a seat, both hands."""
        from sparring.games.gin import interaction

        return interaction.table(s, seat, names)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        """The piles and one's own cards; buttons to leave the first upcard, and to knock or not."""
        from sparring.games.gin import interaction

        return interaction.input_sequences(s, move)

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """A card, and where it is."""
        cards = [card_name(card) for card in range(CARDS)]
        if encoding != encodings.NAMES[encodings.ONE_NUMBER]:
            cards = [f"{card} {place}" for place in PLACES for card in cards]
        worth = list(WORTH) if encoding == encodings.NAMES[encodings.MELDS] else []
        return cards + worth, ["value"] * outputs


def sees(s: Any, seat: int | None, whose: int) -> bool:
    """Whether a seat (None for everyone's cards) may see a hand: its own, and both once the game is over."""
    return bool(seat is None or seat == whose or s["over"])


def hand_number(s: Any) -> int:
    """The hand being played, or the last one, from 1."""
    return int(s["hand_number"]) + int(not s["over"])


def last_result(s: Any) -> Result | None:
    """What the last hand that ended came to."""
    if not s["hand_number"]:
        return None
    return result_of((int(s["last_hand"][0]), int(s["last_hand"][1])), int(s["knocker"]), s["rules"])


def result_words(result: Result, names: Sequence[str]) -> str:
    """What a hand came to, for those who have just played it: `ann knocked with 6 against 33: ann won 27`."""
    if result.knocker == NOBODY:
        return "nobody knocked: drawn"
    mine, theirs = result.deadwood[result.knocker], result.deadwood[1 - result.knocker]
    laid = f" after laying off {names_of(cards_of(result.laid_off))}" if result.laid_off else ""
    won = "drawn" if result.winner == NOBODY else f"{names[result.winner]} won {result.points}"
    return f"{names[result.knocker]} {f'knocked with {mine}' if mine else 'went gin'} against {theirs}{laid}: {won}"


def arranged_hand(s: Any, seat: int) -> Arranged:
    """A seat's hand; once the game is over, what was laid off apart."""
    result = last_result(s) if s["over"] else None
    laid_off = result.laid_off if result and seat != result.knocker else 0
    return arranged(int(s["hand"][seat]), laid_off)


def _words(s: Any, seat: int, seen: bool) -> str:
    """A hand as `text` shows it, and with eleven cards what the best throw would leave."""
    hand = int(s["hand"][seat])
    if not seen:
        return hidden_words(hand.bit_count(), int(s["known"][seat]))
    words = hand_words(arranged_hand(s, seat))
    if hand.bit_count() == HAND:
        return words
    kept = int(s["drawn"]) if s["source"] == UPCARD else -1
    return f"{words}, {least_deadwood(hand, kept)} after the best throw"


def _heading(s: Any, seat: int | None) -> str:
    parts = []
    if s["rules"]["target"]:
        score = s["tally"]["score"]
        parts.append(f"hand {hand_number(s)}   score {score[0]} to {score[1]} of {s['rules']['target']}")
    result = last_result(s)
    if result:
        parts.append(("" if s["over"] else "last hand: ") + result_text(result, NAMES))
    if s["phase"] == THROW:
        parts.append(f"drawn {_drawn(s, seat) or 'from the stock'}")
    return "   ".join([*parts, piles_words(int(s["stock_size"]), int(s["upcard"]), int(s["pile"]))])


def _drawn(s: Any, seat: int | None) -> str:
    """The card drawn in this turn, if there is one and the seat may see it."""
    hidden = not sees(s, seat, int(s["turn"])) and s["source"] == STOCK
    return "" if s["drawn"] < 0 or hidden else card_name(s["drawn"])


def _hand(s: Any, seat: int, seen: bool) -> list[str]:
    cards, known = cards_of(s["hand"][seat]), cards_of(s["known"][seat])
    return _names(cards) if seen else _names(known) + [HIDDEN] * (len(cards) - len(known))


def _names(cards: list[int]) -> list[str]:
    return [card_name(card) for card in cards]
