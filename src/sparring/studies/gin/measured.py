"""The measurements of the gin rummy study: the data of its tables, claims and figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sparring.arena.players import Contestant, find_player
from sparring.errors import UserError
from sparring.lab.run import Run
from sparring.learn.coevolution import CoevolutionTraining
from sparring.studies.gin.matchups import Matchups, RoundRobin
from sparring.studies.gin.published import EVERYONE, EVO, KINDS, RANDUMB, TD
from sparring.studies.gin.settings import CELLS, GROUPS, METHODS, PLAYERS, RESEARCH, Budget, Part, Setting, game_name
from sparring.studies.gin.study_runs import Parts, StudyRuns, first_nets
from sparring.studies.study import Measurement
from sparring.studies.study_cache import core_seconds, games_played

TURNS = "training.player.turns_per_hand"
UNTRAINED, LARGER = "untrained networks", "equal games, EVO with points, reset and larger steps"
Runs = Mapping[str, Run]


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
    last: Matchups  # the last version against the best one, chosen on other deals


@dataclass(frozen=True)
class Cost:
    """The cost of a training."""

    part: str
    kind: str
    trials: int
    games: int  # per trial
    seconds: float | None  # on one core, per trial


@dataclass(frozen=True)
class Duel:
    """Evolution against TD, trial by trial."""

    matchups: Matchups
    games: dict[str, int]  # of training behind each side
    seconds: dict[str, float]


@dataclass(frozen=True)
class Variant:
    """A way to train: its champions against the networks they began with, against its own method and the other."""

    setting: Setting
    first: Matchups
    own: Matchups | None = None  # None for the method itself
    other: Matchups | None = None
    moves: np.ndarray | None = None  # evolution: the share of epochs in which the player moved
    turns: np.ndarray | None = None  # and turns per game during training, (trials, points)


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    part: Part
    players: list[Player]
    random: dict[str, np.ndarray]  # random networks: turns per game, and whether they reach the limit, by pair
    tournament: RoundRobin
    regimes: dict[str, Regimes]  # by kind
    untrained: RoundRobin  # a tournament of the networks that evolution began with
    costs: list[Cost]
    duels: dict[str, Duel] = field(default_factory=dict)  # of evolution and TD
    factorial: dict[str, Variant] = field(default_factory=dict)
    research: dict[str, Variant] = field(default_factory=dict)
    seven: "Measured | None" = None  # the same of the study's own seven players

    @property
    def of_players(self) -> bool:
        """Whether these are the study's own seven players, which all differ."""
        return self.part is self.budget.players

    @property
    def hands(self) -> dict[str, RoundRobin]:
        """Each kind of players with its tournament; untrained networks have one of their own."""
        return {kind: self.untrained if kind == UNTRAINED else self.tournament for kind in (*EVERYONE, UNTRAINED)}

    def of(self, kind: str) -> list[Player]:
        return [player for player in self.players if player.kind == kind]

    @cached_property
    def turns(self) -> dict[str, np.ndarray]:
        """Turns per game during training by kind, (players, points)."""
        points = {kind: min(len(player.turns) for player in self.of(kind)) for kind in KINDS}
        return {kind: np.array([player.turns[: points[kind]] for player in self.of(kind)]) for kind in KINDS}


def last_tenth(turns: np.ndarray) -> np.ndarray:
    """The mean of each curve's last tenth."""
    return np.asarray(turns[:, -max(1, turns.shape[1] // 10) :].mean(axis=1))


def measure(cache: StudyRuns, trials: int) -> Measured:
    """Compute whatever is not cached."""
    budget = cache.budget.with_trials(trials)
    if budget.main is None and trials:
        raise UserError(f"--trials {trials}: the study's seven players are trained once; trials are for other budgets")
    parts = parts_of(cache, budget)
    runs = cache.train(parts)
    seven = analysed("players", parts, budget, runs) if budget.players else None
    if budget.main is None:
        assert seven is not None
        return seven
    found = analysed("main", parts, budget, runs)
    found = replace(
        found, factorial=variants_of("factorial", parts, runs), research=variants_of("research", parts, runs)
    )
    return replace(found, duels=duels(parts["main"][0], found, runs), costs=costs_of(parts, runs), seven=seven)


def parts_of(cache: StudyRuns, budget: Budget) -> Parts:
    """The parts of a budget: where they are stored, how long they train, and what."""
    trials = cache.within(f"{budget.trials}-trials")
    everything = {
        "players": (cache.within("players"), budget.players, PLAYERS),
        "main": (trials, budget.main, METHODS),
        "larger": (trials, budget.main, {"evo-large": RESEARCH["evo-large"]}),
        "factorial": (trials.within("factorial"), budget.factorial, CELLS),
        "research": (trials.within("research"), budget.research, RESEARCH),
    }
    return {
        name: (replace(place, rules=game_name(part.limit)), part, settings)
        for name, (place, part, settings) in everything.items()
        if part
    }


def analysed(name: str, parts: Parts, budget: Budget, runs: Mapping[str, Runs]) -> Measured:
    """The study's analyses of some players: games of random networks, the tournament, the versions of players."""
    study, part, settings = parts[name]
    players = [player for each, run in runs[name].items() for player in players_of(run, settings[each])]
    everyone = [*(player.champion for player in players), find_player(study.game, "randumb")]
    titles, kinds = [*(p.title for p in players), RANDUMB], [*(p.kind for p in players), RANDUMB]
    tournament = study.tournament("tournament", everyone, titles, kinds)
    first = [net for each, run in runs[name].items() if settings[each].kind == EVO for net in first_nets(run)]
    untrained = study.tournament("untrained", first, [net.name for net in first], [UNTRAINED] * len(first))
    by_kind = {kind: regimes(study, [p for p in players if p.kind == kind], part) for kind in KINDS}
    costs = costs_of({name: parts[name]}, runs)
    measured = players, study.random_turns(), tournament, by_kind, untrained, costs
    return Measured(budget, part.trials, study.seed, study.folder, part, *measured)


def players_of(run: Run, setting: Setting) -> list[Player]:
    """A run's trials as players; a single one is named after its training."""
    training, champions = run.training(), run.champions()
    games, curves = training.curves()
    if isinstance(training, CoevolutionTraining):  # which counts epochs
        games = games_played(training.wins, training.steps, games)
    found = []
    for trial, champion in enumerate(champions):
        title = setting.title if len(champions) == 1 else f"{setting.title} {trial + 1}"
        versions = [Contestant(f"{title}, {n}", net.policy, net) for n, net in enumerate(training.snapshots(trial), 1)]
        found.append(Player(title, setting.kind, champion, versions, games, curves[TURNS][trial]))
    return found


def regimes(study: StudyRuns, players: list[Player], part: Part) -> Regimes:
    """Versions of players against each other; the best is chosen on other deals than it is tested on."""
    kind, versions = players[0].kind, [player.versions for player in players]
    leads = study.versions(f"{kind.lower()}-versions", versions)
    best = [own[k] for own, k in zip(versions, leads.sum(axis=2).argmax(axis=1), strict=True)]
    last = study.matchups(f"{kind.lower()}-last", [own[-1] for own in versions], best)
    return Regimes(part.of(kind)[0] // len(versions[0]), leads, last)


def costs_of(parts: Parts, runs: Mapping[str, Runs]) -> list[Cost]:
    """What every training cost."""
    return [
        Cost(name, setting.kind, run.experiment.trials, part.of(setting.kind)[0], core_seconds(run))
        for name, (_, part, settings) in parts.items()
        for setting, run in zip(settings.values(), runs[name].values(), strict=True)
    ]


# Evolution and TD.


def duels(study: StudyRuns, found: Measured, runs: Mapping[str, Runs]) -> dict[str, Duel]:
    """Champions after equal games; after equal time, where the slower method enters an earlier version; with larger steps."""
    seconds = {kind: core_seconds(runs["main"][kind.lower()]) or 0.0 for kind in KINDS}
    large = runs["larger"]["evo-large"]
    champions = {EVO: large.champions(), TD: [player.champion for player in found.of(TD)]}
    games = dict(zip(KINDS, found.part.games, strict=True))
    made = {
        "equal games": duel(study, "evo-td", found, {kind: found.part.of(kind)[1] - 1 for kind in KINDS}, seconds),
        LARGER: Duel(
            study.matchups("evo-large-td", *champions.values()), games, seconds | {EVO: core_seconds(large) or 0.0}
        ),
    }
    if all(seconds.values()):
        slow, quick = sorted(KINDS, key=lambda kind: -seconds[kind])
        times = seconds[slow] * time_shares(found.of(slow), found.part.of(slow)[1])
        version = study.cached("evo-td-time-version", lambda: int(np.abs(times - seconds[quick]).argmin()))
        versions = {slow: version, quick: found.part.of(quick)[1] - 1}
        made["equal time"] = duel(study, "evo-td-time", found, versions, seconds | {slow: float(times[version])})
    return made


def duel(study: StudyRuns, name: str, found: Measured, versions: dict[str, int], seconds: dict[str, float]) -> Duel:
    """Versions of all trials of both kinds, one against one."""
    first, second = ([player.versions[versions[kind]] for player in found.of(kind)] for kind in (EVO, TD))
    games = {kind: total * (versions[kind] + 1) // parts for kind in KINDS for total, parts in [found.part.of(kind)]}
    return Duel(study.matchups(name, first, second), games, seconds)


def time_shares(players: list[Player], parts: int) -> np.ndarray:
    """The share of a training's time at the end of each of its parts; time is proportional to the turns played."""
    games = players[0].games
    turns = np.mean([player.turns for player in players], axis=0) * np.diff(games, prepend=0)
    done = np.concatenate([[0.0], np.cumsum(turns)]) / turns.sum()
    ends = games[-1] * (np.arange(parts) + 1) / parts
    return np.asarray(np.interp(ends, np.concatenate([[0], games]), done))


# The factorial and the further research.


def variants_of(part: str, parts: Parts, runs: Mapping[str, Runs]) -> dict[str, Variant]:
    """Every variant trial by trial against the networks it began with, its method and the other, under its own rules."""
    if part not in parts:
        return {}
    study, extent, settings = parts[part]
    methods = {name: runs["research"][name].champions() for name in GROUPS["methods"]}
    found = {}
    for name, run in runs[part].items():
        setting, champions, training = settings[name], run.champions(), run.training()
        here = replace(study, rules=game_name(extent.limit, setting.rules))
        others = (setting.base, "td" if setting.kind == EVO else "evo-large")
        met = {
            base: here.matchups(f"{name}-against-{base}", champions, methods[base]) for base in others if base != name
        }
        first = here.matchups(f"{name}-against-first", champions, first_nets(run))
        evolved: tuple[np.ndarray, ...] = ()
        if isinstance(training, CoevolutionTraining):
            evolved = training.changes[:, 0] / training.steps, training.curves()[1][TURNS]
        found[name] = Variant(setting, first, met.get(others[0]), met.get(others[1]), *evolved)
    return found
