"""`sparring demo`: the whole laboratory in about a minute."""

from itertools import count
from pathlib import Path

from sparring import api
from sparring.cli import show
from sparring.games import GAMES, name_game
from sparring.kernel.random import derive

PAIRS = 1000


def run_demo(game: str, runs: Path, trials: int, epochs: int) -> None:
    """Train, play, report."""
    the_game = name_game(game or next(iter(GAMES)))
    opponents = list(the_game.builtin[:2])
    names, evaluation = (f"demo-{the_game.name}-{number}" for number in count(1)), {"opponents": opponents}
    name = next(name for name in names if not (runs / name).exists())
    run = api.train(
        the_game.name, runs=runs, name=name, seed=1, trials=trials, evaluation=evaluation, watch=show, epochs=epochs
    )
    show.run_table(run)
    for opponent in opponents:
        with show.games_bar(f"against {opponent}") as progress:
            seed = derive(1, "demo")
            result = api.match(the_game, run.folder, opponent, pairs=PAIRS, seed=seed, progress=progress)
        show.results(result)
        won = result.players[0].win_rate.text(1, percent=True)
        print(f"{result.players[0].name} wins {won} of its games against {opponent}")
    print(f"report: {api.write_report([run.folder])}")
