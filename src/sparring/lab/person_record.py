"""A person's own record: every game that they finish is kept in the results store, and says how they do against each player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.games import Game, Played, find_game, known_games
from sparring.lab.store import Store

KIND = "play"  # of results
YOU = "you"


@dataclass(frozen=True)
class Record:
    """How a person does against a player, or against several at one table; a game is one observation."""

    game: str
    rules: int
    against: tuple[str, ...]  # the others at the table
    games: int
    wins: int
    draws: int
    win_rate: Interval
    score: Interval
    others: Interval  # their mean score
    measures: dict[str, Interval]  # of the person

    def json(self) -> dict[str, Any]:
        """The record in the shape that every game shares."""
        return {
            "game": self.game,
            "rules": self.rules,
            "against": list(self.against),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "win_rate": self.win_rate.json(),
            "score": self.score.json(),
            "others_score": self.others.json(),
            "measures": {name: interval.json() for name, interval in self.measures.items()},
        }


def finished(
    game: Game, played: Played, tally: np.void, names: Sequence[str], seat: int, against: Sequence[str]
) -> dict[str, Any]:
    """A game that a person has finished, as it is stored: who sat where, how it ended, all that is counted, the game itself.

    `names` tells the players of a table apart; `against` is who the others are, so that games against the same ones count
    together.
    """
    return {
        "game": game.name,
        "rules": game.rules.version,
        "seed": played.seed,
        "players": list(names),
        "seat": seat,
        "against": list(against),
        "scores": tally["score"][: played.seats].tolist(),
        "tally": {name: tally[name].tolist() for name in game.rules.tally.names or ()},
        "text": game.view.game_text(played),
    }


def own_records(store: Store, game: Game | None = None) -> list[Record]:
    """A person's record in a game, under the rules that were chosen or under all of them; or in every game of ours.

    Games of rules, and of others at the table, that differ are told apart; those played most often stand first.
    """
    groups: dict[tuple[str, int, tuple[str, ...]], list[dict[str, Any]]] = {}
    for result in store.read_results(KIND):
        if _is_of(result["game"], game):
            seat = result.setdefault("seat", result["players"].index(YOU))
            others = [name for n, name in enumerate(result["players"]) if n != seat]
            against = tuple(sorted(result.get("against", others)))
            groups.setdefault((result["game"], result["rules"], against), []).append(result)
    ordered = sorted(groups.items(), key=lambda item: (item[0][:2], -len(item[1]), item[0][2]))
    return [_record(name, rules, against, found, game) for (name, rules, against), found in ordered]


def _is_of(name: str, game: Game | None) -> bool:
    """Whether a stored game is the one asked for. Others than ours must be: looking further would import what a store names."""
    family = name.partition(":")[0]
    if game is None:
        return family in known_games()
    return name == game.name or (game.name == game.family and family == game.family)


def _record(
    name: str, rules: int, against: tuple[str, ...], results: list[dict[str, Any]], game: Game | None
) -> Record:
    the_game = game if game and game.name == name else find_game(name)
    seats = np.array([result["seat"] for result in results])
    scores = np.array([result["scores"] for result in results], float)
    won, drawn = winners(scores, the_game.rules.lower_is_better)
    mine = won[np.arange(len(results)), seats]
    own = scores[np.arange(len(results)), seats]
    return Record(
        name,
        rules,
        against,
        len(results),
        int(mine.sum()),
        int(drawn.sum()),
        rate_interval(mine.astype(float)),
        mean_interval(own),
        mean_interval((scores.sum(axis=1) - own) / (scores.shape[1] - 1)),
        own_measures(the_game, results, seats) if rules == the_game.rules.version else {},
    )


def own_measures(game: Game, results: list[dict[str, Any]], seats: np.ndarray) -> dict[str, Interval]:
    """What is counted of the person, but for what only players tell of themselves."""
    tallies = np.concatenate([_tally(game, result) for result in results])
    silent = np.zeros(2, game.rules.tally)
    for field in game.rules.self_reported:
        silent[field][1] = 1
    told = {name for name, values in game.rules.measures(silent).items() if (values[0] != values[1]).any()}
    return {
        name: (rate_interval if name in game.rules.shares else mean_interval)(values[np.arange(len(results)), seats])
        for name, values in game.rules.measures(tallies).items()
        if name not in told
    }


def _tally(game: Game, result: Mapping[str, Any]) -> np.ndarray:
    """What was counted in a stored game; of one that was stored without, what its text says."""
    if "tally" not in result:
        return game.view.game_tally(result["text"], "results store")
    tally = np.zeros(1, game.rules.tally)
    for name, value in result["tally"].items():
        tally[name][0] = value
    return tally
