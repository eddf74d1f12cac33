"""The measured games: rules, unit and networks."""

from typing import NamedTuple

from sparring.arena.players import Contestant, find_players
from sparring.games import Game, find_game
from sparring.lab.bench import BATCH, EPOCHS, nets_after

TAUGHT, FRESH = "taught", "fresh"  # a little by coevolution; not at all


class Entry(NamedTuple):
    """A game and a network in every seat."""

    name: str  # the game with its rules
    unit: str  # what counts as one: the smallest that other programs offer
    net: str  # a champion, or TAUGHT, or FRESH
    figure: str = "net"
    about: str = ""
    deals: int = BATCH  # in one call, each in every seating

    @property
    def game(self) -> Game:
        return find_game(self.name)

    def players(self) -> list[Contestant]:
        if self.net in (TAUGHT, FRESH):
            return nets_after(self.game, EPOCHS if self.net == TAUGHT else 0)
        return find_players(self.game, [self.net] * 2)


GIN, HEARTS = "gin:rules=full,length=hand", "hearts:rounds=1"
ENTRIES = (
    Entry("golf", "game of nine rounds", TAUGHT, about=f"trained for {EPOCHS} epochs"),
    Entry("backgammon", "game", "champion-40", about="`champion-40`, values every play of a roll"),
    Entry(
        "conquest",
        "game of up to 500 rounds",
        "champion",
        about="`champion`, values the board after each move",
        deals=8,
    ),  # fmt: skip
    Entry(GIN, "hand", "champion-26", about="`champion-26`"),
    Entry(HEARTS, "round", FRESH, about="untrained, chooses every card; the rule-based player passes"),
    Entry(HEARTS, "round", "champion", "champion", "`champion`, tries all 286 passes"),
)


def shape_of(player: Contestant) -> str:
    """What a contestant's net is like: 90-27-1, or those of a team."""
    assert player.net is not None
    parts = list(player.net.parts.values()) or [player.net]
    shapes = ["-".join(map(str, net.shape)) for net in parts]
    return ", ".join(dict.fromkeys(shapes))
