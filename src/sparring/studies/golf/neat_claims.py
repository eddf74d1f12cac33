"""The golf study's claims about NEAT (sections 7.2 and 8) and about both algorithms (7.3)."""

from functools import partial

import numpy as np

from sparring.arena.statistics import Interval, mean_interval, rate_interval
from sparring.games.golf import WORST
from sparring.studies.golf import intervals as of
from sparring.studies.golf.intervals import Measure, claim
from sparring.studies.golf.measured import Measured
from sparring.studies.golf.published import INPUTS, NEAT, SHARES, average, averages
from sparring.studies.verdicts import Claim, above, below, difference, near

HAND, STATE_HAND, STATE = NEAT
LOW_CARDS, HIGH_CARDS = (0, 12, 13), (10, 11)  # aces, kings, jokers; jacks, queens
HIDDEN = 27  # units of the coevolved networks
FITNESS, SCORE, MATCHES = "population.mean.fitness", "benchmark.player.score", "population.mean.matches_per_game"
RANDOM, BEST, WORST_MATCHES = (
    "benchmark.opponent.score",
    "population.best.matches_per_game",
    "population.worst.matches_per_game",
)
RANDOM_TURNS = 20.24  # Table 5
OTHERS = [(HAND, STATE), (STATE_HAND, STATE)]


def rise(values: np.ndarray) -> np.ndarray:
    return -of.fall(values)


def last_step(values: np.ndarray) -> np.ndarray:
    """How much a curve falls from its second last tenth to its last."""
    tenth = max(1, values.shape[1] // 10)
    return np.asarray(of.late(values[:, :-tenth]) - of.late(values))


def apart(names: tuple[str, ...], a: str, b: str, generations: slice = slice(None)) -> Measure:
    """By input: curve a minus curve b, averaged over generations."""

    def measure(found: Measured) -> list[Interval]:
        lines = [found.curves[name][1] for name in names]
        return [mean_interval((line[a] - line[b])[:, generations].mean(axis=1)) for line in lines]

    return measure


def several_species(found: Measured) -> Interval:
    """The share of trials that ever have more than one species."""
    several = [(found.curves[name][1]["population.species"] > 1).any(axis=1) for name in NEAT]
    return rate_interval(np.concatenate(several).astype(float))


def fastest_fall(found: Measured) -> list[Interval]:
    """The largest fall in the last tenth of training of any input's population."""
    found_falls = [mean_interval(last_step(WORST - found.curves[name][1][FITNESS])) for name in NEAT]
    return [max(found_falls, key=lambda interval: interval.low)]


def beside_coevolution(measure: str, text: str, more: bool) -> Claim:
    """The claim that NEAT's players have more (or less) of a measure than the coevolved, with every input."""
    pairs, spec = list(zip(NEAT, INPUTS, strict=True)), ".2%" if measure in SHARES else ".2f"
    theirs = ", ".join(f"{average(a, measure) - average(b, measure):+{spec}}" for a, b in pairs)
    test = above(0.0) if more else below(0.0)
    return claim(f"NEAT {text} than coevolution, with every input", "section 7.3", theirs, of.gaps(pairs, measure), test,
                 f"differences {{:{spec}}}")  # fmt: skip


NEAT_CLAIMS: tuple[Claim, ...] = (
    claim("NEAT: state and hand makes more matches than state", "Table 7", averages((STATE_HAND, STATE), "matches_per_game"),
          of.gaps([(STATE_HAND, STATE)], "matches_per_game"), above(0.0), "difference {:.2f}"),
    claim("NEAT: hand, and state and hand, end fewer than half of the rounds, which last longer than random's", "Table 7",
          f"{averages(NEAT[:2], 'rounds_ended')}; {averages(NEAT[:2], 'turns_per_round')} against {RANDOM_TURNS}",
          of.together(of.each(NEAT[:2], "rounds_ended"), of.each(NEAT[:2], "turns_per_round")),
          [below(0.5)] * 2 + [above(RANDOM_TURNS)] * 2, "{:.2f}"),
    claim("NEAT: state and hand ends fewer rounds than hand, and they last longer", "Table 7",
          f"{averages((STATE_HAND, HAND), 'rounds_ended')}; {averages((STATE_HAND, HAND), 'turns_per_round')}",
          of.together(of.gaps([(STATE_HAND, HAND)], "rounds_ended"), of.gaps([(STATE_HAND, HAND)], "turns_per_round")),
          [below(0.0), above(0.0)], "differences {:.2f}"),
    claim("NEAT: state plays the shortest rounds and ends the most of them", "Table 7",
          f"{averages(NEAT, 'turns_per_round')}; {averages(NEAT, 'rounds_ended')}",
          of.together(of.gaps(OTHERS, "turns_per_round"), of.gaps(OTHERS, "rounds_ended")), [above(0.0)] * 2 + [below(0.0)] * 2,
          "others minus state {:.2f}"),
    claim("NEAT: the population's mean score falls during training, with every input", "Figure 12", "falling curves",
          of.curves(NEAT, FITNESS, rise), above(0.0), "by {:.1f}"),
    claim("NEAT: on hand, and state and hand, more than half of the improvement comes in the first half", "Figure 12",
          "steep at first", of.curves(NEAT[:2], FITNESS, lambda line: of.early_share(WORST - line, 0.5)), above(0.0),
          "more than half by {:.1f}"),
    claim("NEAT: against random the best state player improves less than the others", "Figure 13", "hardly falls",
          of.curve_gaps(OTHERS, SCORE, of.fall), above(0.0), "less by {:.1f}"),
    claim("NEAT: the best of the first generation scores less than random, with every input", "Figure 13", "below red",
          apart(NEAT, RANDOM, SCORE, slice(1)), above(0.0), "less by {:.1f}"),
    claim("NEAT: the best stay better than random throughout training, with every input", "Figure 13", "below red",
          apart(NEAT, RANDOM, SCORE), above(0.0), "by {:.1f} on average"),
    claim("NEAT: populations learn to match only on the hand: 1 more per game, less than 1 on the others", "Figure 14",
          "a spike, only for the hand", of.curves(NEAT, MATCHES, rise), [above(1.0), below(1.0), below(1.0)], "{:.2f}"),
    claim("NEAT: on the hand the best of a generation match more than the mean, and the worst less", "Figure 14",
          "blue above red", of.together(apart((HAND,), BEST, MATCHES), apart((HAND,), WORST_MATCHES, MATCHES)),
          [above(0.0), below(0.0)], "{:.2f}"),
    claim("NEAT: with the other inputs the best and the worst match like the mean: within 0.5", "Figure 14", "alike",
          of.together(*(apart(NEAT[1:], key, MATCHES) for key in (BEST, WORST_MATCHES))), near(0.0, 0.5), "{:.2f}"),
    claim("NEAT: all inputs favour aces, kings and jokers and avoid jacks and queens", "Figure 16", "wide and narrow bars",
          partial(of.cards_beyond_random, names=NEAT, low=LOW_CARDS, high=HIGH_CARDS), above(0.0), "{:.1%} beyond random"),
    claim("NEAT: state favours low cards less than the others", "Figure 16", "not to the same extent",
          lambda found: [difference(*(of.final_cards(found, name, LOW_CARDS) for name in pair)) for pair in OTHERS],
          above(0.0), "less by {:.1%}"),
    claim("NEAT: the best end fewer rounds against random as training goes on, with every input", "Figure 17", "falling curves",
          of.curves(NEAT, "benchmark.player.rounds_ended", of.fall), above(0.0), "fewer by {:.1%}"),
    claim("NEAT: scores of some populations still fall at the end", "section 8", "said", fastest_fall, above(0.0),
          "in the last tenth by {:.2f}"),
    claim("NEAT: most trials never have more than one species", "section 8", "all but 1 of 9", several_species, below(0.5),
          "several in {:.1%}"),
    claim(f"NEAT: few hidden nodes, fewer than the {HIDDEN} of coevolution", "section 9", "very few",
          of.curves(NEAT, "population.best.hidden_nodes", lambda line: line[:, -1]), below(HIDDEN)),
    beside_coevolution("score", "scores fewer points against random", False),
    beside_coevolution("matches_per_game", "makes more matches", True),
    beside_coevolution("turns_per_round", "plays longer rounds against random", True),
    beside_coevolution("rounds_ended", "ends fewer rounds against random", False),
)  # fmt: skip
