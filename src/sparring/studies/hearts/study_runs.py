"""The hearts study's pieces of work: trainings, and games of what they made, kept once they are done."""

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
from sparring.studies.hearts.rates import OTHERS, SEATINGS, Met
from sparring.studies.hearts.settings import GAME, Budget, agent_table, reading_table, variant_table
from sparring.studies.study_cache import Kept, Stopwatch

AGENT, LAST = "agent", "defence-play"
ON, OFF, ALWAYS, PLAIN = "net", "net+undefended", "net+always", "net+plain"
named = cache(find_game)  # every game that is found loads its compiled code anew


def training_of(run: Run) -> CurriculumTraining:
    """A run's training, as it ended."""
    training = run.training()
    assert isinstance(training, CurriculumTraining)
    return training


def daring(net: Net, thresholds: Mapping[str, float]) -> Net:
    """A team that decides by other thresholds."""
    roles = named(GAME).policies.roles
    return Net.team(list(roles), net.parts, {**net.thresholds, **thresholds})


@dataclass(frozen=True)
class Looking:
    """A watch of a training through which it is looked at after every step."""

    watch: Watch
    look: Report

    @contextmanager
    def training_bar(self, what: str) -> Iterator[Report]:
        with self.watch.training_bar(what) as report:

            def hear(training: Training, games: int) -> None:
                self.look(training, games)
                report(training, games)

            yield hear

    def games_bar(self, what: str, unit: str = "games") -> AbstractContextManager[Progress]:
        return self.watch.games_bar(what, unit)


@dataclass(frozen=True)
class Work(Kept):
    """Pieces of work within a budget."""

    budget: Budget

    # Trainings.

    def agent(self, trials: int) -> Run:
        """The whole curriculum; on the way are kept the team at the end of every stage, its time, and the last stage's games."""
        clocks = Clocks(self.folder / AGENT)

        def look(training: Training, games: int) -> None:
            assert isinstance(training, CurriculumTraining)
            clocks.hear(training)
            stage, within = training.stage_at(training.step - 1)
            if training.step == training.ends[stage]:
                for trial, net in enumerate(training.champions()):
                    save_net(self._stage_path(stage, trial), net)
            if stage == LAST and (within + 1) * self.budget.step % self.budget.every == 0:
                self.defence_point(training.champions(), (within + 1) * self.budget.step)
            clocks.go_on()

        table = agent_table(self.budget) | {"name": AGENT, "trials": trials, "seed": self._seed(AGENT)}
        return replace(self, watch=Looking(self.watch, look)).trained(table)

    def variant(self, name: str) -> Run:
        """A short training of play. All have the same seed, so that trials of two are pairs."""
        return self._short(f"play-{name}", variant_table(name, self.budget), "variants")

    def reading(self, name: str) -> Run:
        """A short training of moon play."""
        return self._short(name, reading_table(name, self.budget), "readings")

    def _short(self, name: str, table: dict[str, Any], purpose: str) -> Run:
        return self.trained(table | {"name": name, "trials": self.budget.compared_trials, "seed": self._seed(purpose)})

    def _seed(self, purpose: str) -> int:
        return derive(self.seed, purpose) % 2**63

    def stage_teams(self, stage: str, trials: int) -> list[Net]:
        """Every trial's team at the end of a stage."""
        paths = [self._stage_path(stage, trial) for trial in range(trials)]
        missing = next((path for path in paths if not path.exists()), None)
        if missing:
            raise UserError(
                f"{missing}: not there, since another command trained {self.folder / AGENT}; delete that folder"
            )
        return [load_net(path, named(GAME)) for path in paths]

    def _stage_path(self, stage: str, trial: int) -> Path:
        return self.folder / "stages" / f"{stage}-{trial:03d}{SUFFIX}"

    # Games.

    def met(
        self, name: str, game: str, players: Sequence[Contestant], opponents: str | Sequence[Contestant], deals: int
    ) -> Met:
        """Every trial's player against three of an opponent, over deals that training does not see and all meetings share."""

        def make() -> dict[str, Any]:
            the_game = named(game)
            if isinstance(opponents, str):
                whom: Sequence[Contestant] = [find_player(the_game, opponents)] * len(players)
            else:
                whom = opponents
            with self.watch.games_bar(name) as progress:
                return Met.of([
                    self._played(the_game, [player, other], deals, trial, progress)
                    for trial, (player, other) in enumerate(zip(players, whom, strict=True))
                ]).json()  # fmt: skip

        return Met.from_json(self.kept(name, make))

    def defence_point(self, teams: Sequence[Net], games: int) -> Met:
        """A point of Figure 5.13: a team that defends against three of itself that do not."""
        return self.itself(f"defence-{games}", teams, ON, OFF, -(-self.budget.point // SEATINGS))

    def itself(self, name: str, teams: Sequence[Net], policy: str, others: str, deals: int) -> Met:
        """Every trial's team against three of itself under another policy."""
        players, opponents = ([Contestant(p, p, net) for net in teams] for p in (policy, others))
        return self.met(name, GAME, players, opponents, deals)

    def _played(self, game: Game, players: list[Contestant], deals: int, trial: int, progress: Progress) -> np.ndarray:
        jobs = paired_jobs(derive(self.seed, "report", trial), np.array([0, *[1] * OTHERS]), deals, "rotated")
        return play(game, jobs, players, self.threads, progress)


class Clocks:
    """Seconds of processor time of every stage, in `NAME-STAGE-seconds.json`; steps that end with a point of the curves are left
    out, since who is met there plays longer than who learns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark: float | None = None

    def of(self, stage: str) -> Stopwatch:
        return Stopwatch(self.folder.with_name(f"{self.folder.name}-{stage}"))

    def hear(self, training: CurriculumTraining) -> None:
        """A step is done."""
        if self.mark is None or training.step % training.options.curve_every == 0:
            return
        clock = self.of(training.stage_at(training.step - 1)[0])
        clock.steps, clock.seconds = clock.steps + 1, clock.seconds + time.process_time() - self.mark
        clock.write()

    def go_on(self) -> None:
        """The next step begins."""
        self.mark = time.process_time()
