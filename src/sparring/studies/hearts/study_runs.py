"""The runs of the hearts study: trainings, and games of the results."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.play import Progress, paired_jobs, play
from sparring.arena.players import Contestant, find_player
from sparring.errors import UserError
from sparring.games import Game, find_game
from sparring.kernel.random import derive
from sparring.lab.run import Report, Run
from sparring.learn import Training
from sparring.learn.curriculum import CurriculumTraining
from sparring.nets.dense import Net
from sparring.nets.files import SUFFIX, load_net, save_net
from sparring.studies import Watch
from sparring.studies.hearts.rates import OTHERS, SEATINGS, Counts
from sparring.studies.hearts.settings import GAME, Budget, agent_table, reading_table, variant_table
from sparring.studies.study_cache import Stopwatch, StudyCache

AGENT, LAST = "agent", "defence-play"
ON, OFF, ALWAYS, PLAIN = "net", "net+undefended", "net+always", "net+plain"
named = cache(find_game)  # finding a game loads its compiled code


def training_of(run: Run) -> CurriculumTraining:
    """A run's finished training."""
    training = run.training()
    assert isinstance(training, CurriculumTraining)
    return training


def with_thresholds(net: Net, thresholds: Mapping[str, float]) -> Net:
    """A team with other decision thresholds."""
    roles = named(GAME).policies.roles
    return Net.team(list(roles), net.parts, {**net.thresholds, **thresholds})


@dataclass(frozen=True)
class ObservingWatch:
    """A watch that calls `observe` after every step of a training."""

    watch: Watch
    observe: Report

    @contextmanager
    def training_bar(self, what: str) -> Iterator[Report]:
        with self.watch.training_bar(what) as report:

            def observed(training: Training, games: int) -> None:
                self.observe(training, games)
                report(training, games)

            yield observed

    def games_bar(self, what: str, unit: str = "games") -> AbstractContextManager[Progress]:
        return self.watch.games_bar(what, unit)


class StudyRuns(StudyCache[Budget]):
    """The study's trainings and games."""

    # Trainings.

    def agent(self, trials: int) -> Run:
        """The whole curriculum; stores the team at the end of every stage, its time, and the games of the last stage."""
        clocks = StageClocks(self.folder / AGENT)

        def observe(training: Training, games: int) -> None:
            assert isinstance(training, CurriculumTraining)
            clocks.stop(training)
            stage, within = training.stage_at(training.step - 1)
            if training.step == training.ends[stage]:
                for trial, net in enumerate(training.champions()):
                    save_net(self._stage_path(stage, trial), net)
            if stage == LAST and (within + 1) * self.budget.step % self.budget.every == 0:
                self.defence_point(training.champions(), (within + 1) * self.budget.step)
            clocks.start()

        watched = replace(self, watch=ObservingWatch(self.watch, observe))
        return watched.trained(AGENT, trials, agent_table(self.budget))

    def variant(self, name: str) -> Run:
        """A short training of play. All have the same seed, so that the trials of two variants are paired."""
        return self._short(f"play-{name}", variant_table(name, self.budget), "variants")

    def reading(self, name: str) -> Run:
        """A short training of moon play."""
        return self._short(name, reading_table(name, self.budget), "readings")

    def _short(self, name: str, table: dict[str, Any], purpose: str) -> Run:
        trials = self.budget.compared_trials
        return self.trained_run(table | {"name": name, "trials": trials, "seed": self.seed_of(purpose)})

    def stage_teams(self, stage: str, trials: int) -> list[Net]:
        """Every trial's team at the end of a stage."""
        paths = [self._stage_path(stage, trial) for trial in range(trials)]
        missing = next((path for path in paths if not path.exists()), None)
        if missing:
            raise UserError(
                f"{missing}: missing, because another command trained {self.folder / AGENT}; delete that folder"
            )
        return [load_net(path, named(GAME)) for path in paths]

    def _stage_path(self, stage: str, trial: int) -> Path:
        return self.folder / "stages" / f"{stage}-{trial:03d}{SUFFIX}"

    # Games.

    def against(
        self, name: str, game: str, players: Sequence[Contestant], opponents: str | Sequence[Contestant], deals: int
    ) -> Counts:
        """Every trial's player against three of an opponent, over deals that no training uses and all matchups share."""

        def make() -> dict[str, Any]:
            the_game = named(game)
            if isinstance(opponents, str):
                others: Sequence[Contestant] = [find_player(the_game, opponents)] * len(players)
            else:
                others = opponents
            with self.watch.games_bar(name) as progress:
                return Counts.of([
                    self._play(the_game, list(pair), deals, trial, progress)
                    for trial, pair in enumerate(zip(players, others, strict=True))
                ]).json()  # fmt: skip

        return Counts(self.cached_arrays(name, make))

    def defence_point(self, teams: Sequence[Net], games: int) -> Counts:
        """A point of Figure 5.13: a team that defends against three of itself that do not."""
        return self.itself(f"defence-{games}", teams, ON, OFF, -(-self.budget.point // SEATINGS))

    def itself(self, name: str, teams: Sequence[Net], policy: str, others: str, deals: int) -> Counts:
        """Every trial's team against three of itself under another policy."""
        players, opponents = ([Contestant(p, p, net) for net in teams] for p in (policy, others))
        return self.against(name, GAME, players, opponents, deals)

    def _play(self, game: Game, players: list[Contestant], deals: int, trial: int, progress: Progress) -> np.ndarray:
        jobs = paired_jobs(derive(self.seed, "report", trial), np.array([0, *[1] * OTHERS]), deals, "rotated")
        return play(game, jobs, players, self.threads, progress)


class StageClocks:
    """Processor seconds per stage, in `NAME-STAGE-seconds.json`.

    Steps that end with a point of the curves are left out, because the games of the curves take longer.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark: float | None = None

    def of(self, stage: str) -> Stopwatch:
        return Stopwatch(self.folder.with_name(f"{self.folder.name}-{stage}"))

    def stop(self, training: CurriculumTraining) -> None:
        """A step ends."""
        if self.mark is None or training.step % training.options.curve_every == 0:
            return
        clock = self.of(training.stage_at(training.step - 1)[0])
        clock.steps, clock.seconds = clock.steps + 1, clock.seconds + time.process_time() - self.mark
        clock.write()

    def start(self) -> None:
        """The next step begins."""
        self.mark = time.process_time()
