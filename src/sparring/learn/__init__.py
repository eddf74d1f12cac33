"""The registry of learners. A new learner is one file and one line here."""

from sparring.games import unknown
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.learn.curriculum import CurriculumTraining
from sparring.learn.curriculum_options import Curriculum
from sparring.learn.evolution_strategies import EvolutionStrategies, EvolutionStrategiesTraining
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.learn.neat.task import Neat
from sparring.learn.neat.training import NeatTraining
from sparring.learn.td import TD, TDTraining
from sparring.learn.td_batch import TDBatch, TDBatchTraining
from sparring.learn.training import Training

LEARNERS: dict[str, tuple[type, type[Training]]] = {
    "coevolution": (Coevolution, CoevolutionTraining),
    "climbing": (HillClimbing, HillClimbingTraining),
    "curriculum": (Curriculum, CurriculumTraining),
    "neat": (Neat, NeatTraining),
    "strategies": (EvolutionStrategies, EvolutionStrategiesTraining),
    "td": (TD, TDTraining),
    "td-batch": (TDBatch, TDBatchTraining),
}

__all__ = ["LEARNERS", "Training", "find_learner"]


def find_learner(name: str) -> tuple[type, type[Training]]:
    """A learner's options and its training."""
    if name not in LEARNERS:
        raise unknown("learner", name, list(LEARNERS))
    return LEARNERS[name]
