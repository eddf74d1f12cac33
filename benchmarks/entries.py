"""The measured games: rules, unit and networks."""

from typing import NamedTuple

from sparring.arena.players import Contestant, find_players
from sparring.games import Game, find_game
from sparring.lab.bench import BATCH, EPOCHS, nets_after

TRAINED, UNTRAINED = "trained", "untrained"  # for a short time by coevolution; not at all


class Entry(NamedTuple):
    """A game and a network in every seat."""

    name: str  # the game with its rules
    unit: str  # what counts as one game: the smallest unit that other programs offer
    net: str  # a champion, or TRAINED, or UNTRAINED
    figure: str = "net"
    about: str = ""
    deals: int = BATCH  # per call, each in every seating

    @property
    def game(self) -> Game:
        return find_game(self.name)

    def players(self) -> list[Contestant]:
        if self.net in (TRAINED, UNTRAINED):
            return nets_after(self.game, EPOCHS if self.net == TRAINED else 0)
        return find_players(self.game, [self.net] * 2)


GIN, HEARTS = "gin:rules=full,length=hand", "hearts:rounds=1"
ENTRIES = (
    Entry("golf", "game of nine rounds", TRAINED, about=f"trained for {EPOCHS} epochs"),
    Entry("backgammon", "game", "champion-40", about="`champion-40`, values every play of a roll"),
    Entry(
        "conquest",
        "game of up to 500 rounds",
        "champion",
        about="`champion`, values the board after each move",
        deals=8,
    ),
    Entry(GIN, "hand", "champion-26", about="`champion-26`"),
    Entry(HEARTS, "round", UNTRAINED, about="untrained, chooses every card; the rule-based player passes"),
    Entry(HEARTS, "round", "champion", "champion", "`champion`, tries all 286 passes"),
)


def shape_of(player: Contestant) -> str:
    """The shape of a contestant's net, such as 90-27-1, or the shapes of its team."""
    assert player.net is not None
    parts = list(player.net.parts.values()) or [player.net]
    shapes = ["-".join(map(str, net.shape)) for net in parts]
    return ", ".join(dict.fromkeys(shapes))
