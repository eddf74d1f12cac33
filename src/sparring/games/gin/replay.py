"""Games in notation, shown turn by turn."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.games.gin.cards import card_name
from sparring.games.gin.diagram import Arranged, arranged
from sparring.games.gin.game_record import Record, result_text
from sparring.games.gin.rules import PASS, STOCK
from sparring.games.gin.table_svg import Result, Table, Turn


class Scene(NamedTuple):
    """The table after a turn, and what was done in it."""

    said: str
    hands: list[Arranged]
    seat: int  # to move; -1 once the hand is over
    stock: int
    upcard: int
    pile: int
    drawn: int = -1  # in this turn


def scenes(record: Record, names: list[str]) -> Iterator[Scene]:
    """The whole game: each hand, and of a match how it stands after it."""
    score = [0, 0]
    for number, table in enumerate(record.ends):
        result = table.result()
        score[result.winner] += result.points
        for scene in hand_scenes(record, number, names):
            end = scene.seat < 0 and record.told["target"]
            yield scene._replace(said=f"{scene.said}; {_standing(score, names)}") if end else scene


def _standing(score: list[int], names: list[str]) -> str:
    return "so far " + ", ".join(f"{name} {points}" for name, points in zip(names, score, strict=True))


def hand_scenes(record: Record, number: int, names: list[str]) -> Iterator[Scene]:
    """One hand as it begins, and after each turn; the last says what it came to."""
    hand, table = record.hands[number], list(record.tables())[number]
    title = f"hand {number + 1}, " if record.told["target"] else ""
    yield _scene(table, f"{title}upcard {card_name(hand.upcard)}: {names[hand.starter]} begins")
    for n, turn in enumerate(hand.turns, 1):
        seat = table.turn
        table.play(turn)
        result = table.result() if table.over else None
        said = f"{title}turn {n}: {names[seat]} {turn_words(turn, hand.upcard)}"
        yield _scene(table, f"{said}; {result_text(result, names)}" if result else said, result, turn.drawn)


def _scene(table: Table, said: str, result: Result | None = None, drawn: int = -1) -> Scene:
    laid_off = [result.laid_off if result and seat != result.knocker else 0 for seat in range(2)]
    hands = [arranged(hand, laid) for hand, laid in zip(table.hands, laid_off, strict=True)]
    seat = -1 if table.over else table.turn
    return Scene(said, hands, seat, table.stock.bit_count(), table.upcard, table.pile, drawn)


def turn_words(turn: Turn, upcard: int) -> str:
    """What was done in a turn: `draws 7h and throws Kd`."""
    if turn.source == PASS:
        return f"leaves the upcard {card_name(upcard)}"
    drawn = f"{'draws' if turn.source == STOCK else 'takes the upcard'} {card_name(turn.drawn)}"
    return f"{drawn} and throws {'it' if turn.thrown == turn.drawn else card_name(turn.thrown)}"
