"""The card table as text: hands arranged in melds and deadwood, as far as they may be seen."""

from collections.abc import Sequence
from typing import NamedTuple

from sparring.games.deck import RANKS
from sparring.games.gin.cards import by_suit, card_name, cards_of, names_of
from sparring.games.gin.melds import deadwood, melds_of

NAME_WIDTH = 22


class Arranged(NamedTuple):
    """A hand as it lies on the table."""

    melds: list[list[int]]  # from that with the lowest card
    rest: list[int]  # the deadwood, from ace to king
    laid_off: list[int]  # on the other's melds
    deadwood: int


def arranged(hand: int, laid_off: int = 0) -> Arranged:
    """A hand in melds and deadwood, the cards that were laid off apart."""
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
    """A hand that may not be seen, but for the cards that were taken openly."""
    return f"{count} cards" + (f", among them {names_of(cards_of(known))}" if known else "")


def short(name: str, limit: int = NAME_WIDTH) -> str:
    """A name that fits."""
    return name if len(name) <= limit else name[: limit - 3] + "..."


def table_text(head: str, names: Sequence[str], hands: Sequence[str], mark: int) -> str:
    """A line about the table, and one for each seat; that of the seat `mark` is marked."""
    width = max(len(short(name)) for name in names)
    rows = [
        f"{'>' if seat == mark else ' '} {short(name):{width}}   {hand}"
        for seat, (name, hand) in enumerate(zip(names, hands, strict=True))
    ]
    return "\n".join([head, *rows])


def piles_words(stock: int, upcard: int, pile: int) -> str:
    """What lies in the middle: `stock 29   upcard 7h   discards 3: Kc 7Qh`."""
    discards = f"{pile.bit_count()}: {by_suit(pile)}" if pile else "none"
    return f"stock {stock}   upcard {card_name(upcard) if upcard >= 0 else '-'}   discards {discards}"
