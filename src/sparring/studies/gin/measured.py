"""What the gin rummy study measured, measured again: everything its tables, claims and figures are made of."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from sparring.arena.players import Contestant
from sparring.arena.statistics import Interval
from sparring.lab.run import Run
from sparring.studies import Watch
from sparring.studies.gin.clusters import rotated
from sparring.studies.gin.matchups import Met, RoundRobin
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.settings import METHODS, PLAYERS, VARIANTS, Budget
from sparring.studies.gin.study_runs import SIMPLE, TURNS, Work, games_at, trained_games, training_of
from sparring.studies.study_cache import core_seconds

Told = dict[str, np.ndarray]


@dataclass(frozen=True)
class Player:
    """A trained player: how it came to be, and what it was like on the way."""

    title: str
    kind: str
    champion: Contestant
    versions: list[Contestant]  # after equal parts of its training; the last is the champion
    games: np.ndarray  # at the points of its curve
    turns: np.ndarray  # a game


@dataclass(frozen=True)
class Regimes:
    """A kind's players after each part of their training, against themselves at other times."""

    games: int  # of a part
    leads: np.ndarray  # of the row's version over the column's, (players, versions, versions)
    best: np.ndarray  # the version that did best among them, of each player
    last: list[Interval]  # the last one's lead over that, on other deals; 0 where it is the best

    @property
    def worse(self) -> np.ndarray:
        """Whose last version is worse than an earlier one, by more than chance."""
        return np.array([interval.high < 0 for interval in self.last], float)

    @property
    def over_earlier(self) -> np.ndarray:
        """The last version's mean lead over the earlier ones, of each player."""
        return np.asarray(self.leads[:, -1, :-1].mean(axis=1))


@dataclass(frozen=True)
class Cost:
    """What a training took: of a player or, of several trials, each of them."""

    title: str
    kind: str
    trials: int
    games: int  # of a trial
    seconds: float | None  # of one core, a trial
    wall: float | None  # by the clock, all trials; None where several trainings ran together


@dataclass(frozen=True)
class Duel:
    """Evolution against TD: each trial of the one with several of the other, (trials, rotations)."""

    met: Met
    games: dict[str, int]  # of training behind each side
    seconds: dict[str, float]


@dataclass(frozen=True)
class Variant:
    """A way to train, trial by trial: against players that do not change, its method as the study had it, and the other."""

    title: str
    kind: str
    fixed: dict[str, Met]
    own: Met | None = None
    other: Met | None = None


@dataclass(frozen=True)
class Measured:
    """Everything the tables, claims and figures are made of."""

    budget: Budget
    trials: int
    seed: int
    folder: Path
    players: list[Player]
    random: Told  # couples of random nets: turns a game, share of games that no turn ended
    tournament: RoundRobin
    regimes: dict[str, Regimes]  # by kind
    costs: list[Cost]
    wall: float | None  # by the clock, all of these trainings
    equal_games: Duel | None = None
    equal_time: Duel | None = None
    variants: dict[str, Variant] = field(default_factory=dict)

    def of(self, kind: str) -> list[Player]:
        return [player for player in self.players if player.kind == kind]

    @cached_property
    def turns(self) -> dict[str, np.ndarray]:
        """Turns a game during training by kind, (players, points); points are parts of the training."""
        found = {}
        for kind in KINDS:
            curves = [player.turns for player in self.of(kind)]
            points = min(len(curve) for curve in curves)
            found[kind] = np.array([curve[:points] for curve in curves])
        return found


def last_tenth(turns: np.ndarray) -> np.ndarray:
    """The mean of each curve's last tenth."""
    return np.asarray(turns[:, -max(1, turns.shape[1] // 10) :].mean(axis=1))


def measure(budget: Budget, trials: int, seed: int, folder: Path, threads: int | None, watch: Watch) -> Measured:
    """Do whatever has not been done yet."""
    own = "players" if budget.of_players else f"{trials}-trials"
    work = Work(seed, folder / own, threads, watch, budget)
    if budget.of_players:
        runs = work.players()
        players = [each for name, run in runs.items() for each in players_of(run, PLAYERS[name].kind)]
        costs = [cost(work, run, PLAYERS[name].title, PLAYERS[name].kind) for name, run in runs.items()]
        return Measured(budget, 1, seed, work.folder, players, *analysed(work, players), costs, work.wall("players"))
    runs = {name: work.trials(name, setting, trials) for name, setting in METHODS.items()}
    players = [each for name, run in runs.items() for each in players_of(run, METHODS[name].kind)]
    games, time = duels(work, runs, players)
    analysis = analysed(work, players)
    variants = {name: VARIANTS[name] for name in budget.variants}
    runs |= {name: work.trials(name, setting, trials) for name, setting in variants.items()}
    judged = {name: judge(work, name, runs) for name in runs}
    settings = METHODS | variants
    costs = [cost(work, run, settings[name].title, settings[name].kind) for name, run in runs.items()]
    walls = [each.wall for each in costs]
    wall = None if None in walls else sum(filter(None, walls))
    return Measured(budget, trials, seed, work.folder, players, *analysis, costs, wall, games, time, judged)


def analysed(work: Work, players: list[Player]) -> tuple[Told, RoundRobin, dict[str, Regimes]]:
    """What the study looks at: its tournament, its versions of players, and how long random nets play."""
    random = {name: np.array(values) for name, values in work.random_turns().items()}
    everyone = [*(player.champion for player in players), work.randumb()]
    titles, kinds = [*(p.title for p in players), RANDUMB], [*(p.kind for p in players), RANDUMB]
    tournament = work.tournament(everyone, titles, kinds)
    return random, tournament, {kind: regimes(work, [p for p in players if p.kind == kind]) for kind in KINDS}


def players_of(run: Run, kind: str) -> list[Player]:
    """A run's trials as players; a single one has the name of its training."""
    training, name = training_of(run), run.folder.name
    places, curves = training.curves()
    games, champions = games_at(training, places), run.champions()
    title = PLAYERS[name].title if name in PLAYERS else METHODS[name].title
    found = []
    for trial, champion in enumerate(champions):
        words = title if len(champions) == 1 else f"{title} {trial + 1}"
        versions = [Contestant(f"{words}, {n}", net.policy, net) for n, net in enumerate(training.snapshots(trial), 1)]
        found.append(Player(words, kind, champion, versions, games, curves[TURNS][trial]))
    return found


def regimes(work: Work, players: list[Player]) -> Regimes:
    """Versions of players against each other; the best of them is chosen on other deals than it is tried on."""
    kind, versions = players[0].kind, [player.versions for player in players]
    leads = work.versions(f"{kind.lower()}-versions", versions)
    best = leads.sum(axis=2).argmax(axis=1)
    last = work.last_against(f"{kind.lower()}-last", versions, best.tolist())
    return Regimes(work.budget.games_of(kind) // len(versions[0]), leads, best, last)


def cost(work: Work, run: Run, title: str, kind: str) -> Cost:
    return Cost(title, kind, run.experiment.trials, trained_games(run), core_seconds(run), work.wall(run.folder.name))


# Evolution and TD.


def duels(work: Work, runs: dict[str, Run], players: list[Player]) -> tuple[Duel, Duel | None]:
    """Champions after equal games; and, of who had more time for them, the version that had as much as the other."""
    sides = {kind: [player for player in players if player.kind == kind] for kind in KINDS}
    told = {kind: core_seconds(runs[kind.lower()]) for kind in KINDS}
    seconds = {kind: value or 0.0 for kind, value in told.items()}
    versions = dict.fromkeys(KINDS, work.budget.versions - 1)
    equal_games = duel(work, "evo-td", sides, versions, seconds)
    if None in told.values():
        return equal_games, None
    slow, quick = sorted(KINDS, key=lambda kind: -seconds[kind])
    times = seconds[slow] * time_shares(sides[slow], work.budget.versions)

    def make() -> int:
        return int(np.abs(times - seconds[quick]).argmin())

    chosen = work.kept("evo-td-time-version", make)
    return equal_games, duel(
        work, "evo-td-time", sides, versions | {slow: chosen}, seconds | {slow: float(times[chosen])}
    )


def duel(
    work: Work, name: str, sides: dict[str, list[Player]], versions: dict[str, int], seconds: dict[str, float]
) -> Duel:
    """Versions of all trials of both kinds, each with several of the other."""
    trials = len(sides[EVO])
    who = rotated(trials, work.budget.rotations)
    first, second = ([player.versions[versions[kind]] for player in sides[kind]] for kind in (EVO, TD))
    found = work.meetings(name, first, second, who).rotations(trials)
    games = {kind: work.budget.games * (versions[kind] + 1) // work.budget.versions for kind in KINDS}
    return Duel(found, games, seconds)


def time_shares(players: list[Player], parts: int) -> np.ndarray:
    """The share of a training's time at the end of each of its parts: time goes with the turns played."""
    games = players[0].games
    turns = np.mean([player.turns for player in players], axis=0) * np.diff(games, prepend=0)
    done = np.concatenate([[0.0], np.cumsum(turns)]) / turns.sum()
    ends = games[-1] * (np.arange(parts) + 1) / parts
    return np.asarray(np.interp(ends, np.concatenate([[0], games]), done))


# Variants.


def judge(work: Work, name: str, runs: dict[str, Run]) -> Variant:
    """A way to train against fixed players, and trial by trial against both methods as the study had them."""
    setting, champions = (METHODS | VARIANTS)[name], runs[name].champions()
    each = [(trial, 0) for trial in range(len(champions))]
    fixed = {
        opponent: work.meetings(f"{name}-against-{opponent.lower()}", champions, [player], each)
        for opponent, player in ((RANDUMB, work.randumb()), (SIMPLE, Contestant(SIMPLE, SIMPLE)))
    }
    if name in METHODS:
        return Variant(setting.title, setting.kind, fixed)
    own, other = (
        work.meetings(f"{name}-against-{base}", champions, runs[base].champions(), [(t, t) for t, _ in each])
        for base in sorted(METHODS, key=lambda base: METHODS[base].kind != setting.kind)
    )
    return Variant(setting.title, setting.kind, fixed, own, other)
