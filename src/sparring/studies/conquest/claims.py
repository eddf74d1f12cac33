"""The conquest study's claims about the first four cases, judged by our intervals."""

from collections.abc import Callable
from functools import partial

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval, share_interval
from sparring.studies.conquest.cases import DECODING, ENCODING
from sparring.studies.conquest.draws import could_be_ours, count_below
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.rival_claims import RIVAL_CLAIMS
from sparring.studies.verdicts import (
    NOT_SUPPORTED,
    OPEN,
    SUPPORTED,
    Claim,
    Judged,
    above,
    below,
    difference,
    judge,
    undecided,
)

STATIC, MOVING = (1, 2, 3), 4
HOLDS = 5.0  # points of fitness that other deals may cost
TrainingClaim = partial(Claim, conclusive=lambda found: found.budget.whole)


def always_valid(found: Measured) -> Judged:
    idle, moves = (sum(float(np.nansum(games[name])) for games in found.games.values()) for name in ("idle", "moves"))
    return (
        "Guided, every output of a network becomes a move: none is idle",
        "said",
        f"{idle:,.0f} of {moves:,.0f} moves idle",
        NOT_SUPPORTED if idle else SUPPORTED,
    )


def mostly_guided(number: int) -> Claim:
    """The claim that the best network mostly outputs no valid move."""
    return TrainingClaim(
        f"Most moves of the best network of case {number} are guided",
        f"{CASES[number].guided} of {CASES[number].rounds[0]:,}",
        lambda found: share_interval(
            found.games[number]["guided"][:, 0] / np.maximum(found.games[number]["moves"][:, 0], 1)
        ),
        above(0.5),
        "{:.1%}",
    )


def drawn(found: Measured, number: int) -> Judged:
    """The claim that the study's one training of a case could be one of ours."""
    trials, case = found.cases[number].fitness, CASES[number]
    return (
        f"The best fitness of case {number} could be one of ours",
        f"{case.exact:.1f} after {case.generations} generations",
        f"{trials.min():.1f} to {trials.max():.1f}, {count_below(trials, case.exact)} of {len(trials)} below",
        could_be_ours(trials, case.exact) if found.budget.whole else OPEN,
    )


def other_code(found: Measured, number: int) -> Judged:
    """The claim that another encoding or decoding does better than the study's, which only suggests to try."""
    others = {key: trained.judged for key, trained in found.compared.items() if key[0] == number}
    claim = f"Other encodings or decodings may do better: case {number}{', on other deals' if number == 4 else ''}"
    if not others:
        return undecided(claim, "suggested", "not compared at this budget")
    ours = others.pop((number, ENCODING, DECODING))
    gaps = {key: difference(trials, ours, len(others)) for key, trials in others.items()}
    best = max(gaps, key=lambda key: gaps[key].low if np.isfinite(gaps[key].low) else gaps[key].value)
    return judge(claim, "suggested", gaps[best], above(0.0), f"{best[1]} and {best[2]}: by {{:.1f}} points")


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    always_valid,
    mostly_guided(1),
    mostly_guided(4),
    *(partial(drawn, number=number) for number in CASES),
    TrainingClaim(
        "The best network wins in each of the first four cases",
        "once each",
        lambda found: [rate_interval(games["won"][:, 0]) for games in found.games.values()],
        above(0.5),
        "{:.0%} of trials",
    ),
    TrainingClaim(
        "Networks are most efficient where red is static: cases 1 to 3 end above case 4",
        "79.7, 93.8, 93.8 against 65.1",
        lambda found: [
            difference(found.cases[case].fitness, found.cases[MOVING].fitness, len(STATIC)) for case in STATIC
        ],
        above(0.0),
        "by {:.1f}",
    ),
    TrainingClaim(
        "Blue easily defeats the deterministic red: it wins most games when red answers differently",
        "one game, won",
        lambda found: rate_interval(found.cases[4].unseen["won"]),
        above(0.5),
        "{:.1%}",
    ),
    TrainingClaim(
        f"Case 4's fitness is not that of one memorized game: other deals cost at most {HOLDS:g} points",
        "not tried",
        lambda found: mean_interval(found.cases[4].fitness - found.cases[4].unseen["fitness"]),
        below(HOLDS),
        "{:.1f} points lost",
    ),
    *(partial(other_code, number=number) for number in CASES),
    *RIVAL_CLAIMS,
)
