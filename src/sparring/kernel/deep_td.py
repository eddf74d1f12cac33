"""TD(lambda) for deep networks: games in lockstep, a move of each, then minibatches of corrections by Adam (Kingma and Ba 2015)."""

from typing import Any, NamedTuple

import numpy as np

from sparring.kernel.backend import backend_for
from sparring.kernel.corrections import adam_schedule
from sparring.kernel.launch import SEATS, Launcher
from sparring.kernel.records import call_kernel
from sparring.kernel.seat_turns import SeatGames
from sparring.kernel.stages import NOBODY, Games, Stages
from sparring.kernel.traces import Ring, horizon, new_ring

WATCHED = 10  # turns at the end of a step after which the network is measured on their samples


class Turn(NamedTuple):
    """One move of the first `games` games, and the learning after it."""

    games: int  # a multiple of `minibatch`
    minibatch: int
    rate: float
    explore: float = 0.0  # share of random moves
    exact: bool = False  # whether targets are means over all chance outcomes


class Decays(NamedTuple):
    """What each correction takes off."""

    average: float  # share of the weights' moving average, whose place the weights take
    weights: float  # share of the weights, times the learning rate


def layers_of_player(player: np.ndarray) -> tuple[int, ...]:
    """The inputs and the units of each layer of the first player of a table."""
    return int(player["inputs"][0]), *map(int, player["layers"][0, : player["depth"][0]])


class DeepTD:
    """A deep network and the games that it learns from. `kept` is what survives a stop."""

    def __init__(
        self,
        launcher: Launcher,
        stages: Stages,
        terms: np.ndarray,
        player: np.ndarray,
        flip: np.ndarray,
        average: np.ndarray,
        others: np.ndarray,
        decays: Decays,
        branching: int,
        teacher: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        self.launcher, self.stages, self.terms, self.player, self.flip = launcher, stages, terms, player, flip
        self.others = others  # weights of rivals, after those of the network
        self.decays, self.branching, self.teacher = decays, branching, teacher
        self.shape = layers_of_player(player)
        games, seats = int(terms["games"][0]), int(terms["seats"][0])
        self.kind = Games if stages.play else SeatGames
        self.kept = {
            "weights": average.copy(),
            "average": average,  # moving, of the weights
            "mean": np.zeros_like(average),
            "square": np.zeros_like(average),
            "updates": np.zeros(1, np.int64),
            "movers": np.full(games, NOBODY if stages.play else 0),
            "deals": np.arange(games),
            # With zeros between fields: a checkpoint has every byte.
            "states": np.zeros(games, launcher.template.dtype),
        }
        self.kept["states"][:] = launcher.template
        if self.kind is SeatGames:
            self.kept["rows"] = np.zeros((games, seats, self.shape[0]), np.float32)
            self.kept["parts"], self.kept["points"] = np.zeros(games, np.int64), np.zeros((games, SEATS), np.int64)
        if trace := float(terms["trace"][0]):
            turns = horizon(trace) * (1 if stages.play else seats)  # so that every seat has as many of its own
            ring = new_ring(games, turns, self.shape[0], self.shape[-1])
            self.kept |= {f"ring.{name}": array for name, array in ring._asdict().items()}
        call_kernel(stages.begin, 0, games, self.games, terms)
        self.engine: Any = None  # a GPU's copy of `kept`, where it has one

    @property
    def games(self) -> Games | SeatGames:
        """The games, on this machine."""
        return self.kind(*(self.kept[name] for name in self.kind._fields))

    @property
    def ring(self) -> Ring | None:
        """The samples that are not learned yet, where there are traces."""
        names = [f"ring.{name}" for name in Ring._fields]
        return Ring(*(self.kept[name] for name in names)) if names[0] in self.kept else None

    def learn(self, turns: list[Turn], threads: int | None = None) -> np.ndarray:
        """Play and learn.

        Returns how many samples of the last turns activated each hidden unit, then the sum of their losses, then their number.
        """
        found = backend_for("learn_deep", "deep TD").learn_deep(self, turns, threads)
        self.kept["updates"] += sum(turn.games // turn.minibatch for turn in turns)
        return found

    def changed(self) -> None:
        """Take over a change of the weights in `kept`."""
        if self.engine:
            self.engine.net.load(self.kept)

    def schedule(self, turns: list[Turn]) -> tuple[np.ndarray, np.ndarray]:
        """For each update its corrected rate, and the share of the weights in their moving average, which begins as a mean."""
        rates = np.repeat([turn.rate for turn in turns], [turn.games // turn.minibatch for turn in turns])
        return adam_schedule(rates, int(self.kept["updates"][0]), self.decays.average)
