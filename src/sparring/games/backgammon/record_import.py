"""Records of ours (see game_record.py) as transcripts."""

from collections.abc import Iterator, Sequence
from typing import Any

from sparring.games.backgammon import rules
from sparring.games.backgammon.cube import Stakes
from sparring.games.backgammon.cube_value import MOVER, OTHER
from sparring.games.backgammon.game_record import Record, outcome
from sparring.games.backgammon.transcript import (
    BEAVER,
    DOUBLE,
    PASS,
    PLAY,
    TAKE,
    Action,
    GameTerms,
    Transcript,
)

KINDS = {rules.DOUBLE: DOUBLE, rules.TAKE: TAKE, rules.DROP: PASS, rules.BEAVER: BEAVER}


def transcript_of(record: Record, place: str, names: Sequence[str]) -> Transcript:
    """The transcript of a record: of a game, or of a whole match."""
    given = record.terms
    now = given.crawford == rules.NOW
    terms = GameTerms(
        given.length, given.points, now, given.jacoby, given.beavers, not (given.cube or given.length), given.single
    )
    won = outcome(record.end()[0])
    resigned = "resigned" if record.turns and record.turns[-1].move == rules.ACCEPT else ""
    winner, points = (won.winner, abs(won.points)) if won else (None, 0)
    return Transcript(place, tuple(names), terms, tuple(_actions(record)), winner, points, resigned, given.length > 0)


def _actions(record: Record) -> Iterator[Action]:
    """The plays and cube actions; rolls and resignations are no decisions that are judged."""
    games, even = -1, record.start.mover == record.start.other
    for at, (turn, state) in enumerate(zip(record.turns, record.states(), strict=False)):
        s: Any = state[0]
        stakes, board = _stakes(s), s["board"].copy()
        if turn.dice:
            first, later = int(s["tally"]["games"]) > games, int(s["tally"]["games"]) > 0
            opening = first and turn.dice[0] != turn.dice[1] and (later or even)
            yield Action(PLAY, turn.seat, board, stakes, turn.dice, turn.move, opening, at=at)
        elif turn.move in KINDS:
            yield Action(KINDS[turn.move], turn.seat, board, stakes, at=at)
        games = int(s["tally"]["games"])


def _stakes(s: Any) -> Stakes | None:
    """The stakes as the seat to decide sees them; None without cube and match."""
    setup, seat = s["rules"], int(s["turn"])
    doubling, length = bool(setup["doubling"]), int(setup["length"])
    if not doubling and not length:
        return None
    owner = int(s["owner"])
    holder = None if owner == rules.NOBODY else MOVER if owner == seat else OTHER
    if not length:
        return Stakes(int(s["cube"]), holder, jacoby=bool(setup["jacoby"]), beavers=bool(setup["beavers"]))
    away = length - int(s["points"][seat]), length - int(s["points"][1 - seat])
    return Stakes(int(s["cube"]), holder, away, not doubling or s["crawford"] == rules.NOW)
