"""Rates a player by its decisions in a set of positions whose moves are all valued."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.play import Progress
from sparring.arena.players import Chooser, Contestant
from sparring.arena.statistics import Interval, mean_interval
from sparring.games.game import Game, ValuedPositions

PERFORMANCE = 500  # a performance rating is this times the mean loss


@dataclass(frozen=True)
class PositionRating:
    """What a player loses per decision."""

    game: str
    player: str
    decisions: int
    loss: Interval  # per decision, in the set's unit
    best: float  # the share of decisions in which it chose the best move
    kinds: Mapping[str, tuple[int, Interval]]  # decisions and loss by the kind of position

    @property
    def performance(self) -> Interval:
        """The performance rating: lower is better."""
        return Interval(*(PERFORMANCE * end for end in (self.loss.value, self.loss.low, self.loss.high)))

    def json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "game": self.game,
            "player": self.player,
            "decisions": self.decisions,
            "performance_rating": self.performance.json(),
            "loss": self.loss.json(),
            "best": self.best,
            "kinds": {kind: {"decisions": count, "loss": loss.json()} for kind, (count, loss) in self.kinds.items()},
        }

    def text(self) -> str:
        """In lines for a terminal."""
        lines = [
            f"{self.player}: performance rating {self.performance.text(2)}, {self.decisions:,} decisions",
            f"loses {self.loss.text(4)} per decision and finds the best move in {self.best:.1%}",
        ]
        width = max(map(len, self.kinds))
        return "\n".join(
            [
                *lines,
                *(f"  {kind:{width}} {count:6,}  loss {loss.text(4)}" for kind, (count, loss) in self.kinds.items()),
            ]
        )


def rate_by_positions(
    game: Game, contestant: Contestant, positions: ValuedPositions, most: int = 0, progress: Progress | None = None
) -> PositionRating:
    """Let a player decide in the positions, or in so many of them, and add up what it loses."""
    count = min(most or len(positions), len(positions))
    numbers = np.linspace(0, len(positions) - 1, count).round().astype(int)
    lost = np.zeros(count)
    if contestant.external:
        with closing(contestant.external()) as program:
            _decide(program, positions, numbers, lost, progress)
    else:
        game.launcher.prepare()
        _decide(Chooser(game, contestant), positions, numbers, lost, progress)
    kinds = positions.kind_names[numbers]
    by_kind = {str(kind): lost[kinds == kind] for kind in dict.fromkeys(kinds.tolist())}
    found = {kind: (len(values), mean_interval(values)) for kind, values in by_kind.items()}
    return PositionRating(game.name, contestant.name, count, mean_interval(lost), float((lost == 0).mean()), found)


def _decide(
    player: Any, positions: ValuedPositions, numbers: np.ndarray, lost: np.ndarray, progress: Progress | None
) -> None:
    for i, number in enumerate(numbers.tolist()):
        lost[i] = positions.losses(number)[player.choose(positions.state(number))]
        if progress:
            progress(i + 1, len(numbers))
