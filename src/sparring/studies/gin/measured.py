"""The measurements of the gin rummy study: the data of its tables, claims and figures."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sparring.arena.players import Contestant
from sparring.arena.statistics import Interval
from sparring.errors import UserError
from sparring.lab.run import Run
from sparring.studies.gin.clusters import rotated
from sparring.studies.gin.matchups import Matchups, RoundRobin
from sparring.studies.gin.published import EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.settings import METHODS, PLAYERS, VARIANTS, Budget, Setting
from sparring.studies.gin.study_runs import SIMPLE, TURNS, StudyRuns, games_at, trained_games, training_of
from sparring.studies.study import Measurement
from sparring.studies.study_cache import core_seconds


@dataclass(frozen=True)
class Player:
    """A trained player and its training."""

    title: str
    kind: str
    champion: Contestant
    versions: list[Contestant]  # after equal parts of its training; the last is the champion
    games: np.ndarray  # at the points of its curve
    turns: np.ndarray  # per game


@dataclass(frozen=True)
class Regimes:
    """A kind's players after each part of their training, against their own other versions."""

    games: int  # per part
    leads: np.ndarray  # of the row's version over the column's, (players, versions, versions)
    best: np.ndarray  # the best version of each player
    last: list[Interval]  # the last version's lead over the best one, on other deals; 0 if it is the best

    @property
    def worse(self) -> np.ndarray:
        """Whether each player's last version is significantly worse than an earlier one."""
        return np.array([interval.high < 0 for interval in self.last], float)

    @property
    def over_earlier(self) -> np.ndarray:
        """Each player's mean lead of the last version over the earlier ones."""
        return np.asarray(self.leads[:, -1, :-1].mean(axis=1))


@dataclass(frozen=True)
class Cost:
    """The cost of a training."""

    title: str
    kind: str
    trials: int
    games: int  # per trial
    seconds: float | None  # on one core, per trial
    wall: float | None  # elapsed, all trials; None if several trainings ran together


@dataclass(frozen=True)
class Duel:
    """Evolution against TD: each trial of the one against several of the other, (trials, rotations)."""

    matchups: Matchups
    games: dict[str, int]  # of training behind each side
    seconds: dict[str, float]


@dataclass(frozen=True)
class Variant:
    """A way to train: its champions against fixed players, against the study's version of its method, and of the other."""

    title: str
    kind: str
    fixed: dict[str, Matchups]
    own: Matchups | None = None
    other: Matchups | None = None


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    players: list[Player]
    random: dict[str, np.ndarray]  # pairs of random networks: turns per game, share of games at the limit
    tournament: RoundRobin
    regimes: dict[str, Regimes]  # by kind
    costs: list[Cost]
    wall: float | None  # elapsed, all trainings
    equal_games: Duel | None = None
    equal_time: Duel | None = None
    variants: dict[str, Variant] = field(default_factory=dict)

    def of(self, kind: str) -> list[Player]:
        return [player for player in self.players if player.kind == kind]

    @cached_property
    def turns(self) -> dict[str, np.ndarray]:
        """Turns per game during training by kind, (players, points)."""
        found = {}
        for kind in KINDS:
            curves = [player.turns for player in self.of(kind)]
            points = min(len(curve) for curve in curves)
            found[kind] = np.array([curve[:points] for curve in curves])
        return found


def last_tenth(turns: np.ndarray) -> np.ndarray:
    """The mean of each curve's last tenth."""
    return np.asarray(turns[:, -max(1, turns.shape[1] // 10) :].mean(axis=1))


def measure(cache: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached."""
    budget = cache.budget
    if budget.of_players:
        if trials:
            raise UserError(
                f"--trials {trials}: the study's seven players are trained once; trials are for other budgets"
            )
        study = cache.within("players")
        trained = study.players()
        players = [player for name, run in trained.items() for player in players_of(run, PLAYERS[name].kind)]
        costs = [cost(study, run, PLAYERS[name]) for name, run in trained.items()]
        return Measured(
            budget, 1, study.seed, study.folder, players, *analysed(study, players), costs, study.wall("players")
        )
    study = cache.within(f"{trials}-trials")
    trained = {name: study.trials(name, setting, trials) for name, setting in METHODS.items()}
    players = [player for name, run in trained.items() for player in players_of(run, METHODS[name].kind)]
    games, time = duels(study, trained, players)
    analysis = analysed(study, players)
    settings = METHODS | {name: VARIANTS[name] for name in budget.variants}
    trained |= {name: study.trials(name, settings[name], trials) for name in budget.variants}
    variants = {name: variant(study, name, trained) for name in trained}
    costs = [cost(study, run, settings[name]) for name, run in trained.items()]
    walls = [each.wall for each in costs]
    wall = None if None in walls else sum(filter(None, walls))
    return Measured(budget, trials, study.seed, study.folder, players, *analysis, costs, wall, games, time, variants)


def analysed(study: StudyRuns, players: list[Player]) -> tuple[dict[str, np.ndarray], RoundRobin, dict[str, Regimes]]:
    """The study's analyses: games of random networks, the tournament, the versions of players."""
    everyone = [*(player.champion for player in players), study.randumb()]
    titles, kinds = [*(p.title for p in players), RANDUMB], [*(p.kind for p in players), RANDUMB]
    tournament = study.tournament(everyone, titles, kinds)
    by_kind = {kind: regimes(study, [p for p in players if p.kind == kind]) for kind in KINDS}
    return study.random_turns(), tournament, by_kind


def players_of(run: Run, kind: str) -> list[Player]:
    """A run's trials as players; a single one is named after its training."""
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


def regimes(study: StudyRuns, players: list[Player]) -> Regimes:
    """Versions of players against each other; the best is chosen on other deals than it is tested on."""
    kind, versions = players[0].kind, [player.versions for player in players]
    leads = study.versions(f"{kind.lower()}-versions", versions)
    best = leads.sum(axis=2).argmax(axis=1)
    last = study.last_against(f"{kind.lower()}-last", versions, best.tolist())
    return Regimes(study.budget.games_of(kind) // len(versions[0]), leads, best, last)


def cost(study: StudyRuns, run: Run, setting: Setting) -> Cost:
    trials, wall = run.experiment.trials, study.wall(run.folder.name)
    return Cost(setting.title, setting.kind, trials, trained_games(run), core_seconds(run), wall)


# Evolution and TD.


def duels(study: StudyRuns, runs: dict[str, Run], players: list[Player]) -> tuple[Duel, Duel | None]:
    """Champions after equal games; and after equal time, where the slower method enters an earlier version."""
    sides = {kind: [player for player in players if player.kind == kind] for kind in KINDS}
    measured = {kind: core_seconds(runs[kind.lower()]) for kind in KINDS}
    seconds = {kind: value or 0.0 for kind, value in measured.items()}
    versions = dict.fromkeys(KINDS, study.budget.versions - 1)
    equal_games = duel(study, "evo-td", sides, versions, seconds)
    if None in measured.values():
        return equal_games, None
    slow, quick = sorted(KINDS, key=lambda kind: -seconds[kind])
    times = seconds[slow] * time_shares(sides[slow], study.budget.versions)
    version = study.cached("evo-td-time-version", lambda: int(np.abs(times - seconds[quick]).argmin()))
    equal_time = duel(study, "evo-td-time", sides, versions | {slow: version}, seconds | {slow: float(times[version])})
    return equal_games, equal_time


def duel(
    study: StudyRuns, name: str, sides: dict[str, list[Player]], versions: dict[str, int], seconds: dict[str, float]
) -> Duel:
    """Versions of all trials of both kinds, each against several of the other."""
    trials = len(sides[EVO])
    first, second = ([player.versions[versions[kind]] for player in sides[kind]] for kind in (EVO, TD))
    matchups = study.matchups(name, first, second, rotated(trials, study.budget.rotations)).rotations(trials)
    games = {kind: study.budget.games * (versions[kind] + 1) // study.budget.versions for kind in KINDS}
    return Duel(matchups, games, seconds)


def time_shares(players: list[Player], parts: int) -> np.ndarray:
    """The share of a training's time at the end of each of its parts; time is proportional to the turns played."""
    games = players[0].games
    turns = np.mean([player.turns for player in players], axis=0) * np.diff(games, prepend=0)
    done = np.concatenate([[0.0], np.cumsum(turns)]) / turns.sum()
    ends = games[-1] * (np.arange(parts) + 1) / parts
    return np.asarray(np.interp(ends, np.concatenate([[0], games]), done))


# Variants.


def variant(study: StudyRuns, name: str, runs: dict[str, Run]) -> Variant:
    """A method or variant against fixed players; a variant also trial by trial against both methods."""
    setting, champions = (METHODS | VARIANTS)[name], runs[name].champions()
    trials = range(len(champions))
    fixed = {
        opponent: study.matchups(f"{name}-against-{opponent.lower()}", champions, [player], [(t, 0) for t in trials])
        for opponent, player in ((RANDUMB, study.randumb()), (SIMPLE, Contestant(SIMPLE, SIMPLE)))
    }
    if name in METHODS:
        return Variant(setting.title, setting.kind, fixed)
    own, other = (
        study.matchups(f"{name}-against-{base}", champions, runs[base].champions(), [(t, t) for t in trials])
        for base in sorted(METHODS, key=lambda base: METHODS[base].kind != setting.kind)
    )
    return Variant(setting.title, setting.kind, fixed, own, other)
