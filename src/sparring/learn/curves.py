"""Learning curves: the measures of every trial's games during training, in the same form for all learners."""

from collections.abc import Iterable

import numpy as np

from sparring.arena.match import winners
from sparring.arena.play import by_contestant, seatings
from sparring.games import Game
from sparring.learn.checkpoints import Numbers

SIDES = ("player", "opponent")
PREFIX = "curve/"


class Curves:
    """Curves named `setting.side.measure`, each (trials, points[, labels]); a setting is an opponent of the trials."""

    def __init__(self, game: Game, trials: int, points: int) -> None:
        self.game, self.trials, self.points = game, trials, points
        self.values: dict[str, np.ndarray] = {}

    def add(
        self, setting: str, point: int, tallies: np.ndarray, parts: float = 1, seating: str = "every", seats: int = 2
    ) -> None:
        """Add the means of every trial's games, which are ordered by trial, to a point that is the mean of `parts` such calls.

        With more than two seats, all others together are the opponent.
        """
        scores = tallies["score"].astype(float)
        found = {
            "score": scores,
            "won": winners(scores[:, :seats], self.game.rules.lower_is_better)[0].astype(float),
            **self.game.rules.measures(tallies),
            **self.game.rules.profiles(tallies),
        }
        orders = len(seatings(seats, seating))
        for name, per_seat in found.items():
            labels = per_seat.shape[2:]
            # First the mean over the deals, then the seats: the large array is read once.
            means = per_seat[:, :seats].reshape(self.trials, -1, orders, seats, *labels).mean(axis=1)
            means = means.reshape(self.trials * orders, seats, *labels)
            each = by_contestant(means, seats, seating).mean(axis=1)
            sides = each[:, 0], each[:, 1:].mean(axis=1)
            for i, side in enumerate(SIDES):
                key, empty = f"{setting}.{side}.{name}", np.zeros((self.trials, self.points, *labels))
                curve = self.values.setdefault(key, empty)
                curve[:, point] += sides[i] / parts

    def first(self, points: int) -> dict[str, np.ndarray]:
        """The first points, which are complete."""
        return {name: values[:, :points] for name, values in self.values.items()}

    def arrays(self) -> dict[str, np.ndarray]:
        """The curves as a checkpoint holds them."""
        return {f"{PREFIX}{name}": values for name, values in self.values.items()}

    def expected(self, settings: Iterable[str]) -> dict[str, Numbers]:
        """The arrays that `arrays` returns once these settings have been measured."""
        nothing = np.zeros(1, self.game.rules.tally)
        counted = {**self.game.rules.measures(nothing), **self.game.rules.profiles(nothing)}
        labels = {"score": (), "won": ()} | {name: values.shape[2:] for name, values in counted.items()}
        return {
            f"{PREFIX}{setting}.{side}.{name}": Numbers.reals(self.trials, self.points, *shape)
            for setting in settings
            for side in SIDES
            for name, shape in labels.items()
        }

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Read the curves from a checkpoint."""
        self.values = {name.removeprefix(PREFIX): v.copy() for name, v in arrays.items() if name.startswith(PREFIX)}
