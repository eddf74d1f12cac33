"""Every game of the registry passes the conformance suite that ships with the package."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from amounts import amount
from hearts_table import rearrange as hearts_rearrange
from sparring.games import GAMES, Game, find_game
from sparring.games.gin.cards import cards_of, hand_of
from sparring.testing import CHECKS, check_deals_ignore_players, check_golden, check_nothing_leaks, for_all_deals

EXAMPLES = amount(2, 12)
# Random nets play gin for thousands of turns. What is checked move by move, which is slow, is checked in shorter games;
# of hearts in four rounds, after which passing begins anew.
SHORTER = {"gin": "gin:limit=300", "hearts": "hearts:rounds=4"}
WHOLE = {
    "deals are pure",
    "deals differ",
    "seats decide",
    "work is order-free",
    "measures fit",
    "interpreted play agrees",
}
GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_conforms(name: str, check: str) -> None:
    examples = amount(1, 2) if check == "interpreted play agrees" else EXAMPLES
    for_all_deals(find_game(name if check in WHOLE else SHORTER.get(name, name)), check, examples)


@pytest.mark.parametrize("name", GAMES)
def test_play_has_not_changed_since_it_was_last_printed(name: str) -> None:
    check_golden(find_game(name), GOLDEN / f"{name}.txt")


def golf_dealt(s: Any) -> tuple[int, bytes] | None:
    """A round of golf that was just dealt: its number and all its cards."""
    if s["turn_count"] or s["phase"] or s["over"]:
        return None
    return int(s["round_number"]), s["hand"].tobytes() + s["up"].tobytes() + s["stock"].tobytes() + s["discard"][
        :1
    ].tobytes()


def golf_rearrange(s: Any, seat: int, random: np.random.Generator) -> None:
    """Shuffle the cards that nobody sees, and the card that another seat drew from the stock."""
    down, left = s["up"][: s["seats"]] == 0, int(s["stock_size"])
    secret = s["phase"] == 1 and s["source"] == 0 and s["turn"] != seat
    cards = random.permutation([*s["hand"][: s["seats"]][down], *s["stock"][:left], *([s["drawn"]] if secret else [])])
    hands = s["hand"][: s["seats"]]
    hands[down], s["stock"][:left] = cards[: down.sum()], cards[down.sum() : down.sum() + left]
    if secret:
        s["drawn"] = cards[-1]


def backgammon_dealt(s: Any) -> tuple[int, tuple[int, ...]]:
    """A roll of backgammon: which of the game it is, and the dice."""
    return int(s["tally"]["turns"]), (*s["dice"].tolist(), int(s["turn"]))


def gin_dealt(s: Any) -> tuple[tuple[int, int], bytes] | None:
    """The stock of a hand of gin, from which cards are dealt one by one: 31 turns at least before it is made anew."""
    if s["hand_turns"] > 30:
        return None
    return (int(s["hand_number"]), int(s["stock_size"])), s["stock"][: s["stock_size"]].tobytes()


def gin_rearrange(s: Any, seat: int, random: np.random.Generator) -> None:
    """Shuffle the stock and the other's cards, but for those that it took openly, and the card that it drew from the stock."""
    other, left = 1 - seat, int(s["stock_size"])
    secret = cards_of(s["hand"][other] & ~s["known"][other])
    cards = random.permutation([*secret, *s["stock"][:left]])
    s["stock"][:left] = cards[len(secret) :]
    s["hand"][other] = s["known"][other] | hand_of(cards[: len(secret)].tolist())
    if s["drawn"] >= 0 and s["source"] == 0 and s["turn"] != seat:
        s["drawn"] = cards[0]


def hearts_dealt(s: Any) -> tuple[int, bytes] | None:
    """A round of hearts, and the hands before passing."""
    return None if s["over"] else (int(s["round"]), s["dealt"].tobytes())


DEALT = {"golf": golf_dealt, "backgammon": backgammon_dealt, "gin": gin_dealt, "hearts": hearts_dealt}
REARRANGE = {"golf": golf_rearrange, "gin": gin_rearrange, "hearts": hearts_rearrange}


@pytest.mark.parametrize("name", DEALT)
def test_later_deals_do_not_depend_on_the_players(name: str) -> None:
    def check(game: Game, seed: int, deal: int) -> None:
        check_deals_ignore_players(game, seed, deal, DEALT[name])

    for_all_deals(find_game(SHORTER.get(name, name)), check, EXAMPLES)


@pytest.mark.parametrize("name", REARRANGE)
def test_nobody_sees_or_uses_what_is_hidden(name: str) -> None:
    def check(game: Game, seed: int, deal: int) -> None:
        check_nothing_leaks(game, seed, deal, REARRANGE[name])

    for_all_deals(find_game(SHORTER.get(name, name)), check, EXAMPLES)
