"""The golf study's claims about NEAT (sections 7.2 and 8) and about both algorithms (7.3)."""

from functools import partial

import numpy as np

from sparring.arena.statistics import mean_interval, rate_interval, share_interval
from sparring.games.golf import WORST
from sparring.studies.golf.by_input import SHARES, Claim, average, averages, cards_claim, column, final_cards, gap
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, NEAT
from sparring.studies.verdicts import (
    NOT_SUPPORTED,
    OPEN,
    SUPPORTED,
    Judged,
    above,
    below,
    difference,
    judge,
    near,
    texts,
    together,
)

HAND, STATE_HAND, STATE = NEAT
LOW_CARDS, HIGH_CARDS = (0, 12, 13), (10, 11)  # aces, kings, jokers; jacks, queens
HIDDEN = 27  # units of the coevolved networks


def curve(found: Measured, name: str, key: str) -> np.ndarray:
    """One of the curves of NEAT, (trials, generations)."""
    return found.curves[name][1][key]


def population_scores(found: Measured, name: str) -> np.ndarray:
    """The population's mean of the lower of the two scores of a game, from which fitness is computed."""
    return WORST - curve(found, name, "population.mean.fitness")


def late(values: np.ndarray) -> np.ndarray:
    """The mean over the last tenth of the generations."""
    return np.asarray(values[:, -max(1, values.shape[1] // 10) :].mean(axis=1))


def fall(values: np.ndarray) -> np.ndarray:
    """The first generation of a curve minus its last tenth."""
    return np.asarray(values[:, 0] - late(values))


# Section 7.2.1: after training.


def state_hand_matches(found: Measured) -> Judged:
    return judge(
        "NEAT: state and hand players make more matches than state players",
        averages((STATE_HAND, STATE), "matches_per_game"),
        gap(found, STATE_HAND, STATE, "matches_per_game"),
        above(0.0),
        "difference {:.2f}",
    )


def greedy(found: Measured) -> Judged:
    """Greedy in the study's sense: long rounds, which others end."""
    both = (HAND, STATE_HAND)
    ended = [share_interval(column(found, name, "rounds_ended")) for name in both]
    turns = [mean_interval(column(found, name, "turns_per_round")) for name in both]
    random = found.random.players[0].measures["turns_per_round"].value
    return (
        "NEAT: hand players and state and hand players are greedy: against random they end less than half of the rounds, "
        "which last longer than those of two random players",
        f"{averages(both, 'rounds_ended')}; {averages(both, 'turns_per_round')} turns against 20.24",
        f"{texts(ended, '.1%')}; {texts(turns)} turns against {random:.1f}",
        together(*map(below(0.5), ended), *map(above(random), turns)),
    )


def greedier_still(found: Measured) -> Judged:
    turns, ended = (gap(found, STATE_HAND, HAND, measure) for measure in ("turns_per_round", "rounds_ended"))
    both = (STATE_HAND, HAND)
    return (
        "NEAT: state and hand players play longer rounds and end fewer of them than hand players",
        f"{averages(both, 'turns_per_round')}; {averages(both, 'rounds_ended')}",
        f"differences {turns.text(1)} and {ended.text(1, percent=True)}",
        together(above(0.0)(turns), below(0.0)(ended)),
    )


def state_ends(found: Measured) -> Judged:
    turns, ended = (
        [gap(found, STATE, name, measure) for name in (HAND, STATE_HAND)]
        for measure in ("turns_per_round", "rounds_ended")
    )
    return (
        "NEAT: state players play the shortest rounds and end the most of them",
        f"{averages(NEAT, 'turns_per_round')}; {averages(NEAT, 'rounds_ended')}",
        f"differences {texts(turns)}; {texts(ended, '.1%')}",
        together(*map(below(0.0), turns), *map(above(0.0), ended)),
    )


# Section 7.2.2: during training.


def populations_learn(found: Measured) -> Judged:
    falls = [mean_interval(fall(population_scores(found, name))) for name in NEAT]
    claim = "NEAT: the population's mean score falls during training, with every input"
    return judge(claim, "Figure 12", falls, above(0.0), "by {:.1f}")


def earlier_is_faster(found: Measured) -> Judged:
    gains = []
    for name in (HAND, STATE_HAND):
        scores = population_scores(found, name)
        half = scores[:, : (scores.shape[1] + 1) // 2]
        gains.append(mean_interval(fall(half) - 0.5 * fall(scores)))
    claim = (
        "NEAT: on the hand and on state and hand more than half of the improvement comes in the first half of training"
    )
    return judge(claim, "Figure 12", gains, above(0.0), "more than half by {:.1f}")


def state_learns_least(found: Measured) -> Judged:
    falls = {name: fall(curve(found, name, "benchmark.player.score")) for name in NEAT}
    return judge(
        "NEAT: against random the best state player improves less than each of the others",
        "Figure 13",
        [difference(falls[name], falls[STATE]) for name in (HAND, STATE_HAND)],
        above(0.0),
        ", ".join(f"{f.mean():.1f}" for f in falls.values()) + "; less by {:.1f}",
    )


def ahead_at_first(found: Measured) -> Judged:
    gaps = []
    for name in NEAT:
        opponent, player = (curve(found, name, f"benchmark.{side}.score")[:, 0] for side in ("opponent", "player"))
        gaps.append(mean_interval(opponent - player))
    claim = "NEAT: the best of the first generation scores less than random, with every input"
    return judge(claim, "Figure 13", gaps, above(0.0), "less by {:.1f}")


def only_hand_learns_matches(found: Measured) -> Judged:
    rises = [mean_interval(-fall(curve(found, name, "population.mean.matches_per_game"))) for name in NEAT]
    return (
        "NEAT: populations learn to match only on the hand (1 more per game; less than 1 on the others)",
        "Figure 14",
        texts(rises, ".2f"),
        together(above(1.0)(rises[0]), *map(below(1.0), rises[1:])),
    )


def matches(found: Measured, name: str) -> list[np.ndarray]:
    """The matches of each generation's best, mean and worst, averaged over training."""
    kinds = ("best", "mean", "worst")
    return [curve(found, name, f"population.{kind}.matches_per_game").mean(axis=1) for kind in kinds]


def best_match_more(found: Measured) -> Judged:
    best, mean, worst = matches(found, HAND)
    gaps = [mean_interval(best - mean), mean_interval(mean - worst)]
    claim = "NEAT: on the hand the best of a generation match more than the mean, and the worst less"
    return judge(claim, "Figure 14", gaps, above(0.0), "more and less by {:.2f}")


def others_match_alike(found: Measured) -> Judged:
    gaps = []
    for name in (STATE_HAND, STATE):
        best, mean, worst = matches(found, name)
        gaps += [mean_interval(best - mean), mean_interval(worst - mean)]
    claim = "NEAT: with the other inputs the best and the worst match about as often as the mean (within 0.5)"
    return judge(claim, "Figure 14", gaps, near(0.0, 0.5), "best and worst: {:.2f}")


def favoured_cards(found: Measured) -> Judged:
    return cards_claim(found, NEAT, "aces, kings and jokers", LOW_CARDS, "jacks and queens", HIGH_CARDS)


def state_favours_less(found: Measured) -> Judged:
    shares = {name: final_cards(found, name)[:, list(LOW_CARDS)].sum(axis=1) for name in NEAT}
    gaps = [difference(shares[name], shares[STATE]) for name in (HAND, STATE_HAND)]
    claim = "NEAT: state players favour aces, kings and jokers less than the others"
    return judge(claim, "Figure 16", gaps, above(0.0), "less by {:.1%}")


def greed_is_learned(found: Measured) -> Judged:
    falls = [mean_interval(fall(curve(found, name, "benchmark.player.rounds_ended"))) for name in NEAT]
    claim = "NEAT: against random the best end fewer rounds as training goes on, with every input"
    return judge(claim, "Figure 17", falls, above(0.0), "fewer by {:.1%}")


# Section 8.


def still_falling(found: Measured) -> Judged:
    """Whether for some input the last tenth is lower than the tenth before it."""
    steps = []
    for name in NEAT:
        scores = population_scores(found, name)
        tenth = max(1, scores.shape[1] // 10)
        steps.append(mean_interval(late(scores[:, :-tenth]) - late(scores)))
    verdicts = [above(0.0)(step) for step in steps]
    return (
        "NEAT: scores of some populations still fall at the end",
        "said in section 8",
        "in the last tenth by " + texts(steps, ".2f"),
        SUPPORTED if SUPPORTED in verdicts else OPEN if OPEN in verdicts else NOT_SUPPORTED,
    )


def one_species(found: Measured) -> Judged:
    more = np.concatenate([(curve(found, name, "population.species") > 1).any(axis=1) for name in NEAT])
    return judge(
        "NEAT: most trials never have more than one species",
        "in all but 1 of 9",
        rate_interval(more.astype(float)),
        below(0.5),
        f"more than one in {more.sum()} of {len(more)}: {{:.1%}}",
    )


def few_hidden_nodes(found: Measured) -> Judged:
    nodes = [mean_interval(curve(found, name, "population.best.hidden_nodes")[:, -1]) for name in NEAT]
    claim = f"NEAT: the networks have few hidden nodes, fewer than the {HIDDEN} of coevolution"
    return judge(claim, "very few", nodes, below(float(HIDDEN)))


# Section 7.3: NEAT and coevolution.


def neat_against_coevolution(found: Measured, measure: str, claim: str, more: bool) -> Judged:
    """The claim that NEAT's players have more (or less) of a measure than the coevolved, with every input."""
    pairs, spec = list(zip(NEAT, INPUTS, strict=True)), ".2%" if measure in SHARES else ".2f"
    return judge(
        f"NEAT's players {claim} than the coevolved, with every input",
        ", ".join(f"{average(a, measure) - average(b, measure):+{spec}}" for a, b in pairs),
        [gap(found, a, b, measure) for a, b in pairs],
        above(0.0) if more else below(0.0),
        f"differences {{:{spec}}}",
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
    partial(neat_against_coevolution, measure="score", claim="score fewer points against random", more=False),
    partial(neat_against_coevolution, measure="matches_per_game", claim="make more matches", more=True),
    partial(neat_against_coevolution, measure="turns_per_round", claim="play longer rounds against random", more=True),
    partial(neat_against_coevolution, measure="rounds_ended", claim="end fewer rounds against random", more=False),
)
