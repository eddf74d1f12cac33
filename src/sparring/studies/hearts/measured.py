"""What the hearts study measured, measured again: everything its tables, claims and figures are made of."""

import os
from collections.abc import Mapping
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
from sparring.studies import Watch
from sparring.studies.hearts.rates import NORMAL, UNKNOWN, Met, binomial, crossing_interval
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
    Clocks,
    Work,
    daring,
    named,
    training_of,
)

ROUNDS = 4  # of a game that is learned from
Part = tuple[float, float]  # of a stage: from and to which of its games

# The agents that the study reports: after which stage, under which rules, and how the team plays.
AGENTS = {
    "play": ("play alone, passing and moon off", BARE, ON),
    "pass": ("pass and play before they are tuned, moon off", NO_MOON, ON),
    "tune": ("pass and play, moon off", NO_MOON, PLAIN),
    "moon-play": ("with moon play, passing off", NO_PASSING, OFF),
    "moon": ("with the moon", GAME, OFF),
    "whole": ("the whole agent", GAME, ON),
}
ENDS = {"tune": LAST, "moon": LAST, "whole": LAST}  # play and pass stay as they were tuned
SWEPT = ("play", "whole")  # that meet Monte Carlo players of every strength


@dataclass(frozen=True)
class Curve:
    """A stage's part of a curve: games of the stage, and (trials, points)."""

    games: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Decision:
    """How often a decision is right, of as many hands of yes as of no; and the share of yes among all."""

    right: Interval
    yes: Interval | None = None  # where it is known


@dataclass(frozen=True)
class Measured:
    """Everything the tables, claims and figures are made of."""

    budget: Budget
    trials: int
    seed: int
    folder: Path
    run: Run
    agents: dict[str, dict[str, Met]]  # by agent and opponent
    swept: dict[str, dict[int, Met]]  # by agent and simulations
    defence: dict[str, Met]  # by policy
    defence_curve: dict[int, Met]  # by games of the stage
    shooting: Met  # who always tries against three who never do
    hoping: Met  # who tries where it may succeed against the same
    variants: dict[str, Met]
    readings: dict[str, Met]
    seconds: dict[str, float | None]  # of one core, a trial, by stage
    people: list[Record]  # one's own games

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
        met = list(self.defence_curve.values())
        rows = [scale * each.by_trial(top, bottom) for each in met]
        return Curve(np.array(list(self.defence_curve)), np.array(rows).T)

    def decisions(self) -> dict[str, Decision]:
        """Every decision at the end of its stage."""
        yes = {"moon-decision-4": self.shooting.share("made", "tried"), "defence-decision": self._threatened()}
        stages = [name for name in self.training.plan if self.training.curriculum.stages[name].decides]
        return {stage: Decision(self._right(stage, yes.get(stage)), yes.get(stage)) for stage in stages}

    def _right(self, stage: str, yes: Interval | None) -> Interval:
        """How often a decision is right; of one trial as sure as its exam's rounds of yes, and as many of no, make it."""
        told = self.curve(stage, "exam.player.accuracy").values[:, -1]
        told = told[np.isfinite(told)]
        if len(told) != 1:
            return rate_interval(told) if len(told) else UNKNOWN
        rounds = self.training.options.exam_games * ROUNDS
        return binomial(float(told[0]), 2 * rounds * yes.value if yes else 0.0)

    def gained(self, stage: str, name: str, before: Part, after: Part, rounds: int = 1) -> Interval | None:
        """How much greater a curve of shares is in one part of a stage than in another; None where a part has no points.

        One training is as sure as the games of its points, or so many rounds of each, make it.
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
        """The share of rounds in which another shoots the moon, of the three who do not try."""
        sums = self.hoping.sums
        seen = Met({"moons": 2 * (sums["moons"] + sums["against"]) + sums["moons"], "rounds": 3 * sums["rounds"]})
        return seen.share("moons", "rounds")

    def crossing(self, agent: str) -> Interval:
        """The simulations at which an agent's win ratio falls to a quarter."""
        return crossing_interval(self.swept[agent], derive(self.seed, "crossing"))


def measure(
    budget: Budget, trials: int, seed: int, runs: Path, name: str, threads: int | None, watch: Watch
) -> Measured:
    """Do whatever has not been done yet. Short trainings are shared between numbers of trials."""
    shared = Work(seed, runs / name, threads, watch, budget)
    own = Work(seed, runs / name / f"{trials}-trials", threads, watch, budget)
    run = own.agent(trials)
    teams = {agent: own.stage_teams(ENDS.get(agent, agent), trials) for agent in AGENTS}
    last, deals = teams["whole"], budget.defence_deals
    policies = {"on": ON, "off": OFF, "always": ALWAYS}
    steps = range(budget.every, budget.games[LAST] + 1, budget.every)
    return Measured(
        budget, trials, seed, own.folder, run,
        agents={agent: meetings(own, agent, nets) for agent, nets in teams.items()},
        swept={agent: sweep(own, agent, teams[agent]) for agent in SWEPT},
        defence={word: own.itself(f"table-5.3-{word}", last, policy, OFF, deals) for word, policy in policies.items()},
        defence_curve={games: own.defence_point([], games) for games in steps},
        shooting=own.itself("forced", [daring(net, FORCED) for net in last], OFF, PLAIN, budget.deals),
        hoping=own.itself("hopeful", [daring(net, HOPEFUL) for net in last], OFF, PLAIN, budget.deals),
        variants={each: short(shared, each, shared.variant(each), BARE, {}) for each in VARIANTS},
        readings={each: short(shared, each, shared.reading(each), NO_PASSING, HOPEFUL) for each in READINGS},
        seconds={stage: stage_seconds(own, run, stage) for stage in budget.games},
        people=own_games(runs),
    )  # fmt: skip


def meetings(work: Work, agent: str, nets: list[Net]) -> dict[str, Met]:
    """An agent against three rule-based and three Monte Carlo players."""
    _, game, policy = AGENTS[agent]
    players = [Contestant(agent, policy, net) for net in nets]
    whom = (RULE_BASED, monte_carlo(work.budget.beside))
    return {opponent: work.met(f"{agent}-{opponent}", game, players, opponent, work.budget.deals) for opponent in whom}


def sweep(work: Work, agent: str, nets: list[Net]) -> dict[int, Met]:
    """An agent against Monte Carlo players of every strength."""
    _, game, policy = AGENTS[agent]
    players = [Contestant(agent, policy, net) for net in nets]
    return {
        number: work.met(f"{agent}-{monte_carlo(number)}", game, players, monte_carlo(number), work.budget.deals)
        for number in work.budget.simulations
    }


def short(work: Work, name: str, run: Run, game: str, thresholds: Mapping[str, float]) -> Met:
    """What came of a short training, against three rule-based players."""
    nets = [champion.net for champion in run.champions()]
    players = [Contestant(name, OFF, daring(net, thresholds)) for net in nets if net is not None]
    return work.met(f"short-{name}", game, players, RULE_BASED, work.budget.compared_deals)


def stage_seconds(work: Work, run: Run, stage: str) -> float | None:
    steps = -(-work.budget.games[stage] // work.budget.step)
    total = Clocks(work.folder / AGENT).of(stage).total(steps)
    return None if total is None else total / run.experiment.trials


def own_games(runs: Path) -> list[Record]:
    """How whoever plays at a terminal does, where games are recorded; looking makes no store."""
    if not (runs / STORE).exists() and not os.environ.get("SPARRING_DB"):
        return []
    return own_records(Store(runs), named(GAME))
