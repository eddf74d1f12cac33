"""Configuration files of neat-python's: good ones are read as it reads them, bad ones get one line that says what would be right.

Every file in bad/neat/ says in its first line what its message must contain.
"""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparring.errors import UserError
from sparring.learn.neat.config import OURS, SECTIONS, read_config
from sparring.learn.neat.options import NeatOptions, check_neat, connection

BAD = sorted((Path(__file__).parent / "bad" / "neat").glob("*.ini"))
FUZZ = settings(max_examples=200, derandomize=True, database=None, deadline=None)

STOCK = """
# The usual file for exclusive or.
[NEAT]
fitness_criterion     = max
fitness_threshold     = 3.9
no_fitness_termination = False
pop_size              = 150
reset_on_extinction   = 0

[DefaultGenome]
activation_default      = sigmoid
activation_mutate_rate  = 0.0
activation_options      = sigmoid tanh
aggregation_default     = sum
aggregation_mutate_rate = 0.0
aggregation_options     = sum
bias_init_mean          = 0.0
bias_init_stdev         = 1.0
bias_init_type          = gaussian
bias_max_value          = 30.0
bias_min_value          = -30.0
bias_mutate_power       = 0.5
bias_mutate_rate        = 0.7
bias_replace_rate       = 0.1
compatibility_disjoint_coefficient = 1.0
compatibility_weight_coefficient   = 0.5
conn_add_prob           = 0.5
conn_delete_prob        = 0.5
enabled_default         = True
enabled_mutate_rate     = 0.01
enabled_rate_to_true_add = 0.0
enabled_rate_to_false_add = 0.0
feed_forward            = True
initial_connection      = full_nodirect
node_add_prob           = 0.2
node_delete_prob        = 0.2
num_hidden              = 0
num_inputs              = 2
num_outputs             = 1
response_init_mean      = 1.0
response_init_stdev     = 0.0
response_init_type      = normal
response_max_value      = 30.0
response_min_value      = -30.0
response_mutate_power   = 0.0
response_mutate_rate    = 0.0
response_replace_rate   = 0.0
single_structural_mutation = false
structural_mutation_surer = default
time_constant_init_mean = 1.0
time_constant_init_stdev = 0.0
time_constant_init_type = gaussian
time_constant_max_value = 10
time_constant_min_value = 0.01
time_constant_mutate_power = 0.0
time_constant_mutate_rate = 0.0
time_constant_replace_rate = 0.0
weight_init_mean        = 0.0
weight_init_stdev       = 1.0
weight_init_type        = Gaussian
weight_max_value        = 30
weight_min_value        = -30
weight_mutate_power     = 0.5
weight_mutate_rate      = 0.8
weight_replace_rate     = 0.1

[DefaultSpeciesSet]
compatibility_threshold = 3.0

[DefaultStagnation]
species_fitness_func = max
max_stagnation       = 20
species_elitism      = 2

[DefaultReproduction]
elitism            = 2
survival_threshold = 0.2
min_species_size = 2
"""


def read(tmp_path: Path, text: str):  # type: ignore[no-untyped-def]
    path = tmp_path / "neat.ini"
    path.write_text(text)
    return read_config(path)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_gets_one_line_that_says_what_is_wrong(path: Path) -> None:
    expected = path.read_bytes().split(b"\n")[0].decode().removeprefix("# message: ")
    with pytest.raises(UserError) as error:
        read_config(path)
    told = str(error.value)
    assert told.startswith(f"{path}: ") and expected in told and "\n" not in told


def test_there_are_bad_files_to_try() -> None:
    assert len(BAD) > 50


def test_a_missing_or_empty_file_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "empty.ini").touch()
    for name, message in (("none.ini", "no such file"), ("empty.ini", "no key of NEAT's"), (".", "cannot be read")):
        with pytest.raises(UserError, match=message):
            read_config(tmp_path / name)


def test_a_whole_file_is_read_without_remark(tmp_path: Path) -> None:
    told = read(tmp_path, STOCK)
    assert told.notes == [] and (told.inputs, told.outputs) == (2, 1)
    options = NeatOptions(**told.options)
    assert options.fitness_threshold == 3.9 and options.no_fitness_termination is False and options.pop_size == 150
    assert options.reset_on_extinction is False and options.activation_options == ("sigmoid", "tanh")
    assert (
        options.weight_init_type == "gaussian"
        and options.enabled_default == "true"
        and options.weight_max_value == 30.0
    )
    check_neat(options)


def test_values_are_what_neat_python_reads(tmp_path: Path) -> None:
    neat = pytest.importorskip("neat")
    from neat_oracle import KINDS

    told = read(tmp_path, STOCK)
    config = neat.Config(*KINDS, str(tmp_path / "neat.ini"))
    parts = {
        "NEAT": config,
        "DefaultGenome": config.genome_config,
        "DefaultSpeciesSet": config.species_set_config,
        "DefaultStagnation": config.stagnation_config,
        "DefaultReproduction": config.reproduction_config,
    }
    for section, names in SECTIONS.items():
        for name in names:
            theirs, ours = getattr(parts[section], name), told.options[name]
            if isinstance(theirs, str):
                theirs, ours = theirs.lower(), ours.lower()
            assert (tuple(theirs) if isinstance(theirs, list) else theirs) == ours, name


def test_every_key_of_neat_pythons_is_known() -> None:
    neat = pytest.importorskip("neat")
    from neat_oracle import config

    found = config(NeatOptions(), 3, 2)
    known = {"NEAT": {p.name for p in neat.Config._Config__params}}
    known["DefaultGenome"] = {p.name for p in found.genome_config._params}
    for kind, part in (
        ("SpeciesSet", found.species_set_config),
        ("Stagnation", found.stagnation_config),
        ("Reproduction", found.reproduction_config),
    ):
        known[f"Default{kind}"] = {p.name for p in part._params}
    from sparring.learn.neat.config import EXTRA

    assert known == {section: {*names, *EXTRA.get(section, ())} for section, names in SECTIONS.items()}
    assert {name for names in SECTIONS.values() for name in names} | set(OURS) == {f.name for f in fields(NeatOptions)}


def test_missing_keys_take_the_defaults_and_are_named_in_one_remark(tmp_path: Path) -> None:
    told = read(tmp_path, STOCK.replace("pop_size              = 150\n", "").replace("elitism            = 2\n", ""))
    assert told.notes == ["missing keys take our defaults: pop_size, elitism"]
    assert "pop_size" not in told.options and NeatOptions(**told.options).pop_size == 100


def test_the_studys_misprint_is_read_with_a_remark(tmp_path: Path) -> None:
    told = read(tmp_path, STOCK.replace("conn_delete_prob", "con_delete_prob"))
    assert told.notes == ["con_delete_prob is read as conn_delete_prob"] and told.options["conn_delete_prob"] == 0.5


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("bias_mutate_rate        = 0.7", "bias_mutate_rate = 0.95", "bias_mutate_rate and bias_replace_rate make 1.05"),
        ("pop_size", "seed = 4\npop_size", "seed = 4 is not used: a run has a seed of its own"),
        ("num_hidden              = 0", "num_hidden = 3", ""),
        ("full_nodirect\nnode_add_prob           = 0.2\nnode_delete_prob        = 0.2\nnum_hidden              = 0",
         "full\nnum_hidden = 3", "initial_connection = full leaves out connections from inputs to outputs"),
    ],
)  # fmt: skip
def test_remarks(tmp_path: Path, old: str, new: str, note: str) -> None:
    assert old in STOCK
    notes = read(tmp_path, STOCK.replace(old, new)).notes
    assert any(note in text for text in notes) if note else notes == []


@pytest.mark.parametrize(
    ("word", "ours"), [("1", "true"), ("Yes", "true"), ("off", "false"), ("RANDOM", "random"), ("None", "random")]
)
def test_neat_pythons_words_for_yes_and_no(tmp_path: Path, word: str, ours: str) -> None:
    told = read(tmp_path, STOCK.replace("enabled_default         = True", f"enabled_default = {word}"))
    assert told.options["enabled_default"] == ours


def test_random_defaults_need_not_be_offered(tmp_path: Path) -> None:
    told = read(tmp_path, STOCK.replace("activation_default      = sigmoid", "activation_default = random"))
    assert NeatOptions(**told.options).activation_default == "random"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"recur_only_prob": 0.5}, "learner.recur_only_prob = 0.5: must be 0 with feed_forward = true"),
        ({"elitism": 200}, "learner.elitism = 200: must be no more than pop_size = 100"),
        ({"response_min_value": 2.0}, "learner.response_max_value = 1.0: must be no less than response_min_value = 2"),
        ({"aggregation_options": ("min",)}, "learner.aggregation_options = min: must be sum or mean"),
        (
            {"activation_options": ("tanh",)},
            "learner.activation_default = sigmoid: must be one of activation_options = tanh",
        ),
    ],
)
def test_contradictions_of_options_from_elsewhere(changes: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as error:
        check_neat(replace(NeatOptions(), **changes))
    assert message in str(error.value)


def test_the_defaults_do_not_contradict_each_other() -> None:
    check_neat(NeatOptions())
    assert connection(NeatOptions()) == ("full", 1.0)
    assert connection(NeatOptions(initial_connection="partial_direct 0.25")) == ("partial_direct", 0.25)


@FUZZ
@given(text=st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        for content in (text, f"[NEAT]\npop_size = {text}", f"[DefaultGenome]\n{text} = 1\nweight_init_mean = 0"):
            path = Path(folder) / "neat.ini"
            path.write_bytes(content.encode("utf-8", "surrogatepass"))
            try:
                read_config(path)
            except UserError as error:
                assert len(str(error).splitlines()) == 1


def test_the_manual_has_every_option_with_its_default_and_meaning() -> None:
    manual = (Path(__file__).parent.parent / "docs" / "neat.md").read_text()
    for field in fields(NeatOptions):
        assert f"| `{field.name}` | {shown(field.default)} | {field.metadata['help']}" in manual, field.name


def shown(value: object) -> str:
    """A default as the manual has it."""
    if isinstance(value, tuple):
        return " ".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
