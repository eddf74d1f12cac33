"""The measurements of the debate: strength against panels and between learners, at equal games and at equal core seconds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np

from sparring.arena.statistics import Interval
from sparring.arena.trials import LEVEL, bootstrap, holm, p_value, probability_of_improvement
from sparring.lab.run import open_run
from sparring.nets.dense import Net
from sparring.studies.debate.settings import BUDGETS_SHOWN, GAMES, SHAPES, Budget, all_fields, learners_of
from sparring.studies.debate.study_runs import StudyRuns, Track
from sparring.studies.debate.trainings import Stage
from sparring.studies.study import Measurement, OnDemand

BY_GAMES, BY_SECONDS = "games", "seconds"
KINDS = (BY_GAMES, BY_SECONDS)
THIRD = 3  # of so many trials one is left out
Robin = Mapping[tuple[str, str], np.ndarray]


class Compared(NamedTuple):
    """Two learners: how likely a trial of the first is stronger, and the corrected p of no difference."""

    probability: Interval
    p: float

    @property
    def shown(self) -> bool:
        """Whether these trials show who is better."""
        return self.p < LEVEL


@dataclass(frozen=True)
class Field:
    """All learners of a game with one form of network."""

    game: str
    shape: str
    games: float  # of a whole training
    tracks: Mapping[str, Track]  # by learner
    robins: Mapping[str, Robin]  # by kind of budget: the share that the first of two wins, by trial

    @cached_property
    def seconds(self) -> float:
        """What all learners had: the time of the quickest for its whole training."""
        return float(min(track.seconds[-1] for track in self.tracks.values()))

    def budget(self, kind: str, part: int = 1) -> float:
        """A part of the games or of the seconds: 2 for a half."""
        return (self.games if kind == BY_GAMES else self.seconds) / part

    def strength(self, learner: str, kind: str, part: int = 1) -> np.ndarray:
        """The share that each trial of a learner wins against the panel at a budget."""
        track = self.tracks[learner]
        return track.at(track.games if kind == BY_GAMES else track.seconds, self.budget(kind, part))

    def entered(self, kind: str, part: int) -> dict[str, np.ndarray]:
        """The strength of the learners that had something to show within a budget: a first generation may take longer."""
        strengths = {learner: self.strength(learner, kind, part) for learner in self.tracks}
        return {learner: share for learner, share in strengths.items() if np.isfinite(share).all()}

    def met(self, first: str, second: str, kind: str) -> np.ndarray:
        """The share that the first learner's trials win against the second's."""
        robin = self.robins[kind]
        return robin[first, second] if (first, second) in robin else 1 - robin[second, first]

    @cached_property
    def comparisons(self) -> Mapping[tuple[str, int], dict[tuple[str, str], Compared]]:
        """Every learner with every other, by kind and part of the budget."""
        return OnDemand(product(KINDS, BUDGETS_SHOWN), lambda key: self._compare(*key))

    def _compare(self, kind: str, part: int) -> dict[tuple[str, str], Compared]:
        """Every learner with every other by strength against the panel, with Holm's correction."""
        scores = {learner: [share] for learner, share in self.entered(kind, part).items()}
        both = list(combinations(scores, 2))
        corrected = holm([p_value(scores[a], scores[b]) for a, b in both])
        found = {}
        for (a, b), p in zip(both, corrected, strict=True):
            chance = bootstrap(probability_of_improvement, scores[a], scores[b])
            found[a, b] = Compared(chance, p)
            found[b, a] = Compared(Interval(1 - chance.value, 1 - chance.high, 1 - chance.low), p)
        return found

    def without(self, third: int) -> "Field":
        """The same without every third trial, from this one on."""
        trials = len(next(iter(self.tracks.values())).share)
        left = np.flatnonzero(np.arange(trials) % THIRD != third)
        robins = {kind: {both: share[left] for both, share in robin.items()} for kind, robin in self.robins.items()}
        return replace(self, tracks={name: track.without(left) for name, track in self.tracks.items()}, robins=robins)


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    fields: Mapping[tuple[str, str], Field]  # by game and form of network

    def prepare(self) -> None:
        for key in self.fields:
            self.fields[key]

    def of(self, game: str) -> list[Field]:
        """The fields of a game."""
        return [self.fields[game, shape] for shape in SHAPES]

    def without(self, third: int) -> "Measured":
        """The same without a third of the trials; with fewer than three there is nothing to leave out."""
        if self.trials < THIRD:
            return self
        fields = OnDemand(self.fields, lambda key: self.fields[key].without(third))
        return replace(self, trials=self.trials - len(range(third, self.trials, THIRD)), fields=fields)


def measure(cache: StudyRuns, trials: int) -> Measured:
    """Measure games when they are asked for."""
    runs = cache.within(f"{trials}-trials")
    trained = OnDemand(GAMES, lambda game: runs.train(game, trials))
    fields = OnDemand(list(all_fields()), lambda key: measured_field(runs, *key, trained[key[0]]))
    return Measured(cache.budget, trials, cache.seed, runs.folder, fields)


def measured_field(runs: StudyRuns, game: str, shape: str, trained: Mapping[tuple[str, str], list[Stage]]) -> Field:
    """Curves of all learners, then round robins at equal games and at equal seconds."""
    stages = {name: trained[shape, name] for name in learners_of(game)}
    tracks = {name: runs.track(game, shape, name, stages[name]) for name in stages}
    field = Field(game, shape, float(runs.budget.games[game]), tracks, {})
    robins = {}
    for kind in KINDS:
        places = {
            name: last_before(track.games if kind == BY_GAMES else track.seconds, field.budget(kind))
            for name, track in tracks.items()
        }
        place = runs.within(game).cached(f"{shape}-{kind}-points", lambda found=places: found)  # type: ignore[misc]
        nets = {name: networks_at(stages[name], place[name]) for name in stages}
        robins[kind] = runs.round_robin(game, f"{shape}-{kind}-round-robin", nets)
    return replace(field, robins=robins)


def last_before(places: np.ndarray, budget: float) -> int:
    """The last point that a budget pays for, with a tenth of grace: steps end a little after marks."""
    return max(0, int(np.searchsorted(places, 1.1 * budget, side="right")) - 1)


def networks_at(stages: Sequence[Stage], place: int) -> list[Net]:
    """The networks of all trials at a point of a training of one or more stages."""
    ends = np.cumsum([0, *(len(stage.points()) for stage in stages)]).tolist()
    for stage, (first, last) in zip(stages, pairwise(ends), strict=True):
        if place < last:
            return stage.networks(place - first, open_run(stage.run_folder))
    raise AssertionError(f"no point {place}")


def best_of(field: Field, kind: str, part: int) -> tuple[list[str], bool]:
    """The strongest learner at a budget, then those that these trials do not show to be weaker; and whether it stands alone."""
    means = {learner: float(share.mean()) for learner, share in field.entered(kind, part).items()}
    if not means:
        return [], False
    best = max(means, key=lambda learner: means[learner])
    compared = field.comparisons[kind, part]
    level = [name for name in sorted(means, key=lambda n: -means[n]) if name != best and not compared[best, name].shown]
    return [best, *level], not level
