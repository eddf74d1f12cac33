"""Gin rummy states as text: hands in melds and deadwood, as far as they may be seen, and results."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sparring.games.deck import RANKS
from sparring.games.gin.cards import by_suit, card_name, cards_of, hand_text, names_of
from sparring.games.gin.hands import NOBODY, Result, result_of
from sparring.games.gin.melds import deadwood, least_deadwood, melds_of
from sparring.games.gin.rules import HAND, UPCARD
from sparring.games.view import shorten

NAME_WIDTH = 22


class Arranged(NamedTuple):
    """A hand as it lies on the table."""

    melds: list[list[int]]  # the one with the lowest card first
    rest: list[int]  # the deadwood, from ace to king
    laid_off: list[int]  # on the opponent's melds
    deadwood: int


def arranged(hand: int, laid_off: int = 0) -> Arranged:
    """A hand in melds, deadwood and cards laid off."""
    left = int(hand) & ~laid_off
    melds = sorted(int(meld) for meld in melds_of(left) if meld)
    rest = sorted(cards_of(left & ~sum(melds)), key=lambda card: (card % RANKS, card // RANKS))
    return Arranged([cards_of(meld) for meld in melds], rest, cards_of(laid_off), int(deadwood(left)))


def hand_words(hand: Arranged) -> str:
    """A hand in melds and deadwood: `[5c 6c 7c] 2d 9h   deadwood 11`."""
    groups = [f"[{names_of(meld)}]" for meld in hand.melds]
    if hand.rest:
        groups.append(names_of(hand.rest))
    laid = f", laid off {names_of(hand.laid_off)}" if hand.laid_off else ""
    return f"{' '.join(groups)}   deadwood {hand.deadwood}{laid}"


def hidden_words(count: int, known: int) -> str:
    """A hand that may not be seen, except for the cards that were taken openly."""
    return f"{count} cards" + (f", among them {names_of(cards_of(known))}" if known else "")


def table_text(head: str, names: Sequence[str], hands: Sequence[str], mark: int) -> str:
    """A heading, and a line for each seat; the seat `mark` is marked."""
    short = [shorten(name, NAME_WIDTH) for name in names]
    width = max(map(len, short))
    rows = [
        f"{'>' if seat == mark else ' '} {name:{width}}   {hand}"
        for seat, (name, hand) in enumerate(zip(short, hands, strict=True))
    ]
    return "\n".join([head, *rows])


def piles_words(stock: int, upcard: int, pile: int) -> str:
    """The piles: `stock 29   upcard 7h   discards 3: Kc 7Qh`."""
    discards = f"{pile.bit_count()}: {by_suit(pile)}" if pile else "none"
    return f"stock {stock}   upcard {card_name(upcard) if upcard >= 0 else '-'}   discards {discards}"


# Facts about a state.


def hand_number(s: Any) -> int:
    """The number of the hand being played, or of the last one, from 1."""
    return int(s["hand_number"]) + int(not s["over"] and s["turn"] >= 0)


def last_result(s: Any) -> Result | None:
    """The result of the last hand that ended."""
    if not s["hand_number"]:
        return None
    return result_of((int(s["last_hand"][0]), int(s["last_hand"][1])), int(s["knocker"]), s["rules"])


def result_words(result: Result, names: Sequence[str], past: bool = True) -> str:
    """A result: `ann knocked with 6 against 33: ann won 27`; in the present tense as records write it."""
    knocked, went, won = ("knocked", "went", "won") if past else ("knocks", "goes", "wins")
    if result.knocker == NOBODY:
        return f"nobody {knocked}: drawn"
    mine, theirs = result.deadwood[result.knocker], result.deadwood[1 - result.knocker]
    cards = names_of(cards_of(result.laid_off)) if past else hand_text(result.laid_off)
    done = f"{f'{knocked} with {mine}' if mine else f'{went} gin'} against {theirs}"
    laid = f" after laying off {cards}" if cards else ""
    ending = "drawn" if result.winner == NOBODY else f"{names[result.winner]} {won} {result.points}"
    return f"{names[result.knocker]} {done}{laid}: {ending}"


def arranged_hand(s: Any, seat: int) -> Arranged:
    """A seat's hand; at the end of a hand, with the cards it laid off."""
    result = last_result(s) if s["over"] or s["turn"] < 0 else None
    laid_off = result.laid_off if result and seat != result.knocker else 0
    return arranged(int(s["hand"][seat]), laid_off)


def left_without(s: Any, card: int) -> int:
    """The deadwood of the seat to move without a card."""
    return int(deadwood(int(s["hand"][s["turn"]]) & ~(1 << card)))


def after_best_throw(s: Any, seat: int) -> int:
    """The deadwood that the best throw leaves of eleven cards; -1 for a hand of ten."""
    hand = int(s["hand"][seat])
    if hand.bit_count() == HAND:
        return -1
    return int(least_deadwood(hand, int(s["drawn"]) if s["source"] == UPCARD else -1))
