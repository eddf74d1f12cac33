"""What a game offers a team of networks, one for each role, to learn from: the stages of its curriculum."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Sitter:
    """Who sits in a seat while networks learn: the team under one of its policies, with other thresholds, or a built-in player."""

    policy: str = "net"
    thresholds: Mapping[str, float] = field(default_factory=dict)
    replaceable: bool = False  # whether a rival may take the seat


@dataclass(frozen=True)
class Stage:
    """A part of a curriculum: which roles of a team learn, from whose games, and which roles must have been learned before."""

    title: str
    learns: tuple[str, ...]  # in turn, where there are several
    needs: tuple[str, ...]  # roles
    rules: str  # of its games
    sitters: tuple[Sitter, ...]  # moved round the table
    learners: tuple[int, ...]  # which of the sitters learn
    decides: bool = False  # whether the network says yes or no: it then learns from as many examples of each
    optional: bool = False  # whether the stage must be named to be trained


@dataclass(frozen=True)
class TeamCurriculum:
    """How a game generates examples for a team, and in which stages."""

    play: Callable[..., Any]  # plays jobs and writes examples
    rewards: type  # a dataclass of options
    terms: Callable[[Any, int, float], np.ndarray]  # rewards, learning roles (bits) and exploration, for kernels
    examples: Callable[[Any], int]  # the most examples of a stage's game, under those rewards
    stages: Mapping[str, Stage]
    thresholds: Mapping[str, float]  # of roles that decide: above which the answer is yes
    benchmark_rules: str = ""  # of games that measure a team, where they differ from a stage's
    benchmarks: tuple[str, ...] = ()  # players that a team meets in them
    recorded: Callable[[str, str], np.ndarray] | None = (
        None  # a recorded game's text and its place, as records to replay
    )
    replay: Callable[..., Any] | None = None  # replays records and writes examples

    @property
    def usual(self) -> tuple[str, ...]:
        """The stages that are trained if none is named."""
        return tuple(name for name, stage in self.stages.items() if not stage.optional)
