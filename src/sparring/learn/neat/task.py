"""The options of NEAT as a learner, and the fitness of a genome's games.

The opponents of a genome are a list of words; it plays the same deals with each of them:

- `self`: the genome plays both seats, on separate deals instead of pairs;
- `member`: another member of its population, redrawn every generation;
- `other-species`: the same, from another species;
- `last-best`: the best genome of the last generation;
- `hall-of-fame`: one of the best genomes of the last `hall` generations, drawn for each genome;
- `rivals`: a second population, which plays the second seat and evolves by its own fitness;
- any other word is a built-in player.

In the first generation, `last-best` and `hall-of-fame` are another member.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparring.errors import UserError, remark
from sparring.games import Game
from sparring.learn.neat.config import read_config
from sparring.learn.neat.options import NeatOptions, check_neat
from sparring.learn.option_checks import check_builtin, check_network, outputs_of
from sparring.options import option

MET = ("self", "member", "other-species", "last-best", "hall-of-fame", "rivals")
DEALS, CHAMPIONS = ("generation", "run"), ("ever", "last", "judged")
SEATS = {"first": (0,), "second": (1,), "both": (0, 1)}
GENERAL = {"score": "the score", "lead": "the score's lead", "won": "games won"}  # fitness in any game


@dataclass(frozen=True)
class Neat(NeatOptions):
    """The options of NEAT: those of neat-python under its names, and how genomes are judged."""

    config: str = option("", "a configuration file of neat-python; keys in the experiment override it", reads_file=True)
    num_inputs: int = option(0, "inputs that the file states, which must fit the encoding; 0 for the encoding's", 0)
    num_outputs: int = option(0, "outputs that the file states, which must fit the policy; 0 for the policy's", 0)
    encoding: str = option("", "encoding of the network's inputs; empty for the game's first")
    policy: str = option("net", "policy variant used by the network: net, or another that the game offers")
    generations: int = option(50, "number of generations", 1, 1_000_000)
    fitness: str = option("score", "score, lead (over the opponent's score), won, or one of the game's own")
    opponents: tuple[str, ...] = option(("self",), "opponents of each genome, all on the same deals")
    games: int = option(10, "deals with each opponent; all genomes of a generation play the same deals", 1, 100_000)
    seating: str = option("both", "seats of a genome that meets others", choices=tuple(SEATS))
    deals: str = option("generation", "new deals in every generation, or the same in the whole run", choices=DEALS)
    matching: str = option("order", "two populations meet member by member or at random", choices=("order", "random"))
    hall: int = option(10, "generations whose best genomes are in the hall of fame", 1, 1000)
    champion: str = option(
        "ever", "the fittest of all generations or of the last, or the best of the hall on new deals", choices=CHAMPIONS
    )
    judged_games: int = option(200, "number of those new deals", 1, 100_000)
    benchmark: str = option("random", "player that the best genome meets every generation, for the curves only")
    benchmark_pairs: int = option(25, "pairs of games with it; single games if seated on one side", 0, 10_000)

    @classmethod
    def expanded(cls, table: dict[str, Any], game: Game, folder: Path) -> dict[str, Any]:
        """A table of options, completed by the configuration file that it names."""
        name = table.get("config")
        if not isinstance(name, str) or not name:
            return table
        file = read_config(folder / name)
        for note in file.notes:
            remark(note)
        sizes = {"num_inputs": file.inputs or 0, "num_outputs": file.outputs or 0}
        return sizes | file.options | {key: value for key, value in table.items() if key != "config"}


def check_task(game: Game, options: Neat) -> None:
    """Refuse options that do not fit the game or each other."""
    if 2 not in game.rules.seats or "graph" not in game.policies.kinds:
        raise UserError(f"learner.name: neat is for games of two seats with evolved nets, and {game.name} is none")
    check_neat(options)
    if not options.feed_forward:
        reason = "a recurrent network remembers, and policies of games keep no memory from move to move"
        raise UserError(f"learner.feed_forward = False: must be true: {reason} (docs/neat.md: Recurrent networks)")
    check_network(game, options)
    inputs = game.policies.encodings[options.encoding or game.encoding_names[0]]
    outputs = outputs_of(game, options.policy)
    for key, right in (("num_inputs", inputs), ("num_outputs", outputs)):
        given = getattr(options, key)
        if given not in (0, right):
            reason = f"as {game.name} has it with this encoding and policy"
            raise UserError(f"learner.{key} = {given}: must be {right}, {reason}")
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
    """The fitness of each seat of each game; higher is better."""
    if name in game.learning.fitness:
        return game.learning.fitness[name](tallies)
    score = tallies["score"][:, :2].astype(float) * (-1 if game.rules.lower_is_better else 1)
    lead = score - score[:, ::-1]
    return np.asarray({"score": score, "lead": lead, "won": 0.5 + 0.5 * np.sign(lead)}[name])
