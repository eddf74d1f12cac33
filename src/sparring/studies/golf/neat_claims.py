"""The golf study's claims about NEAT (sections 7.2 and 8) and about both algorithms (7.3)."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval, share_interval
from sparring.games.golf import WORST
from sparring.studies.golf.by_input import SHARES, Claim, average, cards_claim, column, final_cards, gap, told
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, NEAT
from sparring.studies.verdicts import NOT_SUPPORTED, OPEN, SUPPORTED, Judged, about, difference, together, verdict

HAND, STATE_HAND, STATE = NEAT
LOW_CARDS, HIGH_CARDS = (0, 12, 13), (10, 11)  # aces, kings, jokers; jacks, queens
HIDDEN = 27  # units of the coevolved nets


def curve(found: Measured, name: str, key: str) -> np.ndarray:
    """One of the curves of NEAT, (trials, generations)."""
    return found.curves[name][1][key]


def population_scores(found: Measured, name: str) -> np.ndarray:
    """The lower of the two scores of a game, which fitness is made of: the population's average."""
    return WORST - curve(found, name, "population.mean.fitness")


def late(values: np.ndarray) -> np.ndarray:
    """The mean over the last tenth of the generations."""
    tenth: np.ndarray = values[:, -max(1, values.shape[1] // 10) :].mean(axis=1)
    return tenth


def fall(values: np.ndarray) -> np.ndarray:
    """By how much a curve is lower in the last tenth than in the first generation."""
    fallen: np.ndarray = values[:, 0] - late(values)
    return fallen


def listed(intervals: Sequence[Interval], digits: int = 1, percent: bool = False) -> str:
    return ", ".join(interval.text(digits, percent) for interval in intervals)


# Section 7.2.1: after training.


def state_hand_matches(found: Measured) -> Judged:
    more = gap(found, STATE_HAND, STATE, "matches_per_game")
    return (
        "NEAT: state and hand players make more matches than state players",
        told((STATE_HAND, STATE), "matches_per_game"),
        "difference " + more.text(2),
        verdict(more, above=0.0),
    )


def greedy(found: Measured) -> Judged:
    """What the study calls greedy: long rounds, which others end."""
    ended = [share_interval(column(found, name, "rounds_ended")) for name in (HAND, STATE_HAND)]
    turns = [mean_interval(column(found, name, "turns_per_round")) for name in (HAND, STATE_HAND)]
    random = found.random.players[0].measures["turns_per_round"].value
    return (
        "NEAT: hand players and state and hand players are greedy: against random they end less than half of the rounds, "
        "which last longer than two random players'",
        f"{told((HAND, STATE_HAND), 'rounds_ended')}; {told((HAND, STATE_HAND), 'turns_per_round')} turns against 20.24",
        f"{listed(ended, 1, True)}; {listed(turns)} turns against {random:.1f}",
        together(*(verdict(e, below=0.5) for e in ended), *(verdict(t, above=random) for t in turns)),
    )


def greedier_still(found: Measured) -> Judged:
    turns, ended = (gap(found, STATE_HAND, HAND, measure) for measure in ("turns_per_round", "rounds_ended"))
    return (
        "NEAT: state and hand players play longer rounds and end fewer of them than hand players",
        f"{told((STATE_HAND, HAND), 'turns_per_round')}; {told((STATE_HAND, HAND), 'rounds_ended')}",
        f"differences {turns.text(1)} and {ended.text(1, percent=True)}",
        together(verdict(turns, above=0.0), verdict(ended, below=0.0)),
    )


def state_ends(found: Measured) -> Judged:
    turns = [gap(found, STATE, name, "turns_per_round") for name in (HAND, STATE_HAND)]
    ended = [gap(found, STATE, name, "rounds_ended") for name in (HAND, STATE_HAND)]
    return (
        "NEAT: state players play the shortest rounds and end the most of them",
        f"{told(NEAT, 'turns_per_round')}; {told(NEAT, 'rounds_ended')}",
        f"differences {listed(turns)}; {listed(ended, 1, True)}",
        together(*(verdict(t, below=0.0) for t in turns), *(verdict(e, above=0.0) for e in ended)),
    )


# Section 7.2.2: during training.


def populations_learn(found: Measured) -> Judged:
    falls = [mean_interval(fall(population_scores(found, name))) for name in NEAT]
    return (
        "NEAT: the population's average score falls during training, with every input",
        "by its Figure 12",
        "by " + listed(falls),
        together(*(verdict(f, above=0.0) for f in falls)),
    )


def earlier_is_faster(found: Measured) -> Judged:
    gains = []
    for name in (HAND, STATE_HAND):
        scores = population_scores(found, name)
        half = scores[:, : (scores.shape[1] + 1) // 2]
        gains.append(mean_interval(fall(half) - 0.5 * fall(scores)))
    return (
        "NEAT: on the hand and on state and hand more than half of the improvement comes in the first half of training",
        "by its Figure 12",
        "more than half by " + listed(gains),
        together(*(verdict(g, above=0.0) for g in gains)),
    )


def state_learns_least(found: Measured) -> Judged:
    falls = {name: fall(curve(found, name, "benchmark.player.score")) for name in NEAT}
    gaps = [difference(falls[name], falls[STATE]) for name in (HAND, STATE_HAND)]
    return (
        "NEAT: against random the best state player improves less than each of the others",
        "by its Figure 13",
        ", ".join(f"{f.mean():.1f}" for f in falls.values()) + f"; less by {listed(gaps)}",
        together(*(verdict(g, above=0.0) for g in gaps)),
    )


def ahead_at_first(found: Measured) -> Judged:
    gaps = []
    for name in NEAT:
        opponent, player = (curve(found, name, f"benchmark.{side}.score")[:, 0] for side in ("opponent", "player"))
        gaps.append(mean_interval(opponent - player))
    return (
        "NEAT: the best of the first generation scores less than random, with every input",
        "by its Figure 13",
        "less by " + listed(gaps),
        together(*(verdict(g, above=0.0) for g in gaps)),
    )


def only_hand_learns_matches(found: Measured) -> Judged:
    rises = [mean_interval(-fall(curve(found, name, "population.mean.matches_per_game"))) for name in NEAT]
    return (
        "NEAT: only on the hand populations learn to match (1 a game more; on the others less than 1)",
        "by its Figure 14",
        listed(rises, 2),
        together(verdict(rises[0], above=1.0), *(verdict(rise, below=1.0) for rise in rises[1:])),
    )


def summaries(found: Measured, name: str, *kinds: str) -> list[np.ndarray]:
    """A summary of each generation's matches, averaged over training."""
    return [curve(found, name, f"population.{kind}.matches_per_game").mean(axis=1) for kind in kinds]


def best_match_more(found: Measured) -> Judged:
    best, mean, worst = summaries(found, HAND, "best", "mean", "worst")
    gaps = [mean_interval(best - mean), mean_interval(mean - worst)]
    return (
        "NEAT: on the hand the best of a generation match more than the average, and the worst less",
        "by its Figure 14",
        f"{gaps[0].text(2)} more, {gaps[1].text(2)} less",
        together(*(verdict(g, above=0.0) for g in gaps)),
    )


def others_match_alike(found: Measured) -> Judged:
    gaps = []
    for name in (STATE_HAND, STATE):
        best, mean, worst = summaries(found, name, "best", "mean", "worst")
        gaps += [mean_interval(best - mean), mean_interval(worst - mean)]
    return (
        "NEAT: with the other inputs the best and the worst match about as often as the average (within 0.5)",
        "by its Figure 14",
        "best and worst: " + listed(gaps, 2),
        together(*(about(g, 0.0, 0.5) for g in gaps)),
    )


def favoured_cards(found: Measured) -> Judged:
    return cards_claim(found, NEAT, "aces, kings and jokers", LOW_CARDS, "jacks and queens", HIGH_CARDS)


def state_favours_less(found: Measured) -> Judged:
    shares = {name: final_cards(found, name)[:, list(LOW_CARDS)].sum(axis=1) for name in NEAT}
    gaps = [difference(shares[name], shares[STATE]) for name in (HAND, STATE_HAND)]
    return (
        "NEAT: state players favour aces, kings and jokers less than the others do",
        "by its Figure 16",
        "less by " + listed(gaps, 1, True),
        together(*(verdict(g, above=0.0) for g in gaps)),
    )


def greed_is_learned(found: Measured) -> Judged:
    falls = [mean_interval(fall(curve(found, name, "benchmark.player.rounds_ended"))) for name in NEAT]
    return (
        "NEAT: against random the best end fewer rounds as training goes on, with every input",
        "by its Figure 17",
        "fewer by " + listed(falls, 1, True),
        together(*(verdict(f, above=0.0) for f in falls)),
    )


# Section 8.


def still_falling(found: Measured) -> Judged:
    """Whether there is an input for which the last tenth is lower than the tenth before it."""
    steps = []
    for name in NEAT:
        scores = population_scores(found, name)
        tenth = max(1, scores.shape[1] // 10)
        steps.append(mean_interval(late(scores[:, :-tenth]) - late(scores)))
    verdicts = [verdict(step, above=0.0) for step in steps]
    return (
        "NEAT: scores of some populations still fall at the end",
        "said in section 8",
        "in the last tenth by " + listed(steps, 2),
        SUPPORTED if SUPPORTED in verdicts else OPEN if OPEN in verdicts else NOT_SUPPORTED,
    )


def one_species(found: Measured) -> Judged:
    more = np.concatenate([(curve(found, name, "population.species") > 1).any(axis=1) for name in NEAT])
    ours = rate_interval(more.astype(float))
    return (
        "NEAT: in most trials there is never more than one species",
        "in all but 1 of 9",
        f"more than one in {more.sum()} of {len(more)}: {ours.text(1, percent=True)}",
        verdict(ours, below=0.5),
    )


def few_hidden_nodes(found: Measured) -> Judged:
    nodes = [mean_interval(curve(found, name, "population.best.hidden_nodes")[:, -1]) for name in NEAT]
    return (
        f"NEAT: the nets have few hidden nodes, fewer than the {HIDDEN} of coevolution",
        "very few",
        listed(nodes),
        together(*(verdict(n, below=float(HIDDEN)) for n in nodes)),
    )


# Section 7.3: NEAT beside coevolution.


def neat_beside_coevolution(found: Measured, measure: str, words: str, more: bool) -> Judged:
    """A claim that players by NEAT have more (or less) of a measure than the coevolved, with every input."""
    gaps = [gap(found, a, b, measure) for a, b in zip(NEAT, INPUTS, strict=True)]
    percent = measure in SHARES
    theirs = [average(a, measure) - average(b, measure) for a, b in zip(NEAT, INPUTS, strict=True)]
    return (
        f"NEAT's players {words} than the coevolved, with every input",
        ", ".join(f"{100 * x:+.2f}%" if percent else f"{x:+.2f}" for x in theirs),
        "differences " + listed(gaps, 2, percent),
        together(*(verdict(g, above=0.0) if more else verdict(g, below=0.0) for g in gaps)),
    )


NEAT_CLAIMS: tuple[Claim, ...] = (
    state_hand_matches,
    greedy,
    greedier_still,
    state_ends,
    populations_learn,
    earlier_is_faster,
    state_learns_least,
    ahead_at_first,
    only_hand_learns_matches,
    best_match_more,
    others_match_alike,
    favoured_cards,
    state_favours_less,
    greed_is_learned,
    still_falling,
    one_species,
    few_hidden_nodes,
    partial(neat_beside_coevolution, measure="score", words="score fewer points against random", more=False),
    partial(neat_beside_coevolution, measure="matches_per_game", words="make more matches", more=True),
    partial(neat_beside_coevolution, measure="turns_per_round", words="play longer rounds against random", more=True),
    partial(neat_beside_coevolution, measure="rounds_ended", words="end fewer rounds against random", more=False),
)
