"""More trials of a study: those that are trained already are taken over, and the result is that of all trained together."""

import json
from contextlib import contextmanager

import pytest

from sparring.lab.run import Run
from sparring.studies.study_cache import StudyCache
from test_studies import Quiet

LEARNERS = {
    "coevolution": {"epochs": 3, "hidden": 2, "pairs": 1, "benchmark_pairs": 1, "snapshots": 3},
    "td": {"games": 8, "step_games": 4, "hidden": 2, "benchmark_pairs": 1},
    "neat": {"generations": 2, "pop_size": 4, "games": 2, "benchmark_pairs": 1},
}


class Counting(Quiet):
    """Counts the trials of every step."""

    def __init__(self) -> None:
        self.trials: list[int] = []

    @contextmanager
    def training_bar(self, what):
        yield lambda training, games: self.trials.append(training.trials)


def trained(folder, learner: str, trials: int, watch=None, **changes) -> Run:
    options = {"name": learner, **LEARNERS[learner], **changes}
    evaluation = {"opponents": ["random"], "pairs": 1, "selection_pairs": 1}
    table = {"name": "run", "seed": 5, "trials": trials, "game": "golf", "learner": options, "evaluation": evaluation}
    return StudyCache(1, folder, 1, watch or Quiet(), None).trained_run(table)


def contents(run: Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(run.folder.rglob("*.*")) if path.name != "lock"}


@pytest.mark.parametrize("learner", LEARNERS)
def test_trials_are_added_to_those_of_a_run_with_fewer(tmp_path, learner):
    whole = trained(tmp_path / "apart", learner, 3)
    trained(tmp_path / "1-trials" / "part", learner, 1)
    trained(tmp_path / "2-trials" / "part", learner, 2)
    watch = Counting()
    extended = trained(tmp_path / "3-trials" / "part", learner, 3, watch)
    assert set(watch.trials) == {1}, "only the third trial is trained"
    assert contents(extended) == contents(whole)
    watch = Counting()
    again = trained(tmp_path / "4-trials" / "part", learner, 3, watch)
    assert not watch.trials
    assert contents(again) == contents(whole)


def test_only_the_same_training_with_no_more_trials_is_taken_over(tmp_path):
    trained(tmp_path / "1-trials", "coevolution", 1, hidden=3)
    trained(tmp_path / "3-trials", "coevolution", 3)
    watch = Counting()
    trained(tmp_path / "2-trials", "coevolution", 2, watch)
    assert set(watch.trials) == {2}


def test_the_time_of_a_trial_is_that_of_the_earlier_run(tmp_path):
    trained(tmp_path / "1-trials", "coevolution", 1)
    (tmp_path / "1-trials" / "run-seconds.json").write_text('{"steps": 2, "seconds": 6.0}')
    trained(tmp_path / "3-trials", "coevolution", 3)
    assert json.loads((tmp_path / "3-trials" / "run-seconds.json").read_text()) == {"steps": 2, "seconds": 18.0}
