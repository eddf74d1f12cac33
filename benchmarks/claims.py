"""The requirements, computed from the figures of one run."""

from typing import NamedTuple

from benchmarks.entries import ENTRIES, GIN, HEARTS

OPENSPIEL = {"backgammon": "backgammon.random_games", GIN: "gin.random_hands", HEARTS: "hearts.random_rounds"}
PLACES = ("one_core", "all_cores")
GOLF_GAMES = 900.0  # a second, by networks, on two cores
Pair = tuple[float | None, float | None]  # ours and what it must exceed


class Claim(NamedTuple):
    """A requirement with its two numbers on one core and on all; a missing number is None."""

    what: str
    game: str
    pairs: tuple[Pair, Pair]
    missing: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the requirement is met; None if nothing can be compared."""
        known = [(ours, other) for ours, other in self.pairs if ours is not None and other is not None]
        return all(ours > other for ours, other in known) if known else None


def claims(figures: dict[str, float]) -> list[Claim]:
    golf = figures.get("golf.net_games_per_second.all_cores")
    least = Claim("games per second of a network", "golf", ((None, None), (golf, GOLF_GAMES)))
    return [*faster(figures, "random", ""), *faster(figures, "net", "_from_python"), least]


def faster(figures: dict[str, float], side: str, how: str) -> list[Claim]:
    """Random play against OpenSpiel's own loop, or networks against its random play driven from Python."""
    what = {
        "random": "random play, faster than OpenSpiel in C++",
        "net": "network, faster than OpenSpiel's random play from Python",
    }
    found = []
    for name in dict.fromkeys(entry.name for entry in ENTRIES):
        theirs = f"openspiel.{OPENSPIEL.get(name)}{how}_per_second"
        one, everywhere = (
            (figures.get(f"{name}.{side}_games_per_second.{place}"), figures.get(f"{theirs}.{place}"))
            for place in PLACES
        )
        missing = "not measured" if name in OPENSPIEL else "not in OpenSpiel"
        found.append(Claim(what[side], name, (one, everywhere), missing))
    return found
