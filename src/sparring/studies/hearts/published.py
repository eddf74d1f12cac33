"""The published results of the hearts study.

Demirdöver, "Learning a Partially-Observable Card Game Hearts Using Reinforcement Learning", 2020. Its figures are pictures: only
the text gives numbers.
"""

from typing import NamedTuple

EVEN = 0.25  # of the games: one against three of equal strength
EVEN_POINTS = 6.5  # per round, where moons do not count
GAMES = {"play": 800_000, "pass": 50_000, "tune": 200_000}  # after which little or nothing is learned
FAST = 300_000  # games within which play learns fast
LEAD = 2.0  # points per round of tuned play and pass, "around"
HANDS = 4  # of a hundred rounds have a moon "on the average"
ATTEMPTS = 0.5  # more succeed against Monte Carlo; 30% against people
ACCURACY = {"moon-decision-4": 0.75, "defence-decision": 0.85}  # each with a loss of 10%


class Figure(NamedTuple):
    """One or two figures of a stage: against rule-based and against Monte Carlo players."""

    numbers: tuple[str, ...]
    title: str
    words: tuple[str, ...]  # the text about each


FIGURES = {
    "play": Figure(
        ("5.1", "5.2"), "play, without passing and moons",
        ("fast until 300,000 games, none after 800,000; way better", "the same; slightly better"),
    ),
    "pass": Figure(
        ("5.3", "5.4"), "pass, with play fixed", ("done within 50,000 games; only on an equal level", "the same"),
    ),
    "tune": Figure(
        ("5.5", "5.6"), "play and pass together", ("slower after 200,000 games; around 2 points better", "the same"),
    ),
    "moon-play": Figure(
        ("5.7", "5.8"), "moon play, without passing",
        ("learned quickly; rule-based does very poorly", "learned quickly; beaten, though it stops moons simply"),
    ),
    "moon-pass": Figure(
        ("5.9", "5.10"), "moon pass, with moon play fixed",
        ("win ratio and points do not change, moons increase", "the same"),
    ),
    "moon-tune": Figure(("5.11", "5.12"), "moon play and pass together", ("no improvement", "the same")),
    "defence-play": Figure(
        ("5.13",), "defence play, against the agent without it",
        ("wins less; opponents' moons fall to around 60 in 1,000 games, within few games",),
    ),
}  # fmt: skip

# Table 5.3: one agent against three that do not defend, 1,000 games: games won, points per round, the opponents' moons.
DEFENCE = {"on": (0.225, 7.38, 61), "off": (0.248, 7.48, 111)}
FEWER = 0.45  # of the opponents' moons

# Tables 5.1, 5.2 and 5.4: one person against three agents, 2,000 games: games won and points per round of both sides.
PEOPLE = {
    "5.1": ("play and pass, moon off", (0.24, 6.69), (0.76, 6.43), ""),
    "5.2": ("with the moon", (0.30, 7.57), (0.70, 7.65), "6.55% of rounds; 30% of the agents' attempts succeed"),
    "5.4": ("with defence", (0.32, 7.22), (0.68, 7.81), "5.90% of rounds"),
    "text": ("always defending until two have points", (0.40, None), (0.60, None), "2% of rounds"),
}
