"""Sweeps: what is tried, who goes on, the same result after a stop and with more processes, and one line for bad files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sparring
from sparring.cli import main
from sparring.errors import UserError
from sparring.games import find_game
from sparring.lab import sweep as sweeps
from sparring.lab.experiment import read_experiment
from sparring.lab.sweep_plan import read_sweep
from sparring.learn import LEARNERS
from sparring.learn.option_checks import contests
from web_server import wait_for

HIGHER_CARD = Path(__file__).parent.parent / "examples" / "higher_card.py"
EXPERIMENT = """
game = "higher_card"
name = "cards"
seed = 3
trials = 5
[learner]
name = "coevolution"
hidden = 2
rule = "score"
threshold = 1.0
epochs = 400
benchmark_pairs = 3
[evaluation]
opponents = ["random"]
"""
SWEEP = """
experiment = "cards.toml"
settings = 6
games = 400
trials = 2
pairs = 20
[options]
mutation = { from = 0.01, to = 10.0, scale = "log" }
hidden = [1, 2, 3]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cards.toml").write_text(EXPERIMENT)
    (tmp_path / "tuned.toml").write_text(SWEEP)
    sparring.games.name_game(str(HIGHER_CARD))
    return tmp_path


def swept(folder: Path, runs: str = "runs", **options) -> sweeps.Sweep:
    return sparring.sweep(folder / "tuned.toml", runs=folder / runs, game=str(HIGHER_CARD), **{"threads": 1} | options)


def files(found: sweeps.Sweep) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in found.folder.iterdir()}


def test_settings_halve_from_round_to_round_and_the_last_have_a_full_training(folder: Path) -> None:
    found = swept(folder)
    assert found.plan.rounds == [(6, 0.25), (3, 0.5), (2, 1.0)]
    assert [each.rounds for each in found.tried] == [3, 3, 2, 1, 1, 1]
    assert [each.games for each in found.tried] == [800, 800, 400, 200, 200, 200], "games of both trials"
    best, second = found.tried[:2]
    assert best.score.value >= second.score.value
    stored = json.loads((found.folder / "sweep.json").read_text())
    assert stored == found.json() and stored["games"] == 2600 and stored["best"] == best.setting


def test_the_best_setting_is_written_as_an_experiment_with_its_own_seed_and_curves(folder: Path) -> None:
    found = swept(folder)
    best = read_experiment(found.best)
    assert {key: getattr(best.options, key) for key in ("mutation", "hidden")} == found.tried[0].setting
    assert (best.name, best.seed, best.trials, best.options.benchmark_pairs) == ("cards-best", 3, 5, 3)
    assert best.options.epochs == 40, "400 games in epochs of ten"


def test_the_first_setting_is_the_experiment_s_own_and_all_differ(folder: Path) -> None:
    plan = read_sweep(folder / "tuned.toml")
    assert plan.settings[0] == {"mutation": 0.1, "hidden": 2}
    assert len({str(setting) for setting in plan.settings}) == 6
    assert all(0.01 <= setting["mutation"] <= 10 and setting["hidden"] in (1, 2, 3) for setting in plan.settings[1:])


def test_an_option_may_have_the_value_of_another(folder: Path) -> None:
    (folder / "tuned.toml").write_text(SWEEP + 'move = [0.1, 0.2]\nstart = { as = "move" }\n')
    first, *others = read_sweep(folder / "tuned.toml").settings
    assert (first["move"], first["start"]) == (0.05, 0.1)
    assert all(setting["start"] == setting["move"] for setting in others)


def test_a_sweep_s_games_are_not_the_experiment_s(folder: Path) -> None:
    plan = read_sweep(folder / "tuned.toml")
    tried = [plan.experiment(number) for number in range(6)]
    assert len({each.seed for each in tried}) == 1, "settings differ by nothing but their options"
    assert tried[0].seed not in (plan.base.seed, plan.options.seed)
    assert all(each.trials == 2 and each.options.benchmark_pairs == 0 for each in tried)


def test_all_combinations_are_tried_where_there_is_room(folder: Path) -> None:
    text = SWEEP.replace('{ from = 0.01, to = 10.0, scale = "log" }', "[0.1, 1.0]")
    (folder / "tuned.toml").write_text(text)
    plan = read_sweep(folder / "tuned.toml")
    assert sorted((s["mutation"], s["hidden"]) for s in plan.settings) == [
        (m, h) for m in (0.1, 1.0) for h in (1, 2, 3)
    ]


def test_a_stopped_sweep_goes_on_to_the_same_result(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, train = swept(folder), sweeps.train_setting
    left = 8

    def stopping(*arguments, **more):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return train(*arguments, **more)

    monkeypatch.setattr(sweeps, "train_setting", stopping)
    with pytest.raises(sparring.errors.Stopped, match="the same command"):
        swept(folder, "again")
    (folder / "again" / "tuned" / "003-round-1.json").unlink()  # as if it was killed after the first of two files
    monkeypatch.setattr(sweeps, "train_setting", train)
    assert files(swept(folder, "again")) == files(whole)
    (folder / "tuned.toml").write_text(SWEEP.replace("settings = 6", "settings = 5"))
    with pytest.raises(UserError, match="begun with other settings"):
        swept(folder, "again")


def test_a_sweep_killed_in_its_first_write_goes_on_but_takes_no_other_folder(folder: Path) -> None:
    begun = folder / "runs" / "tuned"
    begun.mkdir(parents=True)
    (begun / "plan.json.part").write_text('{"experi')
    assert files(swept(folder)) == files(swept(folder, "others"))
    (folder / "foreign" / "tuned").mkdir(parents=True)
    (folder / "foreign" / "tuned" / "x").touch()
    with pytest.raises(UserError, match="exists already, and is no sweep"):
        swept(folder, "foreign")


def test_processes_share_a_sweep_without_changing_it(folder: Path) -> None:
    (folder / "tuned.toml").write_text(SWEEP.replace("settings = 6", "settings = 3"))
    assert files(swept(folder, "two", threads=2)) == files(swept(folder))


def test_a_setting_that_diverges_is_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = LEARNERS["coevolution"][1]
    monkeypatch.setattr(kind, "diverged", lambda self: self.options.hidden == 2)
    found = swept(folder)
    assert found.tried[-1].diverged and found.tried[-1].setting["hidden"] == 2
    assert not found.tried[0].diverged
    monkeypatch.setattr(kind, "diverged", lambda self: True)
    with pytest.raises(UserError, match="every setting diverged"):
        swept(folder, "others")


def test_the_command_prints_a_table_and_where_the_best_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "sweep",
        str(folder / "tuned.toml"),
        "--runs",
        str(folder / "runs"),
        "--threads",
        "1",
        "--of",
        str(HIGHER_CARD),
    ]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert (
        "mutation" in printed
        and "95% intervals over trials" in " ".join(printed.split())
        and "best.toml" in printed.splitlines()[-1]
    )
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["learner"] == "coevolution"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('experiment = "cards.toml"', "", "experiment: is missing"),
        ("cards.toml", "none.toml", "none.toml: no such file"),
        ("settings = 6", "settings = 1", "settings = 1: must be from 2"),
        ("settings", "setings", "setings: unknown key; did you mean settings?"),
        ("trials = 2", 'by = "points"', "by = 'points': must be one of won, score"),
        ("hidden = [1, 2, 3]", "hiden = [1]", "options.hiden: coevolution has no such option; did you mean hidden?"),
        ("hidden = [1, 2, 3]", "hidden = [0]", "options.hidden = 0: must be from 1"),
        ("hidden = [1, 2, 3]", "hidden = 3", "options.hidden = 3: must be a list of values"),
        ("hidden = [1, 2, 3]", "hidden = { from = 3, to = 1 }", "options.hidden: from = 3, to = 1: must rise"),
        ("hidden = [1, 2, 3]", "hidden = { from = 1, till = 3 }", "options.hidden.till: unknown key"),
        ("hidden = [1, 2, 3]", 'rule = { from = "a", to = "b" }', "options.rule: a range is for numbers"),
        (
            "hidden = [1, 2, 3]",
            'hidden = { as = "epochs" }',
            "as = 'epochs': must be another option that is tried here",
        ),
        ("from = 0.01", "from = 0.0", "must rise, both above 0"),
        ('scale = "log"', 'scale = "root"', "options.mutation.scale = 'root': must be one of linear, log"),
        ("from = 0.01", "from = -1.0", "options.mutation = -1.0: must be from 0"),
        ("[options]", "[option]", "[options]: is missing"),
        ("hidden = [1, 2, 3]", 'rule = ["challenger"]\npairs = [3]', "learner.pairs = 3: rule challenger"),
        ("[options]", "[options", "not a TOML file"),
    ],
)
def test_a_bad_file_gets_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, says: str
) -> None:
    assert old in SWEEP
    (folder / "tuned.toml").write_text(SWEEP.replace(old, new))
    assert main(["sweep", str(folder / "tuned.toml"), "--runs", str(folder / "runs"), "--of", str(HIGHER_CARD)]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and says in line, line
    assert not (folder / "runs").exists()


def test_a_learner_without_a_number_of_games_is_trained_as_long_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        'game = "backgammon"\n[learner]\nname = "td-batch"\ngames = 4\nturns = 8\nstep_turns = 1\n'
    )
    text = 'experiment = "base.toml"\nsettings = 2\n[options]\nrate = [0.1]\n'
    (tmp_path / "sweep.toml").write_text("games = 10\n" + text)
    with pytest.raises(UserError, match="td-batch does not count games; leave it out"):
        read_sweep(tmp_path / "sweep.toml")
    (tmp_path / "sweep.toml").write_text(text)
    assert read_sweep(tmp_path / "sweep.toml").experiment(1).options.turns == 8


LENGTHS = {
    "coevolution": {"pairs": 3},
    "hill-climbing": {"wins": "3/4,5/6@10"},
    "evolution-strategies": {"population": 4, "pairs": 2, "opponents": ("mean", "random")},
    "neat": {"pop_size": 5, "games": 2, "opponents": ("self", "random")},
    "td": {"duel": 2},
}


@pytest.mark.parametrize("name", LENGTHS)
def test_a_training_has_about_as_many_games_as_asked_for(name: str) -> None:
    options, kind = LEARNERS[name]
    few = {"hidden": 2} if name != "neat" else {}
    made = kind.lasting(options(**LENGTHS[name], **few, benchmark_pairs=0), 100)
    training, games = kind(find_game("golf"), made, 1, 2, 1), 0
    while training.step < training.steps:
        games += training.advance()
    assert 80 <= games / 2 <= 100


def test_contests_grow_longer() -> None:
    assert [contests([(0, 3, 4)], games) for games in (1, 4, 400)] == [1, 1, 100]
    assert contests([(0, 3, 4), (10, 5, 6), (20, 7, 8)], 40 + 60 + 16) == 22


@pytest.mark.long
def test_a_killed_sweep_ends_as_if_nothing_had_happened(folder: Path) -> None:
    code = f"import sparring; sparring.sweep('tuned.toml', runs='killed', threads=2, game={str(HIGHER_CARD)!r})"
    with subprocess.Popen([sys.executable, "-c", code], cwd=folder) as process:
        wait_for(lambda: process.poll() is not None or (folder / "killed" / "tuned" / "001-round-1.json").exists(), 600)
        process.kill()
    assert files(swept(folder, "killed")) == files(swept(folder))
