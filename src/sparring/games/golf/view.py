"""Golf for people: states as text and JSON, games in notation, replays turn by turn."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from sparring.games.card_table import points_text
from sparring.games.golf import encodings, interaction, notation
from sparring.games.golf.diagram import VALUES, card_name, grid, shown_hands
from sparring.games.golf.notation import Round
from sparring.games.golf.replay import scenes
from sparring.games.golf.rules import CARDS, DISCARD, DRAW, PLACES, ROUNDS, STOCK, THROW
from sparring.games.view import Played, View


class GolfView(View):
    """The view of golf."""

    interactive = True
    tables: ClassVar = interaction

    def text(self, s: Any, seat: int | None = None) -> str:
        state = self.state_json(s, seat)
        names = [f"seat {n}" for n in range(state["seats"])]
        head = f"round {state['round']} of {ROUNDS}   stock {state['stock']}   discard {state['discard']}   "
        return f"{head}drawn {state['drawn'] or '-'}\n{grid(shown_hands(s), names, state['turn'])}"

    def move_text(self, s: Any, move: int) -> str:
        if s["phase"] == DRAW:
            return {STOCK: "draw from the stock", DISCARD: "take the upcard"}[move]
        return "throw it away" if move == THROW else f"put it at place {move + 1}, throwing what lies there"

    def heard(self, s: Any, move: int, seat: int) -> str:
        """A card from the stock is named when it is placed or thrown."""
        if s["phase"] == DRAW:
            top = s["discard"][s["discard_size"] - 1]
            return "draws from the stock" if move == STOCK else f"takes {card_name(top)} from the discard pile"
        drawn = card_name(s["drawn"])
        if move == THROW:
            return f"throws {drawn} away"
        return f"puts {drawn} at place {move + 1} and throws {card_name(s['hand'][s['turn'], move])}"

    def news(self, before: Any, s: Any, names: Sequence[str]) -> str:
        """The result of a round."""
        if before["round_number"] == s["round_number"]:
            return ""
        scores = s["tally"]["score"][: int(s["seats"])]
        points = scores - before["tally"]["score"][: int(s["seats"])]
        result = f"round {s['round_number']}: {points_text(names, points)}"
        return result if s["round_number"] == 1 else f"{result}\nso far: {points_text(names, scores)}"

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
