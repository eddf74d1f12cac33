"""The doubling cube, matches, Crawford, Jacoby, beavers and resignations; records, IDs and players with stakes."""

import re
import shutil
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

import sparring
from amounts import amount
from sparring.arena.explain import explain
from sparring.arena.players import Chooser, find_player
from sparring.errors import UserError
from sparring.games import find_game, name_game
from sparring.games.backgammon import encodings
from sparring.games.backgammon.check_state import check_state
from sparring.games.backgammon.game_record import read_record
from sparring.games.backgammon.gnubg import ELSEWHERE, Gnubg
from sparring.games.backgammon.match_id import MatchFields, match_id, read_match_id, write_match_id
from sparring.games.backgammon.rules import (
    ACCEPT,
    BEAVER,
    BEFORE_ROLL,
    DOUBLE,
    DOUBLED,
    DROP,
    LARGEST,
    NOBODY,
    NOW,
    OVER,
    PLAYING,
    REFUSE,
    RESIGN,
    ROLL,
    TAKE,
)
from sparring.games.game import apply_move, legal_moves, start_game
from sparring.kernel.records import records
from sparring.nets.evaluators import net_evaluator
from sparring.testing.cast import random_net

CONTACT = "XGID=-b----E-C---eE---c-e----B-"  # the start
WINNING = "XGID=-A----------------------b-"  # the side on roll bears off its last checker
GAMMON = "XGID=-A----------------------o-"  # and the other has borne off nothing


class Table:
    """A game under way, played by hand."""

    def __init__(self, words, deal=0):
        self.game = name_game(f"backgammon:{words}" if words else "backgammon")
        self.state = start_game(self.game, 1, deal, deal, 2)

    @property
    def s(self):
        return self.state[0]

    def legal(self):
        return legal_moves(self.game, self.state)

    def act(self, *moves):
        for move in moves:
            assert move in self.legal(), (move, self.legal())
            apply_move(self.game.rules, self.state, move)
        return self

    def next_roll(self):
        """Play on until a seat may double or resign."""
        while self.s["phase"] == PLAYING and not self.s["over"]:
            self.act(self.legal()[0])
        return self


def position(board, fields="0:0:1:00:0:0:0:0:10", words="cube=on"):
    return Table(f"start={board}:{fields},{words}")


# The cube.


def test_without_a_cube_every_move_is_a_play():
    table = Table("").next_roll()
    assert table.s["over"] and table.s["tally"]["cube"] == 0


def test_nobody_doubles_before_the_opening_roll_and_the_next_seat_may():
    table = Table("cube=on")
    assert table.s["phase"] == PLAYING
    first = int(table.s["turn"])
    table.next_roll()
    assert (table.s["turn"], table.s["phase"]) == (1 - first, BEFORE_ROLL) and table.legal() == (ROLL, DOUBLE)
    assert table.s["dice"].tolist() == [0, 0]


def test_the_other_seat_answers_a_double_and_then_owns_the_cube():
    table = position(CONTACT).act(DOUBLE)
    assert (table.s["turn"], table.s["phase"]) == (1, DOUBLED) and table.legal() == (TAKE, DROP)
    table.act(TAKE)
    assert (table.s["turn"], table.s["phase"]) == (0, PLAYING), "the doubler rolls"
    assert (table.s["cube"], table.s["owner"]) == (2, 1)
    table.next_roll()
    assert table.s["turn"] == 1 and DOUBLE in table.legal(), "the owner may redouble"
    table.act(ROLL).next_roll()
    assert table.s["turn"] == 1, "the other seat may not: it rolled at once"


def test_a_drop_loses_the_cube_as_it_was():
    table = position(CONTACT, "1:1:1:00:0:0:0:0:10").act(DOUBLE, DROP)
    assert table.s["over"] and table.s["tally"]["score"][:2].tolist() == [2, -2]
    assert table.s["tally"]["drops"][:2].tolist() == [0, 1] and table.s["tally"]["doubles"][:2].tolist() == [1, 0]


def test_the_cube_multiplies_a_gammon():
    table = position(GAMMON, "2:-1:1:00:0:0:0:0:10")
    assert table.s["phase"] == PLAYING, "the other seat owns the cube, so there is nothing to decide"
    table.act(table.legal()[0])
    assert table.s["tally"]["score"][:2].tolist() == [8, -8] and table.s["tally"]["gammons"][0] == 1


def test_the_cube_has_a_largest_value():
    table = position(CONTACT, f"{LARGEST.bit_length() - 1}:1:1:00:0:0:0:0:10")
    assert table.s["phase"] == PLAYING


# Jacoby and beavers.


@pytest.mark.parametrize(("cube", "points"), [("0:0", 1), ("1:-1", 4)])
def test_with_jacoby_a_gammon_counts_only_once_the_cube_is_turned(cube, points):
    table = position(GAMMON, f"{cube}:1:61:0:0:0:0:10", "cube=on,jacoby=on")
    table.act(table.legal()[0])
    assert table.s["tally"]["score"][0] == points


def test_jacoby_holds_for_money_only():
    table = position(GAMMON, "0:0:1:61:0:0:0:5:10", "cube=on,jacoby=on")
    table.act(table.legal()[0])
    assert table.s["points"].tolist() == [2, 0]


def test_a_beaver_doubles_again_and_keeps_the_cube():
    table = position(CONTACT, words="cube=on,beavers=on").act(DOUBLE)
    assert table.legal() == (TAKE, DROP, BEAVER)
    table.act(BEAVER)
    assert table.s["turn"] == 0 and table.legal() == (TAKE, DROP)
    table.act(TAKE)
    assert (table.s["cube"], table.s["owner"], table.s["turn"], table.s["phase"]) == (4, 1, 0, PLAYING)


def test_a_beaver_that_is_dropped_costs_the_doubled_cube():
    table = position(CONTACT, words="cube=on,beavers=on").act(DOUBLE, BEAVER, DROP)
    assert table.s["tally"]["score"][:2].tolist() == [-2, 2]


def test_there_are_no_beavers_in_a_match():
    assert position(CONTACT, "0:0:1:00:0:0:0:7:10", "cube=on,beavers=on").act(DOUBLE).legal() == (TAKE, DROP)


# Matches.


def test_the_crawford_game_has_no_cube_and_comes_once():
    table = position(CONTACT, "0:0:1:00:5:0:0:7:10").act(DOUBLE, DROP)  # 6 to 0
    assert table.s["points"].tolist() == [6, 0] and table.s["crawford"] == NOW
    assert (table.s["cube"], table.s["owner"]) == (1, NOBODY)
    games = table.s["tally"]["games"]
    while table.s["tally"]["games"] == games and not table.s["over"]:
        assert DOUBLE not in table.legal()
        table.act(table.legal()[0])
    if not table.s["over"]:
        assert table.s["crawford"] == OVER


def test_after_the_crawford_game_the_trailer_may_double_and_the_leader_s_cube_is_dead():
    leader, trailer = position(CONTACT, "0:0:1:00:6:3:0:7:10"), position(CONTACT, "0:0:1:00:3:6:0:7:10")
    assert leader.s["crawford"] == OVER and leader.s["phase"] == PLAYING
    assert trailer.s["phase"] == BEFORE_ROLL and DOUBLE in trailer.legal()


def test_a_cube_that_wins_the_match_is_dead_for_its_owner():
    assert position(CONTACT, "2:1:1:00:3:0:0:7:10").s["phase"] == PLAYING
    assert position(CONTACT, "2:1:1:00:2:0:0:7:10").s["phase"] == BEFORE_ROLL


def test_a_match_ends_when_a_side_has_its_points():
    table = position(GAMMON, "1:-1:1:61:4:2:0:7:10")
    table.act(table.legal()[0])
    assert table.s["over"] and table.s["tally"]["score"][:2].tolist() == [7, 2], "points beyond the length do not count"


def test_the_next_game_of_a_match_begins_from_the_start():
    table = position(WINNING, "0:0:1:61:0:0:0:3:10")
    table.act(table.legal()[0])
    assert table.s["points"].tolist() == [1, 0] and table.s["phase"] == PLAYING and not table.s["over"]
    assert table.s["board"].sum(axis=1).tolist() == [15, 15] and table.s["dice"][0] > table.s["dice"][1]


# Resignations.


def test_a_seat_may_resign_before_its_roll_and_the_other_accepts():
    table = position(CONTACT, "1:-1:1:00:0:0:0:0:10", "cube=on,resign=on")
    assert table.legal() == (ROLL, RESIGN + 1, RESIGN + 2, RESIGN + 3)
    table.act(RESIGN + 2)
    assert table.s["turn"] == 1 and table.legal() == (ACCEPT, REFUSE)
    table.act(ACCEPT)
    assert table.s["tally"]["score"][:2].tolist() == [-4, 4] and table.s["tally"]["gammons"][1] == 1


def test_after_a_refusal_only_more_can_be_resigned_in_this_turn():
    table = position(CONTACT, words="cube=on,resign=on").act(RESIGN + 1, REFUSE)
    assert (table.s["turn"], table.s["phase"]) == (0, BEFORE_ROLL)
    assert table.legal() == (ROLL, DOUBLE, RESIGN + 2, RESIGN + 3)
    table.act(RESIGN + 3, REFUSE)
    assert table.legal() == (ROLL, DOUBLE)


# Players.


def test_networks_cash_a_won_game_and_drop_a_lost_one():
    table = position(WINNING)
    net = find_player(table.game, "champion")
    found = explain(table.game, net, table.state)
    values = {each.move: each.value for each in found.candidates}
    assert values[DOUBLE] == pytest.approx(1, abs=0.02)
    table.act(DOUBLE)
    assert Chooser(table.game, net).choose(table.state.copy()) == DROP


def test_networks_neither_double_nor_drop_at_the_start():
    table = position(CONTACT)
    chooser = Chooser(table.game, find_player(table.game, "champion"))
    assert chooser.choose(table.state.copy()) == ROLL
    table.act(DOUBLE)
    assert chooser.choose(table.state.copy()) == TAKE


@pytest.mark.parametrize("words", ["cube=on", "cube=on,match=5", "match=3", "cube=on,jacoby=on,beavers=on,resign=on"])
def test_random_games_with_stakes_end_and_are_zero_sum_or_won(words):
    game = name_game(f"backgammon:{words}")
    kept = []
    result = sparring.match(game, "random", "champion-40", pairs=amount(10, 100), keep=kept.extend)
    assert result.draws == 0
    for played in kept:
        text = game.view.game_text(played)
        record = read_record(text, "game")
        assert record.moves == played.moves and record.text() == text
        assert (record.tally() == game.view.game_tally(text, "game")).all()
        assert list(game.view.replay(text, "game", ["a", "b"]))[-1]


def test_states_of_games_with_stakes_are_possible_ones():
    game = name_game("backgammon:cube=on,match=3,resign=on")
    for deal in range(amount(3, 30)):
        state = start_game(game, 1, deal, deal, 2)
        rng = np.random.default_rng(deal)
        while not state[0]["over"]:
            assert check_state(state, game.template) == ""
            assert game.view.table(state[0], 0, ["a", "b"]).startswith("<svg")
            assert game.view.text(state[0], 0)
            legal = legal_moves(game, state)
            texts = [game.view.move_text(state[0], move) for move in legal]
            assert [game.view.read_move(state[0], text) for text in texts] == list(legal)
            apply_move(game.rules, state, int(rng.choice(legal)))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("cube", 3, "cube"),
        ("owner", 2, "cube"),
        ("phase", 9, "decision"),
        ("phase", 4, "decision"),
        ("points", 7, "score"),
    ],
)
def test_impossible_stakes_in_a_checkpoint_are_found(field, value, said):
    game = name_game("backgammon:cube=on,match=5")
    state = start_game(game, 1, 0, 0, 2)
    state[0][field] = value
    if field == "phase":
        state[0]["dice"] = 0
    assert said in check_state(state, game.template)


# Networks that have learned the cube.


@pytest.fixture(scope="module")
def learned():
    game = name_game("backgammon:cube=on")
    return game, random_net(game, "cube", 3)


def seen(table, net, seat):
    """The network's value of what a seat sees, in points."""
    index, value = np.zeros(64, np.int64), np.zeros(64, np.float32)
    count = encodings.inputs(records(table.state)[0], seat, encodings.CUBE, index, value)
    row = np.zeros((1, net.inputs))
    row[0, index[:count]] = value[:count]
    return 3 * int(table.s["cube"]) * (2 * float(net_evaluator(net).values(row)[0, 0]) - 1)


@pytest.mark.parametrize("cube", ["0:0", "1:1"])
def test_a_learned_value_of_an_action_is_that_of_what_the_seat_sees_after_it(learned, cube):
    game, net = learned
    for actions in ((), (DOUBLE,)):
        before = position(CONTACT, f"{cube}:1:00:0:0:0:0:10").act(*actions)
        found = {
            each.move: each.value for each in explain(before.game, find_player(game, net), before.state).candidates
        }
        for move in before.legal():
            after = position(CONTACT, f"{cube}:1:00:0:0:0:0:10").act(*actions, move)
            seat = int(before.s["turn"])
            expected = int(after.s["tally"]["score"][seat]) if after.s["over"] else seen(after, net, seat)
            assert found[move] == pytest.approx(expected, abs=1e-5)
        best = max(found, key=found.get)
        assert Chooser(game, find_player(game, net)).choose(before.state.copy()) == best


def test_deep_td_learns_to_double_and_take_from_zero():
    """A short training: the head is measured in cubes, so that values stay within a backgammon."""
    run = sparring.train(
        "backgammon:cube=on,start=hypergammon", learner="deep-td", encoding="cube", outputs="cubeful", layers="16", games=64,
        turns=amount(600, 6000), minibatch=16, minibatch_end=16, step_turns=200, rate=5e-3, runs=Path(mkdtemp()),
        evaluation={"opponents": ["random"], "pairs": 200, "selection_pairs": 10},
    )  # fmt: skip
    found = sparring.match("backgammon:cube=on,start=hypergammon", run.folder, "random-by-checker", pairs=200, seed=5)
    assert found.players[0].score.low > 0


# IDs and bad input.


def test_a_state_s_xgid_has_its_cube_and_score():
    fields = "1:-1:1:00:2:4:0:7:10"
    table = position(CONTACT, fields)
    assert (
        table.game.view.state_json(table.s)["xgid"]
        == f"{CONTACT}:1:-1:1:{''.join(map(str, table.s['dice']))}:2:4:0:7:10"
    )
    table = position(CONTACT, "1:1:1:00:2:4:0:7:10")
    assert table.game.view.state_json(table.s)["xgid"] == f"{CONTACT}:1:1:1:00:2:4:0:7:10"
    assert table.act(DOUBLE).game.view.state_json(table.s)["xgid"].split(":")[4] == "D"


def test_match_ids_are_those_of_the_manual_of_gnu_backgammon():
    """Its example: a match to 9, the score 2 to 4, the cube at 2 owned by player 0, player 1 to play 52."""
    fields = MatchFields(1, 0, 1, 0, 1, 1, 0, 0, 5, 2, 9, 2, 4)
    assert write_match_id(fields) == "QYkqASAAIAAA" and read_match_id("QYkqASAAIAAA") == fields


@pytest.mark.parametrize("text", ["QYkqASAAIAA", "QYkqASAAIAA!", "//////////8A"])
def test_wrong_match_ids_are_refused(text):
    with pytest.raises(UserError, match="match ID"):
        read_match_id(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("match=65", "from 0 to 64"),
        (f"cube=on,start={CONTACT}:3:1:1:00:0:0:0:4:10", "a cube of 4 already decides"),
        (f"cube=on,start={CONTACT}:0:0:1:00:7:0:0:7:10", "must be below 7"),
        (f"cube=on,match=5,start={CONTACT}:0:0:1:00:0:0:0:7:10", "match=5 is chosen"),
    ],
)
def test_impossible_stakes_are_refused_in_one_line(words, said):
    with pytest.raises(UserError, match=re.escape(said)):
        name_game(f"backgammon:{words}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("start standard cube match 70\n0 31: 8/5 6/5\n0 wins 1", "from 1 to 64"),
        ("start standard cube\n0 31: 8/5 6/5\n1 takes\n0 wins 1", "choose one of roll, double"),
        ("start standard cube\n0 31: 8/5 6/5\n1 doubles\n0 64: 24/14\n0 wins 1", "an offer to answer"),
        ("start standard cube\n0 31: 8/5 6/5\n1 doubles\n0 drops\n1 wins 2", "ends with '1 wins 1'"),
        (
            "start standard cube match 3\n0 31: 8/5 6/5\n1 doubles\n0 drops\nscore 0 2\n1 31: 8/5 6/5\n1 wins",
            "the score is 0 to 1",
        ),
        ("start standard sometimes\n0 31: 8/5 6/5\n0 wins 1", "'sometimes' after the start"),
    ],
)
def test_wrong_records_with_stakes_are_refused_in_one_line(text, said):
    with pytest.raises(UserError, match=re.escape(said)) as error:
        read_record(text, "game")
    assert "\n" not in str(error.value)


def test_match_ids_are_those_of_states():
    table = Table("cube=on,match=7").next_roll()
    fields = read_match_id(match_id(table.s))
    assert (fields.length, fields.turn, fields.cube, fields.owner) == (7, int(table.s["turn"]), 0, 3)
    table.act(DOUBLE)
    offered = read_match_id(match_id(table.s))
    assert offered.doubled == 1 and offered.turn != offered.on_roll


@pytest.mark.skipif(shutil.which("gnubg", path=ELSEWHERE) is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_doubles_takes_and_drops():
    program = Gnubg()
    try:
        start = position(CONTACT)
        assert program.choose(start.state) == ROLL
        assert program.choose(start.act(DOUBLE).state) == TAKE, "it would beaver, which is not offered"
        won = position(WINNING.replace("b-", "o-"))
        assert program.choose(won.act(DOUBLE).state) == DROP
    finally:
        program.close()


def test_find_game_knows_the_usual_game_without_stakes():
    assert not find_game("backgammon").template[0]["rules"]["doubling"]


def test_a_game_starts_from_a_position_id_and_a_match_id():
    """GNU Backgammon's manual: a match to 9, the cube at 2 owned by the other player, 2 to 4, 52 rolled."""
    table = Table("cube=on,start=4HPwATDgc/ABMA:QYkqASAAIAAA")
    assert table.s["dice"].tolist() == [5, 2] and table.s["phase"] == PLAYING
    assert (table.s["cube"], table.s["owner"], table.s["points"].tolist()) == (2, 1, [4, 2])
    assert table.s["rules"]["length"] == 9 and table.s["tally"]["score"][:2].tolist() == [4, 2]


@pytest.mark.skipif(shutil.which("gnubg", path=ELSEWHERE) is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_knows_who_leads():
    """A side that needs one point after the Crawford game never doubles; the other doubles at once and is taken or not by score."""
    program = Gnubg()
    try:
        trailing = position(CONTACT, "0:0:1:00:2:6:0:7:10")
        assert program.choose(trailing.state) == DOUBLE, "it has nothing to lose"
        even = position(CONTACT, "0:0:1:00:0:0:0:7:10")
        assert program.choose(even.state) == ROLL
    finally:
        program.close()
