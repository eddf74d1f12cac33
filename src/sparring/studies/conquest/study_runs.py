"""The runs of the conquest study: trainings of its five cases, and games of the results."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from sparring.arena.play import paired_jobs, play
from sparring.arena.players import Contestant, find_player
from sparring.games import Game, Played
from sparring.kernel.launch import Job
from sparring.kernel.random import derive
from sparring.lab.run import Run
from sparring.learn.neat.training import NeatTraining
from sparring.nets.dense import Net
from sparring.nets.genome import Genome
from sparring.studies.conquest.cases import FRESH_RED, Budget, rivals_table
from sparring.studies.conquest.collusion import SIDES, Arrays, Bests, Matchup, play_matchup
from sparring.studies.conquest.published import CASES, KINDS
from sparring.studies.study_cache import StudyCache, finished_training

RANKS = 3  # best networks that the study reports
neat_of = partial(finished_training, kind=NeatTraining)
FIXED_PLAYERS = ("random", FRESH_RED, "greedy")


def player_of(training: NeatTraining, genome: Genome, name: str) -> Contestant:
    """A genome as a player of its game."""
    game, policy, layout = training.game, training.options.policy, training.game.policies.input_major
    net = Net.evolved(game.family, game.rules.version, training.encoding, genome, layout, policy=policy)
    return Contestant(name, policy, net)


def best_genomes(training: NeatTraining, trial: int) -> list[Genome]:
    """The best ever, then the last generation's best of other fitness."""
    best, population = training.best[trial][0], training.populations[trial][0]
    assert best is not None
    others = {fitness: row for row, fitness in enumerate(population.fitness.tolist()) if fitness < best.fitness}
    return [best.genome, *(population.genome(others[fitness]) for fitness in sorted(others, reverse=True)[: RANKS - 1])]


def training_jobs(training: NeatTraining, trials: Sequence[int], opponent: int) -> np.ndarray:
    """Games of contestant k on the training deal of trial `trials[k]`."""
    jobs = np.zeros(len(trials), Job)
    jobs["seed"] = [derive(training.trial_seeds[trial], "training") for trial in trials]
    jobs["seats"] = 2
    jobs["player"][:, 0], jobs["player"][:, 1] = np.arange(len(trials)), opponent
    return jobs


def play_games(game: Game, jobs: np.ndarray, players: list[Contestant], threads: int | None) -> list[Played]:
    """Play games and return them with their moves."""
    games: list[Played] = []
    play(game, jobs, players, threads, keep=games.extend)
    return games


class StudyRuns(StudyCache[Budget]):
    """The study's trainings and games."""

    # Cases 1 to 4.

    def best_games(self, run: Run, case: int) -> Arrays:
        """Games of every trial's best networks as in training; (trials, ranks), NaN if there are fewer."""

        def make() -> dict[str, Any]:
            training = neat_of(run)
            chosen = [(t, genome) for t in range(training.trials) for genome in best_genomes(training, t)]
            players = [player_of(training, genome, f"{n}") for n, (_, genome) in enumerate(chosen)]
            jobs = training_jobs(training, [t for t, _ in chosen], len(players))
            opponent = find_player(run.game, training.options.opponents[0])
            tallies = play(run.game, jobs, [*players, opponent], self.threads)
            return game_columns(run, CASES[case].fitness, chosen, tallies)

        return self.cached_arrays(f"{run.folder.name}-best", make)

    def unseen(self, run: Run, deals: int) -> Arrays:
        """Champions as blue against a red that answers differently in every game: each trial's mean fitness and share won."""

        def make() -> dict[str, Any]:
            champions, name = run.champions(), run.folder.name
            count = len(champions)
            seeds = [derive(self.seed, "unseen", name, t) for t in range(count)]
            jobs = [paired_jobs(seed, np.array([t, count]), deals, "given") for t, seed in enumerate(seeds)]
            with self.watch.games_bar(f"{name}: other deals") as progress:
                players = [*champions, find_player(run.game, FRESH_RED)]
                tallies = play(run.game, np.concatenate(jobs), players, self.threads, progress)
            fitness = run.game.learning.fitness[CASES[4].fitness](tallies)[:, 0]
            columns = {"fitness": fitness, "won": tallies["score"][:, 0] > 0}
            return {name: values.reshape(-1, deals).mean(axis=1).tolist() for name, values in columns.items()}

        return self.cached_arrays(f"{run.folder.name}-unseen", make)

    # Case 5.

    def rivals(self, fitness: str, trials: int) -> Run:
        """Case 5 with this fitness."""
        return self.trained(f"case5-{fitness}", trials, rivals_table(fitness, self.budget.generations(5)))

    def matchups(self, run: Run) -> list[Matchup]:
        """The best blue and red of every generation: the games that made them the best, and games against strangers."""

        def make() -> list[dict[str, Any]]:
            training, found = neat_of(run), []
            with self.watch.games_bar(f"{run.folder.name}: pairs and strangers", "generations") as progress:
                for g in range(training.steps):
                    best = bests(training, g)
                    found.append(play_matchup(run.game, best, self.budget.partners, self.threads).json())
                    progress(g + 1, training.steps)
            return found

        return [Matchup.from_json(stored) for stored in self.cached(f"{run.folder.name}-meetings", make)]

    def strength(self, run: Run) -> dict[str, Arrays]:
        """The last generation's best against fixed players: games won per trial, by side and opponent."""

        def make() -> dict[str, Any]:
            last = bests(neat_of(run), -1)
            return {name: self._won(run, last[side], side) for side, name in enumerate(SIDES)}

        stored = self.cached(f"{run.folder.name}-strength", make)
        return {side: {name: np.array(won) for name, won in each.items()} for side, each in stored.items()}

    def _won(self, run: Run, nets: list[Contestant], side: int) -> dict[str, list[float]]:
        """Each network's share of games won against every fixed player."""
        found, deals = {}, self.budget.strength_deals
        for name in FIXED_PLAYERS:
            parts = []
            for t in range(len(nets)):
                seed = derive(self.seed, "strength", run.folder.name, SIDES[side], name, t)
                seats = [t, len(nets)] if side == 0 else [len(nets), t]
                parts.append(paired_jobs(seed, np.array(seats), deals, "given"))
            tallies = play(run.game, np.concatenate(parts), [*nets, find_player(run.game, name)], self.threads)
            found[name] = tallies["score"][:, side].reshape(-1, deals).mean(axis=1).tolist()
        return found


def bests(training: NeatTraining, generation: int) -> Bests:
    """The best of one generation in every trial, and their opponents."""
    return Bests(
        *(
            [player_of(training, trial[side][generation], f"{t} {SIDES[side]}") for t, trial in enumerate(genomes)]
            for genomes in (training.halls, training.partners)
            for side in range(2)
        )
    )


def game_columns(
    run: Run, fitness: str, chosen: list[tuple[int, Genome]], tallies: np.ndarray
) -> dict[str, list[list[float | None]]]:
    """The measures of the best networks' games, by trial and rank."""
    columns: dict[str, Any] = {
        "fitness": run.game.learning.fitness[fitness](tallies)[:, 0],
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
