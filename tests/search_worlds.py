"""Checks of one game's search, for test_search.py, which runs this file interpreted: `search_worlds.py worlds|fair GAME`."""

import sys

import numpy as np

from sparring.arena.players import Chooser, find_player
from sparring.games import Game, find_game
from sparring.games.deck import CARDS as DECK
from sparring.games.game import legal_moves, play_move, start_game
from sparring.kernel.records import call_kernel, records

# The game, a quick player of whole games, the moves to check, searching players and the decisions to check.
GAMES = {
    "golf": ("golf", "greedier", 60, ("greedier+flat@20", "greedier+ismcts@12"), 12),
    "golf-4": ("golf", "greedier", 60, ("greedier+ismcts@8",), 4),
    "gin": ("gin:rules=full", "simple", 40, ("simple+flat@8", "simple+ismcts@4"), 3),
    "gin-study": ("gin", "simple", 40, ("simple+ismcts@3",), 2),
    "hearts": ("hearts:rounds=2", "daring", 120, ("daring+flat@14", "daring+ismcts@8"), 10),
    "conquest": ("conquest", "red-fresh", 8, ("red-fresh+flat@3", "red-fresh+ismcts@3"), 2),
    "backgammon": ("backgammon:cube=on", "random", 20, ("random+flat@3", "random+ismcts@2"), 3),
}


def world_of(game: Game, state: np.ndarray, seat: int, stream: int) -> np.ndarray:
    """A state that the seat may be in."""
    made, ints = state.copy(), np.full(game.policies.int_scratch, -1, np.int64)
    assert game.search is not None
    call_kernel(game.search.determinize, records(made)[0], seat, np.uint64(stream), ints)
    return made


def places_of_cards(game: Game, state: np.ndarray) -> list[int]:
    """All cards of a state, wherever they are, in order."""
    s = state[0]
    if game.family == "golf":
        hands = s["hand"][: s["seats"]].ravel().tolist()
        drawn = [int(s["drawn"])] if s["drawn"] >= 0 else []
        return sorted(
            hands + s["stock"][: s["stock_size"]].tolist() + s["discard"][: s["discard_size"]].tolist() + drawn
        )
    sets = [*s["hand"].tolist()]
    if game.family == "gin":
        cards = s["stock"][: s["stock_size"]].tolist()
        sets += [int(s["pile"])]
    else:
        cards = [card for card in s["trick"].tolist() if card >= 0]
        sets += [int(s["played"])]
    return sorted(cards + [card for each in sets for card in range(DECK) if each >> card & 1])


def states(game: Game, player: str, seats: int, count: int):
    """States of a game, by a quick player."""
    state, chooser = start_game(game, 7, 3, 5, seats), Chooser(game, find_player(game, player))
    for _ in range(count):
        if state[0]["over"]:
            return
        yield state
        play_move(game, state, chooser.choose(state))


def check_worlds(game: Game, player: str, seats: int, count: int) -> None:
    changed = seen = 0
    for number, state in enumerate(states(game, player, seats, count)):
        for seat in range(seats):
            world = world_of(game, state, seat, 2 * number + 1)
            assert game.view.text(state[0], seat) == game.view.text(world[0], seat), (number, seat)
            before, after = (game.view.state_json(each[0], seat) for each in (state, world))
            assert before | {"deal": ""} == after | {"deal": ""}, (
                number,
                seat,
            )  # conquest shows its stream, which is chance
            observation = game.learning.observation
            assert observation is not None
            assert np.array_equal(observation.now(state[0], seat), observation.now(world[0], seat)), (number, seat)
            if state[0]["turn"] == seat:
                assert legal_moves(game, state) == legal_moves(game, world), (number, seat)
            if not game.rules.perfect_information:
                assert places_of_cards(game, world) == places_of_cards(game, state), (number, seat)
                assert np.array_equal(np.unique(places_of_cards(game, world)), places_of_cards(game, world))
            assert np.array_equal(world["tally"], state["tally"])
            # Nothing of what the seat cannot know is left: a world of a world is that of the state.
            assert world_of(game, world, seat, 5).tobytes() == world_of(game, state, seat, 5).tobytes(), (number, seat)
            seen, changed = seen + 1, changed + (world.tobytes() != state.tobytes())
    assert changed > seen / 2 > seats


def check_fair(game: Game, player: str, seats: int, searchers: tuple[str, ...], decisions: int) -> None:
    for name in searchers:
        chooser, checked, distinct = Chooser(game, find_player(game, name)), 0, set()
        for number, state in enumerate(states(game, player, seats, 8 * decisions)):
            if number % 3 or len(legal_moves(game, state)) == 1:
                continue
            seat, chosen = int(state[0]["turn"]), chooser.choose(state.copy())
            for stream in (1, 2):
                assert chooser.choose(world_of(game, state, seat, stream)) == chosen, (name, number)
            checked += 1
            distinct.add(chosen)
            if checked == decisions:
                break
        assert checked == decisions and (len(distinct) > 1 or decisions < 5)


if __name__ == "__main__":
    check, which = sys.argv[1:]
    named, player, count, searchers, decisions = GAMES[which]
    game = find_game(named)
    seats = 4 if which == "golf-4" else min(game.rules.seats)
    if check == "worlds":
        check_worlds(game, player, seats, count)
    else:
        check_fair(game, player, seats, searchers, decisions)
