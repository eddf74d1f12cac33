"""The measurements of the golf study: trainings, matches, tournaments, the supervised experiment."""

from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import combinations, count, product
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
from sparring.learn import find_learner
from sparring.learn.supervised import regress
from sparring.studies.golf.published import INPUTS, MEASURES
from sparring.studies.golf.settings import FURTHER, READINGS, RULES, START, WIDE_START, Budget, coevolution, neat
from sparring.studies.study import Measurement
from sparring.studies.study_cache import StudyCache

GAME = "golf"
EARLY: list[tuple[str, str, float]] = [*product(RULES, INPUTS, [START]), *product(RULES[2:], INPUTS, [WIDE_START])]
FIRST = 20  # networks without training that are tested for each trial of an early rule
GREEDIER = "greedier-published"  # the reading that fits the study's tables
Curves = tuple[np.ndarray, dict[str, np.ndarray]]  # the steps, and each measure as (trials, points[, labels])


@dataclass(frozen=True)
class Measured(Measurement):
    """The data of all tables, claims and figures."""

    budget: Budget
    supervised: list[dict[str, Any]]
    random: Match
    threshold: np.ndarray  # mean absolute difference in score per game, per epoch of two random players
    runs: dict[str, Run]  # by input, those of NEAT under neat-INPUT; so are training, internal and best
    early: dict[tuple[str, str, float], Run]  # by rule, input and start
    readings: dict[str, dict[str, Run]]  # NEAT by reading, then by input
    further: dict[str, Run]
    untrained: dict[
        tuple[str, float], np.ndarray
    ]  # scores against random of networks without training, by input and start
    training: dict[str, list[dict[str, Any]]]  # each coevolved champion's match with its training opponent
    internal: dict[str, dict[str, Any]]  # the champions' tournament
    best: dict[str, Contestant]  # its winner
    final: Tournament
    greedier: dict[str, Match]  # each of the final's players against greedier
    matchups: dict[tuple[str, str], Match]  # the final's players against each other, over more games
    crossed: dict[
        tuple[str, str], np.ndarray
    ]  # all champions of two inputs: games won by both, scores, (trials, trials, 4)

    @cached_property
    def curves(self) -> dict[str, Curves]:
        """By input: the curves of training."""
        return {name: run.training().curves() for name, run in self.runs.items()}

    @cached_property
    def against_random(self) -> dict[str, np.ndarray]:
        """By input: the study's five measures of every champion, (trials, 5)."""
        return {name: measures_of(matches_of(run)) for name, run in self.runs.items()}

    @cached_property
    def against_training(self) -> dict[str, np.ndarray]:
        return {name: measures_of(matches) for name, matches in self.training.items()}

    @cached_property
    def under(self) -> dict[str, dict[str, np.ndarray]]:
        """By reading of NEAT and input: the five measures of every champion against random."""
        return {
            word: {n: measures_of(matches_of(run)) for n, run in runs.items()} for word, runs in self.readings.items()
        }


def matches_of(run: Run, opponent: int = 0) -> list[dict[str, Any]]:
    """Every champion's match against an opponent of the evaluation; the first is random."""
    return [row["matches"][opponent] for row in run.evaluation()["trials"]]


def measures_of(matches: list[dict[str, Any]]) -> np.ndarray:
    """The five measures of the first player of each match, in the order of published.MEASURES."""
    players = [match["players"][0] for match in matches]
    return np.array(
        [[p["score"][0], p["win_rate"][0], *(p["measures"][name][0] for name in MEASURES[2:])] for p in players]
    )


def measure(cache: "StudyRuns", trials: int) -> Measured:
    """Compute whatever is not cached."""
    study, budget = cache.within(f"{trials}-trials"), cache.budget
    random = match(GAME, "random", "random", pairs=2500, seed=derive(study.seed, "random"), threads=study.threads)
    few = min(trials, budget.other_trials)
    runs = {name: study.run(name, coevolution(name, "score", budget.epochs), trials) for name in INPUTS}
    runs |= {f"neat-{name}": study.run(f"neat-{name}", neat(name, budget.generations), trials) for name in INPUTS}
    early = {key: study.early(*key, few) for key in EARLY}
    readings = {reading: study.reading(reading, few) for reading in budget.readings}
    further = {name: study.further(name, few) for name in budget.further}
    untrained = {key[1:]: study.untrained(*key[1:], run) for key, run in early.items() if key[0] == RULES[2]}
    internal = {name: study.internal(name, run) for name, run in runs.items()}
    best = {name: study.best(name, run, internal[name]) for name, run in runs.items()}
    finalists = best | {"random": find_players(runs["hand"].game, ["random"])[0]}
    training = {name: study.against_training(name, runs[name]) for name in INPUTS}
    final = tournament(GAME, *finalists.values(), pairs=50, seed=derive(study.seed, "final"), threads=study.threads)
    greedier = {name: study.match("greedier", GREEDIER, player) for name, player in finalists.items()}
    matchups = {(a, b): study.match("meetings", finalists[a], finalists[b]) for a, b in combinations(finalists, 2)}
    crossed = {(a, b): study.crossed(a, b, runs) for a, b in combinations(runs, 2)}
    return Measured(
        budget, trials, study.seed, study.folder, study.supervised(), random, study.threshold(),
        runs, early, readings, further, untrained, training, internal, best, final, greedier, matchups, crossed,
    )  # fmt: skip


class StudyRuns(StudyCache[Budget]):
    """The study's trainings, matches and tournaments."""

    def run(self, name: str, learner: dict[str, Any], trials: int) -> Run:
        """A training under this name."""
        evaluation = {"opponents": ["random", GREEDIER], "pairs": self.budget.pairs, "selection_pairs": 50}
        return self.trained(name, trials, {"game": GAME, "learner": learner, "evaluation": evaluation})

    def early(self, rule: str, name: str, start: float, trials: int) -> Run:
        """Coevolution by an abandoned rule."""
        learner = coevolution(name, rule, self.budget.early_epochs, start=start, benchmark_pairs=1, curve_every=20)
        return self.run(f"{name}-{rule}-{start:g}", learner, trials)

    def reading(self, reading: str, trials: int) -> dict[str, Run]:
        """NEAT under another reading of the study, by input."""
        study, options, length = self.within("readings"), READINGS[reading]["options"], self.budget.generations
        inputs = READINGS[reading]["inputs"]
        return {
            f"neat-{name}": study.run(f"{reading}-{name}", neat(name, length, **options), trials) for name in inputs
        }

    def further(self, name: str, trials: int) -> Run:
        """One experiment of the further work, on the hand."""
        options = FURTHER[name]["options"]
        learner = {"encoding": "hand"} | options if "name" in options else neat("hand", **{"generations": 50} | options)
        return self.within("further").run(name, learner, trials)

    def match(self, purpose: str, first: Entrant, second: Entrant) -> Match:
        """A match on deals for this purpose alone."""
        names = ", ".join(str(getattr(player, "name", player)) for player in (first, second))
        with self.watch.games_bar(f"{purpose}: {names}") as progress:
            return match(
                GAME, first, second, pairs=self.budget.match_pairs, seed=derive(self.seed, purpose),
                threads=self.threads, progress=progress,
            )  # fmt: skip

    def threshold(self) -> np.ndarray:
        """Appendix A: the difference per game between two random players, by epoch of five pairs."""
        game = find_game(GAME)
        jobs = paired_jobs(derive(self.seed, "threshold"), np.arange(2), 5 * self.budget.threshold_epochs)
        scores = by_contestant(play(game, jobs, find_players(game, ["random", "random"]), self.threads)["score"], 2)
        epochs = (scores[:, :, 0] - scores[:, :, 1]).reshape(self.budget.threshold_epochs, -1)
        return np.asarray(np.abs(epochs.mean(axis=1)))

    def untrained(self, name: str, start: float, run: Run) -> np.ndarray:
        """The scores against random of networks as the trials of a run begin with, many for each of its trials."""

        def make() -> list[float]:
            experiment, seed = run.experiment, self.seed_of("untrained")
            training = find_learner(experiment.learner)[1](
                run.game, experiment.options, seed, FIRST * experiment.trials
            )
            matches = (
                match(GAME, net, "random", pairs=25, seed=seed, threads=self.threads) for net in training.champions()
            )
            return [each.players[0].score.value for each in matches]

        return np.array(self.cached(f"untrained-{name}-{start:g}", make))

    def crossed(self, first: str, second: str, runs: dict[str, Run]) -> np.ndarray:
        """All champions of one input against all of another: games won by both, then their mean scores."""

        def make() -> list[list[list[float]]]:
            options: dict[str, Any] = {"pairs": 10, "seed": self.seed_of("crossed"), "threads": self.threads}
            ours, others = runs[first].champions(), runs[second].champions()
            rows = [[match(GAME, a, b, **options).players for b in others] for a in ours]
            return [
                [[*(p.win_rate.value for p in both), *(p.score.value for p in both)] for both in row] for row in rows
            ]

        return np.array(self.cached(f"{first}-against-{second}", make))

    def against_training(self, name: str, run: Run) -> list[dict[str, Any]]:
        """Every champion against its training opponent."""

        def make() -> list[dict[str, Any]]:
            seed, pairs = derive(self.seed, "training opponent"), self.budget.pairs
            entrants = zip(run.champions(), run.auxiliary_nets(), strict=True)
            return [match(run.game, *both, pairs=pairs, seed=seed, threads=self.threads).json() for both in entrants]

        return self.cached(f"{name}-training", make)  # type: ignore[no-any-return]

    def internal(self, name: str, run: Run) -> dict[str, Any]:
        """The tournament of one input's champions, which chooses the best of them, on deals of its own."""

        def make() -> dict[str, Any]:
            with self.watch.games_bar(f"{name}: internal tournament") as progress:
                return tournament(
                    run.game, *run.champions(), pairs=self.budget.internal_pairs,
                    seed=derive(self.seed, "internal"), threads=self.threads, progress=progress,
                ).json()  # fmt: skip

        if run.experiment.trials == 1:
            return {"players": []}
        return self.cached(f"{name}-internal", make)  # type: ignore[no-any-return]

    def best(self, name: str, run: Run, internal: dict[str, Any]) -> Contestant:
        """The winner of the internal tournament, or the only champion, under the input's name."""
        champions = {champion.name: champion for champion in run.champions()}
        winner = champions[internal["players"][0]["name"] if internal["players"] else next(iter(champions))]
        return Contestant(name, winner.policy, winner.net)

    def supervised(self) -> list[dict[str, Any]]:
        """Section 6.1.3: networks that learn to score hands, cached by representation."""
        kinds = product(SUPERVISED, ("", "-half"))
        fits = [self.cached(f"supervised-{name}{half}", partial(self._regress, name, half)) for name, half in kinds]
        return [fit for each in fits for fit in each]

    def _regress(self, name: str, half: str) -> list[dict[str, Any]]:
        """The networks of one representation; five of them with half as many hidden units as inputs."""
        config, done, inputs = self.budget.supervised, count(1), SUPERVISED[name](scored_hands(1, 0)[0]).shape[1]
        if half:
            config = replace(config, hidden=inputs // 2, networks=min(5, config.networks))
        with self.watch.games_bar(f"supervised: {name}", "networks") as progress:
            fits = regress(
                config, {name: SUPERVISED[name]}, scored_hands,
                lambda fit: progress(next(done), config.networks), self.threads or threads_available(),
            )  # fmt: skip
        return [asdict(fit) | {"half": bool(half)} for fit in fits]
