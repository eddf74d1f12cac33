"""The debate: equal games and seconds, comparisons, verdicts that hold without a third of the trials, and a tiny re-run."""

import json
import os
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sparring.errors import Stopped, UserError
from sparring.games import find_game
from sparring.kernel.compiler import INTERPRETED
from sparring.lab.experiment import build_experiment
from sparring.lab.sweep_plan import read_sweep
from sparring.learn import Training, find_learner
from sparring.nets.files import load_net
from sparring.studies.debate import BUDGETS, STUDY, reproduce, settings, sweeps
from sparring.studies.debate.claims import CLAIMS
from sparring.studies.debate.measured import KINDS, Field, Measured, best_of, last_before
from sparring.studies.debate.settings import GAMES, HIDDEN, LEARNERS, LINEAR, SHAPES, Budget, learners_of
from sparring.studies.debate.study_runs import StudyRuns, Track
from sparring.studies.debate.trainings import Point, Recorder, Stage, TimedRun, train_stages
from sparring.studies.verdicts import (
    NOT_REPRODUCED,
    OTHER_READING,
    REPRODUCED,
    UNDECIDED,
    Judged,
    judge_all,
    judged_table,
    with_thirds,
)
from test_studies import Quiet

TINY = Budget(3, {"golf": 32, "gin": 16, "backgammon": 16, "conquest": 4}, 1, False)
TRIALS = 30


def track(strength: float, speed: float = 1.0, spread: float = 0.01, trials: int = TRIALS) -> Track:
    """A learner that ends with this strength, so many times as fast as others."""
    games = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    noise = spread * np.linspace(-1, 1, trials)[:, None] * np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    return Track(games, games / speed, np.linspace(0.1, strength, 5)[None] + noise)


def field(game: str, shape: str, strengths: dict[str, float], trials: int = TRIALS, **more: float) -> Field:
    """Learners of these strengths, who win against each other by the difference."""
    tracks = {name: track(strengths.get(name, 0.5), trials=trials, **more) for name in learners_of(game)}
    spread = 0.02 * np.linspace(-1, 1, trials)
    robin = {
        (a, b): 0.5 + spread + strengths.get(a, 0.5) - strengths.get(b, 0.5)
        for i, a in enumerate(tracks)
        for b in list(tracks)[i + 1 :]
    }
    return Field(game, shape, 16.0, tracks, dict.fromkeys(KINDS, robin))


def found_with(
    strengths: dict[str, float], linear: dict[str, float] | None = None, budget: str = "paper", trials: int = TRIALS
) -> Measured:
    """All games alike: learners with these strengths, others with 0.5."""
    fields = {
        (game, shape): field(game, shape, strengths if shape == HIDDEN or linear is None else linear, trials)
        for game in GAMES
        for shape in SHAPES
    }
    return Measured(BUDGETS[budget], trials, 1, Path(), fields)


def verdicts(found: Measured) -> dict[str, str]:
    return {each.claim: each.verdict for each in judge_all(CLAIMS, found)}


def claim_of(place: str, found: Measured) -> list[str]:
    """The verdicts on an author's claims."""
    return [each.verdict for each in judge_all(CLAIMS, found) if each.place.startswith(place)]


@pytest.mark.parametrize(("game", "shape"), list(settings.all_fields()))
def test_every_learner_of_a_game_has_the_same_input_and_the_same_form_of_network(game: str, shape: str) -> None:
    shapes = {}
    for name, learner in learners_of(game).items():
        made = [build_experiment(settings.experiment(GAMES[game], shape, part, 256)) for part in learner.parts]
        for experiment in made:
            assert experiment.options.encoding == GAMES[game].encoding
            assert experiment.options.benchmark_pairs == 0, "games for curves would count as training"
        shapes[name] = getattr(made[0].options, "hidden", None)
    assert {hidden for hidden in shapes.values() if hidden} == {1 if shape == LINEAR else GAMES[game].hidden}


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_is_left_out_only_where_it_does_not_apply(game: str) -> None:
    def applies(part: str) -> bool:
        options, kind = find_learner(part)
        try:
            kind.check(find_game(GAMES[game].rules), options())
        except UserError as error:
            return "learner.name" not in str(error)
        return True

    for learner in LEARNERS.values():
        assert all(map(applies, learner.parts)) == (game not in learner.excluded)


def test_a_network_with_one_hidden_unit_orders_positions_as_a_weighted_sum_does() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        weights, bias, out, last = rng.normal(size=5), rng.normal(), rng.normal(), rng.normal()
        inputs = rng.integers(0, 2, (40, 5)).astype(float)
        value = 1 / (1 + np.exp(-(last + out / (1 + np.exp(-(inputs @ weights + bias))))))
        order = np.sign(out) * (inputs @ weights)
        assert (np.diff(value[np.argsort(order)]) >= -1e-12).all()


def test_strength_is_compared_at_equal_games_and_at_equal_seconds() -> None:
    tracks = {"td": track(0.9), "neat": track(0.9, speed=4.0)}
    one = Field("golf", HIDDEN, 16.0, tracks, {})
    assert one.seconds == 4.0, "the quickest learner's whole training"
    assert one.strength("td", "games").mean() == pytest.approx(0.9)
    assert one.strength("neat", "seconds").mean() == pytest.approx(0.9)
    assert one.strength("td", "seconds").mean() == pytest.approx(0.5), "a quarter of its games, the middle of its curve"
    assert one.strength("td", "games", 2).mean() == pytest.approx(0.7)


def test_a_learner_enters_only_where_its_first_generation_is_within_the_budget() -> None:
    one = Field("golf", HIDDEN, 16.0, {"td": track(0.9), "neat": track(0.8, speed=4.0)}, {})
    assert list(one.entered("seconds", 1)) == ["td", "neat"]
    assert list(one.entered("seconds", 8)) == ["neat"], "half a second, and the first network of td took one"
    assert list(one.entered("games", 8)) == ["td", "neat"]
    assert best_of(one, "seconds", 8) == (["neat"], True)
    assert not one.comparisons["seconds", 8]
    assert best_of(Field("golf", HIDDEN, 4.0, one.tracks, {}), "games", 8) == ([], False), "nobody has entered"


@pytest.mark.parametrize(("budget", "place"), [(16.0, 4), (15.0, 4), (14.0, 3), (8.0, 3), (0.5, 0)])
def test_a_round_robin_at_a_budget_has_the_last_networks_that_it_pays_for(budget: float, place: int) -> None:
    assert last_before(np.array([1.0, 2.0, 4.0, 8.0, 16.0]), budget) == place


def test_who_wins_is_inconclusive_where_trials_do_not_decide() -> None:
    clear = field("golf", HIDDEN, {"td": 0.9})
    assert best_of(clear, "games", 1) == (["td"], True)
    names, alone = best_of(field("golf", HIDDEN, {"td": 0.9, "neat": 0.899}), "games", 1)
    assert (names, alone) == (["td", "neat"], False)
    compared = clear.comparisons["games", 1]
    assert compared["td", "neat"].probability.value == 1.0 and compared["td", "neat"].shown
    assert compared["neat", "td"].probability.value == 0.0
    assert compared["neat", "coevolution"].probability.value == pytest.approx(0.5)


def test_each_author_is_right_where_the_trials_say_so() -> None:
    tesauro = found_with({"td": 0.9, "hill-climbing": 0.6}, {"td": 0.6, "hill-climbing": 0.6})
    assert claim_of("Tesauro", tesauro) == [REPRODUCED] * 4
    assert claim_of("Pollack", tesauro) == [NOT_REPRODUCED]
    assert claim_of("Kotnik", tesauro) == [NOT_REPRODUCED] * 2
    pollack = found_with({"td": 0.6, "hill-climbing": 0.9}, {"td": 0.6, "hill-climbing": 0.6})
    assert claim_of("Pollack", pollack) == [REPRODUCED]
    assert claim_of("Tesauro", pollack) == [NOT_REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_REPRODUCED]
    darwen = found_with({"td": 0.9}, {"evolution-strategies": 0.9, "td": 0.6})
    assert claim_of("Darwen", darwen) == [REPRODUCED] * 2
    climbing = found_with({"td": 0.9}, {"hill-climbing": 0.9, "td": 0.6})
    assert claim_of("Darwen", climbing) == [OTHER_READING, REPRODUCED]
    assert claim_of("Kotnik", found_with({"coevolution": 0.9, "td": 0.6})) == [REPRODUCED] * 2
    golf = found_with({"td": 0.9}, {"coevolution": 0.6})
    assert claim_of("the golf study", golf) == [REPRODUCED, REPRODUCED, NOT_REPRODUCED]
    assert claim_of("the hearts study", golf) == [UNDECIDED]


def test_a_short_training_refutes_nothing() -> None:
    short = found_with({"td": 0.9, "hill-climbing": 0.6}, budget="quick")
    assert set(verdicts(short).values()) == {UNDECIDED}


def test_the_panel_alone_does_not_win_a_claim() -> None:
    found = found_with({"td": 0.9, "hill-climbing": 0.6}, {"td": 0.6, "hill-climbing": 0.6})
    one = found.fields["backgammon", HIDDEN]
    lost = {both: 1 - share for both, share in one.robins["games"].items()}
    found.fields["backgammon", HIDDEN] = replace(one, robins={**one.robins, "games": lost})  # type: ignore[index]
    assert claim_of("Tesauro", found)[:2] == [NOT_REPRODUCED, REPRODUCED]


def test_a_verdict_that_does_not_hold_without_a_third_is_undecided() -> None:
    def judged(*words: str) -> list[Judged]:
        return [Judged("a", "b", "c", word) for word in words]

    whole = judged(REPRODUCED, REPRODUCED)
    thirds = [judged(REPRODUCED, UNDECIDED), judged(REPRODUCED, REPRODUCED), judged(REPRODUCED, NOT_REPRODUCED)]
    found = with_thirds(whole, thirds)
    assert [each.holds for each in found] == [
        "yes",
        "no: reproduced with all trials, undecided without the first, not reproduced without the third",
    ]
    assert [each.verdict for each in found] == [REPRODUCED, UNDECIDED] and "two thirds" in found[1].cause
    table = judged_table(found, "")
    assert table.header[6] == "holds without a third" and [row[6] for row in table.rows] == [e.holds for e in found]
    assert "holds" in found[0].json() and "holds" not in whole[0].json()
    assert "holds without a third" not in judged_table(whole, "").header


def test_every_third_trial_is_left_out_in_turn() -> None:
    found = found_with({}, trials=8)
    parts = [found.without(third) for third in range(3)]
    assert [part.trials for part in parts] == [5, 5, 6]
    kept = [part.fields["gin", LINEAR].tracks["td"].share[:, 0] for part in parts]
    whole = found.fields["gin", LINEAR].tracks["td"].share[:, 0]
    assert sorted(np.concatenate(kept)) == sorted(np.concatenate([whole, whole])), "each trial is left out once"
    assert len(parts[0].fields["gin", LINEAR].met("td", "neat", "games")) == 5
    assert found_with({}, trials=2).without(0).trials == 2, "too few to leave any out"


def stage(folder: Path, learner: str = "td", games: int = 64, marks: tuple[int, ...] = (16, 32, 64)) -> Stage:
    table = settings.experiment(GAMES["golf"], LINEAR, learner, games) | {"name": "one", "trials": 2, "seed": 5}
    return Stage("one", folder, table, games, marks)


@pytest.mark.skipif(INTERPRETED, reason="trains")
def test_networks_are_kept_at_marks_and_only_steps_are_timed(tmp_path: Path) -> None:
    one = stage(tmp_path)
    train_stages(os.getpid(), [one])
    points = one.points()
    assert [point.games for point in points] == [16, 32, 64]
    seconds = [point.seconds for point in points]
    assert 0 < seconds[0] < seconds[1] < seconds[2]
    first, last = ((tmp_path / "one-networks" / f"0{k}" / "001.safetensors").read_bytes() for k in (0, 2))
    assert first != last
    game = find_game("golf")
    champion = load_net(tmp_path / "one" / "champions" / "001.safetensors", game)
    assert (load_net(tmp_path / "one-networks" / "02" / "001.safetensors", game).weights == champion.weights).all()


@pytest.mark.skipif(INTERPRETED, reason="trains")
def test_a_stopped_training_keeps_the_same_networks_as_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = (stage(tmp_path / name) for name in ("whole", "stopped"))
    train_stages(os.getpid(), [whole])
    monkeypatch.setattr("sparring.lab.run.CHECKPOINT_SECONDS", -1.0)
    report = Recorder.report

    def stopping(self: Recorder, training: Training, games: int) -> None:
        report(self, training, games)
        if training.step == 40:  # after the second mark, 32 games
            raise Stopped("stopped")

    monkeypatch.setattr(Recorder, "report", stopping)
    with pytest.raises(Stopped):
        train_stages(os.getpid(), [stopped])
    monkeypatch.setattr(Recorder, "report", report)
    train_stages(os.getpid(), [stopped])
    assert [point.games for point in stopped.points()] == [point.games for point in whole.points()]
    for path in whole.kept.rglob("*.safetensors"):
        assert (stopped.kept / path.relative_to(whole.kept)).read_bytes() == path.read_bytes()


def test_a_stopped_training_forgets_what_came_after_its_checkpoint(tmp_path: Path) -> None:
    one = stage(tmp_path)
    points = [Point(step, 2.0 * step, 0.5 * step) for step in (4, 8, 12)]
    one.log.write_text(json.dumps({"steps": points, "marks": [points[1], points[2]]}))
    run = object.__new__(TimedRun)
    recorder = Recorder(one, run, os.getpid())
    assert recorder._resumed(11) == Point(10, 20.0, 5.0), "steps 9 and 10 were not written down"
    assert recorder.marks == [points[1]] and recorder.steps == points[:2]
    one.log.unlink()
    assert Recorder(one, run, os.getpid())._resumed(1) == Point(0, 0.0, 0.0)


@pytest.mark.skipif(INTERPRETED, reason="trains")
def test_the_second_half_of_a_hybrid_starts_from_the_networks_of_the_first(tmp_path: Path) -> None:
    runs = StudyRuns(1, tmp_path, 1, Quiet(), replace(TINY, games=TINY.games | {"golf": 128}))
    first, second = runs.stages("golf", LINEAR, LEARNERS["evolution-td"], 2)
    assert (first.games, second.games, first.marks, second.marks) == (64, 64, (8, 16, 32, 64), (64,))
    train_stages(os.getpid(), [first])
    made = second.experiment()
    training = find_learner("td")[1](find_game(made.game), made.options, made.seed, 2, 1)
    for trial in range(2):
        champion = load_net(first.run_folder / "champions" / f"00{trial}.safetensors", training.game)
        assert (training.nets[trial] == champion.weights).all()
    later = find_learner("td")[1](find_game(made.game), made.options, made.seed, 1, 1, 1)
    assert (later.nets[0] == training.nets[1]).all(), "wherever the trial is trained"


@pytest.mark.skipif(INTERPRETED, reason="trains")
def test_a_tiny_re_run_of_one_game_is_kept_reported_and_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    found = STUDY.measure(STUDY.runs(1, tmp_path, 1, Quiet(), TINY), 3)
    tables = STUDY.parts["golf"](found)
    assert [table.title for table in tables["Who wins"]] == ["Who wins under which budget: golf"]
    golf = {table.title: table for table in tables["Golf"]}
    assert (
        len(golf) == 16
        and [row[0] for row in golf["Strength: golf, linear, by games"].rows][-1] == "TD started from evolution"
    )
    assert all("sweep" in row[2] or row[2] == "none yet" for row in golf["Settings: golf, hidden layer"].rows)
    strength = tmp_path / "3-trials" / "golf" / "hidden-td-strength.json"
    stored = json.loads(strength.read_text())
    stored["share"] = [[0.4321] * 5] * 3
    strength.write_text(json.dumps(stored))
    again = STUDY.parts["golf"](STUDY.measure(STUDY.runs(1, tmp_path, 1, Quiet(), TINY), 3))
    assert "43.2%" in str(again["Golf"][8].rows), "what is cached is not measured again"
    with pytest.raises(UserError, match="name its folder"):
        reproduce("quick", 0, 1, tmp_path, 1, Quiet(), None, "golf")


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="golf, gin, backgammon, conquest"):
        reproduce("quick", 0, 1, tmp_path, 1, Quiet(), tmp_path, "hearts")


def test_every_learner_has_a_sweep_with_the_same_search_budget(tmp_path: Path) -> None:
    written = sweeps.write_sweeps(tmp_path)
    assert len(written) == 2 * (5 + 5 + 6 + 4)
    for path in written[:3]:
        plan = read_sweep(path)
        assert (len(plan.settings), plan.options.trials, plan.options.games) == (8, 3, 512)
    assert all(set(search) & set(settings.DATA["options"][name]) for name, search in settings.DATA["search"].items())


def test_what_sweeps_chose_is_collected_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = sweeps.sweep_name("golf", HIDDEN, "td")
    best = {"rate": 0.5, "rate_end": 0.5, "trace": 0.9}
    (tmp_path / name).mkdir()
    (tmp_path / name / "sweep.json").write_text(
        json.dumps({"best": best, "seed": 7, "games": 1000, "settings": [1, 2]})
    )
    assert sweeps.collect(tmp_path, tmp_path / "chosen.toml") == 1
    rows = tomllib.loads((tmp_path / "chosen.toml").read_text())["chosen"]
    monkeypatch.setattr(settings, "CHOSEN", rows)
    assert settings.learner_options("golf", HIDDEN, "td") == settings.DATA["own"]["golf"]["td"] | best
    assert settings.learner_options("golf", LINEAR, "td")["rate"] == 0.01
    assert settings.chosen_entry("golf", HIDDEN, "td")["sweep"] == f"{name}, seed 7, 2 settings, 1,000 games"
