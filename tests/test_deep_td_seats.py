"""Deep TD in games whose seats see different things: samples, parts of a game, learning, checkpoints, and what runs on cores."""

import numpy as np
import pytest

from sparring.arena.players import Chooser, find_player
from sparring.errors import UserError
from sparring.games import find_game
from sparring.games.game import apply_move, start_game
from sparring.kernel.deep_cores import DeepOnCores
from sparring.kernel.deep_gradient import forward, scratch_for
from sparring.kernel.maths import sigmoid
from sparring.kernel.records import call_kernel, records
from sparring.lab.experiment import build_experiment
from sparring.learn.checkpoints import Damaged
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining

HANDS = "gin:rules=full,length=hand"
SMALL = {"layers": "4-3", "games": 4, "turns": 40, "minibatch": 4, "minibatch_end": 4, "step_turns": 10}
STILL = {"rate": 0.0, "rate_first": 0.0, "rate_end": 0.0}


def training(game: str, trials: int = 1, threads: int | None = 1, **options: object) -> DeepTDTraining:
    return DeepTDTraining(find_game(game), DeepTDOptions(**{**SMALL, **options}), 1, trials, threads)  # type: ignore[arg-type]


class Alone:
    """One game of a training whose weights do not change, played by the rules; every turn gives what it should teach."""

    def __init__(self, learner: DeepTDTraining, number: int) -> None:
        self.learner, self.deal, self.td = learner, number, learner.learning[0]
        self.game, self.chooser = learner.game, Chooser(learner.game, find_player(learner.game, learner.champions()[0]))
        self.begin()

    def begin(self) -> None:
        self.state = start_game(self.game, int(self.td.terms[0]["seed"]), self.deal, self.deal, 2)
        self.next_part()

    def next_part(self) -> None:
        self.part, self.points, self.rows = self.part_now(), self.state["tally"]["score"][0].copy(), {}

    def part_now(self) -> int:
        return int(self.game.learning.part(records(self.state)[0])) if self.game.learning.part else 0

    def row(self, seat: int) -> np.ndarray:
        size = self.td.shape[0]
        index, value, out = np.zeros(size, np.int64), np.zeros(size, np.float32), np.zeros(size, np.float32)
        n = self.game.learning.inputs(records(self.state)[0], seat, self.td.terms[0]["encoding"], index, value)
        out[index[:n]] = value[:n]
        return out

    def value(self, row: np.ndarray) -> float:
        scratch = scratch_for(self.td.shape)
        scratch[: len(row)] = row
        return float(
            sigmoid(scratch[call_kernel(forward, records(self.td.player)[0], self.td.kept["weights"], scratch)])
        )

    def outcome(self, seat: int) -> float:
        state, out = self.state.copy(), np.zeros(1, np.float32)
        state["tally"]["score"][0] -= self.points
        self.game.learning.outcome(records(state)[0], seat, self.td.terms[0]["head"], out)
        return float(out[0])

    def turn(self) -> tuple[np.ndarray, float] | None:
        """A sample, or None where there is nothing to teach yet."""
        found = None
        if not self.state["over"][0] and self.part_now() == self.part:
            seat = int(self.state["turn"][0])
            while not self.state["over"][0] and self.state["turn"][0] == seat:
                apply_move(self.game.rules, self.state, self.chooser.choose(self.state))
            if self.state["over"][0] or self.part_now() == self.part:
                now = self.row(seat)
                found = (self.rows[seat], self.value(now)) if seat in self.rows else None
                self.rows[seat] = now
                return found
        if self.rows:
            seat = min(self.rows)
            found = self.rows.pop(seat), self.outcome(seat)
        if not self.rows and self.state["over"][0]:
            self.deal += 4
            self.begin()
        elif not self.rows:
            self.next_part()
        return found


@pytest.mark.long
@pytest.mark.parametrize(("name", "turns"), [(HANDS, 200), ("golf", 500)])
def test_a_seat_learns_from_its_own_next_turn_and_from_the_outcome_of_the_part(name: str, turns: int) -> None:
    learner = training(name, **STILL)
    cores, games = DeepOnCores(learner.learning[0], 1), [Alone(learner, number) for number in range(4)]
    outcomes = 0
    for _ in range(turns):
        cores.play(4)
        for i, game in enumerate(games):
            sample = game.turn()
            assert cores.samples.weights[i] == (sample is not None)
            if sample:
                np.testing.assert_array_equal(cores.samples.rows[i], sample[0])
                assert cores.samples.targets[i, 0] == pytest.approx(sample[1], abs=1e-5)
            outcomes += sample is not None and not game.rows
    assert outcomes > 10 and (learner.learning[0].kept["deals"] >= 4).any()


@pytest.mark.long
def test_every_other_game_is_played_with_a_rival_which_does_not_learn() -> None:
    learner = training("golf", encoding="columns", outputs="round-60", against=("greedier", "sensible"), **STILL)
    td, game = learner.learning[0], learner.game
    cores, names = DeepOnCores(td, 1), {1: "greedier", 3: "sensible"}
    net = Chooser(game, find_player(game, learner.champions()[0]))
    choosers = {number: Chooser(game, find_player(game, name)) for number, name in names.items()}
    states = {number: start_game(game, int(td.terms[0]["seed"]), number, number, 2) for number in names}
    seats, turns = set(), 0
    for _ in range(40):  # less than a game
        before = {number: td.kept["states"][number].copy() for number in names}
        cores.play(4)
        for number, state in states.items():
            mine = int(td.kept["deals"][number]) // 4 % 2
            assert td.kept["movers"][number] & ~(1 << mine) == 0
            if before[number]["turn_count"] == td.kept["states"][number]["turn_count"]:
                continue  # the outcome of a round
            seat = int(state["turn"][0])
            while not state["over"][0] and state["turn"][0] == seat:
                chooser = net if seat == mine else choosers[number]
                apply_move(game.rules, state, chooser.choose(state))
            assert (state["hand"] == td.kept["states"][number]["hand"]).all()
            seats.add(seat == mine)
            turns += 1
    assert seats == {True, False} and turns > 40
    assert td.kept["movers"][0] == 3 or td.kept["movers"][2] == 3


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), [
    ("golf", {"turns": 400, "outputs": "round", "active": 6}),
    (HANDS, {"turns": 600, "outputs": "lead", "active": 55, "encoding": "melds"}),
])  # fmt: skip
def test_a_short_training_learns(name: str, options: dict) -> None:
    more = {"layers": "24-12", "games": 128, "minibatch": 32, "minibatch_end": 32, "rate": 3e-3, "average": 1e-3}
    more |= {"explore": 0.1, "step_turns": 100, "curve_every": 10, "benchmark_pairs": 100}
    learner = training(name, threads=None, **more | options)
    while learner.step < learner.steps:
        learner.advance()
    assert learner.curves()[1]["benchmark.player.won"][0, -1] > 0.8


@pytest.mark.long
def test_results_do_not_depend_on_threads() -> None:
    one, two = (training("gin", threads=threads, games=16) for threads in (1, 2))
    for _ in range(4):
        assert one.advance() == two.advance()
    for name, array in one.arrays().items():
        assert array.tobytes() == two.arrays()[name].tobytes(), name


STATES = {
    "a third seat": ("golf", "turn", 2, "has no seat to move"),
    "three seats": ("golf", "seats", 3, "another number of seats"),
    "a card twice": ("golf", "hand", 7, "cards missing or twice"),
    "no stock": ("golf", "stock_size", 0, "cards missing or twice"),
    "a tenth round": ("golf", "round_number", 9, "a wrong round"),
    "a third phase": ("golf", "phase", 2, "a wrong phase"),
    "a card given up twice": ("golf", "revealed", 2, "a wrong phase"),
    "too many turns": ("golf", "turn_count", 500, "more turns than a round can have"),
    "a fourth seat that ends it": ("golf", "ender", 3, "a wrong seat that ends it"),
    "a hand of everything": ("gin", "hand", (1 << 52) - 1, "cards missing or twice"),
    "cards that are not there": ("gin", "pile", -1, "cards missing or twice"),
    "a stock of a hundred": ("gin", "stock_size", 100, "a wrong number|cards missing|an empty stock"),
    "no phase": ("gin", "phase", 7, "a wrong phase"),
    "an upcard in the air": ("gin", "upcard", -5, "a wrong upcard"),
    "a card too many": ("gin", "drawn", 3, "a card drawn at the wrong time"),
    "seen but not held": ("gin", "known", (1 << 52) - 1, "a card that was seen and is not held"),
    "a third player": ("gin", "seats", 3, "another number of seats"),
}


@pytest.mark.long
@pytest.mark.parametrize("case", STATES)
def test_a_state_that_no_game_can_come_to_is_refused(case: str) -> None:
    name, field, value, words = STATES[case]
    learner, other = training(name, games=4), training(name, games=4)
    learner.advance()
    arrays = {key: array.copy() for key, array in learner.arrays().items()}
    other.check_arrays(1, arrays)
    arrays["0/states"].view(learner.game.rules.state)[field] = value
    with pytest.raises(Damaged, match=words):
        other.resume(1, arrays)


@pytest.mark.long
def test_on_a_gpu_they_learn_on_the_cores(capsys: pytest.CaptureFixture[str]) -> None:
    from sparring.kernel.backend import IN_USE, Backend
    from sparring.kernel.cuda import Cuda

    here, there, gpu = training("gin"), training("gin"), Cuda.__new__(Cuda)
    Backend.__init__(gpu)
    here.advance()
    token = IN_USE.set(gpu)
    try:
        there.advance()
    finally:
        IN_USE.reset(token)
    assert here.arrays()["0/weights"].tobytes() == there.arrays()["0/weights"].tobytes()
    assert "deep TD of games with hidden information runs on this machine's cores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("hearts", {}, "learner.name: deep-td needs inputs and outcomes for networks, which hearts does not have"),
        ("conquest", {}, "learner.name: deep-td needs inputs and outcomes for networks, which conquest does not have"),
        ("backgammon", {"explore": 0.1}, "learner.explore = 0.1: is for games whose seats see different things"),
        (
            "backgammon",
            {"against": ["random"]},
            "learner.against = ('random',): is for games whose seats see different things",
        ),
        ("golf", {"against": ["champion"]}, "learner.against: must be a built-in player: unknown player 'champion'"),
        ("gin", {"policy": "net+shy"}, "learner.policy = 'net+shy': must be one of net+mean"),
        ("gin", {"outputs": "tricks"}, "learner.outputs = 'tricks': gin has score, win, lead"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(game: str, options: dict, words: str) -> None:
    with pytest.raises(UserError) as error:
        build_experiment({"game": game, "learner": {"name": "deep-td", **options}})
    assert words in str(error.value) and "\n" not in str(error.value)
