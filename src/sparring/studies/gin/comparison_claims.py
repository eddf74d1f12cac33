"""The study's questions and suggestions: does evolution beat TD, and does what it suggests help?"""

from collections.abc import Callable, Sequence

from sparring.arena.statistics import Interval
from sparring.studies.gin.clusters import lead_of
from sparring.studies.gin.matchups import Met
from sparring.studies.gin.measured import Duel, Measured
from sparring.studies.gin.settings import EXPLORING, SUGGESTED, VARIANTS
from sparring.studies.gin.words import at_length, lead_text
from sparring.studies.verdicts import OPEN, Judged, verdict

MISSING = "not at this budget"


def lead(told: Met, comparisons: int = 1) -> Interval:
    """The first's lead, trial by trial or by trial and rotation."""
    won, lost = (share.reshape(len(share), -1) for share in (told.won, told.lost))
    return lead_of(won, lost, comparisons)


def evolution_wins(words: str, duel: Callable[[Measured], Duel | None]) -> Callable[[Measured], Judged]:
    """A claim that evolution beats TD."""

    def claim(found: Measured) -> Judged:
        met = duel(found)
        title = f"Evolution beats TD at equal {words}: it wins more games than it loses"
        if met is None:
            return title, "outperforms", MISSING, OPEN
        told = lead(met.met)
        return title, "outperforms", f"lead of {lead_text(told)} in 100", at_length(found, verdict(told, above=0.0))

    return claim


def leads(found: Measured, names: Sequence[str], other: bool) -> dict[str, Interval]:
    """What variants lead by, over their own method or the other; they share the 5%."""
    tried = [found.variants[name] for name in names if name in found.variants]
    told = {variant.title: variant.other if other else variant.own for variant in tried}
    return {title: lead(met, len(told)) for title, met in told.items() if met is not None}


def helps(names: Sequence[str], words: str, published: str, other: bool = False) -> Callable[[Measured], Judged]:
    """A claim that one of these variants wins more games than it loses: it falls only if none does."""

    def claim(found: Measured) -> Judged:
        told = leads(found, names, other)
        if not told:
            return words, published, MISSING, OPEN
        title, best = max(told.items(), key=lambda item: (item[1].low, item[1].value))
        widest = Interval(best.value, best.low, max(each.high for each in told.values()))
        which = f"{title}: " if len(names) > 1 else ""
        ours = f"{which}lead of {lead_text(best)} in 100"
        return words, published, ours, at_length(found, verdict(widest, above=0.0))

    return claim


def suggested(name: str) -> Callable[[Measured], Judged]:
    """A claim that a thing the study suggests helps."""
    setting = VARIANTS[name]
    return helps([name], f"{setting.title}, beats {setting.kind} as the study had it", "suggested")


QUESTIONS: tuple[Callable[[Measured], Judged], ...] = (
    evolution_wins("games", lambda found: found.equal_games),
    evolution_wins("time", lambda found: found.equal_time),
    helps(EXPLORING, "Exploration makes TD better: one kind of it beats TD without", "supposed"),
    helps(EXPLORING, "Exploration rescues TD: with one kind of it TD beats evolution", "supposed", other=True),
    helps(["td-mean"], "Medians lose to means, TD: who draws by the mean beats who draws by the median", "supposed"),
    helps(["evo-mean"], "the same, EVO", "supposed"),
    helps(["td-places"], "Four inputs a card help TD", "supposed"),
    helps(["evo-places"], "Four inputs a card help evolution", "supposed"),
    helps(
        ["evo-reset"], "Challengers bred anew, as Pollack and Blair's were, beat EVO as the study tells it", "its model"
    ),
    *map(suggested, SUGGESTED),
)
