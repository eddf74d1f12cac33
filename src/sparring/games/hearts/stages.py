"""The study's curriculum: the order in which roles learn, and the games they learn from."""

from dataclasses import replace

from sparring.games.hearts.examples import Rewards, most_examples, play_examples, terms_of
from sparring.games.hearts.recorded import recorded_rounds, replay_examples
from sparring.games.team import Sitter, Stage, TeamCurriculum

ROUNDS = 4  # passing left, right, across, and not
CYCLE = f"rounds={ROUNDS}"
PLAIN, ASKING = Sitter("net+plain", replaceable=True), Sitter("net+undefended")
HOPEFUL = Sitter("net+undefended", {"moon-decision": 0.5})  # tries moons more often than the final team
RECKLESS = Sitter("net+undefended", {"moon-decision": 0.0})  # tries the moon with every hand
STOPPING = (PLAIN, Sitter("guarded"), Sitter("guarded"))  # opponents of moon stages; two of them stop moons
ONE_OF_FOUR, ALL = (0,), (0, 1, 2, 3)
DEFENDER = Sitter("net")
# One that tries the moon where it has a chance, among defenders.
TABLE = (Sitter("net", {"moon-decision": 0.9, "moon-play": 0.1}), *(Sitter("net", replaceable=True),) * 3)


def decision(title: str, needs: tuple[str, ...], rules: str, shooter: Sitter | None) -> Stage:
    """A stage of the moon decision: from the hands of a shooter, or of four plain players at first."""
    sitters = (shooter, *STOPPING) if shooter else (PLAIN,) * 4
    return Stage(title, ("moon-decision",), needs, rules, sitters, ONE_OF_FOUR if shooter else ALL, decides=True)


NORMAL = ("play", "pass")
SHOOTING = (*NORMAL, "moon-decision", "moon-play")
WHOLE = (*SHOOTING, "moon-pass")
STAGES = {
    "play": Stage("play, without passing and moons", ("play",), (), f"{CYCLE},passing=off,moon=off", (PLAIN,) * 4, ALL),
    "pass": Stage("pass, with play fixed", ("pass",), ("play",), f"{CYCLE},moon=off", (PLAIN,) * 4, ALL),
    "tune": Stage("play and pass together", NORMAL, NORMAL, f"{CYCLE},moon=off", (PLAIN,) * 4, ALL),
    "moon-decision-1": decision("moon decision, from play that knows no moon", NORMAL, CYCLE, None),
    "moon-play": Stage(
        "moon play", ("moon-play",), (*NORMAL, "moon-decision"), f"{CYCLE},passing=off", (HOPEFUL, *STOPPING), ONE_OF_FOUR
    ),
    "moon-decision-2": decision("moon decision, from moon play", SHOOTING, f"{CYCLE},passing=off", HOPEFUL),
    "moon-pass": Stage("moon pass, with moon play fixed", ("moon-pass",), SHOOTING, CYCLE, (HOPEFUL, *STOPPING), ONE_OF_FOUR),
    "moon-decision-3": decision("moon decision, from moon pass and play", WHOLE, CYCLE, HOPEFUL),
    "moon-tune": Stage(
        "moon play and pass together", ("moon-play", "moon-pass"), WHOLE, CYCLE, (HOPEFUL, *STOPPING), ONE_OF_FOUR
    ),
    "moon-decision-4": decision("final moon decision", WHOLE, CYCLE, HOPEFUL),
    "defence-decision": Stage(
        "defence decision", ("defence-decision",), WHOLE, CYCLE, (PLAIN, ASKING, PLAIN, PLAIN), ALL, decides=True
    ),
    "defence-play": Stage(
        "defence play", ("defence-play",), (*WHOLE, "defence-decision"), CYCLE, (DEFENDER, HOPEFUL, PLAIN, PLAIN), ONE_OF_FOUR
    ),
}  # fmt: skip
WHOLE_TEAM = (*WHOLE, "defence-decision", "defence-play")
OPTIONAL = {
    "moon-table": Stage(
        "moon play and pass against defenders", ("moon-play", "moon-play", "moon-pass"), WHOLE_TEAM, CYCLE, TABLE, ONE_OF_FOUR
    ),
    "moon-decision-table": Stage(
        "moon decision against defenders", ("moon-decision",), WHOLE_TEAM, CYCLE, TABLE, ONE_OF_FOUR, decides=True
    ),
    "defence-decision-table": replace(STAGES["defence-decision"], title="defence decision against moons with any card"),
    "defence-play-table": replace(STAGES["defence-play"], title="defence play against moons with any card"),
    "moon-decision-all": decision("moon decision, from tries with every hand", WHOLE, CYCLE, RECKLESS),
    "whole": Stage("one network for the whole game, passing by rules", ("play",), (), CYCLE, (PLAIN,) * 4, ALL),
}  # fmt: skip
STAGES |= {name: replace(stage, optional=True) for name, stage in OPTIONAL.items()}
THRESHOLDS = {"moon-decision": 0.96, "moon-play": 0.0, "defence-decision": 0.5}
CURRICULUM = TeamCurriculum(
    play_examples,
    Rewards,
    terms_of,
    lambda rewards: ROUNDS * most_examples(rewards),
    STAGES,
    THRESHOLDS,
    benchmark_rules="rounds=0",
    benchmarks=("rule-based",),
    recorded=recorded_rounds,
    replay=replay_examples,
)
