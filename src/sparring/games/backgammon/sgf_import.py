"""Reads GNU Backgammon's match files (.sgf, Smart Game Format) into transcripts.

White is seat 0. Points are letters: `a` is black's 24-point and white's 1-point, `x` the other end, `y` the bar, `z` off. `double`
while a double waits for its answer is a beaver. Of a game's tree only the main line is read.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from sparring.errors import UserError, errors_at
from sparring.games.backgammon.cube_value import LARGEST
from sparring.games.backgammon.plays import BAR, CHECKERS, OFF, PLACES
from sparring.games.backgammon.positions import Position
from sparring.games.backgammon.transcript import GameTerms, MatchScore, Replay, Transcript

Node = dict[str, list[str]]

TOKEN = re.compile(r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\])", re.DOTALL)
RESULT = re.compile(r"([BW])\+([0-9]{1,6})?(R(?:esign)?|T(?:ime)?|F(?:orfeit)?)?", re.IGNORECASE)
CHECKER_PLAY = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,4})")
COLOURS = {"W": 0, "B": 1}
NUMBER = re.compile("[0-9]{1,6}")


def import_sgf(text: str, place: str) -> list[Transcript]:
    """The games of an .sgf file."""
    games = list(_trees(text, place))
    if not games:
        raise UserError(f"{place}: contains no games; an .sgf file begins with '(;'")
    score, found = MatchScore(0), list[Transcript]()
    for number, nodes in enumerate(games, 1):
        title = f"{place}, game {number}"
        if found and found[-1].winner is None:
            raise UserError(f"{title}: the game before has no end")
        root = nodes[0]
        if root.get("GM", ["6"])[0] != "6":
            raise UserError(f"{title}: GM[{root['GM'][0][:10]}]: not backgammon, which is GM[6]")
        info = _match_information(root, title)
        if number == 1:
            score.length = info.get("length", 0)
        names = [root.get(f"P{colour}", [name])[0] or name for colour, name in (("W", "white"), ("B", "black"))]
        terms = _terms(root, score, info, title)
        replay = Replay(title, names, terms)
        for at, node in enumerate(nodes):
            _apply(replay, node, f"{title}, node {at + 1}")
        _finish(replay, root, title)
        found.append(replay.transcript())
        score.end(found[-1])
    return found


def _match_information(root: Node, title: str) -> dict[str, int]:
    """The fields of MI: length, game, ws and bs."""
    found = {}
    for field in root.get("MI", []):
        name, _, value = field.partition(":")
        if name in ("length", "ws", "bs"):
            found[name] = _number(value, f"{title}: MI[{field[:40]}]")
    return found


def _number(text: str, place: str) -> int:
    if not NUMBER.fullmatch(text):
        raise UserError(f"{place}: a whole number is needed, not {text[:20]!r}")
    return int(text)


def _terms(root: Node, score: MatchScore, info: dict[str, int], title: str) -> GameTerms:
    rules = [rule for value in root.get("RU", []) for rule in value.split(":")]
    unknown = set(rules) - {"", "Crawford", "CrawfordGame", "Jacoby", "NoCube"}
    if unknown:
        raise UserError(
            f"{title}: RU[{min(unknown)[:40]}]: cannot be analysed; only backgammon with or without a cube can"
        )
    score.crawford_rule = "Crawford" in rules
    said = (info["ws"], info["bs"]) if {"ws", "bs"} <= info.keys() else None
    terms = score.begin(said, title, "CrawfordGame" in rules if score.length and "Crawford" in rules else None)
    terms.check(title)
    return replace(terms, jacoby="Jacoby" in rules, beavers=score.length == 0, cubeless="NoCube" in rules)


def _apply(replay: Replay, node: Node, place: str) -> None:
    """Play a node."""
    if {"AE", "AW", "AB"} & node.keys():
        _set_position(replay, node, place)
    if "CV" in node:
        replay.cube = replay.stake = _cube(node["CV"][0], place)
    if "CP" in node:
        replay.owner = {"w": 0, "b": 1}.get(node["CP"][0][:1].lower())
    if "PL" in node:
        replay.turn = COLOURS.get(node["PL"][0][:1].upper())
    for colour, seat in COLOURS.items():
        for value in node.get(colour, []):
            _decision(replay, seat, value, place)


def _cube(text: str, place: str) -> int:
    cube = _number(text, f"{place}: CV[{text[:20]}]")
    if cube < 1 or cube & (cube - 1) or cube > LARGEST:
        raise UserError(f"{place}: CV[{cube}]: the cube must be a power of two up to {LARGEST}")
    return cube


def _decision(replay: Replay, seat: int, value: str, place: str) -> None:
    word, play = value.strip().lower(), CHECKER_PLAY.fullmatch(value.strip())
    if word == "double":
        if replay.answering is None:
            replay.double(seat, None, place)
        else:
            replay.beaver(seat, None, place)
    elif word == "take":
        replay.take(seat, place)
    elif word == "drop":
        replay.drop(seat, place)
    elif play:
        with errors_at(f"{place}: "):
            replay.roll(seat, (int(play[1]), int(play[2])), _play_text(play[3], seat), "the roll")
    else:
        raise UserError(f"{place}: {value[:40]!r} is neither a roll and its play, nor double, take or drop")


def _play_text(letters: str, seat: int) -> str:
    """A play in our notation."""
    steps = [f"{_point(letters[i], seat)}/{_point(letters[i + 1], seat)}" for i in range(0, len(letters), 2)]
    return " ".join(steps) or "pass"


def _point(letter: str, seat: int) -> int:
    """A seat's own number of a point."""
    if letter in "yz":
        return BAR if letter == "y" else OFF
    number = ord(letter) - ord("a") + 1
    return number if seat == 0 else BAR - number


def _set_position(replay: Replay, node: Node, place: str) -> None:
    """A position that the file sets up, checkers not listed being borne off."""
    if replay.actions:
        raise UserError(f"{place}: a position is set up in the middle of a game")
    sides = [[0] * PLACES for _ in COLOURS]
    for colour, seat in COLOURS.items():
        for letter in node.get(f"A{colour}", []):
            if not re.fullmatch("[a-z]", letter):
                raise UserError(
                    f"{place}: A{colour}[{letter[:20]}]: a point is a letter from a to x, y for the bar, z for off"
                )
            sides[seat][_point(letter, seat)] += 1
    for side in sides:
        if not 0 < sum(side[1:]) <= CHECKERS:
            raise UserError(f"{place}: {sum(side[1:])} checkers of one side; must be from 1 to {CHECKERS}")
        side[OFF] = CHECKERS - sum(side[1:])
    if any(sides[0][point] and sides[1][BAR - point] for point in range(1, BAR)):
        raise UserError(f"{place}: both sides have checkers on one point")
    replay.start = Position(tuple(sides[0]), tuple(sides[1]))
    replay.__post_init__()
    replay.turn = replay.turn if replay.turn is not None else 0


def _finish(replay: Replay, root: Node, title: str) -> None:
    """The result that the root gives."""
    said = root.get("RE", [""])[0].strip()
    if not said:
        return
    result = RESULT.fullmatch(said)
    if result is None:
        raise UserError(f"{title}: RE[{said[:40]}]: a result is written like W+2 or B+1R")
    replay.wins(COLOURS[result[1].upper()], int(result[2] or 1), title)


def _trees(text: str, place: str) -> Iterator[list[Node]]:
    """The nodes of each game's main line: of a variation only the first branch is followed."""
    nodes, depth, at, name, closed = list[Node](), 0, 0, "", False
    while at < len(text.rstrip()):
        token = TOKEN.match(text, at)
        if token is None:
            raise UserError(f"{place}, character {at + 1}: {text[at : at + 20].strip()!r} is not Smart Game Format")
        at = token.end()
        mark = token["mark"]
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth, closed = depth - 1, True
            if depth < 0:
                raise UserError(f"{place}, character {at}: ')' without '('")
            if depth == 0:
                if nodes:
                    yield nodes
                nodes, closed = [], False
        elif closed or depth == 0:
            continue  # another branch, or between games
        elif mark == ";":
            nodes.append({})
        elif token["name"]:
            name = "".join(letter for letter in token["name"] if letter.isupper())
        elif nodes and name:
            nodes[-1].setdefault(name, []).append(re.sub(r"\\(.)", r"\1", token["value"], flags=re.DOTALL))
    if depth:
        raise UserError(f"{place}: ends inside a game: {depth} ')' are missing")
