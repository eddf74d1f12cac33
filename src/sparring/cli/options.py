"""Options that several commands share, and how the learner's own options are read and listed."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from typer import Argument, Option
from typer.core import TyperCommand

from sparring.errors import UserError

MOST_SEED = 2**64 - 1
BACKEND = "where games are played: cpu, cuda, ray, or auto for the GPU if there is one"
RUNS = Path("runs")
LEARNER = "coevolution"  # unless another is named


def _games(incomplete: str) -> list[str]:
    from sparring.games import known_games

    return [name for name in known_games() if name.startswith(incomplete)]


def _learners(incomplete: str) -> list[str]:
    from sparring.learn import LEARNERS

    return [name for name in LEARNERS if name.startswith(incomplete)]


GameName = Annotated[str, Argument(help="a game; its rules follow a colon: GAME:key=value", autocompletion=_games)]
Json = Annotated[bool, Option("--json", help="print one JSON object and nothing else")]
Seed = Annotated[int, Option(help="the seed of all random numbers", min=0, max=MOST_SEED)]
NewSeed = Annotated[int | None, Option(help="the seed of dice or cards; default: a new one", min=0, max=MOST_SEED)]
Threads = Annotated[int, Option(help="cores to use; 0 for all; results do not depend on it", min=0, max=1024)]
Backend = Annotated[str, Option(help=BACKEND)]
OwnBackend = Annotated[str, Option(help=f"{BACKEND}; default: what the experiment says")]
Of = Annotated[str, Option(help="a game that is not Sparring's own: a module or a .py file that defines GAME")]
Runs = Annotated[Path, Option(help="the folder of runs and results")]
LogFile = Annotated[Path | None, Option(help="write the games to this log")]
LearnerName = Annotated[str, Option(help="the learner, where a game is named", autocompletion=_learners)]


@dataclass(frozen=True)
class Where:
    """Where games are played, and where results are stored."""

    runs: Runs = RUNS
    threads: Threads = 0
    backend: Backend = "cpu"

    @property
    def options(self) -> dict[str, Any]:
        """As the Python API takes them."""
        return {"runs": self.runs, "threads": self.threads or None, "backend": self.backend}

    @property
    def unrecorded(self) -> dict[str, Any]:
        """The same for games whose result is printed before it is recorded."""
        from sparring.arena.external import UNFINISHED

        return self.options | {"runs": None, "journal": self.runs / UNFINISHED}


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """Let a command take a dataclass of options: typer sees each of its fields as an option of the command."""
    signature = inspect.signature(function)
    groups: dict[str, Any] = {p.name: p.annotation for p in signature.parameters.values() if is_dataclass(p.annotation)}

    @wraps(function)
    def command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{f.name: given.pop(f.name) for f in fields(group)})
        function(**given)

    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name in groups:
            hints = get_type_hints(groups[parameter.name], include_extras=True)
            shared = [(f.name, f.default, hints[f.name]) for f in fields(groups[parameter.name])]
        else:
            shared = [(parameter.name, parameter.default, parameter.annotation)]
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, default, annotation in shared
        ]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def learner_options(words: list[str], learner: str | None) -> dict[str, Any]:
    """`--key value` and `--key=value` pairs as options of a learner; without a learner, as texts."""
    from sparring.learn import find_learner
    from sparring.options import parse_option

    found: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key, has_value, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not (has_value or rest):
            raise UserError(f"{word!r}: learner options are written --key value; see sparring train --help")
        found[key.replace("-", "_")] = value if has_value else rest.pop(0)
    if learner is None:
        return found
    options, _ = find_learner(learner)
    return {key: parse_option(options, key, text, "--") for key, text in found.items()}


class TrainCommand(TyperCommand):
    """`train --help` lists the options of the learner that the command line names."""

    learner = LEARNER  # unless the command line names one

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Look for the learner first: `--help` ends the reading of options."""
        named = [after for word, after in zip(args, args[1:], strict=False) if word == "--learner"]
        named += [word.partition("=")[2] for word in args if word.startswith("--learner=")]
        ctx.meta["learner"] = named[-1] if named else self.learner
        return list(super().parse_args(ctx, args))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The learners, and the options of one."""
        from sparring.learn import LEARNERS, find_learner
        from sparring.options import help_text

        learner = ctx.meta["learner"]
        options, _ = find_learner(learner)
        formatter.write(
            f"\nLearners: {', '.join(LEARNERS)}. Options of another: sparring train --help --learner NAME\n"
            f"\nOptions of the learner {learner}, with their defaults:\n\n{help_text(options)}\n"
        )
