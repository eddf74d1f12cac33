"""Makes the data of test_compatibility.py with the installed version: `python tests/compatibility/make.py`.

The data here were made by version 0.7.1 and stand for the files that users of it have. Make them again only if trained nets or
played games are meant to change; the difference of expected.json shows which.
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
# Their arithmetic goes through BLAS and LAPACK, whose sums depend on the processor: see test_compatibility.py.
ROUNDED = ("strategies-cma", "curriculum", "curriculum-search")

EVOLVED = {"learner": "neat", "generations": 3, "pop_size": 8, "games": 1, "initial_connection": "partial_direct 0.3",
           "benchmark_pairs": 0}  # fmt: skip
DENSE = {"learner": "coevolution", "hidden": 3, "epochs": 2, "start": 1.0, "benchmark_pairs": 0}
# Nets of every kind and input, by the name of their file.
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
RIVALS = {"golf": "greedier", "backgammon": "simple", "gin": "simple", "hearts": "rule-based", "conquest": "greedy"}
# How nets may choose beside the usual way, and a net that does.
MANNERS = {"backgammon": ("by-checker", "1ply"), "gin": ("mean", "eleven", "mean-eleven", "patient"),
           "hearts": ("plain", "undefended", "always")}  # fmt: skip
MANNERED = {"backgammon": "tesauro", "gin": "cards", "hearts": "team"}
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
VARIANTS = {
    "golf": (),
    "backgammon": (HYPER, "backgammon:first=fixed,scoring=single", "backgammon:start=beginner-5"),
    "conquest": (CONQUEST, "conquest:map=easy,rounds=40", "conquest:map=hard,rounds=40", "conquest:map=empty,rounds=40,goal=all"),
    "gin": (GIN, "gin:rules=full", "gin:rules=full,length=hand", "gin:laying_off=yes,gin=20,undercut=10"),
    "hearts": ("hearts:rounds=2", "hearts:rounds=2,passing=off", "hearts:rounds=2,moon=subtract,jack=on",
               "hearts:target=50,moon=off"),
}  # fmt: skip
# Tables of several players, players as named, and searches at their usual strength.
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
    """Train a run to its end, and once more to the middle; returns the arrays of the first and what it comes down to."""
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
    """The nets, each the champion of a short training; of hearts the team of a run above, and its net for play alone."""
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
    """The words of every match."""
    found = []
    for game, rival in RIVALS.items():
        nets = [f"nets/{path.name}" for path in sorted((HERE / "nets").glob(f"{game}-*"))]
        found += [[SHORT[game], net, rival, "--pairs", "2"] for net in nets]
        for manner in MANNERS.get(game, ()):
            players = [f"nets/{game}-{MANNERED[game]}.safetensors", *CHAMPIONS[game]]
            found += [[SHORT[game], f"{player}+{manner}", rival, "--pairs", "2"] for player in players]
        for rules in (game, *VARIANTS[game]):
            found += [[rules, player, "random", "--pairs", "2"] for player in BUILTIN[game]]
            found += [[rules, player, rival, "--pairs", "2"] for player in CHAMPIONS[game]]
    return [[*words, "--seed", "5"] for words in found + OTHERS]


def make_experiments() -> None:
    """The experiments that come with the package as they are, and with every option as this version fills it in."""
    shutil.rmtree("experiments", ignore_errors=True)
    shutil.copytree(HERE.parent.parent / "experiments", "experiments")
    Path("resolved").mkdir()
    for path in sorted(Path("experiments").glob("*.toml")):
        (Path("resolved") / path.name).write_text(read_experiment(path).toml())


if __name__ == "__main__":
    main()
