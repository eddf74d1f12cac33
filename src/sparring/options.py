"""Options as dataclass fields: one definition for the configuration file, the command line's help and the run's header."""

import dataclasses
import difflib
import math
from typing import Any, TypeVar, get_type_hints

from sparring.errors import UserError, cut

T = TypeVar("T")
WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    tuple[str, ...]: "a list of texts",
    tuple[int, ...]: "a list of whole numbers",
}
LONGEST_INT = 1000  # bits
LISTS = {tuple[str, ...]: str, tuple[int, ...]: int}


def option(
    default: Any,
    help: str,
    low: float = -math.inf,
    high: float = math.inf,
    choices: tuple[str, ...] = (),
    reads_file: bool = False,
) -> Any:
    """A dataclass field with a default, help, the allowed values, and whether it may name a file."""
    metadata = {"help": help, "low": low, "high": high, "choices": choices, "reads_file": reads_file}
    return dataclasses.field(default=default, metadata=metadata)


def read_options(cls: type[T], table: dict[str, Any], place: str) -> T:
    """An options dataclass from a table of a file; errors name `place` and the key."""
    hints = get_type_hints(cls)
    fields = {f.name: f for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            raise UserError(f"{place}{key}: unknown key; {nearest(key, list(fields))}")
    return cls(
        **{key: _checked(hints[key], fields[key].metadata, value, f"{place}{key}") for key, value in table.items()}
    )


def nearest(key: str, known: list[str]) -> str:
    """A hint at what may be meant."""
    close = difflib.get_close_matches(key, known, 1)
    return f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"


def _checked(kind: Any, limits: Any, value: Any, place: str) -> Any:
    for number in value if type(value) in (list, tuple) else (value,):
        if type(number) is int and number.bit_length() > LONGEST_INT:  # neither a float nor, perhaps, a text
            raise UserError(f"{place}: a number of {number.bit_length()} bits; must have at most {LONGEST_INT}")
    if kind is float and type(value) is int:
        value = float(value)
    if kind in LISTS and type(value) in (list, tuple) and all(type(item) is LISTS[kind] for item in value):
        value = tuple(value)
    elif type(value) is not kind:
        raise UserError(f"{place} = {cut(value)}: must be {WORDS[kind]}")
    if limits.get("choices") and value not in limits["choices"]:
        raise UserError(f"{place} = {value!r}: must be one of {', '.join(limits['choices'])}")
    low, high = limits.get("low", -math.inf), limits.get("high", math.inf)
    if kind in (int, float) and not low <= value <= high:
        raise UserError(f"{place} = {value!r}: must be {_span(low, high)}")
    return value


def _span(low: float, high: float) -> str:
    return f"{low:g} or more" if high == math.inf else f"from {low:g} to {high:g}"


def parse_option(cls: type, key: str, text: str, place: str) -> Any:
    """A value from the command line, converted to its field's type."""
    hints = get_type_hints(cls)
    if key not in hints:
        raise UserError(f"{place}{key}: unknown option; {nearest(key, list(hints))}")
    kind = hints[key]
    if kind == tuple[str, ...]:
        return [word.strip() for word in text.split(",")]
    if kind is bool and text in ("true", "false"):
        return text == "true"
    try:
        if kind is bool:
            raise ValueError
        if kind == tuple[int, ...]:
            return [int(word) for word in text.split(",")]
        return kind(text)
    except ValueError:
        raise UserError(f"{place}{key} = {text!r}: must be {WORDS[kind]}") from None


def help_text(cls: type) -> str:
    """One line per option: name, default, meaning."""
    lines = []
    for f in dataclasses.fields(cls):
        choices = f" ({', '.join(f.metadata['choices'])})" if f.metadata["choices"] else ""
        lines.append(f"  --{f.name.replace('_', '-')} {f.default!r}: {f.metadata['help']}{choices}")
    return "\n".join(lines)
