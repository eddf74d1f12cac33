"""`sparring demo`: the whole laboratory in about a minute."""

from pathlib import Path

from sparring import api
from sparring.cli import show
from sparring.games import GAMES, name_game
from sparring.kernel.random import derive

PAIRS = 1000


def run_demo(game: str, runs: Path, trials: int, epochs: int) -> None:
    """Train, play, report."""
    the_game = name_game(game or next(iter(GAMES)))
    opponents, name = list(the_game.builtin[:2]), _fresh_name(runs, f"demo-{the_game.name}")
    evaluation = {"opponents": opponents}
    run = api.train(
        the_game.name, runs=runs, name=name, seed=1, trials=trials, evaluation=evaluation, watch=show, epochs=epochs
    )
    show.run_table(run)
    for opponent in opponents:
        with show.games_bar(f"against {opponent}") as progress:
            seed = derive(1, "demo")
            result = api.match(the_game, run.folder, opponent, pairs=PAIRS, seed=seed, progress=progress)
        show.match_table(result)
        won = result.players[0].win_rate.text(1, percent=True)
        print(f"{result.players[0].name} wins {won} of its games against {opponent}")
    print(f"report: {api.write_report([run.folder])}")


def _fresh_name(runs: Path, name: str) -> str:
    number = 1
    while (runs / f"{name}-{number}").exists():
        number += 1
    return f"{name}-{number}"
