"""The runs of the gin rummy study: trainings of its players and of variants, and games of the results."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant
from sparring.arena.players import Contestant, find_player
from sparring.arena.statistics import Interval, mean_interval
from sparring.games import Game, find_game
from sparring.kernel.launch import threads_available
from sparring.kernel.random import derive
from sparring.lab.run import EVALUATION, Run
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.learn.evolution_strategies import EvolutionStrategies
from sparring.learn.hill_climbing import HillClimbing
from sparring.learn.td import TDTraining
from sparring.nets.dense import Net, gaussian, size
from sparring.studies.gin.matchups import Matchups, Pairing, RoundRobin, matchup_results, play_matchups, round_robin
from sparring.studies.gin.published import LIMIT, RANDUMB
from sparring.studies.gin.settings import (
    ENCODING,
    EPOCH,
    HIDDEN,
    PLAYERS,
    START,
    Budget,
    Setting,
    experiment,
    game_name,
)
from sparring.studies.gin.side_by_side import train_side_by_side
from sparring.studies.study_cache import StudyCache, games_played, write_json

RANDOM_NETS = 40  # pairs of random networks whose games are counted
SIMPLE = "simple"
TURNS = "training.player.turns_per_hand"


def training_of(run: Run) -> CoevolutionTraining | TDTraining:
    """A run's finished training."""
    training = run.training()
    assert isinstance(training, CoevolutionTraining | TDTraining)
    return training


def games_at(training: CoevolutionTraining | TDTraining, places: np.ndarray) -> np.ndarray:
    """The games that a trial has played at each point of its curves; evolution counts in epochs."""
    if isinstance(training, TDTraining):
        return places
    return games_played(training.wins, training.steps, places)


def trained_games(run: Run) -> int:
    """The games that each trial of a run trained."""
    options = run.experiment.options
    if isinstance(options, EvolutionStrategies):
        return options.generations * options.population * 2 * options.pairs * len(options.opponents)
    if isinstance(options, HillClimbing):
        return options.challenges * EPOCH
    training = training_of(run)
    return int(games_at(training, np.array([training.steps if isinstance(options, Coevolution) else options.games]))[0])


def random_net(game: Game, seed: int) -> Contestant:
    """A network as trainings start from."""
    shape = (game.policies.encodings[ENCODING], HIDDEN, 1)
    weights = np.float32(START) * gaussian(size(shape), seed)
    return Contestant(
        RANDUMB,
        "net",
        Net(game.family, game.rules.version, ENCODING, shape, weights, input_major=game.policies.input_major),
    )


@contextmanager
def timed(path: Path, wanted: bool) -> Iterator[None]:
    """Add the elapsed time to a file, over all starts of the same training; nothing if it was finished before."""
    if not wanted:
        yield
        return
    before = json.loads(path.read_text())["wall"] if path.exists() else 0.0
    began = time.monotonic()
    try:
        yield
    finally:
        write_json(path, {"wall": round(before + time.monotonic() - began, 3)})


@dataclass(frozen=True)
class StudyRuns(StudyCache[Budget]):
    """The study's trainings and games."""

    @cached_property
    def game(self) -> Game:
        """Found once, because finding a game loads its compiled code."""
        return find_game(game_name(self.budget))

    # Trainings.

    def players(self) -> dict[str, Run]:
        """The study's own seven players, as many at a time as there are cores."""
        tables = [
            experiment(setting, self.budget) | {"name": name, "trials": 1, "seed": self.seed_of(name)}
            for name, setting in PLAYERS.items()
        ]
        todo = [table for table in tables if not self._is_trained(table["name"])]
        workers = min(self.threads or threads_available(), len(todo))
        with timed(self._clock("players"), bool(todo)):
            if workers > 1:
                with self.watch.games_bar("the study's players", "parts") as progress:
                    train_side_by_side(self.seed, self.folder, todo, workers, progress)
            return {table["name"]: self.trained_run(table) for table in tables}

    def trials(self, name: str, setting: Setting, trials: int) -> Run:
        """Several trials of one way to train."""
        with timed(self._clock(name), not self._is_trained(name)):
            return self.trained(name, trials, experiment(setting, self.budget))

    def wall(self, name: str) -> float | None:
        """The elapsed time of a training."""
        path = self._clock(name)
        return float(json.loads(path.read_text())["wall"]) if path.exists() else None

    def _is_trained(self, name: str) -> bool:
        return (self.folder / name / EVALUATION).exists()

    def _clock(self, name: str) -> Path:
        return self.folder / f"{name}-wall.json"

    # Games.

    def randumb(self) -> Contestant:
        """The network of random weights that belongs to the game."""
        return find_player(self.game, "randumb")

    def random_turns(self) -> dict[str, np.ndarray]:
        """Pairs of random networks under the study's limit: turns per game, and the share of games at the limit."""

        def make() -> dict[str, Any]:
            game = find_game(f"gin:limit={LIMIT}")
            nets = [random_net(game, derive(self.seed, "random net", n)) for n in range(2 * RANDOM_NETS)]
            pairing = [(n, n + RANDOM_NETS) for n in range(RANDOM_NETS)]
            seed = derive(self.seed, "report", "random nets")
            turns = play_matchups(game, nets, pairing, 1, seed, self.threads)["turns"].reshape(RANDOM_NETS, -1)
            return {"turns": turns.mean(axis=1).tolist(), "limit": (turns >= LIMIT).mean(axis=1).tolist()}

        return self.cached_arrays("random-nets", make)

    def tournament(self, players: list[Contestant], titles: list[str], kinds: list[str]) -> RoundRobin:
        """Every player against every other."""
        pairing, pairs = list(combinations(range(len(players)), 2)), self.budget.tournament_pairs

        def make() -> dict[str, Any]:
            tallies = self._play("tournament", players, pairing, pairs)
            return round_robin(self.game, titles, kinds, pairing, pairs, tallies).json()

        return RoundRobin.from_json(self.cached("tournament", make))

    def matchups(self, name: str, first: list[Contestant], second: list[Contestant], pairing: Pairing) -> Matchups:
        """Players of one list against players of another, by their indices in these."""

        def make() -> dict[str, Any]:
            joint = [(i, len(first) + j) for i, j in pairing]
            tallies = self._play(name, [*first, *second], joint, self.budget.pairs)
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

    def last_against(self, name: str, versions: list[list[Contestant]], chosen: Sequence[int]) -> list[Interval]:
        """The lead of every player's last version over an earlier one, with an interval over deals of their own."""
        last = len(versions[0]) - 1
        earlier = [p for p, k in enumerate(chosen) if k != last]

        def make() -> dict[int, Any]:
            if not earlier:
                return {}
            flat = [player for p in earlier for player in (versions[p][last], versions[p][chosen[p]])]
            pairing = [(2 * n, 2 * n + 1) for n in range(len(earlier))]
            scores = by_contestant(self._play(name, flat, pairing, self.budget.pairs)["score"], 2).astype(float)
            won = winners(scores, self.game.rules.lower_is_better)[0].mean(axis=1)
            leads = (won[:, 0] - won[:, 1]).reshape(len(earlier), -1)
            return {p: mean_interval(deals).json() for p, deals in zip(earlier, leads, strict=True)}

        stored = self.cached(name, make)
        return [Interval.from_json(stored.get(str(p), [0.0, 0.0, 0.0])) for p in range(len(versions))]

    def _play(self, name: str, players: list[Contestant], pairing: Pairing, pairs: int) -> np.ndarray:
        """Games on deals for this purpose alone."""
        seed = derive(self.seed, "report", name)
        with self.watch.games_bar(name) as progress:
            return play_matchups(self.game, players, pairing, pairs, seed, self.threads, progress)
