"""Analyses a finished game: each decision's loss by a judge, how the game stood, luck, mistakes, and a summary per player."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sparring.arena.calibration import Scale, calibrate, in_points, lead
from sparring.arena.explain import Explainer
from sparring.arena.players import Contestant, Entrant, default_opponent, find_player
from sparring.arena.session import result_text
from sparring.errors import UserError
from sparring.games import Game, Played, unknown
from sparring.games.analysis import (
    AnalysisOptions,
    Choice,
    GameAnalysis,
    JudgedDecision,
    Progress,
    graded,
    summarise,
)
from sparring.games.chance import chance_outcomes
from sparring.games.game import legal_moves, play_move, start_game
from sparring.nets.evaluators import net_evaluator

DOUBTFUL_SHARE, BLUNDER_SHARE = 0.02, 0.06  # of the standard deviation of results: losses above are mistakes
POINTS, OWN = "points", "the judge's own values"
IN_POINTS = (
    "a line fitted to games that the judge played against itself turns its values into the lead it expects to gain"
)
NO_SCALE = (
    "the judge's values do not predict the result, so they are shown as they are and nothing is said of standings"
)


@dataclass(frozen=True)
class Judge:
    """A player as a judge at a table: its values, in points where they predict the result."""

    explainer: Explainer
    scale: Scale

    @classmethod
    def of(cls, game: Game, contestant: Contestant, seats: int) -> "Judge":
        if contestant.external or not game.presentation.explain:
            raise UserError(f"player {contestant.name!r}: reports no values of moves; name a network as the judge")
        return cls(Explainer(game, contestant), calibrate(game, contestant, seats))

    @property
    def calibrated(self) -> bool:
        return bool(self.scale.lines)

    def values(self, state: np.ndarray, legal: tuple[int, ...]) -> dict[int, float]:
        """The values of the moves that the judge compares. The state keeps what it plans, as if it played all seats."""
        found = self.explainer.decide(state, legal, keep=True)[1]
        if found is None or len(legal) == 1:
            return {}
        if not self.calibrated:
            return dict(found.values)
        return in_points(found, self.scale, self.explainer.game.view.points_left(state[0])) or {}


def analyse_played(
    game: Game,
    played: Played,
    names: Sequence[str],
    player: Entrant = "",
    level: str = "",
    title: str = "",
    progress: Progress | None = None,
) -> GameAnalysis:
    """The analysis of a finished game by the game's own analyst, or else by a player's values.

    `player` is the judge, by default the game's own choice. `level` is one of the analyst's.
    """
    analyst = game.presentation.analyst
    if analyst is None:
        check_level(game, level)
        return analyse_game(game, played, names, find_player(game, player or default_opponent(game)), title, progress)
    read = analyst.read_text(game.view.game_text(played), title or "the game", names)
    return analyst.analyse([read], analysis_options(game, player, level, progress)).games[0]


def analysis_options(game: Game, player: Entrant, level: str, progress: Progress | None) -> AnalysisOptions:
    """The judge of an analyst and its level."""
    analyst = game.presentation.analyst
    assert analyst is not None
    check_level(game, level)
    contestant = find_player(game, player or analyst.judge)
    if contestant.net is None:
        raise UserError(f"player {contestant.name!r}: the judge must be a network")
    return AnalysisOptions(net_evaluator(contestant.net), contestant.name, level or analyst.levels[0], progress)


def check_level(game: Game, level: str) -> None:
    """Refuse a level that the game's analyst does not have."""
    known = list(game.presentation.analyst.levels) if game.presentation.analyst else []
    if level and not known:
        raise UserError(f"level {level}: {game.family} has only one level of analysis; leave it out")
    if level and level not in known:
        raise unknown("level", level, known)


def analyse_game(
    game: Game,
    played: Played,
    names: Sequence[str],
    contestant: Contestant,
    title: str = "",
    progress: Progress | None = None,
) -> GameAnalysis:
    """The analysis of a finished game by a judge."""
    judge, seats = Judge.of(game, contestant, played.seats), played.seats
    state = start_game(game, played.seed, played.deal, played.luck, seats)
    decisions: list[JudgedDecision] = []
    for number, made in enumerate(played.moves):
        decisions.append(_decision(game, judge, state, number, made, seats))
        play_move(game, state, made)
        if progress:
            progress(number + 1, len(played.moves))
    if not any(decision.choices for decision in decisions):
        raise UserError(f"player {contestant.name!r}: has no values of these moves; name a network as the judge")
    thresholds = _thresholds(judge, decisions)
    decisions = [replace(decision, grade=graded(decision.loss, thresholds)) for decision in decisions]
    results = [lead(game, state, seat, seats) for seat in range(seats)]
    lucks = [_luck(decisions, seat) for seat in range(seats)]
    players = [
        summarise(names[seat], [d for d in decisions if d.seat == seat], lucks[seat], results[seat],
                  adjusted(results, lucks, seat))
        for seat in range(seats)
    ]  # fmt: skip
    scores = state[0]["tally"]["score"][:seats].tolist()
    return GameAnalysis(
        game.name,
        title,
        tuple(names),
        contestant.name,
        POINTS if judge.calibrated else OWN,
        "points ahead" if judge.calibrated else "",
        IN_POINTS if judge.calibrated else NO_SCALE,
        result_text(game, names, scores),
        tuple(_with_positions(game, played, names, decisions)),
        tuple(players),
        thresholds,
    )


def _decision(game: Game, judge: Judge, state: np.ndarray, number: int, made: int, seats: int) -> JudgedDecision:
    legal, seat, s = legal_moves(game, state), int(state[0]["turn"]), state[0]
    values = judge.values(state, legal)
    best = max(values.values(), default=0.0)
    order = sorted(values, key=lambda move: -values[move])
    choices = tuple(
        Choice(game.view.move_text(s, move), values[move], best - values[move], move=move) for move in order
    )
    counted = made in values
    return JudgedDecision(
        number,
        number,
        seat,
        "move",
        game.view.move_text(s, made),
        game.view.roll(s),
        choices,
        best - values[made] if counted else 0.0 if len(legal) == 1 else None,
        counted,
        luck=_roll_luck(game, judge, state, best) if values else None,
        standing=lead(game, state, seat, seats) + best if judge.calibrated and values else None,
    )


def _roll_luck(game: Game, judge: Judge, state: np.ndarray, best: float) -> float | None:
    """The value after the chance event before this decision, minus its mean over all that could have happened."""
    outcomes = chance_outcomes(game.rules, state)
    if not outcomes:
        return None
    total = 0.0
    for probability, other in outcomes:
        values = judge.values(other, legal_moves(game, other))
        if not values:
            return None
        total += probability * max(values.values())
    return best - total


def _luck(decisions: Sequence[JudgedDecision], seat: int) -> float | None:
    found = [decision.luck for decision in decisions if decision.seat == seat and decision.luck is not None]
    return sum(found) if found else None


def adjusted(results: Sequence[float], lucks: Sequence[float | None], seat: int) -> float | None:
    """A seat's result without its luck and with that of the others taken back; None where luck is not known."""
    known = [luck for luck in lucks if luck is not None]
    if len(known) < len(lucks):
        return None
    return results[seat] - known[seat] + (sum(known) - known[seat]) / (len(known) - 1)


def _thresholds(judge: Judge, decisions: Sequence[JudgedDecision]) -> tuple[float, float]:
    """The losses of doubtful moves and blunders: shares of the standard deviation of results, or of values."""
    values = [choice.value for decision in decisions for choice in decision.choices]
    spread = judge.scale.spread if judge.calibrated else float(np.std(values))
    return DOUBTFUL_SHARE * spread, BLUNDER_SHARE * spread


def _with_positions(
    game: Game, played: Played, names: Sequence[str], decisions: Sequence[JudgedDecision]
) -> list[JudgedDecision]:
    """The decisions, mistakes with their position."""
    state, found = start_game(game, played.seed, played.deal, played.luck, played.seats), []
    for decision, made in zip(decisions, played.moves, strict=True):
        if decision.grade:
            text, picture = game.view.text(state[0]), game.view.table(state[0], None, names)
            decision = replace(decision, position=text, picture=picture)
        found.append(decision)
        play_move(game, state, made)
    return found
