"""Hearts with search: what is compared, what a score is worth, moons that search finds, and teams that try them with any card."""

import numpy as np
import pytest

import hearts_reference as plain
from hearts_table import suited
from sparring.arena.players import Chooser, Contestant, find_player
from sparring.games import find_game
from sparring.games.game import play_move, start_game
from sparring.games.hearts import rules
from sparring.games.hearts.stakes import GAME_POINTS, candidates, worth
from sparring.kernel.records import call_kernel, records
from test_curriculum import HEARTS, team
from test_hearts_players import OTHER_REST, WEAK, round_of, says, seated

NEVER = 1.0


def compared(*words, **more):
    out = np.zeros(13, np.int16)
    count = call_kernel(candidates, records(seated(*words, **more))[0], out)
    return [plain.DECK[card] for card in out[:count]]


def chances(scores, **fields):
    """What scores are worth to the four seats."""
    state = start_game(HEARTS, 1, 0, 0, 4)
    state[0]["tally"]["score"] = scores
    for name, value in fields.items():
        state[0][name] = value
    s = records(state)[0]
    return [call_kernel(worth, s, s, seat) for seat in range(4)]


def test_search_compares_one_of_cards_that_differ_in_nothing():
    assert compared("7c 9c Jc 2h", out="Tc 3h") == ["7c", "Jc", "2h"]


def test_search_compares_no_cards_to_pass():
    state = start_game(HEARTS, 1, 0, 0, 4)
    assert state[0]["phase"] == rules.PASS
    assert call_kernel(candidates, records(state)[0], np.zeros(13, np.int16)) == 0


def test_the_chances_to_win_add_up_and_fewer_points_are_better():
    found = chances([10, 40, 30, 40])
    assert sum(found) == pytest.approx(GAME_POINTS)
    assert found[0] > found[2] > found[1] == found[3]


def test_a_lead_is_worth_more_near_the_end():
    assert chances([60, 80, 80, 80])[0] > chances([0, 20, 20, 20])[0]


def test_a_point_in_the_first_round_is_worth_a_point():
    even, behind = chances([7, 7, 7, 7])[0], chances([8, 7, 7, 7])[0]
    assert even - behind == pytest.approx(1, abs=0.1)


def test_a_finished_game_is_won_or_shared():
    assert chances([30, 50, 50, 101], over=1) == [GAME_POINTS, 0, 0, 0]
    assert chances([30, 30, 50, 101], over=1) == [GAME_POINTS / 2, GAME_POINTS / 2, 0, 0]


ALMOST = "Ah Qh 3c", "", "Th 9h 8h 4c 5c 6c 2d 3d 4d", (f"{suited('h', '234567JK')}Qs", "", "", "")


def test_search_plans_a_moon_that_its_player_would_not_shoot():
    state = seated(*ALMOST)
    assert says(state.copy(), "guarded") == "3c"
    assert says(state, "guarded+flat@300:daring") in ("Ah", "Qh")
    assert state[0]["plan"][0] == rules.MOON


def test_search_plans_no_moon_once_another_has_a_point():
    hand, trick, out, (mine, *_) = ALMOST
    state = seated(hand, trick, out, (mine.replace("Kh", ""), "Kh", "", ""))
    says(state, "guarded+flat@300:daring")
    assert state[0]["plan"][0] != rules.MOON


def test_search_tries_no_moon_with_low_cards():
    assert round_of("guarded+flat@300:daring", "guarded", WEAK, *OTHER_REST)[1][0] == 0


def test_an_explained_search_has_one_value_for_each_card():
    from sparring.arena.explain import Explainer

    state = seated("Ac 2c Kh", out="3c 4c 5c 6h 7h 8h 9h Qs 2s", number=10)
    found = Explainer(HEARTS, find_player(HEARTS, "daring+flat@60")).explain(state)
    assert sorted(plain.DECK[one.move] for one in found.candidates) == ["2c", "Ac", "Kh"]
    assert sum(one.chosen for one in found.candidates) == 1


def plan_of(thresholds, won=("", "", "", "")):
    """The plan of a team of random networks after it has chosen a card."""
    state = seated("Ac 2c Kh", out="3c 4c 5c 6h 7h 8h 9h Qs 2s", won=won, number=10)
    net = team(thresholds={"defence-decision": 0.5, "moon-decision": NEVER} | thresholds)
    Chooser(find_game("hearts:passing=off"), Contestant("team", "net", net)).choose(state)
    return int(state[0]["plan"][0])


def test_a_team_tries_the_moon_with_any_card_whose_chance_reaches_the_threshold():
    assert plan_of({"moon-play": 1e-6}) == rules.MOON
    assert plan_of({"moon-play": NEVER}) == rules.NORMAL


def test_a_team_without_that_threshold_decides_after_the_deal_alone():
    assert plan_of({}) == rules.NORMAL


def test_a_team_tries_no_moon_after_another_has_a_point():
    assert plan_of({"moon-play": 1e-6}, ("", "3h", "", "")) == rules.NORMAL


def test_a_team_that_hopes_for_the_moon_passes_for_it_and_decides_later():
    net = team(thresholds={"defence-decision": 0.5, "moon-decision": 0.0, "moon-play": NEVER})
    game = find_game("hearts:rounds=1")
    state, player = start_game(game, 1, 0, 0, 4), Chooser(game, Contestant("team", "net", net))
    play_move(game, state, player.choose(state))
    assert state[0]["plan"][0] == rules.HOPED
    while not state[0]["over"]:
        play_move(game, state, player.choose(state))
    assert state[0]["tally"]["tried"].tolist() == [0, 0, 0, 0]
