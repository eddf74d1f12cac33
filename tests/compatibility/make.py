"""Make the data for test_compatibility.py with the installed version of Sparring: `python tests/compatibility/make.py`.

Version 0.7.1 made the present data; they stand for the files of its users. Run this again only if a change to trained nets or to
moves is intended, and check the difference of expected.json: it lists every run and match that changed.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from safetensors.numpy import save_file

from compatibility.digests import HERE, digest, library_search, match_facts, run_arrays, run_facts
from sparring import __version__, api
from sparring.errors import Stopped
from sparring.lab.experiment import read_experiment
from sparring.lab.run import train
from sparring.nets.files import save_net

HYPER, GIN = "backgammon:start=hypergammon", "gin:limit=200"
CONQUEST = "conquest:rounds=25"
# Runs that use BLAS and LAPACK, whose results depend on the processor: see test_compatibility.py.
ROUNDED = ("strategies-cma", "curriculum", "curriculum-search")

EVOLVED = {"learner": "neat", "generations": 3, "pop_size": 8, "games": 1, "initial_connection": "partial_direct 0.3",
           "benchmark_pairs": 0}  # fmt: skip
DENSE = {"learner": "coevolution", "hidden": 3, "epochs": 2, "start": 1.0, "benchmark_pairs": 0}
# Nets of every kind and encoding, by file name.
NETS: dict[str, dict[str, Any]] = {
    **{f"golf-{encoding}": DENSE | {"encoding": encoding} for encoding in ("hand", "state", "state-hand")},
    "golf-graph": EVOLVED | {"activation_options": ["sigmoid", "sin", "gauss", "softplus"], "activation_mutate_rate": 0.5},
    **{f"backgammon-{encoding}": DENSE | {"encoding": encoding} for encoding in ("tesauro", "raw", "shares-mirrored", "shares")},
    "backgammon-outcomes": {"learner": "td", "outputs": "outcomes", "hidden": 3, "games": 20, "start": 1.0, "benchmark_pairs": 0},
    "backgammon-linear": {"learner": "climbing", "encoding": "raw", "layers": "3-2", "challenges": 4, "start": 1.0},
    "backgammon-graph": EVOLVED | {"encoding": "raw"},
    **{f"gin-{encoding}": DENSE | {"encoding": encoding} for encoding in ("cards", "places", "melds")},
    "gin-graph": EVOLVED | {"aggregation_options": ["sum", "mean"], "aggregation_mutate_rate": 0.5},
    **{f"conquest-{encoding}": DENSE | {"encoding": encoding} for encoding in ("shares", "own", "planes", "fronts", "summary")},
    **{f"conquest-{policy}": DENSE | {"policy": f"net+{policy}"} for policy in ("coordinates", "value")},
    "conquest-graph": EVOLVED,
    "conquest-graph-value": EVOLVED | {"policy": "net+value", "encoding": "fronts"},
}  # fmt: skip
SHORT = {"golf": "golf", "backgammon": HYPER, "gin": GIN, "hearts": "hearts:rounds=2", "conquest": CONQUEST}
OPPONENTS = {"golf": "greedier", "backgammon": "simple", "gin": "simple", "hearts": "rule-based", "conquest": "greedy"}
# The policy variants of nets, and the net that plays them beside the champions.
POLICY_VARIANTS = {"backgammon": ("by-checker", "1ply"), "gin": ("mean", "eleven", "mean-eleven", "patient"),
           "hearts": ("plain", "undefended", "always")}  # fmt: skip
VARIANT_NETS = {"backgammon": "tesauro", "gin": "cards", "hearts": "team"}
CHAMPIONS = {
    "golf": ("champion",), "backgammon": ("champion", "champion-40"), "conquest": ("champion",),
    "gin": ("champion", "champion-26", "randumb"), "hearts": ("champion",),
}  # fmt: skip
BUILTIN = {
    "golf": ("greedier", "greedier-published"),
    "backgammon": ("simple", "pubeval", "simple-no-hit", "random-by-checker"),
    "conquest": ("greedy", "red", "idle"),
    "gin": ("simple", "careful", "monte-carlo@4"),
    "hearts": ("rule-based", "expert", "guarded", "daring", "monte-carlo@8", "searcher@8"),
}
RULES = {
    "golf": (),
    "backgammon": (HYPER, "backgammon:first=fixed,scoring=single", "backgammon:start=beginner-5"),
    "conquest": (CONQUEST, "conquest:map=easy,rounds=40", "conquest:map=hard,rounds=40", "conquest:map=empty,rounds=40,goal=all"),
    "gin": (GIN, "gin:rules=full", "gin:rules=full,length=hand", "gin:laying_off=yes,gin=20,undercut=10"),
    "hearts": ("hearts:rounds=2", "hearts:rounds=2,passing=off", "hearts:rounds=2,moon=subtract,jack=on",
               "hearts:target=50,moon=off"),
}  # fmt: skip
# Matches of more than two players, of players seated as named, and of searches at their default strength.
OTHERS = [
    ["golf", "champion", "greedier", "random", "--pairs", "1"],
    ["golf", "champion", "nets/golf-state.safetensors", "greedier", "random", "--pairs", "1", "--as-named"],
    ["hearts:rounds=2", "champion", "expert", "daring", "random", "--pairs", "1", "--as-named"],
    ["gin:length=hand", "monte-carlo", "careful", "--pairs", "1"],
    ["hearts:rounds=1", "monte-carlo", "searcher", "rule-based", "random", "--pairs", "1", "--as-named"],
]


def main() -> None:
    os.chdir(HERE)
    for name in ("halfway", "nets", "resolved"):
        shutil.rmtree(name, ignore_errors=True)
    expected: dict[str, Any] = {"version": __version__, "runs": {}, "matches": []}
    rounded = {"library search": library_search()}
    with tempfile.TemporaryDirectory() as folder:
        for plan in sorted(Path("plans").glob("*.toml")):
            print(name := plan.stem, flush=True)
            arrays, expected["runs"][name] = make_run(plan, Path(folder))
            if name in ROUNDED:
                rounded |= {f"{name}:{key}": array for key, array in arrays.items()}
        make_nets(Path(folder))
    save_file(rounded, "expected.safetensors")
    for words in matches():
        print(*words, flush=True)
        expected["matches"].append({"words": words} | match_facts(words))
    Path("expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    make_experiments()


def make_run(plan: Path, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Train a run to its end, and again up to the middle; return the arrays of the first, and what the test expects."""
    whole = api.train(plan, runs=folder / "whole").folder
    half, steps = folder / "half" / plan.stem, run_facts(whole)["step"]
    half.mkdir(parents=True)
    shutil.copy(whole / "experiment.toml", half)

    def stop(training: Any, games: int) -> None:
        if training.step == (steps + 1) // 2:
            os.kill(os.getpid(), signal.SIGINT)

    with suppress(Stopped):
        train(api.load(half), report=stop)
    shutil.copytree(half, HERE / "halfway" / plan.stem)
    arrays = run_arrays(whole)
    return arrays, {"arrays": {key: digest(array) for key, array in arrays.items()}} | run_facts(whole)


def make_nets(folder: Path) -> None:
    """Save the champions of short trainings; for hearts, the team of the curriculum run and its play net alone."""
    (HERE / "nets").mkdir()
    for name, options in NETS.items():
        game = SHORT[name.partition("-")[0]]
        run = api.train(
            game, name=name, seed=3, runs=folder / "nets", evaluation={"pairs": 1, "selection_pairs": 1}, **options
        )
        shutil.copy(run.folder / "champion.safetensors", HERE / "nets" / f"{name}.safetensors")
    team = folder / "whole" / "curriculum" / "champion.safetensors"
    shutil.copy(team, HERE / "nets" / "hearts-team.safetensors")
    save_net(HERE / "nets" / "hearts-play.safetensors", api.load(team).parts["play"])


def matches() -> list[list[str]]:
    """The arguments of every match."""
    found = []
    for game, opponent in OPPONENTS.items():
        nets = [f"nets/{path.name}" for path in sorted((HERE / "nets").glob(f"{game}-*"))]
        found += [[SHORT[game], net, opponent, "--pairs", "2"] for net in nets]
        for variant in POLICY_VARIANTS.get(game, ()):
            players = [f"nets/{game}-{VARIANT_NETS[game]}.safetensors", *CHAMPIONS[game]]
            found += [[SHORT[game], f"{player}+{variant}", opponent, "--pairs", "2"] for player in players]
        for rules in (game, *RULES[game]):
            found += [[rules, player, "random", "--pairs", "2"] for player in BUILTIN[game]]
            found += [[rules, player, opponent, "--pairs", "2"] for player in CHAMPIONS[game]]
    return [[*words, "--seed", "5"] for words in found + OTHERS]


def make_experiments() -> None:
    """Copy the experiments of the repository, and write each with all options as this version fills them in."""
    shutil.rmtree("experiments", ignore_errors=True)
    shutil.copytree(HERE.parent.parent / "experiments", "experiments")
    Path("resolved").mkdir()
    for path in sorted(Path("experiments").glob("*.toml")):
        (Path("resolved") / path.name).write_text(read_experiment(path).toml())


if __name__ == "__main__":
    main()
