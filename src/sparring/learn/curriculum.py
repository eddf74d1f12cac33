"""A curriculum: a team of networks, one for each role of a game, learns role after role from games that it plays itself.

Demirdöver, "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning" (2020). A stage names the
roles that learn, the players at the table and the rules. All examples of a round have the same target, the round's
reward (a Monte Carlo return), and may have a hint, an immediate reward. Networks that decide learn from equal numbers
of positive and negative examples.

Exploration is by Thompson sampling: a learning seat plays a game with a network drawn from the posterior. Its hidden
layer is fixed; its output weights are drawn from the Gaussian that the squared error leaves (Riquelme, Tucker and
Snoek, "Deep Bayesian bandits showdown", 2018: neural-linear), whose precision is the sum of the outer products of the
output's gradients. Exploration thus shrinks where much was seen. Alternatives are epsilon-greedy exploration and none.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import expit

from sparring.arena.play import paired_jobs
from sparring.arena.players import Contestant, fill_builtin, find_player, pack_players
from sparring.errors import UserError
from sparring.games import Game
from sparring.games.game import with_rules
from sparring.kernel.dense import Dense
from sparring.kernel.example_generator import ExampleGenerator
from sparring.kernel.examples import Example, FitOptions, FitScratch, bootstrap, fit
from sparring.kernel.launch import TEAM, Player, threads_available
from sparring.kernel.network import HEAD
from sparring.kernel.random import derive
from sparring.kernel.records import call_kernel, records
from sparring.kernel.vectors import TINY
from sparring.learn import curriculum_options
from sparring.learn.checkpoints import Damaged, Numbers, Saved, check_adam
from sparring.learn.curriculum_seating import DRAWS, seat_rivals, seat_stage
from sparring.learn.curves import PREFIX
from sparring.learn.td import between
from sparring.learn.training import Training
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import load_net

SEEN = 2000  # examples of a step that update the posterior
EXAM = "exam.player.accuracy"  # the curve of the accuracy of decisions
PRIOR = 1.0  # precision of output weights before any example


class CurriculumTraining(Training):
    """Trials one after another in every step. Row t of `nets` has all networks of trial t's team, role by role."""

    learner = "curriculum"
    unit = "game"
    layout = {"moments": "second"}
    options: curriculum_options.Curriculum

    @classmethod
    def check(cls, game: Game, options: curriculum_options.Curriculum) -> None:
        curriculum_options.check_curriculum(game, options)

    def duration(self) -> tuple[int, int]:
        self.curriculum = curriculum_options.curriculum_of(self.game)
        self.plan = curriculum_options.planned(self.game, self.options)
        self.ends = dict(zip(self.plan, np.cumsum(list(self.plan.values())).tolist(), strict=True))
        return sum(self.plan.values()) * self.options.step_games, self.options.step_games

    def begin(self) -> None:
        options, policies = self.options, self.game.policies
        self.roles = list(policies.roles)
        self.role_inputs = {role: policies.encodings[encoding] for role, encoding in policies.roles.items()}
        self.before = load_net(Path(options.before), self.game) if options.before else None
        self.given = dict(self.before.parts) if self.before else {}
        self.units = dict.fromkeys(self.roles, options.hidden)
        self.units |= curriculum_options.read_widths(options.widths, self.roles)
        self.units |= {role: net.hidden for role, net in self.given.items()}
        counts = [size(self._shape(role)) for role in self.roles]
        self.places = dict(zip(self.roles, np.cumsum([0, *counts[:-1]]).tolist(), strict=True))
        starts = [gaussian(sum(counts), seed, "start") for seed in self.trial_seeds]
        self.nets = np.float32(options.start) * np.array(starts)
        for role, net in self.given.items():
            self.nets[:, self._span(role)] = net.weights
        self.moments = np.zeros((2, *self.nets.shape), np.float32)  # of Adam
        self.taken = np.zeros((self.trials, len(self.roles)), np.int64)  # steps of Adam
        self.seen = np.zeros((self.trials, len(self.plan)), np.int64)  # examples of each stage
        usual, read = self.curriculum.thresholds, curriculum_options.read_numbers
        found = {**usual, **(self.before.thresholds if self.before else {})}
        found |= read(options.thresholds, "thresholds", usual)
        self.thresholds = np.tile([found.get(role, 0.0) for role in self.roles], (self.trials, 1))
        widths = {role: self.units[role] + 1 for role in self.learned()}
        self.precision = {role: np.zeros((self.trials, width, width)) for role, width in widths.items()}
        rewards = {name: curriculum_options.read_rewards(self.curriculum, options.rewards, name) for name in self.plan}
        self.rewards, self.most = rewards, {name: self.curriculum.examples(each) for name, each in rewards.items()}
        self.shares = read(options.shares, "shares", usual)

    def _shape(self, role: str) -> tuple[int, int, int]:
        return self.role_inputs[role], self.units[role], 1

    def _span(self, role: str) -> slice:
        """The columns of `nets` with a role's weights."""
        return slice(self.places[role], self.places[role] + size(self._shape(role)))

    def learned(self, step: int | None = None) -> list[str]:
        """The roles that learn in the stages begun before a step; by default in all stages."""
        begun = [n for n in self.plan if step is None or self.ends[n] - self.plan[n] < step]
        found = {role for name in begun for role in self.curriculum.stages[name].learns}
        return [role for role in self.roles if role in found]

    def stage_at(self, step: int) -> tuple[str, int]:
        """The stage of a step, and the step's number within it."""
        name = next(name for name, end in self.ends.items() if step < end)
        return name, step - (self.ends[name] - self.plan[name])

    # Learning.

    def advance(self) -> int:
        options, (name, within) = self.options, self.stage_at(self.step)
        stage, number = self.curriculum.stages[name], list(self.plan).index(name)
        role = stage.learns[within % len(stage.learns)]
        rate = between(options.rate, options.rate_end, within / max(1, self.plan[name] - 1), options.schedule)
        threads = self.threads or threads_available()
        for first in range(0, self.trials, threads):
            trials = range(first, min(first + threads, self.trials))
            lessons = [(t, *self._examples(t, name, role, options.step_games, "games", self.step)) for t in trials]
            with ThreadPoolExecutor(len(trials)) as pool:  # games use all cores, but a network learns on one
                list(pool.map(lambda lesson: self._learn(name, role, rate, *lesson), lessons))
        self.step += 1
        played = options.step_games * self.trials
        if self.step == self.ends[name]:
            if not self.seen[:, number].all():
                wanted = "examples of both yes and no" if stage.decides else "an example"
                fault = f"stage {name}: not one of its games gave {wanted}, so nothing was learned"
                remedy = "begin anew with more games of it or of those before, or with rules under which it happens"
                raise UserError(f"{fault}; {remedy}")
            if stage.decides and role in self.shares:
                played += self._set_thresholds(name, role)
        return played + self._measure(name, role)

    def _learn(self, name: str, role: str, rate: float, trial: int, examples: np.ndarray, order: np.ndarray) -> None:
        """A role of a trial learns from a step's examples."""
        options, decides = self.options, self.curriculum.stages[name].decides
        self.seen[trial, list(self.plan).index(name)] += len(order)
        if decides:
            order = np.tile(order, options.decision_passes)
        self._fit(trial, role, examples, order, rate, options.decision_batch if decides else options.batch)
        if options.explore == "thompson" and not decides:
            self._update_posterior(trial, role, examples, order)

    @cached_property
    def generators(self) -> dict[str, tuple[Game, ExampleGenerator]]:
        """Every stage's game and its generator of examples."""
        found = {}
        for name in self.plan:
            game = with_rules(self.game, self.curriculum.stages[name].rules)
            found[name] = (game, ExampleGenerator(game.launcher, self.curriculum.play, self.most[name]))
        return found

    def _examples(
        self, trial: int, name: str, role: str, games: int, *purpose: int | str
    ) -> tuple[np.ndarray, np.ndarray]:
        """All examples of some games of a stage, and the order in which a role learns from its own."""
        stage, options = self.curriculum.stages[name], self.options
        seed = derive(self.trial_seeds[trial], name, *purpose)
        table, weights = self._players(trial, name, role, seed)
        jobs, learners = seat_stage(stage, games, seed)
        if options.rivals:
            rivals = range(len(table) - len(options.rivals), len(table))
            seat_rivals(stage, jobs, learners, rivals, options.rival_share)
        explore = options.epsilon if options.explore == "epsilon" and not stage.decides else 0.0
        terms = self.curriculum.terms(self.rewards[name], 1 << self.roles.index(role), explore)
        rng = np.random.default_rng(derive(seed, "order"))
        if options.records:
            examples = self._recorded(rng, terms, games, self.most[name], purpose[0] == "exam")
        else:
            examples, _ = self.generators[name][1].play(jobs, learners, table, weights, terms, self.threads)
            examples = examples.copy() if self.trials > 1 else examples  # the generator uses its array again
        order = np.flatnonzero((examples["role"] == self.roles.index(role)) & (examples["group"] > 0))
        if not stage.decides and min(options.trace, options.discount) < 1:
            self._bootstrap(trial, role, examples, order[examples["group"][order] == 1], self.most[name])
        if stage.decides or options.records:
            yes = examples["target"][order] > 0.5
            count = min(yes.sum(), (~yes).sum())
            order = np.concatenate([rng.permutation(order[yes])[:count], rng.permutation(order[~yes])[:count]])
        return examples, rng.permutation(order)

    @cached_property
    def rounds(self) -> np.ndarray:
        """The games to learn from instead of games of the team; the last fifth is for exams."""
        return curriculum_options.recorded_games(self.game, self.options.records)

    def _recorded(self, rng: np.random.Generator, terms: np.ndarray, count: int, most: int, exam: bool) -> np.ndarray:
        """The examples of some records."""
        split = len(self.rounds) * 4 // 5
        chosen = rng.choice(self.rounds[split:] if exam else self.rounds[:split], count)
        examples = np.zeros((count, most), Example)
        examples["role"] = -1
        assert self.curriculum.replay
        call_kernel(self.curriculum.replay, chosen, self.game.template.copy(), terms, examples)
        return examples.ravel()

    def _bootstrap(self, trial: int, role: str, examples: np.ndarray, order: np.ndarray, most: int) -> None:
        """Set targets by TD(lambda); `most` is the number of places for a game's examples."""
        chosen = examples[order]
        order = order[np.lexsort((-order, chosen["episode"], chosen["seat"], order // most))]
        net = Dense(self.places[role], self.role_inputs[role], self.units[role], 1)
        options = np.float32(self.options.trace), np.float32(self.options.discount)
        hidden = np.zeros(self.units[role], np.float32)
        bootstrap(net, self.nets[trial], records(examples), order, most, *options, hidden)

    def _players(self, trial: int, name: str, role: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """The table of a stage: DRAWS rows for each sitter, then rivals; and the weights that all share."""
        stage, have = self.curriculum.stages[name], {*self.given, *self.learned(self.ends[name])}
        nets = self.nets[trial]
        sampled = self.options.explore == "thompson" and not stage.decides
        drawn = self._draw_outputs(trial, role, seed) if sampled else np.zeros((DRAWS, 0), np.float32)
        heads = np.zeros((len(stage.sitters), DRAWS, len(self.roles), HEAD), np.float32)
        table = np.zeros(heads.shape[:2], Player)
        draws = len(nets) + heads.size + np.arange(DRAWS) * drawn.shape[1]  # places of the drawn output weights
        table["offset"] = (len(nets) + np.arange(table.size) * heads.shape[2] * HEAD).reshape(table.shape)
        for i, sitter in enumerate(stage.sitters):
            if sitter.policy in self.game.builtin:
                fill_builtin(table[i], self.game, sitter.policy)
                continue
            table[i]["policy"], table[i]["kind"] = self.game.policy_names.index(sitter.policy), TEAM
            table[i]["hidden"] = max(self.units.values())
            for k, r in enumerate(self.roles):
                if r in have:
                    outputs = draws if sampled and r == role and i in stage.learners else self._output_place(r)
                    heads[i, :, k, 0] = self.places[r] - table[i]["offset"]
                    heads[i, :, k, 1] = self.units[r]
                    heads[i, :, k, 2] = outputs - table[i]["offset"]
                    heads[i, :, k, 3] = sitter.thresholds.get(r, self.thresholds[trial, k])
        rivals, _ = pack_players(self.game, [find_player(self.game, name) for name in self.options.rivals])
        return np.concatenate([table.ravel(), rivals]), np.concatenate([nets, heads.ravel(), drawn.ravel()])

    def _output_place(self, role: str) -> int:
        """The first column of `nets` with a role's output weights."""
        return int(self.places[role] + (self.role_inputs[role] + 1) * self.units[role])

    def _fit(self, trial: int, role: str, examples: np.ndarray, order: np.ndarray, rate: float, batch: int) -> None:
        units, inputs = self.units[role], self.role_inputs[role]
        net = Dense(self.places[role], inputs, units, 1)
        scratch = (np.zeros(count, np.float32) for count in (size((inputs, units, 1)), units, units))
        options = FitOptions(batch, np.float32(rate), np.float32(self.options.hints), np.float32(self.options.level))
        steps = self.taken[trial, self.roles.index(role)]
        means = FitScratch(self.moments[0, trial], self.moments[1, trial], *scratch)
        taken = fit(net, self.nets[trial], records(examples), order, options, means, steps)
        self.taken[trial, self.roles.index(role)] += taken

    # Thompson sampling.

    def _values(self, trial: int, role: str, examples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Hidden units (and a 1 for the bias) and values of some examples."""
        units, inputs = self.units[role], self.role_inputs[role]
        part = self.nets[trial, self._span(role)]
        rows = np.concatenate([part[: inputs * units].reshape(inputs, units), np.zeros((1, units), np.float32)])
        present = np.arange(examples["index"].shape[1]) < examples["count"][:, None]
        sums = np.tile(part[inputs * units : (inputs + 1) * units], (len(examples), 1))
        for column in np.where(present, examples["index"], inputs).T:  # one at a time: all at once would take gigabytes
            sums += rows[column]
        hidden = np.concatenate([expit(sums), np.ones((len(sums), 1))], axis=1)
        return hidden, expit(hidden @ part[(inputs + 1) * units :])

    def _update_posterior(self, trial: int, role: str, examples: np.ndarray, order: np.ndarray) -> None:
        hidden, values = self._values(trial, role, examples[order[:SEEN]])
        slopes = hidden * (values * (1 - values))[:, None]
        self.precision[role][trial] += slopes.T @ slopes

    def _draw_outputs(self, trial: int, role: str, seed: int) -> np.ndarray:
        """Output weights drawn from the posterior."""
        precision = self.precision[role][trial] + PRIOR * np.eye(self.units[role] + 1)
        lower = np.linalg.cholesky(precision)
        noise = gaussian(DRAWS * len(lower), seed, "draws").reshape(len(lower), DRAWS)
        mean = self.nets[trial, self._output_place(role) :][: len(lower)]
        away = self.options.spread * solve_triangular(lower.T, noise, lower=False).T
        drawn: np.ndarray = (mean + away).astype(np.float32)
        return drawn

    # Decisions and curves.

    def _set_thresholds(self, name: str, role: str) -> int:
        """Let a decision say yes to its share of all its examples."""
        for trial in range(self.trials):
            examples, _ = self._examples(trial, name, role, self.options.exam_games, "shares")
            every = examples[examples["role"] == self.roles.index(role)]
            values = self._values(trial, role, every)[1]
            self.thresholds[trial, self.roles.index(role)] = np.quantile(values, 1 - self.shares[role])
        return self.options.exam_games * self.trials

    def _measure(self, name: str, role: str) -> int:
        """If a point of the curves is due: the accuracy of a decision, and games of the teams with the benchmarks."""
        if not self.point_due:
            return 0
        stage, played = self.curriculum.stages[name], 0
        if stage.decides:
            accuracy = self.measured.values.setdefault(EXAM, np.full((self.trials, self.measured.points), np.nan))
            for trial in range(self.trials):
                # The share of correct decisions on balanced examples that nothing learns from.
                examples, order = self._examples(trial, name, role, self.options.exam_games, "exam")
                right = (self._values(trial, role, examples[order])[1] > 0.5) == (examples["target"][order] > 0.5)
                accuracy[trial, self.point] = np.mean(right) if len(right) else np.nan
            played += self.options.exam_games * self.trials
        game, seats = self._benchmark_game(name), len(stage.sitters)
        deals = -(-self.options.benchmark_games // seats)
        for setting, player in self.settings().items() if deals else ():
            teams = [Contestant("team", "net", net) for net in self.champions()]
            table, weights = pack_players(game, [*teams, find_player(game, player)])
            rows = [np.array([trial, *[self.trials] * (seats - 1)]) for trial in range(self.trials)]
            seeds = [derive(seed, "benchmark", self.step) for seed in self.trial_seeds]
            jobs = np.concatenate([paired_jobs(s, row, deals, "rotated") for s, row in zip(seeds, rows, strict=True)])
            tallies, _ = game.launcher.play(jobs, table, weights, self.threads)
            self.measured.add(setting, self.point, tallies, seating="rotated", seats=seats)
            played += len(jobs)
        return played

    def _benchmark_game(self, name: str) -> Game:
        """A stage's game under the rules of benchmarks."""
        game, rules = self.generators[name][0], self.curriculum.benchmark_rules
        return with_rules(game, rules) if rules else game

    def settings(self) -> dict[str, str]:
        return {name.replace("@", "-"): name for name in self.options.benchmarks}

    def measured_by(self, step: int) -> list[str]:
        due = step >= self.every or step == self.steps
        return list(self.settings()) if self.options.benchmark_games and due else []

    def headline(self) -> str:
        return ", ".join(filter(None, (self.stage_at(min(self.step, self.steps - 1))[0], super().headline())))

    # Checkpoints and results.

    def saved(self, step: int) -> dict[str, Saved]:
        most = step * SEEN / 16  # products of two slopes, neither above 1/4
        found = {f"precision/{role}": Saved(values, 0, most) for role, values in self.precision.items()}
        found |= {name: Saved(getattr(self, name)) for name in ("nets", "moments", "taken", "seen")}
        return found | {"thresholds": Saved(self.thresholds, 0, 1)}

    def expected(self, step: int) -> dict[str, Numbers]:
        found = super().expected(step)
        points = [*range(self.every, step + 1, self.every), *([step] if step == self.steps else [])]
        if any(self.curriculum.stages[self.stage_at(point - 1)[0]].decides for point in points):
            found[PREFIX + EXAM] = replace(Numbers.reals(self.trials, self.measured.points).within(0, 1), gaps=True)
        return found

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().check_arrays(step, arrays)
        mean, square = arrays["moments"]
        if (square < 0).any():
            raise Damaged("'moments' has a mean square below 0")
        # Numbers below TINY are set to 0, in as many steps as a mean square remembers.
        check_adam("moments", mean, square, 1000 * float(TINY))
        for role in self.precision:
            for precision in arrays[f"precision/{role}"]:
                try:  # half the prior remains for the draws, so that no draw is far away
                    np.linalg.cholesky(precision + PRIOR / 2 * np.eye(len(precision)))
                except np.linalg.LinAlgError:
                    raise Damaged(f"'precision/{role}' is no sum of squares") from None

    def champions(self) -> list[Net]:
        return [self._team(trial) for trial in range(self.trials)]

    def _team(self, trial: int) -> Net:
        """The current team: the roles that were given or have begun to learn."""
        have = [role for role in self.roles if role in self.given or role in self.learned(self.step)]
        parts = {role: self._part(trial, role) for role in have}
        thresholds = dict(zip(self.roles, self.thresholds[trial], strict=True))
        decide = {role: thresholds[role] for role in self.roles if role in self.curriculum.thresholds}
        games = f"{self.step * self.stride} games"
        ancestry = (f"weights N(0, {self.options.start:g}), trial {trial}", games)
        return Net.team(self.roles, parts, decide, learner=self.learner, seed=self.seed, ancestry=ancestry)

    def _part(self, trial: int, role: str) -> Net:
        game, weights = self.game, self.nets[trial, self._span(role)].copy()
        encoding, input_major = game.policies.roles[role], game.policies.input_major
        return Net(game.family, game.rules.version, encoding, self._shape(role), weights, input_major=input_major)
