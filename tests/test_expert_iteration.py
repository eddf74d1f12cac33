"""Expert iteration: what searches say, that networks learn it, checkpoints, threads, and what is refused."""

import numpy as np
import pytest

import tiny_game
from sparring.errors import UserError
from sparring.games import find_game
from sparring.kernel.compiler import INTERPRETED
from sparring.lab.experiment import build_experiment
from sparring.learn.checkpoints import Damaged
from sparring.learn.expert_iteration import ExpertIteration, ExpertIterationTraining
from tiny_game import CARDS, CHANGE, INPUTS, KEEP

SMALL = {
    "layers": "4", "games": 40, "step_games": 10, "searches": 2, "share": 0.7, "worlds": 3, "replay": 2, "corrections": 3,
    "minibatch": 4, "moves": 2, "curve_every": 2, "benchmark_pairs": 2,
}  # fmt: skip
HANDS = "gin:rules=full,length=hand"


def training(game="tiny", trials=1, threads=1, **options):
    return ExpertIterationTraining(find_game(game), ExpertIteration(**{**SMALL, **options}), 1, trials, threads)


def copied(learner):
    return {name: array.copy() for name, array in learner.arrays().items()}


def decisions(learner):
    """The searched decisions: the card, the moves made before, and the target of each move."""
    kept = learner.learning[0].kept
    for at in np.flatnonzero(kept["counts"]):
        state, targets = kept["states"][at], kept["targets"][at, : kept["counts"][at], 0]
        moves = kept["moves"][at, : kept["counts"][at]].tolist()
        yield int(state["card"][state["turn"]]), int(state["made"]), dict(zip(moves, targets.tolist(), strict=True))


def test_a_target_is_the_mean_outcome_of_playouts_in_random_worlds():
    """Against an opponent that tosses coins every card is as likely at the end, whatever it holds now."""
    learner = training(playout="random", worlds=800, games=20, step_games=20, explore=1.0)
    learner.advance()
    seen = set()
    for card, made, targets in decisions(learner):
        last = (card + 0.5) / CARDS
        expected = {KEEP: last if made > 1 else (last + 0.5) / 2, CHANGE: 0.5}
        assert targets == pytest.approx(expected, abs=0.08), (card, made)
        seen.add(made)
    assert seen == {0, 1, 2, 3}


def test_after_so_many_moves_the_network_s_value_ends_a_playout():
    """The first move of all is followed by another of the same seat before the game ends; no other is."""
    learner = training(depth=1, games=20, step_games=20, corrections=1, rate=0.0, rate_end=0.0, explore=1.0)
    learner.nets[:] = 0  # a network that says one half of everything
    learner.advance()
    found = list(decisions(learner))
    cut = [value == pytest.approx(0.5) for _, made, targets in found for value in targets.values() if made == 0]
    whole = [value == pytest.approx(0.5) for _, made, targets in found for value in targets.values() if made > 0]
    assert all(cut) and len(cut) > 5 and not all(whole)


@pytest.mark.parametrize("kind", ["deep", "sigmoid"])
def test_a_short_training_learns_when_to_change(kind):
    """In the last turn a card below the middle is changed, and one above it kept; both are worth what they win."""
    options = {
        "games": 600,
        "step_games": 100,
        "worlds": 8,
        "corrections": 150,
        "minibatch": 16,
        "rate": 0.02,
        "rate_end": 0.002,
    }
    learner = training(
        kind=kind, layers="8", average=0.01, active=1, level=1.0, curve_every=6, benchmark_pairs=300, **options
    )
    while learner.step < learner.steps:
        learner.advance()
    net = learner.champions()[0]
    values = [net.value(np.eye(2 * INPUTS)[INPUTS + k]) for k in range(INPUTS)]
    assert max(values[:2]) < values[CARDS] < min(values[4:CARDS])
    assert learner.curves()[1]["benchmark.player.score"][0, -1] > 3.0  # 2.5 by keeping, 3.6 at best
    assert learner.curves()[1]["network.agreement"][0, -1] > 0.75


def test_a_replay_that_is_not_full_yet_is_a_good_one():
    learner = training(share=0.1, replay=4)
    learner.advance()
    assert (learner.learning[0].kept["counts"] == 0).any()
    training(share=0.1, replay=4).resume(1, copied(learner))


def test_a_stopped_training_goes_on_to_the_same_bytes():
    for options in ({}, {"kind": "sigmoid", "playout": "random", "playout_share": 0.5, "against": ("random",)}):
        whole, stopped = training(trials=2, **options), training(trials=2, **options)
        for _ in range(3):
            assert whole.advance() == stopped.advance()
        resumed = training(trials=2, **options)
        resumed.resume(3, copied(stopped))
        assert whole.advance() == resumed.advance()
        for name, array in whole.arrays().items():
            assert array.tobytes() == resumed.arrays()[name].tobytes(), name


def test_results_do_not_depend_on_threads():
    one, two = (training(threads=threads, minibatch=64) for threads in (1, 2))
    for _ in range(4):
        assert one.advance() == two.advance()
    for name, array in one.arrays().items():
        assert array.tobytes() == two.arrays()[name].tobytes(), name


def test_the_last_step_may_be_shorter_and_leaves_no_old_decisions_behind():
    learner = training(games=25, replay=1)
    while learner.step < learner.steps:
        learner.advance()
    assert learner.steps == 3
    assert learner.learning[0].kept["counts"][5 * SMALL["searches"] :].sum() == 0


def test_it_starts_from_a_network_of_the_same_form(tmp_path):
    from sparring.nets.files import save_net

    learner = training(kind="sigmoid")
    path = tmp_path / "start.safetensors"
    save_net(path, learner.champions()[0])
    again = training(kind="sigmoid", initial=str(path))
    assert (again.nets == learner.nets).all()
    with pytest.raises(UserError, match="this training needs a deep network of 14-4-1 on card"):
        training(kind="deep", initial=str(path))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("0/moves", 2, "'0/moves' has a move that is not legal"),
        ("0/moves", -1, "'0/moves' has a number"),
        ("0/counts", 3, "'0/counts' has a number"),
        ("0/updates", 3 * 2 + 1, "'0/updates' has a number"),
        ("0/targets", np.inf, "'0/targets' has a number"),
        ("0/mean", 1e3, "'0/mean' has a mean larger"),
    ],
)
def test_a_replay_that_no_training_writes_is_refused(name, value, words):
    learner = training(share=1.0)
    learner.advance(), learner.advance()
    arrays = copied(learner)
    arrays[name].flat[0] = value
    with pytest.raises(Damaged, match=words):
        training(share=1.0).resume(2, arrays)


def test_a_state_that_no_game_can_come_to_is_refused():
    learner = training(share=1.0)
    learner.advance()
    arrays = copied(learner)
    arrays["0/states"].view(tiny_game.State)["card"][0, 0] = 77
    with pytest.raises(Damaged, match="'0/states' has a game with a wrong card"):
        training(share=1.0).resume(1, arrays)


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        (
            "hearts",
            {},
            "learner.name: expert-iteration needs inputs and outcomes for networks, which hearts does not have",
        ),
        ("gin", {"kind": "linear"}, "learner.kind"),
        ("gin", {"encoding": "faces"}, "learner.encoding = 'faces': gin has cards, places, melds, table"),
        ("gin", {"outputs": "tricks"}, "learner.outputs = 'tricks': gin has score, win, lead"),
        ("gin", {"policy": "net+shy"}, "learner.policy = 'net+shy': must be one of net+mean"),
        ("gin", {"playout": "champion"}, "learner.playout: must be a built-in player: unknown player 'champion'"),
        ("gin", {"against": ["champion"]}, "learner.against: must be a built-in player: unknown player 'champion'"),
        ("gin", {"benchmark": "nobody"}, "learner.benchmark: must be a built-in player: unknown player 'nobody'"),
        ("gin", {"kind": "sigmoid", "layers": "4-4"}, "learner.layers = '4-4': sigmoid networks have one hidden layer"),
        ("gin", {"layers": "x"}, "learner.layers = 'x': must be up to"),
        ("gin", {"worlds": 0}, "learner.worlds = 0: must be"),
        ("gin", {"share": 1.5}, "learner.share = 1.5: must be"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(game, options, words):
    with pytest.raises(UserError) as error:
        build_experiment({"game": game, "learner": {"name": "expert-iteration", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)


def test_a_game_without_search_is_refused_in_one_line():
    from dataclasses import replace

    with pytest.raises(UserError, match="learner.name: expert-iteration needs search, which tiny does not have"):
        ExpertIterationTraining(replace(tiny_game.GAME, search=None), ExpertIteration(), 1, 1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "options"),
    [
        (HANDS, {"encoding": "table", "outputs": "lead", "kind": "sigmoid", "playout": "simple"}),
        ("golf", {"encoding": "columns", "outputs": "round", "playout": "sensible"}),
    ],
)
def test_card_games_are_learned_from_searches(game, options):
    more = {
        "layers": "24",
        "games": 400,
        "step_games": 100,
        "searches": 4,
        "worlds": 8,
        "moves": 24,
        "corrections": 100,
    }
    learner = training(
        game, threads=None, **more, minibatch=32, rate=3e-3, benchmark_pairs=100, curve_every=4, **options
    )
    while learner.step < learner.steps:
        learner.advance()
    assert INTERPRETED or learner.curves()[1]["benchmark.player.won"][0, -1] > 0.8
