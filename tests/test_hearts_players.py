"""Hearts' players: each rule of thumb at a table put up for it, moons stopped and shot, and what Monte Carlo deals and gains."""

import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import hearts_reference as plain
from hearts_table import NUMBERS, cards, passing_to, rearrange, start, suited
from sparring.arena.match import match
from sparring.arena.players import Chooser, find_player
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts import rules
from sparring.games.hearts.cards import cards_of, hand_of
from sparring.games.hearts.heuristics import moon_threat
from sparring.games.hearts.monte import deal_world, list_candidates, prepare_deals
from sparring.games.hearts.tricks import AT, INT_SCRATCH
from sparring.kernel.compiler import INTERPRETED
from sparring.kernel.records import records

PLAYERS = ("rule-based", "expert", "guarded", "daring", "uct@9", "monte-carlo@3", "searcher@3")
GAMES = 1 if INTERPRETED else 10


@cache
def chooser(player, rule="passing=off"):
    game = find_game(f"hearts:{rule}")
    return Chooser(game, find_player(game, player))


def bits(words):
    return hand_of(NUMBERS[word] for word in words.split())


def seated(
    hand, trick="", out="", won=("", "", "", ""), voids=("", "", "", ""), number=None, broken=1, rule="passing=off"
):
    """Seat 0 to move with a hand, after the cards of a trick by the seats before it; whatever else is not out was played."""
    state = start_game(find_game(f"hearts:{rule}"), 1, 0, 0, 4)
    s, fallen = state[0], trick.split()
    s["phase"], s["turn"], s["leader"], s["broken"], s["direction"] = (
        rules.PLAY,
        0,
        -len(fallen) % 4,
        broken,
        rules.NONE,
    )
    s["number"] = 13 - len(hand.split()) if number is None else number
    s["hand"], s["trick"] = 0, -1
    s["hand"][0] = bits(hand)
    for seat, card in enumerate(fallen, 4 - len(fallen)):
        s["trick"][seat % 4] = NUMBERS[card]
    s["played"] = (1 << 52) - 1 & ~bits(f"{hand} {trick} {out}")
    for seat in range(4):
        s["won"][seat] = bits(won[seat])
        s["voids"][seat] = sum(1 << plain.SUITS.index(suit) for suit in voids[seat])
    return state


def says(state, player="expert", rule="passing=off"):
    """The card that a player chooses."""
    return plain.DECK[chooser(player, rule).choose(state)]


def passes(hand, player="expert"):
    """The three cards that a player passes of a hand, in order."""
    state = start_game(find_game("hearts"), 1, 0, 0, 4)
    state[0]["hand"][0] = bits(hand)
    chosen = []
    for _ in range(3):
        chosen.append(says(state, player, "passing=on"))
        state[0]["passed"][0] |= bits(chosen[-1])
    return " ".join(chosen)


# What holds of all of them.


@pytest.mark.parametrize("player", PLAYERS)
def test_a_card_is_legal_and_does_not_depend_on_what_is_hidden(player):
    game, random = find_game("hearts:rounds=4"), np.random.default_rng(1)
    ask, other = Chooser(game, find_player(game, player)), Chooser(game, find_player(game, "random"))
    for deal in range(GAMES):
        state = start_game(game, 3, deal, 0, 4)
        while not state[0]["over"] and (state[0]["round"] < 2 or not INTERPRETED):
            seat = int(state[0]["turn"])
            hidden = state.copy()
            rearrange(hidden[0], seat, random)
            move = ask.choose(state)
            assert move in legal_moves(game, state) and move == ask.choose(hidden)
            play_move(game, state, move if seat < 2 else other.choose(state))


DIGEST = """
from sparring.arena.players import Chooser, find_player
from sparring.games import find_game
from sparring.games.game import play_move, start_game
for rule in ("rounds=2,passing=on", "rounds=1,passing=off,jack=on"):
    game = find_game("hearts:" + rule)
    players = [Chooser(game, find_player(game, name)) for name in ("monte-carlo@2", "uct@9", "daring", "searcher@2")]
    state, played = start_game(game, 1, 2, 0, 4), []
    while not state[0]["over"]:
        played.append(players[(state[0]["turn"] + state[0]["round"]) % 4].choose(state))
        play_move(game, state, played[-1])
    print(played, state[0]["tally"])
"""


def test_interpreted_players_play_as_compiled_ones():
    told = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env=os.environ | {"SPARRING_INTERPRET": word},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for word in ("0", "1")
    ]
    assert told[0] == told[1] and len(told[0]) > 500


# The expert, rule by rule.


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        (
            "Qs Ks 2s 3s 4s 2c 3c 4c 5c 2d 3d 4d 5d",
            "Qs 5c 4c",
        ),  # three guards are too few for the queen, not for the king
        ("Qs 2s 3s 4s 5s 2c 3c 4c 5c 2d 3d 4d 5d", "5c 4c 3c"),
        ("As Ks 2s 3s 9h Th Jh 2c 3c 4c 2d 3d 4d", "As Ks Jh"),
        ("As Ks 2s 3s 4s 9h Th Jh 2c 3c 4c 5c 2d", "Jh Th 9h"),
    ],
)
def test_1_high_spades_are_passed_unless_low_ones_guard_them(hand, chosen):
    assert passes(hand) == chosen


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        ("2s 3s 4s 2h 3h Kh 2c 3c 4c Kc 7d 8d 9d", "Kh Kc 9d"),  # by rank, and hearts first
        ("2s 3s 4s 5s 6s 7s 2h 3h 4h 5h 6h 8d 9c", "9c 8d 6h"),  # what empties a suit
        ("2s 3s 4s 2h 3h 4h 5h 6h 8h 8d 9d 9c Qc", "Qc 9c 9d"),  # two can empty the clubs, one is left for the diamonds
        ("2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs 2c 2d", "2c 2d Qs"),
    ],
)
def test_2_then_what_is_high_and_short(hand, chosen):
    assert passes(hand) == chosen


def test_3_the_queen_of_spades_goes_under_the_king_or_the_ace_only():
    assert says(seated("Qs 2s 9d", "Ks")) == "Qs"
    assert says(seated("Qs Js 2s 9d", "Ts", out="Ks")) == "2s"
    assert says(seated("Qs Js 9d", "Ts", out="Ks")) == "Js"
    assert says(seated("Qs 9d", "Ts", out="Ks")) == "Qs"


def test_4_the_highest_card_where_no_point_will_fall():
    assert says(seated("Ac 3c 9d", "4c 5c 6c", out="Qs")) == "Ac"  # last
    assert says(seated("As 3s 9d", "4s 5s 6s", out="Qs")) == "As"
    assert says(seated("Ac 3c 9d", "2c", out=suited("h"), number=0)) == "Ac"  # the first trick
    many, few = suited("c", "6789T"), suited("c", "6789")
    assert says(seated("Ac 3c 9d", "4c", out=many)) == "Ac"
    assert says(seated("Ac 3c 9d", "4c", out=few)) == "3c"
    assert says(seated("Ac 3c 9d", "4c 5c", out=few)) == "Ac"
    assert says(seated("Ac 3c 9d", "4c 5c", out=few, voids=("", "c", "", ""))) == "3c"
    assert says(seated("Ac 3c 9d", "4c 5c", out=few, voids=("", "", "c", ""))) == "Ac"  # who has played does not matter


def test_5_the_highest_card_that_loses():
    assert says(seated("Ac 7c 3c 9d", "4c 8c 2h", out="Qs")) == "7c"
    assert says(seated("Ah 7h 3h 9d", "8h", out="9h Th")) == "7h"
    assert says(seated("As Js 3s 9d", "4s Ks", out="Qs")) == "Js"


def test_6_who_must_win_does_so_with_the_highest_if_last_else_hopes():
    assert says(seated("Ah 7h 9d", "2h 3h 4h", out="Jh")) == "Ah"
    assert says(seated("Ah 7h 9d", "2h", out="Jh")) == "7h"
    assert says(seated("Ah 7h 9d", "2h", out="6h")) == "Ah"
    assert says(seated("Qs Ks As 9d", "2s Js 2h", out="3s")) == "As"


def test_7_the_queen_is_thrown_off_first_then_what_would_catch_her():
    assert says(seated("Qs As Ah Kd", "2c", out="3h 3d")) == "Qs"
    assert says(seated("As Ks Ah Kd", "2c", out="Qs 3h 3d")) == "As"
    assert says(seated("As 2s 3s 4s Ah", "2c", out="Qs 3h 4h")) == "Ah"  # three guards
    assert says(seated("As Ks Ah", "2c", out="3h 4h")) == "Ah"  # the queen is gone


def test_8_then_the_card_that_is_worst_to_keep():
    assert says(seated("Ah Kd", "2c", out="3h 3d")) == "Ah"
    assert says(seated("3h Kd", "2c", out="2h 2d 3d 4d")) == "Kd"  # many are out below the king
    assert says(seated("Kd 4d 5d 6d Qc", "2s", out="2d 2c")) == "Qc"  # from the shorter suit


def test_9_low_spades_hunt_the_queen():
    assert says(seated("Js 2s 2c", out="Qs Ks 3c 4c")) == "Js"
    assert says(seated("Js 2s 2c", out="Ks 3c 4c 3s")) == "2c"  # she is gone
    assert says(seated("Ks 2s 2c", out="Qs 3s 3c 4c")) == "2c"


def test_10_leads():
    assert says(seated("9d 2c 3c", out="3d 4d Jd 5c 6c Tc")) == "9d"  # the shorter suit
    assert says(seated("2d 9d Kc Ac", out=suited("d", "345678"), number=1)) == "9d"  # high while six are out
    assert says(seated("2d 9d Kc Ac", out=suited("d", "34567"))) == "2d"
    assert says(seated("9d 2c 3c", out="3d 4d 5c 6c Tc")) == "2c"  # nobody can beat the nine
    assert says(seated("2h 2d", out="3h 3d")) == "2h"
    assert says(seated("Qs 9d 8d", out="Ks 3d")) == "8d" and says(seated("As 9d 8d", out="Qs 3d")) == "8d"


# Moons stopped.

SHOOTING = ("", "", "2h 3h 4h", "")


def test_a_moon_threatens_while_one_other_seat_alone_has_points():
    def threat(*won, rule="passing=off"):
        return int(moon_threat(records(seated("2c", won=won, rule=rule))[0]))

    assert threat(*SHOOTING) == 2 and threat("", "", "2h 3h", "") == -1 and threat("", "", "2c", "Qs") == 3
    assert threat("", "5h", "2h 3h 4h", "") == -1 and threat("2h 3h 4h", "", "", "") == -1
    assert threat(*SHOOTING, rule="passing=off,moon=off") == -1


def test_11_a_heart_that_nobody_can_beat_is_led_and_kept():
    state = seated("Ah 2c", out="Kh 3c 4c", won=SHOOTING)
    assert says(state, "guarded") == "Ah" and state[0]["tally"]["defended"][0] == 1
    assert says(seated("Qh 3h 2c", out="Kh 3c 4c", won=SHOOTING), "guarded") == "2c"
    assert says(seated("Ah Kd", "3c 2c", out="Kh 2d", won=SHOOTING), "guarded") == "Kd"
    assert says(seated("Qh Kd", "3c 2c", out="Kh 2d", won=SHOOTING), "guarded") == "Qh"
    assert says(seated("Ah Kd", "3c 2c", out="Kh 2d"), "guarded") == "Ah"


def test_12_a_point_is_taken_from_who_seems_to_shoot():
    assert says(seated("Ac 3c", "4c 5h", out="6c", won=SHOOTING), "guarded") == "Ac"
    assert says(seated("Ac 3c", "4c 5h", out="6c", won=SHOOTING)) == "3c"
    assert (
        says(seated("Ac 3c", "4c Kc 5h", out="6c", won=("", "5h 6h 7h", "", "")), "guarded") == "3c"
    )  # it is another's already


def test_13_another_gets_a_point():
    assert says(seated("2h Kd", "5c 2c 3c", out="2d 3d", won=SHOOTING), "guarded") == "2h"
    assert says(seated("2h Kd", "5c 2c 3c", out="2d 3d")) == "Kd"


# Moons shot.

SURE = suited("c", "QKA") + suited("d", "KA") + suited("h", "9TJQKA") + suited("s", "KA")
WEAK = suited("c", "3456") + suited("d", "2345") + suited("h", "2345") + "2s"
REST = (
    suited("c", "2345") + suited("h", "23") + suited("s", "2345") + "2d 3d 4d",
    suited("c", "6789") + suited("h", "456") + suited("s", "678") + "5d 6d 7d",
)
OTHER_REST = (
    suited("c", "2789") + suited("d", "6789") + suited("h", "6789") + "3s",
    suited("c", "TJQK") + suited("d", "TJQK") + suited("h", "TJQK") + "4s",
)


def round_of(player, others, *hands):
    """Who shot the moon in a round with these hands, the player in seat 0, and who meant to."""
    game = find_game(f"hearts:passing=off,rounds=1,{start(*hands)}")
    state = start_game(game, 1, 0, 0, 4)
    players = [Chooser(game, find_player(game, name)) for name in (player, others, others, others)]
    while not state[0]["over"]:
        play_move(game, state, players[state[0]["turn"]].choose(state))
    return state[0]["tally"]["moons"].tolist(), state[0]["tally"]["tried"].tolist()


def test_daring_shoots_a_sure_moon_and_tries_none_with_low_cards():
    assert round_of("daring", "guarded", SURE, *REST) == ([1, 0, 0, 0], [1, 0, 0, 0])
    assert round_of("daring", "guarded", WEAK, *OTHER_REST)[1][0] == 0


def test_others_do_not_mean_to_shoot():
    assert round_of("guarded", "expert", SURE, *REST)[1] == [0, 0, 0, 0]


def test_without_moons_none_is_tried():
    state = start_game(find_game(f"hearts:passing=off,moon=off,{start(SURE, *REST)}"), 1, 0, 0, 4)
    state[0]["turn"] = state[0]["leader"] = 0
    says(state, "daring", "passing=off,moon=off")
    assert state[0]["plan"][0] == rules.NORMAL


def test_daring_plans_once_a_round_and_gives_up_once_another_has_a_point():
    state = seated("Ac 2c", "", out="3c 4c")
    state[0]["plan"][0] = rules.MOON
    assert says(state, "daring") == "Ac"
    state = seated("Ac 2c", "", out="3c 4c", won=("", "2h", "", ""))
    state[0]["plan"][0] = rules.MOON
    assert says(state, "daring") == "2c" and state[0]["plan"][0] == rules.MOON


def test_14_and_15_how_a_moon_is_shot():
    assert passes(suited("h", "AKQJT") + suited("c", "AKQJ") + "3d As Ks 2s", "daring") == "3d 2s Ks"
    assert passes(suited("h", "AK2") + suited("c", "AKQJT98") + "3d As Ks", "daring").split()[0] == "2h"

    def shoots(*position, **more):
        state = seated(*position, **more)
        state[0]["plan"][0] = rules.MOON
        return says(state, "daring")

    assert shoots("Ac Ad Kd 2s", out="Kc Qd 3s") == "Ad"
    assert shoots("Ac Tc 2c", "3c 4c 9c", out="Kc") == "Tc" and shoots("Ac Tc 2c", "3c 4c", out="Kc") == "Ac"
    assert shoots("2h 9d 3d", "3c", out="Kc") == "3d" and shoots("9d 3d 2h", "Td", out="Kd") == "3d"


@pytest.mark.skipif(INTERPRETED, reason="thousands of rounds")
def test_moons_are_shot_more_rarely_against_guarded_players():
    game = find_game("hearts:rounds=4")

    def share(measure, *players):
        return match(game, *players, pairs=300, seed=4).players[0].measures[measure].value

    assert share("moons_made", "daring", "guarded") < 0.93 * share("moons_made", "daring", "expert")
    assert 0.02 < share("moons_tried", "daring", "expert") < 0.08


# Monte Carlo.


def fitting(s, seat, dealt):
    """Whether four hands fit what a seat has seen."""
    live = (1 << 52) - 1 & ~int(s["played"]) & ~hand_of(card for card in s["trick"].tolist() if card >= 0)
    whole = sum(dealt) == live == dealt[0] | dealt[1] | dealt[2] | dealt[3]
    sizes = all(len(cards_of(dealt[n])) == len(cards_of(s["hand"][n])) for n in range(4))
    suits = all(
        not dealt[n] >> 13 * suit & 8191
        for n in range(4)
        for suit in range(4)
        if n != seat and s["voids"][n] >> suit & 1
    )
    given = int(s["passed"][seat]) & live & ~int(s["hand"][seat])
    kept = s["direction"] == rules.NONE or all(given & ~dealt[n] == 0 for n in range(4) if passing_to(s, n) == seat)
    return whole and sizes and suits and kept and dealt[seat] == s["hand"][seat]


@pytest.mark.parametrize("player", ["random", "rule-based"])
def test_deals_fit_what_was_seen(player):
    game, integers, stream = find_game("hearts:rounds=4"), np.zeros(INT_SCRATCH, np.int64), np.uint64(1)
    ask, seen = Chooser(game, find_player(game, player)), set()
    for number in range(GAMES):
        state = start_game(game, 5, number, 0, 4)
        while not state[0]["over"] and (not INTERPRETED or state[0]["round"] < 1):
            s = state[0]
            if s["phase"] == rules.PLAY:
                seat = int(s["turn"])
                prepare_deals(records(state)[0], integers)
                with np.errstate(over="ignore"):
                    for _ in range(3):
                        stream = np.uint64(deal_world(stream, integers, seat))
                        dealt = integers[AT.dealt : AT.dealt + 4].tolist()
                        assert fitting(s, seat, dealt)
                seen.add(tuple(bin(int(voids)).count("1") for voids in s["voids"]))
            play_move(game, state, ask.choose(state))
    assert INTERPRETED or len(seen) > 50


def test_deals_fill_the_last_room_there_is():
    """The second lacks two suits of three and gets the clubs; so the third, without hearts, gets both diamonds."""
    state = seated("2c 3c", "", out="4c 5c 5d 6d 5h 6h", voids=("", "dh", "h", ""), number=11)
    integers, stream, found = np.zeros(INT_SCRATCH, np.int64), np.uint64(7), set()
    prepare_deals(records(state)[0], integers)
    for _ in range(100):
        with np.errstate(over="ignore"):
            stream = np.uint64(deal_world(stream, integers, 0))
        found.add(tuple(integers[AT.dealt + 1 : AT.dealt + 4].tolist()))
    assert found == {(bits("4c 5c"), bits("5d 6d"), bits("5h 6h"))}


def test_every_deal_that_fits_is_as_likely():
    """One seat lacks diamonds and has the club; of two diamonds the others have each as often."""
    state = seated("2c", out="5c 6d 7d", voids=("", "d", "", ""))
    integers, stream, found = np.zeros(INT_SCRATCH, np.int64), np.uint64(3), []
    prepare_deals(records(state)[0], integers)
    for _ in range(400):
        with np.errstate(over="ignore"):
            stream = np.uint64(deal_world(stream, integers, 0))
        found.append(int(integers[AT.dealt + 2]))
        assert integers[AT.dealt + 1] == bits("5c")
    assert 150 < found.count(bits("6d")) < 250


def test_cards_that_differ_in_nothing_are_tried_once():
    def tried(hand, first, **more):
        integers = np.zeros(INT_SCRATCH, np.int64)
        count = list_candidates(records(seated(hand, **more))[0], integers, NUMBERS[first])
        return {plain.DECK[card] for card in integers[:count].tolist()}

    assert tried("7c 9c Jc", "9c", out="Tc") == {"9c", "Jc"}
    assert tried("7c 9c", "7c", out="8c") == {"7c", "9c"}
    assert tried("7c 9c 2d", "7c", out="Tc") == {"7c", "2d"}
    assert tried("Js Qs Ks", "Js") == {"Js", "Qs", "Ks"}
    assert tried("Td Jd Qd", "Td", rule="passing=off,jack=on") == {"Td", "Jd", "Qd"}


def test_monte_carlo_looks_a_trick_ahead():
    """Who takes this trick leads the three of clubs into the queen of spades or a heart."""
    state = seated("Kc 3c", "4c 5c 6c", out="Qs 9s 8h")
    assert says(state) == "Kc" and says(state, "monte-carlo@10") == says(state, "searcher@10") == "3c"


def test_monte_carlo_stops_a_moon_and_only_a_moon():
    """The ace of diamonds takes the last three hearts from who has all other points."""
    won = ("", "", " ".join(cards(rules.POINT_CARDS & ~bits("Kh Qh Jh"))), "")
    state = seated("Ad 2d", "3d 4d Jh", out="Kh Qh 5s", won=won)
    assert says(state, "monte-carlo@10") == says(state, "searcher@10") == "Ad" and says(state) == "2d"
    state[0]["rules"]["moon"] = rules.OFF
    assert says(state, "monte-carlo@10") == says(state, "searcher@10") == "2d"


def test_monte_carlo_changes_nothing_but_its_luck():
    game = find_game("hearts")
    state, ask = start_game(game, 1, 0, 0, 4), Chooser(game, find_player(game, "monte-carlo@5"))
    while state[0]["number"] < 6:
        before, seat = state.copy(), int(state[0]["turn"])
        move = ask.choose(state)
        before[0]["luck"][seat] = state[0]["luck"][seat]
        assert before.tobytes() == state.tobytes()
        play_move(game, state, move)


@pytest.mark.skipif(INTERPRETED, reason="hundreds of rounds")
def test_more_simulations_take_fewer_points_and_the_rule_based_fewer_than_random():
    game = find_game("hearts:passing=off,moon=off,rounds=4")

    def points(player, other, pairs):
        return match(game, player, other, pairs=pairs, seed=3).players[0].measures["points_per_round"].value

    assert points("rule-based", "random", 200) < 2.5
    for player in ("monte-carlo", "searcher"):
        few, many = (points(f"{player}@{count}", "expert", 150) for count in (3, 100))
        assert many < few - 0.2 and many < 6.5


# The tree search of the study's reference.


def test_uct_gives_away_the_last_trick_if_it_can():
    state = seated("2c Ah", trick="3c Kc Qs", out="4c 5c 6c", number=11)
    assert says(state, "uct") == "2c"
    assert says(seated("As 2s", trick="3s Qs Ks", out="4c 5c 6c", number=11), "uct") == "2s"


def test_uct_stops_a_moon_and_passes_as_the_rule_based_player_does():
    hand = "2c 3c 4c 5c 6c 7c 8c 9c Kd Qs Kh 2h 3h"
    assert passes(hand, "uct") == passes(hand, "rule-based")
    threatened = seated("Ah 2c", trick="3h 4h 5h", out="6h 7h 8h", won=("", "9h Th Jh", "", ""), number=11)
    assert says(threatened, "uct") == says(threatened, "guarded")


@pytest.mark.skipif(INTERPRETED, reason="hundreds of rounds")
def test_uct_is_better_than_random_and_worse_than_monte_carlo_with_rules():
    game = find_game("hearts:passing=off,moon=off,rounds=4")
    more = match(game, "uct", "random", pairs=100, seed=3).players[0].measures["points_per_round"].value
    less = match(game, "uct", "monte-carlo@26", pairs=100, seed=3).players[0].measures["points_per_round"].value
    assert more < 5.5 and less > 7
