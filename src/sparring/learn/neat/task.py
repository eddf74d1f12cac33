"""What a genome does to be judged: the options of NEAT as a learner, and what its games are worth.

Whom a genome meets is a list of words; it plays the same deals with each of them:

- `self`: both seats are the genome's (the golf study), on deals of their own instead of pairs;
- `member`: another member of its population, drawn anew every generation;
- `other-species`: the same, out of another species;
- `last-best`: the best of the generation before;
- `hall-of-fame`: one of the last `hall` generations' best, drawn for each genome;
- `rivals`: a second population that sits in the second seat and evolves on its own fitness (the conquest study's fifth case);
- any other word is a built-in player.

Where there is no generation before, `last-best` and `hall-of-fame` are a member.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.errors import UserError, remark
from sparring.games import Game
from sparring.learn.neat.config import read_config
from sparring.learn.neat.options import NeatOptions, check_neat
from sparring.learn.training import check_builtin, check_encoding, outputs_of
from sparring.options import option

MET = ("self", "member", "other-species", "last-best", "hall-of-fame", "rivals")
SEATS = {"first": (0,), "second": (1,), "both": (0, 1)}
GENERAL = {"score": "the score", "lead": "the score's lead", "won": "games won"}  # what any game can strive for


@dataclass(frozen=True)
class Neat(NeatOptions):
    """The options of NEAT: neat-python's by its names, and what a genome does to be judged."""

    config: str = option("", "a configuration file of neat-python; keys given beside it come first", reads_file=True)
    num_inputs: int = option(0, "inputs; 0 for the encoding's", 0)
    num_outputs: int = option(0, "outputs; 0 for the policy's", 0)
    encoding: str = option("", "what the net sees; empty for the game's first")
    policy: str = option("net", "how the net chooses: net, or another of the game's policies for nets")
    generations: int = option(50, "generations", 1, 1_000_000)
    fitness: str = option("score", "what is striven for: score, lead, won, or one of the game's own")
    opponents: tuple[str, ...] = option(("self",), "whom a genome meets, each on the same deals")
    games: int = option(10, "deals a genome plays with each", 1, 100_000)
    seating: str = option("both", "where a genome sits when it meets others", choices=tuple(SEATS))
    deals: str = option("generation", "new deals every generation, or the same in all", choices=("generation", "run"))
    matching: str = option(
        "order", "how two populations meet: member by member, or at random", choices=("order", "random")
    )
    hall: int = option(10, "generations whose best are in the hall of fame", 1, 1000)
    champion: str = option(
        "ever",
        "the best ever, the last generation's best, or who of the last `hall` generations' best does best on new deals",
        choices=("ever", "last", "judged"),
    )
    judged_games: int = option(200, "those deals, where the champion is judged", 1, 100_000)
    benchmark: str = option("random", "whom the best meets every generation, for the curves")
    benchmark_pairs: int = option(25, "pairs of games with it (single games if seated on one side)", 0, 10_000)

    @classmethod
    def expanded(cls, table: dict[str, Any], folder: Path) -> dict[str, Any]:
        """A table of options with those of the configuration file it names."""
        name = table.get("config")
        if not isinstance(name, str) or not name:
            return table
        told = read_config(folder / name)
        for note in told.notes:
            remark(note)
        sizes = {"num_inputs": told.inputs or 0, "num_outputs": told.outputs or 0}
        return sizes | told.options | {key: value for key, value in table.items() if key != "config"}


def check_task(game: Game, options: Neat) -> None:
    """Refuse options that do not fit the game or each other."""
    if 2 not in game.rules.seats or "graph" not in game.policies.kinds:
        raise UserError(f"learner.name: neat is for games of two seats with evolved nets, and {game.name} is none")
    check_neat(options)
    check_encoding(game, options.encoding)
    if options.policy not in game.policy_names or options.policy.partition("+")[0] != "net":
        nets = ", ".join(name for name in game.policy_names if name not in game.builtin)
        raise UserError(f"learner.policy = {options.policy!r}: nets of {game.family} have {nets}")
    inputs = game.policies.encodings[options.encoding or game.encoding_names[0]]
    outputs = outputs_of(game, options.policy)
    for key, told, right in (
        ("num_inputs", options.num_inputs, inputs),
        ("num_outputs", options.num_outputs, outputs),
    ):
        if told not in (0, right):
            raise UserError(
                f"learner.{key} = {told}: must be {right}, as {game.name} has it with this encoding and policy"
            )
    if options.fitness not in GENERAL and options.fitness not in game.learning.fitness:
        known = ", ".join([*GENERAL, *game.learning.fitness])
        raise UserError(f"learner.fitness = {options.fitness!r}: must be one of {known}")
    if options.champion == "judged" and "rivals" in options.opponents:
        raise UserError("learner.champion = 'judged': is for one population; two that meet hand over ever or last")
    if not options.opponents:
        raise UserError("learner.opponents = []: must name someone to meet, such as self or random")
    if "rivals" in options.opponents and len(options.opponents) > 1:
        raise UserError("learner.opponents: two populations meet each other alone; name rivals and nobody else")
    check_builtin(game, "opponents", *(word for word in options.opponents if word not in MET))
    check_builtin(game, "benchmark", options.benchmark)


def fitness_of(game: Game, name: str, tallies: np.ndarray) -> np.ndarray:
    """What a seat of each game reached: more is better."""
    if name in game.learning.fitness:
        return game.learning.fitness[name](tallies)
    score = tallies["score"][:, :2].astype(float) * (-1 if game.rules.lower_is_better else 1)
    lead = score - score[:, ::-1]
    return np.asarray({"score": score, "lead": lead, "won": 0.5 + 0.5 * np.sign(lead)}[name])
