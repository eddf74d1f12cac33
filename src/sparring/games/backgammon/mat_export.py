"""Writes transcripts as a .mat file with the analysis as comments, which other programs skip."""

from collections.abc import Iterator, Sequence

from sparring.games.analysis import GameAnalysis, JudgedDecision
from sparring.games.backgammon.mat import LEFT_WIDTH
from sparring.games.backgammon.notation import Roll, steps_of
from sparring.games.backgammon.transcript import BEAVER, DOUBLE, PASS, PLAY, TAKE, Action, Transcript
from sparring.games.view import plural

WORDS = {TAKE: " Takes", PASS: " Drops"}


def annotated_mat(games: Sequence[Transcript], analyses: Sequence[GameAnalysis]) -> str:
    """The text of the file; positions that belong to no game are left out."""
    whole = [pair for pair in zip(games, analyses, strict=True) if any(action.known for action in pair[0].actions)]
    if not whole or any(game.whole for game in games):
        return ""
    terms = whole[0][0].terms
    head = ['; [Variation "Backgammon"]', f'; [Jacoby "{"On" if terms.jacoby else "Off"}"]']
    head += ['; [CubeLimit "1"]'] * terms.cubeless + ['; [Scoring "single"]'] * terms.single
    parts = ["\n".join([*head, "", f" {terms.length} point match", ""])]
    parts += [_game_text(number, *pair) for number, pair in enumerate(whole, 1)]
    return "\n".join(parts)


def _game_text(number: int, game: Transcript, analysis: GameAnalysis) -> str:
    titles = [f"{_plain(name)} : {score}" for name, score in zip(game.names, game.terms.scores, strict=True)]
    lines = [f" Game {number}", f" {titles[0].ljust(LEFT_WIDTH + 3)} {titles[1]}", *_rows(game, analysis)]
    if game.winner is not None:
        lines.append(" " * (6 + game.winner * (LEFT_WIDTH + 1)) + f"Wins {plural(game.points, 'point')}")
    return "\n".join([*lines, ""])


def _plain(name: str) -> str:
    """A name that every program reads: without spaces, colons and semicolons."""
    return "_".join(name.replace(":", "_").replace(";", "_").split()) or "unnamed"


def _rows(game: Transcript, analysis: GameAnalysis) -> Iterator[str]:
    """Two cells per line, each pair followed by comments on its mistakes."""
    cells = [(action.seat, _cell(game, at)) for at, action in enumerate(game.actions)]
    rows: list[tuple[list[str], list[int]]] = []
    for at, (seat, text) in enumerate(cells):
        if seat == 0 or not rows or rows[-1][0][1]:
            rows.append((["", ""], []))
        rows[-1][0][seat] = text
        rows[-1][1].append(at)
    for number, ((left, right), actions) in enumerate(rows, 1):
        yield f"{number:3d}) {left.ljust(LEFT_WIDTH)} {right}".rstrip()
        for decision in analysis.decisions:
            if decision.move in {game.actions[at].at for at in actions} and decision.grade:
                yield f"; {_comment(analysis, decision)}"


def _cell(game: Transcript, at: int) -> str:
    action = game.actions[at]
    if action.kind == PLAY:
        return _play(action)
    if action.kind in (DOUBLE, BEAVER):
        word = " Doubles" if action.kind == DOUBLE else " Beavers"
        turned, back = 2, at
        while game.actions[back].kind == BEAVER:
            turned, back = 2 * turned, back - 1
        return f"{word} => {turned * (action.stakes.cube if action.stakes else 1)}"
    return WORDS[action.kind]


def _play(action: Action) -> str:
    assert action.dice is not None
    steps = steps_of(Roll(action.board, action.seat, action.dice), action.move)
    words = [f"{step.start}/{step.end}{'*' * step.hit}" for step in steps]
    return f"{action.dice[0]}{action.dice[1]}: {' '.join(words)}".rstrip()


def _comment(analysis: GameAnalysis, decision: JudgedDecision) -> str:
    best = f"; best: {decision.best.words} ({decision.best.value:+.3f})" if decision.best else ""
    name, made = _plain(analysis.names[decision.seat]), decision.made
    return f"{name} {decision.situation} {made}: {decision.grade}, loses {decision.loss or 0:.3f}{best}"
