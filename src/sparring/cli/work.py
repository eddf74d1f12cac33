"""What the commands do: call the API, show progress, print, record in the results store."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from sparring.arena.backends import use_backend
from sparring.arena.external import UNFINISHED
from sparring.arena.match import judge, match, seat_players
from sparring.arena.play import seatings
from sparring.arena.statistics import score_digits
from sparring.arena.tournament import tournament
from sparring.cli import show
from sparring.errors import Stopped, UserError
from sparring.games import GAMES, name_game, unknown
from sparring.kernel.random import derive
from sparring.lab.experiment import Experiment, build_experiment
from sparring.lab.log import LogWriter, read_log
from sparring.lab.person_record import own_records
from sparring.lab.run import Run, create_run, train
from sparring.lab.store import Store
from sparring.learn import find_learner
from sparring.options import parse_option


def experiment_from_words(game: str, learner: str, words: dict[str, str], top: dict[str, Any]) -> Experiment:
    """An experiment from the command line's words."""
    name_game(game)
    options_class, _ = find_learner(learner)
    options = {key: parse_option(options_class, key, text, "--") for key, text in words.items()}
    return build_experiment({"game": game, **top, "learner": {"name": learner, **options}})


def train_run(run: Run, threads: int | None) -> None:
    """Train with a live bar, and say where everything is."""
    if run.finished:
        print(f"{run.folder}: already finished")
    trials = run.experiment.trials
    words = f"{run.folder.name}, {trials} {'trial' if trials == 1 else 'trials'}"
    with show.training_bar(words) as report, show.games_bar("choosing and evaluating") as progress:
        train(run, threads, report, progress)
    rows = [
        [f"{row['trial']:03d}", *(_result_text(m["players"][0]) for m in row["matches"])]
        for row in run.evaluation()["trials"]
    ]
    show.table(
        f"champions of {run.folder}",
        ["trial", *(f"against {name}" for name in run.experiment.evaluation.opponents)],
        rows,
        f"score and games won over {run.experiment.evaluation.pairs} deals in every seating, used for nothing else",
    )
    print(f"champion: {run.folder / 'champion.safetensors'}")


def _result_text(player: dict[str, Any]) -> str:
    score = player["score"][0]
    return f"{score:.{score_digits(score)}f}, {player['win_rate'][0]:.1%}"


def play_match(
    game: str,
    players: list[str],
    pairs: int,
    seed: int,
    as_json: bool,
    log: Path | None,
    as_named: bool,
    fitness: str,
    runs: Path,
    threads: int | None,
    backend: str,
) -> None:
    the_game = name_game(game)
    if fitness and fitness not in the_game.learning.fitness:
        raise unknown("fitness", fitness, list(the_game.learning.fitness))
    contestants, seating = seat_players(the_game, list(players), "given" if as_named else "every")
    store = Store(runs)
    keep = LogWriter(log, the_game, seed, [c.name for c in contestants], seating).keep if log else None
    with use_backend(backend), show.games_bar("playing") as progress:
        result = match(
            the_game,
            *contestants,
            pairs=pairs,
            seed=seed,
            threads=threads,
            progress=progress,
            keep=keep,
            journal=runs / UNFINISHED,
            seating=seating,
        )
    store.record_results("match", [result.json()])
    if as_json:
        print(json.dumps(result.json()))
    else:
        show.match_table(result, fitness)


def play_tournament(
    game: str, players: list[str], pairs: int, seed: int, as_json: bool, runs: Path, threads: int | None, backend: str
) -> None:
    the_game, store = name_game(game), Store(runs)
    with use_backend(backend), show.games_bar("playing") as progress:
        result = tournament(
            the_game, *players, pairs=pairs, seed=seed, threads=threads, progress=progress, journal=runs / UNFINISHED
        )
    store.record_results("tournament", [result.json()])
    if as_json:
        print(json.dumps(result.json()))
    else:
        show.tournament_tables(result)


def show_record(game: str, as_json: bool, runs: Path) -> None:
    """A person's own record, a table for each game."""
    found = own_records(Store(runs), name_game(game) if game else None)
    if as_json:
        print(json.dumps({"records": [record.json() for record in found]}))
        return
    if not found:
        print(f"no finished games of yours are recorded yet; play one: sparring play {game or 'GAME'}")
    for _, records in groupby(found, lambda record: (record.game, record.rules)):
        show.record_table(list(records))


def show_replay(path: Path, of: str, number: int, round_number: int) -> None:
    log = read_log(path, name_game(of) if of else None)
    i = log.index(number)
    frames = list(log.game.view.replay(log.games[i], log.place(i), log.names(i), log.played(i)))
    wanted = f"round {round_number}"
    chosen = [f for f in frames if not round_number or f.startswith((wanted + ",", wanted + ":", wanted + " "))]
    if not chosen:
        raise UserError(f"{path}: game {number} has no round {round_number}")
    print("\n\n".join(chosen))


def show_statistics(path: Path, of: str) -> None:
    """What a log's games say about its players, computed from the text alone."""
    log = read_log(path, name_game(of) if of else None)
    if log.header is None:
        raise UserError(f"{path}: its first line does not say who played; a log of sparring match --log does")
    orders = len(seatings(len(log.header.players), log.header.seating))
    if len(log.games) % orders:
        raise UserError(f"{path}: {len(log.games)} games, but every deal is played in {orders} seatings")
    header, deals = log.header, len(log.games) // orders
    show.match_table(judge(log.game, header.players, log.tallies(), header.seed, deals, seating=header.seating))


def reproduce_study(
    study: str, trials: int, budget: str, seed: int, runs: Path, threads: int | None, backend: str
) -> None:
    from sparring.studies import find_study

    reproduce = find_study(study)
    try:
        with use_backend(backend):
            reproduction = reproduce(budget, trials, seed, runs, threads, show)
    except (Stopped, KeyboardInterrupt):
        raise Stopped("stopped; what is done is kept; go on with the same command") from None
    for item in reproduction.tables:
        show.table(item.title, item.header, item.rows, item.caption)
    print(f"report: {reproduction.report}")


def show_bench(game: str, as_json: bool, seconds: float) -> None:
    from sparring.lab.bench import bench

    found = bench([game] if game else [*GAMES, "neat"], seconds)
    if as_json:
        print(json.dumps(found))
    else:
        show.table(
            found["machine"],
            ["figure", "value"],
            [[name, f"{value:,.1f}" if value >= 1 else f"{value:.2g}"] for name, value in found["figures"].items()],
            ", ".join(f"{name} {version}" for name, version in found["versions"].items()),
        )


def run_demo(game: str, runs: Path, trials: int, epochs: int) -> None:
    """Train, play, report: the whole laboratory in about a minute."""
    from sparring.report.runs import write_report

    the_game = name_game(game or next(iter(GAMES)))
    opponents = list(the_game.builtin[:2])
    table = {
        "game": the_game.name,
        "name": _fresh_name(runs, f"demo-{the_game.name}"),
        "seed": 1,
        "trials": trials,
        "learner": {"epochs": epochs},
        "evaluation": {"opponents": opponents},
    }
    run = create_run(build_experiment(table), runs)
    train_run(run, None)
    for opponent in opponents:
        with show.games_bar(f"against {opponent}") as progress:
            result = match(the_game, str(run.folder), opponent, pairs=1000, seed=derive(1, "demo"), progress=progress)
        show.match_table(result)
        won = result.players[0].win_rate.text(1, percent=True)
        print(f"{result.players[0].name} wins {won} of its games against {opponent}")
    path = run.folder / "report.html"
    write_report([run], path)
    print(f"report: {path}")


def _fresh_name(runs: Path, name: str) -> str:
    number = 1
    while (runs / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"
