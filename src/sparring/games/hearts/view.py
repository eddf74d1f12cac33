"""Hearts for people: states as text and JSON, games in notation, replays card by card."""

from collections.abc import Sequence
from typing import Any

from sparring.games.card_names import SUIT_NAMES
from sparring.games.card_table import sees
from sparring.games.deck import CARDS
from sparring.games.hearts import diagram, encodings, interaction, replay
from sparring.games.hearts.cards import card_name, cards_of
from sparring.games.hearts.game_record import read_record, record_of
from sparring.games.hearts.notation import heard_words, move_words, news_words, read_words
from sparring.games.hearts.plain_rules import DIRECTIONS
from sparring.games.hearts.rules import PASS, PLAY
from sparring.games.record_view import RecordView
from sparring.kernel.launch import SEATS

HIDDEN = "--"
NAMES = [f"seat {seat}" for seat in range(SEATS)]
PHASES = {PASS: "pass", PLAY: "play"}
PLACES = ("mine", "another's", "played by me", "played by another", "gone")  # in the order of encodings.list_places


class HeartsView(RecordView):
    """The view of hearts."""

    record_of, read_record, scenes = staticmethod(record_of), staticmethod(read_record), staticmethod(replay.scenes)

    def text(self, s: Any, seat: int | None = None) -> str:
        """The table; with a seat, from its side, and other hands show only the cards that it has passed to them."""
        points = zip(NAMES, diagram.points_so_far(s), strict=True)
        titles = [f"{name}   {diagram.points_words(*both)}" for name, both in points]
        hands = [_words(s, seat, whose) for whose in range(SEATS)]
        mark = -1 if s["over"] else int(s["turn"])
        shown = [diagram.table_text(_heading(s), titles, hands, s["trick"].tolist(), mark, seat or 0), _passes(s, seat)]
        return "\n".join(filter(None, shown))

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, other cards are -- except for those that it has passed."""
        return {
            "game": "hearts",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "phase": PHASES[int(s["phase"])],
            "round": diagram.round_number(s),
            "target": int(s["rules"]["target"]),
            "rounds": int(s["rules"]["rounds"]),
            "direction": DIRECTIONS[int(s["direction"])],
            "number": diagram.trick_number(s),
            "leader": int(s["leader"]) if s["phase"] == PLAY else -1,
            "trick": [card_name(card) if card >= 0 else "" for card in s["trick"].tolist()],
            "broken": bool(s["broken"]),
            "hands": [_hand(s, seat, whose) for whose in range(SEATS)],
            "passed": [_names(int(s["passed"][n])) if diagram.sees_passed(s, seat, n) else None for n in range(SEATS)],
            "won": [_names(cards) for cards in s["won"].tolist()],
            "voids": [[name for n, name in enumerate(SUIT_NAMES) if suits >> n & 1] for suits in s["voids"].tolist()],
            "points": [points for _, points in diagram.points_so_far(s)],
            "scores": s["tally"]["score"].tolist(),
        }

    def move_text(self, s: Any, move: int) -> str:
        return move_words(s, move)

    def read_move(self, s: Any, text: str) -> int:
        return read_words(s, text)

    def heard(self, s: Any, move: int, seat: int) -> str:
        return heard_words(s, move, seat)

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        return news_words(before, s, names)

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        return interaction.table(s, seat, names)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        return interaction.input_sequences(s, move)

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """Each card with its place."""
        cards = [card_name(card) for card in range(CARDS)]
        inputs = {
            encodings.PLAY_VIEW: [f"{card} {place}" for card in cards for place in PLACES],
            encodings.PASS_VIEW: [f"{card} {what}" for what in ("dealt", "passed") for card in cards],
            encodings.HAND_VIEW: cards,
        }
        return inputs[encodings.NAMES.index(encoding)], ["value"] * outputs


def _heading(s: Any) -> str:
    """The state of the game: `round 1, trick 3   hearts are broken   to 100 points`."""
    number, rounds = f"round {diagram.round_number(s)}", s["rules"]["rounds"]
    length = f"to {s['rules']['target']} points"
    if rounds:
        number, length = f"{number} of {rounds}", ""
    if s["over"]:
        parts = [f"over after {number}"]
    elif s["phase"] == PASS:
        parts = [f"{number}, passing {DIRECTIONS[int(s['direction'])]}"]
    else:
        parts = [f"{number}, trick {diagram.trick_number(s)}", f"hearts are {'' if s['broken'] else 'not '}broken"]
    return "   ".join(filter(None, [*parts, length]))


def _passes(s: Any, seat: int | None) -> str:
    """The passes that a seat may see."""
    passed = [cards_of(s["passed"][n]) if diagram.sees_passed(s, seat, n) else [] for n in range(SEATS)]
    return diagram.passes_words(int(s["direction"]), NAMES, passed)


def _words(s: Any, seat: int | None, whose: int) -> str:
    hand = int(s["hand"][whose])
    if sees(s, seat, whose):
        return diagram.hand_words(hand)
    return diagram.hidden_words(hand.bit_count(), diagram.known_cards(s, seat, whose))


def _hand(s: Any, seat: int | None, whose: int) -> list[str]:
    hand, known = int(s["hand"][whose]), diagram.known_cards(s, seat, whose)
    return _names(hand) if sees(s, seat, whose) else _names(known) + [HIDDEN] * (hand & ~known).bit_count()


def _names(cards: int) -> list[str]:
    return [card_name(card) for card in cards_of(cards)]
