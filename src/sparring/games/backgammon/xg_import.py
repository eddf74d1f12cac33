"""Reads eXtreme Gammon's text files and lists of XGIDs, and writes XGIDs with cube and score.

A text that has games in two columns is a .mat file under another name. Otherwise every XGID in it is a position to be judged. Where
the lines after an XGID say what was played (`X plays 13/7 8/7`), the decision is judged too.
"""

import re
from dataclasses import replace

import numpy as np

from sparring.errors import UserError, errors_at
from sparring.games.backgammon.cube_position import read_cube_position
from sparring.games.backgammon.mat_import import GAME, import_mat
from sparring.games.backgammon.notation import Dice, read_play
from sparring.games.backgammon.positions import Position, read_xgid, xgid, xgid_fields
from sparring.games.backgammon.transcript import DOUBLE, PLAY, Action, GameTerms, Transcript, rolled

XGID = re.compile(r"XGID\s*=\s*(\S+)|^\s*([-A-Oa-o]{26}:\S+)", re.IGNORECASE)
NAMES = re.compile(r"\s*X\s*:\s*(\S.*?)\s{2,}O\s*:\s*(\S.*?)\s*")
PLAYED = re.compile(r"\s*(?:[XO]|player)\s+(?:plays|played|moves|moved)\s*:?\s+(.*\S)\s*", re.IGNORECASE)
MOST_POSITIONS = 10_000


def import_xg_text(text: str, place: str) -> list[Transcript]:
    """The games or the positions of a text."""
    lines = text.splitlines()
    if any(GAME.fullmatch(line) for line in lines) and not XGID.search(text):
        return import_mat(text, place)
    found: list[Transcript] = []
    names = ("X", "O")
    for number, line in enumerate(lines, 1):
        given, seated, played = XGID.search(line), NAMES.fullmatch(line), PLAYED.fullmatch(line)
        where = f"{place}, line {number}"
        if given:
            if len(found) == MOST_POSITIONS:
                raise UserError(f"{where}: more than {MOST_POSITIONS} positions")
            with errors_at(f"{where}: "):
                found.append(_position(given[1] or given[2], where, names))
        elif seated:
            names = seated[1], seated[2]
            found[-1:] = [replace(game, names=names) for game in found[-1:]]
        elif played and found:
            with errors_at(f"{where}: "):
                found[-1] = _with_play(found[-1], played[1])
    if not found:
        raise UserError(f"{place}: has neither games nor XGIDs")
    return found


def _position(text: str, where: str, names: tuple[str, str]) -> Transcript:
    """A position as a game of one decision that nobody has made yet. Capitals are seat 0."""
    fields = xgid_fields(text, f"XGID {text!r}")
    has_dice = re.fullmatch("[1-6][1-6]", fields[4]) is not None
    position, stakes = read_cube_position(":".join([*fields[:4], "00", *fields[5:]]) if has_dice else text)
    seat = 0 if fields[3] == "1" else 1
    sides = (position.mover, position.other) if seat == 0 else (position.other, position.mover)
    board = np.array(sides, np.int8)
    length = int(fields[8])
    terms = GameTerms(
        length, (int(fields[5]), int(fields[6])) if length else (0, 0), stakes.crawford, stakes.jacoby, stakes.beavers
    )
    dice = read_xgid(text).dice if has_dice else None
    if dice is None and not stakes.may_double(0):
        raise UserError("neither dice to play nor a cube that may be turned: nothing to decide")
    kind = PLAY if dice else DOUBLE
    return Transcript(where, names, terms, (Action(kind, seat, board, stakes, dice, known=False),))


def _with_play(game: Transcript, play: str) -> Transcript:
    (action,) = game.actions
    if action.dice is None or action.known:
        return game
    move = read_play(rolled(action.board, action.seat, action.dice), play)
    return replace(game, actions=(replace(action, move=move, known=True),))


def xgid_of(action: Action, terms: GameTerms, dice: Dice | None) -> str:
    """The position of an action as an XGID, the side that decides in capitals."""
    mover, other = (tuple(action.board[side].tolist()) for side in (action.seat, 1 - action.seat))
    board = xgid(Position(mover, other)).partition(":")[0]
    cube, owner = (action.stakes.cube, action.stakes.owner) if action.stakes else (1, None)
    holder = {None: 0, 0: 1, 1: -1}[owner]
    stakes = action.stakes
    away = (stakes.away if stakes else None) or (terms.length, terms.length)
    mine, theirs = terms.length - away[0], terms.length - away[1]
    crawford = bool(stakes and stakes.crawford and 1 in away)
    rules = int(crawford) if terms.length else int(terms.jacoby) + 2 * int(terms.beavers)
    shown = "{}{}".format(*dice or (0, 0))
    return f"{board}:{cube.bit_length() - 1}:{holder}:1:{shown}:{mine}:{theirs}:{rules}:{terms.length}:10"
