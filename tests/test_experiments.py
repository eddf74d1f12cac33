"""Experiment files: good ones read back as they were written, bad ones get one line that says what would be right.

Every file in bad/ says in its first line what its message must contain.
"""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparring.cli import main
from sparring.errors import UserError
from sparring.lab.experiment import Experiment, build_experiment, read_experiment, same_training
from sparring.lab.run import create_run, open_run
from sparring.learn import ALIASES

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.toml"))
GOOD = sorted((HERE.parent / "experiments").glob("*.toml"))
FUZZ = settings(max_examples=200, derandomize=True, database=None, deadline=None)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_gets_one_line_that_says_what_is_wrong_and_leaves_nothing_behind(path, tmp_path, capsys):
    expected = path.read_bytes().split(b"\n")[0].decode().removeprefix("# expects: ")
    runs = tmp_path / "runs"
    status = main(["train", str(path), "--runs", str(runs)])
    told = capsys.readouterr()
    assert status == 2
    assert told.err.startswith("sparring: ") and told.err.count("\n") == 1
    assert path.name in told.err and expected in told.err
    assert told.out == "" and not runs.exists()


def test_there_are_bad_files_to_try():
    assert len(BAD) > 50


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_file_is_written_to_the_run_with_every_option_and_reads_back_the_same(path, tmp_path):
    experiment = read_experiment(path)
    run = create_run(experiment, tmp_path)
    assert open_run(run.folder).experiment == experiment
    written = tomllib.loads((run.folder / "experiment.toml").read_text())["learner"]
    assert written.keys() == {"name", *vars(experiment.options)}


@pytest.mark.parametrize(("old", "new"), ALIASES.items())
def test_an_older_name_of_a_learner_is_the_same_training(old, new):
    first, second = (build_experiment({"game": "golf", "name": "x", "learner": {"name": name}}) for name in (old, new))
    assert first.options == second.options
    assert same_training(first.training_toml(), second) and same_training(second.training_toml(), first)


def test_a_training_is_the_same_if_its_text_lacks_an_option_that_has_its_default():
    experiment = build_experiment({"game": "golf", "learner": {"hidden": 5, "move": 0.5}})
    text = experiment.training_toml()
    assert same_training(text.replace("snapshots = 0\n", ""), experiment)
    assert not same_training(text.replace("move = 0.5\n", ""), experiment)


@pytest.mark.parametrize(
    ("key", "value"),
    [("game", '"gin"'), ("name", '"y"'), ("seed", "2"), ("trials", "3"), ("hidden", "6"), ("new", "1")],
)
def test_another_training_is_not_the_same(key, value):
    experiment = build_experiment({"game": "golf", "name": "x", "learner": {"hidden": 5}})
    lines = [line for line in experiment.training_toml().split("\n") if not line.startswith(f"{key} = ")]
    place = 0 if key in ("game", "name", "seed", "trials") else len(lines)
    assert not same_training("\n".join([*lines[:place], f"{key} = {value}", *lines[place:]]), experiment)


@pytest.mark.parametrize("text", [None, 1, "", "no toml", "[learner]\nname = 1", '[learner]\nname = "nobody"'])
def test_text_that_is_no_experiment_is_no_training(text):
    assert not same_training(text, build_experiment({"game": "golf"}))


@pytest.mark.parametrize(
    "options",
    [{"mutation": 1e-07}, {"threshold": 123456.789}, {"start": 0}, {"move": 0.1 + 0.2}, {"rule": "five-of-six"}],
    ids=str,
)
def test_every_number_survives_writing(options, tmp_path):
    experiment = build_experiment({"game": "golf", "learner": options})
    assert open_run(create_run(experiment, tmp_path).folder).experiment == experiment


@FUZZ
@given(name=st.text(max_size=8))
def test_any_name_is_refused_or_survives_writing(name, tmp_path_factory):
    try:
        run = create_run(build_experiment({"game": "golf", "name": name}), tmp_path_factory.mktemp("runs"))
    except UserError:
        return
    assert open_run(run.folder).experiment == run.experiment


@FUZZ
@given(changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 2), st.binary(min_size=1, max_size=3))))
def test_a_garbled_file_is_refused_or_read(changes, tmp_path_factory):
    data = bytearray(GOOD[0].read_bytes())
    for at, gone, put in changes:
        data[at : at + gone] = put
    path = tmp_path_factory.mktemp("garbled") / "x.toml"
    path.write_bytes(data)
    try:
        assert isinstance(read_experiment(path), Experiment)
    except UserError as error:
        assert "x.toml" in str(error)


def test_a_file_with_windows_line_ends_is_read_too(tmp_path):
    path = tmp_path / GOOD[0].name
    path.write_bytes(GOOD[0].read_bytes().replace(b"\n", b"\r\n"))
    assert read_experiment(path) == read_experiment(GOOD[0])


def test_a_folder_in_place_of_a_file_is_refused(tmp_path):
    with pytest.raises(UserError, match=str(tmp_path)):
        read_experiment(tmp_path)


def test_words_beside_a_file_are_refused_or_heeded_never_ignored(tmp_path, capsys):
    path = tmp_path / "x.toml"
    path.write_text('game = "golf"\nname = "x"\n[learner]\nepochs = 1\nhidden = 1\n[evaluation]\npairs = 1\n')
    status = main(["train", str(path), "--runs", str(tmp_path), "--seed", "7", "--trials", "2", "--name", "y"])
    assert status == 2 or (tmp_path / "y" / "champions" / "001.safetensors").exists()


def test_a_run_of_a_game_under_other_rules_is_named_after_them_by_a_plain_file_name(tmp_path):
    experiment = build_experiment({"game": "backgammon:first=fixed,scoring=single", "learner": {"name": "td"}})
    assert experiment.name == "backgammon-first-fixed-scoring-single-td-seed1"
    run = create_run(experiment, tmp_path)
    assert open_run(run.folder).game.name == "backgammon:first=fixed,scoring=single"
