"""A curriculum: a team of nets, one for each role of a game, learns role after role from games that it plays itself.

Demirdöver, "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning" (2020). A stage names the roles that
learn, who sits at the table and under which rules; every example of a round has the same target, the round's reward (a
Monte Carlo return), and may have a hint, the trick's own. Nets that decide learn from as many examples of yes as of no.

Exploration is by Thompson sampling: a seat that learns plays a game by a net drawn from what the net might as well be. Its
hidden layer is taken as it is; its output weights are drawn from the Gaussian that the squared error leaves (Riquelme, Tucker and
Snoek, "Deep Bayesian bandits showdown", 2018: neural-linear), whose precision is the sum of the outer products of the output's
gradients. So exploration shrinks where much was seen. Or it is epsilon-greedy, or none.
"""

from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import expit

from sparring.arena.play import paired_jobs
from sparring.arena.players import Contestant, fill_builtin, find_player, pack_players
from sparring.errors import UserError
from sparring.games import Game, unknown
from sparring.games.game import with_rules
from sparring.kernel.dense import Dense
from sparring.kernel.example_generator import ExampleGenerator
from sparring.kernel.examples import FitOptions, FitScratch, fit
from sparring.kernel.launch import TEAM, Player
from sparring.kernel.network import HEAD
from sparring.kernel.random import derive
from sparring.kernel.records import records
from sparring.kernel.vectors import TINY
from sparring.learn.checkpoints import Damaged, Numbers, check_adam
from sparring.learn.curriculum_options import (
    Curriculum,
    curriculum_of,
    planned,
    read_numbers,
    read_rewards,
    read_widths,
)
from sparring.learn.curriculum_seating import DRAWS, invite, seated
from sparring.learn.curves import PREFIX, Curves
from sparring.learn.td import between
from sparring.learn.training import Training, check_builtin, trial_seeds
from sparring.nets.dense import Net, gaussian, size
from sparring.nets.files import load_net

SEEN = 2000  # examples of a step that sharpen what is drawn from
EXAM = "exam.player.accuracy"  # the curve of how often decisions are right
PRIOR = 1.0  # precision of output weights before anything was seen


class CurriculumTraining(Training):
    """Many trials of a curriculum, one after another in every step. Row t of `nets` has all of trial t's nets."""

    unit = "game"
    layout = {"moments": "second"}
    options: Curriculum

    def __init__(
        self, game: Game, options: Curriculum, seed: int, trials: int, threads: int | None = None, first: int = 0
    ) -> None:
        self.check(game, options)
        self.game, self.options, self.seed, self.trials, self.threads = game, options, seed, trials, threads
        self.curriculum = curriculum_of(game)
        self.roles = list(game.policies.roles)
        self.inputs = {role: game.policies.encodings[encoding] for role, encoding in game.policies.roles.items()}
        self.plan = planned(game, options)
        self.steps = sum(self.plan.values())
        self.ends = dict(zip(self.plan, np.cumsum(list(self.plan.values())).tolist(), strict=True))
        self.before = load_net(Path(options.before), game) if options.before else None
        self.given = dict(self.before.parts) if self.before else {}
        self.units = dict.fromkeys(self.roles, options.hidden) | read_widths(options.widths, self.roles)
        self.units |= {role: net.hidden for role, net in self.given.items()}
        counts = [size((self.inputs[role], self.units[role], 1)) for role in self.roles]
        self.places = dict(zip(self.roles, np.cumsum([0, *counts[:-1]]).tolist(), strict=True))
        self.trial_seeds = trial_seeds(seed, trials, first)
        self.nets = np.float32(options.start) * np.array([gaussian(sum(counts), s, "start") for s in self.trial_seeds])
        self.moments = np.zeros((2, *self.nets.shape), np.float32)  # of Adam, and the steps it has taken
        self.taken = np.zeros((trials, len(self.roles)), np.int64)
        self.seen = np.zeros((trials, len(self.plan)), np.int64)  # examples learned from in each stage
        for role, net in self.given.items():
            self.nets[:, self.places[role] : self.places[role] + len(net.weights)] = net.weights
        self.thresholds = np.tile(self._usual_thresholds(), (trials, 1))
        self.precision = {
            role: np.zeros((trials, self.units[role] + 1, self.units[role] + 1)) for role in self.learned()
        }
        self.rewards = read_rewards(self.curriculum, options.rewards)
        self.shares = read_numbers(options.shares, "shares", dict(self.curriculum.thresholds))
        self.measured = Curves(game, trials, -(-self.steps // options.curve_every))

    @classmethod
    def check(cls, game: Game, options: Curriculum) -> None:
        curriculum = curriculum_of(game)
        for name in options.stages:
            if name not in curriculum.stages:
                raise UserError(f"learner.stages: {unknown('stage', name, list(curriculum.stages))}")
        names = options.stages or tuple(curriculum.stages)
        if len(set(names)) < len(names):
            raise UserError(f"learner.stages = {list(names)}: a stage is there twice")
        if len(options.games) not in (1, len(names)) or min(options.games, default=0) < 1:
            raise UserError(
                f"learner.games = {list(options.games)}: must be one number, or one for each of {len(names)} stages"
            )
        for key in ("rivals", "benchmarks"):
            for player in getattr(options, key):
                check_builtin(game, key, player.partition("@")[0])
                find_player(game, player)
        read_rewards(curriculum, options.rewards)
        read_widths(options.widths, game.policies.roles)
        for key in ("thresholds", "shares"):
            read_numbers(getattr(options, key), key, dict(curriculum.thresholds))
        have: set[str] = set()
        if options.before:
            team = load_net(Path(options.before), game)
            if not team.parts:
                raise UserError(f"learner.before = {options.before!r}: one net alone; must be a team of nets")
            have |= set(team.parts)
        for name in names:
            missing = [role for role in curriculum.stages[name].needs if role not in have]
            if missing:
                raise UserError(
                    f"learner.stages: {name} needs {', '.join(missing)}, which no stage before it learns; name such a stage "
                    "first, or a team that has it in learner.before"
                )
            have |= set(curriculum.stages[name].learns)

    def _usual_thresholds(self) -> np.ndarray:
        told = dict(self.curriculum.thresholds)
        if self.before is not None:
            told |= self.before.thresholds
        told |= read_numbers(self.options.thresholds, "thresholds", dict(self.curriculum.thresholds))
        return np.array([told.get(role, 0.0) for role in self.roles])

    def learned(self, step: int | None = None) -> list[str]:
        """The roles that learn in stages begun by a step; in all of them if none is named."""
        begun = [n for n in self.plan if step is None or self.ends[n] - self.plan[n] < step]
        found = {role for name in begun for role in self.curriculum.stages[name].learns}
        return [role for role in self.roles if role in found]

    def stage_at(self, step: int) -> tuple[str, int]:
        """The stage that a step belongs to, and its number within it."""
        name = next(name for name, end in self.ends.items() if step < end)
        return name, step - (self.ends[name] - self.plan[name])

    # Learning.

    def advance(self) -> int:
        name, within = self.stage_at(self.step)
        stage = self.curriculum.stages[name]
        role = stage.learns[within % len(stage.learns)]
        rate = between(
            self.options.rate, self.options.rate_end, within / max(1, self.plan[name] - 1), self.options.schedule
        )
        for trial in range(self.trials):
            examples, order = self._examples(trial, name, role, self.options.step_games, "games", self.step)
            self.seen[trial, list(self.plan).index(name)] += len(order)
            if stage.decides:
                order = np.tile(order, self.options.decision_passes)
                self._fit(trial, role, examples, order, rate, self.options.decision_batch)
                continue
            self._fit(trial, role, examples, order, rate, self.options.batch)
            if self.options.explore == "thompson":
                self._sharpen(trial, role, examples, order)
        self.step += 1
        if self.step == self.ends[name] and not self.seen[:, list(self.plan).index(name)].all():
            wanted = "examples of both yes and no" if stage.decides else "an example"
            raise UserError(f"stage {name}: not one of its games gave {wanted}, so nothing was learned; begin anew with more games "
                            "of it or of the stages before, or with rules under which it happens")  # fmt: skip
        played = self.options.step_games * self.trials
        if stage.decides and self.step == self.ends[name] and role in self.shares:
            played += self._set_thresholds(name, role)
        if self.step % self.options.curve_every == 0 or self.step == self.steps:
            played += self._measure(name, role)
        return played

    @cached_property
    def generators(self) -> dict[str, tuple[Game, ExampleGenerator]]:
        """For every stage its game and who plays its lessons."""
        found = {}
        for name in self.plan:
            game = with_rules(self.game, self.curriculum.stages[name].rules)
            scratch = self.curriculum.examples(self.rewards) * max(1, int(game.template[0]["rules"]["rounds"]))
            found[name] = (
                game,
                ExampleGenerator(
                    game.family,
                    self.curriculum.play,
                    game.template,
                    game.rules.tally,
                    scratch,
                    game.policies.float_scratch,
                    game.policies.int_scratch,
                ),
            )
        return found

    def _examples(
        self, trial: int, name: str, role: str, games: int, *purpose: int | str
    ) -> tuple[np.ndarray, np.ndarray]:
        """Games of a stage: all examples, and the order in which to learn those of a role."""
        stage, scratch = self.curriculum.stages[name], self.generators[name][1]
        seed = derive(self.trial_seeds[trial], name, *purpose)
        table, weights = self._bank(trial, name, role, seed)
        jobs, learners = seated(stage, games, seed)
        if self.options.rivals:
            rivals = range(len(table) - len(self.options.rivals), len(table))
            invite(stage, jobs, learners, rivals, self.options.rival_share)
        explore = self.options.epsilon if self.options.explore == "epsilon" and not stage.decides else 0.0
        terms = self.curriculum.terms(self.rewards, 1 << self.roles.index(role), explore)
        examples, _ = scratch.play(jobs, learners, table, weights, terms, self.threads)
        order = np.flatnonzero((examples["role"] == self.roles.index(role)) & (examples["group"] > 0))
        rng = np.random.default_rng(derive(seed, "order"))
        if stage.decides:
            yes = examples["target"][order] > 0.5
            count = min(yes.sum(), (~yes).sum())
            order = np.concatenate([rng.permutation(order[yes])[:count], rng.permutation(order[~yes])[:count]])
        return examples, rng.permutation(order)

    def _bank(self, trial: int, name: str, role: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Everyone at the table: DRAWS rows for each sitter, then rivals; and the weights that all share."""
        stage, have = self.curriculum.stages[name], {*self.given, *self.learned(self.ends[name])}
        nets = self.nets[trial]
        sampled = self.options.explore == "thompson" and not stage.decides
        drawn = self._draws(trial, role, seed) if sampled else np.zeros((DRAWS, 0), np.float32)
        heads = np.zeros((len(stage.sitters), DRAWS, len(self.roles), HEAD), np.float32)
        table = np.zeros(heads.shape[:2], Player)
        ends = len(nets) + heads.size + np.arange(DRAWS) * drawn.shape[1]  # where what is drawn begins
        table["offset"] = (len(nets) + np.arange(table.size) * heads.shape[2] * HEAD).reshape(table.shape)
        for i, sitter in enumerate(stage.sitters):
            if sitter.policy in self.game.builtin:
                fill_builtin(table[i], self.game, sitter.policy)
                continue
            table[i]["policy"], table[i]["kind"] = self.game.policy_names.index(sitter.policy), TEAM
            table[i]["hidden"] = max(self.units.values())
            for k, r in enumerate(self.roles):
                if r in have:
                    out = self.places[r] + (self.inputs[r] + 1) * self.units[r]
                    heads[i, :, k, 0] = self.places[r] - table[i]["offset"]
                    heads[i, :, k, 1] = self.units[r]
                    heads[i, :, k, 2] = (ends if sampled and r == role and i in stage.learners else out) - table[i][
                        "offset"
                    ]
                    heads[i, :, k, 3] = sitter.thresholds.get(r, self.thresholds[trial, k])
        rivals, _ = pack_players(self.game, [find_player(self.game, name) for name in self.options.rivals])
        return np.concatenate([table.ravel(), rivals]), np.concatenate([nets, heads.ravel(), drawn.ravel()])

    def _fit(self, trial: int, role: str, examples: np.ndarray, order: np.ndarray, rate: float, batch: int) -> None:
        units, inputs = self.units[role], self.inputs[role]
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
        at, units, inputs = self.places[role], self.units[role], self.inputs[role]
        part = self.nets[trial, at : at + size((inputs, units, 1))]
        rows = np.concatenate([part[: inputs * units].reshape(inputs, units), np.zeros((1, units), np.float32)])
        columns = np.where(
            np.arange(examples["index"].shape[1]) < examples["count"][:, None], examples["index"], inputs
        )
        sums = np.tile(part[inputs * units : (inputs + 1) * units], (len(examples), 1))
        for column in columns.T:  # one at a time: all at once would take gigabytes
            sums += rows[column]
        hidden = np.concatenate([expit(sums), np.ones((len(sums), 1))], axis=1)
        return hidden, expit(hidden @ part[(inputs + 1) * units :])

    def _sharpen(self, trial: int, role: str, examples: np.ndarray, order: np.ndarray) -> None:
        hidden, values = self._values(trial, role, examples[order[:SEEN]])
        slopes = hidden * (values * (1 - values))[:, None]
        self.precision[role][trial] += slopes.T @ slopes

    def _draws(self, trial: int, role: str, seed: int) -> np.ndarray:
        """Output weights as they might as well be."""
        precision = self.precision[role][trial] + PRIOR * np.eye(self.units[role] + 1)
        lower = np.linalg.cholesky(precision)
        noise = gaussian(DRAWS * len(lower), seed, "draws").reshape(len(lower), DRAWS)
        at = self.places[role] + (self.inputs[role] + 1) * self.units[role]
        mean = self.nets[trial, at : at + len(lower)]
        away = self.options.spread * solve_triangular(lower.T, noise, lower=False).T
        drawn: np.ndarray = (mean + away).astype(np.float32)
        return drawn

    # Decisions and curves.

    def _exam(self, trial: int, name: str, role: str) -> tuple[np.ndarray, np.ndarray]:
        """Values and targets of balanced examples that nothing learns from."""
        examples, order = self._examples(trial, name, role, self.options.exam_games, "exam")
        return self._values(trial, role, examples[order])[1], examples["target"][order]

    def _set_thresholds(self, name: str, role: str) -> int:
        """Let a decision say yes to its share of all hands dealt."""
        for trial in range(self.trials):
            examples, _ = self._examples(trial, name, role, self.options.exam_games, "shares")
            every = examples[examples["role"] == self.roles.index(role)]
            values = self._values(trial, role, every)[1]
            self.thresholds[trial, self.roles.index(role)] = np.quantile(values, 1 - self.shares[role])
        return self.options.exam_games * self.trials

    def _measure(self, name: str, role: str) -> int:
        """The present teams against three of the benchmark, and how often a decision is right: a point of the curves."""
        point, played = -(-self.step // self.options.curve_every) - 1, 0
        if self.curriculum.stages[name].decides:
            accuracy = self.measured.values.setdefault(EXAM, np.full((self.trials, self.measured.points), np.nan))
            for trial in range(self.trials):
                values, targets = self._exam(trial, name, role)
                accuracy[trial, point] = np.mean((values > 0.5) == (targets > 0.5)) if len(values) else np.nan
            played += self.options.exam_games * self.trials
        game = with_rules(self.generators[name][0], "rounds=0")
        deals = -(-self.options.benchmark_games // 4)
        for setting, player in self.settings().items() if deals else ():
            teams = [Contestant("team", "net", self._team(trial)) for trial in range(self.trials)]
            table, weights = pack_players(game, [*teams, find_player(game, player)])
            jobs = np.concatenate([
                paired_jobs(derive(s, "benchmark", self.step), np.array([t, *[self.trials] * 3]), deals, "rotated")
                for t, s in enumerate(self.trial_seeds)
            ])  # fmt: skip
            tallies, _ = game.launcher.play(jobs, table, weights, self.threads)
            self.measured.add(setting, point, tallies, seating="rotated", seats=4)
            played += len(jobs)
        return played

    def settings(self) -> dict[str, str]:
        """Whom the teams meet, three of each."""
        return {name.replace("@", "-"): name for name in self.options.benchmarks}

    def curves(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        every = self.options.curve_every
        full = self.step // every if self.step < self.steps else -(-self.steps // every)
        games = np.minimum((np.arange(full) + 1) * every, self.steps) * self.options.step_games
        return games, self.measured.first(full)

    def headline(self) -> str:
        name = self.stage_at(min(self.step, self.steps - 1))[0]
        games, points = self.curves()
        won = points.get(f"{next(iter(self.settings()), None)}.player.won")
        return name + (f", won {won[:, -1].mean():.1%}" if won is not None and len(games) else "")

    # Stopping, going on, handing over.

    def arrays(self) -> dict[str, np.ndarray]:
        precision = {f"precision/{role}": values for role, values in self.precision.items()}
        own = {"nets": self.nets, "thresholds": self.thresholds, "moments": self.moments}
        own |= {"taken": self.taken, "seen": self.seen}
        return own | precision | self.measured.arrays()

    def expected(self, step: int) -> dict[str, Numbers]:
        found = super().expected(step) | self.measured.expected(self._met(step))
        found["thresholds"] = found["thresholds"].within(0, 1)
        for role in self.precision:  # products of two slopes, none of which is above 1/4
            found[f"precision/{role}"] = found[f"precision/{role}"].within(0, step * SEEN / 16)
        every = self.options.curve_every
        points = [*range(every, step + 1, every), *([step] if step == self.steps else [])]
        if any(self.curriculum.stages[self.stage_at(point - 1)[0]].decides for point in points):
            found[f"{PREFIX}{EXAM}"] = replace(Numbers.reals(self.trials, self.measured.points).within(0, 1), gaps=True)
        return found

    def _met(self, step: int) -> list[str]:
        return list(self.settings()) if self.options.benchmark_games and self.measured_by(step) else []

    def check_arrays(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        super().check_arrays(step, arrays)
        mean, square = arrays["moments"]
        if (square < 0).any():
            raise Damaged("'moments' has a mean square below 0")
        check_adam(
            "moments", mean, square, 1000 * float(TINY)
        )  # what is set to 0 in as many steps as a square is remembered
        for role in self.precision:
            for precision in arrays[f"precision/{role}"]:
                try:  # half the prior is left for what is drawn, so that no draw is far away
                    np.linalg.cholesky(precision + PRIOR / 2 * np.eye(len(precision)))
                except np.linalg.LinAlgError:
                    raise Damaged(f"'precision/{role}' is no sum of squares") from None

    def restore(self, step: int, arrays: dict[str, np.ndarray]) -> None:
        self.step = step
        self.nets, self.thresholds, self.moments, self.taken, self.seen = (
            arrays[name].copy() for name in ("nets", "thresholds", "moments", "taken", "seen")
        )
        self.precision = {role: arrays[f"precision/{role}"].copy() for role in self.precision}
        self.measured.restore(arrays)

    def diverged(self) -> bool:
        return not np.isfinite(self.nets).all()

    def champions(self) -> list[Net]:
        return [self._team(trial) for trial in range(self.trials)]

    def auxiliary_nets(self) -> list[Net]:
        return []

    def _team(self, trial: int) -> Net:
        """The team as it is now: the roles that were given or have begun to learn."""
        have = [role for role in self.roles if role in self.given or role in self.learned(self.step)]
        parts = {role: self._part(trial, role) for role in have}
        decide = {
            role: self.thresholds[trial, k] for k, role in enumerate(self.roles) if role in self.curriculum.thresholds
        }
        ancestry = (
            f"weights N(0, {self.options.start:g}), trial {trial}",
            f"{self.step * self.options.step_games} games",
        )
        return Net.team(self.roles, parts, decide, learner="curriculum", seed=self.seed, ancestry=ancestry)

    def _part(self, trial: int, role: str) -> Net:
        shape = (self.inputs[role], self.units[role], 1)
        weights = self.nets[trial, self.places[role] :][: size(shape)].copy()
        return Net(
            self.game.family,
            self.game.rules.version,
            self.game.policies.roles[role],
            shape,
            weights,
            input_major=self.game.policies.input_major,
        )
