"""Gin rummy's rules as statements, each checked on the compiled game; what holds of any hand; and positions that are none.

The study is "The significance of temporal-difference learning in self-play training" (2003), sections 2.1 and 2.2.
"""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gin_reference as plain
from gin_table import Table, cards, hand, melds, melds_in, start
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.gin import rules
from sparring.games.gin.cards import card_name, cards_of, hand_of
from sparring.games.gin.melds import (
    deadwood,
    first_run,
    is_set,
    lay_off,
    least_deadwood,
    left_by_runs,
    melds_of,
    outside_runs,
    points_of,
)
from sparring.kernel.compiler import INTERPRETED

# Who has the first hand can knock with ten at once, with one after drawing Ad (throwing Kd), and has gin with Ac.
READY = "2c 3c 4c 7d 7h 7s 9h Th Jh Kd"
SLOW = "5c 6c 7c 8h Qh As 2d Ts Qs Kh"  # 51 of deadwood, of which 8h, Qh and Kh can be laid off
CLOSE = "5c 6c 7c 8s 9s Ts Qd Qs Qc As"  # 1 of deadwood
AGAINST_SLOW, AGAINST_CLOSE = start(READY, SLOW, "5d"), start(READY, CLOSE, "5d")
STUDY, FULL, MATCH = "gin:", "gin:rules=full,length=hand,", "gin:rules=full,"


def table(*moves, drawn, game):
    """A game in which this is drawn first, after some moves; under the full rules both leave the first upcard."""
    found = Table(game)
    found.next_in_stock(drawn)
    found.play(*(["pass", "pass"] if found["rules"]["offered"] else ["stock"]), *moves)
    return found


def leave_all(found, until=-1):
    """Draw from the stock and throw it back, turn by turn, until the game is over or so many cards are left in the stock."""
    while not found["over"] and found["stock_size"] != until:
        found.play(found["drawn"] if found["phase"] == rules.THROW else found.legal()[-1])


# Melds.


def test_cards_count_their_rank_and_pictures_ten():
    assert [points_of(hand(f"{rank}h")) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_runs_of_a_suit_are_the_best_of_all_ways_to_lay_them():
    left, first = [0], [0]  # of each set of ranks: the points outside runs, and the length of the run from the lowest
    for ranks in range(1, 1 << 13):
        lowest = (ranks & -ranks).bit_length() - 1
        best, taken, run = left[ranks & ranks - 1] + min(lowest + 1, 10), 0, 3
        while (ranks >> lowest) & ((1 << run) - 1) == (1 << run) - 1:
            rest = left[ranks & ~(((1 << run) - 1) << lowest)]
            best, taken, run = (rest, run, run + 1) if rest < best else (best, taken, run + 1)
        left.append(best)
        first.append(taken)
    for ranks in range(1, 1 << 13):
        suit = ranks % 4 * 13
        cards = np.int64(ranks << suit)
        assert left_by_runs(cards) == points_of(outside_runs(cards)) == left[ranks]
        assert first_run(cards, (ranks & -ranks).bit_length() - 1 + suit) == first[ranks]


@pytest.mark.parametrize(
    ("held", "left"),
    [
        ("7c 7d 7h", 0),
        ("7c 7d", 14),
        ("7c 7d 7h 7s", 0),
        ("2s 3s 4s", 0),
        ("2s 3s 4d", 9),
        ("As 2s 3s", 0),
        ("Qs Ks As", 21),  # the ace is low
        ("Jd Qd Kd", 0),
        ("Qc Kc Ad 2d", 23),  # no run goes on in the next suit
        ("5h 6h 7h 8h 9h Th Jh Qh Kh", 0),
        ("6s 7s 8s 6c 7c 8c 8d", 8),  # not the eights
        ("5s 6s 7s 8s 5c 5d", 0),  # the run gives up its lowest card
        ("5s 6s 7s 5c 5d 5h", 0),  # the set gives up one of its four
        ("Ks Kc Kd Qs Js 2c", 22),  # the kings, or the run: as much
    ],
)
def test_the_least_deadwood(held, left):
    assert deadwood(hand(held)) == left


def test_sets_and_runs_are_told_apart():
    assert is_set(hand("9c 9h 9s")) and not is_set(hand("Tc Jc Qc"))


# Drawing and throwing.


def test_ten_cards_each_and_an_upcard_are_dealt():
    found = Table()
    assert [len(found.hand(seat)) for seat in range(2)] == [10, 10]
    assert len(found.stock()) == 31 and found.pile() == {int(found["upcard"])}


def test_the_study_s_first_player_draws_from_either_pile():
    assert sorted(Table().legal()) == [rules.STOCK, rules.UPCARD]


def test_the_first_upcard_is_offered_to_both():
    found = Table(FULL + AGAINST_SLOW)
    assert sorted(found.legal()) == [rules.UPCARD, rules.PASS]
    found.play("pass")
    assert found.turn == 1 and sorted(found.legal()) == [rules.UPCARD, rules.PASS]
    found.play("upcard")
    assert found.turn == 1 and found.hand(1) == cards(SLOW + "5d")
    found.play("Kh")
    assert found.turn == 0 and sorted(found.legal()) == [rules.STOCK, rules.UPCARD]


def test_who_began_draws_from_the_stock_when_both_leave_the_first_upcard():
    found = table(drawn="Ad", game=FULL + AGAINST_SLOW)
    assert found.turn == 0 and found.hand(0) == cards(READY + "Ad")
    assert found.pile() == cards("5d") and found.hand(1) == cards(SLOW)


@pytest.mark.parametrize("game", [STUDY, FULL])
def test_an_upcard_may_not_be_thrown_back(game):
    found = Table(game + AGAINST_SLOW)
    found.play("upcard")
    thrown = {move % 52 for move in found.legal()}
    assert thrown == cards(READY)


@pytest.mark.parametrize("game", [STUDY, FULL])
def test_a_card_from_the_stock_may_be_thrown_back(game):
    assert {move % 52 for move in table(drawn="Ad", game=game + AGAINST_SLOW).legal()} == cards(READY + "Ad")


def test_a_card_taken_openly_is_known_until_it_is_thrown():
    found = Table(FULL + start(SLOW, READY, "5d"))
    found.play("upcard", "Kh")
    assert cards_of(found["known"][0]) == [*cards("5d")]
    found.play("upcard", "Kd", "stock", "5d")
    assert found["known"][0] == 0


def test_the_stock_is_remade_from_the_discards():
    found = Table()
    hands = [found.hand(0), found.hand(1)]
    leave_all(found, until=0)
    last, discards = int(found["drawn"]), found.pile()
    assert found["phase"] == rules.THROW and len(discards) == 31
    found.play(last)
    assert found.pile() == {last} and set(found.stock()) == discards
    assert found.stock() != sorted(discards) and found.turn == 1
    assert hands == [found.hand(0), found.hand(1)]


def test_two_cards_of_the_stock_end_the_hand():
    found = Table("gin:rules=full,length=hand")
    leave_all(found)
    assert found["stock_size"] == 2 and found["knocker"] == -1
    assert found.tally("turns") == 29 and found.tally("drawn") == 1 and found.tally("score") == [0, 0]


def test_a_hundred_turns_end_a_hand_in_which_upcards_go_back_and_forth():
    found = Table("gin:rules=full,length=hand")
    while not found["over"]:
        found.play("upcard")
        found.play(found.legal()[0])
    assert found.tally("turns") == 100 and found["stock_size"] == 31
    assert found["knocker"] == -1 and found.tally("drawn") == 1


def test_a_knock_with_the_last_card_counts():
    found = Table(FULL + AGAINST_SLOW)
    found.next_in_stock("".join(map(card_name, sorted(set(found.stock()) - cards("Ad"))))[:56] + "Ad")
    leave_all(found, until=2)
    assert found.turn == 0 and not found["over"]
    found.play("knock Kd")
    assert found["over"] and found.tally("score") == [22, 0]


def test_a_game_ends_as_it_stands_at_the_limit_of_turns():
    found = Table("gin:limit=3")
    leave_all(found)
    assert found.tally("turns") == 3 and found.tally("drawn") == 1 and found.tally("score") == [0, 0]


def test_a_knock_in_the_last_turn_counts():
    assert table("Kd", drawn="Ad", game="gin:limit=1," + AGAINST_SLOW).tally("score") == [50, 0]


# Knocking.


def test_the_study_knocks_as_soon_as_it_can():
    found = table("Ad", drawn="Ad", game=STUDY + AGAINST_SLOW)
    assert found["over"] and found["knocker"] == 0 and found.tally("score") == [41, 0]


def test_knocking_is_a_choice_under_the_full_rules():
    found = table(drawn="Ad", game=FULL + AGAINST_SLOW)
    found.play("Kd")
    assert not found["over"] and found.turn == 1


def test_ten_points_are_enough_to_knock_and_eleven_are_not():
    found = table(drawn="Ad", game=FULL + AGAINST_SLOW)
    assert {move - rules.KNOCK for move in found.legal() if move >= rules.KNOCK} == cards("Ad Kd")


def test_nothing_is_laid_off_in_the_study():
    found = table("Kd", drawn="Ad", game=STUDY + AGAINST_SLOW)
    assert found.tally("score") == [51 - 1, 0] and found.tally("laid_off") == [0, 0]


def test_what_is_laid_off_does_not_count():
    found = table("knock Kd", drawn="Ad", game=FULL + AGAINST_SLOW)
    assert found.tally("score") == [23 - 1, 0] and found.tally("laid_off") == [0, 3]
    assert found.tally("deadwood") == [1, 23]


def test_the_study_s_hands_can_be_played_with_laying_off():
    found = table("Kd", drawn="Ad", game="gin:laying_off=yes," + AGAINST_SLOW)
    assert found.tally("score") == [23 - 1, 0] and found.tally("laid_off") == [0, 3]


def test_nothing_is_laid_off_on_gin():
    found = table("knock Kd", drawn="Ac", game=FULL + AGAINST_SLOW)
    assert found.tally("score") == [51 + 25, 0] and found.tally("laid_off") == [0, 0]
    assert found.tally("gins") == [1, 0]


def test_gin_has_no_bonus_in_the_study():
    found = table("Kd", drawn="Ac", game=STUDY + AGAINST_SLOW)
    assert found.tally("score") == [51, 0] and found.tally("gins") == [1, 0]


def test_less_deadwood_than_the_knocker_s_is_an_undercut():
    for game, knock, points in ((STUDY, "Ad", 9), (FULL, "knock Ad", 9 + 25)):
        found = table(knock, drawn="Ad", game=game + AGAINST_CLOSE)
        assert found.tally("score") == [0, points] and found.tally("undercuts") == [0, 1]


def test_equal_deadwood_is_an_undercut_under_the_full_rules_and_nothing_in_the_study():
    study = table("Kd", drawn="Ad", game=STUDY + AGAINST_CLOSE)
    assert study.tally("score") == [0, 0] and study.tally("undercuts") == [0, 0] and study.tally("drawn") == 1
    assert table("Kd", drawn="Ad", game=STUDY + "undercut=10," + AGAINST_CLOSE).tally("score") == [0, 0]
    full = table("knock Kd", drawn="Ad", game=FULL + AGAINST_CLOSE)
    assert full.tally("score") == [0, 25] and full.tally("undercuts") == [0, 1] and full.tally("drawn") == 0


def test_gin_is_never_undercut():
    full = table("knock Kd", drawn="Ac", game=FULL + start(READY, CLOSE.replace("As", "Js"), "5d"))
    assert full.tally("deadwood") == [0, 0] and full.tally("score") == [25, 0]


def test_bonuses_can_be_chosen():
    assert table("Kd", drawn="Ac", game="gin:gin=20," + AGAINST_SLOW).tally("score") == [71, 0]
    assert table("Ad", drawn="Ad", game="gin:undercut=10," + AGAINST_CLOSE).tally("score") == [0, 19]


# Laying off.


@pytest.mark.parametrize(
    ("knocked", "held", "laid", "left"),
    [
        ("7c 7d 7h", "7s 2c", "7s", 2),
        ("7c 7d 7h 7s", "8s 2c", "", 10),
        ("2c 3c 4c", "5c 6c 7d", "5c 6c", 7),  # the six goes on the five
        ("2c 3c 4c", "6c 7d", "", 13),
        ("2c 3c 4c", "Ac Kc", "Ac", 10),
        ("Jc Qc Kc", "Ad Ac", "", 2),  # no run goes round or into the next suit
        ("As 2s 3s", "Kh 4s", "4s", 10),
        ("9h Th Jh", "Qh Qs Qd 2c", "", 2),  # the queen is better melded
        ("9h Th Jh", "Qh Qs Qd Qc", "", 0),
        ("9h Th Jh", "Qh Kh Qs Qd Qc", "Qh Kh", 0),  # three queens are enough
        ("7c 7d 7h, 4s 5s 6s", "7s 8s 9d", "7s 8s", 9),  # the seven goes where the eight can follow
        ("2c 3c 4c, 6c 7c 8c", "5c 9c Tc Ks", "5c 9c Tc", 10),
    ],
)
def test_laying_off(knocked, held, laid, left):
    assert lay_off(melds(knocked), np.int64(hand(held))) == (hand(laid), left)


# Matches.


def test_a_match_goes_on_to_a_hundred_points_and_hands_begin_in_turn():
    found = table("knock Kd", drawn="Ac", game=MATCH + AGAINST_SLOW)
    assert not found["over"] and found.tally("score") == [76, 0] and found.turn == 1
    found.next_in_stock("9d Ac")
    found.play("pass", "pass", "9d", "stock", "knock Kd")
    assert found["over"] and found.tally("score") == [152, 0] and found.tally("hands") == 2


def test_boxes_and_a_doubled_bonus_for_a_match_in_which_the_other_scored_nothing():
    found = table("knock Kd", drawn="Ac", game=MATCH + "gin=49," + AGAINST_SLOW)
    assert found["over"] and found.tally("score") == [100, 0]
    assert found.tally("account") == [100 + 25 + 2 * 100, 0]


def test_boxes_and_a_bonus_for_a_match():
    found = table("knock Kd", drawn="Ad", game=MATCH + "gin=200," + AGAINST_CLOSE)
    assert found.tally("score") == [0, 25] and found.tally("account") == [0, 0] and found.turn == 1
    found.next_in_stock("9d Ac")
    found.play("pass", "pass", "9d", "stock", "knock Kd")
    assert found["over"] and found.tally("score") == [201, 25]
    assert found.tally("account") == [201 + 25 + 100, 25 + 25]


def test_nobody_wins_a_match_that_the_limit_ends():
    found = table("knock Kd", drawn="Ad", game=MATCH + "limit=1," + AGAINST_SLOW)
    assert found["over"] and found.tally("score") == [22, 0] and found.tally("account") == [22 + 25, 0]


def test_a_single_hand_is_its_own_account():
    assert table("Kd", drawn="Ad", game=STUDY + AGAINST_SLOW).tally("account") == [50, 0]


def test_a_match_deals_anew_for_every_hand():
    found = Table("gin:rules=full")
    before = [found.hand(0), found.hand(1)]
    leave_all(found, until=3)
    while found["hand_number"] == 0:
        found.play(found["drawn"] if found["phase"] == rules.THROW else "stock")
    assert before != [found.hand(0), found.hand(1)] and found["stock_size"] == 31


# What holds of any hand.

some_cards = st.integers(0, 51)
hands = st.sets(some_cards, min_size=1, max_size=11)
close_hands = st.sets(st.integers(0, 4).flatmap(lambda n: st.integers(0, 3).map(lambda s: 13 * s + n + 3)), max_size=11)
any_hand = st.one_of(hands, close_hands)
examples = settings(max_examples=20 if INTERPRETED else 300, deadline=None)


def with_suits(held, order):
    return {13 * order[card // 13] + card % 13 for card in held}


@examples
@given(any_hand, st.permutations(range(4)))
def test_suits_are_all_alike(held, order):
    assert deadwood(hand_of(held)) == deadwood(hand_of(with_suits(held, order)))


@examples
@given(any_hand, some_cards)
def test_one_more_card_adds_at_most_what_it_counts(held, card):
    held = set(sorted(held)[:10])  # a hand has at most eleven cards
    more = deadwood(hand_of(held | {card}))
    assert more <= deadwood(hand_of(held)) + (plain.POINTS[card] if card not in held else 0)


@examples
@given(any_hand)
def test_melds_share_no_card_and_leave_the_deadwood(held):
    assert plain.left_by(melds_in(hand_of(held)), held) == deadwood(hand_of(held)) == plain.least_deadwood(held)


@examples
@given(any_hand, any_hand, st.permutations(range(4)))
def test_laying_off_never_hurts_and_does_not_depend_on_suits(knocked, held, order):
    held -= knocked
    laid, left = lay_off(melds_of(hand_of(knocked)), np.int64(hand_of(held)))
    assert laid & ~hand_of(held) == 0 and left == deadwood(hand_of(held) & ~int(laid)) <= deadwood(hand_of(held))
    turned = lay_off(tuple(map(np.int64, turned_melds(knocked, order))), np.int64(hand_of(with_suits(held, order))))
    assert turned[1] == left


def turned_melds(knocked, order):
    found = [hand_of(with_suits(meld, order)) for meld in melds_in(hand_of(knocked))]
    return (*found, 0, 0, 0)[:3]


@examples
@given(st.sets(some_cards, min_size=11, max_size=11), some_cards)
def test_who_may_throw_more_can_leave_less(held, kept):
    assert least_deadwood(hand_of(held), -1) <= least_deadwood(hand_of(held), kept)


@settings(max_examples=5 if INTERPRETED else 40, deadline=None)
@given(
    st.integers(0, 1 << 30), st.sampled_from(["gin", "gin:rules=full"]), st.lists(st.integers(0, 1000), max_size=150)
)
def test_every_card_is_in_one_place(deal, name, choices):
    found = Table(name, deal=deal)
    for choice in choices:
        if found["over"]:
            break
        legal = found.legal()
        assert len(set(legal)) == len(legal)
        found.play(legal[choice % len(legal)])
        everywhere = [*found.hand(0), *found.hand(1), *found.stock(), *found.pile()]
        assert sorted(everywhere) == list(range(52))
        assert found["known"][0] & ~found["hand"][0] == found["known"][1] & ~found["hand"][1] == 0


@examples
@given(st.permutations(range(52)))
def test_positions_are_read_as_they_are_written(deck):
    names = list(map(card_name, deck))
    text = "/".join(map("".join, (names[:10], names[10:20], names[20:21])))
    for written in (text, text.swapcase()):
        told = find_game("gin:start=" + written).template[0]["rules"]
        assert [set(cards_of(held)) for held in told["hand"]] == [set(deck[:10]), set(deck[10:20])]
        assert told["upcard"] == deck[20]


# Positions that are none, and rules that are none.


def refusal(name):
    with pytest.raises(UserError) as caught:
        find_game(name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ((READY, SLOW.replace("5c", "2c"), "5d"), "2c is there twice"),
        ((READY, SLOW, "Kd"), "Kd is there twice"),
        ((READY + "Ac Ad", SLOW, "5d"), "'2c3c4c7d7h7s9hThJhKdAcAd' has 12 cards; a hand has 10"),
        ((READY, SLOW[3:], "5d"), "has 9 cards; a hand has 10"),
        ((READY, SLOW, "5d 6d"), "'5d6d' has 2 cards"),
        ((READY, SLOW, ""), "'' has 0 cards"),
        ((READY, SLOW.replace("5c", "1c"), "5d"), "'1c' is not a card; cards are like As, 7h, Td, Kc"),
        ((READY, SLOW.replace("5c", "5x"), "5d"), "'5x' is not a card"),
        ((READY, SLOW, "10d"), "'10' is not a card"),
        ((READY[:-1], SLOW, "5d"), "'K' is not a card"),
    ],
)
def test_what_is_no_deal_is_refused_in_one_line(position, told):
    message = refusal("gin:" + start(*position))
    assert message.startswith("gin:start=") and told in message and "\n" not in message


@pytest.mark.parametrize("parts", [[], [READY], [READY, SLOW], [READY, SLOW, "5d", "6d"]])
def test_a_deal_has_three_parts(parts):
    text = "/".join(parts).replace(" ", "")
    assert (
        refusal("gin:start=" + text) == f"gin:start={text}: must be the two hands and the upcard, as As2s3s.../Kh.../5d"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("rules=half", "must be one of study, full"),
        ("length=game", "must be one of usual, hand, match"),
        ("laying_off=maybe", "must be one of usual, yes, no"),
        ("limit=0", "must be"),
        ("limit=10001", "must be"),
        ("gin=-2", "must be"),
        ("undercut=lots", "must be a whole number"),
        ("target=50", "needs a match"),
        ("taget=50", "did you mean target?"),
    ],
)
def test_rules_that_are_none_are_refused_in_one_line(words, told):
    message = refusal("gin:" + words)
    assert re.match(r"gin:\w+", message) and told in message and "\n" not in message
