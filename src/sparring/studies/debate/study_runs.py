"""The runs of the debate: trainings of all learners of a game, matches with its panel, and round robins between learners."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant, paired_jobs, play
from sparring.arena.players import Contestant, find_players
from sparring.games import Game, find_game
from sparring.kernel.launch import threads_available
from sparring.kernel.random import derive
from sparring.lab.run import open_run
from sparring.lab.side_by_side import side_by_side
from sparring.learn.training import CHAMPIONS
from sparring.nets.dense import Net
from sparring.studies.debate.settings import (
    GAMES,
    MARKS,
    SHAPES,
    Budget,
    GameSetting,
    LearnerSetting,
    experiment,
    learners_of,
)
from sparring.studies.debate.trainings import Stage, train_stages
from sparring.studies.study_cache import StudyCache

GRACE = 1.25  # a first generation may exceed a budget by a quarter


@dataclass(frozen=True)
class Track:
    """One learner in one game: its networks at some points, and how strong they are against the panel."""

    games: np.ndarray  # of each trial
    seconds: np.ndarray  # of one core, in the mean of all trials
    share: np.ndarray  # of games won against the panel, a draw counting half: (trials, points)

    def at(self, places: np.ndarray, place: float) -> np.ndarray:
        """The strength of every trial at some number of games or of seconds, between points in proportion; NaN before the first."""
        if GRACE * place < places[0]:
            return np.full(len(self.share), np.nan)
        return np.array([np.interp(place, places, row) for row in self.share])

    def without(self, left: np.ndarray) -> "Track":
        """The same with these trials alone."""
        return Track(self.games, self.seconds, self.share[left])


class StudyRuns(StudyCache[Budget]):
    """The debate's trainings and games."""

    def marks(self, game: str, first: int, last: int) -> tuple[int, ...]:
        """The games after which networks are kept, counted from the first; a stage has those up to its last game."""
        most = self.budget.games[game]
        places = (mark * most // MARKS[-1] for mark in MARKS)
        return tuple(place - first for place in places if first < place <= last)

    def stages(self, game: str, shape: str, learner: LearnerSetting, trials: int) -> list[Stage]:
        """The trainings of a learner: one, or two of half the length, the second of which begins where the first ended."""
        most, count, folder = self.budget.games[game], len(learner.parts), self.folder / game
        found: list[Stage] = []
        for number, part in enumerate(learner.parts):
            name = f"{shape}-{learner.name}{f'-{number + 1}' if count > 1 else ''}"
            table = experiment(GAMES[game], shape, part, most // count)
            table |= {"name": name, "trials": trials, "seed": self.seed_of(f"{game}-{name}")}
            if found:
                table["learner"]["initial"] = str(found[-1].run_folder / CHAMPIONS)
            marks = self.marks(game, number * most // count, (number + 1) * most // count)
            found.append(Stage(name, folder, table, most // count, marks))
        return found

    def train(self, game: str, trials: int) -> dict[tuple[str, str], list[Stage]]:
        """All trainings of a game, as many at a time as there are cores."""
        learners = learners_of(game)
        found = {
            (shape, name): self.stages(game, shape, learner, trials)
            for shape in SHAPES
            for name, learner in learners.items()
        }
        calls = [(os.getpid(), stages) for stages in found.values() if not all(stage.finished for stage in stages)]
        workers = min(self.threads or threads_available(), len(calls))
        with self.watch.games_bar(f"{game}: trainings", "trainings") as progress:
            alone = 1 if workers > 1 else len(calls)  # the first compiles for all others
            for done, call in enumerate(calls[:alone]):
                progress(done, len(calls))
                train_stages(*call)
            if calls[alone:]:
                for done, _ in enumerate(side_by_side(train_stages, calls[alone:], workers), alone + 1):
                    progress(done, len(calls))
        return found

    def track(self, game: str, shape: str, learner: str, stages: Sequence[Stage]) -> Track:
        """A learner's curve: its networks at all marks against the panel."""

        def make() -> dict[str, Any]:
            setting, games, seconds, nets = GAMES[game], [], [], []
            before = (0.0, 0.0)
            for stage in stages:
                run, points = open_run(stage.run_folder), stage.points()
                nets += [stage.networks(mark, run) for mark in range(len(points))]
                games += [before[0] + point.games for point in points]
                seconds += [before[1] + point.seconds for point in points]
                before = games[-1], seconds[-1]
            share = self.panel_shares(setting, f"{shape}, {learner}", nets)
            return {"games": games, "seconds": seconds, "share": share.tolist()}

        return Track(**self.within(game).cached_arrays(f"{shape}-{learner}-strength", make))

    def panel_shares(self, setting: GameSetting, what: str, nets: list[list[Net]]) -> np.ndarray:
        """The share of games that networks (points, trials) win against the panel: (trials, points)."""
        game, pairs = find_game(setting.rules), self.budget.pairs
        trials, players = len(nets[0]), contestants([net for row in nets for net in row])
        panel = find_players(game, list(setting.panel))
        pairing = [(i, len(players) + k) for i in range(len(players)) for k in range(len(panel))]
        seeds = [derive(self.seed, "panel", setting.name, i % trials) for i, _ in pairing]
        share = self._shares(game, f"{setting.name}, {what}: panel", [*players, *panel], pairing, seeds, pairs)
        return np.asarray(share.reshape(len(nets), trials, len(panel)).mean(axis=2).T)

    def round_robin(self, game: str, name: str, nets: Mapping[str, Sequence[Net]]) -> dict[tuple[str, str], np.ndarray]:
        """Every learner against every other, trial by trial: the share of games that the first wins."""
        both = list(combinations(nets, 2))

        def make() -> dict[str, Any]:
            trials, setting = len(next(iter(nets.values()))), GAMES[game]
            players = contestants([net for row in nets.values() for net in row])
            first = {learner: number * trials for number, learner in enumerate(nets)}
            pairing = [(first[a] + t, first[b] + t) for a, b in both for t in range(trials)]
            seeds = [derive(self.seed, "round robin", game, t) for _ in both for t in range(trials)]
            share = self._shares(
                find_game(setting.rules), f"{game}, {name}", players, pairing, seeds, self.budget.pairs
            )
            return {
                f"{a}/{b}": row for (a, b), row in zip(both, share.reshape(len(both), trials).tolist(), strict=True)
            }

        stored = self.within(game).cached_arrays(name, make)
        return {(a, b): stored[f"{a}/{b}"] for a, b in both}

    def _shares(
        self,
        game: Game,
        what: str,
        players: list[Contestant],
        pairing: Sequence[tuple[int, int]],
        seeds: Sequence[int],
        pairs: int,
    ) -> np.ndarray:
        """What the first of every two wins, a draw counting half; every deal is played in both seatings."""
        jobs = [paired_jobs(seed, np.array(two), pairs) for seed, two in zip(seeds, pairing, strict=True)]
        with self.watch.games_bar(what) as progress:
            tallies = play(game, np.concatenate(jobs), players, self.threads, progress)
        scores = by_contestant(tallies["score"], 2).astype(float).reshape(len(pairing), -1, 2)
        won, drawn = winners(scores, game.rules.lower_is_better)
        return np.asarray((won[..., 0] + drawn / 2).mean(axis=1))


def contestants(nets: Sequence[Net]) -> list[Contestant]:
    """Networks as players, named by their number."""
    return [Contestant(f"network {number}", net.policy, net) for number, net in enumerate(nets)]
