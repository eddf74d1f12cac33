"""Analyses games of backgammon: checker plays and cube actions in equity, performance rating, luck.

Losses are normalized to the cube (in a match: EMG). A checker play counts if there are several distinct plays. Of cube decisions,
doubles and their answers count, and a decision not to double counts if it was wrong or close: if a double would have lost less than
CLOSE. The performance rating is 500 times the mean loss of the decisions that count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sparring.errors import UserError, errors_at
from sparring.games.analysis import (
    Analysis,
    AnalysisOptions,
    Choice,
    Frame,
    GameAnalysis,
    JudgedDecision,
    PlayerSummary,
    add_up,
    graded,
    summarise,
)
from sparring.games.backgammon.cube import Stakes
from sparring.games.backgammon.cube_advice import ROLLS, CubeAdvice
from sparring.games.backgammon.cube_value import MOVER
from sparring.games.backgammon.diagram import board_text
from sparring.games.backgammon.game_record import read_record
from sparring.games.backgammon.judge import Judge, RollValues, before_game, expectation, unit
from sparring.games.backgammon.mat_export import annotated_mat
from sparring.games.backgammon.mat_import import import_mat
from sparring.games.backgammon.notation import play_text
from sparring.games.backgammon.picture import board_svg
from sparring.games.backgammon.record_import import transcript_of
from sparring.games.backgammon.sgf_import import import_sgf
from sparring.games.backgammon.transcript import (
    BEAVER,
    DOUBLE,
    PASS,
    PLAY,
    TAKE,
    Action,
    Transcript,
    rolled,
)
from sparring.games.backgammon.transcript_view import rules_before, transcript_frames
from sparring.games.backgammon.xg_import import import_xg_text, xgid_of

THRESHOLDS = (0.02, 0.08)  # of doubtful moves and blunders
CLOSE = 0.16
RATING = 500
PERCENT = 100
NO_DOUBLE = "no double"
EQUITY, POINTS, CHANCE = "equity", "points", "match-winning chance, %"
NOTE = "equities are normalized to the cube; a position after a play is valued with the other side's best cube action"


class BackgammonAnalyst:
    """See `sparring.games.analysis.Analyst`."""

    judge: str = "deep"
    levels: Sequence[str] = ("0", "1", "2", "3")  # plies
    suffixes: Sequence[str] = (".mat", ".sgf", ".txt", ".xgid")

    def read(self, text: str, place: str) -> list[Transcript]:
        """The games of a file, by its suffix."""
        suffix = "." + place.rpartition(".")[2].lower()
        readers = {".mat": import_mat, ".sgf": import_sgf}
        return readers.get(suffix, import_xg_text)(text, place)

    def read_text(self, text: str, place: str, names: Sequence[str]) -> Transcript:
        """A game or a match in our notation."""
        return transcript_of(read_record(text, place), place, names)

    def names(self, game: Transcript) -> Sequence[str]:
        return game.names

    def outcome(self, game: Transcript) -> str:
        return outcome_text(game)

    def frames(self, game: Transcript) -> Sequence[Frame]:
        """The board before each decision, and at the end."""
        return transcript_frames(game)

    def rules_before(self, game: Transcript, move: int) -> str:
        """Empty for an answer to a double: a game begins before a roll or a play."""
        return rules_before(game, move)

    def analyse(self, games: Sequence[Transcript], how: AnalysisOptions) -> Analysis:
        """Judge every decision."""
        judge = Judge(how.network, how.name, int(how.level))
        total, done, found = sum(len(game.actions) for game in games), 0, []
        for game in games:
            decisions = []
            for action_decisions in judged_actions(game, judge):
                decisions += action_decisions
                done += 1
                if how.progress:
                    how.progress(done, total)
            found.append(_game_analysis(game, decisions, how.name))
        totals = tuple(map(_rated, add_up(found)))
        return Analysis(tuple(found), totals, {".mat": annotated_mat(games, found)})


@dataclass(frozen=True)
class Judged:
    """A decision with the luck that it followed, in normalized equity and in points or chances."""

    decision: JudgedDecision
    luck: float = 0.0  # in points or match-winning chance


def judged_actions(game: Transcript, judge: Judge) -> Iterator[list[Judged]]:
    """The decisions that each action of a game shows."""
    before: Action | None = None
    number = 0
    for at, action in enumerate(game.actions):
        with errors_at(f"{game.title}: "):
            found = []
            if action.kind == PLAY and _could_double(action, before):
                found += _cube_decision(game, action, at, NO_DOUBLE, judge)
            found += (
                _play(game, action, at, judge)
                if action.kind == PLAY
                else _cube_decision(game, action, at, action.kind, judge)
            )
        yield [replace(each, decision=replace(each.decision, number=number + n)) for n, each in enumerate(found)]
        number += len(found)
        before = action


def _could_double(action: Action, before: Action | None) -> bool:
    """Whether a side that played had the choice to double first: not in an opening, and not if it just did.

    Of a position that a list gives with its dice, only the play is asked for.
    """
    if action.stakes is None or action.opening or not action.known or not action.stakes.may_double(MOVER):
        return False
    return before is None or before.kind == PLAY


def _play(game: Transcript, action: Action, at: int, judge: Judge) -> list[Judged]:
    assert action.dice is not None
    rolls = judge.rolls(action.board, action.seat, ROLLS, action.stakes, game.terms.single)
    actual = rolls[ROLLS.index(action.dice)]
    if action.opening:
        before = 0.0 if action.stakes is None else _level(action.stakes)
    else:
        before = judge.expected(rolls, False)
    luck = actual.best - before
    searched = judge.searched(action.board, action.seat, action.dice, action.stakes, game.terms.single, action.move)
    valued = searched or actual
    choices = _play_choices(action, valued)
    made = next((choice for choice in choices if choice.move == action.move), None) if action.known else None
    decision = _graded(
        game,
        action,
        JudgedDecision(
            0,
            action.at,
            action.seat,
            "play",
            made.words if made else "",
            "{}{}".format(*action.dice),
            choices if len(choices) > 1 else (),
            made.loss if made else None,
            len(choices) > 1 and made is not None,
            luck=luck,
            standing=_standing(action.stakes, valued.best),
        ),
    )
    return [Judged(decision, luck * unit(action.stakes))]


def _level(stakes: Stakes) -> float:
    """The normalized equity before the opening roll, when both sides have the same chances."""
    if stakes.away is None:
        return 0.0
    return (before_game(stakes) - stakes.worth(MOVER, -stakes.cube)) / unit(stakes) - 1


def _play_choices(action: Action, values: RollValues) -> tuple[Choice, ...]:
    assert action.dice is not None
    s = rolled(action.board, action.seat, action.dice)
    order = sorted(range(len(values.moves)), key=lambda n: -values.equities[n])
    return tuple(
        Choice(
            play_text(s, values.moves[n]),
            float(values.equities[n]),
            values.best - float(values.equities[n]),
            _chances(values.outcomes[n].tolist()),
            values.moves[n],
        )
        for n in order
    )


def _chances(outcomes: Sequence[float]) -> str:
    win, gammon, backgammon, gammon_lost, backgammon_lost = (f"{chance:.1%}" for chance in outcomes)
    return f"wins {win}, gammons {gammon}, backgammons {backgammon}; gammons lost {gammon_lost}, backgammons {backgammon_lost}"


def _cube_decision(game: Transcript, action: Action, at: int, made: str, judge: Judge) -> list[Judged]:
    """A decision to double or not, or the answer to a double. An answer is judged as the side that doubled sees it."""
    if action.stakes is None:
        raise UserError("a double in a game without a cube")
    answer = made in (TAKE, PASS, BEAVER)
    if answer and game.actions[at - 1].kind != DOUBLE:
        return []  # answers to beavers have no advice
    offer = game.actions[at - 1] if answer else action
    assert offer.stakes is not None
    advice = judge.cube(offer.board, offer.seat, offer.stakes)
    values = _answers(advice, offer.stakes, made) if answer else _doubles(advice)
    best = max(values.values())
    loss = best - values[made] if action.known else None
    if made == NO_DOUBLE and action.known and not loss and values[NO_DOUBLE] - values[DOUBLE] >= CLOSE:
        return []
    order = sorted(values, key=lambda word: -values[word])
    out = advice.outcomes
    detail = _chances((out.win, out.gammon, out.backgammon, out.gammon_lost, out.backgammon_lost))
    choices = tuple(Choice(word, values[word], best - values[word], detail) for word in order)
    kind = "take" if answer else "double"
    decision = JudgedDecision(
        0, action.at, action.seat, kind, made if action.known else "", f"cube {offer.stakes.cube}", choices, loss, loss is not None,
        standing=_standing(action.stakes, best),
    )  # fmt: skip
    return [Judged(_graded(game, action, decision))]


def _doubles(advice: CubeAdvice) -> dict[str, float]:
    return {NO_DOUBLE: float(advice.no_double), DOUBLE: float(min(advice.double_take, 1.0))}


def _answers(advice: CubeAdvice, stakes: Stakes, made: str) -> dict[str, float]:
    """The values of answers for the side that answers, normalized to the cube before the double."""
    values = {TAKE: -float(advice.double_take), PASS: -1.0}
    if stakes.away is None and (stakes.beavers or made == BEAVER):
        values[BEAVER] = 2 * values[TAKE]  # the same position for twice the stake
    return values


def _standing(stakes: Stakes | None, equity: float) -> float:
    """What a side can expect: points for money, match-winning chance in percent in a match."""
    value = expectation(stakes, equity)
    return PERCENT * value if stakes is not None and stakes.away else value


def _graded(game: Transcript, action: Action, decision: JudgedDecision) -> JudgedDecision:
    """The decision with its grade and, where it is a mistake, its position."""
    grade = graded(decision.loss, THRESHOLDS)
    if not grade and action.known:
        return decision
    board, names = action.board.tolist(), list(game.names)
    said = f"to play {decision.situation}" if action.dice and decision.kind == "play" else "cube action"
    text = board_text(board, names, action.seat, action.seat, said, action.seat)
    dice = action.dice if decision.kind == "play" else None
    picture = board_svg(board, names, action.seat, dice)
    return replace(decision, grade=grade, position=f"{text}\n{xgid_of(action, game.terms, dice)}", picture=picture)


# Summaries.


def _game_analysis(game: Transcript, judged: Sequence[Judged], judge: str) -> GameAnalysis:
    decisions = [each.decision for each in judged]
    results = _results(game)
    luck = [sum(each.luck for each in judged if each.decision.seat == seat) for seat in (0, 1)]
    scale = PERCENT if game.terms.length else 1
    players = []
    for seat in (0, 1):
        own = [decision for decision in decisions if decision.seat == seat]
        adjusted = None if results is None else results[seat] - scale * (luck[seat] - luck[1 - seat])
        normalized = sum(decision.luck or 0.0 for decision in own)
        summary = summarise(game.names[seat], own, normalized, results and results[seat], adjusted)
        players.append(_rated(replace(summary, figures=_figures(own))))
    return GameAnalysis(
        "backgammon",
        game.title,
        game.names,
        judge,
        EQUITY,
        CHANCE if game.terms.length else POINTS,
        NOTE,
        outcome_text(game),
        tuple(decisions),
        tuple(players),
        THRESHOLDS,
    )


def _results(game: Transcript) -> tuple[float, float] | None:
    """What each seat gained: points, or the change of its match-winning chance in percent."""
    if game.winner is None:
        return None
    if not game.terms.length:
        gained = float(game.points if game.winner == 0 else -game.points)
        return gained, -gained
    stakes = game.terms.stakes(0, 1, None) or Stakes()
    if game.whole:
        gained = PERCENT * ((game.winner == 0) - before_game(stakes))
        return gained, -gained
    points = game.points if game.winner == 0 else -game.points
    gained = PERCENT * (stakes.worth(MOVER, points) - before_game(stakes))
    return gained, -gained


def _figures(own: Sequence[JudgedDecision]) -> dict[str, float]:
    """Counts and losses of checker plays and of the cube."""
    found = {}
    for name, cube in (("checker", False), ("cube", True)):
        counted = [decision for decision in own if decision.counted and (decision.kind != "play") == cube]
        found[f"{name} decisions"] = float(len(counted))
        found[f"{name} loss"] = sum(decision.loss or 0.0 for decision in counted)
    return found


def _rated(summary: PlayerSummary) -> PlayerSummary:
    return replace(summary, figures={**summary.figures, "performance rating": RATING * summary.mean_loss})


def outcome_text(game: Transcript) -> str:
    """The result in words."""
    score = f"{game.names[0]} {game.terms.scores[0]}, {game.names[1]} {game.terms.scores[1]}"
    before = f"match to {game.terms.length}, {score}" if game.terms.length else "money"
    before += ", Crawford game" * game.terms.crawford
    if game.winner is None:
        return f"{before}: unfinished"
    points = f"{game.points} {'point' if game.points == 1 else 'points'}"
    ending = f" ({game.ending})" if game.ending else ""
    return f"{before}: {game.names[game.winner]} wins {points}{ending}"
