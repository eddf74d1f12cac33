"""Golf for people: states as text and JSON, games in notation, replays turn by turn."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sparring.games.golf import encodings, notation
from sparring.games.golf.notation import Round, Turn, decode_turn
from sparring.games.golf.rules import CARDS, COLUMNS, DISCARD, DRAW, JOKER, PLACES, ROUNDS, STOCK, THROW
from sparring.games.view import Played, View

VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "♣♥♠♦"
HIDDEN = "--"


def card_name(card: int) -> str:
    """A card as people write it; a face-down card is --."""
    if card < 0:
        return HIDDEN
    return f"{VALUES[card % 13]}{SUITS[card // 13]}" if card < JOKER else "Jo"


def grid(hands: list[list[int]], names: list[str], mark: int) -> str:
    """Hands side by side, two rows of three cards, with the seat to move marked."""
    width = max(16, *(len(name) + 4 for name in names))
    rows = ["".join(f"{'>' if seat == mark else ' '} {name}".ljust(width) for seat, name in enumerate(names))]
    for first in (0, COLUMNS):
        rows.append(
            "".join(
                "  " + " ".join(card_name(card).ljust(3) for card in hand[first : first + COLUMNS]).ljust(width - 2)
                for hand in hands
            )
        )
    return "\n".join(row.rstrip() for row in rows)


class GolfView(View):
    """The View of golf."""

    interactive = True

    def text(self, s: Any, seat: int | None = None) -> str:
        told = self.state_json(s, seat)
        names = [f"seat {n}" for n in range(told["seats"])]
        head = (
            f"round {told['round']} of {ROUNDS}   stock {told['stock']}   discard {told['discard']}   "
            f"drawn {told['drawn'] or '-'}"
        )
        return head + "\n" + grid(_shown(s), names, told["turn"])

    def move_text(self, s: Any, move: int) -> str:
        if s["phase"] == DRAW:
            return {STOCK: "draw from the stock", DISCARD: "take the upcard"}[move]
        return "throw it away" if move == THROW else f"put it at place {move + 1}, throwing what lies there"

    def heard(self, s: Any, move: int, seat: int) -> str:
        """What everyone hears of a move: a card from the stock is named when it is put somewhere."""
        if s["phase"] == DRAW:
            top = s["discard"][s["discard_size"] - 1]
            return "draws from the stock" if move == STOCK else f"takes {card_name(top)} from the discard pile"
        drawn = card_name(s["drawn"])
        if move == THROW:
            return f"throws {drawn} away"
        return f"puts {drawn} at place {move + 1} and throws {card_name(s['hand'][s['turn'], move])}"

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """What a round came to."""
        if before["round_number"] == s["round_number"]:
            return ""
        scores = s["tally"]["score"][: int(s["seats"])]
        points = scores - before["tally"]["score"][: int(s["seats"])]
        told = f"round {s['round_number']}: {_points_text(names, points)}"
        return told if s["round_number"] == 1 else f"{told}\nso far: {_points_text(names, scores)}"

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        hidden = seat is not None and seat != s["turn"]
        pile = int(s["discard_size"])
        return {
            "game": "golf",
            "seats": int(s["seats"]),
            "round": min(int(s["round_number"]) + 1, ROUNDS),
            "over": bool(s["over"]),
            "turn": int(s["turn"]),
            "phase": "draw" if s["phase"] == DRAW else "place",
            "stock": int(s["stock_size"]),
            "discard": card_name(s["discard"][pile - 1]) if pile else "",
            "drawn": "" if s["drawn"] < 0 or (hidden and s["source"] == STOCK) else card_name(s["drawn"]),
            "hands": [[card_name(card) for card in hand] for hand in _shown(s)],
            "scores": s["tally"]["score"][: int(s["seats"])].tolist(),
        }

    def game_text(self, played: Played) -> str:
        rounds = notation.rounds_of(played.seed, played.deal, played.luck, played.seats, np.array(played.moves))
        return "\n".join(notation.write_round(r) for r in rounds)

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        rounds = notation.read_game(text, place)
        return rounds[0].seats, notation.moves_of(rounds)

    def game_tally(self, text: str, place: str) -> np.ndarray:
        return notation.tally_of(notation.read_game(text, place))

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        rounds = _rounds(text, place, known)
        totals = [0] * rounds[0].seats
        for number, r in enumerate(rounds, 1):
            yield from replay_round(r, f"round {number}", names)
            totals = [a + b for a, b in zip(totals, r.scores, strict=True)]
            yield ("final score: " if number == ROUNDS else "so far: ") + _points_text(names, totals)

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        from sparring.games.golf.picture import round_frames

        return round_frames(_rounds(text, place, known)[0], "round 1", names)

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The table as a seat sees it; without a seat, face-down cards show what they are."""
        from sparring.games.golf import interaction

        return interaction.table(s, seat, names)

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        """The piles, and the six places of one's own cards."""
        from sparring.games.golf import interaction

        return interaction.input_sequences(s, move)

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        places = [f"place {place + 1}" for place in range(PLACES)]
        kinds = [f"{place}: {kind}" for place in places for kind in (*VALUES, "joker", "face down")]
        seen = ["opponent", "discarded", "unknown", *(places if encoding == encodings.NAMES[encodings.STATE] else [])]
        cards = [f"{where}: {card_name(card)}" for where in seen for card in range(CARDS)]
        inputs = {encodings.HAND: kinds, encodings.STATE: cards, encodings.STATE_HAND: cards + kinds}
        return inputs[encodings.NAMES.index(encoding)], ["value"]


def _rounds(text: str, place: str, known: Played | None) -> list[Round]:
    rounds = notation.read_game(text, place)
    if known is None:
        return rounds
    return notation.rounds_of(known.seed, known.deal, known.luck, known.seats, np.array(notation.moves_of(rounds)))


def _points_text(names: Sequence[str], points: Sequence[int] | np.ndarray) -> str:
    return ", ".join(f"{name} {each}" for name, each in zip(names, points, strict=True))


def _shown(s: Any) -> list[list[int]]:
    """Every seat's cards, -1 where face down: golf hides the same cards from everyone."""
    return [
        [int(card) if up else -1 for card, up in zip(hand, ups, strict=True)]
        for hand, ups in zip(s["hand"][: int(s["seats"])], s["up"], strict=False)
    ]


def last_turn(s: Any) -> Turn | None:
    """The turn before this one, if there was one in this round."""
    return decode_turn(s["turns"][s["turn_count"] - 1]) if s["turn_count"] else None


def winners_words(s: Any, names: Sequence[str]) -> str:
    """Who has won: the fewest points do."""
    scores = s["tally"]["score"][: int(s["seats"])].tolist()
    best = [name for name, score in zip(names, scores, strict=True) if score == min(scores)]
    return f"won by {best[0]}" if len(best) == 1 else f"drawn between {' and '.join(best)}"


class Scene(NamedTuple):
    """The table after a turn, and what was done in it."""

    said: str
    hands: list[list[int]]  # -1 where face down
    seat: int  # to move; -1 once the round is over
    top: int  # of the discard pile; -1 where not recorded
    drawn: int  # in this turn; -1 before the first and at the end


def scenes(r: Round, title: str, names: list[str]) -> Iterator[Scene]:
    """The round as it begins, after each turn, and with all cards turned up."""
    shown = [list(hand) for hand in r.start]
    top, seat = r.upcard, r.starter
    said = f"{title}: {names[seat]} begins; upcard {card_name(top) if top >= 0 else 'not recorded'}"
    yield Scene(said, [list(hand) for hand in shown], seat, top, -1)
    for number, (source, drawn, place, thrown) in enumerate(r.turns, 1):
        said = f"{title}, turn {number}: {names[seat]} {'draws' if source == STOCK else 'takes the upcard'} {card_name(drawn)}"
        if place < PLACES:
            shown[seat][place] = drawn
            said += f", puts it at place {place + 1} and throws {card_name(thrown)}"
        else:
            said += " and throws it"
        top, seat = thrown, (seat + 1) % r.seats
        yield Scene(said, [list(hand) for hand in shown], seat, top, drawn)
    ending = "stopped: the same turn came again and again" if r.stalemate else f"ended by {names[r.ender]}"
    scores = _points_text(names, r.scores)
    yield Scene(f"{title} {ending}; all cards are turned up: {scores}", [list(hand) for hand in r.final], -1, top, -1)


def replay_round(r: Round, title: str, names: list[str]) -> Iterator[str]:
    """The round as one text per turn: what was done, and the table after it."""
    for scene in scenes(r, title, names):
        yield f"{scene.said}\n{grid(scene.hands, names, scene.seat)}"
