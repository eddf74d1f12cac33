"""What a judge's values are in points: fitted to games that the judge plays against itself.

A network's value may have any scale. We play games with the judge in every seat (with random moves among its own, where the games
would otherwise all end alike), look at some decisions of each, and fit a straight line from the value of the best move to the lead
that the seat gains until scores next change: at the end of the game, of a round or of a hand. Where the seats share a known number
of points, the line depends on those left, too. Values whose notes say different things have lines of their own.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sparring.arena.explain import Explainer
from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Chooser, Contestant
from sparring.games import Game, Played
from sparring.games.explain import MoveValues
from sparring.games.game import apply_move, legal_moves, start_game
from sparring.kernel.random import derive

SEED = 1
GAMES, PER_GAME = 150, 8  # games of the judge, and decisions that are looked at in each
ALIKE, LOOSE = 10, 50  # first games, and games with random moves where the first end alike
FEWEST = 100  # decisions that a line needs
SURE = 3.0  # standard errors by which its slope must be above 0

Sample = tuple[str, float, float, float]  # the note of a value, the best value, the points left, the lead gained


@dataclass(frozen=True)
class Line:
    """Points = start + slope times value + share times the points left in the round."""

    start: float
    slope: float
    share: float = 0.0

    def points(self, value: float, left: float) -> float:
        return self.start + self.slope * value + self.share * left


@dataclass(frozen=True)
class Scale:
    """The lines of a judge by the note of its values, and the standard deviation of the leads that are gained."""

    lines: Mapping[str, Line]
    spread: float


def lead(game: Game, state: np.ndarray, seat: int, seats: int) -> float:
    """A seat's points so far minus the mean of the others, with the sign reversed where lower is better."""
    scores = np.array(game.view.points_so_far(state[0])[:seats])
    sign = -1 if game.rules.lower_is_better else 1
    return float(sign * (scores[seat] - (scores.sum() - scores[seat]) / (seats - 1)))


_KNOWN: dict[tuple[object, ...], Scale] = {}


def calibrate(game: Game, judge: Contestant, seats: int) -> Scale:
    """The scale of a judge, computed once. It has no lines if the judge's values do not predict the lead."""
    weights = judge.net.weights.tobytes() if judge.net else b""
    key = (game.name, judge.policy, judge.strength, weights, seats)
    if key not in _KNOWN:
        _KNOWN[key] = _calibrated(game, judge, seats)
    return _KNOWN[key]


def _calibrated(game: Game, judge: Contestant, seats: int) -> Scale:
    games: list[Played] = []
    jobs = paired_jobs(derive(SEED, "calibration"), np.arange(seats), GAMES, "given")
    first = play(game, jobs[:ALIKE], [judge] * seats, keep=games.extend)
    if len(np.unique(first["score"], axis=0)) == 1:
        chooser = Chooser(game, judge)
        games = [_loose_game(game, chooser, job) for job in jobs[:LOOSE]]
    else:
        play(game, jobs[ALIKE:], [judge] * seats, keep=games.extend)
    explainer, found = Explainer(game, judge), defaultdict(list)
    for number, played in enumerate(games):
        for note, *sample in _samples(game, played, explainer, number):
            found[note].append(sample)
    gains = [gained for samples in found.values() for _, _, gained in samples]
    fitted = {note: _fit(np.array(samples)) for note, samples in found.items() if len(samples) >= FEWEST}
    return Scale({note: line for note, line in fitted.items() if line}, float(np.std(gains)) if gains else 0.0)


def _loose_game(game: Game, chooser: Chooser, job: np.void) -> Played:
    """A game of the judge in which every other move is random."""
    seed, deal, luck, seats = (int(job[name]) for name in ("seed", "deal", "luck", "seats"))
    state, moves = start_game(game, seed, deal, luck, seats), list[int]()
    while not state[0]["over"]:
        number = derive(SEED, "random move", deal, len(moves))
        legal = legal_moves(game, state)
        moves.append(legal[number // 2 % len(legal)] if number % 2 else chooser.choose(state))
        apply_move(game.rules, state, moves[-1])
    return Played(seed, deal, luck, seats, tuple(moves))


def _samples(game: Game, played: Played, explainer: Explainer, number: int) -> Iterator[Sample]:
    """Some decisions of a game, evenly spread and begun at random."""
    step = max(1, len(played.moves) // PER_GAME)
    first = derive(SEED, "decision", number) % step
    waiting: list[tuple[str, float, float, int, float]] = []
    state = start_game(game, played.seed, played.deal, played.luck, played.seats)
    for at, made in enumerate(played.moves):
        if at % step == first:
            legal, seat = legal_moves(game, state), int(state[0]["turn"])
            values = explainer.decide(state, legal)[1] if len(legal) > 1 else None
            if values and values.values:
                best = max(values.values.values())
                left, before = game.view.points_left(state[0]), lead(game, state, seat, played.seats)
                waiting.append((values.note, best, left, seat, before))
        scores = state[0]["tally"]["score"].copy()
        apply_move(game.rules, state, made)
        if state[0]["over"] or (state[0]["tally"]["score"] != scores).any():
            for note, best, left, seat, before in waiting:
                yield note, best, left, lead(game, state, seat, played.seats) - before
            waiting = []


def _fit(samples: np.ndarray) -> Line | None:
    """The line of least squares; None if its slope is not clearly positive."""
    value, left, gained = samples.T
    if np.ptp(value) == 0:
        return None
    terms = np.column_stack([np.ones(len(value)), value] + [left] * bool(np.ptp(left)))
    found = np.linalg.lstsq(terms, gained, rcond=None)[0]
    rest = gained - terms @ found
    covariance = np.linalg.inv(terms.T @ terms) * (rest @ rest) / (len(value) - terms.shape[1])
    return Line(*map(float, found)) if found[1] > SURE * np.sqrt(covariance[1, 1]) else None


def in_points(values: MoveValues, scale: Scale, left: float) -> dict[int, float] | None:
    """The values of moves in points, with so many left in the round; None where the scale has no line for them."""
    line = scale.lines.get(values.note)
    return {move: line.points(value, left) for move, value in values.values.items()} if line else None
