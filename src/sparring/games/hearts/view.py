"""Hearts for people: states as text and JSON, games in notation, replays card by card."""

from collections.abc import Sequence
from typing import Any, ClassVar

from sparring.errors import UserError
from sparring.games import card_svg
from sparring.games.card_names import SUIT_NAMES, card_text
from sparring.games.card_table import points_text, sees
from sparring.games.deck import CARDS, RANKS
from sparring.games.hearts import diagram, encodings, interaction, replay
from sparring.games.hearts.cards import card_name, cards_of, list_cards, list_hand, read_card
from sparring.games.hearts.game_record import read_record, record_of, result_text
from sparring.games.hearts.plain_rules import DIRECTIONS, penalty, refusal, result_of
from sparring.games.hearts.rules import ALL_POINTS, JACK, NONE, PASS, PASSED, PLAY, POINT_CARDS, TRICKS
from sparring.games.record_view import RecordView
from sparring.games.view import conjugated, seat_names
from sparring.kernel.launch import SEATS

PHASES = {PASS: "pass", PLAY: "play"}
PLACES = ("mine", "another's", "played by me", "played by another", "gone")  # in the order of encodings.list_places


class HeartsView(RecordView):
    """The view of hearts."""

    tables: ClassVar = interaction
    record_of, read_record, scenes = staticmethod(record_of), staticmethod(read_record), staticmethod(replay.scenes)

    def points_so_far(self, s: Any) -> list[float]:
        return [float(score + points) for score, points in diagram.points_so_far(s)]

    def points_left(self, s: Any) -> float:
        taken = sum(penalty(won) for won in s["won"].tolist())
        return 0.0 if s["over"] else float(ALL_POINTS - taken)

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The table; with a seat, from its side, and other hands show only the cards that it has passed to them."""
        names = seat_names(names, SEATS)
        points = zip(names, diagram.points_so_far(s), strict=True)
        titles = [f"{name}   {diagram.points_words(*both)}" for name, both in points]
        hands = [_words(s, seat, whose) for whose in range(SEATS)]
        mark = -1 if s["over"] else int(s["turn"])
        table = diagram.table_text(_heading(s), titles, hands, s["trick"].tolist(), mark, seat or 0)
        passed = [cards_of(s["passed"][n]) if diagram.sees_passed(s, seat, n) else [] for n in range(SEATS)]
        return "\n".join(filter(None, [table, diagram.passes_words(int(s["direction"]), names, passed)]))

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
        return self.command(s, move)

    def deed(self, s: Any, move: int, viewer: int | None) -> str:
        """`pass Q♠ to the left`, `lead 2♣`, `play K♣`; of other seats' passes only `pass three cards to the left`."""
        card = card_text(card_name(move))
        if s["phase"] == PLAY:
            return f"{{lead}} {card}" if s["turn"] == s["leader"] else f"{{play}} {card}"
        way, left = diagram.way_words(int(s["direction"])), _left_to_pass(s)
        if viewer in (None, s["turn"]):
            return f"{{pass}} {card} {way}"
        return f"{{pass}} three cards {way}" if left == 1 else ""

    def expected(self, s: Any, seat: int) -> str:
        if s["phase"] == PASS:
            count = {1: "one card", 2: "two cards", 3: "three cards"}[_left_to_pass(s)]
            return f"Choose {count} to pass {diagram.way_words(int(s['direction']))}."
        if s["turn"] != s["leader"]:
            suit = card_svg.SUIT_WORDS[SUIT_NAMES[int(s["trick"][s["leader"]]) // RANKS]]
            follows = any(card // RANKS == int(s["trick"][s["leader"]]) // RANKS for card in cards_of(s["hand"][seat]))
            return f"Play a card: follow with {suit}." if follows else f"Play any card: you have no {suit}."
        return "Lead the 2 of clubs." if not s["number"] else "Lead a card."

    def reversible(self, s: Any, move: int) -> bool:
        return bool(s["phase"] == PASS and _left_to_pass(s) > 1)

    def together(self, s: Any) -> int:
        return _left_to_pass(s) if s["phase"] == PASS else 1

    def rounds(self, s: Any) -> int:
        return int(s["round"])

    def round_end(self, before: Any, move: int, s: Any) -> Any:
        """The last trick, and in each hand the cards that count."""
        end = s.copy()
        counting = POINT_CARDS | (1 << JACK if s["rules"]["jack"] else 0)
        end["hand"] = s["last_won"] & counting
        end["won"], end["trick"], end["leader"] = s["last_won"], s["last_trick"], s["last_leader"]
        end["phase"], end["number"], end["direction"] = PLAY, TRICKS - 1, NONE
        if not s["over"]:
            end["turn"], end["round"], end["tally"]["score"] = -1, before["round"], before["tally"]["score"]
        return end

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

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """The end of a trick, `Ann takes the trick with 5 points`, and of a round."""
        if before["tally"]["tricks"].sum() == s["tally"]["tricks"].sum():
            return ""
        trick = conjugated(f"{{take}} the trick{diagram.last_trick_points(s)}", names[int(s["last_winner"])])
        if before["round"] == s["round"]:
            return trick
        lines = [trick, f"Round {s['round']}: {result_text(result_of(s['last_won'].tolist(), s['rules']), names)}"]
        if s["round"] > 1:
            lines.append(f"So far: {points_text(names, s['tally']['score'].tolist())}")
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


def _left_to_pass(s: Any) -> int:
    """How many cards the seat to move has still to choose."""
    return int(PASSED) - int(s["passed"][s["turn"]]).bit_count()


def _heading(s: Any) -> str:
    """The state of the game: `round 1, trick 3   hearts are broken   to 100 points`."""
    number, rounds = f"round {diagram.round_number(s)}", s["rules"]["rounds"]
    length = f"to {s['rules']['target']} points"
    if rounds:
        number, length = f"{number} of {rounds}", ""
    if s["over"] or s["turn"] < 0:
        parts = [f"{'over after' if s['over'] else 'end of'} {number}"]
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
