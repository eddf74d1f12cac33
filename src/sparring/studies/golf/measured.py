"""What the golf study measured, measured again: trainings, matches, tournaments, the supervised experiment."""

from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import combinations, count
from pathlib import Path
from typing import Any

import numpy as np

from sparring.arena.match import Match, match
from sparring.arena.play import by_contestant, paired_jobs, play
from sparring.arena.players import Contestant, Entrant, find_players
from sparring.arena.tournament import Tournament, tournament
from sparring.games import find_game
from sparring.games.golf.encodings import SUPERVISED, scored_hands
from sparring.kernel.launch import threads_available
from sparring.kernel.random import derive
from sparring.lab.run import Run
from sparring.lab.store import Store
from sparring.learn.supervised import Supervised, regress
from sparring.studies import Watch
from sparring.studies.golf import neat
from sparring.studies.golf.published import INPUTS
from sparring.studies.study_cache import Kept

GAME = "golf"
EARLY = (("original", "hand"), ("original", "state"), ("five-of-six", "hand"), ("symmetric", "hand"))  # rule and input
THRESHOLD_EPOCH = 5  # pairs of games
GREEDIER = "greedier-published"  # the player that the study's tables need
Curves = tuple[np.ndarray, dict[str, np.ndarray]]  # the steps, and each measure as (trials, points[, labels])


@dataclass(frozen=True)
class Budget:
    """How much to spend."""

    trials: int  # per input, of both algorithms
    epochs: int  # of coevolution
    generations: int  # of NEAT
    early_trials: int  # per earlier rule
    early_epochs: int
    pairs: int  # of games after training, per champion and opponent
    tournament_pairs: int
    threshold_epochs: int
    supervised: Supervised


BUDGETS = {
    "quick": Budget(3, 200, 10, 2, 100, 250, 25, 500, Supervised(networks=2, examples=50_000, iterations=25)),
    "paper": Budget(5, 1500, 50, 5, 1000, 2500, 50, 4000, Supervised()),
    "deep": Budget(30, 1500, 50, 10, 1000, 2500, 50, 4000, Supervised()),
}


@dataclass(frozen=True)
class Measured:
    """Everything the tables, claims and figures are made of."""

    budget: Budget
    trials: int
    seed: int
    folder: Path
    supervised: list[dict[str, Any]]
    random: Match
    threshold: np.ndarray  # mean absolute difference in score a game, per epoch of two random players
    runs: dict[str, Run]  # by input, those of NEAT under neat-INPUT; so is what follows
    early: dict[tuple[str, str], Run]
    training: dict[str, list[dict[str, Any]]]  # each coevolved champion's match with its training opponent
    internal: dict[str, dict[str, Any]]  # the champions' tournament
    best: dict[str, Contestant]  # the winner of that
    final: Tournament
    greedier: dict[str, Match]  # each of the final's players against greedier
    meetings: dict[tuple[str, str], Match]  # the final's players against each other, over more games

    @cached_property
    def curves(self) -> dict[str, Curves]:
        """By input: what was measured during training."""
        return {name: run.training().curves() for name, run in self.runs.items()}

    @cached_property
    def against_random(self) -> dict[str, np.ndarray]:
        """By input: the study's five measures of every champion, (trials, 5)."""
        return {name: measures_of(first_matches(run)) for name, run in self.runs.items()}

    @cached_property
    def against_training(self) -> dict[str, np.ndarray]:
        return {name: measures_of(matches) for name, matches in self.training.items()}


def first_matches(run: Run) -> list[dict[str, Any]]:
    """Every champion's match against the first opponent of the evaluation: random."""
    return [row["matches"][0] for row in run.evaluation()["trials"]]


def measures_of(matches: list[dict[str, Any]]) -> np.ndarray:
    """The five measures of the first player of each match, in the order of published.MEASURES."""
    rows = []
    for told in matches:
        player = told["players"][0]
        rows.append(
            [
                player["score"][0],
                player["win_rate"][0],
                *(player["measures"][name][0] for name in ("matches_per_game", "turns_per_round", "rounds_ended")),
            ]
        )
    return np.array(rows)


def measure(budget: Budget, trials: int, seed: int, folder: Path, threads: int | None, watch: Watch) -> Measured:
    """Do whatever has not been done yet."""
    work = Work(seed, folder / f"{trials}-trials", threads, watch, budget)
    random = work.random_match()
    runs = {name: work.run(name, coevolution(name, "score", budget.epochs), trials) for name in INPUTS}
    runs |= {
        f"neat-{name}": work.run(f"neat-{name}", neat.learner(name, budget.generations), trials) for name in INPUTS
    }
    early = {
        (rule, name): work.run(
            f"{name}-{rule}", coevolution(name, rule, budget.early_epochs), min(trials, budget.early_trials)
        )
        for rule, name in EARLY
    }
    internal = {name: work.internal(name, run) for name, run in runs.items()}
    best = {name: work.best(name, run, internal[name]) for name, run in runs.items()}
    finalists = best | {"random": find_players(runs["hand"].game, ["random"])[0]}
    training = {name: work.against_training(name, runs[name]) for name in INPUTS}
    final = tournament(
        GAME, *finalists.values(), pairs=budget.tournament_pairs, seed=derive(seed, "final"), threads=threads
    )
    greedier = {name: work.match("greedier", GREEDIER, player) for name, player in finalists.items()}
    meetings = {(a, b): work.match("meetings", finalists[a], finalists[b]) for a, b in combinations(finalists, 2)}
    work.record(
        [*internal.values(), final.json()], [m.json() for m in (random, *greedier.values(), *meetings.values())]
    )
    return Measured(
        budget, trials, seed, work.folder, work.supervised(), random, work.threshold(),
        runs, early, training, internal, best, final, greedier, meetings,
    )  # fmt: skip


def coevolution(encoding: str, rule: str, epochs: int) -> dict[str, Any]:
    """The learner's table of an experiment by coevolution."""
    return {"encoding": encoding, "rule": rule, "epochs": epochs}


@dataclass(frozen=True)
class Work(Kept):
    """The study's pieces of work."""

    budget: Budget

    def run(self, name: str, learner: dict[str, Any], trials: int) -> Run:
        """A training under this name, gone on with if it was stopped."""
        return self.trained(
            {
                "game": GAME,
                "name": name,
                "seed": derive(self.seed, name) % 2**63,
                "trials": trials,
                "learner": learner,
                "evaluation": {"opponents": ["random"], "pairs": self.budget.pairs},
            }
        )

    def match(self, purpose: str, first: Entrant, second: Entrant) -> Match:
        """A match on deals that serve this purpose alone."""
        with self.watch.games_bar(
            f"{purpose}: {getattr(first, 'name', first)}, {getattr(second, 'name', second)}"
        ) as progress:
            return match(
                GAME, first, second, pairs=self.budget.pairs, seed=derive(self.seed, purpose),
                threads=self.threads, progress=progress,
            )  # fmt: skip

    def record(self, tournaments: list[dict[str, Any]], matches: list[dict[str, Any]]) -> None:
        """Put what was played into the results store beside the runs."""
        store = Store(self.folder)
        store.record_results("tournament", [told for told in tournaments if told["players"]], "study")
        store.record_results("match", matches, "study")

    def random_match(self) -> Match:
        return match(
            GAME,
            "random",
            "random",
            pairs=max(2500, self.budget.pairs),
            seed=derive(self.seed, "random"),
            threads=self.threads,
        )

    def threshold(self) -> np.ndarray:
        """Appendix A: epochs of two random players, and how much they differ a game."""
        game = find_game(GAME)
        jobs = paired_jobs(derive(self.seed, "threshold"), np.arange(2), THRESHOLD_EPOCH * self.budget.threshold_epochs)
        scores = by_contestant(play(game, jobs, find_players(game, ["random", "random"]), self.threads)["score"], 2)
        difference: np.ndarray = np.abs(
            (scores[:, :, 0] - scores[:, :, 1]).reshape(self.budget.threshold_epochs, -1).mean(axis=1)
        )
        return difference

    def against_training(self, name: str, run: Run) -> list[dict[str, Any]]:
        """Every champion against the opponent it was trained with."""

        def make() -> list[dict[str, Any]]:
            seed = derive(self.seed, "training opponent")
            with self.watch.games_bar(f"{name}: champions against their training opponents") as progress:
                pairs = list(zip(run.champions(), run.auxiliary_nets(), strict=True))
                found = []
                for number, (champion, companion) in enumerate(pairs, 1):
                    found.append(
                        match(
                            run.game, champion, companion, pairs=self.budget.pairs, seed=seed, threads=self.threads
                        ).json()
                    )
                    progress(number * 2 * self.budget.pairs, len(pairs) * 2 * self.budget.pairs)
            return found

        return self.kept(f"{name}-training", make)  # type: ignore[no-any-return]

    def internal(self, name: str, run: Run) -> dict[str, Any]:
        """The tournament of one input's champions, which chooses the best of them: on deals of its own."""

        def make() -> dict[str, Any]:
            with self.watch.games_bar(f"{name}: internal tournament") as progress:
                return tournament(
                    run.game,
                    *run.champions(),
                    pairs=self.budget.tournament_pairs,
                    seed=derive(self.seed, "internal"),
                    threads=self.threads,
                    progress=progress,
                ).json()

        if run.experiment.trials == 1:
            return {"players": []}
        return self.kept(f"{name}-internal", make)  # type: ignore[no-any-return]

    def best(self, name: str, run: Run, internal: dict[str, Any]) -> Contestant:
        """The winner of the internal tournament (a single champion needs none), under the input's name."""
        champions = {champion.name: champion for champion in run.champions()}
        winner = internal["players"][0]["name"] if internal["players"] else next(iter(champions))
        return Contestant(name, "net", champions[winner].net)

    def supervised(self) -> list[dict[str, Any]]:
        """Section 6.1.3: nets that learn to score hands; kept representation by representation."""
        kept = [self.kept(f"supervised-{name}", partial(self.taught, name)) for name in SUPERVISED]
        return [fit for fits in kept for fit in fits]

    def taught(self, name: str) -> list[dict[str, Any]]:
        """The networks of one representation."""
        config, done = self.budget.supervised, count(1)
        with self.watch.games_bar(f"supervised: {name}", "networks") as progress:
            fits = regress(
                config, {name: SUPERVISED[name]}, scored_hands,
                lambda fit: progress(next(done), config.networks), self.threads or threads_available(),
            )  # fmt: skip
        return [asdict(fit) for fit in fits]
