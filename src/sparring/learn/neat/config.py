"""Configuration files of neat-python."""

import configparser
import math
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from sparring.errors import UserError
from sparring.learn.neat.options import REFUSED, SUMS_ALONE, NeatOptions, check_neat, contradictions
from sparring.options import nearest, read_options
from sparring.reading import read_text

__all__ = ["Configuration", "NeatOptions", "check_neat", "read_config"]


class Configuration(NamedTuple):
    """The content of a configuration file: options by name, notes for the user, and the sizes that it states, if any."""

    options: dict[str, Any]
    notes: list[str]
    inputs: int | None
    outputs: int | None


SECTIONS = {
    "NEAT": ("fitness_criterion", "fitness_threshold", "no_fitness_termination", "pop_size", "reset_on_extinction"),
    "DefaultSpeciesSet": ("compatibility_threshold",),
    "DefaultStagnation": ("species_fitness_func", "max_stagnation", "species_elitism"),
    "DefaultReproduction": ("elitism", "survival_threshold", "min_species_size"),
}
OURS = ("exact_size", "mating", "parent_selection", "crossover", "speciation", "recur_only_prob")
ELSEWHERE = {name for names in SECTIONS.values() for name in names} | set(OURS)
SECTIONS["DefaultGenome"] = tuple(f.name for f in fields(NeatOptions) if f.name not in ELSEWHERE)
SIZES = ("num_inputs", "num_outputs")
CONSTANT = "init_mean init_stdev init_type replace_rate mutate_rate mutate_power max_value min_value"
TIME_CONSTANT = tuple(f"time_constant_{word}" for word in CONSTANT.split())
EXTRA = {"NEAT": ("seed",), "DefaultGenome": (*SIZES, *TIME_CONSTANT)}  # keys that are not options here
MISPRINTS = {"con_delete_prob": "conn_delete_prob"}  # in published files
TRUE, FALSE, RANDOM = ("1", "yes", "true", "on"), ("0", "no", "false", "off"), ("random", "none")


def read_config(path: Path) -> Configuration:
    """Read a configuration file of neat-python."""
    parser = _parsed(path)
    notes: list[str] = []
    found: dict[str, Any] = {}
    extra: dict[str, str] = {}
    for section in parser.sections():
        if section not in SECTIONS:
            raise UserError(f"{path}: [{section}]: unknown section; {nearest(section, list(SECTIONS))}")
        for key, text in parser.items(section):
            name = _name(key, section, path, notes)
            if name in found:
                raise UserError(f"{path}: [{section}] {name}: the key is there twice")
            place = f"{path}: [{section}] {name} = {text if text.isprintable() else repr(text)}"
            if name in EXTRA.get(section, ()):
                extra[name] = text
                _check_extra(name, text, place)
            else:
                found[name] = _value(name, text, place)
    if not found:
        raise UserError(f"{path}: no key of NEAT's; must have sections {', '.join(f'[{s}]' for s in SECTIONS)}")
    _checked(found, parser, path)
    notes += _remarks(found, extra)
    sizes = [int(extra[name]) if name in extra else None for name in SIZES]
    return Configuration(found, notes, *sizes)


def _parsed(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, default_section="\0")
    text = _text(path)
    try:
        parser.read_string(text)
    except configparser.DuplicateSectionError as error:
        raise UserError(f"{path}: line {error.lineno}: [{error.section}]: the section is there twice") from None
    except configparser.DuplicateOptionError as error:
        place = f"{path}: line {error.lineno}: [{error.section}] {error.option}"
        raise UserError(f"{place}: the key is there twice") from None
    except configparser.MissingSectionHeaderError as error:
        raise UserError(f"{path}: line {error.lineno}: must begin with a section such as [NEAT]") from None
    except configparser.ParsingError as error:
        line = error.errors[0][0]
        raise UserError(f"{path}: line {line}: {text.splitlines()[line - 1].strip()}: must be key = value") from None
    return parser


def _text(path: Path) -> str:
    text = read_text(path, "a configuration file of neat-python's")
    for number, line in enumerate(text.split("\n"), 1):
        for sign in line.replace("\t", " "):
            if not sign.isprintable():
                raise UserError(f"{path}: line {number}: {sign!r} is no plain text")
    return text


def _name(key: str, section: str, path: Path, notes: list[str]) -> str:
    """The option of a key of a file."""
    known = (*SECTIONS[section], *EXTRA.get(section, ()))
    if key in known:
        return key
    if MISPRINTS.get(key) in known:
        notes.append(f"{key} is read as {MISPRINTS[key]}")
        return MISPRINTS[key]
    for other, names in SECTIONS.items():
        if key in (*names, *EXTRA.get(other, ())):
            raise UserError(f"{path}: [{section}] {key}: the key belongs to [{other}]")
    raise UserError(f"{path}: [{section}] {key}: unknown key; {nearest(key, list(known))}")


def _value(name: str, text: str, place: str) -> Any:
    """A value of a file in its option's type."""
    kind = get_type_hints(NeatOptions)[name]
    low = text.lower()
    if name in ("enabled_default", "structural_mutation_surer"):
        words = {**dict.fromkeys(TRUE, "true"), **dict.fromkeys(FALSE, "false"), **dict.fromkeys(RANDOM, "random")}
        return words.get(low, low)
    if kind is bool:
        if low not in TRUE + FALSE:
            raise UserError(f"{place}: must be true or false")
        return low in TRUE
    if kind in (int, float):
        return _number(kind, text, place)
    if name.endswith("_init_type"):
        return low
    if name.endswith("_default"):
        return "random" if low in RANDOM else text
    return tuple(text.split()) if kind is not str else text


def _number(kind: Any, text: str, place: str) -> Any:
    try:
        value = kind(text)
        finite = math.isfinite(value)
    except (ValueError, OverflowError):  # an integer may be too large for a float
        finite = False
    if not finite:
        raise UserError(f"{place}: must be {'a whole number' if kind is int else 'a number'}")
    return value


def _check_extra(name: str, text: str, place: str) -> None:
    """Refuse impossible sizes, and time constants that would have an effect."""
    if name.endswith("_init_type"):
        return
    if name in (*SIZES, "seed"):
        if _number(int, text, place) < (0 if name == "seed" else 1):
            raise UserError(f"{place}: must be {'0' if name == 'seed' else '1'} or more")
    elif _number(float, text, place) != 0 and name.endswith(("_stdev", "_replace_rate", "_mutate_rate")):
        raise UserError(f"{place}: must be 0: time constants are of continuous-time networks, which are not offered")


def _checked(found: dict[str, Any], parser: configparser.ConfigParser, path: Path) -> None:
    """Refuse values that are out of range or contradict each other; errors name the file's keys."""
    where = {key: section for section, keys in SECTIONS.items() for key in keys}
    for key in ("aggregation_default", "aggregation_options"):
        for word in set(parser.get("DefaultGenome", key, fallback="").split()) & set(REFUSED):
            raise UserError(f"{path}: [DefaultGenome] {key} = {word}: {SUMS_ALONE}")
    for key, value in found.items():
        table = {key: list(value) if isinstance(value, tuple) else value}
        read_options(NeatOptions, table, f"{path}: [{where[key]}] ")
    for key, fault in contradictions(NeatOptions(**found)):
        if key in found:
            raise UserError(f"{path}: [{where[key]}] {fault}")
        raise UserError(f"{path}: {fault} (the default)")


def _remarks(found: dict[str, Any], extra: dict[str, str]) -> list[str]:
    """Notes for the user of the file."""
    notes = []
    known = [f.name for f in fields(NeatOptions) if f.name not in OURS]
    if missing := [name for name in known if name not in found]:
        notes.append(f"missing keys take our defaults: {', '.join(missing)}")
    if "seed" in extra:
        notes.append(f"seed = {extra['seed']} is not used: a run has a seed of its own")
    options = NeatOptions(**found)
    for name in ("bias", "response", "weight"):
        rates = getattr(options, f"{name}_mutate_rate") + getattr(options, f"{name}_replace_rate")
        if rates > 1 + 1e-9:
            notes.append(f"{name}_mutate_rate and {name}_replace_rate make {rates:g}: the latter counts only up to 1")
    connection = options.initial_connection
    if options.num_hidden and connection.split()[0] in ("fs_neat", "full", "partial"):
        left = "hidden nodes out" if "fs_neat" in connection else "out connections from inputs to outputs"
        notes.append(f"initial_connection = {connection} leaves {left}")
    return notes


def config_text(options: NeatOptions, inputs: int, outputs: int) -> str:
    """The options as a configuration file that neat-python reads."""
    lines = []
    for section, names in SECTIONS.items():
        lines.append(f"[{section}]")
        for name in names:
            value = getattr(options, name)
            lines.append(f"{name} = {' '.join(value) if isinstance(value, tuple) else value}")
        if section == "DefaultGenome":
            lines += [f"num_inputs = {inputs}", f"num_outputs = {outputs}"]
    return "\n".join(lines) + "\n"
