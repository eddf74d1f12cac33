"""Moves in words, and as a person types them: `Qs`, `10h`."""

from typing import Any

from sparring.errors import UserError
from sparring.games.hearts.cards import card_name, read_card
from sparring.games.hearts.rules import ACROSS, PASS
from sparring.games.hearts.table import DIRECTIONS, refusal


def move_words(s: Any, move: int) -> str:
    """What a move does: `passes Qs to the left`, `leads 2c`, `plays Kc`."""
    if s["phase"] == PASS:
        return f"passes {card_name(move)} {way_words(int(s['direction']))}"
    return f"{'leads' if s['turn'] == s['leader'] else 'plays'} {card_name(move)}"


def way_words(direction: int) -> str:
    """Where cards are passed to: `to the left`, `across`."""
    return DIRECTIONS[direction] if direction == ACROSS else f"to the {DIRECTIONS[direction]}"


def read_words(s: Any, text: str) -> int:
    """The legal move that a text means in this state; a UserError says why it is none."""
    words = text.lower().replace("10", "t").split()
    if len(words) != 1:
        raise UserError(f"{text}: type one card, such as Qs")
    card, seat = read_card(words[0], text), int(s["turn"])
    hand, name = int(s["hand"][seat]), card_name(card)
    if not hand >> card & 1:
        raise UserError(f"{text}: {name} is not in your hand")
    if s["phase"] == PASS:
        if int(s["passed"][seat]) >> card & 1:
            raise UserError(f"{text}: you pass {name} already")
        return card
    why = refusal(hand, card, int(s["trick"][s["leader"]]), int(s["number"]), bool(s["broken"]))
    if why:
        raise UserError(f"{text}: {why}")
    return card
