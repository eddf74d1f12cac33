"""The study's trainings as experiments, the readings of its text and its suggestions as variants of them, and the budgets."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from sparring.studies import read_data
from sparring.studies.gin.published import EVO, KINDS, TD, TOURNAMENT, TRAINING

TABLES = read_data("gin", "settings")
# The standard deviation of the initial weights. The study does not give it; SNNS draws them uniformly from -1 to 1.
START = 0.58
HIDDEN, ENCODING = 26, "cards"  # the study's network
EPOCH, DUEL = 4, 6  # games of an epoch of evolution, and after which the winner of TD's two networks is copied
POINTS = 40  # of the curves
STEPS = 600  # of a TD training, roughly
CURVE_PAIRS = 2  # of games per point of TD's curves
BASES: dict[str, dict[str, Any]] = {
    EVO: {"name": "coevolution", "rule": "challenger", "wins": "3/4", "move": 0.05, "mutation": 0.1},
    TD: {"name": "td", "duel": DUEL // 2, "outputs": "score", "rate": 0.1, "trace": 0.7},
}


@dataclass(frozen=True)
class Setting:
    """A way to train: one of the two methods, and the differences from it."""

    title: str
    kind: str
    base: str  # the name of the method that it varies
    changes: Mapping[str, Any] = field(default_factory=dict)
    later: str = ""  # what an opponent must win in the second half, as 5/6
    rules: str = ""  # the game's options, of training and of matches
    bonus: int = 0  # for gin and undercut, in training
    limit: int = 0  # turns of a training game; 0 for the budget's


def setting(name: str, options: Mapping[str, Any]) -> Setting:
    """A setting of settings.toml."""
    base = next(base for base in ("evo-large", "evo", "td") if name.startswith(base))
    title = ", ".join(filter(None, [base.removesuffix("-large").upper(), options.get("title", "")]))
    own = {key: options[key] for key in ("later", "rules", "bonus", "limit") if key in options}
    changes = {key: value for key, value in options.items() if key not in ("title", *own)}
    if base == "evo-large":
        changes = TABLES["large"] | changes
        title = title if name == base else f"{title}, larger steps"
    return Setting(title, EVO if base.startswith("evo") else TD, base, changes, **own)


PLAYERS = {name: setting(name, options) for name, options in TABLES["players"].items()}
GROUPS = {
    group: {name: setting(name, options) for name, options in settings.items()}
    for group, settings in TABLES["research"].items()
}
RESEARCH = {name: each for settings in GROUPS.values() for name, each in settings.items()}
METHODS = {name: RESEARCH[name] for name in ("evo", "td")}
EXPLORING = tuple(GROUPS["exploration"])
TWICE = ("td", *EXPLORING)  # of the further research: with twice as many trials, because a claim is about them
FACTORS: list[dict[str, Any]] = TABLES["factor"]


def factorial() -> dict[str, Setting]:
    """Evolution under half of all combinations of the factors' levels, named by these: `00000` is the text's.

    The last factor has the level that makes the number of other levels even. So neither main effects nor interactions of two
    factors are confounded with each other.
    """
    cells = {}
    for levels in product((0, 1), repeat=len(FACTORS) - 1):
        levels = (*levels, sum(levels) % 2)
        chosen = [factor for factor, level in zip(FACTORS, levels, strict=True) if level]
        changes = {key: value for factor in chosen for key, value in factor["changes"].items()}
        title = ", ".join(factor["short"] for factor in chosen)
        cells["".join(map(str, levels))] = setting("evo", {"title": title, **changes})
    return cells


CELLS = factorial()


@dataclass(frozen=True)
class Part:
    """The extent of some trainings; games and versions by kind, evolution first."""

    trials: int
    games: tuple[int, int]
    limit: int  # turns of a game
    versions: tuple[int, int] = (0, 0)  # stored after equal parts of a training

    def of(self, kind: str) -> tuple[int, int]:
        """Games and versions of a kind."""
        place = KINDS.index(kind)
        return self.games[place], self.versions[place]

    @property
    def whole(self) -> bool:
        """Whether every training is at least as long as one of the study's regimes."""
        return bool(min(self.games) >= TRAINING["regime"][0])


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    pairs: int  # of games between two champions
    version_pairs: int  # of games between two versions of a player
    tournament_pairs: int = TOURNAMENT["pairs"]
    main: Part | None = None  # trials of both methods
    players: Part | None = None  # the study's own seven
    factorial: Part | None = None
    research: Part | None = None

    @property
    def trials(self) -> int:
        return self.main.trials if self.main else 0

    def with_trials(self, trials: int) -> "Budget":
        """The same with another number of trials, at most so many of the factorial and of the further research."""
        parts = {name: part for name in ("factorial", "research") if (part := getattr(self, name))}
        fewer = {name: replace(part, trials=min(trials, part.trials)) for name, part in parts.items()}
        return replace(self, main=replace(self.main, trials=trials), **fewer) if self.main else self


# The study's own players: the games of all together are the study's, in whole epochs, with a version per regime.
SHARES = tuple(
    -(-TRAINING["games"][kind] // size) * size // n for kind, n, size in ((EVO, 3, 3 * EPOCH), (TD, 4, 4 * DUEL))
)
SEVEN = Part(1, (SHARES[0], SHARES[1]), TRAINING["limit"], (6, 3))
BUDGETS = {
    "quick": Budget(10, 4, 2, Part(3, (1_200, 1_200), 300, (3, 3)), None, Part(2, (48, 48), 300), Part(2, (48, 48), 300)),
    "study": Budget(50, 25, players=SEVEN),
    "paper": Budget(
        25, 10, main=Part(30, (5_000, 5_004), 1_000, (5, 5)), players=replace(SEVEN, limit=1_000),
        factorial=Part(10, (800, 804), 1_000), research=Part(10, (1_500, 2_400), 300),
    ),
    "deep": Budget(
        200, 50, main=Part(40, (30_000, 30_000), TRAINING["limit"], (10, 10)), players=SEVEN,
        factorial=Part(40, (30_000, 30_000), TRAINING["limit"]), research=Part(40, (30_000, 30_000), TRAINING["limit"]),
    ),
}  # fmt: skip


def game_name(limit: int, rules: str = "", bonus: int = 0) -> str:
    options = [f"limit={limit}", *filter(None, [rules]), *([f"gin={bonus},undercut={bonus}"] if bonus else [])]
    return f"gin:{','.join(options)}"


def experiment(setting: Setting, part: Part) -> dict[str, Any]:
    """An experiment. Its evaluation is minimal: the study plays its own matches between champions."""
    base = {} if "name" in setting.changes else BASES[setting.kind]
    net = {"encoding": ENCODING, "hidden": HIDDEN, "start": START, "benchmark_pairs": 0}
    learner, (games, versions) = {**base, **net, **setting.changes}, part.of(setting.kind)
    learner |= length(games, learner, setting.later)
    if versions:
        learner["snapshots"] = versions
    return {
        "game": game_name(setting.limit or part.limit, setting.rules, setting.bonus),
        "learner": learner,
        "evaluation": {"opponents": ["simple"], "pairs": 1, "selection_pairs": 1},
    }


def length(games: int, learner: Mapping[str, Any], later: str) -> dict[str, Any]:
    """The options that make a training so long; its curves have about POINTS points."""
    if learner["name"] == "td":
        step = DUEL * max(1, games // (DUEL * STEPS))
        ends = {f"{name}_end": learner.get(f"{name}_end", learner[name]) for name in ("rate", "trace")}
        every = max(1, games // (step * POINTS))
        return {"games": games, "step_games": step, "curve_every": every, "training_pairs": CURVE_PAIRS, **ends}
    if learner["name"] != "coevolution":
        return {"generations": max(1, games // (2 * learner["pairs"] * learner["population"]))}
    epochs, wins = games // EPOCH, learner["wins"]
    if later:  # half of the games as usual, then longer epochs
        before, size = epochs // 2, int(later.partition("/")[2])
        epochs, wins = before + -(-(games - before * EPOCH) // size), f"{wins},{later}@{before}"
    return {"epochs": epochs, "curve_every": max(1, epochs // POINTS), "wins": wins}
