"""Tables of the golf study that test why some claims are not reproduced."""

import numpy as np

from sparring.arena.statistics import mean_interval, share_interval
from sparring.lab.run import Run
from sparring.studies import Table, columns
from sparring.studies.golf import final_measures as final
from sparring.studies.golf import intervals as of
from sparring.studies.golf import small_finals
from sparring.studies.golf.measured import Measured, matches_of, measures_of
from sparring.studies.golf.published import DATA, FINAL_ROWS, NEAT, TITLES, players
from sparring.studies.golf.settings import READINGS

STALLING = 0.01  # of the rounds, late in training


def cause_tables(found: Measured) -> list[Table]:
    return [stalling_table(found), matching_table(found), small_finals_table(found)]


def stalling_table(found: Measured) -> Table:
    """Whether hand players that stall in training play as the study's do."""
    stalls = of.late(found.curves["hand"][1]["training.player.stalemates"]) > STALLING
    turns, ended = (of.column(found, "hand", name) for name in ("turns_per_round", "rounds_ended"))
    theirs = players("hand").mean(axis=0)
    rows = [["published", str(len(players("hand"))), f"{theirs[3]:.2f}", f"{theirs[4]:.1%}"]]
    for title, which in (("ours that stall", stalls), ("ours that do not", ~stalls)):
        if which.any():
            cells = [mean_interval(turns[which]).text(2), share_interval(ended[which]).text(1, percent=True)]
            rows.append([title, str(which.sum()), *cells])
    caption = f"Against random. To stall: in more than {STALLING:.0%} of the rounds of the last tenth of training."
    header = columns("players | trials | turns per round | rounds ended")
    return Table("Figures 10 and 11: hand players that stall in training", header, rows, caption)


def matching_table(found: Measured) -> Table:
    """How much the matches of NEAT's populations differ between trials, and between threes of them."""
    other = NEAT[1]  # also under other readings
    runs = [(name, TITLES[name], found.runs[name]) for name in NEAT]
    runs += [
        (other, f"{TITLES[other]}: {READINGS[reading]['title']}", by_input[other])
        for reading, by_input in found.readings.items()
        if other in by_input
    ]
    header = columns(
        "input | matches of the population rise by | trials by less than 1 | threes by less than 1 | threes with best and worst "
        "within 0.5 of the mean | trials whose champions match no more than the study's | their populations rise by"
    )
    caption = "Threes of our trials are drawn at random: the study has three trials."
    rows = [[title, *matching_cells(name, run)] for name, title, run in runs]
    return Table("Figure 14: matches in the populations of NEAT", header, rows, caption)


def matching_cells(name: str, run: Run) -> list[str]:
    """The row of one run, compared with the published players of an input."""
    line, matches = run.training().curves()[1], measures_of(matches_of(run))[:, 2]
    mean, best, worst = (line[f"population.{kind}.matches_per_game"] for kind in ("mean", "best", "worst"))
    rise, apart = -of.fall(mean), np.array([(best - mean).mean(axis=1), (mean - worst).mean(axis=1)])
    threes = of_threes(rise) < 1, (np.abs(of_threes(apart)) < 0.5).all(axis=0)
    few = matches <= players(name)[:, 2].max()
    like = mean_interval(rise[few]).text(2) if few.any() else ""
    shares = [f"{which.mean():.0%}" for which in (rise < 1, *threes)]
    return [mean_interval(rise).text(2), *shares, str(few.sum()), like]


def of_threes(values: np.ndarray) -> np.ndarray:
    """The means of threes of trials, which are the last axis."""
    return np.asarray(np.random.default_rng(0).choice(values, (20_000, 3), axis=-1).mean(axis=-1))


def small_finals_table(found: Measured) -> Table:
    """The final among as many players as the study's."""
    compared = [("hand", "neat-hand"), ("state", "neat-state"), ("neat-state-hand", "state-hand")]
    rows = []
    for a, b in compared:
        published = DATA["final_wins"][a][FINAL_ROWS.index(b)]
        ours = [each(found, (a, b))[0].text(1, percent=True) for each in (final.wins, small_finals.won)]
        rows.append([f"{a} against {b}: games won", f"{published:.0%}", *ours])
    published = DATA["final_ranking"]
    worst, best = (
        pick(published[name][1] for name in final.NETS if (name in final.HANDS) == hands)
        for hands, pick in ((True, max), (False, min))
    )
    less = [each(found).text(1) for each in (final.hand_scores_least, small_finals.hand_scores_least)]
    rows.append(["points that the hand players score less than every other", f"{best - worst:.2f}", *less])
    header = columns("| published | the best of all of ours | the best of five and of three")
    caption = (
        "As in the study, players are chosen by an internal tournament: among all of our trials, where intervals are over games, "
        "or among five coevolved ones and three of NEAT, drawn from ours many times, where intervals are over trials."
    )
    return Table("Finals of the best of five and of three", header, rows, caption)
