"""TD(lambda): the compiled step is the plain formula's, weight for weight; schedules, stopping, and that it really learns."""

import os
import random
import signal
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

import backgammon_inputs as plain
import sparring.lab.run as lab
from amounts import amount
from sparring.arena.match import match, winners
from sparring.arena.play import by_contestant, paired_jobs
from sparring.arena.players import Chooser, Contestant
from sparring.errors import UserError
from sparring.games import find_game, name_game
from sparring.games.game import legal_moves, start_game
from sparring.games.golf.rules import KIND
from sparring.kernel.random import GOLDEN, below, derive
from sparring.kernel.records import records
from sparring.lab.experiment import build_experiment
from sparring.lab.run import create_run, open_run, train
from sparring.learn.td import TD, TDTraining, between
from sparring.nets.dense import Net, flat
from sparring.nets.files import read_tensors
from test_runs import SAVING, Killed, files, rows, start

GOLF, BACKGAMMON = find_game("golf"), find_game("backgammon")
HYPER = find_game("backgammon:start=hypergammon")  # three checkers each: short games


def training(game=HYPER, trials=1, seed=1, threads=None, **options):
    small = {"hidden": 3, "games": 6, "step_games": 6, "benchmark_pairs": 0}
    return TDTraining(game, TD(**small | options), seed, trials, threads)


def finished(*args, **options):
    run = training(*args, **options)
    while run.step < run.steps:
        run.advance()
    return run


# The plain learner, after Sutton (1988): one gradient for every value, all in double precision.


def hand_inputs(state, seat):
    """What golf's `hand` sees: of each place one of fifteen, its card's kind or that it is face down."""
    inputs = np.zeros(90)
    hand, up = state[0]["hand"][seat], state[0]["up"][seat]
    for place in range(6):
        inputs[15 * place + (int(KIND[hand[place]]) if up[place] else 14)] = 1
    return inputs


def board_inputs(encoding, state, seat):
    return plain.INPUTS[encoding](plain.of_board(state[0]["board"]), plain.COLOURS[seat])


class Plain:
    """A net of matrices that learns; a gradient is a dictionary of arrays like the weights."""

    def __init__(self, net: Net):
        self.net = net
        self.parts = {name: tensor.astype(float) for name, tensor in net.tensors().items()}

    def now(self):
        """The net as kernels would play it now."""
        tensors = {name: part.astype(np.float32) for name, part in self.parts.items()}
        return Net(**vars(self.net) | {"weights": flat(tensors, self.net.input_major)})

    def values(self, inputs):
        """What the net tells, and the gradient of each output."""
        hidden = expit(self.parts["hidden.weight"] @ inputs + self.parts["hidden.bias"])
        told = expit(self.parts["output.weight"] @ hidden + self.parts["output.bias"])
        return told, [self.gradient(inputs, hidden, told, k) for k in range(len(told))]

    def gradient(self, inputs, hidden, told, k):
        outer = np.zeros_like(self.parts["output.bias"])
        outer[k] = told[k] * (1 - told[k])
        inner = outer @ self.parts["output.weight"] * hidden * (1 - hidden)
        return {
            "hidden.weight": np.outer(inner, inputs),
            "hidden.bias": inner,
            "output.weight": np.outer(outer, hidden),
            "output.bias": outer,
        }


def add(total, part, factor=1.0):
    for name in total:
        total[name] += factor * part[name]


def as_first_seat(told, gradients, mirror):
    """The second seat's outputs and gradients as they would be the first's."""
    order, less = mirror
    values = np.array([1 - told[k] if flip else told[k] for k, flip in zip(order, less, strict=True)])
    signs = [-1 if flip else 1 for flip in less]
    return values, [{n: sign * g for n, g in gradients[k].items()} for k, sign in zip(order, signs, strict=True)]


class Chain:
    """Values that follow each other: what was told last, and the traces of all that was told."""

    def __init__(self, rate, trace, discount):
        self.rate, self.trace, self.discount, self.told, self.traces = rate, trace, discount, None, None

    def correct(self, target, change, discount=1.0):
        """Add to `change` what brings the last value nearer to the target."""
        if self.told is None:
            return
        for k, trace in enumerate(self.traces):
            add(change, trace, self.rate * (discount * target[k] - self.told[k]))

    def follow(self, told, gradients):
        fading = self.traces or [{name: 0 * part for name, part in g.items()} for g in gradients]
        for old in fading:
            for part in old.values():
                part *= self.trace * self.discount
        for old, new in zip(fading, gradients, strict=True):
            add(old, new)
        self.told, self.traces = told, fading


def learn_game(learner, change, game, see, mirror, seed, deal, options):
    """Play a game by the net as it is at every move, and add all corrections to `change`, which may be the net's weights."""
    state = start_game(game, seed, deal, deal, 2)
    chains = [Chain(options.rate, options.trace, options.discount) for _ in range(1 if mirror else 2)]
    while not state[0]["over"]:
        seat = int(state[0]["turn"])
        play(game, state, learner, options.explore)
        if state[0]["over"] or state[0]["turn"] == seat:
            continue
        chain = chains[0 if mirror else seat]
        seen = partial(seen_by, learner, see(state, seat), mirror if seat else None)
        chain.correct(seen()[0], change, options.discount)
        chain.follow(*seen())
    for seat, chain in enumerate(chains):
        chain.correct(outcome(game, state[0]["tally"], seat, learner.net.shape[-1]), change)


def seen_by(learner, inputs, mirror):
    told, gradients = learner.values(inputs)
    return as_first_seat(told, gradients, mirror) if mirror else (told, gradients)


def play(game, state, learner, explore):
    s = records(state)[0]
    with np.errstate(over="ignore"):
        if explore:  # always, here
            luck, legal = s["luck"], legal_moves(game, state)
            luck[s["turn"]] += 2 * GOLDEN  # one step to decide whether to explore, one to choose
            move = legal[below(luck[s["turn"]], len(legal))]
        else:
            move = Chooser(game, Contestant("learner", "net", learner.now())).choose(state)
        game.rules.apply(s, move)


def outcome(game, tally, seat, outputs):
    """What should have been told: of golf and of one output a share, of five whether each was so."""
    score, other = int(tally["score"][seat]), int(tally["score"][1 - seat])
    if game.family == "golf":
        return [min(max(0.5 + (other - score) / 300, 0), 1)]
    if outputs == 1:
        return [0.5 + score / 6]
    return [score > 0, score > 1, score > 2, score < -1, score < -2]


def plain_weights(run, see, mirror):
    """The weights of a one-trial training after its first step, by the plain formula."""
    options, seed = run.options, derive(run.trial_seeds[0], "games")
    learner = Plain(run.champions()[0])
    for first in range(0, options.games, options.together):
        changes = [
            learner.parts if options.together == 1 else {name: 0 * part for name, part in learner.parts.items()}
            for _ in range(options.together)
        ]
        for deal, change in enumerate(changes, first):
            learn_game(learner, change, run.game, see, mirror, seed, deal, options)
        if options.together > 1:
            for change in changes:
                add(learner.parts, change, 1 / options.together)
    return learner.now().weights


MIRRORS = {"value": ((0,), (1,)), "outcomes": ((0, 3, 4, 1, 2), (1, 0, 0, 0, 0))}
LEARNED = [
    *(
        ("backgammon", {"outputs": outputs, "trace": trace, "trace_end": trace, "together": together})
        for outputs in MIRRORS
        for trace in (0.0, 0.7)
        for together in (1, 3)
    ),
    ("backgammon", {"encoding": "raw", "discount": 0.9}),
    ("backgammon", {"encoding": "shares"}),
    ("backgammon", {"encoding": "raw", "outputs": "outcomes", "explore": 1.0}),
    *(
        ("golf", {"trace": trace, "trace_end": trace, "together": together, "games": 2, "step_games": 2})
        for trace in (0.0, 0.7)
        for together in (1, 2)
    ),
    ("golf", {"explore": 1.0, "games": 4, "step_games": 4}),
]


@pytest.mark.parametrize(("name", "options"), LEARNED, ids=lambda value: str(value).replace("'", ""))
def test_the_compiled_step_moves_every_weight_as_the_plain_formula_does(name, options):
    """Shared chains in backgammon, each seat its own in golf; on line, and averaged over games."""
    encoding = options.get("encoding", "tesauro")
    game, see = (GOLF, hand_inputs) if name == "golf" else (HYPER, partial(board_inputs, encoding))
    run = training(game, rate=0.2, rate_end=0.2, start=0.5, **options)
    before = run.nets[0].copy()
    expected = plain_weights(
        run, see, MIRRORS[run.options.outputs or "value"] if game.rules.perfect_information else None
    )
    run.advance()
    moved = run.nets[0] - before
    assert np.abs(moved).max() > 0.004
    np.testing.assert_allclose(moved, expected - before, atol=1e-5)


def duel_weights(run, see):
    """The weights of a one-trial training after its first step, by the plain formula: of both nets of a duel, or of one that
    learns against a built-in player, which is nobody here."""
    options, seed = run.options, derive(run.trial_seeds[0], "games")
    learners = [Plain(run.champions()[0]), None if options.against else Plain(run.auxiliary_nets()[0])]
    won = [0, 0]
    for number in range(options.games):
        state = start_game(run.game, seed, number // 2, number, 2)
        seated = learners if number % 2 == 0 else learners[::-1]
        chains = [Chain(options.rate, options.trace, options.discount) for _ in range(2)]
        while not state[0]["over"]:
            seat = int(state[0]["turn"])
            learner, chain = seated[seat], chains[seat]
            if learner is None:
                rival = options.against[number // 2 % len(options.against)]
                if rival == "itself":
                    play(run.game, state, learners[0], 0.0)
                else:
                    play_builtin(run.game, state, rival)
                continue
            play(run.game, state, learner, options.explore)
            if options.finals if state[0]["over"] else state[0]["turn"] != seat:
                chain.correct(learner.values(see(state, seat))[0], learner.parts, options.discount)
                chain.follow(*learner.values(see(state, seat)))
        for seat, chain in enumerate(chains):
            if seated[seat] is not None:
                chain.correct(outcome(run.game, state[0]["tally"], seat, 1), seated[seat].parts)
            score, other = (int(state[0]["tally"]["score"][s]) for s in (seat, 1 - seat))
            ahead = other - score if run.game.rules.lower_is_better else score - other
            side = learners.index(seated[seat])
            won[side] += max(ahead, 0) if options.duel_by == "score" else ahead > 0
        if options.duel and number % (2 * options.duel) == 2 * options.duel - 1:
            if won[0] != won[1]:
                better = int(won[1] > won[0])
                learners[1 - better].parts = {name: part.copy() for name, part in learners[better].parts.items()}
            won = [0, 0]
    return np.array([learner.now().weights for learner in learners if learner is not None])


def play_builtin(game, state, name):
    with np.errstate(over="ignore"):
        game.rules.apply(records(state)[0], Chooser(game, Contestant(name, name)).choose(state))


@pytest.mark.parametrize(
    ("game", "see", "options"),
    [
        (HYPER, partial(board_inputs, "raw"), {"encoding": "raw", "duel": 2, "games": 12, "step_games": 12}),
        (
            HYPER,
            partial(board_inputs, "raw"),
            {"encoding": "raw", "duel": 1, "trace": 0.0, "trace_end": 0.0, "finals": True},
        ),
        (GOLF, hand_inputs, {"duel": 1, "games": 4, "step_games": 4, "duel_by": "score", "finals": True}),
        (HYPER, partial(board_inputs, "raw"), {"encoding": "raw", "against": ("pubeval", "simple")}),
        (HYPER, partial(board_inputs, "raw"), {"encoding": "raw", "against": ("simple", "itself")}),
        (GOLF, hand_inputs, {"against": ("greedier",), "games": 2, "step_games": 2, "trace": 0.0, "trace_end": 0.0}),
    ],
)
def test_nets_learn_from_duels_and_from_other_players_as_the_plain_formula_does(game, see, options):
    run = training(game, rate=0.2, rate_end=0.2, start=0.5, **options)
    before = run.nets.copy()
    expected = duel_weights(run, see)
    run.advance()
    assert np.abs(run.nets - before).max() > 0.004
    np.testing.assert_allclose(run.nets, expected, atol=1e-5)


def test_who_wins_the_duel_is_copied_to_both_and_who_wins_as_much_is_not():
    """Without a rate the nets stay as they are but for the copying."""
    copied = []
    for seed in range(12):
        run = training(rate=0.0, rate_end=0.0, duel=1, games=2, step_games=2, seed=seed, start=1.0)
        before = run.nets.copy()
        jobs = paired_jobs(derive(run.trial_seeds[0], "games"), np.arange(2), 1)
        tallies, _ = HYPER.launcher.play(jobs, run.table, run.nets.reshape(-1))
        won = winners(by_contestant(tallies["score"], 2).astype(float), False)[0].sum(axis=(0, 1))
        run.advance()
        wanted = before if won[0] == won[1] else before[[int(np.argmax(won))] * 2]
        np.testing.assert_array_equal(run.nets, wanted)
        copied.append(won[0] != won[1])
    assert any(copied) and not all(copied)


def test_noise_changes_who_chooses_but_not_what_is_learned_without_a_rate():
    plain, noisy = finished(explore=0.0), finished(noise=5.0)
    assert not np.array_equal(plain.nets, noisy.nets)
    still = training(rate=0.0, rate_end=0.0, noise=5.0)
    before = still.nets.copy()
    still.advance()
    np.testing.assert_array_equal(still.nets, before)


def test_snapshots_are_the_nets_after_equal_parts_of_the_training():
    run, seen = training(games=12, step_games=2, snapshots=3, trials=2), {}
    while run.step < run.steps:
        run.advance()
        seen[run.step] = run.nets.copy()
    for trial in range(2):
        kept = [net.weights for net in run.snapshots(trial)]
        np.testing.assert_array_equal(kept, [seen[step][trial] for step in (2, 4, 6)])
    assert run.snapshots(0)[0].ancestry[1] == "4 games of self-play"


def test_a_training_that_diverges_stops_with_its_step_and_keeps_the_last_good_checkpoint(tmp_path, monkeypatch):
    table = {"game": "backgammon:start=hypergammon", "name": "x", "learner": {"name": "td", "hidden": 3, "games": 20}}
    table["learner"] |= {"step_games": 2, "benchmark_pairs": 0}
    advance = TDTraining.advance

    def diverging(run):
        played = advance(run)
        if run.step == 4:
            run.nets[0, 1] = np.inf
        return played

    monkeypatch.setattr(TDTraining, "advance", diverging)
    monkeypatch.setattr(lab, "CHECKPOINT_SECONDS", 0)
    run = create_run(build_experiment(table), tmp_path)
    with pytest.raises(UserError, match=r"x: diverged at step 4 of 10: .* the checkpoint of step 3 is kept"):
        train(run)
    arrays, told = read_tensors(run.checkpoint)
    assert told["step"] == 3 and np.isfinite(arrays["nets"]).all()


def test_without_a_rate_nothing_is_learned():
    run = training(rate=0.0, rate_end=0.0)
    before = run.nets.copy()
    run.advance()
    np.testing.assert_array_equal(run.nets, before)


def test_the_champion_is_the_mean_of_the_weights_over_the_last_share_of_training():
    run = training(games=10, step_games=1, average=0.4)
    seen = []
    while run.step < run.steps:
        run.advance()
        seen.append(run.nets[0].astype(float))
    np.testing.assert_allclose(run.champions()[0].weights, np.mean(seen[-4:], axis=0), atol=1e-7)
    last = finished(games=10, step_games=1).champions()[0].weights
    np.testing.assert_array_equal(last, seen[-1].astype(np.float32))


# Schedules.


@pytest.mark.parametrize(
    ("start", "end", "progress", "schedule", "expected"),
    [
        (0.4, 0.1, 0.0, "linear", 0.4),
        (0.4, 0.1, 0.5, "linear", 0.25),
        (0.4, 0.1, 1.0, "linear", 0.1),
        (0.4, 0.1, 0.0, "exponential", 0.4),
        (0.4, 0.1, 0.5, "exponential", 0.2),
        (0.4, 0.1, 1.0, "exponential", 0.1),
        (0.7, 0.0, 0.5, "exponential", 0.35),
        (0.0, 0.8, 0.25, "exponential", 0.2),
    ],
)
def test_a_schedule_goes_from_its_start_to_its_end(start, end, progress, schedule, expected):
    """Exponentially by equal factors; by equal parts where either end is 0, which no factor reaches."""
    assert between(start, end, progress, schedule) == pytest.approx(expected)


def test_rate_and_lambda_of_the_first_and_last_lessons_are_those_asked_for():
    run = training(games=5, step_games=1, rate=0.4, rate_end=0.1, trace=0.9, trace_end=0.1, schedule="exponential")
    given = []
    while run.step < run.steps:
        lesson = run._td_jobs(1, 0, 1)[0, 0]
        given.append((float(lesson["rate"]), float(lesson["trace"])))
        run.advance()
    assert given[0] == pytest.approx((0.4, 0.9)) and given[-1] == pytest.approx((0.1, 0.1))
    assert given[2] == pytest.approx((0.2, 0.3))
    assert given == sorted(given, reverse=True)


# The same whatever happens.


def same(one, other):
    assert one.arrays().keys() == other.arrays().keys()
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])


MANY = {"games": 40, "step_games": 20, "together": 4, "benchmark_pairs": 3, "curve_every": 1}


@pytest.mark.parametrize("together", [1, 4])
def test_one_thread_and_two_learn_the_same(together):
    options = MANY | {"together": together}
    same(finished(trials=3, threads=1, **options), finished(trials=3, threads=2, **options))


def test_a_trial_depends_on_the_seed_and_its_number_not_on_how_many_there_are():
    few, many = finished(trials=2, **MANY), finished(trials=4, **MANY)
    np.testing.assert_array_equal(few.nets, many.nets[:2])
    assert not np.array_equal(few.nets[0], few.nets[1])
    assert not np.array_equal(few.nets, finished(trials=2, seed=2, **MANY).nets)


def test_a_restored_training_goes_on_as_if_never_stopped():
    options = {"games": 25, "step_games": 4, "average": 0.5, "benchmark_pairs": 2, "curve_every": 2}
    whole, first, second = (training(trials=2, **options) for _ in range(3))
    while whole.step < whole.steps:
        whole.advance()
    for _ in range(5):
        first.advance()
    second.restore(first.step, {name: array.copy() for name, array in first.arrays().items()})
    while second.step < second.steps:
        second.advance()
    same(whole, second)
    assert whole.curves()[0].tolist() == [8, 16, 24, 25]


LEARNERS = {
    "td": {"hidden": 3, "games": 600, "step_games": 20, "curve_every": 4, "benchmark_pairs": 2, "average": 0.3},
    "td-batch": {"hidden": 3, "games": 8, "turns": 300, "step_turns": 10, "curve_every": 4, "benchmark_pairs": 2},
    "deep-td": {
        "layers": "4-3",
        "games": 8,
        "turns": 300,
        "minibatch": 2,
        "minibatch_end": 8,
        "revive": 20,
        "step_turns": 10,
        "curve_every": 4,
        "benchmark_pairs": 2,
    },
    "duel": {
        "name": "td",
        "hidden": 3,
        "games": 600,
        "step_games": 20,
        "duel": 5,
        "noise": 0.1,
        "snapshots": 3,
        "curve_every": 4,
        "benchmark_pairs": 2,
        "training_pairs": 1,
    },
    "challenger": {
        "name": "coevolution",
        "rule": "challenger",
        "hidden": 3,
        "epochs": 30,
        "snapshots": 3,
        "benchmark_pairs": 1,
    },
    "hill-climbing": {
        "layers": "2-1-2",
        "encoding": "shares",
        "challenges": 30,
        "curve_every": 4,
        "benchmark_pairs": 2,
    },
    "neat": {
        "pop_size": 10,
        "generations": 32,
        "games": 1,
        "opponents": ["hall-of-fame"],
        "fitness": "lead",
        "hall": 3,
    },
    "two populations": {"name": "neat", "pop_size": 8, "generations": 32, "games": 1, "opponents": ["rivals"]},
    "evolution-strategies": {
        "hidden": 3,
        "encoding": "shares",
        "generations": 30,
        "population": 6,
        "pairs": 1,
        "curve_every": 4,
    },
    "simple strategies": {
        "name": "evolution-strategies",
        "method": "simple",
        "hidden": 3,
        "generations": 30,
        "population": 6,
        "pairs": 1,
        "opponents": ["mean", "random"],
    },
}
EVALUATION = {"opponents": ["random", "pubeval"], "pairs": 4, "selection_pairs": 3}


def experiment(learner, trials=2):
    table = {"game": "backgammon:start=hypergammon", "name": "x", "trials": trials, "evaluation": EVALUATION}
    return build_experiment(table | {"learner": {"name": learner, **LEARNERS[learner]}})


@pytest.fixture(scope="module", params=LEARNERS)
def alone(request, tmp_path_factory):
    """A run that was left alone."""
    run = create_run(experiment(request.param), tmp_path_factory.mktemp("alone"))
    train(run)
    return run


def saved_step(run):
    return read_tensors(run.checkpoint)[1]["step"] if run.checkpoint.exists() else 0


def test_a_run_killed_at_any_moment_and_resumed_ends_with_the_same_bytes_and_the_same_results(alone, tmp_path):
    moments = random.Random(1)
    run = create_run(alone.experiment, tmp_path)
    steps = []
    for _ in range(amount(1, 3)):
        process = start(SAVING, "resume", run.folder)
        while process.poll() is None and saved_step(run) <= max(steps, default=0):
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.1))
        process.kill()
        errors = process.communicate()[1]
        assert process.returncode in (0, -signal.SIGKILL), errors
        steps.append(saved_step(run))
    assert steps[0] > 0 and steps == sorted(steps)
    train(open_run(run.folder))
    assert files(run.folder) == files(alone.folder)
    assert rows(tmp_path) == rows(alone.folder.parent)


WRITES = [1, 3, 30, 33, 35]  # which of a run's files: of the first checkpoints, of the last ones, and what follows


@pytest.mark.parametrize("number", range(amount(1, len(WRITES))))
def test_a_run_killed_before_a_file_is_in_place_ends_with_the_same_bytes(alone, number, request, tmp_path, monkeypatch):
    """Each learner elsewhere than the one before, so that all together are killed everywhere."""
    learner = list(LEARNERS).index(request.node.callspec.params["alone"])
    write = WRITES[(learner + 2 * number) % len(WRITES)]
    monkeypatch.setattr(lab, "CHECKPOINT_SECONDS", 0.0)
    run = create_run(alone.experiment, tmp_path)
    calls, sync = [], os.fsync

    def fsync(number: int) -> None:
        calls.append(number)
        if len(calls) == write:
            raise Killed
        sync(number)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Killed):
        train(run)
    train(open_run(run.folder))
    assert files(run.folder) == files(alone.folder)
    assert rows(tmp_path) == rows(alone.folder.parent)


@pytest.mark.parametrize("threads", [1, 2])
def test_one_thread_and_two_threads_give_the_same_run(alone, threads, tmp_path):
    run = create_run(alone.experiment, tmp_path)
    train(run, threads)
    assert files(run.folder) == files(alone.folder)


def test_a_run_is_found_as_a_player_and_reported(alone, tmp_path):
    from sparring.report.runs import write_report

    found = match(HYPER, str(alone.folder), "random", pairs=2)
    assert found.players[0].name == "x"
    write_report([alone], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "Games won during training" in page


# It learns.


def test_a_short_training_learns_backgammon_from_nothing():
    """4,000 games of self-play with ten hidden units; random wins half of its games, these nearly all."""
    run = finished(BACKGAMMON, trials=2, hidden=10, games=4000, step_games=1000)
    won = [match(BACKGAMMON, net, "random", pairs=200, seed=9).players[0].win_rate for net in run.champions()]
    assert min(rate.low for rate in won) > 0.8
    untrained = training(BACKGAMMON, trials=2, hidden=10).champions()
    for before, after in zip(untrained, run.champions(), strict=True):
        assert match(BACKGAMMON, after, before, pairs=200, seed=9).players[0].win_rate.low > 0.6


def test_averaging_games_learns_too():
    options = {"games": 8000, "step_games": 2000, "together": 4, "rate": 0.4, "rate_end": 0.4}
    run = finished(BACKGAMMON, trials=amount(1, 2), hidden=10, **options)
    won = [match(BACKGAMMON, net, "random", pairs=200, seed=9).players[0].win_rate for net in run.champions()]
    assert min(rate.low for rate in won) > 0.6


def test_a_short_training_learns_golf_if_the_outcome_reaches_every_round():
    """A round's last hand is followed by another round's first, whose value knows nothing of it: only lambda 1 hands the
    outcome of nine rounds back to all of them. Random scores 280 points, and fewer are better."""
    options = {
        "hidden": 5,
        "games": 2000,
        "step_games": 2000,
        "rate": 0.01,
        "rate_end": 0.01,
        "trace": 1,
        "trace_end": 1,
    }
    run = training(GOLF, trials=3, **options)
    before = [match(GOLF, net, "random", pairs=50, seed=9).players[0].score.value for net in run.champions()]
    run.advance()
    after = [match(GOLF, net, "random", pairs=50, seed=9).players[0].score for net in run.champions()]
    assert max(score.high for score in after) < 200
    assert np.mean(before) - np.mean([score.value for score in after]) > 60


# What is refused.


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"encoding": "hand"}, "learner.encoding = 'hand': backgammon has tesauro, raw"),
        ({"outputs": "scores"}, "learner.outputs = 'scores': backgammon has value, outcomes"),
        ({"benchmark": "randm"}, "learner.benchmark: must be a built-in player: unknown player 'randm': did you mean"),
        ({"benchmark": "net"}, "learner.benchmark: must be a built-in player: unknown player 'net'"),
        ({"together": 3}, "learner.step_games = 1000: must be a multiple of together = 3"),
        ({"rate": -0.1}, "learner.rate = -0.1: must be from 0 to 1000"),
        ({"rate_end": float("nan")}, "learner.rate_end = nan: must be from 0 to 1000"),
        ({"trace": 1.5}, "learner.trace = 1.5: must be from 0 to 1"),
        ({"discount": 2}, "learner.discount = 2.0: must be from 0 to 1"),
        ({"explore": "often"}, "learner.explore = 'often': must be a number"),
        ({"schedule": "cosine"}, "learner.schedule = 'cosine': must be one of linear, exponential"),
        ({"games": 0}, "learner.games = 0: must be from 1 to"),
        ({"hidden": 0}, "learner.hidden = 0: must be from 1 to 4096"),
        ({"lambda": 0.5}, "learner.lambda: unknown key"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_bad_option_gets_one_line_that_says_what_would_be_right(options, words):
    with pytest.raises(UserError) as error:
        build_experiment({"game": "backgammon", "learner": {"name": "td", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)


def test_golf_has_one_output_and_says_so():
    with pytest.raises(UserError, match="learner.outputs = 'outcomes': golf has value"):
        training(GOLF, outputs="outcomes")


def test_a_game_that_does_not_say_what_a_net_sees_cannot_be_learned(monkeypatch):
    monkeypatch.chdir(Path(__file__).parent.parent)
    with pytest.raises(
        UserError, match="learner.name: td needs inputs and outcomes for networks, which higher_card does not have"
    ):
        training(name_game("examples.higher_card"))


def test_each_trial_plays_itself_and_not_another_trial():
    together = finished(trials=2, against=("itself", "simple"), rate=0.3)
    alone = TDTraining(HYPER, together.options, 1, 1, None, 1)
    while alone.step < alone.steps:
        alone.advance()
    assert (alone.nets[0] == together.nets[1]).all() and (alone.nets[0] != together.nets[0]).any()
