"""Hearts moves in words, and as people type them: `Qs`, `10h`."""

from collections.abc import Sequence
from typing import Any

from sparring.errors import UserError
from sparring.games.card_names import plural
from sparring.games.card_table import points_text
from sparring.games.hearts.cards import card_name, hand_of, read_card
from sparring.games.hearts.game_record import result_text
from sparring.games.hearts.plain_rules import DIRECTIONS, points_taken, refusal, result_of
from sparring.games.hearts.rules import ACROSS, PASS, PASSED


def move_words(s: Any, move: int) -> str:
    """A move in words: `passes Qs to the left`, `leads 2c`, `plays Kc`."""
    if s["phase"] == PASS:
        return f"passes {card_name(move)} {way_words(int(s['direction']))}"
    return f"{'leads' if s['turn'] == s['leader'] else 'plays'} {card_name(move)}"


def heard_words(s: Any, move: int, seat: int) -> str:
    """What a seat may know of a move: for other seats' passes only `passes three cards to the left`."""
    if s["phase"] != PASS or s["turn"] == seat:
        return move_words(s, move)
    last = int(s["passed"][s["turn"]]).bit_count() == PASSED - 1
    return f"passes three cards {way_words(int(s['direction']))}" if last else ""


def news_words(before: Any, s: Any, names: Sequence[str]) -> str:
    """The end of a trick, `the trick goes to ann with 5 points`, and of a round."""
    if before["tally"]["tricks"].sum() == s["tally"]["tricks"].sum():
        return ""
    trick = f"the trick goes to {names[int(s['last_winner'])]}{last_trick_points(s)}"
    if before["round"] == s["round"]:
        return trick
    result = result_of(s["last_won"].tolist(), s["rules"])
    lines = [trick, f"round {s['round']}: {result_text(result, names)}"]
    if s["round"] > 1:
        lines.append(f"so far: {points_text(names, s['tally']['score'].tolist())}")
    return "\n".join(lines)


def last_trick_points(s: Any) -> str:
    """The points of the last trick: ` with 5 points`, or nothing."""
    points = points_taken(hand_of(s["last_trick"].tolist()), s["rules"])
    return f" with {plural(points, 'point')}" if points else ""


def way_words(direction: int) -> str:
    """A passing direction: `to the left`, `across`."""
    return DIRECTIONS[direction] if direction == ACROSS else f"to the {DIRECTIONS[direction]}"


def read_words(s: Any, text: str) -> int:
    """The legal move that a text names; a UserError says why there is none."""
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
