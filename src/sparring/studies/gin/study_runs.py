"""The runs of the gin rummy study: trainings of its players and of variants, and games of the results."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from sparring.arena.players import Contestant
from sparring.games import Game, find_game
from sparring.kernel.launch import threads_available
from sparring.kernel.random import derive
from sparring.lab.experiment import build_experiment
from sparring.lab.run import Run
from sparring.learn import find_learner
from sparring.nets.dense import Net, gaussian, size
from sparring.studies.gin.matchups import Matchups, Pairing, RoundRobin, matchup_results, play_matchups, round_robin
from sparring.studies.gin.published import RANDUMB, TRAINING
from sparring.studies.gin.settings import ENCODING, HIDDEN, START, TWICE, Budget, Part, Setting, experiment, game_name
from sparring.studies.gin.side_by_side import train_side_by_side
from sparring.studies.study_cache import StudyCache

RANDOM_NETS = 40  # pairs of random networks whose games are counted
PAIRED = ("factorial", "research")  # parts whose trainings have the same deals and random numbers, trial by trial
Parts = Mapping[str, tuple["StudyRuns", Part, Mapping[str, Setting]]]


def first_nets(run: Run) -> list[Contestant]:
    """The networks that a run's trials began with."""
    made = find_learner(run.experiment.learner)[1]
    training = made(run.game, run.experiment.options, run.experiment.seed, run.experiment.trials)
    return [Contestant(f"{run.folder.name}, first", net.policy, net) for net in training.champions()]


def random_net(game: Game, seed: int) -> Contestant:
    """A network as trainings start from."""
    shape = (game.policies.encodings[ENCODING], HIDDEN, 1)
    weights = np.float32(START) * gaussian(size(shape), seed)
    net = Net(game.family, game.rules.version, ENCODING, shape, weights, input_major=game.policies.input_major)
    return Contestant(RANDUMB, "net", net)


def compile_learners(tables: list[dict[str, Any]]) -> None:
    """Compile the kernels of every learner once, before several processes do."""
    for table in {table["learner"]["name"]: table for table in tables}.values():
        made = build_experiment(table)
        find_learner(made.learner)[1](find_game(game_name(1)), made.options, 1, 1, 1).advance()


@dataclass(frozen=True)
class StudyRuns(StudyCache[Budget]):
    """The study's trainings and games; `rules` is the game of the matches."""

    rules: str = ""

    @cached_property
    def game(self) -> Game:
        """Found once, because finding a game loads its compiled code."""
        return find_game(self.rules)

    def train(self, parts: Parts) -> dict[str, dict[str, Run]]:
        """All trainings of some parts, the longest first, as many at a time as there are cores."""
        tables, todo = dict[tuple[str, str], dict[str, Any]](), []
        for part, (cache, extent, settings) in parts.items():
            for name, setting in settings.items():
                seed = self.seed_of(part if part in PAIRED else name)
                trials = extent.trials * (2 if part == "research" and name in TWICE else 1)
                table = experiment(setting, extent) | {"name": name, "trials": trials, "seed": seed}
                tables[part, name] = table
                if not (cache.folder / name / "evaluation.json").exists():
                    turns = trials * extent.of(setting.kind)[0] * (setting.limit or extent.limit)
                    todo.append((turns, cache.folder, table))
        jobs = [(folder, table) for _, folder, table in sorted(todo, key=lambda job: -job[0])]
        workers = min(self.threads or threads_available(), len(jobs))
        if workers > 1:
            compile_learners([table for _, table in jobs])
            with self.watch.games_bar("trainings", "trainings") as progress:
                train_side_by_side(jobs, workers, progress)
        return {
            part: {name: parts[part][0].trained_run(tables[part, name]) for name in parts[part][2]} for part in parts
        }

    def random_turns(self) -> dict[str, np.ndarray]:
        """Pairs of random networks under the highest limit: turns per game, and the share of games at the limit."""

        limit = TRAINING["random_turns"]

        def make() -> dict[str, Any]:
            game = find_game(game_name(limit))
            nets = [random_net(game, derive(self.seed, "random net", n)) for n in range(2 * RANDOM_NETS)]
            pairing = [(n, n + RANDOM_NETS) for n in range(RANDOM_NETS)]
            seed = derive(self.seed, "report", "random nets")
            turns = play_matchups(game, nets, pairing, 1, seed, self.threads)["turns"].reshape(RANDOM_NETS, -1)
            return {"turns": turns.mean(axis=1).tolist(), "limit": (turns >= limit).mean(axis=1).tolist()}

        return self.cached_arrays("random-nets", make)

    def tournament(self, name: str, players: list[Contestant], titles: list[str], kinds: list[str]) -> RoundRobin:
        """Every player against every other."""
        pairing, pairs = list(combinations(range(len(players)), 2)), self.budget.tournament_pairs

        def make() -> dict[str, Any]:
            tallies = self._play(name, players, pairing, pairs)
            return round_robin(self.game, titles, kinds, pairing, pairs, tallies).json()

        return RoundRobin.from_json(self.cached(name, make))

    def matchups(self, name: str, first: list[Contestant], second: list[Contestant]) -> Matchups:
        """The players of one list against those of another, one by one."""

        def make() -> dict[str, Any]:
            pairing = [(trial, len(first) + trial) for trial in range(min(len(first), len(second)))]
            tallies = self._play(name, [*first, *second], pairing, self.budget.pairs)
            return matchup_results(self.game, tallies, len(pairing)).json()

        return Matchups(**self.cached_arrays(name, make))

    def versions(self, name: str, versions: list[list[Contestant]]) -> np.ndarray:
        """Versions of every player against each other: leads of row over column, (players, versions, versions)."""
        count, players = len(versions[0]), len(versions)
        row, column = np.array(list(combinations(range(count), 2))).T

        def make() -> list[Any]:
            flat = [version for each in versions for version in each]
            pairing = [(p * count + i, p * count + j) for p in range(players) for i, j in zip(row, column, strict=True)]
            tallies = self._play(name, flat, pairing, self.budget.version_pairs)
            lead = matchup_results(self.game, tallies, len(pairing)).lead.reshape(players, -1)
            table = np.zeros((players, count, count))
            table[:, row, column], table[:, column, row] = lead, -lead
            return table.tolist()

        return np.array(self.cached(name, make))

    def _play(self, name: str, players: list[Contestant], pairing: Pairing, pairs: int) -> np.ndarray:
        """Games on deals for this purpose alone."""
        seed = derive(self.seed, "report", name)
        with self.watch.games_bar(name) as progress:
            return play_matchups(self.game, players, pairing, pairs, seed, self.threads, progress)
