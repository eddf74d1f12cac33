"""The gin rummy study's pieces of work: trainings of its players and of variants, and games of what they made."""

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
from sparring.nets.files import replace_file
from sparring.studies.gin.matchups import Meetings, Met, RoundRobin, met, play_meetings, round_robin
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
from sparring.studies.study_cache import Kept

RANDOM_NETS = 40  # couples of random nets that show how long their games are
SIMPLE = "simple"
TURNS = "training.player.turns_per_hand"


def training_of(run: Run) -> CoevolutionTraining | TDTraining:
    """A run's training, as it ended."""
    training = run.training()
    assert isinstance(training, CoevolutionTraining | TDTraining)
    return training


def games_at(training: CoevolutionTraining | TDTraining, places: np.ndarray) -> np.ndarray:
    """The games that a trial has played at each point of its curves, which evolution counts in epochs."""
    if isinstance(training, TDTraining):
        return places
    ends = [since for since, _, _ in training.wins[1:]] + [training.steps]
    found: np.ndarray = np.sum(
        [
            games * np.clip(places - since, 0, max(0, end - since))
            for (since, _, games), end in zip(training.wins, ends, strict=True)
        ],
        axis=0,
    )
    return found


def trained_games(run: Run) -> int:
    """The games that each trial of a run has trained by."""
    options = run.experiment.options
    if isinstance(options, EvolutionStrategies):
        return options.generations * options.population * 2 * options.pairs * len(options.opponents)
    if isinstance(options, HillClimbing):
        return options.challenges * EPOCH
    training = training_of(run)
    return int(games_at(training, np.array([training.steps if isinstance(options, Coevolution) else options.games]))[0])


def random_net(game: Game, seed: int) -> Contestant:
    """A net as trainings begin with."""
    shape = (game.policies.encodings[ENCODING], HIDDEN, 1)
    weights = np.float32(START) * gaussian(size(shape), seed)
    return Contestant(
        RANDUMB,
        "net",
        Net(game.family, game.rules.version, ENCODING, shape, weights, input_major=game.policies.input_major),
    )


@contextmanager
def timed(path: Path, wanted: bool) -> Iterator[None]:
    """Add to a file how long something took by the clock, over as many starts as it took; nothing where it was done before."""
    if not wanted:
        yield
        return
    before = json.loads(path.read_text())["wall"] if path.exists() else 0.0
    began = time.monotonic()
    try:
        yield
    finally:
        wall = round(before + time.monotonic() - began, 3)
        replace_file(path, (json.dumps({"wall": wall}) + "\n").encode())


@dataclass(frozen=True)
class Work(Kept):
    """Pieces of work within a budget."""

    budget: Budget

    @cached_property
    def game(self) -> Game:
        """Found once: every game that is found loads its compiled code anew."""
        return find_game(game_name(self.budget))

    # Trainings.

    def players(self) -> dict[str, Run]:
        """The study's own seven, as many at a time as there are cores."""
        tables = [self._table(name, setting, 1) for name, setting in PLAYERS.items()]
        todo = [table for table in tables if not self._trained(table["name"])]
        workers = min(self.threads or threads_available(), len(todo))
        with timed(self._clock("players"), bool(todo)):
            if workers > 1:
                with self.watch.games_bar("the study's players", "parts") as progress:
                    train_side_by_side(self.seed, self.folder, todo, workers, progress)
            return {table["name"]: self.trained(table) for table in tables}

    def trials(self, name: str, setting: Setting, trials: int) -> Run:
        """One way to train, many times."""
        with timed(self._clock(name), not self._trained(name)):
            return self.trained(self._table(name, setting, trials))

    def wall(self, name: str) -> float | None:
        """How long a training took by the clock."""
        path = self._clock(name)
        return float(json.loads(path.read_text())["wall"]) if path.exists() else None

    def _trained(self, name: str) -> bool:
        return (self.folder / name / EVALUATION).exists()

    def _clock(self, name: str) -> Path:
        return self.folder / f"{name}-wall.json"

    def _table(self, name: str, setting: Setting, trials: int) -> dict[str, Any]:
        table = experiment(setting, self.budget)
        return table | {"name": name, "trials": trials, "seed": derive(self.seed, name) % 2**63}

    # Games.

    def randumb(self) -> Contestant:
        """The net of random weights that comes with the game."""
        return find_player(self.game, "randumb")

    def random_turns(self) -> dict[str, list[float]]:
        """Couples of random nets under the study's limit: turns a game, and the share of games that it ends."""

        def make() -> dict[str, Any]:
            game = find_game(f"gin:limit={LIMIT}")
            nets = [random_net(game, derive(self.seed, "random net", n)) for n in range(2 * RANDOM_NETS)]
            couples = [(n, n + RANDOM_NETS) for n in range(RANDOM_NETS)]
            seed = derive(self.seed, "report", "random nets")
            turns = play_meetings(game, nets, couples, 1, seed, self.threads)["turns"].reshape(RANDOM_NETS, -1)
            return {"turns": turns.mean(axis=1).tolist(), "limit": (turns >= LIMIT).mean(axis=1).tolist()}

        return self.kept("random-nets", make)  # type: ignore[no-any-return]

    def tournament(self, players: list[Contestant], titles: list[str], kinds: list[str]) -> RoundRobin:
        """Every player with every other."""
        meetings, pairs = list(combinations(range(len(players)), 2)), self.budget.tournament_pairs

        def make() -> dict[str, Any]:
            tallies = self._played("tournament", players, meetings, pairs)
            return round_robin(self.game, titles, kinds, meetings, pairs, tallies).json()

        return RoundRobin.from_json(self.kept("tournament", make))

    def meetings(self, name: str, first: list[Contestant], second: list[Contestant], who: Meetings) -> Met:
        """Players of one list with players of another, by their places in these."""

        def make() -> dict[str, Any]:
            moved = [(i, len(first) + j) for i, j in who]
            tallies = self._played(name, [*first, *second], moved, self.budget.pairs)
            return met(self.game, tallies, len(who)).json()

        return Met.from_json(self.kept(name, make))

    def versions(self, name: str, versions: list[list[Contestant]]) -> np.ndarray:
        """Versions of every player with each other: leads of the row over the column, (players, versions, versions)."""
        count = len(versions[0])
        among = list(combinations(range(count), 2))
        meetings = [(p * count + i, p * count + j) for p in range(len(versions)) for i, j in among]

        def make() -> list[Any]:
            flat = [version for each in versions for version in each]
            lead = met(self.game, self._played(name, flat, meetings, self.budget.version_pairs), len(meetings)).lead
            table = np.zeros((len(versions), count, count))
            for (p, (i, j)), value in zip(((p, m) for p in range(len(versions)) for m in among), lead, strict=True):
                table[p, i, j], table[p, j, i] = value, -value
            return table.tolist()

        return np.array(self.kept(name, make))

    def last_against(self, name: str, versions: list[list[Contestant]], chosen: Sequence[int]) -> list[Interval]:
        """Every player's last version with one of its earlier ones, on deals of their own: its lead, over deals."""
        last = len(versions[0]) - 1
        earlier = [p for p, k in enumerate(chosen) if k != last]

        def make() -> dict[int, Any]:
            if not earlier:
                return {}
            flat = [player for p in earlier for player in (versions[p][last], versions[p][chosen[p]])]
            couples = [(2 * n, 2 * n + 1) for n in range(len(earlier))]
            tallies = self._played(name, flat, couples, self.budget.pairs)
            won = winners(by_contestant(tallies["score"], 2).astype(float), self.game.rules.lower_is_better)[0].mean(
                axis=1
            )
            leads = (won[:, 0] - won[:, 1]).reshape(len(earlier), -1)
            return {p: mean_interval(deals).json() for p, deals in zip(earlier, leads, strict=True)}

        told = self.kept(name, make)
        return [Interval.from_json(told.get(str(p), [0.0, 0.0, 0.0])) for p in range(len(versions))]

    def _played(self, name: str, players: list[Contestant], meetings: Meetings, pairs: int) -> np.ndarray:
        """Games on deals that serve this purpose alone."""
        seed = derive(self.seed, "report", name)
        with self.watch.games_bar(name) as progress:
            return play_meetings(self.game, players, meetings, pairs, seed, self.threads, progress)
