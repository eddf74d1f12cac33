"""Games in notation, shown card by card."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.games.hearts.cards import card_name, hand_of, names_of
from sparring.games.hearts.diagram import hand_words, passes_words, points_words, short, table_text
from sparring.games.hearts.game_record import Record, points_text, result_text
from sparring.games.hearts.notation import way_words
from sparring.games.hearts.rules import NONE
from sparring.games.hearts.table_svg import NOBODY, Round, Table, counted, receiver
from sparring.kernel.launch import SEATS


class Scene(NamedTuple):
    """The table after a card or a pass, and what was done."""

    said: str
    hands: tuple[int, ...]
    trick: tuple[int, ...]  # each seat's card, or -1; a whole trick still lies there
    seat: int  # to move, or NOBODY
    points: tuple[int, ...]  # of each seat in this round so far
    score: tuple[int, ...]  # before it
    direction: int
    passed: tuple[tuple[int, ...], ...]  # what each seat gives, once it is said
    fresh: int  # the cards that were just passed, got or played


def scenes(record: Record, names: list[str]) -> Iterator[Scene]:
    """The whole game: each round, and how it stands after it."""
    for number in range(len(record.rounds)):
        yield from round_scenes(record, number, names)


def round_scenes(record: Record, number: int, names: list[str]) -> Iterator[Scene]:
    """One round as it is dealt, after each pass, after each card; the last says what it came to."""
    played, title = record.rounds[number], f"round {number + 1}"
    table = Table.of(played.dealt, number, record.told)
    points = [end.result().points for end in record.ends[: number + 1]]
    score = tuple(sum(each) for each in zip([0] * SEATS, *points[:-1], strict=True))
    after = [a + b for a, b in zip(score, points[-1], strict=True)]
    end = f"; {result_text(record.ends[number].result(), names)}"
    end += f"; so far {points_text(names, after)}" if number else ""
    if played.passed:
        yield from _passing_scenes(table, played, title, score, names)
    begins = f"{names[table.turn]} begins with 2c"
    got = sum(hand_of(cards) for cards in played.passed)
    said = f"the cards are passed; {begins}" if played.passed else f"no cards are passed; {begins}"
    yield _scene(table, f"{title}: {said}", score, played.passed, got)
    for scene in _playing_scenes(table, played, title, score, names):
        yield scene._replace(said=scene.said + end) if table.over else scene


def _passing_scenes(
    table: Table, played: Round, title: str, score: tuple[int, ...], names: list[str]
) -> Iterator[Scene]:
    """The deal, then what each seat gives; the cards change hands when all have chosen."""
    way = way_words(table.direction)
    yield _scene(table, f"{title}: three cards are passed {way}", score, ())
    for seat, cards in enumerate(played.passed):
        shown = tuple(given if giver <= seat else () for giver, given in enumerate(played.passed))
        said = f"{title}: {names[seat]} passes {names_of(cards)} to {names[receiver(seat, table.direction)]}"
        yield _scene(table, said, score, shown, hand_of(cards))
    table.exchange(played.passed)


def _playing_scenes(
    table: Table, played: Round, title: str, score: tuple[int, ...], names: list[str]
) -> Iterator[Scene]:
    """Every card, and who takes each trick."""
    for card in played.played:
        seat, number, before = table.turn, table.number + 1, list(table.trick)
        said = (
            f"{title}, trick {number}: {names[seat]} {'leads' if seat == table.leader else 'plays'} {card_name(card)}"
        )
        before[seat] = card
        taker = table.play(card)
        if taker != NOBODY:
            said += f"; {names[taker]} takes the trick{_worth(before, table)}"
        yield _scene(table, said, score, played.passed, 1 << card)._replace(trick=tuple(before))


def _worth(trick: list[int], table: Table) -> str:
    points = counted(hand_of(trick), table.told)
    return f" and {points} point{'s' * (abs(points) != 1)}" if points else ""


def _scene(
    table: Table, said: str, score: tuple[int, ...], passed: tuple[tuple[int, ...], ...], fresh: int = 0
) -> Scene:
    points = tuple(counted(cards, table.told) for cards in table.won)
    return Scene(
        said, tuple(table.hands), tuple(table.trick), table.turn, points, score, table.direction, passed, fresh
    )


def scene_text(scene: Scene, names: list[str]) -> str:
    """A scene as text, all hands open."""
    titles = [
        f"{short(name)}   {points_words(score, points)}"
        for name, score, points in zip(names, scene.score, scene.points, strict=True)
    ]
    hands = [hand_words(hand) for hand in scene.hands]
    passed = passes_words(scene.direction, names, scene.passed) if scene.passed and scene.direction != NONE else ""
    return "\n".join(filter(None, [table_text(scene.said, titles, hands, scene.trick, scene.seat), passed]))
