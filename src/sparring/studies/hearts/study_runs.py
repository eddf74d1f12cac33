"""The runs of the hearts study: trainings, and games of the results."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import match
from sparring.arena.play import Progress, paired_jobs, play
from sparring.arena.players import Contestant, find_player
from sparring.errors import UserError
from sparring.games import Played, find_game
from sparring.kernel.random import derive
from sparring.lab.run import Report, Run
from sparring.learn import Training
from sparring.learn.curriculum import CurriculumTraining
from sparring.nets.dense import Net
from sparring.nets.files import SUFFIX, load_net, replace_file, save_net
from sparring.studies import Watch
from sparring.studies.hearts import settings
from sparring.studies.hearts.rates import OTHERS, SEATINGS, Counts
from sparring.studies.hearts.settings import GAME, LAST, OFF, ON, UCT, Budget, Match
from sparring.studies.study_cache import StudyCache, finished_training

AGENT, RECORDER = "agent", "searcher@10"
DECISIONS = ("moon-decision", "defence-decision")  # whose thresholds a match may change
training_of = partial(finished_training, kind=CurriculumTraining)
named = cache(find_game)  # finding a game loads its compiled code


def with_thresholds(net: Net, thresholds: Mapping[str, float]) -> Net:
    """A team with other decision thresholds."""
    return Net.team(list(named(GAME).policies.roles), net.parts, {**net.thresholds, **thresholds})


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

    def agent(self, trials: int) -> Run:
        """The whole curriculum; stores the team at the end of every stage, and the games of the curves."""

        def observe(training: Training, _: int) -> None:
            assert isinstance(training, CurriculumTraining)
            stage, within = training.stage_at(training.step - 1)
            if training.step == training.ends[stage]:
                for trial, net in enumerate(training.champions()):
                    save_net(self._stage_path(stage, trial), net)
            games = (within + 1) * self.budget.step
            for opponent in settings.curve_opponents(stage) if games in self.points.get(stage, ()) else ():
                self.curve_point(stage, opponent, games, training.champions())

        watched = replace(self, watch=ObservingWatch(self.watch, observe))
        return watched.trained(AGENT, trials, settings.agent_table(self.budget))

    def other(self, name: str) -> Run:
        """A short training. Those of play have the same seed, so that the trials of two variants are paired."""
        if name.startswith("short "):
            return self._short(name, settings.variant_table(name.removeprefix("short "), self.budget), "variants")
        if name in settings.WHOLES:
            return self._short(name, settings.whole_table(name, self.budget), "wholes", self.budget.whole_trials)
        special = settings.SPECIALS[name]
        log = self.record_games() if special.recorded else Path()
        table = settings.special_table(name, self.budget, self._stage_path(special.before, 0), log)
        trials = self.budget.recorded_trials if special.recorded else self.budget.special_trials
        return self._short(name, table, "specials", trials)

    def _short(self, name: str, table: dict[str, Any], purpose: str, trials: int = 0) -> Run:
        common = {"trials": trials or self.budget.compared_trials, "seed": self.seed_of(purpose)}
        return self.trained_run(table | {"name": name.replace(" ", "-")} | common)

    def record_games(self) -> Path:
        """A log of games of one player that shoots moons against three that search."""
        path, game = self.folder / "recorded.log", named(GAME)
        if not path.exists():
            kept: list[Played] = []
            with self.watch.games_bar("recorded games") as progress:
                seed = self.seed_of("recorded")
                match(game, settings.PERSON, RECORDER, pairs=self.budget.recorded, seed=seed, keep=kept.extend,
                      threads=self.threads, progress=progress)  # fmt: skip
            replace_file(path, "\n\n".join(map(game.view.game_text, kept)).encode())
        return path

    def teams(self, source: str, trials: int) -> list[Net]:
        """Every trial's team at the end of a stage (STAGE/0: the first only), or of another training."""
        stage, _, first = source.partition("/")
        if stage not in settings.STAGES:
            return [champion.net for champion in self.other(source).champions() if champion.net is not None]
        paths = [self._stage_path(stage, trial) for trial in range(trials)]
        missing = next((path for path in paths if not path.exists()), None)
        if missing:
            raise UserError(
                f"{missing}: missing, because another command trained {self.folder / AGENT}; delete that folder"
            )
        return [load_net(path, named(GAME)) for path in (paths[:1] * self.budget.recorded_trials if first else paths)]

    def _stage_path(self, stage: str, trial: int) -> Path:
        return self.folder / "stages" / f"{stage}-{trial:03d}{SUFFIX}"

    # Games.

    def played(self, name: str, this: Match, trials: int) -> Counts:
        """The games of a match."""

        def make() -> tuple[list[Contestant], list[Contestant]]:
            one, three = (self._players(player, this.game, trials) for player in (this.one, this.three))
            most = max(len(one), len(three))
            return (one * most)[:most], (three * most)[:most]

        return self.against(name, this.game, make, getattr(self.budget, this.deals))

    def _players(self, player: str, game: str, trials: int) -> list[Contestant]:
        source, colon, policy = player.partition(":")
        if not colon:
            return [find_player(named(game), player)]
        policy, _, thresholds = policy.partition("@")
        changed = dict(zip(DECISIONS, map(float, thresholds.split(",")), strict=False)) if thresholds else {}
        return [Contestant(player, policy, with_thresholds(net, changed)) for net in self.teams(source, trials)]

    def against(self, name: str, game: str, make: Any, deals: int) -> Counts:
        """Every trial's player against three of an opponent, over deals that no training uses and all matches share."""

        def counted() -> dict[str, Any]:
            with self.watch.games_bar(name) as progress:
                pairs = enumerate(zip(*make(), strict=True))
                return Counts.of([self._play(game, pair, deals, trial, progress) for trial, pair in pairs]).json()

        return Counts(self.cached_arrays(name.replace(" ", "-").replace("/", "-"), counted))

    @cached_property
    def points(self) -> dict[str, list[int]]:
        """The points of the curves."""
        return {stage: self.budget.points(stage) for stage in settings.POINTS}

    def curve_point(self, stage: str, opponent: str, games: int, teams: Sequence[Net] = ()) -> Counts:
        """A point of Figures 5.1 to 5.13; in the last a team that defends meets three of itself that do not."""
        game = settings.CURVE_RULES.get(stage, GAME)

        def make() -> tuple[list[Contestant], list[Contestant]]:
            ours, theirs = ([Contestant(policy, policy, net) for net in teams] for policy in (ON, OFF))
            return ours, theirs if stage == LAST else [find_player(named(game), opponent)] * len(teams)

        deals = -(-self.budget.point // SEATINGS // (8 if opponent == UCT else 1))
        return self.against(f"curve {stage} {opponent} {games}", game, make, deals)

    def _play(self, game: str, pair: Sequence[Contestant], deals: int, trial: int, progress: Progress) -> np.ndarray:
        jobs = paired_jobs(derive(self.seed, "report", trial), np.array([0, *[1] * OTHERS]), deals, "rotated")
        return play(named(game), jobs, list(pair), self.threads, progress)
