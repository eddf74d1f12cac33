"""Sweep files: which options of an experiment to try, in which range, and how much to play for it.

experiment = "FILE.toml"
settings = 16
games = 20_000
trials = 4

[options]
rate = { from = 0.01, to = 1.0, scale = "log" }
hidden = [10, 20, 40]
"""

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from sparring.errors import UserError, cut, errors_at
from sparring.games import find_game
from sparring.kernel.random import derive
from sparring.lab.comparison import WON
from sparring.lab.experiment import Experiment, check_name, read_experiment
from sparring.learn import find_learner
from sparring.options import nearest, option, read_options
from sparring.reading import read_text

SCALES = ("linear", "log")
UNSEEN = ("benchmark_pairs", "benchmark_games", "training_pairs")  # games for curves alone, which a sweep leaves out
ATTEMPTS = 100  # at a setting that is not there yet


@dataclass(frozen=True)
class SweepOptions:
    """The keys at the top of a sweep file."""

    experiment: str = option("", "the experiment file whose learner is tuned, beside this file")
    settings: int = option(16, "settings to begin with; the first is the experiment's own", 2, 10_000)
    keep: int = option(2, "of so many settings, the best goes on to the next round", 2, 100)
    games: int = option(0, "games of a full training in each trial; 0: as long as the experiment says", 0, 10**9)
    trials: int = option(2, "independent trials of every setting", 1, 1000)
    pairs: int = option(100, "pairs of games of each trial with each opponent, after every round", 1, 100_000)
    by: str = option(WON, "what is compared: won, score, or one of the game's fitness measures")
    seed: int = option(
        1, "the seed of the sweep, whose games have nothing in common with the experiment's", 0, 2**63 - 1
    )


@dataclass(frozen=True)
class Range:
    """Numbers between two ends; whole ones for an option that is a whole number."""

    low: float
    high: float
    log: bool
    whole: bool

    def draw(self, rng: np.random.Generator) -> float | int:
        """A number, to four digits."""
        ends = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        drawn = rng.uniform(*ends)
        value = float(f"{math.exp(drawn) if self.log else drawn:.4g}")
        return round(value) if self.whole else min(max(value, self.low), self.high)

    def text(self) -> str:
        """As the file has it."""
        return f"{self.low:g} to {self.high:g}{', log' if self.log else ''}"


@dataclass(frozen=True)
class Same:
    """The value that another option has."""

    key: str


Axis = Range | Same | list[Any]
Setting = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """A sweep: the experiment, what is tried, and the rounds."""

    name: str
    base: Experiment
    options: SweepOptions
    axes: dict[str, Axis]
    settings: tuple[Setting, ...]

    def experiment(self, number: int) -> Experiment:
        """The training of a setting during the sweep: with the sweep's seed and trials, and without games for curves alone."""
        made = self.chosen(number)
        unseen = {f.name: 0 for f in fields(made.options) if f.name in UNSEEN}
        seed = derive(self.options.seed, "sweep", self.base.seed) % 2**63
        top: dict[str, Any] = {"name": f"{number:03d}", "seed": seed, "trials": self.options.trials, "backend": "cpu"}
        return replace(made, options=replace(made.options, **unseen), **top)

    def chosen(self, number: int) -> Experiment:
        """The experiment with a setting, at the length of a full training, and with its own seed and trials."""
        changes = {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self.base.options).items()}
        options: Any = read_options(type(self.base.options), changes | self.settings[number], "options.")
        kind = find_learner(self.base.learner)[1]
        if self.options.games:
            options = kind.lasting(options, self.options.games)
        kind.check(find_game(self.base.game), options)
        return replace(self.base, name=f"{self.base.name[:90]}-best", options=options)

    @property
    def rounds(self) -> list[tuple[int, float]]:
        """The settings of every round, and the share of a full training at its end."""
        sizes = [len(self.settings)]
        while sizes[-1] > self.options.keep:
            sizes.append(-(-sizes[-1] // self.options.keep))
        return [(size, self.options.keep ** float(k + 1 - len(sizes))) for k, size in enumerate(sizes)]

    def json(self) -> dict[str, Any]:
        """Everything that determines the result."""
        return {"experiment": self.base.toml(), **asdict(self.options), "options": list(self.settings)}


def read_sweep(path: Path) -> Plan:
    """Read a sweep file and the experiment file that it names."""
    try:
        table = tomllib.loads(read_text(path, "a TOML file"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not a TOML file: {error}") from None
    place = f"{path.name}: "
    check_name(path.stem, f"{path.name}: a sweep is named after its file: {path.stem!r}: ")
    axes = table.pop("options", None)
    if not isinstance(axes, dict) or not axes:
        raise UserError(f"{place}[options]: is missing; name the learner's options to try, as rate = [0.1, 0.3]")
    options = read_options(SweepOptions, table, place)
    if not options.experiment:
        raise UserError(f'{place}experiment: is missing; add experiment = "FILE.toml"')
    base = read_experiment(path.parent / options.experiment)
    with errors_at(place):
        known = [WON, "score", *find_game(base.game).learning.fitness]
        if options.by not in known:
            raise UserError(f"by = {options.by!r}: must be one of {', '.join(known)}")
        read = {key: read_axis(base, key, value) for key, value in axes.items()}
        for key, axis in read.items():
            if isinstance(axis, Same) and isinstance(read.get(axis.key, axis), Same):
                raise UserError(f"options.{key}: as = {axis.key!r}: must be another option that is tried here")
        plan = Plan(path.stem, base, options, read, make_settings(base, options, read))
        for number in range(len(plan.settings)):
            plan.experiment(number)  # refuses what does not fit the game, before anything is trained
    return plan


def read_axis(base: Experiment, key: str, value: Any) -> Axis:
    """The values of an option: a list, or a table with the ends of a range."""
    kinds = get_type_hints(type(base.options))
    if key not in kinds:
        raise UserError(f"options.{key}: {base.learner} has no such option; {nearest(key, list(kinds))}")
    if isinstance(value, list) and value:
        for each in value:
            read_options(type(base.options), {key: each}, "options.")
        return value
    if not isinstance(value, dict):
        raise UserError(f"options.{key} = {cut(value)}: must be a list of values, or {{ from = 0.01, to = 1.0 }}")
    if list(value) == ["as"]:
        return Same(value["as"] if isinstance(value["as"], str) else cut(value["as"]))
    if kinds[key] not in (int, float):
        raise UserError(f"options.{key}: a range is for numbers; list its values")
    return read_range(key, value, kinds[key] is int, type(base.options))


def read_range(key: str, value: dict[str, Any], whole: bool, options: type) -> Range:
    """A range of an option's values."""
    for word in value:
        if word not in ("from", "to", "scale"):
            raise UserError(f"options.{key}.{word}: unknown key; {nearest(word, ['from', 'to', 'scale'])}")
    ends, scale = [value.get(word) for word in ("from", "to")], value.get("scale", "linear")
    if scale not in SCALES:
        raise UserError(f"options.{key}.scale = {cut(scale)}: must be one of {', '.join(SCALES)}")
    for end in ends:
        read_options(options, {key: end}, "options.")  # says what an end must be
    low, high = map(float, ends)  # type: ignore[arg-type]
    if not low < high or (scale == "log" and low <= 0):
        above = ", both above 0" if scale == "log" else ""
        raise UserError(f"options.{key}: from = {low:g}, to = {high:g}: must rise{above}")
    return Range(low, high, scale == "log", whole)


def make_settings(base: Experiment, options: SweepOptions, axes: dict[str, Axis]) -> tuple[Setting, ...]:
    """The settings to try, all different: the experiment's own, then all combinations if there is room, else random ones."""
    own = {key: getattr(base.options, key) for key in axes}
    found = [{key: list(v) if isinstance(v, tuple) else v for key, v in own.items()}]
    free = {key: axis for key, axis in axes.items() if not isinstance(axis, Same)}
    same = {key: axis.key for key, axis in axes.items() if isinstance(axis, Same)}
    for values in _values(free, options):
        setting = {key: values[same.get(key, key)] for key in axes}
        if setting not in found:
            found.append(setting)
        if len(found) == options.settings:
            break
    return tuple(found)


def _values(axes: Mapping[str, Axis], options: SweepOptions) -> Iterator[Setting]:
    """All combinations if there is room for them, else random ones without end in sight."""
    lists = [axis for axis in axes.values() if isinstance(axis, list)]
    if len(lists) == len(axes) and math.prod(map(len, lists)) <= options.settings:
        yield from (dict(zip(axes, values, strict=True)) for values in product(*lists))
        return
    rng = np.random.default_rng(derive(options.seed, "settings"))
    for _ in range(ATTEMPTS * options.settings):
        yield {
            key: axis[int(rng.integers(len(axis)))] if isinstance(axis, list) else axis.draw(rng)
            for key, axis in axes.items()
            if not isinstance(axis, Same)
        }
