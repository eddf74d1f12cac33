"""Golf's rules as statements, each checked on the compiled game; and what known players score in many games."""

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import find_players
from sparring.games import Played, find_game
from sparring.games.golf import rules
from sparring.games.golf.rules import DISCARD, STOCK, THROW
from sparring.kernel.records import records

ACE, TWO, THREE, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = 0, 1, 2, 6, 7, 8, 9, 10, 11, 12
JOKERS = 52, 53
HEARTS, SPADES, DIAMONDS = 13, 26, 39  # added to a club
STALL = STOCK, THROW  # a turn that changes nothing but the pile


class Table:
    """A game under way, played by hand."""

    def __init__(self, seats=2, deal=0, seed=1):
        self.states = records(np.zeros(1, rules.State))
        with np.errstate(over="ignore"):
            rules.start(self.state, np.uint64(seed), deal, 0, seats)

    @property
    def state(self):
        return self.states[0]

    def __getitem__(self, name):
        return self.state[name]

    def play(self, *moves):
        with np.errstate(over="ignore"):
            for move in moves:
                rules.apply(self.state, move)

    def legal(self):
        room = np.zeros(7, np.int64)
        return room[: rules.moves(self.state, room)].tolist()

    def stock(self):
        return self["stock"][: self["stock_size"]].tolist()

    def discards(self):
        return self["discard"][: self["discard_size"]].tolist()

    def dealt(self):
        """Everything the deal decides, to compare with another."""
        return self["hand"].tolist(), self["up"].tolist(), self.stock(), self.discards()

    def places(self, up):
        """Places of the seat to move that are face up, or face down."""
        return [place for place in range(6) if self["up"][self["turn"]][place] == up]

    def uncover(self):
        """The seat to move lays a card from the stock on its first face-down place."""
        self.play(STOCK, self.places(up=0)[0])

    def finish_round(self):
        """The starting seat uncovers its hand while the others stall."""
        number = int(self["round_number"])
        while self["round_number"] == number and not self["over"]:
            if self["turn"] == self["starter"]:
                self.uncover()
            else:
                self.play(*STALL)


def score(*cards):
    return rules.hand_score(np.array(cards, np.int8))


def test_each_kind_has_its_points():
    for kind, points in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0]):
        assert score(kind, ACE, TWO, JOKERS[0], ACE + HEARTS, TWO + HEARTS) == points - 2
    assert score(KING, ACE, TWO, JOKERS[1], ACE + HEARTS, TWO + HEARTS) == -2


def test_the_studys_example_hand_scores_twelve():
    assert score(THREE + HEARTS, ACE, SEVEN, KING + SPADES, EIGHT + DIAMONDS, SEVEN + HEARTS) == 12


def test_a_matched_column_scores_nothing():
    assert score(NINE, TEN, JACK, NINE + HEARTS, TEN + HEARTS, JACK + HEARTS) == 0


def test_a_matched_column_of_jokers_scores_nothing():
    assert score(JOKERS[0], ACE, TWO, JOKERS[1], ACE + HEARTS, TWO + HEARTS) == 0


def test_jokers_in_different_columns_take_two_points_each():
    assert score(JOKERS[0], JOKERS[1], TWO, KING, KING + HEARTS, TWO + HEARTS) == -4


def test_equal_cards_in_a_row_do_not_match():
    assert score(NINE, NINE + HEARTS, NINE + SPADES, ACE, TWO, THREE) == 33


def test_equal_points_of_different_kinds_do_not_match():
    assert score(JACK, KING, KING + HEARTS, QUEEN, ACE, TWO) == 23


def test_matches_are_counted_by_columns():
    assert rules.hand_matches(np.array([NINE, TEN, ACE, NINE + HEARTS, TEN + HEARTS, TWO], np.int8)) == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_deal_is_the_whole_deck_with_two_cards_of_each_hand_face_up(seats):
    for deal in range(50):
        table = Table(seats, deal)
        hands = table["hand"][:seats]
        assert sorted([*hands.ravel().tolist(), *table.stock(), *table.discards()]) == list(range(54))
        assert len(table.discards()) == 1
        assert table["up"][:seats].sum(axis=1).tolist() == [2] * seats


def test_every_place_is_equally_often_face_up_at_the_start():
    up = np.array([Table(2, deal)["up"][:2].tolist() for deal in range(3000)])
    assert np.abs(up.mean(axis=(0, 1)) - 1 / 3).max() < 0.03


def test_a_card_from_the_stock_may_go_anywhere():
    table = Table()
    table.play(STOCK)
    assert table.legal() == [0, 1, 2, 3, 4, 5, THROW]


def test_a_card_from_the_discard_pile_must_be_exchanged():
    table = Table()
    table.play(DISCARD)
    assert table.legal() == [0, 1, 2, 3, 4, 5]


def test_an_exchange_leaves_the_new_card_face_up_and_the_old_one_on_the_pile():
    table = Table()
    upcard, old = table.discards()[-1], int(table["hand"][0][4])
    table.play(DISCARD, 4)
    assert table["hand"][0][4] == upcard
    assert table["up"][0][4] == 1
    assert table.discards() == [old]


def test_a_thrown_card_lies_on_top_of_the_discard_pile():
    table = Table()
    top = table.stock()[-1]
    table.play(*STALL)
    assert table.discards()[-1] == top


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_others_get_one_last_turn(seats):
    table = Table(seats)
    table.finish_round()
    assert table["tally"]["turns"] == 3 * seats + 1 + (seats - 1)
    assert table["tally"]["ended"].tolist() == [1, 0, 0, 0]
    assert table["tally"]["stalemates"] == 0


def test_only_the_first_to_uncover_everything_ends_the_round():
    table = Table(2)
    while table["round_number"] == 0:
        table.uncover()
    assert table["tally"]["turns"] == 8
    assert table["tally"]["ended"].tolist() == [1, 0, 0, 0]


def test_the_stock_is_remade_from_all_discards_but_the_top():
    table = Table(2)
    table.play(*STALL * 40)
    last, before = table.stock(), table.discards()
    table.play(*STALL)
    assert table.discards() == last
    assert sorted(table.stock()) == sorted(before)
    assert table.stock() != before


@pytest.mark.parametrize("deal", range(5))
def test_the_same_turn_five_times_stops_the_round(deal):
    table = Table(2, deal)
    times = dict.fromkeys(range(54), 0)
    drawn = -1
    while table["round_number"] == 0:
        assert max(times.values()) < 5
        table.play(STOCK)
        drawn = int(table["drawn"])
        times[drawn] += 1
        table.play(THROW)
    assert times[drawn] == 5
    assert 165 <= sum(times.values()) <= 169  # four passes through a stock of 41, and a first card (or so) of the fifth
    assert table["tally"]["stalemates"] == 1
    assert table["tally"]["ended"].sum() == 0


def test_repetitions_are_forgotten_between_rounds():
    table = Table(2)
    for number in range(1, 4):
        while table["round_number"] < number:
            table.play(*STALL)
        assert 165 * number <= table["tally"]["turns"] <= 169 * number


def shuffle_face_up_cards(table, turns, luck):
    """Exchange face-up cards at random: turns that uncover nothing and hardly ever repeat."""
    for _ in range(turns):
        table.play(luck.integers(2), luck.choice(table.places(up=1)))


def test_a_round_stops_after_five_hundred_turns():
    table = Table(2)
    while len(table.places(up=0)) > 1:
        table.uncover()
    shuffle_face_up_cards(table, 493, np.random.default_rng(1))
    assert table["round_number"] == 0
    table.play(STOCK, table.places(up=1)[0])
    assert table["round_number"] == 1
    assert table["tally"]["turns"] == 500
    assert table["tally"]["stalemates"] == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_ended_on_the_last_turn_allowed_still_gives_the_others_theirs(seats):
    table = Table(seats)
    while len(table.places(up=0)) > 1:
        table.uncover()
    shuffle_face_up_cards(table, 499 - 3 * seats, np.random.default_rng(1))
    table.uncover()
    assert table["ender"] == 499 % seats
    hands = None
    while table["round_number"] == 0:
        table.play(STOCK)
        hands = table["hand"][:seats].copy()
        table.play(THROW)
    assert table["tally"]["turns"] == 500 + seats - 1
    assert table["tally"]["score"][:seats].tolist() == [rules.hand_score(hand) for hand in hands]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_is_nine_rounds_and_starting_seats_rotate(seats):
    table = Table(seats)
    starters = []
    while not table["over"]:
        assert table["turn"] == table["starter"]
        starters.append(int(table["starter"]))
        table.finish_round()
    assert starters == [number % seats for number in range(9)]
    assert table["tally"]["ended"].sum() == 9


def test_scores_add_up_over_rounds():
    table = Table(2)
    total = np.zeros(2, int)
    while not table["over"]:
        number, hands = int(table["round_number"]), None
        while table["round_number"] == number and not table["over"]:
            hands = table["hand"][:2].copy()
            if table["turn"] == table["starter"]:
                place = table.places(up=0)[0]
                table.play(STOCK)
                hands[table["turn"], place] = table["drawn"]
                table.play(place)
            else:
                table.play(*STALL)
        total += [rules.hand_score(hand) for hand in hands]
    assert table["tally"]["score"][:2].tolist() == total.tolist()
    assert table["tally"]["cards"].sum(axis=1).tolist() == [54, 54, 0, 0]


def test_deals_of_a_pair_are_equal_whatever_the_players_do():
    one, other = Table(2, deal=7), Table(2, deal=7)
    luck = np.random.default_rng(1)
    for number in range(1, 9):
        one.finish_round()
        while other["round_number"] < number:
            other.play(luck.choice(other.legal()))
        assert one.dealt() == other.dealt()
        assert one["starter"] == other["starter"]


def test_different_deals_differ():
    assert Table(2, deal=1).dealt() != Table(2, deal=2).dealt()
    assert Table(2, seed=1).dealt() != Table(2, seed=2).dealt()


def test_a_stalled_round_can_be_read_back_from_its_notation():
    table, moves = Table(2), []
    while not table["over"]:
        moves += STALL
        table.play(*STALL)
    view = find_game("golf").view
    text = view.game_text(Played(seed=1, deal=0, luck=0, seats=2, moves=tuple(moves)))
    assert view.game_tally(text, "game")[0] == table["tally"]


@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_seats_play_whole_games(seats):
    game = find_game("golf")
    contestants = find_players(game, ["greedier"] + ["random"] * (seats - 1))
    tallies = play(game, paired_jobs(1, np.arange(seats), 20), contestants)
    assert (tallies["ended"].sum(axis=1) + tallies["stalemates"] == 9).all()
    assert (tallies["cards"].sum(axis=2) == [54] * seats + [0] * (4 - seats)).all()


def test_random_players_score_what_the_study_found():
    result = match("golf", "random", "random", pairs=10_000, seed=1)
    scores = [player.score.value for player in result.players]
    measures = {
        name: np.mean([player.measures[name].value for player in result.players])
        for name in ("matches_per_game", "turns_per_round")
    }
    assert np.mean(scores) == pytest.approx(279.2, abs=1.0)
    assert measures["matches_per_game"] == pytest.approx(1.49, abs=0.03)
    assert measures["turns_per_round"] == pytest.approx(20.24, abs=0.10)
    assert [p.measures["rounds_ended"].value for p in result.players] == pytest.approx([0.5, 0.5], abs=0.01)


@pytest.mark.parametrize(
    ("name", "expected", "randoms"), [("greedier", 133.2, 280.6), ("greedier-published", 147.2, 284.8)]
)
def test_greedier_players_score_what_their_rules_give_against_random(name, expected, randoms):
    result = match("golf", name, "random", pairs=10_000, seed=1)
    assert result.players[0].score.value == pytest.approx(expected, abs=1.5)
    assert result.players[1].score.value == pytest.approx(randoms, abs=1.5)
