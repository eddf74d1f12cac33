"""The set of positions by which players are rated."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import sparring
from amounts import amount
from sparring.arena.players import Chooser, find_player
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.backgammon.nply import Searcher
from sparring.games.backgammon.plays import CHECKERS
from sparring.games.backgammon.position_set import KINDS, NONE, SHIPPED, UNIT, by_rollouts, legal_plays, read_set

BACKGAMMON = find_game("backgammon")
JUDGE = Path(__file__).parent / "matches" / "deep-0.15.safetensors"  # `deep` of that version, which valued the set


@pytest.fixture(scope="module")
def shipped():
    return read_set()


def test_the_set_has_ten_thousand_distinct_positions_of_all_kinds_with_several_plays(shipped):
    assert len(shipped) == 10_000 and (shipped.boards.sum(axis=2) == CHECKERS).all()
    distinct = {(board.tobytes(), *dice) for board, dice in zip(shipped.boards, shipped.dice.tolist(), strict=True)}
    assert len(distinct) == 10_000
    assert min(np.bincount(shipped.kinds, minlength=len(KINDS))) >= 1000
    counts = np.diff(shipped.first)
    assert counts.min() > 1
    for number in range(0, 10_000, amount(500, 20)):
        assert len(legal_plays(shipped.boards[number], shipped.dice[number])) == counts[number]


def test_equities_are_those_of_a_search_of_two_plies(shipped):
    searcher = Searcher(find_player(BACKGAMMON, str(JUDGE)).net, 2)
    for number in range(7, 10_000, amount(3000, 100)):
        values = {
            one.move: one.equity for one in searcher.plays(shipped.boards[number], 0, shipped.dice[number].tolist())
        }
        best = max(values.values())
        for move, loss in shipped.losses(number).items():
            assert loss == pytest.approx(best - values[move], abs=2 * UNIT)


def test_ratings_order_players_by_strength():
    ratings = [
        sparring.rate(name, positions=amount(150, 2000)).loss.value for name in ("random", "pubeval", "champion-40")
    ]
    assert ratings == sorted(ratings, reverse=True)


def test_a_rating_adds_up_the_losses_of_the_moves_chosen(shipped):
    found = sparring.rate("simple", positions=20)
    numbers = np.linspace(0, len(shipped) - 1, 20).round().astype(int).tolist()
    chooser = Chooser(BACKGAMMON, find_player(BACKGAMMON, "simple"))
    lost = [shipped.losses(number)[chooser.choose(shipped.state(number))] for number in numbers]
    assert found.loss.value == pytest.approx(np.mean(lost)) and found.best == pytest.approx(
        np.mean(np.array(lost) == 0)
    )
    assert found.decisions == 20 and sum(count for count, _ in found.kinds.values()) == 20
    assert found.json()["performance_rating"][0] == pytest.approx(500 * found.json()["loss"][0], rel=1e-3)
    assert "performance rating" in found.text()


def test_a_play_that_is_not_rolled_out_stays_as_far_behind_the_best_of_the_search():
    first, equities = np.array([0, 3, 5]), np.array([100, 90, 40, 7, 5], np.int16)
    rollouts = np.array([80, 95, NONE, NONE, NONE], np.int16)
    assert by_rollouts(first, equities, rollouts).tolist() == [80, 95, 20, 7, 5]
    with pytest.raises(UserError, match="must be 2-ply or rollout"):
        sparring.rate("random", judge="x")


def test_rollouts_value_only_plays_close_to_the_best():
    found = load_file(SHIPPED)
    first, rolled = np.cumsum([0, *found["counts"].tolist()]), found["rollouts"] != NONE
    assert rolled.sum() > 1000
    for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        if rolled[begin:end].any():
            values = found["equities"][begin:end].astype(int)
            assert rolled[begin:end].sum() > 1 and rolled[begin + values.argmax()]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found.pop("dice"), "which has boards, dice"),
        (lambda found: found.update(dice=found["dice"] + 6), "its dice are"),
        (lambda found: found.update(boards=-found["boards"]), "its boards are"),
        (lambda found: found.update(counts=found["counts"][:-1]), "its counts are"),
        (lambda found: found.update(kinds=found["kinds"] + 6), "its kinds are"),
        (lambda found: found.update(rollouts=found["rollouts"][1:]), "its rollouts are"),
    ],
)
def test_wrong_sets_are_refused_in_one_line(tmp_path, change, said):
    found = load_file(SHIPPED)
    change(found)
    path = tmp_path / "set.safetensors"
    save_file(found, path)
    with pytest.raises(UserError, match=said):
        read_set(path=path)


def test_what_is_no_set_is_refused_in_one_line(tmp_path):
    path = tmp_path / "set.safetensors"
    for content in (b"", b"{}", b"\x08\x00\x00\x00\x00\x00\x00\x00{}      "):
        path.write_bytes(content)
        with pytest.raises(UserError, match="not a set of positions"):
            read_set(path=path)
    with pytest.raises(UserError, match="has no set of positions"):
        sparring.rate("random", game="golf")
