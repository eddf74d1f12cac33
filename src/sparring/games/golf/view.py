"""Golf for people: states as text and JSON, games in notation, replays turn by turn."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from sparring.games import card_svg
from sparring.games.card_table import points_text
from sparring.games.golf import encodings, interaction, notation
from sparring.games.golf.diagram import (
    PLACE_WORDS,
    VALUES,
    card_name,
    card_words,
    face_name,
    grid,
    replaced,
    shown_hands,
)
from sparring.games.golf.notation import Round
from sparring.games.golf.replay import scenes
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, PLACES, ROUNDS, STOCK, THROW
from sparring.games.view import Played, View, seat_names


class GolfView(View):
    """The view of golf."""

    interactive = True
    tables: ClassVar = interaction

    def text(self, s: Any, seat: int | None = None, names: Sequence[str] = ()) -> str:
        state = self.state_json(s, seat)
        head = f"round {state['round']} of {ROUNDS}   stock {state['stock']}   discard {state['discard']}   "
        return f"{head}drawn {state['drawn'] or '-'}\n{grid(shown_hands(s), seat_names(names, state['seats']), state['turn'])}"

    def move_text(self, s: Any, move: int) -> str:
        """A move before it is made: what it turns up is not known yet."""
        if s["phase"] == DRAW or move == THROW or s["up"][s["turn"], move]:
            return self.command(s, move)
        return f"replace the face-down card ({PLACE_WORDS[move]}) with {card_words(s['drawn'])}"

    def deed(self, s: Any, move: int, viewer: int | None) -> str:
        """A card from the stock is named when it is placed or discarded."""
        if s["phase"] == DRAW:
            top = card_words(s["discard"][s["discard_size"] - 1])
            return "{draw} from the stock" if move == STOCK else f"{{take}} {top} from the discard pile"
        drawn = card_words(s["drawn"])
        if move == THROW:
            return f"{{discard}} {drawn}"
        return replaced(card_words(s["hand"][s["turn"], move]), move, drawn)

    def expected(self, s: Any, seat: int) -> str:
        if s["phase"] == DRAW:
            top = card_svg.spoken(face_name(s["discard"][s["discard_size"] - 1]))
            return f"Choose a pile: the stock or the {top}."
        drawn = f"Choose the card that the {card_svg.spoken(face_name(s['drawn']))} replaces"
        return f"{drawn}." if s["source"] == DISCARD else f"{drawn}, or the discard pile to discard it."

    def reversible(self, s: Any, move: int) -> bool:
        return bool(s["phase"] == DRAW and move == DISCARD)

    def rounds(self, s: Any) -> int:
        return int(s["round_number"])

    def round_end(self, before: Any, move: int, s: Any) -> Any:
        """All cards face up. The last move is a card that goes into the hand or to the discard pile."""
        if s["over"]:
            return s
        end, seat, thrown = before.copy(), int(before["turn"]), int(before["drawn"])
        if move < PLACES:
            thrown, end["hand"][seat, move] = int(end["hand"][seat, move]), before["drawn"]
        end["discard"][end["discard_size"]] = thrown
        end["discard_size"] += 1
        end["up"], end["turn"], end["drawn"], end["phase"] = 1, -1, -1, DRAW
        return end

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """The result of a round."""
        if before["round_number"] == s["round_number"]:
            return ""
        scores = s["tally"]["score"][: int(s["seats"])]
        points = scores - before["tally"]["score"][: int(s["seats"])]
        result = f"Round {s['round_number']}: {points_text(names, points)}"
        return result if s["round_number"] == 1 else f"{result}\nSo far: {points_text(names, scores)}"

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
            "hands": [[card_name(card) for card in hand] for hand in shown_hands(s)],
            "scores": s["tally"]["score"][: int(s["seats"])].tolist(),
        }

    def game_text(self, played: Played) -> str:
        return "\n".join(notation.write_round(r) for r in notation.rounds_of(played, played.moves))

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        rounds = notation.read_game(text, place)
        return rounds[0].seats, notation.moves_of(rounds)

    def game_tally(self, text: str, place: str) -> np.ndarray:
        return notation.tally_of(notation.read_game(text, place))

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        rounds = _rounds(text, place, known)
        totals = [0] * rounds[0].seats
        for number, r in enumerate(rounds, 1):
            yield from (scene.text(names) for scene in scenes(r, f"round {number}", names))
            totals = [a + b for a, b in zip(totals, r.scores, strict=True)]
            yield ("final score: " if number == ROUNDS else "so far: ") + points_text(names, totals)

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        """The first round."""
        first = _rounds(text, place, known)[0]
        return [(scene.said, scene.svg(names)) for scene in scenes(first, "round 1", names)]

    def net_labels(self, encoding: str, policy: str, outputs: int) -> tuple[list[str], list[str]]:
        places = [f"place {place + 1}" for place in range(PLACES)]
        kinds = [f"{place}: {kind}" for place in places for kind in (*VALUES, "joker", "face down")]
        seen = ["opponent", "discarded", "unknown", *(places if encoding == encodings.NAMES[encodings.STATE] else [])]
        cards = [f"{where}: {card_name(card)}" for where in seen for card in range(CARDS)]
        inputs = {encodings.HAND: kinds, encodings.STATE: cards, encodings.STATE_HAND: cards + kinds}
        inputs[encodings.COLUMN] = self._column_labels()
        return inputs[encodings.NAMES.index(encoding)], ["value"]

    def _column_labels(self) -> list[str]:
        kinds = (*VALUES, "joker", "face down")
        columns = [f"{low} and {high}" for n, high in enumerate(kinds) for low in kinds[: n + 1]]
        down = [f"{whose} face-down cards: {n}" for whose in ("own", "another's") for n in range(PLACES - 1)]
        owners = [f"{whose} column: {column}" for whose in ("own", "next player's") for column in columns]
        return [*owners, *(f"upcard: {kind}" for kind in kinds), *(f"unseen: {kind}" for kind in kinds[:-1]), *down]


def _rounds(text: str, place: str, known: Played | None) -> list[Round]:
    rounds = notation.read_game(text, place)
    return notation.rounds_of(known, notation.moves_of(rounds)) if known else rounds
