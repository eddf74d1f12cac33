"""Hearts for people: states as text and JSON, games in notation, replays card by card."""

from collections.abc import Sequence
from typing import Any, ClassVar

from sparring.errors import UserError
from sparring.games.card_names import SUIT_NAMES
from sparring.games.card_table import points_text, sees
from sparring.games.deck import CARDS
from sparring.games.hearts import diagram, encodings, interaction, replay
from sparring.games.hearts.cards import card_name, cards_of, list_cards, list_hand, read_card
from sparring.games.hearts.game_record import read_record, record_of, result_text
from sparring.games.hearts.plain_rules import DIRECTIONS, refusal, result_of
from sparring.games.hearts.rules import PASS, PASSED, PLAY
from sparring.games.record_view import RecordView
from sparring.kernel.launch import SEATS

NAMES = [f"seat {seat}" for seat in range(SEATS)]
PHASES = {PASS: "pass", PLAY: "play"}
PLACES = ("mine", "another's", "played by me", "played by another", "gone")  # in the order of encodings.list_places


class HeartsView(RecordView):
    """The view of hearts."""

    tables: ClassVar = interaction
    record_of, read_record, scenes = staticmethod(record_of), staticmethod(read_record), staticmethod(replay.scenes)

    def text(self, s: Any, seat: int | None = None) -> str:
        """The table; with a seat, from its side, and other hands show only the cards that it has passed to them."""
        points = zip(NAMES, diagram.points_so_far(s), strict=True)
        titles = [f"{name}   {diagram.points_words(*both)}" for name, both in points]
        hands = [_words(s, seat, whose) for whose in range(SEATS)]
        mark = -1 if s["over"] else int(s["turn"])
        table = diagram.table_text(_heading(s), titles, hands, s["trick"].tolist(), mark, seat or 0)
        passed = [cards_of(s["passed"][n]) if diagram.sees_passed(s, seat, n) else [] for n in range(SEATS)]
        return "\n".join(filter(None, [table, diagram.passes_words(int(s["direction"]), NAMES, passed)]))

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
            "hands": [
                list_hand(int(s["hand"][n]), sees(s, seat, n), diagram.known_cards(s, seat, n)) for n in range(SEATS)
            ],
            "passed": [list_cards(s["passed"][n]) if diagram.sees_passed(s, seat, n) else None for n in range(SEATS)],
            "won": [list_cards(cards) for cards in s["won"].tolist()],
            "voids": [[name for n, name in enumerate(SUIT_NAMES) if suits >> n & 1] for suits in s["voids"].tolist()],
            "points": [points for _, points in diagram.points_so_far(s)],
            "scores": s["tally"]["score"].tolist(),
        }

    def move_text(self, s: Any, move: int) -> str:
        """A move in words: `passes Qs to the left`, `leads 2c`, `plays Kc`."""
        if s["phase"] == PASS:
            return f"passes {card_name(move)} {diagram.way_words(int(s['direction']))}"
        return f"{'leads' if s['turn'] == s['leader'] else 'plays'} {card_name(move)}"

    def read_move(self, s: Any, text: str) -> int:
        """A card as people type it: `Qs`, `10h`; a UserError says why it is not legal."""
        words = text.lower().replace("10", "t").split()
        if len(words) != 1:
            raise UserError(f"{text}: type one card, such as Qs")
        card, seat = read_card(words[0], text), int(s["turn"])
        hand, name = int(s["hand"][seat]), card_name(card)
        if not hand >> card & 1:
            raise UserError(f"{text}: {name} is not in your hand")
        if s["phase"] == PASS:
            if int(s["passed"][seat]) >> card & 1:
                raise UserError(f"{text}: you already pass {name}")
            return card
        why = refusal(hand, card, int(s["trick"][s["leader"]]), int(s["number"]), bool(s["broken"]))
        if why:
            raise UserError(f"{text}: {why}")
        return card

    def heard(self, s: Any, move: int, seat: int) -> str:
        """Of other seats' passes only `passes three cards to the left`."""
        if s["phase"] != PASS or s["turn"] == seat:
            return self.move_text(s, move)
        last = int(s["passed"][s["turn"]]).bit_count() == PASSED - 1
        return f"passes three cards {diagram.way_words(int(s['direction']))}" if last else ""

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """The end of a trick, `the trick goes to ann with 5 points`, and of a round."""
        if before["tally"]["tricks"].sum() == s["tally"]["tricks"].sum():
            return ""
        trick = f"the trick goes to {names[int(s['last_winner'])]}{diagram.last_trick_points(s)}"
        if before["round"] == s["round"]:
            return trick
        lines = [trick, f"round {s['round']}: {result_text(result_of(s['last_won'].tolist(), s['rules']), names)}"]
        if s["round"] > 1:
            lines.append(f"so far: {points_text(names, s['tally']['score'].tolist())}")
        return "\n".join(lines)

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


def _words(s: Any, seat: int | None, whose: int) -> str:
    hand = int(s["hand"][whose])
    if sees(s, seat, whose):
        return diagram.hand_words(hand)
    return diagram.hidden_words(hand.bit_count(), diagram.known_cards(s, seat, whose))
