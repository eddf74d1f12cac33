"""The measurements of the hearts study: the data of its tables, claims and figures."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sparring.arena.players import Contestant
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.kernel.random import derive
from sparring.lab.experiment import STORE
from sparring.lab.person_record import Record, own_records
from sparring.lab.run import Run
from sparring.lab.store import Store
from sparring.learn.curriculum import CurriculumTraining
from sparring.nets.dense import Net
from sparring.studies.hearts.rates import NORMAL, UNKNOWN, Counts, binomial, crossing_interval
from sparring.studies.hearts.settings import (
    BARE,
    FORCED,
    GAME,
    HOPEFUL,
    NO_MOON,
    NO_PASSING,
    READINGS,
    RULE_BASED,
    VARIANTS,
    Budget,
    monte_carlo,
)
from sparring.studies.hearts.study_runs import (
    AGENT,
    ALWAYS,
    LAST,
    OFF,
    ON,
    PLAIN,
    StageClocks,
    StudyRuns,
    named,
    training_of,
    with_thresholds,
)
from sparring.studies.study import Measurement

ROUNDS = 4  # of a training game
Part = tuple[float, float]  # of a stage: from and to which game

# The agents that the study reports: title, rules, and policy of the team.
AGENTS = {
    "play": ("play alone, passing and moon off", BARE, ON),
    "pass": ("pass and play before they are tuned, moon off", NO_MOON, ON),
    "tune": ("pass and play, moon off", NO_MOON, PLAIN),
    "moon-play": ("with moon play, passing off", NO_PASSING, OFF),
    "moon": ("with the moon", GAME, OFF),
    "whole": ("the whole agent", GAME, ON),
}
ENDS = {"tune": LAST, "moon": LAST, "whole": LAST}  # play and pass stay as tuned
SWEPT = ("play", "whole")  # play Monte Carlo players of every strength


@dataclass(frozen=True)
class Curve:
    """A stage's part of a curve: games of the stage, and (trials, points)."""

    games: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Decision:
    """How often a decision is right, with as many hands of yes as of no; and the share of yes among all."""

    right: Interval
    yes: Interval | None = None  # if known


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    run: Run
    agents: dict[str, dict[str, Counts]]  # by agent and opponent
    swept: dict[str, dict[int, Counts]]  # by agent and simulations
    defence: dict[str, Counts]  # by policy
    defence_curve: dict[int, Counts]  # by games of the stage
    shooting: Counts  # always attempting the moon against three that never do
    hoping: Counts  # attempting likely moons against the same
    variants: dict[str, Counts]
    readings: dict[str, Counts]
    seconds: dict[str, float | None]  # on one core, per trial, by stage
    people: list[Record]  # the user's own games

    @cached_property
    def training(self) -> CurriculumTraining:
        return training_of(self.run)

    @cached_property
    def _curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        return self.training.curves()

    def curve(self, stage: str, name: str) -> Curve:
        """A stage's part of one of the training's curves."""
        games, curves = self._curves
        end, step = self.training.ends[stage], self.budget.step
        first = (end - self.training.plan[stage]) * step
        inside = (games > first) & (games <= end * step)
        return Curve(games[inside] - first, curves[name][:, inside])

    def defending(self, top: str, bottom: str, scale: float = 1.0) -> Curve:
        """A part of Figure 5.13."""
        rows = [scale * counts.by_trial(top, bottom) for counts in self.defence_curve.values()]
        return Curve(np.array(list(self.defence_curve)), np.array(rows).T)

    def decisions(self) -> dict[str, Decision]:
        """Every decision at the end of its stage."""
        yes = {"moon-decision-4": self.shooting.share("made", "tried"), "defence-decision": self._threatened()}
        stages = [name for name in self.training.plan if self.training.curriculum.stages[name].decides]
        return {stage: Decision(self._right(stage, yes.get(stage)), yes.get(stage)) for stage in stages}

    def _right(self, stage: str, yes: Interval | None) -> Interval:
        """How often a decision is right; for one trial with the interval of its exam's rounds of yes and as many of no."""
        values = self.curve(stage, "exam.player.accuracy").values[:, -1]
        values = values[np.isfinite(values)]
        if len(values) != 1:
            return rate_interval(values) if len(values) else UNKNOWN
        rounds = self.training.options.exam_games * ROUNDS
        return binomial(float(values[0]), 2 * rounds * yes.value if yes else 0.0)

    def gained(self, stage: str, name: str, before: Part, after: Part, rounds: int = 1) -> Interval | None:
        """A curve of shares in one part of a stage minus another part; None if a part has no points.

        One training has the interval of the games of its points, or of so many rounds of each game.
        """
        curve = self.curve(stage, name)
        parts = [curve.values[:, (curve.games > low) & (curve.games <= high)] for low, high in (before, after)]
        if min(part.shape[1] for part in parts) == 0:
            return None
        means = [part.mean(axis=1) for part in parts]
        if self.trials > 1:
            return mean_interval(means[1] - means[0])
        value, variance = float(means[1][0] - means[0][0]), 0.0
        for part, mean in zip(parts, means, strict=True):
            share = float(np.clip(mean[0], 0.01, 0.99))
            variance += share * (1 - share) / (part.shape[1] * self.budget.point * rounds)
        half = NORMAL * float(np.sqrt(variance))
        return Interval(value, value - half, value + half)

    def _threatened(self) -> Interval:
        """The share of rounds in which another player shoots the moon, for the three that do not try."""
        sums = self.hoping.sums
        seen = Counts({"moons": 2 * (sums["moons"] + sums["against"]) + sums["moons"], "rounds": 3 * sums["rounds"]})
        return seen.share("moons", "rounds")

    def crossing(self, agent: str) -> Interval:
        """The simulations at which an agent's win ratio falls to a quarter."""
        return crossing_interval(self.swept[agent], derive(self.seed, "crossing"))


def measure(shared: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached. Short trainings are shared between numbers of trials."""
    own, budget = shared.within(f"{trials}-trials"), shared.budget
    run = own.agent(trials)
    teams = {agent: own.stage_teams(ENDS.get(agent, agent), trials) for agent in AGENTS}
    last, deals = teams["whole"], budget.defence_deals
    policies = {"on": ON, "off": OFF, "always": ALWAYS}
    steps = range(budget.every, budget.games[LAST] + 1, budget.every)
    return Measured(
        budget, trials, own.seed, own.folder, run,
        agents={agent: games(own, agent, nets, (RULE_BASED, monte_carlo(budget.beside))) for agent, nets in teams.items()},
        swept={agent: sweep(own, agent, teams[agent]) for agent in SWEPT},
        defence={word: own.itself(f"table-5.3-{word}", last, policy, OFF, deals) for word, policy in policies.items()},
        defence_curve={games: own.defence_point([], games) for games in steps},
        shooting=own.itself("forced", [with_thresholds(net, FORCED) for net in last], OFF, PLAIN, budget.deals),
        hoping=own.itself("hopeful", [with_thresholds(net, HOPEFUL) for net in last], OFF, PLAIN, budget.deals),
        variants={each: short(shared, each, shared.variant(each), BARE, {}) for each in VARIANTS},
        readings={each: short(shared, each, shared.reading(each), NO_PASSING, HOPEFUL) for each in READINGS},
        seconds={stage: stage_seconds(own, run, stage) for stage in budget.games},
        people=own_games(shared.folder.parent),
    )  # fmt: skip


def games(runs: StudyRuns, agent: str, nets: list[Net], opponents: Iterable[str]) -> dict[str, Counts]:
    """An agent against three of each opponent."""
    _, game, policy = AGENTS[agent]
    players = [Contestant(agent, policy, net) for net in nets]
    return {name: runs.against(f"{agent}-{name}", game, players, name, runs.budget.deals) for name in opponents}


def sweep(runs: StudyRuns, agent: str, nets: list[Net]) -> dict[int, Counts]:
    """An agent against Monte Carlo players of every strength."""
    simulations = runs.budget.simulations
    return dict(zip(simulations, games(runs, agent, nets, map(monte_carlo, simulations)).values(), strict=True))


def short(runs: StudyRuns, name: str, run: Run, game: str, thresholds: Mapping[str, float]) -> Counts:
    """The result of a short training, against three rule-based players."""
    nets = [champion.net for champion in run.champions()]
    players = [Contestant(name, OFF, with_thresholds(net, thresholds)) for net in nets if net is not None]
    return runs.against(f"short-{name}", game, players, RULE_BASED, runs.budget.compared_deals)


def stage_seconds(runs: StudyRuns, run: Run, stage: str) -> float | None:
    steps = -(-runs.budget.games[stage] // runs.budget.step)
    total = StageClocks(runs.folder / AGENT).of(stage).total(steps)
    return None if total is None else total / run.experiment.trials


def own_games(runs: Path) -> list[Record]:
    """The record of the user at this terminal, if games are recorded; does not create a store."""
    if not (runs / STORE).exists() and not os.environ.get("SPARRING_DB"):
        return []
    return own_records(Store(runs), named(GAME))
