"""Speeds on this machine: games per second on one core and on all cores, compiled and interpreted."""

import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from typing import Any

import numpy as np

from sparring.arena.play import paired_jobs
from sparring.arena.players import Contestant, find_players, pack_players
from sparring.games import Game, name_game
from sparring.games.benchmark import benchmark_of
from sparring.games.game import with_rules
from sparring.kernel.launch import threads_available
from sparring.lab.bench_neat import genetics_figures
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.nets.dense import Net, gaussian, size

EPOCHS = 150  # enough for nets to play real games: untrained ones end them at once or stall
BATCH = 128  # pairs
ROUNDS = 15
HIDDEN = 64  # hidden units of nets for games without two seats


def bench(games: list[str], seconds: float) -> dict[str, Any]:
    """Measure games, and NEAT's genetics under the name `neat`. A figure's name says the game, what and where."""
    figures: dict[str, float] = {}
    for name in games:
        figures |= genetics_figures() if name == "neat" else game_figures(name_game(name), name, seconds)
    return {
        "machine": machine(),
        "versions": {"python": platform.python_version(), **{p: version(p) for p in ("sparring", "numba", "numpy")}},
        "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
    }


def machine() -> str:
    """The processor's model and the number of cores."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    count = threads_available()
    return f"{model}, {count} core{'s' * (count > 1)}"


def game_figures(game: Game, name: str, seconds: float) -> dict[str, float]:
    """Speeds of nets, built-in players and searching players."""
    net = f"{game.name}.net_games_per_second"
    figures = net_figures(game, seconds) | random_figures(game, seconds)
    figures |= builtin_figures(game, seconds) | search_figures(game, seconds)
    untrained, turns = speed(_untrained_game(game), nets_after(game, 0), 1, seconds)
    if turns:
        figures[f"{game.name}.net_turns_per_second.untrained.one_core"] = turns
    figures |= {f"{net}.untrained.one_core": untrained, f"{net}.untrained.interpreted": interpreted_speed(name)}
    figures[f"{net}.compiled_over_interpreted"] = untrained / figures[f"{net}.untrained.interpreted"]
    figures[f"{game.name}.start_seconds"] = start_seconds(name)
    for rules in benchmark_of(game).rules:
        variant = with_rules(game, rules)
        figures |= net_figures(variant, seconds) | random_figures(variant, seconds)
    return figures


def _untrained_game(game: Game) -> Game:
    """The game under the rules for untrained nets."""
    rules = benchmark_of(game).untrained
    return with_rules(game, rules) if rules else game


def net_figures(game: Game, seconds: float) -> dict[str, float]:
    """Net against net, on one core and on all cores.

    The two alternate, so that other load on the machine affects both alike; each figure is a median.
    """
    champion, share = benchmark_of(game).champion, seconds / ROUNDS
    players = find_players(game, [champion] * 2) if champion else nets_after(game, EPOCHS)
    rounds = []
    for _ in range(ROUNDS):
        (games, turns), (all_cores, _) = (speed(game, players, threads, share) for threads in (1, threads_available()))
        rounds.append((games, turns, all_cores, all_cores / games))
    one_core, turns, all_cores, scaling = np.median(rounds, axis=0).tolist()
    net = f"{game.name}.net_games_per_second"
    figures = {f"{net}.one_core": one_core, f"{net}.all_cores": all_cores, f"{net}.scaling": scaling}
    return figures | ({f"{game.name}.net_turns_per_second.one_core": turns} if turns else {})


def random_figures(game: Game, seconds: float) -> dict[str, float]:
    """Random against random, on one core and on all cores."""
    players, name = find_players(game, ["random", "random"]), f"{game.name}.random_games_per_second"
    one_core, all_cores = (speed(game, players, threads, seconds)[0] for threads in (1, threads_available()))
    return {f"{name}.one_core": one_core, f"{name}.all_cores": all_cores}


def builtin_figures(game: Game, seconds: float) -> dict[str, float]:
    """Each other built-in player that does not search, against itself on one core."""
    names = [name for name in game.builtin if name != "random" and name not in game.policies.strengths]
    return {
        f"{game.name}.{name}_games_per_second.one_core": speed(game, find_players(game, [name] * 2), 1, seconds)[0]
        for name in names
    }


def nets_after(game: Game, epochs: int) -> list[Contestant]:
    """A player and its opponent after training with a fixed seed; untrained nets for games without two seats."""
    names = ("player", "opponent")
    if 2 in game.rules.seats:
        training = CoevolutionTraining(game, Coevolution(epochs=EPOCHS), 1, 1)
        while training.step < epochs:
            training.advance()
        nets = [training.champions()[0], training.auxiliary_nets()[0]]
    else:
        encoding, inputs = next(iter(game.policies.encodings.items()))
        shape, layout = (inputs, HIDDEN, 1), game.policies.input_major
        nets = [
            Net(game.family, game.rules.version, encoding, shape, gaussian(size(shape), 1, name), input_major=layout)
            for name in names
        ]
    return [Contestant(name, "net", net) for name, net in zip(names, nets, strict=True)]


def speed(
    game: Game, contestants: list[Contestant], threads: int, seconds: float, deals: int | None = None
) -> tuple[float, float]:
    """Games per second, and turns per second if the game counts them. Every call plays the same games."""
    table, weights = pack_players(game, contestants)
    jobs = benchmark_jobs(game, deals or BATCH)
    game.launcher.play(jobs[:2], table, weights, threads)
    began, games, turns = time.perf_counter(), 0, 0
    while time.perf_counter() - began < seconds:
        tallies, _ = game.launcher.play(jobs, table, weights, threads)
        games += len(jobs)
        turns += int(tallies["turns"].sum()) if "turns" in game.rules.tally.fields else 0  # type: ignore[operator]
    elapsed = time.perf_counter() - began
    return games / elapsed, turns / elapsed


def benchmark_jobs(game: Game, deals: int) -> np.ndarray:
    """Games of two players, who alternate around the table if it has more than two seats."""
    seats = min(game.rules.seats)
    return paired_jobs(1, np.arange(seats) % 2, deals, "every" if seats == 2 else "rotated")


def search_figures(game: Game, seconds: float) -> dict[str, float]:
    """Moves per second of searching players at default strength on one core, under the game's quick rules."""
    rules, figures = benchmark_of(game).quick, {}
    short = with_rules(game, rules) if rules else game
    for name in game.policies.strengths:
        table, weights = pack_players(short, find_players(short, [name, name]))
        jobs, moves, began = benchmark_jobs(short, 1), 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            moves += int((short.launcher.play(jobs, table, weights, 1, keep_moves=True)[1] >= 0).sum())
            jobs["deal"] += len(jobs)
        figures[f"{game.name}.{name}_moves_per_second.one_core"] = moves / (time.perf_counter() - began)
    return figures


def interpreted_speed(name: str) -> float:
    """Games per second of the same code, interpreted in a separate process."""
    code = f"from sparring.lab.bench import interpreted; print(interpreted({name!r}))"
    environment = os.environ | {"SPARRING_INTERPRET": "1"}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(result.stdout.split()[-1])


def interpreted(name: str) -> float:
    """Games per second of untrained nets over one deal; runs in the interpreted process, where training takes hours."""
    game = _untrained_game(name_game(name))
    table, weights = pack_players(game, nets_after(game, 0))
    jobs = benchmark_jobs(game, 1)
    began = time.perf_counter()
    game.launcher.play(jobs, table, weights, 1)
    return len(jobs) / (time.perf_counter() - began)


def start_seconds(name: str) -> float:
    """Seconds from starting a new process to a finished match, with compiled code in the cache."""
    code = f"import sparring; sparring.match({name!r}, 'random', 'random', pairs=1)"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began
