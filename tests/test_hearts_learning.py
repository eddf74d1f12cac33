"""What hearts teams may learn from besides their own rounds: later values, discounted rewards, other views, recorded games."""

from pathlib import Path

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import start_game
from sparring.games.hearts.game_record import record_of
from sparring.games.hearts.recorded import recorded_rounds
from sparring.learn.curriculum_options import recorded_games
from sparring.nets.files import save_net
from test_curriculum import HEARTS, ROLES, SHORT, examples, team, training

NAMES = list(ROLES)


def by_seat(told, game=0):
    """The examples of one game, seat by seat and round by round, in the order of play."""
    row = told[: 240 * (game + 1)][240 * game :]
    return {(seat, number): row[(row["role"] >= 0) & (row["seat"] == seat) & (row["episode"] == number)]
            for seat in range(4) for number in range(4)}  # fmt: skip


def test_a_discounted_reward_counts_less_for_each_earlier_card():
    _, equal, _ = examples("play", "play")
    equal = equal.copy()
    _, told, _ = examples("play", "play", discount=0.9)
    for game in range(40):
        for key, cards in by_seat(told, game).items():
            whole = by_seat(equal, game)[key]["target"]
            assert len(cards) == 13 and (whole == whole[0]).all()
            assert np.allclose(cards["target"], whole * 0.9 ** np.arange(12, -1, -1), atol=1e-5)


@pytest.mark.parametrize("trace", [0.0, 0.6])
def test_td_lambda_mixes_the_next_values_with_the_outcome(trace):
    school, told, _ = examples("play", "play", trace=trace)
    for cards in by_seat(told).values():
        values = school._values(0, "play", cards)[1]
        target = cards["target"][-1]
        assert 0 <= target <= 1
        for k in range(11, -1, -1):
            target = (1 - trace) * values[k + 1] + trace * target
            assert np.isclose(cards["target"][k], target, atol=1e-4)


def test_equation_41_rewards_the_points_taken_on_the_way_to_the_moon():
    _, told, order = examples("moon-play", "moon-play", start=2.0, seed=2, rewards="moon=share")
    points = 26 * told["target"][order]
    assert np.allclose(points, points.round(), atol=1e-3) and len(set(points.round())) > 3


def decisions(view, tmp_path):
    """Examples of the decision to defend, against a player that always shoots."""
    path = tmp_path / "team.safetensors"
    save_net(path, team(thresholds={"moon-decision": 0.0, "defence-decision": 0.5}))
    school = training(stages=("defence-decision",), before=str(path), rewards=f"view={view}")
    return school._examples(0, "defence-decision", "defence-decision", 200, "test")[0]


def test_the_decision_to_defend_can_learn_from_the_moon_players_view(tmp_path):
    told = {view: decisions(view, tmp_path).copy() for view in ("defender", "shooter")}
    role = NAMES.index("defence-decision")
    first = {view: each[each["role"] == role] for view, each in told.items()}
    seats = {view: np.array([set(row["seat"][row["role"] == role]) for row in each.reshape(200, -1)])
             for view, each in told.items()}  # fmt: skip
    for game in range(200):  # the moon player sits in one seat, the defenders in the other three
        assert len(seats["shooter"][game]) == 1 and not seats["shooter"][game] & seats["defender"][game]
    for each in first.values():
        assert set(np.unique(each["target"])) <= {0.0, 1.0}
    assert len(first["shooter"]) > 200 * 4 * 2


def test_one_network_learns_the_whole_game_and_is_rewarded_for_a_moon():
    school = training(stages=("whole",), games=(100,))
    told, order = school._examples(0, "whole", "play", 400, "test")
    moons = 0
    for game in range(400):
        rounds = by_seat(told, game)
        for number in range(4):
            target = [rounds[seat, number]["target"][0] for seat in range(4)]
            moons += sorted(target) == [0, 0, 0, 1]
    assert len(order) == 400 * 4 * 52 and moons > 0
    assert "whole" not in HEARTS.learning.curriculum.usual


# Recorded games.


@pytest.fixture
def log(tmp_path) -> Path:
    """A log of games of players that shoot moons and stop them."""
    game, kept = find_game("hearts:rounds=4"), []
    match(game, "daring", "guarded", pairs=10, seed=1, keep=kept.extend)
    path = tmp_path / "games.log"
    path.write_text("# sparring log {}\n" + "\n\n".join(map(game.view.game_text, kept)) + "\n")
    return path


def test_recorded_rounds_are_those_of_the_log(log):
    game, kept = find_game("hearts:rounds=4"), []
    match(game, "daring", "guarded", pairs=10, seed=1, keep=kept.extend)
    rows = recorded_games(HEARTS, str(log))
    assert len(rows) == 40 * 4 and (rows["number"].reshape(40, 4) == range(4)).all()
    state = start_game(game, kept[7].seed, kept[7].deal, kept[7].luck, 4)
    record = record_of(game, state, kept[7].moves)
    assert [tuple(row["hand"]) for row in rows[28:32]] == [played.dealt for played in record.deals]
    for row, played in zip(recorded_rounds(record.text(), "here"), record.deals, strict=True):
        assert tuple(row["move"][: row["count"]]) == played.moves and row["passing"] == bool(played.passed)


ROLE_STAGES = {"moon-decision": "moon-decision-4", "moon-play": "moon-play", "moon-pass": "moon-pass",
               "defence-decision": "defence-decision", "defence-play": "defence-play"}  # fmt: skip


def from_records(log, tmp_path, role, **options):
    path = tmp_path / "team.safetensors"
    save_net(path, team(hidden=SHORT["hidden"]))
    return training(stages=(ROLE_STAGES[role],), before=str(path), records=str(log), **options)


@pytest.mark.parametrize("role", ROLE_STAGES)
def test_every_special_role_learns_from_recorded_games(log, tmp_path, role):
    school = from_records(log, tmp_path, role)
    before = school.nets.copy()
    told, order = school._examples(0, ROLE_STAGES[role], role, 400, "games", 0)
    assert len(order) > 0 and set(told["role"][order]) == {NAMES.index(role)}
    yes = told["target"][order] > 0.5
    assert yes.sum() == (~yes).sum(), "as many good as bad outcomes"
    school.advance()
    changed = np.flatnonzero((school.nets != before)[0])
    assert len(changed) and set(changed) <= set(range(*school._span(role).indices(before.shape[1])))


def test_the_hands_of_recorded_moons_are_the_hands_that_say_yes(log, tmp_path):
    school = from_records(log, tmp_path, "moon-decision")
    told, order = school._examples(0, "moon-decision-4", "moon-decision", 2000, "games", 0)
    hands = {tuple(sorted(row["index"][:13])) for row in told[order][told["target"][order] > 0.5]}
    shot = set()
    for row in recorded_games(HEARTS, str(log)):
        hand, won = [int(cards) for cards in row["hand"]], final_winner(row)
        if won is not None:
            shot.add(tuple(card for card in range(52) if hand[won] >> card & 1))
    assert hands and hands <= shot


def final_winner(row):
    """The seat that took all points of a recorded round, by the plain rules."""
    from sparring.games.hearts.plain_rules import Table

    table = Table.of(
        tuple(map(int, row["hand"])), int(row["number"]), {"passing": row["passing"], "moon": 1, "jack": 0}
    )
    moves = row["move"][: row["count"]].tolist()
    if row["passing"] and table.direction != 3:
        table.exchange(tuple(tuple(moves[3 * seat : 3 * seat + 3]) for seat in range(4)))
        moves = moves[12:]
    for card in moves:
        table.play(card)
    shooter = table.result().shooter
    return None if shooter < 0 else shooter


@pytest.mark.parametrize("text, words", [(None, "no such file"), ("\n", "contains no games"),
                                         ("hearts\nround 1: x", "game 1, round 1")])  # fmt: skip
def test_bad_logs_are_refused(tmp_path, text, words):
    path = tmp_path / "bad.log"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=words):
        training(stages=("play",), records=str(path))
