"""A person's record: every game they finish is kept in the results store, and summarised for each opponent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.match import winners
from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.errors import UserError
from sparring.games import Game, Played, find_game, known_games
from sparring.games.view import YOU as YOU
from sparring.lab.store import Store

KIND = "play"  # of results


@dataclass(frozen=True)
class Record:
    """A person's results against one player, or several at one table; each game is one observation.

    Games that the person resigned count as lost, but not in scores and measures unless there are no others.
    """

    game: str
    rules: int
    against: tuple[str, ...]  # the other players at the table
    games: int
    wins: int
    draws: int
    win_rate: Interval
    score: Interval
    others: Interval  # their mean score
    measures: dict[str, Interval]  # of the person

    def json(self) -> dict[str, Any]:
        """The record as JSON, with the same keys for every game."""
        intervals = {"win_rate": self.win_rate, "score": self.score, "others_score": self.others}
        return {
            **{name: getattr(self, name) for name in ("game", "rules", "games", "wins", "draws")},
            "against": list(self.against),
            **{name: interval.json() for name, interval in intervals.items()},
            "measures": {name: interval.json() for name, interval in self.measures.items()},
        }


def finished(
    game: Game, played: Played, tally: np.void, names: Sequence[str], seat: int, against: Sequence[str]
) -> dict[str, Any]:
    """A finished game as it is stored: players by seat, scores, tally and notation.

    `names` are unique at the table; `against` names the opponents, so that games against the same ones are grouped.
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
    """A person's records in a game (under the chosen rules, or under all if none are chosen), or in every built-in game.

    There is one record per set of rules and opponents; those played most often come first.
    """
    groups: dict[tuple[str, int, tuple[str, ...]], list[dict[str, Any]]] = {}
    for result in store.read_results(KIND):
        if _is_of(result["game"], game) and _is_sound(result, game):
            seat, names = result["seat"], result["players"]
            against = result.get("against", [name for n, name in enumerate(names) if n != seat])
            groups.setdefault((result["game"], result["rules"], tuple(sorted(against))), []).append(result)
    ordered = sorted(groups.items(), key=lambda item: (item[0][:2], -len(item[1]), item[0][2]))
    return [_record(name, rules, against, found, game) for (name, rules, against), found in ordered]


def _is_of(name: str, game: Game | None) -> bool:
    """Whether a stored game is the requested one. Without a request, only built-in games are: a store must not import modules."""
    family = name.partition(":")[0]
    if game is None:
        return family in known_games()
    return name == game.name or (game.name == game.family and family == game.family)


def _is_sound(result: dict[str, Any], game: Game | None) -> bool:
    """Whether a stored game is one that `finished` wrote, so that it can be counted; adds the seat that old ones lack."""
    try:
        the_game = _under_rules(result["game"], game)
        names, rules = result["players"], result["rules"]
        seat = result["seat"] if "seat" in result else result.setdefault("seat", names.index(YOU))
        against = result.get("against", names[1:])
        scores = np.array(result["scores"], float)
        sound = (
            type(rules) is int and type(names) is type(against) is list and type(seat) is int and 0 <= seat < len(names)
        )
        sound &= len(names) in the_game.rules.seats and scores.shape == (len(names),) and np.isfinite(scores).all()
        sound &= all(type(name) is str for name in (*names, *against)) and len(against) == len(names) - 1
        return bool(sound) and (rules != the_game.rules.version or len(_tally(the_game, result)) == 1)
    except (UserError, KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError):
        return False


def _under_rules(name: str, game: Game | None) -> Game:
    """The game of a stored name; the requested one if that has the name."""
    return game if game and game.name == name else find_game(name)


def _record(
    name: str, rules: int, against: tuple[str, ...], results: list[dict[str, Any]], game: Game | None
) -> Record:
    the_game = _under_rules(name, game)
    seats = np.array([result["seat"] for result in results])
    scores = np.array([result["scores"] for result in results], float)
    won, drawn = winners(scores, the_game.rules.lower_is_better)
    resigned = np.array([bool(result.get("resigned")) for result in results])  # which are lost, at no final score
    mine, drawn = won[np.arange(len(results)), seats] & ~resigned, drawn & ~resigned
    ended = [n for n, gave_up in enumerate(resigned) if not gave_up] or list(range(len(results)))
    own = scores[np.arange(len(results)), seats][ended]
    others = (scores[ended].sum(axis=1) - own) / (scores.shape[1] - 1)
    intervals = rate_interval(mine.astype(float)), mean_interval(own), mean_interval(others)
    whole = [results[n] for n in ended]
    measures = own_measures(the_game, whole, seats[ended]) if rules == the_game.rules.version else {}
    return Record(name, rules, against, len(results), int(mine.sum()), int(drawn.sum()), *intervals, measures)


def own_measures(game: Game, results: list[dict[str, Any]], seats: np.ndarray) -> dict[str, Interval]:
    """Measures of the person, except those that players report about themselves."""
    tallies = np.concatenate([_tally(game, result) for result in results])
    probe = np.zeros(2, game.rules.tally)
    for field in game.rules.self_reported:
        probe[field][1] = 1
    reported = {name for name, values in game.rules.measures(probe).items() if (values[0] != values[1]).any()}
    return {
        name: (rate_interval if name in game.rules.shares else mean_interval)(values[np.arange(len(results)), seats])
        for name, values in game.rules.measures(tallies).items()
        if name not in reported
    }


def _tally(game: Game, result: Mapping[str, Any]) -> np.ndarray:
    """The tally of a stored game; computed from its text if it was stored without one."""
    if "tally" not in result:
        return game.view.game_tally(result["text"], "results store")
    tally = np.zeros(1, game.rules.tally)
    for name, value in result["tally"].items():
        tally[name][0] = value
    return tally
