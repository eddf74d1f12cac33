"""Reads match files (.mat) of any program, cube included, into transcripts.

Jellyfish, GNU Backgammon, eXtreme Gammon, BGBlitz, GridGammon and servers write the same two columns with small differences: the
bar is 25 or `bar`, off is 0 or `off`; hits may lack their star; a roll that cannot be played is followed by nothing, `Cannot Move`
or `Dances`; doubles are `Doubles => 2`, `Redoubles to 4` or without the value; a double is passed with `Drops`, `Passes` or
`Rejects`; `????` stands for a play that the program did not record.
"""

import re
from dataclasses import dataclass, field, replace

from sparring.errors import UserError, errors_at
from sparring.games.backgammon.transcript import GameTerms, MatchScore, Replay, Transcript

RIGHT_FROM = 20  # a lone cell that begins further right belongs to the right column
UNKNOWN = "????"
LONGEST_NUMBER = 6  # digits

TAG = re.compile(r"[;\s]*\[\s*([A-Za-z0-9 ]+?)\s+\"(.*)\"\s*\]\s*")
LENGTH = re.compile(
    rf"\s*(-?[0-9]{{1,{LONGEST_NUMBER}}})\s*-?\s*points?\s+match.*|\s*(unlimited|money)\b.*", re.IGNORECASE
)
GAME = re.compile(r"\s*Game\s+([0-9]+)\b.*", re.IGNORECASE)
NAMES = re.compile(rf"\s*(\S.*?)\s*:\s*([0-9]{{1,{LONGEST_NUMBER}}})\s+(\S.*?)\s*:\s*([0-9]{{1,{LONGEST_NUMBER}}})\s*")
ROW = re.compile(r"\s*[0-9]+\s*\)(.*)")
WORDS = "wins|(?:re)?double|takes|accept|drop|reject|resign|beaver|raccoon"  # that end a play
CELL = re.compile(
    rf"""(?P<dice>[1-6]\s?[1-6])\s*:\s*(?P<play>(?:(?!\b(?:[1-6]\s?[1-6]\s*:|{WORDS})).)*)
    |(?P<double>(?:re)?doubles?)\b\s*(?:(?:=>|->|to)\s*(?P<value>[0-9]{{1,{LONGEST_NUMBER}}}))?
    |(?P<beaver>beavers?|raccoons?)\b\s*(?:(?:=>|->|to)\s*(?P<beavered>[0-9]{{1,{LONGEST_NUMBER}}}))?
    |(?P<take>takes?|accepts?)\b
    |(?P<drop>drops?|passes|pass|rejects?)\b
    |(?P<resign>resigns?\b[^;]*?(?=\s{{3}}|$|\bwins\b))
    |\bwins\s+(?P<wins>[0-9]{{1,{LONGEST_NUMBER}}})\s*points?(?:\s+and\s+the\s+match)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
NO_PLAY = re.compile(r"\(?(cannot move|can't move|no move|no play|dance[sd]?|-+)\)?\.?", re.IGNORECASE)
MARKS = re.compile(r"[?!]+$")  # a person's remark after a play


@dataclass(frozen=True)
class Cell:
    """What one column of a line says."""

    line: int
    column: int
    kind: str  # the group of CELL
    value: str  # the play, the cube or the points
    dice: str = ""


@dataclass
class Block:
    """The lines of a game."""

    line: int
    names: list[str] = field(default_factory=list)
    scores: tuple[int, int] = (0, 0)
    cells: list[Cell] = field(default_factory=list)
    crawford: bool | None = None


@dataclass
class Header:
    """What stands before the games."""

    length: int = 0
    tags: dict[str, str] = field(default_factory=dict)

    def on(self, tag: str, default: bool) -> bool:
        return {"on": True, "off": False}.get(self.tags.get(tag, "").lower(), default)


def import_mat(text: str, place: str) -> list[Transcript]:
    """The games of a .mat file."""
    header, blocks = _blocks(text, place)
    variation = header.tags.get("variation", "Backgammon")
    if variation.lower() not in ("backgammon", "standard"):
        raise UserError(f"{place}: the variation {variation!r} cannot be analysed; only Backgammon can")
    score, found = MatchScore(max(header.length, 0), crawford_rule=header.on("crawford", True)), list[Transcript]()
    for number, block in enumerate(blocks, 1):
        where = f"{place}, line {block.line}"
        if found and found[-1].winner is None:
            raise UserError(f"{where}: the game before has no end")
        if not block.names or not block.cells:
            raise UserError(f"{where}: the game has no {'moves' if block.names else 'names, such as A : 0   B : 0'}")
        terms = score.begin(block.scores, where, _crawford(block, number))
        terms.check(where)
        replay = Replay(f"{place}, game {number}", block.names, _with_rules(terms, header))
        for cell in block.cells:
            _apply(replay, cell, f"{place}, line {cell.line}")
        found.append(replay.transcript())
        score.end(found[-1])
    return found


def _crawford(block: Block, number: int) -> bool | None:
    """Whether this is the Crawford game, if the file says so. A double in a file's first game shows that it is not."""
    doubled = any(cell.kind == "double" for cell in block.cells)
    return False if number == 1 and doubled and block.crawford is None else block.crawford


def _with_rules(terms: GameTerms, header: Header) -> GameTerms:
    cubeless, single = header.tags.get("cubelimit") == "1", header.tags.get("scoring") == "single"
    return replace(
        terms,
        jacoby=header.on("jacoby", False),
        beavers=header.on("beaver", False),
        cubeless=cubeless or single,
        single=single,
    )


def _blocks(text: str, place: str) -> tuple[Header, list[Block]]:
    header, blocks = Header(), list[Block]()
    for number, line in enumerate(text.expandtabs().splitlines(), 1):
        tag, length = TAG.fullmatch(line), LENGTH.fullmatch(line)
        if tag:
            header.tags[tag[1].lower()] = tag[2]
        elif not line.strip() or line.lstrip().startswith((";", "#")):
            if blocks and "crawford game" in line.lower():
                blocks[-1].crawford = True
        elif length and not blocks:
            header.length = int(length[1] or 0)
        elif GAME.fullmatch(line):
            blocks.append(Block(number))
            blocks[-1].crawford = True if "crawford" in line.lower() else None
        else:
            _read_line(blocks, number, line, f"{place}, line {number}")
    if not blocks:
        raise UserError(f"{place}: contains no games; a .mat file has a line 'Game 1' before the first")
    return header, blocks


def _read_line(blocks: list[Block], number: int, line: str, place: str) -> None:
    names, row = NAMES.fullmatch(line), ROW.fullmatch(line)
    if not blocks:
        raise UserError(
            f"{place}: {line.strip()[:40]!r} is not understood: a .mat file begins with 'N point match', 'Game 1'"
        )
    block = blocks[-1]
    if names and not row and not block.names:
        block.names, block.scores = [names[1], names[3]], (int(names[2]), int(names[4]))
        return
    cells = _cells(line, number, line.index(")") + 1 if row else 0)
    if not cells and (not row or row[1].strip()):
        raise UserError(f"{place}: {line.strip()[:40]!r} is neither names, nor moves, nor a result")
    block.cells += cells


def _cells(line: str, number: int, begin: int) -> list[Cell]:
    """The cells of a line: left and right, or one whose position gives its column."""
    line = line.partition(";")[0]
    found = [match for match in CELL.finditer(line, begin) if match[0].strip()]
    cells = []
    for order, match in enumerate(found):
        alone = int(match.start() >= RIGHT_FROM)
        column = alone if len(found) == 1 else min(order, 1)
        kind = match.lastgroup or ""
        kind = {"play": "dice", "value": "double", "beavered": "beaver"}.get(kind, kind)
        value = match["play"] if kind == "dice" else match["value"] or match["beavered"] or match["wins"] or ""
        cells.append(Cell(number, column, kind, value.strip(), (match["dice"] or "").replace(" ", "")))
    return cells


def _apply(replay: Replay, cell: Cell, place: str) -> None:
    """Play a cell."""
    seat = cell.column
    if cell.kind == "dice":
        dice = int(cell.dice[0]), int(cell.dice[1])
        if cell.value.startswith(UNKNOWN):
            raise UserError(f"{place}: {UNKNOWN}: the play is not recorded, so the game cannot be replayed")
        play = MARKS.sub("", cell.value).strip()
        with errors_at(f"{place}: "):
            replay.roll(seat, dice, "pass" if not play or NO_PLAY.fullmatch(play) else play, "the roll")
    elif cell.kind == "double":
        replay.double(seat, int(cell.value) if cell.value else None, place)
    elif cell.kind == "beaver":
        replay.beaver(seat, int(cell.value) if cell.value else None, place)
    elif cell.kind == "take":
        replay.take(seat, place)
    elif cell.kind == "drop":
        replay.drop(seat, place)
    elif cell.kind == "wins":
        replay.wins(seat, int(cell.value), place)
