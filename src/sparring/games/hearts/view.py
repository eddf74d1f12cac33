"""Hearts for people: states as text and JSON, games in notation, replays card by card."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from sparring.games.card_names import SUIT_NAMES
from sparring.games.deck import CARDS
from sparring.games.game import start_game
from sparring.games.hearts import encodings
from sparring.games.hearts.cards import card_name, cards_of
from sparring.games.hearts.diagram import hand_words, hidden_words, passes_words, points_words, table_text
from sparring.games.hearts.game_record import read_record, record_of, tally_of, write_record
from sparring.games.hearts.notation import heard_words, move_words, news_words, read_words
from sparring.games.hearts.replay import round_scenes, scene_text, scenes
from sparring.games.hearts.rules import NONE, PASS, PLAY, TRICKS
from sparring.games.hearts.table_svg import DIRECTIONS, counted, receiver
from sparring.games.view import Played, View
from sparring.kernel.launch import SEATS

HIDDEN = "--"
NAMES = [f"seat {seat}" for seat in range(SEATS)]
PHASES = {PASS: "pass", PLAY: "play"}
PLACES = ("mine", "another's", "played by me", "played by another", "gone")  # in the order of encodings.list_places
FRAMES = 200  # a page shows this many tables of a round at most


class HeartsView(View):
    """The View of hearts."""

    interactive = True

    def text(self, s: Any, seat: int | None = None) -> str:
        """The table; with a seat, from its side, others' hands showing only the cards that it has passed to them."""
        titles = [f"{name}   {points_words(*both)}" for name, both in zip(NAMES, points_so_far(s), strict=True)]
        hands = [_words(s, seat, whose) for whose in range(SEATS)]
        mark = -1 if s["over"] else int(s["turn"])
        shown = [table_text(_heading(s), titles, hands, s["trick"].tolist(), mark, seat or 0), _passes(s, seat)]
        return "\n".join(filter(None, shown))

    def move_text(self, s: Any, move: int) -> str:
        return move_words(s, move)

    def heard(self, s: Any, move: int, seat: int) -> str:
        """What a seat hears of a move: of what others pass, that they have chosen it."""
        return heard_words(s, move, seat)

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """Who takes a trick, and what a round comes to."""
        return news_words(before, s, names)

    def read_move(self, s: Any, text: str) -> int:
        """The legal move that a text means in this state; a UserError says why it is none."""
        return read_words(s, text)

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        """The state as JSON; with a seat, others' cards are -- but for those that it has passed to them."""
        return {
            "game": "hearts",
            "seats": SEATS,
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "phase": PHASES[int(s["phase"])],
            "round": round_number(s),
            "target": int(s["rules"]["target"]),
            "rounds": int(s["rules"]["rounds"]),
            "direction": DIRECTIONS[int(s["direction"])],
            "number": trick_number(s),
            "leader": int(s["leader"]) if s["phase"] == PLAY else -1,
            "trick": [card_name(card) if card >= 0 else "" for card in s["trick"].tolist()],
            "broken": bool(s["broken"]),
            "hands": [_hand(s, seat, whose) for whose in range(SEATS)],
            "passed": [_names(int(s["passed"][n])) if sees_passed(s, seat, n) else None for n in range(SEATS)],
            "won": [_names(cards) for cards in s["won"].tolist()],
            "voids": [[name for n, name in enumerate(SUIT_NAMES) if suits >> n & 1] for suits in s["voids"].tolist()],
            "points": [points for _, points in points_so_far(s)],
            "scores": s["tally"]["score"].tolist(),
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
            yield scene_text(scene, names)

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """The first round, card by card."""
        from sparring.games.hearts.picture import table_svg

        shown = islice(round_scenes(read_record(text, place), 0, names), FRAMES)
        return [(scene.said, table_svg(scene, names)) for scene in shown]

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The table as a seat sees it; without a seat, all hands."""
        from sparring.games.hearts import interaction

        return interaction.table(s, seat, names)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        """One's own cards."""
        from sparring.games.hearts import interaction

        return interaction.input_sequences(s, move)

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        """A card, and where it is."""
        cards = [card_name(card) for card in range(CARDS)]
        inputs = {
            encodings.PLAY_VIEW: [f"{card} {place}" for card in cards for place in PLACES],
            encodings.PASS_VIEW: [f"{card} {what}" for what in ("dealt", "passed") for card in cards],
            encodings.HAND_VIEW: cards,
        }
        return inputs[encodings.NAMES.index(encoding)], ["value"] * outputs


def sees(s: Any, seat: int | None, whose: int) -> bool:
    """Whether a seat (None for everyone's cards) may see a hand: its own, and all once the game is over."""
    return bool(seat is None or seat == whose or s["over"])


def sees_passed(s: Any, seat: int | None, giver: int) -> bool:
    """Whether a seat may see what another passes: what it has got itself, once all have chosen."""
    return sees(s, seat, giver) or receives(s, seat, giver)


def receives(s: Any, seat: int | None, giver: int) -> bool:
    """Whether a seat has got another's cards in this round."""
    return s["phase"] == PLAY and s["direction"] != NONE and receiver(giver, int(s["direction"])) == seat


def known_cards(s: Any, seat: int | None, whose: int) -> int:
    """The cards of another's hand that a seat knows to be there, because it has passed them."""
    if seat is None or seat < 0 or not receives(s, whose, seat):
        return 0
    return int(s["passed"][seat] & s["hand"][whose])


def round_number(s: Any) -> int:
    """The round being played, or the last one, from 1."""
    return int(s["round"]) + int(not s["over"])


def trick_number(s: Any) -> int:
    """The trick being played, or the last one, from 1."""
    return min(int(s["number"]) + 1, TRICKS)


def points_so_far(s: Any) -> list[tuple[int, int]]:
    """Each seat's score before this round, and its points in it; the last round of a game is in its score."""
    if s["over"]:
        return [(score, 0) for score in s["tally"]["score"].tolist()]
    return [
        (score, counted(won, s["rules"]))
        for score, won in zip(s["tally"]["score"].tolist(), s["won"].tolist(), strict=True)
    ]


def _heading(s: Any) -> str:
    """Where the game stands: `round 1, trick 3   hearts are broken   to 100 points`."""
    told, number = s["rules"], f"round {round_number(s)}"
    number, length = (
        (f"{number} of {told['rounds']}", "") if told["rounds"] else (number, f"to {told['target']} points")
    )
    if s["over"]:
        parts = [f"over after {number}"]
    elif s["phase"] == PASS:
        parts = [f"{number}, passing {DIRECTIONS[int(s['direction'])]}"]
    else:
        parts = [f"{number}, trick {trick_number(s)}", f"hearts are {'' if s['broken'] else 'not '}broken"]
    return "   ".join(filter(None, [*parts, length]))


def _passes(s: Any, seat: int | None) -> str:
    """What is passed, as far as the seat may see it."""
    passed = [cards_of(s["passed"][n]) if sees_passed(s, seat, n) else [] for n in range(SEATS)]
    return passes_words(int(s["direction"]), NAMES, passed)


def _words(s: Any, seat: int | None, whose: int) -> str:
    hand = int(s["hand"][whose])
    return hand_words(hand) if sees(s, seat, whose) else hidden_words(hand.bit_count(), known_cards(s, seat, whose))


def _hand(s: Any, seat: int | None, whose: int) -> list[str]:
    hand, known = int(s["hand"][whose]), known_cards(s, seat, whose)
    return _names(hand) if sees(s, seat, whose) else _names(known) + [HIDDEN] * (hand & ~known).bit_count()


def _names(cards: int) -> list[str]:
    return [card_name(card) for card in cards_of(cards)]
