"""Plays in standard notation: `13/7 8/7*`, `bar/22`, `6/off(2)`, `24/18*/13`, `pass`.

Points are numbered from the mover's side. We write the steps of one checker as a chain that shows intermediate points only
where it hits, and read any common spelling. An illegal play is refused with the reason.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.backgammon import plays as board_plays
from sparring.games.backgammon import rules
from sparring.games.backgammon.actions import action_text, is_action, read_action
from sparring.games.backgammon.plays import BAR, MOST_PLAYS, OFF, PASS
from sparring.games.backgammon.reasons import feasible, incomplete, name, roll_text, why_stuck
from sparring.games.backgammon.rules import PLAYING
from sparring.kernel.records import records

MOST_STEPS = 4
PASSES = ("pass", "no play", "no move", "cannot move", "can't move", "dance")
EXAMPLE = "a play is written like 13/7 8/7*, bar/22, 6/off(2) or pass"
PLACE = "(?:[0-9]{1,2}|bar|off)"
CHAIN = re.compile(rf"({PLACE}(?:/{PLACE}\*?)+)(?:\(([1-4])\))?")

Dice = tuple[int, int]  # the larger first


@dataclass(frozen=True)
class Step:
    """One checker moved by one die."""

    start: int
    end: int
    pips: int
    hit: bool


@dataclass(frozen=True)
class Roll:
    """A board, the seat to move and its dice: all that a play's notation depends on."""

    board: np.ndarray  # not changed: steps are tried on copies
    seat: int
    dice: Dice

    @classmethod
    def of(cls, s: Any) -> "Roll":
        """The roll of a state."""
        return cls(np.array(s["board"], np.int8), int(s["turn"]), (int(s["dice"][0]), int(s["dice"][1])))

    def legal(self) -> list[int]:
        """The legal plays."""
        out = np.empty(MOST_PLAYS, np.int16)
        count = board_plays.plays(self.board.copy(), self.seat, *self.dice, out)
        return [int(move) for move in out[:count]]


def dice_of(roll: Roll) -> tuple[int, ...]:
    """The dice to play: four for doubles."""
    larger, smaller = roll.dice
    return roll.dice if larger != smaller else (larger,) * MOST_STEPS


def steps_of(roll: Roll, move: int) -> list[Step]:
    """The steps of a play, in the order of the rules."""
    points, second, others = board_plays.play_steps(move, *roll.dice)
    hits = board_plays.make_play(roll.board.copy(), roll.seat, move, *roll.dice)
    steps = []
    for number, point in enumerate(int(point) for point in points if point > 0):
        pips = int(second if number == 1 else others)
        steps.append(Step(point, max(point - pips, OFF), pips, bool(hits >> number & 1)))
    return steps


def legal_here(s: Any) -> list[int]:
    """The legal moves of a state: plays or actions."""
    out = np.empty(MOST_PLAYS, np.int16)
    count = rules.moves(records(np.array([s]))[0], out)
    return [int(move) for move in out[:count]]


def play_text(s: Any, move: int) -> str:
    """A legal move as text, unique among those of a state."""
    return action_text(move) if is_action(move) else _written(steps_of(Roll.of(s), move))


def _written(steps: list[Step]) -> str:
    if not steps:
        return "pass"
    chains = sorted((_stops(chain) for chain in _chains(steps)), key=_points, reverse=True)
    counts = Counter(map(_points, chains))
    texts: dict[tuple[int, ...], str] = {}
    for chain in chains:  # of equal chains only the first can hit: its text stands for all
        shown = "/".join(name(point) + "*" * hit for point, hit in chain)
        texts[_points(chain)] = max(texts.get(_points(chain), ""), shown, key=len)
    return " ".join(text + (f"({counts[points]})" if counts[points] > 1 else "") for points, text in texts.items())


def _points(chain: list[tuple[int, bool]]) -> tuple[int, ...]:
    return tuple(point for point, _ in chain)


def _chains(steps: list[Step]) -> list[list[Step]]:
    """Join steps where one begins where another ends, in either order: checkers are interchangeable."""
    chains: list[list[Step]] = []
    for step in sorted(steps, key=lambda step: -step.start):
        before = next((chain for chain in chains if chain[-1].end == step.start), None)
        if before is None:
            chains.append([step])
        else:
            before.append(step)
    return chains


def _stops(chain: list[Step]) -> list[tuple[int, bool]]:
    """The points of a chain to write, each with whether it is a hit."""
    between = [(step.end, True) for step in chain[:-1] if step.hit]
    return [(chain[0].start, False), *between, (chain[-1].end, chain[-1].hit)]


@dataclass(frozen=True)
class Checker:
    """A moving checker: its point, the stops that the text names, and its last stop."""

    point: int
    stops: tuple[int, ...]
    last: int

    def moved(self, point: int) -> "Checker":
        stopped = point == self.stops[0]
        return Checker(point, self.stops[1:] if stopped else self.stops, point if stopped else self.last)

    def __str__(self) -> str:
        return f"{name(self.last)}/{name(self.stops[0])}"


def read_play(s: Any, text: str) -> int:
    """The legal move that a text means; a UserError says why there is none."""
    if s["over"]:
        raise UserError("the game is over")
    if s["phase"] != PLAYING:
        return read_action(text, legal_here(s))
    roll = Roll.of(s)
    legal = roll.legal()
    if " ".join(text.lower().strip().strip("()").split()) in PASSES:
        if legal != [PASS]:
            raise UserError(f"you must play, such as {play_text(s, legal[0])}: pass only when nothing can be played")
        return PASS
    checkers, stars = _parsed(text)
    if legal == [PASS]:
        raise UserError(f"nothing can be played: {roll_text(roll.dice)}; the only play is pass")
    return _chosen(s, roll, legal, " ".join(text.split()), checkers, stars)


def _parsed(text: str) -> tuple[list[Checker], set[int]]:
    """The checkers that a text moves, and the points where it says they hit."""
    tidy = re.sub(r"\s*[/-]\s*", "/", text.lower().replace(",", " "))
    tidy = re.sub(r"\(\s*([0-9])\s*\)", r"(\1)", re.sub(r"\s+(?=[(*])", "", tidy))
    checkers, stars = [], set()
    for word in tidy.split():
        match = CHAIN.fullmatch(word)
        if match is None:
            raise UserError(f"{word!r} is not understood: {EXAMPLE}")
        places = match[1].split("/")
        points = [_place(place) for place in places]
        if any(end >= start for start, end in pairwise(points)):
            raise UserError(f"{word} goes backward: checkers move from the bar and 24 down to 1 and off")
        checkers += [Checker(points[0], tuple(points[1:]), points[0])] * int(match[2] or 1)
        stars |= {point for point, place in zip(points, places, strict=True) if place.endswith("*")}
    if not 0 < len(checkers) <= MOST_STEPS:
        raise UserError(f"{len(checkers)} checkers moved: {EXAMPLE}" if checkers else EXAMPLE)
    return checkers, stars


def _place(text: str) -> int:
    text = text.rstrip("*")
    point = BAR if text == "bar" else OFF if text == "off" else int(text)
    if point > BAR:
        raise UserError(f"there is no point {point}: points are 1 to 24, bar and off")
    return point


@dataclass
class Search:
    """All ways to make the steps of a text: the positions reached, and why the longest failed attempt is stuck."""

    roll: Roll
    found: dict[bytes, list[Step]] = field(default_factory=dict)
    furthest: int = -1
    reason: str = ""

    def explore(self, board: np.ndarray, dice: tuple[int, ...], checkers: list[Checker], steps: list[Step]) -> None:
        """Try every legal next step."""
        if not checkers:
            self.found.setdefault(board.tobytes(), steps)
            return
        stuck = True
        for n, pips in self._next(board, dice, checkers):
            stuck = False
            after, checker = board.copy(), checkers[n]
            hit = bool(board_plays.move_checker(after, self.roll.seat, checker.point, pips))
            step = Step(checker.point, max(checker.point - pips, OFF), pips, hit)
            moved = checker.moved(step.end)
            left = checkers[:n] + [moved] * bool(moved.stops) + checkers[n + 1 :]
            self.explore(after, without(dice, pips), left, [*steps, step])
        if stuck and len(steps) > self.furthest:
            first = max(checkers, key=lambda checker: checker.point == BAR)
            self.furthest = len(steps)
            reason = why_stuck(board, self.roll.seat, first.point, first.stops[0], dice, self.roll.dice)
            self.reason = f"{first}: {reason}"

    def _next(self, board: np.ndarray, dice: tuple[int, ...], checkers: list[Checker]) -> Iterator[tuple[int, int]]:
        """The checkers and dice that can move next and still reach the checker's stop."""
        for n, checker in enumerate(checkers):
            if checker in checkers[:n]:
                continue
            for pips in sorted(set(dice), reverse=True):
                end, stop = max(checker.point - pips, OFF), checker.stops[0]
                if end < stop or (end > stop and not feasible(end - stop, stop, without(dice, pips))):
                    continue
                if board_plays.can_leave(board, self.roll.seat, checker.point, pips):
                    yield n, pips


def without(dice: tuple[int, ...], pips: int) -> tuple[int, ...]:
    """The dice left after one is played."""
    used = dice.index(pips)
    return dice[:used] + dice[used + 1 :]


def _chosen(s: Any, roll: Roll, legal: list[int], text: str, checkers: list[Checker], stars: set[int]) -> int:
    """The legal play that makes these steps."""
    search = Search(roll)
    search.explore(roll.board, dice_of(roll), checkers, [])
    if not search.found:
        raise UserError(search.reason)
    positions = {reached(roll, move): move for move in legal}
    ends = {positions[after]: steps for after, steps in search.found.items() if after in positions}
    plays = {move: {step.end for step in steps if step.hit} for move, steps in ends.items()}
    if not plays:
        used = [step.pips for step in next(iter(search.found.values()))]
        needed = [step.pips for step in steps_of(roll, legal[0])]
        raise UserError(f"{text}: {incomplete(used, needed, roll.dice)}, such as {play_text(s, legal[0])}")
    return _by_hits(plays, stars, text)


def _by_hits(plays: dict[int, set[int]], stars: set[int], text: str) -> int:
    """Choose by the stars where a checker has two routes and one hits; no star means no hit."""
    exact = [move for move, hits in plays.items() if hits == stars]
    fitting = exact or [move for move, hits in plays.items() if hits >= stars]
    if not fitting:
        wrong = max(stars - set().union(*plays.values()) or stars)
        raise UserError(f"{text}: no hit on {wrong}; leave out the *")
    if len(fitting) > 1:
        ways = " or ".join(str(min(plays[move] - stars)) for move in fitting)
        raise UserError(f"{text}: ambiguous: it can hit on {ways}; name the stop, as in 24/18*/13")
    return fitting[0]


def reached(roll: Roll, move: int) -> bytes:
    """The position after a play."""
    board = roll.board.copy()
    board_plays.make_play(board, roll.seat, move, *roll.dice)
    return board.tobytes()
