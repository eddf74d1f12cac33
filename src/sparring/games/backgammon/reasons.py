"""Explains in words why a play is illegal."""

from itertools import combinations

import numpy as np

from sparring.games.backgammon.plays import BAR, HOME, OFF

NUMBERS = ("no", "one", "two", "three", "four")


def name(point: int) -> str:
    """A place as plays write it."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def roll_text(dice: tuple[int, int]) -> str:
    """The roll in words."""
    return f"the dice are {dice[0]} and {dice[1]}"


def feasible(distance: int, stop: int, dice: tuple[int, ...]) -> bool:
    """Whether some of the dice add up to the distance, or to more when bearing off."""
    totals = (sum(some) for count in range(1, len(dice) + 1) for some in combinations(dice, count))
    return any(total == distance or (stop == OFF and total > distance) for total in totals)


def why_stuck(
    board: np.ndarray, seat: int, point: int, stop: int, dice: tuple[int, ...], rolled: tuple[int, int]
) -> str:
    """Why a checker cannot move from a point to a stop with the remaining dice."""
    if not dice:
        return f"no die is left for it: {roll_text(rolled)}"
    if point != BAR and board[seat, BAR] > 0:
        return "a checker on the bar must enter first"
    if board[seat, point] == 0:
        return f"no checker of yours is on {'the bar' if point == BAR else f'point {point}'}"
    if not feasible(point - stop, stop, dice):
        return _no_such_number(point - stop, stop, rolled)
    if stop == OFF and max(dice) >= point:
        return _too_early(board, seat, max(dice))
    blocked = " and ".join(f"point {landing}" for landing in _blocked(board, seat, point, stop, dice))
    return f"the other side has made {blocked}"


def _no_such_number(distance: int, stop: int, rolled: tuple[int, int]) -> str:
    every = rolled if rolled[0] != rolled[1] else rolled * 2
    more = " or more" if stop == OFF else ""
    if feasible(distance, stop, every):
        return f"the {distance} is used already: {roll_text(rolled)}"
    return f"no {distance}{more} was rolled: {roll_text(rolled)}"


def _blocked(board: np.ndarray, seat: int, point: int, stop: int, dice: tuple[int, ...]) -> list[int]:
    """The points made by the opponent on which the checker would have to land first."""
    landings = {point - pips for pips in dice if point - pips >= max(stop, 1) and _leads(point, stop, pips, dice)}
    return sorted((p for p in landings if board[1 - seat, BAR - p] > 1), reverse=True)


def _leads(point: int, stop: int, pips: int, dice: tuple[int, ...]) -> bool:
    """Whether this die can be the first on a checker's way to its stop."""
    rest = list(dice)
    rest.remove(pips)
    return point - pips == stop or feasible(point - pips - stop, stop, tuple(rest))


def _too_early(board: np.ndarray, seat: int, pips: int) -> str:
    """Why a checker cannot be borne off."""
    highest = max(place for place in range(1, BAR + 1) if board[seat, place] > 0)
    if highest > HOME:
        return f"all checkers must be home before bearing off, and one is on point {highest}"
    return f"a {pips} bears off from the highest point only, and a checker is on point {highest}"


def incomplete(used: list[int], needed: list[int], rolled: tuple[int, int]) -> str:
    """Why legal steps are not a whole play: more dice, or the other one, must be played."""
    if rolled[0] == rolled[1]:
        return f"plays {NUMBERS[len(used)]} of the four {rolled[0]}s, but {NUMBERS[len(needed)]} must be played"
    if len(used) < len(needed):
        return f"both dice must be played: {roll_text(rolled)}"
    return f"only one die can be played, and it must be the larger, the {rolled[0]}"
