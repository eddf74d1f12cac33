"""Hearts' rules as statements, each checked on the compiled game; what holds of any game; and positions that are none."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hearts_reference as plain
from hearts_table import NUMBERS, Table, cards, start, suited
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.hearts import rules
from sparring.games.hearts.cards import card_name, hand_of, hand_text
from sparring.kernel.compiler import INTERPRETED

# One suit each: the clubs lead every trick and take it, with all points and the jack of diamonds.
CLUBS, DIAMONDS, HEARTS, SPADES = map(suited, "cdhs")
PURE = start(CLUBS, DIAMONDS, HEARTS)
# The second has no clubs, but points and other cards; the third has points and the ace of clubs.
NO_CLUBS = start(
    suited("c", "2345") + suited("d", "23456789T"),
    suited("d", "JQKA") + "2h Qs " + suited("s", "2345678"),
    "Ac " + suited("h", "3456789TJQKA"),
)
ONLY_POINTS = start(CLUBS, DIAMONDS, "Qs " + suited("h", "3456789TJQKA"))
# Whoever takes the first trick with the ace of clubs has two diamonds and hearts; of the others, one has no diamonds.
SHY = start(
    suited("c", "2345") + suited("d", "456789TK") + "Kh",
    suited("c", "6789") + suited("s", "2345678") + "Qs Ah",
    suited("c", "TJQK") + suited("d", "3JQ") + suited("s", "9TJKA") + "Qh",
)
FIRST_SHY_TRICK = "2c 6c Tc Ac "
# The second takes the first trick and its heart, the first all others.
ONE_HEART = start(suited("c", plain.RANKS[:-1]) + "Ad", "Ac " + suited("d", plain.RANKS[:-1]), HEARTS)
# The second takes the first trick and the jack of diamonds in it, the first all others and all points.
JACK_ELSEWHERE = start(
    suited("c", plain.RANKS[:-1]) + "Ad",
    "Ac 2s " + suited("d", "23456789TQK"),
    suited("h", plain.RANKS[:-1]) + "Jd",
)
NO_PASSING = "hearts:passing=off,"


def table(rule, words="", game=NO_PASSING):
    """A game under these rules after some cards; nothing is passed unless said otherwise."""
    found = Table(game + rule)
    found.play(words)
    return found


def after_a_round(rule):
    """A game after a round in which everybody played the first of the cards they could."""
    found = table(rule)
    found.play_on()
    assert found.tally("rounds") == 1
    return found


def names(words):
    return set(words.split())


def refused(found, card):
    """What is said of a card that may not be passed or played."""
    before = found.state.tobytes()
    with pytest.raises(UserError) as caught:
        found.play(card)
    message = str(caught.value)
    assert found.state.tobytes() == before and message.startswith(f"illegal move {NUMBERS[card]}; ")
    return message


# Dealing and passing.


def test_thirteen_cards_each_are_dealt():
    hands = Table().hands()
    assert [len(hand) for hand in hands] == [13] * 4 and frozenset.union(*hands) == set(plain.DECK)


def test_every_deal_and_every_round_is_another():
    found, other, again = Table(), Table(deal=1), Table()
    assert found.hands() == again.hands() != other.hands()
    found.play_on()
    assert found.tally("rounds") == 1 and found.hands("dealt") != again.hands("dealt")


def test_every_card_comes_to_every_seat():
    seats = {card: set() for card in plain.DECK}
    for deal in range(60):
        for seat, hand in enumerate(Table(deal=deal).hands()):
            for card in hand:
                seats[card].add(seat)
    assert all(found == {0, 1, 2, 3} for found in seats.values())


@pytest.mark.parametrize(
    ("played", "received"), [(0, "scdh"), (1, "dhsc"), (2, "hscd")], ids=["left", "right", "across"]
)
def test_three_cards_are_passed_left_then_right_then_across(played, received):
    found = table(PURE, game="hearts:target=1000,")
    found.play_on(until=played)
    for suit in "cdhs":
        found.play(suited(suit, "234"))
    for seat, (own, other) in enumerate(zip("cdhs", received, strict=True)):
        assert found.hand(seat) == names(suited(own, "56789TJQKA") + suited(other, "234"))


def test_nothing_is_passed_in_the_fourth_round_and_the_fifth_passes_left_again():
    found = table(PURE, game="hearts:target=1000,")
    found.play_on(until=3)
    assert found["phase"] == rules.PLAY and found["direction"] == rules.NONE and found.legal() == {"2c"}
    found.play_on(until=4)
    assert found["phase"] == rules.PASS and found["direction"] == rules.LEFT


def test_passing_can_be_switched_off():
    found = table(PURE)
    for played in range(4):
        found.play_on(until=played)
        assert found["phase"] == rules.PLAY and found.legal() == {"2c"}


def test_cards_are_exchanged_when_all_have_chosen():
    found = table(PURE, "2c 3c 4c 2d 3d 4d 2h 3h 4h 2s 3s", game="hearts:")
    assert found.turn == 3 and found.hands() == [names(suit) for suit in (CLUBS, DIAMONDS, HEARTS, SPADES)]
    found.play("4s")
    assert "2s" in found.hand(0) and "2c" in found.hand(1)


def test_a_card_is_not_passed_twice():
    found = table(PURE, "2c", game="hearts:")
    assert found.turn == 0 and found.legal() == names(CLUBS) - {"2c"}
    refused(found, "2c")


def test_a_card_that_is_not_held_may_not_be_passed():
    assert "legal: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12" in refused(table(PURE, game="hearts:"), "2d")


# Leading and following.


def test_the_two_of_clubs_leads():
    found = table(start(DIAMONDS, SPADES, CLUBS))
    assert found.turn == 2 and found.legal() == {"2c"}
    refused(found, "3c")


def test_who_is_passed_the_two_of_clubs_leads():
    found = table(PURE, "2c 3c 4c 2d 3d 4d 2h 3h 4h 2s 3s 4s", game="hearts:")
    assert found.turn == 1 and found.legal() == {"2c"}


def test_suit_is_followed():
    found = table(NO_CLUBS, "2c Jd")
    assert found.turn == 2 and found.legal() == {"Ac"}


def test_a_revoke_is_refused():
    assert refused(table(NO_CLUBS, "2c Jd"), "3h").endswith(f"legal: {NUMBERS['Ac']}")


def test_a_card_that_is_not_held_may_not_be_played():
    refused(table(NO_CLUBS, "2c Jd"), "Kc")


def test_who_cannot_follow_plays_anything_after_the_first_trick():
    found = table(SHY, FIRST_SHY_TRICK + "2d 4d")
    assert found.turn == 1 and found.legal() == found.hand(1) >= {"Qs", "Ah", "7c", "2s"}


def test_who_could_not_follow_is_known_to_have_none_of_the_suit():
    found = table(SHY, FIRST_SHY_TRICK + "2d 4d Ah")
    assert found["voids"].tolist() == [0, 1 << rules.DIAMONDS, 0, 0]


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_leads():
    found = table(NO_CLUBS, "2c Ad Ac Kc")
    assert found.turn == 2 and cards(found["won"][2]) == {"2c", "Ad", "Ac", "Kc"}
    assert found.tally("tricks") == [0, 0, 1, 0] and found.trick() == [None] * 4


# The first trick.


def test_no_points_fall_in_the_first_trick():
    found = table(NO_CLUBS, "2c")
    assert found.turn == 1 and found.legal() == found.hand(1) - {"2h", "Qs"}
    for card in ("2h", "Qs"):
        refused(found, card)


def test_any_points_fall_in_the_first_trick_where_there_is_nothing_else():
    found = table(ONLY_POINTS, "2c 2d")
    assert found.turn == 2 and found.legal() == found.hand(2) and "Qs" in found.legal()


def test_points_of_the_first_trick_count():
    found = table(ONLY_POINTS, "2c 2d Qs 2s")
    assert rules.points_of(found["won"][0]) == 13 and found["broken"] == 0


def test_the_jack_of_diamonds_may_fall_in_the_first_trick():
    assert "Jd" in table("jack=on," + NO_CLUBS, "2c").legal()


# Breaking hearts.


def test_no_heart_leads_before_hearts_are_broken():
    found = table(SHY, FIRST_SHY_TRICK)
    assert found.turn == 3 and found["broken"] == 0 and found.legal() == {"2d", "Ad"}
    assert refused(found, "2h").endswith(f"legal: {NUMBERS['2d']}, {NUMBERS['Ad']}")


def test_a_heart_breaks_hearts():
    found = table(SHY, FIRST_SHY_TRICK + "2d Kd Ah 3d")
    assert found.turn == 0 and found["broken"] == 1 and "Kh" in found.legal() == found.hand(0)


def test_the_queen_of_spades_breaks_nothing():
    found = table(SHY, FIRST_SHY_TRICK + "2d Kd Qs 3d")
    assert found.turn == 0 and found["broken"] == 0 and found.legal() == found.hand(0) - {"Kh"}


def test_a_heart_that_must_fall_in_the_first_trick_breaks_hearts():
    assert table(ONLY_POINTS, "2c 2d 3h")["broken"] == 1


def test_who_has_only_hearts_leads_one_and_breaks_them():
    found = table(SHY, FIRST_SHY_TRICK + "2d 4d 2s 3d 5d 3s Jd Ad")
    assert found.turn == 3 and found["broken"] == 0
    assert found.legal() == found.hand(3) == names(suited("h", "23456789TJ"))
    found.play("2h")
    assert found["broken"] == 1


def test_hearts_are_whole_again_in_the_next_round():
    found = after_a_round(PURE)
    assert found["broken"] == 0 and found["played"] == 0 and not any(found["voids"]) and not any(found["won"])


# Points.


def test_hearts_count_one_the_queen_of_spades_thirteen_and_nothing_else_counts():
    worth = {card: rules.points_of(1 << number) for card, number in NUMBERS.items()}
    assert worth == {card: 13 if card == "Qs" else int(card[1] == "h") for card in plain.DECK}
    assert rules.points_of((1 << 52) - 1) == 26


def test_each_scores_the_points_taken():
    found = after_a_round(ONE_HEART)
    assert found.tally("score") == [25, 1, 0, 0] and found.tally("moons") == [0, 0, 0, 0]


def test_what_is_counted():
    found = after_a_round(ONE_HEART)
    assert found.tally("taken") == [25, 1, 0, 0] and found.tally("tricks") == [12, 1, 0, 0]
    assert found.tally("queens") == [1, 0, 0, 0] and found.tally("clean") == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("rule", "score"),
    [
        ("", [0, 26, 26, 26]),
        ("moon=add,", [0, 26, 26, 26]),
        ("moon=subtract,", [-26, 0, 0, 0]),
        ("moon=off,", [26, 0, 0, 0]),
    ],
)
def test_all_points_are_a_moon(rule, score):
    found = after_a_round(rule + PURE)
    assert found.tally("score") == score
    assert found.tally("moons") == [1, 0, 0, 0] and found.tally("taken") == [26, 0, 0, 0]


@pytest.mark.parametrize("moon", ["add", "subtract", "off"])
def test_twenty_five_points_are_none(moon):
    assert after_a_round(f"moon={moon}," + ONE_HEART).tally("score") == [25, 1, 0, 0]


def test_the_jack_of_diamonds_takes_ten_points_off_where_that_is_agreed():
    assert after_a_round("jack=on," + ONE_HEART).tally("score") == [15, 1, 0, 0]
    assert after_a_round("jack=on," + PURE).tally("score") == [-10, 26, 26, 26]


@pytest.mark.parametrize(
    ("moon", "score"), [("add", [0, 16, 26, 26]), ("subtract", [-26, -10, 0, 0]), ("off", [26, -10, 0, 0])]
)
def test_a_moon_needs_no_jack(moon, score):
    found = after_a_round(f"jack=on,moon={moon}," + JACK_ELSEWHERE)
    assert found.tally("score") == score and found.tally("moons") == [1, 0, 0, 0]


# The end.


def test_the_fewest_points_win():
    assert find_game("hearts").rules.lower_is_better


def test_a_game_ends_with_the_round_that_reaches_the_target():
    assert after_a_round("target=25," + ONE_HEART).over and not after_a_round("target=26," + ONE_HEART).over


@pytest.mark.parametrize(("rule", "rounds", "score"), [("", 4, 100), ("target=50,", 2, 50), ("target=101,", 5, 125)])
def test_a_hundred_points_are_the_target_unless_another_is_agreed(rule, rounds, score):
    found = table(rule + ONE_HEART)
    found.play_on(until=rules.LONGEST)
    assert found.over and found.tally("rounds") == rounds and max(found.tally("score")) == score


@pytest.mark.parametrize("rounds", [1, 3, 7])
def test_a_number_of_rounds_ends_a_game_instead_of_the_target(rounds):
    found = table(f"rounds={rounds},target=1," + ONE_HEART)
    found.play_on(until=rules.LONGEST)
    assert found.over and found.tally("rounds") == rounds and found.tally("score") == [25 * rounds, rounds, 0, 0]


def test_fifty_rounds_end_a_game_in_which_nobody_reaches_the_target():
    found = table("moon=subtract,target=1," + PURE)
    found.play_on(until=rules.LONGEST + 1)
    assert found.over and found.tally("rounds") == 50 and found.tally("score") == [-26 * 50, 0, 0, 0]


def test_the_longest_game_has_no_more_moves_than_is_said():
    found, moves = Table("hearts:rounds=50"), 0
    while not found.over:
        found.apply(min(found.legal()))
        moves += 1
    assert moves == 50 * 52 + 38 * 12 <= rules.MAX_MOVES


def test_nothing_is_played_when_the_game_is_over():
    found = after_a_round("rounds=1," + PURE)
    assert found.legal() == set() and refused(found, "2c").endswith("the game is over")


# What holds of any game.


@settings(max_examples=5 if INTERPRETED else 60, deadline=None)
@given(
    st.integers(0, 1 << 30),
    st.sampled_from(["hearts", "hearts:passing=off", "hearts:rounds=2"]),
    st.lists(st.integers(0, 1000), max_size=150),
)
def test_every_card_is_in_one_place(deal, name, choices):
    found = Table(name, deal=deal)
    for choice in choices:
        if found.over:
            break
        legal = sorted(found.legal())
        assert set(legal) <= found.hand(found.turn)
        found.apply(legal[choice % len(legal)])
        everywhere = [*found.hands(), *found.hands("won"), filter(None, found.trick())]
        assert sorted(card for place in everywhere for card in place) == sorted(plain.DECK)


@settings(max_examples=3 if INTERPRETED else 40, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(["add", "subtract", "off"]), st.sampled_from(["off", "on"]))
def test_a_round_has_twenty_six_points(deal, moon, jack):
    found = Table(f"hearts:rounds=1,moon={moon},jack={jack}", deal=deal)
    found.play_on(choose=max)
    shot = {"add": 78, "subtract": -26, "off": 26}[moon] if any(found.tally("moons")) else 26
    assert sum(found.tally("taken")) == 26 and sum(found.tally("tricks")) == 13 and sum(found.tally("queens")) == 1
    assert sum(found.tally("score")) == shot - (10 if jack == "on" else 0)


@settings(max_examples=50, deadline=None)
@given(st.permutations(range(52)))
def test_positions_are_read_as_they_are_written(deck):
    hands = [deck[13 * seat : 13 * seat + 13] for seat in range(4)]
    text = "/".join("".join(map(card_name, hand)) for hand in hands)
    for written in (text, text.swapcase(), "/".join(hand_text(hand_of(hand)) for hand in hands)):
        assert find_game("hearts:start=" + written).template[0]["rules"]["hand"].tolist() == list(map(hand_of, hands))


# Positions that are none, and rules that are none.


def refusal(name):
    with pytest.raises(UserError) as caught:
        find_game(name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ((CLUBS, DIAMONDS, HEARTS, SPADES[3:]), "'3s4s5s6s7s8s9sTsJsQsKsAs' has 12 cards; a hand has 13"),
        ((CLUBS, DIAMONDS, HEARTS + "2s", SPADES), "has 14 cards; a hand has 13"),
        ((CLUBS, DIAMONDS, HEARTS, "2s"), "'2s' has 1 card; a hand has 13"),
        ((CLUBS, DIAMONDS, HEARTS, ""), "'' has 0 cards; a hand has 13"),
        ((CLUBS, DIAMONDS, HEARTS, SPADES.replace("2s", "2c")), "2c is there twice"),
        ((CLUBS, DIAMONDS, HEARTS, SPADES.replace("2s", "3s")), "3s is there twice"),
        ((CLUBS, DIAMONDS, HEARTS, SPADES.replace("2s", "1s")), "'1s' is not a card; cards are like Qs, 7h, Td, 2c"),
        ((CLUBS, DIAMONDS, HEARTS, SPADES.replace("Ts", "10s")), "'10' is not a card"),
        ((CLUBS, DIAMONDS, HEARTS, SPADES.replace("2s", "2x")), "'2x' is not a card"),
        ((CLUBS, DIAMONDS, HEARTS, SPADES.replace("As", "A")), "'A' is not a card"),
    ],
)
def test_what_is_no_deal_is_refused_in_one_line(position, told):
    message = refusal("hearts:" + start(*position))
    assert message.startswith("hearts:start=") and told in message and "\n" not in message


@pytest.mark.parametrize("hands", [[], [CLUBS], [CLUBS, DIAMONDS, HEARTS], [CLUBS, DIAMONDS, HEARTS, SPADES, ""]])
def test_a_deal_has_four_hands(hands):
    text = "/".join(hands).replace(" ", "")
    assert refusal("hearts:start=" + text) == f"hearts:start={text}: must be four hands, as 2c3c.../..."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("passing=maybe", "must be one of on, off"),
        ("moon=new", "must be one of add, subtract, off"),
        ("jack=yes", "must be one of off, on"),
        ("rounds=51", "must be"),
        ("rounds=-1", "must be"),
        ("target=0", "must be"),
        ("target=1001", "must be"),
        ("target=lots", "must be a whole number"),
        ("taget=50", "did you mean target?"),
    ],
)
def test_rules_that_are_none_are_refused_in_one_line(words, told):
    message = refusal("hearts:" + words)
    assert re.match(r"hearts:\w+", message) and told in message and "\n" not in message
