"""The conquest study's pieces of work: trainings of its five cases, and games of what they made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Contestant, find_player
from sparring.games import Game, Played
from sparring.kernel.launch import Job
from sparring.kernel.random import derive
from sparring.lab.run import Run
from sparring.learn.neat.task import Neat
from sparring.learn.neat.training import NeatTraining
from sparring.nets.dense import Net
from sparring.nets.genome import Genome
from sparring.studies.conquest.cases import (
    OPPONENTS,
    Budget,
    better_table,
    case_table,
    compared_table,
    rivals_table,
)
from sparring.studies.conquest.collusion import SIDES, Bests, Meeting, changes_of_hands, meet
from sparring.studies.conquest.published import KINDS
from sparring.studies.study_cache import Kept

RANKS = 3  # best networks that the study tells of
YARDSTICKS = {"random": True, "red": True, "greedy": False}  # fixed players, and whether their play depends on luck
MARKS = {"first": 0, "last": -1}  # generations whose best meet them


def neat_of(run: Run) -> NeatTraining:
    """A run's training, as it ended."""
    training = run.training()
    assert isinstance(training, NeatTraining)
    return training


def player_of(training: NeatTraining, genome: Genome, name: str) -> Contestant:
    """A genome as a player of the game that it was bred for."""
    game, policy = training.game, training.options.policy
    net = Net.evolved(
        game.family, game.rules.version, training.encoding, genome, game.policies.input_major, policy=policy
    )
    return Contestant(name, policy, net)


def best_genomes(training: NeatTraining, trial: int) -> list[Genome]:
    """The best ever, then the best of the last generation that are fit in other degrees."""
    best, population = training.best[trial][0], training.populations[trial][0]
    assert best is not None
    others = {fitness: row for row, fitness in enumerate(population.fitness.tolist()) if fitness < best.fitness}
    return [best.genome, *(population.genome(others[fitness]) for fitness in sorted(others, reverse=True)[: RANKS - 1])]


def training_jobs(training: NeatTraining, trials: Sequence[int], opponent: int) -> np.ndarray:
    """A game of contestant k on the deal that trial `trials[k]` was trained on."""
    jobs = np.zeros(len(trials), Job)
    jobs["seed"] = [derive(training.trial_seeds[trial], "training") for trial in trials]
    jobs["seats"] = 2
    jobs["player"][:, 0], jobs["player"][:, 1] = np.arange(len(trials)), opponent
    return jobs


def keep_games(game: Game, jobs: np.ndarray, players: list[Contestant], threads: int | None) -> list[Played]:
    """Games with their moves."""
    kept: list[Played] = []
    play(game, jobs, players, threads, keep=kept.extend)
    return kept


@dataclass(frozen=True)
class Work(Kept):
    """Pieces of work within a budget."""

    budget: Budget

    # Trainings.

    def case(self, case: int, trials: int) -> Run:
        """One of the first four cases as the study did it."""
        return self._trained(f"case{case}", case_table(case, self.budget.generations(case)), trials)

    def better(self, case: int, trials: int) -> Run:
        """The same with settings of our own."""
        return self._trained(f"better{case}", better_table(case, self.budget.better), trials)

    def compared(self, case: int, encoding: str, policy: str) -> Run:
        """The same with another encoding and decoding."""
        table = compared_table(case, encoding, policy, self.budget)
        return self._trained(f"case{case}-{encoding}-{policy.replace('+', '-')}", table, self.budget.compared_trials)

    def rivals(self, fitness: str, trials: int) -> Run:
        """Case 5, striving for this."""
        return self._trained(f"case5-{fitness}", rivals_table(fitness, self.budget.rival_generations), trials)

    def _trained(self, name: str, table: dict[str, Any], trials: int) -> Run:
        return self.trained(table | {"name": name, "trials": trials, "seed": derive(self.seed, name) % 2**63})

    # The first four cases.

    def best_games(self, run: Run, case: int) -> dict[str, np.ndarray]:
        """What the best networks of every trial did on the deal of their training; (trials, ranks), gaps not a number."""

        def make() -> dict[str, Any]:
            training = neat_of(run)
            chosen = [(t, genome) for t in range(training.trials) for genome in best_genomes(training, t)]
            players = [player_of(training, genome, f"{n}") for n, (_, genome) in enumerate(chosen)]
            jobs = training_jobs(training, [t for t, _ in chosen], len(players))
            tallies = play(run.game, jobs, [*players, find_player(run.game, OPPONENTS[case])], self.threads)
            return games_told(run, chosen, tallies)

        told = self.kept(f"{run.folder.name}-best", make)
        return {name: np.array(values, float) for name, values in told.items()}

    def unseen(self, run: Run, deals: int, opponent: str = OPPONENTS[4]) -> dict[str, np.ndarray]:
        """Champions as blue on deals that served nothing else: each trial's mean fitness, and share of games won."""

        def make() -> dict[str, Any]:
            champions = run.champions()
            jobs = [
                paired_jobs(
                    derive(self.seed, "unseen", run.folder.name, t), np.array([t, len(champions)]), deals, "given"
                )
                for t in range(len(champions))
            ]
            with self.watch.games_bar(f"{run.folder.name}: other deals") as progress:
                players = [*champions, find_player(run.game, opponent)]
                tallies = play(run.game, np.concatenate(jobs), players, self.threads, progress)
            fitness = run.game.learning.fitness[run.experiment.options.fitness](tallies)[:, 0]
            return {
                "fitness": fitness.reshape(-1, deals).mean(axis=1).tolist(),
                "won": (tallies["score"][:, 0] > 0).reshape(-1, deals).mean(axis=1).tolist(),
            }

        told = self.kept(f"{run.folder.name}-unseen", make)
        return {name: np.array(values) for name, values in told.items()}

    # Case 5.

    def meetings(self, run: Run) -> list[Meeting]:
        """The best blue and red of every generation: the games that made them so, and strangers."""

        def make() -> list[dict[str, Any]]:
            training, found = neat_of(run), []
            with self.watch.games_bar(f"{run.folder.name}: pairs and strangers", "generations") as progress:
                for g in range(training.steps):
                    found.append(meet(run.game, bests(training, g), self.budget.partners, self.threads).json())
                    progress(g + 1, training.steps)
            return found

        return [Meeting.from_json(told) for told in self.kept(f"{run.folder.name}-meetings", make)]

    def strength(self, run: Run) -> dict[str, dict[str, dict[str, np.ndarray]]]:
        """The best of the first and the last generation against fixed players: games won in each trial, by mark and side."""

        def make() -> dict[str, Any]:
            training = neat_of(run)
            found: dict[str, dict[str, dict[str, list[float]]]] = {}
            with self.watch.games_bar(f"{run.folder.name}: strength", "sides") as progress:
                for mark, generation in MARKS.items():
                    found[mark] = {}
                    for side, name in enumerate(SIDES):
                        found[mark][name] = self._won(run, bests(training, generation)[side], side)
                        progress(2 * len(found) - 1 + side, 2 * len(MARKS))
            return found

        told = self.kept(f"{run.folder.name}-strength", make)
        return {
            mark: {side: {name: np.array(won) for name, won in each.items()} for side, each in sides.items()}
            for mark, sides in told.items()
        }

    def _won(self, run: Run, nets: list[Contestant], side: int) -> dict[str, list[float]]:
        """Each net's share of games against every yardstick."""
        found = {}
        for name, luck in YARDSTICKS.items():
            deals, parts = self.budget.strength_deals if luck else 1, []
            for t in range(len(nets)):
                seed = derive(self.seed, "strength", run.folder.name, SIDES[side], name, t)
                sitting = [t, len(nets)] if side == 0 else [len(nets), t]
                parts.append(paired_jobs(seed, np.array(sitting), deals, "given"))
            tallies = play(run.game, np.concatenate(parts), [*nets, find_player(run.game, name)], self.threads)
            found[name] = tallies["score"][:, side].reshape(-1, deals).mean(axis=1).tolist()
        return found

    def exchanged(self, run: Run) -> dict[str, np.ndarray]:
        """The games that made the last generation the best: kills of both sides, and tiles that passed between them."""

        def make() -> dict[str, Any]:
            blues, reds, met_by_blues, met_by_reds = bests(neat_of(run), -1)
            players = [*blues, *met_by_reds, *met_by_blues, *reds]
            jobs = np.zeros(len(players) // 2, Job)
            jobs["seats"] = 2
            jobs["player"][:, 0], jobs["player"][:, 1] = np.arange(len(players)).reshape(2, -1)
            kills = play(run.game, jobs, players, self.threads)["kills"].sum(axis=1)
            games = keep_games(run.game, jobs, players, self.threads)
            return {"kills": kills.tolist(), "tiles": [changes_of_hands(run.game, game) for game in games]}

        told = self.kept(f"{run.folder.name}-exchanged", make)
        return {name: np.array(values, float) for name, values in told.items()}


def bests(training: NeatTraining, generation: int) -> Bests:
    """The best of one generation in every trial, and whom they met."""
    halls, partners = (
        [
            [
                player_of(training, kept[t][side][generation], f"{t} {word} {SIDES[side]}")
                for t in range(training.trials)
            ]
            for side in range(2)
        ]
        for word, kept in (("best", training.halls), ("met by", training.partners))
    )
    return Bests(*halls, *partners)


def games_told(run: Run, chosen: list[tuple[int, Genome]], tallies: np.ndarray) -> dict[str, list[list[float | None]]]:
    """What is told of the best networks' games, by trial and rank."""
    options: Neat = run.experiment.options
    columns: dict[str, Any] = {
        "fitness": run.game.learning.fitness[options.fitness](tallies)[:, 0],
        "won": tallies["score"][:, 0],
        "rounds": tallies["rounds"],
        **{name: tallies[name][:, 0] for name in (*KINDS, "tiles", "idle", "guided", "moves")},
        "hidden": [len(genome.nodes) - genome.outputs for _, genome in chosen],
        "connections": [len(genome.links) for _, genome in chosen],
        "enabled": [int((genome.links["enabled"] != 0).sum()) for _, genome in chosen],
    }
    found = {}
    for name, values in columns.items():
        table: list[list[float | None]] = [[] for _ in range(run.experiment.trials)]
        for (trial, _), value in zip(chosen, values, strict=True):
            table[trial].append(float(value))
        found[name] = [row + [None] * (RANKS - len(row)) for row in table]
    return found
