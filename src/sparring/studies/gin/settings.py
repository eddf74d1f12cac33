"""The study's trainings as experiments, its suggestions as variants of them, and the budgets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sparring.studies.gin import published
from sparring.studies.gin.published import EVO, TD

# The standard deviation of the initial weights. The study does not give it; SNNS draws them uniformly from -1 to 1.
START = 0.58
HIDDEN, ENCODING = 26, "cards"  # the study's network
EPOCH, DUEL = 4, 6  # games of an epoch of evolution, and after which the winner of TD's two networks is copied
POINTS = 40  # of the curves
STEPS = 600  # of a TD training, roughly
CURVE_PAIRS = 2  # of games per point of TD's curves
STRATEGY = {"method": "simple", "population": 16, "pairs": 2, "deviation": 0.2, "rate": 0.2, "by": "score"}

# As in Pollack and Blair: every challenger is the player plus noise, so that it cannot drift away.
RESET = {"wins": "3/4", "move": 0.05, "deviation": 0.1}

BASES: dict[str, dict[str, Any]] = {
    EVO: {"name": "coevolution", "rule": "challenger", "wins": "3/4", "move": 0.05, "mutation": 0.1},
    TD: {
        "name": "td", "duel": DUEL // 2, "outputs": "score",
        "rate": 0.1, "rate_end": 0.1, "trace": 0.7, "trace_end": 0.7,
    },
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A way to train: one of the two methods, and the differences from it."""

    title: str
    kind: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    later: str = ""  # what an opponent must win in the second half, as 5/6


def td(rate: float, trace: float) -> Setting:
    """TD with another rate and lambda."""
    numbers = {"rate": rate, "rate_end": rate, "trace": trace, "trace_end": trace}
    return Setting(f"TD, rate {rate:g}, lambda {trace:g}", TD, numbers)


PLAYERS = {  # the study's own: three evolved, four by TD with parameters that span its ranges
    "evo-5": Setting("EVO, 5%", EVO),
    "evo-10": Setting("EVO, 10%", EVO, {"move": 0.1}),
    "evo-5of6": Setting("EVO, later 5 of 6", EVO, later="5/6"),
    "td-0.1-0.7": td(0.1, 0.7),
    "td-0.1-0.2": td(0.1, 0.2),
    "td-0.3-0.7": td(0.3, 0.7),
    "td-0.1-1.0": td(0.1, 1.0),
}
METHODS = {"evo": Setting("EVO", EVO), "td": Setting("TD", TD)}
VARIANTS = {  # each differs from its method in one respect
    "td-explore-05": Setting("TD, 5% random moves", TD, {"explore": 0.05}),
    "td-explore-20": Setting("TD, 20% random moves", TD, {"explore": 0.2}),
    "td-noise": Setting("TD, noise of 0.1 on the playing weights", TD, {"noise": 0.1}),
    "td-mean": Setting("TD, draws by the mean", TD, {"policy": "net+mean"}),
    "evo-mean": Setting("EVO, draws by the mean", EVO, {"policy": "net+mean"}),
    "td-places": Setting("TD, four inputs per card", TD, {"encoding": "places"}),
    "evo-places": Setting("EVO, four inputs per card", EVO, {"encoding": "places"}),
    "td-win": Setting("TD, rewarded for winning", TD, {"outputs": "win"}),
    "td-discount": Setting("TD, discount 0.98", TD, {"discount": 0.98}),
    "td-falling": Setting("TD, rate falling to 0.01", TD, {"rate_end": 0.01}),
    "evo-reset": Setting("EVO, challengers bred anew", EVO, {"name": "climbing", **RESET}),
    "strategies": Setting("evolution strategy", EVO, {"name": "strategies", **STRATEGY}),
}
EXPLORING = ("td-explore-05", "td-explore-20", "td-noise")
SUGGESTED = ("td-win", "td-discount", "td-falling", "strategies")  # claims of their own; the others answer questions
ANSWERS = tuple(name for name in VARIANTS if name not in (*SUGGESTED, "td-explore-20"))


@dataclass(frozen=True)
class Budget:
    """What to train and play."""

    limit: int  # turns of a game
    pairs: int  # of games between two champions
    tournament_pairs: int
    version_pairs: int  # of games between two versions of a player
    trials: int = 0  # of each method and variant; 0: the study's own seven players
    games: int = 0  # per trial
    versions: int = 0  # of each player, after equal parts of its training
    rotations: int = 3  # champions of the other method that a champion plays
    variants: tuple[str, ...] = tuple(VARIANTS)
    evo_games: int = 0  # per player of the study
    td_games: int = 0

    @property
    def of_players(self) -> bool:
        """Whether the study's own seven players are trained."""
        return not self.trials

    def games_of(self, kind: str) -> int:
        """The training games of a player of a kind."""
        if not self.of_players:
            return self.games
        return self.evo_games if kind == EVO else self.td_games

    def parts(self, kind: str) -> int:
        """The number of versions of a player: one per regime for the study's own players."""
        return max(2, round(self.games_of(kind) / published.REGIME[0])) if self.of_players else self.versions

    @property
    def whole(self) -> bool:
        """Whether every training is at least as long as one of the study's regimes."""
        return min(self.games_of(EVO), self.games_of(TD)) >= published.REGIME[0]


def even_games(kind: str, players: int) -> int:
    """A player's share of all games that the study trained, in whole epochs."""
    whole = EPOCH if kind == EVO else DUEL
    return -(-published.GAMES[kind] // (players * whole)) * whole


BUDGETS = {
    "quick": Budget(300, 10, 2, 4, trials=3, games=1_200, versions=3),
    "study": Budget(published.LIMIT, 50, published.PAIRS, 25, evo_games=even_games(EVO, 3), td_games=even_games(TD, 4)),
    "paper": Budget(1_000, 50, published.PAIRS, 10, trials=20, games=6_000, versions=6, variants=ANSWERS),
    "deep": Budget(published.LIMIT, 200, published.PAIRS, 50, trials=40, games=30_000, versions=10),
}


def game_name(budget: Budget) -> str:
    return f"gin:limit={budget.limit}"


def experiment(setting: Setting, budget: Budget) -> dict[str, Any]:
    """An experiment. Its evaluation is minimal: the study plays its own matches between champions."""
    base = {} if "name" in setting.changes else BASES[setting.kind]
    net = {"encoding": ENCODING, "hidden": HIDDEN, "start": START, "benchmark_pairs": 0}
    learner = {**base, **net, **setting.changes}
    learner |= LENGTHS[learner["name"]](budget.games_of(setting.kind), learner)
    if setting.later:
        learner |= switched(budget.games_of(setting.kind), learner["wins"], setting.later)
    if learner["name"] in ("coevolution", "td"):
        learner["snapshots"] = budget.parts(setting.kind)
    evaluation = {"opponents": ["simple"], "pairs": 1, "selection_pairs": 1}
    return {"game": game_name(budget), "learner": learner, "evaluation": evaluation}


def evolution_length(games: int, learner: Mapping[str, Any]) -> dict[str, Any]:
    epochs = games // EPOCH
    return {"epochs": epochs, "curve_every": max(1, epochs // POINTS)}


def switched(games: int, wins: str, later: str) -> dict[str, Any]:
    """Half of the games as usual, then longer epochs."""
    before, length = games // EPOCH // 2, int(later.partition("/")[2])
    epochs = before + -(-(games - before * EPOCH) // length)
    return {"epochs": epochs, "curve_every": max(1, epochs // POINTS), "wins": f"{wins},{later}@{before}"}


def td_length(games: int, learner: Mapping[str, Any]) -> dict[str, Any]:
    step = DUEL * max(1, games // (DUEL * STEPS))
    every = max(1, games // (step * POINTS))
    return {"games": games, "step_games": step, "curve_every": every, "training_pairs": CURVE_PAIRS}


def strategies_length(games: int, learner: Mapping[str, Any]) -> dict[str, Any]:
    return {"generations": max(1, games // (2 * learner["pairs"] * learner["population"]))}


def climbing_length(games: int, learner: Mapping[str, Any]) -> dict[str, Any]:
    challenges = games // EPOCH
    return {"challenges": challenges, "curve_every": max(1, challenges // POINTS)}


LENGTHS = {
    "coevolution": evolution_length,
    "climbing": climbing_length,
    "td": td_length,
    "strategies": strategies_length,
}
