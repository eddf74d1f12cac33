"""The registry of learners. A new learner is one file and one line here."""

from sparring.games import unknown
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.learn.curriculum import CurriculumTraining
from sparring.learn.curriculum_options import Curriculum
from sparring.learn.deep_td import DeepTDOptions, DeepTDTraining
from sparring.learn.evolution_strategies import EvolutionStrategies, EvolutionStrategiesTraining
from sparring.learn.expert_iteration import ExpertIteration, ExpertIterationTraining
from sparring.learn.hill_climbing import HillClimbing, HillClimbingTraining
from sparring.learn.neat.task import Neat
from sparring.learn.neat.training import NeatTraining
from sparring.learn.td import TD, TDTraining
from sparring.learn.td_batch import TDBatch, TDBatchTraining
from sparring.learn.training import Training

LEARNERS: dict[str, tuple[type, type[Training]]] = {
    "coevolution": (Coevolution, CoevolutionTraining),
    "hill-climbing": (HillClimbing, HillClimbingTraining),
    "curriculum": (Curriculum, CurriculumTraining),
    "neat": (Neat, NeatTraining),
    "evolution-strategies": (EvolutionStrategies, EvolutionStrategiesTraining),
    "td": (TD, TDTraining),
    "td-batch": (TDBatch, TDBatchTraining),
    "deep-td": (DeepTDOptions, DeepTDTraining),
    "expert-iteration": (ExpertIteration, ExpertIterationTraining),
}
ALIASES = {"climbing": "hill-climbing", "strategies": "evolution-strategies"}  # names before version 0.8

__all__ = ["ALIASES", "LEARNERS", "Training", "find_learner"]


def find_learner(name: str) -> tuple[type, type[Training]]:
    """A learner's options and its training, by its name or an older one."""
    name = ALIASES.get(name, name)
    if name not in LEARNERS:
        raise unknown("learner", name, list(LEARNERS))
    return LEARNERS[name]
