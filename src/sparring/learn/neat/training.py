"""NEAT: networks grow node by node while they evolve; every genome plays, and fitter genomes have more children.

Stanley and Miikkulainen, "Evolving neural networks through augmenting topologies" (2002), with the options of
neat-python.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.games import Game
from sparring.kernel.launch import GRAPH, Job, Player
from sparring.kernel.random import derive
from sparring.learn.checkpoints import Numbers, Saved
from sparring.learn.neat.matchups import PlayerTable, Schedule
from sparring.learn.neat.population import Population
from sparring.learn.neat.soundness import check_training
from sparring.learn.neat.task import MET, SEATS, Neat, check_task, fitness_of
from sparring.learn.option_checks import outputs_of
from sparring.learn.training import Panel, Training
from sparring.nets.dense import Net
from sparring.nets.genome import Genome, express_all, express_one

SUMMARIES = ("best", "worst", "mean", "highest", "lowest")
SIZES = ("hidden_nodes", "connections", "enabled")  # of genomes; enabled connections
SIDES = ("population", "rivals")


@dataclass(frozen=True)
class Best:
    """The best genome so far: its fitness, generation and id."""

    genome: Genome
    fitness: float
    generation: int
    number: int


class NeatTraining(Training):
    """A step is a generation of all trials.

    By trial and population, `halls` are the best genomes of the last generations. With two populations, `partners` are the
    rivals that these met first: with them, the games that made them the best can be repeated.
    """

    learner = "neat"
    unit = "generation"
    crowded = True
    options: Neat

    @classmethod
    def check(cls, game: Game, options: Neat) -> None:
        check_task(game, options)

    @classmethod
    def lasting(cls, options: Neat, games: int) -> Neat:
        seats = [1 if word in ("self", "rivals") else len(SEATS[options.seating]) for word in options.opponents]
        return replace(options, generations=max(1, games // (options.pop_size * options.games * sum(seats))))

    def duration(self) -> tuple[int, int]:
        return self.options.generations, 1

    def begin(self) -> None:
        self.outputs = outputs_of(self.game, self.options.policy)
        self.sides = 2 if "rivals" in self.options.opponents else 1
        sides, trials = range(self.sides), range(self.trials)
        self.populations = [
            [Population(self.options, self.inputs, self.outputs, derive(s, SIDES[k]), self.threads) for k in sides]
            for s in self.trial_seeds
        ]
        self.best: list[list[Best | None]] = [[None for _ in sides] for _ in trials]
        self.halls: list[list[list[Genome]]] = [[[] for _ in sides] for _ in trials]
        self.partners: list[list[list[Genome]]] = [[[] for _ in sides] for _ in trials]
        self.solved = np.full(self.trials, -1, np.int64)  # the generation that reached the threshold
        self.purpose = "training"  # of the deals

    # A generation.

    def advance(self) -> int:
        table, schedule = PlayerTable(self.game, self._pattern(), self.threads), Schedule()
        sizes = self.inputs, self.outputs, self.game.policies.input_major, self.threads
        rows = {
            (t, side): table.add_nets(*express_all(self.populations[t][side].genomes, *sizes))
            for t in range(self.trials)
            for side in range(self.sides)
        }
        builtin = {word: table.add_builtin(word) for word in {*self.options.opponents, self.options.benchmark} - {*MET}}
        for t in self._going():
            if self.sides == 2:
                self._meet_rivals(schedule, t, rows[t, 0], rows[t, 1])
            else:
                self._meet_others(table, schedule, t, rows[t, 0], builtin)
        games = 0
        if schedule.count:
            tallies = table.play(np.concatenate(schedule.jobs))
            self._judge(schedule, tallies, rows)
            games = len(tallies) + self._benchmark(table, rows, builtin[self.options.benchmark])
        if self.step + 1 == self.steps and self.options.champion == "judged":
            games += self._choose_champions(builtin)
        for t in np.flatnonzero(
            self.solved >= 0
        ).tolist():  # the last numbers of trials that were solved before are repeated
            for curve in (*self.recorded.values(), *self.measured.values.values()):
                curve[t, self.step] = curve[t, self.step - 1]
        for t in self._going():
            self._reproduce(t)
        self.step += 1
        return games

    def _pattern(self) -> np.ndarray:
        """The fields that all evolved networks share, as a row of the table of players."""
        row = np.zeros(1, Player)
        row["policy"] = self.game.policy_names.index(self.options.policy)
        row["encoding"] = self.game.encoding_names.index(self.encoding)
        row["kind"], row["inputs"], row["outputs"] = GRAPH, self.inputs, self.outputs
        return row

    def _going(self) -> Iterator[int]:
        """The trials that have not reached the threshold."""
        return (t for t in range(self.trials) if self.solved[t] < 0)

    def _deals(self) -> np.ndarray:
        if self.purpose != "training":
            return np.arange(self.options.judged_games)
        first = self.step * self.options.games if self.options.deals == "generation" else 0
        return np.arange(first, first + self.options.games)

    def _jobs(self, t: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Games of each of the first with its counterpart of the second, on every deal, ordered by member."""
        deals = self._deals()
        jobs = np.zeros((len(first), len(deals)), Job)
        jobs["seed"] = derive(self.trial_seeds[t], self.purpose)
        jobs["deal"] = jobs["luck"] = deals
        jobs["seats"] = 2
        jobs["player"][:, :, 0], jobs["player"][:, :, 1] = first[:, None], second[:, None]
        return np.asarray(jobs.reshape(-1))

    def _meet_rivals(self, schedule: Schedule, t: int, blue: np.ndarray, red: np.ndarray) -> None:
        """Member meets member; the surplus of the larger population meets random members of the other."""
        dice = np.random.default_rng(derive(self.trial_seeds[t], "matching", self.step))
        if self.options.matching == "random":
            red = dice.permutation(red)
        surplus = len(blue) - len(red)
        if surplus > 0:
            red = np.concatenate([red, dice.choice(red, surplus)])
        elif surplus < 0:
            blue = np.concatenate([blue, dice.choice(blue, -surplus)])
        schedule.add(self._jobs(t, blue, red), 0, 1)

    def _meet_others(
        self, table: PlayerTable, schedule: Schedule, t: int, rows: np.ndarray, builtin: dict[str, int]
    ) -> None:
        for word in self.options.opponents:
            if word == "self":
                schedule.add(self._jobs(t, rows, rows), 0, 1)
                continue
            others = np.full(len(rows), builtin[word]) if word in builtin else self._find(table, t, rows, word)
            for seat in SEATS[self.options.seating]:
                schedule.add(self._jobs(t, others, rows) if seat else self._jobs(t, rows, others), seat)

    def _find(self, table: PlayerTable, t: int, rows: np.ndarray, word: str) -> np.ndarray:
        """The opponent of each genome for one of the words of MET."""
        dice = np.random.default_rng(derive(self.trial_seeds[t], word, self.step))
        hall = self.halls[t][0]
        if word in ("last-best", "hall-of-fame") and hall:
            numbers = self._add_genomes(table, hall[-1:] if word == "last-best" else hall)
            return np.asarray(numbers[dice.integers(len(numbers), size=len(rows))])
        others = (np.arange(len(rows)) + dice.integers(1, max(len(rows), 2), len(rows))) % len(rows)
        if word == "other-species":
            species = self.populations[t][0].species
            for i in range(len(rows)):
                strangers = np.flatnonzero(species != species[i])
                if len(strangers):
                    others[i] = dice.choice(strangers)
        return np.asarray(rows[others])

    def _add_genomes(self, table: PlayerTable, genomes: list[Genome]) -> np.ndarray:
        weights, units = zip(*(express_one(genome, self.game.policies.input_major) for genome in genomes), strict=True)
        sizes = np.array([len(each) for each in weights])
        return table.add_nets(np.concatenate(weights), np.array(units), np.cumsum(sizes) - sizes)

    # Judging and recording.

    def _judge(self, schedule: Schedule, tallies: np.ndarray, rows: dict[tuple[int, int], np.ndarray]) -> None:
        """Set every genome's fitness, record the generation, and remember its best."""
        found = {
            "fitness": fitness_of(self.game, self.options.fitness, tallies),
            "score": tallies["score"].astype(float),
            **self.game.rules.measures(tallies),
        }
        players = np.concatenate(schedule.jobs)["player"]
        for t in self._going():
            for side in range(self.sides):
                numbers, population = rows[t, side], self.populations[t][side]
                values = {name: schedule.means(per_seat, numbers) for name, per_seat in found.items()}
                population.fitness[:] = values["fitness"]
                self._record_generation(t, side, values)
                self._remember(t, side)
                if self.sides == 2:
                    game = players[np.argmax(players[:, side] == numbers[population.best])]
                    partner = self.populations[t][1 - side].genome(int(game[1 - side] - rows[t, 1 - side][0]))
                    self.partners[t][side] = [*self.partners[t][side], partner][-self.options.hall :]

    def _record_generation(self, t: int, side: int, values: dict[str, np.ndarray]) -> None:
        population, name = self.populations[t][side], SIDES[side]
        best, worst = population.best, int(population.fitness.argmin())
        for measure, each in values.items():
            summaries = (each[best], each[worst], each.mean(), each.max(), each.min())
            for summary, value in zip(SUMMARIES, summaries, strict=True):
                self._record(t, f"{name}.{summary}.{measure}", value)
        genomes = population.genomes
        real = np.arange(genomes.links.shape[1]) < genomes.link_count[:, None]
        enabled = (real & (genomes.links["enabled"] != 0)).sum(axis=1)
        sizes = genomes.node_count - self.outputs, genomes.link_count, enabled
        for measure, each in zip(SIZES, sizes, strict=True):
            self._record(t, f"{name}.best.{measure}", each[best])
            self._record(t, f"{name}.mean.{measure}", each.mean())
        self._record(t, f"{name}.species", len(np.unique(population.species)))
        self._record(t, f"{name}.median.fitness", float(np.median(population.fitness)))

    def _record(self, t: int, name: str, value: float) -> None:
        self.recorded.setdefault(name, np.zeros((self.trials, self.steps)))[t, self.step] = value

    def _remember(self, t: int, side: int) -> None:
        """Add the generation's best genome to the hall of fame, and make it the champion if it is."""
        population, kept = self.populations[t][side], self.best[t][side]
        row = population.best
        genome, fitness = population.genome(row), float(population.fitness[row])
        if kept is None or self.options.champion == "last" or fitness > kept.fitness:
            self.best[t][side] = Best(genome, fitness, self.step, int(population.ids[row]))
        self.halls[t][side] = [*self.halls[t][side], genome][-self.options.hall :]

    def _choose_champions(self, builtin: dict[str, int]) -> int:
        """Let the best genomes of the last generations meet the opponents on separate deals; the best becomes the champion."""
        table, schedule, rows = PlayerTable(self.game, self._pattern(), self.threads), Schedule(), []
        fixed = {word: table.add_builtin(word) for word in builtin}
        self.purpose = "judging"
        for t in range(self.trials):
            rows.append(self._add_genomes(table, self.halls[t][0]))
            self._meet_others(table, schedule, t, rows[t], fixed)
        self.purpose = "training"
        tallies = table.play(np.concatenate(schedule.jobs))
        found = fitness_of(self.game, self.options.fitness, tallies)
        for t, hall in enumerate(rows):
            reached = schedule.means(found, hall)
            best = int(np.argmax(reached))
            generation = self.step + 1 - len(hall) + best
            self.best[t][0] = Best(self.halls[t][0][best], float(reached[best]), generation, 0)
        return len(tallies)

    def _benchmark(self, table: PlayerTable, rows: dict[tuple[int, int], np.ndarray], opponent: int) -> int:
        """Let the best of every trial's first population meet the benchmark; returns the number of games."""
        pairs, seating = self.options.benchmark_pairs, "every" if self.options.seating == "both" else "given"
        if not pairs:
            return 0
        parts = []
        for t, seed in enumerate(self.trial_seeds):
            best = rows[t, 0][self.populations[t][0].best]
            sitting = [opponent, best] if self.options.seating == "second" else [best, opponent]
            jobs = paired_jobs(derive(seed, "benchmark"), np.array(sitting), pairs, seating)
            jobs["deal"] += self.step * pairs
            jobs["luck"] += self.step * len(jobs)
            parts.append(jobs)
        tallies = table.play(np.concatenate(parts))
        self.measured.add("benchmark", self.step, tallies, seating=seating)
        return len(tallies)

    def _reproduce(self, t: int) -> None:
        """Create the next generation of a trial, unless this one reaches the threshold."""
        if any(population.solved for population in self.populations[t]):
            self.solved[t] = self.step
        elif self.step + 1 < self.steps:
            for population in self.populations[t]:
                population.reproduce()

    # Curves.

    def measured_by(self, step: int) -> list[str]:
        return ["benchmark"] if step and self.options.benchmark_pairs else []

    def panels(self) -> list[Panel]:
        sides = SIDES[: self.sides]
        lines = {
            f"{summary} of the {side}" if self.sides > 1 else summary: f"{side}.{summary}"
            for side in sides
            for summary in SUMMARIES
        }
        of_sizes = {label: name for label, name in lines.items() if label.partition(" ")[0] in ("best", "mean")}
        measures = ("fitness", "score", *self.game.rules.measures(np.zeros(1, self.game.rules.tally)))
        found = [
            (measure, {label: f"{name}.{measure}" for label, name in (of_sizes if measure in SIZES else lines).items()})
            for measure in (*measures, *SIZES)
        ]
        return [*found, ("species", {side: f"{side}.species" for side in sides})]

    def headline(self) -> str:
        best = self.recorded.get("population.best.fitness")
        return "" if best is None or not self.step else f"best fitness {best[:, self.step - 1].mean():.4g}"

    # Checkpoints and results.

    def saved(self, step: int) -> dict[str, Saved]:
        return {"solved": Saved(self.solved, -1, -1 if self.options.no_fitness_termination else step - 1)}

    def expected(self, step: int) -> dict[str, Numbers]:
        recorded = [name for _, lines in self.panels() for name in lines.values()] if step else []
        own = {f"recorded/{name}": Numbers.reals(self.trials, self.steps) for name in recorded}
        return super().expected(step) | own

    def arrays(self) -> dict[str, np.ndarray]:
        found = super().arrays() | {f"recorded/{name}": values for name, values in self.recorded.items()}
        for t in range(self.trials):
            for side in range(self.sides):
                found |= {f"{t}/{side}/{name}": array for name, array in self._side_arrays(t, side).items()}
        return found

    def _side_arrays(self, t: int, side: int) -> dict[str, np.ndarray]:
        found = _placed("population", self.populations[t][side].arrays())
        if best := self.best[t][side]:
            found |= _placed("best", best.genome.tensors())
            found["best/fitness"] = np.array([best.fitness])
            found["best/when"] = np.array([best.generation, best.number])
        for word, kept in (("hall", self.halls), ("partner", self.partners)):
            for k, genome in enumerate(kept[t][side]):
                found |= _placed(f"{word}/{k}", genome.tensors())
        return found

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        check_training(self, step, arrays)

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().restore(step, arrays)
        self.recorded = {name: values.copy() for name, values in _under(arrays, "recorded").items()}
        for t in range(self.trials):
            for side in range(self.sides):
                mine = _under(arrays, f"{t}/{side}")
                self.populations[t][side].restore(_under(mine, "population"))
                if best := _under(mine, "best"):
                    genome = Genome.of_tensors(best, self.inputs, self.outputs)
                    self.best[t][side] = Best(genome, float(best["fitness"][0]), *best["when"].tolist())
                self.halls[t][side] = self._genomes(mine, "hall")
                self.partners[t][side] = self._genomes(mine, "partner")

    def _genomes(self, arrays: dict[str, np.ndarray], word: str) -> list[Genome]:
        found: list[Genome] = []
        while tensors := _under(arrays, f"{word}/{len(found)}"):
            found.append(Genome.of_tensors(tensors, self.inputs, self.outputs))
        return found

    def diverged(self) -> bool:
        return False  # weights have limits

    def champions(self) -> list[Net]:
        return [self._champion(t, 0) for t in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return [self._champion(t, 1) for t in range(self.trials)] if self.sides == 2 else []

    def _champion(self, t: int, side: int) -> Net:
        best, game = self.best[t][side], self.game
        assert best is not None  # a generation has been judged
        who = f"genome {best.number}" if best.number else "the best"
        ancestry = (
            f"trial {t}, {SIDES[side]} of {self.options.pop_size}, {self.step} generations",
            f"{who} of generation {best.generation + 1}: fitness {best.fitness:g} ({self.options.fitness})",
        )
        return Net.evolved(
            game.family, game.rules.version, self.encoding, best.genome, game.policies.input_major,
            learner=self.learner, seed=self.seed, ancestry=ancestry, policy=self.options.policy,
        )  # fmt: skip


def _placed(place: str, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {f"{place}/{name}": array for name, array in arrays.items()}


def _under(arrays: dict[str, np.ndarray], place: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(f"{place}/"): array for name, array in arrays.items() if name.startswith(f"{place}/")}
