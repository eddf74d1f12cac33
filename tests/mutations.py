"""Inputs spoilt at random: texts, bytes and JSON with a few things changed. The same dice give the same change."""

import json
import random
import re
from copy import deepcopy
from typing import Any

NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "1e999",
    "nan",
    "inf",
    "-0.0",
    "0.5",
    "9" * 400,
    str(2**31),
    str(2**63),
    str(2**64),
]
WORDS = [
    "", "\0", "\x1b[2J", "é", "\u202e", "x" * 5000, "true", "[]", "{}", "=", ":", ",", "/", "../..", "/dev/zero", "/etc/passwd",
    "%s", "\\", '"', "'", "#", "[[", "\n", "\n\n", "\r", " ", "random", "net", "champion", "self", "runs/x", "random@9", "+1ply",
]  # fmt: skip
ODD = [None, True, False, 0, 1, -1, 2, 2**31, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, [], {}, [[]], "", "x", "x" * 5000, "\0",
       "\x1b[2J", "\ud800", "../x", [1] * 50, {"a": 1}]  # fmt: skip
SPOILING = [True]  # [False] leaves everything as it is, so that what sound inputs need is compiled
TOKEN = re.compile(r"[A-Za-z_]+|[0-9]+(?:\.[0-9]+)?|[^\sA-Za-z0-9]")


def spoil_text(dice: random.Random, text: str) -> str:
    """A text with one thing changed, or a few."""
    for _ in range(dice.choice([1, 1, 1, 2, 4]) if SPOILING[0] else 0):
        text = _spoil_once(dice, text)
    return text


def _spoil_once(dice: random.Random, text: str) -> str:
    how, place = dice.randrange(9), dice.randrange(len(text) + 1)
    tokens = list(TOKEN.finditer(text)) if how < 4 else []
    if tokens:
        found = dice.choice(tokens)
        other = dice.choice(NUMBERS) if found[0][0].isdigit() and dice.random() < 0.7 else dice.choice(WORDS)
        if how == 3:
            other = dice.choice(tokens)[0]
        return text[: found.start()] + other + text[found.end() :]
    if how < 6:
        return text[:place] + dice.choice([*WORDS, *NUMBERS]) + text[place:]
    end = min(len(text), place + dice.choice([1, 1, 5, 50, 10**6]))
    if how == 6:
        return text[:place] + text[end:]
    if how == 7:
        return text[:end] + text[place:]
    lines = text.split("\n")
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def spoil_bytes(dice: random.Random, data: bytes) -> bytes:
    """Bytes with a few changed, or an end cut off."""
    if not SPOILING[0]:
        return data
    spoilt = bytearray(data)
    for _ in range(dice.choice([1, 1, 3, 20]) if spoilt else 0):
        spoilt[dice.randrange(dice.choice([min(len(spoilt), 1200), len(spoilt)]))] ^= 1 << dice.randrange(8)
    return bytes(spoilt[: dice.randrange(len(spoilt) + 1)] if dice.random() < 0.1 else spoilt)


def spoil_json(dice: random.Random, value: Any) -> Any:
    """A JSON value with one value in it changed, or a few, or with a key more or less."""
    value = json.loads(json.dumps(value))
    for _ in range(dice.choice([1, 1, 2, 3]) if SPOILING[0] else 0):
        value = _spoil_value(dice, value)
    return value


def _spoil_value(dice: random.Random, value: Any) -> Any:
    inner = list(value) if type(value) is dict else list(range(len(value))) if type(value) is list else []
    if not inner or dice.random() < 0.1:
        near = [value + 1, -value, value * 1000] if type(value) in (int, float) else []
        return (
            spoil_text(dice, value)
            if type(value) is str and dice.random() < 0.3
            else deepcopy(dice.choice([*ODD, *near]))
        )
    key = dice.choice(inner)
    if dice.random() < 0.15:
        value.pop(key)
    elif type(value) is dict and dice.random() < 0.05:
        value[dice.choice(["", "x", "game", "seat"])] = deepcopy(dice.choice(ODD))
    else:
        value[key] = _spoil_value(dice, value[key])
    return value
