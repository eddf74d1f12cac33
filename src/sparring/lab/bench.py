"""Speeds on this machine: games per second on one core and on all, compiled and interpreted, all in one run."""

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
from sparring.learn.coevolution import Coevolution, CoevolutionTraining
from sparring.nets.dense import Net, gaussian, size

EPOCHS = 150  # enough that nets play real rounds: fresh ones end them at once, or stall
INTERPRETED_PAIRS = 1
BATCH = 128  # pairs
ROUNDS = 15
HIDDEN = 64  # of nets of games that are not for two


def bench(games: list[str], seconds: float) -> dict[str, Any]:
    """The figures of games, and of genetics under the name neat; each figure's name says game, what and where."""
    from sparring.lab.bench_neat import neat_figures  # which needs this module

    figures: dict[str, float] = {}
    for name in games:
        figures.update(neat_figures(seconds) if name == "neat" else game_figures(name_game(name), name, seconds))
    return {
        "machine": machine(),
        "versions": {"python": platform.python_version(), **{p: version(p) for p in ("sparring", "numba", "numpy")}},
        "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
    }


def machine() -> str:
    """The processor, as far as the system tells."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {threads_available()} cores"


def game_figures(game: Game, name: str, seconds: float) -> dict[str, float]:
    """Games per second: net against net (the game's champion, or two trained a little), random against random, rivals."""
    net = f"{game.name}.net_games_per_second"
    figures = net_figures(game, seconds) | random_figures(game, seconds) | search_figures(game, seconds)
    untrained, turns = speed(fresh_game(game), nets_after(game, 0), 1, seconds)
    if turns:
        figures[f"{game.name}.net_turns_per_second.untrained.one_core"] = turns
    figures |= {f"{net}.untrained.one_core": untrained, f"{net}.untrained.interpreted": interpreted_speed(name)}
    figures[f"{net}.compiled_over_interpreted"] = untrained / figures[f"{net}.untrained.interpreted"]
    figures[f"{game.name}.start_seconds"] = start_seconds(name)
    for words in benchmark_of(game).rules:
        variant = with_rules(game, words)
        figures |= net_figures(variant, seconds) | random_figures(variant, seconds)
    external = {name: measure(seconds) for name, measure in benchmark_of(game).external.items()}
    return figures | {name: value for name, value in external.items() if value is not None}


def fresh_game(game: Game) -> Game:
    """The game as untrained nets play it here."""
    rules = benchmark_of(game).untrained
    return with_rules(game, rules) if rules else game


def net_figures(game: Game, seconds: float) -> dict[str, float]:
    """Net against net, on one core and on all."""
    champion = benchmark_of(game).champion
    trained = find_players(game, [champion] * 2) if champion else nets_after(game, EPOCHS)
    one, turns, everywhere, ratio = alternating(game, trained, seconds)
    net = f"{game.name}.net_games_per_second"
    found = {f"{net}.one_core": one, f"{net}.all_cores": everywhere, f"{net}.scaling": ratio}
    return found | ({f"{game.name}.net_turns_per_second.one_core": turns} if turns else {})


def random_figures(game: Game, seconds: float) -> dict[str, float]:
    """Random against random, on one core and on all."""
    players, name = find_players(game, ["random", "random"]), f"{game.name}.random_games_per_second"
    one, everywhere = (speed(game, players, threads, seconds)[0] for threads in (1, threads_available()))
    return {f"{name}.one_core": one, f"{name}.all_cores": everywhere}


def nets_after(game: Game, epochs: int) -> list[Contestant]:
    """A player and its training opponent after a training with a fixed seed; untrained where a game is not for two."""
    if 2 not in game.rules.seats:
        encoding, inputs = next(iter(game.policies.encodings.items()))
        shape, names = (inputs, HIDDEN, 1), ("player", "opponent")
        weights = [gaussian(size(shape), 1, name) for name in names]
        nets = [
            Net(game.family, game.rules.version, encoding, shape, each, input_major=game.policies.input_major)
            for each in weights
        ]
        return [Contestant(name, "net", net) for name, net in zip(names, nets, strict=True)]
    training = CoevolutionTraining(game, Coevolution(epochs=EPOCHS), 1, 1)
    while training.step < epochs:
        training.advance()
    return [
        Contestant(name, "net", net)
        for name, net in (("player", training.champions()[0]), ("opponent", training.auxiliary_nets()[0]))
    ]


def speed(
    game: Game, contestants: list[Contestant], threads: int, seconds: float, deals: int | None = None
) -> tuple[float, float]:
    """Games per second, and turns where the game counts them, over at least `seconds`: the same games every time."""
    table, weights = pack_players(game, contestants)
    jobs = round_the_table(game, deals or BATCH)
    game.launcher.play(jobs[:2], table, weights, threads)
    began, games, turns = time.perf_counter(), 0, 0
    while time.perf_counter() - began < seconds:
        tallies, _ = game.launcher.play(jobs, table, weights, threads)
        games += len(jobs)
        turns += int(tallies["turns"].sum()) if "turns" in game.rules.tally.fields else 0  # type: ignore[operator]
    took = time.perf_counter() - began
    return games / took, turns / took


def round_the_table(game: Game, deals: int) -> np.ndarray:
    """Games of two players, who take turns round the table where there are more seats."""
    seats = min(game.rules.seats)
    return paired_jobs(1, np.arange(seats) % 2, deals, "every" if seats == 2 else "rotated")


def search_figures(game: Game, seconds: float) -> dict[str, float]:
    """Moves a second of players that search, as much as usual, on one core: in short games, where the rules know such."""
    rules, found = benchmark_of(game).quick, {}
    short = with_rules(game, rules) if rules else game
    for name in game.policies.strengths:
        table, weights = pack_players(short, find_players(short, [name, name]))
        jobs, moves, began = round_the_table(short, 1), 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            moves += int((short.launcher.play(jobs, table, weights, 1, keep_moves=True)[1] >= 0).sum())
            jobs["deal"] += len(jobs)
        found[f"{game.name}.{name}_moves_per_second.one_core"] = moves / (time.perf_counter() - began)
    return found


def alternating(game: Game, contestants: list[Contestant], seconds: float) -> tuple[float, float, float, float]:
    """One core (games, turns) and all cores in turn, so that a shared machine's moods meet both alike: medians, also of the
    ratio."""
    share = seconds / ROUNDS
    found = [
        (*speed(game, contestants, 1, share), speed(game, contestants, threads_available(), share)[0])
        for _ in range(ROUNDS)
    ]
    one, turns, everywhere, ratio = np.median([(a, n, b, b / a) for a, n, b in found], axis=0).tolist()
    return one, turns, everywhere, ratio


def interpreted_speed(name: str) -> float:
    """The first of the same games by the same code, interpreted: in a process of its own."""
    code = f"from sparring.lab.bench import interpreted; print(interpreted({name!r}))"
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"SPARRING_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(result.stdout.split()[-1])


def interpreted(name: str) -> float:
    """Called in the interpreted process: games per second of untrained nets (a training would take hours here)."""
    game = fresh_game(name_game(name))
    table, weights = pack_players(game, nets_after(game, 0))
    began = time.perf_counter()
    jobs = round_the_table(game, INTERPRETED_PAIRS)
    game.launcher.play(jobs, table, weights, 1)
    return len(jobs) / (time.perf_counter() - began)


def start_seconds(name: str) -> float:
    """From nothing to a finished match in a new process, with the compiled code at hand."""
    code = f"import sparring; sparring.match({name!r}, 'random', 'random', pairs=1)"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began
