"""NEAT as a learner for any game: every genome plays, the fitter have more offspring."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.games import Game
from sparring.kernel.launch import GRAPH, Job, Player
from sparring.kernel.random import derive
from sparring.learn.curves import Curves
from sparring.learn.neat.matchups import Bank, Duties
from sparring.learn.neat.population import Population
from sparring.learn.neat.soundness import check_training
from sparring.learn.neat.task import MET, SEATS, Neat, check_task, fitness_of
from sparring.learn.training import Panel, Training, outputs_of, trial_seeds
from sparring.nets.dense import Net
from sparring.nets.genome import Genome, Genomes, express_all, express_one

SUMMARIES = ("best", "worst", "mean", "highest", "lowest")
SIZES = ("hidden_nodes", "connections", "enabled")  # of genomes; enabled are connections too
SIDES = ("population", "rivals")


@dataclass(frozen=True)
class Best:
    """A genome worth keeping: who it is, what it reached and when."""

    genome: Genome
    fitness: float
    generation: int
    number: int


class NeatTraining(Training):
    """Many trials of NEAT at once; a step is a generation of all of them.

    By trial and population, `halls` are the last generations' best. Where there are two populations, `partners` are the
    rivals that these met first: with them, the games that made them the best can be played again.
    """

    unit = "generation"
    crowded = True
    options: Neat

    def __init__(
        self, game: Game, options: Neat, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.encoding = options.encoding or game.encoding_names[0]
        self.inputs, self.outputs = game.policies.encodings[self.encoding], outputs_of(game, options.policy)
        self.steps = options.generations
        self.trial_seeds = trial_seeds(seed, trials, first)
        self.sides = 2 if "rivals" in options.opponents else 1
        self.populations = [
            [Population(options, self.inputs, self.outputs, derive(s, side), threads) for side in SIDES[: self.sides]]
            for s in self.trial_seeds
        ]
        self.best: list[list[Best | None]] = [[None] * self.sides for _ in range(trials)]
        self.halls: list[list[list[Genome]]] = [[[] for _ in range(self.sides)] for _ in range(trials)]
        self.partners: list[list[list[Genome]]] = [[[] for _ in range(self.sides)] for _ in range(trials)]
        self.solved = np.full(trials, -1, np.int64)  # the generation in which the threshold was reached
        self.purpose = "training"  # what deals are for
        self.told: dict[str, np.ndarray] = {}
        self.benchmarked = Curves(game, trials, self.steps)

    @classmethod
    def check(cls, game: Game, options: Neat) -> None:
        check_task(game, options)

    # A generation.

    def advance(self) -> int:
        pack_players, duties = Bank(self.game, self._pattern(), self.threads), Duties([], [], [], [])
        rows = {
            (t, side): pack_players.add_nets(*self._networks(self.populations[t][side].genomes))
            for t in range(self.trials)
            for side in range(self.sides)
        }
        builtin = {
            word: pack_players.add_builtin(word) for word in {*self.options.opponents, self.options.benchmark} - {*MET}
        }
        for t in self._going():
            if self.sides == 2:
                self._meet_rivals(duties, t, rows[t, 0], rows[t, 1])
            else:
                self._meet_others(pack_players, duties, t, rows[t, 0], builtin)
        games = 0
        if duties.count:
            tallies = pack_players.play(np.concatenate(duties.jobs))
            self._judge(duties, tallies, rows)
            games = len(tallies) + self._benchmark(pack_players, rows, builtin[self.options.benchmark])
        if self.step + 1 == self.steps and self.options.champion == "judged":
            games += self._choose_champions(builtin)
        self._carry_on()
        for t in self._going():
            self._close(t)
        self.step += 1
        return games

    def _pattern(self) -> np.ndarray:
        """What all evolved nets have in common, as a row of the table of players."""
        row = np.zeros(1, Player)
        row["policy"] = self.game.policy_names.index(self.options.policy)
        row["encoding"] = self.game.encoding_names.index(self.encoding)
        row["kind"], row["inputs"], row["outputs"] = GRAPH, self.inputs, self.outputs
        return row

    def _networks(self, genomes: Genomes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return express_all(genomes, self.inputs, self.outputs, self.game.policies.input_major, self.threads)

    def _going(self) -> Iterator[int]:
        return (t for t in range(self.trials) if self.solved[t] < 0)

    def _deals(self) -> np.ndarray:
        first = self.step * self.options.games if self.options.deals == "generation" else 0
        return np.arange(first, first + self.options.games)

    def _jobs(self, t: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Each of the first against each of the second, who stand beside them, on every deal: member by member."""
        deals = self._deals() if self.purpose == "training" else np.arange(self.options.judged_games)
        jobs = np.zeros((len(first), len(deals)), Job)
        jobs["seed"] = derive(self.trial_seeds[t], self.purpose)
        jobs["deal"] = jobs["luck"] = deals
        jobs["seats"] = 2
        jobs["player"][:, :, 0], jobs["player"][:, :, 1] = first[:, None], second[:, None]
        return np.asarray(jobs.reshape(-1))

    def _meet_rivals(self, duties: Duties, t: int, blue: np.ndarray, red: np.ndarray) -> None:
        """Member by member; the surplus of the larger population meets someone at random."""
        dice = np.random.default_rng(derive(self.trial_seeds[t], "matching", self.step))
        if self.options.matching == "random":
            red = dice.permutation(red)
        surplus = len(blue) - len(red)
        if surplus > 0:
            red = np.concatenate([red, dice.choice(red, surplus)])
        elif surplus < 0:
            blue = np.concatenate([blue, dice.choice(blue, -surplus)])
        jobs = self._jobs(t, blue, red)
        duties.add(jobs, jobs["player"][:, 0], 0)
        duties.judge(jobs["player"][:, 1], 1, np.arange(len(jobs)) + duties.count - len(jobs))

    def _meet_others(
        self, pack_players: Bank, duties: Duties, t: int, rows: np.ndarray, builtin: dict[str, int]
    ) -> None:
        for word in self.options.opponents:
            if word == "self":
                jobs = self._jobs(t, rows, rows)
                duties.add(jobs, jobs["player"][:, 0], 0)
                duties.judge(jobs["player"][:, 1], 1, np.arange(len(jobs)) + duties.count - len(jobs))
                continue
            others = np.full(len(rows), builtin[word]) if word in builtin else self._found(pack_players, t, rows, word)
            for seat in SEATS[self.options.seating]:
                jobs = self._jobs(t, others, rows) if seat else self._jobs(t, rows, others)
                duties.add(jobs, jobs["player"][:, seat], seat)

    def _found(self, pack_players: Bank, t: int, rows: np.ndarray, word: str) -> np.ndarray:
        """Whom each genome meets under one of the words of MET."""
        dice = np.random.default_rng(derive(self.trial_seeds[t], word, self.step))
        hall = self.halls[t][0]
        if word in ("last-best", "hall-of-fame") and hall:
            chosen = hall[-1:] if word == "last-best" else hall
            numbers = self._add_genomes(pack_players, chosen)
            return np.asarray(numbers[dice.integers(len(numbers), size=len(rows))])
        others = (np.arange(len(rows)) + dice.integers(1, max(len(rows), 2), len(rows))) % len(rows)
        if word == "other-species":
            species = self.populations[t][0].species
            for i in range(len(rows)):
                strangers = np.flatnonzero(species != species[i])
                if len(strangers):
                    others[i] = dice.choice(strangers)
        return np.asarray(rows[others])

    def _add_genomes(self, pack_players: Bank, genomes: list[Genome]) -> np.ndarray:
        weights, units = zip(*(express_one(genome, self.game.policies.input_major) for genome in genomes), strict=True)
        sizes = np.array([len(each) for each in weights])
        return pack_players.add_nets(np.concatenate(weights), np.array(units), np.cumsum(sizes) - sizes)

    # Judging and recording.

    def _judge(self, duties: Duties, tallies: np.ndarray, rows: dict[tuple[int, int], np.ndarray]) -> None:
        found = {
            "fitness": fitness_of(self.game, self.options.fitness, tallies),
            "score": tallies["score"].astype(float),
        }
        found |= self.game.rules.measures(tallies)
        players = np.concatenate(duties.jobs)["player"]
        for t in self._going():
            for side in range(self.sides):
                population = self.populations[t][side]
                numbers = rows[t, side]
                values = {name: duties.means(per_seat, numbers) for name, per_seat in found.items()}
                population.fitness[:] = values["fitness"]
                best, worst = int(np.argmax(population.fitness)), int(np.argmin(population.fitness))
                for name, each in values.items():
                    told = (each[best], each[worst], each.mean(), each.max(), each.min())
                    for summary, value in zip(SUMMARIES, told, strict=True):
                        self._tell(t, f"{SIDES[side]}.{summary}.{name}", value)
                hidden = population.node_count - self.outputs
                enabled = enabled_links(population.genomes)
                for name, each in (
                    ("hidden_nodes", hidden),
                    ("connections", population.link_count),
                    ("enabled", enabled),
                ):
                    self._tell(t, f"{SIDES[side]}.best.{name}", each[best])
                    self._tell(t, f"{SIDES[side]}.mean.{name}", each.mean())
                self._tell(t, f"{SIDES[side]}.species", len(np.unique(population.species)))
                self._remember(t, side, best)
                if self.sides == 2:
                    game = players[np.argmax(players[:, side] == numbers[best])]
                    partner = self.populations[t][1 - side].genome(int(game[1 - side] - rows[t, 1 - side][0]))
                    self.partners[t][side] = [*self.partners[t][side], partner][-self.options.hall :]

    def _tell(self, t: int, name: str, value: float) -> None:
        self.told.setdefault(name, np.zeros((self.trials, self.steps)))[t, self.step] = value

    def _remember(self, t: int, side: int, best: int) -> None:
        population, kept = self.populations[t][side], self.best[t][side]
        genome, fitness = population.genome(best), float(population.fitness[best])
        if kept is None or self.options.champion == "last" or fitness > kept.fitness:
            self.best[t][side] = Best(genome, fitness, self.step, int(population.ids[best]))
        self.halls[t][side] = [*self.halls[t][side], genome][-self.options.hall :]

    def _choose_champions(self, builtin: dict[str, int]) -> int:
        """The last generations' best meet whom genomes meet, on deals of their own: the best of them is the champion."""
        pack_players, duties, rows = Bank(self.game, self._pattern(), self.threads), Duties([], [], [], []), []
        fixed = {word: pack_players.add_builtin(word) for word in builtin}
        self.purpose = "judging"
        for t in range(self.trials):
            rows.append(self._add_genomes(pack_players, self.halls[t][0]))
            self._meet_others(pack_players, duties, t, rows[t], fixed)
        self.purpose = "training"
        tallies = pack_players.play(np.concatenate(duties.jobs))
        found = fitness_of(self.game, self.options.fitness, tallies)
        for t, hall in enumerate(rows):
            reached = duties.means(found, hall)
            best = int(np.argmax(reached))
            generation = self.step + 1 - len(hall) + best
            self.best[t][0] = Best(self.halls[t][0][best], float(reached[best]), generation, 0)
        return len(tallies)

    def _benchmark(self, pack_players: Bank, rows: dict[tuple[int, int], np.ndarray], opponent: int) -> int:
        """The best of every trial's first population against the benchmark."""
        pairs, seating = self.options.benchmark_pairs, self._benchmark_seating()
        if not pairs:
            return 0
        parts = []
        for t, seed in enumerate(self.trial_seeds):
            best = rows[t, 0][int(np.argmax(self.populations[t][0].fitness))]
            sitting = [opponent, best] if self.options.seating == "second" else [best, opponent]
            jobs = paired_jobs(derive(seed, "benchmark"), np.array(sitting), pairs, seating)
            jobs["deal"] += self.step * pairs
            jobs["luck"] += self.step * len(jobs)
            parts.append(jobs)
        tallies = pack_players.play(np.concatenate(parts))
        self.benchmarked.add("benchmark", self.step, tallies, seating=seating)
        return len(tallies)

    def _benchmark_seating(self) -> str:
        return "every" if self.options.seating == "both" else "given"

    def _carry_on(self) -> None:
        """A trial that was solved before stays as it was."""
        for t in np.flatnonzero(self.solved >= 0):
            for curve in (*self.told.values(), *self.benchmarked.values.values()):
                curve[t, self.step] = curve[t, self.step - 1]

    def _close(self, t: int) -> None:
        """The next generation of a trial, unless this one is good enough."""
        if any(population.solved for population in self.populations[t]):
            self.solved[t] = self.step
        elif self.step + 1 < self.steps:
            for population in self.populations[t]:
                population.reproduce()

    # Curves.

    def settings(self) -> dict[str, str]:
        return {"benchmark": self.options.benchmark}

    def panels(self) -> list[Panel]:
        sides = SIDES[: self.sides]
        lines = {
            f"{summary} of the {side}" if self.sides > 1 else summary: f"{side}.{summary}"
            for side in sides
            for summary in SUMMARIES
        }
        measures = ("fitness", "score", *self.game.rules.measures(np.zeros(1, self.game.rules.tally)))
        found = [
            (measure, {label: f"{name}.{measure}" for label, name in lines.items() if summary_fits(label, measure)})
            for measure in (*measures, *SIZES)
        ]
        return [*found, ("species", {side: f"{side}.species" for side in sides})]

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        told = {name: values[:, : self.step] for name, values in self.told.items()}
        return np.arange(self.step) + 1, told | self.benchmarked.first(self.step)

    def headline(self) -> str:
        best = self.told.get("population.best.fitness")
        return "" if best is None or not self.step else f"best fitness {best[:, self.step - 1].mean():.4g}"

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        found = {"solved": self.solved, **self.benchmarked.arrays()}
        found |= {f"told/{name}": values for name, values in self.told.items()}
        for t in range(self.trials):
            for side in range(self.sides):
                place = f"{t}/{side}/"
                found |= {f"{place}population/{name}": a for name, a in self.populations[t][side].arrays().items()}
                kept = self.best[t][side]
                if kept:
                    found |= {f"{place}best/{name}": a for name, a in kept.genome.tensors().items()}
                    found[f"{place}best/fitness"] = np.array([kept.fitness])
                    found[f"{place}best/when"] = np.array([kept.generation, kept.number])
                for word, kept_here in (("hall", self.halls), ("partner", self.partners)):
                    for k, genome in enumerate(kept_here[t][side]):
                        found |= {f"{place}{word}/{k}/{name}": a for name, a in genome.tensors().items()}
        return found

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        check_training(self, step, arrays)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step, self.solved = step, arrays["solved"].copy()
        self.benchmarked.restore(arrays)
        self.told = {name: values.copy() for name, values in _under(arrays, "told/").items()}
        for t in range(self.trials):
            for side in range(self.sides):
                mine = _under(arrays, f"{t}/{side}/")
                self.populations[t][side].restore(_under(mine, "population/"))
                best = _under(mine, "best/")
                if best:
                    generation, number = best["when"].tolist()
                    kept = Genome.of_tensors(best, self.inputs, self.outputs)
                    self.best[t][side] = Best(kept, float(best["fitness"][0]), generation, number)
                self.halls[t][side], self.partners[t][side] = (
                    self._genomes(mine, "hall"),
                    self._genomes(mine, "partner"),
                )

    def _genomes(self, arrays: dict[str, np.ndarray], word: str) -> list[Genome]:
        found: list[Genome] = []
        while told := _under(arrays, f"{word}/{len(found)}/"):
            found.append(Genome.of_tensors(told, self.inputs, self.outputs))
        return found

    def champions(self) -> list[Net]:
        return [self._net(t, 0) for t in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return [self._net(t, 1) for t in range(self.trials)] if self.sides == 2 else []

    def _net(self, t: int, side: int) -> Net:
        best = self.best[t][side]
        assert best is not None  # champions are asked for after a generation
        who = f"genome {best.number}" if best.number else "the best"
        ancestry = (
            f"trial {t}, {SIDES[side]} of {self.options.pop_size}, {self.step} generations",
            f"{who} of generation {best.generation + 1}: fitness {best.fitness:g} ({self.options.fitness})",
        )
        return Net.evolved(
            self.game.family,
            self.game.rules.version,
            self.encoding,
            best.genome,
            learner="neat",
            seed=self.seed,
            ancestry=ancestry,
            policy=self.options.policy,
            input_major=self.game.policies.input_major,
        )


def enabled_links(genomes: Genomes) -> np.ndarray:
    """Enabled connections of every genome."""
    real = np.arange(genomes.links.shape[1]) < genomes.link_count[:, None]
    return np.asarray((real & (genomes.links["enabled"] != 0)).sum(axis=1))


def summary_fits(label: str, measure: str) -> bool:
    """Sizes of genomes are told of the best and on average."""
    return measure not in SIZES or label.partition(" ")[0] in ("best", "mean")


def _under(arrays: dict[str, np.ndarray], place: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(place): array for name, array in arrays.items() if name.startswith(place)}
