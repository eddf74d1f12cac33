"""Who sits where at a table, and as a person's record names them."""

from pathlib import Path

from sparring.arena.players import Contestant, default_opponent, fill_seats, find_players
from sparring.games import Game
from sparring.lab.person_record import YOU
from sparring.web.naming import player_named
from sparring.web.refusals import Refusal
from sparring.web.tables import Seat, Table


def seat_everyone(game: Game, opponents: list[str], seat: int, people: int, person: str, runs: Path) -> list[Seat]:
    """Who sits where: people in the seats from the first person's on, players in the others; one name may stand for all."""
    words = opponents or ([default_opponent(game)] if people not in game.rules.seats else [])
    players = [str(word) for word in fill_seats(game, words, people)]
    seats = people + len(players)
    if seat >= seats:
        raise Refusal(422, f"seat: must be from 0 to {seats - 1}")
    persons = [(seat + n) % seats for n in range(people)]
    for player in set(players):
        player_named(game, player, runs)
    names = iter(players)
    return [Seat(person if n == seat else "") if n in persons else Seat(None, next(names)) for n in range(seats)]


def named_for_record(table: Table, seat: int, runs: Path) -> tuple[list[str], list[str]]:
    """Who sat where, and who the opponents are, as a record names them."""
    found = [seat.player and player_named(table.game, seat.player, runs) for seat in table.seats]
    players = find_players(table.game, [contestant for contestant in found if isinstance(contestant, Contestant)])
    left = iter(contestant.name for contestant in players)
    names = [next(left) if isinstance(contestant, Contestant) else "person" for contestant in found]
    against = [c.name if isinstance(c, Contestant) else "person" for n, c in enumerate(found) if n != seat]
    names[seat] = YOU
    return names, against
