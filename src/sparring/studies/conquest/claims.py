"""The conquest study's claims, and whether our intervals support them."""

from collections.abc import Callable

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval, share_interval
from sparring.studies import Table
from sparring.studies.conquest.cases import DECODING, ENCODING
from sparring.studies.conquest.draws import below, could_be_ours
from sparring.studies.conquest.measured import Measured
from sparring.studies.conquest.published import CASES
from sparring.studies.conquest.rival_claims import RIVAL_CLAIMS
from sparring.studies.verdicts import (
    NOT_SUPPORTED,
    OPEN,
    SUPPORTED,
    Judged,
    difference,
    judged_table,
    together,
    verdict,
)

STATIC, MOVING = (1, 2, 3), 4
HOLDS = 5.0  # points of fitness that other deals may cost


def claims_table(found: Measured) -> Table:
    """Every claim with its verdict."""
    told = found.budget
    generations = ", ".join(str(told.generations(case)) for case in CASES)
    return judged_table(
        [claim(found) for claim in CLAIMS],
        f"{found.trials} trials of {generations} and, in case 5, {told.rival_generations} generations",
    )


def at_length(found: Measured, told: str) -> str:
    """A verdict on what training leads to, open where training was shorter than the study's."""
    return told if found.budget.whole else OPEN


def always_valid(found: Measured) -> Judged:
    idle, moves = (sum(float(np.nansum(games[name])) for games in found.games.values()) for name in ("idle", "moves"))
    return (
        "Guided, every output of a network becomes a move: none is idle",
        "said",
        f"{idle:,.0f} of {moves:,.0f} moves idle",
        NOT_SUPPORTED if idle else SUPPORTED,
    )


def mostly_guided(case: int) -> Callable[[Measured], Judged]:
    """A claim that the best network mostly tells no valid move."""

    def claim(found: Measured) -> Judged:
        games, told = found.games[case], CASES[case]
        share = share_interval(games["guided"][:, 0] / np.maximum(games["moves"][:, 0], 1))
        return (
            f"Most moves of the best network of case {case} are guided",
            f"{told.guided} of {told.rounds[0]:,}",
            share.text(1, percent=True),
            at_length(found, verdict(share, above=0.5)),
        )

    return claim


def drawn(case: int) -> Callable[[Measured], Judged]:
    """A claim that the study's one training of a case could be one of ours."""

    def claim(found: Measured) -> Judged:
        trials, told = found.cases[case].fitness, CASES[case]
        return (
            f"The best fitness of case {case} could be one of ours",
            f"{told.exact:.1f} after {told.generations} generations",
            f"{trials.min():.1f} to {trials.max():.1f}, {below(trials, told.exact)} of {len(trials)} below",
            at_length(found, could_be_ours(trials, told.exact)),
        )

    return claim


def blue_wins(found: Measured) -> Judged:
    won = [rate_interval(games["won"][:, 0]) for games in found.games.values()]
    return (
        "The best network wins in each of the first four cases",
        "once each",
        ", ".join(share.text(0, percent=True) for share in won) + " of trials",
        at_length(found, together(*(verdict(share, above=0.5) for share in won))),
    )


def static_is_easier(found: Measured) -> Judged:
    """By the study's own measure, although fitness is not the same thing in every case."""
    gaps = [difference(found.cases[case].fitness, found.cases[MOVING].fitness, len(STATIC)) for case in STATIC]
    return (
        "Networks are most efficient where red is static: cases 1 to 3 end above case 4",
        "79.7, 93.8, 93.8 against 65.1",
        "by " + ", ".join(gap.text(1) for gap in gaps),
        at_length(found, together(*(verdict(gap, above=0.0) for gap in gaps))),
    )


def able_to_defeat_red(found: Measured) -> Judged:
    won = rate_interval(found.cases[4].unseen["won"])
    return (
        "Blue is more than able to defeat the deterministic red: it wins most games when red answers otherwise",
        "one game, won",
        won.text(1, percent=True),
        at_length(found, verdict(won, above=0.5)),
    )


def holds_elsewhere(found: Measured) -> Judged:
    lost = mean_interval(found.cases[4].fitness - found.cases[4].unseen["fitness"])
    return (
        f"Case 4's fitness is not that of one game learned by heart: other deals cost at most {HOLDS:g} points",
        "not tried",
        f"{lost.text(1)} points lost",
        at_length(found, verdict(lost, below=HOLDS)),
    )


def other_code(case: int) -> Callable[[Measured], Judged]:
    """A claim that another encoding or decoding does better than the study's; it only suggests to try."""

    def claim(found: Measured) -> Judged:
        others = {key: trained.judged for key, trained in found.compared.items() if key[0] == case}
        words = f"Other encodings or decodings may do better: case {case}{', on other deals' if case == 4 else ''}"
        if not others:
            return words, "suggested", "not compared at this budget", OPEN
        ours = others.pop((case, ENCODING, DECODING))
        gaps = {key: difference(trials, ours, len(others)) for key, trials in others.items()}
        best = max(gaps, key=lambda key: gaps[key].low if np.isfinite(gaps[key].low) else gaps[key].value)
        return (
            words,
            "suggested",
            f"{best[1]} and {best[2]}: by {gaps[best].text(1)} points",
            verdict(gaps[best], above=0.0),
        )

    return claim


CLAIMS: tuple[Callable[[Measured], Judged], ...] = (
    always_valid,
    mostly_guided(1),
    mostly_guided(4),
    *(drawn(case) for case in CASES),
    blue_wins,
    static_is_easier,
    able_to_defeat_red,
    holds_elsewhere,
    *(other_code(case) for case in CASES),
    *RIVAL_CLAIMS,
)
