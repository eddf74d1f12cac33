"""The golf study's claims about the final tournament: sections 7.4 and 7.5."""

from collections.abc import Callable, Sequence

import numpy as np

from sparring.arena.match import Standing
from sparring.arena.statistics import Interval
from sparring.studies.golf.intervals import claim
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import DATA, FINAL_ROWS, INPUTS, NEAT
from sparring.studies.verdicts import Claim, above, below

HANDS, STATE_HANDS, STATES = zip(INPUTS, NEAT, strict=True)  # by both algorithms
NETS = (*INPUTS, *NEAT)


def standing(found: Measured, a: str, b: str) -> Standing:
    """Player a in its match against b, which has more games than the tournament."""
    if "greedier" in (a, b):
        return found.greedier[b if a == "greedier" else a].players[0 if a == "greedier" else 1]
    return found.matchups[a, b].players[0] if (a, b) in found.matchups else found.matchups[b, a].players[1]


def score(found: Measured, a: str, b: str) -> Interval:
    """The mean score of a against b."""
    return standing(found, a, b).score


def gap(a: Interval, b: Interval) -> Interval:
    """The difference of two scores as if they were independent: shared deals make them closer, so this is cautious."""
    value = a.value - b.value
    return Interval(
        value, value - np.hypot(a.value - a.low, b.high - b.value), value + np.hypot(a.high - a.value, b.value - b.low)
    )


def mean(intervals: Sequence[Interval]) -> Interval:
    """The mean of scores as if their errors were the same: cautious again."""
    value, low, high = np.mean([(i.value, i.low, i.high) for i in intervals], axis=0)
    return Interval(float(value), float(low), float(high))


def beats(text: str, *pairs: tuple[str, str]) -> Claim:
    """The claim that the first of each pair wins most games against the second."""
    theirs = ", ".join(f"{DATA['final_wins'][a][FINAL_ROWS.index(b)]:.0%}" for a, b in pairs)
    return claim(
        text, "Table 8", theirs, lambda found: [standing(found, a, b).win_rate for a, b in pairs], above(0.5), "{:.1%}"
    )


def across(better: Sequence[str], worse: Sequence[str]) -> list[tuple[str, str]]:
    """Each of the better with each of the worse."""
    return [(a, b) for a in better for b in worse]


def hand_scores_least(found: Measured) -> Interval:
    """The least score of the other inputs' players in the final minus the greatest of the hand players."""
    scores = {player.name: player.score for player in found.final.players}
    hand = max((scores[name] for name in HANDS), key=lambda s: s.value)
    return gap(min((scores[name] for name in NETS if name not in HANDS), key=lambda s: s.value), hand)


def own_kind(found: Measured) -> list[Interval]:
    """The winners of the internal tournaments: their scores in the final minus those there; none for a single trial."""
    finals = {player.name: player.score for player in found.final.players}
    return [
        gap(finals[name], Interval.from_json(winner["score"]))
        for name in NEAT[:2]
        for winner in found.internal[name]["players"][:1]
    ]


def each_other(found: Measured) -> list[Interval]:
    """Compared with the opponent for which the difference is least."""
    gaps = []
    for a, b in (NEAT[:2], NEAT[1::-1]):
        others = [score(found, a, name) for name in (*NETS, "random") if name not in (a, b)]
        gaps.append(gap(min(others, key=lambda s: s.value), score(found, a, b)))
    return gaps


def state_disturbs(pairs: Sequence[tuple[str, str]]) -> Callable[[Measured], list[Interval]]:
    """Scores against the coevolved state player minus scores of the same two networks against each other."""
    return lambda found: [gap(score(found, a, "state"), score(found, a, b)) for a, b in pairs]


def state_disturbs_all(found: Measured) -> list[Interval]:
    """Every player's score against the coevolved state player minus its mean over all its other opponents."""
    everyone, rises = (*NETS, "random", "greedier"), []
    for name in (*NETS, "greedier"):
        if name != "state":
            others = [score(found, name, other) for other in everyone if other not in (name, "state")]
            rises.append(gap(score(found, name, "state"), mean(others)))
    return rises


def against_greedier(text: str, names: Sequence[str], wins: bool) -> Claim:
    """The claim that networks win or lose most games against greedier."""
    theirs = ", ".join(f"{DATA['against_greedier'][name][0]:.0%}" for name in names)
    return claim(text, "Table 12", f"{theirs} of 100 games", lambda found: [found.greedier[n].players[1].win_rate for n in names],
                 above(0.5) if wins else below(0.5), "{:.1%}")  # fmt: skip


FINAL_CLAIMS: tuple[Claim, ...] = (
    beats("Final: coevolved hand beats state and hand, which beats state, which beats random",
          ("hand", "state-hand"), ("state-hand", "state"), ("state", "random")),
    beats("Final: the hand players of both algorithms beat every player of the other inputs",
          *across(HANDS, (*STATE_HANDS, *STATES))),
    beats("Final: the state and hand players of both beat the state players of both", *across(STATE_HANDS, STATES)),
    beats("Final: every trained player beats random", *across(NETS, ("random",))),
    claim("Final: both hand players score fewer points than every other", "Table 10",
          "131.67 and 135.91 against 155.70", hand_scores_least, above(0.0), "by {:.1f}"),
    beats("Final: coevolution beats NEAT on the hand", ("hand", "neat-hand")),
    beats("Final: coevolution beats NEAT on the state", ("state", "neat-state")),
    beats("Final: NEAT beats coevolution on state and hand", ("neat-state-hand", "state-hand")),
    claim("NEAT's best hand, and state and hand, players score less against their own kind than in the final",
          "Tables 29 and 30", "100.92 against 131.67, 84.77 against 155.70", own_kind, above(0.0), "less by {:.1f}"),
    claim("NEAT's hand and state and hand players score less against each other than against anybody else", "Table 9",
          "67.57 and 85.98; at least 125.00 and 153.07 elsewhere", each_other, above(0.0), "less by {:.1f}"),
    claim("The other coevolved networks score more against the coevolved state player than against each other", "Table 9",
          "174.50 and 195.91 against 140.53 and 187.43",
          state_disturbs((("hand", "state-hand"), ("state-hand", "hand"))), above(0.0), "more by {:.1f}"),
    claim("Everyone but random scores more against the coevolved state player than against others", "section 7.4.2",
          f"{DATA['state_disturbs']:.1%} more than on average, with random; 20.4% without", state_disturbs_all, above(0.0),
          "more by {:.1f}"),
    against_greedier("The best coevolved hand player wins most games against greedier", INPUTS[:1], True),
    against_greedier("The best coevolved players of the other inputs lose to greedier", INPUTS[1:], False),
    against_greedier("NEAT's best hand player wins most games against greedier", NEAT[:1], True),
    against_greedier("NEAT's best players of the other inputs lose to greedier", NEAT[1:], False),
)  # fmt: skip
