"""A team of nets and its curriculum: what is learned from, that it is learned, stopping and going on, and what is refused."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from sparring.arena.match import match
from sparring.arena.players import Chooser, find_player
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import legal_moves, play_move, start_game
from sparring.games.hearts.nets import ROLES
from sparring.games.hearts.rules import MOON, PASS, PLAY
from sparring.lab.experiment import build_experiment
from sparring.lab.run import create_run, open_run, train
from sparring.learn.curriculum import CurriculumTraining
from sparring.learn.curriculum_options import Curriculum
from sparring.learn.curriculum_seating import DRAWS, seat_rivals, seat_stage
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import load_net, save_net

HEARTS = find_game("hearts")
SHORT = {"step_games": 100, "games": (100,), "hidden": 8, "benchmark_games": 0, "exam_games": 200}


def team(roles=tuple(ROLES), hidden=6, seed=1, deviation=1.0, thresholds=None):
    """Nets of random weights for some roles."""
    parts = {}
    for k, role in enumerate(roles):
        shape = (HEARTS.policies.encodings[ROLES[role]], hidden, 1)
        weights = np.float32(deviation) * gaussian(size(shape), seed, k)
        parts[role] = Net("hearts", HEARTS.rules.version, ROLES[role], shape, weights, input_major=True)
    return Net.team(tuple(ROLES), parts, thresholds or {"moon-decision": 0.96, "defence-decision": 0.5})


def dense(role, cards):
    inputs = np.zeros(HEARTS.policies.encodings[ROLES[role]])
    inputs[cards] = 1
    return inputs


def places(s, seat, card=None):
    """The play view by the words of the page, after a card if one is named."""
    mine = {c for c in range(52) if int(s["hand"][seat]) >> c & 1} - {card}
    trick = {int(c): k for k, c in enumerate(s["trick"]) if c >= 0}
    gone = {c for c in range(52) if int(s["played"]) >> c & 1}
    found = []
    for c in range(52):
        place = 0 if c in mine else 4 if c in gone else 1
        if c in trick:
            place = 2 if trick[c] == seat else 3
        found.append(5 * c + (2 if c == card else place))
    return found


def random_states(count, phase, rules="rounds=4"):
    """States in which a choice is to be made, of games played at random."""
    game, rng = find_game(f"hearts:{rules}"), np.random.default_rng(3)
    for deal in range(count):
        state = start_game(game, 5, deal, deal, 4)
        left = int(rng.integers(1, 200))
        while not state[0]["over"]:
            left -= 1
            if left < 0 and state[0]["phase"] == phase and len(legal_moves(game, state)) > 1:
                yield game, state
                break
            play_move(game, state, int(rng.choice(legal_moves(game, state))))


def test_a_team_plays_the_card_whose_view_it_values_most():
    net = team(("play",), deviation=0.3)
    seen = 0
    for game, state in random_states(12, PLAY, "rounds=4,moon=off"):
        s, seat = state[0], int(state[0]["turn"])
        legal = legal_moves(game, state)
        values = [net.parts["play"].value(dense("play", places(s, seat, card))) for card in legal]
        chosen = Chooser(game, find_player(game, net)).choose(state)
        assert values[legal.index(chosen)] == pytest.approx(max(values), abs=1e-6)
        seen += 1
    assert seen > 5


def test_a_team_passes_the_three_cards_that_it_values_most():
    from itertools import combinations

    net = team(("pass",), deviation=0.3)
    game = find_game("hearts")
    state = start_game(game, 2, 0, 0, 4)
    hand = list(legal_moves(game, state))
    values = {
        three: net.parts["pass"].value(dense("pass", [*hand, *(52 + c for c in three)]))
        for three in combinations(hand, 3)
    }
    chooser, chosen = Chooser(game, find_player(game, net)), []
    for _ in range(3):
        chosen.append(chooser.choose(state))
        play_move(game, state, chosen[-1])
    assert values[tuple(sorted(chosen))] == pytest.approx(max(values.values()), abs=1e-6)


@pytest.mark.parametrize(("threshold", "tried"), [(0.0, 1.0), (1.0, 0.0)])
def test_the_moon_is_tried_above_the_threshold(threshold, tried):
    net = team(thresholds={"moon-decision": threshold, "defence-decision": 0.5})
    result = match("hearts:rounds=4", net, "rule-based", pairs=5).players[0].measures
    assert result["moons_tried"].value == tried
    assert result["moons_made"].value <= result["moons_tried"].value


def test_who_does_not_defend_never_plays_to_stop_a_moon_and_always_does_so_while_one_is_possible():
    net = team(thresholds={"moon-decision": 1.0, "defence-decision": 1.0})
    cards = {}
    for manner in ("plain", "undefended", "always"):
        player = dataclasses.replace(find_player(HEARTS, net), policy=f"net+{manner}")
        cards[manner] = match("hearts:rounds=4", player, "rule-based", pairs=5).players[0].measures["defended"].value
    assert cards["plain"] == cards["undefended"] == 0
    assert cards["always"] > 1


def training(seed=1, **options):
    return CurriculumTraining(HEARTS, Curriculum(**(SHORT | options)), seed, 1)


def examples(stage, role, **options):
    found = training(stages=("play", "pass", "tune", "moon-decision-1", "moon-play")[: 1 + ("play", "pass", "tune",
                     "moon-decision-1", "moon-play").index(stage)], **options)  # fmt: skip
    found.step = found.ends[stage] - 1
    return found, *found._examples(0, stage, role, 40, "test")


def test_every_example_of_a_round_has_the_rounds_reward_and_hints_add_up_to_the_points_taken():
    school, told, order = examples("play", "play", rewards="terminal=26,immediate=16")
    assert len(order) == 40 * 4 * 52
    rounds = told["target"].reshape(40, -1)[:, : 4 * 52].reshape(40, 4, 52)
    seats = told["seat"].reshape(40, -1)[:, : 4 * 52].reshape(40, 4, 52)
    hints = told["hint"].reshape(40, -1)[:, : 4 * 52].reshape(40, 4, 52)
    points = np.zeros((40, 4, 4))
    for seat in range(4):
        mine = seats == seat
        assert (mine.sum(axis=2) == 13).all()
        targets = rounds[mine].reshape(40, 4, 13)
        assert (targets == targets[:, :, :1]).all()
        points[:, :, seat] = 26 - 26 * targets[:, :, 0]
        taken = np.where(hints >= 0, 16 - 32 * hints, 0)
        assert np.allclose((taken * mine).sum(axis=2), points[:, :, seat], atol=1e-3)
    assert np.allclose(points.sum(axis=2), 26, atol=1e-3)


def test_passes_are_learned_with_the_hand_and_three_cards_of_it():
    _, told, order = examples("pass", "pass")
    some = told[order]
    assert len(some) == 40 * 3 * 4 and (some["count"] == 16).all()
    for example in some[:50]:
        cards = example["index"][:16]
        assert (cards[:13] < 52).all() and (cards[13:] >= 52).all()
        assert set(cards[13:] - 52) <= set(cards[:13])


SEARCH = {"rewards": "terminal=26,credit=round,search=60"}


def test_search_tells_of_every_card_that_could_be_played_and_of_none_alone():
    _, told, order = examples("play", "play", **SEARCH)
    sizes = told["group"][order]
    assert len(order) > 40 * 4 * 20 and (sizes >= 2).all() and (sizes <= 13).all()
    for first in order[:200]:
        group = told[first : first + told["group"][first]]
        assert (
            (group["group"][1:] == 0).all() and (group["role"] == 0).all() and (group["seat"] == group["seat"][0]).all()
        )
        assert ((group["target"] >= 0) & (group["target"] <= 1)).all()
        places = group["index"][:, :52] % 5
        assert ((places == 2).sum(axis=1) == 1).all()  # one card played by me, another in each
        assert len({int(np.argmax(row == 2)) for row in places}) == len(group)


def test_search_knows_that_a_last_trick_with_the_queen_costs_thirteen():
    """Of the targets, those of rounds with nothing left to win or lose are exactly what was taken."""
    _, told, order = examples("play", "play", rewards="terminal=26,credit=rest,search=60")
    values = 26 * (1 - told["target"][told["role"] == 0])
    assert values.min() >= -1e-4 and values.max() <= 26 + 1e-4
    late = [told[k : k + told["group"][k]] for k in order if (told["index"][k] % 5 == 4).sum() >= 44]
    costs = np.array([26 * (1 - group["target"][0]) for group in late])
    assert len(costs) > 50 and (np.abs(costs - costs.round()) < 1e-3).mean() > 0.3  # often what is left is known


def test_search_tries_passes_of_a_hand_among_them_the_one_chosen():
    _, told, order = examples("pass", "pass", **SEARCH)
    assert len(order) == 40 * 3 * 4 and (told["group"][order] == 12).all()
    for first in order[:40]:
        group = told[first : first + 12]
        assert (group["count"] == 16).all() and (group["index"][:, :13] == group["index"][0, :13]).all()
        passed = np.sort(group["index"][:, 13:16] - 52, axis=1)
        assert all(set(three) <= set(group["index"][0, :13].tolist()) for three in passed.tolist())
        assert len({tuple(three) for three in passed.tolist()}) > 4 and np.ptp(group["target"]) > 0


def test_a_reward_named_with_its_stage_is_for_that_stage_alone():
    rewards = "terminal=26,credit=rest,play.terminal=13,play.search=60"
    school, told, order = examples("pass", "pass", rewards=rewards)
    assert (school.rewards["play"].search, school.rewards["play"].terminal) == (60, 13)
    assert school.rewards["pass"].terminal == 26 and (told["group"][order] == 1).all()


def test_play_learned_from_search_beats_play_learned_from_rounds():
    points = []
    for rewards in ("terminal=26,credit=rest,immediate=0", "terminal=26,credit=rest,immediate=0,search=30"):
        school = training(
            games=(2000,),
            step_games=500,
            hidden=24,
            stages=("play",),
            rewards=rewards,
            explore="epsilon",
            level=0.1,
            batch=64,
        )
        while school.step < school.steps:
            school.advance()
        played = match("hearts:rounds=4,passing=off,moon=off", school.champions()[0], "rule-based", pairs=60)
        points.append(played.players[0].measures["points_per_round"].value)
    assert points[1] < points[0] - 1.0


def test_only_who_means_to_shoot_the_moon_learns_to():
    school, told, order = examples("moon-play", "moon-play", start=2.0, seed=2)
    assert set(told["role"][order]) == {list(ROLES).index("moon-play")}
    assert set(np.unique(told["target"][order])) <= {0.0, 1.0}


def test_a_short_training_of_play_improves_it():
    school = training(games=(6000,), step_games=500, hidden=32, stages=("play",), rate=0.01, rate_end=0.002)
    before = match(
        "hearts:rounds=4,passing=off,moon=off",
        Net.team(tuple(ROLES), {"play": school._part(0, "play")}, {}),
        "random",
        pairs=60,
    )
    while school.step < school.steps:
        school.advance()
    after = match("hearts:rounds=4,passing=off,moon=off", school.champions()[0], "random", pairs=60)
    gained = before.players[0].measures["points_per_round"].value - after.players[0].measures["points_per_round"].value
    assert gained > 1.0


@pytest.mark.parametrize("explore", ["thompson", "epsilon", "none"])
def test_exploration_varies_what_is_learned_from(explore):
    schools = [training(stages=("play",), explore=explore, epsilon=0.3), training(stages=("play",), explore="none")]
    first, second = (school._examples(0, "play", "play", 50, "x")[0]["index"].copy() for school in schools)
    assert (first == second).all() == (explore == "none")


def test_draws_come_nearer_when_more_was_seen():
    school = training(stages=("play",))
    _, told, order = school, *school._examples(0, "play", "play", 50, "x")
    wide = school._draw_outputs(0, "play", 1).std(axis=0).mean()
    for _ in range(5):
        school._update_posterior(0, "play", told, order)
    assert school._draw_outputs(0, "play", 1).std(axis=0).mean() < 0.7 * wide


def test_a_run_stopped_between_stages_ends_with_the_same_bytes(tmp_path: Path):
    table = {
        "game": "hearts", "name": "run", "trials": 2,
        "learner": {"name": "curriculum", "stages": ["play", "pass", "tune"], "games": [200, 100, 200], "step_games": 100,
                    "hidden": 4, "benchmark_games": 8, "curve_every": 2},
        "evaluation": {"opponents": ["random"], "pairs": 2, "selection_pairs": 2},
    }  # fmt: skip
    whole = create_run(build_experiment(table), tmp_path / "whole")
    train(whole)
    for stop in (1, 3):
        part = create_run(build_experiment(table), tmp_path / f"part{stop}")
        begun = part.training()
        for _ in range(stop):
            begun.advance()
        part.save(begun)
        train(open_run(part.folder))
        for path in sorted(whole.folder.rglob("*")):
            if path.is_file():
                assert path.read_bytes() == (part.folder / path.relative_to(whole.folder)).read_bytes(), path.name
    assert len(json.loads((whole.folder / "evaluation.json").read_text())["trials"]) == 2


def test_a_stage_can_be_run_alone_from_a_team(tmp_path: Path):
    save_net(tmp_path / "team.safetensors", team(("play", "pass"), hidden=5))
    school = training(stages=("tune",), before=str(tmp_path / "team.safetensors"))
    old = school.nets.copy()
    school.advance()
    assert (school.nets != old).any()
    assert set(school.champions()[0].parts) == {"play", "pass"} and school.champions()[0].parts["play"].hidden == 5


def test_roles_can_have_other_widths():
    school = training(stages=("play", "pass"), widths="play=12")
    school.step = school.steps
    assert {role: net.hidden for role, net in school.champions()[0].parts.items()} == {"play": 12, "pass": 8}


def test_a_team_comes_back_from_its_file(tmp_path: Path):
    net = team(thresholds={"moon-decision": 0.9, "defence-decision": 0.25})
    save_net(tmp_path / "team.safetensors", net)
    back = load_net(tmp_path / "team.safetensors", HEARTS)
    assert (back.weights == net.weights).all() and back.thresholds == {"moon-decision": 0.9, "defence-decision": 0.25}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stages": ("pass",)}, "pass needs play, which no stage before it learns"),
        ({"stages": ("play", "moon-play")}, "moon-play needs pass, moon-decision"),
        ({"stages": ("play", "pas")}, "unknown stage 'pas': did you mean 'pass'"),
        ({"stages": ("play", "play")}, "a stage is there twice"),
        ({"stages": ("play", "pass"), "games": (1, 2, 3)}, "must be one number, or one for each of 2 stages"),
        ({"rewards": "terminal"}, "rewards are written key=value"),
        ({"rewards": "terminal=99"}, "terminal"),
        ({"rewards": "plya.terminal=26"}, "unknown stage 'plya': did you mean 'play'"),
        ({"rewards": "tune.terminal=99"}, "terminal"),
        ({"stages": ("play",), "rewards": "pass.search=100"}, "'pass.search=100' is for a stage that is not trained"),
        ({"thresholds": "moon-decision=2"}, "is not like moon-decision=0.9"),
        ({"shares": "play=0.5"}, "'play' decides nothing"),
        ({"widths": "plya=64"}, "unknown role 'plya': did you mean 'play'"),
        ({"widths": "play=0"}, "is not like play=256"),
        ({"benchmarks": ("nobody",)}, "must be a built-in player"),
        ({"before": "missing.safetensors"}, "missing.safetensors: no such file"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, words):
    with pytest.raises(UserError, match=words) as error:
        training(**options)
    assert "\n" not in str(error.value)


def test_other_games_have_no_curriculum():
    with pytest.raises(UserError, match="golf has no roles to learn"):
        CurriculumTraining.check(find_game("golf"), Curriculum())


def test_a_decision_with_one_class_only_is_refused():
    game = find_game("hearts:moon=off")
    school = CurriculumTraining(
        game,
        Curriculum(**SHORT | {"step_games": 4, "games": (4,), "stages": ("play", "pass", "moon-decision-1")}),
        1,
        1,
    )
    with pytest.raises(
        UserError, match="stage moon-decision-1: not one of its games gave examples of both yes and no"
    ) as error:
        while school.step < school.steps:
            school.advance()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("stage", ["play", "tune"])
def test_epsilon_varies_play_in_every_round(stage):
    stages = ("play", "pass", "tune")[: 1 if stage == "play" else 3]
    schools = [training(stages=stages, explore="epsilon", epsilon=share) for share in (0.0, 1.0)]
    for school in schools:
        school.step = school.ends[stage] - 1
    first, second = (school._examples(0, stage, "play", 4, "x")[0] for school in schools)
    rounds = [told["index"].reshape(4, -1, 52)[:, : 4 * 52].reshape(4, 4, -1) for told in (first, second)]
    assert (rounds[0] != rounds[1]).any(axis=2).all()


def test_rivals_take_turns_and_meet_the_learner_in_every_seat():
    school = training(stages=("play",), rivals=("rule-based", "expert"), rival_share=0.5)
    stage = school.curriculum.stages["play"]
    jobs, learners = seat_stage(stage, 64, 1)
    seat_rivals(stage, jobs, learners, range(128, 130), school.options.rival_share)
    assert [(jobs["player"] == row).any(axis=1).sum() for row in (128, 129)] == [16, 16]
    for row in (128, 129):
        games = (jobs["player"] == row).any(axis=1)
        assert sorted(set(learners[games].tolist())) == [1, 2, 4, 8]
    assert set(learners[(jobs["player"] < 128).all(axis=1)].tolist()) == {15}


def test_every_draw_is_used_where_one_of_four_learns():
    jobs, learners = seat_stage(HEARTS.learning.curriculum.stages["moon-play"], 128, 1)
    assert len(set(jobs["player"][jobs["player"] < DRAWS].tolist())) == DRAWS


def test_the_curves_of_every_stage_are_of_games_to_a_hundred():
    school = training(stages=("play", "pass", "tune", "moon-decision-1"))
    for name in school.plan:
        assert school._benchmark_game(name).template[0]["rules"]["rounds"] == 0


def test_a_team_has_no_one_value():
    with pytest.raises(UserError, match="evaluate its parts: play, pass"):
        team(("play", "pass")).value(np.zeros(260))


def test_moons_are_planned_once_a_round():
    net = team(thresholds={"moon-decision": 0.0, "defence-decision": 0.5})
    game = find_game("hearts:rounds=1")
    state = start_game(game, 1, 0, 0, 4)
    assert state[0]["phase"] == PASS
    Chooser(game, find_player(game, net)).choose(state)
    assert state[0]["plan"][state[0]["turn"]] == MOON


def test_a_run_of_a_team_has_a_report_and_its_roles_can_be_drawn(tmp_path: Path, capsys):
    table = {
        "game": "hearts", "name": "run",
        "learner": {"name": "curriculum", "stages": ["play"], "games": [40], "step_games": 40, "hidden": 4, "benchmarks": []},
        "evaluation": {"opponents": ["random"], "pairs": 1, "selection_pairs": 1},
    }  # fmt: skip
    run = create_run(build_experiment(table), tmp_path)
    train(run)
    assert main(["report", str(run.folder)]) == 0
    assert "network for play" in (run.folder / "report.html").read_text()
    assert main(["draw", str(run.folder)]) == 2
    assert "say whose to draw: --role play" in capsys.readouterr().err
    assert main(["draw", str(run.folder), "--role", "play", "--out", str(tmp_path / "play.svg")]) == 0
    assert (tmp_path / "play.svg").read_text().startswith("<svg")
