"""The compiled hearts against the plain one: random games under all rules that can be chosen, card by card."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

import hearts_reference as plain
from hearts_table import TOLD, Both, random_start
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import find_players
from sparring.games import find_game
from sparring.kernel.compiler import INTERPRETED

LENGTHS = {
    "target=100": {},
    "target=50": {"target": 50},
    "target=1": {"target": 1},
    "rounds=4": {"rounds": 4},
    "rounds=6,target=20": {"rounds": 6},
}
RARE = [
    *("left", "right", "across", "points in the first trick", "no points in the first trick"),
    *("hearts not led", "only hearts to lead", "moons"),
]


def variants():
    """All rules that can be chosen, each with what was agreed in the plain game."""
    for passing, moon, jack in product(("on", "off"), ("add", "subtract", "off"), ("off", "on")):
        for length, numbers in LENGTHS.items():
            agreed = plain.Rules(passing == "on", moon, jack == "on", **numbers)
            yield f"hearts:passing={passing},moon={moon},jack={jack},{length}", agreed


VARIANTS = dict(variants())
PLAYED = [name for name in VARIANTS if not INTERPRETED or "target=1," in name + ","]  # interpreted rules are slow


def any_card(both, luck):
    return luck.choice(sorted(both.legal()))


def shooting(both, luck):
    """One seat, another each round, keeps and plays high cards and the others low ones: there are moons now and then."""
    shooter, game = both.plain.rounds % 4, both.plain
    high = (game.turn == shooter) != game.passing
    if luck.random() < 0.05:
        return any_card(both, luck)
    return (max if high else min)(sorted(both.legal()), key=plain.rank)


def notice(both, seen):
    """Count what the position is an example of."""
    game = both.plain
    if game.over or game.passing:
        seen[game.direction if not game.over else "over"] += 1
        return
    hand, legal = game.players[game.turn].hand, both.legal()
    if game.trick:
        forced = game.tricks_played == 0 and all(map(plain.points, legal))
        seen["points in the first trick"] += forced
        seen["no points in the first trick"] += not forced and game.tricks_played == 0 and len(legal) < len(hand)
    elif not game.broken and game.tricks_played:
        seen["only hearts to lead" if all(map(plain.is_heart, hand)) else "hearts not led"] += 1


def play_both(both, habit, luck, seen):
    """A game to its end in both, compared after each card."""
    both.compare()
    while not both.over:
        notice(both, seen)
        both.apply(habit(both, luck))
        both.compare()
    notice(both, seen)
    both.compare_tallies()
    assert not any(any(both.tally(field)) for field in TOLD)
    seen["rounds"] += both.plain.rounds
    seen["moons"] += sum(player.counts["moons"] for player in both.plain.players)


@pytest.mark.parametrize("habit", [any_card, shooting])
@pytest.mark.parametrize("name", PLAYED)
def test_any_legal_cards_lead_to_the_same_game(name, habit):
    luck, seen = random.Random(name), Counter()
    play_both(Both(name, VARIANTS[name], 2, luck.randrange(1 << 20)), habit, luck, seen)
    assert seen["rounds"] > 0 and seen["over"] == 1


def test_any_legal_cards_of_long_suits_lead_to_the_same_game():
    luck, seen = random.Random(1), Counter()
    for name in PLAYED[::20] if INTERPRETED else PLAYED:
        for habit in (any_card, shooting):
            play_both(Both(f"{name},{random_start(luck)}", VARIANTS[name]), habit, luck, seen)
    assert INTERPRETED or min(seen[what] for what in RARE) > 10, seen


@pytest.mark.parametrize("name", PLAYED[::7])
def test_recorded_games_follow_the_plain_rules(name):
    game, jobs, kept = find_game(name), paired_jobs(1, np.arange(4), 1), []
    tallies = play(game, jobs, find_players(game, ["random", "rule-based", "guarded", "daring"]), keep=kept.extend)
    for played, tally in list(zip(kept, tallies, strict=True))[: 1 if INTERPRETED else 4]:
        both = Both(name, VARIANTS[name], played.seed, played.deal, played.luck)
        for move in played.moves:
            both.compare()
            both.apply(plain.DECK[move])
        both.compare()
        both.compare_tallies(tally)
